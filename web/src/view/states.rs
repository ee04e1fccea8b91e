//! The table of states and what is known of one of them.

use crate::engine::{Next, StateGraph, StateId};

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// The state.
    pub state: StateId,
    /// Its values.
    pub label: String,
    /// Its distance from the initial states.
    pub depth: u32,
    /// How many steps lead away from it.
    pub steps: u32,
    /// What can happen next.
    pub next: Next,
}

/// The first `limit` rows.
pub fn rows(graph: &StateGraph, limit: u32) -> Vec<StateRow> {
    let mut rows: Vec<StateRow> = graph
        .nodes
        .iter_enumerated()
        .take(limit as usize)
        .map(|(state, node)| StateRow {
            state,
            label: node.label.clone(),
            depth: node.depth,
            steps: 0,
            next: node.next,
        })
        .collect();
    for edge in &graph.edges {
        if let Some(row) = rows.get_mut(edge.from.0 as usize) {
            row.steps += 1;
        }
    }
    rows
}

/// One state and the steps from and to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The state.
    pub state: StateId,
    /// Its values.
    pub label: String,
    /// What can happen next.
    pub next: Next,
    /// The steps from it: action, state reached and its values.
    pub steps: Vec<(String, StateId, String)>,
    /// How many steps lead to it.
    pub arrivals: u32,
}

/// What is known of a state, if the graph has it.
pub fn details(graph: &StateGraph, state: StateId) -> Option<Details> {
    let node = graph.nodes.get(state)?;
    let from = graph.edges.iter().filter(|edge| edge.from == state);
    Some(Details {
        state,
        label: node.label.clone(),
        next: node.next,
        steps: from.map(|edge| (edge.label.clone(), edge.to, graph.nodes[edge.to].label.clone())).collect(),
        arrivals: graph.edges.iter().filter(|edge| edge.to == state).count() as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::layering::tests::random_graph;

    #[test]
    fn rows_and_details_agree_with_the_graph() {
        for seed in 0..50 {
            let graph = random_graph(seed);
            let rows = rows(&graph, u32::MAX);
            assert_eq!(
                rows.iter().map(|row| row.steps as usize).sum::<usize>(),
                graph.edges.len(),
                "seed {seed}"
            );
            let mut arrivals = 0;
            for row in &rows {
                let details = details(&graph, row.state).unwrap();
                assert_eq!(
                    (&details.label, details.steps.len()),
                    (&row.label, row.steps as usize),
                    "seed {seed}"
                );
                arrivals += details.arrivals as usize;
            }
            assert_eq!(arrivals, graph.edges.len(), "seed {seed}");
        }
    }

    #[test]
    fn the_limit_cuts_rows_off() {
        let graph = random_graph(7);
        let some = rows(&graph, 2);
        assert_eq!(some[..], rows(&graph, u32::MAX)[..2]);
        assert_eq!(details(&graph, StateId(99_999)), None);
    }
}
