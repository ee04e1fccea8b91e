//! The order of states in a drawing: columns by distance from the initial states, and in each column an order
//! with few crossings.
//!
//! The barycentre heuristic of Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical
//! System Structures" (1981), on the columns that breadth-first search gives for nothing.

use crate::engine::{StateGraph, StateId};
use orbitscope_core::ids::{Id, IdVec};

/// How often the columns are gone through, alternately from the left and from the right.
const SWEEPS: usize = 8;

/// The first `limit` states, column by column, each column from top to bottom.
pub fn columns(graph: &StateGraph, limit: u32) -> Vec<Vec<StateId>> {
    let drawn = graph.nodes.len().min(limit as usize);
    let mut columns: Vec<Vec<StateId>> = Vec::new();
    for (state, node) in graph.nodes.iter_enumerated().take(drawn) {
        let column = node.depth as usize;
        if columns.len() <= column {
            columns.resize_with(column + 1, Vec::new);
        }
        columns[column].push(state);
    }
    let neighbours = Neighbours::of(graph, drawn);
    let mut best = columns.clone();
    let mut fewest = crossings(&columns, &neighbours);
    for sweep in 0..SWEEPS {
        let from_left = sweep % 2 == 0;
        for step in 1..columns.len() {
            let column = if from_left { step } else { columns.len() - 1 - step };
            let fixed = if from_left { column - 1 } else { column + 1 };
            reorder(
                &mut columns,
                column,
                fixed,
                if from_left { &neighbours.left } else { &neighbours.right },
            );
        }
        let found = crossings(&columns, &neighbours);
        if found < fewest {
            fewest = found;
            best.clone_from(&columns);
        }
    }
    best
}

/// For each state, those that it is joined to in the column to the left and in that to the right.
struct Neighbours {
    left: IdVec<StateId, Vec<StateId>>,
    right: IdVec<StateId, Vec<StateId>>,
}

impl Neighbours {
    fn of(graph: &StateGraph, drawn: usize) -> Neighbours {
        let none: IdVec<StateId, Vec<StateId>> = vec![Vec::new(); drawn].into();
        let mut neighbours = Neighbours { left: none.clone(), right: none };
        for edge in &graph.edges {
            if edge.from.index().max(edge.to.index()) >= drawn {
                continue;
            }
            for (a, b) in [(edge.from, edge.to), (edge.to, edge.from)] {
                if graph.nodes[a].depth + 1 == graph.nodes[b].depth {
                    neighbours.right[a].push(b);
                    neighbours.left[b].push(a);
                }
            }
        }
        neighbours
    }
}

/// Sorts a column by the mean row of each state's neighbours in the fixed column; a state without any keeps
/// its row, and equals keep their order.
fn reorder(
    columns: &mut [Vec<StateId>],
    column: usize,
    fixed: usize,
    neighbours: &IdVec<StateId, Vec<StateId>>,
) {
    let rows = rows(&columns[fixed], neighbours.len());
    let mut keyed: Vec<(f64, StateId)> = (0_u32..)
        .zip(&columns[column])
        .map(|(row, &state)| {
            let near = &neighbours[state];
            let sum: f64 = near.iter().map(|&other| f64::from(rows[other])).sum();
            (if near.is_empty() { f64::from(row) } else { sum / near.len() as f64 }, state)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    columns[column] = keyed.into_iter().map(|(_, state)| state).collect();
}

/// The row of each state of a column; 0 for the others.
fn rows(column: &[StateId], states: usize) -> IdVec<StateId, u32> {
    let mut rows: IdVec<StateId, u32> = vec![0; states].into();
    for (row, &state) in (0..).zip(column) {
        rows[state] = row;
    }
    rows
}

/// How many pairs of edges between adjacent columns cross: the inversions of the right ends when the edges are
/// sorted by their left ends, counted with a Fenwick tree.
fn crossings(columns: &[Vec<StateId>], neighbours: &Neighbours) -> u64 {
    let mut total = 0;
    for pair in columns.windows(2) {
        let rows = rows(&pair[1], neighbours.left.len());
        let mut tree = vec![0_u64; pair[1].len() + 1];
        let mut seen = 0;
        for &state in &pair[0] {
            let right: Vec<usize> =
                neighbours.right[state].iter().map(|&other| rows[other] as usize).collect();
            for &row in &right {
                let mut above = 0;
                let mut i = row + 1;
                while i > 0 {
                    above += tree[i];
                    i &= i - 1;
                }
                total += seen - above;
            }
            // Edges that share their left end do not cross: they are added after they were all counted.
            for &row in &right {
                let mut i = row + 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    total
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::engine::{Edge, Next, StateNode};

    /// A breadth-first graph with random edges, from a seed.
    pub(crate) fn random_graph(seed: u64) -> StateGraph {
        let mut state = seed;
        // SplitMix64 (Steele, Lea and Flood, 2014).
        let mut random = move |below: u64| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) % below
        };
        let count = 1 + random(25) as u32;
        let mut nodes: IdVec<StateId, StateNode> = IdVec::new();
        let mut edges = Vec::new();
        let mut depth = 0;
        for i in 0..count {
            depth += u32::from(i > 0 && (depth == 0 || random(3) == 0));
            nodes.push(StateNode { label: format!("s{i}"), depth, next: Next::Steps });
        }
        for from in nodes.ids() {
            for to in nodes.ids() {
                if nodes[to].depth <= nodes[from].depth + 1 && random(4) == 0 {
                    edges.push(Edge { from, to, label: "a".into() });
                }
            }
        }
        StateGraph { nodes, edges, complete: true }
    }

    fn crossings_by_pairs(columns: &[Vec<StateId>], graph: &StateGraph) -> u64 {
        let row = |state: StateId| {
            columns.iter().find_map(|column| column.iter().position(|&other| other == state)).unwrap()
        };
        let depth = |state: StateId| graph.nodes[state].depth;
        let adjacent: Vec<(StateId, StateId)> = graph
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to))
            .map(|(a, b)| if depth(a) < depth(b) { (a, b) } else { (b, a) })
            .filter(|&(a, b)| depth(a) + 1 == depth(b))
            .collect();
        let mut total = 0;
        for (i, &(a, b)) in adjacent.iter().enumerate() {
            for &(c, d) in &adjacent[..i] {
                let apart = (row(a) < row(c) && row(b) > row(d)) || (row(a) > row(c) && row(b) < row(d));
                total += u64::from(depth(a) == depth(c) && apart);
            }
        }
        total
    }

    #[test]
    fn crossings_are_counted_as_by_pairs() {
        for seed in 0..200 {
            let graph = random_graph(seed);
            let drawn = graph.nodes.len();
            let columns = columns(&graph, u32::MAX);
            let fast = crossings(&columns, &Neighbours::of(&graph, drawn));
            assert_eq!(fast, crossings_by_pairs(&columns, &graph), "seed {seed}");
        }
    }

    #[test]
    fn every_state_is_once_in_the_column_of_its_depth() {
        for seed in 0..200 {
            let graph = random_graph(seed);
            let columns = columns(&graph, u32::MAX);
            let mut all: Vec<StateId> = columns.concat();
            all.sort();
            assert_eq!(all, graph.nodes.ids().collect::<Vec<_>>(), "seed {seed}");
            for (depth, column) in (0..).zip(&columns) {
                assert!(column.iter().all(|&state| graph.nodes[state].depth == depth), "seed {seed}");
            }
        }
    }

    #[test]
    fn no_worse_than_the_order_of_discovery() {
        let mut better = 0;
        for seed in 0..200 {
            let graph = random_graph(seed);
            let mut discovery = columns(&graph, u32::MAX);
            let ordered = crossings_by_pairs(&discovery, &graph);
            for column in &mut discovery {
                column.sort();
            }
            let plain = crossings_by_pairs(&discovery, &graph);
            assert!(ordered <= plain, "seed {seed}");
            better += u32::from(ordered < plain);
        }
        assert!(better > 20, "the order was better for {better} graphs only");
    }

    #[test]
    fn the_limit_cuts_off_what_was_found_last() {
        let graph = random_graph(7);
        let mut some: Vec<StateId> = columns(&graph, 3).concat();
        some.sort();
        assert_eq!(some, [StateId(0), StateId(1), StateId(2)]);
        assert!(columns(&StateGraph::default(), 3).is_empty());
    }
}
