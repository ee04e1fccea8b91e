//! Colours of points: the refinement that a labelling search rests on.

use super::structure::{Entry, Structure};
use crate::group::{Perm, Process};
use crate::ids::Id;
use crate::rows::mix;
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// For each point its colour: the number of points in the cells before its own.
pub(super) type Colours = Vec<u32>;

/// The points of a structure that may move, and what colours are made of.
pub(super) struct Palette<'a> {
    structure: &'a Structure,
    values: &'a [i32],
    classes: &'a [Vec<Process>],
    /// The points, class by class.
    points: Vec<Process>,
    /// For each process its position among the points.
    position: Vec<Option<u32>>,
}

impl<'a> Palette<'a> {
    pub(super) fn new(structure: &'a Structure, values: &'a [i32], classes: &'a [Vec<Process>]) -> Self {
        let points: Vec<Process> = classes.iter().flatten().copied().collect();
        let degree = points.iter().map(|p| p.index() + 1).max().unwrap_or(0);
        let mut position = alloc::vec![None; degree];
        for (i, p) in points.iter().enumerate() {
            position[p.index()] = Some(i as u32);
        }
        Palette { structure, values, classes, points, position }
    }

    fn place(&self, process: Process) -> Option<usize> {
        self.position.get(process.index()).copied().flatten().map(|p| p as usize)
    }

    /// The classes, each cut by the plain values of its points, the largest first: so the canonical image lists
    /// processes as a person would.
    pub(super) fn initial(&self) -> Colours {
        let mut own: Vec<Vec<i32>> = alloc::vec![Vec::new(); self.points.len()];
        for entry in self.structure.entries() {
            if let (&[process], None) = (entry.processes.as_slice(), self.structure.table(entry).value)
                && let Some(place) = self.place(process)
            {
                own[place].push(self.values[entry.slot as usize]);
            }
        }
        let mut colours = alloc::vec![0; self.points.len()];
        let mut start = 0;
        for class in self.classes {
            let mut order: Vec<usize> = (start..start + class.len()).collect();
            order.arrange_by(|&a, &b| own[b].cmp(&own[a]));
            let mut colour = start;
            for (i, &place) in order.iter().enumerate() {
                if i > 0 && own[place] != own[order[i - 1]] {
                    colour = start + i;
                }
                colours[place] = colour as u32;
            }
            start += class.len();
        }
        colours
    }

    /// Gives a point a colour of its own, before the rest of its cell.
    pub(super) fn individualise(&self, colours: &mut Colours, point: Process) {
        let Some(place) = self.place(point) else { return };
        let cell = colours[place];
        for (other, colour) in colours.iter_mut().enumerate() {
            if *colour == cell && other != place {
                *colour += 1;
            }
        }
    }

    /// Cuts cells until the points of each cell see the same colours around them.
    pub(super) fn refine(&self, colours: &mut Colours) {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        loop {
            let signatures = self.signatures(colours);
            order.arrange_by_key(|&place| (colours[place], signatures[place]));
            let before = colours.clone();
            let mut changed = false;
            for i in 1..order.len() {
                let (last, place) = (order[i - 1], order[i]);
                if before[place] != before[last] {
                    continue;
                }
                if signatures[place] == signatures[last] {
                    colours[place] = colours[last];
                } else {
                    colours[place] = i as u32;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A hash of the surroundings of each point. Sums of hashes forget the order of entries; where two different
    /// surroundings get one sum, a cell stays larger than it could be, and nothing else happens.
    fn signatures(&self, colours: &Colours) -> Vec<u64> {
        let mut signatures = alloc::vec![0u64; self.points.len()];
        for entry in self.structure.entries() {
            let value = self.structure.process_value(entry, self.values);
            let hash = self.entry_hash(entry, value, colours);
            for (role, &process) in entry.processes.iter().enumerate() {
                if let Some(place) = self.place(process) {
                    signatures[place] = signatures[place].wrapping_add(mix(hash ^ (role as u64 + 1)));
                }
            }
            if let Some(place) = value.and_then(|v| self.place(v)) {
                signatures[place] = signatures[place].wrapping_add(mix(hash ^ u64::MAX));
            }
        }
        signatures
    }

    fn entry_hash(&self, entry: &Entry, value: Option<Process>, colours: &Colours) -> u64 {
        let colour = |process: Process| match self.place(process) {
            Some(place) => colours[place] as u64,
            None => 1 << 32 | process.0 as u64,
        };
        let mut hash = mix((entry.table as u64) << 32 | entry.numbers as u64);
        let seen = match value {
            Some(process) => colour(process),
            None => 1 << 33 | (self.values[entry.slot as usize] as u32) as u64,
        };
        hash = mix(hash ^ seen);
        for (role, &process) in entry.processes.iter().enumerate() {
            // Which of the processes are one and the same belongs to what is seen.
            let same = entry.processes[..role].iter().position(|&p| p == process);
            let as_value = u64::from(value == Some(process));
            hash = mix(hash ^ colour(process) ^ (same.map_or(0, |i| i as u64 + 1) << 40) ^ (as_value << 50));
        }
        hash
    }

    /// The members of the first cell with more than one.
    pub(super) fn first_cell(&self, colours: &Colours) -> Option<Vec<Process>> {
        let mut count = alloc::vec![0u32; colours.len()];
        for &colour in colours {
            count[colour as usize] += 1;
        }
        let cell = count.iter().position(|&c| c > 1)? as u32;
        let members = self.points.iter().zip(colours).filter(|(_, colour)| **colour == cell);
        Some(members.map(|(&point, _)| point).collect())
    }

    /// The labelling of colours that are all different: in each class the point with the lowest colour goes to the
    /// first place.
    pub(super) fn labelling(&self, colours: &Colours) -> Perm {
        // Colours of a class are the numbers of its places, so the place of a colour is the point at that position.
        let pairs =
            self.points.iter().zip(colours).map(|(&point, &colour)| (point, self.points[colour as usize]));
        Perm::from_pairs(pairs).unwrap_or_else(|_| Perm::identity())
    }
}
