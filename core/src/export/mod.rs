//! Models in the languages of other checkers: Promela for Spin, TLA+ for TLC.
//!
//! A model that outgrows one machine can go there: Spin has a swarm and several cores, TLC several machines. And the answers of
//! another tool about the same model are a check of this one.

mod names;
mod promela;
mod start;
mod tla;

pub use promela::promela;
pub use tla::tla;

use crate::product::FairnessChoice;
use crate::program::{Program, PropertyId};
use crate::symmetry::ProgramSymmetry;
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The part of a model that is to be written.
///
/// ```
/// use orbitscope_core::{export, program, symmetry, syntax::parse};
/// let parsed = parse("process p[2] { var x: bool = false action flip: true -> x := not x }
///     ltl again: forall q in p: G F q.x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let symmetry = symmetry::detect(&program);
/// let request = export::Request::new("flip", &program, &symmetry);
/// assert!(export::promela(&request).unwrap().contains("ltl again { [] (<> (p_x[0])) }"));
/// assert!(export::tla(&request).unwrap().contains("again == \\A q \\in p : []<>(p_x[q])"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The name of the model.
    pub name: &'a str,
    /// The model.
    pub program: &'a Program,
    /// Choices of processes that it takes to each other get one claim together.
    pub symmetry: &'a ProgramSymmetry,
    /// The property to write; all that the other language can say where none is named.
    pub property: Option<PropertyId>,
    /// Which fairness every process gets.
    pub fairness: FairnessChoice,
}

impl<'a> Request<'a> {
    /// The whole model, with the fairness that it says.
    pub fn new(name: &'a str, program: &'a Program, symmetry: &'a ProgramSymmetry) -> Request<'a> {
        Request { name, program, symmetry, property: None, fairness: FairnessChoice::Model }
    }

    /// A system that is written in Rust has no text that could be said in another language.
    fn has_text(&self) -> Result<(), Diagnostic> {
        if self.program.is_computed_outside() {
            let words = "the system is written in Rust: there is no text to write in another language";
            return Err(Diagnostic::new(crate::text::Span::default(), words));
        }
        Ok(())
    }

    /// The properties to write, and whether each was asked for by name.
    fn properties(&self) -> Vec<PropertyId> {
        match self.property {
            Some(id) => alloc::vec![id],
            None => self.program.properties.ids().collect(),
        }
    }

    /// The model with the values of its parameters, in words.
    fn title(&self) -> String {
        let params: Vec<String> =
            self.program.params.iter().map(|param| format!("{} = {}", param.name, param.value)).collect();
        if params.is_empty() { self.name.into() } else { format!("{} with {}", self.name, params.join(", ")) }
    }

    /// The name of the file without its ending.
    fn file_name(&self) -> String {
        file_name(self.name)
    }
}

/// Words that begin no name in TLA+.
const BEGINNINGS: [&str; 2] = ["WF_", "SF_"];

/// The name of an exported model's file without its ending: TLC wants a module of this name in it, so it is one that TLA+ can
/// have, and none that TLA+ has already.
///
/// ```
/// use orbitscope_core::export::file_name;
/// assert_eq!(file_name("two-phase commit"), "two_phase_commit");
/// assert_eq!(file_name("2pc"), "model_2pc");
/// assert_eq!(file_name("TLC"), "model_TLC");
/// ```
pub fn file_name(model: &str) -> String {
    let mut name: String = model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
    if !starts_well || tla::is_taken(&name) {
        name.insert_str(0, "model_");
    }
    name
}

/// Why something cannot be said in the other language.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unsayable {
    span: Span,
    words: String,
    too_large: bool,
}

impl Unsayable {
    fn new(span: Span, words: impl Into<String>) -> Unsayable {
        Unsayable { span, words: words.into(), too_large: false }
    }

    fn too_large(span: Span, words: impl Into<String>) -> Unsayable {
        Unsayable { too_large: true, ..Unsayable::new(span, words) }
    }

    fn diagnostic(&self) -> Diagnostic {
        if self.too_large {
            Diagnostic::too_large(self.span, self.words.clone())
        } else {
            Diagnostic::new(self.span, self.words.clone())
        }
    }
}

/// A `while` that may go on after the last round that is executed: a fault of our own, which no other language knows.
fn endless(span: Span) -> Unsayable {
    Unsayable::new(span, "this `while` is not known to end in time, and the other language cannot be told so")
}
