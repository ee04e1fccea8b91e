//! Formulas, hash-consed: equal formulas have equal ids.

use crate::automaton::Ap;
use crate::define_id;
use crate::ids::IdVec;
use crate::sort::Sort as _;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::{HashMap, HashSet, HashTable};
use rustc_hash::FxBuildHasher;

define_id!(
    /// A formula of an [`Arena`].
    FormulaId
);

/// The outermost operator of a formula and its operands, which have smaller ids than the formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// true
    True,
    /// false
    False,
    /// An atomic proposition.
    Ap(Ap),
    /// not f
    Not(FormulaId),
    /// The conjunction of at least two formulas in ascending order.
    And(Box<[FormulaId]>),
    /// The disjunction of at least two formulas in ascending order.
    Or(Box<[FormulaId]>),
    /// X f: f holds in the next state.
    Next(FormulaId),
    /// F f: f holds now or later.
    Eventually(FormulaId),
    /// G f: f holds from now on.
    Always(FormulaId),
    /// f U g: g holds now or later, and f until then.
    Until([FormulaId; 2]),
    /// f R g: g holds until f and g hold together, or for ever.
    Release([FormulaId; 2]),
    /// f W g: f U g, or f for ever.
    WeakUntil([FormulaId; 2]),
    /// f M g: f R g, and f holds now or later.
    StrongRelease([FormulaId; 2]),
}

impl Formula {
    /// The operands.
    pub fn operands(&self) -> &[FormulaId] {
        match self {
            Formula::True | Formula::False | Formula::Ap(_) => &[],
            Formula::Not(f) | Formula::Next(f) | Formula::Eventually(f) | Formula::Always(f) => {
                core::slice::from_ref(f)
            }
            Formula::And(fs) | Formula::Or(fs) => fs,
            Formula::Until(fs)
            | Formula::Release(fs)
            | Formula::WeakUntil(fs)
            | Formula::StrongRelease(fs) => fs,
        }
    }
}

/// A table of formulas.
///
/// Building a formula only folds constants, double negations and repeated operands; what was written stays
/// recognisable. An operation takes constant time (in the number of its operands) and adds at most five formulas.
///
/// ```
/// use orbitscope_core::ltl::{Ap, Arena};
/// let mut arena = Arena::new();
/// let (p, q) = (arena.ap(Ap(0)), arena.ap(Ap(1)));
/// let until = arena.until(p, q);
/// assert_eq!(until, arena.until(p, q));
/// let not = arena.not(until);
/// assert_eq!(arena.not(not), until);
/// assert_eq!(arena.print(not, |ap| ["p", "q"][ap.0 as usize]).to_string(), "!(p U q)");
/// ```
#[derive(Clone, Debug)]
pub struct Arena {
    formulas: IdVec<FormulaId, Formula>,
    table: HashTable<FormulaId>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// The id of true.
    pub const TRUE: FormulaId = FormulaId(0);
    /// The id of false.
    pub const FALSE: FormulaId = FormulaId(1);

    /// An arena with true and false.
    pub fn new() -> Self {
        let mut arena = Arena { formulas: IdVec::new(), table: HashTable::new() };
        arena.intern(Formula::True);
        arena.intern(Formula::False);
        arena
    }

    /// The number of formulas.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Never: true and false are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The formula's outermost operator.
    pub fn get(&self, f: FormulaId) -> &Formula {
        &self.formulas[f]
    }

    pub(super) fn intern(&mut self, formula: Formula) -> FormulaId {
        let hash = FxBuildHasher.hash_one(&formula);
        if let Some(&found) = self.table.find(hash, |&id| self.formulas[id] == formula) {
            return found;
        }
        let id = self.formulas.push(formula);
        let formulas = &self.formulas;
        self.table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&formulas[id]));
        id
    }

    /// true
    pub fn tt(&self) -> FormulaId {
        Self::TRUE
    }

    /// false
    pub fn ff(&self) -> FormulaId {
        Self::FALSE
    }

    /// An atomic proposition.
    pub fn ap(&mut self, ap: Ap) -> FormulaId {
        self.intern(Formula::Ap(ap))
    }

    /// not f
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        match self.formulas[f] {
            Formula::True => Self::FALSE,
            Formula::False => Self::TRUE,
            Formula::Not(g) => g,
            _ => self.intern(Formula::Not(f)),
        }
    }

    /// The conjunction; true if there is no operand.
    pub fn and(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.connective(operands, Self::TRUE, Self::FALSE, Formula::And)
    }

    /// The disjunction; false if there is no operand.
    pub fn or(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.connective(operands, Self::FALSE, Self::TRUE, Formula::Or)
    }

    fn connective(
        &mut self,
        operands: impl IntoIterator<Item = FormulaId>,
        neutral: FormulaId,
        absorbing: FormulaId,
        make: fn(Box<[FormulaId]>) -> Formula,
    ) -> FormulaId {
        let mut fs: Vec<FormulaId> = operands.into_iter().filter(|&f| f != neutral).collect();
        fs.arrange();
        fs.dedup();
        match fs[..] {
            [] => neutral,
            _ if fs.contains(&absorbing) => absorbing,
            [f] => f,
            _ => self.intern(make(fs.into())),
        }
    }

    /// f implies g
    pub fn implies(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        let not_f = self.not(f);
        self.or([not_f, g])
    }

    /// f if and only if g
    pub fn iff(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        let (not_f, not_g) = (self.not(f), self.not(g));
        let (both, neither) = (self.and([f, g]), self.and([not_f, not_g]));
        self.or([both, neither])
    }

    /// X f
    pub fn next(&mut self, f: FormulaId) -> FormulaId {
        if f <= Self::FALSE { f } else { self.intern(Formula::Next(f)) }
    }

    /// F f
    pub fn eventually(&mut self, f: FormulaId) -> FormulaId {
        if f <= Self::FALSE { f } else { self.intern(Formula::Eventually(f)) }
    }

    /// G f
    pub fn always(&mut self, f: FormulaId) -> FormulaId {
        if f <= Self::FALSE { f } else { self.intern(Formula::Always(f)) }
    }

    /// f U g
    pub fn until(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        match (f, g) {
            (_, Self::TRUE | Self::FALSE) | (Self::FALSE, _) => g,
            (Self::TRUE, _) => self.eventually(g),
            _ => self.intern(Formula::Until([f, g])),
        }
    }

    /// f R g
    pub fn release(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        match (f, g) {
            (_, Self::TRUE | Self::FALSE) | (Self::TRUE, _) => g,
            (Self::FALSE, _) => self.always(g),
            _ => self.intern(Formula::Release([f, g])),
        }
    }

    /// f W g
    pub fn weak_until(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        match (f, g) {
            (Self::TRUE, _) | (_, Self::TRUE) => Self::TRUE,
            (Self::FALSE, _) => g,
            (_, Self::FALSE) => self.always(f),
            _ => self.intern(Formula::WeakUntil([f, g])),
        }
    }

    /// f M g
    pub fn strong_release(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        match (f, g) {
            (Self::FALSE, _) | (_, Self::FALSE) => Self::FALSE,
            (Self::TRUE, _) => g,
            (_, Self::TRUE) => self.eventually(f),
            _ => self.intern(Formula::StrongRelease([f, g])),
        }
    }

    /// The formula and all its subformulas, in ascending order: operands come before what they are operands of.
    pub fn subformulas(&self, f: FormulaId) -> Vec<FormulaId> {
        let (mut result, mut todo) = (Vec::new(), alloc::vec![f]);
        let mut seen: HashSet<FormulaId, FxBuildHasher> = HashSet::default();
        while let Some(g) = todo.pop() {
            if seen.insert(g) {
                result.push(g);
                todo.extend(self.get(g).operands());
            }
        }
        result.arrange();
        result
    }

    /// An arena with nothing but the formula and its subformulas, and the formula there: work on it does not depend on
    /// what else this arena holds.
    pub(super) fn extract(&self, f: FormulaId) -> (Arena, FormulaId) {
        let mut result = Arena::new();
        let mut copies: HashMap<FormulaId, FormulaId, FxBuildHasher> = HashMap::default();
        for g in self.subformulas(f) {
            let at = |h: &FormulaId| copies[h];
            let pair = |hs: &[FormulaId; 2]| hs.map(|h| copies[&h]);
            let sorted = |hs: &[FormulaId]| {
                let mut all: Vec<_> = hs.iter().map(at).collect();
                all.arrange();
                all.into_boxed_slice()
            };
            let copy = match self.get(g) {
                Formula::True => Formula::True,
                Formula::False => Formula::False,
                Formula::Ap(ap) => Formula::Ap(*ap),
                Formula::Not(h) => Formula::Not(at(h)),
                Formula::And(hs) => Formula::And(sorted(hs)),
                Formula::Or(hs) => Formula::Or(sorted(hs)),
                Formula::Next(h) => Formula::Next(at(h)),
                Formula::Eventually(h) => Formula::Eventually(at(h)),
                Formula::Always(h) => Formula::Always(at(h)),
                Formula::Until(hs) => Formula::Until(pair(hs)),
                Formula::Release(hs) => Formula::Release(pair(hs)),
                Formula::WeakUntil(hs) => Formula::WeakUntil(pair(hs)),
                Formula::StrongRelease(hs) => Formula::StrongRelease(pair(hs)),
            };
            let copy = result.intern(copy);
            copies.insert(g, copy);
        }
        (result, copies[&f])
    }
}
