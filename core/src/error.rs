//! One vocabulary for what can go wrong.
//!
//! | type | what is wrong |
//! | --- | --- |
//! | [`ModelError`] | the text, or a parameter that was set |
//! | [`Fault`](crate::program::Fault) | a run of the model divides by zero, leaves a range, … |
//! | [`Limit`] | nothing is wrong, but a budget is used up |
//! | [`Refusal`](crate::check::Refusal) | an engine cannot do what the options ask |
//!
//! The modules of the expert layer have error types of their own, such as [`LinkError`](crate::link::LinkError), which say what
//! exactly is wrong. Each type has a message for people ([`Display`](core::fmt::Display)), implements
//! [`Error`](core::error::Error), and is [`Classified`]: programs ask for the [`ErrorKind`] and need not read the message.

use crate::text::{Diagnostic, DiagnosticKind, LineIndex, Span};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Whose fault it is that there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller gave something wrong: the model, the name of a property or parameter, an automaton, a log or a link.
    Model,
    /// A run of the model, or the evaluation of a property, has an error.
    Fault,
    /// A budget is used up; with a larger one there may be an answer.
    Limit,
    /// The engine cannot do what the options ask.
    Refusal,
    /// Somebody stopped the check.
    Stopped,
    /// A bug of this crate. Please report it with the model.
    Internal,
}

/// An error whose kind can be asked for: every error type of this crate.
///
/// ```
/// use orbitscope_core::{Classified, ErrorKind, link::Link};
/// fn is_bug(error: &impl Classified) -> bool {
///     error.kind() == ErrorKind::Internal
/// }
/// let error = Link::decode("nonsense").unwrap_err();
/// assert!(!is_bug(&error) && error.kind() == ErrorKind::Model);
/// ```
pub trait Classified: core::error::Error {
    /// Whose fault it is, for programs.
    fn kind(&self) -> ErrorKind;
}

/// The errors of a model: messages with their places in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelError {
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl ModelError {
    /// The errors of a text.
    pub fn new(text: impl Into<String>, diagnostics: Vec<Diagnostic>) -> ModelError {
        ModelError { text: text.into(), diagnostics }
    }

    /// The errors one by one, in the order of the text. One about a parameter that was set has an empty place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// [`ErrorKind::Limit`] where the model may be right but is too large, otherwise [`ErrorKind::Model`].
    pub fn kind(&self) -> ErrorKind {
        kind_of(&self.diagnostics)
    }
}

impl fmt::Display for ModelError {
    /// The messages as a compiler prints them: place, message, line of the text and a mark under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = LineIndex::new(&self.text);
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if diagnostic.span == Span::default() {
                f.write_str(&diagnostic.message)?;
            } else {
                diagnostic.render("model", &lines).fmt(f)?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for ModelError {}

impl Classified for ModelError {
    fn kind(&self) -> ErrorKind {
        self.kind()
    }
}

/// The kind of errors of a text: a limit where nothing is wrong with it but its size.
pub(crate) fn kind_of(diagnostics: &[Diagnostic]) -> ErrorKind {
    let large = |diagnostic: &Diagnostic| diagnostic.kind == DiagnosticKind::TooLarge;
    if diagnostics.iter().all(large) { ErrorKind::Limit } else { ErrorKind::Model }
}

/// A budget that is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Limit {
    /// Of states, or of nodes of a product.
    States,
    /// Of memory.
    Bytes,
    /// Of initial states that can be taken in.
    Roots,
    /// Of nodes of decision diagrams, or of the automaton's images under permutations.
    Nodes,
}

impl Limit {
    /// The thing that there is a limit of.
    pub const fn noun(self) -> &'static str {
        match self {
            Limit::States => "states",
            Limit::Bytes => "memory",
            Limit::Roots => "initial states",
            Limit::Nodes => "BDD nodes",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the limit of {} was reached", self.noun())
    }
}

impl core::error::Error for Limit {}

impl Classified for Limit {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Limit
    }
}
