//! Which declaration a name means.

use super::super::shape::DeclId;
use super::super::term::{FixpointVar, Reg};
use super::super::types::{EnumId, FamilyId, Type};
use super::Builder;
use super::value::Value;
use crate::functions::Function;
use crate::syntax::ast::TypeExpr;
use crate::syntax::ast::{Block, ExprId, Ident, ItemKind, RoutineDecl, StatementKind};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The meaning of a bound name.
#[derive(Clone)]
pub(super) enum Binding {
    /// The value in a register.
    Reg(Reg, Type),
    /// The argument of a definition, what `let` names, or what is taken from a set or bag.
    Value(Value),
    /// A variable of the caller, at a place that was found when the call was made.
    Place(Value),
    /// A variable of the block.
    Variable(DeclId),
    /// The variable of a fixed point: a formula, no value.
    Fixpoint(FixpointVar),
}

/// A declared definition.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub params: &'a [Ident],
    pub body: ExprId,
}

/// The names of the file.
#[derive(Default)]
pub(super) struct Globals<'a> {
    pub items: BTreeMap<&'a str, (Global<'a>, Span)>,
    pub properties: BTreeMap<&'a str, Span>,
    /// Every literal of every enumeration, with the first place of it.
    pub literals: BTreeMap<&'a str, Span>,
}

#[derive(Clone, Copy)]
pub(super) enum Global<'a> {
    /// The value expression of a parameter, and where its value is once known.
    Param {
        value: ExprId,
        known: Option<usize>,
    },
    Type(&'a TypeExpr),
    Shared(Option<DeclId>),
    Family(FamilyId),
    Definition(Definition<'a>),
    Routine(&'a RoutineDecl),
}

impl Global<'_> {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Global::Param { .. } => "a parameter",
            Global::Type(_) => "a type",
            Global::Shared(_) => "a shared variable",
            Global::Family(_) => "a process family",
            Global::Definition(_) => "a definition",
            Global::Routine(routine) if routine.result.is_some() => "a function",
            Global::Routine(_) => "a procedure",
        }
    }
}

impl<'a> Builder<'a> {
    /// Enters every global name, before any is used.
    pub(super) fn collect(&mut self) {
        let mut families = 0;
        for item in &self.file.items {
            let global = match &item.kind {
                ItemKind::Param { value, .. } => Global::Param { value: *value, known: None },
                ItemKind::Type { ty, .. } => {
                    self.collect_literals(ty);
                    Global::Type(ty)
                }
                ItemKind::Shared(decl) => {
                    self.collect_literals(&decl.ty);
                    Global::Shared(None)
                }
                ItemKind::Process(decl) => {
                    for var in &decl.vars {
                        self.collect_literals(&var.ty);
                    }
                    families += 1;
                    Global::Family(FamilyId(families - 1))
                }
                ItemKind::Define { params, body, .. } => {
                    Global::Definition(Definition { params, body: *body })
                }
                ItemKind::Routine(routine) => Global::Routine(routine),
                ItemKind::Property { name, .. }
                | ItemKind::DeadlockFree(name)
                | ItemKind::Automaton { name, .. } => {
                    if let Some(first) = self.names.properties.insert(&name.name, name.span)
                        && !name.name.is_empty()
                    {
                        self.duplicate("the property", name, first);
                    }
                    continue;
                }
                ItemKind::Init(_)
                | ItemKind::Fairness { .. }
                | ItemKind::Symmetry(_)
                | ItemKind::Hint(_)
                | ItemKind::Assume(_) => continue,
            };
            let Some(name) = item.kind.name() else { continue };
            if name.name.is_empty() {
                continue;
            }
            if is_built_in(&name.name) && matches!(global, Global::Definition(_) | Global::Routine(_)) {
                self.error(
                    name.span,
                    format!("`{}` is a built-in function and cannot be defined", name.name),
                );
            }
            match self.names.items.get(name.name.as_str()) {
                Some(&(_, first)) => self.duplicate("the name", name, first),
                None => {
                    self.names.items.insert(&name.name, (global, name.span));
                }
            }
        }
        self.literal_clashes();
    }

    pub(super) fn collect_literals(&mut self, ty: &'a TypeExpr) {
        match ty {
            TypeExpr::Enum(literals, _) => {
                for literal in literals {
                    self.names.literals.entry(&literal.name).or_insert(literal.span);
                }
            }
            TypeExpr::Record(fields, _) => fields.iter().for_each(|field| self.collect_literals(&field.ty)),
            TypeExpr::Optional(inner, _)
            | TypeExpr::Set(inner, _)
            | TypeExpr::Bag(_, inner, _)
            | TypeExpr::Queue(_, inner, _) => self.collect_literals(inner),
            TypeExpr::Bool(_)
            | TypeExpr::Range(..)
            | TypeExpr::Named { .. }
            | TypeExpr::Union(..)
            | TypeExpr::Error => {}
        }
    }

    /// A literal may share its name with a family (`turn: {client, server}`): types tell them apart. With anything
    /// else it would be hidden.
    fn literal_clashes(&mut self) {
        let clashes: Vec<Diagnostic> = self
            .names
            .literals
            .iter()
            .filter_map(|(literal, &span)| {
                let &(global, first) = self.names.items.get(literal)?;
                if matches!(global, Global::Family(_)) {
                    return None;
                }
                let message = format!("the literal `{literal}` has the name of {}", global.kind());
                Some(Diagnostic::new(span, message).with_note(first, "which is declared here"))
            })
            .collect();
        self.diagnostics.extend(clashes);
    }

    pub(super) fn family(&mut self, name: &Ident) -> Option<FamilyId> {
        if name.name.is_empty() {
            return None;
        }
        match self.names.items.get(name.name.as_str()) {
            Some((Global::Family(id), _)) => Some(*id),
            Some((other, _)) => {
                let message =
                    format!("`{}` is {}, but a process family is needed here", name.name, other.kind());
                self.error(name.span, message);
                None
            }
            None => {
                let families = self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Family(_)));
                let near = closest(&name.name, families.map(|(n, _)| *n)).map(ToString::to_string);
                self.unknown("process family", name, near);
                None
            }
        }
    }

    pub(super) fn unknown(&mut self, what: &str, name: &Ident, near: Option<String>) {
        if name.name.is_empty() {
            return;
        }
        let hint = match near {
            Some(near) => format!("; did you mean `{near}`?"),
            None if self.is_forgotten(&name.name) => {
                "; what `with`, `let` and `for` name is forgotten at the end of the block or step: keep it in a variable".into()
            }
            None => String::new(),
        };
        self.error(name.span, format!("there is no {what} called `{}`{hint}", name.name));
    }

    /// Whether some statement of the process names a value so.
    fn is_forgotten(&self, name: &str) -> bool {
        fn names(block: &Block, name: &str) -> bool {
            block.statements.iter().any(|statement| {
                let own = match &statement.kind {
                    StatementKind::Let(bound, _) => bound.name == name,
                    StatementKind::For(binders, _) | StatementKind::With(binders, _) => {
                        binders.iter().any(|binder| binder.name.name == name)
                    }
                    _ => false,
                };
                own || statement.kind.blocks().into_iter().any(|block| names(block, name))
            })
        }
        let owner = self.scope.owner.map(|family| self.families[family].span);
        self.file.items.iter().any(|item| match &item.kind {
            ItemKind::Process(decl) if Some(decl.name.span) == owner => {
                let blocks = decl.actions.iter().filter_map(|action| action.block.as_ref());
                blocks.chain(&decl.code).any(|block| names(block, name))
            }
            _ => false,
        })
    }

    pub(super) fn binding(&self, name: &str) -> Option<Binding> {
        self.scope.bindings.iter().rev().find(|(n, _)| *n == name).map(|(_, b)| b.clone())
    }

    /// The nearest name that could stand in an expression here.
    pub(super) fn nearest_name(&self, name: &str) -> Option<String> {
        let bound = self.scope.bindings.iter().map(|(n, _)| *n);
        let locals = self.scope.owner.into_iter().flat_map(|f| self.locals[f].keys().copied());
        let globals = self.names.items.keys().copied();
        let literals = self.names.literals.keys().copied();
        let names = bound.chain(locals).chain(globals).chain(literals);
        // The keywords that are values, if no name is near; `self` is one inside a process.
        let keywords = ["true", "false", "none"].into_iter().chain(self.scope.owner.map(|_| "self"));
        closest(name, names).or_else(|| closest(name, keywords)).map(ToString::to_string)
    }

    /// The first family that has a variable called `name`.
    pub(super) fn family_with(&self, name: &str) -> Option<FamilyId> {
        self.locals.iter_enumerated().find(|(_, vars)| vars.contains_key(name)).map(|(family, _)| family)
    }

    /// The enumeration with these literals.
    pub(super) fn enumeration(&mut self, literals: &[String]) -> EnumId {
        if let Some(&known) = self.enum_ids.get(literals) {
            return known;
        }
        let id = self.enums.push(literals.to_vec());
        self.enum_ids.insert(literals.to_vec(), id);
        id
    }

    /// A type in the words of the language.
    pub(super) fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_string(),
            Type::Int => "a number".to_string(),
            Type::Enum(id) => format!("{{{}}}", self.enums[id].join(", ")),
            Type::Process { family, optional } => {
                format!("{}{}", self.families[family].name, if optional { "?" } else { "" })
            }
            Type::None => "none".to_string(),
            Type::Error => "unknown".to_string(),
        }
    }
}

pub(super) fn is_built_in(name: &str) -> bool {
    Function::named(name).is_some_and(Function::is_reserved)
}
