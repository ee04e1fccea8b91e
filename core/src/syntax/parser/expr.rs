//! Expressions, by precedence climbing. From weak to strong: `<=>`, `=>`, `or`, `and`, `U R W M`,
//! `not X F G AX …`, comparisons, `+ -`, `* / %`, unary `-`, indices and fields.

use super::super::ast::{
    BinaryOp, ExprId, ExprKind, PathQuantifier, Quantifier, TemporalBinaryOp, TemporalOp,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::temporal::until;
use super::{Mode, Parser};
use crate::limits::MAX_DEPTH;
use crate::text::{Diagnostic, Span};
use alloc::vec;

/// How strongly an operator binds.
pub(super) type Power = u8;
pub(super) const ANY: Power = 0;
const IFF: Power = 1;
const IMPLIES: Power = 2;
const OR: Power = 3;
const AND: Power = 4;
const UNTIL: Power = 5;
pub(super) const COMPARISON: Power = 7;
const SUM: Power = 8;
const PRODUCT: Power = 9;
const NEGATION: Power = 10;

pub(super) enum Infix {
    And,
    Or,
    Binary(BinaryOp),
    Is,
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
        self.misplaced_until();
        self.mode = outer;
        expr
    }

    /// A bound of a range: binds stronger than a comparison, so that `x: 0..n = 0` reads as meant.
    pub(super) fn bound(&mut self) -> ExprId {
        self.expr(SUM)
    }

    pub(super) fn expr(&mut self, min: Power) -> ExprId {
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
    pub(super) fn infix(&self) -> Option<(Infix, Power)> {
        use BinaryOp as B;
        let temporal = self.mode != Mode::State;
        let token = self.peek();
        Some(match token.kind {
            TokenKind::Keyword(Keyword::And) | TokenKind::Punct(Punct::AndAnd) => (Infix::And, AND),
            TokenKind::Keyword(Keyword::Or) | TokenKind::Punct(Punct::OrOr | Punct::Bar) => (Infix::Or, OR),
            TokenKind::Keyword(Keyword::In) => (Infix::Binary(B::In), COMPARISON),
            TokenKind::Name if self.is_word("is") && self.peek_second().kind == TokenKind::Name => {
                (Infix::Is, COMPARISON)
            }
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

    /// Takes an operator. `|` stands between families only; elsewhere it is read as what was meant.
    fn operator(&mut self) -> Span {
        let token = self.bump();
        if token.kind == TokenKind::Punct(Punct::Bar) {
            let message = "`|` is no operator; write `or` or `||`";
            self.diagnostics.push(Diagnostic::new(token.span, message));
        }
        token.span
    }

    fn continue_with(&mut self, left: ExprId, infix: &Infix, power: Power) -> ExprId {
        let start = self.span(left);
        let operator = self.operator();
        match *infix {
            Infix::Is => {
                let family = self.name("the name of a family");
                self.push(ExprKind::Is(left, family), self.since(start))
            }
            Infix::And | Infix::Or => {
                let mut operands = vec![left, self.expr(power + 1)];
                while let Some((_, p)) = self.infix()
                    && p == power
                    && !self.panicking
                {
                    self.operator();
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
                if !matches!(self.mode, Mode::Ltl | Mode::Mu) {
                    self.error(start, "`[]` and `<>` are operators of `ltl` and `mu` formulas");
                }
                let all = self.bump().kind == TokenKind::Punct(Punct::Box);
                let operand = self.expr(COMPARISON);
                // In the mu-calculus they speak of one step, in linear time of all that comes.
                let kind = match (self.mode, all) {
                    (Mode::Mu, true) => ExprKind::Branching(PathQuantifier::All, TemporalOp::Next, operand),
                    (Mode::Mu, false) => ExprKind::Branching(PathQuantifier::Some, TemporalOp::Next, operand),
                    (_, true) => ExprKind::Temporal(TemporalOp::Globally, operand),
                    (_, false) => ExprKind::Temporal(TemporalOp::Finally, operand),
                };
                self.push(kind, self.since(start))
            }
            TokenKind::Keyword(Keyword::Forall) => self.quantified(Quantifier::Forall),
            TokenKind::Keyword(Keyword::Exists) => self.quantified(Quantifier::Exists),
            TokenKind::Keyword(Keyword::Count) => self.tallied(Quantifier::Count),
            TokenKind::Keyword(Keyword::If) => self.conditional(),
            TokenKind::Name => match self.temporal_prefix() {
                Some(expr) => expr,
                None => self.postfix(),
            },
            _ => self.postfix(),
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge | B::In)
}
