//! The symbolic search of any other obligation: a fair cycle.

use super::{About, Ended, Turn, Work};
use crate::check::report::Unknown;
use crate::check::symbolic;
use crate::property::Obligation;
use crate::search::{LassoFault, replay};
use crate::symbolic::{FairCycles, FairOutcome, Reach};

#[derive(Debug)]
pub(super) struct Fair<'p>(FairCycles<'p>);

impl<'p> Fair<'p> {
    pub(super) fn new(about: &About<'p>, obligation: &Obligation) -> Result<Self, Unknown> {
        let options = &about.options;
        FairCycles::new(
            about.program,
            obligation,
            &about.fairness,
            options.deadlock,
            &options.symbolic,
            options.nodes(),
        )
        .map(Fair)
        .map_err(symbolic::refused)
    }
}

impl<'p> Work<'p> for Fair<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.step() {
            return Turn::More;
        }
        Turn::Ended(match self.0.outcome() {
            Some(FairOutcome::Nothing) => Ended::Holds,
            Some(FairOutcome::Run(lasso)) => {
                let (obligation, deadlock) = (self.0.obligation(), about.options.deadlock);
                let replayed = replay(about.program, obligation, &about.fairness, deadlock, lasso);
                Ended::Run(replayed.map(|ledger| (lasso.clone(), ledger)))
            }
            Some(FairOutcome::Unreached) => {
                let why = symbolic::unreached(&self.0.reach, self.0.obligation());
                Ended::Unknown(why)
            }
            Some(FairOutcome::NodeLimit) => Ended::Unknown(symbolic::full()),
            Some(FairOutcome::Internal) | None => Ended::Unknown(Unknown::Internal(LassoFault::Open)),
        })
    }

    fn reach(&self) -> Option<&Reach<'p>> {
        Some(&self.0.reach)
    }
}
