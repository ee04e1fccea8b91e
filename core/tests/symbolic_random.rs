//! The symbolic engine against a brute force that shares nothing with it, on models that reach what it does in its own way; with nodes
//! collected before every operation, and with limits so small that they are reached.

mod texts;

use crate::support::oracle::Oracle;
use crate::support::random::Random;
use crate::support::temporal::Checker;
use crate::support::{Verdict as Expected, cases, first_seed};
use orbitscope_core::Limit;
use orbitscope_core::bdd::Collect;
use orbitscope_core::check::{
    Check, Counterexample, Engine, Options, Report, Survey, Target, Unknown, Verdict,
};
use orbitscope_core::program::{self, Program, PropertyId, PropertyKind, Settings};
use orbitscope_core::symbolic::{CtlModel, SymbolicOptions};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::Logic;
use orbitscope_core::syntax::parse;
use std::collections::{BTreeMap, BTreeSet};
use texts::{FEATURES, text};

/// The brute force looks at this many states.
const MOST_STATES: usize = 500;

/// How many cases went through what.
#[derive(Default)]
struct Tally {
    cases: u64,
    reached: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn count(&mut self, what: &'static str, when: bool) {
        *self.reached.entry(what).or_default() += u64::from(when);
    }

    fn finish(&self, seed: u64, wanted: &[&'static str]) {
        println!("{} cases up to seed {seed}", self.cases);
        for (what, count) in &self.reached {
            println!("{count:9} {what}");
        }
        let missing: Vec<_> =
            wanted.iter().filter(|what| self.reached.get(**what).is_none_or(|n| *n == 0)).collect();
        assert!(missing.is_empty(), "no case went through {missing:?}");
    }
}

/// A property as one random model has it, with what a brute force says of it.
struct Case<'p> {
    program: &'p Program,
    symmetry: &'p ProgramSymmetry,
    id: PropertyId,
    holds: bool,
    random: Random,
}

impl Case<'_> {
    fn ask(&self, how: SymbolicOptions) -> Result<Report, String> {
        let options = Options { engine: Engine::Symbolic, symbolic: how, ..Options::default() };
        let check = Check::new(self.program, self.symmetry, Target::Property(self.id), options);
        Ok(check.map_err(|error| error.to_string())?.run())
    }

    fn logic(&self) -> Logic {
        match self.program.properties[self.id].kind {
            PropertyKind::Formula(logic, _) => logic,
            PropertyKind::DeadlockFree => Logic::Invariant,
            PropertyKind::Automaton(_) => Logic::Ltl,
        }
    }

    /// One of the ways to search.
    fn way(&mut self, collect: Collect) -> SymbolicOptions {
        let ctl =
            *self.random.pick(&[CtlModel::All, CtlModel::All, CtlModel::Relation, CtlModel::Restricted]);
        SymbolicOptions {
            hints: self.random.chance(30),
            sigma_limit: self.random.chance(20).then(|| self.random.below(3) as u32),
            under: self.random.chance(20).then(|| 4 + self.random.below(20) as u32),
            ctl,
            collect,
            ..SymbolicOptions::default()
        }
    }

    /// Whether a report says what the brute force says; open where the engine may leave it open.
    fn agrees(&self, report: &Report, how: &SymbolicOptions, limited: bool) -> Result<Option<bool>, String> {
        match &report.verdict {
            Verdict::Holds if self.holds => Ok(Some(true)),
            Verdict::Violated if !self.holds => Ok(Some(false)),
            Verdict::Unknown(Unknown::Limit(Limit::Nodes)) if limited => Ok(None),
            Verdict::Unknown(Unknown::ExploredOnly | Unknown::Mixed) if how.ctl == CtlModel::Restricted => {
                Ok(None)
            }
            found => Err(format!(
                "`{}` {} hold, and is said to be {found:?}, with {how:?}",
                self.program.properties[self.id].name,
                if self.holds { "does" } else { "does not" },
            )),
        }
    }
}

fn tell(case: &Case<'_>, report: &Report, how: &SymbolicOptions, tally: &mut Tally) {
    let path = matches!(report.counterexample, Some(Counterexample::Path(_)));
    let violated = matches!(report.verdict, Verdict::Violated);
    let branching = case.logic() == Logic::Ctl;
    tally.count("invariant", case.logic() == Logic::Invariant);
    tally.count("ctl", branching);
    let lasso = matches!(report.counterexample, Some(Counterexample::Lasso(..)));
    tally.count("ltl", case.logic() == Logic::Ltl);
    tally.count("violated with a fair cycle", lasso);
    tally.count("violated with a path", violated && path);
    tally.count("ctl violated without a path", violated && !path && branching);
    tally.count("ctl holds", matches!(report.verdict, Verdict::Holds) && branching);
    tally.count("left open", matches!(report.verdict, Verdict::Unknown(_)));
    tally.count("under-approximation", how.under.is_some());
    tally.count("sigma limited", how.sigma_limit.is_some());
    tally.count("hints followed", how.hints && !case.program.hints.is_empty());
    let Some(summary) = &report.symbolic else { return };
    let reduced = summary.generators > 0 && summary.representatives != summary.covered;
    tally.count("fewer representatives than states", reduced);
    tally.count(
        "ctl over the relation to representatives",
        reduced && branching && how.ctl == CtlModel::Relation,
    );
    tally.count("ctl on representatives alone", reduced && branching && how.ctl == CtlModel::Restricted);
    tally.count("generators left out", summary.generators_left_out > 0);
    tally.count("relation of several parts", summary.parts > 1);
    tally.count("table grew", summary.peak_nodes > 256);
    tally.count("cache grew", summary.peak_nodes > 1024);
    tally.count("more than 64 bits in the order", summary.bits > 64);
}

/// Cases that both kinds of test reach.
const REACHED: [&str; 19] = [
    "invariant",
    "ctl",
    "ltl",
    "violated with a fair cycle",
    "violated with a path",
    "ctl violated without a path",
    "ctl holds",
    "left open",
    "under-approximation",
    "sigma limited",
    "hints followed",
    "fewer representatives than states",
    "ctl over the relation to representatives",
    "ctl on representatives alone",
    "generators left out",
    "relation of several parts",
    "table grew",
    "cache grew",
    "more than 64 bits in the order",
];

type Try = fn(&mut Case<'_>, &mut Tally) -> Result<(), String>;

/// Tries random models until there are enough cases.
fn random_models(usual: u64, each: Try, survey: fn(&Program, &ProgramSymmetry, &mut Tally)) -> (Tally, u64) {
    let mut tally = Tally::default();
    let wanted = cases(usual);
    let mut seed = first_seed();
    while tally.cases < wanted {
        seed += 1;
        let model = text(seed);
        let file = parse(&model.source);
        assert!(file.diagnostics.is_empty(), "seed {seed}: {:?}\n{}", file.diagnostics, model.source);
        let program = program::build(&file.file, &Settings::default())
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{}", model.source));
        let oracle = Oracle::new(&file.file, &[]);
        let Some(graph) = oracle.explore_sound(MOST_STATES) else { continue };
        // A claim may be wrong, and is then refused.
        let symmetry = match choose(&program, Choice::Model) {
            Ok(symmetry) => symmetry,
            Err(_) => choose(&program, Choice::Auto).expect("nothing is claimed"),
        };
        for feature in &model.features {
            tally.count(feature, true);
        }
        survey(&program, &symmetry, &mut tally);
        let checker = Checker::new(&oracle, &graph);
        for (id, property) in program.properties.iter_enumerated() {
            let holds = checker.check(&property.name, None) == Expected::Holds;
            let random = Random::new(seed * 16 + u64::from(id.0));
            let mut case = Case { program: &program, symmetry: &symmetry, id, holds, random };
            if let Err(error) = each(&mut case, &mut tally) {
                panic!("seed {seed}: {error}\n{}", model.source);
            }
        }
    }
    (tally, seed)
}

fn as_usual(case: &mut Case<'_>, collect: Collect, tally: &mut Tally) -> Result<(), String> {
    let how = case.way(collect);
    let report = case.ask(how)?;
    case.agrees(&report, &how, false)?;
    tally.cases += 1;
    tell(case, &report, &how, tally);
    Ok(())
}

fn wanted() -> Vec<&'static str> {
    REACHED.into_iter().chain(FEATURES).collect()
}

/// The deadlock that is nearest, by a brute force over the quotient's states, and by the symbolic engine.
fn deadlocks(program: &Program, symmetry: &ProgramSymmetry, tally: &mut Tally) {
    let survey = |engine: Engine| {
        let options = Options { engine, ..Options::default() };
        let mut survey = Survey::new(program, symmetry, &[], &options).expect("nothing is refused");
        survey.run();
        let collections = survey.reach().map_or(0, |reach| reach.model().bdds.collections());
        (survey.deadlock_path().map(|path| path.steps.len()), collections)
    };
    let ((plain, _), (found, _)) = (survey(Engine::Explicit), survey(Engine::Symbolic));
    assert_eq!(found, plain, "the steps to the nearest deadlock");
    tally.count("deadlock at the start", found == Some(0));
    tally.count("deadlock further on", found.is_some_and(|steps| steps > 0));
}

#[test]
fn agrees_with_a_brute_force() {
    let (tally, seed) =
        random_models(1_500, |case, tally| as_usual(case, Collect::WhenDue, tally), deadlocks);
    let own = ["deadlock at the start", "deadlock further on"];
    tally.finish(seed, &wanted().into_iter().chain(own).collect::<Vec<_>>());
}

/// Where a set that is in use were freed, this would find it: nothing outlives an operation but what is held.
#[test]
fn agrees_with_a_brute_force_when_everything_is_collected() {
    let (tally, seed) =
        random_models(1_500, |case, tally| as_usual(case, Collect::Always, tally), |_, _, _| ());
    tally.finish(seed, &wanted());
}

/// A limit is said, or there is room enough and the answer is right.
fn limited(case: &mut Case<'_>, tally: &mut Tally) -> Result<(), String> {
    let collect = if case.random.chance(25) { Collect::Always } else { Collect::WhenDue };
    let how = case.way(Collect::WhenDue);
    let report = case.ask(how)?;
    case.agrees(&report, &how, false)?;
    let peak = report.symbolic.as_ref().map_or(0, |summary| summary.peak_nodes) as usize;
    let limits: BTreeSet<usize> =
        [case.random.below(20), case.random.below(200), peak / 2, peak * 3 / 4, peak].into();
    for nodes in limits {
        let how = SymbolicOptions { nodes: nodes as u32, collect, ..how };
        let report = case.ask(how)?;
        let said = case.agrees(&report, &how, true).map_err(|error| format!("{nodes} nodes: {error}"))?;
        let reached = matches!(report.verdict, Verdict::Unknown(Unknown::Limit(Limit::Nodes)));
        tally.cases += 1;
        tally.count("limit before the first step", reached && report.symbolic.is_none());
        tally.count("limit on the way", reached && report.symbolic.is_some());
        tally.count("right with fewer nodes than before", said.is_some() && nodes < peak);
        tally.count("violated all the same", said == Some(false) && nodes < peak);
    }
    Ok(())
}

#[test]
fn a_small_limit_is_said() {
    let (tally, seed) = random_models(1_500, limited, |_, _, _| ());
    tally.finish(
        seed,
        &[
            "limit before the first step",
            "limit on the way",
            "right with fewer nodes than before",
            "violated all the same",
        ],
    );
}
