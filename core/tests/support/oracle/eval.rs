//! Expressions: every name is looked up each time it is met.

use super::compound::Compound;
use super::{Bound, Moment, Oracle, Result, Scope, State, Value, Wrong};
use orbitscope_core::syntax::ast::{
    BinaryOp, Binder, ExprId, ExprKind, Ident, ItemKind, Quantifier, TypeExpr, VarDecl,
};

impl<'a> Oracle<'a> {
    /// Whether an expression holds.
    pub(crate) fn holds(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<bool> {
        match self.eval(expr, scope, state, moment)? {
            Value::Bool(b) => Ok(b),
            Value::Nobody => Err(Wrong::Absent),
            other => panic!("true or false expected, found {other:?}"),
        }
    }

    fn int(&self, expr: ExprId, scope: &Scope<'a>, state: &State, moment: Moment<'_>) -> Result<i64> {
        match self.eval(expr, scope, state, moment)? {
            Value::Int(i) => Ok(i),
            Value::Nobody => Err(Wrong::Absent),
            other => panic!("a number expected, found {other:?}"),
        }
    }

    fn process(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<(u32, i64)> {
        match self.eval(expr, scope, state, moment)? {
            Value::Process(family, index) => Ok((family, index)),
            Value::Nobody => Err(Wrong::Nobody),
            other => panic!("a process expected, found {other:?}"),
        }
    }

    pub(super) fn eval(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let holds = |e: ExprId| self.holds(e, scope, state, moment);
        Ok(match &self.file.exprs[expr].kind {
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(i) => Value::Int(*i),
            ExprKind::None => Value::Nobody,
            ExprKind::SelfId => {
                let (family, index) = scope.owner.expect("`self` inside a process");
                Value::Process(family, index)
            }
            ExprKind::Name(name) => return self.name(name, expr, scope, state, moment),
            ExprKind::Index(base, indices) => {
                return self.indexed(expr, *base, indices, scope, state, moment);
            }
            ExprKind::Field(record, field) if self.is_record(*record, scope, state) => {
                let record = self.eval(*record, scope, state, moment)?;
                return self.part(record, &field.name, &[], scope, state, moment);
            }
            ExprKind::Field(..) => state[self.place_with(expr, scope, state, moment)?],
            ExprKind::Make(name, fields) => return self.make(&name.name, fields, scope, state, moment),
            ExprKind::Braces(list) => {
                let list: Result<Vec<Value>> =
                    list.iter().map(|&e| self.eval(e, scope, state, moment)).collect();
                let mut list = self.sorted(list?);
                list.dedup();
                self.keep(Compound::Set(list))
            }
            ExprKind::Is(process, family) => {
                let family = self.family_id(&family.name);
                match self.eval(*process, scope, state, moment)? {
                    Value::Process(own, _) => Value::Bool(Some(own) == family),
                    _ => Value::Bool(false),
                }
            }
            ExprKind::Call(function, arguments) => {
                return self.call(&function.name, arguments, scope, state, moment);
            }
            ExprKind::Not(a) => Value::Bool(!holds(*a)?),
            ExprKind::Neg(a) => {
                Value::Int(self.int(*a, scope, state, moment)?.checked_neg().ok_or(Wrong::Overflow)?)
            }
            ExprKind::And(list) => {
                for &e in list {
                    if !holds(e)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Value::Bool(true)
            }
            ExprKind::Or(list) => {
                for &e in list {
                    if holds(e)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Value::Bool(false)
            }
            ExprKind::Binary(op, a, b) => return self.binary(*op, *a, *b, scope, state, moment),
            ExprKind::If(condition, yes, no) => {
                return self.eval(if holds(*condition)? { *yes } else { *no }, scope, state, moment);
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                return self.quantified(*quantifier, binders, *body, scope, state, moment);
            }
            other => panic!("{other:?} is no expression of a state"),
        })
    }

    /// A process of a family by its number, or an entry of a table.
    fn indexed(
        &self,
        expr: ExprId,
        base: ExprId,
        indices: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        if let ExprKind::Name(name) = &self.file.exprs[base].kind
            && let Some(id) = self.family_id(name)
            && !self.is_variable(name, scope)
        {
            let index = self.int(indices[0], scope, state, moment)?;
            if index < 0 || index >= self.families[id as usize].size {
                return Err(Wrong::Index);
            }
            return Ok(Value::Process(id, index));
        }
        if let ExprKind::Field(record, field) = &self.file.exprs[base].kind
            && self.is_record(*record, scope, state)
        {
            let record = self.eval(*record, scope, state, moment)?;
            return self.part(record, &field.name, indices, scope, state, moment);
        }
        Ok(state[self.place_with(expr, scope, state, moment)?])
    }

    fn binary(
        &self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let eval = |e: ExprId| self.eval(e, scope, state, moment);
        let holds = |e: ExprId| self.holds(e, scope, state, moment);
        Ok(match op {
            BinaryOp::Implies => Value::Bool(!holds(a)? || holds(b)?),
            BinaryOp::Iff => Value::Bool(holds(a)? == holds(b)?),
            BinaryOp::Eq => Value::Bool(self.equal(eval(a)?, eval(b)?)),
            BinaryOp::Ne => Value::Bool(!self.equal(eval(a)?, eval(b)?)),
            BinaryOp::In => {
                let item = eval(a)?;
                match self.compound(eval(b)?)? {
                    Compound::Set(list) | Compound::Bag(list) => {
                        self.can_be_in(item, b, scope, state)?;
                        Value::Bool(list.iter().any(|v| self.equal(*v, item)))
                    }
                    other => panic!("nothing is in {other:?}"),
                }
            }
            BinaryOp::Add | BinaryOp::Sub if let set @ Value::Compound(_) = eval(a)? => {
                let item = eval(b)?;
                let Compound::Set(mut list) = self.compound(set)? else { panic!("a set") };
                self.can_be_in(item, a, scope, state)?;
                list.retain(|v| *v != item);
                if op == BinaryOp::Add {
                    list.push(item);
                }
                self.keep(Compound::Set(self.sorted(list)))
            }
            _ => {
                let a = self.int(a, scope, state, moment)?;
                let b = self.int(b, scope, state, moment)?;
                match op {
                    BinaryOp::Lt => Value::Bool(a < b),
                    BinaryOp::Le => Value::Bool(a <= b),
                    BinaryOp::Gt => Value::Bool(a > b),
                    BinaryOp::Ge => Value::Bool(a >= b),
                    _ => Value::Int(arithmetic(op, a, b)?),
                }
            }
        })
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &'a [Binder],
        body: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let mut counted = 0;
        let mut numbers: Vec<i64> = Vec::new();
        let mut inner = scope.clone();
        for choice in self.choices(binders, scope, state, false)? {
            inner.bindings.truncate(scope.bindings.len());
            for (binder, value) in binders.iter().zip(choice) {
                inner.bindings.push((&binder.name.name, Bound::Value(value)));
            }
            if matches!(quantifier, Quantifier::Sum | Quantifier::Min | Quantifier::Max) {
                numbers.push(self.int(body, &inner, state, moment)?);
                continue;
            }
            let holds = self.holds(body, &inner, state, moment)?;
            match quantifier {
                Quantifier::Forall if !holds => return Ok(Value::Bool(false)),
                Quantifier::Exists if holds => return Ok(Value::Bool(true)),
                _ => counted += i64::from(holds),
            }
        }
        Ok(match quantifier {
            Quantifier::Forall => Value::Bool(true),
            Quantifier::Exists => Value::Bool(false),
            Quantifier::Count => Value::Int(counted),
            Quantifier::Sum => {
                let sum: i128 = numbers.iter().map(|&number| i128::from(number)).sum();
                Value::Int(i64::try_from(sum).map_err(|_| Wrong::Overflow)?)
            }
            Quantifier::Min => Value::Int(numbers.into_iter().min().ok_or(Wrong::Nothing)?),
            Quantifier::Max => Value::Int(numbers.into_iter().max().ok_or(Wrong::Nothing)?),
        })
    }

    fn is_own(&self, name: &str, scope: &Scope<'a>) -> bool {
        scope
            .owner
            .is_some_and(|(f, _)| self.families[f as usize].decl.vars.iter().any(|v| v.name.name == name))
    }

    fn is_variable(&self, name: &str, scope: &Scope<'a>) -> bool {
        scope.bound(name).is_some() || self.is_own(name, scope)
    }

    fn definition(&self, wanted: &str) -> Option<(&'a [Ident], ExprId)> {
        self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Define { name, params, body } if name.name == wanted => {
                Some((params.as_slice(), *body))
            }
            _ => None,
        })
    }

    fn name(
        &self,
        name: &str,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        match scope.bound(name) {
            Some(Bound::Value(value)) => return Ok(value),
            Some(Bound::Argument(argument, bindings)) => {
                return self.eval(argument, &Scope { owner: scope.owner, bindings }, state, moment);
            }
            Some(Bound::Place(place)) => return Ok(state[place]),
            None => {}
        }
        if self.is_own(name, scope) {
            return Ok(state[self.place_with(expr, scope, state, moment)?]);
        }
        if let Some(value) = self.params.get(name) {
            return Ok(Value::Int(*value));
        }
        if self.tables.contains_key(&(None, name)) {
            return Ok(state[self.place_with(expr, scope, state, moment)?]);
        }
        if let Some((_, body)) = self.definition(name) {
            return self.eval(body, &Scope { owner: scope.owner, bindings: Vec::new() }, state, moment);
        }
        if let Some(routine) = self.routine(name) {
            return self.function(routine, &[], scope, state, moment);
        }
        // The name of a family of several is no process: it can only be a literal.
        if let Some(family) = self.family_id(name)
            && self.families[family as usize].decl.size.is_none()
        {
            return Ok(Value::Process(family, 0));
        }
        Ok(Value::Literal(self.literal(name).unwrap_or_else(|| panic!("`{name}` means nothing"))))
    }

    fn call(
        &self,
        name: &str,
        arguments: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        if let Some((params, body)) = self.definition(name) {
            let bindings = params
                .iter()
                .zip(arguments)
                .map(|(p, a)| (p.name.as_str(), Bound::Argument(*a, scope.bindings.clone())))
                .collect();
            return self.eval(body, &Scope { owner: scope.owner, bindings }, state, moment);
        }
        if let Some(routine) = self.routine(name) {
            return self.function(routine, arguments, scope, state, moment);
        }
        if let "min" | "max" | "abs" = name {
            let numbers: Result<Vec<i64>> =
                arguments.iter().map(|&a| self.int(a, scope, state, moment)).collect();
            let numbers = numbers?;
            return Ok(Value::Int(match name {
                "min" => numbers.into_iter().min().expect("some number"),
                "max" => numbers.into_iter().max().expect("some number"),
                _ => numbers[0].checked_abs().ok_or(Wrong::Overflow)?,
            }));
        }
        if let "count" | "length" | "head" | "room" = name {
            return self.of_collection(name, arguments[0], scope, state, moment);
        }
        let process = self.process(arguments[0], scope, state, moment)?;
        let (family, index) = process;
        let size = self.families[family as usize].size;
        Ok(match name {
            "index" => Value::Int(index),
            "next" => Value::Process(family, (index + 1) % size),
            "prev" => Value::Process(family, (index + size - 1) % size),
            "enabled" => Value::Bool(moment.enabled.contains(&process)),
            "executed" => {
                moment.asked.inspect(|asked| asked.set(true));
                Value::Bool(moment.executed == Some(process))
            }
            _ => panic!("no definition is called `{name}`"),
        })
    }

    fn of_collection(
        &self,
        name: &str,
        argument: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        if name == "room" {
            return Ok(Value::Bool(self.room(argument, scope, state)?));
        }
        let (Compound::Set(list) | Compound::Bag(list) | Compound::Queue(list)) =
            self.compound(self.eval(argument, scope, state, moment)?)?
        else {
            panic!("a set, bag or queue")
        };
        if name == "head" {
            list.first().copied().ok_or(Wrong::Empty)
        } else {
            Ok(Value::Int(list.len() as i64))
        }
    }

    /// A value that is asked for in a set, or put into it, must be one that can be in it, as far as the variable's type is known.
    fn can_be_in(&self, item: Value, set: ExprId, scope: &Scope<'a>, state: &State) -> Result<()> {
        if let Ok(spot) = self.try_spot(set, scope, state)
            && let TypeExpr::Set(of, _) | TypeExpr::Bag(_, of, _) = self.resolved(spot).0
        {
            self.inside(item, of)?;
        }
        Ok(())
    }

    /// The type of the variable that an expression starts with, if it starts with one.
    fn try_spot(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
    ) -> std::result::Result<&'a TypeExpr, ()> {
        match &self.file.exprs[expr].kind {
            ExprKind::Binary(_, a, _) => self.try_spot(*a, scope, state),
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                self.spot(expr, scope, state).map(|spot| spot.ty).map_err(|_| ())
            }
            _ => Err(()),
        }
    }

    /// The meaning of a name that is no expression of the tree.
    pub(super) fn value_of_name(&self, name: &str, scope: &Scope<'a>, state: &State) -> Result<Value> {
        match scope.bound(name) {
            Some(Bound::Value(value)) => return Ok(value),
            Some(Bound::Place(place)) => return Ok(state[place]),
            Some(Bound::Argument(argument, bindings)) => {
                let scope = Scope { owner: scope.owner, bindings };
                return self.eval(argument, &scope, state, Moment::default());
            }
            None => {}
        }
        let owner = if self.is_own(name, scope) { scope.owner } else { None };
        let table = &self.tables[&(owner.map(|(f, _)| f), name)];
        Ok(state[table.firsts[owner.map_or(0, |(_, index)| index as usize)]])
    }

    pub(super) fn place(&self, expr: ExprId, scope: &Scope<'a>, state: &State) -> Result<usize> {
        self.place_with(expr, scope, state, Moment::default())
    }

    /// The place that a target or a variable stands for.
    fn place_with(
        &self,
        expr: ExprId,
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<usize> {
        if let ExprKind::Name(name) = &self.file.exprs[expr].kind
            && let Some(Bound::Place(place)) = scope.bound(name)
        {
            return Ok(place);
        }
        let (base, indices): (ExprId, &[ExprId]) = match &self.file.exprs[expr].kind {
            ExprKind::Index(base, indices) => (*base, indices),
            _ => (expr, &[]),
        };
        let (owner, name) = match &self.file.exprs[base].kind {
            ExprKind::Name(name) if self.is_own(name, scope) => (scope.owner, name),
            ExprKind::Name(name) => (None, name),
            ExprKind::Field(process, field) => {
                (Some(self.process(*process, scope, state, moment)?), &field.name)
            }
            other => panic!("{other:?} is no variable"),
        };
        // A process of a union may be of a family that has no such variable.
        let table = self.tables.get(&(owner.map(|(f, _)| f), name.as_str())).ok_or(Wrong::Nobody)?;
        let mut offset = 0;
        for (&index, domain) in indices.iter().zip(&table.domains) {
            let value = self.eval(index, scope, state, moment)?;
            if value == Value::Nobody {
                return Err(Wrong::Nobody);
            }
            offset = offset * domain.len() + domain.iter().position(|v| *v == value).ok_or(Wrong::Index)?;
        }
        Ok(table.firsts[owner.map_or(0, |(_, index)| index as usize)] + offset)
    }

    /// A literal that the target's enumeration does not have is wrong before the place is looked for.
    pub(super) fn check_literal(
        &self,
        target: ExprId,
        value: Value,
        scope: &Scope<'a>,
        state: &State,
    ) -> Result<()> {
        match self.declared(target, scope, state) {
            Some(var) if self.is_enumeration(&var.ty) && !self.values_of(&var.ty).contains(&value) => {
                Err(Wrong::Literal)
            }
            _ => Ok(()),
        }
    }

    /// The variable of a target, also where its place is wrong.
    fn declared(&self, target: ExprId, scope: &Scope<'a>, state: &State) -> Option<&'a VarDecl> {
        let (family, name) = match &self.file.exprs[target].kind {
            ExprKind::Index(base, _) => return self.declared(*base, scope, state),
            ExprKind::Name(name) => {
                if let Some(Bound::Place(place)) = scope.bound(name) {
                    return Some(self.places[place].1);
                }
                (scope.owner.filter(|_| self.is_own(name, scope)).map(|(family, _)| family), name)
            }
            ExprKind::Field(process, field) => {
                let family = match self.eval(*process, scope, state, Moment::default()) {
                    Ok(Value::Process(family, _)) => family,
                    // A field of a record: whether its literal fits is seen where it is put in.
                    Ok(Value::Compound(_)) => return None,
                    _ => match &self.declared(*process, scope, state)?.ty {
                        TypeExpr::Named { name, .. } => self.family_id(&name.name)?,
                        _ => return None,
                    },
                };
                (Some(family), &field.name)
            }
            _ => return None,
        };
        let table = self.tables.get(&(family, name.as_str()))?;
        Some(self.places[*table.firsts.first()?].1)
    }
}

/// Division rounds so that the remainder is never negative.
pub(super) fn arithmetic(op: BinaryOp, a: i64, b: i64) -> Result<i64> {
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem => {
            if b == 0 {
                return Err(Wrong::Division);
            }
            let remainder = ((a as i128 % b as i128) + (b as i128).abs()) % (b as i128).abs();
            let wide = if op == BinaryOp::Rem { remainder } else { (a as i128 - remainder) / b as i128 };
            i64::try_from(wide).ok()
        }
        other => panic!("{other:?} is no arithmetic"),
    };
    result.ok_or(Wrong::Overflow)
}
