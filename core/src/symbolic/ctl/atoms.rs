//! The atomic propositions of a formula, as sets.

use super::choice::elements;
use super::is_too_large;
use crate::bdd::Bdd;
use crate::program::{Domain, FormulaId, FormulaKind, Program, Reg, TermId};
use crate::symbolic::{Model, Unsupported};
use crate::symmetry::PropertyTerm;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Where each atomic proposition holds, and where it has an error.
pub(super) type Atoms = HashMap<(TermId, Vec<(Reg, i64)>), (Bdd, Bdd), FxBuildHasher>;

/// The parts of a formula that are formulas.
pub(super) fn parts(kind: &FormulaKind) -> Vec<FormulaId> {
    match kind {
        FormulaKind::Atom(_) | FormulaKind::Variable(_) => Vec::new(),
        FormulaKind::Not(a)
        | FormulaKind::Quantified(_, _, _, a)
        | FormulaKind::Temporal(_, a)
        | FormulaKind::Fixpoint(_, _, a)
        | FormulaKind::Branching(_, _, a) => alloc::vec![*a],
        FormulaKind::And(list) | FormulaKind::Or(list) => list.clone(),
        FormulaKind::Implies(a, b)
        | FormulaKind::Iff(a, b)
        | FormulaKind::TemporalBinary(_, a, b)
        | FormulaKind::BranchingBinary(_, _, a, b) => alloc::vec![*a, *b],
    }
}

/// The expressions of a formula, with what the names around them range over. It recurses as deep as the formula is nested, which
/// the parser bounds.
pub(super) fn expressions(
    program: &Program,
    formula: FormulaId,
    scope: &mut BTreeMap<Reg, Domain>,
    found: &mut Vec<PropertyTerm>,
) {
    match &program.formulas[formula].kind {
        FormulaKind::Atom(term) => found.push(PropertyTerm { term: *term, scope: scope.clone() }),
        FormulaKind::Quantified(_, reg, domain, body) => {
            let before = scope.insert(*reg, *domain);
            expressions(program, *body, scope, found);
            match before {
                Some(domain) => scope.insert(*reg, domain),
                None => scope.remove(reg),
            };
        }
        kind => {
            for part in parts(kind) {
                expressions(program, part, scope, found);
            }
        }
    }
}

/// Evaluates all atomic propositions, with the quantifiers around them written out.
pub(super) fn collect(
    program: &Program,
    model: &mut Model<'_>,
    formula: FormulaId,
    bound: &mut Vec<(Reg, i64)>,
    atoms: &mut Atoms,
    count: &mut u32,
) -> Result<(), Unsupported> {
    *count += 1;
    if is_too_large(*count as usize) {
        return Err(Unsupported::Cases);
    }
    match &program.formulas[formula].kind {
        FormulaKind::Atom(term) => {
            let key = (*term, bound.clone());
            if !atoms.contains_key(&key) {
                let sets = model.condition(*term, bound)?;
                atoms.insert(key, sets);
            }
        }
        FormulaKind::Quantified(_, reg, domain, body) => {
            for element in elements(program, *domain) {
                bound.push((*reg, element));
                let done = collect(program, model, *body, bound, atoms, count);
                bound.pop();
                done?;
            }
        }
        kind => {
            for part in parts(kind) {
                collect(program, model, part, bound, atoms, count)?;
            }
        }
    }
    Ok(())
}
