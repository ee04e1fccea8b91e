//! The state after a step from a representative, before it is brought into canonical form.

use super::reduction::Reduction;
use super::runs::code_at;
use super::slots::{Pointer, Spot};
use super::state::Representative;
use super::steps::RawStep;
use crate::group::{Perm, Process};
use crate::program::{ActionId, Write};
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// The state after a step from a representative.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// The values kept one by one.
    pub values: Vec<i32>,
    /// The new local states of processes of plain factors: factor, position and local state, in this order.
    pub plain: Vec<(usize, u32, u64)>,
    /// The same of stretches of like processes, of which none is among those above: factor, first position, length and local
    /// state.
    pub(super) stretches: Vec<(usize, u32, u32, u64)>,
}

/// A step up to the exchange of like processes of plain factors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct StepKind {
    /// The process, or the factor and local state of one that is like others.
    executing: Result<Process, (usize, u64)>,
    /// The action, where it is to be fair by itself.
    fair: Option<ActionId>,
    /// Factor, local state before and after, and whose it is.
    changes: Vec<(usize, u64, u64, Role)>,
    /// The same of processes that change together, and how many they are.
    together: Vec<(usize, u64, u64, u32)>,
    values: Vec<i32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    Tracked(usize),
    Executing,
    Other,
}

impl Reduction<'_> {
    /// Applies these assignments to a representative; the result is not in canonical form yet.
    pub(super) fn changed(&self, state: &Representative, writes: &[Write]) -> Changed {
        let changed = self.changed_by(state, writes, true);
        let inside = |&(number, position, _): &(usize, u32, u64)| {
            changed.stretches.iter().any(|s| s.0 == number && (s.1..s.1 + s.2).contains(&position))
        };
        // An assignment to a stretch and another to one of its processes alone are made process by process.
        if changed.plain.iter().any(inside) { self.changed_by(state, writes, false) } else { changed }
    }

    fn changed_by(&self, state: &Representative, writes: &[Write], together: bool) -> Changed {
        let mut changed = Changed { values: state.values.clone(), plain: Vec::new(), stretches: Vec::new() };
        for write in writes {
            match self.slots.target(&self.plain, write.target) {
                Spot::Kept(place) => {
                    if let Some(pointer) = self.slots.pointer(place) {
                        self.change_bit(state, &mut changed, pointer, state.values[place], 0);
                        self.change_bit(state, &mut changed, pointer, write.value, 1);
                    }
                    changed.values[place] = write.value;
                }
                Spot::Counted(number, position, field) if write.count > 1 && together => {
                    let stretch = (number, position, write.count);
                    self.change_stretch(state, &mut changed, stretch, field, write.value);
                }
                Spot::Counted(number, position, field) => {
                    for position in position..position + write.count {
                        self.change(state, &mut changed, (number, position), field, write.value);
                    }
                }
            }
        }
        changed
    }

    /// Changes a field of a counted process.
    fn change(
        &self,
        state: &Representative,
        changed: &mut Changed,
        process: (usize, u32),
        field: u32,
        value: i32,
    ) {
        let (number, position) = process;
        let at = changed.plain.partition_point(|&(n, p, _)| (n, p) < process);
        if changed.plain.get(at).is_none_or(|&(n, p, _)| (n, p) != process) {
            let code = code_at(&state.runs[number], position);
            changed.plain.insert(at, (number, position, code));
        }
        let code = &mut changed.plain[at].2;
        *code = self.plain[number].local.with_value(*code, field, value);
    }

    /// Changes a field of a stretch of like processes: factor, first position and length.
    fn change_stretch(
        &self,
        state: &Representative,
        changed: &mut Changed,
        (number, position, count): (usize, u32, u32),
        field: u32,
        value: i32,
    ) {
        let known = changed.stretches.iter().position(|&(n, p, ..)| (n, p) == (number, position));
        let at = known.unwrap_or_else(|| {
            let code = code_at(&state.runs[number], position);
            changed.stretches.push((number, position, count, code));
            changed.stretches.len() - 1
        });
        let code = &mut changed.stretches[at].3;
        *code = self.plain[number].local.with_value(*code, field, value);
    }

    /// Changes the bit that the process has which a variable holds, if it is a counted one.
    fn change_bit(
        &self,
        state: &Representative,
        changed: &mut Changed,
        pointer: &Pointer,
        held: i32,
        bit: i32,
    ) {
        if let Some(process) = self.held(pointer, held) {
            self.change(state, changed, process, pointer.field, bit);
        }
    }

    /// The counted process that a variable with this value holds.
    fn held(&self, pointer: &Pointer, value: i32) -> Option<(usize, u32)> {
        self.slots.counted(&self.plain, pointer.family, u32::try_from(value).ok()?)
    }

    /// A changed representative up to the permutations that fix the representative, the tracked processes and the
    /// plain factors' other processes: equal for two steps that differ only in which of several like processes they
    /// involve.
    pub(super) fn step_kind(&self, state: &Representative, tracked: &[Process], step: &RawStep) -> StepKind {
        let (process, changed) = (step.process, &step.changed);
        let fair = self.program().is_fair_action(step.action).then_some(step.action);
        let role = |point: Process| match tracked.iter().position(|&t| t == point) {
            Some(k) => Role::Tracked(k),
            None if point == process => Role::Executing,
            None => Role::Other,
        };
        let home = self.plain.iter().enumerate().find_map(|(n, f)| Some((n, f.points.position(process)?)));
        let executing = match (home, role(process)) {
            (Some((number, position)), Role::Executing) => {
                Err((number, code_at(&state.runs[number], position)))
            }
            _ => Ok(process),
        };
        let mut changes: Vec<(usize, u64, u64, Role)> = changed
            .plain
            .iter()
            .map(|&(number, position, code)| {
                let point = self.plain[number].points.nth(position).unwrap_or(process);
                (number, code_at(&state.runs[number], position), code, role(point))
            })
            // Processes that keep their local state have not changed.
            .filter(|(_, before, after, _)| before != after)
            .collect();
        changes.arrange();
        let mut values = changed.values.clone();
        for (place, pointer) in self.slots.pointers() {
            // Which of several like processes it holds is among the changes.
            if self.held(pointer, values[*place]).is_some() {
                values[*place] = i32::MIN;
            }
        }
        let mut together: Vec<(usize, u64, u64, u32)> = changed
            .stretches
            .iter()
            .map(|&(number, position, count, code)| {
                (number, code_at(&state.runs[number], position), code, count)
            })
            .filter(|(_, before, after, _)| before != after)
            .collect();
        // Whether like processes were assigned to one by one or together makes no difference.
        together.extend(
            changes.extract_if(.., |change| change.3 == Role::Other).map(|(n, b, a, _)| (n, b, a, 1)),
        );
        together.arrange();
        together.dedup_by(|later, first| {
            let same = (later.0, later.1, later.2) == (first.0, first.1, first.2);
            if same {
                first.3 += later.3;
            }
            same
        });
        StepKind { executing, fair, changes, together, values }
    }

    /// The image of a step under a permutation that fixes the representative and moves no process of a plain factor.
    pub(super) fn step_image(&self, perm: &Perm, kind: &StepKind) -> StepKind {
        StepKind {
            executing: kind.executing.map(|process| perm.apply(process)),
            fair: kind.fair,
            changes: kind.changes.clone(),
            together: kind.together.clone(),
            values: self.structure.apply(perm, &kind.values),
        }
    }

    /// A changed representative as a plain state, not sorted.
    pub(super) fn flatten_changed(&self, state: &Representative, changed: &Changed) -> Vec<i32> {
        let moved = Representative { values: changed.values.clone(), runs: state.runs.clone() };
        let mut flat = self.flatten(&moved);
        let single = changed.plain.iter().copied();
        let together = changed.stretches.iter().flat_map(|&(number, position, count, code)| {
            (position..position + count).map(move |position| (number, position, code))
        });
        for (number, position, code) in single.chain(together) {
            let factor = &self.plain[number];
            let first = self.program().families[factor.family].first.0;
            let process = factor.points.nth(position).map_or(0, |p| p.0 - first);
            factor.local.write(code, &mut flat, process);
        }
        flat
    }
}
