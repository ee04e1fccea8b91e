//! The commands, one module each.

mod check;
mod fmt;
mod graph;
mod link;
mod quotient;
mod symmetry;

use crate::args::Command;
use crate::failure::{Failure, Status};

/// Executes a command.
pub(crate) fn execute(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Check(args) => check::check(&args),
        Command::Graph(args) => graph::graph(&args),
        Command::Fmt(args) => fmt::fmt(&args),
        Command::Trace(_) => Err(not_yet("`orbitscope trace`")),
        Command::Symmetry(args) => symmetry::symmetry(&args),
        Command::Export(_) => Err(not_yet("`orbitscope export`")),
        Command::Link(args) => link::link(&args),
    }
}

fn not_yet(what: &str) -> Failure {
    Failure::NotYet(what.into())
}
