//! After a violation is in hand: the run that shows it is made and replayed, in small steps.

use super::report::Stats;
use crate::product::{Deadlock, FairnessOf};
use crate::program::Program;
use crate::property::Obligation;
use crate::search::{Component, Ground, Lasso, LassoFault, LassoMaker, Ledger, Replay, Trace};
use alloc::vec::Vec;

/// When the making of a run is stopped before it was hurried, a longer run is still made if that takes at most this many small steps.
pub(super) const LAST_STEPS: u32 = 1_000;

/// A run in the making.
#[derive(Debug)]
pub(super) struct Making<'p> {
    maker: LassoMaker<'p>,
    /// The run, when it is made, and its replay.
    replay: Option<(Lasso, Replay<'p>)>,
    replayed: u64,
    /// The counts of the search, taken before the run is made: making it may ask for more of the product.
    pub counted: Stats,
}

/// A run that has been replayed, with its ledger; or why it does not replay.
pub(super) type Made = Result<(Lasso, Vec<Ledger>), LassoFault>;

impl<'p> Making<'p> {
    /// Begins with a fair component, and with what the search has left behind.
    pub(super) fn new<G: Ground<'p>>(
        ground: &G,
        (trace, component): (Trace, Component),
        fairness: &FairnessOf,
        counted: Stats,
    ) -> Self {
        let maker = LassoMaker::new(ground, component, fairness.clone(), trace);
        Making { maker, replay: None, replayed: 0, counted }
    }

    /// How many small steps were taken so far.
    pub(super) fn steps(&self) -> u64 {
        self.maker.steps() + self.replayed
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.maker.bytes()
    }

    /// Whether a shorter run might have been found with more time.
    pub(super) fn is_longer(&self) -> bool {
        self.maker.is_longer()
    }

    /// From now on the first run that is found will do.
    pub(super) fn hurry(&mut self) {
        self.maker.hurry();
    }

    /// Does a small step.
    pub(super) fn step<G: Ground<'p>>(
        &mut self,
        ground: &mut G,
        program: &'p Program,
        obligation: &Obligation,
        (fairness, deadlock): (&FairnessOf, Deadlock),
    ) -> Option<Made> {
        let Some((lasso, replay)) = &mut self.replay else {
            return match self.maker.step(ground) {
                Ok(None) => None,
                Ok(Some(lasso)) => {
                    let replay = Replay::new(program, obligation, &lasso);
                    self.replay = Some((lasso, replay));
                    None
                }
                Err(_) => Some(Err(LassoFault::Open)),
            };
        };
        self.replayed += 1;
        let result = replay.step(obligation, fairness, deadlock, lasso)?;
        let lasso = self.replay.take().map(|(lasso, _)| lasso)?;
        Some(result.map(|ledger| (lasso, ledger)))
    }
}
