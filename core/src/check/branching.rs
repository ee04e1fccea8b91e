//! `ctl` properties: from what the check of branching time found to a report.

use super::breadth_first::{BreadthFirst, path_to};
use super::options::{Engine, Options, Refusal};
use super::report::{Branching, Faulty, PartReport, Progress, Report, Stats, Unknown, Verdict};
use super::survey::unknown_fault;
use super::target::CheckError;
use crate::ctl::{CtlCheck, EvidenceFault, Outcome, PartId, Settings, replay_tree};
use crate::explore::{Path, StopReason};
use crate::program::{Program, PropertyId};
use crate::quotient::{Aqs, Aqsi, EdgeStorage, Prune};
use crate::search::LassoFault;
use crate::symmetry::{Choice, ProgramSymmetry, choose, describe};
use alloc::boxed::Box;
use alloc::string::ToString;

/// Prepares the check of a `ctl` property: on the quotient, or by the plain method on the program, which is its quotient by
/// the trivial group.
pub(super) fn start<'p>(
    program: &'p Program,
    symmetry: &ProgramSymmetry,
    id: PropertyId,
    options: &Options,
) -> Result<CtlCheck<'p>, CheckError> {
    let prune = options.pruning()?;
    let plain = match options.engine {
        Engine::Onthefly => None,
        Engine::Threaded | Engine::Symbolic => return Err(Refusal::Branching(options.engine).into()),
        // Nothing is claimed, so that nothing is refused.
        Engine::Explicit => choose(program, Choice::None).ok(),
    };
    let settings = Settings {
        algorithm: options.ctl,
        deadlock: options.deadlock,
        fair_paths: options.fair_ctl.then_some(options.fairness),
        prune,
        limits: options.limits,
    };
    Ok(CtlCheck::new(program, id, plain.as_ref().unwrap_or(symmetry), settings)?)
}

pub(super) fn progress(check: &CtlCheck<'_>) -> Progress {
    let stats = stats(check, Engine::Onthefly);
    Progress {
        search: 0,
        searches: 1,
        nodes: stats.product_states.unwrap_or(0),
        edges: stats.product_edges.unwrap_or(0),
        depth: check.search().map_or(0, |(_, search)| search.st().len() as u32),
        bytes: stats.peak_bytes,
        making: 0,
    }
}

fn stats(check: &CtlCheck<'_>, engine: Engine) -> Stats {
    let parts = || check.formula().parts.ids();
    let temporal = parts().filter(|&id| check.formula().parts[id].temporal);
    let states = temporal.map(|id| check.quotient_states(id).into()).max();
    let vertices: u64 = parts().map(|id| u64::from(check.graph(id).len())).sum();
    let edges: u64 = parts().map(|id| u64::from(check.graph(id).edge_count())).sum();
    let explicit = engine == Engine::Explicit;
    Stats {
        states: states.filter(|_| explicit),
        aqs_states: states.filter(|_| !explicit),
        product_states: Some(vertices),
        product_edges: Some(edges),
        peak_bytes: check.bytes(),
        ..Stats::default()
    }
}

/// Reports the check as far as it has come. Evidence that does not replay is not shown.
pub(super) fn report(check: &mut CtlCheck<'_>, program: &Program, options: &Options) -> Report {
    let stats = stats(check, options.engine);
    let (mut verdict, decided) = match check.outcome().cloned() {
        Some(Outcome::Holds) => (Verdict::Holds, true),
        Some(Outcome::Violated) => (Verdict::Violated, true),
        other => (Verdict::Unknown(unknown(check, program, other)), false),
    };
    // No single path shows a fixed point.
    let tree = if decided && !check.formula().mu { check.tree() } else { None };
    if let Some(tree) = &tree
        && let Err(fault) = replay_tree(program, check.formula(), options.deadlock, tree)
    {
        verdict = Verdict::Unknown(Unknown::Internal(lasso_fault(fault)));
    }
    let formula = check.formula();
    let parts = formula.parts.ids().map(|id| PartReport::new(program, check, id));
    let branching = Branching {
        algorithm: options.ctl,
        parts: parts.collect(),
        effort: check.effort(),
        tree: tree.filter(|_| !matches!(verdict, Verdict::Unknown(_))),
        formula: formula.clone(),
    };
    Report {
        verdict,
        engine: options.engine,
        searches: formula.parts.len() as u32,
        expanded: 0,
        symmetric: false,
        instance: None,
        stats,
        counterexample: None,
        run_note: None,
        branching: Some(Box::new(branching)),
        symbolic: None,
    }
}

impl PartReport {
    /// Describes a part.
    pub fn new(program: &Program, check: &CtlCheck<'_>, id: PartId) -> Self {
        let formula = check.formula();
        let part = &formula.parts[id];
        // The group holds tracked processes still.
        let group = part.symmetry.group.stabiliser(&part.fixed);
        PartReport {
            words: formula.show_part(program, id),
            told_apart: formula.tracked_words(program, id),
            order: group.order().to_string(),
            group: describe(program, &group).as_slice().to_vec(),
            states: check.graph(id).len().into(),
            edges: check.graph(id).edge_count().into(),
        }
    }
}

fn unknown(check: &CtlCheck<'_>, program: &Program, outcome: Option<Outcome>) -> Unknown {
    match outcome {
        Some(Outcome::Limit(limit)) => Unknown::Limit(limit),
        Some(Outcome::StepFault(fault, values)) => {
            unknown_fault(Faulty::Step(fault), fault_path(check, program, &values))
        }
        Some(Outcome::PropertyFault(fault, values)) => {
            unknown_fault(Faulty::Property(fault), fault_path(check, program, &values))
        }
        _ => Unknown::Stopped,
    }
}

/// A shortest path to a state like this one.
fn fault_path(check: &CtlCheck<'_>, program: &Program, values: &[i32]) -> Option<Path> {
    let symmetry = &check.formula().parts[check.formula().top()].symmetry;
    let mut aqs = Aqs::new(program, symmetry, Prune::Full, EdgeStorage::Recomputed, 1);
    let (state, _) = aqs.enter(values);
    let path = path_to(&mut Aqsi::new(aqs, &[]), |aqsi, id| aqsi.node(id).0 == state);
    path.or_else(|| {
        // Behind a state with an error nothing is looked for; the first error will do.
        let mut reach =
            BreadthFirst::new(program, symmetry, &[], Prune::Full, crate::explore::Limits::default());
        while reach.step() {}
        match reach.stopped().cloned() {
            Some(StopReason::Fault(at, _)) => reach.path_to(at),
            _ => None,
        }
    })
}

fn lasso_fault(fault: EvidenceFault) -> LassoFault {
    match fault {
        EvidenceFault::NotInitial => LassoFault::NotInitial,
        EvidenceFault::NoStep(number) => LassoFault::NoStep(number as usize),
        EvidenceFault::Open => LassoFault::Open,
        EvidenceFault::Wrong | EvidenceFault::DoesNotFollow | EvidenceFault::Unrelated => LassoFault::Right,
    }
}
