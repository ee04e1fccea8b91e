//! Formulas of linear time against a second opinion: a tableau over the syntax tree and the naive interpreter, which shares
//! neither atoms nor expansion nor automata with the engines. And properties whose expressions have faults.
//!
//! `ORBITSCOPE_CASES` sets the number of cases, `ORBITSCOPE_SEED` the first seed.

use crate::support::programs::{Knobs, Spec, add_faulty, add_meaning, generate, machines, roles};
use crate::support::random::Random;
use crate::support::temporal::Checker;
use crate::support::written::written_and_read;
use crate::support::{Case, Verdict as Said, built, cases, first_seed, on_sound_graph};
use orbitscope_core::check::{Check, Engine, Options, Target, Unknown, Verdict};
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{Program, PropertyId, PropertyKind};
use orbitscope_core::property::obligations;
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::{ExprId, ExprKind, Fairness, File, ItemKind, Logic};
use std::collections::BTreeMap;

/// A tableau with more guesses takes too long.
const GUESSES: usize = 5;

/// How many properties had what.
#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    violated: u64,
    symmetric: u64,
    symbolic: u64,
    dropped: u64,
    /// Automata that were written, read and checked.
    written: u64,
    /// Under which operator something stands, by name.
    under: BTreeMap<String, u64>,
    fairness: BTreeMap<String, u64>,
}

/// The answer of an engine; none where it cannot be asked, or has not enough room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Said(Said),
    Fault,
}

fn ask(
    program: &Program,
    symmetry: &ProgramSymmetry,
    id: PropertyId,
    options: Options,
) -> Result<(Option<Answer>, bool), String> {
    let Ok(mut check) = Check::new(program, symmetry, Target::Property(id), options) else {
        return Ok((None, false));
    };
    let report = check.run();
    let answer = match &report.verdict {
        Verdict::Holds => Some(Answer::Said(Said::Holds)),
        Verdict::Violated => Some(Answer::Said(Said::Violated)),
        Verdict::Unknown(Unknown::Fault(_)) => Some(Answer::Fault),
        Verdict::Unknown(Unknown::Mixed | Unknown::Unsupported(_)) => None,
        Verdict::Unknown(unknown) => return Err(format!("{options:?}: {unknown:?}")),
    };
    Ok((answer, report.symmetric))
}

/// Every way to check a property of linear time.
fn ways(random: &mut Random, base: Options) -> Vec<Options> {
    let prune = [Prune::Full, Prune::Process, Prune::None][random.below(3)];
    vec![
        Options { prune: Some(prune), ..base },
        Options { prune: Some(prune), expand_quantifiers: true, ..base },
        Options { engine: Engine::Threaded, ..base },
        Options { engine: Engine::Explicit, ..base },
        Options { engine: Engine::Symbolic, ..base },
    ]
}

const FAIRNESS: [FairnessChoice; 4] = [
    FairnessChoice::Model,
    FairnessChoice::All(Fairness::Weak),
    FairnessChoice::All(Fairness::Strong),
    FairnessChoice::All(Fairness::None),
];

fn base(random: &mut Random, fairness: FairnessChoice) -> Options {
    let deadlock = if random.one_in(3) { Deadlock::Drop } else { Deadlock::Stutter };
    let translation = ltl::Limits { states: 200, ..ltl::Limits::default() };
    Options { fairness, deadlock, translation, ..Options::default() }
}

fn program(seed: u64) -> Spec {
    let kind = match seed % 8 {
        0 => Knobs::default(),
        1 => Knobs { ids: 60, any: 25, ..Knobs::symmetric() },
        2 => Knobs { ring: 80, families: 2, ..Knobs::symmetric() },
        _ => Knobs::symmetric(),
    };
    let knobs = Knobs { space: 40, processes: 3, properties: 0, fairness: 80, ..kind };
    match seed % 8 {
        0..5 => generate(seed, &knobs),
        5 | 6 => machines(seed),
        _ => roles(seed),
    }
}

/// Notes under which operators `executed`, `enabled`, counts and quantifiers stand.
fn note(file: &File, expr: ExprId, around: &mut Vec<String>, found: &mut BTreeMap<String, u64>) {
    let mut seen = |what: &str, around: &[String]| {
        for operator in around {
            *found.entry(format!("{what} under {operator}")).or_default() += 1;
        }
    };
    let (operator, parts): (Option<String>, Vec<ExprId>) = match &file.exprs[expr].kind {
        ExprKind::Call(name, list) => {
            seen(&name.name, around);
            (None, list.clone())
        }
        ExprKind::Quantified(quantifier, _, body) => {
            seen(&format!("{quantifier:?}"), around);
            (Some(format!("{quantifier:?}")), vec![*body])
        }
        ExprKind::Temporal(op, a) => (Some(format!("{op:?}")), vec![*a]),
        ExprKind::TemporalBinary(op, a, b) => (Some(format!("{op:?}")), vec![*a, *b]),
        ExprKind::Not(a) | ExprKind::Neg(a) | ExprKind::Field(a, _) => (None, vec![*a]),
        ExprKind::And(list) | ExprKind::Or(list) => (None, list.clone()),
        ExprKind::Binary(_, a, b) => (None, vec![*a, *b]),
        ExprKind::If(a, b, c) => (None, vec![*a, *b, *c]),
        ExprKind::Index(a, list) => (None, [&[*a], list.as_slice()].concat()),
        _ => (None, Vec::new()),
    };
    let depth = around.len();
    around.extend(operator);
    for part in parts {
        note(file, part, around, found);
    }
    around.truncate(depth);
}

fn check(seed: u64, source: &str, case: &Case<'_>, tally: &mut Tally) -> Result<(), String> {
    let &Case { file, oracle, graph, program } = case;
    let symmetry = choose(program, Choice::Model).expect("nothing is claimed");
    let mut random = Random::new(seed);
    let fairness = FAIRNESS[(seed / 8 % 4) as usize];
    let assumed = match fairness {
        FairnessChoice::Model => None,
        FairnessChoice::All(fairness) => Some(fairness),
    };
    for (id, property) in program.properties.iter_enumerated() {
        let base = base(&mut random, fairness);
        let checker = match base.deadlock {
            Deadlock::Drop => Checker::dropping_deadlocks(oracle, graph),
            Deadlock::Stutter => Checker::new(oracle, graph),
        };
        if checker.guesses(&property.name) > GUESSES {
            continue;
        }
        let expected = checker.check(&property.name, assumed);
        let mut asked = false;
        for options in ways(&mut random, base) {
            let (answer, symmetric) = ask(program, &symmetry, id, options)
                .map_err(|error| format!("{} is {expected:?}: {error}", property.name))?;
            let Some(answer) = answer else { continue };
            if answer != Answer::Said(expected) {
                return Err(format!("{} is {expected:?}, not {answer:?} with {options:?}", property.name));
            }
            asked = true;
            tally.symmetric += u64::from(symmetric);
            tally.symbolic += u64::from(options.engine == Engine::Symbolic);
        }
        if asked {
            let said = written_and_read(source, program, &symmetry, id, base)
                .map_err(|error| format!("{}: {error}", property.name))?;
            let right = match expected {
                Said::Holds => said.iter().all(|verdict| matches!(verdict, Verdict::Holds)),
                Said::Violated => said.is_empty() || said.iter().any(|v| matches!(v, Verdict::Violated)),
            };
            if !right {
                return Err(format!("{} is {expected:?}, what is written is {said:?}", property.name));
            }
            tally.written += said.len() as u64;
            tally.cases += 1;
            tally.violated += u64::from(expected == Said::Violated);
            tally.dropped += u64::from(base.deadlock == Deadlock::Drop);
            *tally.fairness.entry(format!("{fairness:?}")).or_default() += 1;
            let formula = file.items.iter().find_map(|item| match &item.kind {
                ItemKind::Property { name, formula, .. } if name.name == property.name => Some(*formula),
                _ => None,
            });
            note(file, formula.expect("it is in the file"), &mut Vec::new(), &mut tally.under);
        }
    }
    Ok(())
}

/// Runs cases until there are enough, and shows a small program where one fails.
fn random_cases<T: Default>(
    wanted: u64,
    spec: impl Fn(u64) -> Option<Spec>,
    check: impl Fn(u64, &str, &Case<'_>, &mut T) -> Result<(), String>,
    cases: impl Fn(&T) -> u64,
) -> T {
    let check = |seed, spec: &Spec, tally: &mut T| {
        let source = spec.to_string();
        on_sound_graph(&source, 60, |case| check(seed, &source, case, tally)).unwrap_or(Ok(()))
    };
    let mut tally = T::default();
    let mut seed = first_seed();
    while cases(&tally) < wanted {
        seed += 1;
        let Some(spec) = spec(seed) else { continue };
        if let Err(error) = check(seed, &spec, &mut tally) {
            println!("seed {seed}: {error}");
            let fails = |spec: &Spec| check(seed, spec, &mut T::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
        }
    }
    tally
}

#[test]
fn a_second_opinion() {
    let spec = |seed| {
        let knobs = Knobs { fixed: 0, index: 0, ..Knobs::default() };
        Some(add_meaning(program(seed), seed, &knobs, 6))
    };
    let tally = random_cases(cases(1_500), spec, check, |tally: &Tally| tally.cases);
    println!("{tally:?}");
    let Tally { cases, violated, symmetric, symbolic, dropped, .. } = tally;
    assert!(violated * 10 > cases && violated * 10 < cases * 9, "{tally:?}");
    assert!(symmetric * 50 > cases && symbolic * 50 > cases && dropped * 5 > cases, "{tally:?}");
    assert!(tally.written * 2 > cases, "{tally:?}");
    assert_eq!(tally.fairness.len(), FAIRNESS.len(), "{tally:?}");
    for what in ["executed", "enabled", "Forall", "Exists", "Count"] {
        for operator in ["Next", "Finally", "Globally", "Until", "Release", "WeakUntil", "StrongRelease"] {
            let place = format!("{what} under {operator}");
            assert!(tally.under.contains_key(&place), "no case has {place}: {tally:?}");
        }
    }
}

/// How many properties with expressions that may have a fault.
#[derive(Default, Debug)]
struct Faults {
    cases: u64,
    /// Some state has a fault; none has, though expressions would have one where they are not reached.
    faulty: u64,
    guarded: u64,
    logics: [u64; 3],
}

fn check_faults(seed: u64, _source: &str, case: &Case<'_>, tally: &mut Faults) -> Result<(), String> {
    let &Case { oracle, graph, program, .. } = case;
    let symmetry = choose(program, Choice::Model).expect("nothing is claimed");
    let mut random = Random::new(seed);
    let verdict = |property: &str, value: bool| {
        let mut checker = Checker::new(oracle, graph);
        checker.faulty = Some(value);
        checker.check(property, None)
    };
    for (id, property) in program.properties.iter_enumerated() {
        let mut checker = Checker::new(oracle, graph);
        checker.faulty = Some(false);
        let PropertyKind::Formula(logic, _) = property.kind else { continue };
        if logic == Logic::Ltl && checker.guesses(&property.name) > GUESSES {
            continue;
        }
        let faulty = checker.faults(&property.name).contains(&true);
        let said = [false, true].map(|value| verdict(&property.name, value));
        if !faulty && said[0] != said[1] {
            return Err(format!("{} depends on what is not reached", property.name));
        }
        for options in ways(&mut random, Options::default()) {
            let (answer, _) = ask(program, &symmetry, id, options)
                .map_err(|error| format!("{}: {error}", property.name))?;
            let right = match answer {
                None => true,
                Some(Answer::Fault) => faulty,
                // A search may end before it comes to the fault; then it does not matter which value there would be.
                Some(Answer::Said(found)) => said.contains(&found),
            };
            if !right {
                let place = if faulty { "some state has a fault" } else { "no state has a fault" };
                return Err(format!("{}: {answer:?} with {options:?}, {place}, {said:?}", property.name));
            }
        }
        tally.cases += 1;
        tally.faulty += u64::from(faulty);
        tally.guarded += u64::from(!faulty && checker.has_risk(&property.name));
        tally.logics[[Logic::Ltl, Logic::Ctl, Logic::Mu].iter().position(|l| *l == logic).unwrap_or(0)] += 1;
    }
    Ok(())
}

#[test]
fn faults_where_they_are_reached() {
    let spec = |seed| {
        let knobs =
            Knobs { ids: 70, optional: 90, space: 40, processes: 3, properties: 0, ..Knobs::default() };
        let knobs = if seed % 2 == 0 { knobs } else { Knobs { fixed: 0, index: 0, ..knobs } };
        add_faulty(generate(seed, &knobs), seed, &knobs, 2)
    };
    let tally = random_cases(cases(1_500), spec, check_faults, |tally: &Faults| tally.cases);
    println!("{tally:?}");
    let Faults { cases, faulty, guarded, logics } = tally;
    assert!(faulty * 10 > cases && faulty * 10 < cases * 9 && guarded * 10 > cases, "{tally:?}");
    assert!(logics.iter().all(|&count| count * 5 > cases), "{tally:?}");
}

/// Expressions that say the same, or the opposite, are one proposition; what is fixed is none.
#[test]
fn one_proposition_for_what_says_the_same() {
    let source = "shared x: 0..3 = 0 shared y: 0..3 = 0 shared b: bool = false shared who: p? = none
      process p[2] { var z: bool = false action a: true -> z := not z }
      define twice(c) = c.z and not b
      ltl negated: F b and G not b and X (b == true) and F b != false
      ltl equal: F x == y or G x != y
      ltl order: F x < y or G x >= y or X y > x or F not y <= x
      ltl values: F x == 1 or G 1 != x or exists i in 0..2: (i == 1 and F x == i)
      ltl lists: F (b and x == y) or G (not b or x != y) or X (b => x != y)
      ltl quantified: F (exists c in p: c.z) or G (forall d in p: not d.z)
      ltl names: exists c in p: (F c.z and exists d in p: G not d.z)
      ltl fixed: F p[0].z or exists c in p: G c.z
      ltl counted: F count(c in p: c.z) > 1 or G count(d in p: d.z) <= 1
      ltl defined: exists c in p: F twice(c) or X (p[1].z and not b)
      ltl swapped: F who == p[0] or G p[0] != who
      automaton both { initial accepting q { b -> q not b -> q 1 > 0 -> q } }";
    let program = built("same", source, &[]);
    let symmetry = choose(&program, Choice::Model).expect("nothing is claimed");
    let atoms = |name: &str| {
        let id = program.property(name).expect("it has the property");
        let all = obligations(&program, id, &symmetry, &ltl::Limits::default()).expect("it is small");
        all[0].atoms.len()
    };
    let expected = [
        ("negated", 1),
        ("equal", 1),
        ("order", 1),
        ("values", 1),
        ("lists", 1),
        ("quantified", 1),
        ("names", 2),
        ("fixed", 2),
        ("counted", 1),
        ("defined", 2),
        ("swapped", 1),
        ("both", 1),
    ];
    for (name, count) in expected {
        assert_eq!(atoms(name), count, "{name}");
    }
}
