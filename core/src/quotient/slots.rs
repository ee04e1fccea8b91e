//! Where the slots of a plain state are in a representative.

use super::plain::PlainFactor;
use crate::group::{PointSet, Process};
use crate::ids::IdVec;
use crate::program::{FamilyId, LocalPlace, Program, WriteTarget};
use crate::sort::Sort as _;
use alloc::vec::Vec;
use core::ops::Range;

/// A stretch of slots that has the same number of them for each process of a plain family, one process behind the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    /// The slots in a plain state.
    pub slots: Range<u32>,
    /// How many of them each process has.
    pub stride: u32,
    pub family: FamilyId,
    /// The field of the first.
    pub field: u32,
}

/// A variable that no permutation moves and that may hold a process of a plain family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    /// Its slot in a plain state.
    pub slot: u32,
    /// The family whose processes it may hold.
    pub family: FamilyId,
    /// The bit that the process has which it holds.
    pub field: u32,
}

/// Where a slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// Among the values, at this place.
    Kept(usize),
    /// In the plain factor with this number, at the process with this position, in this field.
    Counted(usize, u32, u32),
}

/// Where the processes of a family are kept in a representative.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    /// The first process of the family.
    pub first: u32,
    /// The numbers of its plain factors.
    pub plain: Vec<usize>,
    /// The processes that are kept one by one.
    pub kept: PointSet,
    /// How many slots before the family's are not kept, where all of its own are.
    gap: Option<u32>,
}

/// Where all slots are.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub placements: IdVec<FamilyId, Placement>,
    /// The slots that are kept one by one: a set of numbers, held as intervals like one of processes.
    kept: PointSet,
    /// How many slots at the beginning are all kept.
    intact: u32,
    /// In the order of their slots.
    columns: Vec<Column>,
    /// The places among the values of variables that hold processes, in order, and the variables.
    pointers: Vec<(usize, Pointer)>,
}

impl Slots {
    pub(super) fn new(program: &Program, plain: &[PlainFactor]) -> Slots {
        let mut columns: Vec<Column> = Vec::new();
        let mut pointers: Vec<Pointer> = Vec::new();
        let mut gone: Vec<Range<u32>> = Vec::new();
        for (number, factor) in plain.iter().enumerate() {
            let record = program.layout.records[factor.family];
            let own = Column {
                slots: record.first..record.first + record.stride * program.families[factor.family].size,
                stride: record.stride,
                family: factor.family,
                field: 0,
            };
            let first = program.families[factor.family].first.0;
            for column in factor.local.columns.iter().chain([&own]) {
                let slot = |point: u32| column.slots.start + (point - first) * column.stride;
                gone.extend(factor.points.ranges().map(|range| slot(range.start)..slot(range.end)));
            }
            if number == 0 || plain[number - 1].family != factor.family {
                columns.extend_from_slice(&factor.local.columns);
                pointers.extend_from_slice(&factor.local.pointers);
            }
        }
        // A family without variables of its own has an empty stretch, which may lie at or inside of another.
        gone.retain(|range| !range.is_empty());
        gone.arrange_by_key(|range| range.start);
        columns.arrange_by_key(|column| column.slots.start);
        let kept = complement(0..program.layout.slots, &gone);
        let intact = kept.ranges().next().filter(|range| range.start == 0).map_or(0, |range| range.end);
        let placements = program.families.iter_enumerated().map(|(id, family)| {
            let numbers: Vec<usize> = (0..plain.len()).filter(|&n| plain[n].family == id).collect();
            let members = family.first.0..family.first.0 + family.size;
            let mut counted: Vec<Range<u32>> =
                numbers.iter().flat_map(|&n| plain[n].points.ranges()).collect();
            counted.arrange_by_key(|range| range.start);
            let record = program.layout.records[id];
            let own = record.first..record.first + record.stride * family.size;
            let whole = gone.iter().all(|range| range.end <= own.start || own.end <= range.start);
            let before = gone.iter().take_while(|range| range.end <= own.start);
            let gap = whole.then(|| before.map(|range| range.end - range.start).sum());
            Placement { first: family.first.0, plain: numbers, kept: complement(members, &counted), gap }
        });
        let placements = placements.collect();
        let mut slots = Slots { placements, kept, intact, columns, pointers: Vec::new() };
        slots.pointers = pointers
            .into_iter()
            .filter_map(|pointer| Some((slots.kept.position(Process(pointer.slot))? as usize, pointer)))
            .collect();
        slots.pointers.arrange_by_key(|(place, _)| *place);
        slots
    }

    /// The slots that are kept one by one.
    pub(super) fn kept(&self) -> impl Iterator<Item = Range<u32>> {
        self.kept.ranges()
    }

    /// The number of slots that are kept one by one.
    pub(super) fn len(&self) -> u32 {
        self.kept.len()
    }

    /// The place among the values of a slot that is kept.
    pub(super) fn place(&self, slot: u32) -> u32 {
        self.kept.position(Process(slot)).unwrap_or(0)
    }

    /// Where a process is counted: the number of the factor, and the position in it.
    pub(super) fn counted(
        &self,
        plain: &[PlainFactor],
        family: FamilyId,
        process: u32,
    ) -> Option<(usize, u32)> {
        let placement = &self.placements[family];
        let point = Process(placement.first + process);
        placement.plain.iter().find_map(|&n| Some((n, plain[n].points.position(point)?)))
    }

    /// Where a slot of a plain state is that is no counted process's own.
    pub(super) fn shared(&self, plain: &[PlainFactor], slot: u32) -> Spot {
        if slot < self.intact {
            return Spot::Kept(slot as usize);
        }
        if let Some(place) = self.kept.position(Process(slot)) {
            return Spot::Kept(place as usize);
        }
        let column = &self.columns[self.columns.partition_point(|column| column.slots.end <= slot)];
        let (process, entry) =
            ((slot - column.slots.start) / column.stride, (slot - column.slots.start) % column.stride);
        let (number, position) = self.counted(plain, column.family, process).unwrap_or((0, 0));
        Spot::Counted(number, position, column.field + entry)
    }

    /// Where a slot of a process is.
    pub(super) fn local(&self, plain: &[PlainFactor], place: LocalPlace, process: u32) -> Spot {
        if let Some(gap) = self.placements[place.family].gap {
            return Spot::Kept((place.slot(process) - gap) as usize);
        }
        match self.counted(plain, place.family, process) {
            Some((number, position)) => Spot::Counted(number, position, place.offset),
            None => self.shared(plain, place.slot(process)),
        }
    }

    /// Where an assignment writes to.
    pub(super) fn target(&self, plain: &[PlainFactor], target: WriteTarget) -> Spot {
        match target {
            WriteTarget::Shared(slot) => self.shared(plain, slot),
            WriteTarget::Local(place, process) => self.local(plain, place, process),
        }
    }

    /// The variables that may hold processes of plain families, with their places among the values.
    pub(super) fn pointers(&self) -> &[(usize, Pointer)] {
        &self.pointers
    }

    /// The variable at this place among the values, if it may hold a process of a plain family.
    pub(super) fn pointer(&self, place: usize) -> Option<&Pointer> {
        let at = self.pointers.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        Some(&self.pointers[at].1)
    }
}

/// The numbers of a range that are in none of these, which are disjoint and in order.
fn complement(all: Range<u32>, gone: &[Range<u32>]) -> PointSet {
    let mut at = all.start;
    let mut free = Vec::new();
    for range in gone {
        free.push(at..range.start);
        at = range.end;
    }
    free.push(at..all.end);
    PointSet::from_ranges(free)
}
