//! Building terms, with what is already known folded away. A fault is never folded away: `1 / 0` stays.

use super::super::code::arithmetic;
use super::super::term::{ArithmeticOp, Comparison, TermId, TermKind};
use super::super::types::{EnumId, Type};
use super::Builder;
use crate::text::Span;
use alloc::vec::Vec;

impl Builder<'_> {
    fn known(&self, term: TermId) -> Option<i64> {
        match (&self.terms[term].kind, self.terms[term].ty) {
            (_, Type::Error) => None,
            (TermKind::Const(value), _) => Some(*value),
            _ => None,
        }
    }

    fn is_failed(&self, term: TermId) -> bool {
        self.terms[term].ty == Type::Error
    }

    pub(super) fn not(&mut self, a: TermId, span: Span) -> TermId {
        if self.is_failed(a) {
            return a;
        }
        if let Some(value) = self.known(a) {
            return self.constant(1 - value, Type::Bool, span);
        }
        if let TermKind::Not(inner) = self.terms[a].kind {
            return inner;
        }
        self.term(TermKind::Not(a), Type::Bool, span)
    }

    pub(super) fn negate(&mut self, a: TermId, span: Span) -> TermId {
        match self.known(a).and_then(i64::checked_neg) {
            Some(value) => self.constant(value, Type::Int, span),
            None if self.is_failed(a) => a,
            None => self.term(TermKind::Neg(a), Type::Int, span),
        }
    }

    /// `and` (where `all`) or `or` of a list.
    pub(super) fn junction(&mut self, all: bool, list: Vec<TermId>, span: Span) -> TermId {
        let mut kept = Vec::with_capacity(list.len());
        for term in list {
            match self.known(term) {
                _ if self.is_failed(term) => return self.failed(span),
                Some(value) if (value != 0) == all => {}
                Some(_) => {
                    // The operands behind are never evaluated; those before may have a fault.
                    kept.push(term);
                    break;
                }
                None => match &self.terms[term].kind {
                    TermKind::And(inner) if all => kept.extend_from_slice(inner),
                    TermKind::Or(inner) if !all => kept.extend_from_slice(inner),
                    _ => kept.push(term),
                },
            }
        }
        match kept.as_slice() {
            [] => self.constant(i64::from(all), Type::Bool, span),
            [one] => *one,
            _ if all => self.term(TermKind::And(kept), Type::Bool, span),
            _ => self.term(TermKind::Or(kept), Type::Bool, span),
        }
    }

    pub(super) fn compare(&mut self, comparison: Comparison, a: TermId, b: TermId, span: Span) -> TermId {
        if self.is_failed(a) || self.is_failed(b) {
            return self.failed(span);
        }
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return self.constant(i64::from(comparison.holds(a, b)), Type::Bool, span);
        }
        self.term(TermKind::Compare(comparison, a, b), Type::Bool, span)
    }

    pub(super) fn arithmetic(&mut self, op: ArithmeticOp, a: TermId, b: TermId, span: Span) -> TermId {
        if self.is_failed(a) || self.is_failed(b) {
            return self.failed(span);
        }
        if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            if let Ok(value) = arithmetic(op, x, y) {
                return self.constant(value, Type::Int, span);
            }
            if self.scope.constant.is_some() {
                let zero = matches!(op, ArithmeticOp::Div | ArithmeticOp::Rem) && y == 0;
                self.error(
                    span,
                    if zero { "division by zero" } else { "the result does not fit into 64 bits" },
                );
                return self.failed(span);
            }
        }
        self.term(TermKind::Arithmetic(op, a, b), Type::Int, span)
    }

    pub(super) fn choice(
        &mut self,
        condition: TermId,
        yes: TermId,
        no: TermId,
        ty: Type,
        span: Span,
    ) -> TermId {
        match self.known(condition) {
            _ if self.is_failed(condition) => self.failed(span),
            Some(0) => no,
            Some(_) => yes,
            None => self.term(TermKind::If(condition, yes, no), ty, span),
        }
    }

    /// The number of a fixed process is fixed too; of `none` it is a fault when executed.
    pub(super) fn index_of(&mut self, process: TermId, span: Span) -> TermId {
        if let Some(number) = self.known(process).filter(|&number| number >= 0) {
            return self.constant(number, Type::Int, span);
        }
        self.term(TermKind::IndexOf(process), Type::Int, span)
    }

    /// The same literal in another enumeration.
    pub(super) fn recode(&mut self, term: TermId, to: EnumId) -> TermId {
        let span = self.terms[term].span;
        let Type::Enum(from) = self.terms[term].ty else { return term };
        if from == to {
            return term;
        }
        if let Some(value) = self.known(term)
            && let Some(position) = self.enums[to].iter().position(|l| *l == self.enums[from][value as usize])
        {
            return self.constant(position as i64, Type::Enum(to), span);
        }
        if let TermKind::If(condition, yes, no) = self.terms[term].kind {
            let (yes, no) = (self.recode(yes, to), self.recode(no, to));
            return self.choice(condition, yes, no, Type::Enum(to), span);
        }
        self.term(TermKind::Recode(from, to, term), Type::Enum(to), span)
    }
}
