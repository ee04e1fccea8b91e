//! `cargo xtask soak`: all engines on random programs, for as long as one likes.

use crate::process::{cargo, run};

/// The pairs of program and property where none is given.
pub(crate) const DEFAULT_PAIRS: u64 = 100_000;

/// The options of `soak`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SoakOptions {
    pub(crate) pairs: u64,
    pub(crate) seed: u64,
}

/// Runs the test that asks all engines, and prints the table of what they went through.
pub(crate) fn soak_command(options: &SoakOptions) -> Result<(), String> {
    run(cargo()
        .args(["test", "--locked", "--package", "orbitscope-core", "--test", "suite"])
        .args(["soak::", "--", "--nocapture", "--include-ignored"])
        .env("ORBITSCOPE_PAIRS", options.pairs.to_string())
        .env("ORBITSCOPE_SEED", options.seed.to_string()))
}
