//! Random Murphi programs: what the translation does in the engine, and what an interpreter of its own says.

mod support {
    pub(crate) mod generate;
    pub(crate) mod interpret;
    pub(crate) mod orbits;
    pub(crate) mod program;
    pub(crate) mod write;
}

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{self, PropertyId, PropertyKind, Settings};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;
use orbitscope_core::syntax::parse;
use std::collections::BTreeMap;
use support::generate::{Random, program as random_program};
use support::interpret::outcome;
use support::orbits::orbits;

/// A state space of at most this size is compared to the end.
const MOST: usize = 3_000;

/// The constructs that random programs have to have.
const CONSTRUCTS: [&str; 38] = [
    "alias",
    "arithmetic",
    "assert",
    "assignment",
    "assume",
    "choice",
    "choose",
    "clear",
    "comparison",
    "connective",
    "copy",
    "cover",
    "equality",
    "error",
    "for",
    "function",
    "function with statements",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "liveness",
    "local",
    "message",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "procedure",
    "put",
    "quantifier",
    "read",
    "return",
    "steps",
    "switch",
    "undefine",
    "undefine multiset",
    "while",
];

fn cases() -> u64 {
    std::env::var("ORBITSCOPE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(600)
}

#[derive(Default, Debug)]
struct Seen {
    faults: u32,
    complete: u32,
    violated: u32,
    asserts_failed: u32,
    symmetric: u32,
    too_large: u32,
    cut: u32,
    outside: u32,
    covered: u32,
    never: u32,
    live: u32,
    dead: u32,
}

#[test]
fn the_translation_means_what_the_interpreter_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("ORBITSCOPE_SEED").unwrap_or(1);
    let mut counts = BTreeMap::new();
    let mut seen = Seen::default();
    let mut wrong: Vec<(u64, String)> = Vec::new();
    for seed in first..first + cases() {
        if let Err(words) = compare(seed, &mut counts, &mut seen) {
            wrong.push((seed, words));
        }
    }
    println!("{seen:?} {counts:?}");
    if let Some((_, shortest)) = wrong.iter().min_by_key(|(_, words)| words.len()) {
        let seeds: Vec<u64> = wrong.iter().map(|(seed, _)| *seed).collect();
        panic!("{} cases are wrong, of the seeds {seeds:?}; the shortest:\n{shortest}", seeds.len());
    }
    if cases() < 600 {
        return;
    }
    for what in CONSTRUCTS {
        assert!(counts.get(what).copied().unwrap_or(0) >= 10, "too few programs have {what}: {counts:?}");
    }
    let met = [
        ("an error", seen.faults, 20),
        ("no error", seen.complete, 20),
        ("a violated invariant", seen.violated, 4),
        ("a failed assertion", seen.asserts_failed, 4),
        ("the whole symmetry", seen.symmetric, 5),
        ("a start state outside", seen.outside, 1),
        ("a cover that is met", seen.covered, 4),
        ("a cover that is not", seen.never, 4),
        ("liveness that holds", seen.live, 4),
        ("liveness that is violated", seen.dead, 4),
    ];
    for (what, times, least) in met {
        assert!(times >= least, "{what} was met {times} times: {seen:?}");
    }
}

/// The mistake in a case, with its texts.
macro_rules! ensure {
    ($holds:expr, $texts:expr, $($words:tt)+) => {
        if !$holds {
            return Err(format!("{}\n{}", format_args!($($words)+), $texts));
        }
    };
}

fn compare(seed: u64, counts: &mut BTreeMap<&'static str, u32>, seen: &mut Seen) -> Result<(), String> {
    let murphi = random_program(&mut Random::new(seed), counts);
    let text = murphi.text();
    let translation = orbitscope_murphi::translate(&text)
        .map_err(|diagnostics| format!("seed {seed}: {diagnostics:#?}\n{text}"))?;
    let ours = &translation.text;
    let texts = format!("seed {seed}\n{text}\n{ours}");
    let parsed = parse(ours);
    ensure!(parsed.diagnostics.is_empty(), texts, "{:#?}", parsed.diagnostics);
    let expected = outcome(&murphi, MOST);
    if expected.cut {
        seen.cut += 1;
        return Ok(());
    }
    let program = match program::build(&parsed.file, &Settings::default()) {
        Ok(program) => program,
        Err(diagnostics) => {
            let large = diagnostics.iter().all(|d| d.kind == orbitscope_core::text::DiagnosticKind::TooLarge);
            // A start state with an error has no state: it is said before anything runs.
            let start = expected.fault && diagnostics.iter().any(|d| d.message.contains("init"));
            let outside = expected.states.is_empty()
                && !expected.fault
                && diagnostics.iter().any(|d| d.message.contains("outside of what is assumed"));
            ensure!(large || start || outside, texts, "{diagnostics:#?}");
            seen.outside += u32::from(outside);
            seen.too_large += u32::from(large);
            seen.faults += u32::from(start);
            return Ok(());
        }
    };
    let is_state = |id: &PropertyId| {
        matches!(program.properties[*id].kind, PropertyKind::Formula(Logic::Invariant | Logic::Cover, _))
    };
    let ids: Vec<PropertyId> = program.properties.ids().filter(is_state).collect();
    let mut all = Exploration::new(&program, Limits::default(), &[]);
    let mut asked = Exploration::new(&program, Limits::default(), &ids);
    let (plain, with) = (all.run().clone(), asked.run().clone());
    let fault = matches!(with, StopReason::Fault(..) | StopReason::PropertyFault(..))
        || matches!(plain, StopReason::Fault(..));
    let right = fault == expected.fault || expected.unsure;
    ensure!(right, texts, "{with:?}, an error is expected: {}", expected.fault);
    if expected.fault || expected.unsure {
        seen.faults += u32::from(fault);
        return Ok(());
    }
    seen.complete += 1;
    let counted = (all.states().len() as usize, all.edge_count());
    let known = (expected.states.len(), expected.fired);
    ensure!(counted == known, texts, "{counted:?} states and edges, expected {known:?}");
    let violated = |id: PropertyId| asked.violations().iter().any(|v| v.property == id);
    let mut asserts_hold = true;
    for id in ids {
        let name = &program.properties[id].name;
        match name.strip_prefix("inv_").and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => {
                ensure!(violated(id) != expected.holds[number], texts, "{name} violated: {}", violated(id));
                seen.violated += u32::from(violated(id));
            }
            None if name.starts_with("cov_") => {
                let number: usize = name[4..].parse().expect("a number");
                ensure!(violated(id) == expected.covered[number], texts, "{name} covered: {}", violated(id));
                seen.covered += u32::from(violated(id));
                seen.never += u32::from(!violated(id));
            }
            None => asserts_hold &= !violated(id),
        }
    }
    if !expected.live.is_empty() {
        let model = orbitscope_core::Model::parse(ours).map_err(|error| format!("{error}\n{texts}"))?;
        for (number, live) in expected.live.iter().enumerate() {
            let verdict =
                model.check(&format!("live_{number}")).map_err(|error| format!("{error}\n{texts}"))?;
            ensure!(verdict.unknown().is_none(), texts, "{verdict}");
            ensure!(verdict.holds() == *live, texts, "live_{number} holds: {}", verdict.holds());
            seen.live += u32::from(*live);
            seen.dead += u32::from(!live);
        }
    }
    ensure!(asserts_hold == expected.asserts_hold, texts, "the asserts hold: {asserts_hold}");
    seen.asserts_failed += u32::from(!asserts_hold);
    let symmetry = choose(&program, Choice::Auto).expect("a found symmetry is one");
    let full: u64 = (1..=murphi.processes as u64).product();
    if symmetry.group.order().to_string() == full.to_string() && full > 1 {
        seen.symmetric += 1;
        let roots = orbitscope_core::limits::MAX_ROOTS;
        let mut aqs = Aqs::new(&program, &symmetry, Prune::None, EdgeStorage::default(), roots);
        aqs.build(100_000);
        let known = orbits(&murphi, &expected.states);
        ensure!(aqs.len() as usize == known, texts, "{} orbits, expected {known}", aqs.len());
    }
    Ok(())
}
