//! Branching time (section 6): fixed points on all reachable states, on the representatives alone (Live_Rep, 6.1), or on the
//! representatives with the relation that ties every state to them (6.2).
//!
//! `forall` in front of a formula, also behind `AG`, is not written out: one choice of processes for each orbit is looked at, with the
//! symmetries that leave it in its place.

use super::encoding::Side;
use super::formula::{Atoms, MAX_PARTS, Polarity, collect, elements, expressions};
use super::log::Summary;
use super::model::Model;
use super::reach::{Question, Reach, Stop};
use super::xi::create_xi;
use super::{CtlModel, Generators, SymbolicOptions, Unsupported};
use crate::bdd::{Bdd, Manager};
use crate::explore::Path;
use crate::group::{Group, Perm, Process};
use crate::product::Deadlock;
use crate::program::{
    Domain, Fault, Flat, FormulaId, FormulaKind, Machine, Predicate, Program, PropertyId, PropertyKind, Reg,
    Scratch, TermId,
};
use crate::property::{named_processes, orbits_of_choices, process_value};
use crate::search::offer;
use crate::symmetry::ProgramSymmetry;
use crate::syntax::ast::{PathQuantifier, Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What was found out.
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
    Stopped(Stop),
    /// The formula has an error in the last state of the path.
    Undefined(Fault, Option<Path>),
    /// The relation or the fixed points need too much.
    Unsupported(Unsupported),
}

/// One choice of what the names in front stand for.
#[derive(Clone, Debug)]
struct Choice {
    bound: Vec<(Reg, i64)>,
    processes: Vec<Process>,
}

/// The check of a `ctl` property.
#[derive(Debug)]
pub struct CtlSearch<'p> {
    program: &'p Program,
    /// The symmetries that leave what the property says, and the processes that it names, as they are.
    group: Group,
    options: SymbolicOptions,
    deadlock: Deadlock,
    nodes: u32,
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
        nodes: u32,
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
            nodes,
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

    /// What was found out, at the end.
    pub fn outcome(&self) -> Option<&CtlOutcome> {
        self.outcome.as_ref()
    }

    /// The search for representatives, while there is one.
    pub fn reach(&self) -> Option<&Reach<'p>> {
        self.reach.as_ref().map(|work| &work.0)
    }

    /// What the last search counted.
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
        let mut model = Model::new(self.program, 0, self.nodes)?;
        let mut atoms = Atoms::default();
        let mut bound = choice.bound.clone();
        collect(self.program, &mut model, self.body, &mut bound, &mut atoms, &mut 0)?;
        let mut sets: Vec<Bdd> = atoms.values().flat_map(|&(yes, error)| [yes, error]).collect();
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
            Some(Stop::Complete) => {}
            Some(stop) => return Some(CtlOutcome::Stopped(stop.clone())),
            None => return Some(CtlOutcome::Stopped(Stop::Internal)),
        }
        let universe = reach.representatives();
        let proven = self.options.generators == Generators::Proven;
        let generators: Vec<Perm> = reach.generators().iter().map(|(perm, _)| perm.clone()).collect();
        let model = reach.protected_model();
        // The relation says nothing if a generator may be wrong.
        let xi = if self.options.ctl == CtlModel::Relation && proven && !generators.is_empty() {
            match create_xi(model, universe, &generators) {
                Ok(xi) => Some(xi),
                Err(unsupported) => return Some(CtlOutcome::Unsupported(unsupported)),
            }
        } else {
            None
        };
        // Only steps from a state of the universe matter.
        model.restrict_relation(universe);
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
            universe,
            xi,
            fair: universe,
            drop: false,
        };
        if self.deadlock == Deadlock::Drop {
            worker.drop = true;
            worker.fair = worker.always_on(model, universe);
            model.bdds.protect(worker.fair);
        }
        let mut bound = self.choices[self.current].bound.clone();
        let holds = worker.formula(model, self.body, &mut bound);
        if let Some(summary) = &mut self.summary {
            summary.peak_nodes = model.bdds.peak();
        }
        if model.bdds.overflowed() {
            return Some(CtlOutcome::Unsupported(Unsupported::Nodes(self.nodes)));
        }
        let initial = model.initial();
        // What stands behind AG is asked of every state on an infinite path, and all representatives are reachable.
        let asked = match (self.always, worker.drop) {
            (true, false) => universe,
            (true, true) => worker.fair,
            (false, _) => initial,
        };
        let holds = match holds {
            Ok(holds) => model.bdds.protect(holds),
            Err(wrong) => return Some(self.undefined(&mut reach, &wrong)),
        };
        let bad = model.bdds.minus(asked, holds);
        let polarity = Polarity::signed(self.program, self.body, true);
        let outcome = if bad == Bdd::FALSE {
            // With `E` alone a witness inside the representatives is one of the program, and what holds for them holds for the
            // states that are symmetric to them. Only where deadlocks are dropped some of them may not have been asked.
            let enough =
                exact || !worker.drop && matches!(polarity, Polarity::Existential | Polarity::Neither);
            if enough && proven { None } else { Some(CtlOutcome::ExploredOnly) }
        } else if exact || matches!(polarity, Polarity::Universal | Polarity::Neither) {
            let path = if self.always { reach.path_into(bad) } else { None };
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
    /// What exactly is wrong with a proposition is found by evaluating it.
    fn undefined(&self, reach: &mut Reach<'_>, wrong: &Wrong) -> CtlOutcome {
        let program = self.program;
        let Some(path) = reach.path_into(wrong.at) else { return CtlOutcome::Stopped(Stop::Internal) };
        let last = path.last_state();
        let enabled = offer(&mut Machine::new(program), &last, None, &last).enabled;
        let view = Flat { values: &last, enabled: &enabled, executed: None };
        let predicate = Predicate::new(program, wrong.term, wrong.regs);
        match predicate.holds_with(&view, &mut Scratch::default(), &wrong.bound) {
            Err(fault) => CtlOutcome::Undefined(fault, Some(path)),
            Ok(_) => CtlOutcome::Stopped(Stop::Internal),
        }
    }
}

/// Where a proposition has an error, and with what in the place of its names.
struct Wrong {
    at: Bdd,
    term: TermId,
    regs: u32,
    bound: Vec<(Reg, i64)>,
}

/// One choice of what the names in front stand for, for each orbit.
fn choices(program: &Program, group: &Group, leading: &[(Reg, Domain)]) -> Option<Vec<Choice>> {
    let families: Vec<(u32, u32)> = leading
        .iter()
        .filter_map(|(_, domain)| match domain {
            Domain::Family(family) => {
                let family = &program.families[*family];
                Some((family.first.0, family.first.0 + family.size))
            }
            Domain::Range(..) => None,
        })
        .collect();
    let mut all = Vec::new();
    for (processes, _) in orbits_of_choices(group, &families)? {
        let mut partial: Vec<Vec<(Reg, i64)>> = alloc::vec![Vec::new()];
        let mut rest = processes.iter();
        for &(reg, domain) in leading {
            let values: Vec<i64> = match domain {
                Domain::Family(_) => rest.next().map(|&p| process_value(program, p)).into_iter().collect(),
                Domain::Range(low, high) => (low..=high).collect(),
            };
            let longer = |choice: &Vec<(Reg, i64)>| {
                values.iter().map(|&v| choice.iter().copied().chain([(reg, v)]).collect()).collect::<Vec<_>>()
            };
            partial = partial.iter().flat_map(longer).collect();
            if partial.len() > MAX_PARTS as usize {
                return None;
            }
        }
        all.extend(partial.into_iter().map(|bound| Choice { bound, processes: processes.clone() }));
    }
    Some(all)
}

/// The fixed points on one structure.
struct Worker<'a> {
    program: &'a Program,
    /// One more than the highest register of the property.
    regs: u32,
    atoms: &'a Atoms,
    universe: Bdd,
    /// From a set of next representatives to all next states that are symmetric to one of them.
    xi: Option<Bdd>,
    /// Where an infinite path begins; all of the universe while deadlocks repeat.
    fair: Bdd,
    drop: bool,
}

impl Worker<'_> {
    /// Where a formula holds, within the universe; or where a proposition in it has an error.
    fn formula(
        &self,
        model: &mut Model<'_>,
        formula: FormulaId,
        bound: &mut Vec<(Reg, i64)>,
    ) -> Result<Bdd, Wrong> {
        let program = self.program;
        let set = match &program.formulas[formula].kind {
            FormulaKind::Atom(term) => {
                let (holds, error) =
                    self.atoms.get(&(*term, bound.clone())).copied().unwrap_or((Bdd::FALSE, Bdd::FALSE));
                let wrong = model.bdds.and(error, self.universe);
                if wrong != Bdd::FALSE {
                    return Err(Wrong { at: wrong, term: *term, regs: self.regs, bound: bound.clone() });
                }
                model.bdds.and(holds, self.universe)
            }
            FormulaKind::Not(a) => {
                let a = self.formula(model, *a, bound)?;
                self.not(model, a)
            }
            FormulaKind::And(list) => {
                let mut all = self.universe;
                for &part in list {
                    let part = self.formula(model, part, bound)?;
                    all = model.bdds.and(all, part);
                }
                all
            }
            FormulaKind::Or(list) => {
                let mut any = Bdd::FALSE;
                for &part in list {
                    let part = self.formula(model, part, bound)?;
                    any = model.bdds.or(any, part);
                }
                any
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                let not = self.not(model, a);
                model.bdds.or(not, b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                let same = model.bdds.iff(a, b);
                model.bdds.and(same, self.universe)
            }
            FormulaKind::Quantified(quantifier, reg, domain, body) => {
                let all = *quantifier == Quantifier::Forall;
                let mut result = if all { self.universe } else { Bdd::FALSE };
                for element in elements(program, *domain) {
                    bound.push((*reg, element));
                    let part = self.formula(model, *body, bound);
                    bound.pop();
                    let part = part?;
                    result = if all { model.bdds.and(result, part) } else { model.bdds.or(result, part) };
                }
                result
            }
            FormulaKind::Branching(path, op, a) => {
                let a = self.formula(model, *a, bound)?;
                let all = *path == PathQuantifier::All;
                let inner = if all { self.not(model, a) } else { a };
                let some = match (op, all) {
                    (TemporalOp::Next, _) => self.next(model, inner),
                    (TemporalOp::Finally, false) | (TemporalOp::Globally, true) => {
                        self.until(model, self.universe, inner)
                    }
                    (TemporalOp::Globally, false) | (TemporalOp::Finally, true) => {
                        self.always_on(model, inner)
                    }
                };
                if all { self.not(model, some) } else { some }
            }
            FormulaKind::BranchingBinary(path, op, a, b) => {
                let (a, b) = (self.formula(model, *a, bound)?, self.formula(model, *b, bound)?);
                self.binary(model, *path, *op, a, b)
            }
            // Neither linear time nor a fixed point stands in a formula of branching time.
            FormulaKind::Temporal(..)
            | FormulaKind::TemporalBinary(..)
            | FormulaKind::Fixpoint(..)
            | FormulaKind::Variable(_) => Bdd::FALSE,
        };
        Ok(model.bdds.protect(set))
    }

    fn not(&self, model: &mut Model<'_>, set: Bdd) -> Bdd {
        model.bdds.minus(self.universe, set)
    }

    fn binary(
        &self,
        model: &mut Model<'_>,
        path: PathQuantifier,
        op: TemporalBinaryOp,
        a: Bdd,
        b: Bdd,
    ) -> Bdd {
        let both = model.bdds.and(a, b);
        let either = model.bdds.or(a, b);
        let (not_a, not_b) = (self.not(model, a), self.not(model, b));
        let neither = self.not(model, either);
        let not_both = self.not(model, both);
        for f in [both, either, not_a, not_b, neither, not_both] {
            model.bdds.protect(f);
        }
        // a R b fails where ¬a U ¬b holds; a W b is b R (a or b); a M b is b U (a and b).
        let exists_until = |model: &mut Model<'_>, x: Bdd, y: Bdd| self.until(model, x, y);
        // A[x U y] fails where E[¬y U (¬x and ¬y)] or EG ¬y holds.
        let fails_until = |model: &mut Model<'_>, not_y: Bdd, neither: Bdd| {
            let early = self.until(model, not_y, neither);
            model.bdds.protect(early);
            let never = self.always_on(model, not_y);
            model.bdds.or(early, never)
        };
        match (path, op) {
            (PathQuantifier::Some, TemporalBinaryOp::Until) => exists_until(model, a, b),
            (PathQuantifier::Some, TemporalBinaryOp::StrongRelease) => exists_until(model, b, both),
            (PathQuantifier::All, TemporalBinaryOp::Release) => {
                let fails = exists_until(model, not_a, not_b);
                self.not(model, fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::WeakUntil) => {
                let fails = exists_until(model, not_b, neither);
                self.not(model, fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::Until) => {
                let fails = fails_until(model, not_b, neither);
                self.not(model, fails)
            }
            (PathQuantifier::All, TemporalBinaryOp::StrongRelease) => {
                // b U (a and b): it fails where ¬(a and b) U (¬b and ¬(a and b)), which is ¬b, or for ever ¬(a and b).
                let fails = fails_until(model, not_both, not_b);
                self.not(model, fails)
            }
            // E[a R b]: b for ever, or b U (a and b). E[a W b]: a for ever, or a U b.
            (PathQuantifier::Some, TemporalBinaryOp::Release) => {
                let done = self.until(model, b, both);
                model.bdds.protect(done);
                let never = self.always_on(model, b);
                model.bdds.or(done, never)
            }
            (PathQuantifier::Some, TemporalBinaryOp::WeakUntil) => {
                let done = self.until(model, a, b);
                model.bdds.protect(done);
                let never = self.always_on(model, a);
                model.bdds.or(done, never)
            }
        }
    }

    /// EX: where some step leads into the set, on an infinite path.
    fn next(&self, model: &mut Model<'_>, set: Bdd) -> Bdd {
        let set = model.bdds.and(set, self.fair);
        let targets = match self.xi {
            Some(xi) => {
                let variables = model.encoding().variables(Side::Current);
                let cube = model.bdds.variables(&variables);
                let reached = model.bdds.and_exists(set, xi, cube);
                model.as_current(reached)
            }
            None => set,
        };
        let mut before = model.preimage(targets);
        if !self.drop {
            let deadlock = model.deadlock();
            let repeated = model.bdds.and(set, deadlock);
            before = model.bdds.or(before, repeated);
        }
        model.bdds.and(before, self.universe)
    }

    /// E[a U b], on infinite paths.
    fn until(&self, model: &mut Model<'_>, a: Bdd, b: Bdd) -> Bdd {
        let mut found = model.bdds.and(b, self.fair);
        let mut frontier = found;
        while frontier != Bdd::FALSE && !model.bdds.overflowed() {
            let before = self.next(model, frontier);
            let more = model.bdds.and(before, a);
            frontier = model.bdds.minus(more, found);
            found = model.bdds.or(found, frontier);
            self.collect_if_due(&mut model.bdds, &[a, found, frontier]);
        }
        found
    }

    /// EG a.
    fn always_on(&self, model: &mut Model<'_>, a: Bdd) -> Bdd {
        let mut left = a;
        loop {
            let next = self.next(model, left);
            let kept = model.bdds.and(left, next);
            if kept == left || model.bdds.overflowed() {
                return left;
            }
            left = kept;
            self.collect_if_due(&mut model.bdds, &[a, left]);
        }
    }

    fn collect_if_due(&self, bdds: &mut Manager, also: &[Bdd]) {
        if bdds.collection_due() {
            let mut keep = also.to_vec();
            keep.extend([self.universe, self.fair]);
            keep.extend(self.xi);
            bdds.collect(&keep);
        }
    }
}
