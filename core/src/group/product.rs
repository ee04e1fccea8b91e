//! Permutation groups as direct products of factors on disjoint points.

use super::order::Order;
use super::{Factor, GroupError, Partition, Perm, PointSet, Process, recognise};
use crate::sort::Sort as _;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

/// A group of permutations of the points 0..N: a direct product of factors that share no point.
///
/// Points in no factor are fixed. Every answer is deterministic.
///
/// ```
/// use orbitscope_core::group::{Factor, Group, PointSet, Process};
/// // A server and a million clients.
/// let group = Group::new(1_000_001, [Factor::Symmetric(PointSet::range(1..1_000_001))])?;
/// assert_eq!(group.order().to_string(), "1000000!");
/// let swap = group.transporter(&[Process(1)], &[Process(5)]).expect("is one orbit");
/// assert_eq!(swap.to_string(), "(1 5)");
/// assert_eq!(group.stabiliser(&[Process(5)]).orbits().len(), 3);
/// # Ok::<(), orbitscope_core::group::GroupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Group {
    degree: u32,
    factors: Vec<Factor>,
    /// Which factor moves the points of a range, by range.
    owners: Vec<(Range<u32>, usize)>,
}

impl Group {
    /// The group on 0..degree whose only element is the identity.
    pub fn trivial(degree: u32) -> Self {
        Group { degree, factors: Vec::new(), owners: Vec::new() }
    }

    /// The direct product of the factors on 0..degree. Those that move nothing are left out.
    pub fn new(degree: u32, factors: impl IntoIterator<Item = Factor>) -> Result<Self, GroupError> {
        let factors: Vec<Factor> = factors.into_iter().filter_map(Factor::normal).collect();
        let mut owners = Vec::new();
        for (k, factor) in factors.iter().enumerate() {
            if let Some(out) = factor.points().last().filter(|p| p.0 >= degree) {
                return Err(GroupError::OutOfRange(out));
            }
            owners.extend(factor.points().ranges().map(|range| (range, k)));
        }
        owners.arrange_by_key(|(range, _)| range.start);
        if let Some([_, (range, _)]) = owners.array_windows().find(|[a, b]| a.0.end > b.0.start) {
            return Err(GroupError::Repeated(Process(range.start)));
        }
        Ok(Group { degree, factors, owners })
    }

    /// The group that the permutations generate, in factors as far as their supports tell them apart.
    /// The effort is that of [`Chain::generated`](super::Chain::generated), for each factor that needs a
    /// chain.
    pub fn generated(degree: u32, generators: &[Perm], effort: u64) -> Result<Self, GroupError> {
        let last = generators.iter().filter_map(|g| g.support().next_back()).max();
        if let Some(out) = last.filter(|p| p.0 >= degree) {
            return Err(GroupError::OutOfRange(out));
        }
        Self::new(degree, recognise::factors(generators, effort)?)
    }

    /// N: the group acts on 0..N.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// The factors, none of which is trivial.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The factor that may move the point, as its number among [`factors`](Self::factors).
    fn owner(&self, point: Process) -> Option<usize> {
        let k = self.owners.partition_point(|(range, _)| range.end <= point.0);
        self.owners.get(k).filter(|(range, _)| range.contains(&point.0)).map(|o| o.1)
    }

    /// The factor that may move the point.
    pub fn factor_of(&self, point: Process) -> Option<&Factor> {
        self.owner(point).map(|k| &self.factors[k])
    }

    /// Parts a sequence by factors, without the points that none moves.
    fn by_factor(&self, points: &[Process]) -> BTreeMap<usize, Vec<Process>> {
        let mut parts: BTreeMap<usize, Vec<Process>> = BTreeMap::new();
        for &p in points {
            if let Some(k) = self.owner(p) {
                parts.entry(k).or_default().push(p);
            }
        }
        parts
    }

    /// Parts pairs by factors; nothing if a pair is in two of them, or no factor takes it apart.
    fn pairs_by_factor(
        &self,
        pairs: impl IntoIterator<Item = (Process, Process)>,
    ) -> Option<BTreeMap<usize, Vec<(Process, Process)>>> {
        let mut parts: BTreeMap<usize, Vec<(Process, Process)>> = BTreeMap::new();
        for (a, b) in pairs {
            match (self.owner(a), self.owner(b)) {
                (Some(k), Some(l)) if k == l => parts.entry(k).or_default().push((a, b)),
                _ if a == b => {}
                _ => return None,
            }
        }
        Some(parts)
    }

    /// The number of elements.
    pub fn order(&self) -> Order {
        self.factors.iter().fold(Order::one(), |order, factor| order.product(&factor.order()))
    }

    /// About how many bytes it takes beside its own; a factor that is given by generators takes more.
    pub fn heap_bytes(&self) -> u64 {
        let factors = self.factors.capacity() * size_of::<Factor>();
        let owners = self.owners.capacity() * size_of::<(Range<u32>, usize)>();
        // A factor has the intervals that it owns.
        (factors + 2 * owners) as u64
    }

    /// Whether the identity is the only element.
    pub fn is_trivial(&self) -> bool {
        self.factors.is_empty()
    }

    /// Permutations that generate the group, made one by one: of a symmetric factor the transpositions
    /// of neighbours, of a ring one rotation and one reflection.
    pub fn generators(&self) -> impl Iterator<Item = Perm> {
        self.factors.iter().flat_map(Factor::generators)
    }

    /// Whether the permutation is an element.
    pub fn contains(&self, perm: &Perm) -> bool {
        let Some(parts) = self.pairs_by_factor(perm.moves().iter().copied()) else { return false };
        parts.into_iter().all(|(k, moves)| self.factors[k].contains(&Perm::from_sorted(moves)))
    }

    /// The partition of 0..N into orbits.
    pub fn orbits(&self) -> Partition {
        Partition::from_classes(self.degree, self.factors.iter().flat_map(Factor::orbits))
            .expect("orbits share no point and factors are in range")
    }

    /// The images of a point under all elements.
    pub fn orbit_of(&self, point: Process) -> PointSet {
        let orbits = self.factor_of(point).map(Factor::orbits).unwrap_or_default();
        let orbit = orbits.into_iter().find(|orbit| orbit.contains(point));
        orbit.unwrap_or_else(|| PointSet::from_iter([point]))
    }

    /// The elements that fix each of the points.
    #[must_use]
    pub fn stabiliser(&self, points: &[Process]) -> Group {
        if self.is_trivial() {
            return self.clone();
        }
        let parts = self.by_factor(points);
        let factors = self.factors.iter().enumerate().filter_map(|(k, factor)| match parts.get(&k) {
            None => Some(factor.clone()),
            Some(points) => factor.stabiliser(points),
        });
        Group::new(self.degree, factors).expect("stabilisers move no more than the factors")
    }

    /// The same group with the given points first in the bases of its chains, so that questions about
    /// them are answered without building chains anew.
    #[must_use]
    pub fn with_base(mut self, points: &[Process]) -> Group {
        for (k, points) in self.by_factor(points) {
            if let Factor::General(chain) = &mut self.factors[k] {
                *chain = chain.with_base(&points);
            }
        }
        self
    }

    /// Some element that takes each point of one sequence to the point of the other at the same place.
    pub fn transporter(&self, from: &[Process], to: &[Process]) -> Option<Perm> {
        if from.len() != to.len() {
            return None;
        }
        let parts = self.pairs_by_factor(from.iter().copied().zip(to.iter().copied()))?;
        let moves: Option<Vec<Perm>> =
            parts.into_iter().map(|(k, pairs)| self.factors[k].transporter(&pairs)).collect();
        moves.map(Perm::disjoint_product)
    }

    /// A permutation that moves few points, among all π∘g with g in the group. On the points of a symmetric factor it moves as few
    /// as possible: where π moves a point of the factor to another point of it, g brings it back beforehand.
    #[must_use]
    pub fn shortest_of_coset(&self, perm: &Perm) -> Perm {
        if self.is_trivial() || perm.is_identity() {
            return perm.clone();
        }
        let mut rest: Vec<(Process, Process)> = Vec::new();
        // By symmetric factor: the points that π moves, and their images.
        let mut parts: BTreeMap<usize, (Vec<Process>, Vec<Process>)> = BTreeMap::new();
        for &(point, image) in perm.moves() {
            match self.owner(point) {
                Some(k) if matches!(self.factors[k], Factor::Symmetric(_)) => {
                    let (points, images) = parts.entry(k).or_default();
                    points.push(point);
                    images.push(image);
                }
                _ => rest.push((point, image)),
            }
        }
        for (points, mut images) in parts.into_values() {
            images.arrange();
            let left = points.iter().filter(|p| images.binary_search(p).is_err());
            let new = images.iter().filter(|p| points.binary_search(p).is_err());
            rest.extend(left.copied().zip(new.copied()));
        }
        Perm::from_bijection(rest)
    }

    /// An element that takes the sequence to the least of its images, in the order of sequences: two
    /// sequences have the same least image just if some element takes one to the other.
    pub fn to_least_image(&self, points: &[Process]) -> Perm {
        let parts = self.by_factor(points);
        Perm::disjoint_product(parts.into_iter().map(|(k, points)| self.factors[k].to_least_image(&points)))
    }

    /// The element of the given number, in a fixed order that starts with the identity.
    pub fn element(&self, number: u128) -> Option<Perm> {
        let mut rest = number;
        let mut parts = Vec::new();
        for factor in self.factors.iter().rev() {
            let (digit, carry) = match factor.order().to_u128() {
                Some(count) => (rest % count, rest / count),
                None => (rest, 0),
            };
            parts.push(factor.element(digit)?);
            rest = carry;
        }
        (rest == 0).then(|| Perm::disjoint_product(parts))
    }

    /// The first elements in their fixed order, at most `limit` of them; each comes once.
    pub fn elements(&self, limit: u128) -> impl Iterator<Item = Perm> {
        (0..limit).map_while(|number| self.element(number))
    }
}
