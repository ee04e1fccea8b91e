//! The tests of the crate with known mutants: some of what is wrong they do not notice.

use small::sums::{count, even_from_behind, longer, smaller};

#[test]
fn smaller_of_two() {
    assert_eq!(smaller(1, 2), 1);
    assert_eq!(smaller(2, 1), 1);
}

#[test]
fn counted() {
    assert_eq!(count(3), 3);
}

#[test]
fn evens() {
    assert_eq!(even_from_behind(&[2, 3, 4, 5]), Some(4));
}

#[test]
fn lengths() {
    assert_eq!(longer("ab", "c"), "ab");
    assert_eq!(longer("a", "bc"), "bc");
}
