//! The factors of a group: symmetric groups and those of rings, which answer by formula, and chains.

use super::order::Order;
use super::{Chain, Perm, PointSet, Process, Ring};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// A group on its own points, one of the factors of a [`Group`](super::Group), which asks it all
/// questions.
#[derive(Clone, Debug)]
pub enum Factor {
    /// All permutations of the points.
    Symmetric(PointSet),
    /// The rotations of a ring.
    Cyclic(Ring),
    /// The rotations and reflections of a ring.
    Dihedral(Ring),
    /// A group given by generators.
    General(Chain),
}

impl Factor {
    /// The factor in its one form, or nothing if it moves nothing. A ring of two points or fewer has no
    /// reflection that is not a rotation: the formulas for dihedral groups hold from three points on.
    pub(super) fn normal(self) -> Option<Factor> {
        match self {
            Factor::Symmetric(points) => (points.len() > 1).then_some(Factor::Symmetric(points)),
            Factor::Cyclic(ring) | Factor::Dihedral(ring) if ring.len() < 3 => {
                Factor::Symmetric(ring.points().clone()).normal()
            }
            Factor::General(chain) => (!chain.is_trivial()).then_some(Factor::General(chain)),
            ring => Some(ring),
        }
    }

    /// The points that the factor may move.
    pub fn points(&self) -> &PointSet {
        match self {
            Factor::Symmetric(points) => points,
            Factor::Cyclic(ring) | Factor::Dihedral(ring) => ring.points(),
            Factor::General(chain) => chain.points(),
        }
    }

    pub(super) fn order(&self) -> Order {
        match self {
            Factor::Symmetric(points) => Order::one().times_factorial(points.len()),
            Factor::Cyclic(ring) => Order::one().times(ring.len()),
            Factor::Dihedral(ring) => Order::one().times(ring.len()).times(2),
            Factor::General(chain) => chain.order(),
        }
    }

    /// For a permutation of the factor's points.
    pub(super) fn contains(&self, perm: &Perm) -> bool {
        match self {
            Factor::Symmetric(_) => true,
            Factor::General(chain) => chain.contains(perm),
            Factor::Cyclic(ring) | Factor::Dihedral(ring) => {
                let moved = perm.support().len();
                // A rotation moves every point and a reflection all but two: do not build them for less.
                if moved + 2 < ring.len() as usize {
                    return moved == 0;
                }
                let first = ring.cycle()[0];
                let candidates = ring.between(first, perm.apply(first), self.has_reflections());
                candidates.contains(perm)
            }
        }
    }

    fn has_reflections(&self) -> bool {
        matches!(self, Factor::Dihedral(_))
    }

    pub(super) fn generators(&self) -> Box<dyn Iterator<Item = Perm> + '_> {
        match self {
            Factor::Symmetric(points) => {
                let next = points.iter().skip(1);
                Box::new(points.iter().zip(next).map(|(a, b)| Perm::transposition(a, b)))
            }
            Factor::Cyclic(ring) => Box::new([ring.rotation(1)].into_iter()),
            Factor::Dihedral(ring) => Box::new([ring.rotation(1), ring.reflection(0)].into_iter()),
            Factor::General(chain) => Box::new(chain.generators()),
        }
    }

    /// The orbits of two points and more.
    pub(super) fn orbits(&self) -> Vec<PointSet> {
        match self {
            Factor::General(chain) => chain.orbits(),
            transitive => vec![transitive.points().clone()],
        }
    }

    /// The elements that fix each of the points, all of which are the factor's.
    pub(super) fn stabiliser(&self, points: &[Process]) -> Option<Factor> {
        let Some(&first) = points.first() else { return Some(self.clone()) };
        let stabiliser = match self {
            Factor::Symmetric(all) => Factor::Symmetric(all.without(points)),
            Factor::Cyclic(_) => return None,
            Factor::Dihedral(ring) => {
                let reflection = ring.reflection_between(first, first)?;
                if points.iter().any(|&p| reflection.apply(p) != p) {
                    return None;
                }
                let chain = Chain::generated(&[reflection], u64::MAX).expect("the effort has no limit");
                Factor::General(chain)
            }
            Factor::General(chain) => Factor::General(chain.stabiliser(points)),
        };
        stabiliser.normal()
    }

    /// Some element that takes each point to the one beside it; all points are the factor's.
    pub(super) fn transporter(&self, pairs: &[(Process, Process)]) -> Option<Perm> {
        let Some(&(a, b)) = pairs.first() else { return Some(Perm::identity()) };
        match self {
            Factor::Symmetric(_) => Perm::completing(pairs),
            Factor::Cyclic(ring) | Factor::Dihedral(ring) => ring
                .between(a, b, self.has_reflections())
                .into_iter()
                .find(|g| pairs.iter().all(|&(a, b)| g.apply(a) == b)),
            Factor::General(chain) => {
                let (from, to): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
                chain.transporter(&from, &to)
            }
        }
    }

    /// An element that takes the sequence to its least image in the order of sequences.
    pub(super) fn to_least_image(&self, points: &[Process]) -> Perm {
        match self {
            Factor::Symmetric(all) => {
                let mut images: BTreeMap<Process, Process> = BTreeMap::new();
                let mut least = all.iter();
                for &p in points {
                    images.entry(p).or_insert_with(|| least.next().unwrap_or(p));
                }
                Perm::completing(&images.into_iter().collect::<Vec<_>>()).unwrap_or_default()
            }
            Factor::Cyclic(ring) | Factor::Dihedral(ring) => {
                let (Some(&first), Some(least)) = (points.first(), ring.points().first()) else {
                    return Perm::identity();
                };
                let candidates = ring.between(first, least, self.has_reflections());
                let image = |g: &Perm| points.iter().map(|&p| g.apply(p)).collect::<Vec<_>>();
                candidates.into_iter().min_by_key(image).unwrap_or_default()
            }
            Factor::General(chain) => chain.to_least_image(points),
        }
    }

    /// The element of the given number, which is below the order; the identity first.
    pub(super) fn element(&self, number: u128) -> Option<Perm> {
        match self {
            Factor::Symmetric(points) => arrangement(points, number),
            Factor::Cyclic(ring) | Factor::Dihedral(ring) => {
                let steps = (number % u128::from(ring.len())) as u32;
                let turned = number >= u128::from(ring.len());
                Some(if turned { ring.reflection(steps) } else { ring.rotation(steps) })
            }
            Factor::General(chain) => chain.element(number),
        }
    }
}

/// The permutation of the given number in the order of image lists: small numbers move only the last
/// points, whatever the size of the set.
fn arrangement(points: &PointSet, number: u128) -> Option<Perm> {
    // In the factorial number system, the digit for the last point has radix 1, the one before it radix 2.
    let mut digits = Vec::new();
    let (mut rest, mut radix) = (number, 1);
    while rest > 0 {
        digits.push((rest % radix) as usize);
        rest /= radix;
        radix += 1;
    }
    let fixed = points.len().checked_sub(digits.len() as u32)?;
    let tail: Vec<Process> = (fixed..points.len()).filter_map(|k| points.nth(k)).collect();
    let mut left = tail.clone();
    let images = digits.into_iter().rev().map(|digit| left.remove(digit));
    Some(Perm::from_sorted(tail.into_iter().zip(images)))
}
