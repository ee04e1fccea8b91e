//! Very weak alternating automata: the temporal subformulas as states, and what each demands of the next state.
//!
//! P. Gastin, D. Oddoux: Fast LTL to Büchi automata translation, CAV 2001, section 3. Labels are decision diagrams
//! instead of sets of letters, and `GF b` for a Boolean b is a state of its own that only sets a mark.

use super::formula::{Arena, Formula, FormulaId};
use super::translate::{Budget, TranslateError};
use crate::automaton::{Bdd, BitSet, Manager};
use crate::ids::Id;
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// For each letter a choice between sets of states to go on in: set and letters, in the order of the sets. No two
/// sets of which one contains the other are offered for the same letter, unless they are the product of several states.
pub(super) type Moves = Vec<(BitSet, Bdd)>;

/// A state that a run must not stay in for ever.
pub(super) struct Final {
    /// The state, which must be left again and again.
    pub(super) state: u32,
    /// `GF b`: the letters that satisfy b. Otherwise the moves of the state that leave it.
    pub(super) discharge: Discharge,
}

pub(super) enum Discharge {
    Letters(Bdd),
    Moves(Moves),
}

pub(super) struct Vwaa {
    /// The moves of each state.
    pub(super) moves: Vec<Moves>,
    pub(super) finals: Vec<Final>,
    /// The sets to start in, one of them.
    pub(super) initial: Vec<BitSet>,
    /// Whether a disjunction is a state: only then does splitting disjunctions make a difference.
    pub(super) has_disjunction: bool,
}

struct Builder<'a> {
    arena: &'a Arena,
    bdds: &'a mut Manager,
    budget: &'a mut Budget,
    split_or: bool,
    states: HashMap<FormulaId, u32, FxBuildHasher>,
    formulas: Vec<FormulaId>,
    moves: Vec<Option<Moves>>,
    letters: Vec<Option<Bdd>>,
}

/// The automaton of a formula in negation normal form. With `split_or` a disjunction is never a state; each of its
/// operands is.
pub(super) fn vwaa(
    arena: &Arena,
    f: FormulaId,
    bdds: &mut Manager,
    split_or: bool,
    budget: &mut Budget,
) -> Result<Vwaa, TranslateError> {
    let mut b = Builder {
        arena,
        bdds,
        budget,
        split_or,
        states: HashMap::default(),
        formulas: Vec::new(),
        moves: vec![None; f.index() + 1],
        letters: vec![None; f.index() + 1],
    };
    for g in arena.subformulas(f) {
        b.letters[g.index()] = b.boolean(g);
        let moves = b.demands(g)?;
        b.moves[g.index()] = Some(moves);
        if b.bdds.overflowed() {
            return Err(TranslateError::Labels);
        }
    }
    let initial = b.sets(f)?;
    let moves: Vec<Moves> = b.formulas.iter().map(|&g| b.of(g)).collect();
    let used = reachable(&initial, &moves);
    let mut finals = Vec::new();
    for (state, &g) in b.formulas.iter().enumerate().filter(|&(state, _)| used.contains(state as u32)) {
        let discharge = match *arena.get(g) {
            Formula::Eventually(_) | Formula::Until(_) | Formula::StrongRelease(_) => {
                let mut leaving = b.of(g);
                leaving.retain(|(set, _)| !set.contains(state as u32));
                Discharge::Moves(leaving)
            }
            _ => match b.recurring(g) {
                Some(letters) => Discharge::Letters(letters),
                None => continue,
            },
        };
        finals.push(Final { state: state as u32, discharge });
    }
    let is_disjunction =
        |g: &FormulaId| matches!(arena.get(*g), Formula::Or(_)) && b.letters[g.index()].is_none();
    let has_disjunction = b.formulas.iter().any(is_disjunction);
    Ok(Vwaa { moves, finals, initial, has_disjunction })
}

fn reachable(initial: &[BitSet], moves: &[Moves]) -> BitSet {
    let mut reached = BitSet::new();
    let mut todo: Vec<u32> = initial.iter().flat_map(BitSet::iter).collect();
    while let Some(state) = todo.pop() {
        if !reached.contains(state) {
            reached.insert(state);
            todo.extend(moves[state as usize].iter().flat_map(|(set, _)| set.iter()));
        }
    }
    reached
}

impl Builder<'_> {
    fn of(&self, g: FormulaId) -> Moves {
        self.moves[g.index()].clone().expect("operands come first")
    }

    fn state(&mut self, g: FormulaId) -> u32 {
        let next = self.formulas.len() as u32;
        let formulas = &mut self.formulas;
        *self.states.entry(g).or_insert_with(|| {
            formulas.push(g);
            next
        })
    }

    // The letters that satisfy a formula without temporal operators.
    fn boolean(&mut self, g: FormulaId) -> Option<Bdd> {
        match self.arena.get(g) {
            Formula::True => Some(Bdd::TRUE),
            Formula::False => Some(Bdd::FALSE),
            Formula::Ap(ap) => Some(self.bdds.proposition(*ap, true)),
            Formula::Not(h) => self.letters[h.index()].as_ref().map(|l| self.bdds.not(l)),
            Formula::And(hs) => {
                let letters: Option<Vec<&Bdd>> =
                    hs.iter().map(|h| self.letters[h.index()].as_ref()).collect();
                Some(self.bdds.and_all(letters?))
            }
            Formula::Or(hs) => {
                let letters: Option<Vec<&Bdd>> =
                    hs.iter().map(|h| self.letters[h.index()].as_ref()).collect();
                Some(self.bdds.or_all(letters?))
            }
            _ => None,
        }
    }

    // The letters of b if the formula is GF b.
    fn recurring(&self, g: FormulaId) -> Option<Bdd> {
        let Formula::Always(h) = *self.arena.get(g) else { return None };
        let Formula::Eventually(l) = *self.arena.get(h) else { return None };
        self.letters[l.index()].clone()
    }

    // The sets of states of which one must accept the rest of the word for the formula to hold of it: the disjunctive
    // normal form of the formula over its temporal (and Boolean) parts.
    fn sets(&mut self, g: FormulaId) -> Result<Vec<BitSet>, TranslateError> {
        let opened = |f: FormulaId| match self.arena.get(f) {
            Formula::And(hs) => Some(hs),
            Formula::Or(hs) if self.split_or && self.letters[f.index()].is_none() => Some(hs),
            _ => None,
        };
        let (mut tree, mut todo) = (Vec::new(), vec![g]);
        let mut known: HashMap<FormulaId, Vec<BitSet>, FxBuildHasher> = HashMap::default();
        while let Some(f) = todo.pop() {
            if known.insert(f, Vec::new()).is_none() {
                tree.push(f);
                todo.extend(opened(f).into_iter().flatten());
            }
        }
        tree.arrange();
        for f in tree {
            let mut sets = match self.arena.get(f) {
                Formula::True => vec![BitSet::new()],
                Formula::False => Vec::new(),
                Formula::And(hs) => {
                    let mut product = vec![BitSet::new()];
                    for h in hs {
                        let choices = &known[h];
                        self.budget.spend(product.len().saturating_mul(choices.len()))?;
                        let mut larger = Vec::new();
                        for set in &product {
                            for choice in choices {
                                let mut union = set.clone();
                                union.union_with(choice);
                                larger.push(union);
                            }
                        }
                        product = larger;
                    }
                    product
                }
                Formula::Or(hs) if self.split_or && self.letters[f.index()].is_none() => {
                    hs.iter().flat_map(|h| known[h].iter().cloned()).collect()
                }
                _ => vec![[self.state(f)].into_iter().collect()],
            };
            sets.arrange();
            sets.dedup();
            known.insert(f, sets);
        }
        Ok(known.remove(&g).unwrap_or_default())
    }

    fn stay(&mut self, g: FormulaId) -> Moves {
        vec![([self.state(g)].into_iter().collect(), Bdd::TRUE)]
    }

    fn demands(&mut self, g: FormulaId) -> Result<Moves, TranslateError> {
        if let Some(letters) = &self.letters[g.index()] {
            return Ok(if letters.is_false() { Vec::new() } else { vec![(BitSet::new(), letters.clone())] });
        }
        if self.recurring(g).is_some() {
            return Ok(self.stay(g));
        }
        match self.arena.get(g).clone() {
            Formula::And(hs) => {
                let mut moves = vec![(BitSet::new(), Bdd::TRUE)];
                for h in hs {
                    moves = self.both(&moves, &self.of(h))?;
                }
                Ok(moves)
            }
            Formula::Or(hs) => {
                let all = hs.iter().flat_map(|&h| self.of(h)).collect();
                self.minimal(all)
            }
            Formula::Next(h) => {
                let all = self.sets(h)?.into_iter().map(|set| (set, Bdd::TRUE)).collect();
                self.minimal(all)
            }
            Formula::Eventually(h) => {
                let stay = self.stay(g);
                self.either(self.of(h), stay)
            }
            Formula::Always(h) => {
                let stay = self.stay(g);
                let moves = self.both(&self.of(h), &stay)?;
                self.without_implied(g, h, moves)
            }
            Formula::Until([h, l]) | Formula::WeakUntil([h, l]) => {
                let stay = self.stay(g);
                let on = self.both(&self.of(h), &stay)?;
                self.either(self.of(l), on)
            }
            Formula::Release([h, l]) | Formula::StrongRelease([h, l]) => {
                let stay = self.stay(g);
                let either = self.either(self.of(h), stay)?;
                let moves = self.both(&self.of(l), &either)?;
                self.without_implied(g, l, moves)
            }
            Formula::True | Formula::False | Formula::Ap(_) | Formula::Not(_) => {
                unreachable!("Boolean formulas have been dealt with")
            }
        }
    }

    // The state g = G h (or f R h, f M h) makes every demand of h itself, at each step that it stays. So in a set with g,
    // a state that h demands at once is not needed, unless it is final and its being left must be seen: each path that it
    // would start either stays in it, which is allowed, or meets a path that is there anyway. Without this a chain of
    // releases would have exponentially many moves.
    fn without_implied(
        &mut self,
        g: FormulaId,
        h: FormulaId,
        mut moves: Moves,
    ) -> Result<Moves, TranslateError> {
        let mut implied = Vec::new();
        let (mut todo, mut seen) = (vec![h], HashSet::<FormulaId, FxBuildHasher>::default());
        while let Some(f) = todo.pop() {
            if !seen.insert(f) {
                continue;
            }
            match *self.arena.get(f) {
                Formula::And(ref operands) => todo.extend(operands),
                Formula::Always(l) | Formula::Release([_, l]) | Formula::StrongRelease([_, l]) => {
                    todo.push(l);
                }
                _ => {}
            }
            let is_final = matches!(
                self.arena.get(f),
                Formula::Eventually(_) | Formula::Until(_) | Formula::StrongRelease(_)
            ) || self.recurring(f).is_some();
            if !is_final {
                implied.extend(self.states.get(&f));
            }
        }
        let state = self.state(g);
        for (set, _) in moves.iter_mut().filter(|(set, _)| set.contains(state)) {
            for &k in &implied {
                set.remove(k);
            }
        }
        self.minimal(moves)
    }

    fn either(&mut self, mut a: Moves, b: Moves) -> Result<Moves, TranslateError> {
        a.extend(b);
        self.minimal(a)
    }

    fn both(&mut self, a: &Moves, b: &Moves) -> Result<Moves, TranslateError> {
        let product = product(self.bdds, a, b, self.budget)?;
        self.minimal(product)
    }

    // For each letter only the smallest sets: one state's demand is a positive Boolean formula, where f or (f and g) is f.
    fn minimal(&mut self, moves: Moves) -> Result<Moves, TranslateError> {
        let merged = merge(self.bdds, moves);
        self.budget.spend(merged.len().saturating_mul(merged.len()))?;
        let mut result = Vec::new();
        for (i, (set, letters)) in merged.iter().enumerate() {
            let mut letters = letters.clone();
            for (j, (smaller, others)) in merged.iter().enumerate() {
                if i != j && !letters.is_false() && smaller.is_subset(set) {
                    letters = self.bdds.minus(&letters, others);
                }
            }
            if !letters.is_false() {
                result.push((set.clone(), letters));
            }
        }
        Ok(result)
    }
}

/// All unions of a set of one and a set of the other.
pub(super) fn product(
    bdds: &mut Manager,
    a: &Moves,
    b: &Moves,
    budget: &mut Budget,
) -> Result<Moves, TranslateError> {
    budget.spend(a.len().saturating_mul(b.len()))?;
    let mut result = Vec::new();
    for (s, l) in a {
        for (t, m) in b {
            let letters = bdds.and(l, m);
            if !letters.is_false() {
                let mut union = s.clone();
                union.union_with(t);
                result.push((union, letters));
            }
        }
    }
    if bdds.overflowed() {
        return Err(TranslateError::Labels);
    }
    Ok(merge(bdds, result))
}

fn merge(bdds: &mut Manager, mut moves: Moves) -> Moves {
    moves.arrange_by(|(s, _), (t, _)| s.cmp(t));
    let mut result: Moves = Vec::with_capacity(moves.len());
    for (set, letters) in moves {
        match result.last_mut() {
            Some((last, all)) if *last == set => *all = bdds.or(all, &letters),
            _ => result.push((set, letters)),
        }
    }
    result
}
