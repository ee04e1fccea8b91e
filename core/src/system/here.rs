//! The state as a step sees it, and what a step changes.

use super::System;
use crate::program::{FamilyId, LocalPlace, View};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

/// A system with its values numbered, and the places of the variables that hold the numbers.
pub(super) struct World<S: System> {
    pub system: S,
    pub shared: Numbered<S::Shared>,
    pub local: Numbered<S::Local>,
    /// The slot of the shared value.
    pub slot: u32,
    pub families: Vec<Place>,
}

/// Where a family's local values are.
pub(super) struct Place {
    pub name: String,
    pub family: FamilyId,
    pub size: u32,
    pub slots: LocalPlace,
}

impl<S: System> World<S> {
    pub(super) fn family(&self, name: &str) -> Option<&Place> {
        self.families.iter().find(|place| place.name == name)
    }

    /// A value that is not listed is never stored, so that every number has one.
    pub(super) fn local_of(&self, view: &dyn View, place: &Place, process: u32) -> &S::Local {
        &self.local.values[view.local(place.slots, process) as usize]
    }
}

/// Values with their numbers.
pub(super) struct Numbered<T> {
    pub values: Vec<T>,
    numbers: BTreeMap<T, i64>,
}

impl<T: Clone + Ord> Numbered<T> {
    pub(super) fn new(listed: Vec<T>) -> Numbered<T> {
        let (mut values, mut numbers) = (Vec::new(), BTreeMap::new());
        for value in listed {
            if !numbers.contains_key(&value) {
                numbers.insert(value.clone(), values.len() as i64);
                values.push(value);
            }
        }
        Numbered { values, numbers }
    }

    pub(super) fn number(&self, value: &T) -> Option<i64> {
        self.numbers.get(value).copied()
    }
}

/// What a process sees when it is asked for a step.
pub struct Here<'a, S: System> {
    pub(super) world: &'a World<S>,
    pub(super) view: &'a dyn View,
    pub(super) family: &'a Place,
    pub(super) process: u32,
    pub(super) choice: u32,
    /// Whether a family was asked for that does not exist.
    pub(super) lost: Cell<bool>,
}

impl<'a, S: System> Here<'a, S> {
    /// The shared value.
    pub fn shared(&self) -> &'a S::Shared {
        &self.world.shared.values[self.view.shared(self.world.slot) as usize]
    }

    /// The process's own value.
    pub fn me(&self) -> &'a S::Local {
        self.world.local_of(self.view, self.family, self.process)
    }

    /// The number that is tried, of an action that is [`choosing`](super::Action::choosing).
    pub fn choice(&self) -> u32 {
        self.choice
    }

    /// How many processes of a family have such a value, this one included.
    pub fn count(&self, family: &str, test: impl Fn(&S::Local) -> bool) -> u64 {
        let Some(place) = self.world.family(family) else {
            self.lost.set(true);
            return 0;
        };
        let (mut count, mut last) = (0, None);
        while let Some((process, alike)) = self.view.next(place.family, place.size, last, &[]) {
            last = Some(process);
            if test(self.world.local_of(self.view, place, process)) {
                count += u64::from(alike);
            }
        }
        count
    }
}

/// The values after a step; what is not said stays as it is.
#[derive(Clone, Debug)]
pub struct Next<S: System> {
    pub(super) shared: Option<S::Shared>,
    pub(super) me: Option<S::Local>,
    pub(super) partner: Option<S::Local>,
}

impl<S: System> Next<S> {
    /// Everything as it is.
    pub fn new() -> Next<S> {
        Next { shared: None, me: None, partner: None }
    }

    /// The shared value becomes this one.
    #[must_use]
    pub fn shared(self, value: S::Shared) -> Next<S> {
        Next { shared: Some(value), ..self }
    }

    /// The process's own value becomes this one.
    #[must_use]
    pub fn me(self, value: S::Local) -> Next<S> {
        Next { me: Some(value), ..self }
    }

    /// The partner's value becomes this one.
    #[must_use]
    pub fn partner(self, value: S::Local) -> Next<S> {
        Next { partner: Some(value), ..self }
    }
}

impl<S: System> Default for Next<S> {
    fn default() -> Self {
        Next::new()
    }
}
