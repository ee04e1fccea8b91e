//! Which questions about a model are asked, in which order, and what came of them.
//!
//! A plan does no work. It says what is [next](Plan::next_step), [starts](Plan::start) it as something to be
//! [stepped](Stepping), and [takes](Plan::take) what came of it. Between these three whoever has a clock, a button to
//! stop or a guard against panics does as they please, so that the command line, the page and a test can share it.
//!
//! Properties of states that tell no processes apart are decided in one pass over the states. Where one of them has an error, the
//! pass is made again without it, so that the error costs nobody else's answer. The pass is kept, and sent on for
//! deadlocks when these have their turn in the [`Order`].

use super::options::{Engine, Options};
use super::order::Order;
use super::outcome::{Cost, Found, Outcome, PassReport, Question};
use super::survey::Survey;
use super::target::Target;
use super::task::{Done, Pass, Task};
use super::{Stepping, Unknown};
use crate::program::{Program, PropertyId, PropertyLogic};
use crate::property::HoaProperty;
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A piece of work of a plan, not yet begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// One question.
    Ask(Question),
    /// One pass over the states for these invariants.
    Pass(Vec<PropertyId>),
}

/// The check of several properties of a program. `T` is what the driver wants to remember of each piece of work, such as
/// the time that it took.
///
/// ```
/// use orbitscope_core::check::{Options, Plan};
/// use orbitscope_core::Model;
/// let model = Model::parse("process p[3] { var x: bool = false action go: not x -> x := true }
///     invariant few: count(q in p: q.x) < 3
///     ltl goes: forall q in p: F q.x").unwrap();
/// let mut plan: Plan<'_, ()> = Plan::new(model.program(), model.symmetry(), Options::default());
/// plan.run();
/// let told: Vec<_> = plan.outcomes().iter().map(|o| (o.name.as_str(), o.verdict())).collect();
/// assert_eq!(told, [("few", "violated"), ("goes", "holds")]);
/// assert_eq!(plan.pass().map(|pass| pass.deadlocks), Some(1));
/// ```
#[derive(Debug)]
pub struct Plan<'p, T> {
    program: &'p Program,
    symmetry: &'p ProgramSymmetry,
    options: Options,
    order: Order,
    automaton: Option<&'p HoaProperty>,
    selected: Vec<PropertyId>,
    /// Whether the limit of states was set by somebody, who then wants it used up.
    all_states: bool,
    /// Whether deadlocks are asked for.
    deadlocks: bool,
    /// The invariants that the pass is to decide; none once it has been made.
    together: Option<Vec<PropertyId>>,
    /// The pass, once it has answered its invariants.
    kept: Option<Pass<'p>>,
    pass_cost: T,
    stopped: bool,
    outcomes: Vec<Outcome<T>>,
    pass: Option<(PassReport, T)>,
}

impl<'p, T: Cost> Plan<'p, T> {
    /// A plan for every property of the program, and for deadlocks.
    pub fn new(program: &'p Program, symmetry: &'p ProgramSymmetry, options: Options) -> Self {
        let plan = Plan {
            program,
            symmetry,
            options,
            order: Order::OF_THE_TEXT,
            automaton: None,
            selected: Vec::new(),
            all_states: false,
            deadlocks: true,
            together: None,
            kept: None,
            pass_cost: T::default(),
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
        let together: Vec<PropertyId> = selected.iter().copied().filter(taken).collect();
        // A pass that the symbolic engine cannot make is refused before anything else is done.
        let begins = !together.is_empty() || self.options.engine == Engine::Symbolic;
        self.together = begins.then_some(together);
        self.selected = selected;
        self
    }

    /// The plan with an automaton from a file, which is asked first.
    #[must_use]
    pub fn with_automaton(self, automaton: Option<&'p HoaProperty>) -> Self {
        Plan { automaton, ..self }
    }

    /// Lets the pass use up the limit of states, even where it looks for deadlocks alone.
    #[must_use]
    pub fn seeing_all_states(self, all_states: bool) -> Self {
        Plan { all_states, ..self }
    }

    /// Whether deadlocks are looked for besides.
    #[must_use]
    pub fn with_deadlocks(self, deadlocks: bool) -> Self {
        Plan { deadlocks, ..self }
    }

    /// How properties are checked.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From now on nothing is begun any more; whatever is open is told as not asked.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Does everything that is left, without a clock.
    pub fn run(&mut self) {
        while let Some(step) = self.next_step() {
            let done = self.start(&step).map(|mut task| {
                while task.step() {}
                task.finish(None)
            });
            self.take(step, done.unwrap_or_else(|done| done), T::default());
        }
    }

    /// The next piece of work.
    pub fn next_step(&mut self) -> Option<Step> {
        loop {
            let question = self.upcoming()?;
            match (question, &self.together) {
                (Question::Property(_) | Question::Deadlocks, Some(together)) => {
                    return Some(Step::Pass(together.clone()));
                }
                (Question::Deadlocks, None) => match self.settled() {
                    Some(report) => self.pass = Some((report, self.pass_cost.clone())),
                    None => return Some(Step::Ask(question)),
                },
                _ if self.stopped => self.outcome(question, Found::NotAsked, None),
                _ => return Some(Step::Ask(question)),
            }
        }
    }

    fn upcoming(&self) -> Option<Question> {
        let answered = |question| self.outcomes.iter().any(|outcome| outcome.question == question);
        self.order.first_open(self.selected.iter().copied(), |question| match question {
            Question::Automaton => self.automaton.is_some() && !answered(question),
            Question::Deadlocks => self.pass.is_none(),
            Question::Property(_) => !answered(question),
        })
    }

    /// The report about deadlocks, where no step is taken for them.
    fn settled(&mut self) -> Option<PassReport> {
        let answered = self.kept.as_ref().filter(|pass| !pass.is_for_deadlocks_alone());
        if self.deadlocks && answered.map_or(!self.stopped, |pass| !pass.is_halted()) {
            return None;
        }
        Some(match self.kept.take().filter(|pass| !pass.is_for_deadlocks_alone()) {
            Some(mut pass) => pass.report(),
            None => PassReport {
                not_asked: true,
                unknown: self.deadlocks.then_some(Unknown::Stopped),
                ..PassReport::default()
            },
        })
    }

    /// Begins a piece of work; where that cannot be, it is done already.
    pub fn start(&mut self, step: &Step) -> Result<Task<'p>, Done<'p>> {
        let target = match step {
            Step::Pass(together) => {
                let pass = self.new_pass(together.clone())?;
                return if together.is_empty() { Err(pass.answered()) } else { Ok(Task::Pass(pass)) };
            }
            Step::Ask(Question::Deadlocks) => {
                let pass = self.kept.take().map_or_else(|| self.new_pass(Vec::new()), Ok)?;
                return Ok(Task::Pass(pass.for_deadlocks()));
            }
            Step::Ask(Question::Property(id)) => Target::Property(*id),
            Step::Ask(Question::Automaton) => match self.automaton {
                Some(automaton) => Target::Automaton(automaton),
                None => return Err(Done::Asked(Found::NotAsked)),
            },
        };
        Task::ask(self.program, self.symmetry, target, self.options).map(Task::Ask).map_err(Done::Asked)
    }

    fn new_pass(&self, together: Vec<PropertyId>) -> Result<Pass<'p>, Done<'p>> {
        Pass::new(self.program, self.symmetry, together, &self.options, self.all_states)
            .map_err(Done::Refused)
    }

    /// Takes in what came of a piece of work.
    pub fn take(&mut self, step: Step, done: Done<'p>, cost: T) {
        match (step, done) {
            (Step::Ask(Question::Deadlocks), Done::Passed(pass)) => {
                self.pass = Some((*pass, self.pass_cost.clone().and(cost)));
            }
            (Step::Ask(question), Done::Asked(found)) => self.outcome(question, found, Some(cost)),
            (Step::Pass(_), Done::Answered(reports, pass)) => {
                for (id, report) in reports {
                    let found = Found::Report(Box::new(report));
                    self.outcome(Question::Property(id), found, Some(cost.clone()));
                }
                self.together = None;
                self.kept = Some(pass);
                self.pass_cost = cost;
            }
            (Step::Pass(_), Done::Without(id, report)) => {
                self.outcome(Question::Property(id), Found::Report(report), Some(cost));
                if let Some(together) = &mut self.together {
                    together.retain(|&other| other != id);
                }
            }
            (step, Done::Refused(refusal)) => {
                let pass = PassReport { refused: Some(refusal), ..PassReport::default() };
                self.unanswered(step, &Found::Refused(refusal), pass, cost);
            }
            // Only what was begun comes back.
            (step, _) => self.unanswered(step, &Found::NotAsked, PassReport::default(), cost),
        }
    }

    /// Takes in that a piece of work failed by an error of this program.
    pub fn take_broken(&mut self, step: Step, what: &str, cost: T) {
        let pass = PassReport { broken: Some(what.into()), ..PassReport::default() };
        self.unanswered(step, &Found::Broken(what.into()), pass, cost);
    }

    /// Tells all questions of a step in the same way; where it was a pass, there is none.
    fn unanswered(&mut self, step: Step, found: &Found, pass: PassReport, cost: T) {
        let questions = match step {
            Step::Ask(Question::Deadlocks) => Vec::new(),
            Step::Ask(question) => return self.outcome(question, found.clone(), Some(cost)),
            Step::Pass(together) => together,
        };
        for id in questions {
            self.outcome(Question::Property(id), found.clone(), Some(cost.clone()));
        }
        self.together = None;
        self.pass = Some((pass, cost));
    }

    fn outcome(&mut self, question: Question, found: Found, cost: Option<T>) {
        let (logic, name) = match question {
            Question::Property(id) => {
                (self.program.properties[id].logic(), self.program.properties[id].name.clone())
            }
            Question::Automaton | Question::Deadlocks => {
                let name = self.automaton.and_then(|automaton| automaton.name.clone());
                (PropertyLogic::Automaton, name.unwrap_or_else(|| String::from("hoa")))
            }
        };
        let outcome = Outcome { question, logic, name, found, cost };
        let place = self.outcomes.partition_point(|other| other.question < question);
        self.outcomes.insert(place, outcome);
    }

    /// The outcomes so far: the automaton's first, then the properties in the order of the text.
    pub fn outcomes(&self) -> &[Outcome<T>] {
        &self.outcomes
    }

    /// Whether every property has its outcome; deadlocks may be open.
    pub fn is_answered(&self) -> bool {
        matches!(self.upcoming(), None | Some(Question::Deadlocks)) && self.together.is_none()
    }

    /// The report of the pass over the states, once deadlocks had their turn.
    pub fn pass(&self) -> Option<&PassReport> {
        self.pass.as_ref().map(|(pass, _)| pass)
    }

    /// Everything that came out.
    pub fn finish(self) -> (Vec<Outcome<T>>, Option<(PassReport, T)>) {
        (self.outcomes, self.pass)
    }
}
