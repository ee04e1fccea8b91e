//! The effects of an action: assignments to scalars, and changes of bags and queues, as assignments to scalars too.

use super::super::Assignment;
use super::super::shape::{Shape, ShapeId};
use super::super::term::{ArithmeticOp, Comparison, Domain, Misuse, Reg, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::collect::Coordinates;
use super::value::{Op, Place, Value};
use crate::ids::Id;
use crate::syntax::ast::{self, Change, ExprId, Quantifier};
use crate::text::Span;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The choices for which an effect is made, and its place.
#[derive(Default)]
pub(super) struct Extent {
    pub over: Vec<(Reg, Domain)>,
    pub when: Vec<TermId>,
}

/// Where a target is assigned to.
enum Target {
    /// A variable of one value; the place is a term.
    Scalar(TermId),
    Place(Rc<Place>),
}

impl<'a> Builder<'a> {
    /// The effects of an action. Those that change bags are marked: several of them add up.
    pub(super) fn effects(&mut self, list: &'a [ast::Assignment]) -> Vec<(Assignment, bool)> {
        let mut all = Vec::new();
        for effect in list {
            let (mut regs, mut when) = (Vec::new(), Vec::new());
            self.for_choices(&effect.over, &mut regs, &mut when, &mut |b, over, when| {
                let extent = Extent { over: over.to_vec(), when: when.to_vec() };
                let bag = matches!(effect.change, Change::Add | Change::Remove);
                let mut made = Vec::new();
                b.effect(effect, list, &extent, &mut made);
                all.extend(made.into_iter().map(|assignment| (assignment, bag)));
            });
        }
        all
    }

    fn effect(
        &mut self,
        effect: &'a ast::Assignment,
        list: &'a [ast::Assignment],
        extent: &Extent,
        made: &mut Vec<Assignment>,
    ) {
        match effect.change {
            Change::Assign => {
                let alone = self.alone(effect, list);
                self.simple_assignment(effect.target, effect.value, alone, extent, made);
            }
            Change::Add | Change::Remove => self.bag_effect(effect, list, extent, made),
            Change::Push | Change::Pop => self.queue_effect(effect, list, extent, made),
        }
    }

    pub(super) fn assignment(
        &mut self,
        extent: &Extent,
        target: TermId,
        value: TermId,
        span: Span,
    ) -> Assignment {
        let when = match extent.when.as_slice() {
            [] => None,
            list => Some(self.junction(true, list.to_vec(), span)),
        };
        Assignment { over: extent.over.clone(), when, turn: 0, target, value }
    }

    /// The variable of a target; says why where it is none.
    fn target_of(&mut self, expr: ExprId) -> Option<(Target, ShapeId)> {
        let value = self.place(expr);
        if self.is_failed_value(&value) {
            return None;
        }
        match &value {
            Value::Scalar(term) => {
                // A field of what may be `none` is guarded: the place is inside.
                let mut inner = *term;
                while let TermKind::If(_, yes, no) = self.terms[inner].kind
                    && let TermKind::Fault(_) = self.terms[no].kind
                {
                    inner = yes;
                }
                if let TermKind::Fault(misuse) = self.terms[inner].kind
                    && self.scope.paper.is_some()
                {
                    // An earlier assignment leaves no such place: whoever comes here has the fault.
                    let span = self.span(expr);
                    let fault = self.term(TermKind::Fault(misuse), Type::Bool, span);
                    self.probe(fault);
                    return None;
                }
                if let TermKind::Shared(var, _) | TermKind::Local(var, ..) = self.terms[inner].kind {
                    let ty = self.declared_type(var);
                    let shape = self.shapes.enter(Shape::Scalar(ty));
                    return Some((Target::Scalar(*term), shape));
                }
            }
            Value::Place(place) if !place.named => {
                return Some((Target::Place(place.clone()), place.shape));
            }
            _ => {}
        }
        let what = self.target_kind(expr);
        self.error(self.span(expr), format!("{what}; only a variable can be assigned"));
        None
    }

    /// The type of a scalar as it was declared: where the variable may be empty, its process ids may be none inside only.
    pub(super) fn declared_type(&self, var: super::VarId) -> ValueType {
        let found = self.declared.iter().rev().find(|d| d.first <= var);
        let ty = self.vars[var].ty;
        let (Some(decl), Type::Process { family, optional: true }) = (found, ty.ty) else { return ty };
        match self.scalar_at(decl.shape, var.index() - decl.first.index()) {
            Some(Type::Process { optional: false, .. }) => {
                let size = self.families[family].size.into();
                ValueType { ty: Type::Process { family, optional: false }, low: 0, size }
            }
            _ => ty,
        }
    }

    fn scalar_at(&self, shape: ShapeId, leaf: usize) -> Option<Type> {
        match &self.shapes[shape] {
            Shape::Scalar(ty) => Some(ty.ty),
            Shape::Record { fields, .. } => {
                let mut rest = leaf;
                for (_, field) in fields {
                    if rest < self.shapes.count(*field) {
                        return self.scalar_at(*field, rest);
                    }
                    rest -= self.shapes.count(*field);
                }
                None
            }
            Shape::Table(_, inner) => self.scalar_at(*inner, leaf),
            Shape::Optional(inner) | Shape::Queue(_, inner) if leaf > 0 => self.scalar_at(*inner, leaf - 1),
            _ => None,
        }
    }

    /// An assignment of a value of any type; `alone` where no other one of the step is on the same variable.
    pub(super) fn simple_assignment(
        &mut self,
        target: ExprId,
        value: ExprId,
        alone: bool,
        extent: &Extent,
        made: &mut Vec<Assignment>,
    ) {
        let Some((target, shape)) = self.target_of(target) else {
            // Why it is unknown was said here, or where the variable is declared. An unknown target says nothing of
            // the value, whose own errors are still worth knowing.
            self.value(value);
            return;
        };
        let span = self.span(value);
        let Some(value) = self.value_for(value, shape) else { return };
        match target {
            Target::Scalar(term) => {
                let value = self.scalar(&value, span);
                made.extend(self.scalar_assignment(term, shape, value, extent, span));
            }
            Target::Place(place) => {
                if alone
                    && let Value::Changed(op @ (Op::With | Op::Without), parts) = &value
                    && let Value::Place(from) = &parts[0]
                    && from.at == place.at
                    && self.same_place(from, &place)
                {
                    return self.one_element(&place, *op, &parts[1], extent, span, made);
                }
                self.assign_all(&place, &value, extent, span, made);
            }
        }
    }

    /// An assignment to one scalar, which may be a part of something that is `none`.
    pub(super) fn scalar_assignment(
        &mut self,
        guarded: TermId,
        shape: ShapeId,
        mut value: TermId,
        extent: &Extent,
        span: Span,
    ) -> Option<Assignment> {
        let mut guards = Vec::new();
        let mut target = guarded;
        while let TermKind::If(condition, yes, no) = self.terms[target].kind
            && let TermKind::Fault(misuse) = self.terms[no].kind
        {
            guards.push((condition, misuse));
            target = yes;
        }
        let Shape::Scalar(declared) = self.shapes[shape] else { return None };
        if let (Type::Process { optional: true, .. }, Type::Process { optional: false, .. }) =
            (self.terms[target].ty, declared.ty)
            && let Type::Process { optional: true, .. } = self.terms[value].ty
        {
            value = self.somebody(value, span);
        }
        for (condition, misuse) in guards.into_iter().rev() {
            let (condition, ty) = (self.copy(condition, span), self.terms[value].ty);
            value = self.or_fault(condition, value, ty, misuse, span);
        }
        Some(self.assignment(extent, target, value, span))
    }

    /// Assigns a value to all scalars of a place.
    pub(super) fn assign_all(
        &mut self,
        place: &Place,
        value: &Value,
        extent: &Extent,
        span: Span,
        made: &mut Vec<Assignment>,
    ) {
        let leaves = self.shapes.leaves(place.shape, true, &self.families);
        for (number, leaf) in leaves.iter().enumerate() {
            let regs: Vec<(Reg, Domain)> = leaf.index.iter().map(|d| (self.fresh_reg(""), *d)).collect();
            let extra = self.bound_terms(&regs, span);
            let target = self.target(place, number, &extra, span);
            let mut term = self.leaf(value, place.shape, number, &extra, span);
            let declared = self.scalar_at(place.shape, number);
            if let (Some(Type::Process { optional: false, .. }), Type::Process { optional: true, .. }) =
                (declared, self.terms[target].ty)
                && let Type::Process { optional: true, .. } = self.terms[term].ty
                && !self.may_be_empty(place.shape, number)
            {
                term = self.somebody(term, span);
            }
            let term = self.guarded(place, term, span);
            let mut assignment = self.assignment(extent, target, term, span);
            assignment.over.extend(regs);
            made.push(assignment);
        }
    }

    /// Whether a scalar belongs to a part that may be empty by itself.
    fn may_be_empty(&self, shape: ShapeId, leaf: usize) -> bool {
        match &self.shapes[shape] {
            Shape::Record { fields, .. } => {
                let mut rest = leaf;
                for (_, field) in fields {
                    if rest < self.shapes.count(*field) {
                        return self.may_be_empty(*field, rest);
                    }
                    rest -= self.shapes.count(*field);
                }
                false
            }
            Shape::Table(_, inner) => self.may_be_empty(*inner, leaf),
            Shape::Scalar(_) | Shape::Error => false,
            _ => true,
        }
    }

    /// Whether no other effect of the action is on the same variable, as far as the text says.
    fn alone(&self, effect: &ast::Assignment, list: &[ast::Assignment]) -> bool {
        let name = |e: ExprId| self.root_name(e);
        list.iter().filter(|other| name(other.target) == name(effect.target)).count() == 1
            && effect.over.is_empty()
    }

    /// The variable's name in a target.
    fn root_name(&self, mut expr: ExprId) -> Option<&'a str> {
        use ast::ExprKind;
        let file = self.file;
        loop {
            match &file.exprs[expr].kind {
                ExprKind::Name(name) => return Some(name),
                ExprKind::Index(base, _) => expr = *base,
                ExprKind::Field(_, field) => return Some(&field.name),
                _ => return None,
            }
        }
    }

    fn same_place(&self, a: &Place, b: &Place) -> bool {
        let process = match (a.process, b.process) {
            (Some(a), Some(b)) => self.same(a, b),
            (None, None) => true,
            _ => false,
        };
        process
            && (a.decl, a.leaf, a.shape) == (b.decl, b.leaf, b.shape)
            && a.given.len() == b.given.len()
            && a.indices.len() == b.indices.len()
            && a.indices.iter().zip(&b.indices).all(|(a, b)| self.same(*a, *b))
    }

    /// `s := s + x` and `s := s - x`: one entry changes.
    fn one_element(
        &mut self,
        place: &Place,
        op: Op,
        element: &Value,
        extent: &Extent,
        span: Span,
        made: &mut Vec<Assignment>,
    ) {
        let Shape::Set(item) = self.shapes[place.shape] else { return };
        let variants = self.shapes.variants(item);
        for (i, variant) in variants.iter().enumerate() {
            let Coordinates { conditions, indices } = self.coordinates(element, item, variant, span);
            let target = self.target(place, i, &indices, span);
            let value = self.constant((op == Op::With).into(), Type::Bool, span);
            let value = self.guarded(place, value, span);
            // A value of no variant has its fault in the last one.
            let conditions =
                if i + 1 == variants.len() { self.unless(element, item, i, span) } else { conditions };
            let when = extent.when.iter().copied().chain(conditions).collect();
            let extent = Extent { over: extent.over.clone(), when };
            made.push(self.assignment(&extent, target, value, span));
        }
    }

    /// That a value is of none of the first variants.
    pub(super) fn unless(&mut self, element: &Value, item: ShapeId, first: usize, span: Span) -> Vec<TermId> {
        let mut all = Vec::new();
        for variant in self.shapes.variants(item).iter().take(first) {
            let Coordinates { conditions, .. } = self.coordinates(element, item, variant, span);
            let is = self.junction(true, conditions, span);
            all.push(self.not(is, span));
        }
        all
    }

    fn queue_effect(
        &mut self,
        effect: &'a ast::Assignment,
        list: &'a [ast::Assignment],
        extent: &Extent,
        made: &mut Vec<Assignment>,
    ) {
        let word = if effect.change == Change::Push { "push" } else { "pop" };
        let Some((place, shape)) = self.collection(effect.target, word, "a queue") else { return };
        let Shape::Queue(_, item) = self.shapes[shape] else { return };
        let span = self.span(effect.value);
        let whole = Value::Place(place.clone());
        let value = if effect.change == Change::Push {
            let Some(new) = self.value_for(effect.value, item) else { return };
            // Values that are taken out in the same step are taken out first.
            let popped = list
                .iter()
                .find(|other| other.change == Change::Pop && other.over.is_empty() && effect.over.is_empty());
            let mut before = whole.clone();
            if let Some(popped) = popped
                && let Some((other, _)) = self.collection(popped.target, "pop", "a queue")
                && self.same_place(&other, &place)
            {
                before = Value::Changed(Op::Pop, Rc::new([whole.clone(), whole]));
            }
            Value::Changed(Op::Push, Rc::new([before, new]))
        } else {
            let pushed = list.iter().any(|other| {
                other.change == Change::Push
                    && other.over.is_empty()
                    && effect.over.is_empty()
                    && self
                        .collection(other.target, "push", "a queue")
                        .is_some_and(|(other, _)| self.same_place(&other, &place))
            });
            if pushed {
                return;
            }
            Value::Changed(Op::Pop, Rc::new([whole.clone(), whole]))
        };
        self.assign_all(&place, &value, extent, span, made);
    }

    /// The bag or queue that is changed.
    pub(super) fn collection(
        &mut self,
        expr: ExprId,
        word: &str,
        what: &str,
    ) -> Option<(Rc<Place>, ShapeId)> {
        let value = self.value(expr);
        if self.is_failed_value(&value) {
            return None;
        }
        if let Value::Place(place) = &value {
            let fits = match self.shapes[place.shape] {
                Shape::Bag(..) => what == "a bag",
                Shape::Queue(..) => what == "a queue",
                _ => false,
            };
            if fits && !place.named {
                return Some((place.clone(), place.shape));
            }
        }
        if let Value::Place(place) = &value
            && place.named
        {
            let message = format!("`{word}` changes a variable, but this is a name for a value");
            self.error(self.span(expr), message);
            return None;
        }
        let found = self.described_value(&value);
        let hint = match self.shape_of(&value).map(|s| &self.shapes[s]) {
            Some(Shape::Set(_)) => "; a set is assigned: `s := s + x`",
            Some(Shape::Bag(..)) => "; a bag is changed by `add m to net` and `remove m from net`",
            Some(Shape::Queue(..)) => "; a queue is changed by `push(q, m)` and `pop(q)`",
            _ => "",
        };
        self.error(self.span(expr), format!("`{word}` changes {what}, but this is {found}{hint}"));
        None
    }

    /// `add m to net` or `remove m from net`. All such changes of one step are made at once: what is removed must be there
    /// before, and there must be room for what is there afterwards.
    fn bag_effect(
        &mut self,
        effect: &'a ast::Assignment,
        list: &'a [ast::Assignment],
        extent: &Extent,
        made: &mut Vec<Assignment>,
    ) {
        let word = if effect.change == Change::Add { "add" } else { "remove" };
        let Some((place, shape)) = self.collection(effect.target, word, "a bag") else { return };
        let Shape::Bag(most, item) = self.shapes[shape] else { return };
        let Some(value) = self.value_for(effect.value, item) else { return };
        let span = self.span(effect.value);
        let rivals: Vec<&'a ast::Assignment> = list
            .iter()
            .filter(|other| matches!(other.change, Change::Add | Change::Remove))
            .filter(|other| self.root_name(other.target) == self.root_name(effect.target))
            .collect();
        // How many there are afterwards.
        let before = self.read_leaf(&place, 0, &[], span);
        let mut count = self.copy(before, span);
        for rival in &rivals {
            let change = self.change_by(rival, &place, None, span);
            count = self.arithmetic(ArithmeticOp::Add, count, change, span);
        }
        let (again, limit) = (self.copy(count, span), self.number(most.into(), span));
        let room = self.compare(Comparison::Le, again, limit, span);
        let count = self.or_fault(room, count, Type::Int, Misuse::Full, span);
        let count = self.guarded(&place, count, span);
        let target = self.target(&place, 0, &[], span);
        let counted = self.assignment(extent, target, count, span);
        // That something is missing is found before that there are too few, that there is no room before what it is for.
        let adds = effect.change == Change::Add;
        made.extend(adds.then(|| counted.clone()));
        let variants = self.shapes.variants(item);
        for (i, variant) in variants.iter().enumerate() {
            let Coordinates { conditions, indices } = self.coordinates(&value, item, variant, span);
            let target = self.target(&place, 1 + i, &indices, span);
            let old = self.target(&place, 1 + i, &indices, span);
            let mut new = self.copy(old, span);
            let mut left = self.copy(old, span);
            for rival in &rivals {
                let change = self.change_by(rival, &place, Some((&value, item)), span);
                new = self.arithmetic(ArithmeticOp::Add, new, change, span);
                if rival.change == Change::Remove {
                    let change = self.copy(change, span);
                    left = self.arithmetic(ArithmeticOp::Add, left, change, span);
                }
            }
            if effect.change == Change::Remove {
                let zero = self.number(0, span);
                let there = self.compare(Comparison::Ge, left, zero, span);
                new = self.or_fault(there, new, Type::Int, Misuse::Missing, span);
            }
            let new = self.guarded(&place, new, span);
            let conditions =
                if i + 1 == variants.len() { self.unless(&value, item, i, span) } else { conditions };
            let when = extent.when.iter().copied().chain(conditions).collect();
            let extent = Extent { over: extent.over.clone(), when };
            made.push(self.assignment(&extent, target, new, span));
        }
        made.extend((!adds).then_some(counted));
    }

    /// By how much an effect changes a bag's count: of one value, or of all.
    fn change_by(
        &mut self,
        effect: &'a ast::Assignment,
        place: &Place,
        value: Option<(&Value, ShapeId)>,
        span: Span,
    ) -> TermId {
        let sign = if effect.change == Change::Add { 1 } else { -1 };
        let mut sum = self.number(0, span);
        let (mut regs, mut when) = (Vec::new(), Vec::new());
        // The names of the effect are bound anew, beside those that it is compared with.
        self.for_choices(&effect.over, &mut regs, &mut when, &mut |b, over, when| {
            let Some((other, shape)) = b.collection(effect.target, "add", "a bag") else { return };
            let Shape::Bag(_, item) = b.shapes[shape] else { return };
            let mut conditions = when.to_vec();
            conditions.extend(b.equal_places(&other, place, span));
            if let Some((value, _)) = value {
                let Some(own) = b.value_for(effect.value, item) else { return };
                conditions.push(b.equal_items(&own, value, item, span));
            }
            let is = b.junction(true, conditions, span);
            let (one, zero) = (b.number(sign, span), b.number(0, span));
            let mut term = b.choice(is, one, zero, Type::Int, span);
            for &(reg, domain) in over.iter().rev() {
                term = b.term(TermKind::Quantified(Quantifier::Sum, reg, domain, term), Type::Int, span);
            }
            sum = b.arithmetic(ArithmeticOp::Add, sum, term, span);
        });
        sum
    }

    /// Where two places of one variable are the same.
    pub(super) fn equal_places(&mut self, a: &Place, b: &Place, span: Span) -> Vec<TermId> {
        let pairs = a
            .process
            .into_iter()
            .zip(b.process)
            .chain(a.indices.iter().copied().zip(b.indices.iter().copied()));
        let mut all = Vec::new();
        if (a.decl, a.leaf) != (b.decl, b.leaf) {
            all.push(self.constant(0, Type::Bool, span));
            return all;
        }
        for (x, y) in pairs {
            if !self.same(x, y) {
                let (x, y) = (self.copy(x, span), self.copy(y, span));
                all.push(self.compare(Comparison::Eq, x, y, span));
            }
        }
        all
    }

    /// Where two values of a bag's type are equal; they have no tables.
    fn equal_items(&mut self, a: &Value, b: &Value, item: ShapeId, span: Span) -> TermId {
        let mut all = Vec::new();
        for leaf in 0..self.shapes.count(item) {
            let (x, y) = (self.leaf(a, item, leaf, &[], span), self.leaf(b, item, leaf, &[], span));
            if !self.same(x, y) {
                all.push(self.compare(Comparison::Eq, x, y, span));
            }
        }
        self.junction(true, all, span)
    }
}
