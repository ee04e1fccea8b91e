//! Which parts of a formula are evaluated in a state: from left to right, and no further than needed.
//!
//! An expression without temporal operators that may have a fault is evaluated only where nothing that stands before it has
//! decided. What has temporal operators has no value in a state alone, but its parts without them may decide it: `a or F b`
//! is known to be true where `a` is. So an atom that may have a fault becomes `reached and atom`: where it is not reached
//! its value does not matter.

use super::super::may_fault;
use super::super::term::{FormulaId, FormulaKind, TermId};
use super::Builder;
use crate::syntax::ast::ExprId;
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The way to the part of a formula that is being checked.
#[derive(Default)]
pub(super) struct Reached {
    /// The operands before it, and the value with which each of these would have decided.
    undecided: Vec<(FormulaId, bool)>,
    /// The atoms as they stand in the text.
    atoms: BTreeMap<FormulaId, TermId>,
}

impl<'a> Builder<'a> {
    /// An expression as a formula, evaluated only where it is reached.
    pub(super) fn atom(&mut self, atom: TermId, span: Span) -> FormulaId {
        let mut guarded = atom;
        if !self.scope.reached.undecided.is_empty() && may_fault(&self.terms, atom) {
            let mut parts = Vec::new();
            for (formula, value) in self.scope.reached.undecided.clone() {
                if let Some(decided) = self.decided(formula, value, span) {
                    parts.push(self.not(decided, span));
                }
            }
            parts.push(atom);
            guarded = self.junction(true, parts, span);
        }
        let formula = self.formula_node(FormulaKind::Atom(guarded), span);
        self.scope.reached.atoms.insert(formula, atom);
        formula
    }

    /// The parts of a conjunction or disjunction, each of which decides with this value.
    pub(super) fn parts(&mut self, list: &'a [ExprId], deciding: bool) -> Vec<FormulaId> {
        let depth = self.scope.reached.undecided.len();
        let mut parts = Vec::with_capacity(list.len());
        for &expr in list {
            let part = self.formula(expr);
            self.scope.reached.undecided.push((part, deciding));
            parts.push(part);
        }
        self.scope.reached.undecided.truncate(depth);
        parts
    }

    /// A formula that is evaluated unless another is known to have this value.
    pub(super) fn formula_unless(&mut self, other: FormulaId, value: bool, expr: ExprId) -> FormulaId {
        self.scope.reached.undecided.push((other, value));
        let formula = self.formula(expr);
        self.scope.reached.undecided.pop();
        formula
    }

    /// A formula that speaks of other states too: what is decided in one is not decided in the other.
    pub(super) fn elsewhere(&mut self, expr: ExprId) -> FormulaId {
        let here = core::mem::take(&mut self.scope.reached.undecided);
        let formula = self.formula(expr);
        self.scope.reached.undecided = here;
        formula
    }

    /// Where a formula is known to have a value from the state alone; none where that is never known. It is evaluated where
    /// the formula is reached, and evaluates only those parts of it that are reached too.
    fn decided(&mut self, formula: FormulaId, value: bool, span: Span) -> Option<TermId> {
        match self.formulas[formula].kind.clone() {
            FormulaKind::Atom(_) => {
                let atom = self.scope.reached.atoms.get(&formula).copied()?;
                let atom = self.copy(atom, span);
                Some(if value { atom } else { self.not(atom, span) })
            }
            FormulaKind::Not(a) => self.decided(a, !value, span),
            FormulaKind::And(list) => self.decided_list(list.into_iter().map(|a| (a, value)), value, span),
            FormulaKind::Or(list) => self.decided_list(list.into_iter().map(|a| (a, value)), !value, span),
            FormulaKind::Implies(a, b) => {
                self.decided_list([(a, !value), (b, value)].into_iter(), !value, span)
            }
            FormulaKind::Iff(a, b) => {
                let both = self.decided_list([(a, true), (b, value)].into_iter(), true, span);
                let neither = self.decided_list([(a, false), (b, !value)].into_iter(), true, span);
                match (both, neither) {
                    (Some(both), Some(neither)) => Some(self.junction(false, [both, neither].to_vec(), span)),
                    (one, other) => one.or(other),
                }
            }
            // The body is evaluated for every value, and decides nothing.
            FormulaKind::Quantified(..)
            | FormulaKind::Temporal(..)
            | FormulaKind::TemporalBinary(..)
            | FormulaKind::Branching(..)
            | FormulaKind::BranchingBinary(..)
            | FormulaKind::Fixpoint(..)
            | FormulaKind::Variable(_) => None,
        }
    }

    /// Where all of these are known to have their values, or some one of them.
    fn decided_list(
        &mut self,
        list: impl Iterator<Item = (FormulaId, bool)>,
        all: bool,
        span: Span,
    ) -> Option<TermId> {
        let mut parts = Vec::new();
        for (formula, value) in list {
            match self.decided(formula, value, span) {
                Some(part) => parts.push(part),
                None if all => return None,
                None => {}
            }
        }
        if parts.is_empty() && !all { None } else { Some(self.junction(all, parts, span)) }
    }
}
