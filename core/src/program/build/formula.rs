//! Temporal formulas: the largest parts without temporal operators become atoms.

use super::super::term::{FixpointVar, Formula, FormulaId, FormulaKind};
use super::Builder;
use super::names::Binding;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, Fixpoint, Quantifier};
use crate::text::Span;
use alloc::format;
use alloc::vec;

impl Builder<'_> {
    pub(super) fn formula_node(&mut self, kind: FormulaKind, span: Span) -> FormulaId {
        self.formulas.push(Formula { kind, span })
    }

    /// Checks a formula of `ltl` or `ctl`; the parser has seen to it that only that logic's operators stand in it.
    pub(super) fn formula(&mut self, expr: ExprId) -> FormulaId {
        let file = self.file;
        let span = self.span(expr);
        if !self.is_temporal(expr) {
            let atom = self.check_bool(expr);
            return self.atom(atom, span);
        }
        let kind = match &file.exprs[expr].kind {
            ExprKind::Not(a) => FormulaKind::Not(self.formula(*a)),
            ExprKind::And(list) => FormulaKind::And(self.parts(list, false)),
            ExprKind::Or(list) => FormulaKind::Or(self.parts(list, true)),
            ExprKind::Binary(BinaryOp::Implies, a, b) => {
                let a = self.formula(*a);
                FormulaKind::Implies(a, self.formula_unless(a, false, *b))
            }
            ExprKind::Binary(op @ (BinaryOp::Iff | BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let before = self.diagnostics.len();
                let a = self.formula(*a);
                if self.diagnostics.len() > before {
                    // The type that the other side should have is not known.
                    return a;
                }
                let iff = FormulaKind::Iff(a, self.formula(*b));
                match op {
                    BinaryOp::Ne => FormulaKind::Not(self.formula_node(iff, span)),
                    _ => iff,
                }
            }
            ExprKind::If(condition, yes, no) => {
                let c = self.formula(*condition);
                let (yes, no) = (self.formula_unless(c, false, *yes), self.formula_unless(c, true, *no));
                let not_c = self.formula_node(FormulaKind::Not(c), span);
                let first = self.formula_node(FormulaKind::Or(vec![not_c, yes]), span);
                let second = self.formula_node(FormulaKind::Or(vec![c, no]), span);
                FormulaKind::And(vec![first, second])
            }
            ExprKind::Quantified(quantifier, ..) if quantifier.is_number() => {
                let message = match quantifier {
                    Quantifier::Count => "`count` cannot count where a temporal formula holds".into(),
                    _ => alloc::format!(
                        "`{}` is of numbers, and a temporal formula is none",
                        quantifier.text()
                    ),
                };
                self.error(span, message);
                return self.no_formula(span);
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                return self.quantified_formula(*quantifier, binders, *body, span);
            }
            ExprKind::Temporal(op, a) => FormulaKind::Temporal(*op, self.elsewhere(*a)),
            ExprKind::TemporalBinary(op, a, b) => {
                FormulaKind::TemporalBinary(*op, self.elsewhere(*a), self.elsewhere(*b))
            }
            ExprKind::Branching(path, op, a) => FormulaKind::Branching(*path, *op, self.elsewhere(*a)),
            ExprKind::BranchingBinary(path, op, a, b) => {
                FormulaKind::BranchingBinary(*path, *op, self.elsewhere(*a), self.elsewhere(*b))
            }
            ExprKind::Fixpoint(kind, name, body) => {
                let var = self.scope.fixpoints.push(name.name.clone());
                self.scope.bindings.push((&name.name, Binding::Fixpoint(var)));
                let body = self.elsewhere(*body);
                self.scope.bindings.pop();
                self.check_positive(*kind, var, body);
                FormulaKind::Fixpoint(*kind, var, body)
            }
            ExprKind::Name(name) if let Some(Binding::Fixpoint(var)) = self.binding(name) => {
                FormulaKind::Variable(var)
            }
            _ => {
                self.error(
                    span,
                    "a temporal formula is true or false; it cannot be compared, added or an argument",
                );
                return self.no_formula(span);
            }
        };
        self.formula_node(kind, span)
    }

    /// Refuses a variable under an odd number of negations: with it the fixed point need not exist.
    fn check_positive(&mut self, kind: Fixpoint, var: FixpointVar, body: FormulaId) {
        let word = if kind == Fixpoint::Least { "mu" } else { "nu" };
        let mut stack = vec![(body, true, false)];
        while let Some((id, positive, negative)) = stack.pop() {
            // Whether it stands under an even number of negations, and whether under an odd one: inside of `<=>` both.
            let (same, turned) = ((positive, negative), (negative, positive));
            let mut next = |id: FormulaId, (p, n): (bool, bool)| stack.push((id, p, n));
            match &self.formulas[id].kind {
                FormulaKind::Variable(found) if *found == var && negative => {
                    let (span, name) = (self.formulas[id].span, self.scope.fixpoints[var].clone());
                    self.error(
                        span,
                        format!(
                            "`{name}` stands under a negation (`not`, the left of `=>`, or `<=>`); in `{word} {name}. f` \
                             it must stand under an even number of them"
                        ),
                    );
                    return;
                }
                FormulaKind::Atom(_) | FormulaKind::Variable(_) => {}
                FormulaKind::Not(a) => next(*a, turned),
                FormulaKind::And(list) | FormulaKind::Or(list) => list.iter().for_each(|a| next(*a, same)),
                FormulaKind::Implies(a, b) => {
                    next(*a, turned);
                    next(*b, same);
                }
                FormulaKind::Iff(a, b) => {
                    next(*a, (true, true));
                    next(*b, (true, true));
                }
                FormulaKind::Quantified(_, _, _, a)
                | FormulaKind::Temporal(_, a)
                | FormulaKind::Branching(_, _, a)
                | FormulaKind::Fixpoint(_, _, a) => next(*a, same),
                FormulaKind::TemporalBinary(_, a, b) | FormulaKind::BranchingBinary(_, _, a, b) => {
                    next(*a, same);
                    next(*b, same);
                }
            }
        }
    }

    fn no_formula(&mut self, span: Span) -> FormulaId {
        let failed = self.failed(span);
        self.formula_node(FormulaKind::Atom(failed), span)
    }

    /// Whether a temporal operator stands in the expression, or the variable of a fixed point. Definitions have none.
    fn is_temporal(&self, expr: ExprId) -> bool {
        match &self.file.exprs[expr].kind {
            ExprKind::Temporal(..)
            | ExprKind::TemporalBinary(..)
            | ExprKind::Branching(..)
            | ExprKind::BranchingBinary(..)
            | ExprKind::Fixpoint(..) => true,
            ExprKind::Name(name) => matches!(self.binding(name), Some(Binding::Fixpoint(_))),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::None | ExprKind::SelfId | ExprKind::Error => {
                false
            }
            ExprKind::Field(a, _)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Is(a, _)
            | ExprKind::Quantified(_, _, a) => self.is_temporal(*a),
            ExprKind::Make(_, fields) => fields.iter().any(|(_, e)| self.is_temporal(*e)),
            ExprKind::Binary(_, a, b) => self.is_temporal(*a) || self.is_temporal(*b),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().any(|e| self.is_temporal(*e)),
            ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Call(_, list) | ExprKind::Braces(list) => {
                list.iter().any(|&e| self.is_temporal(e))
            }
            ExprKind::Index(a, list) => self.is_temporal(*a) || list.iter().any(|&e| self.is_temporal(e)),
        }
    }
}
