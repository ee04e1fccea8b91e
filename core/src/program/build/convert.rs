//! Values of one type as values of another, and whether two are equal.

use super::super::may_fault;
use super::super::shape::{Shape, ShapeId};
use super::super::term::{Comparison, Domain, Reg, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::value::Value;
use crate::syntax::ast::{ExprId, Quantifier};
use crate::text::Span;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

impl Builder<'_> {
    /// Brings a value to a type, so that each of its scalars can be asked for; says why where it cannot be.
    pub(super) fn convert(
        &mut self,
        value: &Value,
        shape: ShapeId,
        expr: Option<ExprId>,
        span: Span,
    ) -> Option<Value> {
        if self.is_failed_value(value) || self.shapes[shape] == Shape::Error {
            return None;
        }
        if let Value::Choice(condition, sides) = value {
            let sides =
                [self.convert(&sides[0], shape, None, span), self.convert(&sides[1], shape, None, span)];
            let [Some(yes), Some(no)] = sides else { return None };
            return Some(Value::Choice(*condition, Rc::new([yes, no])));
        }
        let own = self.shape_of(value);
        if own == Some(shape) {
            if let Value::Changed(op, parts) = value {
                let base = self.convert(&parts[0], shape, None, span)?;
                return Some(Value::Changed(*op, Rc::new([base, parts[1].clone()])));
            }
            return Some(value.clone());
        }
        match (self.shapes[shape].clone(), value) {
            (Shape::Scalar(ty), _) => {
                let term = match own.map(|s| self.shapes[s].clone()) {
                    Some(Shape::Union { .. }) => self.of_family(value, ty.ty, span)?,
                    Some(Shape::Optional(inner)) if !matches!(self.shapes[inner], Shape::Scalar(_)) => {
                        return self.mismatch(value, shape, span);
                    }
                    Some(Shape::Scalar(_) | Shape::Optional(_)) | None
                        if !matches!(value, Value::Braces(_)) =>
                    {
                        self.scalar(value, span)
                    }
                    _ => return self.mismatch(value, shape, span),
                };
                Some(Value::Scalar(self.assignable(term, expr, ty)))
            }
            (Shape::Optional(_), Value::Scalar(_)) if self.is_none(value) => Some(value.clone()),
            (Shape::Optional(inner) | Shape::Table(_, inner), _) => self.convert(value, inner, expr, span),
            (Shape::Union { optional: true, .. }, Value::Scalar(_)) if self.is_none(value) => {
                Some(value.clone())
            }
            (Shape::Union { families, .. }, Value::Scalar(term)) => match self.terms[*term].ty {
                Type::Process { family, .. } if families.contains(&family) => Some(value.clone()),
                _ => self.mismatch(value, shape, span),
            },
            (Shape::Union { families, .. }, _) => match own.map(|s| self.shapes[s].clone()) {
                Some(Shape::Union { families: others, .. }) if others == families => Some(value.clone()),
                _ => self.mismatch(value, shape, span),
            },
            (Shape::Set(item), Value::Braces(list)) => {
                let mut all = Vec::with_capacity(list.len());
                for element in list.iter() {
                    all.push(self.convert(element, item, None, span)?);
                }
                Some(Value::Braces(all.into()))
            }
            (Shape::Bag(..) | Shape::Queue(..), Value::Braces(list)) if list.is_empty() => {
                Some(value.clone())
            }
            (_, Value::Changed(op, parts)) if own.is_none() => {
                let base = self.convert(&parts[0], shape, None, span)?;
                Some(Value::Changed(*op, Rc::new([base, parts[1].clone()])))
            }
            _ => match own.map(|s| self.shapes[s].clone()) {
                Some(Shape::Optional(inner)) if inner == shape => Some(self.unwrapped(value, span)),
                _ => self.mismatch(value, shape, span),
            },
        }
    }

    fn mismatch(&mut self, value: &Value, shape: ShapeId, span: Span) -> Option<Value> {
        let (found, needed) = (self.described_value(value), self.shape_name(shape));
        let hint = if self.is_none(value) {
            format!("; what may be empty has the type `{needed}?`")
        } else {
            String::new()
        };
        self.error(span, format!("this is {found}, but `{needed}` is needed here{hint}"));
        None
    }

    /// A value of a union as a process of one family; a fault where it is of another.
    pub(super) fn of_family(&mut self, value: &Value, ty: Type, span: Span) -> Option<TermId> {
        let shape = self.shape_of(value)?;
        let (Shape::Union { families, .. }, Type::Process { family, .. }) = (&self.shapes[shape], ty) else {
            let (found, needed) = (self.described_value(value), self.described(ty));
            self.error(span, format!("this is {found}, but {needed} is needed here"));
            return None;
        };
        let Some(leaf) = families.iter().position(|f| *f == family) else {
            let (found, needed) = (self.described_value(value), self.families[family].name.clone());
            self.error(span, format!("this is {found}, which is never a process of `{needed}`"));
            return None;
        };
        Some(self.leaf(value, shape, leaf, &[], span))
    }

    /// Whether two values are equal, scalar by scalar.
    pub(super) fn equal(&mut self, a: &Value, b: &Value, span: Span) -> TermId {
        if self.is_failed_value(a) || self.is_failed_value(b) {
            return self.failed(span);
        }
        let shape = match (self.shape_of(a), self.shape_of(b)) {
            (Some(x), Some(y)) if x != y => {
                let inner = |b: &Self, s: ShapeId| match b.shapes[s] {
                    Shape::Optional(inner) => inner,
                    _ => s,
                };
                let loose = |b: &Self, s: ShapeId| match &b.shapes[s] {
                    Shape::Optional(_) => true,
                    Shape::Union { optional, .. } => *optional,
                    _ => false,
                };
                let same = inner(self, x) == inner(self, y)
                    || matches!((&self.shapes[x], &self.shapes[y]),
                        (Shape::Union { families: f, .. }, Shape::Union { families: g, .. }) if f == g)
                    || matches!((&self.shapes[inner(self, x)], &self.shapes[inner(self, y)]),
                        (Shape::Scalar(f), Shape::Scalar(g)) if f.ty == g.ty);
                if !same {
                    let (a, b) = (self.described_value(a), self.described_value(b));
                    self.error(span, format!("these two can never be equal: {a} and {b}"));
                    return self.failed(span);
                }
                if loose(self, x) { x } else { y }
            }
            (Some(x), _) | (None, Some(x)) => x,
            (None, None) => {
                let (a, b) = (self.described_value(a), self.described_value(b));
                self.error(span, format!("these two cannot be compared: {a} and {b}"));
                return self.failed(span);
            }
        };
        // `none` and a value may be compared with what is never none only by mistake.
        if self.is_none(a) || self.is_none(b) {
            let optional = match &self.shapes[shape] {
                Shape::Optional(_) => true,
                Shape::Union { optional, .. } => *optional,
                _ => false,
            };
            if !optional {
                let name = self.shape_name(shape);
                let message = format!(
                    "these two can never be equal: only a value of type `{name}?` can be `none`, and this is `{name}`"
                );
                self.error(span, message);
                return self.failed(span);
            }
        }
        // Of a union that may be empty neither side need be a process.
        let (Some(a), Some(b)) = (self.convert(a, shape, None, span), self.convert(b, shape, None, span))
        else {
            return self.failed(span);
        };
        let (mut parts, mut faulty) = (Vec::new(), [Vec::new(), Vec::new()]);
        let leaves = self.shapes.leaves(shape, true, &self.families);
        for (leaf, shape_leaf) in leaves.iter().enumerate() {
            let regs: Vec<_> = shape_leaf.index.iter().map(|d| (self.fresh_reg(""), *d)).collect();
            let extra: Vec<TermId> = regs
                .iter()
                .map(|(r, d)| self.term(TermKind::Bound(*r), Self::bound_type(*d), span))
                .collect();
            let x = self.leaf(&a, shape, leaf, &extra, span);
            let y = self.leaf(&b, shape, leaf, &extra, span);
            let same = self.compare(Comparison::Eq, x, y, span);
            parts.push(self.for_all(&regs, same, span));
            for (term, list) in [x, y].into_iter().zip(&mut faulty) {
                if may_fault(&self.terms, term) {
                    let (one, other) = (self.copy(term, span), self.copy(term, span));
                    let evaluated = self.compare(Comparison::Eq, one, other, span);
                    list.push(self.for_all(&regs, evaluated, span));
                }
            }
        }
        // Both values are evaluated before they are compared: a fault of the one is one, whatever the other is.
        let [mut all, second] = faulty;
        all.extend(second);
        all.extend(parts);
        self.junction(true, all, span)
    }

    fn for_all(&mut self, regs: &[(Reg, Domain)], mut term: TermId, span: Span) -> TermId {
        for &(reg, domain) in regs.iter().rev() {
            term = self.term(TermKind::Quantified(Quantifier::Forall, reg, domain, term), Type::Bool, span);
        }
        term
    }
}
