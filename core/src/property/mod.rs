//! From a property of the model to automata of its wrong computations, and the processes they speak of.

mod expand;
mod obligation;

pub use obligation::{
    Atom, AtomValue, MAX_INSTANCES, Obligation, PropertyError, invariant_obligation, obligations,
    process_value,
};
