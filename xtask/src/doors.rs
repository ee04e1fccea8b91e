//! The packages for other places: the editor's extension, the package for npm. Each is made by one command, and opened by its
//! own client in the step `doors` of the tests.

use crate::install::{self, WASM};
use crate::inventory;
use crate::process::{self, run, run_quietly};
use crate::tools::BINDGEN;
use crate::workspace::{dist, root, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of everything that is published.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `cargo xtask vsix`: the extension for Visual Studio Code. Returns the file.
pub(crate) fn vsix() -> Result<PathBuf, String> {
    let (node, _) = install::node()?;
    let folder = root().join("editors/vscode");
    install::packages(&folder, "the editor's extension")?;
    // Files that the tree has elsewhere are copied, and not kept twice.
    copy(&root().join("static/icon-192.png"), &folder.join("icon.png"))?;
    for licence in LICENCES {
        copy(&root().join(licence), &folder.join(licence))?;
    }
    let file = target().join(format!("orbitscope-{VERSION}.vsix"));
    let packer = folder.join("node_modules/@vscode/vsce/vsce");
    run_quietly(
        Command::new(node)
            .arg(packer)
            .args(["package", "--no-dependencies", "--allow-missing-repository", "--out"])
            .arg(&file)
            .current_dir(&folder)
            // The packager writes times, and orders files, where it is told the time: the same files make the same archive.
            .env("SOURCE_DATE_EPOCH", EPOCH),
    )?;
    Ok(file)
}

/// The time of files in archives that cannot do without one: a day in 2020, which no tool finds too early.
pub(crate) const EPOCH: &str = "1577836800";

pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// `cargo xtask npm`: the package for npm, with the site in it. Returns the archive.
pub(crate) fn npm() -> Result<PathBuf, String> {
    let folder = npm_folder()?;
    let (_, npm) = install::node()?;
    let made = target().join("npm");
    run_quietly(Command::new(npm).args(["pack", "--pack-destination"]).arg(&made).current_dir(&folder))?;
    Ok(made.join(format!("orbitscope-{VERSION}.tgz")))
}

/// The folder that is packed.
fn npm_folder() -> Result<PathBuf, String> {
    if !dist().join("index.html").is_file() {
        return Err("there is no site in dist/: run `cargo xtask build` first".into());
    }
    install::rust_targets(&[WASM])?;
    let bindgen = BINDGEN.ensure()?;
    let mut build = process::cargo();
    // As the page's engine is built: the core is compiled once for both.
    build.args(["build", "--locked", "--package", "orbitscope-js", "--target", WASM, "--profile", "engine"]);
    run(build.arg("--target-dir").arg(target()))?;
    let folder = target().join("npm/package");
    clear(&folder)?;
    let program = target().join(WASM).join("engine/orbitscope_js.wasm");
    run_quietly(Command::new(bindgen).arg(program).arg(&folder).arg("engine"))?;
    for name in ["package.json", "README.md", "index.js", "index.d.ts", "element.js", "element.d.ts"] {
        copy(&root().join("npm").join(name), &folder.join(name))?;
    }
    for licence in LICENCES {
        copy(&root().join(licence), &folder.join(licence))?;
    }
    inventory::licences(&folder.join("THIRD-PARTY.txt"), &["orbitscope-js", "orbitscope-web"])?;
    copy_folder(&dist(), &folder.join("site"))?;
    Ok(folder)
}

/// The step `doors`: every package opened by its own client.
pub(crate) fn test(browser: &install::Browser) -> Result<(), String> {
    let (node, _) = install::node()?;
    // Asked for like this it is the one of the native tests.
    run(process::cargo().args(["test", "--locked", "--workspace", "--test", "cli", "--no-run"]))?;
    let program = target().join(format!("debug/orbitscope{}", std::env::consts::EXE_SUFFIX));
    let vsix = vsix()?;
    let archive = npm()?;
    // Unpacked as npm does it: what the archive does not have cannot be used.
    let unpacked = target().join("npm/unpacked");
    clear(&unpacked)?;
    run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&unpacked))?;
    let mut tests = Vec::new();
    for folder in ["editors/vscode/test", "npm/test"] {
        let entries = root().join(folder).read_dir().map_err(|error| failed(Path::new(folder), &error))?;
        tests.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    tests.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    tests.sort();
    run(Command::new(node)
        .args(["--test", "--test-reporter=spec", "--test-concurrency=2"])
        .args(tests)
        .current_dir(root())
        .env("CHROMIUM", &browser.chromium)
        .env("ORBITSCOPE", program)
        .env("PACKAGE", unpacked.join("package"))
        .env("SITE", dist())
        .env("VSIX", vsix))
}

/// Says where a package is, and how large.
pub(crate) fn tell(made: Result<PathBuf, String>) -> Result<(), String> {
    let file = made?;
    let bytes = fs::metadata(&file).map_err(|error| failed(&file, &error))?.len();
    println!("{} ({} kB)", file.display(), bytes.div_ceil(1000));
    Ok(())
}

pub(crate) fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{} cannot be copied: {error}", from.display()))
}

/// Makes an empty folder, whatever was there.
pub(crate) fn clear(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(folder, &error)),
        _ => {}
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| failed(to, &error))?;
    for entry in from.read_dir().map_err(|error| failed(from, &error))? {
        let path = entry.map_err(|error| failed(from, &error))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_folder(&path, &target)? } else { copy(&path, &target)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever publishes reads one version everywhere.
    #[test]
    fn packages_have_the_version_of_the_crates() {
        for manifest in ["npm/package.json", "editors/vscode/package.json"] {
            let text = fs::read_to_string(root().join(manifest)).unwrap();
            assert!(text.contains(&format!("\"version\": \"{VERSION}\"")), "{manifest}");
        }
    }
}
