//! Rewriting conjunctions and disjunctions: what their operands say about each other.
//!
//! Sources as for [`rewrite`](super::rewrite).

use super::formula::{Arena, Formula, FormulaId};
use super::implication::Knowledge;
use super::rewrite::Rewriter;
use crate::strain::{size, took};
use alloc::vec;
use alloc::vec::Vec;

// Conjunctions and disjunctions with more operands are not compared pairwise.
const PAIRWISE: usize = 48;

/// Whether this many operands are compared pairwise.
pub(super) fn is_compared(operands: usize) -> bool {
    let compared = operands <= size("ltl: operands", PAIRWISE, 2);
    if !compared {
        took("ltl: too many operands");
    }
    compared
}

/// Which of the two connectives: most rules come in pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

impl Connective {
    pub(super) fn operands(self, formula: &Formula) -> Option<&[FormulaId]> {
        match (self, formula) {
            (Connective::And, Formula::And(fs)) | (Connective::Or, Formula::Or(fs)) => Some(fs),
            _ => None,
        }
    }

    fn dual(self) -> Self {
        if self == Connective::And { Connective::Or } else { Connective::And }
    }
}

impl Rewriter<'_> {
    fn plain(&mut self, connective: Connective, fs: Vec<FormulaId>) -> FormulaId {
        match connective {
            Connective::And => self.know.arena.and(fs),
            Connective::Or => self.know.arena.or(fs),
        }
    }

    pub(super) fn connective(&mut self, connective: Connective, operands: Vec<FormulaId>) -> FormulaId {
        let mut fs: Vec<FormulaId> = Vec::new();
        for f in operands {
            match connective.operands(self.formula(f)) {
                Some(inner) => fs.extend(inner),
                None => fs.push(f),
            }
        }
        let flat = self.plain(connective, fs);
        let Some(fs) = connective.operands(self.formula(flat)).map(<[FormulaId]>::to_vec) else {
            return flat;
        };
        let merged = |s: &mut Self| {
            let smaller = s.group(connective, &fs).or_else(|| s.compare(connective, &fs))?;
            Some(s.connective(connective, smaller))
        };
        self.nested(merged, |_| flat)
    }

    // X f and X g = X (f and g); G f and G g = G (f and g); F f or F g = F (f or g), which may take in timeless operands;
    // FG f and FG g = FG (f and g); GF f or GF g = GF (f or g).
    fn group(&mut self, connective: Connective, fs: &[FormulaId]) -> Option<Vec<FormulaId>> {
        let is_next = |s: &Self, f| if let Formula::Next(g) = *s.formula(f) { Some(g) } else { None };
        let (inner, mut rest) = self.split(fs, is_next);
        if inner.len() > 1 {
            let joined = self.connective(connective, inner);
            rest.push(self.next(joined));
            return Some(rest);
        }
        let recurrence = |s: &mut Self, f: FormulaId| match (connective, s.formula(f)) {
            (Connective::And, &Formula::Eventually(g)) => s.know.universal(g).then_some(g),
            (Connective::Or, &Formula::Always(g)) => s.know.eventual(g).then_some(g),
            _ => None,
        };
        let inner: Vec<_> = fs.iter().filter_map(|&f| recurrence(self, f)).collect();
        if inner.len() > 1 {
            let mut rest: Vec<_> = fs.iter().copied().filter(|&f| recurrence(self, f).is_none()).collect();
            let joined = self.connective(connective, inner);
            rest.push(match connective {
                Connective::And => self.eventually(joined),
                Connective::Or => self.always(joined),
            });
            return Some(rest);
        }
        let (mut inner, mut rest) = (Vec::new(), Vec::new());
        let takes_timeless = connective == Connective::Or
            && fs.iter().any(|&f| matches!(self.formula(f), Formula::Eventually(_)));
        for &f in fs {
            let operand = match (connective, self.formula(f)) {
                (Connective::And, &Formula::Always(g)) | (Connective::Or, &Formula::Eventually(g)) => Some(g),
                _ => None,
            };
            match operand {
                // GF f is easier to translate on its own.
                Some(g) if connective == Connective::Or || !self.know.eventual(g) => inner.push(g),
                None if takes_timeless && self.know.timeless(f) => inner.push(f),
                _ => rest.push(f),
            }
        }
        if inner.len() < 2 {
            return None;
        }
        let joined = self.connective(connective, inner);
        rest.push(match connective {
            Connective::And => self.always(joined),
            Connective::Or => self.eventually(joined),
        });
        Some(rest)
    }

    fn split(
        &self,
        fs: &[FormulaId],
        pick: impl Fn(&Self, FormulaId) -> Option<FormulaId>,
    ) -> (Vec<FormulaId>, Vec<FormulaId>) {
        let inner = fs.iter().filter_map(|&f| pick(self, f)).collect();
        let rest = fs.iter().copied().filter(|&f| pick(self, f).is_none()).collect();
        (inner, rest)
    }

    // Rules that look at two operands.
    fn compare(&mut self, connective: Connective, fs: &[FormulaId]) -> Option<Vec<FormulaId>> {
        if !is_compared(fs.len()) {
            return None;
        }
        let without = |i: usize| -> Vec<FormulaId> {
            fs.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &f)| f).collect()
        };
        for (i, &f) in fs.iter().enumerate() {
            for (j, &g) in fs.iter().enumerate() {
                if i == j {
                    continue;
                }
                // Absorption, contradiction and excluded middle.
                let (absorbed, decided) = match connective {
                    Connective::And => (self.know.implies(g, f), self.know.excludes(f, g)),
                    Connective::Or => (self.know.implies(f, g), self.know.covers(f, g)),
                };
                if decided {
                    return Some(vec![if connective == Connective::And {
                        Arena::FALSE
                    } else {
                        Arena::TRUE
                    }]);
                }
                if absorbed {
                    return Some(without(i));
                }
                // f and (g1 or g2), where f excludes g1, is f and g2; dually for or.
                let superfluous = |k: &mut Knowledge<'_>, x| match connective {
                    Connective::And => k.excludes(f, x),
                    Connective::Or => k.covers(f, x),
                };
                if let Some(kept) = self.drop_operands(g, connective.dual(), superfluous) {
                    let mut rest = without(j);
                    rest.push(self.connective(connective.dual(), kept));
                    return Some(rest);
                }
                if let Some(joined) = self.join(connective, f, g) {
                    let mut rest = without(i.max(j));
                    rest.remove(i.min(j));
                    rest.push(joined);
                    return Some(rest);
                }
            }
        }
        None
    }

    // One formula for two that share an operand.
    fn join(&mut self, connective: Connective, f: FormulaId, g: FormulaId) -> Option<FormulaId> {
        use Formula::{Always, Eventually, Next, Release, StrongRelease, Until, WeakUntil};
        let pair = [self.formula(f).clone(), self.formula(g).clone()];
        if connective == Connective::And {
            match pair {
                [Until([a, b]), Until([c, d]) | WeakUntil([c, d])] if b == d => {
                    let left = self.and(vec![a, c]);
                    Some(self.until(left, b))
                }
                [WeakUntil([a, b]), WeakUntil([c, d])] if b == d => {
                    let left = self.and(vec![a, c]);
                    Some(self.weak_until(left, b))
                }
                [Release([a, b]), Release([c, d])] if a == c => {
                    let right = self.and(vec![b, d]);
                    Some(self.release(a, right))
                }
                [StrongRelease([a, b]), StrongRelease([c, d]) | Release([c, d])] if a == c => {
                    let right = self.and(vec![b, d]);
                    Some(self.strong_release(a, right))
                }
                [WeakUntil([a, b]), Eventually(c)] if b == c => Some(self.until(a, b)),
                [Release([a, b]), Eventually(c)] if a == c => Some(self.strong_release(a, b)),
                [_, Next(h)] if *self.formula(h) == Always(f) => Some(h),
                _ => None,
            }
        } else {
            match pair {
                [Until([a, b]), Until([c, d])] if a == c => {
                    let right = self.or(vec![b, d]);
                    Some(self.until(a, right))
                }
                [WeakUntil([a, b]), WeakUntil([c, d]) | Until([c, d])] if a == c => {
                    let right = self.or(vec![b, d]);
                    Some(self.weak_until(a, right))
                }
                [Release([a, b]), Release([c, d]) | StrongRelease([c, d])] if b == d => {
                    let left = self.or(vec![a, c]);
                    Some(self.release(left, b))
                }
                [StrongRelease([a, b]), StrongRelease([c, d])] if b == d => {
                    let left = self.or(vec![a, c]);
                    Some(self.strong_release(left, b))
                }
                [Until([a, b]), Always(c)] if a == c => Some(self.weak_until(a, b)),
                [StrongRelease([a, b]), Always(c)] if b == c => Some(self.release(a, b)),
                [_, Next(h)] if *self.formula(h) == Eventually(f) => Some(h),
                _ => None,
            }
        }
    }
}
