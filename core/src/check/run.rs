//! The check of one property: each of its obligations in turn, by the engine that is asked for.

use super::making::{LAST_STEPS, Made, Making};
use super::options::{Engine, Options};
use super::report::{Counterexample, Instance, Progress, Report, RunNote, Stats, Unknown, Verdict};
use super::survey::Survey;
use super::target::{CheckError, Target};
use super::work::{self, About, Branching, Ended, Invariant, SymbolicBranching, Turn, Work};
use super::{branching, symbolic};
use crate::crew::Crew;
use crate::error::Limit;
use crate::explore::Exploration;
use crate::product::FairnessOf;
use crate::program::{Program, PropertyLogic};
use crate::property::{Obligation, hoa_obligation, invariant_obligation, obligations};
use crate::search::{Event, LassoFault, Search, replay_path};
use crate::symbolic::{Phase, Reach, Summary, is_wrong};
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The memory in use is looked at once in this many steps.
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
    about: About<'p>,
    obligations: Vec<Obligation>,
    /// The obligation that is searched.
    current: usize,
    /// The search under way; none where the next obligation is to be started.
    work: Option<Box<dyn Work<'p> + 'p>>,
    /// Once a violation is in hand: the run that shows it.
    making: Option<Box<Making<'p>>>,
    /// The states, between two searches of the plain method.
    states: Option<Box<Exploration<'p>>>,
    /// The event of the last step of the on-the-fly search.
    event: Option<Event>,
    until_bytes: u32,
    /// Whether somebody waits no longer.
    hurried: bool,
    /// An account of the last symbolic search.
    summary: Option<Box<Summary>>,
    report: Option<Report>,
}

/// The searches of a property, and the work for it where it is answered whole.
type Prepared<'p> = (Vec<Obligation>, Option<Box<dyn Work<'p> + 'p>>);

/// The searches that a property needs.
fn prepare<'p>(
    program: &'p Program,
    symmetry: &ProgramSymmetry,
    target: Target<'_>,
    options: &Options,
) -> Result<Prepared<'p>, CheckError> {
    let id = match target {
        Target::Automaton(automaton) => {
            return Ok((alloc::vec![hoa_obligation(program, automaton, symmetry)], None));
        }
        Target::Property(id) => id,
    };
    match program.properties[id].logic() {
        PropertyLogic::Invariant | PropertyLogic::Cover | PropertyLogic::Deadlock => {
            let obligation = invariant_obligation(program, id, symmetry)?;
            let survey = Survey::alone(program, id, obligation.clone(), options)?;
            Ok((alloc::vec![obligation], Some(Box::new(Invariant(id, survey)))))
        }
        PropertyLogic::Ctl | PropertyLogic::Mu if options.engine == Engine::Symbolic => {
            let search = symbolic::branching(program, symmetry, id, options)?;
            Ok((Vec::new(), Some(Box::new(SymbolicBranching(search)))))
        }
        PropertyLogic::Ctl | PropertyLogic::Mu => {
            let check = branching::start(program, symmetry, id, options)?;
            Ok((Vec::new(), Some(Box::new(Branching(check)))))
        }
        PropertyLogic::Ltl | PropertyLogic::Automaton => {
            let mut found = obligations(program, id, symmetry, &options.translation)?;
            if options.engine == Engine::Onthefly && !options.expand_quantifiers {
                for obligation in &mut found {
                    obligation.use_symmetry_of_automaton(program);
                }
            }
            Ok((found, None))
        }
    }
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
        let (obligations, work) = prepare(program, symmetry, target, &options)?;
        let fairness = FairnessOf::new(program, options.fairness);
        Ok(Check {
            about: About { program, options, prune, fairness, before: Stats::default() },
            obligations,
            current: 0,
            work,
            making: None,
            states: None,
            event: None,
            until_bytes: BYTES_EVERY,
            hurried: false,
            summary: None,
            report: None,
        })
    }

    /// The searches, one after the other.
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
        match self.advance() {
            Turn::More => {}
            Turn::Violated(making) => self.making = Some(making),
            Turn::Ended(ended) => self.finish(ended),
            Turn::Answered(report) => self.report = Some(*report),
        }
        self.report.is_none()
    }

    /// How many states are waiting that a crew can look at at the same time.
    pub fn waiting(&self) -> u32 {
        let searching = self.report.is_none() && self.making.is_none();
        self.work.as_ref().filter(|_| searching).map_or(0, |work| work.waiting())
    }

    /// Does about this many steps with a crew; says whether there is more to do. Where it stands then does not depend on the crew.
    pub fn round(&mut self, crew: &dyn Crew, steps: u32) -> bool {
        if self.waiting() > 0
            && let Some(work) = &mut self.work
        {
            work.round(crew, steps);
        }
        self.step()
    }

    /// Call this to wait no longer. It says whether a violation is in hand: then further steps make the first run that is found
    /// to show it, and a caller with a clock can take some of them. [`stop`](Self::stop) gives what there is.
    pub fn hurry(&mut self) -> bool {
        self.hurried = true;
        match (&mut self.making, &mut self.work) {
            (Some(making), _) => {
                making.hurry();
                true
            }
            (None, Some(work)) => work.hurry(),
            (None, None) => false,
        }
    }

    /// The answer, or what is known so far: after this there is no next step.
    pub fn stop(&mut self) -> Report {
        if let (None, Some(making)) = (&self.report, &mut self.making) {
            making.hurry();
            let left = if self.hurried { 0 } else { LAST_STEPS };
            match (0..left).find_map(|_| self.make()) {
                Some(made) => self.finish(Ended::Run(made)),
                None => self.report = Some(self.without_run(Unknown::Stopped)),
            }
        }
        if let Some(report) = &self.report {
            return report.clone();
        }
        let own = self.work.as_mut().and_then(|work| work.report(&self.about));
        let report = own.unwrap_or_else(|| {
            self.remember_summary();
            self.conclude(Verdict::Unknown(Unknown::Stopped), None)
        });
        self.report = Some(report.clone());
        report
    }

    /// The part of a symbolic search that the next step belongs to.
    pub fn phase(&self) -> Option<Phase> {
        // Between two searches the next one is prepared.
        let symbolic = self.about.options.engine == Engine::Symbolic;
        symbolic.then(|| self.reach().map_or(Phase::Look, Reach::phase))
    }

    /// The symbolic search that is under way, if there is one.
    pub fn reach(&self) -> Option<&Reach<'p>> {
        self.work.as_ref().and_then(|work| work.reach())
    }

    /// The event of the last step, where it was one of the on-the-fly search.
    pub fn event(&self) -> Option<Event> {
        self.event
    }

    /// The on-the-fly search that is under way, if there is one.
    pub fn search(&self) -> Option<&Search<'p>> {
        self.work.as_ref().and_then(|work| work.search())
    }

    /// The counts so far, with the search under way.
    pub fn stats(&self) -> Stats {
        match (&self.making, &self.work) {
            // A run may ask for more of the product, which no search has counted.
            (Some(making), _) => making.counted,
            (None, Some(work)) => self.about.before.with(work.stats(&self.about)),
            (None, None) => self.about.before,
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        if let Some(progress) = self.work.as_ref().and_then(|work| work.progress()) {
            return progress;
        }
        let (search, searches) = (self.current as u32, self.obligations.len() as u32);
        if let Some(reach) = self.reach() {
            return Progress { search, searches, ..symbolic::progress(reach) };
        }
        let stats = self.stats();
        Progress {
            search,
            searches,
            nodes: stats.product_states.or(stats.states).unwrap_or(0),
            edges: stats.product_edges.or(stats.edges).unwrap_or(0),
            depth: self.work.as_ref().map_or(0, |work| work.depth()),
            bytes: stats.peak_bytes,
            making: self.making.as_ref().map_or(0, |making| making.steps()),
        }
    }

    /// A small step of the making of a run.
    fn make(&mut self) -> Option<Made> {
        let (making, obligation) = (self.making.as_mut()?, &self.obligations[self.current]);
        match &mut self.work {
            Some(work) => work.make(making, &self.about, obligation),
            None => Some(Err(LassoFault::Open)),
        }
    }

    /// The report of a violation whose run is not made.
    fn without_run(&self, why: Unknown) -> Report {
        let report = self.conclude(Verdict::Violated, None);
        Report { run_note: Some(RunNote::Missing(why)), ..report }
    }

    fn advance(&mut self) -> Turn<'p> {
        let watched = !self.work.as_ref().is_some_and(|work| work.watches_memory());
        if let Some(turn) = watched.then(|| self.watch_memory()).flatten() {
            return turn;
        }
        if self.making.is_some() {
            return self.make().map_or(Turn::More, |made| Turn::Ended(Ended::Run(made)));
        }
        if let Some(work) = &mut self.work {
            let turn = work.step(&self.about);
            self.event = work.event();
            return turn;
        }
        let Some(obligation) = self.obligations.get(self.current) else { return Turn::Ended(Ended::Holds) };
        match work::start(&self.about, obligation, self.states.take()) {
            Ok(work) => {
                self.work = Some(work);
                Turn::More
            }
            Err(unknown) => Turn::Ended(Ended::Unknown(unknown)),
        }
    }

    /// Looks now and then at how much memory is in use.
    fn watch_memory(&mut self) -> Option<Turn<'p>> {
        self.until_bytes -= 1;
        if self.until_bytes > 0 {
            return None;
        }
        self.until_bytes = BYTES_EVERY;
        let limit = self.about.options.limits.bytes;
        let Some(making) = &mut self.making else {
            let full = self.stats().peak_bytes > limit;
            return full.then_some(Turn::Ended(Ended::Unknown(Unknown::Limit(Limit::Bytes))));
        };
        // The search has taken its bytes already; the run may take those that are left, and a little more.
        let left = limit.saturating_sub(making.counted.peak_bytes);
        if making.bytes() > left + limit / 8 {
            return Some(Turn::Answered(Box::new(self.without_run(Unknown::Limit(Limit::Bytes)))));
        }
        if making.bytes() > left {
            making.hurry();
        }
        None
    }

    fn remember_summary(&mut self) {
        if let Some(summary) = self.work.as_ref().and_then(|work| work.summary()) {
            self.summary = Some(summary);
        }
    }

    /// Keeps the counts of a search that has ended, and what the next one can use.
    fn leave_search(&mut self) {
        self.remember_summary();
        self.about.before = self.stats();
        self.states = self.work.take().and_then(Work::into_states);
    }

    /// Goes on to the next obligation, or makes the report.
    fn finish(&mut self, ended: Ended) {
        if self.making.is_none() {
            self.leave_search();
        }
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
                match replay_path(self.about.program, &path) {
                    Ok(()) if is_wrong(self.about.program, obligation, &path) => {
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
            words: obligation.instance(self.about.program),
            tracked: obligation.tracked.clone(),
            alike: obligation.orbit,
        });
        Report {
            verdict,
            engine: self.about.options.engine,
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
