//! Sorting, in little code where that is asked for.
//!
//! The library's sorts are fast, and a few thousand bytes of code for each type that is sorted. With the feature `small`
//! there is one of a few hundred bytes instead: runs that are merged in place by rotation, which keeps equal elements in
//! their order and needs O(n log² n) steps.

use core::cmp::Ordering;

/// Sorting a slice; all of these keep equal elements in their order where `small` is on.
pub(crate) trait Sort<T> {
    /// Ascending; equal elements may change places.
    fn arrange(&mut self)
    where
        T: Ord;
    /// Ascending by a key; equal elements keep their order.
    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
    /// As compared; equal elements keep their order.
    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
}

#[cfg(not(feature = "small"))]
impl<T> Sort<T> for [T] {
    fn arrange(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }

    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.sort_by_key(key);
    }

    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_by(compare);
    }
}

#[cfg(feature = "small")]
impl<T> Sort<T> for [T] {
    fn arrange(&mut self)
    where
        T: Ord,
    {
        small::sort(self, &mut |a, b| a < b);
    }

    fn arrange_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        small::sort(self, &mut |a, b| key(a) < key(b));
    }

    fn arrange_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        small::sort(self, &mut |a, b| compare(a, b) == Ordering::Less);
    }
}

#[cfg(any(feature = "small", test))]
mod small {
    /// Runs of this length are sorted by insertion.
    const RUN: usize = 12;

    pub(super) fn sort<T>(items: &mut [T], less: &mut dyn FnMut(&T, &T) -> bool) {
        for run in items.chunks_mut(RUN) {
            for end in 1..run.len() {
                let mut at = end;
                while at > 0 && less(&run[at], &run[at - 1]) {
                    run.swap(at, at - 1);
                    at -= 1;
                }
            }
        }
        let mut width = RUN;
        while width < items.len() {
            for pair in items.chunks_mut(2 * width) {
                if pair.len() > width {
                    merge(pair, width, less);
                }
            }
            width *= 2;
        }
    }

    /// Merges two sorted parts, the second of which starts at `middle`. It recurses as deep as the length has digits.
    fn merge<T>(items: &mut [T], middle: usize, less: &mut dyn FnMut(&T, &T) -> bool) {
        let len = items.len();
        if middle == 0 || middle == len || !less(&items[middle], &items[middle - 1]) {
            return;
        }
        if len == 2 {
            items.swap(0, 1);
            return;
        }
        // Half of the longer part, and where that element belongs in the other part.
        let (left, right) = if middle * 2 >= len {
            let left = middle / 2;
            let right = middle + partition(&items[middle..], |item| less(item, &items[left]));
            (left, right)
        } else {
            let right = middle + (len - middle) / 2;
            let left = partition(&items[..middle], |item| !less(&items[right], item));
            (left, right)
        };
        items[left..right].rotate_left(middle - left);
        let (first, second) = items.split_at_mut(left + right - middle);
        merge(first, left, less);
        merge(second, middle - left, less);
    }

    /// How many elements at the beginning are so; the others are not.
    fn partition<T>(items: &[T], mut so: impl FnMut(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, items.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if so(&items[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    #[cfg(test)]
    mod tests {
        use alloc::vec::Vec;

        #[test]
        fn it_sorts_as_the_library_does() {
            let mut state = 1u32;
            let mut random = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 16
            };
            for round in 0..2_000 {
                let len = random() as usize % if round % 20 == 0 { 900 } else { 60 };
                let range = 1 + random() % 40;
                let items: Vec<(u32, usize)> = (0..len).map(|place| (random() % range, place)).collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| item.0);
                let mut sorted = items;
                super::sort(&mut sorted, &mut |a, b| a.0 < b.0);
                assert_eq!(sorted, expected);
            }
        }
    }
}
