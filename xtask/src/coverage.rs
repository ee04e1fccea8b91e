//! `cargo xtask coverage`: which lines of the engines the random tests reach, by module, into `docs/coverage.md`.

use crate::process::{cargo, output, run};
use crate::workspace;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules of `core` that decide verdicts.
const MODULES: [&str; 13] = [
    "automaton",
    "check",
    "ctl",
    "explore",
    "group",
    "ltl",
    "product",
    "program",
    "property",
    "quotient",
    "search",
    "symbolic",
    "symmetry",
];

/// The tests with random cases: parts of their names.
const RANDOM: &[&str] = &[
    "soak::all_engines_agree",
    "soak::models",
    "search_agree::under",
    "search_agree::without",
    "quotient_unfold::random",
    "ctl_agree::random",
    "ctl_fair::random",
    "ctl_mu::random",
    "symbolic_agree::random",
    "symbolic_agree::wrong",
    "ltl_symmetric::random",
    "ltl_translation",
    "ltl_simplify",
    "ltl_automata",
    "group_partition",
    "group_perm",
    "group_structured",
    "group_subgroups",
    "symmetry_labelling",
    "programs::the_machine",
    "bdd::",
];

/// Where the table stands in the document; the explanations around it are written by hand.
const MARKS: (&str, &str) = ("<!-- table -->\n", "<!-- end of the table -->");

/// The document where there is none yet.
const FRAME: &str = "\
# What the random tests reach

Lines of the engines that random programs and properties execute, by module of `core`, measured by `cargo xtask coverage`: it builds the tests
with counters in `target/coverage`, runs those with random cases and nothing else, writes this table, and lists the lines that no case reaches in
`target/coverage/unreached.txt`.

<!-- table -->
<!-- end of the table -->
";

/// The lines of a file that can be reached, with whether they were.
type Lines = BTreeMap<u32, bool>;

/// Runs the random tests with counters in the code and writes the table down.
pub(crate) fn coverage_command() -> Result<(), String> {
    let _ = Command::new("rustup").args(["component", "add", "llvm-tools"]).status();
    let folder = workspace::root().join("target/coverage");
    let _ = fs::remove_dir_all(folder.join("raw"));
    let mut build = cargo();
    build
        .args(["test", "--locked", "--package", "orbitscope-core", "--test", "suite", "--target-dir"])
        .arg(&folder)
        // Unoptimised code takes minutes more, fully optimised code loses lines.
        .args(["--config", "profile.test.opt-level=1", "--config", "profile.test.debug=0"])
        .env("RUSTFLAGS", "-C instrument-coverage")
        .env("LLVM_PROFILE_FILE", folder.join("raw/%p-%m.profraw"));
    run(build.args(["--", "--include-ignored"]).args(RANDOM))?;
    let bin = tools()?;
    let raw = files(&folder.join("raw"), "profraw");
    let profile = folder.join("random.profdata");
    run(Command::new(bin.join("llvm-profdata"))
        .args(["merge", "--sparse", "--output"])
        .arg(&profile)
        .args(raw))?;
    let suite = newest_suite(&folder.join("debug/deps")).ok_or("the test program is not there")?;
    let lcov = output(
        Command::new(bin.join("llvm-cov"))
            .args(["export", "--format=lcov", "--instr-profile"])
            .arg(&profile)
            .arg(suite),
    )
    .ok_or("llvm-cov failed")?;
    let found = read(&lcov);
    fs::write(folder.join("unreached.txt"), unreached(&found)).map_err(|error| error.to_string())?;
    let document = workspace::root().join("docs/coverage.md");
    let text = fs::read_to_string(&document).unwrap_or_else(|_| FRAME.to_string());
    fs::write(&document, with_table(&text, &table(&found))?).map_err(|error| error.to_string())?;
    println!(
        "docs/coverage.md has the table, target/coverage/unreached.txt the lines that no random case reaches"
    );
    Ok(())
}

fn tools() -> Result<PathBuf, String> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"])).ok_or("there is no rustc")?;
    let all = Path::new(&sysroot).join("lib/rustlib");
    let found = all
        .read_dir()
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    found
        .into_iter()
        .find(|bin| bin.join(format!("llvm-cov{}", std::env::consts::EXE_SUFFIX)).is_file())
        .ok_or_else(|| "llvm-cov is missing: `rustup component add llvm-tools` installs it".to_string())
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let all = entries.filter_map(|entry| Some(entry.ok()?.path()));
    all.filter(|path| path.extension().is_some_and(|e| e == ending)).collect()
}

fn newest_suite(deps: &Path) -> Option<PathBuf> {
    let suite = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("suite-"))
            && path.extension().is_none()
    };
    let all = deps.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path())).filter(suite);
    all.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
}

/// The lines of each file of the engines, from the lcov format.
fn read(lcov: &str) -> BTreeMap<String, Lines> {
    let mut found: BTreeMap<String, Lines> = BTreeMap::new();
    let mut file = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let own = path.replace('\\', "/").split_once("core/src/").map(|(_, own)| own.to_string());
            file = own.filter(|own| MODULES.iter().any(|module| own.starts_with(&format!("{module}/"))));
        } else if let (Some(file), Some(data)) = (&file, line.strip_prefix("DA:"))
            && let Some((number, count)) = data.split_once(',')
            && let Ok(number) = number.parse()
        {
            *found.entry(file.clone()).or_default().entry(number).or_default() |= count != "0";
        }
    }
    found
}

/// Lines reached and all lines, by module and file.
fn table(found: &BTreeMap<String, Lines>) -> String {
    let mut text = String::from("| module | lines | reached | not reached |\n| --- | --- | --- | --- |\n");
    let (mut all, mut reached) = (0, 0);
    for module in MODULES {
        let own = found.iter().filter(|(file, _)| file.starts_with(&format!("{module}/")));
        let lines: Vec<bool> = own.flat_map(|(_, lines)| lines.values().copied()).collect();
        let hit = lines.iter().filter(|&&hit| hit).count();
        (all, reached) = (all + lines.len(), reached + hit);
        row(&mut text, &format!("`{module}`"), hit, lines.len());
    }
    row(&mut text, "all", reached, all);
    text
}

fn row(text: &mut String, name: &str, hit: usize, all: usize) {
    let percent = if all == 0 { 100.0 } else { hit as f64 * 100.0 / all as f64 };
    writeln!(text, "| {name} | {all} | {percent:.1} % | {} |", all - hit).expect("a string grows");
}

/// The lines that were not reached, in runs, one line for each file.
fn unreached(found: &BTreeMap<String, Lines>) -> String {
    let mut text = String::new();
    for (file, lines) in found {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut before = true;
        for (&number, &hit) in lines {
            match runs.last_mut() {
                Some(run) if !hit && !before => run.1 = number,
                _ if !hit => runs.push((number, number)),
                _ => {}
            }
            before = hit;
        }
        if !runs.is_empty() {
            let shown: Vec<String> =
                runs.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
            writeln!(text, "{file}: {}", shown.join(" ")).expect("a string grows");
        }
    }
    text
}

fn with_table(text: &str, table: &str) -> Result<String, String> {
    let place = || "docs/coverage.md has lost the marks around its table".to_string();
    let (before, rest) = text.split_once(MARKS.0).ok_or_else(place)?;
    let (_, after) = rest.split_once(MARKS.1).ok_or_else(place)?;
    Ok(format!("{before}{}{table}{}{after}", MARKS.0, MARKS.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LCOV: &str = "SF:/x/core/src/group/perm.rs\nDA:1,3\nDA:2,0\nDA:3,0\nDA:7,1\nDA:9,0\nend_of_record\n\
        SF:/x/core/src/text/lines.rs\nDA:1,0\nend_of_record\nSF:/x/core/src/group/perm.rs\nDA:9,0\nDA:3,1\n";

    #[test]
    fn lines_are_counted_by_module() {
        let found = read(LCOV);
        assert_eq!(found.len(), 1);
        assert_eq!(unreached(&found), "group/perm.rs: 2 9\n");
        assert!(table(&found).contains("| `group` | 5 | 60.0 % | 2 |"), "{}", table(&found));
    }

    #[test]
    fn only_the_table_is_replaced() {
        let text = format!("before\n{}old\n{}\nbehind\n", MARKS.0, MARKS.1);
        let expected = format!("before\n{}new\n{}\nbehind\n", MARKS.0, MARKS.1);
        assert_eq!(with_table(&text, "new\n"), Ok(expected));
        assert!(with_table("nothing", "new").is_err());
        assert!(with_table(FRAME, "new\n").is_ok_and(|text| text.contains("-->\nnew\n<!--")));
    }
}
