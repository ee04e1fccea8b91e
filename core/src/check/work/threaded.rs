//! The older method, which searches the whole product with every position of the tracked processes.

use super::{About, Turn, Work, whole_end};
use crate::check::breadth_first::path_to;
use crate::check::making::{Made, Making};
use crate::check::report::Stats;
use crate::explore::Path;
use crate::property::Obligation;
use crate::search::ThreadedSearch;

#[derive(Debug)]
pub(super) struct Threaded<'p>(ThreadedSearch<'p>);

impl<'p> Threaded<'p> {
    pub(super) fn new(about: &About<'p>, obligation: &Obligation) -> Self {
        let (options, limits) = (&about.options, about.options.limits);
        let fairness = about.fairness.clone();
        let mut search =
            ThreadedSearch::new(about.program, obligation, fairness, options.deadlock, limits.states);
        search.aqsi_mut().set_cache_bytes(limits.cache_bytes());
        Threaded(search)
    }
}

/// A shortest path to the error that ended the search.
fn fault_path(search: &mut ThreadedSearch<'_>) -> Option<Path> {
    let (state, tracked, _) = search.node(search.fault_node()?).clone();
    path_to(search.aqsi_mut(), |aqsi, id| {
        let (s, l) = aqsi.node(id);
        s == state && aqsi.aqs().stabiliser(s).transporter(l, &tracked).is_some()
    })
}

impl<'p> Work<'p> for Threaded<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        if self.0.step() {
            return Turn::More;
        }
        let (outcome, stats) = (self.0.outcome().cloned(), self.stats(about));
        whole_end(&mut self.0, outcome, about, stats, fault_path)
    }

    fn stats(&self, about: &About<'p>) -> Stats {
        let search = &self.0;
        Stats {
            aqs_states: Some(search.aqs().len().into()),
            ..about.of_product(search.len(), search.edge_count(), search.bytes())
        }
    }

    fn make(&mut self, making: &mut Making<'p>, about: &About<'p>, obligation: &Obligation) -> Option<Made> {
        making.step(&mut self.0, about.program, obligation, (&about.fairness, about.options.deadlock))
    }
}
