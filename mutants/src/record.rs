//! The findings, kept from run to run, and what is known about survivors.

use crate::project::{Copy, Mutant};
use crate::run::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The last verdict of each mutant, by its name.
#[derive(Debug, Default)]
pub struct Results(BTreeMap<String, (String, String)>);

impl Results {
    pub fn load(file: &Path) -> Results {
        let text = fs::read_to_string(file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| {
            let mut cells = line.split('\t').map(str::to_owned);
            Some((cells.next()?, (cells.next()?, cells.next()?)))
        });
        Results(lines.collect())
    }

    pub fn save(&self, file: &Path) -> std::io::Result<()> {
        let mut text = String::new();
        for (name, (verdict, test)) in &self.0 {
            let _ = writeln!(text, "{name}\t{verdict}\t{test}");
        }
        fs::write(file, text)
    }

    pub fn note(&mut self, name: &str, verdict: &Verdict) {
        let (word, test) = match verdict {
            Verdict::Killed(test) => ("killed", test.as_str()),
            Verdict::TimedOut(test) => ("timed out", test.as_str()),
            Verdict::Survived => ("survived", ""),
            Verdict::NotReached => ("not reached", ""),
        };
        self.0.insert(name.to_owned(), (word.to_owned(), test.to_owned()));
    }

    /// Whether the last run left it alive.
    pub fn is_alive(&self, name: &str) -> bool {
        self.verdict(name).is_some_and(|verdict| matches!(verdict, "survived" | "not reached"))
    }

    fn verdict(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|(verdict, _)| verdict.as_str())
    }
}

/// Survivors that the record explains: a line of the list says `` - `file:line` `function`: change; why ``.
#[derive(Debug, Default)]
pub struct Explained(BTreeSet<String>);

impl Explained {
    pub fn load(file: &Path) -> Explained {
        let text = fs::read_to_string(file).unwrap_or_default();
        Explained(text.lines().filter_map(|line| line.strip_prefix("- `")).map(without_line).collect())
    }

    pub fn has(&self, name: &str) -> bool {
        let start = format!("{}; equivalent", name.trim_start_matches('`'));
        self.0.range(start.clone()..).next().is_some_and(|line| line.starts_with(&start))
    }
}

/// Lines move; the rest of a name stays.
fn without_line(text: &str) -> String {
    let Some((file, rest)) = text.split_once('`') else { return text.to_owned() };
    let path = file.split_once(':').map_or(file, |(path, _)| path);
    format!("{path}`{rest}")
}

/// The name with the line in it, as the record lists it.
pub fn listed(copy: &Copy, names: &BTreeMap<u32, String>, mutant: Mutant) -> String {
    let path = copy.sources[mutant.source].path.display().to_string();
    let line = copy.site(mutant).place.line;
    names[&mutant.number].replacen(&path, &format!("{path}:{line}"), 1)
}

/// The table by module: all mutants of the copy, with their last verdicts.
pub fn table(copy: &Copy, results: &Results, explained: &Explained) -> String {
    let names = copy.names();
    let mut rows: BTreeMap<&str, [usize; 7]> = BTreeMap::new();
    for mutant in copy.mutants() {
        let row = rows.entry(&copy.sources[mutant.source].module).or_default();
        let name = &names[&mutant.number];
        row[0] += 1;
        let column = match results.verdict(name) {
            Some("killed") => 2,
            Some("timed out") => 3,
            Some("not reached") if !explained.has(name) => 4,
            Some(_) if explained.has(name) => 5,
            Some(_) => 6,
            None => continue,
        };
        row[1] += 1;
        row[column] += 1;
    }
    let mut text = String::from(
        "| module | mutants | tried | killed | timed out | not reached | equivalent | survived |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (module, row) in rows {
        let _ = writeln!(text, "| `{module}` | {} |", row.map(|number| number.to_string()).join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_found_whatever_the_line() {
        let name = "`core/src/a.rs` `f`: `x < y` → `x <= y`";
        let listed = without_line("core/src/a.rs:12` `f`: `x < y` → `x <= y`; equivalent: x is never y");
        let explained = Explained([listed].into());
        assert!(explained.has(name));
        assert!(!explained.has(&format!("{name} #2")));
        assert!(!explained.has("`core/src/a.rs` `f`: `x < y` → `x`"));
    }

    #[test]
    fn results_are_read_again() {
        let file = std::env::temp_dir().join(format!("mutants-results-{}.tsv", std::process::id()));
        let mut results = Results::default();
        results.note("a", &Verdict::Killed("t".into()));
        results.note("b", &Verdict::NotReached);
        results.save(&file).unwrap();
        let again = Results::load(&file);
        fs::remove_file(&file).unwrap();
        assert_eq!(again.0, results.0);
        assert!(again.is_alive("b") && !again.is_alive("a") && !again.is_alive("c"));
    }
}
