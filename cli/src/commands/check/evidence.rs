//! Why a ctl property holds or is violated, as an indented tree.

use crate::text;
use orbitscope_core::check::{Branching, Line, LineStyle, PartReport, step_lines};
use orbitscope_core::ctl::{Because, Formula, Sub, Tree};
use orbitscope_core::explore::changes_between;
use orbitscope_core::program::Program;

/// The lines of a tree, without those that say nothing: a claim about a negation is one about what is negated.
pub(super) fn lines(program: &Program, found: &Branching, style: LineStyle) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(tree) = &found.tree
        && shows_a_path(tree)
    {
        Writer { program, formula: &found.formula, style, lines: &mut lines }.tree(tree, 0, "");
    }
    lines
}

/// Whether there is more to see than that something holds on all paths.
fn shows_a_path(tree: &Tree) -> bool {
    let own = matches!(tree.evidence.because, Because::Walk { .. } | Because::TooLong);
    own || tree.below.iter().any(|(_, tree)| shows_a_path(tree))
}

/// Says which graph a part was checked on.
pub(super) fn part_line(part: &PartReport) -> String {
    let apart = match part.told_apart.as_slice() {
        [] => String::new(),
        names => format!(", {} told apart", names.join(", ")),
    };
    let (states, edges) = (text::counted(part.states, "state"), text::counted(part.edges, "edge"));
    format!("{}: group of order {}{apart}; {states}, {edges}", part.words, part.order)
}

struct Writer<'a> {
    program: &'a Program,
    formula: &'a Formula,
    style: LineStyle,
    lines: &'a mut Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, words: &str) {
        self.lines.push(format!("      {:indent$}{words}", "", indent = 2 * depth));
    }

    /// It recurses as deep as the formula is nested.
    fn tree(&mut self, tree: &Tree, depth: usize, before: &str) {
        let (tree, about) = self.inner(tree);
        let claim = &about.evidence.claim;
        let words = self.formula.show_claim(self.program, claim);
        let verb = if claim.holds { "holds" } else { "does not hold" };
        let said = format!("{before}{words} {verb}");
        match &tree.evidence.because {
            Because::Fact => self.line(depth, &said),
            Because::Universal => {
                self.line(depth, &format!("{said}: this is about all paths"));
            }
            Because::TooLong => self.line(depth, &format!("{said}: the path that shows it is too long")),
            Because::Every(_) => self.line(depth, &format!("{said}: for every process")),
            Because::Claims(_) => {
                self.line(depth, &said);
                for (_, below) in &tree.below {
                    self.tree(below, depth + 1, "");
                }
            }
            Because::Choice(process, _) => {
                let name = self.program.process_name(*process);
                self.line(depth, &format!("{said}: look at {name}"));
                for (_, below) in &tree.below {
                    self.tree(below, depth + 1, "");
                }
            }
            Because::Walk { steps, back, .. } => {
                let count = text::counted(steps.len() as u64, "step");
                let kind = if back.is_some() { " and a loop" } else { "" };
                self.line(depth, &format!("{said}: {count}{kind}"));
                self.walk(tree, depth + 1);
                let end = back.unwrap_or(steps.len() as u32);
                for (_, below) in &tree.below {
                    self.tree(below, depth + 1, &format!("in state {end}, "));
                }
            }
        }
    }

    /// Strips negations and parts of the same state from a claim. The second result is the outermost claim that says
    /// the same of paths, since the model has `AG f` where the checker has `not EF not f`.
    fn inner<'t>(&self, tree: &'t Tree) -> (&'t Tree, &'t Tree) {
        let sub = |tree: &Tree| {
            let claim = &tree.evidence.claim;
            self.formula.parts[claim.part].subs[claim.sub].clone()
        };
        let mut at = tree;
        let mut about = None;
        loop {
            let passes = match sub(at) {
                Sub::Not(_) => true,
                Sub::Link(link) => link.over.is_none(),
                _ => false,
            };
            match at.below.as_slice() {
                [(_, below)] if passes => {
                    about.get_or_insert(at);
                    at = below;
                }
                _ => break,
            }
        }
        let temporal = matches!(sub(at), Sub::Next(..) | Sub::Until(..));
        (at, about.filter(|_| temporal).unwrap_or(at))
    }

    fn walk(&mut self, tree: &Tree, depth: usize) {
        let Because::Walk { steps, back, .. } = &tree.evidence.because else { return };
        let mut before = &tree.evidence.claim.values;
        let rows = steps.iter().map(|step| {
            let name = match (step.process, &step.action) {
                (Some(process), Some((action, arguments))) => {
                    self.program.show_step(process, *action, arguments)
                }
                _ => "(nobody can move)".into(),
            };
            let changes = changes_between(before, &step.values);
            before = &step.values;
            (name, changes)
        });
        let rows: Vec<Line> = rows.collect();
        let looping = back.map(|back| {
            let count = text::counted((steps.len() as u32 - back).into(), "step");
            (back as usize, format!("these {count} repeat for ever:"))
        });
        let start = &tree.evidence.claim.values;
        for line in step_lines(self.program, start, &rows, looping.as_ref(), self.style) {
            self.line(depth.saturating_sub(2), &line);
        }
    }
}
