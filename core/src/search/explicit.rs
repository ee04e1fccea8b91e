//! The plain method: the program times the automaton, without symmetry, and its components by the textbook.

use super::ground::Ground;
use super::lasso::{Lasso, lasso_on};
use super::whole::{Decomposition, Edge, WholeOutcome};
use crate::automaton::{Ap, AutomatonState, Marks, Valuation};
use crate::error::Limit;
use crate::explore::{self, Exploration, Limits, StateId, StopReason};
use crate::group::{Group, Partition, Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf, NodeId, ProcessSet, ProductEdge, ProductFault};
use crate::program::{ActionId, Fault, Flat, Program, Scratch, Stepper};
use crate::property::Obligation;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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
#[derive(Debug)]
pub struct ExplicitSearch<'p> {
    states: Exploration<'p>,
    obligation: Obligation,
    fairness: FairnessOf,
    deadlock: Deadlock,
    limits: Limits,
    /// Where the edges of each state begin in the list of all; one more at the end.
    offsets: Vec<u32>,
    nodes: Vec<(StateId, AutomatonState)>,
    ids: HashMap<(StateId, AutomatonState), u32, FxBuildHasher>,
    roots: Vec<(NodeId, Perm)>,
    edges: Vec<Vec<Edge>>,
    edge_count: u64,
    scratch: Scratch,
    decomposition: Option<Decomposition>,
    outcome: Option<WholeOutcome>,
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
        ExplicitSearch {
            states,
            obligation: obligation.clone(),
            fairness,
            deadlock,
            limits,
            offsets: Vec::new(),
            nodes: Vec::new(),
            ids: HashMap::default(),
            roots: Vec::new(),
            edges: Vec::new(),
            edge_count: 0,
            scratch: Scratch::default(),
            decomposition: None,
            outcome: None,
        }
    }

    /// The states, for another search.
    pub fn into_states(self) -> Exploration<'p> {
        self.states
    }

    /// The states, as far as they have been explored.
    pub fn states(&self) -> &Exploration<'p> {
        &self.states
    }

    /// The nodes of the product found.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Whether no node has been found yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The edges of the product found.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// About how many bytes states, nodes and edges take.
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.len() * 3 * size_of::<(StateId, AutomatonState)>();
        self.states.bytes() + nodes as u64 + self.edge_count * size_of::<Edge>() as u64
    }

    /// How the method ended, once it has.
    pub fn outcome(&self) -> Option<&WholeOutcome> {
        self.outcome.as_ref()
    }

    /// Runs to the end.
    pub fn run(&mut self) -> &WholeOutcome {
        while self.step() {}
        self.outcome.as_ref().unwrap_or(&WholeOutcome::Holds)
    }

    /// Expands one state or node, or tests one component; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        self.outcome = self.advance().err();
        self.outcome.is_none()
    }

    fn advance(&mut self) -> Result<(), WholeOutcome> {
        match self.states.stopped() {
            Some(StopReason::Complete) => {}
            Some(StopReason::Limit(Limit::States)) => return Err(WholeOutcome::Limit(Limit::States)),
            Some(StopReason::Fault(_, fault)) => return Err(WholeOutcome::StepFault(fault.clone())),
            Some(_) => return Err(WholeOutcome::Limit(Limit::Bytes)),
            None => {
                self.states.advance(1);
                return Ok(());
            }
        }
        if self.offsets.is_empty() {
            self.enter_initial();
            return Ok(());
        }
        if self.edges.len() < self.nodes.len() {
            return self.expand();
        }
        let mut decomposition =
            self.decomposition.take().unwrap_or_else(|| Decomposition::new(self.nodes.len() as u32));
        let all = self.obligation.automaton.all_marks();
        let ended = decomposition.look(&self.edges, all, |part| self.without(part));
        self.decomposition = Some(decomposition);
        ended.map_or(Ok(()), Err)
    }

    /// A run through the component that was found.
    pub fn lasso(&mut self) -> Option<Lasso> {
        let Some(WholeOutcome::Violated(component)) = self.outcome.clone() else { return None };
        let fairness = self.fairness.clone();
        lasso_on(self, &component, &fairness).ok()
    }

    /// The state at which the model or the property has the error that ended the method.
    pub fn fault_state(&self) -> Option<StateId> {
        match (&self.outcome, self.states.stopped()) {
            (_, Some(StopReason::Fault(state, _))) => Some(*state),
            (Some(WholeOutcome::AtomFault(_)), _) => {
                self.nodes.get(self.edges.len()).map(|(state, _)| *state)
            }
            _ => None,
        }
    }

    fn enter_initial(&mut self) {
        let count = self.states.states().len();
        let edges = self.states.edges();
        let mut next = 0u32;
        for state in 0..count {
            self.offsets.push(next);
            // States are expanded in the order of their numbers.
            next += edges[next as usize..].iter().take_while(|edge| edge.from.0 == state).count() as u32;
        }
        self.offsets.push(next);
        let initial = (0..count).map(StateId).filter(|&state| self.states.is_initial(state));
        for state in initial.collect::<Vec<_>>() {
            for q in self.obligation.automaton.initial().to_vec() {
                let node = self.id((state, q));
                self.roots.push((NodeId(node), Perm::identity()));
            }
        }
    }

    fn id(&mut self, node: (StateId, AutomatonState)) -> u32 {
        let nodes = &mut self.nodes;
        *self.ids.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    }

    fn steps_of(&self, state: StateId) -> &[explore::Edge] {
        let (from, to) = (self.offsets[state.index()], self.offsets[state.index() + 1]);
        &self.states.edges()[from as usize..to as usize]
    }

    fn steps_at(&self, node: u32) -> &[explore::Edge] {
        self.steps_of(self.nodes[node as usize].0)
    }

    fn expand(&mut self) -> Result<(), WholeOutcome> {
        if self.nodes.len() > self.limits.states as usize {
            return Err(WholeOutcome::Limit(Limit::States));
        }
        if self.bytes() > self.limits.bytes {
            return Err(WholeOutcome::Limit(Limit::Bytes));
        }
        let (state, q) = self.nodes[self.edges.len()];
        let values = self.states.values(state);
        let mut enabled = alloc::vec![false; self.states.program().process_count() as usize];
        let mut moves: Vec<(Option<u32>, Option<Process>, StateId)> = Vec::new();
        for (number, step) in (0..).zip(self.steps_of(state)) {
            enabled[step.process.index()] = true;
            moves.push((Some(number), Some(step.process), step.to));
        }
        if moves.is_empty()
            && self.deadlock == Deadlock::Stutter
            && !Stepper::default().is_cut_off(self.states.program(), &Flat::new(&values))
        {
            moves.push((None, None, state));
        }
        let mut edges = Vec::new();
        for (step, executed, to) in moves {
            let view = Flat { values: &values, enabled: &enabled, executed };
            let letter = self.letter(&view).map_err(WholeOutcome::AtomFault)?;
            let automaton = self.obligation.automaton.clone();
            for (marks, target) in automaton.successors(q, &letter) {
                let target = self.id((to, target));
                if self.nodes.len() > self.limits.states as usize {
                    return Err(WholeOutcome::Limit(Limit::States));
                }
                edges.push(Edge { step, marks, target });
            }
        }
        self.edge_count += edges.len() as u64;
        self.edges.push(edges);
        Ok(())
    }

    fn letter(&mut self, view: &Flat<'_>) -> Result<Valuation, Fault> {
        let Obligation { atoms, tracked, .. } = &self.obligation;
        let mut valuation = Valuation::default();
        for (number, atom) in atoms.iter().enumerate() {
            let holds = atom.holds(self.states.program(), view, &mut self.scratch, tracked)?;
            valuation.set(Ap(number as u32), holds);
        }
        Ok(valuation)
    }

    fn product_edge(&self, from: u32, edge: &Edge) -> ProductEdge {
        ProductEdge {
            step: edge.step,
            process: edge.step.map(|number| self.steps_at(from)[number as usize].process),
            action: edge.step.map(|number| self.steps_at(from)[number as usize].action),
            perm: Perm::identity(),
            marks: edge.marks,
            target: NodeId(edge.target),
            turn: Perm::identity(),
        }
    }

    /// The nodes of an accepted component that a fair part of it may have: all if it is fair itself, none if no part can
    /// be.
    fn without(&self, part: &[u32]) -> Option<Vec<u32>> {
        let processes = self.states.program().process_count();
        let mut executed = alloc::vec![false; processes as usize];
        for &node in part {
            let steps = self.steps_at(node);
            let inside = self.edges[node as usize].iter().filter(|e| part.binary_search(&e.target).is_ok());
            for number in inside.filter_map(|edge| edge.step) {
                executed[steps[number as usize].process.index()] = true;
            }
        }
        let mut rest = part.to_vec();
        for process in (0..processes).map(Process) {
            let enabled = |n: u32| self.steps_at(n).iter().any(|step| step.process == process);
            if executed[process.index()] || self.fairness.none.contains(process) {
                continue;
            }
            if self.fairness.strong.contains(process) {
                rest.retain(|&n| !enabled(n));
            } else if part.iter().all(|&n| enabled(n)) {
                return None;
            }
        }
        for fair in &self.fairness.actions {
            for process in fair.members.ranges().flatten().map(Process) {
                let is = |step: &explore::Edge| (step.process, step.action) == (process, fair.action);
                let offered = |n: u32| self.steps_at(n).iter().any(is);
                let taken = |&n: &u32| {
                    let inside =
                        self.edges[n as usize].iter().filter(|e| part.binary_search(&e.target).is_ok());
                    inside.filter_map(|edge| edge.step).any(|number| is(&self.steps_at(n)[number as usize]))
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
}

impl<'p> Ground<'p> for ExplicitSearch<'p> {
    fn program(&self) -> &'p Program {
        self.states.program()
    }

    fn all_marks(&self) -> Marks {
        self.obligation.automaton.all_marks()
    }

    fn len(&self) -> u32 {
        ExplicitSearch::len(self)
    }

    fn roots(&self) -> &[(NodeId, Perm)] {
        &self.roots
    }

    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Ok(self.edges[node.index()].iter().map(|edge| self.product_edge(node.0, edge)).collect())
    }

    fn enabled(&mut self, node: NodeId) -> Result<ProcessSet, ProductFault> {
        let mut points = ProcessSet::default();
        self.steps_at(node.0).iter().for_each(|step| points.insert(step.process));
        Ok(points)
    }

    fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        let mut points = ProcessSet::default();
        let steps = self.steps_at(node.0).iter().filter(|step| step.action == action);
        steps.for_each(|step| points.insert(step.process));
        Ok(points)
    }

    fn stabiliser(&mut self, _: NodeId) -> Result<Group, ProductFault> {
        Ok(Group::trivial(self.states.program().process_count()))
    }

    fn orbits(&mut self, _: NodeId) -> Result<Partition, ProductFault> {
        Ok(Partition::discrete(self.states.program().process_count()))
    }

    fn flat(&self, node: NodeId) -> Vec<i32> {
        self.states.values(self.nodes[node.index()].0)
    }

    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        let edge = &self.steps_at(node.0)[number as usize];
        Ok((edge.process, edge.action, edge.arguments.clone()))
    }
}
