//! Declared names, and the places where they stand.

use super::ty::Ty;
use crate::define_id;
use crate::text::Span;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A declared name.
    SymbolId
);

/// The kinds of declared names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum SymbolKind {
    Parameter,
    Type,
    Shared,
    Family,
    Definition,
    Procedure,
    Function,
    Property,
    /// A variable of a process.
    Variable,
    Action,
    /// A literal of an enumeration, or a label: equal names are one symbol.
    Literal,
    /// A field of a record.
    Field,
    /// A state of an automaton.
    State,
    /// A name that ranges over a domain: of a quantifier, an action's parameter, `for`, a table's index.
    Bound,
    /// A parameter of a definition, a procedure or a function.
    Argument,
    /// A value that `let` names.
    Let,
    /// The variable of a fixed point.
    Fixpoint,
}

impl SymbolKind {
    /// The kind in a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            SymbolKind::Parameter => "parameter",
            SymbolKind::Type => "type",
            SymbolKind::Shared => "shared",
            SymbolKind::Family => "process",
            SymbolKind::Definition => "definition",
            SymbolKind::Procedure => "procedure",
            SymbolKind::Function => "function",
            SymbolKind::Property => "property",
            SymbolKind::Variable => "variable",
            SymbolKind::Action => "action",
            SymbolKind::Literal => "literal",
            SymbolKind::Field => "field",
            SymbolKind::State => "state",
            SymbolKind::Bound => "bound here",
            SymbolKind::Argument => "argument",
            SymbolKind::Let => "named here",
            SymbolKind::Fixpoint => "fixed point",
        }
    }

    /// Whether the name is known in a part of the text only.
    pub(super) const fn is_bound(self) -> bool {
        matches!(self, SymbolKind::Bound | SymbolKind::Argument | SymbolKind::Let | SymbolKind::Fixpoint)
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Where the name is declared, first; nothing where the language declares it (`at`, `done`, `deadlock_free`).
    pub place: Option<Span>,
    /// The whole declaration.
    pub whole: Span,
    /// The family, routine, type or automaton that it belongs to.
    pub owner: Option<SymbolId>,
    pub(super) ty: Ty,
    /// Where a bound name is known.
    pub(super) visible: Option<Span>,
}

/// A place where a name stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The name.
    pub span: Span,
    /// The declarations that it means. A name in a definition may mean a variable of each family that uses it.
    pub symbols: Vec<SymbolId>,
    /// Whether it is declared here.
    pub declares: bool,
}
