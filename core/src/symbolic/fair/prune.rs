//! Which nodes can meet every duty for ever (`Feasible`), and a component of theirs that no step leaves.

use super::super::path::point;
use super::walk::Walk;
use super::{Duty, FairOutcome, Nodes, Stage};
use crate::bdd::Bdd;
use alloc::boxed::Box;

/// The removal of nodes, round after round, until a round removes none.
#[derive(Debug)]
pub(super) struct Prune {
    left: Bdd,
    /// The nodes with which the round began.
    round: Bdd,
    /// The duty that is looked at; after the last one, whether there is a step at all.
    duty: usize,
    /// The nodes from which the duty can be met, as far as they are known.
    meeting: Option<Spread>,
}

/// A set that grows by predecessors or successors.
#[derive(Debug)]
pub(super) struct Spread {
    pub found: Bdd,
    pub frontier: Bdd,
}

impl Spread {
    pub(super) fn from(set: Bdd) -> Spread {
        Spread { frontier: set.clone(), found: set }
    }

    /// Takes in those of these nodes that are inside and new.
    pub(super) fn take(&mut self, nodes: &mut Nodes<'_, '_>, more: &Bdd, inside: &Bdd) {
        let bdds = &mut nodes.model().bdds;
        let more = bdds.and(more, inside);
        self.frontier = bdds.minus(&more, &self.found);
        self.found = bdds.or(&self.found, &self.frontier);
    }
}

impl Prune {
    pub(super) fn begin(nodes: &mut Nodes<'_, '_>) -> Option<Stage> {
        let reached = nodes.reach.covered().clone();
        let left = nodes.read(&reached)?;
        Some(Stage::Prune(Prune { round: left.clone(), left, duty: 0, meeting: None }))
    }

    pub(super) fn step(mut self, nodes: &mut Nodes<'_, '_>) -> Option<Stage> {
        if self.left.is_false() {
            return Some(Stage::Done(FairOutcome::Nothing));
        }
        let Some(duty) = nodes.duties.get(self.duty) else { return self.trim(nodes) };
        let (if_met, goal) = match duty {
            Duty::Meet(goal) => (None, goal),
            Duty::MeetIf(condition, goal) => (Some(condition), goal),
        };
        match self.meeting.take() {
            None => {
                let goal = nodes.model().bdds.and(&self.left, goal);
                self.meeting = Some(Spread::from(goal));
            }
            Some(spread) if spread.frontier.is_false() => {
                let bdds = &mut nodes.model().bdds;
                let idle = if_met.map_or(Bdd::FALSE, |condition| bdds.minus(&self.left, condition));
                self.left = bdds.or(&spread.found, &idle);
                self.duty += 1;
            }
            Some(mut spread) => {
                let before = nodes.before(&spread.frontier)?;
                spread.take(nodes, &before, &self.left);
                self.meeting = Some(spread);
            }
        }
        Some(Stage::Prune(self))
    }

    /// Removes nodes from which no step leads to another that is left.
    fn trim(mut self, nodes: &mut Nodes<'_, '_>) -> Option<Stage> {
        let before = nodes.before(&self.left)?;
        let kept = nodes.model().bdds.and(&self.left, &before);
        if kept != self.left {
            self.left = kept;
        } else if self.left != self.round {
            self.round = self.left.clone();
            self.duty = 0;
        } else {
            return Settle::begin(nodes, self.left);
        }
        Some(Stage::Prune(self))
    }
}

/// The way down to a component out of which no step leads to another node that is left.
#[derive(Debug)]
pub(super) struct Settle {
    left: Bdd,
    seed: Bdd,
    /// The nodes that can be reached from the seed, and then those of them from which it can be.
    forward: Spread,
    back: Option<Spread>,
}

impl Settle {
    fn begin(nodes: &mut Nodes<'_, '_>, left: Bdd) -> Option<Stage> {
        let seed = point(nodes.model(), &left)?;
        Some(Settle::at(left, seed))
    }

    fn at(left: Bdd, seed: Bdd) -> Stage {
        Stage::Settle(Settle { left, forward: Spread::from(seed.clone()), seed, back: None })
    }

    pub(super) fn step(mut self, nodes: &mut Nodes<'_, '_>) -> Option<Stage> {
        if !self.forward.frontier.is_false() {
            let after = nodes.after(&self.forward.frontier)?;
            self.forward.take(nodes, &after, &self.left);
            return Some(Stage::Settle(self));
        }
        let back = self.back.get_or_insert_with(|| Spread::from(self.seed.clone()));
        if !back.frontier.is_false() {
            let before = nodes.before(&back.frontier)?;
            back.take(nodes, &before, &self.forward.found);
            return Some(Stage::Settle(self));
        }
        if back.found == self.forward.found {
            return Some(Stage::Walk(Box::new(Walk::begin(nodes, self.forward.found)?)));
        }
        // From some nodes no step leads back: one of them is nearer to a component that no step leaves.
        let beyond = nodes.model().bdds.minus(&self.forward.found, &back.found);
        let seed = point(nodes.model(), &beyond)?;
        Some(Settle::at(self.left, seed))
    }
}
