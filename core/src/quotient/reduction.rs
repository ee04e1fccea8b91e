//! From states to representatives: how G splits, how a state is brought into its canonical form, what fixes it.

use super::general::{General, Image};
use super::memo::Fixing;
use super::plain::{PlainFactor, plain_factors, run_at, sort_changed};
use super::state::{Representative, Run, Seen};
use crate::group::{Factor, Group, Perm, PointSet, Process};
use crate::ids::IdVec;
use crate::program::{FamilyId, Packing, Program, TermKind, VarId, Write, WriteTarget};
use crate::sort::Sort as _;
use crate::symmetry::{ProgramSymmetry, Structure, variable_table};
use alloc::collections::BTreeSet;
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
    /// The new local states of processes of plain factors: factor, position and local state, in this order.
    pub plain: Vec<(usize, u32, u64)>,
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
    /// The state itself, with its plain factors sorted, where the key is none of the orbit: λ is not in G.
    pub state: Option<Representative>,
    /// π of the plain part: the state before it was sorted is π·(sorted).
    pub sorted_by: Perm,
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
        let assigned = assigned(program);
        let moved = program.vars.iter_enumerated().filter(|(id, _)| assigned.contains(id));
        let tables = moved.filter_map(|(id, var)| {
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
        let general = General::new(program.process_count(), rest, (&structure, slots), symmetry);
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
                coded.arrange_by_key(|&(code, p)| (core::cmp::Reverse(code), p));
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
        runs.arrange_by_key(|(number, _)| *number);
        let state = Representative { values, runs: runs.into_iter().map(|(_, runs)| runs).collect() };
        let sorted_by = Perm::from_pairs(pairs).unwrap_or_else(|_| Perm::identity());
        self.finish(state, sorted_by)
    }

    /// What these assignments make of a representative, before it is brought into canonical form.
    pub(super) fn changed(&self, state: &Representative, writes: &[Write]) -> Changed {
        let mut changed = Changed { values: state.values.clone(), plain: Vec::new() };
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
                let at = changed.plain.partition_point(|&(n, p, _)| (n, p) < (number, position));
                if changed.plain.get(at).is_none_or(|&(n, p, _)| (n, p) != (number, position)) {
                    let code = run_at(&state.runs[number], position).0.code;
                    changed.plain.insert(at, (number, position, code));
                }
                let code = &mut changed.plain[at].2;
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

    /// A changed representative with its plain factors sorted: as a row of words, which is its canonical form where all
    /// factors are plain; and π with (changed) = π·(sorted).
    pub(super) fn sorted(&self, state: &Representative, changed: &Changed) -> (Vec<u64>, Perm) {
        let mut resorted: Vec<(usize, Vec<Run>)> = Vec::with_capacity(1);
        let mut sorted_by = Perm::identity();
        for part in changed.plain.chunk_by(|a, b| a.0 == b.0) {
            let number = part[0].0;
            let (runs, perm) = sort_changed(&self.plain[number].points, &state.runs[number], part);
            resorted.push((number, runs));
            sorted_by = sorted_by.compose(&perm);
        }
        let runs = |number: usize| {
            let new = resorted.iter().find(|(n, _)| *n == number);
            new.map_or(&state.runs[number], |(_, runs)| runs).as_slice()
        };
        (self.encode(&changed.values, runs), sorted_by)
    }

    /// The canonical form of a row whose plain factors are sorted.
    pub(super) fn canonical_row(&self, row: &[u64]) -> Canonical {
        self.finish(self.decode(row), Perm::identity())
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
            .map(|&(number, position, code)| {
                let point = self.plain[number].points.nth(position).unwrap_or(process);
                (number, run_at(&state.runs[number], position).0.code, code, role(point))
            })
            // What keeps its local state has not changed.
            .filter(|(_, before, after, _)| before != after)
            .collect();
        changes.arrange();
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
            let key = self.encode(&state.values, |number| &state.runs[number]);
            return Canonical { key, lambda, state: None, sorted_by, exact };
        }
        // The key ends with the image of the fixed tables: two states are alike only if those agree too.
        let (own, fixed) = image.split_at(state.values.len());
        let mut key = self.encode(own, |number| &state.runs[number]);
        key.extend(fixed.iter().map(|&v| v as u32 as u64));
        Canonical { key, lambda, state: Some(state), sorted_by, exact }
    }

    /// Values and runs as a row of words: the packed values, for each plain factor the number of its runs where their
    /// end is not that of the row, and the runs.
    fn encode<'a>(&self, values: &[i32], runs: impl Fn(usize) -> &'a [Run]) -> Vec<u64> {
        let words = self.packing.words() as usize;
        let mut row =
            Vec::with_capacity(words + (0..self.plain.len()).map(|n| 1 + 2 * runs(n).len()).sum::<usize>());
        row.resize(words, 0);
        self.packing.pack(values, &mut row);
        for (number, factor) in self.plain.iter().enumerate() {
            let runs = runs(number);
            if self.is_counted(number) {
                row.push(runs.len() as u64);
            }
            if factor.wide {
                row.extend(runs.iter().flat_map(|run| [run.code, run.count as u64]));
            } else {
                row.extend(runs.iter().map(|run| run.code << 32 | run.count as u64));
            }
        }
        row
    }

    /// Whether a row has the number of a factor's runs. Of the last factor it would say nothing new, unless more
    /// follows.
    fn is_counted(&self, number: usize) -> bool {
        number + 1 < self.plain.len() || !self.is_plain()
    }

    /// The representative of a row of words.
    pub(super) fn decode(&self, row: &[u64]) -> Representative {
        let (packed, mut rest) = row.split_at(self.packing.words() as usize);
        let mut values = alloc::vec![0; self.slots as usize];
        self.packing.unpack(packed, &mut values);
        let mut runs = Vec::with_capacity(self.plain.len());
        for (number, factor) in self.plain.iter().enumerate() {
            let each = if factor.wide { 2 } else { 1 };
            let own = if self.is_counted(number) {
                let (&count, behind) = rest.split_first().unwrap_or((&0, &[]));
                let (own, behind) = behind.split_at(count as usize * each);
                rest = behind;
                own
            } else {
                rest
            };
            let run = |words: &[u64]| match *words {
                [code, count] => Run { code, count: count as u32 },
                _ => Run { code: words[0] >> 32, count: words[0] as u32 },
            };
            runs.push(own.chunks_exact(each).map(run).collect());
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
        self.fixing(state).whole
    }

    pub(super) fn fixing(&self, state: &Representative) -> Fixing {
        let general = self.general.stabiliser(self.program.process_count(), &self.structure, &state.values);
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
        factors.extend(general.factors().iter().cloned());
        let whole = Group::new(degree, factors).unwrap_or_else(|_| Group::trivial(degree));
        Fixing { whole, general }
    }

    /// An element of the stabiliser that takes the sequence to the least of its images, where all factors are plain.
    pub(super) fn to_least_plain_image(&self, state: &Representative, points: &[Process]) -> Perm {
        // In each run the points take the first places, in their order.
        let mut pairs: Vec<(Process, Process)> = Vec::with_capacity(points.len());
        let mut taken: Vec<(usize, u32, u32)> = Vec::with_capacity(points.len());
        for &point in points {
            let home = self.plain.iter().enumerate().find_map(|(n, f)| Some((n, f.points.position(point)?)));
            let (Some((number, position)), None) = (home, pairs.iter().find(|pair| pair.0 == point)) else {
                continue;
            };
            let (_, start) = run_at(&state.runs[number], position);
            let known = taken.iter_mut().find(|(n, s, _)| (*n, *s) == (number, start));
            let place = if let Some((_, _, count)) = known {
                *count += 1;
                start + *count - 1
            } else {
                taken.push((number, start, 1));
                start
            };
            pairs.push((point, self.plain[number].points.nth(place).unwrap_or(point)));
        }
        Perm::completing(&pairs).unwrap_or_default()
    }

    /// A changed representative as a plain state, not sorted.
    pub(super) fn flatten_changed(&self, state: &Representative, changed: &Changed) -> Vec<i32> {
        let moved = Representative { values: changed.values.clone(), runs: state.runs.clone() };
        let mut flat = self.flatten(&moved);
        for &(number, position, code) in &changed.plain {
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

/// The variables that some action assigns, and those that may start with any value. All others have one value in all
/// reachable states, and G keeps the initial values, so G does not move it: a table of who is linked to whom is such a one.
fn assigned(program: &Program) -> BTreeSet<VarId> {
    let targets = program.actions.iter().flat_map(|action| &action.assignments).map(|a| a.target);
    let named = targets.filter_map(|target| match &program.terms[target].kind {
        TermKind::Shared(var, _) | TermKind::Local(var, ..) => Some(*var),
        _ => None,
    });
    let any = program.vars.iter_enumerated().filter(|(_, var)| var.init.is_none()).map(|(id, _)| id);
    named.chain(any).collect()
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
    PointSet::from_ranges(result)
}

fn uncovered(members: core::ops::Range<u32>, sets: &[&PointSet]) -> PointSet {
    let mut ranges: Vec<core::ops::Range<u32>> = sets.iter().flat_map(|set| set.ranges()).collect();
    ranges.arrange_by_key(|r| r.start);
    let mut at = members.start;
    let mut free = Vec::new();
    for range in ranges {
        free.push(at..range.start);
        at = range.end;
    }
    free.push(at..members.end);
    PointSet::from_ranges(free)
}
