//! Replaying a run: is it a computation of the program, fair, and wrong?
//!
//! This shares nothing with the search: it executes the program on plain states, and asks the property itself.

use super::lasso::{Lasso, LassoStep};
use crate::automaton::{Ap, LassoWord, Valuation};
use crate::explore::Path;
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
    let mut values = &lasso.start;
    let mut enabled = Vec::new();
    let mut letters = Vec::new();
    for (number, step) in lasso.stem.iter().chain(&lasso.cycle).enumerate() {
        let named = match (step.process, &step.action) {
            (Some(process), Some((action, arguments))) => Some((process, *action, arguments.as_slice())),
            (None, None) => None,
            _ => return Err(LassoFault::NoStep(number)),
        };
        let offer = offer(&mut machine, values, named, &step.values);
        let stutters = offer.none && deadlock == Deadlock::Stutter && step.values == *values;
        if !(offer.taken || named.is_none() && stutters) {
            return Err(LassoFault::NoStep(number));
        }
        letters.push(letter(program, obligation, values, &offer.enabled, step.process));
        enabled.push(offer.enabled);
        values = &step.values;
    }
    let entry = lasso.stem.last().map_or(&lasso.start, |step| &step.values);
    if lasso.cycle.is_empty() || values != entry {
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
    let enabled = &enabled[lasso.stem.len()..];
    (0..program.process_count()).map(|p| ledger(Process(p), fairness, enabled, &lasso.cycle)).collect()
}

/// Replays a path: does it start in an initial state, and is every step of it one of the program?
pub fn replay_path(program: &Program, path: &Path) -> Result<(), LassoFault> {
    if !is_initial(program, &path.start) {
        return Err(LassoFault::NotInitial);
    }
    let mut machine = Machine::new(program);
    let mut values = &path.start;
    for (number, step) in path.steps.iter().enumerate() {
        let named = (step.process, step.action, step.arguments.as_slice());
        if !offer(&mut machine, values, Some(named), &step.values).taken {
            return Err(LassoFault::NoStep(number));
        }
        values = &step.values;
    }
    Ok(())
}

pub(crate) fn is_initial(program: &Program, values: &[i32]) -> bool {
    let initial = &program.initial;
    values.len() == initial.values.len()
        && values.iter().enumerate().all(|(slot, value)| {
            *value == initial.values[slot] || initial.any.binary_search(&Id::from_index(slot)).is_ok()
        })
}

/// What a state offers.
pub(crate) struct Offer {
    pub enabled: Vec<bool>,
    /// Whether it has no step.
    pub none: bool,
    /// Whether it has the step that is asked for, to the state that is asked for.
    pub taken: bool,
}

/// What a state offers: a step to `target` among it?
pub(crate) fn offer(
    machine: &mut Machine<'_>,
    values: &[i32],
    wanted: Option<(Process, ActionId, &[i64])>,
    target: &[i32],
) -> Offer {
    let enabled = alloc::vec![false; machine.program().process_count() as usize];
    let mut offer = Offer { enabled, none: true, taken: false };
    // A fault would have ended the search; the steps before it are offered all the same.
    let _ = machine.steps(values, &mut |step| {
        offer.none = false;
        offer.enabled[step.process.index()] = true;
        offer.taken |=
            wanted == Some((step.process, step.action, step.arguments)) && step.apply(values) == target;
        ControlFlow::Continue(())
    });
    offer
}

pub(crate) fn letter(
    program: &Program,
    obligation: &Obligation,
    values: &[i32],
    enabled: &[bool],
    executed: Option<Process>,
) -> Valuation {
    let view = Flat { values, enabled, executed };
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
    enabled: &[Vec<bool>],
    cycle: &[LassoStep],
) -> Result<Ledger, LassoFault> {
    if fairness.none.contains(process) {
        return Ok(Ledger::NotAsked);
    }
    if let Some(number) = cycle.iter().position(|step| step.process == Some(process)) {
        return Ok(Ledger::Executes(number as u32));
    }
    let disabled = enabled.iter().position(|enabled| !enabled[process.index()]);
    if enabled.iter().all(|enabled| !enabled[process.index()]) {
        return Ok(Ledger::NeverEnabled);
    }
    match disabled {
        Some(number) if !fairness.strong.contains(process) => Ok(Ledger::Disabled(number as u32)),
        _ => Err(LassoFault::Unfair(process)),
    }
}
