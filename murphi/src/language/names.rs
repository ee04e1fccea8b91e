//! The names of a text: where each is declared, and where it is used.
//!
//! The tree may be of a text that is being typed. What could not be read is left out, and the rest has its meaning.

use crate::parser::children;
use crate::token::{Token, TokenKind};
use crate::tree::{
    Body, Decl, Domain, Expr, ExprKind, Model, Name, Quantifier, Routine, Rule, RuleKind, Stmt, StmtKind,
    Type, TypeKind,
};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::language::SymbolKind;
use orbitscope_core::text::Span;

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Where the name is declared.
    pub place: Span,
    /// The whole declaration.
    pub whole: Span,
    /// The type whose field it is, or the routine whose parameter.
    pub owner: Option<String>,
    /// Where it is known; everywhere, where there is none.
    pub visible: Option<Span>,
}

/// A place where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Use {
    pub span: Span,
    /// The number of the symbol.
    pub symbol: usize,
    pub declares: bool,
}

/// The names of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub symbols: Vec<Symbol>,
    /// In the order of the text.
    pub uses: Vec<Use>,
}

/// Finds the names of a tree.
pub(super) fn resolve(model: &Model, tokens: &[Token]) -> Names {
    let mut resolver = Resolver {
        tokens,
        names: Names::default(),
        types: Vec::new(),
        scope: Vec::new(),
        parts: BTreeMap::new(),
        owner: None,
        around: None,
    };
    resolver.model(model);
    let mut names = resolver.names;
    // A declaration of several names is read once for each of them.
    names.uses.sort_unstable();
    names.uses.dedup_by_key(|use_| use_.span);
    names
}

struct Resolver<'a> {
    tokens: &'a [Token],
    names: Names,
    /// The type of each symbol, where it has one.
    types: Vec<Option<&'a Type>>,
    scope: Vec<usize>,
    /// The literals or fields of each type that has some, by where the type starts.
    parts: BTreeMap<u32, Vec<usize>>,
    /// The declaration that this is a part of.
    owner: Option<String>,
    /// Where the names that are bound now are known.
    around: Option<Span>,
}

impl<'a> Resolver<'a> {
    fn declare(&mut self, name: &Name, kind: SymbolKind, whole: Span, ty: Option<&'a Type>) -> usize {
        let symbol = self.names.symbols.len();
        self.names.symbols.push(Symbol {
            name: name.text.clone(),
            kind,
            place: name.span,
            whole,
            owner: self.owner.clone(),
            visible: self.around,
        });
        self.types.push(ty);
        self.names.uses.push(Use { span: name.span, symbol, declares: true });
        symbol
    }

    /// Declares a name that is known from here on.
    fn enter(&mut self, name: &Name, kind: SymbolKind, whole: Span, ty: Option<&'a Type>) {
        let symbol = self.declare(name, kind, whole, ty);
        self.scope.push(symbol);
    }

    fn lookup(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().copied().find(|&symbol| self.names.symbols[symbol].name == name)
    }

    fn used(&mut self, name: &str, span: Span) {
        if let Some(symbol) = self.lookup(name) {
            self.names.uses.push(Use { span, symbol, declares: false });
        }
    }

    /// Goes through a part of the text; names that are bound there are known there alone.
    fn inside(&mut self, span: Span, what: impl FnOnce(&mut Self)) {
        let depth = self.scope.len();
        let around = self.around.replace(span);
        what(self);
        self.around = around;
        self.scope.truncate(depth);
    }

    fn model(&mut self, model: &'a Model) {
        // Routines are known everywhere.
        for routine in &model.routines {
            let kind = if routine.result.is_some() { SymbolKind::Function } else { SymbolKind::Procedure };
            self.enter(&routine.name, kind, self.head(routine), routine.result.as_ref());
        }
        self.decls(&model.decls, true);
        for routine in &model.routines {
            let start = routine.name.span.start;
            let after = |at: u32| (at > start).then_some(at);
            let routines = model.routines.iter().filter_map(|other| after(other.name.span.start));
            let next = routines.chain(model.rules.iter().filter_map(|rule| after(rule.span.start))).min();
            let end = next.unwrap_or_else(|| self.tokens.last().map_or(start, |token| token.span.end));
            self.owner = Some(routine.name.text.clone());
            // A caret at the next part is not in this one.
            self.inside(Span::new(start, end.saturating_sub(1).max(start)), |resolver| {
                for (field, _) in &routine.params {
                    resolver.ty(&field.ty);
                    for name in &field.names {
                        let whole = name.span.to(field.ty.span);
                        resolver.enter(name, SymbolKind::Argument, whole, Some(&field.ty));
                    }
                }
                if let Some(result) = &routine.result {
                    resolver.ty(result);
                }
                resolver.body(&routine.body);
            });
            self.owner = None;
        }
        self.rules(&model.rules);
    }

    /// The head of a routine, from its name on.
    fn head(&self, routine: &Routine) -> Span {
        let own = routine.name.span;
        let last = routine.params.last().map(|(field, _)| field.ty.span);
        let Some(last) = routine.result.as_ref().map(|result| result.span).or(last) else { return own };
        let next = &self.tokens[self.tokens.partition_point(|token| token.span.start < last.end)];
        let closes = next.kind == TokenKind::Op(")");
        own.to(if closes { next.span } else { last })
    }

    fn decls(&mut self, decls: &'a [Decl], global: bool) {
        for decl in decls {
            match decl {
                Decl::Const(name, value) => {
                    self.expr(value);
                    self.enter(name, SymbolKind::Parameter, name.span.to(value.span), None);
                }
                Decl::Type(name, ty) => {
                    let owner = self.owner.replace(name.text.clone());
                    self.ty(ty);
                    self.owner = owner;
                    let family = matches!(ty.kind, TypeKind::Scalarset(_));
                    let kind = if family { SymbolKind::Family } else { SymbolKind::Type };
                    self.enter(name, kind, name.span.to(ty.span), Some(ty));
                }
                Decl::Var(field) => {
                    self.ty(&field.ty);
                    let kind = if global { SymbolKind::Shared } else { SymbolKind::Variable };
                    for name in &field.names {
                        self.enter(name, kind, name.span.to(field.ty.span), Some(&field.ty));
                    }
                }
            }
        }
    }

    fn ty(&mut self, ty: &'a Type) {
        match &ty.kind {
            TypeKind::Named(name) => self.used(name, ty.span),
            TypeKind::Range(low, high) => {
                self.expr(low);
                self.expr(high);
            }
            TypeKind::Enum(literals) => {
                let own = self.parts.get(&ty.span.start).cloned().unwrap_or_else(|| {
                    let declare = |name: &Name| self.declare(name, SymbolKind::Literal, name.span, Some(ty));
                    literals.iter().map(declare).collect()
                });
                self.scope.extend(&own);
                self.parts.insert(ty.span.start, own);
            }
            TypeKind::Array(index, of) => {
                self.ty(index);
                self.ty(of);
            }
            TypeKind::Record(_) if self.parts.contains_key(&ty.span.start) => {}
            TypeKind::Record(fields) => {
                let mut own = Vec::new();
                for field in fields {
                    self.ty(&field.ty);
                    for name in &field.names {
                        let whole = name.span.to(field.ty.span);
                        own.push(self.declare(name, SymbolKind::Field, whole, Some(&field.ty)));
                    }
                }
                self.parts.insert(ty.span.start, own);
            }
            TypeKind::Scalarset(size) => self.expr(size),
            TypeKind::Union(members) => {
                for member in members {
                    self.ty(member);
                }
            }
            TypeKind::Multiset(size, of) => {
                self.expr(size);
                self.ty(of);
            }
            TypeKind::Error => {}
        }
    }

    /// The type that a name of a type stands for.
    fn meant(&self, mut ty: &'a Type) -> Option<&'a Type> {
        // A name that stands for itself has no meaning; every other chain is shorter than the names are many.
        for _ in 0..=self.scope.len() {
            let TypeKind::Named(name) = &ty.kind else { return Some(ty) };
            ty = self.types[self.lookup(name)?]?;
        }
        None
    }

    fn type_of(&self, expr: &Expr) -> Option<&'a Type> {
        let ty = match &expr.kind {
            ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => {
                self.types[self.lookup(name)?]?
            }
            ExprKind::Field(of, name) => self.types[self.field(of, name)?]?,
            ExprKind::Index(of, _) => match &self.type_of(of)?.kind {
                TypeKind::Array(_, element) | TypeKind::Multiset(_, element) => element,
                _ => return None,
            },
            _ => return None,
        };
        self.meant(ty)
    }

    fn field(&self, of: &Expr, name: &Name) -> Option<usize> {
        let fields = self.parts.get(&self.type_of(of)?.span.start)?;
        fields.iter().copied().find(|&field| self.names.symbols[field].name == name.text)
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            // Parentheses belong to the place of an expression, and not to that of a name.
            ExprKind::Name(name) => {
                let from = self.tokens.partition_point(|token| token.span.start < expr.span.start);
                let is_name = |token: &&Token| matches!(&token.kind, TokenKind::Name(text) if text == name);
                if let Some(token) = self.tokens[from..].iter().find(is_name) {
                    self.used(name, token.span);
                }
            }
            ExprKind::Field(of, name) => {
                self.expr(of);
                if let Some(symbol) = self.field(of, name) {
                    self.names.uses.push(Use { span: name.span, symbol, declares: false });
                }
            }
            ExprKind::Call(name, arguments) => {
                self.used(&name.text, name.span);
                self.exprs(arguments);
            }
            ExprKind::Quantified(_, quantifier, body) => self.inside(expr.span, |resolver| {
                resolver.quantifier(quantifier);
                resolver.expr(body);
            }),
            ExprKind::Count(name, set, condition) => self.counted(expr.span, name, set, condition),
            ExprKind::IsMember(value, ty) => {
                self.expr(value);
                self.ty(ty);
            }
            kind => self.exprs(children(kind)),
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn counted(&mut self, span: Span, name: &Name, set: &'a Expr, condition: &'a Expr) {
        self.expr(set);
        self.inside(span, |resolver| {
            resolver.enter(name, SymbolKind::Bound, name.span.to(set.span), None);
            resolver.expr(condition);
        });
    }

    fn quantifier(&mut self, quantifier: &'a Quantifier) {
        let name = &quantifier.name;
        match &quantifier.domain {
            Domain::Type(ty) => {
                self.ty(ty);
                self.enter(name, SymbolKind::Bound, name.span.to(ty.span), Some(ty));
            }
            Domain::Steps(low, high, by) => {
                [low, high].into_iter().chain(by).for_each(|bound| self.expr(bound));
                self.enter(name, SymbolKind::Bound, name.span.to(high.span), None);
            }
        }
    }

    fn aliases(&mut self, names: &'a [(Name, Expr)]) {
        for (name, expr) in names {
            self.expr(expr);
            let ty = self.type_of(expr);
            self.enter(name, SymbolKind::Let, name.span.to(expr.span), ty);
        }
    }

    fn body(&mut self, body: &'a Body) {
        self.decls(&body.decls, false);
        self.stmts(&body.stmts);
    }

    fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign(a, b) | StmtKind::Add(a, b) | StmtKind::Remove(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            StmtKind::If(arms, otherwise) => {
                for (condition, stmts) in arms {
                    self.expr(condition);
                    self.stmts(stmts);
                }
                self.stmts(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => {
                self.expr(value);
                for (values, stmts) in cases {
                    self.exprs(values);
                    self.stmts(stmts);
                }
                self.stmts(otherwise);
            }
            StmtKind::For(quantifier, stmts) => self.inside(stmt.span, |resolver| {
                resolver.quantifier(quantifier);
                resolver.stmts(stmts);
            }),
            StmtKind::While(condition, stmts) => {
                self.expr(condition);
                self.stmts(stmts);
            }
            StmtKind::Alias(names, stmts) => self.inside(stmt.span, |resolver| {
                resolver.aliases(names);
                resolver.stmts(stmts);
            }),
            StmtKind::Call(name, arguments) => {
                self.used(&name.text, name.span);
                self.exprs(arguments);
            }
            StmtKind::Clear(place) | StmtKind::Undefine(place) => self.expr(place),
            StmtKind::Assert(condition, _) | StmtKind::Other(_, condition) => self.expr(condition),
            StmtKind::Return(value) => self.exprs(value),
            StmtKind::RemoveWhere(name, set, condition) => self.counted(stmt.span, name, set, condition),
            StmtKind::Error(_) | StmtKind::Put => {}
        }
    }

    fn rules(&mut self, rules: &'a [Rule]) {
        for rule in rules {
            match &rule.kind {
                RuleKind::Rule { name, guard, body } => {
                    self.titled(name.as_deref(), SymbolKind::Action, rule.span);
                    self.exprs(guard);
                    self.inside(rule.span, |resolver| resolver.body(body));
                }
                RuleKind::Start { name, body } => {
                    self.titled(name.as_deref(), SymbolKind::Action, rule.span);
                    self.inside(rule.span, |resolver| resolver.body(body));
                }
                RuleKind::Property { name, condition, .. } => {
                    self.titled(name.as_deref(), SymbolKind::Property, rule.span);
                    self.expr(condition);
                }
                RuleKind::Ruleset(over, inner) => self.inside(rule.span, |resolver| {
                    for quantifier in over {
                        resolver.quantifier(quantifier);
                    }
                    resolver.rules(inner);
                }),
                RuleKind::Alias(names, inner) => self.inside(rule.span, |resolver| {
                    resolver.aliases(names);
                    resolver.rules(inner);
                }),
                RuleKind::Choose(name, set, inner) => self.inside(rule.span, |resolver| {
                    resolver.expr(set);
                    resolver.enter(name, SymbolKind::Bound, name.span.to(set.span), None);
                    resolver.rules(inner);
                }),
            }
        }
    }

    /// A rule or a property, whose name is a string. Nothing else can speak of it.
    fn titled(&mut self, name: Option<&str>, kind: SymbolKind, whole: Span) {
        let from = self.tokens.partition_point(|token| token.span.start < whole.start);
        let own = self.tokens[from..].iter().take_while(|token| token.span.end <= whole.end);
        let is_title = |token: &&Token| matches!(&token.kind, TokenKind::Str(text) if Some(&**text) == name);
        let first = &self.tokens[from];
        let place = own.clone().find(is_title).unwrap_or(first).span;
        let text = match (name, &first.kind) {
            (Some(name), _) => name,
            (None, TokenKind::Word(word)) => word,
            (None, _) => "",
        };
        self.declare(&Name { text: text.into(), span: place }, kind, whole, None);
    }
}
