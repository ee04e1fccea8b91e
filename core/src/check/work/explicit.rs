//! The plain method, without symmetry.

use super::{About, Turn, Work, whole_end};
use crate::check::making::{Made, Making};
use crate::check::report::Stats;
use crate::explore::Exploration;
use crate::property::Obligation;
use crate::search::ExplicitSearch;
use alloc::boxed::Box;

#[derive(Debug)]
pub(super) struct Explicit<'p>(ExplicitSearch<'p>);

impl<'p> Explicit<'p> {
    pub(super) fn new(
        about: &About<'p>,
        obligation: &Obligation,
        states: Option<Box<Exploration<'p>>>,
    ) -> Self {
        let (deadlock, limits) = (about.options.deadlock, about.options.limits);
        let states = states
            .map_or_else(|| Exploration::new(about.program, limits, &[]).keeping_edges(), |states| *states);
        Explicit(ExplicitSearch::new(states, obligation, about.fairness.clone(), deadlock, limits))
    }
}

impl<'p> Work<'p> for Explicit<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.step() {
            return Turn::More;
        }
        let (outcome, stats) = (self.0.outcome().cloned(), self.stats(about));
        whole_end(&mut self.0, outcome, about, stats, |search| {
            search.fault_state().map(|state| search.states().path_to(state))
        })
    }

    fn stats(&self, about: &About<'p>) -> Stats {
        let search = &self.0;
        Stats {
            states: Some(search.states().states().len().into()),
            edges: Some(search.states().edge_count()),
            ..about.of_product(search.len(), search.edge_count(), search.bytes())
        }
    }

    fn make(&mut self, making: &mut Making<'p>, about: &About<'p>, obligation: &Obligation) -> Option<Made> {
        making.step(&mut self.0, about.program, obligation, (&about.fairness, about.options.deadlock))
    }

    fn into_states(self: Box<Self>) -> Option<Box<Exploration<'p>>> {
        Some(Box::new(self.0.into_states()))
    }
}
