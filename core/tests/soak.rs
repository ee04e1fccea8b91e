//! All engines on random programs and properties in which every construct of the language meets every other: one question, one
//! answer, and every run replayed. The table of what they went through is printed, and nothing in it may be missing. One seed of three
//! makes sizes small at which the core changes its way.
//!
//! It runs on two threads. `cargo xtask soak --pairs N` runs it for long; `ORBITSCOPE_PAIRS` sets the number of pairs of program
//! and property, `ORBITSCOPE_SEED` the first seed.

use crate::support::engines::{Tally, compare_all};
use crate::support::programs::{Knobs, Spec, Var, add_mixed, careless, dressed, generate, machines, roles};
use crate::support::random::Random;
use crate::support::reached::engines::{REQUIRED, note_program, ways};
use crate::support::{built, first_seed, parsed, read_models};
use orbitscope_core::strain;
use orbitscope_core::symmetry::{Choice, Effort, choose, detect};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program with its properties.
fn spec(seed: u64) -> Spec {
    let wide = Knobs::wide(seed);
    let spec = match seed % 16 {
        0..9 => generate(seed, &wide),
        9 => padded(generate(seed, &wide), seed / 16),
        10 => machines(seed),
        11 => roles(seed),
        12 => generate(seed, &Knobs { topology: 60, fixed: 30, index: 40, ..wide.clone() }),
        13 => {
            let mut spec = generate(seed, &wide);
            careless(&mut spec, seed);
            spec
        }
        14 => claiming(generate(seed, &wide), seed),
        _ => generate(seed, &Knobs::large(seed / 16)),
    };
    let count = if seed % 16 == 15 { 4 } else { 8 };
    let spec = dressed(spec, seed, &wide);
    add_mixed(spec, seed / 16, &wide, count)
}

/// A table in front of everything else, so that what changes is not in the first word of a state; or in front of what a process has,
/// so that a local state takes more than half a word, or more than one.
fn padded(mut spec: Spec, seed: u64) -> Spec {
    match seed % 3 {
        0 => spec.shared.insert(0, Var::table("pad", (0, 39), (0, 2), "i0 % 3")),
        kind => {
            let last = if kind == 1 { 16 } else { 39 };
            for family in &mut spec.families {
                family.vars.insert(0, Var::table("pad", (0, last), (0, 2), "i0 % 3"));
            }
        }
    }
    spec
}

/// Claims symmetries: those that the text shows, or any permutations.
fn claiming(mut spec: Spec, seed: u64) -> Spec {
    let mut random = Random::new(seed);
    let program = built("claiming", &spec.to_string(), &[]);
    spec.symmetry = Some(match random.below(6) {
        0 => "auto".to_string(),
        1 => "none".to_string(),
        2 | 3 => {
            let found = detect(&program);
            let shown: Vec<String> = found
                .group
                .generators()
                .take(4)
                .map(|g| g.display(|p| program.process_name(p)).to_string())
                .collect();
            if shown.is_empty() {
                "auto".to_string()
            } else {
                format!("generators {{ {} }}", shown.join(", "))
            }
        }
        _ => {
            let mut claims = Vec::new();
            for family in spec.families.iter().filter(|f| f.size.is_some_and(|n| n > 1)) {
                let (a, b) = (random.below(2), 1 + random.below(family.size.unwrap_or(2) as usize - 1));
                let (name, b) = (&family.name, if a == b { 0 } else { b });
                claims.push(format!("({name}[{a}] {name}[{b}])"));
            }
            match claims.len() {
                0 => "auto".to_string(),
                _ if random.chance(70) => format!("generators {{ {} }}", claims.concat()),
                _ => format!("generators {{ {} }}", claims.join(", ")),
            }
        }
    });
    spec
}

fn check(spec: &Spec, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let source = spec.to_string();
    let (file, program) = (parsed("random", &source), built("random", &source, &[]));
    // A panic is an error like any other, with a smallest model.
    strain::begin((seed % 3 == 1).then_some(seed));
    let asked = catch_unwind(AssertUnwindSafe(|| {
        tally.reached.model(&source);
        if let Ok(mut symmetry) = choose(&program, Choice::Model) {
            note_program(&mut tally.reached, &program, &symmetry);
            // Groups that are too large to be listed are searched, and where that is too much, approximated.
            symmetry.effort = Effort { elements: 0, nodes: 0 };
            note_program(&mut tally.reached, &program, &symmetry);
        }
        compare_all(&file, &program, seed, tally)
    }));
    for way in strain::end() {
        tally.reached.note(format!("way: {way}"));
    }
    asked.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!("a panic: {}", text.unwrap_or_else(|| "without words".to_string())))
    })
}

fn pairs() -> u64 {
    match std::env::var("ORBITSCOPE_PAIRS") {
        Ok(text) => text.parse().expect("ORBITSCOPE_PAIRS is a number"),
        Err(_) => 2_400,
    }
}

/// Asks about pairs, with every other block of seeds.
fn half(number: u64, wanted: u64) -> Tally {
    let mut tally = Tally::default();
    let mut told = 0;
    let blocks = (number..).step_by(2).flat_map(|block| block * 16..(block + 1) * 16);
    for seed in blocks.map(|seed| first_seed() + seed) {
        if tally.pairs >= wanted {
            break;
        }
        let spec = spec(seed);
        if let Err(error) = check(&spec, seed, &mut tally) {
            println!("seed {seed}: {error}\n{spec}");
            let fails = |spec: &Spec| check(spec, seed, &mut Tally::default());
            let small = spec.shrunk(|spec| fails(spec).is_err());
            panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
        }
        if tally.pairs / 25_000 > told {
            told = tally.pairs / 25_000;
            println!("{} pairs of half {number}, up to seed {seed}", tally.pairs);
        }
    }
    tally
}

/// Models on which the engines once disagreed, asked in many ways.
#[test]
fn models_that_tell() {
    let mut tally = Tally::default();
    for (name, source) in read_models("soak") {
        let (file, program) = (parsed(&name, &source), built(&name, &source, &[]));
        for seed in 0..16 {
            compare_all(&file, &program, seed, &mut tally)
                .unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
        }
    }
    assert!(tally.answers >= 16, "too few answers:\n{tally}");
}

#[test]
#[ignore = "it takes its time: `cargo xtask soak` runs it"]
fn all_engines_agree() {
    let wanted = pairs().div_ceil(2);
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let halves = [0, 1].map(|number| scope.spawn(move || half(number, wanted)));
        for half in halves {
            all.add(&half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    println!("{all}");
    let Tally { pairs, violated, holds, runs, reached, .. } = all;
    assert!(violated * 10 > pairs && holds * 10 > pairs && runs * 10 > pairs, "too much is alike");
    let missing = reached.missing(REQUIRED);
    assert!(missing.is_empty(), "no random case goes through: {missing:#?}");
    let untaken = reached.missing(ways().iter().map(|way| format!("way: {way}")));
    assert!(untaken.is_empty(), "no random case takes: {untaken:#?}");
    reached.expect_language();
}
