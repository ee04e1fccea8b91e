//! The graph that formulas are checked on: successor lists in one row, of the program or of a quotient of it.

use super::bitmap::Bitmap;
use crate::define_id;
use crate::ids::Id;
use alloc::vec::Vec;

define_id!(
    /// A vertex: a state of the quotient with the processes that a formula tells apart.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    Vertex
);

/// A graph as successor lists, one behind the other.
///
/// ```
/// use orbitscope_core::ctl::{Graph, Vertex};
/// let mut graph = Graph::default();
/// graph.push([Vertex(1)]);
/// graph.push([Vertex(1), Vertex(0)]);
/// assert_eq!((graph.len(), graph.edge_count()), (2, 3));
/// assert_eq!(graph.successors(Vertex(1)), [Vertex(1), Vertex(0)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Graph {
    /// Where each vertex's list ends.
    ends: Vec<u32>,
    targets: Vec<Vertex>,
    /// The vertices on an infinite path, where not all are.
    live: Option<Bitmap>,
}

impl Graph {
    /// Adds a vertex with its successors; there must be fewer than 2³² edges.
    pub fn push(&mut self, successors: impl IntoIterator<Item = Vertex>) {
        self.targets.extend(successors);
        self.ends.push(self.targets.len() as u32);
    }

    /// The number of vertices.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> u32 {
        self.targets.len() as u32
    }

    /// All vertices.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + use<> {
        (0..self.len()).map(Vertex)
    }

    /// The successors of a vertex.
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        let end = self.ends[vertex.index()] as usize;
        let start = vertex.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.targets[start..end]
    }

    /// Whether an infinite path starts here.
    pub fn is_live(&self, vertex: Vertex) -> bool {
        self.live.as_ref().is_none_or(|live| live.get(vertex))
    }

    /// The vertices without an infinite path, where there are some.
    pub fn dead(&self) -> Option<Bitmap> {
        self.live.clone().map(|mut live| {
            live.invert();
            live
        })
    }

    /// Leaves only the infinite paths: a vertex that no infinite path starts from is the successor of none.
    pub fn drop_finite_paths(&mut self) {
        let before = self.predecessors();
        let mut left: Vec<u32> = self.vertices().map(|v| self.successors(v).len() as u32).collect();
        let mut live = Bitmap::filled(self.len(), true);
        let mut queue: Vec<Vertex> = self.vertices().filter(|v| left[v.index()] == 0).collect();
        if queue.is_empty() {
            return;
        }
        while let Some(vertex) = queue.pop() {
            live.set(vertex, false);
            for &v in before.successors(vertex) {
                left[v.index()] -= 1;
                if left[v.index()] == 0 {
                    queue.push(v);
                }
            }
        }
        let mut kept = Graph::default();
        for vertex in self.vertices() {
            kept.push(self.successors(vertex).iter().copied().filter(|&v| live.get(v)));
        }
        kept.live = Some(live);
        *self = kept;
    }

    /// The predecessors of each vertex, as a graph.
    #[must_use]
    pub fn predecessors(&self) -> Graph {
        let mut ends: Vec<u32> = alloc::vec![0; self.ends.len()];
        for target in &self.targets {
            ends[target.index()] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // For now where the list starts; it becomes the end as the list is filled.
            sum += core::mem::replace(end, sum);
        }
        let mut targets = alloc::vec![Vertex(0); self.targets.len()];
        for vertex in self.vertices() {
            for target in self.successors(vertex) {
                let place = &mut ends[target.index()];
                targets[*place as usize] = vertex;
                *place += 1;
            }
        }
        Graph { ends, targets, live: None }
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        let live = self.live.as_ref().map_or(0, Bitmap::bytes);
        (self.ends.capacity() * size_of::<u32>() + self.targets.capacity() * size_of::<Vertex>()) as u64
            + live
    }
}
