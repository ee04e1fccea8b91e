//! `add` and `remove` as statements: each sees what those before it have done.
//!
//! In a `for` whose turns are made all at once, they are put off to the end of the loop. There they are made for all turns together, which
//! is the same where the loop does not look at the bag otherwise, and only adds to it or only takes from it: then no order tells.

use super::super::shape::{Shape, ShapeId};
use super::super::term::{ArithmeticOp, Comparison, Domain, Misuse, Reg, TermId, TermKind};
use super::super::types::Type;
use super::super::{Assignment, VarId};
use super::Builder;
use super::collect::Coordinates;
use super::effect::Extent;
use super::paper::Arm;
use super::value::{Place, Value};
use crate::ids::Id;
use crate::syntax::ast::{Change, ExprId, Quantifier};
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A change of a bag that is made for all turns of the loops around it, at their end.
#[derive(Clone)]
pub(super) struct PutOff {
    change: BagChange,
    /// The conditions under which the loops come to it.
    when: Vec<TermId>,
    over: Vec<(Reg, Domain)>,
}

/// A value that is added to a bag, or removed from it.
#[derive(Clone)]
struct BagChange {
    place: Place,
    item: ShapeId,
    most: u32,
    value: Value,
    adds: bool,
    span: Span,
}

/// Whether a change is made once, or for all turns of some loops that come to it.
enum Times {
    Once,
    Turns(Vec<(Reg, Domain)>, TermId),
}

impl Builder<'_> {
    pub(super) fn bag_statement(&mut self, change: Change, target: ExprId, value: ExprId) {
        let adds = change == Change::Add;
        let word = if adds { "add" } else { "remove" };
        let Some((place, shape)) = self.collection(target, word, "a bag") else { return };
        let Shape::Bag(most, item) = self.shapes[shape] else { return };
        let span = self.span(value);
        let Some(value) = self.value_for(value, item) else { return };
        let change = BagChange { place: (*place).clone(), item, most, value, adds, span };
        if self.paper().over.is_empty() {
            let (first, then) = self.bag_changed(&change, &Times::Once);
            self.write_made(first, span);
            self.write_made(then, span);
            return;
        }
        let paper = self.paper();
        let when = paper.path[paper.outside..].iter().map(|arm| arm.condition).collect();
        let over = paper.over.clone();
        paper.put_off.push(PutOff { change, when, over });
    }

    /// The assignments of a change: those that can go wrong come first.
    fn bag_changed(&mut self, change: &BagChange, times: &Times) -> (Vec<Assignment>, Vec<Assignment>) {
        let BagChange { place, item, most, value, adds, span } = change;
        let (adds, span) = (*adds, *span);
        // The number of all: there must be room for one more.
        let by = self.change_of(change, times, false);
        let before = self.read_leaf(place, 0, &[], span);
        let mut count = self.arithmetic(ArithmeticOp::Add, before, by, span);
        if adds {
            let (again, limit) = (self.copy(count, span), self.number((*most).into(), span));
            let room = self.compare(Comparison::Le, again, limit, span);
            count = self.or_fault(room, count, Type::Int, Misuse::Full, span);
        }
        let count = self.guarded(place, count, span);
        let all = self.target(place, 0, &[], span);
        // The number of those that are equal: of what is removed there must be one.
        let mut made = Vec::new();
        let variants = self.shapes.variants(*item);
        for (i, variant) in variants.iter().enumerate() {
            let Coordinates { conditions, indices } = self.coordinates(value, *item, variant, span);
            let entry = self.target(place, 1 + i, &indices, span);
            let by = self.change_of(change, times, true);
            let before = self.read_leaf(place, 1 + i, &indices, span);
            let mut new = self.arithmetic(ArithmeticOp::Add, before, by, span);
            if !adds {
                let (again, none) = (self.copy(new, span), self.number(0, span));
                let there = self.compare(Comparison::Ge, again, none, span);
                new = self.or_fault(there, new, Type::Int, Misuse::Missing, span);
            }
            let new = self.guarded(place, new, span);
            // A value of no variant has its fault in the last one.
            let conditions =
                if i + 1 == variants.len() { self.unless(value, *item, i, span) } else { conditions };
            let extent = Extent { when: conditions, ..Extent::default() };
            made.push(self.assignment(&extent, entry, new, span));
        }
        // That something is missing is found before that there are too few; that there is no room, before the thing it is for.
        let counted = alloc::vec![self.assignment(&Extent::default(), all, count, span)];
        if adds { (counted, made) } else { (made, counted) }
    }

    /// By how much a number changes: that of all, or that of the values which are equal.
    fn change_of(&mut self, change: &BagChange, times: &Times, equal: bool) -> TermId {
        let span = change.span;
        let one = self.number(if change.adds { 1 } else { -1 }, span);
        let Times::Turns(over, when) = times else { return one };
        // Another turn counts where it comes to the change, of this bag and of this value.
        let (others, bound) = self.renamed(over, span);
        let when = self.copy(*when, span);
        let mut conditions = alloc::vec![self.substitute(when, &bound, span)];
        let other = self.place_with(&change.place, &bound, span);
        conditions.extend(self.equal_places(&other, &change.place, span));
        if equal {
            for leaf in 0..self.shapes.count(change.item) {
                let own = self.leaf(&change.value, change.item, leaf, &[], span);
                let again = self.copy(own, span);
                let theirs = self.substitute(again, &bound, span);
                if !self.alike(own, theirs) {
                    conditions.push(self.compare(Comparison::Eq, theirs, own, span));
                }
            }
        }
        let counts = self.junction(true, conditions, span);
        let nothing = self.number(0, span);
        let mut sum = self.choice(counts, one, nothing, Type::Int, span);
        for (reg, domain) in others.into_iter().rev() {
            sum = self.term(TermKind::Quantified(Quantifier::Sum, reg, domain, sum), Type::Int, span);
        }
        sum
    }

    /// Other names for the turns of some loops.
    fn renamed(&mut self, over: &[(Reg, Domain)], span: Span) -> (Vec<(Reg, Domain)>, BTreeMap<Reg, TermId>) {
        let mut others = Vec::new();
        let mut bound = BTreeMap::new();
        for &(reg, domain) in over {
            let other = self.fresh_reg("");
            others.push((other, domain));
            bound.insert(reg, self.term(TermKind::Bound(other), Self::bound_type(domain), span));
        }
        (others, bound)
    }

    /// Makes the changes that were put off in a loop which is at its end; false where they cannot be made for all turns at once.
    /// `done` and `reads` say how much had been assigned and read before the loop.
    pub(super) fn make_put_off(&mut self, from: usize, done: usize, reads: usize) -> bool {
        let put_off: Vec<PutOff> = self.paper().put_off.drain(from..).collect();
        if put_off.is_empty() {
            return true;
        }
        let paper = self.paper();
        let (reads, done) = (paper.reads[reads..].to_vec(), &paper.done[done..]);
        let assigned: Vec<TermId> = done.iter().filter(|d| d.value.is_some()).map(|d| d.target).collect();
        let touched: Vec<VarId> = reads.into_iter().chain(assigned).map(|p| self.address(p).0).collect();
        for one in &put_off {
            let first = self.declared[one.change.place.decl].first.index() + one.change.place.leaf;
            let last = first + self.shapes.count(one.change.place.shape);
            let other_way = |other: &PutOff| {
                other.change.place.decl == one.change.place.decl && other.change.adds != one.change.adds
            };
            if touched.iter().any(|var| (first..last).contains(&var.index())) || put_off.iter().any(other_way)
            {
                return false;
            }
        }
        put_off.into_iter().all(|one| self.make_for_all(one))
    }

    fn make_for_all(&mut self, one: PutOff) -> bool {
        let span = one.change.span;
        // Names of its own, so that the turns of one change are not taken for those of another.
        let (over, bound) = self.renamed(&one.over, span);
        let mut change = one.change;
        change.place = self.place_with(&change.place, &bound, span);
        change.place.at = self.done_so_far();
        change.value = self.value_with(&change.value, &bound, span);
        let mut when = Vec::new();
        for condition in one.when {
            when.push(self.substitute(condition, &bound, span));
        }
        let when = self.junction(true, when, span);
        let (first, then) = self.bag_changed(&change, &Times::Turns(over.clone(), when));
        if self.too_large {
            return true;
        }
        let plain = |builder: &Self, assignment: &Assignment| {
            builder.is_wrong(assignment.target)
                || builder.address(assignment.target).1.into_iter().all(|part| {
                    let is = |reg: Reg| builder.terms[part].kind == TermKind::Bound(reg);
                    over.iter().all(|&(reg, _)| is(reg) || !builder.mentions_reg(part, reg))
                })
        };
        if !first.iter().chain(&then).all(|assignment| plain(self, assignment)) {
            return false;
        }
        let point = self.paper().point();
        self.paper().path.push(Arm { point, number: 0, condition: when });
        self.paper().over = over;
        self.write_made(first, span);
        self.write_made(then, span);
        self.paper().over.clear();
        self.paper().path.pop();
        true
    }
}
