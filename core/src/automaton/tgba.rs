//! The automaton itself.

use super::label::{Label, Valuation};
use super::scc::{Components, components};
use crate::define_id;
use crate::error::{Classified, ErrorKind};
use crate::ids::{Id, IdVec};
use crate::limits::MAX_PROPOSITIONS;
use crate::sort::Sort as _;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

define_id!(
    /// A state of an automaton.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    AutomatonState
);

/// The acceptance sets a transition belongs to, at most 64.
///
/// ```
/// use orbitscope_core::automaton::Marks;
/// let both = Marks::of([0, 3]);
/// assert!(both.contains(3) && Marks::of([3]).is_subset(both));
/// assert!(Marks::all(2).is_subset(Marks::of([0, 1])));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marks(pub u64);

impl Marks {
    /// The most acceptance sets an automaton can have.
    pub const MAX: u32 = 64;
    /// No mark.
    pub const EMPTY: Marks = Marks(0);

    /// The marks of the first `n` sets.
    pub fn all(n: u32) -> Self {
        Marks(if n >= Self::MAX { u64::MAX } else { (1 << n) - 1 })
    }

    /// The marks of the given sets, each below [`Marks::MAX`].
    pub fn of(sets: impl IntoIterator<Item = u32>) -> Self {
        Marks(sets.into_iter().fold(0, |m, i| m | 1 << i))
    }

    /// Whether the set's mark is among them.
    pub fn contains(self, set: u32) -> bool {
        set < Self::MAX && self.0 >> set & 1 == 1
    }

    /// Whether every mark is one of `other`.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The marks of either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Marks(self.0 | other.0)
    }

    /// The sets in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..Self::MAX).filter(move |&i| self.contains(i))
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A transition of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// Where it leads.
    pub target: AutomatonState,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
    /// The letters that it reads.
    pub label: Label,
}

/// Why parts do not make an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TgbaError {
    /// No state is initial.
    NoInitialState,
    /// An initial state or a transition's target is not a state.
    UnknownState(AutomatonState),
    /// A transition carries the mark of a set that the automaton does not have.
    UnknownMark(u32),
    /// More acceptance sets than [`Marks::MAX`].
    TooManySets(u32),
    /// More atomic propositions than the Boolean reasoning takes.
    TooManyPropositions(usize),
}

impl fmt::Display for TgbaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TgbaError::NoInitialState => write!(f, "the automaton has no initial state"),
            TgbaError::UnknownState(q) => write!(f, "the automaton has no state {}", q.0),
            TgbaError::UnknownMark(m) => write!(f, "the automaton has no acceptance set {m}"),
            TgbaError::TooManySets(n) => {
                write!(f, "{n} acceptance sets are more than the {} supported", Marks::MAX)
            }
            TgbaError::TooManyPropositions(n) => {
                write!(f, "{n} atomic propositions are more than the {MAX_PROPOSITIONS} supported")
            }
        }
    }
}

impl core::error::Error for TgbaError {}

impl Classified for TgbaError {
    fn kind(&self) -> ErrorKind {
        match self {
            TgbaError::NoInitialState | TgbaError::UnknownState(_) | TgbaError::UnknownMark(_) => {
                ErrorKind::Model
            }
            TgbaError::TooManySets(_) | TgbaError::TooManyPropositions(_) => ErrorKind::Limit,
        }
    }
}

/// Sizes of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The number of states.
    pub states: usize,
    /// The number of transitions, each with a guard.
    pub transitions: usize,
    /// The number of acceptance sets.
    pub sets: u32,
    /// Whether no state has two transitions that read the same letter, and only one state is initial.
    pub deterministic: bool,
}

/// A transition-based generalised Büchi automaton.
///
/// ```
/// use orbitscope_core::automaton::{Ap, AutomatonState, Label, Marks, Tgba, Transition, LassoWord};
/// // Infinitely often p: one state, two loops.
/// let q = AutomatonState(0);
/// let p = |sign, marks| Transition { target: q, marks, label: Label::literal(Ap(0), sign) };
/// let gfp = Tgba::new([q], 1, vec![vec![p(true, Marks::of([0])), p(false, Marks::EMPTY)]]).unwrap();
/// let word = LassoWord::new(vec![], vec![[Ap(0)].into_iter().collect(), Default::default()]);
/// assert!(gfp.accepts(&word));
/// assert_eq!(gfp.statistics().states, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tgba {
    initial: Vec<AutomatonState>,
    sets: u32,
    // One flat table, so that a search walks it without pointers.
    transitions: Vec<Transition>,
    states: IdVec<AutomatonState, Range<u32>>,
    aps: usize,
}

impl Tgba {
    /// An automaton with these initial states, number of acceptance sets, and transitions of each state. Transitions
    /// that can never be taken are left out; the others are put in order.
    pub fn new(
        initial: impl IntoIterator<Item = AutomatonState>,
        sets: u32,
        transitions: Vec<Vec<Transition>>,
    ) -> Result<Self, TgbaError> {
        let count = transitions.len();
        let mut initial: Vec<_> = initial.into_iter().collect();
        initial.arrange();
        initial.dedup();
        if initial.is_empty() {
            return Err(TgbaError::NoInitialState);
        }
        if sets > Marks::MAX {
            return Err(TgbaError::TooManySets(sets));
        }
        let unknown = |q: &AutomatonState| q.index() >= count;
        if let Some(&q) = initial.iter().find(|q| unknown(q)) {
            return Err(TgbaError::UnknownState(q));
        }
        let mut result = Tgba { initial, sets, transitions: Vec::new(), states: IdVec::new(), aps: 0 };
        for mut outgoing in transitions {
            outgoing.retain(|t| !t.label.is_never());
            outgoing.arrange();
            outgoing.dedup();
            for t in &outgoing {
                if unknown(&t.target) {
                    return Err(TgbaError::UnknownState(t.target));
                }
                if let Some(mark) = t.marks.iter().find(|&m| m >= sets) {
                    return Err(TgbaError::UnknownMark(mark));
                }
                result.aps = result.aps.max(t.label.ap_bound());
            }
            let start = result.transitions.len() as u32;
            result.transitions.append(&mut outgoing);
            result.states.push(start..result.transitions.len() as u32);
        }
        if result.aps > MAX_PROPOSITIONS {
            return Err(TgbaError::TooManyPropositions(result.aps));
        }
        Ok(result)
    }

    /// A Büchi automaton with accepting states: every transition that leaves one carries the only mark.
    ///
    /// ```
    /// use orbitscope_core::automaton::{Ap, AutomatonState, Label, Marks, Tgba};
    /// let (a, b) = (AutomatonState(0), AutomatonState(1));
    /// let reaches = Tgba::from_accepting_states([a], &[false, true], [
    ///     (a, Label::always(), a),
    ///     (a, Label::literal(Ap(0), true), b),
    ///     (b, Label::always(), b),
    /// ]).unwrap();
    /// assert_eq!(reaches.transitions(b)[0].marks, Marks::of([0]));
    /// ```
    pub fn from_accepting_states(
        initial: impl IntoIterator<Item = AutomatonState>,
        accepting: &[bool],
        transitions: impl IntoIterator<Item = (AutomatonState, Label, AutomatonState)>,
    ) -> Result<Self, TgbaError> {
        let mut outgoing: Vec<Vec<Transition>> = accepting.iter().map(|_| Vec::new()).collect();
        for (source, label, target) in transitions {
            let marks = match accepting.get(source.index()) {
                Some(true) => Marks::of([0]),
                Some(false) => Marks::EMPTY,
                None => return Err(TgbaError::UnknownState(source)),
            };
            outgoing[source.index()].push(Transition { target, marks, label });
        }
        Tgba::new(initial, 1, outgoing)
    }

    /// The initial states, in ascending order, at least one.
    pub fn initial(&self) -> &[AutomatonState] {
        &self.initial
    }

    /// The number of acceptance sets; with 0 every infinite run is accepting.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// The marks of all acceptance sets.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.sets)
    }

    /// One more than the largest index of a proposition in a label.
    pub fn ap_bound(&self) -> usize {
        self.aps
    }

    /// The states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = AutomatonState> + ExactSizeIterator + use<> {
        self.states.ids()
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// The number of transitions.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The transitions that leave a state.
    pub fn transitions(&self, q: AutomatonState) -> &[Transition] {
        let range = &self.states[q];
        &self.transitions[range.start as usize..range.end as usize]
    }

    /// The transitions that leave a state and read a letter.
    pub fn successors<'a>(
        &'a self,
        q: AutomatonState,
        letter: &'a Valuation,
    ) -> impl Iterator<Item = (Marks, AutomatonState)> + 'a {
        self.transitions(q).iter().filter(|t| t.label.eval(letter)).map(|t| (t.marks, t.target))
    }

    /// The states from which some word is accepted.
    ///
    /// A search that reaches another state can turn back.
    pub fn live_states(&self) -> IdVec<AutomatonState, bool> {
        self.live_and_recurrent().0
    }

    /// The states that an accepting run may be in for ever again: those whose component has all marks. A search need not ask of
    /// others whether they are on an accepted loop.
    pub fn recurrent_states(&self) -> IdVec<AutomatonState, bool> {
        self.live_and_recurrent().1
    }

    fn live_and_recurrent(&self) -> (IdVec<AutomatonState, bool>, IdVec<AutomatonState, bool>) {
        let Components { of, members } = components(self.state_count(), |q| {
            self.transitions(AutomatonState(q)).iter().map(|t| t.target.0)
        });
        let mut live = alloc::vec![false; self.state_count()];
        let mut recurrent = live.clone();
        // A component is numbered after all that it can reach.
        for (number, component) in members.iter().enumerate() {
            let (mut marks, mut inner, mut leads) = (Marks::EMPTY, false, false);
            for t in component.iter().flat_map(|&q| self.transitions(AutomatonState(q))) {
                if of[t.target.index()] as usize == number {
                    inner = true;
                    marks = marks.union(t.marks);
                } else {
                    leads |= live[t.target.index()];
                }
            }
            let accepting = inner && self.all_marks().is_subset(marks);
            for &q in component {
                live[q as usize] = leads || accepting;
                recurrent[q as usize] = accepting;
            }
        }
        (live.into(), recurrent.into())
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        let live = self.live_states();
        !self.initial.iter().any(|&q| live[q])
    }

    /// The automaton's sizes.
    pub fn statistics(&self) -> Statistics {
        let mut bdds = super::bdd::Manager::new(1 << 18);
        let mut deterministic = self.initial.len() == 1;
        for q in self.states() {
            let mut seen = super::bdd::Bdd::FALSE;
            for t in self.transitions(q) {
                let label = bdds.function(&t.label);
                deterministic &= bdds.and(&seen, &label).is_false() && !bdds.overflowed();
                seen = bdds.or(&seen, &label);
            }
        }
        Statistics {
            states: self.state_count(),
            transitions: self.transition_count(),
            sets: self.sets,
            deterministic,
        }
    }
}
