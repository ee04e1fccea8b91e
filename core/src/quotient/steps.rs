//! Steps of a representative whose targets are not known yet.

use super::changed::Changed;
use crate::group::Process;
use crate::program::{ActionId, Program};
use alloc::vec::Vec;

/// A step of a representative, before its target is known.
#[derive(Clone, Debug)]
pub(super) struct RawStep {
    pub process: Process,
    pub action: ActionId,
    pub arguments: Vec<i64>,
    pub weight: u64,
    pub changed: Changed,
}

/// Of steps of one process to one state keeps the first, which stands for all of them; those of actions that are to be fair by
/// themselves are told apart.
pub(super) fn same_once(program: &Program, steps: Vec<RawStep>) -> Vec<RawStep> {
    let fair = |step: &RawStep| program.is_fair_action(step.action).then_some(step.action);
    let mut kept: Vec<RawStep> = Vec::with_capacity(steps.len());
    for step in steps {
        let same = |known: &&mut RawStep| {
            known.process == step.process
                && known.changed.values == step.changed.values
                && fair(known) == fair(&step)
        };
        // Steps come process by process.
        match kept.iter_mut().rev().take_while(|known| known.process == step.process).find(same) {
            Some(known) => known.weight += step.weight,
            None => kept.push(step),
        }
    }
    kept
}
