//! States that have been found: rows of words of different lengths, each once.

use crate::ids::{Id, IdVec};
use crate::rows;
use alloc::vec::Vec;
use core::ops::Range;
use hashbrown::HashTable;

/// A set of rows, numbered in the order in which they were found.
#[derive(Clone, Debug)]
pub(super) struct Store<K> {
    words: Vec<u64>,
    /// Where each row ends.
    ends: IdVec<K, u64>,
    table: HashTable<K>,
}

impl<K: Id> Default for Store<K> {
    fn default() -> Self {
        Store { words: Vec::new(), ends: IdVec::new(), table: HashTable::new() }
    }
}

impl<K: Id> Store<K> {
    /// The number of a row, and whether it is new.
    pub(super) fn insert(&mut self, row: &[u64]) -> (K, bool) {
        let Store { words, ends, table } = self;
        let at = |id: K| &words[range(ends, id)];
        let entry = table.entry(hash(row), |&id| rows::same(at(id), row), |&id| hash(at(id)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => (*found.get(), false),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let id = ends.next_id();
                vacant.insert(id);
                words.extend_from_slice(row);
                ends.push(words.len() as u64);
                (id, true)
            }
        }
    }

    pub(super) fn get(&self, id: K) -> &[u64] {
        &self.words[range(&self.ends, id)]
    }

    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.words.capacity() * 8 + self.ends.len() * 8 + self.table.allocation_size()) as u64
    }
}

fn range<K: Id>(ends: &IdVec<K, u64>, id: K) -> Range<usize> {
    let start = id.index().checked_sub(1).map_or(0, |before| ends[K::from_index(before)] as usize);
    start..ends[id] as usize
}

fn hash(row: &[u64]) -> u64 {
    rows::hash(row.iter().copied())
}
