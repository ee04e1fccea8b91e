//! Rings of points with their rotations and reflections.

use super::{GroupError, Perm, PointSet, Process};
use crate::sort::Sort as _;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Points in a ring, each followed by the next and the last one by the first.
///
/// ```
/// use orbitscope_core::group::{GroupError, Process, Ring};
/// let ring = Ring::new((0..5).map(Process))?;
/// assert_eq!(ring.rotation(2).to_string(), "(0 2 4 1 3)");
/// assert_eq!(ring.reflection(0).to_string(), "(1 4)(2 3)");
/// assert_eq!(Ring::new([0, 1, 0].map(Process)).err(), Some(GroupError::Repeated(Process(0))));
/// # Ok::<(), GroupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ring {
    points: PointSet,
    cycle: Box<[Process]>,
    /// Where in the ring the n-th smallest point is.
    places: Box<[u32]>,
}

impl Ring {
    /// The ring of the given points in the given order.
    pub fn new(cycle: impl IntoIterator<Item = Process>) -> Result<Self, GroupError> {
        let cycle: Box<[Process]> = cycle.into_iter().collect();
        let mut sorted: Vec<(Process, u32)> = cycle.iter().copied().zip(0..).collect();
        sorted.arrange();
        if let Some(twice) = sorted.array_windows().find(|[a, b]| a.0 == b.0) {
            return Err(GroupError::Repeated(twice[0].0));
        }
        let points = sorted.iter().map(|s| s.0).collect();
        let places = sorted.iter().map(|s| s.1).collect();
        Ok(Ring { points, cycle, places })
    }

    /// The number of points.
    pub fn len(&self) -> u32 {
        self.cycle.len() as u32
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.cycle.is_empty()
    }

    /// The points as a set.
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// The points in the order of the ring.
    pub fn cycle(&self) -> &[Process] {
        &self.cycle
    }

    /// How many steps the point is after the first one of the ring.
    pub fn place(&self, point: Process) -> Option<u32> {
        self.points.position(point).map(|n| self.places[n as usize])
    }

    fn map(&self, place: impl Fn(u64) -> u64) -> Perm {
        let len = self.cycle.len() as u64;
        let image = |&k: &u32| self.cycle[(place(k.into()) % len) as usize];
        let mut moves = Vec::with_capacity(self.cycle.len());
        moves.extend(self.points.iter().zip(self.places.iter().map(image)).filter(|(p, q)| p != q));
        Perm::from_moves(moves)
    }

    /// The rotation that takes each point to the one `steps` after it.
    pub fn rotation(&self, steps: u32) -> Perm {
        self.map(|k| k + u64::from(steps))
    }

    /// The reflection that takes the point at place k to the one at place `sum` − k.
    pub fn reflection(&self, sum: u32) -> Perm {
        let len = u64::from(self.len());
        self.map(|k| u64::from(sum) + len - k)
    }

    /// The rotation that takes a to b.
    pub(super) fn rotation_between(&self, a: Process, b: Process) -> Option<Perm> {
        let (a, b, len) = (self.place(a)?, self.place(b)?, self.len());
        Some(self.rotation(if a <= b { b - a } else { len - (a - b) }))
    }

    /// The reflection that takes a to b.
    pub(super) fn reflection_between(&self, a: Process, b: Process) -> Option<Perm> {
        let sum = u64::from(self.place(a)?) + u64::from(self.place(b)?);
        Some(self.reflection((sum % u64::from(self.len())) as u32))
    }

    /// The rotations, and the reflections if asked for, that take a to b. None is given twice where the
    /// ring has three points or more.
    pub(super) fn between(&self, a: Process, b: Process, reflections: bool) -> Vec<Perm> {
        let mut found = vec![self.rotation_between(a, b)];
        if reflections {
            found.push(self.reflection_between(a, b));
        }
        found.into_iter().flatten().collect()
    }
}
