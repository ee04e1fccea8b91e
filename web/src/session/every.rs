//! The page's memory of the answers for every size.

use super::{Session, Side};
use crate::engine::Every;
use crate::engine::protocol::Request;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The answers for every size, and the place in them that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Everywhere {
    /// The answer for each property that was asked about, or why there is none.
    known: BTreeMap<u32, Result<Rc<Every>, Rc<str>>>,
    /// The step of the abstract search that is looked at.
    pub step: usize,
    /// The number of the instance that is laid over the abstract system.
    pub size: Option<usize>,
    /// The abstract state that was chosen.
    pub picked: Option<u32>,
}

impl Default for Everywhere {
    /// A search is looked at from its end, where one sees what came of it.
    fn default() -> Self {
        Everywhere { known: BTreeMap::new(), step: usize::MAX, size: None, picked: None }
    }
}

/// A click in the tab.
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

    /// Another property is looked at.
    pub(super) fn turn_everywhere(&mut self) {
        let known = std::mem::take(&mut self.everywhere.known);
        self.everywhere = Everywhere { known, ..Everywhere::default() };
    }

    pub(super) fn take_everywhere(&mut self, property: u32, found: Result<Box<Every>, String>) {
        let found = found.map(|found| Rc::new(*found)).map_err(Rc::from);
        self.everywhere.known.insert(property, found);
    }

    /// The answer for every size to a property.
    pub fn known_everywhere(&self, property: u32) -> Option<&Result<Rc<Every>, Rc<str>>> {
        self.everywhere.known.get(&property)
    }

    /// Whoever looks at the panel wants to know it of the property that is looked at, and then of the others.
    pub(super) fn wanted_everywhere(&self) -> Option<Request> {
        if self.place.side != Side::Every || self.line.halted {
            return None;
        }
        let count = self.found.info.as_ref()?.properties.len() as u32;
        let first = self.property.into_iter().chain(0..count);
        let property = first.into_iter().find(|property| !self.everywhere.known.contains_key(property))?;
        Some(Request::Every { property, choices: self.choices })
    }
}
