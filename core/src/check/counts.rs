//! What a check has counted.

use super::report::Stats;
use super::run::{Check, Work};
use super::symbolic;

impl Check<'_> {
    /// What has been counted so far, with the search under way.
    pub fn stats(&self) -> Stats {
        if let Some(making) = &self.making {
            return making.counted;
        }
        let own = match &self.work {
            Work::Idle | Work::Branching(_) => return self.before,
            Work::SymbolicBranching(search) => search.reach().map(symbolic::stats).unwrap_or_default(),
            Work::Invariant(_, survey) => survey.stats(),
            Work::Onthefly(search) => {
                let aqsi = search.product().aqsi();
                let (entries, most) = search.highest_stack();
                let below = search.bytes() - search.stack_bytes();
                Stats {
                    aqs_states: Some(aqsi.aqs().len().into()),
                    aqsi_states: Some(aqsi.len().into()),
                    product_states: Some(search.visited().into()),
                    product_edges: Some(self.edges),
                    peak_bytes: below + most,
                    aqs_bytes: Some(aqsi.aqs().bytes()),
                    product_bytes: Some(below - aqsi.aqs().bytes()),
                    stack_entries: Some(entries.into()),
                    stack_bytes: Some(most),
                    edge_expansions: Some(aqsi.expansions()),
                    edge_bytes: Some(aqsi.most_stored_bytes()),
                    ..Stats::default()
                }
            }
            Work::Symbolic(search) => symbolic::stats(&search.reach),
            Work::Threaded(search) => Stats {
                aqs_states: Some(search.aqs().len().into()),
                product_states: Some(search.len().min(self.options.limits.states).into()),
                product_edges: Some(search.edge_count()),
                peak_bytes: search.bytes(),
                ..Stats::default()
            },
            Work::Explicit(search) => Stats {
                states: Some(search.states().states().len().into()),
                edges: Some(search.states().edge_count()),
                product_states: Some(search.len().min(self.options.limits.states).into()),
                product_edges: Some(search.edge_count()),
                peak_bytes: search.bytes(),
                ..Stats::default()
            },
        };
        self.before.with(own)
    }
}
