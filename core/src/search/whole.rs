//! The part that two methods share: both build the product whole before they look at it.

use super::component::Component;
use super::graph::{Graph, InnerEdge};
use super::ground::Ground;
use super::lasso::{Lasso, lasso_on};
use crate::automaton::scc::components;
use crate::automaton::{Ap, AutomatonState, Marks, Valuation};
use crate::error::Limit;
use crate::group::{Group, Partition, Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf, NodeId, ProcessSet, ProductEdge, ProductFault};
use crate::program::{ActionId, Fault, Flat, Program, Scratch, StepFault};
use crate::property::Obligation;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// How a method ended that builds the product whole.
#[derive(Clone, Debug)]
pub enum WholeOutcome {
    /// No fair computation is accepted.
    Holds,
    /// The computations of this component are fair and accepted.
    Violated(Component),
    /// More was needed than is allowed.
    Limit(Limit),
    /// The model has an error.
    StepFault(StepFault),
    /// The property has an error.
    AtomFault(Fault),
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The step of its source's state that it follows; none where a state without steps repeats.
    pub step: Option<u32>,
    /// The acceptance marks that it carries.
    pub marks: Marks,
    /// The node that it leads to.
    pub target: u32,
}

/// A way to build the product whole, and to tell whether a component of it is fair.
pub trait Method<'p> {
    /// A node of its product.
    type Node: Clone + Eq + Hash + Debug;

    /// The program.
    fn program(&self) -> &'p Program;

    /// Expands one state or node; says whether there was one left.
    fn grow(&mut self, product: &mut Product<Self::Node>) -> Result<bool, WholeOutcome>;

    /// The nodes of an accepted component that a fair part of it may have: all if it is fair itself, none if no part can
    /// be.
    fn fair_part(&self, product: &Product<Self::Node>, part: &[u32]) -> Option<Vec<u32>>;

    /// About how many bytes states and nodes take.
    fn bytes(&self, product: &Product<Self::Node>) -> u64;

    /// A step of a node's state, and the permutation that takes its target to the next node's state.
    fn taken(&self, node: &Self::Node, number: u32) -> (Process, ActionId, Perm);

    /// The steps of a node's state.
    fn offers(&self, node: &Self::Node) -> impl Iterator<Item = (Process, ActionId)>;

    /// A step of a node's state, with its arguments.
    fn step(&self, node: &Self::Node, number: u32) -> (Process, ActionId, Vec<i64>);

    /// A node's state as a plain one.
    fn flat(&self, node: &Self::Node) -> Vec<i32>;
}

/// The product, as far as it is built, and the question that it is built for.
#[derive(Debug)]
pub struct Product<N> {
    pub(super) obligation: Obligation,
    pub(super) fairness: FairnessOf,
    pub(super) deadlock: Deadlock,
    pub(super) nodes: Vec<N>,
    ids: HashMap<N, u32, FxBuildHasher>,
    pub(super) roots: Vec<(NodeId, Perm)>,
    /// The edges of the nodes that have been expanded.
    pub(super) edges: Vec<Vec<Edge>>,
    edge_count: u64,
    scratch: Scratch,
}

impl<N: Clone + Eq + Hash> Product<N> {
    pub(super) fn new(obligation: &Obligation, fairness: FairnessOf, deadlock: Deadlock) -> Self {
        Product {
            obligation: obligation.clone(),
            fairness,
            deadlock,
            nodes: Vec::new(),
            ids: HashMap::default(),
            roots: Vec::new(),
            edges: Vec::new(),
            edge_count: 0,
            scratch: Scratch::default(),
        }
    }

    /// Whether all nodes have been expanded.
    pub(super) fn is_built(&self) -> bool {
        self.edges.len() == self.nodes.len()
    }

    /// About how many bytes the edges take.
    pub(super) fn edge_bytes(&self) -> u64 {
        self.edge_count * size_of::<Edge>() as u64
    }

    /// The number of a node, which it gets here where it is new.
    pub(super) fn id(&mut self, node: N) -> u32 {
        let nodes = &mut self.nodes;
        *self.ids.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() as u32 - 1
        })
    }

    /// Adds an initial node for each initial state of the automaton.
    pub(super) fn enter(&mut self, perm: &Perm, node: impl Fn(AutomatonState) -> N) {
        for q in self.obligation.automaton.initial().to_vec() {
            let id = self.id(node(q));
            self.roots.push((NodeId(id), perm.clone()));
        }
    }

    /// Keeps the edges of the next node.
    pub(super) fn expanded(&mut self, edges: Vec<Edge>) {
        self.edge_count += edges.len() as u64;
        self.edges.push(edges);
    }

    /// The propositions that are true of a step's state.
    pub(super) fn letter(
        &mut self,
        program: &Program,
        view: &Flat<'_>,
        tracked: &[Process],
    ) -> Result<Valuation, WholeOutcome> {
        let mut letter = Valuation::default();
        for (number, atom) in self.obligation.atoms.iter().enumerate() {
            let holds = atom.holds(program, view, &mut self.scratch, tracked);
            letter.set(Ap(number as u32), holds.map_err(WholeOutcome::AtomFault)?);
        }
        Ok(letter)
    }

    /// The edges of a node that lead to nodes of a set, which is in order.
    pub(super) fn inside<'a>(&'a self, node: u32, part: &'a [u32]) -> impl Iterator<Item = &'a Edge> {
        self.edges[node as usize].iter().filter(|edge| part.binary_search(&edge.target).is_ok())
    }
}

/// A search that builds the product whole, then looks at its components. [`ExplicitSearch`](super::ExplicitSearch) and
/// [`ThreadedSearch`](super::ThreadedSearch) are the two ways to do so.
#[derive(Debug)]
pub struct WholeSearch<N, M> {
    pub(super) method: M,
    pub(super) product: Product<N>,
    decomposition: Option<Decomposition>,
    pub(super) outcome: Option<WholeOutcome>,
}

impl<N, M> WholeSearch<N, M> {
    pub(super) fn begun(method: M, product: Product<N>) -> Self {
        WholeSearch { method, product, decomposition: None, outcome: None }
    }

    /// The nodes of the product found.
    pub fn len(&self) -> u32 {
        self.product.nodes.len() as u32
    }

    /// Whether no node has been found yet.
    pub fn is_empty(&self) -> bool {
        self.product.nodes.is_empty()
    }

    /// The edges of the product found.
    pub fn edge_count(&self) -> u64 {
        self.product.edge_count
    }

    /// The initial nodes, each with the permutation that takes it to an initial state of the program.
    pub fn roots(&self) -> &[(NodeId, Perm)] {
        &self.product.roots
    }

    /// How the method ended, once it has.
    pub fn outcome(&self) -> Option<&WholeOutcome> {
        self.outcome.as_ref()
    }
}

impl<'p, M: Method<'p>> WholeSearch<M::Node, M> {
    /// About how many bytes states, nodes and edges take.
    pub fn bytes(&self) -> u64 {
        self.method.bytes(&self.product) + self.product.edge_bytes()
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
        let WholeSearch { method, product, decomposition, .. } = self;
        if method.grow(product)? {
            return Ok(());
        }
        let decomposition =
            decomposition.get_or_insert_with(|| Decomposition::new(product.nodes.len() as u32));
        decomposition.look(product, |part| method.fair_part(product, part)).map_or(Ok(()), Err)
    }

    /// A run through the component that was found.
    pub fn lasso(&mut self) -> Option<Lasso> {
        let Some(WholeOutcome::Violated(component)) = self.outcome.clone() else { return None };
        let fairness = self.product.fairness.clone();
        lasso_on(self, &component, &fairness).ok()
    }
}

impl<'p, M: Method<'p>> Ground<'p> for WholeSearch<M::Node, M> {
    fn program(&self) -> &'p Program {
        self.method.program()
    }

    fn all_marks(&self) -> Marks {
        self.product.obligation.automaton.all_marks()
    }

    fn len(&self) -> u32 {
        WholeSearch::len(self)
    }

    fn roots(&self) -> &[(NodeId, Perm)] {
        WholeSearch::roots(self)
    }

    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Ok(self.product.edges[node.index()].iter().map(|edge| self.product_edge(node, edge)).collect())
    }

    fn enabled(&mut self, node: NodeId) -> Result<ProcessSet, ProductFault> {
        Ok(self.processes(node, |_| true))
    }

    fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        Ok(self.processes(node, |offered| offered == action))
    }

    /// Every edge is there: none stands for others.
    fn stabiliser(&mut self, _: NodeId) -> Result<Group, ProductFault> {
        Ok(Group::trivial(self.method.program().process_count()))
    }

    fn orbits(&mut self, _: NodeId) -> Result<Partition, ProductFault> {
        Ok(Partition::discrete(self.method.program().process_count()))
    }

    fn flat(&self, node: NodeId) -> Vec<i32> {
        self.method.flat(&self.product.nodes[node.index()])
    }

    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        Ok(self.method.step(&self.product.nodes[node.index()], number))
    }
}

impl<'p, M: Method<'p>> WholeSearch<M::Node, M> {
    pub(super) fn product_edge(&self, from: NodeId, edge: &Edge) -> ProductEdge {
        let node = &self.product.nodes[from.index()];
        let (process, action, perm) = match edge.step.map(|number| self.method.taken(node, number)) {
            Some((process, action, perm)) => (Some(process), Some(action), perm),
            None => (None, None, Perm::identity()),
        };
        let (step, marks, target) = (edge.step, edge.marks, NodeId(edge.target));
        ProductEdge { step, process, action, perm, marks, target, turn: Perm::identity() }
    }

    fn processes(&self, node: NodeId, is: impl Fn(ActionId) -> bool) -> ProcessSet {
        let mut points = ProcessSet::default();
        let offers = self.method.offers(&self.product.nodes[node.index()]);
        offers.filter(|(_, action)| is(*action)).for_each(|(process, _)| points.insert(process));
        points
    }
}

/// The search for a fair component among all nodes, one component at a time.
#[derive(Clone, Debug)]
struct Decomposition {
    /// Sets of nodes that are still to be cut into components.
    pending: Vec<Vec<u32>>,
    /// Components that are still to be tested.
    parts: Vec<Vec<u32>>,
}

/// The find of a step of the decomposition.
enum Found {
    /// Nothing yet.
    More,
    /// There is no fair component.
    Nothing,
    /// The nodes of a fair and accepted component.
    Fair(Vec<u32>),
}

impl Decomposition {
    fn new(nodes: u32) -> Self {
        Decomposition { pending: alloc::vec![(0..nodes).collect()], parts: Vec::new() }
    }

    /// Cuts a set of nodes into components, or tests one of them: `fair` gives back all its nodes if it is fair, none if
    /// no part of it can be, and otherwise the nodes that a fair part of it may have.
    fn step<N: Clone + Eq + Hash>(
        &mut self,
        product: &Product<N>,
        fair: impl FnOnce(&[u32]) -> Option<Vec<u32>>,
    ) -> Found {
        let (edges, all) = (&product.edges, product.obligation.automaton.all_marks());
        while let Some(part) = self.parts.pop() {
            let inside = part.iter().flat_map(|&node| product.inside(node, &part));
            let mut marks = inside.map(|edge| edge.marks).peekable();
            if marks.peek().is_none() || marks.fold(Marks::EMPTY, Marks::union) != all {
                continue;
            }
            return match fair(&part) {
                Some(rest) if rest.len() == part.len() => Found::Fair(part),
                Some(rest) => {
                    self.pending.push(rest);
                    Found::More
                }
                None => Found::More,
            };
        }
        let Some(nodes) = self.pending.pop() else { return Found::Nothing };
        let place = |n: u32| nodes.binary_search(&n).ok().map(|i| i as u32);
        let found = components(nodes.len(), |n| {
            edges[nodes[n as usize] as usize].iter().filter_map(|e| place(e.target))
        });
        let parts = found.members.into_iter().map(|p| p.into_iter().map(|n| nodes[n as usize]).collect());
        self.parts = parts.collect();
        Found::More
    }

    /// Does a step; says how the method ends, once that is known.
    fn look<N: Clone + Eq + Hash>(
        &mut self,
        product: &Product<N>,
        fair: impl FnOnce(&[u32]) -> Option<Vec<u32>>,
    ) -> Option<WholeOutcome> {
        match self.step(product, fair) {
            Found::More => None,
            Found::Nothing => Some(WholeOutcome::Holds),
            Found::Fair(part) => Some(WholeOutcome::Violated(component(&part, &product.edges))),
        }
    }
}

/// A component, as a run is walked on, of a product with these edges.
fn component(part: &[u32], edges: &[Vec<Edge>]) -> Component {
    let mut graph = Graph::default();
    for &node in part {
        let own = (0..).zip(&edges[node as usize]);
        graph.push(own.filter_map(|(number, edge)| {
            let target = part.binary_search(&edge.target).ok()? as u32;
            Some(InnerEdge { target, number, marks: edge.marks })
        }));
    }
    Component::new(part.iter().copied().map(NodeId).collect(), graph)
}
