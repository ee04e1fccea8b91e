//! Statements: what a block executes one after the other, and the code of processes.

use super::ast::{Binder, Change, ExprId, Ident, TypeExpr, VarDecl};
use crate::text::Span;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// `{ … }`: statements that are executed one after the other.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// Its first brace; of a process's code the first statement.
    pub open: Span,
    /// Its last brace; empty where there is none.
    pub close: Span,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The kind of statement, with its parts.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statement. Those from [`StatementKind::Label`] on stand in the code of a process only.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `skip`
    Skip,
    /// `TARGET := EXPR`
    Assign(ExprId, ExprId),
    /// `add EXPR to TARGET`, `remove EXPR from TARGET`: the target, then the value
    Change(Change, ExprId, ExprId),
    /// `if E { … } else if E { … } else { … }`
    If(Vec<(ExprId, Block)>, Option<Block>),
    /// `for x in D { … }`
    For(Vec<Binder>, Block),
    /// `while E { … }`
    While(ExprId, Block),
    /// `switch E { case A, B { … } else { … } }`
    Switch(ExprId, Vec<(Vec<ExprId>, Block)>, Option<Block>),
    /// `let NAME = EXPR`
    Let(Ident, ExprId),
    /// `var NAME: TYPE = EXPR`, a variable of the block
    Var(Box<VarDecl>),
    /// `assert EXPR`
    Assert(ExprId),
    /// `NAME(EXPR, …)`, a procedure
    Call(Ident, Vec<ExprId>),
    /// `return EXPR`, in a function
    Return(ExprId),
    /// `NAME:`
    Label(Ident),
    /// `loop { … }`
    Loop(Block),
    /// `await EXPR`
    Await(ExprId),
    /// `goto NAME`
    Goto(Ident),
    /// `either { … } or { … }`
    Either(Vec<Block>),
    /// `with x in D { … }`
    With(Vec<Binder>, Block),
    /// `stop`
    Stop,
    /// Text that could not be read.
    Error,
}

impl StatementKind {
    /// The blocks inside it.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            StatementKind::If(arms, otherwise) => {
                arms.iter().map(|(_, block)| block).chain(otherwise.as_ref()).collect()
            }
            StatementKind::Switch(_, cases, otherwise) => {
                cases.iter().map(|(_, block)| block).chain(otherwise.as_ref()).collect()
            }
            StatementKind::For(_, block)
            | StatementKind::While(_, block)
            | StatementKind::Loop(block)
            | StatementKind::With(_, block) => alloc::vec![block],
            StatementKind::Either(blocks) => blocks.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// `init { … }`, or `init(x in D): GUARD { … }`: a block that makes initial states.
#[derive(Clone, Debug)]
pub struct InitDecl {
    /// Its parameters: each choice of them makes a state.
    pub params: Vec<Binder>,
    /// Which choices do.
    pub guard: Option<ExprId>,
    /// The statements.
    pub block: Block,
}

/// `procedure NAME(x: T, out y: U) { … }`, or `function NAME(x: T): U { … }`
#[derive(Clone, Debug)]
pub struct RoutineDecl {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<RoutineParam>,
    /// The type of a function's value; a procedure has none.
    pub result: Option<TypeExpr>,
    /// The statements.
    pub body: Block,
}

/// A parameter of a procedure or a function.
#[derive(Clone, Debug)]
pub struct RoutineParam {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
    /// Whether it stands for a variable of the caller.
    pub out: bool,
}
