//! Sets of processes as ranges: what is true of a million like processes is stored as one range.

use crate::group::{Perm, PointSet, Process};
use crate::sort::Sort as _;
use alloc::vec::Vec;
use core::ops::Range;

/// A set of processes that grows while a component does. [`PointSet`] is the one for groups, which also knows the position of
/// each of its members.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Vec<(u32, u32)>", into = "Vec<(u32, u32)>")
)]
pub struct ProcessSet {
    /// Disjoint, ascending, not touching.
    ranges: Vec<Range<u32>>,
}

impl ProcessSet {
    /// The processes of a range.
    pub fn range(range: Range<u32>) -> ProcessSet {
        ProcessSet { ranges: if range.is_empty() { Vec::new() } else { alloc::vec![range] } }
    }

    fn normal(mut ranges: Vec<Range<u32>>) -> ProcessSet {
        ranges.retain(|r| !r.is_empty());
        ranges.arrange_by_key(|r| r.start);
        let mut merged: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        ProcessSet { ranges: merged }
    }

    /// Adds one process.
    pub fn insert(&mut self, process: Process) {
        if !self.contains(process) {
            self.add(core::iter::once(process.0..process.0 + 1));
        }
    }

    /// Adds all of a set.
    pub fn insert_all(&mut self, points: &PointSet) {
        self.add(points.ranges());
    }

    /// Adds all of another set.
    pub fn union(&mut self, other: &ProcessSet) {
        self.add(other.ranges.iter().cloned());
    }

    fn add(&mut self, more: impl Iterator<Item = Range<u32>>) {
        let missing: Vec<Range<u32>> = more.filter(|range| !self.covers(range)).collect();
        if missing.is_empty() {
            return;
        }
        let mut ranges = core::mem::take(&mut self.ranges);
        ranges.extend(missing);
        *self = ProcessSet::normal(ranges);
    }

    /// Whether all of a range is in the set.
    fn covers(&self, range: &Range<u32>) -> bool {
        let after = self.ranges.partition_point(|r| r.start <= range.start);
        range.is_empty() || after > 0 && self.ranges[after - 1].end >= range.end
    }

    /// Whether a process is in the set.
    pub fn contains(&self, process: Process) -> bool {
        self.covers(&(process.0..process.0 + 1))
    }

    /// Whether some process is in both sets.
    pub fn meets(&self, points: &PointSet) -> bool {
        points.ranges().any(|range| {
            let after = self.ranges.partition_point(|r| r.end <= range.start);
            self.ranges.get(after).is_some_and(|r| r.start < range.end)
        })
    }

    /// The processes of 0..degree that are not in the set.
    #[must_use]
    pub fn complement(&self, degree: u32) -> ProcessSet {
        let mut at = 0;
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        for range in &self.ranges {
            ranges.push(at..range.start);
            at = range.end;
        }
        ranges.push(at..degree);
        ProcessSet::normal(ranges)
    }

    /// The processes of the set that are not in another one.
    #[must_use]
    pub fn without(&self, other: &ProcessSet) -> ProcessSet {
        let mut ranges: Vec<Range<u32>> = Vec::with_capacity(self.ranges.len());
        for range in &self.ranges {
            let mut at = range.start;
            let first = other.ranges.partition_point(|r| r.end <= range.start);
            for gap in other.ranges[first..].iter().take_while(|r| r.start < range.end) {
                ranges.push(at..gap.start.max(at));
                at = gap.end;
            }
            ranges.push(at.min(range.end)..range.end);
        }
        ProcessSet::normal(ranges)
    }

    /// The images of the processes under π, in the size of what π moves.
    #[must_use]
    pub fn image(&self, perm: &Perm) -> ProcessSet {
        if perm.is_identity() {
            return self.clone();
        }
        let mut ranges: Vec<Range<u32>> = Vec::new();
        let moved = perm.moves();
        let mut next = moved.iter().map(|(from, _)| from.0).peekable();
        for range in &self.ranges {
            let mut at = range.start;
            while next.next_if(|&p| p < range.start).is_some() {}
            while let Some(point) = next.next_if(|&p| p < range.end) {
                ranges.push(at..point);
                at = point + 1;
            }
            ranges.push(at..range.end);
        }
        let images = moved.iter().filter(|(from, _)| self.contains(*from)).map(|(_, to)| to.0..to.0 + 1);
        ranges.extend(images);
        ProcessSet::normal(ranges)
    }

    /// The bytes that it takes beside its own.
    pub fn heap_bytes(&self) -> u64 {
        (self.ranges.capacity() * size_of::<Range<u32>>()) as u64
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.ranges.iter().cloned()
    }

    /// The same set for the questions of groups.
    pub fn to_point_set(&self) -> PointSet {
        PointSet::from_ranges(self.ranges())
    }

    /// The smallest process that is not in the set but below `degree`.
    pub fn first_missing(&self, degree: u32) -> Option<Process> {
        let first = match self.ranges.first() {
            Some(range) if range.start == 0 => range.end,
            _ => 0,
        };
        (first < degree).then_some(Process(first))
    }
}

impl FromIterator<Process> for ProcessSet {
    fn from_iter<I: IntoIterator<Item = Process>>(processes: I) -> Self {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for Process(process) in processes {
            // Steps come process by process.
            match ranges.last_mut() {
                Some(last) if last.contains(&process) => {}
                Some(last) if last.end == process => last.end += 1,
                _ => ranges.push(process..process + 1),
            }
        }
        if ranges.array_windows().all(|[a, b]| a.end < b.start) {
            ProcessSet { ranges }
        } else {
            ProcessSet::normal(ranges)
        }
    }
}

/// The ranges, each with its end, which is not in it.
impl From<ProcessSet> for Vec<(u32, u32)> {
    fn from(points: ProcessSet) -> Self {
        points.ranges().map(|r| (r.start, r.end)).collect()
    }
}

impl From<Vec<(u32, u32)>> for ProcessSet {
    fn from(ranges: Vec<(u32, u32)>) -> Self {
        ProcessSet::normal(ranges.into_iter().map(|(start, end)| start..end).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against one bit for each process, on all pairs of sets of six.
    #[test]
    fn differences_of_small_sets() {
        let set = |bits: u32| {
            let mut points = ProcessSet::default();
            (0..6).filter(|p| bits >> p & 1 == 1).for_each(|p| points.insert(Process(p)));
            points
        };
        for a in 0..64 {
            for b in 0..64 {
                assert_eq!(set(a).without(&set(b)), set(a & !b), "{a:b} {b:b}");
            }
        }
    }
}
