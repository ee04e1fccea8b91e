//! Two of the algorithms: the naive fixed point, and the one along the predecessor relation.
//!
//! Heljanko (1997), section 3.2.2, and Clarke, Emerson & Sistla, "Automatic verification of finite-state concurrent systems
//! using temporal logic specifications" (1986). There, `A[f U g]` is a depth-first search, which section 4 of Heljanko
//! improves on; here it goes backwards too, and counts for each state the successors that are not labelled yet, so that
//! the two algorithms check each other.

use super::bitmap::Bitmap;
use super::graph::{Graph, Vertex};
use super::label::{Effort, Leaves, Memory, Rows, initial_bitmaps, leaf, next_holds, plain_row, rows_bytes};
use super::normal::Path;
use super::part::{Sub, SubId};
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;

/// A labelling by fixed points, one subformula a step.
#[derive(Clone, Debug)]
pub struct Fixpoint {
    /// Whether it goes backwards along the predecessor relation instead of over all states again and again.
    backwards: bool,
    rows: Rows,
    leaves: Leaves,
    before: Option<Graph>,
    effort: Effort,
}

impl Fixpoint {
    /// The naive algorithm.
    pub fn naive(leaves: Leaves) -> Self {
        Fixpoint { backwards: false, rows: IdVec::new(), leaves, before: None, effort: Effort::default() }
    }

    /// The algorithm of Clarke, Emerson and Sistla.
    pub fn emc(leaves: Leaves) -> Self {
        Fixpoint { backwards: true, ..Fixpoint::naive(leaves) }
    }

    /// The rows made so far.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The rows, when everything is done.
    pub fn into_rows(self) -> Rows {
        self.rows
    }

    /// Takes the truth values of a subformula that it cannot evaluate itself.
    pub fn give(&mut self, id: SubId, row: Bitmap) {
        self.leaves.push((id, row));
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Makes the row of one subformula; says whether there is more to do.
    pub fn step(&mut self, graph: &Graph, subs: &IdVec<SubId, Sub>) -> bool {
        let id = self.rows.next_id();
        let Some(sub) = subs.get(id) else { return false };
        let row = match sub {
            Sub::Until(path, f, g) if self.backwards => self.until_backwards(graph, *path, *f, *g),
            Sub::Until(path, f, g) => self.until_naively(graph, *path, *f, *g),
            _ => plain_row(graph, &self.rows, sub)
                .or_else(|| leaf(&mut self.leaves, id))
                .unwrap_or_else(|| Bitmap::filled(graph.len(), false)),
        };
        self.rows.push(row);
        self.rows.len() < subs.len()
    }

    fn until_naively(&mut self, graph: &Graph, path: Path, f: SubId, g: SubId) -> Bitmap {
        let (_, mut holds) = initial_bitmaps(graph, path, &self.rows[f], &self.rows[g]);
        loop {
            let mut changed = false;
            for vertex in graph.vertices() {
                self.effort.visits += 1;
                // Where no infinite path starts, no edge leads on and all is decided.
                if holds.get(vertex) || !self.rows[f].get(vertex) {
                    continue;
                }
                self.effort.edges += graph.successors(vertex).len() as u64;
                if next_holds(graph, path, vertex, |v| holds.get(v)) {
                    holds.set(vertex, true);
                    changed = true;
                }
            }
            if !changed {
                self.note(Memory { bitmaps: holds.bytes(), ..Memory::default() });
                return holds;
            }
        }
    }

    fn until_backwards(&mut self, graph: &Graph, path: Path, f: SubId, g: SubId) -> Bitmap {
        let before = self.before.get_or_insert_with(|| graph.predecessors());
        let (_, mut holds) = initial_bitmaps(graph, path, &self.rows[f], &self.rows[g]);
        let mut left: Vec<u32> = match path {
            Path::All => graph.vertices().map(|v| graph.successors(v).len() as u32).collect(),
            Path::Some => Vec::new(),
        };
        let mut queue: Vec<_> = graph.vertices().filter(|&v| holds.get(v)).collect();
        let mut longest = queue.len();
        while let Some(vertex) = queue.pop() {
            self.effort.visits += 1;
            for &v in before.successors(vertex) {
                self.effort.edges += 1;
                if path == Path::All {
                    left[v.index()] -= 1;
                    if left[v.index()] > 0 {
                        continue;
                    }
                }
                if !holds.get(v) && self.rows[f].get(v) {
                    holds.set(v, true);
                    queue.push(v);
                }
            }
            longest = longest.max(queue.len());
        }
        let memory = Memory {
            bitmaps: holds.bytes(),
            numbers: (left.capacity() * size_of::<u32>()) as u64,
            stacks: (longest * size_of::<Vertex>()) as u64,
            predecessors: before.bytes(),
        };
        self.note(memory);
        holds
    }

    fn note(&mut self, own: Memory) {
        let bitmaps = rows_bytes(&self.rows) + own.bitmaps;
        self.effort.memory = self.effort.memory.max(Memory { bitmaps, ..own });
    }
}
