//! Constructors that rewrite: given simplified operands they return a simplified formula.
//!
//! F. Somenzi, R. Bloem: Efficient Büchi automata from LTL formulae, CAV 2000, section 3; K. Etessami, G. Holzmann:
//! Optimizing Büchi automata, CONCUR 2000, section 3; A. Duret-Lutz: LTL translation improvements in Spot 1.0, IJCCBS
//! 5(1/2), 2014, section 4.

use super::connective::{Connective, is_compared};
use super::formula::{Arena, Formula, FormulaId};
use super::implication::Knowledge;
use crate::strain::{size, took};
use alloc::vec;
use alloc::vec::Vec;

// A rule's result is built by these constructors again, this deep; beyond, it is built as it stands.
const DEPTH: u32 = 12;

pub(super) struct Rewriter<'a> {
    pub(super) know: Knowledge<'a>,
    depth: u32,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(arena: &'a mut Arena) -> Self {
        Rewriter { know: Knowledge::new(arena), depth: 0 }
    }

    pub(super) fn formula(&self, f: FormulaId) -> &Formula {
        self.know.arena.get(f)
    }

    // Runs a rule unless rules are nested too deeply.
    pub(super) fn nested(
        &mut self,
        rule: impl FnOnce(&mut Self) -> Option<FormulaId>,
        plain: impl FnOnce(&mut Arena) -> FormulaId,
    ) -> FormulaId {
        if self.depth >= size("ltl: depth of rules", DEPTH, 1) {
            took("ltl: a rule too deep");
            return plain(self.know.arena);
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result.unwrap_or_else(|| plain(self.know.arena))
    }

    /// The formula with the same operator and the given simplified operands.
    pub(super) fn rebuild(&mut self, f: FormulaId, operands: &[FormulaId]) -> FormulaId {
        match (self.formula(f), operands) {
            (Formula::And(_), _) => self.and(operands.to_vec()),
            (Formula::Or(_), _) => self.or(operands.to_vec()),
            (Formula::Next(_), &[g]) => self.next(g),
            (Formula::Eventually(_), &[g]) => self.eventually(g),
            (Formula::Always(_), &[g]) => self.always(g),
            (Formula::Until(_), &[g, h]) => self.until(g, h),
            (Formula::Release(_), &[g, h]) => self.release(g, h),
            (Formula::WeakUntil(_), &[g, h]) => self.weak_until(g, h),
            (Formula::StrongRelease(_), &[g, h]) => self.strong_release(g, h),
            _ => f,
        }
    }

    pub(super) fn next(&mut self, g: FormulaId) -> FormulaId {
        if self.know.timeless(g) { g } else { self.know.arena.next(g) }
    }

    pub(super) fn eventually(&mut self, g: FormulaId) -> FormulaId {
        if self.know.eventual(g) {
            return g;
        }
        let rule = |s: &mut Self| match s.formula(g).clone() {
            Formula::Next(h) => {
                let inner = s.eventually(h);
                Some(s.next(inner))
            }
            Formula::Until([_, h]) => Some(s.eventually(h)),
            Formula::StrongRelease([h, l]) => {
                let both = s.and(vec![h, l]);
                Some(s.eventually(both))
            }
            Formula::WeakUntil([h, l]) => {
                let for_ever = s.always(h);
                let either = s.or(vec![for_ever, l]);
                Some(s.eventually(either))
            }
            Formula::Release([h, l]) => {
                let for_ever = s.always(l);
                let both = s.and(vec![h, l]);
                let either = s.or(vec![for_ever, both]);
                Some(s.eventually(either))
            }
            Formula::Or(hs) => {
                // F (f or F g) = F (f or g)
                let open = |s: &Self, h| if let Formula::Eventually(l) = *s.formula(h) { l } else { h };
                let opened: Vec<_> = hs.iter().map(|&h| open(s, h)).collect();
                (opened[..] != hs[..]).then(|| {
                    let either = s.or(opened);
                    s.eventually(either)
                })
            }
            Formula::And(hs) => {
                let (out, inside) = s.timeless_apart(&hs)?;
                let both = s.and(inside);
                let mut all = out;
                all.push(s.eventually(both));
                Some(s.and(all))
            }
            _ => None,
        };
        self.nested(rule, |arena| arena.eventually(g))
    }

    pub(super) fn always(&mut self, g: FormulaId) -> FormulaId {
        if self.know.universal(g) {
            return g;
        }
        let rule = |s: &mut Self| match s.formula(g).clone() {
            Formula::Next(h) => {
                let inner = s.always(h);
                Some(s.next(inner))
            }
            Formula::Release([_, h]) => Some(s.always(h)),
            Formula::WeakUntil([h, l]) => {
                let either = s.or(vec![h, l]);
                Some(s.always(either))
            }
            Formula::Until([h, l]) => {
                let either = s.or(vec![h, l]);
                let (safe, live) = (s.always(either), s.eventually(l));
                let often = s.always(live);
                Some(s.and(vec![safe, often]))
            }
            Formula::StrongRelease([h, l]) => {
                let (safe, live) = (s.always(l), s.eventually(h));
                let often = s.always(live);
                Some(s.and(vec![safe, often]))
            }
            Formula::And(hs) => {
                let (universal, rest): (Vec<_>, Vec<_>) = hs.iter().partition(|&&h| s.know.universal(h));
                if universal.is_empty() {
                    return None;
                }
                let both = s.and(rest);
                let mut all = universal;
                all.push(s.always(both));
                Some(s.and(all))
            }
            Formula::Or(hs) => {
                let (out, inside) = s.timeless_apart(&hs)?;
                let either = s.or(inside);
                let mut all = out;
                all.push(s.always(either));
                Some(s.or(all))
            }
            _ => None,
        };
        self.nested(rule, |arena| arena.always(g))
    }

    // Operands whose truth does not depend on the time, and the others; `None` if there are none of the first kind.
    fn timeless_apart(&mut self, fs: &[FormulaId]) -> Option<(Vec<FormulaId>, Vec<FormulaId>)> {
        let (out, inside): (Vec<_>, Vec<_>) = fs.iter().partition(|&&f| self.know.timeless(f));
        (!out.is_empty()).then_some((out, inside))
    }

    // Both operands start with X: X f op X g = X (f op g).
    fn both_next(&self, g: FormulaId, h: FormulaId) -> Option<[FormulaId; 2]> {
        match (self.formula(g), self.formula(h)) {
            (&Formula::Next(x), &Formula::Next(y)) => Some([x, y]),
            _ => None,
        }
    }

    // Removes operands of the connective that the test finds superfluous.
    pub(super) fn drop_operands(
        &mut self,
        f: FormulaId,
        connective: Connective,
        mut superfluous: impl FnMut(&mut Knowledge<'a>, FormulaId) -> bool,
    ) -> Option<Vec<FormulaId>> {
        let all = connective.operands(self.formula(f))?.to_vec();
        if !is_compared(all.len()) {
            return None;
        }
        let kept: Vec<_> = all.iter().copied().filter(|&g| !superfluous(&mut self.know, g)).collect();
        (kept.len() < all.len()).then_some(kept)
    }

    pub(super) fn until(&mut self, g: FormulaId, h: FormulaId) -> FormulaId {
        if g == Arena::TRUE {
            return self.eventually(h);
        }
        if g == Arena::FALSE || h <= Arena::FALSE || self.know.eventual(h) || self.know.implies(g, h) {
            return h;
        }
        let rule = |s: &mut Self| {
            if s.know.covers(h, g) {
                return Some(s.eventually(h));
            }
            if let Some([x, y]) = s.both_next(g, h) {
                let inner = s.until(x, y);
                return Some(s.next(inner));
            }
            if let Formula::Until([x, _]) = *s.formula(h)
                && s.know.implies(g, x)
            {
                return Some(h);
            }
            if let Formula::Until([x, y]) = *s.formula(g)
                && s.know.implies(x, h)
            {
                return Some(s.until(y, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::Or, |k, x| k.implies(x, h)) {
                let left = s.or(rest);
                return Some(s.until(left, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::And, |k, x| k.covers(h, x)) {
                let left = s.and(rest);
                return Some(s.until(left, h));
            }
            if s.know.universal(g) {
                let later = s.eventually(h);
                let both = s.and(vec![g, later]);
                return Some(s.or(vec![h, both]));
            }
            if let Formula::Or(xs) = s.formula(h).clone() {
                let (out, inside): (Vec<_>, Vec<_>) = xs.iter().partition(|&&x| s.know.eventual(x));
                if !out.is_empty() {
                    let target = s.or(inside);
                    let mut all = out;
                    all.push(s.until(g, target));
                    return Some(s.or(all));
                }
            }
            if let Formula::And(xs) = s.formula(h).clone() {
                let (out, inside) = s.timeless_apart(&xs)?;
                let target = s.and(inside);
                let mut all = out;
                all.push(s.until(g, target));
                return Some(s.and(all));
            }
            None
        };
        self.nested(rule, |arena| arena.until(g, h))
    }

    pub(super) fn weak_until(&mut self, g: FormulaId, h: FormulaId) -> FormulaId {
        if h == Arena::FALSE {
            return self.always(g);
        }
        if g == Arena::FALSE || self.know.implies(g, h) {
            return h;
        }
        if g == Arena::TRUE || h == Arena::TRUE || self.know.covers(h, g) {
            return Arena::TRUE;
        }
        let rule = |s: &mut Self| {
            if s.know.universal(g) {
                return Some(s.or(vec![g, h]));
            }
            if s.know.eventual(h) {
                let for_ever = s.always(g);
                return Some(s.or(vec![for_ever, h]));
            }
            if let Some([x, y]) = s.both_next(g, h) {
                let inner = s.weak_until(x, y);
                return Some(s.next(inner));
            }
            if let Formula::WeakUntil([x, _]) = *s.formula(h)
                && s.know.implies(g, x)
            {
                return Some(h);
            }
            if let Some(rest) = s.drop_operands(g, Connective::Or, |k, x| k.implies(x, h)) {
                let left = s.or(rest);
                return Some(s.weak_until(left, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::And, |k, x| k.covers(h, x)) {
                let left = s.and(rest);
                return Some(s.weak_until(left, h));
            }
            if let Formula::Or(xs) = s.formula(h).clone() {
                let (out, inside) = s.timeless_apart(&xs)?;
                let target = s.or(inside);
                let mut all = out;
                all.push(s.weak_until(g, target));
                return Some(s.or(all));
            }
            None
        };
        self.nested(rule, |arena| arena.weak_until(g, h))
    }

    pub(super) fn release(&mut self, g: FormulaId, h: FormulaId) -> FormulaId {
        if g == Arena::FALSE {
            return self.always(h);
        }
        if g == Arena::TRUE || h <= Arena::FALSE || self.know.universal(h) || self.know.implies(h, g) {
            return h;
        }
        let rule = |s: &mut Self| {
            if s.know.excludes(h, g) {
                return Some(s.always(h));
            }
            if let Some([x, y]) = s.both_next(g, h) {
                let inner = s.release(x, y);
                return Some(s.next(inner));
            }
            if let Formula::Release([x, _]) = *s.formula(h)
                && s.know.implies(x, g)
            {
                return Some(h);
            }
            if let Formula::Release([x, y]) = *s.formula(g)
                && s.know.implies(h, x)
            {
                return Some(s.release(y, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::And, |k, x| k.implies(h, x)) {
                let left = s.and(rest);
                return Some(s.release(left, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::Or, |k, x| k.excludes(h, x)) {
                let left = s.or(rest);
                return Some(s.release(left, h));
            }
            if s.know.eventual(g) {
                let for_ever = s.always(h);
                let either = s.or(vec![g, for_ever]);
                return Some(s.and(vec![h, either]));
            }
            if let Formula::And(xs) = s.formula(h).clone() {
                let (out, inside): (Vec<_>, Vec<_>) = xs.iter().partition(|&&x| s.know.universal(x));
                if !out.is_empty() {
                    let target = s.and(inside);
                    let mut all = out;
                    all.push(s.release(g, target));
                    return Some(s.and(all));
                }
            }
            if let Formula::Or(xs) = s.formula(h).clone() {
                let (out, inside) = s.timeless_apart(&xs)?;
                let target = s.or(inside);
                let mut all = out;
                all.push(s.release(g, target));
                return Some(s.or(all));
            }
            None
        };
        self.nested(rule, |arena| arena.release(g, h))
    }

    pub(super) fn strong_release(&mut self, g: FormulaId, h: FormulaId) -> FormulaId {
        if h == Arena::TRUE {
            return self.eventually(g);
        }
        if g == Arena::TRUE || self.know.implies(h, g) {
            return h;
        }
        if g == Arena::FALSE || h == Arena::FALSE || self.know.excludes(h, g) {
            return Arena::FALSE;
        }
        let rule = |s: &mut Self| {
            if s.know.eventual(g) {
                return Some(s.and(vec![g, h]));
            }
            if s.know.universal(h) {
                let later = s.eventually(g);
                return Some(s.and(vec![later, h]));
            }
            if let Some([x, y]) = s.both_next(g, h) {
                let inner = s.strong_release(x, y);
                return Some(s.next(inner));
            }
            if let Formula::StrongRelease([x, _]) = *s.formula(h)
                && s.know.implies(x, g)
            {
                return Some(h);
            }
            if let Some(rest) = s.drop_operands(g, Connective::And, |k, x| k.implies(h, x)) {
                let left = s.and(rest);
                return Some(s.strong_release(left, h));
            }
            if let Some(rest) = s.drop_operands(g, Connective::Or, |k, x| k.excludes(h, x)) {
                let left = s.or(rest);
                return Some(s.strong_release(left, h));
            }
            if let Formula::And(xs) = s.formula(h).clone() {
                let (out, inside) = s.timeless_apart(&xs)?;
                let target = s.and(inside);
                let mut all = out;
                all.push(s.strong_release(g, target));
                return Some(s.and(all));
            }
            None
        };
        self.nested(rule, |arena| arena.strong_release(g, h))
    }

    pub(super) fn and(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.connective(Connective::And, operands)
    }

    pub(super) fn or(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.connective(Connective::Or, operands)
    }
}
