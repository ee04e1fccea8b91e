//! What the page remembers of a property for every size.

use super::{Session, Side};
use crate::engine::protocol::Request;
use crate::engine::{Every, Story};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known for every size, or why nothing can be.
pub type Known = Result<Rc<Every>, Rc<str>>;

/// What is looked at for every size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Everywhere {
    known: BTreeMap<u32, Known>,
    /// The step of the abstract search that is looked at.
    pub step: usize,
    /// The number of the instance that is laid over the abstract system.
    pub size: Option<usize>,
    /// The abstract state that was chosen.
    pub picked: Option<u32>,
}

/// What can be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EveryAct {
    /// Another step is looked at.
    Step(usize),
    /// An instance is laid over the abstract system, or none.
    Size(Option<usize>),
    /// An abstract state is chosen, or none.
    Pick(Option<u32>),
}

impl Session {
    pub(super) fn act_everywhere(&mut self, act: EveryAct) {
        match act {
            EveryAct::Step(step) => self.everywhere.step = step,
            EveryAct::Size(size) => self.everywhere.size = size,
            EveryAct::Pick(picked) => self.everywhere.picked = picked,
        }
    }

    /// Another property is looked at: its search is at its end, where one sees what came of it.
    pub(super) fn turn_everywhere(&mut self) {
        self.everywhere = Everywhere {
            known: std::mem::take(&mut self.everywhere.known),
            step: usize::MAX,
            ..Everywhere::default()
        };
    }

    pub(super) fn forget_everywhere(&mut self) {
        self.everywhere = Everywhere { step: usize::MAX, ..Everywhere::default() };
    }

    pub(super) fn take_everywhere(&mut self, property: u32, found: Result<Box<Every>, String>) {
        let found = found.map(|found| Rc::new(*found)).map_err(Rc::from);
        self.everywhere.known.insert(property, found);
    }

    /// What is known of a property for every size.
    pub fn known_everywhere(&self, property: u32) -> Option<&Known> {
        self.everywhere.known.get(&property)
    }

    /// The story of the property that is looked at.
    pub fn story(&self) -> Option<&Story> {
        self.known_everywhere(self.property?)?.as_ref().ok()?.story.as_ref()
    }

    /// Whoever looks at the panel wants to know it of the property that is looked at, and then of the others.
    pub(super) fn wanted_everywhere(&self) -> Option<Request> {
        if self.side != Side::Every || self.halted {
            return None;
        }
        let count = self.info.as_ref()?.properties.len() as u32;
        let first = self.property.into_iter().chain(0..count);
        let property = first.into_iter().find(|property| !self.everywhere.known.contains_key(property))?;
        Some(Request::Every { property, choices: self.choices })
    }
}
