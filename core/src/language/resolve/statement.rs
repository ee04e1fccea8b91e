//! Statements and effects.

use super::super::symbol::SymbolKind;
use super::super::ty::Ty;
use super::Resolver;
use crate::syntax::ast::{Assignment, Block, Change, Init, Statement, StatementKind};
use crate::text::Span;
use alloc::vec::Vec;

impl<'t> Resolver<'t> {
    /// The effect of an action.
    pub(super) fn change(&mut self, assignment: &'t Assignment) {
        let target = self.expr(assignment.target, &Ty::Unknown);
        let value = match assignment.change {
            Change::Assign => target,
            Change::Add | Change::Remove | Change::Push => target.present().element(),
            Change::Pop => return,
        };
        self.expr(assignment.value, &value);
    }

    /// A block; `result` is the type of what is returned in it.
    pub(super) fn block(&mut self, block: &'t Block, code: bool, result: &Ty) {
        let last = block.statements.last().map_or(0, |statement| statement.span.end);
        let whole = Span::new(block.open.start, block.close.end.max(last));
        self.names.blocks.push((whole, code));
        let outside = self.bound.clone();
        for statement in &block.statements {
            self.statement(statement, whole.end, code, result);
        }
        // Names that a label inside has ended are known to whoever passes it by.
        let ended = outside.iter().filter(|id| !self.bound.contains(id));
        self.doubtful.extend(ended);
        self.bound = outside;
    }

    /// A statement of a block that ends at `end`.
    fn statement(&mut self, statement: &'t Statement, end: u32, code: bool, result: &Ty) {
        match &statement.kind {
            StatementKind::Skip | StatementKind::Stop | StatementKind::Error => {}
            // It is declared with its process. The step ends here, and with it what `let` has named.
            StatementKind::Label(_) => {
                let symbols = &self.names.symbols;
                self.bound.retain(|&id| symbols[id].kind != SymbolKind::Let);
            }
            StatementKind::Assign(target, value) => {
                let ty = self.expr(*target, &Ty::Unknown);
                self.expr(*value, &ty);
            }
            StatementKind::Change(_, target, value) => {
                let target = self.expr(*target, &Ty::Unknown);
                self.expr(*value, &target.present().element());
            }
            StatementKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    self.expr(*condition, &Ty::Bool);
                    self.block(block, code, result);
                }
                if let Some(block) = otherwise {
                    self.block(block, code, result);
                }
            }
            StatementKind::For(binders, block) | StatementKind::With(binders, block) => {
                let outside = self.bound.len();
                self.binders(binders, statement.span.end);
                self.block(block, code, result);
                self.bound.truncate(outside);
            }
            StatementKind::While(condition, block) => {
                self.expr(*condition, &Ty::Bool);
                self.block(block, code, result);
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let ty = self.expr(*value, &Ty::Unknown);
                for (values, block) in cases {
                    for &case in values {
                        self.expr(case, &ty);
                    }
                    self.block(block, code, result);
                }
                if let Some(block) = otherwise {
                    self.block(block, code, result);
                }
            }
            StatementKind::Let(name, value) => {
                let ty = self.expr(*value, &Ty::Unknown);
                let id = self.bind(name, SymbolKind::Let, ty, statement.span, end);
                // A value does not know its own name.
                let known = Span::new(statement.span.end.max(name.span.end), end.max(statement.span.end));
                self.names.symbols[id].visible = Some(known);
            }
            StatementKind::Var(decl) => {
                let ty = self.type_expr(&decl.ty, None);
                if let Init::Expr(value) = decl.init {
                    self.expr(value, &ty);
                }
                let id = self.bind(&decl.name, SymbolKind::Let, ty, statement.span, end);
                let known =
                    Span::new(statement.span.end.max(decl.name.span.end), end.max(statement.span.end));
                self.names.symbols[id].visible = Some(known);
            }
            StatementKind::Assert(expr) | StatementKind::Await(expr) => {
                self.expr(*expr, &Ty::Bool);
            }
            StatementKind::Return(expr) => {
                self.expr(*expr, result);
            }
            StatementKind::Call(name, arguments) => {
                self.call(name, arguments);
            }
            StatementKind::Loop(block) => self.block(block, code, result),
            StatementKind::Either(blocks) => {
                for block in blocks {
                    self.block(block, code, result);
                }
            }
            StatementKind::Goto(label) => {
                let found: Vec<_> = self.literals.get(label.name.as_str()).copied().into_iter().collect();
                self.refer(label.span, found);
            }
        }
    }
}
