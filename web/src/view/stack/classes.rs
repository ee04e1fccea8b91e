//! Partitions of the processes as coloured classes.
//!
//! A class has the letter of its smallest member: where classes become one, the letter of the first stays. Colour and
//! pattern follow from it too, so that a class looks the same in every panel and at every step.

use crate::engine::words::Words;
use orbitscope_core::group::{Partition, PointSet};
use orbitscope_core::product::NodeId;
use orbitscope_core::search::log::{FactId, FairId, Log, PartitionId, Why};

/// The most classes that are shown; the rest is counted.
pub const SHOWN: usize = 24;
/// The most classes that are looked at to tell how many are fair.
const COUNTED: usize = 4_096;
/// The number of colours.
pub const HUES: u32 = 8;
/// The number of patterns.
pub const PATTERNS: u32 = 4;

/// A class of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassView {
    /// Its smallest member.
    pub first: u32,
    /// Its letter.
    pub letter: String,
    /// Its colour, below [`HUES`].
    pub hue: u32,
    /// Its pattern, below [`PATTERNS`].
    pub pattern: u32,
    /// Its members, those next to each other as one.
    pub members: String,
    /// How many members it has.
    pub size: u32,
    /// Why it is fair, if it is known to be.
    pub fair: Option<String>,
}

impl ClassView {
    /// A class of which nothing but its members is told.
    pub fn new(words: &Words, members: &PointSet) -> ClassView {
        let first = members.first().map_or(0, |process| process.0);
        ClassView {
            first,
            letter: letter(first),
            hue: first % HUES,
            pattern: first % PATTERNS,
            members: words.set(members.ranges()),
            size: members.len(),
            fair: None,
        }
    }
}

/// The classes of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    /// The first ones.
    pub shown: Vec<ClassView>,
    /// How many more there are.
    pub hidden: u32,
    /// How many are known to be fair; none where there are too many to look at.
    pub fair: Option<u32>,
}

impl Classes {
    /// The classes that a frame knows.
    pub fn of_frame(log: &Log, words: &Words, partition: PartitionId, fair: FairId) -> Classes {
        let all = log.partition(partition).len();
        let mut count = 0;
        let mut shown = Vec::new();
        for (number, class) in log.classes(partition, fair).take(COUNTED).enumerate() {
            count += u32::from(class.fair.is_some());
            if number < SHOWN {
                let why = class.fair.map(|fact| why(log, words, fact));
                shown.push(ClassView { fair: why, ..ClassView::new(words, &class.members) });
            }
        }
        let hidden = all - shown.len() as u32;
        Classes { shown, hidden, fair: (all as usize <= COUNTED).then_some(count) }
    }

    /// The classes of two members and more, as of the orbits of a permutation.
    pub fn nontrivial(words: &Words, partition: &Partition) -> Classes {
        let mut classes = partition.nontrivial_classes();
        let shown = classes.by_ref().take(SHOWN).map(|class| ClassView::new(words, &class)).collect();
        Classes { shown, hidden: classes.count() as u32, fair: None }
    }

    /// How many classes there are.
    pub fn len(&self) -> u32 {
        self.shown.len() as u32 + self.hidden
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every class is known to be fair.
    pub fn all_fair(&self) -> bool {
        self.fair == Some(self.len())
    }

    /// All in one line: `{client[0]} {client[1..2]}`.
    pub fn line(&self) -> String {
        let mut parts: Vec<String> =
            self.shown.iter().map(|class| format!("{{{}}}", class.members)).collect();
        if self.hidden > 0 {
            parts.push(format!("and {} more", self.hidden));
        }
        parts.join(" ")
    }
}

/// Why processes are treated fairly, in words.
pub fn why(log: &Log, words: &Words, fact: FactId) -> String {
    match log.fact(fact).why {
        Why::Unasked => "needs no fairness".into(),
        Why::Disabled(node) => format!("disabled at u{}", node.0),
        Why::Executed(node, edge) => match action_of(log, words, node, edge) {
            Some((action, to)) => format!("executes {action} from u{} to u{}", node.0, to.0),
            None => format!("executes at u{}", node.0),
        },
    }
}

/// The action of an edge of a visited node, and where the edge leads. Its process is not told: it has another number in
/// the common base.
fn action_of<'w>(log: &Log, words: &'w Words, node: NodeId, edge: u32) -> Option<(&'w str, NodeId)> {
    let entry = &log.entries()[log.dfnum(node)? as usize];
    let edge = entry.edges.get(edge as usize)?;
    let step = &entry.steps[edge.step? as usize];
    Some((&words.actions[step.action.0 as usize].name, edge.target))
}

/// A to Z, then AA, AB and so on.
fn letter(number: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = number as u64 + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        let letters = [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (701, "ZZ"), (702, "AAA")];
        for (number, text) in letters {
            assert_eq!(letter(number), text);
        }
        assert_eq!(letter(u32::MAX).len(), 7);
    }
}
