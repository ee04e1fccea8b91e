//! The command line adds two things to an outcome: which of its options would help, and errors drawn in the source.

use crate::internal;
use crate::model::Model;
use crate::run::{self, Times};
use orbitscope_core::check::{self, FaultReport, Faulty, Found, PassReport, Refusal, Unknown};
use orbitscope_core::error::ErrorKind;
use orbitscope_core::explore::Path;
use orbitscope_core::program::{FaultKind, StepFault};
use orbitscope_core::text::Diagnostic;

/// The outcome of a property, with the time that it took.
pub(super) type Answer = check::Outcome<Times>;

/// A check that went wrong.
pub(super) struct Problem<'a> {
    /// Whose error it is.
    pub kind: &'static str,
    /// The first of these lines says what is wrong, and the same error has the same line.
    pub message: String,
    /// How to get to the state that shows it.
    pub path: Option<&'a Path>,
}

impl Problem<'_> {
    fn internal(what: &str, property: Option<&str>) -> Self {
        Problem { kind: "internal", message: internal::report(what, property), path: None }
    }
}

/// Why the answer, or the run that shows it, is not known; and which option to use or to leave out.
pub(super) fn note(answer: &Answer) -> Option<String> {
    let note = answer.note()?;
    let help = match (&answer.found, answer.unknown()) {
        (Found::Refused(Refusal::FairCtl), _) => "; leave out `--fair-ctl`",
        (_, Some(Unknown::Mixed)) => "; use `--ctl-model relation` or `all`",
        _ => "",
    };
    Some(note + help)
}

/// The error that keeps a property from being answered.
pub(super) fn problem<'a>(answer: &'a Answer, model: &Model) -> Option<Problem<'a>> {
    if let Found::Broken(what) = &answer.found {
        return Some(Problem::internal(what, Some(&answer.name)));
    }
    match answer.unknown()? {
        Unknown::Internal(fault) => Some(Problem::internal(
            &format!("the run that was found does not replay ({fault:?})"),
            Some(&answer.name),
        )),
        Unknown::Fault(fault) => Some(fault_problem(model, fault, Some(&answer.name))),
        _ => None,
    }
}

/// The error that ended the pass over the states.
pub(super) fn pass_problem<'a>(pass: &'a PassReport, model: &Model) -> Option<Problem<'a>> {
    match (&pass.broken, &pass.unknown) {
        (Some(what), _) => Some(Problem::internal(what, None)),
        (None, Some(Unknown::Fault(fault))) => Some(fault_problem(model, fault, None)),
        _ => None,
    }
}

/// The kind of an error. Murphi's loops may go on for longer than they are followed here, which is a limit and no error of the model.
pub(super) fn fault_kind(fault: &FaultReport, murphi: bool) -> ErrorKind {
    let (Faulty::Step(StepFault { fault, .. }) | Faulty::Property(fault)) = &fault.what;
    if murphi && fault.kind == FaultKind::Endless { ErrorKind::Limit } else { ErrorKind::Fault }
}

/// An error of the model or of a property: what, where, in which state, and how to get there.
fn fault_problem<'a>(model: &Model, fault: &'a FaultReport, property: Option<&str>) -> Problem<'a> {
    let program = &model.program;
    let (kind, at, what) = match &fault.what {
        Faulty::Step(fault) => ("model", fault.fault, program.show_fault(fault)),
        Faulty::Property(fault) => {
            let name = property.map_or_else(|| "the property".into(), |name| format!("`{name}`"));
            ("property", *fault, format!("{} while evaluating {name}", fault.kind))
        }
    };
    let mut messages = vec![model.source.render(&Diagnostic::new(at.span, what))];
    let limit = fault_kind(fault, model.source.murphi.is_some()) == ErrorKind::Limit;
    let kind = if limit { "limit" } else { kind };
    if let Some(path) = &fault.path {
        messages.extend(run::path_messages(program, path));
    }
    Problem { kind, message: messages.join("\n"), path: fault.path.as_ref() }
}
