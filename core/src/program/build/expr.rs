//! Checking expressions: names are resolved, types are found, definitions are expanded.

use super::super::term::{ArithmeticOp, Comparison, Domain, Reg, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::names::Binding;
use crate::syntax::ast::{BinaryOp, Binder, ExprId, ExprKind, Quantifier};
use crate::text::{Span, closest};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// Checks an expression of any type.
    pub(super) fn check(&mut self, expr: ExprId) -> TermId {
        let file = self.file;
        let span = self.span(expr);
        match &file.exprs[expr].kind {
            ExprKind::Bool(value) => self.constant(i64::from(*value), Type::Bool, span),
            ExprKind::Int(value) => self.constant(*value, Type::Int, span),
            ExprKind::None => self.constant(-1, Type::None, span),
            ExprKind::SelfId => self.self_id(span),
            ExprKind::Name(name) => self.name(name, &[], span),
            ExprKind::Index(base, indices) => self.indexed(*base, indices, span),
            ExprKind::Field(base, field) => self.field(*base, field, &[], span),
            ExprKind::Call(function, arguments) => self.call(function, arguments, span),
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
            ExprKind::If(condition, yes, no) => {
                let condition = self.check_bool(*condition);
                let (yes, no) = self.two_sides(*yes, *no);
                self.conditional(condition, [yes, no], span)
            }
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
            Type::Process { .. } => format!("a process of type `{}`", self.type_name(ty)),
            Type::None => "`none`".to_string(),
            Type::Error => "unknown".to_string(),
        }
    }

    /// Checks a value that is to be stored in a variable of a type.
    pub(super) fn check_assignable(&mut self, expr: ExprId, target: ValueType) -> TermId {
        let term = match self.ambiguous_literal(expr, target.ty) {
            Some(literal) => literal,
            None => self.check(expr),
        };
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
        // What is written as a number is checked here; what follows from parameters may be guarded by them, and is
        // checked when it is executed.
        if let TermKind::Const(value) = self.terms[term].kind
            && self.is_literal_number(expr)
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
            B::Eq | B::Ne => {
                let (a, b) = self.two_sides(a, b);
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
    fn two_sides(&mut self, a: ExprId, b: ExprId) -> (TermId, TermId) {
        if self.is_doubtful(a) {
            let right = self.check(b);
            let left = match self.ambiguous_literal(a, self.terms[right].ty) {
                Some(literal) => literal,
                None => self.check(a),
            };
            return (left, right);
        }
        let left = self.check(a);
        let right = match self.ambiguous_literal(b, self.terms[left].ty) {
            Some(literal) => literal,
            None => self.check(b),
        };
        (left, right)
    }

    /// Brings two values to one type, or says why they can never be equal.
    pub(super) fn comparable(&mut self, a: TermId, b: TermId, span: Span) -> Option<(TermId, TermId)> {
        let (left, right) = (self.terms[a].ty, self.terms[b].ty);
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

    /// Binds names; a domain that is wrong has been reported.
    pub(super) fn binders(&mut self, binders: &'a [Binder]) -> Vec<(Reg, Option<Domain>)> {
        let mut bound = Vec::with_capacity(binders.len());
        for binder in binders {
            let domain = self.domain(&binder.domain);
            let ty = domain.map_or(Type::Error, Self::bound_type);
            let reg = self.fresh_reg(&binder.name.name);
            self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, ty)));
            bound.push((reg, domain));
        }
        bound
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [Binder],
        body: ExprId,
        span: Span,
    ) -> TermId {
        let depth = self.scope.bindings.len();
        let bound = self.binders(binders);
        let mut term = match quantifier {
            Quantifier::Forall | Quantifier::Exists | Quantifier::Count => self.check_bool(body),
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => self.check_number(body),
        };
        self.scope.bindings.truncate(depth);
        if bound.iter().any(|(_, domain)| domain.is_none()) {
            return self.failed(span);
        }
        // `count` over several names adds up the inner counts; `sum`, `min` and `max` go on with the inner ones too.
        for (reg, domain) in bound.into_iter().rev() {
            let Some(domain) = domain else { continue };
            let ty = if quantifier.is_number() { Type::Int } else { Type::Bool };
            term = self.term(TermKind::Quantified(quantifier, reg, domain, term), ty, span);
        }
        term
    }
}
