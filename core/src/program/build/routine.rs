//! Procedures and functions: executed on paper where they are called.

use super::super::term::{Comparison, TermId, TermKind};
use super::super::types::Type;
use super::Builder;
use super::access::given;
use super::names::{Binding, Global};
use crate::syntax::ast::{ExprId, Ident, RoutineDecl, RoutineParam, Statement, StatementKind};
use crate::text::{Diagnostic, Span, closest};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// A call that is a statement.
    pub(super) fn call_procedure(&mut self, name: &'a Ident, arguments: &'a [ExprId], span: Span) {
        let routine = match self.names.items.get(name.name.as_str()) {
            Some((Global::Routine(routine), _)) if routine.result.is_none() => *routine,
            Some((Global::Routine(_), _)) => {
                let message = format!(
                    "`{}` is a function: its value is used in an expression; a procedure does something",
                    name.name
                );
                self.error(name.span, message);
                return;
            }
            Some((global, _)) => {
                let what = global.kind();
                let message = format!(
                    "`{}` is {what}; a statement is an assignment with `:=` or a procedure",
                    name.name
                );
                self.error(name.span, message);
                return;
            }
            None => {
                let routines = self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Routine(_)));
                let near = closest(&name.name, routines.map(|(n, _)| *n)).map(ToString::to_string);
                self.unknown("procedure", name, near);
                return;
            }
        };
        let Some(bindings) = self.arguments(routine, arguments, span) else { return };
        let outer = core::mem::replace(&mut self.scope.bindings, bindings);
        self.expanding.push((&routine.name.name, span));
        self.block(&routine.body);
        self.expanding.pop();
        self.scope.bindings = outer;
    }

    /// The value of a function.
    pub(super) fn call_function(
        &mut self,
        routine: &'a RoutineDecl,
        arguments: &'a [ExprId],
        span: Span,
    ) -> TermId {
        let Some(result) = &routine.result else {
            let message = format!(
                "`{}` is a procedure and has no value; what computes one is a `function`",
                routine.name.name
            );
            self.error(span, message);
            return self.failed(span);
        };
        let Some(result) = self.value_type(result) else { return self.failed(span) };
        let Some(bindings) = self.arguments(routine, arguments, span) else { return self.failed(span) };
        let outer = core::mem::replace(&mut self.scope.bindings, bindings);
        self.expanding.push((&routine.name.name, span));
        let value = self.returned(alloc::vec![&routine.body.statements], result);
        self.expanding.pop();
        self.scope.bindings = outer;
        value.unwrap_or_else(|| {
            let message =
                format!("the function `{}` can come to its end without `return`", routine.name.name);
            self.error(routine.name.span, message);
            self.failed(span)
        })
    }

    /// Binds the parameters of a call; none where something is wrong, which has been said.
    fn arguments(
        &mut self,
        routine: &'a RoutineDecl,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Vec<(&'a str, Binding)>> {
        let name = routine.name.name.as_str();
        if let Some(start) = self.expanding.iter().position(|(n, _)| *n == name) {
            let between: Vec<String> =
                self.expanding[start + 1..].iter().map(|(n, _)| format!("`{n}`")).collect();
            let way = match between.as_slice() {
                [] => String::new(),
                names => format!(", by way of {}", names.join(", ")),
            };
            self.error(span, format!("`{name}` calls itself{way}: there is no recursion"));
            return None;
        }
        if routine.params.len() != arguments.len() {
            let takes = match routine.params.len() {
                0 => "no arguments".to_string(),
                1 => "one argument".to_string(),
                n => format!("{n} arguments"),
            };
            let message = format!("`{name}` takes {takes}, {} given", given(arguments.len()));
            let diagnostic =
                Diagnostic::new(span, message).with_note(routine.name.span, "it is declared here");
            self.diagnostics.push(diagnostic);
            return None;
        }
        let mut bindings: Vec<(&'a str, Binding)> = Vec::new();
        for (param, &argument) in routine.params.iter().zip(arguments) {
            if bindings.iter().any(|(n, _)| *n == param.name.name) {
                let message = format!("the parameter `{}` stands here twice", param.name.name);
                self.error(param.name.span, message);
            }
            let binding = self.argument(param, argument)?;
            bindings.push((&param.name.name, binding));
        }
        (!self.too_large).then_some(bindings)
    }

    fn argument(&mut self, param: &'a RoutineParam, argument: ExprId) -> Option<Binding> {
        let ty = self.value_type(&param.ty)?;
        let span = self.span(argument);
        if !param.out {
            let value = self.check_assignable(argument, ty);
            if self.is_wrong(value) {
                return None;
            }
            if self.scope.paper.is_some() {
                let same = self.copy(value, span);
                let looked_at = self.term(TermKind::Compare(Comparison::Eq, value, same), Type::Bool, span);
                self.probe(looked_at);
            }
            return Some(Binding::Term(value));
        }
        if self.scope.paper.is_none() {
            self.error(span, "a parameter that is `out` is assigned to, which an expression cannot do");
            return None;
        }
        let place = self.place(argument);
        match self.terms[place].kind {
            _ if self.is_wrong(place) => None,
            TermKind::Shared(var, _) | TermKind::Local(var, ..) => {
                if self.vars[var].ty == ty {
                    return Some(Binding::Place(place));
                }
                let message = format!(
                    "`{}` is `out`, so the variable must have its type, but this is {}",
                    param.name.name,
                    self.described_variable(self.vars[var].ty)
                );
                self.error(span, message);
                None
            }
            _ => {
                let message = format!("`{}` is `out`: a variable is needed here", param.name.name);
                self.error(span, message);
                None
            }
        }
    }

    /// The value with which the statements return, the innermost block last; none where they need not return.
    fn returned(
        &mut self,
        mut blocks: Vec<&'a [Statement]>,
        ty: super::super::types::ValueType,
    ) -> Option<TermId> {
        loop {
            let Some(&[ref first, ref rest @ ..]) = blocks.last().copied() else {
                blocks.pop()?;
                continue;
            };
            let last = blocks.len() - 1;
            blocks[last] = rest;
            let span = first.span;
            match &first.kind {
                StatementKind::Return(value) => {
                    let value = self.check_assignable(*value, ty);
                    return Some(self.retyped(value, ty.ty, span));
                }
                StatementKind::Let(name, value) => {
                    let value = self.check(*value);
                    self.scope.bindings.push((&name.name, Binding::Term(value)));
                }
                StatementKind::If(arms, otherwise) => {
                    let tests: Vec<TermId> = arms.iter().map(|(test, _)| self.check_bool(*test)).collect();
                    let bodies = arms.iter().map(|(_, block)| block.statements.as_slice());
                    let otherwise = otherwise.as_ref().map_or(&[][..], |b| b.statements.as_slice());
                    let bodies: Vec<&'a [Statement]> = bodies.collect();
                    return self.returned_by_one(&blocks, &tests, &bodies, otherwise, ty, span);
                }
                StatementKind::Switch(value, cases, otherwise) => {
                    let looked_at = self.check(*value);
                    self.distinct_cases(cases);
                    let tests: Vec<TermId> =
                        cases.iter().map(|(values, _)| self.is_one_of(looked_at, values, span)).collect();
                    let bodies: Vec<&'a [Statement]> =
                        cases.iter().map(|(_, block)| block.statements.as_slice()).collect();
                    let otherwise = otherwise.as_ref().map_or(&[][..], |b| b.statements.as_slice());
                    return self.returned_by_one(&blocks, &tests, &bodies, otherwise, ty, span);
                }
                StatementKind::Skip | StatementKind::Error => {}
                _ => {
                    self.error(
                        span,
                        "a function only computes a value, with `let`, `if`, `switch` and `return`; what assigns is a `procedure`",
                    );
                    return Some(self.failed(span));
                }
            }
        }
    }

    fn returned_by_one(
        &mut self,
        after: &[&'a [Statement]],
        tests: &[TermId],
        bodies: &[&'a [Statement]],
        otherwise: &'a [Statement],
        ty: super::super::types::ValueType,
        span: Span,
    ) -> Option<TermId> {
        let mut values = Vec::new();
        for &body in bodies.iter().chain([&otherwise]) {
            let depth = self.scope.bindings.len();
            let blocks = after.iter().copied().chain([body]).collect();
            let value = self.returned(blocks, ty);
            self.scope.bindings.truncate(depth);
            values.push(value?);
        }
        let mut value = values.pop()?;
        for (&test, other) in tests.iter().zip(values).rev() {
            value = self.conditional(test, [other, value], span);
        }
        Some(self.retyped(value, ty.ty, span))
    }

    /// A value of a function's type: `none` alone is of no family.
    fn retyped(&mut self, value: TermId, ty: Type, span: Span) -> TermId {
        match (self.terms[value].ty, ty) {
            (Type::None, Type::Process { family, .. }) => {
                let kind = self.terms[value].kind.clone();
                self.term(kind, Type::Process { family, optional: true }, span)
            }
            _ => value,
        }
    }
}
