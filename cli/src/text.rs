//! Paths, counts and sizes for people.

use crate::output::Marks;
use orbitscope_core::explore::{Changes, Path, change};
use orbitscope_core::program::Program;
use std::time::Duration;

/// What executed, and what it changed.
pub(crate) type Line = (String, Changes);

/// Of a longer run the beginning, the beginning of the loop and the end are printed.
const LONG: usize = 500;
const SHOWN: usize = 150;

/// A path, one step a line: its number, what executed, and the state with what changed marked.
pub(crate) fn path_lines(program: &Program, path: &Path, marks: Marks) -> Vec<String> {
    let steps = path.steps.iter();
    let rows: Vec<Line> = steps
        .map(|step| (program.show_step(step.process, step.action, &step.arguments), step.changes.clone()))
        .collect();
    lines(program, &path.start, &rows, None, marks)
}

/// A row of steps from a state, one a line; where a loop begins, the words for it stand before its first step.
pub(crate) fn lines(
    program: &Program,
    start: &[i32],
    rows: &[Line],
    looping: Option<&(usize, String)>,
    marks: Marks,
) -> Vec<String> {
    let entry = looping.map_or(0, |(entry, _)| *entry);
    let shown = |at: usize| {
        rows.len() <= LONG || at < SHOWN || (entry..entry + SHOWN).contains(&at) || at + SHOWN >= rows.len()
    };
    let names = rows.iter().enumerate().filter(|(at, _)| shown(*at));
    let width = names.map(|(_, (name, _))| name.len()).max().unwrap_or(0);
    // Without a step there is no column for what executed.
    let gap = if width == 0 { "" } else { "  " };
    let first = format!("{:>4}  {:width$}{gap}{}", 0, "", program.show_state(start));
    let mut lines = vec![first.trim_end().into()];
    let mut before = start.to_vec();
    let mut after = start.to_vec();
    let mut skipped = 0;
    for (at, (name, changes)) in rows.iter().enumerate() {
        change(&mut after, changes);
        if shown(at) {
            if skipped > 0 {
                lines.push(format!("      … {skipped} more steps, all with --json …"));
                skipped = 0;
            }
            if let Some((_, words)) = looping.filter(|(entry, _)| *entry == at) {
                lines.push(format!("      {words}"));
            }
            let state = program.show_state(&after).marking_changes(&before, marks.open, marks.close);
            lines.push(format!("{:>4}  {name:width$}  {state}", at + 1));
        } else {
            skipped += 1;
        }
        change(&mut before, changes);
    }
    lines
}

/// `1 state`, `2 states`, `3 properties`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "property") => format!("{count} properties"),
        (_, "process") => format!("{count} processes"),
        _ => format!("{count} {what}s"),
    }
}

pub(crate) fn time(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

pub(crate) fn bytes(bytes: u64) -> String {
    let kibibytes = bytes as f64 / 1024.0;
    match kibibytes {
        k if k < 1024.0 => format!("{k:.1} KiB"),
        k if k < 1024.0 * 1024.0 => format!("{:.1} MiB", k / 1024.0),
        k => format!("{:.1} GiB", k / 1024.0 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_counts_in_words() {
        assert_eq!(bytes(512), "0.5 KiB");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(bytes(5 << 29), "2.5 GiB");
        assert_eq!((counted(1, "state"), counted(0, "edge")), ("1 state".into(), "0 edges".into()));
        assert_eq!(time(Duration::from_millis(1234)), "1.23 s");
    }
}
