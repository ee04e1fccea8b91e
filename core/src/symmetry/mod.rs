//! Which permutations of processes leave a program as it is.
//!
//! # Invariants
//!
//! The group contains only automorphisms. It is the group that leaves all tables of the text as they are (everything the
//! text says of processes without looking at the state), or it is made of claimed generators, each shown to take every
//! reachable step to a step. Where the search for more gives up, the group is smaller, never wrong. Whatever limits it is
//! reported with its place.

mod claims;
mod colours;
mod constraints;
mod describe;
mod detect;
mod labelling;
mod ring;
mod structure;

pub use claims::{Choice, ClaimError, NotSymmetric, choose};
pub use constraints::{PropertyTerm, Reason};
pub use describe::{describe, show_points};
pub use detect::{Effort, ProgramSymmetry, detect, detect_for};
pub use labelling::{Labelling, canonical};
pub(crate) use ring::neighbour_in;
pub(crate) use structure::each_index;
pub use structure::{Axis, Entry, Structure, Table, moved_state, state_structure, variable_table};
