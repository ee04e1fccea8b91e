//! Actions whose steps are computed by code outside of the program, for systems written in Rust.
//!
//! The program still declares the action: its parameters, and the variables that it assigns. Only the guard and the
//! values come from outside. Whoever reads the declared terms instead of executing steps has to refuse such a program:
//! the symbolic engine and the exports do.

use super::code::View;
use super::{ActionId, Program};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// Computes the steps of processes.
pub trait Behaviour: Send + Sync {
    /// The outcomes of an action for the process with this number in its family, in a fixed order: for each the values
    /// of the variables that the action declares to assign. They must not depend on which process is which.
    fn outcomes(&self, view: &dyn View, process: u32, action: ActionId) -> Vec<Vec<i64>>;
}

/// A behaviour that programs share.
#[derive(Clone)]
pub(super) struct SharedBehaviour(pub Arc<dyn Behaviour>);

impl fmt::Debug for SharedBehaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedBehaviour")
    }
}

impl PartialEq for SharedBehaviour {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedBehaviour {}

impl Program {
    /// The program with every action computed by this behaviour. Of an action with a parameter that is a number, the
    /// argument says which of the outcomes is meant; one without parameters has at most one outcome.
    #[must_use]
    pub fn behaving(mut self, behaviour: &Arc<dyn Behaviour>) -> Program {
        for id in self.actions.ids() {
            self.compiled[id].let_behave(SharedBehaviour(behaviour.clone()));
        }
        self
    }

    /// Whether some steps are computed outside, so that the program's terms do not tell what it does.
    pub fn is_computed_outside(&self) -> bool {
        self.compiled.iter().any(|action| action.behaviour.is_some())
    }
}
