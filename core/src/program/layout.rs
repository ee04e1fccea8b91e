//! Where each variable lies in a state, and how a state is packed into words.
//!
//! A state is a row of slots: the shared variables, then for each process its local ones. Families lie one behind the
//! other in process order, so that the slots of a process are found by arithmetic.

use super::term::Domain;
use super::types::FamilyId;
use super::{Family, Var, VarId};
use crate::define_id;
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;

define_id!(
    /// One variable of one state: a scalar, or one entry of a table.
    Slot
);

/// The addresses of all variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// For each variable its first slot: absolute for a shared one, within its process for a local one.
    pub offsets: IdVec<VarId, u32>,
    /// For each family its first slot and the slots of one process.
    pub records: IdVec<FamilyId, Record>,
    /// The number of slots of shared variables.
    pub shared: u32,
    /// The number of all slots.
    pub slots: u32,
}

/// Where the processes of a family lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first slot of the first process.
    pub first: u32,
    /// How many slots one process has.
    pub stride: u32,
}

/// The number of entries of a domain.
pub(crate) fn domain_size(domain: Domain, families: &IdVec<FamilyId, Family>) -> u32 {
    match domain {
        Domain::Family(family) => families[family].size,
        Domain::Range(low, high) => (high - low + 1).max(0) as u32,
    }
}

/// The number of entries of a variable.
fn table_size(var: &Var, families: &IdVec<FamilyId, Family>) -> u32 {
    var.index.iter().map(|d| domain_size(*d, families)).product()
}

impl Layout {
    pub(super) fn new(families: &IdVec<FamilyId, Family>, vars: &IdVec<VarId, Var>) -> Layout {
        let mut offsets = Vec::with_capacity(vars.len());
        let mut records: IdVec<FamilyId, Record> =
            families.iter().map(|_| Record { first: 0, stride: 0 }).collect();
        let mut shared = 0;
        // Variables are declared shared ones first, then family by family.
        for var in vars {
            let next = match var.owner {
                None => &mut shared,
                Some(family) => &mut records[family].stride,
            };
            offsets.push(*next);
            *next += table_size(var, families);
        }
        let mut slots = shared;
        for (record, family) in records.iter_mut().zip(families) {
            record.first = slots;
            slots += record.stride * family.size;
        }
        Layout { offsets: offsets.into(), records, shared, slots }
    }

    /// The slot of a local variable's first entry at the process with number `process` of the family.
    pub fn local(&self, family: FamilyId, process: u32, var: VarId) -> Slot {
        let record = self.records[family];
        Slot(record.first + process * record.stride + self.offsets[var])
    }

    /// The variable that has a slot.
    pub(super) fn var_at(&self, families: &IdVec<FamilyId, Family>, slot: u32) -> VarId {
        if slot < self.shared {
            let shared = families
                .iter()
                .filter_map(|f| f.vars.first())
                .min()
                .map_or(self.offsets.len(), |v| v.index());
            // Of variables that start at one place all but the last have no entry.
            let after = self.offsets.as_slice()[..shared].partition_point(|&first| first <= slot);
            return VarId::from_index(after - 1);
        }
        let after = self.records.as_slice().partition_point(|record| record.first <= slot);
        let family = FamilyId::from_index(after - 1);
        let record = self.records[family];
        let offset = (slot - record.first) % record.stride;
        let vars = &families[family].vars;
        vars[vars.partition_point(|&var| self.offsets[var] <= offset) - 1]
    }

    /// The slot of a shared variable's first entry.
    pub fn global(&self, var: VarId) -> Slot {
        Slot(self.offsets[var])
    }
}

/// A packed state: a row of words.
pub type PackedState = [u64];

/// Appends a packed state to a row of them. Most programs fit into one word, which needs no call: copying memory is one, and
/// in WebAssembly an expensive one.
pub(crate) fn append(words: &mut Vec<u64>, state: &PackedState) {
    match *state {
        [word] => words.push(word),
        _ => words.extend_from_slice(state),
    }
}

/// Overwrites a packed state with another one, like [`append`].
pub(super) fn copy(to: &mut PackedState, from: &PackedState) {
    match (&mut *to, from) {
        ([to], &[word]) => *to = word,
        _ => to.copy_from_slice(from),
    }
}

/// Where one slot lies in a packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Field {
    word: u32,
    shift: u8,
    bits: u8,
    low: i32,
}

/// How states are packed: each slot has as many bits as its type needs, none crosses a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packing {
    fields: IdVec<Slot, Field>,
    types: IdVec<Slot, VarId>,
    words: u32,
}

impl Packing {
    /// The packing of a program's states.
    pub fn new(program: &super::Program) -> Packing {
        Packing::of_slots(program, 0..program.layout.slots)
    }

    /// The packing of rows that have some slots of a program's states.
    pub fn of_slots(program: &super::Program, slots: impl Iterator<Item = u32>) -> Packing {
        let vars = &program.vars;
        let types: Vec<VarId> = slots.map(|slot| program.layout.var_at(&program.families, slot)).collect();
        let (mut word, mut used) = (0u32, 0u32);
        let fields = types
            .iter()
            .map(|&id| {
                let ty = vars[id].ty;
                let (low, bits) = (ty.low, ty.bits());
                if used + bits > u64::BITS {
                    word += 1;
                    used = 0;
                }
                let field = Field { word, shift: used as u8, bits: bits as u8, low };
                used += bits;
                field
            })
            .collect();
        Packing { fields, types: types.into(), words: word + 1 }
    }

    /// The number of words of a packed state.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// The number of slots.
    pub(crate) fn slots(&self) -> u32 {
        self.fields.len() as u32
    }

    /// The variable that a slot belongs to.
    pub fn var(&self, slot: Slot) -> VarId {
        self.types[slot]
    }

    /// The lowest value of a slot, and how many bits it has.
    pub(crate) fn range(&self, slot: Slot) -> (i32, u8) {
        let field = self.fields[slot];
        (field.low, field.bits)
    }

    /// Writes the values of a packed state into `values`, one per slot.
    pub fn unpack(&self, packed: &PackedState, values: &mut [i32]) {
        for (value, field) in values.iter_mut().zip(&self.fields) {
            // A field of no bits may lie behind the last bit of its word: shifting by 64 is not defined.
            let raw =
                packed[field.word as usize].checked_shr(field.shift as u32).unwrap_or(0) & mask(field.bits);
            *value = (raw as i64 + field.low as i64) as i32;
        }
    }

    /// Sets one slot of a packed state; the value is in the range of the slot's type.
    pub fn set(&self, packed: &mut PackedState, slot: Slot, value: i32) {
        let field = self.fields[slot];
        if field.bits == 0 {
            return;
        }
        let word = &mut packed[field.word as usize];
        let raw = (value as i64 - field.low as i64) as u64;
        *word = (*word & !(mask(field.bits) << field.shift)) | (raw << field.shift);
    }

    /// Packs a whole row of values, each in the range of its slot's type.
    pub fn pack(&self, values: &[i32], packed: &mut PackedState) {
        packed.fill(0);
        for (&value, field) in values.iter().zip(&self.fields) {
            let raw = (value as i64 - field.low as i64) as u64;
            // A field of no bits has the raw value 0, wherever it lies.
            packed[field.word as usize] |= raw.wrapping_shl(field.shift as u32);
        }
    }
}

fn mask(bits: u8) -> u64 {
    (1u64 << bits) - 1
}
