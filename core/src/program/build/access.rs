//! Names, their indices and the variables of processes.

use super::super::shape::{DeclId, Shape, ShapeId};
use super::super::term::{Comparison, Domain, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::names::{Binding, Global};
use super::value::{Place, Value};
use crate::syntax::ast::{ExprId, ExprKind, Ident};
use crate::text::{Span, closest};
use alloc::format;
use alloc::rc::Rc;
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
    pub(super) fn name(&mut self, name: &'a str, indices: &'a [ExprId], span: Span) -> Value {
        if let Some(binding) = self.binding(name) {
            return match binding {
                Binding::Value(value) if !indices.is_empty() => self.table_entry(&value, name, indices, span),
                Binding::Value(Value::Scalar(term)) => Value::Scalar(self.copy(term, span)),
                Binding::Reg(reg, ty) => {
                    self.no_indices(name, indices, span);
                    Value::Scalar(self.term(TermKind::Bound(reg), ty, span))
                }
                Binding::Place(value) if !indices.is_empty() => self.table_entry(&value, name, indices, span),
                Binding::Place(Value::Scalar(place)) if self.scope.placing == Some(span) => {
                    Value::Scalar(place)
                }
                Binding::Place(Value::Scalar(place)) => Value::Scalar(self.read(place)),
                Binding::Place(Value::Place(place)) => {
                    let at = self.done_so_far();
                    Value::Place(Rc::new(Place { at, ..(*place).clone() }))
                }
                Binding::Value(value) | Binding::Place(value) => value,
                Binding::Variable(decl) => self.variable_value(decl, None, indices, span),
                Binding::Fixpoint(_) => {
                    self.error(
                        span,
                        format!("`{name}` is the variable of a fixed point: it stands for a formula"),
                    );
                    self.no_value(span)
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
                    Some(value) => Value::Scalar(self.constant(value, Type::Int, span)),
                    None => self.no_value(span),
                }
            }
            Some(Global::Shared(Some(var))) => self.shared(var, indices, span),
            Some(Global::Shared(None)) => {
                self.reads_variable(span);
                self.no_value(span)
            }
            Some(Global::Definition(definition)) => {
                self.no_indices(name, indices, span);
                self.expand(name, definition, &[], span)
            }
            Some(Global::Routine(routine)) => {
                self.no_indices(name, indices, span);
                self.call_function(routine, &[], span)
            }
            Some(Global::Family(family)) => Value::Scalar(self.process_of(family, indices, span)),
            Some(Global::Type(_)) => {
                self.error(span, format!("`{name}` is a type; a value or a variable is needed here"));
                self.no_value(span)
            }
            None if self.names.literals.contains_key(name) => {
                self.no_indices(name, indices, span);
                Value::Scalar(self.literal(name, span))
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
                self.no_value(span)
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

    fn shared(&mut self, decl: DeclId, indices: &'a [ExprId], span: Span) -> Value {
        self.variable_value(decl, None, indices, span)
    }

    fn local(&mut self, decl: DeclId, process: TermId, indices: &'a [ExprId], span: Span) -> Value {
        self.variable_value(decl, Some(process), indices, span)
    }

    fn variable_value(
        &mut self,
        decl: DeclId,
        process: Option<TermId>,
        indices: &'a [ExprId],
        span: Span,
    ) -> Value {
        let Some(indices) = self.indices(decl, indices, span) else { return self.no_value(span) };
        let shape = self.declared[decl].shape;
        let at = self.done_so_far();
        let place = Place { decl, process, indices, leaf: 0, shape, given: Vec::new(), at, named: false };
        self.settled(place, span)
    }

    /// An entry of a field that is a table.
    fn table_entry(&mut self, value: &Value, name: &str, indices: &'a [ExprId], span: Span) -> Value {
        if self.is_failed_value(value) {
            return self.no_value(span);
        }
        let Some(shape) = self.shape_of(value) else {
            self.no_indices(name, indices, span);
            return self.no_value(span);
        };
        let Shape::Table(domains, inner) = self.shapes[shape].clone() else {
            self.no_indices(name, indices, span);
            return self.no_value(span);
        };
        let Some(indices) = self.checked_indices(name, &domains, indices, span) else {
            return self.no_value(span);
        };
        self.entry_of_table(value, inner, &indices, span)
    }

    fn entry_of_table(&mut self, value: &Value, inner: ShapeId, indices: &[TermId], span: Span) -> Value {
        match value {
            Value::Place(place) => {
                let mut entry = (**place).clone();
                entry.indices.extend_from_slice(indices);
                entry.shape = inner;
                self.settled(entry, span)
            }
            Value::Choice(condition, sides) => {
                let sides = [
                    self.entry_of_table(&sides[0], inner, indices, span),
                    self.entry_of_table(&sides[1], inner, indices, span),
                ];
                Value::Choice(*condition, Rc::new(sides))
            }
            // One value stands for all entries.
            other => other.clone(),
        }
    }

    fn indices(&mut self, decl: DeclId, indices: &'a [ExprId], span: Span) -> Option<Vec<TermId>> {
        if self.reads_variable(span) {
            return None;
        }
        let (domains, name) = (self.declared[decl].index.clone(), self.declared[decl].name.clone());
        self.checked_indices(&name, &domains, indices, span)
    }

    fn checked_indices(
        &mut self,
        name: &str,
        domains: &[Domain],
        indices: &'a [ExprId],
        span: Span,
    ) -> Option<Vec<TermId>> {
        if domains.len() != indices.len() {
            let message = match domains.len() {
                0 => format!("`{name}` has no index"),
                1 => format!("`{name}` needs one index, {} given", given(indices.len())),
                n => format!("`{name}` needs {n} indices, {} given", given(indices.len())),
            };
            self.error(span, message);
            return None;
        }
        let terms =
            indices.iter().zip(domains).map(|(&index, domain)| self.check_index(index, *domain)).collect();
        Some(terms)
    }

    /// An index of a domain: a process of the family, or a number in the range.
    fn check_index(&mut self, expr: ExprId, domain: Domain) -> TermId {
        match domain {
            Domain::Family(family) => {
                let value = self.value(expr);
                let union =
                    self.shape_of(&value).is_some_and(|s| matches!(self.shapes[s], Shape::Union { .. }));
                let span = self.span(expr);
                if union {
                    let ty = Type::Process { family, optional: false };
                    return self.of_family(&value, ty, span).unwrap_or_else(|| self.failed(span));
                }
                let term = self.scalar(&value, span);
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

    pub(super) fn indexed(&mut self, base: ExprId, indices: &'a [ExprId], span: Span) -> Value {
        let file = self.file;
        match &file.exprs[base].kind {
            ExprKind::Name(name) => self.name(name, indices, span),
            ExprKind::Field(process, field) => self.field(*process, field, indices, span),
            ExprKind::Error => self.no_value(span),
            _ => {
                self.error(span, "only a variable or a family has an index");
                self.no_value(span)
            }
        }
    }

    /// A variable of a process, or a field of a record.
    pub(super) fn field(
        &mut self,
        base: ExprId,
        field: &'a Ident,
        indices: &'a [ExprId],
        span: Span,
    ) -> Value {
        let value = self.value(base);
        if self.is_failed_value(&value) {
            return self.no_value(span);
        }
        let base_span = self.span(base);
        let shape = self.shape_of(&value).map(|s| self.shapes[s].clone());
        let shape = match shape {
            Some(Shape::Optional(inner)) => Some(self.shapes[inner].clone()),
            other => other,
        };
        match shape {
            Some(Shape::Record { fields, name }) => {
                let Some(position) = fields.iter().position(|(n, _)| *n == field.name) else {
                    let near = closest(&field.name, fields.iter().map(|(n, _)| n.as_str()));
                    let of = name.map_or("field of this record".into(), |name| format!("field of `{name}`"));
                    let near = near.map(ToString::to_string);
                    self.unknown(&of, field, near);
                    return self.no_value(span);
                };
                let part = self.part(&value, position, span);
                if indices.is_empty() { part } else { self.table_entry(&part, &field.name, indices, span) }
            }
            Some(Shape::Union { families, .. }) => {
                self.field_of_union(&value, &families, field, indices, span)
            }
            Some(Shape::Scalar(_) | Shape::Error) | None => {
                let process = self.scalar(&value, base_span);
                self.field_of(process, base_span, field, indices, span)
            }
            Some(_) => {
                let what = self.described_value(&value);
                self.error(base_span, format!("this is {what}, which has no fields"));
                self.no_value(span)
            }
        }
    }

    /// A variable that the processes of some families of a union have.
    fn field_of_union(
        &mut self,
        value: &Value,
        families: &[super::FamilyId],
        field: &'a Ident,
        indices: &'a [ExprId],
        span: Span,
    ) -> Value {
        let has = |f: &&super::FamilyId| self.locals[**f].contains_key(field.name.as_str());
        let having: Vec<super::FamilyId> = families.iter().filter(has).copied().collect();
        let mut found: Option<Value> = None;
        for &family in having.iter().rev() {
            let ty = Type::Process { family, optional: true };
            let Some(id) = self.of_family(value, ty, span) else { return self.no_value(span) };
            let read = self.field_of(id, span, field, indices, span);
            found = Some(match found {
                None => read,
                Some(other) => {
                    let (again, none) = (self.copy(id, span), self.constant(-1, ty, span));
                    let is = self.compare(Comparison::Ne, again, none, span);
                    match (read, other) {
                        (Value::Scalar(yes), Value::Scalar(no)) => {
                            Value::Scalar(self.conditional(is, [yes, no], span))
                        }
                        (yes, no) => Value::Choice(is, Rc::new([yes, no])),
                    }
                }
            });
        }
        found.unwrap_or_else(|| {
            let names: Vec<String> =
                families.iter().map(|&f| format!("`{}`", self.families[f].name)).collect();
            let of = format!("variable of {}", names.join(" or "));
            self.unknown(&of, field, None);
            self.no_value(span)
        })
    }

    fn field_of(
        &mut self,
        process: TermId,
        base_span: Span,
        field: &'a Ident,
        indices: &'a [ExprId],
        span: Span,
    ) -> Value {
        let family = match self.terms[process].ty {
            Type::Process { family, .. } => family,
            Type::Error => return self.no_value(span),
            found => {
                let message =
                    format!("only a process has variables of its own, but this is {}", self.described(found));
                self.error(base_span, message);
                return self.no_value(span);
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
        self.no_value(span)
    }
}

/// The message where a definition or a routine gets another number of arguments than it takes.
pub(super) fn wrong_arguments(name: &str, takes: usize, count: usize) -> String {
    let takes = match takes {
        0 => "no arguments".to_string(),
        1 => "one argument".to_string(),
        n => format!("{n} arguments"),
    };
    format!("`{name}` takes {takes}, {} given", given(count))
}

/// How many were given, in words.
pub(super) fn given(count: usize) -> String {
    if count == 0 { "none".to_string() } else { count.to_string() }
}
