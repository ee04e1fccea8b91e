//! The layers of the page stand in a line, as ARCHITECTURE draws them: each uses those before it and none after it.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers in the order of the line, with the modules between them.
const LINE: [&str; 7] = ["engine", "session", "view", "share", "keep", "tour", "app"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The layers that a text names, without its tests: they may look at the whole.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn a_layer_uses_none_that_comes_after_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut seen = [0; LINE.len()];
    for path in all {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(layer) = LINE.iter().position(|name| *name == first) else { continue };
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if matches!(stem, "tests" | "bench" | "fixture") {
            continue;
        }
        seen[layer] += 1;
        let text = fs::read_to_string(&path).unwrap();
        for name in named(&text) {
            let used = LINE.iter().position(|layer| *layer == name);
            assert!(used <= Some(layer), "{} uses {name}, which comes after {first}", inside.display());
        }
    }
    assert!(seen.iter().all(|&files| files > 0), "a layer without a file: {LINE:?} {seen:?}");
}

#[test]
fn a_layer_that_is_used_too_early_is_seen() {
    let text = "use crate::view::text;\n// crate::app\nfn f() { crate::session::x(); }\n#[cfg(test)]\nmod tests {\n use crate::app;\n}";
    assert_eq!(named(text).collect::<Vec<_>>(), ["view", "session"]);
}
