//! The log of a search against the search itself.

use crate::model;
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product};
use orbitscope_core::property::obligations;
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::Search;
use orbitscope_core::search::log::{Player, RecordLimits, Recorder, Snapshot};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Fairness;

#[path = "../../../core/tests/support/snapshots.rs"]
mod snapshots;

use snapshots::compare_stacks;

const TRANSLATION: ltl::Limits = ltl::Limits { formulas: 300, states: 30, transitions: 300, steps: 50_000 };
/// At most this many steps of a search are followed, and at most this many are recorded.
const STEPS: u32 = 400;

/// Records a search; the state that a player shows at each step is the one that the search had then, whether the player goes
/// on or jumps. The first byte chooses how many steps are recorded, the second how the search is made; the rest is the program.
pub fn log(data: &[u8]) {
    let [recorded, how, rest @ ..] = data else { return };
    let Some((program, _)) = model::program(rest) else { return };
    let Ok(symmetry) = choose(&program, Choice::Model) else { return };
    let prune = [Prune::Full, Prune::Process, Prune::None][usize::from(*how) % 3];
    let fairness = [FairnessChoice::Model, FairnessChoice::All(Fairness::Strong)][usize::from(*how) / 3 % 2];
    let limits = RecordLimits { steps: STEPS.min(u32::from(*recorded) * 4), ghosts: u64::from(*how) / 6 };
    for id in program.properties.ids() {
        let Ok(found) = obligations(&program, id, &symmetry, &TRANSLATION) else { continue };
        for obligation in found.iter().take(2) {
            let product = Product::new(&program, obligation, prune, Deadlock::Stutter);
            let mut search = Search::new(product, FairnessOf::new(&program, fairness), 5_000);
            follow(&mut search, limits);
        }
    }
}

fn follow(search: &mut Search<'_>, limits: RecordLimits) {
    let mut recorder = Recorder::new(search, limits);
    let mut player = Player::new();
    let mut seen: Vec<Snapshot> = Vec::new();
    for _ in 0..STEPS {
        if recorder.step(search).is_none() {
            break;
        }
        let log = recorder.log();
        if (log.len() as usize) <= seen.len() {
            break;
        }
        let shot = player.seek(log, log.len()).expect("the step has been recorded").clone();
        compare_stacks(log, &shot, search);
        seen.push(shot);
    }
    let log = recorder.finish();
    assert_eq!(player.seek(&log, log.len() + 1), None);
    // Back and forth, past checkpoints.
    for step in (1..=log.len()).rev().step_by(7).chain((1..=log.len()).step_by(11)) {
        assert_eq!(player.seek(&log, step), seen.get(step as usize - 1));
        assert_eq!(log.at(step).as_ref(), seen.get(step as usize - 1));
    }
}
