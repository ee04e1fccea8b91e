//! `orbitscope grade`: marks the submissions to an exercise.

mod exercise;

use crate::args::GradeArgs;
use crate::failure::{Failure, Status};
use crate::model::Source;
use crate::output::{Output, message};
use crate::run::limits;
use crate::{interrupt, reports};
pub(super) use exercise::Folder;
use exercise::base_name;
use orbitscope_core::exercise::{Exercise, Objection, STATES};
use orbitscope_report::{Case, Marked};
use std::io::Write as _;
use std::time::Instant;

/// Marks submissions, and says what each of them lacks.
pub(super) fn grade(args: &GradeArgs) -> Result<Status, Failure> {
    reports::only_marks(&args.reports)?;
    let folder = Folder::read(&args.exercise)?;
    let files = if args.submissions.is_empty() { folder.submissions()? } else { args.submissions.clone() };
    interrupt::listen();
    let grader = Grader { exercise: &folder.exercise, states: args.max_states.unwrap_or(STATES) };
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
    reports::write_marks(&args.reports, &folder.exercise.title, &marked)?;
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
                Ok(source) => {
                    let limits = limits(Some(self.states));
                    self.exercise.mark(demand, &source.text, limits, || !interrupt::requested())
                }
                Err(words) => Err(words.clone()),
            };
            Case {
                name: demand.words(),
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
        match self.exercise.objection(&source.text) {
            None => Ok(()),
            Some(Objection::Wrong(first)) => {
                Err(format!("the model has an error\n{}", source.render_plainly(&first)))
            }
            Some(Objection::Forbidden(items)) => {
                Err(format!("this exercise is to be solved without `{}`", items.join("`, `")))
            }
        }
    }
}
