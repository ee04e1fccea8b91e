//! `cargo xtask soak`: long runs of random cases, range after range of seeds. `docs/soak.md` adds up what was run, over sessions.

mod record;

use crate::process::{cargo, output, run};
use crate::workspace;
use record::{Part, Record};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A kind of long run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The heading of its record.
    title: &'static str,
    /// The test that goes through a part.
    test: &'static str,
    /// The seed that the first part begins with, and the seeds of a part.
    first: u64,
    seeds: u64,
    /// The line of the table that counts what `--cases` asks for, and the lines that the record has a column for.
    counted: &'static str,
    columns: &'static [&'static str],
}

/// The lines of the table of the test of all engines.
const ENGINES: &[&str] = &[
    "total: programs",
    "total: pairs of program and property",
    "total: pairs that are violated",
    "total: pairs that hold",
    "total: pairs that are not known",
    "total: answers of engines",
    "total: pairs decided by the interpreter too",
    "total: runs replayed on its graph",
];

/// The kinds; the first one is run where none is named.
pub(crate) static KINDS: [Kind; 3] = [
    Kind {
        name: "engines",
        title: "All engines, and the interpreter",
        test: "soak::part_of_a_long_run",
        first: 0,
        seeds: 256,
        counted: ENGINES[1],
        columns: ENGINES,
    },
    Kind {
        name: "stress",
        title: "The symbolic engine under stress",
        test: "soak::part_of_a_long_run_under_stress",
        first: 1_000_000_000,
        seeds: 256,
        counted: ENGINES[1],
        columns: ENGINES,
    },
    Kind {
        name: "every",
        title: "What is proved for every size",
        test: "every_random::part_of_a_long_run",
        first: 0,
        seeds: 1_024,
        counted: "total: cases",
        columns: &["total: cases", "proved", "left", "stuck", "exact agrees", "smallest"],
    },
];

/// The options of `soak`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SoakOptions {
    pub(crate) kind: &'static Kind,
    /// Cases more than there are in the record.
    pub(crate) cases: u64,
    /// No part begins after this many minutes.
    pub(crate) minutes: u64,
    /// Where to begin, instead of behind the last seed of the record.
    pub(crate) seed: Option<u64>,
}

/// Runs parts until there are enough cases, or the time is over; each part is written down when it has ended.
pub(crate) fn soak_command(options: &SoakOptions) -> Result<(), String> {
    let kind = options.kind;
    let (program, commit) = program(kind)?;
    let begun = Instant::now();
    let mut from = options.seed;
    let mut done = 0;
    while done < options.cases && begun.elapsed() < Duration::from_secs(60 * options.minutes) {
        let start = match from {
            Some(seed) => seed,
            None => load()?.next_seed(kind.name).unwrap_or(kind.first),
        };
        let end = start + kind.seeds;
        from = options.seed.map(|_| end);
        let table = part(&program, kind, start, end)?;
        // Read again: another run may have written meanwhile.
        let mut record = load()?;
        done += table.iter().find(|(name, _)| name == kind.counted).map_or(0, |(_, count)| *count);
        record.add(kind.name, Part { from: start, to: end, commit: commit.clone(), table }, kind.columns);
        fs::write(path(), record.written(&headings())).map_err(|error| error.to_string())?;
        println!("{}: seeds {start}..{end}, {done} cases", kind.name);
    }
    let record = load()?;
    let missing = record.never_met(kind.name);
    if missing.is_empty() {
        println!("docs/soak.md has the record; nothing is missing in its table");
        return Ok(());
    }
    let said = format!("docs/soak.md has the record; never met until now:\n{}", missing.join("\n"));
    let place = kind.columns.iter().position(|column| *column == kind.counted);
    if place.is_some_and(|place| record.sum(kind.name, place) > ENOUGH) {
        return Err(said);
    }
    println!("{said}");
    Ok(())
}

/// Whatever this many cases have not met is not left to chance any more.
const ENOUGH: u64 = 50_000;

fn path() -> PathBuf {
    workspace::root().join("docs/soak.md")
}

fn headings() -> Vec<(&'static str, &'static str, &'static [&'static str])> {
    KINDS.iter().map(|kind| (kind.name, kind.title, kind.columns)).collect()
}

fn load() -> Result<Record, String> {
    Record::read(&fs::read_to_string(path()).unwrap_or_default())
}

/// The program of the tests, optimised, copied so that a build in between changes nothing, and the commit that it was built at.
fn program(kind: &Kind) -> Result<(PathBuf, String), String> {
    let mut build = cargo();
    build.args([
        "test",
        "--locked",
        "--profile",
        "soak",
        "--package",
        "orbitscope-core",
        "--test",
        "suite",
        "--no-run",
    ]);
    run(&mut build)?;
    let said = output(build.args(["--message-format", "json"])).ok_or("the tests could not be built")?;
    let executable = said.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    let built = executable.ok_or("cargo names no program of tests")?;
    let folder = workspace::target().join("soak");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let program = folder.join(kind.name);
    fs::copy(&built, &program).map_err(|error| format!("{}: {error}", built.display()))?;
    let git = |words: &[&str]| output(Command::new("git").current_dir(workspace::root()).args(words));
    let commit = git(&["rev-parse", "--short=9", "HEAD"]).unwrap_or_else(|| "unknown".to_string());
    let changed = git(&["status", "--porcelain", "--", "core"]).is_some_and(|changes| !changes.is_empty());
    Ok((program, if changed { commit + ", changed" } else { commit }))
}

/// Runs the test of a part, and reads the table that it prints.
fn part(program: &PathBuf, kind: &Kind, from: u64, to: u64) -> Result<Vec<(String, u64)>, String> {
    let output = Command::new(program)
        .args(["--exact", kind.test, "--include-ignored", "--nocapture"])
        .current_dir(workspace::root().join("core"))
        .env("ORBITSCOPE_PART", format!("{from}..{to}"))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("seeds {from}..{to} of {}:\n{said}{error}", kind.name));
    }
    Ok(record::table(&said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_test() {
        for kind in &KINDS {
            let (file, name) = kind.test.split_once("::").expect("file and name");
            let text = fs::read_to_string(workspace::root().join(format!("core/tests/{file}.rs")));
            assert!(text.is_ok_and(|text| text.contains(&format!("fn {name}()"))), "{}", kind.test);
            assert!(kind.columns.contains(&kind.counted));
        }
    }
}
