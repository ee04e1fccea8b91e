//! An abstract search with its record, and the instances laid over its states.

use super::parts::{Population, StateId};
use super::procedure::Prover;
use super::record::Record;
use super::rules::Rule;
use super::search::Found;
use super::system::Abstraction;
use crate::ids::Id as _;
use crate::program::FamilyId;
use crate::quotient::Crowd;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The most states of an instance that are laid over an abstract system.
const MOST_STATES: usize = 3_000;
/// The most of the states behind one abstract state that are told in words.
const MOST_WORDS: usize = 4;

/// An abstract search to be played.
#[derive(Clone, Debug)]
pub struct Film {
    /// The record of the search.
    pub record: Record,
    /// How it ended.
    pub found: Found,
    /// The number up to which the processes of each open family are counted.
    pub thresholds: Vec<u32>,
    /// The instances that were laid over its last system.
    pub images: Vec<Images>,
}

/// A recorded search, before anything is laid over it.
#[derive(Debug)]
pub(super) struct Shot<'p> {
    pub(super) record: Record,
    pub(super) found: Found,
    pub(super) thresholds: Vec<u32>,
    pub(super) system: Abstraction<'p>,
    /// The families of the tracked processes.
    pub(super) tracked: Vec<usize>,
}

impl Shot<'_> {
    /// The film, with the small instances laid over its system.
    pub(super) fn develop(self, prover: &Prover) -> Film {
        let images = prover.images(&self.system, &self.tracked);
        let Shot { record, found, thresholds, .. } = self;
        Film { record, found, thresholds, images }
    }

    /// Where a proof rests on several searches, the heaviest says most: one with something left, then one with the strongest rule.
    pub(super) fn weight(&self) -> (bool, Option<Rule>, usize) {
        let (left, rule) = match self.found {
            Found::Proved(rules) => (false, Some(rules.last())),
            _ => (true, None),
        };
        (left, rule, self.record.builds.last().map_or(0, |build| build.states.len()))
    }
}

/// An instance laid over an abstract system.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Images {
    /// The values of the open parameters.
    pub values: Vec<i64>,
    /// For each abstract state that stands for some of the instance's: its number and these.
    pub of: BTreeMap<u32, Image>,
    /// How many states, up to symmetry, have no image: smaller instances than the system stands for have such.
    pub outside: u32,
}

/// The states of an instance, up to symmetry, that an abstract state stands for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Image {
    /// How many.
    pub count: u32,
    /// The first of them, in words.
    pub words: Vec<String>,
}

impl Prover {
    /// Lays the small instances over a system with these tracked processes.
    pub(super) fn images(&self, system: &Abstraction<'_>, tracked: &[usize]) -> Vec<Images> {
        let params = &self.opened.params;
        let low: Vec<i64> = params.iter().map(|p| p.least).collect();
        let most = self.effort.small;
        let high: Vec<i64> =
            params.iter().map(|p| p.most.map_or(most, |m| m.min(most)).max(p.least)).collect();
        let cells = super::open::grid(&low, &high);
        cells.into_iter().map_while(|values| self.image(system, tracked, values)).collect()
    }

    /// Lays one instance over a system; none where it is too large.
    fn image(&self, system: &Abstraction<'_>, tracked: &[usize], values: Vec<i64>) -> Option<Images> {
        let sizes = self.opened.families.iter().map(|family| family.size(values[family.param]));
        let populations: Vec<Population> = sizes.map(Population::Exactly).collect();
        let spoken = |number: usize| tracked.iter().filter(|f| **f == number).count() as u32;
        let mut images = Images { values, of: BTreeMap::new(), outside: 0 };
        if (0..).zip(&populations).any(|(number, p)| p.threshold() < spoken(number)) {
            return Some(images);
        }
        let families: Vec<FamilyId> = self.opened.families.iter().map(|f| f.family).collect();
        let crowd = Crowd::new(&self.roomy, &self.symmetry, &families).ok()?;
        let mut exact = Abstraction::new(crowd, &populations, tracked, false, MOST_STATES, 0).ok()?;
        while exact.step().ok()? {}
        for id in (0..exact.len()).map(StateId::from_index) {
            match system.image(exact.census(id)) {
                None => images.outside += 1,
                Some(state) => {
                    let image = images.of.entry(state.0).or_default();
                    image.count += 1;
                    if image.words.len() < MOST_WORDS {
                        image.words.push(exact.show(id));
                    }
                }
            }
        }
        Some(images)
    }
}
