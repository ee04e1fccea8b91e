//! The parts of an abstract system: sizes, edges, facts about a state, laws.

use crate::define_id;
use crate::ids::Id;
use crate::program::ActionId;
use crate::quotient::{CrowdFault, Doer};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

define_id!(
    /// An abstract state; numbers are given in the order of finding.
    StateId
);
define_id!(
    /// A local state of an open family.
    Local
);
define_id!(
    /// An abstract state without its counters: kept values and tracked processes.
    Core
);

/// The sizes of an open family that an abstract system stands for, and how far it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Population {
    /// At least this many processes, counted up to the threshold.
    AtLeast {
        /// The least size.
        least: u32,
        /// The threshold T.
        threshold: u32,
    },
    /// Exactly this many processes: nothing is ever *many*.
    Exactly(u32),
}

impl Population {
    /// The largest number that is told from those above it.
    pub fn threshold(self) -> u32 {
        match self {
            Population::AtLeast { threshold, .. } => threshold,
            Population::Exactly(size) => size,
        }
    }

    pub(super) fn least(self) -> u32 {
        match self {
            Population::AtLeast { least, .. } => least,
            Population::Exactly(size) => size,
        }
    }
}

/// A step between abstract states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: StateId,
    /// The told-apart process that executes, by its number; an untracked one or nobody has none.
    pub told: Option<u32>,
    /// Who executes, for a proposition that asks: none where a state without steps repeats.
    pub doer: Option<Doer>,
    /// The action, where it is to be fair by itself.
    pub action: Option<ActionId>,
    /// The untracked participants: from where to where, and whether it is the one that executes.
    pub moves: Vec<(Local, Local, bool)>,
    /// Where the step takes bystanders that do not stay: from where to where.
    pub carried: Vec<(Local, Local)>,
    /// Where somebody may be standing by.
    pub may: Vec<Local>,
    /// Where somebody certainly is.
    pub must: Vec<Local>,
    /// How many bystanders of each carried local state there are, where that is known.
    pub(super) carried_counts: Vec<Option<u32>>,
}

impl Edge {
    /// Where a bystander is afterwards.
    pub fn stands(&self, local: Local) -> Local {
        self.carried.iter().find(|(from, _)| *from == local).map_or(local, |&(_, to)| to)
    }

    /// The counters that the edge may change.
    pub(super) fn changes(&self) -> impl Iterator<Item = Local> {
        let Effect { known, unknown } = self.effect();
        let moved = unknown.into_iter().flat_map(|(from, to)| [from, to]);
        known.into_iter().map(|(local, _)| local).chain(moved)
    }

    /// How the edge changes the counters.
    pub(super) fn effect(&self) -> Effect {
        let mut known: BTreeMap<Local, i64> = BTreeMap::new();
        let mut unknown = Vec::new();
        let mut shift = |from: Local, to: Local, count: i64| {
            *known.entry(from).or_default() -= count;
            *known.entry(to).or_default() += count;
        };
        for &(from, to, _) in &self.moves {
            shift(from, to, 1);
        }
        for (&(from, to), count) in self.carried.iter().zip(&self.carried_counts) {
            match count {
                Some(count) => shift(from, to, i64::from(*count)),
                None => unknown.push((from, to)),
            }
        }
        Effect { known: known.into_iter().filter(|(_, change)| *change != 0).collect(), unknown }
    }
}

/// How a step changes the counters; hundreds of edges share one effect.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Effect {
    /// The counters that change, each with the number that is added.
    pub known: Vec<(Local, i64)>,
    /// Counters that are emptied into others, nobody knows by how much.
    pub unknown: Vec<(Local, Local)>,
}

impl Effect {
    /// The change of the weighted number of processes; none where that is not known.
    pub(super) fn cost(&self, weights: &[i64]) -> Option<i64> {
        let weight = |local: Local| weights.get(local.index()).copied().unwrap_or(0);
        if self.unknown.iter().any(|&(from, to)| weight(from) != weight(to)) {
            return None;
        }
        Some(self.known.iter().map(|&(local, change)| change * weight(local)).sum())
    }
}

/// The facts about an abstract state once it is expanded.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// Its edges, parallel ones with different labels apart.
    pub edges: Vec<Edge>,
    /// The local states whose processes are enabled, in order.
    pub enabled: Vec<Local>,
    /// The told-apart processes that are enabled, by number, in order.
    pub told: Vec<u32>,
    /// The actions that are to be fair by themselves: the local states whose processes can execute them, in order.
    pub choices: Vec<(Local, ActionId)>,
    /// The same of told-apart processes.
    pub told_choices: Vec<(u32, ActionId)>,
    /// Whether nobody is enabled, and not only because every step leads out of what is assumed.
    pub dead: bool,
}

/// Why the abstract system cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// More states than allowed.
    States,
    /// More nodes of the product with the property's automaton than allowed.
    Nodes,
    /// More initial states than allowed.
    Roots,
    /// The steps of a state cannot be told.
    Crowd(CrowdFault),
}

/// An inequation that every concrete state satisfies: Σ w·κ + o ≥ 0.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub weights: Vec<(Local, i64)>,
    /// For each core its o; a core that was not reached has none.
    pub offsets: BTreeMap<Core, i64>,
}
