//! Unfolding: the quotient, expanded by G, must be the program again, state for state and edge for edge. Everything here
//! is brute force over the program's own states.

use super::agree::CACHES;
use orbitscope_core::explore::{Exploration, Limits, StateId, StopReason};
use orbitscope_core::group::{Perm, Process};
use orbitscope_core::ids::Id;
use orbitscope_core::program::Program;
use orbitscope_core::quotient::{Aqs, AqsEdge, AqsId, Aqsi, AqsiId, EdgeStorage, Prune};
use orbitscope_core::symmetry::{ProgramSymmetry, Structure, state_structure};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

type State = Vec<i32>;
/// A step of the program: state, process, state.
type Triple = (u32, Process, u32);

/// The program's states and steps, found without symmetry. States are numbered.
pub(crate) struct Plain {
    pub(crate) states: Vec<State>,
    pub(crate) triples: BTreeSet<Triple>,
    pub(crate) initial: BTreeSet<u32>,
    numbers: HashMap<State, u32>,
    /// How many steps each state has, counting actions and arguments.
    steps: Vec<u64>,
    structure: Structure,
}

/// A permutation with what it does to the states.
#[derive(Clone)]
pub(crate) struct Element {
    pub(crate) perm: Perm,
    pub(crate) images: Vec<u32>,
}

impl Plain {
    pub(crate) fn explore(program: &Program, limit: u32) -> Option<Plain> {
        let limits = Limits { states: limit, ..Limits::default() };
        let mut exploration = Exploration::new(program, limits, &[]).keeping_edges();
        if *exploration.run() != StopReason::Complete {
            return None;
        }
        let ids = || (0..exploration.states().len()).map(StateId);
        let states: Vec<State> = ids().map(|id| exploration.values(id)).collect();
        let mut steps = vec![0; states.len()];
        let mut triples = BTreeSet::new();
        for edge in exploration.edges() {
            triples.insert((edge.from.0, edge.process, edge.to.0));
            steps[edge.from.index()] += 1;
        }
        Some(Plain {
            numbers: states.iter().cloned().zip(0..).collect(),
            initial: ids().filter(|&id| exploration.is_initial(id)).map(|id| id.0).collect(),
            structure: state_structure(program),
            states,
            triples,
            steps,
        })
    }

    /// How many bytes each kind of results may take that the quotient remembers.
    fn cache(&self) -> u64 {
        CACHES[self.triples.len() % 4]
    }

    /// The number of π·state.
    fn moved(&self, perm: &Perm, state: &[i32]) -> Result<u32, String> {
        let image = self.structure.apply(perm, state);
        self.numbers.get(&image).copied().ok_or_else(|| format!("{perm} takes {state:?} to no state"))
    }

    /// The action of a permutation on the states; an error if it is no automorphism of the program.
    pub(crate) fn act(&self, perm: &Perm) -> Result<Element, String> {
        let images: Result<Vec<u32>, String> = self.states.iter().map(|s| self.moved(perm, s)).collect();
        let images = images?;
        if self.initial.iter().any(|&s| !self.initial.contains(&images[s as usize])) {
            return Err(format!("{perm} moves the initial states"));
        }
        for &(from, process, to) in &self.triples {
            let image = (images[from as usize], perm.apply(process), images[to as usize]);
            if !self.triples.contains(&image) {
                let state = &self.states[from as usize];
                return Err(format!("{perm} does not keep a step of {process:?} from {state:?}"));
            }
        }
        Ok(Element { perm: perm.clone(), images })
    }

    /// All elements of G, by products of its generators, each of which must be an automorphism; nothing if that is
    /// too much.
    pub(crate) fn elements(
        &self,
        symmetry: &ProgramSymmetry,
        limit: u128,
    ) -> Result<Option<Vec<Element>>, String> {
        let generators: Result<Vec<Element>, String> =
            symmetry.group.generators().map(|g| self.act(&g)).collect();
        let generators = generators?;
        let Some(order) = symmetry.group.order().to_u128().filter(|&order| order <= limit) else {
            return Ok(None);
        };
        let identity = self.act(&Perm::identity())?;
        let mut known: HashSet<Perm> = HashSet::from([Perm::identity()]);
        let mut elements = vec![identity];
        let mut next = 0;
        while next < elements.len() {
            for g in &generators {
                let perm = g.perm.compose(&elements[next].perm);
                if known.insert(perm.clone()) {
                    let images = elements[next].images.iter().map(|&s| g.images[s as usize]).collect();
                    elements.push(Element { perm, images });
                }
            }
            next += 1;
        }
        if elements.len() as u128 != order {
            return Err(format!("G has {} elements, but its order is said to be {order}", elements.len()));
        }
        Ok(Some(elements))
    }

    /// The number of orbits of states.
    pub(crate) fn orbits<'e>(&self, elements: impl Iterator<Item = &'e Element>) -> u32 {
        let elements: Vec<&Element> = elements.collect();
        let mut seen = vec![false; self.states.len()];
        let mut count = 0;
        for state in 0..self.states.len() {
            if !seen[state] {
                count += 1;
                for g in &elements {
                    seen[g.images[state] as usize] = true;
                }
            }
        }
        count
    }

    fn compare(&self, what: &str, found: &HashSet<Triple>) -> Result<(), String> {
        let show = |(from, process, to): Triple| {
            let (from, to) = (&self.states[from as usize], &self.states[to as usize]);
            format!("{from:?} -{process:?}-> {to:?}")
        };
        if let Some(&extra) = found.iter().filter(|t| !self.triples.contains(t)).min() {
            return Err(format!("{what}: only the quotient has {}", show(extra)));
        }
        match self.triples.iter().find(|t| !found.contains(t)) {
            Some(&missing) => Err(format!("{what}: the quotient has not {}", show(missing))),
            None => Ok(()),
        }
    }
}

/// Checks a program's quotient under one pruning.
pub(crate) fn check(
    program: &Program,
    symmetry: &ProgramSymmetry,
    plain: &Plain,
    elements: &[Element],
    prune: Prune,
) -> Result<(), String> {
    let mut aqs = Aqs::new(program, symmetry, prune, EdgeStorage::Stored, 100_000);
    aqs.set_cache_bytes(plain.cache());
    if aqs.build(u32::MAX) != StopReason::Complete {
        return Err("the quotient is not complete".to_string());
    }
    let group: HashSet<&Perm> = elements.iter().map(|g| &g.perm).collect();
    let (mut states, mut triples) = (BTreeSet::new(), HashSet::new());
    for id in (0..aqs.len()).map(AqsId) {
        let flat = aqs.flat(id);
        let source = plain.moved(&Perm::identity(), &flat)?;
        let edges = aqs.edges(id).map_err(|fault| format!("{fault:?}"))?;
        let weight: u64 = edges.iter().map(|e| e.weight).sum();
        let steps = plain.steps[source as usize];
        if prune != Prune::Process && weight != steps {
            return Err(format!("the edges of {flat:?} stand for {weight} steps, the program has {steps}"));
        }
        states.extend(elements.iter().map(|g| g.images[source as usize]));
        for edge in edges.iter() {
            let target = plain.moved(&edge.perm, &aqs.flat(edge.target))?;
            if !group.contains(&edge.perm) {
                return Err(format!("the edge {edge:?} of {flat:?} has a permutation that is not in G"));
            }
            triples.extend(
                elements.iter().map(|g| {
                    (g.images[source as usize], g.perm.apply(edge.process), g.images[target as usize])
                }),
            );
        }
        if aqs.is_exact() {
            check_count(plain, elements, source, prune, &edges)?;
        }
        check_pruned(plain, &mut aqs, id, &edges)?;
    }
    if states.len() != plain.states.len() {
        return Err(format!("{} of {} states", states.len(), plain.states.len()));
    }
    plain.compare("edges", &triples)?;
    let orbits = plain.orbits(elements.iter());
    if aqs.is_exact() && aqs.len() != orbits {
        return Err(format!("{} quotient states for {orbits} orbits", aqs.len()));
    }
    let mut initial = BTreeSet::new();
    for root in aqs.roots() {
        let state = plain.moved(&root.perm, &aqs.flat(root.state))?;
        initial.extend(elements.iter().map(|g| g.images[state as usize]));
    }
    if initial != plain.initial {
        return Err("the roots are not the initial states".to_string());
    }
    // Nothing about storage depends on the pruning.
    if prune == Prune::Full { check_storage(program, symmetry, &mut aqs) } else { Ok(()) }
}

/// Pruning keeps one edge of each orbit of edges, or the edges of one process of each orbit of processes, under the
/// permutations that fix the state.
fn check_count(
    plain: &Plain,
    elements: &[Element],
    source: u32,
    prune: Prune,
    edges: &[AqsEdge],
) -> Result<(), String> {
    let fixing: Vec<&Element> = elements.iter().filter(|g| g.images[source as usize] == source).collect();
    let mut left: BTreeSet<(Process, u32)> = plain
        .triples
        .range((source, Process(0), 0)..(source + 1, Process(0), 0))
        .map(|t| (t.1, t.2))
        .collect();
    let mut processes: BTreeSet<Process> = left.iter().map(|&(process, _)| process).collect();
    let mut orbits = 0;
    let mut leaders = 0;
    while let Some((process, target)) = left.pop_first() {
        orbits += 1;
        for g in &fixing {
            left.remove(&(g.perm.apply(process), g.images[target as usize]));
        }
    }
    while let Some(process) = processes.pop_first() {
        leaders += 1;
        for g in &fixing {
            processes.remove(&g.perm.apply(process));
        }
    }
    let executing: BTreeSet<Process> = edges.iter().map(|e| e.process).collect();
    let (kept, expected) = match prune {
        Prune::None => return Ok(()),
        Prune::Process => (executing.len(), leaders),
        Prune::Full => (edges.len(), orbits),
    };
    if kept != expected {
        let state = &plain.states[source as usize];
        return Err(format!("{kept} edges or processes are kept at {state:?}, there are {expected} orbits"));
    }
    Ok(())
}

/// Edges that are made anew each time are those that are stored.
fn check_storage(program: &Program, symmetry: &ProgramSymmetry, aqs: &mut Aqs<'_>) -> Result<(), String> {
    let mut again = Aqs::new(program, symmetry, aqs.prune(), EdgeStorage::Recomputed, 100_000);
    for id in (0..aqs.len()).map(AqsId) {
        let same = again.edges(id) == aqs.edges(id) && again.edges(id) == aqs.edges(id);
        if !same || again.flat(id) != aqs.flat(id) {
            return Err(format!("the edges of {:?} change when they are made again", aqs.flat(id)));
        }
    }
    Ok(())
}

/// Kept and pruned edges together are all edges, and each pruned one is shown to be redundant.
fn check_pruned(plain: &Plain, aqs: &mut Aqs<'_>, id: AqsId, kept: &[AqsEdge]) -> Result<(), String> {
    let flat = aqs.flat(id);
    let here = plain.moved(&Perm::identity(), &flat)?;
    let all = aqs.pruned(id).map_err(|fault| format!("{fault:?}"))?;
    let steps = plain.steps[here as usize];
    if (kept.len() + all.len()) as u64 != steps {
        return Err(format!("{} edges kept, {} pruned, of {steps}", kept.len(), all.len()));
    }
    for pruned in all {
        let Some(rho) = pruned.shown_by else {
            return Err(format!("nothing shows that {:?} is redundant", pruned.edge));
        };
        let parallel = &kept[pruned.parallel_to];
        let image = plain.moved(&rho.compose(&parallel.perm), &aqs.flat(parallel.target))?;
        let target = plain.moved(&pruned.edge.perm, &aqs.flat(pruned.edge.target))?;
        if plain.moved(&rho, &flat)? != here
            || rho.apply(parallel.process) != pruned.edge.process
            || image != target
        {
            return Err(format!("{rho:?} does not show that {:?} is parallel to {parallel:?}", pruned.edge));
        }
    }
    Ok(())
}

/// Checks the quotient with these processes tracked: expanded by the permutations that bring l⃗ to c⃗ it is the program,
/// and there are as many nodes as the permutations that fix c⃗ have orbits of states.
pub(crate) fn check_tracked(
    program: &Program,
    symmetry: &ProgramSymmetry,
    plain: &Plain,
    elements: &[Element],
    prune: Prune,
    tracked: &[Process],
) -> Result<(), String> {
    let aqs = Aqs::new(program, symmetry, prune, EdgeStorage::Stored, 100_000);
    let mut aqsi = Aqsi::new(aqs, tracked);
    aqsi.set_cache_bytes(plain.cache());
    if aqsi.build(u32::MAX) != Ok(true) {
        return Err("the quotient with tracked processes is not complete".to_string());
    }
    let brings =
        |perm: &Perm, local: &[Process]| local.iter().zip(tracked).all(|(&l, &c)| perm.apply(l) == c);
    let (mut states, mut triples) = (BTreeSet::new(), HashSet::new());
    for id in (0..aqsi.len()).map(AqsiId) {
        let (state, local) = aqsi.node(id);
        let (flat, local) = (aqsi.aqs().flat(state), local.to_vec());
        let source = plain.moved(&Perm::identity(), &flat)?;
        let edges = aqsi.edges(id).map_err(|fault| format!("{fault:?}"))?;
        let home: Vec<&Element> = elements.iter().filter(|g| brings(&g.perm, &local)).collect();
        states.extend(home.iter().map(|g| g.images[source as usize]));
        for edge in edges.iter() {
            let (target, there) = aqsi.node(edge.target);
            if local.iter().zip(there).any(|(&l, &t)| edge.perm.apply(t) != l) {
                return Err(format!("an edge loses the tracked processes {tracked:?}"));
            }
            let target = plain.moved(&edge.perm, &aqsi.aqs().flat(target))?;
            triples.extend(
                home.iter().map(|g| {
                    (g.images[source as usize], g.perm.apply(edge.process), g.images[target as usize])
                }),
            );
        }
    }
    if states.len() != plain.states.len() {
        return Err(format!("{} of {} states with tracked processes", states.len(), plain.states.len()));
    }
    plain.compare("edges with tracked processes", &triples)?;
    let orbits = plain.orbits(elements.iter().filter(|g| brings(&g.perm, tracked)));
    if aqsi.aqs().is_exact() && aqsi.len() != orbits {
        return Err(format!("{} states with tracked processes for {orbits} orbits", aqsi.len()));
    }
    let mut initial = BTreeSet::new();
    for (id, perm) in aqsi.roots() {
        let (state, local) = aqsi.node(*id);
        if !brings(perm, local) {
            return Err(format!("a root loses the tracked processes {tracked:?}"));
        }
        let state = plain.moved(perm, &aqsi.aqs().flat(state))?;
        let fixing = elements.iter().filter(|g| brings(&g.perm, tracked));
        initial.extend(fixing.map(|g| g.images[state as usize]));
    }
    if initial != plain.initial {
        return Err("the roots with tracked processes are not the initial states".to_string());
    }
    Ok(())
}

/// Every permutation that keeps the families apart; nothing if there are more than `limit`.
pub(crate) fn family_permutations(program: &Program, limit: usize) -> Option<Vec<Perm>> {
    let mut all: Vec<BTreeMap<Process, Process>> = vec![BTreeMap::new()];
    for family in &program.families {
        let members: Vec<Process> = (family.first.0..family.first.0 + family.size).map(Process).collect();
        for (position, &process) in members.iter().enumerate() {
            let free = |map: &BTreeMap<Process, Process>| {
                let taken: BTreeSet<Process> = map.values().copied().collect();
                members.iter().copied().filter(|p| !taken.contains(p)).collect::<Vec<_>>()
            };
            if all.len() * (members.len() - position) > limit {
                return None;
            }
            all = all
                .iter()
                .flat_map(|map| {
                    free(map).into_iter().map(|image| {
                        let mut with = map.clone();
                        with.insert(process, image);
                        with
                    })
                })
                .collect();
        }
    }
    Some(all.into_iter().map(|map| Perm::from_pairs(map).expect("a bijection")).collect())
}
