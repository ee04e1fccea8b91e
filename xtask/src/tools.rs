//! The programs of the package `bindgen` in a per-user cache, one folder a version of its source, so that a second clone finds
//! them.

use crate::checksum::fnv64;
use crate::process::{self, run};
use crate::workspace;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of the package.
pub(crate) struct Tool {
    program: &'static str,
    feature: Option<&'static str>,
    usual_time: &'static str,
}

/// Makes of a compiled program what a browser loads.
pub(crate) const BINDGEN: Tool =
    Tool { program: "orbitscope-bindgen", feature: None, usual_time: "a minute" };
/// Runs component tests in a browser.
pub(crate) const TEST_RUNNER: Tool =
    Tool { program: "orbitscope-test-runner", feature: Some("test-runner"), usual_time: "2 minutes" };

impl Tool {
    /// The program, after installing it if need be.
    pub(crate) fn ensure(&self) -> Result<PathBuf, String> {
        let cache = cache_folder(|name| env::var_os(name))?;
        let name = format!("{}-{:016x}", self.program, source_stamp()?);
        let home = cache.join(&name);
        if !self.runs_in(&home) {
            self.install(&cache, &name, &home)?;
        }
        Ok(self.program_in(&home))
    }

    fn program_in(&self, home: &Path) -> PathBuf {
        home.join("bin").join(format!("{}{}", self.program, env::consts::EXE_SUFFIX))
    }

    fn runs_in(&self, home: &Path) -> bool {
        process::output(Command::new(self.program_in(home)).arg("--version"))
            .is_some_and(|text| text.split_whitespace().next() == Some(self.program))
    }

    /// Installs beside the final place and moves there when complete: an interrupted build leaves nothing
    /// that could be taken for a tool. A lock makes a second process wait instead of building the same.
    fn install(&self, cache: &Path, name: &str, home: &Path) -> Result<(), String> {
        let fail = |what: &str, error: std::io::Error| format!("{what} in {}: {error}", cache.display());
        fs::create_dir_all(cache).map_err(|error| fail("cannot create the tool cache", error))?;
        let lock =
            File::create(cache.join(format!("{name}.lock"))).map_err(|error| fail("cannot lock", error))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            println!("Waiting for another process that is installing {name} ...");
            lock.lock().map_err(|error| fail("cannot lock", error))?;
            if self.runs_in(home) {
                return Ok(());
            }
        }
        println!("Building {}: usually {}, once ...", self.program, self.usual_time);
        let partial = cache.join(format!("{name}.partial"));
        run(&mut self.install_command(&partial)).map_err(|error| {
            format!(
                "{error}\n{} could not be built: is there a connection to the registry of crates?",
                self.program
            )
        })?;
        if home.exists() {
            fs::remove_dir_all(home).map_err(|error| fail("cannot replace an incomplete tool", error))?;
        }
        fs::rename(&partial, home).map_err(|error| fail("cannot move the finished tool", error))?;
        if self.runs_in(home) { Ok(()) } else { Err(format!("{name} was built, but does not run")) }
    }

    fn install_command(&self, root: &Path) -> Command {
        let mut command = process::cargo();
        // Without optimisation: built in half the time, and quick enough.
        command.args(["install", "--debug", "--locked", "--force", "--bin", self.program, "--path"]);
        command.arg(source_folder()).arg("--root").arg(root);
        command.arg("--target-dir").arg(workspace::target().join("tools"));
        command.args(self.feature.iter().flat_map(|feature| ["--features", feature]));
        command
    }
}

fn source_folder() -> PathBuf {
    workspace::root().join("xtask/bindgen")
}

/// Tells the package's versions apart: whoever changes it, or its dependencies, gets new programs.
fn source_stamp() -> Result<u64, String> {
    let read = |name: &str| {
        fs::read(source_folder().join(name))
            .map_err(|error| format!("xtask/bindgen/{name} cannot be read: {error}"))
    };
    let files = ["Cargo.toml", "Cargo.lock", "src/main.rs", "src/test_runner.rs"].map(read);
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(fnv64(files.iter().map(Vec::as_slice)))
}

/// The tool cache, given the environment.
fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user_cache =
        || set("XDG_CACHE_HOME").or_else(|| Some(set("HOME").or(set("USERPROFILE"))?.join(".cache")));
    set("ORBITSCOPE_TOOLS")
        .or_else(|| Some(user_cache()?.join("orbitscope").join("tools")))
        .ok_or_else(|| "there is no home folder for the tools: set ORBITSCOPE_TOOLS to one".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockfile::locked_version;

    fn cache_with(variables: &[(&str, &str)]) -> Result<PathBuf, String> {
        cache_folder(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_cache_is_the_users_unless_told_otherwise() {
        let home = ("HOME", "/home/ada");
        assert_eq!(cache_with(&[home]), Ok("/home/ada/.cache/orbitscope/tools".into()));
        let xdg = ("XDG_CACHE_HOME", "/cache");
        assert_eq!(cache_with(&[home, xdg]), Ok("/cache/orbitscope/tools".into()));
        assert_eq!(cache_with(&[home, xdg, ("ORBITSCOPE_TOOLS", "/t")]), Ok("/t".into()));
        assert_eq!(
            cache_with(&[home, ("XDG_CACHE_HOME", "")]),
            Ok("/home/ada/.cache/orbitscope/tools".into())
        );
        assert!(cache_with(&[]).unwrap_err().contains("set ORBITSCOPE_TOOLS"));
    }

    #[test]
    fn an_empty_folder_is_not_a_tool() {
        assert!(!BINDGEN.runs_in(Path::new("/nowhere")));
    }

    /// The script that is made for a program works with the library that is in it only if both have one version.
    #[test]
    fn the_tools_have_the_version_of_the_library() {
        let lock = |folder: PathBuf| fs::read_to_string(folder.join("Cargo.lock")).unwrap();
        let library = locked_version(&lock(workspace::root().to_owned()), "wasm-bindgen").unwrap();
        for tool in ["wasm-bindgen-cli", "wasm-bindgen-cli-support"] {
            assert_eq!(locked_version(&lock(source_folder()), tool), Ok(library.clone()), "{tool}");
        }
    }

    #[test]
    fn the_stamp_is_of_the_whole_source() {
        let files = fs::read_dir(source_folder().join("src")).unwrap();
        assert_eq!(files.count(), 2, "a new file of xtask/bindgen/src belongs into the stamp");
    }
}
