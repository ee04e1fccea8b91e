//! Messages about a text: the error, its place, and the way out.
//!
//! The words are made where the error is found: each message is said in one place only, so a table of kinds beside it
//! would say everything twice. The place stays a byte range until somebody shows it.

use super::{LineIndex, Span};
use alloc::string::String;
use core::fmt;

/// A second place that explains the first, such as an earlier declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// A note on that place.
    pub message: String,
}

/// The sorts of errors that a [`Diagnostic`] can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticKind {
    /// The input is wrong.
    Wrong,
    /// The input may be right, but needs more than the tool allows.
    TooLarge,
}

/// One error of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Whether the input is wrong or only too large.
    pub kind: DiagnosticKind,
    /// The place.
    pub span: Span,
    /// The error and what was expected instead, in one line.
    pub message: String,
    /// A second place, if one explains the first.
    pub note: Option<Note>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { kind: DiagnosticKind::Wrong, span, message: message.into(), note: None }
    }

    /// Something at a place that needs more than the tool allows.
    pub fn too_large(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { kind: DiagnosticKind::TooLarge, ..Diagnostic::new(span, message) }
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.note = Some(Note { span, message: message.into() });
        self
    }

    /// The error as text for a terminal: `file:line:column: message`, the source line, and a caret under the place.
    pub fn render<'a>(&'a self, file: &'a str, lines: &'a LineIndex<'a>) -> Rendered<'a> {
        Rendered { diagnostic: self, file, lines }
    }
}

/// A [`Diagnostic`] with its file, ready to print.
#[derive(Debug)]
pub struct Rendered<'a> {
    diagnostic: &'a Diagnostic,
    file: &'a str,
    lines: &'a LineIndex<'a>,
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        excerpt(f, self.file, self.lines, self.diagnostic.span, &self.diagnostic.message)?;
        if let Some(note) = &self.diagnostic.note {
            writeln!(f)?;
            excerpt(f, self.file, self.lines, note.span, &note.message)?;
        }
        Ok(())
    }
}

/// The widest part of a source line that is shown: a line of a megabyte must not flood the terminal.
const WIDTH: usize = 120;

fn excerpt(
    f: &mut fmt::Formatter<'_>,
    file: &str,
    lines: &LineIndex<'_>,
    span: Span,
    message: &str,
) -> fmt::Result {
    let at = lines.position(span.start);
    let end = lines.position(span.end);
    let text = lines.line(at.line);
    let column = at.column as usize - 1;
    let skipped = if column + 20 > WIDTH { column - WIDTH / 2 } else { 0 };
    let shown = text.chars().skip(skipped).take(WIDTH).map(|c| if c.is_control() { ' ' } else { c });
    let rest = text.chars().count().saturating_sub(column);
    let width = if end.line == at.line { (end.column - at.column) as usize } else { rest };
    let width = width.clamp(1, (WIDTH - (column - skipped)).max(1));
    writeln!(f, "{file}:{}:{}: {message}", at.line, at.column)?;
    write!(f, "{:>5} | ", at.line)?;
    for c in shown {
        write!(f, "{c}")?;
    }
    write!(f, "\n      | {:column$}{:^<width$}", "", "", column = column - skipped)
}
