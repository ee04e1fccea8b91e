//! Names, their indices and the variables of processes.

use super::super::term::{Domain, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::names::{Binding, Global};
use crate::syntax::ast::{ExprId, ExprKind, Ident};
use crate::text::{Span, closest};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn self_id(&mut self, span: Span) -> TermId {
        match self.scope.owner {
            Some(family) if self.families[family].single => {
                self.constant(0, Type::Process { family, optional: false }, span)
            }
            Some(family) => {
                self.term(TermKind::Bound(super::Reg(0)), Type::Process { family, optional: false }, span)
            }
            None => {
                self.error(span, "`self` is only known inside a process");
                self.failed(span)
            }
        }
    }

    /// A name, with the indices that stand behind it.
    pub(super) fn name(&mut self, name: &'a str, indices: &'a [ExprId], span: Span) -> TermId {
        if let Some(binding) = self.binding(name) {
            self.no_indices(name, indices, span);
            return match binding {
                Binding::Reg(reg, ty) => self.term(TermKind::Bound(reg), ty, span),
                Binding::Term(term) => self.copy(term, span),
                Binding::Place(place) if self.scope.placing == Some(span) => place,
                Binding::Place(place) => self.read(place),
                Binding::Fixpoint(_) => {
                    self.error(
                        span,
                        format!("`{name}` is the variable of a fixed point: it stands for a formula"),
                    );
                    self.failed(span)
                }
            };
        }
        if let Some(owner) = self.scope.owner
            && let Some(&var) = self.locals[owner].get(name)
        {
            let process = self.self_id(span);
            return self.local(var, process, indices, span);
        }
        match self.names.items.get(name).map(|(global, _)| *global) {
            Some(Global::Param { .. }) => {
                self.no_indices(name, indices, span);
                match self.param_value(name) {
                    Some(value) => self.constant(value, Type::Int, span),
                    None => self.failed(span),
                }
            }
            Some(Global::Shared(Some(var))) => self.shared(var, indices, span),
            Some(Global::Shared(None)) => {
                self.reads_variable(span);
                self.failed(span)
            }
            Some(Global::Definition(definition)) => {
                self.no_indices(name, indices, span);
                self.expand(name, definition, &[], span)
            }
            Some(Global::Routine(routine)) => {
                self.no_indices(name, indices, span);
                self.call_function(routine, &[], span)
            }
            Some(Global::Family(family)) => self.process_of(family, indices, span),
            Some(Global::Type(_)) => {
                self.error(span, format!("`{name}` is a type; a value or a variable is needed here"));
                self.failed(span)
            }
            None if self.names.literals.contains_key(name) => {
                self.no_indices(name, indices, span);
                self.literal(name, span)
            }
            None => {
                if let Some(family) = self.family_with(name) {
                    let family = &self.families[family].name;
                    let message = format!(
                        "`{name}` is a variable of `{family}`: say of which process, as in `p.{name}`"
                    );
                    self.error(span, message);
                } else {
                    let ident = Ident { name: name.to_string(), span };
                    let near = self.nearest_name(name);
                    self.unknown("name", &ident, near);
                }
                self.failed(span)
            }
        }
    }

    fn literal(&mut self, name: &str, span: Span) -> TermId {
        let id = self.enumeration(&[name.to_string()]);
        self.constant(0, Type::Enum(id), span)
    }

    /// A bare name that is a family's and a literal's at once is the literal where an enumeration with it is meant.
    pub(super) fn ambiguous_literal(&mut self, expr: ExprId, expected: Type) -> Option<TermId> {
        let file = self.file;
        let Type::Enum(id) = expected else { return None };
        let name = match &file.exprs[expr].kind {
            ExprKind::Name(name) => name,
            // A choice has the type of its parts: what is expected of it is expected of them.
            ExprKind::If(condition, yes, no) if self.is_doubtful(*yes) || self.is_doubtful(*no) => {
                let condition = self.check_bool(*condition);
                let sides = [*yes, *no].map(|part| match self.ambiguous_literal(part, expected) {
                    Some(literal) => literal,
                    None => self.check(part),
                });
                return Some(self.conditional(condition, sides, self.span(expr)));
            }
            _ => return None,
        };
        let ambiguous = self.enums[id].contains(name)
            && self.binding(name).is_none()
            && matches!(self.names.items.get(name.as_str()), Some((Global::Family(_), _)))
            && self.scope.owner.is_none_or(|f| !self.locals[f].contains_key(name.as_str()));
        ambiguous.then(|| self.literal(name, self.span(expr)))
    }

    /// Whether an expression is a name that is a literal's and something else's at once, or a choice with such a part.
    pub(super) fn is_doubtful(&self, expr: ExprId) -> bool {
        match &self.file.exprs[expr].kind {
            ExprKind::Name(name) => {
                self.names.literals.contains_key(name.as_str())
                    && self.names.items.contains_key(name.as_str())
            }
            ExprKind::If(_, yes, no) => self.is_doubtful(*yes) || self.is_doubtful(*no),
            _ => false,
        }
    }

    fn no_indices(&mut self, name: &str, indices: &[ExprId], span: Span) {
        if !indices.is_empty() {
            self.error(span, format!("`{name}` has no index"));
        }
    }

    fn reads_variable(&mut self, span: Span) -> bool {
        let Some(place) = self.scope.constant else { return false };
        self.error(span, format!("{place} cannot depend on a variable"));
        true
    }

    fn shared(&mut self, var: super::VarId, indices: &'a [ExprId], span: Span) -> TermId {
        let Some(indices) = self.indices(var, indices, span) else { return self.failed(span) };
        let ty = self.vars[var].ty.ty;
        let place = self.term(TermKind::Shared(var, indices), ty, span);
        self.read_unless_target(place, span)
    }

    fn local(&mut self, var: super::VarId, process: TermId, indices: &'a [ExprId], span: Span) -> TermId {
        let Some(indices) = self.indices(var, indices, span) else { return self.failed(span) };
        let ty = self.vars[var].ty.ty;
        let place = self.term(TermKind::Local(var, process, indices), ty, span);
        self.read_unless_target(place, span)
    }

    fn read_unless_target(&mut self, place: TermId, span: Span) -> TermId {
        if self.scope.placing == Some(span) || self.terms[place].ty == Type::Error {
            return place;
        }
        self.read(place)
    }

    fn indices(&mut self, var: super::VarId, indices: &'a [ExprId], span: Span) -> Option<Vec<TermId>> {
        let domains = self.vars[var].index.clone();
        if self.reads_variable(span) {
            return None;
        }
        if domains.len() != indices.len() {
            let name = self.vars[var].name.clone();
            let message = match domains.len() {
                0 => format!("`{name}` has no index"),
                1 => format!("`{name}` needs one index, {} given", given(indices.len())),
                n => format!("`{name}` needs {n} indices, {} given", given(indices.len())),
            };
            self.error(span, message);
            return None;
        }
        let terms =
            indices.iter().zip(domains).map(|(&index, domain)| self.check_index(index, domain)).collect();
        Some(terms)
    }

    /// An index of a domain: a process of the family, or a number in the range.
    fn check_index(&mut self, expr: ExprId, domain: Domain) -> TermId {
        match domain {
            Domain::Family(family) => {
                let term = self.check(expr);
                match self.terms[term].ty {
                    Type::Process { family: f, .. } if f == family => term,
                    Type::Error => term,
                    found => {
                        let message = format!(
                            "the index must be a process of `{}`, but this is {}",
                            self.families[family].name,
                            self.described(found)
                        );
                        self.error(self.span(expr), message);
                        self.failed(self.span(expr))
                    }
                }
            }
            Domain::Range(low, high) => {
                let term = self.check_number(expr);
                if let TermKind::Const(value) = self.terms[term].kind
                    && self.terms[term].ty == Type::Int
                    && self.is_literal_number(expr)
                    && (value < low || value > high)
                {
                    self.error(self.span(expr), format!("the index {value} is outside {low}..{high}"));
                }
                term
            }
        }
    }

    /// A family's name as an expression: a single process, or `client[e]`.
    fn process_of(&mut self, family: super::FamilyId, indices: &'a [ExprId], span: Span) -> TermId {
        let (name, size, single) =
            (self.families[family].name.clone(), self.families[family].size, self.families[family].single);
        let ty = Type::Process { family, optional: false };
        match indices {
            [] if single => self.constant(0, ty, span),
            [] => {
                self.error(span, format!("`{name}` is a family of processes; one of them is `{name}[0]`"));
                self.failed(span)
            }
            [index] => {
                let index = self.check_number(*index);
                match self.terms[index].kind {
                    _ if self.terms[index].ty == Type::Error => self.failed(span),
                    TermKind::Const(value) if value < 0 || value >= size as i64 => {
                        let there = match size {
                            _ if single => format!("`{name}` is a single process, written without a number"),
                            0 => format!("`{name}` has no processes"),
                            _ => format!("`{name}` has the numbers 0..{}", size - 1),
                        };
                        self.error(span, format!("there is no process `{name}[{value}]`: {there}"));
                        self.failed(span)
                    }
                    TermKind::Const(value) => self.constant(value, ty, span),
                    _ => self.term(TermKind::ProcessAt(family, index), ty, span),
                }
            }
            _ => {
                self.error(span, format!("a process of `{name}` has one number, {} given", indices.len()));
                self.failed(span)
            }
        }
    }

    pub(super) fn indexed(&mut self, base: ExprId, indices: &'a [ExprId], span: Span) -> TermId {
        let file = self.file;
        match &file.exprs[base].kind {
            ExprKind::Name(name) => self.name(name, indices, span),
            ExprKind::Field(process, field) => self.field(*process, field, indices, span),
            ExprKind::Error => self.failed(span),
            _ => {
                self.error(span, "only a variable or a family has an index");
                self.failed(span)
            }
        }
    }

    pub(super) fn field(
        &mut self,
        base: ExprId,
        field: &'a Ident,
        indices: &'a [ExprId],
        span: Span,
    ) -> TermId {
        let process = self.check(base);
        let family = match self.terms[process].ty {
            Type::Process { family, .. } => family,
            Type::Error => return self.failed(span),
            found => {
                let message =
                    format!("only a process has variables of its own, but this is {}", self.described(found));
                self.error(self.span(base), message);
                return self.failed(span);
            }
        };
        if let Some(&var) = self.locals[family].get(field.name.as_str()) {
            return self.local(var, process, indices, span);
        }
        let owner = self.families[family].name.clone();
        let near = closest(&field.name, self.locals[family].keys().copied()).map(ToString::to_string);
        match self.family_with(&field.name) {
            Some(other) if near.is_none() => {
                let (name, other) = (&field.name, &self.families[other].name);
                let message =
                    format!("there is no variable of `{owner}` called `{name}`; it is one of `{other}`");
                self.error(field.span, message);
            }
            _ => self.unknown(&format!("variable of `{owner}`"), field, near),
        }
        self.failed(span)
    }
}

/// How many were given, in words.
pub(super) fn given(count: usize) -> String {
    if count == 0 { "none".to_string() } else { count.to_string() }
}
