//! Sets of points, stored as intervals.

use super::Process;
use crate::sort::Sort as _;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A set of points in increasing order, held as maximal intervals: `0..1_000_000` takes one.
///
/// Points are below 2³² − 1. With r the number of intervals, a look-up takes O(log r) and everything else O(r).
///
/// ```
/// use orbitscope_core::group::{PointSet, Process};
/// let clients = PointSet::range(0..1_000_000).without(&[Process(7)]);
/// assert_eq!(clients.len(), 999_999);
/// assert_eq!(clients.nth(7), Some(Process(8)));
/// assert_eq!(clients.position(Process(7)), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Vec<(u32, u32)>", into = "Vec<(u32, u32)>")
)]
pub struct PointSet {
    intervals: Vec<Interval>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Interval {
    points: Range<u32>,
    /// How many points of the set come before the interval.
    before: u32,
}

impl PointSet {
    /// The points of a range.
    pub fn range(points: Range<u32>) -> Self {
        Self::from_ranges([points])
    }

    /// The points of disjoint ranges in increasing order.
    pub(crate) fn from_ranges(ranges: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut intervals: Vec<Interval> = Vec::new();
        let mut before = 0;
        for points in ranges.into_iter().filter(|r| !r.is_empty()) {
            let count = points.end - points.start;
            match intervals.last_mut() {
                Some(last) if last.points.end == points.start => last.points.end = points.end,
                _ => intervals.push(Interval { points, before }),
            }
            before += count;
        }
        PointSet { intervals }
    }

    /// The number of points.
    pub fn len(&self) -> u32 {
        self.intervals.last().map_or(0, |i| i.before + (i.points.end - i.points.start))
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The smallest point.
    pub fn first(&self) -> Option<Process> {
        self.nth(0)
    }

    /// The largest point.
    pub fn last(&self) -> Option<Process> {
        self.intervals.last().map(|i| Process(i.points.end - 1))
    }

    /// Whether the point is in the set.
    pub fn contains(&self, point: Process) -> bool {
        self.position(point).is_some()
    }

    /// How many points of the set are smaller than `point`, if it is in the set.
    pub fn position(&self, point: Process) -> Option<u32> {
        let k = self.intervals.partition_point(|i| i.points.end <= point.0);
        let interval = self.intervals.get(k).filter(|i| i.points.contains(&point.0))?;
        Some(interval.before + (point.0 - interval.points.start))
    }

    /// The point with `position` smaller ones in the set.
    pub fn nth(&self, position: u32) -> Option<Process> {
        let k = self.intervals.partition_point(|i| i.before <= position);
        let interval = &self.intervals[k.checked_sub(1)?];
        let point = interval.points.start + (position - interval.before);
        interval.points.contains(&point).then_some(Process(point))
    }

    /// The points in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Process> {
        self.ranges().flatten().map(Process)
    }

    /// The maximal intervals in order.
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<u32>> + ExactSizeIterator {
        self.intervals.iter().map(|i| i.points.clone())
    }

    /// The set without the given points.
    #[must_use]
    pub fn without(&self, points: &[Process]) -> Self {
        let mut removed: Vec<u32> = points.iter().map(|p| p.0).collect();
        removed.arrange();
        removed.dedup();
        let mut ranges = Vec::new();
        for Range { mut start, end } in self.ranges() {
            let first = removed.partition_point(|&p| p < start);
            for &p in removed[first..].iter().take_while(|&&p| p < end) {
                ranges.push(start..p);
                start = p + 1;
            }
            ranges.push(start..end);
        }
        Self::from_ranges(ranges)
    }
}

/// The maximal intervals, each with its end, which is not in it.
impl From<PointSet> for Vec<(u32, u32)> {
    fn from(points: PointSet) -> Self {
        points.ranges().map(|r| (r.start, r.end)).collect()
    }
}

impl From<Vec<(u32, u32)>> for PointSet {
    fn from(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.arrange();
        let mut end = 0;
        Self::from_ranges(ranges.into_iter().map(|(from, to)| {
            let range = from.max(end)..to;
            end = end.max(to);
            range
        }))
    }
}

impl FromIterator<Process> for PointSet {
    fn from_iter<T: IntoIterator<Item = Process>>(points: T) -> Self {
        let mut points: Vec<u32> = points.into_iter().map(|p| p.0).collect();
        points.arrange();
        points.dedup();
        Self::from_ranges(points.into_iter().map(|p| p..p + 1))
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.ranges()).finish()
    }
}
