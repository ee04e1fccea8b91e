//! The stack of the search: each node with its numbers, its partition, and what is known of fairness.

pub mod classes;

pub use classes::{ClassView, Classes};

use crate::engine::words::Words;
use orbitscope_core::product::NodeId;
use orbitscope_core::search::log::{Effect, FrameShot, Log, Snapshot};

/// The most rows that are shown, from the top of the stack.
const ROWS: usize = 48;
/// The most waiting nodes that are named.
const WAITING: usize = 12;

/// A node that the search is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// Its number in the order of visiting.
    pub dfnum: u32,
    /// The smallest number that it is known to reach on the stack.
    pub lowlink: u32,
    /// Its state.
    pub state: String,
    /// Where the tracked processes are in it.
    pub places: String,
    /// The state of the automaton.
    pub automaton: u32,
    /// The search's knowledge there.
    pub frame: FrameView,
    /// Nodes that were entered from it and left, and wait for their component to be complete: the first of them.
    pub waiting: Vec<NodeId>,
    /// How many more of these there are.
    pub more_waiting: u32,
    /// Whether the search is at this node.
    pub current: bool,
}

/// The search's knowledge at a node that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView {
    /// Its classes.
    pub classes: Classes,
    /// For each mark that acceptance needs, whether it has been seen.
    pub marks: Vec<bool>,
    /// How many of its edges have been followed, and how many there are.
    pub edges: (u32, u32),
    /// How many edges are not followed, because a parallel one is.
    pub pruned: u64,
    /// Whether an edge inside the component has been found.
    pub inner: bool,
    /// Whether the last step taught it something.
    pub learnt: bool,
}

impl FrameView {
    /// Whether everything is there that a fair, accepted run needs.
    pub fn is_complete(&self) -> bool {
        self.inner && self.marks.iter().all(|&seen| seen) && self.classes.all_fair()
    }

    /// The conditions that the answer yes still needs, in words.
    pub fn missing(&self) -> String {
        let mut parts = Vec::new();
        if !self.inner {
            parts.push("a cycle".to_owned());
        }
        match self.classes.fair {
            Some(fair) if fair < self.classes.len() => {
                let left = self.classes.len() - fair;
                parts.push(format!("fairness for {left} of {} classes", self.classes.len()));
            }
            None => parts.push("fairness for some classes".into()),
            Some(_) => {}
        }
        let unseen = self.marks.iter().filter(|&&seen| !seen).count();
        if unseen > 0 {
            parts.push(format!("{unseen} of {} acceptance marks", self.marks.len()));
        }
        parts.join(", ")
    }
}

/// The nodes that the search is in, the last one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// The first rows.
    pub rows: Vec<Row>,
    /// How many nodes the search is in below them.
    pub below: u32,
    /// How many nodes are on the stack, with those that have been left.
    pub size: u32,
}

impl Stack {
    /// The stack after some steps of a log.
    pub fn new(log: &Log, words: &Words, snapshot: &Snapshot) -> Stack {
        let on_stack: Vec<u32> = snapshot.stack().collect();
        let last = snapshot.step.checked_sub(1).map(|last| log.steps()[last as usize].effect);
        let frames = &snapshot.frames;
        let row = |depth: usize| {
            let frame = &frames[depth];
            let entry = &log.entries()[frame.dfnum as usize];
            let current = depth + 1 == frames.len();
            let learnt = current && matches!(last, Some(Effect::Learnt(_)));
            let start = on_stack.partition_point(|&number| number <= frame.dfnum);
            let end = frames
                .get(depth + 1)
                .map_or(on_stack.len(), |next| on_stack.partition_point(|&number| number < next.dfnum));
            let waiting: Vec<NodeId> = on_stack[start..end]
                .iter()
                .take(WAITING)
                .map(|&number| snapshot.visited[number as usize].node)
                .collect();
            Row {
                node: entry.node,
                dfnum: frame.dfnum,
                lowlink: snapshot.visited[frame.dfnum as usize].lowlink,
                state: words.states[frame.dfnum as usize].clone(),
                places: words.places(&entry.tracked),
                automaton: entry.automaton.0,
                frame: FrameView { learnt, ..frame_view(log, words, frame) },
                more_waiting: (end - start - waiting.len()) as u32,
                waiting,
                current,
            }
        };
        let rows: Vec<Row> = (0..frames.len()).rev().take(ROWS).map(row).collect();
        Stack { below: (frames.len() - rows.len()) as u32, rows, size: on_stack.len() as u32 }
    }
}

fn frame_view(log: &Log, words: &Words, frame: &FrameShot) -> FrameView {
    let entry = &log.entries()[frame.dfnum as usize];
    FrameView {
        classes: Classes::of_frame(log, words, frame.partition, frame.fair),
        marks: log.all_marks().iter().map(|mark| frame.marks.contains(mark)).collect(),
        edges: (frame.next, entry.edges.len() as u32),
        pruned: entry.pruned,
        inner: frame.inner,
        learnt: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;
    use orbitscope_core::search::Event;
    use orbitscope_core::search::log::Player;

    /// Every frame is a row, every other node on the stack waits under one, and what the rows say of fairness is what
    /// the log says.
    #[test]
    fn rows_are_the_nodes_on_the_stack() {
        for case in fixture::cases() {
            let mut player = Player::new();
            let stride = (case.log.len() / 60).max(1);
            for step in (0..=case.log.len()).step_by(stride as usize) {
                let snapshot = player.seek(&case.log, step).unwrap();
                let stack = Stack::new(&case.log, &case.words, snapshot);
                assert_eq!(stack.rows.len() as u32 + stack.below, snapshot.frames.len() as u32);
                assert_eq!(stack.size, snapshot.stack().count() as u32);
                let nodes: u32 =
                    stack.rows.iter().map(|row| 1 + row.waiting.len() as u32 + row.more_waiting).sum();
                assert!(nodes == stack.size || stack.below > 0, "{} {step}", case.name);
                for (row, frame) in stack.rows.iter().zip(snapshot.frames.iter().rev()) {
                    assert_eq!(row.dfnum, frame.dfnum);
                    assert_eq!(row.current, snapshot.frames.last() == Some(frame));
                    assert_eq!(row.node, snapshot.visited[row.dfnum as usize].node);
                    assert!(row.lowlink <= row.dfnum);
                    let view = &row.frame;
                    let members: u32 = view.classes.shown.iter().map(|class| class.size).sum();
                    assert!(members == case.log.degree() || view.classes.hidden > 0);
                    assert!(view.missing().is_empty() == view.is_complete(), "{}", view.missing());
                }
            }
        }
    }

    /// Without strong fairness the search says yes where, and only where, the top of the stack has everything.
    #[test]
    fn the_answer_is_yes_where_nothing_is_missing() {
        let case = fixture::controller("eventually_access");
        assert!(matches!(case.log.steps().last().unwrap().event, Event::Yes(_)));
        let mut player = Player::new();
        for step in 0..=case.log.len() {
            let stack = Stack::new(&case.log, &case.words, player.seek(&case.log, step).unwrap());
            let complete = stack.rows.iter().any(|row| row.frame.is_complete());
            assert_eq!(complete, step >= case.log.len() - 1, "step {step}");
        }
    }

    #[test]
    fn a_million_processes_are_not_written_out() {
        let source = orbitscope_core::models::ALL[0].source;
        let case = fixture::cases_of(source, &[("clients", 1_000_000)], Some("always_idle_again")).remove(0);
        let size: usize = case.words.states.iter().map(String::len).sum();
        assert!(size < case.words.states.len() * 80, "{}", case.words.states[20]);
        let stack = Stack::new(&case.log, &case.words, &case.log.at(200).unwrap());
        let classes = &stack.rows[0].frame.classes;
        assert!(classes.len() < 6, "{}", classes.line());
        assert!(classes.line().contains("..999999]") || classes.line().contains(".."), "{}", classes.line());
    }
}
