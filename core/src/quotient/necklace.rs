//! Canonical images on a ring, in the time that reading it takes.
//!
//! Where a state says of each process of a ring only what can be said of it alone, and by how many places those are away that it
//! holds, a state is a word of one letter for each place, and an orbit is a necklace: the words that turning makes of one. Its
//! representative is the greatest of them. Two candidates for where it begins are compared letter by letter; where one is
//! beaten after k letters, so are the k places behind it (Y. Shiloach, "Fast canonization of circular strings", 1981). Where
//! reflections are in the group too, the greatest word of the mirrored ring is the other candidate.

use super::colouring::Labelling;
use crate::group::{Factor, Group, GroupError, Perm, Process, Ring};
use crate::symmetry::{Entry, Structure};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A ring, and where in a row of values its processes' letters are.
#[derive(Clone, Debug)]
pub(super) struct Necklace {
    ring: Ring,
    reflects: bool,
    /// For each place the slots that speak of its process alone, in one order.
    own: Vec<Vec<u32>>,
    /// The lowest value of each of these, and its bits.
    fields: Vec<(i32, u8)>,
    /// For each place the slots in which its process holds another one of the ring, in one order.
    held: Vec<Vec<u32>>,
    /// The slots that hold a process of the ring and stay where they are.
    shared: Vec<u32>,
    /// For each process of the family its place.
    places: Vec<u32>,
    /// For each place the number of its process in the family.
    numbers: Vec<u32>,
}

/// An element of a ring's group, as it moves places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// From place p to p + the steps.
    Rotation(usize),
    /// From place p to the sum − p.
    Reflection(usize),
}

/// The greatest rotations of a word and its mirror image.
struct Greatest {
    /// Takes it to the greatest word.
    turn: Turn,
    /// Turning by this many places leaves the word as it is.
    period: usize,
    /// A reflection that leaves it as it is.
    mirror: Option<Turn>,
}

impl Necklace {
    /// The ring that is the only factor, if a state is a word of at most 64 bits a letter; `range` gives the lowest value of a slot,
    /// and its bits.
    pub(super) fn new(
        structure: &Structure,
        range: impl Fn(u32) -> (i32, u8),
        factors: &[Factor],
    ) -> Option<Necklace> {
        let (ring, reflects) = match factors {
            [Factor::Cyclic(ring)] => (ring, false),
            [Factor::Dihedral(ring)] => (ring, true),
            _ => return None,
        };
        // Of fewer places not all reflections are different from the rotations.
        let size = ring.len() as usize;
        let first = ring.points().first().filter(|_| size >= 3)?;
        // A ring is a whole family.
        let place = |number: u32| ring.place(Process(first.0 + number));
        let places: Option<Vec<u32>> = (0..ring.len()).map(place).collect();
        let mut necklace = Necklace {
            numbers: ring.cycle().iter().map(|p| p.0 - first.0).collect(),
            ring: ring.clone(),
            reflects,
            own: alloc::vec![Vec::new(); size],
            fields: Vec::new(),
            held: alloc::vec![Vec::new(); size],
            shared: Vec::new(),
            places: places?,
        };
        for entry in structure.entries() {
            necklace.take(structure, entry)?;
        }
        necklace.fields = necklace.own[0].iter().map(|&slot| range(slot)).collect();
        let own: u32 = necklace.fields.iter().map(|&(_, bits)| u32::from(bits)).sum();
        let others = necklace.held[0].len() as u32 * necklace.distance_bits() + necklace.shared.len() as u32;
        (own + others <= u64::BITS).then_some(necklace)
    }

    /// Enters a slot; none where it relates two places.
    fn take(&mut self, structure: &Structure, entry: &Entry) -> Option<()> {
        let mut named = entry.processes.iter().filter_map(|&process| self.ring.place(process));
        let place = named.next();
        if named.next().is_some() {
            return None;
        }
        let holds = structure.table(entry).value.is_some_and(|first| self.ring.points().contains(first));
        match (place, holds) {
            (Some(place), false) => self.own[place as usize].push(entry.slot),
            (Some(place), true) => self.held[place as usize].push(entry.slot),
            (None, true) => self.shared.push(entry.slot),
            (None, false) => {}
        }
        Some(())
    }

    /// Elements that generate the ring's group.
    pub(super) fn generators(&self) -> [Perm; 2] {
        let mirror = if self.reflects { self.ring.reflection(0) } else { Perm::identity() };
        [self.ring.rotation(1), mirror]
    }

    fn size(&self) -> usize {
        self.numbers.len()
    }

    /// The bits that tell how far away a process is, or that there is none.
    fn distance_bits(&self) -> u32 {
        usize::BITS - self.size().leading_zeros()
    }

    /// The place of the process that a value says, if any.
    fn place_of(&self, value: i32) -> Option<usize> {
        usize::try_from(value).ok().map(|number| self.places[number] as usize)
    }

    /// The word of a state, and that of its mirror image, in which place −p comes p-th.
    fn words(&self, values: &[i32], word: &mut Vec<u64>, mirrored: &mut Vec<u64>) {
        let (size, bits) = (self.size(), self.distance_bits());
        word.clear();
        for (place, (own, held)) in self.own.iter().zip(&self.held).enumerate() {
            let mut letter = 0;
            for (&slot, &(low, bits)) in own.iter().zip(&self.fields) {
                let raw = (i64::from(values[slot as usize]) - i64::from(low)) as u64;
                letter = letter << bits | raw;
            }
            let mut mirror = letter;
            for &slot in held {
                let other = self.place_of(values[slot as usize]);
                let far = other.map_or(size, |other| (other + size - place) % size);
                let back = other.map_or(size, |other| (place + size - other) % size);
                letter = letter << bits | far as u64;
                mirror = mirror << bits | back as u64;
            }
            word.push(letter);
            if self.reflects {
                mirrored.resize(size, 0);
                mirrored[(size - place) % size] = mirror;
            }
        }
        for (number, &slot) in self.shared.iter().enumerate() {
            if let Some(place) = self.place_of(values[slot as usize]) {
                let bit = 1 << (u64::BITS as usize - 1 - number);
                word[place] |= bit;
                if self.reflects {
                    mirrored[(size - place) % size] |= bit;
                }
            }
        }
    }

    fn greatest(&self, values: &[i32], labelling: &mut Labelling) -> Greatest {
        let Labelling { keys: word, seen: mirrored, .. } = labelling;
        self.words(values, word, mirrored);
        let size = self.size();
        let (start, period) = greatest_rotation(word);
        // As where all elements are tried: the largest process that can be held is the last one, and of several elements
        // it is the one with the smallest number.
        let first = if self.shared.is_empty() { 0 } else { size - 1 };
        let steps = (first + size - start) % period;
        let mut found = Greatest { turn: Turn::Rotation(steps), period, mirror: None };
        if self.reflects {
            let (begin, _) = greatest_rotation(mirrored);
            let sum = (first + size - begin) % period;
            let letters = |word: &[u64], start: usize, k: usize| word[(start + k) % size];
            let differ = (0..size)
                .map(|k| letters(word, start, k).cmp(&letters(mirrored, begin, k)))
                .find(|order| order.is_ne());
            match differ {
                None => found.mirror = Some(Turn::Reflection((sum + size - steps) % size)),
                Some(Ordering::Less) => found.turn = Turn::Reflection(sum),
                Some(_) => {}
            }
        }
        found
    }

    /// Puts the canonical image into the labelling's; gives λ⁻¹, which takes it back, and whether nothing but the identity fixes the
    /// state.
    pub(super) fn image(&self, values: &[i32], labelling: &mut Labelling) -> (Perm, bool) {
        let Greatest { turn, period, mirror } = self.greatest(values, labelling);
        let rigid = period == self.size() && mirror.is_none();
        let image = &mut labelling.image;
        image.clear();
        image.extend_from_slice(values);
        if turn == Turn::Rotation(0) {
            return (Perm::identity(), rigid);
        }
        let held = |value: i32| match self.place_of(value) {
            Some(place) => self.numbers[self.turned(turn, place)] as i32,
            None => value,
        };
        for (place, (own, others)) in self.own.iter().zip(&self.held).enumerate() {
            let to = self.turned(turn, place);
            for (&from, &slot) in own.iter().zip(&self.own[to]) {
                image[slot as usize] = values[from as usize];
            }
            for (&from, &slot) in others.iter().zip(&self.held[to]) {
                image[slot as usize] = held(values[from as usize]);
            }
        }
        for &slot in &self.shared {
            image[slot as usize] = held(values[slot as usize]);
        }
        let back = match turn {
            Turn::Rotation(steps) => Turn::Rotation(self.size() - steps),
            Turn::Reflection(_) => turn,
        };
        (self.perm(back), rigid)
    }

    /// The permutations of the ring that leave a state as it is.
    pub(super) fn stabiliser(&self, degree: u32, values: &[i32], effort: u64) -> Result<Group, GroupError> {
        let Greatest { period, mirror, .. } = self.greatest(values, &mut Labelling::default());
        let rotation = (period < self.size()).then_some(Turn::Rotation(period));
        let generators: Vec<Perm> = rotation.into_iter().chain(mirror).map(|turn| self.perm(turn)).collect();
        Group::generated(degree, &generators, effort)
    }

    fn turned(&self, turn: Turn, place: usize) -> usize {
        match turn {
            Turn::Rotation(steps) => (place + steps) % self.size(),
            Turn::Reflection(sum) => (sum + self.size() - place) % self.size(),
        }
    }

    fn perm(&self, turn: Turn) -> Perm {
        match turn {
            Turn::Rotation(steps) => self.ring.rotation(steps as u32),
            Turn::Reflection(sum) => self.ring.reflection(sum as u32),
        }
    }
}

/// Where the greatest rotation of a word begins, and the least number of places by which the word can be turned into itself.
fn greatest_rotation(word: &[u64]) -> (usize, usize) {
    let size = word.len();
    let (mut i, mut j, mut same) = (0, 1, 0);
    while i < size && j < size && same < size {
        match word[(i + same) % size].cmp(&word[(j + same) % size]) {
            Ordering::Equal => {
                same += 1;
                continue;
            }
            Ordering::Less => i += same + 1,
            Ordering::Greater => j += same + 1,
        }
        j += usize::from(i == j);
        same = 0;
    }
    let period = if same < size { size } else { i.abs_diff(j) };
    (i.min(j), period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quotient::elements::Elements;
    use crate::symmetry::{Axis, Table};

    #[test]
    fn greatest_rotations_and_periods() {
        for size in 1..=9u32 {
            for code in 0..3u64.pow(size) {
                let word: Vec<u64> = (0..size).map(|k| code / 3u64.pow(k) % 3).collect();
                let letters = |start: usize| [&word[start..], &word[..start]].concat();
                let best = (0..word.len()).map(letters).max();
                let start = (0..word.len()).find(|&start| Some(letters(start)) == best);
                let period = (1..=word.len()).find(|&steps| letters(steps) == word);
                assert_eq!(Some(greatest_rotation(&word)), start.zip(period), "{word:?}");
            }
        }
    }

    /// Against all elements of the group: which one is found where processes hold none, one image for each orbit, and what fixes
    /// a state.
    #[test]
    fn as_all_elements_say() {
        let mut seed = 11u64;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u32 % below
        };
        let (mut moved, mut fixed, mut mirrored) = (0, 0, 0);
        for round in 0..600 {
            let size = 3 + next(8);
            let ring = Ring::new((0..size).map(|k| Process(1 + k))).unwrap();
            let reflects = round % 2 == 0;
            let factor = if reflects { Factor::Dihedral(ring) } else { Factor::Cyclic(ring) };
            // For each process two numbers and, in half of the rounds, another process; then one process for all.
            let links = round % 4 > 1;
            let of = |stride| Axis { family: Some(Process(1)), size, stride };
            let table = |first, value| Table { first, axes: alloc::vec![of(2)], value };
            let mut tables = alloc::vec![table(0, None), table(1, None)];
            if links {
                tables.push(Table { first: 2 * size, axes: alloc::vec![of(1)], value: Some(Process(1)) });
                tables.push(Table { first: 3 * size, axes: Vec::new(), value: Some(Process(1)) });
            }
            let slots = if links { 3 * size + 1 } else { 2 * size };
            let structure = Structure::new(tables);
            let necklace = Necklace::new(&structure, |_| (0, 2), core::slice::from_ref(&factor)).unwrap();
            let group = Group::new(size + 1, alloc::vec![factor]).unwrap();
            let all: Vec<Perm> = group.elements(u128::from(2 * size)).collect();
            let elements = Elements::new(&structure, slots, all.iter().cloned());
            for _ in 0..12 {
                let (kinds, unit) = (1 + next(3), 1 + next(size));
                let mut values: Vec<i32> = (0..slots).map(|_| next(kinds) as i32).collect();
                if size.is_multiple_of(unit) {
                    for k in 2 * unit as usize..2 * size as usize {
                        values[k] = values[k - 2 * unit as usize];
                    }
                }
                for slot in 2 * size..slots {
                    values[slot as usize] = next(if kinds > 1 { size + 1 } else { 1 }) as i32 - 1;
                }
                let mut labelling = Labelling::default();
                let (back, rigid) = necklace.image(&values, &mut labelling);
                let image = labelling.image.clone();
                assert_eq!(structure.apply(&back, &image), values);
                if !links {
                    assert_eq!((image.clone(), back), elements.largest_image(&values));
                }
                moved += u32::from(image != values);
                let g = &all[next(all.len() as u32) as usize];
                necklace.image(&structure.apply(g, &values), &mut labelling);
                assert_eq!(labelling.image, image, "one image for each orbit");
                let expected = elements.fixing(&values).count();
                let found = necklace.stabiliser(size + 1, &values, 1_000_000).unwrap();
                assert_eq!(found.order().to_u128(), Some(expected as u128));
                assert!(elements.fixing(&values).all(|g| found.contains(g)));
                assert_eq!(rigid, expected == 1);
                fixed += u32::from(expected > 1);
                let Greatest { period, mirror, .. } = necklace.greatest(&values, &mut labelling);
                mirrored += u32::from(period == size as usize && mirror.is_some());
            }
        }
        assert!(moved > 2_000 && fixed > 200 && mirrored > 50, "{moved} {fixed} {mirrored}");
    }
}
