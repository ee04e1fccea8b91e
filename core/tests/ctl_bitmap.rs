//! Bitmaps against lists of truth values, for all lengths around the ends of words.

use crate::support::random::Random;
use orbitscope_core::ctl::{Bitmap, Vertex};

fn bitmap(list: &[bool]) -> Bitmap {
    let mut bits = Bitmap::default();
    for &value in list {
        bits.push(value);
    }
    bits
}

/// The same values, the same number of true ones, and the same place of the first false one from everywhere on. Two bitmaps
/// with the same values are equal: nothing is left behind the last one.
fn same(bits: &Bitmap, list: &[bool], what: &str) {
    let len = list.len();
    assert_eq!((bits.len() as usize, bits.is_empty()), (len, list.is_empty()), "{what}");
    for (vertex, &value) in (0..).zip(list) {
        assert_eq!(bits.get(Vertex(vertex)), value, "{what}: vertex {vertex} of {len}");
    }
    assert_eq!(bits.count() as usize, list.iter().filter(|&&value| value).count(), "{what}: {len}");
    for from in 0..=len + 70 {
        let first = (from..len).find(|&vertex| !list[vertex]).map(|vertex| Vertex(vertex as u32));
        assert_eq!(bits.first_unset(Vertex(from as u32)), first, "{what}: from {from} of {len}");
    }
    assert_eq!(*bits, bitmap(list), "{what}: {len}");
}

#[test]
fn bitmaps_are_lists_of_truth_values() {
    for len in (0..6).chain(60..70).chain(125..132).chain([192, 200]) {
        for value in [false, true] {
            same(&Bitmap::filled(len, value), &vec![value; len as usize], "filled");
        }
        for seed in 0..4 {
            let random = &mut Random::new(u64::from(len) * 10 + seed);
            // Mostly true, mostly false, and mixed: whole words of one value are passed over at once.
            let mut list = |of: usize| -> Vec<bool> { (0..len).map(|_| random.below(of) > 0).collect() };
            let (a, b) = (list(2), list(1 + 15 * (seed as usize % 3)));
            same(&bitmap(&a), &a, "pushed");
            same(&bitmap(&b), &b, "pushed");
            let mut bits = bitmap(&a);
            bits.invert();
            same(&bits, &a.iter().map(|value| !value).collect::<Vec<_>>(), "inverted");
            let mut bits = bitmap(&a);
            bits.and(&bitmap(&b));
            same(&bits, &a.iter().zip(&b).map(|(a, b)| *a && *b).collect::<Vec<_>>(), "and");
            let mut bits = bitmap(&a);
            bits.or(&bitmap(&b));
            same(&bits, &a.iter().zip(&b).map(|(a, b)| *a || *b).collect::<Vec<_>>(), "or");
            // One after the other, each value becomes that of the other list.
            let (mut bits, mut now) = (bitmap(&a), a);
            for (vertex, &value) in (0..).zip(&b) {
                bits.set(Vertex(vertex), value);
                now[vertex as usize] = value;
            }
            same(&bits, &now, "set");
        }
    }
}
