//! Canonical images by colours, where processes change places freely.
//!
//! A process's colour is a hash of what is said of it alone; round by round it becomes one of its colour and of the colours
//! of those it is related to, until no further processes are told apart. Hashes of one orbit's states are the same, so the order
//! of colours is a canonical one where all of them differ, and then nothing but the identity fixes the state. Where processes
//! of one colour can simply be swapped, which is seen from the values and not from hashes, their order makes no difference,
//! and what fixes the state are these exchanges. All other states are left to a search.

use crate::group::{Perm, Process};
use crate::ids::Id as _;
use crate::program::{Packing, Slot};
use crate::rows::mix;
use crate::sort::Sort as _;
use crate::symmetry::{Entry, Structure};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

/// No point, in a table of them.
const NONE: u32 = u32::MAX;

/// What is said of processes that change places freely, made ready to be coloured.
#[derive(Clone, Debug)]
pub(super) struct Colouring {
    /// The processes, class by class.
    points: Vec<Process>,
    classes: Vec<Range<usize>>,
    /// For each process its place among the points.
    index: Vec<u32>,
    /// For each point the slots that speak of it alone; in a class all have them in one order.
    own: Vec<Vec<u32>>,
    /// For each class the lowest value of each of these slots, and its bits.
    fields: Vec<Vec<(i32, u8)>>,
    relations: Vec<Relation>,
    /// The points that the places of relations name, each with the distance of neighbours.
    roles: Vec<(u32, u32)>,
}

/// A slot that relates processes: by its place, by its value, or both.
#[derive(Clone, Debug)]
struct Relation {
    slot: u32,
    /// Which variable it is of, and what its place names that does not move.
    tag: u64,
    roles: Range<usize>,
    /// The first process of the family that its values are of.
    value: Option<u32>,
}

/// The value of a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Related {
    Point(u32),
    Fixed(u64),
}

/// A state's processes in canonical order, and what it took to find it: kept from one state to the next, so that little is
/// allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Labelling {
    keys: Vec<u64>,
    colours: Vec<u64>,
    next: Vec<u64>,
    sorted: Vec<u64>,
    /// Which points are related by a value, and by which.
    links: Vec<(u32, u32, u64)>,
    order: Vec<u32>,
    /// For each point the place that it goes to.
    to: Vec<u32>,
    /// The points that can be swapped, two and more.
    pub alike: Vec<Vec<Process>>,
}

impl Colouring {
    /// The classes are disjoint, and the structure is that of rows that are packed so.
    pub(super) fn new(structure: &Structure, packing: &Packing, classes: &[Vec<Process>]) -> Colouring {
        let points: Vec<Process> = classes.iter().flatten().copied().collect();
        let mut index = alloc::vec![NONE; points.iter().map(|p| p.index() + 1).max().unwrap_or(0)];
        for (place, point) in (0..).zip(&points) {
            index[point.index()] = place;
        }
        let mut start = 0;
        let ranges = classes.iter().map(|class| {
            start += class.len();
            start - class.len()..start
        });
        let mut colouring = Colouring {
            classes: ranges.collect(),
            own: alloc::vec![Vec::new(); points.len()],
            points,
            index,
            fields: Vec::new(),
            relations: Vec::new(),
            roles: Vec::new(),
        };
        for entry in structure.entries() {
            colouring.take(structure, entry);
        }
        let field = |&slot: &u32| packing.range(Slot(slot));
        colouring.fields = colouring
            .classes
            .iter()
            .map(|class| {
                colouring.own.get(class.start).map_or_else(Vec::new, |own| own.iter().map(field).collect())
            })
            .collect();
        colouring
    }

    fn place(&self, process: u32) -> Option<u32> {
        self.index.get(process as usize).copied().filter(|&place| place != NONE)
    }

    fn take(&mut self, structure: &Structure, entry: &Entry) {
        let table = structure.table(entry);
        let mut tag = mix(u64::from(entry.table) << 32 | u64::from(entry.numbers));
        let start = self.roles.len();
        let axes = table.axes.iter().filter(|axis| axis.family.is_some());
        for (axis, process) in axes.zip(&entry.processes) {
            match self.place(process.0) {
                Some(place) => self.roles.push((place, axis.stride)),
                None => tag = mix(tag ^ u64::from(process.0)),
            }
        }
        let value = table.value.map(|first| first.0);
        let roles = start..self.roles.len();
        match (&self.roles[roles.clone()], value) {
            (&[(place, _)], None) => {
                self.own[place as usize].push(entry.slot);
                self.roles.truncate(start);
            }
            ([], None) => {}
            _ => self.relations.push(Relation { slot: entry.slot, tag, roles, value }),
        }
    }

    fn related(&self, relation: &Relation, values: &[i32]) -> Related {
        let value = values[relation.slot as usize];
        match (relation.value, u32::try_from(value)) {
            (Some(first), Ok(number)) => match self.place(first + number) {
                Some(place) => Related::Point(place),
                None => Related::Fixed(u64::from(number) + 1),
            },
            _ => Related::Fixed(value as u32 as u64),
        }
    }

    /// What is said of each point alone: a number, and the higher it is the further in front the point shall be. Where it
    /// does not fit into a number it is a hash.
    fn keys(&self, values: &[i32], keys: &mut Vec<u64>) {
        keys.clear();
        for (class, fields) in self.classes.iter().zip(&self.fields) {
            for own in &self.own[class.clone()] {
                let (mut key, mut used) = (0u64, 0u32);
                for (&slot, &(low, bits)) in own.iter().zip(fields) {
                    let raw = (values[slot as usize] as i64 - low as i64) as u64;
                    used += u32::from(bits);
                    key = if used > u64::BITS { mix(key ^ raw) } else { key << bits | raw };
                }
                keys.push(key);
            }
        }
    }

    /// The colours of all points, as fine as they become.
    fn colours(&self, values: &[i32], labelling: &mut Labelling) {
        let Labelling { keys, colours, next, sorted, links, .. } = labelling;
        self.keys(values, keys);
        colours.clear();
        for (number, class) in (1..).zip(&self.classes) {
            colours.extend(keys[class.clone()].iter().map(|&key| mix(mix(key) ^ number)));
        }
        links.clear();
        let mut wide: Vec<(&Relation, Related)> = Vec::new();
        for relation in &self.relations {
            let value = self.related(relation, values);
            match (&self.roles[relation.roles.clone()], value) {
                (&[(from, _)], Related::Point(to)) if from != to => links.push((from, to, relation.tag)),
                (&[(from, _)], _) => {
                    let seen = if let Related::Fixed(seen) = value { seen } else { u64::MAX };
                    add(colours, from, relation.tag ^ seen);
                }
                ([], Related::Point(to)) => add(colours, to, !relation.tag),
                ([], Related::Fixed(_)) => {}
                _ => wide.push((relation, value)),
            }
        }
        let mut told_apart = self.told_apart(colours, sorted);
        while told_apart < self.points.len() {
            next.clear();
            next.extend(colours.iter().map(|&colour| mix(colour)));
            for &(from, to, tag) in links.iter() {
                add(next, from, tag ^ colours[to as usize]);
                add(next, to, !(tag ^ colours[from as usize]));
            }
            for &(relation, value) in &wide {
                self.add_wide(next, colours, relation, value);
            }
            core::mem::swap(colours, next);
            let now = self.told_apart(colours, sorted);
            if now <= told_apart {
                break;
            }
            told_apart = now;
        }
    }

    /// Adds what a relation of several processes says to the colours of all of them.
    fn add_wide(&self, next: &mut [u64], colours: &[u64], relation: &Relation, value: Related) {
        let roles = &self.roles[relation.roles.clone()];
        let same =
            |place: u32| roles.iter().position(|role| role.0 == place).map_or(0, |role| role as u64 + 1);
        let mut hash = match value {
            Related::Point(place) => mix(relation.tag ^ colours[place as usize]) ^ same(place),
            Related::Fixed(seen) => mix(relation.tag ^ seen),
        };
        for &(place, _) in roles {
            // Which of them are one and the same belongs to what is said.
            hash = mix(hash ^ colours[place as usize] ^ same(place) << 56);
        }
        for (role, &(place, _)) in (1..).zip(roles) {
            add(next, place, hash ^ role);
        }
        if let Related::Point(place) = value {
            add(next, place, !hash);
        }
    }

    /// How many colours there are, in all classes together.
    fn told_apart(&self, colours: &[u64], sorted: &mut Vec<u64>) -> usize {
        let mut count = 0;
        for class in &self.classes {
            sorted.clear();
            sorted.extend_from_slice(&colours[class.clone()]);
            sorted.arrange();
            count += sorted.chunk_by(|a, b| a == b).count();
        }
        count
    }

    /// Finds the canonical order of a state's processes; says whether colours tell it.
    pub(super) fn label(&self, values: &[i32], labelling: &mut Labelling) -> bool {
        self.colours(values, labelling);
        let Labelling { keys, colours, order, to, alike, .. } = labelling;
        alike.clear();
        to.clear();
        to.resize(self.points.len(), 0);
        for class in &self.classes {
            order.clear();
            order.extend(class.start as u32..class.end as u32);
            let key = |place: u32| (Reverse(keys[place as usize]), colours[place as usize]);
            order.arrange_by_key(|&place| (key(place), place));
            for (place, &point) in (class.start as u32..).zip(order.iter()) {
                to[point as usize] = place;
            }
            for cell in order.chunk_by(|&a, &b| key(a) == key(b)).filter(|cell| cell.len() > 1) {
                if !cell.array_windows().all(|&[a, b]| self.swaps(values, a, b)) {
                    return false;
                }
                alike.push(cell.iter().map(|&place| self.points[place as usize]).collect());
            }
        }
        true
    }

    /// Whether the exchange of two points of a class leaves the values as they are.
    fn swaps(&self, values: &[i32], a: u32, b: u32) -> bool {
        let swapped = |place: u32| match place {
            place if place == a => b,
            place if place == b => a,
            place => place,
        };
        let value = |slot: &u32| values[*slot as usize];
        let own = |place: u32| self.own[place as usize].iter().map(value);
        let stays = |relation: &Relation| {
            let (slot, image) = self.moved(relation, values, swapped);
            value(&slot) == image
        };
        own(a).eq(own(b)) && self.relations.iter().all(stays)
    }

    /// Where a relation goes, and what its value becomes.
    fn moved(&self, relation: &Relation, values: &[i32], to: impl Fn(u32) -> u32) -> (u32, i32) {
        let process = |place: u32| i64::from(self.points[place as usize].0);
        let mut slot = i64::from(relation.slot);
        for &(place, stride) in &self.roles[relation.roles.clone()] {
            slot += (process(to(place)) - process(place)) * i64::from(stride);
        }
        let value = match self.related(relation, values) {
            Related::Point(place) => (process(to(place)) - i64::from(relation.value.unwrap_or(0))) as i32,
            Related::Fixed(_) => values[relation.slot as usize],
        };
        (slot as u32, value)
    }

    /// The values in canonical order, and λ that brings them there.
    pub(super) fn apply(&self, labelling: &Labelling, values: &[i32]) -> (Vec<i32>, Perm) {
        let mut image = values.to_vec();
        let to = |place: u32| labelling.to[place as usize];
        for (place, own) in (0..).zip(&self.own) {
            for (&from, &slot) in own.iter().zip(&self.own[to(place) as usize]) {
                image[slot as usize] = values[from as usize];
            }
        }
        for relation in &self.relations {
            let (slot, value) = self.moved(relation, values, to);
            image[slot as usize] = value;
        }
        let pairs =
            self.points.iter().zip(&labelling.to).map(|(&point, &to)| (point, self.points[to as usize]));
        (image, Perm::from_bijection(pairs))
    }
}

/// Adds something to what is seen of a point; the order in which that is done makes no difference.
fn add(colours: &mut [u64], place: u32, what: u64) {
    let colour = &mut colours[place as usize];
    *colour = colour.wrapping_add(mix(what));
}
