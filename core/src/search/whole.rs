//! The part that two methods share: both build the product whole before they look at it.

use super::component::Component;
use super::graph::{Graph, InnerEdge};
use crate::automaton::Marks;
use crate::automaton::scc::components;
use crate::error::Limit;
use crate::product::NodeId;
use crate::program::{Fault, StepFault};
use alloc::vec::Vec;

/// How a method ended that builds the product whole.
#[derive(Clone, Debug)]
pub enum WholeOutcome {
    /// No fair computation is accepted.
    Holds,
    /// The computations of this component are fair and accepted.
    Violated(Component),
    /// More was needed than is allowed.
    Limit(Limit),
    /// The model has an error.
    StepFault(StepFault),
    /// The property has an error.
    AtomFault(Fault),
}

/// An edge of the product: the step of its source's state that it follows, none where a state without steps repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub step: Option<u32>,
    pub marks: Marks,
    pub target: u32,
}

/// The search for a fair component among all nodes, one component at a time.
#[derive(Clone, Debug)]
pub(super) struct Decomposition {
    /// Sets of nodes that are still to be cut into components.
    pending: Vec<Vec<u32>>,
    /// Components that are still to be tested.
    parts: Vec<Vec<u32>>,
}

/// The find of a step of the decomposition.
enum Found {
    /// Nothing yet.
    More,
    /// There is no fair component.
    Nothing,
    /// The nodes of a fair and accepted component.
    Fair(Vec<u32>),
}

impl Decomposition {
    pub(super) fn new(nodes: u32) -> Self {
        Decomposition { pending: alloc::vec![(0..nodes).collect()], parts: Vec::new() }
    }

    /// Cuts a set of nodes into components, or tests one of them: `fair` gives back all its nodes if it is fair, none if
    /// no part of it can be, and otherwise the nodes that a fair part of it may have.
    fn step(
        &mut self,
        edges: &[Vec<Edge>],
        all: Marks,
        fair: impl FnOnce(&[u32]) -> Option<Vec<u32>>,
    ) -> Found {
        while let Some(part) = self.parts.pop() {
            let inside = |n: u32| edges[n as usize].iter().filter(|e| part.binary_search(&e.target).is_ok());
            let mut marks = part.iter().flat_map(|&n| inside(n)).map(|e| e.marks).peekable();
            if marks.peek().is_none() || marks.fold(Marks::EMPTY, Marks::union) != all {
                continue;
            }
            return match fair(&part) {
                Some(rest) if rest.len() == part.len() => Found::Fair(part),
                Some(rest) => {
                    self.pending.push(rest);
                    Found::More
                }
                None => Found::More,
            };
        }
        let Some(nodes) = self.pending.pop() else { return Found::Nothing };
        let place = |n: u32| nodes.binary_search(&n).ok().map(|i| i as u32);
        let found = components(nodes.len(), |n| {
            edges[nodes[n as usize] as usize].iter().filter_map(|e| place(e.target))
        });
        let parts = found.members.into_iter().map(|p| p.into_iter().map(|n| nodes[n as usize]).collect());
        self.parts = parts.collect();
        Found::More
    }

    /// Does a step; says how the method ends, once that is known.
    pub(super) fn look(
        &mut self,
        edges: &[Vec<Edge>],
        all: Marks,
        fair: impl FnOnce(&[u32]) -> Option<Vec<u32>>,
    ) -> Option<WholeOutcome> {
        match self.step(edges, all, fair) {
            Found::More => None,
            Found::Nothing => Some(WholeOutcome::Holds),
            Found::Fair(part) => Some(WholeOutcome::Violated(component(&part, edges))),
        }
    }
}

/// A component, as a run is walked on, of a product with these edges.
fn component(part: &[u32], edges: &[Vec<Edge>]) -> Component {
    let mut graph = Graph::default();
    for &node in part {
        let own = (0..).zip(&edges[node as usize]);
        graph.push(own.filter_map(|(number, edge)| {
            let target = part.binary_search(&edge.target).ok()? as u32;
            Some(InnerEdge { target, number, marks: edge.marks })
        }));
    }
    Component::new(part.iter().copied().map(NodeId).collect(), graph)
}
