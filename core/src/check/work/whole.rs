//! Properties that are answered whole, without obligations that are searched one by one: invariants and branching time.

use super::{About, Turn, Work};
use crate::check::report::{Progress, Report, Stats};
use crate::check::survey::Survey;
use crate::check::{branching, symbolic};
use crate::crew::Crew;
use crate::ctl::CtlCheck;
use crate::program::PropertyId;
use crate::symbolic::{CtlSearch, Reach};
use alloc::boxed::Box;

/// An invariant, by a pass over the states.
#[derive(Debug)]
pub(in crate::check) struct Invariant<'p>(pub PropertyId, pub Survey<'p>);

impl<'p> Work<'p> for Invariant<'p> {
    fn step(&mut self, _about: &About<'p>) -> Turn<'p> {
        let Invariant(id, survey) = self;
        if survey.step() { Turn::More } else { Turn::Answered(Box::new(survey.report(*id))) }
    }

    fn waiting(&self) -> u32 {
        self.1.waiting()
    }

    fn round(&mut self, crew: &dyn Crew, steps: u32) {
        self.1.round(crew, steps);
    }

    fn stats(&self, _about: &About<'p>) -> Stats {
        self.1.stats()
    }

    fn hurry(&mut self) -> bool {
        self.1.hurry()
    }

    fn report(&mut self, _about: &About<'p>) -> Option<Report> {
        Some(self.1.report(self.0))
    }

    fn reach(&self) -> Option<&Reach<'p>> {
        self.1.reach()
    }
}

/// A property of branching time, part by part on quotients.
#[derive(Debug)]
pub(in crate::check) struct Branching<'p>(pub CtlCheck<'p>);

impl<'p> Work<'p> for Branching<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.step().is_some() {
            return Turn::More;
        }
        Turn::Answered(Box::new(branching::report(&mut self.0, about.program, &about.options)))
    }

    /// The report has the counts of its parts.
    fn stats(&self, _about: &About<'p>) -> Stats {
        Stats::default()
    }

    fn progress(&self) -> Option<Progress> {
        Some(branching::progress(&self.0))
    }

    fn watches_memory(&self) -> bool {
        true
    }

    fn report(&mut self, about: &About<'p>) -> Option<Report> {
        Some(branching::report(&mut self.0, about.program, &about.options))
    }
}

/// A `ctl` property by sets of states.
#[derive(Debug)]
pub(in crate::check) struct SymbolicBranching<'p>(pub CtlSearch<'p>);

impl<'p> Work<'p> for SymbolicBranching<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.step() {
            return Turn::More;
        }
        Turn::Answered(Box::new(symbolic::branching_report(&self.0, about.program)))
    }

    fn watches_memory(&self) -> bool {
        true
    }

    fn report(&mut self, about: &About<'p>) -> Option<Report> {
        Some(symbolic::branching_report(&self.0, about.program))
    }

    fn reach(&self) -> Option<&Reach<'p>> {
        self.0.reach()
    }
}
