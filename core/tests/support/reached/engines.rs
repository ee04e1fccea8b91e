//! The ways of the engines and the sizes at which they change, by name.

use super::Reached;
use orbitscope_core::Limit;
use orbitscope_core::check::{Check, Counterexample, Engine, Options, Report, Unknown, Verdict};
use orbitscope_core::group::Factor;
use orbitscope_core::product::{Deadlock, FairnessOf, ProcessSet};
use orbitscope_core::program::Program;
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symbolic::CtlModel;
use orbitscope_core::symmetry::ProgramSymmetry;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Cases that must be met when all engines are asked.
pub(crate) const REQUIRED: &[&str] = &[
    "engine: onthefly",
    "engine: threaded",
    "engine: explicit",
    "engine: symbolic",
    "engine: on the fly, a run",
    "engine: on the fly, a path",
    "engine: threaded, a run",
    "engine: explicit, a run",
    "engine: explicit, a path",
    "engine: symbolic, a path",
    "engine: symbolic, ctl on all states",
    "engine: symbolic, ctl on representatives",
    "engine: symbolic, ctl with ξ",
    "engine: symbolic, hints",
    "engine: symbolic, dense frontiers",
    "engine: symbolic, σ_Step cut short",
    "engine: symbolic with claims unchecked",
    "engine: claim refused",
    "engine: ends in a fault",
    "engine: ends in a limit",
    "engine: fair ctl",
    "engine: deadlocks dropped under mixed fairness",
    "engine: unknown, Limit",
    "engine: a path to an error",
    "engine: what is written as HOA",
    "survey: onthefly of all states",
    "survey: explicit of all states",
    "survey: symbolic of all states",
    "survey: a path to a deadlock",
    "obligation: no process tracked",
    "obligation: one process tracked",
    "obligation: several processes tracked",
    "obligation: quantifiers written out",
    "obligation: symmetric automaton",
    "obligation: several searches",
    "obligation: atom of the step",
    "automaton: no acceptance set",
    "automaton: one acceptance set",
    "automaton: several acceptance sets",
    "group: trivial",
    "group: symmetric factor",
    "group: cyclic factor",
    "group: dihedral factor",
    "group: general factor",
    "group: several factors",
    "group: more elements than are tried one by one",
    "state: one word",
    "state: several words",
    "quotient: exact",
    "quotient: several representatives of an orbit",
];

/// The ways that the core takes because of a size, read from its text, so that nobody has to list them.
pub(crate) fn ways() -> BTreeSet<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut ways = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the core's sources are there") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(path).expect("a text");
                for call in text.split(" took(").skip(1) {
                    let call = call.split([';', '\n']).next().unwrap_or_default();
                    let named = call.split('"').skip(1).step_by(2);
                    ways.extend(named.map(String::from));
                }
            }
        }
    }
    assert!(ways.len() > 40, "{ways:?}");
    ways
}

/// Notes the facts known before a check runs.
pub(crate) fn note_check(
    reached: &mut Reached,
    program: &Program,
    check: &Check<'_>,
    symmetry: &ProgramSymmetry,
    options: Options,
) {
    for obligation in check.obligations() {
        reached.note(match obligation.tracked.len() {
            0 => "obligation: no process tracked",
            1 => "obligation: one process tracked",
            _ => "obligation: several processes tracked",
        });
        reached.note(match obligation.automaton.sets() {
            0 => "automaton: no acceptance set",
            1 => "automaton: one acceptance set",
            _ => "automaton: several acceptance sets",
        });
        if obligation.atoms.iter().any(|atom| atom.on_edges) {
            reached.note("obligation: atom of the step");
        }
    }
    let fairness = FairnessOf::new(program, options.fairness);
    let mixed = fairness.none != ProcessSet::default() || fairness.strong != ProcessSet::default();
    if options.deadlock == Deadlock::Drop && mixed {
        reached.note("engine: deadlocks dropped under mixed fairness");
    }
    let factors = symmetry.group.factors();
    for factor in factors {
        reached.note(match factor {
            Factor::Symmetric(_) => "group: symmetric factor",
            Factor::Cyclic(_) => "group: cyclic factor",
            Factor::Dihedral(_) => "group: dihedral factor",
            Factor::General(_) => "group: general factor",
        });
    }
    match factors.len() {
        0 => reached.note("group: trivial"),
        1 => {}
        _ => reached.note("group: several factors"),
    }
}

/// Notes how the states of a program are kept.
pub(crate) fn note_program(reached: &mut Reached, program: &Program, symmetry: &ProgramSymmetry) {
    let words = orbitscope_core::program::Packing::new(program).words();
    reached.note(if words > 1 { "state: several words" } else { "state: one word" });
    let elements = symmetry.group.order().to_u128().unwrap_or(u128::MAX);
    if elements > u128::from(symmetry.effort.elements) {
        reached.note("group: more elements than are tried one by one");
    }
    let mut aqs = Aqs::new(program, symmetry, Prune::Full, EdgeStorage::Recomputed, 1_000);
    aqs.build(1_000);
    reached.note(if aqs.is_exact() {
        "quotient: exact"
    } else {
        "quotient: several representatives of an orbit"
    });
}

/// Notes the facts known after a check has run.
pub(crate) fn note_report(reached: &mut Reached, report: &Report, options: Options) {
    reached.note(format!("engine: {}", report.engine.name()));
    let shown = match report.counterexample {
        Some(Counterexample::Path(_)) => Some("a path"),
        Some(Counterexample::Lasso(..)) => Some("a run"),
        None => None,
    };
    if let Some(shown) = shown {
        let engine = match report.engine {
            Engine::Onthefly => "on the fly",
            Engine::Threaded => "threaded",
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
        };
        reached.note(format!("engine: {engine}, {shown}"));
    }
    match &report.verdict {
        Verdict::Holds | Verdict::Violated => {}
        Verdict::Unknown(Unknown::Fault(_)) => reached.note("engine: ends in a fault"),
        Verdict::Unknown(Unknown::Limit(Limit::States | Limit::Nodes)) => {
            reached.note("engine: ends in a limit");
        }
        Verdict::Unknown(other) => {
            let shown = format!("{other:?}");
            reached.note(format!("engine: unknown, {}", shown.split('(').next().unwrap_or_default()));
        }
    }
    if report.expanded > 0 {
        reached.note("obligation: quantifiers written out");
    }
    if report.symmetric {
        reached.note("obligation: symmetric automaton");
    }
    if report.searches > 1 {
        reached.note("obligation: several searches");
    }
    if options.fair_ctl {
        reached.note("engine: fair ctl");
    }
    if let Some(summary) = &report.symbolic {
        let symbolic = options.symbolic;
        reached.note(match symbolic.ctl {
            CtlModel::All => "engine: symbolic, ctl on all states",
            CtlModel::Restricted => "engine: symbolic, ctl on representatives",
            CtlModel::Relation => "engine: symbolic, ctl with ξ",
        });
        for (set, name) in [
            (symbolic.hints, "engine: symbolic, hints"),
            (symbolic.under.is_some(), "engine: symbolic, dense frontiers"),
            (symbolic.sigma_limit.is_some(), "engine: symbolic, σ_Step cut short"),
            (summary.generators > 0, "engine: symbolic, generators used"),
            (summary.generators_left_out > 0, "engine: symbolic, generators left out"),
            (summary.parts > 1, "engine: symbolic, several parts of the relation"),
        ] {
            if set {
                reached.note(name);
            }
        }
    }
}
