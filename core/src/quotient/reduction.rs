//! From states to representatives: how G splits, how a state is brought into its canonical form, what fixes it.

use super::changed::Changed;
use super::colouring::Labelling;
use super::general::{General, Image};
use super::memo::Fixing;
use super::plain::{PlainFactor, is_concerned, is_moved, plain_factors};
use super::runs::{run_at, sort_changed, sort_stretches};
use super::slots::Slots;
use super::state::{Representative, Run, Seen};
use crate::group::{Factor, Group, Perm, PointSet, Process};
use crate::program::{Packing, Program, TermKind, VarId};
use crate::sort::Sort as _;
use crate::symmetry::{ProgramSymmetry, Structure, Table, variable_table};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cell::Cell;

/// A program with the group its states are reduced by.
#[derive(Clone, Debug)]
pub struct Reduction<'p> {
    program: &'p Program,
    group: Group,
    pub(super) plain: Vec<PlainFactor>,
    pub(super) slots: Slots,
    /// How permutations act on the values that are kept one by one.
    pub(super) structure: Structure,
    general: General,
    packing: Packing,
}

/// A state in canonical form.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    /// The key that all states of one orbit share.
    pub key: Vec<u64>,
    /// λ⁻¹ of the general part: takes the key's values to the state's.
    pub back: Perm,
    /// The state itself, with its plain factors sorted, where the key is none of the orbit: λ is not in G.
    pub state: Option<Representative>,
    /// π of the plain part: the state before it was sorted is π·(sorted).
    pub sorted_by: Perm,
    pub exact: bool,
    /// Whether it is known that nothing but the identity fixes the state.
    pub rigid: bool,
}

/// A changed representative with its plain factors sorted.
#[derive(Clone, Debug)]
pub(super) struct Sorted<'a> {
    values: Vec<i32>,
    before: &'a [Vec<Run>],
    /// The runs of the factors that have changed.
    resorted: Vec<(usize, Vec<Run>)>,
    /// π with (changed) = π·(sorted).
    pub by: Perm,
}

impl Sorted<'_> {
    fn runs(&self, number: usize) -> &[Run] {
        runs_of(self.before, &self.resorted, number)
    }
}

/// The runs of a factor, of which some have changed.
fn runs_of<'a>(before: &'a [Vec<Run>], resorted: &'a [(usize, Vec<Run>)], number: usize) -> &'a [Run] {
    resorted.iter().find(|(n, _)| *n == number).map_or(&before[number], |(_, runs)| runs)
}

impl<'p> Reduction<'p> {
    /// Reduces the program by its symmetry.
    pub fn new(program: &'p Program, symmetry: &ProgramSymmetry) -> Reduction<'p> {
        let group = symmetry.group.clone();
        let plain = plain_factors(program, symmetry);
        let slots = Slots::new(program, &plain);
        let rest: Vec<Factor> = group
            .factors()
            .iter()
            .filter(|f| !plain.iter().any(|p| p.points.first() == f.points().first()))
            .cloned()
            .collect();
        let structure = Structure::new(moved_tables(program, &rest, &slots));
        let packing = Packing::of_slots(program, slots.kept().flatten());
        let general = General::new(program.process_count(), rest, (&structure, &packing), symmetry);
        Reduction { program, group, plain, slots, structure, general, packing }
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
        Seen { reduction: self, state, tracked, executed: None, enabled: None, latest: Cell::new(None) }
    }

    /// A plain state, in canonical form.
    pub(super) fn canonical_flat(&self, flat: &[i32]) -> Canonical {
        let kept = self.slots.kept().flat_map(|range| &flat[range.start as usize..range.end as usize]);
        let mut values: Vec<i32> = kept.copied().collect();
        let mut runs = Vec::with_capacity(self.plain.len());
        let mut pairs: Vec<(Process, Process)> = Vec::new();
        for factor in &self.plain {
            let first = self.program.families[factor.family].first.0;
            let mut coded: Vec<(u64, Process)> =
                factor.points.iter().map(|p| (factor.local.read(flat, p.0 - first), p)).collect();
            coded.arrange_by_key(|&(code, p)| (core::cmp::Reverse(code), p));
            let moved = factor.points.iter().zip(&coded).filter(|(place, (_, p))| place != p);
            pairs.extend(moved.map(|(place, &(_, p))| (place, p)));
            runs.push(collect_runs(coded.iter().map(|&(code, _)| code)));
        }
        self.point(&mut values, |number| &runs[number]);
        let state = Representative { values, runs };
        let sorted_by = Perm::from_pairs(pairs).unwrap_or_else(|_| Perm::identity());
        self.finish(state, sorted_by)
    }

    /// Lets the variables that hold counted processes hold those that have their bits.
    pub(super) fn point<'a>(&self, values: &mut [i32], runs: impl Fn(usize) -> &'a [Run]) {
        if self.slots.pointers().is_empty() {
            return;
        }
        for (number, factor) in self.plain.iter().enumerate() {
            let mut start = 0;
            for run in runs(number) {
                for pointer in factor.local.pointing(run.code) {
                    let first = self.program.families[factor.family].first.0;
                    let process = factor.points.nth(start).map_or(0, |p| p.0 - first);
                    values[self.slots.place(pointer.slot) as usize] = process as i32;
                }
                start += run.count;
            }
        }
    }

    /// Lets the variables that hold counted processes hold the first: which one it is, its bit tells.
    pub(super) fn forget_held(&self, values: &mut [i32]) {
        for (place, _) in self.slots.pointers() {
            values[*place] = values[*place].min(0);
        }
    }

    /// A changed representative with its plain factors sorted.
    pub(super) fn sorted<'a>(&self, state: &'a Representative, changed: Changed) -> Sorted<'a> {
        let mut sorted = Sorted {
            values: changed.values,
            before: &state.runs,
            resorted: Vec::new(),
            by: Perm::identity(),
        };
        let mut stretched: Vec<usize> = changed.stretches.iter().map(|stretch| stretch.0).collect();
        stretched.arrange();
        stretched.dedup();
        for &number in &stretched {
            let together = changed.stretches.iter().filter(|s| s.0 == number).map(|s| (s.1, s.2, s.3));
            let single = changed.plain.iter().filter(|c| c.0 == number).map(|c| (c.1, 1, c.2));
            let all = together.chain(single).collect();
            let (runs, perm) = sort_stretches(&self.plain[number].points, &state.runs[number], all);
            sorted.resorted.push((number, runs));
            sorted.by = sorted.by.compose(&perm);
        }
        for part in changed.plain.chunk_by(|a, b| a.0 == b.0).filter(|part| !stretched.contains(&part[0].0)) {
            let number = part[0].0;
            let (runs, perm) = sort_changed(&self.plain[number].points, &state.runs[number], part);
            sorted.resorted.push((number, runs));
            sorted.by = sorted.by.compose(&perm);
        }
        let Sorted { values, before, resorted, .. } = &mut sorted;
        self.point(values, |number| runs_of(before, resorted, number));
        sorted
    }

    /// A changed representative with its plain factors sorted: what expressions that tell no like processes apart say of it, they
    /// say of the state that it stands for.
    pub(super) fn after(&self, state: &Representative, changed: Changed) -> Representative {
        let sorted = self.sorted(state, changed);
        let runs = (0..state.runs.len()).map(|number| sorted.runs(number).to_vec()).collect();
        Representative { values: sorted.values, runs }
    }

    /// As a row of words, which is the canonical form where all factors are plain.
    pub(super) fn row(&self, sorted: &Sorted<'_>) -> Vec<u64> {
        self.encode(&sorted.values, |number| sorted.runs(number))
    }

    /// The same, into a row that is there.
    pub(super) fn row_into(&self, sorted: &Sorted<'_>, row: &mut Vec<u64>) {
        self.encode_into(&sorted.values, |number| sorted.runs(number), row);
    }

    /// The canonical form, where it is found without a search: it is then the labelling's row. Gives λ⁻¹ of the general part, and whether it is
    /// known that nothing but the identity fixes the state.
    pub(super) fn quick(&self, sorted: &Sorted<'_>, labelling: &mut Labelling) -> Option<(Perm, bool)> {
        let (back, rigid) = self.general.quick_image(&sorted.values, labelling)?;
        let Labelling { image, row, .. } = labelling;
        self.encode_into(image, |number| sorted.runs(number), row);
        Some((back, rigid && self.plain.is_empty()))
    }

    /// The canonical form of a row whose plain factors are sorted.
    pub(super) fn canonical_row(&self, row: &[u64]) -> Canonical {
        self.finish(self.decode(row), Perm::identity())
    }

    fn finish(&self, mut state: Representative, sorted_by: Perm) -> Canonical {
        let mut labelling = Labelling::default();
        if let Some((back, rigid)) = self.general.quick_image(&state.values, &mut labelling) {
            let key = self.encode(&labelling.image, |number| &state.runs[number]);
            let rigid = rigid && self.plain.is_empty();
            return Canonical { key, back, state: None, sorted_by, exact: true, rigid };
        }
        let Image { key: image, back, in_group, exact } = self.general.image(&self.structure, &state.values);
        if in_group {
            state.values = image;
            let key = self.encode(&state.values, |number| &state.runs[number]);
            return Canonical { key, back, state: None, sorted_by, exact, rigid: false };
        }
        // The key ends with the image of the fixed tables: two states are alike only if those agree too.
        let (own, fixed) = image.split_at(state.values.len());
        let mut key = self.encode(own, |number| &state.runs[number]);
        key.extend(fixed.iter().map(|&v| v as u32 as u64));
        Canonical { key, back, state: Some(state), sorted_by, exact, rigid: false }
    }

    fn encode<'a>(&self, values: &[i32], runs: impl Fn(usize) -> &'a [Run]) -> Vec<u64> {
        let mut row = Vec::new();
        self.encode_into(values, runs, &mut row);
        row
    }

    /// Values and runs as a row of words: the packed values, for each plain factor the number of its runs where their
    /// end is not that of the row, and the runs.
    fn encode_into<'a>(&self, values: &[i32], runs: impl Fn(usize) -> &'a [Run], row: &mut Vec<u64>) {
        let words = self.packing.words() as usize;
        row.clear();
        row.reserve(words + (0..self.plain.len()).map(|n| 1 + 2 * runs(n).len()).sum::<usize>());
        row.resize(words, 0);
        self.packing.pack(values, row);
        for (number, factor) in self.plain.iter().enumerate() {
            let runs = runs(number);
            if self.is_counted(number) {
                row.push(runs.len() as u64);
            }
            if factor.local.wide {
                row.extend(runs.iter().flat_map(|run| [run.code, run.count as u64]));
            } else {
                row.extend(runs.iter().map(|run| run.code << 32 | run.count as u64));
            }
        }
    }

    /// The number of words of a row, where it is the same for all.
    pub(super) fn row_width(&self) -> Option<usize> {
        let alike = self.counts_nothing() && self.general.keys_are_images();
        alike.then(|| self.packing.words() as usize)
    }

    /// Whether a row has the number of a factor's runs. Of the last factor it would say nothing new, unless more
    /// follows.
    fn is_counted(&self, number: usize) -> bool {
        number + 1 < self.plain.len() || !self.is_plain()
    }

    /// The representative of a row of words.
    pub(super) fn decode(&self, row: &[u64]) -> Representative {
        let (packed, rest) = row.split_at(self.packing.words() as usize);
        let mut values = alloc::vec![0; self.slots.len() as usize];
        self.packing.unpack(packed, &mut values);
        let mut runs = Vec::with_capacity(self.plain.len());
        self.each_factor(rest, |_, own| runs.push(own.collect()));
        Representative { values, runs }
    }

    /// Calls `each` with the number of each plain factor and its runs, of a row without its packed values.
    fn each_factor<'r>(&self, row: &'r [u64], mut each: impl FnMut(usize, RunsOf<'r>)) {
        let mut rest = row;
        for (number, factor) in self.plain.iter().enumerate() {
            let width = if factor.local.wide { 2 } else { 1 };
            let own = if self.is_counted(number) {
                let (&count, behind) = rest.split_first().unwrap_or((&0, &[]));
                let (own, behind) = behind.split_at(count as usize * width);
                rest = behind;
                own
            } else {
                rest
            };
            each(number, own.chunks_exact(width).map(run_of));
        }
    }

    /// A representative as a plain state: one value per slot.
    pub fn flatten(&self, state: &Representative) -> Vec<i32> {
        let mut flat = alloc::vec![0; self.program.layout.slots as usize];
        let mut values = state.values.as_slice();
        for range in self.slots.kept() {
            let (own, behind) = values.split_at(range.len());
            flat[range.start as usize..range.end as usize].copy_from_slice(own);
            values = behind;
        }
        for (factor, runs) in self.plain.iter().zip(&state.runs) {
            let first = self.program.families[factor.family].first.0;
            let codes = runs.iter().flat_map(|r| core::iter::repeat_n(r.code, r.count as usize));
            for (point, code) in factor.points.iter().zip(codes) {
                factor.local.write(code, &mut flat, point.0 - first);
            }
        }
        flat
    }

    /// The permutations of G that leave a representative as it is.
    pub fn stabiliser(&self, state: &Representative) -> Group {
        self.fixing(state).whole
    }

    pub(super) fn fixing(&self, state: &Representative) -> Fixing {
        let degree = self.program.process_count();
        let general = self.general.quick_stabiliser(degree, &state.values);
        let general =
            general.unwrap_or_else(|| self.general.stabiliser(degree, &self.structure, &state.values));
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
        factors.extend(general.factors().iter().cloned());
        let whole = Group::new(degree, factors).unwrap_or_else(|_| Group::trivial(degree));
        Fixing { whole, general }
    }

    /// An element of the stabiliser of a row's state that takes the sequence to the least of its images, where all factors are
    /// plain.
    pub(super) fn to_least_plain_image(&self, row: &[u64], points: &[Process]) -> Perm {
        // In each run the points take the first places, in their order.
        let mut pairs: Vec<(Process, Process)> = Vec::with_capacity(points.len());
        self.each_factor(&row[self.packing.words() as usize..], |number, runs| {
            let own = &self.plain[number].points;
            let mut taken: Vec<(u32, u32)> = Vec::new();
            for &point in points {
                let (Some(position), None) = (own.position(point), pairs.iter().find(|pair| pair.0 == point))
                else {
                    continue;
                };
                let (_, start) = run_at(runs.clone(), position);
                let before = taken.iter().find(|(run, _)| *run == start).map_or(0, |&(_, count)| count);
                taken.retain(|(run, _)| *run != start);
                taken.push((start, before + 1));
                pairs.push((point, own.nth(start + before).unwrap_or(point)));
            }
        });
        match pairs.as_slice() {
            &[(point, first)] => Perm::transposition(point, first),
            pairs => Perm::completing(pairs).unwrap_or_default(),
        }
    }

    /// The permutations that leave a row's state and these processes as they are, where all factors are plain.
    pub(super) fn plain_stabiliser(&self, row: &[u64], fixed: &[Process]) -> Group {
        let mut factors: Vec<Factor> = Vec::new();
        self.each_factor(&row[self.packing.words() as usize..], |number, runs| {
            let mut start = 0;
            for run in runs {
                if run.count > 1 {
                    let points = slice(&self.plain[number].points, start, run.count);
                    let apart = fixed.iter().any(|&p| points.contains(p));
                    let points = if apart { points.without(fixed) } else { points };
                    // One that moves nothing would only take room.
                    if points.len() > 1 {
                        factors.push(Factor::Symmetric(points));
                    }
                }
                start += run.count;
            }
        });
        let degree = self.program.process_count();
        Group::new(degree, factors).unwrap_or_else(|_| Group::trivial(degree))
    }

    /// Whether no factor is plain: then two steps are the same only if they lead to the same values.
    pub(super) fn counts_nothing(&self) -> bool {
        self.plain.is_empty()
    }

    /// Whether only plain factors move: then a view's own enumeration of orbits is all there is.
    pub(super) fn is_plain(&self) -> bool {
        self.general.is_trivial()
    }
}

/// The runs in a part of a row.
type RunsOf<'r> = core::iter::Map<core::slice::ChunksExact<'r, u64>, fn(&[u64]) -> Run>;

fn run_of(words: &[u64]) -> Run {
    match *words {
        [code, count] => Run { code, count: count as u32 },
        _ => Run { code: words[0] >> 32, count: words[0] as u32 },
    }
}

/// The variables that some action assigns, and those that may start with any value or are changed by `init`. All others have one value in all
/// reachable states, and G keeps the initial values, so G does not move it: a table of who is linked to whom is such a one.
fn assigned(program: &Program) -> BTreeSet<VarId> {
    let targets = program.actions.iter().flat_map(|action| &action.assignments).map(|a| a.target);
    let named = targets.filter_map(|target| match &program.terms[target].kind {
        TermKind::Shared(var, _) | TermKind::Local(var, ..) => Some(*var),
        _ => None,
    });
    let initial = &program.initial;
    let changed = (0..initial.start_count()).flat_map(|start| initial.changes(start));
    let started = changed.map(|(slot, _)| program.var_of(*slot));
    let any = program.vars.iter_enumerated().filter(|(_, var)| var.init.is_none()).map(|(id, _)| id);
    named.chain(any).chain(started).collect()
}

/// The tables of the values kept one by one that these factors move.
fn moved_tables(program: &Program, factors: &[Factor], slots: &Slots) -> Vec<Table> {
    let mut tables = Vec::new();
    for id in assigned(program) {
        if !is_concerned(program, factors, id) {
            continue;
        }
        let mut table = variable_table(program, id);
        match program.vars[id].owner {
            // Between the processes of a family that nothing moves there may be slots that are not kept.
            Some(owner) if !is_moved(program, factors, owner) => {
                table.axes.remove(0);
                tables.extend((0..program.families[owner].size).map(|process| {
                    let first = slots.place(program.layout.local(owner, process, id).0);
                    Table { first, ..table.clone() }
                }));
            }
            _ => {
                table.first = slots.place(table.first);
                tables.push(table);
            }
        }
    }
    tables
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
