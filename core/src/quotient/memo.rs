//! What is found once and asked for again, where a group is not plain: into which representatives successors turn, and what
//! fixes a representative.
//!
//! Representatives are alike, and so are their successors: many of them are the same before they are brought into
//! canonical form. With tracked processes each state is expanded once for every place they may have, with the same successors.

use super::aqs::AqsId;
use super::store::Store;
use crate::define_id;
use crate::group::{Group, Perm};
use crate::ids::IdVec;
use alloc::rc::Rc;

define_id!(
    /// A successor that was brought into canonical form.
    RowId
);

/// What takes more than so many bytes is forgotten, and found again.
const MEMO_BYTES: u64 = 64 << 20;

/// The permutations that leave a representative as it is.
#[derive(Clone, Debug)]
pub(super) struct Fixing {
    /// All of them.
    pub whole: Group,
    /// Those that move no process of a plain factor.
    pub general: Group,
}

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    rows: Store<RowId>,
    images: IdVec<RowId, (AqsId, Perm)>,
    fixing: IdVec<AqsId, Option<Rc<Fixing>>>,
    heap_bytes: u64,
}

impl Memo {
    /// The representative of a state, and π with (state) = π·(representative).
    pub(super) fn image(&self, row: &[u64]) -> Option<&(AqsId, Perm)> {
        self.images.get(self.rows.find(row)?)
    }

    pub(super) fn keep_image(&mut self, row: &[u64], id: AqsId, perm: Perm) {
        self.make_room(perm.heap_bytes());
        if self.rows.insert(row).1 {
            self.images.push((id, perm));
        }
    }

    pub(super) fn fixing(&self, id: AqsId) -> Option<&Rc<Fixing>> {
        self.fixing.get(id)?.as_ref()
    }

    pub(super) fn keep_fixing(&mut self, id: AqsId, fixing: Rc<Fixing>) {
        self.make_room(fixing.whole.heap_bytes() + fixing.general.heap_bytes());
        while self.fixing.len() <= id.0 as usize {
            self.fixing.push(None);
        }
        self.fixing[id] = Some(fixing);
    }

    fn make_room(&mut self, heap_bytes: u64) {
        if self.bytes() > MEMO_BYTES {
            *self = Memo::default();
        }
        self.heap_bytes += heap_bytes;
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.images.len() * size_of::<(AqsId, Perm)>()
            + self.fixing.len() * (size_of::<Option<Rc<Fixing>>>() + size_of::<Fixing>());
        self.rows.bytes() + self.heap_bytes + tables as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// What is forgotten is not there; what is there is what was kept.
    #[test]
    fn it_forgets_and_does_not_mix_up() {
        let mut memo = Memo::default();
        let trivial = Rc::new(Fixing { whole: Group::trivial(3), general: Group::trivial(3) });
        let row = |n: u32| vec![u64::from(n); 1_000];
        let (count, mut most) = (12_000, 0);
        for n in 0..count {
            memo.keep_image(&row(n), AqsId(n), Perm::identity());
            assert_eq!(memo.image(&row(n)), Some(&(AqsId(n), Perm::identity())));
            memo.keep_fixing(AqsId(n), trivial.clone());
            assert!(memo.fixing(AqsId(n)).is_some());
            most = most.max(memo.bytes());
        }
        assert!(most > MEMO_BYTES / 2 && most < 3 * MEMO_BYTES, "{most}");
        let mut left = 0;
        for n in 0..count {
            if let Some((id, _)) = memo.image(&row(n)) {
                assert_eq!(*id, AqsId(n));
                left += 1;
            }
        }
        assert!(left > 0 && left < count, "{left}");
    }
}
