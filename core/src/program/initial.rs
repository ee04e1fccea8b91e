//! The initial states.

use super::code::{Code, Fault, FaultKind};
use super::compile::{CompiledAction, Scratch, compile_with};
use super::effect::compile_start;
use super::flat::Flat;
use super::layout::{Packing, Slot, domain_size};
use super::machine::{Stepper, Write};
use super::term::{Domain, Reg, TermKind};
use super::types::Type;
use super::{Program, Start, Var, VarId};
use crate::ids::Id;
use crate::limits::{MAX_START_WRITES, MAX_STARTS};
use crate::sort::Sort as _;
use crate::text::Diagnostic;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Where a run may start: one row of values, and the slots that may have any value instead. Where `init` makes several initial
/// states, each is the declared row with some values changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitialStates {
    /// The first initial state.
    pub values: Vec<i32>,
    /// The slots whose value in it is the least of any of their type, ascending.
    pub any: Vec<Slot>,
    /// The declared row and its open slots, where `init` has changed the first.
    declared: (Vec<i32>, Vec<Slot>),
    /// The values that each choice of `init` assigns, by slot; empty without `init`.
    starts: Vec<Vec<(Slot, i32)>>,
}

/// The initial states one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialWalk {
    /// The state that it is at.
    pub values: Vec<i32>,
    any: Vec<Slot>,
    start: usize,
}

impl InitialStates {
    /// Evaluates the initial values, and what `init` makes of them.
    pub(super) fn new(program: &Program) -> Result<InitialStates, Vec<Diagnostic>> {
        let mut states =
            InitialStates { values: alloc::vec![0; program.layout.slots as usize], ..Self::default() };
        let mut diagnostics = Vec::new();
        for (id, var) in program.vars.iter_enumerated() {
            if let Err(fault) = states.variable(program, id, var) {
                diagnostics.push(Diagnostic::new(
                    fault.span,
                    alloc::format!("in the initial value of `{}`: {}", var.name, fault.kind),
                ));
            }
        }
        states.any.arrange();
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        if !program.starts.is_empty() {
            states.starts = starts(program, &states.values).map_err(|diagnostic| alloc::vec![diagnostic])?;
            states.declared = (states.values.clone(), states.any.clone());
            (states.values, states.any) = states.start(0);
        }
        Ok(states)
    }

    /// Whether there is exactly one initial state.
    pub fn is_one(&self) -> bool {
        self.any.is_empty() && self.starts.len() <= 1
    }

    /// The slots that have different values in two of them.
    pub fn differing(&self) -> BTreeSet<Slot> {
        let (declared, any) = if self.starts.is_empty() {
            (&self.values, &self.any)
        } else {
            (&self.declared.0, &self.declared.1)
        };
        // An open slot of which every choice of `init` makes the same value is none.
        let mut made: BTreeMap<Slot, (usize, BTreeSet<i32>)> = BTreeMap::new();
        for &(slot, value) in self.starts.iter().flatten() {
            let (choices, values) = made.entry(slot).or_default();
            *choices += 1;
            values.insert(value);
        }
        let open = any.iter().copied().filter(|slot| !made.contains_key(slot));
        let changed = made.iter().filter(|&(slot, (choices, values))| {
            let kept = *choices < self.starts.len();
            values.len() > 1
                || kept && (!values.contains(&declared[slot.index()]) || any.binary_search(slot).is_ok())
        });
        open.chain(changed.map(|(&slot, _)| slot)).collect()
    }

    /// How many rows there are, each with open slots.
    pub fn start_count(&self) -> usize {
        self.starts.len().max(1)
    }

    /// The values that `init` assigns to make a row; nothing where there is no `init`.
    pub fn changes(&self, start: usize) -> &[(Slot, i32)] {
        self.starts.get(start).map_or(&[], Vec::as_slice)
    }

    /// A row, and its open slots.
    pub fn start(&self, number: usize) -> (Vec<i32>, Vec<Slot>) {
        let Some(changes) = self.starts.get(number) else { return (self.values.clone(), self.any.clone()) };
        let (mut values, mut any) = self.declared.clone();
        for &(slot, value) in changes {
            values[slot.index()] = value;
        }
        any.retain(|slot| changes.binary_search_by_key(slot, |(slot, _)| *slot).is_err());
        (values, any)
    }

    /// The row that a symmetry of the program keeps, with its open slots: the only one, or the one that they all are made of.
    pub(crate) fn common(&self) -> (&[i32], &[Slot]) {
        if self.starts.len() > 1 { (&self.declared.0, &self.declared.1) } else { (&self.values, &self.any) }
    }

    /// The declared row, before `init` changes it.
    pub(crate) fn declared(&self) -> &[i32] {
        if self.starts.is_empty() { &self.values } else { &self.declared.0 }
    }

    /// Whether a state is one of them.
    pub(crate) fn contains(&self, state: &[i32]) -> bool {
        state.len() == self.values.len()
            && (0..self.start_count()).any(|number| {
                let (values, any) = self.start(number);
                state.iter().enumerate().all(|(slot, value)| {
                    *value == values[slot] || any.binary_search(&Id::from_index(slot)).is_ok()
                })
            })
    }

    /// Begins at the first initial state.
    pub fn walk(&self) -> InitialWalk {
        InitialWalk { values: self.values.clone(), any: self.any.clone(), start: 0 }
    }

    /// Goes to the next initial state, in the order of an odometer whose first slot turns fastest, and row by row.
    pub fn advance(&self, program: &Program, packing: &Packing, walk: &mut InitialWalk) -> bool {
        for &slot in &walk.any {
            let ty = program.vars[packing.var(slot)].ty;
            let value = &mut walk.values[slot.index()];
            if ty.contains(*value as i64 + 1) {
                *value += 1;
                return true;
            }
            *value = ty.low;
        }
        let next = walk.start + 1;
        let Some(changes) = self.starts.get(next) else { return false };
        for &(slot, _) in self.changes(walk.start) {
            walk.values[slot.index()] = self.declared.0[slot.index()];
        }
        for &(slot, value) in changes {
            walk.values[slot.index()] = value;
        }
        walk.start = next;
        walk.any.clone_from(&self.declared.1);
        walk.any.retain(|slot| changes.binary_search_by_key(slot, |(slot, _)| *slot).is_err());
        true
    }

    fn variable(&mut self, program: &Program, id: VarId, var: &Var) -> Result<(), Fault> {
        let owners = var.owner.map_or(1, |f| program.families[f].size);
        let entries: u32 = var.index.iter().map(|&d| domain_size(d, &program.families)).product();
        let fixed = var.init.and_then(|init| match program.terms[init].kind {
            TermKind::Const(value) => Some(value as i32),
            _ => None,
        });
        let code = var.init.map(|init| compile_with(program, init, &[]));
        let mut scratch = Scratch::default();
        scratch.regs.reserve(code.as_ref().map_or(0, Code::bound_regs).max(var.init_regs.len() as u32));
        for owner in 0..owners {
            let first = match var.owner {
                Some(family) => program.layout.local(family, owner, id),
                None => program.layout.global(id),
            };
            for entry in 0..entries {
                let slot = Slot(first.0 + entry);
                self.values[slot.index()] = match (&code, fixed) {
                    (None, _) => {
                        self.any.push(slot);
                        var.ty.low
                    }
                    (Some(_), Some(value)) => value,
                    (Some(code), None) => evaluate(program, var, code, owner, entry, &mut scratch)?,
                };
            }
        }
        Ok(())
    }
}

/// The assignments to the declared row by each choice of the parameters of `init`; each outcome once, in the order of the choices.
fn starts(program: &Program, declared: &[i32]) -> Result<Vec<Vec<(Slot, i32)>>, Diagnostic> {
    let mut all: Vec<Vec<(Slot, i32)>> = Vec::new();
    let mut known: BTreeSet<Vec<(Slot, i32)>> = BTreeSet::new();
    let mut stepper = Stepper::default();
    let size = |domain: &Domain| u64::from(domain_size(*domain, &program.families));
    let product = |domains: &[(Reg, Domain)]| {
        domains.iter().map(|(_, domain)| size(domain)).fold(1, u64::saturating_mul)
    };
    for start in &program.starts {
        let choices = product(&start.params);
        let writes: u64 = start.assignments.iter().map(|a| product(&a.over)).sum();
        if choices > MAX_STARTS || choices.saturating_mul(writes) > MAX_START_WRITES {
            let message = alloc::format!(
                "`init` would make {choices} initial states, and in all {} assignments; at most {MAX_STARTS} and \
                 {MAX_START_WRITES} are made",
                choices.saturating_mul(writes)
            );
            return Err(Diagnostic::too_large(start.span, message));
        }
        let code = compile_start(program, start);
        for choice in 0..choices {
            let mut rest = choice;
            let mut bound: Vec<(Reg, i64)> = Vec::new();
            for (reg, domain) in start.params.iter().rev() {
                let low = if let Domain::Range(low, _) = domain { *low } else { 0 };
                bound.push((*reg, low + (rest % size(domain)) as i64));
                rest /= size(domain);
            }
            let made = begin(&mut stepper, declared, &code, &bound);
            let made = made.map_err(|fault| start_fault(program, start, &bound, &fault))?;
            let Some(writes) = made else { continue };
            let changes: BTreeMap<Slot, i32> =
                writes.iter().map(|write| (write.target.slot(), write.value)).collect();
            let changes: Vec<(Slot, i32)> = changes.into_iter().collect();
            if known.insert(changes.clone()) {
                all.push(changes);
            }
        }
    }
    match program.starts.first() {
        Some(first) if all.is_empty() => {
            let message = "`init` makes no initial state: no choice of its parameters meets its guard";
            Err(Diagnostic::new(first.span, message))
        }
        _ => Ok(all),
    }
}

/// The assignments of a start with these values for its parameters; nothing where its guard does not hold.
fn begin<'s>(
    stepper: &'s mut Stepper,
    declared: &[i32],
    start: &CompiledAction,
    bound: &[(Reg, i64)],
) -> Result<Option<&'s [Write]>, Fault> {
    stepper.scratch.regs.reserve(start.regs);
    for &(reg, value) in bound {
        stepper.scratch.regs.set(reg, value, 1);
    }
    let view = Flat::new(declared);
    if !Stepper::tests(&mut stepper.scratch, &view, start, 0)? {
        return Ok(None);
    }
    stepper.evaluate(&view, start, None)?;
    Ok(Some(&stepper.writes))
}

fn start_fault(program: &Program, start: &Start, bound: &[(Reg, i64)], fault: &Fault) -> Diagnostic {
    let mut choices: Vec<String> = Vec::new();
    for ((reg, domain), name) in start.params.iter().zip(&start.names) {
        let value = bound.iter().find(|(bound, _)| bound == reg).map_or(0, |(_, value)| *value);
        let shown = match domain {
            Domain::Family(family) => {
                program.show_value(Type::Process { family: *family, optional: false }, value).to_string()
            }
            Domain::Range(..) => value.to_string(),
        };
        choices.push(alloc::format!("{name} = {shown}"));
    }
    let with =
        if choices.is_empty() { String::new() } else { alloc::format!(" with {}", choices.join(", ")) };
    Diagnostic::new(fault.span, alloc::format!("in `init`{with}: {}", fault.kind))
}

fn evaluate(
    program: &Program,
    var: &Var,
    code: &Code,
    owner: u32,
    entry: u32,
    scratch: &mut Scratch,
) -> Result<i32, Fault> {
    let mut regs = var.init_regs.iter();
    if var.owner.is_some()
        && let Some(&reg) = regs.next()
    {
        scratch.regs.set(reg, owner as i64, 1);
    }
    let mut rest = entry;
    let indices: Vec<(Reg, Domain)> = regs.copied().zip(var.index.iter().copied()).collect();
    for &(reg, domain) in indices.iter().rev() {
        let size = domain_size(domain, &program.families);
        let low = match domain {
            Domain::Family(_) => 0,
            Domain::Range(low, _) => low,
        };
        scratch.regs.set(reg, low + (rest % size) as i64, 1);
        rest /= size;
    }
    let value = code.eval(&Flat::new(&[]), &mut scratch.regs, &mut scratch.stack)?;
    if !var.ty.contains(value) {
        let (low, high) = (var.ty.low as i64, var.ty.high());
        let span = code.spans.last().copied().unwrap_or(var.span);
        return Err(Fault { kind: FaultKind::Range { value, low, high }, span });
    }
    Ok(value as i32)
}
