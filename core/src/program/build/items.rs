//! Actions, properties and the `symmetry` item.

use super::super::term::{FormulaId, FormulaKind, TermId, TermKind};
use super::super::types::{FamilyId, Type, ValueType};
use super::super::{
    Action, ActionId, ActionParam, Assignment, Automaton, AutomatonState, Property, PropertyKind, Symmetry,
};
use super::names::Binding;
use super::{Assumed, Atoms, Builder, Scope};
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::syntax::ast::{
    self, ActionDecl, Binder, ExprId, ExprKind, Fairness, ItemKind, Logic, SymmetryDecl,
};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn actions(&mut self) {
        let file = self.file;
        let processes = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Process(decl) => Some(decl),
            _ => None,
        });
        for (index, decl) in processes.enumerate() {
            let family = FamilyId::from_index(index);
            let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
            for action in &decl.actions {
                if !action.name.name.is_empty()
                    && let Some(first) = seen.insert(&action.name.name, action.name.span)
                {
                    self.duplicate("the action", &action.name, first);
                }
                match &action.block {
                    Some(block) => self.block_action(family, action, block),
                    None => self.action(family, action),
                }
            }
            if let Some(code) = &decl.code {
                self.code(family, decl, code);
            }
        }
        self.action_fairness();
    }

    fn action(&mut self, family: FamilyId, decl: &'a ActionDecl) {
        let scope = Scope { owner: Some(family), next_reg: 1, ..Scope::default() };
        let ((params, guard, assignments), scope) = self.in_scope(scope, |b| {
            let params = b.parameters(&decl.params);
            let guard = b.check_bool(decl.guard);
            let assignments: Vec<Assignment> =
                decl.assignments.iter().filter_map(|assignment| b.assignment(assignment)).collect();
            (params, guard, assignments)
        });
        self.assigned_twice(&assignments);
        let id = self.actions.push(Action {
            name: decl.name.name.clone(),
            span: decl.name.span,
            family,
            params,
            fairness: Fairness::None,
            guard,
            assignments,
            regs: scope.next_reg,
            written_out: Vec::new(),
        });
        self.families[family].actions.push(id);
    }

    pub(super) fn parameters(&mut self, binders: &'a [Binder]) -> Vec<ActionParam> {
        let mut params: Vec<ActionParam> = Vec::new();
        for binder in binders {
            let domain = self.domain(&binder.domain);
            let reg = self.fresh_reg(&binder.name.name);
            if params.iter().any(|p| p.name == binder.name.name) && !binder.name.name.is_empty() {
                self.error(
                    binder.name.span,
                    format!("the parameter `{}` stands here twice", binder.name.name),
                );
            }
            let ty = domain.map_or(Type::Error, Self::bound_type);
            self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, ty)));
            let domain = domain.unwrap_or(super::super::Domain::Range(0, 0));
            params.push(ActionParam { name: binder.name.name.clone(), domain });
        }
        params
    }

    fn assignment(&mut self, assignment: &'a ast::Assignment) -> Option<Assignment> {
        let depth = self.scope.bindings.len();
        let over = self.binders(&assignment.over);
        let checked = self.simple_assignment(assignment.target, assignment.value);
        self.scope.bindings.truncate(depth);
        let over: Option<Vec<_>> = over.into_iter().map(|(reg, domain)| Some((reg, domain?))).collect();
        checked.zip(over).map(|((target, value), over)| Assignment {
            over,
            when: None,
            turn: 0,
            target,
            value,
        })
    }

    /// The place that is assigned to, and the new value.
    pub(super) fn simple_assignment(
        &mut self,
        target_expr: ExprId,
        value_expr: ExprId,
    ) -> Option<(TermId, TermId)> {
        let target = self.place(target_expr);
        let var = match self.terms[target].kind {
            _ if self.terms[target].ty == Type::Error => {
                // Why it is unknown was said here, or where the variable is declared. An unknown target says nothing of
                // the value, whose own errors are still worth knowing.
                self.check(value_expr);
                return None;
            }
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => var,
            _ => {
                let what = self.target_kind(target_expr);
                self.error(self.span(target_expr), format!("{what}; only a variable can be assigned"));
                return None;
            }
        };
        let ty: ValueType = self.vars[var].ty;
        let value = self.check_assignable(value_expr, ty);
        Some((target, value))
    }

    /// What a target is that is no variable.
    fn target_kind(&self, target: ExprId) -> String {
        match &self.file.exprs[target].kind {
            ExprKind::Name(name) if self.binding(name).is_some() => format!("`{name}` is a bound name"),
            ExprKind::Name(name) => match self.names.items.get(name.as_str()) {
                Some((global, _)) => format!("`{name}` is {}", global.kind()),
                None => format!("`{name}` is a literal"),
            },
            ExprKind::SelfId => "`self` is the process itself".into(),
            _ => "this is a value".into(),
        }
    }

    /// Two assignments to what is surely the same variable.
    fn assigned_twice(&mut self, assignments: &[Assignment]) {
        for (i, later) in assignments.iter().enumerate() {
            let same = |a: &&Assignment| a.over.is_empty() && self.same(a.target, later.target);
            if let Some(first) = assignments[..i].iter().find(same) {
                let (span, first) = (self.terms[later.target].span, self.terms[first.target].span);
                self.diagnostics.push(
                    Diagnostic::new(
                        span,
                        "this is assigned twice in one action; all assignments happen at once",
                    )
                    .with_note(first, "the first assignment is here"),
                );
            }
        }
    }

    fn same(&self, a: TermId, b: TermId) -> bool {
        let (a, b) = (&self.terms[a].kind, &self.terms[b].kind);
        let all = |x: &[TermId], y: &[TermId]| {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.same(*x, *y))
        };
        match (a, b) {
            (TermKind::Const(x), TermKind::Const(y)) => x == y,
            (TermKind::Bound(x), TermKind::Bound(y)) => x == y,
            (TermKind::Shared(x, xs), TermKind::Shared(y, ys)) => x == y && all(xs, ys),
            (TermKind::Local(x, p, xs), TermKind::Local(y, q, ys)) => {
                x == y && self.same(*p, *q) && all(xs, ys)
            }
            _ => false,
        }
    }

    pub(super) fn properties(&mut self) {
        let file = self.file;
        for item in &file.items {
            match &item.kind {
                ItemKind::Property { logic, name, formula } => {
                    let atoms = match logic {
                        Logic::Invariant | Logic::Cover => Atoms::None,
                        Logic::Ltl => Atoms::EnabledAndExecuted,
                        Logic::Ctl | Logic::Mu => Atoms::Enabled,
                    };
                    let scope = Scope { atoms, ..Scope::default() };
                    let (formula, scope) = self.in_scope(scope, |b| match logic {
                        Logic::Cover => b.negated(*formula),
                        _ => b.formula(*formula),
                    });
                    let kind = PropertyKind::Formula(*logic, formula);
                    self.properties.push(Property {
                        name: name.name.clone(),
                        span: name.span,
                        kind,
                        regs: scope.next_reg,
                        names: scope.names.into_iter().map(Into::into).collect(),
                        fixpoints: scope.fixpoints,
                    });
                }
                ItemKind::DeadlockFree(name) => {
                    self.properties.push(Property {
                        name: name.name.clone(),
                        span: name.span,
                        kind: PropertyKind::DeadlockFree,
                        regs: 0,
                        names: Vec::new(),
                        fixpoints: IdVec::new(),
                    });
                }
                ItemKind::Automaton { name, params, states } => {
                    let scope = Scope { atoms: Atoms::EnabledAndExecuted, ..Scope::default() };
                    let (automaton, scope) = self.in_scope(scope, |b| b.automaton(name, params, states));
                    self.properties.push(Property {
                        name: name.name.clone(),
                        span: name.span,
                        kind: PropertyKind::Automaton(automaton),
                        regs: scope.next_reg,
                        names: scope.names.into_iter().map(Into::into).collect(),
                        fixpoints: scope.fixpoints,
                    });
                }
                _ => {}
            }
        }
    }

    fn automaton(
        &mut self,
        name: &ast::Ident,
        params: &'a [Binder],
        states: &[ast::AutomatonState],
    ) -> Automaton {
        let params = self.parameters(params);
        for (i, state) in states.iter().enumerate() {
            if let Some(first) =
                states[..i].iter().find(|s| s.name.name == state.name.name && !s.name.name.is_empty())
            {
                self.duplicate("the state", &state.name, first.name.span);
            }
        }
        if !states.iter().any(|s| s.initial) {
            self.error(name.span, format!("the automaton `{}` has no initial state", name.name));
        }
        let checked = states
            .iter()
            .map(|state| AutomatonState {
                name: state.name.name.clone(),
                initial: state.initial,
                accepting: state.accepting,
                moves: state
                    .moves
                    .iter()
                    .map(|(guard, target)| {
                        let guard = self.check_bool(*guard);
                        let position = states.iter().position(|s| s.name.name == target.name);
                        if position.is_none() {
                            let near = closest(&target.name, states.iter().map(|s| s.name.name.as_str()));
                            self.unknown("state", target, near.map(Into::into));
                        }
                        (guard, position.unwrap_or(0) as u32)
                    })
                    .collect(),
            })
            .collect();
        Automaton { params, states: checked }
    }

    pub(super) fn symmetry(&mut self) {
        let file = self.file;
        let mut first: Option<Span> = None;
        for item in &file.items {
            let ItemKind::Symmetry(decl) = &item.kind else { continue };
            if let Some(first) = first {
                self.diagnostics.push(
                    Diagnostic::new(item.span, "`symmetry` is given twice")
                        .with_note(first, "the first one is here"),
                );
            }
            first = Some(item.span);
            self.symmetry = match decl {
                SymmetryDecl::Auto => Symmetry::Auto,
                SymmetryDecl::None => Symmetry::None(item.span),
                SymmetryDecl::Generators(generators) => {
                    Symmetry::Generators(generators.iter().map(|g| (self.generator(g), g.span)).collect())
                }
            };
        }
    }

    pub(super) fn hints(&mut self) {
        let file = self.file;
        for item in &file.items {
            let ItemKind::Hint(hint) = &item.kind else { continue };
            let (term, _) = self.in_scope(Scope::default(), |b| b.check_bool(*hint));
            self.hints.push((term, item.span));
        }
    }

    /// An expression that is true or false, negated.
    fn negated(&mut self, expr: ExprId) -> FormulaId {
        let span = self.span(expr);
        let term = self.check_bool(expr);
        let negated = self.not(term, span);
        self.formula_node(FormulaKind::Atom(negated), span)
    }

    pub(super) fn assumption(&mut self) {
        let file = self.file;
        let (mut parts, mut span) = (Vec::new(), None);
        let (mut regs, mut names) = (0, Vec::new());
        for item in &file.items {
            let ItemKind::Assume(assumed) = &item.kind else { continue };
            // Each goes on with the registers of those before it.
            let scope = Scope { next_reg: regs, names: core::mem::take(&mut names), ..Scope::default() };
            let (term, scope) = self.in_scope(scope, |b| b.check_bool(*assumed));
            (regs, names) = (scope.next_reg, scope.names);
            parts.push(term);
            span.get_or_insert(item.span);
        }
        let Some(span) = span else { return };
        let term = if parts.len() == 1 { parts[0] } else { self.junction(true, parts, span) };
        self.assumed = Some(Assumed { term, regs, names: names.into_iter().map(Into::into).collect(), span });
    }

    /// The fairness of single actions.
    fn action_fairness(&mut self) {
        let file = self.file;
        let mut seen: BTreeMap<ActionId, Span> = BTreeMap::new();
        for item in &file.items {
            let ItemKind::Fairness { family, action: Some(name), fairness } = &item.kind else { continue };
            let Some(id) = self.family(family) else { continue };
            if name.name.is_empty() {
                continue;
            }
            let own = &self.families[id].actions;
            let Some(&action) = own.iter().find(|&&action| self.actions[action].name == name.name) else {
                let names = own.iter().map(|&action| self.actions[action].name.as_str());
                let near = closest(&name.name, names).map(Into::into);
                let what = format!("action of `{}`", family.name);
                self.unknown(&what, name, near);
                continue;
            };
            if let Some(first) = seen.insert(action, name.span) {
                self.duplicate("the fairness of", name, first);
            }
            self.actions[action].fairness = *fairness;
        }
    }

    fn generator(&mut self, generator: &ast::Generator) -> Vec<Vec<Process>> {
        let mut seen: BTreeMap<Process, Span> = BTreeMap::new();
        let mut cycles = Vec::new();
        for cycle in &generator.cycles {
            let mut points: Vec<(Process, FamilyId)> = Vec::new();
            for &expr in cycle {
                let span = self.span(expr);
                let scope = Scope { constant: Some("a generator"), ..Scope::default() };
                let (term, _) = self.in_scope(scope, |b| b.check(expr));
                let (TermKind::Const(index), Type::Process { family, .. }) =
                    (self.terms[term].kind.clone(), self.terms[term].ty)
                else {
                    if self.terms[term].ty != Type::Error {
                        self.error(span, "a cycle is made of fixed processes such as `client[0]`");
                    }
                    continue;
                };
                if let Some(&(_, before)) = points.first()
                    && before != family
                {
                    let message = format!(
                        "a cycle stays within one family, but this mixes `{}` and `{}`",
                        self.families[before].name, self.families[family].name
                    );
                    self.error(span, message);
                }
                let process = Process(self.families[family].first.0 + index as u32);
                if let Some(first) = seen.insert(process, span) {
                    self.diagnostics.push(
                        Diagnostic::new(span, "this process stands twice in one generator")
                            .with_note(first, "it stands here first"),
                    );
                }
                points.push((process, family));
            }
            cycles.push(points.into_iter().map(|(process, _)| process).collect());
        }
        cycles
    }
}
