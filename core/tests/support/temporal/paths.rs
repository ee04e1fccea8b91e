//! Which states have an infinite path, and what a step of one executes.

use crate::support::oracle::Graph;
use orbitscope_core::syntax::ast::PathQuantifier;

/// The states from which an infinite path leads, where some repeat.
pub(super) fn alive(graph: &Graph, repeats: &[bool]) -> Vec<bool> {
    let mut alive = vec![true; graph.states.len()];
    let goes_on = |alive: &[bool], s: usize| repeats[s] || graph.steps[s].iter().any(|step| alive[step.2]);
    while let Some(dead) = (0..alive.len()).find(|&s| alive[s] && !goes_on(&alive, s)) {
        alive[dead] = false;
    }
    alive
}

/// The action in the name of a step, which is `process.action(arguments)`.
pub(super) fn action_of(label: &str) -> String {
    let named = label.split('(').next().unwrap_or(label);
    named.rsplit('.').next().unwrap_or(named).to_string()
}

/// The quantifier that is not this one.
pub(super) fn other(path: PathQuantifier) -> PathQuantifier {
    match path {
        PathQuantifier::All => PathQuantifier::Some,
        PathQuantifier::Some => PathQuantifier::All,
    }
}
