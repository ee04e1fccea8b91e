//! The meaning of a formula on an ultimately periodic word, by fixpoints over the word's positions.
//!
//! The oracle of the translation: it follows the definition of each operator and knows nothing of automata.

use super::formula::{Arena, Formula, FormulaId};
use crate::automaton::LassoWord;
use alloc::vec;
use alloc::vec::Vec;

impl Arena {
    /// Whether the word satisfies the formula.
    ///
    /// ```
    /// use orbitscope_core::automaton::{LassoWord, Valuation};
    /// use orbitscope_core::ltl::{Ap, Arena};
    /// let mut arena = Arena::new();
    /// let p = arena.ap(Ap(0));
    /// let fp = arena.eventually(p);
    /// let gfp = arena.always(fp);
    /// let holds: Valuation = [Ap(0)].into_iter().collect();
    /// assert!(arena.holds_on(gfp, &LassoWord::new(vec![], vec![Valuation::new(), holds.clone()])));
    /// assert!(!arena.holds_on(gfp, &LassoWord::new(vec![holds], vec![Valuation::new()])));
    /// ```
    pub fn holds_on(&self, formula: FormulaId, word: &LassoWord) -> bool {
        let positions = word.positions();
        let subformulas = self.subformulas(formula);
        // The truth of each subformula at each position.
        let mut truth: Vec<Vec<bool>> = Vec::new();
        for &f in &subformulas {
            let at = |g: FormulaId, i: usize| {
                let known = subformulas.binary_search(&g).expect("operands are subformulas");
                truth[known][i]
            };
            // The least or greatest solution of x(i) = step(i, x(i + 1)).
            let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
                let mut x = vec![start; positions];
                loop {
                    let before = x.clone();
                    for i in (0..positions).rev() {
                        x[i] = step(i, x[word.next(i)]);
                    }
                    if x == before {
                        return x;
                    }
                }
            };
            let pointwise = |value: &dyn Fn(usize) -> bool| (0..positions).map(value).collect();
            let values = match *self.get(f) {
                Formula::True => vec![true; positions],
                Formula::False => vec![false; positions],
                Formula::Ap(ap) => pointwise(&|i| word.letter(i).holds(ap)),
                Formula::Not(g) => pointwise(&|i| !at(g, i)),
                Formula::And(ref gs) => pointwise(&|i| gs.iter().all(|&g| at(g, i))),
                Formula::Or(ref gs) => pointwise(&|i| gs.iter().any(|&g| at(g, i))),
                Formula::Next(g) => pointwise(&|i| at(g, word.next(i))),
                Formula::Eventually(g) => fixpoint(false, &|i, later| at(g, i) || later),
                Formula::Always(g) => fixpoint(true, &|i, later| at(g, i) && later),
                Formula::Until([g, h]) => fixpoint(false, &|i, later| at(h, i) || (at(g, i) && later)),
                Formula::WeakUntil([g, h]) => fixpoint(true, &|i, later| at(h, i) || (at(g, i) && later)),
                Formula::Release([g, h]) => fixpoint(true, &|i, later| at(h, i) && (at(g, i) || later)),
                Formula::StrongRelease([g, h]) => {
                    fixpoint(false, &|i, later| at(h, i) && (at(g, i) || later))
                }
            };
            truth.push(values);
        }
        truth[subformulas.len() - 1][0]
    }
}
