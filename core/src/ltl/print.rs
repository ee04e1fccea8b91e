//! Formulas as text, in the syntax of the modelling language.

use super::formula::{Arena, Formula, FormulaId};
use crate::automaton::Ap;
use crate::limits::MAX_PRINTED_FORMULAS;
use alloc::vec;
use core::fmt;

/// A formula to be displayed, with a name for each proposition.
pub struct Printed<'a, N> {
    arena: &'a Arena,
    formula: FormulaId,
    name: N,
}

impl Arena {
    /// The formula as text. A name that is not a single word or a comparison should come with parentheses.
    ///
    /// ```
    /// use orbitscope_core::ltl::{Ap, Arena};
    /// let mut arena = Arena::new();
    /// let (p, q) = (arena.ap(Ap(0)), arena.ap(Ap(1)));
    /// let (fp, not_q) = (arena.eventually(p), arena.not(q));
    /// let or = arena.or([fp, not_q]);
    /// let f = arena.always(or);
    /// let text = arena.print(f, |ap| format!("p{}", ap.0)).to_string();
    /// assert_eq!(text, "G (F p0 or !p1)");
    /// ```
    pub fn print<D: fmt::Display, N: Fn(Ap) -> D>(&self, formula: FormulaId, name: N) -> Printed<'_, N> {
        Printed { arena: self, formula, name }
    }
}

// How tightly an operator binds.
const OR: u8 = 0;
const AND: u8 = 1;
const BINARY: u8 = 2;
const UNARY: u8 = 3;

enum Piece {
    Text(&'static str),
    Formula(FormulaId, u8),
}

impl<D: fmt::Display, N: Fn(Ap) -> D> fmt::Display for Printed<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Piece::Formula(self.formula, OR)];
        let mut printed = 0;
        while let Some(piece) = todo.pop() {
            let (id, context) = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Formula(id, context) => (id, context),
            };
            printed += 1;
            if printed > MAX_PRINTED_FORMULAS {
                return f.write_str("…");
            }
            let formula = self.arena.get(id);
            let (strength, word) = match formula {
                Formula::True => (UNARY, "true"),
                Formula::False => (UNARY, "false"),
                Formula::Ap(_) => (UNARY, ""),
                Formula::Not(_) => (UNARY, "!"),
                Formula::Next(_) => (UNARY, "X "),
                Formula::Eventually(_) => (UNARY, "F "),
                Formula::Always(_) => (UNARY, "G "),
                Formula::Until(_) => (BINARY, " U "),
                Formula::Release(_) => (BINARY, " R "),
                Formula::WeakUntil(_) => (BINARY, " W "),
                Formula::StrongRelease(_) => (BINARY, " M "),
                Formula::And(_) => (AND, " and "),
                Formula::Or(_) => (OR, " or "),
            };
            if strength < context {
                f.write_str("(")?;
                todo.push(Piece::Text(")"));
            }
            match *formula {
                Formula::Ap(ap) => write!(f, "{}", (self.name)(ap))?,
                Formula::True | Formula::False => f.write_str(word)?,
                Formula::Not(g) | Formula::Next(g) | Formula::Eventually(g) | Formula::Always(g) => {
                    f.write_str(word)?;
                    todo.push(Piece::Formula(g, UNARY));
                }
                Formula::And(ref operands) | Formula::Or(ref operands) => {
                    for (i, &g) in operands.iter().enumerate().rev() {
                        todo.push(Piece::Formula(g, strength + 1));
                        if i > 0 {
                            todo.push(Piece::Text(word));
                        }
                    }
                }
                Formula::Until([g, h])
                | Formula::Release([g, h])
                | Formula::WeakUntil([g, h])
                | Formula::StrongRelease([g, h]) => {
                    // All four associate to the right; parentheses on both sides save the reader from knowing.
                    todo.push(Piece::Formula(h, UNARY));
                    todo.push(Piece::Text(word));
                    todo.push(Piece::Formula(g, UNARY));
                }
            }
        }
        Ok(())
    }
}
