//! All elements of a small group, with what each does to a row of values.
//!
//! Two images are compared from their first value on, and most differ at once: of an image that is not the largest only the
//! beginning is ever computed.

use crate::group::{Perm, Process};
use crate::symmetry::Structure;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The elements of a group.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// The slots whose values some element may change, ascending, each with the first process of the family that its values are
    /// of, where they are processes.
    slots: Vec<(u32, Option<u32>)>,
    all: Vec<Element>,
}

#[derive(Clone, Debug)]
struct Element {
    perm: Perm,
    /// Its inverse.
    back: Perm,
    /// For each of the slots, where its value comes from.
    sources: Box<[u32]>,
}

impl Elements {
    /// Elements that act on rows of `slots` values as `structure` says.
    pub(super) fn new(structure: &Structure, slots: u32, elements: impl Iterator<Item = Perm>) -> Elements {
        let mut all: Vec<Element> = elements
            .map(|perm| {
                let mut sources: Vec<u32> = (0..slots).collect();
                for entry in structure.entries() {
                    sources[structure.image_slot(entry, &perm) as usize] = entry.slot;
                }
                Element { back: perm.inverse(), perm, sources: sources.into() }
            })
            .collect();
        let mut values: Vec<Option<u32>> = alloc::vec![None; slots as usize];
        for entry in structure.entries() {
            values[entry.slot as usize] = structure.table(entry).value.map(|first| first.0);
        }
        let moves = |slot: u32| all.iter().any(|element| element.sources[slot as usize] != slot);
        let slots: Vec<(u32, Option<u32>)> =
            (0..).zip(values).filter(|&(slot, value)| value.is_some() || moves(slot)).collect();
        for element in &mut all {
            element.sources = slots.iter().map(|&(slot, _)| element.sources[slot as usize]).collect();
        }
        Elements { slots, all }
    }

    /// The value that an element puts into the slot with this number.
    fn value(&self, element: &Element, number: usize, values: &[i32]) -> i32 {
        let value = values[element.sources[number] as usize];
        match (self.slots[number].1, u32::try_from(value)) {
            (Some(first), Ok(process)) => (element.perm.apply(Process(first + process)).0 - first) as i32,
            _ => value,
        }
    }

    /// How the image of a row compares with another row that differs from it at most in the slots.
    fn compare(&self, element: &Element, values: &[i32], other: &[i32]) -> Ordering {
        let differs = |(number, &(slot, _)): (usize, &(u32, Option<u32>))| {
            let order = self.value(element, number, values).cmp(&other[slot as usize]);
            order.is_ne().then_some(order)
        };
        self.slots.iter().enumerate().find_map(differs).unwrap_or(Ordering::Equal)
    }

    /// The largest image of a row, and the inverse of the first element that makes it.
    pub(super) fn largest_image(&self, values: &[i32]) -> (Vec<i32>, Perm) {
        let mut best = values.to_vec();
        let mut by = None;
        for element in &self.all {
            if self.compare(element, values, &best).is_gt() {
                for (number, &(slot, _)) in self.slots.iter().enumerate() {
                    best[slot as usize] = self.value(element, number, values);
                }
                by = Some(element);
            }
        }
        (best, by.map_or_else(Perm::identity, |element| element.back.clone()))
    }

    /// The elements that leave a row as it is.
    pub(super) fn fixing(&self, values: &[i32]) -> impl Iterator<Item = &Perm> {
        let fixes = |element: &&Element| self.compare(element, values, values).is_eq();
        self.all.iter().filter(fixes).map(|element| &element.perm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{Factor, Group, PointSet};
    use crate::symmetry::{Axis, Table};

    /// Against images that are written out, one after the other.
    #[test]
    fn as_if_every_image_was_written_out() {
        // A number, a value for each process, a process for each process, a value for each pair; the processes are 1 to 4.
        let of = |stride| Axis { family: Some(Process(1)), size: 4, stride };
        let table = |first, axes, value| Table { first, axes, value };
        let structure = Structure::new(alloc::vec![
            table(0, Vec::new(), None),
            table(1, alloc::vec![of(1)], None),
            table(5, alloc::vec![of(1)], Some(Process(1))),
            table(9, alloc::vec![of(4), of(1)], None),
        ]);
        let group = Group::new(5, alloc::vec![Factor::Symmetric(PointSet::range(1..5))]).unwrap();
        let all: Vec<Perm> = group.elements(24).collect();
        assert_eq!(all.len(), 24);
        let elements = Elements::new(&structure, 25, all.iter().cloned());
        let (mut seed, mut moved, mut fixed) = (7u64, 0, 0);
        for round in 0..2_000 {
            let mut next = |below: i32| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as i32 % below
            };
            let mut values: Vec<i32> = (0..25).map(|_| next(1 + round % 3)).collect();
            for process in &mut values[5..9] {
                *process = next(5) - 1;
            }
            let images = || all.iter().map(|g| (structure.apply(g, &values), g));
            let largest = images().map(|(image, _)| image).max().unwrap();
            let (image, back) = elements.largest_image(&values);
            assert_eq!(image, largest);
            assert_eq!(structure.apply(&back, &largest), values);
            moved += u32::from(largest != values);
            let fixing: Vec<&Perm> = elements.fixing(&values).collect();
            let expected: Vec<&Perm> =
                images().filter(|(image, _)| *image == values).map(|(_, g)| g).collect();
            assert_eq!(fixing, expected);
            fixed += u32::from(fixing.len() > 1);
        }
        assert!(moved > 1_000 && fixed > 50, "{moved} {fixed}");
    }
}
