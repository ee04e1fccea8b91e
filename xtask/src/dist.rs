//! `cargo xtask dist`: everything that would be published, in one folder.

use crate::doors::{LICENCES, clear, copy, copy_folder};
use crate::install;
use crate::process::{self, run};
use crate::workspace::{dist, root, target};
use crate::{doors, inventory, site, wheel};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Programs for this target need no library of the system that they run on.
const STATIC: &str = "x86_64-unknown-linux-musl";
/// Crates that can be published, each after the ones that it needs.
pub(crate) const CRATES: [&str; 5] =
    ["orbitscope-core", "orbitscope-crew", "orbitscope-murphi", "orbitscope-report", "orbitscope-cli"];

/// Where the files are put.
pub(crate) fn folder() -> PathBuf {
    target().join("publish")
}

/// Builds everything anew into an empty folder.
pub(crate) fn dist_command() -> Result<(), String> {
    let folder = folder();
    clear(&folder)?;
    println!("== the site");
    site::build()?;
    site_archive(&folder)?;
    println!("== the program, with the page in it");
    let program = program()?;
    bundle(&program, &folder)?;
    println!("== the packages for npm, for Visual Studio Code and for Python");
    for made in [doors::npm()?, doors::vsix()?, wheel::wheel("release")?] {
        take(&made, &folder)?;
    }
    println!("== the crates");
    crates(&folder)?;
    println!("== what they are made of");
    inventory::write(&folder, VERSION)?;
    checksums(&folder)?;
    tell(&folder)
}

/// The site with the licences of what it is made of.
fn site_archive(folder: &Path) -> Result<(), String> {
    let name = format!("orbitscope-{VERSION}-site");
    let inside = target().join("bundle").join(&name);
    clear(&inside)?;
    copy_folder(&dist(), &inside)?;
    for licence in LICENCES {
        copy(&root().join(licence), &inside.join(licence))?;
    }
    inventory::licences(&inside.join("THIRD-PARTY.txt"), &["orbitscope-web"])?;
    archive(&inside, &folder.join(format!("{name}.tar.gz")))
}

/// The program of this machine, or on Linux one for all of its kind.
fn program() -> Result<PathBuf, String> {
    let is_static = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    let mut build = process::cargo();
    build.args(["build", "--locked", "--release", "--package", "orbitscope-cli", "--features", "site"]);
    build.env("ORBITSCOPE_SITE", dist()).arg("--target-dir").arg(target());
    let mut made = target();
    if is_static {
        install::rust_targets(&[STATIC])?;
        build.args(["--target", STATIC]);
        made.push(STATIC);
    }
    run(&mut build)?;
    Ok(made.join("release").join(format!("orbitscope{}", std::env::consts::EXE_SUFFIX)))
}

/// The program with its completions, pages of the manual and licences, as one archive.
fn bundle(program: &Path, folder: &Path) -> Result<(), String> {
    let name = format!("orbitscope-{VERSION}-{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let inside = target().join("bundle").join(&name);
    let failed = |error: std::io::Error| format!("{}: {error}", inside.display());
    clear(&inside)?;
    for part in ["completions", "man"] {
        fs::create_dir_all(inside.join(part)).map_err(failed)?;
    }
    let file = program.file_name().unwrap_or_default();
    fs::copy(program, inside.join(file)).map_err(failed)?;
    for name in LICENCES.into_iter().chain(["README.md"]) {
        copy(&root().join(name), &inside.join(name))?;
    }
    inventory::licences(&inside.join("THIRD-PARTY.txt"), &["orbitscope-cli", "orbitscope-web"])?;
    let written = |args: &[&str], file: PathBuf| -> Result<(), String> {
        let text = process::output(Command::new(program).args(args));
        let text = text.ok_or_else(|| format!("`orbitscope {}` failed", args.join(" ")))?;
        fs::write(&file, text + "\n").map_err(failed)
    };
    for (shell, file) in [("bash", "orbitscope.bash"), ("zsh", "_orbitscope"), ("fish", "orbitscope.fish")] {
        written(&["completions", shell], inside.join("completions").join(file))?;
    }
    let root = process::output(Command::new(program).arg("man")).ok_or("`orbitscope man` failed")?;
    written(&["man"], inside.join("man/orbitscope.1"))?;
    for command in commands(&root) {
        written(&["man", &command], inside.join(format!("man/orbitscope-{command}.1")))?;
    }
    archive(&inside, &folder.join(format!("{name}.tar.gz")))
}

/// The commands that the first page of the manual lists, as it writes them: `orbitscope\-check(1)`.
fn commands(page: &str) -> Vec<String> {
    let names = page.lines().filter_map(|line| line.strip_prefix("orbitscope\\-")?.strip_suffix("(1)"));
    names.map(|name| name.replace("\\-", "-")).collect()
}

/// A folder as an archive that does not depend on when, by whom and in which order it was made.
fn archive(from: &Path, to: &Path) -> Result<(), String> {
    let parent = from.parent().unwrap_or(from);
    let name = from.file_name().unwrap_or_default();
    run(Command::new("tar")
        .args([
            "--sort=name",
            "--mtime=@0",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "--use-compress-program=gzip -n9",
        ])
        .arg("-cf")
        .arg(to)
        .arg("-C")
        .arg(parent)
        .arg(name))
}

fn crates(folder: &Path) -> Result<(), String> {
    let made = target().join("crates");
    let mut package = process::cargo();
    // The step `stranger` of the tests builds the core from its package.
    package
        .args(["package", "--locked", "--quiet", "--allow-dirty", "--no-verify", "--target-dir"])
        .arg(&made);
    for name in CRATES {
        package.args(["--package", name]);
    }
    run(&mut package)?;
    CRATES.iter().try_for_each(|name| take(&made.join(format!("package/{name}-{VERSION}.crate")), folder))
}

fn take(file: &Path, folder: &Path) -> Result<(), String> {
    let to = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, to).map(|_| ()).map_err(|error| format!("{}: {error}", file.display()))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}

fn checksums(folder: &Path) -> Result<(), String> {
    let names: Vec<_> = files(folder)?.iter().filter_map(|file| Some(file.file_name()?.to_owned())).collect();
    let tool = process::find(&["sha256sum", "gsha256sum"]).ok_or("sha256sum is not on the PATH")?;
    let sums =
        process::output(Command::new(tool).args(names).current_dir(folder)).ok_or("sha256sum failed")?;
    fs::write(folder.join("SHA256SUMS"), sums + "\n").map_err(|error| error.to_string())
}

fn tell(folder: &Path) -> Result<(), String> {
    println!("\n{}:", folder.display());
    for file in files(folder)? {
        let bytes = fs::metadata(&file).map_err(|error| error.to_string())?.len();
        println!(
            "  {:>9} kB  {}",
            bytes.div_ceil(1000),
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn the_manual_names_its_pages() {
        let page =
            ".SH SUBCOMMANDS\n.TP\norbitscope\\-check(1)\nChecks.\n.TP\norbitscope\\-two\\-words(1)\nMore.\n";
        assert_eq!(commands(page), ["check", "two-words"]);
    }
}
