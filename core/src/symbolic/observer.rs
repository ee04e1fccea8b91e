//! An automaton that runs along with the program (section 5): what it remembers stands in bits of its own, which no
//! permutation moves, and it reads only what every used permutation leaves as it is (Definition 4).

use super::encoding::{Bit, Encoding, Side};
use crate::bdd::{Bdd, Manager, Substitution, Variable};
use alloc::vec::Vec;

/// The moves of an automaton as diagrams.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Where the memory is that of an initial state of the automaton.
    pub initial: Bdd,
    /// The memory before, what is read, and the memory after.
    moves: Bdd,
    current: Bdd,
    next: Bdd,
    to_current: Substitution,
    to_next: Substitution,
}

impl Observer {
    /// An automaton with these initial memories and moves: from, as a set of memories; what it reads; to, as a set of
    /// [next](Side::Next) memories.
    pub(super) fn new(
        bdds: &mut Manager,
        memory: &[Bit],
        start: Bdd,
        moves: impl IntoIterator<Item = (Bdd, Bdd, Bdd)>,
    ) -> Observer {
        let mut all = Bdd::FALSE;
        for (from, reads, to) in moves {
            let both = bdds.and(&from, &to);
            let one = bdds.and(&both, &reads);
            all = bdds.or(&all, &one);
        }
        let variables =
            |side| memory.iter().map(|&bit| Encoding::variable(bit, side)).collect::<Vec<Variable>>();
        let (current, next) = (variables(Side::Current), variables(Side::Next));
        let pairs = || current.iter().copied().zip(next.iter().copied());
        let to_current = bdds.monotone_renaming(pairs().map(|(now, next)| (next, now)));
        let to_next = bdds.monotone_renaming(pairs());
        let (current, next) = (bdds.variables(&current), bdds.variables(&next));
        Observer { initial: start, moves: all, current, next, to_current, to_next }
    }

    /// The same states with what is remembered after reading them.
    pub(super) fn reads(&self, bdds: &mut Manager, set: &Bdd) -> Bdd {
        let after = bdds.and_exists(set, &self.moves, &self.current);
        bdds.substitute(&after, &self.to_current)
    }

    /// The same states with what may have been remembered before reading them.
    pub(super) fn read_before(&self, bdds: &mut Manager, set: &Bdd) -> Bdd {
        let after = bdds.substitute(set, &self.to_next);
        bdds.and_exists(&after, &self.moves, &self.next)
    }
}
