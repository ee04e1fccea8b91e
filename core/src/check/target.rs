//! The target of a check, and why a check cannot start.

use super::options::Refusal;
use crate::error::{Classified, ErrorKind};
use crate::program::PropertyId;
use crate::property::{HoaProperty, PropertyError};
use core::fmt;

/// The target of a check.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A property of the model.
    Property(PropertyId),
    /// An automaton from a file.
    Automaton(&'a HoaProperty),
}

/// Why a check cannot start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckError {
    /// The engine cannot do what is set.
    Refused(Refusal),
    /// The property cannot be checked.
    Property(PropertyError),
}

impl CheckError {
    /// Whose fault it is, for programs.
    pub fn kind(&self) -> ErrorKind {
        match self {
            CheckError::Refused(_) => ErrorKind::Refusal,
            CheckError::Property(error) => error.kind(),
        }
    }
}

impl From<Refusal> for CheckError {
    fn from(refusal: Refusal) -> CheckError {
        CheckError::Refused(refusal)
    }
}

impl From<PropertyError> for CheckError {
    fn from(error: PropertyError) -> CheckError {
        CheckError::Property(error)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Refused(refusal) => refusal.fmt(f),
            CheckError::Property(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CheckError {}

impl Classified for CheckError {
    fn kind(&self) -> ErrorKind {
        self.kind()
    }
}
