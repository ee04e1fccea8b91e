//! The edges between some nodes of a product, without what they are made of.
//!
//! An edge with its permutation takes more memory than there is for all of them, and time to make again. Where it leads, what marks
//! it has, and which of its node's edges it is takes sixteen bytes: enough to look for ways, on which few edges are made again.

use crate::automaton::Marks;
use crate::automaton::scc::components;
use alloc::vec::Vec;

/// An edge from one of the nodes to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerEdge {
    /// The place of its target among the nodes.
    pub target: u32,
    /// Its number among all edges of its node.
    pub number: u32,
    pub marks: Marks,
}

/// The edges between some nodes, which are named by their places among these.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Where the edges of each node end.
    ends: Vec<usize>,
    edges: Vec<InnerEdge>,
}

impl Graph {
    /// Of how many nodes the edges are known.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Takes in the edges of the next node.
    pub(super) fn push(&mut self, edges: impl Iterator<Item = InnerEdge>) {
        self.edges.extend(edges);
        self.ends.push(self.edges.len());
    }

    pub(super) fn edges(&self, place: u32) -> &[InnerEdge] {
        let start = (place as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start..self.ends[place as usize]]
    }

    pub(super) fn bytes(&self) -> u64 {
        let ends = self.ends.capacity() * size_of::<usize>();
        (ends + self.edges.capacity() * size_of::<InnerEdge>()) as u64
    }

    /// The strongly connected components, each in ascending order.
    pub(super) fn parts(&self) -> Vec<Vec<u32>> {
        components(self.len(), |place| self.edges(place).iter().map(|edge| edge.target)).members
    }

    /// The marks of the edges inside a part; none where there is no edge.
    pub(super) fn marks(&self, part: &[u32]) -> Option<Marks> {
        let inside = |place: u32| {
            let stays = |edge: &&InnerEdge| part.binary_search(&edge.target).is_ok();
            self.edges(place).iter().filter(stays).map(|edge| edge.marks)
        };
        part.iter().flat_map(|&place| inside(place)).reduce(Marks::union)
    }

    /// The edges inside a part, ascending, whose nodes have their places in it from then on.
    pub(super) fn within(&self, part: &[u32]) -> Graph {
        let mut places = alloc::vec![u32::MAX; self.len()];
        for (place, &old) in (0..).zip(part) {
            places[old as usize] = place;
        }
        let mut graph = Graph::default();
        for &old in part {
            let moved = self
                .edges(old)
                .iter()
                .map(|edge| InnerEdge { target: places[edge.target as usize], ..*edge });
            graph.push(moved.filter(|edge| edge.target != u32::MAX));
        }
        graph
    }
}
