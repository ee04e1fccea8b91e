//! Random Murphi programs as trees of their own, and how they are written.

use std::fmt::Write as _;

/// A simple type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simple {
    Bool,
    /// `E: enum { e0, e1, e2 }`
    Enum,
    /// `R: 0..2`
    Range,
    /// `P: scalarset(N)`
    Process,
}

impl Simple {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Simple::Bool => "boolean",
            Simple::Enum => "E",
            Simple::Range => "R",
            Simple::Process => "P",
        }
    }

    /// How many values it has; the lowest is 0.
    pub(crate) fn size(self, processes: i64) -> i64 {
        match self {
            Simple::Bool => 2,
            Simple::Enum | Simple::Range => 3,
            Simple::Process => processes,
        }
    }
}

/// The type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Simple(Simple),
    /// `record a: R; p: P; q: array [boolean] of E end`
    Record,
    Array(Simple, Box<Shape>),
}

impl Shape {
    pub(crate) fn fields() -> [(&'static str, Shape); 3] {
        let q = Shape::Array(Simple::Bool, Box::new(Shape::Simple(Simple::Enum)));
        [("a", Shape::Simple(Simple::Range)), ("p", Shape::Simple(Simple::Process)), ("q", q)]
    }

    pub(crate) fn cells(&self, processes: i64) -> usize {
        match self {
            Shape::Simple(_) => 1,
            Shape::Record => 4,
            Shape::Array(index, element) => index.size(processes) as usize * element.cells(processes),
        }
    }

    pub(crate) fn has_processes(&self) -> bool {
        match self {
            Shape::Simple(simple) => *simple == Simple::Process,
            Shape::Record => true,
            Shape::Array(_, element) => element.has_processes(),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Shape::Simple(simple) => simple.name().into(),
            Shape::Record => "Rec".into(),
            Shape::Array(index, element) => format!("array [{}] of {}", index.name(), element.text()),
        }
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Index(Expr),
    Field(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Value(i64, Simple),
    /// A bound name, or a parameter that is a value.
    Bound(String),
    Read(Place),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Implies(Box<Expr>, Box<Expr>),
    Equal(bool, Box<Expr>, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    Arithmetic(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Quantified(bool, String, Simple, Box<Expr>),
    IsUndefined(Place),
    Call(usize, Vec<Argument>),
}

#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Value(Expr),
    Place(Place),
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Assign(Place, Expr),
    Copy(Place, Place),
    Clear(Place),
    Undefine(Place),
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Expr, Simple, Vec<(Vec<i64>, Vec<Stmt>)>, Vec<Stmt>),
    For(String, Simple, Vec<Stmt>),
    /// `for i := a to b by c`
    Steps(String, i64, i64, i64, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(String, Place, Vec<Stmt>),
    Call(usize, Vec<Argument>),
    Assert(Expr),
    Return(Option<Expr>),
    Put,
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) by_reference: bool,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) locals: Vec<(String, Shape)>,
    pub(crate) stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) result: Option<Simple>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) params: Vec<(String, Simple)>,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) processes: i64,
    pub(crate) globals: Vec<(String, Shape)>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) starts: Vec<Rule>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) invariants: Vec<Expr>,
}

fn value(value: i64, simple: Simple) -> String {
    match simple {
        Simple::Bool => (value == 1).to_string(),
        Simple::Enum => format!("e{value}"),
        _ => value.to_string(),
    }
}

impl Place {
    fn text(&self, program: &Program) -> String {
        let mut out = self.name.clone();
        for step in &self.steps {
            match step {
                Step::Index(index) => write!(out, "[{}]", index.text(program)).unwrap(),
                Step::Field(number) => write!(out, ".{}", Shape::fields()[*number].0).unwrap(),
            }
        }
        out
    }
}

impl Expr {
    pub(crate) fn text(&self, program: &Program) -> String {
        let t = |e: &Expr| e.text(program);
        match self {
            Expr::Value(number, simple) => value(*number, *simple),
            Expr::Bound(name) => name.clone(),
            Expr::Read(place) => place.text(program),
            Expr::Not(a) => format!("!({})", t(a)),
            Expr::And(a, b) => format!("({} & {})", t(a), t(b)),
            Expr::Or(a, b) => format!("({} | {})", t(a), t(b)),
            Expr::Implies(a, b) => format!("({} -> {})", t(a), t(b)),
            Expr::Equal(same, a, b) => format!("({} {} {})", t(a), if *same { "=" } else { "!=" }, t(b)),
            Expr::Compare(op, a, b) | Expr::Arithmetic(op, a, b) => format!("({} {op} {})", t(a), t(b)),
            Expr::Choice(c, a, b) => format!("({} ? {} : {})", t(c), t(a), t(b)),
            Expr::Quantified(all, name, simple, body) => {
                let word = if *all { "forall" } else { "exists" };
                format!("({word} {name}: {} do {} end)", simple.name(), t(body))
            }
            Expr::IsUndefined(place) => format!("isundefined({})", place.text(program)),
            Expr::Call(number, arguments) => call(*number, arguments, program),
        }
    }
}

fn call(number: usize, arguments: &[Argument], program: &Program) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Value(expr) => expr.text(program),
            Argument::Place(place) => place.text(program),
        })
        .collect();
    format!("{}({})", program.routines[number].name, arguments.join(", "))
}

fn stmts(list: &[Stmt], program: &Program, out: &mut String, indent: usize) {
    for stmt in list {
        let pad = " ".repeat(indent);
        let place = |place: &Place| place.text(program);
        let expr = |expr: &Expr| expr.text(program);
        out.push_str(&pad);
        match stmt {
            Stmt::Assign(to, from) => writeln!(out, "{} := {};", place(to), expr(from)),
            Stmt::Copy(to, from) => writeln!(out, "{} := {};", place(to), place(from)),
            Stmt::Clear(to) => writeln!(out, "clear {};", place(to)),
            Stmt::Undefine(to) => writeln!(out, "undefine {};", place(to)),
            Stmt::If(arms, otherwise) => {
                for (number, (test, body)) in arms.iter().enumerate() {
                    let word = if number == 0 { "if" } else { "elsif" };
                    writeln!(out, "{word} {} then", expr(test)).unwrap();
                    stmts(body, program, out, indent + 2);
                    out.push_str(&pad);
                }
                if !otherwise.is_empty() {
                    out.push_str("else\n");
                    stmts(otherwise, program, out, indent + 2);
                    out.push_str(&pad);
                }
                writeln!(out, "endif;")
            }
            Stmt::Switch(looked_at, simple, cases, otherwise) => {
                writeln!(out, "switch {}", expr(looked_at)).unwrap();
                for (values, body) in cases {
                    let values: Vec<String> = values.iter().map(|v| value(*v, *simple)).collect();
                    writeln!(out, "{pad}case {}:", values.join(", ")).unwrap();
                    stmts(body, program, out, indent + 2);
                }
                if !otherwise.is_empty() {
                    writeln!(out, "{pad}else").unwrap();
                    stmts(otherwise, program, out, indent + 2);
                }
                writeln!(out, "{pad}endswitch;")
            }
            Stmt::For(name, simple, body) => {
                writeln!(out, "for {name}: {} do", simple.name()).unwrap();
                stmts(body, program, out, indent + 2);
                writeln!(out, "{pad}endfor;")
            }
            Stmt::Steps(name, from, to, by, body) => {
                writeln!(out, "for {name} := {from} to {to} by {by} do").unwrap();
                stmts(body, program, out, indent + 2);
                writeln!(out, "{pad}endfor;")
            }
            Stmt::While(test, body) => {
                writeln!(out, "while {} do", expr(test)).unwrap();
                stmts(body, program, out, indent + 2);
                writeln!(out, "{pad}endwhile;")
            }
            Stmt::Alias(name, of, body) => {
                writeln!(out, "alias {name}: {} do", place(of)).unwrap();
                stmts(body, program, out, indent + 2);
                writeln!(out, "{pad}endalias;")
            }
            Stmt::Call(number, arguments) => writeln!(out, "{};", call(*number, arguments, program)),
            Stmt::Assert(test) => writeln!(out, "assert {} \"asserted\";", expr(test)),
            Stmt::Return(None) => writeln!(out, "return;"),
            Stmt::Return(Some(result)) => writeln!(out, "return {};", expr(result)),
            Stmt::Put => writeln!(out, "put \"here\";"),
        }
        .unwrap();
    }
}

fn body(body: &Body, program: &Program, out: &mut String) {
    for (name, shape) in &body.locals {
        writeln!(out, "  var {name}: {};", shape.text()).unwrap();
    }
    out.push_str("begin\n");
    stmts(&body.stmts, program, out, 2);
}

fn rule(rule: &Rule, word: &str, program: &Program, out: &mut String) {
    for (name, simple) in &rule.params {
        writeln!(out, "ruleset {name}: {} do", simple.name()).unwrap();
    }
    writeln!(out, "{word}").unwrap();
    if let Some(guard) = &rule.guard {
        writeln!(out, "  {}\n==>", guard.text(program)).unwrap();
    }
    body(&rule.body, program, out);
    out.push_str("end;\n");
    for _ in &rule.params {
        out.push_str("end;\n");
    }
}

impl Program {
    pub(crate) fn text(&self) -> String {
        let mut out = format!("const N: {};\n", self.processes);
        out.push_str("type P: scalarset(N);\n  E: enum { e0, e1, e2 };\n  R: 0..2;\n");
        out.push_str("  Rec: record a: R; p: P; q: array [boolean] of E end;\n");
        for (name, shape) in &self.globals {
            writeln!(out, "var {name}: {};", shape.text()).unwrap();
        }
        for routine in &self.routines {
            let params: Vec<String> = routine
                .params
                .iter()
                .map(|p| {
                    format!("{}{}: {}", if p.by_reference { "var " } else { "" }, p.name, p.shape.text())
                })
                .collect();
            let (word, result) = match routine.result {
                Some(simple) => ("function", format!(": {}", simple.name())),
                None => ("procedure", String::new()),
            };
            writeln!(out, "{word} {}({}){result};", routine.name, params.join("; ")).unwrap();
            body(&routine.body, self, &mut out);
            out.push_str("end;\n");
        }
        for start in &self.starts {
            rule(start, "startstate", self, &mut out);
        }
        for (number, one) in self.rules.iter().enumerate() {
            rule(one, &format!("rule \"rule {number}\""), self, &mut out);
        }
        for (number, invariant) in self.invariants.iter().enumerate() {
            writeln!(out, "invariant \"inv {number}\" {};", invariant.text(self)).unwrap();
        }
        out
    }
}
