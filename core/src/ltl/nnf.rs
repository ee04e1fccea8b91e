//! Negation normal form: negations stand only before propositions, and conjunctions and disjunctions are flat.

use super::formula::{Arena, Formula, FormulaId};
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Remembers normal forms, so that each is computed once.
#[derive(Default)]
pub(super) struct Normaliser {
    known: HashMap<(FormulaId, bool), FormulaId, FxBuildHasher>,
}

impl Normaliser {
    /// The normal form of the formula, or of its negation.
    pub(super) fn normalise(&mut self, arena: &mut Arena, f: FormulaId, negated: bool) -> FormulaId {
        let mut todo = vec![(f, negated)];
        while let Some(&(g, sign)) = todo.last() {
            if self.known.contains_key(&(g, sign)) {
                todo.pop();
                continue;
            }
            let operands = flat_operands(arena, g, sign);
            let before = todo.len();
            todo.extend(operands.iter().filter(|o| !self.known.contains_key(*o)));
            if todo.len() > before {
                continue;
            }
            let normal: Vec<FormulaId> = operands.iter().map(|o| self.known[o]).collect();
            let result = build(arena, g, sign, &normal);
            self.known.insert((g, sign), result);
            todo.pop();
        }
        self.known[&(f, negated)]
    }
}

// The operands of f, or of its negation, with their signs; nested connectives of the same kind are opened.
fn flat_operands(arena: &Arena, f: FormulaId, negated: bool) -> Vec<(FormulaId, bool)> {
    // Some(true) for a conjunction after the sign is taken in, Some(false) for a disjunction.
    let kind = |g: FormulaId, sign: bool| match arena.get(g) {
        Formula::And(_) => Some(!sign),
        Formula::Or(_) => Some(sign),
        _ => None,
    };
    let Some(mine) = kind(f, negated) else {
        let flip = matches!(arena.get(f), Formula::Not(_));
        return arena.get(f).operands().iter().map(|&g| (g, negated != flip)).collect();
    };
    let mut seen: HashMap<(FormulaId, bool), (), FxBuildHasher> = HashMap::default();
    let (mut result, mut todo) = (Vec::new(), vec![(f, negated)]);
    while let Some((g, sign)) = todo.pop() {
        if seen.insert((g, sign), ()).is_some() {
            continue;
        }
        if let Formula::Not(h) = *arena.get(g) {
            todo.push((h, !sign));
        } else if kind(g, sign) == Some(mine) {
            todo.extend(arena.get(g).operands().iter().map(|&h| (h, sign)));
        } else {
            result.push((g, sign));
        }
    }
    result
}

fn build(arena: &mut Arena, f: FormulaId, negated: bool, operands: &[FormulaId]) -> FormulaId {
    match (arena.get(f), operands) {
        (Formula::True, _) => {
            if negated {
                Arena::FALSE
            } else {
                Arena::TRUE
            }
        }
        (Formula::False, _) => {
            if negated {
                Arena::TRUE
            } else {
                Arena::FALSE
            }
        }
        (Formula::Ap(_), _) => {
            if negated {
                arena.not(f)
            } else {
                f
            }
        }
        (Formula::Not(_), &[g]) => g,
        (Formula::And(_), _) => {
            if negated {
                arena.or(operands.iter().copied())
            } else {
                arena.and(operands.iter().copied())
            }
        }
        (Formula::Or(_), _) => {
            if negated {
                arena.and(operands.iter().copied())
            } else {
                arena.or(operands.iter().copied())
            }
        }
        (Formula::Next(_), &[g]) => arena.next(g),
        (Formula::Eventually(_), &[g]) => {
            if negated {
                arena.always(g)
            } else {
                arena.eventually(g)
            }
        }
        (Formula::Always(_), &[g]) => {
            if negated {
                arena.eventually(g)
            } else {
                arena.always(g)
            }
        }
        (Formula::Until(_), &[g, h]) => {
            if negated {
                arena.release(g, h)
            } else {
                arena.until(g, h)
            }
        }
        (Formula::Release(_), &[g, h]) => {
            if negated {
                arena.until(g, h)
            } else {
                arena.release(g, h)
            }
        }
        (Formula::WeakUntil(_), &[g, h]) => {
            if negated {
                arena.strong_release(g, h)
            } else {
                arena.weak_until(g, h)
            }
        }
        (Formula::StrongRelease(_), &[g, h]) => {
            if negated {
                arena.weak_until(g, h)
            } else {
                arena.strong_release(g, h)
            }
        }
        (operator, _) => unreachable!("{operator:?} has as many operands as it has"),
    }
}
