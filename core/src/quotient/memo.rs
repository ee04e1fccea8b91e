//! Results that are found once and asked for again, where a group is not plain: into which representatives successors
//! turn, which permutations fix a representative, and the edges of one that nothing fixes.
//!
//! Representatives are alike, and so are their successors: many of them are the same before they are brought into
//! canonical form. With tracked processes each state is expanded once for every place they may have, with the same successors.

use super::aqs::{AqsEdge, AqsId};
use super::outgoing::Outgoing;
use crate::cache::{Cache, IdCache};
use crate::group::{Group, Perm};
use crate::rows;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The permutations that leave a representative as it is.
#[derive(Clone, Debug)]
pub(super) struct Fixing {
    /// All of them.
    pub whole: Group,
    /// Those that move no process of a plain factor.
    pub general: Group,
}

/// The results found lately.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    images: Cache<Image>,
    fixing: IdCache<AqsId, Rc<Fixing>>,
    outgoing: Outgoing,
}

/// The representative of a state, and π with (state) = π·(representative).
#[derive(Clone, Debug)]
struct Image {
    row: Box<[u64]>,
    id: AqsId,
    perm: Perm,
}

impl Memo {
    /// Each of the memories takes about this many bytes at most.
    pub(super) fn set_limit(&mut self, bytes: u64) {
        self.images.set_limit(bytes);
        self.fixing.set_limit(bytes);
        self.outgoing.set_limit(bytes);
    }

    /// The representative of a state, and `before`∘π for the π with (state) = π·(representative).
    pub(super) fn image(&mut self, row: &[u64], hash: u64, before: &Perm) -> Option<(AqsId, Perm)> {
        self.images.ask(
            hash,
            |image| rows::same(&image.row, row),
            |image| (image.id, before.compose(&image.perm)),
        )
    }

    pub(super) fn keep_image(&mut self, row: Vec<u64>, hash: u64, id: AqsId, perm: Perm) {
        let heap_bytes = size_of_val(&*row) as u64 + perm.heap_bytes();
        self.images.keep(hash, heap_bytes, || Image { row: row.into(), id, perm });
    }

    pub(super) fn fixing(&mut self, id: AqsId) -> Option<Rc<Fixing>> {
        self.fixing.get(id)
    }

    /// The same, without noting that it was asked for.
    pub(super) fn known_fixing(&self, id: AqsId) -> Option<&Fixing> {
        self.fixing.peek(id).map(|fixing| &**fixing)
    }

    pub(super) fn keep_fixing(&mut self, id: AqsId, fixing: &Rc<Fixing>) {
        let groups = fixing.whole.heap_bytes() + fixing.general.heap_bytes();
        self.fixing.keep(id, groups + size_of::<Fixing>() as u64, fixing);
    }

    /// The edges of a state that nothing but the identity fixes.
    pub(super) fn outgoing(&mut self, id: AqsId) -> Option<Vec<AqsEdge>> {
        self.outgoing.get(id)
    }

    pub(super) fn keep_outgoing(&mut self, id: AqsId, edges: &[AqsEdge]) {
        self.outgoing.keep(id, edges);
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.images.bytes() + self.fixing.bytes() + self.outgoing.bytes()
    }
}
