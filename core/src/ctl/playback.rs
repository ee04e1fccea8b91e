//! Heljanko's search step by step, forwards and backwards: what happens on its two stacks.
//!
//! The events and the heights of the stacks are kept for every step, the search itself now and then: the state at any step is
//! a kept search that has taken some more steps. So what is shown is the search itself, never a second one.

use super::global::{Event, GlobalSearch};
use super::graph::Graph;
use super::label::Leaves;
use super::part::{PartId, Sub, SubId};
use super::run::CtlCheck;
use crate::ids::IdVec;
use alloc::vec::Vec;

/// The steps between two searches that are kept.
const APART: u32 = 256;

/// One step of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The event.
    pub event: Event,
    /// How high St is after it: the path of the search.
    pub st: u32,
    /// How high FSt is after it: the visited states from which the current one can be reached.
    pub fst: u32,
}

/// The change of a stack in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackMove {
    /// Nothing.
    Stays,
    /// It put one vertex on top.
    Push,
    /// It took this many vertices from the top.
    Pop(u32),
}

/// The input of a search: nothing else is needed to play it again elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score {
    /// The graph of the part.
    pub graph: Graph,
    /// The part's subformulas.
    pub subs: IdVec<SubId, Sub>,
    /// The rows of those that the search does not evaluate itself.
    pub leaves: Leaves,
}

/// A recorded search of one part.
///
/// ```
/// use orbitscope_core::ctl::{Bitmap, Event, Graph, Path, Playback, Score, StackMove, Sub, SubId, Vertex};
/// // 0 → 1 → 2 → 2, and the expression holds in 2.
/// let mut graph = Graph::default();
/// for to in [1, 2, 2] {
///     graph.push([Vertex(to)]);
/// }
/// let mut atom = Bitmap::filled(3, false);
/// atom.set(Vertex(2), true);
/// let subs = [Sub::Const(true), Sub::Atom(0), Sub::Until(Path::Some, SubId(0), SubId(1))];
/// let leaves = vec![(SubId(1), atom)];
/// let mut playback = Playback::new(Score { graph, subs: subs.into_iter().collect(), leaves }, 1000);
/// let witness = playback.moves().iter().position(|m| matches!(m.event, Event::Witness(..))).unwrap();
/// assert_eq!(playback.stack_moves(witness as u32), (StackMove::Pop(2), StackMove::Pop(2)));
/// assert_eq!(playback.seek(witness as u32).fst(), [Vertex(0), Vertex(1)]);
/// ```
#[derive(Clone, Debug)]
pub struct Playback {
    graph: Graph,
    subs: IdVec<SubId, Sub>,
    moves: Vec<Moved>,
    /// The search before step 0, `APART`, 2·`APART`, …
    kept: Vec<GlobalSearch>,
    /// The search before step `at`.
    current: GlobalSearch,
    at: u32,
    whole: bool,
}

impl Playback {
    /// Records the search over a graph, up to this many steps.
    pub fn new(Score { graph, subs, leaves }: Score, most: u32) -> Self {
        let first = GlobalSearch::new(&graph, leaves);
        let mut search = first.clone();
        let (mut moves, mut kept) = (Vec::new(), Vec::new());
        let mut whole = false;
        while (moves.len() as u32) < most {
            if (moves.len() as u32).is_multiple_of(APART) {
                kept.push(search.clone());
            }
            let Some(event) = search.step(&graph, &subs) else {
                whole = true;
                break;
            };
            moves.push(Moved { event, st: search.st().len() as u32, fst: search.fst().len() as u32 });
        }
        Playback { graph, subs, moves, kept, current: first, at: 0, whole }
    }

    /// All steps of the search.
    pub fn moves(&self) -> &[Moved] {
        &self.moves
    }

    /// Whether the search was recorded to its end.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The subformulas of the part.
    pub fn subs(&self) -> &IdVec<SubId, Sub> {
        &self.subs
    }

    /// The graph that is searched.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The step that comes next.
    pub fn at(&self) -> u32 {
        self.at
    }

    /// The changes of St and of FSt in a step.
    pub fn stack_moves(&self, step: u32) -> (StackMove, StackMove) {
        let heights = |step: Option<u32>| {
            let moved = step.and_then(|step| self.moves.get(step as usize));
            moved.map_or((0, 0), |moved| (moved.st, moved.fst))
        };
        let (before, after) = (heights(step.checked_sub(1)), heights(Some(step)));
        let change = |before: u32, after: u32| match before.checked_sub(after) {
            None => StackMove::Push,
            Some(0) => StackMove::Stays,
            Some(taken) => StackMove::Pop(taken),
        };
        (change(before.0, after.0), change(before.1, after.1))
    }

    /// The search as it is before a step; behind the last one as it ends.
    pub fn seek(&mut self, step: u32) -> &GlobalSearch {
        let step = step.min(self.moves.len() as u32);
        if step < self.at || step - self.at > APART {
            let number = (step / APART).min((self.kept.len() as u32).saturating_sub(1));
            if let Some(kept) = self.kept.get(number as usize) {
                self.current = kept.clone();
                self.at = number * APART;
            }
        }
        while self.at < step && self.current.step(&self.graph, &self.subs).is_some() {
            self.at += 1;
        }
        &self.current
    }
}

impl CtlCheck<'_> {
    /// Heljanko's search of a part, to be stepped through, whatever algorithm answered. None before everything is known,
    /// and for a `mu` property, which is not searched.
    pub fn playback(&mut self, part: PartId, most: u32) -> Option<Playback> {
        Some(Playback::new(self.score(part)?, most))
    }

    /// The input of Heljanko's search of a part; none where there is no [`CtlCheck::playback`].
    pub fn score(&mut self, part: PartId) -> Option<Score> {
        if self.outcome().is_none() || self.truths.get(part).is_none() || self.formula.mu {
            return None;
        }
        let mut leaves = self.leaves(part);
        let subs = self.formula.parts[part].subs.clone();
        for (sub, kind) in subs.iter_enumerated() {
            if let Sub::FairGlobally(_) = kind {
                leaves.push((sub, self.satisfying(part, sub)?));
            }
        }
        Some(Score { graph: self.spaces[part].graph().clone(), subs, leaves })
    }
}
