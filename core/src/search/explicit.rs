//! The plain method: the program times the automaton, without symmetry, and its components by the textbook.

use crate::automaton::scc::components;
use crate::automaton::{Ap, AutomatonState, Marks, Valuation};
use crate::explore::{Exploration, Limits, StopReason};
use crate::group::Process;
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{Fault, Flat, Program, Scratch};
use crate::property::Obligation;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// An answer of the plain method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explicit {
    /// No fair computation is accepted; the number of nodes and edges of the product.
    Holds(u32, u64),
    /// Some fair computation is accepted.
    Violated(u32, u64),
    /// The exploration stopped before it was complete.
    Stopped(StopReason),
    /// The property has an error in some state.
    Fault(Fault),
}

struct Edge {
    process: Option<Process>,
    marks: Marks,
    target: u32,
}

/// Whether a program violates an obligation, by the plain method.
pub fn explicit(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    limits: Limits,
) -> Explicit {
    let mut exploration = Exploration::new(program, limits, &[]).keeping_edges();
    let stopped = exploration.run().clone();
    if stopped != StopReason::Complete {
        return Explicit::Stopped(stopped);
    }
    let count = exploration.states().len() as usize;
    let mut steps: Vec<Vec<(Process, u32)>> = alloc::vec![Vec::new(); count];
    for edge in exploration.edges() {
        steps[edge.from.index()].push((edge.process, edge.to.0));
    }
    let mut graph = Graph {
        program,
        obligation,
        deadlock,
        steps,
        enabled: Vec::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
    };
    let initial: Vec<u32> =
        (0..count as u32).filter(|&s| exploration.is_initial(Id::from_index(s as usize))).collect();
    let values: Vec<Vec<i32>> = (0..count).map(|s| exploration.values(Id::from_index(s))).collect();
    if let Err(fault) = graph.build(&initial, &values) {
        return Explicit::Fault(fault);
    }
    let (nodes, edges) = (graph.nodes.len() as u32, graph.edges.iter().map(|e| e.len() as u64).sum());
    let everything: Vec<u32> = (0..nodes).collect();
    if graph.has_fair(everything, fairness) {
        Explicit::Violated(nodes, edges)
    } else {
        Explicit::Holds(nodes, edges)
    }
}

struct Graph<'a> {
    program: &'a Program,
    obligation: &'a Obligation,
    deadlock: Deadlock,
    steps: Vec<Vec<(Process, u32)>>,
    /// For each state which processes are enabled.
    enabled: Vec<Vec<bool>>,
    nodes: Vec<(u32, AutomatonState)>,
    edges: Vec<Vec<Edge>>,
}

impl Graph<'_> {
    fn build(&mut self, initial: &[u32], values: &[Vec<i32>]) -> Result<(), Fault> {
        let processes = self.program.process_count() as usize;
        for steps in &self.steps {
            let mut enabled = alloc::vec![false; processes];
            for (process, _) in steps {
                enabled[process.index()] = true;
            }
            self.enabled.push(enabled);
        }
        let mut ids: BTreeMap<(u32, AutomatonState), u32> = BTreeMap::new();
        for &state in initial {
            for &q in self.obligation.automaton.initial() {
                ids.insert((state, q), self.nodes.len() as u32);
                self.nodes.push((state, q));
            }
        }
        let mut next = 0;
        while next < self.nodes.len() {
            let (state, q) = self.nodes[next];
            let mut moves: Vec<(Option<Process>, u32)> =
                self.steps[state as usize].iter().map(|&(p, to)| (Some(p), to)).collect();
            if moves.is_empty() && self.deadlock == Deadlock::Stutter {
                moves.push((None, state));
            }
            let mut edges = Vec::new();
            for (process, to) in moves {
                let letter = self.letter(&values[state as usize], state, process)?;
                for (marks, target) in self.obligation.automaton.successors(q, &letter) {
                    let id = *ids.entry((to, target)).or_insert_with(|| {
                        self.nodes.push((to, target));
                        self.nodes.len() as u32 - 1
                    });
                    edges.push(Edge { process, marks, target: id });
                }
            }
            self.edges.push(edges);
            next += 1;
        }
        Ok(())
    }

    fn letter(&self, values: &[i32], state: u32, executed: Option<Process>) -> Result<Valuation, Fault> {
        let view = Flat { values, enabled: &self.enabled[state as usize], executed };
        let mut scratch = Scratch::default();
        let mut valuation = Valuation::default();
        for (number, atom) in self.obligation.atoms.iter().enumerate() {
            let holds = atom.holds(self.program, &view, &mut scratch, &self.obligation.tracked)?;
            valuation.set(Ap(number as u32), holds);
        }
        Ok(valuation)
    }

    /// Whether some part of these nodes is strongly connected, accepted and fair.
    fn has_fair(&self, nodes: Vec<u32>, fairness: &FairnessOf) -> bool {
        let mut pending = alloc::vec![nodes];
        while let Some(nodes) = pending.pop() {
            let place: BTreeMap<u32, u32> = (0u32..).zip(&nodes).map(|(i, &n)| (n, i)).collect();
            let found = components(nodes.len(), |n| {
                let edges = &self.edges[nodes[n as usize] as usize];
                edges.iter().filter_map(|e| place.get(&e.target).copied())
            });
            for part in found.members {
                let part: Vec<u32> = part.into_iter().map(|n| nodes[n as usize]).collect();
                match self.without(&part, fairness) {
                    Some(rest) if rest.len() == part.len() => return true,
                    Some(rest) if !rest.is_empty() => pending.push(rest),
                    _ => {}
                }
            }
        }
        false
    }

    /// The nodes of a component that a fair part of it may have: all if it is fair and accepted itself, none if no part
    /// can be.
    fn without(&self, part: &[u32], fairness: &FairnessOf) -> Option<Vec<u32>> {
        let inside = |n: u32| self.edges[n as usize].iter().filter(|e| part.binary_search(&e.target).is_ok());
        let mut marks = Marks::EMPTY;
        let mut executed = alloc::vec![false; self.program.process_count() as usize];
        let mut some = false;
        for edge in part.iter().flat_map(|&n| inside(n)) {
            some = true;
            marks = marks.union(edge.marks);
            if let Some(process) = edge.process {
                executed[process.index()] = true;
            }
        }
        if !some || marks != self.obligation.automaton.all_marks() {
            return None;
        }
        let mut rest = part.to_vec();
        for process in (0..self.program.process_count()).map(Process) {
            let enabled = |n: u32| self.enabled[self.nodes[n as usize].0 as usize][process.index()];
            if executed[process.index()] || fairness.none.contains(process) {
                continue;
            }
            if fairness.strong.contains(process) {
                rest.retain(|&n| !enabled(n));
            } else if part.iter().all(|&n| enabled(n)) {
                return None;
            }
        }
        Some(rest)
    }
}
