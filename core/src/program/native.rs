//! Actions whose steps are written in Rust.
//!
//! An action of the text has code for its guard and for each value that it assigns. A native action has a function in
//! place of both; its text only says what it *may* assign. Everything that executes steps goes through
//! [`Stepper`](super::Stepper), so this is the one seam that the quotient and the searches need. Whoever reads the
//! expressions instead (decision diagrams, exports) has to refuse such a program: see [`Program::is_native`].

use super::code::{FaultKind, View};
use super::{ActionId, Program};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// Called with the state, with the executing process and the action's arguments, and with a list that takes one value
/// for each assignment of the action, in their order. It returns whether the step exists.
type Step = dyn Fn(&dyn View, &[i64], &mut Vec<i64>) -> Result<bool, FaultKind> + Send + Sync;

/// The steps of an action as a function of the state.
#[derive(Clone)]
pub(crate) struct Native(Arc<Step>);

impl Native {
    pub(crate) fn new(
        step: impl Fn(&dyn View, &[i64], &mut Vec<i64>) -> Result<bool, FaultKind> + Send + Sync + 'static,
    ) -> Native {
        Native(Arc::new(step))
    }

    pub(super) fn step(
        &self,
        view: &dyn View,
        bound: &[i64],
        values: &mut Vec<i64>,
    ) -> Result<bool, FaultKind> {
        values.clear();
        (self.0)(view, bound, values)
    }
}

impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Native {}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Native(..)")
    }
}

impl Program {
    /// Gives an action a function in place of its guard and of the values that it assigns.
    pub(crate) fn attach(&mut self, action: ActionId, native: Native) {
        self.compiled[action].native = Some(native);
    }

    /// Whether some action is written in Rust, so that its expressions do not say what it does.
    pub fn is_native(&self) -> bool {
        self.compiled.iter().any(|action| action.native.is_some())
    }
}
