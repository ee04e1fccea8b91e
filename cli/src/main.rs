//! The command line of Orbitscope: models in, verdicts and pictures out.

mod args;
mod commands;
mod failure;
mod json;
mod model;
mod output;
mod run;
mod text;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    match commands::execute(arguments.command) {
        Ok(status) => status.into(),
        Err(failure) => {
            output::message(&failure.to_string());
            failure.status().into()
        }
    }
}
