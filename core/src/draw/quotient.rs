//! The picture of the annotated quotient: local states on top, the representative processes of their classes below,
//! edges with permutation and process, as in figures 2 and 5 of Gyuris & Sistla.

use super::axes::Coordinates;
use super::compact::Compact;
use super::glyph::Glyphs;
use super::{Edge, EdgeStyle, Graph, Node, NodeId, Step};
use crate::automaton::AutomatonState;
use crate::ctl::{CtlCheck, PartId};
use crate::group::{Group, Order, Perm, Process};
use crate::program::{Program, StepFault};
use crate::quotient::{Aqs, AqsId, Aqsi, AqsiId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Larger numbers of states are not written out.
const STANDS_FOR_DIGITS: usize = 400;

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
/// assert_eq!(graph.edges[draw::EdgeId(0)].label, "id, 0.go");
/// ```
pub fn aqs_graph(
    aqs: &mut Aqs<'_>,
    title: impl Into<String>,
    limit: u32,
    ghosts: bool,
) -> Result<Graph, (AqsId, StepFault)> {
    let mut sketch = Sketch::new(aqs.program(), title, aqs.reduction().group());
    let mut next = AqsId(0);
    while next.0 < aqs.len().min(limit) {
        let fault = |fault| (next, fault);
        let edges = aqs.edges(next).map_err(fault)?;
        sketch.node(&aqs.flat(next), next, &[], None, &aqs.stabiliser(next), edges.is_empty());
        for (position, edge) in (0..).zip(edges.iter()) {
            let step = Some(Step::new(edge.process, edge.action, &edge.arguments));
            sketch.edge((next.0, edge.target.0), &edge.perm, step, (position, edge.weight));
        }
        if ghosts {
            for pruned in aqs.pruned(next).map_err(fault)? {
                let edge = &pruned.edge;
                let step = Some(Step::new(edge.process, edge.action, &edge.arguments));
                let position = pruned.parallel_to as u32;
                sketch.edge((next.0, edge.target.0), &edge.perm, step, (position, 1));
                sketch.ghost(pruned.shown_by.as_ref());
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
    let mut sketch = Sketch::new(aqsi.aqs().program(), title, aqsi.aqs().reduction().group());
    let mut next = AqsiId(0);
    while next.0 < aqsi.len().min(limit) {
        let edges = aqsi.edges(next).map_err(|fault| (next, fault))?;
        let (state, tracked) = aqsi.node(next);
        let fixing = aqsi.aqs().stabiliser(state).stabiliser(tracked);
        sketch.node(&aqsi.aqs().flat(state), state, tracked, None, &fixing, edges.is_empty());
        for (position, edge) in (0..).zip(edges.iter()) {
            let step = Some(Step::new(edge.process, edge.action, &edge.arguments));
            sketch.edge((next.0, edge.target.0), &edge.perm, step, (position, edge.weight));
        }
        next = AqsiId(next.0 + 1);
    }
    let roots: Vec<u32> = aqsi.roots().iter().map(|(id, _)| id.0).collect();
    Ok(sketch.finish(&roots, aqsi.len(), aqsi.aqs().has_all_roots()))
}

/// The first `limit` states that a part of a `ctl` or `mu` property was checked on: node k is vertex k. A part without
/// temporal operators has states and no edges.
pub fn part_graph(check: &mut CtlCheck<'_>, part: PartId, title: impl Into<String>, limit: u32) -> Graph {
    let (found, starts) = (check.graph(part).len(), check.starts(part));
    let temporal = check.formula().parts[part].temporal;
    let aqsi = check.quotient_mut(part);
    let mut sketch = Sketch::new(aqsi.aqs().program(), title, aqsi.aqs().reduction().group());
    for next in (0..found.min(limit)).map(AqsiId) {
        // A state that was checked could be expanded, so there is no error here.
        let edges = if temporal { aqsi.unstored_edges(next).unwrap_or_default() } else { Vec::new() };
        let (state, tracked) = aqsi.node(next);
        let fixing = aqsi.aqs().stabiliser(state).stabiliser(tracked);
        sketch.node(&aqsi.aqs().flat(state), state, tracked, None, &fixing, temporal && edges.is_empty());
        for (position, edge) in (0..).zip(&edges) {
            let step = Some(Step::new(edge.process, edge.action, &edge.arguments));
            sketch.edge((next.0, edge.target.0), &edge.perm, step, (position, edge.weight));
        }
    }
    let roots: Vec<u32> = starts.into_iter().map(|vertex| vertex.0).collect();
    sketch.finish(&roots, found, true)
}

pub(super) struct Sketch<'p> {
    pub(super) compact: Compact<'p>,
    pub(super) graph: Graph,
    glyphs: Glyphs<'p>,
    coordinates: Coordinates,
    tracked: usize,
    order: Order,
    /// An edge may lead to a state that is not drawn.
    edges: Vec<Edge>,
}

impl<'p> Sketch<'p> {
    pub(super) fn new(program: &'p Program, title: impl Into<String>, group: &Group) -> Self {
        let mut graph = Graph::new(title);
        graph.actions = program.actions.iter().map(|action| action.name.clone()).collect();
        Sketch {
            compact: Compact::new(program),
            graph,
            glyphs: Glyphs::new(program),
            coordinates: Coordinates::default(),
            tracked: 0,
            order: group.order(),
            edges: Vec::new(),
        }
    }

    /// The next node: (s, l⃗), what fixes both, and the automaton's state where there is one.
    pub(super) fn node(
        &mut self,
        flat: &[i32],
        state: AqsId,
        tracked: &[Process],
        automaton: Option<AutomatonState>,
        fixing: &Group,
        deadlock: bool,
    ) {
        let mut label = self.compact.state(flat);
        if !tracked.is_empty() {
            label.push(format!("l={}", self.compact.processes(tracked.iter().copied())));
        }
        label.extend(automaton.map(|q| format!("q{}", q.0)));
        let below = alloc::vec![self.compact.processes(fixing.orbits().names())];
        let letter = if automaton.is_some() { 'u' } else { 's' };
        self.tracked = tracked.len();
        if self.graph.strips.is_empty() {
            self.graph.strips = self.glyphs.names(automaton.is_some());
        }
        self.coordinates.node(&self.compact, flat, tracked, automaton.map(|q| q.0));
        self.graph.nodes.push(Node {
            label,
            below,
            deadlock,
            glyph: self.glyphs.glyph(flat, tracked, automaton),
            class: automaton.map(|q| q.0),
            state: Some((state, tracked.to_vec())),
            stands_for: self.order.over(&fixing.order(), STANDS_FOR_DIGITS),
            ..Node::new(format!("{letter}{}", self.graph.nodes.len()))
        });
    }

    /// The next edge: where it starts and leads, its permutation and step, its position and weight.
    pub(super) fn edge(
        &mut self,
        (from, to): (u32, u32),
        perm: &Perm,
        step: Option<Step>,
        (position, weight): (u32, u64),
    ) {
        let over = step.as_ref().map_or_else(|| "stutter".into(), |step| self.compact.step(step));
        let cycles = self.compact.perm(perm);
        let label = format!("{cycles}, {over}");
        let under = if perm.is_identity() { String::new() } else { cycles };
        let edge = Edge { over, under, position, step, weight, ..Edge::new(NodeId(from), NodeId(to), label) };
        self.edges.push(edge);
    }

    /// The last edge is left out of the search, since a permutation takes another to it.
    fn ghost(&mut self, shown_by: Option<&Perm>) {
        let Some(edge) = self.edges.last_mut() else { return };
        edge.style = EdgeStyle::Ghost;
        edge.under = String::new();
        if let Some(rho) = shown_by {
            let rho = self.compact.perm(rho);
            edge.label.push_str(", ρ=");
            edge.label.push_str(&rho);
            edge.under = format!("by {rho}");
        }
    }

    /// Something more about the last edge.
    pub(super) fn note(&mut self, note: &str) {
        if let Some(edge) = self.edges.last_mut() {
            for text in [&mut edge.label, &mut edge.over] {
                text.push(' ');
                text.push_str(note);
            }
        }
    }

    /// The graph. An edge to a state beyond the limit is left out, and where it starts is marked.
    pub(super) fn finish(mut self, roots: &[u32], found: u32, all_roots: bool) -> Graph {
        self.coordinates.finish(&self.compact, self.tracked, &mut self.graph);
        let drawn = self.graph.nodes.len() as u32;
        for &root in roots.iter().filter(|&&root| root < drawn) {
            self.graph.nodes[NodeId(root)].initial = true;
        }
        for edge in self.edges {
            if edge.to.0 < drawn {
                self.graph.edges.push(edge);
            } else {
                self.graph.nodes[edge.from].open = true;
            }
        }
        if drawn < found || !all_roots {
            self.graph.partial = Some(format!("only the first {drawn} states of the quotient"));
        }
        self.graph
    }
}
