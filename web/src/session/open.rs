//! A session that starts from elsewhere: from a link, from a file, or from what was kept at the last visit.

use super::mode::Played;
use super::{Play, PlayState, Session, Side};
use crate::engine::{Choices, Document, GraphKind, Model, ModelInfo, Question, Walk};
use std::rc::Rc;

/// A text that came with a link and is none of the gallery's.
pub const SHARED: Model = Model::without_text("shared", "Shared model", "This text came with a link.");
/// A text from a file.
pub const OPENED: Model = Model::without_text("file", "Model from a file", "This text came from a file.");
/// A model that somebody starts anew.
pub const NEW: Model = Model::without_text("new", "New model", "Kept in the browser as you type.");
/// A text of one's own that was kept.
pub const OWN: Model = Model::without_text("own", "Your model", "This text was kept in the browser.");

/// The things that a session shall show.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Where the text is from.
    pub origin: Model,
    /// The text and the parameters.
    pub question: Question,
    /// How to check.
    pub choices: Choices,
    /// Which graph is shown.
    pub view: GraphKind,
    /// The name of the property to look at.
    pub property: Option<String>,
    /// The step of its search.
    pub step: u32,
    /// The walk by hand.
    pub walk: Option<Walk>,
    /// Whether it came with a link, which stays in the address until something is changed.
    pub by_link: bool,
}

/// The wishes of an opening that wait for answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wish {
    /// Whether the model has not been seen yet.
    fresh: bool,
    /// The property.
    pub(super) property: Option<String>,
    /// The step. It stays until somebody uses the player: of some properties several searches are filmed, one after the
    /// other.
    pub(super) step: Option<u32>,
}

impl Session {
    /// Starts anew with what is opened.
    pub(super) fn open(&mut self, opening: Opening) {
        self.model = opening.origin;
        self.question = opening.question;
        self.choose(opening.choices);
        self.scene_mut().view = opening.view;
        self.property = None;
        self.line.halted = false;
        (self.pointer.selected, self.pointer.hovered) = (None, None);
        self.kept.wish = Wish { fresh: true, property: opening.property, step: Some(opening.step) };
        self.leave();
        self.play.walking = None;
        if let Some(walk) = opening.walk {
            (self.place.side, self.play.played) = (Side::Explore, Played::Walk);
            self.begin(walk);
        } else if self.place.side == Side::Explore {
            (self.place.side, self.play.played) = (Side::Stack, Played::Search);
        }
        self.line.version += 1;
        self.kept.epoch += 1;
        self.kept.touched += u32::from(!opening.by_link);
    }

    /// The number of the property that an opening named. Names that the model does not have are remarked upon.
    pub(super) fn meet(&mut self, info: &ModelInfo) -> Option<usize> {
        if std::mem::take(&mut self.kept.wish.fresh) {
            let unknown = |name: &&String| info.params.iter().all(|param| param.name != **name);
            let unknown: Vec<String> = self.question.settings.keys().filter(unknown).cloned().collect();
            for name in unknown {
                self.remark(&format!("The model has no parameter `{name}`: its value was passed over."));
            }
        }
        let name = self.kept.wish.property.take()?;
        let found = info.properties.iter().position(|property| property.name == name);
        if found.is_none() {
            self.remark(&format!("The model has no property `{name}`: another one is shown."));
        }
        found
    }

    /// A player of a film of this length, at the step that was wished for.
    pub(super) fn player_of(&self, len: u32) -> PlayState {
        let player = PlayState { speed: self.play.player.speed, ..PlayState::new(len) };
        self.kept.wish.step.map_or(player, |step| player.after(Play::Seek(step)))
    }

    /// A document is wanted of the model that is shown.
    pub(super) fn want_document(&mut self, what: Document) {
        if self.found.info.is_none() || self.is_stale() || self.is_pending() {
            self.remark("There is nothing to write: the text has no model without errors.");
        } else if self.line.lost {
            self.remark("The engine was started anew and has to check again first.");
        } else {
            self.kept.document = Some(what);
        }
    }

    /// Says something that one should know, once.
    pub(super) fn remark(&mut self, words: &str) {
        if !self.kept.remarks.iter().any(|said| **said == *words) {
            self.kept.remarks = self.kept.remarks.iter().cloned().chain([words.into()]).collect();
        }
    }

    /// The name of the property that shall be looked at, or is.
    pub fn property_wanted(&self) -> Option<&str> {
        self.kept.wish.property.as_deref().or_else(|| self.property_name())
    }

    /// The step of the search that is looked at, or shall be.
    pub fn step_shown(&self) -> u32 {
        if self.play.player.len > 0 { self.play.player.step } else { self.kept.wish.step.unwrap_or(0) }
    }
}

/// The gallery's model with this text, or else where the text is from.
pub fn origin_of(source: &str, otherwise: Model) -> Model {
    crate::engine::with_text(source).unwrap_or(otherwise)
}

/// A text alone, with everything else as usual.
pub fn text_alone(source: Rc<str>, origin: Model) -> Opening {
    Opening {
        origin: origin_of(&source, origin),
        question: Question { source, settings: std::collections::BTreeMap::new() },
        choices: Choices::default(),
        view: GraphKind::Aqs,
        property: None,
        step: 0,
        walk: None,
        by_link: false,
    }
}
