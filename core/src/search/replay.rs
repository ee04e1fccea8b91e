//! Replaying a run: is it a computation of the program, fair, and wrong?
//!
//! This shares nothing with the search: it executes the program on plain states, and asks the property itself.

use super::lasso::{Lasso, RunStep};
use crate::automaton::{Ap, LassoWord, Valuation};
use crate::error::{Classified, ErrorKind};
use crate::explore::{Changes, Path, change};
use crate::group::Process;
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{
    ActionId, ActionParam, Domain, Enumeration, Flat, Machine, Program, Scratch, Slot, Stepper, Successor,
};
use crate::property::Obligation;
use crate::sort::Sort as _;
use crate::strain::{size, took};
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
    /// It treats an action of this process unfairly.
    UnfairAction(Process, ActionId),
}

impl core::fmt::Display for LassoFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            LassoFault::NotInitial => f.write_str("the run does not start in an initial state"),
            LassoFault::NoStep(number) => write!(f, "step {number} of the run is no step of the program"),
            LassoFault::Open => f.write_str("the loop of the run does not close"),
            LassoFault::Right => f.write_str("the run does not violate the property"),
            LassoFault::Unfair(process) => write!(f, "the run is unfair to process {}", process.0),
            LassoFault::UnfairAction(process, action) => {
                write!(f, "the run is unfair to action {} of process {}", action.0, process.0)
            }
        }
    }
}

impl core::error::Error for LassoFault {}

impl Classified for LassoFault {
    fn kind(&self) -> ErrorKind {
        // Only runs that this crate made are replayed.
        ErrorKind::Internal
    }
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

/// At most this many questions whether a process is enabled are asked only to tell *never* from *not before this step*.
const LEDGER_EFFORT: u64 = 10_000_000;

/// Replays a run; gives the fairness ledger: one entry for each process, then one for each
/// [choice](Program::fair_choices) of an action that is to be fair by itself.
pub fn replay(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    lasso: &Lasso,
) -> Result<Vec<Ledger>, LassoFault> {
    let mut replay = Replay::new(program, obligation, lasso);
    loop {
        if let Some(result) = replay.step(obligation, fairness, deadlock, lasso) {
            return result;
        }
    }
}

/// The replay of a run, step by step. Each time the same run is handed in.
#[derive(Clone, Debug)]
pub(crate) struct Replay<'p> {
    stage: Stage<'p>,
    /// Whether the property asks who is enabled.
    asked: bool,
    /// How many steps of the run have been taken.
    number: usize,
    letters: Vec<Valuation>,
    /// The state in which the loop begins.
    entry: Option<Vec<i32>>,
    /// The duties of the loop, once the run is known to be one of the program and wrong.
    books: Option<Books>,
}

impl<'p> Replay<'p> {
    pub(crate) fn new(program: &'p Program, obligation: &Obligation, lasso: &Lasso) -> Self {
        let stage = Stage::new(program, lasso.start.clone());
        Replay {
            asked: obligation.atoms.iter().any(|atom| atom.asks_enabled(program)),
            number: 0,
            letters: Vec::with_capacity(lasso.stem.len() + lasso.cycle.len()),
            entry: lasso.stem.is_empty().then(|| stage.values.clone()),
            books: None,
            stage,
        }
    }

    /// Takes a step of the run, or looks at one of the loop for the ledger; in the end there is an answer.
    pub(crate) fn step(
        &mut self,
        obligation: &Obligation,
        fairness: &FairnessOf,
        deadlock: Deadlock,
        lasso: &Lasso,
    ) -> Option<Result<Vec<Ledger>, LassoFault>> {
        if let Some(books) = &mut self.books {
            let Some(step) = lasso.cycle.get(books.number as usize) else {
                let (program, start) = (self.stage.program, core::mem::take(&mut self.stage.values));
                let closed = self.books.take().map(Books::close)?;
                // The loop has led back to where it began.
                return Some(closed.and_then(|mut ledger| {
                    ledger.extend(action_ledger(program, fairness, start, &lasso.cycle)?);
                    Ok(ledger)
                }));
            };
            books.look(&mut self.stage, fairness, step);
            return None;
        }
        let own = lasso.stem.get(self.number).or_else(|| lasso.cycle.get(self.number - lasso.stem.len()));
        let done = match own {
            _ if self.number == 0 && !is_initial(self.stage.program, &lasso.start) => {
                Err(LassoFault::NotInitial)
            }
            Some(step) => self.take(obligation, deadlock, step, lasso.stem.len()),
            None => self.close(obligation, fairness, lasso),
        };
        done.err().map(Err)
    }

    fn take(
        &mut self,
        obligation: &Obligation,
        deadlock: Deadlock,
        step: &RunStep,
        stem: usize,
    ) -> Result<(), LassoFault> {
        let Replay { stage, .. } = self;
        let enabled = if self.asked { stage.enabled() } else { Vec::new() };
        self.letters.push(letter(stage.program, obligation, &stage.values, &enabled, step.process));
        let taken = match (step.process, &step.action) {
            (Some(process), Some((action, arguments))) => {
                stage.take(process, *action, arguments, &step.changes)
            }
            (None, None) => deadlock == Deadlock::Stutter && step.changes.is_empty() && stage.is_stuck(),
            _ => false,
        };
        if !taken {
            return Err(LassoFault::NoStep(self.number));
        }
        self.number += 1;
        if self.number == stem {
            self.entry = Some(stage.values.clone());
        }
        Ok(())
    }

    /// All steps have been taken: does the loop lead back, and is the property wrong on the run?
    fn close(
        &mut self,
        obligation: &Obligation,
        fairness: &FairnessOf,
        lasso: &Lasso,
    ) -> Result<(), LassoFault> {
        let entry = self.entry.take();
        let closed = |entry: &Vec<i32>| !lasso.cycle.is_empty() && self.stage.values == *entry;
        let Some(entry) = entry.filter(closed) else { return Err(LassoFault::Open) };
        let mut letters = core::mem::take(&mut self.letters);
        let cycle = letters.split_off(lasso.stem.len());
        let word = LassoWord::new(letters, cycle);
        let wrong = match &obligation.formula {
            Some((arena, formula)) => !arena.holds_on(*formula, &word),
            None => obligation.automaton.accepts(&word),
        };
        if !wrong {
            return Err(LassoFault::Right);
        }
        self.stage.values = entry;
        self.books = Some(Books::new(self.stage.program, fairness, &lasso.cycle));
        Ok(())
    }
}

/// Replays a path: does it start in an initial state, and is every step of it one of the program?
pub fn replay_path(program: &Program, path: &Path) -> Result<(), LassoFault> {
    if !is_initial(program, &path.start) {
        return Err(LassoFault::NotInitial);
    }
    let mut stage = Stage::new(program, path.start.clone());
    for (number, step) in path.steps.iter().enumerate() {
        if !stage.take(step.process, step.action, &step.arguments, &step.changes) {
            return Err(LassoFault::NoStep(number));
        }
    }
    Ok(())
}

/// Whether a state has no step, not even one out of what is assumed.
pub(crate) fn is_deadlock(program: &Program, values: &[i32]) -> bool {
    Stage::new(program, values.to_vec()).is_stuck()
}

/// A plain state on which steps are executed one by one.
#[derive(Clone, Debug)]
struct Stage<'p> {
    program: &'p Program,
    values: Vec<i32>,
    stepper: Stepper,
}

impl<'p> Stage<'p> {
    fn new(program: &'p Program, values: Vec<i32>) -> Self {
        Stage { program, values, stepper: Stepper::default() }
    }

    /// Executes a step, if it is one of the program that changes what it is said to change, and nothing else.
    fn take(&mut self, process: Process, action: ActionId, arguments: &[i64], said: &[(Slot, i32)]) -> bool {
        let Stage { program, values, stepper } = self;
        if !is_named(program, process, action, arguments) {
            return false;
        }
        let writes = stepper.execute(program, &Flat::new(values), process, action, arguments);
        let Ok(Some(writes)) = writes else { return false };
        let mut changes: Changes = writes.iter().map(|write| (write.target.slot(), write.value)).collect();
        changes.retain(|&(slot, value)| values[slot.index()] != value);
        changes.arrange();
        if changes != said {
            return false;
        }
        change(values, &changes);
        true
    }

    /// Whether the state has no step.
    fn is_stuck(&mut self) -> bool {
        let Stage { program, values, stepper } = self;
        let first = &mut |_: Successor<'_>| ControlFlow::Break(());
        let found = stepper.steps(program, &Flat::new(values), Enumeration::All, first);
        matches!(found, Ok(ControlFlow::Continue(()))) && !stepper.is_cut_off(program, &Flat::new(values))
    }

    /// For each process whether it is enabled.
    fn enabled(&mut self) -> Vec<bool> {
        let mut enabled = alloc::vec![false; self.program.process_count() as usize];
        self.ask(0..self.program.process_count(), |process, on| enabled[process.index()] = on);
        enabled
    }

    /// Asks of ascending processes whether they are enabled. One whose guards have an error is taken for enabled: then it
    /// has to execute.
    fn ask(&mut self, among: impl Iterator<Item = u32>, mut each: impl FnMut(Process, bool)) {
        let Stage { program, values, stepper } = self;
        let mut among = among.peekable();
        for (id, family) in program.families.iter_enumerated() {
            let first = family.first.0;
            let own = core::iter::from_fn(|| among.next_if(|&p| p < first + family.size)).map(|p| p - first);
            let mut own = own.peekable();
            if own.peek().is_none() {
                continue;
            }
            let rest: Vec<u32> = own.collect();
            let mut asked = 0;
            let view = Flat::new(values);
            let _ = stepper.enabled_among(program, &view, id, rest.iter().copied(), |index, on| {
                asked += 1;
                each(Process(first + index), on);
            });
            for index in &rest[asked..] {
                each(Process(first + index), true);
            }
        }
    }
}

/// How the loop that begins in a state treats each choice of an action that is to be fair by itself.
fn action_ledger(
    program: &Program,
    fairness: &FairnessOf,
    start: Vec<i32>,
    cycle: &[RunStep],
) -> Result<Vec<Ledger>, LassoFault> {
    if fairness.actions.is_empty() {
        return Ok(Vec::new());
    }
    let choices = fairness.actions.iter().flat_map(|fair| {
        fair.members.ranges().flatten().map(move |process| (Process(process), fair.action, fair.strong))
    });
    let choices: Vec<(Process, ActionId, bool)> = choices.collect();
    // For each choice whether it is there before each step of the loop.
    let mut offered: Vec<Vec<bool>> = alloc::vec![Vec::new(); choices.len()];
    let (mut values, mut machine) = (start, Machine::new(program));
    for step in cycle {
        let mut here = alloc::vec![false; choices.len()];
        let all = machine.steps(&values, &mut |found| {
            let is =
                |choice: &(Process, ActionId, bool)| (choice.0, choice.1) == (found.process, found.action);
            if let Some(place) = choices.iter().position(is) {
                here[place] = true;
            }
            ControlFlow::Continue(())
        });
        // Behind an error nothing is known: then it has to be executed.
        for (own, here) in offered.iter_mut().zip(here) {
            own.push(here || all.is_err());
        }
        change(&mut values, &step.changes);
    }
    let entry = |(&(process, action, strong), offered): (&(Process, ActionId, bool), &Vec<bool>)| {
        let executes = cycle.iter().position(|step| {
            step.process == Some(process) && step.action.as_ref().is_some_and(|(own, _)| *own == action)
        });
        let missing = offered.iter().position(|on| !on);
        match (executes, missing) {
            (Some(number), _) => Ok(Ledger::Executes(number as u32)),
            _ if !offered.contains(&true) => Ok(Ledger::NeverEnabled),
            (None, Some(number)) if !strong => Ok(Ledger::Disabled(number as u32)),
            _ => Err(LassoFault::UnfairAction(process, action)),
        }
    };
    choices.iter().zip(&offered).map(entry).collect()
}

/// Whether these are a process, an action of its family, and arguments of the action.
fn is_named(program: &Program, process: Process, action: ActionId, arguments: &[i64]) -> bool {
    let Some(named) = program.actions.get(action) else { return false };
    let fits = |(param, &value): (&ActionParam, &i64)| match param.domain {
        Domain::Family(family) => (0..i64::from(program.families[family].size)).contains(&value),
        Domain::Range(low, high) => (low..=high).contains(&value),
    };
    process.0 < program.process_count()
        && program.locate(process).0 == named.family
        && named.params.len() == arguments.len()
        && named.params.iter().zip(arguments).all(fits)
}

pub(crate) fn is_initial(program: &Program, values: &[i32]) -> bool {
    program.initial.contains(values) && program.takes_initial(values, &mut Scratch::default())
}

/// The processes that a state enables.
pub(crate) struct Offer {
    pub enabled: Vec<bool>,
    /// Whether it has no step.
    pub none: bool,
    /// Whether it has the step that is asked for, to the state that is asked for.
    pub taken: bool,
}

/// Lists who is enabled in a state, and whether a step leads to `target`.
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

/// How the loop treats each process. Who executes in it needs no more; of the others it is asked, state by state, whether
/// they are enabled, until it is known.
#[derive(Clone, Debug)]
struct Books {
    ledger: Vec<Option<Ledger>>,
    /// Those who have been enabled all the time, and those who have been disabled all the time.
    waiting: Vec<u32>,
    silent: Vec<u32>,
    unfair: Vec<Process>,
    effort: u64,
    /// How many steps of the loop have been looked at.
    number: u32,
}

impl Books {
    fn new(program: &Program, fairness: &FairnessOf, cycle: &[RunStep]) -> Books {
        let mut ledger: Vec<Option<Ledger>> = alloc::vec![None; program.process_count() as usize];
        for range in fairness.none.ranges() {
            ledger[range.start as usize..range.end as usize].fill(Some(Ledger::NotAsked));
        }
        for (number, step) in (0..).zip(cycle) {
            if let Some(process) = step.process {
                ledger[process.index()].get_or_insert(Ledger::Executes(number));
            }
        }
        let open = (0..).zip(&ledger).filter(|(_, entry)| entry.is_none());
        let waiting = open.map(|(process, _)| process).collect();
        Books {
            ledger,
            waiting,
            silent: Vec::new(),
            unfair: Vec::new(),
            effort: size("search: effort for the ledger", LEDGER_EFFORT, 1),
            number: 0,
        }
    }

    /// Asks in the state before a step of the loop.
    fn look(&mut self, stage: &mut Stage<'_>, fairness: &FairnessOf, step: &RunStep) {
        let Books { ledger, waiting, silent, unfair, effort, number } = self;
        match effort.checked_sub(silent.len() as u64) {
            Some(left) => *effort = left,
            // To be disabled once is enough for a weakly fair process.
            None => silent.retain(|&process| {
                took("search: the ledger says less");
                let strong = fairness.strong.contains(Process(process));
                if !strong {
                    ledger[process as usize] = Some(Ledger::Disabled(0));
                }
                strong
            }),
        }
        let asked = core::mem::take(silent);
        stage.ask(asked.into_iter(), |process, on| {
            if !on {
                silent.push(process.0);
            } else if fairness.strong.contains(process) {
                unfair.push(process);
            } else {
                ledger[process.index()] = Some(Ledger::Disabled(0));
            }
        });
        let asked = core::mem::take(waiting);
        stage.ask(asked.into_iter(), |process, on| {
            if on && fairness.strong.contains(process) {
                unfair.push(process);
            } else if on {
                waiting.push(process.0);
            } else if *number == 0 {
                silent.push(process.0);
            } else {
                ledger[process.index()] = Some(Ledger::Disabled(*number));
            }
        });
        change(&mut stage.values, &step.changes);
        *number += 1;
    }

    fn close(self) -> Result<Vec<Ledger>, LassoFault> {
        let unfair = self.unfair.into_iter().chain(self.waiting.into_iter().map(Process));
        match unfair.min() {
            Some(process) => Err(LassoFault::Unfair(process)),
            None => Ok(self.ledger.into_iter().map(|entry| entry.unwrap_or(Ledger::NeverEnabled)).collect()),
        }
    }
}
