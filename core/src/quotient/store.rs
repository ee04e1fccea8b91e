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
    ends: Ends<K>,
    table: HashTable<K>,
}

/// Where rows end.
#[derive(Clone, Debug)]
struct Ends<K> {
    /// The number of rows.
    rows: u32,
    /// The length of the first.
    width: usize,
    /// Where each row ends; empty while all of them have the length of the first, which is where nothing is counted.
    ends: IdVec<K, u64>,
}

impl<K: Id> Ends<K> {
    fn push(&mut self, length: usize) {
        if self.rows == 0 {
            self.width = length;
        }
        if self.ends.is_empty() && length != self.width {
            for row in 1..=u64::from(self.rows) {
                self.ends.push(row * self.width as u64);
            }
        }
        if length != self.width || !self.ends.is_empty() {
            let last = self.rows.checked_sub(1).map_or(0, |last| self.ends[K::from_index(last as usize)]);
            self.ends.push(last + length as u64);
        }
        self.rows += 1;
    }

    fn range(&self, id: K) -> Range<usize> {
        if self.ends.is_empty() {
            return id.index() * self.width..(id.index() + 1) * self.width;
        }
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[K::from_index(before)] as usize);
        start..self.ends[id] as usize
    }
}

impl<K: Id> Default for Store<K> {
    fn default() -> Self {
        let ends = Ends { rows: 0, width: 0, ends: IdVec::new() };
        Store { words: Vec::new(), ends, table: HashTable::new() }
    }
}

impl<K: Id> Store<K> {
    /// The number of a row, and whether it is new.
    pub(super) fn insert(&mut self, row: &[u64]) -> (K, bool) {
        let Store { words, ends, table } = self;
        let at = |id: K| &words[ends.range(id)];
        let entry = table.entry(hash(row), |&id| rows::same(at(id), row), |&id| hash(at(id)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => (*found.get(), false),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let id = K::from_index(ends.rows as usize);
                vacant.insert(id);
                words.extend_from_slice(row);
                ends.push(row.len());
                (id, true)
            }
        }
    }

    pub(super) fn get(&self, id: K) -> &[u64] {
        &self.words[self.ends.range(id)]
    }

    pub(super) fn len(&self) -> u32 {
        self.ends.rows
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.words.capacity() * 8 + self.ends.ends.len() * 8 + self.table.allocation_size()) as u64
    }
}

fn hash(row: &[u64]) -> u64 {
    rows::hash(row.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    crate::define_id!(
        /// A row.
        RowId
    );

    /// Rows of one length, then of others: each keeps its number and its words.
    #[test]
    fn rows_of_one_length_and_of_others() {
        let rows = [vec![7], vec![8], vec![9, 1], vec![7, 0], vec![], vec![8, 8, 8], vec![1]];
        for start in 0..rows.len() {
            let mut store: Store<RowId> = Store::default();
            let order = || rows.iter().cycle().skip(start).take(rows.len());
            for (number, row) in order().enumerate() {
                assert_eq!(store.insert(row), (RowId(number as u32), true));
                for (before, row) in order().take(number + 1).enumerate() {
                    assert_eq!(store.get(RowId(before as u32)), row.as_slice());
                    assert_eq!(store.insert(row), (RowId(before as u32), false));
                }
            }
            assert_eq!(store.len() as usize, rows.len());
        }
    }
}
