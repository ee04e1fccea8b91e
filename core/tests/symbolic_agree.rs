//! The symbolic engine against the plain one: verdicts, errors, deadlocks, and the number of states.

use crate::support::programs::{Knobs, Spec, add_branching, add_temporal, generate};
use crate::support::random::Random;
use crate::support::{MODEL_SIZES, built};
use orbitscope_core::bdd::Collect;
use orbitscope_core::check::{Check, CheckError, Engine, Options, Survey, Target, Unknown, Verdict};
use orbitscope_core::models;
use orbitscope_core::product::Deadlock;
use orbitscope_core::program::{Program, PropertyId, PropertyKind, PropertyLogic};
use orbitscope_core::symbolic::{CtlModel, Generators, SymbolicOptions};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;

fn invariants(program: &Program) -> Vec<PropertyId> {
    let is = |kind: &PropertyKind| matches!(kind, PropertyKind::Formula(Logic::Invariant, _));
    program.properties.iter_enumerated().filter(|(_, p)| is(&p.kind)).map(|(id, _)| id).collect()
}

/// The part of a verdict that counts when two engines are compared.
fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(Unknown::Fault(_)) => "fault",
        Verdict::Unknown(Unknown::FalsificationOnly | Unknown::ExploredOnly | Unknown::Mixed) => {
            "nothing found"
        }
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
    missed: u64,
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
            let Some(path) = ours.deadlock_path() else { return Err("no path to the deadlock".into()) };
            let nearest = all.deadlock_path().map_or(0, |path| path.steps.len());
            if path.steps.len() < nearest || how.in_order() && path.steps.len() > nearest {
                return Err(format!("a deadlock after {} steps, not {nearest}", path.steps.len()));
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
    generators: Generators::Proven,
    ctl: CtlModel::All,
    nodes: 2_000_000,
    collect: Collect::WhenDue,
};

/// The ways to search that are tried in turn: four as usual, then four that collect before every operation.
fn way(number: u64) -> SymbolicOptions {
    let collect = if number / 4 % 2 == 1 { Collect::Always } else { Collect::WhenDue };
    let plain = SymbolicOptions { collect, ..LEFT_OUT };
    match number % 4 {
        0 => plain,
        1 => SymbolicOptions { sigma_limit: Some((number / 4 % 3) as u32), ..plain },
        2 => SymbolicOptions { under: Some(8 + (number / 4 % 5) as u32 * 4), ..plain },
        _ => SymbolicOptions { under: Some(12), sigma_limit: Some(1), ..plain },
    }
}

#[test]
fn built_in_models() {
    let mut tally = Tally::default();
    for model in models::ALL {
        let sizes = MODEL_SIZES.iter().find(|(name, _)| *name == model.name).map_or(&[][..], |(_, s)| s);
        for (place, params) in sizes.iter().copied().chain([&[][..]]).enumerate() {
            // Collecting before every operation takes its time: the smallest size is enough.
            for number in 0..if place == 0 && !sizes.is_empty() { 8 } else { 4 } {
                let program = built(model.name, model.source, params);
                compare(&program, way(number), &mut tally)
                    .unwrap_or_else(|error| panic!("{} {params:?}: {error}", model.name));
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.cases > 300 && tally.violated > 20 && tally.reduced > 50, "{tally:?}");
}

fn invariants_of(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    compare(&built("random", &spec.to_string(), &[]), way(number), tally)
}

type Compare = fn(&Spec, u64, &mut Tally) -> Result<(), String>;

fn random_cases(usual: u64, knobs: &Knobs, change: impl Fn(u64, &mut Spec), compare: Compare) -> Tally {
    let mut tally = Tally::default();
    let wanted = crate::support::cases(usual);
    let mut seed = crate::support::first_seed();
    while tally.cases < wanted {
        let mut spec = generate(seed, knobs);
        change(seed, &mut spec);
        if let Err(error) = compare(&spec, seed, &mut tally) {
            println!("seed {seed}: {error}");
            let fails = |spec: &Spec| compare(spec, seed, &mut Tally::default());
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
    let tally = random_cases(600, &Knobs::default(), |_, _| (), invariants_of);
    let Tally { cases, violated, deadlocks, reduced, .. } = tally;
    assert!(violated * 10 > cases && deadlocks > cases / 50 && reduced > cases / 50, "{tally:?}");
}

#[test]
fn random_symmetric_programs() {
    let tally = random_cases(300, &Knobs::symmetric(), |_, _| (), invariants_of);
    assert!(tally.reduced > tally.cases / 10, "{tally:?}");
}

/// Without what keeps assignments in range, many programs have errors: none is lost.
#[test]
fn random_programs_with_errors() {
    let careless = |_, spec: &mut Spec| {
        for action in spec.families.iter_mut().flat_map(|family| &mut family.actions) {
            action.safety.clear();
        }
    };
    let tally = random_cases(300, &Knobs::default(), careless, invariants_of);
    assert!(tally.faults * 10 > tally.cases, "{tally:?}");
}

/// Errors that random programs do not have: in a guard, and by two assignments to one variable.
#[test]
fn errors_of_guards_and_of_assignments() {
    let guard =
        "shared x: 0..2 = 2 process p[2] { action go: 4 / x > 1 -> x := x - 1 } invariant fine: x >= 0";
    let twice = "process p[2] { var x: 0..2 = 0 action go(q in p): x == 0 -> x := 1, q.x := 2 }
      invariant fine: forall q in p: q.x >= 0";
    let mut tally = Tally::default();
    for (name, source) in [("guard", guard), ("twice", twice)] {
        for number in 0..8 {
            compare(&built(name, source, &[]), way(number), &mut tally)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
    assert_eq!((tally.faults, tally.cases), (16, 16), "{tally:?}");
}

/// A temporal property by both engines.
fn temporal(program: &Program, id: PropertyId, how: SymbolicOptions) -> Result<&'static str, String> {
    let symmetry = choose(program, Choice::Auto).map_err(|_| "no symmetry".to_string())?;
    let target = Target::Property(id);
    let check = Check::new(program, &symmetry, target, symbolic(how));
    let found = check.map_err(|error| error.to_string())?.run();
    let plain = Options { engine: Engine::Explicit, ..Options::default() };
    let expected = Check::new(program, &symmetry, target, plain).map_err(|error| error.to_string())?.run();
    let (expected_word, found_word) = (word(&expected.verdict), word(&found.verdict));
    if expected_word != found_word {
        let name = &program.properties[id].name;
        return Err(format!("`{name}`: plain {expected_word}, symbolic {found_word}: {:?}", found.verdict));
    }
    Ok(found_word)
}

/// Formulas of which most are safety properties, about what the program's invariants are about.
fn add_safety(seed: u64, spec: &mut Spec) {
    let invariants = spec.properties.iter().filter(|(logic, ..)| *logic == "invariant");
    let facts: Vec<String> = invariants.map(|(_, _, fact)| format!("({fact})")).collect();
    if facts.is_empty() {
        return;
    }
    let mut random = Random::new(!seed);
    for number in 0..3 {
        let [a, b, c] = [0; 3].map(|_| random.pick(&facts).clone());
        let formula = match random.below(8) {
            0 => format!("G ({a} => X {b})"),
            1 => format!("{a} W {b}"),
            2 => format!("G ({a} => ({b} W {c}))"),
            3 => format!("X X {a}"),
            4 => format!("G ({a} => X ({b} R {c}))"),
            5 => format!("{a} and not {b} => G (not {c} or X X {a})"),
            6 => format!("(not {a} W {b}) or G {c}"),
            _ => format!("G ({a} or X ({b} or X {c}))"),
        };
        spec.properties.push(("ltl", format!("safe{number}"), formula));
    }
}

fn temporal_of(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    let program = built("random", &spec.to_string(), &[]);
    for (id, property) in program.properties.iter_enumerated() {
        if matches!(property.kind, PropertyKind::Formula(Logic::Invariant | Logic::Ctl, _)) {
            continue;
        }
        let word = temporal(&program, id, way(number))?;
        tally.cases += 1;
        tally.violated += u64::from(word == "violated");
    }
    Ok(())
}

#[test]
fn random_safety_properties() {
    let knobs = Knobs::default();
    let change = |seed, spec: &mut Spec| {
        add_safety(seed, spec);
        *spec = add_temporal(spec.clone(), seed, &Knobs::default());
    };
    let tally = random_cases(400, &knobs, change, temporal_of);
    assert!(tally.violated * 8 > tally.cases && tally.violated * 8 < tally.cases * 7, "{tally:?}");
}

/// All temporal properties of the built-in models are decided as the plain method decides them.
#[test]
fn temporal_properties_of_the_models() {
    let mut decided = Vec::new();
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for (id, property) in program.properties.iter_enumerated() {
            // It refuses the mu-calculus.
            if matches!(property.kind, PropertyKind::Formula(Logic::Invariant | Logic::Mu, _)) {
                continue;
            }
            let answer = temporal(&program, id, LEFT_OUT)
                .unwrap_or_else(|error| panic!("{} {}: {error}", model.name, property.name));
            decided.push(format!("{} {} {answer}", model.name, property.name));
        }
    }
    println!("{decided:#?}");
    assert!(decided.contains(&"arbiter request_stays holds".to_string()), "{decided:?}");
}

/// With claims that are wrong more often than not, a violation that is found is one all the same, and nothing is said to hold.
fn with_wrong_generators(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(number);
    let families: Vec<_> = spec.families.iter().filter(|f| f.size.is_some_and(|n| n > 1)).collect();
    if families.is_empty() {
        return Ok(());
    }
    let mut claims = Vec::new();
    for _ in 0..=random.below(3) {
        let family = *random.pick(&families);
        let size = family.size.unwrap_or(1) as usize;
        let mut order: Vec<usize> = (0..size).collect();
        for i in (1..size).rev() {
            order.swap(i, random.below(i + 1));
        }
        order.truncate(2 + random.below(size - 1));
        let cycle: Vec<String> = order.iter().map(|i| format!("{}[{i}]", family.name)).collect();
        claims.push(format!("({})", cycle.join(" ")));
    }
    let text = format!("{spec}symmetry generators {{ {} }}\n", claims.join(", "));
    let program = built("random", &text, &[]);
    let ctl = if number.is_multiple_of(2) { CtlModel::Restricted } else { CtlModel::Relation };
    let how = SymbolicOptions { generators: Generators::Unchecked, ctl, ..way(number) };
    let symmetry = choose(&program, Choice::Auto).map_err(|_| "no symmetry".to_string())?;
    for (id, property) in program.properties.iter_enumerated() {
        let ask = |options: Options| {
            let mut check = match Check::new(&program, &symmetry, Target::Property(id), options) {
                Ok(check) => check,
                Err(CheckError::Refused(_)) => return Ok(None),
                Err(error) => return Err(error.to_string()),
            };
            Ok::<_, String>(Some(check.run()))
        };
        let Some(found) = ask(symbolic(how))? else { continue };
        tally.cases += 1;
        let unclaimed = found.symbolic.as_ref().is_some_and(|summary| !summary.falsification_only);
        // A path that does not replay would be unknown, not violated.
        let expected = ask(Options { engine: Engine::Explicit, ..Options::default() })?;
        let expected = expected.map_or("refused", |report| word(&report.verdict));
        // A cover holds where a state is found: it is answered the other way round.
        let (found, expected) = match (word(&found.verdict), expected) {
            ("holds", expected) if property.logic() == PropertyLogic::Cover => {
                ("violated", if expected == "holds" { "violated" } else { "holds" })
            }
            (found, "holds") if property.logic() == PropertyLogic::Cover => (found, "violated"),
            (found, "violated") if property.logic() == PropertyLogic::Cover => (found, "holds"),
            answers => answers,
        };
        match (found, expected) {
            ("violated", "violated") => tally.violated += 1,
            ("nothing found", "violated") => tally.missed += 1,
            ("nothing found", "holds") => {}
            // A fair cycle is looked for among all states: no claim is used.
            ("holds", "holds") if unclaimed => {}
            (found, expected) => return Err(format!("`{}`: plain {expected}, found {found}", property.name)),
        }
    }
    Ok(())
}

#[test]
fn wrong_generators_make_no_false_counterexamples() {
    let knobs = Knobs { processes: 5, ..Knobs::default() };
    let tally = random_cases(500, &knobs, add_safety, with_wrong_generators);
    // Wrong claims do hide violations: the test would be empty if they did not.
    assert!(tally.violated * 10 > tally.cases && tally.missed > 0, "{tally:?}");
}

/// A `ctl` property on all three structures, against the plain method. Deadlocks repeat, or are dropped.
fn branching(program: &Program, id: PropertyId, number: u64, tally: &mut Tally) -> Result<(), String> {
    let symmetry = choose(program, Choice::Auto).map_err(|_| "no symmetry".to_string())?;
    let deadlock = if number.is_multiple_of(3) { Deadlock::Drop } else { Deadlock::Stutter };
    let ask = |options: Options| {
        let options = Options { deadlock, ..options };
        let mut check = Check::new(program, &symmetry, Target::Property(id), options)
            .map_err(|error| error.to_string())?;
        Ok::<_, String>(check.run())
    };
    let expected = word(&ask(Options { engine: Engine::Explicit, ..Options::default() })?.verdict);
    for ctl in [CtlModel::All, CtlModel::Relation, CtlModel::Restricted] {
        let report = ask(symbolic(SymbolicOptions { ctl, ..way(number) }))?;
        let found = word(&report.verdict);
        let summary = report.symbolic.as_ref();
        let reduced = summary.is_some_and(|s| s.generators > 0 && s.representatives != s.covered);
        tally.reduced += u64::from(reduced && ctl == CtlModel::Relation);
        // The representatives alone may leave it open, but must not be wrong.
        let open = found == "nothing found" && ctl == CtlModel::Restricted;
        tally.missed += u64::from(open);
        if found != expected && !open {
            let name = &program.properties[id].name;
            return Err(format!("`{name}` on {ctl:?}, {deadlock:?}: plain {expected}, found {found}"));
        }
    }
    tally.cases += 1;
    tally.violated += u64::from(expected == "violated");
    Ok(())
}

fn branching_of(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    let program = built("random", &spec.to_string(), &[]);
    for (id, property) in program.properties.iter_enumerated() {
        if matches!(property.kind, PropertyKind::Formula(Logic::Ctl, _)) {
            branching(&program, id, number, tally)?;
        }
    }
    Ok(())
}

#[test]
fn random_branching_properties() {
    let change = |seed, spec: &mut Spec| *spec = add_branching(spec.clone(), seed, &Knobs::symmetric(), 3);
    let tally = random_cases(300, &Knobs { space: 1_000, ..Knobs::symmetric() }, change, branching_of);
    if !crate::support::asks_shares() {
        return;
    }
    let Tally { cases, violated, reduced, missed, .. } = tally;
    assert!(
        violated * 10 > cases && violated * 10 < cases * 9 && reduced > 10 && missed < cases,
        "{tally:?}"
    );
}

#[test]
fn branching_properties_of_the_models() {
    let mut tally = Tally::default();
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        for (id, property) in program.properties.iter_enumerated() {
            if matches!(property.kind, PropertyKind::Formula(Logic::Ctl, _)) {
                for number in 0..3 {
                    branching(&program, id, number, &mut tally)
                        .unwrap_or_else(|error| panic!("{} {}: {error}", model.name, property.name));
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.cases > 40, "{tally:?}");
}

/// Models on which the engines once disagreed.
#[test]
fn models_that_tell() {
    let mut tally = Tally::default();
    for (name, source) in crate::support::read_models("symbolic") {
        let program = built(&name, &source, &[]);
        for number in 0..16 {
            let mut all = compare(&program, way(number), &mut tally);
            for (id, property) in program.properties.iter_enumerated() {
                if matches!(property.kind, PropertyKind::Formula(Logic::Ctl, _)) {
                    all = all.and_then(|()| branching(&program, id, number, &mut tally));
                }
            }
            all.unwrap_or_else(|error| panic!("{name}, way {number}: {error}"));
        }
    }
    assert!(tally.cases >= 36 && tally.violated >= 36, "{tally:?}");
}

/// Hints change the order, and nothing else.
fn with_hints(spec: &Spec, number: u64, tally: &mut Tally) -> Result<(), String> {
    let invariants = spec.properties.iter().filter(|(logic, ..)| *logic == "invariant");
    let hints: Vec<String> =
        invariants.map(|(_, _, fact)| format!("hint not ({fact})\nhint {fact}\n")).collect();
    let program = built("random", &format!("{spec}{}", hints.concat()), &[]);
    compare(&program, SymbolicOptions { hints: true, ..way(number) }, tally)
}

#[test]
fn random_programs_with_hints() {
    let tally = random_cases(150, &Knobs::symmetric(), |_, _| (), with_hints);
    assert!(tally.violated > 0 && tally.reduced > 0, "{tally:?}");
}
