//! Searching the product for a fair component that the automaton accepts.

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
mod threaded;
mod whole;

pub(crate) use component::fair_component_on;
pub use component::{Component, fair_component};
pub use event::{Command, Event, Stop};
pub use explicit::{Explicit, ExplicitSearch, explicit};
pub(crate) use ground::Ground;
pub use lasso::{Lasso, LassoStep, RunStep, hurried_lasso_of, lasso_of};
pub(crate) use lasso::{LassoMaker, is_claimed, lasso_on, step_between, turned_arguments};
pub use onthefly::{Frame, Outcome, Search, Visit};
pub use replay::{LassoFault, Ledger, replay, replay_path};
pub(crate) use replay::{Replay, is_initial, letter, offer};
pub use threaded::{Threaded, ThreadedNode, ThreadedSearch, threaded};
pub use whole::WholeOutcome;
