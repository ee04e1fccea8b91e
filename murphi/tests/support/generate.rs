//! Random Murphi programs: well formed, with every construct of the language that is translated.

use super::program::{Argument, Body, Expr, Param, Place, Program, Routine, Rule, Shape, Simple, Step, Stmt};
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

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

const SIMPLE: [Simple; 4] = [Simple::Bool, Simple::Enum, Simple::Range, Simple::Process];

#[expect(clippy::struct_excessive_bools, reason = "each says of another place what may stand there")]
struct Generator<'r> {
    random: &'r mut Random,
    processes: i64,
    /// Variables that can be named, and whether they can be assigned to.
    places: Vec<(String, Shape, bool)>,
    /// Bound names.
    bound: Vec<(String, Simple)>,
    routines: Vec<Routine>,
    names: usize,
    /// The function that is written.
    result: Option<Simple>,
    in_routine: bool,
    /// In an index of an index there are simple values only.
    indexing: bool,
    /// In a start state nothing is asserted.
    in_start: bool,
    /// Whether a function can be called: not in guards where it has statements.
    statements: bool,
    counts: &'r mut BTreeMap<&'static str, u32>,
}

/// A program, and how often it has each construct.
pub(crate) fn program(random: &mut Random, counts: &mut BTreeMap<&'static str, u32>) -> Program {
    let processes = 1 + random.below(3) as i64;
    let mut g = Generator {
        random,
        processes,
        places: Vec::new(),
        bound: Vec::new(),
        routines: Vec::new(),
        names: 0,
        result: None,
        in_routine: false,
        indexing: false,
        in_start: false,
        statements: false,
        counts,
    };
    let mut globals = Vec::new();
    let mut cells = 0;
    for number in 0..2 + g.random.below(3) {
        let shape = g.shape();
        cells += shape.cells(processes);
        if cells <= 9 || number == 0 {
            globals.push((format!("g{number}"), shape));
        }
    }
    g.places = globals.iter().map(|(name, shape)| (name.clone(), shape.clone(), true)).collect();
    for number in 0..g.random.below(3) {
        let routine = g.routine(number);
        g.routines.push(routine);
    }
    let starts = (0..=usize::from(g.random.one_in(4))).map(|_| g.start()).collect();
    let rules = (0..=g.random.below(3)).map(|_| g.rule()).collect();
    let invariants = (0..g.random.below(3)).map(|_| g.expr(Simple::Bool, 3)).collect();
    Program { processes, globals, routines: g.routines, starts, rules, invariants }
}

impl Generator<'_> {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn shape(&mut self) -> Shape {
        match self.random.below(7) {
            0..=2 => Shape::Simple(self.random.pick(&SIMPLE)),
            3 => Shape::Record,
            4 | 5 => {
                let element = Shape::Simple(self.random.pick(&SIMPLE));
                Shape::Array(self.random.pick(&SIMPLE), Box::new(element))
            }
            _ => {
                let inner = if self.random.one_in(2) {
                    Shape::Record
                } else {
                    Shape::Array(Simple::Bool, Box::new(Shape::Simple(self.random.pick(&SIMPLE))))
                };
                Shape::Array(Simple::Process, Box::new(inner))
            }
        }
    }

    /// A place of a shape that `wanted` takes.
    fn place(&mut self, assigned: bool, wanted: impl Fn(&Shape) -> bool) -> Option<Place> {
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
                    Shape::Simple(_) => break,
                    Shape::Record => {
                        let number = self.random.below(3);
                        // The third field starts behind two cells.
                        steps.push(Step::Field(number));
                        shape = Shape::fields()[number].1.clone();
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

    fn leaf(&mut self, simple: Simple) -> Expr {
        let known: Vec<String> =
            self.bound.iter().filter(|(_, s)| *s == simple).map(|(name, _)| name.clone()).collect();
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
        Expr::Value(self.random.below(simple.size(self.processes) as usize) as i64, simple)
    }

    fn has_process(&self) -> bool {
        self.bound.iter().any(|(_, s)| *s == Simple::Process)
            || self.places.iter().any(|(_, shape, _)| *shape == Shape::Simple(Simple::Process))
    }

    fn expr(&mut self, simple: Simple, depth: u32) -> Expr {
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
        if choice == 4 {
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
            Simple::Range => {
                self.count("arithmetic");
                let op = self.random.pick(&["+", "-", "*", "/", "%", "%"]);
                let (a, b) = (self.expr(Simple::Range, depth - 1), self.expr(Simple::Range, depth - 1));
                Expr::Arithmetic(op, a.into(), b.into())
            }
            _ => self.leaf(simple),
        }
    }

    fn truth(&mut self, depth: u32) -> Expr {
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
                let mut simple = self.random.pick(&SIMPLE);
                if simple == Simple::Process && !self.has_process() {
                    simple = Simple::Enum;
                }
                self.count("equality");
                let (a, b) = (self.expr(simple, depth - 1), self.expr(simple, depth - 1));
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
                let simple = self.random.pick(&SIMPLE);
                let name = self.name("q");
                self.bound.push((name.clone(), simple));
                let outer = std::mem::replace(&mut self.statements, false);
                let body = self.expr(Simple::Bool, depth - 1);
                self.statements = outer;
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
        let simple_body =
            matches!(self.routines[number].body.stmts.as_slice(), [Stmt::If(..), Stmt::Return(_)]);
        if !simple_body {
            return None;
        }
        let arguments = self.arguments(number, depth - 1)?;
        Some(Expr::Call(number, arguments))
    }

    fn arguments(&mut self, number: usize, depth: u32) -> Option<Vec<Argument>> {
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
                Shape::Simple(self.random.pick(&SIMPLE))
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
        self.in_routine = true;
        if let Some(simple) = result {
            let test = self.expr(Simple::Bool, 2);
            let (a, b) = (self.expr(simple, 2), self.expr(simple, 2));
            body.stmts =
                vec![Stmt::If(vec![(test, vec![Stmt::Return(Some(a))])], Vec::new()), Stmt::Return(Some(b))];
        } else {
            self.statements = true;
            body = self.body(2);
            self.statements = false;
        }
        self.in_routine = false;
        (self.places, self.bound) = (places, bound);
        Routine { name: format!("f{number}"), params, result, body }
    }

    fn body(&mut self, most: usize) -> Body {
        let mut locals = Vec::new();
        if self.random.one_in(2) {
            let name = self.name("l");
            let shape =
                if self.random.one_in(3) { self.shape() } else { Shape::Simple(self.random.pick(&SIMPLE)) };
            self.count("local");
            self.places.push((name.clone(), shape.clone(), true));
            locals.push((name, shape));
        }
        let mut stmts = Vec::new();
        if let Some((name, Shape::Simple(simple))) = locals.first()
            && (*simple != Simple::Process || !self.bound.is_empty() && self.has_process())
            && !self.random.one_in(4)
        {
            let value = self.leaf(*simple);
            stmts.push(Stmt::Assign(Place { name: name.clone(), steps: Vec::new() }, value));
        }
        stmts.extend(self.stmts(most, 2));
        Body { locals, stmts }
    }

    fn stmts(&mut self, most: usize, depth: u32) -> Vec<Stmt> {
        (0..=self.random.below(most)).filter_map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: u32) -> Option<Stmt> {
        let choice = self.random.below(if depth == 0 { 7 } else { 16 });
        if choice >= 7 {
            return self.compound(choice, depth);
        }
        Some(match choice {
            0..=3 => {
                let mut simple = self.random.pick(&SIMPLE);
                if !self.has_process() {
                    simple = Simple::Bool;
                    if self.places.iter().all(|(_, shape, _)| *shape != Shape::Simple(simple)) {
                        return None;
                    }
                }
                let place = if self.has_process() {
                    self.place(true, |shape| *shape == Shape::Simple(simple))?
                } else {
                    let named =
                        |(_, shape, free): &&(String, Shape, bool)| *shape == Shape::Simple(simple) && *free;
                    Place { name: self.places.iter().find(named)?.0.clone(), steps: Vec::new() }
                };
                self.count("assignment");
                let value = if self.random.one_in(2) { self.leaf(simple) } else { self.expr(simple, 2) };
                Stmt::Assign(place, value)
            }
            4 if self.has_process() => {
                let clear = self.random.one_in(2);
                let place = self.place(true, |shape| !clear || !shape.has_processes())?;
                self.count(if clear { "clear" } else { "undefine" });
                if clear { Stmt::Clear(place) } else { Stmt::Undefine(place) }
            }
            5 if self.has_process() => {
                let shape = if self.random.one_in(2) {
                    Shape::Record
                } else {
                    let (_, shape, _) = self.random.pick(&self.places);
                    shape
                };
                if let Shape::Simple(_) = shape {
                    return None;
                }
                let (to, from) = (self.place(true, |s| *s == shape)?, self.place(false, |s| *s == shape)?);
                self.count("copy");
                Stmt::Copy(to, from)
            }
            _ => {
                if self.random.one_in(2) {
                    self.count("put");
                    return Some(Stmt::Put);
                }
                if self.in_start {
                    return None;
                }
                self.count("assert");
                Stmt::Assert(self.expr(Simple::Bool, 2))
            }
        })
    }

    fn compound(&mut self, choice: usize, depth: u32) -> Option<Stmt> {
        Some(match choice {
            7 | 8 => {
                self.count("if");
                let arms = 1 + self.random.below(2);
                let arms =
                    (0..arms).map(|_| (self.expr(Simple::Bool, 2), self.stmts(2, depth - 1))).collect();
                let otherwise = if self.random.one_in(2) { self.stmts(2, depth - 1) } else { Vec::new() };
                Stmt::If(arms, otherwise)
            }
            9 => {
                self.count("switch");
                let simple = self.random.pick(&[Simple::Enum, Simple::Range]);
                let looked_at = self.expr(simple, 1);
                let cases = vec![(vec![0], self.stmts(2, depth - 1)), (vec![1, 2], self.stmts(2, depth - 1))];
                let cases = cases.into_iter().take(1 + self.random.below(2)).collect();
                let otherwise = if self.random.one_in(2) { self.stmts(2, depth - 1) } else { Vec::new() };
                Stmt::Switch(looked_at, simple, cases, otherwise)
            }
            10 | 11 => {
                let simple = self.random.pick(&SIMPLE);
                self.count("for");
                let name = self.name("i");
                self.bound.push((name.clone(), simple));
                let body = self.stmts(2, depth - 1);
                self.bound.pop();
                Stmt::For(name, simple, body)
            }
            12 => {
                self.count("steps");
                let name = self.name("i");
                let (from, to, by) = self.random.pick(&[(0, 2, 1), (2, 0, -1), (0, 2, 2), (1, 0, 1)]);
                self.bound.push((name.clone(), Simple::Range));
                let body = self.stmts(2, depth - 1);
                self.bound.pop();
                Stmt::Steps(name, from, to, by, body)
            }
            13 if self.has_process() => {
                let (_, shape, _) = self.random.pick(&self.places);
                let place = self.place(true, |s| *s == shape)?;
                self.count("alias");
                let name = self.name("a");
                self.places.push((name.clone(), shape, true));
                let body = self.stmts(2, depth - 1);
                self.places.pop();
                Stmt::Alias(name, place, body)
            }
            14 => {
                let numbers: Vec<usize> =
                    (0..self.routines.len()).filter(|&n| self.routines[n].result.is_none()).collect();
                if numbers.is_empty() || self.in_start {
                    return None;
                }
                let number = self.random.pick(&numbers);
                let arguments = self.arguments(number, 1)?;
                self.count("procedure");
                Stmt::Call(number, arguments)
            }
            _ if self.in_routine && self.result.is_none() => {
                self.count("return");
                Stmt::Return(None)
            }
            _ => {
                self.count("while");
                // It ends at once, or never.
                let test = self.expr(Simple::Bool, 1);
                let body = self.stmts(2, 0);
                Stmt::While(test, body)
            }
        })
    }

    /// A start state: mostly it gives every variable a value.
    fn start(&mut self) -> Rule {
        let params = if self.random.one_in(3) {
            vec![(self.name("s"), self.random.pick(&SIMPLE))]
        } else {
            Vec::new()
        };
        self.bound.clone_from(&params);
        let places = self.places.clone();
        self.statements = true;
        self.in_start = true;
        let mut stmts = Vec::new();
        for (name, shape, _) in places.clone() {
            if !self.random.one_in(8) {
                self.fill(&Place { name, steps: Vec::new() }, &shape, &mut stmts);
            }
        }
        let mut body = Body::default();
        if self.random.one_in(3) {
            let extra = self.body(2);
            body.locals = extra.locals;
            stmts.extend(extra.stmts);
        }
        body.stmts = stmts;
        self.in_start = false;
        self.statements = false;
        self.places = places;
        self.bound.clear();
        Rule { params, guard: None, body }
    }

    fn fill(&mut self, place: &Place, shape: &Shape, out: &mut Vec<Stmt>) {
        match shape {
            Shape::Simple(Simple::Process) => {
                let known: Vec<String> = self
                    .bound
                    .iter()
                    .filter(|(_, simple)| *simple == Simple::Process)
                    .map(|(name, _)| name.clone())
                    .collect();
                match known.last() {
                    Some(name) => out.push(Stmt::Assign(place.clone(), Expr::Bound(name.clone()))),
                    None => out.push(Stmt::Undefine(place.clone())),
                }
            }
            Shape::Simple(simple) => {
                let value = self.random.below(simple.size(self.processes) as usize) as i64;
                if self.random.one_in(4) {
                    out.push(Stmt::Clear(place.clone()));
                } else {
                    out.push(Stmt::Assign(place.clone(), Expr::Value(value, *simple)));
                }
            }
            Shape::Record => {
                for (number, (_, field)) in Shape::fields().iter().enumerate() {
                    let mut part = place.clone();
                    part.steps.push(Step::Field(number));
                    self.fill(&part, field, out);
                }
            }
            Shape::Array(index, element) => {
                let name = self.name("i");
                let mut part = place.clone();
                part.steps.push(Step::Index(Expr::Bound(name.clone())));
                self.bound.push((name.clone(), *index));
                let mut body = Vec::new();
                self.fill(&part, element, &mut body);
                self.bound.pop();
                out.push(Stmt::For(name, *index, body));
            }
        }
    }

    fn rule(&mut self) -> Rule {
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let simple = if self.random.one_in(2) { Simple::Process } else { self.random.pick(&SIMPLE) };
            params.push((self.name("r"), simple));
        }
        self.bound.clone_from(&params);
        let places = self.places.clone();
        let guard = if self.random.one_in(6) { None } else { Some(self.expr(Simple::Bool, 3)) };
        self.statements = true;
        let body = self.body(3);
        self.statements = false;
        self.places = places;
        self.bound.clear();
        Rule { params, guard, body }
    }
}
