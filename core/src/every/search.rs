//! Looks for what would violate a claim in the abstract system, and removes what no fair run of an instance does.

use super::parts::{Edge, Local, StateId, Stuck};
use super::record::{Cause, Event, Record, Recorder};
use super::rules::{Kept, Rule, Rules};
use super::system::Abstraction;
use super::threads::{Bad, threads};
use super::weights::{drift, laws};
use crate::automaton::{Ap, AutomatonState, Marks, Tgba, Valuation, components};
use crate::check::{Progress, Stats, Stepping};
use crate::group::Process;
use crate::ids::Id;
use crate::program::{ActionId, Fault, Scratch};
use crate::property::Atom;
use crate::quotient::{Doer, MANY};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A claim that is to be shown of every instance.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Somebody is enabled in every state.
    NoDeadlock,
    /// A proposition holds in every state.
    Always(Atom),
    /// No fair run is accepted by this automaton over these propositions.
    Never(Rc<Tgba>, Rc<[Atom]>),
}

/// The value that a name of a proposition is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The tracked process with this number.
    Tracked(usize),
    /// A process of a closed family.
    Closed(Process),
}

/// How the search ended.
#[derive(Clone, Debug)]
pub enum Found {
    /// The claim holds of every instance that the system stands for; the proof rests on these rules.
    Proved(Rules),
    /// Something is left that may or may not be a run of an instance.
    Left {
        /// Abstract states in it, in words.
        words: Vec<String>,
        /// How many there are.
        states: usize,
        /// The most processes that one of them stands for at least.
        size: u32,
        /// Why no rule removes it.
        why: Kept,
    },
    /// The system could not be built.
    Stuck(Stuck),
    /// A proposition has an error.
    Fault(Fault),
}

/// A demand of fairness on a process: that it executes, or that it executes an action, again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// Whether it is enough to be able again and again; otherwise it has to be able for ever.
    pub strong: bool,
    /// The action, where that is to be fair by itself.
    pub action: Option<ActionId>,
}

/// All demands of fairness, and on whom.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// The demands of each process of an open family.
    pub counted: Vec<Vec<Demand>>,
    /// The demands of each process that is told apart.
    pub told: Vec<Vec<Demand>>,
}

/// Fairness and acceptance, as the rules ask for them.
#[derive(Debug)]
pub(super) struct Sides {
    /// The demands on each process of an open family.
    pub demands: Vec<Vec<Demand>>,
    told: Vec<Vec<Demand>>,
    all: Marks,
}

impl Sides {
    pub(super) fn accepts(&self, marks: Marks) -> bool {
        self.all.is_subset(marks)
    }
}

/// An edge inside a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The places of its ends among the component's nodes.
    pub from: usize,
    pub to: usize,
    /// Its number among the edges of the abstract state, and in the product.
    edge: usize,
    product: usize,
    pub marks: Marks,
}

/// A strongly connected component of the product.
#[derive(Debug)]
pub(super) struct Component {
    pub nodes: Vec<(StateId, AutomatonState)>,
    /// The numbers of the nodes in the product.
    ids: Vec<u32>,
    pub links: Vec<Link>,
}

impl Component {
    pub(super) fn edge<'s>(&self, system: &'s Abstraction<'_>, link: &Link) -> &'s Edge {
        &system.at(self.nodes[link.from].0).edges[link.edge]
    }
}

/// The product of the system and an automaton.
#[derive(Debug, Default)]
struct Product {
    nodes: Vec<(StateId, AutomatonState)>,
    ids: BTreeMap<(StateId, AutomatonState), u32>,
    /// Source, edge of the abstract state, target, marks.
    edges: Vec<(u32, usize, u32, Marks)>,
    /// For each expanded node the first of its edges.
    first: Vec<usize>,
}

#[derive(Debug)]
enum Phase {
    Explore,
    Product(Product),
    Components(Product, Work),
    Done,
}

#[derive(Debug)]
struct Work {
    open: Vec<Vec<u32>>,
    dead: BTreeSet<usize>,
}

/// The most often that laws make the system anew.
const MOST_REBUILDS: u32 = 3;
/// At most this many of the states, or steps, that are left are told in words.
const MOST_SHOWN: usize = 3;

/// A search in small steps.
#[derive(Debug)]
pub struct Search<'p> {
    system: Abstraction<'p>,
    claim: Claim,
    subjects: Vec<Subject>,
    sides: Sides,
    rule: Rule,
    last: Rule,
    /// The rules that removed something, since the search began with this rule.
    used: Rules,
    rebuilds: u32,
    max_nodes: usize,
    phase: Phase,
    scratch: Scratch,
    /// The states that violate a claim about states.
    wrong: Vec<StateId>,
    found: Option<Found>,
    nodes: u64,
    record: Recorder,
}

impl<'p> Search<'p> {
    /// A search for what would violate a claim.
    pub fn new(
        system: Abstraction<'p>,
        claim: Claim,
        subjects: Vec<Subject>,
        demands: Demands,
        last: Rule,
        max_nodes: usize,
    ) -> Self {
        let sets = match &claim {
            Claim::Never(automaton, _) => automaton.sets(),
            _ => 0,
        };
        Search {
            system,
            claim,
            subjects,
            sides: Sides { demands: demands.counted, told: demands.told, all: Marks::all(sets) },
            rule: Rule::Simulation,
            last,
            used: Rules::default(),
            rebuilds: 0,
            max_nodes,
            phase: Phase::Explore,
            scratch: Scratch::default(),
            wrong: Vec::new(),
            found: None,
            nodes: 0,
            record: Recorder::default(),
        }
    }

    /// The same, and what it does is recorded.
    #[must_use]
    pub fn recorded(mut self) -> Self {
        self.record = Recorder::new();
        self
    }

    /// The record, where one was asked for and it was not too long, and the system.
    pub fn into_record(self) -> (Option<Record>, Abstraction<'p>) {
        let record = self.record.finish(&self.system);
        (record, self.system)
    }

    /// The abstract system.
    pub fn system(&self) -> &Abstraction<'p> {
        &self.system
    }

    /// How it ended.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    fn end(&mut self, found: Found) {
        if matches!(found, Found::Proved(_)) {
            self.record.event(Event::Proved);
        }
        self.found = Some(found);
        self.phase = Phase::Done;
    }

    fn holds(&mut self, atom: &Atom, id: StateId, doer: Option<Doer>) -> Result<bool, Found> {
        let Search { system, subjects, scratch, .. } = self;
        let program = system.crowd().program();
        let value = system.viewed(id, doer, |view, tracked| {
            let bound: Vec<Process> = subjects
                .iter()
                .map(|subject| match *subject {
                    Subject::Tracked(k) => tracked[k],
                    Subject::Closed(process) => process,
                })
                .collect();
            atom.holds(program, view, scratch, &bound)
        });
        match value {
            None => Err(Found::Stuck(Stuck::Crowd(crate::quotient::CrowdFault::Room))),
            Some(value) => value.map_err(Found::Fault),
        }
    }

    fn explore(&mut self) {
        match self.system.step() {
            Err(stuck) => self.end(Found::Stuck(stuck)),
            Ok(true) => {}
            Ok(false) => self.explored(),
        }
    }

    /// All states are there: claims about states are decided, others begin.
    fn explored(&mut self) {
        self.record.built(&self.system);
        let claim = self.claim.clone();
        let all = (0..self.system.len()).map(StateId::from_index);
        match &claim {
            Claim::NoDeadlock => self.wrong = all.filter(|&id| self.system.at(id).dead).collect(),
            Claim::Always(atom) => {
                self.wrong.clear();
                for id in all {
                    match self.holds(atom, id, None) {
                        Ok(true) => {}
                        Ok(false) => self.wrong.push(id),
                        Err(found) => return self.end(found),
                    }
                }
            }
            Claim::Never(automaton, _) => {
                let mut product = Product::default();
                for &root in self.system.roots() {
                    for &state in automaton.initial() {
                        product.enter((root, state));
                    }
                }
                self.phase = Phase::Product(product);
                return;
            }
        }
        if self.wrong.is_empty() {
            return self.end(Found::Proved(self.used));
        }
        let wrong = self.wrong.clone();
        self.record.event(Event::Wrong { states: wrong.iter().map(|id| id.0).collect() });
        self.more_laws(&wrong, Kept::Reached);
    }

    /// Builds the system anew with laws, if some are found; otherwise these states are left.
    fn more_laws(&mut self, left: &[StateId], why: Kept) {
        if self.last == Rule::Laws && self.rebuilds < MOST_REBUILDS {
            self.rebuilds += 1;
            let laws = laws(&self.system);
            if !laws.is_empty() {
                let weights = laws.iter().map(|law| law.weights.iter().map(|&(l, w)| (l.0, w)).collect());
                self.record.event(Event::Anew { laws: weights.collect() });
                (self.rule, self.used) = (Rule::Simulation, Rules::default().with(Rule::Laws));
                match self.system.restart(laws) {
                    Ok(()) => self.phase = Phase::Explore,
                    Err(stuck) => self.end(Found::Stuck(stuck)),
                }
                return;
            }
        }
        let size = left.iter().map(|&id| self.system.size_of(id)).max().unwrap_or(0);
        let found = Found::Left {
            words: left.iter().take(MOST_SHOWN).map(|&id| self.system.show(id)).collect(),
            states: left.len(),
            size,
            why,
        };
        self.end(found);
    }

    /// Expands the next node of the product.
    fn multiply(&mut self, mut product: Product) {
        let Claim::Never(automaton, atoms) = self.claim.clone() else { return };
        let next = product.first.len();
        if next == product.nodes.len() {
            self.nodes = product.nodes.len() as u64;
            let links = product.edges.iter().map(|&(from, edge, to, marks)| (from, to, edge as u32, marks));
            let nodes = product.nodes.iter().map(|&(state, at)| (state.0, at.0));
            self.record.product(nodes, links, automaton.sets());
            self.record.event(Event::Begin(self.rule));
            let all = (0..product.nodes.len() as u32).collect();
            self.phase = Phase::Components(product, Work { open: alloc::vec![all], dead: BTreeSet::new() });
            return;
        }
        product.first.push(product.edges.len());
        let (state, at) = product.nodes[next];
        let mut letter = Valuation::new();
        for (number, atom) in atoms.iter().enumerate().filter(|(_, atom)| !atom.on_edges) {
            match self.holds(atom, state, None) {
                Ok(value) => letter.set(Ap(number as u32), value),
                Err(found) => return self.end(found),
            }
        }
        for number in 0..self.system.at(state).edges.len() {
            let (target, doer) = {
                let edge = &self.system.at(state).edges[number];
                (edge.target, edge.doer)
            };
            let mut letter = letter.clone();
            for (ap, atom) in atoms.iter().enumerate().filter(|(_, atom)| atom.on_edges) {
                match self.holds(atom, state, doer) {
                    Ok(value) => letter.set(Ap(ap as u32), value),
                    Err(found) => return self.end(found),
                }
            }
            for transition in automaton.transitions(at).iter().filter(|t| t.label.eval(&letter)) {
                let to = product.enter((target, transition.target));
                product.edges.push((next as u32, number, to, transition.marks));
            }
        }
        if product.nodes.len() > self.max_nodes {
            return self.end(Found::Stuck(Stuck::Nodes));
        }
        self.phase = Phase::Product(product);
    }

    /// Looks at the components of the next set of nodes.
    fn components(&mut self, product: Product, mut work: Work) {
        let Some(nodes) = work.open.pop() else { return self.end(Found::Proved(self.used)) };
        for component in product.components(&nodes, &work.dead) {
            self.record.component(&component.ids, component.links.iter().map(|link| link.product));
            match self.judge(&component) {
                Judged::Unfair(cause) => self.record.removed(cause, &component.ids, []),
                Judged::Without(ids, cause) => {
                    self.record.removed(cause, &without(&component.ids, &ids), []);
                    work.open.push(ids);
                }
                Judged::Less(bad, cause) => {
                    self.used = self.used.with(cause.rule());
                    let gone: Vec<u32> = bad.nodes.iter().map(|&node| component.ids[node]).collect();
                    let edges = || bad.edges.iter().map(|&number| component.links[number].product);
                    self.record.removed(cause, &gone, edges());
                    work.dead.extend(edges());
                    work.open.push(without(&component.ids, &gone));
                }
                Judged::Left => {
                    self.record.event(Event::Left);
                    return self.next_rule(product, &component);
                }
            }
        }
        self.phase = Phase::Components(product, work);
    }

    /// A component is left: the next rule begins at the whole product again.
    fn next_rule(&mut self, product: Product, component: &Component) {
        let next = match self.rule {
            Rule::Simulation => Rule::Threads,
            Rule::Threads => Rule::Drift,
            Rule::Drift | Rule::Laws => Rule::Laws,
        };
        if next == Rule::Laws || next > self.last {
            let mut states: Vec<StateId> = component.nodes.iter().map(|node| node.0).collect();
            states.dedup();
            let why = self.kept(component);
            return self.more_laws(&states, why);
        }
        self.rule = next;
        self.record.event(Event::Begin(next));
        let all = (0..product.nodes.len() as u32).collect();
        self.phase = Phase::Components(product, Work { open: alloc::vec![all], dead: BTreeSet::new() });
    }

    /// The reason why no rule removes a component.
    fn kept(&self, component: &Component) -> Kept {
        let is_many = |node: usize, local: Local| {
            self.system.counters(component.nodes[node].0).any(|own| own == (local, MANY))
        };
        let mut steps: Vec<String> = Vec::new();
        for link in &component.links {
            let edge = component.edge(&self.system, link);
            let fed = edge.changes().any(|local| is_many(link.from, local) && is_many(link.to, local));
            let words = self.system.mover(edge);
            if fed && steps.len() < MOST_SHOWN && !steps.contains(&words) {
                steps.push(words);
            }
        }
        if steps.is_empty() { Kept::Reached } else { Kept::Fed(steps) }
    }

    fn judge(&self, component: &Component) -> Judged {
        let marks = component.links.iter().fold(Marks::EMPTY, |sum, link| sum.union(link.marks));
        if component.links.is_empty() || !self.sides.accepts(marks) {
            return Judged::Unfair(Cause::Acceptance);
        }
        if let Some(judged) = self.judge_told(component) {
            return judged;
        }
        if self.rule == Rule::Simulation {
            return Judged::Left;
        }
        let bad = threads(&self.system, &self.sides, component);
        if !bad.is_empty() {
            let stranded = bad.stranded.iter().map(|&(node, local)| (component.ids[node], local.0));
            let cause = Cause::Threads { stranded: stranded.collect() };
            return Judged::Less(bad, cause);
        }
        if self.rule >= Rule::Drift
            && let Some((edges, weights)) = drift(&self.system, component)
        {
            let bad = Bad { edges, ..Bad::default() };
            return Judged::Less(bad, Cause::Drift { weights });
        }
        Judged::Left
    }

    /// Whether a process that is told apart is treated unfairly, whoever else is not.
    fn judge_told(&self, component: &Component) -> Option<Judged> {
        let all = (0u32..).zip(&self.sides.told);
        for (told, demand) in all.flat_map(|(told, demands)| demands.iter().map(move |d| (told, d))) {
            let enabled = |node: &(StateId, AutomatonState)| {
                let state = self.system.at(node.0);
                match demand.action {
                    None => state.told.binary_search(&told).is_ok(),
                    Some(action) => state.told_choices.binary_search(&(told, action)).is_ok(),
                }
            };
            let executes = |link: &Link| {
                let edge = component.edge(&self.system, link);
                edge.told == Some(told) && demand.action.is_none_or(|action| edge.action == Some(action))
            };
            if component.links.iter().any(executes) {
                continue;
            }
            let who = || self.system.name_of(told, demand.action);
            if !demand.strong && component.nodes.iter().all(enabled) {
                return Some(Judged::Unfair(Cause::Idle { who: who() }));
            }
            if demand.strong && component.nodes.iter().any(enabled) {
                let calm = component.nodes.iter().zip(&component.ids);
                let calm = calm.filter(|(node, _)| !enabled(node)).map(|(_, &id)| id);
                return Some(Judged::Without(calm.collect(), Cause::Able { who: who() }));
            }
        }
        None
    }
}

/// Some numbers without others that are among them, in the same order.
fn without(all: &[u32], others: &[u32]) -> Vec<u32> {
    let mut others = others.iter().peekable();
    all.iter().copied().filter(|id| others.next_if_eq(&id).is_none()).collect()
}

/// The judgement on a component.
enum Judged {
    /// No fair accepted run stays in it for ever.
    Unfair(Cause),
    /// One can only stay in this part of it.
    Without(Vec<u32>, Cause),
    /// One can only stay in it without these.
    Less(Bad, Cause),
    /// No rule says anything.
    Left,
}

impl Product {
    fn enter(&mut self, node: (StateId, AutomatonState)) -> u32 {
        let fresh = self.nodes.len() as u32;
        let id = *self.ids.entry(node).or_insert(fresh);
        if id == fresh {
            self.nodes.push(node);
        }
        id
    }

    fn edges_of(&self, node: u32) -> core::ops::Range<usize> {
        let end = self.first.get(node as usize + 1).copied().unwrap_or(self.edges.len());
        self.first[node as usize]..end
    }

    /// The strongly connected components of some nodes without dead edges.
    fn components(&self, nodes: &[u32], dead: &BTreeSet<usize>) -> Vec<Component> {
        let mut place: BTreeMap<u32, u32> = BTreeMap::new();
        place.extend(nodes.iter().copied().zip(0u32..));
        let alive = |edge: &usize| !dead.contains(edge);
        let successors = |v: u32| {
            let edges = self.edges_of(nodes[v as usize]).filter(alive);
            let targets: Vec<u32> = edges.filter_map(|e| place.get(&self.edges[e].2).copied()).collect();
            targets.into_iter()
        };
        let found = components(nodes.len(), successors);
        let mut all: Vec<Component> = Vec::with_capacity(found.members.len());
        for members in &found.members {
            let ids: Vec<u32> = members.iter().map(|&v| nodes[v as usize]).collect();
            let own: BTreeMap<u32, usize> = ids.iter().copied().zip(0..).collect();
            let mut links = Vec::new();
            for (from, &id) in ids.iter().enumerate() {
                for product in self.edges_of(id).filter(alive) {
                    let (_, edge, target, marks) = self.edges[product];
                    if let Some(&to) = own.get(&target) {
                        links.push(Link { from, to, edge, product, marks });
                    }
                }
            }
            let nodes = ids.iter().map(|&id| self.nodes[id as usize]).collect();
            if !links.is_empty() {
                all.push(Component { nodes, ids, links });
            }
        }
        all
    }
}

impl Stepping for Search<'_> {
    fn step(&mut self) -> bool {
        match core::mem::replace(&mut self.phase, Phase::Explore) {
            Phase::Explore => self.explore(),
            Phase::Product(product) => self.multiply(product),
            Phase::Components(product, work) => self.components(product, work),
            Phase::Done => self.phase = Phase::Done,
        }
        !matches!(self.phase, Phase::Done)
    }

    fn progress(&self) -> Progress {
        let nodes = match &self.phase {
            Phase::Product(product) | Phase::Components(product, _) => product.nodes.len(),
            _ => self.system.len(),
        };
        Progress { searches: 1, nodes: nodes as u64, edges: self.system.edge_count(), ..Progress::default() }
    }

    fn stats(&self) -> Stats {
        Stats { product_states: Some(self.nodes), ..Stats::default() }
    }
}
