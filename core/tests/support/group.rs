//! The group tests share a seeded generator, and brute force over full image lists.

use super::random::Random;
use orbitscope_core::group::{Perm, Process};
use std::collections::BTreeSet;

/// The image of each point 0..n.
pub(crate) type Images = Vec<u32>;

impl Random {
    pub(crate) fn number(&mut self, below: u32) -> u32 {
        self.below(below as usize) as u32
    }

    /// A permutation of 0..n that moves about `swaps` points.
    pub(crate) fn images(&mut self, n: u32, swaps: u32) -> Images {
        let mut images: Images = (0..n).collect();
        for _ in 0..swaps {
            let (a, b) = (self.number(n), self.number(n));
            images.swap(a as usize, b as usize);
        }
        images
    }

    pub(crate) fn points(&mut self, n: u32, len: usize) -> Vec<Process> {
        (0..len).map(|_| Process(self.number(n))).collect()
    }
}

pub(crate) fn points(list: &[u32]) -> Vec<Process> {
    list.iter().copied().map(Process).collect()
}

pub(crate) fn perm(images: &[u32]) -> Perm {
    Perm::from_images(&points(images)).expect("the test's permutations are bijections")
}

pub(crate) fn dense(perm: &Perm, n: u32) -> Images {
    (0..n).map(|i| perm.apply(Process(i)).0).collect()
}

pub(crate) fn compose(a: &[u32], b: &[u32]) -> Images {
    b.iter().map(|&i| a[i as usize]).collect()
}

pub(crate) fn inverse(a: &[u32]) -> Images {
    (0..a.len()).map(|i| a.iter().position(|&x| x as usize == i).unwrap() as u32).collect()
}

/// All permutations of 0..n in the order of image lists.
pub(crate) fn all_images(n: u32) -> Vec<Images> {
    let mut all = vec![Images::new()];
    for _ in 0..n {
        all = all
            .iter()
            .flat_map(|head| {
                let rest = (0..n).filter(|x| !head.contains(x));
                rest.map(|x| [head.as_slice(), &[x]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// All products of the generators.
pub(crate) fn closure(n: u32, generators: &[Images]) -> BTreeSet<Images> {
    let identity: Images = (0..n).collect();
    let mut found = BTreeSet::from([identity.clone()]);
    let mut fresh = vec![identity];
    while let Some(g) = fresh.pop() {
        for s in generators {
            let product = compose(s, &g);
            if found.insert(product.clone()) {
                fresh.push(product);
            }
        }
    }
    found
}

/// All sequences of points of 0..n with the given length.
pub(crate) fn sequences(n: u32, len: u32) -> Vec<Vec<Process>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        all = all.iter().flat_map(|s| (0..n).map(move |p| [s.as_slice(), &[Process(p)]].concat())).collect();
    }
    all
}
