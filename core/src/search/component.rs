//! Fair components: the test of a complete set of nodes, for weak and strong fairness.
//!
//! A threaded component of an SCC is weakly fair if its process is disabled somewhere or executes, and strongly fair if
//! it is enabled nowhere or executes (Gyuris & Sistla, definition 2 and theorem 3). Where a strongly fair process is
//! enabled but never executes, every fair part of the component avoids the nodes where a process of its class is enabled:
//! they are removed, and what is left is cut into components again (E. A. Emerson & C.-L. Lei, 1987, for Streett
//! conditions).
//!
//! The nodes may be as many as the search has on its stack, so the test goes on in small steps, a node each, and of an edge it
//! keeps no more than where it leads and its marks.

use super::ground::Ground;
use crate::automaton::Marks;
use crate::automaton::scc::components;
use crate::group::{Partition, Perm, PointSet};
use crate::product::{FairnessOf, NodeId, Points, Product, ProductEdge, ProductFault};
use crate::sort::Sort as _;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::task::Poll;

/// A strongly connected part of the product whose computations are fair and accepted.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its nodes, ascending.
    pub nodes: Vec<NodeId>,
}

impl Component {
    /// Whether a node is in it.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// The edges of a node that stay inside. They are made anew: of a large component few nodes are ever asked.
    pub(super) fn edges<'p, G: Ground<'p>>(
        &self,
        ground: &mut G,
        node: NodeId,
    ) -> Result<Vec<ProductEdge>, ProductFault> {
        let mut edges = ground.edges(node)?;
        edges.retain(|edge| self.contains(edge.target));
        Ok(edges)
    }
}

/// Finds a fair and accepted component among these nodes.
pub fn fair_component(
    product: &mut Product<'_>,
    nodes: Vec<NodeId>,
    fairness: &FairnessOf,
) -> Result<Option<Component>, ProductFault> {
    fair_component_on(product, nodes, fairness)
}

pub(crate) fn fair_component_on<'p, G: Ground<'p>>(
    ground: &mut G,
    nodes: Vec<NodeId>,
    fairness: &FairnessOf,
) -> Result<Option<Component>, ProductFault> {
    let mut search = FairSearch::new(nodes);
    loop {
        if let Poll::Ready(found) = search.step(ground, fairness)? {
            return Ok(found);
        }
    }
}

/// The search for a fair and accepted component among some nodes.
#[derive(Clone, Debug)]
pub(super) struct FairSearch {
    /// Sets of nodes that are still to be cut into components.
    pending: Vec<Vec<NodeId>>,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// The next set is to be taken.
    Next,
    /// The edges inside a set are collected.
    Collect(Inner),
    /// Its components are judged; the last ones first.
    Judge(Inner, Vec<Vec<u32>>, Option<Box<Judge>>),
}

/// A set of nodes with the edges between them.
#[derive(Clone, Debug)]
struct Inner {
    /// Ascending.
    nodes: Vec<NodeId>,
    /// Where the edges of each node end.
    ends: Vec<usize>,
    /// The place of the target among the nodes, and the marks.
    edges: Vec<(u32, Marks)>,
}

impl FairSearch {
    pub(super) fn new(nodes: Vec<NodeId>) -> Self {
        FairSearch { pending: alloc::vec![nodes], stage: Stage::Next }
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        let own = match &self.stage {
            Stage::Next => 0,
            Stage::Collect(inner) => inner.bytes(),
            Stage::Judge(inner, _, judge) => {
                inner.bytes() * 2 + judge.as_ref().map_or(0, |judge| judge.heap_bytes)
            }
        };
        let pending: usize = self.pending.iter().map(|nodes| nodes.len() * size_of::<NodeId>()).sum();
        own + pending as u64
    }

    /// Does a small step. In the end there is an answer: the component, or that there is none.
    pub(super) fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        fairness: &FairnessOf,
    ) -> Result<Poll<Option<Component>>, ProductFault> {
        match &mut self.stage {
            Stage::Next => match self.pending.pop() {
                None => return Ok(Poll::Ready(None)),
                Some(nodes) => self.stage = Stage::Collect(Inner::new(nodes)),
            },
            Stage::Collect(inner) => {
                if !inner.collect(ground)? {
                    let mut parts = inner.parts();
                    parts.reverse();
                    let inner = core::mem::replace(inner, Inner::new(Vec::new()));
                    self.stage = Stage::Judge(inner, parts, None);
                }
            }
            Stage::Judge(_, _, Some(judge)) => {
                if let Some(judgement) = judge.step(ground, fairness)? {
                    let part = core::mem::take(&mut judge.part);
                    match judgement {
                        Judgement::Fair => return Ok(Poll::Ready(Some(Component { nodes: part }))),
                        Judgement::Never => {}
                        Judgement::Without(mut remove) => {
                            remove.arrange();
                            let stays = |node: &NodeId| remove.binary_search(node).is_err();
                            self.pending.push(part.into_iter().filter(stays).collect());
                        }
                    }
                    self.drop_judge();
                }
            }
            Stage::Judge(inner, parts, judge) => match parts.pop() {
                None => self.stage = Stage::Next,
                Some(part) => {
                    if inner.marks(&part) == Some(ground.all_marks()) {
                        let nodes = part.iter().map(|&n| inner.nodes[n as usize]).collect();
                        *judge = Some(Box::new(Judge::new(nodes, ground.program().process_count())));
                    }
                }
            },
        }
        Ok(Poll::Pending)
    }

    fn drop_judge(&mut self) {
        if let Stage::Judge(_, _, judge) = &mut self.stage {
            *judge = None;
        }
    }
}

impl Inner {
    fn new(mut nodes: Vec<NodeId>) -> Self {
        nodes.arrange();
        Inner { nodes, ends: Vec::new(), edges: Vec::new() }
    }

    fn bytes(&self) -> u64 {
        let rows = self.nodes.len() * (size_of::<NodeId>() + size_of::<usize>());
        (rows + self.edges.capacity() * size_of::<(u32, Marks)>()) as u64
    }

    /// Collects the edges of the next node; says whether there was one.
    fn collect<'p, G: Ground<'p>>(&mut self, ground: &mut G) -> Result<bool, ProductFault> {
        let Some(&node) = self.nodes.get(self.ends.len()) else { return Ok(false) };
        for edge in ground.edges(node)? {
            if let Ok(place) = self.nodes.binary_search(&edge.target) {
                self.edges.push((place as u32, edge.marks));
            }
        }
        self.ends.push(self.edges.len());
        Ok(true)
    }

    fn edges(&self, place: u32) -> &[(u32, Marks)] {
        let start = (place as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start..self.ends[place as usize]]
    }

    /// The strongly connected components, each in ascending order.
    fn parts(&self) -> Vec<Vec<u32>> {
        components(self.nodes.len(), |place| self.edges(place).iter().map(|edge| edge.0)).members
    }

    /// The marks of the edges inside a part; none where there is no edge.
    fn marks(&self, part: &[u32]) -> Option<Marks> {
        let inside = |place: u32| {
            let stays = |edge: &&(u32, Marks)| part.binary_search(&edge.0).is_ok();
            self.edges(place).iter().filter(stays).map(|edge| edge.1)
        };
        part.iter().flat_map(|&place| inside(place)).reduce(Marks::union)
    }
}

enum Judgement {
    Fair,
    /// No part of it is fair and accepted.
    Never,
    /// Only parts without these nodes can be.
    Without(Vec<NodeId>),
}

/// The judgement of a component whose edges have all marks.
///
/// It goes along a tree from the first node, with π_u for each node u: of those that differ by what fixes the node the one that
/// moves fewest processes.
#[derive(Clone, Debug)]
struct Judge {
    part: Vec<NodeId>,
    /// For each node of the part, once the tree has come to it.
    perms: Vec<Option<Perm>>,
    /// The places in the part of nodes that the tree has come to, and from which it has not gone on.
    queue: Vec<usize>,
    degree: u32,
    partition: Partition,
    executed: Points,
    enabled: Points,
    disabled: Points,
    /// Where there are strongly fair processes: who is enabled where.
    enabled_at: Vec<(NodeId, Points)>,
    heap_bytes: u64,
}

impl Judge {
    fn new(part: Vec<NodeId>, degree: u32) -> Self {
        let mut perms = alloc::vec![None; part.len()];
        perms[0] = Some(Perm::identity());
        Judge {
            heap_bytes: (part.len() * (size_of::<NodeId>() + size_of::<Option<Perm>>())) as u64,
            part,
            perms,
            queue: alloc::vec![0],
            degree,
            partition: Partition::discrete(degree),
            executed: Points::default(),
            enabled: Points::default(),
            disabled: Points::default(),
            enabled_at: Vec::new(),
        }
    }

    /// Looks at one node.
    fn step<'p, G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        fairness: &FairnessOf,
    ) -> Result<Option<Judgement>, ProductFault> {
        let Some(place) = self.queue.pop() else { return Ok(Some(self.judgement(fairness))) };
        let node = self.part[place];
        let perm = self.perms[place].clone().unwrap_or_default();
        let here = ground.enabled(node)?.image(&perm);
        self.partition = self.partition.join(&ground.orbits(node)?.image(&perm));
        self.disabled.union(&here.complement(self.degree));
        self.enabled.union(&here);
        if fairness.has_strong() {
            self.heap_bytes += here.heap_bytes() + size_of::<(NodeId, Points)>() as u64;
            self.enabled_at.push((node, here));
        }
        for edge in ground.edges(node)? {
            let Ok(target) = self.part.binary_search(&edge.target) else { continue };
            let there = perm.compose(&edge.perm);
            if let Some(known) = &self.perms[target] {
                self.partition.join_orbits_of(&there.compose(&known.inverse()));
            } else {
                // Around an edge of the tree goes only what fixes its end, whose orbits are joined there.
                let short = ground.stabiliser(edge.target)?.shortest_of_coset(&there);
                self.heap_bytes += short.heap_bytes();
                self.perms[target] = Some(short);
                self.queue.push(target);
            }
            if let Some(process) = edge.process {
                self.executed.insert(perm.apply(process));
            }
        }
        Ok(None)
    }

    fn judgement(&mut self, fairness: &FairnessOf) -> Judgement {
        let mut unfair: Vec<PointSet> = Vec::new();
        let classes = self.partition.classes();
        for class in classes.filter(|class| !self.executed.meets(class) && !fairness.none.meets(class)) {
            if fairness.strong.meets(&class) {
                if self.enabled.meets(&class) {
                    unfair.push(class);
                }
            } else if !self.disabled.meets(&class) {
                // Enabled everywhere and never executed: so it is in every part.
                return Judgement::Never;
            }
        }
        if unfair.is_empty() {
            return Judgement::Fair;
        }
        let all = core::mem::take(&mut self.enabled_at).into_iter();
        let hit = all.filter(|(_, here)| unfair.iter().any(|class| here.meets(class)));
        Judgement::Without(hit.map(|(node, _)| node).collect())
    }
}
