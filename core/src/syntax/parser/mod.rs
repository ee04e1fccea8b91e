//! The parser: recursive descent for items, precedence climbing for expressions.
//!
//! After an error the parser is silent until it has found the next place where it can start anew, so that one slip
//! gives one message; what was declared by the broken item stays declared, so that its uses give none.

mod expr;
mod items;
mod meant;
mod operand;
mod process;
mod statement;
mod temporal;
mod types;

use super::ast::{Expr, ExprId, ExprKind, File, Ident};
use super::lexer::lex;
use super::token::{Keyword, Lexed, Punct, Token, TokenKind};
use crate::limits::{MAX_DEPTH, MAX_DIAGNOSTICS};
use crate::sort::Sort as _;
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A tree and what is wrong with its text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; broken parts are [`ExprKind::Error`] or left out.
    pub file: File,
    /// The errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a model.
///
/// ```
/// use orbitscope_core::syntax::parse;
/// let parsed = parse("param n = 3\nprocess p[n] { var x: bool = false action go: not x -> x := true }");
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.file.items.len(), 2);
/// ```
pub fn parse(source: &str) -> Parsed {
    let Lexed { tokens, diagnostics, .. } = lex(source);
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        file: File::default(),
        diagnostics,
        panicking: false,
        nesting: 0,
        mode: Mode::State,
        parenthesised: None,
        braces: 0,
        statements: 0,
        unclosed: false,
    };
    parser.file();
    let Parser { file, mut diagnostics, .. } = parser;
    diagnostics.arrange_by_key(|d| d.span.start);
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let next = diagnostics[MAX_DIAGNOSTICS].span;
        diagnostics.truncate(MAX_DIAGNOSTICS);
        diagnostics.push(Diagnostic::new(
            next,
            format!("there are more than {MAX_DIAGNOSTICS} errors; the rest, from here on, is not shown"),
        ));
    }
    Parsed { file, diagnostics }
}

/// Which operators an expression may use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// No temporal operators; `->` ends the expression.
    State,
    /// `X F G U R W M`, `->` is implication.
    Ltl,
    /// `AX … EG`, `A[… U …]`, `->` is implication.
    Ctl,
    /// `mu X. f`, `nu X. f`, `<>` and `[]` for one step, `->` is implication.
    Mu,
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    file: File,
    diagnostics: Vec<Diagnostic>,
    panicking: bool,
    nesting: u32,
    mode: Mode,
    /// The expression that was last put into parentheses.
    parenthesised: Option<ExprId>,
    /// How many braces are open.
    braces: u32,
    /// How many statements are being read, one in the other: what follows an expression there may be the next one.
    statements: u32,
    /// Whether the last process was found to lack its `}`: what belongs into it may follow without a message.
    unclosed: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn text(&self, token: Token) -> &str {
        token.span.text(self.source)
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        match token.kind {
            TokenKind::End => return token,
            TokenKind::Punct(Punct::BraceOpen) => self.braces += 1,
            TokenKind::Punct(Punct::BraceClose) => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.at += 1;
        token
    }

    /// The place just read: messages about something missing point behind it, items end there.
    fn previous_end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |i| self.tokens[i].span.end)
    }

    fn is(&self, punct: Punct) -> bool {
        self.peek().kind == TokenKind::Punct(punct)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.peek().kind == TokenKind::Keyword(keyword)
    }

    /// Whether the next token is this word, which is no keyword elsewhere.
    fn is_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Name && self.text(token) == word
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(span, message));
    }

    /// A limit is reached: the text may be right, but the tool does not take it.
    fn too_large(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::too_large(span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.panicking && self.is(Punct::Semicolon) {
            let message = "`;` is not used here: items start with a keyword, assignments are separated by `,`; it may stand between statements";
            self.diagnostics.push(Diagnostic::new(self.peek().span, message));
        } else if !self.panicking && self.peek().kind != TokenKind::Unknown {
            self.diagnostics.push(diagnostic);
        }
        self.panicking = true;
    }

    /// The next token, in words.
    fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Keyword(keyword) => format!("the keyword `{}`", keyword.text()),
            _ => format!("`{}`", self.text(token)),
        }
    }

    fn expected(&mut self, what: &str) {
        self.expected_with(what, None);
    }

    /// Says what is missing; `opened` is the bracket that it would close.
    fn expected_with(&mut self, what: &str, opened: Option<Span>) {
        if self.misplaced_until() {
            return;
        }
        let token = self.peek();
        // A thing that is missing at the end of a part is shown there, not where the next part starts.
        let next_part = match token.kind {
            TokenKind::Keyword(keyword) => keyword.starts_item() || keyword.starts_member(),
            TokenKind::Punct(Punct::BraceClose) | TokenKind::End => true,
            _ => false,
        };
        let span = if next_part && self.line_break_before(token) {
            Span::new(self.previous_end(), self.previous_end())
        } else {
            token.span
        };
        let found = self.found();
        let mut diagnostic = Diagnostic::new(span, format!("expected {what}, found {found}"));
        if let Some(opened) = opened
            && Span::new(opened.end, span.start).text(self.source).contains('\n')
        {
            diagnostic = diagnostic.with_note(opened, "it was opened here");
        }
        self.report(diagnostic);
    }

    fn line_break_before(&self, token: Token) -> bool {
        Span::new(self.previous_end(), token.span.start).text(self.source).contains('\n')
            || token.kind == TokenKind::End
    }

    fn expect(&mut self, punct: Punct, context: &str) -> bool {
        if self.eat(punct) {
            return true;
        }
        self.expected(&format!("`{}` {context}", punct.text()));
        false
    }

    /// Says that an expression is missing, where none starts.
    fn need(&mut self, what: &str) {
        if !self.operand_starts() {
            self.expected(what);
        }
    }

    /// Expects a closing bracket; `opened` is where it was opened.
    fn close(&mut self, punct: Punct, opened: Span, context: &str) {
        if !self.eat(punct) {
            self.expected_with(&format!("`{}` {context}", punct.text()), Some(opened));
        }
    }

    /// Expects the closing bracket of a list with commas.
    fn close_list(&mut self, punct: Punct, opened: Span, context: &str) {
        if !self.eat(punct) {
            self.expected_with(&format!("`,` or `{}` {context}", punct.text()), Some(opened));
        }
    }

    fn name(&mut self, what: &str) -> Ident {
        let token = self.peek();
        if token.kind == TokenKind::Name {
            self.bump();
            return Ident { name: self.text(token).to_string(), span: token.span };
        }
        if let TokenKind::Keyword(keyword) = token.kind
            && !self.panicking
            && !self.line_break_before(token)
        {
            self.error(
                token.span,
                format!("expected {what}, but `{}` is a keyword and cannot be a name", keyword.text()),
            );
            // Where it starts an item elsewhere, recovery must not take it for one.
            self.bump();
        } else {
            self.expected(what);
        }
        let at = self.previous_end();
        Ident { name: String::new(), span: Span::new(at, at) }
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let child = |id: ExprId| self.file.exprs[id].depth;
        let depth = 1 + match &kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::None
            | ExprKind::SelfId
            | ExprKind::Name(_)
            | ExprKind::Error => 0,
            ExprKind::Field(a, _)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Is(a, _)
            | ExprKind::Quantified(_, _, a)
            | ExprKind::Temporal(_, a)
            | ExprKind::Branching(_, _, a)
            | ExprKind::Fixpoint(_, _, a) => child(*a),
            ExprKind::Binary(_, a, b)
            | ExprKind::TemporalBinary(_, a, b)
            | ExprKind::BranchingBinary(_, _, a, b) => child(*a).max(child(*b)),
            ExprKind::If(a, b, c) => child(*a).max(child(*b)).max(child(*c)),
            ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Call(_, list) | ExprKind::Braces(list) => {
                list.iter().map(|&e| child(e)).max().unwrap_or(0)
            }
            ExprKind::Make(_, fields) => fields.iter().map(|(_, e)| child(*e)).max().unwrap_or(0),
            ExprKind::Index(a, list) => list.iter().map(|&e| child(e)).max().unwrap_or(0).max(child(*a)),
        };
        if depth > MAX_DEPTH {
            self.too_deep(span);
            return self.file.exprs.push(Expr { kind: ExprKind::Error, span, depth: 1 });
        }
        self.file.exprs.push(Expr { kind, span, depth })
    }

    fn too_deep(&mut self, span: Span) {
        let message =
            format!("this expression nests more than {MAX_DEPTH} deep; name a part of it with `define`");
        self.too_large(span, message);
    }

    fn span(&self, expr: ExprId) -> Span {
        self.file.exprs[expr].span
    }

    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.previous_end().max(start.end))
    }
}
