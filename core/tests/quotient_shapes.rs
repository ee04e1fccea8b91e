//! The quotient of programs of shapes that random ones seldom have: rings of eight processes and more, and chains of processes
//! that hold each other. Unfolded as in `quotient_unfold`.

use crate::quotient_unfold::unfolds;
use crate::support::random::Random;
use crate::support::unfold::Plain;
use crate::support::{asks_shares, built, cases, first_seed};
use orbitscope_core::symmetry::Choice;

/// A ring in which no two neighbours are up at a time.
fn ring(size: u32, declared: &str, local: &str, mirrored: bool, actions: &str) -> String {
    // Up is possible where both neighbours are down; down, where nothing tells the directions apart, at any time.
    let free = if mirrored {
        "x or not next(self).x and not prev(self).x"
    } else {
        "if x then not next(next(self)).x else not next(self).x and not prev(self).x"
    };
    format!(
        "{declared}
         process p[{size}] ring {{
           var x: bool = false
           {local}
           action turn: {free} -> x := not x
           {actions}
         }}"
    )
}

/// Rings whose states are words: with numbers alone, with one process that is held, with processes that hold others, and with so
/// many bits a process that they are words no more.
#[test]
fn rings_of_eight_and_more() {
    let held = "action take: at == none and x -> at := self
                action give: at == self -> at := next(self)";
    let linked = "action link: x and (forall o in p: o.to == none) -> to := next(next(self))
                  action drop: to != none and not x -> to := none";
    let grown = "action grow: x and (forall o in p: o.b2 == 2) -> b2 := 3";
    let bits =
        |count: u32| (0..count).map(|k| format!("var b{k}: 0..65535 = {k}\n")).collect::<Vec<_>>().concat();
    for size in [8, 9, 10] {
        for mirrored in [false, true] {
            // `next` in an action tells the directions apart.
            let order = |mirrored: bool| (if mirrored { 2 * size } else { size }).to_string();
            let shapes = [
                (ring(size, "", "", mirrored, ""), order(mirrored)),
                (ring(size, "shared at: p? = none", "", mirrored, held), order(false)),
                (ring(size, "", "var to: p? = none", mirrored, linked), order(false)),
                (ring(size, "", &bits(3), mirrored, grown), order(mirrored)),
                (ring(size, "", &bits(4), mirrored, ""), order(mirrored)),
                (ring(size, "", &bits(5), mirrored, ""), order(mirrored)),
            ];
            for (source, order) in shapes {
                let program = built("a ring", &source, &[]);
                assert!(Plain::explore(&program, 4_000).is_some(), "too many states: {source}");
                assert_eq!(unfolds(&program, Choice::Model, 4_000), Ok(order), "{source}");
            }
        }
    }
}

/// Processes that hold others of their own kind, which are held in turn: what an action may do to such a chain, in any combination.
fn chain(random: &mut Random) -> String {
    const ACTIONS: [&str; 9] = [
        "action enter: not x -> to := last, last := self, x := true",
        "action leave: x -> x := false, last := if last == self then none else last",
        "action forget: not x and to != none -> to := none",
        "action hop: to != none and x -> to := to.to",
        "action aim(o in p): to == none and o != self and o.x -> to := o",
        "action back: to != none and to.to == none -> to.to := self, to := none",
        "action wake: to != none and not to.x -> to.x := true",
        "action own: to == none and x -> to := self, x := false",
        "action both(o in p): o.to == self and to == o and o != self -> to := none, last := none",
    ];
    let size = if random.one_in(3) { 4 } else { 3 };
    let others: Vec<&str> = ACTIONS[1..].iter().copied().filter(|_| random.chance(45)).collect();
    let second = random.one_in(4);
    let (more, tell) = if second {
        ("var from: p? = none", "action tell: to != none and to.from == none and x -> to.from := self")
    } else {
        ("", "")
    };
    format!(
        "shared last: p? = none
         process p[{size}] {{
           var to: p? = none
           var x: bool = false
           {more}
           {}
           {}
           {tell}
         }}",
        ACTIONS[0],
        others.join("\n           ")
    )
}

#[test]
fn random_chains() {
    let (mut unfolded, mut all) = (0, 0);
    for seed in first_seed()..first_seed() + cases(250) {
        let source = chain(&mut Random::new(seed));
        let program = built("a chain", &source, &[]);
        all += 1;
        if Plain::explore(&program, 1_500).is_none() {
            continue;
        }
        unfolded += 1;
        let result = unfolds(&program, Choice::Model, 1_500);
        assert!(
            result == Ok("6".to_string()) || result == Ok("24".to_string()),
            "seed {seed}: {result:?}\n{source}"
        );
    }
    println!("{unfolded} of {all} chains");
    assert!(!asks_shares() || unfolded * 2 > all, "{unfolded} of {all}");
}
