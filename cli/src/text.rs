//! Paths, counts and sizes for people.

use crate::output::Marks;
use orbitscope_core::explore::Path;
use orbitscope_core::program::Program;
use std::time::Duration;

/// What executed, and the state reached.
pub(crate) type Line<'a> = (String, &'a [i32]);

/// A path, one step a line: its number, what executed, and the state with what changed marked.
pub(crate) fn path_lines(program: &Program, path: &Path, marks: Marks) -> Vec<String> {
    let steps = path.steps.iter();
    let rows: Vec<Line<'_>> = steps
        .map(|step| (program.show_step(step.process, step.action, &step.arguments), step.values.as_slice()))
        .collect();
    lines(program, &path.start, &rows, marks)
}

/// A row of steps from a state, one a line.
pub(crate) fn lines(program: &Program, start: &[i32], rows: &[Line<'_>], marks: Marks) -> Vec<String> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    // Without a step there is no column for what executed.
    let gap = if width == 0 { "" } else { "  " };
    let first = format!("{:>4}  {:width$}{gap}{}", 0, "", program.show_state(start));
    let mut before = start;
    let mut lines = vec![first.trim_end().into()];
    for (position, (name, values)) in rows.iter().enumerate() {
        let state = program.show_state(values).marking_changes(before, marks.open, marks.close);
        lines.push(format!("{:>4}  {name:width$}  {state}", position + 1));
        before = values;
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
