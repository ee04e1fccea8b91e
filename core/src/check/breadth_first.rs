//! Every state of the quotient with tracked processes, breadth first: invariants and deadlocks, with shortest paths.

use crate::error::Limit;
use crate::explore::{Limits, Patch, Path, PathStep, Scribe, StopReason};
use crate::group::{Perm, Process};
use crate::ids::{Id, IdVec};
use crate::limits::MAX_ROOTS;
use crate::program::{PropertyId, Scratch};
use crate::property::Atom;
use crate::quotient::{Aqs, Aqsi, AqsiId, EdgeStorage, Prune};
use crate::search::{is_claimed, step_between, turned_arguments};
use crate::strain::{size, took};
use crate::symmetry::{ProgramSymmetry, moved_state};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::task::Poll;

/// A pass over the states of the quotient.
///
/// ```
/// use orbitscope_core::check::BreadthFirst;
/// use orbitscope_core::{explore::{Limits, StopReason}, program, quotient::Prune, symmetry, syntax::parse};
/// let parsed = parse("process p[9] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let symmetry = symmetry::detect(&program);
/// let mut reach = BreadthFirst::new(&program, &symmetry, &[], Prune::Full, Limits::default());
/// while reach.step() {}
/// assert_eq!((reach.stopped(), reach.len()), (Some(&StopReason::Complete), 10));
/// assert_eq!(reach.deadlocks().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct BreadthFirst<'p> {
    aqsi: Aqsi<'p>,
    /// From which state each one was found first; an initial state from itself.
    parents: IdVec<AqsiId, AqsiId>,
    next: AqsiId,
    edges: u64,
    /// How many steps the edges stand for.
    steps: u64,
    invariants: Vec<(PropertyId, Atom)>,
    /// The property that there is no deadlock, while none has been found.
    deadlock_free: Option<PropertyId>,
    violations: Vec<(PropertyId, AqsiId)>,
    deadlocks: Vec<AqsiId>,
    /// When every invariant is violated, deadlocks are looked for in this many states.
    go_on: u32,
    limits: Limits,
    scratch: Scratch,
    stopped: Option<StopReason<AqsiId>>,
}

impl<'p> BreadthFirst<'p> {
    /// Starts from the initial states, with these processes told from all others.
    pub fn new(
        program: &'p crate::program::Program,
        symmetry: &ProgramSymmetry,
        tracked: &[Process],
        prune: Prune,
        limits: Limits,
    ) -> Self {
        let max_roots = size("check: roots", MAX_ROOTS, 2).min(limits.states);
        let aqs = Aqs::new(program, symmetry, prune, EdgeStorage::Recomputed, max_roots);
        let stopped = (!aqs.has_all_roots()).then_some(StopReason::Limit(Limit::Roots));
        let mut aqsi = Aqsi::new(aqs, tracked);
        aqsi.set_cache_bytes(limits.cache_bytes());
        BreadthFirst {
            parents: (0..aqsi.len()).map(AqsiId).collect(),
            aqsi,
            next: AqsiId(0),
            edges: 0,
            steps: 0,
            invariants: Vec::new(),
            deadlock_free: None,
            violations: Vec::new(),
            deadlocks: Vec::new(),
            go_on: 0,
            limits,
            scratch: Scratch::default(),
            stopped,
        }
    }

    /// Asks whether an expression of the tracked processes holds in every state.
    #[must_use]
    pub fn asking(mut self, invariants: impl IntoIterator<Item = (PropertyId, Atom)>) -> Self {
        self.invariants.extend(invariants);
        self
    }

    /// Asks whether there is a deadlock, which is this property.
    #[must_use]
    pub fn asking_deadlock(mut self, property: Option<PropertyId>) -> Self {
        self.deadlock_free = property;
        self
    }

    /// Looks for deadlocks in this many states also where every invariant is violated before.
    #[must_use]
    pub fn going_on(mut self, states: u32) -> Self {
        self.go_on = states;
        self
    }

    /// Goes on looking for deadlocks, where it has stopped since every invariant is violated.
    pub(super) fn resume(&mut self, states: u32) {
        self.go_on = states;
        self.stopped.take_if(|stop| *stop == StopReason::AllViolated);
    }

    /// How many states have been found; the one that showed that there are more than allowed is not counted.
    pub fn len(&self) -> u32 {
        self.aqsi.len().min(self.limits.states)
    }

    /// Whether no state has been found; there always is an initial one.
    pub fn is_empty(&self) -> bool {
        self.aqsi.is_empty()
    }

    /// How many edges have been found.
    pub fn edge_count(&self) -> u64 {
        self.edges
    }

    /// How many edges were left out for others that stand for them.
    pub fn pruned_count(&self) -> u64 {
        self.steps - self.edges
    }

    /// The quotient, as far as it has been built.
    pub fn aqsi(&self) -> &Aqsi<'p> {
        &self.aqsi
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.aqsi.bytes() + (self.parents.len() * size_of::<AqsiId>()) as u64
    }

    /// The states without a successor, in the order of finding.
    pub fn deadlocks(&self) -> &[AqsiId] {
        &self.deadlocks
    }

    /// The violated invariants, each with the first state that violates it.
    pub fn violations(&self) -> &[(PropertyId, AqsiId)] {
        &self.violations
    }

    /// Why it stopped, once it has.
    pub fn stopped(&self) -> Option<&StopReason<AqsiId>> {
        self.stopped.as_ref()
    }

    /// Expands one state; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        if self.stopped.is_none()
            && let Err(stop) = self.expand()
        {
            self.stopped = Some(stop);
        }
        self.stopped.is_none()
    }

    fn expand(&mut self) -> Result<(), StopReason<AqsiId>> {
        if self.next.index() == self.aqsi.len() as usize {
            return Err(StopReason::Complete);
        }
        if self.aqsi.len() > self.limits.states || self.bytes() > self.limits.bytes {
            return Err(self.full());
        }
        let here = self.next;
        self.check_invariants(here)?;
        let limits = self.limits;
        // Asked within the expansion too: one state may have more successors than are allowed.
        let fits = |aqsi: &Aqsi<'_>| aqsi.len() <= limits.states && aqsi.bytes() <= limits.bytes;
        let edges = self.aqsi.unstored_edges_while(here, fits);
        let edges = edges.map_err(|fault| StopReason::Fault(here, fault))?.ok_or_else(|| self.full())?;
        self.edges += edges.len() as u64;
        self.steps += edges.iter().map(|edge| edge.weight).sum::<u64>();
        if edges.is_empty() && !self.is_cut_off(here) {
            self.deadlocks.push(here);
            if let Some(property) = self.deadlock_free.take() {
                self.violations.push((property, here));
            }
        }
        while self.parents.len() < self.aqsi.len() as usize {
            self.parents.push(here);
        }
        self.next = AqsiId(here.0 + 1);
        Ok(())
    }

    /// Whether a state without steps has some that lead out of what is assumed.
    fn is_cut_off(&mut self, here: AqsiId) -> bool {
        let (state, _) = self.aqsi.node(here);
        self.aqsi.aqs_mut().is_cut_off(state)
    }

    /// The limit that was passed.
    fn full(&self) -> StopReason<AqsiId> {
        if self.aqsi.len() > self.limits.states {
            StopReason::Limit(Limit::States)
        } else {
            StopReason::Limit(Limit::Bytes)
        }
    }

    fn check_invariants(&mut self, here: AqsiId) -> Result<(), StopReason<AqsiId>> {
        if self.invariants.is_empty() {
            let over =
                self.deadlock_free.is_none() && !self.violations.is_empty() && self.aqsi.len() > self.go_on;
            return if over { Err(StopReason::AllViolated) } else { Ok(()) };
        }
        let (id, tracked) = self.aqsi.node(here);
        let state = self.aqsi.aqs().state(id);
        let reduction = self.aqsi.aqs().reduction();
        let view = reduction.see(&state, tracked);
        let mut position = 0;
        while let Some((property, atom)) = self.invariants.get(position) {
            let property = *property;
            match atom.holds(reduction.program(), &view, &mut self.scratch, tracked) {
                Ok(true) => position += 1,
                Ok(false) => {
                    self.violations.push((property, here));
                    self.invariants.remove(position);
                }
                Err(fault) => return Err(StopReason::PropertyFault(here, property, fault)),
            }
        }
        let over = self.invariants.is_empty() && self.deadlock_free.is_none() && self.go_on == 0;
        if over { Err(StopReason::AllViolated) } else { Ok(()) }
    }

    /// A shortest path to a state, in the program's own process numbers.
    pub fn path_to(&mut self, goal: AqsiId) -> Option<Path> {
        made(self.path_maker(goal)?, &mut self.aqsi)
    }

    /// The making of a shortest path to a state. States are found breadth first: the way back over parents is a shortest one.
    pub(super) fn path_maker(&self, goal: AqsiId) -> Option<PathMaker<'p>> {
        let (mut way, mut at) = (Vec::new(), goal);
        while self.parents[at] != at {
            way.push(at);
            at = self.parents[at];
        }
        PathMaker::new(&self.aqsi, at, way)
    }

    /// Takes a step of the making of a path.
    pub(super) fn make_path(&mut self, maker: &mut PathMaker<'p>) -> Poll<Option<Path>> {
        maker.step(&mut self.aqsi)
    }
}

/// A path in the making, one step at a time: it may be long.
#[derive(Clone, Debug)]
pub(super) struct PathMaker<'p> {
    scribe: Scribe<'p>,
    patch: Patch,
    /// Takes the representative to the program's state.
    perm: Perm,
    at: AqsiId,
    /// The states that follow, the last one first.
    way: Vec<AqsiId>,
    steps: Vec<PathStep>,
}

impl<'p> PathMaker<'p> {
    /// A path from an initial state along a way, whose last state comes first.
    fn new(aqsi: &Aqsi<'p>, root: AqsiId, way: Vec<AqsiId>) -> Option<Self> {
        let program = aqsi.aqs().program();
        let (_, perm) = aqsi.roots().iter().find(|(id, _)| *id == root)?.clone();
        let start = moved_state(program, &perm, &aqsi.aqs().flat(aqsi.node(root).0));
        let scribe = Scribe::new(program, start);
        Some(PathMaker { scribe, patch: Patch::new(), perm, at: root, way, steps: Vec::new() })
    }

    /// Takes one step; gives the path when it is made, and none where there is no such way.
    pub(super) fn step(&mut self, aqsi: &mut Aqsi<'p>) -> Poll<Option<Path>> {
        let Some(next) = self.way.pop() else {
            let start = core::mem::take(&mut self.scribe.base);
            return Poll::Ready(Some(Path { start, steps: core::mem::take(&mut self.steps) }));
        };
        let program = aqsi.aqs().program();
        // Which edge it was is found again: that costs less than storing it.
        let edges = aqsi.edges(self.at).ok();
        let Some(edge) = edges.and_then(|edges| edges.iter().find(|edge| edge.target == next).cloned())
        else {
            return Poll::Ready(None);
        };
        let arguments = turned_arguments(program, &self.perm, edge.action, &edge.arguments);
        let mut step = (edge.action, arguments);
        let process = self.perm.apply(edge.process);
        let (state, tracked) = aqsi.node(next);
        let stabiliser = aqsi.aqs().stabiliser(state).stabiliser(tracked);
        self.perm = stabiliser.shortest_of_coset(&self.perm.compose(&edge.perm));
        self.at = next;
        if is_claimed(program) {
            let before = self.scribe.state(&self.patch);
            let after = moved_state(program, &self.perm, &aqsi.aqs().flat(state));
            step = step_between(program, process, Some(step.0), &before, &after).unwrap_or(step);
        }
        let (action, arguments) = step;
        let changes = self.scribe.step(&mut self.patch, process, action, &arguments);
        self.steps.push(PathStep { process, action, arguments, changes });
        Poll::Pending
    }
}

/// A shortest path to a state that was found deep is looked for by expanding this many states, and this many of those that have been found.
const NEAR_EFFORT: u32 = 20_000;
const FOUND_EFFORT: u32 = 50_000;

/// A path to a state that a search has found: a shortest one where that is found within an effort, otherwise a shortest one
/// through states that have been found, otherwise the way that the search has gone. A search goes deep at once, and within as many
/// steps there may be more states than can ever be looked at.
pub(super) fn path_to_found(aqsi: &mut Aqsi<'_>, way: &[AqsiId]) -> Option<Path> {
    let (goal, found) = (*way.last()?, aqsi.len());
    let near = (found / 2).clamp(NEAR_EFFORT / 10, NEAR_EFFORT);
    let near = size("check: effort for the shortest path", near, 1);
    let all = size("check: effort for a path through what was found", FOUND_EFFORT, 1);
    shortest_path(aqsi, |_, id| id == goal, near, |_| true)
        .or_else(|| {
            took("check: no shortest path within the effort");
            shortest_path(aqsi, |_, id| id == goal, all, |id| id.0 < found)
        })
        .or_else(|| {
            took("check: the way of the search is the path");
            path_along(aqsi, way)
        })
}

/// The path along a way from an initial state; what leads back to where it has been is left out.
fn path_along(aqsi: &mut Aqsi<'_>, way: &[AqsiId]) -> Option<Path> {
    let mut places: BTreeMap<AqsiId, usize> = BTreeMap::new();
    let mut straight: Vec<AqsiId> = Vec::new();
    for &id in way {
        if let Some(&place) = places.get(&id) {
            for left in straight.drain(place + 1..) {
                places.remove(&left);
            }
        } else {
            places.insert(id, straight.len());
            straight.push(id);
        }
    }
    straight.reverse();
    let root = straight.pop()?;
    made(PathMaker::new(aqsi, root, straight)?, aqsi)
}

fn made<'p>(mut maker: PathMaker<'p>, aqsi: &mut Aqsi<'p>) -> Option<Path> {
    loop {
        if let Poll::Ready(path) = maker.step(aqsi) {
            return path;
        }
    }
}

/// A shortest path to a state of a quotient, in the program's own process numbers: the permutations on the way are undone.
/// States in which the model has an error are not passed through.
pub fn path_to<'p>(aqsi: &mut Aqsi<'p>, goal: impl Fn(&Aqsi<'p>, AqsiId) -> bool) -> Option<Path> {
    shortest_path(aqsi, goal, u32::MAX, |_| true)
}

fn shortest_path<'p>(
    aqsi: &mut Aqsi<'p>,
    goal: impl Fn(&Aqsi<'p>, AqsiId) -> bool,
    effort: u32,
    passes: impl Fn(AqsiId) -> bool,
) -> Option<Path> {
    let mut parents: BTreeMap<AqsiId, AqsiId> = aqsi.roots().iter().map(|(id, _)| (*id, *id)).collect();
    let mut queue: VecDeque<AqsiId> = parents.keys().copied().collect();
    let mut expanded = 0;
    let mut at = loop {
        let id = queue.pop_front()?;
        if goal(aqsi, id) {
            break id;
        }
        expanded += 1;
        if expanded > effort {
            return None;
        }
        let Ok(edges) = aqsi.edges(id) else { continue };
        for edge in edges.iter().filter(|edge| passes(edge.target)) {
            parents.entry(edge.target).or_insert_with(|| {
                queue.push_back(edge.target);
                id
            });
        }
    };
    let mut way = Vec::new();
    while parents[&at] != at {
        way.push(at);
        at = parents[&at];
    }
    made(PathMaker::new(aqsi, at, way)?, aqsi)
}
