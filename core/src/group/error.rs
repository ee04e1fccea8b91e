//! Errors of given points, permutations and groups, as data.

use super::Process;
use crate::error::{Classified, ErrorKind};
use core::fmt;

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

impl fmt::Display for PermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PermError::Repeated(p) => write!(f, "the point {} stands twice", p.0),
            PermError::NoImage(p) => write!(f, "the point {} has no image", p.0),
        }
    }
}

impl core::error::Error for PermError {}

impl Classified for PermError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Model
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupError::Repeated(p) => write!(f, "the point {} stands twice", p.0),
            GroupError::OutOfRange(p) => write!(f, "there is no point {}", p.0),
            GroupError::Effort => f.write_str("the group needs more effort than was allowed"),
        }
    }
}

impl core::error::Error for GroupError {}

impl Classified for GroupError {
    fn kind(&self) -> ErrorKind {
        match self {
            GroupError::Repeated(_) | GroupError::OutOfRange(_) => ErrorKind::Model,
            GroupError::Effort => ErrorKind::Limit,
        }
    }
}
