//! Paths to states: shortest, since states are found breadth first.

use super::exploration::Exploration;
use super::states::StateId;
use crate::group::Process;
use crate::ids::Id;
use crate::program::{ActionId, Machine, PackedState, Patched, Program, Slot, Stepper};
use crate::sort::Sort as _;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The slots that a step changes, ascending, with their new values. A run of a million processes is stored in the size
/// of what happens in it.
pub type Changes = Vec<(Slot, i32)>;

/// A path from an initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The values of the initial state.
    pub start: Vec<i32>,
    /// The steps.
    pub steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The process that executes.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// The action's arguments.
    pub arguments: Vec<i64>,
    /// The slots that it changes.
    pub changes: Changes,
}

impl Path {
    /// The values of the state that each step leads to, one row after the other.
    pub fn states(&self) -> impl Iterator<Item = Vec<i32>> + '_ {
        states_along(&self.start, self.steps.iter().map(|step| &step.changes))
    }

    /// The values of the last state.
    pub fn last_state(&self) -> Vec<i32> {
        let mut row = self.start.clone();
        for step in &self.steps {
            change(&mut row, &step.changes);
        }
        row
    }
}

/// The states that changes lead to, one after the other.
pub fn states_along<'a>(
    start: &[i32],
    steps: impl Iterator<Item = &'a Changes> + 'a,
) -> impl Iterator<Item = Vec<i32>> + 'a {
    let mut row = start.to_vec();
    steps.map(move |changes| {
        change(&mut row, changes);
        row.clone()
    })
}

/// Changes a state.
pub fn change(values: &mut [i32], changes: &[(Slot, i32)]) {
    for &(slot, value) in changes {
        values[slot.index()] = value;
    }
}

/// Where two states differ, with the values of the second.
pub fn changes_between(before: &[i32], after: &[i32]) -> Changes {
    let slots = before.iter().zip(after).enumerate().filter(|(_, (a, b))| a != b);
    slots.map(|(slot, (_, &value))| (Slot::from_index(slot), value)).collect()
}

/// Writes runs down: what steps, given by name, change in a state that is given by what it has changed already.
#[derive(Clone, Debug)]
pub(crate) struct Scribe<'p> {
    program: &'p Program,
    /// The state that changes are counted from.
    pub base: Vec<i32>,
    stepper: Stepper,
}

/// Where a state differs from another one.
pub(crate) type Patch = BTreeMap<Slot, i32>;

impl<'p> Scribe<'p> {
    pub(crate) fn new(program: &'p Program, base: Vec<i32>) -> Self {
        Scribe { program, base, stepper: Stepper::default() }
    }

    /// The whole state.
    pub(crate) fn state(&self, patch: &Patch) -> Vec<i32> {
        let mut values = self.base.clone();
        for (slot, &value) in patch {
            values[slot.index()] = value;
        }
        values
    }

    /// Executes a step whose guard is known to hold, and returns its changes; the patch then leads to where the step
    /// does. A step that cannot be executed changes nothing: a run with it does not replay.
    pub(crate) fn step(
        &mut self,
        patch: &mut Patch,
        process: Process,
        action: ActionId,
        arguments: &[i64],
    ) -> Changes {
        let view = Patched { base: &self.base, patch };
        let writes = self.stepper.assignments(self.program, &view, process, action, arguments);
        let mut changes: Changes = Vec::new();
        for write in writes.unwrap_or_default() {
            let slot = write.target.slot();
            if view.value(slot) != write.value {
                changes.push((slot, write.value));
            }
        }
        changes.arrange();
        for &(slot, value) in &changes {
            if self.base[slot.index()] == value {
                patch.remove(&slot);
            } else {
                patch.insert(slot, value);
            }
        }
        changes
    }
}

impl Exploration<'_> {
    /// A shortest path to a state.
    pub fn path_to(&self, state: StateId) -> Path {
        let mut backwards = alloc::vec![state];
        let mut at = state;
        while !self.is_initial(at) {
            at = self.graph.parents[at.index()];
            backwards.push(at);
        }
        // Which step led from one to the next is found again by executing it: that costs less than storing it.
        let mut machine = Machine::new(self.program());
        let start = self.values(at);
        let mut steps = Vec::with_capacity(backwards.len() - 1);
        for pair in backwards.windows(2).rev() {
            let (from, to) = (pair[1], pair[0]);
            steps.extend(find_step(&mut machine, self.graph.states.get(from), self.graph.states.get(to)));
        }
        Path { start, steps }
    }
}

fn find_step(machine: &mut Machine<'_>, from: &PackedState, to: &PackedState) -> Option<PathStep> {
    let mut found: Option<(Process, ActionId, Vec<i64>)> = None;
    machine.load(from);
    // The step is found before any fault: the state was entered from here.
    let _ = machine.successors(from, |step, packed| {
        if packed != to {
            return ControlFlow::Continue(());
        }
        found = Some((step.process, step.action, step.arguments.to_vec()));
        ControlFlow::Break(())
    });
    let (process, action, arguments) = found?;
    let before = machine.values().to_vec();
    machine.load(to);
    Some(PathStep { process, action, arguments, changes: changes_between(&before, machine.values()) })
}
