//! The tests share models loaded with parameters, an interpreter that shares nothing with the engine, naive temporal
//! checkers over it, and random programs.

pub(crate) mod agree;
pub(crate) mod automata;
pub(crate) mod compare;
pub(crate) mod crew;
pub(crate) mod dump;
pub(crate) mod engines;
pub(crate) mod faults;
pub(crate) mod formulas;
pub(crate) mod golden;
pub(crate) mod group;
pub(crate) mod long;
pub(crate) mod models;
pub(crate) mod mutate;
pub(crate) mod oracle;
pub(crate) mod peer;
pub(crate) mod programs;
pub(crate) mod random;
pub(crate) mod reached;
pub(crate) mod snapshots;
pub(crate) mod spin;
pub(crate) mod tableau;
pub(crate) mod temporal;
pub(crate) mod tlc;
pub(crate) mod unfold;
pub(crate) mod written;

use oracle::{Graph, Oracle};
use orbitscope_core::program::{self, Program, Property, PropertyId, Settings};
use orbitscope_core::syntax::ast::{File, ItemKind};
use orbitscope_core::syntax::parse;
use orbitscope_core::text::{Diagnostic, LineIndex};
use std::fs;
use std::path::{Path, PathBuf};

/// Values of parameters.
pub(crate) type Params = &'static [(&'static str, i64)];

/// Parameter values to try, beside the defaults: small enough for the interpreter and the naive checkers.
pub(crate) const MODEL_SIZES: &[(&str, &[Params])] = &[
    ("simplified_controller", &[&[("clients", 1)], &[("clients", 2)], &[("clients", 5)]]),
    ("resource_controller", &[&[("clients", 1)], &[("clients", 3)], &[("clients", 6)]]),
    ("one_requests_first", &[&[("clients", 1)], &[("clients", 2)], &[("clients", 4)]]),
    ("idle_in_between", &[&[("clients", 1)], &[("clients", 2)], &[("clients", 4)]]),
    ("mutex_emerson_sistla", &[&[("n", 1)], &[("n", 2)], &[("n", 4)]]),
    ("mutex_heljanko", &[]),
    ("peterson", &[]),
    ("token_ring", &[&[("stations", 1)], &[("stations", 2)], &[("stations", 4)]]),
    (
        "dining_philosophers",
        &[
            &[("philosophers", 2)],
            &[("philosophers", 3)],
            &[("philosophers", 3), ("patient", 0)],
            &[("patient", 0)],
        ],
    ),
    (
        "readers_writers",
        &[&[("readers", 1)], &[("readers", 2), ("writers", 1)], &[("readers", 1), ("writers", 3)]],
    ),
    ("ethernet", &[&[("stations", 2)], &[("stations", 3)]]),
    ("arbiter", &[&[("requesters", 1)], &[("requesters", 2)], &[("requesters", 4)]]),
    ("two_phase_commit", &[&[("managers", 1)], &[("managers", 2)]]),
    ("futurebus", &[&[("caches", 1)], &[("caches", 2)]]),
    ("gossip", &[&[("n", 1)], &[("n", 2)]]),
];

/// Parses a text without errors.
pub(crate) fn parsed(name: &str, source: &str) -> File {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{}", rendered(name, source, &parsed.diagnostics));
    parsed.file
}

/// Builds a program without errors.
pub(crate) fn built(name: &str, source: &str, params: &[(&str, i64)]) -> Program {
    let params = params.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    program::build(&parsed(name, source), &Settings { params, ..Settings::default() })
        .unwrap_or_else(|errors| panic!("{}", rendered(name, source, &errors)))
}

/// A random program, and what the interpreter sees of it.
pub(crate) struct Case<'a> {
    pub(crate) file: &'a File,
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) program: &'a Program,
}

/// Asks about a random program that has at most this many states and no error.
pub(crate) fn on_sound_graph<T>(source: &str, most: usize, ask: impl FnOnce(&Case<'_>) -> T) -> Option<T> {
    let file = parsed("random", source);
    let oracle = Oracle::new(&file, &[]);
    let graph = oracle.explore_sound(most)?;
    let program = built("random", source, &[]);
    Some(ask(&Case { file: &file, oracle: &oracle, graph: &graph, program: &program }))
}

/// The properties that a model's text has: those of its asserts are not among them.
pub(crate) fn written(program: &Program) -> impl Iterator<Item = (PropertyId, &Property)> {
    program.properties.iter_enumerated().filter(|(_, property)| !property.name.starts_with("assert_"))
}

fn rendered(name: &str, source: &str, diagnostics: &[Diagnostic]) -> String {
    let lines = LineIndex::new(source);
    let all: Vec<String> = diagnostics.iter().map(|d| d.render(name, &lines).to_string()).collect();
    format!("{}\n\n{source}", all.join("\n"))
}

/// The verdict that a comment notes of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Holds,
    Violated,
}

impl Verdict {
    pub(crate) fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Violated }
    }
}

/// The properties of a model with the verdicts that the comments above them note.
pub(crate) fn noted_verdicts(source: &str) -> Vec<(String, Verdict)> {
    let file = parsed("model", source);
    let properties = file
        .items
        .iter()
        .filter(|item| matches!(item.kind, ItemKind::Property { .. } | ItemKind::Automaton { .. }));
    let noted = |item: &orbitscope_core::syntax::ast::Item| {
        let name = item.kind.name().expect("a property has a name").name.clone();
        let before = &source[..item.span.start as usize];
        let comment: Vec<&str> =
            before.lines().rev().map(str::trim).take_while(|line| line.starts_with("//")).collect();
        let first = comment.last().copied().unwrap_or_default();
        let word = first.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let verdict = if word.starts_with("holds") {
            Verdict::Holds
        } else if word.starts_with("violated") {
            Verdict::Violated
        } else {
            panic!("no verdict is noted above `{name}`: {first:?}")
        };
        (name, verdict)
    };
    properties.map(noted).collect()
}

/// A file or folder of the test data.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// The models of a folder of the test data, by name, in order.
pub(crate) fn read_models(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(data(folder))
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "orb"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("the model can be read"))
        })
        .collect()
}

/// How many random cases a test tries: `usual`, or what the environment variable `ORBITSCOPE_CASES` says.
pub(crate) fn cases(usual: u64) -> u64 {
    match std::env::var("ORBITSCOPE_CASES") {
        Ok(text) => text.parse().expect("ORBITSCOPE_CASES is a number"),
        Err(_) => usual,
    }
}

/// Whether a random test asks how many of its cases were of which kind. `cargo xtask mutants` tries so few that it sets
/// `ORBITSCOPE_SHARES=no`.
pub(crate) fn asks_shares() -> bool {
    std::env::var("ORBITSCOPE_SHARES").map_or(true, |text| text != "no")
}

/// The first seed of a random test: 0, or what the environment variable `ORBITSCOPE_SEED` says.
pub(crate) fn first_seed() -> u64 {
    match std::env::var("ORBITSCOPE_SEED") {
        Ok(text) => text.parse().expect("ORBITSCOPE_SEED is a number"),
        Err(_) => 0,
    }
}
