//! `cargo xtask bench`: this project and every peer that is there on the same programs, in turn, in one run.
//!
//! The figures compare the processor time of whole processes on one thread, the best of several rounds in which the
//! tools take turns: a machine that has other work to do slows all of them alike.

mod browser;
mod jobs;
mod peers;
mod plot;
mod report;

use crate::process::{cargo, run};
use crate::{install, workspace};
use peers::Tools;
use std::fs;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    /// One round instead of three, and no job that takes a peer more than a few seconds.
    pub(crate) quick: bool,
}

/// Runs everything, and writes BENCHMARKS.md and its picture.
pub(crate) fn bench_command(options: BenchOptions) -> Result<(), String> {
    println!("Building the command line: usually 3 minutes ...");
    run(cargo().args(["build", "--release", "--locked", "--package", "orbitscope-cli"]))?;
    if let Err(message) = install::spin() {
        println!("{message}\nSpin is left out.");
    }
    if let Err(message) = install::rumur() {
        println!("{message}\nRumur is left out.");
    }
    let tools = Tools::find()?;
    let results = jobs::run_all(&tools, options)?;
    let root = workspace::root();
    let write = |name: &str, text: String| {
        fs::write(root.join(name), text).map_err(|error| format!("{name} cannot be written: {error}"))
    };
    write("docs/images/benchmarks.svg", plot::draw(&results))?;
    write("BENCHMARKS.md", report::markdown(&tools, &results, options))?;
    println!("\nBENCHMARKS.md and docs/images/benchmarks.svg are written.");
    Ok(())
}
