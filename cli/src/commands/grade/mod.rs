//! `orbitscope grade`: marks the submissions to an exercise.

mod exercise;

use crate::args::GradeArgs;
use crate::failure::{Failure, Status};
use crate::model::Source;
use crate::output::{Output, message};
use crate::run::limits;
use crate::{interrupt, reports};
use exercise::{Ask, Demand, Exercise, Expected, Parts, base_name};
use orbitscope_core::Model;
use orbitscope_core::check::Options;
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::parse;
use orbitscope_report::{Case, Marked};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

/// A submission that needs more states than this is not the small model that was asked for.
const STATES: u32 = 1_000_000;

/// Marks submissions, and says what each of them lacks.
pub(super) fn grade(args: &GradeArgs) -> Result<Status, Failure> {
    reports::only_marks(&args.reports)?;
    let exercise = Exercise::read(&args.exercise)?;
    let files = if args.submissions.is_empty() { exercise.submissions()? } else { args.submissions.clone() };
    interrupt::listen();
    let grader = Grader { exercise: &exercise, states: args.max_states.unwrap_or(STATES) };
    let mut output = Output::new();
    let mut marked: Vec<Marked> = Vec::new();
    for file in &files {
        let marks = grader.mark(file);
        if interrupt::requested() {
            break;
        }
        write(&mut output, &marks)?;
        output.flush()?;
        marked.push(marks);
    }
    reports::write_marks(&args.reports, &exercise.title, &marked)?;
    if marked.len() < files.len() {
        message(&format!("orbitscope: stopped; {} of {} submissions were marked", marked.len(), files.len()));
        return Ok(Status::Limit);
    }
    let complete = marked.iter().all(|marks| marks.points() == marks.of());
    Ok(if complete { Status::Good } else { Status::Violated })
}

fn write(output: &mut Output, marks: &Marked) -> std::io::Result<()> {
    writeln!(output, "{}  {} of {} points", marks.file, marks.points(), marks.of())?;
    for case in &marks.cases {
        match &case.failure {
            None => writeln!(output, "  ok    {}", case.name)?,
            Some(words) => writeln!(output, "  FAIL  {}: {}", case.name, words.replace('\n', "\n        "))?,
        }
        if case.failure.is_some() && !case.hint.is_empty() {
            writeln!(output, "        hint: {}", case.hint)?;
        }
    }
    Ok(())
}

struct Grader<'e> {
    exercise: &'e Exercise,
    states: u32,
}

impl Grader<'_> {
    fn mark(&self, file: &str) -> Marked {
        let read = Source::read(file).map_err(|failure| failure.to_string());
        let sound = read.and_then(|source| self.sound(&source).map(|()| source));
        let cases = self.exercise.checks.iter().map(|demand| {
            let start = Instant::now();
            let done = match &sound {
                Ok(source) => self.check(&Parts::of(&source.text), demand),
                Err(words) => Err(words.clone()),
            };
            Case {
                name: name(demand),
                points: demand.points,
                failure: done.err(),
                hint: demand.hint.clone(),
                seconds: start.elapsed().as_secs_f64(),
            }
        });
        Marked { cases: cases.collect(), name: base_name(file), file: file.to_owned() }
    }

    /// Whether a submission can be asked about at all.
    fn sound(&self, source: &Source) -> Result<(), String> {
        let parsed = parse(&source.text);
        let mut problems = parsed.diagnostics;
        if problems.is_empty() {
            problems = build(&parsed.file, &Settings::default()).err().unwrap_or_default();
        }
        if let Some(first) = problems.first() {
            return Err(format!("the model has an error\n{}", source.render_plainly(first)));
        }
        match self.exercise.forbidden(&Parts::of(&source.text)).as_slice() {
            [] => Ok(()),
            items => Err(format!("this exercise is to be solved without `{}`", items.join("`, `"))),
        }
    }

    fn check(&self, parts: &Parts, demand: &Demand) -> Result<(), String> {
        let (name, verdict) = match demand.ask() {
            Ask::Verdict(name, verdict) => (name, verdict),
            Ask::Order(expected) => {
                let found = self.model(&parts.model, demand)?.symmetry().group.order().to_string();
                let words = || format!("the symmetry group has {found} elements, and should have {expected}");
                return if found == expected { Ok(()) } else { Err(words()) };
            }
        };
        let text = match &demand.on {
            None => format!("{}\n{}", parts.model, self.exercise.properties),
            Some(model) => {
                let own = parts.properties.get(name);
                let own = own.ok_or_else(|| format!("the submission has no property called `{name}`"))?;
                format!("{}\n{own}\n", self.exercise.models[model])
            }
        };
        let model = self.model(&text, demand)?;
        let mut session = model.start(name).map_err(misfit)?;
        while session.step() && !interrupt::requested() {}
        let answer = session.finish();
        let found = match (answer.holds(), answer.is_violated()) {
            (true, _) => Expected::Holds,
            (_, true) => Expected::Violated,
            _ => return Err(answer.to_string().lines().next().unwrap_or_default().to_owned()),
        };
        if found == verdict { Ok(()) } else { Err(unlike(found, &answer.run_text())) }
    }

    fn model(&self, text: &str, demand: &Demand) -> Result<Model, String> {
        let fairness = demand.fairness.into();
        let options = Options { fairness, limits: limits(Some(self.states)), ..Options::default() };
        let mut model = Model::parse(text).map_err(misfit)?.with(options);
        for (name, value) in &demand.set {
            model = model.set(name, *value).map_err(misfit)?;
        }
        Ok(model)
    }
}

/// The texts were joined by us: what does not fit is told without the lines of the joined text.
fn misfit(error: orbitscope_core::Error) -> String {
    match error {
        orbitscope_core::Error::Model(error) => {
            let said: Vec<&str> =
                error.diagnostics().iter().map(|problem| problem.message.as_str()).collect();
            format!("this cannot be asked about the model: {}", said.join("; "))
        }
        other => other.to_string(),
    }
}

/// Words for a verdict that is not the expected one.
fn unlike(found: Expected, run: &str) -> String {
    match found {
        Expected::Holds => "it holds, and should be violated".into(),
        Expected::Violated if run.is_empty() => "it is violated, and should hold".into(),
        Expected::Violated => format!("it is violated, and should hold\n{run}"),
    }
}

/// A demand in a few words.
fn name(demand: &Demand) -> String {
    let mut words = match demand.ask() {
        Ask::Verdict(property, Expected::Holds) => format!("{property} holds"),
        Ask::Verdict(property, Expected::Violated) => format!("{property} is violated"),
        Ask::Order(order) => format!("the symmetry has order {order}"),
    };
    if let Some(model) = &demand.on {
        words = format!("{words} on {model}");
    }
    let fairness = match demand.fairness {
        exercise::Notion::Model => "",
        exercise::Notion::Weak => " under weak fairness",
        exercise::Notion::Strong => " under strong fairness",
        exercise::Notion::None => " without fairness",
    };
    words.push_str(fairness);
    for (name, value) in &demand.set {
        let _ = write!(words, " with {name}={value}");
    }
    words
}
