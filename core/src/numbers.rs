//! Numbers of keys, given in the order in which keys come: of states, of states with tracked processes, of nodes of products. The keys
//! themselves are with whoever asks.

use crate::strain::{size, took};
use alloc::vec::Vec;

/// A table starts with this many slots, a power of two, and grows when three quarters are taken.
const FIRST_SLOTS: usize = 16;

/// A table from keys to their numbers, which are given in the order in which keys come. The keys themselves are the caller's.
///
/// It is open addressing with linear probing. A slot has half of the hash and the number, so that a look-up reads one slot, and the
/// key only where it is there: on large tables the time goes into waiting for these two reads.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// The lower half of the hash above the number and one; 0 is an empty slot.
    slots: Vec<u64>,
    count: u32,
}

/// An empty slot, where a key with a certain hash belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    at: usize,
    hash: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers { slots: alloc::vec![0; FIRST_SLOTS], count: 0 }
    }
}

impl Numbers {
    /// The number of the key with this hash, of which `is` tells whether it has a number; otherwise where it belongs.
    pub(crate) fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        let mut at = self.first_slot(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(Vacancy { at, hash });
            }
            let number = slot as u32 - 1;
            if (slot >> 32) as u32 == hash as u32 && is(number) {
                return Ok(number);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Gives a key the next number, which is returned; `hash_of` tells the hash of each key that has one, this one included. There are
    /// fewer than 2³² - 1 keys.
    pub(crate) fn enter(&mut self, vacancy: Vacancy, hash_of: impl Fn(u32) -> u64) -> u32 {
        let number = self.count;
        assert!(number < u32::MAX - 1, "a table has fewer than 2^32 - 1 keys");
        self.slots[vacancy.at] = slot(vacancy.hash, number);
        self.count += 1;
        if self.count as usize >= self.slots.len() / 4 * 3 {
            took("numbers: more slots");
            self.grow(hash_of);
        }
        number
    }

    /// The number in the first slot that looking a hash up reads, which need not be that of its key.
    pub(crate) fn first(&self, hash: u64) -> Option<u32> {
        (self.slots[self.first_slot(hash)] as u32).checked_sub(1)
    }

    fn first_slot(&self, hash: u64) -> usize {
        // The upper half tells the place: the lower one is in the slot.
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        // The keys tell everything: the old slots go before the new ones come, so that there is room for them.
        let slots = core::mem::take(&mut self.slots).len() * 2;
        self.slots = alloc::vec![0; slots];
        let last = self.slots.len() - 1;
        for number in 0..self.count {
            let hash = hash_of(number);
            let mut at = self.first_slot(hash);
            while self.slots[at] != 0 {
                at = (at + 1) & last;
            }
            self.slots[at] = slot(hash, number);
        }
    }

    /// How many keys have a number.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The bytes it has allocated.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }
}

fn slot(hash: u64, number: u32) -> u64 {
    hash << 32 | (u64::from(number) + 1)
}

/// A key has a place of its own in an [`Index`] where at most this many keys begin alike.
const COLUMNS: u64 = 8;

/// A table from keys that begin with a number to their own numbers, which are given in the order in which keys come. Where few
/// keys begin alike each has a place, and none is hashed.
#[derive(Clone, Debug)]
pub(crate) enum Index {
    /// For each beginning this many places, with the number and one; 0 is an empty place.
    Grid(usize, Vec<u32>, u32),
    /// By hashes.
    Table(Numbers),
}

impl Index {
    /// A table for keys of which at most this many begin alike; none says that there may be any number.
    pub(crate) fn new(columns: Option<u64>) -> Index {
        let most = size("numbers: columns of a grid", COLUMNS, 1);
        match columns.filter(|&columns| columns <= most) {
            Some(columns) => Index::Grid(columns as usize, Vec::new(), 0),
            None => Index::Table(Numbers::default()),
        }
    }

    /// The number of a key, and whether that is new. The key begins with `row`, and is told from others that do by `column`; `is` and
    /// `hash_of` are asked about keys that have a number, `hash` about this one.
    pub(crate) fn number(
        &mut self,
        (row, column): (u32, impl FnOnce() -> u64),
        hash: impl FnOnce() -> u64,
        is: impl Fn(u32) -> bool,
        hash_of: impl Fn(u32) -> u64,
    ) -> (u32, bool) {
        match self {
            Index::Grid(columns, places, count) => {
                let place = row as usize * *columns + column() as usize;
                if place >= places.len() {
                    places.resize((row as usize + 1) * *columns, 0);
                }
                let number = &mut places[place];
                let new = *number == 0;
                if new {
                    *count += 1;
                    *number = *count;
                }
                (*number - 1, new)
            }
            Index::Table(numbers) => match numbers.find(hash(), is) {
                Ok(number) => (number, false),
                Err(vacancy) => (numbers.enter(vacancy, hash_of), true),
            },
        }
    }

    /// The bytes it has allocated.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Index::Grid(_, places, _) => (places.capacity() * size_of::<u32>()) as u64,
            Index::Table(numbers) => numbers.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    /// Both kinds of an index give keys the numbers that a map gives them, over several doublings.
    #[test]
    fn an_index_numbers_keys_as_they_come() {
        for columns in [1, 3, 8, 9, 40] {
            let mut index = Index::new(Some(columns));
            assert_eq!(matches!(index, Index::Grid(..)), columns <= COLUMNS);
            let (mut keys, mut known) = (Vec::new(), BTreeMap::new());
            let mut seed = 1u64;
            for round in 0..20_000 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (row, column) = ((seed >> 33) as u32 % (1 + round / 4), (seed >> 20) % columns);
                let key = (row, column);
                // Hashes that fall on each other are told apart by their keys.
                let hash = |(row, column): (u32, u64)| crate::rows::hash([u64::from(row) / 3, column]);
                let next = keys.len() as u32;
                let expected = *known.entry(key).or_insert(next);
                keys.push(key);
                let found = index.number(
                    (row, || column),
                    || hash(key),
                    |n| keys[n as usize] == key,
                    |n| hash(keys[n as usize]),
                );
                if expected != next {
                    keys.pop();
                }
                assert_eq!(found, (expected, expected == next));
            }
            assert!(index.bytes() >= 4 * u64::from(keys.len() as u32));
        }
    }
}
