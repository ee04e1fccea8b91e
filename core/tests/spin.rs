//! Exported models in Spin: the same states, the same deadlocks, the same verdicts, on the built-in models and on random
//! programs. Without Spin or a C compiler these tests say so and do nothing; `cargo xtask test` installs both.

use crate::support::peer::Compared;
use crate::support::programs::{Knobs, Spec, add_temporal, generate, machines};
use crate::support::spin::{compare, is_installed};
use crate::support::{MODEL_SIZES, built, cases, first_seed, read_models};
use orbitscope_core::models;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::Program;
use orbitscope_core::syntax::ast::Fairness;

fn ready() -> bool {
    let there = is_installed();
    if !there {
        eprintln!("Spin or a C compiler is missing: nothing is compared");
    }
    there
}

/// This many of the small sizes of each model are tried.
const SIZES: usize = 3;

#[test]
fn built_in_models() {
    if !ready() {
        return;
    }
    let mut all = Compared::default();
    for model in models::ALL {
        let sizes = MODEL_SIZES.iter().find(|(name, _)| *name == model.name).expect("each model has sizes").1;
        let wanted: Vec<&[(&str, i64)]> =
            if sizes.is_empty() { vec![&[]] } else { sizes.iter().take(SIZES).skip(1).copied().collect() };
        for params in wanted {
            let program = built(model.name, model.source, params);
            match compare(&program, FairnessChoice::Model) {
                Ok(compared) => all += compared,
                Err(error) => panic!("{} {params:?}: {error}", model.name),
            }
        }
    }
    for (name, source) in read_models("export") {
        let program = built(&name, &source, &[]);
        all += compare(&program, FairnessChoice::Model).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    println!("{all:?}");
    assert!(all.models >= 21 && all.properties >= 40 && all.violated >= 10, "{all:?}");
}

/// Of the library those with few states that Promela can say.
#[test]
fn library() {
    if !ready() {
        return;
    }
    let small =
        ["mesi_bus", "moesi_bus", "barrier", "bounded_buffer", "dekker", "futurebus_bulk", "raft_election"];
    let mut all = Compared::default();
    for name in small.into_iter().chain(["three_phase_commit", "ticket_lock"]) {
        let program = built(name, models::find(name).expect("a model").source, &[]);
        all += compare(&program, FairnessChoice::Model).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    assert!(all.models >= 9 && all.violated >= 3, "{all:?}");
}

/// Small enough for a C compiler: quantifiers and parameters are written out.
fn knobs() -> Knobs {
    Knobs {
        families: 2,
        processes: 3,
        properties: 2,
        temporal: 2,
        space: 3_000,
        inits: 25,
        ..Knobs::default()
    }
}

pub(crate) fn spec(seed: u64) -> Spec {
    if seed.is_multiple_of(2) {
        let knobs = if seed.is_multiple_of(4) { knobs() } else { Knobs { topology: 30, ..knobs() } };
        add_temporal(generate(seed, &knobs), seed, &knobs)
    } else {
        add_temporal(machines(seed), seed, &knobs())
    }
}

pub(crate) fn fairness(seed: u64) -> FairnessChoice {
    match seed % 5 {
        0 => FairnessChoice::All(Fairness::Weak),
        1 => FairnessChoice::All(Fairness::None),
        2 => FairnessChoice::All(Fairness::Strong),
        _ => FairnessChoice::Model,
    }
}

pub(crate) fn program(spec: &Spec) -> Program {
    built("random", &spec.to_string(), &[])
}

#[test]
fn random_programs() {
    if !ready() {
        return;
    }
    let mut all = Compared::default();
    let (first, count) = (first_seed(), cases(12));
    for seed in first..first + count {
        let whole = spec(seed);
        let how = fairness(seed / 2);
        match compare(&program(&whole), how) {
            Ok(compared) => all += compared,
            Err(error) => {
                let small = whole.shrunk(|spec| compare(&program(spec), how).is_err());
                panic!("seed {seed} under {how:?}: {error}\n\nthe smallest that fails:\n{small}");
            }
        }
    }
    println!("{all:?}");
    assert!(all.models as u64 == count && u64::from(all.properties) >= 2 * count, "{all:?}");
}
