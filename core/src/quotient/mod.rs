//! The annotated quotient structure: one representative per orbit of states, edges with their permutations.
//!
//! After Gyuris & Sistla, "On-the-Fly Model Checking under Fairness that Exploits Symmetry" (1999), sections 2.3, 3.1,
//! 4.3 and 4.4. An edge `s —(π, i)→ t` says: process i executes in the representative s, and the true successor is
//! π·t, with t its representative.
//!
//! # Invariants
//!
//! - Unfolding the quotient by the group gives the program back, state for state and edge for edge. Where an orbit gets
//!   several representatives (a large group without a cheap canonical image), only size is lost.
//! - Where all factors are plain, a state is counts. A plain process's local state is everything that is said of it alone
//!   (`plain`): its own variables, its entries in tables that have the family for their one index, and a bit for each
//!   variable that holds it and does not move. `slots` knows where each slot of a plain state is.
//! - Where processes change places freely but refer to each other, they are sorted by what is said of each alone, and cells
//!   of like ones are cut by which cells they refer to (`colouring`). Most states get their canonical order and their stabiliser
//!   so. Whether two processes can be swapped is decided by their values, never by hashes.
//! - On a ring a state is a word and its orbit a necklace: the greatest rotation is found in linear time (`necklace`).
//! - What neither tells is searched. The elements of another small group are compared by their images, from the first value on
//!   (`elements`). Canonical forms and stabilisers are remembered within a bound (`memo`, over `cache`); a verdict must not
//!   depend on what is remembered.
//! - The edges of a state that only the identity fixes do not depend on where the tracked processes are: they are made once for
//!   all of these places (`outgoing`).
//! - A census may have fewer processes than its program has room for, and *many* in a local state (`crowd`): it is read and
//!   stepped by the same code.
//! - Values that no action assigns and that have one initial value are not moved: all reachable states agree on them.

mod aqs;
mod aqsi;
mod changed;
mod colouring;
mod crowd;
mod elements;
mod general;
mod memo;
mod necklace;
mod outgoing;
mod plain;
mod pruned;
mod reduction;
mod runs;
mod slots;
mod state;
mod steps;
mod store;
mod successors;
mod tracked;

pub use aqs::{Aqs, AqsEdge, AqsId, EdgeStorage, Prune, Root};
pub use aqsi::{Aqsi, AqsiEdge, AqsiId};
pub use crowd::{Census, Crowd, CrowdFault, CrowdMove, CrowdStep, Doer, MANY};
pub use pruned::Pruned;
pub use reduction::Reduction;
pub use state::{Representative, Run, Seen};
pub use tracked::tracked;
