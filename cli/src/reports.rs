//! `--report KIND=FILE`: what was found, written into files for other programs.

use crate::failure::Failure;
use crate::model::io_words;
use crate::output::{Output, message};
use orbitscope_report::{Finding, Marked, Results};
use std::io::Write as _;

/// The kinds of reports, by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Junit,
    Sarif,
    Github,
    Html,
    Csv,
    Itf,
    Plantuml,
    Mermaid,
}

const KINDS: [(&str, Kind); 8] = [
    ("junit", Kind::Junit),
    ("sarif", Kind::Sarif),
    ("github", Kind::Github),
    ("html", Kind::Html),
    ("csv", Kind::Csv),
    ("itf", Kind::Itf),
    ("plantuml", Kind::Plantuml),
    ("mermaid", Kind::Mermaid),
];

/// Where `{}` stands in a file's name, a property's name comes.
const PLACE: &str = "{}";

/// A report that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    kind: Kind,
    file: String,
}

impl Wanted {
    /// Reads `KIND=FILE`.
    pub(crate) fn parse(text: &str) -> Result<Wanted, String> {
        let names = || KINDS.iter().map(|(name, _)| *name);
        let all = || names().collect::<Vec<_>>().join(", ");
        let Some((name, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err(format!("expected KIND=FILE, such as junit=report.xml; the kinds are {}", all()));
        };
        let Some((_, kind)) = KINDS.iter().find(|(own, _)| *own == name) else {
            let near = orbitscope_core::text::closest(name, names());
            let hint = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
            return Err(format!("there is no report `{name}`{hint}; the kinds are {}", all()));
        };
        Ok(Wanted { kind: *kind, file: file.into() })
    }

    /// Whether the page is asked for, which has pictures.
    pub(crate) fn has_pictures(&self) -> bool {
        self.kind == Kind::Html
    }
}

/// Writes the reports that are asked for.
pub(crate) fn write(wanted: &[Wanted], results: &Results<'_>) -> Result<(), Failure> {
    for report in wanted {
        match report.kind {
            Kind::Junit => save(&report.file, &orbitscope_report::junit(results)),
            Kind::Sarif => save(&report.file, &orbitscope_report::sarif(results)),
            Kind::Github => save(&report.file, &orbitscope_report::github(results)),
            Kind::Html => save(&report.file, &orbitscope_report::html(results)),
            Kind::Csv => save(&report.file, &orbitscope_report::csv(results)),
            Kind::Itf => runs(report, results, orbitscope_report::itf),
            Kind::Plantuml => runs(report, results, orbitscope_report::plantuml),
            Kind::Mermaid => runs(report, results, orbitscope_report::mermaid),
        }?;
    }
    Ok(())
}

/// Refuses, before anything is marked, what marks cannot be written as.
pub(crate) fn only_marks(wanted: &[Wanted]) -> Result<(), Failure> {
    if wanted.iter().all(|report| matches!(report.kind, Kind::Junit | Kind::Csv)) {
        return Ok(());
    }
    Err(Failure::Input("orbitscope: marks are written as junit or csv".into()))
}

/// Writes marks.
pub(crate) fn write_marks(wanted: &[Wanted], exercise: &str, marked: &[Marked]) -> Result<(), Failure> {
    for report in wanted {
        let text = match report.kind {
            Kind::Csv => orbitscope_report::csv_of_marks(marked),
            _ => orbitscope_report::junit_of_marks(exercise, marked),
        };
        save(&report.file, &text)?;
    }
    Ok(())
}

/// A format that has one run a file: with `{}` in the name a file for each, without it the first one.
fn runs(
    report: &Wanted,
    results: &Results<'_>,
    of_run: fn(&Results<'_>, &Finding) -> Option<String>,
) -> Result<(), Failure> {
    let found: Vec<(&Finding, String)> =
        results.findings.iter().filter_map(|f| Some((f, of_run(results, f)?))).collect();
    let file = &report.file;
    match found.as_slice() {
        [] => message(&format!("orbitscope: there is no run to write, so {file} was not written")),
        runs if file.contains(PLACE) => {
            for (finding, text) in runs {
                // An automaton from a file may have any name.
                let word = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
                let name: String = finding.name.chars().map(word).collect();
                save(&file.replace(PLACE, &name), text)?;
            }
        }
        [(first, text), others @ ..] => {
            save(file, text)?;
            if !others.is_empty() {
                let file = if file == "-" { "standard output" } else { file };
                let names: Vec<&str> = others.iter().map(|(finding, _)| finding.name.as_str()).collect();
                message(&format!(
                    "orbitscope: {file} has the run of {}; put {PLACE} into the name to get those of {} too",
                    first.name,
                    names.join(", ")
                ));
            }
        }
    }
    Ok(())
}

fn save(file: &str, text: &str) -> Result<(), Failure> {
    if file == "-" {
        let mut output = Output::new();
        output.write_all(text.as_bytes())?;
        return Ok(output.flush()?);
    }
    std::fs::write(file, text).map_err(|error| {
        let words = match error.kind() {
            std::io::ErrorKind::NotFound => "its folder does not exist".into(),
            _ => io_words(&error),
        };
        Failure::Input(format!("{file}: cannot be written: {words}"))
    })
}
