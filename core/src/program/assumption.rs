//! The assumption of a text: states outside of it are not looked at.

use super::code::{Fault, View};
use super::compile::{Predicate, Scratch};
use super::flat::Flat;
use super::{Program, TermId};
use crate::text::{Diagnostic, Span};
use alloc::string::String;
use alloc::vec::Vec;

/// The `assume` items of a model together. A step that leads out of it is no step, and an initial state outside is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// All of them, in the order of the text, as one expression.
    pub term: TermId,
    /// One more than the highest register used.
    pub regs: u32,
    /// The names that it binds, by register.
    pub names: Vec<String>,
    /// Where the first one stands.
    pub span: Span,
    /// The compiled condition.
    pub(super) predicate: Predicate,
}

impl Program {
    /// Whether a state is one that is looked at.
    pub fn assumes<V: View>(&self, view: &V, scratch: &mut Scratch) -> Result<bool, Fault> {
        self.assumption.as_ref().map_or(Ok(true), |assumed| assumed.predicate.holds(view, scratch, &[]))
    }

    /// Whether an initial state is one of those that are looked at. Where that cannot be evaluated it is, and the error is found
    /// when its steps are asked for.
    pub fn takes_initial(&self, values: &[i32], scratch: &mut Scratch) -> bool {
        self.assumes(&Flat::new(values), scratch).unwrap_or(true)
    }

    /// The assumption, as the model writes it.
    pub fn assumed_words(&self) -> Option<String> {
        let assumed = self.assumption.as_ref()?;
        Some(self.show_term(assumed.term, |_| None))
    }

    /// Refuses an assumption that the only initial state does not meet: nothing would be looked at.
    pub(super) fn check_assumption(&self) -> Result<(), Vec<Diagnostic>> {
        let Some(assumed) = self.assumption.as_ref().filter(|_| self.initial.is_one()) else {
            return Ok(());
        };
        let initial = Flat::new(&self.initial.values);
        let diagnostic = match self.assumes(&initial, &mut Scratch::default()) {
            Ok(true) => return Ok(()),
            Ok(false) => Diagnostic::new(
                assumed.span,
                "the initial state is outside of what is assumed: no state would be looked at",
            ),
            Err(fault) => Diagnostic::new(fault.span, alloc::format!("{} in the initial state", fault.kind)),
        };
        Err(alloc::vec![diagnostic])
    }
}
