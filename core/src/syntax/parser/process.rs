//! Processes with their variables and actions; shared variables are declared in the same way.

use super::super::ast::{
    ActionDecl, Assignment, Binder, Change, ExprId, ExprKind, Ident, IndexDecl, Init, ProcessDecl, VarDecl,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::Parser;
use crate::text::{Diagnostic, Span, closest};
use alloc::format;
use alloc::vec::Vec;

impl Parser<'_> {
    pub(super) fn process(&mut self) -> ProcessDecl {
        self.unclosed = false;
        let keyword = self.tokens[self.at - 1].span;
        let name = self.name("the name of the process family");
        let mut size = None;
        let open = self.peek().span;
        if self.eat(Punct::BracketOpen) {
            self.need("the family's size");
            size = Some(self.state_expr());
            self.close(Punct::BracketClose, open, "to close the family's size");
        } else {
            self.empty_brackets("the family's size");
        }
        if self.is(Punct::ParenOpen) {
            self.error(self.peek().span, "the size of a family stands in brackets: `process p[3]`");
        }
        let ring = self.is_word("ring").then(|| self.bump().span);
        let mut decl = ProcessDecl {
            name,
            size,
            ring,
            scalarset: false,
            vars: Vec::new(),
            actions: Vec::new(),
            code: None,
        };
        if !self.expect(Punct::BraceOpen, "and the variables and actions of the process") {
            self.unclosed = true;
            return decl;
        }
        let inside = self.braces;
        loop {
            let recovering = self.panicking;
            if recovering {
                // The `}` of a broken enumeration does not close the process.
                self.skip_until(|p| {
                    p.at_item() || p.at_member() || (p.is(Punct::BraceClose) && p.braces <= inside)
                });
                self.braces = inside;
            }
            if self.eat(Punct::BraceClose) {
                self.declare_at(&mut decl);
                return decl;
            }
            if self.eat_keyword(Keyword::Var) {
                decl.vars.push(self.variable());
            } else if self.is_keyword(Keyword::Action) {
                decl.actions.push(self.action());
            } else if self.at_item() {
                // Behind another error the `}` may have been lost with it.
                if !recovering {
                    self.not_closed(keyword, decl.name.span);
                }
                self.unclosed = true;
                self.declare_at(&mut decl);
                return decl;
            } else if self.at_code() || decl.code.is_some() {
                self.code(&mut decl);
            } else {
                self.no_member();
            }
        }
    }

    pub(super) fn at_member(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Keyword(keyword) if keyword.starts_member())
    }

    /// An item stands where a process still goes on: it was put inside, as its indentation shows, or a `}` is missing.
    fn not_closed(&mut self, process: Span, name: Span) {
        let token = self.peek();
        let found = self.found();
        let diagnostic = if token.kind != TokenKind::End && self.column(token.span) > self.column(process) {
            Diagnostic::new(
                token.span,
                format!(
                    "expected `var`, `action` or `}}` in a process, found {found}; it stands outside of processes"
                ),
            )
        } else {
            let here = Span::new(self.previous_end(), self.previous_end());
            Diagnostic::new(here, format!("expected `}}` to close the process, found {found}"))
                .with_note(name, "the process starts here")
        };
        self.report(diagnostic);
        self.panicking = false;
    }

    /// How far from the start of its line a place is; a long line is not searched to its start.
    fn column(&self, span: Span) -> usize {
        const FAR: usize = 100;
        let before = &self.source.as_bytes()[..span.start as usize];
        before.iter().rev().take(FAR).take_while(|&&b| b != b'\n').count()
    }

    /// Something that is no variable and no action stands in a process.
    fn no_member(&mut self) {
        let token = self.peek();
        let word = self.text(token);
        if token.kind == TokenKind::Name
            && let Some(near) = closest(word, [Keyword::Var.text(), Keyword::Action.text()])
        {
            self.error(
                token.span,
                format!("expected `var` or `action`, found `{word}`; did you mean `{near}`?"),
            );
        } else {
            let found = self.found();
            self.error(token.span, format!("expected `var`, `action` or `}}` in a process, found {found}"));
        }
    }

    pub(super) fn variable(&mut self) -> VarDecl {
        let name = self.name("the variable's name");
        let index = self.indices("variable", Self::index_decl);
        if index.is_empty() {
            self.empty_brackets("a family or a range such as `0..3`");
        }
        self.expect(Punct::Colon, "and the variable's type");
        let ty = self.type_expr();
        self.expect(Punct::Eq, "and the initial value");
        let init = if self.is_keyword(Keyword::Any) {
            let span = self.bump().span;
            if self.infix().is_some() {
                self.any_in_expression(span);
            }
            Init::Any(span)
        } else {
            self.need("the initial value");
            Init::Expr(self.state_expr())
        };
        VarDecl { name, index, ty, init }
    }

    fn index_decl(&mut self) -> IndexDecl {
        let named = self.peek_second().kind == TokenKind::Keyword(Keyword::In);
        let name = named.then(|| {
            let name = self.name("the index's name");
            self.bump();
            name
        });
        IndexDecl { name, domain: self.domain() }
    }

    /// The rest of an action that has statements instead of assignments.
    fn action_block(&mut self, start: Span, name: Ident, params: Vec<Binder>, guard: ExprId) -> ActionDecl {
        let block = Some(self.block("and the action's statements"));
        ActionDecl { name, params, guard, assignments: Vec::new(), block, span: self.since(start) }
    }

    fn action(&mut self) -> ActionDecl {
        let start = self.bump().span;
        let name = self.name("the action's name");
        let params = self.binders_in_parentheses("to close the action's parameters");
        if self.is(Punct::BraceOpen) {
            // Without a guard it may always happen.
            let here = Span::new(self.previous_end(), self.previous_end());
            let guard = self.push(ExprKind::Bool(true), here);
            return self.action_block(start, name, params, guard);
        }
        self.expect(Punct::Colon, "and the action's guard");
        if self.is(Punct::Arrow) {
            let message = "expected the action's guard, found `->`; an action that may always happen has the guard `true`";
            self.error(self.peek().span, message);
        }
        self.need("the action's guard");
        let guard = self.state_expr();
        if !self.panicking && self.is(Punct::BraceOpen) {
            return self.action_block(start, name, params, guard);
        }
        if !self.panicking && self.is(Punct::Assign) {
            let message = "expected `->` between the action's guard and its assignments, found `:=`";
            self.error(self.peek().span, message);
        }
        self.expect(Punct::Arrow, "and the action's assignments");
        let mut assignments = Vec::new();
        while !self.panicking {
            assignments.push(self.assignment());
            if self.eat(Punct::Comma) {
                continue;
            }
            if !self.panicking && self.operand_starts() && !self.at_code() {
                self.expected("`,` before the next assignment, or `var`, `action` or `}`");
            }
            break;
        }
        ActionDecl { name, params, guard, assignments, block: None, span: self.since(start) }
    }

    /// `(x in D, y in E)`, or nothing.
    pub(super) fn binders_in_parentheses(&mut self, context: &str) -> Vec<Binder> {
        let mut params = Vec::new();
        let open = self.peek().span;
        if self.eat(Punct::ParenOpen) {
            self.empty_parameters();
            params = self.binders();
            self.close_list(Punct::ParenClose, open, context);
        }
        params
    }

    fn assignment(&mut self) -> Assignment {
        let mut over = Vec::new();
        if self.eat_keyword(Keyword::Forall) {
            over = self.binders();
            self.expect(Punct::Colon, "and the assignment that is made for all of them");
        } else if let TokenKind::Keyword(word @ (Keyword::Exists | Keyword::Count | Keyword::If)) =
            self.peek().kind
        {
            let hint = match word {
                Keyword::If => "a choice stands in the new value: `x := if A then B else C`",
                _ => "what is made for all is `forall x in D: TARGET := VALUE`",
            };
            self.error(self.peek().span, format!("expected an assignment, found `{}`; {hint}", word.text()));
        }
        if let Some(change) = self.change_of_bag() {
            return self.bag_change(change, over);
        }
        if self.is(Punct::BraceOpen) {
            let message = "a block stands in the place of `->`: `action NAME: GUARD { … }`";
            self.error(self.peek().span, message);
        }
        if !matches!(
            self.peek().kind,
            TokenKind::Name | TokenKind::Keyword(Keyword::SelfId) | TokenKind::Punct(Punct::ParenOpen)
        ) {
            self.expected("a variable to assign to");
        }
        let target = self.postfix();
        if let Some(change) = self.queue_change(target, &over) {
            return change;
        }
        if let TokenKind::Punct(punct @ (Punct::Eq | Punct::EqEq)) = self.peek().kind {
            self.error(self.peek().span, format!("an assignment is written `:=`, not `{}`", punct.text()));
        }
        self.expect(Punct::Assign, "and the new value");
        self.need("the new value");
        Assignment { change: Change::Assign, over, target, value: self.state_expr() }
    }
}
