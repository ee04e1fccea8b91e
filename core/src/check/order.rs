//! The order in which questions about a model are asked.

use super::outcome::Question;
use crate::program::PropertyId;

/// When deadlocks are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadlocksTurn {
    /// After the property that somebody looks at, before all others: where one answer stands in front, and deadlocks
    /// are a part of the picture around it.
    Early,
    /// After all properties: whoever has asked for a property need not wait for what is looked for besides.
    Last,
}

/// An order of questions: an automaton from a file first, then the property that is looked at, then the others as
/// they stand in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The property that somebody looks at.
    pub watched: Option<PropertyId>,
    /// When deadlocks are looked for.
    pub deadlocks: DeadlocksTurn,
}

impl Order {
    /// Every answer is as good as any other.
    pub const OF_THE_TEXT: Order = Order { watched: None, deadlocks: DeadlocksTurn::Last };

    /// One property is looked at, the others stand beside it.
    pub const fn watching(property: Option<PropertyId>) -> Order {
        Order { watched: property, deadlocks: DeadlocksTurn::Early }
    }

    /// The first question that is still open.
    ///
    /// ```
    /// use orbitscope_core::check::{Order, Question};
    /// use orbitscope_core::program::PropertyId;
    /// let three = || (0..3).map(PropertyId);
    /// let watching = Order::watching(Some(PropertyId(1)));
    /// let asked = |open: &dyn Fn(Question) -> bool| watching.first_open(three(), open);
    /// assert_eq!(asked(&|q| q != Question::Automaton), Some(Question::Property(PropertyId(1))));
    /// assert_eq!(asked(&|q| q == Question::Property(PropertyId(2))), Some(Question::Property(PropertyId(2))));
    /// assert_eq!(asked(&|_| false), None);
    /// ```
    pub fn first_open(
        self,
        properties: impl Iterator<Item = PropertyId>,
        open: impl Fn(Question) -> bool,
    ) -> Option<Question> {
        let deadlocks = |turn| (self.deadlocks == turn).then_some(Question::Deadlocks);
        let first = [Some(Question::Automaton), self.watched.map(Question::Property)];
        first
            .into_iter()
            .chain([deadlocks(DeadlocksTurn::Early)])
            .flatten()
            .chain(properties.map(Question::Property))
            .chain(deadlocks(DeadlocksTurn::Last))
            .find(|&question| open(question))
    }
}
