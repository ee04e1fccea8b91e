//! Procedures and functions: executed on paper where they are called.

use super::super::shape::{Shape, ShapeId};
use super::super::term::{TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::access::wrong_arguments;
use super::effect::Extent;
use super::names::{Binding, Global};
use super::value::{Op, Value};
use crate::syntax::ast::{ExprId, Ident, RoutineDecl, RoutineParam, Statement, StatementKind};
use crate::text::{Diagnostic, Span, closest};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The way to write here what other languages use this word for.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "break" | "continue" => "the condition of `while` decides, and what is left out stands in an `if`",
        "call" | "do" => "a procedure is called by its name, `f(x)`",
        "when" | "wait" => "code waits with `await E`, an action for its guard",
        "notify" | "signal" | "notifyAll" | "broadcast" => {
            "whoever waits looks for itself, with `await E` or a guard; who is woken is `with t in waiting { … }`"
        }
        "print" | "printf" | "log" => "states and steps are shown as they are",
        "send" => "what is sent is `add m to net` or `push(q, m)`",
        "receive" | "recv" => {
            "what comes is `with m in net { … }`, `action take(m in net)`, or `head(q)` and `pop(q)`"
        }
        "lock" | "acquire" => "a lock is a variable: `await owner == none  owner := self`",
        "unlock" | "release" => "a lock is a variable: `owner := none`",
        _ => return None,
    })
}

/// The parameters of a call.
struct Bound<'a> {
    bindings: Vec<(&'a str, Binding)>,
    /// They hold wherever the arguments have values, and have their faults.
    tests: Vec<TermId>,
}

impl<'a> Builder<'a> {
    /// A call that is a statement.
    pub(super) fn call_procedure(&mut self, name: &'a Ident, arguments: &'a [ExprId], span: Span) {
        if !self.names.items.contains_key(name.name.as_str()) && self.queue_statement(name, arguments, span) {
            return;
        }
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
            None if let Some(instead) = elsewhere(&name.name) => {
                self.error(name.span, format!("there is no `{}` here: {instead}", name.name));
                return;
            }
            None => {
                let routines = self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Routine(_)));
                let near = closest(&name.name, routines.map(|(n, _)| *n)).map(ToString::to_string);
                self.unknown("procedure", name, near);
                return;
            }
        };
        let Some(Bound { bindings, tests }) = self.arguments(routine, arguments, span) else { return };
        for test in tests {
            self.probe(test);
        }
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
    ) -> Value {
        let Some(result) = &routine.result else {
            let message = format!(
                "`{}` is a procedure and has no value; what computes one is a `function`",
                routine.name.name
            );
            self.error(span, message);
            return self.no_value(span);
        };
        let Some(result) = self.shape(result, None) else { return self.no_value(span) };
        let Some(Bound { bindings, tests }) = self.arguments(routine, arguments, span) else {
            return self.no_value(span);
        };
        let outer = core::mem::replace(&mut self.scope.bindings, bindings);
        self.expanding.push((&routine.name.name, span));
        let value = self.returned(alloc::vec![&routine.body.statements], result);
        self.expanding.pop();
        self.scope.bindings = outer;
        let Some(value) = value else {
            let message =
                format!("the function `{}` can come to its end without `return`", routine.name.name);
            self.error(routine.name.span, message);
            return self.no_value(span);
        };
        self.behind(tests, value, span)
    }

    /// Binds the parameters of a call; none where something is wrong, which has been said.
    fn arguments(
        &mut self,
        routine: &'a RoutineDecl,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Bound<'a>> {
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
            let message = wrong_arguments(name, routine.params.len(), arguments.len());
            let diagnostic =
                Diagnostic::new(span, message).with_note(routine.name.span, "it is declared here");
            self.diagnostics.push(diagnostic);
            return None;
        }
        let mut bindings: Vec<(&'a str, Binding)> = Vec::new();
        let mut tests = Vec::new();
        for (param, &argument) in routine.params.iter().zip(arguments) {
            if bindings.iter().any(|(n, _)| *n == param.name.name) {
                let message = format!("the parameter `{}` stands here twice", param.name.name);
                self.error(param.name.span, message);
            }
            let binding = self.argument(param, argument)?;
            if let Binding::Value(value) = &binding {
                tests.extend(self.looks_at(value, self.span(argument)));
            }
            bindings.push((&param.name.name, binding));
        }
        (!self.too_large).then_some(Bound { bindings, tests })
    }

    fn argument(&mut self, param: &'a RoutineParam, argument: ExprId) -> Option<Binding> {
        let shape = self.shape(&param.ty, None)?;
        let span = self.span(argument);
        if !param.out {
            let value = self.value_for(argument, shape)?;
            if self.is_failed_value(&value) {
                return None;
            }
            return Some(Binding::Value(Self::named_value(&self.typed(value, shape))));
        }
        if self.scope.paper.is_none() {
            self.error(span, "a parameter that is `out` is assigned to, which an expression cannot do");
            return None;
        }
        let place = self.place(argument);
        if self.is_failed_value(&place) {
            return None;
        }
        let found = match &place {
            Value::Scalar(term) => match self.terms[*term].kind {
                TermKind::Shared(var, _) | TermKind::Local(var, ..) => {
                    let ty = self.declared_type(var);
                    Some(self.shapes.enter(Shape::Scalar(ty)))
                }
                _ => None,
            },
            Value::Place(place) if !place.named && place.given.is_empty() => Some(place.shape),
            _ => None,
        };
        let Some(found) = found else {
            let message = format!("`{}` is `out`: a variable is needed here", param.name.name);
            self.error(span, message);
            return None;
        };
        if found == shape {
            return Some(Binding::Place(place));
        }
        let message = format!(
            "`{}` is `out`, so the variable must have its type, but this is {}",
            param.name.name,
            self.shape_name(found)
        );
        self.error(span, message);
        None
    }

    /// The value with which the statements return, the innermost block last; none where they need not return.
    fn returned(&mut self, mut blocks: Vec<&'a [Statement]>, ty: ShapeId) -> Option<Value> {
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
                    let Some(value) = self.value_for(*value, ty) else { return Some(self.no_value(span)) };
                    return Some(self.retyped(value, ty, span));
                }
                StatementKind::Let(name, value) => {
                    let value = self.value(*value);
                    let tests = self.looks_at(&value, span);
                    self.scope.bindings.push((&name.name, Binding::Value(value)));
                    let rest = self.returned(blocks, ty)?;
                    return Some(self.behind(tests, rest, span));
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
                    return Some(self.no_value(span));
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
        ty: ShapeId,
        span: Span,
    ) -> Option<Value> {
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
            value = match (other, value) {
                (Value::Scalar(yes), Value::Scalar(no)) => {
                    Value::Scalar(self.conditional(test, [yes, no], span))
                }
                sides => self.chosen(test, sides, span),
            };
        }
        Some(self.retyped(value, ty, span))
    }

    /// A value of a function's type: `none` alone is of no family.
    fn retyped(&mut self, value: Value, shape: ShapeId, span: Span) -> Value {
        match (&value, &self.shapes[shape]) {
            (Value::Scalar(term), Shape::Scalar(ValueType { ty: Type::Process { family, .. }, .. }))
                if self.terms[*term].ty == Type::None =>
            {
                let (kind, family) = (self.terms[*term].kind.clone(), *family);
                Value::Scalar(self.term(kind, Type::Process { family, optional: true }, span))
            }
            _ => self.typed(value, shape),
        }
    }

    /// `push(q, x)` and `pop(q)` as statements; whether it is one of them.
    fn queue_statement(&mut self, name: &'a Ident, arguments: &'a [ExprId], span: Span) -> bool {
        let (op, value) = match (name.name.as_str(), arguments) {
            ("push", &[_, value]) => (Op::Push, Some(value)),
            ("pop", &[_]) => (Op::Pop, None),
            ("push" | "pop", _) => {
                let form = if name.name == "push" { "push(q, m)" } else { "pop(q)" };
                self.error(span, format!("this is written `{form}`"));
                return true;
            }
            _ => return false,
        };
        let Some((place, shape)) = self.collection(arguments[0], &name.name, "a queue") else { return true };
        let Shape::Queue(_, item) = self.shapes[shape] else { return true };
        let whole = Value::Place(place.clone());
        let operand = match value {
            Some(value) => self.value_for(value, item),
            None => Some(whole.clone()),
        };
        let Some(operand) = operand else { return true };
        let changed = Value::Changed(op, Rc::new([whole, operand]));
        let mut made = Vec::new();
        let span = value.map_or(span, |value| self.span(value));
        self.assign_all(&place, &changed, &Extent::default(), span, &mut made);
        self.write_made(made, span);
        true
    }
}
