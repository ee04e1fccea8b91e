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

    /// Where a permutation takes a state; none where its map is not found. A permutation of the group acts, since all
    /// generators do, but the search for its map may need more nodes of decision diagrams than it is given.
    pub(super) fn image(&mut self, perm: &Perm, state: AutomatonState) -> Option<AutomatonState> {
        if perm.is_identity() {
            return Some(state);
        }
        if let Some(map) = self.maps.get(perm.moves()) {
            return Some(map[state.index()]);
        }
        let map = self.automaton.map(perm)?;
        let image = map[state.index()];
        self.maps.insert(perm.moves().to_vec(), map.into());
        Some(image)
    }

    /// The least state that a group takes a state to, and a permutation of the group that takes it back.
    pub(super) fn least(&mut self, group: &Group, state: AutomatonState) -> Option<(AutomatonState, Perm)> {
        let generators: Vec<Perm> = group.generators().collect();
        let mut there: BTreeMap<AutomatonState, Perm> = BTreeMap::from([(state, Perm::identity())]);
        let mut queue = VecDeque::from([state]);
        while let Some(at) = queue.pop_front() {
            for generator in &generators {
                let next = self.image(generator, at)?;
                if !there.contains_key(&next) {
                    there.insert(next, generator.compose(&there[&at]));
                    queue.push_back(next);
                }
            }
        }
        there.pop_first().map(|(least, perm)| (least, perm.inverse()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;
    use crate::{ltl, program, property, symmetry};

    /// Permutations that do not act take no state anywhere, and nothing breaks.
    #[test]
    fn a_permutation_without_a_map_has_no_image() {
        let parsed = parse(
            "process p[2] { var x: bool = false action flip: true -> x := not x }
             process q { var y: bool = false action flip: true -> y := not y }
             ltl one: G exists b in p: F b.x",
        );
        let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
        let id = program.property("one").unwrap();
        let symmetry = symmetry::detect(&program);
        let mut all = property::obligations(&program, id, &symmetry, &ltl::Limits::default()).unwrap();
        all[0].use_symmetry_of_automaton(&program);
        let automaton = all[0].symmetric.clone().expect("the quantifier inside is written out");
        let mut action = Action::new(automaton);
        let exchange = |a, b| Perm::transposition(Process(a), Process(b));
        let state = AutomatonState(0);
        assert!(action.image(&exchange(0, 1), state).is_some());
        assert_eq!(action.image(&exchange(1, 2), state), None);
        assert_eq!(action.image(&Perm::identity(), state), Some(state));
    }
}
