//! Permutations of processes.

crate::define_id!(
    /// A process: a point that permutations move.
    Process
);
