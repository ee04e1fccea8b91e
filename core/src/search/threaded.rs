//! The older method: Emerson & Sistla, as outlined by Gyuris & Sistla, section 2.4.
//!
//! The product B̄₀ of the k-threaded quotient and the automaton is built whole: its nodes are (s, l⃗, a) with every l⃗, not
//! one for each class of like ones, and every edge of the quotient is kept. Then each strongly connected component is
//! resolved into its threaded graph, whose nodes are (u, k) for every process k, and every component of that is tested.
//! Nothing of the on-the-fly search is used: no partitions, no permutations of whole components.

use super::whole::{Edge, Method, Product, WholeOutcome, WholeSearch};
use crate::automaton::AutomatonState;
use crate::automaton::scc::components;
use crate::error::Limit;
use crate::group::{Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf, NodeId, ProductEdge};
use crate::program::{ActionId, Flat, Program};
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
pub type ThreadedSearch<'p> = WholeSearch<ThreadedNode, ThreadedMethod<'p>>;

/// The older method: every state of the quotient with every place of the tracked processes.
#[derive(Debug)]
pub struct ThreadedMethod<'p> {
    program: &'p Program,
    aqsi: Aqsi<'p>,
    max_nodes: u32,
    steps: BTreeMap<AqsId, Rc<Steps>>,
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
        let mut product = Product::new(obligation, fairness, deadlock);
        for (root, perm) in aqsi.roots() {
            let (state, tracked) = aqsi.node(*root);
            product.enter(perm, |q| (state, tracked.to_vec(), q));
        }
        let complete = aqsi.aqs().has_all_roots();
        let method = ThreadedMethod { program, aqsi, max_nodes, steps: BTreeMap::new() };
        let mut search = WholeSearch::begun(method, product);
        search.outcome = (!complete).then_some(WholeOutcome::Limit(Limit::Roots));
        search
    }

    /// Whether all nodes have been expanded.
    pub fn is_built(&self) -> bool {
        self.product.is_built()
    }

    /// Whether the edges of a node are known.
    pub fn is_expanded(&self, id: NodeId) -> bool {
        id.index() < self.product.edges.len()
    }

    /// Whether a node has been expanded and its state has no step.
    pub fn is_deadlock(&self, id: NodeId) -> bool {
        self.is_expanded(id) && self.method.steps_at(self.node(id)).edges.is_empty()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &ThreadedNode {
        &self.product.nodes[id.index()]
    }

    /// The edges of a node that has been expanded; none of one that has not.
    pub fn edges(&self, id: NodeId) -> Vec<ProductEdge> {
        let edges = self.product.edges.get(id.index()).map_or(&[][..], Vec::as_slice);
        edges.iter().map(|edge| self.product_edge(id, edge)).collect()
    }

    /// The edge of the quotient that an edge of a node follows.
    pub fn quotient_edge(&self, id: NodeId, number: u32) -> &AqsEdge {
        &self.method.steps_at(self.node(id)).edges[number as usize]
    }

    /// The quotient without tracked processes, as far as it has been built.
    pub fn aqs(&self) -> &Aqs<'p> {
        self.method.aqsi.aqs()
    }

    /// The node at which the model or the property has the error that ended the method.
    pub fn fault_node(&self) -> Option<NodeId> {
        let fault = matches!(self.outcome, Some(WholeOutcome::StepFault(_) | WholeOutcome::AtomFault(_)));
        fault.then_some(NodeId(self.product.edges.len() as u32))
    }

    /// The quotient with tracked processes that the nodes were made from.
    pub fn aqsi_mut(&mut self) -> &mut Aqsi<'p> {
        &mut self.method.aqsi
    }
}

impl ThreadedMethod<'_> {
    fn full(&self, product: &Product<ThreadedNode>) -> bool {
        product.nodes.len() > self.max_nodes as usize
    }

    fn expand(&mut self, product: &mut Product<ThreadedNode>) -> Result<(), WholeOutcome> {
        if self.full(product) {
            return Err(WholeOutcome::Limit(Limit::States));
        }
        let (state, tracked, q) = product.nodes[product.edges.len()].clone();
        let steps = self.steps_of(state)?;
        let values = self.aqsi.aqs().flat(state);
        let mut edges = Vec::new();
        let stutter = steps.edges.is_empty()
            && product.deadlock == Deadlock::Stutter
            && !self.aqsi.aqs_mut().is_cut_off(state);
        let automaton = product.obligation.automaton.clone();
        let moves = (0..steps.edges.len() as u32).map(Some).chain(stutter.then_some(None));
        for step in moves {
            let taken = step.map(|number| &steps.edges[number as usize]);
            let view =
                Flat { values: &values, enabled: &steps.enabled, executed: taken.map(|step| step.process) };
            let letter = product.letter(self.program, &view, &tracked)?;
            let (to, there) = match step {
                Some(number) => {
                    let back = &steps.inverses[number as usize];
                    let there = tracked.iter().map(|&l| back.apply(l)).collect();
                    (steps.edges[number as usize].target, there)
                }
                None => (state, tracked.clone()),
            };
            for (marks, target) in automaton.successors(q, &letter) {
                let target = product.id((to, Vec::clone(&there), target));
                edges.push(Edge { step, marks, target });
                if self.full(product) {
                    // The edges found before an error are shown.
                    product.expanded(edges);
                    return Err(WholeOutcome::Limit(Limit::States));
                }
            }
        }
        product.expanded(edges);
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

    fn steps_at(&self, (state, _, _): &ThreadedNode) -> &Steps {
        &self.steps[state]
    }
}

impl<'p> Method<'p> for ThreadedMethod<'p> {
    type Node = ThreadedNode;

    fn program(&self) -> &'p Program {
        self.program
    }

    fn grow(&mut self, product: &mut Product<ThreadedNode>) -> Result<bool, WholeOutcome> {
        if product.is_built() {
            return Ok(false);
        }
        self.expand(product)?;
        Ok(true)
    }

    /// Tests the threaded graph of a component: all its nodes are given back if each of its components is fair, none if
    /// no part can be, and otherwise those nodes where no strongly fair process is enabled in vain.
    fn fair_part(&self, product: &Product<ThreadedNode>, part: &[u32]) -> Option<Vec<u32>> {
        let processes = self.program.process_count();
        let fairness = &product.fairness;
        let steps_at = |node: u32| self.steps_at(&product.nodes[node as usize]);
        let place = |node: u32| part.binary_search(&node).ok();
        let thread = |at: usize, k: Process| at as u32 * processes + k.0;
        let edges_at = |at: u32| product.edges[part[at as usize] as usize].iter();
        let found = components(part.len() * processes as usize, |id| {
            let (at, k) = (id / processes, Process(id % processes));
            let steps = steps_at(part[at as usize]);
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
                let steps = |id: u32| steps_at(part[of(id).0 as usize]);
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
                let steps = steps_at(part[at as usize]);
                let by = |e: &Edge| e.step.map(|number| steps.edges[number as usize].process);
                edges_at(at).any(|e| by(e) == Some(k) && place(e.target).is_some())
            };
            let enabled = |&id: &u32| {
                let (at, k) = of(id);
                steps_at(part[at as usize]).enabled[k.index()]
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

    fn bytes(&self, product: &Product<ThreadedNode>) -> u64 {
        let tracked = product.obligation.tracked.len() * size_of::<Process>();
        let nodes = product.nodes.len() * 2 * (size_of::<ThreadedNode>() + tracked);
        self.aqsi.aqs().bytes() + nodes as u64
    }

    fn taken(&self, node: &ThreadedNode, number: u32) -> (Process, ActionId, Perm) {
        let step = &self.steps_at(node).edges[number as usize];
        (step.process, step.action, step.perm.clone())
    }

    fn offers(&self, node: &ThreadedNode) -> impl Iterator<Item = (Process, ActionId)> {
        self.steps_at(node).edges.iter().map(|step| (step.process, step.action))
    }

    fn step(&self, node: &ThreadedNode, number: u32) -> (Process, ActionId, Vec<i64>) {
        let step = &self.steps_at(node).edges[number as usize];
        (step.process, step.action, step.arguments.clone())
    }

    fn flat(&self, (state, _, _): &ThreadedNode) -> Vec<i32> {
        self.aqsi.aqs().flat(*state)
    }
}
