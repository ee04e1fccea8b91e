//! The symbolic engine on the page: what is chosen for it, and its search as plain data.
//!
//! A check is recorded while it runs: there is one search, and what is shown is what decided.

use orbitscope_core::check::{Check, Progress, Report, Stepping};
use orbitscope_core::symbolic::{CtlModel, Diagrams, Generators, Recorder, Start, Summary, SymbolicOptions};
use serde::{Deserialize, Serialize};

/// A diagram with more nodes than this is not drawn.
pub const MOST_NODES: u32 = 60;
/// The most iterations that are shown.
pub const MOST_ITERATIONS: u32 = 2_000;

/// The choices for the symbolic engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuning {
    /// Whether the model's hints are followed.
    pub hints: bool,
    /// σ_Step goes round at most so many times.
    pub sigma_limit: Option<u32>,
    /// From the frontier a dense part of at most so many nodes is expanded.
    pub under: Option<u32>,
    /// Which symmetries are used.
    pub generators: Generators,
    /// On what `ctl` properties are checked.
    pub ctl: CtlModel,
}

impl Tuning {
    pub(super) fn options(self) -> SymbolicOptions {
        let Tuning { hints, sigma_limit, under, generators, ctl } = self;
        SymbolicOptions { hints, sigma_limit, under, generators, ctl, ..SymbolicOptions::default() }
    }
}

/// The search of the symbolic engine: of several, the one that the verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iterations {
    /// The counts, with the first [`MOST_ITERATIONS`] iterations.
    pub summary: Summary,
    /// How many iterations there were.
    pub all: u32,
    /// The sets before the first one; none where the search did not come to it.
    pub start: Option<Start>,
    /// The small diagrams of each iteration that is shown.
    pub diagrams: Vec<Diagrams>,
    /// The choices.
    pub tuning: Tuning,
    /// How many hints the search followed.
    pub hints: u32,
}

impl Iterations {
    /// How many steps there are after the first one: the iterations, and the end.
    pub fn steps(&self) -> u32 {
        self.summary.iterations.len() as u32 + 1
    }
}

/// A check that is recorded where it is symbolic.
#[derive(Debug)]
pub(super) struct Recorded<'m> {
    pub(super) check: Box<Check<'m>>,
    recorder: Recorder,
    tuning: Tuning,
    hints: u32,
}

impl<'m> Recorded<'m> {
    pub(super) fn new(check: Box<Check<'m>>, tuning: Tuning, hints: u32) -> Self {
        let recorder = Recorder::new(MOST_NODES, MOST_ITERATIONS);
        Recorded { check, recorder, tuning, hints }
    }

    /// The search of a report of this check; none where another engine made it.
    pub(super) fn iterations(&self, report: &Report) -> Option<Iterations> {
        let mut summary = Summary::clone(report.symbolic.as_ref()?);
        let all = summary.iterations.len() as u32;
        // The recorder leaves out what is past its limit, and an iteration that broke off.
        let diagrams = self.recorder.iterations().to_vec();
        summary.iterations.truncate(diagrams.len());
        let (start, tuning, hints) = (self.recorder.start().cloned(), self.tuning, self.hints);
        Some(Iterations { summary, all, start, diagrams, tuning, hints })
    }
}

impl Stepping for Recorded<'_> {
    fn step(&mut self) -> bool {
        let more = self.check.step();
        if let Some(reach) = self.check.reach() {
            self.recorder.look(reach);
        }
        more
    }

    fn progress(&self) -> Progress {
        self.check.progress()
    }

    fn hurry(&mut self) -> bool {
        self.check.hurry()
    }
}
