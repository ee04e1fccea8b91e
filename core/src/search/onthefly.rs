//! The on-the-fly search: Gyuris & Sistla, sections 4.2 to 4.4, for generalised acceptance.
//!
//! Tarjan's depth-first search over the product. A frame keeps, for its node u, a partition of the processes that
//! approximates ∼_u in the common base, where process k of u is π_u(k), and which processes are known to be treated
//! fairly; both are joined when edges are explored. The permutation of a product edge is μ∘π∘ρ, so
//! π_v = π_u∘(μ∘π∘ρ) on a tree edge, and `π_e` = π_u∘(μ∘π∘ρ)∘π_v⁻¹ on any other. Instead of one flag for a final state
//! there is a set of marks, gathered from the edges inside the component. A weakly fair
//! process is treated fairly where it is disabled or executes, a strongly fair one where it executes: both stay true as
//! the component grows, so that the answer may come early. That a strongly fair process is enabled nowhere, or that it
//! is so in a part of the component, is seen only when the component is complete: it is tested then once more.
//!
//! Where the automaton's state lies in a component of the automaton that has not all marks, no loop through the node is accepted.
//! A search that is [thrifty](Search::thrifty) gathers nothing there, and begins anew, in a base of its own, where such a part is
//! left. Where no answer comes soon it begins once more and goes where one is likely: first to where loops are accepted, and there
//! along a fair schedule, on which processes take turns.

use super::component::{Component, FairSearch};
use super::event::{Event, Stop};
use super::stem::Trace;
use crate::automaton::{AutomatonState, Marks};
use crate::error::Limit;
use crate::group::{Partition, Perm, Process};
use crate::ids::{Id, IdVec};
use crate::product::{FairnessOf, Moves, NodeId, ProcessSet, Product, ProductFault};
use crate::strain::{size, took};
use alloc::vec::Vec;
use core::task::Poll;

/// How a search ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No fair computation is accepted.
    Holds,
    /// The computations of this component are fair and accepted.
    Violated(Component),
    /// More nodes than allowed were found, or not all initial states could be taken in.
    Limit(Limit),
    /// The model or the property has an error.
    Fault(ProductFault),
}

impl Outcome {
    fn stop(&self) -> Option<Stop> {
        match self {
            Outcome::Holds | Outcome::Violated(_) => None,
            Outcome::Limit(Limit::Roots) => Some(Stop::RootLimit),
            Outcome::Limit(_) => Some(Stop::NodeLimit),
            Outcome::Fault(_) => Some(Stop::Fault),
        }
    }
}

/// The record that Tarjan's algorithm keeps of a visited node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// How many nodes were visited before it.
    pub dfnum: u32,
    /// The smallest number of a node that it is known to reach on the stack.
    pub lowlink: u32,
    /// Whether its component has not been popped yet.
    pub on_stack: bool,
}

/// A node that the search is in.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The node.
    pub node: NodeId,
    /// Its edges.
    pub edges: Moves,
    /// How many of them have been followed.
    pub next: usize,
    /// Which processes are known to be in one component of the threaded graph, in the common base.
    pub partition: Partition,
    /// The processes known to be treated fairly, in the common base; a class is fair if one of its members is here. A
    /// strongly fair process gets here by executing only.
    pub fair: ProcessSet,
    /// The marks seen on edges inside the component.
    pub marks: Marks,
    /// Whether the component has an inner edge.
    pub inner: bool,
    /// Whether nothing is gathered, since no loop through the node is accepted.
    bare: bool,
    /// The bytes of the edges, and the bytes counted last for everything.
    edge_bytes: u64,
    counted: u64,
}

/// A thrifty search that has visited this many nodes without an answer begins once more, in another order.
const FIRST_ORDER: u32 = 4_096;

/// With a strongly fair process, and along a fair schedule, the stack is searched when this many nodes have been visited, twice as
/// many, and so on.
const FIRST_LOOK: u32 = 16;

/// Along a fair schedule that is done until this many have been visited: where every answer is *no* it shall cost little.
const LAST_LOOK: u32 = 1 << 16;

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search<'p> {
    product: Product<'p>,
    fairness: FairnessOf,
    degree: u32,
    max_nodes: u32,
    /// For each state of the automaton whether nothing is gathered at its nodes.
    bare: IdVec<AutomatonState, bool>,
    /// After this many nodes it begins once more; never where it is not thrifty.
    first_order: u32,
    /// Whether edges are followed in the order of a fair schedule.
    in_turns: bool,
    /// Behind the process that executed on the way to the node that is entered, in the common base.
    last: Process,
    visits: IdVec<NodeId, Option<Visit>>,
    /// From which node each visited one was entered; an initial one from itself.
    parents: IdVec<NodeId, NodeId>,
    /// π_u of the nodes on the stack.
    perms: IdVec<NodeId, Perm>,
    frames: Vec<Frame>,
    stack: Vec<NodeId>,
    counter: u32,
    next_root: usize,
    /// The bytes of frames and of the permutations on the stack, now and at most; and the most frames there were.
    stack_bytes: u64,
    most_bytes: u64,
    most_frames: u32,
    /// The look for a fair and accepted component among nodes that have one, or may have one; and where it was noticed.
    candidate: Option<(NodeId, FairSearch)>,
    /// Whether partitions promise that there is one.
    promised: bool,
    /// The find of that look, until the next step tells it.
    found: Option<(NodeId, Outcome)>,
    outcome: Option<Outcome>,
}

impl<'p> Search<'p> {
    /// Starts a search.
    pub fn new(product: Product<'p>, fairness: FairnessOf, max_nodes: u32) -> Self {
        let degree = product.program().process_count();
        Search {
            bare: alloc::vec![false; product.automaton().state_count()].into(),
            product,
            fairness,
            degree,
            max_nodes,
            first_order: u32::MAX,
            in_turns: false,
            last: Process(0),
            visits: IdVec::new(),
            parents: IdVec::new(),
            perms: IdVec::new(),
            frames: Vec::new(),
            stack: Vec::new(),
            counter: 0,
            next_root: 0,
            stack_bytes: 0,
            most_bytes: 0,
            most_frames: 0,
            candidate: None,
            promised: false,
            found: None,
            outcome: None,
        }
    }

    /// Gathers nothing at nodes through which no accepted loop leads, and begins once more where no answer comes soon, with the
    /// edges first that are likely to lead to one. The verdict is the same, and comes sooner; permutations and partitions tell
    /// nothing at such nodes.
    #[must_use]
    pub fn thrifty(mut self) -> Self {
        // Where permutations move the automaton's states, a loop leads through several of its components.
        if !self.product.moves_automaton() {
            let recurrent = self.product.automaton().recurrent_states();
            self.bare = recurrent.iter().map(|recurrent| !recurrent).collect();
        }
        self.beginning_again_after(size("search: nodes before it begins once more", FIRST_ORDER, 3))
    }

    /// Begins once more, in the other order, when this many nodes have been visited without an answer.
    #[must_use]
    pub fn beginning_again_after(mut self, nodes: u32) -> Self {
        self.first_order = nodes;
        self
    }

    fn is_bare(&self, node: NodeId) -> bool {
        self.bare[self.product.node(node).1]
    }

    /// The nodes on the stack through which an accepted loop may lead.
    fn candidates(&self) -> Vec<NodeId> {
        self.stack.iter().copied().filter(|&node| !self.is_bare(node)).collect()
    }

    /// The product, as far as it has been built.
    pub fn product(&self) -> &Product<'p> {
        &self.product
    }

    /// The product, to ask for more of it.
    pub fn product_mut(&mut self) -> &mut Product<'p> {
        &mut self.product
    }

    /// Which fairness the processes get.
    pub fn fairness(&self) -> &FairnessOf {
        &self.fairness
    }

    /// The nodes that the search is in, the first one first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The nodes on the stack of components.
    pub fn stack(&self) -> &[NodeId] {
        &self.stack
    }

    /// π_u of a node on the stack.
    pub fn perm(&self, node: NodeId) -> &Perm {
        &self.perms[node]
    }

    /// The record of a node, if it has been visited.
    pub fn visit(&self, node: NodeId) -> Option<Visit> {
        self.visits.get(node).copied().flatten()
    }

    /// A way to a component, from which the stem of a run is made.
    pub(crate) fn trace_of(&self, component: &Component) -> Trace {
        let mut visited = alloc::vec![0; self.visits.len().div_ceil(64)];
        for (node, visit) in self.visits.iter_enumerated() {
            visited[node.index() / 64] |= u64::from(visit.is_some()) << (node.index() % 64);
        }
        Trace { way: self.way_to(component), visited, count: self.counter }
    }

    /// The nodes by which the search has come to a component, the initial one first. Of the component's nodes the last one was
    /// entered first.
    fn way_to(&self, component: &Component) -> Vec<NodeId> {
        let visited = component.nodes.iter().filter_map(|&node| Some((self.visit(node)?.dfnum, node)));
        let mut way: Vec<NodeId> = visited.min().map(|(_, node)| node).into_iter().collect();
        while let Some(&last) = way.last().filter(|&&node| self.parents[node] != node) {
            way.push(self.parents[last]);
        }
        way.reverse();
        way
    }

    /// How many nodes have been visited.
    pub fn visited(&self) -> u32 {
        self.counter
    }

    /// How many bytes the frames and the permutations of the stack take.
    pub fn stack_bytes(&self) -> u64 {
        self.stack_bytes
    }

    /// The most frames there were at one time, and the most bytes.
    pub fn highest_stack(&self) -> (u32, u64) {
        (self.most_frames, self.most_bytes)
    }

    /// About how many bytes the whole search takes, with its product.
    pub fn bytes(&self) -> u64 {
        let look = self.candidate.as_ref().map_or(0, |(_, look)| look.bytes());
        self.product.bytes() + self.own_bytes() + self.stack_bytes + look
    }

    /// The bytes of the tables of visited nodes.
    pub fn own_bytes(&self) -> u64 {
        (self.visits.len() * (size_of::<Option<Visit>>() + size_of::<NodeId>() + size_of::<Perm>())) as u64
    }

    /// How the search ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Searches to the end.
    pub fn run(&mut self) -> &Outcome {
        while self.step().is_some() {}
        self.outcome.as_ref().expect("a search without a next step has an outcome")
    }

    /// Does the next step.
    pub fn step(&mut self) -> Option<Event> {
        while self.ponder() {}
        self.act()
    }

    /// Looks at one node of those among which a fair component was noticed; says whether there was one to look at. There may be
    /// as many as the search has on its stack: who has to stay responsive calls this before each [step](Self::step).
    pub fn ponder(&mut self) -> bool {
        let Some((node, mut look)) = self.candidate.take() else { return false };
        match look.step(&mut self.product, &self.fairness) {
            Ok(Poll::Pending) => self.candidate = Some((node, look)),
            Ok(Poll::Ready(None)) => {
                assert!(!self.promised, "what the partitions promise, the component has");
            }
            Ok(Poll::Ready(Some(found))) => self.found = Some((node, Outcome::Violated(found))),
            Err(fault) => self.found = Some((node, Outcome::Fault(fault))),
        }
        true
    }

    fn act(&mut self) -> Option<Event> {
        if self.outcome.is_some() {
            return None;
        }
        match self.advance() {
            Ok(event) => Some(event),
            Err(outcome) => {
                let stop = outcome.stop();
                self.outcome = Some(outcome);
                stop.map(Event::Stopped)
            }
        }
    }

    /// A step that fails changes nothing.
    fn advance(&mut self) -> Result<Event, Outcome> {
        match self.found.take() {
            Some((node, outcome @ Outcome::Violated(_))) => {
                self.outcome = Some(outcome);
                return Ok(Event::Yes(node));
            }
            Some((_, outcome)) => return Err(outcome),
            None => {}
        }
        if !self.in_turns && self.counter >= self.first_order {
            took("search: it begins once more");
            self.begin_again();
        }
        match self.frames.last() {
            None => self.next_root(),
            Some(frame) if frame.next < frame.edges.len() => self.follow(),
            Some(_) => Ok(self.leave()),
        }
    }

    /// Forgets the nodes that were visited, and goes along a fair schedule from now on.
    fn begin_again(&mut self) {
        self.in_turns = true;
        self.visits = IdVec::new();
        self.parents = IdVec::new();
        self.perms = IdVec::new();
        self.frames.clear();
        self.stack.clear();
        (self.counter, self.next_root, self.stack_bytes) = (0, 0, 0);
    }

    fn next_root(&mut self) -> Result<Event, Outcome> {
        if !self.product.has_all_roots() {
            return Err(Outcome::Limit(Limit::Roots));
        }
        while let Some((node, perm)) = self.product.roots().get(self.next_root).cloned() {
            self.next_root += 1;
            if self.visit(node).is_none() {
                self.enter(node, &perm)?;
                return Ok(Event::Root(node));
            }
        }
        self.outcome = Some(Outcome::Holds);
        Ok(Event::No)
    }

    /// Commands 1 to 4.
    fn enter(&mut self, node: NodeId, perm: &Perm) -> Result<(), Outcome> {
        if self.counter >= self.max_nodes {
            return Err(Outcome::Limit(Limit::States));
        }
        let mut edges = self.product.moves(node).map_err(Outcome::Fault)?;
        let bare = self.is_bare(node);
        let (perm, partition, fair) = if bare {
            (Perm::identity(), Partition::discrete(self.degree), ProcessSet::default())
        } else {
            let place = self.product.place_with(node, &edges);
            // A permutation that fixes the node may go before π_u: of all these the one is taken that moves fewest
            // processes, so that it does not grow with the depth of the search.
            let perm = place.stabiliser.shortest_of_coset(perm);
            // To be disabled now and then is enough for a weakly fair process.
            let mut wanting = place.enabled.image(&perm);
            wanting.union(&self.fairness.strong);
            let mut fair = wanting.complement(self.degree);
            fair.union(&self.fairness.none);
            let partition = place.orbits.image(&perm);
            (perm, partition, fair)
        };
        if self.in_turns {
            // Whoever comes after the one that executed last is the next.
            let turn = |process: Process| (perm.apply(process).0 + self.degree - self.last.0) % self.degree;
            edges.arrange_by(|target, process| (self.is_bare(target), process.map(turn)));
        }
        let edge_bytes = edges.heap_bytes();
        let from = self.frames.last().map(|frame| frame.node);
        self.frames.push(Frame {
            node,
            edges,
            next: 0,
            partition,
            fair,
            marks: Marks::EMPTY,
            inner: false,
            bare,
            edge_bytes,
            counted: 0,
        });
        while self.visits.len() <= node.index() {
            self.visits.push(None);
            self.parents.push(node);
            self.perms.push(Perm::identity());
        }
        self.parents[node] = from.unwrap_or(node);
        self.visits[node] = Some(Visit { dfnum: self.counter, lowlink: self.counter, on_stack: true });
        self.stack_bytes += perm.heap_bytes() + size_of::<NodeId>() as u64;
        self.perms[node] = perm;
        self.stack.push(node);
        self.counter += 1;
        self.count_frame();
        self.most_frames = self.most_frames.max(self.frames.len() as u32);
        // Frames share their facts only on the way back: the stack may have a fair part long before.
        let first = size("search: the first look at the stack", FIRST_LOOK, 2);
        let looks = self.fairness.has_strong() || self.in_turns && self.counter <= LAST_LOOK;
        if looks && self.counter >= first && self.counter.is_power_of_two() {
            took("search: the stack is looked at");
            self.look(node, self.candidates(), false);
        }
        Ok(())
    }

    /// Commands 5 to 13 for one edge.
    fn follow(&mut self) -> Result<Event, Outcome> {
        let depth = self.frames.len() - 1;
        let frame = &mut self.frames[depth];
        let (from, edge) = (frame.node, frame.next as u32);
        let (target, marks) = frame.edges.target(frame.next);
        let own = &self.perms[from];
        let along = || frame.edges.perm(frame.next).map_or_else(|| own.clone(), |perm| own.compose(perm));
        let event = match self.visits.get(target).copied().flatten() {
            None => {
                let perm = if frame.bare { Perm::identity() } else { along() };
                self.last =
                    frame.edges.process(frame.next).map_or(self.last, |i| Process(own.apply(i).0 + 1));
                self.enter(target, &perm)?;
                Event::Tree { from, edge, to: target }
            }
            Some(visit) if visit.on_stack => {
                // Both are in one component, and so are the automaton's states.
                if !frame.bare {
                    let around = along().compose(&self.perms[target].inverse());
                    let executed = frame.edges.process(frame.next).map(|i| own.apply(i));
                    frame.partition.join_orbits_of(&around);
                    frame.take_edge(executed, marks);
                }
                self.lower(from, visit.dfnum);
                self.accept();
                Event::Back { from, edge, to: target }
            }
            Some(_) => Event::Cross { from, edge, to: target },
        };
        self.frames[depth].next += 1;
        Ok(event)
    }

    /// Counts what the last frame takes, which may be more than before.
    fn count_frame(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            let bytes = frame.bytes();
            self.stack_bytes += bytes - frame.counted.min(bytes);
            self.stack_bytes -= frame.counted.saturating_sub(bytes);
            frame.counted = bytes;
            self.most_bytes = self.most_bytes.max(self.stack_bytes);
        }
    }

    fn lower(&mut self, node: NodeId, lowlink: u32) {
        if let Some(visit) = &mut self.visits[node] {
            visit.lowlink = visit.lowlink.min(lowlink);
        }
    }

    /// Commands 14, 15, 17 and 18 for the last frame, whose edges have all been followed.
    fn leave(&mut self) -> Event {
        let done = self.frames.pop().expect("the last frame is left");
        self.stack_bytes -= done.counted;
        let visit = self.visit(done.node).expect("a node in a frame has been visited");
        if visit.dfnum == visit.lowlink {
            return self.pop_component(done.node);
        }
        let parent = self.frames.last_mut().expect("only a root of a component has no parent");
        if !parent.bare {
            let (_, marks) = parent.edges.target(parent.next - 1);
            let executed = parent.edges.process(parent.next - 1).map(|i| self.perms[parent.node].apply(i));
            parent.partition.join_in(done.partition);
            parent.fair.union(&done.fair);
            parent.marks = parent.marks.union(done.marks);
            parent.take_edge(executed, marks);
        }
        let parent = parent.node;
        self.lower(parent, visit.lowlink);
        self.accept();
        Event::Join { child: done.node, parent }
    }

    fn pop_component(&mut self, root: NodeId) -> Event {
        let start = self.stack.iter().rposition(|&node| node == root).expect("a root is on the stack");
        let members = self.stack.split_off(start);
        for &node in &members {
            if let Some(visit) = &mut self.visits[node] {
                visit.on_stack = false;
            }
            let perm = core::mem::take(&mut self.perms[node]);
            self.stack_bytes -= perm.heap_bytes() + size_of::<NodeId>() as u64;
        }
        let size = members.len() as u32;
        if self.fairness.has_strong() && !self.is_bare(root) {
            self.look(root, members, false);
        }
        Event::Component { root, size }
    }

    /// Command 16 for the last frame: is everything gathered that a fair, accepted computation needs?
    fn accept(&mut self) {
        self.count_frame();
        let frame = self.frames.last().expect("an edge of the last frame has been followed");
        let accepted =
            frame.inner && frame.marks == self.product.automaton().all_marks() && frame.all_fair(self.degree);
        if accepted {
            // The facts of the frame may rest on ways that lead below its node: the component is looked for on the
            // whole stack.
            self.look(frame.node, self.candidates(), !self.fairness.has_strong());
        }
    }

    /// Begins a look for a fair and accepted component among these nodes.
    fn look(&mut self, noticed: NodeId, among: Vec<NodeId>, promised: bool) {
        self.candidate = Some((noticed, FairSearch::new(among)));
        self.promised = promised;
    }
}

impl Frame {
    /// Takes an edge inside the component into account.
    fn take_edge(&mut self, executed: Option<Process>, marks: Marks) {
        if let Some(process) = executed {
            self.fair.insert(process);
        }
        self.marks = self.marks.union(marks);
        self.inner = true;
    }

    fn bytes(&self) -> u64 {
        size_of::<Frame>() as u64 + self.edge_bytes + self.partition.heap_bytes() + self.fair.heap_bytes()
    }

    /// Whether every class of the partition is known to be fair.
    pub fn all_fair(&self, degree: u32) -> bool {
        self.fair.first_missing(degree).is_none()
            || self.partition.classes().all(|class| self.fair.meets(&class))
    }
}
