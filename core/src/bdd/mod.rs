//! Reduced ordered binary decision diagrams: one table of nodes, so that equal functions are one node.
//!
//! R. E. Bryant: Graph-based algorithms for Boolean function manipulation, IEEE Trans. Computers 35(8), 1986. The table
//! and its cache are laid out as K. S. Brace, R. L. Rudell, R. E. Bryant describe: Efficient implementation of a BDD
//! package, DAC 1990.
//!
//! Why not a library: of those that run in a browser none permutes variables freely, which is what a symmetry does.
//!
//! Recursion is as deep as the number of variables, which [`MAX_VARIABLES`] bounds. Nothing is freed until [`Manager::collect`]
//! is called; what must outlive that is protected.

mod compose;
mod count;
mod graph;
mod quantify;
mod restrict;
mod subset;
mod table;

pub use compose::Substitution;
pub use graph::{BddGraph, GraphNode};
pub use table::{Bdd, MAX_VARIABLES, Manager, Mark, Variable};
