//! Permutations, stored in the size of what they move.

use super::{PermError, Process};
use crate::sort::Sort as _;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// A permutation of processes, held as its moved points with their images.
///
/// With s and t the numbers of points moved, [`apply`](Self::apply) takes O(log s), and O(1) where the
/// moved points are neighbours; products and inverses take O((s + t) log (s + t)). The identity needs no
/// memory. Permutations are ordered by their image lists (π(0), π(1), …), so the identity comes first.
///
/// ```
/// use orbitscope_core::group::{Perm, Process};
/// let [a, b, c] = [0, 1, 2].map(Process);
/// let rotation = Perm::from_cycles(&[[a, b, c]])?;
/// let swap = Perm::transposition(a, b);
/// assert_eq!(rotation.compose(&swap).apply(a), rotation.apply(swap.apply(a)));
/// assert_eq!(rotation.display(|p| format!("client[{}]", p.0)).to_string(),
///            "(client[0] client[1] client[2])");
/// # Ok::<(), orbitscope_core::group::PermError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<(Process, Process)>", into = "Vec<(Process, Process)>")
)]
pub struct Perm {
    /// (point, image) with point ≠ image, by point: one list for each permutation.
    moves: Box<[(Process, Process)]>,
}

impl Perm {
    /// The permutation that moves nothing.
    pub fn identity() -> Self {
        Perm::default()
    }

    /// The permutation that swaps two points; the identity if they are the same.
    pub fn transposition(a: Process, b: Process) -> Self {
        match a.cmp(&b) {
            Ordering::Less => Perm { moves: Box::new([(a, b), (b, a)]) },
            Ordering::Equal => Perm::identity(),
            Ordering::Greater => Perm { moves: Box::new([(b, a), (a, b)]) },
        }
    }

    /// The permutation with the given disjoint cycles; a cycle of one point says that it is fixed.
    pub fn from_cycles<C: AsRef<[Process]>>(cycles: &[C]) -> Result<Self, PermError> {
        let mut pairs = Vec::new();
        for cycle in cycles {
            let cycle = cycle.as_ref();
            let images = cycle.iter().cycle().skip(1);
            pairs.extend(cycle.iter().copied().zip(images.copied()));
        }
        Self::from_pairs(pairs)
    }

    /// The permutation that takes point i to `images[i]` and fixes the points beyond.
    pub fn from_images(images: &[Process]) -> Result<Self, PermError> {
        Self::from_pairs((0..).map(Process).zip(images.iter().copied()))
    }

    /// The permutation that takes each given point to its image, in any order, and fixes all others.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (Process, Process)>) -> Result<Self, PermError> {
        let mut moves: Vec<(Process, Process)> = pairs.into_iter().collect();
        moves.arrange();
        if let Some(twice) = moves.array_windows().find(|[a, b]| a.0 == b.0) {
            return Err(PermError::Repeated(twice[0].0));
        }
        let mut images: Vec<Process> = moves.iter().map(|m| m.1).collect();
        images.arrange();
        if let Some(twice) = images.array_windows().find(|[a, b]| a == b) {
            return Err(PermError::Repeated(twice[0]));
        }
        if let Some(&lost) = images.iter().find(|&&q| moves.binary_search_by_key(&q, |m| m.0).is_err()) {
            return Err(PermError::NoImage(lost));
        }
        Ok(Self::from_sorted(moves))
    }

    /// A permutation that takes each point to the one beside it and moves no point that is not among them, if the pairs
    /// are one-to-one.
    pub(crate) fn completing(pairs: &[(Process, Process)]) -> Option<Perm> {
        if let &[(a, b)] = pairs {
            return Some(Perm::transposition(a, b));
        }
        let mut images = BTreeMap::new();
        let mut origins = BTreeMap::new();
        for &(a, b) in pairs {
            if *images.entry(a).or_insert(b) != b || *origins.entry(b).or_insert(a) != a {
                return None;
            }
        }
        // Each path a → b → … → z that does not close goes back from its end to its start.
        let ends: Vec<Process> = origins.keys().copied().filter(|z| !images.contains_key(z)).collect();
        for end in ends {
            let mut start = end;
            while let Some(&before) = origins.get(&start) {
                start = before;
            }
            images.insert(end, start);
        }
        Some(Perm::from_sorted(images))
    }

    /// For pairs known to be a bijection, in any order.
    pub(crate) fn from_bijection(pairs: impl IntoIterator<Item = (Process, Process)>) -> Self {
        Self::from_moves(pairs.into_iter().filter(|(p, q)| p != q).collect())
    }

    /// For pairs known to be a bijection of points other than themselves, in any order.
    pub(crate) fn from_moves(mut moves: Vec<(Process, Process)>) -> Self {
        moves.arrange();
        Perm { moves: moves.into() }
    }

    /// For pairs known to be a bijection and sorted by point.
    pub(super) fn from_sorted(moves: impl IntoIterator<Item = (Process, Process)>) -> Self {
        Perm { moves: moves.into_iter().filter(|(p, q)| p != q).collect() }
    }

    /// The product of permutations no two of which move the same point.
    pub(super) fn disjoint_product(perms: impl IntoIterator<Item = Perm>) -> Self {
        let moves: Vec<_> = perms.into_iter().flat_map(|p| p.moves).collect();
        Self::from_moves(moves)
    }

    /// The image of a point.
    pub fn apply(&self, point: Process) -> Process {
        self.place(point).map_or(point, |k| self.moves[k].1)
    }

    /// The point whose image is `image`: π⁻¹ at one point, in the size of what π moves.
    pub fn origin(&self, image: Process) -> Process {
        self.moves.iter().find(|m| m.1 == image).map_or(image, |m| m.0)
    }

    fn place(&self, point: Process) -> Option<usize> {
        let (&(first, _), &(last, _)) = (self.moves.first()?, self.moves.last()?);
        if !(first..=last).contains(&point) {
            return None;
        }
        let offset = (point.0 - first.0) as usize;
        if (last.0 - first.0) as usize + 1 == self.moves.len() {
            return Some(offset);
        }
        self.moves.binary_search_by_key(&point, |m| m.0).ok()
    }

    /// The product self∘other, which applies `other` first.
    #[must_use]
    pub fn compose(&self, other: &Perm) -> Perm {
        if self.is_identity() {
            return other.clone();
        }
        if other.is_identity() {
            return self.clone();
        }
        let mut moves = Vec::with_capacity(self.moves.len() + other.moves.len());
        let mut own = self.moves.iter().copied().peekable();
        for &(point, between) in &other.moves {
            // A point that `other` fixes moves as in `self`.
            while let Some(m) = own.next_if(|m| m.0 < point) {
                moves.push(m);
            }
            own.next_if(|m| m.0 == point);
            moves.push((point, self.apply(between)));
        }
        moves.extend(own);
        moves.retain(|(p, q)| p != q);
        Perm { moves: moves.into() }
    }

    /// The product a∘b of two permutations that nobody needs any more.
    pub(crate) fn product(a: Perm, b: Perm) -> Perm {
        if a.is_identity() {
            return b;
        }
        if b.is_identity() { a } else { a.compose(&b) }
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(&self) -> Perm {
        let moves: Vec<_> = self.moves.iter().map(|&(p, q)| (q, p)).collect();
        Self::from_moves(moves)
    }

    /// The conjugate g∘self∘g⁻¹: the same cycles with every point p renamed g(p).
    #[must_use]
    pub fn conjugate_by(&self, g: &Perm) -> Perm {
        Self::from_moves(self.moves.iter().map(|&(p, q)| (g.apply(p), g.apply(q))).collect())
    }

    /// Whether nothing is moved.
    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moved points, in order.
    pub fn support(&self) -> impl DoubleEndedIterator<Item = Process> + ExactSizeIterator {
        self.moves.iter().map(|m| m.0)
    }

    /// The moved points with their images, by point.
    pub fn moves(&self) -> &[(Process, Process)] {
        &self.moves
    }

    /// The bytes that it takes beside its own.
    pub fn heap_bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.moves) as u64
    }

    /// The cycles of length two and more, each from its smallest point, by their smallest points.
    pub fn cycles(&self) -> Vec<Vec<Process>> {
        let mut seen = vec![false; self.moves.len()];
        let mut cycles = Vec::new();
        for first in 0..self.moves.len() {
            let mut cycle = Vec::new();
            let mut k = first;
            while !seen[k] {
                seen[k] = true;
                cycle.push(self.moves[k].0);
                k = self.place(self.moves[k].1).expect("the image of a moved point is moved");
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The least k > 0 with πᵏ = id: the least common multiple of the cycles' lengths, if it fits.
    pub fn order(&self) -> Option<u128> {
        let mut lengths: Vec<u128> = self.cycles().iter().map(|c| c.len() as u128).collect();
        lengths.arrange();
        lengths.dedup();
        lengths.into_iter().try_fold(1u128, |lcm, n| (lcm / gcd(lcm, n)).checked_mul(n))
    }

    /// The permutation in cycle notation with points called as `name` says; the identity is `()`.
    pub fn display<D: fmt::Display>(&self, name: impl Fn(Process) -> D) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            if self.is_identity() {
                return f.write_str("()");
            }
            for cycle in self.cycles() {
                for (k, &p) in cycle.iter().enumerate() {
                    f.write_str(if k == 0 { "(" } else { " " })?;
                    write!(f, "{}", name(p))?;
                }
                f.write_str(")")?;
            }
            Ok(())
        })
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Perm {
    fn cmp(&self, other: &Self) -> Ordering {
        let differ = self.moves.iter().zip(&other.moves).find(|(a, b)| a != b);
        // Where only one list goes on, the shorter one fixes what the longer one moves next.
        let point = match differ {
            Some((a, b)) => a.0.min(b.0),
            None => match self.moves.len().cmp(&other.moves.len()) {
                Ordering::Less => other.moves[self.moves.len()].0,
                Ordering::Equal => return Ordering::Equal,
                Ordering::Greater => self.moves[other.moves.len()].0,
            },
        };
        self.apply(point).cmp(&other.apply(point))
    }
}

impl PartialOrd for Perm {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl TryFrom<Vec<(Process, Process)>> for Perm {
    type Error = PermError;
    fn try_from(pairs: Vec<(Process, Process)>) -> Result<Self, PermError> {
        Self::from_pairs(pairs)
    }
}

impl From<Perm> for Vec<(Process, Process)> {
    fn from(perm: Perm) -> Self {
        perm.moves.into_vec()
    }
}

/// Cycle notation with plain numbers: `(0 1)(2 3)`.
impl fmt::Display for Perm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(|p| p.0).fmt(f)
    }
}

impl fmt::Debug for Perm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
