//! The least and the largest value that a number can have, where that is plain.

use super::super::term::{ArithmeticOp, Comparison, TermId, TermKind};
use super::super::types::Type;
use super::Builder;

impl Builder<'_> {
    /// Whether a condition is plainly never true. Only asked of values that have been assigned to variables without a fault.
    pub(super) fn never(&self, condition: TermId) -> bool {
        match &self.terms[condition].kind {
            TermKind::And(list) => list.iter().any(|&part| self.never(part)),
            TermKind::Compare(comparison, a, b) => {
                let (Some((a, up_to_a)), Some((b, up_to_b))) = (self.bounds(*a), self.bounds(*b)) else {
                    return false;
                };
                match comparison {
                    Comparison::Lt => a >= up_to_b,
                    Comparison::Le => a > up_to_b,
                    Comparison::Gt => up_to_a <= b,
                    Comparison::Ge => up_to_a < b,
                    Comparison::Eq => up_to_a < b || up_to_b < a,
                    Comparison::Ne => (a, b) == (up_to_a, up_to_b) && a == b,
                }
            }
            _ => false,
        }
    }

    pub(super) fn bounds(&self, term: TermId) -> Option<(i64, i64)> {
        let known = self.in_range.get(&term).copied();
        match (known, self.computed_bounds(term)) {
            (Some((a, b)), Some((c, d))) => Some((a.max(c), b.min(d))),
            (one, other) => one.or(other),
        }
    }

    fn computed_bounds(&self, term: TermId) -> Option<(i64, i64)> {
        let node = &self.terms[term];
        if node.ty != Type::Int {
            return None;
        }
        match &node.kind {
            TermKind::Const(value) => Some((*value, *value)),
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => {
                let ty = self.vars[*var].ty;
                Some((ty.low.into(), ty.high()))
            }
            TermKind::Arithmetic(op, a, b) => {
                let ((a, up_to_a), (b, up_to_b)) = (self.bounds(*a)?, self.bounds(*b)?);
                match op {
                    ArithmeticOp::Add => Some((a.checked_add(b)?, up_to_a.checked_add(up_to_b)?)),
                    ArithmeticOp::Sub => Some((a.checked_sub(up_to_b)?, up_to_a.checked_sub(b)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
