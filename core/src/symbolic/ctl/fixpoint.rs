//! The sets of states in which formulas hold, by fixed points.

use super::atoms::Atoms;
use super::choice::elements;
use crate::bdd::Bdd;
use crate::program::{FormulaId, FormulaKind, Program, Reg, TermId};
use crate::symbolic::{Model, Side};
use crate::syntax::ast::{PathQuantifier, Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::vec::Vec;

/// Where a proposition has an error, and with what in the place of its names.
pub(super) struct Wrong {
    pub(super) at: Bdd,
    pub(super) term: TermId,
    pub(super) regs: u32,
    pub(super) bound: Vec<(Reg, i64)>,
}

/// The fixed points on one structure.
pub(super) struct Worker<'a> {
    pub(super) program: &'a Program,
    /// One more than the highest register of the property.
    pub(super) regs: u32,
    pub(super) atoms: &'a Atoms,
    pub(super) universe: Bdd,
    /// From a set of next representatives to all next states that are symmetric to one of them.
    pub(super) xi: Option<Bdd>,
    /// Where an infinite path begins; all of the universe while deadlocks repeat.
    pub(super) fair: Bdd,
    pub(super) drop: bool,
}

impl Worker<'_> {
    /// Where a formula holds, within the universe; or where a proposition in it has an error.
    pub(super) fn formula(
        &self,
        model: &mut Model<'_>,
        formula: FormulaId,
        bound: &mut Vec<(Reg, i64)>,
    ) -> Result<Bdd, Wrong> {
        let program = self.program;
        let set = match &program.formulas[formula].kind {
            FormulaKind::Atom(term) => {
                let nowhere = (Bdd::FALSE, Bdd::FALSE);
                let (holds, error) = self.atoms.get(&(*term, bound.clone())).unwrap_or(&nowhere);
                let wrong = model.bdds.and(error, &self.universe);
                if !wrong.is_false() {
                    return Err(Wrong { at: wrong, term: *term, regs: self.regs, bound: bound.clone() });
                }
                model.bdds.and(holds, &self.universe)
            }
            FormulaKind::Not(a) => {
                let a = self.formula(model, *a, bound)?;
                self.not(model, &a)
            }
            FormulaKind::And(list) => {
                let mut all = self.universe.clone();
                for &part in list {
                    let part = self.formula(model, part, bound)?;
                    all = model.bdds.and(&all, &part);
                }
                all
            }
            FormulaKind::Or(list) => {
                let mut any = Bdd::FALSE;
                for &part in list {
                    let part = self.formula(model, part, bound)?;
                    any = model.bdds.or(&any, &part);
                }
                any
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                let not = self.not(model, &a);
                model.bdds.or(&not, &b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                let same = model.bdds.iff(&a, &b);
                model.bdds.and(&same, &self.universe)
            }
            FormulaKind::Quantified(quantifier, reg, domain, body) => {
                let all = *quantifier == Quantifier::Forall;
                let mut result = if all { self.universe.clone() } else { Bdd::FALSE };
                for element in elements(program, *domain) {
                    bound.push((*reg, element));
                    let part = self.formula(model, *body, bound);
                    bound.pop();
                    let part = part?;
                    result = if all { model.bdds.and(&result, &part) } else { model.bdds.or(&result, &part) };
                }
                result
            }
            FormulaKind::Branching(path, op, a) => {
                let a = self.formula(model, *a, bound)?;
                let all = *path == PathQuantifier::All;
                let inner = if all { self.not(model, &a) } else { a };
                let some = match (op, all) {
                    (TemporalOp::Next, _) => self.next(model, &inner),
                    (TemporalOp::Finally, false) | (TemporalOp::Globally, true) => {
                        self.until(model, &self.universe, &inner)
                    }
                    (TemporalOp::Globally, false) | (TemporalOp::Finally, true) => {
                        self.always_on(model, &inner)
                    }
                };
                if all { self.not(model, &some) } else { some }
            }
            FormulaKind::BranchingBinary(path, op, a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                self.binary(model, *path, *op, &a, &b)
            }
            // Neither linear time nor a fixed point stands in a formula of branching time.
            FormulaKind::Temporal(..)
            | FormulaKind::TemporalBinary(..)
            | FormulaKind::Fixpoint(..)
            | FormulaKind::Variable(_) => Bdd::FALSE,
        };
        Ok(set)
    }

    fn not(&self, model: &mut Model<'_>, set: &Bdd) -> Bdd {
        model.bdds.minus(&self.universe, set)
    }

    fn binary(
        &self,
        model: &mut Model<'_>,
        path: PathQuantifier,
        op: TemporalBinaryOp,
        a: &Bdd,
        b: &Bdd,
    ) -> Bdd {
        let both = model.bdds.and(a, b);
        let either = model.bdds.or(a, b);
        let (not_a, not_b) = (self.not(model, a), self.not(model, b));
        let neither = self.not(model, &either);
        let not_both = self.not(model, &both);
        // a R b fails where ¬a U ¬b holds; a W b is b R (a or b); a M b is b U (a and b).
        // A[x U y] fails where E[¬y U (¬x and ¬y)] or EG ¬y holds.
        let fails_until = |model: &mut Model<'_>, not_y: &Bdd, neither: &Bdd| {
            let early = self.until(model, not_y, neither);
            let never = self.always_on(model, not_y);
            model.bdds.or(&early, &never)
        };
        match (path, op) {
            (PathQuantifier::Some, TemporalBinaryOp::Until) => self.until(model, a, b),
            (PathQuantifier::Some, TemporalBinaryOp::StrongRelease) => self.until(model, b, &both),
            (PathQuantifier::All, TemporalBinaryOp::Release) => {
                let fails = self.until(model, &not_a, &not_b);
                self.not(model, &fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::WeakUntil) => {
                let fails = self.until(model, &not_b, &neither);
                self.not(model, &fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::Until) => {
                let fails = fails_until(model, &not_b, &neither);
                self.not(model, &fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::StrongRelease) => {
                // b U (a and b): it fails where ¬(a and b) U (¬b and ¬(a and b)), which is ¬b, or for ever ¬(a and b).
                let fails = fails_until(model, &not_both, &not_b);
                self.not(model, &fails)
            }
            // E[a R b]: b for ever, or b U (a and b). E[a W b]: a for ever, or a U b.
            (PathQuantifier::Some, TemporalBinaryOp::Release) => {
                let done = self.until(model, b, &both);
                let never = self.always_on(model, b);
                model.bdds.or(&done, &never)
            }
            (PathQuantifier::Some, TemporalBinaryOp::WeakUntil) => {
                let done = self.until(model, a, b);
                let never = self.always_on(model, a);
                model.bdds.or(&done, &never)
            }
        }
    }

    /// EX: where some step leads into the set, on an infinite path.
    fn next(&self, model: &mut Model<'_>, set: &Bdd) -> Bdd {
        let set = model.bdds.and(set, &self.fair);
        let targets = match &self.xi {
            Some(xi) => {
                let variables = model.encoding().variables(Side::Current);
                let cube = model.bdds.variables(&variables);
                let reached = model.bdds.and_exists(&set, xi, &cube);
                model.as_current(&reached)
            }
            None => set.clone(),
        };
        let mut before = model.preimage(&targets);
        if !self.drop {
            let repeated = model.deadlocks_of(&set);
            before = model.bdds.or(&before, &repeated);
        }
        model.bdds.and(&before, &self.universe)
    }

    /// E[a U b], on infinite paths.
    fn until(&self, model: &mut Model<'_>, a: &Bdd, b: &Bdd) -> Bdd {
        let mut found = model.bdds.and(b, &self.fair);
        let mut frontier = found.clone();
        while !frontier.is_false() && !model.bdds.overflowed() {
            let before = self.next(model, &frontier);
            let more = model.bdds.and(&before, a);
            frontier = model.bdds.minus(&more, &found);
            found = model.bdds.or(&found, &frontier);
        }
        found
    }

    /// EG a.
    pub(super) fn always_on(&self, model: &mut Model<'_>, a: &Bdd) -> Bdd {
        let mut left = a.clone();
        loop {
            let next = self.next(model, &left);
            let kept = model.bdds.and(&left, &next);
            if kept == left || model.bdds.overflowed() {
                return left;
            }
            left = kept;
        }
    }
}
