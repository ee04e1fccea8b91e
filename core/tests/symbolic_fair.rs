//! Fair cycles by sets of states against the plain method, on random programs, properties, automata and kinds of fairness; every run
//! is replayed. The test counts what its cases went through, and fails where that is nothing.

use crate::search_agree::program as random_program;
use crate::support::agree::{CACHES, How, limits, obligations_of, symmetry_of};
use crate::support::programs::{Knobs, Spec, add_temporal, careless, generate};
use crate::support::random::Random;
use crate::support::{built, parsed};
use orbitscope_core::bdd::{Budget, Collect};
use orbitscope_core::check::{Check, Counterexample, Engine, Options, Target, Unknown, Verdict};
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, ProcessSet};
use orbitscope_core::program::{Program, PropertyKind};
use orbitscope_core::property::Obligation;
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{Explicit, Lasso, explicit, replay};
use orbitscope_core::strain;
use orbitscope_core::symbolic::{FairCycles, FairOutcome, SymbolicOptions, Unsupported};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Fairness;
use std::collections::BTreeMap;

#[derive(Default)]
struct Tally {
    cases: u64,
    reached: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn count(&mut self, what: &'static str, yes: bool) {
        *self.reached.entry(what).or_default() += u64::from(yes);
    }
}

const FAIRNESS: [FairnessChoice; 4] = [
    FairnessChoice::Model,
    FairnessChoice::All(Fairness::Weak),
    FairnessChoice::All(Fairness::Strong),
    FairnessChoice::All(Fairness::None),
];

/// Asks both about one obligation; says what is wrong.
fn compare(
    program: &Program,
    obligation: &Obligation,
    (of, how): (&FairnessOf, How),
    options: &SymbolicOptions,
    tally: &mut Tally,
) -> Result<(), String> {
    let plain = explicit(program, obligation, of, how.deadlock, limits());
    let budget = Budget { nodes: options.nodes, collect: options.collect };
    let mut search = match FairCycles::new(program, obligation, of, how.deadlock, options, budget) {
        Ok(search) => search,
        Err(Unsupported::Nodes(_)) => {
            tally.count("a limit before the first step", true);
            return Ok(());
        }
        Err(_) => {
            tally.count("too large", true);
            return Ok(());
        }
    };
    let found = search.run().clone();
    tally.cases += 1;
    let run = match (&plain, &found) {
        (_, FairOutcome::NodeLimit) if options.nodes < LARGE => {
            tally.count("a limit on the way", true);
            return Ok(());
        }
        (_, FairOutcome::Unreached) if options.nodes < LARGE => return Ok(()),
        (Explicit::Fault(_) | Explicit::Stopped(_), FairOutcome::Unreached) => {
            tally.count("an error of the model or the property", true);
            return Ok(());
        }
        // An error in a state to which no accepted run leads does not matter here.
        (Explicit::Holds(..) | Explicit::Fault(_) | Explicit::Stopped(_), FairOutcome::Nothing) => None,
        (Explicit::Violated(..) | Explicit::Fault(_) | Explicit::Stopped(_), FairOutcome::Run(lasso)) => {
            Some(lasso)
        }
        _ => return Err(format!("plain {plain:?}, symbolic {found:?}")),
    };
    if let Some(lasso) = run {
        replay(program, obligation, of, how.deadlock, lasso)
            .map_err(|fault| format!("the run fails its replay: {fault}\n{lasso:?}"))?;
        runs(lasso, tally);
    }
    let on_edges = obligation.atoms.iter().any(|atom| atom.on_edges);
    let all = ProcessSet::range(0..program.process_count());
    tally.count("violated", run.is_some());
    tally.count("holds", run.is_none());
    tally.count("who executes is asked, violated", on_edges && run.is_some());
    tally.count("who executes is asked, holds", on_edges && run.is_none());
    tally.count("weak fairness", of.strong == ProcessSet::default() && of.none != all);
    tally.count("strong fairness", of.strong != ProcessSet::default());
    tally.count("no fairness", of.none == all);
    tally.count("mixed fairness", of.none != all && of.none != ProcessSet::default());
    tally.count("actions that are fair", !of.actions.is_empty());
    tally.count("deadlocks dropped", how.deadlock == Deadlock::Drop);
    tally.count("states assumed", program.assumption.is_some());
    tally.count("several marks", obligation.automaton.sets() > 1);
    tally.count("no marks", obligation.automaton.sets() == 0);
    tally.count("several processes told apart", obligation.tracked.len() > 1);
    let weaker = FairnessOf::new(program, FairnessChoice::All(Fairness::None));
    let without = explicit(program, obligation, &weaker, how.deadlock, limits());
    let decides = matches!((&plain, without), (Explicit::Holds(..), Explicit::Violated(..)));
    tally.count("fairness decides", decides);
    Ok(())
}

fn runs(lasso: &Lasso, tally: &mut Tally) {
    tally.count("a deadlock that repeats", lasso.cycle.iter().any(|step| step.process.is_none()));
    tally.count("a loop of several steps", lasso.cycle.len() > 1);
    tally.count("a loop of more than five steps", lasso.cycle.len() > 5);
    tally.count("a loop at the start", lasso.stem.is_empty());
}

/// Enough for every random program.
const LARGE: u32 = 2_000_000;

fn check(seed: u64, spec: &Spec, tally: &mut Tally) -> Result<(), String> {
    let program = built("random", &spec.to_string(), &[]);
    let symmetry = symmetry_of(&program)?;
    let mut random = Random::new(seed);
    for (id, property) in program.properties.iter_enumerated() {
        let automaton = matches!(property.kind, PropertyKind::Automaton(_)) && random.coin();
        let how = How {
            fairness: *random.pick(&FAIRNESS),
            prune: Prune::None,
            deadlock: if random.coin() { Deadlock::Drop } else { Deadlock::Stutter },
            automaton: automaton.then(|| random.bits()),
            cache: CACHES[3],
        };
        let Some(found) = obligations_of(&program, &symmetry, id, how) else { continue };
        let of = FairnessOf::new(&program, how.fairness);
        let small = random.chance(20).then(|| 10 + random.below(3_000) as u32);
        let options = SymbolicOptions {
            nodes: small.unwrap_or(LARGE),
            collect: *random.pick(&[Collect::WhenDue, Collect::WhenFull, Collect::Always]),
            hints: random.coin(),
            under: random.chance(20).then(|| 4 + random.below(20) as u32),
            ..SymbolicOptions::default()
        };
        tally.count("collected before every operation", options.collect == Collect::Always);
        for obligation in &found {
            compare(&program, obligation, (&of, how), &options, tally)
                .map_err(|error| format!("{} checked with {how:?}, {options:?}: {error}", property.name))?;
        }
    }
    Ok(())
}

/// A program that may go wrong.
fn with_errors(seed: u64) -> Spec {
    let knobs = Knobs { space: 80, properties: 0, fairness: 80, ..Knobs::wide(seed / 4) };
    let mut spec = generate(seed, &knobs);
    careless(&mut spec, seed);
    add_temporal(spec, seed, &knobs)
}

#[test]
fn agrees_with_the_plain_method() {
    let wanted = crate::support::cases(800);
    let mut tally = Tally::default();
    let mut seed = crate::support::first_seed();
    while tally.cases < wanted {
        let spec = if seed % 4 == 3 { with_errors(seed) } else { random_program(seed) };
        strain::begin((seed % 3 == 1).then_some(seed));
        if let Err(error) = check(seed, &spec, &mut tally) {
            println!("seed {seed}: {error}");
            let fails = |spec: &Spec| check(seed, spec, &mut Tally::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
        }
        let _ = strain::end();
        seed += 1;
    }
    println!("up to seed {seed}, {} cases", tally.cases);
    for (what, count) in &tally.reached {
        println!("{count:9} {what}");
    }
    if crate::support::asks_shares() {
        let missing: Vec<_> = tally.reached.iter().filter(|(_, count)| **count == 0).collect();
        assert!(missing.is_empty(), "no case went through {missing:?}");
        for needed in
            ["a limit on the way", "a limit before the first step", "an error of the model or the property"]
        {
            assert!(tally.reached.contains_key(needed), "no case went through {needed:?}");
        }
    }
}

fn asked(source: &str, name: &str, options: Options) -> orbitscope_core::check::Report {
    let _ = parsed("model", source);
    let program = built("model", source, &[]);
    let symmetry = choose(&program, Choice::Model).expect("no claims");
    let id = program.property(name).expect("it is there");
    Check::new(&program, &symmetry, Target::Property(id), options).expect("it is taken").run()
}

/// A check gives the right verdict and shows the run.
#[test]
fn liveness_through_the_check() {
    let model = "shared turn: 0..1 = 0
        process p[2] { var st: {out, want, inside} = out
          action ask: st == out -> st := want
          action enter: st == want and forall q in p: q.st != inside -> st := inside
          action leave: st == inside -> st := out }
        ltl served: forall q in p: G (q.st == want => F q.st == inside)
        ltl moves: forall q in p: G F executed(q)";
    let symbolic = |fairness| Options {
        engine: Engine::Symbolic,
        fairness: FairnessChoice::All(fairness),
        ..Options::default()
    };
    let report = asked(model, "served", symbolic(Fairness::Weak));
    assert!(matches!(report.counterexample, Some(Counterexample::Lasso(..))), "{:?}", report.verdict);
    assert!(report.symbolic.is_some());
    for (name, fairness, holds) in [
        ("served", Fairness::Strong, true),
        ("moves", Fairness::Weak, false),
        ("moves", Fairness::Strong, true),
    ] {
        let verdict = asked(model, name, symbolic(fairness)).verdict;
        let right =
            if holds { matches!(verdict, Verdict::Holds) } else { matches!(verdict, Verdict::Violated) };
        assert!(right, "{name}: {verdict:?}");
    }
    let few = SymbolicOptions { nodes: 100, ..SymbolicOptions::default() };
    let limited = asked(model, "served", Options { symbolic: few, ..symbolic(Fairness::Strong) });
    let limit = matches!(limited.verdict, Verdict::Unknown(Unknown::Limit(orbitscope_core::Limit::Nodes)));
    assert!(limit, "{:?}", limited.verdict);
}
