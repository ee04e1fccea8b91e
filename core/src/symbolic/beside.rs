//! Bits that stand beside those of a state: the memory of an automaton that runs along, and a note of the step that is taken.
//!
//! Reading a state writes the note: the marks of the automaton's move, and who takes the next step. A step is taken only by
//! whoever is noted, and clears the note. So whatever has to happen infinitely often is a set of states with their notes.

use crate::group::Process;
use crate::program::ActionId;
use alloc::vec::Vec;

/// Somebody whose steps are told from all others: a process, or one action of a process that is to be fair by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// The process.
    pub process: Process,
    /// The action, where its steps are told from the other steps of the process.
    pub action: Option<ActionId>,
}

/// The one that takes the next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Executor {
    /// A state without steps repeats.
    Nobody,
    /// A process.
    Process(Process),
}

/// The bits beside those of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Beside {
    /// How many bits the automaton's state has. A step leaves them as they are.
    pub automaton: u32,
    /// How many marks a move can have, a bit each.
    pub marks: u32,
    /// Those whose steps are told apart. Steps of anybody else are nobody's, like the repetition of a deadlock.
    pub movers: Vec<Mover>,
}

impl From<u32> for Beside {
    /// An automaton's state alone.
    fn from(automaton: u32) -> Beside {
        Beside { automaton, ..Beside::default() }
    }
}

impl Beside {
    /// All bits.
    pub(super) fn bits(&self) -> u32 {
        self.automaton + self.marks + self.mover_bits()
    }

    /// The bits that say who takes the step; nobody is zero.
    pub(super) fn mover_bits(&self) -> u32 {
        u32::BITS - (self.movers.len() as u32).leading_zeros()
    }

    /// The number of whoever takes a step.
    pub(super) fn mover(&self, process: Process, action: ActionId) -> u32 {
        let place = |action| self.movers.iter().position(|&mover| mover == Mover { process, action });
        place(Some(action)).or_else(|| place(None)).map_or(0, |place| place as u32 + 1)
    }
}
