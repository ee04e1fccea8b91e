//! What a formula of branching time is made of: its expressions, as sets of states and with what their names range over, and which
//! path quantifiers it has.

use super::Unsupported;
use super::model::Model;
use crate::bdd::Bdd;
use crate::program::{Domain, FormulaId, FormulaKind, Program, Reg, TermId, domain_size};
use crate::symmetry::PropertyTerm;
use crate::syntax::ast::PathQuantifier;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The quantifiers inside a formula may be written out into so many parts.
pub(super) const MAX_PARTS: u32 = 20_000;

/// Where each atomic proposition holds, and where it has an error.
pub(super) type Atoms = HashMap<(TermId, Vec<(Reg, i64)>), (Bdd, Bdd), FxBuildHasher>;

/// The elements of a domain.
pub(super) fn elements(program: &Program, domain: Domain) -> core::ops::Range<i64> {
    let low = match domain {
        Domain::Family(_) => 0,
        Domain::Range(low, _) => low,
    };
    low..low + domain_size(domain, &program.families) as i64
}

/// The parts of a formula that are formulas.
fn parts(kind: &FormulaKind) -> Vec<FormulaId> {
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
    if *count > MAX_PARTS {
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

/// Which path quantifiers a formula has, once its negations stand before atoms only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    /// None at all.
    Neither,
    Universal,
    Existential,
    Mixed,
}

impl Polarity {
    fn with(self, other: Polarity) -> Polarity {
        match (self, other) {
            (Polarity::Neither, one) | (one, Polarity::Neither) => one,
            (a, b) if a == b => a,
            _ => Polarity::Mixed,
        }
    }

    pub(super) fn signed(program: &Program, formula: FormulaId, positive: bool) -> Polarity {
        let of = |f: FormulaId, positive: bool| Self::signed(program, f, positive);
        let kind = &program.formulas[formula].kind;
        let inner = parts(kind).into_iter().fold(Polarity::Neither, |all, f| all.with(of(f, positive)));
        match kind {
            FormulaKind::Not(a) => of(*a, !positive),
            FormulaKind::Implies(a, b) => of(*a, !positive).with(of(*b, positive)),
            FormulaKind::Iff(a, b) => {
                let both = |positive| of(*a, positive).with(of(*b, positive));
                both(true).with(both(false))
            }
            FormulaKind::Branching(path, ..) | FormulaKind::BranchingBinary(path, ..) => {
                let all = (*path == PathQuantifier::All) == positive;
                inner.with(if all { Polarity::Universal } else { Polarity::Existential })
            }
            _ => inner,
        }
    }
}
