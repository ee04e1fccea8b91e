//! Expressions, by precedence climbing. From weak to strong: `<=>`, `=>`, `or`, `and`, `U R W M`,
//! `not X F G AX …`, comparisons, `+ -`, `* / %`, unary `-`, indices and fields.

use super::super::ast::{
    BinaryOp, Binder, Domain, ExprId, ExprKind, Ident, PathQuantifier, Quantifier, TemporalBinaryOp,
    TemporalOp,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{MAX_DEPTH, Mode, Parser};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// How strongly an operator binds.
type Power = u8;
const ANY: Power = 0;
const IFF: Power = 1;
const IMPLIES: Power = 2;
const OR: Power = 3;
const AND: Power = 4;
const UNTIL: Power = 5;
const COMPARISON: Power = 7;
const SUM: Power = 8;
const PRODUCT: Power = 9;
const NEGATION: Power = 10;

enum Infix {
    And,
    Or,
    Binary(BinaryOp),
    Until(TemporalBinaryOp),
}

impl Parser<'_> {
    /// An expression of a state: no temporal operators.
    pub(super) fn state_expr(&mut self) -> ExprId {
        self.expr_in(Mode::State)
    }

    pub(super) fn expr_in(&mut self, mode: Mode) -> ExprId {
        let outer = core::mem::replace(&mut self.mode, mode);
        let expr = self.expr(ANY);
        self.mode = outer;
        expr
    }

    /// A bound of a range: binds stronger than a comparison, so that `x: 0..n = 0` reads as meant.
    pub(super) fn bound(&mut self) -> ExprId {
        self.expr(SUM)
    }

    fn expr(&mut self, min: Power) -> ExprId {
        if self.nesting >= MAX_DEPTH {
            let span = self.peek().span;
            self.too_deep(span);
            return self.push(ExprKind::Error, span);
        }
        self.nesting += 1;
        let mut left = self.prefix();
        while !self.panicking {
            let Some((infix, power)) = self.infix() else {
                if min <= COMPARISON && self.is(Punct::Eq) {
                    self.error(self.peek().span, "`=` is no operator; a comparison is written `==`");
                }
                break;
            };
            if power < min {
                break;
            }
            left = self.continue_with(left, &infix, power);
        }
        self.nesting -= 1;
        left
    }

    /// The operator that stands next, if one does.
    fn infix(&self) -> Option<(Infix, Power)> {
        use BinaryOp as B;
        let temporal = self.mode != Mode::State;
        let token = self.peek();
        Some(match token.kind {
            TokenKind::Keyword(Keyword::And) | TokenKind::Punct(Punct::AndAnd) => (Infix::And, AND),
            TokenKind::Keyword(Keyword::Or) | TokenKind::Punct(Punct::OrOr) => (Infix::Or, OR),
            TokenKind::Punct(punct) => {
                let (op, power) = match punct {
                    Punct::Iff => (B::Iff, IFF),
                    Punct::Implies => (B::Implies, IMPLIES),
                    Punct::Arrow if temporal => (B::Implies, IMPLIES),
                    Punct::EqEq => (B::Eq, COMPARISON),
                    Punct::NotEq => (B::Ne, COMPARISON),
                    Punct::Less => (B::Lt, COMPARISON),
                    Punct::LessEq => (B::Le, COMPARISON),
                    Punct::Greater => (B::Gt, COMPARISON),
                    Punct::GreaterEq => (B::Ge, COMPARISON),
                    Punct::Plus => (B::Add, SUM),
                    Punct::Minus => (B::Sub, SUM),
                    Punct::Star => (B::Mul, PRODUCT),
                    Punct::Slash => (B::Div, PRODUCT),
                    Punct::Percent => (B::Rem, PRODUCT),
                    _ => return None,
                };
                (Infix::Binary(op), power)
            }
            TokenKind::Name if self.mode == Mode::Ltl => (Infix::Until(until(self.text(token))?), UNTIL),
            _ => return None,
        })
    }

    fn continue_with(&mut self, left: ExprId, infix: &Infix, power: Power) -> ExprId {
        let start = self.span(left);
        let operator = self.bump().span;
        match *infix {
            Infix::And | Infix::Or => {
                let mut operands = vec![left, self.expr(power + 1)];
                while let Some((_, p)) = self.infix()
                    && p == power
                    && !self.panicking
                {
                    self.bump();
                    operands.push(self.expr(power + 1));
                }
                let kind = if power == AND { ExprKind::And(operands) } else { ExprKind::Or(operands) };
                self.push(kind, self.since(start))
            }
            Infix::Until(op) => {
                let right = self.expr(power);
                self.push(ExprKind::TemporalBinary(op, left, right), self.since(start))
            }
            Infix::Binary(op) => {
                if power == COMPARISON
                    && let ExprKind::Binary(before, ..) = self.file.exprs[left].kind
                    && is_comparison(before)
                    && self.parenthesised != Some(left)
                {
                    self.error(operator, "comparisons cannot be chained; join two of them with `and`");
                }
                // Implication binds to the right, the others to the left.
                let right = self.expr(if op == BinaryOp::Implies { power } else { power + 1 });
                self.push(ExprKind::Binary(op, left, right), self.since(start))
            }
        }
    }

    fn prefix(&mut self) -> ExprId {
        let token = self.peek();
        let start = token.span;
        match token.kind {
            TokenKind::Keyword(Keyword::Not) | TokenKind::Punct(Punct::Bang) => {
                self.bump();
                let operand = self.expr(COMPARISON);
                self.push(ExprKind::Not(operand), self.since(start))
            }
            TokenKind::Punct(Punct::Minus) => {
                self.bump();
                let operand = self.expr(NEGATION);
                self.push(ExprKind::Neg(operand), self.since(start))
            }
            TokenKind::Punct(Punct::Box | Punct::Diamond) => {
                if self.mode != Mode::Ltl {
                    self.error(start, "`[]` and `<>` are temporal operators of `ltl` formulas");
                }
                let op = if self.bump().kind == TokenKind::Punct(Punct::Box) {
                    TemporalOp::Globally
                } else {
                    TemporalOp::Finally
                };
                let operand = self.expr(COMPARISON);
                self.push(ExprKind::Temporal(op, operand), self.since(start))
            }
            TokenKind::Keyword(Keyword::Forall) => self.quantified(Quantifier::Forall),
            TokenKind::Keyword(Keyword::Exists) => self.quantified(Quantifier::Exists),
            TokenKind::Keyword(Keyword::Count) => self.count(),
            TokenKind::Keyword(Keyword::If) => self.conditional(),
            TokenKind::Name => match self.temporal_prefix() {
                Some(expr) => expr,
                None => self.postfix(),
            },
            _ => self.postfix(),
        }
    }

    /// Whether the token behind the next one starts an operand: then `F`, `AG` and their kin are operators, and
    /// names otherwise (`c.st == F and …`). A minus is read as one between two operands.
    fn operand_follows(&self) -> bool {
        use Keyword as K;
        match self.peek_second().kind {
            TokenKind::Name | TokenKind::Int => true,
            TokenKind::Keyword(k) => matches!(
                k,
                K::Not | K::Forall | K::Exists | K::Count | K::If | K::True | K::False | K::SelfId | K::None
            ),
            TokenKind::Punct(p) => matches!(p, Punct::ParenOpen | Punct::Bang | Punct::Box | Punct::Diamond),
            TokenKind::End => false,
        }
    }

    fn temporal_prefix(&mut self) -> Option<ExprId> {
        let token = self.peek();
        let start = token.span;
        let word = self.text(token);
        if self.mode == Mode::Ctl
            && let Some(path) = path_quantifier(word)
            && self.peek_second().kind == TokenKind::Punct(Punct::BracketOpen)
        {
            return Some(self.branching_binary(path));
        }
        let (path, op) = temporal(word)?;
        if !self.operand_follows() || (path.is_none() && self.until_follows()) {
            return None;
        }
        match (self.mode, path) {
            (Mode::Ltl, None) => {
                self.bump();
                let operand = self.expr(COMPARISON);
                Some(self.push(ExprKind::Temporal(op, operand), self.since(start)))
            }
            (Mode::Ctl, Some(path)) => {
                self.bump();
                let operand = self.expr(COMPARISON);
                Some(self.push(ExprKind::Branching(path, op, operand), self.since(start)))
            }
            // `G (x)` outside formulas may be a definition's call.
            (Mode::State, _) if self.peek_second().kind == TokenKind::Punct(Punct::ParenOpen) => None,
            (mode, _) => {
                let message = match mode {
                    Mode::Ltl => {
                        format!("`{word}` is an operator of `ctl`; an `ltl` formula has `X`, `F`, `G`, `U`")
                    }
                    Mode::Ctl => format!("`{word}` needs a path quantifier in `ctl`: `A{word}` or `E{word}`"),
                    Mode::State => {
                        format!(
                            "`{word}` is a temporal operator; it can stand in `ltl` and `ctl` properties only"
                        )
                    }
                };
                self.error(start, message);
                Some(self.push(ExprKind::Error, start))
            }
        }
    }

    /// `F U g`, with a literal or variable called `F`: the word behind is an operator between two operands. It is
    /// one only if an operand stands behind it in turn.
    fn until_follows(&self) -> bool {
        let second = self.peek_second();
        if second.kind != TokenKind::Name || until(self.text(second)).is_none() {
            return false;
        }
        let third = self.tokens[(self.at + 2).min(self.tokens.len() - 1)].kind;
        matches!(third, TokenKind::Name | TokenKind::Int | TokenKind::Punct(Punct::ParenOpen | Punct::Bang))
    }

    /// `A[f U g]`; where no `U` comes, `A` was the name of an indexed variable.
    fn branching_binary(&mut self, path: PathQuantifier) -> ExprId {
        let name = self.bump();
        let start = name.span;
        self.bump();
        let left = self.expr(ANY);
        let token = self.peek();
        let op = if token.kind == TokenKind::Name { until(self.text(token)) } else { None };
        if let Some(op) = op {
            self.bump();
            let right = self.expr(ANY);
            self.expect(Punct::BracketClose, "to close the path formula");
            return self.push(ExprKind::BranchingBinary(path, op, left, right), self.since(start));
        }
        let mut indices = vec![left];
        if self.eat(Punct::Comma) {
            indices.extend(self.arguments(Punct::BracketClose, "to close the index"));
        } else if !self.eat(Punct::BracketClose) {
            self.expected("`U`, `R` or `W` in the path formula");
            return self.push(ExprKind::Error, start);
        }
        let base = self.push(ExprKind::Name(self.text(name).to_string()), start);
        let indexed = self.push(ExprKind::Index(base, indices), self.since(start));
        self.postfixes(indexed)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> ExprId {
        let start = self.bump().span;
        let binders = self.binders();
        self.expect(Punct::Colon, "behind the quantifier's domain");
        let body = self.expr(ANY);
        self.push(ExprKind::Quantified(quantifier, binders, body), self.since(start))
    }

    fn count(&mut self) -> ExprId {
        let start = self.bump().span;
        self.expect(Punct::ParenOpen, "behind `count`: it is written `count(x in D: E)`");
        let binders = self.binders();
        self.expect(Punct::Colon, "behind the domain of `count`");
        let body = self.expr(ANY);
        self.expect(Punct::ParenClose, "to close `count`");
        let count = self.push(ExprKind::Quantified(Quantifier::Count, binders, body), self.since(start));
        self.postfixes(count)
    }

    fn conditional(&mut self) -> ExprId {
        let start = self.bump().span;
        let condition = self.expr(ANY);
        if !self.eat_keyword(Keyword::Then) {
            self.expected("`then`");
        }
        let yes = self.expr(ANY);
        if !self.eat_keyword(Keyword::Else) {
            self.expected("`else`: every `if` has both parts");
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
        let low = self.bound();
        if self.eat(Punct::DotDot) {
            return Domain::Range(low, self.bound());
        }
        let span = self.span(low);
        let name = match &self.file.exprs[low].kind {
            ExprKind::Name(name) => name.clone(),
            ExprKind::Error => String::new(),
            _ => {
                self.error(span, "expected a family or a range such as `0..3` here");
                String::new()
            }
        };
        Domain::Family(Ident { name, span })
    }

    fn postfix(&mut self) -> ExprId {
        let start = self.peek().span;
        let primary = self.primary();
        if self.file.exprs[primary].kind == ExprKind::Error || self.span(primary).start != start.start {
            return primary;
        }
        self.postfixes(primary)
    }

    fn postfixes(&mut self, mut base: ExprId) -> ExprId {
        let start = self.span(base);
        while !self.panicking {
            if self.eat(Punct::Dot) {
                let field = self.name("the name of a variable");
                base = self.push(ExprKind::Field(base, field), self.since(start));
            } else if self.eat(Punct::BracketOpen) {
                let indices = self.arguments(Punct::BracketClose, "to close the index");
                base = self.push(ExprKind::Index(base, indices), self.since(start));
            } else {
                break;
            }
        }
        base
    }

    fn arguments(&mut self, close: Punct, context: &str) -> Vec<ExprId> {
        let mut list = Vec::new();
        if self.eat(close) {
            return list;
        }
        loop {
            list.push(self.expr(ANY));
            if self.panicking || !self.eat(Punct::Comma) {
                self.expect(close, context);
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
                    self.bump();
                    self.bump();
                    let arguments = self.arguments(Punct::ParenClose, "to close the arguments");
                    return self.push(ExprKind::Call(Ident { name, span }, arguments), self.since(span));
                }
                ExprKind::Name(name)
            }
            TokenKind::Punct(Punct::ParenOpen) => {
                self.bump();
                let inner = self.expr(ANY);
                self.expect(Punct::ParenClose, "to close the parenthesis");
                let span = self.since(span);
                // The parentheses belong to the expression: a caret under it covers them.
                self.file.exprs[inner].span = span;
                self.parenthesised = Some(inner);
                return inner;
            }
            TokenKind::Keyword(Keyword::Any) => {
                self.error(span, "`any` can only be an initial value by itself: `shared x: bool = any`");
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

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge)
}

fn until(word: &str) -> Option<TemporalBinaryOp> {
    match word {
        "U" => Some(TemporalBinaryOp::Until),
        "R" => Some(TemporalBinaryOp::Release),
        "W" => Some(TemporalBinaryOp::WeakUntil),
        "M" => Some(TemporalBinaryOp::StrongRelease),
        _ => None,
    }
}

fn path_quantifier(word: &str) -> Option<PathQuantifier> {
    match word {
        "A" => Some(PathQuantifier::All),
        "E" => Some(PathQuantifier::Some),
        _ => None,
    }
}

fn temporal(word: &str) -> Option<(Option<PathQuantifier>, TemporalOp)> {
    let (path, rest) = match word {
        "always" => return Some((None, TemporalOp::Globally)),
        "eventually" => return Some((None, TemporalOp::Finally)),
        _ if word.len() == 2 => (Some(path_quantifier(&word[..1])?), &word[1..]),
        _ => (None, word),
    };
    let op = match rest {
        "X" => TemporalOp::Next,
        "F" => TemporalOp::Finally,
        "G" => TemporalOp::Globally,
        _ => return None,
    };
    Some((path, op))
}
