//! Sizes at which code changes its way: tests make them small, and count who goes which way.
//!
//! A way that only large inputs take is one that random tests, which are many and small, pass over. With the feature `strain` a test
//! calls [`begin`] with a number: about half of the sizes are then small, others for other numbers, until [`end`] gives the names of
//! the ways that were taken. Without the feature sizes are what they are and nothing is counted.

/// A size at which code changes its way: `usual`, or `small` under strain.
#[cfg(not(feature = "strain"))]
#[inline]
pub(crate) const fn size<T: Copy>(_name: &'static str, usual: T, _small: T) -> T {
    usual
}

/// The way that was taken because of a size.
#[cfg(not(feature = "strain"))]
#[inline]
pub(crate) const fn took(_name: &'static str) {}

#[cfg(feature = "strain")]
pub use counted::{begin, end};
#[cfg(feature = "strain")]
pub(crate) use counted::{size, took};

#[cfg(feature = "strain")]
mod counted {
    use crate::rows;
    use alloc::collections::BTreeSet;
    use core::cell::{Cell, RefCell};

    std::thread_local! {
        static CHOSEN: Cell<Option<u64>> = const { Cell::new(None) };
        static TAKEN: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    }

    /// Makes some of the sizes small in this thread, or none, and forgets the ways that were taken.
    pub fn begin(number: Option<u64>) {
        CHOSEN.set(number);
        TAKEN.take();
    }

    /// Makes all sizes usual again; gives the ways that were taken since the beginning.
    pub fn end() -> BTreeSet<&'static str> {
        CHOSEN.set(None);
        TAKEN.take()
    }

    pub(crate) fn size<T: Copy>(name: &'static str, usual: T, small: T) -> T {
        let chosen = |number: u64| {
            let named = name.bytes().fold(number, |hash, byte| rows::mix(hash ^ u64::from(byte)));
            named.is_multiple_of(2)
        };
        if CHOSEN.get().is_some_and(chosen) { small } else { usual }
    }

    pub(crate) fn took(name: &'static str) {
        TAKEN.with_borrow_mut(|taken| taken.insert(name));
    }
}
