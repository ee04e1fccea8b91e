//! From a fair component to a run: a stem into it, and a walk through it that meets every duty and comes back.

use super::super::encoding::{Encoding, Side};
use super::super::path::point;
use super::prune::Spread;
use super::{Duty, FairOutcome, Nodes, Stage};
use crate::bdd::Bdd;
use crate::explore::changes_between;
use crate::program::Machine;
use crate::search::{Lasso, RunStep};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

#[derive(Debug)]
pub(super) struct Walk {
    component: Bdd,
    /// Unread states from an initial one to the one in which the loop begins.
    stem: Vec<Bdd>,
    /// The nodes of the loop so far.
    walked: Vec<Bdd>,
    /// The next duty to be looked at.
    duty: usize,
    goal: Option<Goal>,
}

/// Nodes to be met, with those one step away from them, two steps away, and so on.
#[derive(Debug)]
struct Goal {
    rings: Vec<Bdd>,
    spread: Spread,
    /// Whether the loop is closed there.
    home: bool,
}

impl Walk {
    pub(super) fn begin(nodes: &mut Nodes<'_, '_>, component: Bdd) -> Option<Walk> {
        let entries = nodes.unread(&component)?;
        let stem = nodes.reach.points_into(&entries)?;
        let read = nodes.read(stem.last()?)?;
        let inside = nodes.model().bdds.and(&read, &component);
        let first = point(nodes.model(), &inside)?;
        Some(Walk { component, stem, walked: alloc::vec![first], duty: 0, goal: None })
    }

    pub(super) fn step(mut self: Box<Self>, nodes: &mut Nodes<'_, '_>) -> Option<Stage> {
        let here = self.walked.last()?.clone();
        let Some(goal) = &mut self.goal else { return self.choose(nodes, &here) };
        let ring = goal.rings.last()?;
        if nodes.model().bdds.and(ring, &here).is_false() {
            let before = nodes.before(ring)?;
            goal.spread.take(nodes, &before, &self.component);
            if goal.spread.frontier.is_false() {
                return None;
            }
            goal.rings.push(goal.spread.frontier.clone());
            return Some(Stage::Walk(self));
        }
        goal.rings.pop();
        if let Some(nearer) = goal.rings.last() {
            let after = nodes.after(&here)?;
            let inside = nodes.model().bdds.and(&after, nearer);
            self.walked.push(point(nodes.model(), &inside)?);
            return Some(Stage::Walk(self));
        }
        if goal.home {
            self.walked.pop();
            return Some(Stage::Done(self.run(nodes).map_or(FairOutcome::Internal, FairOutcome::Run)));
        }
        self.goal = None;
        Some(Stage::Walk(self))
    }

    /// The next nodes to be met: those of a duty that the walk has not met yet, and in the end the first one.
    fn choose(mut self: Box<Self>, nodes: &mut Nodes<'_, '_>, here: &Bdd) -> Option<Stage> {
        let (mut home, mut goal) = (true, self.walked.first()?.clone());
        while home && let Some(duty) = nodes.duties.get(self.duty) {
            self.duty += 1;
            let bdds = &mut nodes.reach.model_mut().bdds;
            let wanted = match duty {
                Duty::MeetIf(condition, _) if bdds.and(condition, &self.component).is_false() => continue,
                Duty::Meet(wanted) | Duty::MeetIf(_, wanted) => wanted,
            };
            if self.walked.iter().all(|node| bdds.and(node, wanted).is_false()) {
                goal = bdds.and(wanted, &self.component);
                home = false;
            }
        }
        if home && self.walked.len() == 1 {
            let after = nodes.after(here)?;
            let inside = nodes.model().bdds.and(&after, &self.component);
            self.walked.push(point(nodes.model(), &inside)?);
        }
        self.goal = Some(Goal { rings: alloc::vec![goal.clone()], spread: Spread::from(goal), home });
        Some(Stage::Walk(self))
    }

    /// The stem and the loop as steps of the program.
    fn run(&self, nodes: &mut Nodes<'_, '_>) -> Option<Lasso> {
        let mut states = Vec::new();
        let mut notes = Vec::new();
        for pair in self.stem.windows(2) {
            let read = nodes.read(&pair[0])?;
            let before = nodes.leading_to(&pair[1]);
            let between = nodes.model().bdds.and(&read, &before);
            states.push(values(nodes, &pair[0])?);
            notes.push(mover(nodes, &between)?);
        }
        for node in &self.walked {
            states.push(values(nodes, node)?);
            notes.push(mover(nodes, node)?);
        }
        let entry = self.stem.len() - 1;
        states.push(states[entry].clone());
        let mut steps = Vec::new();
        for (pair, note) in states.windows(2).zip(notes) {
            steps.push(taken(nodes, (&pair[0], &pair[1]), note)?);
        }
        let cycle = steps.split_off(entry);
        Some(Lasso { start: states.swap_remove(0), stem: steps, cycle })
    }
}

fn values(nodes: &mut Nodes<'_, '_>, at: &Bdd) -> Option<Vec<i32>> {
    let model = nodes.model();
    model.encoding().pick(&model.bdds, at)
}

/// The number of whoever takes the step from one of these nodes.
fn mover(nodes: &mut Nodes<'_, '_>, at: &Bdd) -> Option<u32> {
    let model = nodes.model();
    let picked = model.bdds.pick(at)?;
    let is_set = |bit| picked.contains(&(Encoding::variable(bit, Side::Current), true));
    Some(model.encoding().mover().into_iter().fold(0, |code, bit| code << 1 | u32::from(is_set(bit))))
}

/// The step from one state to another by whoever has this number; where there is none, a deadlock that repeats.
fn taken(nodes: &mut Nodes<'_, '_>, (from, to): (&[i32], &[i32]), note: u32) -> Option<RunStep> {
    let model = nodes.model();
    let beside = model.encoding().beside();
    let mut found = None;
    let _ = Machine::new(model.program()).steps(from, &mut |step| {
        if beside.mover(step.process, step.action) != note || step.apply(from) != to {
            return ControlFlow::Continue(());
        }
        let action = Some((step.action, step.arguments.to_vec()));
        found = Some(RunStep { process: Some(step.process), action, changes: changes_between(from, to) });
        ControlFlow::Break(())
    });
    let repeats = || RunStep { process: None, action: None, changes: changes_between(from, from) };
    found.or_else(|| (from == to).then(repeats))
}
