//! Temporal operators. Their words are no keywords: `F`, `U` or `A` is an operator where an operand follows in the right
//! logic, and a name elsewhere, so that a model may have literals with these names.

use super::super::ast::{ExprId, ExprKind, Fixpoint, PathQuantifier, TemporalBinaryOp, TemporalOp};
use super::super::token::{Punct, TokenKind};
use super::expr::{ANY, COMPARISON};
use super::operand::starts_operand;
use super::{Mode, Parser};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

impl Parser<'_> {
    /// Whether `U` or its kin stands behind an operand where it cannot; a message says where it can.
    pub(super) fn misplaced_until(&mut self) -> bool {
        let token = self.peek();
        let between = self.mode == Mode::State && self.statements > 0;
        if self.panicking || between || !self.behind_operand() || token.kind != TokenKind::Name {
            return false;
        }
        let word = self.text(token);
        if until(word).is_none() {
            return false;
        }
        let message = match self.mode {
            Mode::State => only_in_formulas(word),
            Mode::Ctl => {
                format!("`{word}` needs a path quantifier in `ctl`: `A[f {word} g]` or `E[f {word} g]`")
            }
            Mode::Mu => not_of_mu(word),
            Mode::Ltl => return false,
        };
        self.error(token.span, message);
        true
    }

    pub(super) fn temporal_prefix(&mut self) -> Option<ExprId> {
        let token = self.peek();
        let start = token.span;
        let word = self.text(token);
        if self.mode == Mode::Ctl
            && let Some(path) = path_quantifier(word)
            && self.peek_second().kind == TokenKind::Punct(Punct::BracketOpen)
        {
            return Some(self.branching_binary(path));
        }
        if let Some(kind) = fixpoint(word)
            && self.fixpoint_follows()
        {
            return Some(self.fixpoint(kind));
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
            // Behind a literal the next statement may start.
            (Mode::State, _) if self.statements > 0 || self.code_follows() => None,
            (mode, _) => {
                let message = match mode {
                    Mode::Ltl => {
                        format!("`{word}` is an operator of `ctl`; an `ltl` formula has `X`, `F`, `G`, `U`")
                    }
                    Mode::Ctl => {
                        let letter = match op {
                            TemporalOp::Next => 'X',
                            TemporalOp::Finally => 'F',
                            TemporalOp::Globally => 'G',
                        };
                        format!("`{word}` needs a path quantifier in `ctl`: `A{letter}` or `E{letter}`")
                    }
                    Mode::Mu => not_of_mu(word),
                    Mode::State => only_in_formulas(word),
                };
                self.error(start, message);
                Some(self.push(ExprKind::Error, start))
            }
        }
    }

    /// Whether the word is followed by a name and a dot: nothing else looks like `mu X. f`.
    fn fixpoint_follows(&self) -> bool {
        let dot = self.tokens[(self.at + 2).min(self.tokens.len() - 1)];
        self.peek_second().kind == TokenKind::Name && dot.kind == TokenKind::Punct(Punct::Dot)
    }

    /// `mu X. f`, whose body reaches as far right as it can.
    fn fixpoint(&mut self, kind: Fixpoint) -> ExprId {
        let word = self.bump();
        let start = word.span;
        if self.mode != Mode::Mu {
            let word = self.text(word);
            self.error(
                start,
                format!("`{word} X. f` is a fixed point; it can stand in `mu` properties only"),
            );
        }
        let name = self.name("the fixed point's variable");
        self.expect(Punct::Dot, "and the fixed point's formula");
        self.need("the fixed point's formula");
        let body = self.expr(ANY);
        self.push(ExprKind::Fixpoint(kind, name, body), self.since(start))
    }

    /// `F U g`, with a literal or variable called `F`: the word behind is an operator between two operands. It is
    /// one only if an operand stands behind it in turn.
    fn until_follows(&self) -> bool {
        let second = self.peek_second();
        if second.kind != TokenKind::Name || until(self.text(second)).is_none() {
            return false;
        }
        starts_operand(self.tokens[(self.at + 2).min(self.tokens.len() - 1)].kind)
    }

    /// `A[f U g]`; where no `U` comes, `A` was the name of an indexed variable.
    fn branching_binary(&mut self, path: PathQuantifier) -> ExprId {
        let name = self.bump();
        let start = name.span;
        let open = self.bump().span;
        let left = self.expr(ANY);
        let token = self.peek();
        let op = if token.kind == TokenKind::Name { until(self.text(token)) } else { None };
        if let Some(op) = op {
            self.bump();
            let right = self.expr(ANY);
            self.close(Punct::BracketClose, open, "to close the path formula");
            return self.push(ExprKind::BranchingBinary(path, op, left, right), self.since(start));
        }
        let mut indices = vec![left];
        if self.eat(Punct::Comma) {
            indices.extend(self.arguments(Punct::BracketClose, open, "to close the index"));
        } else if !self.eat(Punct::BracketClose) {
            self.expected_with("`U`, `R` or `W` in the path formula", Some(open));
            return self.push(ExprKind::Error, start);
        }
        let base = self.push(ExprKind::Name(self.text(name).to_string()), start);
        let indexed = self.push(ExprKind::Index(base, indices), self.since(start));
        self.postfixes(indexed)
    }

    /// `A[f U g]` in an `ltl` formula.
    pub(super) fn path_formula(&mut self, base: ExprId, indices: &[ExprId]) {
        if let ExprKind::Name(name) = &self.file.exprs[base].kind
            && path_quantifier(name).is_some()
            && let [index] = indices
            && let ExprKind::TemporalBinary(..) = self.file.exprs[*index].kind
        {
            let message =
                format!("`{name}[… U …]` is an operator of `ctl`; an `ltl` formula speaks of every path");
            self.error(self.span(base), message);
        }
    }
}

fn not_of_mu(word: &str) -> String {
    format!("`{word}` is no operator of `mu` formulas, which have `<>`, `[]`, `mu X. f` and `nu X. f`")
}

fn fixpoint(word: &str) -> Option<Fixpoint> {
    match word {
        "mu" => Some(Fixpoint::Least),
        "nu" => Some(Fixpoint::Greatest),
        _ => None,
    }
}

fn only_in_formulas(word: &str) -> String {
    format!("`{word}` is a temporal operator; it can stand in `ltl` and `ctl` properties only")
}

pub(super) fn until(word: &str) -> Option<TemporalBinaryOp> {
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
        _ => match word.split_at_checked(1) {
            Some((path, rest)) if rest.len() == 1 => (Some(path_quantifier(path)?), rest),
            _ => (None, word),
        },
    };
    let op = match rest {
        "X" => TemporalOp::Next,
        "F" => TemporalOp::Finally,
        "G" => TemporalOp::Globally,
        _ => return None,
    };
    Some((path, op))
}
