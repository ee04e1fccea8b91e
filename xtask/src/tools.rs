//! Cargo-installed tools in a per-user cache, one folder a version, so that a second clone finds them.

use crate::process::{self, run};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The one version of trunk that is used: later ones need a newer compiler.
const TRUNK_VERSION: &str = "0.21.14";

/// A tool that `cargo install` builds.
pub(crate) struct Tool {
    package: &'static str,
    /// The program whose `--version` tells the version.
    program: &'static str,
    version: String,
    locked: bool,
    usual_time: &'static str,
}

impl Tool {
    /// The bundler of the page.
    pub(crate) fn trunk() -> Tool {
        Tool {
            package: "trunk",
            program: "trunk",
            version: TRUNK_VERSION.into(),
            locked: true,
            usual_time: "8 minutes",
        }
    }

    /// The wasm-bindgen command line in the version of the crate, which must match exactly.
    pub(crate) fn wasm_bindgen() -> Result<Tool, String> {
        let file = crate::workspace::root().join("Cargo.lock");
        let lock = fs::read_to_string(file).map_err(|error| format!("Cargo.lock cannot be read: {error}"))?;
        Ok(Tool {
            package: "wasm-bindgen-cli",
            program: "wasm-bindgen",
            version: crate::lockfile::locked_version(&lock, "wasm-bindgen")?,
            // Its own lock file asks for a dependency that has left the registry.
            locked: false,
            usual_time: "3 minutes",
        })
    }

    /// The folder with the tool's programs, after installing them if need be.
    pub(crate) fn ensure(&self) -> Result<PathBuf, String> {
        if let Some(program) = process::find(&[self.program])
            && self.is_right_version(&program)
        {
            return Ok(program.parent().expect("a program is in a folder").to_owned());
        }
        let cache = cache_folder(|name| env::var_os(name))?;
        let home = cache.join(self.folder_name());
        if !self.is_in(&home) {
            self.install(&cache, &home)?;
        }
        Ok(home.join("bin"))
    }

    fn folder_name(&self) -> String {
        format!("{}-{}", self.package, self.version)
    }

    fn is_in(&self, home: &Path) -> bool {
        let program = home.join("bin").join(format!("{}{}", self.program, env::consts::EXE_SUFFIX));
        self.is_right_version(&program)
    }

    fn is_right_version(&self, program: &Path) -> bool {
        process::output(Command::new(program).arg("--version"))
            .is_some_and(|text| text.split_whitespace().nth(1) == Some(&*self.version))
    }

    /// Installs beside the final place and moves there when complete: an interrupted build leaves nothing
    /// that could be taken for a tool. A lock makes a second process wait instead of building the same.
    fn install(&self, cache: &Path, home: &Path) -> Result<(), String> {
        let name = self.folder_name();
        let fail = |what: &str, error: std::io::Error| format!("{what} in {}: {error}", cache.display());
        fs::create_dir_all(cache).map_err(|error| fail("cannot create the tool cache", error))?;
        let lock =
            File::create(cache.join(format!("{name}.lock"))).map_err(|error| fail("cannot lock", error))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            println!("Waiting for another process that is installing {name} ...");
            lock.lock().map_err(|error| fail("cannot lock", error))?;
            if self.is_in(home) {
                return Ok(());
            }
        }
        println!("Installing {} {}: usually {}, once ...", self.package, self.version, self.usual_time);
        let partial = cache.join(format!("{name}.partial"));
        run(&mut self.install_command(&partial)).map_err(|error| {
            format!(
                "{error}\n{} could not be installed: is there a connection to the registry?",
                self.package
            )
        })?;
        if home.exists() {
            fs::remove_dir_all(home).map_err(|error| fail("cannot replace an incomplete tool", error))?;
        }
        fs::rename(&partial, home).map_err(|error| fail("cannot move the finished tool", error))?;
        if self.is_in(home) { Ok(()) } else { Err(format!("{name} was installed, but does not run")) }
    }

    fn install_command(&self, root: &Path) -> Command {
        let mut command = process::cargo();
        command.args(["install", self.package, "--version", &self.version, "--force", "--root"]).arg(root);
        if self.locked {
            command.arg("--locked");
        }
        command
    }
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

/// The PATH with `folders` in front.
pub(crate) fn path_with(folders: &[PathBuf]) -> OsString {
    let old = env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().cloned().chain(env::split_paths(&old));
    env::join_paths(folders).expect("tool folders have no separator in their names")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_version_has_a_folder_of_its_own() {
        assert_eq!(Tool::trunk().folder_name(), format!("trunk-{TRUNK_VERSION}"));
    }

    #[test]
    fn an_empty_or_foreign_folder_is_not_a_tool() {
        assert!(!Tool::trunk().is_in(Path::new("/nowhere")));
        // A program that runs, but has another version: cargo itself.
        assert!(!Tool::trunk().is_right_version(Path::new(process::cargo().get_program())));
    }

    #[test]
    fn tool_folders_come_first_on_the_path() {
        let path = path_with(&["/tools/a".into(), "/tools/b".into()]);
        let folders: Vec<_> = env::split_paths(&path).take(2).collect();
        assert_eq!(folders, [PathBuf::from("/tools/a"), PathBuf::from("/tools/b")]);
    }
}
