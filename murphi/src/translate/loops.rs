//! Loops: `for` over types and steps.

use super::Translator;
use super::defined::Turns;
use super::scope::{Entity, Val, strength};
use super::stmt::may_return;
use super::types::{Bound, ERROR, Ty, TyId};
use crate::marks::failing;
use crate::tree::{Domain, Expr, ExprKind, Quantifier, Stmt};
use alloc::format;
use orbitscope_core::text::Span;

impl Translator<'_> {
    pub(super) fn for_stmt(&mut self, quantifier: &Quantifier, body: &[Stmt], span: Span) {
        if self.dynamic_steps(quantifier, body, span) {
            return;
        }
        let lines = self.lines.len();
        let before = self.defined.covered.clone();
        let (mut turns, mut surely, mut over) = (Turns::default(), true, None);
        for choice in self.choices(quantifier) {
            let depth = self.scope.len();
            self.scope.push((quantifier.name.text.clone(), Entity::Value(choice.val.clone())));
            let name = choice.val.text();
            // With steps it is not all values.
            let every = choice.binder.as_ref().is_none_or(|(_, own)| *own == name);
            if every {
                self.loops.push((name.clone(), choice.over));
            }
            match &choice.binder {
                Some((binder, _)) => {
                    self.marked_line(&format!("for {binder} {{"), span);
                    self.turn(body, true);
                    self.line("}");
                    surely &= self.is_filled(choice.over);
                    over = Some(choice.over);
                }
                None => self.turn(body, false),
            }
            if every {
                self.loops.pop();
            }
            turns.turn(&name, &self.defined.covered);
            if choice.binder.is_some() && self.is_empty(quantifier, choice.over) {
                // Its body has been checked, and that is all.
                self.lines.truncate(lines);
            }
            self.scope.truncate(depth);
            if let Some((_, name)) = choice.binder {
                self.release(&name);
            }
        }
        if body.iter().any(may_return) {
            self.defined.covered = before;
            return;
        }
        let (mut all, mut least) = (core::mem::take(&mut self.defined.covered), before);
        turns.ended(&mut all);
        turns.ended(&mut least);
        // A constant may be set so that there is no turn: then what the turns assign is not assigned.
        let matters = !all.is_subset(&least);
        let surely = surely || (matters && self.must_be_filled(over, span));
        self.defined.covered = if surely { all } else { least };
    }

    /// Writes that a range is not empty, where it is not with the constants as they are.
    fn must_be_filled(&mut self, over: Option<TyId>, span: Span) -> bool {
        let Some(Ty::Range(low, high)) = over.map(|id| self.ty(id).clone()) else { return false };
        if low.value > high.value {
            return false;
        }
        let name = self.local_name("filled");
        let fails =
            failing("with these constants the loop has no turn, and leaves undefined what it assigns");
        self.marked_line(&format!("let {name} = {} <= {} or {fails} == 0", low.text, high.text), span);
        true
    }

    /// One turn of a loop; none is made behind a `return`.
    fn turn(&mut self, body: &[Stmt], braces: bool) {
        match self.returning.flag.clone() {
            Some(flag) if body.iter().any(may_return) => {
                self.indent += usize::from(braces);
                self.line(&format!("if not {flag} {{"));
                self.block(body);
                self.line("}");
                self.indent -= usize::from(braces);
            }
            _ if braces => self.block(body),
            _ => self.stmts(body),
        }
    }

    /// Whether a loop surely has no turn, whatever the constants are set to.
    fn is_empty(&self, quantifier: &Quantifier, over: TyId) -> bool {
        let Domain::Steps(_, _, by) = &quantifier.domain else { return false };
        let down = by.as_ref().is_some_and(|by| !matches!(by.kind, ExprKind::Int(_)));
        matches!(self.ty(over), Ty::Range(low, high)
            if !down && low.literal() && high.literal() && low.value > high.value)
    }

    /// Whether a type surely has a value, whatever the constants are set to.
    fn is_filled(&self, id: TyId) -> bool {
        match self.ty(id) {
            Ty::Range(low, high) => low.literal() && high.literal() && low.value <= high.value,
            _ => true,
        }
    }

    /// `for i := a to b` with bounds that are no fixed numbers: over all numbers of their types, and in between.
    fn dynamic_steps(&mut self, quantifier: &Quantifier, body: &[Stmt], span: Span) -> bool {
        let Domain::Steps(low, high, by) = &quantifier.domain else { return false };
        let (a, b) = (self.expr(low), self.expr(high));
        if a.number.is_some() && b.number.is_some() {
            return false;
        }
        if by.is_some() {
            self.error(span, "steps between bounds that are no fixed numbers are not translated");
            return true;
        }
        let (Some((lowest, _)), Some((_, highest))) = (self.interval(low), self.interval(high)) else {
            if a.ty != ERROR && b.ty != ERROR {
                self.error(span, "the bounds of a loop are numbers, variables of a range, or both");
            }
            return true;
        };
        let (from, to) = (self.local_name("from"), self.local_name("to"));
        let (first, last) = (self.needed(&a), self.needed(&b));
        self.line(&format!("let {from} = {first}"));
        self.line(&format!("let {to} = {last}"));
        let out = self.local_name(&quantifier.name.text);
        self.marked_line(&format!("for {out} in ({})..({}) {{", lowest.text, highest.text), span);
        self.indent += 1;
        self.line(&format!("if {from} <= {out} and {out} <= {to} {{"));
        let ty = self.enter(Ty::Range(lowest, highest), None);
        let mut val = Val::new(out, ty, strength::ATOM).stable();
        self.refine(&mut val, None);
        let depth = self.scope.len();
        self.scope.push((quantifier.name.text.clone(), Entity::Value(val)));
        let before = self.defined.covered.clone();
        self.block(body);
        self.defined.covered = before;
        self.scope.truncate(depth);
        self.line("}");
        self.indent -= 1;
        self.line("}");
        true
    }

    /// The least and the greatest value that a number can have by its type.
    fn interval(&mut self, expr: &Expr) -> Option<(Bound, Bound)> {
        let val = self.place(expr);
        if let Some(value) = val.number {
            let bound = Bound { text: val.operand(strength::MUL), value };
            return Some((bound.clone(), bound));
        }
        if let Ty::Range(low, high) = self.ty(val.ty) {
            return Some((low.clone(), high.clone()));
        }
        let ExprKind::Binary(op @ ("+" | "-"), a, b) = &expr.kind else { return None };
        let ((a, up_to_a), (b, up_to_b)) = (self.interval(a)?, self.interval(b)?);
        let joined = |x: &Bound, y: &Bound| Bound {
            text: format!("({}) {op} ({})", x.text, y.text),
            value: if *op == "+" { x.value.saturating_add(y.value) } else { x.value.saturating_sub(y.value) },
        };
        Some(if *op == "+" {
            (joined(&a, &b), joined(&up_to_a, &up_to_b))
        } else {
            (joined(&a, &up_to_b), joined(&up_to_a, &b))
        })
    }
}
