//! The log of a search: everything that the search's state is made of, step by step, without the program.
//!
//! A [`Step`] is an [`Event`] and what it changed; payloads are ids into the log's tables, in which equal permutations,
//! partitions and sets are one. A [`Recorder`] writes a log while a search runs; a [`Snapshot`] is the search's state after
//! some step, rebuilt from the log alone, and a [`Player`] goes to any step, back or forth.

mod player;
mod recorder;
mod snapshot;
mod tables;

use crate::error::{Classified, ErrorKind};
pub use player::Player;
pub use recorder::{RecordLimits, Recorder};
pub use snapshot::{End, FrameShot, Snapshot, Visited};
pub use tables::{
    ComponentId, Effect, Entry, Fact, FactId, FairId, Fairness, Ghost, Learnt, LearntId, LoggedEdge,
    LoggedStep, PartitionId, PermId, PointsId, Step, Why,
};

use crate::automaton::Marks;
use crate::group::{Partition, Perm, PointSet, Process};
use crate::ids::{Id, IdVec};
use crate::product::{NodeId, ProcessSet};
use crate::search::Event;
use alloc::vec::Vec;

/// The steps of a search, and what they speak of.
///
/// ```
/// use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product};
/// use orbitscope_core::search::{Event, Search, log::{Player, RecordLimits, Recorder}};
/// use orbitscope_core::{ltl, program, property::obligations, quotient::Prune, symmetry, syntax::parse};
/// let text = "process p[3] { var x: bool = false action go: not x -> x := true }
///             ltl never: forall c in p: G not c.x";
/// let program = program::build(&parse(text).file, &program::Settings::default()).unwrap();
/// let property = program.property("never").unwrap();
/// let all = obligations(&program, property, &symmetry::detect(&program), &ltl::Limits::default()).unwrap();
/// let product = Product::new(&program, &all[0], Prune::Full, Deadlock::Stutter);
/// let fairness = FairnessOf::new(&program, FairnessChoice::Model);
/// let mut search = Search::new(product, fairness, 1_000);
///
/// let mut recorder = Recorder::new(&search, RecordLimits::default());
/// while recorder.step(&mut search).is_some() {}
/// let log = recorder.finish();
/// assert!(matches!(log.steps().last().unwrap().event, Event::Yes(_)));
///
/// let mut player = Player::new();
/// let last = player.seek(&log, log.len()).unwrap().clone();
/// assert_eq!(player.seek(&log, 1).unwrap().frames.len(), 1);
/// assert_eq!(*player.seek(&log, log.len()).unwrap(), last);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "tables::Tables", into = "tables::Tables")
)]
pub struct Log {
    tables: tables::Tables,
}

/// A class of a frame's partition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Its members, in the common base.
    pub members: PointSet,
    /// The fact that makes it fair, if it is known to be.
    pub fair: Option<FactId>,
}

/// A log that is wrong: a step does not follow from the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenLog {
    /// How many steps are sound.
    pub step: u32,
}

impl core::fmt::Display for BrokenLog {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the log is broken after {} steps", self.step)
    }
}

impl core::error::Error for BrokenLog {}

impl Classified for BrokenLog {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Model
    }
}

impl Log {
    /// The number of steps.
    pub fn len(&self) -> u32 {
        self.tables.steps.len() as u32
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.tables.steps.is_empty()
    }

    /// Whether the search went on after the last step that was recorded, or has not ended.
    pub fn is_partial(&self) -> bool {
        self.tables.partial
    }

    /// The number of processes.
    pub fn degree(&self) -> u32 {
        self.tables.degree
    }

    /// All marks of the automaton: what acceptance needs.
    pub fn all_marks(&self) -> Marks {
        self.tables.all_marks
    }

    /// Which fairness the processes get.
    pub fn fairness(&self) -> &Fairness {
        &self.tables.fairness
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.tables.steps
    }

    /// The entries of the visited nodes, by their dfnum.
    pub fn entries(&self) -> &[Entry] {
        &self.tables.entries
    }

    /// The nodes of the fair and accepted component, if one was found.
    pub fn fair_component(&self) -> &[NodeId] {
        &self.tables.fair_component
    }

    /// A permutation.
    pub fn perm(&self, id: PermId) -> &Perm {
        &self.tables.perms[id]
    }

    /// A partition.
    pub fn partition(&self, id: PartitionId) -> &Partition {
        &self.tables.partitions[id]
    }

    /// A set of processes.
    pub fn points(&self, id: PointsId) -> &ProcessSet {
        &self.tables.points[id]
    }

    /// Why some processes are treated fairly.
    pub fn fact(&self, id: FactId) -> &Fact {
        &self.tables.facts[id]
    }

    /// The facts about fairness that a frame knows, in the order of finding.
    pub fn facts(&self, id: FairId) -> &[FactId] {
        &self.tables.fair[id]
    }

    /// The changes of a frame's knowledge in a step.
    pub fn learnt(&self, id: LearntId) -> &Learnt {
        &self.tables.learnt[id]
    }

    /// The search's state after the first `step` steps, replayed from the beginning.
    pub fn at(&self, step: u32) -> Option<Snapshot> {
        let mut snapshot = Snapshot::default();
        for &step in self.tables.steps.get(..step as usize)? {
            snapshot.apply(self, step)?;
        }
        Some(snapshot)
    }

    /// The processes that a frame knows to be treated fairly.
    pub fn fair_points(&self, id: FairId) -> ProcessSet {
        let mut points = ProcessSet::default();
        for &fact in self.facts(id) {
            points.union(self.points(self.fact(fact).points));
        }
        points
    }

    /// The classes of a partition, each with the first fact that makes it fair.
    pub fn classes(&self, partition: PartitionId, fair: FairId) -> impl Iterator<Item = Class> {
        self.partition(partition).classes().map(move |members| {
            let met = |&&fact: &&FactId| self.points(self.fact(fact).points).meets(&members);
            let fair = self.facts(fair).iter().find(met).copied();
            Class { members, fair }
        })
    }

    /// The classes that a step made fair: those that are so after it and have a part that was not before it.
    pub fn became_fair(&self, step: Step) -> Vec<Class> {
        match step.effect {
            Effect::Nothing => Vec::new(),
            Effect::Entered => {
                let (Event::Root(node) | Event::Tree { to: node, .. }) = step.event else {
                    return Vec::new();
                };
                let entry = self.entries().iter().find(|entry| entry.node == node);
                entry.map_or_else(Vec::new, |entry| {
                    self.classes(entry.partition, entry.fair).filter(|c| c.fair.is_some()).collect()
                })
            }
            Effect::Learnt(id) => {
                let Learnt { partition, fair, .. } = self.learnt(id);
                let (old, known) = (self.partition(partition.0), self.fair_points(fair.0));
                let news = |class: &Class| {
                    let parts = class.members.iter().filter(|&p| old.class_of(p) == p);
                    class.fair.is_some() && parts.into_iter().any(|p| !known.meets(&old.members(p)))
                };
                self.classes(partition.1, fair.1).filter(news).collect()
            }
        }
    }

    /// The number of a visited node.
    pub fn dfnum(&self, node: NodeId) -> Option<u32> {
        self.entries().iter().position(|entry| entry.node == node).map(|n| n as u32)
    }

    /// A process in the common base, as its number at a visited node.
    pub fn local(&self, dfnum: u32, process: Process) -> Option<Process> {
        let entry = self.entries().get(dfnum as usize)?;
        Some(self.perm(entry.perm).inverse().apply(process))
    }
}

impl TryFrom<tables::Tables> for Log {
    type Error = BrokenLog;

    /// Takes tables that were read from somewhere, if every id is in its table and the steps follow from each other.
    fn try_from(tables: tables::Tables) -> Result<Self, BrokenLog> {
        let log = Log { tables };
        if !log.tables.is_closed() {
            return Err(BrokenLog { step: 0 });
        }
        let mut snapshot = Snapshot::default();
        for (number, &step) in (0..).zip(&log.tables.steps) {
            snapshot.apply(&log, step).ok_or(BrokenLog { step: number })?;
        }
        Ok(log)
    }
}

impl From<Log> for tables::Tables {
    fn from(log: Log) -> Self {
        log.tables
    }
}

/// The element, if the id is in range and has a place in a table of `K`.
fn within<K: Id, V>(table: &IdVec<K, V>, id: K) -> bool {
    id.index() < table.len()
}
