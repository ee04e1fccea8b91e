//! Which fairness each process gets.

use super::process_set::ProcessSet;
use crate::program::{ActionId, Program};
use crate::syntax::ast::Fairness;
use alloc::vec::Vec;

/// Which fairness is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FairnessChoice {
    /// As the model says, family by family; weak where it says nothing.
    #[default]
    Model,
    /// The same for all processes.
    All(Fairness),
}

/// The processes by the fairness they get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairnessOf {
    /// Those that need none.
    pub none: ProcessSet,
    /// Those that are treated strongly fairly.
    pub strong: ProcessSet,
    /// The actions that are to be fair by themselves, each for every process of its family.
    pub actions: Vec<ActionFairness>,
}

/// The fairness of an action. A constraint is a pair of a process and the action: a permutation of processes takes it to
/// the pair of the image and the same action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionFairness {
    /// The action.
    pub action: ActionId,
    /// Whether it is strong; otherwise it is weak.
    pub strong: bool,
    /// The processes of its family.
    pub members: ProcessSet,
}

impl FairnessOf {
    /// The fairness of a program's processes.
    pub fn new(program: &Program, choice: FairnessChoice) -> FairnessOf {
        let mut of =
            FairnessOf { none: ProcessSet::default(), strong: ProcessSet::default(), actions: Vec::new() };
        for family in &program.families {
            let fairness = match choice {
                FairnessChoice::Model => family.fairness,
                FairnessChoice::All(fairness) => fairness,
            };
            let members = ProcessSet::range(family.first.0..family.first.0 + family.size);
            match fairness {
                Fairness::None => of.none.union(&members),
                Fairness::Strong => of.strong.union(&members),
                Fairness::Weak => {}
            }
        }
        for (id, action) in program.actions.iter_enumerated() {
            let family = &program.families[action.family];
            if choice == FairnessChoice::Model && action.fairness != Fairness::None && family.size > 0 {
                let members = ProcessSet::range(family.first.0..family.first.0 + family.size);
                let strong = action.fairness == Fairness::Strong;
                of.actions.push(ActionFairness { action: id, strong, members });
            }
        }
        of
    }

    /// Whether a component has to be complete before it is known to be fair: where some process is to be treated strongly fairly,
    /// or some action is to be fair by itself.
    pub fn has_strong(&self) -> bool {
        self.strong != ProcessSet::default() || !self.actions.is_empty()
    }
}
