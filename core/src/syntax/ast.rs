//! The tree of a model's text. Expressions live in one table, so that no tree is ever dropped recursively.

pub use super::statement::{Block, InitDecl, RoutineDecl, RoutineParam, Statement, StatementKind};
use crate::define_id;
use crate::ids::IdVec;
use crate::text::Span;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// An expression of the tree.
    ExprId
);

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name; empty where the parser found none.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The items in the order of the text.
    pub items: Vec<Item>,
    /// All expressions.
    pub exprs: IdVec<ExprId, Expr>,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operator and its operands.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// The height of its tree; at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH).
    pub depth: u32,
}

/// The kinds of expression; state expressions and temporal formulas share one grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Int(i64),
    /// `none`, the empty process id.
    None,
    /// `self`
    SelfId,
    /// A variable, literal, parameter, definition, bound name or single process.
    Name(String),
    /// `x[i]`, `link[a, b]`, `client[0]`
    Index(ExprId, Vec<ExprId>),
    /// `c.st`
    Field(ExprId, Ident),
    /// `index(p)`, `next(p)`, or a definition with parameters.
    Call(Ident, Vec<ExprId>),
    /// `message(kind: read, from: self)`: a record with its fields.
    Make(Ident, Vec<(Ident, ExprId)>),
    /// `{}` or `{a, b}`
    Braces(Vec<ExprId>),
    /// `p is client`
    Is(ExprId, Ident),
    /// `not a`
    Not(ExprId),
    /// `-a`
    Neg(ExprId),
    /// `a and b and …`, two or more
    And(Vec<ExprId>),
    /// `a or b or …`, two or more
    Or(Vec<ExprId>),
    /// Every other operator between two expressions.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if a then b else c`
    If(ExprId, ExprId, ExprId),
    /// `forall`, `exists`, `count`, `sum`, `min`, `max`
    Quantified(Quantifier, Vec<Binder>, ExprId),
    /// `X`, `F`, `G`
    Temporal(TemporalOp, ExprId),
    /// `a U b` and its kin
    TemporalBinary(TemporalBinaryOp, ExprId, ExprId),
    /// `AX`, `EF`, …
    Branching(PathQuantifier, TemporalOp, ExprId),
    /// `A[a U b]` and its kin
    BranchingBinary(PathQuantifier, TemporalBinaryOp, ExprId, ExprId),
    /// `mu X. f` or `nu X. f`
    Fixpoint(Fixpoint, Ident, ExprId),
    /// Text that could not be read; a diagnostic has been given.
    Error,
}

/// Which fixed point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fixpoint {
    /// `mu`: the least.
    Least,
    /// `nu`: the greatest.
    Greatest,
}

/// Operators between two expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators")]
pub enum BinaryOp {
    Implies,
    Iff,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    In,
}

impl BinaryOp {
    /// The operator as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            BinaryOp::Implies => "=>",
            BinaryOp::Iff => "<=>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::In => "in",
        }
    }
}

/// Quantifiers over a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the quantifiers")]
pub enum Quantifier {
    Forall,
    Exists,
    Count,
    Sum,
    Min,
    Max,
}

impl Quantifier {
    /// The quantifier as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
            Quantifier::Min => "min",
            Quantifier::Max => "max",
        }
    }

    /// Whether its value is a number; otherwise it is true or false.
    pub const fn is_number(self) -> bool {
        !matches!(self, Quantifier::Forall | Quantifier::Exists)
    }

    /// The quantifier over numbers that is called so. These words are names elsewhere.
    pub(crate) fn of_numbers(word: &str) -> Option<Quantifier> {
        [Quantifier::Sum, Quantifier::Min, Quantifier::Max].into_iter().find(|q| q.text() == word)
    }
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalOp {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

/// Temporal operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalBinaryOp {
    /// `U`
    Until,
    /// `R`
    Release,
    /// `W`
    WeakUntil,
    /// `M`
    StrongRelease,
}

/// Quantifiers over paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathQuantifier {
    /// `A`
    All,
    /// `E`
    Some,
}

/// `name in domain`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    /// The bound name.
    pub name: Ident,
    /// Its domain.
    pub domain: Domain,
}

/// The domain of a bound name or an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// A family of processes.
    Family(Ident),
    /// The numbers from the first to the second, both included.
    Range(ExprId, ExprId),
    /// The processes of several families: `a | b`.
    Union(Vec<Ident>),
    /// The elements of a set or a bag, where that is no plain name.
    Value(ExprId),
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeExpr {
    /// `bool`
    Bool(Span),
    /// `LO..HI`
    Range(ExprId, ExprId),
    /// `{A, B}`
    Enum(Vec<Ident>, Span),
    /// `client`, `client?`, or the name of a declared type
    Named {
        /// The family or the type.
        name: Ident,
        /// Whether `none` is a value.
        optional: bool,
    },
    /// `TYPE?`, where TYPE is no plain name
    Optional(Box<TypeExpr>, Span),
    /// `record { kind: {read, ack}, seen[node]: bool }`
    Record(Vec<FieldDecl>, Span),
    /// `a | b`
    Union(Vec<Ident>, Span),
    /// `set of TYPE`
    Set(Box<TypeExpr>, Span),
    /// `bag[SIZE] of TYPE`
    Bag(ExprId, Box<TypeExpr>, Span),
    /// `queue[SIZE] of TYPE`
    Queue(ExprId, Box<TypeExpr>, Span),
    /// Text that could not be read.
    Error,
}

/// A field of a record; with indices it is a table of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldDecl {
    /// Its name.
    pub name: Ident,
    /// The domains of its indices.
    pub index: Vec<Domain>,
    /// Its type.
    pub ty: TypeExpr,
}

/// One index of a declared variable: a domain, with a name where the initial value uses it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexDecl {
    /// The name, if one is given.
    pub name: Option<Ident>,
    /// The domain.
    pub domain: Domain,
}

/// `shared x[index]: TYPE = VALUE`, or the same with `var`.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// The variable's name.
    pub name: Ident,
    /// Its indices, at most four.
    pub index: Vec<IndexDecl>,
    /// Its type.
    pub ty: TypeExpr,
    /// Its initial value.
    pub init: Init,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Init {
    /// `any`: every value of the type.
    Any(Span),
    /// An expression over parameters and indices.
    Expr(ExprId),
}

/// `action NAME(PARAMS): GUARD -> TARGET := EXPR, …`
#[derive(Clone, Debug)]
pub struct ActionDecl {
    /// The action's name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// Where it may happen.
    pub guard: ExprId,
    /// The assignments; none where it has a block.
    pub assignments: Vec<Assignment>,
    /// The statements that it executes instead, in order.
    pub block: Option<Block>,
    /// The whole action.
    pub span: Span,
}

/// How an effect changes its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// `TARGET := EXPR`
    Assign,
    /// `add EXPR to TARGET`
    Add,
    /// `remove EXPR from TARGET`
    Remove,
    /// `push(TARGET, EXPR)`
    Push,
    /// `pop(TARGET)`; the value is the target again
    Pop,
}

/// `TARGET := EXPR`, or `forall x in D: TARGET := EXPR`, or another change.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The change of the target.
    pub change: Change,
    /// The names of a `forall` in front; empty where there is none.
    pub over: Vec<Binder>,
    /// The variable that is assigned.
    pub target: ExprId,
    /// The new value.
    pub value: ExprId,
}

/// `process NAME[SIZE] ring { … }`
#[derive(Clone, Debug)]
pub struct ProcessDecl {
    /// The family's name.
    pub name: Ident,
    /// Its size; a single process has none.
    pub size: Option<ExprId>,
    /// Where `ring` stands.
    pub ring: Option<Span>,
    /// Whether it is a `scalarset`: values that differ only in being different, without variables and actions.
    pub scalarset: bool,
    /// The local variables.
    pub vars: Vec<VarDecl>,
    /// The actions.
    pub actions: Vec<ActionDecl>,
    /// Its code; then the first of the variables is `at`, the label where a process is.
    pub code: Option<Block>,
}

impl ProcessDecl {
    /// The name of the variable that says where in its code a process is.
    pub const AT: &'static str = "at";
    /// Where a process is that has come to the end of its code.
    pub const DONE: &'static str = "done";
}

/// Which fairness the processes of a family get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the notions")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fairness {
    Weak,
    Strong,
    None,
}

/// The `symmetry` item.
#[derive(Clone, Debug)]
pub enum SymmetryDecl {
    /// Find it.
    Auto,
    /// Use none.
    None,
    /// Use the group generated by these, each a product of cycles of process expressions.
    Generators(Vec<Generator>),
}

/// One generator in cycle notation.
#[derive(Clone, Debug)]
pub struct Generator {
    /// Its cycles.
    pub cycles: Vec<Vec<ExprId>>,
    /// Where it stands.
    pub span: Span,
}

/// A state of a hand-written automaton.
#[derive(Clone, Debug)]
pub struct AutomatonState {
    /// Its name.
    pub name: Ident,
    /// Whether a run may start here.
    pub initial: bool,
    /// Whether it is accepting.
    pub accepting: bool,
    /// Its moves: guard and target.
    pub moves: Vec<(ExprId, Ident)>,
}

/// An item of the file.
#[derive(Clone, Debug)]
pub struct Item {
    /// The kind of item, with its parts.
    pub kind: ItemKind,
    /// The whole item.
    pub span: Span,
}

/// The kinds of item.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `param NAME = INT in LO..HI`
    Param {
        /// The name.
        name: Ident,
        /// The value where none is set.
        value: ExprId,
        /// The allowed values.
        range: Option<(ExprId, ExprId)>,
    },
    /// `type NAME = TYPE`
    Type {
        /// The name.
        name: Ident,
        /// The type behind the name.
        ty: TypeExpr,
    },
    /// A shared variable.
    Shared(VarDecl),
    /// A process family.
    Process(ProcessDecl),
    /// `define NAME(PARAMS) = EXPR`
    Define {
        /// The name.
        name: Ident,
        /// The parameters.
        params: Vec<Ident>,
        /// The expression behind the name.
        body: ExprId,
    },
    /// A procedure or a function.
    Routine(RoutineDecl),
    /// A block that makes initial states.
    Init(InitDecl),
    /// `fairness FAMILY: KIND`, or `fairness FAMILY.ACTION: KIND`
    Fairness {
        /// The family.
        family: Ident,
        /// The action, where it is about one.
        action: Option<Ident>,
        /// The notion.
        fairness: Fairness,
    },
    /// The `symmetry` item.
    Symmetry(SymmetryDecl),
    /// `hint EXPR`
    Hint(ExprId),
    /// A named property in the logic given.
    Property {
        /// Which logic.
        logic: Logic,
        /// The name.
        name: Ident,
        /// The formula.
        formula: ExprId,
    },
    /// `deadlock free`: a property with this name.
    DeadlockFree(Ident),
    /// `assume EXPR`
    Assume(ExprId),
    /// A Büchi automaton that accepts the wrong computations.
    Automaton {
        /// The name.
        name: Ident,
        /// The processes it speaks of.
        params: Vec<Binder>,
        /// The states.
        states: Vec<AutomatonState>,
    },
}

/// The logic of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the logics")]
pub enum Logic {
    Invariant,
    Cover,
    Ltl,
    Ctl,
    Mu,
}

impl ItemKind {
    /// The name that the item declares, if it declares one.
    pub fn name(&self) -> Option<&Ident> {
        match self {
            ItemKind::Param { name, .. }
            | ItemKind::Type { name, .. }
            | ItemKind::Define { name, .. }
            | ItemKind::Property { name, .. }
            | ItemKind::DeadlockFree(name)
            | ItemKind::Automaton { name, .. } => Some(name),
            ItemKind::Shared(decl) => Some(&decl.name),
            ItemKind::Process(decl) => Some(&decl.name),
            ItemKind::Routine(decl) => Some(&decl.name),
            ItemKind::Init(_)
            | ItemKind::Fairness { .. }
            | ItemKind::Symmetry(_)
            | ItemKind::Hint(_)
            | ItemKind::Assume(_) => None,
        }
    }
}
