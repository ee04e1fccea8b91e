//! Functions and definitions applied to arguments.

use super::super::term::{ArithmeticOp, Direction, TermId, TermKind};
use super::super::types::Type;
use super::access::{given, wrong_arguments};
use super::names::{Binding, Definition, Global};
use super::value::Value;
use super::{Atoms, Builder};
use crate::functions::{Function, Takes};
use crate::syntax::ast::{ExprId, Ident};
use crate::text::{Diagnostic, Span, closest};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn call(&mut self, function: &'a Ident, arguments: &'a [ExprId], span: Span) -> Value {
        let name = function.name.as_str();
        if let Some(&(Global::Definition(definition), _)) = self.names.items.get(name) {
            return self.expand(name, definition, arguments, span);
        }
        if let Some(&(Global::Routine(routine), _)) = self.names.items.get(name) {
            return self.call_function(routine, arguments, span);
        }
        if let Some(built_in) = Function::named(name) {
            match (built_in.takes(), arguments) {
                (Takes::Process, &[argument]) => {
                    return Value::Scalar(self.of_process(built_in, argument, span));
                }
                (Takes::Process, _) => {
                    let given = given(arguments.len());
                    self.error(span, format!("`{name}` takes one process, {given} given"));
                    return self.no_value(span);
                }
                (Takes::Collection, _) => return self.collection_call(built_in, arguments, span),
                _ if built_in == Function::Count => return self.collection_call(built_in, arguments, span),
                _ => return Value::Scalar(self.numeric(built_in, arguments, span)),
            }
        }
        let kind = match self.names.items.get(name) {
            _ if self.binding(name).is_some() => Some("a bound name"),
            Some((global, _)) => Some(global.kind()),
            None => None,
        };
        if let Some(kind) = kind {
            let message = match self.names.items.get(name) {
                Some((Global::Type(_), _)) => {
                    format!(
                        "`{name}` is a type; a record of it is written with its fields: `{name}(field: value)`"
                    )
                }
                _ => format!("`{name}` is {kind}; only definitions take arguments"),
            };
            self.error(function.span, message);
        } else {
            let definitions =
                self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Definition(_)));
            let built_in = Function::ALL.map(Function::name);
            let near = closest(name, definitions.map(|(n, _)| *n).chain(built_in)).map(ToString::to_string);
            if let "push" | "pop" = name {
                let message = format!("`{name}` changes a queue: it stands behind `->`, by itself");
                self.error(span, message);
            } else {
                self.unknown("definition", function, near);
            }
        }
        self.no_value(span)
    }

    fn of_process(&mut self, function: Function, argument: ExprId, span: Span) -> TermId {
        let name = function.name();
        let process = self.check(argument);
        let family = match self.terms[process].ty {
            Type::Process { family, .. } => family,
            Type::Error => return self.failed(span),
            found => {
                let message = format!("`{name}` takes a process, but this is {}", self.described(found));
                self.error(self.span(argument), message);
                return self.failed(span);
            }
        };
        match function {
            Function::Index => self.index_of(process, span),
            Function::Next | Function::Prev => {
                if !self.families[family].ring {
                    let family = self.families[family].name.clone();
                    self.error(
                        span,
                        format!("`{name}` is for rings, and `{family}` is not one; declare it `process {family}[…] ring`"),
                    );
                    return self.failed(span);
                }
                let direction = if function == Function::Next { Direction::Next } else { Direction::Prev };
                self.term(
                    TermKind::Neighbour(direction, process),
                    Type::Process { family, optional: false },
                    span,
                )
            }
            _ => {
                let enabled = function == Function::Enabled;
                let allowed = match self.scope.atoms {
                    Atoms::None => false,
                    Atoms::Enabled => enabled,
                    Atoms::EnabledAndExecuted => true,
                };
                if !allowed {
                    let places = if enabled {
                        "`ltl`, `ctl` and `automaton` properties"
                    } else {
                        "`ltl` and `automaton` properties"
                    };
                    self.error(span, format!("`{name}` can stand in {places} only"));
                    return self.failed(span);
                }
                let kind = if enabled { TermKind::Enabled(process) } else { TermKind::Executed(process) };
                self.term(kind, Type::Bool, span)
            }
        }
    }

    /// `min(a, b, …)`, `max(a, b, …)` and `abs(a)`.
    fn numeric(&mut self, function: Function, arguments: &'a [ExprId], span: Span) -> TermId {
        let op = match function {
            Function::Min => ArithmeticOp::Min,
            Function::Max => ArithmeticOp::Max,
            Function::Abs if arguments.len() == 1 => {
                let number = self.check_number(arguments[0]);
                let twice = self.copy(number, span);
                let negated = self.negate(twice, span);
                return self.arithmetic(ArithmeticOp::Max, number, negated, span);
            }
            Function::Abs => {
                self.error(span, format!("`abs` takes one number, {} given", given(arguments.len())));
                return self.failed(span);
            }
            _ => {
                self.error(
                    span,
                    "`sum` adds up over a domain: `sum(x in D: E)`; two numbers are added with `+`",
                );
                return self.failed(span);
            }
        };
        let name = function.name();
        let &[first, ref rest @ ..] = arguments else {
            self.error(span, format!("`{name}` takes two numbers or more, none given"));
            return self.failed(span);
        };
        if rest.is_empty() {
            let message = format!(
                "`{name}` takes two numbers or more; over a domain it is written `{name}(x in D: E)`"
            );
            self.error(span, message);
            return self.failed(span);
        }
        let mut best = self.check_number(first);
        for &argument in rest {
            let next = self.check_number(argument);
            best = self.arithmetic(op, best, next, span);
        }
        best
    }

    /// The body of a definition, with the arguments for its parameters; the arguments mean what they mean here.
    pub(super) fn expand(
        &mut self,
        name: &'a str,
        definition: Definition<'a>,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        if definition.params.len() != arguments.len() {
            let message = wrong_arguments(name, definition.params.len(), arguments.len());
            let mut diagnostic = Diagnostic::new(span, message);
            if let Some((_, defined)) = self.names.items.get(name) {
                diagnostic = diagnostic.with_note(*defined, "it is defined here");
            }
            self.diagnostics.push(diagnostic);
            return self.no_value(span);
        }
        if let Some(start) = self.expanding.iter().position(|(n, _)| *n == name) {
            let between: Vec<String> =
                self.expanding[start + 1..].iter().map(|(n, _)| format!("`{n}`")).collect();
            let way = if between.is_empty() {
                String::new()
            } else {
                format!(", by way of {}", between.join(", "))
            };
            self.error(span, format!("the definition of `{name}` uses itself{way}"));
            return self.no_value(span);
        }
        let arguments: Vec<Value> = arguments.iter().map(|&a| self.value(a)).collect();
        if self.too_large {
            return self.no_value(span);
        }
        let outer = core::mem::take(&mut self.scope.bindings);
        for (param, argument) in definition.params.iter().zip(arguments) {
            self.scope.bindings.push((&param.name, Binding::Value(argument)));
        }
        self.expanding.push((name, span));
        let value = self.value(definition.body);
        self.expanding.pop();
        self.scope.bindings = outer;
        value
    }
}
