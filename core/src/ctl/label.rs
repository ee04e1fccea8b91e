//! The part that the algorithms share: the rows of truth values, and the subformulas that need no search.
//!
//! After Heljanko, "Model checking the branching time temporal logic CTL" (1997), section 3: a row of bits for each
//! subformula, evaluated in an order in which each comes after those that it is made of.

use super::bitmap::Bitmap;
use super::graph::{Graph, Vertex};
use super::normal::Path;
use super::part::{Sub, SubId};
use crate::ids::IdVec;
use alloc::vec::Vec;

/// How `A[f U g]` and `E[f U g]` are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Algorithm {
    /// Passes over all states until nothing changes (Heljanko, section 3.2.2).
    Naive,
    /// Backwards along the predecessor relation (Clarke, Emerson & Sistla 1986).
    Emc,
    /// Only what the initial states need (Vergauwen & Lewi 1993, as Heljanko writes it in section 3.3).
    Local,
    /// Depth first without the predecessor relation (Heljanko, section 4).
    #[default]
    Global,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 4] = [Algorithm::Naive, Algorithm::Emc, Algorithm::Local, Algorithm::Global];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Naive => "naive",
            Algorithm::Emc => "emc",
            Algorithm::Local => "local",
            Algorithm::Global => "global",
        }
    }
}

/// The work of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Effort {
    /// How often a state was looked at, for each `U` anew.
    pub visits: u64,
    /// How many edges were followed, each time they were.
    pub edges: u64,
    /// The memory beside the graph, at its largest.
    pub memory: Memory,
}

/// The bytes that an algorithm keeps beside the graph, as Heljanko (1997) counts them in section 4.5: his tables give
/// bits for the worst case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Memory {
    /// The truth values and marks.
    pub bitmaps: u64,
    /// Depth-first numbers, or counters of successors.
    pub numbers: u64,
    /// Stacks and queues.
    pub stacks: u64,
    /// The predecessor relation.
    pub predecessors: u64,
}

impl Memory {
    /// All of it.
    pub fn bytes(self) -> u64 {
        self.bitmaps + self.numbers + self.stacks + self.predecessors
    }

    /// The larger one of two moments.
    #[must_use]
    pub fn max(self, other: Memory) -> Memory {
        if other.bytes() > self.bytes() { other } else { self }
    }
}

impl Effort {
    /// Both together, one after the other.
    #[must_use]
    pub fn with(self, other: Effort) -> Effort {
        Effort {
            visits: self.visits + other.visits,
            edges: self.edges + other.edges,
            memory: self.memory.max(other.memory),
        }
    }
}

/// A row of truth values for each subformula.
pub type Rows = IdVec<SubId, Bitmap>;

/// The row of a subformula that needs no search; none for one that does, and for a leaf.
pub(super) fn plain_row(graph: &Graph, rows: &Rows, sub: &Sub) -> Option<Bitmap> {
    let join = |list: &[SubId], start: bool, with: fn(&mut Bitmap, &Bitmap)| {
        let mut row = Bitmap::filled(graph.len(), start);
        for &part in list {
            with(&mut row, &rows[part]);
        }
        row
    };
    Some(match sub {
        Sub::Const(value) => Bitmap::filled(graph.len(), *value),
        Sub::Not(a) => {
            let mut row = rows[*a].clone();
            row.invert();
            row
        }
        Sub::And(list) => join(list, true, Bitmap::and),
        Sub::Or(list) => join(list, false, Bitmap::or),
        Sub::Next(path, a) => {
            let mut row = Bitmap::filled(graph.len(), false);
            for vertex in graph.vertices() {
                row.set(vertex, next_holds(graph, *path, vertex, |v| rows[*a].get(v)));
            }
            row
        }
        Sub::Atom(_)
        | Sub::Link(_)
        | Sub::Until(..)
        | Sub::FairGlobally(_)
        | Sub::Fixpoint(..)
        | Sub::Variable(_) => return None,
    })
}

/// `AX` or `EX` in a vertex. Where no infinite path starts, all paths are fine and there is none.
pub(super) fn next_holds(graph: &Graph, path: Path, vertex: Vertex, holds: impl Fn(Vertex) -> bool) -> bool {
    let mut successors = graph.successors(vertex).iter();
    match path {
        Path::All => successors.all(|&v| holds(v)),
        Path::Some => successors.any(|&v| holds(v)),
    }
}

/// The two bitmaps of a search, as Heljanko's table initialises them: which vertices are decided at once, and which of
/// these satisfy the formula.
///
/// | f | g | marked | labelled |
/// | --- | --- | --- | --- |
/// | any | true | true | true |
/// | false | false | true | false |
/// | true | false | false | false |
pub(super) fn initial_bitmaps(graph: &Graph, path: Path, f: &Bitmap, g: &Bitmap) -> (Bitmap, Bitmap) {
    let mut labelled = g.clone();
    let mut marked = f.clone();
    marked.invert();
    marked.or(g);
    if let Some(mut dead) = graph.dead() {
        marked.or(&dead);
        if path == Path::All {
            labelled.or(&dead);
        } else {
            dead.invert();
            labelled.and(&dead);
        }
    }
    (marked, labelled)
}

pub(super) fn rows_bytes(rows: &Rows) -> u64 {
    rows.iter().map(Bitmap::bytes).sum()
}

/// The leaves of a part: what is known of its expressions and of the parts that it uses.
pub type Leaves = Vec<(SubId, Bitmap)>;

pub(super) fn leaf(leaves: &mut Leaves, id: SubId) -> Option<Bitmap> {
    let at = leaves.iter().position(|(sub, _)| *sub == id)?;
    Some(leaves.swap_remove(at).1)
}
