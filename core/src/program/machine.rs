//! Executing a program: the steps that a state has.

use super::code::{Fault, FaultKind, LocalPlace, LoopDomain, View, every, with_bound};
use super::compile::{CompiledAction, Scratch};
use super::effect::{CompiledWrite, Over, Place};
use super::flat::Flat;
use super::layout::{PackedState, Packing, Slot, copy};
use super::term::Reg;
use super::types::FamilyId;
use super::{ActionId, Program};
use crate::error::{Classified, ErrorKind};
use crate::group::Process;
use crate::ids::Id;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

/// One assignment of a step, evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// Where.
    pub target: WriteTarget,
    /// The new value, in the range of the variable's type.
    pub value: i32,
    /// How many processes it is made for, from the target's on, which are alike; 1 in a plain view.
    pub count: u32,
    /// The statement that it is made by.
    turn: u32,
}

/// The place an evaluated assignment writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteTarget {
    /// A shared slot.
    Shared(u32),
    /// A slot of a process.
    Local(LocalPlace, u32),
}

impl WriteTarget {
    /// The slot in a plain row.
    pub fn slot(self) -> Slot {
        match self {
            WriteTarget::Shared(slot) => Slot(slot),
            WriteTarget::Local(place, process) => Slot(place.slot(process)),
        }
    }
}

/// A step that a state has.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The process that executes.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// The action's arguments: numbers, or processes as numbers in their families.
    pub arguments: &'a [i64],
    /// How many steps like this one the state has; 1 in a plain view.
    pub weight: u64,
    /// The assignments.
    pub writes: &'a [Write],
}

impl Successor<'_> {
    /// The state that it leads to from a plain state.
    pub fn apply(&self, values: &[i32]) -> Vec<i32> {
        let mut next = values.to_vec();
        for write in self.writes {
            next[write.target.slot().index()] = write.value;
        }
        next
    }
}

/// A fault, and the step that has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepFault {
    /// The error and its place in the text.
    pub fault: Fault,
    /// The process that was to execute, where it was already chosen.
    pub process: Option<Process>,
    /// The action; none where it is what is assumed that cannot be evaluated in an initial state.
    pub action: Option<ActionId>,
    /// The arguments chosen so far.
    pub arguments: Vec<i64>,
}

impl fmt::Display for StepFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl core::error::Error for StepFault {}

impl Classified for StepFault {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Fault
    }
}

/// Which steps of a state are listed, where the view can tell that some are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enumeration {
    /// All of them.
    All,
    /// Of processes that are alike the steps of one.
    Processes,
    /// Of steps that are alike one.
    Orbits,
}

/// Lists the steps of a state in the fixed order: process, action in source order, parameters in order.
#[derive(Clone, Debug, Default)]
pub struct Stepper {
    pub(super) scratch: Scratch,
    pub(super) writes: Vec<Write>,
    /// For each action of the family at hand: whether the tests that need no process hold.
    open: Vec<bool>,
    /// Room for evaluating an assumption.
    judging: Scratch,
    /// Whether steps out of what is assumed count.
    everywhere: bool,
}

impl Stepper {
    /// Calls `each` for every step of the state, until it breaks off.
    pub fn steps<V: View>(
        &mut self,
        program: &Program,
        view: &V,
        listed: Enumeration,
        each: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepFault> {
        // Other states were steps' targets, and the assumption was evaluated there.
        if program.assumption.is_some() && !program.initial.is_one() {
            let wrong = |fault| StepFault { fault, process: None, action: None, arguments: Vec::new() };
            program.assumes(view, &mut self.judging).map_err(wrong)?;
        }
        for (family_id, family) in program.families.iter_enumerated() {
            self.open.clear();
            for &id in &family.actions {
                let action = &program.compiled[id];
                self.scratch.regs.reserve(action.regs);
                let open = Self::tests(&mut self.scratch, view, action, 0);
                self.open.push(open.map_err(|fault| self.step_fault(None, id, 0, fault))?);
            }
            if !self.open.contains(&true) {
                continue;
            }
            let mut process = None;
            loop {
                let next = match listed {
                    Enumeration::All => every(family.size, process),
                    _ => view.next(family_id, family.size, process, &[]),
                };
                let Some((index, weight)) = next else { break };
                process = Some(index);
                let executing = Process(family.first.0 + index);
                for (position, &id) in family.actions.iter().enumerate() {
                    if self.open[position] {
                        self.scratch.regs.set(Reg(0), index as i64, weight);
                        let weight = weight as u64;
                        if self.bind(program, view, listed, executing, id, 0, weight, each)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The assignments of a step that is given by its process, its action and its arguments; nothing where its guard
    /// does not hold.
    pub fn execute<V: View>(
        &mut self,
        program: &Program,
        view: &V,
        process: Process,
        id: ActionId,
        arguments: &[i64],
    ) -> Result<Option<&[Write]>, StepFault> {
        self.bind_all(program, process, id, arguments);
        let action = &program.compiled[id];
        for level in 0..action.levels.len() {
            let passed = Self::tests(&mut self.scratch, view, action, level);
            if !passed.map_err(|fault| self.step_fault(Some(process), id, arguments.len(), fault))? {
                return Ok(None);
            }
        }
        let computed = Self::computed(program, view, process, id);
        let given = match &computed {
            None => None,
            Some(outcomes) => match outcomes.get(choice(arguments)) {
                None => return Ok(None),
                values => values.map(Vec::as_slice),
            },
        };
        let inside = self.evaluate(view, action, given).and_then(|()| self.stays_inside(program, view));
        let inside = inside.map_err(|fault| self.step_fault(Some(process), id, arguments.len(), fault))?;
        Ok(inside.then_some(&self.writes))
    }

    /// Whether the step whose assignments have been evaluated leads to a state that is looked at.
    fn stays_inside<V: View>(&mut self, program: &Program, view: &V) -> Result<bool, Fault> {
        match &program.assumption {
            Some(assumed) if !self.everywhere => {
                view.holds_after(&assumed.predicate, &self.writes, &mut self.judging)
            }
            _ => Ok(true),
        }
    }

    /// Whether a state without steps has some that lead out of what is assumed: it is no deadlock then.
    pub fn is_cut_off<V: View>(&mut self, program: &Program, view: &V) -> bool {
        if program.assumption.is_none() {
            return false;
        }
        self.everywhere = true;
        let first = self.steps(program, view, Enumeration::Orbits, &mut |_| ControlFlow::Break(()));
        self.everywhere = false;
        matches!(first, Ok(ControlFlow::Break(())))
    }

    /// The assignments of a step whose guard is known to hold.
    pub fn assignments<V: View>(
        &mut self,
        program: &Program,
        view: &V,
        process: Process,
        id: ActionId,
        arguments: &[i64],
    ) -> Result<&[Write], StepFault> {
        self.bind_all(program, process, id, arguments);
        let computed = Self::computed(program, view, process, id);
        let given = computed.as_ref().and_then(|outcomes| outcomes.get(choice(arguments)));
        let given = given.map(Vec::as_slice);
        self.evaluate(view, &program.compiled[id], given)
            .map_err(|fault| self.step_fault(Some(process), id, arguments.len(), fault))?;
        Ok(&self.writes)
    }

    /// The outcomes of an action that is computed outside of the program.
    fn computed<V: View>(
        program: &Program,
        view: &V,
        process: Process,
        id: ActionId,
    ) -> Option<Vec<Vec<i64>>> {
        let behaviour = program.compiled[id].behaviour.as_ref()?;
        Some(behaviour.0.outcomes(view, program.locate(process).1, id))
    }

    /// Calls `each` for every outcome of an action that is computed outside of the program.
    fn each_outcome<V: View>(
        &mut self,
        view: &V,
        (process, id, action): (Process, ActionId, &CompiledAction),
        outcomes: &[Vec<i64>],
        weight: u64,
        each: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepFault> {
        let most = match action.params.first() {
            Some((_, LoopDomain::Range(_, high))) => *high,
            _ => 0,
        };
        for (number, values) in (0..).zip(outcomes) {
            if let Some((reg, _)) = action.params.first() {
                self.scratch.regs.set(*reg, number, 1);
            }
            let span = action.writes.first().map_or_else(Default::default, |write| write.span);
            let kind = FaultKind::Range { value: number, low: 0, high: most };
            let passed = if number > most { Err(Fault { kind, span }) } else { Ok(()) };
            passed
                .and_then(|()| self.evaluate(view, action, Some(values)))
                .map_err(|fault| self.step_fault(Some(process), id, action.params.len(), fault))?;
            let arguments = &self.scratch.regs.values[1..=action.params.len()];
            let step = Successor { process, action: id, arguments, weight, writes: &self.writes };
            if each(step).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn bind_all(&mut self, program: &Program, process: Process, id: ActionId, arguments: &[i64]) {
        self.scratch.regs.reserve(program.compiled[id].regs.max(arguments.len() as u32 + 1));
        self.scratch.regs.set(Reg(0), program.locate(process).1 as i64, 1);
        for (reg, &value) in (1..).map(Reg).zip(arguments) {
            self.scratch.regs.set(reg, value, 1);
        }
    }

    /// Tells of each of a family's processes whether it is enabled.
    pub fn enabled_among<V: View>(
        &mut self,
        program: &Program,
        view: &V,
        family_id: FamilyId,
        among: impl Iterator<Item = u32>,
        mut each: impl FnMut(u32, bool),
    ) -> Result<(), StepFault> {
        let family = &program.families[family_id];
        let mut open = Vec::with_capacity(family.actions.len());
        for &id in &family.actions {
            self.scratch.regs.reserve(program.compiled[id].regs);
            let passed = Self::tests(&mut self.scratch, view, &program.compiled[id], 0);
            if passed.map_err(|fault| self.step_fault(None, id, 0, fault))? {
                open.push(id);
            }
        }
        for index in among {
            let executing = Process(family.first.0 + index);
            let mut enabled = false;
            for &id in &open {
                self.scratch.regs.set(Reg(0), index as i64, 1);
                let mut stop = |_: Successor<'_>| ControlFlow::Break(());
                let found = self.bind(program, view, Enumeration::All, executing, id, 0, 1, &mut stop)?;
                enabled |= found.is_break();
                if enabled {
                    break;
                }
            }
            each(index, enabled);
        }
        Ok(())
    }

    pub(super) fn tests<V: View>(
        scratch: &mut Scratch,
        view: &V,
        action: &CompiledAction,
        level: usize,
    ) -> Result<bool, Fault> {
        for condition in &action.levels[level] {
            if !condition.holds(view, scratch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the tests that can be made with `depth` parameters bound, then binds the next one.
    #[allow(
        clippy::too_many_arguments,
        reason = "the state of one recursion, bounded by the number of parameters"
    )]
    fn bind<V: View>(
        &mut self,
        program: &Program,
        view: &V,
        listed: Enumeration,
        process: Process,
        id: ActionId,
        depth: usize,
        weight: u64,
        each: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepFault> {
        let action = &program.compiled[id];
        if let Some(outcomes) = Self::computed(program, view, process, id) {
            return self.each_outcome(view, (process, id, action), &outcomes, weight, each);
        }
        let passed = Self::tests(&mut self.scratch, view, action, depth + 1);
        if !passed.map_err(|fault| self.step_fault(Some(process), id, depth, fault))? {
            return Ok(ControlFlow::Continue(()));
        }
        let Some((reg, domain)) = action.params.get(depth) else {
            let inside = self.evaluate(view, action, None).and_then(|()| self.stays_inside(program, view));
            if !inside.map_err(|fault| self.step_fault(Some(process), id, depth, fault))? {
                return Ok(ControlFlow::Continue(()));
            }
            let arguments = &self.scratch.regs.values[1..=action.params.len()];
            return Ok(each(Successor { process, action: id, arguments, weight, writes: &self.writes }));
        };
        let mut bound = None;
        loop {
            let next = match (listed, domain) {
                (Enumeration::All | Enumeration::Processes, LoopDomain::Family(_, size, _)) => {
                    every(*size, bound.map(|p| p as u32)).map(|(p, _)| (p as i64, 1))
                }
                _ => domain.next(view, &self.scratch.regs, bound),
            };
            let Some((value, share)) = next else { return Ok(ControlFlow::Continue(())) };
            bound = Some(value);
            self.scratch.regs.set(*reg, value, share);
            let weight = weight * share as u64;
            if self.bind(program, view, listed, process, id, depth + 1, weight, each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// Evaluates every assignment in the old state; their values may be given.
    pub(super) fn evaluate<V: View>(
        &mut self,
        view: &V,
        action: &CompiledAction,
        given: Option<&[i64]>,
    ) -> Result<(), Fault> {
        self.writes.clear();
        for (number, write) in action.writes.iter().enumerate() {
            match write.over.as_slice() {
                [] => self.assign(view, write, 1, given.and_then(|values| values.get(number).copied()))?,
                over => self.assign_all(view, write, over, 1)?,
            }
        }
        Ok(())
    }

    /// Makes an assignment for every choice of these names, and for `count` like processes each time.
    fn assign_all<V: View>(
        &mut self,
        view: &V,
        write: &CompiledWrite,
        over: &[Over],
        count: u32,
    ) -> Result<(), Fault> {
        let Some((first, rest)) = over.split_first() else { return self.assign(view, write, count, None) };
        let mut after = None;
        loop {
            let (value, alike) = match &first.domain {
                LoopDomain::Range(low, high) => {
                    let next = after.map_or(*low, |v: i64| v + 1);
                    if next > *high {
                        return Ok(());
                    }
                    (next, 1)
                }
                LoopDomain::Family(family, size, peers) => {
                    let behind = after.map(|p| p as u32);
                    let next = if first.stretches {
                        let stretch = |bound: &[u32]| view.stretch(*family, *size, behind, bound);
                        with_bound(peers, &self.scratch.regs, stretch)
                    } else {
                        every(*size, behind)
                    };
                    let Some((process, alike)) = next else { return Ok(()) };
                    (process.into(), alike)
                }
            };
            self.scratch.regs.set(first.reg, value, 1);
            self.assign_all(view, write, rest, count * alike)?;
            after = Some(value + i64::from(alike) - 1);
        }
    }

    fn assign<V: View>(
        &mut self,
        view: &V,
        write: &CompiledWrite,
        count: u32,
        given: Option<i64>,
    ) -> Result<(), Fault> {
        if let Some(when) = &write.when
            && !when.holds(view, &mut self.scratch)?
        {
            return Ok(());
        }
        let Scratch { regs, stack } = &mut self.scratch;
        let value = match given {
            Some(value) => value,
            None => write.value.eval(view, regs, stack)?,
        };
        if !write.ty.contains(value) {
            let (low, high) = (write.ty.low as i64, write.ty.high());
            return Err(Fault { kind: FaultKind::Range { value, low, high }, span: write.span });
        }
        let mut offset = |code: &Option<super::code::Code>| match code {
            None => Ok(0),
            Some(code) => code.eval(view, regs, stack).map(|offset| offset as u32),
        };
        let target = match &write.place {
            Place::Shared { slot, offset: code } => WriteTarget::Shared(slot + offset(code)?),
            Place::Local { place, process, offset: code } => {
                let mut place = *place;
                place.offset += offset(code)?;
                WriteTarget::Local(place, process.eval(view, regs, stack)? as u32)
            }
        };
        let (value, turn) = (value as i32, write.turn);
        let same = if write.rivals { self.writes.iter_mut().find(|w| w.target == target) } else { None };
        match same {
            None => self.writes.push(Write { target, value, count, turn }),
            Some(first) if first.turn != turn => (first.value, first.turn) = (value, turn),
            Some(first) if first.value == value => {}
            Some(_) => return Err(Fault { kind: FaultKind::AssignedTwice, span: write.span }),
        }
        Ok(())
    }

    fn step_fault(
        &self,
        process: Option<Process>,
        action: ActionId,
        depth: usize,
        fault: Fault,
    ) -> StepFault {
        let action = Some(action);
        StepFault { fault, process, action, arguments: self.scratch.regs.values[1..=depth].to_vec() }
    }
}

/// The outcome that a step of an action which is computed outside means: its first argument, if it has one.
fn choice(arguments: &[i64]) -> usize {
    arguments.first().map_or(0, |&number| number as usize)
}

/// Executes a program on packed states.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    packing: Packing,
    values: Vec<i32>,
    next: Vec<u64>,
    stepper: Stepper,
    scratch: Scratch,
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    pub fn new(program: &'p Program) -> Self {
        let packing = Packing::new(program);
        Machine {
            program,
            values: alloc::vec![0; program.layout.slots as usize],
            next: alloc::vec![0; packing.words() as usize],
            packing,
            stepper: Stepper::default(),
            scratch: Scratch::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How this machine packs states.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Unpacks a state: the following calls are about it.
    pub fn load(&mut self, packed: &PackedState) {
        self.packing.unpack(packed, &mut self.values);
    }

    /// The values of the loaded state, one per slot.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// Calls `each` with every step of the loaded state, which is `packed`, and the packed state it leads to, until it
    /// breaks off.
    pub fn successors(
        &mut self,
        packed: &PackedState,
        mut each: impl FnMut(Successor<'_>, &PackedState) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepFault> {
        let Machine { program, packing, values, next, stepper, .. } = self;
        stepper.steps(program, &Flat::new(values), Enumeration::All, &mut |step| {
            copy(next, packed);
            for write in step.writes {
                packing.set(next, write.target.slot(), write.value);
            }
            each(step, next)
        })
    }

    /// Calls `each` with every step of a plain state; a fault ends the list.
    pub fn steps(
        &mut self,
        values: &[i32],
        each: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepFault> {
        self.stepper.steps(self.program, &Flat::new(values), Enumeration::All, each)
    }

    /// Whether the loaded state, which has no steps, has some that lead out of what is assumed.
    pub fn is_cut_off(&mut self) -> bool {
        self.stepper.is_cut_off(self.program, &Flat::new(&self.values))
    }

    /// Whether a predicate holds in the loaded state.
    pub fn holds(&mut self, predicate: &super::Predicate) -> Result<bool, Fault> {
        predicate.holds(&Flat::new(&self.values), &mut self.scratch, &[])
    }
}
