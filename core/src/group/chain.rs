//! Groups known only by generators: what a stabiliser chain answers about them.

use super::forest::Forest;
use super::order::Order;
use super::schreier::{Images, Level, Tables, inverse, is_identity, multiply, sift};
use super::{GroupError, Perm, PointSet, Process};
use crate::sort::Sort as _;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A permutation group with a base and strong generating set.
///
/// The group need not be transitive. With m points moved and orbits of lengths n₁, n₂, … at the levels of
/// the chain, it holds m·Σnᵢ images; membership takes O(m·levels). Questions about a sequence of points
/// need a base whose first points some element takes to them: where there is none, the chain is built anew, so
/// who asks often about the same points should [set the base](Self::with_base) once.
///
/// ```
/// use orbitscope_core::group::{Chain, Perm, Process};
/// let [a, b, c, d] = [0, 1, 2, 3].map(Process);
/// let rotation = Perm::from_cycles(&[[a, b, c, d]])?;
/// let diagonal = Perm::transposition(a, c);
/// let square = Chain::generated(&[rotation, diagonal], Chain::EFFORT).expect("is small");
/// assert_eq!(square.order().to_string(), "8");
/// assert!(!square.contains(&Perm::transposition(a, b)));
/// # Ok::<(), orbitscope_core::group::PermError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    points: PointSet,
    tables: Tables,
}

impl Chain {
    /// An effort that takes seconds and less than a gigabyte.
    pub const EFFORT: u64 = 4_000_000_000;

    /// The group that the permutations generate. The effort counts the points of all permutations that are
    /// multiplied on the way, and sixteen for each image that is kept.
    pub fn generated(generators: &[Perm], effort: u64) -> Result<Self, GroupError> {
        let points: PointSet = generators.iter().flat_map(Perm::support).collect();
        let local = |perm: &Perm| {
            let mut images: Images = (0..points.len()).collect();
            for &(p, q) in perm.moves() {
                if let (Some(p), Some(q)) = (points.position(p), points.position(q)) {
                    images[p as usize] = q;
                }
            }
            images
        };
        let tables = Tables::build(points.len(), &[], generators.iter().map(local), None, effort)?;
        Ok(Chain { points, tables })
    }

    /// The points that the group may move.
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// The points whose images tell any two elements apart.
    pub fn base(&self) -> impl Iterator<Item = Process> {
        self.tables.levels.iter().map(|l| self.point(l.base))
    }

    fn point(&self, local: u32) -> Process {
        self.points.nth(local).expect("images are points of the chain")
    }

    fn perm(&self, images: &[u32]) -> Perm {
        Perm::from_sorted(self.points.iter().zip(images.iter().map(|&q| self.point(q))))
    }

    /// The permutation as an image list, if it keeps the points.
    fn images(&self, perm: &Perm) -> Option<Images> {
        let mut images: Images = (0..self.points.len()).collect();
        for &(p, q) in perm.moves() {
            images[self.points.position(p)? as usize] = self.points.position(q)?;
        }
        Some(images)
    }

    /// The places of a sequence of points, without those that the group does not know and so fixes.
    fn sequence(&self, points: &[Process]) -> Vec<u32> {
        points.iter().filter_map(|&p| self.points.position(p)).collect()
    }

    /// The number of elements.
    pub fn order(&self) -> Order {
        self.tables.levels.iter().fold(Order::one(), |order, l| order.times(l.orbit.len() as u32))
    }

    /// Whether the identity is the only element.
    pub fn is_trivial(&self) -> bool {
        self.tables.levels.iter().all(|l| l.orbit.len() == 1)
    }

    /// Permutations that generate the group: the given ones, until a stabiliser or another base was taken.
    pub fn generators(&self) -> impl Iterator<Item = Perm> {
        let top = self.tables.levels.first();
        top.into_iter().flat_map(|l| &l.generators).map(|g| self.perm(&self.tables.strong[g.id]))
    }

    /// Whether the permutation is an element.
    pub fn contains(&self, perm: &Perm) -> bool {
        let Some(mut images) = self.images(perm) else { return false };
        sift(&self.tables.levels, &mut images);
        is_identity(&images)
    }

    /// The orbits of two points and more.
    pub fn orbits(&self) -> Vec<PointSet> {
        let mut forest = Forest::new(self.tables.size);
        for g in self.tables.levels.first().into_iter().flat_map(|l| &l.generators) {
            for (point, &image) in (0..).zip(&self.tables.strong[g.id]) {
                forest.unite(point, image);
            }
        }
        let mut named: Vec<(u32, u32)> = (0..self.tables.size).map(|x| (forest.find(x), x)).collect();
        named.arrange();
        named
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|orbit| orbit.len() > 1)
            .map(|orbit| orbit.iter().map(|&(_, x)| self.point(x)).collect())
            .collect()
    }

    /// The same group with a base that starts with the given points.
    #[must_use]
    pub fn with_base(&self, points: &[Process]) -> Chain {
        let (chain, frame) = self.framed(&self.sequence(points));
        let mut chain = chain.into_owned();
        chain.tables.conjugate_by(&frame);
        chain
    }

    /// The elements that fix each of the points.
    #[must_use]
    pub fn stabiliser(&self, points: &[Process]) -> Chain {
        let sequence = self.sequence(points);
        let (chain, frame) = self.framed(&sequence);
        let mut chain = chain.into_owned();
        chain.tables.levels.drain(..sequence.len());
        chain.tables.conjugate_by(&frame);
        chain
    }

    /// A chain of the group with an element that takes the first points of its base to the sequence: this
    /// chain if it has such an element, one built anew on the sequence otherwise.
    fn framed(&self, sequence: &[u32]) -> (Cow<'_, Chain>, Images) {
        if let Some(frame) = self.take_base_to(sequence) {
            return (Cow::Borrowed(self), frame);
        }
        let top = self.tables.levels.first().into_iter().flat_map(|l| &l.generators);
        let generators = top.map(|g| self.tables.strong[g.id].clone());
        let (size, order) = (self.tables.size, self.tables.order());
        let tables = Tables::build(size, sequence, generators, Some(&order), u64::MAX)
            .expect("the effort has no limit");
        (Cow::Owned(Chain { points: self.points.clone(), tables }), (0..size).collect())
    }

    fn take_base_to(&self, sequence: &[u32]) -> Option<Images> {
        let levels = self.tables.levels.get(..sequence.len())?;
        let mut goals = sequence.iter();
        self.descend(levels, |level, back| level.place(back[*goals.next()? as usize]))
    }

    /// Goes down the levels and multiplies elements that take the base point of each to a point of its
    /// orbit, whose place `choose` names given the inverse of the product so far.
    fn descend(
        &self,
        levels: &[Level],
        mut choose: impl FnMut(&Level, &[u32]) -> Option<usize>,
    ) -> Option<Images> {
        let mut back: Images = (0..self.tables.size).collect();
        for level in levels {
            let place = choose(level, &back)?;
            multiply(&level.to_base[place], &mut back);
        }
        Some(inverse(&back))
    }

    /// Some element that takes each point of one sequence to the point of the other at the same place.
    pub fn transporter(&self, from: &[Process], to: &[Process]) -> Option<Perm> {
        if from.len() != to.len() {
            return None;
        }
        let (mut origins, mut images) = (Vec::new(), Vec::new());
        for (&a, &b) in from.iter().zip(to) {
            match (self.points.position(a), self.points.position(b)) {
                (Some(a), Some(b)) => {
                    origins.push(a);
                    images.push(b);
                }
                _ if a == b => {}
                _ => return None,
            }
        }
        let (chain, frame) = self.framed(&origins);
        let mut element = inverse(&frame);
        multiply(&chain.take_base_to(&images)?, &mut element);
        Some(self.perm(&element))
    }

    /// An element that takes the sequence to its least image in the order of sequences.
    pub fn to_least_image(&self, points: &[Process]) -> Perm {
        let sequence = self.sequence(points);
        let (chain, frame) = self.framed(&sequence);
        let mut element = inverse(&frame);
        let levels = &chain.tables.levels[..sequence.len()];
        // Points with smaller numbers are smaller: the first one that the level can still reach.
        let least = chain.descend(levels, |level, back| back.iter().find_map(|&point| level.place(point)));
        if let Some(least) = least {
            multiply(&least, &mut element);
        }
        self.perm(&element)
    }

    /// The element of the given number, in a fixed order that starts with the identity.
    pub fn element(&self, number: u128) -> Option<Perm> {
        let mut rest = number;
        let mut digits: Vec<usize> = Vec::new();
        for level in self.tables.levels.iter().rev() {
            let length = level.orbit.len() as u128;
            digits.push((rest % length) as usize);
            rest /= length;
        }
        if rest > 0 {
            return None;
        }
        let images = self.descend(&self.tables.levels, |_, _| digits.pop())?;
        Some(self.perm(&images))
    }
}
