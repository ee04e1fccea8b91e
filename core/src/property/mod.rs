//! From a property of the model to automata of its wrong computations, and the processes they speak of.

mod expand;
mod hoa;
mod meaning;
mod obligation;
mod symmetric;

pub use hoa::{HoaErrors, HoaProperty, build_with_hoa, hoa_obligation};
pub use meaning::Meaning;
pub use obligation::{
    Atom, AtomValue, MAX_INSTANCES, Names, Obligation, PropertyError, invariant_obligation, obligations,
    process_value,
};
pub(crate) use obligation::{make_atom, named_processes, orbits_of_choices};
pub use symmetric::{Slot, SymmetricAutomaton};
