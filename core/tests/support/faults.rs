//! Where a property has a fault, by the reference: every part without temporal operators is evaluated in every state, from
//! left to right and no further than needed. What has temporal operators has no value in a state, but its parts without them
//! may decide it. This walks the tree as it was parsed and asks the naive interpreter.

use super::oracle::{Moment, Scope, Wrong};
use super::temporal::{Checker, Position};
use orbitscope_core::syntax::ast::{BinaryOp, ExprId, ExprKind, ItemKind, Quantifier};

/// The truth of a formula in a state, as far as it is known.
type Known = Result<Option<bool>, Wrong>;

/// A formula with the names bound around it and the variables of the fixed points around it.
type Root<'a> = (ExprId, Scope<'a>, Vec<&'a str>);

impl<'a> Checker<'a> {
    /// The states in which evaluating a formula has a fault, for some step that leaves them.
    pub(crate) fn faults(&self, property: &str) -> Vec<bool> {
        let mut faults = vec![false; self.graph.states.len()];
        if let ItemKind::Property { formula, .. } = self.item(property) {
            for (root, scope, mut around) in self.roots(*formula, &Scope::default(), &[]) {
                for position in &self.positions {
                    faults[position.state] |= self.known(root, &scope, position, &mut around).is_err();
                }
            }
        }
        faults
    }

    /// Where evaluation starts: the formula, and what stands under a temporal operator or a fixed point in it.
    fn roots(&self, expr: ExprId, scope: &Scope<'a>, around: &[&'a str]) -> Vec<Root<'a>> {
        let mut roots = vec![(expr, scope.clone(), around.to_vec())];
        self.inner_roots(expr, scope, around, &mut roots);
        roots
    }

    fn inner_roots(&self, expr: ExprId, scope: &Scope<'a>, around: &[&'a str], roots: &mut Vec<Root<'a>>) {
        if !self.reaches_out(expr, around) {
            return;
        }
        let (anew, parts): (bool, Vec<ExprId>) = match &self.oracle.file.exprs[expr].kind {
            ExprKind::Temporal(_, a) | ExprKind::Branching(_, _, a) => (true, vec![*a]),
            ExprKind::TemporalBinary(_, a, b) | ExprKind::BranchingBinary(_, _, a, b) => (true, vec![*a, *b]),
            ExprKind::Fixpoint(_, name, body) => {
                let around = [around, &[name.name.as_str()]].concat();
                roots.extend(self.roots(*body, scope, &around));
                return;
            }
            ExprKind::Quantified(_, binders, body) => {
                for inner in self.scopes(binders, scope) {
                    self.inner_roots(*body, &inner, around, roots);
                }
                return;
            }
            ExprKind::Not(a) => (false, vec![*a]),
            ExprKind::And(list) | ExprKind::Or(list) => (false, list.clone()),
            ExprKind::Binary(_, a, b) => (false, vec![*a, *b]),
            ExprKind::If(a, b, c) => (false, vec![*a, *b, *c]),
            _ => (false, Vec::new()),
        };
        for part in parts {
            if anew {
                roots.extend(self.roots(part, scope, around));
            } else {
                self.inner_roots(part, scope, around, roots);
            }
        }
    }

    /// Whether some part of a formula without temporal operators would have a fault somewhere, if it were evaluated there.
    pub(crate) fn has_risk(&self, property: &str) -> bool {
        let ItemKind::Property { formula, .. } = self.item(property) else { return false };
        self.parts_of(*formula, &[]).into_iter().any(|part| {
            let value = |at: &Position| self.known(part, &Scope::default(), at, &mut Vec::new());
            self.positions.iter().any(|at| value(at).is_err())
        })
    }

    /// The largest parts without temporal operators.
    fn parts_of(&self, expr: ExprId, around: &[&'a str]) -> Vec<ExprId> {
        if !self.reaches_out(expr, around) {
            return vec![expr];
        }
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Not(a) | ExprKind::Temporal(_, a) | ExprKind::Branching(_, _, a) => {
                self.parts_of(*a, around)
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                list.iter().flat_map(|&a| self.parts_of(a, around)).collect()
            }
            ExprKind::Binary(_, a, b) => {
                [*a, *b].into_iter().flat_map(|a| self.parts_of(a, around)).collect()
            }
            ExprKind::If(a, b, c) => {
                [*a, *b, *c].into_iter().flat_map(|a| self.parts_of(a, around)).collect()
            }
            ExprKind::Fixpoint(_, name, body) => {
                self.parts_of(*body, &[around, &[name.name.as_str()]].concat())
            }
            _ => Vec::new(),
        }
    }

    /// Whether an expression has no value in a state alone: `around` are the variables of the fixed points around it.
    fn reaches_out(&self, expr: ExprId, around: &[&'a str]) -> bool {
        let inside = |e: &ExprId| self.reaches_out(*e, around);
        self.is_temporal(expr)
            || match &self.oracle.file.exprs[expr].kind {
                ExprKind::Name(name) => around.contains(&name.as_str()),
                ExprKind::Not(a) | ExprKind::Quantified(_, _, a) => inside(a),
                ExprKind::And(list) | ExprKind::Or(list) => list.iter().any(inside),
                ExprKind::Binary(_, a, b) => inside(a) || inside(b),
                ExprKind::If(a, b, c) => inside(a) || inside(b) || inside(c),
                _ => false,
            }
    }

    fn known(&self, expr: ExprId, scope: &Scope<'a>, at: &Position, around: &mut Vec<&'a str>) -> Known {
        if !self.reaches_out(expr, around) {
            let moment = Moment { enabled: &self.enabled[at.state], executed: at.executed, asked: None };
            return self.oracle.holds(expr, scope, &self.graph.states[at.state], moment).map(Some);
        }
        match &self.oracle.file.exprs[expr].kind {
            ExprKind::Not(a) => Ok(self.known(*a, scope, at, around)?.map(|a| !a)),
            ExprKind::And(list) => self.list(list, false, scope, at, around),
            ExprKind::Or(list) => self.list(list, true, scope, at, around),
            ExprKind::Binary(BinaryOp::Implies, a, b) => match self.known(*a, scope, at, around)? {
                Some(false) => Ok(Some(true)),
                Some(true) => self.known(*b, scope, at, around),
                None => Ok(self.known(*b, scope, at, around)?.filter(|&b| b)),
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.known(*a, scope, at, around)?, self.known(*b, scope, at, around)?);
                Ok(a.zip(b).map(|(a, b)| (a == b) != (*op == BinaryOp::Ne)))
            }
            ExprKind::If(c, yes, no) => match self.known(*c, scope, at, around)? {
                Some(true) => self.known(*yes, scope, at, around),
                Some(false) => self.known(*no, scope, at, around),
                None => {
                    let yes = self.known(*yes, scope, at, around)?;
                    Ok(self.known(*no, scope, at, around)?.filter(|&no| yes == Some(no)))
                }
            },
            ExprKind::Quantified(_, binders, body) => {
                for inner in self.scopes(binders, scope) {
                    self.known(*body, &inner, at, around)?;
                }
                Ok(None)
            }
            // Under a temporal operator or a fixed point evaluation starts anew.
            _ => Ok(None),
        }
    }

    /// The parts of `and` or `or`, which the first part with the deciding value ends.
    fn list(
        &self,
        list: &'a [ExprId],
        deciding: bool,
        scope: &Scope<'a>,
        at: &Position,
        around: &mut Vec<&'a str>,
    ) -> Known {
        let mut all = Some(!deciding);
        for &part in list {
            match self.known(part, scope, at, around)? {
                Some(value) if value == deciding => return Ok(Some(deciding)),
                Some(_) => {}
                None => all = None,
            }
        }
        Ok(all)
    }

    /// How many truth values of the future have to be guessed for a property of linear time, at most.
    pub(crate) fn guesses(&self, property: &str) -> usize {
        match self.item(property) {
            ItemKind::Property { formula, .. } => {
                let mut body = *formula;
                let mut scope = Scope::default();
                while let ExprKind::Quantified(Quantifier::Forall, binders, inner) =
                    &self.oracle.file.exprs[body].kind
                    && self.is_temporal(*inner)
                {
                    let Some(first) = self.scopes(binders, &scope).into_iter().next() else { return 0 };
                    (body, scope) = (*inner, first);
                }
                self.ltl(body, &scope).guesses()
            }
            _ => 0,
        }
    }
}
