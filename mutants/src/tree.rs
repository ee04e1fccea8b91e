//! The copy of the workspace that is mutated.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that hold what is built or fetched, or what the crate under test does not read.
const NOT_COPIED: [&str; 9] =
    ["target", "dist", "node_modules", ".git", "web", "e2e", "cli", "bench", "xtask"];

/// Files of the copy with other content than the original, by their path below the root.
pub type Overlay = BTreeMap<PathBuf, String>;

/// Copies the files below `from` that the tests need; `overlay` says which are different. Files that are as they were keep
/// their time, so that nothing is built again without need.
pub fn copy(from: &Path, to: &Path, overlay: &Overlay) -> io::Result<()> {
    folder(from, to, Path::new(""), overlay)?;
    overlay.iter().try_for_each(|(path, content)| put(&to.join(path), content.as_bytes()))
}

fn folder(from: &Path, to: &Path, below: &Path, overlay: &Overlay) -> io::Result<()> {
    fs::create_dir_all(to.join(below))?;
    let mut names = Vec::new();
    for entry in fs::read_dir(from.join(below))? {
        let entry = entry?;
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let path = below.join(&name);
        names.push(name);
        if entry.file_type()?.is_dir() {
            folder(from, to, &path, overlay)?;
        } else if !overlay.contains_key(&path) {
            put(&to.join(&path), &fs::read(entry.path())?)?;
        }
    }
    for entry in fs::read_dir(to.join(below))? {
        let entry = entry?;
        let gone =
            !names.contains(&entry.file_name()) && !overlay.contains_key(&below.join(entry.file_name()));
        if gone && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes a file unless it is there with the same content.
fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(path, content)
}

/// The Rust files of a module, `src/name.rs` or all below `src/name/`, as paths below the package.
pub fn files_of(package: &Path, module: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let single = PathBuf::from("src").join(format!("{module}.rs"));
    if package.join(&single).is_file() {
        files.push(single);
    }
    let inside = PathBuf::from("src").join(module);
    if package.join(&inside).is_dir() {
        sources(package, &inside, &mut files)?;
    }
    files.sort();
    if files.is_empty() {
        let message = format!("there is no module `{module}` in {}", package.join("src").display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}

fn sources(package: &Path, inside: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(package.join(inside))? {
        let entry = entry?;
        let path = inside.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            sources(package, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
