//! Actions, properties and the `symmetry` item.

use super::super::shape::Shape;
use super::super::term::{FormulaId, FormulaKind, TermId, TermKind};
use super::super::types::{FamilyId, Type};
use super::super::{
    Action, ActionId, ActionParam, Assignment, Automaton, AutomatonState, Property, PropertyKind, Shown,
    Symmetry,
};
use super::names::Binding;
use super::paper::Paper;
use super::value::Value;
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
                self.action(family, action);
            }
            if let Some(code) = &decl.code {
                self.code(family, decl, code);
            }
        }
        self.action_fairness();
    }

    /// An action. A parameter that ranges over several families, or over records of which some are `none` here and there, makes
    /// one action for each way that it can be bound.
    fn action(&mut self, family: FamilyId, decl: &'a ActionDecl) {
        let mut picked: Vec<usize> = Vec::new();
        loop {
            let scope = Scope { owner: Some(family), next_reg: 1, ..Scope::default() };
            let mut sizes = Vec::new();
            let ((params, shown, guard, effects), mut scope) = self.in_scope(scope, |b| {
                let (params, when, shown) = b.action_parameters(&decl.params, &picked, &mut sizes);
                let guard = b.check_bool(decl.guard);
                let guard = if when.is_empty() {
                    guard
                } else {
                    let span = b.span(decl.guard);
                    b.junction(true, when.into_iter().chain([guard]).collect(), span)
                };
                let effects = match &decl.block {
                    None => b.effects(&decl.assignments),
                    Some(block) => {
                        b.scope.paper = Some(Paper::default());
                        b.block(block);
                        b.finish_block(Some(family), decl.span).into_iter().map(|a| (a, true)).collect()
                    }
                };
                (params, shown, guard, effects)
            });
            let plain: Vec<&Assignment> = effects.iter().filter(|(_, bag)| !bag).map(|(a, _)| a).collect();
            self.assigned_twice(&plain);
            let paper = scope.paper.take().unwrap_or_default();
            let action = Action {
                name: decl.name.name.clone(),
                span: decl.name.span,
                family,
                params,
                guard,
                assignments: effects.into_iter().map(|(assignment, _)| assignment).collect(),
                regs: scope.next_reg,
                written_out: paper.written_out,
                fairness: Fairness::None,
                shown,
            };
            self.claims(&action, paper.claims);
            let id = self.actions.push(action);
            self.families[family].actions.push(id);
            picked.resize(sizes.len(), 0);
            let Some(next) = (0..sizes.len()).rev().find(|&i| picked[i] + 1 < sizes[i]) else { return };
            picked[next] += 1;
            picked.truncate(next + 1);
        }
    }

    /// The parameters of an action, each bound in the way that is picked for it; `sizes` says how many ways there are. With
    /// them come the conditions for them to be there, and how they are shown.
    #[allow(clippy::type_complexity, reason = "three parts of one answer")]
    fn action_parameters(
        &mut self,
        binders: &'a [Binder],
        picked: &[usize],
        sizes: &mut Vec<usize>,
    ) -> (Vec<ActionParam>, Vec<TermId>, Option<Vec<Shown>>) {
        let mut params: Vec<ActionParam> = Vec::new();
        let (mut when, mut shown, mut plain) = (Vec::new(), Vec::new(), true);
        self.scope.aside = Some(0);
        for (position, binder) in binders.iter().enumerate() {
            let name = binder.name.name.as_str();
            if binders[..position].iter().any(|b| b.name.name == name) && !name.is_empty() {
                self.error(binder.name.span, format!("the parameter `{name}` stands here twice"));
            }
            let pick = picked.get(position).copied().unwrap_or(0);
            let (choices, count) = self.choices_of(binder, Some(pick)).unwrap_or_default();
            sizes.push(count);
            let Some(choice) = choices.into_iter().next() else {
                let reg = self.fresh_reg(name);
                self.scope.bindings.push((name, Binding::Reg(reg, Type::Error)));
                params.push(ActionParam { name: name.into(), domain: super::super::Domain::Range(0, 0) });
                continue;
            };
            plain &= matches!(choice.binding, Binding::Reg(..));
            shown.push(self.shown(&choice.binding));
            params.extend(
                choice.regs.iter().map(|(_, domain)| ActionParam { name: name.into(), domain: *domain }),
            );
            when.extend(choice.when);
            self.scope.bindings.push((name, choice.binding));
        }
        if let Some(aside) = self.scope.aside.take() {
            self.scope.next_reg = self.scope.next_reg.max(aside);
        }
        (params, when, (!plain).then_some(shown))
    }

    /// How an argument is shown.
    pub(super) fn shown(&self, binding: &Binding) -> Shown {
        match binding {
            Binding::Reg(reg, ty) => Shown::Param(reg.0.saturating_sub(1), *ty),
            Binding::Value(value) | Binding::Place(value) => self.shown_value(value),
            Binding::Fixpoint(_) | Binding::Variable(_) => Shown::Fixed(String::new()),
        }
    }

    fn shown_value(&self, value: &Value) -> Shown {
        match value {
            Value::Record(shape, parts) => {
                let Shape::Record { fields, .. } = &self.shapes[*shape] else {
                    return Shown::Fixed(String::new());
                };
                let parts = fields.iter().zip(parts.iter());
                let parts = parts.map(|((name, _), part)| (name.clone(), self.shown_value(part))).collect();
                Shown::Record(self.shape_name(*shape), parts)
            }
            Value::Typed(_, inner) => self.shown_value(inner),
            Value::Scalar(term) => {
                let number = self.positions.get(term).unwrap_or(term);
                match self.terms[*number].kind {
                    TermKind::Bound(reg) => Shown::Param(reg.0.saturating_sub(1), self.terms[*term].ty),
                    _ => Shown::Fixed("none".into()),
                }
            }
            _ => Shown::Fixed(String::new()),
        }
    }

    /// The processes that an automaton speaks of.
    fn parameters(&mut self, binders: &'a [Binder]) -> Vec<ActionParam> {
        let mut sizes = Vec::new();
        let (params, _, shown) = self.action_parameters(binders, &[], &mut sizes);
        if shown.is_some() || sizes.iter().any(|&size| size > 1) {
            let span = binders[0].name.span;
            self.error(span, "an automaton speaks of processes of one family and of numbers only");
        }
        params
    }

    /// The kind of a target that is no variable.
    pub(super) fn target_kind(&self, target: ExprId) -> String {
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
    fn assigned_twice(&mut self, assignments: &[&Assignment]) {
        for (i, later) in assignments.iter().enumerate() {
            let same =
                |a: &&&Assignment| a.over.is_empty() && a.when.is_none() && self.same(a.target, later.target);
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

    pub(super) fn same(&self, a: TermId, b: TermId) -> bool {
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
            if own.iter().filter(|&&other| self.actions[other].name == name.name).count() > 1 {
                let message = format!(
                    "`{}` stands for several actions, one for each way it can be gone, and fairness to all of them together cannot be asked for yet; `fairness {}: …` is about the process",
                    name.name, family.name
                );
                self.error(name.span, message);
                continue;
            }
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
