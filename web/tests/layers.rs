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

/// The modules of the core whose types are plain data, which every layer may name: graphs and pictures, the log of a search
/// and what is read back from it, numbers and ids. What computes an answer is asked through `engine`.
const DATA: [&str; 9] = ["automaton", "bdd", "ctl", "draw", "every", "group", "ids", "natural", "search"];
/// Those whose types compute; their ids are data.
const IDS: [&str; 3] = ["product", "program", "quotient"];
/// The parts of a recorded symbolic search.
const SYMBOLIC: [&str; 4] = ["Diagrams", "Iteration", "Kind", "Start"];

/// The code of a text, without its comments and without its tests: they may look at the whole.
fn code(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The names of the core that a code uses: each with its path, groups in braces taken apart.
fn of_the_core(code: &str) -> Vec<String> {
    let paths = code.split("orbitscope_core").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_:{}, \n".contains(c)).unwrap_or(rest.len());
        rest[..end].trim_start_matches("::")
    });
    paths
        .flat_map(|path| match path.split_once('{') {
            // Groups do not nest here; a nested one would be an unknown name, and so refused.
            Some((before, group)) => {
                let group = group.split('}').next().unwrap_or_default();
                let names = group.split(',').map(str::trim).filter(|name| !name.is_empty());
                names.map(|name| format!("{before}{}", name.split(' ').next().unwrap_or(name))).collect()
            }
            None => vec![path.split([' ', '\n', ',', '}']).next().unwrap_or(path).to_owned()],
        })
        .collect()
}

/// Whether a name of the core is one of plain data: a type of a module that has data. Functions and modules are not.
fn is_data(path: &str) -> bool {
    let mut parts = path.split("::");
    let module = parts.next().unwrap_or_default();
    // The first part with a capital letter is a type; its own functions come after it.
    let Some(kind) = parts.find(|part| part.starts_with(char::is_uppercase)) else { return false };
    DATA.contains(&module)
        || IDS.contains(&module) && kind.ends_with("Id")
        || module == "symbolic" && SYMBOLIC.contains(&kind)
}

/// The layers that a text names, without its tests: they may look at the whole.
fn named(text: &str) -> Vec<String> {
    let code = code(text);
    let rests = code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    rests.collect()
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
        let asks = |name: &String| layer > 0 && !is_data(name);
        let asked: Vec<String> = of_the_core(&code(&text)).into_iter().filter(asks).collect();
        assert!(
            asked.is_empty(),
            "{} asks the core for {asked:?}; `engine` is the way there",
            inside.display()
        );
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
    assert_eq!(named(text), ["view", "session"]);
}

#[test]
fn a_question_to_the_core_is_told_from_its_data() {
    let text = "use orbitscope_core::draw::{NodeId, Picture,\n    svg_of};\n// orbitscope_core::check\nfn f(a: orbitscope_core::ids::Id, b: orbitscope_core::program::Program) { \
                orbitscope_core::models::ALL; orbitscope_core::search::log::Log::default(); }";
    let names = of_the_core(&code(text));
    let asked: Vec<&str> = names.iter().filter(|name| !is_data(name)).map(String::as_str).collect();
    assert_eq!(asked, ["draw::svg_of", "program::Program", "models::ALL"]);
    assert_eq!(names.len(), 7);
}
