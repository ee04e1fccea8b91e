//! Errors of a model, in words and with their places in the text.

use super::run::{Run, Source};
use orbitscope_core::check::{FaultReport, Faulty};
use orbitscope_core::program::Program;
use orbitscope_core::text::{Diagnostic, LineIndex, Span};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::rc::Rc;

/// How many problems are listed.
const MAX_PROBLEMS: usize = 20;
/// How many characters of a state are shown.
pub(super) const MAX_LABEL: usize = 400;
/// How many steps of the path to an error are named.
const MAX_PATH: usize = 12;

/// Where in the text a problem is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The line's text.
    pub excerpt: String,
    /// How many characters from `column` on are meant; at least 1.
    pub length: u32,
}

/// Something wrong with a model or its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The message.
    pub message: String,
    /// Where, if it has a place in the text.
    pub place: Option<Place>,
    /// The way to it, where it is met while the model runs.
    pub run: Option<Rc<Run>>,
}

impl Problem {
    /// A problem that has no place in the text.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), place: None, run: None }
    }
}

/// The errors in words.
pub(super) fn problems(source: &str, diagnostics: &[Diagnostic]) -> Vec<Problem> {
    let lines = LineIndex::new(source);
    let mut problems: Vec<Problem> =
        diagnostics.iter().take(MAX_PROBLEMS).map(|diagnostic| problem(&lines, diagnostic)).collect();
    if diagnostics.len() > MAX_PROBLEMS {
        let message = format!("and {} more", diagnostics.len() - MAX_PROBLEMS);
        problems.push(Problem::new(message));
    }
    problems
}

pub(super) fn problem(lines: &LineIndex<'_>, diagnostic: &Diagnostic) -> Problem {
    let message = match &diagnostic.note {
        Some(note) => {
            let at = lines.position(note.span.start);
            format!("{} ({}:{}: {})", diagnostic.message, at.line, at.column, note.message)
        }
        None => diagnostic.message.clone(),
    };
    // An error of the settings has no place in the text.
    let place = (diagnostic.span != Span::default()).then(|| {
        let (start, end) = (lines.position(diagnostic.span.start), lines.position(diagnostic.span.end));
        let excerpt = lines.line(start.line);
        let rest = (excerpt.chars().count() as u32 + 1).saturating_sub(start.column);
        let length = if end.line == start.line { end.column - start.column } else { rest };
        Place { line: start.line, column: start.column, excerpt: excerpt.to_owned(), length: length.max(1) }
    });
    Problem { place, ..Problem::new(message) }
}

/// An error of the model while it runs: what, in which state, and how it comes there.
pub(super) fn fault(source: &str, program: &Program, fault: &FaultReport, property: &str) -> Problem {
    let (span, what) = match &fault.what {
        Faulty::Step(fault) => (fault.fault.span, program.show_fault(fault)),
        Faulty::Property(fault) => (fault.span, format!("{} while evaluating `{property}`", fault.kind)),
    };
    let message = match &fault.path {
        None => what,
        Some(path) => {
            let values = clipped(&program.show_state(&path.last_state()));
            let steps = path.steps.iter().take(MAX_PATH);
            let mut names: Vec<String> =
                steps.map(|step| program.show_step(step.process, step.action, &step.arguments)).collect();
            if path.steps.len() > MAX_PATH {
                names.push(format!("{} more", path.steps.len() - MAX_PATH));
            }
            match names.as_slice() {
                [] => format!("{what}, in the state {values}: an initial state"),
                names => format!("{what}, in the state {values}: after {}", names.join(", ")),
            }
        }
    };
    let way = fault.path.as_ref().map(|path| Run::new(program, source, Source::Path(path), None));
    Problem { run: way.map(Rc::new), ..problem(&LineIndex::new(source), &Diagnostic::new(span, message)) }
}

/// The first characters of what is shown: a state of thousands of processes is not written out.
pub(super) fn clipped(shown: &impl fmt::Display) -> String {
    struct Clip {
        text: String,
        left: usize,
    }
    impl Write for Clip {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            for c in part.chars() {
                self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(c);
            }
            Ok(())
        }
    }
    let mut clip = Clip { text: String::new(), left: MAX_LABEL };
    if write!(clip, "{shown}").is_err() {
        clip.text.push('…');
    }
    clip.text
}
