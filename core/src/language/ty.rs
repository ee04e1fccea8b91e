//! Types, as far as they help: which fields and literals fit where. The checker's own types are stricter.

use super::symbol::{Symbol, SymbolId};
use crate::ids::IdVec;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The type of a value, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Ty {
    /// Nothing is known.
    #[default]
    Unknown,
    Bool,
    Number,
    /// Literals in their order.
    Enum(Vec<SymbolId>),
    /// Processes of these families, and whether `none` is one.
    Process(Vec<SymbolId>, bool),
    /// Fields in their order.
    Record(Vec<SymbolId>),
    Optional(Box<Ty>),
    Set(Box<Ty>),
    Bag(Box<Ty>),
    Queue(Box<Ty>),
}

/// Types nest no deeper: one that is made of itself ends here.
const DEEPEST: u32 = 8;

impl Ty {
    /// A type around another one; nothing is known of one that nests too deep.
    pub(super) fn around(make: fn(Box<Ty>) -> Ty, inner: Ty) -> Ty {
        if inner.depth() < DEEPEST { make(Box::new(inner)) } else { Ty::Unknown }
    }

    fn depth(&self) -> u32 {
        match self {
            Ty::Optional(inner) | Ty::Set(inner) | Ty::Bag(inner) | Ty::Queue(inner) => 1 + inner.depth(),
            _ => 0,
        }
    }

    /// The type without its `none`.
    pub(super) fn present(&self) -> &Ty {
        match self {
            Ty::Optional(inner) => inner.present(),
            other => other,
        }
    }

    /// The type of what is in a set, bag or queue.
    pub(super) fn element(&self) -> Ty {
        match self {
            Ty::Set(inner) | Ty::Bag(inner) | Ty::Queue(inner) => (**inner).clone(),
            _ => Ty::Unknown,
        }
    }

    /// Takes in the values of another type; says whether anything is new.
    pub(super) fn join(&mut self, other: &Ty) -> bool {
        let fresh = |own: &mut Vec<SymbolId>, more: &[SymbolId]| {
            let before = own.len();
            for id in more {
                if !own.contains(id) {
                    own.push(*id);
                }
            }
            own.len() > before
        };
        match (&mut *self, other) {
            (Ty::Unknown, Ty::Unknown) => false,
            (Ty::Unknown, other) => {
                *self = other.clone();
                true
            }
            (Ty::Enum(own), Ty::Enum(more)) => fresh(own, more),
            (Ty::Process(own, none), Ty::Process(more, also)) => {
                let wider = *also && !*none;
                *none |= *also;
                fresh(own, more) || wider
            }
            _ => false,
        }
    }

    /// The type in the words of the language.
    pub(super) fn words(&self, symbols: &IdVec<SymbolId, Symbol>) -> Option<String> {
        let list = |ids: &[SymbolId], between: &str| {
            let names: Vec<&str> = ids.iter().map(|&id| symbols[id].name.as_str()).collect();
            names.join(between)
        };
        let of = |word: &str, inner: &Ty| {
            format!("{word} of {}", inner.words(symbols).unwrap_or_else(|| "unknown".to_string()))
        };
        Some(match self {
            Ty::Unknown => return None,
            Ty::Bool => "bool".to_string(),
            Ty::Number => "a number".to_string(),
            Ty::Enum(literals) => format!("{{{}}}", list(literals, ", ")),
            Ty::Process(families, none) => {
                format!("{}{}", list(families, " | "), if *none { "?" } else { "" })
            }
            Ty::Record(fields) => format!("record {{ {} }}", list(fields, ", ")),
            Ty::Optional(inner) => format!("{}?", inner.words(symbols)?),
            Ty::Set(inner) => of("set", inner),
            Ty::Bag(inner) => of("bag", inner),
            Ty::Queue(inner) => of("queue", inner),
        })
    }
}
