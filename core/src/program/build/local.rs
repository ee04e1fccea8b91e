//! Variables of a block. On paper they are variables like others; they have no place in a state, and are forgotten at the end.

use super::super::shape::Shape;
use super::super::term::{Comparison, Domain, Misuse, Reg, TermId};
use super::super::types::Type;
use super::super::{VarId, may_fault};
use super::Builder;
use super::effect::Extent;
use super::names::Binding;
use super::paper::{Arm, Done};
use super::value::Place;
use crate::ids::Id;
use crate::syntax::ast::{Init, VarDecl};
use crate::text::Span;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// Declares a variable of the block that is executed, and gives it its first value.
    pub(super) fn block_variable(&mut self, decl: &'a VarDecl) {
        self.collect_literals(&decl.ty);
        let id = self.variable(decl, None);
        let first = self.declared[id].first;
        self.first_local.get_or_insert((id, first));
        let Init::Expr(expr) = decl.init else {
            let Init::Any(span) = decl.init else { return };
            self.error(span, "`any` is for initial states; a variable of a block has one value");
            return;
        };
        let span = self.span(expr);
        let (shape, index) = (self.declared[id].shape, self.declared[id].index.clone());
        let depth = self.scope.bindings.len();
        let mut over: Vec<(Reg, Domain)> = Vec::new();
        for (at, &domain) in decl.index.iter().zip(&index) {
            let name = at.name.as_ref().map_or("", |name| name.name.as_str());
            let reg = self.fresh_reg(name);
            over.push((reg, domain));
            if !name.is_empty() {
                self.scope.bindings.push((name, Binding::Reg(reg, Self::bound_type(domain))));
            }
        }
        let value = self.value_for(expr, shape);
        self.scope.bindings.truncate(depth);
        if let Some(value) = value {
            let indices = self.bound_terms(&over, span);
            let at = self.done_so_far();
            let place = Place {
                decl: id,
                process: None,
                indices,
                leaf: 0,
                shape,
                given: Vec::new(),
                at,
                named: false,
            };
            let extent = Extent { over, when: Vec::new() };
            let mut made = Vec::new();
            if let Shape::Scalar(_) = self.shapes[shape] {
                let (target, value) = (self.target(&place, 0, &[], span), self.scalar(&value, span));
                made.extend(self.scalar_assignment(target, shape, value, &extent, span));
            } else {
                self.assign_all(&place, &value, &extent, span, &mut made);
            }
            self.write_made(made, span);
        }
        self.scope.bindings.push((&decl.name.name, Binding::Variable(id)));
    }

    pub(super) fn is_block_variable(&self, var: VarId) -> bool {
        self.first_local.is_some_and(|(_, first)| first <= var)
    }

    /// Changes of the block's own variables do not last, but each may have been a fault.
    pub(super) fn without_locals(&mut self, done: Vec<Done>, span: Span) -> Vec<Done> {
        let mut kept = Vec::with_capacity(done.len());
        for done in done {
            let Some(value) = done.value else {
                kept.push(done);
                continue;
            };
            // A wrong or too large expression has been reported, and is no place.
            if self.is_wrong(done.target) {
                continue;
            }
            let (var, indices) = self.address(done.target);
            if !self.is_block_variable(var) {
                kept.push(done);
                continue;
            }
            let mut tests: Vec<TermId> = Vec::new();
            for (part, domain) in indices.into_iter().zip(self.vars[var].index.clone()) {
                tests.extend(self.inside(part, domain, span));
            }
            tests.extend(self.fits(value, var));
            let condition = self.junction(true, tests, span);
            let mut path = done.path;
            // Whether the statement is reached at all was looked at for this assignment.
            let risky = path.iter().any(|arm| may_fault(&self.terms, arm.condition));
            if may_fault(&self.terms, condition) {
                path.push(Arm { point: self.paper().point(), number: 0, condition });
            } else if !risky {
                continue;
            }
            kept.push(Done { path, over: done.over, target: condition, value: None });
        }
        kept
    }

    /// That an index is one of a table's, with a fault where it is not.
    fn inside(&mut self, index: TermId, domain: Domain, span: Span) -> Option<TermId> {
        let Domain::Range(low, high) = domain else {
            if let Type::Process { optional: true, .. } = self.terms[index].ty {
                // `none` has no entry, and no number either.
                let number = self.index_of(index, span);
                return Some(self.itself(number, span));
            }
            return may_fault(&self.terms, index).then(|| self.itself(index, span));
        };
        self.ranged(index, low, high, span)
    }

    /// That a value is one of a variable's, with a fault where it is not.
    fn fits(&mut self, value: TermId, var: VarId) -> Option<TermId> {
        let (ty, span) = (self.vars[var].ty, self.terms[value].span);
        match ty.ty {
            Type::Int => self.ranged(value, ty.low.into(), ty.high(), span),
            _ => may_fault(&self.terms, value).then(|| self.itself(value, span)),
        }
    }

    fn ranged(&mut self, value: TermId, low: i64, high: i64, span: Span) -> Option<TermId> {
        if let Some((least, most)) = self.bounds(value)
            && low <= least
            && most <= high
        {
            return may_fault(&self.terms, value).then(|| self.itself(value, span));
        }
        let mut tests = Vec::new();
        for (comparison, bound) in [(Comparison::Ge, low), (Comparison::Le, high)] {
            let (value, bound) = (self.copy(value, span), self.constant(bound, Type::Int, span));
            tests.push(self.compare(comparison, value, bound, span));
        }
        let there = self.junction(true, tests, span);
        let yes = self.constant(1, Type::Bool, span);
        Some(self.or_fault(there, yes, Type::Bool, Misuse::Outside, span))
    }

    /// A test that looks at a value and always holds.
    fn itself(&mut self, value: TermId, span: Span) -> TermId {
        let same = self.copy(value, span);
        self.term(super::TermKind::Compare(Comparison::Eq, value, same), Type::Bool, span)
    }

    /// Forgets the variables of all blocks: what was read of them are values.
    pub(super) fn forget_locals(&mut self) {
        if let Some((decl, var)) = self.first_local {
            self.declared = self.declared.as_slice()[..decl.index()].to_vec().into();
            self.vars = self.vars.as_slice()[..var.index()].to_vec().into();
        }
    }
}
