//! Plain families: nothing in a state refers to their processes, so an orbit is a count for each local state.

use super::state::Run;
use crate::group::{Factor, Group, Perm, PointSet, Process};
use crate::program::{Domain, FamilyId, Program, Type};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A set of processes of a plain family that G permutes freely.
#[derive(Clone, Debug)]
pub(super) struct PlainFactor {
    pub family: FamilyId,
    pub points: PointSet,
    /// How the slots of one process are packed into a word.
    pub fields: Vec<LocalField>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LocalField {
    shift: u8,
    bits: u8,
    low: i32,
}

impl PlainFactor {
    /// The value of one slot of a packed local state.
    pub(super) fn value(&self, code: u64, offset: u32) -> i32 {
        let field = self.fields[offset as usize];
        let raw = code.checked_shr(field.shift as u32).unwrap_or(0) & ((1u64 << field.bits) - 1);
        (raw as i64 + field.low as i64) as i32
    }

    /// The packed local state with one slot changed.
    pub(super) fn with_value(&self, code: u64, offset: u32, value: i32) -> u64 {
        let field = self.fields[offset as usize];
        if field.bits == 0 {
            return code;
        }
        let raw = (value as i64 - field.low as i64) as u64;
        (code & !(((1u64 << field.bits) - 1) << field.shift)) | (raw << field.shift)
    }
}

/// The plain factors of G.
pub(super) fn plain_factors(program: &Program, group: &Group) -> Vec<PlainFactor> {
    let mut plain = Vec::new();
    for (id, family) in program.families.iter_enumerated() {
        let members = family.first.0..family.first.0 + family.size;
        let own =
            group.factors().iter().filter(|f| f.points().first().is_some_and(|p| members.contains(&p.0)));
        let Some(fields) = local_fields(program, id) else { continue };
        if !is_plain(program, group, id) || own.clone().any(|f| !matches!(f, Factor::Symmetric(_))) {
            continue;
        }
        plain.extend(own.map(|f| PlainFactor {
            family: id,
            points: f.points().clone(),
            fields: fields.clone(),
        }));
    }
    plain
}

fn is_plain(program: &Program, group: &Group, family: FamilyId) -> bool {
    let moved = |f: FamilyId| {
        let first = program.families[f].first.0;
        let members = first..first + program.families[f].size;
        group
            .factors()
            .iter()
            .any(|factor| factor.points().iter().next().is_some_and(|p| members.contains(&p.0)))
    };
    program.vars.iter().all(|var| {
        let own = var.owner == Some(family);
        let refers = |f: FamilyId| f == family || (own && moved(f));
        let value = matches!(var.ty.ty, Type::Process { family: f, .. } if refers(f));
        let index = var.index.iter().any(|domain| matches!(domain, Domain::Family(f) if refers(*f)));
        !value && !index
    })
}

fn local_fields(program: &Program, family: FamilyId) -> Option<Vec<LocalField>> {
    let mut fields = Vec::new();
    let mut used = 0u32;
    for &id in &program.families[family].vars {
        let ty = program.vars[id].ty;
        let bits = u32::BITS - (ty.size - 1).leading_zeros();
        let (_, count) = program.entries(id, 0);
        for _ in 0..count {
            fields.push(LocalField { shift: used as u8, bits: bits as u8, low: ty.low });
            used += bits;
            if used > u64::BITS {
                return None;
            }
        }
    }
    Some(fields)
}

/// Sorts local states after some processes have changed theirs: the runs of the representative, and π with
/// (changed state) = π·(representative). It costs the number of runs and changes, not of processes.
pub(super) fn sort_changed(
    points: &PointSet,
    runs: &[Run],
    changes: &BTreeMap<u32, u64>,
) -> (Vec<Run>, Perm) {
    let mut counts: BTreeMap<u64, u32> = runs.iter().map(|run| (run.code, run.count)).collect();
    for (&position, &code) in changes {
        if let Some(count) = counts.get_mut(&run_at(runs, position).0.code) {
            *count -= 1;
        }
        *counts.entry(code).or_default() += 1;
    }
    let sorted: Vec<Run> = counts
        .into_iter()
        .rev()
        .filter(|(_, count)| *count > 0)
        .map(|(code, count)| Run { code, count })
        .collect();
    // Where the changed state and its representative differ: where boundaries of runs have moved, and at the changes.
    let mut differing: Vec<(u32, u64, u64)> = Vec::new();
    let mut note = |position: u32, now: u64| {
        let wanted = run_at(&sorted, position).0.code;
        if now != wanted {
            differing.push((position, now, wanted));
        }
    };
    for (start, end, before) in moved_stretches(runs, &sorted) {
        for position in (start..end).filter(|p| !changes.contains_key(p)) {
            note(position, before);
        }
    }
    for (&position, &code) in changes {
        note(position, code);
    }
    // The representative has `wanted` at a position; the process that has it now is the position's image.
    let mut images: Vec<(u64, u32)> = differing.iter().map(|&(position, now, _)| (now, position)).collect();
    let mut places: Vec<(u64, u32)> =
        differing.iter().map(|&(position, _, wanted)| (wanted, position)).collect();
    images.sort_unstable();
    places.sort_unstable();
    let process = |position: u32| points.nth(position).unwrap_or(Process(0));
    let pairs = places.iter().zip(&images).map(|(&(_, place), &(_, image))| (process(place), process(image)));
    let perm = Perm::from_pairs(pairs).unwrap_or_else(|_| Perm::identity());
    (sorted, perm)
}

/// The run that a position lies in, and where that run starts.
pub(super) fn run_at(runs: &[Run], position: u32) -> (Run, u32) {
    let mut start = 0;
    for &run in runs {
        if position < start + run.count {
            return (run, start);
        }
        start += run.count;
    }
    (Run { code: 0, count: 0 }, start)
}

/// The stretches where two sorted rows of one length have different codes, with the code of the first.
fn moved_stretches(first: &[Run], second: &[Run]) -> Vec<(u32, u32, u64)> {
    let mut stretches = Vec::new();
    let (mut i, mut j, mut at) = (0, 0, 0);
    let (mut first_end, mut second_end) = (0, 0);
    while i < first.len() && j < second.len() {
        let (a, b) = (first_end + first[i].count, second_end + second[j].count);
        let end = a.min(b);
        if first[i].code != second[j].code && at < end {
            stretches.push((at, end, first[i].code));
        }
        at = end;
        if end == a {
            first_end = a;
            i += 1;
        }
        if end == b {
            second_end = b;
            j += 1;
        }
    }
    stretches
}
