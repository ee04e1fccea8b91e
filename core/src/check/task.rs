//! A piece of work of a [`Plan`](super::Plan): begun, stepped and finished by whoever has a clock.

use super::options::{Engine, Options, Refusal};
use super::outcome::{Found, Halt, PassReport};
use super::run::Check;
use super::survey::Survey;
use super::target::{CheckError, Target};
use super::{Progress, Report, Stats, Stepping, Unknown, Verdict};
use crate::crew::Crew;
use crate::error::Limit;
use crate::limits::DEADLOCKS_ALONE;
use crate::program::{Program, PropertyId};
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A piece of work under way.
#[derive(Debug)]
pub enum Task<'p> {
    /// The check of one question.
    Ask(Box<Check<'p>>),
    /// A pass over the states.
    Pass(Pass<'p>),
}

/// A pass over the states. It answers invariants first, and can then be sent on for deadlocks.
#[derive(Debug)]
pub struct Pass<'p> {
    survey: Box<Survey<'p>>,
    together: Vec<PropertyId>,
    /// Whether somebody asked for all states, so that it is worth saying that not all were seen.
    all_states: bool,
    /// Whether it has been sent on for deadlocks.
    sent_on: bool,
    /// The reason why it was stopped, if it was.
    halt: Option<Halt>,
}

/// A finished piece of work.
#[derive(Debug)]
pub enum Done<'p> {
    /// The outcome of one question.
    Asked(Found),
    /// The answers to the invariants of a pass, and the pass, which can be sent on for deadlocks.
    Answered(Vec<(PropertyId, Report)>, Pass<'p>),
    /// The findings of a pass that was sent on for deadlocks.
    Passed(Box<PassReport>),
    /// The pass could not be made.
    Refused(Refusal),
    /// This invariant has an error of its own; the pass has to be made again without it.
    Without(PropertyId, Box<Report>),
}

impl<'p> Task<'p> {
    /// Begins the check of one question; where that cannot be, the answer is there at once.
    pub fn ask(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        target: Target<'_>,
        options: Options,
    ) -> Result<Box<Check<'p>>, Found> {
        Check::new(program, symmetry, target, options).map(Box::new).map_err(|error| match error {
            CheckError::Property(error) => Found::TooLarge(error),
            CheckError::Refused(refusal) => Found::Refused(refusal),
        })
    }

    /// Ends the work: the outcome, or as much as is known where it was stopped from outside.
    pub fn finish(self, halt: Option<Halt>) -> Done<'p> {
        let mut pass = match self {
            Task::Ask(mut check) => {
                let done = Done::Asked(Found::Report(Box::new(halted_report(check.stop(), halt))));
                if halt == Some(Halt::Request) {
                    // Whoever asked for the end does not wait until millions of nodes are given back one by one.
                    core::mem::forget(check);
                }
                return done;
            }
            Task::Pass(pass) => pass,
        };
        pass.halt = halt;
        if let Some(id) = pass.survey.faulty_invariant().filter(|id| pass.together.contains(id)) {
            return Done::Without(id, Box::new(pass.survey.report(id)));
        }
        if pass.sent_on { Done::Passed(Box::new(pass.report())) } else { pass.answered() }
    }
}

impl<'p> Pass<'p> {
    /// Prepares a pass that answers these invariants, and sees no more states than they need. Where none is asked and
    /// nobody asked for all states either, it will look for deadlocks in a bounded number of them.
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        together: Vec<PropertyId>,
        options: &Options,
        all_states: bool,
    ) -> Result<Self, Refusal> {
        let mut options = *options;
        let all_states = all_states || !together.is_empty() || options.engine == Engine::Explicit;
        if !all_states {
            options.limits.states = options.limits.states.min(DEADLOCKS_ALONE);
        }
        let survey = Survey::new(program, symmetry, &together, &options)?;
        Ok(Pass {
            survey: Box::new(survey.answering_only()),
            together,
            all_states,
            sent_on: false,
            halt: None,
        })
    }

    /// The pass, sent on for deadlocks.
    #[must_use]
    pub fn for_deadlocks(mut self) -> Self {
        self.survey.go_on();
        self.sent_on = true;
        self
    }

    /// The answers to its invariants, and the pass itself.
    pub(super) fn answered(mut self) -> Done<'p> {
        let Pass { survey, together, halt, .. } = &mut self;
        let reports = together.iter().map(|&id| (id, halted_report(survey.report(id), *halt))).collect();
        Done::Answered(reports, self)
    }

    /// Reports the pass as far as it was made.
    pub fn report(&mut self) -> PassReport {
        let halt = self.halt;
        let unknown = self.survey.unknown().map(|unknown| halted(unknown, halt));
        // Whoever asked for no states does not hear that not all of them were seen.
        let asked = |unknown: &Unknown| {
            self.all_states
                || halt == Some(Halt::Request)
                || matches!(unknown, Unknown::Fault(_) | Unknown::Limit(Limit::Nodes))
        };
        PassReport {
            not_asked: false,
            deadlocks: self.survey.deadlock_count(),
            // Before the counts: a symbolic pass makes nodes for its path.
            path: self.survey.deadlock_path(),
            complete: self.survey.is_complete(),
            deadlocks_alone: self.together.is_empty(),
            unknown: unknown.filter(asked),
            refused: None,
            broken: None,
            stats: self.survey.stats(),
            symbolic: self.survey.summary(),
        }
    }

    /// Whether it answers no invariants and looks for deadlocks alone.
    pub fn is_for_deadlocks_alone(&self) -> bool {
        self.together.is_empty()
    }

    /// Whether it was stopped from outside.
    pub fn is_halted(&self) -> bool {
        self.halt.is_some()
    }
}

impl Stepping for Pass<'_> {
    fn step(&mut self) -> bool {
        self.survey.step()
    }

    fn waiting(&self) -> u32 {
        self.survey.waiting()
    }

    fn round(&mut self, crew: &dyn Crew, steps: u32) -> bool {
        self.survey.round(crew, steps)
    }

    fn progress(&self) -> Progress {
        self.survey.progress()
    }

    fn stats(&self) -> Stats {
        self.survey.stats()
    }

    fn phase(&self) -> Option<crate::symbolic::Phase> {
        self.survey.phase()
    }

    fn hurry(&mut self) -> bool {
        self.survey.hurry()
    }
}

impl Task<'_> {
    fn work(&self) -> &dyn Stepping {
        match self {
            Task::Ask(check) => &**check,
            Task::Pass(pass) => pass,
        }
    }

    fn work_mut(&mut self) -> &mut dyn Stepping {
        match self {
            Task::Ask(check) => &mut **check,
            Task::Pass(pass) => pass,
        }
    }
}

impl Stepping for Task<'_> {
    fn step(&mut self) -> bool {
        self.work_mut().step()
    }

    fn waiting(&self) -> u32 {
        self.work().waiting()
    }

    fn round(&mut self, crew: &dyn Crew, steps: u32) -> bool {
        self.work_mut().round(crew, steps)
    }

    fn progress(&self) -> Progress {
        self.work().progress()
    }

    fn stats(&self) -> Stats {
        self.work().stats()
    }

    fn phase(&self) -> Option<crate::symbolic::Phase> {
        self.work().phase()
    }

    fn hurry(&mut self) -> bool {
        self.work_mut().hurry()
    }
}

/// Where work was stopped since memory became short, a limit was reached: whose measure it was makes no difference.
fn halted(unknown: Unknown, halt: Option<Halt>) -> Unknown {
    match (unknown, halt) {
        (Unknown::Stopped, Some(Halt::Memory)) => Unknown::Limit(Limit::Bytes),
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
