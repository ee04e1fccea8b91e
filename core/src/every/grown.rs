//! Whether a path of one instance is a path of every larger one: whoever is added stays where it started.
//!
//! Guards see counts up to the threshold, so that it is enough to add one, two and so on up to *many*: if each step of the path is
//! possible with all of these beside it, and leads to the same state with them, it is possible with any number.

use super::parts::Population;
use crate::explore::Path;
use crate::program::Scratch;
use crate::property::Atom;
use crate::quotient::{Census, Crowd, CrowdStep, Run};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The most combinations of how many processes are added to each family.
const MOST_COMBINATIONS: usize = 2_000;

/// Whether the states of a path are there with any number of processes more, and `atom` is false in the last: of a cover it says that
/// what is asked for is not there. `instance` is the crowd of the path's own program, `roomy` has room for more.
pub(super) fn grows(
    instance: &Crowd<'_>,
    roomy: &mut Crowd<'_>,
    path: &Path,
    atom: &Atom,
    populations: &[Population],
) -> bool {
    let along: Vec<Census> = core::iter::once(path.start.clone())
        .chain(path.states())
        .map(|state| instance.census(&state))
        .collect();
    let mut starts: Vec<Vec<(u64, u32)>> = alloc::vec![Vec::new()];
    for (family, population) in populations.iter().enumerate() {
        let Some(code) = roomy.initial_codes(family, 1_000).and_then(|codes| codes.first().copied()) else {
            return false;
        };
        let longer = |row: &Vec<(u64, u32)>| {
            let row = row.clone();
            let more = 0..=population.threshold() + 1;
            more.map(move |count| row.iter().copied().chain([(code, count)]).collect())
        };
        starts = starts.iter().flat_map(longer).collect();
        if starts.len() > MOST_COMBINATIONS {
            return false;
        }
    }
    starts.iter().all(|added| follows(roomy, &along, atom, added))
}

/// Whether the path can be gone with these processes beside it.
fn follows(roomy: &mut Crowd<'_>, along: &[Census], atom: &Atom, added: &[(u64, u32)]) -> bool {
    let with: Vec<Census> = along.iter().map(|census| joined(census, added)).collect();
    let none: Vec<u32> = alloc::vec![0; added.len()];
    // Each step leads to where the assumption holds; the first state has to be there as well.
    let first = with.first().and_then(|first| roomy.arrange(first, &none));
    if !first.is_some_and(|(state, tracked)| roomy.is_assumed(&state, &tracked)) {
        return false;
    }
    for (now, next) in with.iter().zip(&with[1..]) {
        let Some((state, tracked)) = roomy.arrange(now, &none) else { return false };
        let Ok(steps) = roomy.steps(&state, &tracked) else { return false };
        if !steps.iter().any(|step| after(now, step) == *next) {
            return false;
        }
    }
    let Some((state, tracked)) = with.last().and_then(|last| roomy.arrange(last, &none)) else {
        return false;
    };
    let view = roomy.see(&state, &tracked);
    atom.holds(roomy.program(), &view, &mut Scratch::default(), &[]) == Ok(false)
}

fn joined(census: &Census, added: &[(u64, u32)]) -> Census {
    let mut census = census.clone();
    for (runs, &(code, count)) in census.runs.iter_mut().zip(added) {
        let mut counts: BTreeMap<u64, u32> = runs.iter().map(|run| (run.code, run.count)).collect();
        *counts.entry(code).or_default() += count;
        *runs = listed(counts);
    }
    census
}

/// The census after a step, where all numbers are known.
fn after(census: &Census, step: &CrowdStep) -> Census {
    let mut runs = Vec::with_capacity(census.runs.len());
    for (family, own) in census.runs.iter().enumerate() {
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        let moves = || step.moves.iter().filter(|one| one.family == family);
        for run in own {
            let left = moves().filter(|one| one.from == run.code).count() as u32;
            let carried = step.carried.iter().find(|c| (c.0, c.1) == (family, run.code));
            *counts.entry(carried.map_or(run.code, |c| c.2)).or_default() += run.count.saturating_sub(left);
        }
        for one in moves() {
            *counts.entry(one.to).or_default() += 1;
        }
        runs.push(listed(counts));
    }
    Census { values: step.values.clone(), tracked: Vec::new(), runs }
}

/// Counts as runs, the largest local state first.
fn listed(counts: BTreeMap<u64, u32>) -> Vec<Run> {
    counts
        .into_iter()
        .rev()
        .filter(|(_, count)| *count > 0)
        .map(|(code, count)| Run { code, count })
        .collect()
}
