//! Reduced ordered binary decision diagrams: one table of nodes, so that equal functions are one node.
//!
//! R. E. Bryant: Graph-based algorithms for Boolean function manipulation, IEEE Trans. Computers 35(8), 1986. The table
//! and its cache are laid out as K. S. Brace, R. L. Rudell, R. E. Bryant describe: Efficient implementation of a BDD
//! package, DAC 1990.
//!
//! Why not a library: of those that run in a browser none permutes variables freely, which is what a symmetry does.
//!
//! Recursion is as deep as the number of variables, which [`MAX_BDD_VARIABLES`](crate::limits::MAX_BDD_VARIABLES) bounds.
//!
//! Two layers keep nodes from being freed while they are in use. Operations work on bare nodes in the `Table`, which frees
//! none while one is under way. What they are given and what they give back are handles, [`Bdd`]: the [`Manager`] frees what no
//! handle needs, between operations, when it thinks fit. There is nothing to protect and nothing to release.
//!
//! Past the limit of nodes every result is meaningless and the manager says so; callers ask once a step. With
//! `Collect::Always` the manager collects before every operation, which the tests use. A handle of another manager is
//! refused.

mod compose;
mod count;
mod cover;
mod graph;
mod handle;
mod manager;
mod quantify;
mod restrict;
mod subset;
mod table;

pub use compose::Substitution;
pub use graph::{BddGraph, GraphNode};
pub use handle::Bdd;
pub use manager::{Budget, Collect, Manager};
pub use table::Variable;
