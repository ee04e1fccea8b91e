//! Values of any type: trees of scalar terms. An expression becomes a value, and a value of a type is as many terms as the
//! type has scalars ([`Builder::leaf`]); whatever is compared or assigned is so scalar by scalar.

use super::super::may_fault;
use super::super::shape::{DeclId, Shape, ShapeId};
use super::super::term::{Comparison, Misuse, Reg, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use crate::ids::Id;
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A value of any type.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// One term; `none` is one too.
    Scalar(TermId),
    /// The value of a variable, or of a part of it.
    Place(Rc<Place>),
    /// A record with its fields.
    Record(ShapeId, Rc<[Value]>),
    /// `{}` or `{a, b}`: a set, and if empty a bag or a queue too.
    Braces(Rc<[Value]>),
    /// One value or the other.
    Choice(TermId, Rc<[Value; 2]>),
    /// A value of which more is known than its type says: that it is `none`, or of which family it is.
    Typed(ShapeId, Rc<Value>),
    /// A set, bag or queue after a change.
    Changed(Op, Rc<[Value; 2]>),
}

/// The change of a set, bag or queue by a value; `Pop` has none, and its second operand is the queue again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    With,
    Without,
    Push,
    Pop,
}

/// A variable or a part of it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub decl: DeclId,
    /// The process it belongs to, where it is local.
    pub process: Option<TermId>,
    /// The indices so far.
    pub indices: Vec<TermId>,
    /// The first of its scalars among those of the variable.
    pub leaf: usize,
    pub shape: ShapeId,
    /// Where it is there, and what is wrong where it is not.
    pub given: Vec<(TermId, Misuse)>,
    /// How much had been done on the paper of a block when it was named: it is read as it was then.
    pub at: usize,
    /// Whether a name stands for what is there, which is a value and cannot be assigned to.
    pub named: bool,
}

impl Builder<'_> {
    /// A value that is one term.
    pub(super) fn scalar(&mut self, value: &Value, span: Span) -> TermId {
        match value {
            Value::Scalar(term) => *term,
            Value::Typed(shape, inner) => match self.shapes[*shape].clone() {
                Shape::Optional(of) if self.is_none(inner) => self.absent(of, 0, span),
                _ => self.scalar(inner, span),
            },
            Value::Choice(condition, sides) => {
                let condition = self.copy(*condition, span);
                let sides = [self.scalar(&sides[0], span), self.scalar(&sides[1], span)];
                self.conditional(condition, sides, span)
            }
            Value::Place(place) => match self.shapes[place.shape].clone() {
                Shape::Scalar(_) => self.read_leaf(place, 0, &[], span),
                Shape::Optional(inner) if matches!(self.shapes[inner], Shape::Scalar(_)) => {
                    let inner = self.unwrapped(value, span);
                    self.scalar(&inner, span)
                }
                Shape::Error => self.failed(span),
                _ => self.no_scalar(value, span),
            },
            _ => self.no_scalar(value, span),
        }
    }

    /// A fault in the place of a scalar that is not there.
    fn absent(&mut self, shape: ShapeId, leaf: usize, span: Span) -> TermId {
        let ty = self.shapes.leaves(shape, true, &self.families)[leaf].ty.ty;
        self.term(TermKind::Fault(Misuse::Absent), ty, span)
    }

    fn no_scalar(&mut self, value: &Value, span: Span) -> TermId {
        let what = self.described_value(value);
        let hint = match self.shape_of(value).map(|shape| &self.shapes[shape]) {
            Some(Shape::Bag(..)) => "; a bag is changed by `add m to net` and `remove m from net`",
            Some(Shape::Queue(..)) => "; a queue is changed by `push(q, m)` and `pop(q)`",
            Some(Shape::Set(_)) => "; `s + x` is the set with one more, `count(s)` how many it has",
            _ => "",
        };
        self.error(span, format!("a single value is needed here, but this is {what}{hint}"));
        self.failed(span)
    }

    /// The kind of a value, in words.
    pub(super) fn described_value(&self, value: &Value) -> String {
        match (value, self.shape_of(value)) {
            (Value::Scalar(term), _) => self.described(self.terms[*term].ty),
            (_, Some(shape)) => self.described_shape(shape),
            (Value::Braces(list), _) if list.is_empty() => "the empty set `{}`".into(),
            _ => "a set".into(),
        }
    }

    pub(super) fn described_shape(&self, shape: ShapeId) -> String {
        match &self.shapes[shape] {
            Shape::Scalar(ValueType { ty, .. }) => self.described(*ty),
            Shape::Error => "unknown".into(),
            Shape::Record { name: None, .. } => "a record".into(),
            _ => format!("a value of type `{}`", self.shape_name(shape)),
        }
    }

    /// A type in the words of the language.
    pub(super) fn shape_name(&self, shape: ShapeId) -> String {
        match &self.shapes[shape] {
            Shape::Scalar(ValueType { ty: Type::Int, low, size }) => {
                format!("{low}..{}", i64::from(*low) + *size as i64 - 1)
            }
            Shape::Scalar(ty) => self.type_name(ty.ty),
            Shape::Record { name, .. } => name.clone().unwrap_or_else(|| "record".into()),
            Shape::Optional(inner) => format!("{}?", self.shape_name(*inner)),
            Shape::Union { families, optional } => {
                let names: Vec<&str> = families.iter().map(|&f| self.families[f].name.as_str()).collect();
                if *optional { format!("({})?", names.join(" | ")) } else { names.join(" | ") }
            }
            Shape::Table(_, inner) => format!("a table of {}", self.shape_name(*inner)),
            Shape::Set(item) => format!("set of {}", self.shape_name(*item)),
            Shape::Bag(most, item) => format!("bag[{most}] of {}", self.shape_name(*item)),
            Shape::Queue(most, item) => format!("queue[{most}] of {}", self.shape_name(*item)),
            Shape::Error => "unknown".into(),
        }
    }

    /// The type of a value that is more than one term.
    pub(super) fn shape_of(&self, value: &Value) -> Option<ShapeId> {
        match value {
            Value::Scalar(_) | Value::Braces(_) => None,
            Value::Place(place) => Some(place.shape),
            Value::Record(shape, _) | Value::Typed(shape, _) => Some(*shape),
            Value::Changed(_, parts) => self.shape_of(&parts[0]),
            Value::Choice(_, sides) => {
                let shapes = [self.shape_of(&sides[0]), self.shape_of(&sides[1])];
                let optional = |s: &ShapeId| matches!(self.shapes[*s], Shape::Optional(_));
                shapes.iter().flatten().find(|s| optional(s)).or(shapes.iter().flatten().next()).copied()
            }
        }
    }

    pub(super) fn is_failed_value(&self, value: &Value) -> bool {
        match value {
            Value::Scalar(term) => self.terms[*term].ty == Type::Error,
            Value::Place(place) => self.shapes[place.shape] == Shape::Error,
            Value::Choice(_, sides) => sides.iter().any(|side| self.is_failed_value(side)),
            Value::Changed(_, parts) => self.is_failed_value(&parts[0]),
            Value::Typed(_, inner) => self.is_failed_value(inner),
            Value::Record(..) | Value::Braces(_) => false,
        }
    }

    pub(super) fn no_value(&mut self, span: Span) -> Value {
        Value::Scalar(self.failed(span))
    }

    /// Whether a value is the literal `none`.
    pub(super) fn is_none(&self, value: &Value) -> bool {
        matches!(value, Value::Scalar(term) if self.terms[*term].ty == Type::None)
    }

    /// A scalar of a place, unguarded.
    pub(super) fn target(&mut self, place: &Place, leaf: usize, extra: &[TermId], span: Span) -> TermId {
        let var = Id::from_index(self.declared[place.decl].first.index() + place.leaf + leaf);
        let ty = self.vars[var].ty.ty;
        let mut indices = Vec::with_capacity(place.indices.len() + extra.len());
        for &index in place.indices.iter().chain(extra) {
            indices.push(self.copy(index, span));
        }
        match place.process {
            Some(process) => {
                let process = self.copy(process, span);
                self.term(TermKind::Local(var, process, indices), ty, span)
            }
            None => self.term(TermKind::Shared(var, indices), ty, span),
        }
    }

    /// A scalar of a place; a fault where the place is empty.
    pub(super) fn read_leaf(&mut self, place: &Place, leaf: usize, extra: &[TermId], span: Span) -> TermId {
        let term = self.target(place, leaf, extra, span);
        let term = self.read_at(term, place.at);
        self.guarded(place, term, span)
    }

    pub(super) fn guarded(&mut self, place: &Place, mut term: TermId, span: Span) -> TermId {
        let ty = self.terms[term].ty;
        for &(condition, misuse) in place.given.iter().rev() {
            let condition = self.copy(condition, span);
            term = self.or_fault(condition, term, ty, misuse, span);
        }
        term
    }

    /// A term where a condition holds, and a fault elsewhere.
    pub(super) fn or_fault(
        &mut self,
        condition: TermId,
        term: TermId,
        ty: Type,
        misuse: Misuse,
        span: Span,
    ) -> TermId {
        let fault = self.term(TermKind::Fault(misuse), ty, span);
        self.choice(condition, term, fault, ty, span)
    }

    /// The value of something that may be `none`, as what it is where it is there.
    pub(super) fn unwrapped(&mut self, value: &Value, span: Span) -> Value {
        match value {
            Value::Place(place) if let Shape::Optional(inner) = self.shapes[place.shape] => {
                let flag = self.read_leaf(place, 0, &[], span);
                let mut place = (**place).clone();
                place.leaf += 1;
                place.shape = inner;
                place.given.push((flag, Misuse::Absent));
                Value::Place(Rc::new(place))
            }
            Value::Choice(condition, sides) => {
                let sides = [self.unwrapped(&sides[0], span), self.unwrapped(&sides[1], span)];
                Value::Choice(*condition, Rc::new(sides))
            }
            Value::Typed(shape, inner) if let Shape::Optional(of) = self.shapes[*shape] => {
                if self.is_none(inner) { Value::Typed(of, inner.clone()) } else { (**inner).clone() }
            }
            other => other.clone(),
        }
    }

    /// A field of a record.
    pub(super) fn part(&mut self, value: &Value, field: usize, span: Span) -> Value {
        let value = self.unwrapped(value, span);
        match &value {
            Value::Place(place) => {
                let Shape::Record { fields, .. } = &self.shapes[place.shape] else {
                    return self.no_value(span);
                };
                let shape = fields[field].1;
                let before: usize = fields[..field].iter().map(|(_, f)| self.shapes.count(*f)).sum();
                let mut part = (**place).clone();
                part.leaf += before;
                part.shape = shape;
                self.settled(part, span)
            }
            Value::Record(_, fields) => fields[field].clone(),
            // A field of what is not there.
            Value::Typed(shape, none) if let Shape::Record { fields, .. } = &self.shapes[*shape] => {
                let shape = fields[field].1;
                match self.shapes[shape] {
                    Shape::Scalar(_) => Value::Scalar(self.absent(shape, 0, span)),
                    _ => Value::Typed(shape, none.clone()),
                }
            }
            Value::Choice(condition, sides) => {
                let sides = [self.part(&sides[0], field, span), self.part(&sides[1], field, span)];
                if let [Value::Scalar(yes), Value::Scalar(no)] = sides {
                    let condition = self.copy(*condition, span);
                    return Value::Scalar(self.conditional(condition, [yes, no], span));
                }
                Value::Choice(*condition, Rc::new(sides))
            }
            _ => {
                let what = self.described_value(&value);
                self.error(span, format!("this is {what}, which has no fields"));
                self.no_value(span)
            }
        }
    }

    /// A place as a value: one of a scalar is read.
    pub(super) fn settled(&mut self, place: Place, span: Span) -> Value {
        match self.shapes[place.shape] {
            Shape::Scalar(_) if self.scope.placing == Some(span) && !place.named => {
                let target = self.target(&place, 0, &[], span);
                Value::Scalar(self.guarded(&place, target, span))
            }
            Shape::Scalar(_) if self.scope.placing == Some(span) => {
                self.error(
                    span,
                    "this is a part of a value that has a name; only a variable can be assigned",
                );
                self.no_value(span)
            }
            Shape::Scalar(_) | Shape::Error => Value::Scalar(self.read_leaf(&place, 0, &[], span)),
            _ => Value::Place(Rc::new(place)),
        }
    }

    /// A value that a name will stand for: its parts are no places that could be assigned to.
    pub(super) fn named_value(value: &Value) -> Value {
        let all = |list: &[Value]| -> Rc<[Value]> { list.iter().map(Self::named_value).collect() };
        match value {
            Value::Place(place) => Value::Place(Rc::new(Place { named: true, ..(**place).clone() })),
            Value::Record(shape, parts) => Value::Record(*shape, all(parts)),
            Value::Choice(condition, sides) => {
                let sides = [Self::named_value(&sides[0]), Self::named_value(&sides[1])];
                Value::Choice(*condition, Rc::new(sides))
            }
            Value::Typed(shape, inner) => Value::Typed(*shape, Rc::new(Self::named_value(inner))),
            Value::Scalar(_) | Value::Braces(_) | Value::Changed(..) => value.clone(),
        }
    }

    /// A value with terms for bound names; braces and changes of collections keep theirs.
    pub(super) fn value_with(&mut self, value: &Value, bound: &BTreeMap<Reg, TermId>, span: Span) -> Value {
        match value {
            Value::Scalar(term) => {
                let with = self.substitute(*term, bound, span);
                if self.picked.contains(term) {
                    self.picked.insert(with);
                }
                if let Some(&number) = self.positions.get(term) {
                    let number = self.substitute(number, bound, span);
                    self.positions.insert(with, number);
                }
                Value::Scalar(with)
            }
            Value::Record(shape, parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.value_with(part, bound, span)).collect();
                Value::Record(*shape, parts.into())
            }
            Value::Typed(shape, inner) => Value::Typed(*shape, Rc::new(self.value_with(inner, bound, span))),
            Value::Choice(condition, sides) => {
                let condition = self.substitute(*condition, bound, span);
                let sides =
                    [self.value_with(&sides[0], bound, span), self.value_with(&sides[1], bound, span)];
                Value::Choice(condition, Rc::new(sides))
            }
            Value::Place(place) => Value::Place(Rc::new(self.place_with(place, bound, span))),
            Value::Braces(_) | Value::Changed(..) => value.clone(),
        }
    }

    /// A place with terms for bound names.
    pub(super) fn place_with(&mut self, place: &Place, bound: &BTreeMap<Reg, TermId>, span: Span) -> Place {
        let mut with = place.clone();
        with.process = with.process.map(|process| self.substitute(process, bound, span));
        for index in &mut with.indices {
            *index = self.substitute(*index, bound, span);
        }
        for (condition, _) in &mut with.given {
            *condition = self.substitute(*condition, bound, span);
        }
        with
    }

    /// A value that was brought to a type, with that type.
    pub(super) fn typed(&self, value: Value, shape: ShapeId) -> Value {
        match &value {
            Value::Choice(condition, sides) => {
                let sides = [self.typed(sides[0].clone(), shape), self.typed(sides[1].clone(), shape)];
                Value::Choice(*condition, Rc::new(sides))
            }
            _ if self.shape_of(&value) == Some(shape) => value,
            _ if matches!(self.shapes[shape], Shape::Scalar(_) | Shape::Error) => value,
            _ => Value::Typed(shape, Rc::new(value)),
        }
    }

    /// Notes that a value is evaluated here, where it may have a fault.
    pub(super) fn look_at(&mut self, value: &Value, span: Span) {
        for test in self.looks_at(value, span) {
            self.probe(test);
        }
    }

    /// Tests that hold wherever a value can be evaluated, and have its faults.
    pub(super) fn looks_at(&mut self, value: &Value, span: Span) -> Vec<TermId> {
        match value {
            _ if self.is_failed_value(value) => Vec::new(),
            Value::Scalar(term) => {
                let same = self.copy(*term, span);
                let looked_at = TermKind::Compare(Comparison::Eq, *term, same);
                alloc::vec![self.term(looked_at, Type::Bool, span)]
            }
            Value::Record(_, parts) | Value::Braces(parts) => {
                parts.iter().flat_map(|part| self.looks_at(part, span)).collect()
            }
            _ if self.shape_of(value).is_some() => alloc::vec![self.equal(value, value, span)],
            Value::Typed(_, inner) => self.looks_at(inner, span),
            Value::Choice(condition, _) => self.looks_at(&Value::Scalar(*condition), span),
            Value::Changed(_, parts) => {
                parts[..2].iter().flat_map(|part| self.looks_at(part, span)).collect()
            }
            Value::Place(_) => Vec::new(),
        }
    }

    /// A value that is there only where these tests have no fault. They hold wherever they have a value.
    pub(super) fn behind(&mut self, mut tests: Vec<TermId>, value: Value, span: Span) -> Value {
        tests.retain(|&test| may_fault(&self.terms, test));
        if tests.is_empty() || self.is_failed_value(&value) {
            return value;
        }
        match value {
            Value::Typed(shape, inner) => {
                Value::Typed(shape, Rc::new(self.behind(tests, Value::clone(&inner), span)))
            }
            Value::Scalar(term) => {
                let (there, ty) = (self.junction(true, tests, span), self.terms[term].ty);
                Value::Scalar(self.or_fault(there, term, ty, Misuse::Outside, span))
            }
            value => {
                let there = self.junction(true, tests, span);
                Value::Choice(there, Rc::new([Self::named_value(&value), value]))
            }
        }
    }

    /// One of the terms of a value that was brought to a type: the scalar with this number, at these further indices.
    pub(super) fn leaf(
        &mut self,
        value: &Value,
        shape: ShapeId,
        leaf: usize,
        extra: &[TermId],
        span: Span,
    ) -> TermId {
        if let Value::Typed(_, inner) = value {
            let there = match &self.shapes[shape] {
                Shape::Optional(_) | Shape::Union { optional: true, .. } => true,
                _ => !self.is_none(inner),
            };
            return if there {
                self.leaf(inner, shape, leaf, extra, span)
            } else {
                self.absent(shape, leaf, span)
            };
        }
        if let Value::Choice(condition, sides) = value {
            let (yes, no) = (
                self.leaf(&sides[0], shape, leaf, extra, span),
                self.leaf(&sides[1], shape, leaf, extra, span),
            );
            let condition = self.copy(*condition, span);
            return self.conditional(condition, [yes, no], span);
        }
        if let Value::Place(place) = value
            && place.shape == shape
        {
            return self.read_leaf(place, leaf, extra, span);
        }
        let leaf_type = |b: &Self| b.shapes.leaves(shape, true, &b.families)[leaf].ty;
        match self.shapes[shape].clone() {
            Shape::Scalar(_) | Shape::Error => match value {
                Value::Scalar(term) => self.copy(*term, span),
                _ => self.scalar(value, span),
            },
            Shape::Record { fields, .. } => {
                let (mut field, mut rest) = (0, leaf);
                while rest >= self.shapes.count(fields[field].1) {
                    rest -= self.shapes.count(fields[field].1);
                    field += 1;
                }
                let part = self.part(value, field, span);
                self.leaf(&part, fields[field].1, rest, extra, span)
            }
            Shape::Table(domains, inner) => self.leaf(value, inner, leaf, &extra[domains.len()..], span),
            Shape::Optional(_) if self.is_none(value) => {
                let ty = leaf_type(self);
                self.constant(ty.low.into(), ty.ty, span)
            }
            Shape::Optional(_) if leaf == 0 => self.constant(1, Type::Bool, span),
            Shape::Optional(inner) => self.leaf(value, inner, leaf - 1, extra, span),
            Shape::Union { families, optional } => self.union_member(value, &families, optional, leaf, span),
            Shape::Set(_) | Shape::Bag(..) | Shape::Queue(..) => match value {
                Value::Braces(list) if list.is_empty() => {
                    let ty = leaf_type(self);
                    self.constant(ty.low.into(), ty.ty, span)
                }
                _ => self.collected(value, shape, leaf, extra, span),
            },
        }
    }

    /// The id that a value of a union has for one of its families: none for all but one.
    fn union_member(
        &mut self,
        value: &Value,
        families: &[super::FamilyId],
        optional: bool,
        leaf: usize,
        span: Span,
    ) -> TermId {
        let ty = Type::Process { family: families[leaf], optional: true };
        match value {
            Value::Place(place) => {
                let found = self.read_leaf(place, leaf, &[], span);
                let Shape::Union { optional: true, .. } = self.shapes[place.shape] else { return found };
                let given = self.is_somebody(value, span);
                self.or_fault(given, found, ty, Misuse::Absent, span)
            }
            Value::Scalar(term) => match self.terms[*term].ty {
                Type::Process { family, optional: maybe } if family == families[leaf] => {
                    let term = self.copy(*term, span);
                    if optional || !maybe { term } else { self.somebody(term, span) }
                }
                _ => self.constant(-1, ty, span),
            },
            _ => self.failed(span),
        }
    }

    /// A process, or a fault where it is none.
    pub(super) fn somebody(&mut self, term: TermId, span: Span) -> TermId {
        let (again, ty) = (self.copy(term, span), self.terms[term].ty);
        let none = self.constant(-1, ty, span);
        let given = self.compare(Comparison::Ne, again, none, span);
        self.or_fault(given, term, ty, Misuse::Absent, span)
    }

    /// Whether a value of a union is a process.
    pub(super) fn is_somebody(&mut self, value: &Value, span: Span) -> TermId {
        let Some(shape) = self.shape_of(value) else { return self.constant(1, Type::Bool, span) };
        let mut any = Vec::new();
        for leaf in 0..self.shapes.count(shape) {
            let id = self.leaf(value, shape, leaf, &[], span);
            let none = self.constant(-1, self.terms[id].ty, span);
            any.push(self.compare(Comparison::Ne, id, none, span));
        }
        self.junction(false, any, span)
    }
}
