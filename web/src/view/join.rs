//! A join of partitions: the classes of a node before it, what is joined in, and the classes after it.

use crate::engine::words::Words;
use crate::view::stack::classes::why;
use crate::view::stack::{ClassView, Classes};
use orbitscope_core::automaton::Marks;
use orbitscope_core::group::Partition;
use orbitscope_core::product::NodeId;
use orbitscope_core::search::Event;
use orbitscope_core::search::log::{Effect, FairId, Learnt, Log, PartitionId};

/// The most classes that are drawn; those that change come first.
const DRAWN: usize = 8;
/// The most classes that are looked at.
const LOOKED_AT: usize = 4_096;

/// The partition that is joined in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The orbits of an edge's permutation, which is this.
    Orbits(String),
    /// The knowledge at a node that has been left.
    Child(NodeId),
}

/// A join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The node whose classes these are.
    pub node: NodeId,
    /// Where what is joined in comes from.
    pub source: Source,
    /// Classes before.
    pub before: Vec<ClassView>,
    /// Classes that are joined in.
    pub joined: Vec<ClassView>,
    /// Classes after.
    pub after: Vec<ClassView>,
    /// From which class before to which one after.
    pub flows: Vec<(usize, usize)>,
    /// From which joined one to which one after.
    pub causes: Vec<(usize, usize)>,
    /// How many classes there were, and how many there are.
    pub counts: (u32, u32),
    /// Positions in `after` of the classes that have become fair.
    pub now_fair: Vec<usize>,
    /// How many classes are not drawn; they are as they were.
    pub hidden: u32,
    /// The lowlink before and after.
    pub lowlink: (u32, u32),
    /// The marks that are new.
    pub new_marks: Vec<u32>,
}

impl Join {
    /// The join of a step with this number, if there is one; the first step has number 1.
    pub fn new(log: &Log, words: &Words, number: u32) -> Option<Join> {
        let step = log.steps().get(number.checked_sub(1)? as usize)?;
        let Effect::Learnt(learnt) = step.effect else { return None };
        let learnt = log.learnt(learnt);
        let (node, source, joined) = match (step.event, learnt.around) {
            (Event::Back { from, .. }, Some(around)) => {
                let perm = log.perm(around);
                let orbits = Partition::orbits_of(log.degree(), perm);
                (from, Source::Orbits(words.perm(perm)), orbits)
            }
            (Event::Join { child, parent }, _) => {
                let top = Top::after(log, number - 1)?;
                (parent, Source::Child(child), log.partition(top.partition).clone())
            }
            _ => return None,
        };
        Some(draw(log, words, node, source, &joined, learnt))
    }

    /// Whether classes have become one.
    pub fn merges(&self) -> bool {
        self.counts.0 != self.counts.1
    }
}

fn draw(log: &Log, words: &Words, node: NodeId, source: Source, joined: &Partition, learnt: &Learnt) -> Join {
    let (old, new) = (log.partition(learnt.partition.0), log.partition(learnt.partition.1));
    let before: Vec<_> = log.classes(learnt.partition.0, learnt.fair.0).take(LOOKED_AT).collect();
    let after: Vec<_> = log.classes(learnt.partition.1, learnt.fair.1).take(LOOKED_AT).collect();
    let place = |first: Option<_>| {
        let name = first.map(|p| new.class_of(p));
        after.iter().position(|class| class.members.first() == name)
    };
    let flows: Vec<Option<usize>> = before.iter().map(|class| place(class.members.first())).collect();
    let mut parts = vec![0_u32; after.len()];
    let mut fresh = vec![false; after.len()];
    for (class, &to) in before.iter().zip(&flows) {
        if let Some(to) = to {
            parts[to] += 1;
            fresh[to] |= class.fair.is_none() && after[to].fair.is_some();
        }
    }
    // Classes that change are drawn first, then the others as long as there is room; in the order of the processes.
    let changes = (0..after.len()).filter(|&k| parts[k] != 1 || fresh[k]);
    let others = (0..after.len()).filter(|&k| parts[k] == 1 && !fresh[k]);
    let mut drawn: Vec<usize> = changes.chain(others).take(DRAWN).collect();
    drawn.sort_unstable();
    let view = |class: &orbitscope_core::search::log::Class| ClassView {
        fair: class.fair.map(|fact| why(log, words, fact)),
        ..ClassView::new(words, &class.members)
    };
    let mut join = Join {
        node,
        source,
        before: Vec::new(),
        joined: Vec::new(),
        after: drawn.iter().map(|&k| view(&after[k])).collect(),
        flows: Vec::new(),
        causes: Vec::new(),
        counts: (old.len(), new.len()),
        now_fair: (0..drawn.len()).filter(|&k| fresh[drawn[k]]).collect(),
        hidden: new.len() - drawn.len() as u32,
        lowlink: learnt.lowlink,
        new_marks: learnt.marks.1.iter().filter(|&mark| !learnt.marks.0.contains(mark)).collect(),
    };
    for (class, to) in before.iter().zip(&flows) {
        let Some(to) = to.and_then(|to| drawn.iter().position(|&k| k == to)) else { continue };
        if join.before.len() < 2 * DRAWN {
            join.flows.push((join.before.len(), to));
            join.before.push(view(class));
        }
    }
    for class in joined.nontrivial_classes().take(LOOKED_AT) {
        let Some(to) = place(class.first()).and_then(|to| drawn.iter().position(|&k| k == to)) else {
            continue;
        };
        if join.joined.len() < DRAWN {
            join.causes.push((join.joined.len(), to));
            join.joined.push(ClassView::new(words, &class));
        }
    }
    join
}

/// The knowledge at the node on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Top {
    /// The node's number.
    pub node: NodeId,
    /// Its classes.
    pub partition: PartitionId,
    /// The facts known about fairness.
    pub fair: FairId,
    /// The marks seen.
    pub marks: Marks,
    /// Whether the component has an inner edge.
    pub inner: bool,
}

impl Top {
    /// The knowledge at the node on top after this many steps: looked up backwards, past everything that was entered
    /// later and left again.
    pub fn after(log: &Log, steps: u32) -> Option<Top> {
        let mut above = 0_u32;
        let mut learnt: Option<&Learnt> = None;
        for step in log.steps().get(..steps as usize)?.iter().rev() {
            match step.event {
                Event::Root(node) | Event::Tree { to: node, .. } if above == 0 => {
                    let entry = &log.entries()[log.dfnum(node)? as usize];
                    let (partition, fair) = (entry.partition, entry.fair);
                    let fresh = Top { node, partition, fair, marks: Marks::EMPTY, inner: false };
                    return Some(learnt.map_or(fresh, |learnt| Top {
                        partition: learnt.partition.1,
                        fair: learnt.fair.1,
                        marks: learnt.marks.1,
                        inner: true,
                        ..fresh
                    }));
                }
                Event::Root(_) | Event::Tree { .. } => above -= 1,
                Event::Component { .. } => above += 1,
                Event::Back { .. } | Event::Join { .. } => {
                    if let (0, None, Effect::Learnt(id)) = (above, learnt, step.effect) {
                        learnt = Some(log.learnt(id));
                    }
                    above += u32::from(matches!(step.event, Event::Join { .. }));
                }
                _ => {}
            }
        }
        None
    }

    /// The classes that are not known to be fair.
    pub fn unfair(&self, log: &Log, words: &Words) -> Classes {
        let mut unfair =
            log.classes(self.partition, self.fair).take(LOOKED_AT).filter(|class| class.fair.is_none());
        let shown = unfair.by_ref().take(3).map(|class| ClassView::new(words, &class.members)).collect();
        Classes { shown, hidden: unfair.count() as u32, fair: Some(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;
    use orbitscope_core::search::log::Player;

    /// Looking up backwards gives the same as replaying.
    #[test]
    fn the_top_is_that_of_the_snapshot() {
        for case in fixture::cases() {
            let mut player = Player::new();
            for step in (0..=case.log.len()).step_by((case.log.len() as usize / 200).max(1)) {
                let snapshot = player.seek(&case.log, step).unwrap();
                let top = snapshot.frames.last().map(|frame| Top {
                    node: snapshot.visited[frame.dfnum as usize].node,
                    partition: frame.partition,
                    fair: frame.fair,
                    marks: frame.marks,
                    inner: frame.inner,
                });
                assert_eq!(Top::after(&case.log, step), top, "{} step {step}", case.name);
            }
        }
    }

    #[test]
    fn every_learning_step_is_a_join_and_flows_keep_the_members() {
        let mut merges = 0;
        for case in fixture::cases() {
            for (number, step) in (1..).zip(case.log.steps()) {
                let join = Join::new(&case.log, &case.words, number);
                assert_eq!(join.is_some(), matches!(step.effect, Effect::Learnt(_)), "{}", case.name);
                let Some(join) = join else { continue };
                merges += u32::from(join.merges());
                assert!(join.counts.1 <= join.counts.0);
                assert!(join.flows.len() == join.before.len() && join.causes.len() == join.joined.len());
                if join.hidden == 0 {
                    for (k, class) in join.after.iter().enumerate() {
                        let parts = join.flows.iter().filter(|&&(_, to)| to == k);
                        let size: u32 = parts.map(|&(from, _)| join.before[from].size).sum();
                        assert_eq!(size, class.size, "{} step {number}", case.name);
                    }
                }
            }
        }
        assert!(merges > 20, "only {merges} joins merge classes");
    }

    /// The class that the log says has become fair is the one that is marked.
    #[test]
    fn what_becomes_fair_is_marked() {
        for case in fixture::cases() {
            for (number, &step) in (1..).zip(case.log.steps()).take(500) {
                let Some(join) = Join::new(&case.log, &case.words, number) else { continue };
                if join.hidden > 0 {
                    continue;
                }
                let logged: Vec<u32> =
                    case.log.became_fair(step).iter().filter_map(|c| Some(c.members.first()?.0)).collect();
                let marked: Vec<u32> = join.now_fair.iter().map(|&k| join.after[k].first).collect();
                assert_eq!(marked, logged, "{} step {number}", case.name);
            }
        }
    }
}
