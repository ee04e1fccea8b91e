//! The constraints that a program's text puts on symmetry: expressions that tell processes apart.
//!
//! An action that only compares, quantifies over and stores processes treats them all alike. Whatever else it says of
//! them without looking at the state, such as `index(a) < index(b)` or `client[0]`, is a table over the processes it
//! speaks of: a permutation leaves the action as it is if it leaves that table as it is. So are the initial values.
//! Which permutations leave all tables as they are is then a question about the tables alone.

use super::ring::{neighbour_in, ring_constraint};
use super::structure::{Axis, Table, axis, variable_table};
use crate::group::Process;
use crate::limits::MAX_CONSTRAINT_TABLE;
use crate::program::{Assignment, Domain, FamilyId, Program, Reg, Slot, StaticTerm, TermId, TermKind, Type};
use crate::sort::Sort as _;
use crate::strain::{self, took};
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Why the symmetry of a program is not larger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The place in the text.
    pub span: Span,
    /// Its effect, in words.
    pub message: String,
}

/// A table that every symmetry of the program leaves as it is.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub table: Table,
    pub values: Vec<i32>,
    pub reason: Reason,
    /// For the neighbourhood of a ring: whether the ring may be reflected.
    pub ring: Option<bool>,
}

/// An expression of a property, with what the names bound around it range over.
#[derive(Clone, Debug)]
pub struct PropertyTerm {
    /// The expression.
    pub term: TermId,
    /// Its bound names.
    pub scope: BTreeMap<Reg, Domain>,
}

/// Everything in the program, and in the expressions of a property, that tells processes apart. Fixed processes of a
/// property do not count: they are tracked.
pub(super) fn constraints(program: &Program, property: &[PropertyTerm]) -> Vec<Constraint> {
    let mut collector = Collector { program, found: Vec::new(), oriented: Vec::new(), fixed_count: true };
    for action in &program.actions {
        let mut scope: BTreeMap<Reg, Domain> = BTreeMap::new();
        scope.insert(Reg(0), Domain::Family(action.family));
        for (i, param) in action.params.iter().enumerate() {
            scope.insert(Reg(i as u32 + 1), param.domain);
        }
        let name = format!("the action `{}`", action.name);
        for &(family, span) in &action.written_out {
            let what =
                format!("the turns of this `for` in {name} concern each other, so that their order counts");
            collector.discrete(family, span, &what);
        }
        collector.walk(action.guard, &mut scope, &name);
        for assignment in &action.assignments {
            scope.extend(assignment.over.iter().copied());
            for term in assignment.terms() {
                collector.walk(term, &mut scope, &name);
            }
        }
    }
    if let Some(assumed) = &program.assumption {
        collector.walk(assumed.term, &mut BTreeMap::new(), "what is assumed");
    }
    collector.starts();
    collector.fixed_count = false;
    for PropertyTerm { term, scope } in property {
        collector.walk(*term, &mut scope.clone(), "the property");
    }
    for family in program.families.ids() {
        let oriented = collector.oriented.contains(&family);
        // A reflection swaps `next` and `prev` in the actions; a property that asks for one would have to follow.
        let terms = property.iter().map(|p| p.term).chain(program.assumption.iter().map(|a| a.term));
        let asked = terms.into_iter().find_map(|term| neighbour_in(program, term, family));
        collector.found.extend(ring_constraint(program, family, oriented, asked));
    }
    collector.initial_values();
    collector.found.retain(|constraint| !constraint.is_vacuous());
    collector.found
}

/// The constraints of a property's expressions alone.
pub(super) fn property_constraints(program: &Program, property: &[PropertyTerm]) -> Vec<Constraint> {
    let mut collector = Collector { program, found: Vec::new(), oriented: Vec::new(), fixed_count: false };
    for PropertyTerm { term, scope } in property {
        collector.walk(*term, &mut scope.clone(), "the property");
        for family in program.families.ids() {
            if let Some(asked) = neighbour_in(program, *term, family) {
                collector.found.extend(ring_constraint(program, family, true, Some(asked)));
            }
        }
    }
    collector.found.retain(|constraint| !constraint.is_vacuous());
    collector.found
}

impl Constraint {
    /// Whether every permutation leaves the table as it is, as can be seen at once.
    fn is_vacuous(&self) -> bool {
        let processes = self.table.axes.iter().filter(|axis| axis.family.is_some()).count();
        match self.table.value {
            None if processes == 0 => true,
            None => {
                self.table.axes.iter().all(|axis| axis.family.is_some())
                    && self.values.iter().all(|v| *v == self.values[0])
            }
            Some(_) if self.values.iter().all(|&v| v < 0) => true,
            // `x: client = self`
            Some(first) => {
                matches!(self.table.axes.as_slice(), [only] if only.family == Some(first))
                    && self.values.iter().enumerate().all(|(i, &v)| v == i as i32)
            }
        }
    }

    /// The families that the table speaks of, by their first processes.
    pub(super) fn families(&self) -> impl Iterator<Item = Process> + '_ {
        self.table.axes.iter().filter_map(|axis| axis.family).chain(self.table.value)
    }
}

struct Collector<'p> {
    program: &'p Program,
    found: Vec<Constraint>,
    /// The rings whose direction a table depends on: a reflection that swaps `next` and `prev` would change it.
    oriented: Vec<FamilyId>,
    /// Whether naming a fixed process tells it apart.
    fixed_count: bool,
}

impl Collector<'_> {
    fn walk(&mut self, term: TermId, scope: &mut BTreeMap<Reg, Domain>, action: &str) {
        let node = &self.program.terms[term];
        if let Some(regs) = self.static_regs(term) {
            if self.tells_apart(term) {
                self.static_table(term, &regs, scope, action);
                // The table was made with the fixed processes as they are: they must stay so.
                self.hold_still(term, action);
            }
            return;
        }
        match &node.kind {
            TermKind::IndexOf(process) => {
                if let Type::Process { family, .. } = self.program.terms[*process].ty {
                    self.discrete(family, node.span, &format!("`index` in {action}"));
                }
            }
            TermKind::ProcessAt(family, _) => {
                self.discrete(*family, node.span, &format!("a process chosen by its number in {action}"));
            }
            TermKind::Quantified(_, reg, domain, _) => {
                scope.insert(*reg, *domain);
            }
            _ => {}
        }
        for child in node.kind.children() {
            self.walk(child, scope, action);
        }
    }

    /// The bound names in a term that does not look at the state; none if it does.
    fn static_regs(&self, term: TermId) -> Option<Vec<Reg>> {
        let node = &self.program.terms[term];
        let mut regs = Vec::new();
        match &node.kind {
            TermKind::Shared(..) | TermKind::Local(..) | TermKind::Enabled(_) | TermKind::Executed(_) => {
                return None;
            }
            // A quantifier's own name is bound inside: the table is made for its body instead.
            TermKind::Quantified(..) => return None,
            TermKind::Bound(reg) => regs.push(*reg),
            _ => {}
        }
        for child in node.kind.children() {
            regs.extend(self.static_regs(child)?);
        }
        regs.arrange();
        regs.dedup();
        Some(regs)
    }

    /// The fixed processes in a term, if nothing else in it tells processes apart.
    fn only_fixed(&self, term: TermId) -> Option<Vec<String>> {
        let node = &self.program.terms[term];
        let mut fixed = Vec::new();
        match (&node.kind, node.ty) {
            (TermKind::IndexOf(_) | TermKind::ProcessAt(..), _) => return None,
            (TermKind::Const(value), Type::Process { .. }) if *value >= 0 => {
                fixed.push(self.program.show_value(node.ty, *value).to_string());
            }
            _ => {}
        }
        for child in node.kind.children() {
            fixed.extend(self.only_fixed(child)?);
        }
        fixed.arrange();
        fixed.dedup();
        Some(fixed)
    }

    /// Whether a term says more of processes than equality does. Neighbours are the ring's concern.
    fn tells_apart(&self, term: TermId) -> bool {
        let node = &self.program.terms[term];
        let own = match (&node.kind, node.ty) {
            (TermKind::IndexOf(_) | TermKind::ProcessAt(..), _) => true,
            (TermKind::Const(value), Type::Process { family, .. }) => {
                self.fixed_count && *value >= 0 && self.program.families[family].size > 1
            }
            _ => false,
        };
        own || node.kind.children().into_iter().any(|child| self.tells_apart(child))
    }

    fn static_table(&mut self, term: TermId, regs: &[Reg], scope: &BTreeMap<Reg, Domain>, action: &str) {
        let program = self.program;
        let node = &program.terms[term];
        self.oriented.extend(program.families.ids().filter(|&f| neighbour_in(program, term, f).is_some()));
        let domains: Vec<Domain> = regs.iter().map(|reg| scope[reg]).collect();
        let mut axes: Vec<Axis> = domains.iter().map(|&domain| axis(program, domain)).collect();
        let size = axes.iter().map(|axis| axis.size as u64).fold(1, u64::saturating_mul);
        let what = match self.only_fixed(term).as_deref() {
            Some([only]) => format!("`{only}` stands in {action}: it is held still"),
            _ => format!("{action} tells processes apart here"),
        };
        if size > strain::size("symmetry: tables", MAX_CONSTRAINT_TABLE, 1) {
            took("symmetry: a table that is too large");
            let bound = domains.iter().filter_map(|domain| match domain {
                Domain::Family(family) => Some(*family),
                Domain::Range(..) => None,
            });
            let value = match node.ty {
                Type::Process { family, .. } => Some(family),
                _ => None,
            };
            for family in bound.chain(value) {
                self.discrete(family, node.span, &what);
            }
            return;
        }
        let mut stride = 1;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.size;
        }
        let value = match node.ty {
            Type::Process { family, .. } => Some(program.families[family].first),
            _ => None,
        };
        let mut evaluator = StaticTerm::new(program, term, regs);
        let raw: Vec<Option<i64>> = (0..size as u32)
            .map(|entry| {
                let bound: Vec<i64> = axes
                    .iter()
                    .zip(&domains)
                    .map(|(axis, domain)| {
                        let index = (entry / axis.stride % axis.size) as i64;
                        if let Domain::Range(low, _) = domain { low + index } else { index }
                    })
                    .collect();
                evaluator.value(&bound)
            })
            .collect();
        let reason = Reason { span: node.span, message: what };
        if value.is_some() {
            let values = raw.iter().map(|v| v.map_or(-1, |v| v as i32)).collect();
            let table = Table { first: 0, axes: axes.clone(), value };
            self.found.push(Constraint { table, values, reason: reason.clone(), ring: None });
        }
        // Plain values, or where a process-valued term has none because it faults there.
        let mut known: Vec<Option<i64>> =
            raw.iter().map(|v| if value.is_some() { v.map(|_| 0) } else { *v }).collect();
        let all = known.clone();
        known.arrange();
        known.dedup();
        let values = all.iter().map(|v| known.binary_search(v).unwrap_or(0) as i32).collect();
        self.found.push(Constraint {
            table: Table { first: 0, axes, value: None },
            values,
            reason,
            ring: None,
        });
    }

    /// Holds every fixed process that a term names still.
    fn hold_still(&mut self, term: TermId, action: &str) {
        let program = self.program;
        let node = &program.terms[term];
        if let (TermKind::Const(value), Type::Process { family, .. }) = (&node.kind, node.ty)
            && *value >= 0
        {
            let message =
                format!("`{}` stands in {action}: it is held still", program.show_value(node.ty, *value));
            self.found.push(Constraint {
                table: Table { first: 0, axes: Vec::new(), value: Some(program.families[family].first) },
                values: alloc::vec![*value as i32],
                reason: Reason { span: node.span, message },
                ring: None,
            });
        }
        for child in node.kind.children() {
            self.hold_still(child, action);
        }
    }

    /// Holds every process of a family still.
    fn discrete(&mut self, family: FamilyId, span: Span, what: &str) {
        let family = &self.program.families[family];
        let axes = alloc::vec![Axis { family: Some(family.first), size: family.size, stride: 1 }];
        let message = format!("{what}: no two processes of `{}` are alike", family.name);
        self.found.push(Constraint {
            table: Table { first: 0, axes, value: None },
            values: (0..family.size as i32).collect(),
            reason: Reason { span, message },
            ring: None,
        });
    }

    fn initial_values(&mut self) {
        let program = self.program;
        let (row, any) = program.initial.common();
        for (id, var) in program.vars.iter_enumerated() {
            let table = variable_table(program, id);
            // Into a row of its own: the entries in the order of the axes.
            let mut values = Vec::new();
            let mut axes = table.axes.clone();
            let structure = super::structure::Structure::new(alloc::vec![table.clone()]);
            let open = |slot: u32| any.binary_search(&Slot(slot)).is_ok();
            let opened: Vec<i32> = structure.entries().iter().map(|e| open(e.slot).into()).collect();
            values.extend(structure.entries().iter().map(|e| match table.value {
                Some(_) if open(e.slot) => -1,
                _ if open(e.slot) => var.ty.low,
                _ => row[e.slot as usize],
            }));
            let mut stride = 1;
            for axis in axes.iter_mut().rev() {
                axis.stride = stride;
                stride *= axis.size;
            }
            let message = format!("the initial values of `{}` tell processes apart", var.name);
            let reason = Reason { span: var.span, message };
            // A block of `init` may leave some entries open and others not.
            if opened.contains(&1) && opened.contains(&0) {
                let table = Table { first: 0, axes: axes.clone(), value: None };
                self.found.push(Constraint { table, values: opened, reason: reason.clone(), ring: None });
            }
            self.found.push(Constraint {
                table: Table { first: 0, axes, value: table.value },
                values,
                reason,
                ring: None,
            });
        }
    }

    /// Several initial states are each made of the declared one by a choice, like steps; of one its values tell all.
    fn starts(&mut self) {
        let program = self.program;
        if program.initial.start_count() <= 1 {
            return;
        }
        for start in &program.starts {
            let mut scope: BTreeMap<Reg, Domain> = start.params.iter().copied().collect();
            for &(family, span) in &start.written_out {
                let what = "the turns of this `for` in `init` concern each other, so that their order counts";
                self.discrete(family, span, what);
            }
            let assigned = start.assignments.iter();
            scope.extend(assigned.clone().flat_map(|assignment| assignment.over.iter().copied()));
            for term in start.guard.into_iter().chain(assigned.flat_map(Assignment::terms)) {
                self.walk(term, &mut scope, "`init`");
            }
        }
    }
}
