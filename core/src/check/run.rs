//! The check of one property: each of its obligations in turn, by the engine that is asked for.

use super::branching;
use super::making::{LAST_STEPS, Made, Making};
use super::options::{Engine, Options, Refusal};
use super::reach::{path_to, path_to_found};
use super::report::{Counterexample, Faulty, Instance, Progress, Report, RunNote, Stats, Unknown, Verdict};
use super::survey::{Survey, unknown_fault};
use super::symbolic;
use super::target::{CheckError, Target};
use crate::ctl::CtlCheck;
use crate::explore::{Exploration, Path};
use crate::product::{Deadlock, FairnessOf, Product, ProductFault};
use crate::program::{Program, PropertyId};
use crate::property::{Obligation, hoa_obligation, invariant_obligation, obligations};
use crate::quotient::{EdgeStorage, Prune};
use crate::search::{
    Event, ExplicitSearch, LassoFault, Outcome, Search, ThreadedSearch, Trace, WholeOutcome, replay_path,
};
use crate::symbolic::{CtlSearch, Phase, Reach, Safety, Summary, Unsupported, is_safety, is_wrong};
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// So many steps are taken between two looks at how much memory is in use.
const BYTES_EVERY: u32 = 16;

/// The check of one property under way.
///
/// ```
/// use orbitscope_core::check::{Check, Counterexample, Options, Target, Verdict};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[5] { var x: bool = false action flip: true -> x := not x }
///     ltl settles: forall q in p: F G q.x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let target = Target::Property(program.property("settles").unwrap());
/// let mut check =
///     Check::new(&program, &symmetry::detect(&program), target, Options::default()).unwrap();
/// let report = check.run();
/// assert!(matches!(report.verdict, Verdict::Violated));
/// assert!(matches!(report.counterexample, Some(Counterexample::Lasso(..))));
/// let instance = report.instance.as_ref().unwrap();
/// assert_eq!((instance.words.as_str(), instance.alike), ("q = p[0]", 5));
/// ```
#[derive(Debug)]
pub struct Check<'p> {
    program: &'p Program,
    pub(super) options: Options,
    prune: Prune,
    fairness: FairnessOf,
    obligations: Vec<Obligation>,
    /// The obligation that is searched.
    current: usize,
    pub(super) work: Work<'p>,
    /// Once a violation is in hand: the run that shows it.
    pub(super) making: Option<Box<Making<'p>>>,
    /// The states, between two searches of the plain method.
    states: Option<Box<Exploration<'p>>>,
    /// What earlier obligations counted.
    pub(super) before: Stats,
    /// The edges of the nodes that the on-the-fly search has entered.
    pub(super) edges: u64,
    /// What the last step of the on-the-fly search did.
    event: Option<Event>,
    /// Whether the quotient is still built ahead of the search.
    ahead: bool,
    until_bytes: u32,
    /// Whether somebody waits no longer.
    hurried: bool,
    /// What the last symbolic search did.
    summary: Option<Box<Summary>>,
    report: Option<Report>,
}

#[derive(Debug)]
pub(super) enum Work<'p> {
    /// The next obligation is to be started.
    Idle,
    Invariant(PropertyId, Box<Survey<'p>>),
    Onthefly(Box<Search<'p>>),
    Threaded(Box<ThreadedSearch<'p>>),
    Explicit(Box<ExplicitSearch<'p>>),
    Branching(Box<CtlCheck<'p>>),
    Symbolic(Box<Safety<'p>>),
    SymbolicBranching(Box<CtlSearch<'p>>),
}

/// How the search of one obligation ended.
enum Ended {
    Holds,
    Run(Made),
    Prefix(Path),
    Unknown(Unknown),
}

impl<'p> Check<'p> {
    /// Prepares a check: the property's automata are made, and options that the engine cannot honour are refused.
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        target: Target<'_>,
        options: Options,
    ) -> Result<Self, CheckError> {
        let prune = options.pruning()?;
        options.edge_storage()?;
        let mut work = Work::Idle;
        let obligations = match target {
            Target::Automaton(automaton) => alloc::vec![hoa_obligation(program, automaton, symmetry)],
            Target::Property(id) if program.properties[id].logic().is_of_states() => {
                let obligation = invariant_obligation(program, id, symmetry)?;
                let survey = Survey::alone(program, id, obligation.clone(), &options)?;
                work = Work::Invariant(id, Box::new(survey));
                alloc::vec![obligation]
            }
            Target::Property(id) if program.properties[id].logic().is_branching() => {
                work = if options.engine == Engine::Symbolic {
                    Work::SymbolicBranching(Box::new(symbolic::branching(program, symmetry, id, &options)?))
                } else {
                    Work::Branching(Box::new(branching::start(program, symmetry, id, &options)?))
                };
                Vec::new()
            }
            Target::Property(id) => {
                let mut found = obligations(program, id, symmetry, &options.translation)?;
                if options.engine == Engine::Onthefly && !options.expand_quantifiers {
                    for obligation in &mut found {
                        obligation.use_symmetry_of_automaton(program);
                    }
                }
                found
            }
        };
        if options.engine == Engine::Symbolic && matches!(work, Work::Idle) {
            if !obligations.iter().all(|obligation| is_safety(&obligation.automaton)) {
                return Err(Refusal::Liveness.into());
            }
            if obligations.iter().any(|obligation| obligation.atoms.iter().any(|atom| atom.on_edges)) {
                return Err(Refusal::Symbolic(Unsupported::Executed).into());
            }
            if options.deadlock == Deadlock::Drop {
                return Err(Refusal::Drop.into());
            }
            if program.assumption.is_some() {
                return Err(Refusal::Assumed.into());
            }
        }
        Ok(Check {
            program,
            options,
            prune,
            fairness: FairnessOf::new(program, options.fairness),
            obligations,
            current: 0,
            work,
            making: None,
            states: None,
            before: Stats::default(),
            edges: 0,
            event: None,
            ahead: false,
            until_bytes: BYTES_EVERY,
            hurried: false,
            summary: None,
            report: None,
        })
    }

    /// What is searched, one after the other.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// The answer, once it is known.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Checks to the end.
    pub fn run(&mut self) -> Report {
        while self.step() {}
        self.stop()
    }

    /// Takes one step of the search; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        if self.report.is_some() {
            return false;
        }
        self.event = None;
        if let Some(ended) = self.advance() {
            self.finish(ended);
        }
        self.report.is_none()
    }

    /// Whoever waits no longer calls this. Says whether a violation is in hand: then further steps make the first run that is
    /// found to show it, and whoever has a clock takes some of them. [`stop`](Self::stop) gives what there is.
    pub fn hurry(&mut self) -> bool {
        self.hurried = true;
        match (&mut self.making, &mut self.work) {
            (Some(making), _) => {
                making.hurry();
                true
            }
            (None, Work::Invariant(_, survey)) => survey.hurry(),
            _ => false,
        }
    }

    /// The answer, or what is known so far: after this there is no next step.
    pub fn stop(&mut self) -> Report {
        if let Some(report) = &self.report {
            return report.clone();
        }
        if let Some(making) = &mut self.making {
            making.hurry();
            let left = if self.hurried { 0 } else { LAST_STEPS };
            let made = (0..left).find_map(|_| self.make());
            match made {
                Some(made) => self.finish(Ended::Run(made)),
                None => self.leave_run(Unknown::Stopped),
            }
        }
        if let Some(report) = &self.report {
            return report.clone();
        }
        let report = match &mut self.work {
            Work::Invariant(id, survey) => survey.report(*id),
            Work::Branching(check) => branching::report(check, self.program, &self.options),
            Work::SymbolicBranching(search) => symbolic::branching_report(search, self.program),
            Work::Symbolic(search) => {
                self.summary = Some(Box::new(search.reach.summary()));
                self.conclude(Verdict::Unknown(Unknown::Stopped), None)
            }
            _ => self.conclude(Verdict::Unknown(Unknown::Stopped), None),
        };
        self.report = Some(report.clone());
        report
    }

    /// What the next step of a symbolic search does.
    pub fn phase(&self) -> Option<Phase> {
        // Between two searches the next one is prepared.
        let symbolic = self.options.engine == Engine::Symbolic;
        symbolic.then(|| self.reach().map_or(Phase::Look, Reach::phase))
    }

    /// The symbolic search that is under way, if there is one.
    pub fn reach(&self) -> Option<&Reach<'p>> {
        match &self.work {
            Work::Invariant(_, survey) => survey.reach(),
            Work::Symbolic(search) => Some(&search.reach),
            Work::SymbolicBranching(search) => search.reach(),
            _ => None,
        }
    }

    /// What the last step did, where it was one of the on-the-fly search.
    pub fn event(&self) -> Option<Event> {
        self.event
    }

    /// The on-the-fly search that is under way, if there is one.
    pub fn search(&self) -> Option<&Search<'p>> {
        match &self.work {
            Work::Onthefly(search) => Some(search),
            _ => None,
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        if let Work::Branching(check) = &self.work {
            return branching::progress(check);
        }
        let (search, searches) = (self.current as u32, self.obligations.len() as u32);
        if let Some(reach) = self.reach() {
            return Progress { search, searches, ..symbolic::progress(reach) };
        }
        let stats = self.stats();
        let depth = match &self.work {
            Work::Onthefly(search) => search.frames().len() as u32,
            _ => 0,
        };
        Progress {
            search,
            searches,
            nodes: stats.product_states.or(stats.states).unwrap_or(0),
            edges: stats.product_edges.or(stats.edges).unwrap_or(0),
            depth,
            bytes: stats.peak_bytes,
            making: self.making.as_ref().map_or(0, |making| making.steps()),
        }
    }

    /// A small step of the making of a run.
    fn make(&mut self) -> Option<Made> {
        let (program, making) = (self.program, self.making.as_mut()?);
        let obligation = &self.obligations[self.current];
        let how = (&self.fairness, self.options.deadlock);
        match &mut self.work {
            Work::Onthefly(search) => making.step(search.product_mut(), program, obligation, how),
            Work::Threaded(search) => making.step(&mut **search, program, obligation, how),
            Work::Explicit(search) => making.step(&mut **search, program, obligation, how),
            _ => Some(Err(LassoFault::Open)),
        }
    }

    /// Reports a violation without its run.
    fn leave_run(&mut self, why: Unknown) {
        let report = self.conclude(Verdict::Violated, None);
        self.report = Some(Report { run_note: Some(RunNote::Missing(why)), ..report });
    }

    fn start(&mut self) -> Option<Ended> {
        let Some(obligation) = self.obligations.get(self.current) else { return Some(Ended::Holds) };
        let Options { engine, deadlock, limits, .. } = self.options;
        let fairness = self.fairness.clone();
        self.work = match engine {
            Engine::Onthefly => {
                let mut product = Product::new(self.program, obligation, self.prune, deadlock);
                product.aqsi_mut().hold_edges(self.options.edges);
                product.set_cache_bytes(limits.cache_bytes());
                product.limit_bytes(limits.bytes);
                self.ahead = self.options.edges == EdgeStorage::Ahead;
                Work::Onthefly(Box::new(Search::new(product, fairness, limits.states).thrifty()))
            }
            Engine::Threaded => {
                let states = limits.states;
                let mut search = ThreadedSearch::new(self.program, obligation, fairness, deadlock, states);
                search.aqsi_mut().set_cache_bytes(limits.cache_bytes());
                Work::Threaded(Box::new(search))
            }
            Engine::Explicit => {
                let states = self.states.take().map_or_else(
                    || Exploration::new(self.program, limits, &[]).keeping_edges(),
                    |states| *states,
                );
                Work::Explicit(Box::new(ExplicitSearch::new(states, obligation, fairness, deadlock, limits)))
            }
            Engine::Symbolic => {
                match Safety::new(self.program, obligation, &self.options.symbolic, self.options.nodes()) {
                    Ok(search) => Work::Symbolic(Box::new(search)),
                    Err(unsupported) => return Some(Ended::Unknown(symbolic::refused(unsupported))),
                }
            }
        };
        self.edges = 0;
        None
    }

    fn advance(&mut self) -> Option<Ended> {
        // It looks at the memory in use itself.
        if let Work::Branching(check) = &mut self.work {
            if check.step().is_none() {
                self.report = Some(branching::report(check, self.program, &self.options));
            }
            return None;
        }
        if let Work::SymbolicBranching(search) = &mut self.work {
            if !search.step() {
                self.report = Some(symbolic::branching_report(search, self.program));
            }
            return None;
        }
        self.until_bytes -= 1;
        if self.until_bytes == 0 {
            self.until_bytes = BYTES_EVERY;
            let limit = self.options.limits.bytes;
            if let Some(making) = &mut self.making {
                // What the search took is there already; the run may take as much as is left, and a little.
                let left = limit.saturating_sub(making.counted.peak_bytes);
                if making.bytes() > left + limit / 8 {
                    self.leave_run(Unknown::ByteLimit);
                    return None;
                }
                if making.bytes() > left {
                    making.hurry();
                }
            } else if self.stats().peak_bytes > limit {
                return Some(Ended::Unknown(Unknown::ByteLimit));
            }
        }
        if self.making.is_some() {
            return self.make().map(Ended::Run);
        }
        match &mut self.work {
            Work::Idle => self.start(),
            Work::Branching(_) | Work::SymbolicBranching(_) => None,
            Work::Invariant(id, survey) => {
                if !survey.step() {
                    self.report = Some(survey.report(*id));
                }
                None
            }
            Work::Onthefly(search) if self.ahead => {
                let aqsi = search.product_mut().aqsi_mut();
                self.ahead = aqsi.build_next();
                let full = aqsi.len() > self.options.limits.states;
                full.then_some(Ended::Unknown(Unknown::StateLimit))
            }
            Work::Onthefly(search) => {
                if search.ponder() {
                    return None;
                }
                self.event = search.step();
                match self.event {
                    Some(Event::Root(_) | Event::Tree { .. }) => {
                        // With its first node a search begins, or begins once more.
                        if search.visited() == 1 {
                            self.edges = 0;
                        }
                        self.edges += search.frames().last().map_or(0, |frame| frame.edges.len() as u64);
                    }
                    Some(Event::Yes(_) | Event::No | Event::Stopped(_)) | None => {}
                    Some(_) => return None,
                }
                let outcome = search.outcome()?.clone();
                self.after_search(outcome)
            }
            Work::Threaded(search) => {
                if search.step() {
                    None
                } else {
                    self.after_threaded()
                }
            }
            Work::Explicit(search) => {
                if search.step() {
                    None
                } else {
                    self.after_explicit()
                }
            }
            Work::Symbolic(search) => (!search.reach.step()).then(|| self.after_symbolic()),
        }
    }

    fn after_search(&mut self, outcome: Outcome) -> Option<Ended> {
        let counted = self.stats();
        let Work::Onthefly(search) = &mut self.work else { return Some(Ended::Unknown(Unknown::Stopped)) };
        // What is certain is shown, also at the edge of memory.
        search.product_mut().limit_bytes(u64::MAX);
        let ended = match outcome {
            Outcome::Holds => Ended::Holds,
            Outcome::Fault(ProductFault::Full(_)) => Ended::Unknown(Unknown::ByteLimit),
            Outcome::Violated(component) => {
                let found = (search.trace_of(&component), component);
                let making = Making::new(search.product(), found, &self.fairness, counted);
                self.making = Some(Box::new(making));
                return None;
            }
            Outcome::NodeLimit => Ended::Unknown(Unknown::StateLimit),
            Outcome::RootLimit => Ended::Unknown(Unknown::RootLimit),
            Outcome::Fault(fault) => {
                let found = match fault {
                    ProductFault::Step(at, fault) => Some((at, Faulty::Step(fault))),
                    ProductFault::Atom(at, fault) => Some((at, Faulty::Property(fault))),
                    ProductFault::Automaton(_) | ProductFault::Full(_) => None,
                };
                Ended::Unknown(found.map_or(Unknown::NodeLimit, |(at, what)| {
                    let way = search.frames().iter().map(|frame| search.product().node(frame.node).0);
                    let way: Vec<_> = way.chain([at]).collect();
                    unknown_fault(what, path_to_found(search.product_mut().aqsi_mut(), &way))
                }))
            }
        };
        self.before = counted;
        self.work = Work::Idle;
        Some(ended)
    }

    fn after_threaded(&mut self) -> Option<Ended> {
        let counted = self.stats();
        let Work::Threaded(search) = &mut self.work else { return Some(Ended::Unknown(Unknown::Stopped)) };
        let ended = match search.outcome().cloned() {
            Some(WholeOutcome::Violated(component)) => {
                self.making = Some(Box::new(Making::new(
                    &**search,
                    (Trace::default(), component),
                    &self.fairness,
                    counted,
                )));
                return None;
            }
            Some(WholeOutcome::StepFault(fault)) => {
                Ended::Unknown(unknown_fault(Faulty::Step(fault), fault_path(search)))
            }
            Some(WholeOutcome::AtomFault(fault)) => {
                Ended::Unknown(unknown_fault(Faulty::Property(fault), fault_path(search)))
            }
            outcome => plain_end(outcome.as_ref()),
        };
        self.before = counted;
        self.work = Work::Idle;
        Some(ended)
    }

    fn after_explicit(&mut self) -> Option<Ended> {
        let counted = self.stats();
        if let Work::Explicit(search) = &self.work
            && let Some(WholeOutcome::Violated(component)) = search.outcome()
        {
            let found = (Trace::default(), component.clone());
            let making = Making::new(&**search, found, &self.fairness, counted);
            self.making = Some(Box::new(making));
            return None;
        }
        let work = core::mem::replace(&mut self.work, Work::Idle);
        let Work::Explicit(search) = work else { return Some(Ended::Unknown(Unknown::Stopped)) };
        let path = search.fault_state().map(|state| search.states().path_to(state));
        let ended = match search.outcome().cloned() {
            Some(WholeOutcome::StepFault(fault)) => Ended::Unknown(unknown_fault(Faulty::Step(fault), path)),
            Some(WholeOutcome::AtomFault(fault)) => {
                Ended::Unknown(unknown_fault(Faulty::Property(fault), path))
            }
            outcome => plain_end(outcome.as_ref()),
        };
        self.before = counted;
        self.states = Some(Box::new(search.into_states()));
        Some(ended)
    }

    fn after_symbolic(&mut self) -> Ended {
        let counted = self.stats();
        let Work::Symbolic(search) = &self.work else { return Ended::Unknown(Unknown::Stopped) };
        let ended = symbolic::after(search, &self.options);
        self.summary = Some(Box::new(search.reach.summary()));
        self.before = counted;
        self.work = Work::Idle;
        match ended {
            Ok(None) => Ended::Holds,
            Ok(Some(path)) => Ended::Prefix(path),
            Err(unknown) => Ended::Unknown(unknown),
        }
    }

    /// Goes on to the next obligation, or makes the report.
    fn finish(&mut self, ended: Ended) {
        let (verdict, counterexample) = match ended {
            Ended::Holds if self.current + 1 < self.obligations.len() => {
                self.current += 1;
                return;
            }
            Ended::Holds => (Verdict::Holds, None),
            Ended::Unknown(unknown) => (Verdict::Unknown(unknown), None),
            // A run is shown only if it replays.
            Ended::Run(Ok((lasso, ledger))) => {
                (Verdict::Violated, Some(Counterexample::Lasso(lasso, ledger)))
            }
            Ended::Run(Err(fault)) => (Verdict::Unknown(Unknown::Internal(fault)), None),
            Ended::Prefix(path) => {
                let obligation = &self.obligations[self.current];
                match replay_path(self.program, &path) {
                    Ok(()) if is_wrong(self.program, obligation, &path) => {
                        (Verdict::Violated, Some(Counterexample::Path(path)))
                    }
                    Ok(()) => (Verdict::Unknown(Unknown::Internal(LassoFault::Right)), None),
                    Err(fault) => (Verdict::Unknown(Unknown::Internal(fault)), None),
                }
            }
        };
        let longer = self.making.as_ref().is_some_and(|making| making.is_longer());
        let run_note = (longer && counterexample.is_some()).then_some(RunNote::Longer);
        self.report = Some(Report { run_note, ..self.conclude(verdict, counterexample) });
    }

    fn conclude(&self, verdict: Verdict, counterexample: Option<Counterexample>) -> Report {
        let instance = self.obligations.get(self.current).map(|obligation| Instance {
            words: obligation.instance(self.program),
            tracked: obligation.tracked.clone(),
            alike: obligation.orbit,
        });
        Report {
            verdict,
            engine: self.options.engine,
            searches: self.obligations.len() as u32,
            expanded: self.obligations.first().map_or(0, |obligation| obligation.expanded),
            symmetric: self.obligations.first().is_some_and(|obligation| obligation.symmetric.is_some()),
            instance,
            stats: self.stats(),
            counterexample,
            run_note: None,
            branching: None,
            symbolic: self.summary.clone(),
        }
    }
}

/// The outcomes that need no more than their name.
fn plain_end(outcome: Option<&WholeOutcome>) -> Ended {
    match outcome {
        Some(WholeOutcome::Holds) => Ended::Holds,
        Some(WholeOutcome::NodeLimit) => Ended::Unknown(Unknown::StateLimit),
        Some(WholeOutcome::ByteLimit) => Ended::Unknown(Unknown::ByteLimit),
        Some(WholeOutcome::RootLimit) => Ended::Unknown(Unknown::RootLimit),
        _ => Ended::Unknown(Unknown::Stopped),
    }
}

/// A shortest path to the error that ended the older method.
fn fault_path(search: &mut ThreadedSearch<'_>) -> Option<Path> {
    let (state, tracked, _) = search.node(search.fault_node()?).clone();
    path_to(search.aqsi_mut(), |aqsi, id| {
        let (s, l) = aqsi.node(id);
        s == state && aqsi.aqs().stabiliser(s).transporter(l, &tracked).is_some()
    })
}
