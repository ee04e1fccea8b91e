//! Parts of an expression that are used again: they are evaluated once.
//!
//! A block writes the value of a variable in terms of the state before the step, and whoever reads the variable later has that
//! value as a part. Read ten times, and read in each value again, it would be evaluated a thousand times, and within quantifiers
//! once more for each process. A part in which no name of a quantifier of the expression is free has one value throughout.

use super::Program;
use super::term::{Reg, TermId, TermKind};
use crate::strain::{size, took};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// Smaller expressions are evaluated as they stand.
const WHOLE: u32 = 32;
/// Smaller parts cost no more than looking up what they gave.
const PART: u32 = 6;

/// The parts of an expression whose values are kept while it is evaluated.
pub(super) fn kept_parts(program: &Program, whole: TermId) -> Vec<TermId> {
    if program.terms[whole].size < size("code: an expression with parts that are kept", WHOLE, 4) {
        return Vec::new();
    }
    let mut parts = Parts { program, uses: BTreeMap::new(), free: BTreeMap::new(), bound: BTreeSet::new() };
    parts.visit(whole);
    let smallest = size("code: a part that is kept", PART, 2);
    let Parts { uses, free, bound, .. } = parts;
    let kept: Vec<TermId> = uses
        .into_iter()
        .filter(|&(part, uses)| uses > 1 && program.terms[part].size >= smallest)
        .map(|(part, _)| part)
        .filter(|part| free[part].is_disjoint(&bound))
        .collect();
    if !kept.is_empty() {
        took("code: a part that is used again");
    }
    kept
}

struct Parts<'a> {
    program: &'a Program,
    /// How often a part stands directly in others.
    uses: BTreeMap<TermId, u32>,
    /// The names that are free in a part.
    free: BTreeMap<TermId, BTreeSet<Reg>>,
    /// The names that quantifiers of the expression bind.
    bound: BTreeSet<Reg>,
}

impl Parts<'_> {
    fn visit(&mut self, term: TermId) {
        let kind = &self.program.terms[term].kind;
        let mut free = BTreeSet::new();
        if let TermKind::Bound(reg) = kind {
            free.insert(*reg);
        }
        for part in kind.children() {
            *self.uses.entry(part).or_default() += 1;
            if !self.free.contains_key(&part) {
                self.visit(part);
            }
            free.extend(self.free[&part].iter().copied());
        }
        if let TermKind::Quantified(_, reg, ..) = kind {
            self.bound.insert(*reg);
            free.remove(reg);
        }
        self.free.insert(term, free);
    }
}
