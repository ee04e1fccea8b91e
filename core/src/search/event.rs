//! The commands of a search, one for each step.

use self::Command::{
    Accept, AnswerNo, Descend, FindEquiv, InitLeaders, InitPartition, InitStatus, IsNew, IsOnStack, IsRoot,
    IsStillOnStack, JoinChild, JoinOrbits, NextEdge, NextMove, Pop, Push, SetPerm, Start, Target,
};
use crate::product::NodeId;

/// A step of the search, by the commands of Gyuris & Sistla, section 4.2. Bulky data is not in it: the frames of the
/// search have it, and a [`Log`](super::log::Log) keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// M2: an initial node is entered (1 to 4).
    Root(NodeId),
    /// 11 to 13: an edge leads to a new node, which is entered (1 to 4).
    Tree {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The new node.
        to: NodeId,
    },
    /// 9 and 10: an edge leads to a node on the stack; the orbits of `π_e` are joined in.
    Back {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The node on the stack.
        to: NodeId,
    },
    /// An edge leads to a node whose component has been popped: nothing is to be learnt from it.
    Cross {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The popped node.
        to: NodeId,
    },
    /// 14 and 15: a node is done, and what it knows is joined into the node it was entered from.
    Join {
        /// The node that is done.
        child: NodeId,
        /// The node it was entered from.
        parent: NodeId,
    },
    /// 17 and 18: a node is the root of a component, which is popped.
    Component {
        /// The root.
        root: NodeId,
        /// How many nodes the component has.
        size: u32,
    },
    /// 16: the component of this node is fair and accepted, as the step before made known.
    Yes(NodeId),
    /// M3: everything has been searched.
    No,
    /// The search cannot go on.
    Stopped(Stop),
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stop {
    /// More nodes than allowed were found.
    NodeLimit,
    /// Not all initial states could be taken in.
    RootLimit,
    /// The model or the property has an error.
    Fault,
}

/// A command of the on-the-fly algorithm: Gyuris & Sistla, section 4.2, with those of sections 4.3 and 4.4 in the place of
/// the ones they improve. The numbers are those of the paper's text; its printed listing is one ahead from 11 on, since
/// it splits the second half of 10 off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Command {
    /// M2: an initial node, with its permutation.
    Start,
    /// M3: the answer is no.
    AnswerNo,
    /// 1: a node gets its number and goes on the stack.
    Push,
    /// 2': its partition is that of the processes which are alike in it.
    InitPartition,
    /// 3: the processes that are disabled in it are treated fairly.
    InitStatus,
    /// 4: the leaders of its classes.
    InitLeaders,
    /// 5'': the next edge of a leader.
    NextEdge,
    /// 6: the tracked processes find their equivalent place.
    FindEquiv,
    /// 7: the next move of the automaton.
    NextMove,
    /// 8: the target.
    Target,
    /// 9: is the target on the stack?
    IsOnStack,
    /// 10: the orbits of `π_e` are joined in, the process has executed, the lowlink falls.
    JoinOrbits,
    /// 11: is the target new?
    IsNew,
    /// 12': its permutation.
    SetPerm,
    /// 13: it is searched.
    Descend,
    /// 14: is it still on the stack after that?
    IsStillOnStack,
    /// 15: its partition, status, lowlink and marks are joined in.
    JoinChild,
    /// 16: are all classes fair and all marks there? Then the answer is yes.
    Accept,
    /// 17: is it the root of a component?
    IsRoot,
    /// 18: the component is popped.
    Pop,
}

impl Command {
    /// All commands in the order of the paper.
    pub const ALL: [Command; 20] = {
        [
            Start,
            AnswerNo,
            Push,
            InitPartition,
            InitStatus,
            InitLeaders,
            NextEdge,
            FindEquiv,
            NextMove,
            Target,
            IsOnStack,
            JoinOrbits,
            IsNew,
            SetPerm,
            Descend,
            IsStillOnStack,
            JoinChild,
            Accept,
            IsRoot,
            Pop,
        ]
    };

    /// The paper's number, as `5''`.
    pub fn number(self) -> &'static str {
        const NUMBERS: [&str; 20] = [
            "M2", "M3", "1", "2'", "3", "4", "5''", "6", "7", "8", "9", "10", "11", "12'", "13", "14", "15",
            "16", "17", "18",
        ];
        NUMBERS[self as usize]
    }
}

impl Event {
    /// The commands that the step ran, in their order.
    pub fn commands(self) -> &'static [Command] {
        match self {
            Event::Root(_) => &[Start, Push, InitPartition, InitStatus, InitLeaders],
            Event::Tree { .. } => &[
                NextEdge,
                FindEquiv,
                NextMove,
                Target,
                IsOnStack,
                IsNew,
                SetPerm,
                Descend,
                Push,
                InitPartition,
                InitStatus,
                InitLeaders,
            ],
            Event::Back { .. } => &[NextEdge, FindEquiv, NextMove, Target, IsOnStack, JoinOrbits, Accept],
            Event::Cross { .. } => &[NextEdge, FindEquiv, NextMove, Target, IsOnStack, IsNew],
            Event::Join { .. } => &[IsRoot, IsStillOnStack, JoinChild, Accept],
            Event::Component { .. } => &[IsRoot, Pop],
            Event::Yes(_) => &[Accept],
            Event::No => &[AnswerNo],
            Event::Stopped(_) => &[],
        }
    }

    /// The edge that was followed: the node, the position of the edge, and the target.
    pub fn edge(self) -> Option<(NodeId, u32, NodeId)> {
        match self {
            Event::Tree { from, edge, to }
            | Event::Back { from, edge, to }
            | Event::Cross { from, edge, to } => Some((from, edge, to)),
            _ => None,
        }
    }
}
