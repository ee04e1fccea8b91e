//! Reductions that keep the language: states that accept nothing are removed, acceptance sets are simplified component
//! by component, and simulation merges states and removes dominated edges.
//!
//! F. Somenzi, R. Bloem: Efficient Büchi automata from LTL formulae, CAV 2000, section 5; T. Babiak, T. Badie, A.
//! Duret-Lutz, M. Křetínský, J. Strejček: Compositional approach to suspension and other improvements to LTL translation,
//! SPIN 2013, sections 3 and 4 for acceptance sets and both simulations on transition-based automata.

use super::bdd::{Bdd, Manager};
use super::merged::{Edge, EdgeCollector, MergedTgba};
use super::scc::{Components, components};
use super::simulation::{Direction, simulation};
use super::tgba::Tgba;
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;

/// Which reductions to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each reduction can be chosen on its own")]
pub struct Reductions {
    /// Remove states from which nothing is accepted.
    pub trim: bool,
    /// Drop marks that do not matter inside their strongly connected component, and number the rest anew.
    pub marks: bool,
    /// Merge states that simulate each other, and remove edges that another dominates.
    pub simulation: bool,
    /// The same with the simulation that looks at how states are reached.
    pub reverse_simulation: bool,
    /// How many edges the simulations may compare in all; beyond, they are left out.
    pub simulation_steps: usize,
}

impl Reductions {
    /// Every reduction, with a budget that keeps a reduction in the range of a second.
    pub const ALL: Reductions = Reductions {
        trim: true,
        marks: true,
        simulation: true,
        reverse_simulation: true,
        simulation_steps: 4_000_000,
    };

    /// No reduction.
    pub const NONE: Reductions = Reductions {
        trim: false,
        marks: false,
        simulation: false,
        reverse_simulation: false,
        simulation_steps: 0,
    };
}

/// A smaller automaton with the same language. An automaton whose labels are too hard to reason about is returned
/// as it is.
///
/// ```
/// use orbitscope_core::automaton::{reduce, AutomatonState, Label, Reductions, Tgba};
/// let [a, b, c] = [0, 1, 2].map(AutomatonState);
/// let tgba = Tgba::from_accepting_states([a], &[false, true, false], [
///     (a, Label::always(), b),
///     (b, Label::always(), b),
///     (a, Label::always(), c),
///     (c, Label::always(), c),
/// ]).unwrap();
/// // c accepts nothing, a and b accept everything.
/// assert_eq!(reduce(&tgba, Reductions::ALL).state_count(), 1);
/// ```
pub fn reduce(tgba: &Tgba, which: Reductions) -> Tgba {
    let mut bdds = Manager::new(1 << 18);
    let mut merged = MergedTgba::from_tgba(tgba, &mut bdds);
    merged.reduce(&mut bdds, which);
    let result = merged.to_tgba(&mut bdds);
    if bdds.overflowed() { tgba.clone() } else { result }
}

// How the edges between components, which no run takes infinitely often, are marked: the language does not depend on it, what
// simulates what does.
#[derive(Clone, Copy, PartialEq)]
enum Transient {
    Unmarked,
    Marked,
}

impl MergedTgba {
    pub(crate) fn reduce(&mut self, bdds: &mut Manager, which: Reductions) {
        // Each round that goes on has removed something, and rounds beyond a few hardly ever do.
        let mut steps = which.simulation_steps;
        for _ in 0..8 {
            let before = (self.edges.len(), self.edge_count(), self.sets);
            if which.trim {
                self.trim();
            }
            let views: &[Transient] =
                if which.marks { &[Transient::Marked, Transient::Unmarked] } else { &[Transient::Unmarked] };
            for &view in views {
                if which.marks {
                    self.simplify_marks(bdds, view);
                }
                if which.simulation {
                    simulation(self, bdds, Direction::Forward, &mut steps);
                }
                if which.reverse_simulation {
                    simulation(self, bdds, Direction::Backward, &mut steps);
                }
            }
            if (self.edges.len(), self.edge_count(), self.sets) == before || bdds.overflowed() {
                break;
            }
        }
        if which.trim {
            self.trim();
        }
        if which.marks {
            self.simplify_marks(bdds, Transient::Unmarked);
        }
    }

    fn components(&self) -> Components {
        components(self.edges.len(), |q| self.edges[q as usize].iter().map(|e| e.target))
    }

    // For each component whether its inner edges carry every mark.
    fn accepting(&self, components: &Components) -> Vec<bool> {
        let is_accepting = |(number, members): (usize, &Vec<u32>)| {
            let mut seen = vec![false; self.sets];
            let mut any = false;
            for edge in members.iter().flat_map(|&q| &self.edges[q as usize]) {
                if components.of[edge.target as usize] as usize == number {
                    any = true;
                    seen.iter_mut().zip(&edge.marked).for_each(|(s, l)| *s |= !l.is_false());
                }
            }
            any && seen.iter().all(|&s| s)
        };
        components.members.iter().enumerate().map(is_accepting).collect()
    }

    // Keeps the states that are reachable and from which something is accepted; one state without edges if nothing is.
    fn trim(&mut self) {
        let components = self.components();
        let accepting = self.accepting(&components);
        let mut live = vec![false; self.edges.len()];
        for (members, &accepting) in components.members.iter().zip(&accepting) {
            let leads =
                members.iter().any(|&q| self.edges[q as usize].iter().any(|e| live[e.target as usize]));
            for &q in members {
                live[q as usize] = accepting || leads;
            }
        }
        let mut keep = vec![false; self.edges.len()];
        let mut todo: Vec<u32> = self.initial.iter().copied().filter(|&q| live[q as usize]).collect();
        while let Some(q) = todo.pop() {
            if !core::mem::replace(&mut keep[q as usize], true) {
                todo.extend(self.edges[q as usize].iter().map(|e| e.target).filter(|&r| live[r as usize]));
            }
        }
        self.initial.retain(|&q| keep[q as usize]);
        if self.initial.is_empty() {
            *self = MergedTgba { initial: vec![0], sets: 0, edges: vec![Vec::new()] };
            return;
        }
        self.restrict(&keep);
    }

    /// Removes the states that are not kept, and every edge to one.
    pub(crate) fn restrict(&mut self, keep: &[bool]) {
        let mut number = vec![u32::MAX; self.edges.len()];
        let kept = (0..keep.len()).filter(|&q| keep[q]);
        kept.enumerate().for_each(|(i, q)| number[q] = i as u32);
        let mut at = 0..;
        self.edges.retain(|_| at.next().is_some_and(|q: usize| keep[q]));
        for edges in &mut self.edges {
            edges.retain(|e| keep[e.target as usize]);
            for e in edges {
                e.target = number[e.target as usize];
            }
        }
        self.initial.retain(|&q| keep[q as usize]);
        self.initial.iter_mut().for_each(|q| *q = number[*q as usize]);
    }

    // Inside one component a set that every edge belongs to, or that contains another set, says nothing. What is
    // left is numbered from 0 in each component; the sets a component does not need are given to all its edges.
    fn simplify_marks(&mut self, bdds: &mut Manager, transient: Transient) {
        let components = self.components();
        let accepting = self.accepting(&components);
        let mut needed: Vec<Vec<usize>> = Vec::new();
        for (number, members) in components.members.iter().enumerate() {
            let inner: Vec<&Edge> = (members.iter())
                .flat_map(|&q| &self.edges[q as usize])
                .filter(|e| accepting[number] && components.of[e.target as usize] as usize == number)
                .collect();
            let mut sets: Vec<usize> =
                (0..self.sets).filter(|&m| inner.iter().any(|e| e.marked[m] != e.label)).collect();
            let mut i = 0;
            while i < sets.len() {
                let m = sets[i];
                let contains = |bdds: &mut Manager, other: usize| {
                    other != m && inner.iter().all(|e| bdds.implies(&e.marked[other], &e.marked[m]))
                };
                // Of two equal sets the first is removed, and the second then contains no other.
                if sets.iter().any(|&other| contains(bdds, other)) {
                    sets.remove(i);
                } else {
                    i += 1;
                }
            }
            needed.push(sets);
        }
        let inner = |q: usize, e: &Edge| components.of[q] == components.of[e.target as usize];
        let rejects = |(q, edges): (usize, &Vec<Edge>)| {
            !accepting[components.of[q] as usize] && edges.iter().any(|e| inner(q, e))
        };
        let least = usize::from(self.edges.iter().enumerate().any(rejects));
        let sets = needed.iter().map(Vec::len).max().unwrap_or(0).max(least);
        for (q, edges) in self.edges.iter_mut().enumerate() {
            let number = components.of[q];
            for e in edges {
                let full =
                    if inner(q, e) { accepting[number as usize] } else { transient == Transient::Marked };
                let mut marked = vec![if full { e.label.clone() } else { Bdd::FALSE }; sets];
                if inner(q, e) {
                    for (new, &old) in marked.iter_mut().zip(&needed[number as usize]) {
                        new.clone_from(&e.marked[old]);
                    }
                }
                e.marked = marked;
            }
        }
        self.sets = sets;
    }

    /// Replaces each state by its representative; `kept_edge` says which edges between old states remain.
    pub(crate) fn quotient(
        &mut self,
        bdds: &mut Manager,
        representative: &[u32],
        kept_edge: impl Fn(u32, u32) -> bool,
    ) {
        let mut collectors: Vec<EdgeCollector> = Vec::new();
        collectors.resize_with(self.edges.len(), EdgeCollector::default);
        for (q, edges) in core::mem::take(&mut self.edges).into_iter().enumerate() {
            for mut edge in edges {
                if kept_edge(q as u32, edge.target) {
                    edge.target = representative[edge.target as usize];
                    collectors[representative[q] as usize].add(bdds, edge);
                }
            }
        }
        self.edges = collectors.into_iter().map(EdgeCollector::finish).collect();
        self.initial.iter_mut().for_each(|q| *q = representative[*q as usize]);
        self.initial.arrange();
        self.initial.dedup();
        let keep: Vec<bool> = representative.iter().enumerate().map(|(q, &r)| q as u32 == r).collect();
        self.restrict(&keep);
    }
}
