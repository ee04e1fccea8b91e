//! `orbitscope check`

mod answer;
mod evidence;
mod options;
mod published;
mod text;

use crate::args::{self, CheckArgs};
use crate::failure::{Failure, Status};
use crate::model::{Model, Source, refuse_repeated};
use crate::output::{Output, message};
use crate::run::{self, Times};
use crate::{internal, interrupt, json, reports, text as words};
use answer::{Answer, Problem, note, pass_problem, problem};
use options::{options, refuse_options};
use orbitscope_core::check::{
    Counterexample, Done, Engine, Found, Options, PassReport, Plan, Report, Stats, Step, Unknown,
};
use orbitscope_core::error::ErrorKind;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::{Program, PropertyId, PropertyLogic};
use orbitscope_core::property::HoaProperty;
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::syntax::ast::Fairness;
use orbitscope_crew::Threads;
use std::io::{self, Write};

pub(crate) fn check(args: &CheckArgs) -> Result<Status, Failure> {
    let (model, automaton) = match &args.hoa {
        None => (Model::load(&args.model)?, None),
        Some(file) => {
            let (model, automaton) = Model::load_with_hoa(&args.model, file)?;
            (model, Some(automaton))
        }
    };
    let model = model.called_as_in_murphi();
    refuse_options(args)?;
    let selected = select(&model, args)?;
    // Generators that are to be taken unchecked may be wrong: what has to be known is then found from the text.
    let unchecked = args.generators == Some(args::GeneratorsChoice::Unchecked);
    let symmetry =
        model.symmetry(if unchecked { Some(args::SymmetryChoice::Auto) } else { args.symmetry })?;
    let options = options(args);
    if let Err(refusal) = options.pruning() {
        return Err(Failure::Input(format!("orbitscope: {refusal}; leave out `--prune`")));
    }
    let mut plan = Plan::new(&model.program, &symmetry, options)
        .only(selected)
        .with_automaton(automaton.as_ref())
        .seeing_all_states(args.max_states.is_some())
        .with_deadlocks(!args.no_deadlocks);
    let mut output = Output::new();
    let mut checked = Checked::new(options, args.edges.is_some(), model.source.murphi.is_some());
    let threads = args.threads.map_or_else(Threads::all, Threads::new);
    while !plan.is_answered() {
        work(&mut plan, threads)?;
    }
    let spoken = !args.json && !args.quiet;
    if spoken {
        // Whoever has asked for a property need not wait for what is looked for besides.
        checked.answers = plan.outcomes().to_vec();
        checked.write_answers(&model, &symmetry, &mut output)?;
        output.flush()?;
    }
    while work(&mut plan, threads)? {}
    let (answers, pass) = plan.finish();
    checked.answers = answers;
    (checked.pass, checked.pass_time) = pass.unwrap_or_default();
    if args.json {
        let whole = json::Whole::new(&model.program, args.full_states);
        let report = checked.report(&model, &symmetry, whole);
        serde_json::to_writer(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else if spoken {
        checked.write_pass(&model, &symmetry, &mut output)?;
    }
    output.flush()?;
    if !args.reports.is_empty() {
        let drawn = args.reports.iter().any(reports::Wanted::has_pictures);
        reports::write(&args.reports, &published::results(&model, &symmetry, &checked, drawn))?;
    }
    checked.complain(&model);
    Ok(checked.status())
}

/// Does the next step of a plan, if there is one. A panic is the outcome of that step alone.
fn work(plan: &mut Plan<'_, Times>, threads: Threads) -> Result<bool, Failure> {
    if interrupt::requested() {
        plan.stop();
    }
    let Some(step) = plan.next_step() else { return Ok(false) };
    match internal::guarded(|| done(plan, &step, threads)) {
        Ok((Done::Refused(refusal), _)) => return Err(Failure::Input(format!("orbitscope: {refusal}"))),
        Ok((done, times)) => plan.take(step, done, times),
        Err(what) => plan.take_broken(step, &what, Times::default()),
    }
    Ok(true)
}

fn done<'p>(plan: &mut Plan<'p, Times>, step: &Step, threads: Threads) -> (Done<'p>, Times) {
    match plan.start(step) {
        Ok(mut task) => {
            let (times, halt) = run::drive(&mut task, threads);
            (task.finish(halt), times)
        }
        Err(done) => (done, Times::default()),
    }
}

/// The properties to check: those that are named, or all; with an automaton only those that are named.
fn select(model: &Model, args: &CheckArgs) -> Result<Vec<PropertyId>, Failure> {
    let program = &model.program;
    if args.properties.is_empty() && args.hoa.is_none() {
        return Ok(program.properties.ids().collect());
    }
    let mut selected = Vec::new();
    for name in &args.properties {
        selected.push(model.property(name)?);
    }
    selected.sort_unstable();
    selected.dedup();
    Ok(selected)
}

/// Everything that one run of the command found out.
struct Checked {
    answers: Vec<Answer>,
    pass: PassReport,
    pass_time: Times,
    options: Options,
    /// Whether it was asked how the quotient's edges are held.
    edges_asked: bool,
    /// Whether the model is one in Murphi.
    murphi: bool,
}

impl Checked {
    fn new(options: Options, edges_asked: bool, murphi: bool) -> Checked {
        let (pass, pass_time) = (PassReport::default(), Times::default());
        Checked { answers: Vec::new(), pass, pass_time, options, edges_asked, murphi }
    }

    /// Why not everything is known, of the properties and of the pass over the states.
    fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.answers.iter().filter_map(Answer::unknown).chain(&self.pass.unknown)
    }

    fn has(&self, wanted: impl Fn(&Found) -> bool) -> bool {
        self.answers.iter().any(|answer| wanted(&answer.found))
    }

    fn problems<'a>(&'a self, model: &Model) -> Vec<Problem<'a>> {
        let own = self.answers.iter().filter_map(|answer| problem(answer, model));
        own.chain(pass_problem(&self.pass, model)).collect()
    }

    /// A violation is certain, whatever else is not known. An error of this program comes before errors of the input, since
    /// these may come of it, and both before limits: a higher limit would not help.
    fn status(&self) -> Status {
        let kind_of = |unknown: &Unknown| match unknown {
            Unknown::Fault(fault) => answer::fault_kind(fault, self.murphi),
            other => other.kind(),
        };
        let any = |kind: ErrorKind| self.unknowns().any(|unknown| kind_of(unknown) == kind);
        if self.answers.iter().any(|answer| matches!(answer.report(), Some(report) if report.is_violated())) {
            Status::Violated
        } else if any(ErrorKind::Internal)
            || self.has(|found| matches!(found, Found::Broken(_)))
            || self.pass.broken.is_some()
        {
            Status::Internal
        } else if any(ErrorKind::Fault) || self.has(|found| matches!(found, Found::Refused(_))) {
            Status::Wrong
        } else if self.unknowns().next().is_some()
            || self.has(|found| matches!(found, Found::TooLarge(_) | Found::NotAsked))
        {
            Status::Limit
        } else {
            Status::Good
        }
    }

    /// Says on standard error why not everything was answered.
    fn complain(&self, model: &Model) {
        let mut said: Vec<String> = Vec::new();
        for problem in self.problems(model) {
            // An error of the model ends many searches: one path to it will do.
            let line = problem.message.lines().next().unwrap_or_default().to_owned();
            if !said.contains(&line) {
                message(&problem.message);
                said.push(line);
            }
        }
        for answer in &self.answers {
            if let Found::TooLarge(error) = &answer.found {
                message(&model.source.render(&error.diagnostic()));
            }
        }
        if interrupt::requested() {
            message("orbitscope: stopped; what was found so far is printed");
        } else if let Some(limit) = self.unknowns().find_map(Unknown::limit) {
            message(&format!("orbitscope: {limit}; what was found so far is printed"));
        }
        let refused = |answer: &&Answer| matches!(answer.found, Found::Refused(_));
        let missing = self.answers.iter().filter(refused).count();
        if let Some(why) = self.answers.iter().find(refused).and_then(note) {
            let count = words::counted(missing as u64, "property");
            let verb = if missing == 1 { "was" } else { "were" };
            message(&format!("orbitscope: {count} {verb} not answered: {why}"));
        }
    }

    fn report<'a>(
        &'a self,
        model: &'a Model,
        symmetry: &ProgramSymmetry,
        whole: json::Whole,
    ) -> json::Report<'a> {
        let program = &model.program;
        let complete = self.pass.complete && self.answers.iter().all(|answer| answer.unknown().is_none());
        let results = self.answers.iter().map(|answer| self.result(model, answer, whole));
        json::Report {
            model: model.source.model_name(),
            params: json::Params(program),
            processes: program.process_count(),
            symmetry: json::Symmetry::new(program, &symmetry.group),
            assuming: program.assumed_words(),
            complete,
            deadlocks: (!self.pass.not_asked).then(|| json::Deadlocks {
                count: self.pass.deadlocks,
                up_to_symmetry: self.options.engine != Engine::Explicit,
                path: self.pass.path.as_ref().map(|path| json::Steps::of_path(program, path, whole)),
            }),
            error: pass_problem(&self.pass, model).map(|problem| problem.json(program, whole)),
            results: results.collect(),
        }
    }

    fn result<'a>(&self, model: &'a Model, answer: &'a Answer, whole: json::Whole) -> json::Answer<'a> {
        let (program, report) = (&model.program, answer.report());
        let fairness = report.and_then(|_| match answer.logic {
            logic if logic.is_of_states() => None,
            PropertyLogic::Mu => Some("none"),
            PropertyLogic::Ctl if !self.options.fair_ctl => Some("none"),
            _ => Some(fairness_word(program, self.options.fairness)),
        });
        let (mut path, mut lasso, mut ledger) = (None, None, None);
        match report.and_then(|report| report.counterexample.as_ref()) {
            Some(Counterexample::Path(found)) => path = Some(json::Steps::of_path(program, found, whole)),
            Some(Counterexample::Lasso(found, entries)) => {
                lasso = Some(json::Lasso::new(program, found, whole));
                ledger = Some(json::Ledgers::new(program, entries, whole));
            }
            None => {}
        }
        json::Answer {
            property: &answer.name,
            verdict: answer.verdict(),
            told: (answer.logic == PropertyLogic::Cover).then(|| answer.told()),
            assuming: program.assumed_words(),
            fairness,
            engine: report.map(|report| report.engine.name()),
            note: note(answer),
            error: problem(answer, model).map(|problem| problem.json(program, whole)),
            instance: report.and_then(|r| r.instance.as_ref()).map(|i| json::Instance::new(program, i)),
            searches: report.map(|report| report.searches),
            expanded: report.map(|report| report.expanded as u64),
            symmetric_automaton: report.filter(|r| r.expanded > 0).map(|report| report.symmetric),
            stats: json::Stats(
                report.map(|report| (self.stats(report), self.options.edges, time(answer).total)),
            ),
            path,
            lasso,
            ledger,
            branching: report.and_then(|r| r.branching.as_ref()).map(|b| json::Branching::new(program, b)),
            symbolic: report.and_then(|r| r.symbolic.as_ref()).map(|s| json::Symbolic::new(s, time(answer))),
        }
    }

    /// The counts of a check. Where the pass for deadlocks has built the whole quotient, its size is known.
    fn stats(&self, report: &Report) -> Stats {
        let (mut stats, all) = (report.stats, &self.pass.stats);
        if self.pass.complete && all.aqs_states.is_some() && stats.aqs_edges.is_none() {
            stats.aqs_states = all.aqs_states;
            stats.aqs_edges = all.aqs_edges;
            stats.aqs_edges_pruned = all.aqs_edges_pruned;
            stats.aqs_bytes = all.aqs_bytes;
        }
        stats
    }
}

impl<'a> Problem<'a> {
    fn json(self, program: &'a Program, whole: json::Whole) -> json::Problem<'a> {
        let path = self.path.map(|path| json::Steps::of_path(program, path, whole));
        json::Problem { kind: self.kind, message: self.message, path }
    }
}

/// The time that the answer to a property took.
fn time(answer: &Answer) -> Times {
    answer.cost.unwrap_or_default()
}

/// Why a pass over the states saw a part of them.
fn partial_words(unknown: &Unknown) -> String {
    match unknown.limit() {
        Some(limit) => limit.to_string(),
        None => match unknown.kind() {
            ErrorKind::Fault => "the model has an error".into(),
            ErrorKind::Stopped => "stopped".into(),
            ErrorKind::Internal => "internal error".into(),
            _ => unknown.to_string(),
        },
    }
}

/// The fairness of all processes, if it is one.
fn fairness_word(program: &Program, choice: FairnessChoice) -> &'static str {
    let word = |fairness: Fairness| match fairness {
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
        Fairness::None => "none",
    };
    match choice {
        FairnessChoice::All(fairness) => word(fairness),
        FairnessChoice::Model => {
            let mut families = program.families.iter().filter(|family| family.size > 0);
            let first = families.next().map_or(Fairness::Weak, |family| family.fairness);
            if families.all(|family| family.fairness == first) { word(first) } else { "mixed" }
        }
    }
}

impl Model {
    /// Reads a model together with an automaton in the HOA format.
    fn load_with_hoa(args: &args::ModelArgs, file: &str) -> Result<(Model, HoaProperty), Failure> {
        use orbitscope_core::program::Settings;
        use orbitscope_core::property::{HoaErrors, build_with_hoa};
        refuse_repeated(&args.settings)?;
        let source = Source::of(args)?;
        let automaton = Source::read(file)?;
        let settings = Settings { params: args.settings.clone(), ..Settings::default() };
        match build_with_hoa(&source.text, &settings, &automaton.text) {
            Ok((program, property)) => Ok((Model { source, program }, property)),
            Err(HoaErrors::Model(diagnostics)) => Err(source.failure(&diagnostics)),
            Err(HoaErrors::Automaton(diagnostics)) => Err(automaton.failure(&diagnostics)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::check::{Question, Refusal};
    use orbitscope_core::program::{Settings, build};
    use orbitscope_core::syntax::parse;

    fn answer(name: &str, found: Found) -> Answer {
        let question = Question::Property(PropertyId(0));
        Answer { question, logic: PropertyLogic::Ltl, name: name.into(), found, cost: None }
    }

    /// No model is known that leads to one.
    #[test]
    fn an_internal_error_is_reported_as_one() {
        let text = "process p { var x: bool = false action go: true -> x := not x }";
        let (names, more) = (orbitscope_murphi::Names::default(), None);
        let source = Source { file: "m.orb".into(), text: text.into(), murphi: None, names, more };
        let program = build(&parse(text).file, &Settings::default()).unwrap();
        let model = Model { source, program };
        let symmetry = model.symmetry(None).unwrap();
        let checked = |answers| Checked { answers, ..Checked::new(Options::default(), false, false) };
        let broken = || answer("live", Found::Broken("index 7 out of range at search.rs:3".into()));
        let refused = || answer("other", Found::Refused(Refusal::Mu));
        assert_eq!(checked(vec![broken(), refused()]).status(), Status::Internal);
        assert_eq!(checked(vec![refused(), answer("late", Found::NotAsked)]).status(), Status::Wrong);
        assert_eq!(checked(vec![answer("late", Found::NotAsked)]).status(), Status::Limit);
        assert_eq!(checked(Vec::new()).status(), Status::Good);
        let checked = checked(vec![broken()]);
        let whole = json::Whole::new(&model.program, false);
        let report = serde_json::to_value(checked.report(&model, &symmetry, whole)).unwrap();
        let result = &report["results"][0];
        assert_eq!((&result["verdict"], &result["error"]["kind"]), (&"unknown".into(), &"internal".into()));
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.contains("index 7 out of range") && message.contains("report it with the model"));
    }
}
