//! The annotated quotient structure (section 2.3), built on demand, with state symmetry (4.3, 4.4).

use super::changed::StepKind;
use super::colouring::Labelling;
use super::memo::{Fixing, Memo};
use super::reduction::{Canonical, Reduction};
use super::state::Representative;
use super::steps::{RawStep, same_once};
use super::store::Store;
use super::successors::Batch;
use crate::define_id;
use crate::error::Limit;
use crate::explore::StopReason;
use crate::group::{Group, Perm, Process};
use crate::ids::{Id, IdVec};
use crate::program::{ActionId, Enumeration, Flat, Packing, Program, Scratch, StepFault, Stepper, Successor};
use crate::symmetry::ProgramSymmetry;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

define_id!(
    /// A state of the quotient; numbers are given in the order of finding.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    AqsId
);

/// Which of the edges that state symmetry makes parallel are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Prune {
    /// All edges.
    None,
    /// The edges of one process of each class of like processes (section 4.4).
    Process,
    /// One edge of each class of parallel edges, also where one process executes several of them.
    #[default]
    Full,
}

/// How edges are held (section 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeStorage {
    /// Stored when first needed.
    #[default]
    Stored,
    /// Made anew each time.
    Recomputed,
    /// Made and stored before the first is asked for: [`Aqs::build`] and [`Aqsi::build_next`](super::Aqsi::build_next) do that.
    Ahead,
}

impl EdgeStorage {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            EdgeStorage::Stored => "stored",
            EdgeStorage::Recomputed => "recomputed",
            EdgeStorage::Ahead => "ahead",
        }
    }
}

/// An edge `s —(π, i)→ t`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AqsEdge {
    /// i: the process that executes in s.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// Its arguments; processes as numbers in their families.
    pub arguments: Vec<i64>,
    /// π: the true successor is π·t.
    pub perm: Perm,
    /// t.
    pub target: AqsId,
    /// How many steps of s it stands for, itself included.
    pub weight: u64,
}

/// An initial state of the program: π·(representative).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// The representative.
    pub state: AqsId,
    /// π.
    pub perm: Perm,
}

/// The annotated quotient structure of a program.
///
/// ```
/// use orbitscope_core::{program, quotient::{Aqs, EdgeStorage, Prune}, symmetry, syntax::parse};
/// let parsed = parse("process p[4] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let symmetry = symmetry::detect(&program);
/// let mut aqs = Aqs::new(&program, &symmetry, Prune::Full, EdgeStorage::Stored, 1000);
/// aqs.build(1000);
/// assert_eq!(aqs.len(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Aqs<'p> {
    pub(super) reduction: Reduction<'p>,
    prune: Prune,
    storage: EdgeStorage,
    pub(super) store: Store<AqsId>,
    /// Empty where all factors are plain.
    pub(super) memo: Memo,
    /// A bit for each state of which it is known that nothing but the identity fixes it.
    rigid: Vec<u64>,
    /// Where keys are no states of the orbit: the state that represents it, and its λ. Otherwise empty.
    firsts: IdVec<AqsId, (Representative, Perm)>,
    /// As far as they are stored.
    edges: IdVec<AqsId, Option<Rc<[AqsEdge]>>>,
    /// The bytes that stored edges and the firsts have allocated.
    heap_bytes: u64,
    roots: Vec<Root>,
    all_roots: bool,
    stepper: Stepper,
    pub(super) labelling: Labelling,
    pub(super) batch: Batch,
    exact: bool,
    /// The next state that `build` expands, and how many edges it has seen.
    built: AqsId,
    edge_count: u64,
    /// How many successors were brought into canonical form by a search.
    pub(super) searched: u64,
}

impl<'p> Aqs<'p> {
    /// The quotient of a program, with its initial states; of more than `max_roots` initial states the first are taken.
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        prune: Prune,
        storage: EdgeStorage,
        max_roots: u32,
    ) -> Aqs<'p> {
        let mut aqs = Aqs::without_roots(program, symmetry, prune, storage);
        aqs.enter_roots(max_roots);
        aqs
    }

    /// The quotient of a program without a state: those of interest are [entered](Self::enter).
    pub fn without_roots(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        prune: Prune,
        storage: EdgeStorage,
    ) -> Aqs<'p> {
        let reduction = Reduction::new(program, symmetry);
        Aqs {
            store: Store::new(reduction.row_width()),
            reduction,
            prune,
            storage,
            memo: Memo::default(),
            rigid: Vec::new(),
            firsts: IdVec::new(),
            edges: IdVec::new(),
            heap_bytes: 0,
            roots: Vec::new(),
            all_roots: true,
            stepper: Stepper::default(),
            labelling: Labelling::default(),
            batch: Batch::default(),
            exact: true,
            built: AqsId(0),
            edge_count: 0,
            searched: 0,
        }
    }

    /// Sets how many bytes each kind of result may take that is remembered though it could be found again.
    pub fn set_cache_bytes(&mut self, bytes: u64) {
        self.memo.set_limit(bytes);
    }

    /// The representative of a plain state, entered if it is new, and π with (state) = π·(representative).
    pub fn enter(&mut self, flat: &[i32]) -> (AqsId, Perm) {
        let canonical = self.reduction.canonical_flat(flat);
        self.intern(canonical)
    }

    /// Initial states of one orbit are one root: the first found stands for all.
    fn enter_roots(&mut self, max: u32) {
        let program = self.reduction.program();
        let mut walk = program.initial.walk();
        let mut scratch = Scratch::default();
        if program.initial.is_one() {
            let (state, perm) = self.enter(&walk.values);
            self.roots.push(Root { state, perm });
            return;
        }
        let packing = Packing::new(program);
        let mut seen = 0u64;
        loop {
            if program.takes_initial(&walk.values, &mut scratch) {
                let (state, perm) = self.enter(&walk.values);
                // Nothing but roots has been entered: a new one has the next number.
                if state.index() == self.roots.len() {
                    self.roots.push(Root { state, perm });
                }
            }
            seen += 1;
            if !program.initial.advance(program, &packing, &mut walk) {
                return;
            }
            if seen >= max as u64 {
                self.all_roots = false;
                return;
            }
        }
    }

    /// The number of the representative, and π with (state) = π·(representative).
    pub(super) fn intern(&mut self, canonical: Canonical) -> (AqsId, Perm) {
        let Canonical { key, back, state, sorted_by, exact, rigid } = canonical;
        self.exact &= exact;
        let (id, new) = self.store.insert(&key);
        if new && rigid {
            self.note_rigid(id);
        }
        if let (true, Some(state)) = (new, state) {
            let lambda = back.inverse();
            self.heap_bytes += state.bytes() + lambda.heap_bytes();
            self.firsts.push((state, lambda));
        }
        let perm = match self.firsts.get(id) {
            Some((_, first)) => sorted_by.compose(&back).compose(first),
            None => sorted_by.compose(&back),
        };
        (id, perm)
    }

    /// Notes that nothing but the identity fixes a state.
    pub(super) fn note_rigid(&mut self, id: AqsId) {
        self.rigid.resize(self.rigid.len().max(id.index() / 64 + 1), 0);
        self.rigid[id.index() / 64] |= 1 << (id.index() % 64);
    }

    /// How the program is reduced.
    pub fn reduction(&self) -> &Reduction<'p> {
        &self.reduction
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.reduction.program()
    }

    /// The number of states found.
    pub fn len(&self) -> u32 {
        self.store.len()
    }

    /// Whether there is no state; initial ones are entered at the start.
    pub fn is_empty(&self) -> bool {
        self.store.len() == 0
    }

    /// The initial states, one of each orbit.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Whether all initial states were taken in.
    pub fn has_all_roots(&self) -> bool {
        self.all_roots
    }

    /// Whether every orbit surely has one representative only. If not, the quotient is sound, but may be larger than
    /// it could be.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Which edges are kept.
    pub fn prune(&self) -> Prune {
        self.prune
    }

    /// How many edges [`build`](Self::build) has seen.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// How many successors were brought into canonical form by a search, since neither colours nor memory told it.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// The bytes that states and stored edges take.
    pub fn bytes(&self) -> u64 {
        let tables = self.edges.len() * size_of::<Option<Rc<[AqsEdge]>>>()
            + self.firsts.len() * size_of::<(Representative, Perm)>();
        self.store.bytes() + self.memo.bytes() + self.heap_bytes + (tables + self.rigid.len() * 8) as u64
    }

    /// A state.
    pub fn state(&self, id: AqsId) -> Representative {
        match self.firsts.get(id) {
            Some((state, _)) => state.clone(),
            None => self.reduction.decode(self.store.get(id)),
        }
    }

    /// A state as a plain one: one value per slot.
    pub fn flat(&self, id: AqsId) -> Vec<i32> {
        self.reduction.flatten(&self.state(id))
    }

    /// Whether it is known that nothing but the identity fixes a state.
    fn is_rigid(&self, id: AqsId) -> bool {
        self.rigid.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    /// The permutations of G that leave a state as it is.
    pub fn stabiliser(&self, id: AqsId) -> Group {
        if self.is_rigid(id) {
            return Group::trivial(self.program().process_count());
        }
        match self.memo.known_fixing(id) {
            Some(fixing) => fixing.whole.clone(),
            None => self.reduction.stabiliser(&self.state(id)),
        }
    }

    /// The permutations of G that leave a state and these processes as they are.
    pub fn stabiliser_of(&self, id: AqsId, fixed: &[Process]) -> Group {
        if self.reduction.is_plain() {
            return self.reduction.plain_stabiliser(self.store.get(id), fixed);
        }
        if self.is_rigid(id) {
            return self.stabiliser(id);
        }
        self.stabiliser(id).stabiliser(fixed)
    }

    /// The permutations of G that leave a state as it is, where not all factors are plain.
    fn fixing(&mut self, id: AqsId, state: &Representative) -> Rc<Fixing> {
        if let Some(fixing) = self.memo.fixing(id) {
            return fixing;
        }
        let fixing = Rc::new(self.reduction.fixing(state));
        self.memo.keep_fixing(id, &fixing);
        fixing
    }

    /// An element of the stabiliser that takes the sequence to the least of its images.
    pub(super) fn least_image_by(&mut self, id: AqsId, points: &[Process]) -> Perm {
        if points.is_empty() || self.is_rigid(id) {
            return Perm::identity();
        }
        if self.reduction.is_plain() {
            return self.reduction.to_least_plain_image(self.store.get(id), points);
        }
        if let Some(fixing) = self.memo.fixing(id) {
            return fixing.whole.to_least_image(points);
        }
        self.fixing(id, &self.state(id)).whole.to_least_image(points)
    }

    /// Builds everything reachable, up to `max_states`.
    pub fn build(&mut self, max_states: u32) -> StopReason<AqsId> {
        if !self.all_roots {
            return StopReason::Limit(Limit::States);
        }
        while self.built.0 < self.store.len() {
            if self.store.len() > max_states {
                return StopReason::Limit(Limit::States);
            }
            match self.edges(self.built) {
                Ok(edges) => self.edge_count += edges.len() as u64,
                Err(fault) => return StopReason::Fault(self.built, fault),
            }
            self.built = AqsId(self.built.0 + 1);
        }
        StopReason::Complete
    }

    /// The edges of a state.
    pub fn edges(&mut self, id: AqsId) -> Result<Rc<[AqsEdge]>, StepFault> {
        if let Some(Some(edges)) = self.edges.get(id) {
            return Ok(edges.clone());
        }
        let edges: Rc<[AqsEdge]> = self.edges_at(id, &[], self.prune)?.into();
        if self.storage != EdgeStorage::Recomputed {
            while self.edges.len() <= id.index() {
                self.edges.push(None);
            }
            self.heap_bytes += edges.iter().map(AqsEdge::bytes).sum::<u64>();
            self.edges[id] = Some(edges.clone());
        }
        Ok(edges)
    }

    /// The edges of a state in which the tracked processes are told from all others: one of each class that the
    /// permutations make which fix the state and them.
    pub fn edges_at(
        &mut self,
        id: AqsId,
        tracked: &[Process],
        prune: Prune,
    ) -> Result<Vec<AqsEdge>, StepFault> {
        let state = self.state(id);
        let mut kept = self.kept_steps(id, &state, tracked, prune)?.into_iter();
        let mut edges = Vec::with_capacity(kept.len());
        while kept.len() > 0 {
            edges.extend(self.some_edges(&state, &mut kept));
        }
        Ok(edges)
    }

    /// Whether a state without edges has steps that lead out of what is assumed: it is no deadlock then.
    pub fn is_cut_off(&mut self, id: AqsId) -> bool {
        let state = self.state(id);
        let Aqs { reduction, stepper, .. } = self;
        stepper.is_cut_off(reduction.program(), &reduction.see(&state, &[]))
    }

    /// The edges of a state that nothing but the identity fixes: they are the same wherever the tracked processes are.
    pub(super) fn edges_anywhere(&mut self, id: AqsId) -> Option<Result<Vec<AqsEdge>, StepFault>> {
        if !self.is_rigid(id) {
            return None;
        }
        if let Some(edges) = self.memo.outgoing(id) {
            return Some(Ok(edges));
        }
        let edges = self.edges_at(id, &[], self.prune);
        if let Ok(edges) = &edges {
            self.memo.keep_outgoing(id, edges);
        }
        Some(edges)
    }

    /// The steps of a state that pruning keeps.
    pub(super) fn kept_steps(
        &mut self,
        id: AqsId,
        state: &Representative,
        tracked: &[Process],
        prune: Prune,
    ) -> Result<Vec<RawStep>, StepFault> {
        let steps = self.steps(state, tracked, prune)?;
        Ok(match prune {
            Prune::None => steps,
            Prune::Process => self.of_leaders(id, state, tracked, steps),
            Prune::Full => self.of_orbits(id, state, tracked, steps),
        })
    }

    fn steps(
        &mut self,
        state: &Representative,
        tracked: &[Process],
        prune: Prune,
    ) -> Result<Vec<RawStep>, StepFault> {
        let listed = match prune {
            Prune::None => Enumeration::All,
            Prune::Process => Enumeration::Processes,
            Prune::Full => Enumeration::Orbits,
        };
        let Aqs { reduction, stepper, .. } = self;
        let mut steps: Vec<RawStep> = Vec::new();
        let mut take = |step: Successor<'_>| {
            steps.push(RawStep {
                process: step.process,
                action: step.action,
                arguments: step.arguments.to_vec(),
                weight: step.weight,
                changed: reduction.changed(state, step.writes),
            });
            ControlFlow::Continue(())
        };
        let program = reduction.program();
        let _ = if reduction.counts_nothing() {
            // Nobody is like another then, and the values are those of a plain state.
            stepper.steps(program, &Flat::new(&state.values), listed, &mut take)?
        } else {
            stepper.steps(program, &reduction.see(state, tracked), listed, &mut take)?
        };
        Ok(steps)
    }

    /// Keeps the steps of the leaders: the smallest processes of their classes.
    fn of_leaders(
        &mut self,
        id: AqsId,
        state: &Representative,
        tracked: &[Process],
        steps: Vec<RawStep>,
    ) -> Vec<RawStep> {
        if self.reduction.is_plain() || self.is_rigid(id) {
            return steps;
        }
        let classes = self.fixing(id, state).whole.stabiliser(tracked).orbits();
        let mut kept = steps;
        kept.retain(|step| classes.class_of(step.process) == step.process);
        for step in &mut kept {
            step.weight = classes.members(step.process).len() as u64;
        }
        kept
    }

    /// Keeps the first step of each orbit under the permutations that fix the state and the tracked processes.
    fn of_orbits(
        &mut self,
        id: AqsId,
        state: &Representative,
        tracked: &[Process],
        steps: Vec<RawStep>,
    ) -> Vec<RawStep> {
        if steps.len() < 2 {
            return steps;
        }
        let generators: Vec<Perm> = if self.reduction.is_plain() || self.is_rigid(id) {
            Vec::new()
        } else {
            self.fixing(id, state).general.stabiliser(tracked).generators().collect()
        };
        if generators.is_empty() && self.reduction.counts_nothing() {
            return same_once(self.program(), steps);
        }
        let kind = |step: &RawStep| self.reduction.step_kind(state, tracked, step);
        let mut kept: Vec<RawStep> = Vec::with_capacity(steps.len());
        let mut known: BTreeMap<StepKind, usize> = BTreeMap::new();
        for step in steps {
            let kind = kind(&step);
            if let Some(&first) = known.get(&kind) {
                kept[first].weight += step.weight;
                continue;
            }
            self.spread(kind, kept.len(), &generators, &mut known);
            kept.push(step);
        }
        kept
    }

    /// Notes every image of a step under the generators as its own.
    fn spread(
        &self,
        kind: StepKind,
        number: usize,
        generators: &[Perm],
        known: &mut BTreeMap<StepKind, usize>,
    ) {
        if generators.is_empty() {
            known.insert(kind, number);
            return;
        }
        let mut queue = alloc::vec![kind.clone()];
        known.insert(kind, number);
        while let Some(kind) = queue.pop() {
            for g in generators {
                let image = self.reduction.step_image(g, &kind);
                if !known.contains_key(&image) {
                    known.insert(image.clone(), number);
                    queue.push(image);
                }
            }
        }
    }
}

impl AqsEdge {
    fn bytes(&self) -> u64 {
        (size_of::<AqsEdge>() + self.arguments.capacity() * 8) as u64 + self.perm.heap_bytes()
    }
}
