//! Do the engines agree on a property of a program?

use orbitscope_core::explore::Limits;
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product};
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{Explicit, Outcome, Search, explicit, lasso_of, replay, threaded};
use orbitscope_core::symmetry::{Choice, choose};

pub const LIMITS: ltl::Limits =
    ltl::Limits { formulas: 2_000, states: 500, transitions: 5_000, steps: 500_000 };

/// What the on-the-fly search says of one obligation; a counterexample has been replayed.
pub fn on_the_fly(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    prune: Prune,
    deadlock: Deadlock,
) -> Result<bool, String> {
    let product = Product::new(program, obligation, prune, deadlock);
    let mut search = Search::new(product, fairness.clone(), u32::MAX);
    match search.run().clone() {
        Outcome::Holds => Ok(true),
        Outcome::Violated(component) => {
            let lasso = lasso_of(search.product_mut(), &component, fairness).map_err(|f| format!("{f:?}"))?;
            match replay(program, obligation, fairness, deadlock, &lasso) {
                Ok(_) => Ok(false),
                Err(fault) => Err(format!("the run fails its replay: {fault:?}\n{lasso:?}")),
            }
        }
        other => Err(format!("{other:?}")),
    }
}

/// Checks that all ways give one answer for a property; gives that answer, or none where it was too large.
pub fn agree(
    program: &Program,
    property: PropertyId,
    fairness: FairnessChoice,
    prune: Prune,
    deadlock: Deadlock,
    symmetry: Choice,
) -> Result<Option<bool>, String> {
    let symmetry = choose(program, symmetry).map_err(|r| format!("{r:?}"))?;
    let of = FairnessOf::new(program, fairness);
    let Ok(found) = obligations(program, property, &symmetry, &LIMITS) else { return Ok(None) };
    let mut holds = true;
    for obligation in &found {
        let plain = match explicit(
            program,
            obligation,
            &of,
            deadlock,
            Limits { states: 10_000, ..Limits::default() },
        ) {
            Explicit::Holds(..) => true,
            Explicit::Violated(..) => false,
            _ => return Ok(None),
        };
        let quotient = on_the_fly(program, obligation, &of, prune, deadlock)?;
        if plain != quotient {
            return Err(format!(
                "tracking {:?}: explicit says {plain}, on the fly says {quotient}",
                obligation.tracked
            ));
        }
        let older = threaded(program, obligation, &of, deadlock, 100_000).violated.map(|violated| !violated);
        if older.is_some_and(|older| older != plain) {
            return Err(format!(
                "tracking {:?}: explicit says {plain}, threaded says {older:?}",
                obligation.tracked
            ));
        }
        holds &= plain;
    }
    Ok(Some(holds))
}
