//! Expanding the quantifiers inside a formula, and collecting its atoms.

use super::meaning::{Meaning, Reader, Said};
use super::obligation::{Atom, AtomValue, ap, make_atom, named_processes, scope_of};
use crate::automaton::Ap;
use crate::group::Process;
use crate::limits::MAX_PARTS;
use crate::ltl::{Arena, FormulaId as LtlId};
use crate::program::{Domain, FamilyId, FormulaId, FormulaKind, Program, Reg, TermId, TermKind};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use crate::symmetry::PropertyTerm;
use crate::syntax::ast::{Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// An expression over the propositions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Literal {
    /// Always true, or always false.
    Fixed(bool),
    /// A proposition, or its opposite.
    Open(Ap, bool),
}

/// An atom that was found.
struct Found {
    term: TermId,
    bound: Vec<(Reg, AtomValue)>,
    meaning: Meaning,
    /// Whether it says that or the opposite.
    sign: bool,
}

/// The result of an expansion.
pub(super) struct Expanded {
    pub(super) atoms: Vec<Atom>,
    /// For each atom what it says, and whether it says that or the opposite.
    pub(super) meanings: Vec<(Meaning, bool)>,
    /// The fixed processes that are tracked.
    pub(super) fixed: Vec<Process>,
    /// The expressions, for the question of what they tell apart.
    pub(super) terms: Vec<PropertyTerm>,
}

/// An expansion under way.
pub(super) struct Expansion<'p> {
    pub(super) program: &'p Program,
    /// How many tracked processes are chosen by quantifiers in front; fixed ones follow them.
    pub(super) chosen: usize,
    regs: u32,
    bound: BTreeMap<Reg, AtomValue>,
    /// The domains of the registers that hold processes.
    domains: BTreeMap<Reg, Domain>,
    /// The fixed processes tracked, in the order in which they came up; their numbers follow those of the chosen.
    fixed: Vec<Process>,
    found: Vec<Found>,
    by_meaning: BTreeMap<Meaning, usize>,
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
            by_meaning: BTreeMap::new(),
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

    /// The literal of an expression with the names bound as they are now. Expressions that say the same, or the opposite,
    /// have one proposition.
    pub(super) fn literal(&mut self, term: TermId) -> Literal {
        let tracked = self.fixed.len();
        match self.said(term) {
            Said::Fixed(value) => {
                self.fixed.truncate(tracked);
                Literal::Fixed(value)
            }
            Said::Open(meaning, sign) => match self.by_meaning.get(&meaning) {
                Some(&known) => Literal::Open(ap(known), self.found[known].sign == sign),
                None => Literal::Open(self.enter(term, meaning, sign), true),
            },
        }
    }

    /// An expression as a proposition even if it is always true or always false.
    pub(super) fn proposition(&mut self, term: TermId) {
        let (meaning, sign) = match self.said(term) {
            Said::Fixed(value) => (Meaning::fixed(), value),
            Said::Open(meaning, sign) => (meaning, sign),
        };
        self.enter(term, meaning, sign);
    }

    fn said(&mut self, term: TermId) -> Said {
        for process in named_processes(self.program, term) {
            self.track(process);
        }
        let (fixed, chosen) = (&self.fixed, self.chosen);
        let place = |process: Process| chosen + fixed.iter().position(|&p| p == process).unwrap_or(0);
        let mut reader =
            Reader { program: self.program, bound: &self.bound, place: &place, inner: Vec::new() };
        reader.said(term)
    }

    fn enter(&mut self, term: TermId, meaning: Meaning, sign: bool) -> Ap {
        let mut regs = Vec::new();
        self.free(term, &mut regs);
        regs.arrange();
        regs.dedup();
        let bound: Vec<(Reg, AtomValue)> =
            regs.into_iter().filter_map(|reg| Some((reg, *self.bound.get(&reg)?))).collect();
        let number = self.found.len();
        self.by_meaning.insert(meaning.clone(), number);
        self.found.push(Found { term, bound, meaning, sign });
        ap(number)
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
        if self.parts > size("property: parts", MAX_PARTS, 12) {
            took("property: too many parts");
            return None;
        }
        let program = self.program;
        Some(match &program.formulas[id].kind {
            FormulaKind::Atom(term) => match self.literal(*term) {
                Literal::Fixed(true) => arena.tt(),
                Literal::Fixed(false) => arena.ff(),
                Literal::Open(ap, true) => arena.ap(ap),
                Literal::Open(ap, false) => {
                    let opposite = arena.ap(ap);
                    arena.not(opposite)
                }
            },
            FormulaKind::Not(a) => {
                let a = self.formula(arena, *a)?;
                arena.not(a)
            }
            FormulaKind::And(list) => {
                let deciding = arena.ff();
                let parts = self.parts(arena, list, deciding)?;
                arena.and(parts)
            }
            FormulaKind::Or(list) => {
                let deciding = arena.tt();
                let parts = self.parts(arena, list, deciding)?;
                arena.or(parts)
            }
            FormulaKind::Implies(a, b) => {
                let a = self.formula(arena, *a)?;
                if a == arena.ff() {
                    return Some(arena.tt());
                }
                let b = self.formula(arena, *b)?;
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

    /// The parts of a conjunction or disjunction up to the first that decides: what stands behind it is not evaluated.
    fn parts(&mut self, arena: &mut Arena, list: &[FormulaId], deciding: LtlId) -> Option<Vec<LtlId>> {
        let mut parts = Vec::with_capacity(list.len());
        for &part in list {
            let part = self.formula(arena, part)?;
            parts.push(part);
            if part == deciding {
                break;
            }
        }
        Some(parts)
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

    /// Ends the expansion and returns its result.
    pub(super) fn finish(mut self, leading: &[(Reg, Domain)]) -> Expanded {
        self.domains.extend(leading.iter().copied());
        let places: BTreeMap<Process, usize> = self.fixed.iter().enumerate().map(|(i, &p)| (p, i)).collect();
        let (mut atoms, mut meanings, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        for Found { term, bound, meaning, sign } in self.found {
            terms.push(scope_of(self.program, &bound, &self.domains, term));
            atoms.push(make_atom(self.program, term, bound, self.regs, &places, self.chosen));
            meanings.push((meaning, sign));
        }
        Expanded { atoms, meanings, fixed: self.fixed, terms }
    }
}
