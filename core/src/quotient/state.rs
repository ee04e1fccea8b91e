//! Representatives, and how code reads them.

use super::plain::PlainFactor;
use super::reduction::Reduction;
use super::runs::{code_at, run_at};
use super::slots::Spot;
use crate::group::Process;
use crate::program::{Comparison, FamilyId, LocalPlace, View};
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// Processes of a plain factor that are in one local state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Run {
    /// The packed local state.
    pub code: u64,
    /// How many processes are in it.
    pub count: u32,
}

/// A state of the quotient. Its processes of a plain factor are sorted by local state, the largest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Representative {
    /// The values of all slots that are not part of a plain factor's local states.
    pub values: Vec<i32>,
    /// For each plain factor its runs.
    pub runs: Vec<Vec<Run>>,
}

impl Representative {
    pub(super) fn bytes(&self) -> u64 {
        let runs: usize = self.runs.iter().map(|runs| runs.len() * size_of::<Run>()).sum();
        (self.values.len() * size_of::<i32>() + runs) as u64
    }
}

/// A representative as code sees it: of processes that are alike it tries one.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub(super) reduction: &'a Reduction<'a>,
    pub(super) state: &'a Representative,
    /// Processes that are told from all others: those that a property tracks.
    pub tracked: &'a [Process],
    /// The process whose step leaves the state.
    pub executed: Option<Process>,
    /// Tells whether a process is enabled, where an expression asks.
    pub enabled: Option<&'a crate::group::PointSet>,
}

impl<'a> Seen<'a> {
    /// The factor that counts a process, its number, and the position of the process in it.
    fn counted(&self, family: FamilyId, process: u32) -> Option<(usize, &'a PlainFactor, u32)> {
        let Reduction { plain, slots, .. } = self.reduction;
        let (number, position) = slots.counted(plain, family, process)?;
        Some((number, &plain[number], position))
    }

    fn at(&self, spot: Spot) -> i64 {
        let value = match spot {
            Spot::Kept(place) => self.state.values[place],
            Spot::Counted(number, position, field) => {
                let code = code_at(&self.state.runs[number], position);
                self.reduction.plain[number].local.value(code, field)
            }
        };
        value as i64
    }

    fn told_apart(&self, point: Process, bound: &[u32], first: u32) -> bool {
        self.tracked.contains(&point) || bound.contains(&(point.0 - first))
    }
}

impl View for Seen<'_> {
    fn shared(&self, slot: u32) -> i64 {
        self.at(self.reduction.slots.shared(&self.reduction.plain, slot))
    }

    fn local(&self, place: LocalPlace, process: u32) -> i64 {
        self.at(self.reduction.slots.local(&self.reduction.plain, place, process))
    }

    fn next(&self, family: FamilyId, size: u32, after: Option<u32>, bound: &[u32]) -> Option<(u32, u32)> {
        let first = self.reduction.slots.placements[family].first;
        let mut process = after.map_or(0, |p| p + 1);
        while process < size {
            let Some((number, factor, position)) = self.counted(family, process) else {
                return Some((process, 1));
            };
            let point = Process(first + process);
            if self.told_apart(point, bound, first) {
                return Some((process, 1));
            }
            let (run, start) = run_at(self.state.runs[number].iter().copied(), position);
            // The positions of this run that are told apart, each tried by itself.
            let apart =
                |p: &Process| factor.points.position(*p).filter(|&at| at >= start && at < start + run.count);
            let bound_points = bound.iter().map(|&b| Process(first + b));
            let mut positions: Vec<u32> =
                self.tracked.iter().copied().chain(bound_points).filter_map(|p| apart(&p)).collect();
            positions.arrange();
            positions.dedup();
            let free = (start..start + run.count).find(|at| positions.binary_search(at).is_err());
            if free == Some(position) {
                return Some((process, run.count - positions.len() as u32));
            }
            // Behind the one that stands for the others: go on to the next one told apart, or behind the run; but not
            // beyond a gap in the factor's points, where other processes lie.
            let target = positions.iter().copied().find(|&at| at > position).unwrap_or(start + run.count);
            let gap =
                factor.points.ranges().find(|range| range.contains(&point.0)).map_or(point.0 + 1, |r| r.end);
            let next = factor.points.nth(target).map_or(gap, |p| p.0.min(gap));
            process = next - first;
        }
        None
    }

    fn stretch(&self, family: FamilyId, size: u32, after: Option<u32>, bound: &[u32]) -> Option<(u32, u32)> {
        let first = self.reduction.slots.placements[family].first;
        let process = after.map_or(0, |p| p + 1);
        if process >= size {
            return None;
        }
        let point = Process(first + process);
        let Some((number, factor, position)) = self.counted(family, process) else {
            return Some((process, 1));
        };
        if self.told_apart(point, bound, first) {
            return Some((process, 1));
        }
        let (run, start) = run_at(self.state.runs[number].iter().copied(), position);
        let gap =
            factor.points.ranges().find(|range| range.contains(&point.0)).map_or(point.0 + 1, |r| r.end);
        let apart = self.tracked.iter().map(|p| p.0).chain(bound.iter().map(|b| first + b));
        let next = apart.filter(|p| (point.0..gap).contains(p)).min().unwrap_or(gap);
        Some((process, (next - point.0).min(start + run.count - position)))
    }

    fn tally(&self, place: LocalPlace, _: u32, comparison: Comparison, value: i64) -> u64 {
        let placement = &self.reduction.slots.placements[place.family];
        let mut count = 0;
        for process in placement.kept.iter().map(|p| p.0 - placement.first) {
            count += u64::from(comparison.holds(self.local(place, process), value));
        }
        for &number in &placement.plain {
            let factor = &self.reduction.plain[number];
            for run in &self.state.runs[number] {
                if comparison.holds(factor.local.value(run.code, place.offset) as i64, value) {
                    count += run.count as u64;
                }
            }
        }
        count
    }

    fn enabled(&self, first: u32, process: u32) -> bool {
        self.enabled.is_some_and(|set| set.contains(Process(first + process)))
    }

    fn executed(&self, first: u32, process: u32) -> bool {
        self.executed == Some(Process(first + process))
    }
}
