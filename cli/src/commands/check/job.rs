//! Checking several properties: each keeps its own outcome, whatever becomes of the others.

use super::answer::{Answer, Found, halted, halted_report, refusal_words};
use super::logic;
use crate::failure::Failure;
use crate::model::Model;
use crate::run::{Halt, Times};
use crate::{internal, interrupt, run};
use orbitscope_core::check::{Check, CheckError, Engine, Options, Stats, Survey, Target, Unknown};
use orbitscope_core::explore::Path;
use orbitscope_core::limits::DEADLOCKS_ALONE;
use orbitscope_core::program::PropertyId;
use orbitscope_core::property::HoaProperty;
use orbitscope_core::symbolic::Summary;
use orbitscope_core::symmetry::ProgramSymmetry;

/// A check of several properties under way.
pub(super) struct Job<'a> {
    pub model: &'a Model,
    pub symmetry: &'a ProgramSymmetry,
    pub options: Options,
    pub answers: Vec<Answer>,
}

/// What the pass over the states found.
#[derive(Default)]
pub(super) struct SurveyReport {
    pub deadlocks: u64,
    pub path: Option<Path>,
    pub complete: bool,
    /// Whether no invariant was looked at on the way.
    pub deadlocks_alone: bool,
    /// Why not all states were seen, where that is a limit that was set, or an error of the model.
    pub unknown: Option<Unknown>,
    /// How this program failed.
    pub broken: Option<String>,
    pub stats: Stats,
    pub symbolic: Option<Summary>,
    pub time: Times,
}

impl Job<'_> {
    pub(super) fn automaton(&mut self, automaton: &HoaProperty) {
        let name = automaton.name.clone().unwrap_or_else(|| "hoa".into());
        self.ask("automaton", name, Target::Automaton(automaton));
    }

    /// Checks one property by itself.
    fn ask(&mut self, logic: &'static str, name: String, target: Target<'_>) {
        let asked = internal::guarded(|| self.search(target));
        let (found, time) = asked.unwrap_or_else(|what| (Found::Broken(what), Times::default()));
        self.answers.push(Answer { logic, name, found, time });
    }

    fn search(&self, target: Target<'_>) -> (Found, Times) {
        let unanswered = |found: Found| (found, Times::default());
        if interrupt::requested() {
            return unanswered(Found::NotAsked);
        }
        match Check::new(&self.model.program, self.symmetry, target, self.options) {
            Ok(mut check) => {
                let (times, halt) = run::drive(&mut check);
                (Found::Report(Box::new(halted_report(check.stop(), halt))), times)
            }
            Err(CheckError::Property(error)) => {
                unanswered(Found::TooLarge(self.model.source.render(&error.diagnostic())))
            }
            Err(CheckError::Refused(refusal)) => unanswered(Found::Refused(refusal_words(refusal))),
        }
    }

    /// Checks properties, those together that one pass over the states can decide; that pass finds the deadlocks.
    pub(super) fn properties(
        &mut self,
        selected: &[PropertyId],
        limited: bool,
    ) -> Result<SurveyReport, Failure> {
        let program = &self.model.program;
        let mut together: Vec<PropertyId> = (selected.iter().copied())
            .filter(|&id| {
                logic(program, id) == "invariant"
                    && Survey::takes(program, self.symmetry, id, self.options.engine).unwrap_or(false)
            })
            .collect();
        let mut answered: Vec<(PropertyId, Found, Times)> = Vec::new();
        let survey = loop {
            let passed = internal::guarded(|| self.pass(&together, limited, &mut answered));
            match passed {
                Ok(Ok(Passed::Done(survey))) => break *survey,
                // The others are looked at again without the one that has an error.
                Ok(Ok(Passed::Without(id))) => together.retain(|&other| other != id),
                Ok(Err(failure)) => return Err(failure),
                Err(what) => {
                    for &id in &together {
                        answered.push((id, Found::Broken(what.clone()), Times::default()));
                    }
                    break SurveyReport { broken: Some(what), ..SurveyReport::default() };
                }
            }
        };
        for &id in selected {
            let (logic, name) = (logic(program, id), program.properties[id].name.clone());
            if let Some(place) = answered.iter().position(|(own, ..)| *own == id) {
                let (_, found, time) = answered.swap_remove(place);
                self.answers.push(Answer { logic, name, found, time });
            } else {
                self.ask(logic, name, Target::Property(id));
            }
        }
        Ok(survey)
    }

    /// One pass over the states for these invariants, and for deadlocks.
    fn pass(
        &self,
        together: &[PropertyId],
        limited: bool,
        answered: &mut Vec<(PropertyId, Found, Times)>,
    ) -> Result<Passed, Failure> {
        let program = &self.model.program;
        let mut options = self.options;
        if together.is_empty() && !limited && options.engine != Engine::Explicit {
            options.limits.states = options.limits.states.min(DEADLOCKS_ALONE);
        }
        let mut survey = Survey::new(program, self.symmetry, together, &options)
            .map_err(|refusal| Failure::Input(format!("orbitscope: {refusal}")))?;
        let (time, halt) = run::drive(&mut survey);
        if let Some(id) = survey.faulty_invariant().filter(|id| together.contains(id)) {
            answered.push((id, Found::Report(Box::new(survey.report(id))), time));
            return Ok(Passed::Without(id));
        }
        let unknown = survey.unknown().map(|unknown| halted(unknown, halt));
        for &id in together {
            let report = halted_report(survey.report(id), halt);
            answered.push((id, Found::Report(Box::new(report)), time));
        }
        let asked = |unknown: &Unknown| {
            let all = limited || !together.is_empty() || options.engine == Engine::Explicit;
            all || halt == Some(Halt::Request) || matches!(unknown, Unknown::Fault(_) | Unknown::NodeLimit)
        };
        Ok(Passed::Done(Box::new(SurveyReport {
            deadlocks: survey.deadlock_count(),
            path: survey.deadlock_path(),
            complete: survey.is_complete(),
            deadlocks_alone: together.is_empty(),
            unknown: unknown.filter(asked),
            broken: None,
            stats: survey.stats(),
            symbolic: survey.summary(),
            time,
        })))
    }
}

/// How a pass ended.
enum Passed {
    Done(Box<SurveyReport>),
    /// This invariant has an error; it has its answer.
    Without(PropertyId),
}
