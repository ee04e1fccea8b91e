//! The findings about a ctl property: its parts, and why the verdict is so.

use super::{State, Steps};
use orbitscope_core::check;
use orbitscope_core::ctl::{Because, Formula, Tree};
use orbitscope_core::program::Program;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Branching<'a> {
    algorithm: &'static str,
    visits: u64,
    followed_edges: u64,
    label_bytes: u64,
    parts: Vec<Part<'a>>,
    evidence: Option<Evidence<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    formula: &'a str,
    told_apart: &'a [String],
    order: &'a str,
    group: &'a [String],
    states: u64,
    edges: u64,
}

impl<'a> Branching<'a> {
    pub(crate) fn new(program: &'a Program, found: &'a check::Branching) -> Self {
        let parts = found.parts.iter().map(|part| Part {
            formula: &part.words,
            told_apart: &part.told_apart,
            order: &part.order,
            group: &part.group,
            states: part.states,
            edges: part.edges,
        });
        Branching {
            algorithm: found.method(),
            visits: found.effort.visits,
            followed_edges: found.effort.edges,
            label_bytes: found.effort.memory.bytes(),
            parts: parts.collect(),
            evidence: found.tree.as_ref().map(|tree| Evidence::new(program, &found.formula, None, tree)),
        }
    }
}

/// Why a formula holds in a state, or does not.
#[derive(Serialize)]
struct Evidence<'a> {
    /// The state of the walk above that this is about.
    at: Option<u32>,
    formula: String,
    holds: bool,
    state: State<'a>,
    because: &'static str,
    process: Option<String>,
    steps: Option<Steps<'a>>,
    back: Option<u32>,
    below: Vec<Evidence<'a>>,
}

impl<'a> Evidence<'a> {
    /// It recurses as deep as the formula is nested.
    fn new(program: &'a Program, formula: &Formula, at: Option<u32>, tree: &'a Tree) -> Self {
        let claim = &tree.evidence.claim;
        let because = match &tree.evidence.because {
            Because::Fact => "fact",
            Because::Claims(_) => "claims",
            Because::Choice(..) => "choice",
            Because::Every(_) => "every",
            Because::Walk { .. } => "walk",
            Because::Universal => "universal",
            Because::TooLong => "too_long",
        };
        let process = match &tree.evidence.because {
            Because::Choice(process, _) => Some(program.process_name(*process)),
            _ => None,
        };
        let (steps, back) = match &tree.evidence.because {
            Because::Walk { steps, back, .. } => (Some(Steps::of_walk(program, &claim.values, steps)), *back),
            _ => (None, None),
        };
        let walks = steps.is_some();
        let below = tree.below.iter();
        let below = below.map(|(at, tree)| Evidence::new(program, formula, walks.then_some(*at), tree));
        Evidence {
            at,
            formula: formula.show_claim(program, claim),
            holds: claim.holds,
            state: State { program, values: &claim.values },
            because,
            process,
            steps,
            back,
            below: below.collect(),
        }
    }
}
