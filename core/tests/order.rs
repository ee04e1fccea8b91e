//! The modules stand in a line, as the table of ARCHITECTURE.md draws it: each uses only those above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of `core` in the order of the table.
fn table() -> Vec<String> {
    let text = fs::read_to_string(root().join("../ARCHITECTURE.md")).unwrap();
    let table = text.split("| module of `core` |").nth(1).expect("ARCHITECTURE.md has the table of modules");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).expect("a row names its module").to_string()).collect()
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file under a folder.
pub(crate) fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The modules that a source names after `crate::`, outside comments and its own tests.
fn uses(source: &str) -> Vec<String> {
    let own = source.split("\n#[cfg(test)]").next().unwrap_or_default();
    let code: Vec<&str> = own.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let word =
        |text: &str| -> String { text.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect() };
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                found.extend(list.split(',').map(|name| word(name.trim())));
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The Rust sources of the whole tree.
fn sources() -> Vec<PathBuf> {
    let mut all = Vec::new();
    let folders = [
        "core",
        "cli/src",
        "cli/tests",
        "crew",
        "murphi",
        "report",
        "script",
        "npm/src",
        "python",
        "web/src",
        "web/tests",
        "xtask",
        "mutants",
        "fuzz/bodies",
    ];
    for folder in folders {
        files(&root().join("..").join(folder), &mut all);
    }
    all.retain(|path| {
        path.extension().is_some_and(|end| end == "rs")
            && !path.components().any(|c| c.as_os_str() == "target")
    });
    all
}

/// The functions of a formatted source, each with its number of lines: from its head to the brace under it.
fn functions(source: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let head = line.trim_start();
        let indent = &line[..line.len() - head.len()];
        let name = head.split_once("fn ").filter(|(before, _)| {
            before
                .split_whitespace()
                .all(|word| word.starts_with("pub") || word == "const" || word == "async")
        });
        let Some((_, name)) = name else { continue };
        let end = format!("{indent}}}");
        let whole = |line: &str| line.ends_with('}') || line.ends_with(';');
        let rest = lines[number..].iter().position(|&line| line == end);
        let length = if whole(head) { 1 } else { rest.map_or(1, |last| last + 1) };
        found.push((name.split(['(', '<']).next().unwrap_or_default(), length));
    }
    found
}

#[test]
fn no_function_is_longer_than_100_lines() {
    let mut seen = 0;
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        for (name, lines) in functions(&text) {
            assert!(lines <= 100, "`{name}` of {} has {lines} lines", path.display());
            seen += 1;
        }
    }
    assert!(seen > 3000, "{seen} functions");
    let source =
        "impl X {\n    pub fn long(\n        a: u8,\n    ) {\n        let b = 1;\n    }\n}\nfn one() {}\n";
    assert_eq!(functions(source), [("long", 5), ("one", 1)]);
}

/// A file that one cannot read in one sitting is split. Data and stylesheets may be longer.
#[test]
fn no_source_is_longer_than_600_lines() {
    let mut seen = 0;
    for path in sources() {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
        seen += 1;
    }
    assert!(seen > 400, "{seen} sources");
}

#[test]
fn each_module_uses_only_those_above_it() {
    let order = table();
    let place: BTreeMap<&str, usize> =
        order.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    assert_eq!(place.len(), order.len(), "a module stands twice in the table");
    let source = root().join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    for file in all {
        let path = file.strip_prefix(&source).unwrap();
        let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs").to_string();
        if module == "lib" {
            continue;
        }
        let Some(&own) = place.get(module.as_str()) else {
            wrong.push(format!("`{module}` is not in the table of ARCHITECTURE.md"));
            continue;
        };
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            // A macro is exported at the top of the crate.
            if used == module || used == "define_id" {
                continue;
            }
            if place.get(used.as_str()).is_none_or(|&other| other > own) {
                wrong
                    .push(format!("{} uses `{used}`, which does not stand above `{module}`", path.display()));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "the line of modules is broken:\n{}", wrong.join("\n"));
}

#[test]
fn uses_are_read_as_the_compiler_reads_them() {
    let source = "//! crate::nothing\nuse crate::ids::Id;\nuse crate::{define_id, text};\nfn f() { crate::group::g() }\n\
        #[cfg(test)]\nmod tests { use crate::models; }";
    assert_eq!(uses(source), ["ids", "define_id", "text", "group"]);
}

/// Whoever wants to know what is refused looks at one file: a bound of `core` is named `MAX_…` and stands in `limits`.
#[test]
fn bounds_stand_in_one_file() {
    let source = root().join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut bounds = 0;
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        let named = text.lines().filter(|line| line.contains("const MAX_")).count();
        if file.ends_with("src/limits.rs") {
            bounds = named;
        } else {
            assert_eq!(named, 0, "{} has a bound that belongs to limits.rs", file.display());
        }
    }
    assert!(bounds > 30, "{bounds} bounds");
}
