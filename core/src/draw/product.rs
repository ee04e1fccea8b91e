//! Pictures of the product: of what the on-the-fly search walks on, and of what the older method builds.
//!
//! A node has its state, where the tracked processes are, and the state of the automaton; an edge has the permutation, the
//! step, and the acceptance sets of the automaton's move.

use super::quotient::Sketch;
use super::{Graph, NodeId as DrawnId, Step};
use crate::automaton::Marks;
use crate::product::{NodeId, ProcessSet, Product, ProductEdge, ProductFault};
use crate::search::{ThreadedSearch, WholeOutcome};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The first `limit` nodes of a product with their edges.
pub fn product_graph(
    product: &mut Product<'_>,
    title: impl Into<String>,
    limit: u32,
) -> Result<Graph, ProductFault> {
    let group = product.aqsi().aqs().reduction().group().clone();
    let mut sketch = Sketch::new(product.program(), title, &group);
    let mut next = NodeId(0);
    while next.0 < product.len().min(limit) {
        let edges = product.edges(next)?;
        let deadlock = product.place(next)?.enabled == ProcessSet::default();
        let (place, q) = product.node(next);
        let (state, tracked) = product.aqsi().node(place);
        let flat = product.aqsi().aqs().flat(state);
        let fixing = product.aqsi().aqs().stabiliser(state).stabiliser(tracked);
        sketch.node(&flat, state, tracked, Some(q), &fixing, deadlock);
        for (position, edge) in (0..).zip(&edges) {
            let (step, weight) = match edge.step {
                Some(number) => {
                    let step = product.step(next, number)?;
                    (Some(Step::new(step.process, step.action, &step.arguments)), step.weight)
                }
                None => (None, 1),
            };
            draw_edge(&mut sketch, next, edge, step, (position, weight));
        }
        next = NodeId(next.0 + 1);
    }
    let roots: Vec<u32> = product.roots().iter().map(|(id, _)| id.0).collect();
    Ok(finish(sketch, &roots, product.len(), product.has_all_roots()))
}

/// The first `limit` nodes of the older method's product with their edges.
pub fn threaded_graph<'s>(
    search: &'s mut ThreadedSearch<'_>,
    title: impl Into<String>,
    limit: u32,
) -> Result<Graph, &'s WholeOutcome> {
    while !search.is_built() && search.len() <= limit && search.step() {}
    if matches!(search.outcome(), Some(WholeOutcome::StepFault(_) | WholeOutcome::AtomFault(_))) {
        return Err(search.outcome().unwrap_or(&WholeOutcome::Holds));
    }
    let group = search.aqs().reduction().group().clone();
    let mut sketch = Sketch::new(search.aqs().program(), title, &group);
    for id in (0..search.len().min(limit)).map(NodeId) {
        let (state, tracked, q) = search.node(id);
        let edges = search.edges(id);
        let fixing = search.aqs().stabiliser(*state).stabiliser(tracked);
        let deadlock = search.is_deadlock(id);
        sketch.node(&search.aqs().flat(*state), *state, tracked, Some(*q), &fixing, deadlock);
        for (position, edge) in (0..).zip(&edges) {
            let step = edge.step.map(|number| {
                let step = search.quotient_edge(id, number);
                Step::new(step.process, step.action, &step.arguments)
            });
            draw_edge(&mut sketch, id, edge, step, (position, 1));
        }
        if !search.is_expanded(id) {
            sketch.graph.nodes[DrawnId(id.0)].open = true;
        }
    }
    let roots: Vec<u32> = search.roots().iter().map(|(id, _)| id.0).collect();
    Ok(finish(sketch, &roots, search.len(), search.is_built()))
}

fn draw_edge(
    sketch: &mut Sketch<'_>,
    from: NodeId,
    edge: &ProductEdge,
    step: Option<Step>,
    (position, weight): (u32, u64),
) {
    sketch.edge((from.0, edge.target.0), &edge.perm, step, (position, weight));
    if edge.marks != Marks::EMPTY {
        let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
        sketch.note(&format!("{{{}}}", marks.join(",")));
    }
}

fn finish(sketch: Sketch<'_>, roots: &[u32], found: u32, all: bool) -> Graph {
    let mut graph = sketch.finish(roots, found, all);
    if graph.partial.is_some() {
        graph.partial = Some(format!("only the first {} nodes of the product", graph.nodes.len()));
    }
    graph
}
