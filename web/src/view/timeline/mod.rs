//! The search as a line of time: how deep it is at each step, and what each step did.

mod keys;

pub use keys::{of_key, of_key_at};

use orbitscope_core::search::Event;
use orbitscope_core::search::log::Log;

/// The kind of a step, by which it is found again on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A node was entered.
    Push,
    /// A node was left.
    Pop,
    /// An edge led to a node on the stack.
    Back,
    /// A node's knowledge was joined into the one before it.
    Join,
    /// The node that was entered has edges that are not followed.
    Pruned,
    /// A component was complete.
    Component,
    /// The search ended.
    Verdict,
}

/// The rows of a search for a fair component, in the order of [`Kind`]; the verdict is a line through all of them.
const ROWS: &[Row] = &[
    Row { name: "push", help: "a new node goes on the stack", class: "tick-push" },
    Row { name: "pop", help: "a node is left, all of its edges have been followed", class: "tick-pop" },
    Row {
        name: "back edge",
        help: "an edge leads to a node on the stack: it closes a cycle",
        class: "tick-back",
    },
    Row { name: "join", help: "what a node knows is joined into the node before it", class: "tick-join" },
    Row {
        name: "pruned",
        help: "a node is entered that has parallel edges, which are not followed",
        class: "tick-pruned",
    },
    Row { name: "component", help: "a strongly connected component is complete", class: "tick-component" },
];

/// A row of ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name on the page.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub help: &'static str,
    /// Its class in the style sheet.
    pub class: &'static str,
}

/// Some steps that follow each other and are drawn as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The number of its first step; the first step of all has number 1.
    pub first: u32,
    /// The number of its last step.
    pub last: u32,
    /// The least depth in it, and the greatest.
    pub depth: (u32, u32),
    /// How many of its steps have a tick in each row; behind the rows, how many end the search.
    pub counts: [u32; 7],
}

/// The line of time of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Its rows of ticks, from the top.
    pub rows: &'static [Row],
    /// Its columns, which have all steps in their order.
    pub columns: Vec<Column>,
    /// How many steps there are.
    pub len: u32,
    /// The greatest depth.
    pub max_depth: u32,
}

impl Timeline {
    /// The line in at most `columns` columns of equally many steps.
    pub fn new(log: &Log, columns: u32) -> Timeline {
        let mut timeline = Timeline::empty(ROWS, log.len());
        let mut depth = 0;
        let mut entered = log.entries().iter();
        for (number, step) in (1..).zip(log.steps()) {
            let pruned = match step.event {
                Event::Root(_) | Event::Tree { .. } => entered.next().is_some_and(|entry| entry.pruned > 0),
                _ => false,
            };
            depth = match step.event {
                Event::Root(_) | Event::Tree { .. } => depth + 1,
                Event::Join { .. } | Event::Component { .. } => depth - 1,
                _ => depth,
            };
            let pruned = pruned.then_some(Kind::Pruned);
            let ticks = kinds(step.event).iter().copied().chain(pruned).map(|kind| kind as usize);
            timeline.add(number, columns, depth, ticks);
        }
        timeline
    }

    /// The line of a search with so many steps, of which none is there yet.
    pub fn empty(rows: &'static [Row], len: u32) -> Timeline {
        Timeline { rows, columns: Vec::new(), len, max_depth: 0 }
    }

    /// Adds the next step: its number from 1, in how many columns all steps are to be, how deep the search is after it, and
    /// in which rows it has ticks.
    pub fn add(&mut self, number: u32, columns: u32, depth: u32, ticks: impl Iterator<Item = usize>) {
        let per = self.len.div_ceil(columns.max(1)).max(1);
        if (number - 1).is_multiple_of(per) {
            let column = Column { first: number, last: number, depth: (u32::MAX, 0), counts: [0; 7] };
            self.columns.push(column);
        }
        self.max_depth = self.max_depth.max(depth);
        let Some(column) = self.columns.last_mut() else { return };
        column.last = number;
        column.depth = (column.depth.0.min(depth), column.depth.1.max(depth));
        for tick in ticks {
            column.counts[tick] += 1;
        }
    }

    /// The next step after `step` that is of a kind, or the one before it.
    pub fn nearest(log: &Log, step: u32, kind: Kind, forward: bool) -> Option<u32> {
        let is = |&number: &u32| kinds(log.steps()[number as usize - 1].event).contains(&kind);
        if forward { (step + 1..=log.len()).find(is) } else { (1..step).rev().find(is) }
    }
}

/// The step at a place of a line of so many steps, where 0 is before the first step and 1 is the last one.
pub fn step_at(place: f64, len: u32) -> u32 {
    (place.clamp(0.0, 1.0) * len as f64).round() as u32
}

/// The kinds of an event, but for pruned edges, which the entered node knows of.
fn kinds(event: Event) -> &'static [Kind] {
    match event {
        Event::Root(_) | Event::Tree { .. } => &[Kind::Push],
        Event::Back { .. } => &[Kind::Back],
        Event::Cross { .. } => &[],
        Event::Join { .. } => &[Kind::Pop, Kind::Join],
        Event::Component { .. } => &[Kind::Pop, Kind::Component],
        Event::Yes(_) | Event::No | Event::Stopped(_) => &[Kind::Verdict],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;

    #[test]
    fn columns_have_every_step_once_and_the_depth_of_the_stack() {
        for case in fixture::cases() {
            let whole = Timeline::new(&case.log, u32::MAX);
            assert_eq!(whole.columns.len() as u32, case.log.len(), "{}", case.name);
            let depths: Vec<u32> = (1..=case.log.len().min(300))
                .map(|step| case.log.at(step).unwrap().frames.len() as u32)
                .collect();
            let drawn: Vec<u32> = whole.columns.iter().take(300).map(|column| column.depth.1).collect();
            assert_eq!(drawn, depths, "{}", case.name);
            for columns in [1, 7, 100] {
                let timeline = Timeline::new(&case.log, columns);
                assert!(timeline.columns.len() as u32 <= columns);
                let mut next = 1;
                for column in &timeline.columns {
                    assert_eq!(column.first, next);
                    next = column.last + 1;
                    let part = &whole.columns[column.first as usize - 1..column.last as usize];
                    for kind in 0..7 {
                        let sum: u32 = part.iter().map(|c| c.counts[kind]).sum();
                        assert_eq!(column.counts[kind], sum, "{}", case.name);
                    }
                    assert_eq!(column.depth.1, part.iter().map(|c| c.depth.1).max().unwrap());
                }
                assert_eq!(next, case.log.len() + 1);
                assert_eq!(timeline.max_depth, whole.max_depth);
            }
        }
    }

    #[test]
    fn the_controllers_search_has_all_kinds() {
        let log = fixture::controller("always_idle_again").log;
        let timeline = Timeline::new(&log, 1);
        let counts = timeline.columns[0].counts;
        assert_eq!(counts[Kind::Push as usize] as usize, log.entries().len());
        assert_eq!(counts[Kind::Push as usize], counts[Kind::Pop as usize], "everything was left again");
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        assert_eq!(counts[Kind::Verdict as usize], 1);
        assert_eq!(Timeline::nearest(&log, 0, Kind::Verdict, true), Some(log.len()));
        assert_eq!(Timeline::nearest(&log, log.len(), Kind::Push, false).map(|s| s < log.len()), Some(true));
        assert_eq!(Timeline::nearest(&log, 1, Kind::Push, false), None);
    }

    #[test]
    fn places_are_steps() {
        let steps =
            [(-1.0, 0), (0.0, 0), (0.49 / 40.0, 0), (0.51 / 40.0, 1), (0.5, 20), (1.0, 40), (7.0, 40)];
        for (place, step) in steps {
            assert_eq!(step_at(place, 40), step, "{place}");
        }
    }
}
