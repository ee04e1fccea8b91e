//! Plain families: nothing in a state refers to their processes, so an orbit is a count for each local state.

use super::state::Run;
use crate::group::{Factor, Group, Perm, PointSet, Process};
use crate::program::{Domain, FamilyId, Program, Type};
use crate::sort::Sort as _;
use crate::symmetry::ProgramSymmetry;
use alloc::vec::Vec;

/// A set of processes of a plain family that G permutes freely.
#[derive(Clone, Debug)]
pub(super) struct PlainFactor {
    pub family: FamilyId,
    pub points: PointSet,
    /// How the slots of one process are packed into a word.
    pub fields: Vec<LocalField>,
    /// Whether that takes so many bits that a run needs two words.
    pub wide: bool,
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
        let Some(fields) = local_fields(program, id) else { continue };
        if !is_plain(program, group, id) || own.clone().any(|f| !matches!(f, Factor::Symmetric(_))) {
            continue;
        }
        let wide = fields.last().is_some_and(|field| field.shift + field.bits > 32);
        plain.extend(own.map(|f| PlainFactor {
            family: id,
            points: f.points().clone(),
            fields: fields.clone(),
            wide,
        }));
    }
    plain
}

fn is_plain(program: &Program, group: &Group, family: FamilyId) -> bool {
    let moved = |f: FamilyId| {
        let first = program.families[f].first.0;
        let end = first + program.families[f].size;
        // A factor may move several families: all its points count, not only the first.
        group.factors().iter().any(|factor| factor.points().ranges().any(|r| r.start < end && first < r.end))
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
        let bits = ty.bits();
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

/// Sorts local states after some processes, given by factor and position, have changed theirs: the runs of the representative, and π
/// with (changed state) = π·(representative). It costs the number of runs and changes, not of processes.
pub(super) fn sort_changed(
    points: &PointSet,
    runs: &[Run],
    changes: &[(usize, u32, u64)],
) -> (Vec<Run>, Perm) {
    let mut sorted: Vec<Run> = Vec::with_capacity(runs.len() + changes.len());
    sorted.extend_from_slice(runs);
    for &(_, position, code) in changes {
        let before = run_at(runs, position).0.code;
        if let Some(run) = sorted.iter_mut().find(|run| run.code == before) {
            run.count -= 1;
        }
        let at = sorted.partition_point(|run| run.code > code);
        match sorted.get_mut(at) {
            Some(run) if run.code == code => run.count += 1,
            _ => sorted.insert(at, Run { code, count: 1 }),
        }
    }
    sorted.retain(|run| run.count > 0);
    // Where the changed state and its representative differ: where boundaries of runs have moved, and at the changes.
    let mut places: Vec<(u64, u32)> = Vec::new();
    let mut images: Vec<(u64, u32)> = Vec::new();
    let mut note = |position: u32, now: u64| {
        let wanted = run_at(&sorted, position).0.code;
        if now != wanted {
            places.push((wanted, position));
            images.push((now, position));
        }
    };
    for_moved_stretches(runs, &sorted, |start, end, before| {
        for position in (start..end).filter(|p| changes.iter().all(|(_, changed, _)| changed != p)) {
            note(position, before);
        }
    });
    for &(_, position, code) in changes {
        note(position, code);
    }
    // The representative has `wanted` at a position; the process that has it now is the position's image.
    images.arrange();
    places.arrange();
    let process = |position: u32| points.nth(position).unwrap_or(Process(0));
    let pairs = places.iter().zip(&images).map(|(&(_, place), &(_, image))| (process(place), process(image)));
    let perm = Perm::from_bijection(pairs);
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

/// Calls `each` for the stretches where two sorted rows of one length have different codes, with the code of the first.
fn for_moved_stretches(first: &[Run], second: &[Run], mut each: impl FnMut(u32, u32, u64)) {
    let (mut i, mut j, mut at) = (0, 0, 0);
    let (mut first_end, mut second_end) = (0, 0);
    while i < first.len() && j < second.len() {
        let (a, b) = (first_end + first[i].count, second_end + second[j].count);
        let end = a.min(b);
        if first[i].code != second[j].code && at < end {
            each(at, end, first[i].code);
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
}
