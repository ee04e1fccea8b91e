//! One pass over all states: deadlocks, and every invariant that tells no processes apart.

use super::breadth_first::{BreadthFirst, PathMaker};
use super::making::LAST_STEPS;
use super::options::{Engine, Options, Refusal};
use super::report::{
    Counterexample, FaultReport, Faulty, Instance, Progress, Report, RunNote, Stats, Unknown, Verdict,
};
use super::symbolic::{SymbolicPass, progress};
use crate::crew::Crew;
use crate::explore::{Exploration, Path, StopReason};
use crate::limits::DEADLOCKS_AFTER_INVARIANTS;
use crate::program::{Flat, Predicate, Program, PropertyId, PropertyKind, PropertyLogic, Scratch};
use crate::property::{Obligation, PropertyError, invariant_obligation};
use crate::quotient::AqsiId;
use crate::search::{LassoFault, is_deadlock, replay_path};
use crate::strain::size;
use crate::symbolic::{self, Phase, Summary};
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::task::Poll;

/// A pass over the states: of the quotient for the engines that use it, otherwise of the program.
///
/// ```
/// use orbitscope_core::check::{Options, Survey, Verdict};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[5] { var x: bool = false action go: not x -> x := true }
///     invariant few: count(q in p: q.x) < 3");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let id = program.property("few").unwrap();
/// let symmetry = symmetry::detect(&program);
/// let mut survey = Survey::new(&program, &symmetry, &[id], &Options::default()).unwrap();
/// survey.run();
/// assert!(matches!(survey.report(id).verdict, Verdict::Violated));
/// ```
#[derive(Debug)]
pub struct Survey<'p> {
    program: &'p Program,
    engine: Engine,
    /// The obligation of an invariant that is looked at by itself.
    obligation: Option<Obligation>,
    pass: Pass<'p>,
    paths: Paths<'p>,
    /// Whether no more states are looked at.
    hurried: bool,
}

/// The paths to the states of the quotient that are to be shown.
#[derive(Clone, Debug, Default)]
struct Paths<'p> {
    made: Vec<(AqsiId, Option<Path>)>,
    making: Option<(AqsiId, PathMaker<'p>)>,
    steps: u64,
}

impl<'p> Paths<'p> {
    /// Takes a small step of the making; says whether there is more to make.
    fn step(&mut self, reach: &mut BreadthFirst<'p>) -> bool {
        if let Some((goal, maker)) = &mut self.making {
            self.steps += 1;
            if let Poll::Ready(path) = reach.make_path(maker) {
                self.made.push((*goal, path));
                self.making = None;
            }
            return true;
        }
        let violated = reach.violations().iter().map(|(_, state)| *state);
        let mut goals = violated.chain(reach.deadlocks().first().copied());
        let Some(goal) = goals.find(|goal| self.get(*goal).is_none()) else { return false };
        match reach.path_maker(goal) {
            Some(maker) => self.making = Some((goal, maker)),
            None => self.made.push((goal, None)),
        }
        true
    }

    /// The path to a state, if it has been made; there may be none.
    fn get(&self, goal: AqsiId) -> Option<&Option<Path>> {
        self.made.iter().find(|(state, _)| *state == goal).map(|(_, path)| path)
    }

    /// The path to a state, if it can be made with few more steps.
    fn soon(&mut self, reach: &mut BreadthFirst<'p>, goal: AqsiId, hurried: bool) -> Poll<Option<Path>> {
        let mut left = if hurried { 0 } else { LAST_STEPS };
        while self.get(goal).is_none() && left > 0 && self.step(reach) {
            left -= 1;
        }
        self.get(goal).map_or(Poll::Pending, |path| Poll::Ready(path.clone()))
    }
}

#[derive(Debug)]
enum Pass<'p> {
    Quotient(Box<BreadthFirst<'p>>),
    States(Box<Exploration<'p>>),
    Symbolic(Box<SymbolicPass<'p>>),
}

impl<'p> Survey<'p> {
    /// Starts a pass that decides these invariants, each of which [`Survey::takes`].
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        invariants: &[PropertyId],
        options: &Options,
    ) -> Result<Self, Refusal> {
        let prune = options.pruning()?;
        let pass = if options.engine == Engine::Explicit {
            Pass::States(Box::new(Exploration::new(program, options.limits, invariants)))
        } else if options.engine == Engine::Symbolic {
            Pass::Symbolic(Box::new(SymbolicPass::new(program, &symmetry.group, invariants, options)?))
        } else {
            let asked = invariants.iter().filter_map(|&id| {
                let obligation = invariant_obligation(program, id, symmetry).ok()?;
                Some((id, obligation.atoms.first()?.clone()))
            });
            let reach = BreadthFirst::new(program, symmetry, &[], prune, options.limits);
            let free = |&&id: &&PropertyId| program.properties[id].kind == PropertyKind::DeadlockFree;
            let reach = reach.asking_deadlock(invariants.iter().find(free).copied());
            let reach = reach.asking(asked).going_on(size(
                "check: states looked at for deadlocks",
                DEADLOCKS_AFTER_INVARIANTS,
                3,
            ));
            Pass::Quotient(Box::new(reach))
        };
        let (engine, paths) = (options.engine, Paths::default());
        Ok(Survey { program, engine, obligation: None, pass, paths, hurried: false })
    }

    /// Starts a pass for one invariant, with the processes told apart that it names.
    pub(super) fn alone(
        program: &'p Program,
        id: PropertyId,
        obligation: Obligation,
        options: &Options,
    ) -> Result<Self, Refusal> {
        let prune = options.pruning()?;
        let pass = if options.engine == Engine::Explicit {
            Pass::States(Box::new(Exploration::new(program, options.limits, &[id])))
        } else if options.engine == Engine::Symbolic {
            // Generators that move what the invariant names are left out there.
            let group = obligation.symmetry.group.stabiliser(&obligation.tracked);
            Pass::Symbolic(Box::new(SymbolicPass::new(program, &group, &[id], options)?))
        } else {
            let Obligation { symmetry, tracked, atoms, .. } = &obligation;
            let free = program.properties[id].kind == PropertyKind::DeadlockFree;
            let reach = BreadthFirst::new(program, symmetry, tracked, prune, options.limits)
                .asking(atoms.iter().map(|atom| (id, atom.clone())))
                .asking_deadlock(free.then_some(id));
            Pass::Quotient(Box::new(reach))
        };
        let (engine, paths) = (options.engine, Paths::default());
        Ok(Survey { program, engine, obligation: Some(obligation), pass, paths, hurried: false })
    }

    /// Ends when every invariant is answered, and looks for deadlocks no further.
    #[must_use]
    pub fn answering_only(mut self) -> Self {
        if let Pass::Quotient(reach) = self.pass {
            self.pass = Pass::Quotient(Box::new(reach.going_on(0)));
        }
        self
    }

    /// Goes on looking for deadlocks, where it was [answering only](Self::answering_only).
    pub fn go_on(&mut self) {
        if let Pass::Quotient(reach) = &mut self.pass {
            reach.resume(DEADLOCKS_AFTER_INVARIANTS);
        }
    }

    /// Call this to wait no longer: no more states are looked at, and further steps only make paths to what was found.
    /// Says whether there are any to make.
    pub fn hurry(&mut self) -> bool {
        self.hurried = true;
        match &self.pass {
            Pass::Quotient(reach) => !reach.violations().is_empty() || !reach.deadlocks().is_empty(),
            Pass::States(_) | Pass::Symbolic(_) => false,
        }
    }

    /// Whether an invariant can be decided together with others: it tells nothing apart that the symmetry exchanges.
    pub fn takes(
        program: &Program,
        symmetry: &ProgramSymmetry,
        id: PropertyId,
        engine: Engine,
    ) -> Result<bool, PropertyError> {
        let obligation = invariant_obligation(program, id, symmetry)?;
        // Its group is a part of the program's.
        let same = || symmetry.group.generators().all(|g| obligation.symmetry.group.contains(&g));
        Ok(engine == Engine::Explicit || obligation.tracked.is_empty() && same())
    }

    /// Expands one state, or goes a step of a path to one that is to be shown; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        match &mut self.pass {
            Pass::Quotient(reach) => !self.hurried && reach.step() || self.paths.step(reach),
            _ if self.hurried => false,
            Pass::States(states) => states.advance(1).is_none(),
            Pass::Symbolic(pass) => pass.step(),
        }
    }

    /// How many states are waiting that a crew can look at at the same time.
    pub fn waiting(&self) -> u32 {
        match &self.pass {
            Pass::States(states) if !self.hurried => states.waiting(),
            _ => 0,
        }
    }

    /// Expands about this many states with a crew; says whether there is more to do. Where it stands then does not depend on the crew.
    pub fn round(&mut self, crew: &dyn Crew, steps: u32) -> bool {
        match &mut self.pass {
            Pass::States(states) if !self.hurried => states.round(crew, steps).is_none(),
            _ => self.step(),
        }
    }

    /// Goes through to the end.
    pub fn run(&mut self) {
        while self.step() {}
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let (nodes, edges, bytes) = match &self.pass {
            Pass::Quotient(reach) => (reach.len(), reach.edge_count(), reach.bytes()),
            Pass::States(states) => (states.states().len(), states.edge_count(), states.bytes()),
            Pass::Symbolic(pass) => return pass.reach().map_or_else(Progress::default, progress),
        };
        let making = self.paths.steps;
        Progress { search: 0, searches: 1, nodes: nodes.into(), edges, depth: 0, bytes, making }
    }

    /// The counts so far.
    pub fn stats(&self) -> Stats {
        match &self.pass {
            Pass::Quotient(reach) => {
                let own = reach.aqsi().aqs().len().min(reach.len()).into();
                let tracks = self.obligation.as_ref().is_some_and(|o| !o.tracked.is_empty());
                let edges = reach.edge_count();
                Stats {
                    aqs_states: Some(own),
                    aqs_edges: (!tracks).then_some(edges),
                    aqs_edges_pruned: (!tracks).then_some(reach.pruned_count()),
                    aqsi_states: Some(reach.len().into()),
                    product_states: Some(reach.len().into()),
                    product_edges: Some(edges),
                    peak_bytes: reach.bytes(),
                    aqs_bytes: Some(reach.aqsi().aqs().bytes()),
                    product_bytes: Some(reach.bytes() - reach.aqsi().aqs().bytes()),
                    ..Stats::default()
                }
            }
            Pass::States(states) => Stats {
                states: Some(states.states().len().into()),
                edges: Some(states.edge_count()),
                peak_bytes: states.bytes(),
                ..Stats::default()
            },
            Pass::Symbolic(pass) => pass.stats(),
        }
    }

    /// The search of a symbolic pass.
    pub fn reach(&self) -> Option<&symbolic::Reach<'p>> {
        match &self.pass {
            Pass::Symbolic(pass) => pass.reach(),
            _ => None,
        }
    }

    /// The phase of a symbolic pass that its next step belongs to.
    pub fn phase(&self) -> Option<Phase> {
        self.reach().map(symbolic::Reach::phase)
    }

    /// The iterations of a symbolic pass.
    pub fn summary(&self) -> Option<Summary> {
        self.reach().map(symbolic::Reach::summary)
    }

    /// Whether every state was seen.
    pub fn is_complete(&self) -> bool {
        match &self.pass {
            Pass::Quotient(reach) => reach.stopped() == Some(&StopReason::Complete),
            Pass::States(states) => states.stopped() == Some(&StopReason::Complete),
            Pass::Symbolic(pass) => pass.is_complete(),
        }
    }

    /// Why not every state was seen; none where they were, or where nothing was left to find out.
    pub fn unknown(&mut self) -> Option<Unknown> {
        match &mut self.pass {
            Pass::Quotient(reach) => match reach.stopped().cloned() {
                Some(StopReason::Complete | StopReason::AllViolated) => None,
                Some(StopReason::Limit(limit)) => Some(Unknown::Limit(limit)),
                Some(StopReason::Fault(at, fault)) => {
                    Some(unknown_fault(Faulty::Step(fault), reach.path_to(at)))
                }
                Some(StopReason::PropertyFault(at, _, fault)) => {
                    Some(unknown_fault(Faulty::Property(fault), reach.path_to(at)))
                }
                None => Some(Unknown::Stopped),
            },
            Pass::States(states) => match states.stopped() {
                Some(StopReason::Complete | StopReason::AllViolated) => None,
                Some(StopReason::Limit(limit)) => Some(Unknown::Limit(*limit)),
                Some(StopReason::Fault(at, fault)) => {
                    Some(unknown_fault(Faulty::Step(fault.clone()), Some(states.path_to(*at))))
                }
                Some(StopReason::PropertyFault(at, _, fault)) => {
                    Some(unknown_fault(Faulty::Property(*fault), Some(states.path_to(*at))))
                }
                None => Some(Unknown::Stopped),
            },
            Pass::Symbolic(pass) => pass.unknown(),
        }
    }

    /// The invariant whose own error ended the pass.
    pub fn faulty_invariant(&self) -> Option<PropertyId> {
        match &self.pass {
            Pass::Quotient(reach) => match reach.stopped() {
                Some(StopReason::PropertyFault(_, id, _)) => Some(*id),
                _ => None,
            },
            Pass::States(states) => match states.stopped() {
                Some(StopReason::PropertyFault(_, id, _)) => Some(*id),
                _ => None,
            },
            Pass::Symbolic(pass) => pass.faulty_invariant(),
        }
    }

    /// How many states without a step were seen: of the quotient, or of the program.
    pub fn deadlock_count(&self) -> u64 {
        match &self.pass {
            Pass::Quotient(reach) => reach.deadlocks().len() as u64,
            Pass::States(states) => states.deadlocks().len() as u64,
            Pass::Symbolic(pass) => pass.deadlock_count(),
        }
    }

    /// A shortest path to a deadlock; of the symbolic engine only where its options let it look at states in the order of
    /// their distance ([`SymbolicOptions::in_order`](crate::symbolic::SymbolicOptions::in_order)).
    pub fn deadlock_path(&mut self) -> Option<Path> {
        match &mut self.pass {
            Pass::Quotient(reach) => {
                let first = *reach.deadlocks().first()?;
                match self.paths.soon(reach, first, self.hurried) {
                    Poll::Ready(path) => path,
                    Poll::Pending => None,
                }
            }
            Pass::States(states) => states.deadlocks().first().map(|&state| states.path_to(state)),
            Pass::Symbolic(pass) => pass.deadlock_path(),
        }
    }

    /// Reports a property of states as far as the pass has come. A path that does not replay is not shown.
    pub fn report(&mut self, id: PropertyId) -> Report {
        let mut missing = false;
        let path = match &mut self.pass {
            Pass::Quotient(reach) => {
                let found = reach.violations().iter().find(|(property, _)| *property == id);
                found.map(|(_, state)| *state).map(|state| {
                    let made = self.paths.soon(reach, state, self.hurried);
                    missing = made.is_pending();
                    if let Poll::Ready(path) = made { path } else { None }
                })
            }
            Pass::States(states) => {
                let found = states.violations().iter().find(|violation| violation.property == id);
                found.map(|violation| Some(states.path_to(violation.state)))
            }
            Pass::Symbolic(pass) => pass.violation(id).map(Some),
        };
        let (verdict, counterexample) = match path {
            Some(_) if missing => (Verdict::Violated, None),
            Some(path) => match self.replayed(id, path) {
                Ok(path) => (Verdict::Violated, Some(Counterexample::Path(path))),
                Err(fault) => (Verdict::Unknown(Unknown::Internal(fault)), None),
            },
            None => (self.unknown().map_or(Verdict::Holds, Verdict::Unknown), None),
        };
        // A cover looks for the state that it asks for, as if it were a violation: the verdict is the opposite.
        let verdict = match (self.program.properties[id].logic(), verdict) {
            (PropertyLogic::Cover, Verdict::Holds) => Verdict::Violated,
            (PropertyLogic::Cover, Verdict::Violated) => Verdict::Holds,
            (_, verdict) => verdict,
        };
        let instance = self.obligation.as_ref().map(|obligation| Instance {
            words: String::new(),
            tracked: obligation.tracked.clone(),
            alike: 1,
        });
        let (stats, symbolic) = (self.stats(), self.summary().map(Box::new));
        Report {
            verdict,
            engine: self.engine,
            searches: 1,
            expanded: 0,
            symmetric: false,
            instance,
            stats,
            counterexample,
            run_note: missing.then_some(RunNote::Missing(Unknown::Stopped)),
            branching: None,
            symbolic,
        }
    }

    /// The path, if it is one of the program and its last state violates the invariant.
    fn replayed(&self, id: PropertyId, path: Option<Path>) -> Result<Path, LassoFault> {
        let path = path.ok_or(LassoFault::Open)?;
        replay_path(self.program, &path)?;
        let property = &self.program.properties[id];
        let last = path.last_state();
        if property.kind == PropertyKind::DeadlockFree {
            return if is_deadlock(self.program, &last) { Ok(path) } else { Err(LassoFault::Right) };
        }
        let term = self.program.state_term(id).ok_or(LassoFault::Right)?;
        let predicate = Predicate::new(self.program, term, property.regs);
        match predicate.holds(&Flat::new(&last), &mut Scratch::default(), &[]) {
            Ok(false) => Ok(path),
            _ => Err(LassoFault::Right),
        }
    }
}

pub(super) fn unknown_fault(what: Faulty, path: Option<Path>) -> Unknown {
    Unknown::Fault(Box::new(FaultReport { what, path }))
}
