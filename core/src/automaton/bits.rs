//! Sets of small numbers.

use alloc::vec::Vec;
use core::fmt;

/// A set of `u32`: the first 64 members cost no allocation, and there is no upper bound.
///
/// Two equal sets have equal representations, so that the derived order and hash are those of the set.
///
/// ```
/// use orbitscope_core::automaton::BitSet;
/// let mut set: BitSet = [1, 70].into_iter().collect();
/// assert!(set.contains(70));
/// set.remove(70);
/// assert_eq!(set, [1].into_iter().collect());
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet {
    low: u64,
    // Members from 64 on; the last word is never zero.
    high: Vec<u64>,
}

impl BitSet {
    /// The empty set.
    pub const fn new() -> Self {
        BitSet { low: 0, high: Vec::new() }
    }

    /// Adds a member.
    pub fn insert(&mut self, member: u32) {
        let (word, bit) = (member as usize / 64, member % 64);
        if word == 0 {
            self.low |= 1 << bit;
        } else {
            if self.high.len() < word {
                self.high.resize(word, 0);
            }
            self.high[word - 1] |= 1 << bit;
        }
    }

    /// Removes a member, if it is there.
    pub fn remove(&mut self, member: u32) {
        let (word, bit) = (member as usize / 64, member % 64);
        if word == 0 {
            self.low &= !(1 << bit);
        } else if let Some(w) = self.high.get_mut(word - 1) {
            *w &= !(1 << bit);
            self.normalise();
        }
    }

    /// Whether the number is a member.
    pub fn contains(&self, member: u32) -> bool {
        let (word, bit) = (member as usize / 64, member % 64);
        let w = if word == 0 { self.low } else { self.high.get(word - 1).copied().unwrap_or(0) };
        w >> bit & 1 == 1
    }

    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether every member is one of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.low & !other.low == 0
            && self.high.len() <= other.high.len()
            && self.high.iter().zip(&other.high).all(|(a, b)| a & !b == 0)
    }

    /// Whether the two sets share no member.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.low & other.low == 0 && self.high.iter().zip(&other.high).all(|(a, b)| a & b == 0)
    }

    /// Adds every member of `other`.
    pub fn union_with(&mut self, other: &Self) {
        self.low |= other.low;
        if self.high.len() < other.high.len() {
            self.high.resize(other.high.len(), 0);
        }
        for (a, b) in self.high.iter_mut().zip(&other.high) {
            *a |= b;
        }
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words().enumerate().flat_map(|(i, word)| {
            let mut rest = word;
            core::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        core::iter::once(self.low).chain(self.high.iter().copied())
    }

    fn normalise(&mut self) {
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<T: IntoIterator<Item = u32>>(iter: T) -> Self {
        let mut set = BitSet::new();
        iter.into_iter().for_each(|m| set.insert(m));
        set
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;
    use alloc::collections::BTreeSet;

    // The oracle is the standard library's ordered set.
    #[test]
    fn agrees_with_an_ordered_set() {
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let (mut bits, mut sets) = ([BitSet::new(), BitSet::new()], [BTreeSet::new(), BTreeSet::new()]);
        for _ in 0..20_000 {
            let (which, member) = (next(2) as usize, next(200) as u32);
            match next(8) {
                0..=2 => {
                    bits[which].insert(member);
                    sets[which].insert(member);
                }
                3..=6 => {
                    bits[which].remove(member);
                    sets[which].remove(&member);
                }
                _ => {
                    let other = bits[1 - which].clone();
                    bits[which].union_with(&other);
                    let other = sets[1 - which].clone();
                    sets[which].extend(other);
                    // Keep them small, so that subset and disjointness are seen both ways.
                    for m in 0..200 {
                        if next(8) > 0 {
                            bits[which].remove(m);
                            sets[which].remove(&m);
                        }
                    }
                }
            }
            assert!(bits[which].iter().eq(sets[which].iter().copied()));
            assert_eq!(bits[which].len(), sets[which].len());
            assert_eq!(bits[which].is_empty(), sets[which].is_empty());
            assert_eq!(bits[which].contains(member), sets[which].contains(&member));
            assert_eq!(bits[0].is_subset(&bits[1]), sets[0].is_subset(&sets[1]));
            assert_eq!(bits[0].is_disjoint(&bits[1]), sets[0].is_disjoint(&sets[1]));
            assert_eq!(bits[0] == bits[1], sets[0] == sets[1]);
        }
    }
}
