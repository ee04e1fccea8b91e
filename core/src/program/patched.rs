//! A plain state that is given by another one and what has changed since.

use super::code::{Fault, LocalPlace, View, every};
use super::compile::{Predicate, Scratch};
use super::layout::Slot;
use super::machine::Write;
use super::term::Comparison;
use super::types::FamilyId;
use crate::ids::Id;
use alloc::collections::BTreeMap;

/// A plain state in the size of where it differs from another one. It is for steps that are known to be ones of the
/// program: nobody asks it who is enabled or executes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patched<'a> {
    pub base: &'a [i32],
    pub patch: &'a BTreeMap<Slot, i32>,
}

impl Patched<'_> {
    /// The value of a slot.
    pub(crate) fn value(&self, slot: Slot) -> i32 {
        self.patch.get(&slot).copied().unwrap_or_else(|| self.base[slot.index()])
    }
}

impl View for Patched<'_> {
    fn shared(&self, slot: u32) -> i64 {
        self.value(Slot(slot)) as i64
    }

    fn local(&self, place: LocalPlace, process: u32) -> i64 {
        self.value(Slot(place.slot(process))) as i64
    }

    fn next(&self, _: FamilyId, size: u32, after: Option<u32>, _: &[u32]) -> Option<(u32, u32)> {
        every(size, after)
    }

    fn tally(&self, place: LocalPlace, size: u32, comparison: Comparison, value: i64) -> u64 {
        (0..size).filter(|&process| comparison.holds(self.local(place, process), value)).count() as u64
    }

    fn enabled(&self, _: u32, _: u32) -> bool {
        false
    }

    fn executed(&self, _: u32, _: u32) -> bool {
        false
    }

    fn holds_after(
        &self,
        condition: &Predicate,
        writes: &[Write],
        scratch: &mut Scratch,
    ) -> Result<bool, Fault> {
        let mut patch = self.patch.clone();
        patch.extend(writes.iter().map(|write| (write.target.slot(), write.value)));
        condition.holds(&Patched { patch: &patch, ..*self }, scratch, &[])
    }
}
