//! What is checked of a model, in which order, and with which words the outcomes are told.
//!
//! A plan does no work. It says what is [next](Plan::next_step), [starts](Plan::start) it as something to be
//! [stepped](Stepping), and [takes](Plan::take) what came of it. Between these three whoever has a clock, a button to
//! stop or a guard against panics does as they please, so that the command line, the page and a test can share it.
//!
//! The order: an automaton from a file; then one pass over the states, which finds the deadlocks and decides every
//! property of states that tells no processes apart; then every other property by itself. Where an invariant has an error, the
//! pass is made again without it, so that the error costs nobody else's answer.

use super::options::{Engine, Options};
use super::outcome::{Found, Halt, Outcome, PassReport, Question};
use super::run::Check;
use super::survey::Survey;
use super::target::{CheckError, Target};
use super::{Progress, Report, Stats, Stepping, Unknown, Verdict};
use crate::limits::DEADLOCKS_ALONE;
use crate::program::{Program, PropertyId, PropertyLogic};
use crate::property::HoaProperty;
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A piece of work of a plan, not yet begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The check of one question.
    Ask(Question),
    /// One pass over the states for these invariants, and for deadlocks.
    Pass(Vec<PropertyId>),
}

/// A piece of work under way.
#[derive(Debug)]
pub enum Task<'p> {
    /// The check of one question.
    Ask(Box<Check<'p>>),
    /// A pass over the states, whether it looks for deadlocks alone, and whether it was asked to see all states.
    Pass(Box<Survey<'p>>, bool, bool),
}

/// A finished piece of work.
#[derive(Debug)]
pub enum Done {
    /// The outcome of one question.
    Asked(Found),
    /// What the pass tells, with the reports of its invariants.
    Passed(Box<PassReport>, Vec<(PropertyId, Report)>),
    /// This invariant has an error of its own; the pass has to be made again without it.
    Without(PropertyId, Box<Report>),
}

/// The check of several properties of a program. `T` is what the driver wants to remember of each piece of work, such as
/// the time that it took.
///
/// ```
/// use orbitscope_core::check::{Options, Plan, Stepping};
/// use orbitscope_core::Model;
/// let model = Model::parse("process p[3] { var x: bool = false action go: not x -> x := true }
///     invariant few: count(q in p: q.x) < 3
///     ltl goes: forall q in p: F q.x").unwrap();
/// let mut plan: Plan<'_, ()> = Plan::new(model.program(), model.symmetry(), Options::default());
/// while let Some(step) = plan.next_step() {
///     let done = plan.start(&step).map(|mut task| {
///         while task.step() {}
///         task.finish(&step, None)
///     });
///     plan.take(step, done, ());
/// }
/// let told: Vec<_> = plan.outcomes().iter().map(|o| (o.name.as_str(), o.verdict())).collect();
/// assert_eq!(told, [("few", "violated"), ("goes", "holds")]);
/// assert_eq!(plan.pass().map(|pass| pass.deadlocks), Some(1));
/// ```
#[derive(Debug)]
pub struct Plan<'p, T> {
    program: &'p Program,
    symmetry: &'p ProgramSymmetry,
    options: Options,
    automaton: Option<&'p HoaProperty>,
    selected: Vec<PropertyId>,
    /// Whether the limit of states was set by somebody, who then wants it used up.
    all_states: bool,
    /// The invariants that the pass is to decide; none once it has been made.
    together: Option<Vec<PropertyId>>,
    stopped: bool,
    outcomes: Vec<Outcome<T>>,
    pass: Option<(PassReport, T)>,
}

impl<'p, T: Clone> Plan<'p, T> {
    /// A plan for every property of the program.
    pub fn new(program: &'p Program, symmetry: &'p ProgramSymmetry, options: Options) -> Self {
        let plan = Plan {
            program,
            symmetry,
            options,
            automaton: None,
            selected: Vec::new(),
            all_states: false,
            together: None,
            stopped: false,
            outcomes: Vec::new(),
            pass: None,
        };
        plan.only(program.properties.ids().collect())
    }

    /// The plan for these properties alone.
    #[must_use]
    pub fn only(mut self, selected: Vec<PropertyId>) -> Self {
        let taken = |&id: &PropertyId| {
            self.program.properties[id].logic().is_of_states()
                && Survey::takes(self.program, self.symmetry, id, self.options.engine).unwrap_or(false)
        };
        self.together = Some(selected.iter().copied().filter(taken).collect());
        self.selected = selected;
        self
    }

    /// The plan with an automaton from a file, which is asked first.
    #[must_use]
    pub fn with_automaton(self, automaton: &'p HoaProperty) -> Self {
        Plan { automaton: Some(automaton), ..self }
    }

    /// Lets the pass use up the limit of states, even where it looks for deadlocks alone.
    #[must_use]
    pub fn seeing_all_states(self, all_states: bool) -> Self {
        Plan { all_states, ..self }
    }

    /// How properties are checked.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From now on nothing is begun any more; whatever is open is told as not asked.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// The next piece of work.
    pub fn next_step(&mut self) -> Option<Step> {
        loop {
            let step = self.upcoming()?;
            match &step {
                Step::Ask(question) if self.stopped => self.outcome(*question, Found::NotAsked, None),
                _ => return Some(step),
            }
        }
    }

    fn upcoming(&self) -> Option<Step> {
        let open = |question: Question| !self.outcomes.iter().any(|outcome| outcome.question == question);
        if self.automaton.is_some() && open(Question::Automaton) {
            return Some(Step::Ask(Question::Automaton));
        }
        if let Some(together) = &self.together {
            return Some(Step::Pass(together.clone()));
        }
        let mut questions = self.selected.iter().map(|&id| Question::Property(id));
        questions.find(|&question| open(question)).map(Step::Ask)
    }

    /// Begins a piece of work; where that cannot be, it is done already.
    pub fn start(&self, step: &Step) -> Result<Task<'p>, Done> {
        let target = match step {
            Step::Pass(together) => return self.start_pass(together),
            Step::Ask(Question::Property(id)) => Target::Property(*id),
            Step::Ask(Question::Automaton) => match self.automaton {
                Some(automaton) => Target::Automaton(automaton),
                None => return Err(Done::Asked(Found::NotAsked)),
            },
        };
        Check::new(self.program, self.symmetry, target, self.options)
            .map(|check| Task::Ask(Box::new(check)))
            .map_err(|error| {
                Done::Asked(match error {
                    CheckError::Property(error) => Found::TooLarge(error),
                    CheckError::Refused(refusal) => Found::Refused(refusal),
                })
            })
    }

    fn start_pass(&self, together: &[PropertyId]) -> Result<Task<'p>, Done> {
        let mut options = self.options;
        let all = self.all_states || !together.is_empty() || options.engine == Engine::Explicit;
        if !all {
            options.limits.states = options.limits.states.min(DEADLOCKS_ALONE);
        }
        match Survey::new(self.program, self.symmetry, together, &options) {
            Ok(survey) => Ok(Task::Pass(Box::new(survey), together.is_empty(), all)),
            Err(refusal) => Err(Done::Passed(
                Box::new(PassReport { refused: Some(refusal), ..PassReport::default() }),
                Vec::new(),
            )),
        }
    }

    /// Takes in what came of a piece of work.
    pub fn take(&mut self, step: Step, done: Result<Done, Done>, cost: T) {
        match (step, done.unwrap_or_else(|done| done)) {
            (Step::Ask(question), Done::Asked(found)) => self.outcome(question, found, Some(cost)),
            (Step::Pass(together), Done::Passed(pass, mut reports)) => {
                for id in together {
                    let found = match reports.iter().position(|(own, _)| *own == id) {
                        Some(at) => Found::Report(Box::new(reports.swap_remove(at).1)),
                        None => match pass.refused {
                            Some(refusal) => Found::Refused(refusal),
                            None => Found::NotAsked,
                        },
                    };
                    self.outcome(Question::Property(id), found, Some(cost.clone()));
                }
                self.together = None;
                self.pass = Some((*pass, cost));
            }
            (Step::Pass(_), Done::Without(id, report)) => {
                self.outcome(Question::Property(id), Found::Report(report), Some(cost));
                if let Some(together) = &mut self.together {
                    together.retain(|&other| other != id);
                }
            }
            // What was begun is what comes back.
            (Step::Ask(question), _) => self.outcome(question, Found::NotAsked, None),
            (Step::Pass(_), Done::Asked(_)) => self.together = None,
        }
    }

    /// Takes in that a piece of work failed by an error of this program.
    pub fn take_broken(&mut self, step: Step, what: &str, cost: T) {
        match step {
            Step::Ask(question) => self.outcome(question, Found::Broken(what.into()), Some(cost)),
            Step::Pass(together) => {
                for id in together {
                    let found = Found::Broken(what.into());
                    self.outcome(Question::Property(id), found, Some(cost.clone()));
                }
                self.together = None;
                self.pass = Some((PassReport { broken: Some(what.into()), ..PassReport::default() }, cost));
            }
        }
    }

    fn outcome(&mut self, question: Question, found: Found, cost: Option<T>) {
        let (logic, name) = match question {
            Question::Property(id) => {
                (self.program.properties[id].logic(), self.program.properties[id].name.clone())
            }
            Question::Automaton => {
                let name = self.automaton.and_then(|automaton| automaton.name.clone());
                (PropertyLogic::Automaton, name.unwrap_or_else(|| String::from("hoa")))
            }
        };
        let outcome = Outcome { question, logic, name, found, cost };
        let place = self.outcomes.partition_point(|other| other.question < question);
        self.outcomes.insert(place, outcome);
    }

    /// What has come out so far: the automaton's first, then the properties in the order of the text.
    pub fn outcomes(&self) -> &[Outcome<T>] {
        &self.outcomes
    }

    /// What the pass over the states told, once it was made.
    pub fn pass(&self) -> Option<&PassReport> {
        self.pass.as_ref().map(|(pass, _)| pass)
    }

    /// Everything that came out.
    pub fn finish(self) -> (Vec<Outcome<T>>, Option<(PassReport, T)>) {
        (self.outcomes, self.pass)
    }
}

impl Task<'_> {
    /// The outcome, or what is known so far, of work that was stopped from outside if there is a reason for it.
    pub fn finish(self, step: &Step, halt: Option<Halt>) -> Done {
        let (mut survey, deadlocks_alone, all) = match self {
            Task::Ask(mut check) => {
                return Done::Asked(Found::Report(Box::new(halted_report(check.stop(), halt))));
            }
            Task::Pass(survey, deadlocks_alone, all) => (survey, deadlocks_alone, all),
        };
        let together: &[PropertyId] = if let Step::Pass(together) = step { together } else { &[] };
        if let Some(id) = survey.faulty_invariant().filter(|id| together.contains(id)) {
            return Done::Without(id, Box::new(survey.report(id)));
        }
        let unknown = survey.unknown().map(|unknown| halted(unknown, halt));
        let reports = together.iter().map(|&id| (id, halted_report(survey.report(id), halt))).collect();
        // Whoever asked for no states does not hear that not all of them were seen.
        let asked = |unknown: &Unknown| {
            all || halt == Some(Halt::Request) || matches!(unknown, Unknown::Fault(_) | Unknown::NodeLimit)
        };
        let pass = PassReport {
            deadlocks: survey.deadlock_count(),
            path: survey.deadlock_path(),
            complete: survey.is_complete(),
            deadlocks_alone,
            unknown: unknown.filter(asked),
            refused: None,
            broken: None,
            stats: survey.stats(),
            symbolic: survey.summary(),
        };
        Done::Passed(Box::new(pass), reports)
    }
}

impl Stepping for Task<'_> {
    fn step(&mut self) -> bool {
        match self {
            Task::Ask(check) => check.step(),
            Task::Pass(survey, ..) => survey.step(),
        }
    }

    fn progress(&self) -> Progress {
        match self {
            Task::Ask(check) => check.progress(),
            Task::Pass(survey, ..) => survey.progress(),
        }
    }

    fn stats(&self) -> Stats {
        match self {
            Task::Ask(check) => check.stats(),
            Task::Pass(survey, ..) => survey.stats(),
        }
    }

    fn phase(&self) -> Option<crate::symbolic::Phase> {
        match self {
            Task::Ask(check) => check.phase(),
            Task::Pass(survey, ..) => survey.phase(),
        }
    }
}

/// Where work was stopped since memory became short, a limit was reached: whose measure it was makes no difference.
fn halted(unknown: Unknown, halt: Option<Halt>) -> Unknown {
    match (unknown, halt) {
        (Unknown::Stopped, Some(Halt::Memory)) => Unknown::ByteLimit,
        (unknown, _) => unknown,
    }
}

/// See [`halted`].
fn halted_report(mut report: Report, halt: Option<Halt>) -> Report {
    if let Verdict::Unknown(unknown) = report.verdict {
        report.verdict = Verdict::Unknown(halted(unknown, halt));
    }
    report
}
