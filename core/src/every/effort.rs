//! How much is tried, and who takes the steps.

use super::rules::Rule;
use crate::check::{Halt, Stepping};
use core::ops::ControlFlow;

/// Takes the steps of some work: whoever has a clock, or a button to stop.
pub trait Drive {
    /// Steps the work to its end, or says why not.
    fn drive(&mut self, work: &mut dyn Stepping) -> ControlFlow<Halt>;
}

/// Steps to the end, whatever it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunToEnd;

impl Drive for RunToEnd {
    fn drive(&mut self, work: &mut dyn Stepping) -> ControlFlow<Halt> {
        while work.step() {}
        ControlFlow::Continue(())
    }
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Instances up to this value of each parameter are checked one by one.
    pub small: i64,
    /// How many states an abstract system may have.
    pub states: usize,
    /// How many nodes its product with an automaton may have.
    pub nodes: usize,
    /// How many states the check of one instance may find.
    pub instance: u32,
    /// The last rule that is tried.
    pub rules: Rule,
    /// Whether finer abstractions are tried where the first does not decide.
    pub refine: bool,
    /// A number added to the one that stands for *many*; it makes no difference.
    pub spare: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            small: 6,
            states: 200_000,
            nodes: 1_000_000,
            instance: 200_000,
            rules: Rule::Laws,
            refine: true,
            spare: 0,
        }
    }
}
