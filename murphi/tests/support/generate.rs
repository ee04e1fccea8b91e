//! Random Murphi programs: well formed, with every construct of the language that is translated.

use super::program::{Argument, Body, Expr, Param, Place, Program, Routine, Shape, Simple, Step, Stmt};
use std::collections::BTreeMap;

/// A small generator of random numbers (xorshift, Marsaglia 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// The simple types; the union is the last, and is left out of programs that have none.
pub(super) const SIMPLE: [Simple; 5] =
    [Simple::Bool, Simple::Enum, Simple::Range, Simple::Process, Simple::Union];

pub(super) struct Generator<'r> {
    pub(super) random: &'r mut Random,
    pub(super) processes: i64,
    pub(super) unions: bool,
    /// Variables that can be named, and whether they can be assigned to.
    pub(super) places: Vec<(String, Shape, bool)>,
    /// Bound names.
    pub(super) bound: Vec<(String, Simple)>,
    /// Names of messages.
    pub(super) messages: Vec<String>,
    pub(super) routines: Vec<Routine>,
    names: usize,
    /// The type of the function that is written.
    pub(super) result: Option<Simple>,
    pub(super) in_routine: bool,
    /// In an index of an index there are simple values only.
    indexing: bool,
    counts: &'r mut BTreeMap<&'static str, u32>,
}

/// A program, and how often it has each construct.
pub(crate) fn program(random: &mut Random, counts: &mut BTreeMap<&'static str, u32>) -> Program {
    let processes = 1 + random.below(3) as i64;
    let mut g = Generator {
        random,
        processes,
        unions: false,
        places: Vec::new(),
        bound: Vec::new(),
        messages: Vec::new(),
        routines: Vec::new(),
        names: 0,
        result: None,
        in_routine: false,
        indexing: false,
        counts,
    };
    g.unions = g.random.one_in(3);
    let mut globals = Vec::new();
    let mut cells = 0;
    for number in 0..if g.unions { 1 } else { 2 } + g.random.below(3) {
        let shape = g.shape();
        cells += shape.cells(processes);
        if cells <= 9 || number == 0 {
            globals.push((format!("g{number}"), shape));
        }
    }
    if g.unions {
        globals.push(("msg".into(), Shape::Message));
        globals.push(("net".into(), Shape::Network));
    }
    g.places = globals
        .iter()
        .filter(|(_, shape)| *shape != Shape::Network)
        .map(|(name, shape)| (name.clone(), shape.clone(), true))
        .collect();
    for number in 0..g.random.below(3) {
        let routine = g.routine(number);
        g.routines.push(routine);
    }
    let starts = (0..=usize::from(g.random.one_in(4))).map(|_| g.start()).collect();
    let rules = (0..=g.random.below(3)).map(|_| g.rule()).collect();
    let assuming = g.random.one_in(2);
    let mut properties = |most: usize, word: &'static str| -> Vec<Expr> {
        let all: Vec<Expr> = (0..g.random.below(most)).map(|_| g.expr(Simple::Bool, 3)).collect();
        for _ in &all {
            g.count(word);
        }
        all
    };
    let invariants = properties(3, "invariant");
    let covers = properties(2, "cover");
    // Where states are left out paths may end, and what can be reached is another question.
    let liveness = properties(2, "liveness");
    let most = if liveness.is_empty() { 2 } else { 1 };
    let assumed = properties(most, "assume").pop().filter(|_| assuming);
    let (unions, routines) = (g.unions, g.routines);
    Program { processes, unions, globals, routines, starts, rules, invariants, covers, liveness, assumed }
}

impl Generator<'_> {
    pub(super) fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub(super) fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    pub(super) fn simple(&mut self) -> Simple {
        let known = if self.unions { SIMPLE.len() } else { SIMPLE.len() - 1 };
        self.random.pick(&SIMPLE[..known])
    }

    pub(super) fn shape(&mut self) -> Shape {
        match self.random.below(7) {
            0..=2 => Shape::Simple(self.simple()),
            3 if self.unions => Shape::Message,
            3 => Shape::Record,
            4 | 5 => {
                let element = Shape::Simple(self.simple());
                Shape::Array(self.simple(), Box::new(element))
            }
            _ => {
                let inner = if self.random.one_in(2) {
                    Shape::Record
                } else {
                    Shape::Array(Simple::Bool, Box::new(Shape::Simple(self.simple())))
                };
                Shape::Array(Simple::Process, Box::new(inner))
            }
        }
    }

    /// A place of a shape that `wanted` takes.
    pub(super) fn place(&mut self, assigned: bool, wanted: impl Fn(&Shape) -> bool) -> Option<Place> {
        for _ in 0..12 {
            if self.places.is_empty() {
                return None;
            }
            let (name, mut shape, assignable) = self.random.pick(&self.places);
            if assigned && !assignable {
                continue;
            }
            let mut steps = Vec::new();
            loop {
                if wanted(&shape) && (matches!(shape, Shape::Simple(_)) || self.random.one_in(2)) {
                    return Some(Place { name, steps });
                }
                match shape {
                    Shape::Simple(_) | Shape::Network => break,
                    Shape::Record | Shape::Message => {
                        let fields = shape.fields();
                        let number = self.random.below(fields.len());
                        let (name, field) = fields[number].clone();
                        steps.push(Step::Field(number, name));
                        shape = field;
                    }
                    Shape::Array(index, element) => {
                        steps.push(Step::Index(self.index(index)));
                        shape = *element;
                    }
                }
            }
        }
        None
    }

    fn index(&mut self, simple: Simple) -> Expr {
        if self.indexing || !self.random.one_in(8) {
            return self.leaf(simple);
        }
        self.indexing = true;
        let index = self.expr(simple, 1);
        self.indexing = false;
        index
    }

    pub(super) fn leaf(&mut self, simple: Simple) -> Expr {
        // A process is a value of the union. The other way round it may be an error.
        let other = match simple {
            Simple::Union => Simple::Process,
            Simple::Process if self.random.one_in(6) => Simple::Union,
            simple => simple,
        };
        let of = |wanted: Simple| self.bound.iter().filter(move |(_, s)| *s == wanted);
        let all = of(simple).chain(of(other).filter(|_| other != simple));
        let known: Vec<String> = all.map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && !self.random.one_in(3) {
            return Expr::Bound(self.random.pick(&known));
        }
        if simple == Simple::Process {
            // Only a quantifier or a variable names a process.
            let simple_places: Vec<String> = self
                .places
                .iter()
                .filter(|(_, shape, _)| *shape == Shape::Simple(Simple::Process))
                .map(|(name, ..)| name.clone())
                .collect();
            if let Some(name) = simple_places.first() {
                return Expr::Read(Place { name: name.clone(), steps: Vec::new() });
            }
            return Expr::Bound(known.first().cloned().unwrap_or_default());
        }
        if simple == Simple::Union {
            return Expr::Value(self.processes + self.random.below(2) as i64, simple);
        }
        Expr::Value(self.random.below(simple.size(self.processes) as usize) as i64, simple)
    }

    pub(super) fn has_process(&self) -> bool {
        self.bound.iter().any(|(_, s)| *s == Simple::Process)
            || self.places.iter().any(|(_, shape, _)| *shape == Shape::Simple(Simple::Process))
    }

    pub(super) fn expr(&mut self, simple: Simple, depth: u32) -> Expr {
        if let (Simple::Bool | Simple::Union, false) = (simple, self.messages.is_empty())
            && self.random.one_in(3)
        {
            self.count("message");
            return Expr::Message(self.random.pick(&self.messages), usize::from(simple == Simple::Union));
        }
        if depth == 0 {
            return self.leaf(simple);
        }
        let choice = self.random.below(10);
        if choice < 4
            && self.has_process()
            && let Some(place) = self.place(false, |shape| *shape == Shape::Simple(simple))
        {
            self.count("read");
            return Expr::Read(place);
        }
        if choice == 4 && simple != Simple::Union {
            self.count("choice");
            let test = self.expr(Simple::Bool, depth - 1);
            let (a, b) = (self.expr(simple, depth - 1), self.expr(simple, depth - 1));
            return Expr::Choice(test.into(), a.into(), b.into());
        }
        if choice == 5
            && let Some(call) = self.function(simple, depth)
        {
            self.count("function");
            return call;
        }
        match simple {
            Simple::Bool => self.truth(depth),
            Simple::Range if self.unions && self.random.one_in(4) => {
                self.count("multisetcount");
                let (name, condition) = self.of_messages(depth);
                Expr::Count(name, condition.into())
            }
            Simple::Range => {
                self.count("arithmetic");
                let op = self.random.pick(&["+", "-", "*", "/", "%", "%"]);
                let (a, b) = (self.expr(Simple::Range, depth - 1), self.expr(Simple::Range, depth - 1));
                Expr::Arithmetic(op, a.into(), b.into())
            }
            _ => self.leaf(simple),
        }
    }

    /// A value of which only the union is known.
    fn of_union(&mut self) -> Option<Expr> {
        let bound = |(name, simple): &(String, Simple)| (*simple == Simple::Union).then(|| name.clone());
        let known: Vec<String> = self.bound.iter().filter_map(bound).collect();
        if !known.is_empty() && self.random.one_in(2) {
            return Some(Expr::Bound(self.random.pick(&known)));
        }
        if !self.messages.is_empty() && self.random.one_in(2) {
            return Some(Expr::Message(self.random.pick(&self.messages), 1));
        }
        if !self.has_process() {
            return None;
        }
        self.place(false, |shape| *shape == Shape::Simple(Simple::Union)).map(Expr::Read)
    }

    /// A name for messages, and a condition on them.
    pub(super) fn of_messages(&mut self, depth: u32) -> (String, Expr) {
        let name = self.name("m");
        self.messages.push(name.clone());
        let condition = self.expr(Simple::Bool, depth - 1);
        self.messages.pop();
        (name, condition)
    }

    fn truth(&mut self, depth: u32) -> Expr {
        if self.unions
            && self.random.one_in(8)
            && let Some(inner) = self.of_union()
        {
            self.count("ismember");
            return Expr::IsMember(inner.into(), self.random.one_in(2));
        }
        let choice = self.random.below(9);
        if choice < 4 {
            let (a, b) = (self.expr(Simple::Bool, depth - 1), self.expr(Simple::Bool, depth - 1));
            self.count("connective");
            return match choice {
                0 => Expr::And(a.into(), b.into()),
                1 => Expr::Or(a.into(), b.into()),
                2 => Expr::Implies(a.into(), b.into()),
                _ => Expr::Not(a.into()),
            };
        }
        match choice {
            4 | 5 => {
                let mut simple = self.simple();
                if simple == Simple::Process && !self.has_process() {
                    simple = Simple::Enum;
                }
                self.count("equality");
                let first = if simple == Simple::Union { self.of_union() } else { None };
                if simple == Simple::Union && first.is_none() {
                    simple = Simple::Enum;
                }
                let other = match &first {
                    Some(_) if self.has_process() && self.random.one_in(3) => Simple::Process,
                    _ => simple,
                };
                let a = first.unwrap_or_else(|| self.expr(simple, depth - 1));
                let b = self.expr(other, depth - 1);
                Expr::Equal(self.random.one_in(2), a.into(), b.into())
            }
            6 => {
                self.count("comparison");
                let op = self.random.pick(&["<", "<=", ">", ">="]);
                let (a, b) = (self.expr(Simple::Range, depth - 1), self.expr(Simple::Range, depth - 1));
                Expr::Compare(op, a.into(), b.into())
            }
            7 if self.has_process() => match self.place(false, |shape| matches!(shape, Shape::Simple(_))) {
                Some(place) => {
                    self.count("isundefined");
                    Expr::IsUndefined(place)
                }
                None => self.leaf(Simple::Bool),
            },
            _ => {
                self.count("quantifier");
                let simple = self.simple();
                let name = self.name("q");
                self.bound.push((name.clone(), simple));
                let body = self.expr(Simple::Bool, depth - 1);
                self.bound.pop();
                Expr::Quantified(self.random.one_in(2), name, simple, body.into())
            }
        }
    }

    fn function(&mut self, simple: Simple, depth: u32) -> Option<Expr> {
        let numbers: Vec<usize> =
            (0..self.routines.len()).filter(|&n| self.routines[n].result == Some(simple)).collect();
        if numbers.is_empty() {
            return None;
        }
        let number = self.random.pick(&numbers);
        if self.routines[number].by_itself {
            return None;
        }
        let arguments = self.arguments(number, depth - 1)?;
        Some(Expr::Call(number, arguments))
    }

    pub(super) fn arguments(&mut self, number: usize, depth: u32) -> Option<Vec<Argument>> {
        let params = self.routines[number].params.clone();
        let mut arguments = Vec::new();
        for param in params {
            match param.shape {
                Shape::Simple(simple) if !param.by_reference => {
                    if simple == Simple::Process && !self.has_process() {
                        return None;
                    }
                    arguments.push(Argument::Value(self.expr(simple, depth.min(1))));
                }
                shape => {
                    if !self.has_process() {
                        return None;
                    }
                    arguments.push(Argument::Place(self.place(param.by_reference, |s| *s == shape)?));
                }
            }
        }
        Some(arguments)
    }

    fn routine(&mut self, number: usize) -> Routine {
        let is_function = self.random.one_in(2);
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let by_reference = !is_function && self.random.one_in(2);
            let shape = if by_reference && self.random.one_in(3) {
                Shape::Record
            } else {
                Shape::Simple(self.simple())
            };
            params.push(Param { name: self.name("x"), by_reference, shape });
        }
        let (places, bound) = (self.places.clone(), self.bound.clone());
        for param in &params {
            match &param.shape {
                Shape::Simple(simple) if !param.by_reference => {
                    self.bound.push((param.name.clone(), *simple));
                }
                shape => self.places.push((param.name.clone(), shape.clone(), param.by_reference)),
            }
        }
        let mut body = Body::default();
        let result = is_function.then(|| self.random.pick(&SIMPLE[..3]));
        let by_itself = is_function && self.random.one_in(3);
        self.in_routine = true;
        if let Some(simple) = result
            && by_itself
        {
            self.result = result;
            body = self.body(3);
            let last = self.expr(simple, 2);
            body.stmts.push(Stmt::Return(Some(last)));
            self.result = None;
        } else if let Some(simple) = result {
            let test = self.expr(Simple::Bool, 2);
            let (a, b) = (self.expr(simple, 2), self.expr(simple, 2));
            body.stmts =
                vec![Stmt::If(vec![(test, vec![Stmt::Return(Some(a))])], Vec::new()), Stmt::Return(Some(b))];
        } else {
            body = self.body(2);
        }
        self.in_routine = false;
        (self.places, self.bound) = (places, bound);
        Routine { name: format!("f{number}"), params, result, by_itself, body }
    }
}
