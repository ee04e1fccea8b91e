//! Prints a check for people.

use super::answer::fault_kind;
use super::evidence;
use super::{Answer, Checked, fairness_word, note, partial_words, time};
use crate::colour;
use crate::model::Model;
use crate::output::{Output, line_style};
use crate::run::Times;
use crate::text;
use orbitscope_core::Limit;
use orbitscope_core::check::{
    Branching, Counterexample, Engine, Found, LineStyle, Report, Unknown, Verdict, lasso_lines, ledger_lines,
    path_lines,
};
use orbitscope_core::error::ErrorKind;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::Program;
use orbitscope_core::symbolic::Summary;
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::syntax::ast::Fairness;
use std::io::{self, Write};
use std::time::Duration;

/// Where what follows a property's first line begins.
const INDENT: &str = "           ";

impl Checked {
    /// Each property with its answer.
    pub(super) fn write_answers(
        &self,
        model: &Model,
        symmetry: &ProgramSymmetry,
        output: &mut Output,
    ) -> io::Result<()> {
        let program = &model.program;
        let style = line_style();
        write!(output, "{}", model.source.model_name())?;
        for param in &program.params {
            write!(output, "  {}={}", param.name, param.value)?;
        }
        writeln!(output, "  {}", text::counted(program.process_count() as u64, "process"))?;
        let explicit = self.options.engine == Engine::Explicit && !symmetry.group.is_trivial();
        let unused = if explicit { ", not used to explore states" } else { "" };
        writeln!(output, "{:<9}  order {}{unused}", "symmetry", symmetry.group.order())?;
        let width = self.answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
        for answer in &self.answers {
            let assuming = assuming(program);
            write!(
                output,
                "{:<9}  {:<width$}  {}{assuming}",
                answer.logic.word(),
                answer.name,
                colour::verdict(answer.told())
            )?;
            self.answer(output, program, answer, style)?;
        }
        Ok(())
    }

    /// Prints what the pass for deadlocks and invariants saw besides.
    pub(super) fn write_pass(
        &self,
        model: &Model,
        symmetry: &ProgramSymmetry,
        output: &mut Output,
    ) -> io::Result<()> {
        if self.pass.not_asked {
            return writeln!(output, "{:<9}  not looked for", "deadlock");
        }
        let alike = self.options.engine != Engine::Explicit && !symmetry.group.is_trivial();
        let alike = if alike { " up to symmetry" } else { "" };
        self.deadlocks(output, &model.program, alike, line_style())?;
        self.counts(output, alike)
    }

    fn answer(
        &self,
        output: &mut Output,
        program: &Program,
        answer: &Answer,
        style: LineStyle,
    ) -> io::Result<()> {
        let Found::Report(report) = &answer.found else {
            return writeln!(output, "{}", note(answer).map_or_else(String::new, |note| format!(": {note}")));
        };
        if let Some(found) = &report.branching {
            if found.formula.fairness.is_some() {
                write!(output, " on fair paths{}", self.fairness(program, report))?;
            }
            return branching(output, program, answer, report, found, style);
        }
        if !answer.logic.is_of_states() {
            write!(output, "{}{}", self.fairness(program, report), instance(report))?;
        }
        if let Some(note) = note(answer) {
            write!(output, ": {note}")?;
        }
        match &report.counterexample {
            Some(Counterexample::Path(path)) => {
                writeln!(output, ", {} from the start:", text::counted(path.steps.len() as u64, "step"))?;
                write_lines(output, path_lines(program, path, style))?;
            }
            Some(Counterexample::Lasso(lasso, ledger)) => {
                writeln!(output, ":")?;
                write_lines(output, lasso_lines(program, lasso, style))?;
                write_lines(output, ledger_lines(program, lasso, ledger, style))?;
            }
            None => writeln!(output)?,
        }
        if report.symmetric {
            writeln!(
                output,
                "{INDENT}quantifiers inside it are written out for {}; permutations act on the automaton",
                text::counted(report.expanded as u64, "element"),
            )?;
        } else if report.expanded > 0 {
            let tracked = report.instance.as_ref().map_or(0, |instance| instance.tracked.len());
            writeln!(
                output,
                "{INDENT}quantifiers inside it are written out for {}; {} told apart",
                text::counted(report.expanded as u64, "element"),
                match tracked {
                    1 => "1 process is".into(),
                    n => format!("{n} processes are"),
                }
            )?;
        }
        if let (Some(summary), true) = (&report.symbolic, !answer.logic.is_of_states()) {
            let (representatives, iterations) = (&summary.representatives, summary.iterations.len() as u64);
            let iterations = text::counted(iterations, "iteration");
            let (nodes, time) = (summary.peak_nodes, text::time(time(answer).total));
            let bytes = text::bytes(report.stats.peak_bytes);
            writeln!(
                output,
                "{INDENT}{representatives} representatives, {iterations}, {nodes} BDD nodes, {time}, {bytes}"
            )?;
        } else if !answer.logic.is_of_states() {
            let stats = &report.stats;
            let nodes = text::counted(stats.product_states.unwrap_or(0), "product state");
            let edges = text::counted(stats.product_edges.unwrap_or(0), "edge");
            let (time, bytes) = (text::time(time(answer).total), text::bytes(stats.peak_bytes));
            writeln!(output, "{INDENT}{nodes}, {edges}, {time}, {bytes}")?;
            if let (true, Some(made)) = (self.edges_asked, stats.edge_expansions) {
                let (made, held) = (text::counted(made, "time"), text::bytes(stats.edge_bytes.unwrap_or(0)));
                let way = self.options.edges.name();
                writeln!(output, "{INDENT}edges {way}: those of a state were made {made}, and took {held}")?;
            }
        }
        Ok(())
    }

    fn fairness(&self, program: &Program, report: &Report) -> String {
        if matches!(report.verdict, Verdict::Unknown(_)) || report.engine == Engine::Symbolic {
            // The symbolic engine answers only what fairness does not change.
            return String::new();
        }
        let actions = match self.options.fairness {
            FairnessChoice::Model => fair_actions(program),
            FairnessChoice::All(_) => String::new(),
        };
        let processes: String = match (fairness_word(program, self.options.fairness), self.options.fairness) {
            ("none", _) => " without fairness".into(),
            ("mixed", FairnessChoice::Model) => {
                let families = program.families.iter().map(|family| match family.fairness {
                    Fairness::Weak => format!("{} weak", family.name),
                    Fairness::Strong => format!("{} strong", family.name),
                    Fairness::None => format!("{} none", family.name),
                });
                format!(" under the model's fairness ({})", families.collect::<Vec<_>>().join(", "))
            }
            (word, _) => format!(" under {word} fairness"),
        };
        processes + &actions
    }

    fn deadlocks(
        &self,
        output: &mut Output,
        program: &Program,
        alike: &str,
        style: LineStyle,
    ) -> io::Result<()> {
        let pass = &self.pass;
        let so_far = if pass.complete { "" } else { " so far" };
        match pass.deadlocks {
            0 => write!(output, "{:<9}  none{so_far}{}", "deadlock", assuming(program))?,
            count => {
                let states = text::counted(count, "state");
                write!(output, "{:<9}  {states}{alike}{so_far}{}", "deadlock", assuming(program))?;
            }
        }
        let Some(path) = &pass.path else { return writeln!(output) };
        let in_order = self.options.engine != Engine::Symbolic || self.options.symbolic.in_order();
        let which = if in_order { "the nearest" } else { "one of them" };
        writeln!(output, ", {which} {} from the start:", text::counted(path.steps.len() as u64, "step"))?;
        write_lines(output, path_lines(program, path, style))
    }

    fn counts(&self, output: &mut Output, alike: &str) -> io::Result<()> {
        if let Some(summary) = &self.pass.symbolic {
            let limit =
                self.pass.unknown.as_ref().filter(|unknown| matches!(unknown, Unknown::Limit(Limit::Nodes)));
            let partial = if limit.is_some() { " (partial: the limit of BDD nodes was reached)" } else { "" };
            return symbolic(output, summary, self.pass_time, self.pass.stats.peak_bytes, partial);
        }
        let stats = &self.pass.stats;
        let states = stats.states.or(stats.aqs_states).unwrap_or(0);
        let edges = stats.edges.or(stats.aqs_edges).unwrap_or(0);
        let partial = match (&self.pass.unknown, self.pass.complete) {
            (Some(Unknown::Fault(fault)), _) if fault_kind(fault, self.murphi) == ErrorKind::Limit => {
                " (partial: a loop is followed no further)".into()
            }
            (Some(unknown), _) => format!(" (partial: {})", partial_words(unknown)),
            (None, false) if self.pass.broken.is_some() => " (partial: internal error)".into(),
            (None, true) => String::new(),
            (None, false) if self.pass.deadlocks_alone => " (partial: only deadlocks were looked for)".into(),
            (None, false) => " (partial: every invariant is violated)".into(),
        };
        let own = self.answers.iter().filter_map(Answer::report).map(|report| report.stats.peak_bytes);
        let bytes = own.chain([stats.peak_bytes]).max().unwrap_or(0);
        let time: Duration = self.pass_time.total;
        let (states, edges) = (text::counted(states, "state"), text::counted(edges, "edge"));
        writeln!(output, "{states}{alike}, {edges}{partial}, {}, {}", text::time(time), text::bytes(bytes))
    }
}

/// A ctl property: why its verdict is so, and what its parts were checked on.
fn branching(
    output: &mut Output,
    program: &Program,
    answer: &Answer,
    report: &Report,
    found: &Branching,
    style: LineStyle,
) -> io::Result<()> {
    let lines = evidence::lines(program, found, style);
    let colon = if lines.is_empty() { "" } else { ":" };
    match note(answer) {
        Some(note) => writeln!(output, ": {note}")?,
        None => writeln!(output, "{colon}")?,
    }
    write_lines(output, lines)?;
    let temporal = found.parts.iter().filter(|part| part.edges > 0 || found.parts.len() == 1);
    for part in temporal {
        writeln!(output, "{INDENT}{}", evidence::part_line(part))?;
    }
    let (time, bytes) = (text::time(time(answer).total), text::bytes(report.stats.peak_bytes));
    let (visits, edges) = (text::counted(found.effort.visits, "visit"), found.effort.edges);
    writeln!(
        output,
        "{INDENT}{} algorithm: {visits}, {edges} edges followed, {time}, {bytes}",
        found.method()
    )
}

/// Prints the progress of a symbolic search.
fn symbolic(
    output: &mut Output,
    summary: &Summary,
    times: Times,
    bytes: u64,
    partial: &str,
) -> io::Result<()> {
    let of = if summary.falsification_only { "generators taken unchecked" } else { "generators" };
    writeln!(
        output,
        "{} representatives of {} states{partial}, {}, {} {of}",
        summary.representatives,
        summary.covered,
        text::counted(summary.iterations.len() as u64, "iteration"),
        summary.generators,
    )?;
    writeln!(
        output,
        "{} bits in the order {}, relation of {} BDD nodes in {}, at most {} nodes at once, images {}, σ_Step {}, {}, {}",
        summary.bits,
        summary.order.name(),
        summary.relation_nodes,
        text::counted(u64::from(summary.parts), "part"),
        summary.peak_nodes,
        text::time(times.image),
        text::time(times.sigma),
        text::time(times.total),
        text::bytes(bytes),
    )
}

/// The choice that a verdict rests on.
fn instance(report: &Report) -> String {
    let Some(instance) = report.instance.as_ref().filter(|instance| !instance.words.is_empty()) else {
        return String::new();
    };
    let alike = match instance.alike {
        1 => String::new(),
        n => format!(", one of {n} alike"),
    };
    match (&report.verdict, report.searches) {
        (Verdict::Holds, 2..) => format!(", for all choices ({} different ones)", report.searches),
        (Verdict::Holds, _) => format!(", checked for {}{alike}", instance.words),
        _ => format!(" for {}{alike}", instance.words),
    }
}

/// The actions that are fair by themselves.
fn fair_actions(program: &Program) -> String {
    let words = program.actions.iter().filter_map(|action| {
        let name = format!("{}.{}", program.families[action.family].name, action.name);
        match action.fairness {
            Fairness::Weak => Some(format!("{name} weak")),
            Fairness::Strong => Some(format!("{name} strong")),
            Fairness::None => None,
        }
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(" and that of actions ({})", words.join(", ")) }
}

/// The assumption on which every verdict rests, where the model makes one.
fn assuming(program: &Program) -> String {
    program.assumed_words().map_or_else(String::new, |words| format!(" assuming {words}"))
}

fn write_lines(output: &mut Output, lines: Vec<String>) -> io::Result<()> {
    for line in lines {
        writeln!(output, "{line}")?;
    }
    Ok(())
}
