//! A state as a plain row of values.

use super::code::{Fault, LocalPlace, View, every};
use super::compile::{Predicate, Scratch};
use super::machine::Write;
use super::term::Comparison;
use super::types::FamilyId;
use crate::group::Process;
use crate::ids::Id;

/// A plain state: one value per slot.
#[derive(Clone, Copy, Debug)]
pub struct Flat<'a> {
    /// The values.
    pub values: &'a [i32],
    /// For each process whether it is enabled; empty where no expression asks.
    pub enabled: &'a [bool],
    /// The process whose step leaves the state.
    pub executed: Option<Process>,
}

impl<'a> Flat<'a> {
    /// A state of which nobody asks which process is enabled or executed.
    pub fn new(values: &'a [i32]) -> Self {
        Flat { values, enabled: &[], executed: None }
    }
}

impl View for Flat<'_> {
    fn shared(&self, slot: u32) -> i64 {
        self.values[slot as usize] as i64
    }

    fn local(&self, place: LocalPlace, process: u32) -> i64 {
        self.values[place.slot(process) as usize] as i64
    }

    fn next(&self, _: FamilyId, size: u32, after: Option<u32>, _: &[u32]) -> Option<(u32, u32)> {
        every(size, after)
    }

    fn tally(&self, place: LocalPlace, size: u32, comparison: Comparison, value: i64) -> u64 {
        let first = (place.first + place.offset) as usize;
        let values = self.values.iter().skip(first).step_by(place.stride as usize).take(size as usize);
        values.filter(|&&v| comparison.holds(v as i64, value)).count() as u64
    }

    fn enabled(&self, first: u32, process: u32) -> bool {
        self.enabled[(first + process) as usize]
    }

    fn executed(&self, first: u32, process: u32) -> bool {
        self.executed == Some(Process(first + process))
    }

    fn holds_after(
        &self,
        condition: &Predicate,
        writes: &[Write],
        scratch: &mut Scratch,
    ) -> Result<bool, Fault> {
        let mut next = self.values.to_vec();
        for write in writes {
            next[write.target.slot().index()] = write.value;
        }
        condition.holds(&Flat::new(&next), scratch, &[])
    }
}
