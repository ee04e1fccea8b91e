//! Heljanko's search as a line of time.

use crate::view::timeline::{Row, Timeline};
use orbitscope_core::ctl::{Event, Playback};

const ROWS: &[Row] = &[
    Row { name: "enter", help: "an undecided state goes on St", class: "tick-push" },
    Row { name: "leave", help: "all edges of a state are done: it leaves St", class: "tick-pop" },
    Row { name: "lower", help: "a state on FSt takes over a smaller number", class: "tick-back" },
    Row { name: "found", help: "a witness, or a counterexample", class: "tick-join" },
    Row { name: "close", help: "states on FSt reach no witness", class: "tick-pruned" },
    Row { name: "decided", help: "all states of a subformula are decided", class: "tick-component" },
];

/// The line in at most `columns` columns: how high St is, and what each step did.
pub fn timeline(playback: &Playback, columns: u32) -> Timeline {
    let mut timeline = Timeline::empty(ROWS, playback.moves().len() as u32);
    for (number, moved) in (1..).zip(playback.moves()) {
        let row = match moved.event {
            Event::Root(_) | Event::Enter(_) => Some(0),
            Event::Leave(_) => Some(1),
            Event::Lower(..) => Some(2),
            Event::Counterexample(..) | Event::Witness(..) => Some(3),
            Event::Close(_) => Some(4),
            Event::Row(_) | Event::End(_) => Some(5),
            Event::Begin(_) | Event::Pass(..) => None,
        };
        timeline.add(number, columns, moved.st, row.into_iter());
    }
    timeline
}
