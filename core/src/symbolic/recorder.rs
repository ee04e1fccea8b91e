//! The small diagrams of a search, for whoever wants to look at them. A search that nobody records makes none.

use super::log::Iteration;
use super::model::Model;
use super::reach::{Phase, Reach};
use crate::bdd::{Bdd, BddGraph, Variable};
use crate::natural::Natural;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The sets before the first iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Start {
    /// The initial states: the first frontier and the first representatives.
    pub states: Natural,
    /// Those that are symmetric to them, themselves included.
    pub covered: Natural,
    /// The diagrams of both.
    pub diagrams: Diagrams,
}

/// The sets of an iteration as diagrams. One that is too large has no nodes, but says how many there are.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagrams {
    /// The frontier.
    pub frontier: BddGraph,
    /// The part of it that was expanded.
    pub under: BddGraph,
    /// All representatives at the end of the iteration.
    pub representatives: BddGraph,
    /// The states that are known to be symmetric to them then.
    pub covered: BddGraph,
}

/// Takes down the diagrams of a search while it goes on; of several searches, those of the last one.
///
/// ```
/// use orbitscope_core::symbolic::{Model, Question, Reach, Recorder, SymbolicOptions};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[3] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let model = Model::new(&program, 0, 1_000_000).unwrap();
/// let generators = symmetry::detect(&program).group.generators().collect::<Vec<_>>();
/// let mut reach =
///     Reach::new(model, generators, &SymbolicOptions::default(), Question::default()).unwrap();
/// let mut recorder = Recorder::new(60, 1000);
/// while reach.step() {
///     recorder.look(&reach);
/// }
/// assert_eq!(recorder.iterations().len(), reach.iterations().len());
/// // One variable for each process, all of them false at the start.
/// assert_eq!(recorder.start().unwrap().diagrams.frontier.nodes.len(), 2 + 3);
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    most_nodes: u32,
    most_iterations: u32,
    names: BTreeMap<Variable, String>,
    start: Option<Start>,
    /// The frontier of the iteration under way, and the part of it that is expanded.
    begun: Option<(BddGraph, BddGraph)>,
    ended: Vec<Diagrams>,
}

impl Recorder {
    /// A recorder of at most `most_iterations` iterations, each with a diagram of at most `most_nodes` nodes.
    pub fn new(most_nodes: u32, most_iterations: u32) -> Recorder {
        Recorder {
            most_nodes,
            most_iterations,
            names: BTreeMap::new(),
            start: None,
            begun: None,
            ended: Vec::new(),
        }
    }

    /// The sets before the first iteration, once the search has come to it.
    pub fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// The iterations that have ended, as many as are recorded.
    pub fn iterations(&self) -> &[Diagrams] {
        &self.ended
    }

    /// Looks at a search: to be called after each of its steps.
    pub fn look(&mut self, reach: &Reach<'_>) {
        let model = reach.model();
        if model.bdds.overflowed() {
            return;
        }
        let ended = reach.iterations().len();
        match (reach.current(), reach.iterations().last()) {
            (None, None) if reach.phase() == Phase::Sigma => {
                *self = Recorder::new(self.most_nodes, self.most_iterations);
            }
            (None, None) if self.start.is_none() => self.start = Some(self.started(reach)),
            (Some(current), _)
                if self.begun.is_none()
                    && ended == self.ended.len()
                    && ended < self.most_iterations as usize =>
            {
                let frontier = self.graph(model, reach.frontier(), current.frontier_nodes);
                let under = self.graph(model, reach.under(), current.under_nodes);
                self.begun = Some((frontier, under));
            }
            (None, Some(last)) => {
                if let Some((frontier, under)) = self.begun.take() {
                    let Iteration { representatives_nodes, covered_nodes, .. } = *last;
                    let representatives = self.graph(model, reach.representatives(), representatives_nodes);
                    let covered = self.graph(model, reach.covered(), covered_nodes);
                    self.ended.push(Diagrams { frontier, under, representatives, covered });
                }
            }
            _ => {}
        }
    }

    fn started(&mut self, reach: &Reach<'_>) -> Start {
        let model = reach.model();
        let mut graph = |set: &Bdd| self.graph(model, set, model.bdds.size([set]));
        let frontier = graph(reach.frontier());
        let covered = graph(reach.covered());
        Start {
            states: model.count(reach.representatives()),
            covered: model.count(reach.covered()),
            diagrams: Diagrams {
                under: frontier.clone(),
                representatives: frontier.clone(),
                frontier,
                covered,
            },
        }
    }

    /// A set of this size as a graph. A variable's name is looked for once: that takes longer than all the rest.
    fn graph(&mut self, model: &Model<'_>, set: &Bdd, nodes: u32) -> BddGraph {
        if nodes > self.most_nodes {
            return BddGraph::left_out(nodes);
        }
        for variable in model.bdds.support(set) {
            let name = || model.encoding().name(model.program(), variable);
            self.names.entry(variable).or_insert_with(name);
        }
        let name = |variable: Variable| self.names.get(&variable).cloned().unwrap_or_default();
        BddGraph::new(&model.bdds, set, self.most_nodes, name)
    }
}
