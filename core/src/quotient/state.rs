//! Representatives, and how code reads them.

use super::plain::PlainFactor;
use super::reduction::Reduction;
use super::runs::{code_at, run_at};
use super::slots::Spot;
use crate::group::Process;
use crate::program::{Comparison, FamilyId, Fault, LocalPlace, Predicate, Scratch, View, Write};
use alloc::vec::Vec;
use core::cell::Cell;

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
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    pub(super) reduction: &'a Reduction<'a>,
    pub(super) state: &'a Representative,
    /// Processes that are told from all others: those that a property tracks.
    pub tracked: &'a [Process],
    /// The process whose step leaves the state.
    pub executed: Option<Process>,
    /// Tells whether a process is enabled, where an expression asks.
    pub enabled: Option<&'a crate::group::PointSet>,
    /// The counted process that was looked at last.
    pub(super) latest: Cell<Option<Latest>>,
}

/// A counted process with its local state: code asks for several variables of one process, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latest {
    family: FamilyId,
    process: u32,
    /// The number of its factor.
    number: usize,
    code: u64,
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

    /// Remembers a counted process and its local state.
    fn note(&self, family: FamilyId, process: u32, number: usize, code: u64) {
        self.latest.set(Some(Latest { family, process, number, code }));
    }

    /// The positions of a factor's processes that are told apart, some of them perhaps twice.
    fn apart(&self, factor: &PlainFactor, bound: &[u32], first: u32) -> impl Iterator<Item = u32> + Clone {
        let bound = bound.iter().map(move |&b| Process(first + b));
        self.tracked.iter().copied().chain(bound).filter_map(|point| factor.points.position(point))
    }
}

impl View for Seen<'_> {
    fn shared(&self, slot: u32) -> i64 {
        self.at(self.reduction.slots.shared(&self.reduction.plain, slot))
    }

    fn local(&self, place: LocalPlace, process: u32) -> i64 {
        if let Some(latest) = self.latest.get().filter(|l| l.process == process && l.family == place.family) {
            return self.reduction.plain[latest.number].local.value(latest.code, place.offset) as i64;
        }
        let spot = self.reduction.slots.local(&self.reduction.plain, place, process);
        // A variable of a process that is not counted may be a table whose entries are.
        if let Spot::Counted(number, position, _) = spot
            && self.reduction.plain[number].family == place.family
        {
            self.note(place.family, process, number, code_at(&self.state.runs[number], position));
            return self.local(place, process);
        }
        self.at(spot)
    }

    fn next(&self, family: FamilyId, size: u32, after: Option<u32>, bound: &[u32]) -> Option<(u32, u32)> {
        let first = self.reduction.slots.placements[family].first;
        let mut process = after.map_or(0, |p| p + 1);
        while process < size {
            let Some((number, factor, position)) = self.counted(family, process) else {
                return Some((process, 1));
            };
            let apart = self.apart(factor, bound, first);
            if apart.clone().any(|at| at == position) {
                return Some((process, 1));
            }
            let (run, start) = run_at(self.state.runs[number].iter().copied(), position);
            let end = start + run.count;
            // A crowd has room for more processes than there are.
            if run.count == 0 {
                process = factor.points.ranges().last().map_or(size, |range| range.end - first);
                continue;
            }
            // The positions of this run that are told apart, each tried by itself.
            let apart = apart.filter(|&at| at >= start && at < end);
            let free = (start..end).find(|&at| apart.clone().all(|other| other != at));
            if free == Some(position) {
                self.note(family, process, number, run.code);
                let once = |(k, at): &(usize, u32)| apart.clone().take(*k).all(|before| before != *at);
                let tried = apart.clone().enumerate().filter(once).count();
                return Some((process, run.count - tried as u32));
            }
            // Behind the one that stands for the others: go on to the next one told apart, or behind the run; but not
            // beyond a gap in the factor's points, where other processes lie.
            let target = apart.filter(|&at| at > position).min().unwrap_or(end);
            let point = first + process;
            let gap =
                factor.points.ranges().find(|range| range.contains(&point)).map_or(point + 1, |r| r.end);
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
        if self.apart(factor, bound, first).any(|at| at == position) {
            return Some((process, 1));
        }
        let (run, start) = run_at(self.state.runs[number].iter().copied(), position);
        if run.count == 0 {
            return None;
        }
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

    fn holds_after(
        &self,
        condition: &Predicate,
        writes: &[Write],
        scratch: &mut Scratch,
    ) -> Result<bool, Fault> {
        let after = self.reduction.after(self.state, self.reduction.changed(self.state, writes));
        condition.holds(&self.reduction.see(&after, &[]), scratch, &[])
    }
}
