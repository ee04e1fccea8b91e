//! All engines on one small program.

use crate::model;
use orbitscope_core::check::{Check, Engine, Options, Target, Unknown, Verdict};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::explore::Limits;
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::quotient::{EdgeStorage, Prune};
use orbitscope_core::symbolic::{CtlModel, SymbolicOptions};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::Fairness;

/// Larger automata take longer than a moment.
const TRANSLATION: ltl::Limits = ltl::Limits { formulas: 500, states: 60, transitions: 600, steps: 100_000 };
/// Caches so small that what they forget is found again in small models too.
const LIMITS: Limits = Limits { states: 20_000, bytes: 64 << 20, cache: 6_000 };

/// Every engine that takes a property gives the same answer, and no run fails its replay. The first byte chooses the
/// fairness and what deadlocks mean; the rest is the program.
pub fn check(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let Some((program, text)) = model::program(rest) else { return };
    let Ok(symmetry) = choose(&program, Choice::Model) else { return };
    let byte = usize::from(first);
    let fairness = [
        FairnessChoice::Model,
        FairnessChoice::All(Fairness::Weak),
        FairnessChoice::All(Fairness::Strong),
        FairnessChoice::All(Fairness::None),
    ][byte % 4];
    let deadlock = [Deadlock::Stutter, Deadlock::Drop][byte / 4 % 2];
    let fair_ctl = byte / 8 % 2 == 1;
    let base = Options {
        fairness,
        deadlock,
        fair_ctl,
        limits: LIMITS,
        translation: TRANSLATION,
        ..Options::default()
    };
    for id in program.properties.ids() {
        agree(&program, &symmetry, id, base, &text);
    }
}

fn ways(base: Options) -> Vec<Options> {
    let mut ways: Vec<Options> = [Prune::Full, Prune::Process, Prune::None]
        .map(|prune| Options { prune: Some(prune), ..base })
        .to_vec();
    ways.push(Options { expand_quantifiers: true, ctl: Algorithm::Local, ..base });
    ways.push(Options { ctl: Algorithm::Emc, edges: EdgeStorage::Recomputed, ..base });
    ways.push(Options { ctl: Algorithm::Naive, edges: EdgeStorage::Ahead, ..base });
    ways.push(Options { engine: Engine::Threaded, ..base });
    ways.push(Options { engine: Engine::Explicit, ..base });
    ways.extend([CtlModel::All, CtlModel::Relation, CtlModel::Restricted].map(|ctl| {
        let symbolic = SymbolicOptions { ctl, ..SymbolicOptions::default() };
        Options { engine: Engine::Symbolic, symbolic, ..base }
    }));
    ways
}

fn agree(program: &Program, symmetry: &ProgramSymmetry, id: PropertyId, base: Options, text: &str) {
    let mut first: Option<(bool, Options)> = None;
    let mut failed = false;
    for options in ways(base) {
        let Ok(mut check) = Check::new(program, symmetry, Target::Property(id), options) else { continue };
        let name = &program.properties[id].name;
        match check.run().verdict {
            Verdict::Unknown(Unknown::Internal(fault)) => {
                panic!("`{name}` with {options:?}: {fault:?}\n{text}")
            }
            // Another order of searching may find a violation before the error.
            Verdict::Unknown(Unknown::Fault(_)) => failed = true,
            Verdict::Unknown(_) => {}
            decided => {
                let holds = matches!(decided, Verdict::Holds);
                match &first {
                    None => first = Some((holds, options)),
                    Some((other, before)) => assert!(
                        *other == holds || failed,
                        "`{name}`: {other} with {before:?}, {holds} with {options:?}\n{text}"
                    ),
                }
            }
        }
    }
}
