//! Searching the product for a fair component that the automaton accepts.
//!
//! # Invariants
//!
//! - The search's events are one closed enum whose payloads are ids. A step that fails changes nothing.
//! - A `Recorder` turns events into a `Log`, from which alone `Snapshot` and `Player` rebuild the search at any step.
//!   Replaying assigns what the log says and computes nothing, so it cannot disagree with the search about the algorithm. A
//!   log that is read from outside is checked once, as a whole; after that no id in it can be out of range.
//! - π_u is one element of a coset: whatever fixes u may go before it. The search takes the element that moves fewest
//!   processes (`Group::shortest_of_coset`), so permutations and partitions have the size of what differs between the
//!   program's state and the representative, not of the depth. The same is done along a run.
//! - Nothing here costs the number of processes for a node, an edge or a step. What does so once for an answer: the initial
//!   state, the state where a loop begins, the ledger.
//! - A reported run is replayed by code that shares nothing with the search, on plain states, in the program's own process
//!   numbers. Under claimed symmetries, which may take a step to one of another action, the steps of a run are named by
//!   looking for them.
//! - Everything computed after a violation is in hand is stepped and bounded by what the search has found; what only makes a
//!   run shorter costs less than the search did. A component keeps where its edges lead (`graph`), so that ways through it
//!   are found without making edges again. Whoever waits no longer hurries the run: it then goes along the search's own
//!   tree, whose parents are stored, and is longer. Whoever stops it keeps the violation.
//! - A search for an answer alone is thrifty: at nodes whose automaton state lies on no accepting loop it gathers no
//!   permutations and partitions. A search that is recorded gathers them everywhere, as the paper does.

mod component;
mod event;
mod explicit;
mod graph;
mod ground;
mod home;
mod lasso;
pub mod log;
mod onthefly;
mod replay;
mod route;
mod stem;
mod threaded;
mod whole;

pub(crate) use component::fair_component_on;
pub use component::{Component, fair_component};
pub use event::{Command, Event, Stop};
pub use explicit::{Explicit, ExplicitNode, ExplicitSearch, explicit};
pub(crate) use ground::Ground;
pub use lasso::{Lasso, LassoStep, RunStep, hurried_lasso_of, lasso_of};
pub(crate) use lasso::{LassoMaker, is_claimed, lasso_on, step_between, turned_arguments};
pub use onthefly::{Frame, Outcome, Search, Visit};
pub use replay::{LassoFault, Ledger, replay, replay_path};
pub(crate) use replay::{Replay, is_deadlock, is_initial, letter, offer};
pub(crate) use stem::Trace;
pub use threaded::{Threaded, ThreadedNode, ThreadedSearch, threaded};
pub use whole::{WholeOutcome, WholeSearch};
