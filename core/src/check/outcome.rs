//! The outcome of a question, and the words for it.

use super::options::Refusal;
use super::{Faulty, Report, RunNote, Stats, Unknown, Verdict};
use crate::explore::Path;
use crate::program::{PropertyId, PropertyLogic};
use crate::property::PropertyError;
use crate::symbolic::Summary;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

/// The words for a temporal property whose search did not come to its end.
pub const SO_FAR: &str = "no violation was found so far";

/// A question that a plan asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    /// Whether the automaton from a file accepts no computation.
    Automaton,
    /// Whether a property of the model holds.
    Property(PropertyId),
    /// Whether there are states without a step.
    Deadlocks,
}

/// A driver's record of the work for a question, such as the time that it took.
pub trait Cost: Clone + Default {
    /// That of both.
    #[must_use]
    fn and(self, other: Self) -> Self;
}

impl Cost for () {
    fn and(self, (): ()) {}
}

/// Why work was stopped from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// Somebody asked for it.
    Request,
    /// The process is near a limit of its memory.
    Memory,
}

/// An answer, or why there is none.
#[derive(Clone, Debug)]
pub enum Found {
    /// The answer.
    Report(Box<Report>),
    /// The engine does not check this.
    Refused(Refusal),
    /// Its automaton would be too large.
    TooLarge(PropertyError),
    /// This program failed; the words say how.
    Broken(String),
    /// The check was stopped before.
    NotAsked,
}

/// The outcome of one question.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// The question.
    pub question: Question,
    /// In which logic.
    pub logic: PropertyLogic,
    /// The name of the property.
    pub name: String,
    /// The answer.
    pub found: Found,
    /// The driver's record of the work; nothing where none was done.
    pub cost: Option<T>,
}

/// The findings of one pass over the states.
#[derive(Clone, Debug, Default)]
pub struct PassReport {
    /// Whether there was no pass.
    pub not_asked: bool,
    /// How many states without a step were seen: of the quotient, or of the program.
    pub deadlocks: u64,
    /// A shortest path to one.
    pub path: Option<Path>,
    /// Whether every state was seen.
    pub complete: bool,
    /// Whether no invariant was looked at on the way.
    pub deadlocks_alone: bool,
    /// Why not all states were seen, where that is a limit that was set, or an error of the model.
    pub unknown: Option<Unknown>,
    /// Why the pass could not be made.
    pub refused: Option<Refusal>,
    /// How this program failed.
    pub broken: Option<String>,
    /// The counts.
    pub stats: Stats,
    /// The iterations of a symbolic pass.
    pub symbolic: Option<Summary>,
}

impl<T> Outcome<T> {
    /// `holds`, `violated` or `unknown`. A `cover` holds where what it asks for is reached.
    pub fn verdict(&self) -> &'static str {
        match self.report().map(|report| &report.verdict) {
            Some(Verdict::Holds) => "holds",
            Some(Verdict::Violated) => "violated",
            Some(Verdict::Unknown(_)) | None => "unknown",
        }
    }

    /// The verdict in the words of its logic.
    pub fn told(&self) -> &'static str {
        told(self.logic, self.verdict())
    }

    /// The answer, if there is one.
    pub fn report(&self) -> Option<&Report> {
        match &self.found {
            Found::Report(report) => Some(report),
            _ => None,
        }
    }

    /// Why the answer does not decide.
    pub fn unknown(&self) -> Option<&Unknown> {
        match &self.report()?.verdict {
            Verdict::Unknown(unknown) => Some(unknown),
            Verdict::Holds | Verdict::Violated => None,
        }
    }

    /// Why the answer, or the run that shows it, is not known: one line.
    pub fn note(&self) -> Option<String> {
        if let Some(note) = self.report().and_then(|report| report.run_note.as_ref()) {
            return Some(note.to_string());
        }
        Some(match &self.found {
            Found::Refused(refusal) => refusal.to_string(),
            Found::TooLarge(_) => "it is too large to be checked".into(),
            Found::Broken(what) => format!("internal error: {what}"),
            Found::NotAsked => "the check was stopped before it was asked".into(),
            Found::Report(_) => match self.unknown()? {
                Unknown::Fault(fault) => match fault.what {
                    Faulty::Step(_) => "the model has an error".into(),
                    Faulty::Property(_) => "it has an error".into(),
                },
                limit if limit.limit().is_some() || matches!(limit, Unknown::Stopped) => match self.logic {
                    PropertyLogic::Cover => "not reached in the states seen so far".into(),
                    logic if logic.is_of_states() => "not violated in the states seen so far".into(),
                    _ => SO_FAR.into(),
                },
                unknown => unknown.to_string(),
            },
        })
    }
}

/// A verdict in the words of a logic: a `cover` is *covered* or *never*.
pub fn told(logic: PropertyLogic, verdict: &'static str) -> &'static str {
    match (logic, verdict) {
        (PropertyLogic::Cover, "holds") => "covered",
        (PropertyLogic::Cover, "violated") => "never",
        _ => verdict,
    }
}

impl core::fmt::Display for RunNote {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            RunNote::Longer => "the making of its run was cut short; there may be a shorter one",
            RunNote::Missing(_) => "its run was not made to the end",
        })
    }
}
