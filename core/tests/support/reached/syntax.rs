//! The constructs of a model, by name. No match here has a rest: a new variant of the tree asks for a decision.

use orbitscope_core::ids::Id;
use orbitscope_core::syntax::ast::{
    ActionDecl, BinaryOp, Block, Change, Domain, ExprId, ExprKind, Fairness, File, Fixpoint, Init, Item,
    ItemKind, Logic, PathQuantifier, ProcessDecl, Quantifier, Statement, StatementKind, SymmetryDecl,
    TemporalBinaryOp, TemporalOp, VarDecl,
};
use orbitscope_core::syntax::{Punct, TokenKind, lex, parse};
use std::collections::BTreeSet;

/// The names of what a model has.
pub(super) fn constructs(source: &str) -> BTreeSet<String> {
    let parsed = parse(source);
    let mut visitor =
        Visitor { file: &parsed.file, source, found: BTreeSet::new(), place: "", under: Vec::new() };
    for item in &parsed.file.items {
        visitor.item(item);
    }
    let any = |var: &VarDecl| matches!(var.init, Init::Any(_));
    let roots = parsed.file.items.iter().map(|item| match &item.kind {
        ItemKind::Shared(var) => usize::from(any(var)),
        ItemKind::Process(decl) => decl.vars.iter().filter(|var| any(var)).count(),
        _ => 0,
    });
    if roots.sum::<usize>() > 1 {
        visitor.find("several variables with any value");
    }
    for token in lex(source).tokens {
        if let TokenKind::Punct(mark) = token.kind {
            visitor.mark(mark);
        }
    }
    for word in ["always", "eventually"] {
        if source.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == word) {
            visitor.find(word);
        }
    }
    visitor.found.remove("");
    visitor.found
}

pub(super) struct Visitor<'a> {
    pub(super) file: &'a File,
    source: &'a str,
    found: BTreeSet<String>,
    /// Where an expression stands.
    place: &'static str,
    /// The operators around it, in a property.
    under: Vec<&'static str>,
}

impl<'a> Visitor<'a> {
    pub(super) fn find(&mut self, name: &str) {
        self.found.insert(name.to_string());
    }

    /// Ways to write that the tree does not show.
    fn mark(&mut self, mark: Punct) {
        match mark {
            Punct::Bang | Punct::AndAnd | Punct::OrOr | Punct::Bar | Punct::Box | Punct::Diamond => {
                self.find(&format!("`{}`", mark.text()));
            }
            Punct::ParenOpen
            | Punct::ParenClose
            | Punct::Comma
            | Punct::BraceOpen
            | Punct::BraceClose
            | Punct::BracketOpen
            | Punct::BracketClose
            | Punct::DotDot
            | Punct::Dot
            | Punct::Assign
            | Punct::Colon
            | Punct::Semicolon
            | Punct::EqEq
            | Punct::Implies
            | Punct::Eq
            | Punct::Arrow
            | Punct::Minus
            | Punct::Plus
            | Punct::Iff
            | Punct::LessEq
            | Punct::Less
            | Punct::GreaterEq
            | Punct::Greater
            | Punct::NotEq
            | Punct::Question
            | Punct::Star
            | Punct::Slash
            | Punct::Percent => {}
        }
    }

    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Param { value, range, .. } => {
                self.find(if range.is_some() { "param with a range" } else { "param" });
                self.at("params", *value);
            }
            ItemKind::Type { ty, .. } => {
                self.find("type");
                self.ty(ty);
            }
            ItemKind::Shared(var) => self.var(var, "shared"),
            ItemKind::Process(decl) => self.process(decl),
            ItemKind::Define { params, body, .. } => {
                self.find(["define", "define(x)", "define(x, y)", "define(x, y, …)"][params.len().min(3)]);
                self.at("definitions", *body);
            }
            ItemKind::Routine(routine) => {
                self.find(if routine.result.is_some() { "function" } else { "procedure" });
                if routine.params.iter().any(|param| param.out) {
                    self.find("out");
                }
                self.block(&routine.body);
            }
            ItemKind::Fairness { action: Some(_), fairness, .. } => self.find(match fairness {
                Fairness::Weak => "fairness of an action weak",
                Fairness::Strong => "fairness of an action strong",
                Fairness::None => "fairness of an action none",
            }),
            ItemKind::DeadlockFree(_) => self.find("deadlock free"),
            ItemKind::Assume(expr) => {
                self.find("assume");
                self.at("assume", *expr);
            }
            ItemKind::Fairness { fairness, .. } => self.find(match fairness {
                Fairness::Weak => "fairness weak",
                Fairness::Strong => "fairness strong",
                Fairness::None => "fairness none",
            }),
            ItemKind::Symmetry(symmetry) => match symmetry {
                SymmetryDecl::Auto => self.find("symmetry auto"),
                SymmetryDecl::None => self.find("symmetry none"),
                SymmetryDecl::Generators(generators) => {
                    self.find("symmetry generators");
                    if generators.len() > 1 {
                        self.find("several generators");
                    }
                    if generators.iter().any(|g| g.cycles.len() > 1) {
                        self.find("generator of several cycles");
                    }
                }
            },
            ItemKind::Init(init) => {
                let kind = match (init.params.is_empty(), init.guard) {
                    (true, _) => "init { }",
                    (_, None) => "init(x in D) { }",
                    (_, Some(_)) => "init(x in D): E { }",
                };
                self.find(kind);
                if let Some(guard) = init.guard {
                    self.at("init", guard);
                }
                self.block(&init.block);
            }
            ItemKind::Hint(expr) => {
                self.find("hint");
                self.at("hints", *expr);
            }
            ItemKind::Property { logic, formula, .. } => {
                let place = match logic {
                    Logic::Invariant => "invariant",
                    Logic::Cover => "cover",
                    Logic::Ltl => "ltl",
                    Logic::Ctl => "ctl",
                    Logic::Mu => "mu",
                };
                self.find(place);
                self.at(place, *formula);
            }
            ItemKind::Automaton { params, states, .. } => {
                let count = ["automaton", "automaton(c)", "automaton(c, d)"];
                self.find(count[params.len().min(2)]);
                for state in states {
                    self.find(match (state.initial, state.accepting) {
                        (true, true) => "state initial and accepting",
                        (true, false) => "state initial",
                        (false, true) => "state accepting",
                        (false, false) => "state with neither",
                    });
                    for (guard, _) in &state.moves {
                        self.at("automaton", *guard);
                    }
                }
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        let name = match &statement.kind {
            StatementKind::Skip => "skip",
            StatementKind::Assign(target, value) => {
                self.at("actions", *target);
                self.at("actions", *value);
                "statement :="
            }
            StatementKind::Change(change, target, value) => {
                self.at("actions", *target);
                self.at("actions", *value);
                if *change == Change::Add { "statement add" } else { "statement remove" }
            }
            StatementKind::If(arms, otherwise) => {
                for (test, _) in arms {
                    self.at("actions", *test);
                }
                match (arms.len(), otherwise) {
                    (1, None) => "if { }",
                    (1, Some(_)) => "if { } else { }",
                    (_, None) => "if { } else if { }",
                    (_, Some(_)) => "if { } else if { } else { }",
                }
            }
            StatementKind::For(binders, _) => {
                self.binders(binders, "for");
                if binders.len() == 1 { "for" } else { "for of several" }
            }
            StatementKind::While(test, _) => {
                self.at("actions", *test);
                "while"
            }
            StatementKind::Switch(value, cases, otherwise) => {
                self.at("actions", *value);
                for value in cases.iter().flat_map(|(values, _)| values) {
                    self.at("actions", *value);
                }
                if otherwise.is_some() { "switch with else" } else { "switch" }
            }
            StatementKind::Let(_, value) => {
                self.at("actions", *value);
                "let"
            }
            StatementKind::Var(decl) => {
                if let Init::Expr(value) = decl.init {
                    self.at("actions", value);
                }
                "var in a block"
            }
            StatementKind::Assert(claim) => {
                self.at("actions", *claim);
                "assert"
            }
            StatementKind::Call(_, arguments) => {
                for argument in arguments {
                    self.at("actions", *argument);
                }
                "call of a procedure"
            }
            StatementKind::Return(value) => {
                self.at("actions", *value);
                "return"
            }
            StatementKind::Label(_) => "label",
            StatementKind::Loop(_) => "loop",
            StatementKind::Await(test) => {
                self.at("actions", *test);
                "await"
            }
            StatementKind::Goto(_) => "goto",
            StatementKind::Either(_) => "either",
            StatementKind::With(binders, _) => {
                self.binders(binders, "with");
                "with"
            }
            StatementKind::Stop => "stop",
            StatementKind::Error => panic!("a statement with an error: {}", self.source),
        };
        self.find(name);
        for block in statement.kind.blocks() {
            self.block(block);
        }
    }

    fn process(&mut self, decl: &'a ProcessDecl) {
        self.find(match decl.size.map(|size| self.number(size)) {
            None => "single process",
            Some(Some(0)) => "family of nobody",
            Some(Some(1)) => "family of one",
            Some(_) => "family of several",
        });
        if decl.ring.is_some() {
            self.find("ring");
        }
        for var in &decl.vars {
            self.var(var, "local");
        }
        for action in &decl.actions {
            self.action(action);
        }
        if let Some(code) = &decl.code {
            self.find(if decl.actions.is_empty() { "code" } else { "code beside actions" });
            self.block(code);
        }
    }

    /// A number, where it is a literal or a parameter that is one.
    pub(super) fn number(&self, expr: ExprId) -> Option<i64> {
        match &self.file.exprs[expr].kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(wanted) => self.file.items.iter().find_map(|item| match &item.kind {
                ItemKind::Param { name, value, .. } if name.name == *wanted => self.number(*value),
                _ => None,
            }),
            _ => None,
        }
    }

    fn var(&mut self, var: &'a VarDecl, whose: &'static str) {
        self.find(&format!("{whose} variable with {} indices", var.index.len()));
        for index in &var.index {
            let of = match &index.domain {
                Domain::Family(_) => "a family",
                Domain::Range(..) => "numbers",
                Domain::Union(_) | Domain::Value(_) => panic!("no index: {}", self.source),
            };
            self.find(&format!("{whose} variable indexed by {of}"));
            if index.name.is_some() {
                self.find("named index");
            }
        }
        self.ty(&var.ty);
        match &var.init {
            Init::Any(_) => self.find("initially any value"),
            Init::Expr(expr) => self.at("initial values", *expr),
        }
    }

    fn action(&mut self, action: &'a ActionDecl) {
        self.find(["action", "action(x)", "action(x, y)"][action.params.len().min(2)]);
        self.binders(&action.params, "action");
        self.find(
            ["", "one assignment", "two assignments", "three assignments"][action.assignments.len().min(3)],
        );
        self.at("actions", action.guard);
        if let Some(block) = &action.block {
            self.find("block");
            self.block(block);
        }
        for assignment in &action.assignments {
            if !assignment.over.is_empty() {
                self.find(
                    ["assignment for all", "assignment for all pairs"][assignment.over.len().min(2) - 1],
                );
                self.binders(&assignment.over, "assignment for all");
            }
            self.find(match assignment.change {
                Change::Assign => "",
                Change::Add => "add to a bag",
                Change::Remove => "remove from a bag",
                Change::Push => "push to a queue",
                Change::Pop => "pop from a queue",
            });
            self.find(match &self.file.exprs[assignment.target].kind {
                ExprKind::Name(_) => "target by name",
                ExprKind::Field(..) => "target of a process",
                ExprKind::Index(..) => "target with indices",
                ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::None
                | ExprKind::SelfId
                | ExprKind::Call(..)
                | ExprKind::Make(..)
                | ExprKind::Braces(_)
                | ExprKind::Is(..)
                | ExprKind::Not(_)
                | ExprKind::Neg(_)
                | ExprKind::And(_)
                | ExprKind::Or(_)
                | ExprKind::Binary(..)
                | ExprKind::If(..)
                | ExprKind::Quantified(..)
                | ExprKind::Temporal(..)
                | ExprKind::TemporalBinary(..)
                | ExprKind::Branching(..)
                | ExprKind::BranchingBinary(..)
                | ExprKind::Fixpoint(..)
                | ExprKind::Error => "",
            });
            self.at("actions", assignment.target);
            self.at("actions", assignment.value);
        }
    }

    pub(super) fn at(&mut self, place: &'static str, expr: ExprId) {
        self.place = place;
        self.expr(expr);
    }

    /// Names an operator, and where it stands.
    fn operator(&mut self, name: &'static str, parts: &[ExprId]) {
        self.found.insert(format!("{name} in {}", self.place));
        self.under.push(name);
        for part in parts {
            self.expr(*part);
        }
        self.under.pop();
    }

    fn expr(&mut self, expr: ExprId) {
        let kind = &self.file.exprs[expr].kind;
        match kind {
            ExprKind::Bool(_) => self.operator("true or false", &[]),
            ExprKind::Int(_) => self.operator("number", &[]),
            ExprKind::None => self.operator("none", &[]),
            ExprKind::SelfId => self.operator("self", &[]),
            ExprKind::Name(_) => self.operator("name", &[]),
            ExprKind::Index(base, indices) => {
                self.operator("[…]", &[&[*base], &indices[..]].concat());
            }
            ExprKind::Field(base, _) => {
                let (mut length, mut at) = (1, *base);
                while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &self.file.exprs[at].kind {
                    length += u32::from(matches!(self.file.exprs[at].kind, ExprKind::Field(..)));
                    at = *inner;
                }
                self.operator([".x", ".x.y", ".x.y.z"][length.min(3) as usize - 1], &[*base]);
            }
            ExprKind::Call(function, arguments) => self.call(&function.name, arguments),
            ExprKind::Not(a) => self.operator("not", &[*a]),
            ExprKind::Neg(a) => self.operator("minus sign", &[*a]),
            ExprKind::And(list) => self.operator("and", list),
            ExprKind::Or(list) => self.operator("or", list),
            ExprKind::Make(_, fields) => {
                let parts: Vec<ExprId> = fields.iter().map(|(_, part)| *part).collect();
                self.operator("record(…)", &parts);
            }
            ExprKind::Braces(list) => self.operator("{…}", list),
            ExprKind::Is(process, _) => self.operator("is", &[*process]),
            ExprKind::Binary(op, a, b) => self.operator(binary(*op), &[*a, *b]),
            ExprKind::If(a, b, c) => self.operator("if", &[*a, *b, *c]),
            ExprKind::Quantified(quantifier, binders, body) => {
                let names = match (quantifier, binders.len()) {
                    (Quantifier::Forall, 1) => "forall",
                    (Quantifier::Exists, 1) => "exists",
                    (Quantifier::Count, 1) => "count",
                    (Quantifier::Sum, 1) => "sum",
                    (Quantifier::Min, 1) => "smallest",
                    (Quantifier::Max, 1) => "largest",
                    (Quantifier::Sum, _) => "sum of several",
                    (Quantifier::Min, _) => "smallest of several",
                    (Quantifier::Max, _) => "largest of several",
                    (Quantifier::Forall, _) => "forall of several",
                    (Quantifier::Exists, _) => "exists of several",
                    (Quantifier::Count, _) => "count of several",
                };
                self.binders(binders, names);
                self.operator(names, &[*body]);
            }
            ExprKind::Temporal(op, a) => self.operator(temporal(*op), &[*a]),
            ExprKind::TemporalBinary(op, a, b) => self.operator(temporal_binary(*op), &[*a, *b]),
            ExprKind::Branching(path, op, a) => self.operator(branching(*path, *op), &[*a]),
            ExprKind::BranchingBinary(path, op, a, b) => {
                self.operator(branching_binary(*path, *op), &[*a, *b]);
            }
            ExprKind::Fixpoint(Fixpoint::Least, _, a) => self.operator("mu", &[*a]),
            ExprKind::Fixpoint(Fixpoint::Greatest, _, a) => self.operator("nu", &[*a]),
            ExprKind::Error => panic!("a tree with an error at {}: {}", expr.index(), self.source),
        }
    }

    fn call(&mut self, name: &str, arguments: &[ExprId]) {
        let known = match name {
            "index" => "index(p)",
            "next" => "next(p)",
            "prev" => "prev(p)",
            "enabled" => "enabled(p)",
            "executed" => "executed(p)",
            "min" => "min(a, b)",
            "max" => "max(a, b)",
            "abs" => "abs(a)",
            "count" => "count(s)",
            "head" => "head(q)",
            "length" => "length(q)",
            "room" => "room(b)",
            _ => "definition(…)",
        };
        if matches!(name, "enabled" | "executed") {
            for around in self.under.clone() {
                self.found.insert(format!("{name} under {around} in {}", self.place));
            }
        }
        self.operator(known, arguments);
    }
}

fn binary(op: BinaryOp) -> &'static str {
    op.text()
}

fn temporal(op: TemporalOp) -> &'static str {
    match op {
        TemporalOp::Next => "X",
        TemporalOp::Finally => "F",
        TemporalOp::Globally => "G",
    }
}

fn temporal_binary(op: TemporalBinaryOp) -> &'static str {
    match op {
        TemporalBinaryOp::Until => "U",
        TemporalBinaryOp::Release => "R",
        TemporalBinaryOp::WeakUntil => "W",
        TemporalBinaryOp::StrongRelease => "M",
    }
}

fn branching(path: PathQuantifier, op: TemporalOp) -> &'static str {
    match (path, op) {
        (PathQuantifier::All, TemporalOp::Next) => "AX",
        (PathQuantifier::All, TemporalOp::Finally) => "AF",
        (PathQuantifier::All, TemporalOp::Globally) => "AG",
        (PathQuantifier::Some, TemporalOp::Next) => "EX",
        (PathQuantifier::Some, TemporalOp::Finally) => "EF",
        (PathQuantifier::Some, TemporalOp::Globally) => "EG",
    }
}

fn branching_binary(path: PathQuantifier, op: TemporalBinaryOp) -> &'static str {
    match (path, op) {
        (PathQuantifier::All, TemporalBinaryOp::Until) => "AU",
        (PathQuantifier::All, TemporalBinaryOp::Release) => "AR",
        (PathQuantifier::All, TemporalBinaryOp::WeakUntil) => "AW",
        (PathQuantifier::All, TemporalBinaryOp::StrongRelease) => "AM",
        (PathQuantifier::Some, TemporalBinaryOp::Until) => "EU",
        (PathQuantifier::Some, TemporalBinaryOp::Release) => "ER",
        (PathQuantifier::Some, TemporalBinaryOp::WeakUntil) => "EW",
        (PathQuantifier::Some, TemporalBinaryOp::StrongRelease) => "EM",
    }
}
