//! The parts of the symbolic engine's search that are looked at.

use super::Session;
use crate::engine::{Choices, Iterations};
use std::rc::Rc;

/// A set of states that can be looked at as a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The states that an iteration starts from.
    Frontier,
    /// Those of them that it expands.
    Under,
    /// All representatives at its end.
    Representatives,
    /// All states that are symmetric to one of them.
    Covered,
}

impl Set {
    /// All of them.
    pub const ALL: [Set; 4] = [Set::Frontier, Set::Under, Set::Representatives, Set::Covered];
}

impl Session {
    /// The symbolic search of the property that is looked at.
    pub fn iterations(&self) -> Option<&Rc<Iterations>> {
        self.answer()?.iterations.as_ref()
    }

    /// The diagram that is shown in the place of a graph.
    pub fn diagram(&self) -> Option<Set> {
        self.scene.diagram.filter(|_| self.choices.is_symbolic())
    }

    /// Other choices; who chooses the symbolic engine wants to see what it works with.
    pub(super) fn choose(&mut self, choices: Choices) {
        if choices.is_symbolic() && !self.choices.is_symbolic() {
            self.scene_mut().diagram = Some(Set::Representatives);
        }
        self.choices = choices;
    }

    /// The player goes to the start, or to the step that was wished for, of the search that is shown.
    pub(super) fn rewind(&mut self) {
        let iterations = || self.iterations().map_or(0, |found| found.steps());
        let len = self.film().map_or_else(iterations, |film| film.log.len());
        self.play.player = self.player_of(len);
    }
}
