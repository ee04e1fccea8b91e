//! Splitting a generated group into factors, and recognising symmetric ones.
//!
//! Generators that share no point, not even through others, generate a direct product. A factor with a
//! transposition among its generators contains the symmetric group of each class of the finest partition
//! that joins its two points and that the group preserves (C. Jordan; the partition is found as by
//! M. D. Atkinson, "An algorithm for finding the blocks of a permutation group", 1975). If that is one
//! class, the factor is a symmetric group and needs no chain.

use super::forest::Forest;
use super::{Chain, Factor, GroupError, Perm, PointSet, Process};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The factors of the generated group, by their smallest points.
pub(super) fn factors(generators: &[Perm], effort: u64) -> Result<Vec<Factor>, GroupError> {
    let points: PointSet = generators.iter().flat_map(Perm::support).collect();
    let local = |p: Process| points.position(p).unwrap_or(0);
    let mut forest = Forest::new(points.len());
    for g in generators {
        let support: Vec<u32> = g.support().map(local).collect();
        for [a, b] in support.array_windows() {
            forest.unite(*a, *b);
        }
    }
    let mut components: BTreeMap<u32, Vec<Perm>> = BTreeMap::new();
    for g in generators {
        if let Some(first) = g.support().next() {
            components.entry(forest.find(local(first))).or_default().push(g.clone());
        }
    }
    components.into_values().map(|generators| factor(&generators, effort)).collect()
}

fn factor(generators: &[Perm], effort: u64) -> Result<Factor, GroupError> {
    let points: PointSet = generators.iter().flat_map(Perm::support).collect();
    if is_symmetric(&points, generators) {
        return Ok(Factor::Symmetric(points));
    }
    Chain::generated(generators, effort).map(Factor::General)
}

/// Whether the conjugates of the transpositions among the generators connect all points.
fn is_symmetric(points: &PointSet, generators: &[Perm]) -> bool {
    let local = |p: Process| points.position(p).unwrap_or(0);
    let mut forest = Forest::new(points.len());
    let mut classes = points.len();
    let mut pairs: Vec<(Process, Process)> =
        generators.iter().filter(|g| g.moves().len() == 2).map(|g| g.moves()[0]).collect();
    while let Some((a, b)) = pairs.pop() {
        if forest.unite(local(a), local(b)) {
            classes -= 1;
            pairs.extend(generators.iter().map(|g| (g.apply(a), g.apply(b))));
        }
    }
    classes == 1
}
