//! Symbolic checking: sets of states as decision diagrams, with representatives that are chosen while the reachable
//! states are computed.
//!
//! S. Barner, O. Grumberg: Combining symmetry reduction and under-approximation for symbolic model checking, CAV 2002.
//! Section and figure numbers in this module are that paper's. No orbit relation is built: the states that symmetries make
//! of those reached are computed, and taken away from what is new. A state that is kept was reached by steps of the program, so
//! that a violation is real whatever the symmetries are.
//!
//! # Invariants
//!
//! - Every iteration remembers where its states came from. A path is followed back through these sets and executed.
//! - An expression is one set of states for each of its values. Where it faults it has none, so a fault is what is missing,
//!   and each frontier is searched for faults before anything is expanded.
//! - A generator is used only if the diagram of everything asked is the same after it. "Holds" is said only with proven
//!   generators and when every representative was expanded. Of the processes that a leading `forall` ranges over, one of
//!   each orbit is looked at, under the symmetries that leave the formula, and the processes it names, as they are.
//! - A `Recorder` looks at a search after each step and keeps the diagrams that are small; a search that nobody watches makes none.
//! - A part of the relation speaks of the slots it writes, and of nothing else in the next state.

mod beside;
mod ctl;
mod encoding;
mod eval;
mod fair;
mod generators;
mod log;
mod model;
mod observer;
mod options;
mod path;
mod reach;
mod recorder;
mod relation;
mod safety;
mod xi;

pub use beside::{Beside, Mover};
pub use ctl::{CtlOutcome, CtlSearch};
pub use encoding::{Bit, Encoding, Field, Order, Side};
pub use fair::{FairCycles, FairOutcome};
pub use generators::unchecked_generators;
pub use log::{Iteration, Kind, Summary};
pub use model::Model;
pub use observer::Observer;
pub use options::{CtlModel, Generators, SymbolicOptions, Unsupported};
pub use reach::{Asked, Found, Phase, Question, Reach, ReachStop, deadlocked, violations};
pub use recorder::{Diagrams, Recorder, Start};
pub use relation::Part;
pub(crate) use safety::is_wrong;
pub use safety::{Safety, is_safety};
pub use xi::{create_xi, orbit_to_xi};
