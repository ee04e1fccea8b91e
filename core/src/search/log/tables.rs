//! The tables that make up a log.

use super::within;
use crate::automaton::{AutomatonState, Marks};
use crate::define_id;
use crate::group::{Partition, Perm, Process};
use crate::ids::IdVec;
use crate::product::{NodeId, ProcessSet};
use crate::program::ActionId;
use crate::quotient::AqsId;
use crate::search::Event;
use alloc::vec::Vec;

define_id!(
    /// A permutation of a log.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    PermId
);
define_id!(
    /// A partition of a log.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    PartitionId
);
define_id!(
    /// A set of processes of a log.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    PointsId
);
define_id!(
    /// A reason why processes are treated fairly.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    FactId
);
define_id!(
    /// A list of facts: what a frame knows of fairness.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    FairId
);
define_id!(
    /// The change of a frame's knowledge in a step.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    LearntId
);
define_id!(
    /// A popped component, numbered in the order of popping.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ComponentId
);

/// A step of the search, and what it changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The command.
    pub event: Event,
    /// Its effect on the frame on top.
    pub effect: Effect,
}

/// The effect of a step on the frame on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effect {
    /// There is a new one: the next of the log's entries.
    Entered,
    /// It learnt something.
    Learnt(LearntId),
    /// It is as it was, or gone.
    Nothing,
}

/// The facts about a node when it is entered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The node u = (s, l⃗, a).
    pub node: NodeId,
    /// s.
    pub state: AqsId,
    /// l⃗.
    pub tracked: Vec<Process>,
    /// a.
    pub automaton: AutomatonState,
    /// π_u.
    pub perm: PermId,
    /// ≈_u: which processes are alike, in the common base.
    pub partition: PartitionId,
    /// Which processes are enabled, in the node's own numbers.
    pub enabled: PointsId,
    /// The facts known about fairness from the start.
    pub fair: FairId,
    /// Its edges, in the order in which they are followed.
    pub edges: Vec<LoggedEdge>,
    /// The steps of s that its edges follow.
    pub steps: Vec<LoggedStep>,
    /// How many steps of s are not followed, because a parallel one is.
    pub pruned: u64,
    /// Those steps, if they are no more than were asked for.
    pub ghosts: Vec<Ghost>,
}

/// An edge of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoggedEdge {
    /// Which of the node's steps it follows; none where a state without steps repeats.
    pub step: Option<u32>,
    /// μ∘π∘ρ.
    pub perm: PermId,
    /// The acceptance sets of the automaton's move.
    pub marks: Marks,
    /// The target.
    pub target: NodeId,
}

/// A step that is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoggedStep {
    /// The process that executes, in the node's own numbers.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// Its arguments; processes as numbers in their families.
    pub arguments: Vec<i64>,
    /// How many steps of the state it stands for, itself included.
    pub weight: u64,
}

/// A step that is not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ghost {
    /// The process that would execute, in the node's own numbers.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// Its arguments; processes as numbers in their families.
    pub arguments: Vec<i64>,
    /// Which of the node's steps stands for it.
    pub parallel_to: u32,
    /// A permutation that fixes the node and takes that step's process and successor to this one's (the action may be
    /// another that does the same); none where it was not found within the effort.
    pub shown_by: Option<PermId>,
}

/// The change of a frame's knowledge in a step; each part as it was and as it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Learnt {
    /// `π_e`, if the orbits of an edge's permutation were joined in.
    pub around: Option<PermId>,
    /// The partition.
    pub partition: (PartitionId, PartitionId),
    /// The facts known about fairness.
    pub fair: (FairId, FairId),
    /// The marks gathered.
    pub marks: (Marks, Marks),
    /// The node's lowlink.
    pub lowlink: (u32, u32),
}

/// Some processes are treated fairly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fact {
    /// The processes, in the common base.
    pub points: PointsId,
    /// Why.
    pub why: Why,
}

/// Why processes are treated fairly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Why {
    /// They need no fairness.
    Unasked,
    /// They are weakly fair and disabled at this node.
    Disabled(NodeId),
    /// They execute: this edge of this node is inside the component.
    Executed(NodeId, u32),
}

/// The processes by the fairness they get; all others are weakly fair.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fairness {
    /// Those that need none.
    pub none: ProcessSet,
    /// Those that are treated strongly fairly. With them a component is tested when it is popped: such a process is fair
    /// if it executes, or if it is enabled nowhere, and only the first is known while the component grows.
    pub strong: ProcessSet,
}

/// A log as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tables {
    pub(super) degree: u32,
    pub(super) all_marks: Marks,
    pub(super) fairness: Fairness,
    pub(super) steps: Vec<Step>,
    pub(super) partial: bool,
    pub(super) fair_component: Vec<NodeId>,
    pub(super) entries: Vec<Entry>,
    pub(super) learnt: IdVec<LearntId, Learnt>,
    pub(super) perms: IdVec<PermId, Perm>,
    pub(super) partitions: IdVec<PartitionId, Partition>,
    pub(super) points: IdVec<PointsId, ProcessSet>,
    pub(super) facts: IdVec<FactId, Fact>,
    pub(super) fair: IdVec<FairId, Vec<FactId>>,
}

impl Tables {
    /// Whether every id that stands in a table is in the table it speaks of.
    pub(super) fn is_closed(&self) -> bool {
        let perm = |id| within(&self.perms, id);
        let fair = |id| within(&self.fair, id);
        let partition = |id| self.partitions.get(id).is_some_and(|p: &Partition| p.degree() == self.degree);
        let entry = |entry: &Entry| {
            let step = |number: u32| (number as usize) < entry.steps.len();
            perm(entry.perm)
                && partition(entry.partition)
                && within(&self.points, entry.enabled)
                && fair(entry.fair)
                && entry.edges.iter().all(|edge| edge.step.is_none_or(step) && perm(edge.perm))
                && entry.ghosts.iter().all(|g| step(g.parallel_to) && g.shown_by.is_none_or(perm))
        };
        let learnt = |learnt: &Learnt| {
            learnt.around.is_none_or(perm)
                && partition(learnt.partition.0)
                && partition(learnt.partition.1)
                && fair(learnt.fair.0)
                && fair(learnt.fair.1)
        };
        self.entries.iter().all(entry)
            && self.learnt.iter().all(learnt)
            && self.facts.iter().all(|fact| within(&self.points, fact.points))
            && self.fair.iter().flatten().all(|&fact| within(&self.facts, fact))
    }
}
