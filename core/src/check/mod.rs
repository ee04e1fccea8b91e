//! Checking a property end to end: from a property of the model to a verdict, its statistics, and a run that shows a
//! violation.
//!
//! A [`Check`] answers one property, a [`Survey`] everything that one pass over the states can tell: deadlocks, and
//! the invariants that need no processes told apart. Both are state machines: whoever has a clock calls `step` in slices,
//! and may stop at any time with what has been found so far.
//!
//! # Invariants
//!
//! An engine refuses what it cannot honour when it is built. A run or path that does not replay is an internal error: the
//! verdict is then unknown, never violated. The older and the plain method build their product whole, the plain one from an
//! `Exploration` that its searches share. Their runs are walked by the same code as those of the on-the-fly search
//! (`search::lasso::Ground`), and replayed by other code.

mod branching;
mod breadth_first;
mod lines;
mod making;
mod options;
mod order;
mod outcome;
mod plan;
mod report;
mod run;
mod stepping;
mod survey;
mod symbolic;
mod target;
mod task;
mod work;

pub use breadth_first::{BreadthFirst, path_to};
pub use lines::{Line, LineStyle, lasso_lines, ledger_lines, path_lines, step_lines};
pub use options::{Engine, Options, Refusal};
pub use order::{DeadlocksTurn, Order};
pub use outcome::{Cost, Found, Halt, Outcome, PassReport, Question, SO_FAR, told};
pub use plan::{Plan, Step};
pub use report::{
    Branching, Counterexample, FaultReport, Faulty, Instance, PartReport, Progress, Report, RunNote, Stats,
    Unknown, Verdict,
};
pub use run::Check;
pub use stepping::Stepping;
pub use survey::Survey;
pub use target::{CheckError, Target};
pub use task::{Done, Pass, Task};
