//! Memories within a bound: of results that could be found again, those that were asked for lately.
//!
//! A cache has two generations. A result is kept in the young one. When that has half of the bytes that are allowed, it becomes
//! the old one, and the results of the old one that nobody has asked for since are forgotten. So each result is kept and forgotten
//! once, in a time that does not depend on how many there were before it.
//!
//! Keeping results that nobody asks for again costs time and gives nothing. So the cache counts how often it is asked in vain: where
//! that is nearly always, it keeps one result of [`SAMPLE`] only, chosen by its hash. Of these it keeps counting, which tells
//! when keeping all of them would pay again.

use crate::ids::Id;
use crate::rows;
use crate::strain::{size, took};
use hashbrown::HashTable;

/// While keeping does not pay, one result in this many is kept.
const SAMPLE: u64 = 16;

/// Whether keeping pays is decided anew after this many questions; in a small cache after fewer.
const ASKED: u64 = 4096;

/// It pays if at least one question in this many finds its answer.
const PAYING: u32 = 8;

/// The bytes of a cache under strain.
const FEW_BYTES: u64 = 2048;

/// Results, each with the hash that it is found by.
#[derive(Clone, Debug)]
pub(crate) struct Cache<E> {
    young: Generation<E>,
    old: Generation<E>,
    limit: u64,
    /// Of all questions since the last decision: how many, and how many found their answer.
    asked: u32,
    found: u32,
    paying: bool,
}

#[derive(Clone, Debug)]
struct Generation<E> {
    table: HashTable<Slot<E>>,
    heap_bytes: u64,
}

#[derive(Clone, Debug)]
struct Slot<E> {
    hash: u64,
    /// The bytes that the entry takes beside its own size.
    heap_bytes: u64,
    entry: E,
}

impl<E> Generation<E> {
    const EMPTY: Self = Generation { table: HashTable::new(), heap_bytes: 0 };

    fn find(&self, hash: u64, is: impl Fn(&E) -> bool) -> Option<&E> {
        self.table.find(hash, |slot| slot.hash == hash && is(&slot.entry)).map(|slot| &slot.entry)
    }

    fn take(&mut self, hash: u64, is: impl Fn(&E) -> bool) -> Option<Slot<E>> {
        let found = self.table.find_entry(hash, |slot| slot.hash == hash && is(&slot.entry)).ok()?;
        let (slot, _) = found.remove();
        self.heap_bytes -= slot.heap_bytes;
        Some(slot)
    }

    fn insert(&mut self, slot: Slot<E>) {
        self.heap_bytes += slot.heap_bytes;
        self.table.insert_unique(slot.hash, slot, |slot| slot.hash);
    }

    /// The bytes that its entries take, wherever they are.
    fn used(&self) -> u64 {
        self.heap_bytes + (self.table.len() * size_of::<Slot<E>>()) as u64
    }

    fn bytes(&self) -> u64 {
        self.heap_bytes + self.table.allocation_size() as u64
    }
}

impl<E> Cache<E> {
    /// How many bytes a cache may take where nothing else is said.
    pub(crate) const BYTES: u64 = 64 << 20;

    /// A cache that takes about this many bytes at most.
    pub(crate) fn new(limit: u64) -> Self {
        let limit = size("cache: bytes", limit, limit.min(FEW_BYTES));
        Cache { young: Generation::EMPTY, old: Generation::EMPTY, limit, asked: 0, found: 0, paying: true }
    }

    /// Allows about this many bytes from now on.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        if limit < self.limit {
            *self = Cache::new(limit);
        }
        self.limit = size("cache: bytes", limit, limit.min(FEW_BYTES));
    }

    /// Whether a result with this hash would be kept.
    fn admits(&self, hash: u64) -> bool {
        // Tables look for a hash by its lowest and its highest bits: these are others.
        self.paying || (hash >> 24).is_multiple_of(SAMPLE)
    }

    /// Looks a result up, and returns what `answer` makes of it.
    pub(crate) fn ask<R>(
        &mut self,
        hash: u64,
        is: impl Fn(&E) -> bool,
        answer: impl FnOnce(&E) -> R,
    ) -> Option<R> {
        if !self.admits(hash) {
            return None;
        }
        self.asked += 1;
        if u64::from(self.asked) >= (self.limit / ASKED).clamp(SAMPLE, ASKED) {
            self.decide();
        }
        if let Some(entry) = self.young.find(hash, &is) {
            self.found += 1;
            return Some(answer(entry));
        }
        let slot = self.old.take(hash, &is)?;
        self.found += 1;
        let answer = answer(&slot.entry);
        self.enter(slot);
        Some(answer)
    }

    /// A result that is here. Nothing is noted.
    pub(crate) fn peek(&self, hash: u64, is: impl Fn(&E) -> bool) -> Option<&E> {
        self.young.find(hash, &is).or_else(|| self.old.find(hash, &is))
    }

    /// Keeps a result that is not here, with what it takes beside its own size.
    pub(crate) fn keep(&mut self, hash: u64, heap_bytes: u64, entry: impl FnOnce() -> E) {
        if self.admits(hash) && heap_bytes.saturating_add(size_of::<Slot<E>>() as u64) <= self.limit / 2 {
            self.enter(Slot { hash, heap_bytes, entry: entry() });
        }
    }

    fn enter(&mut self, slot: Slot<E>) {
        let more = slot.heap_bytes + size_of::<Slot<E>>() as u64;
        if self.young.used() + more > self.limit / 2 {
            took("cache: a generation is forgotten");
            core::mem::swap(&mut self.young, &mut self.old);
            // The table keeps its size: it will be as full again.
            self.young.table.clear();
            self.young.heap_bytes = 0;
        }
        self.young.insert(slot);
    }

    fn decide(&mut self) {
        let paid = core::mem::replace(&mut self.paying, self.found >= self.asked / PAYING);
        match (paid, self.paying) {
            (true, false) => took("cache: pays no more"),
            (false, true) => took("cache: pays again"),
            _ => {}
        }
        (self.asked, self.found) = (0, 0);
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.young.bytes() + self.old.bytes()
    }

    /// The bytes that its results take beside their own size.
    fn heap_bytes(&self) -> u64 {
        self.young.heap_bytes + self.old.heap_bytes
    }
}

impl<E> Default for Cache<E> {
    fn default() -> Self {
        Cache::new(Self::BYTES)
    }
}

/// A cache of one result for each id.
#[derive(Clone, Debug)]
pub(crate) struct IdCache<K, V>(Cache<(K, V)>);

impl<K: Id, V: Clone> IdCache<K, V> {
    fn hash(id: K) -> u64 {
        rows::hash([id.index() as u64])
    }

    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.0.set_limit(limit);
    }

    /// The result of an id, if it is here.
    pub(crate) fn get(&mut self, id: K) -> Option<V> {
        self.0.ask(Self::hash(id), |(key, _)| *key == id, |(_, value)| value.clone())
    }

    /// The result of an id, if it is here. Nothing is noted.
    pub(crate) fn peek(&self, id: K) -> Option<&V> {
        self.0.peek(Self::hash(id), |(key, _)| *key == id).map(|(_, value)| value)
    }

    /// Keeps a result that is not here, with what it takes beside its own size.
    pub(crate) fn keep(&mut self, id: K, heap_bytes: u64, value: &V) {
        self.0.keep(Self::hash(id), heap_bytes, || (id, value.clone()));
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The bytes that its results take beside their own size.
    pub(crate) fn heap_bytes(&self) -> u64 {
        self.0.heap_bytes()
    }
}

impl<K, V> Default for IdCache<K, V> {
    fn default() -> Self {
        IdCache(Cache::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::define_id;

    define_id!(
        /// A key.
        Key
    );

    fn cache(limit: u64) -> IdCache<Key, u32> {
        let mut cache = IdCache::default();
        cache.set_limit(limit);
        cache
    }

    /// Large ids cost what small ones do, whatever the limit; a result that is there is the one that was kept.
    #[test]
    fn it_forgets_and_does_not_mix_up() {
        let entry = size_of::<Slot<(Key, u32)>>() as u64;
        for limit in [0, 1, entry, 2 * entry, 20 * entry, 2_000 * entry, Cache::<u8>::BYTES] {
            for first in [0, 1_000_000, 4_000_000_000] {
                let mut cache = cache(limit);
                let mut there = 0;
                for n in 0..20_000 {
                    let id = Key(first + n);
                    assert_eq!(cache.get(id), None, "{id:?} was never kept");
                    cache.keep(id, 0, &n);
                    for back in [0, 3, 700] {
                        let before = n.saturating_sub(back);
                        let known = cache.get(Key(first + before));
                        assert!(known.is_none_or(|value| value == before), "{known:?} for {before}");
                        there += u32::from(known.is_some());
                    }
                    // Tables grow by doubling.
                    assert!(cache.bytes() <= 4 * limit + 1_000, "{} for {limit}", cache.bytes());
                }
                let least = match limit / entry {
                    0 | 1 => 0,
                    2..20 => 19_999,
                    20..2_000 => 39_999,
                    _ => 55_000,
                };
                assert!(there >= least, "{there} with {limit} bytes from {first} on");
                assert!(limit >= 2 * entry || there == 0);
            }
        }
    }

    /// Entries that are asked for stay while others come and go.
    #[test]
    fn it_keeps_what_is_asked_for() {
        let mut cache = cache(100 * size_of::<Slot<(Key, u32)>>() as u64);
        let wanted = Key(u32::MAX);
        cache.keep(wanted, 0, &7);
        for n in 0..10_000 {
            cache.keep(Key(n), 0, &n);
            if n % 20 == 0 {
                assert_eq!(cache.get(wanted), Some(7), "after {n}");
            }
        }
        assert_eq!(cache.get(Key(5)), None);
    }

    /// Where nothing is found again little is kept, and where it is, all of it.
    #[test]
    fn it_keeps_what_pays() {
        let mut cache = cache(1 << 20);
        let pass = |cache: &mut IdCache<Key, u32>, ids: core::ops::Range<u32>| {
            let mut found = 0;
            for n in ids {
                match cache.get(Key(n)) {
                    Some(value) => found += u32::from(value == n),
                    None => cache.keep(Key(n), 0, &n),
                }
            }
            found
        };
        assert_eq!(pass(&mut cache, 0..100_000), 0);
        let kept = |cache: &IdCache<Key, u32>| cache.0.young.table.len() + cache.0.old.table.len();
        let most = cache.0.limit / size_of::<Slot<(Key, u32)>>() as u64;
        assert!(kept(&cache) < 20_000 && kept(&cache) > 1_000, "{} of {most}", kept(&cache));
        // The same ids again and again: soon all of them are found.
        for _ in 0..200 {
            pass(&mut cache, 200_000..201_000);
        }
        assert_eq!(pass(&mut cache, 200_000..201_000), 1_000);
    }

    /// Results of one hash are told apart, in either generation.
    #[test]
    fn equal_hashes() {
        let mut cache: Cache<u32> = Cache::new(1 << 20);
        for n in 0..20 {
            assert_eq!(cache.ask(7, |&m| m == n, |&m| m), None);
            cache.keep(7, 40_000, || n);
        }
        assert!(!cache.old.table.is_empty() && !cache.young.table.is_empty());
        for n in 0..20 {
            assert_eq!(cache.peek(7, |&m| m == n), Some(&n));
        }
        for n in [3, 0, 19, 5] {
            assert_eq!(cache.ask(7, |&m| m == n, |&m| m), Some(n));
        }
    }

    /// Bytes that entries point to count, and an entry that is too large is not kept.
    #[test]
    fn it_counts_what_entries_point_to() {
        let mut cache = cache(1 << 20);
        for n in 0..1_000 {
            cache.keep(Key(n), 100_000, &n);
            assert!(cache.bytes() < 2 << 20 && cache.peek(Key(n)) == Some(&n));
        }
        cache.keep(Key(5_000), 600_000, &0);
        assert_eq!(cache.peek(Key(5_000)), None);
        assert_eq!(cache.peek(Key(999)), Some(&999));
        cache.set_limit(1_000);
        assert_eq!(cache.peek(Key(999)), None);
        assert!(cache.bytes() < 1_000);
    }
}
