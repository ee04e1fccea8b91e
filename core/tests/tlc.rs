//! Exported models in TLC: the same states, the same deadlocks, the same verdicts, on the built-in models and on random
//! programs. `ORBITSCOPE_TLA2TOOLS` names TLC's jar; without it, or without a Java, these tests say so and do nothing.

use crate::spin::{fairness, program, spec};
use crate::support::peer::Compared;
use crate::support::tlc::{compare, jar, with_symmetry};
use crate::support::{MODEL_SIZES, built, cases, first_seed, read_models};
use orbitscope_core::models;
use orbitscope_core::models::elsewhere::{self, Wrong};
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
    for (name, source) in read_models("export") {
        let program = built(&name, &source, &[]);
        all +=
            compare(&jar, &program, FairnessChoice::Model).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    println!("{all:?}");
    assert!(all.models >= 15 && all.properties >= 30 && all.violated >= 8, "{all:?}");
}

/// The record of TLC's wrong answers: with its symmetry it gives them, and without it the right ones, which the test
/// before compares with ours.
#[test]
fn symmetry_answers_wrongly() {
    let Some(jar) = ready() else { return };
    for answer in elsewhere::TLC {
        for clients in [2, 3] {
            let program = built(answer.model, answer.model().source, &[("clients", clients)]);
            let said =
                with_symmetry(&jar, &program, answer.property).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(said.holds, answer.wrong == Wrong::Missed, "{} with {clients}", answer.property);
            // Another version may print another run.
            if answer.wrong == Wrong::FalseAlarm && clients == answer.clients && said.version == "2.15" {
                let claim = &answer.claim;
                let printed: Vec<&[&str]> = claim.states.iter().map(|(_, values)| *values).collect();
                assert_eq!(said.states, printed[..printed.len() - 1], "{}", answer.property);
                assert_eq!(said.back, Some(claim.back), "{}", answer.property);
            }
        }
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
