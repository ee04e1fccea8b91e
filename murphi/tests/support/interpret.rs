//! The meaning of a random Murphi program, as its manual says it: an interpreter that shares nothing with the front end.

use super::program::{Argument, Body, Expr, PLACE, PLACES, Place, Program, Rule, Shape, Step, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// An error of the model.
pub(crate) struct Fault;
type Done<T> = Result<T, Fault>;

/// A simple value; none is undefined.
pub(crate) type Cell = Option<i64>;

#[derive(Clone)]
enum Meaning {
    Cells(usize, Shape),
    Value(i64),
    Message([Cell; PLACE - 1]),
}

/// How a list of statements ended.
enum Flow {
    On,
    Returned(Option<i64>),
}

/// The behaviour of a program.
#[expect(clippy::struct_excessive_bools, reason = "each is found by itself")]
pub(crate) struct Outcome {
    /// Whether some state has an error.
    pub(crate) fault: bool,
    /// Whether it may be reported: a property that is violated is not looked at any more, so its errors may not be met.
    pub(crate) unsure: bool,
    pub(crate) states: BTreeSet<Vec<Cell>>,
    pub(crate) fired: u64,
    /// For each invariant whether it holds.
    pub(crate) holds: Vec<bool>,
    pub(crate) covered: Vec<bool>,
    /// For each liveness property whether from every state one is reached in which it is true.
    pub(crate) live: Vec<bool>,
    pub(crate) asserts_hold: bool,
    /// Whether there were more states than asked for.
    pub(crate) cut: bool,
}

struct Interpreter<'a> {
    program: &'a Program,
    cells: Vec<Cell>,
    names: Vec<(&'a str, Meaning)>,
    failed: bool,
    /// Whether the condition of an assert had an error; it is none of the step.
    assert_fault: bool,
    in_start: bool,
    globals: usize,
    network: usize,
}

pub(crate) fn outcome(program: &Program, most: usize) -> Outcome {
    let mut run = Interpreter {
        program,
        cells: Vec::new(),
        names: Vec::new(),
        failed: false,
        assert_fault: false,
        in_start: true,
        globals: 0,
        network: 0,
    };
    let mut first: Vec<Cell> = Vec::new();
    for (name, shape) in &program.globals {
        run.names.push((name, Meaning::Cells(first.len(), shape.clone())));
        let cells = shape.cells(program.processes);
        if *shape == Shape::Network {
            run.network = first.len();
            first.extend([Some(0), None, None].into_iter().cycle().take(cells));
        } else {
            first.extend(vec![None; cells]);
        }
    }
    run.globals = run.names.len();
    let mut all = Outcome {
        fault: false,
        unsure: false,
        states: BTreeSet::new(),
        fired: 0,
        holds: vec![true; program.invariants.len()],
        covered: vec![false; program.covers.len()],
        live: Vec::new(),
        asserts_hold: true,
        cut: false,
    };
    let mut open: Vec<Vec<Cell>> = Vec::new();
    let mut edges: BTreeMap<Vec<Cell>, Vec<Vec<Cell>>> = BTreeMap::new();
    for start in &program.starts {
        run.fire_all(&first, start, &mut all, &mut |all, state| {
            if all.states.insert(state.clone()) {
                open.push(state);
            }
        });
    }
    run.in_start = false;
    let mut faulty = vec![false; program.invariants.len()];
    while let Some(state) = open.pop() {
        if all.states.len() > most {
            all.cut = true;
            break;
        }
        for (number, invariant) in program.invariants.iter().enumerate() {
            match run.in_state(&state, invariant) {
                Ok(holds) => all.holds[number] &= holds,
                Err(Fault) => faulty[number] = true,
            }
        }
        for (number, cover) in program.covers.iter().enumerate() {
            match run.in_state(&state, cover) {
                Ok(holds) => all.covered[number] |= holds,
                Err(Fault) => all.unsure = true,
            }
        }
        let mut next = Vec::new();
        for rule in &program.rules {
            run.fire_all(&state, rule, &mut all, &mut |all, state| {
                all.fired += 1;
                next.push(state.clone());
                if all.states.insert(state.clone()) {
                    open.push(state);
                }
            });
        }
        edges.insert(state, next);
    }
    for liveness in &program.liveness {
        let holds = run.live(liveness, &edges);
        all.unsure |= holds.is_err();
        all.live.push(holds.unwrap_or(false));
    }
    for (faulty, holds) in faulty.iter().zip(&all.holds) {
        all.fault |= faulty & holds;
        all.unsure |= faulty;
    }
    all.fault |= run.assert_fault && !run.failed;
    all.unsure |= run.assert_fault;
    all.asserts_hold = !run.failed;
    all
}

fn choices(rule: &Rule, program: &Program) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for (_, simple) in &rule.params {
        let size = simple.size(program.processes);
        all = all.iter().flat_map(|c| (0..size).map(|v| [c.as_slice(), &[v]].concat())).collect();
    }
    all
}

impl<'a> Interpreter<'a> {
    fn begin(&mut self, state: &[Cell]) {
        self.cells = state.to_vec();
        self.names.truncate(self.globals);
    }

    fn in_state(&mut self, state: &[Cell], condition: &'a Expr) -> Done<bool> {
        self.begin(state);
        self.truth(condition)
    }

    /// Whether from every state one can be reached in which the condition is true.
    fn live(&mut self, condition: &'a Expr, edges: &BTreeMap<Vec<Cell>, Vec<Vec<Cell>>>) -> Done<bool> {
        let mut good: BTreeSet<&Vec<Cell>> = BTreeSet::new();
        for state in edges.keys() {
            if self.in_state(state, condition)? {
                good.insert(state);
            }
        }
        loop {
            let before = good.len();
            for (state, next) in edges {
                if next.iter().any(|next| good.contains(next)) {
                    good.insert(state);
                }
            }
            if good.len() == before {
                return Ok(before == edges.len());
            }
        }
    }

    /// Fires a rule in all ways; calls for each state that is not left out.
    fn fire_all(
        &mut self,
        state: &[Cell],
        rule: &'a Rule,
        all: &mut Outcome,
        fired: &mut dyn FnMut(&mut Outcome, Vec<Cell>),
    ) {
        for choice in choices(rule, self.program) {
            let messages: BTreeSet<[Cell; PLACE - 1]> = self.messages(state).into_iter().collect();
            let messages: Vec<_> = match &rule.choose {
                Some(name) => messages.into_iter().map(|message| Some((name, message))).collect(),
                None => vec![None],
            };
            for message in messages {
                self.begin(state);
                if let Some((name, message)) = message {
                    self.names.push((name, Meaning::Message(message)));
                }
                match self.fire(state.len(), rule, &choice) {
                    Ok(Some(next)) => match self.assumed(&next) {
                        Ok(true) => fired(all, next),
                        Ok(false) => {}
                        Err(Fault) => all.fault = true,
                    },
                    Ok(None) => {}
                    Err(Fault) => all.fault = true,
                }
            }
        }
    }

    fn assumed(&mut self, state: &[Cell]) -> Done<bool> {
        match &self.program.assumed {
            Some(assumed) => self.in_state(state, assumed),
            None => Ok(true),
        }
    }

    fn fire(&mut self, cells: usize, rule: &'a Rule, choice: &[i64]) -> Done<Option<Vec<Cell>>> {
        for ((name, _), value) in rule.params.iter().zip(choice) {
            self.names.push((name, Meaning::Value(*value)));
        }
        if let Some(guard) = &rule.guard
            && !self.truth(guard)?
        {
            return Ok(None);
        }
        self.body(&rule.body)?;
        self.cells.truncate(cells);
        Ok(Some(self.cells.clone()))
    }

    fn messages(&self, state: &[Cell]) -> Vec<[Cell; PLACE - 1]> {
        if !self.program.unions {
            return Vec::new();
        }
        let places = state[self.network..self.network + PLACES * PLACE].chunks(PLACE);
        places.filter(|place| place[0] == Some(1)).map(|place| [place[1], place[2]]).collect()
    }

    fn put_back(&mut self, mut messages: Vec<[Cell; PLACE - 1]>) {
        messages.sort();
        for place in 0..PLACES {
            let base = self.network + place * PLACE;
            let cells = match messages.get(place) {
                Some([k, s]) => [Some(1), *k, *s],
                None => [Some(0), None, None],
            };
            self.cells[base..base + PLACE].copy_from_slice(&cells);
        }
    }

    /// For each message whether a condition is true of it.
    fn each_message(&mut self, name: &'a str, condition: &'a Expr) -> Done<Vec<([Cell; PLACE - 1], bool)>> {
        let mut out = Vec::new();
        for message in self.messages(&self.cells.clone()) {
            let depth = self.names.len();
            self.names.push((name, Meaning::Message(message)));
            let holds = self.truth(condition)?;
            self.names.truncate(depth);
            out.push((message, holds));
        }
        Ok(out)
    }

    fn body(&mut self, body: &'a Body) -> Done<Flow> {
        for (name, shape) in &body.locals {
            let base = self.cells.len();
            self.cells.extend(vec![None; shape.cells(self.program.processes)]);
            self.names.push((name, Meaning::Cells(base, shape.clone())));
        }
        self.stmts(&body.stmts)
    }

    fn meaning(&self, name: &str) -> Meaning {
        self.names.iter().rev().find(|(n, _)| *n == name).expect("a known name").1.clone()
    }

    fn place(&mut self, place: &'a Place) -> Done<(usize, Shape)> {
        let Meaning::Cells(mut base, mut shape) = self.meaning(&place.name) else { panic!("a place") };
        for step in &place.steps {
            match (step, shape) {
                (Step::Index(index), Shape::Array(over, element)) => {
                    let number = self.value(index)?;
                    if number < 0 || number >= over.size(self.program.processes) {
                        return Err(Fault);
                    }
                    base += number as usize * element.cells(self.program.processes);
                    shape = *element;
                }
                (Step::Field(number, _), shape_of) if !shape_of.fields().is_empty() => {
                    base += number;
                    shape = shape_of.fields()[*number].1.clone();
                }
                _ => panic!("a well formed place"),
            }
        }
        Ok((base, shape))
    }

    fn truth(&mut self, expr: &'a Expr) -> Done<bool> {
        Ok(self.value(expr)? == 1)
    }

    fn value(&mut self, expr: &'a Expr) -> Done<i64> {
        Ok(match expr {
            Expr::Value(value, _) => *value,
            Expr::Bound(name) => match self.meaning(name) {
                Meaning::Value(value) => value,
                Meaning::Cells(base, _) => self.cells[base].ok_or(Fault)?,
                Meaning::Message(_) => panic!("a message is no value"),
            },
            Expr::Read(place) => {
                let (base, _) = self.place(place)?;
                self.cells[base].ok_or(Fault)?
            }
            Expr::Not(a) => i64::from(!self.truth(a)?),
            Expr::And(a, b) => i64::from(self.truth(a)? && self.truth(b)?),
            Expr::Or(a, b) => i64::from(self.truth(a)? || self.truth(b)?),
            Expr::Implies(a, b) => i64::from(!self.truth(a)? || self.truth(b)?),
            Expr::Equal(same, a, b) => i64::from((self.value(a)? == self.value(b)?) == *same),
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                i64::from(match *op {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                })
            }
            Expr::Arithmetic(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a.checked_div(b).ok_or(Fault)?,
                    _ => a.checked_rem(b).ok_or(Fault)?,
                }
            }
            Expr::Choice(c, a, b) => {
                if self.truth(c)? {
                    self.value(a)?
                } else {
                    self.value(b)?
                }
            }
            Expr::Quantified(all, name, simple, body) => {
                let depth = self.names.len();
                for value in 0..simple.size(self.program.processes) {
                    self.names.push((name, Meaning::Value(value)));
                    let holds = self.truth(body)?;
                    self.names.truncate(depth);
                    if holds != *all {
                        return Ok(i64::from(!all));
                    }
                }
                i64::from(*all)
            }
            Expr::IsUndefined(place) => {
                let (base, _) = self.place(place)?;
                i64::from(self.cells[base].is_none())
            }
            Expr::IsMember(a, process) => i64::from((self.value(a)? < self.program.processes) == *process),
            Expr::Message(..) => self.copied(expr)?.ok_or(Fault)?,
            Expr::Count(name, condition) => {
                let each = self.each_message(name, condition)?;
                each.iter().filter(|(_, holds)| *holds).count() as i64
            }
            Expr::Call(number, arguments) => self.call(*number, arguments)?.expect("a function returns"),
        })
    }

    fn call(&mut self, number: usize, arguments: &'a [Argument]) -> Done<Option<i64>> {
        let routine = &self.program.routines[number];
        let mut bound: Vec<(&'a str, Meaning)> = Vec::new();
        for (param, argument) in routine.params.iter().zip(arguments) {
            let meaning = match argument {
                Argument::Value(expr) => {
                    let cell = self.copied(expr)?;
                    self.fits(&param.shape, cell)?;
                    self.cells.push(cell);
                    Meaning::Cells(self.cells.len() - 1, param.shape.clone())
                }
                Argument::Place(place) => {
                    let (base, shape) = self.place(place)?;
                    Meaning::Cells(base, shape)
                }
            };
            bound.push((&param.name, meaning));
        }
        let outer = self.names.split_off(self.globals);
        self.names.extend(bound);
        let flow = self.body(&routine.body);
        self.names.truncate(self.globals);
        self.names.extend(outer);
        match flow? {
            Flow::Returned(value) => {
                if let Some(simple) = routine.result {
                    self.fits(&Shape::Simple(simple), value)?;
                }
                Ok(value)
            }
            Flow::On => Ok(None),
        }
    }

    /// The assigned value: a variable that is undefined makes the other undefined too.
    fn copied(&mut self, expr: &'a Expr) -> Done<Cell> {
        match expr {
            Expr::Read(place) => {
                let (base, _) = self.place(place)?;
                Ok(self.cells[base])
            }
            Expr::Bound(name) => Ok(match self.meaning(name) {
                Meaning::Value(value) => Some(value),
                Meaning::Cells(base, _) => self.cells[base],
                Meaning::Message(_) => panic!("a message is no value"),
            }),
            Expr::Message(name, field) => match self.meaning(name) {
                Meaning::Message(message) => Ok(message[*field]),
                _ => panic!("a message"),
            },
            _ => self.value(expr).map(Some),
        }
    }

    fn fits(&self, shape: &Shape, cell: Cell) -> Done<()> {
        let Shape::Simple(simple) = shape else { panic!("a simple place") };
        match cell {
            Some(value) if value < 0 || value >= simple.size(self.program.processes) => Err(Fault),
            _ => Ok(()),
        }
    }

    fn turn(&mut self, name: &'a str, value: i64, body: &'a [Stmt]) -> Done<Flow> {
        let depth = self.names.len();
        self.names.push((name, Meaning::Value(value)));
        let flow = self.stmts(body);
        self.names.truncate(depth);
        flow
    }

    fn stmts(&mut self, list: &'a [Stmt]) -> Done<Flow> {
        for stmt in list {
            if let flow @ Flow::Returned(_) = self.stmt(stmt)? {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Done<Flow> {
        match stmt {
            Stmt::Assign(to, from) => {
                let cell = self.copied(from)?;
                let (base, shape) = self.place(to)?;
                self.fits(&shape, cell)?;
                self.cells[base] = cell;
            }
            Stmt::Copy(to, from) => {
                let ((from, shape), (to, _)) = (self.place(from)?, self.place(to)?);
                let cells = shape.cells(self.program.processes);
                let copied = self.cells[from..from + cells].to_vec();
                self.cells[to..to + cells].copy_from_slice(&copied);
            }
            Stmt::Clear(to) | Stmt::Undefine(to) => {
                let (base, shape) = self.place(to)?;
                let value = if let Stmt::Clear(_) = stmt { Some(0) } else { None };
                self.cells[base..base + shape.cells(self.program.processes)].fill(value);
            }
            Stmt::If(arms, otherwise) => {
                for (test, body) in arms {
                    if self.truth(test)? {
                        return self.stmts(body);
                    }
                }
                return self.stmts(otherwise);
            }
            Stmt::Switch(looked_at, _, cases, otherwise) => {
                let value = self.value(looked_at)?;
                let case = cases.iter().find(|(values, _)| values.contains(&value));
                return self.stmts(case.map_or(otherwise, |(_, body)| body));
            }
            Stmt::For(name, simple, body) => {
                for value in 0..simple.size(self.program.processes) {
                    if let flow @ Flow::Returned(_) = self.turn(name, value, body)? {
                        return Ok(flow);
                    }
                }
            }
            Stmt::Steps(name, from, to, by, body) => {
                let mut value = *from;
                while if *by > 0 { value <= *to } else { value >= *to } {
                    if let flow @ Flow::Returned(_) = self.turn(name, value, body)? {
                        return Ok(flow);
                    }
                    value += by;
                }
            }
            Stmt::While(test, body) => {
                let mut rounds = 0;
                while self.truth(test)? {
                    if rounds == 64 {
                        return Err(Fault);
                    }
                    rounds += 1;
                    if let flow @ Flow::Returned(_) = self.stmts(body)? {
                        return Ok(flow);
                    }
                }
            }
            Stmt::Alias(name, of, body) => {
                let (base, shape) = self.place(of)?;
                let depth = self.names.len();
                self.names.push((name, Meaning::Cells(base, shape)));
                let flow = self.stmts(body);
                self.names.truncate(depth);
                return flow;
            }
            Stmt::Call(number, arguments) => {
                self.call(*number, arguments)?;
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                return Ok(Flow::Returned(value));
            }
            Stmt::Put => {}
            rare => self.rare(rare)?,
        }
        Ok(Flow::On)
    }

    /// Assertions, and what is done with messages.
    fn rare(&mut self, stmt: &'a Stmt) -> Done<()> {
        match stmt {
            // In a start state it is an error of the model; elsewhere a property of its own.
            Stmt::Assert(test) if self.in_start => {
                if !self.truth(test)? {
                    return Err(Fault);
                }
            }
            Stmt::Assert(test) => match self.truth(test) {
                Ok(holds) => self.failed |= !holds,
                Err(Fault) => self.assert_fault = true,
            },
            Stmt::Error if self.in_start => return Err(Fault),
            Stmt::Error => self.failed = true,
            Stmt::Add(message) => {
                let (base, _) = self.place(message)?;
                let mut messages = self.messages(&self.cells.clone());
                if messages.len() == PLACES {
                    return Err(Fault);
                }
                messages.push([self.cells[base], self.cells[base + 1]]);
                self.put_back(messages);
            }
            Stmt::Remove(name) => {
                let Meaning::Message(chosen) = self.meaning(name) else { panic!("a message") };
                let mut messages = self.messages(&self.cells.clone());
                let at = messages.iter().position(|message| *message == chosen).ok_or(Fault)?;
                messages.remove(at);
                self.put_back(messages);
            }
            Stmt::RemoveWhere(name, condition) => {
                let each = self.each_message(name, condition)?;
                self.put_back(each.into_iter().filter(|(_, holds)| !holds).map(|(m, _)| m).collect());
            }
            Stmt::Empty => self.put_back(Vec::new()),
            _ => panic!("a statement of another kind"),
        }
        Ok(())
    }
}
