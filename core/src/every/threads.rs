//! Where a single untracked process can be: a component in which no process could be treated fairly is none.
//!
//! # Why no fair run is lost
//!
//! Let C be the edges of the product that the image of a fair run takes infinitely often. An untracked process i follows a path in the
//! graph of places below; the walks D that it takes infinitely often are strongly connected and lie over all of C. Its fairness is a
//! list of demands: one of the process, where its family is fair, and one for each action of the family that is fair by itself. For a
//! weak demand D has a walk that meets it or a place where it cannot be met, and so has each part that contains D. For a strong one D
//! has a walk that meets it or no place where it could be met: where the part around D has no such walk, D has none, and lies in what
//! is left without the places where it could be met. That is taken apart anew, with what all other demands say of it, and D stays
//! inside of one part to the end. So D lies in a good part. There are finitely many processes: where somebody is in a local state at a
//! node that is visited infinitely often, one and the same is there infinitely often; the same of each move, and of each bystander
//! that is certainly there.

use super::parts::{Edge, Expanded, Local};
use super::search::{Component, Demand, Sides};
use super::system::Abstraction;
use crate::automaton::{Marks, components};
use crate::program::ActionId;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The nodes and edges that no fair run visits, or takes, infinitely often.
#[derive(Debug, Default)]
pub(super) struct Bad {
    /// Nodes, by their place in the component.
    pub nodes: Vec<usize>,
    /// Edges, by their place in the component.
    pub edges: Vec<usize>,
    /// The places without a fair way to go on: a node, and a local state that somebody is in there.
    pub stranded: Vec<(usize, Local)>,
}

impl Bad {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.edges.is_empty()
    }
}

/// A process goes from one place to another while the component takes an edge.
struct Walk {
    to: u32,
    /// Whether it executes itself, and the action where that is to be fair by itself.
    executes: bool,
    action: Option<ActionId>,
    marks: Marks,
}

/// The graph of a single process in a component.
struct Graph {
    /// Node of the component and local state of each place.
    places: Vec<(usize, Local)>,
    ids: BTreeMap<(usize, Local), u32>,
    /// The walks from each place.
    walks: Vec<Vec<Walk>>,
}

/// Finds the nodes and edges of a component that would leave some process without a fair way to go on.
pub(super) fn threads(system: &Abstraction<'_>, sides: &Sides, component: &Component) -> Bad {
    let graph = Graph::new(system, component);
    let good = graph.good(system, sides, component);
    let together = |from: (usize, Local), to: (usize, Local)| {
        let (Some(&from), Some(&to)) = (graph.ids.get(&from), graph.ids.get(&to)) else { return false };
        good[from as usize].is_some() && good[from as usize] == good[to as usize]
    };
    let mut bad = Bad::default();
    for (place, &(node, local)) in graph.places.iter().enumerate() {
        if good[place].is_none() {
            bad.stranded.push((node, local));
            bad.nodes.push(node);
        }
    }
    bad.nodes.dedup();
    for (number, link) in component.links.iter().enumerate() {
        let edge = component.edge(system, link);
        let moved = edge.moves.iter().all(|&(from, to, _)| together((link.from, from), (link.to, to)));
        let stood = edge.must.iter().all(|&l| together((link.from, l), (link.to, edge.stands(l))));
        if !moved || !stood {
            bad.edges.push(number);
        }
    }
    bad
}

impl Graph {
    fn new(system: &Abstraction<'_>, component: &Component) -> Graph {
        let mut graph = Graph { places: Vec::new(), ids: BTreeMap::new(), walks: Vec::new() };
        for (node, &(state, _)) in component.nodes.iter().enumerate() {
            for (local, _) in system.counters(state) {
                graph.ids.insert((node, local), graph.places.len() as u32);
                graph.places.push((node, local));
                graph.walks.push(Vec::new());
            }
        }
        for link in &component.links {
            let edge = component.edge(system, link);
            for (from, to, executes) in goings(edge) {
                let ends = (graph.ids.get(&(link.from, from)), graph.ids.get(&(link.to, to)));
                if let (Some(&from), Some(&to)) = ends {
                    let action = edge.action.filter(|_| executes);
                    graph.walks[from as usize].push(Walk { to, executes, action, marks: link.marks });
                }
            }
        }
        graph
    }

    /// For each place the good part that it lies in.
    fn good(&self, system: &Abstraction<'_>, sides: &Sides, component: &Component) -> Vec<Option<u32>> {
        let count = self.places.len();
        let mut good: Vec<Option<u32>> = alloc::vec![None; count];
        let able = |place: u32, demand: &Demand| {
            let (node, local) = self.places[place as usize];
            can(system.at(component.nodes[node].0), local, demand)
        };
        let mut named = 0;
        let mut open: Vec<Vec<u32>> = alloc::vec![(0..count as u32).collect()];
        let mut inside: Vec<u32> = alloc::vec![u32::MAX; count];
        while let Some(set) = open.pop() {
            for part in self.parts(&set, &mut inside) {
                let summary = self.summary(&part, &inside);
                if !summary.edges || !sides.accepts(summary.marks) {
                    continue;
                }
                let demands = &sides.demands[system.family_of(self.places[part[0] as usize].1)];
                let unmet = || demands.iter().filter(|demand| !summary.meets(demand));
                let pressed =
                    |demand: &&Demand| !demand.strong && part.iter().all(|&place| able(place, demand));
                if unmet().any(|demand| pressed(&demand)) {
                    continue;
                }
                let calm = |place: &u32| !unmet().any(|demand| demand.strong && able(*place, demand));
                let left: Vec<u32> = part.iter().copied().filter(calm).collect();
                if left.len() < part.len() {
                    open.push(left);
                    continue;
                }
                for &place in &part {
                    good[place as usize] = Some(named);
                }
                named += 1;
            }
            for place in set {
                inside[place as usize] = u32::MAX;
            }
        }
        good
    }

    /// The strongly connected parts of some places. Afterwards `inside` has the number of each one's part.
    fn parts(&self, set: &[u32], inside: &mut [u32]) -> Vec<Vec<u32>> {
        for (number, &place) in (0u32..).zip(set) {
            inside[place as usize] = number;
        }
        let successors = |v: u32| {
            let walks = self.walks[set[v as usize] as usize].iter();
            let targets = walks.map(|walk| inside[walk.to as usize]).filter(|&to| to != u32::MAX);
            targets.collect::<Vec<u32>>().into_iter()
        };
        let found = components(set.len(), successors);
        for (&place, part) in set.iter().zip(found.of) {
            inside[place as usize] = part;
        }
        let named = |members: &Vec<u32>| members.iter().map(|&v| set[v as usize]).collect();
        found.members.iter().map(named).collect()
    }

    fn summary(&self, part: &[u32], inside: &[u32]) -> Summary {
        let mut all = Summary::default();
        for &place in part {
            let own = inside[place as usize];
            for walk in self.walks[place as usize].iter().filter(|walk| inside[walk.to as usize] == own) {
                all.edges = true;
                all.executes |= walk.executes;
                all.actions.extend(walk.action.filter(|action| !all.actions.contains(action)));
                all.marks = all.marks.union(walk.marks);
            }
        }
        all
    }
}

/// Where single processes go while an edge is taken: from, to, and whether that is the one that executes.
fn goings(edge: &Edge) -> impl Iterator<Item = (Local, Local, bool)> + '_ {
    let moved = edge.moves.iter().copied();
    moved.chain(edge.may.iter().map(|&local| (local, edge.stands(local), false)))
}

/// Whether a process in a local state could meet a demand in an abstract state.
fn can(state: &Expanded, local: Local, demand: &Demand) -> bool {
    match demand.action {
        None => state.enabled.binary_search(&local).is_ok(),
        Some(action) => state.choices.binary_search(&(local, action)).is_ok(),
    }
}

/// The properties of all walks within a part.
#[derive(Default)]
struct Summary {
    edges: bool,
    executes: bool,
    actions: Vec<ActionId>,
    marks: Marks,
}

impl Summary {
    fn meets(&self, demand: &Demand) -> bool {
        demand.action.map_or(self.executes, |action| self.actions.contains(&action))
    }
}
