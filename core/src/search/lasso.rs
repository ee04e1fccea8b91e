//! From a fair component to a computation: a concrete run in the program's own process numbers.
//!
//! The walk keeps, with its node u, the permutation g for which g·s is the program's state and g(l⃗) = c⃗. Inside the
//! component each process that is still owed something is followed in the threaded graph, by a shortest walk, to a
//! place where it is disabled or executes; then each mark is fetched; then a shortest way home is looked for among
//! concrete states. If none is found within the effort, the walk so far is closed to its first node and repeated until
//! its permutation is the identity.

use super::component::Component;
use crate::automaton::Marks;
use crate::group::{Group, Perm, Process};
use crate::product::{FairnessOf, NodeId, Points, Product, ProductEdge, ProductFault};
use crate::program::{ActionId, Domain, Program};
use crate::symmetry::{Structure, state_structure};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoStep {
    /// The process that executes; none where a state without steps repeats.
    pub process: Option<Process>,
    /// The action and its arguments.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// The values of the state reached.
    pub values: Vec<i32>,
}

/// A run: a stem and a loop that repeats for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The values of the initial state.
    pub start: Vec<i32>,
    /// The steps to the loop.
    pub stem: Vec<LassoStep>,
    /// The steps of the loop; the last one leads to where it began.
    pub cycle: Vec<LassoStep>,
}

/// What a run is walked on: nodes that stand for states of the program, and edges with their permutations.
pub(crate) trait Ground {
    fn program(&self) -> &Program;
    fn all_marks(&self) -> Marks;
    /// The initial nodes, each with the permutation that takes it to an initial state of the program.
    fn roots(&self) -> Vec<(NodeId, Perm)>;
    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault>;
    /// The processes that are enabled at a node.
    fn enabled(&mut self, node: NodeId) -> Result<Points, ProductFault>;
    /// What fixes a node, where its edges stand for all that this turns them to.
    fn stabiliser(&mut self, node: NodeId) -> Result<Group, ProductFault>;
    /// The node's state as a plain one.
    fn flat(&self, node: NodeId) -> Vec<i32>;
    /// The process, the action and the arguments of a node's step.
    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault>;
}

impl Ground for Product<'_> {
    fn program(&self) -> &Program {
        Product::program(self)
    }

    fn all_marks(&self) -> Marks {
        self.automaton().all_marks()
    }

    fn roots(&self) -> Vec<(NodeId, Perm)> {
        Product::roots(self).to_vec()
    }

    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Product::edges(self, node)
    }

    fn enabled(&mut self, node: NodeId) -> Result<Points, ProductFault> {
        Ok(self.place(node)?.enabled.clone())
    }

    fn stabiliser(&mut self, node: NodeId) -> Result<Group, ProductFault> {
        Ok(self.place(node)?.stabiliser.clone())
    }

    fn flat(&self, node: NodeId) -> Vec<i32> {
        let (place, _) = self.node(node);
        let (state, _) = self.aqsi().node(place);
        self.aqsi().aqs().flat(state)
    }

    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        let step = Product::step(self, node, number)?;
        Ok((step.process, step.action, step.arguments))
    }
}

/// The process and the action of a step, with its arguments.
type Named = (Option<Process>, Option<(ActionId, Vec<i64>)>);

/// A tree of shortest walks: for each place the one before and the edge between.
type Parents<K> = BTreeMap<K, Option<(K, ProductEdge)>>;

/// So many concrete states are looked at for a shorter way home, and so many values of variables in them.
const HOME_EFFORT: usize = 50_000;
const HOME_VALUES: usize = 50_000_000;

/// A run through a fair component.
pub fn lasso_of(
    product: &mut Product<'_>,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    lasso_on(product, component, fairness)
}

pub(crate) fn lasso_on<G: Ground>(
    product: &mut G,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    let structure = state_structure(product.program());
    let stem = path_to(product, component)?;
    let mut walker = Walker { product, component, structure, steps: Vec::new() };
    let (root, perm) = stem.root;
    let start = walker.values(root, &perm);
    let mut at = Position { node: root, perm };
    for edge in &stem.edges {
        walker.take(&mut at, edge)?;
    }
    let stem = core::mem::take(&mut walker.steps);
    let cycle = walker.cycle(&at, fairness)?;
    Ok(Lasso { start, stem, cycle })
}

struct Stem {
    root: (NodeId, Perm),
    edges: Vec<ProductEdge>,
}

/// A shortest path from an initial node to the component.
fn path_to<G: Ground>(product: &mut G, component: &Component) -> Result<Stem, ProductFault> {
    let mut parents: Parents<NodeId> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for (node, _) in product.roots() {
        if parents.insert(node, None).is_none() {
            queue.push_back(node);
        }
    }
    let mut end = None;
    while let Some(node) = queue.pop_front() {
        if component.edges.contains_key(&node) {
            end = Some(node);
            break;
        }
        for edge in product.edges(node)? {
            parents.entry(edge.target).or_insert_with(|| {
                queue.push_back(edge.target);
                Some((node, edge.clone()))
            });
        }
    }
    let mut at = end.unwrap_or(component.nodes[0]);
    let mut edges = Vec::new();
    while let Some(Some((from, edge))) = parents.get(&at) {
        edges.push(edge.clone());
        at = *from;
    }
    edges.reverse();
    let root = product.roots().into_iter().find(|(node, _)| *node == at);
    Ok(Stem { root: root.unwrap_or((at, Perm::identity())), edges })
}

/// Where a walk is: the program's state is `perm`·(the node's state).
#[derive(Clone, PartialEq, Eq)]
struct Position {
    node: NodeId,
    perm: Perm,
}

struct Walker<'a, G> {
    product: &'a mut G,
    component: &'a Component,
    structure: Structure,
    steps: Vec<LassoStep>,
}

impl<G: Ground> Walker<'_, G> {
    fn values(&self, node: NodeId, perm: &Perm) -> Vec<i32> {
        self.structure.apply(perm, &self.product.flat(node))
    }

    /// The step that an edge is at a position, without the state it leads to.
    fn step(&mut self, at: &Position, edge: &ProductEdge) -> Result<Named, ProductFault> {
        let Some(number) = edge.step else { return Ok((None, None)) };
        let (process, action, arguments) = self.product.step(at.node, number)?;
        let perm = at.perm.compose(&edge.turn);
        let arguments = turned_arguments(self.product.program(), &perm, action, &arguments);
        Ok((Some(perm.apply(process)), Some((action, arguments))))
    }

    fn take(&mut self, at: &mut Position, edge: &ProductEdge) -> Result<(), ProductFault> {
        let (process, action) = self.step(at, edge)?;
        at.perm = at.perm.compose(&edge.perm);
        at.node = edge.target;
        let values = self.values(at.node, &at.perm);
        self.steps.push(LassoStep { process, action, values });
        Ok(())
    }

    fn cycle(mut self, start: &Position, fairness: &FairnessOf) -> Result<Vec<LassoStep>, ProductFault> {
        let mut at = start.clone();
        let degree = self.product.program().process_count();
        let all = self.product.all_marks();
        let mut marks = Marks::EMPTY;
        // Who is owed nothing more: treated fairly in the walk so far, or in need of no fairness.
        let mut settled = fairness.none.clone();
        self.settle(&at, fairness, &mut settled)?;
        let mut walk: Vec<ProductEdge> = Vec::new();
        loop {
            let owed = settled.first_missing(degree);
            let route = match owed {
                Some(process) => self.fair_route(&at, process, fairness)?,
                None if marks != all => self.mark_route(&at, all, marks),
                None => break,
            };
            match (owed, route) {
                (Some(process), None) => {
                    // A strongly fair process that is enabled nowhere in the component is owed nothing.
                    settled.insert(process);
                }
                (_, Some(route)) => {
                    for edge in route {
                        marks = marks.union(edge.marks);
                        if let Some(process) = edge.process {
                            settled.insert(at.perm.apply(process));
                        }
                        self.take(&mut at, &edge)?;
                        self.settle(&at, fairness, &mut settled)?;
                        walk.push(edge);
                    }
                }
                (None, None) => break,
            }
        }
        self.home(start, at, walk)?;
        Ok(self.steps)
    }

    /// Notes the weakly fair processes that are disabled here.
    fn settle(
        &mut self,
        at: &Position,
        fairness: &FairnessOf,
        settled: &mut Points,
    ) -> Result<(), ProductFault> {
        let degree = self.product.program().process_count();
        let disabled = self.product.enabled(at.node)?.complement(degree).image(&at.perm);
        if !fairness.has_strong() {
            settled.union(&disabled);
            return Ok(());
        }
        // A strongly fair process has to execute, or be disabled all the time.
        for range in disabled.ranges() {
            for process in range.map(Process).filter(|p| !fairness.strong.contains(*p)) {
                settled.insert(process);
            }
        }
        Ok(())
    }

    /// A shortest walk in the threaded graph to where a process executes, or, if it is weakly fair, is disabled.
    fn fair_route(
        &mut self,
        at: &Position,
        process: Process,
        fairness: &FairnessOf,
    ) -> Result<Option<Vec<ProductEdge>>, ProductFault> {
        let strong = fairness.strong.contains(process);
        let local = at.perm.inverse().apply(process);
        let mut parents: Parents<(NodeId, Process)> = BTreeMap::new();
        parents.insert((at.node, local), None);
        let mut queue = VecDeque::from([(at.node, local)]);
        while let Some((node, thread)) = queue.pop_front() {
            if !strong && !self.product.enabled(node)?.contains(thread) {
                return Ok(Some(unwind(&parents, (node, thread))));
            }
            // An edge stands for those that it is turned to by what fixes the node.
            let stabiliser = self.product.stabiliser(node)?;
            let alike: Vec<Process> = stabiliser.orbit_of(thread).iter().take(MAX_TURNS).collect();
            for edge in &self.component.edges[&node] {
                let executes = edge.process.and_then(|i| stabiliser.transporter(&[i], &[thread]));
                if let Some(by) = executes {
                    let mut route = unwind(&parents, (node, thread));
                    route.push(edge.turned(&by));
                    return Ok(Some(route));
                }
                for by in alike.iter().filter_map(|&other| stabiliser.transporter(&[other], &[thread])) {
                    let turned = edge.turned(&by);
                    let next = (edge.target, turned.perm.inverse().apply(thread));
                    parents.entry(next).or_insert_with(|| {
                        queue.push_back(next);
                        Some(((node, thread), turned))
                    });
                }
            }
        }
        Ok(None)
    }

    /// A shortest walk to an edge with a mark that is still missing.
    fn mark_route(&self, at: &Position, all: Marks, seen: Marks) -> Option<Vec<ProductEdge>> {
        let wanted = |marks: Marks| all.iter().any(|m| marks.contains(m) && !seen.contains(m));
        let mut parents: Parents<NodeId> = BTreeMap::from([(at.node, None)]);
        let mut queue = VecDeque::from([at.node]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.component.edges[&node] {
                if wanted(edge.marks) {
                    let mut route = unwind(&parents, node);
                    route.push(edge.clone());
                    return Some(route);
                }
                parents.entry(edge.target).or_insert_with(|| {
                    queue.push_back(edge.target);
                    Some((node, edge.clone()))
                });
            }
        }
        None
    }

    /// Closes the loop.
    fn home(
        &mut self,
        start: &Position,
        mut at: Position,
        mut walk: Vec<ProductEdge>,
    ) -> Result<(), ProductFault> {
        if let Some(route) = self.concrete_way(start, &at)? {
            for edge in route {
                self.take(&mut at, &edge)?;
            }
            return Ok(());
        }
        // Where nothing was to be fetched there is no walk yet: any edge begins one.
        if let (true, Some(first)) = (walk.is_empty(), self.component.edges[&at.node].first()) {
            let first = first.clone();
            self.take(&mut at, &first)?;
            walk.push(first);
        }
        // Back to the first node, then the whole walk again and again until the state is the first one too.
        for edge in self.way(at.node, start.node) {
            self.take(&mut at, &edge)?;
            walk.push(edge);
        }
        let goal = self.values(start.node, &start.perm);
        while self.values(at.node, &at.perm) != goal {
            for edge in walk.clone() {
                self.take(&mut at, &edge)?;
            }
        }
        Ok(())
    }

    fn way(&self, from: NodeId, to: NodeId) -> Vec<ProductEdge> {
        let mut parents: Parents<NodeId> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                break;
            }
            for edge in &self.component.edges[&node] {
                parents.entry(edge.target).or_insert_with(|| {
                    queue.push_back(edge.target);
                    Some((node, edge.clone()))
                });
            }
        }
        unwind(&parents, to)
    }

    /// A shortest walk to the very state where the loop began, over concrete states; at least one step in all.
    fn concrete_way(
        &mut self,
        start: &Position,
        at: &Position,
    ) -> Result<Option<Vec<ProductEdge>>, ProductFault> {
        let goal = (start.node, self.values(start.node, &start.perm));
        let first = (at.node, self.values(at.node, &at.perm));
        if first == goal && !self.steps.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut seen: BTreeSet<(NodeId, Vec<i32>)> = BTreeSet::from([first]);
        let mut visited: Vec<(Position, Option<(usize, ProductEdge)>)> = alloc::vec![(at.clone(), None)];
        let mut next = 0;
        let effort = HOME_EFFORT.min(HOME_VALUES / self.product.program().layout.slots.max(1) as usize);
        while next < visited.len() && visited.len() <= effort {
            let here = visited[next].0.clone();
            for edge in self.component.edges[&here.node].clone() {
                for turn in self.turns(here.node, &edge)? {
                    let there = Position { node: edge.target, perm: here.perm.compose(&turn.perm) };
                    let values = self.values(there.node, &there.perm);
                    let key = (there.node, values);
                    let done = key == goal;
                    if done || seen.insert(key) {
                        visited.push((there, Some((next, turn))));
                    }
                    if done {
                        return Ok(Some(backwards(&visited)));
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// An edge together with some of those it stands for: with it turned by the generators of what fixes its node.
    fn turns(&mut self, node: NodeId, edge: &ProductEdge) -> Result<Vec<ProductEdge>, ProductFault> {
        let mut turned = alloc::vec![edge.clone()];
        if edge.step.is_some() {
            let stabiliser = self.product.stabiliser(node)?;
            turned.extend(stabiliser.generators().take(MAX_TURNS).map(|g| edge.turned(&g)));
        }
        Ok(turned)
    }
}

/// The arguments of an action where a permutation has moved the processes.
pub(crate) fn turned_arguments(
    program: &Program,
    perm: &Perm,
    action: ActionId,
    arguments: &[i64],
) -> Vec<i64> {
    let params = program.actions[action].params.iter();
    let turned = params.zip(arguments).map(|(param, &value)| match param.domain {
        Domain::Family(family) => program.locate(perm.apply(program.process(family, value as u32))).1 as i64,
        Domain::Range(..) => value,
    });
    turned.collect()
}

/// So many turned edges are tried beside each edge.
const MAX_TURNS: usize = 64;

fn backwards(visited: &[(Position, Option<(usize, ProductEdge)>)]) -> Vec<ProductEdge> {
    let mut edges = Vec::new();
    let mut at = visited.len() - 1;
    while let Some((before, edge)) = &visited[at].1 {
        edges.push(edge.clone());
        at = *before;
    }
    edges.reverse();
    edges
}

fn unwind<K: Ord + Copy>(parents: &Parents<K>, end: K) -> Vec<ProductEdge> {
    let mut edges = Vec::new();
    let mut at = end;
    while let Some(Some((before, edge))) = parents.get(&at) {
        edges.push(edge.clone());
        at = *before;
    }
    edges.reverse();
    edges
}
