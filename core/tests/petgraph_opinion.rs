//! A second opinion on the quotient by petgraph's algorithms: whatever is true of a state whoever is who must be true of
//! the quotient if and only if it is true of the states.

use crate::support::programs::{Knobs, generate};
use orbitscope_core::check::Options;
use orbitscope_core::quotient::Prune;
use orbitscope_core::{GraphOf, Model};
use petgraph::Direction;
use petgraph::algo::{condensation, is_cyclic_directed};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Bfs, Reversed};
use std::collections::BTreeSet;

/// Petgraph's opinion on a graph.
#[allow(clippy::struct_excessive_bools, reason = "independent opinions")]
#[derive(PartialEq, Eq, Debug)]
struct Opinion {
    cyclic: bool,
    deadlocks: bool,
    /// Whether a run may start everywhere it can come to.
    home: bool,
    /// Whether some component is left for good without being a deadlock.
    bottom: bool,
    /// The most steps that the nearest way to some state has.
    depth: u32,
}

fn opinion<E: Clone>(graph: &DiGraph<orbitscope_core::draw::Node, E>) -> Opinion {
    let initial: Vec<NodeIndex> = graph.node_indices().filter(|&n| graph[n].initial).collect();
    let (mut row, mut depth) = (initial.clone(), 0);
    let mut seen: BTreeSet<NodeIndex> = initial.iter().copied().collect();
    while !row.is_empty() {
        let next = row.iter().flat_map(|&node| graph.neighbors(node));
        row = next.filter(|&node| seen.insert(node)).collect();
        depth += u32::from(!row.is_empty());
    }
    assert_eq!(seen.len(), graph.node_count(), "every node is reached");
    let mut back = BTreeSet::new();
    for &start in &initial {
        let mut walk = Bfs::new(Reversed(graph), start);
        while let Some(node) = walk.next(Reversed(graph)) {
            back.insert(node);
        }
    }
    let sinks = |node: &NodeIndex| graph.neighbors(*node).next().is_none();
    let components = condensation(graph.clone(), true);
    let bottom = components.node_indices().any(|c| {
        components.neighbors_directed(c, Direction::Outgoing).next().is_none()
            && components[c].iter().any(|node| !node.deadlock)
    });
    Opinion {
        cyclic: is_cyclic_directed(graph),
        deadlocks: graph.node_indices().any(|node| sinks(&node)),
        home: back.len() == graph.node_count(),
        bottom,
        depth,
    }
}

#[test]
fn the_quotient_has_the_shape_of_the_states() {
    let (mut smaller, mut cyclic, mut deadlocks) = (0, 0, 0);
    for seed in 0..150 {
        let text = generate(seed, &Knobs::default()).to_string();
        let model = Model::parse(&text).unwrap();
        let states = model.graph(GraphOf::States, 2_000).unwrap();
        if states.partial.is_some() {
            continue;
        }
        for prune in [Prune::None, Prune::Full] {
            let model = model.clone().with(Options { prune: Some(prune), ..Options::default() });
            let quotient = model.graph(GraphOf::Quotient, 2_000).unwrap();
            let (whole, folded) = (states.to_petgraph(), quotient.to_petgraph());
            let (ours, theirs) = (opinion(&folded), opinion(&whole));
            assert_eq!(ours, theirs, "seed {seed}, {prune:?}\n{text}");
            smaller += u32::from(folded.node_count() < whole.node_count());
            cyclic += u32::from(ours.cyclic);
            deadlocks += u32::from(ours.deadlocks);
        }
    }
    // The programs differ enough for the comparison to mean something.
    assert!(smaller > 50 && cyclic > 20 && deadlocks > 20, "{smaller} {cyclic} {deadlocks}");
}
