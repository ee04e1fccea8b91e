//! Expanding the quantifiers inside a formula, and collecting its atoms.

use super::obligation::{Atom, AtomValue, ap, make_atom, named_processes, scope_of};
use crate::automaton::Ap;
use crate::group::Process;
use crate::ltl::{Arena, FormulaId as LtlId};
use crate::program::{Domain, FamilyId, FormulaId, FormulaKind, Program, Reg, TermId, TermKind};
use crate::sort::Sort as _;
use crate::symmetry::PropertyTerm;
use crate::syntax::ast::{Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// An expanded formula may have so many parts.
const MAX_PARTS: usize = 100_000;

/// An expansion under way.
pub(super) struct Expansion<'p> {
    pub(super) program: &'p Program,
    /// How many tracked processes are chosen by quantifiers in front; fixed ones follow them.
    pub(super) chosen: usize,
    regs: u32,
    bound: BTreeMap<Reg, AtomValue>,
    /// What the registers range over, as far as they hold processes.
    domains: BTreeMap<Reg, Domain>,
    /// The fixed processes tracked, in the order in which they came up; their numbers follow those of the chosen.
    fixed: Vec<Process>,
    found: Vec<(TermId, Vec<(Reg, AtomValue)>)>,
    parts: usize,
    /// How many times the bodies of quantifiers were written out.
    pub(super) expanded: usize,
    /// The families over which they range.
    pub(super) written_out: Vec<FamilyId>,
}

impl<'p> Expansion<'p> {
    pub(super) fn new(program: &'p Program, regs: u32) -> Self {
        Expansion {
            program,
            chosen: 0,
            regs,
            bound: BTreeMap::new(),
            domains: BTreeMap::new(),
            fixed: Vec::new(),
            found: Vec::new(),
            parts: 0,
            expanded: 0,
            written_out: Vec::new(),
        }
    }

    pub(super) fn bind(&mut self, reg: Reg, value: AtomValue) {
        self.bound.insert(reg, value);
    }

    fn track(&mut self, process: Process) -> usize {
        self.fixed.iter().position(|&p| p == process).unwrap_or_else(|| {
            self.fixed.push(process);
            self.fixed.len() - 1
        })
    }

    /// The proposition of an expression with the names bound as they are now.
    pub(super) fn atom(&mut self, term: TermId) -> Ap {
        let mut regs = Vec::new();
        self.free(term, &mut regs);
        regs.arrange();
        regs.dedup();
        let bound: Vec<(Reg, AtomValue)> =
            regs.into_iter().filter_map(|reg| Some((reg, *self.bound.get(&reg)?))).collect();
        for process in named_processes(self.program, term) {
            self.track(process);
        }
        let known = self.found.iter().position(|(t, b)| *t == term && *b == bound);
        ap(known.unwrap_or_else(|| {
            self.found.push((term, bound));
            self.found.len() - 1
        }))
    }

    fn free(&self, term: TermId, regs: &mut Vec<Reg>) {
        let kind = &self.program.terms[term].kind;
        if let TermKind::Bound(reg) = kind {
            regs.push(*reg);
        }
        for child in kind.children() {
            self.free(child, regs);
        }
    }

    /// The formula over propositions; none where it would be too large.
    pub(super) fn formula(&mut self, arena: &mut Arena, id: FormulaId) -> Option<LtlId> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let program = self.program;
        Some(match &program.formulas[id].kind {
            FormulaKind::Atom(term) => match program.terms[*term].kind {
                TermKind::Const(0) => arena.ff(),
                TermKind::Const(_) => arena.tt(),
                _ => {
                    let ap = self.atom(*term);
                    arena.ap(ap)
                }
            },
            FormulaKind::Not(a) => {
                let a = self.formula(arena, *a)?;
                arena.not(a)
            }
            FormulaKind::And(list) => {
                let parts: Option<Vec<LtlId>> = list.iter().map(|&f| self.formula(arena, f)).collect();
                arena.and(parts?)
            }
            FormulaKind::Or(list) => {
                let parts: Option<Vec<LtlId>> = list.iter().map(|&f| self.formula(arena, f)).collect();
                arena.or(parts?)
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula(arena, *a)?, self.formula(arena, *b)?);
                arena.implies(a, b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula(arena, *a)?, self.formula(arena, *b)?);
                arena.iff(a, b)
            }
            FormulaKind::Quantified(quantifier, reg, domain, body) => {
                let parts = self.expanded(arena, *reg, *domain, *body)?;
                if *quantifier == Quantifier::Forall { arena.and(parts) } else { arena.or(parts) }
            }
            FormulaKind::Temporal(op, a) => {
                let a = self.formula(arena, *a)?;
                match op {
                    TemporalOp::Next => arena.next(a),
                    TemporalOp::Finally => arena.eventually(a),
                    TemporalOp::Globally => arena.always(a),
                }
            }
            FormulaKind::TemporalBinary(op, a, b) => {
                let (a, b) = (self.formula(arena, *a)?, self.formula(arena, *b)?);
                match op {
                    TemporalBinaryOp::Until => arena.until(a, b),
                    TemporalBinaryOp::Release => arena.release(a, b),
                    TemporalBinaryOp::WeakUntil => arena.weak_until(a, b),
                    TemporalBinaryOp::StrongRelease => arena.strong_release(a, b),
                }
            }
            FormulaKind::Branching(..)
            | FormulaKind::BranchingBinary(..)
            | FormulaKind::Fixpoint(..)
            | FormulaKind::Variable(_) => return None,
        })
    }

    /// The body for each element of the domain; every process of it is tracked.
    fn expanded(
        &mut self,
        arena: &mut Arena,
        reg: Reg,
        domain: Domain,
        body: FormulaId,
    ) -> Option<Vec<LtlId>> {
        let values: Vec<AtomValue> = match domain {
            Domain::Range(low, high) if high - low > MAX_PARTS as i64 => return None,
            Domain::Range(low, high) => (low..=high).map(AtomValue::Number).collect(),
            Domain::Family(family) if self.program.families[family].size as usize > MAX_PARTS => return None,
            Domain::Family(family) => {
                self.domains.insert(reg, domain);
                if !self.written_out.contains(&family) {
                    self.written_out.push(family);
                }
                let members = 0..self.program.families[family].size;
                members
                    .map(|i| AtomValue::Tracked(self.chosen + self.track(self.program.process(family, i))))
                    .collect()
            }
        };
        let before = self.bound.get(&reg).copied();
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            self.bound.insert(reg, value);
            self.expanded += 1;
            parts.push(self.formula(arena, body)?);
        }
        match before {
            Some(value) => self.bound.insert(reg, value),
            None => self.bound.remove(&reg),
        };
        Some(parts)
    }

    /// The atoms, the fixed processes they track, and their expressions for the question of what they tell apart.
    pub(super) fn finish(
        mut self,
        leading: &[(Reg, Domain)],
    ) -> (Vec<Atom>, Vec<Process>, Vec<PropertyTerm>) {
        self.domains.extend(leading.iter().copied());
        let places: BTreeMap<Process, usize> = self.fixed.iter().enumerate().map(|(i, &p)| (p, i)).collect();
        let mut atoms = Vec::new();
        let mut terms = Vec::new();
        for (term, bound) in self.found {
            terms.push(scope_of(self.program, &bound, &self.domains, term));
            atoms.push(make_atom(self.program, term, bound, self.regs, &places, self.chosen));
        }
        (atoms, self.fixed, terms)
    }
}
