//! Expressions as functions of the state: for each value the set of states in which the expression has it.
//!
//! Where an expression faults it has no value. So a fault is never lost: it is what is missing from the union of the sets.

use super::Unsupported;
use super::beside::Executor;
use super::encoding::{Encoding, Side};
use crate::bdd::{Bdd, Manager};
use crate::ids::Id;
use crate::limits::MAX_SYMBOLIC_CASES;
use crate::program::{
    ArithmeticOp, Direction, Domain, FamilyId, Program, Reg, Slot, TermId, TermKind, Type, VarId, arithmetic,
    domain_size,
};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use crate::syntax::ast::Quantifier;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

fn most_cases() -> usize {
    size("symbolic: values of an expression", MAX_SYMBOLIC_CASES, 4)
}

fn too_many<T>() -> Result<T, Unsupported> {
    took("symbolic: an expression with too many values");
    Err(Unsupported::Cases)
}

/// Results are kept for expressions of at least this many nodes.
const MEMO_SIZE: u32 = 4;
/// Results are kept for expressions in which at most this many names are free.
const MEMO_FREE: usize = 2;

/// The values of an expression in order, each with the states in which it has it; none of these sets is empty.
pub(super) type Cases = Rc<[(i64, Bdd)]>;

/// Where a condition holds, and where it does not; it faults everywhere else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Truth {
    pub yes: Bdd,
    pub no: Bdd,
}

impl Truth {
    fn negated(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }
}

/// Evaluates expressions.
pub(super) struct Evaluator<'a> {
    pub program: &'a Program,
    pub encoding: &'a Encoding,
    pub bdds: &'a mut Manager,
    /// The values of the bound names.
    pub regs: Vec<i64>,
    /// For each process where it is enabled; empty until that is known.
    pub enabled: &'a [Bdd],
    /// Where the model has an error: nobody knows there who is enabled.
    pub fault: Option<&'a Bdd>,
    /// Who takes the next step, where that is known.
    pub executed: Option<Executor>,
    memo: HashMap<(TermId, Vec<i64>), Cases, FxBuildHasher>,
    free: HashMap<TermId, Rc<[Reg]>, FxBuildHasher>,
    slots: HashMap<Slot, Cases, FxBuildHasher>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(program: &'a Program, encoding: &'a Encoding, bdds: &'a mut Manager) -> Self {
        Evaluator {
            program,
            encoding,
            bdds,
            regs: Vec::new(),
            enabled: &[],
            fault: None,
            executed: None,
            memo: HashMap::default(),
            free: HashMap::default(),
            slots: HashMap::default(),
        }
    }

    pub(super) fn bind(&mut self, reg: Reg, value: i64) {
        if self.regs.len() <= reg.index() {
            self.regs.resize(reg.index() + 1, 0);
        }
        self.regs[reg.index()] = value;
    }

    /// Lets go of the results that are kept only to save time, if nodes are to be freed soon.
    pub(super) fn forget_if_due(&mut self) {
        if self.bdds.collection_due() {
            self.memo.clear();
            self.slots.clear();
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, term: TermId) -> Result<Truth, Unsupported> {
        let cases = self.term(term)?;
        let of =
            |value: i64| cases.iter().find(|(v, _)| *v == value).map_or(Bdd::FALSE, |(_, set)| set.clone());
        Ok(Truth { yes: of(1), no: of(0) })
    }

    fn from_truth(truth: Truth) -> Cases {
        [(0, truth.no), (1, truth.yes)].into_iter().filter(|(_, set)| !set.is_false()).collect()
    }

    /// Any expression.
    pub(super) fn term(&mut self, id: TermId) -> Result<Cases, Unsupported> {
        let term = &self.program.terms[id];
        if term.size < MEMO_SIZE {
            return self.fresh(id);
        }
        let free = self.free_names(id);
        if free.len() > size("symbolic: names of results that are kept", MEMO_FREE, 0) {
            took("symbolic: a result with too many names to keep");
            return self.fresh(id);
        }
        let key = (id, free.iter().map(|reg| self.regs.get(reg.index()).copied().unwrap_or(0)).collect());
        if let Some(found) = self.memo.get(&key) {
            return Ok(found.clone());
        }
        let result = self.fresh(id)?;
        self.memo.insert(key, result.clone());
        Ok(result)
    }

    fn free_names(&mut self, id: TermId) -> Rc<[Reg]> {
        if let Some(found) = self.free.get(&id) {
            return found.clone();
        }
        let kind = &self.program.terms[id].kind;
        let mut all: Vec<Reg> = match kind {
            TermKind::Bound(reg) => alloc::vec![*reg],
            _ => kind.children().into_iter().flat_map(|child| self.free_names(child).to_vec()).collect(),
        };
        if let TermKind::Quantified(_, bound, ..) = kind {
            all.retain(|reg| reg != bound);
        }
        all.arrange();
        all.dedup();
        let all: Rc<[Reg]> = all.into();
        self.free.insert(id, all.clone());
        all
    }

    fn fresh(&mut self, id: TermId) -> Result<Cases, Unsupported> {
        let program = self.program;
        Ok(match &program.terms[id].kind {
            TermKind::Const(value) => Rc::new([(*value, Bdd::TRUE)]),
            TermKind::Bound(reg) => Rc::new([(self.regs[reg.index()], Bdd::TRUE)]),
            TermKind::Shared(..) | TermKind::Local(..) => {
                let places = self.places(id)?;
                let mut found = Collected::default();
                for (slot, at) in places {
                    for (value, set) in self.slot(slot).iter() {
                        found.add(self.bdds, *value, &at, set);
                    }
                }
                found.finish()?
            }
            TermKind::Not(a) => {
                let truth = self.truth(*a)?;
                Self::from_truth(truth.negated())
            }
            TermKind::Neg(a) => self.map(*a, i64::checked_neg)?,
            TermKind::And(list) => {
                let mut all = Truth { yes: Bdd::TRUE, no: Bdd::FALSE };
                for &part in list {
                    let part = self.truth(part)?;
                    all = self.and_then(&all, &part);
                }
                Self::from_truth(all)
            }
            TermKind::Or(list) => {
                let mut none = Truth { yes: Bdd::TRUE, no: Bdd::FALSE };
                for &part in list {
                    let part = self.truth(part)?.negated();
                    none = self.and_then(&none, &part);
                }
                Self::from_truth(none.negated())
            }
            TermKind::Compare(comparison, a, b) => {
                let comparison = *comparison;
                self.both(*a, *b, |x, y| Some(i64::from(comparison.holds(x, y))))?
            }
            TermKind::Arithmetic(op, a, b) => {
                let op: ArithmeticOp = *op;
                self.both(*a, *b, |x, y| arithmetic(op, x, y).ok())?
            }
            TermKind::If(condition, yes, no) => {
                let condition = self.truth(*condition)?;
                let (yes, no) = (self.term(*yes)?, self.term(*no)?);
                let mut found = Collected::default();
                for (at, cases) in [(condition.yes, yes), (condition.no, no)] {
                    for (value, set) in cases.iter() {
                        found.add(self.bdds, *value, &at, set);
                    }
                }
                found.finish()?
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                self.quantified(*quantifier, *reg, *domain, *body)?
            }
            TermKind::ProcessAt(family, index) => {
                let size = program.families[*family].size as i64;
                self.map(*index, |i| (0..size).contains(&i).then_some(i))?
            }
            TermKind::IndexOf(process) => self.map(*process, |p| (p >= 0).then_some(p))?,
            TermKind::Neighbour(direction, process) => {
                let size = self.family_size(*process);
                let direction = *direction;
                self.map(*process, |p| {
                    let step = if direction == Direction::Next { 1 } else { size - 1 };
                    (p >= 0).then(|| (p + step) % size)
                })?
            }
            TermKind::Recode(from, to, literal) => {
                let (from, to) = (&program.enums[*from], &program.enums[*to]);
                self.map(*literal, |value| {
                    let word = from.get(usize::try_from(value).ok()?)?;
                    to.iter().position(|l| l == word).map(|place| place as i64)
                })?
            }
            TermKind::Enabled(process) => self.is_enabled(*process)?,
            TermKind::Executed(process) => self.has_executed(*process)?,
            // It has no value in any state.
            TermKind::Endless | TermKind::Fault(_) => Rc::new([]),
        })
    }

    /// Where a process is enabled. Nobody knows where the model has an error.
    fn is_enabled(&mut self, process: TermId) -> Result<Cases, Unsupported> {
        let family = self.family(process)?;
        let mut truth = Truth { yes: Bdd::FALSE, no: Bdd::FALSE };
        for (p, at) in self.term(process)?.iter().filter(|(p, _)| *p >= 0) {
            let at = &self.fault.map_or_else(|| at.clone(), |fault| self.bdds.minus(at, fault));
            let enabled = &self.enabled[self.program.process(family, *p as u32).index()];
            let (yes, no) = (self.bdds.and(at, enabled), self.bdds.minus(at, enabled));
            truth.yes = self.bdds.or(&truth.yes, &yes);
            truth.no = self.bdds.or(&truth.no, &no);
        }
        Ok(Self::from_truth(truth))
    }

    /// Where a process is the one that takes the next step.
    fn has_executed(&mut self, process: TermId) -> Result<Cases, Unsupported> {
        let executed = self.executed.ok_or(Unsupported::Executed)?;
        let family = self.family(process)?;
        let mut truth = Truth { yes: Bdd::FALSE, no: Bdd::FALSE };
        for (p, at) in self.term(process)?.iter().filter(|(p, _)| *p >= 0) {
            let it_is = executed == Executor::Process(self.program.process(family, *p as u32));
            let known = if it_is { &mut truth.yes } else { &mut truth.no };
            *known = self.bdds.or(known, at);
        }
        Ok(Self::from_truth(truth))
    }

    /// The second condition is asked only where the first one holds.
    fn and_then(&mut self, first: &Truth, second: &Truth) -> Truth {
        let yes = self.bdds.and(&first.yes, &second.yes);
        let no = self.bdds.and(&first.yes, &second.no);
        Truth { yes, no: self.bdds.or(&first.no, &no) }
    }

    fn family(&self, process: TermId) -> Result<FamilyId, Unsupported> {
        match self.program.terms[process].ty {
            Type::Process { family, .. } => Ok(family),
            _ => Err(Unsupported::Cases),
        }
    }

    fn family_size(&self, process: TermId) -> i64 {
        match self.program.terms[process].ty {
            Type::Process { family, .. } => self.program.families[family].size as i64,
            _ => 1,
        }
    }

    /// A function of one expression's value; it faults where there is none.
    fn map(&mut self, a: TermId, of: impl Fn(i64) -> Option<i64>) -> Result<Cases, Unsupported> {
        let cases = self.term(a)?;
        let mut found = Collected::default();
        for (value, set) in cases.iter() {
            if let Some(result) = of(*value) {
                found.add(self.bdds, result, &Bdd::TRUE, set);
            }
        }
        found.finish()
    }

    fn both(
        &mut self,
        a: TermId,
        b: TermId,
        of: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Cases, Unsupported> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        if a.len().saturating_mul(b.len()) > most_cases() * 16 {
            return too_many();
        }
        let mut found = Collected::default();
        for (x, at) in a.iter() {
            for (y, set) in b.iter() {
                if let Some(result) = of(*x, *y) {
                    found.add(self.bdds, result, at, set);
                }
            }
        }
        found.finish()
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        reg: Reg,
        domain: Domain,
        body: TermId,
    ) -> Result<Cases, Unsupported> {
        let low = match domain {
            Domain::Family(_) => 0,
            Domain::Range(low, _) => low,
        };
        let size = domain_size(domain, &self.program.families);
        if size as usize > most_cases() {
            return too_many();
        }
        let elements = low..low + size as i64;
        match quantifier {
            Quantifier::Forall | Quantifier::Exists => {}
            Quantifier::Count | Quantifier::Sum => return self.count(reg, elements, body),
            Quantifier::Min => return self.best(ArithmeticOp::Min, reg, elements, body),
            Quantifier::Max => return self.best(ArithmeticOp::Max, reg, elements, body),
        }
        // For `forall`: that all hold so far. For `exists`: that none does.
        let mut so_far = Truth { yes: Bdd::TRUE, no: Bdd::FALSE };
        for element in low..low + size as i64 {
            self.bind(reg, element);
            let part = self.truth(body)?;
            let part = if quantifier == Quantifier::Forall { part } else { part.negated() };
            so_far = self.and_then(&so_far, &part);
        }
        Ok(Self::from_truth(if quantifier == Quantifier::Forall { so_far } else { so_far.negated() }))
    }

    /// The smallest or the largest of what the body is for each element; of none there is no value.
    fn best(
        &mut self,
        op: ArithmeticOp,
        reg: Reg,
        elements: Range<i64>,
        body: TermId,
    ) -> Result<Cases, Unsupported> {
        let mut best: Option<Cases> = None;
        for element in elements {
            self.bind(reg, element);
            let cases = self.term(body)?;
            let Some(before) = best else {
                best = Some(cases);
                continue;
            };
            let mut found = Collected::default();
            for (a, at) in before.iter() {
                for (b, set) in cases.iter() {
                    if let Ok(value) = arithmetic(op, *a, *b) {
                        found.add(self.bdds, value, at, set);
                    }
                }
            }
            best = Some(found.finish()?);
        }
        Ok(best.unwrap_or_else(|| Rc::new([])))
    }

    /// The sum of what the body is for each element: a truth value counts as 0 or 1, and over several names the body is a count.
    fn count(&mut self, reg: Reg, elements: Range<i64>, body: TermId) -> Result<Cases, Unsupported> {
        let mut sums: Cases = Rc::new([(0, Bdd::TRUE)]);
        for element in elements {
            self.bind(reg, element);
            let cases = self.term(body)?;
            let mut found = Collected::default();
            for (sum, at) in sums.iter() {
                for (value, set) in cases.iter() {
                    // A part of a sum may leave 64 bits and the sum come back: that is not followed here.
                    let Some(sum) = sum.checked_add(*value) else { return Err(Unsupported::Cases) };
                    found.add(self.bdds, sum, at, set);
                }
            }
            sums = found.finish()?;
        }
        Ok(sums)
    }

    /// The values of a slot.
    fn slot(&mut self, slot: Slot) -> Cases {
        if let Some(found) = self.slots.get(&slot) {
            return found.clone();
        }
        let (low, size) = (self.encoding.field(slot).low as i64, self.encoding.field(slot).size as i64);
        let cases: Cases = (low..low + size)
            .map(|value| (value, self.encoding.equals(self.bdds, slot, value, Side::Current)))
            .collect();
        self.slots.insert(slot, cases.clone());
        cases
    }

    /// The slots that a variable with its process and indices may mean, and where it means each.
    pub(super) fn places(&mut self, target: TermId) -> Result<Vec<(Slot, Bdd)>, Unsupported> {
        let program = self.program;
        let (var, process, indices) = match &program.terms[target].kind {
            TermKind::Shared(var, indices) => (*var, None, indices),
            TermKind::Local(var, process, indices) => (*var, Some(*process), indices),
            _ => return Err(Unsupported::Cases),
        };
        let mut places: Vec<(Slot, Bdd)> = Vec::new();
        match (process, program.vars[var].owner) {
            (Some(process), Some(family)) => {
                let members = 0..program.families[family].size as i64;
                for (p, at) in self.term(process)?.iter().filter(|(p, _)| members.contains(p)) {
                    places.push((program.layout.local(family, *p as u32, var), at.clone()));
                }
            }
            _ => places.push((program.layout.global(var), Bdd::TRUE)),
        }
        self.offsets(var, indices, places)
    }

    fn offsets(
        &mut self,
        var: VarId,
        indices: &[TermId],
        mut places: Vec<(Slot, Bdd)>,
    ) -> Result<Vec<(Slot, Bdd)>, Unsupported> {
        let program = self.program;
        let domains = &program.vars[var].index;
        for (position, (&index, &domain)) in indices.iter().zip(domains).enumerate() {
            let stride: u32 =
                domains[position + 1..].iter().map(|&d| domain_size(d, &program.families)).product();
            let low = match domain {
                Domain::Family(_) => 0,
                Domain::Range(low, _) => low,
            };
            let members = low..low + domain_size(domain, &program.families) as i64;
            let cases = self.term(index)?;
            let mut finer = Vec::new();
            for (slot, at) in places {
                for (value, set) in cases.iter().filter(|(value, _)| members.contains(value)) {
                    let at = self.bdds.and(&at, set);
                    if !at.is_false() {
                        finer.push((Slot(slot.0 + (value - low) as u32 * stride), at));
                    }
                }
            }
            if finer.len() > most_cases() {
                return too_many();
            }
            places = finer;
        }
        Ok(places)
    }
}

/// Values with the sets of states in which an expression has them, while they are collected.
#[derive(Default)]
struct Collected(BTreeMap<i64, Bdd>);

impl Collected {
    fn add(&mut self, bdds: &mut Manager, value: i64, at: &Bdd, set: &Bdd) {
        let both = bdds.and(at, set);
        if !both.is_false() {
            let old = self.0.entry(value).or_insert(Bdd::FALSE);
            *old = bdds.or(old, &both);
        }
    }

    fn finish(self) -> Result<Cases, Unsupported> {
        if self.0.len() > most_cases() { too_many() } else { Ok(self.0.into_iter().collect()) }
    }
}
