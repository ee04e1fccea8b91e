//! The counts at a step, as a table. It has the same rows at every step, so that nothing jumps while it plays.

use super::{Moment, moment, size};
use crate::engine::Iterations;
use crate::view::text;
use orbitscope_core::natural::Natural;
use orbitscope_core::symbolic::Iteration;

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the count.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub help: &'static str,
    /// Whether it is a part of the row before it that is not one.
    pub part: bool,
    /// How many states; empty where it is not known at this step.
    pub states: String,
    /// The same with all its digits.
    pub digits: String,
    /// How many nodes the diagram has; empty where no diagram is kept.
    pub nodes: String,
}

/// The name, the meaning, and whether it is a part of what stands before.
const ROWS: [(&str, &str, bool); 9] = [
    ("frontier", "the states that the iteration starts from", false),
    ("expanded", "those whose successors are computed", true),
    ("left aside", "those that a hint or the under-approximation leaves for later", true),
    ("successors", "the states that one step leads to from those expanded", false),
    ("known", "of these, representatives already", true),
    ("symmetric", "of these, removed: some representative is symmetric to them", true),
    ("added", "of these, new: they become representatives", true),
    ("representatives", "all of them at the end of the iteration", false),
    (
        "covered",
        "the states that are symmetric to a representative, which is why nobody looks at them again",
        false,
    ),
];

/// The rows at a step.
pub fn facts(found: &Iterations, step: u32) -> Vec<Fact> {
    let counts: [Option<(Natural, Option<u32>)>; 9] = match moment(found, step) {
        Moment::Start(None) => Default::default(),
        Moment::Start(Some(start)) => {
            let whole = |n: &Natural, nodes| Some((n.clone(), Some(nodes)));
            let (first, all) = (size(&start.diagrams.frontier), size(&start.diagrams.covered));
            let mut counts: [_; 9] = Default::default();
            counts[0] = whole(&start.states, first);
            counts[7] = whole(&start.states, first);
            counts[8] = whole(&start.covered, all);
            counts
        }
        Moment::Iteration(_, iteration) => of_iteration(iteration),
        Moment::End => {
            let summary = &found.summary;
            let last = summary.iterations.last();
            let mut counts: [_; 9] = Default::default();
            let nodes = |of: fn(&Iteration) -> u32| last.filter(|_| found.all == found.steps() - 1).map(of);
            counts[7] = Some((summary.representatives.clone(), nodes(|i| i.representatives_nodes)));
            counts[8] = Some((summary.covered.clone(), nodes(|i| i.covered_nodes)));
            counts
        }
    };
    let rows = ROWS.into_iter().zip(counts);
    rows.map(|((name, help, part), count)| {
        let (states, nodes) = count.map_or((None, None), |(states, nodes)| (Some(states), nodes));
        Fact {
            name,
            help,
            part,
            states: states.as_ref().map_or_else(String::new, text::natural),
            digits: states.map_or_else(String::new, |states| states.to_string()),
            nodes: nodes.map_or_else(String::new, |nodes| text::count(nodes.into())),
        }
    })
    .collect()
}

fn of_iteration(i: &Iteration) -> [Option<(Natural, Option<u32>)>; 9] {
    let set = |n: &Natural, nodes: u32| Some((n.clone(), Some(nodes)));
    let part = |n: &Natural| Some((n.clone(), None));
    [
        set(&i.frontier, i.frontier_nodes),
        set(&i.under, i.under_nodes),
        part(&i.frontier.minus(&i.under)),
        part(&i.successors),
        part(&i.known),
        part(&i.symmetric),
        part(&i.added),
        set(&i.representatives, i.representatives_nodes),
        set(&i.covered, i.covered_nodes),
    ]
}
