//! How a command ends.

use crate::internal;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit status of a command that did its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Every property holds; there is nothing to complain of.
    Good = 0,
    /// Some property is violated, or a file is not formatted.
    Violated = 1,
    /// The input is wrong, or not everything that was asked could be answered.
    Wrong = 2,
    /// A limit was reached, or the check was stopped.
    Limit = 3,
    /// This program has an error.
    Internal = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command could not do its work. Its words are complete: they are all that is printed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong; the messages say where and why.
    Input(String),
    /// The input needs more than the limits allow.
    TooLarge(String),
    /// Standard output does not take what is printed.
    Output(io::Error),
    /// This program has an error, which is none of the input.
    Internal(String),
}

impl Failure {
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Input(_) | Failure::Output(_) => Status::Wrong,
            Failure::TooLarge(_) => Status::Limit,
            Failure::Internal(_) => Status::Internal,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(messages) => f.write_str(messages),
            Failure::TooLarge(messages) => {
                write!(
                    f,
                    "{messages}\norbitscope: the limit of memory was reached before the first state; 0 states"
                )
            }
            Failure::Internal(what) => f.write_str(&internal::report(what, None)),
            Failure::Output(error) => write!(f, "orbitscope: cannot write to standard output: {error}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
