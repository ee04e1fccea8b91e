//! Runs of like processes, and how they are sorted anew after a step.

use super::state::Run;
use crate::group::{Perm, PointSet, Process};
use crate::sort::Sort as _;
use alloc::vec::Vec;

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
        let before = code_at(runs, position);
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
        let wanted = code_at(&sorted, position);
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
    (sorted, moving(points, places, images))
}

/// Sorts local states after those of whole stretches of positions have changed: each is given by its first position, its length
/// and the new local state, and they are disjoint. It costs the number of runs, stretches, and of processes that have to move.
pub(super) fn sort_stretches(
    points: &PointSet,
    runs: &[Run],
    mut stretches: Vec<(u32, u32, u64)>,
) -> (Vec<Run>, Perm) {
    stretches.arrange();
    let mut now: Vec<Run> = Vec::with_capacity(runs.len() + 2 * stretches.len());
    let mut extend = |code: u64, count: u32| {
        if count > 0 {
            now.push(Run { code, count });
        }
    };
    let mut next = stretches.iter().copied().peekable();
    let (mut at, mut end) = (0, 0);
    for run in runs {
        end += run.count;
        // A stretch lies within one run: its processes were alike.
        while let Some((start, count, code)) = next.next_if(|(start, ..)| *start < end) {
            extend(run.code, start - at);
            extend(code, count);
            at = start + count;
        }
        extend(run.code, end - at);
        at = end;
    }
    let mut sorted = now.clone();
    sorted.arrange_by_key(|run| core::cmp::Reverse(run.code));
    sorted.dedup_by(|later, first| {
        let same = later.code == first.code;
        if same {
            first.count += later.count;
        }
        same
    });
    let mut places: Vec<(u64, u32)> = Vec::new();
    let mut images: Vec<(u64, u32)> = Vec::new();
    for_moved_stretches(&now, &sorted, |start, end, code| {
        images.extend((start..end).map(|position| (code, position)));
        places.extend((start..end).map(|position| (code_at(&sorted, position), position)));
    });
    (sorted, moving(points, places, images))
}

/// The permutation that takes the k-th position that is to have a local state to the k-th that has it.
fn moving(points: &PointSet, mut places: Vec<(u64, u32)>, mut images: Vec<(u64, u32)>) -> Perm {
    images.arrange();
    places.arrange();
    let process = |position: u32| points.nth(position).unwrap_or(Process(0));
    let pairs = places.iter().zip(&images).map(|(&(_, place), &(_, image))| (process(place), process(image)));
    Perm::from_bijection(pairs)
}

/// The run that a position lies in, and where that run starts.
pub(super) fn run_at(runs: impl IntoIterator<Item = Run>, position: u32) -> (Run, u32) {
    let mut start = 0;
    for run in runs {
        if position < start + run.count {
            return (run, start);
        }
        start += run.count;
    }
    (Run { code: 0, count: 0 }, start)
}

/// The local state of the process at a position.
pub(super) fn code_at(runs: &[Run], position: u32) -> u64 {
    run_at(runs.iter().copied(), position).0.code
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
