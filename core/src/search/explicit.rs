//! The plain method: the program times the automaton, without symmetry, and its components by the textbook.

use super::whole::{Edge, Method, Product, WholeOutcome, WholeSearch};
use crate::automaton::AutomatonState;
use crate::error::Limit;
use crate::explore::{self, Exploration, Limits, StateId, StopReason};
use crate::group::{Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{ActionId, Fault, Flat, Program, Stepper};
use crate::property::Obligation;
use alloc::vec::Vec;

/// An answer of the plain method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explicit {
    /// No fair computation is accepted; the number of nodes and edges of the product.
    Holds(u32, u64),
    /// Some fair computation is accepted.
    Violated(u32, u64),
    /// It stopped before it was complete.
    Stopped(StopReason),
    /// The property has an error in some state.
    Fault(Fault),
}

/// Whether a program violates an obligation, by the plain method.
pub fn explicit(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    limits: Limits,
) -> Explicit {
    let states = Exploration::new(program, limits, &[]).keeping_edges();
    let mut search = ExplicitSearch::new(states, obligation, fairness.clone(), deadlock, limits);
    let outcome = search.run().clone();
    let (nodes, edges) = (search.len(), search.edge_count());
    match outcome {
        WholeOutcome::Holds => Explicit::Holds(nodes, edges),
        WholeOutcome::Violated(_) => Explicit::Violated(nodes, edges),
        WholeOutcome::AtomFault(fault) => Explicit::Fault(fault),
        WholeOutcome::Limit(limit) => Explicit::Stopped(StopReason::Limit(limit)),
        WholeOutcome::StepFault(_) => {
            Explicit::Stopped(search.states().stopped().cloned().unwrap_or(StopReason::Limit(Limit::States)))
        }
    }
}

/// The plain method under way: the states, then the product, then its components.
///
/// ```
/// use orbitscope_core::explore::{Exploration, Limits};
/// use orbitscope_core::{ltl, product, program, property, search, symmetry, syntax::parse};
/// let parsed = parse("process p { var x: bool = false action go: true -> x := true } ltl l: F p.x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let id = program.property("l").unwrap();
/// let obligations =
///     property::obligations(&program, id, &symmetry::detect(&program), &ltl::Limits::default()).unwrap();
/// let fairness = product::FairnessOf::new(&program, product::FairnessChoice::Model);
/// let states = Exploration::new(&program, Limits::default(), &[]).keeping_edges();
/// let deadlock = product::Deadlock::Stutter;
/// let mut search =
///     search::ExplicitSearch::new(states, &obligations[0], fairness, deadlock, Limits::default());
/// assert!(matches!(search.run(), search::WholeOutcome::Holds));
/// ```
pub type ExplicitSearch<'p> = WholeSearch<ExplicitNode, ExplicitMethod<'p>>;

/// A state of the program, and a state of the automaton.
pub type ExplicitNode = (StateId, AutomatonState);

/// The plain method: every state of the program by itself.
#[derive(Debug)]
pub struct ExplicitMethod<'p> {
    states: Exploration<'p>,
    limits: Limits,
    /// Where the edges of each state begin in the list of all; one more at the end.
    offsets: Vec<u32>,
}

impl<'p> ExplicitSearch<'p> {
    /// Starts from an exploration that keeps its edges; it is completed first.
    pub fn new(
        states: Exploration<'p>,
        obligation: &Obligation,
        fairness: FairnessOf,
        deadlock: Deadlock,
        limits: Limits,
    ) -> Self {
        let method = ExplicitMethod { states, limits, offsets: Vec::new() };
        WholeSearch::begun(method, Product::new(obligation, fairness, deadlock))
    }

    /// The states, for another search.
    pub fn into_states(self) -> Exploration<'p> {
        self.method.states
    }

    /// The states, as far as they have been explored.
    pub fn states(&self) -> &Exploration<'p> {
        &self.method.states
    }

    /// The state at which the model or the property has the error that ended the method.
    pub fn fault_state(&self) -> Option<StateId> {
        match (&self.outcome, self.method.states.stopped()) {
            (_, Some(StopReason::Fault(state, _))) => Some(*state),
            (Some(WholeOutcome::AtomFault(_)), _) => {
                self.product.nodes.get(self.product.edges.len()).map(|(state, _)| *state)
            }
            _ => None,
        }
    }
}

impl ExplicitMethod<'_> {
    fn enter_initial(&mut self, product: &mut Product<ExplicitNode>) {
        let count = self.states.states().len();
        let edges = self.states.edges();
        let mut next = 0u32;
        for state in 0..count {
            self.offsets.push(next);
            // States are expanded in the order of their numbers.
            next += edges[next as usize..].iter().take_while(|edge| edge.from.0 == state).count() as u32;
        }
        self.offsets.push(next);
        for state in (0..count).map(StateId).filter(|&state| self.states.is_initial(state)) {
            product.enter(&Perm::identity(), |q| (state, q));
        }
    }

    fn steps_of(&self, state: StateId) -> &[explore::Edge] {
        let (from, to) = (self.offsets[state.index()], self.offsets[state.index() + 1]);
        &self.states.edges()[from as usize..to as usize]
    }

    fn has_room(&self, product: &Product<ExplicitNode>) -> Result<(), WholeOutcome> {
        let full = product.nodes.len() > self.limits.states as usize;
        if full { Err(WholeOutcome::Limit(Limit::States)) } else { Ok(()) }
    }

    fn expand(&self, product: &mut Product<ExplicitNode>) -> Result<(), WholeOutcome> {
        self.has_room(product)?;
        if self.bytes(product) + product.edge_bytes() > self.limits.bytes {
            return Err(WholeOutcome::Limit(Limit::Bytes));
        }
        let (state, q) = product.nodes[product.edges.len()];
        let program = self.states.program();
        let values = self.states.values(state);
        let mut enabled = alloc::vec![false; program.process_count() as usize];
        let mut moves: Vec<(Option<u32>, Option<Process>, StateId)> = Vec::new();
        for (number, step) in (0..).zip(self.steps_of(state)) {
            enabled[step.process.index()] = true;
            moves.push((Some(number), Some(step.process), step.to));
        }
        if moves.is_empty()
            && product.deadlock == Deadlock::Stutter
            && !Stepper::default().is_cut_off(program, &Flat::new(&values))
        {
            moves.push((None, None, state));
        }
        let (automaton, tracked) = (product.obligation.automaton.clone(), product.obligation.tracked.clone());
        let mut edges = Vec::new();
        for (step, executed, to) in moves {
            let view = Flat { values: &values, enabled: &enabled, executed };
            let letter = product.letter(program, &view, &tracked)?;
            for (marks, target) in automaton.successors(q, &letter) {
                let target = product.id((to, target));
                self.has_room(product)?;
                edges.push(Edge { step, marks, target });
            }
        }
        product.expanded(edges);
        Ok(())
    }
}

impl<'p> Method<'p> for ExplicitMethod<'p> {
    type Node = ExplicitNode;

    fn program(&self) -> &'p Program {
        self.states.program()
    }

    fn grow(&mut self, product: &mut Product<ExplicitNode>) -> Result<bool, WholeOutcome> {
        match self.states.stopped() {
            Some(StopReason::Complete) => {}
            Some(StopReason::Limit(Limit::States)) => return Err(WholeOutcome::Limit(Limit::States)),
            Some(StopReason::Fault(_, fault)) => return Err(WholeOutcome::StepFault(fault.clone())),
            Some(_) => return Err(WholeOutcome::Limit(Limit::Bytes)),
            None => {
                self.states.advance(1);
                return Ok(true);
            }
        }
        if self.offsets.is_empty() {
            self.enter_initial(product);
        } else if product.is_built() {
            return Ok(false);
        } else {
            self.expand(product)?;
        }
        Ok(true)
    }

    fn fair_part(&self, product: &Product<ExplicitNode>, part: &[u32]) -> Option<Vec<u32>> {
        let processes = self.states.program().process_count();
        let steps_at = |node: u32| self.steps_of(product.nodes[node as usize].0);
        let mut executed = alloc::vec![false; processes as usize];
        for &node in part {
            let steps = steps_at(node);
            for number in product.inside(node, part).filter_map(|edge| edge.step) {
                executed[steps[number as usize].process.index()] = true;
            }
        }
        let mut rest = part.to_vec();
        for process in (0..processes).map(Process) {
            let enabled = |n: u32| steps_at(n).iter().any(|step| step.process == process);
            if executed[process.index()] || product.fairness.none.contains(process) {
                continue;
            }
            if product.fairness.strong.contains(process) {
                rest.retain(|&n| !enabled(n));
            } else if part.iter().all(|&n| enabled(n)) {
                return None;
            }
        }
        for fair in &product.fairness.actions {
            for process in fair.members.ranges().flatten().map(Process) {
                let is = |step: &explore::Edge| (step.process, step.action) == (process, fair.action);
                let offered = |n: u32| steps_at(n).iter().any(is);
                let taken = |&n: &u32| {
                    let mut numbers = product.inside(n, part).filter_map(|edge| edge.step);
                    numbers.any(|number| is(&steps_at(n)[number as usize]))
                };
                if part.iter().any(taken) {
                    continue;
                }
                if fair.strong {
                    rest.retain(|&n| !offered(n));
                } else if part.iter().all(|&n| offered(n)) {
                    return None;
                }
            }
        }
        Some(rest)
    }

    fn bytes(&self, product: &Product<ExplicitNode>) -> u64 {
        self.states.bytes() + (product.nodes.len() * 3 * size_of::<ExplicitNode>()) as u64
    }

    fn taken(&self, &(state, _): &ExplicitNode, number: u32) -> (Process, ActionId, Perm) {
        let step = &self.steps_of(state)[number as usize];
        (step.process, step.action, Perm::identity())
    }

    fn offers(&self, &(state, _): &ExplicitNode) -> impl Iterator<Item = (Process, ActionId)> {
        self.steps_of(state).iter().map(|step| (step.process, step.action))
    }

    fn step(&self, &(state, _): &ExplicitNode, number: u32) -> (Process, ActionId, Vec<i64>) {
        let step = &self.steps_of(state)[number as usize];
        (step.process, step.action, step.arguments.clone())
    }

    fn flat(&self, &(state, _): &ExplicitNode) -> Vec<i32> {
        self.states.values(state)
    }
}
