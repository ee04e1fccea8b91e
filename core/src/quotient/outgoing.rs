//! The edges of states that nothing but the identity fixes, in few bytes each.
//!
//! Of such a state the edges are the same wherever the tracked processes are, and they are asked for once for each of these places.
//! A program has few labels of edges and few permutations beside its many states, so that an edge is three numbers. The states
//! that were asked for lately are remembered, in two generations as in [`crate::cache`].

use super::aqs::{AqsEdge, AqsId};
use crate::cache::Cache;
use crate::group::{Perm, Process};
use crate::program::ActionId;
use crate::rows;
use alloc::vec::Vec;
use hashbrown::HashTable;

/// This many labels and permutations are told apart; edges that have others are not kept.
const DIFFERENT: usize = 1 << 16;

/// Edges of states.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    labels: Different<Label>,
    perms: Different<Perm>,
    young: Shelf,
    old: Shelf,
    limit: u64,
}

/// The parts of an edge beside its target.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Label {
    process: Process,
    action: ActionId,
    arguments: Vec<i64>,
    weight: u64,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
struct Short {
    label: u32,
    perm: u32,
    target: AqsId,
}

impl Default for Outgoing {
    fn default() -> Self {
        let (labels, perms) = (Different::EMPTY, Different::EMPTY);
        Outgoing { labels, perms, young: Shelf::EMPTY, old: Shelf::EMPTY, limit: Cache::<Short>::BYTES }
    }
}

impl Outgoing {
    /// Takes about this many bytes at most from now on.
    pub(super) fn set_limit(&mut self, bytes: u64) {
        *self = Outgoing { limit: bytes, ..Outgoing::default() };
    }

    /// The edges of a state, if they are remembered.
    pub(super) fn get(&mut self, id: AqsId) -> Option<Vec<AqsEdge>> {
        if self.young.get(id).is_none() {
            let edges = self.old.get(id)?.to_vec();
            self.put(id, &edges);
        }
        let edge = |short: &Short| {
            let Label { process, action, arguments, weight } = &self.labels.all[short.label as usize];
            AqsEdge {
                process: *process,
                action: *action,
                arguments: arguments.clone(),
                perm: self.perms.all[short.perm as usize].clone(),
                target: short.target,
                weight: *weight,
            }
        };
        self.young.get(id).map(|edges| edges.iter().map(edge).collect())
    }

    /// Remembers the edges of a state.
    pub(super) fn keep(&mut self, id: AqsId, edges: &[AqsEdge]) {
        let short = |edge: &AqsEdge| {
            let AqsEdge { process, action, arguments, perm, target, weight } = edge;
            let moves =
                perm.moves().iter().map(|(point, image)| u64::from(point.0) << 32 | u64::from(image.0));
            let name = [u64::from(process.0), u64::from(action.0), *weight];
            let name = name.into_iter().chain(arguments.iter().map(|&argument| argument as u64));
            let label = || Label {
                process: *process,
                action: *action,
                arguments: arguments.clone(),
                weight: *weight,
            };
            let same = |label: &Label| {
                (label.process, label.action, label.weight) == (*process, *action, *weight)
                    && label.arguments == *arguments
            };
            let label = self.labels.number(rows::hash(name), same, label)?;
            let perm = self.perms.number(rows::hash(moves), |known| known == perm, || perm.clone())?;
            Some(Short { label, perm, target: *target })
        };
        let edges: Option<Vec<Short>> = edges.iter().map(short).collect();
        if let Some(edges) = edges {
            self.put(id, &edges);
        }
    }

    fn put(&mut self, id: AqsId, edges: &[Short]) {
        if self.young.bytes() + size_of_val(edges) as u64 > self.limit / 2 {
            self.old = core::mem::replace(&mut self.young, Shelf::EMPTY);
        }
        self.young.put(id, edges);
    }

    /// The bytes it takes, without what labels and permutations have allocated: there are few of them.
    pub(super) fn bytes(&self) -> u64 {
        self.young.bytes() + self.old.bytes() + self.labels.bytes() + self.perms.bytes()
    }
}

/// Edges, one state's behind the other's.
#[derive(Clone, Debug)]
struct Shelf {
    edges: Vec<Short>,
    /// Each state, where its edges begin, and how many they are.
    states: HashTable<(AqsId, u32, u32)>,
}

impl Shelf {
    const EMPTY: Shelf = Shelf { edges: Vec::new(), states: HashTable::new() };

    fn get(&self, id: AqsId) -> Option<&[Short]> {
        let &(_, start, count) = self.states.find(hash(id), |(known, ..)| *known == id)?;
        Some(&self.edges[start as usize..(start + count) as usize])
    }

    fn put(&mut self, id: AqsId, edges: &[Short]) {
        let place = (id, self.edges.len() as u32, edges.len() as u32);
        self.edges.extend_from_slice(edges);
        self.states.insert_unique(hash(id), place, |(id, ..)| hash(*id));
    }

    fn bytes(&self) -> u64 {
        (self.edges.capacity() * size_of::<Short>() + self.states.allocation_size()) as u64
    }
}

fn hash(id: AqsId) -> u64 {
    rows::hash([u64::from(id.0)])
}

/// Things that are told apart by numbers.
#[derive(Clone, Debug)]
struct Different<T> {
    all: Vec<T>,
    table: HashTable<(u64, u32)>,
}

impl<T> Different<T> {
    const EMPTY: Self = Different { all: Vec::new(), table: HashTable::new() };

    /// The number of a thing, which is made if it is new; none if there are too many.
    fn number(&mut self, hash: u64, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> Option<u32> {
        let Different { all, table } = self;
        if let Some(&(_, known)) = table.find(hash, |&(h, number)| h == hash && is(&all[number as usize])) {
            return Some(known);
        }
        if all.len() >= DIFFERENT {
            return None;
        }
        all.push(make());
        let number = all.len() as u32 - 1;
        table.insert_unique(hash, (hash, number), |&(hash, _)| hash);
        Some(number)
    }

    fn bytes(&self) -> u64 {
        (self.all.capacity() * size_of::<T>() + self.table.allocation_size()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(id: u32) -> Vec<AqsEdge> {
        let edge = |k: u32| AqsEdge {
            process: Process(k),
            action: ActionId(id % 3),
            arguments: (0..id % 2).map(|a| i64::from(a + k)).collect(),
            perm: Perm::transposition(Process(0), Process((id + k) % 5)),
            target: AqsId(id ^ k),
            weight: u64::from(1 + id % 2),
        };
        (0..id % 4).map(edge).collect()
    }

    /// The table gives back the edges it was given, at ids from zero up and far from it, and takes no more bytes than
    /// it may.
    #[test]
    fn gives_back_what_was_kept_within_its_limit() {
        for (first, limit) in [(0, 1 << 16), (3_000_000, 1 << 16), (7, 1 << 10), (0, 0)] {
            let mut outgoing = Outgoing::default();
            outgoing.set_limit(limit);
            let mut found = 0;
            for id in first..first + 20_000 {
                if outgoing.get(AqsId(id)).is_none() {
                    outgoing.keep(AqsId(id), &edges(id));
                }
                for near in [id, id - id.min(3), id / 2, id - id.min(300)] {
                    if let Some(known) = outgoing.get(AqsId(near)) {
                        assert_eq!(known, edges(near));
                        found += 1;
                    }
                }
                // Tables double: each generation may pass its half once.
                assert!(outgoing.bytes() <= 4 * limit + 16_384, "{} of {limit}", outgoing.bytes());
            }
            assert!(found > if limit > 1024 { 40_000 } else { 1_000 }, "{found}");
        }
    }
}
