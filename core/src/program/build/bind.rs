//! The domains of bound names: families, ranges, several families, and the elements of a set or bag.

use super::super::shape::Shape;
use super::super::term::{ArithmeticOp, Domain, FormulaId, FormulaKind, Reg, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::names::{Binding, Global};
use super::value::Value;
use crate::syntax::ast::{self, Binder, ExprId, Quantifier};
use crate::text::Span;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

/// Registers that are left for further parameters of an action.
const MOST_PARAMS: u32 = 256;

/// One way to bind a name. A name that ranges over a family or a range has one; one that ranges over several families, or over
/// records of which some are `none` here and there, has several.
pub(super) struct Choice {
    pub regs: Vec<(Reg, Domain)>,
    /// Where the registers stand for something that is ranged over; everywhere, where there is none.
    pub when: Option<TermId>,
    /// How often it is there, in a bag.
    weight: Option<TermId>,
    pub binding: Binding,
}

impl<'a> Builder<'a> {
    /// The ways to bind a name; none if the domain is wrong, which has been said.
    pub(super) fn choices(&mut self, binder: &'a Binder) -> Option<Vec<Choice>> {
        self.choices_of(binder, None).map(|(choices, _)| choices)
    }

    /// The ways to bind a name, or the one that is picked, and how many there are.
    pub(super) fn choices_of(
        &mut self,
        binder: &'a Binder,
        pick: Option<usize>,
    ) -> Option<(Vec<Choice>, usize)> {
        let name = binder.name.name.as_str();
        match &binder.domain {
            ast::Domain::Union(families) => {
                let mut all = Vec::new();
                for family in families {
                    all.push(self.family(family)?);
                }
                let span = binder.name.span;
                Some(self.of_families(name, &all, pick, span))
            }
            ast::Domain::Value(expr) => {
                let value = self.aside(|b| b.value(*expr));
                self.elements(name, &value, pick, self.span(*expr))
            }
            ast::Domain::Family(ident) => match self.names.items.get(ident.name.as_str()).copied() {
                Some((Global::Type(ty), _)) if let Some(families) = self.union_of(ident, ty) => {
                    Some(self.of_families(name, &families, pick, ident.span))
                }
                Some((Global::Family(_) | Global::Type(_), _)) => self.one_choice(name, &binder.domain),
                _ if self.is_value(&ident.name) => {
                    let value = self.aside(|b| b.name(&ident.name, &[], ident.span));
                    self.elements(name, &value, pick, ident.span)
                }
                _ => self.one_choice(name, &binder.domain),
            },
            ast::Domain::Range(..) => self.one_choice(name, &binder.domain),
        }
    }

    fn one_choice(&mut self, name: &'a str, domain: &'a ast::Domain) -> Option<(Vec<Choice>, usize)> {
        let domain = self.domain(domain)?;
        Some((vec![self.plain_choice(name, domain)], 1))
    }

    fn of_families(
        &mut self,
        name: &'a str,
        families: &[super::FamilyId],
        pick: Option<usize>,
        span: Span,
    ) -> (Vec<Choice>, usize) {
        let union = self.shapes.enter(Shape::Union { families: families.to_vec(), optional: false });
        let picked = families.iter().enumerate().filter(|(i, _)| pick.is_none_or(|pick| pick == *i));
        let mut choices = Vec::new();
        for (_, &family) in picked {
            let mut choice = self.plain_choice(name, Domain::Family(family));
            let ty = Type::Process { family, optional: false };
            let process = self.term(TermKind::Bound(choice.regs[0].0), ty, span);
            choice.binding = Binding::Value(Value::Typed(union, Rc::new(Value::Scalar(process))));
            choices.push(choice);
        }
        (choices, families.len())
    }

    /// Evaluates something whose registers must not stand between those of parameters.
    fn aside<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let Some(aside) = self.scope.aside else { return evaluate(self) };
        let next = self.scope.next_reg;
        self.scope.next_reg = aside.max(next + MOST_PARAMS);
        let start = self.scope.next_reg;
        let result = evaluate(self);
        if self.scope.next_reg > start {
            self.scope.aside = Some(self.scope.next_reg);
        }
        self.scope.next_reg = next;
        result
    }

    fn plain_choice(&mut self, name: &'a str, domain: Domain) -> Choice {
        let reg = self.fresh_reg(name);
        let binding = Binding::Reg(reg, Self::bound_type(domain));
        Choice { regs: vec![(reg, domain)], when: None, weight: None, binding }
    }

    /// The families of a type that is a union.
    fn union_of(&mut self, name: &ast::Ident, ty: &'a ast::TypeExpr) -> Option<Vec<super::FamilyId>> {
        let ast::TypeExpr::Union(..) = ty else { return None };
        let shape = self.named_shape(name, ty)?;
        match &self.shapes[shape] {
            Shape::Union { families, optional: false } => Some(families.clone()),
            _ => None,
        }
    }

    /// Whether a name is a variable, or is bound to a value that may be a set.
    pub(super) fn is_value(&self, name: &str) -> bool {
        self.binding(name).is_some()
            || self.scope.owner.is_some_and(|f| self.locals[f].contains_key(name))
            || matches!(
                self.names.items.get(name),
                Some((Global::Shared(Some(_)) | Global::Definition(_), _))
            )
    }

    /// The elements of a set or bag.
    fn elements(
        &mut self,
        name: &'a str,
        collection: &Value,
        pick: Option<usize>,
        span: Span,
    ) -> Option<(Vec<Choice>, usize)> {
        if self.is_failed_value(collection) {
            return None;
        }
        let shape = self.shape_of(collection);
        let (shape, item, first) = match shape.map(|s| (s, self.shapes[s].clone())) {
            Some((shape, Shape::Set(item))) => (shape, item, 0),
            Some((shape, Shape::Bag(_, item))) => (shape, item, 1),
            _ => {
                let what = self.described_value(collection);
                let message = format!("a family, a range, a set or a bag is needed here, but this is {what}");
                self.error(span, message);
                return None;
            }
        };
        let mut all = Vec::new();
        let variants = self.shapes.variants(item);
        let count = variants.len();
        for (i, variant) in variants.into_iter().enumerate().filter(|(i, _)| pick.is_none_or(|p| p == *i)) {
            let regs: Vec<(Reg, Domain)> =
                variant.domains().into_iter().map(|d| (self.fresh_reg(name), d)).collect();
            let indices = self.bound_terms(&regs, span);
            let entry = self.leaf(collection, shape, first + i, &indices, span);
            let weight = (first == 1).then(|| self.copy(entry, span));
            let when = Some(self.as_truth(entry, span));
            let value = self.held_by_registers(item, &variant, &mut regs.iter().map(|(reg, _)| *reg), span);
            all.push(Choice { regs, when, weight, binding: Binding::Value(value) });
        }
        Some((all, count))
    }

    /// Does something for every way to bind several names, with the registers and conditions of that way.
    pub(super) fn for_choices(
        &mut self,
        binders: &'a [Binder],
        regs: &mut Vec<(Reg, Domain)>,
        when: &mut Vec<TermId>,
        act: &mut impl FnMut(&mut Self, &[(Reg, Domain)], &[TermId]),
    ) {
        let Some((binder, rest)) = binders.split_first() else { return act(self, regs, when) };
        let Some(choices) = self.choices(binder) else { return };
        for choice in choices {
            let (known, conditions) = (regs.len(), when.len());
            regs.extend(choice.regs);
            when.extend(choice.when);
            self.scope.bindings.push((&binder.name.name, choice.binding));
            self.for_choices(rest, regs, when, act);
            self.scope.bindings.pop();
            regs.truncate(known);
            when.truncate(conditions);
        }
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [Binder],
        body: ExprId,
        span: Span,
    ) -> TermId {
        let Some((binder, rest)) = binders.split_first() else {
            return match quantifier {
                Quantifier::Forall | Quantifier::Exists | Quantifier::Count => self.check_bool(body),
                Quantifier::Sum | Quantifier::Min | Quantifier::Max => self.check_number(body),
            };
        };
        let Some(choices) = self.choices(binder) else {
            // Errors in the body are still worth knowing.
            let reg = self.fresh_reg(&binder.name.name);
            self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, Type::Error)));
            self.quantified(quantifier, rest, body, span);
            self.scope.bindings.pop();
            return self.failed(span);
        };
        let plain = choices.len() == 1 && choices[0].when.is_none();
        if !plain && matches!(quantifier, Quantifier::Min | Quantifier::Max) {
            let word = quantifier.text();
            let message =
                format!("`{word}` ranges over one family or a range, not over a set, a bag or a union");
            self.error(binder.name.span, message);
            return self.failed(span);
        }
        let mut parts = Vec::new();
        for choice in choices {
            self.scope.bindings.push((&binder.name.name, choice.binding.clone()));
            let inner = self.quantified(quantifier, rest, body, span);
            self.scope.bindings.pop();
            parts.push(self.quantified_choice(quantifier, choice, inner, span));
        }
        match quantifier {
            Quantifier::Forall => self.junction(true, parts, span),
            Quantifier::Exists => self.junction(false, parts, span),
            _ => {
                let mut parts = parts.into_iter();
                let first = parts.next().unwrap_or_else(|| self.constant(0, Type::Int, span));
                parts.fold(first, |sum, part| self.arithmetic(ArithmeticOp::Add, sum, part, span))
            }
        }
    }

    fn quantified_choice(
        &mut self,
        mut quantifier: Quantifier,
        choice: Choice,
        mut term: TermId,
        span: Span,
    ) -> TermId {
        if self.terms[term].ty == Type::Error {
            return term;
        }
        if let Some(when) = choice.when {
            let is_truth = self.terms[term].ty == Type::Bool;
            term = match quantifier {
                Quantifier::Forall => {
                    let not = self.not(when, span);
                    self.junction(false, vec![not, term], span)
                }
                Quantifier::Exists => self.junction(true, vec![when, term], span),
                Quantifier::Count if is_truth && choice.weight.is_none() && !choice.regs.is_empty() => {
                    self.junction(true, vec![when, term], span)
                }
                _ => {
                    // Added up, not counted: what is not there counts nothing, what is there several times so often.
                    let zero = self.constant(0, Type::Int, span);
                    let one = self.constant(1, Type::Int, span);
                    let often = choice.weight.unwrap_or(one);
                    let number = if is_truth {
                        self.choice(term, often, zero, Type::Int, span)
                    } else if choice.weight.is_some() {
                        self.arithmetic(ArithmeticOp::Mul, term, often, span)
                    } else {
                        term
                    };
                    quantifier = Quantifier::Sum;
                    let zero = self.constant(0, Type::Int, span);
                    self.choice(when, number, zero, Type::Int, span)
                }
            };
        } else if quantifier == Quantifier::Count && self.terms[term].ty == Type::Int {
            // A count of counts is one count, of anything else a sum.
            let count = matches!(self.terms[term].kind, TermKind::Quantified(Quantifier::Count, ..));
            if !count && !matches!(self.terms[term].kind, TermKind::Const(_)) {
                quantifier = Quantifier::Sum;
            }
        }
        let ty = if quantifier.is_number() { Type::Int } else { Type::Bool };
        for (reg, domain) in choice.regs.into_iter().rev() {
            term = self.term(TermKind::Quantified(quantifier, reg, domain, term), ty, span);
        }
        term
    }

    pub(super) fn quantified_formula(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [Binder],
        body: ExprId,
        span: Span,
    ) -> FormulaId {
        let Some((binder, rest)) = binders.split_first() else { return self.formula(body) };
        let Some(choices) = self.choices(binder) else {
            let reg = self.fresh_reg(&binder.name.name);
            self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, Type::Error)));
            let formula = self.quantified_formula(quantifier, rest, body, span);
            self.scope.bindings.pop();
            return formula;
        };
        let mut parts = Vec::new();
        for choice in choices {
            self.scope.bindings.push((&binder.name.name, choice.binding));
            let mut formula = self.quantified_formula(quantifier, rest, body, span);
            self.scope.bindings.pop();
            if let Some(when) = choice.when {
                let when = self.atom(when, span);
                let kind = match quantifier {
                    Quantifier::Forall => FormulaKind::Implies(when, formula),
                    _ => FormulaKind::And(vec![when, formula]),
                };
                formula = self.formula_node(kind, span);
            }
            for (reg, domain) in choice.regs.into_iter().rev() {
                formula = self.formula_node(FormulaKind::Quantified(quantifier, reg, domain, formula), span);
            }
            parts.push(formula);
        }
        match (parts.as_slice(), quantifier) {
            (&[only], _) => only,
            (_, Quantifier::Forall) => self.formula_node(FormulaKind::And(parts), span),
            _ => self.formula_node(FormulaKind::Or(parts), span),
        }
    }
}
