//! The tree of a Murphi text.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// An expression with its place and the height of its tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub depth: u32,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ExprKind {
    Int(i64),
    Name(String),
    Field(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    /// `~a`
    Flip(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// Every other operator between two expressions, as it is written.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall` where true, `exists` otherwise.
    Quantified(bool, Box<Quantifier>, Box<Expr>),
    IsUndefined(Box<Expr>),
    IsMember(Box<Expr>, Box<Type>),
    /// `MultiSetCount(i: set, condition)`
    Count(Name, Box<Expr>, Box<Expr>),
    /// Text that could not be read.
    Error,
}

/// `i: T` or `i := a to b by c`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Quantifier {
    pub name: Name,
    pub domain: Domain,
}

/// The values of a bound name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Domain {
    Type(Type),
    Steps(Expr, Expr, Option<Expr>),
}

/// A type as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeKind {
    Named(String),
    Range(Box<Expr>, Box<Expr>),
    Enum(Vec<Name>),
    Array(Box<Type>, Box<Type>),
    Record(Vec<Field>),
    Scalarset(Box<Expr>),
    Union(Vec<Type>),
    Multiset(Box<Expr>, Box<Type>),
    Error,
}

/// Fields of one type, or variables, or parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub names: Vec<Name>,
    pub ty: Type,
}

/// A statement with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StmtKind {
    Assign(Expr, Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    For(Quantifier, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(Vec<(Name, Expr)>, Vec<Stmt>),
    Call(Name, Vec<Expr>),
    Clear(Expr),
    Undefine(Expr),
    /// `error`
    Error(String),
    Assert(Expr, Option<String>),
    /// `assume` or `cover` among statements.
    Other(&'static str, Expr),
    Put,
    Return(Option<Expr>),
    Add(Expr, Expr),
    Remove(Expr, Expr),
    RemoveWhere(Name, Expr, Expr),
}

/// Constants, types and variables of a text, a rule or a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decl {
    Const(Name, Expr),
    Type(Name, Type),
    Var(Field),
}

/// A rule, or what may stand in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    pub kind: RuleKind,
    pub span: Span,
}

/// The kinds of rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RuleKind {
    Rule {
        name: Option<String>,
        guard: Option<Expr>,
        body: Body,
    },
    Start {
        name: Option<String>,
        body: Body,
    },
    /// `invariant`, `cover`, `liveness` or `assume`.
    Property {
        word: &'static str,
        name: Option<String>,
        condition: Expr,
    },
    Ruleset(Vec<Quantifier>, Vec<Rule>),
    Alias(Vec<(Name, Expr)>, Vec<Rule>),
    Choose(Name, Expr, Vec<Rule>),
}

/// Declarations and statements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Body {
    pub decls: Vec<Decl>,
    pub stmts: Vec<Stmt>,
}

/// A procedure, or a function where it has a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Routine {
    pub name: Name,
    /// Parameters; those that are `var` are marked.
    pub params: Vec<(Field, bool)>,
    pub result: Option<Type>,
    pub body: Body,
}

/// A whole text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Model {
    pub decls: Vec<Decl>,
    pub routines: Vec<Routine>,
    pub rules: Vec<Rule>,
}
