//! The form of an automaton that translation and reductions work on: at most one edge between two states, with a
//! Boolean function for the letters it reads and one for each acceptance set.
//!
//! Two transitions between the same states may be joined even if they carry different marks: a run that takes the
//! joint edge infinitely often can take each of the two infinitely often. So `GF a1 and … and GF an` has one edge here
//! and n + 1 transitions outside, not 2^n.

use super::bdd::{Bdd, Manager};
use super::label::Label;
use super::tgba::{AutomatonState, Marks, Tgba, Transition};
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The edge between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    /// The letters that it reads.
    pub(crate) label: Bdd,
    /// For each acceptance set, the letters with which the edge carries its mark: each implies the label.
    pub(crate) marked: Vec<Bdd>,
}

/// An automaton with at most one edge between two states.
pub(crate) struct MergedTgba {
    pub(crate) initial: Vec<u32>,
    pub(crate) sets: usize,
    /// The edges that leave each state, in the order of their targets.
    pub(crate) edges: Vec<Vec<Edge>>,
}

/// The edges of one state while they are collected.
#[derive(Default)]
pub(crate) struct EdgeCollector {
    by_target: HashMap<u32, usize, FxBuildHasher>,
    edges: Vec<Edge>,
}

impl EdgeCollector {
    pub(crate) fn add(&mut self, bdds: &mut Manager, edge: Edge) {
        if edge.label.is_false() {
            return;
        }
        if let Some(&i) = self.by_target.get(&edge.target) {
            let old = &mut self.edges[i];
            old.label = bdds.or(&old.label, &edge.label);
            for (a, b) in old.marked.iter_mut().zip(edge.marked) {
                *a = bdds.or(a, &b);
            }
        } else {
            self.by_target.insert(edge.target, self.edges.len());
            self.edges.push(edge);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Edge> {
        self.edges.arrange_by_key(|e| e.target);
        self.edges
    }
}

impl MergedTgba {
    pub(crate) fn from_tgba(tgba: &Tgba, bdds: &mut Manager) -> Self {
        let sets = tgba.sets();
        let mut edges = Vec::new();
        for q in tgba.states() {
            let mut collector = EdgeCollector::default();
            for t in tgba.transitions(q) {
                let label = bdds.function(&t.label);
                let mark = |m| if t.marks.contains(m) { label.clone() } else { Bdd::FALSE };
                let marked = (0..sets).map(mark).collect();
                collector.add(bdds, Edge { target: t.target.0, label, marked });
            }
            edges.push(collector.finish());
        }
        MergedTgba { initial: tgba.initial().iter().map(|q| q.0).collect(), sets: sets as usize, edges }
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The automaton with explicit transitions, its states numbered breadth first. At most [`Marks::MAX`] acceptance
    /// sets are supposed.
    pub(crate) fn to_tgba(&self, bdds: &mut Manager) -> Tgba {
        let mut number: Vec<Option<u32>> = vec![None; self.edges.len()];
        let mut order = Vec::new();
        for &q in &self.initial {
            if number[q as usize].is_none() {
                number[q as usize] = Some(order.len() as u32);
                order.push(q);
            }
        }
        let mut transitions: Vec<Vec<Transition>> = Vec::new();
        let mut at = 0;
        while let Some(&q) = order.get(at) {
            at += 1;
            let mut outgoing = Vec::new();
            for edge in &self.edges[q as usize] {
                let target = *number[edge.target as usize].get_or_insert_with(|| {
                    order.push(edge.target);
                    order.len() as u32 - 1
                });
                for (marks, letters) in parts(bdds, edge) {
                    let label: Label = bdds.label(&letters);
                    outgoing.push(Transition { target: AutomatonState(target), marks, label });
                }
            }
            transitions.push(outgoing);
        }
        let initial = self.initial.iter().filter_map(|&q| number[q as usize]).map(AutomatonState);
        Tgba::new(initial, self.sets as u32, transitions)
            .expect("the states are those that were numbered, and there is an initial one")
    }
}

// An edge as transitions with definite marks. Telling all combinations of marks apart keeps the automaton as
// deterministic as it is; where that would be at least twice as many, each mark gets a transition of its own.
fn parts(bdds: &mut Manager, edge: &Edge) -> Vec<(Marks, Bdd)> {
    let mut single: Vec<(Marks, Bdd)> = Vec::new();
    let mut plain = edge.label.clone();
    for (m, letters) in edge.marked.iter().enumerate().filter(|(_, l)| !l.is_false()) {
        plain = bdds.minus(&plain, letters);
        match single.iter_mut().find(|(_, l)| l == letters) {
            Some((marks, _)) => *marks = marks.union(Marks::of([m as u32])),
            None => single.push((Marks::of([m as u32]), letters.clone())),
        }
    }
    if !plain.is_false() {
        single.push((Marks::EMPTY, plain));
    }
    let mut exact = vec![(Marks::EMPTY, edge.label.clone())];
    for (m, letters) in edge.marked.iter().enumerate() {
        let mut finer = Vec::new();
        for (marks, part) in exact {
            let (with, without) = (bdds.and(&part, letters), bdds.minus(&part, letters));
            finer.push((marks.union(Marks::of([m as u32])), with));
            finer.push((marks, without));
        }
        finer.retain(|(_, l)| !l.is_false());
        exact = finer;
        if exact.len() >= 2 * single.len() {
            return single;
        }
    }
    exact
}
