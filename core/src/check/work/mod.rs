//! The engines of a [`Check`](super::Check) behind one interface.
//!
//! A piece of work searches one obligation, or answers a property that has none: an invariant, or one of branching
//! time. It knows nothing of the obligations before and after it.

mod explicit;
mod fair;
mod onthefly;
mod symbolic;
mod threaded;
mod whole;

pub(super) use whole::{Branching, Invariant, SymbolicBranching};

use super::making::{Made, Making};
use super::options::{Engine, Options};
use super::report::{Faulty, Progress, Report, Stats, Unknown};
use super::survey::unknown_fault;
use crate::crew::Crew;
use crate::explore::{Exploration, Path};
use crate::product::FairnessOf;
use crate::program::Program;
use crate::property::Obligation;
use crate::quotient::Prune;
use crate::search::{Event, Ground, LassoFault, Search, Trace, WholeOutcome};
use crate::symbolic::{Reach, Summary};
use alloc::boxed::Box;
use core::fmt::Debug;

/// The part of a check that all engines share.
#[derive(Debug)]
pub(super) struct About<'p> {
    pub program: &'p Program,
    pub options: Options,
    pub prune: Prune,
    pub fairness: FairnessOf,
    /// The counts of earlier obligations.
    pub before: Stats,
}

/// The end of the search of one obligation.
pub(super) enum Ended {
    Holds,
    Run(Made),
    Prefix(Path),
    Unknown(Unknown),
}

/// The outcome of a step.
pub(super) enum Turn<'p> {
    /// There is more to do.
    More,
    /// A violation is in hand; its run is to be made.
    Violated(Box<Making<'p>>),
    /// The search of the obligation has ended.
    Ended(Ended),
    /// The property is answered.
    Answered(Box<Report>),
}

/// The search of one obligation, or of a property without any.
pub(super) trait Work<'p>: Debug {
    /// Does a small step.
    fn step(&mut self, about: &About<'p>) -> Turn<'p>;

    /// How many states are waiting that a crew can look at at the same time.
    fn waiting(&self) -> u32 {
        0
    }

    /// Does about this many steps with a crew, some of those that [are waiting](Self::waiting).
    fn round(&mut self, _crew: &dyn Crew, _steps: u32) {}

    /// The counts so far.
    fn stats(&self, _about: &About<'p>) -> Stats {
        self.reach().map(super::symbolic::stats).unwrap_or_default()
    }

    /// How far it is, where its counts do not tell.
    fn progress(&self) -> Option<Progress> {
        None
    }

    /// How deep a depth-first search is.
    fn depth(&self) -> u32 {
        0
    }

    /// Whether it looks at the memory in use itself.
    fn watches_memory(&self) -> bool {
        false
    }

    /// Does a small step of the making of a run.
    fn make(
        &mut self,
        _making: &mut Making<'p>,
        _about: &About<'p>,
        _obligation: &Obligation,
    ) -> Option<Made> {
        Some(Err(LassoFault::Open))
    }

    /// Nobody waits any longer: says whether a few more steps show a violation that is in hand.
    fn hurry(&mut self) -> bool {
        false
    }

    /// The answer as far as it is known, of work that answers the whole property.
    fn report(&mut self, _about: &About<'p>) -> Option<Report> {
        None
    }

    /// The event of the last step of the on-the-fly search.
    fn event(&self) -> Option<Event> {
        None
    }

    /// The on-the-fly search.
    fn search(&self) -> Option<&Search<'p>> {
        None
    }

    /// The symbolic search.
    fn reach(&self) -> Option<&Reach<'p>> {
        None
    }

    /// An account of the symbolic search.
    fn summary(&self) -> Option<Box<Summary>> {
        self.reach().map(|reach| Box::new(reach.summary()))
    }

    /// The states of the program, for the next obligation.
    fn into_states(self: Box<Self>) -> Option<Box<Exploration<'p>>> {
        None
    }
}

/// Starts the search of an obligation by the engine that is asked for.
pub(super) fn start<'p>(
    about: &About<'p>,
    obligation: &Obligation,
    states: Option<Box<Exploration<'p>>>,
) -> Result<Box<dyn Work<'p> + 'p>, Unknown> {
    Ok(match about.options.engine {
        Engine::Onthefly => Box::new(onthefly::Onthefly::new(about, obligation)),
        Engine::Threaded => Box::new(threaded::Threaded::new(about, obligation)),
        Engine::Explicit => Box::new(explicit::Explicit::new(about, obligation, states)),
        Engine::Symbolic if symbolic::takes(about, obligation) => {
            Box::new(symbolic::Symbolic::new(about, obligation)?)
        }
        Engine::Symbolic => Box::new(fair::Fair::new(about, obligation)?),
    })
}

impl About<'_> {
    /// The counts of this search and of those before it.
    fn counted(&self, own: Stats) -> Stats {
        self.before.with(own)
    }

    /// The counts of a product that is built whole; a node beyond the limit is not counted.
    fn of_product(&self, nodes: u32, edges: u64, bytes: u64) -> Stats {
        Stats {
            product_states: Some(nodes.min(self.options.limits.states).into()),
            product_edges: Some(edges),
            peak_bytes: bytes,
            ..Stats::default()
        }
    }
}

/// The end of a method that builds the product whole; `path` finds the way to an error.
fn whole_end<'p, G: Ground<'p>>(
    search: &mut G,
    outcome: Option<WholeOutcome>,
    about: &About<'p>,
    stats: Stats,
    path: impl FnOnce(&mut G) -> Option<Path>,
) -> Turn<'p> {
    match outcome {
        Some(WholeOutcome::Holds) => Turn::Ended(Ended::Holds),
        Some(WholeOutcome::Violated(component)) => {
            let (found, counted) = ((Trace::default(), component), about.counted(stats));
            Turn::Violated(Box::new(Making::new(&*search, found, &about.fairness, counted)))
        }
        Some(WholeOutcome::Limit(limit)) => Turn::Ended(Ended::Unknown(Unknown::Limit(limit))),
        Some(WholeOutcome::StepFault(fault)) => whole_fault(Faulty::Step(fault), path(search)),
        Some(WholeOutcome::AtomFault(fault)) => whole_fault(Faulty::Property(fault), path(search)),
        None => Turn::Ended(Ended::Unknown(Unknown::Stopped)),
    }
}

fn whole_fault<'p>(what: Faulty, path: Option<Path>) -> Turn<'p> {
    Turn::Ended(Ended::Unknown(unknown_fault(what, path)))
}
