//! A check that is stepped from outside.

use super::{Answer, Model};
use crate::check::{Check, Progress};
use crate::program::PropertyId;
use crate::search::{Event, Search};

/// The check of one property under way. Whoever has a clock calls [`step`](Session::step) until it says that there is no
/// more to do; [`finish`](Session::finish) gives the answer, or what is known so far.
///
/// ```
/// use orbitscope_core::Model;
/// let model = Model::parse("process p[3] { var x: bool = false action flip: true -> x := not x }
///     ltl settles: forall q in p: F G q.x")?;
/// let mut session = model.start("settles")?;
/// let mut events = Vec::new();
/// while session.step() {
///     events.extend(session.event());
/// }
/// assert!(session.progress().nodes > 0 && !events.is_empty());
/// assert!(session.finish().is_violated());
/// # Ok::<(), orbitscope_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Session<'m> {
    model: &'m Model,
    property: PropertyId,
    check: Check<'m>,
}

impl<'m> Session<'m> {
    pub(super) fn new(model: &'m Model, property: PropertyId, check: Check<'m>) -> Self {
        Session { model, property, check }
    }

    /// Does a small step; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        self.check.step()
    }

    /// The event of the last step, where the on-the-fly search took one.
    pub fn event(&self) -> Option<Event> {
        self.check.event()
    }

    /// The on-the-fly search under way, with its stack and the partitions of the processes.
    pub fn search(&self) -> Option<&Search<'m>> {
        self.check.search()
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.check.progress()
    }

    /// Steps to the end.
    pub fn run(mut self) -> Answer<'m> {
        while self.step() {}
        self.finish()
    }

    /// The answer, or as much as is known.
    pub fn finish(mut self) -> Answer<'m> {
        Answer::new(self.model.program(), self.property, self.check.stop())
    }
}
