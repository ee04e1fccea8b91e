//! `cargo xtask fuzz`: the fuzz targets, each for some minutes.

use crate::args::FuzzOptions;
use crate::process::{self, run};
use crate::workspace;
use std::fs;
use std::process::Command;

/// The fuzz targets; `fuzz/fuzz_targets` has one file for each.
pub(crate) const TARGETS: [&str; 5] = ["parser", "link", "hoa", "log", "check"];

/// Runs the named targets, or all, one after the other. What a target finds is left in `fuzz/artifacts`; saved in
/// `fuzz/regressions/TARGET` it is tried by every `cargo xtask test`.
pub(crate) fn fuzz_command(options: &FuzzOptions) -> Result<(), String> {
    nightly()?;
    cargo_fuzz()?;
    let folder = workspace::root().join("fuzz");
    for target in &options.targets {
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        println!("\nFuzzing {target} for {} minutes ...", options.minutes);
        // Findings go into the first folder; the others are read.
        let mut command = Command::new("cargo");
        command.current_dir(workspace::root());
        command.args(["+nightly", "fuzz", "run", target]).arg(&corpus).arg(folder.join("seeds").join(target));
        let known = folder.join("regressions").join(target);
        if known.is_dir() {
            command.arg(known);
        }
        command.args(["--", "-timeout=20", "-rss_limit_mb=2048", "-max_len=2000"]);
        command.arg(format!("-max_total_time={}", options.minutes * 60));
        run(&mut command).map_err(|error| {
            format!("{error}\nWhat {target} found is in fuzz/artifacts/{target}: mend it, and save it in fuzz/regressions/{target}")
        })?;
    }
    Ok(())
}

/// The driver of the fuzzers, where cargo keeps such programs.
fn cargo_fuzz() -> Result<(), String> {
    if process::find(&["cargo-fuzz"]).is_some() {
        return Ok(());
    }
    println!("Installing cargo-fuzz: usually two minutes, once ...");
    run(process::cargo().args(["install", "cargo-fuzz", "--locked"]))
}

/// The fuzzers' instrumentation is in nightly compilers only.
fn nightly() -> Result<(), String> {
    let known = process::output(Command::new("rustup").args(["toolchain", "list"]))
        .ok_or("rustup does not run: install Rust with rustup")?;
    if known.lines().any(|line| line.starts_with("nightly")) {
        return Ok(());
    }
    println!("Installing a nightly compiler: usually a minute, once ...");
    run(Command::new("rustup").args(["toolchain", "install", "nightly", "--profile", "minimal"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_file_and_its_seeds() {
        let folder = workspace::root().join("fuzz");
        let names = |of: &str| {
            let entries = fs::read_dir(folder.join(of)).expect("the folder is there");
            let name = |path: std::path::PathBuf| path.file_stem().map(|s| s.to_string_lossy().into_owned());
            let mut names: Vec<String> = entries.filter_map(|entry| name(entry.ok()?.path())).collect();
            names.sort();
            names
        };
        let mut targets = TARGETS.map(String::from);
        targets.sort();
        assert_eq!(names("fuzz_targets"), targets);
        assert_eq!(names("seeds"), targets);
    }
}
