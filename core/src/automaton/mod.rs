//! Transition-based generalised Büchi automata over abstract atomic propositions.
//!
//! A run is accepting if it takes, for each acceptance set, infinitely many transitions that carry its mark. The
//! search uses this acceptance directly; nothing here is degeneralised.

mod bdd;
mod bits;
pub mod hoa;
pub(crate) mod isomorphism;
mod label;
mod reduce;
pub(crate) mod scc;
pub(crate) use scc::components;
mod merged;
mod simulation;
mod tgba;
mod word;

pub(crate) use bdd::{Bdd, Manager};
pub use bits::BitSet;
pub use label::{Ap, Cube, Label, Valuation};
pub(crate) use merged::{Edge, EdgeCollector, MergedTgba};
pub use reduce::{Reductions, reduce};
pub use tgba::{AutomatonState, Marks, Statistics, Tgba, TgbaError, Transition};
pub use word::LassoWord;
