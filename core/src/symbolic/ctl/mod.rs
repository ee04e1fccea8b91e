//! Branching time (section 6): fixed points on all reachable states, on the representatives alone (Live_Rep, 6.1), or on the
//! representatives with the relation that ties every state to them (6.2).
//!
//! `forall` in front of a formula, also behind `AG`, is not written out: one choice of processes for each orbit is looked at, with the
//! symmetries that leave it in its place.

mod atoms;
mod choice;
mod fixpoint;
mod polarity;

use super::log::Summary;
use super::model::Model;
use super::reach::{Question, Reach, ReachStop};
use super::xi::create_xi;
use super::{CtlModel, Generators, SymbolicOptions, Unsupported};
use crate::bdd::{Bdd, Budget};
use crate::explore::Path;
use crate::group::{Group, Perm, Process};
use crate::limits::MAX_SYMBOLIC_PARTS;
use crate::product::Deadlock;
use crate::program::{
    Fault, Flat, FormulaId, FormulaKind, Machine, Predicate, Program, PropertyId, PropertyKind, Scratch,
};
use crate::property::named_processes;
use crate::search::offer;
use crate::strain::{size, took};
use crate::symmetry::ProgramSymmetry;
use crate::syntax::ast::{PathQuantifier, Quantifier, TemporalOp};
use alloc::boxed::Box;
use alloc::vec::Vec;
use atoms::{Atoms, collect, expressions};
use choice::{Choice, choices};
use fixpoint::{Worker, Wrong};
use polarity::Polarity;

/// Whether a formula of this many parts is too large.
fn is_too_large(parts: usize) -> bool {
    let too_large = parts > size("symbolic: parts of a formula", MAX_SYMBOLIC_PARTS, 10) as usize;
    if too_large {
        took("symbolic: a formula with too many parts");
    }
    too_large
}

/// The outcome of a symbolic check of a `ctl` property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CtlOutcome {
    /// It holds for the program.
    Holds,
    /// It does not; where `AG` stands in front, a path to a state in which what is behind it does not hold.
    Violated(Option<Path>),
    /// It was not refuted in the part that was explored, which says nothing of the program.
    ExploredOnly,
    /// The representatives alone tell something only of formulas with `A` alone, or with `E` alone.
    Mixed,
    /// The representatives could not be found.
    Stopped(ReachStop),
    /// The formula has an error in the last state of the path.
    Undefined(Fault, Option<Path>),
    /// The relation or the fixed points need too much.
    Unsupported(Unsupported),
}

/// The check of a `ctl` property.
#[derive(Debug)]
pub struct CtlSearch<'p> {
    program: &'p Program,
    /// The symmetries that leave what the property says, and the processes that it names, as they are.
    group: Group,
    options: SymbolicOptions,
    deadlock: Deadlock,
    budget: Budget,
    /// The formula behind what stands in front, and whether `AG` is among that.
    body: FormulaId,
    regs: u32,
    always: bool,
    choices: Vec<Choice>,
    current: usize,
    reach: Option<Box<(Reach<'p>, Atoms)>>,
    summary: Option<Summary>,
    outcome: Option<CtlOutcome>,
}

impl<'p> CtlSearch<'p> {
    /// Prepares the check; none if the property is of another logic.
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        id: PropertyId,
        options: &SymbolicOptions,
        deadlock: Deadlock,
        budget: impl Into<Budget>,
    ) -> Option<Self> {
        let PropertyKind::Formula(_, mut body) = program.properties[id].kind else { return None };
        let (mut always, mut leading) = (false, Vec::new());
        loop {
            match program.formulas[body].kind {
                FormulaKind::Quantified(Quantifier::Forall, reg, domain, inner) => {
                    leading.push((reg, domain));
                    body = inner;
                }
                FormulaKind::Branching(PathQuantifier::All, TemporalOp::Globally, inner) => {
                    always = true;
                    body = inner;
                }
                _ => break,
            }
        }
        let mut terms = Vec::new();
        expressions(program, body, &mut leading.iter().copied().collect(), &mut terms);
        let named: Vec<Process> = terms.iter().flat_map(|t| named_processes(program, t.term)).collect();
        let group = symmetry.for_property(program, &terms).group.stabiliser(&named);
        let choices = choices(program, &group, &leading)?;
        Some(CtlSearch {
            program,
            group,
            options: *options,
            deadlock,
            budget: budget.into(),
            body,
            regs: program.properties[id].regs,
            always,
            choices,
            current: 0,
            reach: None,
            summary: None,
            outcome: None,
        })
    }

    /// The outcome, at the end.
    pub fn outcome(&self) -> Option<&CtlOutcome> {
        self.outcome.as_ref()
    }

    /// The search for representatives, while there is one.
    pub fn reach(&self) -> Option<&Reach<'p>> {
        self.reach.as_ref().map(|work| &work.0)
    }

    /// The counts of the last search.
    pub fn summary(&self) -> Option<Summary> {
        self.reach().map(Reach::summary).or_else(|| self.summary.clone())
    }

    /// How many choices there are, each looked at by itself.
    pub fn choice_count(&self) -> u32 {
        self.choices.len() as u32
    }

    /// Goes on to the end.
    pub fn run(&mut self) -> &CtlOutcome {
        while self.step() {}
        self.outcome.as_ref().unwrap_or(&CtlOutcome::Holds)
    }

    /// One operation of the search for representatives, or all fixed points of one choice; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        if self.current == self.choices.len() {
            self.outcome = Some(CtlOutcome::Holds);
            return false;
        }
        let ended = match &mut self.reach {
            None => match self.start() {
                Ok(work) => {
                    self.reach = Some(Box::new(work));
                    None
                }
                Err(unsupported) => Some(CtlOutcome::Unsupported(unsupported)),
            },
            Some(work) => {
                if work.0.step() {
                    None
                } else {
                    self.reach.take().and_then(|work| self.evaluate(*work))
                }
            }
        };
        self.outcome = ended;
        self.outcome.is_none()
    }

    /// The search for representatives under the symmetries that leave the choice and every atomic proposition as they are.
    fn start(&mut self) -> Result<(Reach<'p>, Atoms), Unsupported> {
        let choice = &self.choices[self.current];
        let mut model = Model::new(self.program, 0, self.budget)?;
        let mut atoms = Atoms::default();
        let mut bound = choice.bound.clone();
        collect(self.program, &mut model, self.body, &mut bound, &mut atoms, &mut 0)?;
        let mut sets: Vec<Bdd> =
            atoms.values().flat_map(|(yes, error)| [yes.clone(), error.clone()]).collect();
        sets.sort_unstable();
        let group = self.group.stabiliser(&choice.processes);
        let generators: Vec<_> =
            if self.options.ctl == CtlModel::All { Vec::new() } else { group.generators().collect() };
        let mut options = self.options;
        if options.ctl == CtlModel::All {
            options.generators = Generators::Proven;
        }
        let question = Question { atoms: sets, ..Question::default() };
        Ok((Reach::new(model, generators, &options, question)?, atoms))
    }

    /// The fixed points; none if this choice is fine and there may be others.
    fn evaluate(&mut self, (mut reach, atoms): (Reach<'p>, Atoms)) -> Option<CtlOutcome> {
        self.summary = Some(reach.summary());
        match reach.stopped() {
            Some(ReachStop::Complete) => {}
            Some(stop) => return Some(CtlOutcome::Stopped(stop.clone())),
            None => return Some(CtlOutcome::Stopped(ReachStop::Internal)),
        }
        let universe = reach.representatives().clone();
        let proven = self.options.generators == Generators::Proven;
        let generators: Vec<Perm> = reach.generators().iter().map(|(perm, _)| perm.clone()).collect();
        let model = reach.model_mut();
        // The relation says nothing if a generator may be wrong.
        let xi = if self.options.ctl == CtlModel::Relation && proven && !generators.is_empty() {
            match create_xi(model, &universe, &generators) {
                Ok(xi) => Some(xi),
                Err(unsupported) => return Some(CtlOutcome::Unsupported(unsupported)),
            }
        } else {
            None
        };
        // Only steps from a state of the universe matter.
        model.restrict_relation(&universe);
        if let Some(summary) = &mut self.summary {
            summary.relation_nodes = model.relation_size();
            summary.peak_nodes = model.bdds.peak();
        }
        // Without a relation the representatives are all states only if no symmetry was used.
        let exact = xi.is_some() || generators.is_empty();
        let mut worker = Worker {
            program: self.program,
            regs: self.regs,
            atoms: &atoms,
            fair: universe.clone(),
            universe,
            xi,
            drop: false,
        };
        worker.drop = self.deadlock == Deadlock::Drop;
        // No infinite path leads on from where every step leads out of what is assumed.
        let finite = worker.drop || self.program.assumption.is_some();
        if finite {
            worker.fair = worker.always_on(model, &worker.universe);
        }
        let mut bound = self.choices[self.current].bound.clone();
        let holds = worker.formula(model, self.body, &mut bound);
        if let Some(summary) = &mut self.summary {
            summary.peak_nodes = model.bdds.peak();
        }
        let limit = Some(CtlOutcome::Unsupported(Unsupported::Nodes(self.budget.nodes)));
        if model.bdds.overflowed() {
            return limit;
        }
        // The formula behind AG is asked of every state on an infinite path, and all representatives are reachable.
        let asked = match (self.always, finite) {
            (true, false) => worker.universe.clone(),
            (true, true) => worker.fair.clone(),
            (false, _) => model.initial().clone(),
        };
        let holds = match holds {
            Ok(holds) => holds,
            Err(wrong) => return Some(self.undefined(&mut reach, &wrong)),
        };
        let bad = model.bdds.minus(&asked, &holds);
        if model.bdds.overflowed() {
            return limit;
        }
        let polarity = Polarity::signed(self.program, self.body, true);
        let outcome = if bad.is_false() {
            // With `E` alone a witness inside the representatives is one of the program, and what holds for them holds for the
            // states that are symmetric to them. Only where deadlocks are dropped some of them may not have been asked.
            let enough = exact || !finite && matches!(polarity, Polarity::Existential | Polarity::Neither);
            if enough && proven { None } else { Some(CtlOutcome::ExploredOnly) }
        } else if exact || matches!(polarity, Polarity::Universal | Polarity::Neither) {
            let path = if self.always { reach.path_into(&bad) } else { None };
            Some(CtlOutcome::Violated(path))
        } else if polarity == Polarity::Mixed {
            Some(CtlOutcome::Mixed)
        } else {
            Some(CtlOutcome::ExploredOnly)
        };
        self.current += 1;
        outcome
    }
}

impl CtlSearch<'_> {
    /// Evaluates a proposition, to say exactly which error it has.
    fn undefined(&self, reach: &mut Reach<'_>, wrong: &Wrong) -> CtlOutcome {
        let program = self.program;
        let Some(path) = reach.path_into(&wrong.at) else { return CtlOutcome::Stopped(ReachStop::Internal) };
        let last = path.last_state();
        let enabled = offer(&mut Machine::new(program), &last, None, &last).enabled;
        let view = Flat { values: &last, enabled: &enabled, executed: None };
        let predicate = Predicate::new(program, wrong.term, wrong.regs);
        match predicate.holds_with(&view, &mut Scratch::default(), &wrong.bound) {
            Err(fault) => CtlOutcome::Undefined(fault, Some(path)),
            Ok(_) => CtlOutcome::Stopped(ReachStop::Internal),
        }
    }
}
