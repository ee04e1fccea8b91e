//! Shortest walks inside a component, looked for one node at a time.

use super::component::Component;
use super::ground::Ground;
use super::lasso::Position;
use crate::automaton::Marks;
use crate::group::{Partition, Perm, PointSet, Process};
use crate::product::{NodeId, ProductEdge, ProductFault};
use crate::strain::{size, took};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::task::Poll;

/// A tree of shortest walks: for each place the one before and the edge between.
type Parents<K> = BTreeMap<K, Option<(K, ProductEdge)>>;

/// What a search for a walk says after a step: nothing yet, or the walk, or that there is none.
pub(super) type Found = Poll<Option<Vec<ProductEdge>>>;

/// The search for a shortest walk to a node, or to an edge with certain marks.
#[derive(Clone, Debug)]
pub(super) struct NodeRoute {
    parents: Parents<NodeId>,
    queue: VecDeque<NodeId>,
}

impl NodeRoute {
    pub(super) fn new(from: NodeId) -> Self {
        NodeRoute { parents: BTreeMap::from([(from, None)]), queue: VecDeque::from([from]) }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Looks at the edges of one node.
    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        component: &Component,
        is_end: impl Fn(NodeId) -> bool,
        is_last: impl Fn(Marks) -> bool,
    ) -> Result<Found, ProductFault> {
        let Some(node) = self.queue.pop_front() else { return Ok(Poll::Ready(None)) };
        if is_end(node) {
            return Ok(Poll::Ready(Some(unwind(&self.parents, node))));
        }
        for edge in component.edges(ground, node)? {
            if is_last(edge.marks) {
                let mut route = unwind(&self.parents, node);
                route.push(edge);
                return Ok(Poll::Ready(Some(route)));
            }
            self.parents.entry(edge.target).or_insert_with(|| {
                self.queue.push_back(edge.target);
                Some((node, edge))
            });
        }
        Ok(Poll::Pending)
    }
}

/// The search for a shortest walk in the threaded graph to where a process executes, or, if it is weakly fair, is disabled. Of
/// threads that are alike at a node one is followed.
#[derive(Clone, Debug)]
pub(super) struct FairRoute {
    strong: bool,
    seen: BTreeSet<(NodeId, Process)>,
    parents: Parents<(NodeId, Process)>,
    queue: VecDeque<(NodeId, Process)>,
}

impl FairRoute {
    pub(super) fn new<'p, G: Ground<'p>>(
        ground: &mut G,
        at: &Position,
        process: Process,
        strong: bool,
    ) -> Result<Self, ProductFault> {
        let first = (at.node, at.perm.origin(process));
        Ok(FairRoute {
            strong,
            seen: BTreeSet::from([(at.node, ground.orbits(at.node)?.class_of(first.1))]),
            parents: BTreeMap::from([(first, None)]),
            queue: VecDeque::from([first]),
        })
    }

    pub(super) fn len(&self) -> usize {
        2 * self.parents.len()
    }

    /// Follows one thread along the edges of its node.
    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        component: &Component,
    ) -> Result<Found, ProductFault> {
        let Some((node, thread)) = self.queue.pop_front() else { return Ok(Poll::Ready(None)) };
        if !self.strong && !ground.enabled(node)?.contains(thread) {
            return Ok(Poll::Ready(Some(unwind(&self.parents, (node, thread)))));
        }
        // An edge stands for those that it is turned to by what fixes the node.
        let stabiliser = ground.stabiliser(node)?;
        let edges = component.edges(ground, node)?;
        let executing = edges.iter().find_map(|edge| {
            let by = stabiliser.transporter(&[edge.process?], &[thread])?;
            Some(edge.turned(&by))
        });
        if let Some(last) = executing {
            let mut route = unwind(&self.parents, (node, thread));
            route.push(last);
            return Ok(Poll::Ready(Some(route)));
        }
        let orbit = stabiliser.orbit_of(thread);
        for edge in &edges {
            let there = ground.orbits(edge.target)?;
            for other in different(&orbit, &edge.perm, &there) {
                let next = (edge.target, edge.perm.origin(other));
                if !self.seen.insert((edge.target, there.class_of(next.1))) {
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
}

/// Points of an orbit that a permutation takes, backwards, into all the classes that it takes points of the orbit into:
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

/// So many turned edges are tried beside each edge.
const MAX_TURNS: usize = 64;

pub(super) fn most_turns() -> usize {
    size("search: turns", MAX_TURNS, 1)
}

fn unwind<K: Ord + Copy>(parents: &Parents<K>, end: K) -> Vec<ProductEdge> {
    let mut edges = Vec::new();
    let mut at = end;
    while let Some(Some((before, edge))) = parents.get(&at) {
        edges.push(edge.clone());
        at = *before;
    }
    edges.reverse();
    edges
}
