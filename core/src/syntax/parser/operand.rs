//! Operands: names with their fields and indices, calls, quantifiers, conditionals, parentheses.

use super::super::ast::{Binder, Domain, ExprId, ExprKind, Ident, Quantifier};
use super::super::token::{Keyword, Punct, TokenKind};
use super::Parser;
use super::expr::ANY;
use super::temporal::until;
use crate::text::Span;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The word of a block that makes initial states; a name elsewhere.
pub(super) const INIT: &str = "init";

impl Parser<'_> {
    /// Whether `init { … }` or `init(x in D) { … }` starts this many tokens ahead.
    pub(super) fn init_starts(&self, ahead: usize) -> bool {
        let token = |more: usize| self.tokens[(self.at + ahead + more).min(self.tokens.len() - 1)];
        let word = token(0);
        let parameters =
            || token(2).kind == TokenKind::Name && token(3).kind == TokenKind::Keyword(Keyword::In);
        word.kind == TokenKind::Name
            && self.text(word) == INIT
            && match token(1).kind {
                TokenKind::Punct(Punct::BraceOpen) => true,
                TokenKind::Punct(Punct::ParenOpen) => parameters(),
                _ => false,
            }
    }

    /// Whether the token behind the next one starts an operand: then `F`, `AG` and their kin are operators, and
    /// names otherwise (`c.st == F and …`). A minus is read as one between two operands.
    pub(super) fn operand_follows(&self) -> bool {
        starts_operand(self.peek_second().kind) && !self.hint_follows()
    }

    /// Whether the next token is the word of an item, `hint`, `init`, `procedure` or `function`: these are names too, but behind a name
    /// no operand stands.
    fn hint_follows(&self) -> bool {
        let token = |ahead: usize| self.tokens[(self.at + ahead).min(self.tokens.len() - 1)];
        let (word, next) = (token(1), token(2));
        let joined =
            next.kind == TokenKind::Name && until(self.text(next)).is_some() && starts_operand(token(3).kind);
        let routine = || {
            matches!(self.text(word), "procedure" | "function")
                && next.kind == TokenKind::Name
                && matches!(token(3).kind, TokenKind::Punct(Punct::ParenOpen | Punct::BraceOpen))
        };
        let hint = || self.text(word) == "hint" && starts_operand(next.kind) && !joined;
        word.kind == TokenKind::Name && (hint() || routine() || self.init_starts(1))
    }

    /// Whether an operand starts here, a minus included.
    pub(super) fn operand_starts(&self) -> bool {
        starts_operand(self.peek().kind)
            || self.is(Punct::Minus)
            || self.is(Punct::BraceOpen)
            || self.is_keyword(Keyword::Any)
    }

    /// Whether the token just read may end an operand.
    pub(super) fn behind_operand(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|before| ends_operand(self.tokens[before].kind))
    }

    pub(super) fn quantified(&mut self, quantifier: Quantifier) -> ExprId {
        let word = self.bump();
        let start = word.span;
        if self.is(Punct::ParenOpen) {
            let word = self.text(word);
            let message = format!("`{word}` takes no parenthesis: it is written `{word} x in D: E`");
            self.error(self.peek().span, message);
        }
        let binders = self.binders();
        self.expect(Punct::Colon, "behind the quantifier's domain");
        let body = self.expr(ANY);
        self.push(ExprKind::Quantified(quantifier, binders, body), self.since(start))
    }

    /// `count(x in D: E)` and its kin.
    pub(super) fn tallied(&mut self, quantifier: Quantifier) -> ExprId {
        let start = self.bump().span;
        let open = self.peek().span;
        let word = quantifier.text();
        if !self.eat(Punct::ParenOpen) {
            self.expected(&format!("`(` (it is written `{word}(x in D: E)`)"));
        }
        // `count(s)`: how many are in a set or bag.
        let binds = self.peek().kind != TokenKind::Name
            || self.peek_second().kind == TokenKind::Keyword(Keyword::In)
            || self.peek_second().kind == TokenKind::Punct(Punct::Colon);
        if quantifier == Quantifier::Count && self.operand_starts() && !binds && !self.panicking {
            let arguments = self.arguments(Punct::ParenClose, open, "to close `count`");
            let name = Ident { name: word.to_string(), span: start };
            return self.push(ExprKind::Call(name, arguments), self.since(start));
        }
        let binders = self.binders();
        self.expect(Punct::Colon, &format!("behind the domain of `{word}`"));
        let body = self.expr(ANY);
        self.close(Punct::ParenClose, open, &format!("to close `{word}`"));
        let tallied = self.push(ExprKind::Quantified(quantifier, binders, body), self.since(start));
        self.postfixes(tallied)
    }

    /// `sum(x in`, `min(x in`, `max(x in`: otherwise these words are names, and `min(a, b)` is a function.
    fn quantifier_of_numbers(&self) -> Option<Quantifier> {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map(|token| token.kind);
        let binds = kind(2) == Some(TokenKind::Name) && kind(3) == Some(TokenKind::Keyword(Keyword::In));
        Quantifier::of_numbers(self.text(self.peek())).filter(|_| binds)
    }

    pub(super) fn conditional(&mut self) -> ExprId {
        let start = self.bump().span;
        let condition = self.expr(ANY);
        if !self.eat_keyword(Keyword::Then) {
            self.expected("`then` behind the condition of `if`");
        }
        let yes = self.expr(ANY);
        if !self.eat_keyword(Keyword::Else) {
            self.expected("`else` (every `if` has both parts)");
        }
        let no = self.expr(ANY);
        self.push(ExprKind::If(condition, yes, no), self.since(start))
    }

    /// `x in D, y in E`
    pub(super) fn binders(&mut self) -> Vec<Binder> {
        let mut binders = Vec::new();
        loop {
            let name = self.name("a name to bind");
            if !self.eat_keyword(Keyword::In) {
                self.expected(&format!("`in` and the domain of `{}`", name.name));
            }
            binders.push(Binder { name, domain: self.domain() });
            if self.panicking || !self.eat(Punct::Comma) {
                return binders;
            }
        }
    }

    pub(super) fn domain(&mut self) -> Domain {
        self.need("a family or a range such as `0..3`");
        let low = self.bound();
        if self.eat(Punct::DotDot) {
            self.need("the highest value of the range");
            return Domain::Range(low, self.bound());
        }
        if let Some(domain) = self.other_domain(low) {
            return domain;
        }
        let span = self.span(low);
        let name = match &self.file.exprs[low].kind {
            ExprKind::Name(name) => name.clone(),
            ExprKind::Error => String::new(),
            _ => {
                self.error(span, "this is neither a family nor a range such as `0..3`");
                String::new()
            }
        };
        Domain::Family(Ident { name, span })
    }

    /// A name with its fields and indices, or what else stands between operators.
    pub(super) fn postfix(&mut self) -> ExprId {
        let start = self.peek().span;
        let primary = self.primary();
        if self.file.exprs[primary].kind == ExprKind::Error || self.span(primary).start != start.start {
            return primary;
        }
        self.postfixes(primary)
    }

    pub(super) fn postfixes(&mut self, mut base: ExprId) -> ExprId {
        let start = self.span(base);
        while !self.panicking {
            if self.eat(Punct::Dot) {
                if self.peek().kind == TokenKind::Int
                    && matches!(self.file.exprs[base].kind, ExprKind::Int(_))
                {
                    self.error(
                        self.since(start).to(self.peek().span),
                        "every number is whole: there are no fractions",
                    );
                }
                let field = self.name("the name of a variable");
                base = self.push(ExprKind::Field(base, field), self.since(start));
            } else if self.is(Punct::BracketOpen) {
                let open = self.bump().span;
                let indices = self.arguments(Punct::BracketClose, open, "to close the index");
                self.path_formula(base, &indices);
                base = self.push(ExprKind::Index(base, indices), self.since(start));
            } else {
                self.empty_brackets("an index");
                break;
            }
        }
        base
    }

    /// `[]` is one token, so that an index that was left out looks like the temporal operator.
    pub(super) fn empty_brackets(&mut self, what: &str) {
        if self.is(Punct::Box) {
            self.error(self.peek().span, format!("expected {what} between the brackets"));
        }
    }

    pub(super) fn any_in_expression(&mut self, span: Span) {
        self.error(span, "`any` can only be an initial value by itself: `shared x: bool = any`");
    }

    /// One or more expressions up to the closing bracket.
    pub(super) fn arguments(&mut self, close: Punct, opened: Span, context: &str) -> Vec<ExprId> {
        let mut list = Vec::new();
        loop {
            list.push(self.expr(ANY));
            if self.panicking || !self.eat(Punct::Comma) {
                self.close_list(close, opened, context);
                return list;
            }
        }
    }

    fn primary(&mut self) -> ExprId {
        let token = self.peek();
        let span = token.span;
        let kind = match token.kind {
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Keyword(Keyword::None) => ExprKind::None,
            TokenKind::Keyword(Keyword::SelfId) => ExprKind::SelfId,
            TokenKind::Int => {
                if let Ok(value) = self.text(token).parse() {
                    ExprKind::Int(value)
                } else {
                    self.error(span, "this number is too large");
                    ExprKind::Error
                }
            }
            TokenKind::Name => {
                let name = self.text(token).to_string();
                if self.peek_second().kind == TokenKind::Punct(Punct::ParenOpen) {
                    if let Some(quantifier) = self.quantifier_of_numbers() {
                        return self.tallied(quantifier);
                    }
                    self.bump();
                    let open = self.bump().span;
                    let field = self.peek().kind == TokenKind::Name;
                    if field && self.peek_second().kind == TokenKind::Punct(Punct::Colon) {
                        return self.make(Ident { name, span }, open);
                    }
                    let arguments = if self.eat(Punct::ParenClose) {
                        Vec::new()
                    } else {
                        self.arguments(Punct::ParenClose, open, "to close the arguments")
                    };
                    return self.push(ExprKind::Call(Ident { name, span }, arguments), self.since(span));
                }
                ExprKind::Name(name)
            }
            TokenKind::Punct(Punct::BraceOpen) => return self.braces(),
            TokenKind::Punct(Punct::ParenOpen) => {
                self.bump();
                let inner = self.expr(ANY);
                self.close(Punct::ParenClose, span, "to close the parenthesis");
                let span = self.since(span);
                // The parentheses belong to the expression: a caret under it covers them.
                self.file.exprs[inner].span = span;
                self.parenthesised = Some(inner);
                return inner;
            }
            TokenKind::Keyword(Keyword::Any) => {
                self.any_in_expression(span);
                ExprKind::Error
            }
            _ => {
                self.expected("an expression");
                return self.push(ExprKind::Error, span);
            }
        };
        self.bump();
        self.push(kind, span)
    }
}

/// Whether an operand may start with this token. A minus is left out: behind a name it is subtraction.
pub(super) fn starts_operand(kind: TokenKind) -> bool {
    use Keyword as K;
    match kind {
        TokenKind::Name | TokenKind::Int => true,
        TokenKind::Keyword(k) => matches!(
            k,
            K::Not | K::Forall | K::Exists | K::Count | K::If | K::True | K::False | K::SelfId | K::None
        ),
        TokenKind::Punct(p) => matches!(p, Punct::ParenOpen | Punct::Bang | Punct::Box | Punct::Diamond),
        TokenKind::Unknown | TokenKind::End => false,
    }
}

/// Whether an operand may end with this token.
fn ends_operand(kind: TokenKind) -> bool {
    use Keyword as K;
    match kind {
        TokenKind::Name | TokenKind::Int => true,
        TokenKind::Keyword(k) => matches!(k, K::True | K::False | K::SelfId | K::None),
        TokenKind::Punct(p) => matches!(p, Punct::ParenClose | Punct::BracketClose | Punct::BraceClose),
        TokenKind::Unknown | TokenKind::End => false,
    }
}
