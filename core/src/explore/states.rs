//! A set of packed states: an arena of words and a table of hashes over it.

use crate::define_id;
use crate::ids::Id;
use crate::program::PackedState;
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

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
    table: HashTable<u32>,
    count: u32,
}

impl StateSet {
    /// An empty set of states with `width` words each.
    pub fn new(width: u32) -> Self {
        StateSet { width: width as usize, words: Vec::new(), table: HashTable::new(), count: 0 }
    }

    /// The number of the state, and whether it is new.
    ///
    /// # Panics
    /// Where 2³² states are in the set; budgets end an exploration before that.
    pub fn insert(&mut self, state: &PackedState) -> (StateId, bool) {
        self.insert_within(state, u32::MAX).expect("fewer than 2^32 states")
    }

    /// The number of the state, and whether it is new; none where it is new and `limit` states are in the set.
    pub fn insert_within(&mut self, state: &PackedState, limit: u32) -> Option<(StateId, bool)> {
        let StateSet { width, words, table, count } = self;
        let width = *width;
        let at = |id: u32| id as usize * width..(id as usize + 1) * width;
        // Most programs fit into one word: comparing it needs no call.
        let equal = |&id: &u32| match state {
            &[word] => words[id as usize] == word,
            _ => words[at(id)] == *state,
        };
        let entry = table.entry(hash(state), equal, |&id| hash(&words[at(id)]));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => Some((StateId(*found.get()), false)),
            hashbrown::hash_table::Entry::Vacant(_) if *count >= limit => None,
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let id = StateId(*count);
                vacant.insert(id.0);
                // Doubling a large arena would take memory that a budget does not have.
                if words.len() + width > words.capacity() && words.len() >= LARGE {
                    words.reserve_exact((words.len() / 8).max(width));
                }
                words.extend_from_slice(state);
                *count += 1;
                Some((id, true))
            }
        }
    }

    /// The state with a number.
    pub fn get(&self, id: StateId) -> &PackedState {
        &self.words[id.index() * self.width..(id.index() + 1) * self.width]
    }

    /// The number of states.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes that the set has allocated.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>() + self.table.allocation_size()) as u64
    }
}

fn hash(state: &PackedState) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for &word in state {
        hasher.write_u64(word);
    }
    hasher.finish()
}
