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
    /// Whether somebody has said how many states may be seen.
    pub limited: bool,
    pub answers: Vec<Answer>,
}

/// What the pass over the states found.
#[derive(Default)]
pub(super) struct SurveyReport {
    /// Whether there was no pass.
    pub not_asked: bool,
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

impl<'a> Job<'a> {
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
                let report = halted_report(check.stop(), halt);
                if halt == Some(Halt::Request) {
                    // The process ends soon, and its memory with it: whoever asked for that does not wait until it is given back.
                    std::mem::forget(check);
                }
                (Found::Report(Box::new(report)), times)
            }
            Err(CheckError::Property(error)) => {
                unanswered(Found::TooLarge(self.model.source.render(&error.diagnostic())))
            }
            Err(CheckError::Refused(refusal)) => unanswered(Found::Refused(refusal_words(refusal))),
        }
    }

    /// Checks properties, those together that one pass over the states can decide; gives that pass, which has not looked at
    /// more states than they need.
    pub(super) fn properties(&mut self, selected: &[PropertyId]) -> Result<Pass<'a>, Failure> {
        let program = &self.model.program;
        let mut together: Vec<PropertyId> = (selected.iter().copied())
            .filter(|&id| {
                program.properties[id].logic().is_of_states()
                    && Survey::takes(program, self.symmetry, id, self.options.engine).unwrap_or(false)
            })
            .collect();
        let mut answered: Vec<(PropertyId, Found, Times)> = Vec::new();
        // What the symbolic engine cannot take in is said before anything else.
        let wanted = !together.is_empty() || self.options.engine == Engine::Symbolic;
        let pass = loop {
            if !wanted {
                break Pass::None;
            }
            match internal::guarded(|| self.pass(&together, &mut answered)) {
                Ok(Ok(Passed::Done(pass))) => break pass,
                // The others are looked at again without the one that has an error.
                Ok(Ok(Passed::Without(id))) => together.retain(|&other| other != id),
                Ok(Err(failure)) => return Err(failure),
                Err(what) => {
                    for &id in &together {
                        answered.push((id, Found::Broken(what.clone()), Times::default()));
                    }
                    break Pass::Broken(what);
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
        Ok(pass)
    }

    /// Begins a pass over the states and answers these invariants.
    fn pass(
        &self,
        together: &[PropertyId],
        answered: &mut Vec<(PropertyId, Found, Times)>,
    ) -> Result<Passed<'a>, Failure> {
        let mut survey = self.survey(together)?.answering_only();
        if together.is_empty() {
            return Ok(Passed::Done(Pass::Begun(Box::new(survey))));
        }
        let (time, halt) = run::drive(&mut survey);
        if let Some(id) = survey.faulty_invariant().filter(|id| together.contains(id)) {
            answered.push((id, Found::Report(Box::new(survey.report(id))), time));
            return Ok(Passed::Without(id));
        }
        for &id in together {
            let report = halted_report(survey.report(id), halt);
            answered.push((id, Found::Report(Box::new(report)), time));
        }
        Ok(Passed::Done(Pass::Invariants(Box::new(survey), time, halt)))
    }

    fn survey(&self, invariants: &[PropertyId]) -> Result<Survey<'a>, Failure> {
        let mut options = self.options;
        if self.is_bounded(invariants.is_empty()) {
            options.limits.states = options.limits.states.min(DEADLOCKS_ALONE);
        }
        Survey::new(&self.model.program, self.symmetry, invariants, &options)
            .map_err(|refusal| Failure::Input(format!("orbitscope: {refusal}")))
    }

    /// Whether deadlocks alone are looked for, and nobody has said in how many states.
    fn is_bounded(&self, alone: bool) -> bool {
        alone && !self.limited && self.options.engine != Engine::Explicit
    }

    /// What a pass has found when deadlocks have been looked for too, unless they are not asked for.
    pub(super) fn deadlocks(&self, pass: Pass<'a>, asked: bool) -> Result<SurveyReport, Failure> {
        let (survey, alone, before) = match pass {
            Pass::Broken(what) => {
                return Ok(SurveyReport { broken: Some(what), ..SurveyReport::default() });
            }
            Pass::None | Pass::Begun(..) if !asked || interrupt::requested() => {
                let unknown = asked.then_some(Unknown::Stopped);
                return Ok(SurveyReport { not_asked: true, unknown, ..SurveyReport::default() });
            }
            Pass::None => (self.survey(&[])?, true, (Times::default(), None)),
            Pass::Begun(survey) => (*survey, true, (Times::default(), None)),
            Pass::Invariants(survey, time, halt) => (*survey, false, (time, halt)),
        };
        let looked = internal::guarded(|| self.look(survey, alone, asked, before));
        Ok(looked.unwrap_or_else(|what| SurveyReport { broken: Some(what), ..SurveyReport::default() }))
    }

    fn look(
        &self,
        mut survey: Survey<'a>,
        alone: bool,
        asked: bool,
        (mut time, mut halt): (Times, Option<Halt>),
    ) -> SurveyReport {
        if asked && halt.is_none() {
            survey.go_on();
            let (more, stopped) = run::drive(&mut survey);
            time = time.and(more);
            halt = stopped;
        }
        let unknown = survey.unknown().map(|unknown| halted(unknown, halt));
        let told = |unknown: &Unknown| {
            let all = !self.is_bounded(alone);
            all || halt == Some(Halt::Request) || matches!(unknown, Unknown::Fault(_) | Unknown::NodeLimit)
        };
        SurveyReport {
            not_asked: false,
            deadlocks: survey.deadlock_count(),
            path: survey.deadlock_path(),
            complete: survey.is_complete(),
            deadlocks_alone: alone,
            unknown: unknown.filter(told),
            broken: None,
            stats: survey.stats(),
            symbolic: survey.summary(),
            time,
        }
    }
}

/// A pass over the states, as far as the properties needed it.
pub(super) enum Pass<'a> {
    /// No property did.
    None,
    /// It has begun, and has seen no state yet.
    Begun(Box<Survey<'a>>),
    /// Its invariants are answered; how long that took, and what stopped it.
    Invariants(Box<Survey<'a>>, Times, Option<Halt>),
    /// It failed; the words say how.
    Broken(String),
}

/// How the answering of invariants ended.
enum Passed<'a> {
    Done(Pass<'a>),
    /// This invariant has an error; it has its answer.
    Without(PropertyId),
}
