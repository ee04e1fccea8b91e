//! Permutations of processes, partitions of processes, and permutation groups.
//!
//! Products of permutations are written as functions: (π∘ρ)(i) = π(ρ(i)).
//!
//! Everything is stored in the size of what it says, not of the number of processes: a [`Perm`] in the
//! points it moves, a [`Partition`] in the runs of neighbours that share a class, a [`PointSet`] in its
//! intervals. A [`Group`] is a direct product of [`Factor`]s; symmetric groups and those of rings answer
//! by formula, all others by a stabiliser [`Chain`].

mod chain;
mod error;
mod factor;
mod forest;
mod order;
mod partition;
mod perm;
mod points;
mod product;
mod recognise;
mod ring;
mod schreier;

pub use chain::Chain;
pub use error::{GroupError, PermError};
pub use factor::Factor;
pub use order::Order;
pub use partition::Partition;
pub use perm::Perm;
pub use points::PointSet;
pub use product::Group;
pub use ring::Ring;

crate::define_id!(
    /// A process: a point that permutations move.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    Process
);
