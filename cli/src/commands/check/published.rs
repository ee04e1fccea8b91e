//! Hands the findings of a check to the reports.

use super::{Answer, Checked, fairness_word, note, pass_problem, problem, time};
use crate::model::Model;
use orbitscope_core::check::{Found, Options, Report, Unknown};
use orbitscope_core::draw;
use orbitscope_core::limits::MAX_ROOTS;
use orbitscope_core::program::PropertyLogic;
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_report::{Finding, Picture, Results, Run, Verdict};

/// A picture of more states is none that somebody looks at.
const DRAWN: u32 = 60;

/// The results, with a picture of the quotient where that is asked for and it is small.
pub(super) fn results<'a>(
    model: &'a Model,
    symmetry: &ProgramSymmetry,
    checked: &Checked,
    drawn: bool,
) -> Results<'a> {
    let answers = checked.answers.iter();
    let mut findings: Vec<Finding> = answers.map(|answer| finding(model, answer, &checked.options)).collect();
    findings.extend(deadlocks(checked));
    findings.extend(broken(model, checked));
    let program = &model.program;
    Results {
        model: model.source.model_name(),
        file: model.source.file.clone(),
        text: model.source.original(),
        program,
        order: symmetry.group.order().to_string(),
        version: env!("CARGO_PKG_VERSION"),
        findings,
        pictures: if drawn { pictures(model, symmetry) } else { Vec::new() },
    }
}

fn finding(model: &Model, answer: &Answer, options: &Options) -> Finding {
    let program = &model.program;
    let problem = problem(answer, model);
    let verdict = match (answer.verdict(), &answer.found) {
        ("holds", _) => Verdict::Holds,
        ("violated", _) => Verdict::Violated,
        (_, Found::Broken(_) | Found::Refused(_)) => Verdict::Error,
        _ if problem.is_some() => Verdict::Error,
        _ => Verdict::Unknown,
    };
    let mut words = vec![answer.told().to_owned()];
    if verdict == Verdict::Error {
        words = vec!["not answered".into()];
    }
    if let Some(report) = answer.report() {
        let fair = match answer.logic {
            PropertyLogic::Ltl | PropertyLogic::Automaton => true,
            PropertyLogic::Ctl => options.fair_ctl,
            _ => false,
        };
        if fair {
            words.push(match fairness_word(program, options.fairness) {
                "none" => " without fairness".to_owned(),
                word => format!(" under {word} fairness"),
            });
        }
        if let Some(instance) = report.instance.as_ref().filter(|instance| !instance.words.is_empty()) {
            words.push(format!(" for {}", instance.words));
            if instance.alike > 1 {
                words.push(format!(", one of {} alike", instance.alike));
            }
        }
    }
    if let Some(note) = note(answer) {
        words.push(format!(": {note}"));
    }
    if let Some(problem) = &problem {
        words.push(format!("; {}", problem.message.lines().next().unwrap_or_default()));
    }
    if let Found::TooLarge(message) = &answer.found {
        words.push(format!("; {}", message.diagnostic().message));
    }
    let run = answer.report().and_then(run);
    let run = run.or_else(|| problem.and_then(|problem| problem.path.map(Run::of_path)));
    Finding {
        name: answer.name.clone(),
        logic: answer.logic.word().into(),
        verdict,
        words: words.concat(),
        span: program.property(&answer.name).map(|id| model.source.origin(program.properties[id].span)),
        seconds: time(answer).total.as_secs_f64(),
        run,
    }
}

fn run(report: &Report) -> Option<Run> {
    let linear = report.counterexample.as_ref().map(Run::of_counterexample);
    linear.or_else(|| report.branching.as_ref()?.tree.as_ref().and_then(Run::of_tree))
}

/// Deadlocks are worth knowing, and no failure.
fn deadlocks(checked: &Checked) -> Option<Finding> {
    let path = checked.pass.path.as_ref().filter(|_| checked.pass.deadlocks > 0)?;
    Some(Finding {
        name: "deadlock".into(),
        logic: "states".into(),
        verdict: Verdict::Note,
        words: format!("nobody can move in {}", crate::text::counted(checked.pass.deadlocks, "state")),
        span: None,
        seconds: checked.pass_time.total.as_secs_f64(),
        run: Some(Run::of_path(path)),
    })
}

/// An error that ended the pass over the states, where no property tells of it.
fn broken(model: &Model, checked: &Checked) -> Option<Finding> {
    let problem = pass_problem(&checked.pass, model)?;
    let fault = matches!(checked.pass.unknown, Some(Unknown::Fault(_)));
    Some(Finding {
        name: "states".into(),
        logic: if fault { "model".into() } else { "internal".into() },
        verdict: Verdict::Error,
        words: problem.message.lines().next().unwrap_or_default().into(),
        span: None,
        seconds: checked.pass_time.total.as_secs_f64(),
        run: problem.path.map(Run::of_path),
    })
}

/// The quotient, where it is small enough to be looked at.
fn pictures(model: &Model, symmetry: &ProgramSymmetry) -> Vec<Picture> {
    let mut aqs = Aqs::new(&model.program, symmetry, Prune::Full, EdgeStorage::Stored, MAX_ROOTS);
    let graph = draw::aqs_graph(&mut aqs, model.source.model_name(), DRAWN + 1, false);
    let Ok(graph) = graph else { return Vec::new() };
    if graph.partial.is_some() || graph.nodes.len() > DRAWN as usize {
        return Vec::new();
    }
    vec![Picture { title: "The states up to symmetry".into(), svg: draw::svg(&graph) }]
}
