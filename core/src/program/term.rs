//! Resolved, typed expressions and formulas: names are ids, definitions are expanded.

use super::VarId;
use super::types::{EnumId, FamilyId, Type};
use crate::define_id;
use crate::syntax::ast::{Fixpoint, PathQuantifier, Quantifier, TemporalBinaryOp, TemporalOp};
use crate::text::Span;
use alloc::vec::Vec;

define_id!(
    /// A typed expression.
    TermId
);
define_id!(
    /// A temporal formula.
    FormulaId
);
define_id!(
    /// A bound name: `self`, a parameter, or what a quantifier binds. Within one action or property no two binders
    /// share a register.
    Reg
);

/// A typed expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The operator and its operands.
    pub kind: TermKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands in the text; a use of a definition points into the definition.
    pub span: Span,
    /// The height of its tree.
    pub depth: u32,
    /// The number of nodes of its tree. Terms may share parts, and whoever compiles them writes each part out again.
    pub size: u32,
}

/// The kinds of term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// A fixed value; of a process type it is a fixed process, or `none`.
    Const(i64),
    /// The value of a bound name.
    Bound(Reg),
    /// A shared variable with its indices.
    Shared(VarId, Vec<TermId>),
    /// A variable of a process, with its indices.
    Local(VarId, TermId, Vec<TermId>),
    /// Negation.
    Not(TermId),
    /// Unary minus.
    Neg(TermId),
    /// Conjunction, evaluated from the left while true.
    And(Vec<TermId>),
    /// Disjunction, evaluated from the left while false.
    Or(Vec<TermId>),
    /// A comparison of two values of one type.
    Compare(Comparison, TermId, TermId),
    /// Arithmetic.
    Arithmetic(ArithmeticOp, TermId, TermId),
    /// A choice.
    If(TermId, TermId, TermId),
    /// `forall`, `exists`, `count`, `sum`, `min`, `max` with one bound name.
    Quantified(Quantifier, Reg, Domain, TermId),
    /// The process with a number: `client[e]` where `e` is not fixed.
    ProcessAt(FamilyId, TermId),
    /// `index(p)`
    IndexOf(TermId),
    /// `next(p)` or `prev(p)`
    Neighbour(Direction, TermId),
    /// A literal of one enumeration as the same literal of another; a fault where the other has none.
    Recode(EnumId, EnumId, TermId),
    /// `enabled(p)`
    Enabled(TermId),
    /// `executed(p)`
    Executed(TermId),
    /// A `while` that has not ended after as many rounds as are executed: always a fault.
    Endless,
    /// A fault wherever it is evaluated.
    Fault(Misuse),
}

/// A misuse of values that may be empty, of bags or of queues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misuse {
    /// `none` used as a value.
    Absent,
    /// The first value of an empty queue.
    Empty,
    /// One value too many in a bag or queue.
    Full,
    /// A value taken out of a bag that has none like it.
    Missing,
    /// A value that is none of those that a set or bag can have.
    Outside,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators")]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// The operator, as the language and Promela write it.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }

    /// The comparison that holds where this one does not.
    #[must_use]
    pub fn opposite(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ge => Comparison::Lt,
        }
    }

    /// Whether the comparison holds.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
        }
    }
}

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators")]
pub enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
}

/// A neighbour in a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the functions")]
pub enum Direction {
    Next,
    Prev,
}

/// The domain of a name or an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The processes of a family.
    Family(FamilyId),
    /// The numbers from the first to the second, both included; empty where the first is larger.
    Range(i64, i64),
}

/// A temporal formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// The operator and its operands.
    pub kind: FormulaKind,
    /// Where it stands in the text.
    pub span: Span,
}

/// The kinds of formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormulaKind {
    /// An expression of a state: a largest part without temporal operators.
    Atom(TermId),
    /// Negation.
    Not(FormulaId),
    /// Conjunction.
    And(Vec<FormulaId>),
    /// Disjunction.
    Or(Vec<FormulaId>),
    /// `a => b`
    Implies(FormulaId, FormulaId),
    /// `a <=> b`
    Iff(FormulaId, FormulaId),
    /// `forall` or `exists` over a body with temporal operators; never `count`.
    Quantified(Quantifier, Reg, Domain, FormulaId),
    /// `X`, `F`, `G`
    Temporal(TemporalOp, FormulaId),
    /// `U`, `R`, `W`, `M`
    TemporalBinary(TemporalBinaryOp, FormulaId, FormulaId),
    /// `AX`, `EF`, …; `[]` and `<>` of the mu-calculus are `AX` and `EX`.
    Branching(PathQuantifier, TemporalOp, FormulaId),
    /// `A[f U g]`, …
    BranchingBinary(PathQuantifier, TemporalBinaryOp, FormulaId, FormulaId),
    /// `mu X. f` or `nu X. f`; X stands in f under an even number of negations only.
    Fixpoint(Fixpoint, FixpointVar, FormulaId),
    /// The variable of a fixed point around it.
    Variable(FixpointVar),
}

define_id!(
    /// The variable of a fixed point, in the order of the property's text.
    FixpointVar
);

impl TermKind {
    /// The terms that this one is made of.
    pub fn children(&self) -> Vec<TermId> {
        match self {
            TermKind::Const(_) | TermKind::Bound(_) | TermKind::Endless | TermKind::Fault(_) => Vec::new(),
            TermKind::Shared(_, list) | TermKind::And(list) | TermKind::Or(list) => list.clone(),
            TermKind::Local(_, process, list) => {
                let mut all = Vec::with_capacity(list.len() + 1);
                all.push(*process);
                all.extend_from_slice(list);
                all
            }
            TermKind::Not(a)
            | TermKind::Neg(a)
            | TermKind::Quantified(_, _, _, a)
            | TermKind::ProcessAt(_, a)
            | TermKind::IndexOf(a)
            | TermKind::Neighbour(_, a)
            | TermKind::Recode(_, _, a)
            | TermKind::Enabled(a)
            | TermKind::Executed(a) => alloc::vec![*a],
            TermKind::Compare(_, a, b) | TermKind::Arithmetic(_, a, b) => alloc::vec![*a, *b],
            TermKind::If(a, b, c) => alloc::vec![*a, *b, *c],
        }
    }
}
