//! The Schreier–Sims algorithm: a base and strong generating set, deterministic and incremental.
//!
//! C. C. Sims, "Computational methods in the study of permutation groups", 1970; the form used here is
//! that of Á. Seress, "Permutation Group Algorithms", 2003, section 4.2: by Schreier's lemma the products
//! `u(s(β))⁻¹ ∘ s ∘ u(β)` generate the stabiliser of a level's base point, so the chain is complete when all
//! of them sift to the identity. Each pair (β, s) is looked at once: levels only grow, and `u(β)` is kept.
//!
//! Points are numbered 0..m here, and permutations are full image lists: sifting multiplies far too many
//! of them for sparse ones.

use super::GroupError;
use crate::natural::Natural;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The image of each point.
pub(super) type Images = Box<[u32]>;

const ABSENT: u32 = u32::MAX;

/// A stored image counts as this many moved points, so that a bound on effort bounds memory too.
const STORED: u64 = 16;

/// One level of the chain: the stabiliser of the base points before it, and how it moves its own.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) base: u32,
    /// Generators of the level's group, as numbers of [`Tables::strong`].
    pub(super) generators: Vec<Strong>,
    /// The base point first, then in the order of finding.
    pub(super) orbit: Vec<u32>,
    /// Where in the orbit a point is.
    place: Vec<u32>,
    /// For each point β of the orbit an element of the level's group that takes β to the base point.
    pub(super) to_base: Vec<Images>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Strong {
    pub(super) id: usize,
    /// With how many points of the orbit its Schreier generator was sifted.
    sifted: usize,
}

impl Level {
    fn new(base: u32, size: u32) -> Self {
        let mut place = vec![ABSENT; size as usize];
        place[base as usize] = 0;
        Level { base, generators: Vec::new(), orbit: vec![base], place, to_base: vec![(0..size).collect()] }
    }

    /// Where in the orbit the point is.
    pub(super) fn place(&self, point: u32) -> Option<usize> {
        Some(self.place[point as usize]).filter(|&k| k != ABSENT).map(|k| k as usize)
    }
}

/// A stabiliser chain on the points 0..size.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) size: u32,
    pub(super) levels: Vec<Level>,
    pub(super) strong: Vec<Images>,
    effort: u64,
}

impl Tables {
    /// The chain of the generated group whose base starts with the given points. Where the order of the
    /// group is known, the search ends as soon as the levels account for it.
    pub(super) fn build(
        size: u32,
        base: &[u32],
        generators: impl IntoIterator<Item = Images>,
        order: Option<&Natural>,
        effort: u64,
    ) -> Result<Self, GroupError> {
        let levels = base.iter().map(|&b| Level::new(b, size)).collect();
        let mut tables = Tables { size, levels, strong: Vec::new(), effort };
        for generator in generators {
            tables.add(0, generator)?;
        }
        let complete = |tables: &Tables| order.is_some_and(|order| tables.order() == *order);
        let mut at = if complete(&tables) { 0 } else { tables.levels.len() };
        while at > 0 {
            let Some(mut product) = tables.next_schreier_generator(at - 1)? else {
                at -= 1;
                continue;
            };
            if !tables.sift(&mut product, at)? {
                at = tables.add(at, product)?;
                if complete(&tables) {
                    break;
                }
            }
        }
        Ok(tables)
    }

    /// The product of the lengths of the orbits.
    pub(super) fn order(&self) -> Natural {
        let mut order = Natural::one();
        self.levels.iter().for_each(|l| order.multiply(l.orbit.len() as u32));
        order
    }

    /// Renames each point p to g(p). For an element g the group stays the same, and its base moves.
    pub(super) fn conjugate_by(&mut self, g: &[u32]) {
        if is_identity(g) {
            return;
        }
        let rename = |images: &mut Images| {
            let mut renamed = vec![0; g.len()].into_boxed_slice();
            for (&point, &image) in g.iter().zip(images.iter()) {
                renamed[point as usize] = g[image as usize];
            }
            *images = renamed;
        };
        self.strong.iter_mut().for_each(rename);
        for level in &mut self.levels {
            level.base = g[level.base as usize];
            multiply(g, &mut level.orbit);
            level.place.fill(ABSENT);
            for (place, &point) in (0..).zip(&level.orbit) {
                level.place[point as usize] = place;
            }
            level.to_base.iter_mut().for_each(rename);
        }
    }

    fn spend(&mut self, images: u64) -> Result<(), GroupError> {
        let cost = images * u64::from(self.size);
        self.effort = self.effort.checked_sub(cost).ok_or(GroupError::Effort)?;
        Ok(())
    }

    /// Multiplies by elements of the levels until the base points from level `from` on are fixed, as far
    /// as that can be done. Whether the identity is left.
    pub(super) fn sift(&mut self, g: &mut [u32], from: usize) -> Result<bool, GroupError> {
        let multiplied = sift(&self.levels[from..], g);
        self.spend(multiplied + 1)?;
        Ok(is_identity(g))
    }

    /// Adds a generator to the levels from `from` to the first one whose base point it moves, which is
    /// made if there is none. Returns the number of levels up to that one.
    fn add(&mut self, from: usize, generator: Images) -> Result<usize, GroupError> {
        let Some(moved) = generator.iter().zip(0..).position(|(&image, point)| image != point) else {
            return Ok(self.levels.len());
        };
        let moves_base = |l: &Level| generator[l.base as usize] != l.base;
        let last = self.levels[from..].iter().position(moves_base).map_or(self.levels.len(), |k| from + k);
        if last == self.levels.len() {
            self.spend(STORED)?;
            self.levels.push(Level::new(moved as u32, self.size));
        }
        self.spend(STORED)?;
        let id = self.strong.len();
        self.strong.push(generator);
        for level in from..=last {
            self.levels[level].generators.push(Strong { id, sifted: 0 });
            self.extend_orbit(level)?;
        }
        Ok(last + 1)
    }

    /// Completes the orbit of a level after its last generator came new.
    fn extend_orbit(&mut self, level: usize) -> Result<(), GroupError> {
        let old = self.levels[level].orbit.len();
        let mut k = 0;
        while k < self.levels[level].orbit.len() {
            let count = self.levels[level].generators.len();
            // The points found before are closed under all generators but the last.
            for g in if k < old { count - 1 } else { 0 }..count {
                let here = &mut self.levels[level];
                let generator = &self.strong[here.generators[g].id];
                let image = generator[here.orbit[k] as usize];
                if here.place(image).is_some() {
                    continue;
                }
                here.place[image as usize] = here.orbit.len() as u32;
                here.orbit.push(image);
                // to_base ∘ generator⁻¹, by the point that the generator takes to each.
                let mut to_base = vec![0; generator.len()].into_boxed_slice();
                for (&point, &end) in generator.iter().zip(&here.to_base[k]) {
                    to_base[point as usize] = end;
                }
                here.to_base.push(to_base);
                self.spend(STORED)?;
            }
            k += 1;
        }
        Ok(())
    }

    /// The next product `u(s(β))⁻¹ ∘ s ∘ u(β)` of a level that was not sifted yet.
    fn next_schreier_generator(&mut self, level: usize) -> Result<Option<Images>, GroupError> {
        let here = &mut self.levels[level];
        let length = here.orbit.len();
        let Some(next) = here.generators.iter_mut().find(|g| g.sifted < length) else { return Ok(None) };
        let generator = &self.strong[next.id];
        let point = next.sifted;
        next.sifted += 1;
        let image = here.place[generator[here.orbit[point] as usize] as usize];
        let (to_base, back) = (&here.to_base[point], &here.to_base[image as usize]);
        let mut product = vec![0; self.size as usize].into_boxed_slice();
        for (&from, &to) in to_base.iter().zip(generator) {
            product[from as usize] = back[to as usize];
        }
        self.spend(1)?;
        Ok(Some(product))
    }
}

/// As [`Tables::sift`]; returns how often was multiplied.
pub(super) fn sift(levels: &[Level], g: &mut [u32]) -> u64 {
    let mut multiplied = 0;
    for level in levels {
        let image = g[level.base as usize];
        if image == level.base {
            continue;
        }
        let Some(place) = level.place(image) else { break };
        multiply(&level.to_base[place], g);
        multiplied += 1;
    }
    multiplied
}

/// Makes g the product to∘g.
pub(super) fn multiply(to: &[u32], g: &mut [u32]) {
    for image in g {
        *image = to[*image as usize];
    }
}

pub(super) fn is_identity(g: &[u32]) -> bool {
    g.iter().zip(0..).all(|(&image, point)| image == point)
}

pub(super) fn inverse(g: &[u32]) -> Images {
    let mut inverse = vec![0; g.len()].into_boxed_slice();
    for (point, &image) in (0..).zip(g) {
        inverse[image as usize] = point;
    }
    inverse
}
