//! How to check symbolically, and what cannot be.

use crate::bdd::Collect;
use crate::error::{Classified, ErrorKind};
use core::fmt;

/// The settings of a symbolic check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicOptions {
    /// Follow the model's hints (Hints_Sym, Fig. 3).
    pub hints: bool,
    /// σ_Step goes round at most this many times; none lets it come to its end.
    pub sigma_limit: Option<u32>,
    /// From the frontier a dense subset of at most this many nodes is taken; none takes all of it.
    pub under: Option<u32>,
    /// Which symmetries are used.
    pub generators: Generators,
    /// On what `ctl` properties are checked.
    pub ctl: CtlModel,
    /// How many nodes of decision diagrams there may be.
    pub nodes: u32,
    /// When the nodes that are not needed are freed.
    pub collect: Collect,
}

impl SymbolicOptions {
    /// Whether states are found in the order of their distance from the initial ones: none is left aside, and no symmetry
    /// that may be wrong takes one away.
    pub fn in_order(&self) -> bool {
        !self.hints && self.under.is_none() && self.generators == Generators::Proven
    }
}

impl Default for SymbolicOptions {
    fn default() -> Self {
        SymbolicOptions {
            hints: false,
            sigma_limit: None,
            under: None,
            generators: Generators::default(),
            ctl: CtlModel::default(),
            nodes: 20_000_000,
            collect: Collect::default(),
        }
    }
}

/// Which symmetries are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Generators {
    /// Those that are shown to be symmetries.
    #[default]
    Proven,
    /// Those that the model claims, without a look whether they are: what is found is real, but not to find anything
    /// means nothing.
    Unchecked,
}

/// On what `ctl` properties are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CtlModel {
    /// All reachable states, without symmetry.
    #[default]
    All,
    /// The representatives and the steps between them (Live_Rep): refutes formulas with `A` alone, and confirms those with `E`
    /// alone.
    Restricted,
    /// The representatives, with the relation that ties every state to them (Create_ξ).
    Relation,
}

/// Why a program or a property cannot be checked symbolically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// A state has this many bits.
    Bits(u32),
    /// A variable has this many values.
    Values(u64),
    /// The program has this many steps, counted over processes and arguments.
    Steps(u64),
    /// An expression has too many different values.
    Cases,
    /// The diagrams of the program itself have more nodes than allowed.
    Nodes(u32),
    /// A property asks which process executes.
    Executed,
    /// Generators are to be taken unchecked, and the model claims none.
    NoClaims,
    /// A claimed generator is no permutation.
    NoPermutation,
    /// Steps are computed outside of the program, so that its terms do not say what it does.
    Outside,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = crate::limits::MAX_BDD_VARIABLES / 2;
        match self {
            Unsupported::Outside => f.write_str(
                "the symbolic engine reads a model's text, and this system is written in Rust; use another engine",
            ),
            Unsupported::Bits(bits) => {
                write!(
                    f,
                    "a state has {bits} bits, and the symbolic engine takes at most {most}; use fewer processes or another engine"
                )
            }
            Unsupported::Values(values) => {
                write!(
                    f,
                    "a variable with {values} values is too large for the symbolic engine; make its range smaller or use another engine"
                )
            }
            Unsupported::Steps(steps) => {
                write!(
                    f,
                    "the processes and arguments of the actions make {steps} different steps: too many for the symbolic engine"
                )
            }
            Unsupported::Cases => {
                write!(f, "an expression has too many different values for the symbolic engine")
            }
            Unsupported::Nodes(nodes) => {
                write!(f, "the decision diagrams of the program's steps need more than {nodes} nodes")
            }
            Unsupported::Executed => write!(f, "the symbolic engine does not know `executed`"),
            Unsupported::NoClaims => {
                write!(f, "the model has no `symmetry generators`: there is nothing to take unchecked")
            }
            Unsupported::NoPermutation => {
                write!(f, "a generator names a process twice, or takes processes of one family to another")
            }
        }
    }
}

impl core::error::Error for Unsupported {}

impl Classified for Unsupported {
    fn kind(&self) -> ErrorKind {
        match self {
            Unsupported::Nodes(_) => ErrorKind::Limit,
            _ => ErrorKind::Refusal,
        }
    }
}
