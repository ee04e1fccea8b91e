//! The picture of the annotated quotient: local states on top, the representative processes of their classes below,
//! edges with permutation and process, as in figures 2 and 5 of Gyuris & Sistla.

use super::compact::Compact;
use super::{Edge, EdgeStyle, Graph, Node, NodeId};
use crate::group::{Perm, Process};
use crate::program::{ActionId, Domain, Program, StepFault};
use crate::quotient::{Aqs, AqsId, Aqsi, AqsiId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The first `limit` states of a quotient with their edges. With `ghosts`, pruned edges are drawn too, each with the
/// permutation that makes it redundant.
///
/// ```
/// use orbitscope_core::{draw, program, quotient::{Aqs, EdgeStorage, Prune}, symmetry, syntax::parse};
/// let parsed = parse("process p[3] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let mut aqs =
///     Aqs::new(&program, &symmetry::detect(&program), Prune::Full, EdgeStorage::Stored, 1000);
/// let graph = draw::aqs_graph(&mut aqs, "bits", 1000, false).unwrap();
/// assert_eq!((graph.nodes.len(), graph.edges.len()), (4, 3));
/// assert_eq!(graph.edges[0].label, "id, 0.go");
/// ```
pub fn aqs_graph(
    aqs: &mut Aqs<'_>,
    title: impl Into<String>,
    limit: u32,
    ghosts: bool,
) -> Result<Graph, (AqsId, StepFault)> {
    let program = aqs.program();
    let mut sketch = Sketch::new(program, title);
    let mut next = AqsId(0);
    while next.0 < aqs.len().min(limit) {
        let fault = |fault| (next, fault);
        let edges = aqs.edges(next).map_err(fault)?;
        let classes = aqs.stabiliser(next).orbits();
        let deadlock = edges.is_empty();
        sketch.node(&aqs.flat(next), &[], classes.names(), deadlock);
        for edge in edges.iter() {
            let label = sketch.label(&edge.perm, edge.process, edge.action, &edge.arguments);
            sketch.edge(next.0, edge.target.0, label, EdgeStyle::Solid);
        }
        if ghosts {
            for pruned in aqs.pruned(next).map_err(fault)? {
                let edge = &pruned.edge;
                let mut label = sketch.label(&edge.perm, edge.process, edge.action, &edge.arguments);
                if let Some(rho) = &pruned.shown_by {
                    label.push_str(", ρ=");
                    label.push_str(&sketch.compact.perm(rho));
                }
                sketch.edge(next.0, edge.target.0, label, EdgeStyle::Ghost);
            }
        }
        next = AqsId(next.0 + 1);
    }
    let roots: Vec<u32> = aqs.roots().iter().map(|root| root.state.0).collect();
    Ok(sketch.finish(&roots, aqs.len(), aqs.has_all_roots()))
}

/// The first `limit` states of a quotient with tracked processes, each with where these are.
pub fn aqsi_graph(
    aqsi: &mut Aqsi<'_>,
    title: impl Into<String>,
    limit: u32,
) -> Result<Graph, (AqsiId, StepFault)> {
    let program = aqsi.aqs().program();
    let mut sketch = Sketch::new(program, title);
    let mut next = AqsiId(0);
    while next.0 < aqsi.len().min(limit) {
        let edges = aqsi.edges(next).map_err(|fault| (next, fault))?;
        let (state, tracked) = aqsi.node(next);
        let classes = aqsi.aqs().stabiliser(state).stabiliser(tracked).orbits();
        sketch.node(&aqsi.aqs().flat(state), tracked, classes.names(), edges.is_empty());
        for edge in edges.iter() {
            let label = sketch.label(&edge.perm, edge.process, edge.action, &edge.arguments);
            sketch.edge(next.0, edge.target.0, label, EdgeStyle::Solid);
        }
        next = AqsiId(next.0 + 1);
    }
    let roots: Vec<u32> = aqsi.roots().iter().map(|(id, _)| id.0).collect();
    Ok(sketch.finish(&roots, aqsi.len(), aqsi.aqs().has_all_roots()))
}

pub(super) struct Sketch<'p> {
    program: &'p Program,
    pub(super) compact: Compact<'p>,
    pub(super) graph: Graph,
    /// Where each edge starts and leads: it may lead to a state that is not drawn.
    edges: Vec<(u32, u32, String, EdgeStyle)>,
}

impl<'p> Sketch<'p> {
    pub(super) fn new(program: &'p Program, title: impl Into<String>) -> Self {
        Sketch { program, compact: Compact::new(program), graph: Graph::new(title), edges: Vec::new() }
    }

    pub(super) fn node(
        &mut self,
        flat: &[i32],
        tracked: &[Process],
        representatives: impl Iterator<Item = Process>,
        deadlock: bool,
    ) {
        let mut label = self.compact.state(flat);
        if !tracked.is_empty() {
            label.push(format!("l={}", self.compact.processes(tracked.iter().copied())));
        }
        let below = alloc::vec![self.compact.processes(representatives)];
        let name = format!("s{}", self.graph.nodes.len());
        self.graph.nodes.push(Node { label, below, deadlock, ..Node::new(name) });
    }

    pub(super) fn label(&self, perm: &Perm, process: Process, action: ActionId, arguments: &[i64]) -> String {
        let params = &self.program.actions[action].params;
        let arguments: Vec<String> = params
            .iter()
            .zip(arguments)
            .map(|(param, &value)| match param.domain {
                Domain::Family(family) => self.compact.process(self.program.process(family, value as u32)),
                Domain::Range(..) => format!("{value}"),
            })
            .collect();
        let arguments =
            if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let (perm, process) = (self.compact.perm(perm), self.compact.process(process));
        format!("{perm}, {process}.{}{arguments}", self.program.actions[action].name)
    }

    pub(super) fn edge(&mut self, from: u32, to: u32, label: String, style: EdgeStyle) {
        self.edges.push((from, to, label, style));
    }

    /// The graph. An edge to a state beyond the limit is left out, and where it starts is marked.
    pub(super) fn finish(mut self, roots: &[u32], found: u32, all_roots: bool) -> Graph {
        let drawn = self.graph.nodes.len() as u32;
        for &root in roots.iter().filter(|&&root| root < drawn) {
            self.graph.nodes[NodeId(root)].initial = true;
        }
        for (from, to, label, style) in self.edges {
            if to < drawn {
                self.graph.edges.push(Edge { from: NodeId(from), to: NodeId(to), label, style });
            } else {
                self.graph.nodes[NodeId(from)].open = true;
            }
        }
        if drawn < found || !all_roots {
            self.graph.partial = Some(format!("only the first {drawn} states of the quotient"));
        }
        self.graph
    }
}
