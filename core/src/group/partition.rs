//! Partitions of the processes 0..N.

use super::forest::Forest;
use super::{GroupError, Perm, PointSet, Process};
use crate::sort::Sort as _;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A partition of the points 0..N, each class named by its smallest member.
///
/// Only classes of two members and more are stored, as maximal runs of neighbours of one class: neither
/// a million singletons nor one class of a million neighbours takes memory. The form is canonical, so
/// equality compares the stored runs. With r and r' the numbers of runs and s the number of points moved:
///
/// | operation | time |
/// | --- | --- |
/// | `class_of`, `same_class` | O(log r) |
/// | `refines` | O(r log r') |
/// | `join`, `union`, `join_orbits_of`, `image` | O((r + r' + s) log (r + r' + s)) |
/// | `len`, `members` | O(r) |
///
/// `union` rewrites the runs each time: many pairs at once belong in one partition that is joined in.
///
/// ```
/// use orbitscope_core::group::{Partition, Perm, Process};
/// let mut p = Partition::discrete(5);
/// p.union(Process(4), Process(2));
/// p.join_orbits_of(&Perm::transposition(Process(0), Process(4)));
/// assert_eq!(p.class_of(Process(4)), Process(0));
/// assert_eq!(p.to_string(), "{0 2 4}{1}{3}");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "(u32, Vec<PointSet>)", into = "(u32, Vec<PointSet>)")
)]
pub struct Partition {
    degree: u32,
    /// By start, disjoint, no two that touch of one class.
    runs: Vec<Run>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Run {
    start: u32,
    end: u32,
    class: u32,
}

impl Partition {
    /// The partition of 0..degree in which every point is alone.
    pub fn discrete(degree: u32) -> Self {
        Partition { degree, runs: Vec::new() }
    }

    /// The partition with the given disjoint classes; every other point is alone.
    pub fn from_classes(
        degree: u32,
        classes: impl IntoIterator<Item = PointSet>,
    ) -> Result<Self, GroupError> {
        let mut runs = Vec::new();
        for (class, points) in (0..).zip(classes) {
            if let Some(out) = points.last().filter(|p| p.0 >= degree) {
                return Err(GroupError::OutOfRange(out));
            }
            runs.extend(points.ranges().map(|r| Run { start: r.start, end: r.end, class }));
        }
        runs.arrange_by_key(|r| r.start);
        if let Some([_, b]) = runs.array_windows().find(|[a, b]| a.end > b.start) {
            return Err(GroupError::Repeated(Process(b.start)));
        }
        Ok(Self::canonical(degree, runs))
    }

    /// The orbits of a permutation.
    pub fn orbits_of(degree: u32, perm: &Perm) -> Self {
        debug_assert!(perm.support().next_back().is_none_or(|p| p.0 < degree));
        let runs = (0..).zip(perm.cycles()).flat_map(|(class, cycle)| {
            cycle.into_iter().map(move |p| Run { start: p.0, end: p.0 + 1, class })
        });
        Self::canonical(degree, runs.collect())
    }

    /// Brings disjoint runs, whose classes may have any names, into the one form.
    fn canonical(degree: u32, mut runs: Vec<Run>) -> Self {
        runs.arrange_by_key(|r| r.start);
        // (class, smallest member, size), one for each class after the runs of a class are summed up.
        let mut classes: Vec<_> = runs.iter().map(|r| (r.class, r.start, r.end - r.start)).collect();
        classes.arrange();
        classes.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.2 += if same { later.2 } else { 0 };
            same
        });
        let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
        for run in runs {
            let (_, class, size) = classes[classes.partition_point(|c| c.0 < run.class)];
            match joined.last_mut() {
                Some(last) if last.end == run.start && last.class == class => last.end = run.end,
                _ if size > 1 => joined.push(Run { class, ..run }),
                _ => {}
            }
        }
        Partition { degree, runs: joined }
    }

    /// N: the partition is one of 0..N.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    fn run_of(&self, point: Process) -> Option<&Run> {
        let k = self.runs.partition_point(|r| r.end <= point.0);
        self.runs.get(k).filter(|r| r.start <= point.0)
    }

    /// The smallest member of the point's class.
    pub fn class_of(&self, point: Process) -> Process {
        self.run_of(point).map_or(point, |r| Process(r.class))
    }

    /// The neighbours around a point that are surely of one class with it.
    pub fn run_around(&self, point: Process) -> Range<u32> {
        self.run_of(point).map_or(point.0..point.0 + 1, |r| r.start..r.end)
    }

    /// Whether two points share a class.
    pub fn same_class(&self, a: Process, b: Process) -> bool {
        self.class_of(a) == self.class_of(b)
    }

    /// All members of the point's class.
    pub fn members(&self, point: Process) -> PointSet {
        match self.run_of(point) {
            None => PointSet::range(point.0..point.0 + 1),
            Some(own) => {
                let runs = self.runs.iter().filter(|r| r.class == own.class);
                PointSet::from_ranges(runs.map(|r| r.start..r.end))
            }
        }
    }

    /// The number of classes.
    pub fn len(&self) -> u32 {
        let named = self.runs.iter().filter(|r| r.start == r.class).count() as u32;
        let members: u32 = self.runs.iter().map(|r| r.end - r.start).sum();
        self.degree - members + named
    }

    /// Whether there is no class, because there is no point.
    pub fn is_empty(&self) -> bool {
        self.degree == 0
    }

    /// The classes of two members and more, by their names. Takes O(r log r).
    pub fn nontrivial_classes(&self) -> impl Iterator<Item = PointSet> {
        let mut runs = self.runs.clone();
        runs.arrange_by_key(|r| (r.class, r.start));
        let mut rest = 0;
        core::iter::from_fn(move || {
            let class = runs.get(rest)?.class;
            let of_class = runs[rest..].iter().take_while(|r| r.class == class);
            let points = PointSet::from_ranges(of_class.map(|r| r.start..r.end));
            rest += runs[rest..].partition_point(|r| r.class == class);
            Some(points)
        })
    }

    /// The names of all classes, in order.
    pub fn names(&self) -> impl Iterator<Item = Process> {
        let mut point = 0;
        let mut runs = self.runs.iter().peekable();
        core::iter::from_fn(move || {
            while let Some(run) = runs.next_if(|r| r.start == point) {
                point = run.end;
                if run.start == run.class {
                    return Some(Process(run.class));
                }
            }
            let name = (point < self.degree).then_some(Process(point));
            point += u32::from(name.is_some());
            name
        })
    }

    /// All classes by their names, the single points too.
    pub fn classes(&self) -> impl Iterator<Item = PointSet> {
        let mut large = self.nontrivial_classes().peekable();
        self.names().map(move |name| {
            large
                .next_if(|points| points.first() == Some(name))
                .unwrap_or_else(|| PointSet::range(name.0..name.0 + 1))
        })
    }

    /// Makes one class of the classes of two points.
    pub fn union(&mut self, a: Process, b: Process) {
        if !self.same_class(a, b) {
            self.join_orbits_of(&Perm::transposition(a, b));
        }
    }

    /// Joins in the orbits of a permutation: each point comes into the class of its image.
    pub fn join_orbits_of(&mut self, perm: &Perm) {
        // Most permutations around a loop say what is known.
        if perm.moves().iter().all(|&(point, image)| self.same_class(point, image)) {
            return;
        }
        *self = self.join(&Self::orbits_of(self.degree, perm));
    }

    /// Joins in another partition.
    pub fn join_in(&mut self, other: Partition) {
        if other.refines(self) {
            return;
        }
        *self = if self.refines(&other) { other } else { self.join(&other) };
    }

    /// The finest partition that both refine.
    #[must_use]
    pub fn join(&self, other: &Partition) -> Partition {
        debug_assert_eq!(self.degree, other.degree);
        let mut names: Vec<u32> = self.runs.iter().chain(&other.runs).map(|r| r.class).collect();
        names.arrange();
        names.dedup();
        let index = |name: u32| names.partition_point(|&n| n < name) as u32;
        let mut forest = Forest::new(names.len() as u32);
        let mut pieces = self.overlay(other);
        for (piece, second) in &mut pieces {
            piece.class = index(piece.class);
            if let Some(second) = second {
                forest.unite(piece.class, index(*second));
            }
        }
        let classes = pieces.into_iter().map(|(p, _)| Run { class: forest.find(p.class), ..p });
        Self::canonical(self.degree, classes.collect())
    }

    /// The runs of both cut at each other's ends, each with its class in either one and its class in
    /// `other` if it has two.
    fn overlay(&self, other: &Partition) -> Vec<(Run, Option<u32>)> {
        let mut pieces = Vec::new();
        let (mut own, mut others) = (self.runs.iter().peekable(), other.runs.iter().peekable());
        let mut start = 0;
        loop {
            own.next_if(|r| r.end <= start);
            others.next_if(|r| r.end <= start);
            let (a, b) = (own.peek(), others.peek());
            let Some(next) = a.into_iter().chain(b).map(|r| r.start).min() else { break };
            start = start.max(next);
            let ends = |r: &&&Run| if r.start <= start { r.end } else { r.start };
            let end = a.iter().chain(b.iter()).map(ends).min().unwrap_or(start);
            let a = a.filter(|r| r.start <= start).map(|r| r.class);
            let b = b.filter(|r| r.start <= start).map(|r| r.class);
            if let Some(class) = a.or(b) {
                pieces.push((Run { start, end, class }, a.and(b)));
            }
            start = end;
        }
        pieces
    }

    /// Whether every class of this partition lies in one of the other.
    pub fn refines(&self, other: &Partition) -> bool {
        self.runs.iter().all(|run| {
            // Runs are maximal: a part of one class lies within one run.
            let class = other.class_of(Process(run.class)).0;
            other.run_of(Process(run.start)).is_some_and(|r| r.class == class && run.end <= r.end)
        })
    }

    /// The partition moved by π: π(a) and π(b) share a class of it where a and b do here.
    #[must_use]
    pub fn image(&self, perm: &Perm) -> Partition {
        debug_assert!(perm.support().next_back().is_none_or(|p| p.0 < self.degree));
        let mut pieces = Vec::with_capacity(self.runs.len() + perm.moves().len());
        let mut moves = perm.moves().iter().peekable();
        for &Run { mut start, end, class } in &self.runs {
            while moves.next_if(|m| m.0.0 < start).is_some() {}
            while let Some((point, image)) = moves.next_if(|m| m.0.0 < end) {
                if start < point.0 {
                    pieces.push(Run { start, end: point.0, class });
                }
                pieces.push(Run { start: image.0, end: image.0 + 1, class });
                start = point.0 + 1;
            }
            if start < end {
                pieces.push(Run { start, end, class });
            }
        }
        Self::canonical(self.degree, pieces)
    }

    /// The bytes that it takes beside its own.
    pub fn heap_bytes(&self) -> u64 {
        (self.runs.capacity() * size_of::<Run>()) as u64
    }

    /// The classes written out, as `{a b}{c}`, with points called as `name` says.
    pub fn display<D: fmt::Display>(&self, name: impl Fn(Process) -> D) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            for class in self.classes() {
                for (k, p) in class.iter().enumerate() {
                    f.write_str(if k == 0 { "{" } else { " " })?;
                    write!(f, "{}", name(p))?;
                }
                f.write_str("}")?;
            }
            Ok(())
        })
    }
}

/// The number of points and the classes of two members and more.
impl From<Partition> for (u32, Vec<PointSet>) {
    fn from(partition: Partition) -> Self {
        (partition.degree, partition.nontrivial_classes().collect())
    }
}

impl TryFrom<(u32, Vec<PointSet>)> for Partition {
    type Error = GroupError;
    fn try_from((degree, classes): (u32, Vec<PointSet>)) -> Result<Self, GroupError> {
        Self::from_classes(degree, classes)
    }
}

/// The classes with plain numbers: `{0 2}{1}`.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(|p| p.0).fmt(f)
    }
}

impl fmt::Debug for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
