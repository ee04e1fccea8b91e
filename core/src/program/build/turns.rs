//! `for`: made for all turns at once where no turn concerns another, otherwise written out turn by turn.
//!
//! The members of a set or bag are found before the first turn, and of each value once. Values come in the order in which an action's
//! parameter goes through them, those that are `none` somewhere first, kind by kind.

use super::super::VarId;
use super::super::term::{Domain, Reg, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::bind::Choice;
use super::names::Binding;
use super::paper::Arm;
use super::value::Value;
use crate::ids::Id as _;
use crate::limits::MAX_TURNS;
use crate::sort::Sort as _;
use crate::syntax::ast::{Binder, Block};
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

/// A `for` with its first name apart from the others.
#[derive(Clone, Copy)]
struct For<'a> {
    binder: &'a Binder,
    rest: &'a [Binder],
    body: &'a Block,
    span: Span,
}

impl<'a> Builder<'a> {
    pub(super) fn turns(&mut self, binders: &'a [Binder], body: &'a Block, span: Span) {
        let Some((binder, rest)) = binders.split_first() else {
            self.block(body);
            return;
        };
        let Some(choices) = self.choices(binder) else { return };
        let of = For { binder, rest, body, span };
        let errors = self.diagnostics.len();
        for choice in choices {
            if !self.all_at_once(of, &choice) && self.diagnostics.len() == errors {
                self.one_by_one(of, &choice);
            }
            if self.diagnostics.len() > errors || self.too_large {
                return;
            }
        }
    }

    /// Writes the turns out, one after the other.
    fn one_by_one(&mut self, of: For<'a>, choice: &Choice) {
        let For { binder, span, .. } = of;
        let sizes: Vec<u64> = choice.regs.iter().map(|(_, domain)| self.domain_size(*domain)).collect();
        let size = sizes.iter().copied().fold(1, u64::saturating_mul);
        if size > MAX_TURNS {
            let message = format!(
                "the turns of this `for` concern each other, so they are written out, and {size} are too many"
            );
            self.diagnostics.push(Diagnostic::too_large(span, message));
            return;
        }
        for (&(_, domain), &size) in choice.regs.iter().zip(&sizes) {
            // Of a single process no order is told; what its turn assigns may name it, so that it is written out too.
            if let Domain::Family(family) = domain
                && size > 1
            {
                self.paper().written_out.push((family, span));
            }
        }
        let errors = self.diagnostics.len();
        for turn in 0..size {
            let mut bound: BTreeMap<Reg, TermId> = BTreeMap::new();
            let mut left = turn;
            for (&(reg, domain), &size) in choice.regs.iter().zip(&sizes).rev() {
                let low = if let Domain::Range(low, _) = domain { low } else { 0 };
                let value = low + (left % size) as i64;
                left /= size;
                bound.insert(reg, self.constant(value, Self::bound_type(domain), binder.name.span));
            }
            let binding = match &choice.binding {
                Binding::Reg(reg, _) => bound.get(reg).map(|term| Binding::Value(Value::Scalar(*term))),
                Binding::Value(value) => Some(Binding::Value(self.value_with(value, &bound, span))),
                _ => None,
            };
            let Some(binding) = binding else { return };
            let when = choice.when.map(|when| {
                let when = self.copy(when, span);
                self.substitute(when, &bound, span)
            });
            self.turn(of, binding, when);
            if self.diagnostics.len() > errors || self.too_large {
                return;
            }
        }
    }

    /// One turn, or one for all, where a condition holds.
    fn turn(&mut self, For { binder, rest, body, span }: For<'a>, binding: Binding, when: Option<TermId>) {
        let depth = self.scope.bindings.len();
        self.scope.bindings.push((&binder.name.name, binding));
        let done = self.paper().done.len();
        if let Some(condition) = when {
            let arm = Arm { point: self.paper().point(), number: 0, condition };
            self.paper().path.push(arm);
            self.turns(rest, body, span);
            self.paper().path.pop();
            if self.paper().done.len() == done {
                // Nothing is assigned: the set is looked at all the same.
                self.probe(condition);
            }
        } else {
            self.turns(rest, body, span);
        }
        self.scope.bindings.truncate(depth);
    }

    /// Executes one turn for all; takes it back where a turn concerns another.
    fn all_at_once(&mut self, of: For<'a>, choice: &Choice) -> bool {
        let paper = self.paper();
        let (done, reads, claims, out) =
            (paper.done.len(), paper.reads.len(), paper.claims.len(), paper.written_out.len());
        let (copied, put_off) = (self.copied, self.paper().put_off.len());
        let vars = self.vars.len();
        let around = self.paper().over.len();
        if around == 0 {
            self.paper().outside = self.paper().path.len();
        }
        self.paper().over.extend(choice.regs.iter().copied());
        self.turn(of, choice.binding.clone(), choice.when);
        self.paper().over.truncate(around);
        if self.too_large {
            return true;
        }
        let nothing = choice.regs.iter().any(|(_, domain)| self.domain_size(*domain) == 0);
        let regs: Vec<Reg> = choice.regs.iter().map(|(reg, _)| *reg).collect();
        let mut alone = nothing || self.independent(&regs, done, reads, vars);
        if around == 0 && alone {
            alone = self.make_put_off(put_off, done, reads);
        }
        if !alone {
            let paper = self.paper();
            paper.done.truncate(done);
            paper.reads.truncate(reads);
            paper.claims.truncate(claims);
            paper.written_out.truncate(out);
            paper.put_off.truncate(put_off);
            self.copied = copied;
        }
        alone
    }

    /// Whether no turn reads what another assigns, and two turns that assign to one place assign the same: every variable that is
    /// assigned to is read and assigned to at the turn's own places only, or all turns that assign to it give it one value, which is
    /// the same for all, and none reads it. Two turns differ in one of these names at least. A variable from the number `vars` on was
    /// declared in the turn, and is no other's.
    fn independent(&mut self, regs: &[Reg], done: usize, reads: usize, vars: usize) -> bool {
        let paper = self.paper();
        let reads: Vec<TermId> = paper.reads[reads..].to_vec();
        let writes: Vec<(TermId, TermId)> =
            paper.done[done..].iter().filter_map(|done| Some((done.target, done.value?))).collect();
        let shared = |var: &VarId| var.index() < vars;
        let mut vars: Vec<VarId> =
            writes.iter().map(|(target, _)| self.address(*target).0).filter(shared).collect();
        vars.arrange();
        vars.dedup();
        vars.into_iter().all(|var| {
            let of = |place: &TermId| self.address(*place).0 == var;
            let written: Vec<&(TermId, TermId)> = writes.iter().filter(|(target, _)| of(target)).collect();
            let read: Vec<TermId> = reads.iter().copied().filter(of).collect();
            let places: Vec<Vec<TermId>> = written
                .iter()
                .map(|(target, _)| *target)
                .chain(read.iter().copied())
                .map(|place| self.address(place).1)
                .collect();
            let parts = places.first().map_or(0, Vec::len);
            let is = |part: TermId, reg: Reg| self.terms[part].kind == TermKind::Bound(reg);
            let own = |reg: Reg| (0..parts).any(|at| places.iter().all(|place| is(place[at], reg)));
            let shared: Vec<Reg> = regs.iter().copied().filter(|&reg| !own(reg)).collect();
            if shared.is_empty() {
                return true;
            }
            let mentions = |term: TermId| shared.iter().any(|&reg| self.mentions_reg(term, reg));
            let plain = |place: &Vec<TermId>| {
                place.iter().all(|&part| shared.iter().any(|&reg| is(part, reg)) || !mentions(part))
            };
            read.is_empty()
                && places.iter().all(plain)
                && written.iter().all(|(_, value)| !mentions(*value) && self.alike(*value, written[0].1))
        })
    }

    /// Whether a term is a value that has been found to be wrong.
    pub(super) fn is_wrong(&self, term: TermId) -> bool {
        self.terms[term].ty == Type::Error
    }
}
