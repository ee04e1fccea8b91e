//! Ultimately periodic words, and their acceptance decided in the plainest way.
//!
//! This is the oracle against which translation and reductions are tested, so it shares nothing with them: no
//! decision diagrams, no Tarjan, only reachability in the product of the word's positions and the automaton.

use super::label::Valuation;
use super::tgba::{Marks, Tgba};
use crate::ids::Id;
use alloc::vec;
use alloc::vec::Vec;

/// An infinite word: a prefix, then a cycle for ever.
///
/// ```
/// use orbitscope_core::automaton::{Ap, LassoWord, Valuation};
/// let p: Valuation = [Ap(0)].into_iter().collect();
/// let word = LassoWord::new(vec![Valuation::new()], vec![p.clone()]);
/// assert_eq!(word.letter(1), &p);
/// assert_eq!(word.next(1), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LassoWord {
    letters: Vec<Valuation>,
    cycle_start: usize,
}

impl LassoWord {
    /// The word `prefix cycle cycle cycle …`.
    ///
    /// # Panics
    /// If the cycle is empty.
    pub fn new(prefix: Vec<Valuation>, cycle: Vec<Valuation>) -> Self {
        assert!(!cycle.is_empty(), "the cycle of an infinite word has at least one letter");
        let cycle_start = prefix.len();
        let mut letters = prefix;
        letters.extend(cycle);
        LassoWord { letters, cycle_start }
    }

    /// The number of different positions.
    pub fn positions(&self) -> usize {
        self.letters.len()
    }

    /// The letter at a position.
    pub fn letter(&self, position: usize) -> &Valuation {
        &self.letters[position]
    }

    /// The position after another.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.cycle_start } else { position + 1 }
    }
}

impl Tgba {
    /// Whether the automaton accepts the word.
    pub fn accepts(&self, word: &LassoWord) -> bool {
        let states = self.state_count();
        let node = |position: usize, q: usize| position * states + q;
        // successors[node] lists (marks, node): the automaton reads the letter of the node's position.
        let mut successors = Vec::with_capacity(word.positions() * states);
        for position in 0..word.positions() {
            for q in self.states() {
                let next = word.next(position);
                let edges = self.successors(q, word.letter(position));
                successors.push(edges.map(|(m, r)| (m, node(next, r.index()))).collect::<Vec<_>>());
            }
        }
        let reach = |starts: &[usize]| {
            let mut seen = vec![false; successors.len()];
            let mut todo = Vec::new();
            for &s in starts {
                if !seen[s] {
                    seen[s] = true;
                    todo.push(s);
                }
            }
            while let Some(v) = todo.pop() {
                for &(_, w) in &successors[v] {
                    if !seen[w] {
                        seen[w] = true;
                        todo.push(w);
                    }
                }
            }
            seen
        };
        let starts: Vec<usize> = self.initial().iter().map(|q| node(0, q.index())).collect();
        let reachable = reach(&starts);
        let mut done = vec![false; successors.len()];
        for v in (0..successors.len()).filter(|&v| reachable[v]) {
            if done[v] {
                continue;
            }
            // A closed walk from v visits only nodes that v reaches and that reach v.
            let from_v = reach(&successors[v].iter().map(|&(_, w)| w).collect::<Vec<_>>());
            if !from_v[v] {
                continue;
            }
            let mut reaches_v = vec![false; successors.len()];
            reaches_v[v] = true;
            loop {
                let mut changed = false;
                for u in (0..successors.len()).rev() {
                    if from_v[u] && !reaches_v[u] && successors[u].iter().any(|&(_, w)| reaches_v[w]) {
                        reaches_v[u] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            let mut marks = Marks::EMPTY;
            for u in (0..successors.len()).filter(|&u| from_v[u] && reaches_v[u]) {
                done[u] = true;
                for &(m, w) in &successors[u] {
                    if reaches_v[w] {
                        marks = marks.union(m);
                    }
                }
            }
            if self.all_marks().is_subset(marks) {
                return true;
            }
        }
        false
    }
}
