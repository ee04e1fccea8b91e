//! The annotated quotient structure: one representative per orbit of states, edges with their permutations.
//!
//! After Gyuris & Sistla, "On-the-Fly Model Checking under Fairness that Exploits Symmetry" (1999), sections 2.3, 3.1,
//! 4.3 and 4.4. An edge `s —(π, i)→ t` says: process i executes in the representative s, and the true successor is
//! π·t, with t its representative.

mod aqs;
mod aqsi;
mod changed;
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
