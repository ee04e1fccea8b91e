//! The record of long runs: for each kind the ranges of seeds with their counts, and the table of what they went through.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The beginning of the document.
const INTRODUCTION: &str = "\
# Long runs

`cargo xtask soak [engines|stress|every]` asks about random cases, range after range of seeds, and adds up here what was run: a range has
a row where all its answers agreed and all its runs were replayed; a disagreement ends the run and leaves none. Ranges of one commit that
follow each other are one row. Below the ranges stands how often the cases of all of them went through what; a 0 is what none has met.

The tests are built as the profile `soak` says: optimised, with every assertion. More than 50,000 cases that have not met something end in failure.

`engines` asks all engines and the interpreter; most programs have at most 300 states, in one block of sixteen they have any size, and one seed of
three makes sizes small at which the core changes its way. One program of sixteen has records, sets, bags and queues. Of three automata of
properties one is written as HOA, read back and checked, and paths to errors are replayed like runs. `stress` lets the symbolic engine collect before every operation and run into limits of
nodes, beside one other engine and the interpreter. `every` proves properties for every size and checks each proof size by size.
";

/// A part that has been run: a range of seeds, and what its cases went through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) commit: String,
    pub(super) table: Vec<(String, u64)>,
}

/// A row: a range with the counts of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    from: u64,
    to: u64,
    commit: String,
    counts: Vec<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Section {
    rows: Vec<Row>,
    met: BTreeMap<String, u64>,
}

/// The record of each kind of run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record(BTreeMap<String, Section>);

/// The lines of a table: a count, two spaces, and a name.
pub(super) fn table(text: &str) -> Vec<(String, u64)> {
    let line = |line: &str| {
        let (count, name) = line.trim_start().split_once("  ")?;
        Some((name.to_string(), count.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

impl Record {
    /// Reads the document; an empty text is an empty record.
    pub(super) fn read(text: &str) -> Result<Record, String> {
        let mut record = Record::default();
        let mut kind = String::new();
        for line in text.lines() {
            let wrong = || format!("docs/soak.md: this line is no row: {line}");
            if let Some(named) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
                kind = named.to_string();
                record.0.entry(kind.clone()).or_default();
            } else if let Some(cells) = line.strip_prefix("| ").filter(|row| row.contains("..")) {
                let cells: Vec<&str> = cells.trim_end_matches('|').split('|').map(str::trim).collect();
                let (from, to) = cells[0].split_once("..").ok_or_else(wrong)?;
                let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
                let counts: Result<Vec<u64>, String> =
                    cells.iter().skip(2).map(|cell| number(cell)).collect();
                let commit = cells.get(1).ok_or_else(wrong)?.to_string();
                let row = Row { from: number(from)?, to: number(to)?, commit, counts: counts? };
                record.0.entry(kind.clone()).or_default().rows.push(row);
            } else if let [(name, count)] = &table(line)[..] {
                record.0.entry(kind.clone()).or_default().met.insert(name.clone(), *count);
            }
        }
        Ok(record)
    }

    /// The seed behind the last range of a kind.
    pub(super) fn next_seed(&self, kind: &str) -> Option<u64> {
        self.0.get(kind)?.rows.iter().map(|row| row.to).max()
    }

    /// The names that no case has met.
    pub(super) fn never_met(&self, kind: &str) -> Vec<String> {
        let met = self.0.get(kind).into_iter().flat_map(|section| &section.met);
        met.filter(|(_, count)| **count == 0).map(|(name, _)| name.clone()).collect()
    }

    /// The sum of a column over the ranges of a kind.
    pub(super) fn sum(&self, kind: &str, column: usize) -> u64 {
        self.0.get(kind).into_iter().flat_map(|section| &section.rows).map(|row| row.counts[column]).sum()
    }

    /// Adds a part.
    pub(super) fn add(&mut self, kind: &str, part: Part, columns: &[&str]) {
        let section = self.0.entry(kind.to_string()).or_default();
        let Part { from, to, commit, table } = part;
        let count =
            |column: &&str| table.iter().find(|(name, _)| name == column).map_or(0, |(_, count)| *count);
        let counts: Vec<u64> = columns.iter().map(count).collect();
        match section.rows.last_mut() {
            Some(last) if last.to == from && last.commit == commit => {
                last.to = to;
                last.counts.iter_mut().zip(&counts).for_each(|(all, more)| *all += more);
            }
            _ => section.rows.push(Row { from, to, commit, counts }),
        }
        for (name, count) in table.into_iter().filter(|(name, _)| !columns.contains(&name.as_str())) {
            *section.met.entry(name).or_default() += count;
        }
    }

    /// The document; each kind with its heading and its columns.
    pub(super) fn written(&self, kinds: &[(&str, &str, &[&str])]) -> String {
        let mut text = INTRODUCTION.to_string();
        for (kind, title, columns) in kinds {
            let Some(section) = self.0.get(*kind) else { continue };
            let heads: Vec<&str> = columns.iter().map(|c| c.trim_start_matches("total: ")).collect();
            let line = "| ---: ".repeat(columns.len());
            let _ =
                writeln!(text, "\n## {title}\n\n<!-- {kind} -->\n| seeds | commit | {} |", heads.join(" | "));
            let _ = writeln!(text, "| --- | --- {line}|");
            let mut sums = vec![0; columns.len()];
            for Row { from, to, commit, counts } in &section.rows {
                let cells: Vec<String> = counts.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "| {from}..{to} | {commit} | {} |", cells.join(" | "));
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            let cells: Vec<String> = sums.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "| all | | {} |\n\n```text", cells.join(" | "));
            for (name, count) in &section.met {
                let _ = writeln!(text, "{count:>9}  {name}");
            }
            text.push_str("```\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[&str] = &["total: cases", "proved"];

    fn part(from: u64, to: u64, commit: &str) -> Part {
        let said = "\nrunning 1 test\n       12  total: cases\n        3  proved\n        0  <= in hints\n        7  X in ltl\ntest x ... ok\n";
        Part { from, to, commit: commit.to_string(), table: table(said) }
    }

    #[test]
    fn parts_are_added_up_and_read_again() {
        let mut record = Record::default();
        record.add("every", part(0, 10, "a"), COLUMNS);
        record.add("every", part(10, 20, "a"), COLUMNS);
        record.add("every", part(20, 30, "b, changed"), COLUMNS);
        let kinds: &[(&str, &str, &[&str])] =
            &[("every", "Every size", COLUMNS), ("other", "Other", COLUMNS)];
        let text = record.written(kinds);
        assert!(
            text.contains("| 0..20 | a | 24 | 6 |\n| 20..30 | b, changed | 12 | 3 |\n| all | | 36 | 9 |"),
            "{text}"
        );
        assert!(text.contains("       21  X in ltl\n"), "{text}");
        let again = Record::read(&text).unwrap();
        assert_eq!(again, record);
        assert_eq!((again.next_seed("every"), again.next_seed("other")), (Some(30), None));
        assert_eq!(again.never_met("every"), ["<= in hints"]);
        assert_eq!((again.sum("every", 1), again.sum("other", 1)), (9, 0));
    }

    #[test]
    fn what_is_no_record_is_said() {
        assert_eq!(Record::read(""), Ok(Record::default()));
        assert!(Record::read("| 0..x | a | 1 |").is_err());
        assert!(Record::read("| 0..2 | a | many |").is_err());
    }
}
