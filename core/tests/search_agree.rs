//! The engines against each other, on random programs and properties.

mod support;

use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::PropertyKind;
use orbitscope_core::quotient::Prune;
use orbitscope_core::symmetry::Choice;
use orbitscope_core::syntax::ast::{Fairness, Logic};
use support::agree::agree;
use support::built;
use support::programs::{Knobs, generate};

#[test]
fn random_programs() {
    let fairness = [
        FairnessChoice::Model,
        FairnessChoice::All(Fairness::Weak),
        FairnessChoice::All(Fairness::Strong),
        FairnessChoice::All(Fairness::None),
    ];
    let prunings = [Prune::Full, Prune::Process, Prune::None];
    let (mut cases, mut seed, mut violated, mut skipped) =
        (0, std::env::var("SEED").map_or(0, |s| s.parse::<u64>().unwrap() - 1), 0, 0);
    let wanted = support::cases(1_000);
    while cases < wanted {
        seed += 1;
        let knobs = Knobs { space: 400, ..if seed % 3 == 0 { Knobs::default() } else { Knobs::symmetric() } };
        let spec = generate(seed, &knobs);
        let source = spec.to_string();
        let program = built("random", &source, &[]);
        for (id, property) in program.properties.iter_enumerated() {
            if matches!(property.kind, PropertyKind::Formula(Logic::Invariant | Logic::Ctl, _)) {
                continue;
            }
            let pick = (seed + id.0 as u64) as usize;
            let (fair, prune) = (fairness[pick % 4], prunings[pick % 3]);
            let deadlock = if pick % 5 == 0 { Deadlock::Drop } else { Deadlock::Stutter };
            match agree(&program, id, fair, prune, deadlock, Choice::Model) {
                Ok(Some(holds)) => {
                    cases += 1;
                    violated += u64::from(!holds);
                }
                Ok(None) => skipped += 1,
                Err(error) => panic!(
                    "seed {seed}, {} under {fair:?}, {prune:?}, {deadlock:?}: {error}\n{source}",
                    property.name
                ),
            }
        }
    }
    println!("{cases} cases, {violated} violated, {skipped} skipped, {seed} programs");
    assert!(
        violated * 10 > cases && violated * 10 < cases * 9,
        "the cases are too much alike: {violated} of {cases}"
    );
}
