//! From a fair component to a computation: a concrete run in the program's own process numbers.
//!
//! The walk keeps, with its node u, the permutation g for which g·s is the program's state and g(l⃗) = c⃗. Inside the
//! component each process that is still owed something is followed in the threaded graph, by a shortest walk, to a
//! place where it is disabled or executes; then each mark is fetched; then the loop is closed (see `home`). A step is
//! stored with what it changes, and no state is written out: a step costs the same for three and for a million processes.
//!
//! A run may take long to make: the component may have as many nodes as the search has found. So it is made in small steps, each
//! of which looks at one node or takes one edge, and what only makes it shorter costs no more than the search did. Whoever waits no
//! longer can [hurry](LassoMaker::hurry) it: then no shortest way is looked for any more, and the run gets longer.

use super::component::Component;
use super::ground::Ground;
use super::home::Home;
use super::onthefly::Search;
use super::route::{FairRoute, Leg, NodeRoute};
use super::stem::{Looked, Stem, Trace, Tree, effort, root_at};
use crate::automaton::Marks;
use crate::explore::{Changes, Patch, Scribe, change, states_along};
use crate::group::{Perm, Process};
use crate::product::{FairnessOf, NodeId, ProcessSet, Product, ProductEdge, ProductFault};
use crate::program::{ActionId, Domain, Enumeration, Flat, Program, Slot, Stepper, Symmetry};
use crate::symmetry::moved_state;
use alloc::boxed::Box;
use alloc::vec::{self, Vec};
use core::ops::ControlFlow;
use core::task::Poll;

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
    /// The slots that it changes.
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

/// A run through a fair component.
pub fn lasso_of(
    product: &mut Product<'_>,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    lasso_on(product, component, fairness)
}

/// A run through a fair component that a search has found, as it is made for whoever does not wait: along the way that the search
/// has gone, and without looking for a short one.
pub fn hurried_lasso_of(search: &mut Search<'_>, component: &Component) -> Result<Lasso, ProductFault> {
    let (seen, fairness) = (search.trace_of(component), search.fairness().clone());
    let mut maker = LassoMaker::new(search.product(), component.clone(), fairness, seen);
    maker.hurry();
    maker.run(search.product_mut())
}

pub(crate) fn lasso_on<'p, G: Ground<'p>>(
    product: &mut G,
    component: &Component,
    fairness: &FairnessOf,
) -> Result<Lasso, ProductFault> {
    LassoMaker::new(product, component.clone(), fairness.clone(), Trace::default()).run(product)
}

/// A run in the making.
#[derive(Clone, Debug)]
pub(crate) struct LassoMaker<'p> {
    component: Component,
    fairness: FairnessOf,
    stage: Stage<'p>,
    /// The way that the search has left behind.
    trace: Trace,
    /// How many nodes the search has found.
    found: u32,
    /// The nodes that are looked at for a shorter stem, and the states for a shorter way home.
    effort: usize,
    hurried: bool,
    /// Whether a shorter run might have been found with more time.
    longer: bool,
    steps: u64,
}

#[derive(Clone, Debug)]
enum Stage<'p> {
    /// The way to the component is looked for.
    Stem(Stem),
    /// The stem is walked, then the loop.
    Walk(Box<Walker<'p>>),
}

impl<'p> LassoMaker<'p> {
    /// Begins a run, with what the search has left behind.
    pub(crate) fn new<G: Ground<'p>>(
        ground: &G,
        component: Component,
        fairness: FairnessOf,
        trace: Trace,
    ) -> Self {
        let expanded = if trace.way.is_empty() { ground.len() } else { trace.count };
        LassoMaker {
            component,
            fairness,
            stage: Stage::Stem(Stem::new(ground, effort(expanded))),
            effort: effort(expanded),
            trace,
            found: ground.len(),
            hurried: false,
            longer: false,
            steps: 0,
        }
    }

    /// How many small steps it has taken.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = match &self.stage {
            Stage::Stem(stem) => stem.parents.len(),
            Stage::Walk(walker) => walker.entries(),
        };
        let trace = self.trace.way.capacity() * size_of::<NodeId>() + self.trace.visited.capacity() * 8;
        (entries * ENTRY_BYTES + trace) as u64 + self.component.bytes()
    }

    /// Whether it was cut short, so that the run may be longer than it has to be.
    pub(crate) fn is_longer(&self) -> bool {
        self.longer
    }

    /// From now on the first way that is found will do.
    pub(crate) fn hurry(&mut self) {
        self.hurried = true;
    }

    fn run<G: Ground<'p>>(mut self, ground: &mut G) -> Result<Lasso, ProductFault> {
        loop {
            if let Some(lasso) = self.step(ground)? {
                return Ok(lasso);
            }
        }
    }

    /// Does a small step; gives the run when it is made.
    pub(crate) fn step<G: Ground<'p>>(&mut self, ground: &mut G) -> Result<Option<Lasso>, ProductFault> {
        self.steps += 1;
        match &mut self.stage {
            Stage::Stem(_) => {
                self.look(ground);
                Ok(None)
            }
            Stage::Walk(walker) => {
                self.longer |= self.hurried && walker.hurry();
                walker.step(ground, &self.component, &self.fairness)
            }
        }
    }

    /// Looks for the stem: a shortest one, or else a shortest one through what the search has expanded. A search goes deep at
    /// once, and within as many steps there may be more states than can ever be looked at.
    fn look<G: Ground<'p>>(&mut self, ground: &mut G) {
        let Stage::Stem(stem) = &mut self.stage else { return };
        if self.hurried
            && let Some(root) = self.trace.way.first().and_then(|&node| root_at(ground, node))
        {
            let tree = Doing::Tree(Tree::new(core::mem::take(&mut self.trace.way)));
            self.stage = Stage::Walk(Box::new(Walker::new(ground, root, tree, self.effort)));
            self.longer = true;
            return;
        }
        if self.hurried && stem.effort != usize::MAX {
            *stem = Stem::new(ground, usize::MAX);
            self.longer = true;
        }
        let (within, found, trace) = (stem.effort == usize::MAX, self.found, &self.trace);
        let known = |node: NodeId| if trace.way.is_empty() { node.0 < found } else { trace.has(node) };
        let (root, way) = match stem.step(ground, &self.component, |node| !within || known(node)) {
            Looked::More => return,
            Looked::Nothing if within => ((self.component.nodes[0], Perm::identity()), Vec::new()),
            Looked::Nothing => {
                *stem = Stem::new(ground, usize::MAX);
                return;
            }
            Looked::Found(root, way) => (root, way),
        };
        let doing = Doing::Stem(way.into_iter());
        self.stage = Stage::Walk(Box::new(Walker::new(ground, root, doing, self.effort)));
    }
}

/// The bytes of an entry in a table of ways, about.
const ENTRY_BYTES: usize = 256;

/// The process and the action of a step, with its arguments.
type Named = (Option<Process>, Option<(ActionId, Vec<i64>)>);

/// Where a walk is: the program's state is `perm`·(the node's state), and differs from the scribe's as the patch says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub node: NodeId,
    pub perm: Perm,
    pub patch: Patch,
}

/// A walk in the program, and what it does next.
#[derive(Clone, Debug)]
pub(super) struct Walker<'p> {
    pub scribe: Scribe<'p>,
    /// The values of the initial state.
    start: Vec<i32>,
    stem: Vec<RunStep>,
    /// The steps of the stem while that is walked, then those of the loop.
    pub steps: Vec<RunStep>,
    pub at: Position,
    /// Where the loop begins.
    pub entry: Position,
    /// The edges of the loop so far.
    pub walk: Vec<ProductEdge>,
    marks: Marks,
    /// Who is owed nothing more: treated fairly in the walk so far, or in need of no fairness.
    settled: ProcessSet,
    /// The same for each action that is to be fair by itself.
    settled_actions: Vec<ProcessSet>,
    doing: Doing,
    /// The concrete states that are looked at for a shorter way home.
    pub home_effort: usize,
}

#[derive(Clone, Debug)]
enum Doing {
    /// The stem is walked.
    Stem(vec::IntoIter<Leg>),
    /// The stem is walked along the way that the search has gone.
    Tree(Tree),
    /// The next duty is to be chosen.
    Choose,
    /// A walk is looked for to where this process is treated fairly, or its choice of the fair action with this number.
    ToProcess(Process, Option<usize>, FairRoute),
    /// A walk is looked for to an edge with a mark that is missing.
    ToMark(NodeRoute),
    /// A walk that was found is walked.
    Along(vec::IntoIter<Leg>),
    /// The loop is closed.
    Home(Home),
}

impl<'p> Walker<'p> {
    /// A walk from an initial node; first it walks the stem.
    fn new<G: Ground<'p>>(ground: &G, root: (NodeId, Perm), doing: Doing, home_effort: usize) -> Self {
        let (node, perm) = root;
        let program = ground.program();
        let start = moved_state(program, &perm, &ground.flat(node));
        let at = Position { node, perm, patch: Patch::new() };
        Walker {
            scribe: Scribe::new(program, start.clone()),
            start,
            stem: Vec::new(),
            steps: Vec::new(),
            entry: at.clone(),
            at,
            walk: Vec::new(),
            marks: Marks::EMPTY,
            settled: ProcessSet::default(),
            settled_actions: Vec::new(),
            doing,
            home_effort,
        }
    }

    fn entries(&self) -> usize {
        let looking = match &self.doing {
            Doing::ToProcess(_, _, route) => route.len(),
            Doing::ToMark(route) => route.len(),
            Doing::Home(home) => home.len(),
            Doing::Stem(rest) | Doing::Along(rest) => rest.len(),
            Doing::Tree(tree) => tree.way.len(),
            Doing::Choose => 0,
        };
        looking + self.stem.len() + self.steps.len() + self.walk.len()
    }

    /// Gives up what only makes the run shorter; says whether something was given up.
    fn hurry(&mut self) -> bool {
        match &mut self.doing {
            Doing::Home(home) => home.hurry(),
            Doing::ToProcess(_, _, route) => route.hurry(),
            _ => false,
        }
    }

    fn step<G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        component: &Component,
        fairness: &FairnessOf,
    ) -> Result<Option<Lasso>, ProductFault> {
        match &mut self.doing {
            Doing::Stem(rest) => match rest.next() {
                Some(leg) => {
                    let edge = leg.edge(ground)?;
                    self.take(ground, &edge)?;
                    self.shorten(ground)?;
                }
                None => self.begin_loop(ground, fairness)?,
            },
            Doing::Tree(tree) => match tree.next(ground)? {
                Some(edge) => {
                    self.take(ground, &edge)?;
                    self.shorten(ground)?;
                }
                None => self.begin_loop(ground, fairness)?,
            },
            Doing::Choose => self.choose(ground, component, fairness),
            Doing::ToProcess(process, action, route) => {
                let (process, action) = (*process, *action);
                match route.step(ground, component)? {
                    Poll::Pending => {}
                    Poll::Ready(Some(route)) => self.doing = Doing::Along(route.into_iter()),
                    Poll::Ready(None) => {
                        // A strongly fair process that is enabled nowhere in the component is owed nothing.
                        match action {
                            Some(number) => self.settled_actions[number].insert(process),
                            None => self.settled.insert(process),
                        }
                        self.doing = Doing::Choose;
                    }
                }
            }
            Doing::ToMark(route) => {
                let (all, seen) = (ground.all_marks(), self.marks);
                let wanted = |marks: Marks| all.iter().any(|m| marks.contains(m) && !seen.contains(m));
                match route.step(component, |_| false, wanted) {
                    Poll::Pending => {}
                    Poll::Ready(Some(route)) => self.doing = Doing::Along(route.into_iter()),
                    Poll::Ready(None) => self.doing = Doing::Home(Home::new(self, component)),
                }
            }
            Doing::Along(rest) => {
                if let Some(leg) = rest.next() {
                    let edge = leg.edge(ground)?;
                    self.marks = self.marks.union(edge.marks);
                    if let Some(process) = edge.process {
                        let process = self.at.perm.apply(process);
                        self.settled.insert(process);
                        for (fair, settled) in fairness.actions.iter().zip(&mut self.settled_actions) {
                            if edge.action == Some(fair.action) {
                                settled.insert(process);
                            }
                        }
                    }
                    self.take(ground, &edge)?;
                    self.settle(ground, fairness)?;
                    self.walk.push(edge);
                } else {
                    let before = self.at.perm.clone();
                    self.shorten(ground)?;
                    if let Some(last) = self.walk.last_mut() {
                        last.perm = last.perm.compose(&before.inverse().compose(&self.at.perm));
                    }
                    self.doing = Doing::Choose;
                }
            }
            Doing::Home(home) => {
                let mut home = core::mem::take(home);
                let closed = home.step(self, ground, component)?;
                self.doing = Doing::Home(home);
                if closed {
                    let (start, stem) = (self.start.clone(), core::mem::take(&mut self.stem));
                    return Ok(Some(Lasso { start, stem, cycle: core::mem::take(&mut self.steps) }));
                }
            }
        }
        Ok(None)
    }

    /// From here on states are told by where they differ from the one in which the loop begins.
    fn begin_loop<G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        fairness: &FairnessOf,
    ) -> Result<(), ProductFault> {
        let patch: Vec<(Slot, i32)> = core::mem::take(&mut self.at.patch).into_iter().collect();
        change(&mut self.scribe.base, &patch);
        self.stem = core::mem::take(&mut self.steps);
        self.entry = self.at.clone();
        self.settled = fairness.none.clone();
        let degree = ground.program().process_count();
        self.settled_actions = fairness.actions.iter().map(|fair| fair.members.complement(degree)).collect();
        self.settle(ground, fairness)?;
        self.doing = Doing::Choose;
        Ok(())
    }

    fn choose<G: Ground<'p>>(&mut self, ground: &G, component: &Component, fairness: &FairnessOf) {
        let degree = ground.program().process_count();
        let owed = |(number, settled): (usize, &ProcessSet)| Some((number, settled.first_missing(degree)?));
        let action = self.settled_actions.iter().enumerate().find_map(owed);
        self.doing = match (self.settled.first_missing(degree), action) {
            (Some(process), _) => {
                let strong = fairness.strong.contains(process);
                Doing::ToProcess(process, None, FairRoute::new(&self.at, process, None, strong))
            }
            (None, Some((number, process))) => {
                let fair = &fairness.actions[number];
                let route = FairRoute::new(&self.at, process, Some(fair.action), fair.strong);
                Doing::ToProcess(process, Some(number), route)
            }
            (None, None) if self.marks != ground.all_marks() => {
                Doing::ToMark(NodeRoute::new(component, self.at.node))
            }
            (None, None) => Doing::Home(Home::new(self, component)),
        };
    }

    /// The step that an edge is at a position.
    fn named<G: Ground<'p>>(
        ground: &mut G,
        at: &Position,
        edge: &ProductEdge,
    ) -> Result<Named, ProductFault> {
        let Some(number) = edge.step else { return Ok((None, None)) };
        let (process, action, arguments) = ground.step(at.node, number)?;
        let perm = at.perm.compose(&edge.turn);
        let arguments = turned_arguments(ground.program(), &perm, action, &arguments);
        Ok((Some(perm.apply(process)), Some((action, arguments))))
    }

    /// Follows an edge from a position as it is.
    pub(super) fn follow<G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        at: &mut Position,
        edge: &ProductEdge,
    ) -> Result<RunStep, ProductFault> {
        let (process, mut action) = Self::named(ground, at, edge)?;
        let next = at.perm.compose(&edge.perm);
        let program = ground.program();
        if let (Some(process), true) = (process, is_claimed(program)) {
            let before = self.scribe.state(&at.patch);
            let after = moved_state(program, &next, &ground.flat(edge.target));
            let wanted = action.as_ref().map(|(action, _)| *action);
            action = step_between(program, process, wanted, &before, &after).or(action);
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
    pub(super) fn take<G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        edge: &ProductEdge,
    ) -> Result<(), ProductFault> {
        let mut at = core::mem::replace(&mut self.at, self.entry.nowhere());
        let step = self.follow(ground, &mut at, edge)?;
        self.at = at;
        self.steps.push(step);
        Ok(())
    }

    /// A permutation that fixes a node may go before the walk's: the one is taken that moves fewest processes, so that
    /// it does not grow with the length of the walk.
    fn shorten<G: Ground<'p>>(&mut self, ground: &mut G) -> Result<(), ProductFault> {
        self.at.perm = ground.stabiliser(self.at.node)?.shortest_of_coset(&self.at.perm);
        Ok(())
    }

    /// Notes the weakly fair processes that are disabled here.
    fn settle<G: Ground<'p>>(&mut self, ground: &mut G, fairness: &FairnessOf) -> Result<(), ProductFault> {
        let degree = ground.program().process_count();
        let disabled = ground.enabled(self.at.node)?.complement(degree).image(&self.at.perm);
        // A strongly fair process has to execute, or be disabled all the time.
        self.settled.union(&disabled.without(&fairness.strong));
        for (fair, settled) in fairness.actions.iter().zip(&mut self.settled_actions) {
            if !fair.strong {
                let able = ground.offering(self.at.node, fair.action)?;
                settled.union(&able.complement(degree).image(&self.at.perm));
            }
        }
        Ok(())
    }
}

impl Position {
    /// A position that takes no room.
    fn nowhere(&self) -> Position {
        Position { node: self.node, perm: Perm::identity(), patch: Patch::new() }
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

/// The action, with its arguments, by which a process leads from one state to another: one that is wanted, if it does.
pub(crate) fn step_between(
    program: &Program,
    process: Process,
    wanted: Option<ActionId>,
    before: &[i32],
    after: &[i32],
) -> Option<(ActionId, Vec<i64>)> {
    let mut found = None;
    // A fault of another step is no matter here: this one was taken.
    let _ = Stepper::default().steps(program, &Flat::new(before), Enumeration::All, &mut |step| {
        if step.process != process || step.apply(before) != after {
            return ControlFlow::Continue(());
        }
        let first = found.is_none();
        if wanted == Some(step.action) || first {
            found = Some((step.action, step.arguments.to_vec()));
        }
        // An action that is to be fair by itself is not taken for another one.
        let enough = wanted.is_none_or(|wanted| wanted == step.action || !program.is_fair_action(wanted));
        if enough && (first || wanted == Some(step.action)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found
}
