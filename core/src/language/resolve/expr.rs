//! Expressions: what their names mean, and as much of their types as helps.

use super::super::symbol::{SymbolId, SymbolKind};
use super::super::ty::Ty;
use super::{Callable, Resolver, Space};
use crate::functions::Function;
use crate::syntax::ast::{BinaryOp, Binder, Domain, ExprId, ExprKind, Ident};
use crate::text::Span;
use alloc::vec;
use alloc::vec::Vec;

impl<'t> Resolver<'t> {
    pub(super) fn expr(&mut self, id: ExprId, expected: &Ty) -> Ty {
        let file = self.file;
        let expr = &file.exprs[id];
        if *expected != Ty::Unknown {
            self.names.expected.entry(expr.span.start).or_insert_with(|| expected.clone());
        }
        let ty = self.kind(&expr.kind, expr.span, expected);
        self.names.types.insert(id, ty.clone());
        ty
    }

    fn all(&mut self, list: &[ExprId], expected: &Ty) {
        for &expr in list {
            self.expr(expr, expected);
        }
    }

    fn kind(&mut self, kind: &'t ExprKind, span: Span, expected: &Ty) -> Ty {
        match kind {
            ExprKind::Bool(_) => Ty::Bool,
            ExprKind::Int(_) => Ty::Number,
            ExprKind::None | ExprKind::Error => Ty::Unknown,
            ExprKind::SelfId => {
                let families: Vec<SymbolId> = self.owners.iter().copied().flatten().collect();
                if families.is_empty() { Ty::Unknown } else { Ty::Process(families, false) }
            }
            ExprKind::Name(name) => self.name(name, span, expected),
            ExprKind::Index(base, indices) => {
                self.all(indices, &Ty::Unknown);
                self.expr(*base, &Ty::Unknown)
            }
            ExprKind::Field(base, field) => {
                let base = self.expr(*base, &Ty::Unknown);
                self.field(&base, field)
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Make(name, fields) => {
                let ty = self.named_type(name);
                for (field, value) in fields {
                    let known = match ty.present() {
                        Ty::Record(known) => {
                            known.iter().copied().find(|&id| self.names.symbols[id].name == field.name)
                        }
                        _ => None,
                    };
                    self.refer(field.span, known.into_iter().collect());
                    let expected = known.map(|id| self.names.symbols[id].ty.clone()).unwrap_or_default();
                    self.expr(*value, &expected);
                }
                ty
            }
            ExprKind::Braces(list) => {
                let wanted = expected.present().element();
                let mut inner = Ty::Unknown;
                for &expr in list {
                    let ty = self.expr(expr, &wanted);
                    inner.join(&ty);
                }
                Ty::around(Ty::Set, inner)
            }
            ExprKind::Is(process, family) => {
                self.expr(*process, &Ty::Unknown);
                self.named_type(family);
                Ty::Bool
            }
            ExprKind::Neg(operand) => self.expr(*operand, &Ty::Number),
            ExprKind::And(list) | ExprKind::Or(list) => {
                self.all(list, &Ty::Bool);
                Ty::Bool
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            ExprKind::If(condition, yes, no) => {
                self.expr(*condition, &Ty::Bool);
                let mut ty = self.expr(*yes, expected);
                let other = self.expr(*no, expected);
                ty.join(&other);
                ty
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let outside = self.bound.len();
                let end = file_end(self, *body, span);
                self.binders(binders, end);
                self.expr(*body, &if quantifier.is_number() { Ty::Unknown } else { Ty::Bool });
                self.bound.truncate(outside);
                if quantifier.is_number() { Ty::Number } else { Ty::Bool }
            }
            ExprKind::Not(operand) | ExprKind::Temporal(_, operand) | ExprKind::Branching(_, _, operand) => {
                self.expr(*operand, &Ty::Bool);
                Ty::Bool
            }
            ExprKind::TemporalBinary(_, left, right) | ExprKind::BranchingBinary(_, _, left, right) => {
                self.all(&[*left, *right], &Ty::Bool);
                Ty::Bool
            }
            ExprKind::Fixpoint(_, name, body) => {
                let outside = self.bound.len();
                let end = file_end(self, *body, span);
                self.bind(name, SymbolKind::Fixpoint, Ty::Bool, name.span, end);
                self.expr(*body, &Ty::Bool);
                self.bound.truncate(outside);
                Ty::Bool
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, expected: &Ty) -> Ty {
        let found = self.lookup(name, expected);
        let mut ty = Ty::Unknown;
        for &id in &found {
            self.used(id);
            let own = self.names.symbols[id].ty.clone();
            ty.join(&own);
            if self.names.symbols[id].kind == SymbolKind::Literal {
                ty = Ty::Enum(vec![id]);
            }
        }
        self.refer(span, found);
        ty
    }

    fn field(&mut self, base: &Ty, field: &'t Ident) -> Ty {
        let name = field.name.as_str();
        let found: Vec<SymbolId> = match base.present() {
            Ty::Process(families, _) => {
                let own = |&family: &SymbolId| self.members.get(&(family, Space::Variable, name)).copied();
                families.iter().filter_map(own).collect()
            }
            Ty::Record(fields) => {
                fields.iter().copied().filter(|&id| self.names.symbols[id].name == name).collect()
            }
            // All that have such a field.
            _ => {
                let fits = |kind| matches!(kind, SymbolKind::Variable | SymbolKind::Field);
                let all = self.names.symbols.iter_enumerated();
                all.filter(|(_, symbol)| fits(symbol.kind) && symbol.name == name).map(|(id, _)| id).collect()
            }
        };
        let mut ty = Ty::Unknown;
        for &id in &found {
            let own = self.names.symbols[id].ty.clone();
            ty.join(&own);
        }
        if !name.is_empty() {
            self.refer(field.span, found);
        }
        ty
    }

    /// A definition, a routine or a built-in function with its arguments.
    pub(super) fn call(&mut self, name: &'t Ident, arguments: &[ExprId]) -> Ty {
        let global = self.globals.get(name.name.as_str()).copied();
        if let Some(id) = global {
            self.refer(name.span, vec![id]);
            self.used(id);
            let callable = self.callables.get(&id).copied();
            for (position, &argument) in arguments.iter().enumerate() {
                match callable {
                    Some(Callable::Definition(params)) => {
                        let ty = self.expr(argument, &Ty::Unknown);
                        if let Some(param) = params.get(position) {
                            let param = self.symbol(param, SymbolKind::Argument, param.span);
                            self.changed |= self.names.symbols[param].ty.join(&ty);
                        }
                    }
                    Some(Callable::Routine(decl)) => {
                        let param = decl.params.get(position);
                        let place = param.and_then(|param| self.places.get(&param.name.span.start));
                        let ty = place.map(|&id| self.names.symbols[id].ty.clone()).unwrap_or_default();
                        self.expr(argument, &ty);
                    }
                    None => {
                        self.expr(argument, &Ty::Unknown);
                    }
                }
            }
            return self.names.symbols[id].ty.clone();
        }
        let types: Vec<Ty> = arguments.iter().map(|&argument| self.expr(argument, &Ty::Unknown)).collect();
        let first = types.into_iter().next().unwrap_or_default();
        match Function::named(&name.name) {
            Some(Function::Next | Function::Prev) => match first {
                Ty::Process(families, _) => Ty::Process(families, false),
                _ => Ty::Unknown,
            },
            Some(Function::Enabled | Function::Executed | Function::Room) => Ty::Bool,
            Some(Function::Head) => first.present().element(),
            Some(_) => Ty::Number,
            None => {
                if !matches!(name.name.as_str(), "push" | "pop") {
                    self.refer(name.span, Vec::new());
                }
                Ty::Unknown
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Ty {
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                // A name that is a family's and a literal's is told by the other side.
                let (first, second) = if self.is_doubtful(left) { (right, left) } else { (left, right) };
                let ty = self.expr(first, &Ty::Unknown);
                self.expr(second, &ty);
                Ty::Bool
            }
            BinaryOp::In => {
                let collection = self.expr(right, &Ty::Unknown);
                self.expr(left, &collection.present().element());
                Ty::Bool
            }
            BinaryOp::Implies | BinaryOp::Iff => {
                self.all(&[left, right], &Ty::Bool);
                Ty::Bool
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let ty = self.expr(left, &Ty::Unknown);
                self.expr(right, &ty.present().element());
                if let Ty::Set(_) = ty { ty } else { Ty::Number }
            }
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.all(&[left, right], &Ty::Number);
                Ty::Number
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.all(&[left, right], &Ty::Number);
                Ty::Bool
            }
        }
    }

    fn is_doubtful(&self, expr: ExprId) -> bool {
        match &self.file.exprs[expr].kind {
            ExprKind::Name(name) => {
                self.literals.contains_key(name.as_str()) && self.globals.contains_key(name.as_str())
            }
            ExprKind::If(_, yes, no) => self.is_doubtful(*yes) || self.is_doubtful(*no),
            _ => false,
        }
    }

    /// Binds names one after the other: a later domain may speak of an earlier name.
    pub(super) fn binders(&mut self, binders: &'t [Binder], end: u32) {
        for binder in binders {
            let ty = self.domain(&binder.domain);
            let whole = Span::new(binder.name.span.start, domain_end(self, &binder.domain));
            self.bind(&binder.name, SymbolKind::Bound, ty, whole, end);
        }
    }

    /// The type of the values that a name ranges over.
    pub(super) fn domain(&mut self, domain: &'t Domain) -> Ty {
        match domain {
            Domain::Family(name) => {
                let global = self.globals.get(name.name.as_str()).copied();
                let kind = global.map(|id| self.names.symbols[id].kind);
                if let Some(SymbolKind::Family | SymbolKind::Type) = kind {
                    return self.named_type(name);
                }
                if name.name.is_empty() {
                    return Ty::Unknown;
                }
                self.name(&name.name, name.span, &Ty::Unknown).present().element()
            }
            Domain::Range(low, high) => {
                self.all(&[*low, *high], &Ty::Number);
                Ty::Number
            }
            Domain::Union(names) => self.union(names),
            Domain::Value(expr) => {
                let ty = self.expr(*expr, &Ty::Unknown);
                ty.present().element()
            }
        }
    }
}

fn file_end(resolver: &Resolver<'_>, body: ExprId, whole: Span) -> u32 {
    resolver.file.exprs[body].span.end.max(whole.end)
}

fn domain_end(resolver: &Resolver<'_>, domain: &Domain) -> u32 {
    match domain {
        Domain::Family(name) => name.span.end,
        Domain::Range(_, high) => resolver.file.exprs[*high].span.end,
        Domain::Union(names) => names.last().map_or(0, |name| name.span.end),
        Domain::Value(expr) => resolver.file.exprs[*expr].span.end,
    }
}
