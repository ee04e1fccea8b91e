//! Random programs: they build and explore, and the compiled machine does what the naive interpreter does.

use crate::support::compare::compare;
use crate::support::programs::{Knobs, Spec, add_mixed, careless, generate};
use crate::support::reached::Reached;
use crate::support::{built, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{self, Settings};

const PROGRAMS: u64 = 4_000;

fn differs(spec: &Spec) -> Option<String> {
    let text = spec.to_string();
    let file = parsed("generated", &text);
    let program = built("generated", &text, &[]);
    compare(&file, &program, &[]).err()
}

fn agree(seed: u64, spec: &Spec) -> (usize, usize) {
    let text = spec.to_string();
    let (file, program) = (parsed("generated", &text), built("generated", &text, &[]));
    compare(&file, &program, &[]).unwrap_or_else(|_| {
        let small = spec.shrunk(|spec| differs(spec).is_some());
        panic!("seed {seed}: {}\n{small}", differs(&small).unwrap_or_default());
    })
}

#[test]
fn the_machine_does_what_the_interpreter_does_on_random_programs() {
    let (mut states, mut steps) = (0, 0);
    let mut reached = Reached::default();
    for seed in 0..PROGRAMS {
        // The interpreter is slow: most programs are small.
        let kind = match seed % 4 {
            0 => Knobs::symmetric(),
            1 => Knobs::default(),
            _ => Knobs::wide(seed / 4),
        };
        let knobs = if seed % 20 == 1 { kind } else { Knobs { space: 300, ..kind } };
        let spec = add_mixed(generate(seed, &knobs), seed * 8, &knobs, 1);
        reached.model(&spec.to_string());
        let (s, e) = agree(seed, &spec);
        assert!(e > 0 || s > 0);
        (states, steps) = (states + s, steps + e);
    }
    println!("{reached}\n{states} states and {steps} steps in {PROGRAMS} programs");
    reached.expect_places(&["actions", "invariant"]);
}

#[test]
fn the_machine_finds_the_faults_that_the_interpreter_finds() {
    let mut faulty = 0;
    for seed in 0..1_000 {
        let kind = if seed % 2 == 0 { Knobs::default() } else { Knobs::wide(seed) };
        let mut spec = generate(seed, &Knobs { space: 300, optional: 80, ..kind });
        careless(&mut spec, seed);
        let text = spec.to_string();
        let program = built("generated", &text, &[]);
        let mut exploration = Exploration::new(&program, Limits::default(), &[]);
        faulty += u32::from(matches!(exploration.run(), StopReason::Fault(..)));
        agree(seed, &spec);
    }
    println!("{faulty} of 1000 programs have a fault");
    assert!(faulty >= 100, "only {faulty} programs have a fault");
}

/// The generator is of use only if its programs are neither all trivial nor all alike.
#[test]
fn random_programs_are_varied() {
    let mut seen = [0u32; 12];
    let names = [
        "rings",
        "two indices",
        "optional ids",
        "any",
        "fixed processes",
        "index",
        "definitions",
        "strong",
        "count",
        "parameters",
        "deadlocks",
        "more than 30 states",
    ];
    for seed in 0..500 {
        let text = generate(seed, &Knobs::default()).to_string();
        let program = built("generated", &text, &[]);
        let mut exploration = Exploration::new(&program, Limits::default(), &[]);
        assert_eq!(exploration.run(), &StopReason::Complete, "seed {seed}\n{text}");
        assert!(exploration.states().len() <= 5_000, "seed {seed}\n{text}");
        let marks = [
            text.contains("next(") || text.contains("prev("),
            program.vars.iter().any(|v| v.index.len() == 2),
            text.contains('?'),
            text.contains("= any"),
            text.contains("f0[0]") || text.contains("f0[1]"),
            text.contains("index("),
            text.contains("define"),
            text.contains("strong"),
            text.contains("count("),
            text.contains("p0 in"),
            !exploration.deadlocks().is_empty(),
            exploration.states().len() > 30,
        ];
        for (count, mark) in seen.iter_mut().zip(marks) {
            *count += u32::from(mark);
        }
    }
    for (name, count) in names.iter().zip(seen) {
        println!("{name}: {count} of 500");
        assert!(count >= 25, "only {count} of 500 programs have {name}");
    }
}

#[test]
fn a_seed_gives_the_same_program_again() {
    assert_eq!(generate(7, &Knobs::default()).to_string(), generate(7, &Knobs::default()).to_string());
    assert_ne!(generate(7, &Knobs::default()).to_string(), generate(8, &Knobs::default()).to_string());
}

#[test]
fn shrinking_keeps_what_fails_and_drops_the_rest() {
    let spec = (0..100).map(|seed| generate(seed, &Knobs::default())).find(|s| s.families.len() == 3);
    let spec = spec.expect("some program has three families");
    let has_action = |spec: &Spec| spec.families.iter().any(|f| !f.actions.is_empty());
    let small = spec.shrunk(has_action);
    assert_eq!(small.families.iter().map(|f| f.actions.len()).sum::<usize>(), 1, "{small}");
    assert!(small.properties.is_empty());
    let parsed = orbitscope_core::syntax::parse(&small.to_string());
    assert!(program::build(&parsed.file, &Settings::default()).is_ok());
}

/// Small programs about one thing each: when something is wrong, and when it is not.
#[test]
fn the_machine_and_the_interpreter_agree_on_faults() {
    let faulty = |source: &str| {
        let (file, program) = (parsed("small", source), built("small", source, &[]));
        compare(&file, &program, &[]).unwrap_or_else(|difference| panic!("{difference}\n{source}"));
        let mut exploration = Exploration::new(&program, Limits::default(), &[]);
        matches!(exploration.run(), StopReason::Fault(..))
    };
    let wrong = [
        "shared s: 0..2 = 0 process p { action a: 6 / s == 6 -> s := 1 }",
        "shared s: 0..2 = 0 process p { action a: 6 % s == 6 -> s := 1 }",
        "shared s: 0..2 = 0 process p { action a: true -> s := s + 1 }",
        "shared t[0..1]: bool = false shared s: 0..2 = 2 process p { action a: t[s] -> s := 1 }",
        "shared t[0..1]: bool = false shared s: 0..2 = 2 process p { action a: true -> t[s] := true }",
        "shared o: p? = none process p[2] { var x: bool = false action a: o.x -> x := true }",
        "shared o: p? = none process p[2] { var x: bool = false action a: true -> o.x := true }",
        "shared o: p? = none process p[2] { var x: p = self action a: true -> x := o }",
        "shared s: 0..5 = 3 process p[2] { var x: bool = false action a: p[s].x -> x := true }",
        "shared e: {A, B} = A shared f: {B, C} = B process p { action a: true -> f := e }",
        "process p[2] { var x: 0..2 = 0 action a(q in p, r in p): true -> q.x := 1, r.x := 2 }",
        "shared s: 0..1 = 0 process p { action a: s == 0 and 9223372036854775807 + s + 1 > 0 -> s := 1 }",
        // A test stays behind the ones that stand before it: here they do not keep it from being made.
        "shared s: 0..1 = 0 process p { action a(i in 0..1): i == s and 1 / s == 1 -> s := 1 }",
    ];
    for source in wrong {
        assert!(faulty(source), "nothing is wrong with\n{source}");
    }
    let right = [
        "shared s: 0..1 = 0 process p { action a(i in 1..1): i == s and 1 / s == 1 -> s := 1 }",
        "shared s: 0..1 = 0 process p[3] { action a: index(self) > 2 and 1 / s == 1 -> s := 1 }",
        "shared o: p? = none process p[2] { var x: bool = false action a: o != none and o.x -> x := true }",
        "shared s: 0..2 = 0 process p { action a: s != 0 => 6 / s == 6 -> s := 1 }",
        "shared s: 0..2 = 0 process p { action a: (if s == 0 then 1 else 6 / s) == 1 -> s := 1 }",
        "shared e: {A, B} = B shared f: {B, C} = C process p { action a: true -> f := e }",
        "process p[2] { var x: 0..2 = 0 action a(q in p, r in p): true -> q.x := 1, r.x := 1 }",
        // Nobody is there, or no argument: the guard is never evaluated.
        "shared s: 0..1 = 0 process p[0] { action a: 1 / s == 1 -> s := 1 }",
        "shared s: 0..1 = 0 process p { action a(i in 1..0): 1 / s == 1 -> s := 1 }",
        "shared s: 0..1 = 0 process p[0] { action a: true -> s := 1 } process q { action a(x in p): 1 / s == 1 -> s := 1 }",
        "shared s: 0..1 = 0 process p { action a(i in 0..1, j in 1..0): i / s == 1 -> s := 1 }",
        "define d(a, b) = if a then b else true shared o: p? = none \
         process p[2] { var x: bool = false action a: d(o != none, o.x) -> x := true }",
    ];
    for source in right {
        assert!(!faulty(source), "something is wrong with\n{source}");
    }
}
