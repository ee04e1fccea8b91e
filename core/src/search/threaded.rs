//! The older method: Emerson & Sistla, as outlined by Gyuris & Sistla, section 2.4.
//!
//! The product B̄₀ of the k-threaded quotient and the automaton is built whole: its nodes are (s, l⃗, a) with every l⃗, not
//! one for each class of like ones, and every edge of the quotient is kept. Then each strongly connected component is
//! resolved into its threaded graph, whose nodes are (u, k) for every process k, and every component of that is tested.
//! Nothing of the on-the-fly search is used: no partitions, no permutations of whole components.

use super::ground::Ground;
use super::lasso::{Lasso, lasso_on};
use super::whole::{Decomposition, Edge, WholeOutcome};
use crate::automaton::scc::components;
use crate::automaton::{Ap, AutomatonState, Marks, Valuation};
use crate::error::Limit;
use crate::group::{Group, Partition, Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf, NodeId, ProcessSet, ProductEdge, ProductFault};
use crate::program::{ActionId, Fault, Flat, Program, Scratch};
use crate::property::Obligation;
use crate::quotient::{Aqs, AqsEdge, AqsId, Aqsi, EdgeStorage, Prune};
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The result of the older method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threaded {
    /// Whether a fair computation is accepted; none where the limit was reached or the model has an error.
    pub violated: Option<bool>,
    /// The nodes of B̄₀.
    pub nodes: u32,
    /// Its edges.
    pub edges: u64,
}

/// Whether a program violates an obligation, by the older method.
pub fn threaded(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    deadlock: Deadlock,
    max_nodes: u32,
) -> Threaded {
    let mut search = ThreadedSearch::new(program, obligation, fairness.clone(), deadlock, max_nodes);
    let violated = match search.run() {
        WholeOutcome::Holds => Some(false),
        WholeOutcome::Violated(_) => Some(true),
        _ => None,
    };
    Threaded { violated, nodes: search.len(), edges: search.edge_count() }
}

/// A node of B̄₀: a quotient state, where the tracked processes are, and a state of the automaton.
pub type ThreadedNode = (AqsId, Vec<Process>, AutomatonState);

/// The steps of a quotient state, with the inverses of their permutations and who is enabled.
#[derive(Debug)]
struct Steps {
    edges: Rc<[AqsEdge]>,
    inverses: Vec<Perm>,
    enabled: Vec<bool>,
}

/// The older method under way.
///
/// ```
/// use orbitscope_core::{ltl, product, program, property, search, symmetry, syntax::parse};
/// let parsed = parse("process p[3] { var x: bool = false action go: true -> x := not x } ltl l: G p[0].x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let id = program.property("l").unwrap();
/// let obligations =
///     property::obligations(&program, id, &symmetry::detect(&program), &ltl::Limits::default()).unwrap();
/// let fairness = product::FairnessOf::new(&program, product::FairnessChoice::Model);
/// let deadlock = product::Deadlock::Stutter;
/// let mut search = search::ThreadedSearch::new(&program, &obligations[0], fairness, deadlock, 1000);
/// assert!(matches!(search.run(), search::WholeOutcome::Violated(_)));
/// ```
#[derive(Debug)]
pub struct ThreadedSearch<'p> {
    program: &'p Program,
    aqsi: Aqsi<'p>,
    obligation: Obligation,
    fairness: FairnessOf,
    deadlock: Deadlock,
    max_nodes: u32,
    nodes: Vec<ThreadedNode>,
    ids: BTreeMap<ThreadedNode, u32>,
    roots: Vec<(NodeId, Perm)>,
    /// The edges of the nodes that have been expanded.
    edges: Vec<Vec<Edge>>,
    edge_count: u64,
    steps: BTreeMap<AqsId, Rc<Steps>>,
    scratch: Scratch,
    decomposition: Option<Decomposition>,
    outcome: Option<WholeOutcome>,
}

impl<'p> ThreadedSearch<'p> {
    /// Starts with the initial nodes.
    pub fn new(
        program: &'p Program,
        obligation: &Obligation,
        fairness: FairnessOf,
        deadlock: Deadlock,
        max_nodes: u32,
    ) -> Self {
        let aqs = Aqs::new(program, &obligation.symmetry, Prune::None, EdgeStorage::Stored, max_nodes);
        let aqsi = Aqsi::new(aqs, &obligation.tracked);
        let mut search = ThreadedSearch {
            program,
            outcome: (!aqsi.aqs().has_all_roots()).then_some(WholeOutcome::Limit(Limit::Roots)),
            aqsi,
            obligation: obligation.clone(),
            fairness,
            deadlock,
            max_nodes,
            nodes: Vec::new(),
            ids: BTreeMap::new(),
            roots: Vec::new(),
            edges: Vec::new(),
            edge_count: 0,
            steps: BTreeMap::new(),
            scratch: Scratch::default(),
            decomposition: None,
        };
        for (root, perm) in search.aqsi.roots().to_vec() {
            let (state, tracked) = search.aqsi.node(root);
            let tracked = tracked.to_vec();
            for &q in obligation.automaton.initial() {
                let node = search.id((state, tracked.clone(), q));
                search.roots.push((NodeId(node), perm.clone()));
            }
        }
        search
    }

    /// The nodes found.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Whether there is no node; there always is an initial one.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The edges found.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// Whether all nodes have been expanded.
    pub fn is_built(&self) -> bool {
        self.edges.len() == self.nodes.len()
    }

    /// Whether the edges of a node are known.
    pub fn is_expanded(&self, id: NodeId) -> bool {
        id.index() < self.edges.len()
    }

    /// Whether a node has been expanded and its state has no step.
    pub fn is_deadlock(&self, id: NodeId) -> bool {
        self.is_expanded(id) && self.steps_at(id.0).edges.is_empty()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &ThreadedNode {
        &self.nodes[id.index()]
    }

    /// The edges of a node that has been expanded; none of one that has not.
    pub fn edges(&self, id: NodeId) -> Vec<ProductEdge> {
        let edges = self.edges.get(id.index()).map_or(&[][..], Vec::as_slice);
        edges.iter().map(|edge| self.product_edge(id.0, edge)).collect()
    }

    /// The edge of the quotient that an edge of a node follows.
    pub fn quotient_edge(&self, id: NodeId, number: u32) -> &AqsEdge {
        &self.steps_at(id.0).edges[number as usize]
    }

    /// The initial nodes, each with the permutation that takes it to an initial state of the program.
    pub fn roots(&self) -> &[(NodeId, Perm)] {
        &self.roots
    }

    /// The quotient without tracked processes, as far as it has been built.
    pub fn aqs(&self) -> &Aqs<'p> {
        self.aqsi.aqs()
    }

    /// About how many bytes nodes and edges take.
    pub fn bytes(&self) -> u64 {
        let tracked = self.obligation.tracked.len() * size_of::<Process>();
        let nodes = self.nodes.len() * 2 * (size_of::<ThreadedNode>() + tracked);
        self.aqsi.aqs().bytes() + nodes as u64 + self.edge_count * size_of::<Edge>() as u64
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

    /// Expands one node or tests one component; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        if !self.is_built() {
            if let Err(outcome) = self.expand() {
                self.outcome = Some(outcome);
            }
            return self.outcome.is_none();
        }
        let mut decomposition =
            self.decomposition.take().unwrap_or_else(|| Decomposition::new(self.nodes.len() as u32));
        let all = self.obligation.automaton.all_marks();
        self.outcome = decomposition.look(&self.edges, all, |part| self.resolve(part));
        self.decomposition = Some(decomposition);
        self.outcome.is_none()
    }

    /// The node at which the model or the property has the error that ended the method.
    pub fn fault_node(&self) -> Option<NodeId> {
        let fault = matches!(self.outcome, Some(WholeOutcome::StepFault(_) | WholeOutcome::AtomFault(_)));
        fault.then_some(NodeId(self.edges.len() as u32))
    }

    /// The quotient with tracked processes that the nodes were made from.
    pub fn aqsi_mut(&mut self) -> &mut Aqsi<'p> {
        &mut self.aqsi
    }

    /// A run through the component that was found.
    pub fn lasso(&mut self) -> Option<Lasso> {
        let Some(WholeOutcome::Violated(component)) = self.outcome.clone() else { return None };
        let fairness = self.fairness.clone();
        lasso_on(self, &component, &fairness).ok()
    }

    fn id(&mut self, node: ThreadedNode) -> u32 {
        let nodes = &mut self.nodes;
        *self.ids.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() as u32 - 1
        })
    }

    fn expand(&mut self) -> Result<(), WholeOutcome> {
        if self.nodes.len() > self.max_nodes as usize {
            return Err(WholeOutcome::Limit(Limit::States));
        }
        let (state, tracked, q) = self.nodes[self.edges.len()].clone();
        let steps = self.steps_of(state)?;
        let values = self.aqsi.aqs().flat(state);
        let mut edges = Vec::new();
        let stutter = steps.edges.is_empty()
            && self.deadlock == Deadlock::Stutter
            && !self.aqsi.aqs_mut().is_cut_off(state);
        let moves = (0..steps.edges.len() as u32).map(Some).chain(stutter.then_some(None));
        for step in moves {
            let taken = step.map(|number| &steps.edges[number as usize]);
            let view =
                Flat { values: &values, enabled: &steps.enabled, executed: taken.map(|step| step.process) };
            let letter = self.letter(&view, &tracked).map_err(WholeOutcome::AtomFault)?;
            let (to, there) = match step {
                Some(number) => {
                    let back = &steps.inverses[number as usize];
                    let there = tracked.iter().map(|&l| back.apply(l)).collect();
                    (steps.edges[number as usize].target, there)
                }
                None => (state, tracked.clone()),
            };
            let automaton = self.obligation.automaton.clone();
            for (marks, target) in automaton.successors(q, &letter) {
                let target = self.id((to, Vec::clone(&there), target));
                edges.push(Edge { step, marks, target });
                if self.nodes.len() > self.max_nodes as usize {
                    // The edges found before an error are shown.
                    self.edge_count += edges.len() as u64;
                    self.edges.push(edges);
                    return Err(WholeOutcome::Limit(Limit::States));
                }
            }
        }
        self.edge_count += edges.len() as u64;
        self.edges.push(edges);
        Ok(())
    }

    fn steps_of(&mut self, state: AqsId) -> Result<Rc<Steps>, WholeOutcome> {
        if let Some(steps) = self.steps.get(&state) {
            return Ok(steps.clone());
        }
        let edges = self.aqsi.aqs_mut().edges(state).map_err(WholeOutcome::StepFault)?;
        let mut enabled = alloc::vec![false; self.program.process_count() as usize];
        edges.iter().for_each(|step| enabled[step.process.index()] = true);
        let inverses = edges.iter().map(|edge| edge.perm.inverse()).collect();
        let steps = Rc::new(Steps { edges, inverses, enabled });
        self.steps.insert(state, steps.clone());
        Ok(steps)
    }

    fn letter(&mut self, view: &Flat<'_>, tracked: &[Process]) -> Result<Valuation, Fault> {
        let mut letter = Valuation::default();
        for (number, atom) in self.obligation.atoms.iter().enumerate() {
            let holds = atom.holds(self.program, view, &mut self.scratch, tracked)?;
            letter.set(Ap(number as u32), holds);
        }
        Ok(letter)
    }

    fn steps_at(&self, node: u32) -> &Steps {
        &self.steps[&self.nodes[node as usize].0]
    }

    fn product_edge(&self, from: u32, edge: &Edge) -> ProductEdge {
        let step = edge.step.map(|number| &self.steps_at(from).edges[number as usize]);
        ProductEdge {
            step: edge.step,
            process: step.map(|step| step.process),
            action: step.map(|step| step.action),
            perm: step.map_or_else(Perm::identity, |step| step.perm.clone()),
            marks: edge.marks,
            target: NodeId(edge.target),
            turn: Perm::identity(),
        }
    }

    /// Tests the threaded graph of a component: all its nodes are given back if each of its components is fair, none if
    /// no part can be, and otherwise those nodes where no strongly fair process is enabled in vain.
    fn resolve(&self, part: &[u32]) -> Option<Vec<u32>> {
        let processes = self.program.process_count();
        let fairness = &self.fairness;
        let place = |node: u32| part.binary_search(&node).ok();
        let thread = |at: usize, k: Process| at as u32 * processes + k.0;
        let edges_at = |at: u32| self.edges[part[at as usize] as usize].iter();
        let found = components(part.len() * processes as usize, |id| {
            let (at, k) = (id / processes, Process(id % processes));
            let steps = self.steps_at(part[at as usize]);
            edges_at(at).filter_map(move |e| {
                let there = e.step.map_or(k, |number| steps.inverses[number as usize].apply(k));
                Some(thread(place(e.target)?, there))
            })
        });
        let mut vain = alloc::vec![false; part.len()];
        for members in &found.members {
            let of = |id: u32| (id / processes, Process(id % processes));
            let (_, first) = of(members[0]);
            for fair in fairness.actions.iter().filter(|fair| fair.members.contains(first)) {
                let is = |id: u32, step: &AqsEdge| (step.process, step.action) == (of(id).1, fair.action);
                let steps = |id: u32| self.steps_at(part[of(id).0 as usize]);
                let offered = |id: &u32| steps(*id).edges.iter().any(|step| is(*id, step));
                let taken = |id: &u32| {
                    let inside = edges_at(of(*id).0).filter(|e| place(e.target).is_some());
                    let mut numbers = inside.filter_map(|e| e.step);
                    numbers.any(|number| is(*id, &steps(*id).edges[number as usize]))
                };
                if members.iter().any(taken) {
                    continue;
                }
                if fair.strong {
                    for id in members.iter().filter(|id| offered(id)) {
                        vain[of(*id).0 as usize] = true;
                    }
                } else if members.iter().all(offered) {
                    return None;
                }
            }
            if fairness.none.contains(first) {
                continue;
            }
            let executes = |&id: &u32| {
                let (at, k) = of(id);
                let steps = self.steps_at(part[at as usize]);
                let by = |e: &Edge| e.step.map(|number| steps.edges[number as usize].process);
                edges_at(at).any(|e| by(e) == Some(k) && place(e.target).is_some())
            };
            let enabled = |&id: &u32| {
                let (at, k) = of(id);
                self.steps_at(part[at as usize]).enabled[k.index()]
            };
            if members.iter().any(executes) {
                continue;
            }
            if fairness.strong.contains(first) {
                for id in members.iter().filter(|id| enabled(id)) {
                    vain[of(*id).0 as usize] = true;
                }
            } else if members.iter().all(enabled) {
                return None;
            }
        }
        Some(part.iter().zip(&vain).filter(|(_, vain)| !**vain).map(|(&node, _)| node).collect())
    }
}

impl<'p> Ground<'p> for ThreadedSearch<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn all_marks(&self) -> Marks {
        self.obligation.automaton.all_marks()
    }

    fn len(&self) -> u32 {
        ThreadedSearch::len(self)
    }

    fn roots(&self) -> &[(NodeId, Perm)] {
        &self.roots
    }

    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Ok(ThreadedSearch::edges(self, node))
    }

    fn enabled(&mut self, node: NodeId) -> Result<ProcessSet, ProductFault> {
        let enabled = self.steps_at(node.0).enabled.iter();
        let mut points = ProcessSet::default();
        (0..)
            .map(Process)
            .zip(enabled)
            .filter(|(_, on)| **on)
            .for_each(|(process, _)| points.insert(process));
        Ok(points)
    }

    fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        let mut points = ProcessSet::default();
        let steps = self.steps_at(node.0).edges.iter().filter(|step| step.action == action);
        steps.for_each(|step| points.insert(step.process));
        Ok(points)
    }

    /// Every edge is there: none stands for others.
    fn stabiliser(&mut self, _: NodeId) -> Result<Group, ProductFault> {
        Ok(Group::trivial(self.program.process_count()))
    }

    fn orbits(&mut self, _: NodeId) -> Result<Partition, ProductFault> {
        Ok(Partition::discrete(self.program.process_count()))
    }

    fn flat(&self, node: NodeId) -> Vec<i32> {
        self.aqsi.aqs().flat(self.nodes[node.index()].0)
    }

    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        let edge = self.quotient_edge(node, number);
        Ok((edge.process, edge.action, edge.arguments.clone()))
    }
}
