//! The successors of a state, brought into canonical form and looked up: some of them together, so that the processor waits once
//! for what looking them up reads, and not for each in turn.

use super::aqs::{Aqs, AqsEdge, AqsId};
use super::reduction::Sorted;
use super::state::Representative;
use super::steps::RawStep;
use crate::group::Perm;
use crate::rows;
use alloc::vec::Vec;

/// This many successors are looked up together.
const TOGETHER: usize = 32;

/// Successors that have not been looked up yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The canonical rows, one behind the other.
    words: Vec<u64>,
    /// Where each ends.
    ends: Vec<usize>,
    hashes: Vec<u64>,
}

/// A successor before it is looked up.
enum Form<'a> {
    /// The next row of the batch, with π with (successor) = π·(its state), and whether nothing but the identity is known to fix it.
    Row(Perm, bool),
    /// Neither counting nor colours tell its canonical form.
    Open(Sorted<'a>),
}

impl Aqs<'_> {
    /// The edges of some of a state's steps, which are taken from the others; none where there are no more.
    pub(super) fn some_edges(
        &mut self,
        state: &Representative,
        steps: &mut impl Iterator<Item = RawStep>,
    ) -> Vec<AqsEdge> {
        let mut batch = core::mem::take(&mut self.batch);
        batch.words.clear();
        batch.ends.clear();
        let mut edges = Vec::new();
        let mut forms = Vec::new();
        for step in steps.take(TOGETHER) {
            let RawStep { process, action, arguments, weight, changed } = step;
            let sorted = self.reduction.sorted(state, changed);
            let form = if self.reduction.is_plain() {
                self.reduction.row_into(&sorted, &mut self.labelling.row);
                Form::Row(sorted.by, false)
            } else {
                match self.reduction.quick(&sorted, &mut self.labelling) {
                    Some((back, rigid)) => Form::Row(Perm::product(sorted.by, back), rigid),
                    None => Form::Open(sorted),
                }
            };
            if let Form::Row(..) = form {
                batch.words.extend_from_slice(&self.labelling.row);
                batch.ends.push(batch.words.len());
            }
            forms.push(form);
            let (perm, target) = (Perm::identity(), AqsId(0));
            edges.push(AqsEdge { process, action, arguments, perm, target, weight });
        }
        self.store.warm(&batch.words, &batch.ends, &mut batch.hashes);
        let (mut start, mut places) = (0, batch.ends.iter().zip(&batch.hashes));
        for (edge, form) in edges.iter_mut().zip(forms) {
            (edge.target, edge.perm) = match form {
                Form::Row(perm, rigid) => {
                    let (&end, &hash) = places.next().expect("each row was put into the batch");
                    let (id, new) = self.store.insert_hashed(&batch.words[start..end], hash);
                    start = end;
                    if new && rigid {
                        self.note_rigid(id);
                    }
                    (id, perm)
                }
                Form::Open(sorted) => self.searched_for(&sorted),
            };
        }
        self.batch = batch;
        edges
    }

    /// The edge of a step.
    pub(super) fn edge(&mut self, state: &Representative, step: RawStep) -> AqsEdge {
        self.some_edges(state, &mut core::iter::once(step)).swap_remove(0)
    }

    /// The number of a successor's representative, and π with (successor) = π·(representative), by a search.
    fn searched_for(&mut self, sorted: &Sorted<'_>) -> (AqsId, Perm) {
        let row = self.reduction.row(sorted);
        let hash = rows::hash(row.iter().copied());
        if let Some(known) = self.memo.image(&row, hash, &sorted.by) {
            return known;
        }
        self.searched += 1;
        let canonical = self.reduction.canonical_row(&row);
        let (id, perm) = self.intern(canonical);
        let successor = (id, sorted.by.compose(&perm));
        self.memo.keep_image(row, hash, id, perm);
        successor
    }
}
