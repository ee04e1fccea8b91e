//! The Hanoi Omega-Automata format, version 1.
//!
//! T. Babiak, F. Blahoudek, A. Duret-Lutz, J. Klein, J. Křetínský, D. Müller, D. Parker, J. Strejček: The Hanoi
//! omega-automata format, CAV 2015. What is read: one automaton with acceptance `t`, Büchi or generalised Büchi, on states or
//! transitions, with explicit or implicit labels. What is refused, with a place and a reason: every other acceptance,
//! universal branching, and headers that might change the meaning.

mod error;
mod expression;
mod lexer;
mod read;
mod write;

pub use error::{HoaError, HoaErrorKind, Span};
pub use read::{Hoa, Proposition, read};
pub use write::write;
