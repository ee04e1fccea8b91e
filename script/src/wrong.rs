//! Errors, for programs and for people.

#![allow(missing_docs, reason = "the members are named as what they are, and explained where they are made")]

use orbitscope_core::error::Classified;
use orbitscope_core::text::{Diagnostic, LineIndex, Span, closest};
use orbitscope_core::{Error, ErrorKind, ModelError};
use serde::Serialize;
use std::fmt;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// `model`, `fault`, `refusal`, `limit`, `stopped`, `internal`, or `usage` where the question itself is wrong.
    pub kind: &'static str,
    /// The message for people: of a model all of them, with their lines.
    pub message: String,
    /// The places in the text, if it is about these.
    pub problems: Vec<Problem>,
}

/// An error at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub message: String,
    /// From 1, as the column; none where it is about a parameter that was set.
    pub line: Option<u32>,
    /// In characters.
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
}

impl Wrong {
    /// A question that is wrong itself.
    pub fn usage(words: impl Into<String>) -> Wrong {
        Wrong { kind: "usage", message: words.into(), problems: Vec::new() }
    }

    /// An error of the engine that is about no place of the text.
    pub(crate) fn of(error: &impl Classified) -> Wrong {
        Wrong { kind: word(error.kind()), message: error.to_string(), problems: Vec::new() }
    }

    pub(crate) fn of_text(text: &str, problems: Vec<Diagnostic>) -> Wrong {
        let lines = LineIndex::new(text);
        let told = problems.iter().map(|problem| {
            let placed = (problem.span != Span::default())
                .then(|| (lines.position(problem.span.start), lines.position(problem.span.end)));
            Problem {
                message: problem.message.clone(),
                line: placed.map(|(start, _)| start.line),
                column: placed.map(|(start, _)| start.column),
                end_line: placed.map(|(_, end)| end.line),
                end_column: placed.map(|(_, end)| end.column),
            }
        });
        let told = told.collect();
        let error = ModelError::new(text, problems);
        Wrong { kind: word(error.kind()), message: error.to_string(), problems: told }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

fn word(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Model => "model",
        ErrorKind::Fault => "fault",
        ErrorKind::Refusal => "refusal",
        ErrorKind::Limit => "limit",
        ErrorKind::Stopped => "stopped",
        _ => "internal",
    }
}

/// A result of the engine about a text.
pub(crate) fn of<T>(text: &str, result: Result<T, Error>) -> Result<T, Wrong> {
    result.map_err(|error| match error {
        Error::Model(error) => Wrong::of_text(text, error.diagnostics().to_vec()),
        other => Wrong::of(&other),
    })
}

/// A name that is none of the known ones.
pub(crate) fn unknown(what: &str, given: &str, known: &[&str]) -> Wrong {
    let near = closest(given, known.iter().copied());
    let hint = near.map_or_else(
        || format!("; there are {}", known.join(", ")),
        |near| format!("; did you mean `{near}`?"),
    );
    Wrong::usage(format!("there is no {what} `{given}`{hint}"))
}
