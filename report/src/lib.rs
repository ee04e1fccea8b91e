//! Writes the findings of a check for other programs and other people: results as JUnit, SARIF, annotations of GitHub
//! and one page of HTML; runs as ITF, sequence diagrams and tables.
//!
//! A front end fills [`Results`] from its answers; every writer is a function from these to text. Nothing here checks
//! anything, reads a file or knows an option.

mod csv;
mod escape;
mod github;
mod html;
mod itf;
mod junit;
mod marks;
mod run;
mod sarif;
mod sequence;

pub use csv::csv;
pub use github::github;
pub use html::html;
pub use itf::itf;
pub use junit::junit;
pub use marks::{Case, Marked, csv_of_marks, junit_of_marks};
pub use run::{Run, Step};
pub use sarif::sarif;
pub use sequence::{mermaid, plantuml};

use orbitscope_core::program::Program;
use orbitscope_core::text::{LineIndex, Span};

/// Everything that one check found.
#[derive(Debug)]
pub struct Results<'a> {
    /// The model's name.
    pub model: String,
    /// Its file, as the user called it.
    pub file: String,
    /// Its text.
    pub text: &'a str,
    /// The program that it is.
    pub program: &'a Program,
    /// The order of its symmetry.
    pub order: String,
    /// The version of the program that checked.
    pub version: &'static str,
    /// An answer for each property, and what was seen besides.
    pub findings: Vec<Finding>,
    /// Pictures for the page.
    pub pictures: Vec<Picture>,
}

/// The answer to one property, or something that was seen besides.
#[derive(Debug)]
pub struct Finding {
    /// The property's name.
    pub name: String,
    /// Its logic, or `states` where it is about the states alone.
    pub logic: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict in a sentence, with fairness, instance and reason.
    pub words: String,
    /// Where it stands in the text.
    pub span: Option<Span>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The run that shows it.
    pub run: Option<Run>,
}

/// The verdicts about a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// Nobody knows: a limit, or a method that does not apply.
    Unknown,
    /// The model, the property or the checker has an error.
    Error,
    /// It was no property: something worth knowing.
    Note,
}

impl Verdict {
    /// The verdict in one word.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
            Verdict::Error => "error",
            Verdict::Note => "note",
        }
    }
}

/// A picture of a graph.
#[derive(Debug)]
pub struct Picture {
    /// A title for the picture.
    pub title: String,
    /// The picture itself.
    pub svg: String,
}

impl Results<'_> {
    /// The model with its parameters, as people call it.
    fn title(&self) -> String {
        let params = self.program.params.iter().map(|param| format!(" {}={}", param.name, param.value));
        self.model.clone() + &params.collect::<String>()
    }

    /// First and last line and column of a place, each from 1; the last column is behind the place.
    fn region(&self, span: Span) -> Region {
        let lines = LineIndex::new(self.text);
        let (from, to) = (lines.position(span.start), lines.position(span.end));
        Region { line: from.line, column: from.column, end_line: to.line, end_column: to.column }
    }

    /// How many findings have one of these verdicts.
    fn count(&self, wanted: &[Verdict]) -> usize {
        self.findings.iter().filter(|finding| wanted.contains(&finding.verdict)).count()
    }
}

/// A place in the text as editors count it.
#[derive(Clone, Copy, Debug)]
struct Region {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}
