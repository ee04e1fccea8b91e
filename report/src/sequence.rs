//! A run as a sequence diagram, for PlantUML and for Mermaid.
//!
//! A lifeline is a process that moves, or whose variables another one changes; all shared variables are one lifeline. A step is an
//! arrow from who moves to everything it changes, or to itself.

use crate::run::change_words;
use crate::{Finding, Results, Run};
use orbitscope_core::group::Process;
use orbitscope_core::program::Program;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A lifeline: a process, or the shared variables.
type Line = Option<Process>;

/// An arrow from one lifeline to another, with its words.
struct Arrow {
    from: Line,
    to: Line,
    words: String,
}

/// The parts that both languages write alike.
struct Diagram<'a> {
    title: String,
    lines: Vec<(String, String)>,
    /// The state that it begins in.
    start: String,
    steps: Vec<Vec<(String, String, String)>>,
    entry: Option<usize>,
    fairness: Vec<(String, String)>,
    run: &'a Run,
}

/// A finding's run in PlantUML; none where it has none.
pub fn plantuml(results: &Results<'_>, finding: &Finding) -> Option<String> {
    let diagram = Diagram::new(results, finding)?;
    let mut out = format!("@startuml\ntitle {}\n", diagram.title);
    for (id, name) in &diagram.lines {
        let _ = writeln!(out, "participant \"{name}\" as {id}");
    }
    if let [(first, _), ..] = diagram.lines.as_slice() {
        let last = diagram.lines.last().map_or(first, |(id, _)| id);
        let over = if first == last { first.clone() } else { format!("{first}, {last}") };
        let _ = writeln!(out, "note over {over} : {}", diagram.start);
    }
    diagram.body(&mut out, |(from, to, words)| format!("{from} -> {to} : {words}"), "group for ever");
    if !diagram.fairness.is_empty() {
        out.push_str("legend\n");
        for (process, words) in &diagram.fairness {
            let _ = writeln!(out, "  {process} {words}");
        }
        out.push_str("end legend\n");
    }
    out.push_str("@enduml\n");
    Some(out)
}

/// A finding's run in Mermaid; none where it has none.
pub fn mermaid(results: &Results<'_>, finding: &Finding) -> Option<String> {
    let diagram = Diagram::new(results, finding)?;
    let escaped = |text: &str| text.replace('#', "#35;").replace(';', "#59;");
    let mut out = format!("sequenceDiagram\n  title {}\n", escaped(&diagram.title));
    for (id, name) in &diagram.lines {
        let _ = writeln!(out, "  participant {id} as {}", escaped(name));
    }
    if let [(first, _), ..] = diagram.lines.as_slice() {
        let last = diagram.lines.last().map_or(first, |(id, _)| id);
        let over = if first == last { first.clone() } else { format!("{first},{last}") };
        let _ = writeln!(out, "  Note over {over}: {}", escaped(&diagram.start));
    }
    let arrow = |(from, to, words): &(String, String, String)| format!("  {from}->>{to}: {}", escaped(words));
    diagram.body(&mut out, arrow, "  loop for ever");
    Some(out)
}

impl<'a> Diagram<'a> {
    fn new(results: &'a Results<'_>, finding: &'a Finding) -> Option<Diagram<'a>> {
        let (program, run) = (results.program, finding.run.as_ref()?);
        let steps: Vec<Vec<Arrow>> = run.written(program).map(|step| arrows(program, &step)).collect();
        let present: BTreeSet<Line> = steps.iter().flatten().flat_map(|a| [a.from, a.to]).collect();
        // Processes in their order, then what they share.
        let ordered = present.iter().filter(|line| line.is_some()).chain(present.get(&None));
        let id = |line: Line| line.map_or_else(|| "shared".to_owned(), |process| format!("p{}", process.0));
        let name = |line: Line| line.map_or_else(|| "shared".into(), |process| program.process_name(process));
        let words = |arrow: Arrow| (id(arrow.from), id(arrow.to), arrow.words);
        Some(Diagram {
            title: format!(
                "{}, {} {}: {}",
                results.title(),
                finding.logic,
                finding.name,
                finding.verdict.word()
            ),
            lines: ordered.map(|&line| (id(line), name(line))).collect(),
            start: program.show_state(&run.start).to_string(),
            steps: steps.into_iter().map(|step| step.into_iter().map(words).collect()).collect(),
            entry: run.entry,
            fairness: run.fairness(program),
            run,
        })
    }

    /// The arrows, with the loop around those that repeat.
    fn body(&self, out: &mut String, arrow: impl Fn(&(String, String, String)) -> String, open: &str) {
        let indent = &open[..open.len() - open.trim_start().len()];
        for (at, step) in self.steps.iter().enumerate() {
            if self.entry == Some(at) {
                let _ = writeln!(out, "{open}");
            }
            for words in step {
                let _ = writeln!(out, "{}", arrow(words));
            }
        }
        if self.entry.is_some_and(|entry| entry < self.run.steps.len()) {
            let _ = writeln!(out, "{indent}end");
        }
    }
}

/// The arrows of a step: what it changes for itself stands in the first one.
fn arrows(program: &Program, step: &crate::Step<'_>) -> Vec<Arrow> {
    let own = step.process;
    let words = |line: Line| {
        let changes = step.changes.iter().filter(|(slot, _)| program.owner_of(*slot) == line);
        changes.map(|&(slot, value)| change_words(program, slot, value, false)).collect::<Vec<_>>()
    };
    let with = |changes: Vec<String>| {
        if changes.is_empty() {
            step.action.clone()
        } else {
            format!("{} / {}", step.action, changes.join(", "))
        }
    };
    let others: BTreeSet<Line> =
        step.changes.iter().map(|(slot, _)| program.owner_of(*slot)).filter(|line| *line != own).collect();
    let mine = words(own);
    let mut arrows = Vec::new();
    if others.is_empty() || (own.is_some() && !mine.is_empty()) {
        arrows.push(Arrow { from: own, to: own, words: with(mine) });
    }
    arrows.extend(others.into_iter().map(|to| Arrow { from: own, to, words: with(words(to)) }));
    arrows
}
