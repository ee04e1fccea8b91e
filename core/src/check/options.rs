//! How to check.

use crate::bdd::Budget;
use crate::ctl::Algorithm;
use crate::error::{Classified, ErrorKind};
use crate::explore::Limits;
use crate::ltl;
use crate::product::{Deadlock, FairnessChoice};
use crate::quotient::{EdgeStorage, Prune};
use crate::symbolic::{SymbolicOptions, Unsupported};
use core::fmt;

/// The bytes of a node of a decision diagram, with its share of the tables.
const NODE_BYTES: u64 = 48;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Engine {
    /// On the fly, on the quotient (Gyuris & Sistla, section 4).
    #[default]
    Onthefly,
    /// The older method: the whole product with every position of the tracked processes (section 2.4).
    Threaded,
    /// The plain method, without symmetry.
    Explicit,
    /// With sets of states as decision diagrams (Barner & Grumberg).
    Symbolic,
}

impl Engine {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Onthefly => "onthefly",
            Engine::Threaded => "threaded",
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
        }
    }
}

/// The settings of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How to search.
    pub engine: Engine,
    /// Which fairness every process gets.
    pub fairness: FairnessChoice,
    /// The treatment of a state in which no process is enabled.
    pub deadlock: Deadlock,
    /// Which edges of the quotient are kept; none takes what is best for the engine.
    pub prune: Option<Prune>,
    /// How the on-the-fly search of a computation holds the quotient's edges; other checks need each of them once.
    pub edges: EdgeStorage,
    /// How many states or nodes may be found, and how much memory they may take.
    pub limits: Limits,
    /// How large an automaton may become.
    pub translation: ltl::Limits,
    /// How `U` of `ctl` properties is evaluated.
    pub ctl: Algorithm,
    /// Whether the path quantifiers of `ctl` properties range over the paths that are fair as `fairness` says; if not,
    /// over all.
    pub fair_ctl: bool,
    /// Whether every process of a family that a quantifier inside an `ltl` property ranges over is tracked, even where
    /// the automaton is symmetric; only the on-the-fly search does otherwise.
    pub expand_quantifiers: bool,
    /// The settings of the symbolic engine.
    pub symbolic: SymbolicOptions,
}

/// Why an engine refuses what is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It keeps every edge.
    Prune(Engine),
    /// It has its own way of holding edges.
    Edges(Engine),
    /// It searches for computations and checks no `ctl` or `mu` properties.
    Branching(Engine),
    /// The symbolic engine cannot take in the program or the property.
    Symbolic(Unsupported),
    /// The symbolic engine checks no `mu` properties.
    Mu,
    /// The symbolic engine checks `ctl` about all paths only.
    FairCtl,
    /// The program is written in Rust, so that there is no text to compute with or to write.
    NoText,
}

impl From<Unsupported> for Refusal {
    fn from(unsupported: Unsupported) -> Refusal {
        Refusal::Symbolic(unsupported)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Prune(Engine::Explicit) => {
                write!(f, "the explicit engine uses no quotient: there is nothing to prune")
            }
            Refusal::Prune(Engine::Symbolic) => {
                write!(f, "the symbolic engine computes with sets of states: there are no edges to prune")
            }
            Refusal::Prune(engine) => {
                write!(f, "the {} engine keeps every edge of the quotient: it cannot prune", engine.name())
            }
            Refusal::Edges(engine) => {
                write!(
                    f,
                    "only the on-the-fly engine has a choice how edges are held, not the {} engine",
                    engine.name()
                )
            }
            Refusal::Symbolic(unsupported) => unsupported.fmt(f),
            Refusal::NoText => {
                write!(
                    f,
                    "the system is written in Rust: only its steps can be executed, there is no text to read"
                )
            }
            Refusal::Mu => write!(f, "the symbolic engine checks no mu properties"),
            Refusal::FairCtl => {
                write!(f, "the symbolic engine checks ctl about all paths, not about fair ones")
            }
            Refusal::Branching(engine) => {
                write!(f, "the {} engine checks no ctl and mu properties", engine.name())
            }
        }
    }
}

impl core::error::Error for Refusal {}

impl Classified for Refusal {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refusal
    }
}

impl Options {
    /// Which edges the engine keeps, or why it cannot.
    pub fn pruning(&self) -> Result<Prune, Refusal> {
        match (self.engine, self.prune) {
            (Engine::Onthefly, prune) => Ok(prune.unwrap_or_default()),
            (_, None | Some(Prune::None)) => Ok(Prune::None),
            (engine, Some(_)) => Err(Refusal::Prune(engine)),
        }
    }

    /// How edges of the quotient are held, or why the engine has no choice.
    pub fn edge_storage(&self) -> Result<EdgeStorage, Refusal> {
        match (self.engine, self.edges) {
            (Engine::Onthefly, edges) => Ok(edges),
            (_, EdgeStorage::Stored) => Ok(EdgeStorage::Stored),
            (engine, _) => Err(Refusal::Edges(engine)),
        }
    }

    /// How many nodes of decision diagrams there may be: what is set, and no more than the memory allows.
    pub(super) fn nodes(&self) -> Budget {
        let fit = u32::try_from(self.limits.bytes / NODE_BYTES).unwrap_or(u32::MAX);
        Budget { nodes: self.symbolic.nodes.min(fit), collect: self.symbolic.collect }
    }
}
