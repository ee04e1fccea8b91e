//! Exported models in TLC: the same states, the same deadlocks, the same verdicts, on the built-in models and on random
//! programs. `ORBITSCOPE_TLA2TOOLS` names TLC's jar; without it, or without a Java, these tests say so and do nothing.

use crate::spin::{fairness, program, spec};
use crate::support::peer::Compared;
use crate::support::tlc::{compare, holds_with_symmetry, jar};
use crate::support::{MODEL_SIZES, Verdict, built, cases, first_seed, noted_verdicts};
use orbitscope_core::models;
use orbitscope_core::product::FairnessChoice;
use std::path::PathBuf;

fn ready() -> Option<PathBuf> {
    let jar = jar();
    if jar.is_none() {
        eprintln!("TLC's jar or a Java is missing: nothing is compared");
    }
    jar
}

#[test]
fn built_in_models() {
    let Some(jar) = ready() else { return };
    let mut all = Compared::default();
    for model in models::ALL {
        let sizes = MODEL_SIZES.iter().find(|(name, _)| *name == model.name).expect("each model has sizes").1;
        let params = sizes.get(1).copied().unwrap_or(&[]);
        let program = built(model.name, model.source, params);
        match compare(&jar, &program, FairnessChoice::Model) {
            Ok(compared) => all += compared,
            Err(error) => panic!("{} {params:?}: {error}", model.name),
        }
    }
    let odd = built("odd", include_str!("data/export/odd.orb"), &[]);
    all += compare(&jar, &odd, FairnessChoice::Model).unwrap_or_else(|error| panic!("odd: {error}"));
    println!("{all:?}");
    assert!(all.models >= 15 && all.properties >= 30 && all.violated >= 8, "{all:?}");
}

/// What the README says of TLC: with its symmetry it gives these answers, and without it the right ones, which the test
/// before compares with ours.
#[test]
fn symmetry_answers_wrongly() {
    let Some(jar) = ready() else { return };
    for (name, property, wrong) in [
        ("one_requests_first", "two_at_work", true),
        ("one_requests_first", "always_idle_again", false),
        ("idle_in_between", "idle_in_between", false),
    ] {
        let model = models::find(name).expect("the model is built in");
        let program = built(name, model.source, &[("clients", 3)]);
        let verdict = if wrong { Verdict::Violated } else { Verdict::Holds };
        assert!(noted_verdicts(model.source).contains(&(property.into(), verdict)), "{property}");
        assert_eq!(holds_with_symmetry(&jar, &program, property), Ok(wrong), "{name} {property}");
    }
}

#[test]
fn random_programs() {
    let Some(jar) = ready() else { return };
    let mut all = Compared::default();
    let (first, count) = (first_seed(), cases(12));
    for seed in first..first + count {
        let whole = spec(seed);
        let how = fairness(seed / 2);
        match compare(&jar, &program(&whole), how) {
            Ok(compared) => all += compared,
            Err(error) => {
                let small = whole.shrunk(|spec| compare(&jar, &program(spec), how).is_err());
                panic!("seed {seed} under {how:?}: {error}\n\nthe smallest that fails:\n{small}");
            }
        }
    }
    println!("{all:?}");
    assert!(u64::from(all.models) == count, "{all:?}");
}
