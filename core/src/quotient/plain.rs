//! Plain families: a state says of each of their processes only what can be said of it alone, so an orbit is a count for
//! each local state.
//!
//! A process has more to it than its own variables. A table with the family for its one index has a value for each
//! process, wherever it is declared; and a variable that no permutation moves, and that holds a process of the family,
//! tells that one from all others: it is a bit of the local state, which at most one process has.

use super::slots::{Column, Pointer};
use crate::group::{Factor, Group, PointSet};
use crate::program::{Assignment, Domain, FamilyId, Program, Type, ValueType, VarId};
use crate::strain::took;
use crate::symmetry::{Axis, ProgramSymmetry, each_index, neighbour_in, variable_table};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A set of processes of a plain family that G permutes freely.
#[derive(Clone, Debug)]
pub(super) struct PlainFactor {
    pub family: FamilyId,
    pub points: PointSet,
    pub local: Rc<LocalState>,
}

/// The parts of the local state of a plain family's process, and how they are packed into a word.
#[derive(Clone, Debug)]
pub(super) struct LocalState {
    /// First the slots of the process itself, in their order, then those of tables with the family for an index, then a bit
    /// for each variable that may hold the process.
    fields: Vec<Field>,
    /// The tables, in stretches of slots.
    pub columns: Vec<Column>,
    /// The variables.
    pub pointers: Vec<Pointer>,
    /// Whether that takes so many bits that a run needs two words.
    pub wide: bool,
}

/// A part of a local state.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u8,
    bits: u8,
    low: i32,
    /// In a plain state: the slot of the family's first process, and how far the next one is from it. A bit has none.
    slots: Option<(u32, u32)>,
}

impl LocalState {
    /// The value of one field of a packed local state.
    pub(super) fn value(&self, code: u64, field: u32) -> i32 {
        let field = self.fields[field as usize];
        let raw = code.checked_shr(field.shift as u32).unwrap_or(0) & ((1u64 << field.bits) - 1);
        (raw as i64 + field.low as i64) as i32
    }

    /// The packed local state with one field changed.
    pub(super) fn with_value(&self, code: u64, field: u32, value: i32) -> u64 {
        let field = self.fields[field as usize];
        if field.bits == 0 {
            return code;
        }
        let raw = (value as i64 - field.low as i64) as u64;
        (code & !(((1u64 << field.bits) - 1) << field.shift)) | (raw << field.shift)
    }

    /// The local state of the family's process with this number in a plain state.
    pub(super) fn read(&self, flat: &[i32], process: u32) -> u64 {
        let mut code = 0;
        for (number, field) in (0..).zip(&self.fields) {
            if let Some((first, stride)) = field.slots {
                code = self.with_value(code, number, flat[(first + process * stride) as usize]);
            }
        }
        for pointer in &self.pointers {
            if flat[pointer.slot as usize] == process as i32 {
                code = self.with_value(code, pointer.field, 1);
            }
        }
        code
    }

    /// Writes the local state of the family's process with this number into a plain state. The variables that hold it are
    /// not part of it.
    pub(super) fn write(&self, code: u64, flat: &mut [i32], process: u32) {
        for (number, field) in (0..).zip(&self.fields) {
            if let Some((first, stride)) = field.slots {
                flat[(first + process * stride) as usize] = self.value(code, number);
            }
        }
    }

    /// The fields that are slots of a plain state, each with the slot of the family's first process.
    pub(super) fn own_slots(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.fields).filter_map(|(number, field)| Some((number, field.slots?.0)))
    }

    /// The variables that hold the process with this local state.
    pub(super) fn pointing(&self, code: u64) -> impl Iterator<Item = &Pointer> {
        // The bits are the highest: most processes have none of them.
        let lowest = self.pointers.first().map_or(u64::BITS as u8, |p| self.fields[p.field as usize].shift);
        let some = code.checked_shr(u32::from(lowest)).unwrap_or(0) != 0;
        let pointers = if some { self.pointers.as_slice() } else { &[] };
        pointers.iter().filter(move |pointer| self.value(code, pointer.field) == 1)
    }

    /// Adds a field, as long as all of them fit into a word.
    fn push(&mut self, ty: ValueType, slots: Option<(u32, u32)>) -> Option<u32> {
        let used = self.fields.last().map_or(0, |field| field.shift + field.bits);
        let bits = ty.bits() as u8;
        if u32::from(used) + u32::from(bits) > u64::BITS {
            took("quotient: local states that are not counted for their size");
            return None;
        }
        self.fields.push(Field { shift: used, bits, low: ty.low, slots });
        self.wide = used + bits > 32;
        if self.wide {
            took("quotient: runs of two words");
        }
        Some(self.fields.len() as u32 - 1)
    }
}

/// The plain factors of G. Code tries one of several like processes, so that every expression must treat them alike: it
/// is not enough that the program's steps do, as those of a claimed symmetry may.
pub(super) fn plain_factors(program: &Program, symmetry: &ProgramSymmetry) -> Vec<PlainFactor> {
    let group = &symmetry.group;
    let mut plain = Vec::new();
    if !symmetry.textual {
        return plain;
    }
    for (id, family) in program.families.iter_enumerated() {
        let members = family.first.0..family.first.0 + family.size;
        let own =
            group.factors().iter().filter(|f| f.points().first().is_some_and(|p| members.contains(&p.0)));
        if own.clone().next().is_none() || own.clone().any(|f| !matches!(f, Factor::Symmetric(_))) {
            continue;
        }
        // In a ring of three every permutation keeps neighbours neighbours, but a reflection takes `next` to `prev`: like
        // processes have no like neighbours. In a ring of two they have.
        if family.size > 2 && asks_for_neighbours(program, id) {
            continue;
        }
        let Some(local) = local_state(program, group, id) else { continue };
        let local = Rc::new(local);
        plain.extend(own.map(|f| PlainFactor {
            family: id,
            points: f.points().clone(),
            local: local.clone(),
        }));
    }
    plain
}

/// Whether an action asks for a neighbour in the ring that a family is.
fn asks_for_neighbours(program: &Program, family: FamilyId) -> bool {
    program.families[family].ring
        && (program.assumption.iter().any(|assumed| neighbour_in(program, assumed.term, family).is_some())
            || program.actions.iter().any(|action| {
                let terms = action.assignments.iter().flat_map(Assignment::terms).chain([action.guard]);
                terms.into_iter().any(|term| neighbour_in(program, term, family).is_some())
            }))
}

/// Whether some element of G moves a process of the family.
pub(super) fn is_moved(program: &Program, factors: &[Factor], family: FamilyId) -> bool {
    let first = program.families[family].first.0;
    let end = first + program.families[family].size;
    // A factor may move several families: all its points count, not only the first.
    factors.iter().any(|factor| factor.points().ranges().any(|r| r.start < end && first < r.end))
}

/// The families that a variable's places name: its owner, and its indices.
fn axes(program: &Program, var: VarId) -> impl Iterator<Item = FamilyId> {
    let var = &program.vars[var];
    var.owner.into_iter().chain(var.index.iter().filter_map(|domain| match domain {
        Domain::Family(family) => Some(*family),
        Domain::Range(..) => None,
    }))
}

/// The family whose processes a variable holds.
pub(super) fn value_family(program: &Program, var: VarId) -> Option<FamilyId> {
    match program.vars[var].ty.ty {
        Type::Process { family, .. } => Some(family),
        _ => None,
    }
}

/// Whether a variable's places, or its values, are of a family that these factors move.
pub(super) fn is_concerned(program: &Program, factors: &[Factor], var: VarId) -> bool {
    axes(program, var).chain(value_family(program, var)).any(|family| is_moved(program, factors, family))
}

/// The local state of a family's processes; none where the family is not plain.
fn local_state(program: &Program, group: &Group, family: FamilyId) -> Option<LocalState> {
    let moved = |f: FamilyId| is_moved(program, group.factors(), f);
    let (mut columns, mut pointers): (Vec<VarId>, Vec<VarId>) = (Vec::new(), Vec::new());
    for id in program.vars.ids() {
        let indexed = axes(program, id).any(|f| f == family);
        let value = value_family(program, id);
        if !indexed && value != Some(family) {
            continue;
        }
        let axes_moved = axes(program, id).filter(|&f| moved(f)).count();
        match (indexed, axes_moved) {
            (true, 1) if !value.is_some_and(moved) => {
                if program.vars[id].owner != Some(family) {
                    columns.push(id);
                }
            }
            (false, 0) => pointers.push(id),
            _ => return None,
        }
    }
    let mut local = LocalState { fields: Vec::new(), columns: Vec::new(), pointers: Vec::new(), wide: false };
    let record = program.layout.records[family];
    for &id in &program.families[family].vars {
        let (_, count) = program.entries(id, 0);
        for entry in 0..count {
            let first = record.first + program.layout.offsets[id] + entry;
            local.push(program.vars[id].ty, Some((first, record.stride)))?;
        }
    }
    for id in columns {
        push_columns(program, family, id, &mut local)?;
    }
    for id in pointers {
        let table = variable_table(program, id);
        for slot in places(table.first, &table.axes) {
            let bit = ValueType { ty: Type::Bool, low: 0, size: 2 };
            let field = local.push(bit, None)?;
            local.pointers.push(Pointer { slot, family, field });
        }
    }
    Some(local)
}

/// Adds the entries of a table with the family for an index.
fn push_columns(program: &Program, family: FamilyId, var: VarId, local: &mut LocalState) -> Option<()> {
    let table = variable_table(program, var);
    let own = Some(program.families[family].first);
    let at = table
        .axes
        .iter()
        .position(|axis| axis.family == own && axis.size == program.families[family].size)?;
    let Axis { stride, size, .. } = table.axes[at];
    for start in places(table.first, &table.axes[..at]) {
        let field = local.fields.len() as u32;
        for entry in 0..stride {
            local.push(program.vars[var].ty, Some((start + entry, stride)))?;
        }
        if stride > 0 {
            local.columns.push(Column { slots: start..start + size * stride, stride, family, field });
        }
    }
    Some(())
}

/// The slots at all indices of some axes.
fn places(first: u32, axes: &[Axis]) -> Vec<u32> {
    let mut slots = Vec::new();
    each_index(axes, &mut |index| {
        slots.push(first + axes.iter().zip(index).map(|(axis, i)| axis.stride * i).sum::<u32>());
    });
    slots
}
