//! Isomorphisms of automata whose states can all be told apart by what can be read from them.

use super::bdd::{Bdd, Manager};
use super::label::{Ap, Cube, Label};
use super::merged::MergedTgba;
use super::tgba::{AutomatonState, Tgba, Transition};
use crate::ids::Id;
use crate::limits::{MAX_COMPARED_NODES, MAX_COMPARED_STATES};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The map of an automaton's states to each other that takes its initial states to initial ones and every transition to
/// one with the same marks whose letters are renamed: the proposition a of a label becomes `rename[a]`.
///
/// None where there is no such map, and for an automaton whose states are not all told apart by refining colours.
/// (Reduced automata seldom have states that are not.) So there is one map at most, and if there is one for two
/// renamings, there is one for their product.
pub(crate) fn renaming(automaton: &Tgba, rename: &[Ap]) -> Option<Vec<AutomatonState>> {
    if automaton.state_count() > size("automaton: states that are compared", MAX_COMPARED_STATES, 2) {
        took("automaton: too large to be compared with its image");
        return None;
    }
    let renamed = renamed(automaton, rename)?;
    let mut bdds = Manager::new(size("automaton: nodes of images", MAX_COMPARED_NODES, 12));
    let from = Graph::new(&MergedTgba::from_tgba(&renamed, &mut bdds));
    let to = Graph::new(&MergedTgba::from_tgba(automaton, &mut bdds));
    if bdds.overflowed() {
        took("automaton: too many nodes for its image");
        return None;
    }
    let (own, other) = refine(&from, &to)?;
    let states: BTreeMap<u32, u32> = other.iter().copied().zip(0..).collect();
    let map: Option<Vec<u32>> = own.iter().map(|colour| states.get(colour).copied()).collect();
    let map = map.filter(|map| states.len() == other.len() && is_isomorphism(&from, &to, map))?;
    Some(map.into_iter().map(AutomatonState).collect())
}

fn renamed(automaton: &Tgba, rename: &[Ap]) -> Option<Tgba> {
    let transition = |t: &Transition| {
        let cubes = t.label.cubes().iter().map(|cube| {
            Cube::of(cube.literals().into_iter().map(|(ap, positive)| (rename[ap.index()], positive)))
        });
        let cubes: Option<Vec<Cube>> = cubes.collect();
        Some(Transition { label: Label::of(cubes?), ..t.clone() })
    };
    let states = automaton.states().map(|q| automaton.transitions(q).iter().map(transition).collect());
    let states: Option<Vec<Vec<Transition>>> = states.collect();
    Tgba::new(automaton.initial().iter().copied(), automaton.sets(), states?).ok()
}

/// An edge: the letters it reads, those with each mark, and its target or the target's colour.
type Edge = (Bdd, Vec<Bdd>, u32);

/// An automaton as a graph whose edges have kinds.
struct Graph {
    edges: Vec<Vec<Edge>>,
    initial: Vec<bool>,
}

impl Graph {
    fn new(automaton: &MergedTgba) -> Self {
        let edges = automaton.edges.iter().map(|list| {
            list.iter().map(|edge| (edge.label.clone(), edge.marked.clone(), edge.target)).collect::<Vec<_>>()
        });
        let edges: Vec<_> = edges.collect();
        let mut initial = alloc::vec![false; edges.len()];
        for &q in &automaton.initial {
            initial[q as usize] = true;
        }
        Graph { edges, initial }
    }

    /// The edges of a state, with something else in the place of their targets.
    fn edges(&self, q: usize, of_target: &[u32]) -> Vec<Edge> {
        let edges = self.edges[q].iter();
        let mut edges: Vec<Edge> = edges
            .map(|(label, marked, to)| (label.clone(), marked.clone(), of_target[*to as usize]))
            .collect();
        edges.arrange();
        edges
    }
}

/// The coarsest colours of both automata that tell apart what can be told apart by colours; none where the two have not as
/// many states of each.
#[expect(
    clippy::mutable_key_type,
    reason = "how often a function is held changes neither its order nor what it is equal to"
)]
fn refine(from: &Graph, to: &Graph) -> Option<(Vec<u32>, Vec<u32>)> {
    let first = |graph: &Graph| graph.initial.iter().map(|&initial| u32::from(initial)).collect::<Vec<_>>();
    let (mut own, mut other) = (first(from), first(to));
    loop {
        let signature = |graph: &Graph, colours: &[u32]| {
            (0..colours.len()).map(|q| (colours[q], graph.edges(q, colours))).collect::<Vec<_>>()
        };
        let (left, right) = (signature(from, &own), signature(to, &other));
        let mut counts: BTreeMap<&(u32, Vec<Edge>), (u32, u32)> = BTreeMap::new();
        for found in &left {
            counts.entry(found).or_default().0 += 1;
        }
        for found in &right {
            counts.entry(found).or_default().1 += 1;
        }
        if counts.values().any(|(left, right)| left != right) {
            return None;
        }
        let numbers: BTreeMap<&(u32, Vec<Edge>), u32> = counts.keys().copied().zip(0..).collect();
        let before = own.iter().collect::<BTreeSet<_>>().len();
        own = left.iter().map(|found| numbers[found]).collect();
        other = right.iter().map(|found| numbers[found]).collect();
        if numbers.len() == before {
            return Some((own, other));
        }
    }
}

fn is_isomorphism(from: &Graph, to: &Graph, map: &[u32]) -> bool {
    let same: Vec<u32> = (0..to.edges.len() as u32).collect();
    (0..map.len()).all(|q| {
        let there = map[q] as usize;
        from.initial[q] == to.initial[there] && from.edges(q, map) == to.edges(there, &same)
    })
}
