//! The automaton of a formula accepts a word if and only if the word satisfies the formula.

use crate::support::cases;
use crate::support::formulas::{all_formulas, all_words, show};
use crate::support::random::Random;
use orbitscope_core::automaton::{Reductions, Tgba};
use orbitscope_core::ltl::{
    Arena, FormulaId, Limits, Options, TranslateError, simplify, translate, translate_with,
};

const WORDS: u64 = 10;

fn random_formulas(seed: u64, pairs: u64, mut test: impl FnMut(&mut Arena, FormulaId, &mut Random, u64)) {
    for case in 0..pairs.div_ceil(WORDS) {
        let mut random = Random::new(seed + case);
        let mut arena = Arena::new();
        let aps = 1 + random.below(3) as u32;
        let size = 1 + random.below(9);
        let f = random.formula(&mut arena, size, aps);
        test(&mut arena, f, &mut random, case);
    }
}

fn compare(arena: &Arena, f: FormulaId, automaton: &Tgba, random: &mut Random, context: &str) {
    for _ in 0..WORDS {
        let word = random.word(3, 5);
        assert_eq!(
            automaton.accepts(&word),
            arena.holds_on(f, &word),
            "{context}: {} on {word:?}",
            show(arena, f)
        );
    }
}

#[test]
fn automata_accept_what_formulas_say() {
    random_formulas(1, cases(60_000), |arena, f, random, case| {
        let automaton = translate(arena, f, &Limits::default()).unwrap();
        compare(arena, f, &automaton, random, &format!("case {case}"));
    });
}

// Each part of the translation with the others left out, so that no part hides another's mistake.
#[test]
fn every_part_of_the_translation_keeps_the_language() {
    let none = Options { simplify: false, split_or: Some(false), reductions: Reductions::NONE };
    let steps = Reductions::ALL.simulation_steps;
    let reduced = |reductions: Reductions| Options { reductions, ..none };
    let trim = Reductions { trim: true, ..Reductions::NONE };
    let parts = [
        ("nothing", none),
        ("split or", Options { split_or: Some(true), ..none }),
        ("simplified", Options { simplify: true, ..none }),
        ("trimmed", reduced(trim)),
        ("marks", reduced(Reductions { marks: true, ..trim })),
        ("simulation", reduced(Reductions { simulation: true, simulation_steps: steps, ..Reductions::NONE })),
        (
            "reverse",
            reduced(Reductions { reverse_simulation: true, simulation_steps: steps, ..Reductions::NONE }),
        ),
        ("all reductions", reduced(Reductions::ALL)),
        ("all, split", Options { split_or: Some(true), ..reduced(Reductions::ALL) }),
    ];
    random_formulas(2_000_000, cases(10_000), |arena, f, random, case| {
        for (name, options) in parts {
            match translate_with(arena, f, &Limits::default(), options) {
                Ok(automaton) => compare(arena, f, &automaton, random, &format!("{name}, case {case}")),
                // Without reductions a few formulas need more acceptance sets or transitions than there may be.
                Err(error) => assert_ne!(options.reductions, Reductions::ALL, "{error}"),
            }
        }
    });
}

#[test]
fn simplification_keeps_the_meaning() {
    let mut changed = 0;
    random_formulas(3_000_000, cases(200_000), |arena, f, random, case| {
        let simple = simplify(arena, f);
        changed += u64::from(simple != f);
        for _ in 0..WORDS {
            let word = random.word(3, 5);
            assert_eq!(
                arena.holds_on(simple, &word),
                arena.holds_on(f, &word),
                "case {case}: {} became {} on {word:?}",
                show(arena, f),
                show(arena, simple)
            );
        }
    });
    assert!(changed > 0);
}

#[test]
fn all_small_formulas_on_all_small_words() {
    for (aps, size, prefix, cycle) in [(1, 3, 2, 3), (2, 2, 1, 2)] {
        let mut arena = Arena::new();
        let formulas = all_formulas(&mut arena, size, aps);
        let words = all_words(aps, prefix, cycle);
        for f in formulas {
            let automaton = translate(&arena, f, &Limits::default()).unwrap();
            for word in &words {
                assert_eq!(
                    automaton.accepts(word),
                    arena.holds_on(f, word),
                    "{} on {word:?}",
                    show(&arena, f)
                );
            }
        }
    }
}

// A formula and its negation share no word, and every word satisfies one of them.
#[test]
fn negation_complements() {
    random_formulas(4_000_000, cases(10_000), |arena, f, random, case| {
        let not = arena.not(f);
        let positive = translate(arena, f, &Limits::default()).unwrap();
        let negative = translate(arena, not, &Limits::default()).unwrap();
        for _ in 0..WORDS {
            let word = random.word(3, 5);
            assert_ne!(positive.accepts(&word), negative.accepts(&word), "case {case}: {}", show(arena, f));
        }
    });
}

#[test]
fn limits_are_errors() {
    let mut arena = Arena::new();
    let mut random = Random::new(5);
    let mut seen = [false; 4];
    for _ in 0..1000 {
        let f = random.formula(&mut arena, 12, 4);
        let limits = Limits { formulas: 15, states: 6, transitions: 12, steps: 400 };
        match translate(&arena, f, &limits) {
            Ok(automaton) => assert!(automaton.state_count() <= 6 && automaton.transition_count() <= 12),
            Err(TranslateError::Formulas(15)) => seen[0] = true,
            Err(TranslateError::States(6)) => seen[1] = true,
            Err(TranslateError::Transitions(12)) => seen[2] = true,
            Err(TranslateError::Steps(400)) => seen[3] = true,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(seen, [true; 4]);
}
