//! Expressions without temporal operators, at the positions of a graph.

use super::{Checker, Position, Process};
use crate::support::oracle::{Moment, Scope};
use orbitscope_core::syntax::ast::ExprId;
use std::cell::Cell;

impl<'a> Checker<'a> {
    pub(super) fn atom(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: usize,
        executed: Option<Process>,
    ) -> bool {
        self.atom_asking(expr, scope, (state, executed), &Cell::default())
    }

    /// The same; notes whether it asks who executes.
    fn atom_asking(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        (state, executed): (usize, Option<Process>),
        asked: &Cell<bool>,
    ) -> bool {
        let moment = Moment { enabled: &self.enabled[state], executed, asked: Some(asked) };
        let value = self.oracle.holds(expr, scope, &self.graph.states[state], moment);
        let instead = |wrong| {
            self.replaced.set(true);
            self.faulty.ok_or(wrong)
        };
        value.or_else(instead).expect("a property is well defined")
    }

    /// The value at each position. Those of one state follow each other: where nothing asks who executes, one is evaluated for all.
    pub(super) fn values(&self, expr: ExprId, scope: &Scope<'a>) -> Vec<bool> {
        let mut known = None;
        let value = |position: &Position| match known {
            Some((state, value)) if state == position.state => value,
            _ => {
                let asked = Cell::default();
                let value = self.atom_asking(expr, scope, (position.state, position.executed), &asked);
                known = (!asked.get()).then_some((position.state, value));
                value
            }
        };
        self.positions.iter().map(value).collect()
    }
}
