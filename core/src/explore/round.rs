//! Rounds of an exploration: several look at states at the same time, and one enters what they have found.
//!
//! # Invariants
//!
//! After a round the exploration is what it would be if it had expanded the same states one by one: the same numbers, counts,
//! violations and limits. Scouts read the set as it was at the beginning of the round, and leave out the successors that are
//! there. What they bring is entered in the order of the states that they looked at. A state at which more happens than finding
//! successors is expanded as ever.

use super::exploration::{BATCH, Batch, Exploration, StopReason};
use super::states::{StateId, StateSet};
use crate::crew::{Crew, Job};
use crate::error::Limit;
use crate::program::{Machine, Predicate, append};
use crate::strain::{size, took};
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

/// A round is cut into this many parts for each of a crew, so that nobody waits long for whoever has the part with more to do.
const PARTS: usize = 4;

/// A scout brings about this many words of successors at most: a few states may have more than there is memory for.
const LOAD: usize = 1 << 20;

/// Looks at states for an exploration.
#[derive(Clone, Debug)]
pub(super) struct Scout<'p> {
    machine: Machine<'p>,
    packed: Vec<u64>,
    batch: Batch,
    find: Find,
}

/// The findings of a scout.
#[derive(Clone, Debug, Default)]
struct Find {
    /// One for each state that was looked at, in order.
    sights: Vec<Sight>,
    /// The successors that were not in the set, one behind the other.
    words: Vec<u64>,
    hashes: Vec<u64>,
}

/// The findings about one state.
#[derive(Clone, Copy, Debug)]
enum Sight {
    /// It has this many edges, and this many of its successors were not in the set.
    Plain { edges: u32, rows: u32 },
    /// Something else happens there: it has to be expanded as ever.
    Special,
}

/// A part of a round.
struct Lookout<'a, 'p> {
    scout: &'a mut Scout<'p>,
    states: &'a StateSet,
    predicates: &'a [Predicate],
    part: Range<u32>,
}

impl Job for Lookout<'_, '_> {
    fn work(&mut self) {
        let Lookout { scout, states, predicates, part } = self;
        scout.find.clear();
        for id in part.clone() {
            if scout.find.words.len() >= size("explore: the load of a scout", LOAD, 4) {
                took("explore: a scout with a full load");
                break;
            }
            let sight = scout.look(states, predicates, StateId(id));
            scout.find.sights.push(sight);
        }
    }
}

impl Find {
    fn clear(&mut self) {
        self.sights.clear();
        self.words.clear();
        self.hashes.clear();
    }

    /// Takes in those of a batch of successors that are not in the set.
    fn sift(&mut self, states: &StateSet, batch: &mut Batch) {
        states.warm(&batch.words, &mut batch.hashes);
        let width = batch.words.len() / batch.count.max(1);
        for (row, &hash) in batch.words.chunks_exact(width.max(1)).zip(&batch.hashes) {
            if !states.has(row, hash) {
                append(&mut self.words, row);
                self.hashes.push(hash);
            }
        }
        batch.clear();
    }
}

impl<'p> Scout<'p> {
    fn new(machine: &Machine<'p>) -> Self {
        let machine = machine.clone();
        Scout { machine, packed: Vec::new(), batch: Batch::default(), find: Find::default() }
    }

    fn look(&mut self, states: &StateSet, predicates: &[Predicate], id: StateId) -> Sight {
        let Scout { machine, packed, batch, find } = self;
        packed.clear();
        append(packed, states.get(id));
        machine.load(packed);
        if !predicates.iter().all(|predicate| machine.holds(predicate) == Ok(true)) {
            return Sight::Special;
        }
        let (before, words, mut edges) = (find.hashes.len(), find.words.len(), 0);
        batch.clear();
        let result = machine.successors(packed, |_, row| {
            edges += 1;
            batch.count += 1;
            append(&mut batch.words, row);
            if batch.count == BATCH {
                find.sift(states, batch);
            }
            // Whoever has this many successors is expanded by itself: then limits hold within the expansion.
            let few = find.words.len() - words <= size("explore: the load of a scout", LOAD, 4);
            if few { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        find.sift(states, batch);
        if edges == 0 || !matches!(result, Ok(ControlFlow::Continue(()))) {
            find.hashes.truncate(before);
            find.words.truncate(words);
            return Sight::Special;
        }
        Sight::Plain { edges, rows: (find.hashes.len() - before) as u32 }
    }
}

impl Exploration<'_> {
    /// How many states can be looked at by a crew at the same time; none where each has to be entered or expanded by itself.
    pub fn waiting(&self) -> u32 {
        let alone = self.initial.is_some() || self.stopped.is_some() || self.keeps_edges();
        if alone { 0 } else { self.states().len() - self.next.0 }
    }

    /// Expands about this many states, several at the same time. Where it stands then does not depend on the crew.
    ///
    /// ```
    /// # use orbitscope_core::{crew::{Crew, Job}, explore::{Exploration, Limits}, program, syntax::parse};
    /// # struct Threads(usize);
    /// # impl Crew for Threads {
    /// #     fn size(&self) -> usize { self.0 }
    /// #     fn work(&self, jobs: &mut [&mut dyn Job]) {
    /// #         std::thread::scope(|scope| for job in jobs { scope.spawn(|| job.work()); });
    /// #     }
    /// # }
    /// let parsed = parse("process p[9] { var x: bool = false action go: not x -> x := true }");
    /// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
    /// let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    /// while exploration.round(&Threads(2), 1000).is_none() {}
    /// assert_eq!(exploration.states().len(), 512);
    /// ```
    pub fn round(&mut self, crew: &dyn Crew, steps: u32) -> Option<&StopReason> {
        let asked = steps.min(self.waiting());
        if asked < 2 {
            return self.advance(steps.min(1));
        }
        let mut scouts = core::mem::take(&mut self.scouts);
        let parts = (crew.size() * PARTS).min(asked as usize);
        while scouts.len() < parts {
            scouts.push(Scout::new(&self.machine));
        }
        let predicates: Vec<Predicate> =
            self.invariants.iter().map(|(_, predicate)| predicate.clone()).collect();
        let place = |part: usize| self.next.0 + (u64::from(asked) * part as u64 / parts as u64) as u32;
        let mut lookouts: Vec<Lookout<'_, '_>> = (scouts.iter_mut().take(parts).enumerate())
            .map(|(number, scout)| {
                let part = place(number)..place(number + 1);
                Lookout { scout, states: &self.graph.states, predicates: &predicates, part }
            })
            .collect();
        let mut jobs: Vec<&mut dyn Job> = lookouts.iter_mut().map(|job| job as &mut dyn Job).collect();
        crew.work(&mut jobs);
        let next = self.next.0;
        for (number, scout) in scouts.iter().take(parts).enumerate() {
            let begins = next + (u64::from(asked) * number as u64 / parts as u64) as u32;
            // Whoever had a full load has left the rest of a part to the next round.
            if self.next.0 != begins || self.absorb(&scout.find).is_some() {
                break;
            }
        }
        self.scouts = scouts;
        self.stopped.as_ref()
    }

    /// Enters the findings of a scout about the next states.
    fn absorb(&mut self, find: &Find) -> Option<&StopReason> {
        let width = self.machine.packing().words() as usize;
        let mut from = 0;
        for sight in &find.sights {
            let entered = match *sight {
                Sight::Special => self.expand(),
                Sight::Plain { edges, rows } => {
                    let to = from + rows as usize;
                    let (words, hashes) = (&find.words[from * width..to * width], &find.hashes[from..to]);
                    from = to;
                    self.enter_found(words, hashes, edges)
                }
            };
            if let Err(reason) = entered {
                self.stopped = Some(reason);
                break;
            }
        }
        self.stopped.as_ref()
    }

    /// Enters the successors of the next state that were found not to be there.
    fn enter_found(&mut self, words: &[u64], hashes: &[u64], edges: u32) -> Result<(), StopReason> {
        let from = self.next;
        let width = words.len() / hashes.len().max(1);
        for (row, &hash) in words.chunks_exact(width.max(1)).zip(hashes) {
            let Some((_, new)) = self.graph.states.insert_hashed(row, hash, self.limits.states) else {
                self.graph.edge_count += self.edges_before(from, row);
                return Err(StopReason::Limit(Limit::States));
            };
            if new {
                self.graph.parents.push(from);
                if self.graph.bytes() > self.limits.bytes {
                    self.graph.edge_count += self.edges_before(from, row) + 1;
                    return Err(StopReason::Limit(Limit::Bytes));
                }
            }
        }
        self.graph.edge_count += u64::from(edges);
        self.next = StateId(from.0 + 1);
        Ok(())
    }

    /// How many edges of a state come before the first one to a certain successor.
    fn edges_before(&mut self, from: StateId, to: &[u64]) -> u64 {
        let packed = self.graph.states.get(from).to_vec();
        self.machine.load(&packed);
        let mut before = 0;
        let _ = self.machine.successors(&packed, |_, row| {
            if row == to {
                return ControlFlow::Break(());
            }
            before += 1;
            ControlFlow::Continue(())
        });
        before
    }
}
