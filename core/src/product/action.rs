//! Permutations that move the states of a symmetric automaton.

use crate::automaton::AutomatonState;
use crate::group::{Group, Perm, Process};
use crate::ids::Id;
use crate::property::SymmetricAutomaton;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A symmetric automaton with the maps that have been asked for.
#[derive(Clone, Debug)]
pub(super) struct Action {
    automaton: Rc<SymmetricAutomaton>,
    maps: BTreeMap<Vec<(Process, Process)>, Rc<[AutomatonState]>>,
}

impl Action {
    pub(super) fn new(automaton: Rc<SymmetricAutomaton>) -> Self {
        Action { automaton, maps: BTreeMap::new() }
    }

    pub(super) fn automaton(&self) -> &SymmetricAutomaton {
        &self.automaton
    }

    /// Where a permutation takes a state. It acts, since all generators of its group do.
    pub(super) fn image(&mut self, perm: &Perm, state: AutomatonState) -> AutomatonState {
        if perm.is_identity() {
            return state;
        }
        let automaton = &self.automaton;
        let map = self
            .maps
            .entry(perm.moves().to_vec())
            .or_insert_with(|| automaton.map(perm).expect("a product of permutations that act does").into());
        map[state.index()]
    }

    /// The least state that a group takes a state to, and a permutation of the group that takes it back.
    pub(super) fn least(&mut self, group: &Group, state: AutomatonState) -> (AutomatonState, Perm) {
        let generators: Vec<Perm> = group.generators().collect();
        let mut there: BTreeMap<AutomatonState, Perm> = BTreeMap::from([(state, Perm::identity())]);
        let mut queue = VecDeque::from([state]);
        while let Some(at) = queue.pop_front() {
            for generator in &generators {
                let next = self.image(generator, at);
                if !there.contains_key(&next) {
                    there.insert(next, generator.compose(&there[&at]));
                    queue.push_back(next);
                }
            }
        }
        there.pop_first().map_or((state, Perm::identity()), |(least, perm)| (least, perm.inverse()))
    }
}
