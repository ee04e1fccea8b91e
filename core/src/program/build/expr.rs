//! Checking expressions: names are resolved, types are found, definitions are expanded.

use super::super::term::{ArithmeticOp, Comparison, Direction, Domain, TermId, TermKind};
use super::super::types::{Type, ValueType};
use super::names::{Binding, Definition, Global};
use super::{Atoms, Builder};
use crate::syntax::ast::{BinaryOp, Binder, ExprId, ExprKind, Ident, Quantifier};
use crate::text::{Span, closest};
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
            ExprKind::If(condition, yes, no) => self.conditional(*condition, *yes, *no, span),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, *body, span)
            }
            ExprKind::Temporal(..)
            | ExprKind::TemporalBinary(..)
            | ExprKind::Branching(..)
            | ExprKind::BranchingBinary(..) => {
                self.error(span, "a temporal operator cannot stand inside an expression of a state");
                self.failed(span)
            }
            ExprKind::Error => self.failed(span),
        }
    }

    pub(super) fn check_bool(&mut self, expr: ExprId) -> TermId {
        let term = self.check(expr);
        self.require(term, Type::Bool, "true or false is needed here")
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

    fn described(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "true or false".to_string(),
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
                if self.enums[from].iter().any(|l| self.enums[to].contains(l)) {
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
            let message = format!(
                "this is {}, but the variable's type is {}",
                self.described(found),
                self.type_name(target.ty)
            );
            self.error(span, message);
            return self.failed(span);
        }
        // What is written as a number is checked here; what follows from parameters may be guarded by them, and is
        // checked when it is executed.
        if let TermKind::Const(value) = self.terms[term].kind
            && self.is_literal_number(expr)
            && !target.contains(value)
        {
            let (low, high) = (target.low as i64, target.low as i64 + target.size as i64 - 1);
            self.error(span, format!("{value} is outside the variable's range {low}..{high}"));
        }
        term
    }

    fn is_literal_number(&self, expr: ExprId) -> bool {
        match self.file.exprs[expr].kind {
            ExprKind::Int(_) => true,
            ExprKind::Neg(inner) => matches!(self.file.exprs[inner].kind, ExprKind::Int(_)),
            _ => false,
        }
    }

    fn self_id(&mut self, span: Span) -> TermId {
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
    fn name(&mut self, name: &'a str, indices: &'a [ExprId], span: Span) -> TermId {
        if let Some(binding) = self.binding(name) {
            self.no_indices(name, indices, span);
            return match binding {
                Binding::Reg(reg, ty) => self.term(TermKind::Bound(reg), ty, span),
                Binding::Term(term) => term,
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
            Some(Global::Family(family)) => self.process_of(family, indices, span),
            None if self.names.literals.contains_key(name) => {
                self.no_indices(name, indices, span);
                self.literal(name, span)
            }
            None => {
                let ident = Ident { name: name.to_string(), span };
                let near = self.nearest_name(name);
                self.unknown("name", &ident, near);
                self.failed(span)
            }
        }
    }

    fn literal(&mut self, name: &str, span: Span) -> TermId {
        let id = self.enumeration(&[name.to_string()]);
        self.constant(0, Type::Enum(id), span)
    }

    /// A bare name that is a family's and a literal's at once is the literal where an enumeration with it is meant.
    fn ambiguous_literal(&mut self, expr: ExprId, expected: Type) -> Option<TermId> {
        let file = self.file;
        let ExprKind::Name(name) = &file.exprs[expr].kind else { return None };
        let Type::Enum(id) = expected else { return None };
        let ambiguous = self.enums[id].contains(name)
            && self.binding(name).is_none()
            && matches!(self.names.items.get(name.as_str()), Some((Global::Family(_), _)))
            && self.scope.owner.is_none_or(|f| !self.locals[f].contains_key(name.as_str()));
        ambiguous.then(|| self.literal(name, self.span(expr)))
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
        self.term(TermKind::Shared(var, indices), ty, span)
    }

    fn local(&mut self, var: super::VarId, process: TermId, indices: &'a [ExprId], span: Span) -> TermId {
        let Some(indices) = self.indices(var, indices, span) else { return self.failed(span) };
        let ty = self.vars[var].ty.ty;
        self.term(TermKind::Local(var, process, indices), ty, span)
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
                1 => format!("`{name}` needs one index, {} given", indices.len()),
                n => format!("`{name}` needs {n} indices, {} given", indices.len()),
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
                        let there = if size == 0 {
                            "it has none".to_string()
                        } else {
                            format!("they are 0..{}", size - 1)
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

    fn indexed(&mut self, base: ExprId, indices: &'a [ExprId], span: Span) -> TermId {
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

    fn field(&mut self, base: ExprId, field: &'a Ident, indices: &'a [ExprId], span: Span) -> TermId {
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
        let what = format!("variable of `{}`", self.families[family].name);
        let near = closest(&field.name, self.locals[family].keys().copied()).map(ToString::to_string);
        self.unknown(&what, field, near);
        self.failed(span)
    }

    fn call(&mut self, function: &'a Ident, arguments: &'a [ExprId], span: Span) -> TermId {
        let name = function.name.as_str();
        if let Some(&(Global::Definition(definition), _)) = self.names.items.get(name) {
            return self.expand(name, definition, arguments, span);
        }
        if super::names::is_built_in(name) {
            let &[argument] = arguments else {
                self.error(span, format!("`{name}` takes one process, {} given", arguments.len()));
                return self.failed(span);
            };
            return self.built_in(name, argument, span);
        }
        if self.names.items.contains_key(name) || self.binding(name).is_some() {
            self.error(function.span, format!("`{name}` is no definition with parameters"));
        } else {
            let definitions =
                self.names.items.iter().filter(|(_, (g, _))| matches!(g, Global::Definition(_)));
            let built_in = ["index", "next", "prev", "enabled", "executed"];
            let near = closest(name, definitions.map(|(n, _)| *n).chain(built_in)).map(ToString::to_string);
            self.unknown("definition", function, near);
        }
        self.failed(span)
    }

    fn built_in(&mut self, name: &str, argument: ExprId, span: Span) -> TermId {
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
        match name {
            "index" => self.index_of(process, span),
            "next" | "prev" => {
                if !self.families[family].ring {
                    let family = self.families[family].name.clone();
                    self.error(
                        span,
                        format!("`{name}` needs a ring, and `{family}` is none; declare it `process {family}[…] ring`"),
                    );
                    return self.failed(span);
                }
                let direction = if name == "next" { Direction::Next } else { Direction::Prev };
                self.term(
                    TermKind::Neighbour(direction, process),
                    Type::Process { family, optional: false },
                    span,
                )
            }
            _ => {
                let allowed = match self.scope.atoms {
                    Atoms::None => false,
                    Atoms::Enabled => name == "enabled",
                    Atoms::EnabledAndExecuted => true,
                };
                if !allowed {
                    let places = if name == "enabled" {
                        "`ltl`, `ctl` and `automaton` properties"
                    } else {
                        "`ltl` and `automaton` properties"
                    };
                    self.error(span, format!("`{name}` can stand in {places} only"));
                    return self.failed(span);
                }
                let kind =
                    if name == "enabled" { TermKind::Enabled(process) } else { TermKind::Executed(process) };
                self.term(kind, Type::Bool, span)
            }
        }
    }

    /// The body of a definition, with the arguments for its parameters; the arguments mean what they mean here.
    fn expand(
        &mut self,
        name: &'a str,
        definition: Definition<'a>,
        arguments: &'a [ExprId],
        span: Span,
    ) -> TermId {
        if definition.params.len() != arguments.len() {
            let message =
                format!("`{name}` takes {} arguments, {} given", definition.params.len(), arguments.len());
            self.error(span, message);
            return self.failed(span);
        }
        if self.expanding.contains(&name) {
            self.error(span, format!("the definition of `{name}` uses itself"));
            return self.failed(span);
        }
        let arguments: Vec<TermId> = arguments.iter().map(|&a| self.check(a)).collect();
        if self.too_large {
            return self.failed(span);
        }
        let outer = core::mem::take(&mut self.scope.bindings);
        for (param, argument) in definition.params.iter().zip(arguments) {
            self.scope.bindings.push((&param.name, Binding::Term(argument)));
        }
        self.expanding.push(name);
        let term = self.check(definition.body);
        self.expanding.pop();
        self.scope.bindings = outer;
        term
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
                let (a, b) = (self.ordered(a, op), self.ordered(b, op));
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

    fn ordered(&mut self, expr: ExprId, op: BinaryOp) -> TermId {
        let term = self.check(expr);
        let needed = format!("`{}` compares numbers", op.text());
        self.require(term, Type::Int, &needed)
    }

    /// Both sides of an equality; a name that is a family's and a literal's is read as the other side asks.
    fn two_sides(&mut self, a: ExprId, b: ExprId) -> (TermId, TermId) {
        let file = self.file;
        let doubtful = matches!(&file.exprs[a].kind, ExprKind::Name(name)
            if self.names.literals.contains_key(name.as_str()) && self.names.items.contains_key(name.as_str()));
        if doubtful {
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
    fn comparable(&mut self, a: TermId, b: TermId, span: Span) -> Option<(TermId, TermId)> {
        let (left, right) = (self.terms[a].ty, self.terms[b].ty);
        let fits = match (left, right) {
            (Type::Error, _) | (_, Type::Error) => return None,
            (Type::Enum(x), Type::Enum(y)) if x == y => true,
            (Type::Enum(x), Type::Enum(y)) => {
                if self.enums[x].iter().any(|l| self.enums[y].contains(l)) {
                    let union = self.union(x, y);
                    return Some((self.recode(a, union), self.recode(b, union)));
                }
                let (literal, id) = match (self.enums[x].as_slice(), self.enums[y].as_slice()) {
                    ([literal], _) if self.enums[y].len() > 1 => (literal.clone(), y),
                    (_, [literal]) => (literal.clone(), x),
                    _ => (String::new(), x),
                };
                if !literal.is_empty() {
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
        let message =
            format!("this can never be equal: {} and {}", self.described(left), self.described(right));
        self.error(span, message);
        None
    }

    /// The enumeration with the literals of both; one of the two where it has them all.
    fn union(&mut self, x: super::EnumId, y: super::EnumId) -> super::EnumId {
        let within = |a: &[String], b: &[String]| a.iter().all(|l| b.contains(l));
        if within(&self.enums[y], &self.enums[x]) {
            return x;
        }
        if within(&self.enums[x], &self.enums[y]) {
            return y;
        }
        let mut literals = self.enums[x].clone();
        literals.extend(self.enums[y].iter().filter(|l| !self.enums[x].contains(l)).cloned());
        self.enumeration(&literals)
    }

    fn conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> TermId {
        let condition = self.check_bool(condition);
        let (mut yes, mut no) = self.two_sides(yes, no);
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

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [Binder],
        body: ExprId,
        span: Span,
    ) -> TermId {
        let mut bound = Vec::new();
        let depth = self.scope.bindings.len();
        for binder in binders {
            let domain = self.domain(&binder.domain);
            let ty = domain.map_or(Type::Error, Self::bound_type);
            let reg = self.fresh_reg();
            self.scope.bindings.push((&binder.name.name, Binding::Reg(reg, ty)));
            bound.push((reg, domain));
        }
        let mut term = self.check_bool(body);
        self.scope.bindings.truncate(depth);
        if bound.iter().any(|(_, domain)| domain.is_none()) {
            return self.failed(span);
        }
        // `count` over several names adds up the inner counts.
        for (reg, domain) in bound.into_iter().rev() {
            let Some(domain) = domain else { continue };
            let ty = if quantifier == Quantifier::Count { Type::Int } else { Type::Bool };
            term = self.term(TermKind::Quantified(quantifier, reg, domain, term), ty, span);
        }
        term
    }
}
