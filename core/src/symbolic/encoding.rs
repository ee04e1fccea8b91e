//! States as rows of bits: where the bits of each slot stand in the order of the decision diagrams.
//!
//! A bit has two variables, one for the state and one for the next state, which are neighbours: a relation between the
//! two then looks at what belongs together at once. Bits of one process stand together.

use super::Unsupported;
use super::beside::Beside;
use crate::bdd::{Bdd, Manager, Variable};
use crate::define_id;
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::limits::{MAX_BDD_VARIABLES, MAX_SYMBOLIC_VALUES};
use crate::program::{Program, Slot, VarId};
use crate::sort::Sort as _;
use crate::symmetry::{Entry, state_structure};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A bit of a state, by its place in the order.
    Bit
);

/// Which of its two variables of a bit is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// That of the state.
    Current,
    /// That of the next state.
    Next,
}

/// How the slots are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// Shared variables first, then process by process, families side by side.
    #[default]
    SharedFirst,
    /// Process by process, then what is shared.
    SharedLast,
    /// Variable by variable: all processes' values of the first, then of the second.
    ByVariable,
}

impl Order {
    /// All orders that are tried.
    pub const ALL: [Order; 3] = [Order::SharedFirst, Order::SharedLast, Order::ByVariable];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Order::SharedFirst => "shared first",
            Order::SharedLast => "shared last",
            Order::ByVariable => "by variable",
        }
    }
}

/// Where the bits of a slot stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The lowest value.
    pub low: i32,
    /// How many values there are.
    pub size: u32,
    /// The bits, the most significant first.
    pub bits: Vec<Bit>,
}

/// Where the bits of all slots stand.
#[derive(Clone, Debug)]
pub struct Encoding {
    fields: IdVec<Slot, Field>,
    /// Bits above all others that no slot has.
    beside: Beside,
    bits: u32,
}

impl Encoding {
    /// The encoding of a program's states in an order, with these bits above them.
    pub fn new(program: &Program, order: Order, beside: Beside) -> Result<Encoding, Unsupported> {
        let packing = crate::program::Packing::new(program);
        let structure = state_structure(program);
        let mut entries: Vec<&Entry> = structure.entries().iter().collect();
        let place = |entry: &Entry| {
            let number = |&process: &Process| program.locate(process).1;
            entry.processes.iter().map(number).max()
        };
        entries.arrange_by_key(|entry| {
            let process = place(entry);
            let shared = process.is_none();
            match order {
                Order::SharedFirst => (!shared, process.unwrap_or(0), entry.slot),
                Order::SharedLast => (shared, process.unwrap_or(0), entry.slot),
                Order::ByVariable => (false, entry.table, entry.slot),
            }
        });
        let mut fields: IdVec<Slot, Field> =
            (0..program.layout.slots).map(|_| Field { low: 0, size: 1, bits: Vec::new() }).collect();
        let mut bits = beside.bits();
        for entry in entries {
            let slot = Slot(entry.slot);
            let ty = program.vars[packing.var(slot)].ty;
            let size = u32::try_from(ty.size).ok().filter(|&size| size <= MAX_SYMBOLIC_VALUES);
            let size = size.ok_or(Unsupported::Values(ty.size))?;
            let width = ty.bits();
            let own = (bits..bits + width).map(Bit).collect();
            fields[slot] = Field { low: ty.low, size, bits: own };
            bits += width;
        }
        if bits * 2 > MAX_BDD_VARIABLES {
            return Err(Unsupported::Bits(bits));
        }
        Ok(Encoding { fields, beside, bits })
    }

    /// The variable of a bit.
    pub fn variable(bit: Bit, side: Side) -> Variable {
        Variable(bit.0 * 2 + u32::from(side == Side::Next))
    }

    /// How many bits there are, with the memory.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The variables of all bits, in order.
    pub fn variables(&self, side: Side) -> Vec<Variable> {
        (0..self.bits).map(|bit| Self::variable(Bit(bit), side)).collect()
    }

    /// All bits beside those of a state.
    pub fn memory(&self) -> impl Iterator<Item = Bit> + use<> {
        (0..self.beside.bits()).map(Bit)
    }

    /// The bits of the automaton's state.
    pub(super) fn automaton(&self) -> Vec<Bit> {
        (0..self.beside.automaton).map(Bit).collect()
    }

    /// The bits that a step clears: the marks, and who takes it.
    pub(super) fn note(&self) -> Vec<Bit> {
        self.memory().skip(self.beside.automaton as usize).collect()
    }

    /// The bit of a mark.
    pub(super) fn mark(&self, mark: u32) -> Bit {
        Bit(self.beside.automaton + mark)
    }

    /// The bits that say who takes the step.
    pub(super) fn mover(&self) -> Vec<Bit> {
        self.memory().skip((self.beside.automaton + self.beside.marks) as usize).collect()
    }

    /// The bits that are kept beside a state.
    pub(super) fn beside(&self) -> &Beside {
        &self.beside
    }

    /// Where a slot stands.
    pub fn field(&self, slot: Slot) -> &Field {
        &self.fields[slot]
    }

    /// All slots with their places.
    pub fn fields(&self) -> impl Iterator<Item = (Slot, &Field)> {
        self.fields.iter_enumerated()
    }

    /// Where some bits have the value of a number.
    pub fn code(bdds: &mut Manager, bits: &[Bit], number: u32, side: Side) -> Bdd {
        let width = bits.len();
        let literals = bits.iter().enumerate().map(|(place, &bit)| {
            let set = number >> (width - 1 - place) & 1 == 1;
            (Self::variable(bit, side), set)
        });
        bdds.cube(literals)
    }

    /// Where a slot has a value, which is one of its type's.
    pub fn equals(&self, bdds: &mut Manager, slot: Slot, value: i64, side: Side) -> Bdd {
        let field = &self.fields[slot];
        Self::code(bdds, &field.bits, (value - field.low as i64) as u32, side)
    }

    /// Where the bits of a slot are one of its values.
    pub fn valid_slot(&self, bdds: &mut Manager, slot: Slot) -> Bdd {
        let field = &self.fields[slot];
        // At most the last code, compared bit by bit from the least significant one.
        let last = field.size - 1;
        let mut at_most = Bdd::TRUE;
        for (place, &bit) in field.bits.iter().rev().enumerate() {
            let variable = bdds.variable(Self::variable(bit, Side::Current));
            at_most = if last >> place & 1 == 1 {
                bdds.ite(&variable, &at_most, &Bdd::TRUE)
            } else {
                bdds.ite(&variable, &Bdd::FALSE, &at_most)
            };
        }
        at_most
    }

    /// Where a slot is in the next state as it is now.
    pub fn unchanged(&self, bdds: &mut Manager, slot: Slot) -> Bdd {
        let bits = self.fields[slot].bits.clone();
        let mut all = Bdd::TRUE;
        for bit in bits.into_iter().rev() {
            let now = bdds.variable(Self::variable(bit, Side::Current));
            let next = bdds.variable(Self::variable(bit, Side::Next));
            let same = bdds.iff(&now, &next);
            all = bdds.and(&same, &all);
        }
        all
    }

    /// The values of a state in a set that is not empty: the first in the order of the diagrams.
    pub fn pick(&self, bdds: &Manager, set: &Bdd) -> Option<Vec<i32>> {
        let path = bdds.pick(set)?;
        let is_set = |bit: Bit| path.contains(&(Self::variable(bit, Side::Current), true));
        Some(
            self.fields
                .iter()
                .map(|field| {
                    let code = field.bits.iter().fold(0, |code, &bit| code << 1 | i32::from(is_set(bit)));
                    field.low + code
                })
                .collect(),
        )
    }

    /// The set of one state.
    pub fn state(&self, bdds: &mut Manager, values: &[i32]) -> Bdd {
        let mut literals = Vec::new();
        for (slot, field) in self.fields.iter_enumerated() {
            let code = (values[slot.index()] - field.low) as u32;
            let width = field.bits.len();
            literals.extend(field.bits.iter().enumerate().map(|(place, &bit)| {
                (Self::variable(bit, Side::Current), code >> (width - 1 - place) & 1 == 1)
            }));
        }
        bdds.cube(literals)
    }

    /// The name of a variable of the diagrams, such as `client[0].st.1` or `turn'`.
    pub fn name(&self, program: &Program, variable: Variable) -> String {
        let bit = Bit(variable.0 / 2);
        let prime = if variable.0 % 2 == 1 { "'" } else { "" };
        let owner = self.fields.iter_enumerated().find(|(_, field)| field.bits.contains(&bit));
        let Some((slot, field)) = owner else { return format!("memory.{}{prime}", bit.0) };
        let name = slot_name(program, slot);
        match field.bits.len() {
            1 => format!("{name}{prime}"),
            width => {
                let place = field.bits.iter().position(|&b| b == bit).unwrap_or(0);
                format!("{name}.{}{prime}", width - 1 - place)
            }
        }
    }
}

/// A slot as a model writes it: `turn`, `client[0].st`, `link[client[0], client[1]]`.
fn slot_name(program: &Program, slot: Slot) -> String {
    let structure = state_structure(program);
    let Some(entry) = structure.entries().iter().find(|entry| entry.slot == slot.0) else {
        return format!("{slot:?}");
    };
    let id = VarId(entry.table);
    let var = &program.vars[id];
    let table = structure.table(entry);
    let mut rest = slot.0 - table.first;
    let mut indices = Vec::new();
    for axis in &table.axes {
        let index = rest / axis.stride;
        rest %= axis.stride;
        indices.push(match axis.family {
            Some(first) => program.process_name(Process(first.0 + index)),
            None => format!("{index}"),
        });
    }
    let owner = if var.owner.is_some() { format!("{}.", indices.remove(0)) } else { String::new() };
    let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
    format!("{owner}{}{indices}", var.name)
}
