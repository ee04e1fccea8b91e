//! The graphs that the page draws.

use super::choices::Choices;
use super::film::Studio;
use super::model::CheckedModel;
use super::problem::{MAX_LABEL, Problem, clipped, fault};
use orbitscope_core::check::{FaultReport, Faulty, path_to};
use orbitscope_core::ctl::PartId;
use orbitscope_core::draw::{self, EdgeStyle, Graph, Picture};
use orbitscope_core::explore::{Exploration, Limits, Path, StopReason};
use orbitscope_core::product::{FairnessOf, Product, ProductFault};
use orbitscope_core::program::Program;
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage};
use orbitscope_core::search::{ThreadedSearch, WholeOutcome};
use serde::{Deserialize, Serialize};

/// How far the page draws. The bytes count where single states are large.
pub const LIMITS: Limits = Limits::new(2_000, 16 << 20);
/// A node takes the time that it takes to look at each variable of its state: so many variables are looked at for a picture,
const VALUES: u32 = 16_000_000;
/// and so many along the edges of a graph without symmetry,
const EDGE_VALUES: u32 = 32_000_000;
/// but so many nodes are drawn at least.
const FEWEST: u32 = 24;
/// A picture can grow this often: no browser shows a larger one smoothly.
pub const MOST_TIMES: u32 = 4;
/// The most lines of a node.
const MAX_LINES: usize = 40;
/// The most pruned edges that are drawn; of more, each kept edge says how many it stands for.
const GHOSTS: u64 = 120;
/// The most initial states that are taken in.
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
    /// The states that a part of a `ctl` or `mu` property is checked on; the page shows it as the property's AQSI.
    Part(PartId),
    /// The abstract system that stands for every size.
    Every,
}

impl GraphKind {
    /// Those that the page lets one choose, in its order.
    pub const ALL: [GraphKind; 5] =
        [GraphKind::States, GraphKind::Aqs, GraphKind::Aqsi, GraphKind::Product, GraphKind::Threaded];

    /// Its name on the page.
    pub fn name(self) -> &'static str {
        match self {
            GraphKind::States => "States",
            GraphKind::Aqs => "AQS",
            GraphKind::Aqsi | GraphKind::Part(_) => "AQSI",
            GraphKind::Product => "Product",
            GraphKind::Threaded => "Threaded",
            GraphKind::Every => "Every n",
        }
    }

    /// A sentence about the graph.
    pub fn about(self) -> &'static str {
        match self {
            GraphKind::States => "Every state of the program, without symmetry.",
            GraphKind::Aqs => "The annotated quotient: one state of each orbit.",
            GraphKind::Aqsi | GraphKind::Part(_) => {
                "The quotient with the processes that the property tracks told apart."
            }
            GraphKind::Product => "The quotient times the property's automaton: what the search walks on.",
            GraphKind::Threaded => "What the older method builds whole before it looks.",
            GraphKind::Every => "Counters that stop at a number: one system for every size.",
        }
    }

    /// Whether its nodes stand for orbits of states.
    pub fn has_orbits(self) -> bool {
        matches!(self, GraphKind::Aqs | GraphKind::Aqsi | GraphKind::Product | GraphKind::Part(_))
    }

    /// Whether it is a graph of a property's search.
    pub fn needs_search(self) -> bool {
        matches!(self, GraphKind::Aqsi | GraphKind::Product | GraphKind::Threaded)
    }
}

/// A drawn graph, laid out here so that the page need not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// In columns by the distance from the initial nodes.
    pub layered: Picture,
    /// By the numbers of processes in local states, where that tells the nodes apart.
    pub lattice: Option<Picture>,
    /// Whether the lattice is the clearer one.
    pub lattice_first: bool,
}

impl Drawing {
    /// Lays a graph out.
    pub fn new(graph: Graph) -> Drawing {
        Drawing::laid_out(graph, Picture::layered)
    }

    /// The drawing of a graph that has grown: what was drawn in columns stays where it is.
    #[must_use]
    pub fn grown(&self, graph: Graph) -> Drawing {
        Drawing::laid_out(graph, |graph| self.layered.grown(graph))
    }

    fn laid_out(mut graph: Graph, layered: impl FnOnce(Graph) -> Picture) -> Drawing {
        for node in &mut graph.nodes {
            for lines in [&mut node.label, &mut node.short, &mut node.below] {
                lines.truncate(MAX_LINES);
                for line in lines.iter_mut().filter(|line| line.len() > MAX_LABEL) {
                    *line = clipped(line);
                }
            }
        }
        let lattice = Picture::lattice(&graph);
        let lattice_first = lattice.as_ref().is_some_and(Picture::is_clear_lattice);
        Drawing { layered: layered(graph), lattice, lattice_first }
    }

    /// The graph that is drawn.
    pub fn graph(&self) -> &Graph {
        &self.layered.graph
    }

    /// How many nodes it has, and how many edges that are no ghosts.
    pub fn size(&self) -> (u32, u32) {
        let graph = self.graph();
        let edges = graph.edges.iter().filter(|edge| edge.style == EdgeStyle::Solid).count();
        (graph.nodes.len() as u32, edges as u32)
    }

    /// Whether this is all of the graph.
    pub fn is_complete(&self) -> bool {
        self.graph().partial.is_none()
    }
}

/// A graph of a model; the nodes have the numbers of the search where there is one. None where the graph needs a
/// search and there is none.
pub(super) fn picture<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    of: GraphKind,
    choices: Choices,
    times: u32,
) -> Result<Option<Graph>, Problem> {
    let room = room(&model.program, of, times);
    let drawn = match of {
        GraphKind::States => states(model, room, studio).map(Some),
        GraphKind::Aqs => if let Some(product) = studio.product() {
            quotient(product.aqsi_mut(), room)
        } else {
            let (program, symmetry) = (&model.program, choices.symmetry_of(model));
            let aqs = Aqs::new(program, &symmetry, choices.prune, EdgeStorage::Stored, MAX_ROOTS);
            quotient(&mut Aqsi::new(aqs, &[]), room)
        }
        .map(Some),
        GraphKind::Aqsi => studio.product().map(|product| tracked(product.aqsi_mut(), room)).transpose(),
        GraphKind::Product => studio.product().and_then(|found| product(found, room)).transpose(),
        GraphKind::Threaded => threaded(model, studio, choices, room).transpose(),
        GraphKind::Part(_) | GraphKind::Every => Ok(None),
    };
    drawn.map_err(|found| fault(&model.source, &model.program, &found, studio.name()))
}

/// How many nodes are drawn, after so many times as much again was asked for.
fn room(program: &Program, of: GraphKind, times: u32) -> u32 {
    let slots = program.layout.slots.max(1);
    // Without symmetry a node has about as many edges as processes, and each of them leads to a whole state.
    let nodes = if matches!(of, GraphKind::States | GraphKind::Threaded) {
        (EDGE_VALUES / slots.saturating_mul(slots)).min(VALUES / slots)
    } else {
        VALUES / slots
    };
    nodes.clamp(FEWEST, LIMITS.states) * (1 + times.min(MOST_TIMES))
}

/// A graph, or an error of the model.
type Drawn = Result<Graph, Box<FaultReport>>;

fn failed<T>(what: Faulty, path: Option<Path>) -> Result<T, Box<FaultReport>> {
    Err(Box::new(FaultReport { what, path }))
}

fn states(model: &CheckedModel, room: u32, studio: &mut Studio<'_>) -> Drawn {
    let limits = Limits { states: room, ..LIMITS };
    let mut exploration = Exploration::new(&model.program, limits, &[]).keeping_edges();
    exploration.run();
    if let Some(StopReason::Fault(state, fault)) = exploration.stopped() {
        return failed(Faulty::Step(fault.clone()), Some(exploration.path_to(*state)));
    }
    let mut graph = draw::state_graph(&exploration, "");
    studio.name_states(&model.program, &exploration, &mut graph);
    Ok(graph)
}

fn quotient(aqsi: &mut Aqsi<'_>, room: u32) -> Drawn {
    let drawn = draw::aqs_graph(aqsi.aqs_mut(), "", room, false).and_then(|graph| {
        let pruned: u64 = graph.edges.iter().map(|edge| edge.weight - 1).sum();
        let few = pruned > 0 && pruned <= GHOSTS;
        if few { draw::aqs_graph(aqsi.aqs_mut(), "", room, true) } else { Ok(graph) }
    });
    drawn.or_else(|(state, fault)| {
        failed(Faulty::Step(fault), path_to(aqsi, |aqsi, id| aqsi.node(id).0 == state))
    })
}

fn tracked(aqsi: &mut Aqsi<'_>, room: u32) -> Drawn {
    draw::aqsi_graph(aqsi, "", room)
        .or_else(|(at, fault)| failed(Faulty::Step(fault), path_to(aqsi, |_, id| id == at)))
}

/// The product; none where permutations cannot move its automaton's states, so that there is none.
fn product(product: &mut Product<'_>, room: u32) -> Option<Drawn> {
    let (at, what) = match draw::product_graph(product, "", room) {
        Ok(graph) => return Some(Ok(graph)),
        Err(ProductFault::Step(at, fault)) => (at, Faulty::Step(fault)),
        Err(ProductFault::Atom(at, fault)) => (at, Faulty::Property(fault)),
        Err(ProductFault::Automaton(_) | ProductFault::Full(_)) => return None,
    };
    Some(failed(what, path_to(product.aqsi_mut(), |_, id| id == at)))
}

fn threaded(model: &CheckedModel, studio: &mut Studio<'_>, choices: Choices, room: u32) -> Option<Drawn> {
    let program = &model.program;
    let fairness = FairnessOf::new(program, choices.fairness);
    let mut search = ThreadedSearch::new(program, studio.obligation()?, fairness, choices.deadlock, room);
    match draw::threaded_graph(&mut search, "", room) {
        Ok(mut graph) => {
            studio.name_threaded(program, &search, &mut graph);
            Some(Ok(graph))
        }
        Err(WholeOutcome::StepFault(fault)) => Some(failed(Faulty::Step(fault.clone()), None)),
        Err(WholeOutcome::AtomFault(fault)) => Some(failed(Faulty::Property(*fault), None)),
        Err(_) => None,
    }
}
