//! Shortest walks inside a component, looked for one node at a time.

use super::component::Component;
use super::ground::Ground;
use super::lasso::Position;
use crate::automaton::Marks;
use crate::group::{Partition, Perm, PointSet, Process};
use crate::product::{NodeId, ProductEdge, ProductFault};
use crate::program::ActionId;
use crate::strain::{size, took};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::task::Poll;

/// An edge of a walk that is not yet walked.
#[derive(Clone, Debug)]
pub(super) enum Leg {
    /// The edge of a node with this number.
    Numbered(NodeId, u32),
    /// An edge as it is: it may be turned.
    Made(ProductEdge),
}

impl Leg {
    /// The edge with all that it is made of.
    pub(super) fn edge<'p, G: Ground<'p>>(self, ground: &mut G) -> Result<ProductEdge, ProductFault> {
        match self {
            Leg::Numbered(node, number) => Ok(ground.edges(node)?.swap_remove(number as usize)),
            Leg::Made(edge) => Ok(edge),
        }
    }
}

/// The state of a search for a walk after a step: nothing yet, or the walk, or that there is none.
pub(super) type Found = Poll<Option<Vec<Leg>>>;

/// The search for a shortest walk to a node, or to an edge with certain marks. It asks the component's own edges only, so that
/// it may go through all of it.
#[derive(Clone, Debug)]
pub(super) struct NodeRoute {
    /// For each place that was come to the one before, with the number of the edge between.
    parents: BTreeMap<u32, Option<(u32, u32)>>,
    queue: VecDeque<u32>,
}

impl NodeRoute {
    pub(super) fn new(component: &Component, from: NodeId) -> Self {
        let queue: VecDeque<u32> = component.place(from).into_iter().collect();
        NodeRoute { parents: queue.iter().map(|&place| (place, None)).collect(), queue }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Looks at the edges of one node.
    pub(super) fn step(
        &mut self,
        component: &Component,
        is_end: impl Fn(NodeId) -> bool,
        is_last: impl Fn(Marks) -> bool,
    ) -> Found {
        let Some(place) = self.queue.pop_front() else { return Poll::Ready(None) };
        let node = component.nodes[place as usize];
        if is_end(node) {
            return Poll::Ready(Some(self.unwind(component, place)));
        }
        for edge in component.inner_edges(place) {
            if is_last(edge.marks) {
                let mut route = self.unwind(component, place);
                route.push(Leg::Numbered(node, edge.number));
                return Poll::Ready(Some(route));
            }
            self.parents.entry(edge.target).or_insert_with(|| {
                self.queue.push_back(edge.target);
                Some((place, edge.number))
            });
        }
        Poll::Pending
    }

    fn unwind(&self, component: &Component, end: u32) -> Vec<Leg> {
        let (mut legs, mut at) = (Vec::new(), end);
        while let Some(&Some((before, number))) = self.parents.get(&at) {
            legs.push(Leg::Numbered(component.nodes[before as usize], number));
            at = before;
        }
        legs.reverse();
        legs
    }
}

/// A shortest walk of a process is looked for in this many nodes. Then the walk goes deep, and ends sooner.
const FAIR_EFFORT: usize = if cfg!(test) { 8 } else { 2_000 };

/// A node of the threaded graph: a node and the process that is followed.
type Thread = (NodeId, Process);

/// The search for a walk in the threaded graph to where a process executes, or, if it is weakly fair, is disabled: a shortest one
/// within an effort. Of threads that are alike at a node one is followed. Where an action is given, to execute means to execute that, and
/// to be disabled not to be able to.
#[derive(Clone, Debug)]
pub(super) struct FairRoute {
    strong: bool,
    action: Option<ActionId>,
    /// The threads that were followed, each by the name of those that are alike.
    seen: BTreeSet<Thread>,
    parents: BTreeMap<Thread, Option<(Thread, ProductEdge)>>,
    queue: VecDeque<Thread>,
    /// Whether a shortest walk is no longer asked for.
    hurried: bool,
}

impl FairRoute {
    pub(super) fn new(at: &Position, process: Process, action: Option<ActionId>, strong: bool) -> Self {
        let first = (at.node, at.perm.origin(process));
        FairRoute {
            strong,
            action,
            seen: BTreeSet::new(),
            parents: BTreeMap::from([(first, None)]),
            queue: VecDeque::from([first]),
            hurried: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        2 * self.parents.len()
    }

    /// Asks for no shortest walk any more; says whether it did.
    pub(super) fn hurry(&mut self) -> bool {
        !core::mem::replace(&mut self.hurried, true)
    }

    /// Follows one thread along the edges of its node.
    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        component: &Component,
    ) -> Result<Found, ProductFault> {
        let deep = self.hurried || self.seen.len() >= size("search: effort for a fair walk", FAIR_EFFORT, 1);
        if deep {
            took("search: a fair walk goes deep");
        }
        let next = if deep { self.queue.pop_back() } else { self.queue.pop_front() };
        let Some((node, thread)) = next else { return Ok(Poll::Ready(None)) };
        // Asked only now: to ask it of every target would cost as much as to follow the thread there.
        if !self.seen.insert((node, ground.orbits(node)?.class_of(thread))) {
            return Ok(Poll::Pending);
        }
        let able = |ground: &mut G| match self.action {
            Some(action) => ground.offering(node, action),
            None => ground.enabled(node),
        };
        if !self.strong && !able(ground)?.contains(thread) {
            return Ok(Poll::Ready(Some(self.unwind((node, thread)))));
        }
        // An edge stands for those that it is turned to by what fixes the node.
        let stabiliser = ground.stabiliser(node)?;
        let edges = component.edges(ground, node)?;
        let wanted = |edge: &&ProductEdge| self.action.is_none() || edge.action == self.action;
        let executing = edges.iter().filter(wanted).find_map(|edge| {
            let by = stabiliser.transporter(&[edge.process?], &[thread])?;
            Some(edge.turned(&by))
        });
        if let Some(last) = executing {
            let mut route = self.unwind((node, thread));
            route.push(Leg::Made(last));
            return Ok(Poll::Ready(Some(route)));
        }
        let orbit = stabiliser.orbit_of(thread);
        let alone = orbit.len() == 1;
        for edge in edges {
            let others = if alone {
                alloc::vec![thread]
            } else {
                different(&orbit, &edge.perm, &ground.orbits(edge.target)?)
            };
            for other in others {
                let next = (edge.target, edge.perm.origin(other));
                if self.parents.contains_key(&next) {
                    continue;
                }
                if let Some(by) = stabiliser.transporter(&[other], &[thread]) {
                    self.parents.insert(next, Some(((node, thread), edge.turned(&by))));
                    self.queue.push_back(next);
                }
            }
        }
        Ok(Poll::Pending)
    }

    fn unwind(&self, end: (NodeId, Process)) -> Vec<Leg> {
        let (mut legs, mut at) = (Vec::new(), end);
        while let Some(Some((before, edge))) = self.parents.get(&at) {
            legs.push(Leg::Made(edge.clone()));
            at = *before;
        }
        legs.reverse();
        legs
    }
}

/// ProcessSet of an orbit that a permutation takes, backwards, into all the classes that it takes points of the orbit into:
/// those that it moves, and of neighbours that it does not move and that are alike there one.
fn different(orbit: &PointSet, perm: &Perm, there: &Partition) -> Vec<Process> {
    let moved = perm.moves().iter().map(|m| m.1);
    let most = most_turns();
    let mut found: Vec<Process> = moved.filter(|&p| orbit.contains(p)).take(most).collect();
    for range in orbit.ranges() {
        let mut at = range.start;
        while at < range.end {
            if found.len() >= 2 * most {
                took("search: not all threads are followed");
                return found;
            }
            let end = there.run_around(Process(at)).end.min(range.end);
            found.extend((at..end).map(Process).find(|&p| perm.apply(p) == p));
            at = end;
        }
    }
    found
}

/// At most this many turned edges are tried beside each edge.
const TURNED_EDGES: usize = 64;

pub(super) fn most_turns() -> usize {
    size("search: turns", TURNED_EDGES, 1)
}
