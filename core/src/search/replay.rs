//! Replaying a run: is it a computation of the program, fair, and wrong?
//!
//! This shares nothing with the search: it executes the program on plain states, and asks the property itself.

use super::lasso::{Lasso, LassoStep};
use crate::automaton::{Ap, LassoWord, Valuation};
use crate::group::Process;
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{ActionId, Flat, Machine, Program, Scratch};
use crate::property::Obligation;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Why a run is no counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LassoFault {
    /// It does not start in an initial state.
    NotInitial,
    /// The step with this number is no step of the program.
    NoStep(usize),
    /// The loop is empty, or does not lead back to where it began.
    Open,
    /// The property holds on it.
    Right,
    /// It treats this process unfairly.
    Unfair(Process),
}

/// How one process is treated fairly inside the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ledger {
    /// It needs no fairness.
    NotAsked,
    /// It executes in this step of the loop.
    Executes(u32),
    /// It is disabled before this step of the loop.
    Disabled(u32),
    /// It is disabled all the time.
    NeverEnabled,
}

/// What a state offers: the processes that are enabled, and every step.
struct Offer {
    enabled: Vec<bool>,
    steps: Vec<(Process, ActionId, Vec<i64>, Vec<i32>)>,
}

/// Replays a run; gives the fairness ledger, one entry for each process.
pub fn replay(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    lasso: &Lasso,
) -> Result<Vec<Ledger>, LassoFault> {
    if !is_initial(program, &lasso.start) {
        return Err(LassoFault::NotInitial);
    }
    let mut machine = Machine::new(program);
    let mut values = lasso.start.clone();
    let mut offers = Vec::new();
    let mut letters = Vec::new();
    for (number, step) in lasso.stem.iter().chain(&lasso.cycle).enumerate() {
        let offer = offer(&mut machine, &values);
        if !is_step(&offer, deadlock, &values, step) {
            return Err(LassoFault::NoStep(number));
        }
        letters.push(letter(program, obligation, &values, &offer, step.process));
        offers.push(offer);
        values.clone_from(&step.values);
    }
    let entry = lasso.stem.last().map_or(&lasso.start, |step| &step.values);
    if lasso.cycle.is_empty() || values != *entry {
        return Err(LassoFault::Open);
    }
    let cycle = letters.split_off(lasso.stem.len());
    let word = LassoWord::new(letters, cycle);
    let wrong = match &obligation.formula {
        Some((arena, formula)) => !arena.holds_on(*formula, &word),
        None => obligation.automaton.accepts(&word),
    };
    if !wrong {
        return Err(LassoFault::Right);
    }
    let offers = &offers[lasso.stem.len()..];
    (0..program.process_count()).map(|p| ledger(Process(p), fairness, offers, &lasso.cycle)).collect()
}

fn is_initial(program: &Program, values: &[i32]) -> bool {
    let initial = &program.initial;
    values.len() == initial.values.len()
        && values.iter().enumerate().all(|(slot, value)| {
            *value == initial.values[slot] || initial.any.binary_search(&Id::from_index(slot)).is_ok()
        })
}

fn offer(machine: &mut Machine<'_>, values: &[i32]) -> Offer {
    let packing = machine.packing().clone();
    let mut packed = alloc::vec![0; packing.words() as usize];
    packing.pack(values, &mut packed);
    machine.load(&packed);
    let mut offer =
        Offer { enabled: alloc::vec![false; machine.program().process_count() as usize], steps: Vec::new() };
    // A fault would have ended the search; the steps before it are offered all the same.
    let _ = machine.successors(&packed, |step, next| {
        let mut target = alloc::vec![0; values.len()];
        packing.unpack(next, &mut target);
        offer.enabled[step.process.index()] = true;
        offer.steps.push((step.process, step.action, step.arguments.to_vec(), target));
        ControlFlow::Continue(())
    });
    offer
}

fn is_step(offer: &Offer, deadlock: Deadlock, values: &[i32], step: &LassoStep) -> bool {
    match (step.process, &step.action) {
        (Some(process), Some((action, arguments))) => offer.steps.iter().any(|(p, a, args, target)| {
            (*p, *a) == (process, *action) && args == arguments && *target == step.values
        }),
        (None, None) => offer.steps.is_empty() && deadlock == Deadlock::Stutter && step.values == values,
        _ => false,
    }
}

fn letter(
    program: &Program,
    obligation: &Obligation,
    values: &[i32],
    offer: &Offer,
    executed: Option<Process>,
) -> Valuation {
    let view = Flat { values, enabled: &offer.enabled, executed };
    let mut scratch = Scratch::default();
    let mut valuation = Valuation::default();
    for (number, atom) in obligation.atoms.iter().enumerate() {
        let holds = atom.holds(program, &view, &mut scratch, &obligation.tracked).unwrap_or(false);
        valuation.set(Ap(number as u32), holds);
    }
    valuation
}

fn ledger(
    process: Process,
    fairness: &FairnessOf,
    offers: &[Offer],
    cycle: &[LassoStep],
) -> Result<Ledger, LassoFault> {
    if fairness.none.contains(process) {
        return Ok(Ledger::NotAsked);
    }
    if let Some(number) = cycle.iter().position(|step| step.process == Some(process)) {
        return Ok(Ledger::Executes(number as u32));
    }
    let disabled = offers.iter().position(|offer| !offer.enabled[process.index()]);
    if offers.iter().all(|offer| !offer.enabled[process.index()]) {
        return Ok(Ledger::NeverEnabled);
    }
    match disabled {
        Some(number) if !fairness.strong.contains(process) => Ok(Ledger::Disabled(number as u32)),
        _ => Err(LassoFault::Unfair(process)),
    }
}
