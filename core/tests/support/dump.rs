//! The tree of a model as indented text without places: two texts with the same dump are the same model.

use orbitscope_core::syntax::ast::{
    Binder, Domain, ExprId, ExprKind, File, Ident, IndexDecl, Init, ItemKind, PathQuantifier, SymmetryDecl,
    TemporalBinaryOp, TemporalOp, TypeExpr, VarDecl,
};
use std::fmt::Write;

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

impl Dump<'_> {
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
            ItemKind::Process(decl) => {
                let ring = if decl.ring.is_some() { " ring" } else { "" };
                self.inside(&format!("process {}{ring}", decl.name.name), |d| {
                    if let Some(size) = decl.size {
                        d.inside("size", |d| d.expr(size));
                    }
                    for variable in &decl.vars {
                        d.variable("var", variable);
                    }
                    for action in &decl.actions {
                        d.inside(&format!("action {}", action.name.name), |d| {
                            d.binders(&action.params);
                            d.expr(action.guard);
                            for assignment in &action.assignments {
                                d.inside(":=", |d| {
                                    d.expr(assignment.target);
                                    d.expr(assignment.value);
                                });
                            }
                        });
                    }
                });
            }
            ItemKind::Define { name, params, body } => {
                self.inside(&format!("define {}({})", name.name, names(params)), |d| d.expr(*body));
            }
            ItemKind::Fairness { family, fairness } => {
                self.line(&format!("fairness {} {fairness:?}", family.name));
            }
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
            ItemKind::Symmetry(symmetry) => self.line(&format!("symmetry {symmetry:?}")),
            ItemKind::Property { logic, name, formula } => {
                self.inside(&format!("{logic:?} {}", name.name), |d| d.expr(*formula));
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

    fn variable(&mut self, keyword: &str, decl: &VarDecl) {
        self.inside(&format!("{keyword} {}", decl.name.name), |d| {
            for IndexDecl { name, domain } in &decl.index {
                d.domain(name.as_ref().map_or("index", |n| &n.name), domain);
            }
            match &decl.ty {
                TypeExpr::Bool(_) => d.line("bool"),
                TypeExpr::Range(low, high) => d.range(*low, *high),
                TypeExpr::Enum(literals, _) => d.line(&format!("{{{}}}", names(literals))),
                TypeExpr::Process { family, optional } => {
                    d.line(&format!("id {}{}", family.name, if *optional { "?" } else { "" }));
                }
                TypeExpr::Error => d.line("<error>"),
            }
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
            Domain::Range(low, high) => self.inside(&format!("{name} in"), |d| d.range(*low, *high)),
        }
    }

    fn range(&mut self, low: ExprId, high: ExprId) {
        self.node("..", &[low, high]);
    }

    fn node(&mut self, title: &str, operands: &[ExprId]) {
        self.inside(title, |d| operands.iter().for_each(|&e| d.expr(e)));
    }

    /// Recursive: the parser bounds the depth of the tree.
    fn expr(&mut self, id: ExprId) {
        match &self.file.exprs[id].kind {
            ExprKind::Bool(value) => self.line(&value.to_string()),
            ExprKind::Int(value) => self.line(&value.to_string()),
            ExprKind::None => self.line("none"),
            ExprKind::SelfId => self.line("self"),
            ExprKind::Name(name) => self.line(name),
            ExprKind::Index(base, indices) => self.inside("index", |d| {
                d.expr(*base);
                indices.iter().for_each(|&e| d.expr(e));
            }),
            ExprKind::Field(base, field) => self.node(&format!(".{}", field.name), &[*base]),
            ExprKind::Call(name, arguments) => self.node(&format!("{}()", name.name), arguments),
            ExprKind::Not(a) => self.node("not", &[*a]),
            ExprKind::Neg(a) => self.node("negate", &[*a]),
            ExprKind::And(list) => self.node("and", list),
            ExprKind::Or(list) => self.node("or", list),
            ExprKind::Binary(op, a, b) => self.node(op.text(), &[*a, *b]),
            ExprKind::If(a, b, c) => self.node("if", &[*a, *b, *c]),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.inside(&format!("{quantifier:?}").to_lowercase(), |d| {
                    d.binders(binders);
                    d.expr(*body);
                });
            }
            ExprKind::Temporal(op, a) => self.node(letter(*op), &[*a]),
            ExprKind::TemporalBinary(op, a, b) => self.node(until(*op), &[*a, *b]),
            ExprKind::Branching(path, op, a) => {
                self.node(&format!("{}{}", quantifier(*path), letter(*op)), &[*a])
            }
            ExprKind::BranchingBinary(path, op, a, b) => {
                self.node(&format!("{}[{}]", quantifier(*path), until(*op)), &[*a, *b]);
            }
            ExprKind::Error => self.line("<error>"),
        }
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
