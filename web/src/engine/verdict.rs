//! The answer to a property, and what one pass over the states tells, for the page.

use super::choices::{CHECK_LIMITS, Choices};
use super::model::CheckedModel;
use super::problem::{Problem, fault};
use super::run::{Numbering, Run, Source};
use super::symbolic::{Iterations, Recorded};
use orbitscope_core::check::{
    Check, Counterexample, Found, Pass, PassReport, Progress, Report, RunNote, Stats, Target, Task, Unknown,
    Verdict as Outcome,
};
use orbitscope_core::ctl::Effort;
use orbitscope_core::error::Limit;
use orbitscope_core::natural::Natural;
use orbitscope_core::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Violated,
    /// Not known.
    Unknown,
}

/// Why a verdict is not known, or a count not complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// It was stopped.
    Stopped,
    /// A limit was reached.
    Limit(Limit),
    /// The model or the property has an error.
    Fault(Problem),
    /// Nothing speaks against it in what was explored, which says nothing of the program.
    Explored(String),
    /// It cannot be checked with what is chosen, or at all.
    Refused(String),
    /// An error of this program.
    Internal(String),
    /// The making of the run was cut short.
    Longer,
}

impl Why {
    /// Whether there is a part of an answer.
    pub fn is_partial(&self) -> bool {
        matches!(self, Why::Stopped | Why::Limit(_) | Why::Longer)
    }

    /// The reason in words.
    pub fn words(&self) -> String {
        match self {
            Why::Stopped => Unknown::Stopped.to_string(),
            Why::Limit(limit) => limit.to_string(),
            Why::Fault(problem) => problem.message.clone(),
            Why::Explored(words) | Why::Refused(words) => words.clone(),
            Why::Internal(words) => format!("internal error: {words}"),
            Why::Longer => "stopped: the run may be longer than it has to be".into(),
        }
    }
}

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why that is not known.
    pub why: Option<Why>,
    /// Which of the property's searches the verdict rests on, counted from 0.
    pub search: u32,
    /// How many there are.
    pub searches: u32,
    /// The processes that the property's names stand for in it.
    pub instance: String,
    /// How many choices it stands for.
    pub alike: u64,
    /// The counts.
    pub stats: Stats,
    /// How long it took, in milliseconds.
    pub time: f64,
    /// The work of the algorithm for `ctl`.
    pub effort: Option<Effort>,
    /// The run that shows a violation.
    pub run: Option<Rc<Run>>,
    /// The search of the symbolic engine.
    pub iterations: Option<Rc<Iterations>>,
}

impl Checked {
    /// No answer, and why.
    fn unknown(why: Why) -> Checked {
        Checked {
            verdict: Verdict::Unknown,
            why: Some(why),
            search: 0,
            searches: 0,
            instance: String::new(),
            alike: 0,
            stats: Stats::default(),
            time: 0.0,
            effort: None,
            run: None,
            iterations: None,
        }
    }

    /// The remains of a check that can tell no more than its last progress.
    pub fn stopped_at(progress: Progress, time: f64) -> Checked {
        let stats = Stats {
            product_states: Some(progress.nodes),
            product_edges: Some(progress.edges),
            peak_bytes: progress.bytes,
            ..Stats::default()
        };
        Checked { stats, time, ..Checked::unknown(Why::Stopped) }
    }

    /// Whether it is what was known when it was stopped, or when a limit was reached.
    pub fn is_partial(&self) -> bool {
        self.why.as_ref().is_some_and(Why::is_partial)
    }
}

/// The findings of one pass over the states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surveyed {
    /// How many states without a step there are, up to symmetry where it is used.
    pub deadlocks: u64,
    /// Why not all states were seen.
    pub why: Option<Why>,
    /// The names of the steps to the nearest one.
    pub path: Vec<String>,
    /// The way to the nearest one.
    pub run: Option<Rc<Run>>,
    /// The states that were seen, where the symbolic engine counted them.
    pub covered: Option<Natural>,
    /// The counts.
    pub stats: Stats,
    /// How long it took, in milliseconds.
    pub time: f64,
}

/// A check with a property, ready to be stepped; or an answer at once.
pub(super) fn start(
    model: &CheckedModel,
    property: u32,
    choices: Choices,
) -> Result<Recorded<'_>, Option<Box<Checked>>> {
    let Some((id, _)) = model.property(property) else { return Err(None) };
    let symmetry = choices.symmetry_of(model);
    let options = choices.options(CHECK_LIMITS);
    let hints = if options.symbolic.hints { model.program.hints.len() as u32 } else { 0 };
    let check = Task::ask(&model.program, &symmetry, Target::Property(id), options);
    check.map(|check| Recorded::new(check, choices.tuning(), hints)).map_err(|found| {
        Some(Box::new(Checked::unknown(match found {
            Found::TooLarge(error) => Why::Fault(model.problem(&error.diagnostic())),
            Found::Refused(refusal) => Why::Refused(refusal.to_string()),
            // A check that cannot begin has no report, and nothing was begun that could break.
            Found::Report(_) | Found::Broken(_) | Found::NotAsked => Why::Stopped,
        })))
    })
}

/// The findings of a check: its answer, or as much as is known.
pub(super) fn finish(model: &CheckedModel, recorded: &mut Recorded<'_>, property: u32, time: f64) -> Checked {
    let name = model.property(property).map_or("", |(_, info)| info.name.as_str());
    let report = recorded.check.stop();
    let iterations = recorded.iterations(&report).map(Rc::new);
    let check = &recorded.check;
    let note = || {
        report.run_note.as_ref().map(|note| match note {
            RunNote::Longer => Why::Longer,
            RunNote::Missing(unknown) => why(model, unknown, name),
        })
    };
    let (verdict, why) = match &report.verdict {
        // A state that a cover asks for has a run too.
        Outcome::Holds => (Verdict::Holds, note()),
        Outcome::Violated => (Verdict::Violated, note()),
        Outcome::Unknown(unknown) => (Verdict::Unknown, Some(why(model, unknown, name))),
    };
    let instance = report.instance.as_ref();
    Checked {
        verdict,
        why,
        search: search_of(model, check, &report),
        searches: report.searches,
        instance: instance.map_or_else(String::new, |instance| instance.words.clone()),
        alike: instance.map_or(1, |instance| instance.alike),
        stats: report.stats,
        time,
        iterations,
        run: report.counterexample.as_ref().map(|found| Rc::new(run(model, check, &report, found))),
        effort: report.branching.map(|found| found.effort),
    }
}

/// The run of a report, in the numbers of the program and in those of the representatives.
fn run(model: &CheckedModel, check: &Check<'_>, report: &Report, found: &Counterexample) -> Run {
    let source = match found {
        Counterexample::Path(path) => Source::Path(path),
        Counterexample::Lasso(lasso, ledger) => Source::Lasso(lasso, ledger),
    };
    let obligation = check.obligations().get(search_of(model, check, report) as usize);
    let quotient = obligation.filter(|_| report.stats.aqs_states.is_some()).map(|obligation| {
        let aqs =
            Aqs::without_roots(&model.program, &obligation.symmetry, Prune::None, EdgeStorage::Recomputed);
        (Aqsi::without_roots(aqs), &obligation.tracked)
    });
    match quotient {
        Some((mut quotient, tracked)) => {
            let mut numbering = Numbering::of_quotient(&mut quotient, tracked);
            Run::new(&model.program, &model.source, source, Some(&mut numbering))
        }
        None => Run::new(&model.program, &model.source, source, None),
    }
}

/// The search that a report rests on.
fn search_of(model: &CheckedModel, check: &Check<'_>, report: &Report) -> u32 {
    let Some(instance) = &report.instance else { return 0 };
    let same = check.obligations().iter().rposition(|obligation| {
        obligation.tracked == instance.tracked && obligation.instance(&model.program) == instance.words
    });
    same.unwrap_or(0) as u32
}

fn why(model: &CheckedModel, unknown: &Unknown, property: &str) -> Why {
    if let Some(limit) = unknown.limit() {
        return Why::Limit(limit);
    }
    match unknown {
        Unknown::FalsificationOnly | Unknown::ExploredOnly => Why::Explored(unknown.to_string()),
        Unknown::Fault(found) => Why::Fault(fault(&model.source, &model.program, found, property)),
        Unknown::Internal(found) => {
            Why::Internal(format!("the run that was found does not replay: {found:?}"))
        }
        Unknown::Stopped => Why::Stopped,
        refused => Why::Refused(refused.to_string()),
    }
}

/// A pass over the states for deadlocks.
pub(super) fn start_survey(model: &CheckedModel, choices: Choices) -> Result<Pass<'_>, Box<Surveyed>> {
    let (symmetry, options) = (choices.symmetry_of(model), choices.options(CHECK_LIMITS));
    let pass = Pass::new(&model.program, &symmetry, Vec::new(), &options, true);
    pass.map(Pass::for_deadlocks).map_err(|refusal| {
        let why = Some(Why::Refused(refusal.to_string()));
        Box::new(Surveyed { why, ..Surveyed::new(model, PassReport::default(), 0.0) })
    })
}

/// The findings of a pass so far.
pub(super) fn finish_survey(model: &CheckedModel, mut pass: Pass<'_>, time: f64) -> Surveyed {
    Surveyed::new(model, pass.report(), time)
}

impl Surveyed {
    fn new(model: &CheckedModel, pass: PassReport, time: f64) -> Surveyed {
        let run =
            pass.path.as_ref().map(|path| Run::new(&model.program, &model.source, Source::Path(path), None));
        let steps = pass.path.map_or_else(Vec::new, |path| path.steps);
        Surveyed {
            deadlocks: pass.deadlocks,
            why: pass.unknown.map(|unknown| why(model, &unknown, "")),
            run: run.map(Rc::new),
            covered: pass.symbolic.map(|summary| summary.covered),
            path: steps.iter().map(|s| model.program.show_step(s.process, s.action, &s.arguments)).collect(),
            stats: pass.stats,
            time,
        }
    }
}
