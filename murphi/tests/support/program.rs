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
    /// `U: union { P, F }` with `F: enum { t0, t1 }`, whose values come behind those of `P`.
    Union,
}

impl Simple {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Simple::Bool => "boolean",
            Simple::Enum => "E",
            Simple::Range => "R",
            Simple::Process => "P",
            Simple::Union => "U",
        }
    }

    /// How many values it has; the lowest is 0.
    pub(crate) fn size(self, processes: i64) -> i64 {
        match self {
            Simple::Bool => 2,
            Simple::Enum | Simple::Range => 3,
            Simple::Process => processes,
            Simple::Union => processes + 2,
        }
    }
}

/// The type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Simple(Simple),
    /// `record a: R; p: P; q: array [boolean] of E end`
    Record,
    /// `record k: boolean; s: U end`
    Message,
    /// `multiset [2] of Message`: for each place whether there is a message, and the message; in ascending order.
    Network,
    Array(Simple, Box<Shape>),
}

/// How many messages a network has, and how many cells each has with the one that says whether it is there.
pub(crate) const PLACES: usize = 2;
pub(crate) const PLACE: usize = 3;

impl Shape {
    /// The fields of a record. Those in front of another have one cell.
    pub(crate) fn fields(&self) -> Vec<(&'static str, Shape)> {
        match self {
            Shape::Record => {
                let q = Shape::Array(Simple::Bool, Box::new(Shape::Simple(Simple::Enum)));
                vec![("a", Shape::Simple(Simple::Range)), ("p", Shape::Simple(Simple::Process)), ("q", q)]
            }
            Shape::Message => {
                vec![("k", Shape::Simple(Simple::Bool)), ("s", Shape::Simple(Simple::Union))]
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn cells(&self, processes: i64) -> usize {
        match self {
            Shape::Simple(_) => 1,
            Shape::Record => 4,
            Shape::Message => PLACE - 1,
            Shape::Network => PLACES * PLACE,
            Shape::Array(index, element) => index.size(processes) as usize * element.cells(processes),
        }
    }

    pub(crate) fn has_processes(&self) -> bool {
        match self {
            Shape::Simple(simple) => matches!(simple, Simple::Process | Simple::Union),
            Shape::Record | Shape::Message | Shape::Network => true,
            Shape::Array(_, element) => element.has_processes(),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Shape::Simple(simple) => simple.name().into(),
            Shape::Record => "Rec".into(),
            Shape::Message => "Msg".into(),
            Shape::Network => format!("multiset [{PLACES}] of Msg"),
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
    Field(usize, &'static str),
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
    /// Whether a value of the union is one of `P`, or else of `F`.
    IsMember(Box<Expr>, bool),
    /// A field of a message with a bound name.
    Message(String, usize),
    /// `multisetcount(m: net, condition)`
    Count(String, Box<Expr>),
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
    Error,
    Add(Place),
    Remove(String),
    RemoveWhere(String, Expr),
    /// `undefine net`
    Empty,
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
    /// Whether it is a function with statements, which can be called by itself only.
    pub(crate) by_itself: bool,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) params: Vec<(String, Simple)>,
    /// The name of the message that is chosen.
    pub(crate) choose: Option<String>,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) processes: i64,
    /// Whether there are unions, and so messages.
    pub(crate) unions: bool,
    pub(crate) globals: Vec<(String, Shape)>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) starts: Vec<Rule>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) invariants: Vec<Expr>,
    pub(crate) covers: Vec<Expr>,
    pub(crate) liveness: Vec<Expr>,
    pub(crate) assumed: Option<Expr>,
}

fn value(value: i64, simple: Simple, program: &Program) -> String {
    match simple {
        Simple::Union => format!("t{}", value - program.processes),
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
                Step::Field(_, name) => write!(out, ".{name}").unwrap(),
            }
        }
        out
    }
}

impl Expr {
    pub(crate) fn text(&self, program: &Program) -> String {
        let t = |e: &Expr| e.text(program);
        match self {
            Expr::Value(number, simple) => value(*number, *simple, program),
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
            Expr::IsMember(a, process) => {
                format!("ismember({}, {})", t(a), if *process { "P" } else { "F" })
            }
            Expr::Message(name, field) => format!("net[{name}].{}", Shape::Message.fields()[*field].0),
            Expr::Count(name, condition) => format!("multisetcount({name}: net, {})", t(condition)),
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
                    let values: Vec<String> = values.iter().map(|v| value(*v, *simple, program)).collect();
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
            Stmt::Error => writeln!(out, "error \"stopped\";"),
            Stmt::Add(message) => writeln!(out, "multisetadd({}, net);", place(message)),
            Stmt::Remove(name) => writeln!(out, "multisetremove({name}, net);"),
            Stmt::RemoveWhere(name, test) => {
                writeln!(out, "multisetremovepred({name}: net, {});", expr(test))
            }
            Stmt::Empty => writeln!(out, "undefine net;"),
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
    if let Some(name) = &rule.choose {
        writeln!(out, "choose {name}: net do").unwrap();
    }
    writeln!(out, "{word}").unwrap();
    if let Some(guard) = &rule.guard {
        writeln!(out, "  {}\n==>", guard.text(program)).unwrap();
    }
    body(&rule.body, program, out);
    for _ in 0..=rule.params.len() + usize::from(rule.choose.is_some()) {
        out.push_str("end;\n");
    }
}

impl Program {
    pub(crate) fn text(&self) -> String {
        let mut out = format!("const N: {};\n", self.processes);
        out.push_str("type P: scalarset(N);\n  E: enum { e0, e1, e2 };\n  R: 0..2;\n");
        out.push_str("  Rec: record a: R; p: P; q: array [boolean] of E end;\n");
        if self.unions {
            out.push_str(
                "  F: enum { t0, t1 };\n  U: union { P, F };\n  Msg: record k: boolean; s: U end;\n",
            );
        }
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
        for (number, cover) in self.covers.iter().enumerate() {
            writeln!(out, "cover \"cov {number}\" {};", cover.text(self)).unwrap();
        }
        for (number, liveness) in self.liveness.iter().enumerate() {
            writeln!(out, "liveness \"live {number}\" {};", liveness.text(self)).unwrap();
        }
        if let Some(assumed) = &self.assumed {
            writeln!(out, "assume \"assumed\" {};", assumed.text(self)).unwrap();
        }
        out
    }
}
