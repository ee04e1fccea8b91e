//! Branching time: `ctl` properties on quotients, by four algorithms, with evidence that can be opened step by step.
//!
//! After Emerson & Sistla, "Symmetry and model checking" (which quotient preserves which formula), and Heljanko, "Model
//! checking the branching time temporal logic CTL" (1997; the algorithms, counterexamples and witnesses). Path
//! quantifiers range over all paths, or over the fair ones where that is asked for.

mod bitmap;
mod evidence;
mod fair;
mod fixpoint;
mod global;
mod graph;
mod label;
mod local;
mod mu;
mod normal;
mod outline;
mod part;
mod playback;
mod replay;
mod run;
mod show;
mod space;

pub use bitmap::Bitmap;
pub use evidence::{Because, Claim, Evidence, Tree};
pub use fixpoint::Fixpoint;
pub use global::{Event, GlobalSearch};
pub use graph::{Graph, Vertex};
pub use label::{Algorithm, Effort, Leaves, Memory, Rows};
pub use local::LocalCheck;
pub use normal::{FixId, Path, ProcessQuantifier};
pub use outline::OutlineNode;
pub use part::{FixpointOf, Formula, Link, Outer, Part, PartId, Sub, SubId};
pub use playback::{Moved, Playback, Score, StackMove};
pub use replay::{EvidenceFault, replay, replay_tree};
pub use run::{CtlCheck, Outcome, Settings, Step};
