//! One page that opens from a file: verdicts, runs that play, and pictures. It asks for nothing from anywhere.
//!
//! Everything is readable without the script, which only plays: each state of a run is a row, and the script marks one.

use crate::escape::{percent, xml};
use crate::{Finding, Results, Run, Verdict};
use orbitscope_core::program::Program;
use std::fmt::Write as _;

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");
/// At most this many rows of a run are in the page; a browser would take long over more.
const ROWS: usize = 2_000;

/// The whole page.
pub fn html(results: &Results<'_>) -> String {
    let mut out = String::new();
    write(&mut out, results).unwrap_or_default();
    out
}

fn write(out: &mut String, results: &Results<'_>) -> std::fmt::Result {
    let title = xml(&results.title());
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<h1>{title}</h1>")?;
    writeln!(
        out,
        "<p class=\"facts\">{} processes, symmetry of order {}; {}; checked by Orbitscope {}</p>",
        results.program.process_count(),
        xml(&results.order),
        xml(&results.file),
        xml(results.version)
    )?;
    verdicts(out, results)?;
    for (number, finding) in results.findings.iter().enumerate() {
        if let Some(run) = &finding.run {
            section(out, results.program, number, finding, run)?;
        }
    }
    for picture in &results.pictures {
        // As a picture of its own, so that its style does not reach the page.
        let source = percent(&picture.svg, " =:/'(),;!*+?@[]{}");
        let title = xml(&picture.title);
        writeln!(out, "<section class=\"picture\"><h2>{title}</h2>")?;
        writeln!(out, "<img alt=\"{title}\" src=\"data:image/svg+xml,{source}\"></section>")?;
    }
    writeln!(out, "<section><h2>The model</h2><pre class=\"model\">{}</pre></section>", xml(results.text))?;
    writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn verdicts(out: &mut String, results: &Results<'_>) -> std::fmt::Result {
    writeln!(
        out,
        "<table class=\"verdicts\"><thead><tr><th>logic</th><th>property</th><th>verdict</th><th></th><th>time</th></tr></thead><tbody>"
    )?;
    for (number, finding) in results.findings.iter().enumerate() {
        let (name, word) = (xml(&finding.name), finding.verdict.word());
        let name = if finding.run.is_some() { format!("<a href=\"#run-{number}\">{name}</a>") } else { name };
        let time = if finding.verdict == Verdict::Note {
            String::new()
        } else {
            format!("{:.2} s", finding.seconds)
        };
        writeln!(
            out,
            "<tr data-verdict=\"{word}\"><td>{}</td><td>{name}</td><td class=\"verdict\">{word}</td><td>{}</td><td>{time}</td></tr>",
            xml(&finding.logic),
            xml(&finding.words)
        )?;
    }
    writeln!(out, "</tbody></table>")
}

/// A run: its controls, which the script shows, and its states.
fn section(
    out: &mut String,
    program: &Program,
    number: usize,
    finding: &Finding,
    run: &Run,
) -> std::fmt::Result {
    let entry = run.entry.map_or_else(String::new, |entry| format!(" data-loop=\"{entry}\""));
    writeln!(out, "<section class=\"run\" id=\"run-{number}\"{entry}>")?;
    writeln!(out, "<h2>{} {}: {}</h2>", xml(&finding.logic), xml(&finding.name), finding.verdict.word())?;
    writeln!(out, "<p>{}</p>", xml(&finding.words))?;
    let last = run.steps.len().min(ROWS);
    writeln!(
        out,
        "<div class=\"player\" hidden><button data-do=\"first\" aria-label=\"To the start\">⏮</button><button data-do=\"back\" aria-label=\"One step back\">◀</button><button data-do=\"play\" aria-label=\"Play\">Play</button><button data-do=\"on\" aria-label=\"One step on\">▶</button><input type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"Step\"><output>0</output></div>"
    )?;
    writeln!(out, "<div class=\"now\" aria-live=\"polite\" hidden></div>")?;
    writeln!(out, "<table class=\"states\"><tbody>")?;
    let row = |out: &mut String, at: usize, label: &str, state: &str, changes: &str| {
        let looping = if run.entry.is_some_and(|entry| at > entry) { " class=\"loop\"" } else { "" };
        writeln!(
            out,
            "<tr{looping} data-step=\"{at}\"><td>{at}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            xml(label),
            xml(changes),
            xml(state)
        )
    };
    row(out, 0, "start", &program.show_state(&run.start).to_string(), "")?;
    for (at, step) in run.written(program).enumerate().take(ROWS) {
        let changes = step.changes.iter();
        let words = changes.map(|&(slot, value)| crate::run::change_words(program, slot, value, true));
        let changes = words.collect::<Vec<_>>().join(", ");
        row(out, at + 1, &step.label, &program.show_state(&step.after).to_string(), &changes)?;
    }
    writeln!(out, "</tbody></table>")?;
    if run.steps.len() > ROWS {
        writeln!(out, "<p>{} more steps are left out here.</p>", run.steps.len() - ROWS)?;
    }
    if let Some(entry) = run.entry {
        let (first, last) = (entry + 1, run.steps.len());
        writeln!(out, "<p>Steps {first} to {last} repeat for ever.</p>")?;
    }
    let fairness = run.fairness(program);
    if !fairness.is_empty() && fairness.len() <= ROWS {
        writeln!(out, "<h3>Why this is fair</h3><ul class=\"ledger\">")?;
        for (process, words) in fairness {
            writeln!(out, "<li><b>{}</b> {}</li>", xml(&process), xml(&words))?;
        }
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "</section>")
}
