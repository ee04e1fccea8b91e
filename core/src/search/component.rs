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

use super::graph::{Graph, InnerEdge};
use super::ground::Ground;
use crate::group::{Partition, Perm, PointSet};
use crate::product::{FairnessOf, NodeId, ProcessSet, Product, ProductEdge, ProductFault};
use crate::sort::Sort as _;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::task::Poll;

/// A strongly connected part of the product whose computations are fair and accepted.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// The edges between them.
    graph: Rc<Graph>,
}

impl Component {
    /// A component with all its edges, which name nodes by their places.
    pub(super) fn new(nodes: Vec<NodeId>, graph: Graph) -> Self {
        Component { nodes, graph: Rc::new(graph) }
    }

    /// The place of a node among those of the component.
    pub(super) fn place(&self, node: NodeId) -> Option<u32> {
        self.nodes.binary_search(&node).ok().map(|place| place as u32)
    }

    /// The edges of the node at a place that stay inside.
    pub(super) fn inner_edges(&self, place: u32) -> &[InnerEdge] {
        self.graph.edges(place)
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.graph.bytes() + (self.nodes.len() * size_of::<NodeId>()) as u64
    }

    /// Whether a node is in it.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// The edges of a node that stay inside, with all that they are made of. They are made anew: of a large component few nodes
    /// are ever asked.
    pub(super) fn edges<'p, G: Ground<'p>>(
        &self,
        ground: &mut G,
        node: NodeId,
    ) -> Result<Vec<ProductEdge>, ProductFault> {
        let inside = self.place(node).map_or(&[][..], |place| self.inner_edges(place));
        let mut numbers = inside.iter().map(|edge| edge.number).peekable();
        let edges = (0..).zip(ground.edges(node)?);
        Ok(edges.filter(|(number, _)| numbers.next_if_eq(number).is_some()).map(|(_, edge)| edge).collect())
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
    /// Its components are judged; the last ones first. The one that is judged stays among them until it is.
    Judge(Inner, Vec<Vec<u32>>, Option<Box<Judge>>),
}

/// A set of nodes with the edges between them, as far as they are collected.
#[derive(Clone, Debug)]
struct Inner {
    /// Ascending.
    nodes: Vec<NodeId>,
    graph: Graph,
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
                    let mut parts = inner.graph.parts();
                    parts.reverse();
                    let inner = core::mem::replace(inner, Inner::new(Vec::new()));
                    self.stage = Stage::Judge(inner, parts, None);
                }
            }
            Stage::Judge(inner, parts, judging) => {
                let Some(judge) = judging else {
                    match parts.last() {
                        None => self.stage = Stage::Next,
                        Some(part) if inner.graph.marks(part) == Some(ground.all_marks()) => {
                            let nodes = part.iter().map(|&n| inner.nodes[n as usize]).collect();
                            *judging = Some(Box::new(Judge::new(nodes, ground.program().process_count())));
                        }
                        Some(_) => _ = parts.pop(),
                    }
                    return Ok(Poll::Pending);
                };
                let Some(judgement) = judge.step(ground, fairness)? else { return Ok(Poll::Pending) };
                let nodes = core::mem::take(&mut judge.part);
                let part = parts.pop().unwrap_or_default();
                *judging = None;
                match judgement {
                    Judgement::Fair => {
                        return Ok(Poll::Ready(Some(Component::new(nodes, inner.graph.within(&part)))));
                    }
                    Judgement::Never => {}
                    Judgement::Without(mut remove) => {
                        remove.arrange();
                        let stays = |node: &NodeId| remove.binary_search(node).is_err();
                        self.pending.push(nodes.into_iter().filter(stays).collect());
                    }
                }
            }
        }
        Ok(Poll::Pending)
    }
}

impl Inner {
    fn new(mut nodes: Vec<NodeId>) -> Self {
        nodes.arrange();
        Inner { nodes, graph: Graph::default() }
    }

    fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<NodeId>()) as u64 + self.graph.bytes()
    }

    /// Collects the edges of the next node; says whether there was one.
    fn collect<'p, G: Ground<'p>>(&mut self, ground: &mut G) -> Result<bool, ProductFault> {
        let Inner { nodes, graph } = self;
        let Some(&node) = nodes.get(graph.len()) else { return Ok(false) };
        let edges = (0..).zip(ground.edges(node)?);
        graph.push(edges.filter_map(|(number, edge)| {
            let target = nodes.binary_search(&edge.target).ok()? as u32;
            Some(InnerEdge { target, number, marks: edge.marks })
        }));
        Ok(true)
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
    executed: ProcessSet,
    enabled: ProcessSet,
    disabled: ProcessSet,
    /// Where there are strongly fair processes: who is enabled where.
    enabled_at: Vec<(NodeId, ProcessSet)>,
    /// The same for each action that is to be fair by itself. A permutation of processes takes a pair of a process and an action to
    /// the pair of the image and the same action, so one partition of the processes serves for all of them.
    actions: Vec<Treated>,
    heap_bytes: u64,
}

/// How the nodes of a component treat an action: which processes execute it, and which can.
#[derive(Clone, Debug, Default)]
struct Treated {
    executed: ProcessSet,
    disabled: ProcessSet,
    enabled_at: Vec<(NodeId, ProcessSet)>,
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
            executed: ProcessSet::default(),
            enabled: ProcessSet::default(),
            disabled: ProcessSet::default(),
            enabled_at: Vec::new(),
            actions: Vec::new(),
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
            self.heap_bytes += here.heap_bytes() + size_of::<(NodeId, ProcessSet)>() as u64;
            self.enabled_at.push((node, here));
        }
        self.actions.resize_with(fairness.actions.len(), Treated::default);
        for (fair, own) in fairness.actions.iter().zip(&mut self.actions) {
            let here = ground.offering(node, fair.action)?.image(&perm);
            own.disabled.union(&here.complement(self.degree));
            self.heap_bytes += here.heap_bytes() + size_of::<(NodeId, ProcessSet)>() as u64;
            own.enabled_at.push((node, here));
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
                for (fair, own) in fairness.actions.iter().zip(&mut self.actions) {
                    if edge.action == Some(fair.action) {
                        own.executed.insert(perm.apply(process));
                    }
                }
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
        let hit = |all: Vec<(NodeId, ProcessSet)>, unfair: &[PointSet]| {
            let hit = all.into_iter().filter(|(_, here)| unfair.iter().any(|class| here.meets(class)));
            hit.map(|(node, _)| node).collect::<Vec<_>>()
        };
        let mut without = hit(core::mem::take(&mut self.enabled_at), &unfair);
        for (fair, own) in fairness.actions.iter().zip(core::mem::take(&mut self.actions)) {
            let classes = self.partition.classes().filter(|class| fair.members.meets(class));
            let owed: Vec<PointSet> = classes.filter(|class| !own.executed.meets(class)).collect();
            if !fair.strong && owed.iter().any(|class| !own.disabled.meets(class)) {
                return Judgement::Never;
            }
            if fair.strong {
                without.extend(hit(own.enabled_at, &owed));
            }
        }
        if without.is_empty() {
            return Judgement::Fair;
        }
        without.arrange();
        without.dedup();
        Judgement::Without(without)
    }
}
