//! The wheel for Python: made by maturin, and used as its users do, in a virtual environment of its own and in a notebook.

use crate::doors::{EPOCH, LICENCES, clear, copy, failed};
use crate::process::{self, run};
use crate::workspace::{dist, root, target};
use crate::{install, inventory};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files of the site that the widget does without: it has no gallery, is not installed, and works offline anyway.
const LEFT_OUT: [&str; 6] =
    ["models", "sw.js", "manifest.webmanifest", "icon-192.png", "icon-512.png", "THIRD-PARTY.txt"];

/// `cargo xtask wheel`: the wheel for Python, with the page of `dist/` in it. Returns the file.
pub(crate) fn wheel(profile: &str) -> Result<PathBuf, String> {
    let tools = environment()?;
    let folder = root().join("python");
    page(&folder.join("orbitscope/page"))?;
    for licence in LICENCES {
        copy(&root().join(licence), &folder.join(licence))?;
    }
    inventory::licences(&folder.join("THIRD-PARTY.txt"), &["orbitscope-py", "orbitscope-web"])?;
    let made = target().join("python/wheels");
    clear(&made)?;
    let mut build = with_path(Command::new(tools.join(format!("maturin{EXE_SUFFIX}"))), &tools)?;
    build.env("SOURCE_DATE_EPOCH", EPOCH);
    build.args(["build", "--locked", "--profile", profile, "--target-dir"]).arg(target());
    run(build.arg("--out").arg(&made).current_dir(&folder))?;
    let files = made.read_dir().map_err(|error| failed(&made, &error))?;
    let mut files = files.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| file.extension().is_some_and(|end| end == "whl")).ok_or("maturin made no wheel".into())
}

/// The files of the page that the widget shows.
fn page(to: &Path) -> Result<(), String> {
    let site = dist();
    if !site.join("index.html").is_file() {
        return Err("there is no site in dist/: run `cargo xtask build` first".into());
    }
    clear(to)?;
    for entry in site.read_dir().map_err(|error| failed(&site, &error))? {
        let file = entry.map_err(|error| failed(&site, &error))?.path();
        let name = file.file_name().unwrap_or_default();
        if !LEFT_OUT.iter().any(|left_out| name == *left_out) {
            copy(&file, &to.join(name))?;
        }
    }
    Ok(())
}

/// The programs of a virtual environment that has what `python/requirements.txt` names: maturin, Jupyter, and the libraries that
/// take answers over.
fn environment() -> Result<PathBuf, String> {
    let folder = target().join("python/venv");
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let list = root().join("python/requirements.txt");
    let wanted = fs::read(&list).map_err(|error| failed(&list, &error))?;
    // Written after a complete installation only: an interrupted one is done again.
    let stamp = folder.join("installed.txt");
    if fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        println!("Installing the packages of Python: usually a minute ...");
        clear(&folder)?;
        run(Command::new(install::python()?).args(["-m", "venv"]).arg(&folder))
            .map_err(|error| format!("{error}\nOn Debian the package python3-venv is needed."))?;
        let mut pip = Command::new(programs.join(format!("python{EXE_SUFFIX}")));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
            .arg(&list);
        run(&mut pip).map_err(|error| format!("{error}\nIs there a connection to PyPI?"))?;
        fs::write(&stamp, wanted).map_err(|error| failed(&stamp, &error))?;
    }
    Ok(programs)
}

/// A command that finds the programs of the environment before all others.
fn with_path(mut command: Command, programs: &Path) -> Result<Command, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(programs.to_path_buf()).chain(std::env::split_paths(&path));
    let path: OsString = std::env::join_paths(all).map_err(|error| error.to_string())?;
    command.env("PATH", path).env_remove("PYTHONPATH").env_remove("PYTHONHOME");
    if let Some(folder) = programs.parent() {
        command.env("VIRTUAL_ENV", folder);
    }
    Ok(command)
}

/// Installs a wheel into the environment, and says which Python has it.
pub(crate) fn install(wheel: &Path) -> Result<PathBuf, String> {
    let python = environment()?.join(format!("python{EXE_SUFFIX}"));
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
    run(pip.arg("--force-reinstall").arg(wheel))?;
    Ok(python)
}

/// The step `wheel`: it is built, installed, and used by a program, in a notebook, and as a widget in a browser.
pub(crate) fn test(browser: &install::Browser) -> Result<(), String> {
    // The other tests build this crate without what it is made of.
    let mut lint = process::cargo();
    lint.args(["clippy", "--locked", "--package", "orbitscope-py", "--features", "extension"]);
    run(lint.args(["--profile", "quick", "--", "--deny", "warnings"]))?;
    // Little optimised: it is asked for a second's work.
    let python = install(&wheel("quick")?)?;
    let programs = environment()?;
    let tests = root().join("python/tests");
    // From another folder than the sources': what the wheel does not have cannot be imported.
    let mut unittest = with_path(Command::new(&python), &programs)?;
    run(unittest.args(["-W", "error::ResourceWarning", "-m", "unittest", "--buffer"]).current_dir(&tests))?;
    let (node, _) = install::node()?;
    let mut widget = with_path(Command::new(node), &programs)?;
    widget.args(["--test", "--test-reporter=spec"]).arg(tests.join("widget.test.mjs")).current_dir(root());
    run(widget.env("CHROMIUM", &browser.chromium).env("PYTHON", python))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test that finds a package which nobody pinned fails on another day.
    #[test]
    fn every_package_of_python_has_its_version() {
        let list = fs::read_to_string(root().join("python/requirements.txt")).unwrap();
        let packages: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
        for line in &packages {
            assert!(line.split_once("==").is_some_and(|(_, version)| !version.is_empty()), "{line}");
        }
        for name in ["maturin", "jupyterlab", "anywidget", "nbclient", "networkx", "pandas"] {
            assert!(packages.iter().any(|line| line.starts_with(&format!("{name}=="))), "{name}");
        }
    }
}
