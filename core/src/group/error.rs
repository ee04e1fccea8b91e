//! What can be wrong with given points, permutations and groups, as data.

use super::Process;

/// Why given points and images are no permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermError {
    /// The point stands twice: in two cycles, twice in one, or as the image of two points.
    Repeated(Process),
    /// The point is the image of another, but has no image itself.
    NoImage(Process),
}

/// Why given points or generators are no partition or no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupError {
    /// The point stands twice: in two classes or factors, or twice in a ring.
    Repeated(Process),
    /// The point is not below the degree.
    OutOfRange(Process),
    /// The stabiliser chain needs more effort than was allowed.
    Effort,
}
