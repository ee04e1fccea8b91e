//! Installs what the commands need from the machine: Rust targets, a browser and Node.

use crate::process::{self, run};
use crate::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The target of the page.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// A target without `std`.
pub(crate) const BARE_METAL: &str = "thumbv7m-none-eabi";

/// Adds the targets that this toolchain lacks.
pub(crate) fn rust_targets(targets: &[&str]) -> Result<(), String> {
    let sysroot =
        process::output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(workspace::root()));
    let libraries =
        Path::new(&sysroot.ok_or("rustc does not run: install Rust with rustup")?).join("lib/rustlib");
    for target in targets {
        if !libraries.join(target).join("lib").is_dir() {
            println!("Adding the Rust target {target}: usually a few seconds ...");
            run(Command::new("rustup").args(["target", "add", target]).current_dir(workspace::root()))
                .map_err(|error| format!("{error}\nThe Rust target {target} is needed."))?;
        }
    }
    Ok(())
}

/// A browser and its driver.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds Chromium and its driver, or installs them where that is possible.
pub(crate) fn browser() -> Result<Browser, String> {
    const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome"];
    Ok(Browser {
        chromium: program("CHROMIUM", CHROMIUM, "chromium", "Chromium (or Chrome)")?,
        driver: program(
            "CHROMEDRIVER",
            &["chromedriver"],
            "chromium-driver",
            "chromedriver, of the browser's version",
        )?,
    })
}

/// Finds Node and npm, or installs them, and then the end-to-end tests' packages.
pub(crate) fn node() -> Result<(PathBuf, PathBuf), String> {
    let node = program("NODE", &["node", "nodejs"], "nodejs", "Node 18 or later")?;
    let npm = npm()?;
    packages(workspace::root(), "the end-to-end tests")?;
    Ok((node, npm))
}

fn npm() -> Result<PathBuf, String> {
    program("NPM", &["npm"], "npm", "npm")
}

/// Installs the packages that the lock file of a folder names, where they are not there.
pub(crate) fn packages(folder: &Path, what: &str) -> Result<(), String> {
    let lock = folder.join("package-lock.json");
    // Written after a complete installation only: an interrupted one is done again.
    let stamp = folder.join("node_modules/.installed");
    let wanted = fs::read(&lock).map_err(|error| format!("{} cannot be read: {error}", lock.display()))?;
    if fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        println!("Installing the packages of {what}: usually less than a minute ...");
        // Packages run nothing of their own while they are installed.
        let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        run(Command::new(npm()?).args(words).current_dir(folder))
            .map_err(|error| format!("{error}\nIs there a connection to the npm registry?"))?;
        fs::write(stamp, wanted).map_err(|error| format!("node_modules cannot be written: {error}"))?;
    }
    Ok(())
}

/// Finds Spin and a C compiler for the models that tests export, or installs them.
pub(crate) fn spin() -> Result<(), String> {
    program("SPIN", &["spin"], "spin", "Spin 6")?;
    program("CC", &["cc", "gcc"], "gcc", "A C compiler")?;
    Ok(())
}

/// Finds Python, or installs it.
pub(crate) fn python() -> Result<PathBuf, String> {
    program("PYTHON", &["python3", "python"], "python3-venv", "Python 3.11 or later")
}

/// Finds Rumur, which the benchmarks compare with, or installs it.
pub(crate) fn rumur() -> Result<PathBuf, String> {
    program("RUMUR", &["rumur"], "rumur", "Rumur, a checker of Murphi's language")
}

/// The program that `variable` names, or one of `names` on the PATH, or the one that `package` installs.
fn program(variable: &str, names: &[&str], package: &str, what: &str) -> Result<PathBuf, String> {
    if let Some(given) = env::var_os(variable).filter(|value| !value.is_empty()) {
        let given = PathBuf::from(given);
        return if given.is_file() {
            Ok(given)
        } else {
            Err(format!("{variable} is not a file: {}", given.display()))
        };
    }
    if let Some(found) = process::find(names) {
        return Ok(found);
    }
    if is_debian() && is_root() {
        apt_install(package)?;
    }
    process::find(names).ok_or_else(|| missing(variable, names[0], package, what))
}

fn missing(variable: &str, name: &str, package: &str, what: &str) -> String {
    format!(
        "{what} is missing: install it so that '{name}' is on the PATH (on Debian: apt-get install {package}), \
         or set {variable} to its path"
    )
}

fn apt_install(package: &str) -> Result<(), String> {
    println!("Installing {package} with apt-get: usually less than a minute ...");
    let apt = |arguments: &[&str]| {
        run(Command::new("apt-get")
            .args(["--quiet", "--yes"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"])?;
    apt(&["install", "--no-install-recommends", package])
}

fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_some_and(|id| id == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_asked_for_by_name() {
        let message = missing("CHROMEDRIVER", "chromedriver", "chromium-driver", "The browser's driver");
        assert!(message.starts_with("The browser's driver is missing"), "{message}");
        for word in ["'chromedriver'", "apt-get install chromium-driver", "set CHROMEDRIVER"] {
            assert!(message.contains(word), "{word} is not in: {message}");
        }
    }

    #[test]
    fn the_compiler_has_its_own_target() {
        let host = process::output(Command::new("rustc").args(["--print", "host-tuple"])).unwrap();
        assert_eq!(rust_targets(&[&host]), Ok(()));
    }
}
