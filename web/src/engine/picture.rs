//! The graphs that the page draws.

use super::choices::Choices;
use super::film::Studio;
use super::model::CheckedModel;
use super::problem::{Problem, clipped, fault};
use orbitscope_core::check::{FaultReport, Faulty, path_to};
use orbitscope_core::draw::{self, Graph};
use orbitscope_core::explore::{Exploration, Limits, Path, StateId, StopReason};
use orbitscope_core::ids::{Id, IdVec};
use orbitscope_core::product::{FairnessOf, Product, ProductFault};
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage};
use orbitscope_core::search::{ThreadedSearch, WholeOutcome};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How far the page draws. The bytes count where single states are large.
pub const LIMITS: Limits = Limits { states: 2_000, bytes: 16 << 20 };
/// So many initial states are taken in.
const MAX_ROOTS: u32 = 100_000;

/// Which graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GraphKind {
    /// The states of the program.
    States,
    /// The annotated quotient.
    Aqs,
    /// The quotient with tracked processes.
    Aqsi,
    /// The product that is searched on the fly.
    Product,
    /// The product of the older method.
    Threaded,
}

impl GraphKind {
    /// All of them, in the order of the page.
    pub const ALL: [GraphKind; 5] =
        [GraphKind::States, GraphKind::Aqs, GraphKind::Aqsi, GraphKind::Product, GraphKind::Threaded];

    /// Its name on the page.
    pub fn name(self) -> &'static str {
        match self {
            GraphKind::States => "States",
            GraphKind::Aqs => "AQS",
            GraphKind::Aqsi => "AQSI",
            GraphKind::Product => "Product",
            GraphKind::Threaded => "Threaded",
        }
    }

    /// What it is, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            GraphKind::States => "Every state of the program, without symmetry.",
            GraphKind::Aqs => "The annotated quotient: one state of each orbit.",
            GraphKind::Aqsi => "The quotient with the processes that the property tracks told apart.",
            GraphKind::Product => "The quotient times the property's automaton: what the search walks on.",
            GraphKind::Threaded => "What the older method builds whole before it looks.",
        }
    }

    /// Whether it is a graph of a property's search.
    pub fn needs_search(self) -> bool {
        matches!(self, GraphKind::Aqsi | GraphKind::Product | GraphKind::Threaded)
    }
}

/// What can happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    /// Some process can move.
    Steps,
    /// No process can move.
    Deadlock,
    /// Not all of its steps are known: the limit came first.
    Unknown,
}

/// A reachable state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateNode {
    /// The values of its variables, in words.
    pub label: String,
    /// Its distance from the initial states.
    pub depth: u32,
    /// What can happen next.
    pub next: Next,
}

/// A step from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The state before.
    pub from: StateId,
    /// The state after.
    pub to: StateId,
    /// The process and its action.
    pub label: String,
}

/// The reachable states and the steps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateGraph {
    /// The states, in the order of finding.
    pub nodes: IdVec<StateId, StateNode>,
    /// The steps, by their source state.
    pub edges: Vec<Edge>,
    /// Whether this is all of it, or as much as the limit allowed.
    pub complete: bool,
}

/// Draws a graph of a model; the nodes have the numbers of the search where there is one. None where the graph needs a
/// search and there is none.
pub(super) fn picture<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    of: GraphKind,
    choices: Choices,
) -> Result<Option<StateGraph>, Problem> {
    let drawn = match of {
        GraphKind::States => states(model).map(Some),
        GraphKind::Aqs => if let Some(product) = studio.product() {
            quotient(product.aqsi_mut())
        } else {
            let (program, symmetry) = (&model.program, choices.symmetry_of(model));
            let aqs = Aqs::new(program, &symmetry, choices.prune, EdgeStorage::Stored, MAX_ROOTS);
            quotient(&mut Aqsi::new(aqs, &[]))
        }
        .map(Some),
        GraphKind::Aqsi => studio.product().map(|product| tracked(product.aqsi_mut())).transpose(),
        GraphKind::Product => studio.product().map(product).transpose(),
        GraphKind::Threaded => threaded(model, studio, choices).transpose(),
    };
    match drawn {
        Ok(graph) => Ok(graph.map(|graph| from_graph(&graph))),
        Err(found) => Err(fault(&model.source, &model.program, &found, studio.name())),
    }
}

/// A graph, or an error of the model.
type Drawn = Result<Graph, Box<FaultReport>>;

fn failed<T>(what: Faulty, path: Option<Path>) -> Result<T, Box<FaultReport>> {
    Err(Box::new(FaultReport { what, path }))
}

fn states(model: &CheckedModel) -> Drawn {
    let mut exploration = Exploration::new(&model.program, LIMITS, &[]).keeping_edges();
    exploration.run();
    match exploration.stopped() {
        Some(StopReason::Fault(state, fault)) => {
            failed(Faulty::Step(fault.clone()), Some(exploration.path_to(*state)))
        }
        _ => Ok(draw::state_graph(&exploration, "")),
    }
}

fn quotient(aqsi: &mut Aqsi<'_>) -> Drawn {
    draw::aqs_graph(aqsi.aqs_mut(), "", LIMITS.states, false).or_else(|(state, fault)| {
        failed(Faulty::Step(fault), path_to(aqsi, |aqsi, id| aqsi.node(id).0 == state))
    })
}

fn tracked(aqsi: &mut Aqsi<'_>) -> Drawn {
    draw::aqsi_graph(aqsi, "", LIMITS.states)
        .or_else(|(at, fault)| failed(Faulty::Step(fault), path_to(aqsi, |_, id| id == at)))
}

fn product(product: &mut Product<'_>) -> Drawn {
    draw::product_graph(product, "", LIMITS.states).or_else(|fault| {
        let (at, what) = match fault {
            ProductFault::Step(at, fault) => (at, Faulty::Step(fault)),
            ProductFault::Atom(at, fault) => (at, Faulty::Property(fault)),
        };
        failed(what, path_to(product.aqsi_mut(), |_, id| id == at))
    })
}

fn threaded(model: &CheckedModel, studio: &Studio<'_>, choices: Choices) -> Option<Drawn> {
    let program = &model.program;
    let fairness = FairnessOf::new(program, choices.fairness);
    let mut search =
        ThreadedSearch::new(program, studio.obligation()?, fairness, choices.deadlock, LIMITS.states);
    match draw::threaded_graph(&mut search, "", LIMITS.states) {
        Ok(graph) => Some(Ok(graph)),
        Err(WholeOutcome::StepFault(fault)) => Some(failed(Faulty::Step(fault.clone()), None)),
        Err(WholeOutcome::AtomFault(fault)) => Some(failed(Faulty::Property(*fault), None)),
        Err(_) => None,
    }
}

/// The graph with each node's distance from the initial ones.
fn from_graph(graph: &Graph) -> StateGraph {
    let mut depths: IdVec<draw::NodeId, Option<u32>> = vec![None; graph.nodes.len()].into();
    let mut successors: IdVec<draw::NodeId, Vec<draw::NodeId>> = vec![Vec::new(); graph.nodes.len()].into();
    for edge in &graph.edges {
        successors[edge.from].push(edge.to);
    }
    let mut queue: VecDeque<draw::NodeId> = graph.nodes.ids().filter(|&id| graph.nodes[id].initial).collect();
    for &id in &queue {
        depths[id] = Some(0);
    }
    while let Some(id) = queue.pop_front() {
        let next = depths[id].unwrap_or(0) + 1;
        for &to in &successors[id] {
            if depths[to].is_none() {
                depths[to] = Some(next);
                queue.push_back(to);
            }
        }
    }
    let node = |(id, node): (draw::NodeId, &draw::Node)| StateNode {
        label: clipped(&node.label.join(" ")),
        depth: depths[id].unwrap_or(0),
        next: if node.open {
            Next::Unknown
        } else if node.deadlock {
            Next::Deadlock
        } else {
            Next::Steps
        },
    };
    let edge = |edge: &draw::Edge| Edge {
        from: StateId::from_index(edge.from.index()),
        to: StateId::from_index(edge.to.index()),
        label: edge.label.clone(),
    };
    StateGraph {
        nodes: graph.nodes.iter_enumerated().map(node).collect(),
        edges: graph.edges.iter().map(edge).collect(),
        complete: graph.partial.is_none(),
    }
}
