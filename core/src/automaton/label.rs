//! Guards of transitions: Boolean functions of atomic propositions in disjunctive normal form.

use super::bits::BitSet;
use crate::define_id;
use crate::ids::Id;
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;

define_id!(
    /// An atomic proposition. What it says about a state of a model is the caller's business.
    Ap
);

/// Which atomic propositions hold: one letter of a word.
///
/// ```
/// use orbitscope_core::automaton::{Ap, Valuation};
/// let v: Valuation = [Ap(0), Ap(3)].into_iter().collect();
/// assert!(v.holds(Ap(3)) && !v.holds(Ap(1)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valuation(BitSet);

impl Valuation {
    /// The valuation in which nothing holds.
    pub const fn new() -> Self {
        Valuation(BitSet::new())
    }

    /// Says whether a proposition holds.
    pub fn set(&mut self, ap: Ap, holds: bool) {
        if holds { self.0.insert(ap.0) } else { self.0.remove(ap.0) }
    }

    /// Whether a proposition holds.
    pub fn holds(&self, ap: Ap) -> bool {
        self.0.contains(ap.0)
    }
}

impl FromIterator<Ap> for Valuation {
    fn from_iter<T: IntoIterator<Item = Ap>>(iter: T) -> Self {
        Valuation(iter.into_iter().map(|ap| ap.0).collect())
    }
}

/// A conjunction of literals.
///
/// ```
/// use orbitscope_core::automaton::{Ap, Cube, Valuation};
/// let cube = Cube::of([(Ap(0), true), (Ap(1), false)]).unwrap();
/// assert!(cube.eval(&[Ap(0)].into_iter().collect()));
/// assert!(!cube.eval(&Valuation::new()));
/// assert_eq!(Cube::of([(Ap(0), true), (Ap(0), false)]), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    positive: BitSet,
    negative: BitSet,
}

impl Cube {
    /// The empty conjunction, which is true.
    pub const fn new() -> Self {
        Cube { positive: BitSet::new(), negative: BitSet::new() }
    }

    /// The conjunction of literals, each an [`Ap`] and whether it must hold; `None` if two contradict each other.
    pub fn of(literals: impl IntoIterator<Item = (Ap, bool)>) -> Option<Self> {
        let mut cube = Cube::new();
        for (ap, positive) in literals {
            cube.insert(ap, positive);
        }
        cube.positive.is_disjoint(&cube.negative).then_some(cube)
    }

    pub(crate) fn insert(&mut self, ap: Ap, positive: bool) {
        if positive { self.positive.insert(ap.0) } else { self.negative.insert(ap.0) }
    }

    /// Whether the valuation satisfies every literal.
    #[inline]
    pub fn eval(&self, valuation: &Valuation) -> bool {
        self.positive.is_subset(&valuation.0) && self.negative.is_disjoint(&valuation.0)
    }

    /// The literals, in ascending order of their propositions.
    pub fn literals(&self) -> Vec<(Ap, bool)> {
        let mut all: Vec<_> = self.positive.iter().map(|a| (Ap(a), true)).collect();
        all.extend(self.negative.iter().map(|a| (Ap(a), false)));
        all.arrange();
        all
    }
}

/// A guard: a disjunction of [`Cube`]s.
///
/// ```
/// use orbitscope_core::automaton::{Ap, Cube, Label, Valuation};
/// let cube = |ap, sign| Cube::of([(ap, sign)]).unwrap();
/// let label = Label::of([cube(Ap(0), true), cube(Ap(1), false)]);
/// assert!(label.eval(&Valuation::new()));
/// assert!(!label.eval(&[Ap(1)].into_iter().collect()));
/// assert!(Label::always().eval(&Valuation::new()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    cubes: Vec<Cube>,
}

impl Label {
    /// The guard that every valuation satisfies.
    pub fn always() -> Self {
        Label { cubes: vec![Cube::new()] }
    }

    /// The guard that no valuation satisfies.
    pub fn never() -> Self {
        Label { cubes: Vec::new() }
    }

    /// The guard that one literal is.
    pub fn literal(ap: Ap, positive: bool) -> Self {
        let mut cube = Cube::new();
        cube.insert(ap, positive);
        Label { cubes: vec![cube] }
    }

    /// The disjunction of cubes.
    pub fn of(cubes: impl IntoIterator<Item = Cube>) -> Self {
        let mut cubes: Vec<Cube> = cubes.into_iter().collect();
        cubes.arrange();
        cubes.dedup();
        Label { cubes }
    }

    /// Whether the valuation satisfies some cube.
    #[inline]
    pub fn eval(&self, valuation: &Valuation) -> bool {
        self.cubes.iter().any(|cube| cube.eval(valuation))
    }

    /// Whether no valuation satisfies the guard.
    pub fn is_never(&self) -> bool {
        self.cubes.is_empty()
    }

    /// The cubes, in a fixed order.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// One more than the largest proposition's index, 0 if there is none.
    pub(crate) fn ap_bound(&self) -> usize {
        self.cubes.iter().flat_map(Cube::literals).map(|(ap, _)| ap.index() + 1).max().unwrap_or(0)
    }
}
