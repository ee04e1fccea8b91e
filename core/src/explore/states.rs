//! A set of packed states: an arena of words and a table over it.
//!
//! A look-up reads a slot of the table, and the arena only where the state is there. On large sets the time goes into waiting for
//! these two reads; [`StateSet::warm`] makes those of many look-ups overlap.

use crate::define_id;
use crate::ids::Id;
use crate::numbers::{Numbers, Vacancy};
use crate::program::{PackedState, append};
use crate::rows;
use crate::strain::{size, took};
use alloc::vec::Vec;
use core::hint::black_box;

define_id!(
    /// A state that has been found; numbers are given in the order of finding.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    StateId
);

/// An arena of this many words grows by an eighth instead of doubling.
const LARGE: usize = 1 << 23;

/// A set of states of one width, numbered in the order in which they were found.
///
/// ```
/// use orbitscope_core::explore::StateSet;
/// let mut set = StateSet::new(1);
/// let (first, new) = set.insert(&[7]);
/// assert!(new);
/// assert_eq!(set.insert(&[7]), (first, false));
/// assert_eq!(set.get(first), &[7]);
/// ```
#[derive(Clone, Debug)]
pub struct StateSet {
    width: usize,
    words: Vec<u64>,
    numbers: Numbers,
}

impl StateSet {
    /// An empty set of states with `width` words each.
    pub fn new(width: u32) -> Self {
        StateSet { width: width as usize, words: Vec::new(), numbers: Numbers::default() }
    }

    /// The number of the state, and whether it is new.
    ///
    /// # Panics
    /// Where 2³² − 1 states are in the set; budgets end an exploration before that.
    pub fn insert(&mut self, state: &PackedState) -> (StateId, bool) {
        self.insert_within(state, u32::MAX - 1).expect("fewer than 2^32 - 1 states")
    }

    /// The number of the state, and whether it is new; none where it is new and `limit` states are in the set.
    pub fn insert_within(&mut self, state: &PackedState, limit: u32) -> Option<(StateId, bool)> {
        self.insert_hashed(state, hash(state), limit)
    }

    /// Like [`StateSet::insert_within`], where the hash of the state is known.
    pub(super) fn insert_hashed(
        &mut self,
        state: &PackedState,
        hash: u64,
        limit: u32,
    ) -> Option<(StateId, bool)> {
        let vacancy = match self.find(state, hash) {
            Ok(number) => return Some((StateId(number), false)),
            Err(vacancy) => vacancy,
        };
        if self.len() >= limit.min(u32::MAX - 1) {
            return None;
        }
        // Doubling a large arena would take memory that a budget does not have.
        if self.words.len() + self.width > self.words.capacity()
            && self.words.len() >= size("explore: a large arena", LARGE, 8)
        {
            took("explore: an arena that grows by an eighth");
            self.words.reserve_exact((self.words.len() / 8).max(self.width));
        }
        append(&mut self.words, state);
        let StateSet { width, words, numbers } = self;
        let number =
            numbers.enter(vacancy, |n| self::hash(&words[n as usize * *width..(n as usize + 1) * *width]));
        Some((StateId(number), true))
    }

    /// Whether the state with this hash is in the set.
    pub(super) fn has(&self, state: &PackedState, hash: u64) -> bool {
        self.find(state, hash).is_ok()
    }

    #[inline]
    fn find(&self, state: &PackedState, hash: u64) -> Result<u32, Vacancy> {
        // Most programs fit into one word: comparing it needs no call.
        match *state {
            [word] => self.numbers.find(hash, |number| self.words[number as usize] == word),
            _ => self.numbers.find(hash, |number| rows::same(self.get(StateId(number)), state)),
        }
    }

    /// The hashes of these states, one state behind the other. What looking them up will read is read ahead: the processor
    /// waits for all of it at once, instead of for each in turn.
    pub(super) fn warm(&self, states: &[u64], hashes: &mut Vec<u64>) {
        hashes.clear();
        let mut firsts = [None; 16];
        for some in states.chunks(self.width * firsts.len()) {
            for (first, state) in firsts.iter_mut().zip(some.chunks_exact(self.width)) {
                let hash = hash(state);
                hashes.push(hash);
                *first = self.numbers.first(hash);
            }
            let known = firsts[..some.len() / self.width].iter().flatten();
            let read = known.fold(0, |all, &number| all ^ self.words[number as usize * self.width]);
            black_box(read);
        }
    }

    /// The state with a number.
    pub fn get(&self, id: StateId) -> &PackedState {
        &self.words[id.index() * self.width..(id.index() + 1) * self.width]
    }

    /// The number of states.
    pub fn len(&self) -> u32 {
        self.numbers.count()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that the set has allocated.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>()) as u64 + self.numbers.bytes()
    }
}

fn hash(state: &PackedState) -> u64 {
    rows::hash(state.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    /// Against a map, over several doublings of the table, with states that differ in few bits.
    #[test]
    fn a_set_is_a_set() {
        for width in 1..4 {
            let mut set = StateSet::new(width);
            let mut known: BTreeMap<Vec<u64>, StateId> = BTreeMap::new();
            let (mut seed, mut hashes) = (1u64, Vec::new());
            for round in 0..5_000u64 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let first = if round % 2 == 0 { seed >> 53 } else { u64::MAX - (seed >> 60) };
                let state: Vec<u64> = (0..u64::from(width)).map(|k| first << (k * 8)).collect();
                set.warm(&state, &mut hashes);
                let next = StateId(known.len() as u32);
                let new = !known.contains_key(&state);
                let id = *known.entry(state.clone()).or_insert(next);
                assert_eq!(set.insert_hashed(&state, hashes[0], u32::MAX), Some((id, new)));
                assert_eq!(set.insert(&state), (id, false));
            }
            assert_eq!(set.len() as usize, known.len());
            assert!(known.iter().all(|(state, id)| set.get(*id) == state.as_slice()));
            assert_eq!(set.insert_within(&alloc::vec![1 << 40; width as usize], set.len()), None);
        }
    }
}
