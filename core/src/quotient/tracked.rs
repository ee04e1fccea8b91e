//! Which processes a property tracks.

use crate::group::Process;
use crate::program::{
    Domain, FormulaId, FormulaKind, Program, PropertyId, PropertyKind, TermId, TermKind, Type,
};
use crate::syntax::ast::Quantifier;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The processes that a property tells from all others: one for each name that it binds in front, the first of its
/// family that is not taken yet, and the fixed processes that it names.
///
/// A name that it binds in front stands for all processes of the family; G takes any choice of different ones in one
/// orbit to any other where it is the full symmetric group.
pub fn tracked(program: &Program, property: PropertyId) -> Vec<Process> {
    let (mut formulas, mut terms) = (Vec::new(), Vec::new());
    let mut families = Vec::new();
    match &program.properties[property].kind {
        PropertyKind::Formula(_, formula) => {
            families = leading(program, *formula);
            formulas.push(*formula);
        }
        PropertyKind::Automaton(automaton) => {
            families.extend(automaton.params.iter().filter_map(|param| match param.domain {
                Domain::Family(family) => Some(family),
                Domain::Range(..) => None,
            }));
            terms.extend(automaton.states.iter().flat_map(|s| s.moves.iter().map(|(guard, _)| *guard)));
        }
        PropertyKind::DeadlockFree => {}
    }
    let fixed = fixed_processes(program, formulas, terms);
    let mut tracked: Vec<Process> = Vec::new();
    for id in families {
        let family = &program.families[id];
        let mut members = (family.first.0..family.first.0 + family.size).map(Process);
        // A family with fewer processes than names has no choice of different ones.
        tracked.extend(members.find(|p| !tracked.contains(p) && !fixed.contains(p)));
    }
    tracked.extend(fixed);
    tracked
}

/// The families of the names that are bound in front.
fn leading(program: &Program, formula: FormulaId) -> Vec<crate::program::FamilyId> {
    let mut families = Vec::new();
    let mut formula = formula;
    while let FormulaKind::Quantified(Quantifier::Forall, _, Domain::Family(family), body) =
        program.formulas[formula].kind
    {
        families.push(family);
        formula = body;
    }
    if let FormulaKind::Atom(mut term) = program.formulas[formula].kind {
        while let TermKind::Quantified(Quantifier::Forall, _, Domain::Family(family), body) =
            program.terms[term].kind
        {
            families.push(family);
            term = body;
        }
    }
    families
}

fn fixed_processes(
    program: &Program,
    mut formulas: Vec<FormulaId>,
    mut terms: Vec<TermId>,
) -> BTreeSet<Process> {
    while let Some(formula) = formulas.pop() {
        match &program.formulas[formula].kind {
            FormulaKind::Atom(term) => terms.push(*term),
            FormulaKind::Not(a)
            | FormulaKind::Quantified(_, _, _, a)
            | FormulaKind::Temporal(_, a)
            | FormulaKind::Branching(_, _, a)
            | FormulaKind::Fixpoint(_, _, a) => formulas.push(*a),
            FormulaKind::Variable(_) => {}
            FormulaKind::And(list) | FormulaKind::Or(list) => formulas.extend(list),
            FormulaKind::Implies(a, b)
            | FormulaKind::Iff(a, b)
            | FormulaKind::TemporalBinary(_, a, b)
            | FormulaKind::BranchingBinary(_, _, a, b) => formulas.extend([*a, *b]),
        }
    }
    let mut fixed = BTreeSet::new();
    while let Some(term) = terms.pop() {
        let node = &program.terms[term];
        if let (TermKind::Const(value), Type::Process { family, .. }) = (&node.kind, node.ty)
            && *value >= 0
            && program.families[family].size > 1
        {
            fixed.insert(program.process(family, *value as u32));
        }
        terms.extend(node.kind.children());
    }
    fixed
}
