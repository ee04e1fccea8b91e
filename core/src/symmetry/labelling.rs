//! Canonical labelling of a structure, and its automorphisms, by refinement and backtracking.
//!
//! The search tree is that of B. D. `McKay`, "Practical graph isomorphism" (1981): colours are refined until they are
//! equitable, then a point of the first cell that is not single gets a colour of its own. Every leaf is a labelling;
//! the leaf whose image of the structure is the largest is the canonical one. Two leaves with one image differ by an
//! automorphism, and what an automorphism takes to something already searched is not searched again. Nothing but the
//! structure decides the order of colours, so that structures which differ by a permutation get one image.

use super::colours::{Colours, Palette};
use super::structure::Structure;
use crate::group::{Perm, Process};
use crate::strain::{size, took};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// λ: takes the structure to its canonical image.
    pub perm: Perm,
    /// The canonical image of the values.
    pub image: Vec<i32>,
    /// Permutations that leave the structure as it is; if the search was complete they generate all of them.
    pub automorphisms: Vec<Perm>,
    /// Whether the search was complete. If not, the image is one of the orbit, but not always the same one.
    pub complete: bool,
}

/// Finds the canonical labelling of `structure` with these values. Points may change places within the `classes`
/// only; a point in no class stays. `effort` is the number of tree nodes that may be visited.
pub fn canonical(structure: &Structure, values: &[i32], classes: &[Vec<Process>], effort: u32) -> Labelling {
    let palette = Palette::new(structure, values, classes);
    let mut search = Search {
        structure,
        values,
        palette,
        automorphisms: BTreeSet::new(),
        first: None,
        best: None,
        effort,
        complete: true,
    };
    search.run();
    let best = search.best.unwrap_or_else(|| Leaf {
        path: Vec::new(),
        perm: Perm::identity(),
        image: values.to_vec(),
    });
    let automorphisms = search.automorphisms.into_iter().collect();
    Labelling { perm: best.perm, image: best.image, automorphisms, complete: search.complete }
}

/// How many members of a cell a further one is compared with, to see whether the two can simply be swapped.
const TWIN_CHECKS: usize = 4;

struct Search<'a> {
    structure: &'a Structure,
    values: &'a [i32],
    palette: Palette<'a>,
    automorphisms: BTreeSet<Perm>,
    first: Option<Leaf>,
    best: Option<Leaf>,
    effort: u32,
    complete: bool,
}

#[derive(Clone)]
struct Leaf {
    /// The points that were told apart on the way.
    path: Vec<Process>,
    perm: Perm,
    image: Vec<i32>,
}

struct Frame {
    colours: Colours,
    /// The members of the target cell that are still to be tried, in reverse order.
    pending: Vec<Process>,
    tried: Vec<Process>,
}

impl Search<'_> {
    fn run(&mut self) {
        let mut path: Vec<Process> = Vec::new();
        let mut stack: Vec<Frame> = Vec::new();
        match self.visit(self.palette.initial()) {
            Ok(root) => stack.push(root),
            Err(colours) => {
                self.leaf(&colours, &path);
            }
        }
        while let Some(frame) = stack.last_mut() {
            let Some(point) = frame.pending.pop() else {
                stack.pop();
                path.pop();
                continue;
            };
            if equivalent(&self.automorphisms, point, &frame.tried, &path) {
                continue;
            }
            frame.tried.push(point);
            if self.effort == 0 && self.best.is_some() {
                took("symmetry: a search cut short");
                self.complete = false;
                return;
            }
            self.effort = self.effort.saturating_sub(1);
            let mut colours = frame.colours.clone();
            self.palette.individualise(&mut colours, point);
            path.push(point);
            match self.visit(colours) {
                Ok(child) => stack.push(child),
                Err(colours) => {
                    let back = self.leaf(&colours, &path);
                    stack.truncate(back + 1);
                    path.truncate(back);
                }
            }
        }
    }

    /// Refines the colours; gives back those of a leaf, or the frame of an inner node.
    fn visit(&mut self, mut colours: Colours) -> Result<Frame, Colours> {
        self.palette.refine(&mut colours);
        let Some(cell) = self.palette.first_cell(&colours) else { return Err(colours) };
        let mut pending: Vec<Process> = Vec::new();
        let checks = size("symmetry: twins", TWIN_CHECKS, 1);
        for point in cell {
            if pending.len() > checks {
                took("symmetry: more members of a cell than are compared");
            }
            let twin = pending.iter().rev().take(checks).find(|&&other| self.twins(other, point));
            match twin {
                Some(&other) => {
                    self.automorphisms.insert(Perm::transposition(other, point));
                }
                None => pending.push(point),
            }
        }
        pending.reverse();
        Ok(Frame { colours, pending, tried: Vec::new() })
    }

    fn twins(&self, a: Process, b: Process) -> bool {
        let swap = Perm::transposition(a, b);
        self.automorphisms.contains(&swap) || self.structure.fixes(&swap, self.values)
    }

    /// Takes a leaf in; gives back the depth to return to: to where its path left that of an equal leaf, since
    /// everything below that place is equal too, and one up otherwise.
    fn leaf(&mut self, colours: &Colours, path: &[Process]) -> usize {
        let perm = self.palette.labelling(colours);
        let leaf = Leaf { path: path.to_vec(), image: self.structure.apply(&perm, self.values), perm };
        let mut back = path.len().saturating_sub(1);
        for other in [&self.first, &self.best].into_iter().flatten() {
            if other.image == leaf.image && other.path != leaf.path {
                self.automorphisms.insert(other.perm.inverse().compose(&leaf.perm));
                back = back.min(other.path.iter().zip(path).take_while(|(a, b)| a == b).count());
            }
        }
        if self.best.as_ref().is_none_or(|best| leaf.image > best.image) {
            self.best = Some(leaf.clone());
        }
        self.first.get_or_insert(leaf);
        back
    }
}

/// Whether known automorphisms that fix the path take one of the points tried to this one.
fn equivalent(automorphisms: &BTreeSet<Perm>, point: Process, tried: &[Process], path: &[Process]) -> bool {
    if tried.is_empty() {
        return false;
    }
    let generators: Vec<&Perm> =
        automorphisms.iter().filter(|g| path.iter().all(|&p| g.apply(p) == p)).collect();
    let mut orbit: BTreeSet<Process> = BTreeSet::from([point]);
    let mut queue = alloc::vec![point];
    while let Some(p) = queue.pop() {
        if tried.contains(&p) {
            return true;
        }
        // A finite group: what generators reach, their inverses reach too.
        for image in generators.iter().map(|g| g.apply(p)) {
            if orbit.insert(image) {
                queue.push(image);
            }
        }
    }
    false
}
