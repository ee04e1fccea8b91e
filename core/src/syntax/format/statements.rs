//! Statements: only the tree knows where one starts, since none of their words is reserved.

use super::super::ast::{Block as Statements, ExprId, File, ItemKind, Statement, StatementKind};
use super::super::token::{Punct, Token, TokenKind};
use super::roles::{Block, Place, Role};
use alloc::vec::Vec;

/// Marks the statements of a text without errors.
pub(super) fn roles(file: &File, tokens: &[Token], roles: &mut Vec<(Place, Role)>) {
    let mut marks = Marks { file, tokens, roles };
    for item in &file.items {
        match &item.kind {
            ItemKind::Process(decl) => {
                for block in decl.actions.iter().filter_map(|action| action.block.as_ref()) {
                    marks.block(block);
                }
                if let Some(code) = &decl.code {
                    marks.statements(&code.statements, Place::Start);
                }
            }
            ItemKind::Init(init) => {
                marks.block(&init.block);
                marks.parenthesis(item.span.start);
                if let Some(guard) = init.guard {
                    marks.guard(guard);
                }
            }
            ItemKind::Routine(routine) => {
                marks.block(&routine.body);
                marks.parenthesis(routine.name.span.start);
            }
            _ => {}
        }
    }
}

struct Marks<'t> {
    file: &'t File,
    tokens: &'t [Token],
    roles: &'t mut Vec<(Place, Role)>,
}

impl Marks<'_> {
    fn at(&self, offset: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }

    fn is(&self, token: usize, punct: Punct) -> bool {
        self.tokens[token].kind == TokenKind::Punct(punct)
    }

    /// The parenthesis behind a declared name stands close to it.
    fn parenthesis(&mut self, name: u32) {
        let next = self.at(name) + 1;
        if self.is(next, Punct::ParenOpen) {
            self.roles[next].1 = Role::Call;
        }
    }

    /// The colon before a guard.
    fn guard(&mut self, guard: ExprId) {
        let colon = (0..self.at(self.file.exprs[guard].span.start)).rev().find(|&i| self.is(i, Punct::Colon));
        if let Some(colon) = colon {
            self.roles[colon].1 = Role::GuardColon;
        }
    }

    fn braces(&mut self, open: usize, close: usize) {
        self.roles[open].0 = Place::Open(Block::List);
        self.roles[close].0 = Place::Close(Block::List);
    }

    fn block(&mut self, block: &Statements) {
        let (open, close) = (self.at(block.open.start), self.at(block.close.start));
        self.braces(open, close);
        self.statements(&block.statements, Place::Element);
    }

    /// The word before a block goes on behind the block before.
    fn joined(&mut self, block: &Statements) {
        let word = self.at(block.open.start) - 1;
        self.roles[word].0 = Place::Joined;
    }

    fn statements(&mut self, statements: &[Statement], place: Place) {
        let mut labelled = false;
        for statement in statements {
            let first = self.at(statement.span.start);
            // Behind a label or a `;` the author decides about the line.
            let goes_on = labelled || self.is(first - 1, Punct::Semicolon);
            self.roles[first].0 = if goes_on { Place::Generator } else { place };
            self.statement(statement, first);
            labelled = matches!(statement.kind, StatementKind::Label(_));
        }
    }

    fn statement(&mut self, statement: &Statement, first: usize) {
        match &statement.kind {
            StatementKind::Label(_) => {
                self.roles[first].1 = Role::Label;
                self.roles[first + 1].1 = Role::GuardColon;
            }
            StatementKind::Switch(_, cases, otherwise) => {
                let values = cases.iter().filter_map(|(values, _)| values.first());
                let words = values.map(|&value| self.at(self.file.exprs[value].span.start));
                let last = otherwise.iter().map(|block| self.at(block.open.start));
                let starts: Vec<usize> = words.chain(last).map(|behind| behind - 1).collect();
                let close = self.at(statement.span.end) - 1;
                self.braces(starts[0] - 1, close);
                for start in starts {
                    self.roles[start].0 = Place::Element;
                }
            }
            StatementKind::If(arms, otherwise) => {
                // `else if` and `else`
                for (test, _) in &arms[1..] {
                    let word = self.at(self.file.exprs[*test].span.start) - 2;
                    self.roles[word].0 = Place::Joined;
                }
                if let Some(block) = otherwise {
                    self.joined(block);
                }
            }
            StatementKind::Either(blocks) => {
                for block in &blocks[1..] {
                    self.joined(block);
                }
            }
            _ => {}
        }
        for block in statement.kind.blocks() {
            self.block(block);
        }
    }
}
