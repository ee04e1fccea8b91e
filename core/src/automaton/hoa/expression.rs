//! The two kinds of expressions: acceptance conditions and labels.

use super::error::{HoaError, HoaErrorKind as Kind, Span};
use super::lexer::Token;
use super::read::{Acceptance, Reader, error};
use crate::automaton::{Ap, Bdd, Marks, TgbaError};
use crate::limits::MAX_PROPOSITIONS;
use crate::sort::Sort as _;
use alloc::vec::Vec;

impl Reader<'_> {
    // A conjunction of Inf(i), or t; parentheses only group what is associative.
    pub(super) fn acceptance(&mut self) -> Result<(), HoaError> {
        let (count, start) = self.number("the number of acceptance sets")?;
        let (mut infinite, mut open) = (Vec::new(), 0u32);
        loop {
            while self.eat('(')? {
                open += 1;
            }
            match &self.token {
                Token::Identifier(word) if word == "t" => drop(self.advance()?),
                Token::Identifier(word) if word == "Inf" => {
                    self.advance()?;
                    if !self.eat('(')? {
                        return self.expected("( after Inf");
                    }
                    if self.token == Token::Sign('!') {
                        return error(Kind::Acceptance("the complement of a set".into()), &self.span);
                    }
                    let (number, span) = self.number("an acceptance set's number")?;
                    if number >= count {
                        return error(Kind::UnknownSet { number, count }, &span);
                    }
                    if !self.eat(')')? {
                        return self.expected(") after the acceptance set's number");
                    }
                    infinite.push(number);
                }
                Token::Identifier(word) => return error(Kind::Acceptance(word.clone()), &self.span),
                _ => return self.expected("an acceptance condition"),
            }
            while open > 0 && self.eat(')')? {
                open -= 1;
            }
            if self.token == Token::Sign('|') {
                return error(Kind::Acceptance("a disjunction".into()), &self.span);
            }
            if !self.eat('&')? {
                break;
            }
        }
        if open > 0 {
            return self.expected(") in the acceptance condition");
        }
        infinite.arrange();
        infinite.dedup();
        let span = start.start..self.span.start;
        if infinite.len() > Marks::MAX as usize {
            return error(Kind::Automaton(TgbaError::TooManySets(infinite.len() as u32)), &span);
        }
        self.header.acceptance = Some(Acceptance { count, infinite, span });
        Ok(())
    }

    // Precedence: ! before & before |. Operands and pending operators are on stacks, so that nesting costs no recursion.
    pub(super) fn label_expression(&mut self, used: &mut Vec<(u32, Span)>) -> Result<Bdd, HoaError> {
        let start = self.span.start;
        let (mut operands, mut pending): (Vec<Bdd>, Vec<char>) = (Vec::new(), Vec::new());
        loop {
            // An operand, with what stands before it.
            loop {
                if self.eat('!')? {
                    pending.push('!');
                } else if self.eat('(')? {
                    pending.push('(');
                } else {
                    break;
                }
            }
            let operand = match &self.token {
                Token::Number(n) => {
                    let n = *n;
                    used.push((n, self.span.clone()));
                    self.bdds.proposition(Ap(n.min(MAX_PROPOSITIONS as u32 - 1)), true)
                }
                Token::Alias(name) => match self.header.aliases.iter().find(|(a, _)| a == name) {
                    Some((_, letters)) => letters.clone(),
                    None => return error(Kind::UnknownAlias(name.clone()), &self.span),
                },
                Token::Identifier(word) if word == "t" => Bdd::TRUE,
                Token::Identifier(word) if word == "f" => Bdd::FALSE,
                _ => return self.expected("a proposition's number, an alias, t or f"),
            };
            self.advance()?;
            operands.push(operand);
            // The operators that follow it.
            loop {
                let strength = match self.token {
                    Token::Sign('&') => 2,
                    Token::Sign('|') => 1,
                    _ => 0,
                };
                self.apply(&mut operands, &mut pending, strength);
                if self.token == Token::Sign(')') && pending.last() == Some(&'(') {
                    pending.pop();
                    self.advance()?;
                } else if strength > 0 {
                    pending.push(if strength == 2 { '&' } else { '|' });
                    self.advance()?;
                    break;
                } else if pending.is_empty() {
                    if self.bdds.overflowed() {
                        return error(Kind::LabelTooLarge, &(start..self.span.start));
                    }
                    return Ok(operands.pop().unwrap_or(Bdd::FALSE));
                } else {
                    return self.expected("), & or |");
                }
            }
        }
    }

    // Applies the pending operators that bind at least as strongly as the next one.
    fn apply(&mut self, operands: &mut Vec<Bdd>, pending: &mut Vec<char>, strength: u32) {
        while let Some(&operator) = pending.last() {
            let binds = match operator {
                '!' => 3,
                '&' => 2,
                '|' => 1,
                _ => break,
            };
            if binds < strength {
                break;
            }
            pending.pop();
            let Some(right) = operands.pop() else { break };
            let result = match (operator, operands.pop()) {
                ('&', Some(left)) => self.bdds.and(&left, &right),
                ('|', Some(left)) => self.bdds.or(&left, &right),
                (_, left) => {
                    operands.extend(left);
                    self.bdds.not(&right)
                }
            };
            operands.push(result);
        }
    }
}
