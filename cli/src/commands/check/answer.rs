//! The answer to one property, or why there is none.

use crate::internal;
use crate::model::Model;
use crate::run::{self, Halt, Times};
use orbitscope_core::check::{FaultReport, Faulty, Refusal, Report, RunNote, Unknown, Verdict, told};
use orbitscope_core::explore::Path;
use orbitscope_core::program::PropertyLogic;
use orbitscope_core::text::Diagnostic;

/// An answer, or why there is none.
pub(super) enum Found {
    Report(Box<Report>),
    /// The engine does not check this logic.
    Refused(String),
    /// Its automaton would be too large; the message has its place.
    TooLarge(String),
    /// This program failed; the words say how.
    Broken(String),
    /// The check was stopped before.
    NotAsked,
}

pub(super) struct Answer {
    pub logic: &'static str,
    pub name: String,
    pub found: Found,
    pub time: Times,
}

/// What went wrong with a check.
pub(super) struct Problem<'a> {
    /// Whose error it is.
    pub kind: &'static str,
    /// The first of these lines says what is wrong, and the same error has the same line.
    pub message: String,
    /// How to get to the state that shows it.
    pub path: Option<&'a Path>,
}

impl Answer {
    pub(super) fn verdict(&self) -> &'static str {
        match &self.found {
            Found::Report(report) => match report.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated => "violated",
                Verdict::Unknown(_) => "unknown",
            },
            _ => "unknown",
        }
    }

    /// The verdict in the words of its logic.
    pub(super) fn told(&self) -> &'static str {
        let logic = if self.is_cover() { PropertyLogic::Cover } else { PropertyLogic::Invariant };
        told(logic, self.verdict())
    }

    pub(super) fn is_cover(&self) -> bool {
        self.logic == PropertyLogic::Cover.word()
    }

    /// Whether it was answered by looking at every state.
    pub(super) fn is_of_states(&self) -> bool {
        use PropertyLogic as L;
        [L::Invariant, L::Cover, L::Deadlock].iter().any(|logic| self.logic == logic.word())
    }

    pub(super) fn unknown(&self) -> Option<&Unknown> {
        match &self.found {
            Found::Report(report) => match &report.verdict {
                Verdict::Unknown(unknown) => Some(unknown),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn report(&self) -> Option<&Report> {
        match &self.found {
            Found::Report(report) => Some(report),
            _ => None,
        }
    }

    /// Why the answer, or the run that shows it, is not known.
    pub(super) fn note(&self) -> Option<String> {
        if let Some(note) = self.report().and_then(|report| report.run_note.as_ref()) {
            return Some(match note {
                RunNote::Longer => "the making of its run was cut short; there may be a shorter one".into(),
                RunNote::Missing(_) => "its run was not made to the end".into(),
            });
        }
        let note = match &self.found {
            Found::Refused(why) => return Some(why.clone()),
            Found::TooLarge(_) => "it is too large to be checked",
            Found::Broken(what) => return Some(format!("internal error: {what}")),
            Found::NotAsked => "the check was stopped before it was asked",
            Found::Report(_) => match self.unknown()? {
                Unknown::Internal(fault) => {
                    return Some(format!("internal error: its run does not replay: {fault:?}"));
                }
                Unknown::Fault(fault) => match fault.what {
                    Faulty::Step(_) => "the model has an error",
                    Faulty::Property(_) => "it has an error",
                },
                Unknown::ExploredOnly => {
                    "nothing speaks against it in the explored part, which says nothing of the program"
                }
                Unknown::Mixed => {
                    "the representatives alone tell nothing of a formula with A and E; use `--ctl-model relation` or `all`"
                }
                Unknown::Unsupported(unsupported) => return Some(unsupported.to_string()),
                Unknown::FalsificationOnly => {
                    "nothing was found, but with unchecked generators only a violation means something"
                }
                _ if self.is_cover() => "not reached in the states seen so far",
                _ if self.is_of_states() => "not violated in the states seen so far",
                _ => "no violation was found so far",
            },
        };
        Some(note.into())
    }

    /// The error that keeps it from being answered.
    pub(super) fn problem(&self, model: &Model) -> Option<Problem<'_>> {
        let internal = |what: &str| Problem {
            kind: "internal",
            message: internal::report(what, Some(&self.name)),
            path: None,
        };
        match &self.found {
            Found::Broken(what) => Some(internal(what)),
            Found::Report(_) => match self.unknown()? {
                Unknown::Internal(fault) => {
                    Some(internal(&format!("the run that was found does not replay ({fault:?})")))
                }
                Unknown::Fault(fault) => Some(fault_problem(model, fault, Some(&self.name))),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An error of the model or of a property: what, where, in which state, and how to get there.
pub(super) fn fault_problem<'a>(
    model: &Model,
    fault: &'a FaultReport,
    property: Option<&str>,
) -> Problem<'a> {
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

/// Why an engine refuses, and which option to leave out.
pub(super) fn refusal_words(refusal: Refusal) -> String {
    match refusal {
        Refusal::FairCtl => format!("{refusal}; leave out `--fair-ctl`"),
        Refusal::Drop => format!("{refusal}; leave out `--deadlock drop`"),
        _ => refusal.to_string(),
    }
}

/// Where a search was stopped since memory became short, a limit was reached: whose measure it was makes no difference.
pub(super) fn halted(unknown: Unknown, halt: Option<Halt>) -> Unknown {
    match (unknown, halt) {
        (Unknown::Stopped, Some(Halt::Memory)) => Unknown::ByteLimit,
        (unknown, _) => unknown,
    }
}

/// See [`halted`].
pub(super) fn halted_report(mut report: Report, halt: Option<Halt>) -> Report {
    if let Verdict::Unknown(unknown) = report.verdict {
        report.verdict = Verdict::Unknown(halted(unknown, halt));
    }
    report
}
