//! The mode: what the page plays, and which panel stands beside it.

use super::{Item, Session, Stride};
use crate::engine::{Branching, Film, Iterations, Start, Walked};
use std::rc::Rc;

/// A panel of the side, by its name. Panels are registered where they are drawn; the names here are those that the session
/// itself speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side(pub &'static str);

#[allow(non_upper_case_globals, reason = "the names of panels")]
impl Side {
    /// The tree of a formula of branching time.
    pub const Formula: Side = Side("Formula");
    /// The stack of the search.
    pub const Stack: Side = Side("Stack");
    /// The text of the algorithm.
    pub const Algorithm: Side = Side("Algorithm");
    /// The comparison of methods.
    pub const Compare: Side = Side("Compare");
    /// The program, walked through by hand.
    pub const Explore: Side = Side("Explore");
    /// The answers for every size.
    pub const Every: Side = Side("Every n");
    /// A state, looked at closely.
    pub const Inspect: Side = Side("Inspect");
}

/// Which of the two is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Played {
    /// The search of a property, whatever kind it is.
    Search,
    /// A walk by hand.
    Walk,
}

/// The mode: the one thing that the graph's marks, the player, the lanes and the side follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode<'a> {
    /// A walk by hand; none inside while its first state is awaited.
    Walk(Option<&'a Rc<Walked>>),
    /// The iterations of the symbolic engine.
    Iterations(&'a Rc<Iterations>),
    /// The search of a property of branching time; none inside before it is known.
    Branching(Option<&'a Rc<Branching>>),
    /// The search for a fair component.
    Search(&'a Rc<Film>),
    /// Nothing: the property has no search, or it is not known yet.
    Nothing,
}

impl Session {
    /// The mode.
    pub fn mode(&self) -> Mode<'_> {
        if let (Played::Walk, Some(walking)) = (self.play.played, &self.play.walking) {
            return Mode::Walk(walking.known());
        }
        if let Some(iterations) = self.iterations() {
            return Mode::Iterations(iterations);
        }
        if self.looks_branching() {
            return Mode::Branching(self.branching());
        }
        self.film().map_or(Mode::Nothing, Mode::Search)
    }

    /// Whether the page plays a walk by hand.
    pub fn is_walking(&self) -> bool {
        matches!(self.mode(), Mode::Walk(_))
    }

    /// The side shows something else. Whoever explores walks; whoever looks at the search, its formula or the comparison does
    /// not; the other panels follow what is played.
    pub(super) fn turn_side(&mut self, side: Side) {
        let before = self.play.played;
        self.offer(self.pointer.selected);
        self.place.side = side;
        match side {
            Side::Explore => self.play.played = Played::Walk,
            Side::Formula | Side::Stack | Side::Algorithm | Side::Compare => {
                self.play.played = Played::Search;
            }
            _ => {}
        }
        if before == self.play.played {
            return;
        }
        self.pointer.selected = None;
        if let (Played::Walk, Some(walking)) = (self.play.played, &self.play.walking) {
            self.pointer.selected = Some(Item::RunStep(walking.len()));
        } else if self.play.played == Played::Walk {
            self.stride(Stride::Begin(Start::First));
        }
    }
}
