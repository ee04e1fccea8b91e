//! Simplification: the negation normal form, rewritten bottom-up until nothing changes.

use super::formula::{Arena, FormulaId};
use super::nnf::Normaliser;
use super::rewrite::Rewriter;
use crate::strain::{size, took};
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

// Further rounds hardly ever find anything.
const ROUNDS: usize = 4;

/// An equivalent formula in negation normal form that is easier to translate.
///
/// ```
/// use orbitscope_core::ltl::{simplify, Ap, Arena};
/// let mut arena = Arena::new();
/// let (p, q) = (arena.ap(Ap(0)), arena.ap(Ap(1)));
/// let until = arena.until(p, q);
/// let f = arena.eventually(until);
/// assert_eq!(simplify(&mut arena, f), arena.eventually(q));
/// ```
pub fn simplify(arena: &mut Arena, f: FormulaId) -> FormulaId {
    let mut current = Normaliser::default().normalise(arena, f, false);
    let mut rewriter = Rewriter::new(arena);
    let rounds = size("ltl: rounds", ROUNDS, 1);
    for round in 1..=rounds {
        let mut result: HashMap<FormulaId, FormulaId, FxBuildHasher> = HashMap::default();
        for g in rewriter.know.arena.subformulas(current) {
            let operands: Vec<FormulaId> =
                (rewriter.know.arena.get(g).operands().iter()).map(|h| result[h]).collect();
            let simple = rewriter.rebuild(g, &operands);
            result.insert(g, simple);
        }
        let next = result[&current];
        if next == current {
            break;
        }
        current = next;
        if round == rounds {
            took("ltl: not simplified to the end");
        }
    }
    current
}
