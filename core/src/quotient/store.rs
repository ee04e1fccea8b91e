//! States that have been found: rows of words, each once.

use crate::ids::{Id, IdVec};
use crate::numbers::Numbers;
use crate::rows;
use alloc::vec::Vec;
use core::hint::black_box;
use core::marker::PhantomData;
use core::ops::Range;

/// A set of rows, numbered in the order in which they were found.
#[derive(Clone, Debug)]
pub(super) struct Store<K> {
    words: Vec<u64>,
    ends: Ends<K>,
    numbers: Numbers,
    key: PhantomData<K>,
}

/// Where each row ends.
#[derive(Clone, Debug)]
enum Ends<K> {
    /// All rows have one length.
    Every(usize),
    Each(IdVec<K, u64>),
}

impl<K: Id> Ends<K> {
    fn range(&self, id: K) -> Range<usize> {
        match self {
            Ends::Every(width) => id.index() * width..(id.index() + 1) * width,
            Ends::Each(ends) => {
                let start =
                    id.index().checked_sub(1).map_or(0, |before| ends[K::from_index(before)] as usize);
                start..ends[id] as usize
            }
        }
    }
}

impl<K: Id> Store<K> {
    /// No row yet; all will have this length, if one is given.
    pub(super) fn new(width: Option<usize>) -> Store<K> {
        let ends = width.map_or_else(|| Ends::Each(IdVec::new()), Ends::Every);
        Store { words: Vec::new(), ends, numbers: Numbers::default(), key: PhantomData }
    }

    /// The number of a row, and whether it is new.
    pub(super) fn insert(&mut self, row: &[u64]) -> (K, bool) {
        self.insert_hashed(row, hash(row))
    }

    /// The same, where the hash is known.
    pub(super) fn insert_hashed(&mut self, row: &[u64], hashed: u64) -> (K, bool) {
        let Store { words, ends, numbers, .. } = self;
        let found = numbers.find(hashed, |n| rows::same(&words[ends.range(K::from_index(n as usize))], row));
        let vacancy = match found {
            Ok(number) => return (K::from_index(number as usize), false),
            Err(vacancy) => vacancy,
        };
        words.extend_from_slice(row);
        match ends {
            Ends::Every(width) => assert_eq!(row.len(), *width, "all rows have one length"),
            Ends::Each(ends) => _ = ends.push(words.len() as u64),
        }
        let number = numbers.enter(vacancy, |n| hash(&words[ends.range(K::from_index(n as usize))]));
        (K::from_index(number as usize), true)
    }

    /// The hashes of these rows, one behind the other, each with its end. What looking them up will read is read ahead: the processor
    /// waits for all of it at once.
    pub(super) fn warm(&self, rows: &[u64], ends: &[usize], hashes: &mut Vec<u64>) {
        hashes.clear();
        let mut start = 0;
        for &end in ends {
            hashes.push(hash(&rows[start..end]));
            start = end;
        }
        if let [_, _, ..] = hashes.as_slice() {
            let numbers = hashes.iter().filter_map(|&hash| self.numbers.first(hash));
            let first = |number: u32| self.words[self.ends.range(K::from_index(number as usize)).start];
            black_box(numbers.fold(0, |all, number| all ^ first(number)));
        }
    }

    pub(super) fn get(&self, id: K) -> &[u64] {
        &self.words[self.ends.range(id)]
    }

    pub(super) fn len(&self) -> u32 {
        self.numbers.count()
    }

    pub(super) fn bytes(&self) -> u64 {
        let ends = if let Ends::Each(ends) = &self.ends { ends.len() * size_of::<u64>() } else { 0 };
        (self.words.capacity() * size_of::<u64>() + ends) as u64 + self.numbers.bytes()
    }
}

fn hash(row: &[u64]) -> u64 {
    rows::hash(row.iter().copied())
}
