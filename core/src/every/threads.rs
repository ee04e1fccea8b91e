//! Where a single untracked process can be: a component in which no process could be treated fairly is none.

use super::parts::Local;
use super::search::{Component, Sides};
use super::system::Abstraction;
use crate::automaton::{Marks, components};
use crate::syntax::ast::Fairness;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The nodes and edges that no fair run visits, or takes, infinitely often.
#[derive(Debug, Default)]
pub(super) struct Bad {
    /// Nodes, by their place in the component.
    pub nodes: Vec<usize>,
    /// Edges, by their place in the component.
    pub edges: Vec<usize>,
}

impl Bad {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.edges.is_empty()
    }
}

/// A process goes from one place to another while the component takes an edge.
struct Walk {
    from: u32,
    to: u32,
    executes: bool,
    marks: Marks,
}

/// The graph of a single process in a component.
struct Graph {
    /// Node of the component and local state of each place.
    places: Vec<(usize, Local)>,
    ids: BTreeMap<(usize, Local), u32>,
    walks: Vec<Walk>,
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
    for (node, &(state, _)) in component.nodes.iter().enumerate() {
        let stranded = |(local, _)| good[graph.ids[&(node, local)] as usize].is_none();
        if system.counters(state).any(stranded) {
            bad.nodes.push(node);
        }
    }
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
            }
        }
        for link in &component.links {
            let edge = component.edge(system, link);
            let moved = edge.moves.iter().copied();
            let stood = edge.may.iter().map(|&local| (local, edge.stands(local), false));
            for (from, to, executes) in moved.chain(stood) {
                let ends = (graph.ids.get(&(link.from, from)), graph.ids.get(&(link.to, to)));
                if let (Some(&from), Some(&to)) = ends {
                    graph.walks.push(Walk { from, to, executes, marks: link.marks });
                }
            }
        }
        graph
    }

    /// For each place the good component that it lies in.
    fn good(&self, system: &Abstraction<'_>, sides: &Sides, component: &Component) -> Vec<Option<u32>> {
        let count = self.places.len();
        let mut good: Vec<Option<u32>> = alloc::vec![None; count];
        let enabled = |place: u32| {
            let (node, local) = self.places[place as usize];
            system.at(component.nodes[node].0).enabled.binary_search(&local).is_ok()
        };
        let parts = self.parts(&|_| true);
        let summaries = self.summaries(&parts);
        // Where a strongly fair process never executes, it must be able to stay where it is not enabled.
        let calm = |place: u32| {
            let part = parts[place as usize] as usize;
            !summaries[part].executes && !enabled(place)
        };
        let calm_parts = self.parts(&calm);
        let calm_summaries = self.summaries(&calm_parts);
        let mut rests: Vec<bool> = alloc::vec![false; summaries.len()];
        for place in 0..count as u32 {
            rests[parts[place as usize] as usize] |= !enabled(place);
        }
        for place in 0..count {
            let local = self.places[place].1;
            let part = parts[place] as usize;
            let whole = &summaries[part];
            let ok = |summary: &Summary| summary.edges && sides.accepts(summary.marks);
            match sides.fairness[system.family_of(local)] {
                Fairness::None => good[place] = ok(whole).then_some(part as u32),
                Fairness::Weak => {
                    good[place] = (ok(whole) && (whole.executes || rests[part])).then_some(part as u32);
                }
                Fairness::Strong if whole.executes => good[place] = ok(whole).then_some(part as u32),
                Fairness::Strong => {
                    let own = calm_parts[place];
                    let kept = own != u32::MAX && ok(&calm_summaries[own as usize]);
                    good[place] = kept.then(|| summaries.len() as u32 + own);
                }
            }
        }
        good
    }

    /// The strongly connected parts of the places that are kept; others have none.
    fn parts(&self, keep: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut successors: Vec<Vec<u32>> = alloc::vec![Vec::new(); self.places.len()];
        for walk in self.walks.iter().filter(|walk| keep(walk.from) && keep(walk.to)) {
            successors[walk.from as usize].push(walk.to);
        }
        let mut parts = components(self.places.len(), |v| successors[v as usize].iter().copied()).of;
        for (place, part) in parts.iter_mut().enumerate() {
            if !keep(place as u32) {
                *part = u32::MAX;
            }
        }
        parts
    }

    fn summaries(&self, parts: &[u32]) -> Vec<Summary> {
        let count = parts.iter().filter(|&&p| p != u32::MAX).max().map_or(0, |&p| p as usize + 1);
        let mut all: Vec<Summary> = alloc::vec![Summary::default(); count];
        for walk in &self.walks {
            let part = parts[walk.from as usize];
            if part != u32::MAX && part == parts[walk.to as usize] {
                let own = &mut all[part as usize];
                own.edges = true;
                own.executes |= walk.executes;
                own.marks = own.marks.union(walk.marks);
            }
        }
        all
    }
}

/// What the edges of a part have.
#[derive(Clone, Default)]
struct Summary {
    edges: bool,
    executes: bool,
    marks: Marks,
}
