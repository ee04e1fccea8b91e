//! Writing a log while a search runs.

use super::tables::Tables;
use super::{
    Effect, Entry, Fact, FactId, FairId, Fairness, Ghost, Learnt, LearntId, Log, LoggedEdge, LoggedStep,
    PartitionId, PermId, PointsId, Snapshot, Step, Why,
};
use crate::group::{Partition, Perm};
use crate::ids::{Id, IdVec};
use crate::product::{NodeId, ProcessSet, ProductEdge, ProductFault};
use crate::search::{Event, Outcome, Search};
use alloc::vec::Vec;
use core::hash::Hash;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// How much is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordLimits {
    /// The recorder takes in at most this many steps; the search itself goes on.
    pub steps: u32,
    /// The pruned steps of a node are listed if they are no more than this; they are counted always.
    pub ghosts: u64,
}

impl Default for RecordLimits {
    fn default() -> Self {
        RecordLimits { steps: 100_000, ghosts: 64 }
    }
}

/// Steps a search and notes what it does. A search that is stepped without one computes nothing for it.
#[derive(Clone, Debug)]
pub struct Recorder {
    log: Log,
    limits: RecordLimits,
    /// The search's state after the last recorded step, in the ids of the log.
    now: Snapshot,
    known: Known,
}

/// Where equal things are in the tables.
#[derive(Clone, Debug, Default)]
struct Known {
    perms: HashMap<Perm, PermId, FxBuildHasher>,
    partitions: HashMap<Partition, PartitionId, FxBuildHasher>,
    points: HashMap<ProcessSet, PointsId, FxBuildHasher>,
    facts: HashMap<Fact, FactId, FxBuildHasher>,
    fair: HashMap<Vec<FactId>, FairId, FxBuildHasher>,
    learnt: HashMap<Learnt, LearntId, FxBuildHasher>,
}

fn intern<K: Id, V: Clone + Eq + Hash>(
    table: &mut IdVec<K, V>,
    known: &mut HashMap<V, K, FxBuildHasher>,
    value: &V,
) -> K {
    if let Some(&id) = known.get(value) {
        return id;
    }
    let id = table.push(value.clone());
    known.insert(value.clone(), id);
    id
}

impl Recorder {
    /// Records a search that has not begun.
    pub fn new(search: &Search<'_>, limits: RecordLimits) -> Recorder {
        let of = search.fairness();
        let tables = Tables {
            degree: search.product().program().process_count(),
            all_marks: search.product().automaton().all_marks(),
            fairness: Fairness { none: of.none.clone(), strong: of.strong.clone() },
            partial: true,
            ..Tables::default()
        };
        Recorder { log: Log { tables }, limits, now: Snapshot::default(), known: Known::default() }
    }

    /// The log so far.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The log.
    pub fn finish(self) -> Log {
        self.log
    }

    /// Does the search's next step and notes it.
    pub fn step(&mut self, search: &mut Search<'_>) -> Option<Event> {
        let event = search.step()?;
        if self.log.len() < self.limits.steps && self.now.end.is_none() {
            self.note(search, event);
        }
        Some(event)
    }

    fn note(&mut self, search: &mut Search<'_>, event: Event) {
        let effect = match event {
            Event::Root(node) | Event::Tree { to: node, .. } => match self.entry(search, node) {
                Ok(entry) => {
                    self.log.tables.entries.push(entry);
                    Effect::Entered
                }
                // The search has entered the node: all of this has been asked for without a fault.
                Err(_) => return,
            },
            Event::Back { from, edge, to } => {
                let frame = &search.frames()[search.frames().len() - 1];
                let along = search.perm(from).compose(&frame.edges.edge(edge as usize).perm);
                let around = along.compose(&search.perm(to).inverse());
                let around = self.perm(&around);
                let own = self.now.frames[self.now.frames.len() - 1].fair;
                Effect::Learnt(self.learnt(search, Some(around), own, &[]))
            }
            Event::Join { .. } => {
                let [.., parent, child] = &self.now.frames[..] else { return };
                let (own, others) = (parent.fair, self.log.facts(child.fair).to_vec());
                Effect::Learnt(self.learnt(search, None, own, &others))
            }
            Event::Cross { .. } | Event::Component { .. } | Event::Yes(_) | Event::No | Event::Stopped(_) => {
                Effect::Nothing
            }
        };
        if let (Event::Yes(_), Some(Outcome::Violated(component))) = (event, search.outcome()) {
            self.log.tables.fair_component.clone_from(&component.nodes);
        }
        let step = Step { event, effect };
        self.log.tables.steps.push(step);
        let applied = self.now.apply(&self.log, step);
        debug_assert!(applied.is_some(), "a step follows from the ones before");
        self.log.tables.partial = self.now.end.is_none();
    }

    fn entry(&mut self, search: &mut Search<'_>, node: NodeId) -> Result<Entry, ProductFault> {
        let fairness = self.log.fairness().clone();
        let perm = search.perm(node).clone();
        let frame = &search.frames()[search.frames().len() - 1];
        let (edges, partition) = (frame.edges.clone(), self.partition(&frame.partition));
        let enabled = search.product_mut().place(node)?.enabled.clone();
        let mut wanting = enabled.image(&perm);
        wanting.union(&fairness.strong);
        let disabled = wanting.complement(self.log.degree());
        let facts = [(fairness.none, Why::Unasked), (disabled, Why::Disabled(node))];
        let facts: Vec<FactId> = facts.into_iter().map(|(points, why)| self.fact(&points, why)).collect();
        let product = search.product_mut();
        let steps = product.steps(node)?;
        let pruned = steps.iter().map(|step| step.weight - 1).sum();
        let ghosts =
            if pruned > 0 && pruned <= self.limits.ghosts { product.pruned(node)? } else { Vec::new() };
        let (place, automaton) = product.node(node);
        let (state, tracked) = product.aqsi().node(place);
        Ok(Entry {
            node,
            state,
            tracked: tracked.to_vec(),
            automaton,
            perm: self.perm(&perm),
            partition,
            enabled: self.points(&enabled),
            fair: self.fair(None, &facts),
            edges: edges.edges().map(|edge| self.edge(&edge)).collect(),
            steps: steps
                .iter()
                .map(|step| LoggedStep {
                    process: step.process,
                    action: step.action,
                    arguments: step.arguments.clone(),
                    weight: step.weight,
                })
                .collect(),
            pruned,
            ghosts: ghosts
                .into_iter()
                .map(|ghost| Ghost {
                    process: ghost.edge.process,
                    action: ghost.edge.action,
                    arguments: ghost.edge.arguments,
                    parallel_to: ghost.parallel_to as u32,
                    shown_by: ghost.shown_by.map(|rho| self.perm(&rho)),
                })
                .collect(),
        })
    }

    fn edge(&mut self, edge: &ProductEdge) -> LoggedEdge {
        LoggedEdge { step: edge.step, perm: self.perm(&edge.perm), marks: edge.marks, target: edge.target }
    }

    /// The frame on top learns from the edge that it has just followed or come back over, and from the facts of the
    /// node that it came back from.
    fn learnt(
        &mut self,
        search: &Search<'_>,
        around: Option<PermId>,
        own: FairId,
        others: &[FactId],
    ) -> LearntId {
        let frame = &search.frames()[search.frames().len() - 1];
        let depth = search.frames().len() - 1;
        let before = self.now.frames[depth];
        let mut facts = others.to_vec();
        let number = frame.next - 1;
        if let Some(process) = frame.edges.process(number) {
            let executed = search.perm(frame.node).apply(process);
            let points = ProcessSet::range(executed.0..executed.0 + 1);
            facts.push(self.fact(&points, Why::Executed(frame.node, number as u32)));
        }
        let lowlink = search.visit(frame.node).map_or(before.dfnum, |visit| visit.lowlink);
        let learnt = Learnt {
            around,
            partition: (before.partition, self.partition(&frame.partition)),
            fair: (own, self.fair(Some(own), &facts)),
            marks: (before.marks, frame.marks),
            lowlink: (self.now.visited[before.dfnum as usize].lowlink, lowlink),
        };
        intern(&mut self.log.tables.learnt, &mut self.known.learnt, &learnt)
    }

    /// Adds those of some more facts that say something new.
    fn fair(&mut self, known: Option<FairId>, more: &[FactId]) -> FairId {
        let mut facts = known.map_or_else(Vec::new, |known| self.log.facts(known).to_vec());
        let mut points = known.map_or_else(ProcessSet::default, |known| self.log.fair_points(known));
        for &fact in more {
            let mut with = points.clone();
            with.union(self.log.points(self.log.fact(fact).points));
            if with != points {
                points = with;
                facts.push(fact);
            }
        }
        intern(&mut self.log.tables.fair, &mut self.known.fair, &facts)
    }

    fn fact(&mut self, points: &ProcessSet, why: Why) -> FactId {
        let fact = Fact { points: self.points(points), why };
        intern(&mut self.log.tables.facts, &mut self.known.facts, &fact)
    }

    fn perm(&mut self, perm: &Perm) -> PermId {
        intern(&mut self.log.tables.perms, &mut self.known.perms, perm)
    }

    fn partition(&mut self, partition: &Partition) -> PartitionId {
        intern(&mut self.log.tables.partitions, &mut self.known.partitions, partition)
    }

    fn points(&mut self, points: &ProcessSet) -> PointsId {
        intern(&mut self.log.tables.points, &mut self.known.points, points)
    }
}
