//! Weighted numbers of processes: one that can only grow returns nowhere (drift), and one that never falls below what is known
//! rules abstract states out (laws).

use super::parts::{Core, Edge, Effect, Law, Local, StateId};
use super::record::Weights;
use super::search::Component;
use super::system::Abstraction;
use crate::automaton::components;
use crate::ids::Id;
use crate::sort::Sort as _;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// Weights are from -2 to 2.
const HEAVIEST: i64 = 2;
/// The most choices of weights that are tried.
const MOST_CHOICES: usize = 3_000;
/// The most edges that are looked at while distances are found.
const MOST_WORK: u64 = 20_000_000;
/// The most laws that are taken in at once.
const MOST_LAWS: usize = 12;

/// Edges of a component that are on no closed walk which leaves every counter as it is, by their place in the component, and the
/// weights that show it.
pub(super) fn drift(system: &Abstraction<'_>, component: &Component) -> Option<(Vec<usize>, Weights)> {
    let edges: Vec<&Edge> = component.links.iter().map(|link| component.edge(system, link)).collect();
    let effects: Vec<Effect> = edges.iter().map(|edge| edge.effect()).collect();
    let mut free = changed(edges.iter().copied());
    // Of each family one weight is 0: all processes together are as many as ever.
    let mut families = BTreeSet::new();
    free.retain(|&local| !families.insert(system.family_of(local)));
    let mut work = MOST_WORK;
    for weights in choices(&free, system.local_count()) {
        let costs: Option<Vec<i64>> = effects.iter().map(|effect| effect.cost(&weights)).collect();
        let Some(costs) = costs else { continue };
        if costs.iter().all(|&cost| cost == 0) {
            continue;
        }
        let arcs: Vec<(usize, usize, i64)> =
            component.links.iter().zip(&costs).map(|(link, &cost)| (link.from, link.to, cost)).collect();
        let start = alloc::vec![Some(0); component.nodes.len()];
        let Some(distances) = shortest(start, &arcs, &mut work) else {
            if work == 0 {
                break;
            }
            continue;
        };
        let tight = |&(from, to, cost): &(usize, usize, i64)| {
            distances[from].zip(distances[to]).is_some_and(|(a, b)| a + cost == b)
        };
        let mut successors: Vec<Vec<u32>> = alloc::vec![Vec::new(); component.nodes.len()];
        for arc in arcs.iter().filter(|arc| tight(arc)) {
            successors[arc.0].push(arc.1 as u32);
        }
        let parts = components(component.nodes.len(), |v| successors[v as usize].iter().copied()).of;
        let off = |arc: &(usize, usize, i64)| !tight(arc) || parts[arc.0] != parts[arc.1];
        let bad: Vec<usize> = (0..arcs.len()).filter(|&number| off(&arcs[number])).collect();
        if !bad.is_empty() {
            let weighed = (0u32..).zip(weights).filter(|(_, weight)| *weight != 0);
            return Some((bad, weighed.collect()));
        }
    }
    None
}

/// Laws that rule some state of the system out.
pub(super) fn laws(system: &Abstraction<'_>) -> Vec<Law> {
    let states: Vec<StateId> = (0..system.len()).map(StateId::from_index).collect();
    let edges = || states.iter().flat_map(|&id| system.at(id).edges.iter().map(move |edge| (id, edge)));
    let mut free = changed(edges().map(|(_, edge)| edge));
    free.retain(|local| !system.initial_locals().contains(local));
    let mut found: Vec<Law> = Vec::new();
    let mut work = MOST_WORK;
    let ends = |id: StateId, edge: &Edge| (system.core(id).index(), system.core(edge.target).index());
    let kinds: BTreeSet<((usize, usize), Effect)> =
        edges().map(|(id, edge)| (ends(id, edge), edge.effect())).collect();
    for weights in choices(&free, system.local_count()) {
        // Along an edge a longest path grows by what the sum loses.
        let mut arcs: BTreeSet<(usize, usize, i64)> = BTreeSet::new();
        let known = kinds.iter().all(|((from, to), effect)| {
            effect.cost(&weights).is_some_and(|cost| {
                arcs.insert((*from, *to, cost));
                true
            })
        });
        work = work.saturating_sub(kinds.len() as u64);
        if !known {
            continue;
        }
        let cores = states.iter().map(|&id| system.core(id).index() + 1).max().unwrap_or(0);
        let mut start = alloc::vec![None; cores];
        for &root in system.roots() {
            start[system.core(root).index()] = Some(0);
        }
        let arcs: Vec<(usize, usize, i64)> = arcs.into_iter().collect();
        // A longest path by -cost is a shortest one by cost, with the sign turned.
        let Some(distances) = shortest(start, &arcs, &mut work) else {
            if work == 0 {
                break;
            }
            continue;
        };
        let offsets: BTreeMap<Core, i64> = distances
            .iter()
            .enumerate()
            .filter_map(|(core, distance)| Some((Core::from_index(core), -(*distance)?)))
            .collect();
        let weights = weights.iter().enumerate().filter(|(_, w)| **w != 0);
        let weights = weights.map(|(local, &w)| (Local::from_index(local), w)).collect();
        let law = Law { weights, offsets };
        if states.iter().any(|&id| system.removes(&law, id)) {
            found.push(law);
            if found.len() == MOST_LAWS {
                break;
            }
        }
    }
    found
}

/// The local states whose counters some edge may change.
fn changed<'a>(edges: impl Iterator<Item = &'a Edge>) -> Vec<Local> {
    let mut all: BTreeSet<Local> = BTreeSet::new();
    for edge in edges {
        let moved = edge.moves.iter().map(|&(from, to, _)| (from, to)).chain(edge.carried.iter().copied());
        for (from, to) in moved.filter(|(from, to)| from != to) {
            all.extend([from, to]);
        }
    }
    all.into_iter().collect()
}

/// Weights for some local states, the simplest first; all others have 0.
fn choices(free: &[Local], count: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = Vec::new();
    for sum in 1..=HEAVIEST * free.len() as i64 {
        let mut row = alloc::vec![0; count];
        choose(free, sum, &mut row, &mut all);
        if all.len() >= MOST_CHOICES {
            break;
        }
    }
    all
}

/// All weights whose sizes add up to `sum`.
fn choose(free: &[Local], sum: i64, row: &mut Vec<i64>, all: &mut Vec<Vec<i64>>) {
    if all.len() >= MOST_CHOICES || sum > HEAVIEST * free.len() as i64 {
        return;
    }
    let Some((&first, rest)) = free.split_first() else {
        if sum == 0 {
            all.push(row.clone());
        }
        return;
    };
    let mut sizes: Vec<i64> = (-HEAVIEST..=HEAVIEST).filter(|weight| weight.abs() <= sum).collect();
    sizes.arrange_by_key(|weight| core::cmp::Reverse(weight.abs()));
    for weight in sizes {
        row[first.index()] = weight;
        choose(rest, sum - weight.abs(), row, all);
        row[first.index()] = 0;
    }
}

/// The shortest distances by Bellman and Ford; none where a cycle is negative, or where the work is used up.
fn shortest(
    mut distances: Vec<Option<i64>>,
    arcs: &[(usize, usize, i64)],
    work: &mut u64,
) -> Option<Vec<Option<i64>>> {
    for _ in 0..=distances.len() {
        if *work < arcs.len() as u64 {
            *work = 0;
            return None;
        }
        *work -= arcs.len() as u64;
        let mut settled = true;
        for &(from, to, cost) in arcs {
            let Some(there) = distances[from].map(|d| d + cost) else { continue };
            if distances[to].is_none_or(|known| there < known) {
                distances[to] = Some(there);
                settled = false;
            }
        }
        if settled {
            return Some(distances);
        }
    }
    None
}
