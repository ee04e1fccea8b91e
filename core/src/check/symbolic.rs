//! Invariants and deadlocks by the symbolic engine.

use super::options::{Engine, Options, Refusal};
use super::report::{Counterexample, Faulty, Progress, Report, Stats, Unknown, Verdict};
use super::survey::unknown_fault;
use super::target::CheckError;
use crate::error::Limit;
use crate::explore::Path;
use crate::group::{Group, Process};
use crate::program::{Flat, Machine, Predicate, Program, PropertyId, PropertyKind, Scratch};
use crate::property::{Obligation, PropertyError};
use crate::search::{LassoFault, offer, replay_path};
use crate::symbolic::{
    CtlOutcome, CtlSearch, Found, Generators, Model, Question, Reach, ReachStop, Safety, Unsupported,
    deadlocked, violations,
};
use crate::symmetry::ProgramSymmetry;
use crate::syntax::ast::Logic;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// A symbolic pass over the states.
#[derive(Debug)]
pub(super) struct SymbolicPass<'p> {
    program: &'p Program,
    invariants: Vec<PropertyId>,
    /// The search; none where the limit of nodes does not let it begin.
    reach: Option<Reach<'p>>,
    unchecked: bool,
}

impl<'p> SymbolicPass<'p> {
    pub(super) fn new(
        program: &'p Program,
        group: &Group,
        invariants: &[PropertyId],
        options: &Options,
    ) -> Result<Self, Refusal> {
        let of_states = |id: &PropertyId| program.properties[*id].logic().is_of_states();
        let invariants: Vec<PropertyId> = invariants.iter().copied().filter(of_states).collect();
        let reach = match search(program, group, &invariants, options) {
            Ok(reach) => Some(reach),
            Err(Unsupported::Nodes(_)) => None,
            Err(unsupported) => return Err(unsupported.into()),
        };
        let unchecked = options.symbolic.generators == Generators::Unchecked;
        Ok(SymbolicPass { program, invariants, reach, unchecked })
    }

    pub(super) fn reach(&self) -> Option<&Reach<'p>> {
        self.reach.as_ref()
    }

    pub(super) fn step(&mut self) -> bool {
        self.reach.as_mut().is_some_and(Reach::step)
    }

    fn stopped(&self) -> Option<&ReachStop> {
        self.reach.as_ref().map_or(Some(&ReachStop::NodeLimit), Reach::stopped)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.stopped() == Some(&ReachStop::Complete) && !self.unchecked
    }

    pub(super) fn stats(&self) -> Stats {
        self.reach.as_ref().map(stats).unwrap_or_default()
    }

    pub(super) fn deadlock_count(&self) -> u64 {
        self.reach.as_ref().map_or(0, |reach| reach.deadlock_count().to_u64().unwrap_or(u64::MAX))
    }

    pub(super) fn deadlock_path(&mut self) -> Option<Path> {
        self.reach.as_mut()?.deadlock_path()
    }

    pub(super) fn violation(&self, id: PropertyId) -> Option<Path> {
        let number = self.invariants.iter().position(|&own| own == id)?;
        match &self.reach.as_ref()?.found()[number] {
            Some(Found::Bad(path)) => Some(path.clone()),
            _ => None,
        }
    }

    pub(super) fn faulty_invariant(&self) -> Option<PropertyId> {
        match self.stopped() {
            Some(ReachStop::Undefined(number, _)) => Some(self.invariants[*number as usize]),
            _ => None,
        }
    }

    /// Why not everything is known; none where it is.
    pub(super) fn unknown(&self) -> Option<Unknown> {
        match self.stopped() {
            Some(ReachStop::Complete) if self.unchecked => Some(Unknown::FalsificationOnly),
            Some(ReachStop::Complete | ReachStop::AllViolated) => None,
            Some(ReachStop::Undefined(number, path)) => Some(self.undefined(*number, path)),
            stop => Some(unknown(stop)),
        }
    }

    /// Evaluates the invariant at the end of the path, to say exactly which error it has.
    fn undefined(&self, number: u32, path: &Path) -> Unknown {
        let id = self.invariants[number as usize];
        let last = path.last_state();
        let fault = self.program.state_term(id).and_then(|term| {
            let predicate = Predicate::new(self.program, term, self.program.properties[id].regs);
            predicate.holds(&Flat::new(&last), &mut Scratch::default(), &[]).err()
        });
        match fault {
            Some(fault) => unknown_fault(Faulty::Property(fault), Some(path.clone())),
            None => step_fault(self.program, path),
        }
    }
}

/// The search for violations of these properties of states.
fn search<'p>(
    program: &'p Program,
    group: &Group,
    invariants: &[PropertyId],
    options: &Options,
) -> Result<Reach<'p>, Unsupported> {
    let mut model = Model::new(program, 0, options.nodes())?;
    let mut asked = Vec::new();
    for &id in invariants {
        asked.push(match program.state_term(id) {
            Some(term) => violations(&mut model, term)?,
            None => deadlocked(&model),
        });
    }
    let question = Question { asked, ..Question::default() };
    Reach::new(model, group.generators(), &options.symbolic, question)
}

/// How far a search is: its representatives, the nodes of its diagrams, and its iterations.
pub(super) fn progress(reach: &Reach<'_>) -> Progress {
    let last = reach.iterations().last();
    Progress {
        search: 0,
        searches: 1,
        nodes: last.map_or(0, |i| i.representatives.to_u64().unwrap_or(u64::MAX)),
        edges: reach.model().bdds.used().into(),
        depth: reach.iterations().len() as u32,
        bytes: reach.model().bdds.bytes(),
        making: 0,
    }
}

pub(super) fn stats(reach: &Reach<'_>) -> Stats {
    Stats { peak_bytes: reach.model().bdds.bytes(), ..Stats::default() }
}

/// How the search for a finite run ended: without one, with one, or not known why not.
pub(super) fn after(search: &Safety<'_>, options: &Options) -> Result<Option<Path>, Unknown> {
    let reach = &search.reach;
    match reach.stopped() {
        Some(ReachStop::AllViolated) => match reach.found().first() {
            Some(Some(Found::Bad(path))) => Ok(Some(path.clone())),
            _ => Err(Unknown::Internal(LassoFault::Open)),
        },
        Some(ReachStop::Complete) if options.symbolic.generators == Generators::Unchecked => {
            Err(Unknown::FalsificationOnly)
        }
        Some(ReachStop::Complete) => Ok(None),
        _ => Err(unreached(reach, search.obligation())),
    }
}

/// Why a search for all states of an obligation ended before it was complete.
pub(super) fn unreached(reach: &Reach<'_>, obligation: &Obligation) -> Unknown {
    match reach.stopped() {
        Some(ReachStop::Undefined(_, path)) => atom_fault(reach.model().program(), obligation, path),
        stop => unknown(stop),
    }
}

/// The limit of nodes.
pub(super) fn full() -> Unknown {
    unknown(Some(&ReachStop::NodeLimit))
}

/// Evaluates the atomic proposition at the end of the path, to say exactly which error it has.
fn atom_fault(program: &Program, obligation: &Obligation, path: &Path) -> Unknown {
    let last = path.last_state();
    let enabled = offer(&mut Machine::new(program), &last, None, &last).enabled;
    let able = (0u32..).zip(&enabled).filter(|(_, on)| **on).map(|(process, _)| Some(Process(process)));
    let mut scratch = Scratch::default();
    // Where a proposition asks who executes, it may depend on that whether it has an error.
    let found = core::iter::once(None).chain(able).find_map(|executed| {
        let view = Flat { values: &last, enabled: &enabled, executed };
        let mut atoms = obligation.atoms.iter();
        atoms.find_map(|atom| atom.holds(program, &view, &mut scratch, &obligation.tracked).err())
    });
    match found {
        Some(fault) => unknown_fault(Faulty::Property(fault), Some(path.clone())),
        None => step_fault(program, path),
    }
}

/// A proposition about who is enabled has no value where a step has an error, which is found by executing.
fn step_fault(program: &Program, path: &Path) -> Unknown {
    let last = path.last_state();
    match Machine::new(program).steps(&last, &mut |_| ControlFlow::Continue(())) {
        Err(fault) => unknown_fault(Faulty::Step(fault), Some(path.clone())),
        Ok(_) => Unknown::Internal(LassoFault::Right),
    }
}

/// The ends that need no more than their name.
fn unknown(stop: Option<&ReachStop>) -> Unknown {
    match stop {
        Some(ReachStop::NodeLimit) => Unknown::Limit(Limit::Nodes),
        Some(ReachStop::Fault(fault, path)) => {
            unknown_fault(Faulty::Step((**fault).clone()), Some(path.clone()))
        }
        Some(_) => Unknown::Internal(LassoFault::Open),
        None => Unknown::Stopped,
    }
}

/// Why a check could not begin, or not go on: the limit of nodes is one like others.
pub(super) fn refused(unsupported: Unsupported) -> Unknown {
    match unsupported {
        Unsupported::Nodes(_) => Unknown::Limit(Limit::Nodes),
        other => Unknown::Unsupported(other),
    }
}

/// Prepares the check of a `ctl` property.
pub(super) fn branching<'p>(
    program: &'p Program,
    symmetry: &ProgramSymmetry,
    id: PropertyId,
    options: &Options,
) -> Result<CtlSearch<'p>, CheckError> {
    if matches!(program.properties[id].kind, PropertyKind::Formula(Logic::Mu, _)) {
        return Err(Refusal::Mu.into());
    }
    if options.fair_ctl {
        return Err(Refusal::FairCtl.into());
    }
    let search = CtlSearch::new(program, symmetry, id, &options.symbolic, options.deadlock, options.nodes());
    let span = program.properties[id].span;
    search.ok_or_else(|| PropertyError::TooManyInstances(span).into())
}

/// Reports a `ctl` property as far as the search has come. A path that does not replay is not shown.
pub(super) fn branching_report(search: &CtlSearch<'_>, program: &Program) -> Report {
    let mut counterexample = None;
    let verdict = match search.outcome() {
        Some(CtlOutcome::Holds) => Verdict::Holds,
        Some(CtlOutcome::Violated(None)) => Verdict::Violated,
        Some(CtlOutcome::Violated(Some(path))) => match replay_path(program, path) {
            Ok(()) => {
                counterexample = Some(Counterexample::Path(path.clone()));
                Verdict::Violated
            }
            Err(fault) => Verdict::Unknown(Unknown::Internal(fault)),
        },
        Some(CtlOutcome::ExploredOnly) => Verdict::Unknown(Unknown::ExploredOnly),
        Some(CtlOutcome::Mixed) => Verdict::Unknown(Unknown::Mixed),
        Some(CtlOutcome::Unsupported(unsupported)) => Verdict::Unknown(refused(*unsupported)),
        Some(CtlOutcome::Undefined(fault, path)) => {
            Verdict::Unknown(unknown_fault(Faulty::Property(*fault), path.clone()))
        }
        Some(CtlOutcome::Stopped(stop)) => Verdict::Unknown(unknown(Some(stop))),
        None => Verdict::Unknown(Unknown::Stopped),
    };
    Report {
        verdict,
        engine: Engine::Symbolic,
        searches: search.choice_count(),
        expanded: 0,
        symmetric: false,
        instance: None,
        stats: search.reach().map(stats).unwrap_or_default(),
        counterexample,
        run_note: None,
        branching: None,
        symbolic: search.summary().map(Box::new),
    }
}
