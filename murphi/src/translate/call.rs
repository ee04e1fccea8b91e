//! Procedures and functions, written out where they are called.

use super::Translator;
use super::scope::{Entity, Val, strength};
use super::types::{ERROR, INT, Ty, TyId, UNDEFINED};
use crate::tree::{Domain, Expr, ExprKind, Name, Quantifier, Routine, Stmt, StmtKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::Span;

/// The effect of `return` in a body that is written out.
#[derive(Clone, Debug, Default)]
pub(super) struct Returning {
    /// The variable that becomes true, where statements follow.
    pub flag: Option<String>,
    /// The variable for the value, and its type.
    pub result: Option<(Val, TyId)>,
}

/// Names that a call binds, with what they mean.
type Bound = Vec<(String, Entity)>;

impl<'a> Translator<'a> {
    fn routine(&mut self, name: &Name) -> Option<(usize, &'a Routine)> {
        match self.lookup(&name.text) {
            Some(Entity::Routine(number)) => {
                let number = *number;
                Some((number, &self.model.routines[number]))
            }
            Some(other) => {
                let message = format!("`{}` is {}, not a procedure or function", name.text, other.words());
                self.error(name.span, message);
                None
            }
            None => {
                self.unknown("procedure or function", &name.text, name.span);
                None
            }
        }
    }

    /// A function in an expression.
    pub(super) fn call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Val {
        let Some((number, routine)) = self.routine(name) else { return Val::wrong() };
        if routine.result.is_none() {
            self.error(span, format!("`{}` is a procedure, so it has no value", name.text));
            return Val::wrong();
        }
        if is_expression(routine) {
            return self.written_as_expression(number, arguments, span).unwrap_or_else(Val::wrong);
        }
        if self.no_statements > 0 {
            let message = format!(
                "`{}` has loops or assignments, so it cannot be called here: only where a statement is executed, and not in a part that may be left out",
                name.text
            );
            self.error(span, message);
            return Val::wrong();
        }
        self.written_out(number, arguments, span).unwrap_or_else(Val::wrong)
    }

    /// A procedure, or a function whose value nobody asks for.
    pub(super) fn call_statement(&mut self, name: &Name, arguments: &[Expr], span: Span) {
        let Some((number, _)) = self.routine(name) else { return };
        self.written_out(number, arguments, span);
    }

    fn enter_routine(&mut self, number: usize, arguments: &[Expr], span: Span) -> bool {
        let routine = &self.model.routines[number];
        let name = &routine.name.text;
        if self.calling.contains(&number) {
            self.error(
                span,
                format!("`{name}` calls itself, which is not translated: a step must come to an end"),
            );
            return false;
        }
        let takes: usize = routine.params.iter().map(|(field, _)| field.names.len()).sum();
        if takes != arguments.len() {
            self.error(span, format!("`{name}` takes {takes} arguments, {} given", arguments.len()));
            return false;
        }
        self.called.insert(number);
        true
    }

    /// The types of the parameters, known where the routine is declared.
    fn param_types(&mut self, number: usize) -> Vec<TyId> {
        if let Some(known) = self.signatures.get(&number) {
            return known.0.clone();
        }
        let routine = &self.model.routines[number];
        let saved = self.scope.split_off(self.globals.min(self.scope.len()));
        let params = routine.params.iter().map(|(field, _)| self.resolve(&field.ty, "")).collect::<Vec<_>>();
        let result = routine.result.as_ref().map(|ty| self.resolve(ty, ""));
        self.scope.extend(saved);
        self.signatures.insert(number, (params.clone(), result));
        params
    }

    fn result_type(&mut self, number: usize) -> TyId {
        self.param_types(number);
        self.signatures.get(&number).and_then(|(_, result)| *result).unwrap_or(ERROR)
    }

    /// Parameters as what they stand for, where nothing is assigned, and tests that the arguments have values.
    fn bound_to_values(&mut self, number: usize, arguments: &[Expr]) -> Option<(Bound, Vec<String>)> {
        let types = self.param_types(number);
        let routine = &self.model.routines[number];
        let (mut bound, mut tests) = (Vec::new(), Vec::new());
        let mut arguments = arguments.iter();
        for ((field, _), ty) in routine.params.iter().zip(types) {
            for name in &field.names {
                let argument = arguments.next()?;
                let val = self.expr(argument);
                let mut val = self.coerced(val, ty, argument.span)?;
                self.widen(&mut val, ty);
                if self.is_simple(ty) {
                    tests.extend(self.strict(&val, ty, val.place.is_some()));
                    if val.ty == UNDEFINED || self.is_number(ty) {
                        val.ty = ty;
                    }
                }
                bound.push((name.text.clone(), Entity::Value(val)));
            }
        }
        Some((bound, tests))
    }

    fn written_as_expression(&mut self, number: usize, arguments: &[Expr], span: Span) -> Option<Val> {
        if !self.enter_routine(number, arguments, span) {
            return None;
        }
        let (bound, tests) = self.bound_to_values(number, arguments)?;
        let ty = self.result_type(number);
        let routine = &self.model.routines[number];
        let saved = self.scope.split_off(self.globals);
        let level = core::mem::replace(&mut self.level, self.globals);
        self.scope.extend(bound);
        self.calling.push(number);
        for decl in &routine.body.decls {
            if let crate::tree::Decl::Var(field) = decl {
                for name in &field.names {
                    // Assigned before it is read, or it is wrong; the first assignment gives it its meaning.
                    let unset = Val::new("none", self.resolve(&field.ty, ""), strength::ATOM);
                    self.scope.push((name.text.clone(), Entity::Value(Val { optional: true, ..unset })));
                }
            } else {
                self.local_decl(decl);
            }
        }
        let stmts: Vec<&Stmt> = routine.body.stmts.iter().collect();
        let value = self.returned(&stmts, ty);
        self.calling.pop();
        self.scope.truncate(self.globals);
        self.scope.extend(saved);
        self.level = level;
        if value.is_none() {
            let message = format!("`{}` comes to its end without `return`", routine.name.text);
            self.error(span, message);
        }
        let value = self.behind(&tests, Val { place: None, ..value? });
        if value.strength == strength::WEAKEST {
            return Some(self.whole_enumeration(value));
        }
        Some(value)
    }

    /// The value that statements return.
    fn returned(&mut self, stmts: &[&Stmt], ty: TyId) -> Option<Val> {
        let (&first, rest) = stmts.split_first()?;
        if self.diagnostics.len() > 100 || self.size > super::MAX_TEXT {
            return None;
        }
        match &first.kind {
            StmtKind::Return(Some(value)) => {
                let val = self.expr(value);
                self.expect_type(&val, ty, value.span);
                let test = self.ranged(&val, ty);
                let val = self.behind(test.as_slice(), val);
                let ty = if self.is_number(ty) { ty } else { val.ty };
                Some(Val { ty, ..val })
            }
            StmtKind::If(arms, otherwise) => {
                let mut tests = Vec::new();
                let mut values = Vec::new();
                for (test, body) in arms {
                    tests.push(self.truth(test));
                    values.push(self.returned_after(body, rest, ty)?);
                }
                let last = self.returned_after(otherwise, rest, ty)?;
                Some(self.chain(tests, values, &last))
            }
            StmtKind::Switch(value, cases, otherwise) => {
                let looked_at = self.expr(value);
                let mut tests = Vec::new();
                let mut values = Vec::new();
                for (labels, body) in cases {
                    let operand = if looked_at.optional {
                        self.needed(&looked_at)
                    } else {
                        looked_at.operand(strength::ADD)
                    };
                    let mut parts = Vec::new();
                    for label in labels {
                        let label_val = self.expr(label);
                        self.expect_type(&label_val, looked_at.ty, label.span);
                        let known = self.literal_of(&looked_at).zip(self.literal_of(&label_val));
                        parts.push(match known {
                            Some((one, other)) => String::from(if one == other { "true" } else { "false" }),
                            None => format!("{operand} == {}", label_val.operand(strength::ADD)),
                        });
                    }
                    let own = if parts.len() > 1 { strength::OR } else { strength::COMPARE };
                    tests.push(Val::new(parts.join(" or "), super::types::BOOL, own));
                    values.push(self.returned_after(body, rest, ty)?);
                }
                let last = self.returned_after(otherwise, rest, ty)?;
                Some(self.chain(tests, values, &last))
            }
            StmtKind::Alias(names, body) => {
                let depth = self.scope.len();
                for (name, expr) in names {
                    let val = self.place(expr);
                    self.scope.push((name.text.clone(), Entity::Value(val)));
                }
                let value = self.returned_after(body, rest, ty);
                self.scope.truncate(depth);
                value
            }
            StmtKind::Assign(target, value) => {
                let ExprKind::Name(name) = &target.kind else { return None };
                let mut val = self.expr(value);
                let mut test = None;
                if let Some(Entity::Value(known)) = self.lookup(name).cloned()
                    && self.expect_type(&val, known.ty, value.span)
                {
                    test = self.strict(&val, known.ty, val.place.is_some());
                    if val.ty == UNDEFINED || self.is_number(known.ty) {
                        val.ty = known.ty;
                    }
                }
                let depth = self.scope.len();
                // It is copied as it is, also where it is undefined.
                if val.place.is_none() && val.optional {
                    val = Val {
                        base: self.needed(&val),
                        optional: false,
                        ..Val::new("", val.ty, strength::ATOM)
                    };
                }
                self.scope.push((name.clone(), Entity::Value(val)));
                let result = self.returned(rest, ty);
                self.scope.truncate(depth);
                result.map(|result| self.behind(test.as_slice(), result))
            }
            StmtKind::For(quantifier, body) if let Some(sum) = added(body) => {
                let (sum, test) = self.summed(quantifier, &sum, first.span)?;
                let depth = self.scope.len();
                self.scope.push(sum);
                let result = self.returned(rest, ty);
                self.scope.truncate(depth);
                result.map(|result| self.behind(test.as_slice(), result))
            }
            StmtKind::For(quantifier, body) => self.found(quantifier, body, rest, ty),
            StmtKind::Put => self.returned(rest, ty),
            _ => None,
        }
    }

    fn returned_after(&mut self, body: &[Stmt], rest: &[&Stmt], ty: TyId) -> Option<Val> {
        let stmts: Vec<&Stmt> = body.iter().chain(rest.iter().copied()).collect();
        let depth = self.scope.len();
        let value = self.returned(&stmts, ty);
        self.scope.truncate(depth);
        value
    }

    fn chain(&mut self, tests: Vec<Val>, values: Vec<Val>, last: &Val) -> Val {
        let ty = last.ty;
        let stable = last.stable && tests.iter().chain(&values).all(|val| val.stable);
        let natural = last.natural && values.iter().all(|val| val.natural);
        let mut text = self.needed(last);
        for (test, value) in tests.into_iter().zip(values).rev() {
            let value = if value.optional { self.needed(&value) } else { value.operand(1) };
            text = format!("if {} then {value} else {text}", test.text());
        }
        self.size += text.len();
        Val { stable, natural, ..Val::new(text, ty, strength::WEAKEST) }
    }

    /// `for x do if c then return e end end; rest`: whether there is such an x.
    fn found(&mut self, quantifier: &Quantifier, body: &[Stmt], rest: &[&Stmt], ty: TyId) -> Option<Val> {
        let [Stmt { kind: StmtKind::If(arms, otherwise), .. }] = body else { return None };
        let ([(test, inner)], true) = (arms.as_slice(), otherwise.is_empty()) else { return None };
        let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = inner.as_slice() else { return None };
        let span = test.span;
        let quantifier = Quantifier { name: quantifier.name.clone(), domain: quantifier.domain.clone() };
        let kind = ExprKind::Quantified(false, quantifier.into(), test.clone().into());
        let exists = self.truth(&Expr { kind, span, depth: test.depth });
        let value_val = self.expr(value);
        self.expect_type(&value_val, ty, value.span);
        let test = self.ranged(&value_val, ty);
        let value_val = self.behind(test.as_slice(), value_val);
        let last = self.returned(rest, ty)?;
        Some(self.chain(alloc::vec![exists], alloc::vec![value_val], &last))
    }

    /// `for x do if c then s := s + e end end` as a sum: the variable and its new value, and a test that it is in its range. What is
    /// added is not negative: otherwise the sum could leave the range and come back.
    fn summed(
        &mut self,
        quantifier: &Quantifier,
        sum: &Added<'_>,
        span: Span,
    ) -> Option<((String, Entity), Option<String>)> {
        let old = match self.lookup(sum.name) {
            Some(Entity::Value(val)) => val.clone(),
            _ => Val::wrong(),
        };
        let start = if old.optional { self.needed(&old) } else { old.operand(strength::ADD) };
        let mut parts = alloc::vec![start];
        let mut natural = true;
        self.no_statements += 1;
        for choice in self.choices(quantifier) {
            let depth = self.scope.len();
            self.scope.push((quantifier.name.text.clone(), Entity::Value(choice.val.clone())));
            let value = self.expr(sum.value);
            self.expect_type(&value, INT, sum.value.span);
            natural &= value.natural;
            let text = self.needed(&value);
            let text = match sum.test {
                Some(test) => format!("if {} then {text} else 0", self.truth(test).text()),
                None => text,
            };
            self.scope.truncate(depth);
            parts.push(match choice.binder {
                Some((binder, name)) => {
                    self.release(&name);
                    format!("sum({binder}: {text})")
                }
                None => format!("({text})"),
            });
        }
        self.no_statements -= 1;
        if !natural {
            let message = "what a function adds up in a loop must be a number that is not negative";
            self.error(span, message);
            return None;
        }
        let mut total = Val::new(parts.join(" + "), INT, strength::ADD);
        total.natural = old.natural;
        let test = self.strict(&total, old.ty, false);
        total.ty = old.ty;
        Some(((sum.name.into(), Entity::Value(total)), test))
    }

    /// Parameters as variables and values of the block that is written.
    fn bound_to_places(&mut self, number: usize, arguments: &[Expr]) -> Option<Bound> {
        let types = self.param_types(number);
        let routine = &self.model.routines[number];
        let mut bound = Vec::new();
        let mut arguments = arguments.iter();
        for ((field, by_reference), ty) in routine.params.iter().zip(types) {
            for name in &field.names {
                let argument = arguments.next()?;
                let entity = self.argument(name, ty, *by_reference, argument)?;
                bound.push((name.text.clone(), entity));
            }
        }
        Some(bound)
    }

    /// Of a parameter only the union is known that its type is, whatever is given for it.
    fn widen(&self, val: &mut Val, ty: TyId) {
        if matches!(self.ty(ty), Ty::Union(_)) && !matches!(self.ty(val.ty), Ty::Union(_)) {
            val.among = Some(ty);
        }
    }

    fn argument(&mut self, name: &Name, ty: TyId, by_reference: bool, argument: &Expr) -> Option<Entity> {
        if let ExprKind::Name(own) = &argument.kind
            && let Some(element @ Entity::Element(..)) = self.lookup(own)
        {
            return Some(element.clone());
        }
        let val = self.frozen(argument);
        let mut val = self.coerced(val, ty, argument.span)?;
        self.widen(&mut val, ty);
        if by_reference {
            if !val.place.as_ref().is_some_and(|place| place.assignable) {
                let message = format!("`{}` is `var`: a variable is needed here", name.text);
                self.error(argument.span, message);
                return None;
            }
            return Some(Entity::Value(val));
        }
        if !self.is_simple(val.ty) && val.place.is_some() {
            if let Some(place) = &mut val.place {
                place.assignable = false;
            }
            return Some(Entity::Value(val));
        }
        self.note_read(&val);
        if val.ty == super::types::UNDEFINED {
            return Some(Entity::Value(Val { ty, ..val }));
        }
        if val.optional && val.place.is_none() && self.is_simple(val.ty) {
            val.base = self.needed(&val);
            val.indices.clear();
            val.cases.clear();
            (val.optional, val.strength) = (false, strength::ATOM);
        }
        let narrower = matches!(self.ty(ty), Ty::Range(..)) && !self.within(&val, ty);
        let place = val.place.clone().map(|place| super::scope::Place { assignable: false, ..place });
        if val.stable && val.sure() && place.is_none() && !narrower {
            return Some(Entity::Value(val));
        }
        let out = self.local_name(&name.text);
        if narrower {
            let text = self.type_text(ty);
            let text = if val.optional { format!("({text})?") } else { text };
            self.line(&format!("var {out}: {text} = {}", val.text()));
        } else {
            self.line(&format!("let {out} = {}", val.text()));
        }
        // A number's range is the parameter's; a process of a union stays of the family that it is known to be of.
        let own = if self.is_number(ty) { ty } else { val.ty };
        let mut bound = Val::new(out, own, strength::ATOM).stable();
        self.refine(&mut bound, None);
        bound.optional = val.optional;
        bound.among = val.among;
        bound.place = place;
        Some(Entity::Value(bound))
    }

    /// Whether a number is surely a value of a range.
    pub(super) fn within(&self, val: &Val, ty: TyId) -> bool {
        let Ty::Range(low, high) = self.ty(ty) else { return true };
        // A constant may be set to another number.
        let fixed = low.literal() && high.literal();
        match (self.ty(val.ty), val.number) {
            // A range has a value, whatever its bounds are set to.
            _ if [&low.text, &high.text].contains(&&val.text()) => true,
            (Ty::Range(a, b), _) if (a, b) == (low, high) => true,
            (Ty::Range(a, b), _) => {
                fixed && a.literal() && b.literal() && a.value >= low.value && b.value <= high.value
            }
            (_, Some(number)) => {
                fixed && val.text().parse() == Ok(number) && low.value <= number && number <= high.value
            }
            _ => false,
        }
    }

    /// Writes a routine's statements where it is called; the value of a function is a variable then.
    fn written_out(&mut self, number: usize, arguments: &[Expr], span: Span) -> Option<Val> {
        if !self.enter_routine(number, arguments, span) {
            return None;
        }
        let bound = self.bound_to_places(number, arguments)?;
        let routine = &self.model.routines[number];
        let result = routine.result.as_ref().map(|_| {
            let ty = self.result_type(number);
            let leaf = self.leaf();
            (self.variable(&format!("{}_value", routine.name.text), ty, leaf, span), ty)
        });
        let saved = self.scope.split_off(self.globals);
        let level = core::mem::replace(&mut self.level, self.globals);
        self.scope.extend(bound);
        self.level = self.scope.len();
        self.calling.push(number);
        self.body(&routine.body, result.clone());
        self.calling.pop();
        self.scope.truncate(self.globals);
        self.scope.extend(saved);
        self.level = level;
        let (val, _) = result?;
        let mut val = val;
        self.note_read(&val);
        if let Some(place) = &mut val.place {
            place.assignable = false;
        }
        Some(val)
    }

    /// Checks a routine that nothing calls.
    pub(super) fn check_alone(&mut self, number: usize) {
        let types = self.param_types(number);
        let routine = &self.model.routines[number];
        self.called.insert(number);
        self.level = self.scope.len();
        for ((field, by_reference), ty) in routine.params.iter().zip(types) {
            for name in &field.names {
                let leaf = self.leaf();
                let mut val = self.fresh_place(&name.text, &name.text, ty, leaf);
                if let Some(place) = &mut val.place {
                    place.assignable = *by_reference;
                }
                self.scope.push((name.text.clone(), Entity::Value(val)));
            }
        }
        let result = routine.result.as_ref().map(|_| {
            let ty = self.result_type(number);
            let leaf = self.leaf();
            (self.fresh_place("value", "value", ty, leaf), ty)
        });
        self.calling.push(number);
        self.level = self.scope.len();
        self.body(&routine.body, result);
        self.calling.pop();
        self.scope.truncate(self.globals);
        self.level = self.globals;
        self.lines.clear();
        self.used.clear();
    }
}

/// The number that a loop adds to a variable.
struct Added<'s> {
    name: &'s str,
    test: Option<&'s Expr>,
    value: &'s Expr,
}

/// `s := s + e`, also under a condition, as the whole body of a loop.
fn added(body: &[Stmt]) -> Option<Added<'_>> {
    let [stmt] = body else { return None };
    if let StmtKind::If(arms, otherwise) = &stmt.kind
        && let ([(test, inner)], true) = (arms.as_slice(), otherwise.is_empty())
    {
        let sum = added(inner).filter(|sum| sum.test.is_none() && !mentions(test, sum.name))?;
        return Some(Added { test: Some(test), ..sum });
    }
    let StmtKind::Assign(target, value) = &stmt.kind else { return None };
    let (ExprKind::Name(name), ExprKind::Binary("+", a, b)) = (&target.kind, &value.kind) else {
        return None;
    };
    let is = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(own) if own == name);
    let value = if is(a) {
        b
    } else if is(b) {
        a
    } else {
        return None;
    };
    (!mentions(value, name)).then_some(Added { name, test: None, value })
}

/// Whether a function is a choice of values, which can be written as an expression.
fn is_expression(routine: &Routine) -> bool {
    let locals: Vec<&str> = routine
        .body
        .decls
        .iter()
        .filter_map(|decl| match decl {
            crate::tree::Decl::Var(field) => Some(field),
            _ => None,
        })
        .flat_map(|field| field.names.iter().map(|name| name.text.as_str()))
        .collect();
    let by_value = routine.params.iter().all(|(_, by_reference)| !by_reference);
    by_value && simple(&routine.body.stmts, &locals)
}

fn simple(stmts: &[Stmt], locals: &[&str]) -> bool {
    stmts.iter().all(|stmt| match &stmt.kind {
        StmtKind::Return(Some(_)) | StmtKind::Put => true,
        StmtKind::If(arms, otherwise) => {
            arms.iter().all(|(_, body)| simple(body, locals)) && simple(otherwise, locals)
        }
        StmtKind::Switch(_, cases, otherwise) => {
            cases.iter().all(|(_, body)| simple(body, locals)) && simple(otherwise, locals)
        }
        StmtKind::Alias(_, body) => simple(body, locals),
        StmtKind::Assign(target, _) => {
            matches!(&target.kind, ExprKind::Name(name) if locals.contains(&name.as_str()))
        }
        StmtKind::For(_, body) if let Some(sum) = added(body) => locals.contains(&sum.name),
        StmtKind::For(Quantifier { domain: Domain::Type(_), name }, body) => match body.as_slice() {
            [Stmt { kind: StmtKind::If(arms, otherwise), .. }] => {
                let found = |(_, body): &(Expr, Vec<Stmt>)| {
                    matches!(body.as_slice(),
                        [Stmt { kind: StmtKind::Return(Some(value)), .. }] if !mentions(value, &name.text))
                };
                arms.len() == 1 && otherwise.is_empty() && arms.iter().all(found)
            }
            _ => false,
        },
        _ => false,
    })
}

fn mentions(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(own) if own == name)
        || crate::parser::children(&expr.kind).into_iter().any(|child| mentions(child, name))
}
