//! Items: what they declare, then what stands in them.

use super::super::symbol::{SymbolId, SymbolKind};
use super::super::ty::Ty;
use super::{Callable, Resolver, Space};
use crate::functions::Function;
use crate::syntax::ast::{
    ActionDecl, AutomatonState, Block, FieldDecl, Ident, Init, Item, ItemKind, ProcessDecl, RoutineDecl,
    StatementKind, SymmetryDecl, TypeExpr, VarDecl,
};
use crate::text::Span;
use alloc::vec;
use alloc::vec::Vec;

impl<'t> Resolver<'t> {
    /// Declares what an item declares, before anything is looked up.
    pub(super) fn enter(&mut self, item: &'t Item) {
        let kind = match &item.kind {
            ItemKind::Param { .. } => SymbolKind::Parameter,
            ItemKind::Type { ty, .. } => {
                self.gather(ty);
                SymbolKind::Type
            }
            ItemKind::Shared(decl) => {
                self.gather(&decl.ty);
                SymbolKind::Shared
            }
            ItemKind::Process(_) => SymbolKind::Family,
            ItemKind::Define { .. } => SymbolKind::Definition,
            ItemKind::Routine(decl) => {
                decl.params.iter().for_each(|param| self.gather(&param.ty));
                decl.result.iter().for_each(|ty| self.gather(ty));
                if decl.result.is_some() { SymbolKind::Function } else { SymbolKind::Procedure }
            }
            ItemKind::Property { .. } | ItemKind::DeadlockFree(_) | ItemKind::Automaton { .. } => {
                SymbolKind::Property
            }
            ItemKind::Init(_)
            | ItemKind::Fairness { .. }
            | ItemKind::Symmetry(_)
            | ItemKind::Hint(_)
            | ItemKind::Assume(_) => return,
        };
        let Some(name) = item.kind.name() else { return };
        let id = match &item.kind {
            ItemKind::DeadlockFree(_) => self.implied(name, kind, item.span),
            _ => self.declare(name, kind, item.span),
        };
        let space = if kind == SymbolKind::Property { &mut self.properties } else { &mut self.globals };
        let taken = space.contains_key(name.name.as_str());
        space.entry(&name.name).or_insert(id);
        match &item.kind {
            ItemKind::Define { params, .. } => {
                self.callables.insert(id, Callable::Definition(params));
            }
            ItemKind::Routine(decl) => {
                self.callables.insert(id, Callable::Routine(decl));
            }
            ItemKind::Process(decl) => self.enter_process(id, decl),
            ItemKind::Param { .. } => self.set_type(id, Ty::Number),
            _ => {}
        }
        let reserved = Function::named(&name.name).is_some_and(Function::is_reserved)
            && matches!(kind, SymbolKind::Definition | SymbolKind::Procedure | SymbolKind::Function);
        if (taken || reserved) && !name.name.is_empty() {
            self.names.clashes.push(name.span);
        }
    }

    fn enter_process(&mut self, family: SymbolId, decl: &'t ProcessDecl) {
        self.set_type(family, Ty::Process(vec![family], false));
        for var in &decl.vars {
            self.gather(&var.ty);
            let whole = Span::new(var.name.span.start, var_end(self, var));
            let id = if is_implied(decl, var) {
                self.implied(&var.name, SymbolKind::Variable, var.name.span)
            } else {
                self.declare(&var.name, SymbolKind::Variable, whole)
            };
            self.member(family, Space::Variable, &var.name, id);
        }
        for action in &decl.actions {
            let id = self.declare(&action.name, SymbolKind::Action, action.span);
            self.member(family, Space::Action, &action.name, id);
        }
        if let Some(code) = &decl.code {
            self.enter_labels(family, code);
        }
    }

    fn enter_labels(&mut self, family: SymbolId, block: &'t Block) {
        for statement in &block.statements {
            if let StatementKind::Label(label) = &statement.kind {
                let id = self.literal(label, statement.span);
                self.mark(label.span, vec![id], true);
                let key = (family, Space::Label, label.name.as_str());
                let action = self.members.contains_key(&(family, Space::Action, label.name.as_str()));
                if self.members.insert(key, id).is_some() || action {
                    self.names.clashes.push(label.span);
                }
            }
            for block in statement.kind.blocks() {
                self.enter_labels(family, block);
            }
        }
    }

    fn member(&mut self, owner: SymbolId, space: Space, name: &'t Ident, id: SymbolId) {
        self.names.symbols[id].owner = Some(owner);
        let key = (owner, space, name.name.as_str());
        if self.members.contains_key(&key) && !name.name.is_empty() {
            self.names.clashes.push(name.span);
        }
        self.members.entry(key).or_insert(id);
    }

    /// Makes the literals and fields of a type known.
    fn gather(&mut self, ty: &'t TypeExpr) {
        match ty {
            TypeExpr::Enum(literals, span) => {
                for literal in literals.iter().filter(|literal| !literal.name.is_empty()) {
                    self.literal(literal, *span);
                }
            }
            TypeExpr::Record(fields, span) => {
                for field in fields {
                    self.symbol(&field.name, SymbolKind::Field, *span);
                    self.gather(&field.ty);
                }
            }
            TypeExpr::Optional(inner, _)
            | TypeExpr::Set(inner, _)
            | TypeExpr::Bag(_, inner, _)
            | TypeExpr::Queue(_, inner, _) => self.gather(inner),
            _ => {}
        }
    }

    /// A literal may share its name with a family, and with nothing else of the file.
    pub(super) fn literal_clashes(&mut self) {
        for (name, &literal) in &self.literals {
            if let Some(&global) = self.globals.get(name)
                && self.names.symbols[global].kind != SymbolKind::Family
            {
                self.names.clashes.extend(self.names.symbols[literal].place);
            }
        }
    }

    /// Resolves the names that stand in an item.
    pub(super) fn item(&mut self, item: &'t Item) {
        self.owners = vec![None];
        self.bound.clear();
        let own = item.kind.name().and_then(|name| self.places.get(&name.span.start).copied());
        match &item.kind {
            ItemKind::Param { value, range, .. } => {
                self.expr(*value, &Ty::Number);
                for bound in range.iter().flat_map(|(low, high)| [low, high]) {
                    self.expr(*bound, &Ty::Number);
                }
            }
            ItemKind::Type { ty, .. } => {
                let ty = self.type_expr(ty, own);
                self.set_type_of(own, &ty);
            }
            ItemKind::Shared(decl) => self.variable(decl, own),
            ItemKind::Process(decl) => self.process(decl, own),
            ItemKind::Define { params, body, .. } => {
                self.users_of(own);
                let types: Vec<Ty> = params.iter().map(|param| self.known_type(param)).collect();
                for (param, ty) in params.iter().zip(types) {
                    self.argument(param, ty, own, item.span);
                }
                let ty = self.expr(*body, &Ty::Unknown);
                self.set_type_of(own, &ty);
            }
            ItemKind::Routine(decl) => self.routine(decl, own, item.span),
            ItemKind::Init(decl) => {
                self.binders(&decl.params, item.span.end);
                if let Some(guard) = decl.guard {
                    self.expr(guard, &Ty::Bool);
                }
                self.block(&decl.block, false, &Ty::Unknown);
            }
            ItemKind::Fairness { family, action, .. } => {
                let found = self.globals.get(family.name.as_str()).copied();
                self.refer(family.span, found.into_iter().collect());
                if let Some(action) = action {
                    let member = |space| self.members.get(&(found?, space, action.name.as_str())).copied();
                    let member = member(Space::Action).or_else(|| member(Space::Label));
                    self.refer(action.span, member.into_iter().collect());
                }
            }
            ItemKind::Symmetry(SymmetryDecl::Generators(generators)) => {
                for &process in generators.iter().flat_map(|g| g.cycles.iter().flatten()) {
                    self.expr(process, &Ty::Unknown);
                }
            }
            ItemKind::Hint(expr) | ItemKind::Assume(expr) | ItemKind::Property { formula: expr, .. } => {
                self.expr(*expr, &Ty::Bool);
            }
            ItemKind::Automaton { params, states, .. } => {
                self.binders(params, item.span.end);
                self.automaton(states, own, item.span);
            }
            ItemKind::Symmetry(_) | ItemKind::DeadlockFree(_) => {}
        }
    }

    fn users_of(&mut self, own: Option<SymbolId>) {
        let users = own.and_then(|own| self.users.get(&own));
        self.owners = users.map(|users| users.iter().copied().collect()).unwrap_or_default();
    }

    fn known_type(&self, name: &Ident) -> Ty {
        let known = self.places.get(&name.span.start);
        known.map(|&id| self.names.symbols[id].ty.clone()).unwrap_or_default()
    }

    fn argument(&mut self, name: &'t Ident, ty: Ty, owner: Option<SymbolId>, whole: Span) {
        let twice = self.find_bound(&name.name).is_some();
        let id = self.bind(name, SymbolKind::Argument, ty, name.span, whole.end);
        self.names.symbols[id].owner = owner;
        if twice {
            self.names.clashes.push(name.span);
        }
    }

    fn routine(&mut self, decl: &'t RoutineDecl, own: Option<SymbolId>, whole: Span) {
        self.users_of(own);
        for param in &decl.params {
            let ty = self.type_expr(&param.ty, own);
            self.argument(&param.name, ty, own, whole);
        }
        let result = decl.result.as_ref().map(|ty| self.type_expr(ty, own)).unwrap_or_default();
        self.set_type_of(own, &result);
        self.block(&decl.body, false, &result);
    }

    fn process(&mut self, decl: &'t ProcessDecl, own: Option<SymbolId>) {
        if let Some(size) = decl.size {
            self.expr(size, &Ty::Number);
        }
        self.owners = vec![own];
        for var in &decl.vars {
            let key = own.map(|own| (own, Space::Variable, var.name.name.as_str()));
            let id = key.and_then(|key| self.members.get(&key).copied());
            if is_implied(decl, var) {
                // The labels are marked where they stand.
                let TypeExpr::Enum(labels, span) = &var.ty else { continue };
                let literals: Vec<SymbolId> = labels.iter().map(|label| self.literal(label, *span)).collect();
                if let Some(done) = labels.last().filter(|label| label.span.start == label.span.end) {
                    let done = self.literal(done, *span);
                    self.names.symbols[done].place = None;
                }
                self.set_type_of(id, &Ty::Enum(literals));
                continue;
            }
            self.variable(var, id);
        }
        for action in &decl.actions {
            self.action(action);
        }
        if let Some(code) = &decl.code {
            self.block(code, true, &Ty::Unknown);
        }
    }

    fn variable(&mut self, decl: &'t VarDecl, own: Option<SymbolId>) {
        let end = var_end(self, decl);
        let outside = self.bound.len();
        for index in &decl.index {
            let ty = self.domain(&index.domain);
            if let Some(name) = &index.name {
                self.bind(name, SymbolKind::Bound, ty, name.span, end);
            }
        }
        let ty = self.type_expr(&decl.ty, None);
        self.set_type_of(own, &ty);
        if let Init::Expr(init) = decl.init {
            self.expr(init, &ty);
        }
        self.bound.truncate(outside);
    }

    fn action(&mut self, decl: &'t ActionDecl) {
        let outside = self.bound.len();
        self.binders(&decl.params, decl.span.end);
        self.expr(decl.guard, &Ty::Bool);
        for assignment in &decl.assignments {
            let inside = self.bound.len();
            let end = self.file.exprs[assignment.value].span.end;
            self.binders(&assignment.over, end.max(self.file.exprs[assignment.target].span.end));
            self.change(assignment);
            self.bound.truncate(inside);
        }
        if let Some(block) = &decl.block {
            self.block(block, false, &Ty::Unknown);
        }
        self.bound.truncate(outside);
    }

    fn automaton(&mut self, states: &'t [AutomatonState], own: Option<SymbolId>, whole: Span) {
        let Some(own) = own else { return };
        for state in states {
            let id = self.declare(&state.name, SymbolKind::State, whole);
            self.member(own, Space::State, &state.name, id);
        }
        for (guard, target) in states.iter().flat_map(|state| &state.moves) {
            self.expr(*guard, &Ty::Bool);
            let found = self.members.get(&(own, Space::State, target.name.as_str())).copied();
            self.refer(target.span, found.into_iter().collect());
        }
    }

    pub(super) fn type_expr(&mut self, ty: &'t TypeExpr, owner: Option<SymbolId>) -> Ty {
        match ty {
            TypeExpr::Bool(_) => Ty::Bool,
            TypeExpr::Range(low, high) => {
                self.expr(*low, &Ty::Number);
                self.expr(*high, &Ty::Number);
                Ty::Number
            }
            TypeExpr::Enum(literals, span) => {
                let mut ids = Vec::new();
                for literal in literals.iter().filter(|literal| !literal.name.is_empty()) {
                    let id = self.literal(literal, *span);
                    self.mark(literal.span, vec![id], true);
                    if ids.contains(&id) {
                        self.names.clashes.push(literal.span);
                    }
                    ids.push(id);
                }
                Ty::Enum(ids)
            }
            TypeExpr::Named { name, optional } => {
                let ty = self.named_type(name);
                match ty {
                    Ty::Process(families, none) => Ty::Process(families, none || *optional),
                    other if *optional => Ty::around(Ty::Optional, other),
                    other => other,
                }
            }
            TypeExpr::Optional(inner, _) => match self.type_expr(inner, owner) {
                Ty::Process(families, _) => Ty::Process(families, true),
                other => Ty::around(Ty::Optional, other),
            },
            TypeExpr::Record(fields, span) => self.record(fields, owner, *span),
            TypeExpr::Union(names, _) => self.union(names),
            TypeExpr::Set(inner, _) => Ty::around(Ty::Set, self.type_expr(inner, owner)),
            TypeExpr::Bag(size, inner, _) => {
                self.expr(*size, &Ty::Number);
                Ty::around(Ty::Bag, self.type_expr(inner, owner))
            }
            TypeExpr::Queue(size, inner, _) => {
                self.expr(*size, &Ty::Number);
                Ty::around(Ty::Queue, self.type_expr(inner, owner))
            }
            TypeExpr::Error => Ty::Unknown,
        }
    }

    fn record(&mut self, fields: &'t [FieldDecl], owner: Option<SymbolId>, span: Span) -> Ty {
        let mut ids: Vec<SymbolId> = Vec::new();
        for field in fields {
            let id = self.declare(&field.name, SymbolKind::Field, span);
            self.names.symbols[id].owner = owner;
            for domain in &field.index {
                self.domain(domain);
            }
            let ty = self.type_expr(&field.ty, owner);
            self.set_type(id, ty);
            if ids.iter().any(|&known| self.names.symbols[known].name == field.name.name) {
                self.names.clashes.push(field.name.span);
            }
            ids.push(id);
        }
        Ty::Record(ids)
    }

    pub(super) fn union(&mut self, names: &'t [Ident]) -> Ty {
        let mut all = Ty::Unknown;
        for name in names {
            let ty = self.named_type(name);
            all.join(&ty);
        }
        all
    }

    /// The name of a family or a type, and the type that it stands for.
    pub(super) fn named_type(&mut self, name: &'t Ident) -> Ty {
        let found = self.globals.get(name.name.as_str()).copied();
        self.refer(name.span, found.into_iter().collect());
        found.map(|id| self.names.symbols[id].ty.clone()).unwrap_or_default()
    }
}

/// The variable `at` of a process with code stands where its first label does.
fn is_implied(decl: &ProcessDecl, var: &VarDecl) -> bool {
    decl.code.is_some()
        && var.name.name == ProcessDecl::AT
        && matches!(&var.ty, TypeExpr::Enum(labels, span)
            if *span == var.name.span && labels.first().is_some_and(|label| label.span == *span))
}

fn var_end(resolver: &Resolver<'_>, var: &VarDecl) -> u32 {
    match var.init {
        Init::Any(span) => span.end,
        Init::Expr(expr) => resolver.file.exprs[expr].span.end,
    }
}
