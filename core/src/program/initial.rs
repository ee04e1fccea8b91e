//! The initial states.

use super::code::{Code, Fault, FaultKind};
use super::compile::{Scratch, compile_with};
use super::flat::Flat;
use super::layout::{Packing, Slot, domain_size};
use super::term::{Domain, Reg, TermKind};
use super::{Program, Var, VarId};
use crate::ids::Id;
use crate::sort::Sort as _;
use crate::text::Diagnostic;
use alloc::vec::Vec;

/// Where a run may start: one row of values, and the slots that may have any value instead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitialStates {
    /// One initial value per slot.
    pub values: Vec<i32>,
    /// The slots whose initial value is any of their type.
    pub any: Vec<Slot>,
}

impl InitialStates {
    /// Evaluates the initial values.
    pub(super) fn new(program: &Program) -> Result<InitialStates, Vec<Diagnostic>> {
        let mut states =
            InitialStates { values: alloc::vec![0; program.layout.slots as usize], any: Vec::new() };
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
        if diagnostics.is_empty() { Ok(states) } else { Err(diagnostics) }
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

    /// How many initial states there are; none if more than 2⁶⁴.
    pub fn count(&self, program: &Program, packing: &Packing) -> Option<u64> {
        let sizes = self.any.iter().map(|&slot| program.vars[packing.var(slot)].ty.size);
        sizes.into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// Steps to the next initial state, in the order of an odometer whose first slot turns fastest.
    pub fn advance(&self, program: &Program, packing: &Packing, values: &mut [i32]) -> bool {
        for &slot in &self.any {
            let ty = program.vars[packing.var(slot)].ty;
            let value = &mut values[slot.index()];
            if ty.contains(*value as i64 + 1) {
                *value += 1;
                return true;
            }
            *value = ty.low;
        }
        false
    }
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
