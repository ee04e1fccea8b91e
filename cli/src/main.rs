//! The command line of Orbitscope: models in, verdicts and pictures out.

mod args;
mod colour;
mod commands;
mod failure;
mod internal;
mod interrupt;
mod json;
mod memory;
mod model;
mod output;
mod reports;
mod run;
mod text;

use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    colour::choose(arguments.color);
    internal::install();
    interrupt::install();
    let done = internal::guarded(|| commands::execute(arguments.command));
    match done.unwrap_or_else(|what| Err(Failure::Internal(what))) {
        Ok(status) => status.into(),
        Err(failure) => {
            output::message(&failure.to_string());
            failure.status().into()
        }
    }
}
