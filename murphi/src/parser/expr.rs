//! Expressions, by the strength of their operators.

use super::{Parser, Read};
use crate::token::TokenKind;
use crate::tree::{Domain, Expr, ExprKind, Quantifier};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use orbitscope_core::limits::MAX_DEPTH;
use orbitscope_core::text::{Diagnostic, Span};

/// The operators that group to the left, from the weakest on. Those that are alike in Murphi have one name.
const LEVELS: &[&[(&str, &str)]] = &[
    &[("^", "^")],
    // Comparisons do not group; they have a level of their own.
    &[("<<", "<<"), (">>", ">>")],
    &[("+", "+"), ("-", "-")],
    &[("*", "*"), ("/", "/"), ("%", "%")],
];

const COMPARISONS: &[(&str, &str)] =
    &[("<=", "<="), (">=", ">="), ("!=", "!="), ("==", "="), ("=", "="), ("<", "<"), (">", ">")];

impl Parser<'_> {
    fn make(&mut self, kind: ExprKind, start: u32) -> Read<Expr> {
        let depth = 1 + children(&kind).into_iter().map(|child| child.depth).max().unwrap_or(0);
        let span = self.since(start);
        if depth > MAX_DEPTH {
            let message = format!("this expression is nested more than {MAX_DEPTH} deep");
            self.diagnostics.push(Diagnostic::too_large(span, message));
            return Err(super::Lost);
        }
        Ok(Expr { kind, span, depth })
    }

    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.nested(Self::choice)
    }

    fn choice(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let condition = self.implication()?;
        if !self.op("?") {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.need_op(":")?;
        let no = self.expr()?;
        self.make(ExprKind::Choice(Box::new(condition), Box::new(yes), Box::new(no)), start)
    }

    fn implication(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let left = self.disjunction()?;
        if !self.op("->") {
            return Ok(left);
        }
        let right = self.nested(Self::implication)?;
        self.make(ExprKind::Binary("->", Box::new(left), Box::new(right)), start)
    }

    fn disjunction(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let mut parts = alloc::vec![self.conjunction()?];
        while self.op("|") || self.op("||") {
            parts.push(self.conjunction()?);
        }
        if parts.len() > 1 { self.make(ExprKind::Or(parts), start) } else { Ok(parts.remove(0)) }
    }

    fn conjunction(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let mut parts = alloc::vec![self.negation()?];
        while self.op("&") || self.op("&&") {
            parts.push(self.negation()?);
        }
        if parts.len() > 1 { self.make(ExprKind::And(parts), start) } else { Ok(parts.remove(0)) }
    }

    fn negation(&mut self) -> Read<Expr> {
        let start = self.span().start;
        if self.op("!") {
            let inner = self.nested(Self::negation)?;
            return self.make(ExprKind::Not(Box::new(inner)), start);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let left = self.binary(0)?;
        let Some((_, op)) = COMPARISONS.iter().find(|(text, _)| self.is_op(text)) else { return Ok(left) };
        self.step();
        let right = self.binary(0)?;
        if COMPARISONS.iter().any(|(text, _)| self.is_op(text)) {
            let message = "comparisons do not stand in a row: use parentheses";
            self.diagnostics.push(Diagnostic::new(self.span(), message));
            return Err(super::Lost);
        }
        self.make(ExprKind::Binary(op, Box::new(left), Box::new(right)), start)
    }

    fn binary(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let start = self.span().start;
        let mut left = self.binary(level + 1)?;
        while let Some((_, op)) = operators.iter().find(|(text, _)| self.is_op(text)) {
            self.step();
            let right = self.binary(level + 1)?;
            left = self.make(ExprKind::Binary(op, Box::new(left), Box::new(right)), start)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span().start;
        for (op, make) in
            [("-", ExprKind::Neg as fn(Box<Expr>) -> ExprKind), ("~", ExprKind::Flip), ("!", ExprKind::Not)]
        {
            if self.op(op) {
                let inner = self.nested(Self::unary)?;
                return self.make(make(Box::new(inner)), start);
            }
        }
        if self.op("+") {
            return self.nested(Self::unary);
        }
        self.postfix()
    }

    pub(super) fn postfix(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let mut expr = self.operand()?;
        loop {
            if self.op(".") {
                let name = self.name()?;
                expr = self.make(ExprKind::Field(Box::new(expr), name), start)?;
            } else if self.op("[") {
                let index = self.expr()?;
                self.need_op("]")?;
                expr = self.make(ExprKind::Index(Box::new(expr), Box::new(index)), start)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn operand(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let kind = match self.kind().clone() {
            TokenKind::Int(value) => {
                self.step();
                ExprKind::Int(value)
            }
            TokenKind::Name(text) => {
                let name = self.name()?;
                if self.op("(") { ExprKind::Call(name, self.arguments()?) } else { ExprKind::Name(text) }
            }
            TokenKind::Op("(") => {
                self.step();
                let inner = self.expr()?;
                self.need_op(")")?;
                return Ok(Expr { span: Span::new(start, self.before()), ..inner });
            }
            TokenKind::Word(word @ ("forall" | "exists")) => {
                self.step();
                let quantifier = self.quantifier()?;
                self.need_word("do")?;
                let body = self.expr()?;
                let own = if word == "forall" { "endforall" } else { "endexists" };
                self.end(own, Span::new(start, start + word.len() as u32))?;
                ExprKind::Quantified(word == "forall", Box::new(quantifier), Box::new(body))
            }
            TokenKind::Word("isundefined") => {
                self.step();
                self.need_op("(")?;
                let place = self.expr()?;
                self.need_op(")")?;
                ExprKind::IsUndefined(Box::new(place))
            }
            TokenKind::Word("ismember") => {
                self.step();
                self.need_op("(")?;
                let value = self.expr()?;
                self.need_op(",")?;
                let ty = self.ty()?;
                self.need_op(")")?;
                ExprKind::IsMember(Box::new(value), Box::new(ty))
            }
            TokenKind::Word("multisetcount") => {
                self.step();
                let (name, set, condition) = self.counted()?;
                ExprKind::Count(name, Box::new(set), Box::new(condition))
            }
            _ => return self.expected("an expression"),
        };
        self.make(kind, start)
    }

    /// `(i: set, condition)`
    pub(super) fn counted(&mut self) -> Read<(crate::tree::Name, Expr, Expr)> {
        self.need_op("(")?;
        let name = self.name()?;
        self.need_op(":")?;
        let set = self.expr()?;
        self.need_op(",")?;
        let condition = self.expr()?;
        self.need_op(")")?;
        Ok((name, set, condition))
    }

    /// Arguments behind the first parenthesis.
    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        let mut arguments = Vec::new();
        while !self.op(")") {
            arguments.push(self.expr()?);
            if !self.op(",") {
                self.need_op(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    pub(super) fn quantifier(&mut self) -> Read<Quantifier> {
        let name = self.name()?;
        let domain = if self.op(":=") {
            let low = self.expr()?;
            self.need_word("to")?;
            let high = self.expr()?;
            let by = if self.word("by") { Some(self.expr()?) } else { None };
            Domain::Steps(low, high, by)
        } else {
            self.need_op(":")?;
            Domain::Type(self.ty()?)
        };
        Ok(Quantifier { name, domain })
    }
}

/// The expressions that an expression is made of.
pub(crate) fn children(kind: &ExprKind) -> Vec<&Expr> {
    match kind {
        ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
        ExprKind::Field(a, _)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Flip(a)
        | ExprKind::IsUndefined(a)
        | ExprKind::IsMember(a, _) => alloc::vec![&**a],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Count(_, a, b) => {
            alloc::vec![&**a, &**b]
        }
        ExprKind::Choice(a, b, c) => alloc::vec![&**a, &**b, &**c],
        ExprKind::Call(_, list) | ExprKind::And(list) | ExprKind::Or(list) => list.iter().collect(),
        ExprKind::Quantified(_, quantifier, body) => match &quantifier.domain {
            Domain::Steps(low, high, by) => {
                [low, high].into_iter().chain(by.as_ref()).chain([&**body]).collect()
            }
            Domain::Type(_) => alloc::vec![&**body],
        },
    }
}
