//! The initial values that `init` makes of the declared ones, place by place.

use super::Unsayable;
use crate::limits::MAX_EXPORTED_STARTS;
use crate::program::{Domain, Program, Slot, VarId, domain_size};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

/// A place whose value a block of `init` changes.
pub(super) struct Changed {
    pub var: VarId,
    /// The number of its process, where it is local.
    pub process: Option<u32>,
    /// Its indices, and its number among the entries of the table.
    pub indices: Vec<i64>,
    pub entry: u32,
    pub value: i64,
}

/// The changes that make each initial row; empty where there is no `init`.
pub(super) fn rows(program: &Program) -> Result<Vec<Vec<Changed>>, Unsayable> {
    let Some(first) = program.starts.first() else { return Ok(Vec::new()) };
    let count = program.initial.start_count();
    if count > MAX_EXPORTED_STARTS {
        let words = format!(
            "`init` makes {count} initial states, which are written out one by one: at most {MAX_EXPORTED_STARTS}"
        );
        return Err(Unsayable::too_large(first.span, words));
    }
    let changed = |&(slot, value): &(Slot, i32)| place(program, slot, value.into());
    Ok((0..count).map(|row| program.initial.changes(row).iter().map(changed).collect()).collect())
}

/// The variables that some row changes.
pub(super) fn changed_vars(rows: &[Vec<Changed>]) -> BTreeSet<VarId> {
    rows.iter().flatten().map(|changed| changed.var).collect()
}

fn place(program: &Program, slot: Slot, value: i64) -> Changed {
    let var = program.var_of(slot);
    let declared = &program.vars[var];
    let (process, entry) = match declared.owner {
        None => (None, slot.0 - program.layout.global(var).0),
        Some(family) => {
            let record = program.layout.records[family];
            let process = (slot.0 - record.first) / record.stride;
            (Some(process), slot.0 - program.layout.local(family, process, var).0)
        }
    };
    let mut indices = Vec::new();
    let mut rest = entry;
    for &domain in declared.index.iter().rev() {
        let size = domain_size(domain, &program.families);
        let low = if let Domain::Range(low, _) = domain { low } else { 0 };
        indices.push(low + i64::from(rest % size));
        rest /= size;
    }
    indices.reverse();
    Changed { var, process, indices, entry, value }
}
