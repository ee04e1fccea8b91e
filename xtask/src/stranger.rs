//! A stranger's first program: from an empty folder, a new crate that depends on `orbitscope-core` checks the resource
//! controller, and prints the run that starves a client and why that run is fair. It may take 15 lines.
//!
//! The core that it depends on is the one that would be published: the crates are packaged first.

use crate::dist::CRATES;
use crate::process;
use crate::workspace::{root, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = include_str!("../stranger/main.rs");
const MOST_LINES: usize = 15;

/// Makes the crate in the build folder, runs it and reads what it prints.
pub(crate) fn stranger() -> Result<(), String> {
    let lines = PROGRAM.lines().count();
    if lines > MOST_LINES {
        return Err(format!("the stranger's program has {lines} lines, and may have {MOST_LINES}"));
    }
    let folder = target().join("stranger");
    let failed = |error: std::io::Error| format!("{} cannot be written: {error}", folder.display());
    fs::create_dir_all(folder.join("src")).map_err(failed)?;
    let core = packaged(&folder.join("packages"))?;
    fs::write(folder.join("Cargo.toml"), manifest(&core)).map_err(failed)?;
    fs::write(folder.join("src/main.rs"), PROGRAM).map_err(failed)?;
    // The same versions as ours, so that nothing is fetched anew.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(failed)?;
    let mut run = process::cargo();
    run.args(["run", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let printed = process::output(&mut run).ok_or("the stranger's program does not build or run")?;
    for words in ["repeat for ever:", "why this is fair:", "client[0]"] {
        if !printed.contains(words) {
            return Err(format!("the stranger's program does not print `{words}`, but:\n{printed}"));
        }
    }
    println!("{printed}\n({lines} lines of Rust)");
    Ok(())
}

/// Packages what is published, in one go, so that each finds the ones before it. Returns the core as it would arrive.
fn packaged(folder: &Path) -> Result<PathBuf, String> {
    let mut package = process::cargo();
    // The stranger builds the core from its package: that verifies it. Changes that are not committed are tested too.
    package.args(["package", "--quiet", "--offline", "--allow-dirty", "--no-verify"]);
    for name in CRATES {
        package.args(["--package", name]);
    }
    process::run(package.arg("--target-dir").arg(folder))?;
    let made = folder.join("package");
    let version = env!("CARGO_PKG_VERSION");
    process::run(
        Command::new("tar")
            .arg("-xzf")
            .arg(made.join(format!("orbitscope-core-{version}.crate")))
            .arg("-C")
            .arg(&made),
    )?;
    Ok(made.join(format!("orbitscope-core-{version}")))
}

fn manifest(core: &Path) -> String {
    format!(
        "[package]\nname = \"stranger\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\norbitscope-core = {{ path = {:?} }}\n\n[workspace]\n",
        core.display().to_string()
    )
}
