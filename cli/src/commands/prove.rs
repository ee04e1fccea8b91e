//! `orbitscope prove`: properties for every size of the families at once.

use crate::args::{self, CheckArgs, ProveArgs};
use crate::failure::{Failure, Status};
use crate::model::Source;
use crate::output::Output;
use crate::run::{self, Pace};
use crate::text::counted;
use orbitscope_core::check::{
    Counterexample, Halt, LineStyle, Options, Stepping, lasso_lines, ledger_lines, path_lines,
};
use orbitscope_core::every::{Conclusion, Drive, Effort, Proof, Prover, Reason, Rule, Rules, Stuck};
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::ast::Fairness;
use orbitscope_core::syntax::parse;
use orbitscope_core::text::closest;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

pub(crate) fn prove(args: &ProveArgs) -> Result<Status, Failure> {
    Request { args, deadlocks: true }.answer()
}

/// `check --every`: the same question, asked with the other command's options.
pub(crate) fn check_every(args: &CheckArgs) -> Result<Status, Failure> {
    let asked = ProveArgs {
        model: args.model.clone(),
        properties: args.properties.clone(),
        every: args.every.clone(),
        fairness: args.fairness,
        deadlock: args.deadlock,
        up_to: None,
        max_states: args.max_states,
        json: args.json,
    };
    Request { args: &asked, deadlocks: !args.no_deadlocks }.answer()
}

struct Request<'a> {
    args: &'a ProveArgs,
    deadlocks: bool,
}

impl Request<'_> {
    fn answer(&self) -> Result<Status, Failure> {
        let source = Source::of(&self.args.model)?;
        let parsed = parse(&source.text);
        if !parsed.diagnostics.is_empty() {
            return Err(source.failure(&parsed.diagnostics));
        }
        let mut settings = Settings::default();
        settings.params.extend(self.args.model.settings.iter().cloned());
        if let Some(name) =
            self.args.every.iter().find(|name| settings.params.iter().any(|(set, _)| set == *name))
        {
            return Err(Failure::Input(format!(
                "orbitscope: `{name}` is set and left open at once; leave one of both out"
            )));
        }
        let prover = Prover::new(&parsed.file, &settings, &self.args.every, self.options(), self.effort())
            .map_err(|errors| source.failure(&errors))?;
        let names = self.names(&prover, &source)?;
        let mut output = Output::new();
        let mut driver = Driver { halted: false };
        let mut proofs = Vec::new();
        if !self.args.json {
            let params: Vec<String> =
                prover.opened().params.iter().map(|p| format!("{} >= {}", p.name, p.least)).collect();
            writeln!(output, "{}  every {}", source.model_name(), params.join(", "))?;
        }
        for name in names.iter().map(|name| Some(name.as_str())).chain(self.deadlocks.then_some(None)) {
            let proof = prover.prove(name, &mut driver);
            if !self.args.json {
                write_proof(&mut output, &source, &proof)?;
                output.flush()?;
            }
            proofs.push(proof);
        }
        if self.args.json {
            let report = Report::new(&source, &prover, &proofs);
            serde_json::to_writer(&mut output, &report).map_err(io::Error::from)?;
            writeln!(output)?;
        }
        output.flush()?;
        Ok(status(&proofs))
    }

    fn options(&self) -> Options {
        let fairness = match self.args.fairness {
            args::FairnessChoice::Model => FairnessChoice::Model,
            args::FairnessChoice::Weak => FairnessChoice::All(Fairness::Weak),
            args::FairnessChoice::Strong => FairnessChoice::All(Fairness::Strong),
            args::FairnessChoice::None => FairnessChoice::All(Fairness::None),
        };
        let deadlock = match self.args.deadlock {
            args::DeadlockChoice::Stutter => Deadlock::Stutter,
            args::DeadlockChoice::Drop => Deadlock::Drop,
        };
        Options { fairness, deadlock, limits: run::limits(self.args.max_states), ..Options::default() }
    }

    fn effort(&self) -> Effort {
        let default = Effort::default();
        let states = self.args.max_states.map_or(default.states, |max| max as usize);
        Effort {
            small: self.args.up_to.map_or(default.small, i64::from),
            states,
            nodes: default.nodes.max(states),
            ..default
        }
    }

    fn names(&self, prover: &Prover, source: &Source) -> Result<Vec<String>, Failure> {
        for name in &self.args.properties {
            if !prover.properties().any(|own| own == name) {
                let near = closest(name, prover.properties());
                let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(Failure::Input(format!(
                    "{}: there is no property called `{name}`{hint}",
                    source.file
                )));
            }
        }
        let asked = |name: &&str| {
            self.args.properties.is_empty() || self.args.properties.iter().any(|own| own == name)
        };
        Ok(prover.properties().filter(asked).map(ToString::to_string).collect())
    }
}

/// Has the clock and the button to stop.
struct Driver {
    halted: bool,
}

impl Drive for Driver {
    fn drive(&mut self, work: &mut dyn Stepping) -> ControlFlow<Halt> {
        if self.halted {
            return ControlFlow::Break(Halt::Request);
        }
        let mut pace = Pace::new();
        while pace.goes_on() {
            for _ in 0..pace.chunk {
                if !work.step() {
                    return ControlFlow::Continue(());
                }
            }
        }
        self.halted = true;
        ControlFlow::Break(pace.halt.unwrap_or(Halt::Request))
    }
}

fn write_proof(output: &mut Output, source: &Source, proof: &Proof) -> io::Result<()> {
    let name = proof.property.as_deref().unwrap_or("deadlocks");
    let words = match (&proof.property, &proof.conclusion) {
        (None, Conclusion::Holds { .. }) => proof.words().replacen("holds", "none", 1),
        (None, Conclusion::Violated { .. }) => proof.words().replacen("violated", "there are some", 1),
        _ => proof.words(),
    };
    match &proof.conclusion {
        Conclusion::Unknown(Reason::Outside(outside)) => {
            writeln!(output, "{name}  unknown: outside of what can be said about every size")?;
            writeln!(output, "{}", source.render_plainly(&outside.diagnostic()))?;
        }
        Conclusion::Unknown(Reason::Spurious { words, states, why }) => {
            writeln!(output, "{name}  unknown: no violation was found, and there is no proof")?;
            write_known(output, proof)?;
            let left = counted(*states as u64, "abstract state");
            let (are, those) = if *states == 1 { ("is", "one") } else { ("are", "those") };
            writeln!(output, "  what is left {are} {left}, which may or may not be {those} of a run:")?;
            for word in words {
                writeln!(output, "    {word}")?;
            }
            if *states > words.len() {
                writeln!(output, "    …")?;
            }
            writeln!(output, "  {why}; or larger instances, with --up-to")?;
        }
        Conclusion::Unknown(reason) => {
            writeln!(output, "{name}  {words}")?;
            write_known(output, proof)?;
            if let Some(help) = help(reason) {
                writeln!(output, "  {help}")?;
            }
        }
        // A path that grows with the instance needs no abstract system.
        Conclusion::Holds { .. } if proof.covers => writeln!(output, "{name}  {words}")?,
        Conclusion::Holds { .. } => {
            let rules = proof.rules.unwrap_or_default();
            writeln!(output, "{name}  {words}")?;
            writeln!(output, "  {}; by {rules}", system(proof))?;
        }
        Conclusion::Violated { .. } => writeln!(output, "{name}  {words}")?,
    }
    if let Some(instance) = &proof.instance {
        let (program, _) = &**instance;
        let lines = match proof.run() {
            Some(Counterexample::Path(path)) => path_lines(program, path, LineStyle::PLAIN),
            Some(Counterexample::Lasso(lasso, ledger)) => {
                let mut lines = lasso_lines(program, lasso, LineStyle::PLAIN);
                lines.extend(ledger_lines(program, lasso, ledger, LineStyle::PLAIN));
                lines
            }
            None => Vec::new(),
        };
        for line in lines {
            writeln!(output, "{line}")?;
        }
    }
    Ok(())
}

/// The abstract system in words.
fn system(proof: &Proof) -> String {
    let thresholds: Vec<String> = proof.thresholds.iter().map(ToString::to_string).collect();
    format!(
        "{}, {}; counted up to {}, {} tracked",
        counted(proof.states as u64, "abstract state"),
        counted(proof.edges, "edge"),
        thresholds.join(", "),
        proof.tracked
    )
}

/// Where there is no answer: the single instances that were decided, and how much of the abstract system there was.
fn write_known(output: &mut Output, proof: &Proof) -> io::Result<()> {
    let good = if proof.property.is_none() { "there are none" } else { "it holds" };
    for (words, verdict) in [(good, "holds"), ("it is not decided", "unknown")] {
        let values = proof.checked.iter().filter(|one| one.verdict == verdict);
        let values: Vec<String> = values.map(|one| show_values(&one.values)).collect();
        if !values.is_empty() {
            let names: Vec<&str> = proof.params.iter().map(|p| p.name.as_str()).collect();
            writeln!(output, "  {words} for {} = {}", names.join(", "), values.join(" "))?;
        }
    }
    let undecided = matches!(proof.conclusion, Conclusion::Unknown(Reason::Spurious { .. }));
    if proof.states > 0 && !undecided {
        writeln!(output, "  until then {}", system(proof))?;
    }
    Ok(())
}

/// The help against a budget that is used up.
fn help(reason: &Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Stuck(Stuck::States | Stuck::Nodes) => "a larger number for --max-states lets it go on",
        Reason::Stuck(Stuck::Roots) => {
            "fewer initial values, or fewer processes that the property names, would help"
        }
        Reason::Instance(_, unknown) if unknown.limit().is_some() => {
            "a larger number for --max-states decides it; a smaller one for --up-to leaves it out"
        }
        Reason::Halted(Halt::Request) => "whatever was found stays true; ask again for the rest",
        Reason::Halted(Halt::Memory) => "more memory, or a smaller number for --max-states, would help",
        _ => return None,
    })
}

fn show_values(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.len() == 1 { values.concat() } else { format!("({})", values.join(",")) }
}

/// A violation is certain, whatever else is not known; deadlocks are told and are no violation.
fn status(proofs: &[Proof]) -> Status {
    let properties = || proofs.iter().filter(|proof| proof.property.is_some());
    let unknown = |limits: bool| {
        properties().any(|proof| match &proof.conclusion {
            Conclusion::Unknown(reason) => is_limit(reason) == limits,
            _ => false,
        })
    };
    if properties().any(|proof| proof.verdict() == "violated") {
        Status::Violated
    } else if unknown(false) {
        Status::Wrong
    } else if unknown(true) {
        Status::Limit
    } else {
        Status::Good
    }
}

/// Whether more time or memory might help.
fn is_limit(reason: &Reason) -> bool {
    match reason {
        Reason::Stuck(Stuck::States | Stuck::Nodes | Stuck::Roots)
        | Reason::Halted(_)
        | Reason::Spurious { .. }
        | Reason::Growth => true,
        Reason::Instance(_, unknown) => unknown.limit().is_some(),
        _ => false,
    }
}

#[derive(Serialize)]
struct Report<'a> {
    model: String,
    params: Vec<Param<'a>>,
    results: Vec<Answer<'a>>,
}

#[derive(Serialize)]
struct Param<'a> {
    name: &'a str,
    least: i64,
    most: Option<i64>,
}

#[derive(Serialize)]
struct Answer<'a> {
    /// None for deadlock freedom.
    name: Option<&'a str>,
    verdict: &'static str,
    words: String,
    /// From these values on it is proved for all at once.
    from: Option<&'a [i64]>,
    /// The smallest values for which it is violated, and from where on it holds.
    at: Option<&'a [i64]>,
    then: Option<&'a [i64]>,
    /// For a `cover`: it is proved that no size covers it.
    never: bool,
    thresholds: &'a [u32],
    tracked: usize,
    abstract_states: usize,
    abstract_edges: u64,
    /// The rules that a proof rests on.
    rules: Vec<&'static str>,
    checked: Vec<Checked<'a>>,
    /// The run of the violated instance, a line a step.
    run: Option<Vec<String>>,
    /// The abstract states in which it might be violated, where no rule removes them: no run of the program.
    left: Option<Left<'a>>,
    /// The expression that cannot be spoken of for every size, where that is why.
    outside: Option<Outside<'a>>,
}

#[derive(Serialize)]
struct Checked<'a> {
    values: &'a [i64],
    verdict: &'static str,
}

#[derive(Serialize)]
struct Left<'a> {
    /// How many there are.
    states: usize,
    /// Some of them, in words.
    shown: &'a [String],
    /// Why no rule removes them, and what would be needed.
    needed: String,
}

#[derive(Serialize)]
struct Outside<'a> {
    start: u32,
    end: u32,
    message: &'a str,
    nearest: &'a str,
}

impl<'a> Report<'a> {
    fn new(source: &Source, prover: &'a Prover, proofs: &'a [Proof]) -> Report<'a> {
        let params = prover.opened().params.iter();
        Report {
            model: source.model_name(),
            params: params.map(|p| Param { name: &p.name, least: p.least, most: p.most }).collect(),
            results: proofs.iter().map(Answer::new).collect(),
        }
    }
}

impl<'a> Answer<'a> {
    fn new(proof: &'a Proof) -> Answer<'a> {
        let (mut from, mut at, mut then, mut never, mut outside) = (None, None, None, false, None);
        let mut left = None;
        match &proof.conclusion {
            Conclusion::Holds { from: values } => from = Some(values.as_slice()),
            Conclusion::Violated { at: values, then: after, never: nowhere } => {
                (at, then, never) = (Some(values.as_slice()), after.as_deref(), *nowhere);
            }
            Conclusion::Unknown(Reason::Spurious { words, states, why }) => {
                left = Some(Left { states: *states, shown: words, needed: why.to_string() });
            }
            Conclusion::Unknown(Reason::Outside(found)) => {
                let (start, end) = (found.span.start, found.span.end);
                outside = Some(Outside { start, end, message: &found.message, nearest: &found.nearest });
            }
            Conclusion::Unknown(_) => {}
        }
        let run = proof.instance.as_ref().zip(proof.run()).map(|(instance, run)| match run {
            Counterexample::Path(path) => path_lines(&instance.0, path, LineStyle::PLAIN),
            Counterexample::Lasso(lasso, _) => lasso_lines(&instance.0, lasso, LineStyle::PLAIN),
        });
        Answer {
            name: proof.property.as_deref(),
            verdict: proof.verdict(),
            words: proof.words(),
            from,
            at,
            then,
            never,
            thresholds: &proof.thresholds,
            tracked: proof.tracked,
            abstract_states: proof.states,
            abstract_edges: proof.edges,
            rules: proof.rules.into_iter().flat_map(Rules::iter).map(Rule::name).collect(),
            checked: proof
                .checked
                .iter()
                .map(|c| Checked { values: &c.values, verdict: c.verdict })
                .collect(),
            run,
            left,
            outside,
        }
    }
}
