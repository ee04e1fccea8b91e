//! How to check, as it is chosen on the page.

use super::model::CheckedModel;
use super::symbolic::Tuning;
use orbitscope_core::check::{Engine, Options};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::explore::Limits;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::quotient::Prune;
use orbitscope_core::symbolic::Generators;
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How far a check on the page may go.
pub(super) const CHECK_LIMITS: Limits = Limits::new(5_000_000, 1 << 30);

/// The choices of the page for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Which fairness every process gets.
    pub fairness: FairnessChoice,
    /// The treatment of a state in which no process is enabled.
    pub deadlock: Deadlock,
    /// Which edges of the quotient are kept.
    pub prune: Prune,
    /// How to search.
    pub engine: Engine,
    /// Whether the symmetry of the model is used.
    pub symmetry: bool,
    /// The choices for the symbolic engine.
    pub symbolic: Tuning,
    /// How `ctl` properties are evaluated.
    pub ctl: Algorithm,
    /// Whether their path quantifiers speak of fair paths only.
    pub fair_ctl: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Choices {
            fairness: FairnessChoice::default(),
            deadlock: Deadlock::default(),
            prune: Prune::default(),
            engine: Engine::default(),
            symmetry: true,
            symbolic: Tuning::default(),
            ctl: Algorithm::default(),
            fair_ctl: false,
        }
    }
}

impl Choices {
    /// Whether the engine lets one choose which edges are kept.
    pub fn can_prune(self) -> bool {
        self.engine == Engine::Onthefly
    }

    /// Whether the engine checks `ctl` properties.
    pub fn can_branch(self) -> bool {
        self.engine != Engine::Threaded
    }

    /// Whether it checks them about fair paths too.
    pub fn can_branch_fairly(self) -> bool {
        self.can_branch() && !self.is_symbolic()
    }

    /// The settings for the symbolic engine: where no symmetry is used there are no claims to be taken unchecked.
    pub(super) fn tuning(self) -> Tuning {
        let generators = if self.symmetry { self.symbolic.generators } else { Generators::Proven };
        Tuning { generators, ..self.symbolic }
    }

    /// Whether the engine searches with sets of states.
    pub fn is_symbolic(self) -> bool {
        self.engine == Engine::Symbolic
    }

    /// The options of a check.
    pub(super) fn options(self, limits: Limits) -> Options {
        Options {
            engine: self.engine,
            fairness: self.fairness,
            deadlock: self.deadlock,
            prune: self.can_prune().then_some(self.prune),
            limits,
            symbolic: self.tuning().options(),
            ctl: self.ctl,
            fair_ctl: self.fair_ctl,
            ..Options::default()
        }
    }

    /// The symmetry that is used.
    pub(super) fn symmetry_of(self, model: &CheckedModel) -> Cow<'_, ProgramSymmetry> {
        let none = (!self.symmetry).then(|| choose(&model.program, Choice::None).ok()).flatten();
        none.map_or(Cow::Borrowed(&model.symmetry), Cow::Owned)
    }
}
