//! Sets, bags and queues: who is in them, how many, and what becomes of them.

use super::super::shape::{Shape, ShapeId, Variant};
use super::super::term::{ArithmeticOp, Comparison, Domain, Misuse, Reg, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::value::{Op, Place, Value};
use crate::functions::Function;
use crate::syntax::ast::{ExprId, Quantifier};
use crate::text::Span;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Where a value is of a variant, and where it then is in the variant's table.
pub(super) struct Coordinates {
    pub conditions: Vec<TermId>,
    pub indices: Vec<TermId>,
}

impl<'a> Builder<'a> {
    pub(super) fn number(&mut self, value: i64, span: Span) -> TermId {
        self.constant(value, Type::Int, span)
    }

    /// The number of a literal or truth value, by which tables are indexed.
    fn position(&mut self, term: TermId, span: Span) -> TermId {
        if let Some(&number) = self.positions.get(&term) {
            return self.copy(number, span);
        }
        let values = match self.terms[term].ty {
            Type::Bool => 2,
            Type::Enum(id) => self.enums[id].len() as i64,
            _ => return self.copy(term, span),
        };
        if let TermKind::Const(value) = self.terms[term].kind {
            return self.number(value, span);
        }
        let ty = self.terms[term].ty;
        let mut number = self.number(values - 1, span);
        for value in (0..values - 1).rev() {
            let (again, this) = (self.copy(term, span), self.constant(value, ty, span));
            let is = self.compare(Comparison::Eq, again, this, span);
            let value = self.number(value, span);
            number = self.choice(is, value, number, Type::Int, span);
        }
        number
    }

    /// A literal or truth value by its number.
    fn of_position(&mut self, reg: Reg, ty: Type, span: Span) -> TermId {
        let number = self.term(TermKind::Bound(reg), Type::Int, span);
        let term = match ty {
            Type::Bool => {
                let one = self.number(1, span);
                let again = self.copy(number, span);
                self.compare(Comparison::Eq, again, one, span)
            }
            Type::Enum(id) => {
                let values = self.enums[id].len() as i64;
                let mut literal = self.constant(values - 1, ty, span);
                for value in (0..values - 1).rev() {
                    let (again, at) = (self.copy(number, span), self.number(value, span));
                    let is = self.compare(Comparison::Eq, again, at, span);
                    let this = self.constant(value, ty, span);
                    literal = self.choice(is, this, literal, ty, span);
                }
                literal
            }
            _ => return self.term(TermKind::Bound(reg), ty, span),
        };
        self.positions.insert(term, number);
        term
    }

    /// The value of a variant whose scalars are in registers.
    pub(super) fn held_by_registers(
        &mut self,
        shape: ShapeId,
        variant: &Variant,
        regs: &mut impl Iterator<Item = Reg>,
        span: Span,
    ) -> Value {
        match (variant, self.shapes[shape].clone()) {
            (Variant::Record(parts), Shape::Record { fields, .. }) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .zip(fields)
                    .map(|(part, (_, field))| self.held_by_registers(field, part, regs, span))
                    .collect();
                Value::Record(shape, parts.into())
            }
            (Variant::Given(inner), Shape::Optional(of)) => {
                let value = self.held_by_registers(of, inner, regs, span);
                Value::Typed(shape, Rc::new(value))
            }
            (Variant::Scalar(_, ty), shape) => match regs.next() {
                Some(reg) => {
                    let term = self.of_position(reg, *ty, span);
                    if let Shape::Scalar(ValueType { ty: Type::Process { optional: true, .. }, .. }) = shape {
                        self.picked.insert(term);
                    }
                    Value::Scalar(term)
                }
                None => self.no_value(span),
            },
            (Variant::Member(_, family), _) => match regs.next() {
                Some(reg) => {
                    let ty = Type::Process { family: *family, optional: false };
                    let process = self.term(TermKind::Bound(reg), ty, span);
                    Value::Typed(shape, Rc::new(Value::Scalar(process)))
                }
                None => self.no_value(span),
            },
            // A process that is none is still of its family.
            (_, Shape::Scalar(ty)) => Value::Scalar(self.constant(-1, ty.ty, span)),
            _ => {
                let none = self.constant(-1, Type::None, span);
                Value::Typed(shape, Rc::new(Value::Scalar(none)))
            }
        }
    }

    /// Where a value, brought to its type, is among those of a variant.
    pub(super) fn coordinates(
        &mut self,
        value: &Value,
        shape: ShapeId,
        variant: &Variant,
        span: Span,
    ) -> Coordinates {
        let mut found = Coordinates { conditions: Vec::new(), indices: Vec::new() };
        self.coordinate(value, shape, (shape, variant, 0), &mut found, span);
        found
    }

    fn coordinate(
        &mut self,
        value: &Value,
        whole: ShapeId,
        (shape, variant, leaf): (ShapeId, &Variant, usize),
        found: &mut Coordinates,
        span: Span,
    ) {
        match (variant, self.shapes[shape].clone()) {
            (Variant::Record(parts), Shape::Record { fields, .. }) => {
                let mut at = leaf;
                for (part, (_, field)) in parts.iter().zip(fields) {
                    self.coordinate(value, whole, (field, part, at), found, span);
                    at += self.shapes.count(field);
                }
            }
            (Variant::Given(inner), Shape::Optional(of)) => {
                found.conditions.push(self.leaf(value, whole, leaf, &[], span));
                self.coordinate(value, whole, (of, inner, leaf + 1), found, span);
            }
            (Variant::Nothing, Shape::Optional(_)) => {
                let given = self.leaf(value, whole, leaf, &[], span);
                found.conditions.push(self.not(given, span));
            }
            (Variant::Nothing, Shape::Union { families, .. }) => {
                for i in 0..families.len() {
                    let id = self.leaf(value, whole, leaf + i, &[], span);
                    found.conditions.push(self.is_process(id, false, span));
                }
            }
            (Variant::Nothing, _) => {
                let id = self.leaf(value, whole, leaf, &[], span);
                found.conditions.push(self.is_process(id, false, span));
            }
            (Variant::Member(i, _), _) => {
                let id = self.leaf(value, whole, leaf + *i as usize, &[], span);
                found.conditions.push(self.is_process(id, true, span));
                found.indices.push(self.copy(id, span));
            }
            (Variant::Scalar(domain, _), Shape::Scalar(ty)) => {
                let mut term = self.leaf(value, whole, leaf, &[], span);
                if let Type::Enum(id) = ty.ty {
                    term = self.recode(term, id);
                }
                if let (Domain::Family(_), Type::Process { optional: true, .. }) = (domain, ty.ty) {
                    found.conditions.push(self.is_process(term, true, span));
                }
                found.indices.push(self.position(term, span));
            }
            _ => {}
        }
    }

    fn is_process(&mut self, id: TermId, is: bool, span: Span) -> TermId {
        let (again, none) = (self.copy(id, span), self.constant(-1, self.terms[id].ty, span));
        self.compare(if is { Comparison::Ne } else { Comparison::Eq }, again, none, span)
    }

    /// The entry of a set's or a bag's table for a value: whether it is in, or how often.
    pub(super) fn entry(&mut self, collection: &Value, item: &Value, span: Span) -> Option<TermId> {
        let shape = self.shape_of(collection)?;
        let (of, first) = match self.shapes[shape] {
            Shape::Set(of) => (of, 0),
            Shape::Bag(_, of) => (of, 1),
            _ => return None,
        };
        let item = self.convert(item, of, None, span)?;
        let variants = self.shapes.variants(of);
        let mut entry = None;
        // The last variant needs no condition: a value that is of none has a fault there.
        for (i, variant) in variants.iter().enumerate().rev() {
            let Coordinates { conditions, indices } = self.coordinates(&item, of, variant, span);
            let here = self.leaf(collection, shape, first + i, &indices, span);
            entry = Some(match entry {
                None => here,
                Some(other) => {
                    let is = self.junction(true, conditions, span);
                    let ty = self.terms[here].ty;
                    self.choice(is, here, other, ty, span)
                }
            });
        }
        entry
    }

    /// `x in s`
    pub(super) fn membership(&mut self, item: ExprId, collection: ExprId, span: Span) -> TermId {
        let item = self.value(item);
        let found = self.value(collection);
        if self.is_failed_value(&item) || self.is_failed_value(&found) {
            return self.failed(span);
        }
        if let Value::Braces(list) = &found {
            let mut any = Vec::new();
            for other in list.iter() {
                any.push(self.same_value(&item, other, span));
            }
            return self.junction(false, any, span);
        }
        let shape = self.shape_of(&found).map(|s| self.shapes[s].clone());
        if !matches!(shape, Some(Shape::Set(_) | Shape::Bag(..))) {
            let what = self.described_value(&found);
            let span = self.span(collection);
            self.error(span, format!("behind `in` stands a set or a bag, but this is {what}"));
            return self.failed(span);
        }
        let Some(entry) = self.entry(&found, &item, span) else { return self.failed(span) };
        self.as_truth(entry, span)
    }

    /// An entry of a set or bag as whether the value is in it.
    pub(super) fn as_truth(&mut self, entry: TermId, span: Span) -> TermId {
        if self.terms[entry].ty != Type::Int {
            return entry;
        }
        let zero = self.number(0, span);
        self.compare(Comparison::Gt, entry, zero, span)
    }

    /// Whether two values of any type are equal.
    pub(super) fn same_value(&mut self, a: &Value, b: &Value, span: Span) -> TermId {
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => match self.comparable(*a, *b, span) {
                Some((a, b)) => self.compare(Comparison::Eq, a, b, span),
                None => self.failed(span),
            },
            _ => self.equal(a, b, span),
        }
    }

    /// The functions of sets, bags and queues.
    pub(super) fn collection_call(
        &mut self,
        function: Function,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        let name = function.name();
        let form = match function {
            Function::Room => "room(b)",
            Function::Length => "length(q)",
            Function::Head => "head(q)",
            _ => "count(s), or count(x in D: E)",
        };
        let &[argument] = arguments else {
            self.error(span, format!("this is written `{form}`"));
            return self.no_value(span);
        };
        let value = self.value(argument);
        if self.is_failed_value(&value) {
            return self.no_value(span);
        }
        let shape = self.shape_of(&value).map(|s| (s, self.shapes[s].clone()));
        match (function, shape) {
            (Function::Count, Some((id, Shape::Bag(..))))
            | (Function::Length, Some((id, Shape::Queue(..)))) => {
                Value::Scalar(self.leaf(&value, id, 0, &[], span))
            }
            (Function::Count, Some((id, Shape::Set(item)))) => {
                Value::Scalar(self.size_of_set(&value, id, item, span))
            }
            (Function::Room, Some((id, Shape::Bag(most, _) | Shape::Queue(most, _)))) => {
                let count = self.leaf(&value, id, 0, &[], span);
                let most = self.number(most.into(), span);
                Value::Scalar(self.compare(Comparison::Lt, count, most, span))
            }
            (Function::Head, Some((_, Shape::Queue(_, item)))) => self.head(&value, item, span),
            (_, _) => {
                let (what, span) = (self.described_value(&value), self.span(argument));
                let needed = match function {
                    Function::Count => "a set or a bag",
                    Function::Room => "a bag or a queue",
                    _ => "a queue",
                };
                self.error(span, format!("`{name}` takes {needed}, but this is {what}"));
                self.no_value(span)
            }
        }
    }

    fn size_of_set(&mut self, value: &Value, shape: ShapeId, item: ShapeId, span: Span) -> TermId {
        let mut sum = self.number(0, span);
        for (i, variant) in self.shapes.variants(item).into_iter().enumerate() {
            let regs: Vec<(Reg, Domain)> =
                variant.domains().into_iter().map(|d| (self.fresh_reg(""), d)).collect();
            let indices = self.bound_terms(&regs, span);
            let mut term = self.leaf(value, shape, i, &indices, span);
            if regs.is_empty() {
                let (one, zero) = (self.number(1, span), self.number(0, span));
                term = self.choice(term, one, zero, Type::Int, span);
            }
            for (reg, domain) in regs.into_iter().rev() {
                term = self.term(TermKind::Quantified(Quantifier::Count, reg, domain, term), Type::Int, span);
            }
            sum = if i == 0 { term } else { self.arithmetic(ArithmeticOp::Add, sum, term, span) };
        }
        sum
    }

    pub(super) fn bound_terms(&mut self, regs: &[(Reg, Domain)], span: Span) -> Vec<TermId> {
        regs.iter().map(|(r, d)| self.term(TermKind::Bound(*r), Self::bound_type(*d), span)).collect()
    }

    fn head(&mut self, value: &Value, item: ShapeId, span: Span) -> Value {
        match value {
            Value::Place(place) => {
                let (length, zero) = (self.read_leaf(place, 0, &[], span), self.number(0, span));
                let some = self.compare(Comparison::Gt, length, zero, span);
                let mut first: Place = (**place).clone();
                first.leaf += 1;
                first.shape = item;
                first.indices.push(self.number(0, span));
                first.given.push((some, Misuse::Empty));
                self.settled(first, span)
            }
            Value::Choice(condition, sides) => {
                let sides = [self.head(&sides[0], item, span), self.head(&sides[1], item, span)];
                Value::Choice(*condition, Rc::new(sides))
            }
            Value::Typed(_, inner) => self.head(inner, item, span),
            _ => {
                self.error(span, "`head` takes a variable that is a queue");
                self.no_value(span)
            }
        }
    }

    /// `s + x` and `s - x` of sets; none where the left is none.
    pub(super) fn changed_set(
        &mut self,
        left: &Value,
        right: ExprId,
        add: bool,
        span: Span,
    ) -> Option<Value> {
        let item = match self.shape_of(left).map(|s| self.shapes[s].clone()) {
            Some(Shape::Set(item)) => Some(item),
            None if matches!(left, Value::Braces(_)) => None,
            _ => return None,
        };
        let right_span = self.span(right);
        let mut element = self.value(right);
        if let Some(item) = item {
            let is_set = |v: &Value, b: &Self| {
                matches!(v, Value::Braces(_))
                    || b.shape_of(v).is_some_and(|s| matches!(b.shapes[s], Shape::Set(_)))
            };
            if is_set(&element, self) {
                let sign = if add { '+' } else { '-' };
                let message = format!("`s {sign} x` takes one element, not a set");
                self.error(right_span, message);
                return Some(self.no_value(span));
            }
            match self.convert(&element, item, Some(right), right_span) {
                Some(converted) => element = converted,
                None => return Some(self.no_value(span)),
            }
        } else if let (Value::Braces(list), true) = (left, add) {
            let all: Vec<Value> = list.iter().cloned().chain([element]).collect();
            return Some(Value::Braces(all.into()));
        }
        let op = if add { Op::With } else { Op::Without };
        Some(Value::Changed(op, Rc::new([left.clone(), element])))
    }

    /// A scalar of a set, bag or queue that is no variable.
    pub(super) fn collected(
        &mut self,
        value: &Value,
        shape: ShapeId,
        leaf: usize,
        extra: &[TermId],
        span: Span,
    ) -> TermId {
        match (value, self.shapes[shape].clone()) {
            (Value::Braces(list), Shape::Set(item)) => {
                let variant = self.shapes.variants(item)[leaf].clone();
                let mut any = Vec::new();
                for element in list.iter() {
                    any.push(self.is_at(element, item, &variant, extra, span));
                }
                self.junction(false, any, span)
            }
            (Value::Changed(op, parts), Shape::Set(item)) => {
                let variant = self.shapes.variants(item)[leaf].clone();
                let before = self.leaf(&parts[0], shape, leaf, extra, span);
                let here = self.is_at(&parts[1], item, &variant, extra, span);
                if *op == Op::With {
                    self.junction(false, [here, before].to_vec(), span)
                } else {
                    let other = self.not(here, span);
                    self.junction(true, [other, before].to_vec(), span)
                }
            }
            (Value::Changed(op, parts), Shape::Queue(most, item)) => {
                self.changed_queue(*op, parts, (shape, most, item), leaf, extra, span)
            }
            _ => {
                self.error(span, "this cannot stand here");
                self.failed(span)
            }
        }
    }

    /// Whether a value is the one at these indices of a variant's table; a fault where it is in no table.
    fn is_at(
        &mut self,
        element: &Value,
        item: ShapeId,
        variant: &Variant,
        at: &[TermId],
        span: Span,
    ) -> TermId {
        let Coordinates { mut conditions, indices } = self.coordinates(element, item, variant, span);
        let mut inside = Vec::new();
        for ((index, &here), (domain, ty)) in indices.into_iter().zip(at).zip(variant.scalars()) {
            if let (Domain::Range(low, high), Type::Int) = (domain, ty) {
                inside.extend(self.within(index, low, high, span));
            } else if let Type::Process { optional: true, .. } = self.terms[index].ty {
                inside.push(self.is_process(index, true, span));
            }
            let here = self.copy(here, span);
            conditions.push(self.compare(Comparison::Eq, index, here, span));
        }
        let is = self.junction(true, conditions, span);
        if inside.is_empty() {
            return is;
        }
        let inside = self.junction(true, inside, span);
        self.or_fault(inside, is, Type::Bool, Misuse::Outside, span)
    }

    /// Where a number is in a range, unless that is plain.
    fn within(&mut self, index: TermId, low: i64, high: i64, span: Span) -> Vec<TermId> {
        let plain = match &self.terms[index].kind {
            TermKind::Const(value) => (low..=high).contains(value),
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => {
                let ty = self.vars[*var].ty;
                i64::from(ty.low) >= low && ty.high() <= high
            }
            _ => false,
        };
        if plain {
            return Vec::new();
        }
        let (one, other) = (self.copy(index, span), self.copy(index, span));
        let (low, high) = (self.number(low, span), self.number(high, span));
        [self.compare(Comparison::Ge, one, low, span), self.compare(Comparison::Le, other, high, span)]
            .to_vec()
    }

    fn changed_queue(
        &mut self,
        op: Op,
        parts: &[Value; 2],
        (shape, most, item): (ShapeId, u32, ShapeId),
        leaf: usize,
        extra: &[TermId],
        span: Span,
    ) -> TermId {
        let length = self.leaf(&parts[0], shape, 0, &[], span);
        let most: i64 = most.into();
        match (op, leaf) {
            (Op::Push, 0) => self.one_more(length, most, span),
            (Op::Push, _) => {
                let at = self.copy(extra[0], span);
                let here = self.compare(Comparison::Eq, at, length, span);
                let new = self.leaf(&parts[1], item, leaf - 1, &extra[1..], span);
                let old = self.leaf(&parts[0], shape, leaf, extra, span);
                self.conditional(here, [new, old], span)
            }
            (_, 0) => self.one_less(length, span),
            _ => {
                let ty = self.shapes.leaves(shape, true, &self.families)[leaf].ty;
                let (at, one) = (self.copy(extra[0], span), self.number(1, span));
                let next = self.arithmetic(ArithmeticOp::Add, at, one, span);
                let (again, last) = (self.copy(extra[0], span), self.number(most - 1, span));
                let inside = self.compare(Comparison::Lt, again, last, span);
                let mut moved = extra.to_vec();
                moved[0] = next;
                let follows = self.leaf(&parts[0], shape, leaf, &moved, span);
                let empty = self.constant(ty.low.into(), ty.ty, span);
                self.choice(inside, follows, empty, ty.ty, span)
            }
        }
    }

    /// A count after one more value came.
    pub(super) fn one_more(&mut self, count: TermId, most: i64, span: Span) -> TermId {
        let (again, most, one) = (self.copy(count, span), self.number(most, span), self.number(1, span));
        let room = self.compare(Comparison::Lt, again, most, span);
        let more = self.arithmetic(ArithmeticOp::Add, count, one, span);
        self.or_fault(room, more, Type::Int, Misuse::Full, span)
    }

    /// The length of a queue after its first value went.
    fn one_less(&mut self, count: TermId, span: Span) -> TermId {
        let (again, zero, one) = (self.copy(count, span), self.number(0, span), self.number(1, span));
        let some = self.compare(Comparison::Gt, again, zero, span);
        let less = self.arithmetic(ArithmeticOp::Sub, count, one, span);
        self.or_fault(some, less, Type::Int, Misuse::Empty, span)
    }
}
