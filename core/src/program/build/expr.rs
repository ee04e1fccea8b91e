//! Checking expressions: names are resolved, types are found, definitions are expanded.

use super::super::shape::{Shape, ShapeId};
use super::super::term::{ArithmeticOp, Comparison, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::names::Global;
use super::value::Value;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, Ident};
use crate::text::{Span, closest};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// Checks an expression that is one value.
    pub(super) fn check(&mut self, expr: ExprId) -> TermId {
        let value = self.value(expr);
        self.scalar(&value, self.span(expr))
    }

    /// Checks an expression of any type.
    pub(super) fn value(&mut self, expr: ExprId) -> Value {
        let file = self.file;
        let span = self.span(expr);
        let term = match &file.exprs[expr].kind {
            ExprKind::Name(name) => return self.name(name, &[], span),
            ExprKind::Index(base, indices) => return self.indexed(*base, indices, span),
            ExprKind::Field(base, field) => return self.field(*base, field, &[], span),
            ExprKind::Call(function, arguments) => return self.call(function, arguments, span),
            ExprKind::Make(name, fields) => return self.make(name, fields, span),
            ExprKind::Braces(list) => {
                let list: Vec<Value> = list.iter().map(|&e| self.value(e)).collect();
                return Value::Braces(list.into());
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.check_bool(*condition);
                let sides = self.two_values(*yes, *no);
                if let (Value::Scalar(yes), Value::Scalar(no)) = sides {
                    return Value::Scalar(self.conditional(condition, [yes, no], span));
                }
                return self.chosen(condition, sides, span);
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                return self.sum(*op == BinaryOp::Add, *a, *b, span);
            }
            ExprKind::Is(process, family) => self.is_of(*process, family, span),
            ExprKind::Bool(value) => self.constant(i64::from(*value), Type::Bool, span),
            ExprKind::Int(value) => self.constant(*value, Type::Int, span),
            ExprKind::None => self.constant(-1, Type::None, span),
            ExprKind::SelfId => self.self_id(span),
            ExprKind::Not(a) => {
                let a = self.check_bool(*a);
                self.not(a, span)
            }
            ExprKind::Neg(a) => {
                let a = self.check_number(*a);
                self.negate(a, span)
            }
            ExprKind::And(list) => {
                let list = list.iter().map(|&e| self.check_bool(e)).collect();
                self.junction(true, list, span)
            }
            ExprKind::Or(list) => {
                let list = list.iter().map(|&e| self.check_bool(e)).collect();
                self.junction(false, list, span)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, span),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, *body, span)
            }
            ExprKind::Temporal(..)
            | ExprKind::TemporalBinary(..)
            | ExprKind::Branching(..)
            | ExprKind::BranchingBinary(..)
            | ExprKind::Fixpoint(..) => {
                self.error(span, "a temporal operator cannot stand inside an expression of a state");
                self.failed(span)
            }
            ExprKind::Error => self.failed(span),
        };
        Value::Scalar(term)
    }

    /// A sum or difference of numbers, or a set with an element more or less.
    fn sum(&mut self, add: bool, a: ExprId, b: ExprId, span: Span) -> Value {
        let left = self.value(a);
        if let Some(set) = self.changed_set(&left, b, add, span) {
            return set;
        }
        let left = self.scalar(&left, self.span(a));
        let left = self.require(left, Type::Int, "a number is needed here");
        let right = self.check_number(b);
        let op = if add { ArithmeticOp::Add } else { ArithmeticOp::Sub };
        Value::Scalar(self.arithmetic(op, left, right, span))
    }

    /// A choice between two values of which at least one is more than a term.
    pub(super) fn chosen(&mut self, condition: TermId, (yes, no): (Value, Value), span: Span) -> Value {
        if self.is_failed_value(&yes) || self.is_failed_value(&no) {
            return self.no_value(span);
        }
        Value::Choice(condition, Rc::new([yes, no]))
    }

    /// `p is a`
    fn is_of(&mut self, process: ExprId, family: &Ident, span: Span) -> TermId {
        let value = self.value(process);
        let Some(family) = self.family(family) else { return self.failed(span) };
        if self.is_failed_value(&value) {
            return self.failed(span);
        }
        if let Value::Scalar(term) = value {
            return match self.terms[term].ty {
                Type::Process { family: own, .. } if own == family => {
                    let (again, none) = (self.copy(term, span), self.constant(-1, self.terms[term].ty, span));
                    match self.terms[term].ty {
                        Type::Process { optional: true, .. } => {
                            self.compare(Comparison::Ne, again, none, span)
                        }
                        _ => self.constant(1, Type::Bool, span),
                    }
                }
                Type::Process { .. } => self.constant(0, Type::Bool, span),
                found => {
                    let what = self.described(found);
                    self.error(span, format!("`is` asks for the family of a process, but this is {what}"));
                    self.failed(span)
                }
            };
        }
        let ty = Type::Process { family, optional: true };
        let Some(id) = self.of_family(&value, ty, span) else { return self.failed(span) };
        let none = self.constant(-1, ty, span);
        self.compare(Comparison::Ne, id, none, span)
    }

    /// `message(kind: read, from: self)`
    fn make(&mut self, name: &'a Ident, given: &'a [(Ident, ExprId)], span: Span) -> Value {
        let Some(&(Global::Type(ty), _)) = self.names.items.get(name.name.as_str()) else {
            let types = self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Type(_)));
            let near = closest(&name.name, types.map(|(n, _)| *n)).map(ToString::to_string);
            self.unknown("type of records", name, near);
            return self.no_value(span);
        };
        let Some(shape) = self.named_shape(name, ty) else { return self.no_value(span) };
        let Shape::Record { fields, .. } = self.shapes[shape].clone() else {
            self.error(name.span, format!("`{}` is no type of records: it has no fields", name.name));
            return self.no_value(span);
        };
        let mut parts: Vec<Option<Value>> = alloc::vec![None; fields.len()];
        let mut failed = false;
        for (field, expr) in given {
            let Some(position) = fields.iter().position(|(n, _)| *n == field.name) else {
                let near =
                    closest(&field.name, fields.iter().map(|(n, _)| n.as_str())).map(ToString::to_string);
                self.unknown(&format!("field of `{}`", name.name), field, near);
                return self.no_value(span);
            };
            if parts[position].is_some() {
                self.error(field.span, format!("the field `{}` is given twice", field.name));
            }
            let mut value = self.value_for(*expr, fields[position].1);
            failed |= value.is_none();
            // Inside of what may be empty a process id may be none: that it is not is checked here.
            if let (Some(Value::Scalar(term)), Shape::Scalar(ty)) = (&value, &self.shapes[fields[position].1])
                && let (Type::Process { optional: true, .. }, Type::Process { optional: false, .. }) =
                    (self.terms[*term].ty, ty.ty)
            {
                value = Some(Value::Scalar(self.somebody(*term, self.span(*expr))));
            }
            parts[position] = Some(match value {
                Some(value) => value,
                None => self.no_value(span),
            });
        }
        let missing: Vec<String> = fields
            .iter()
            .zip(&parts)
            .filter(|(_, p)| p.is_none())
            .map(|((n, _), _)| format!("`{n}`"))
            .collect();
        if !missing.is_empty() {
            let message = format!("this `{}` lacks a value for {}", name.name, missing.join(", "));
            self.error(span, message);
            return self.no_value(span);
        }
        if failed {
            return self.no_value(span);
        }
        Value::Record(shape, parts.into_iter().flatten().collect())
    }

    /// An expression whose value is to be of a type.
    pub(super) fn value_for(&mut self, expr: ExprId, shape: ShapeId) -> Option<Value> {
        let expected = self.scalar_type(shape);
        let value = match self.ambiguous_literal(expr, expected) {
            Some(literal) => Value::Scalar(literal),
            None => self.value(expr),
        };
        self.convert(&value, shape, Some(expr), self.span(expr))
    }

    /// The type of a scalar, also of one that may be `none`.
    fn scalar_type(&self, shape: ShapeId) -> Type {
        match self.shapes[shape] {
            Shape::Scalar(ty) => ty.ty,
            Shape::Optional(inner) | Shape::Table(_, inner) => self.scalar_type(inner),
            _ => Type::Error,
        }
    }

    pub(super) fn check_bool(&mut self, expr: ExprId) -> TermId {
        let term = self.check(expr);
        self.require(term, Type::Bool, "a `bool` is needed here")
    }

    pub(super) fn check_number(&mut self, expr: ExprId) -> TermId {
        let term = self.check(expr);
        self.require(term, Type::Int, "a number is needed here")
    }

    fn require(&mut self, term: TermId, ty: Type, needed: &str) -> TermId {
        let (found, span) = (self.terms[term].ty, self.terms[term].span);
        if found == ty || found == Type::Error {
            return term;
        }
        let hint = match (ty, found) {
            (Type::Int, Type::Process { family, .. }) if self.families[family].scalarset => {
                "; these differ only in being different"
            }
            (Type::Int, Type::Process { .. }) => "; `index(p)` is the number of a process",
            _ => "",
        };
        self.error(span, format!("{needed}, but this is {}{hint}", self.described(found)));
        self.failed(span)
    }

    pub(super) fn described(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "a `bool`".to_string(),
            Type::Int => "a number".to_string(),
            Type::Enum(id) if self.enums[id].len() == 1 => format!("the literal `{}`", self.enums[id][0]),
            Type::Enum(_) => format!("a literal of {}", self.type_name(ty)),
            Type::Process { family, .. } if self.families[family].scalarset => {
                format!("a value of the scalarset `{}`", self.families[family].name)
            }
            Type::Process { .. } => format!("a process of type `{}`", self.type_name(ty)),
            Type::None => "`none`".to_string(),
            Type::Error => "unknown".to_string(),
        }
    }

    /// A value that is to be stored in a variable of a type.
    pub(super) fn assignable(&mut self, term: TermId, expr: Option<ExprId>, target: ValueType) -> TermId {
        let (found, span) = (self.terms[term].ty, self.terms[term].span);
        let fits = match (target.ty, found) {
            (Type::Error, _) | (_, Type::Error) => return self.failed(span),
            (Type::Enum(to), Type::Enum(from)) => {
                if self.share_a_literal(from, to) {
                    return self.recode(term, to);
                }
                if let [literal] = self.enums[from].as_slice() {
                    let near = closest(literal, self.enums[to].iter().map(String::as_str));
                    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    let ty = self.type_name(target.ty);
                    self.error(span, format!("`{literal}` is not one of {ty}{hint}"));
                    return self.failed(span);
                }
                false
            }
            (Type::Process { optional: true, .. }, Type::None) => true,
            (Type::Process { family: a, .. }, Type::Process { family: b, .. }) => a == b,
            (a, b) => a == b,
        };
        if !fits {
            let ty = self.described_variable(target);
            let hint = match (target.ty, found) {
                (Type::Process { .. }, Type::None) => {
                    format!("; a variable that may be empty has the type `{ty}?`")
                }
                _ => String::new(),
            };
            let found = self.described(found);
            self.error(span, format!("this is {found}, but the variable's type is `{ty}`{hint}"));
            return self.failed(span);
        }
        // A number in the text is checked here; one that follows from parameters may be guarded by them, and is checked
        // when it is executed.
        if let TermKind::Const(value) = self.terms[term].kind
            && expr.is_some_and(|expr| self.is_literal_number(expr))
            && !target.contains(value)
        {
            self.error(
                span,
                format!("{value} is outside the variable's range {}..{}", target.low, target.high()),
            );
        }
        term
    }

    /// The type of a variable in the words of the language.
    pub(super) fn described_variable(&self, ty: ValueType) -> String {
        match ty.ty {
            Type::Int => format!("{}..{}", ty.low, ty.high()),
            ty => self.type_name(ty),
        }
    }

    pub(super) fn is_literal_number(&self, expr: ExprId) -> bool {
        match self.file.exprs[expr].kind {
            ExprKind::Int(_) => true,
            ExprKind::Neg(inner) => matches!(self.file.exprs[inner].kind, ExprKind::Int(_)),
            _ => false,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> TermId {
        use BinaryOp as B;
        let arithmetic = |op| match op {
            B::Add => Some(ArithmeticOp::Add),
            B::Sub => Some(ArithmeticOp::Sub),
            B::Mul => Some(ArithmeticOp::Mul),
            B::Div => Some(ArithmeticOp::Div),
            B::Rem => Some(ArithmeticOp::Rem),
            _ => None,
        };
        match op {
            B::Implies => {
                let a_span = self.span(a);
                let a = self.check_bool(a);
                let not_a = self.not(a, a_span);
                let b = self.check_bool(b);
                self.junction(false, alloc::vec![not_a, b], span)
            }
            B::Iff => {
                let (a, b) = (self.check_bool(a), self.check_bool(b));
                self.compare(Comparison::Eq, a, b, span)
            }
            B::In => self.membership(a, b, span),
            B::Eq | B::Ne => {
                let (a, b) = match self.two_values(a, b) {
                    (Value::Scalar(a), Value::Scalar(b)) => (a, b),
                    (a, b) => {
                        let same = self.equal(&a, &b, span);
                        return if op == B::Eq { same } else { self.not(same, span) };
                    }
                };
                let comparison = if op == B::Eq { Comparison::Eq } else { Comparison::Ne };
                match self.comparable(a, b, span) {
                    Some((a, b)) => self.compare(comparison, a, b, span),
                    None => self.failed(span),
                }
            }
            B::Lt | B::Le | B::Gt | B::Ge => {
                let (a, b) = self.ordered(a, b, op);
                let comparison = match op {
                    B::Lt => Comparison::Lt,
                    B::Le => Comparison::Le,
                    B::Gt => Comparison::Gt,
                    _ => Comparison::Ge,
                };
                self.compare(comparison, a, b, span)
            }
            _ => {
                let (a, b) = (self.check_number(a), self.check_number(b));
                match arithmetic(op) {
                    Some(op) => self.arithmetic(op, a, b, span),
                    None => self.failed(span),
                }
            }
        }
    }

    /// Both sides of a comparison of numbers; where both are wrong the first says it.
    fn ordered(&mut self, a: ExprId, b: ExprId, op: BinaryOp) -> (TermId, TermId) {
        let (a, b) = (self.check(a), self.check(b));
        let needed = format!("`{}` compares numbers", op.text());
        let before = self.diagnostics.len();
        let a = self.require(a, Type::Int, &needed);
        if self.diagnostics.len() > before { (a, b) } else { (a, self.require(b, Type::Int, &needed)) }
    }

    /// Both sides of an equality; a name that is a family's and a literal's is read as the other side asks.
    fn two_values(&mut self, a: ExprId, b: ExprId) -> (Value, Value) {
        if self.is_doubtful(a) {
            let right = self.value(b);
            let left = self.beside(a, &right);
            return (left, right);
        }
        let left = self.value(a);
        let right = self.beside(b, &left);
        (left, right)
    }

    fn beside(&mut self, expr: ExprId, other: &Value) -> Value {
        let expected = match (other, self.shape_of(other)) {
            (Value::Scalar(term), _) => self.terms[*term].ty,
            (_, Some(shape)) => self.scalar_type(shape),
            _ => Type::Error,
        };
        match self.ambiguous_literal(expr, expected) {
            Some(literal) => Value::Scalar(literal),
            None => self.value(expr),
        }
    }

    /// Brings two values to one type, or says why they can never be equal.
    pub(super) fn comparable(&mut self, a: TermId, b: TermId, span: Span) -> Option<(TermId, TermId)> {
        let (left, right) = (self.terms[a].ty, self.terms[b].ty);
        let picked = |term: TermId, other: Type| other == Type::None && self.picked.contains(&term);
        if picked(a, right) || picked(b, left) {
            // Such a process is never `none`: two numbers that differ say so.
            return Some((self.constant(0, Type::Int, span), self.constant(1, Type::Int, span)));
        }
        let fits = match (left, right) {
            (Type::Error, _) | (_, Type::Error) => return None,
            (Type::Enum(x), Type::Enum(y)) if x == y => true,
            (Type::Enum(x), Type::Enum(y)) => {
                if self.share_a_literal(x, y) {
                    let union = self.union(x, y);
                    return Some((self.recode(a, union), self.recode(b, union)));
                }
                let wrong = match (self.enums[x].as_slice(), self.enums[y].as_slice()) {
                    ([literal], [_, _, ..]) => Some((literal.clone(), y, a)),
                    (_, [literal]) => Some((literal.clone(), x, b)),
                    _ => None,
                };
                if let Some((literal, id, side)) = wrong {
                    let span = self.terms[side].span;
                    let near = closest(&literal, self.enums[id].iter().map(String::as_str));
                    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    let message =
                        format!("`{literal}` is not one of {}{hint}", self.type_name(Type::Enum(id)));
                    self.error(span, message);
                    return None;
                }
                false
            }
            (Type::Process { family: x, .. }, Type::Process { family: y, .. }) => x == y,
            (Type::Process { optional, .. }, Type::None) | (Type::None, Type::Process { optional, .. }) => {
                optional
            }
            (x, y) => x == y,
        };
        if fits {
            return Some((a, b));
        }
        let hint = match (left, right) {
            (Type::Process { family, .. }, Type::None) | (Type::None, Type::Process { family, .. }) => {
                format!("; only a variable of type `{}?` can be `none`", self.families[family].name)
            }
            _ => String::new(),
        };
        let (left, right) = (self.described(left), self.described(right));
        self.error(span, format!("these two can never be equal: {left} and {right}{hint}"));
        None
    }

    /// The enumeration with the literals of both; one of the two where it has them all.
    fn union(&mut self, x: super::EnumId, y: super::EnumId) -> super::EnumId {
        let (own, other) = (self.literal_set(x), self.literal_set(y));
        if other.is_subset(&own) {
            return x;
        }
        if own.is_subset(&other) {
            return y;
        }
        let mut literals = self.enums[x].clone();
        literals.extend(self.enums[y].iter().filter(|l| !own.contains(l.as_str())).cloned());
        self.enumeration(&literals)
    }

    fn literal_set(&self, id: super::EnumId) -> BTreeSet<&str> {
        self.enums[id].iter().map(String::as_str).collect()
    }

    /// Whether two enumerations have a literal in common.
    fn share_a_literal(&self, x: super::EnumId, y: super::EnumId) -> bool {
        // A literal by itself is an enumeration of one.
        let (few, many) = if self.enums[x].len() < self.enums[y].len() { (x, y) } else { (y, x) };
        if let [literal] = self.enums[few].as_slice() {
            return self.enums[many].contains(literal);
        }
        let own = self.literal_set(few);
        self.enums[many].iter().any(|l| own.contains(l.as_str()))
    }

    /// A choice between two values of one type.
    pub(super) fn conditional(&mut self, condition: TermId, sides: [TermId; 2], span: Span) -> TermId {
        let [mut yes, mut no] = sides;
        let ty = match (self.terms[yes].ty, self.terms[no].ty) {
            (Type::Error, _) | (_, Type::Error) => return self.failed(span),
            (Type::Enum(x), Type::Enum(y)) => {
                let union = self.union(x, y);
                (yes, no) = (self.recode(yes, union), self.recode(no, union));
                Type::Enum(union)
            }
            (Type::Process { family, optional: x }, Type::Process { family: y_family, optional: y })
                if family == y_family =>
            {
                Type::Process { family, optional: x || y }
            }
            (Type::Process { family, .. }, Type::None) | (Type::None, Type::Process { family, .. }) => {
                Type::Process { family, optional: true }
            }
            (x, y) if x == y => x,
            (x, y) => {
                let message = format!(
                    "both parts of an `if` need one type, but these are {} and {}",
                    self.described(x),
                    self.described(y)
                );
                self.error(span, message);
                return self.failed(span);
            }
        };
        self.choice(condition, yes, no, ty, span)
    }
}
