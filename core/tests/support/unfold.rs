//! Unfolding: the quotient, expanded by G, must be the program again, state for state and edge for edge.

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::group::{Perm, Process};
use orbitscope_core::ids::Id;
use orbitscope_core::program::Program;
use orbitscope_core::quotient::{Aqs, Aqsi, AqsiId, EdgeStorage, Prune};
use orbitscope_core::symmetry::{ProgramSymmetry, Structure, state_structure};
use std::collections::{BTreeMap, BTreeSet};

type State = Vec<i32>;
type Triple = (State, Process, State);

/// The program's states and steps, found without symmetry.
pub(crate) struct Plain {
    pub(crate) states: BTreeSet<State>,
    pub(crate) triples: BTreeSet<Triple>,
    /// How many steps each state has, counting actions and arguments.
    pub(crate) steps: BTreeMap<State, u64>,
}

pub(crate) fn explore(program: &Program, limit: u32) -> Option<Plain> {
    let limits = Limits { states: limit, ..Limits::default() };
    let mut exploration = Exploration::new(program, limits, &[]).keeping_edges();
    if *exploration.run() != StopReason::Complete {
        return None;
    }
    let states: Vec<State> =
        (0..exploration.states().len()).map(|i| exploration.values(Id::from_index(i as usize))).collect();
    let mut triples = BTreeSet::new();
    let mut steps: BTreeMap<State, u64> = states.iter().map(|s| (s.clone(), 0)).collect();
    for edge in exploration.edges() {
        let (from, to) = (&states[edge.from.index()], &states[edge.to.index()]);
        triples.insert((from.clone(), edge.process, to.clone()));
        *steps.get_mut(from).expect("every state is listed") += 1;
    }
    Some(Plain { states: states.into_iter().collect(), triples, steps })
}

/// All elements of G, or none if there are more than `limit`.
pub(crate) fn elements(symmetry: &ProgramSymmetry, limit: u128) -> Option<Vec<Perm>> {
    let order = symmetry.group.order().to_u128()?;
    (order <= limit).then(|| symmetry.group.elements(order).collect())
}

/// The number of orbits of states, by brute force.
fn orbits(plain: &Plain, structure: &Structure, elements: &[Perm]) -> usize {
    let mut left = plain.states.clone();
    let mut count = 0;
    while let Some(state) = left.pop_first() {
        count += 1;
        for g in elements {
            left.remove(&structure.apply(g, &state));
        }
    }
    count
}

/// Checks a program's quotient under one pruning, and with up to two tracked processes.
pub(crate) fn check(
    program: &Program,
    symmetry: &ProgramSymmetry,
    plain: &Plain,
    elements: &[Perm],
    prune: Prune,
) -> Result<(), String> {
    let structure = state_structure(program);
    let mut aqs = Aqs::new(program, symmetry, prune, EdgeStorage::Stored, 100_000);
    aqs.build(u32::MAX);
    let (mut states, mut triples) = (BTreeSet::new(), BTreeSet::new());
    for number in 0..aqs.len() {
        let id = Id::from_index(number as usize);
        let flat = aqs.flat(id);
        let edges = aqs.edges(id).map_err(|fault| format!("{fault:?}"))?;
        let weight: u64 = edges.iter().map(|e| e.weight).sum();
        let steps = plain.steps.get(&flat).copied();
        if prune == Prune::Full && Some(weight) != steps {
            return Err(format!("the edges of {flat:?} stand for {weight} steps, the program has {steps:?}"));
        }
        for g in elements {
            let source = structure.apply(g, &flat);
            for edge in edges.iter() {
                let target = structure.apply(&g.compose(&edge.perm), &aqs.flat(edge.target));
                triples.insert((source.clone(), g.apply(edge.process), target));
            }
            states.insert(source);
        }
        check_pruned(&mut aqs, &structure, id)?;
    }
    compare("states", &states, &plain.states)?;
    compare("edges", &triples, &plain.triples)?;
    let orbits = orbits(plain, &structure, elements);
    if aqs.is_exact() && aqs.len() as usize != orbits {
        return Err(format!("{} quotient states for {orbits} orbits", aqs.len()));
    }
    for root in aqs.roots() {
        let initial = structure.apply(&root.perm, &aqs.flat(root.state));
        if !plain.states.contains(&initial) {
            return Err(format!("the root {initial:?} is no state"));
        }
    }
    Ok(())
}

/// Kept and pruned edges together are all edges, and each pruned one is shown to be redundant.
fn check_pruned(
    aqs: &mut Aqs<'_>,
    structure: &Structure,
    id: orbitscope_core::quotient::AqsId,
) -> Result<(), String> {
    let flat = aqs.flat(id);
    let kept = aqs.edges(id).map_err(|fault| format!("{fault:?}"))?;
    for pruned in aqs.pruned(id).map_err(|fault| format!("{fault:?}"))? {
        let Some(rho) = pruned.shown_by else {
            return Err(format!("nothing shows that {:?} is redundant", pruned.edge));
        };
        let parallel = &kept[pruned.parallel_to];
        let image = structure.apply(&rho.compose(&parallel.perm), &aqs.flat(parallel.target));
        let target = structure.apply(&pruned.edge.perm, &aqs.flat(pruned.edge.target));
        if structure.apply(&rho, &flat) != flat
            || rho.apply(parallel.process) != pruned.edge.process
            || image != target
        {
            return Err(format!("{rho:?} does not show that {:?} is parallel to {parallel:?}", pruned.edge));
        }
    }
    Ok(())
}

/// Checks the quotient with these processes tracked: expanded by the permutations that bring l⃗ to c⃗ it is the program.
pub(crate) fn check_tracked(
    program: &Program,
    symmetry: &ProgramSymmetry,
    plain: &Plain,
    elements: &[Perm],
    prune: Prune,
    tracked: &[Process],
) -> Result<(), String> {
    let structure = state_structure(program);
    let aqs = Aqs::new(program, symmetry, prune, EdgeStorage::Stored, 100_000);
    let mut aqsi = Aqsi::new(aqs, tracked);
    aqsi.build(u32::MAX).map_err(|fault| format!("{fault:?}"))?;
    let (mut states, mut triples) = (BTreeSet::new(), BTreeSet::new());
    for number in 0..aqsi.len() {
        let id: AqsiId = Id::from_index(number as usize);
        let (state, local) = aqsi.node(id);
        let (flat, local) = (aqsi.aqs().flat(state), local.to_vec());
        let edges = aqsi.edges(id).map_err(|fault| format!("{fault:?}"))?;
        for g in elements.iter().filter(|g| local.iter().zip(tracked).all(|(&l, &c)| g.apply(l) == c)) {
            let source = structure.apply(g, &flat);
            for edge in edges.iter() {
                let perm = g.compose(&edge.perm);
                let (target, there) = aqsi.node(edge.target);
                if there.iter().zip(tracked).any(|(&l, &c)| perm.apply(l) != c) {
                    return Err(format!("an edge loses the tracked processes {tracked:?}"));
                }
                let target = structure.apply(&perm, &aqsi.aqs().flat(target));
                triples.insert((source.clone(), g.apply(edge.process), target));
            }
            states.insert(source);
        }
    }
    compare("states with tracked processes", &states, &plain.states)?;
    compare("edges with tracked processes", &triples, &plain.triples)
}

fn compare<T: Ord + std::fmt::Debug>(
    what: &str,
    found: &BTreeSet<T>,
    expected: &BTreeSet<T>,
) -> Result<(), String> {
    if let Some(extra) = found.difference(expected).next() {
        return Err(format!("{what}: the quotient has {extra:?}, the program has not"));
    }
    match expected.difference(found).next() {
        Some(missing) => Err(format!("{what}: the program has {missing:?}, the quotient has not")),
        None => Ok(()),
    }
}
