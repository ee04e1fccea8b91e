//! All engines on random programs and properties in which every construct of the language meets every other: one question, one
//! answer, and every run replayed. The table of what they went through is printed. One seed of three
//! makes sizes small at which the core changes its way.
//!
//! Most programs are small, since faults show in small ones and a large one costs as much as a thousand; of sixteen blocks of seeds one
//! has whatever size comes.
//!
//! It runs on two threads. `ORBITSCOPE_PAIRS` sets the number of pairs of program and property, `ORBITSCOPE_SEED` the first seed.
//! `cargo xtask soak` asks range after range of seeds and adds up in `docs/soak.md` what they went through.

use crate::support::engines::{Asked, Tally, compare_all};
use crate::support::long;
use crate::support::programs::{
    Knobs, Spec, Var, add_mixed, careless, dressed, generate, machines, overdue, roles, typed_asking,
};
use crate::support::random::Random;
use crate::support::reached::engines::{REQUIRED, note_program, ways};
use crate::support::reached::language;
use crate::support::{asks_shares, built, cases, first_seed, parsed, read_models};
use orbitscope_core::Limit;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::strain;
use orbitscope_core::symmetry::{Choice, Effort, choose, detect};
use orbitscope_core::syntax::parse;
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program of a block that is not large has at most this many states.
const FEW: u32 = 300;

/// Whether the program of a seed may have any size.
fn is_large(seed: u64) -> bool {
    seed / 16 % 16 == 15
}

/// Whether a program is small, or is wrong within as many states.
fn is_small(program: &Program) -> bool {
    let mut states = Exploration::new(program, Limits { states: FEW, ..Limits::default() }, &[]);
    !matches!(states.run(), StopReason::Limit(Limit::States | Limit::Roots))
}

/// A random model: one that can be made smaller part by part, or a text, which can be line by line.
#[derive(Clone)]
enum Model {
    Spec(Box<Spec>),
    Text(String),
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Model::Spec(spec) => spec.fmt(f),
            Model::Text(text) => text.fmt(f),
        }
    }
}

impl Model {
    fn of(seed: u64) -> Model {
        if seed % 16 == 8 {
            Model::Text(typed_asking(seed / 16, 6))
        } else {
            Model::Spec(Box::new(spec(seed)))
        }
    }

    /// A smaller model that fails too.
    fn shrunk(&self, fails: impl Fn(&Model) -> bool) -> Model {
        match self {
            Model::Spec(spec) => {
                let fails = |spec: &Spec| fails(&Model::Spec(Box::new(spec.clone())));
                Model::Spec(Box::new(spec.shrunk(fails)))
            }
            Model::Text(text) => {
                Model::Text(fewer_lines(text, |text| is_model(text) && fails(&Model::Text(text.to_string()))))
            }
        }
    }
}

fn is_model(source: &str) -> bool {
    let parsed = parse(source);
    parsed.diagnostics.is_empty() && build(&parsed.file, &Settings::default()).is_ok()
}

/// Leaves out lines, some that follow each other at once, as long as the rest fails too.
fn fewer_lines(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let cuts = (1..=8).rev().flat_map(|count| (0..lines.len()).map(move |at| (at, count)));
        let shorter = cuts.filter(|(at, count)| at + count <= lines.len()).find_map(|(at, count)| {
            let rest = [&lines[..at], &lines[at + count..]].concat();
            fails(&rest.join("\n")).then_some(rest)
        });
        match shorter {
            Some(rest) => lines = rest,
            None => return lines.join("\n") + "\n",
        }
    }
}

/// A program with its properties; every sixteenth is a text instead.
pub(crate) fn spec(seed: u64) -> Spec {
    let wide = Knobs::wide(seed);
    let small = Knobs { space: 40, ..wide.clone() };
    let spec = match seed % 16 {
        0..=8 => generate(seed, &wide),
        9 => padded(generate(seed, &small), seed / 16),
        10 => machines(seed),
        11 => roles(seed),
        12 => generate(seed, &Knobs { topology: 60, fixed: 30, index: 40, ..wide.clone() }),
        13 => {
            let late = seed / 16 % 2 == 1;
            let mut spec = generate(seed, if late { &small } else { &wide });
            if late {
                overdue(&mut spec, seed);
            } else {
                careless(&mut spec, seed);
            }
            spec
        }
        14 => claiming(generate(seed, &wide), seed),
        _ if is_large(seed) => generate(seed, &Knobs::large(seed / 256)),
        _ => generate(seed, &small),
    };
    let count = if is_large(seed) { 4 } else { 8 };
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

fn check(model: &Model, seed: u64, asked: Asked, tally: &mut Tally) -> Result<(), String> {
    let source = model.to_string();
    let (file, program) = (parsed("random", &source), built("random", &source, &[]));
    let any_size = is_large(seed) && asked == Asked::All;
    if !any_size && !is_small(&program) {
        tally.left_out += 1;
        return Ok(());
    }
    // A panic is an error like any other, with a smallest model.
    strain::begin((seed % 3 == 1).then_some(seed));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        tally.reached.model(&source);
        if let Ok(mut symmetry) = choose(&program, Choice::Model) {
            note_program(&mut tally.reached, &program, &symmetry);
            // Groups that are too large to be listed are searched, and where that is too much, approximated.
            symmetry.effort = Effort { elements: 0, nodes: 0 };
            note_program(&mut tally.reached, &program, &symmetry);
        }
        compare_all(&source, &file, &program, seed, asked, tally)
    }));
    for way in strain::end() {
        tally.reached.note(format!("way: {way}"));
    }
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!("a panic: {}", text.unwrap_or_else(|| "without words".to_string())))
    })
}

/// Asks about the program of a seed; where the answers differ, shows the smallest program for which they do.
fn ask(seed: u64, asked: Asked, tally: &mut Tally) {
    let model = Model::of(seed);
    if let Err(error) = check(&model, seed, asked, tally) {
        println!("seed {seed}: {error}\n{model}");
        let fails = |model: &Model| check(model, seed, asked, &mut Tally::default());
        let small = model.shrunk(|model| fails(model).is_err());
        panic!("seed {seed}: {}\n{small}", fails(&small).unwrap_err());
    }
}

fn pairs() -> u64 {
    match std::env::var("ORBITSCOPE_PAIRS") {
        Ok(text) => text.parse().expect("ORBITSCOPE_PAIRS is a number"),
        Err(_) => cases(1_600),
    }
}

/// Asks about pairs, with every other block of seeds.
fn half(number: u64, wanted: u64) -> Tally {
    let mut tally = Tally::default();
    let blocks = (number..).step_by(2).flat_map(|block| block * 16..(block + 1) * 16);
    for seed in blocks.map(|seed| first_seed() + seed) {
        if tally.pairs >= wanted {
            break;
        }
        ask(seed, Asked::All, &mut tally);
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
            strain::begin((seed % 3 == 1).then_some(seed));
            compare_all(&source, &file, &program, seed, Asked::All, &mut tally)
                .unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
        }
        strain::end();
    }
    assert!(tally.answers >= 16, "too few answers:\n{tally}");
}

#[test]
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
    let Tally { pairs, violated, holds, runs, .. } = all;
    let varied = violated * 10 > pairs && holds * 10 > pairs && runs * 10 > pairs;
    assert!(varied || !asks_shares(), "too much is alike");
    all.reached.expect_listed();
    if pairs >= 50_000 {
        let missing = all.reached.missing(required());
        assert!(missing.is_empty(), "no random case goes through: {missing:#?}");
    }
}

/// Whatever a long run has to go through.
fn required() -> Vec<String> {
    let engines = REQUIRED.iter().map(ToString::to_string);
    engines.chain(ways().iter().map(|way| format!("way: {way}"))).chain(language()).collect()
}

#[test]
#[ignore = "a part of a long run: `cargo xtask soak` asks for it"]
fn part_of_a_long_run() {
    let tally = long::part(Tally::default, |seed, tally| ask(seed, Asked::All, tally), Tally::add);
    println!("{tally}");
    tally.reached.print_missing(&required());
}

/// The symbolic engine collects before every operation, and reaches its limits.
#[test]
#[ignore = "a part of a long run: `cargo xtask soak stress` asks for it"]
fn part_of_a_long_run_under_stress() {
    let tally = long::part(Tally::default, |seed, tally| ask(seed, Asked::Symbolic, tally), Tally::add);
    println!("{tally}");
}
