//! From a fair component to a computation: a concrete run in the program's own process numbers.
//!
//! The walk keeps, with its node u, the permutation g for which g·s is the program's state and g(l⃗) = c⃗. Inside the
//! component each process that is still owed something is followed in the threaded graph, by a shortest walk, to a
//! place where it is disabled or executes; then each mark is fetched; then the loop is closed (see `home`). A step is
//! stored with what it changes, and no state is written out: a step costs the same for three and for a million processes.

use super::component::Component;
use super::ground::Ground;
use crate::automaton::Marks;
use crate::explore::{Changes, Patch, Scribe, change, states_along};
use crate::group::{Partition, Perm, PointSet, Process};
use crate::product::{FairnessOf, NodeId, Points, Product, ProductEdge, ProductFault};
use crate::program::{ActionId, Domain, Enumeration, Flat, Program, Slot, Stepper, Symmetry};
use crate::symmetry::moved_state;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// A step of a run, with the whole state that it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoStep {
    /// The process that executes; none where a state without steps repeats.
    pub process: Option<Process>,
    /// The action and its arguments.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// The values of the state reached.
    pub values: Vec<i32>,
}

/// A step of a run, with what it changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The process that executes; none where a state without steps repeats.
    pub process: Option<Process>,
    /// The action and its arguments.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// What it changes.
    pub changes: Changes,
}

/// A run: a stem and a loop that repeats for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The values of the initial state.
    pub start: Vec<i32>,
    /// The steps to the loop.
    pub stem: Vec<RunStep>,
    /// The steps of the loop; the last one leads to where it began.
    pub cycle: Vec<RunStep>,
}

impl Lasso {
    /// The values of the state in which the loop begins.
    pub fn entry(&self) -> Vec<i32> {
        let mut row = self.start.clone();
        for step in &self.stem {
            change(&mut row, &step.changes);
        }
        row
    }

    /// The steps of the stem and of the loop, each with the whole state that it leads to.
    pub fn written_out(&self) -> (Vec<LassoStep>, Vec<LassoStep>) {
        let steps = || self.stem.iter().chain(&self.cycle);
        let states = states_along(&self.start, steps().map(|step| &step.changes));
        let mut stem: Vec<LassoStep> = steps()
            .zip(states)
            .map(|(step, values)| LassoStep { process: step.process, action: step.action.clone(), values })
            .collect();
        let cycle = stem.split_off(self.stem.len());
        (stem, cycle)
    }
}

/// The process and the action of a step, with its arguments.
type Named = (Option<Process>, Option<(ActionId, Vec<i64>)>);

/// A tree of shortest walks: for each place the one before and the edge between.
pub(super) type Parents<K> = BTreeMap<K, Option<(K, ProductEdge)>>;

/// A run through a fair component.
pub fn lasso_of(
    product: &mut Product<'_>,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    lasso_on(product, component, fairness)
}

pub(crate) fn lasso_on<'p, G: Ground<'p>>(
    product: &mut G,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    let stem = path_to(product, component);
    let (root, perm) = stem.root;
    let program = product.program();
    let start = moved_state(program, &perm, &product.flat(root));
    let mut walker =
        Walker { product, component, scribe: Scribe::new(program, start.clone()), steps: Vec::new() };
    let mut at = Position { node: root, perm, patch: Patch::new() };
    for edge in &stem.edges {
        walker.take(&mut at, edge)?;
        walker.shorten(&mut at, None)?;
    }
    let stem = core::mem::take(&mut walker.steps);
    // From here on states are told by where they differ from the one in which the loop begins.
    let patch: Vec<(Slot, i32)> = core::mem::take(&mut at.patch).into_iter().collect();
    change(&mut walker.scribe.base, &patch);
    let cycle = walker.cycle(&at, fairness)?;
    Ok(Lasso { start, stem, cycle })
}

struct Stem {
    root: (NodeId, Perm),
    edges: Vec<ProductEdge>,
}

/// So many nodes are expanded to find the shortest stem.
const STEM_EFFORT: usize = 20_000;

/// A path from an initial node to the component: a shortest one where that is found within the effort, otherwise a shortest one
/// through nodes that the search has found, of which there is one always. A search goes deep at once, and within as many
/// steps there may be more states than can ever be looked at.
fn path_to<'p, G: Ground<'p>>(product: &mut G, component: &Component) -> Stem {
    let found = product.len();
    let any = shortest_stem(product, component, STEM_EFFORT, |_| true);
    let stem = any.or_else(|| shortest_stem(product, component, usize::MAX, |node| node.0 < found));
    stem.unwrap_or_else(|| Stem { root: (component.nodes[0], Perm::identity()), edges: Vec::new() })
}

fn shortest_stem<'p, G: Ground<'p>>(
    product: &mut G,
    component: &Component,
    effort: usize,
    passes: impl Fn(NodeId) -> bool,
) -> Option<Stem> {
    let roots = product.roots();
    // The node before, and the number of the edge that leads on.
    let mut parents: BTreeMap<NodeId, Option<(NodeId, usize)>> =
        roots.iter().map(|(node, _)| (*node, None)).collect();
    let mut queue: VecDeque<NodeId> = parents.keys().copied().collect();
    let mut expanded = 0;
    let mut at = loop {
        let node = queue.pop_front()?;
        if component.edges.contains_key(&node) {
            break node;
        }
        expanded += 1;
        if expanded > effort {
            return None;
        }
        // An error of the model where the search has not been is not on the way.
        let Ok(edges) = product.edges(node) else { continue };
        for (number, edge) in edges.iter().enumerate().filter(|(_, edge)| passes(edge.target)) {
            parents.entry(edge.target).or_insert_with(|| {
                queue.push_back(edge.target);
                Some((node, number))
            });
        }
    };
    let mut edges = Vec::new();
    while let Some(&Some((from, number))) = parents.get(&at) {
        edges.push(product.edges(from).ok()?.swap_remove(number));
        at = from;
    }
    edges.reverse();
    Some(Stem { root: roots.into_iter().find(|(node, _)| *node == at)?, edges })
}

/// Where a walk is: the program's state is `perm`·(the node's state), and differs from the scribe's as the patch says.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub node: NodeId,
    pub perm: Perm,
    pub patch: Patch,
}

pub(super) struct Walker<'a, 'p, G> {
    pub product: &'a mut G,
    pub component: &'a Component,
    pub scribe: Scribe<'p>,
    pub steps: Vec<RunStep>,
}

impl<'p, G: Ground<'p>> Walker<'_, 'p, G> {
    /// The step that an edge is at a position.
    fn named(&mut self, at: &Position, edge: &ProductEdge) -> Result<Named, ProductFault> {
        let Some(number) = edge.step else { return Ok((None, None)) };
        let (process, action, arguments) = self.product.step(at.node, number)?;
        let perm = at.perm.compose(&edge.turn);
        let arguments = turned_arguments(self.product.program(), &perm, action, &arguments);
        Ok((Some(perm.apply(process)), Some((action, arguments))))
    }

    /// Follows an edge as it is.
    pub(super) fn follow(&mut self, at: &mut Position, edge: &ProductEdge) -> Result<RunStep, ProductFault> {
        let (process, mut action) = self.named(at, edge)?;
        let next = at.perm.compose(&edge.perm);
        let program = self.product.program();
        if let (Some(process), true) = (process, is_claimed(program)) {
            let before = self.scribe.state(&at.patch);
            let after = moved_state(program, &next, &self.product.flat(edge.target));
            action = step_between(program, process, &before, &after).or(action);
        }
        let changes = match (process, &action) {
            (Some(process), Some((action, arguments))) => {
                self.scribe.step(&mut at.patch, process, *action, arguments)
            }
            _ => Changes::new(),
        };
        at.perm = next;
        at.node = edge.target;
        Ok(RunStep { process, action, changes })
    }

    /// Takes an edge as the next one of the run.
    pub(super) fn take(&mut self, at: &mut Position, edge: &ProductEdge) -> Result<(), ProductFault> {
        let step = self.follow(at, edge)?;
        self.steps.push(step);
        Ok(())
    }

    /// What fixes a node may go before the permutation, and behind that of the edge that led there: the one is taken
    /// that moves fewest processes, so that it does not grow with the length of the walk.
    fn shorten(&mut self, at: &mut Position, last: Option<&mut ProductEdge>) -> Result<(), ProductFault> {
        let short = self.product.stabiliser(at.node)?.shortest_of_coset(&at.perm);
        if let Some(edge) = last {
            edge.perm = edge.perm.compose(&at.perm.inverse().compose(&short));
        }
        at.perm = short;
        Ok(())
    }

    fn cycle(mut self, start: &Position, fairness: &FairnessOf) -> Result<Vec<RunStep>, ProductFault> {
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
                    self.shorten(&mut at, walk.last_mut())?;
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
        // A strongly fair process has to execute, or be disabled all the time.
        settled.union(&disabled.without(&fairness.strong));
        Ok(())
    }

    /// A shortest walk in the threaded graph to where a process executes, or, if it is weakly fair, is disabled. Of
    /// threads that are alike at a node one is followed.
    fn fair_route(
        &mut self,
        at: &Position,
        process: Process,
        fairness: &FairnessOf,
    ) -> Result<Option<Vec<ProductEdge>>, ProductFault> {
        let strong = fairness.strong.contains(process);
        let first = (at.node, at.perm.origin(process));
        let mut seen = BTreeSet::from([(at.node, self.product.orbits(at.node)?.class_of(first.1))]);
        let mut parents: Parents<(NodeId, Process)> = BTreeMap::from([(first, None)]);
        let mut queue = VecDeque::from([first]);
        while let Some((node, thread)) = queue.pop_front() {
            if !strong && !self.product.enabled(node)?.contains(thread) {
                return Ok(Some(unwind(&parents, (node, thread))));
            }
            // An edge stands for those that it is turned to by what fixes the node.
            let stabiliser = self.product.stabiliser(node)?;
            let edges = &self.component.edges[&node];
            let executing = edges.iter().find_map(|edge| {
                let by = stabiliser.transporter(&[edge.process?], &[thread])?;
                Some(edge.turned(&by))
            });
            if let Some(last) = executing {
                let mut route = unwind(&parents, (node, thread));
                route.push(last);
                return Ok(Some(route));
            }
            let orbit = stabiliser.orbit_of(thread);
            for edge in edges {
                let there = self.product.orbits(edge.target)?;
                for other in different(&orbit, &edge.perm, &there) {
                    let next = (edge.target, edge.perm.origin(other));
                    if !seen.insert((edge.target, there.class_of(next.1))) {
                        continue;
                    }
                    if let Some(by) = stabiliser.transporter(&[other], &[thread]) {
                        parents.insert(next, Some(((node, thread), edge.turned(&by))));
                        queue.push_back(next);
                    }
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

/// Whether the model claims its symmetries. They are known to take every step to a step of the same two states, and the image may
/// be a step of another action: then the name that the permutation gives is not to be relied on.
pub(crate) fn is_claimed(program: &Program) -> bool {
    matches!(program.symmetry, Symmetry::Generators(_))
}

/// The action, with its arguments, by which a process leads from one state to another.
pub(crate) fn step_between(
    program: &Program,
    process: Process,
    before: &[i32],
    after: &[i32],
) -> Option<(ActionId, Vec<i64>)> {
    let mut found = None;
    // A fault of another step is no matter here: this one was taken.
    let _ = Stepper::default().steps(program, &Flat::new(before), Enumeration::All, &mut |step| {
        if step.process != process || step.apply(before) != after {
            return ControlFlow::Continue(());
        }
        found = Some((step.action, step.arguments.to_vec()));
        ControlFlow::Break(())
    });
    found
}

/// Points of an orbit that a permutation takes, backwards, into all the classes that it takes points of the orbit into:
/// those that it moves, and of neighbours that it does not move and that are alike there one.
fn different(orbit: &PointSet, perm: &Perm, there: &Partition) -> Vec<Process> {
    let moved = perm.moves().iter().map(|m| m.1);
    let mut found: Vec<Process> = moved.filter(|&p| orbit.contains(p)).take(MAX_TURNS).collect();
    for range in orbit.ranges() {
        let mut at = range.start;
        while at < range.end && found.len() < 2 * MAX_TURNS {
            let end = there.run_around(Process(at)).end.min(range.end);
            found.extend((at..end).map(Process).find(|&p| perm.apply(p) == p));
            at = end;
        }
    }
    found
}

/// So many turned edges are tried beside each edge.
pub(super) const MAX_TURNS: usize = 64;

pub(super) fn unwind<K: Ord + Copy>(parents: &Parents<K>, end: K) -> Vec<ProductEdge> {
    let mut edges = Vec::new();
    let mut at = end;
    while let Some(Some((before, edge))) = parents.get(&at) {
        edges.push(edge.clone());
        at = *before;
    }
    edges.reverse();
    edges
}
