//! Paths to states: shortest, since states are found breadth first.

use super::exploration::Exploration;
use super::states::StateId;
use crate::group::Process;
use crate::ids::Id;
use crate::program::{ActionId, Machine, PackedState};
use alloc::vec::Vec;
use core::ops::ControlFlow;

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
    /// The values of the state reached.
    pub values: Vec<i32>,
}

impl Exploration<'_> {
    /// A shortest path to a state.
    pub fn path_to(&self, state: StateId) -> Path {
        let mut backwards = alloc::vec![state];
        let mut at = state;
        while !self.is_initial(at) {
            at = self.parents[at.index()];
            backwards.push(at);
        }
        // Which step led from one to the next is found again by executing it: that costs less than storing it.
        let mut machine = Machine::new(self.program());
        let start = self.values(at);
        let mut steps = Vec::with_capacity(backwards.len() - 1);
        for pair in backwards.windows(2).rev() {
            let (from, to) = (pair[1], pair[0]);
            steps.extend(find_step(&mut machine, self.states.get(from), self.states.get(to)));
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
    machine.load(to);
    Some(PathStep { process, action, arguments, values: machine.values().to_vec() })
}
