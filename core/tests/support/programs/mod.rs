//! Random programs as text: small, well typed, and free of errors while executing, since whatever could leave its range
//! is guarded. The text comes from a [`Spec`], which prints itself and can be made smaller part by part.
//!
//! ```ignore
//! let spec = programs::generate(seed, &Knobs::default());
//! let text = spec.to_string();
//! ```

mod action;
mod branching;
mod declare;
mod dressed;
mod expression;
mod generate;
mod machines;
mod meaning;
mod mixed;
mod reference;
mod spec;
mod statement;
mod temporal;
mod typed;
mod wrong;

pub(crate) use branching::{add_branching, add_inevitable, add_mu};
pub(crate) use dressed::dressed;
pub(crate) use generate::generate;
pub(crate) use machines::{machines, roles};
pub(crate) use meaning::{add_faulty, add_meaning};
pub(crate) use mixed::add_mixed;
use spec::{Action, Definition, Domain, ENUMS, Family};
pub(crate) use spec::{Spec, Type, Var};
pub(crate) use temporal::{add_inner, add_temporal};
pub(crate) use typed::{typed, typed_asking};
pub(crate) use wrong::{careless, overdue};

/// The settings of the generator; probabilities are percentages.
#[derive(Clone, Debug)]
pub(crate) struct Knobs {
    /// At most this many families, and processes in one of them.
    pub(crate) families: usize,
    pub(crate) processes: i64,
    /// At most this many shared variables, variables of a family, and actions of a family.
    pub(crate) shared: usize,
    pub(crate) locals: usize,
    pub(crate) actions: usize,
    /// A bound on the product of the sizes of all variables, and with it on the states.
    pub(crate) space: u64,
    /// Families that are a single process, or a ring.
    pub(crate) single: u32,
    pub(crate) ring: u32,
    /// Variables with indices, and among them those with two.
    pub(crate) indexed: u32,
    pub(crate) two_indices: u32,
    /// Variables that hold process ids, and among them those that may hold `none`.
    pub(crate) ids: u32,
    pub(crate) optional: u32,
    /// Variables whose initial value is `any`.
    pub(crate) any: u32,
    /// Variables whose initial values depend on the numbers of their processes, as those of a topology do.
    pub(crate) topology: u32,
    /// Uses of a fixed process (`f0[1]`) and of `index(p)`: they cost symmetry.
    pub(crate) fixed: u32,
    pub(crate) index: u32,
    /// Actions with a parameter, and guards with a quantifier.
    pub(crate) parameters: u32,
    pub(crate) quantifiers: u32,
    /// Assignments to other processes' variables.
    pub(crate) remote: u32,
    /// Assignments to many places at once.
    pub(crate) bulk: u32,
    /// Actions that are blocks, and families with code; without blocks there are no procedures and functions either.
    pub(crate) blocks: u32,
    pub(crate) code: u32,
    /// Programs with blocks that make initial states.
    pub(crate) inits: u32,
    /// Families with a fairness of their own.
    pub(crate) fairness: u32,
    /// How many definitions and properties.
    pub(crate) definitions: usize,
    pub(crate) properties: usize,
    /// How many temporal formulas `add_temporal` adds.
    pub(crate) temporal: usize,
    /// Quantifiers and counts that bind two names.
    pub(crate) pairs: u32,
    /// Processes named by what variables hold: `c.v0.v1`, `s0[c].v0`.
    pub(crate) chains: u32,
    /// Families of nobody or of one process.
    pub(crate) tiny: u32,
    /// Other spellings, names that hide others, literals with the names of operators and families, and what would be a
    /// fault if evaluation did not stop before it.
    pub(crate) odd: u32,
    /// Hints for the order of the symbolic search.
    pub(crate) hints: u32,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            families: 3,
            processes: 4,
            shared: 3,
            locals: 2,
            actions: 4,
            space: 5_000,
            single: 20,
            ring: 35,
            indexed: 30,
            two_indices: 40,
            ids: 30,
            optional: 60,
            any: 15,
            topology: 0,
            fixed: 12,
            index: 30,
            parameters: 30,
            quantifiers: 30,
            remote: 30,
            bulk: 12,
            blocks: 0,
            code: 0,
            inits: 0,
            fairness: 50,
            definitions: 2,
            properties: 3,
            temporal: 3,
            pairs: 0,
            chains: 0,
            tiny: 0,
            odd: 0,
            hints: 0,
        }
    }
}

impl Knobs {
    /// Programs whose families are all fully symmetric or rings: no fixed process, no `index`.
    pub(crate) fn symmetric() -> Self {
        Knobs { fixed: 0, index: 0, ..Knobs::default() }
    }

    /// Programs in which every construct of the language may stand anywhere; every other seed gives a symmetric one.
    pub(crate) fn wide(seed: u64) -> Self {
        let kind = if seed.is_multiple_of(2) { Knobs::symmetric() } else { Knobs::default() };
        let kind = match seed % 5 {
            0 => Knobs { ids: 65, indexed: 45, any: 30, chains: 60, ..kind },
            1 => Knobs { topology: 40, ring: 60, ..kind },
            2 => Knobs { any: 45, families: 2, ..kind },
            3 => Knobs { indexed: 65, two_indices: 60, ids: 40, families: 3, ..kind },
            _ => kind,
        };
        let (chains, tiny) = (kind.chains.max(30), if seed.is_multiple_of(3) { 40 } else { 12 });
        let statements = if seed % 4 == 1 { (50, 35, 50) } else { (0, 0, 0) };
        let (blocks, code, inits) = statements;
        Knobs {
            blocks,
            code,
            inits,
            space: 150,
            pairs: 35,
            chains,
            tiny,
            odd: 20,
            hints: 40,
            properties: 0,
            ..kind
        }
    }

    /// Programs with many processes and states, whose tables grow and whose groups are too large to be listed.
    pub(crate) fn large(seed: u64) -> Self {
        let few =
            Knobs { families: 2, processes: 9, shared: 2, locals: 2, space: 40_000, ..Knobs::wide(seed) };
        // Families of thousands of orbits are those without tables between them.
        Knobs { indexed: 12, ids: if seed.is_multiple_of(2) { 15 } else { 40 }, optional: 50, ..few }
    }

    /// Small programs for formulas of branching time, most of them symmetric; one in `every` has a space of `large`.
    pub(crate) fn branching(seed: u64, every: u64, large: u64) -> Self {
        let knobs = match seed % 8 {
            0 | 4 => Knobs::default(),
            1 => Knobs::wide(seed / 8),
            _ => Knobs::symmetric(),
        };
        Knobs { space: if seed.is_multiple_of(every) { large } else { 40 }, properties: 0, ..knobs }
    }
}
