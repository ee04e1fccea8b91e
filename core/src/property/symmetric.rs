//! Symmetric automata: permutations of processes that act on the states of an automaton.
//!
//! After Emerson & Sistla, "Symmetry and model checking", on linear time with symmetric automata. A quantifier over processes
//! inside of temporal operators is written out, so that the automaton speaks of every process of the family. To track
//! them all would leave no symmetry. But if every permutation π of the group comes with a map α of the automaton's
//! states to each other that takes each transition to one which reads of π(i) what the first reads of i, with the same
//! marks, then (π, α) takes the product of program and automaton to itself, and it is enough to look at it up to these
//! pairs: the permutation of an edge moves the automaton's state instead of the tracked processes.
//!
//! Nothing is assumed of how the automaton was made: the map is looked for, and checked, for each generator of the group
//! before the search, and for each permutation that the search meets.

use super::meaning::Meaning;
use super::obligation::Obligation;
use crate::automaton::isomorphism::renaming;
use crate::automaton::{Ap, AutomatonState, Tgba};
use crate::group::{Perm, Process};
use crate::program::{FamilyId, Program};
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The place of a tracked process in the symmetric automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// It is tracked, as the one with this number.
    Tracked(u32),
    /// It stays where it is, and the automaton's state moves.
    Home(Process),
}

/// An automaton on whose states the permutations act.
#[derive(Clone, Debug)]
pub struct SymmetricAutomaton {
    automaton: Rc<Tgba>,
    /// For each process that the atoms speak of, what becomes of it.
    slots: Vec<Slot>,
    /// The atoms by what they say; each says that or the opposite.
    atoms: BTreeMap<Meaning, (Ap, bool)>,
}

impl SymmetricAutomaton {
    /// The symmetric automaton of an obligation some of whose quantifiers, over these families, were written out; none
    /// where its automaton is not symmetric.
    pub fn new(program: &Program, obligation: &Obligation, written_out: &[FamilyId]) -> Option<Self> {
        let mut slots = Vec::new();
        let mut tracked = 0;
        for (number, &process) in obligation.tracked.iter().enumerate() {
            let home = number >= obligation.chosen && written_out.contains(&program.locate(process).0);
            slots.push(if home {
                Slot::Home(process)
            } else {
                tracked += 1;
                Slot::Tracked(tracked - 1)
            });
        }
        let meanings = (0..).zip(obligation.meanings.iter());
        let atoms = meanings.map(|(number, (meaning, sign))| (meaning.clone(), (Ap(number), *sign)));
        let made =
            SymmetricAutomaton { automaton: obligation.automaton.clone(), slots, atoms: atoms.collect() };
        let group = &obligation.symmetry.group;
        let moves = !group.is_trivial() && made.slots.iter().any(|slot| matches!(slot, Slot::Home(_)));
        (moves && group.generators().all(|perm| made.map(&perm).is_some())).then_some(made)
    }

    /// The processes that are tracked.
    pub fn tracked(&self, all: &[Process]) -> Vec<Process> {
        let kept = self.slots.iter().zip(all).filter(|(slot, _)| matches!(slot, Slot::Tracked(_)));
        kept.map(|(_, &process)| process).collect()
    }

    /// The processes that the atoms speak of where the tracked processes are these.
    pub fn places(&self, tracked: &[Process]) -> Vec<Process> {
        let place = |slot: &Slot| match *slot {
            Slot::Tracked(number) => tracked[number as usize],
            Slot::Home(process) => process,
        };
        self.slots.iter().map(place).collect()
    }

    /// Where a permutation takes each state; none where it does not act.
    pub fn map(&self, perm: &Perm) -> Option<Vec<AutomatonState>> {
        let image = |slot: usize| match self.slots[slot] {
            Slot::Tracked(_) => Some(slot),
            Slot::Home(process) => {
                let goal = Slot::Home(perm.apply(process));
                self.slots.iter().position(|slot| *slot == goal)
            }
        };
        let mut rename = alloc::vec![Ap(0); self.atoms.len()];
        for (meaning, (ap, sign)) in &self.atoms {
            let (other, turned) = self.atoms.get(&meaning.turned(image)?)?;
            // A renaming says the same of other processes, never the opposite.
            if sign != turned {
                return None;
            }
            rename[ap.0 as usize] = *other;
        }
        renaming(&self.automaton, &rename)
    }
}
