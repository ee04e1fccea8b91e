//! Records, sets, bags and queues as what they are. Values are small numbers everywhere else, so each such value is kept once and
//! known by its number.

use super::{Bound, Moment, Oracle, Result, Scope, State, Value, Wrong};
use orbitscope_core::syntax::ast::{
    Assignment, Binder, Change, Domain, ExprId, ExprKind, FieldDecl, ItemKind, TypeExpr,
};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Compound {
    Record(String, Vec<(String, Value)>),
    /// A field with indices: its entries in order.
    Table(Vec<Value>),
    Set(Vec<Value>),
    Bag(Vec<Value>),
    Queue(Vec<Value>),
}

/// A way from a variable's value to a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Field(String),
    Entry(usize),
}

/// A place and the way to a part of it, with the type of the part.
pub(super) struct Spot<'a> {
    pub place: usize,
    pub way: Vec<Way>,
    pub ty: &'a TypeExpr,
    /// The indices of a table, if the spot is one that lacks them.
    pub index: &'a [Domain],
}

impl<'a> Oracle<'a> {
    pub(super) fn keep(&self, compound: Compound) -> Value {
        let mut kept = self.kept.borrow_mut();
        let at = kept.iter().position(|known| *known == compound).unwrap_or_else(|| {
            kept.push(compound);
            kept.len() - 1
        });
        Value::Compound(at as u32)
    }

    pub(super) fn compound(&self, value: Value) -> Result<Compound> {
        match value {
            Value::Compound(at) => Ok(self.kept.borrow()[at as usize].clone()),
            Value::Nobody => Err(Wrong::Absent),
            other => panic!("{other:?} is one value"),
        }
    }

    /// A key by which the values in a set or bag are ordered: first by what is `none` and which families there are.
    fn key(&self, value: Value) -> (Vec<i64>, Vec<i64>) {
        match value {
            Value::Nobody => (vec![0], vec![]),
            Value::Bool(b) => (vec![1], vec![b.into()]),
            Value::Int(i) => (vec![1], vec![i]),
            Value::Literal(l) => (vec![1], vec![l.into()]),
            Value::Process(family, index) => (vec![1 + i64::from(family)], vec![index]),
            Value::Compound(_) => match self.compound(value) {
                Ok(Compound::Record(_, fields)) => {
                    let keys: Vec<_> = fields.iter().map(|(_, v)| self.key(*v)).collect();
                    (
                        keys.iter().flat_map(|k| k.0.clone()).collect(),
                        keys.into_iter().flat_map(|k| k.1).collect(),
                    )
                }
                other => panic!("{other:?} cannot be in a set"),
            },
        }
    }

    pub(super) fn sorted(&self, mut list: Vec<Value>) -> Vec<Value> {
        list.sort_by_key(|v| self.key(*v));
        list
    }

    pub(super) fn show_compound(&self, value: Value) -> String {
        let all = |list: &[Value]| list.iter().map(|v| self.show(*v)).collect::<Vec<_>>().join(", ");
        match self.compound(value).expect("a compound value") {
            Compound::Record(name, fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(n, v)| format!("{n}: {}", self.show(*v))).collect();
                format!("{name}({})", fields.join(", "))
            }
            Compound::Table(list) => format!("[{}]", all(&list)),
            Compound::Set(list) | Compound::Bag(list) => format!("{{{}}}", all(&self.sorted(list))),
            Compound::Queue(list) => format!("<{}>", all(&list)),
        }
    }

    /// The type behind a name, and the name of a record.
    pub(super) fn resolved(&self, ty: &'a TypeExpr) -> (&'a TypeExpr, String) {
        match ty {
            TypeExpr::Named { name, .. } if self.family_id(&name.name).is_none() => {
                let inner = self.declared_type(&name.name);
                match inner {
                    TypeExpr::Record(..) => (inner, name.name.clone()),
                    _ => self.resolved(inner),
                }
            }
            _ => (ty, String::new()),
        }
    }

    /// Whether `none` is a value of a type, and the type without it.
    fn bare(&self, ty: &'a TypeExpr) -> (bool, &'a TypeExpr, String) {
        match ty {
            TypeExpr::Optional(inner, _) => {
                let (_, inner, name) = self.bare(inner);
                (true, inner, name)
            }
            TypeExpr::Named { name, optional } if self.family_id(&name.name).is_none() => {
                let (resolved, record) = self.resolved(ty);
                if let TypeExpr::Record(..) = resolved {
                    return (*optional, resolved, record);
                }
                let (inner_optional, bare, record) = self.bare(resolved);
                (*optional || inner_optional, bare, record)
            }
            TypeExpr::Named { optional, .. } => (*optional, ty, String::new()),
            _ => (false, ty, String::new()),
        }
    }

    /// A value as one of a type, if it can be one.
    pub(super) fn fitted(&self, value: Value, ty: &'a TypeExpr, index: &[Domain]) -> Result<Value> {
        if !index.is_empty() {
            if let Value::Compound(_) = value
                && let Compound::Table(_) = self.compound(value)?
            {
                return Ok(value);
            }
            let entries: usize = index.iter().map(|d| self.elements(d).len()).product();
            let one = self.fitted(value, ty, &[])?;
            return Ok(self.keep(Compound::Table(vec![one; entries])));
        }
        let (optional, bare, _) = self.bare(ty);
        if value == Value::Nobody {
            return if optional { Ok(value) } else { Err(Wrong::Range) };
        }
        match bare {
            TypeExpr::Record(fields, _) => {
                let Compound::Record(name, values) = self.compound(value)? else { panic!("a record") };
                let fit = |(field, (name, value)): (&'a FieldDecl, (String, Value))| {
                    Ok((name, self.fitted(value, &field.ty, &field.index)?))
                };
                let values: Result<Vec<_>> = fields.iter().zip(values).map(fit).collect();
                Ok(self.keep(Compound::Record(name, values?)))
            }
            TypeExpr::Set(item, _) => {
                let (Compound::Set(list) | Compound::Bag(list) | Compound::Queue(list)) =
                    self.compound(value)?
                else {
                    panic!("a set")
                };
                let list: Result<Vec<Value>> = list.into_iter().map(|v| self.inside(v, item)).collect();
                let mut list = self.sorted(list?);
                list.dedup();
                Ok(self.keep(Compound::Set(list)))
            }
            TypeExpr::Bag(..) | TypeExpr::Queue(..) => match self.compound(value)? {
                Compound::Set(list) if list.is_empty() && matches!(bare, TypeExpr::Bag(..)) => {
                    Ok(self.keep(Compound::Bag(list)))
                }
                Compound::Set(list) if list.is_empty() => Ok(self.keep(Compound::Queue(list))),
                _ => Ok(value),
            },
            TypeExpr::Union(names, _) => match value {
                Value::Process(family, _)
                    if names.iter().any(|n| self.family_id(&n.name) == Some(family)) =>
                {
                    Ok(value)
                }
                _ => panic!("{value:?} is of none of the families"),
            },
            _ if self.values_of(bare).contains(&value) => Ok(value),
            _ => Err(if self.is_enumeration(bare) { Wrong::Literal } else { Wrong::Range }),
        }
    }

    /// A value that is to be in a set or bag.
    pub(super) fn inside(&self, value: Value, item: &'a TypeExpr) -> Result<Value> {
        self.fitted(value, item, &[]).map_err(|wrong| match wrong {
            Wrong::Range => Wrong::Index,
            other => other,
        })
    }

    /// The part of a value at the end of a way.
    pub(super) fn follow(&self, mut value: Value, way: &[Way]) -> Result<Value> {
        for step in way {
            value = match (step, self.compound(value)?) {
                (Way::Field(name), Compound::Record(_, fields)) => {
                    fields.iter().find(|(n, _)| n == name).expect("a field").1
                }
                (Way::Entry(at), Compound::Table(list)) => list[*at],
                other => panic!("{other:?} does not go on"),
            };
        }
        Ok(value)
    }

    /// The value with a part of it replaced.
    pub(super) fn replaced(&self, value: Value, way: &[Way], new: Value) -> Result<Value> {
        let Some((step, rest)) = way.split_first() else { return Ok(new) };
        let mut compound = self.compound(value)?;
        match (step, &mut compound) {
            (Way::Field(name), Compound::Record(_, fields)) => {
                let field = fields.iter_mut().find(|(n, _)| n == name).expect("a field");
                field.1 = self.replaced(field.1, rest, new)?;
            }
            (Way::Entry(at), Compound::Table(list)) => list[*at] = self.replaced(list[*at], rest, new)?,
            other => panic!("{other:?} does not go on"),
        }
        Ok(self.keep(compound))
    }

    /// The target of an assignment: a variable, or a part of it.
    pub(super) fn spot(&self, expr: ExprId, scope: &Scope<'a>, state: &State) -> Result<Spot<'a>> {
        let moment = Moment::default();
        let (base, indices): (ExprId, &'a [ExprId]) = match &self.file.exprs[expr].kind {
            ExprKind::Index(base, indices) => (*base, indices),
            _ => (expr, &[]),
        };
        if let ExprKind::Field(record, field) = &self.file.exprs[base].kind
            && self.is_record(*record, scope, state)
        {
            let mut spot = self.spot(*record, scope, state)?;
            let (_, TypeExpr::Record(fields, _), _) = self.bare(spot.ty) else { panic!("a record") };
            let decl = fields.iter().find(|f| f.name.name == field.name).expect("a field");
            // A part of what is `none` cannot be assigned to.
            self.compound(self.follow(state[spot.place], &spot.way)?)?;
            spot.way.push(Way::Field(field.name.clone()));
            spot.ty = &decl.ty;
            spot.index = &decl.index;
            if !indices.is_empty() {
                spot.way.push(Way::Entry(self.entry(&decl.index, indices, scope, state, moment)?));
                spot.index = &[];
            }
            return Ok(spot);
        }
        let place = self.place(expr, scope, state)?;
        Ok(Spot { place, way: Vec::new(), ty: &self.places[place].1.ty, index: &[] })
    }

    pub(super) fn entry(
        &self,
        domains: &[Domain],
        indices: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<usize> {
        let mut entry = 0;
        for (domain, &index) in domains.iter().zip(indices) {
            let (elements, value) = (self.elements(domain), self.eval(index, scope, state, moment)?);
            if value == Value::Nobody {
                return Err(Wrong::Nobody);
            }
            entry = entry * elements.len() + elements.iter().position(|v| *v == value).ok_or(Wrong::Index)?;
        }
        Ok(entry)
    }

    /// Whether an expression is a record: the value decides, and where it is `none` its variable's type.
    pub(super) fn is_record(&self, expr: ExprId, scope: &Scope<'a>, state: &State) -> bool {
        match self.eval(expr, scope, state, Moment::default()) {
            Ok(Value::Compound(_)) => true,
            Ok(Value::Nobody) => {
                matches!(self.place(expr, scope, state), Ok(place)
                    if matches!(self.bare(&self.places[place].1.ty).1, TypeExpr::Record(..)))
            }
            _ => false,
        }
    }

    /// A field of a record whose field may be a table with these indices.
    pub(super) fn part(
        &self,
        record: Value,
        field: &str,
        indices: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let Compound::Record(name, fields) = self.compound(record)? else { panic!("a record") };
        let value = fields.iter().find(|(n, _)| n == field).expect("a field").1;
        if indices.is_empty() {
            return Ok(value);
        }
        let TypeExpr::Record(decls, _) = self.declared_type(&name) else { panic!("a record") };
        let decl = decls.iter().find(|d| d.name.name == field).expect("a field");
        match self.compound(value)? {
            Compound::Table(list) => Ok(list[self.entry(&decl.index, indices, scope, state, moment)?]),
            other => panic!("{other:?} is no table"),
        }
    }

    /// `message(kind: read, …)`, its fields in the order of the type. An entry's value stands for all of a table.
    pub(super) fn make(
        &self,
        name: &str,
        given: &'a [(orbitscope_core::syntax::ast::Ident, ExprId)],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let TypeExpr::Record(fields, _) = self.declared_type(name) else { panic!("`{name}` is no record") };
        let mut values = Vec::new();
        for field in fields {
            let (_, expr) = given.iter().find(|(n, _)| n.name == field.name.name).expect("every field");
            let mut value = self.eval(*expr, scope, state, moment)?;
            let (optional, bare, _) = self.bare(&field.ty);
            if value == Value::Nobody && !optional && matches!(bare, TypeExpr::Named { .. }) {
                return Err(Wrong::Absent);
            }
            // A collection has the kind that its field says, and a table has all its entries.
            let collection =
                matches!(self.bare(&field.ty).1, TypeExpr::Set(..) | TypeExpr::Bag(..) | TypeExpr::Queue(..));
            if collection || !field.index.is_empty() {
                value = self.fitted(value, &field.ty, &field.index)?;
            }
            values.push((field.name.name.clone(), value));
        }
        Ok(self.keep(Compound::Record(name.to_string(), values)))
    }

    /// Whether two values are equal; an empty collection is equal to another one of whatever kind.
    pub(super) fn equal(&self, a: Value, b: Value) -> bool {
        if let (Value::Compound(_), Value::Compound(_)) = (a, b)
            && let (Ok(x), Ok(y)) = (self.compound(a), self.compound(b))
        {
            return match (x, y) {
                (Compound::Record(_, x), Compound::Record(_, y)) => {
                    x.iter().zip(&y).all(|((_, a), (_, b))| self.equal(*a, *b))
                }
                (Compound::Table(x), Compound::Table(y)) => x == y,
                (x, y) => {
                    let list = |c: Compound| match c {
                        Compound::Set(list) => {
                            let mut list = self.sorted(list);
                            list.dedup();
                            list
                        }
                        Compound::Bag(list) => self.sorted(list),
                        Compound::Queue(list) | Compound::Table(list) => list,
                        Compound::Record(..) => panic!("a record is no list"),
                    };
                    list(x) == list(y)
                }
            };
        }
        a == b
    }

    /// The values that a bound name ranges over in a state; of a bag each value as often as it is there.
    fn range(&self, domain: &'a Domain, scope: &Scope<'a>, state: &State) -> Result<Vec<Value>> {
        let of = |value: Value| match self.compound(value)? {
            Compound::Set(list) | Compound::Bag(list) => Ok(self.sorted(list)),
            other => panic!("{other:?} cannot be ranged over"),
        };
        match domain {
            Domain::Family(name) if self.family_id(&name.name).is_none() && !self.is_type(&name.name) => {
                of(self.value_of_name(&name.name, scope, state)?)
            }
            Domain::Value(expr) => of(self.eval(*expr, scope, state, Moment::default())?),
            other => Ok(self.elements(other)),
        }
    }

    fn is_type(&self, wanted: &str) -> bool {
        self.file.items.iter().any(|i| matches!(&i.kind, ItemKind::Type { name, .. } if name.name == wanted))
    }

    /// All ways to bind some names in a state.
    pub(super) fn choices(
        &self,
        binders: &'a [Binder],
        scope: &Scope<'a>,
        state: &State,
        each_once: bool,
    ) -> Result<Vec<Vec<Value>>> {
        let mut choices = vec![Vec::new()];
        for (i, binder) in binders.iter().enumerate() {
            let mut longer = Vec::new();
            for choice in &choices {
                let mut inner = scope.clone();
                let before = binders[..i].iter().map(|b| b.name.name.as_str());
                inner.bindings.extend(before.zip(choice.iter().map(|v| Bound::Value(*v))));
                let mut values = self.range(&binder.domain, &inner, state)?;
                if each_once {
                    values.dedup();
                }
                longer.extend(values.into_iter().map(|v| [choice.as_slice(), &[v]].concat()));
            }
            choices = longer;
        }
        Ok(choices)
    }

    /// `push(q, x)` or `pop(q)` as a statement.
    pub(super) fn queue_statement(
        &self,
        name: &str,
        arguments: &'a [ExprId],
        scope: &Scope<'a>,
        state: &mut State,
    ) -> Result<()> {
        let new = match arguments.get(1) {
            Some(&value) => Some(self.eval(value, scope, state, Moment::default())?),
            None => None,
        };
        let spot = self.spot(arguments[0], scope, state)?;
        let (_, TypeExpr::Queue(most, item, _), _) = self.bare(spot.ty) else { panic!("a queue") };
        let Compound::Queue(mut queue) = self.compound(self.follow(state[spot.place], &spot.way)?)? else {
            panic!("a queue")
        };
        match (name, new) {
            ("push", Some(_)) if queue.len() as i64 >= self.number(*most) => return Err(Wrong::Full),
            ("push", Some(new)) => queue.push(self.fitted(new, item, &[])?),
            ("pop", None) if queue.is_empty() => return Err(Wrong::Empty),
            ("pop", None) => {
                queue.remove(0);
            }
            other => panic!("{other:?} is no statement"),
        }
        let value = self.keep(Compound::Queue(queue));
        state[spot.place] = self.replaced(state[spot.place], &spot.way, value)?;
        Ok(())
    }

    /// The new value of a queue, or none where the effect is made together with another one.
    pub(super) fn queue_change(
        &self,
        effect: &'a Assignment,
        list: &'a [Assignment],
        scope: &Scope<'a>,
        state: &State,
    ) -> Result<Option<Value>> {
        let spot = self.spot(effect.target, scope, state)?;
        let (_, TypeExpr::Queue(most, item, _), _) = self.bare(spot.ty) else { panic!("a queue") };
        let Compound::Queue(mut queue) = self.compound(self.follow(state[spot.place], &spot.way)?)? else {
            panic!("a queue")
        };
        let beside = |change: Change| -> Result<bool> {
            for other in list.iter().filter(|o| o.change == change && o.over.is_empty()) {
                let other = self.spot(other.target, scope, state)?;
                if (other.place, &other.way) == (spot.place, &spot.way) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if effect.change == Change::Pop {
            if effect.over.is_empty() && beside(Change::Push)? {
                return Ok(None);
            }
            if queue.is_empty() {
                return Err(Wrong::Empty);
            }
            queue.remove(0);
            return Ok(Some(self.keep(Compound::Queue(queue))));
        }
        let value = self.eval(effect.value, scope, state, Moment::default())?;
        if effect.over.is_empty() && beside(Change::Pop)? {
            if queue.is_empty() {
                return Err(Wrong::Empty);
            }
            queue.remove(0);
        }
        if queue.len() as i64 >= self.number(*most) {
            return Err(Wrong::Full);
        }
        queue.push(self.fitted(value, item, &[])?);
        Ok(Some(self.keep(Compound::Queue(queue))))
    }

    /// A bag after values were removed from it and others added to it, all at once.
    pub(super) fn bag_changed(
        &self,
        bag: Value,
        ty: &'a TypeExpr,
        removed: &[Value],
        added: &[Value],
    ) -> Result<Value> {
        let (_, TypeExpr::Bag(most, item, _), _) = self.bare(ty) else { panic!("a bag") };
        let Compound::Bag(mut list) = self.compound(bag)? else { panic!("a bag") };
        for value in removed {
            let value = self.inside(*value, item)?;
            let at = list.iter().position(|v| *v == value).ok_or(Wrong::Missing)?;
            list.remove(at);
        }
        for value in added {
            list.push(self.inside(*value, item)?);
        }
        if list.len() as i64 > self.number(*most) {
            return Err(Wrong::Full);
        }
        Ok(self.keep(Compound::Bag(self.sorted(list))))
    }

    /// `room(c)`: whether one more value could come.
    pub(super) fn room(&self, expr: ExprId, scope: &Scope<'a>, state: &State) -> Result<bool> {
        let spot = self.spot(expr, scope, state)?;
        let (TypeExpr::Bag(most, ..) | TypeExpr::Queue(most, ..)) = self.bare(spot.ty).1 else {
            panic!("a bag or a queue")
        };
        let held = match self.compound(self.follow(state[spot.place], &spot.way)?)? {
            Compound::Bag(list) | Compound::Queue(list) => list.len() as i64,
            other => panic!("{other:?} has room for everything"),
        };
        Ok(held < self.number(*most))
    }
}
