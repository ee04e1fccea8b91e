//! Which fairness each process gets.

use super::points::Points;
use crate::program::Program;
use crate::syntax::ast::Fairness;

/// Which fairness is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FairnessChoice {
    /// What the model says, family by family; weak where it says nothing.
    #[default]
    Model,
    /// The same for all processes.
    All(Fairness),
}

/// The processes by the fairness they get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairnessOf {
    /// Those that need none.
    pub none: Points,
    /// Those that are treated strongly fairly.
    pub strong: Points,
}

impl FairnessOf {
    /// The fairness of a program's processes.
    pub fn new(program: &Program, choice: FairnessChoice) -> FairnessOf {
        let mut of = FairnessOf { none: Points::default(), strong: Points::default() };
        for family in &program.families {
            let fairness = match choice {
                FairnessChoice::Model => family.fairness,
                FairnessChoice::All(fairness) => fairness,
            };
            let members = Points::range(family.first.0..family.first.0 + family.size);
            match fairness {
                Fairness::None => of.none.union(&members),
                Fairness::Strong => of.strong.union(&members),
                Fairness::Weak => {}
            }
        }
        of
    }

    /// Whether some process is to be treated strongly fairly.
    pub fn has_strong(&self) -> bool {
        self.strong != Points::default()
    }
}
