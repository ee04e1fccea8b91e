//! The two stacks of Heljanko's search.

use super::narration::state;
use orbitscope_core::ctl::{GlobalSearch, Graph, Vertex};
use orbitscope_core::draw::Graph as Words;

/// The most rows of a stack that are shown.
const ROWS: usize = 40;

/// A stack, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The rows on top.
    pub rows: Vec<Row>,
    /// How many states are on it.
    pub size: u32,
    /// How many of them are not among the rows.
    pub below: u32,
}

/// A state on a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The state.
    pub vertex: Vertex,
    /// Its name in the graph.
    pub name: String,
    /// The state in words.
    pub words: String,
    /// The stack's note on it.
    pub note: String,
}

impl Stack {
    /// St, with how many edges of each state have been followed.
    pub fn st(search: &GlobalSearch, edges: &Graph, words: &Words) -> Stack {
        let rows = search.st().iter().rev().map(|&(vertex, next)| {
            let all = edges.successors(vertex).len();
            (vertex, format!("edge {next} of {all}"))
        });
        Stack::of(rows, search.st().len(), words)
    }

    /// FSt, with the smallest number that each state is known to reach.
    pub fn fst(search: &GlobalSearch, words: &Words) -> Stack {
        let rows = search.fst().iter().rev().map(|&vertex| {
            let number = search.number(vertex).map_or_else(String::new, |number| format!("reaches {number}"));
            (vertex, number)
        });
        Stack::of(rows, search.fst().len(), words)
    }

    fn of(rows: impl Iterator<Item = (Vertex, String)>, size: usize, words: &Words) -> Stack {
        let row = |(vertex, note): (Vertex, String)| {
            let (name, words) = state(words, vertex);
            Row { vertex, name, words, note }
        };
        let rows: Vec<Row> = rows.take(ROWS).map(row).collect();
        Stack { below: (size - rows.len()) as u32, size: size as u32, rows }
    }
}
