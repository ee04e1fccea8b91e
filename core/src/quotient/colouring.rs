//! Canonical images by colours, where processes change places freely.
//!
//! Processes are sorted by what is said of them alone; those that are alike share a cell. Round by round a cell is cut by which
//! cells its processes are related to, until no further processes are told apart. Nothing but the state decides, so that
//! states of one orbit get the same cells; where each has one process the order is a canonical one, and nothing but the identity
//! fixes the state. Where processes of one cell can simply be swapped, which is seen from the values and not from hashes, their
//! order makes no difference, and what fixes the state are these exchanges. All other states are left to a search.

use crate::group::{Perm, PointSet, Process};
use crate::ids::Id as _;
use crate::rows::mix;
use crate::sort::Sort as _;
use crate::symmetry::{Entry, Structure};
use alloc::vec::Vec;
use core::ops::Range;

/// No point, in a table of them.
const NONE: u32 = u32::MAX;

/// The facts about processes that change places freely, made ready to be coloured.
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
    /// For each point the relations that its place alone names; in a class all have them in one order.
    held: Vec<Vec<u32>>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Related {
    Point(u32),
    Fixed(u64),
}

/// A state's processes in canonical order, and what it took to find it: kept from one state to the next, so that little is
/// allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Labelling {
    /// The facts about each point alone; on a ring its word.
    pub keys: Vec<u64>,
    /// The facts that each point sees of others in this round; on a ring the word of its mirror image.
    pub seen: Vec<u64>,
    /// Which points are related by a value, and by which.
    links: Vec<(u32, u32, u64)>,
    /// Other relations of several points, and their values.
    wide: Vec<(u32, Related)>,
    /// For each point whether something ties it to another one, or a shared variable holds it.
    tied: Vec<bool>,
    /// The points, class by class, sorted as far as they are told apart.
    order: Vec<u32>,
    /// For each point where its cell begins in the order: its colour.
    cells: Vec<u32>,
    /// The cells with two points and more, which in the end are points that can be swapped.
    open: Vec<Range<u32>>,
    next_open: Vec<Range<u32>>,
    /// For each point the place that it goes to.
    to: Vec<u32>,
    /// The canonical image.
    pub image: Vec<i32>,
    /// As a row of words.
    pub row: Vec<u64>,
}

impl Labelling {
    /// Starts with the cells of points of which the same is said.
    fn start(&mut self, classes: &[Range<usize>]) {
        let Labelling { keys, order, cells, open, .. } = self;
        order.clear();
        order.extend(0..keys.len() as u32);
        cells.clear();
        cells.resize(keys.len(), 0);
        open.clear();
        for class in classes {
            cut(order, cells, keys, class.start as u32..class.end as u32, open);
        }
    }

    /// Cuts cells by what their points see; says whether it made a difference.
    fn split(&mut self) -> bool {
        let Labelling { seen, order, cells, open, next_open, .. } = self;
        next_open.clear();
        let mut differs = false;
        for cell in open.drain(..) {
            differs |= cut(order, cells, seen, cell, next_open);
        }
        core::mem::swap(open, next_open);
        differs
    }

    /// Whether every point is told from all others.
    fn is_rigid(&self) -> bool {
        self.open.is_empty()
    }
}

/// Sorts a cell of the order by what is said of its points and cuts it where that differs; says whether it does. Cells that are
/// left with two points and more are added to `open`.
fn cut(
    order: &mut [u32],
    cells: &mut [u32],
    by: &[u64],
    cell: Range<u32>,
    open: &mut Vec<Range<u32>>,
) -> bool {
    let points = &mut order[cell.start as usize..cell.end as usize];
    // A representative's points are in order, and a step changes few of them: sorting costs little.
    points.arrange_by_key(|&point| by[point as usize]);
    let mut start = cell.start;
    for part in points.chunk_by(|&a, &b| by[a as usize] == by[b as usize]) {
        let end = start + part.len() as u32;
        for &point in part {
            cells[point as usize] = start;
        }
        if part.len() > 1 {
            open.push(start..end);
        }
        start = end;
    }
    points.first().is_some_and(|&first| cells[first as usize] != cells[points[points.len() - 1] as usize])
}

impl Colouring {
    /// The classes are disjoint; `range` gives the lowest value of a slot, and its bits.
    pub(super) fn new(
        structure: &Structure,
        range: impl Fn(u32) -> (i32, u8),
        classes: &[Vec<Process>],
    ) -> Colouring {
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
            held: alloc::vec![Vec::new(); points.len()],
            points,
            index,
            fields: Vec::new(),
            relations: Vec::new(),
            roles: Vec::new(),
        };
        for entry in structure.entries() {
            colouring.take(structure, entry);
        }
        let field = |&slot: &u32| range(slot);
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
            (named, _) => {
                if let &[(place, _)] = named {
                    self.held[place as usize].push(self.relations.len() as u32);
                }
                self.relations.push(Relation { slot: entry.slot, tag, roles, value });
            }
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

    /// The facts about each point alone as a number: the lower it is, the further in front the point shall be, which is
    /// where the largest values are. Facts that do not fit into a number are hashed.
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
                keys.push(!key);
            }
        }
    }

    /// Lists what relates points, and notes what each sees that is no other point.
    fn relate(&self, values: &[i32], labelling: &mut Labelling) {
        let Labelling { seen, links, wide, tied, .. } = labelling;
        seen.clear();
        seen.resize(self.points.len(), 0);
        tied.clear();
        tied.resize(self.points.len(), false);
        links.clear();
        wide.clear();
        for (number, relation) in (0..).zip(&self.relations) {
            let value = self.related(relation, values);
            match (&self.roles[relation.roles.clone()], value) {
                (&[(from, _)], Related::Point(to)) if from != to => {
                    links.push((from, to, relation.tag));
                    tied[from as usize] = true;
                    tied[to as usize] = true;
                }
                (&[(from, _)], _) => {
                    let held = if let Related::Fixed(held) = value { held } else { u64::MAX };
                    add(seen, from, relation.tag ^ held);
                }
                ([], Related::Point(to)) => {
                    add(seen, to, !relation.tag);
                    tied[to as usize] = true;
                }
                ([], Related::Fixed(_)) => {}
                (roles, _) => {
                    wide.push((number, value));
                    let held = if let Related::Point(place) = value { Some(place) } else { None };
                    for place in roles.iter().map(|&(place, _)| place).chain(held) {
                        tied[place as usize] = true;
                    }
                }
            }
        }
    }

    /// Adds which cells each point is related to.
    fn look(&self, labelling: &mut Labelling) {
        let Labelling { seen, links, wide, cells, .. } = labelling;
        for &(from, to, tag) in links.iter() {
            add(seen, from, tag ^ u64::from(cells[to as usize]));
            add(seen, to, !(tag ^ u64::from(cells[from as usize])));
        }
        for &(number, value) in wide.iter() {
            self.add_wide(seen, cells, &self.relations[number as usize], value);
        }
    }

    /// Adds what a relation of several processes says to what all of them see.
    fn add_wide(&self, seen: &mut [u64], cells: &[u32], relation: &Relation, value: Related) {
        let roles = &self.roles[relation.roles.clone()];
        let cell = |place: u32| u64::from(cells[place as usize]);
        let same =
            |place: u32| roles.iter().position(|role| role.0 == place).map_or(0, |role| role as u64 + 1);
        let mut hash = match value {
            Related::Point(place) => mix(relation.tag ^ cell(place)) ^ same(place),
            Related::Fixed(held) => mix(relation.tag ^ held),
        };
        for &(place, _) in roles {
            // Which of them are one and the same belongs to what is said.
            hash = mix(hash ^ cell(place) ^ same(place) << 56);
        }
        for (role, &(place, _)) in (1..).zip(roles) {
            add(seen, place, hash ^ role);
        }
        if let Related::Point(place) = value {
            add(seen, place, !hash);
        }
    }

    /// Finds the canonical order of a state's processes; says whether colours tell it.
    pub(super) fn label(&self, values: &[i32], labelling: &mut Labelling) -> bool {
        self.keys(values, &mut labelling.keys);
        labelling.start(&self.classes);
        if labelling.is_rigid() {
            return true;
        }
        self.relate(values, labelling);
        loop {
            self.look(labelling);
            if !labelling.split() {
                break;
            }
            if labelling.is_rigid() {
                return true;
            }
            labelling.seen.fill(0);
        }
        let Labelling { order, open, tied, .. } = labelling;
        open.iter().all(|cell| {
            let points = &order[cell.start as usize..cell.end as usize];
            points.array_windows().all(|&[a, b]| self.swaps(values, tied, a, b))
        })
    }

    /// The points that can be swapped, two and more, of a state that colours tell.
    pub(super) fn alike(&self, labelling: &Labelling) -> impl Iterator<Item = PointSet> {
        labelling.open.iter().map(|cell| {
            let points = &labelling.order[cell.start as usize..cell.end as usize];
            points.iter().map(|&point| self.points[point as usize]).collect()
        })
    }

    /// Whether the exchange of two points of a class leaves the values as they are.
    fn swaps(&self, values: &[i32], tied: &[bool], a: u32, b: u32) -> bool {
        let value = |slot: &u32| values[*slot as usize];
        let own = |place: u32| self.own[place as usize].iter().map(value);
        if !own(a).eq(own(b)) {
            return false;
        }
        if !tied[a as usize] && !tied[b as usize] {
            // Each holds itself or what does not move.
            let held = |place: u32| {
                self.held[place as usize].iter().map(move |&relation| {
                    let relation = &self.relations[relation as usize];
                    match self.related(relation, values) {
                        Related::Point(_) => None,
                        Related::Fixed(_) => Some(value(&relation.slot)),
                    }
                })
            };
            return held(a).eq(held(b));
        }
        let swapped = |place: u32| match place {
            place if place == a => b,
            place if place == b => a,
            place => place,
        };
        self.relations.iter().all(|relation| {
            let (slot, image) = self.moved(relation, values, swapped);
            value(&slot) == image
        })
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

    /// Puts the canonical image into the labelling's, where colours tell it; gives λ⁻¹, which takes it back, and whether nothing but
    /// the identity fixes the state.
    pub(super) fn image(&self, values: &[i32], labelling: &mut Labelling) -> Option<(Perm, bool)> {
        self.label(values, labelling).then(|| (self.apply(labelling, values), labelling.is_rigid()))
    }

    fn apply(&self, labelling: &mut Labelling, values: &[i32]) -> Perm {
        let Labelling { order, to, image, .. } = labelling;
        image.clear();
        image.extend_from_slice(values);
        let moved = (0..).zip(order.iter()).filter(|(place, point)| place != *point);
        let count = moved.clone().count();
        if count == 0 {
            return Perm::identity();
        }
        to.clear();
        to.resize(order.len(), 0);
        for (place, &point) in (0..).zip(order.iter()) {
            to[point as usize] = place;
        }
        let mut back: Vec<(Process, Process)> = Vec::with_capacity(count);
        for (place, &point) in moved {
            let (from, into) = (&self.own[point as usize], &self.own[place as usize]);
            for (&from, &into) in from.iter().zip(into) {
                image[into as usize] = values[from as usize];
            }
            back.push((self.points[place as usize], self.points[point as usize]));
        }
        for relation in &self.relations {
            let (slot, value) = self.moved(relation, values, |place| to[place as usize]);
            image[slot as usize] = value;
        }
        Perm::from_moves(back)
    }
}

/// Adds something to what is seen of a point; the order in which that is done makes no difference.
fn add(seen: &mut [u64], place: u32, what: u64) {
    let sum = &mut seen[place as usize];
    *sum = sum.wrapping_add(mix(what));
}
