//! `orbitscope check`

mod evidence;
mod text;

use crate::args::{self, CheckArgs};
use crate::failure::{Failure, Status};
use crate::json;
use crate::model::{Model, Source};
use crate::output::{Output, message};
use crate::run::Times;
use crate::{run, text as words};
use orbitscope_core::check::{
    Check, CheckError, Counterexample, Engine, FaultReport, Faulty, Options, Refusal, Report, Survey, Target,
    Unknown, Verdict,
};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::explore::Path;
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{Program, PropertyId, PropertyKind};
use orbitscope_core::property::HoaProperty;
use orbitscope_core::quotient::Prune;
use orbitscope_core::symbolic::{CtlModel, Generators, Summary, SymbolicOptions, Unsupported};
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::syntax::ast::{Fairness, Logic};
use orbitscope_core::text::Diagnostic;
use std::io::{self, Write};

/// Where no invariant asks for all states, deadlocks are looked for in so many states of the quotient.
const DEADLOCK_STATES: u32 = 200_000;

pub(crate) fn check(args: &CheckArgs) -> Result<Status, Failure> {
    let (model, automaton) = match &args.hoa {
        None => (Model::load(&args.model)?, None),
        Some(file) => {
            let (model, automaton) = Model::load_with_hoa(&args.model, file)?;
            (model, Some(automaton))
        }
    };
    refuse_options(args)?;
    let selected = select(&model, args)?;
    // Generators that are to be taken unchecked may be wrong: what has to be known is then found from the text.
    let unchecked = args.generators == Some(args::GeneratorsChoice::Unchecked);
    let symmetry =
        model.symmetry(if unchecked { Some(args::SymmetryChoice::Auto) } else { args.symmetry })?;
    let mut job = Job { model: &model, symmetry: &symmetry, options: options(args), answers: Vec::new() };
    if let Err(refusal) = job.options.pruning() {
        return Err(Failure::Input(format!("orbitscope: {refusal}; leave out `--prune`")));
    }
    if let Some(automaton) = &automaton {
        job.automaton(automaton)?;
    }
    let survey = job.properties(&selected, args.max_states.is_some())?;
    let outcome = Outcome { answers: job.answers, survey, options: job.options };
    let mut output = Output::new();
    if args.json {
        let whole = json::Whole::new(&model.program, args.full_states);
        let report = outcome.report(&model, &symmetry, whole);
        serde_json::to_writer(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        outcome.write(&model, &symmetry, &mut output)?;
    }
    output.flush()?;
    outcome.complain();
    Ok(outcome.status())
}

fn options(args: &CheckArgs) -> Options {
    let engine = match args.engine {
        args::Engine::Onthefly => Engine::Onthefly,
        args::Engine::Threaded => Engine::Threaded,
        args::Engine::Explicit => Engine::Explicit,
        args::Engine::Symbolic => Engine::Symbolic,
    };
    let fairness = match args.fairness {
        args::FairnessChoice::Model => FairnessChoice::Model,
        args::FairnessChoice::Weak => FairnessChoice::All(Fairness::Weak),
        args::FairnessChoice::Strong => FairnessChoice::All(Fairness::Strong),
        args::FairnessChoice::None => FairnessChoice::All(Fairness::None),
    };
    let deadlock = match args.deadlock {
        args::DeadlockChoice::Stutter => Deadlock::Stutter,
        args::DeadlockChoice::Drop => Deadlock::Drop,
    };
    let prune = args.prune.map(|prune| match prune {
        args::Prune::None => Prune::None,
        args::Prune::Process => Prune::Process,
        args::Prune::Full => Prune::Full,
    });
    let limits = run::limits(args.max_states);
    let ctl = match args.ctl_algorithm {
        args::CtlAlgorithm::Naive => Algorithm::Naive,
        args::CtlAlgorithm::Emc => Algorithm::Emc,
        args::CtlAlgorithm::Local => Algorithm::Local,
        args::CtlAlgorithm::Global => Algorithm::Global,
    };
    let default = SymbolicOptions::default();
    let symbolic = SymbolicOptions {
        hints: args.hints,
        sigma_limit: args.sigma_limit,
        under: args.under,
        generators: match args.generators {
            Some(args::GeneratorsChoice::Unchecked) => Generators::Unchecked,
            Some(args::GeneratorsChoice::Proven) | None => Generators::Proven,
        },
        ctl: match args.ctl_model {
            Some(args::CtlModelChoice::Restricted) => CtlModel::Restricted,
            Some(args::CtlModelChoice::Relation) => CtlModel::Relation,
            Some(args::CtlModelChoice::All) | None => CtlModel::All,
        },
        nodes: args.max_nodes.unwrap_or(default.nodes),
        collect: default.collect,
    };
    Options {
        engine,
        fairness,
        deadlock,
        prune,
        limits,
        translation: ltl::Limits::default(),
        ctl,
        fair_ctl: args.fair_ctl,
        expand_quantifiers: args.expand_quantifiers,
        symbolic,
    }
}

/// Options of one engine that another one cannot honour.
fn refuse_options(args: &CheckArgs) -> Result<(), Failure> {
    let symbolic = args.engine == args::Engine::Symbolic;
    let own = [
        ("--hints", args.hints),
        ("--sigma-limit", args.sigma_limit.is_some()),
        ("--under", args.under.is_some()),
        ("--generators", args.generators.is_some()),
        ("--ctl-model", args.ctl_model.is_some()),
        ("--max-nodes", args.max_nodes.is_some()),
    ];
    if let Some((option, _)) = own.iter().find(|(_, given)| *given && !symbolic) {
        return Err(Failure::Input(format!(
            "orbitscope: `{option}` is for the symbolic engine; add `--engine symbolic`"
        )));
    }
    let wrong = |words: &str| Err(Failure::Input(format!("orbitscope: {words}")));
    if symbolic && args.max_states.is_some() {
        return wrong(
            "the symbolic engine counts nodes, not states: use `--max-nodes` instead of `--max-states`",
        );
    }
    if symbolic && matches!(args.fairness, args::FairnessChoice::Weak | args::FairnessChoice::Strong) {
        return wrong(
            "the symbolic engine checks no property that depends on fairness; leave out `--fairness`",
        );
    }
    if args.generators == Some(args::GeneratorsChoice::Unchecked) && args.symmetry.is_some() {
        return wrong("`--generators unchecked` takes the generators of the model; leave out `--symmetry`");
    }
    Ok(())
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

pub(super) fn logic(program: &Program, id: PropertyId) -> &'static str {
    match program.properties[id].kind {
        PropertyKind::Formula(Logic::Invariant, _) => "invariant",
        PropertyKind::Formula(Logic::Ltl, _) => "ltl",
        PropertyKind::Formula(Logic::Ctl, _) => "ctl",
        PropertyKind::Formula(Logic::Mu, _) => "mu",
        PropertyKind::Automaton(_) => "automaton",
    }
}

/// An answer, or why there is none.
enum Found {
    Report(Box<Report>),
    /// The engine does not check this logic.
    Refused(String),
    /// Its automaton would be too large; the message has its place.
    TooLarge(String),
}

struct Answer {
    logic: &'static str,
    name: String,
    found: Found,
    time: Times,
}

impl Answer {
    fn verdict(&self) -> &'static str {
        match &self.found {
            Found::Report(report) => match report.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated => "violated",
                Verdict::Unknown(_) => "unknown",
            },
            _ => "unknown",
        }
    }

    fn unknown(&self) -> Option<&Unknown> {
        match &self.found {
            Found::Report(report) => match &report.verdict {
                Verdict::Unknown(unknown) => Some(unknown),
                _ => None,
            },
            _ => None,
        }
    }

    /// Why the answer is not known.
    fn note(&self) -> Option<String> {
        match &self.found {
            Found::Refused(why) => Some(why.clone()),
            Found::TooLarge(_) => Some("it is too large to be checked".into()),
            Found::Report(_) => match self.unknown()? {
                Unknown::Internal(fault) => {
                    Some(format!("internal error: its run does not replay: {fault:?}"))
                }
                Unknown::ExploredOnly => Some(
                    "nothing speaks against it in the explored part, which says nothing of the program".into(),
                ),
                Unknown::Mixed => Some(
                    "the representatives alone tell nothing of a formula with A and E; use `--ctl-model relation` or `all`"
                        .into(),
                ),
                Unknown::Unsupported(unsupported) => Some(unsupported.to_string()),
                Unknown::FalsificationOnly => Some(
                    "nothing was found, but with unchecked generators only a violation means something"
                        .into(),
                ),
                _ if self.logic == "invariant" => Some("not violated in the states seen so far".into()),
                _ => Some("no violation was found so far".into()),
            },
        }
    }

    fn report(&self) -> Option<&Report> {
        match &self.found {
            Found::Report(report) => Some(report),
            _ => None,
        }
    }
}

/// A check of several properties under way.
struct Job<'a> {
    model: &'a Model,
    symmetry: &'a ProgramSymmetry,
    options: Options,
    answers: Vec<Answer>,
}

impl Job<'_> {
    fn automaton(&mut self, automaton: &HoaProperty) -> Result<(), Failure> {
        let name = automaton.name.clone().unwrap_or_else(|| "hoa".into());
        self.ask("automaton", name, Target::Automaton(automaton))
    }

    /// Checks one property by itself.
    fn ask(&mut self, logic: &'static str, name: String, target: Target<'_>) -> Result<(), Failure> {
        let program = &self.model.program;
        let (found, time) = match Check::new(program, self.symmetry, target, self.options) {
            Ok(mut check) => {
                let times = run::drive(&mut check);
                (Found::Report(Box::new(check.stop())), times)
            }
            Err(CheckError::Property(error)) => {
                (Found::TooLarge(self.model.source.render(&error.diagnostic())), Times::default())
            }
            Err(CheckError::Refused(
                refusal @ (Refusal::Branching(_)
                | Refusal::Liveness
                | Refusal::Mu
                | Refusal::Symbolic(Unsupported::Executed)),
            )) => (Found::Refused(refusal.to_string()), Times::default()),
            Err(CheckError::Refused(refusal)) => {
                return Err(Failure::Input(format!("orbitscope: {refusal}")));
            }
        };
        let answer = Answer { logic, name, found, time };
        if let Some(Unknown::Fault(fault)) = answer.unknown() {
            return Err(fault_failure(self.model, fault, Some(&answer.name)));
        }
        self.answers.push(answer);
        Ok(())
    }

    /// Checks properties, those together that one pass over the states can decide; that pass finds the deadlocks.
    fn properties(&mut self, selected: &[PropertyId], limited: bool) -> Result<SurveyReport, Failure> {
        let program = &self.model.program;
        let together: Vec<PropertyId> = (selected.iter().copied())
            .filter(|&id| {
                logic(program, id) == "invariant"
                    && Survey::takes(program, self.symmetry, id, self.options.engine).unwrap_or(false)
            })
            .collect();
        let mut options = self.options;
        if together.is_empty() && !limited && options.engine != Engine::Explicit {
            options.limits.states = options.limits.states.min(DEADLOCK_STATES);
        }
        let mut survey = Survey::new(program, self.symmetry, &together, &options)
            .map_err(|refusal| Failure::Input(format!("orbitscope: {refusal}")))?;
        let time = run::drive(&mut survey);
        let unknown = survey.unknown();
        if let Some(Unknown::Fault(fault)) = &unknown {
            let name = survey.faulty_invariant().map(|id| program.properties[id].name.as_str());
            return Err(fault_failure(self.model, fault, name));
        }
        for &id in selected {
            let (logic, name) = (logic(program, id), program.properties[id].name.clone());
            if together.contains(&id) {
                let found = Found::Report(Box::new(survey.report(id)));
                self.answers.push(Answer { logic, name, found, time });
            } else {
                self.ask(logic, name, Target::Property(id))?;
            }
        }
        Ok(SurveyReport {
            deadlocks: survey.deadlock_count(),
            path: survey.deadlock_path(),
            complete: survey.is_complete(),
            deadlocks_alone: together.is_empty(),
            unknown: unknown.filter(|unknown| {
                let whole = limited || !together.is_empty() || options.engine == Engine::Explicit;
                whole || matches!(unknown, Unknown::NodeLimit)
            }),
            stats: survey.stats(),
            symbolic: survey.summary(),
            time,
        })
    }
}

/// What the pass over the states found.
struct SurveyReport {
    deadlocks: u64,
    path: Option<Path>,
    complete: bool,
    /// Whether no invariant was looked at on the way.
    deadlocks_alone: bool,
    /// The limit that was reached, where it is one that was set.
    unknown: Option<Unknown>,
    stats: orbitscope_core::check::Stats,
    symbolic: Option<Summary>,
    time: Times,
}

/// An error of the model that ended a check: what, where, in which state, and how to get there.
fn fault_failure(model: &Model, fault: &FaultReport, property: Option<&str>) -> Failure {
    let program = &model.program;
    let (at, what) = match &fault.what {
        Faulty::Step(fault) => (fault.fault, program.show_fault(fault)),
        Faulty::Property(fault) => {
            let name = property.map_or_else(|| "the property".into(), |name| format!("`{name}`"));
            (*fault, format!("{} while evaluating {name}", fault.kind))
        }
    };
    let mut messages = vec![model.source.render(&Diagnostic::new(at.span, what))];
    if let Some(path) = &fault.path {
        messages.extend(run::path_messages(program, path));
    }
    Failure::Input(messages.join("\n"))
}

/// What a run found out.
struct Outcome {
    answers: Vec<Answer>,
    survey: SurveyReport,
    options: Options,
}

impl Outcome {
    fn limits(&self) -> impl Iterator<Item = &Unknown> {
        let own = self.answers.iter().filter_map(Answer::unknown);
        own.chain(&self.survey.unknown).filter(|unknown| !matches!(unknown, Unknown::Internal(_)))
    }

    fn has(&self, wanted: impl Fn(&Found) -> bool) -> bool {
        self.answers.iter().any(|answer| wanted(&answer.found))
    }

    /// A violation is certain, whatever else is not known.
    fn status(&self) -> Status {
        let internal = |answer: &Answer| matches!(answer.unknown(), Some(Unknown::Internal(_)));
        if self.answers.iter().any(|answer| answer.verdict() == "violated") {
            Status::Violated
        } else if self.limits().next().is_some() || self.has(|found| matches!(found, Found::TooLarge(_))) {
            Status::Limit
        } else if self.has(|found| matches!(found, Found::Refused(_))) || self.answers.iter().any(internal) {
            Status::Wrong
        } else {
            Status::Good
        }
    }

    /// Says on standard error why not everything was answered.
    fn complain(&self) {
        for answer in &self.answers {
            if let Found::TooLarge(words) = &answer.found {
                message(words);
            }
            if let Some(Unknown::Internal(fault)) = answer.unknown() {
                let name = &answer.name;
                message(&format!(
                    "orbitscope: internal error: the run that was found for `{name}` does not replay ({fault:?}); this is a bug of orbitscope, please report it with the model"
                ));
            }
        }
        let reached = |unknown: &&Unknown| {
            !matches!(
                unknown,
                Unknown::FalsificationOnly | Unknown::ExploredOnly | Unknown::Mixed | Unknown::Unsupported(_)
            )
        };
        if let Some(unknown) = self.limits().find(reached) {
            let limit = limit_word(unknown);
            message(&format!(
                "orbitscope: the limit of {limit} was reached; what was found so far is printed"
            ));
        }
        let refused = |answer: &&Answer| matches!(answer.found, Found::Refused(_));
        let missing = self.answers.iter().filter(refused).count();
        if let Some(why) = self.answers.iter().find(refused).and_then(Answer::note) {
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
        let complete = self.survey.complete && self.answers.iter().all(|answer| answer.unknown().is_none());
        json::Report {
            model: model.source.model_name(),
            params: json::Params(program),
            processes: program.process_count(),
            symmetry: json::Symmetry::new(program, &symmetry.group),
            complete,
            deadlocks: json::Deadlocks {
                count: self.survey.deadlocks,
                up_to_symmetry: self.options.engine != Engine::Explicit,
                path: self.survey.path.as_ref().map(|path| json::Steps::of_path(program, path, whole)),
            },
            results: self.answers.iter().map(|answer| self.result(program, answer, whole)).collect(),
        }
    }

    fn result<'a>(&self, program: &'a Program, answer: &'a Answer, whole: json::Whole) -> json::Answer<'a> {
        let report = answer.report();
        let fairness = report.and_then(|_| match answer.logic {
            "invariant" => None,
            "mu" => Some("none"),
            "ctl" if !self.options.fair_ctl => Some("none"),
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
            fairness,
            engine: report.map(|report| report.engine.name()),
            note: answer.note(),
            instance: report.and_then(|r| r.instance.as_ref()).map(|i| json::Instance::new(program, i)),
            searches: report.map(|report| report.searches),
            expanded: report.map(|report| report.expanded as u64),
            symmetric_automaton: report.filter(|r| r.expanded > 0).map(|report| report.symmetric),
            stats: report.map_or_else(json::Stats::default, |report| self.stats(report, answer.time)),
            path,
            lasso,
            ledger,
            branching: report.and_then(|r| r.branching.as_ref()).map(|b| json::Branching::new(program, b)),
            symbolic: report.and_then(|r| r.symbolic.as_ref()).map(|s| json::Symbolic::new(s, answer.time)),
        }
    }

    /// What was counted. Where the pass for deadlocks has built the whole quotient, its size is known.
    fn stats(&self, report: &Report, time: Times) -> json::Stats {
        let (mut stats, all) = (report.stats, &self.survey.stats);
        if self.survey.complete && all.aqs_states.is_some() && stats.aqs_edges.is_none() {
            stats.aqs_states = all.aqs_states;
            stats.aqs_edges = all.aqs_edges;
            stats.aqs_edges_pruned = all.aqs_edges_pruned;
            stats.aqs_bytes = all.aqs_bytes;
        }
        json::Stats::new(&stats, time.total)
    }
}

fn limit_word(unknown: &Unknown) -> &'static str {
    match unknown {
        Unknown::ByteLimit => "memory",
        Unknown::NodeLimit => "BDD nodes",
        Unknown::RootLimit => "initial states",
        _ => "states",
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
        let source = Source::read(&args.file)?;
        let automaton = Source::read(file)?;
        let settings = Settings { params: args.settings.clone(), ..Settings::default() };
        match build_with_hoa(&source.text, &settings, &automaton.text) {
            Ok((program, property)) => Ok((Model { source, program }, property)),
            Err(HoaErrors::Model(diagnostics)) => Err(source.failure(&diagnostics)),
            Err(HoaErrors::Automaton(diagnostics)) => Err(automaton.failure(&diagnostics)),
        }
    }
}
