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
//! - Where processes change places freely but refer to each other, colours made of hashes give the canonical order of most
//!   states and their stabilisers (`colouring`). Whether two processes can be swapped is decided by their values, never by hashes.
//! - What colours cannot tell apart is searched. The elements of a small group are compared by their images, from the first
//!   value on (`elements`). Canonical forms and stabilisers are remembered within a bound (`memo`, over `cache`); a verdict
//!   must not depend on what is remembered.
//! - Values that no action assigns and that have one initial value are not moved: all reachable states agree on them.

mod aqs;
mod aqsi;
mod colouring;
mod elements;
mod general;
mod memo;
mod plain;
mod pruned;
mod reduction;
mod runs;
mod slots;
mod state;
mod store;
mod tracked;

pub use aqs::{Aqs, AqsEdge, AqsId, AqsStop, EdgeStorage, Prune, Root};
pub use aqsi::{Aqsi, AqsiEdge, AqsiId};
pub use pruned::Pruned;
pub use reduction::Reduction;
pub use state::{Representative, Run, Seen};
pub use tracked::tracked;
