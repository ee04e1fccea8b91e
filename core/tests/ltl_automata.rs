//! Automata: reductions keep the language, live states are those that accept something.

use crate::support::cases;
use crate::support::formulas::all_words;
use crate::support::random::Random;
use orbitscope_core::automaton::{
    Ap, AutomatonState, Label, Marks, Reductions, Tgba, TgbaError, Transition, reduce,
};

fn variants() -> Vec<(&'static str, Reductions)> {
    let none = Reductions { simulation_steps: Reductions::ALL.simulation_steps, ..Reductions::NONE };
    vec![
        ("nothing", none),
        ("trim", Reductions { trim: true, ..none }),
        ("marks", Reductions { marks: true, ..none }),
        ("simulation", Reductions { simulation: true, ..none }),
        ("reverse simulation", Reductions { reverse_simulation: true, ..none }),
        ("both simulations", Reductions { simulation: true, reverse_simulation: true, ..none }),
        ("all", Reductions::ALL),
        ("all, with few steps", Reductions { simulation_steps: 30, ..Reductions::ALL }),
    ]
}

#[test]
fn reductions_keep_the_language_of_random_automata() {
    let mut smaller = [0; 8];
    for case in 0..cases(4000) {
        let mut random = Random::new(case);
        let aps = 1 + random.below(2) as u32;
        let automaton = random.automaton(7, aps, 3);
        let words: Vec<_> = (0..25).map(|_| random.word(aps, 4)).collect();
        for (i, (name, reductions)) in variants().into_iter().enumerate() {
            let reduced = reduce(&automaton, reductions);
            assert!(reduced.state_count() <= automaton.state_count());
            smaller[i] += u32::from(reduced.state_count() < automaton.state_count());
            for word in &words {
                let expected = automaton.accepts(word);
                assert_eq!(reduced.accepts(word), expected, "case {case}, {name}: {automaton:?} on {word:?}");
            }
        }
    }
    assert!(smaller.iter().all(|&n| n > 0), "every reduction removes something: {smaller:?}");
}

// All automata with two states, one proposition and one acceptance set, on all short words.
#[test]
fn reductions_keep_the_language_of_all_tiny_automata() {
    let words = all_words(1, 2, 3);
    let [q, r] = [0, 1].map(AutomatonState);
    // For each of the four pairs of states and both letters: no transition, an unmarked or a marked one.
    for code in 0..3usize.pow(8) {
        // A fraction of them, spread evenly, and all if more cases are asked for.
        if code as u64 % 7 >= cases(1).min(7) {
            continue;
        }
        let mut transitions = vec![Vec::new(); 2];
        for i in 0..8 {
            let (source, target, positive) = (i & 1, [q, r][i >> 1 & 1], i >> 2 == 1);
            let marks = match code / 3usize.pow(i as u32) % 3 {
                0 => continue,
                1 => Marks::EMPTY,
                _ => Marks::of([0]),
            };
            transitions[source].push(Transition { target, marks, label: Label::literal(Ap(0), positive) });
        }
        let automaton = Tgba::new([q], 1, transitions).unwrap();
        let reduced = reduce(&automaton, Reductions::ALL);
        for word in &words {
            assert_eq!(reduced.accepts(word), automaton.accepts(word), "{automaton:?} on {word:?}");
        }
    }
}

// An automaton with one proposition and at most three states accepts some word if it accepts a short one.
#[test]
fn live_states_are_those_that_accept_a_word() {
    let words = all_words(1, 2, 4);
    for case in 0..cases(1500) {
        let mut random = Random::new(case);
        let automaton = random.automaton(3, 1, 2);
        let live = automaton.live_states();
        for q in automaton.states() {
            let transitions = automaton.states().map(|r| automaton.transitions(r).to_vec()).collect();
            let from_q = Tgba::new([q], automaton.sets(), transitions).unwrap();
            let accepts = words.iter().any(|w| from_q.accepts(w));
            assert_eq!(live[q], accepts, "case {case}, state {q:?} of {automaton:?}");
            assert_eq!(from_q.is_empty(), !accepts);
        }
    }
}

#[test]
fn parts_that_make_no_automaton_are_refused() {
    let q = AutomatonState(0);
    let to = |target, marks| Transition { target, marks, label: Label::always() };
    assert_eq!(Tgba::new([], 0, vec![vec![]]), Err(TgbaError::NoInitialState));
    assert_eq!(
        Tgba::new([AutomatonState(1)], 0, vec![vec![]]),
        Err(TgbaError::UnknownState(AutomatonState(1)))
    );
    let beyond = AutomatonState(7);
    assert_eq!(Tgba::new([q], 0, vec![vec![to(beyond, Marks::EMPTY)]]), Err(TgbaError::UnknownState(beyond)));
    assert_eq!(Tgba::new([q], 1, vec![vec![to(q, Marks::of([1]))]]), Err(TgbaError::UnknownMark(1)));
    assert_eq!(Tgba::new([q], 65, vec![vec![]]), Err(TgbaError::TooManySets(65)));
    let far = Transition { target: q, marks: Marks::EMPTY, label: Label::literal(Ap(5000), true) };
    assert_eq!(Tgba::new([q], 0, vec![vec![far]]), Err(TgbaError::TooManyPropositions(5001)));
    assert_eq!(
        Tgba::from_accepting_states([q], &[true], [(beyond, Label::always(), q)]),
        Err(TgbaError::UnknownState(beyond))
    );
}

#[test]
fn determinism_is_seen() {
    let q = AutomatonState(0);
    let label = |positive| Label::literal(Ap(0), positive);
    let make = |labels: &[Label]| {
        Tgba::from_accepting_states([q], &[true], labels.iter().map(|l| (q, l.clone(), q))).unwrap()
    };
    assert!(make(&[label(true), label(false)]).statistics().deterministic);
    assert!(!make(&[label(true), Label::always()]).statistics().deterministic);
    let two = Tgba::new([q, AutomatonState(1)], 0, vec![vec![], vec![]]).unwrap();
    assert!(!two.statistics().deterministic);
}
