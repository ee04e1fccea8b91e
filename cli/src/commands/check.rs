//! `orbitscope check`

use super::not_yet;
use crate::args::{CheckArgs, Engine, Prune};
use crate::failure::{Failure, Status};
use crate::json::{self, Steps};
use crate::model::Model;
use crate::output::{Marks, Output, message};
use crate::{run, text};
use orbitscope_core::explore::{Exploration, Path, StopReason};
use orbitscope_core::program::{Program, PropertyId, PropertyKind};
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::syntax::ast::Logic;
use std::io::{self, Write};
use std::time::Duration;

pub(crate) fn check(args: &CheckArgs) -> Result<Status, Failure> {
    refuse_what_is_missing(args)?;
    let model = Model::load(&args.model)?;
    let selected = select(&model, &args.properties)?;
    let symmetry = model.symmetry(args.symmetry)?;
    let limits = run::limits(args.max_states);
    let mut exploration = Exploration::new(&model.program, limits, &selected);
    let time = run::explore(&model, &mut exploration)?;
    let outcome = Outcome::new(&exploration, &selected, time);
    let mut output = Output::new();
    if args.json {
        let report = outcome.report(&model, &symmetry);
        serde_json::to_writer(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        outcome.write(&model, &mut output)?;
    }
    output.flush()?;
    outcome.complain(&model);
    Ok(outcome.status())
}

fn refuse_what_is_missing(args: &CheckArgs) -> Result<(), Failure> {
    match args.engine {
        Some(Engine::Onthefly) => return Err(not_yet("`--engine onthefly`")),
        Some(Engine::Threaded) => return Err(not_yet("`--engine threaded`")),
        Some(Engine::Explicit) | None => {}
    }
    if !matches!(args.prune, None | Some(Prune::None)) {
        return Err(not_yet("`--prune`"));
    }
    if args.hoa.is_some() {
        return Err(not_yet("`--hoa`"));
    }
    Ok(())
}

/// The properties to check: those that are named, or all.
fn select(model: &Model, names: &[String]) -> Result<Vec<PropertyId>, Failure> {
    let program = &model.program;
    if names.is_empty() {
        return Ok(program.properties.ids().collect());
    }
    let mut selected = Vec::new();
    for name in names {
        let id = model.property(name)?;
        if let Some(logic) = missing_logic(program, id) {
            return Err(Failure::NotYet(format!("checking {logic} properties (`{name}`)")));
        }
        selected.push(id);
    }
    selected.sort_unstable();
    selected.dedup();
    Ok(selected)
}

fn logic(program: &Program, id: PropertyId) -> &'static str {
    match program.properties[id].kind {
        PropertyKind::Formula(Logic::Invariant, _) => "invariant",
        PropertyKind::Formula(Logic::Ltl, _) => "ltl",
        PropertyKind::Formula(Logic::Ctl, _) => "ctl",
        PropertyKind::Automaton(_) => "automaton",
    }
}

/// The logic of a property that cannot be checked yet.
fn missing_logic(program: &Program, id: PropertyId) -> Option<&'static str> {
    Some(logic(program, id)).filter(|logic| *logic != "invariant")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    Violated,
    /// A limit was reached before the answer was known.
    Undecided,
    /// There is no engine for this logic yet.
    NotYet,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Undecided | Verdict::NotYet => "unknown",
        }
    }
}

struct Answer {
    property: PropertyId,
    verdict: Verdict,
    /// A shortest path to a state that violates it.
    path: Option<Path>,
}

impl Answer {
    /// Why the answer is not known.
    fn note(&self, model: &Model) -> Option<String> {
        match self.verdict {
            Verdict::Holds | Verdict::Violated => None,
            Verdict::Undecided => Some("not violated in the states seen so far".into()),
            Verdict::NotYet => Some(format!(
                "checking {} properties is not yet available",
                logic(&model.program, self.property)
            )),
        }
    }
}

/// What a run of the explicit engine found out.
struct Outcome {
    answers: Vec<Answer>,
    stopped: StopReason,
    deadlocks: u64,
    deadlock_path: Option<Path>,
    states: u64,
    edges: u64,
    time: Duration,
    bytes: u64,
}

impl Outcome {
    fn new(exploration: &Exploration<'_>, selected: &[PropertyId], time: Duration) -> Outcome {
        let program = exploration.program();
        let stopped = exploration.stopped().cloned().unwrap_or(StopReason::Complete);
        let answer = |&property: &PropertyId| {
            let violation = exploration.violations().iter().find(|v| v.property == property);
            let verdict = match violation {
                Some(_) => Verdict::Violated,
                None if missing_logic(program, property).is_some() => Verdict::NotYet,
                None if stopped == StopReason::Complete => Verdict::Holds,
                None => Verdict::Undecided,
            };
            Answer { property, verdict, path: violation.map(|v| exploration.path_to(v.state)) }
        };
        Outcome {
            answers: selected.iter().map(answer).collect(),
            deadlocks: exploration.deadlocks().len() as u64,
            deadlock_path: exploration.deadlocks().first().map(|&state| exploration.path_to(state)),
            states: exploration.states().len() as u64,
            edges: exploration.edge_count(),
            bytes: exploration.bytes(),
            stopped,
            time,
        }
    }

    fn has(&self, verdict: Verdict) -> bool {
        self.answers.iter().any(|answer| answer.verdict == verdict)
    }

    fn complete(&self) -> bool {
        self.stopped == StopReason::Complete
    }

    fn at_limit(&self) -> bool {
        matches!(self.stopped, StopReason::StateLimit | StopReason::ByteLimit)
    }

    /// A violation is certain, whatever else is not known.
    fn status(&self) -> Status {
        if self.has(Verdict::Violated) {
            Status::Violated
        } else if self.at_limit() {
            Status::Limit
        } else if self.has(Verdict::NotYet) {
            Status::Wrong
        } else {
            Status::Good
        }
    }

    /// Says on standard error why not everything was answered.
    fn complain(&self, model: &Model) {
        let missing = || self.answers.iter().filter(|answer| answer.verdict == Verdict::NotYet);
        if self.at_limit() {
            let limit = match self.stopped {
                StopReason::ByteLimit => "memory",
                _ => "states",
            };
            message(&format!(
                "orbitscope: the limit of {limit} was reached; what was found so far is printed"
            ));
        }
        if self.has(Verdict::NotYet) {
            let mut logics: Vec<&str> = missing().map(|a| logic(&model.program, a.property)).collect();
            logics.sort_unstable();
            logics.dedup();
            let count = text::counted(missing().count() as u64, "property");
            let verb = if missing().count() == 1 { "was" } else { "were" };
            let logics = logics.join(", ");
            message(&format!(
                "orbitscope: {count} {verb} not answered: checking {logics} properties is not yet available"
            ));
        }
    }

    fn write(&self, model: &Model, output: &mut Output) -> io::Result<()> {
        let program = &model.program;
        let marks = Marks::for_output();
        write!(output, "{}", model.source.model_name())?;
        for param in &program.params {
            write!(output, "  {}={}", param.name, param.value)?;
        }
        writeln!(output, "  {}", text::counted(program.process_count() as u64, "process"))?;
        let width = self.answers.iter().map(|a| program.properties[a.property].name.len()).max().unwrap_or(0);
        for answer in &self.answers {
            let (logic, name) = (logic(program, answer.property), &program.properties[answer.property].name);
            write!(output, "{logic:<9}  {name:<width$}  {}", answer.verdict.word())?;
            if let Some(note) = answer.note(model) {
                write!(output, ": {note}")?;
            }
            write_path(output, program, answer.path.as_ref(), "", marks)?;
        }
        let so_far = if self.complete() { "" } else { " so far" };
        match self.deadlocks {
            0 => write!(output, "{:<9}  none{so_far}", "deadlock")?,
            count => write!(output, "{:<9}  {}{so_far}", "deadlock", text::counted(count, "state"))?,
        }
        write_path(output, program, self.deadlock_path.as_ref(), "the nearest ", marks)?;
        let (states, edges) = (text::counted(self.states, "state"), text::counted(self.edges, "edge"));
        let (time, bytes) = (text::time(self.time), text::bytes(self.bytes));
        let partial = match self.stopped {
            StopReason::StateLimit => " (partial: the limit of states was reached)",
            StopReason::ByteLimit => " (partial: the limit of memory was reached)",
            StopReason::AllViolated => " (partial: every invariant is violated)",
            _ => "",
        };
        writeln!(output, "{states}, {edges}{partial}, {time}, {bytes}")
    }

    fn report<'a>(&self, model: &'a Model, symmetry: &ProgramSymmetry) -> json::Report<'a> {
        let program = &model.program;
        let steps = |path: &Option<Path>| path.clone().map(|path| Steps { program, path });
        let result = |answer: &Answer| {
            let checked = answer.verdict != Verdict::NotYet;
            json::Answer {
                property: &program.properties[answer.property].name,
                verdict: answer.verdict.word(),
                fairness: None,
                engine: checked.then_some("explicit"),
                note: answer.note(model),
                stats: if checked { self.stats() } else { json::Stats::default() },
                path: steps(&answer.path),
                lasso: None,
            }
        };
        json::Report {
            model: model.source.model_name(),
            params: json::Params(program),
            processes: program.process_count(),
            symmetry: json::Symmetry::new(program, &symmetry.group),
            complete: self.complete(),
            deadlocks: json::Deadlocks { count: self.deadlocks, path: steps(&self.deadlock_path) },
            results: self.answers.iter().map(result).collect(),
        }
    }

    fn stats(&self) -> json::Stats {
        json::Stats {
            states: Some(self.states),
            edges: Some(self.edges),
            time_ms: Some((self.time.as_secs_f64() * 1e6).round() / 1e3),
            peak_bytes: Some(self.bytes),
            ..json::Stats::default()
        }
    }
}

/// The end of a line that says how far away something is, and the lines of the path to it.
fn write_path(
    output: &mut Output,
    program: &Program,
    path: Option<&Path>,
    what: &str,
    marks: Marks,
) -> io::Result<()> {
    let Some(path) = path else { return writeln!(output) };
    writeln!(output, ", {what}{} from the start:", text::counted(path.steps.len() as u64, "step"))?;
    for line in text::path_lines(program, path, marks) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}
