//! The stem of a run: a way from an initial node to a component.

use super::component::Component;
use super::ground::Ground;
use super::route::Leg;
use crate::group::Perm;
use crate::ids::Id;
use crate::product::{NodeId, ProductEdge, ProductFault};
use crate::strain::{size, took};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

/// The nodes that a search has left behind, which help to find the stem of a run; none where all nodes that are found
/// are expanded too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// A way from an initial node to the component, as the search went.
    pub way: Vec<NodeId>,
    /// A bit for each node that the search has expanded, and how many there are.
    pub visited: Vec<u64>,
    pub count: u32,
}

impl Trace {
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.visited.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
    }
}

/// How many nodes are looked at only to make a run shorter, where a search has expanded this many: it should cost less than the
/// search did, unless that was short.
pub(super) fn effort(expanded: u32) -> usize {
    size("search: effort for the stem", (expanded as usize / 4).clamp(2_000, 10_000), 1)
}

/// An initial node, with the permutation that takes it to an initial state of the program.
pub(super) fn root_at<'p, G: Ground<'p>>(ground: &G, node: NodeId) -> Option<(NodeId, Perm)> {
    ground.roots().iter().find(|(root, _)| *root == node).cloned()
}

/// The way that a search has gone, which is longer than it has to be: wherever an edge leads further along it, that is taken.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub way: Vec<NodeId>,
    places: BTreeMap<NodeId, usize>,
    at: usize,
}

impl Tree {
    pub(super) fn new(way: Vec<NodeId>) -> Tree {
        let places = way.iter().copied().enumerate().map(|(place, node)| (node, place)).collect();
        Tree { way, places, at: 0 }
    }

    /// The edge to take next; none at the end.
    pub(super) fn next<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
    ) -> Result<Option<ProductEdge>, ProductFault> {
        if self.at + 1 >= self.way.len() {
            return Ok(None);
        }
        let edges = ground.edges(self.way[self.at])?.into_iter();
        let known = edges.filter_map(|edge| Some((*self.places.get(&edge.target)?, edge)));
        let furthest = known.filter(|(place, _)| *place > self.at).max_by_key(|(place, _)| *place);
        Ok(furthest.map(|(place, edge)| {
            self.at = place;
            edge
        }))
    }
}

/// The search for a shortest way from an initial node to the component.
#[derive(Clone, Debug)]
pub(super) struct Stem {
    /// The node before, and the number of the edge that leads on.
    pub parents: BTreeMap<NodeId, Option<(NodeId, u32)>>,
    queue: VecDeque<NodeId>,
    expanded: usize,
    pub effort: usize,
}

pub(super) enum Looked {
    More,
    /// There is none, or it was not found within the effort.
    Nothing,
    /// The initial node, and the way.
    Found((NodeId, Perm), Vec<Leg>),
}

impl Stem {
    pub(super) fn new<'p, G: Ground<'p>>(ground: &G, effort: usize) -> Stem {
        let parents: BTreeMap<_, _> = ground.roots().iter().map(|(node, _)| (*node, None)).collect();
        let queue = parents.keys().copied().collect();
        Stem { parents, queue, expanded: 0, effort }
    }

    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        component: &Component,
        passes: impl Fn(NodeId) -> bool,
    ) -> Looked {
        let Some(node) = self.queue.pop_front() else { return Looked::Nothing };
        if component.contains(node) {
            return self.unwind(ground, node).unwrap_or(Looked::Nothing);
        }
        self.expanded += 1;
        if self.expanded > self.effort {
            took("search: no shortest stem within the effort");
            return Looked::Nothing;
        }
        // An error of the model where the search has not been is not on the way.
        let Ok(edges) = ground.edges(node) else { return Looked::More };
        for (number, edge) in (0..).zip(&edges).filter(|(_, edge)| passes(edge.target)) {
            self.parents.entry(edge.target).or_insert_with(|| {
                self.queue.push_back(edge.target);
                Some((node, number))
            });
        }
        Looked::More
    }

    fn unwind<'p, G: Ground<'p>>(&self, ground: &G, end: NodeId) -> Option<Looked> {
        let (mut way, mut at) = (Vec::new(), end);
        while let Some(&Some((from, number))) = self.parents.get(&at) {
            way.push(Leg::Numbered(from, number));
            at = from;
        }
        way.reverse();
        Some(Looked::Found(root_at(ground, at)?, way))
    }
}
