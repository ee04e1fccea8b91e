//! `orbitscope prove` where there is no answer: what is known by then, and what would help.

use crate::support::{Folder, Transcript};

/// Two move at a time, and the middle is never left with one; with as many tries as there are, somebody comes twice.
const TWOS: &str = "\
param n = 3 in 1..1000
process client[n] { var middle: bool = false }
process server {
  action in_(c in client, d in client): c != d and not c.middle and not d.middle -> c.middle := true, d.middle := true
  action out(c in client, d in client): c != d and c.middle and d.middle -> c.middle := false, d.middle := false
}
invariant never_one: count(c in client: c.middle) != 1
ltl not_one_for_ever: not F G (count(c in client: c.middle) == 1)
";

/// Two parameters: it goes wrong while one of them is small, whatever the other is.
const PAIRS: &str = "\
param n = 2 in 1..50
param m = 2 in 1..50
process a[n] {
  var x: bool = false
  action go: not x and count(b in b: b.y) >= 2 -> x := true
}
process b[m] {
  var y: bool = true
  action stay: y -> y := true
}
ltl goes: forall c in a: F c.x
";

#[test]
fn what_is_known_without_an_answer() {
    let folder = Folder::with(&[("twos.orb", TWOS), ("pairs.orb", PAIRS)]);
    Transcript::default()
        .run(&folder, &["prove", "twos.orb", "-p", "never_one", "-p", "not_one_for_ever"])
        .run(&folder, &["prove", "twos.orb", "-p", "never_one", "--up-to", "2", "--json"])
        .run(&folder, &["prove", "twos.orb", "-p", "never_one", "--max-states", "3"])
        .run(&folder, &["prove", "twos.orb", "-p", "not_one_for_ever", "--max-states", "3", "--up-to", "4"])
        .run(&folder, &["prove", "pairs.orb", "-p", "goes"])
        .check("prove");
}
