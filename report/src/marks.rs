//! The marks of submissions to an exercise, for the systems in which courses are kept.

use crate::escape::xml;
use std::fmt::Write as _;

/// The marks of one submission.
#[derive(Debug)]
pub struct Marked {
    /// Its name.
    pub name: String,
    /// Its file, as the user called it.
    pub file: String,
    /// The things that were asked of it.
    pub cases: Vec<Case>,
}

/// One thing that was asked of a submission.
#[derive(Debug)]
pub struct Case {
    /// The demand in a few words.
    pub name: String,
    /// How much it counts.
    pub points: u32,
    /// Why it is not fulfilled.
    pub failure: Option<String>,
    /// A help for whoever does not fulfil it.
    pub hint: String,
    /// How long it took.
    pub seconds: f64,
}

impl Marked {
    /// The points that were reached.
    pub fn points(&self) -> u32 {
        self.cases.iter().filter(|case| case.failure.is_none()).map(|case| case.points).sum()
    }

    /// The points that there are.
    pub fn of(&self) -> u32 {
        self.cases.iter().map(|case| case.points).sum()
    }
}

/// One suite for each submission, one case for each demand.
pub fn junit_of_marks(exercise: &str, marked: &[Marked]) -> String {
    let counts = |cases: &[&Case]| {
        let failures = cases.iter().filter(|case| case.failure.is_some()).count();
        let time: f64 = cases.iter().map(|case| case.seconds).sum();
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" time=\"{time:.3}\"", cases.len())
    };
    let all: Vec<&Case> = marked.iter().flat_map(|marks| &marks.cases).collect();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
        xml(exercise),
        counts(&all)
    );
    for marks in marked {
        let own: Vec<&Case> = marks.cases.iter().collect();
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" file=\"{}\" skipped=\"0\" {}>",
            xml(&marks.name),
            xml(&marks.file),
            counts(&own)
        );
        for case in own {
            let (class, name) = (xml(exercise), xml(&case.name));
            let _ = write!(
                out,
                "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"",
                case.seconds
            );
            match &case.failure {
                None => out.push_str("/>\n"),
                Some(words) => {
                    let first = words.lines().next().unwrap_or_default();
                    let body = if case.hint.is_empty() {
                        words.clone()
                    } else {
                        format!("{words}\nhint: {}", case.hint)
                    };
                    let _ = writeln!(
                        out,
                        ">\n      <failure type=\"marks\" message=\"{}\">{}</failure>\n    </testcase>",
                        xml(first),
                        xml(&body)
                    );
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// A line for each submission: its name and its points, and for each demand the points that it brought.
pub fn csv_of_marks(marked: &[Marked]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out = String::from("submission,points,of");
    for case in marked.first().map_or(&[][..], |marks| &marks.cases) {
        let _ = write!(out, ",{}", quoted(&case.name));
    }
    out.push('\n');
    for marks in marked {
        let _ = write!(out, "{},{},{}", quoted(&marks.name), marks.points(), marks.of());
        for case in &marks.cases {
            let _ = write!(out, ",{}", if case.failure.is_none() { case.points } else { 0 });
        }
        out.push('\n');
    }
    out
}
