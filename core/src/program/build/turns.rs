//! `for`: made for all turns at once where no turn concerns another, otherwise written out turn by turn.

use super::super::VarId;
use super::super::term::{Domain, Reg, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::names::{Binding, Global};
use super::value::Value;
use crate::limits::MAX_TURNS;
use crate::sort::Sort as _;
use crate::syntax::ast::{self, Binder, Block};
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn turns(&mut self, binders: &'a [Binder], body: &'a Block, span: Span) {
        let Some((binder, rest)) = binders.split_first() else {
            self.block(body);
            return;
        };
        let Some(domain) = self.plain_domain(binder) else { return };
        let errors = self.diagnostics.len();
        if self.all_at_once(binder, domain, rest, body, span) || self.diagnostics.len() > errors {
            return;
        }
        let size = self.domain_size(domain);
        if size > MAX_TURNS {
            let message = format!(
                "the turns of this `for` concern each other, so they are written out, and {size} are too many"
            );
            self.diagnostics.push(Diagnostic::too_large(span, message));
            return;
        }
        let low = match domain {
            Domain::Family(family) => {
                // Of a single process no order is told; what its turn assigns may name it, so that it is written out too.
                if size > 1 {
                    self.paper().written_out.push((family, span));
                }
                0
            }
            Domain::Range(low, _) => low,
        };
        for turn in low..low + size as i64 {
            let depth = self.scope.bindings.len();
            let turn = self.constant(turn, Self::bound_type(domain), binder.name.span);
            self.scope.bindings.push((&binder.name.name, Binding::Value(Value::Scalar(turn))));
            self.turns(rest, body, span);
            self.scope.bindings.truncate(depth);
            if self.diagnostics.len() > errors || self.too_large {
                return;
            }
        }
    }

    /// What a name among statements ranges over: one family or a range.
    pub(super) fn plain_domain(&mut self, binder: &'a Binder) -> Option<Domain> {
        let span = match &binder.domain {
            ast::Domain::Family(name)
                if self.is_value(&name.name)
                    && !matches!(
                        self.names.items.get(name.name.as_str()),
                        Some((Global::Family(_) | Global::Type(_), _))
                    ) =>
            {
                name.span
            }
            ast::Domain::Value(expr) => self.span(*expr),
            _ => return self.domain(&binder.domain),
        };
        self.error(
            span,
            "among statements a name ranges over a family or a range, for now; of what is in a set `for x in D { if x in s { … } }` speaks",
        );
        None
    }

    /// Executes one turn for all; takes it back where a turn concerns another.
    fn all_at_once(
        &mut self,
        binder: &'a Binder,
        domain: Domain,
        rest: &'a [Binder],
        body: &'a Block,
        span: Span,
    ) -> bool {
        let paper = self.paper();
        let (done, reads, claims, out) =
            (paper.done.len(), paper.reads.len(), paper.claims.len(), paper.written_out.len());
        let copied = self.copied;
        let depth = self.scope.bindings.len();
        let reg = self.fresh_reg(&binder.name.name);
        self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, Self::bound_type(domain))));
        self.paper().over.push((reg, domain));
        self.turns(rest, body, span);
        self.paper().over.pop();
        self.scope.bindings.truncate(depth);
        let alone = self.domain_size(domain) == 0 || self.independent(reg, done, reads);
        if !alone {
            let paper = self.paper();
            paper.done.truncate(done);
            paper.reads.truncate(reads);
            paper.claims.truncate(claims);
            paper.written_out.truncate(out);
            self.copied = copied;
        }
        alone
    }

    /// Whether no turn reads what another assigns, and two turns that assign to one place assign the same: every variable that is
    /// assigned to is read and assigned to at the turn's own places only, or all turns that assign to it give it one value, which is
    /// the same for all, and none reads it.
    fn independent(&mut self, reg: Reg, done: usize, reads: usize) -> bool {
        let paper = self.paper();
        let reads: Vec<TermId> = paper.reads[reads..].to_vec();
        let writes: Vec<(TermId, TermId)> =
            paper.done[done..].iter().filter_map(|done| Some((done.target, done.value?))).collect();
        let mut vars: Vec<VarId> = writes.iter().map(|(target, _)| self.address(*target).0).collect();
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
            let own = |part: TermId| self.terms[part].kind == TermKind::Bound(reg);
            let parts = places.first().map_or(0, Vec::len);
            if (0..parts).any(|at| places.iter().all(|place| own(place[at]))) {
                return true;
            }
            let mentions = |term: TermId| self.mentions_reg(term, reg);
            let plain = |place: &Vec<TermId>| place.iter().all(|&part| own(part) || !mentions(part));
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
