//! Declarations: parameters, families, variables and their sizes.

use super::super::term::{Domain, TermKind};
use super::super::types::{FamilyId, Type, ValueType};
use super::super::{Family, Param, Var};
use super::names::{Binding, Global};
use super::{Builder, Scope};
use crate::group::Process;
use crate::ids::Id;
use crate::syntax::ast::{self, ExprId, Fairness, Ident, ItemKind, TypeExpr, VarDecl};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
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
                self.named_type(name, ty);
            }
        }
        for item in &file.items {
            if let ItemKind::Shared(decl) = &item.kind {
                let var = self.variable(decl, None);
                let id = self.vars.push(var);
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
                let var = self.variable(var_decl, Some(family));
                let id = self.vars.push(var);
                self.families[family].vars.push(id);
                let name = var_decl.name.name.as_str();
                match self.locals[family].get(name) {
                    Some(&first) if !name.is_empty() => {
                        let first = self.vars[first].span;
                        self.duplicate("the variable", &var_decl.name, first);
                    }
                    _ => {
                        self.locals[family].insert(name, id);
                    }
                }
            }
        }
    }

    fn variable(&mut self, decl: &'a VarDecl, owner: Option<FamilyId>) -> Var {
        let index =
            decl.index.iter().map(|i| self.domain(&i.domain).unwrap_or(Domain::Range(0, 0))).collect();
        let ty = self.value_type(&decl.ty).unwrap_or(ValueType { ty: Type::Error, low: 0, size: 1 });
        let (name, span) = (decl.name.name.clone(), decl.name.span);
        Var { name, span, owner, index, ty, init: None, init_regs: Vec::new() }
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
        }
    }

    /// The values of a named type, where they can be ranged over.
    fn domain_of_type(&mut self, name: &Ident, ty: &'a TypeExpr) -> Option<Domain> {
        let ty = self.named_type(name, ty)?;
        match ty.ty {
            Type::Int => Some(Domain::Range(ty.low.into(), ty.high())),
            Type::Process { family, optional: false } => Some(Domain::Family(family)),
            _ => {
                let message = format!(
                    "`{}` is {}, but a family or a range is needed here",
                    name.name,
                    self.type_name(ty.ty)
                );
                self.error(name.span, message);
                None
            }
        }
    }

    /// What a named type stands for.
    fn named_type(&mut self, name: &Ident, ty: &'a TypeExpr) -> Option<ValueType> {
        if self.resolving.contains(&name.name) {
            self.error(name.span, format!("the type `{}` is declared by itself", name.name));
            return None;
        }
        self.resolving.push(name.name.clone());
        let resolved = self.value_type(ty);
        self.resolving.pop();
        resolved
    }

    pub(super) fn domain_size(&self, domain: Domain) -> u64 {
        match domain {
            Domain::Family(family) => self.families[family].size as u64,
            Domain::Range(low, high) => (high - low + 1).max(0) as u64,
        }
    }

    pub(super) fn value_type(&mut self, ty: &'a TypeExpr) -> Option<ValueType> {
        match ty {
            TypeExpr::Bool(_) => Some(ValueType { ty: Type::Bool, low: 0, size: 2 }),
            TypeExpr::Range(low, high) => {
                let span = self.span(*low).to(self.span(*high));
                let bounds = self.fixed_number(*low).zip(self.fixed_number(*high));
                let (low, high) = bounds?;
                if low > high {
                    self.error(span, format!("the range {low}..{high} is empty: a variable needs a value"));
                    return None;
                }
                if low < i32::MIN as i64 || high > i32::MAX as i64 {
                    self.error(span, "a range's bounds must fit into 32 bits");
                    return None;
                }
                Some(ValueType { ty: Type::Int, low: low as i32, size: (high - low + 1) as u64 })
            }
            TypeExpr::Enum(literals, _) => {
                let mut names: Vec<String> = Vec::new();
                let mut seen: BTreeSet<&str> = BTreeSet::new();
                for literal in literals {
                    if !seen.insert(&literal.name) {
                        self.error(
                            literal.span,
                            format!("the literal `{}` stands twice in this enumeration", literal.name),
                        );
                    }
                    names.push(literal.name.clone());
                }
                let id = self.enumeration(&names);
                Some(ValueType { ty: Type::Enum(id), low: 0, size: names.len() as u64 })
            }
            TypeExpr::Named { name, optional } => self.type_by_name(name, *optional),
            TypeExpr::Error => None,
        }
    }

    /// A family, or a declared type.
    fn type_by_name(&mut self, name: &Ident, optional: bool) -> Option<ValueType> {
        let Some(&(global, _)) = self.names.items.get(name.name.as_str()) else {
            let named = self
                .names
                .items
                .iter()
                .filter(|(_, (g, _))| matches!(g, Global::Type(_) | Global::Family(_)));
            let near = closest(&name.name, named.map(|(n, _)| *n).chain(["bool"])).map(String::from);
            self.unknown("type", name, near);
            return None;
        };
        let family = match global {
            Global::Family(family) => family,
            Global::Type(ty) => {
                let resolved = self.named_type(name, ty)?;
                match resolved.ty {
                    _ if !optional => return Some(resolved),
                    Type::Process { family, .. } => family,
                    _ => {
                        let message = format!(
                            "`{}?` cannot be: only a type of processes can have the empty value `none`",
                            name.name
                        );
                        self.error(name.span, message);
                        return None;
                    }
                }
            }
            _ => {
                let message = format!(
                    "`{}` is {}; a type is `bool`, a range, an enumeration, a family or a name declared with `type`",
                    name.name,
                    global.kind()
                );
                self.error(name.span, message);
                return None;
            }
        };
        let size = self.families[family].size + u32::from(optional);
        if size == 0 {
            self.error(name.span, format!("`{}` has no process that this variable could hold", name.name));
            return None;
        }
        let ty = Type::Process { family, optional };
        Some(ValueType { ty, low: -i32::from(optional), size: size.into() })
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
            let id = Id::from_index(position);
            let ast::Init::Expr(expr) = decl.init else { continue };
            let mut scope = Scope { owner, constant: Some("an initial value"), ..Scope::default() };
            if owner.is_some() {
                scope.next_reg = 1;
            }
            for (index, domain) in decl.index.iter().zip(self.vars[id].index.clone()) {
                let reg = super::Reg(scope.next_reg);
                scope.next_reg += 1;
                if let Some(name) = &index.name {
                    scope.bindings.push((name.name.as_str(), Binding::Reg(reg, Self::bound_type(domain))));
                }
            }
            let regs = (0..scope.next_reg).map(super::Reg).collect();
            let ty = self.vars[id].ty;
            let (init, _) = self.in_scope(scope, |b| b.check_assignable(expr, ty));
            self.vars[id].init = Some(init);
            self.vars[id].init_regs = regs;
        }
    }

    pub(super) fn bound_type(domain: Domain) -> Type {
        match domain {
            Domain::Family(family) => Type::Process { family, optional: false },
            Domain::Range(..) => Type::Int,
        }
    }
}
