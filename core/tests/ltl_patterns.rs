//! Sizes of the automata for the specification patterns of Dwyer, Avrunin and Corbett, and their correctness.
//!
//! `UPDATE_GOLDEN=1` writes the table anew.

use crate::support::formulas::{all_words, parse};
use crate::support::random::Random;
use orbitscope_core::automaton::{Ap, Cube, LassoWord, Tgba, Valuation};
use orbitscope_core::ltl::{Arena, FormulaId, Limits, translate};
use std::fmt::Write;

struct Pattern {
    name: String,
    scope: String,
    arena: Arena,
    formula: FormulaId,
    aps: u32,
    spot: [[usize; 2]; 2],
}

fn patterns() -> Vec<Pattern> {
    let text = include_str!("data/dwyer_patterns.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, scope, formula, positive, negative] = columns[..] else { panic!("{line}") };
            let (mut arena, mut names) = (Arena::new(), Vec::new());
            let formula = parse(&mut arena, &mut names, formula);
            let size = |column: &str| {
                let (states, transitions) = column.split_once(',').unwrap();
                [states.parse().unwrap(), transitions.parse().unwrap()]
            };
            Pattern {
                name: name.into(),
                scope: scope.into(),
                arena,
                formula,
                aps: names.len() as u32,
                spot: [size(positive), size(negative)],
            }
        })
        .collect()
}

// The number of letters that the transitions read, over the propositions that the automaton mentions.
fn logical_transitions(a: &Tgba) -> usize {
    let labels: Vec<_> = a.states().flat_map(|q| a.transitions(q)).map(|t| &t.label).collect();
    let mut aps: Vec<Ap> =
        labels.iter().flat_map(|l| l.cubes()).flat_map(Cube::literals).map(|(ap, _)| ap).collect();
    aps.sort_unstable();
    aps.dedup();
    let letter = |bits: usize| -> Valuation {
        aps.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &ap)| ap).collect()
    };
    (0..1 << aps.len()).map(|bits| labels.iter().filter(|l| l.eval(&letter(bits))).count()).sum()
}

#[test]
fn sizes_are_those_of_the_table() {
    let mut table = String::from(
        "# Automata for the 55 specification patterns of dwyer_patterns.txt and for their negations, which a checker uses.\n\
         # st: states, tr: transitions, sets: acceptance sets, log: logical transitions, D: deterministic.\n\
         # Spot: states and logical transitions as noted there.\n\
         #     formula                     | its negation                |\n\
         # no  st  tr sets  log   Spot     | st  tr sets  log   Spot     | pattern, scope\n",
    );
    let mut sums = [[0; 2]; 2];
    for (i, p) in patterns().iter_mut().enumerate() {
        write!(table, "  {:2}", i + 1).unwrap();
        let not = p.arena.not(p.formula);
        for (k, f) in [p.formula, not].into_iter().enumerate() {
            let a = translate(&p.arena, f, &Limits::default()).unwrap();
            let (s, log, spot) = (a.statistics(), logical_transitions(&a), p.spot[k]);
            sums[k][0] += s.states;
            sums[k][1] += spot[0];
            let deterministic = if s.deterministic { 'D' } else { ' ' };
            write!(
                table,
                "  {:2} {:3}  {:2}  {log:4} {:2} {:4} {deterministic}  |",
                s.states, s.transitions, s.sets, spot[0], spot[1]
            )
            .unwrap();
        }
        writeln!(table, " {}, {}", p.name, p.scope).unwrap();
    }
    let [[ours, spot], [ours_negated, spot_negated]] = sums;
    writeln!(table, "# states in all: {ours} (Spot {spot}), negations {ours_negated} (Spot {spot_negated})")
        .unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/dwyer.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    assert_eq!(table, std::fs::read_to_string(path).unwrap(), "UPDATE_GOLDEN=1 writes the table anew");
}

#[test]
fn patterns_are_translated_correctly() {
    let words: Vec<LassoWord> = all_words(2, 1, 1);
    for (i, p) in patterns().iter_mut().enumerate() {
        let not = p.arena.not(p.formula);
        let mut random = Random::new(i as u64);
        for f in [p.formula, not] {
            let automaton = translate(&p.arena, f, &Limits::default()).unwrap();
            let random_words = (0..400).map(|_| random.word(p.aps, 7)).collect::<Vec<_>>();
            for word in random_words.iter().chain(&words) {
                let expected = p.arena.holds_on(f, word);
                assert_eq!(automaton.accepts(word), expected, "{}, {} on {word:?}", p.name, p.scope);
            }
        }
    }
}

// The usual families of growing formulas: states, transitions and acceptance sets stay linear in n. One that cannot (it
// needs a state for each set of open requests) ends in an error.
#[test]
fn families_grow_as_little_as_they_can() {
    let join = |n: usize, word: &str, part: &dyn Fn(usize) -> String| {
        (1..=n).map(part).collect::<Vec<_>>().join(&format!(" {word} "))
    };
    let often = |n| join(n, "and", &|i| format!("G F a{i}"));
    let size = |text: &str| {
        let (mut arena, mut names) = (Arena::new(), Vec::new());
        let f = parse(&mut arena, &mut names, text);
        translate(&arena, f, &Limits::default()).map(|a| (a.state_count(), a.transition_count(), a.sets()))
    };
    for n in [4, 6, 8, 10, 16, 32] {
        let sets = n as u32;
        assert_eq!(size(&often(n)), Ok((1, n + 1, sets)));
        assert_eq!(size(&format!("({}) -> G F b", often(n))), Ok((n + 2, 2 * n + 4, 1)));
        assert_eq!(size(&format!("!(({}) -> G F b)", often(n))), Ok((2, n + 3, sets)));
        // P. Gastin, D. Oddoux: Fast LTL to Büchi automata translation, CAV 2001, section 6.
        assert_eq!(size(&format!("!(({}) -> G (q -> F r))", often(n))), Ok((2, n + 3, sets)));
        assert_eq!(size(&join(n, "and", &|i| format!("F G a{i}"))), Ok((2, 3, 1)));
        let triangle = (n + 1) * (n + 2) / 2;
        assert_eq!(size(&join(n + 1, "U", &|i| format!("a{i}"))), Ok((n + 1, triangle, 1)));
        assert_eq!(size(&join(n + 1, "R", &|i| format!("a{i}"))), Ok((n + 1, triangle, 0)));
    }
    let responses = |n| join(n, "and", &|i| format!("G (a{i} -> F b{i})"));
    assert_eq!(size(&responses(4)), Ok((16, 256, 4)));
    assert!(size(&responses(12)).is_err());
}
