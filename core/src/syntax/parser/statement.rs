//! Statements: the blocks of actions, procedures and functions, and the code of processes.
//!
//! No word of a statement is reserved: at the start of a statement it has its meaning unless it is assigned to, has an index or a
//! field, or is a label. Nothing need stand between two statements; `;` may.

use super::super::ast::{
    Block, ExprKind, Ident, ItemKind, ProcessDecl, RoutineDecl, RoutineParam, Statement, StatementKind,
    TypeExpr, VarDecl,
};
use super::super::ast::{ExprId, Init};
use super::super::token::{Keyword, Punct, TokenKind};
use super::Parser;
use crate::limits::MAX_BLOCKS;
use crate::text::{Diagnostic, Span};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// The words that start a statement.
const WORDS: &[&str] = &[
    "skip", "for", "while", "switch", "let", "assert", "return", "loop", "await", "goto", "either", "with",
    "stop",
];

impl Parser<'_> {
    /// Whether the next token is this word, at the start of a statement and with its meaning there.
    fn is_statement_word(&self, word: &str) -> bool {
        let other_use = matches!(
            self.peek_second().kind,
            TokenKind::Punct(Punct::Assign | Punct::Dot | Punct::BracketOpen | Punct::Colon | Punct::Eq)
        );
        self.is_word(word) && !other_use
    }

    fn eat_statement_word(&mut self, word: &str) -> bool {
        let found = self.is_statement_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Whether a procedure or a function starts here.
    pub(super) fn at_routine(&self) -> bool {
        let routine = self.is_word("procedure") || self.is_word("function");
        routine && self.peek_second().kind == TokenKind::Name
    }

    pub(super) fn routine(&mut self) -> ItemKind {
        let function = self.is_word("function");
        let what = if function { "function" } else { "procedure" };
        self.bump();
        let name = self.name(&format!("the name of the {what}"));
        let mut params = Vec::new();
        let open = self.peek().span;
        if self.eat(Punct::ParenOpen) {
            while !self.panicking && !self.is(Punct::ParenClose) {
                params.push(self.routine_param());
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.close_list(Punct::ParenClose, open, "to close the parameters");
        }
        let mut result = None;
        if function {
            self.expect(Punct::Colon, "and the type of the function's value");
            result = Some(self.type_expr());
        } else if self.is(Punct::Colon) {
            let message = "a procedure has no value; what computes one is `function NAME(x: T): U { … }`";
            self.error(self.peek().span, message);
        }
        let body = self.block(&format!("and the statements of the {what}"));
        ItemKind::Routine(RoutineDecl { name, params, result, body })
    }

    fn routine_param(&mut self) -> RoutineParam {
        let out = self.is_word("out") && self.peek_second().kind == TokenKind::Name;
        if out {
            self.bump();
        }
        let name = self.name("the name of a parameter");
        if self.is_word("out") {
            self.error(self.peek().span, format!("`out` stands before the name: `out {}: 0..3`", name.name));
        }
        if self.is_keyword(Keyword::In) {
            let message = format!("a parameter has a type: `{}: 0..3`, `{}: client`", name.name, name.name);
            self.error(self.peek().span, message);
        }
        self.expect(Punct::Colon, "and the parameter's type");
        RoutineParam { name, ty: self.type_expr(), out }
    }

    /// `{ … }`; `context` says what is in it.
    pub(super) fn block(&mut self, context: &str) -> Block {
        let open = self.peek().span;
        let mut block = Block { statements: Vec::new(), open, close: Span::new(open.end, open.end) };
        if self.nesting >= MAX_BLOCKS {
            self.too_large(open, format!("these blocks nest more than {MAX_BLOCKS} deep"));
        }
        if !self.expect(Punct::BraceOpen, context) {
            return block;
        }
        self.nesting += 1;
        let inside = self.braces;
        loop {
            if self.panicking {
                self.skip_until(|p| {
                    p.at_item() || p.at_member() || (p.is(Punct::BraceClose) && p.braces <= inside)
                });
                self.braces = inside;
            }
            while self.eat(Punct::Semicolon) {}
            let close = self.peek().span;
            if self.eat(Punct::BraceClose) {
                block.close = close;
                break;
            }
            if self.misplaced_declaration() {
                continue;
            }
            if self.at_item() || (self.at_member() && !self.is_keyword(Keyword::Var)) {
                self.expected_with("a statement, or `}` to close the block", Some(open));
                break;
            }
            block.statements.push(self.statement());
        }
        self.nesting -= 1;
        block
    }

    pub(super) fn statement(&mut self) -> Statement {
        let start = self.peek().span;
        self.statements += 1;
        let kind = self.statement_kind();
        self.statements -= 1;
        if !self.panicking && self.is(Punct::Comma) {
            self.error(
                self.peek().span,
                "statements are not separated by `,`: they are executed one after the other, and `;` may stand between them",
            );
        }
        Statement { kind, span: self.since(start) }
    }

    fn statement_kind(&mut self) -> StatementKind {
        let token = self.peek();
        match token.kind {
            TokenKind::Keyword(Keyword::If) => return self.if_statement(),
            TokenKind::Keyword(Keyword::Var) => {
                self.bump();
                return StatementKind::Var(Box::new(self.variable()));
            }
            TokenKind::Keyword(Keyword::Forall) => {
                self.error(
                    token.span,
                    "`forall` is no statement; what is done for all is `for x in D { … }`",
                );
                return StatementKind::Error;
            }
            TokenKind::Keyword(Keyword::Else) => {
                self.error(token.span, "this `else` belongs to no `if` or `switch`");
                return StatementKind::Error;
            }
            TokenKind::Keyword(Keyword::Or) => {
                self.error(token.span, "this `or` belongs to no `either`");
                return StatementKind::Error;
            }
            TokenKind::Name | TokenKind::Keyword(Keyword::SelfId) => {}
            _ => {
                self.expected("a statement");
                return StatementKind::Error;
            }
        }
        if self.peek_second().kind == TokenKind::Punct(Punct::Colon) {
            let label = self.name("a label");
            self.bump();
            if matches!(
                self.peek().kind,
                TokenKind::Keyword(Keyword::Bool) | TokenKind::Punct(Punct::BraceOpen) | TokenKind::Int
            ) {
                let message = format!(
                    "expected a statement behind the label `{}`, found {}; a variable is declared with `var {}: TYPE = VALUE`",
                    label.name,
                    self.found(),
                    label.name
                );
                self.error(self.peek().span, message);
            }
            return StatementKind::Label(label);
        }
        if !self.bag_statement() && self.foreign_statement() {
            return StatementKind::Error;
        }
        match WORDS.iter().find(|word| self.is_statement_word(word)) {
            Some(word) => self.worded(word),
            None => self.assignment_or_call(),
        }
    }

    /// A statement that starts with one of [`WORDS`].
    fn worded(&mut self, word: &str) -> StatementKind {
        self.bump();
        match word {
            "skip" => StatementKind::Skip,
            "stop" => StatementKind::Stop,
            "for" => {
                if self.is(Punct::ParenOpen) {
                    self.needs_braces("for x in D { … }");
                }
                let binders = self.binders();
                self.needs_braces("for x in D { … }");
                StatementKind::For(binders, self.block("and what `for` does for each"))
            }
            "with" => {
                let binders = self.binders();
                StatementKind::With(binders, self.block("and what is done with the choice"))
            }
            "while" => {
                self.need("the condition of `while`");
                let condition = self.state_expr();
                StatementKind::While(condition, self.block("and what `while` repeats"))
            }
            "switch" => self.switch(),
            "let" => {
                let name = self.name("the name of a value");
                if self.is(Punct::Assign) {
                    self.error(
                        self.peek().span,
                        "a value is named with `=`: `let k = E`; it is not assigned to",
                    );
                }
                self.expect(Punct::Eq, "and the value");
                self.need("the value");
                StatementKind::Let(name, self.state_expr())
            }
            "assert" | "await" | "return" => {
                self.need(match word {
                    "assert" => "what must hold here",
                    "await" => "what is waited for",
                    _ => "the function's value",
                });
                let expr = self.state_expr();
                match word {
                    "assert" => StatementKind::Assert(expr),
                    "await" => StatementKind::Await(expr),
                    _ => StatementKind::Return(expr),
                }
            }
            "goto" => StatementKind::Goto(self.name("the label to go to")),
            "loop" => StatementKind::Loop(self.block("and what is repeated for ever")),
            _ => {
                let mut blocks = Vec::new();
                blocks.push(self.block("and the first choice of `either`"));
                if !self.panicking && !self.is_keyword(Keyword::Or) {
                    self.expected("`or { … }` and another choice");
                }
                while !self.panicking && self.eat_keyword(Keyword::Or) {
                    blocks.push(self.block("and another choice"));
                }
                StatementKind::Either(blocks)
            }
        }
    }

    fn if_statement(&mut self) -> StatementKind {
        let mut arms = Vec::new();
        loop {
            self.bump();
            self.need("the condition of `if`");
            let condition = self.state_expr();
            if !self.panicking && self.is_keyword(Keyword::Then) {
                self.error(
                    self.peek().span,
                    "the statement is written `if E { … } else { … }`; `then` stands in a value only",
                );
            }
            self.needs_braces("if E { … } else { … }");
            arms.push((condition, self.block("and what is done if it holds")));
            if self.panicking || !self.eat_keyword(Keyword::Else) {
                return StatementKind::If(arms, None);
            }
            if !self.is_keyword(Keyword::If) {
                let otherwise = self.block("and what is done otherwise");
                return StatementKind::If(arms, Some(otherwise));
            }
        }
    }

    fn switch(&mut self) -> StatementKind {
        self.need("what `switch` looks at");
        let value = self.state_expr();
        let open = self.peek().span;
        let mut cases = Vec::new();
        let mut otherwise = None;
        if self.expect(Punct::BraceOpen, "and the cases of `switch`") {
            while !self.panicking && otherwise.is_none() && self.eat_statement_word("case") {
                let mut values = Vec::new();
                while !self.panicking {
                    self.need("a value of the case");
                    values.push(self.state_expr());
                    if !self.eat(Punct::Comma) {
                        break;
                    }
                }
                self.needs_braces("case A, B { … }");
                cases.push((values, self.block("and what is done in this case")));
            }
            if !self.panicking && self.eat_keyword(Keyword::Else) {
                otherwise = Some(self.block("and what is done in all other cases"));
            }
            if !self.is(Punct::BraceClose) {
                self.foreign_statement();
            }
            if cases.is_empty() {
                self.expected("`case` and a value");
            }
            let what = if otherwise.is_some() {
                "`}` to close `switch`: `else` is its last part"
            } else {
                "`case`, `else` or `}` to close `switch`"
            };
            if !self.panicking && !self.eat(Punct::BraceClose) {
                self.expected_with(what, Some(open));
            }
        }
        StatementKind::Switch(value, cases, otherwise)
    }

    fn assignment_or_call(&mut self) -> StatementKind {
        let start = self.peek();
        if let Some(change) = self.change_of_bag()
            && self.bag_statement()
        {
            let change = self.bag_change(change, Vec::new());
            return StatementKind::Change(change.change, change.target, change.value);
        }
        let target = self.postfix();
        if self.panicking {
            return StatementKind::Error;
        }
        if let TokenKind::Punct(punct @ (Punct::Eq | Punct::EqEq)) = self.peek().kind {
            self.error(self.peek().span, format!("an assignment is written `:=`, not `{}`", punct.text()));
        }
        self.foreign_assignment();
        if self.eat(Punct::Assign) {
            self.need("the new value");
            return StatementKind::Assign(target, self.state_expr());
        }
        match &self.file.exprs[target].kind {
            ExprKind::Call(name, arguments) => StatementKind::Call(name.clone(), arguments.clone()),
            ExprKind::Name(name) if !self.panicking && !self.is(Punct::Arrow) && self.infix().is_none() => {
                StatementKind::Call(Ident { name: name.clone(), span: start.span }, Vec::new())
            }
            _ => {
                if self.is(Punct::Arrow) {
                    self.error(
                        self.peek().span,
                        "`->` stands behind the guard of an `action`; code waits with `await E`",
                    );
                }
                self.expected("`:=` and the new value");
                StatementKind::Error
            }
        }
    }

    /// Whether a statement of the process's code starts here.
    pub(super) fn at_code(&self) -> bool {
        let colon = self.peek_second().kind == TokenKind::Punct(Punct::Colon);
        let label = self.peek().kind == TokenKind::Name && colon;
        label || self.is_keyword(Keyword::If) || WORDS.iter().any(|word| self.is_statement_word(word))
    }

    /// Whether code starts behind the next token, with a label or a loop.
    pub(super) fn code_follows(&self) -> bool {
        let third = self.tokens[(self.at + 2).min(self.tokens.len() - 1)].kind;
        self.peek_second().kind == TokenKind::Name
            && matches!(third, TokenKind::Punct(Punct::Colon | Punct::BraceOpen))
    }

    /// One more statement of a process's code. Once there is code, an assignment or a call may follow.
    pub(super) fn code(&mut self, decl: &mut ProcessDecl) {
        let start = self.peek().span;
        let statement = self.statement();
        let close = Span::new(self.previous_end(), self.previous_end());
        let code = decl.code.get_or_insert_with(|| Block { statements: Vec::new(), open: start, close });
        code.statements.push(statement);
        code.close = close;
        while self.eat(Punct::Semicolon) {}
    }

    /// Declares `at`, the place of a process in its code, as a variable like others.
    pub(super) fn declare_at(&mut self, decl: &mut ProcessDecl) {
        let Some(code) = &decl.code else { return };
        let mut labels: Vec<Ident> = Vec::new();
        let mut stops = falls_through(&code.statements, true);
        collect(&code.statements, &mut labels, &mut stops);
        let Some(first) = labels.first().cloned() else { return };
        if let Some(label) = labels.iter().find(|label| label.name == ProcessDecl::DONE)
            && stops
        {
            let message = "`done` is where a process is that has come to its end; a label needs another name";
            self.diagnostics.push(Diagnostic::new(label.span, message));
        } else if stops {
            labels.push(Ident { name: ProcessDecl::DONE.to_string(), span: code.close });
        }
        let init: ExprId = self.push(ExprKind::Name(first.name.clone()), first.span);
        decl.vars.insert(
            0,
            VarDecl {
                name: Ident { name: ProcessDecl::AT.to_string(), span: first.span },
                index: Vec::new(),
                ty: TypeExpr::Enum(labels, first.span),
                init: Init::Expr(init),
            },
        );
    }
}

/// The labels, each once, and whether a `stop` stands among the statements.
fn collect(statements: &[Statement], labels: &mut Vec<Ident>, stops: &mut bool) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Label(label) if labels.iter().all(|known| known.name != label.name) => {
                labels.push(label.clone());
            }
            StatementKind::Stop => *stops = true,
            _ => {}
        }
        for block in statement.kind.blocks() {
            collect(&block.statements, labels, stops);
        }
    }
}

/// Whether control may come to the end of the statements, from before them or from a label inside.
fn falls_through(statements: &[Statement], entered: bool) -> bool {
    statements.iter().fold(entered, |entered, statement| match &statement.kind {
        StatementKind::Label(_) => true,
        StatementKind::Loop(_) | StatementKind::Goto(_) | StatementKind::Stop => false,
        StatementKind::If(_, Some(_))
        | StatementKind::Switch(_, _, Some(_))
        | StatementKind::Either(_)
        | StatementKind::With(..) => {
            statement.kind.blocks().into_iter().any(|block| falls_through(&block.statements, entered))
        }
        kind => entered || kind.blocks().into_iter().any(|block| falls_through(&block.statements, false)),
    })
}
