//! From sets that were reached one after the other to a run of the program.

use super::encoding::Side;
use super::model::Model;
use crate::bdd::Bdd;
use crate::explore::{Path, PathStep, changes_between};
use crate::program::{Machine, Program};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The states that one iteration added, and those from which it did.
#[derive(Debug)]
pub(super) struct Ring {
    pub source: Bdd,
    pub added: Bdd,
}

/// The set of one state out of a set, with what is remembered beside it.
pub(super) fn point(model: &mut Model<'_>, set: &Bdd) -> Option<Bdd> {
    let picked = model.bdds.pick(set)?;
    let all = model.encoding().variables(Side::Current);
    let literals = all.into_iter().map(|variable| (variable, picked.contains(&(variable, true))));
    Some(model.bdds.cube(literals.collect::<Vec<_>>()))
}

/// The points of a shortest way through the rings to a point; `backward` gives the predecessors of a set.
pub(super) fn trace(
    model: &mut Model<'_>,
    rings: &[Ring],
    target: Bdd,
    mut backward: impl FnMut(&mut Model<'_>, &Bdd) -> Bdd,
) -> Option<Vec<Bdd>> {
    let mut at = target;
    let mut points = alloc::vec![at.clone()];
    let mut before = rings.len();
    loop {
        // Every source lies in the rings before its own, so that this comes to an end.
        let ring = rings[..before].iter().position(|ring| !model.bdds.and(&ring.added, &at).is_false())?;
        if ring == 0 {
            points.reverse();
            return Some(points);
        }
        let predecessors = backward(model, &at);
        let inside = model.bdds.and(&predecessors, &rings[ring].source);
        at = point(model, &inside)?;
        points.push(at.clone());
        before = ring;
    }
}

/// The steps of the program that lead from each state to the next. A state that repeats without a step, as a deadlock does, is
/// passed over.
pub(super) fn connect(program: &Program, states: &[Vec<i32>]) -> Option<Path> {
    let mut machine = Machine::new(program);
    let mut steps = Vec::new();
    for pair in states.windows(2) {
        let mut found = None;
        let _ = machine.steps(&pair[0], &mut |step| {
            if step.apply(&pair[0]) != pair[1] {
                return ControlFlow::Continue(());
            }
            let changes = changes_between(&pair[0], &pair[1]);
            let (process, action, arguments) = (step.process, step.action, step.arguments.to_vec());
            found = Some(PathStep { process, action, arguments, changes });
            ControlFlow::Break(())
        });
        match found {
            Some(step) => steps.push(step),
            None if pair[0] == pair[1] => {}
            None => return None,
        }
    }
    Some(Path { start: states.first()?.clone(), steps })
}
