//! The plain method: every reachable state of the program, breadth first, without symmetry.
//!
//! # Invariants
//!
//! States are expanded in the order in which they were found, so a path back over parents is a shortest one. The steps of
//! a path are found again by executing, which costs less than storing them. Limits hold within one expansion. The successors
//! of a state are entered together, so that the waiting for memory overlaps (`StateSet::warm`). Paths and runs store what
//! each step changes, never whole states. A crew looks at many states at the same time in a round, and leaves no other trace than
//! one by itself (`round`).

mod exploration;
mod path;
mod round;
mod states;

pub use exploration::{Edge, Exploration, Limits, StopReason, Violation};
pub use path::{Changes, Path, PathStep, change, changes_between, states_along};
pub(crate) use path::{Patch, Scribe};
pub use states::{StateId, StateSet};
