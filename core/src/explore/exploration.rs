//! Breadth-first exploration, one state at a time.

use super::round::Scout;
use super::states::{StateId, StateSet};
use crate::error::Limit;
use crate::group::Process;
use crate::ids::Id;
use crate::program::{
    ActionId, Fault, InitialWalk, Machine, Predicate, Program, PropertyId, PropertyKind, Scratch, StepFault,
    append,
};
use crate::strain::{size, took};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// How far an exploration may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most this many states.
    pub states: u32,
    /// At most about this many bytes for states and edges.
    pub bytes: u64,
    /// Results that could be computed again are remembered, each kind up to about this many bytes; see [`cache_bytes`](Self::cache_bytes).
    pub cache: u64,
}

impl Limits {
    /// At most this many states and bytes.
    pub const fn new(states: u32, bytes: u64) -> Limits {
        Limits { states, bytes, cache: 64 << 20 }
    }

    /// The bytes that each kind of remembered result may take: a small part of all, so that there is room for the
    /// states, which have to be kept.
    pub fn cache_bytes(&self) -> u64 {
        self.cache.min(self.bytes / 16)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::new(100_000_000, 4 << 30)
    }
}

/// Why a pass over states stopped. `S` is what it calls a state: one of the program, or one of a quotient.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason<S = StateId> {
    /// Every reachable state has been seen.
    Complete,
    /// Every invariant is violated: nothing is left to find out.
    AllViolated,
    /// More was needed than is allowed.
    Limit(Limit),
    /// The model has an error in this state.
    Fault(S, StepFault),
    /// An invariant has an error in this state.
    PropertyFault(S, PropertyId, Fault),
}

/// An edge of the state graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: StateId,
    /// Where it leads.
    pub to: StateId,
    /// The process that executes.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// The action's arguments.
    pub arguments: Vec<i64>,
}

/// An invariant and the first state that violates it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The invariant.
    pub property: PropertyId,
    /// A state at the shortest distance from an initial one.
    pub state: StateId,
}

/// An exploration under way.
///
/// ```
/// use orbitscope_core::{explore::{Exploration, Limits, StopReason}, program, syntax::parse};
/// let parsed = parse("process p[3] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let mut exploration = Exploration::new(&program, Limits::default(), &[]);
/// assert_eq!(exploration.run(), &StopReason::Complete);
/// assert_eq!(exploration.states().len(), 8);
/// ```
#[derive(Clone, Debug)]
pub struct Exploration<'p> {
    pub(super) machine: Machine<'p>,
    pub(super) graph: Graph,
    /// The values of the next initial state, until all have been entered.
    pub(super) initial: Option<InitialWalk>,
    /// The next state to expand: states are expanded in the order in which they were found.
    pub(super) next: StateId,
    /// The state that is expanded.
    packed: Vec<u64>,
    batch: Batch,
    deadlocks: Vec<StateId>,
    pub(super) invariants: Vec<(PropertyId, Predicate)>,
    /// The property that there is no deadlock, while none has been found.
    deadlock_free: Option<PropertyId>,
    violations: Vec<Violation>,
    pub(super) limits: Limits,
    pub(super) stopped: Option<StopReason>,
    /// Those who look at states in [rounds](Self::round).
    pub(super) scouts: Vec<Scout<'p>>,
}

/// The states and edges found so far.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub states: StateSet,
    /// For each state the one it was found from; an initial state is its own.
    pub parents: Vec<StateId>,
    pub edge_count: u64,
    edges: Option<Vec<Edge>>,
}

/// This many successors are entered together: what their look-ups read is asked for before the first one is looked up.
pub(super) const BATCH: usize = 64;

/// Successors of one state that have not been entered yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub count: usize,
    /// Their packed states, one behind the other.
    pub words: Vec<u64>,
    /// Their hashes, once they are entered.
    pub hashes: Vec<u64>,
    /// The steps that lead to them, where edges are kept.
    steps: Vec<(Process, ActionId, Vec<i64>)>,
}

impl Batch {
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.words.clear();
        self.steps.clear();
    }
}

impl Graph {
    /// Enters successors of a state.
    fn enter(&mut self, from: StateId, batch: &mut Batch, limits: Limits) -> Result<(), StopReason> {
        self.states.warm(&batch.words, &mut batch.hashes);
        let width = batch.words.len() / batch.count.max(1);
        let mut steps = batch.steps.drain(..);
        for (packed, &hash) in batch.words.chunks_exact(width.max(1)).zip(&batch.hashes) {
            let entered = self.states.insert_hashed(packed, hash, limits.states);
            let (to, new) = entered.ok_or(StopReason::Limit(Limit::States))?;
            if new {
                self.parents.push(from);
            }
            self.edge_count += 1;
            if let (Some(edges), Some((process, action, arguments))) = (&mut self.edges, steps.next()) {
                edges.push(Edge { from, to, process, action, arguments });
            }
            // Asked within the expansion: one state of a large program may have more successors than there is memory.
            if (new || self.edges.is_some()) && self.bytes() > limits.bytes {
                return Err(StopReason::Limit(Limit::Bytes));
            }
        }
        drop(steps);
        batch.clear();
        Ok(())
    }

    pub(super) fn bytes(&self) -> u64 {
        let edges = self.edges.as_ref().map_or(0, Vec::capacity) * size_of::<Edge>();
        self.states.bytes() + (self.parents.capacity() * size_of::<StateId>() + edges) as u64
    }
}

impl<'p> Exploration<'p> {
    /// Starts an exploration that checks what is asked of states; other properties in the list are passed over.
    pub fn new(program: &'p Program, limits: Limits, asked: &[PropertyId]) -> Self {
        let machine = Machine::new(program);
        let invariants = asked
            .iter()
            .filter_map(|&id| {
                let term = program.state_term(id)?;
                Some((id, Predicate::new(program, term, program.properties[id].regs)))
            })
            .collect();
        let free = |&&id: &&PropertyId| program.properties[id].kind == PropertyKind::DeadlockFree;
        let deadlock_free = asked.iter().find(free).copied();
        Exploration {
            graph: Graph {
                states: StateSet::new(machine.packing().words()),
                parents: Vec::new(),
                edge_count: 0,
                edges: None,
            },
            machine,
            initial: Some(program.initial.walk()),
            next: StateId(0),
            packed: Vec::new(),
            batch: Batch::default(),
            deadlocks: Vec::new(),
            invariants,
            deadlock_free,
            violations: Vec::new(),
            limits,
            stopped: None,
            scouts: Vec::new(),
        }
    }

    /// Keeps every edge, for drawing.
    #[must_use]
    pub fn keeping_edges(mut self) -> Self {
        self.graph.edges = Some(Vec::new());
        self
    }

    pub(super) fn keeps_edges(&self) -> bool {
        self.graph.edges.is_some()
    }

    /// The states found so far.
    pub fn states(&self) -> &StateSet {
        &self.graph.states
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.machine.program()
    }

    /// How many states have been expanded: all their successors are known.
    pub fn expanded(&self) -> u32 {
        self.next.0
    }

    /// How many edges have been found.
    pub fn edge_count(&self) -> u64 {
        self.graph.edge_count
    }

    /// The edges, where they are kept.
    pub fn edges(&self) -> &[Edge] {
        self.graph.edges.as_deref().unwrap_or_default()
    }

    /// The states without a successor, in the order of finding.
    pub fn deadlocks(&self) -> &[StateId] {
        &self.deadlocks
    }

    /// The violated invariants, in the order of finding.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether a state is initial.
    pub fn is_initial(&self, state: StateId) -> bool {
        self.graph.parents[state.index()] == state
    }

    /// The bytes that states and edges take.
    pub fn bytes(&self) -> u64 {
        self.graph.bytes()
    }

    /// The values of a state, one per slot.
    pub fn values(&self, state: StateId) -> Vec<i32> {
        let mut values = alloc::vec![0; self.program().layout.slots as usize];
        self.machine.packing().unpack(self.graph.states.get(state), &mut values);
        values
    }

    /// Why the exploration stopped, once it has.
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// Explores until it stops.
    pub fn run(&mut self) -> &StopReason {
        while self.advance(u32::MAX).is_none() {}
        self.stopped.as_ref().unwrap_or(&StopReason::Complete)
    }

    /// Enters or expands at most `steps` states.
    pub fn advance(&mut self, steps: u32) -> Option<&StopReason> {
        for _ in 0..steps {
            if self.stopped.is_some() {
                break;
            }
            if let Err(reason) = self.step() {
                self.stopped = Some(reason);
            }
        }
        self.stopped.as_ref()
    }

    fn step(&mut self) -> Result<(), StopReason> {
        if self.initial.is_some() {
            return self.enter_initial();
        }
        if self.next.0 == self.graph.states.len() {
            return Err(StopReason::Complete);
        }
        self.expand()
    }

    fn enter_initial(&mut self) -> Result<(), StopReason> {
        let Some(walk) = &mut self.initial else { return Ok(()) };
        let program = self.machine.program();
        let packing = self.machine.packing();
        let mut packed = alloc::vec![0; packing.words() as usize];
        packing.pack(&walk.values, &mut packed);
        let inside = program.takes_initial(&walk.values, &mut Scratch::default());
        let more = program.initial.advance(program, packing, walk);
        if inside {
            let entered = self.graph.states.insert_within(&packed, self.limits.states);
            let (id, new) = entered.ok_or(StopReason::Limit(Limit::States))?;
            if new {
                self.graph.parents.push(id);
            }
        }
        if !more {
            self.initial = None;
        }
        if self.bytes() > self.limits.bytes { Err(StopReason::Limit(Limit::Bytes)) } else { Ok(()) }
    }

    pub(super) fn expand(&mut self) -> Result<(), StopReason> {
        let from = self.next;
        self.packed.clear();
        append(&mut self.packed, self.graph.states.get(from));
        self.machine.load(&self.packed);
        self.check_invariants(from)?;
        let before = self.graph.edge_count;
        let Exploration { machine, graph, batch, packed, limits, .. } = self;
        batch.clear();
        let mut entered = Ok(());
        let result = machine.successors(packed, |step, packed| {
            batch.count += 1;
            append(&mut batch.words, packed);
            if graph.edges.is_some() {
                batch.steps.push((step.process, step.action, step.arguments.to_vec()));
            }
            if batch.count == size("explore: a batch", BATCH, 2) {
                took("explore: a full batch");
                entered = graph.enter(from, batch, *limits);
            }
            if entered.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        entered?;
        // Successors that come before a fault have been found all the same.
        graph.enter(from, batch, *limits)?;
        let _ = result.map_err(|fault| StopReason::Fault(from, fault))?;
        self.next = StateId(from.0 + 1);
        if self.graph.edge_count == before && !self.machine.is_cut_off() {
            self.deadlocks.push(from);
            if let Some(property) = self.deadlock_free.take() {
                self.violations.push(Violation { property, state: from });
                if self.invariants.is_empty() {
                    return Err(StopReason::AllViolated);
                }
            }
        }
        Ok(())
    }

    fn check_invariants(&mut self, state: StateId) -> Result<(), StopReason> {
        let mut position = 0;
        while let Some((property, predicate)) = self.invariants.get(position) {
            let property = *property;
            match self.machine.holds(predicate) {
                Ok(true) => position += 1,
                Ok(false) => {
                    self.violations.push(Violation { property, state });
                    self.invariants.remove(position);
                    if self.invariants.is_empty() && self.deadlock_free.is_none() {
                        return Err(StopReason::AllViolated);
                    }
                }
                Err(fault) => return Err(StopReason::PropertyFault(state, property, fault)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Settings, build};
    use crate::syntax::parse;

    const BITS: &str = "param n = 10 process p[n] { var x: bool = false action go: not x -> x := true }";

    fn explore(n: i64, limits: Limits) -> (StopReason, u32, u64) {
        let settings = Settings { params: alloc::vec![("n".into(), n)], ..Settings::default() };
        let program = build(&parse(BITS).file, &settings).unwrap();
        let mut exploration = Exploration::new(&program, limits, &[]);
        let reason = exploration.run().clone();
        (reason, exploration.states().len(), exploration.bytes())
    }

    #[test]
    fn as_many_states_as_allowed_are_no_reason_to_stop() {
        let limits = Limits { states: 1024, ..Limits::default() };
        assert_eq!(explore(10, limits).0, StopReason::Complete);
        let limits = Limits { states: 1023, ..Limits::default() };
        let (reason, states, _) = explore(10, limits);
        assert_eq!((reason, states), (StopReason::Limit(Limit::States), 1023));
    }

    /// One state of this program has successors of more than a gigabyte.
    #[test]
    fn the_limits_hold_within_one_expansion() {
        let limits = Limits { bytes: 1 << 24, ..Limits::default() };
        let (reason, states, bytes) = explore(100_000, limits);
        assert_eq!(reason, StopReason::Limit(Limit::Bytes));
        assert!(states > 1 && bytes < 1 << 26, "{states} states, {bytes} bytes");
    }
}
