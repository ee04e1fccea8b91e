//! The outline of a text: its items, with what they declare inside.

use super::Document;
use super::symbol::{SymbolId, SymbolKind};
use crate::text::Span;
use alloc::string::String;
use alloc::vec::Vec;

/// A declared name with what is declared inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The name's place.
    pub place: Span,
    /// The whole declaration.
    pub whole: Span,
    /// Variables, actions and labels of a process; the states of an automaton; fields of a type.
    pub inside: Vec<Outline>,
}

impl Document<'_> {
    /// The declared names of the file, in the order of the text.
    pub fn outline(&self) -> Vec<Outline> {
        self.outline_of(None)
    }

    fn outline_of(&self, owner: Option<SymbolId>) -> Vec<Outline> {
        use SymbolKind as K;
        let listed = |kind: K| match kind {
            K::Parameter
            | K::Type
            | K::Shared
            | K::Family
            | K::Definition
            | K::Procedure
            | K::Function
            | K::Property => owner.is_none(),
            K::Variable | K::Action | K::State | K::Field => owner.is_some(),
            K::Literal | K::Bound | K::Argument | K::Let | K::Fixpoint => false,
        };
        let mut found = Vec::new();
        for (id, symbol) in self.names.symbols.iter_enumerated() {
            if symbol.owner == owner && listed(symbol.kind) && !symbol.name.is_empty() {
                let place = symbol.place.unwrap_or(symbol.whole);
                let (name, kind) = (symbol.name.clone(), symbol.kind);
                let inside = if owner.is_none() { self.outline_of(Some(id)) } else { Vec::new() };
                found.push(Outline { name, kind, place, whole: symbol.whole.to(place), inside });
            }
        }
        found
    }
}
