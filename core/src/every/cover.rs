//! Covers: what is asked for is reached in every instance, in none, or in those from some size on.

use super::attempt::Attempt;
use super::fragment::Needs;
use super::grown::grows;
use super::parts::Population;
use super::procedure::Inquiry;
use super::report::{Conclusion, Reason};
use super::search::Found;
use crate::check::{Counterexample, Report, Verdict};
use crate::program::{FamilyId, Program, PropertyId};
use crate::property::invariant_obligation;
use crate::quotient::Crowd;
use crate::symmetry;
use alloc::vec::Vec;

impl Inquiry<'_, '_> {
    /// Looks at the small instances, then at all: whether a path grows with the instance, or whether nothing is reached at all.
    pub(super) fn cover(&mut self, id: Option<PropertyId>, needs: &Needs) -> Result<Conclusion, Reason> {
        let least: Vec<i64> = self.proof.params.iter().map(|p| p.least).collect();
        let (mut never, mut grown): (Vec<Vec<i64>>, Option<Vec<i64>>) = (Vec::new(), None);
        let (mut covered, mut reported) = (false, None);
        for values in self.cells(self.prover.effort.small, 0) {
            let Some((program, report)) = self.report(id, &values)? else { continue };
            if !matches!(report.verdict, Verdict::Holds) {
                reported = reported.or_else(|| Some((program, report)));
                never.push(values);
                continue;
            }
            covered = true;
            // With several parameters a path speaks for all sizes only if it is one of the smallest instance.
            let first = values.len() == 1 || values == least;
            if grown.is_none() && first && self.has_grown(id, needs, &program, &report) {
                grown = Some(values);
            }
        }
        let Some(first) = never.first().cloned() else {
            return grown.map_or(Err(Reason::Growth), |from| Ok(Conclusion::Holds { from }));
        };
        self.proof.instance = reported.map(alloc::boxed::Box::new);
        let last = never.last().and_then(|values| values.first().copied()).unwrap_or(0);
        let then = grown.filter(|from| from.len() == 1).map(|_| alloc::vec![last + 1]);
        let attempt = Attempt::new(least, 0);
        let nowhere = !covered && matches!(self.abstractly(id, needs, &attempt)?, Found::Proved(_));
        Ok(Conclusion::Violated { at: first, then, never: nowhere })
    }

    fn has_grown(&self, id: Option<PropertyId>, needs: &Needs, program: &Program, report: &Report) -> bool {
        let (Some(id), Some(Counterexample::Path(path))) = (id, &report.counterexample) else { return false };
        let families: Vec<FamilyId> = self.prover.opened.families.iter().map(|f| f.family).collect();
        let found = symmetry::detect(program);
        let Ok(instance) = Crowd::new(program, &found, &families) else { return false };
        let Ok(mut roomy) = Crowd::new(&self.prover.roomy, &self.prover.symmetry, &families) else {
            return false;
        };
        let Ok(obligation) = invariant_obligation(&self.prover.roomy, id, &self.prover.symmetry) else {
            return false;
        };
        let counted = |number| Population::AtLeast { least: 0, threshold: needs.threshold(number) };
        let populations: Vec<Population> = (0..families.len()).map(counted).collect();
        // A cover names no process: there is nobody to be bound.
        obligation.tracked.is_empty()
            && grows(&instance, &mut roomy, path, &obligation.atoms[0], &populations)
    }
}
