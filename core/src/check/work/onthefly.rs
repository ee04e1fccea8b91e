//! The on-the-fly search of an obligation.

use super::{About, Ended, Turn, Work};
use crate::check::breadth_first::path_to_found;
use crate::check::making::{Made, Making};
use crate::check::report::{Faulty, Stats, Unknown};
use crate::check::survey::unknown_fault;
use crate::error::Limit;
use crate::product::{Product, ProductFault};
use crate::property::Obligation;
use crate::quotient::EdgeStorage;
use crate::search::{Event, Outcome, Search};
use alloc::boxed::Box;
use alloc::vec::Vec;

#[derive(Debug)]
pub(super) struct Onthefly<'p> {
    search: Search<'p>,
    /// The edges of the nodes that the search has entered.
    edges: u64,
    event: Option<Event>,
    /// Whether the quotient is still built ahead of the search.
    ahead: bool,
}

impl<'p> Onthefly<'p> {
    pub(super) fn new(about: &About<'p>, obligation: &Obligation) -> Self {
        let (options, limits) = (&about.options, about.options.limits);
        let mut product = Product::new(about.program, obligation, about.prune, options.deadlock);
        product.aqsi_mut().hold_edges(options.edges);
        product.set_cache_bytes(limits.cache_bytes());
        product.limit_bytes(limits.bytes);
        let search = Search::new(product, about.fairness.clone(), limits.states).thrifty();
        Onthefly { search, edges: 0, event: None, ahead: options.edges == EdgeStorage::Ahead }
    }

    fn ended(&mut self, outcome: Outcome, about: &About<'p>) -> Turn<'p> {
        let counted = about.counted(self.stats(about));
        let search = &mut self.search;
        // A violation that is certain is shown, also at the edge of memory.
        search.product_mut().limit_bytes(u64::MAX);
        Turn::Ended(match outcome {
            Outcome::Holds => Ended::Holds,
            Outcome::Fault(ProductFault::Full(_)) => Ended::Unknown(Unknown::Limit(Limit::Bytes)),
            Outcome::Violated(component) => {
                let found = (search.trace_of(&component), component);
                let making = Making::new(search.product(), found, &about.fairness, counted);
                return Turn::Violated(Box::new(making));
            }
            Outcome::Limit(limit) => Ended::Unknown(Unknown::Limit(limit)),
            Outcome::Fault(fault) => {
                let found = match fault {
                    ProductFault::Step(at, fault) => Some((at, Faulty::Step(fault))),
                    ProductFault::Atom(at, fault) => Some((at, Faulty::Property(fault))),
                    ProductFault::Automaton(_) | ProductFault::Full(_) => None,
                };
                Ended::Unknown(found.map_or(Unknown::Limit(Limit::Nodes), |(at, what)| {
                    let way = search.frames().iter().map(|frame| search.product().node(frame.node).0);
                    let way: Vec<_> = way.chain([at]).collect();
                    unknown_fault(what, path_to_found(search.product_mut().aqsi_mut(), &way))
                }))
            }
        })
    }
}

impl<'p> Work<'p> for Onthefly<'p> {
    fn step(&mut self, about: &About<'p>) -> Turn<'p> {
        self.event = None;
        if self.ahead {
            let aqsi = self.search.product_mut().aqsi_mut();
            self.ahead = aqsi.build_next();
            let full = aqsi.len() > about.options.limits.states;
            return if full {
                Turn::Ended(Ended::Unknown(Unknown::Limit(Limit::States)))
            } else {
                Turn::More
            };
        }
        if self.search.ponder() {
            return Turn::More;
        }
        self.event = self.search.step();
        match self.event {
            Some(Event::Root(_) | Event::Tree { .. }) => {
                // With its first node a search begins, or begins once more.
                if self.search.visited() == 1 {
                    self.edges = 0;
                }
                self.edges += self.search.frames().last().map_or(0, |frame| frame.edges.len() as u64);
            }
            Some(Event::Yes(_) | Event::No | Event::Stopped(_)) | None => {}
            Some(_) => return Turn::More,
        }
        match self.search.outcome().cloned() {
            Some(outcome) => self.ended(outcome, about),
            None => Turn::More,
        }
    }

    fn stats(&self, _about: &About<'p>) -> Stats {
        let search = &self.search;
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

    fn depth(&self) -> u32 {
        self.search.frames().len() as u32
    }

    fn make(&mut self, making: &mut Making<'p>, about: &About<'p>, obligation: &Obligation) -> Option<Made> {
        let how = (&about.fairness, about.options.deadlock);
        making.step(self.search.product_mut(), about.program, obligation, how)
    }

    fn event(&self) -> Option<Event> {
        self.event
    }

    fn search(&self) -> Option<&Search<'p>> {
        Some(&self.search)
    }
}
