//! Fair components: the test of a complete set of nodes, for weak and strong fairness.
//!
//! A threaded component of an SCC is weakly fair if its process is disabled somewhere or executes, and strongly fair if
//! it is enabled nowhere or executes (Gyuris & Sistla, definition 2 and theorem 3). Where a strongly fair process is
//! enabled but never executes, every fair part of the component avoids the nodes where a process of its class is enabled:
//! they are removed, and what is left is cut into components again (E. A. Emerson & C.-L. Lei, 1987, for Streett
//! conditions).

use super::ground::Ground;
use crate::automaton::Marks;
use crate::automaton::scc::components;
use crate::group::{Partition, Perm, PointSet};
use crate::product::{FairnessOf, NodeId, Points, Product, ProductEdge, ProductFault};
use crate::sort::Sort as _;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A strongly connected part of the product whose computations are fair and accepted.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its nodes.
    pub nodes: Vec<NodeId>,
    /// For each node the edges that stay inside.
    pub edges: BTreeMap<NodeId, Vec<ProductEdge>>,
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
    product: &mut G,
    nodes: Vec<NodeId>,
    fairness: &FairnessOf,
) -> Result<Option<Component>, ProductFault> {
    let mut pending = alloc::vec![nodes];
    while let Some(nodes) = pending.pop() {
        let mut edges: BTreeMap<NodeId, Vec<ProductEdge>> = BTreeMap::new();
        for &node in &nodes {
            edges.insert(node, Vec::new());
        }
        for &node in &nodes {
            let inside = product.edges(node)?.into_iter().filter(|e| edges.contains_key(&e.target)).collect();
            edges.insert(node, inside);
        }
        for part in parts(&nodes, &edges) {
            let inside: BTreeMap<NodeId, Vec<ProductEdge>> = part
                .iter()
                .map(|node| {
                    let own = edges[node].iter().filter(|e| part.binary_search(&e.target).is_ok());
                    (*node, own.cloned().collect())
                })
                .collect();
            match judge(product, &inside, fairness)? {
                Judgement::Fair => return Ok(Some(Component { nodes: part, edges: inside })),
                Judgement::Never => {}
                Judgement::Without(remove) => {
                    pending.push(part.into_iter().filter(|n| !remove.contains(n)).collect());
                }
            }
        }
    }
    Ok(None)
}

/// The strongly connected components, each in ascending order.
fn parts(nodes: &[NodeId], edges: &BTreeMap<NodeId, Vec<ProductEdge>>) -> Vec<Vec<NodeId>> {
    let mut sorted = nodes.to_vec();
    sorted.arrange();
    let place = |node: NodeId| sorted.binary_search(&node).unwrap_or(0) as u32;
    let found = components(sorted.len(), |n| edges[&sorted[n as usize]].iter().map(move |e| place(e.target)));
    found.members.into_iter().map(|part| part.into_iter().map(|n| sorted[n as usize]).collect()).collect()
}

enum Judgement {
    Fair,
    /// No part of it is fair and accepted.
    Never,
    /// Only parts without these nodes can be.
    Without(Vec<NodeId>),
}

fn judge<'p, G: Ground<'p>>(
    product: &mut G,
    edges: &BTreeMap<NodeId, Vec<ProductEdge>>,
    fairness: &FairnessOf,
) -> Result<Judgement, ProductFault> {
    let marks = edges.values().flatten().fold(Marks::EMPTY, |all, edge| all.union(edge.marks));
    if edges.values().all(Vec::is_empty) || marks != product.all_marks() {
        return Ok(Judgement::Never);
    }
    let degree = product.program().process_count();
    let perms = tree_perms(product, edges)?;
    let mut partition = Partition::discrete(degree);
    let mut executed = Points::default();
    let (mut enabled, mut disabled) = (Points::default(), Points::default());
    let mut enabled_at: Vec<(NodeId, Points)> = Vec::new();
    for (&node, outgoing) in edges {
        let perm = &perms[&node];
        let here = product.enabled(node)?.image(perm);
        partition = partition.join(&product.orbits(node)?.image(perm));
        disabled.union(&here.complement(degree));
        enabled.union(&here);
        enabled_at.push((node, here));
        for edge in outgoing {
            partition.join_orbits_of(&perm.compose(&edge.perm).compose(&perms[&edge.target].inverse()));
            if let Some(process) = edge.process {
                executed.insert(perm.apply(process));
            }
        }
    }
    let mut unfair: Vec<PointSet> = Vec::new();
    for class in partition.classes().filter(|class| !executed.meets(class) && !fairness.none.meets(class)) {
        if fairness.strong.meets(&class) {
            if enabled.meets(&class) {
                unfair.push(class);
            }
        } else if !disabled.meets(&class) {
            // Enabled everywhere and never executed: so it is in every part.
            return Ok(Judgement::Never);
        }
    }
    if unfair.is_empty() {
        return Ok(Judgement::Fair);
    }
    let hit = enabled_at.into_iter().filter(|(_, here)| unfair.iter().any(|class| here.meets(class)));
    Ok(Judgement::Without(hit.map(|(node, _)| node).collect()))
}

/// π_u for each node of a component, along a tree from its first node; of those that differ by what fixes the node the one
/// that moves fewest processes.
fn tree_perms<'p, G: Ground<'p>>(
    product: &mut G,
    edges: &BTreeMap<NodeId, Vec<ProductEdge>>,
) -> Result<BTreeMap<NodeId, Perm>, ProductFault> {
    let mut perms = BTreeMap::new();
    let Some((&first, _)) = edges.first_key_value() else { return Ok(perms) };
    perms.insert(first, Perm::identity());
    let mut queue = alloc::vec![first];
    while let Some(node) = queue.pop() {
        for edge in &edges[&node] {
            if !perms.contains_key(&edge.target) {
                let perm = perms[&node].compose(&edge.perm);
                let perm = product.stabiliser(edge.target)?.shortest_of_coset(&perm);
                perms.insert(edge.target, perm);
                queue.push(edge.target);
            }
        }
    }
    Ok(perms)
}
