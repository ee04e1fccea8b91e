//! Annotations of GitHub: lines that a workflow's log turns into remarks beside the source.

use crate::{Results, Verdict};
use std::fmt::Write as _;

/// One line for each finding that somebody should look at.
pub fn github(results: &Results<'_>) -> String {
    let mut lines = String::new();
    for finding in &results.findings {
        let level = match finding.verdict {
            Verdict::Holds => continue,
            Verdict::Violated | Verdict::Error => "error",
            Verdict::Unknown => "warning",
            Verdict::Note => "notice",
        };
        let mut place = format!("file={}", property(&results.file));
        if let Some(span) = finding.span {
            let region = results.region(span);
            let _ = write!(place, ",line={},endLine={}", region.line, region.end_line);
            // Columns are allowed within one line only.
            if region.line == region.end_line {
                let _ = write!(place, ",col={},endColumn={}", region.column, region.end_column);
            }
        }
        let title = property(&format!("{} {}", finding.logic, finding.name));
        let mut message = finding.words.clone();
        if let Some(run) = &finding.run {
            message.push('\n');
            message.push_str(&run.lines(results.program).join("\n"));
        }
        let _ = writeln!(lines, "::{level} {place},title={title}::{}", data(&message));
    }
    lines
}

/// The message: a line break would end it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of the annotation: what separates properties is written as bytes too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
