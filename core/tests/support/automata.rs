//! Random automata, with several acceptance sets and several moves for one letter.

use super::random::Random;
use orbitscope_core::automaton::{Ap, AutomatonState, Cube, Label, Marks, Tgba, Transition};

impl Random {
    pub(crate) fn label(&mut self, aps: u32) -> Label {
        let cube = |r: &mut Self| {
            let literals: Vec<_> = (0..aps).filter(|_| r.below(3) > 0).collect();
            Cube::of(literals.into_iter().map(|ap| (Ap(ap), r.coin()))).unwrap()
        };
        match self.below(6) {
            0 => Label::always(),
            1 => Label::of([cube(self), cube(self)]),
            _ => Label::of([cube(self)]),
        }
    }

    /// An automaton with up to `states` states, more or less dense.
    pub(crate) fn automaton(&mut self, states: usize, aps: u32, sets: u32) -> Tgba {
        let (states, sets) = (self.below(states) + 1, self.below(sets as usize + 1) as u32);
        let mut transitions = vec![Vec::new(); states];
        for outgoing in &mut transitions {
            for _ in 0..self.below(4) {
                let target = AutomatonState(self.below(states) as u32);
                let marks = Marks(self.bits() & Marks::all(sets).0);
                outgoing.push(Transition { target, marks, label: self.label(aps) });
            }
        }
        let initial: Vec<_> =
            (0..=self.below(2)).map(|_| AutomatonState(self.below(states) as u32)).collect();
        Tgba::new(initial, sets, transitions).unwrap()
    }
}
