//! The states that the interpreter reaches, and its steps between them.

use super::{Claim, Oracle, State, Wrong};
use std::collections::{BTreeSet, HashMap};

/// A step between numbered states: who, what, where to.
pub(crate) type Edge = ((u32, i64), String, usize);

/// A step of a run: who executes, if anybody, what, and the state that it leads to.
pub(crate) type RunStep = (Option<(u32, i64)>, String, usize);

/// The reachable states and steps, by brute force.
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    pub(crate) initial: Vec<usize>,
    /// For each state its steps.
    pub(crate) steps: Vec<Vec<Edge>>,
    /// For each state what goes wrong there.
    pub(crate) wrong: Vec<Vec<Wrong>>,
    /// For each state whether some step leads to one that is not looked at.
    pub(crate) leads_out: Vec<bool>,
    /// For each state the asserts that fail in its steps.
    pub(crate) failed: Vec<BTreeSet<Claim>>,
}

impl Graph {
    /// Whether a state has no steps at all.
    pub(crate) fn is_deadlock(&self, state: usize) -> bool {
        self.steps[state].is_empty() && !self.leads_out[state]
    }

    /// Whether every step is there; what is wrong is the error.
    pub(crate) fn walk(&self, start: usize, steps: &[RunStep]) -> Result<(), String> {
        if !self.initial.contains(&start) {
            return Err(format!("state {start} is not initial"));
        }
        let mut at = start;
        for (number, (process, label, to)) in steps.iter().enumerate() {
            let taken = |(p, l, t): &Edge| Some(*p) == *process && l == label && t == to;
            let repeats = process.is_none() && self.is_deadlock(at) && *to == at;
            if !repeats && !self.steps[at].iter().any(taken) {
                return Err(format!("step {number} is none: {process:?} {label} from {at} to {to}"));
            }
            at = *to;
        }
        Ok(())
    }
}

impl Oracle<'_> {
    /// Explores all states of a program in which nothing goes wrong; gives up with more than `limit` states.
    pub(crate) fn explore_sound(&self, limit: usize) -> Option<Graph> {
        self.explore(limit).filter(|graph| graph.wrong.iter().all(Vec::is_empty))
    }

    /// Explores all states, also behind what goes wrong; gives up with more than `limit` states.
    pub(crate) fn explore(&self, limit: usize) -> Option<Graph> {
        let mut graph = Graph {
            states: Vec::new(),
            initial: Vec::new(),
            steps: Vec::new(),
            wrong: Vec::new(),
            leads_out: Vec::new(),
            failed: Vec::new(),
        };
        let mut ids: HashMap<State, usize> = HashMap::new();
        let mut enter = |graph: &mut Graph, state: State| {
            *ids.entry(state).or_insert_with_key(|state| {
                graph.states.push(state.clone());
                graph.states.len() - 1
            })
        };
        for state in self.initial() {
            let id = enter(&mut graph, state);
            graph.initial.push(id);
        }
        while graph.steps.len() < graph.states.len() {
            if graph.states.len() > limit {
                return None;
            }
            let from = graph.steps.len();
            let before = self.failed.take();
            let (steps, wrong, leads_out) = self.steps(&graph.states[from].clone());
            let failed = self.failed.replace(before);
            self.failed.borrow_mut().extend(failed.iter().cloned());
            graph.failed.push(failed);
            let mut list = Vec::new();
            for step in steps {
                list.push((step.process, step.label, enter(&mut graph, step.to)));
            }
            graph.steps.push(list);
            graph.wrong.push(wrong);
            graph.leads_out.push(leads_out);
        }
        Some(graph)
    }
}
