//! Random models, properties and fairness: what is proved for every size is checked size by size, and an abstract system that counts
//! exactly says what the instance says.

mod make;

use crate::support::random::Random;
use crate::support::{cases, long};
use make::{Made, make};
use orbitscope_core::check::{Check, Engine, Options, Survey, Target, Unknown, Verdict};
use orbitscope_core::every::{Conclusion, Effort, Found, Prover, Rule, Rules, RunToEnd};
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::symmetry;
use orbitscope_core::syntax::ast::{Fairness, File};
use orbitscope_core::syntax::parse;
use std::collections::BTreeMap;

/// The verdict of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Says {
    Holds,
    Violated,
    /// The model or the property has an error.
    Fault,
    /// It is too large, or there is no such instance.
    Nothing,
}

/// One model with what is asked about it.
struct Case<'m> {
    seed: u64,
    made: &'m Made,
    file: &'m File,
    options: Options,
}

impl Case<'_> {
    fn property(&self) -> Option<&str> {
        self.made.property.as_deref()
    }

    /// The values of the parameters, where the second is not always there.
    fn values(&self, n: i64, m: i64) -> Vec<i64> {
        if self.made.two { vec![n, m] } else { vec![n] }
    }

    /// Asks an engine about one instance.
    fn concrete(&self, values: &[i64], engine: Engine) -> Says {
        let params = ["n", "m"].iter().zip(values).map(|(name, value)| (name.to_string(), *value)).collect();
        let built = program::build(self.file, &Settings { params, ..Settings::default() });
        let Ok(program): Result<Program, _> = built else { return Says::Nothing };
        let symmetry = symmetry::detect(&program);
        let mut options = Options { engine, ..self.options };
        options.limits.states = 30_000;
        let Some(property) = self.property() else {
            let Ok(mut survey) = Survey::new(&program, &symmetry, &[], &options) else {
                return Says::Nothing;
            };
            survey.run();
            return match survey.unknown() {
                _ if survey.deadlock_count() > 0 => Says::Violated,
                Some(Unknown::Fault(_)) => Says::Fault,
                _ if survey.is_complete() => Says::Holds,
                _ => Says::Nothing,
            };
        };
        let id = program.property(property).expect("the property is there");
        let Ok(mut check) = Check::new(&program, &symmetry, Target::Property(id), options) else {
            return Says::Nothing;
        };
        match check.run().verdict {
            Verdict::Holds => Says::Holds,
            Verdict::Violated => Says::Violated,
            Verdict::Unknown(Unknown::Fault(_)) => Says::Fault,
            Verdict::Unknown(_) => Says::Nothing,
        }
    }

    /// Whatever was proved is checked for each of these sizes.
    fn check_sizes(&self, from: &[i64], rng: &mut Random, why: &str) {
        let (most, more) = if self.made.two { (3.max(from[0]), 3.max(from[1])) } else { (6, 1) };
        let second = from.get(1).copied().unwrap_or(1);
        // Without symmetry, and larger than any of the others.
        let further = self.values(most + 1, second);
        let asked = rng.below(16) == 0;
        assert!(
            !asked || self.concrete(&further, Engine::Explicit) != Says::Violated,
            "seed {}: {why}, but {further:?} is violated\n{}",
            self.seed,
            self.made.text
        );
        for n in from[0]..=most {
            for m in second..=more {
                let engine = if rng.below(8) == 0 { Engine::Explicit } else { Engine::Onthefly };
                let says = self.concrete(&self.values(n, m), engine);
                assert!(
                    matches!(says, Says::Holds | Says::Nothing),
                    "seed {}: {why}, but n = {n}, m = {m} says {says:?}\n{}",
                    self.seed,
                    self.made.text
                );
            }
        }
    }
}

/// How much is tried: little, so that every part of the procedure has something to do.
fn effort(rng: &mut Random) -> Effort {
    let small = 1 + rng.below(3) as i64;
    let spare = [0, 0, 1, 3][rng.below(4)];
    Effort { states: 3_000, nodes: 20_000, instance: 20_000, small, spare, ..Effort::default() }
}

fn options(rng: &mut Random) -> Options {
    let fairness = match rng.below(16) {
        0 => FairnessChoice::All(Fairness::Weak),
        1 => FairnessChoice::All(Fairness::Strong),
        2 => FairnessChoice::All(Fairness::None),
        _ => FairnessChoice::Model,
    };
    let deadlock = if rng.below(10) == 0 { Deadlock::Drop } else { Deadlock::Stutter };
    Options { fairness, deadlock, ..Options::default() }
}

const WANTED: &[&str] = &[
    "strong",
    "none",
    "two open families",
    "two families of one parameter",
    "a process left out",
    "a quantifier in another",
    "a number in front",
    "a largest number",
    "a parameter",
    "moved by others",
    "two at a time",
    "three at a time",
    "all at once",
    "all at once, and one more",
    "a variable that holds a process",
    "any start",
    "a bag",
    "a shared variable that counts",
    "a table over the family",
    "code with labels",
    "statements",
    "an assertion",
    "an automaton",
    "a size that is not the parameter",
    "tracked",
    "two tracked",
    "executed",
    "enabled",
    "enabled ones counted",
    "a closed family",
    "deadlock free",
    "proved",
    "left",
    "from 2 on",
    "deadlock",
    "dropped",
    "chosen fairness",
    "exact agrees",
    "threads",
    "laws",
    "smallest",
    "covered",
    "never covered",
    "holds from some size on",
    "refined",
    "finer",
    "a fault is no proof",
    "an action that is fair by itself",
    "an action of a closed process that is fair by itself",
    "an assumption",
    "refused: an assumption",
];

#[test]
fn proofs_hold_size_by_size() {
    let cases = cases(20_000);
    let first: u64 = std::env::var("ORBITSCOPE_SEED").map_or(0, |text| text.parse().expect("a number"));
    let mut reached: BTreeMap<&str, u64> = BTreeMap::new();
    (first..first + cases).for_each(|seed| case_of(seed, &mut reached));
    println!("{reached:?}");
    for feature in WANTED {
        assert!(
            cases < 20_000 || reached.get(feature).is_some_and(|&n| n > 0),
            "never met: {feature} in {reached:?}"
        );
    }
}

fn case_of(seed: u64, reached: &mut Reached<'_>) {
    let mut rng = Random::new(seed.wrapping_mul(0x9E37_79B9) + 17);
    let made = make(&mut rng);
    note(reached, "total: cases");
    one_case(seed, &made, &mut rng, reached);
}

#[test]
#[ignore = "a part of a long run: `cargo xtask soak every` asks for it"]
fn part_of_a_long_run() {
    let add = |all: &mut Reached<'static>, more: &Reached<'static>| {
        for (what, count) in more {
            *all.entry(what).or_default() += count;
        }
    };
    let mut reached = long::part(Reached::new, case_of, add);
    for &what in WANTED {
        reached.entry(what).or_default();
    }
    for (what, count) in reached {
        println!("{count:>9}  {what}");
    }
}

type Reached<'r> = BTreeMap<&'r str, u64>;

fn note<'r>(reached: &mut Reached<'r>, what: &'r str) {
    *reached.entry(what).or_default() += 1;
}

fn one_case(seed: u64, made: &Made, rng: &mut Random, reached: &mut Reached<'_>) {
    let text = &made.text;
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
    let case = Case { seed, made, file: &parsed.file, options: options(rng) };
    let effort = effort(rng);
    let prover = match Prover::new(&parsed.file, &Settings::default(), &[], case.options, effort) {
        Ok(prover) => prover,
        Err(errors) => {
            let span = errors[0].span;
            assert!(!text[span.start as usize..span.end as usize].is_empty(), "seed {seed}\n{text}");
            // An assignment under a condition to a variable that holds a process chooses between processes.
            let held = made.features.contains(&"a variable that holds a process");
            // The first state of the instance that the text says, or of a larger one, is outside.
            let assumes = made.features.contains(&"an assumption");
            let refused = [
                (assumes, "the initial state", "refused: an assumption"),
                (held, "chooses between processes", "refused: a choice between processes"),
            ];
            let reason =
                refused.into_iter().find(|(has, words, _)| *has && errors[0].message.contains(words));
            let (.., noted) = reason.unwrap_or_else(|| panic!("seed {seed}: {}\n{text}", errors[0].message));
            return note(reached, noted);
        }
    };
    let from = made.least + i64::from(rng.below(4) == 0) * (1 + rng.below(2) as i64);
    let second = 1 + i64::from(rng.below(4) == 0);
    let finer = u32::from(rng.below(6) == 0);
    let (proof, found) = prover.attempt(case.property(), &case.values(from, second), finer, &mut RunToEnd);
    let found = found.unwrap_or_else(|| panic!("seed {seed}: {}\n{text}", proof.words()));
    match found {
        // Of a cover it is proved that nothing is reached: the whole procedure below has the rest.
        Found::Proved(_) if proof.covers => {}
        Found::Proved(rules) => {
            note_features(&case, from, finer, rules, reached);
            let why = format!("proved from {from}, {second} on by {rules}");
            case.check_sizes(&case.values(from, second), rng, &why);
        }
        Found::Left { .. } => note(reached, "left"),
        Found::Stuck(_) | Found::Fault(_) => {
            note(reached, "stuck");
            if case.concrete(&case.values(from, 1), Engine::Onthefly) == Says::Fault {
                note(reached, "a fault is no proof");
            }
        }
    }
    exactly(&case, &prover, rng, reached);
    if rng.below(4) == 0 || proof.covers {
        whole(&case, &prover, rng, reached);
    }
}

fn note_features(case: &Case<'_>, from: i64, finer: u32, rules: Rules, reached: &mut Reached<'_>) {
    note(reached, "proved");
    let needed = |rule| rules.iter().any(|own| own == rule);
    let noted = [
        ("from 2 on", from > case.made.least),
        ("deadlock", case.property().is_none()),
        ("dropped", case.options.deadlock == Deadlock::Drop),
        ("chosen fairness", case.options.fairness != FairnessChoice::Model),
        ("finer", finer > 0),
        ("threads", needed(Rule::Threads)),
        ("drift", needed(Rule::Drift)),
        ("laws", needed(Rule::Laws)),
    ];
    for (what, _) in noted.into_iter().filter(|(_, met)| *met) {
        note(reached, what);
    }
    for &feature in &case.made.features {
        note(reached, feature);
    }
}

/// Counted exactly, the abstract system is the quotient of one instance.
fn exactly(case: &Case<'_>, prover: &Prover, rng: &mut Random, reached: &mut Reached<'_>) {
    if rng.below(5) != 0 || case.made.features.contains(&"cover") {
        return;
    }
    let values = case.values(case.made.least + rng.below(3) as i64, 1 + rng.below(2) as i64);
    let says = case.concrete(&values, Engine::Onthefly);
    let exact = prover.exactly(case.property(), &values, &mut RunToEnd);
    let agrees = match (says, exact) {
        (Says::Holds, Some(Found::Proved(_))) | (Says::Violated, Some(Found::Left { .. })) => true,
        (Says::Nothing, _) | (_, None | Some(Found::Stuck(_) | Found::Fault(_))) => return,
        _ => false,
    };
    assert!(agrees, "seed {}: exactly {values:?} says {says:?}\n{}", case.seed, case.made.text);
    note(reached, "exact agrees");
}

/// The whole procedure: what it says is violated is, and no smaller instance is; what holds from some size on does.
fn whole(case: &Case<'_>, prover: &Prover, rng: &mut Random, reached: &mut Reached<'_>) {
    let (seed, text) = (case.seed, &case.made.text);
    let proof = prover.prove(case.property(), &mut RunToEnd);
    match &proof.conclusion {
        Conclusion::Violated { at, then, never } => {
            assert_eq!(case.concrete(at, Engine::Onthefly), Says::Violated, "seed {seed}\n{text}");
            assert!(proof.run().is_some() || proof.covers, "seed {seed}: no run\n{text}");
            if *never {
                note(reached, "never covered");
                for n in at[0]..=if case.made.two { 3 } else { 6 } {
                    let says = case.concrete(&case.values(n, 2), Engine::Onthefly);
                    assert_ne!(says, Says::Holds, "seed {seed}: never, covered for n = {n}\n{text}");
                }
            }
            let smaller =
                (case.made.least..=at[0]).flat_map(|n| (1..=*at.get(1).unwrap_or(&1)).map(move |m| (n, m)));
            for (n, m) in smaller {
                let values = case.values(n, m);
                if values != *at {
                    let says = case.concrete(&values, Engine::Onthefly);
                    assert_ne!(says, Says::Violated, "seed {seed}: smallest {at:?}, {values:?} too\n{text}");
                }
            }
            note(reached, "smallest");
            if let Some(then) = then {
                note(reached, "holds from some size on");
                case.check_sizes(then, rng, &format!("holds from {then:?} on"));
            }
        }
        Conclusion::Holds { from } => {
            if proof.covers {
                note(reached, "covered");
            }
            if from.iter().zip(&proof.params).any(|(from, param)| *from > param.least) {
                note(reached, "refined");
            }
            let least = case.values(case.made.least, 1);
            case.check_sizes(&least, rng, &proof.words());
        }
        Conclusion::Unknown(_) => note(reached, "unknown"),
    }
}
