//! Whether a formula speaks of all paths, of some, or of both.

use super::atoms::parts;
use crate::program::{FormulaId, FormulaKind, Program};
use crate::syntax::ast::PathQuantifier;

/// Which path quantifiers a formula has, once its negations stand before atoms only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    /// None at all.
    Neither,
    Universal,
    Existential,
    Mixed,
}

impl Polarity {
    fn with(self, other: Polarity) -> Polarity {
        match (self, other) {
            (Polarity::Neither, one) | (one, Polarity::Neither) => one,
            (a, b) if a == b => a,
            _ => Polarity::Mixed,
        }
    }

    pub(super) fn signed(program: &Program, formula: FormulaId, positive: bool) -> Polarity {
        let of = |f: FormulaId, positive: bool| Self::signed(program, f, positive);
        let kind = &program.formulas[formula].kind;
        let inner = parts(kind).into_iter().fold(Polarity::Neither, |all, f| all.with(of(f, positive)));
        match kind {
            FormulaKind::Not(a) => of(*a, !positive),
            FormulaKind::Implies(a, b) => of(*a, !positive).with(of(*b, positive)),
            FormulaKind::Iff(a, b) => {
                let both = |positive| of(*a, positive).with(of(*b, positive));
                both(true).with(both(false))
            }
            FormulaKind::Branching(path, ..) | FormulaKind::BranchingBinary(path, ..) => {
                let all = (*path == PathQuantifier::All) == positive;
                inner.with(if all { Polarity::Universal } else { Polarity::Existential })
            }
            _ => inner,
        }
    }
}
