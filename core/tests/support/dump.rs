//! The tree of a model as indented text without places: two texts with the same dump are the same model.
//!
//! An expression is a list, operator first; a long one has its operands on lines of their own.

use orbitscope_core::syntax::ast::{
    Binder, Block, Change, Domain, ExprId, ExprKind, File, Fixpoint, Ident, IndexDecl, Init, ItemKind,
    PathQuantifier, ProcessDecl, StatementKind, SymmetryDecl, TemporalBinaryOp, TemporalOp, TypeExpr,
    VarDecl,
};
use std::fmt::Write;

/// The longest expression that is written on one line.
const WIDTH: usize = 70;

pub(crate) fn dump(file: &File) -> String {
    let mut dump = Dump { file, text: String::new(), level: 0 };
    for item in &file.items {
        dump.item(&item.kind);
    }
    dump.text
}

struct Dump<'a> {
    file: &'a File,
    text: String,
    level: usize,
}

impl<'a> Dump<'a> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{:indent$}{text}", "", indent = 2 * self.level)
            .expect("a string can be written");
    }

    fn inside(&mut self, title: &str, content: impl FnOnce(&mut Self)) {
        self.line(title);
        self.level += 1;
        content(self);
        self.level -= 1;
    }

    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Param { name, value, range } => self.inside(&format!("param {}", name.name), |d| {
                d.expr(*value);
                if let Some((low, high)) = range {
                    d.range(*low, *high);
                }
            }),
            ItemKind::Shared(decl) => self.variable("shared", decl),
            ItemKind::Process(decl) => self.process(decl),
            ItemKind::Routine(routine) => {
                let word = if routine.result.is_some() { "function" } else { "procedure" };
                self.inside(&format!("{word} {}", routine.name.name), |d| {
                    for param in &routine.params {
                        let out = if param.out { "out " } else { "" };
                        d.inside(&format!("{out}{}", param.name.name), |d| d.ty(&param.ty));
                    }
                    if let Some(ty) = &routine.result {
                        d.ty(ty);
                    }
                    d.block(&routine.body);
                });
            }
            ItemKind::Type { name, ty } => self.inside(&format!("type {}", name.name), |d| d.ty(ty)),
            ItemKind::Define { name, params, body } => {
                self.inside(&format!("define {}({})", name.name, names(params)), |d| d.expr(*body));
            }
            ItemKind::Fairness { family, action, fairness } => {
                let action = action.as_ref().map_or(String::new(), |action| format!(".{}", action.name));
                self.line(&format!("fairness {}{action} {fairness:?}", family.name));
            }
            ItemKind::DeadlockFree(name) => self.line(&format!("deadlock free, called {}", name.name)),
            ItemKind::Assume(expr) => self.inside("assume", |d| d.expr(*expr)),
            ItemKind::Symmetry(SymmetryDecl::Generators(generators)) => {
                self.inside("symmetry generators", |d| {
                    for generator in generators {
                        d.inside("generator", |d| {
                            for cycle in &generator.cycles {
                                d.inside("cycle", |d| cycle.iter().for_each(|&e| d.expr(e)));
                            }
                        });
                    }
                });
            }
            ItemKind::Init(init) => self.inside("init", |d| {
                d.binders(&init.params);
                if let Some(guard) = init.guard {
                    d.inside("guard", |d| d.expr(guard));
                }
                d.block(&init.block);
            }),
            ItemKind::Hint(hint) => self.inside("hint", |d| d.expr(*hint)),
            ItemKind::Symmetry(symmetry) => self.line(&format!("symmetry {symmetry:?}")),
            ItemKind::Property { logic, name, formula } => {
                let logic = format!("{logic:?}").to_lowercase();
                self.inside(&format!("{logic} {}", name.name), |d| d.expr(*formula));
            }
            ItemKind::Automaton { name, params, states } => {
                self.inside(&format!("automaton {}", name.name), |d| {
                    d.binders(params);
                    for state in states {
                        let initial = if state.initial { " initial" } else { "" };
                        let accepting = if state.accepting { " accepting" } else { "" };
                        d.inside(&format!("state {}{initial}{accepting}", state.name.name), |d| {
                            for (guard, target) in &state.moves {
                                d.inside(&format!("to {}", target.name), |d| d.expr(*guard));
                            }
                        });
                    }
                });
            }
        }
    }

    fn process(&mut self, decl: &ProcessDecl) {
        let ring = if decl.ring.is_some() { " ring" } else { "" };
        self.inside(&format!("process {}{ring}", decl.name.name), |d| {
            if let Some(size) = decl.size {
                d.inside("size", |d| d.expr(size));
            }
            if decl.scalarset {
                d.line("scalarset");
            }
            for variable in &decl.vars {
                d.variable("var", variable);
            }
            for action in &decl.actions {
                d.inside(&format!("action {}", action.name.name), |d| {
                    d.binders(&action.params);
                    d.expr(action.guard);
                    if let Some(block) = &action.block {
                        d.block(block);
                    }
                    for assignment in &action.assignments {
                        let title = match assignment.change {
                            Change::Assign => ":=".to_string(),
                            other => format!("{other:?}").to_lowercase(),
                        };
                        d.inside(&title, |d| {
                            d.binders(&assignment.over);
                            d.expr(assignment.target);
                            d.expr(assignment.value);
                        });
                    }
                });
            }
            if let Some(code) = &decl.code {
                d.inside("code", |d| d.block(code));
            }
        });
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Skip => self.line("skip"),
            StatementKind::Stop => self.line("stop"),
            StatementKind::Error => self.line("<error>"),
            StatementKind::Label(label) => self.line(&format!("{}:", label.name)),
            StatementKind::Goto(label) => self.line(&format!("goto {}", label.name)),
            StatementKind::Assign(target, value) => self.inside(":=", |d| {
                d.expr(*target);
                d.expr(*value);
            }),
            StatementKind::Change(change, target, value) => self.inside(&format!("{change:?}"), |d| {
                d.expr(*target);
                d.expr(*value);
            }),
            StatementKind::If(arms, otherwise) => {
                for (test, block) in arms {
                    self.inside("if", |d| {
                        d.expr(*test);
                        d.inside("then", |d| d.block(block));
                    });
                }
                if let Some(block) = otherwise {
                    self.inside("else", |d| d.block(block));
                }
            }
            StatementKind::Switch(value, cases, otherwise) => self.inside("switch", |d| {
                d.expr(*value);
                for (values, block) in cases {
                    d.inside("case", |d| {
                        for &value in values {
                            d.expr(value);
                        }
                        d.inside("then", |d| d.block(block));
                    });
                }
                if let Some(block) = otherwise {
                    d.inside("else", |d| d.block(block));
                }
            }),
            StatementKind::For(binders, block) | StatementKind::With(binders, block) => {
                let word = if matches!(statement, StatementKind::For(..)) { "for" } else { "with" };
                self.inside(word, |d| {
                    d.binders(binders);
                    d.block(block);
                });
            }
            StatementKind::While(test, block) => self.inside("while", |d| {
                d.expr(*test);
                d.inside("do", |d| d.block(block));
            }),
            StatementKind::Loop(block) => self.inside("loop", |d| d.block(block)),
            StatementKind::Either(blocks) => {
                for block in blocks {
                    self.inside("either", |d| d.block(block));
                }
            }
            StatementKind::Let(name, value) => {
                self.inside(&format!("let {}", name.name), |d| d.expr(*value));
            }
            StatementKind::Var(decl) => self.variable("var", decl),
            StatementKind::Assert(value) => self.inside("assert", |d| d.expr(*value)),
            StatementKind::Await(value) => self.inside("await", |d| d.expr(*value)),
            StatementKind::Return(value) => self.inside("return", |d| d.expr(*value)),
            StatementKind::Call(name, arguments) => self.inside(&format!("call {}", name.name), |d| {
                for &argument in arguments {
                    d.expr(argument);
                }
            }),
        }
    }

    fn ty(&mut self, ty: &TypeExpr) {
        match ty {
            TypeExpr::Bool(_) => self.line("bool"),
            TypeExpr::Range(low, high) => self.range(*low, *high),
            TypeExpr::Enum(literals, _) => self.line(&format!("{{{}}}", names(literals))),
            TypeExpr::Named { name, optional } => {
                self.line(&format!("id {}{}", name.name, if *optional { "?" } else { "" }));
            }
            TypeExpr::Optional(inner, _) => self.inside("optional", |d| d.ty(inner)),
            TypeExpr::Union(list, _) => self.line(&format!("one of {}", names(list))),
            TypeExpr::Record(fields, _) => self.inside("record", |d| {
                for field in fields {
                    d.inside(&field.name.name, |d| {
                        field.index.iter().for_each(|domain| d.domain("index", domain));
                        d.ty(&field.ty);
                    });
                }
            }),
            TypeExpr::Set(item, _) => self.inside("set", |d| d.ty(item)),
            TypeExpr::Bag(size, item, _) => {
                let size = self.short(*size);
                self.inside(&format!("bag {size}"), |d| d.ty(item));
            }
            TypeExpr::Queue(size, item, _) => {
                let size = self.short(*size);
                self.inside(&format!("queue {size}"), |d| d.ty(item));
            }
            TypeExpr::Error => self.line("<error>"),
        }
    }

    fn variable(&mut self, keyword: &str, decl: &VarDecl) {
        self.inside(&format!("{keyword} {}", decl.name.name), |d| {
            for IndexDecl { name, domain } in &decl.index {
                d.domain(name.as_ref().map_or("index", |n| &n.name), domain);
            }
            d.ty(&decl.ty);
            match decl.init {
                Init::Any(_) => d.line("any"),
                Init::Expr(value) => d.expr(value),
            }
        });
    }

    fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            self.domain(&binder.name.name, &binder.domain);
        }
    }

    fn domain(&mut self, name: &str, domain: &Domain) {
        match domain {
            Domain::Family(family) => self.line(&format!("{name} in {}", family.name)),
            other => self.line(&format!("{name} in {}", self.domain_text(other))),
        }
    }

    fn domain_text(&self, domain: &Domain) -> String {
        match domain {
            Domain::Family(family) => family.name.clone(),
            Domain::Range(low, high) => format!("{}..{}", self.short(*low), self.short(*high)),
            Domain::Union(families) => names(families).replace(", ", " | "),
            Domain::Value(value) => self.short(*value),
        }
    }

    fn range(&mut self, low: ExprId, high: ExprId) {
        let (low, high) = (self.short(low), self.short(high));
        self.line(&format!("{low}..{high}"));
    }

    /// Recursive: the parser bounds the depth of the tree.
    fn expr(&mut self, id: ExprId) {
        let short = self.short(id);
        let (title, binders, operands) = self.parts(id);
        if operands.is_empty() || short.len() <= WIDTH {
            return self.line(&short);
        }
        self.inside(&title, |d| {
            d.binders(binders);
            for operand in operands {
                d.expr(operand);
            }
        });
    }

    /// The expression on one line.
    fn short(&self, id: ExprId) -> String {
        let (title, binders, operands) = self.parts(id);
        if operands.is_empty() {
            return title;
        }
        let mut text = format!("({title}");
        for binder in binders {
            let domain = self.domain_text(&binder.domain);
            write!(text, " [{} in {domain}]", binder.name.name).expect("a string can be written");
        }
        for operand in operands {
            text = text + " " + &self.short(operand);
        }
        text + ")"
    }

    /// An expression's operator, the names it binds, and its operands.
    fn parts(&self, id: ExprId) -> (String, &'a [Binder], Vec<ExprId>) {
        let file: &'a File = self.file;
        let kind = &file.exprs[id].kind;
        let binders = if let ExprKind::Quantified(_, binders, _) = kind { binders.as_slice() } else { &[] };
        let (title, operands) = match kind {
            ExprKind::Bool(value) => (value.to_string(), vec![]),
            ExprKind::Int(value) => (value.to_string(), vec![]),
            ExprKind::None => ("none".into(), vec![]),
            ExprKind::SelfId => ("self".into(), vec![]),
            ExprKind::Name(name) => (name.clone(), vec![]),
            ExprKind::Index(base, indices) => {
                ("index".into(), std::iter::once(*base).chain(indices.iter().copied()).collect())
            }
            ExprKind::Field(base, field) => (format!(".{}", field.name), vec![*base]),
            ExprKind::Call(name, arguments) => (format!("{}()", name.name), arguments.clone()),
            ExprKind::Make(name, fields) => {
                let given: Vec<&str> = fields.iter().map(|(field, _)| field.name.as_str()).collect();
                (format!("{}({})", name.name, given.join(", ")), fields.iter().map(|(_, e)| *e).collect())
            }
            ExprKind::Braces(list) => ("braces".into(), list.clone()),
            ExprKind::Is(a, family) => (format!("is {}", family.name), vec![*a]),
            ExprKind::Not(a) => ("not".into(), vec![*a]),
            ExprKind::Neg(a) => ("negate".into(), vec![*a]),
            ExprKind::And(list) => ("and".into(), list.clone()),
            ExprKind::Or(list) => ("or".into(), list.clone()),
            ExprKind::Binary(op, a, b) => (op.text().into(), vec![*a, *b]),
            ExprKind::If(a, b, c) => ("if".into(), vec![*a, *b, *c]),
            ExprKind::Quantified(quantifier, _, body) => {
                (format!("{quantifier:?}").to_lowercase(), vec![*body])
            }
            ExprKind::Temporal(op, a) => (letter(*op).into(), vec![*a]),
            ExprKind::TemporalBinary(op, a, b) => (until(*op).into(), vec![*a, *b]),
            ExprKind::Branching(path, op, a) => (format!("{}{}", quantifier(*path), letter(*op)), vec![*a]),
            ExprKind::BranchingBinary(path, op, a, b) => {
                (format!("{}[{}]", quantifier(*path), until(*op)), vec![*a, *b])
            }
            ExprKind::Fixpoint(Fixpoint::Least, name, a) => (format!("mu {}", name.name), vec![*a]),
            ExprKind::Fixpoint(Fixpoint::Greatest, name, a) => (format!("nu {}", name.name), vec![*a]),
            ExprKind::Error => ("<error>".into(), vec![]),
        };
        (title, binders, operands)
    }
}

fn names(list: &[Ident]) -> String {
    list.iter().map(|ident| ident.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn letter(op: TemporalOp) -> &'static str {
    match op {
        TemporalOp::Next => "X",
        TemporalOp::Finally => "F",
        TemporalOp::Globally => "G",
    }
}

fn until(op: TemporalBinaryOp) -> &'static str {
    match op {
        TemporalBinaryOp::Until => "U",
        TemporalBinaryOp::Release => "R",
        TemporalBinaryOp::WeakUntil => "W",
        TemporalBinaryOp::StrongRelease => "M",
    }
}

fn quantifier(path: PathQuantifier) -> &'static str {
    match path {
        PathQuantifier::All => "A",
        PathQuantifier::Some => "E",
    }
}
