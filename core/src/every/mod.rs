//! Properties for every size of a family at once: like processes are counted up to a threshold, and beyond it they are *many*.
//!
//! After the (0, 1, ∞)-counter abstraction of Pnueli, Xu and Zuck ("Liveness with (0, 1, ∞)-counter abstraction", 2002), with
//! thresholds, with fairness for each process as in Gyuris and Sistla's quotient, and with two rules that count.
//!
//! # Invariants
//!
//! - **Never a false "for every n".** Each run of each instance in question has its image in the abstract system (`system`), and no
//!   rule removes an edge that a fair run takes infinitely often. `search` applies the rules, `threads` follows a single process,
//!   `weights` has the two that count.
//! - The threshold is at least what the terms need (`fragment`): then each guard and each proposition has one value in all
//!   concrete states of an abstract one.
//! - An abstract component is never shown as a run of the program. A violation is found by an ordinary check of one instance
//!   (`procedure`), whose run is replayed.
//! - Steps are those of the counting quotient ([`crate::quotient::Crowd`]): there is one interpreter of guards.

mod attempt;
mod cover;
mod effort;
mod film;
mod fragment;
mod grown;
mod open;
mod parts;
mod procedure;
mod record;
mod report;
mod rules;
mod search;
mod system;
mod threads;
mod weights;

pub use effort::{Drive, Effort, RunToEnd};
pub use film::{Film, Image, Images};
pub use fragment::{Needs, Outside};
pub use open::{OpenParam, Opened, open};
pub use parts::{Edge, Population, Stuck};
pub use procedure::Prover;
pub use record::{Abstract, Build, Cause, Event, Link, Record, Weights};
pub use report::{Checked, Conclusion, Proof, Reason};
pub use rules::{Kept, Rule, Rules};
pub use search::{Claim, Demand, Demands, Found, Search, Subject};
pub use system::Abstraction;
