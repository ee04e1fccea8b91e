//! The whole way, on a crate whose mutants are known: found, built, run, judged.

use orbitscope_mutants::project::{Copy, Project};
use orbitscope_mutants::record::{Explained, Results, table};
use orbitscope_mutants::run::{Limits, Suite, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn verdicts() -> BTreeMap<String, Verdict> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small");
    let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("small-mutants");
    let _ = std::fs::remove_dir_all(&work);
    let project = Project { root, package: "".into(), test: "suite".into(), work: work.clone() };
    let mut copy = Copy::read(project, &["sums".into()], false).unwrap();
    let found = copy.mutants().len();
    let program = copy.build().unwrap();
    assert!(copy.mutants().len() < found, "an assignment that is needed cannot be left out");
    let limits = Limits { cases: 1, seconds: 10.0, jobs: 2, memory: 2_000_000, filters: Vec::new() };
    let suite = Suite::measure(program, work.join("tree"), limits).unwrap();
    assert!(suite.left_out.is_empty(), "{:?}", suite.left_out);
    let mutants = copy.mutants();
    let verdicts = suite.run(&copy, &mutants, |_, _| ());
    let names = copy.names();
    let mut results = Results::default();
    for (mutant, verdict) in mutants.iter().zip(&verdicts) {
        results.note(&names[&mutant.number], verdict);
    }
    let table = table(&copy, &results, &Explained::default());
    assert!(table.contains(&format!("| `sums` | {0} | {0} |", mutants.len())), "{table}");
    mutants.iter().map(|mutant| names[&mutant.number].clone()).zip(verdicts).collect()
}

#[test]
fn known_mutants_get_their_verdicts() {
    let verdicts = verdicts();
    let verdict = |function: &str, words: &str| {
        let name = format!("`src/sums.rs` `{function}`: {words}");
        verdicts.get(&name).unwrap_or_else(|| panic!("no {name} in {verdicts:#?}")).clone()
    };
    let killed = |test: &str| Verdict::Killed(test.into());
    assert_eq!(verdict("smaller", "`a < b` → `a <= b`"), Verdict::Survived);
    assert_eq!(verdict("smaller", "`a < b` → `a != b`"), killed("smaller_of_two"));
    assert_eq!(verdict("smaller", "`a < b` → `true`"), killed("smaller_of_two"));
    assert_eq!(verdict("smaller", "`a < b` → `false`"), killed("smaller_of_two"));
    assert_eq!(verdict("smaller", "returns at once: `1`"), Verdict::Survived);
    assert_eq!(verdict("count", "`n -= 1;` left out"), Verdict::TimedOut("counted".into()));
    assert_eq!(verdict("count", "`n > 0` → `n != 0`"), Verdict::Survived);
    assert_eq!(verdict("count", "`steps += 1` → `steps -= 1`"), killed("counted"));
    assert_eq!(verdict("lonely", "`!a` → `a`"), Verdict::NotReached);
    let chain = "`list.iter().rev().copied().find(|n| n % 2 == 0)`";
    assert_eq!(verdict("even_from_behind", &format!("{chain}: without `.rev(…)`")), killed("evens"));
    assert_eq!(verdict("even_from_behind", "`n % 2 == 0` → `n % 2 != 0`"), killed("evens"));
    assert_eq!(verdict("longer", "`a.len() >= b.len()` → `a.len() > b.len()`"), Verdict::Survived);
    // Mutants that do not compile are left out.
    assert!(verdicts.keys().all(|name| !name.contains("first = ")), "{verdicts:#?}");
    assert!(verdicts.keys().all(|name| !name.contains("LIMIT") && !name.contains("`1 < 2`")));
}
