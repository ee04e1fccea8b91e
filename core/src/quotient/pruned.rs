//! The edges that pruning leaves out, and what shows that each is redundant.

use super::aqs::{Aqs, AqsEdge, AqsId, Prune};
use super::steps::RawStep;
use crate::group::{Group, Perm, Process};
use crate::program::{Domain, Program, StepFault};
use crate::symmetry::{Structure, state_structure};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A pruned edge and what makes it redundant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pruned {
    /// The edge that is not kept.
    pub edge: AqsEdge,
    /// The position of the kept edge it is parallel to.
    pub parallel_to: usize,
    /// ρ with ρ·s = s that takes the kept edge to this one; none where it was not found within the effort.
    pub shown_by: Option<Perm>,
}

/// At most this many elements of a stabiliser are tried to show that an edge is redundant.
const EFFORT: u128 = 5_040;

impl Aqs<'_> {
    /// The edges of a state that pruning leaves out, each with the kept edge that makes it redundant.
    pub fn pruned(&mut self, id: AqsId) -> Result<Vec<Pruned>, StepFault> {
        self.pruned_at(id, &[])
    }

    /// The same where the tracked processes are told from all others: each ρ fixes them too.
    pub fn pruned_at(&mut self, id: AqsId, tracked: &[Process]) -> Result<Vec<Pruned>, StepFault> {
        if self.prune() == Prune::None {
            return Ok(Vec::new());
        }
        let state = self.state(id);
        let kept = self.kept_steps(id, &state, tracked, self.prune())?;
        let edges: Vec<AqsEdge> = kept.iter().map(|step| self.edge(&state, step.clone())).collect();
        let all = self.kept_steps(id, &state, tracked, Prune::None)?;
        let mut parallels = Parallels {
            program: self.program(),
            structure: state_structure(self.program()),
            stabiliser: self.stabiliser(id).stabiliser(tracked),
            elements: None,
            flat: kept.iter().map(|step| self.reduction().flatten_changed(&state, &step.changed)).collect(),
            kept,
        };
        let mut pruned = Vec::new();
        for step in all {
            if parallels.kept.iter().any(|kept| kept.is_same(&step)) {
                continue;
            }
            let goal = self.reduction().flatten_changed(&state, &step.changed);
            let found = parallels.direct(&step, &goal).or_else(|| parallels.tried(&step, &goal));
            let Some((parallel_to, rho)) = found else {
                let same = parallels.kept.iter().position(|k| k.action == step.action);
                let edge = self.edge(&state, step);
                pruned.push(Pruned { edge, parallel_to: same.unwrap_or(0), shown_by: None });
                continue;
            };
            // ρ takes the kept edge's successor π·t to this one's: no other representative is needed.
            let AqsEdge { perm, target, .. } = &edges[parallel_to];
            let RawStep { process, action, arguments, .. } = step;
            let (perm, target) = (rho.compose(perm), *target);
            let edge = AqsEdge { process, action, arguments, perm, target, weight: 1 };
            pruned.push(Pruned { edge, parallel_to, shown_by: Some(rho) });
        }
        Ok(pruned)
    }
}

/// The kept steps of a state, to be compared with others.
struct Parallels<'p> {
    program: &'p Program,
    structure: Structure,
    stabiliser: Group,
    /// The elements of the stabiliser, once they are needed.
    elements: Option<Vec<Perm>>,
    kept: Vec<RawStep>,
    /// The state that each kept step leads to.
    flat: Vec<Vec<i32>>,
}

impl Parallels<'_> {
    /// A permutation that takes the processes which a kept step names to those which this one names.
    fn direct(&self, step: &RawStep, goal: &[i32]) -> Option<(usize, Perm)> {
        let candidates = self.kept.iter().enumerate().filter(|(_, kept)| kept.action == step.action);
        candidates.into_iter().find_map(|(position, kept)| {
            let perm = self.stabiliser.transporter(&self.named(kept), &self.named(step))?;
            let takes = perm.apply(kept.process) == step.process
                && self.structure.apply(&perm, &self.flat[position]) == goal;
            takes.then_some((position, perm))
        })
    }

    fn named(&self, step: &RawStep) -> Vec<Process> {
        let params = &self.program.actions[step.action].params;
        let arguments = params.iter().zip(&step.arguments).filter_map(|(param, &value)| match param.domain {
            Domain::Family(family) => Some(self.program.process(family, value as u32)),
            Domain::Range(..) => None,
        });
        core::iter::once(step.process).chain(arguments).collect()
    }

    /// An element of the stabiliser that takes this step to a kept one, by trying them; gives its inverse.
    fn tried(&mut self, step: &RawStep, goal: &[i32]) -> Option<(usize, Perm)> {
        let Parallels { structure, stabiliser, elements, kept, flat, .. } = self;
        let elements = elements.get_or_insert_with(|| stabiliser.elements(EFFORT).collect());
        let wanted: BTreeMap<(Process, &[i32]), usize> = kept
            .iter()
            .zip(flat.iter())
            .enumerate()
            .map(|(i, (k, f))| ((k.process, f.as_slice()), i))
            .collect();
        elements.iter().find_map(|perm| {
            let image = (perm.apply(step.process), structure.apply(perm, goal));
            let position = *wanted.get(&(image.0, image.1.as_slice()))?;
            Some((position, perm.inverse()))
        })
    }
}

impl RawStep {
    fn is_same(&self, other: &RawStep) -> bool {
        self.process == other.process && self.action == other.action && self.arguments == other.arguments
    }
}
