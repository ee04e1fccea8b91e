//! The iterations of the symbolic engine. Numbers of states are decimal text, because they do not fit into a number of
//! JSON.

use crate::run::Times;
use orbitscope_core::symbolic::{Iteration, Kind, Summary};
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
pub(crate) struct Symbolic {
    bits: u32,
    order: &'static str,
    parts: u32,
    relation_nodes: u32,
    generators: u32,
    generators_left_out: u32,
    representatives: String,
    covered: String,
    peak_nodes: u32,
    falsification_only: bool,
    image_ms: f64,
    sigma_ms: f64,
    iterations: Vec<Step>,
}

/// An iteration.
#[derive(Serialize)]
struct Step {
    kind: &'static str,
    /// The hint that holds from now on, counted from 1, where the kind is `taken_up`.
    hint: Option<u32>,
    frontier: String,
    frontier_nodes: u32,
    under: String,
    under_nodes: u32,
    successors: String,
    known: String,
    symmetric: String,
    added: String,
    representatives: String,
    representatives_nodes: u32,
    covered: String,
    covered_nodes: u32,
    sigma_rounds: u32,
    sigma_complete: bool,
    nodes: u32,
}

impl Symbolic {
    pub(crate) fn new(summary: &Summary, times: Times) -> Symbolic {
        let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        Symbolic {
            bits: summary.bits,
            order: summary.order.name(),
            parts: summary.parts,
            relation_nodes: summary.relation_nodes,
            generators: summary.generators,
            generators_left_out: summary.generators_left_out,
            representatives: summary.representatives.to_string(),
            covered: summary.covered.to_string(),
            peak_nodes: summary.peak_nodes,
            falsification_only: summary.falsification_only,
            image_ms: milliseconds(times.image),
            sigma_ms: milliseconds(times.sigma),
            iterations: summary.iterations.iter().map(Step::new).collect(),
        }
    }
}

impl Step {
    fn new(iteration: &Iteration) -> Step {
        let (kind, hint) = match iteration.kind {
            Kind::Start => ("start", None),
            Kind::Forward => ("forward", None),
            Kind::TakenUp(hint) => ("taken_up", Some(hint).filter(|&hint| hint > 0)),
        };
        Step {
            kind,
            hint,
            frontier: iteration.frontier.to_string(),
            frontier_nodes: iteration.frontier_nodes,
            under: iteration.under.to_string(),
            under_nodes: iteration.under_nodes,
            successors: iteration.successors.to_string(),
            known: iteration.known.to_string(),
            symmetric: iteration.symmetric.to_string(),
            added: iteration.added.to_string(),
            representatives: iteration.representatives.to_string(),
            representatives_nodes: iteration.representatives_nodes,
            covered: iteration.covered.to_string(),
            covered_nodes: iteration.covered_nodes,
            sigma_rounds: iteration.sigma_rounds,
            sigma_complete: iteration.sigma_complete,
            nodes: iteration.nodes,
        }
    }
}
