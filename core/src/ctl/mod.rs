//! Branching time: `ctl` properties on quotients, by four algorithms, with evidence that can be opened step by step.
//!
//! After Emerson & Sistla, "Symmetry and model checking" (which quotient preserves which formula), and Heljanko, "Model
//! checking the branching time temporal logic CTL" (1997; the algorithms, counterexamples and witnesses). Path
//! quantifiers range over all paths, or over the fair ones where that is asked for.
//!
//! # Invariants
//!
//! - A part's group leaves its expressions, and those of the parts in it, as they are. Processes that a part names are
//!   tracked, so a state of its graph is (s, l⃗) up to that group.
//! - A part is asked about states of the parts that use it before its own states are expanded, so every state that is
//!   looked up is there. Each part is numbered after those it uses: graphs are built from the last part to the first,
//!   truth values are found from the first to the last.
//! - Where deadlocks are dropped, vertices without an infinite path are nobody's successors, and each algorithm decides them
//!   first.
//! - A claim is about a state of the program, never about a representative. `explain` opens one claim; `replay` follows the
//!   meaning of its operator on plain states, takes each piece of evidence with exactly the claims it needs, and evaluates
//!   claims without temporal operators itself.
//! - A fixed point's variable has no more symmetry than the whole fixed point, and a part in which it stands tracks
//!   everything the fixed point's part does: each vertex of the inner part lies over one of the outer.
//! - Fixed points are written out as instructions, with everything that does not depend on a variable before its loop.
//! - Fair paths are one more subformula, `EG f` along a fair path, to which all operators are reduced. The components that the
//!   fair search judges (`search::component`) make its row, whatever the algorithm.

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
