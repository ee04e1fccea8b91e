//! The edges of a node, as small as they are needed to search.

use super::{NodeId, ProductEdge};
use crate::automaton::Marks;
use crate::group::{Perm, Process};
use crate::quotient::AqsiEdge;
use crate::sort::Sort as _;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The edges of a node: moves of the automaton along the steps of the node's quotient state, which have the permutations.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub(super) steps: Rc<[AqsiEdge]>,
    pub(super) moves: Vec<Move>,
}

/// A move of the automaton along a step.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The number of the step; none where a state without steps repeats.
    pub step: Option<u32>,
    pub target: NodeId,
    pub marks: Marks,
    /// The permutation, where the automaton's state adds to that of the step.
    pub perm: Option<Perm>,
}

impl Moves {
    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    fn step(&self, number: usize) -> Option<&AqsiEdge> {
        self.moves[number].step.map(|step| &self.steps[step as usize])
    }

    /// The target of an edge, and the acceptance sets of the automaton's move.
    pub fn target(&self, number: usize) -> (NodeId, Marks) {
        (self.moves[number].target, self.moves[number].marks)
    }

    /// The process that executes, in the source's numbering.
    pub fn process(&self, number: usize) -> Option<Process> {
        self.step(number).map(|step| step.process)
    }

    /// The permutation of an edge; none is the identity.
    pub fn perm(&self, number: usize) -> Option<&Perm> {
        self.moves[number].perm.as_ref().or_else(|| self.step(number).map(|step| &step.perm))
    }

    /// Puts the edges into the order of what is said of each: of its target, and of the process that executes. What is equal
    /// stays as it was.
    pub(crate) fn arrange_by<K: Ord>(&mut self, key: impl Fn(NodeId, Option<Process>) -> K) {
        let Moves { steps, moves } = self;
        if moves.len() < 2 {
            return;
        }
        // To tell a key means to wait for memory: it is told once of each.
        let told =
            moves.drain(..).map(|m| (key(m.target, m.step.map(|step| steps[step as usize].process)), m));
        let mut told: Vec<(K, Move)> = told.collect();
        told.arrange_by(|a, b| a.0.cmp(&b.0));
        moves.extend(told.into_iter().map(|(_, m)| m));
    }

    /// An edge with all that it is made of.
    pub fn edge(&self, number: usize) -> ProductEdge {
        let Move { step, target, marks, .. } = self.moves[number];
        let (process, perm) = (self.process(number), self.perm(number).cloned().unwrap_or_default());
        let action = self.step(number).map(|step| step.action);
        ProductEdge { step, process, action, perm, marks, target, turn: Perm::identity() }
    }

    /// All edges, with all that they are made of.
    pub fn edges(&self) -> impl Iterator<Item = ProductEdge> + '_ {
        (0..self.len()).map(|number| self.edge(number))
    }

    /// The bytes that it takes beside its own.
    pub fn heap_bytes(&self) -> u64 {
        let perms = self.moves.iter().filter_map(|m| m.perm.as_ref()).map(Perm::heap_bytes);
        let steps = self.steps.iter().map(|step| {
            let arguments = step.arguments.capacity() * size_of::<i64>();
            (size_of::<AqsiEdge>() + arguments) as u64 + step.perm.heap_bytes() + step.rho.heap_bytes()
        });
        perms.chain(steps).sum::<u64>() + (self.moves.capacity() * size_of::<Move>()) as u64
    }
}
