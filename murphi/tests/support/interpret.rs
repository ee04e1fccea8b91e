//! The meaning of a random Murphi program, as its manual says it: an interpreter that shares nothing with the front end.

use super::program::{Argument, Body, Expr, Place, Program, Rule, Shape, Simple, Step, Stmt};
use std::collections::BTreeSet;

/// An error of the model.
pub(crate) struct Fault;
type Done<T> = Result<T, Fault>;

/// A simple value; none is undefined.
pub(crate) type Cell = Option<i64>;

#[derive(Clone)]
enum Meaning {
    Cells(usize, Shape),
    Value(i64),
}

/// How a list of statements ended.
enum Flow {
    On,
    Returned(Option<i64>),
}

/// The behaviour of a program.
pub(crate) struct Outcome {
    /// Whether some state has an error.
    pub(crate) fault: bool,
    pub(crate) states: BTreeSet<Vec<Cell>>,
    pub(crate) fired: u64,
    /// For each invariant whether it holds.
    pub(crate) holds: Vec<bool>,
    pub(crate) asserts_hold: bool,
    /// Whether there were more states than asked for.
    pub(crate) cut: bool,
}

struct Interpreter<'a> {
    program: &'a Program,
    cells: Vec<Cell>,
    names: Vec<(&'a str, Meaning)>,
    failed: bool,
    globals: usize,
    steps: u32,
}

pub(crate) fn outcome(program: &Program, most: usize) -> Outcome {
    let mut run =
        Interpreter { program, cells: Vec::new(), names: Vec::new(), failed: false, globals: 0, steps: 0 };
    let mut at = 0;
    for (name, shape) in &program.globals {
        run.names.push((name, Meaning::Cells(at, shape.clone())));
        at += shape.cells(program.processes);
    }
    run.globals = run.names.len();
    let mut all = Outcome {
        fault: false,
        states: BTreeSet::new(),
        fired: 0,
        holds: vec![true; program.invariants.len()],
        asserts_hold: true,
        cut: false,
    };
    let mut open: Vec<Vec<Cell>> = Vec::new();
    for start in &program.starts {
        for choice in choices(start, program) {
            match run.fire(&vec![None; at], start, &choice) {
                Ok(Some(state)) => {
                    if all.states.insert(state.clone()) {
                        open.push(state);
                    }
                }
                Ok(None) => {}
                Err(Fault) => all.fault = true,
            }
        }
    }
    while let Some(state) = open.pop() {
        if all.states.len() > most {
            all.cut = true;
            break;
        }
        for (number, invariant) in program.invariants.iter().enumerate() {
            run.begin(&state);
            match run.truth(invariant) {
                Ok(true) => {}
                Ok(false) => all.holds[number] = false,
                Err(Fault) => all.fault = true,
            }
        }
        for rule in &program.rules {
            for choice in choices(rule, program) {
                match run.fire(&state, rule, &choice) {
                    Ok(Some(next)) => {
                        all.fired += 1;
                        if all.states.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                    Ok(None) => {}
                    Err(Fault) => all.fault = true,
                }
            }
        }
    }
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
        self.steps = 0;
    }

    fn fire(&mut self, state: &[Cell], rule: &'a Rule, choice: &[i64]) -> Done<Option<Vec<Cell>>> {
        self.begin(state);
        for ((name, _), value) in rule.params.iter().zip(choice) {
            self.names.push((name, Meaning::Value(*value)));
        }
        if let Some(guard) = &rule.guard
            && !self.truth(guard)?
        {
            return Ok(None);
        }
        self.body(&rule.body)?;
        self.cells.truncate(state.len());
        Ok(Some(self.cells.clone()))
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
                (Step::Field(number), Shape::Record) => {
                    base += number;
                    shape = Shape::fields()[*number].1.clone();
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
            Flow::Returned(value) => Ok(value),
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
            }),
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
            Stmt::Assert(test) => {
                if !self.truth(test)? {
                    self.failed = true;
                }
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                return Ok(Flow::Returned(value));
            }
            Stmt::Put => {}
        }
        Ok(Flow::On)
    }
}

/// How many states are left where those that differ in the numbers of processes are one.
pub(crate) fn orbits(program: &Program, states: &BTreeSet<Vec<Cell>>) -> usize {
    let perms = permutations(program.processes as usize);
    let mut seen: BTreeSet<Vec<Cell>> = BTreeSet::new();
    for state in states {
        let least = perms.iter().map(|perm| permuted(program, state, perm)).min().expect("a permutation");
        seen.insert(least);
    }
    seen.len()
}

fn permutations(n: usize) -> Vec<Vec<i64>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let smaller = permutations(n - 1);
    smaller
        .iter()
        .flat_map(|perm| {
            (0..n).map(move |at| {
                let mut perm = perm.clone();
                perm.insert(at, n as i64 - 1);
                perm
            })
        })
        .collect()
}

fn permuted(program: &Program, state: &[Cell], perm: &[i64]) -> Vec<Cell> {
    let mut out = state.to_vec();
    let mut base = 0;
    for (_, shape) in &program.globals {
        move_cells(shape, state, base, base, perm, &mut out);
        base += shape.cells(program.processes);
    }
    out
}

fn move_cells(shape: &Shape, state: &[Cell], from: usize, to: usize, perm: &[i64], out: &mut [Cell]) {
    let n = perm.len() as i64;
    match shape {
        Shape::Simple(Simple::Process) => out[to] = state[from].map(|p| perm[p as usize]),
        Shape::Simple(_) => out[to] = state[from],
        Shape::Record => {
            let mut at = 0;
            for (_, field) in Shape::fields() {
                move_cells(&field, state, from + at, to + at, perm, out);
                at += field.cells(n);
            }
        }
        Shape::Array(over, element) => {
            let step = element.cells(n);
            for index in 0..over.size(n) {
                let moved = if *over == Simple::Process { perm[index as usize] } else { index };
                move_cells(
                    element,
                    state,
                    from + index as usize * step,
                    to + moved as usize * step,
                    perm,
                    out,
                );
            }
        }
    }
}
