//! Results as JUnit XML, which CI systems show as tests.

use crate::escape::xml;
use crate::{Results, Verdict};
use std::fmt::Write as _;

/// One suite for the model, one case for each property. A property whose answer is not known is an error, since a
/// suite that says nothing must not look like one that holds.
///
/// Strict readers refuse attributes that they do not know: the file stands with the suite, and the line in the words of what is wrong.
pub fn junit(results: &Results<'_>) -> String {
    let cases = || results.findings.iter().filter(|finding| finding.verdict != Verdict::Note);
    let time: f64 = cases().map(|finding| finding.seconds).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{time:.3}\"",
        cases().count(),
        results.count(&[Verdict::Violated]),
        results.count(&[Verdict::Unknown, Verdict::Error]),
    );
    let (suite, class, file) = (xml(&results.title()), xml(&results.model), xml(&results.file));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"orbitscope\" {counts}>\n  <testsuite name=\"{suite}\" file=\"{file}\" skipped=\"0\" {counts}>\n"
    );
    for finding in cases() {
        let name = xml(&format!("{} {}", finding.logic, finding.name));
        let _ = write!(
            out,
            "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"",
            finding.seconds
        );
        let element = match finding.verdict {
            Verdict::Holds | Verdict::Note => {
                out.push_str("/>\n");
                continue;
            }
            Verdict::Violated => "failure",
            Verdict::Unknown | Verdict::Error => "error",
        };
        let place = finding.span.map(|span| format!("{}:{}", results.file, results.region(span).line));
        let run = finding.run.as_ref().map_or_else(Vec::new, |run| run.lines(results.program));
        let lines: Vec<String> = place.into_iter().chain(run).collect();
        let _ = writeln!(
            out,
            ">\n      <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>",
            finding.verdict.word(),
            xml(&finding.words),
            xml(&lines.join("\n"))
        );
    }
    let notes = results.findings.iter().filter(|finding| finding.verdict == Verdict::Note);
    let notes: Vec<String> = notes
        .map(|note| {
            let run = note.run.as_ref().map_or_else(Vec::new, |run| run.lines(results.program));
            let first = format!("{} {}: {}", note.logic, note.name, note.words);
            [vec![first], run].concat().join("\n")
        })
        .collect();
    if !notes.is_empty() {
        let _ = writeln!(out, "    <system-out>{}</system-out>", xml(&notes.join("\n")));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}
