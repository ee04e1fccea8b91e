//! Pictures of the product: of what the on-the-fly search walks on, and of what the older method builds.
//!
//! A node has its state, where the tracked processes are, and the state of the automaton; an edge has the permutation, the
//! step, and the acceptance sets of the automaton's move.

use super::quotient::Sketch;
use super::{EdgeStyle, Graph, NodeId as DrawnId};
use crate::automaton::{AutomatonState, Marks};
use crate::group::{Perm, Process};
use crate::product::{NodeId, Points, Product, ProductEdge, ProductFault};
use crate::program::ActionId;
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
    let mut sketch = Sketch::new(product.program(), title);
    let mut next = NodeId(0);
    while next.0 < product.len().min(limit) {
        let edges = product.edges(next)?;
        let deadlock = product.place(next)?.enabled == Points::default();
        let (place, q) = product.node(next);
        let (state, tracked) = product.aqsi().node(place);
        let flat = product.aqsi().aqs().flat(state);
        let classes = product.aqsi().aqs().stabiliser(state).stabiliser(tracked).orbits();
        node(&mut sketch, &flat, tracked, q, classes.names(), deadlock);
        for edge in edges {
            let step = match edge.step {
                Some(number) => {
                    let step = product.step(next, number)?;
                    Some((step.process, step.action, step.arguments))
                }
                None => None,
            };
            draw_edge(&mut sketch, next, &edge, step);
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
    let mut sketch = Sketch::new(search.aqs().program(), title);
    for id in (0..search.len().min(limit)).map(NodeId) {
        let (state, tracked, q) = search.node(id);
        let edges = search.edges(id);
        let classes = search.aqs().stabiliser(*state).stabiliser(tracked).orbits();
        let deadlock = search.is_deadlock(id);
        node(&mut sketch, &search.aqs().flat(*state), tracked, *q, classes.names(), deadlock);
        for edge in &edges {
            let step = edge.step.map(|number| {
                let step = search.quotient_edge(id, number);
                (step.process, step.action, step.arguments.clone())
            });
            draw_edge(&mut sketch, id, edge, step);
        }
        if !search.is_expanded(id) {
            sketch.graph.nodes[DrawnId(id.0)].open = true;
        }
    }
    let roots: Vec<u32> = search.roots().iter().map(|(id, _)| id.0).collect();
    Ok(finish(sketch, &roots, search.len(), search.is_built()))
}

fn node(
    sketch: &mut Sketch<'_>,
    flat: &[i32],
    tracked: &[Process],
    q: AutomatonState,
    representatives: impl Iterator<Item = Process>,
    deadlock: bool,
) {
    sketch.node(flat, tracked, representatives, deadlock);
    let drawn = DrawnId(sketch.graph.nodes.len() as u32 - 1);
    let node = &mut sketch.graph.nodes[drawn];
    node.name = format!("u{}", drawn.0);
    node.label.push(format!("q{}", q.0));
    node.class = Some(q.0);
}

fn draw_edge(
    sketch: &mut Sketch<'_>,
    from: NodeId,
    edge: &ProductEdge,
    step: Option<(Process, ActionId, Vec<i64>)>,
) {
    let mut label = match step {
        Some((process, action, arguments)) => sketch.label(&edge.perm, process, action, &arguments),
        None => format!("{}, stutter", sketch.compact.perm(&Perm::identity())),
    };
    if edge.marks != Marks::EMPTY {
        let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
        label.push_str(" {");
        label.push_str(&marks.join(","));
        label.push('}');
    }
    sketch.edge(from.0, edge.target.0, label, EdgeStyle::Solid);
}

fn finish(sketch: Sketch<'_>, roots: &[u32], found: u32, all: bool) -> Graph {
    let mut graph = sketch.finish(roots, found, all);
    if graph.partial.is_some() {
        graph.partial = Some(format!("only the first {} nodes of the product", graph.nodes.len()));
    }
    graph
}
