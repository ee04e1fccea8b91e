//! The search's state after some step, rebuilt from the log.

use super::{ComponentId, Effect, FairId, Learnt, Log, PartitionId, Step};
use crate::automaton::Marks;
use crate::ids::IdVec;
use crate::product::NodeId;
use crate::search::{Event, Stop};
use alloc::vec::Vec;

/// The search's state after some step. Ids are those of the log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// How many steps have been done.
    pub step: u32,
    /// The nodes that the search is in, the first one first.
    pub frames: Vec<FrameShot>,
    /// The visited nodes, by their dfnum.
    pub visited: Vec<Visited>,
    /// The root of each popped component.
    pub components: IdVec<ComponentId, NodeId>,
    /// The edge that the last step followed: the node, the position of the edge, and the target.
    pub edge: Option<(NodeId, u32, NodeId)>,
    /// How the search ended, once it has.
    pub end: Option<End>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A fair computation is accepted; where that was noticed.
    Yes(NodeId),
    /// None is.
    No,
    /// There is no answer.
    Stopped(Stop),
}

/// A node that the search is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameShot {
    /// The node's number: its place among the log's entries.
    pub dfnum: u32,
    /// How many of its edges have been followed.
    pub next: u32,
    /// Which processes are known to be in one component of the threaded graph, in the common base.
    pub partition: PartitionId,
    /// The facts known about fairness.
    pub fair: FairId,
    /// The marks seen on edges inside the component.
    pub marks: Marks,
    /// Whether the component has an inner edge.
    pub inner: bool,
}

/// A visited node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visited {
    /// The node.
    pub node: NodeId,
    /// The smallest number of a node that it is known to reach on the stack.
    pub lowlink: u32,
    /// Its component, once that is popped; until then it is on the stack.
    pub component: Option<ComponentId>,
}

impl Snapshot {
    /// The numbers of the nodes on the stack, the lowest first.
    pub fn stack(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.visited).filter(|(_, v)| v.component.is_none()).map(|(dfnum, _)| dfnum)
    }

    /// The numbers of the nodes of a popped component, ascending.
    pub fn members(&self, component: ComponentId) -> impl Iterator<Item = u32> {
        (0..).zip(&self.visited).filter(move |(_, v)| v.component == Some(component)).map(|(dfnum, _)| dfnum)
    }

    /// Does a step of the log again; none if it does not follow from the ones before.
    pub(super) fn apply(&mut self, log: &Log, step: Step) -> Option<()> {
        self.edge = step.event.edge();
        match (step.event, step.effect) {
            (Event::Root(node), Effect::Entered) if self.frames.is_empty() => self.enter(log, node)?,
            (Event::Tree { from, edge, to }, Effect::Entered) => {
                self.follow(log, from, edge)?;
                self.enter(log, to)?;
            }
            (Event::Cross { from, edge, .. }, Effect::Nothing) => self.follow(log, from, edge)?,
            (Event::Back { from, edge, .. }, Effect::Learnt(id)) => {
                self.follow(log, from, edge)?;
                self.learn(log.tables.learnt.get(id)?)?;
            }
            (Event::Join { .. }, Effect::Learnt(id)) => {
                self.frames.pop()?;
                self.learn(log.tables.learnt.get(id)?)?;
            }
            (Event::Component { root, .. }, Effect::Nothing) => {
                let first = self.frames.pop()?.dfnum as usize;
                let number = self.components.push(root);
                for visited in self.visited.get_mut(first..)?.iter_mut().filter(|v| v.component.is_none()) {
                    visited.component = Some(number);
                }
            }
            (Event::Yes(node), Effect::Nothing) => self.end = Some(End::Yes(node)),
            (Event::No, Effect::Nothing) => self.end = Some(End::No),
            (Event::Stopped(stop), Effect::Nothing) => self.end = Some(End::Stopped(stop)),
            _ => return None,
        }
        self.step += 1;
        Some(())
    }

    fn enter(&mut self, log: &Log, node: NodeId) -> Option<()> {
        let dfnum = self.visited.len() as u32;
        let entry = log.entries().get(dfnum as usize).filter(|entry| entry.node == node)?;
        self.visited.push(Visited { node, lowlink: dfnum, component: None });
        self.frames.push(FrameShot {
            dfnum,
            next: 0,
            partition: entry.partition,
            fair: entry.fair,
            marks: Marks::EMPTY,
            inner: false,
        });
        Some(())
    }

    fn follow(&mut self, log: &Log, from: NodeId, edge: u32) -> Option<()> {
        let frame = self.frames.last_mut()?;
        let entry = &log.entries()[frame.dfnum as usize];
        (entry.node == from && frame.next == edge && (edge as usize) < entry.edges.len()).then_some(())?;
        frame.next += 1;
        Some(())
    }

    fn learn(&mut self, learnt: &Learnt) -> Option<()> {
        let frame = self.frames.last_mut()?;
        frame.partition = learnt.partition.1;
        frame.fair = learnt.fair.1;
        frame.marks = learnt.marks.1;
        frame.inner = true;
        self.visited.get_mut(frame.dfnum as usize)?.lowlink = learnt.lowlink.1;
        Some(())
    }
}
