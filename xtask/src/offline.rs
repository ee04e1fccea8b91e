//! The service worker of a built site: it lists every file with its checksum, so that a browser keeps a build whole.

use crate::workspace;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The service worker in the built site.
const WORKER: &str = "sw.js";
/// What the page says until there is one.
const OFF: &str = "name=\"orbitscope-offline\" content=\"no\"";
const ON: &str = "name=\"orbitscope-offline\" content=\"yes\"";

/// Writes the service worker of the site in `dist`, and lets the page use it.
pub(crate) fn write(dist: &Path) -> Result<(), String> {
    let page = dist.join("index.html");
    let text = read(&page)?;
    let text = String::from_utf8(text).map_err(|_| "index.html is not UTF-8".to_owned())?;
    if !text.contains(OFF) && !text.contains(ON) {
        return Err("index.html has no place to say that the site works offline".into());
    }
    put(&page, &text.replace(OFF, ON))?;
    let template = read(&workspace::root().join("static").join(WORKER))?;
    let template = String::from_utf8(template).map_err(|_| "static/sw.js is not UTF-8".to_owned())?;
    put(&dist.join(WORKER), &fill(&template, &sums(dist)?)?)
}

/// The paths of all files but the worker itself, in order, with their checksums.
fn sums(dist: &Path) -> Result<Vec<(String, u32)>, String> {
    let mut sums = Vec::new();
    let mut folders = vec![dist.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(name) = relative(dist, &path).filter(|name| name != WORKER) {
                sums.push((name, checksum(&read(&path)?)));
            }
        }
    }
    sums.sort();
    Ok(sums)
}

/// The path under `dist`, with slashes.
fn relative(dist: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(dist).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// The worker for these files.
fn fill(template: &str, sums: &[(String, u32)]) -> Result<String, String> {
    let mut list = String::new();
    for (path, sum) in sums {
        let _ = write!(list, "\n  \"{}\": {sum},", path.replace('\\', "\\\\").replace('"', "\\\""));
    }
    let build = format!("{:08x}{:08x}", checksum(list.as_bytes()), list.len());
    for place in ["@BUILD@", "/* @FILES@ */"] {
        if !template.contains(place) {
            return Err(format!("static/sw.js has no {place}"));
        }
    }
    Ok(template.replace("@BUILD@", &build).replace("/* @FILES@ */", list.trim_start()))
}

/// FNV-1a, 32 bits, as `static/sw.js` computes it.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn read(path: &PathBuf) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        // From the table of FNV test vectors by Landon Curt Noll.
        assert_eq!(checksum(b""), 0x811c_9dc5);
        assert_eq!(checksum(b"a"), 0xe40c_292c);
        assert_eq!(checksum(b"foobar"), 0xbf9c_f968);
    }

    #[test]
    fn the_worker_lists_every_file_and_a_changed_file_is_another_build() {
        let template = read(&workspace::root().join("static").join(WORKER)).unwrap();
        let template = String::from_utf8(template).unwrap();
        let files = |sum| vec![("a/b.js".to_owned(), 7), ("index.html".to_owned(), sum)];
        let worker = fill(&template, &files(1)).unwrap();
        assert!(worker.contains("\"a/b.js\": 7,\n  \"index.html\": 1,"), "{worker}");
        assert!(!worker.contains('@'), "{worker}");
        let build =
            |worker: &str| worker.lines().find(|line| line.starts_with("const BUILD")).unwrap().to_owned();
        assert_ne!(build(&worker), build(&fill(&template, &files(2)).unwrap()));
        assert_eq!(worker, fill(&template, &files(1)).unwrap());
        assert!(fill("nothing", &files(1)).is_err());
    }
}
