//! A second opinion from a theorem: where guards ask only whether somebody *is* in some local states, and there is no shared variable,
//! as many processes as there are local states decide for every size whether a local state is ever reached.
//!
//! Why: let ℓ1, ℓ2, … be the local states in the order in which runs of any size reach them first, ℓ1 the initial one. Somebody gets
//! to ℓk over local states, and past guards, that name only earlier ones. With k processes one is left in each of ℓ1 … ℓk-1, by
//! induction, where it makes all of these guards true, and the last one goes to ℓk. So each local state that is reached at all is
//! reached with as many processes as there are local states, and by every larger number too: the others stay where they started.
//! Emerson and Kahlon ("Reducing model checking of the many to the few", 2000) have such cutoffs for more properties; here only this
//! one is relied on.

use super::prover;
use crate::support::cases;
use crate::support::random::Random;
use orbitscope_core::check::Options;
use orbitscope_core::every::{Conclusion, Effort, RunToEnd};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];

/// Somebody in one of these local states, perhaps besides the one that asks.
struct Somebody {
    of: Vec<usize>,
    other: bool,
}

struct Action {
    from: usize,
    to: usize,
    guard: Vec<Somebody>,
}

struct System {
    locals: usize,
    actions: Vec<Action>,
}

impl System {
    fn random(rng: &mut Random) -> System {
        let locals = 2 + rng.below(4);
        let somebody = |rng: &mut Random| Somebody {
            of: (0..=rng.below(2)).map(|_| rng.below(locals)).collect(),
            other: rng.below(2) == 0,
        };
        let action = |rng: &mut Random| {
            let (from, to, guards) = (rng.below(locals), rng.below(locals), rng.below(3));
            Action { from, to, guard: (0..guards).map(|_| somebody(rng)).collect() }
        };
        let actions = (0..2 + rng.below(2 * locals)).map(|_| action(rng)).collect();
        System { locals, actions }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "param n = 3 in 1..1000\nprocess client[n] {{\n  var st: {{{}}} = A\n",
            NAMES[..self.locals].join(", ")
        );
        for (number, action) in self.actions.iter().enumerate() {
            let _ = write!(text, "  action a{number}: st == {}", NAMES[action.from]);
            for somebody in &action.guard {
                let but = if somebody.other { "d != self and " } else { "" };
                let of: Vec<String> = somebody.of.iter().map(|&l| format!("d.st == {}", NAMES[l])).collect();
                let _ = write!(text, " and (exists d in client: {but}({}))", of.join(" or "));
            }
            let _ = writeln!(text, " -> st := {}", NAMES[action.to]);
        }
        text += "}\n";
        for name in &NAMES[..self.locals] {
            let _ = writeln!(text, "invariant never_{name}: not exists c in client: c.st == {name}");
        }
        text
    }

    /// The local states that somebody reaches for some n, by the theorem: no size is looked at.
    fn reached(&self) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([0]);
        loop {
            let before = reached.len();
            for action in &self.actions {
                let there = |somebody: &Somebody| somebody.of.iter().any(|local| reached.contains(local));
                if reached.contains(&action.from) && action.guard.iter().all(there) {
                    reached.insert(action.to);
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    }

    /// The local states that somebody reaches with n processes, from state to state.
    fn reached_with(&self, n: usize) -> BTreeSet<usize> {
        let mut start = vec![0; self.locals];
        start[0] = n;
        let (mut seen, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
        while let Some(counts) = open.pop() {
            for action in self.actions.iter().filter(|action| counts[action.from] > 0) {
                let there = |somebody: &Somebody| {
                    let own = usize::from(somebody.other);
                    somebody.of.iter().any(|&l| counts[l] > if l == action.from { own } else { 0 })
                };
                if action.guard.iter().all(there) {
                    let mut next = counts.clone();
                    next[action.from] -= 1;
                    next[action.to] += 1;
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        let of = |counts: &Vec<usize>| (0..self.locals).filter(|&l| counts[l] > 0).collect::<Vec<_>>();
        seen.iter().flat_map(of).collect()
    }
}

/// The theorem, the instances one by one, and the proof say the same, in both directions: this is exact for every n.
#[test]
fn guards_that_ask_whether_somebody_is_there() {
    let (mut holds, mut late) = (0, 0);
    let cases = cases(2_000);
    for seed in 0..cases {
        let system = System::random(&mut Random::new(seed.wrapping_mul(0x9E37_79B9) + 5));
        let text = system.text();
        let ever = system.reached();
        let by_size: Vec<BTreeSet<usize>> = (1..=system.locals + 1).map(|n| system.reached_with(n)).collect();
        assert_eq!(by_size[system.locals - 1], ever, "the cutoff, seed {seed}\n{text}");
        assert_eq!(by_size[system.locals], ever, "one more, seed {seed}\n{text}");
        let prover = prover(&text, Options::default(), Effort::default());
        for (local, name) in NAMES[..system.locals].iter().enumerate() {
            let proof = prover.prove(Some(&format!("never_{name}")), &mut RunToEnd);
            let first = by_size.iter().position(|reached| reached.contains(&local));
            match (&proof.conclusion, first) {
                (Conclusion::Holds { from }, None) => assert_eq!(*from, [1], "seed {seed}\n{text}"),
                (Conclusion::Violated { at, then: None, .. }, Some(first)) => {
                    assert_eq!(*at, [first as i64 + 1], "seed {seed}, {name}\n{text}");
                }
                (other, _) => panic!("seed {seed}, {name}: {other:?}, and not {first:?}\n{text}"),
            }
            holds += u32::from(first.is_none());
            late += u32::from(first.is_some_and(|first| first >= 2));
        }
    }
    assert!(cases < 2_000 || (holds > 500 && late > 20), "{holds} hold, {late} need three processes");
}
