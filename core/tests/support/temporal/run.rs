//! A run that an engine reports, replayed on the interpreter's graph: each step is one of the graph, and the graph that
//! consists of the run alone violates the property fairly.

use super::{Assumed, Checker};
use crate::support::Verdict;
use crate::support::oracle::{Graph, RunStep};

/// A run through numbered states of a graph: where it starts, its steps, and the step that its loop begins with.
pub(crate) struct Run {
    pub(crate) start: usize,
    pub(crate) steps: Vec<RunStep>,
    pub(crate) back: usize,
}

impl Checker<'_> {
    /// Whether a run violates a property of linear time, and is fair; none where that cannot be told.
    pub(crate) fn violates(
        &self,
        run: &Run,
        property: &str,
        assumed: Assumed,
    ) -> Result<Option<bool>, String> {
        self.graph.walk(run.start, &run.steps)?;
        let before = |at: usize| if at == 0 { run.start } else { run.steps[at - 1].2 };
        let count = run.steps.len();
        if run.back >= count || before(run.back) != before(count) {
            return Err("the loop does not close".to_string());
        }
        // State k is the one before step k; the last step leads to where the loop begins.
        let next = |at: usize| if at + 1 == count { run.back } else { at + 1 };
        let step = |at: usize| {
            let (process, label, _) = &run.steps[at];
            process.iter().map(|p| (*p, label.clone(), next(at))).collect()
        };
        let graph = Graph {
            states: (0..count).map(|at| self.graph.states[before(at)].clone()).collect(),
            initial: vec![0],
            steps: (0..count).map(step).collect(),
            wrong: vec![Vec::new(); count],
            leads_out: vec![false; count],
            failed: (0..count).map(|at| self.graph.failed[before(at)].clone()).collect(),
        };
        let mut alone = Checker::new(self.oracle, &graph);
        alone.enabled = (0..count).map(|at| self.enabled[before(at)].clone()).collect();
        alone.offered = (0..count).map(|at| self.offered[before(at)].clone()).collect();
        Ok(alone.try_check(property, assumed).map(|verdict| verdict == Verdict::Violated))
    }
}
