//! The symbolic engine against the plain one: verdicts, errors, deadlocks, and the number of states.

mod support;

use orbitscope_core::check::{Check, Engine, Options, Survey, Target, Unknown, Verdict};
use orbitscope_core::models;
use orbitscope_core::program::{Program, PropertyId, PropertyKind};
use orbitscope_core::symbolic::SymbolicOptions;
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;
use support::programs::{Knobs, Spec, generate};
use support::{MODEL_SIZES, built};

fn invariants(program: &Program) -> Vec<PropertyId> {
    let is = |kind: &PropertyKind| matches!(kind, PropertyKind::Formula(Logic::Invariant, _));
    program.properties.iter_enumerated().filter(|(_, p)| is(&p.kind)).map(|(id, _)| id).collect()
}

/// What counts when two engines are compared.
fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(Unknown::Fault(_)) => "fault",
        Verdict::Unknown(Unknown::FalsificationOnly) => "nothing found",
        Verdict::Unknown(_) => "unknown",
    }
}

fn symbolic(options: SymbolicOptions) -> Options {
    Options { engine: Engine::Symbolic, symbolic: options, ..Options::default() }
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    violated: u64,
    faults: u64,
    deadlocks: u64,
    reduced: u64,
}

/// All invariants of a program, each by itself and then all together.
fn compare(program: &Program, how: SymbolicOptions, tally: &mut Tally) -> Result<(), String> {
    let symmetry = choose(program, Choice::Auto).map_err(|_| "no symmetry".to_string())?;
    let plain = Options { engine: Engine::Explicit, ..Options::default() };
    let mut all = Survey::new(program, &symmetry, &[], &plain).expect("nothing is refused");
    all.run();
    let mut ours = Survey::new(program, &symmetry, &[], &symbolic(how)).map_err(|e| e.to_string())?;
    ours.run();
    let fault = matches!(all.unknown(), Some(Unknown::Fault(_)));
    if fault != matches!(ours.unknown(), Some(Unknown::Fault(_))) {
        return Err(format!("plain {:?}, symbolic {:?}", all.unknown(), ours.unknown()));
    }
    tally.faults += u64::from(fault);
    if !fault {
        let summary = ours.summary().expect("it is symbolic");
        let states = all.stats().states.unwrap_or(0).to_string();
        if how.sigma_limit.is_none() && summary.covered.to_string() != states {
            return Err(format!("{} states, and {} covered", states, summary.covered));
        }
        tally.reduced += u64::from(summary.representatives != summary.covered);
        if (all.deadlock_count() > 0) != (ours.deadlock_count() > 0) {
            return Err("one of them finds a deadlock".into());
        }
        if ours.deadlock_count() > 0 {
            tally.deadlocks += 1;
            if ours.deadlock_path().is_none() {
                return Err("no path to the deadlock".into());
            }
        }
    }
    for id in invariants(program) {
        tally.cases += 1;
        let ask = |options: Options| {
            let mut check = Check::new(program, &symmetry, Target::Property(id), options)
                .map_err(|error| error.to_string())?;
            Ok::<_, String>(check.run())
        };
        let (expected, found) = (ask(plain)?, ask(symbolic(how))?);
        let (expected_word, found_word) = (word(&expected.verdict), word(&found.verdict));
        // Where the model has an error, it depends on the order of looking what is found first.
        let either = fault && found_word == "violated" && expected_word == "fault"
            || fault && found_word == "fault" && expected_word == "violated";
        if expected_word != found_word && !either {
            let name = &program.properties[id].name;
            return Err(format!(
                "`{name}`: plain {expected_word}, symbolic {found_word}: {:?}",
                found.verdict
            ));
        }
        tally.violated += u64::from(found_word == "violated");
    }
    Ok(())
}

const LEFT_OUT: SymbolicOptions = SymbolicOptions {
    hints: false,
    sigma_limit: None,
    under: None,
    generators: orbitscope_core::symbolic::Generators::Proven,
    nodes: 2_000_000,
};

/// The ways to search that are tried in turn.
fn way(number: u64) -> SymbolicOptions {
    match number % 4 {
        0 => LEFT_OUT,
        1 => SymbolicOptions { sigma_limit: Some((number / 4 % 3) as u32), ..LEFT_OUT },
        2 => SymbolicOptions { under: Some(8 + (number / 4 % 5) as u32 * 4), ..LEFT_OUT },
        _ => SymbolicOptions { under: Some(12), sigma_limit: Some(1), ..LEFT_OUT },
    }
}

#[test]
fn built_in_models() {
    let mut tally = Tally::default();
    for model in models::ALL {
        let sizes = MODEL_SIZES.iter().find(|(name, _)| *name == model.name).map_or(&[][..], |(_, s)| s);
        for params in sizes.iter().copied().chain([&[][..]]) {
            for number in 0..4 {
                let program = built(model.name, model.source, params);
                compare(&program, way(number), &mut tally)
                    .unwrap_or_else(|error| panic!("{} {params:?}: {error}", model.name));
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.cases > 300 && tally.violated > 20 && tally.reduced > 50, "{tally:?}");
}

fn check(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    compare(&built("random", &spec.to_string(), &[]), way(number), tally)
}

fn random_cases(usual: u64, knobs: &Knobs, change: impl Fn(u64, &mut Spec)) -> Tally {
    let mut tally = Tally::default();
    let wanted = support::cases(usual);
    let mut seed = support::first_seed();
    while tally.cases < wanted {
        let mut spec = generate(seed, knobs);
        change(seed, &mut spec);
        if let Err(error) = check(&spec, seed, &mut tally) {
            println!("seed {seed}: {error}");
            let fails = |spec: &Spec| check(spec, seed, &mut Tally::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
        }
        seed += 1;
    }
    println!("up to seed {seed}: {tally:?}");
    tally
}

#[test]
fn random_programs() {
    let tally = random_cases(600, &Knobs::default(), |_, _| ());
    let Tally { cases, violated, deadlocks, reduced, .. } = tally;
    assert!(violated * 10 > cases && deadlocks > cases / 50 && reduced > cases / 50, "{tally:?}");
}

#[test]
fn random_symmetric_programs() {
    let tally = random_cases(300, &Knobs::symmetric(), |_, _| ());
    assert!(tally.reduced > tally.cases / 10, "{tally:?}");
}

/// Without what keeps assignments in range, many programs have errors: none is lost.
#[test]
fn random_programs_with_errors() {
    let tally = random_cases(300, &Knobs::default(), |_, spec| {
        for action in spec.families.iter_mut().flat_map(|family| &mut family.actions) {
            action.safety.clear();
        }
    });
    assert!(tally.faults * 10 > tally.cases, "{tally:?}");
}
