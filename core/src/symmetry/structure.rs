//! Tables of values over processes: what a permutation of processes does to a state, and to what is fixed in a program.
//!
//! π moves variables and values alike: the entry at (i, j) goes to (π(i), π(j)), and a value that is a process p
//! becomes π(p). Numbers, as indices and as values, stay.

use crate::group::{Perm, Process};
use crate::program::{Domain, Program, Type, VarId};
use alloc::vec::Vec;

/// An axis of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The first process of the family that the axis ranges over; numbers have none.
    pub family: Option<Process>,
    /// How many indices it has.
    pub size: u32,
    /// The distance of two neighbours in the row of values.
    pub stride: u32,
}

/// A table in a row of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The place of its first entry.
    pub first: u32,
    /// Its axes; none for a single value.
    pub axes: Vec<Axis>,
    /// The first process of the family that its values are of; plain values have none.
    pub value: Option<Process>,
}

/// An entry of a table: where it lies and which processes its place names.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The table.
    pub table: u32,
    /// The place in the row of values.
    pub slot: u32,
    /// The processes among its indices, in the order of the axes.
    pub processes: Vec<Process>,
    /// Its other indices, as one number.
    pub numbers: u32,
}

/// Tables that lie in one row of values.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    tables: Vec<Table>,
    entries: Vec<Entry>,
}

impl Structure {
    /// The structure of these tables.
    pub fn new(tables: Vec<Table>) -> Structure {
        let mut entries = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            each_index(&table.axes, &mut |index| {
                let mut entry =
                    Entry { table: number as u32, slot: table.first, processes: Vec::new(), numbers: 0 };
                for (axis, &i) in table.axes.iter().zip(index) {
                    entry.slot += i * axis.stride;
                    match axis.family {
                        Some(first) => entry.processes.push(Process(first.0 + i)),
                        None => entry.numbers = entry.numbers * axis.size + i,
                    }
                }
                entries.push(entry);
            });
        }
        Structure { tables, entries }
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The entries of all tables.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The table of an entry.
    pub fn table(&self, entry: &Entry) -> &Table {
        &self.tables[entry.table as usize]
    }

    /// The process that an entry's value is, where it is one.
    pub fn process_value(&self, entry: &Entry, values: &[i32]) -> Option<Process> {
        let first = self.table(entry).value?;
        u32::try_from(values[entry.slot as usize]).ok().map(|number| Process(first.0 + number))
    }

    /// The place that an entry goes to.
    pub fn image_slot(&self, entry: &Entry, perm: &Perm) -> u32 {
        let table = self.table(entry);
        let mut processes = entry.processes.iter();
        let mut slot = entry.slot;
        for axis in table.axes.iter().filter(|axis| axis.family.is_some()) {
            let Some(&process) = processes.next() else { break };
            let image = perm.apply(process);
            slot = (slot as i64 + (image.0 as i64 - process.0 as i64) * axis.stride as i64) as u32;
        }
        slot
    }

    /// The value that an entry has once it has gone there.
    pub fn image_value(&self, entry: &Entry, perm: &Perm, values: &[i32]) -> i32 {
        match (self.process_value(entry, values), self.table(entry).value) {
            (Some(process), Some(first)) => (perm.apply(process).0 - first.0) as i32,
            _ => values[entry.slot as usize],
        }
    }

    /// π applied to the values; what is in no table stays.
    pub fn apply(&self, perm: &Perm, values: &[i32]) -> Vec<i32> {
        let mut image = values.to_vec();
        if !perm.is_identity() {
            for entry in &self.entries {
                image[self.image_slot(entry, perm) as usize] = self.image_value(entry, perm, values);
            }
        }
        image
    }

    /// Whether π leaves the values as they are.
    pub fn fixes(&self, perm: &Perm, values: &[i32]) -> bool {
        perm.is_identity()
            || self.entries.iter().all(|entry| {
                values[self.image_slot(entry, perm) as usize] == self.image_value(entry, perm, values)
            })
    }
}

/// Calls `each` with the indices of every entry of a table with these axes, in their order.
pub(crate) fn each_index(axes: &[Axis], each: &mut impl FnMut(&[u32])) {
    if axes.iter().any(|axis| axis.size == 0) {
        return;
    }
    let mut index: Vec<u32> = axes.iter().map(|_| 0).collect();
    loop {
        each(&index);
        let Some(position) = (0..axes.len()).rev().find(|&i| index[i] + 1 < axes[i].size) else { return };
        index[position] += 1;
        index[position + 1..].fill(0);
    }
}

/// The axis of a domain, with the distance of neighbours to be set.
pub(super) fn axis(program: &Program, domain: Domain) -> Axis {
    match domain {
        Domain::Family(family) => {
            let family = &program.families[family];
            Axis { family: Some(family.first), size: family.size, stride: 0 }
        }
        Domain::Range(low, high) => Axis { family: None, size: (high - low + 1).max(0) as u32, stride: 0 },
    }
}

/// A variable of the program as a table in a plain state.
pub fn variable_table(program: &Program, id: VarId) -> Table {
    let var = &program.vars[id];
    let mut axes: Vec<Axis> = var.index.iter().map(|&domain| axis(program, domain)).collect();
    let mut stride = 1;
    for axis in axes.iter_mut().rev() {
        axis.stride = stride;
        stride *= axis.size;
    }
    let mut first = program.layout.offsets[id];
    if let Some(owner) = var.owner {
        let record = program.layout.records[owner];
        let family = &program.families[owner];
        first += record.first;
        axes.insert(0, Axis { family: Some(family.first), size: family.size, stride: record.stride });
    }
    let value = match var.ty.ty {
        Type::Process { family, .. } => Some(program.families[family].first),
        _ => None,
    };
    Table { first, axes, value }
}

/// π applied to a plain state of the program, without the tables of [`state_structure`].
pub fn moved_state(program: &Program, perm: &Perm, values: &[i32]) -> Vec<i32> {
    let mut image = values.to_vec();
    if perm.is_identity() {
        return image;
    }
    for id in program.vars.ids() {
        let table = variable_table(program, id);
        each_index(&table.axes, &mut |index| {
            let (mut from, mut to) = (table.first, table.first);
            for (axis, &i) in table.axes.iter().zip(index) {
                from += i * axis.stride;
                let moved = axis.family.map_or(i, |first| perm.apply(Process(first.0 + i)).0 - first.0);
                to += moved * axis.stride;
            }
            let value = values[from as usize];
            image[to as usize] = match (table.value, u32::try_from(value)) {
                (Some(first), Ok(number)) => (perm.apply(Process(first.0 + number)).0 - first.0) as i32,
                _ => value,
            };
        });
    }
    image
}

/// All variables of the program: how permutations act on its plain states.
pub fn state_structure(program: &Program) -> Structure {
    Structure::new(program.vars.ids().map(|id| variable_table(program, id)).collect())
}
