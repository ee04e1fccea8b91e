//! Random Murphi programs: statements, start states and rules.

use super::generate::Generator;
use super::program::{Body, Expr, Place, Rule, Shape, Simple, Step, Stmt};

impl Generator<'_> {
    pub(super) fn body(&mut self, most: usize) -> Body {
        let mut locals = Vec::new();
        if self.random.one_in(2) {
            let name = self.name("l");
            let shape = if self.random.one_in(3) { self.shape() } else { Shape::Simple(self.simple()) };
            self.count("local");
            self.places.push((name.clone(), shape.clone(), true));
            locals.push((name, shape));
        }
        let mut stmts = Vec::new();
        if let Some((name, Shape::Simple(simple))) = locals.first()
            && (!matches!(simple, Simple::Process | Simple::Union)
                || !self.bound.is_empty() && self.has_process())
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

    /// Rules about messages, functions with statements, and rules that end with an error.
    fn rare(&mut self) -> Option<Stmt> {
        Some(match self.random.below(8) {
            0 | 5..=7 if self.unions => {
                self.count("multisetadd");
                let name = String::from("msg");
                Stmt::Add(Place { name, steps: Vec::new() })
            }
            1 if self.unions => {
                self.count("multisetremovepred");
                let (name, condition) = self.of_messages(2);
                Stmt::RemoveWhere(name, condition)
            }
            2 if self.unions && self.random.one_in(3) => {
                self.count("undefine multiset");
                Stmt::Empty
            }
            3 if self.random.one_in(6) => {
                self.count("error");
                Stmt::Error
            }
            _ => {
                let all = 0..self.routines.len();
                let numbers: Vec<usize> = all.filter(|&n| self.routines[n].by_itself).collect();
                if numbers.is_empty() {
                    return None;
                }
                let number = self.random.pick(&numbers);
                let simple = self.routines[number].result?;
                let arguments = self.arguments(number, 1)?;
                if !self.has_process() {
                    return None;
                }
                let place = self.place(true, |shape| *shape == Shape::Simple(simple))?;
                self.count("function with statements");
                Stmt::Assign(place, Expr::Call(number, arguments))
            }
        })
    }

    fn stmt(&mut self, depth: u32) -> Option<Stmt> {
        if self.random.one_in(if self.unions { 4 } else { 6 }) && (self.unions || self.has_process()) {
            return self.rare();
        }
        let choice = self.random.below(if depth == 0 { 7 } else { 16 });
        if choice >= 7 {
            return self.compound(choice, depth);
        }
        Some(match choice {
            0..=3 => {
                let mut simple = self.simple();
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
                let simple = self.simple();
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
                if numbers.is_empty() {
                    return None;
                }
                let number = self.random.pick(&numbers);
                let arguments = self.arguments(number, 1)?;
                self.count("procedure");
                Stmt::Call(number, arguments)
            }
            15 if self.in_routine && self.random.one_in(2) => {
                self.count("return");
                match self.result {
                    Some(simple) => Stmt::Return(Some(self.expr(simple, 1))),
                    None => Stmt::Return(None),
                }
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
    pub(super) fn start(&mut self) -> Rule {
        let params = if self.random.one_in(3) { vec![(self.name("s"), self.simple())] } else { Vec::new() };
        self.bound.clone_from(&params);
        let places = self.places.clone();
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
        self.places = places;
        self.bound.clear();
        Rule { params, choose: None, guard: None, body }
    }

    fn fill(&mut self, place: &Place, shape: &Shape, out: &mut Vec<Stmt>) {
        match shape {
            Shape::Simple(Simple::Union) if self.random.one_in(2) => {
                let value = self.processes + self.random.below(2) as i64;
                out.push(Stmt::Assign(place.clone(), Expr::Value(value, Simple::Union)));
            }
            Shape::Simple(Simple::Process | Simple::Union) => {
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
            Shape::Network => {}
            Shape::Record | Shape::Message => {
                for (number, (name, field)) in shape.fields().iter().enumerate() {
                    let mut part = place.clone();
                    part.steps.push(Step::Field(number, name));
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

    pub(super) fn rule(&mut self) -> Rule {
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let simple = if self.random.one_in(2) { Simple::Process } else { self.simple() };
            params.push((self.name("r"), simple));
        }
        self.bound.clone_from(&params);
        let places = self.places.clone();
        let choose = (self.unions && self.random.one_in(3)).then(|| self.name("m"));
        self.messages.extend(choose.clone());
        let guard = if self.random.one_in(6) { None } else { Some(self.expr(Simple::Bool, 3)) };
        let mut body = self.body(3);
        if let Some(name) = &choose {
            self.count("choose");
            if !self.random.one_in(3) {
                self.count("multisetremove");
                body.stmts.push(Stmt::Remove(name.clone()));
            }
        }
        self.messages.clear();
        self.places = places;
        self.bound.clear();
        Rule { params, choose, guard, body }
    }
}
