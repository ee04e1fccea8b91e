//! Syntactic implication between formulas in negation normal form, and the classes of pure formulas.
//!
//! F. Somenzi, R. Bloem: Efficient Büchi automata from LTL formulae, CAV 2000, section 3 (implication); K. Etessami, G.
//! Holzmann: Optimizing Büchi automata, CONCUR 2000, section 3 (purely eventual and purely universal formulas); T.
//! Babiak et al.: LTL to Büchi automata translation: fast and more deterministic, TACAS 2012, section 3 (their common
//! members, whose truth does not depend on the time).

use super::formula::{Arena, Formula, FormulaId};
use super::nnf::Normaliser;
use crate::ids::Id;
use crate::strain::{size, took};
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

// How deep the comparison of two formulas looks; deeper pairs count as unrelated.
const DEPTH: u32 = 24;
// How many comparisons are made for one formula in all; afterwards only equal formulas imply each other.
const STEPS: u32 = 400_000;

#[derive(Clone, Copy)]
struct Class {
    // Once true, true at all earlier times as well.
    eventual: bool,
    // Once true, true at all later times as well.
    universal: bool,
}

/// The implications known between the formulas of an arena.
pub(super) struct Knowledge<'a> {
    pub(super) arena: &'a mut Arena,
    normaliser: Normaliser,
    classes: Vec<Class>,
    implied: HashMap<(FormulaId, FormulaId), bool, FxBuildHasher>,
    steps: u32,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(arena: &'a mut Arena) -> Self {
        let (normaliser, implied) = (Normaliser::default(), HashMap::default());
        Knowledge {
            arena,
            normaliser,
            classes: Vec::new(),
            implied,
            steps: size("ltl: comparisons", STEPS, 3),
        }
    }

    /// The negation in negation normal form.
    pub(super) fn negation(&mut self, f: FormulaId) -> FormulaId {
        self.normaliser.normalise(self.arena, f, true)
    }

    fn class(&mut self, f: FormulaId) -> Class {
        while self.classes.len() <= f.index() {
            let class = {
                let of = |g: &FormulaId| self.classes[g.index()];
                let formula = self.arena.get(FormulaId::from_index(self.classes.len()));
                let operands = formula.operands();
                let eventual = |i: usize| of(&operands[i]).eventual;
                let universal = |i: usize| of(&operands[i]).universal;
                let all_eventual = operands.iter().all(|g| of(g).eventual);
                let all_universal = operands.iter().all(|g| of(g).universal);
                let (eventual, universal) = match formula {
                    Formula::True | Formula::False => (true, true),
                    Formula::Ap(_) => (false, false),
                    Formula::Not(_) => (all_universal, all_eventual),
                    Formula::And(_) | Formula::Or(_) | Formula::Next(_) => (all_eventual, all_universal),
                    Formula::Eventually(_) => (true, all_universal),
                    Formula::Always(_) => (all_eventual, true),
                    Formula::Until(_) | Formula::Release(_) => (eventual(1), universal(1)),
                    Formula::WeakUntil(_) => (all_eventual, universal(1)),
                    Formula::StrongRelease(_) => (eventual(1), all_universal),
                };
                Class { eventual, universal }
            };
            self.classes.push(class);
        }
        self.classes[f.index()]
    }

    /// Whether the formula, once true, was true before: `F f = f`.
    pub(super) fn eventual(&mut self, f: FormulaId) -> bool {
        self.class(f).eventual
    }

    /// Whether the formula, once true, stays true: `G f = f`.
    pub(super) fn universal(&mut self, f: FormulaId) -> bool {
        self.class(f).universal
    }

    /// Whether the formula's truth is the same at all times: `X f = f`.
    pub(super) fn timeless(&mut self, f: FormulaId) -> bool {
        self.class(f).eventual && self.class(f).universal
    }

    /// Whether f is seen to imply g; `false` says nothing.
    pub(super) fn implies(&mut self, f: FormulaId, g: FormulaId) -> bool {
        self.check(f, g, size("ltl: depth of comparisons", DEPTH, 1))
    }

    /// Whether f is seen to imply the negation of g.
    pub(super) fn excludes(&mut self, f: FormulaId, g: FormulaId) -> bool {
        let not_g = self.negation(g);
        self.implies(f, not_g)
    }

    /// Whether one of the two is seen to hold at any time.
    pub(super) fn covers(&mut self, f: FormulaId, g: FormulaId) -> bool {
        let not_f = self.negation(f);
        self.implies(not_f, g)
    }

    fn check(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        if f == g || f == Arena::FALSE || g == Arena::TRUE {
            return true;
        }
        if f == Arena::TRUE || g == Arena::FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(f, g)) {
            return known;
        }
        if depth == 0 || self.steps == 0 {
            took(if depth == 0 { "ltl: a comparison too deep" } else { "ltl: too many comparisons" });
            return false;
        }
        self.steps -= 1;
        let result = self.by_left(f, g, depth - 1) || self.by_right(f, g, depth - 1);
        self.implied.insert((f, g), result);
        result
    }

    fn any(&mut self, fs: &[FormulaId], mut test: impl FnMut(&mut Self, FormulaId) -> bool) -> bool {
        fs.iter().any(|&f| test(self, f))
    }

    // Rules that take f apart.
    fn by_left(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        let formula = self.arena.get(f).clone();
        match formula {
            Formula::And(fs) => self.any(&fs, |k, h| k.check(h, g, depth)),
            Formula::Or(fs) => !self.any(&fs, |k, h| !k.check(h, g, depth)),
            // If g is eventual, g now follows from g later.
            Formula::Next(h) | Formula::Eventually(h) => self.eventual(g) && self.check(h, g, depth),
            Formula::Always(h) | Formula::Release([_, h]) => self.check(h, g, depth),
            Formula::Until([h, l]) => {
                self.check(l, g, depth) && (self.check(h, g, depth) || self.eventual(g))
            }
            Formula::WeakUntil([h, l]) => self.check(h, g, depth) && self.check(l, g, depth),
            Formula::StrongRelease([h, l]) => {
                self.check(l, g, depth) || (self.eventual(g) && self.check(h, g, depth))
            }
            Formula::True | Formula::False | Formula::Ap(_) | Formula::Not(_) => false,
        }
    }

    // Rules that take g apart, and those that take both.
    fn by_right(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        let (left, right) = (self.arena.get(f).clone(), self.arena.get(g).clone());
        match right {
            Formula::And(gs) => !self.any(&gs, |k, h| !k.check(f, h, depth)),
            Formula::Or(gs) => self.any(&gs, |k, h| k.check(f, h, depth)),
            Formula::Next(h) => {
                (self.universal(f) && self.check(f, h, depth))
                    || matches!(left, Formula::Next(l) if self.check(l, h, depth))
            }
            Formula::Eventually(h) => self.check(f, h, depth),
            Formula::Always(h) => {
                (self.universal(f) && self.check(f, h, depth))
                    // f R g' and g' excludes f is G g', which the rewriting finds; here only the plain case.
                    || matches!(left, Formula::Always(l) if self.check(l, h, depth))
            }
            Formula::Until([h, l]) => {
                self.check(f, l, depth)
                    || matches!(left, Formula::Until([x, y]) if self.steps_along(x, y, g, [h, l], depth))
            }
            Formula::WeakUntil([h, l]) => {
                self.check(f, l, depth)
                    || (self.universal(f) && self.check(f, h, depth))
                    || matches!(left, Formula::Until([x, y]) | Formula::WeakUntil([x, y])
                        if self.steps_along(x, y, g, [h, l], depth))
            }
            Formula::Release([h, l]) => {
                (self.check(f, h, depth) && self.check(f, l, depth))
                    || (self.universal(f) && self.check(f, l, depth))
                    || matches!(left, Formula::Release([x, y]) | Formula::StrongRelease([x, y])
                        if self.check(y, l, depth) && (self.check(x, h, depth) || self.check(x, g, depth)))
            }
            Formula::StrongRelease([h, l]) => {
                (self.check(f, h, depth) && self.check(f, l, depth))
                    || matches!(left, Formula::StrongRelease([x, y])
                        if self.check(y, l, depth) && (self.check(x, h, depth) || self.check(x, g, depth)))
            }
            Formula::True | Formula::False | Formula::Ap(_) | Formula::Not(_) => false,
        }
    }

    // x U y implies g = h U l: y leads to g, and every x before is an h (or already an l).
    fn steps_along(
        &mut self,
        x: FormulaId,
        y: FormulaId,
        g: FormulaId,
        [h, l]: [FormulaId; 2],
        depth: u32,
    ) -> bool {
        self.check(y, g, depth) && (self.check(x, h, depth) || self.check(x, l, depth))
    }
}
