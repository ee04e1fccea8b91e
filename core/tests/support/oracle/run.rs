//! Statements, really executed: one after the other, on a state that changes. Code with labels runs from the label where the process
//! is to the next one; what comes after a statement is a function, so that every way is run to its end.

use super::{Bindings, Bound, Moment, Oracle, Result, Scope, State, Step, Value, Wrong};
use orbitscope_core::syntax::ast::{
    Binder, Block, Change, ExprId, Ident, InitDecl, ItemKind, ProcessDecl, RoutineDecl, Statement,
    StatementKind,
};
use std::cell::RefCell;

/// A `while` may go round so often.
const ROUNDS: u32 = 64;

/// Where an assert stands, and the action or label whose step came to it.
pub(crate) type Claim = (u32, String);

/// A run through the code of a process.
#[derive(Clone)]
struct Run<'a> {
    scope: Scope<'a>,
    state: State,
    /// Which branch was taken wherever the ways part, and what was chosen.
    branches: Vec<usize>,
    chosen: Vec<(usize, Value)>,
    /// The error of an assignment: it counts where every wait behind it is over.
    wrong: Option<Wrong>,
    failed: Vec<Claim>,
}

/// How a run ended: the label, or what went wrong where it could not go on.
struct Ended<'a> {
    run: Run<'a>,
    to: Result<&'a str>,
}

type After<'f, 'a> = &'f dyn Fn(Run<'a>);

impl<'a> Oracle<'a> {
    /// Executes the block of an action whose guard holds.
    pub(super) fn execute(
        &self,
        block: &'a Block,
        scope: &Scope<'a>,
        state: &State,
        action: &str,
    ) -> Result<State> {
        let mut to = state.clone();
        let mut failed = Vec::new();
        self.block(block, &mut scope.clone(), &mut to, action, &mut failed)?;
        self.failed.borrow_mut().extend(failed);
        Ok(to)
    }

    /// The values that a block of `init` makes of the declared ones.
    pub(super) fn started(&self, start: &'a InitDecl, state: &State) -> Result<Vec<State>> {
        let nobody = Scope { owner: None, bindings: Vec::new() };
        let mut all = Vec::new();
        for choice in self.choices(&start.params, &nobody, state, true)? {
            let names = start.params.iter().map(|p| p.name.name.as_str());
            let bindings = names.zip(choice.into_iter().map(Bound::Value)).collect();
            let scope = Scope { owner: None, bindings };
            if start.guard.is_none_or(|guard| self.holds(guard, &scope, state, Moment::default()) == Ok(true))
            {
                all.push(self.execute(&start.block, &scope, state, "init")?);
            }
        }
        Ok(all)
    }

    fn block(
        &self,
        block: &'a Block,
        scope: &mut Scope<'a>,
        state: &mut State,
        step: &str,
        failed: &mut Vec<Claim>,
    ) -> Result<()> {
        let known = scope.bindings.len();
        let result = block.statements.iter().try_for_each(|s| self.statement(s, scope, state, step, failed));
        scope.bindings.truncate(known);
        result
    }

    fn statement(
        &self,
        statement: &'a Statement,
        scope: &mut Scope<'a>,
        state: &mut State,
        step: &str,
        failed: &mut Vec<Claim>,
    ) -> Result<()> {
        let moment = Moment::default();
        match &statement.kind {
            StatementKind::Skip => {}
            StatementKind::Assign(target, value) => {
                let value = self.eval(*value, scope, state, moment)?;
                self.check_literal(*target, value, scope, state)?;
                let spot = self.spot(*target, scope, state)?;
                let value = self.fitted(value, spot.ty, spot.index)?;
                state[spot.place] = self.replaced(state[spot.place], &spot.way, value)?;
            }
            StatementKind::Change(change, target, value) => {
                let value = self.eval(*value, scope, state, moment)?;
                let spot = self.spot(*target, scope, state)?;
                let bag = self.follow(state[spot.place], &spot.way)?;
                let (removed, added): (&[Value], &[Value]) =
                    if *change == Change::Remove { (&[value], &[]) } else { (&[], &[value]) };
                let changed = self.bag_changed(bag, spot.ty, removed, added)?;
                state[spot.place] = self.replaced(state[spot.place], &spot.way, changed)?;
            }
            StatementKind::If(arms, otherwise) => {
                for (test, block) in arms {
                    if self.holds(*test, scope, state, moment)? {
                        return self.block(block, scope, state, step, failed);
                    }
                }
                if let Some(block) = otherwise {
                    self.block(block, scope, state, step, failed)?;
                }
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let case = self.case(*value, cases, scope, state)?;
                if let Some(block) = case.map_or(otherwise.as_ref(), |case| Some(&cases[case].1)) {
                    self.block(block, scope, state, step, failed)?;
                }
            }
            StatementKind::For(binders, block) => {
                self.turns(binders, block, scope, state, step, failed)?;
            }
            StatementKind::While(test, block) => {
                let mut rounds = 0;
                while self.holds(*test, scope, state, moment)? {
                    if rounds == ROUNDS {
                        return Err(Wrong::Endless);
                    }
                    rounds += 1;
                    self.block(block, scope, state, step, failed)?;
                }
            }
            StatementKind::Let(name, value) => {
                let value = self.eval(*value, scope, state, moment)?;
                scope.bindings.push((&name.name, Bound::Value(value)));
            }
            StatementKind::Assert(claim) => {
                if !self.holds(*claim, scope, state, moment)? {
                    failed.push((statement.span.start, step.to_string()));
                }
            }
            StatementKind::Call(name, arguments) => {
                let Some(routine) = self.routine(&name.name) else {
                    return self.queue_statement(&name.name, arguments, scope, state);
                };
                let bindings = self.arguments(routine, arguments, scope, state, moment)?;
                let mut inner = Scope { owner: scope.owner, bindings };
                self.block(&routine.body, &mut inner, state, step, failed)?;
            }
            other => panic!("{other:?} is no statement of a block"),
        }
        Ok(())
    }

    /// The turns of a `for`: what an inner name ranges over is found at each turn of the outer one.
    fn turns(
        &self,
        binders: &'a [Binder],
        block: &'a Block,
        scope: &mut Scope<'a>,
        state: &mut State,
        step: &str,
        failed: &mut Vec<Claim>,
    ) -> Result<()> {
        let Some((binder, rest)) = binders.split_first() else {
            return self.block(block, scope, state, step, failed);
        };
        for choice in self.choices(std::slice::from_ref(binder), scope, state, true)? {
            scope.bindings.push((&binder.name.name, Bound::Value(choice[0])));
            let result = self.turns(rest, block, scope, state, step, failed);
            scope.bindings.pop();
            result?;
        }
        Ok(())
    }

    /// The case of a `switch` that is taken; none where none is.
    fn case(
        &self,
        value: ExprId,
        cases: &'a [(Vec<ExprId>, Block)],
        scope: &Scope<'a>,
        state: &State,
    ) -> Result<Option<usize>> {
        let value = self.eval(value, scope, state, Moment::default())?;
        for (number, (values, _)) in cases.iter().enumerate() {
            for other in values {
                if self.eval(*other, scope, state, Moment::default())? == value {
                    return Ok(Some(number));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn routine(&self, wanted: &str) -> Option<&'a RoutineDecl> {
        self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Routine(routine) if routine.name.name == wanted => Some(routine),
            _ => None,
        })
    }

    /// The parameters of a call: values, or the places of variables.
    fn arguments(
        &self,
        routine: &'a RoutineDecl,
        arguments: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Bindings<'a>> {
        let mut bindings: Bindings<'a> = Vec::new();
        for (param, &argument) in routine.params.iter().zip(arguments) {
            let bound = if param.out {
                Bound::Place(self.place(argument, scope, state)?)
            } else {
                Bound::Value(self.eval(argument, scope, state, moment)?)
            };
            bindings.push((&param.name.name, bound));
        }
        Ok(bindings)
    }

    /// The value of a function.
    pub(super) fn function(
        &self,
        routine: &'a RoutineDecl,
        arguments: &'a [ExprId],
        scope: &Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Value> {
        let bindings = self.arguments(routine, arguments, scope, state, moment)?;
        let mut inner = Scope { owner: scope.owner, bindings };
        let value = self.returned(&routine.body, &mut inner, state, moment)?;
        Ok(value.expect("every function returns"))
    }

    fn returned(
        &self,
        block: &'a Block,
        scope: &mut Scope<'a>,
        state: &State,
        moment: Moment<'_>,
    ) -> Result<Option<Value>> {
        let known = scope.bindings.len();
        for statement in &block.statements {
            let inner = match &statement.kind {
                StatementKind::Return(value) => return self.eval(*value, scope, state, moment).map(Some),
                StatementKind::Let(name, value) => {
                    let value = self.eval(*value, scope, state, moment)?;
                    scope.bindings.push((&name.name, Bound::Value(value)));
                    None
                }
                StatementKind::If(arms, otherwise) => {
                    let mut taken = otherwise.as_ref();
                    for (test, block) in arms {
                        if self.holds(*test, scope, state, moment)? {
                            taken = Some(block);
                            break;
                        }
                    }
                    taken
                }
                StatementKind::Switch(value, cases, otherwise) => {
                    let case = self.case(*value, cases, scope, state)?;
                    case.map_or(otherwise.as_ref(), |case| Some(&cases[case].1))
                }
                StatementKind::Skip => None,
                other => panic!("{other:?} is no statement of a function"),
            };
            if let Some(block) = inner
                && let Some(value) = self.returned(block, scope, state, moment)?
            {
                return Ok(Some(value));
            }
        }
        scope.bindings.truncate(known);
        Ok(None)
    }

    /// The steps of a process's code from the label where it is.
    pub(super) fn code_steps(&self, state: &State, process: (u32, i64)) -> (Vec<Step>, Vec<Wrong>) {
        let (mut steps, mut wrong) = (Vec::new(), Vec::new());
        let decl = self.families[process.0 as usize].decl;
        let Some(code) = &decl.code else { return (steps, wrong) };
        let place = self.tables[&(Some(process.0), ProcessDecl::AT)].firsts[process.1 as usize];
        let Value::Literal(at) = state[place] else { panic!("`at` is a label") };
        let here = self.literals[at as usize];
        let ended: RefCell<Vec<Ended<'a>>> = RefCell::new(Vec::new());
        let run = Run {
            scope: Scope { owner: Some(process), bindings: Vec::new() },
            state: state.clone(),
            branches: Vec::new(),
            chosen: Vec::new(),
            wrong: None,
            failed: Vec::new(),
        };
        let walk = Walk { oracle: self, step: here, ended: &ended };
        walk.enter(&code.statements, here, &run, &|run| walk.end(run, Ok(ProcessDecl::DONE)));
        let mut ended = ended.into_inner();
        // The ways in the order of the text, and for each way the choices in their order.
        ended.sort_by_key(|end| {
            (end.run.branches.clone(), end.run.chosen.iter().map(|(number, _)| *number).collect::<Vec<_>>())
        });
        for Ended { mut run, to } in ended {
            match (run.wrong, to) {
                (Some(what), Ok(_)) | (_, Err(what)) => wrong.push(what),
                (None, Ok(label)) => {
                    self.failed.borrow_mut().extend(run.failed);
                    run.state[place] = Value::Literal(self.literal(label).expect("a known label"));
                    let chosen: Vec<Value> = run.chosen.iter().map(|(_, value)| *value).collect();
                    let label = self.step_label(process, here, &chosen);
                    steps.push(Step { process, label, to: run.state });
                }
            }
        }
        (steps, wrong)
    }
}

/// Runs through one process's code.
#[derive(Clone, Copy)]
struct Walk<'w, 'a> {
    oracle: &'w Oracle<'a>,
    step: &'a str,
    ended: &'w RefCell<Vec<Ended<'a>>>,
}

impl<'a> Walk<'_, 'a> {
    fn end(&self, run: Run<'a>, to: Result<&'a str>) {
        self.ended.borrow_mut().push(Ended { run, to });
    }

    /// Starts behind a label, wherever it stands in these statements.
    fn enter(&self, statements: &'a [Statement], label: &str, run: &Run<'a>, after: After<'_, 'a>) {
        for (i, statement) in statements.iter().enumerate() {
            let rest = &statements[i + 1..];
            if matches!(&statement.kind, StatementKind::Label(name) if name.name == label) {
                self.run(rest, run.clone(), after);
                return;
            }
            let again = matches!(statement.kind, StatementKind::Loop(_) | StatementKind::While(..));
            for block in statement.kind.blocks() {
                if has_label(&block.statements, label) {
                    let from = if again { &statements[i..] } else { rest };
                    self.enter(&block.statements, label, run, &|mut run| {
                        run.scope.bindings.clear();
                        self.run(from, run, after);
                    });
                    return;
                }
            }
        }
    }

    fn holds(&self, test: ExprId, run: &Run<'a>) -> Result<bool> {
        self.oracle.holds(test, &run.scope, &run.state, Moment::default())
    }

    fn run(&self, statements: &'a [Statement], mut run: Run<'a>, after: After<'_, 'a>) {
        let Some((statement, rest)) = statements.split_first() else { return after(run) };
        let known = run.scope.bindings.len();
        let then = |mut run: Run<'a>| {
            run.scope.bindings.truncate(known);
            self.run(rest, run, after);
        };
        let block = |block: &'a Block, mut run: Run<'a>, branch: usize| {
            run.branches.push(branch);
            self.run(&block.statements, run, &then);
        };
        match &statement.kind {
            StatementKind::Label(name) | StatementKind::Goto(name) => self.end(run, Ok(&name.name)),
            StatementKind::Stop => self.end(run, Ok(ProcessDecl::DONE)),
            StatementKind::Await(test) => match self.holds(*test, &run) {
                Ok(true) => self.run(rest, run, after),
                Ok(false) => {}
                Err(what) => self.end(run, Err(what)),
            },
            StatementKind::Loop(body) => {
                self.run(&body.statements, run, &|mut run| {
                    run.scope.bindings.truncate(known);
                    self.run(statements, run, after);
                });
            }
            StatementKind::Either(blocks) => {
                for (number, one) in blocks.iter().enumerate() {
                    block(one, run.clone(), number);
                }
            }
            StatementKind::With(binders, body) => {
                let choices = match self.oracle.choices(binders, &run.scope, &run.state, true) {
                    Ok(choices) => choices,
                    Err(what) => return self.end(run, Err(what)),
                };
                for (number, choice) in choices.into_iter().enumerate() {
                    let mut run = run.clone();
                    for (binder, value) in binders.iter().zip(&choice) {
                        run.scope.bindings.push((&binder.name.name, Bound::Value(*value)));
                        run.chosen.push((number, *value));
                    }
                    self.run(&body.statements, run, &then);
                }
            }
            StatementKind::While(test, body) if decides(statement) => match self.holds(*test, &run) {
                Err(what) => self.end(run, Err(what)),
                Ok(false) => {
                    run.branches.push(1);
                    self.run(rest, run, after);
                }
                Ok(true) => {
                    run.branches.push(0);
                    self.run(&body.statements, run, &|mut run| {
                        run.scope.bindings.truncate(known);
                        self.run(statements, run, after);
                    });
                }
            },
            StatementKind::If(arms, otherwise) if decides(statement) => {
                for (number, (test, body)) in arms.iter().enumerate() {
                    match self.holds(*test, &run) {
                        Err(what) => return self.end(run, Err(what)),
                        Ok(true) => return block(body, run, number),
                        Ok(false) => {}
                    }
                }
                if let Some(body) = otherwise {
                    block(body, run, arms.len());
                } else {
                    run.branches.push(arms.len());
                    self.run(rest, run, after);
                }
            }
            StatementKind::Switch(value, cases, otherwise) if decides(statement) => {
                match self.oracle.case(*value, cases, &run.scope, &run.state) {
                    Err(what) => self.end(run, Err(what)),
                    Ok(Some(case)) => block(&cases[case].1, run, case),
                    Ok(None) => {
                        if let Some(body) = otherwise {
                            block(body, run, cases.len());
                        } else {
                            run.branches.push(cases.len());
                            self.run(rest, run, after);
                        }
                    }
                }
            }
            _ => {
                let Run { scope, state, failed, .. } = &mut run;
                if let Err(what) = self.oracle.statement(statement, scope, state, self.step, failed) {
                    run.wrong = run.wrong.or(Some(what));
                }
                self.run(rest, run, after);
            }
        }
    }
}

fn has_label(statements: &[Statement], label: &str) -> bool {
    statements.iter().any(|statement| {
        matches!(&statement.kind, StatementKind::Label(Ident { name, .. }) if name == label)
            || statement.kind.blocks().into_iter().any(|block| has_label(&block.statements, label))
    })
}

/// Whether a statement has labels, waits, choices or jumps inside.
fn decides(statement: &Statement) -> bool {
    let inside = statement.kind.blocks().into_iter().flat_map(|block| &block.statements);
    inside.into_iter().any(|inner| {
        let plain = matches!(
            inner.kind,
            StatementKind::Skip
                | StatementKind::Assign(..)
                | StatementKind::Change(..)
                | StatementKind::If(..)
                | StatementKind::For(..)
                | StatementKind::While(..)
                | StatementKind::Switch(..)
                | StatementKind::Let(..)
                | StatementKind::Assert(_)
                | StatementKind::Call(..)
                | StatementKind::Return(_)
                | StatementKind::Error
        );
        !plain || decides(inner)
    })
}
