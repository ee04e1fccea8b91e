//! Abstract states as code sees them, and as people read them.

use super::Abstraction;
use crate::every::parts::{Edge, Local, StateId};
use crate::group::{PointSet, Process};
use crate::quotient::{Census, Doer, MANY, Seen};
use crate::sort::Sort as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Abstraction<'_> {
    /// Calls `with` with a state as code sees it, the tracked processes in it, and who is enabled.
    pub fn viewed<T>(
        &self,
        id: StateId,
        doer: Option<Doer>,
        with: impl FnOnce(&Seen<'_>, &[Process]) -> T,
    ) -> Option<T> {
        let (state, tracked) = self.crowd.arrange(&self.censuses[id], &self.many)?;
        let mut enabled: Vec<Process> = Vec::new();
        let program = self.crowd.program();
        if let Some(known) = self.expanded.get(id) {
            for &told in &known.told {
                enabled.push(match told.checked_sub(self.tracked_count) {
                    Some(closed) => self.closed[closed as usize],
                    None => tracked[told as usize],
                });
            }
            for &local in &known.enabled {
                let (family, code) = self.locals[local];
                let first = program.families[self.crowd.families().nth(family)?].first.0;
                let mut start = first;
                for run in &state.runs[family] {
                    if run.code == code {
                        enabled.extend((start..start + run.count).map(Process));
                    }
                    start += run.count;
                }
            }
        }
        // A tracked process may be disabled where others in its local state are enabled.
        let disabled = (0..self.tracked_count)
            .filter(|k| self.expanded.get(id).is_some_and(|known| !known.told.contains(k)))
            .map(|k| tracked[k as usize]);
        let disabled: Vec<Process> = disabled.collect();
        enabled.retain(|p| !disabled.contains(p));
        let enabled: PointSet = enabled.into_iter().collect();
        let mut view = self.crowd.see(&state, &tracked);
        view.enabled = Some(&enabled);
        view.executed = match doer {
            Some(Doer::Tracked(k)) => Some(tracked[k]),
            Some(Doer::Closed(process)) => Some(process),
            _ => None,
        };
        Some(with(&view, &tracked))
    }

    /// A local state in words, and the number of its family.
    pub fn show_local(&self, local: Local) -> (usize, String) {
        let (family, code) = self.locals[local];
        (family, self.crowd.show_code(family, code))
    }

    /// The tracked processes of a state in words: the number of each one's family, and its local state.
    pub(in crate::every) fn tracked_words(&self, id: StateId) -> Vec<(usize, String)> {
        let tracked = self.censuses[id].tracked.iter();
        tracked.map(|&(family, code)| (family, self.crowd.show_code(family, code))).collect()
    }

    /// The values of a state that are kept one by one, in words.
    pub(in crate::every) fn value_words(&self, id: StateId) -> String {
        self.crowd.show_values(&self.censuses[id].values)
    }

    /// The state that stands for a census in which everybody is counted.
    pub(in crate::every) fn image(&self, exact: &Census) -> Option<StateId> {
        let mut census = exact.clone();
        for (runs, population) in census.runs.iter_mut().zip(&self.populations) {
            for run in runs.iter_mut().filter(|run| run.count > population.threshold()) {
                run.count = MANY;
            }
        }
        self.ids.get(&census).copied()
    }

    /// Who moves along an edge, in words: from where to where, or the name of a process.
    pub(in crate::every) fn mover(&self, edge: &Edge) -> String {
        let name = |local: Local| {
            let words = self.show_local(local).1;
            let short = words.split_once('=').filter(|(_, value)| !value.contains('='));
            short.map_or_else(|| words.clone(), |(_, value)| value.into())
        };
        let mut words: Vec<String> = match edge.doer {
            None => [String::from("(nobody can move)")].to_vec(),
            Some(Doer::Closed(process)) => [self.crowd.program().process_name(process)].to_vec(),
            Some(Doer::Tracked(_)) => [String::from("tracked")].to_vec(),
            Some(Doer::One(..)) => Vec::new(),
        };
        let mut moves = edge.moves.clone();
        moves.arrange_by_key(|one| !one.2);
        words.extend(moves.iter().map(|&(from, to, _)| format!("{} → {}", name(from), name(to))));
        words.extend(edge.carried.iter().map(|&(from, to)| format!("all {} → {}", name(from), name(to))));
        words.join(", ")
    }

    /// A state in words: counters by local state, *many* as `∞`.
    pub fn show(&self, id: StateId) -> String {
        let census = &self.censuses[id];
        let mut words = Vec::new();
        let values = self.crowd.show_values(&census.values);
        if !values.is_empty() {
            words.push(values);
        }
        for &(family, code) in &census.tracked {
            words.push(format!("tracked({})", self.crowd.show_code(family, code)));
        }
        for (family, runs) in census.runs.iter().enumerate() {
            for run in runs {
                let count = if run.count == MANY { "∞".into() } else { format!("{}", run.count) };
                words.push(format!("{count}×({})", self.crowd.show_code(family, run.code)));
            }
        }
        words.join("  ")
    }
}
