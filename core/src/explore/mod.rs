//! The plain method: every reachable state of the program, breadth first, without symmetry.

mod exploration;
mod path;
mod states;

pub use exploration::{Edge, Exploration, Limits, StopReason, Violation};
pub use path::{Changes, Path, PathStep, change, changes_between, states_along};
pub(crate) use path::{Patch, Scribe};
pub use states::{StateId, StateSet};
