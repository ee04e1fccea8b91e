//! The record of a search for every size, as data: a page plays it, and a test does it again.
//!
//! A record says what was looked at and what was removed for which reason. The reasons are told, not proved again; that what is left
//! afterwards gives the same result can be seen from the record alone.

use super::parts::{Local, StateId};
use super::rules::Rule;
use super::system::Abstraction;
use crate::automaton::Marks;
use crate::ids::Id as _;
use crate::program::ActionId;
use crate::quotient::MANY;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// A record of more numbers than this is given up: nobody would look at it.
const MOST_NUMBERS: usize = 2_000_000;

/// Weights of local states, by their numbers.
pub type Weights = Vec<(u32, i64)>;

/// The record of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// The names of the open families.
    pub families: Vec<String>,
    /// The local states: the number of the family, and the values in words.
    pub locals: Vec<(u32, String)>,
    /// The abstract system each time it was built: laws make it anew.
    pub builds: Vec<Build>,
}

/// An abstract system, and what was done with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Build {
    /// The states in the order in which they were found.
    pub states: Vec<Abstract>,
    /// The edges of each state in their order: where to, and who moves.
    pub edges: Vec<Vec<(u32, String)>>,
    /// The nodes of the product: a state, and one of the automaton. Empty for claims about states.
    pub nodes: Vec<(u32, u32)>,
    /// The edges of the product.
    pub links: Vec<Link>,
    /// How many sets of acceptance there are.
    pub sets: u32,
    /// The events in order.
    pub events: Vec<Event>,
}

/// An abstract state.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Abstract {
    /// The values that are told one by one, in words.
    pub values: String,
    /// The tracked processes: the number of the family, and the local state in words.
    pub tracked: Vec<(u32, String)>,
    /// The counters that are not 0: a local state by its number, and how many are in it; none is *many*.
    pub counters: Vec<(u32, Option<u32>)>,
    /// Whether an instance may start in it.
    pub initial: bool,
    /// Whether nobody can move.
    pub dead: bool,
}

/// An edge of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// The node that it leaves.
    pub from: u32,
    /// The node that it leads to.
    pub to: u32,
    /// Its number among the edges of the abstract state.
    pub edge: u32,
    /// The sets of acceptance that it is in, a bit each.
    pub marks: u64,
}

/// Something that the search did. Nodes and edges are those of the product.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// It looks at the whole product with this rule and those before it.
    Begin(Rule),
    /// It looks at a component.
    Component {
        /// Its nodes.
        nodes: Vec<u32>,
        /// Its edges.
        links: Vec<u32>,
    },
    /// Of that component these are gone, with all edges at these nodes.
    Removed {
        /// Why no fair run of any instance stays there for ever.
        cause: Cause,
        /// The nodes.
        nodes: Vec<u32>,
        /// The edges.
        links: Vec<u32>,
    },
    /// No rule so far removes anything of that component.
    Left,
    /// These states violate a claim about states.
    Wrong {
        /// The states.
        states: Vec<u32>,
    },
    /// The system is built anew, without the states that these weights rule out.
    Anew {
        /// For each law its weights.
        laws: Vec<Weights>,
    },
    /// Nothing is left.
    Proved,
}

/// Why no fair run of any instance stays somewhere for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cause {
    /// The property's automaton does not accept what stays there.
    Acceptance,
    /// Somebody who is told apart could move all the time and never does.
    Idle {
        /// Who.
        who: String,
    },
    /// Somebody who is told apart could move again and again, and never does.
    Able {
        /// Who.
        who: String,
    },
    /// A single process would be there without a fair way to go on.
    Threads {
        /// Where: a node, and a local state by its number.
        stranded: Vec<(u32, u32)>,
    },
    /// A weighted number of processes never falls, and grows along these edges.
    Drift {
        /// The weights.
        weights: Weights,
    },
}

impl Cause {
    /// The rule that it belongs to.
    pub fn rule(&self) -> Rule {
        match self {
            Cause::Acceptance | Cause::Idle { .. } | Cause::Able { .. } => Rule::Simulation,
            Cause::Threads { .. } => Rule::Threads,
            Cause::Drift { .. } => Rule::Drift,
        }
    }
}

/// Writes a record, where one is wanted.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    record: Option<Record>,
    numbers: usize,
}

impl Recorder {
    pub(super) fn new() -> Recorder {
        Recorder { record: Some(Record::default()), numbers: 0 }
    }

    fn build(&mut self, numbers: usize) -> Option<&mut Build> {
        self.numbers += numbers;
        if self.numbers > MOST_NUMBERS {
            self.record = None;
        }
        self.record.as_mut()?.builds.last_mut()
    }

    /// The system is complete.
    pub(super) fn built(&mut self, system: &Abstraction<'_>) {
        let Some(record) = &mut self.record else { return };
        record.builds.push(Build::default());
        let Some(build) = self.build(2 * system.len() + system.edge_count() as usize) else { return };
        let roots: BTreeSet<StateId> = system.roots().iter().copied().collect();
        for id in (0..system.len()).map(StateId::from_index) {
            let expanded = system.at(id);
            let counted = |count: u32| (count != MANY).then_some(count);
            build.states.push(Abstract {
                values: system.value_words(id),
                tracked: system.tracked_words(id).into_iter().map(|(f, words)| (f as u32, words)).collect(),
                counters: system.counters(id).map(|(local, count)| (local.0, counted(count))).collect(),
                initial: roots.contains(&id),
                dead: expanded.dead,
            });
            let edges = expanded.edges.iter().map(|edge| (edge.target.0, system.mover(edge)));
            build.edges.push(edges.collect());
        }
    }

    /// The product is complete.
    pub(super) fn product(
        &mut self,
        nodes: impl ExactSizeIterator<Item = (u32, u32)>,
        links: impl ExactSizeIterator<Item = (u32, u32, u32, Marks)>,
        sets: u32,
    ) {
        let Some(build) = self.build(2 * nodes.len() + 4 * links.len()) else { return };
        build.nodes = nodes.collect();
        build.sets = sets;
        let bits = |marks: Marks| (0..sets).filter(|&set| marks.contains(set)).map(|set| 1u64 << set).sum();
        let link = |(from, to, edge, marks)| Link { from, to, edge, marks: bits(marks) };
        build.links = links.map(link).collect();
    }

    pub(super) fn event(&mut self, event: Event) {
        if let Some(build) = self.build(1) {
            build.events.push(event);
        }
    }

    /// A component is looked at.
    pub(super) fn component(&mut self, nodes: &[u32], links: impl ExactSizeIterator<Item = usize>) {
        let Some(build) = self.build(nodes.len() + links.len()) else { return };
        let links = links.map(|link| link as u32).collect();
        build.events.push(Event::Component { nodes: nodes.to_vec(), links });
    }

    /// Something of it is gone.
    pub(super) fn removed(&mut self, cause: Cause, nodes: &[u32], links: impl IntoIterator<Item = usize>) {
        let Some(build) = self.build(nodes.len()) else { return };
        let links = links.into_iter().map(|link| link as u32).collect();
        build.events.push(Event::Removed { cause, nodes: nodes.to_vec(), links });
    }

    pub(super) fn finish(self, system: &Abstraction<'_>) -> Option<Record> {
        let mut record = self.record?;
        let program = system.crowd().program();
        record.families =
            system.crowd().families().map(|family| program.families[family].name.clone()).collect();
        let locals = (0..system.local_count()).map(|local| system.show_local(Local::from_index(local)));
        record.locals = locals.map(|(family, words)| (family as u32, words)).collect();
        Some(record)
    }
}

impl Abstraction<'_> {
    /// The name of a told-apart process, and the action of it that is meant.
    pub(super) fn name_of(&self, told: u32, action: Option<ActionId>) -> String {
        let program = self.crowd().program();
        let process = self.told().nth(told as usize).flatten();
        let who =
            process.map_or_else(|| "the tracked process".into(), |process| program.process_name(process));
        match action {
            None => who,
            Some(action) => alloc::format!("{who} by {}", program.actions[action].name),
        }
    }
}
