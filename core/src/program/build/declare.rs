//! Declarations: parameters, families, variables and their sizes.

use super::super::shape::{DeclId, Declared, Shape};
use super::super::term::{Domain, TermKind};
use super::super::types::{FamilyId, Type, ValueType};
use super::super::{Family, Param, Var, VarId};
use super::names::{Binding, Global};
use super::{Builder, Scope};
use crate::group::Process;
use crate::ids::Id;
use crate::syntax::ast::{self, ExprId, Fairness, Ident, ItemKind, TypeExpr, VarDecl};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn params(&mut self) {
        let file = self.file;
        for item in &file.items {
            if let ItemKind::Param { name, .. } = &item.kind
                && matches!(self.names.items.get(name.name.as_str()), Some((_, span)) if *span == name.span)
            {
                self.param_value(&name.name);
            }
        }
        // Ranges may use any parameter, so they are checked when all values are known.
        for item in &file.items {
            if let ItemKind::Param { name, range: Some((low, high)), .. } = &item.kind {
                let bounds = self.fixed_number(*low).zip(self.fixed_number(*high));
                let Some((low, high)) = bounds else { continue };
                let Some(param) = self.params.iter_mut().find(|p| p.span == name.span) else { continue };
                param.range = Some((low, high));
                let (value, span) = (param.value, param.span);
                if value < low || value > high {
                    self.error(
                        span,
                        format!("the parameter `{}` is {value}, but must be in {low}..{high}", name.name),
                    );
                }
            }
        }
        for (name, value) in &self.settings.params {
            if !self.params.iter().any(|p| p.name == *name) {
                let all = || self.params.iter().map(|p| p.name.as_str());
                let hint = match closest(name, all()) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None if self.params.is_empty() => "; the model has none".into(),
                    None => format!("; there are: {}", all().collect::<Vec<_>>().join(", ")),
                };
                self.error(
                    Span::default(),
                    format!("there is no parameter called `{name}` that could be set to {value}{hint}"),
                );
            }
        }
    }

    /// The value of a parameter, evaluated when first asked for.
    pub(super) fn param_value(&mut self, name: &'a str) -> Option<i64> {
        let &(Global::Param { value, known }, span) = self.names.items.get(name)? else { return None };
        if let Some(index) = known {
            return Some(self.params[index].value);
        }
        if self.valueless.contains(name) {
            return None;
        }
        if !self.evaluating.insert(name) {
            self.error(span, format!("the value of the parameter `{name}` depends on itself"));
            return None;
        }
        let default = self.fixed_number(value);
        self.evaluating.remove(name);
        let Some(default) = default else {
            self.valueless.insert(name);
            return None;
        };
        let set = self.settings.params.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v);
        let index = self.params.len();
        let value_in_force = set.unwrap_or(default);
        self.params.push(Param { name: name.into(), value: value_in_force, default, range: None, span });
        self.names.items.insert(name, (Global::Param { value, known: Some(index) }, span));
        Some(value_in_force)
    }

    /// The value of an expression over numbers and parameters.
    pub(super) fn fixed_number(&mut self, expr: ExprId) -> Option<i64> {
        let scope = Scope { constant: Some("a size or a bound"), ..Scope::default() };
        let (term, _) = self.in_scope(scope, |b| b.check_number(expr));
        match (&self.terms[term].kind, self.terms[term].ty) {
            (_, Type::Error) => None,
            (TermKind::Const(value), _) => Some(*value),
            _ => {
                self.error(self.span(expr), "this must be a fixed number: parameters and numbers only");
                None
            }
        }
    }

    pub(super) fn families(&mut self) {
        let file = self.file;
        let limit = self.settings.slot_limit();
        let mut first: u64 = 0;
        for item in &file.items {
            let ItemKind::Process(decl) = &item.kind else { continue };
            let size = match decl.size {
                None => 1,
                Some(expr) => {
                    let size = self.fixed_number(expr).unwrap_or(1);
                    if size < 0 {
                        self.error(self.span(expr), format!("a family cannot have {size} processes"));
                    }
                    size.max(0) as u64
                }
            };
            if first.saturating_add(size) > limit {
                self.diagnostics.push(Diagnostic::too_large(
                    decl.name.span,
                    format!(
                        "with `{}` there are more than {limit} processes, which is the limit",
                        decl.name.name
                    ),
                ));
                first = 0;
            }
            self.families.push(Family {
                name: decl.name.name.clone(),
                span: decl.name.span,
                size: size as u32,
                single: decl.size.is_none(),
                ring: decl.ring.is_some(),
                scalarset: decl.scalarset,
                first: Process(first as u32),
                vars: Vec::new(),
                actions: Vec::new(),
                fairness: Fairness::Weak,
            });
            self.locals.push(BTreeMap::new());
            first += size;
        }
        let mut seen: BTreeMap<FamilyId, Span> = BTreeMap::new();
        for item in &file.items {
            // That of an action is looked at when the actions are known.
            if let ItemKind::Fairness { family: name, action: None, fairness } = &item.kind
                && let Some(family) = self.family(name)
            {
                if let Some(first) = seen.insert(family, name.span) {
                    self.duplicate("the fairness of", name, first);
                }
                self.families[family].fairness = *fairness;
            }
        }
    }

    pub(super) fn variables(&mut self) {
        let file = self.file;
        // A type that no variable has is checked all the same.
        for item in &file.items {
            if let ItemKind::Type { name, ty } = &item.kind {
                self.named_shape(name, ty);
            }
        }
        for item in &file.items {
            if let ItemKind::Shared(decl) = &item.kind {
                let id = self.variable(decl, None);
                if let Some((global @ Global::Shared(None), span)) =
                    self.names.items.get_mut(decl.name.name.as_str())
                    && *span == decl.name.span
                {
                    *global = Global::Shared(Some(id));
                }
            }
        }
        let processes = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Process(decl) => Some(decl),
            _ => None,
        });
        for (index, decl) in processes.enumerate() {
            let family = FamilyId::from_index(index);
            for var_decl in &decl.vars {
                let id = self.variable(var_decl, Some(family));
                let name = var_decl.name.name.as_str();
                match self.locals[family].get(name) {
                    Some(&first) if !name.is_empty() => {
                        let first = self.declared[first].span;
                        self.duplicate("the variable", &var_decl.name, first);
                    }
                    _ => {
                        self.locals[family].insert(name, id);
                    }
                }
            }
        }
    }

    /// Declares a variable: the scalars that its type is made of.
    pub(super) fn variable(&mut self, decl: &'a VarDecl, owner: Option<FamilyId>) -> DeclId {
        let index: Vec<Domain> =
            decl.index.iter().map(|i| self.domain(&i.domain).unwrap_or(Domain::Range(0, 0))).collect();
        let shape = self.shape(&decl.ty, None).unwrap_or_else(|| self.shapes.enter(Shape::Error));
        if let (ast::Init::Any(span), false) = (&decl.init, self.has_any(shape)) {
            let message = format!(
                "`any` is for single values, records of them and sets; `{}` has another type, so say the value",
                decl.name.name
            );
            self.error(*span, message);
        }
        let (name, span) = (decl.name.name.clone(), decl.name.span);
        let mut first = None;
        for leaf in self.shapes.leaves(shape, false, &self.families) {
            let id = self.vars.push(Var {
                name: format!("{name}{}", leaf.suffix),
                span,
                owner,
                index: [index.as_slice(), &leaf.index].concat(),
                ty: leaf.ty,
                init: None,
                init_regs: Vec::new(),
            });
            first.get_or_insert(id);
            if let Some(family) = owner {
                self.families[family].vars.push(id);
            }
        }
        let first = first.unwrap_or_else(|| VarId::from_index(self.vars.len()));
        self.declared.push(Declared { name, span, owner, index, shape, first })
    }

    pub(super) fn domain(&mut self, domain: &'a ast::Domain) -> Option<Domain> {
        match domain {
            ast::Domain::Family(name) => {
                if let Some(&(Global::Type(ty), _)) = self.names.items.get(name.name.as_str()) {
                    return self.domain_of_type(name, ty);
                }
                self.family(name).map(Domain::Family)
            }
            ast::Domain::Range(low, high) => {
                let bounds = self.fixed_number(*low).zip(self.fixed_number(*high));
                let (low_value, high_value) = bounds?;
                if low_value < i32::MIN as i64 || high_value > i32::MAX as i64 {
                    let span = self.span(*low).to(self.span(*high));
                    self.error(span, "a range's bounds must fit into 32 bits");
                    return None;
                }
                Some(Domain::Range(low_value, high_value))
            }
            ast::Domain::Union(names) => {
                let span = names.iter().fold(names[0].span, |all, name| all.to(name.span));
                let message = "one family or a range is needed here, not several families";
                self.error(span, message);
                None
            }
            ast::Domain::Value(expr) => {
                self.error(self.span(*expr), "this is neither a family nor a range such as `0..3`");
                None
            }
        }
    }

    /// The values of a named type, where they can be ranged over.
    fn domain_of_type(&mut self, name: &Ident, ty: &'a TypeExpr) -> Option<Domain> {
        let shape = self.named_shape(name, ty)?;
        match self.shapes[shape] {
            Shape::Scalar(ty) if ty.ty == Type::Int => return Some(Domain::Range(ty.low.into(), ty.high())),
            Shape::Scalar(ValueType { ty: Type::Process { family, optional: false }, .. }) => {
                return Some(Domain::Family(family));
            }
            Shape::Error => return None,
            _ => {}
        }
        let message =
            format!("`{}` is {}, but a family or a range is needed here", name.name, self.shape_name(shape));
        self.error(name.span, message);
        None
    }

    pub(super) fn domain_size(&self, domain: Domain) -> u64 {
        match domain {
            Domain::Family(family) => self.families[family].size as u64,
            Domain::Range(low, high) => (high - low + 1).max(0) as u64,
        }
    }

    /// Refuses a program whose single state would not fit into memory.
    pub(super) fn check_size(&mut self) {
        let limit = self.settings.slot_limit();
        let mut slots: u64 = 0;
        for id in self.vars.ids() {
            let var = &self.vars[id];
            let table: u64 = var.index.iter().map(|d| self.domain_size(*d)).fold(1, u64::saturating_mul);
            let owners = var.owner.map_or(1, |f| self.families[f].size as u64);
            slots = slots.saturating_add(table.saturating_mul(owners));
            if slots > limit {
                let (span, name) = (var.span, var.name.clone());
                self.diagnostics.push(Diagnostic::too_large(
                    span,
                    format!("with `{name}` a state has more than {limit} variables, which is the limit"),
                ));
                return;
            }
        }
    }

    pub(super) fn initial_values(&mut self) {
        let file = self.file;
        let shared = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Shared(decl) => Some((decl, None)),
            _ => None,
        });
        let processes = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Process(decl) => Some(&decl.vars),
            _ => None,
        });
        let locals = processes
            .enumerate()
            .flat_map(|(i, vars)| vars.iter().map(move |decl| (decl, Some(FamilyId::from_index(i)))));
        // The same order as in `variables`, so the ids are the same.
        let declared: Vec<(&VarDecl, Option<FamilyId>)> = shared.chain(locals).collect();
        for (position, (decl, owner)) in declared.into_iter().enumerate() {
            self.initial_value(Id::from_index(position), decl, owner);
        }
    }

    fn initial_value(&mut self, id: DeclId, decl: &'a VarDecl, owner: Option<FamilyId>) {
        let ast::Init::Expr(expr) = decl.init else { return };
        let mut scope = Scope { owner, constant: Some("an initial value"), ..Scope::default() };
        if owner.is_some() {
            scope.next_reg = 1;
        }
        for (index, domain) in decl.index.iter().zip(self.declared[id].index.clone()) {
            let reg = super::Reg(scope.next_reg);
            scope.next_reg += 1;
            if let Some(name) = &index.name {
                scope.bindings.push((name.name.as_str(), Binding::Reg(reg, Self::bound_type(domain))));
            }
        }
        let regs: Vec<super::Reg> = (0..scope.next_reg).map(super::Reg).collect();
        let (shape, first) = (self.declared[id].shape, self.declared[id].first);
        let leaves = self.shapes.leaves(shape, false, &self.families);
        let (inits, _) = self.in_scope(scope, |b| {
            let value = b.value_for(expr, shape)?;
            let span = b.span(expr);
            let mut inits = Vec::with_capacity(leaves.len());
            for (number, leaf) in leaves.iter().enumerate() {
                let own: Vec<_> = leaf.index.iter().map(|d| (b.fresh_reg(""), *d)).collect();
                let extra = b.bound_terms(&own, span);
                let term = b.leaf(&value, shape, number, &extra, span);
                let regs = regs.iter().copied().chain(own.into_iter().map(|(reg, _)| reg));
                inits.push((term, regs.collect()));
            }
            Some(inits)
        });
        for (number, (init, regs)) in inits.into_iter().flatten().enumerate() {
            let var: VarId = Id::from_index(first.index() + number);
            self.vars[var].init = Some(init);
            self.vars[var].init_regs = regs;
        }
    }

    pub(super) fn bound_type(domain: Domain) -> Type {
        match domain {
            Domain::Family(family) => Type::Process { family, optional: false },
            Domain::Range(..) => Type::Int,
        }
    }
}
