//! Execution on paper: what the statements of a block have assigned so far, in terms of the state before the step.
//!
//! A statement reads the old state as changed by the statements before it. An assignment to a place that may be the place that is
//! read becomes a choice: the new value where the two are the same place and the assignment was made, the old one otherwise. The
//! condition under which a statement is reached is its path. What was assigned on a beginning of the present path was surely
//! assigned, and what was assigned on another branch surely not; only what was assigned on a branch that has been left needs its
//! condition.

use super::super::may_fault;
use super::super::term::{Comparison, Domain, Misuse, Reg, TermId, TermKind};
use super::super::types::{FamilyId, Type};
use super::super::{Assignment, Var, VarId};
use super::Builder;
use super::bag::PutOff;
use crate::limits::MAX_TERMS;
use crate::sort::Sort as _;
use crate::syntax::ast::Quantifier;
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// One of several branches, and the condition under which it is taken.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    /// Where the branches part.
    pub point: u32,
    /// Which one it is.
    pub number: u32,
    pub condition: TermId,
}

/// An assignment that was made.
#[derive(Clone)]
pub(super) struct Done {
    pub path: Vec<Arm>,
    /// The loops around it that are made for all turns at once.
    pub over: Vec<(Reg, Domain)>,
    pub target: TermId,
    /// The value; none where only the path was looked at, since that may have a fault.
    pub value: Option<TermId>,
}

/// A condition that must hold where a statement is reached.
#[derive(Clone)]
pub(super) struct Claim {
    pub span: Span,
    pub path: Vec<Arm>,
    pub over: Vec<(Reg, Domain)>,
    pub condition: TermId,
}

/// The effects of a block so far.
#[derive(Clone, Default)]
pub(super) struct Paper {
    pub path: Vec<Arm>,
    pub over: Vec<(Reg, Domain)>,
    /// How long the path was outside of these loops.
    pub outside: usize,
    /// Changes of bags that are made at the end of these loops.
    pub put_off: Vec<PutOff>,
    pub done: Vec<Done>,
    /// The places that were read, as they were before the block.
    pub reads: Vec<TermId>,
    pub claims: Vec<Claim>,
    /// Loops over a family whose turns had to be written out.
    pub written_out: Vec<(FamilyId, Span)>,
    points: u32,
}

impl Paper {
    /// A new place where branches part.
    pub(super) fn point(&mut self) -> u32 {
        self.points += 1;
        self.points
    }
}

/// How an assignment that was made concerns a place.
enum Meets {
    Never,
    Surely(TermId),
    /// Where a condition holds.
    Where(TermId, TermId),
}

impl Builder<'_> {
    /// The paper of the block that is being executed.
    pub(super) fn paper(&mut self) -> &mut Paper {
        self.scope.paper.get_or_insert_with(Paper::default)
    }

    /// The process and the indices of a place.
    pub(super) fn address(&self, place: TermId) -> (VarId, Vec<TermId>) {
        match &self.terms[place].kind {
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => (*var, self.terms[place].kind.children()),
            _ => unreachable!("a place is a variable"),
        }
    }

    /// How many entries the paper has; as many as can be outside of blocks.
    pub(super) fn done_so_far(&self) -> usize {
        self.scope.paper.as_ref().map_or(usize::MAX, |paper| paper.done.len())
    }

    /// The value of a place after what was done so far; outside of blocks that is the place itself.
    pub(super) fn read(&mut self, place: TermId) -> TermId {
        self.read_at(place, usize::MAX)
    }

    /// The value of a place after the first `at` entries of the paper.
    pub(super) fn read_at(&mut self, place: TermId, at: usize) -> TermId {
        if self.is_wrong(place) {
            return place;
        }
        let Some(paper) = &mut self.scope.paper else { return place };
        paper.reads.push(place);
        let span = self.terms[place].span;
        let (var, parts) = self.address(place);
        let done: Vec<Done> = match &self.scope.paper {
            Some(paper) => {
                let concerns = |done: &&Done| done.value.is_some() && self.address(done.target).0 == var;
                paper.done.iter().take(at).filter(concerns).cloned().collect()
            }
            None => Vec::new(),
        };
        let mut choices = Vec::new();
        let mut value = if self.is_block_variable(var) {
            // It was given a value where it was declared; only an index outside of it comes here.
            let ty = self.terms[place].ty;
            self.term(TermKind::Fault(Misuse::Outside), ty, span)
        } else {
            place
        };
        for done in done.iter().rev() {
            match self.meets(done, &parts, span) {
                Meets::Never => {}
                Meets::Where(condition, new) => choices.push((condition, new)),
                Meets::Surely(new) => {
                    value = new;
                    break;
                }
            }
        }
        for (condition, new) in choices.into_iter().rev() {
            let ty = Self::joined(self.terms[new].ty, self.terms[value].ty);
            value = self.choice(condition, new, value, ty, span);
        }
        let ty = self.vars[var].ty;
        let node = &self.terms[value];
        if value != place && ty.ty == Type::Int && !matches!(node.kind, TermKind::Const(_)) {
            // Where this is read the assignments before it have been made without a fault, so that it is in the variable's range.
            let (kind, own) = (node.kind.clone(), node.ty);
            value = self.term(kind, own, span);
            self.in_range.insert(value, (ty.low.into(), ty.high()));
        }
        value
    }

    /// The type of a choice between two values of one variable.
    fn joined(a: Type, b: Type) -> Type {
        match (a, b) {
            (Type::Process { family, optional: x }, Type::Process { optional: y, .. }) => {
                Type::Process { family, optional: x || y }
            }
            (Type::Error, _) => a,
            _ => b,
        }
    }

    fn meets(&mut self, done: &Done, parts: &[TermId], span: Span) -> Meets {
        let (Some(value), Some(paper)) = (done.value, &self.scope.paper) else { return Meets::Never };
        let same = |(a, b): &(&Arm, &Arm)| (a.point, a.number) == (b.point, b.number);
        let common = done.path.iter().zip(&paper.path).take_while(same).count();
        if let (Some(theirs), Some(ours)) = (done.path.get(common), paper.path.get(common))
            && theirs.point == ours.point
        {
            return Meets::Never;
        }
        // The turn of a loop that goes on is the same one.
        let turns = done.over.iter().zip(&paper.over).take_while(|(a, b)| a.0 == b.0).count();
        let over: Vec<(Reg, Domain)> = done.over[turns..].to_vec();
        let (var, target) = self.address(done.target);
        let mut bound: BTreeMap<Reg, TermId> = BTreeMap::new();
        // That there is such a turn comes first: what the turn tests may have a fault for another.
        let mut conditions: Vec<TermId> = Vec::new();
        let mut others: Vec<(TermId, TermId)> = Vec::new();
        for (&theirs, &ours) in target.iter().zip(parts) {
            match self.terms[theirs].kind {
                TermKind::Bound(reg)
                    if let Some((_, domain)) = over.iter().find(|(r, _)| *r == reg)
                        && !bound.contains_key(&reg) =>
                {
                    let (domain, ours) = (*domain, self.copy(ours, span));
                    self.member(ours, domain, span, &mut conditions);
                    bound.insert(reg, ours);
                }
                _ => others.push((theirs, ours)),
            }
        }
        for &(reg, domain) in &over {
            if bound.contains_key(&reg) {
                continue;
            }
            match self.domain_size(domain) {
                0 => return Meets::Never,
                1 => {
                    // The only turn need not do what others do.
                    let only = if let Domain::Range(low, _) = domain { low } else { 0 };
                    bound.insert(reg, self.constant(only, Self::bound_type(domain), span));
                }
                _ => {}
            }
        }
        let mut made: Vec<TermId> = Vec::new();
        for arm in &done.path[common..] {
            let condition = self.copy(arm.condition, span);
            made.push(self.substitute(condition, &bound, span));
        }
        // Bound names that are no part of the place: some turn made the assignment, and all turns made the same.
        let mut made = self.junction(true, made, span);
        for &(reg, domain) in over.iter().rev().filter(|(reg, _)| !bound.contains_key(reg)) {
            if self.mentions_reg(made, reg) {
                let fresh = self.fresh_reg("");
                let ty = Self::bound_type(domain);
                let turn = self.term(TermKind::Bound(fresh), ty, span);
                let body = self.substitute(made, &BTreeMap::from([(reg, turn)]), span);
                let some = TermKind::Quantified(Quantifier::Exists, fresh, domain, body);
                made = self.term(some, Type::Bool, span);
            }
        }
        conditions.push(made);
        for (theirs, ours) in others {
            let theirs = self.substitute(theirs, &bound, span);
            if !self.alike(theirs, ours) {
                let ours = self.copy(ours, span);
                conditions.push(self.compare(Comparison::Eq, theirs, ours, span));
            }
        }
        let condition = self.junction(true, conditions, span);
        let value = self.copy(value, span);
        let value = self.substitute(value, &bound, span);
        let value = self.as_read(value, var, span);
        match self.terms[condition].kind {
            TermKind::Const(0) if self.terms[condition].ty == Type::Bool => Meets::Never,
            TermKind::Const(_) if self.terms[condition].ty == Type::Bool => Meets::Surely(value),
            _ => Meets::Where(condition, value),
        }
    }

    /// That a value is one that a loop went through: where it is not, reading the place is what it was without the loop.
    fn member(&mut self, value: TermId, domain: Domain, span: Span, conditions: &mut Vec<TermId>) {
        match domain {
            Domain::Family(_) => {
                if let Type::Process { optional: true, .. } = self.terms[value].ty {
                    let none = self.constant(-1, Type::None, span);
                    conditions.push(self.compare(Comparison::Ne, value, none, span));
                }
            }
            Domain::Range(low, high) => {
                for (comparison, bound) in [(Comparison::Ge, low), (Comparison::Le, high)] {
                    let bound = self.constant(bound, Type::Int, span);
                    conditions.push(self.compare(comparison, value, bound, span));
                }
            }
        }
    }

    /// A value as what reading the variable gives: of the variable's type, but never said to be a process where it may be
    /// none, since a guard may read it before the assignment has been found to be a fault.
    fn as_read(&mut self, value: TermId, var: VarId, span: Span) -> TermId {
        let ty = match (self.vars[var].ty.ty, self.terms[value].ty) {
            (_, Type::Error) => return value,
            (Type::Process { family, .. }, Type::None) => Type::Process { family, optional: true },
            (Type::Process { family, optional }, Type::Process { optional: other, .. }) => {
                Type::Process { family, optional: optional || other }
            }
            (ty, _) => ty,
        };
        if ty == self.terms[value].ty {
            return value;
        }
        let kind = self.terms[value].kind.clone();
        self.term(kind, ty, span)
    }

    /// Whether two terms are the same for all states.
    pub(super) fn alike(&self, a: TermId, b: TermId) -> bool {
        if a == b {
            return true;
        }
        let (x, y) = (&self.terms[a].kind, &self.terms[b].kind);
        let heads = match (x, y) {
            (TermKind::Const(x), TermKind::Const(y)) => x == y,
            (TermKind::Fault(x), TermKind::Fault(y)) => x == y,
            (TermKind::Bound(x), TermKind::Bound(y)) => x == y,
            (TermKind::Shared(x, _), TermKind::Shared(y, _))
            | (TermKind::Local(x, ..), TermKind::Local(y, ..)) => x == y,
            (TermKind::Compare(x, ..), TermKind::Compare(y, ..)) => x == y,
            (TermKind::Arithmetic(x, ..), TermKind::Arithmetic(y, ..)) => x == y,
            (TermKind::ProcessAt(x, _), TermKind::ProcessAt(y, _)) => x == y,
            (TermKind::Neighbour(x, _), TermKind::Neighbour(y, _)) => x == y,
            (TermKind::Recode(x, u, _), TermKind::Recode(y, v, _)) => (x, u) == (y, v),
            (TermKind::Not(_), TermKind::Not(_))
            | (TermKind::Neg(_), TermKind::Neg(_))
            | (TermKind::And(_), TermKind::And(_))
            | (TermKind::Or(_), TermKind::Or(_))
            | (TermKind::If(..), TermKind::If(..))
            | (TermKind::IndexOf(_), TermKind::IndexOf(_)) => true,
            _ => false,
        };
        if !heads || self.terms[a].size != self.terms[b].size {
            return false;
        }
        let (x, y) = (x.children(), y.children());
        x.len() == y.len() && x.into_iter().zip(y).all(|(x, y)| self.alike(x, y))
    }

    pub(super) fn mentions_reg(&self, term: TermId, reg: Reg) -> bool {
        let kind = &self.terms[term].kind;
        *kind == TermKind::Bound(reg) || kind.children().into_iter().any(|t| self.mentions_reg(t, reg))
    }

    /// A term with terms for its bound names. Names that it binds itself get registers of their own, so that no two
    /// binders share one.
    pub(super) fn substitute(&mut self, term: TermId, bound: &BTreeMap<Reg, TermId>, span: Span) -> TermId {
        if bound.is_empty() || !bound.keys().any(|&reg| self.mentions_reg(term, reg)) {
            return term;
        }
        let node = self.terms[term].clone();
        match node.kind {
            TermKind::Bound(reg) => bound.get(&reg).copied().unwrap_or(term),
            TermKind::Quantified(quantifier, reg, domain, body) => {
                let fresh = self.fresh_reg("");
                let inner = self.term(TermKind::Bound(fresh), Self::bound_type(domain), span);
                let mut bound = bound.clone();
                bound.insert(reg, inner);
                let body = self.substitute(body, &bound, span);
                self.term(TermKind::Quantified(quantifier, fresh, domain, body), node.ty, node.span)
            }
            kind => {
                let parts: Vec<TermId> =
                    kind.children().into_iter().map(|part| self.substitute(part, bound, span)).collect();
                self.rebuilt(&kind, &parts, node.ty, node.span)
            }
        }
    }

    /// A term of a kind with other parts; what is now known is folded away.
    fn rebuilt(&mut self, kind: &TermKind, parts: &[TermId], ty: Type, span: Span) -> TermId {
        match (kind, parts) {
            (TermKind::Not(_), &[a]) => self.not(a, span),
            (TermKind::Neg(_), &[a]) => self.negate(a, span),
            (TermKind::And(_), list) => self.junction(true, list.to_vec(), span),
            (TermKind::Or(_), list) => self.junction(false, list.to_vec(), span),
            (TermKind::Compare(op, ..), &[a, b]) => self.compare(*op, a, b, span),
            (TermKind::Arithmetic(op, ..), &[a, b]) => self.arithmetic(*op, a, b, span),
            (TermKind::If(..), &[a, b, c]) => self.choice(a, b, c, ty, span),
            (TermKind::IndexOf(_), &[a]) => self.index_of(a, span),
            (TermKind::Recode(_, to, _), &[a]) => self.recode(a, *to),
            (TermKind::ProcessAt(family, _), &[a]) => self.term(TermKind::ProcessAt(*family, a), ty, span),
            (TermKind::Neighbour(way, _), &[a]) => self.term(TermKind::Neighbour(*way, a), ty, span),
            (TermKind::Shared(var, _), list) => self.term(TermKind::Shared(*var, list.to_vec()), ty, span),
            (TermKind::Local(var, ..), [process, list @ ..]) => {
                self.term(TermKind::Local(*var, *process, list.to_vec()), ty, span)
            }
            (TermKind::Enabled(_), &[a]) => self.term(TermKind::Enabled(a), ty, span),
            (TermKind::Executed(_), &[a]) => self.term(TermKind::Executed(a), ty, span),
            _ => self.term(kind.clone(), ty, span),
        }
    }

    /// Notes an assignment. `span` is where the new value stands: a fault is shown there.
    pub(super) fn write(&mut self, target: TermId, value: TermId, span: Span) {
        self.write_all(target, value, &[], span);
    }

    /// Notes an assignment that is made for all choices of some names.
    pub(super) fn write_all(&mut self, target: TermId, mut value: TermId, all: &[(Reg, Domain)], span: Span) {
        if self.is_wrong(target) {
            // The block is too large, and that has been said.
            return;
        }
        let node = &self.terms[value];
        if node.span != span && node.ty != Type::Error {
            let (kind, ty) = (node.kind.clone(), node.ty);
            self.copied = self.copied.saturating_add(node.size as usize);
            value = self.term(kind, ty, span);
        }
        let paper = self.paper();
        let (path, mut over) = (paper.path.clone(), paper.over.clone());
        over.extend_from_slice(all);
        paper.done.push(Done { path, over, target, value: Some(value) });
    }

    /// Notes that a condition is looked at here, where it may have a fault and nothing that is assigned depends on it.
    pub(super) fn probe(&mut self, condition: TermId) {
        if !may_fault(&self.terms, condition) {
            return;
        }
        let paper = self.paper();
        let arm = Arm { point: paper.point(), number: 0, condition };
        let mut path = paper.path.clone();
        path.push(arm);
        let over = paper.over.clone();
        paper.done.push(Done { path, over, target: condition, value: None });
    }

    /// The assignments of a block that has been executed.
    pub(super) fn finish_block(&mut self, family: Option<FamilyId>, span: Span) -> Vec<Assignment> {
        let done = core::mem::take(&mut self.paper().done);
        let done = self.without_locals(done, span);
        let spare = done.iter().find(|done| done.value.is_some() && done.over.is_empty());
        let spare = spare.map(|done| done.target).or_else(|| self.some_place(family, span));
        let spare = match spare {
            Some(place) => Some((place, Vec::new())),
            None if done.iter().all(|done| done.value.is_some()) => None,
            None => self.some_entry(family, span),
        };
        let mut assignments: Vec<Assignment> = Vec::new();
        for (turn, done) in (1..).zip(done) {
            let mut parts: Vec<TermId> = done.path.iter().map(|arm| arm.condition).collect();
            for &part in &parts {
                self.copied = self.copied.saturating_add(self.terms[part].size as usize);
            }
            let mut over = done.over;
            let (target, value) = match (done.value, &spare) {
                (Some(value), _) => (done.target, value),
                (None, Some((spare, entries))) => {
                    // Never made: only what stands before `false` is looked at.
                    parts.push(self.constant(0, Type::Bool, span));
                    over.extend_from_slice(entries);
                    (*spare, *spare)
                }
                (None, None) => continue,
            };
            let when = self.junction(true, parts, span);
            let when = match self.terms[when].kind {
                TermKind::Const(0) => continue,
                TermKind::Const(_) => None,
                _ => Some(when),
            };
            assignments.push(Assignment { over, when, turn, target, value });
        }
        if self.written_out() >= MAX_TERMS {
            self.too_large(span, "more than a million operators and operands in all");
        }
        self.plain_turns(&mut assignments);
        assignments
    }

    /// Where every variable is assigned to by one statement at most, and always, their order does not matter.
    fn plain_turns(&self, assignments: &mut [Assignment]) {
        let mut vars: Vec<VarId> = assignments.iter().map(|a| self.address(a.target).0).collect();
        vars.arrange();
        let distinct = vars.windows(2).all(|pair| pair[0] != pair[1]);
        let over_address = |a: &Assignment| {
            a.over.iter().all(|(reg, _)| {
                self.address(a.target).1.iter().any(|&part| self.terms[part].kind == TermKind::Bound(*reg))
            })
        };
        if distinct && assignments.iter().all(|a| a.when.is_none() && over_address(a)) {
            for assignment in assignments {
                assignment.turn = 0;
            }
        }
    }

    /// Where no process executes, a variable of the first process that has one.
    fn place_of_the_first(&self, family: Option<FamilyId>) -> Option<(VarId, Option<FamilyId>, Type)> {
        let there = |var: &Var| var.owner.is_some_and(|owner| self.families[owner].size > 0);
        let mut vars = self.vars.iter_enumerated().filter(|(_, var)| var.index.is_empty() && there(var));
        let (id, var) = vars.next().filter(|_| family.is_none())?;
        Some((id, var.owner, var.ty.ty))
    }

    /// The entries of any table that has some, where no variable is one place.
    fn some_entry(&mut self, family: Option<FamilyId>, span: Span) -> Option<(TermId, Vec<(Reg, Domain)>)> {
        let known = |var: &Var| var.owner.is_none() || var.owner == family;
        let there = |var: &Var| known(var) && var.index.iter().all(|domain| self.domain_size(*domain) > 0);
        let (id, var) =
            self.vars.iter_enumerated().find(|(id, var)| !self.is_block_variable(*id) && there(var))?;
        let (owner, ty, index) = (var.owner, var.ty.ty, var.index.clone());
        let entries: Vec<(Reg, Domain)> =
            index.into_iter().map(|domain| (self.fresh_reg(""), domain)).collect();
        let indices = self.bound_terms(&entries, span);
        let kind = match owner {
            None => TermKind::Shared(id, indices),
            Some(_) => TermKind::Local(id, self.self_id(span), indices),
        };
        Some((self.term(kind, ty, span), entries))
    }

    /// Any variable that is one place: of the process, or shared.
    fn some_place(&mut self, family: Option<FamilyId>, span: Span) -> Option<TermId> {
        let (id, owner, ty) = self
            .vars
            .iter_enumerated()
            .filter(|(id, _)| !self.is_block_variable(*id))
            .filter(|(_, var)| var.index.is_empty() && (var.owner.is_none() || var.owner == family))
            .map(|(id, var)| (id, var.owner, var.ty.ty))
            .next()
            .or_else(|| self.place_of_the_first(family))?;
        let kind = match owner {
            None => TermKind::Shared(id, Vec::new()),
            Some(owner) => {
                let own = match family {
                    Some(_) => self.self_id(span),
                    None => self.constant(0, Type::Process { family: owner, optional: false }, span),
                };
                TermKind::Local(id, own, Vec::new())
            }
        };
        Some(self.term(kind, ty, span))
    }
}
