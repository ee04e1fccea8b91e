//! The answer to one property in the words of the command line: the plan's words, and which option would help.

use crate::internal;
use crate::model::Model;
use crate::run::{self, Times};
use orbitscope_core::check::{FaultReport, Faulty, Found, Outcome, PassReport, Refusal, Unknown};
use orbitscope_core::explore::Path;
use orbitscope_core::text::Diagnostic;

/// An answer, or why there is none, with the time that it took.
pub(super) type Answer = Outcome<Times>;

/// What went wrong with a check.
pub(super) struct Problem<'a> {
    /// Whose error it is.
    pub kind: &'static str,
    /// The first of these lines says what is wrong, and the same error has the same line.
    pub message: String,
    /// How to get to the state that shows it.
    pub path: Option<&'a Path>,
}

/// Why the answer, or the run that shows it, is not known; and which option to change.
pub(super) fn note(answer: &Answer) -> Option<String> {
    let note = answer.note()?;
    let hint = match (&answer.found, answer.unknown()) {
        (Found::Refused(refusal), _) => hint(*refusal),
        (_, Some(Unknown::Mixed)) => Some("use `--ctl-model relation` or `all`"),
        _ => None,
    };
    Some(with_hint(note, hint))
}

/// A refusal, and which option to change.
pub(super) fn refusal_words(refusal: Refusal) -> String {
    with_hint(refusal.to_string(), hint(refusal))
}

fn with_hint(words: String, hint: Option<&str>) -> String {
    match hint {
        Some(hint) => format!("{words}; {hint}"),
        None => words,
    }
}

fn hint(refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::FairCtl => Some("leave out `--fair-ctl`"),
        Refusal::Drop => Some("leave out `--deadlock drop`"),
        _ => None,
    }
}

/// The error that keeps a property from being answered.
pub(super) fn problem<'a>(answer: &'a Answer, model: &Model) -> Option<Problem<'a>> {
    let internal = |what: &str| Problem {
        kind: "internal",
        message: internal::report(what, Some(&answer.name)),
        path: None,
    };
    match (&answer.found, answer.unknown()) {
        (Found::Broken(what), _) => Some(internal(what)),
        (_, Some(Unknown::Internal(fault))) => {
            Some(internal(&format!("the run that was found does not replay ({fault:?})")))
        }
        (_, Some(Unknown::Fault(fault))) => Some(fault_problem(model, fault, Some(&answer.name))),
        _ => None,
    }
}

/// The error that ended the pass over the states.
pub(super) fn pass_problem<'a>(pass: &'a PassReport, model: &Model) -> Option<Problem<'a>> {
    if let Some(what) = &pass.broken {
        return Some(Problem { kind: "internal", message: internal::report(what, None), path: None });
    }
    match &pass.unknown {
        Some(Unknown::Fault(fault)) => Some(fault_problem(model, fault, None)),
        _ => None,
    }
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
    if let Some(path) = &fault.path {
        messages.extend(run::path_messages(program, path));
    }
    Problem { kind, message: messages.join("\n"), path: fault.path.as_ref() }
}
