//! The parts of the page's memory, each with what changes together.

use super::mode::Played;
use super::open::Wish;
use super::{
    Asked, Drawn, Halt, Item, Known, PlayState, Screen, Session, Set, Side, Walking, Written, branching,
};
use crate::engine::protocol::RequestId;
use crate::engine::{Checked, Document, Film, GraphKind, ModelInfo, Orbit, Problem, PropertyInfo, Surveyed};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The engine's findings about the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The last model without problems; it stays visible while the text has some.
    pub info: Option<Rc<ModelInfo>>,
    /// The errors of the present text and parameters.
    pub problems: Rc<[Problem]>,
    /// The errors that the model has when it runs.
    pub faults: Rc<[Problem]>,
    /// The answers to the properties, by their numbers.
    pub checked: BTreeMap<u32, Rc<Checked>>,
    /// The findings of the pass over all states.
    pub surveyed: Option<Rc<Surveyed>>,
}

impl Findings {
    /// The property with this number.
    pub fn property(&self, number: u32) -> Option<&PropertyInfo> {
        self.info.as_ref()?.properties.get(number as usize)
    }
}

/// The film that is played, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// Whether a walk by hand is played, or a search.
    pub(super) played: Played,
    /// The walk by hand, while there is one.
    pub walking: Option<Walking>,
    /// Whether it is known that the check of the property that is looked at takes long: then it is checked behind the
    /// pictures.
    pub(super) takes_long: bool,
    /// The film of the property that is looked at; none inside where it has no search.
    pub(super) film: Known<Film>,
    /// The parts of a property of branching time that are looked at.
    pub(super) look: branching::Look,
    /// Where the film is.
    pub player: PlayState,
    /// Where playing stops by itself.
    pub halts: Rc<[Halt]>,
}

impl Default for Playing {
    fn default() -> Self {
        Playing {
            played: Played::Search,
            walking: None,
            takes_long: false,
            film: Known::NotYet,
            look: branching::Look::default(),
            player: PlayState::new(0),
            halts: Rc::default(),
        }
    }
}

/// The graphs.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Which graph is shown.
    pub view: GraphKind,
    /// Which diagram is shown in its place while the engine is symbolic.
    pub(super) diagram: Option<Set>,
    pub(super) pictures: BTreeMap<GraphKind, Drawn>,
    /// How often as much again of a graph was asked for.
    pub(super) enlarged: BTreeMap<GraphKind, u32>,
    /// Counts what pictures are made from: models, choices and searches.
    pub(super) basis: u32,
    /// The node whose orbit is looked at, and its orbit once it is known.
    pub unfolded: Option<(GraphKind, u32)>,
    pub(super) orbit: Known<Orbit>,
}

impl Default for Scene {
    fn default() -> Self {
        Scene {
            view: GraphKind::Aqs,
            diagram: None,
            pictures: BTreeMap::new(),
            enlarged: BTreeMap::new(),
            basis: 0,
            unfolded: None,
            orbit: Known::NotYet,
        }
    }
}

/// The item that is pointed at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// The item that was chosen.
    pub selected: Option<Item>,
    /// The item that the pointer is on.
    pub hovered: Option<Item>,
    /// The node that a walk could start from: the one that was chosen last.
    pub offered: Option<(GraphKind, u32)>,
}

/// Which parts of the page are in front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Which part of the page a small screen shows.
    pub screen: Screen,
    /// Which tab of the side is shown.
    pub side: Side,
}

/// The line to the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The question under way.
    pub asked: Option<Asked>,
    /// Whether checks were stopped, and none is started until they are wanted again.
    pub halted: bool,
    /// The question that somebody wants to be passed over.
    pub(super) skipped: Option<RequestId>,
    /// How many milliseconds each property may take; none for as long as it takes.
    pub patience: Option<u32>,
    /// News of the engine that one should know.
    pub notice: Option<Rc<str>>,
    /// Counts the changes of text and parameters.
    pub(super) version: u32,
    /// The version that the worker has.
    pub(super) loaded: Option<u32>,
    /// Whether the worker has lost the search that is shown: nothing is asked until one checks again.
    pub(super) lost: bool,
    /// Whether the engine could not be loaded: it would be tried for ever.
    pub(super) missing: bool,
}

/// The parts of the session that are kept, and taken away from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Counts what was done by hand: there is something to keep.
    pub touched: u32,
    /// Counts the models that were picked and opened: what was there before stays kept.
    pub epoch: u32,
    /// The session as it was when something else was picked or opened, without its pictures: it may have to be kept yet.
    pub left: Option<Rc<Session>>,
    /// The wishes of a link that wait for answers.
    pub(super) wish: Wish,
    /// The document that is wanted.
    pub(super) document: Option<Document>,
    /// The last document that was written, or why it could not be.
    pub written: Option<(Document, Written)>,
    /// Other remarks, until they are dismissed.
    pub remarks: Rc<[Rc<str>]>,
}
