//! Why a `ctl` property has its verdict, as an outline: what is claimed, and the paths that show it.

use super::problem::clipped;
use orbitscope_core::check::Branching;
use orbitscope_core::ctl::{Because, Formula, Sub, Tree};
use orbitscope_core::program::Program;
use serde::{Deserialize, Serialize};

/// How many steps of a path are listed.
const MAX_STEPS: usize = 60;

/// A line of the outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// How far it is indented.
    pub depth: u32,
    /// What is said.
    pub words: String,
    /// The path that shows it, if one does.
    pub path: Option<Walk>,
}

/// A path from the state that a claim is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    /// The state that it starts in.
    pub start: String,
    /// Each step: what executes, and the state reached.
    pub steps: Vec<(String, String)>,
    /// Where the loop starts, if it ends in one: the number of steps before it.
    pub back: Option<u32>,
    /// How many more steps there are than are listed.
    pub more: u32,
}

/// The outline of what a check found.
pub(super) fn lines(program: &Program, found: &Branching) -> Vec<Evidence> {
    let mut writer = Writer { program, formula: &found.formula, lines: Vec::new() };
    if let Some(tree) = &found.tree {
        writer.tree(tree, 0, "");
    }
    writer.lines
}

struct Writer<'a> {
    program: &'a Program,
    formula: &'a Formula,
    lines: Vec<Evidence>,
}

impl Writer<'_> {
    fn line(&mut self, depth: u32, words: String, path: Option<Walk>) {
        self.lines.push(Evidence { depth, words, path });
    }

    /// It recurses as deep as the formula is nested.
    fn tree(&mut self, tree: &Tree, depth: u32, before: &str) {
        let (tree, about) = self.inner(tree);
        let claim = &about.evidence.claim;
        let verb = if claim.holds { "holds" } else { "does not hold" };
        let said = format!("{before}{} {verb}", self.formula.show_claim(self.program, claim));
        let (words, path, place) = match &tree.evidence.because {
            Because::Fact | Because::Claims(_) => (said, None, String::new()),
            Because::Universal => (format!("{said}: this is about all paths"), None, String::new()),
            Because::TooLong => (format!("{said}: the path that shows it is too long"), None, String::new()),
            Because::Every(_) => (format!("{said}: for every process"), None, String::new()),
            Because::Choice(process, _) => {
                let name = self.program.process_name(*process);
                (format!("{said}: look at {name}"), None, String::new())
            }
            Because::Walk { steps, back, .. } => {
                let end = back.unwrap_or(steps.len() as u32);
                (said, Some(self.walk(tree)), format!("in state {end}, "))
            }
        };
        self.line(depth, words, path);
        if !matches!(tree.evidence.because, Because::Every(_) | Because::Universal) {
            for (_, below) in &tree.below {
                self.tree(below, depth + 1, &place);
            }
        }
    }

    /// What a claim comes down to, without negations and parts of the same state; and the outermost claim that says the
    /// same of paths, since that is what the model has: `AG f`, not `not EF not f`.
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

    fn walk(&self, tree: &Tree) -> Walk {
        let Because::Walk { steps, back, .. } = &tree.evidence.because else {
            return Walk { start: String::new(), steps: Vec::new(), back: None, more: 0 };
        };
        let listed = steps.iter().take(MAX_STEPS).map(|step| {
            let name = match (step.process, &step.action) {
                (Some(process), Some((action, arguments))) => {
                    self.program.show_step(process, *action, arguments)
                }
                _ => "nobody can move".into(),
            };
            (name, clipped(&self.program.show_state(&step.values)))
        });
        Walk {
            start: clipped(&self.program.show_state(&tree.evidence.claim.values)),
            steps: listed.collect(),
            back: *back,
            more: steps.len().saturating_sub(MAX_STEPS) as u32,
        }
    }
}
