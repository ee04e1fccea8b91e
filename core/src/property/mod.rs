//! From a property of the model to automata of its wrong computations, and the processes they speak of.
//!
//! # Invariants
//!
//! Propositions are numbered by what they say (`Meaning`): names are replaced by what they are bound to, fixed parts are
//! folded, negations are told apart. The order of evaluation stays in the meaning, so propositions that say the same have the same
//! faults.
//!
//! **Symmetric automata.** Where a quantifier inside an `ltl` formula is written out, a permutation may move the automaton's
//! state instead of tracked processes. That is done only if each generator of the group comes with a map of the automaton's
//! states that takes transitions to transitions with renamed letters and the same marks, and if colours tell all states
//! apart, so that the map is the only one. A stabiliser of a quotient state need not fix the automaton's state, so such a product
//! prunes no edges, and a loop is closed only where program and automaton are both as they were. If the map of a permutation
//! is too large to find, the search stops; it never guesses.

mod expand;
mod hoa;
mod meaning;
mod obligation;
mod symmetric;

pub use hoa::{HoaErrors, HoaProperty, build_with_hoa, hoa_obligation};
pub use meaning::Meaning;
pub use obligation::{
    Atom, AtomValue, Names, Obligation, PropertyError, invariant_obligation, obligations, process_value,
};
pub(crate) use obligation::{make_atom, named_processes, orbits_of_choices};
pub use symmetric::{Slot, SymmetricAutomaton};
