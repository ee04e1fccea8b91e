//! The report of a check: its verdict, its counts and its evidence.

use super::options::Engine;
use crate::ctl::{Algorithm, Effort, Formula, Tree};
use crate::error::{Classified, ErrorKind, Limit};
use crate::explore::Path;
use crate::group::Process;
use crate::program::{Fault, StepFault};
use crate::search::{Lasso, LassoFault, Ledger};
use crate::symbolic::{Summary, Unsupported};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The answer to one property.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether it holds.
    pub verdict: Verdict,
    /// How it was searched.
    pub engine: Engine,
    /// How many orbits of choices there are, each searched once.
    pub searches: u32,
    /// How many times the bodies of quantifiers inside the property were written out; none were where it is 0.
    pub expanded: usize,
    /// Whether permutations act on the automaton's states, so that the processes of these quantifiers are not tracked.
    pub symmetric: bool,
    /// The choice that the verdict was reached on: the one that is violated or not decided, or the last one.
    pub instance: Option<Instance>,
    /// The counts.
    pub stats: Stats,
    /// The run that shows the violation; it has been replayed.
    pub counterexample: Option<Counterexample>,
    /// A remark on a violation's run: that it is missing, or longer than it has to be.
    pub run_note: Option<RunNote>,
    /// The findings about a `ctl` property.
    pub branching: Option<Box<Branching>>,
    /// The iterations of the symbolic engine.
    pub symbolic: Option<Box<Summary>>,
}

impl Report {
    /// Whether the property is known to be violated.
    pub fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated)
    }
}

/// The findings about a `ctl` property.
#[derive(Clone, Debug)]
pub struct Branching {
    /// How `U` was evaluated.
    pub algorithm: Algorithm,
    /// The parts that the formula was taken into; the whole is the last one.
    pub parts: Vec<PartReport>,
    /// The work of the algorithm.
    pub effort: Effort,
    /// Why the verdict is so; it has been replayed.
    pub tree: Option<Tree>,
    /// The formula as it was taken apart: it has the words for what the tree claims.
    pub formula: Formula,
}

impl Branching {
    /// The name of what evaluated the formula: an algorithm for `U`, or fixed points.
    pub fn method(&self) -> &'static str {
        if self.formula.mu { "fixpoints" } else { self.algorithm.name() }
    }
}

/// A part of a `ctl` property, and the quotient that it was checked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartReport {
    /// The part in words.
    pub words: String,
    /// The processes that differ from all others: names that stand for one, and processes that are named.
    pub told_apart: Vec<String>,
    /// The order of its group, which holds the named processes still. What a name stands for is held still on top of that.
    pub order: String,
    /// The action of the group on each family.
    pub group: Vec<String>,
    /// How many states it was checked on.
    pub states: u64,
    /// The edges between them.
    pub edges: u64,
}

/// Whether a property holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// On every fair computation, or in every state.
    Holds,
    /// Not so; the counterexample shows it.
    Violated,
    /// Not known.
    Unknown(Unknown),
}

/// Why a verdict is not known.
#[derive(Clone, Debug)]
pub enum Unknown {
    /// More is needed than is allowed.
    Limit(Limit),
    /// Nothing was found, but the symmetries were taken unchecked: only a violation would mean something.
    FalsificationOnly,
    /// Nothing speaks against it in the part of the states that was explored, which is not all.
    ExploredOnly,
    /// The representatives alone tell nothing of a formula that has `A` as well as `E`.
    Mixed,
    /// The symbolic engine cannot take in the program or the property.
    Unsupported(Unsupported),
    /// The check was not run to its end.
    Stopped,
    /// The model or the property has an error.
    Fault(Box<FaultReport>),
    /// A run was found that does not replay: an error of this program, not of the model.
    Internal(LassoFault),
}

impl Unknown {
    /// Whose fault it is that the verdict is not known, for programs.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Unknown::Limit(_) => ErrorKind::Limit,
            Unknown::FalsificationOnly | Unknown::ExploredOnly | Unknown::Mixed | Unknown::Unsupported(_) => {
                ErrorKind::Refusal
            }
            Unknown::Stopped => ErrorKind::Stopped,
            Unknown::Fault(_) => ErrorKind::Fault,
            Unknown::Internal(_) => ErrorKind::Internal,
        }
    }

    /// The limit that was reached.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Unknown::Limit(limit) => Some(*limit),
            _ => None,
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limit) = self.limit() {
            return limit.fmt(f);
        }
        match self {
            Unknown::FalsificationOnly => f.write_str(
                "nothing was found, but with unchecked generators only a violation means something",
            ),
            Unknown::ExploredOnly => f.write_str(
                "nothing speaks against it in the explored part, which says nothing of the program",
            ),
            Unknown::Mixed => f.write_str("the representatives alone tell nothing of a formula with A and E"),
            Unknown::Unsupported(unsupported) => unsupported.fmt(f),
            Unknown::Fault(fault) => match &fault.what {
                Faulty::Step(step) => write!(f, "the model has an error: {}", step.fault.kind),
                Faulty::Property(fault) => write!(f, "the property has an error: {}", fault.kind),
            },
            Unknown::Internal(fault) => write!(f, "internal error: its run does not replay: {fault:?}"),
            _ => f.write_str("stopped before the end"),
        }
    }
}

impl core::error::Error for Unknown {}

impl Classified for Unknown {
    fn kind(&self) -> ErrorKind {
        self.kind()
    }
}

/// A remark on the run that shows a violation.
#[derive(Clone, Debug)]
pub enum RunNote {
    /// Its making was cut short: a shorter one may have been found with more time.
    Longer,
    /// It was not made to its end, and why. The violation is certain all the same.
    Missing(Unknown),
}

/// An error of the model or the property, and how to get to it.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// The part of the model that is wrong.
    pub what: Faulty,
    /// A shortest path to the state that has it; none where it was not found.
    pub path: Option<Path>,
}

/// The parts of a model that can have an error.
#[derive(Clone, Debug)]
pub enum Faulty {
    /// A step of the program.
    Step(StepFault),
    /// The property.
    Property(Fault),
}

/// A choice of what the names in front of a property stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// In words, such as `c = client[0]`; empty where there is no such name.
    pub words: String,
    /// The processes that are told from all others, the chosen ones first.
    pub tracked: Vec<Process>,
    /// How many choices it stands for.
    pub alike: u64,
}

/// The run that shows a violation, in the program's own process numbers.
#[derive(Clone, Debug)]
pub enum Counterexample {
    /// A shortest path to a state that violates an invariant, or a finite run that violates a safety property however it goes on.
    Path(Path),
    /// A fair computation, and for each process how the loop treats it fairly.
    Lasso(Lasso, Vec<Ledger>),
}

/// The counts of a check; none where the engine does not count such a thing. Where several orbits of choices were
/// searched, nodes and edges of products are added up, and of the rest it is the largest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// States of the program, where they were explored.
    pub states: Option<u64>,
    /// Steps between them.
    pub edges: Option<u64>,
    /// States of the quotient.
    pub aqs_states: Option<u64>,
    /// Edges of the quotient that are kept.
    pub aqs_edges: Option<u64>,
    /// Edges of the quotient that pruning leaves out.
    pub aqs_edges_pruned: Option<u64>,
    /// States of the quotient with tracked processes.
    pub aqsi_states: Option<u64>,
    /// Nodes of the product that were visited.
    pub product_states: Option<u64>,
    /// Edges of these nodes.
    pub product_edges: Option<u64>,
    /// About how many bytes all of it took.
    pub peak_bytes: u64,
    /// Of these the bytes of the quotient's states, and of its edges where they are stored.
    pub aqs_bytes: Option<u64>,
    /// The bytes of the product's nodes and of what is kept of each, with the tracked processes.
    pub product_bytes: Option<u64>,
    /// The most entries that the stack of the on-the-fly search had, and the most bytes that they took.
    pub stack_entries: Option<u64>,
    /// See `stack_entries`.
    pub stack_bytes: Option<u64>,
    /// How often the on-the-fly search made the edges of a state of the quotient with tracked processes.
    pub edge_expansions: Option<u64>,
    /// The most bytes that stored edges took.
    pub edge_bytes: Option<u64>,
}

impl Stats {
    /// The counts of this and another search together.
    #[must_use]
    pub(super) fn with(self, other: Stats) -> Stats {
        let sum = |a: Option<u64>, b: Option<u64>| a.map(|a| a + b.unwrap_or(0)).or(b);
        Stats {
            states: self.states.max(other.states),
            edges: self.edges.max(other.edges),
            aqs_states: self.aqs_states.max(other.aqs_states),
            aqs_edges: self.aqs_edges.max(other.aqs_edges),
            aqs_edges_pruned: self.aqs_edges_pruned.max(other.aqs_edges_pruned),
            aqsi_states: self.aqsi_states.max(other.aqsi_states),
            product_states: sum(self.product_states, other.product_states),
            product_edges: sum(self.product_edges, other.product_edges),
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            aqs_bytes: self.aqs_bytes.max(other.aqs_bytes),
            product_bytes: self.product_bytes.max(other.product_bytes),
            stack_entries: self.stack_entries.max(other.stack_entries),
            stack_bytes: self.stack_bytes.max(other.stack_bytes),
            edge_expansions: sum(self.edge_expansions, other.edge_expansions),
            edge_bytes: self.edge_bytes.max(other.edge_bytes),
        }
    }
}

/// How far a check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// Which search it is in, counted from 0.
    pub search: u32,
    /// How many there are.
    pub searches: u32,
    /// The nodes or states found so far.
    pub nodes: u64,
    /// Their edges.
    pub edges: u64,
    /// How deep a depth-first search is.
    pub depth: u32,
    /// About how many bytes it takes.
    pub bytes: u64,
    /// Once a violation is in hand: how many small steps the making of its run has taken. Before that it is 0.
    pub making: u64,
}
