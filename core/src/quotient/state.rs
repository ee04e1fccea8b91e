//! Representatives, and how code reads them.

use super::plain::{PlainFactor, run_at};
use super::reduction::Reduction;
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
    /// The values of all slots that are not of a plain factor's process.
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

/// Where a process of a family is kept.
enum Home<'a> {
    /// Among the values, at this position of the family's kept processes.
    Kept(u32),
    /// In the plain factor with this number, at this position.
    Plain(usize, &'a PlainFactor, u32),
}

impl<'a> Seen<'a> {
    fn home(&self, family: FamilyId, process: u32) -> Home<'a> {
        let placement = &self.reduction.placements[family];
        if placement.plain.is_empty() {
            return Home::Kept(process);
        }
        let point = Process(placement.first + process);
        for &number in &placement.plain {
            let factor = &self.reduction.plain[number];
            if let Some(position) = factor.points.position(point) {
                return Home::Plain(number, factor, position);
            }
        }
        Home::Kept(placement.kept.position(point).unwrap_or(0))
    }

    fn told_apart(&self, point: Process, bound: &[u32], first: u32) -> bool {
        self.tracked.contains(&point) || bound.contains(&(point.0 - first))
    }
}

impl View for Seen<'_> {
    fn shared(&self, slot: u32) -> i64 {
        self.state.values[slot as usize] as i64
    }

    fn local(&self, place: LocalPlace, process: u32) -> i64 {
        match self.home(place.family, process) {
            Home::Kept(position) => {
                let first = self.reduction.placements[place.family].slots;
                self.state.values[(first + position * place.stride + place.offset) as usize] as i64
            }
            Home::Plain(number, factor, position) => {
                let (run, _) = run_at(&self.state.runs[number], position);
                factor.value(run.code, place.offset) as i64
            }
        }
    }

    fn next(&self, family: FamilyId, size: u32, after: Option<u32>, bound: &[u32]) -> Option<(u32, u32)> {
        let first = self.reduction.placements[family].first;
        let mut process = after.map_or(0, |p| p + 1);
        while process < size {
            let Home::Plain(number, factor, position) = self.home(family, process) else {
                return Some((process, 1));
            };
            let point = Process(first + process);
            if self.told_apart(point, bound, first) {
                return Some((process, 1));
            }
            let (run, start) = run_at(&self.state.runs[number], position);
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

    fn tally(&self, place: LocalPlace, size: u32, comparison: Comparison, value: i64) -> u64 {
        let placement = &self.reduction.placements[place.family];
        let kept = if placement.plain.is_empty() { size } else { placement.kept.len() };
        let mut count = 0;
        for position in 0..kept {
            let slot = placement.slots + position * place.stride + place.offset;
            count += u64::from(comparison.holds(self.state.values[slot as usize] as i64, value));
        }
        for &number in &placement.plain {
            let factor = &self.reduction.plain[number];
            for run in &self.state.runs[number] {
                if comparison.holds(factor.value(run.code, place.offset) as i64, value) {
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
