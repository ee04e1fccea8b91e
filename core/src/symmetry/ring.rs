//! Rings: `next` and `prev` leave the rotations, and the reflections where swapping the two leaves the program the same.

use super::constraints::{Constraint, Reason};
use super::structure::{Axis, Table};
use crate::limits::MAX_NEIGHBOURHOOD;
use crate::program::{Assignment, Direction, Domain, FamilyId, Program, Reg, TermId, TermKind, Type};
use crate::sort::Sort as _;
use crate::strain::{self, took};
use crate::text::Span;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The table that keeps neighbours neighbours, if the family's actions use `next` or `prev`.
/// Where `oriented`, something else in the program tells the two directions apart.
/// `asked` is a place in a property that asks for a neighbour.
pub(super) fn ring_constraint(
    program: &Program,
    family: FamilyId,
    oriented: bool,
    asked: Option<Span>,
) -> Option<Constraint> {
    let span = first_neighbour(program, family).or(asked)?;
    let (name, first, size) =
        (&program.families[family].name, program.families[family].first, program.families[family].size);
    let reflects = !oriented && asked.is_none() && reflects(program, family);
    let written_out = size <= strain::size("symmetry: neighbourhoods", MAX_NEIGHBOURHOOD, 2);
    if reflects && !written_out {
        took("symmetry: a ring too large for its neighbourhood");
    }
    let axis = |stride| Axis { family: Some(first), size, stride };
    let (table, values, message) = if reflects && written_out {
        // Symmetric neighbourhood: rotations and reflections keep it.
        let near = |a: u32, b: u32| (a + 1) % size == b || (b + 1) % size == a;
        let values = (0..size * size).map(|k| i32::from(near(k / size, k % size))).collect();
        let table = Table { first: 0, axes: alloc::vec![axis(size), axis(1)], value: None };
        (table, values, format!("`next` and `prev` leave the rotations and reflections of the ring `{name}`"))
    } else {
        let values = (0..size).map(|k| ((k + 1) % size) as i32).collect();
        let table = Table { first: 0, axes: alloc::vec![axis(1)], value: Some(first) };
        (table, values, format!("`next` and `prev` leave the rotations of the ring `{name}`"))
    };
    Some(Constraint { table, values, reason: Reason { span, message }, ring: Some(reflects) })
}

fn action_terms(program: &Program) -> impl Iterator<Item = TermId> + '_ {
    program.actions.iter().flat_map(|action| {
        core::iter::once(action.guard).chain(action.assignments.iter().flat_map(Assignment::terms))
    })
}

fn first_neighbour(program: &Program, family: FamilyId) -> Option<Span> {
    action_terms(program).find_map(|term| neighbour_in(program, term, family))
}

/// Where a neighbour in the ring is asked for in a term.
pub(crate) fn neighbour_in(program: &Program, term: TermId, family: FamilyId) -> Option<Span> {
    let node = &program.terms[term];
    if let (TermKind::Neighbour(..), Type::Process { family: f, .. }) = (&node.kind, node.ty)
        && f == family
    {
        return Some(node.span);
    }
    node.kind.children().into_iter().find_map(|child| neighbour_in(program, child, family))
}

/// Whether the actions stay the same, up to their names and order, when `next` and `prev` of the family change places.
fn reflects(program: &Program, family: FamilyId) -> bool {
    let listing = |swapped: Option<FamilyId>| {
        let mut all: Vec<String> = program
            .actions
            .iter_enumerated()
            .map(|(id, action)| {
                let print = |term| Print { program, swapped, bound: Vec::new() }.term(term);
                let mut writes: Vec<String> =
                    action.assignments.iter().map(|a| written(program, swapped, a)).collect();
                writes.arrange();
                // One that is to be fair by itself has to be taken to itself.
                let fair = program.is_fair_action(id).then_some(id);
                format!(
                    "{fair:?}|{:?}|{:?}|{}|{}",
                    action.family,
                    action.params.iter().map(|p| p.domain).collect::<Vec<_>>(),
                    print(action.guard),
                    writes.join(",")
                )
            })
            .collect();
        all.arrange();
        all
    };
    listing(None) == listing(Some(family))
}

/// An assignment as text; the names that it is made for are bound.
fn written(program: &Program, swapped: Option<FamilyId>, assignment: &Assignment) -> String {
    let mut print = Print { program, swapped, bound: assignment.over.iter().map(|(reg, _)| *reg).collect() };
    let domains: Vec<Domain> = assignment.over.iter().map(|(_, domain)| *domain).collect();
    let parts: Vec<String> = assignment.terms().map(|term| print.term(term)).collect();
    format!("{} {domains:?} {}", assignment.turn, parts.join(" "))
}

/// A term as text that is the same for terms which mean the same up to the order of operands and the names of
/// what quantifiers bind.
struct Print<'p> {
    program: &'p Program,
    swapped: Option<FamilyId>,
    bound: Vec<Reg>,
}

impl Print<'_> {
    fn term(&mut self, id: TermId) -> String {
        let node = &self.program.terms[id];
        if let TermKind::Quantified(quantifier, reg, domain, body) = &node.kind {
            self.bound.push(*reg);
            let depth = self.bound.len();
            let body = self.term(*body);
            self.bound.pop();
            return format!("{quantifier:?} {depth} in {domain:?}: {body}");
        }
        let mut children: Vec<String> =
            node.kind.children().into_iter().map(|child| self.term(child)).collect();
        let head = match &node.kind {
            TermKind::Const(value) => format!("{value}@{:?}", node.ty),
            TermKind::Bound(reg) => match self.bound.iter().position(|r| r == reg) {
                Some(depth) => format!("b{}", depth + 1),
                None => format!("r{}", reg.0),
            },
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => format!("{var:?}"),
            TermKind::And(_) | TermKind::Or(_) => {
                children.arrange();
                String::from(if matches!(node.kind, TermKind::And(_)) { "and" } else { "or" })
            }
            TermKind::Compare(comparison, ..) => {
                use crate::program::Comparison as C;
                if matches!(comparison, C::Eq | C::Ne) {
                    children.arrange();
                }
                format!("{comparison:?}")
            }
            TermKind::Neighbour(direction, _) => {
                let swap = matches!(node.ty, Type::Process { family, .. } if Some(family) == self.swapped);
                let direction = match (direction, swap) {
                    (Direction::Next, false) | (Direction::Prev, true) => "next",
                    _ => "prev",
                };
                String::from(direction)
            }
            TermKind::Arithmetic(op, ..) => format!("{op:?}"),
            TermKind::ProcessAt(family, _) => format!("at {family:?}"),
            TermKind::Recode(from, to, _) => format!("recode {from:?} {to:?}"),
            TermKind::Endless => String::from("endless"),
            TermKind::Not(_) => String::from("not"),
            TermKind::Neg(_) => String::from("neg"),
            TermKind::If(..) => String::from("if"),
            TermKind::IndexOf(_) => String::from("index"),
            TermKind::Enabled(_) => String::from("enabled"),
            TermKind::Executed(_) => String::from("executed"),
            TermKind::Fault(misuse) => format!("{misuse:?}"),
            TermKind::Quantified(..) => unreachable!("handled above"),
        };
        format!("{head}({})", children.join(","))
    }
}
