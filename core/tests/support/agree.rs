//! Do the engines agree on a property of a program?

use super::random::Random;
use orbitscope_core::Limit;
use orbitscope_core::automaton::{Ap, Tgba, Valuation};
use orbitscope_core::explore::{Limits, StopReason};
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product};
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{
    Explicit, Outcome, Search, explicit, hurried_lasso_of, lasso_of, replay, threaded,
};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use std::rc::Rc;

pub(crate) const LIMITS: ltl::Limits =
    ltl::Limits { formulas: 500, states: 60, transitions: 600, steps: 100_000 };

/// How a property is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    pub(crate) fairness: FairnessChoice,
    pub(crate) prune: Prune,
    pub(crate) deadlock: Deadlock,
    /// The seed of an automaton over the property's atoms that takes the place of its own.
    pub(crate) automaton: Option<u64>,
    /// How many bytes each kind of results may take that are remembered.
    pub(crate) cache: u64,
}

/// Bytes for what is remembered: nothing, a result or two, some, and all that small programs ask for.
pub(crate) const CACHES: [u64; 4] = [0, 600, 6_000, 64 << 20];

/// The answer of all engines, and the question.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) holds: bool,
    pub(crate) tracked: usize,
    pub(crate) acceptance_sets: u32,
    pub(crate) nondeterministic: bool,
    /// Whether permutations act on its automaton.
    pub(crate) symmetric: bool,
}

/// The answer of the on-the-fly search to one obligation; a counterexample has been replayed.
pub(crate) fn on_the_fly(
    program: &Program,
    obligation: &Obligation,
    fairness: &FairnessOf,
    prune: Prune,
    deadlock: Deadlock,
    cache: u64,
) -> Result<bool, String> {
    let mut product = Product::new(program, obligation, prune, deadlock);
    product.set_cache_bytes(cache);
    let mut search = Search::new(product.clone(), fairness.clone(), u32::MAX);
    let mut thrifty = Search::new(product, fairness.clone(), u32::MAX).thrifty().beginning_again_after(9);
    let outcome = search.run().clone();
    if let (Outcome::Holds, Outcome::Holds) = (&outcome, thrifty.run()) {
        return if search.visited() == thrifty.visited() {
            Ok(true)
        } else {
            Err(format!("{} nodes, and {} of the thrifty search", search.visited(), thrifty.visited()))
        };
    }
    let (Outcome::Violated(component), Outcome::Violated(same)) = (outcome.clone(), thrifty.run().clone())
    else {
        return Err(format!("{outcome:?}, and {:?} of the thrifty search", thrifty.outcome()));
    };
    let words = |fault| format!("{fault:?}");
    let runs = [
        lasso_of(search.product_mut(), &component, fairness).map_err(words)?,
        hurried_lasso_of(&mut search, &component).map_err(words)?,
        hurried_lasso_of(&mut thrifty, &same).map_err(words)?,
    ];
    for lasso in runs {
        if let Err(fault) = replay(program, obligation, fairness, deadlock, &lasso) {
            return Err(format!("the run fails its replay: {fault:?}\n{lasso:?}"));
        }
    }
    Ok(false)
}

pub(crate) fn limits() -> Limits {
    Limits { states: 1_000, ..Limits::default() }
}

pub(crate) fn obligations_of(
    program: &Program,
    symmetry: &ProgramSymmetry,
    property: PropertyId,
    how: How,
) -> Option<Vec<Obligation>> {
    let mut found = obligations(program, property, symmetry, &LIMITS).ok()?;
    if let (Some(seed), Some(first)) = (how.automaton, found.first()) {
        let atoms = first.atoms.len() as u32;
        let automaton = Rc::new(Random::new(seed).automaton(3, atoms, 3));
        for obligation in &mut found {
            (obligation.automaton, obligation.formula) = (automaton.clone(), None);
        }
    }
    Some(found)
}

/// The answer of the plain method to a property; none where it is too large.
pub(crate) fn verdict(
    program: &Program,
    symmetry: &ProgramSymmetry,
    property: PropertyId,
    how: How,
) -> Option<bool> {
    let of = FairnessOf::new(program, how.fairness);
    let found = obligations_of(program, symmetry, property, how)?;
    let mut holds = true;
    for obligation in &found {
        match explicit(program, obligation, &of, how.deadlock, limits()) {
            Explicit::Holds(..) => {}
            Explicit::Violated(..) => holds = false,
            _ => return None,
        }
    }
    Some(holds)
}

/// Checks that all ways give one answer for a property; gives that answer, or none where it was too large.
pub(crate) fn agree(
    program: &Program,
    symmetry: &ProgramSymmetry,
    property: PropertyId,
    how: How,
) -> Result<Option<Answer>, String> {
    let of = FairnessOf::new(program, how.fairness);
    let Some(found) = obligations_of(program, symmetry, property, how) else { return Ok(None) };
    let mut answer = Answer { holds: true, ..Answer::default() };
    for obligation in &found {
        let plain = match explicit(program, obligation, &of, how.deadlock, limits()) {
            Explicit::Holds(..) => true,
            Explicit::Violated(..) => false,
            Explicit::Stopped(StopReason::Limit(Limit::States)) => return Ok(None),
            other => return Err(format!("{other:?}")),
        };
        let context = || format!("tracking {:?}, {:?}", obligation.tracked, obligation.automaton);
        let quotient = on_the_fly(program, obligation, &of, how.prune, how.deadlock, how.cache)
            .map_err(|error| format!("{error}, {}", context()))?;
        if plain != quotient {
            return Err(format!("explicit says {plain}, on the fly says {quotient}, {}", context()));
        }
        let older = threaded(program, obligation, &of, how.deadlock, u32::MAX).violated.map(|v| !v);
        if older != Some(plain) {
            return Err(format!("explicit says {plain}, threaded says {older:?}, {}", context()));
        }
        let mut symmetric = obligation.clone();
        symmetric.use_symmetry_of_automaton(program);
        if symmetric.symmetric.is_some() {
            let moved = on_the_fly(program, &symmetric, &of, how.prune, how.deadlock, how.cache)
                .map_err(|error| format!("with a symmetric automaton: {error}, {}", context()))?;
            if plain != moved {
                let said = format!("explicit says {plain}, with a symmetric automaton it is {moved}");
                return Err(format!("{said}, {}", context()));
            }
            answer.symmetric = true;
        }
        answer.holds &= plain;
        answer.tracked = obligation.tracked.len();
        answer.acceptance_sets = obligation.automaton.sets();
        answer.nondeterministic = is_nondeterministic(&obligation.automaton);
    }
    Ok(Some(answer))
}

/// The symmetry that the model asks for.
pub(crate) fn symmetry_of(program: &Program) -> Result<ProgramSymmetry, String> {
    choose(program, Choice::Model).map_err(|refused| format!("{refused:?}"))
}

/// Whether some letter leaves an automaton a choice; of automata with many propositions only some letters are tried.
fn is_nondeterministic(automaton: &Tgba) -> bool {
    let letters = 0..1u32 << automaton.ap_bound().min(5);
    let letter = |bits: u32| -> Valuation { (0..5).filter(|i| bits >> i & 1 == 1).map(Ap).collect() };
    automaton.initial().len() > 1
        || letters
            .into_iter()
            .any(|bits| automaton.states().any(|q| automaton.successors(q, &letter(bits)).nth(1).is_some()))
}
