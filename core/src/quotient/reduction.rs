//! From states to representatives: how G splits, how a state is brought into its canonical form, what fixes it.

use super::general::{General, Image};
use super::plain::{PlainFactor, plain_factors, run_at, sort_changed};
use super::state::{Representative, Run, Seen};
use crate::group::{Factor, Group, Perm, PointSet, Process};
use crate::ids::IdVec;
use crate::program::{FamilyId, Packing, Program, Write, WriteTarget};
use crate::symmetry::{ProgramSymmetry, Structure, variable_table};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Where the processes of a family are kept in a representative.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    /// The first process of the family.
    pub first: u32,
    /// The first value of its processes that are kept one by one.
    pub slots: u32,
    /// The numbers of its plain factors.
    pub plain: Vec<usize>,
    /// The processes that are kept one by one.
    pub kept: PointSet,
}

/// A program with the group its states are reduced by.
#[derive(Clone, Debug)]
pub struct Reduction<'p> {
    program: &'p Program,
    group: Group,
    pub(super) plain: Vec<PlainFactor>,
    pub(super) placements: IdVec<FamilyId, Placement>,
    /// How permutations act on the values that are kept one by one.
    structure: Structure,
    general: General,
    packing: Packing,
    slots: u32,
}

/// What a step makes of a representative.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// The values kept one by one.
    pub values: Vec<i32>,
    /// The new local states of processes of plain factors, by factor and position.
    pub plain: BTreeMap<(usize, u32), u64>,
}

/// A step up to the exchange of like processes of plain factors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct StepKind {
    /// The process, or the factor and local state of one that is like others.
    executing: Result<Process, (usize, u64)>,
    /// Factor, local state before and after, and whose it is.
    changes: Vec<(usize, u64, u64, Role)>,
    values: Vec<i32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    Tracked(usize),
    Executing,
    Other,
}

/// A state in canonical form.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    /// What states of one orbit share.
    pub key: Vec<u64>,
    /// λ of the general part: takes the state's values to the key's.
    pub lambda: Perm,
    /// The state itself, with its plain factors sorted.
    pub state: Representative,
    /// π of the plain part: the state before it was sorted is π·(sorted).
    pub sorted_by: Perm,
    pub in_group: bool,
    pub exact: bool,
}

impl<'p> Reduction<'p> {
    /// Reduces the program by its symmetry.
    pub fn new(program: &'p Program, symmetry: &ProgramSymmetry) -> Reduction<'p> {
        let group = symmetry.group.clone();
        let plain = plain_factors(program, symmetry);
        let mut slots = program.layout.shared;
        let placements: IdVec<FamilyId, Placement> = program
            .families
            .iter_enumerated()
            .map(|(id, family)| {
                let numbers: Vec<usize> = (0..plain.len()).filter(|&n| plain[n].family == id).collect();
                let members = family.first.0..family.first.0 + family.size;
                let kept: PointSet = if numbers.is_empty() {
                    PointSet::range(members)
                } else {
                    let sorted: Vec<&PointSet> = numbers.iter().map(|&n| &plain[n].points).collect();
                    uncovered(members, &sorted)
                };
                let placement = Placement { first: family.first.0, slots, plain: numbers, kept };
                slots += placement.kept.len() * program.layout.records[id].stride;
                placement
            })
            .collect();
        let tables = program.vars.iter_enumerated().filter_map(|(id, var)| {
            let mut table = variable_table(program, id);
            if let Some(owner) = var.owner {
                if !placements[owner].plain.is_empty() {
                    return None;
                }
                table.first = placements[owner].slots + program.layout.offsets[id];
            }
            Some(table)
        });
        let structure = Structure::new(tables.collect());
        let rest: Vec<Factor> = group
            .factors()
            .iter()
            .filter(|f| !plain.iter().any(|p| p.points.first() == f.points().first()))
            .cloned()
            .collect();
        let general = General::new(program.process_count(), rest, &structure, symmetry);
        let packing = Packing::with_processes(program, |family| placements[family].kept.len());
        Reduction { program, group, plain, placements, structure, general, packing, slots }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// G.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The state as code sees it, with some processes told from all others.
    pub fn see<'a>(&'a self, state: &'a Representative, tracked: &'a [Process]) -> Seen<'a> {
        Seen { reduction: self, state, tracked, executed: None, enabled: None }
    }

    /// A plain state, in canonical form.
    pub(super) fn canonical_flat(&self, flat: &[i32]) -> Canonical {
        let mut values = flat[..self.program.layout.shared as usize].to_vec();
        let mut runs = Vec::with_capacity(self.plain.len());
        let mut pairs: Vec<(Process, Process)> = Vec::new();
        for (id, placement) in self.placements.iter_enumerated() {
            let record = self.program.layout.records[id];
            let row = |p: Process| {
                let first = (record.first + (p.0 - placement.first) * record.stride) as usize;
                &flat[first..first + record.stride as usize]
            };
            for point in placement.kept.iter() {
                values.extend_from_slice(row(point));
            }
            for &number in &placement.plain {
                let factor = &self.plain[number];
                let code = |p: Process| {
                    row(p).iter().enumerate().fold(0, |code, (i, &v)| factor.with_value(code, i as u32, v))
                };
                let mut coded: Vec<(u64, Process)> = factor.points.iter().map(|p| (code(p), p)).collect();
                coded.sort_by_key(|&(code, p)| (core::cmp::Reverse(code), p));
                pairs.extend(
                    factor
                        .points
                        .iter()
                        .zip(&coded)
                        .filter(|(place, (_, p))| place != p)
                        .map(|(place, &(_, p))| (place, p)),
                );
                runs.push((number, collect_runs(coded.iter().map(|&(code, _)| code))));
            }
        }
        runs.sort_by_key(|(number, _)| *number);
        let state = Representative { values, runs: runs.into_iter().map(|(_, runs)| runs).collect() };
        let sorted_by = Perm::from_pairs(pairs).unwrap_or_else(|_| Perm::identity());
        self.finish(state, sorted_by)
    }

    /// What these assignments make of a representative, before it is brought into canonical form.
    pub(super) fn changed(&self, state: &Representative, writes: &[Write]) -> Changed {
        let mut changed = Changed { values: state.values.clone(), plain: BTreeMap::new() };
        for write in writes {
            let (place, process) = match write.target {
                WriteTarget::Shared(slot) => {
                    changed.values[slot as usize] = write.value;
                    continue;
                }
                WriteTarget::Local(place, process) => (place, process),
            };
            let placement = &self.placements[place.family];
            let point = Process(placement.first + process);
            let factor =
                placement.plain.iter().find_map(|&n| Some((n, self.plain[n].points.position(point)?)));
            if let Some((number, position)) = factor {
                let code = changed
                    .plain
                    .entry((number, position))
                    .or_insert_with(|| run_at(&state.runs[number], position).0.code);
                *code = self.plain[number].with_value(*code, place.offset, write.value);
            } else {
                let whole = placement.plain.is_empty();
                let position = if whole { process } else { placement.kept.position(point).unwrap_or(0) };
                let slot = placement.slots + position * place.stride + place.offset;
                changed.values[slot as usize] = write.value;
            }
        }
        changed
    }

    /// A changed representative in canonical form.
    pub(super) fn canonical(&self, state: &Representative, changed: &Changed) -> Canonical {
        let mut next = Representative { values: changed.values.clone(), runs: state.runs.clone() };
        let mut sorted_by = Perm::identity();
        for (number, factor) in self.plain.iter().enumerate() {
            let changes: BTreeMap<u32, u64> = changed
                .plain
                .range((number, 0)..(number + 1, 0))
                .map(|(&(_, position), &code)| (position, code))
                .collect();
            if !changes.is_empty() {
                let (runs, perm) = sort_changed(&factor.points, &state.runs[number], &changes);
                next.runs[number] = runs;
                sorted_by = sorted_by.compose(&perm);
            }
        }
        self.finish(next, sorted_by)
    }

    /// A changed representative up to the permutations that fix the representative, the tracked processes and the
    /// plain factors' other processes: equal for two steps that differ only in which of several like processes they
    /// involve.
    pub(super) fn step_kind(
        &self,
        state: &Representative,
        tracked: &[Process],
        process: Process,
        changed: &Changed,
    ) -> StepKind {
        let role = |point: Process| match tracked.iter().position(|&t| t == point) {
            Some(k) => Role::Tracked(k),
            None if point == process => Role::Executing,
            None => Role::Other,
        };
        let home = self.plain.iter().enumerate().find_map(|(n, f)| Some((n, f.points.position(process)?)));
        let executing = match (home, role(process)) {
            (Some((number, position)), Role::Executing) => {
                Err((number, run_at(&state.runs[number], position).0.code))
            }
            _ => Ok(process),
        };
        let mut changes: Vec<(usize, u64, u64, Role)> = changed
            .plain
            .iter()
            .map(|(&(number, position), &code)| {
                let point = self.plain[number].points.nth(position).unwrap_or(process);
                (number, run_at(&state.runs[number], position).0.code, code, role(point))
            })
            // What keeps its local state has not changed.
            .filter(|(_, before, after, _)| before != after)
            .collect();
        changes.sort_unstable();
        StepKind { executing, changes, values: changed.values.clone() }
    }

    /// The image of a step under a permutation that fixes the representative and moves no process of a plain factor.
    pub(super) fn step_image(&self, perm: &Perm, kind: &StepKind) -> StepKind {
        StepKind {
            executing: kind.executing.map(|process| perm.apply(process)),
            changes: kind.changes.clone(),
            values: self.structure.apply(perm, &kind.values),
        }
    }

    fn finish(&self, mut state: Representative, sorted_by: Perm) -> Canonical {
        let Image { key: image, lambda, in_group, exact } =
            self.general.image(&self.structure, &state.values);
        if in_group {
            state.values = image;
            let key = self.encode(&state);
            return Canonical { key, lambda, state, sorted_by, in_group, exact };
        }
        // The key ends with the image of the fixed tables: two states are alike only if those agree too.
        let (own, fixed) = image.split_at(state.values.len());
        let mut key = self.encode(&Representative { values: own.to_vec(), runs: state.runs.clone() });
        key.extend(fixed.iter().map(|&v| v as u32 as u64));
        Canonical { key, lambda, state, sorted_by, in_group, exact }
    }

    /// A representative as a row of words.
    pub(super) fn encode(&self, state: &Representative) -> Vec<u64> {
        let mut row = alloc::vec![0; self.packing.words() as usize];
        self.packing.pack(&state.values, &mut row);
        for runs in &state.runs {
            row.push(runs.len() as u64);
            row.extend(runs.iter().flat_map(|run| [run.code, run.count as u64]));
        }
        row
    }

    /// The representative of a row of words.
    pub(super) fn decode(&self, row: &[u64]) -> Representative {
        let (packed, mut rest) = row.split_at(self.packing.words() as usize);
        let mut values = alloc::vec![0; self.slots as usize];
        self.packing.unpack(packed, &mut values);
        let mut runs = Vec::with_capacity(self.plain.len());
        for _ in &self.plain {
            let (&count, behind) = rest.split_first().unwrap_or((&0, &[]));
            let (pairs, behind) = behind.split_at(count as usize * 2);
            runs.push(
                pairs.chunks_exact(2).map(|pair| Run { code: pair[0], count: pair[1] as u32 }).collect(),
            );
            rest = behind;
        }
        Representative { values, runs }
    }

    /// A representative as a plain state: one value per slot.
    pub fn flatten(&self, state: &Representative) -> Vec<i32> {
        let layout = &self.program.layout;
        let mut flat = alloc::vec![0; layout.slots as usize];
        flat[..layout.shared as usize].copy_from_slice(&state.values[..layout.shared as usize]);
        for (id, placement) in self.placements.iter_enumerated() {
            let record = layout.records[id];
            let place = |p: Process| (record.first + (p.0 - placement.first) * record.stride) as usize;
            let stride = record.stride as usize;
            for (position, point) in placement.kept.iter().enumerate() {
                let from = placement.slots as usize + position * stride;
                flat[place(point)..place(point) + stride].copy_from_slice(&state.values[from..from + stride]);
            }
            for &number in &placement.plain {
                let factor = &self.plain[number];
                let codes =
                    state.runs[number].iter().flat_map(|r| core::iter::repeat_n(r.code, r.count as usize));
                for (point, code) in factor.points.iter().zip(codes) {
                    for offset in 0..record.stride {
                        flat[place(point) + offset as usize] = factor.value(code, offset);
                    }
                }
            }
        }
        flat
    }

    /// The permutations of G that leave a representative as it is.
    pub fn stabiliser(&self, state: &Representative) -> Group {
        let mut factors: Vec<Factor> = Vec::new();
        for (factor, runs) in self.plain.iter().zip(&state.runs) {
            let mut start = 0;
            for run in runs {
                if run.count > 1 {
                    factors.push(Factor::Symmetric(slice(&factor.points, start, run.count)));
                }
                start += run.count;
            }
        }
        let degree = self.program.process_count();
        if !self.is_plain() {
            factors.extend(self.general_stabiliser(state).factors().iter().cloned());
        }
        Group::new(degree, factors).unwrap_or_else(|_| Group::trivial(degree))
    }

    /// The part of the stabiliser that moves no process of a plain factor.
    pub(super) fn general_stabiliser(&self, state: &Representative) -> Group {
        self.general.stabiliser(self.program.process_count(), &self.structure, &state.values)
    }

    /// A changed representative as a plain state, not sorted.
    pub(super) fn flatten_changed(&self, state: &Representative, changed: &Changed) -> Vec<i32> {
        let moved = Representative { values: changed.values.clone(), runs: state.runs.clone() };
        let mut flat = self.flatten(&moved);
        for (&(number, position), &code) in &changed.plain {
            let factor = &self.plain[number];
            let record = self.program.layout.records[factor.family];
            let process =
                factor.points.nth(position).map_or(0, |p| p.0 - self.placements[factor.family].first);
            for offset in 0..record.stride {
                flat[(record.first + process * record.stride + offset) as usize] = factor.value(code, offset);
            }
        }
        flat
    }

    /// Whether only plain factors move: then a view's own enumeration of orbits is all there is.
    pub(super) fn is_plain(&self) -> bool {
        self.general.is_trivial()
    }
}

fn collect_runs(codes: impl Iterator<Item = u64>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for code in codes {
        match runs.last_mut() {
            Some(run) if run.code == code => run.count += 1,
            _ => runs.push(Run { code, count: 1 }),
        }
    }
    runs
}

/// The processes at some positions of a set, in the size of its ranges.
fn slice(points: &PointSet, start: u32, count: u32) -> PointSet {
    let mut skipped = 0;
    let mut result = Vec::new();
    for range in points.ranges() {
        let length = range.end - range.start;
        let from = start.max(skipped);
        let to = (start + count).min(skipped + length);
        if from < to {
            result.push(range.start + from - skipped..range.start + to - skipped);
        }
        skipped += length;
    }
    match result.as_slice() {
        [one] => PointSet::range(one.clone()),
        _ => result.into_iter().flatten().map(Process).collect(),
    }
}

fn uncovered(members: core::ops::Range<u32>, sets: &[&PointSet]) -> PointSet {
    let mut ranges: Vec<core::ops::Range<u32>> = sets.iter().flat_map(|set| set.ranges()).collect();
    ranges.sort_unstable_by_key(|r| r.start);
    let mut at = members.start;
    let mut free = Vec::new();
    for range in ranges {
        free.extend(at..range.start);
        at = range.end;
    }
    free.extend(at..members.end);
    free.into_iter().map(Process).collect()
}
