//! The HOA format: what is written is read back, examples mean what they should, and bad text is an error with a place.

use crate::support::cases;
use crate::support::random::Random;
use orbitscope_core::automaton::hoa::{HoaErrorKind, read, write};
use orbitscope_core::automaton::{AutomatonState, Marks, TgbaError, Valuation};
use orbitscope_core::ltl::{Arena, Limits, translate};

#[test]
fn what_is_written_is_read_back() {
    for case in 0..cases(3000) {
        let mut random = Random::new(case);
        let mut arena = Arena::new();
        let size = random.below(9);
        let f = random.formula(&mut arena, size, 3);
        let automaton = translate(&arena, f, &Limits::default()).unwrap();
        let text = write(&automaton, "a \"name\" \\ with signs", &["p", "q == \"x\"", "r\\s"]);
        let hoa = read(&text).unwrap_or_else(|e| panic!("case {case}: {e} at {:?} in {text}", e.span));
        assert_eq!(hoa.automaton, automaton, "case {case}: {text}");
        assert_eq!(hoa.name.as_deref(), Some("a \"name\" \\ with signs"));
        let names: Vec<_> = hoa.propositions.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["p", "q == \"x\"", "r\\s"]);
        assert_eq!(write(&hoa.automaton, "a \"name\" \\ with signs", &names), text);
    }
}

// Labels that are not in the form that the reader chooses still mean the same.
#[test]
fn random_automata_keep_their_transitions() {
    for case in 0..cases(1000) {
        let mut random = Random::new(case);
        let automaton = random.automaton(5, 3, 4);
        let back = read(&write::<&str>(&automaton, "", &[])).unwrap().automaton;
        assert_eq!(back.initial(), automaton.initial());
        assert_eq!((back.state_count(), back.sets()), (automaton.state_count(), automaton.sets()));
        for q in automaton.states() {
            for _ in 0..10 {
                let letter = random.letter(3);
                let sorted = |a: &orbitscope_core::automaton::Tgba| {
                    let mut all: Vec<_> = a.successors(q, &letter).collect();
                    all.sort_unstable();
                    // Equal transitions with different labels may have become one.
                    all.dedup();
                    all
                };
                assert_eq!(sorted(&back), sorted(&automaton), "case {case}");
            }
        }
    }
}

const EXAMPLE: &str = r#"HOA: v1
/* a comment /* in a comment */ */
name: "GFa & GFb"
States: 2
Start: 0
Start: 1
acc-name: generalized-Buchi 2
Acceptance: 2 (Inf(0) & (Inf(1)))
AP: 2 "a" "b"
Alias: @a 0
Alias: @ab @a & 1
extra: 1 "two" three
properties: trans-labels explicit-labels
--BODY--
State: 0 "first" {1}
[@a & !@ab | f] 0 {0}
[!(0 | 1) & t] 1
State: [!1] 1
0
--END--
"#;

#[test]
fn an_example_is_understood() {
    let hoa = read(EXAMPLE).unwrap();
    let [q, r] = [0, 1].map(AutomatonState);
    let a = &hoa.automaton;
    assert_eq!(a.initial(), [q, r]);
    assert_eq!(a.sets(), 2);
    assert_eq!(hoa.state_names.as_slice(), [Some("first".to_string()), None]);
    let letters: Vec<Valuation> = [0, 1, 2, 3]
        .map(|bits| (0..2).filter(|i| bits >> i & 1 == 1).map(orbitscope_core::automaton::Ap).collect())
        .into();
    let from = |q, letter: usize| a.successors(q, &letters[letter]).collect::<Vec<_>>();
    assert_eq!(from(q, 0), [(Marks::of([1]), r)]);
    assert_eq!(from(q, 1), [(Marks::of([0, 1]), q)]);
    assert_eq!(from(q, 2), []);
    assert_eq!(from(q, 3), []);
    assert_eq!(from(r, 1), [(Marks::EMPTY, q)]);
    assert_eq!(from(r, 2), []);
    assert_eq!(
        &EXAMPLE[hoa.propositions[1].span.start as usize..hoa.propositions[1].span.end as usize],
        "\"b\""
    );
}

#[test]
fn implicit_labels_count_through_the_letters() {
    let text = r#"HOA: v1 States: 2 Start: 0 Acceptance: 1 Inf(0) AP: 2 "a" "b"
        --BODY-- State: 0 {0} 0 1 1 0 State: 1 0 0 0 1 --END--"#;
    let a = read(text).unwrap().automaton;
    let targets = |q: u32| -> Vec<u32> {
        (0..4u32)
            .flat_map(|bits| {
                let letter: Valuation =
                    (0..2).filter(|i| bits >> i & 1 == 1).map(orbitscope_core::automaton::Ap).collect();
                a.successors(AutomatonState(q), &letter).map(|(_, r)| r.0).collect::<Vec<_>>()
            })
            .collect()
    };
    assert_eq!(targets(0), [0, 1, 1, 0]);
    assert_eq!(targets(1), [0, 0, 0, 1]);
}

#[test]
fn sets_that_the_condition_does_not_mention_are_left_out() {
    let text = "HOA: v1 States: 1 Start: 0 Acceptance: 3 Inf(2) --BODY-- State: 0 [t] 0 {0 2} --END--";
    let a = read(text).unwrap().automaton;
    assert_eq!((a.sets(), a.transitions(AutomatonState(0))[0].marks), (1, Marks::of([0])));
    let all = read(&text.replace("Inf(2)", "t")).unwrap().automaton;
    assert_eq!((all.sets(), all.transitions(AutomatonState(0))[0].marks), (0, Marks::EMPTY));
}

#[test]
fn without_a_count_every_number_is_a_state() {
    let text = "HOA: v1 Start: 2 Acceptance: 0 t --BODY-- State: 2 [t] 4 --END--";
    assert_eq!(read(text).unwrap().automaton.state_count(), 5);
}

#[test]
fn bad_text_is_an_error_with_a_place() {
    use HoaErrorKind as K;
    let good = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 {0} State: 1 [t] 1 --END--"#;
    read(good).unwrap();
    // The text to replace, its replacement, the error, and the text that its span covers.
    let check = |old: &str, new: &str, kind: K, place: &str| {
        assert!(good.contains(old), "{old}");
        let text = good.replacen(old, new, 1);
        let error = read(&text).expect_err(&text);
        assert_eq!(error.kind, kind, "{text}");
        let span = error.span.start as usize..error.span.end as usize;
        assert_eq!(&text[span], place, "{kind:?} in {text}");
        assert!(!error.to_string().is_empty());
    };
    check("HOA: v1 ", "", K::MissingHeader("HOA"), "States:");
    check("v1", "v2", K::Version("v2".into()), "v2");
    check("v1", "1", K::Expected("the format's version"), "1");
    check("Acceptance: 1 Inf(0)", "", K::MissingHeader("Acceptance"), "--BODY--");
    check("Start: 0", "", K::Automaton(TgbaError::NoInitialState), "--BODY--");
    check("Start: 0", "Start: 2", K::UnknownState { number: 2, count: 2 }, "2");
    check("Start: 0", "Start: 0&1", K::UniversalBranching, "0&");
    check("] 1 {0}", "] 1&0 {0}", K::UniversalBranching, "1&");
    check("] 1 {0}", "] 2 {0}", K::UnknownState { number: 2, count: 2 }, "2");
    check("State: 1", "State: 0", K::DuplicateState(0), "0");
    check("State: 1", "State: 2", K::UnknownState { number: 2, count: 2 }, "2");
    check("States: 2", "States: 2 States: 2", K::DuplicateHeader("States".into()), "States:");
    check("AP: 2 \"a\" \"b\"", "AP: 0 AP: 0", K::DuplicateHeader("AP".into()), "AP:");
    check(
        "Acceptance:",
        "Acceptance: 0 t Acceptance:",
        K::DuplicateHeader("Acceptance".into()),
        "Acceptance:",
    );
    check("Acceptance:", "HOA: v1 Acceptance:", K::DuplicateHeader("HOA".into()), "HOA:");
    check("Acceptance:", "name: \"x\" name: \"y\" Acceptance:", K::DuplicateHeader("name".into()), "name:");
    check("Acceptance:", "Fancy: 1 Acceptance:", K::UnknownHeader("Fancy".into()), "Fancy:");
    check("AP: 2", "AP: 3", K::PropositionCount { announced: 3, given: 2 }, "3");
    check("AP: 2", "AP: 1", K::PropositionCount { announced: 1, given: 2 }, "1");
    check("AP: 2", "AP: 2000", K::Automaton(TgbaError::TooManyPropositions(2000)), "2000");
    check("\"b\"", "\"a\"", K::DuplicateProposition("a".into()), "\"a\"");
    check("[0]", "[2]", K::UnknownProposition { number: 2, count: 2 }, "2");
    check("[0]", "[!(0 | 70000)]", K::UnknownProposition { number: 70000, count: 2 }, "70000");
    check("AP: 2", "Alias: @x 0&7 AP: 2", K::UnknownProposition { number: 7, count: 2 }, "7");
    check("AP: 2", "Alias: @x 0 Alias: @x 1 AP: 2", K::DuplicateAlias("x".into()), "@x");
    check("[0]", "[@x]", K::UnknownAlias("x".into()), "@x");
    check("[0]", "[0", K::Expected("] after the label"), "1");
    check("[0]", "[(0]", K::Expected("), & or |"), "]");
    check("[0]", "[0)]", K::Expected("] after the label"), ")");
    check("[0]", "[0&]", K::Expected("a proposition's number, an alias, t or f"), "]");
    check("Inf(0)", "Fin(0)", K::Acceptance("Fin".into()), "Fin");
    check("Inf(0)", "f", K::Acceptance("f".into()), "f");
    check("Inf(0)", "Inf(!0)", K::Acceptance("the complement of a set".into()), "!");
    check("Inf(0)", "Inf(0) | Inf(0)", K::Acceptance("a disjunction".into()), "|");
    check("Inf(0)", "Inf(1)", K::UnknownSet { number: 1, count: 1 }, "1");
    check("Inf(0)", "(Inf(0)", K::Expected(") in the acceptance condition"), "--BODY--");
    check("Inf(0)", "", K::Expected("an acceptance condition"), "--BODY--");
    check("{0}", "{1}", K::UnknownSet { number: 1, count: 1 }, "1");
    check("{0}", "{0", K::Expected("} after the acceptance sets"), "State:");
    check("[t] 1", "1 [t] 1", K::MixedLabels(1), "[");
    check("State: 1 [t] 1", "State: [0] 1 [1] 1", K::MixedLabels(1), "[");
    check("[t] 1", "1 1 1", K::ImplicitEdges { state: 1, needed: 4, given: 3 }, "1");
    check("--END--", "", K::Expected("State:, an edge or --END--"), "");
    check("--END--", "--ABORT--", K::Expected("State:, an edge or --END--"), "--ABORT--");
    check("--END--", "--END-- HOA: v1", K::TrailingInput, "HOA:");
    check("States: 2", "States: 2000000", K::TooManyStates(1 << 20), "2000000");
    check("States: 2", "States: 99999999999", K::NumberTooLarge, "99999999999");
    check("States: 2", "States: x", K::Expected("the number of states"), "x");
    check("States: 2", "States: 2 ;", K::UnexpectedCharacter(';'), ";");
    check(
        "\"b\"",
        "/* \"b\"",
        K::Unclosed("comment"),
        &good[good.find("\"b\"").unwrap()..].replace("\"b\"", "/* \"b\""),
    );
    let sets: Vec<String> = (0..65).map(|i| format!("Inf({i})")).collect();
    let many = format!("65 {}", sets.join("&"));
    check("1 Inf(0)", &many, K::Automaton(TgbaError::TooManySets(65)), &format!("{many} "));
    let open = good.replacen("\"b\"", "\"b", 1);
    assert_eq!(read(&open).unwrap_err().kind, K::Unclosed("string"));
}

// Deep nesting takes no stack.
#[test]
fn nesting_is_no_danger() {
    let deep = |label: &str| {
        format!(
            "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--"
        )
    };
    let n = 200_000;
    let negated = deep(&("!".repeat(n) + "0"));
    assert_eq!(read(&negated).unwrap().automaton.transition_count(), 1);
    let nested = deep(&("(".repeat(n) + "0" + &")".repeat(n)));
    assert_eq!(read(&nested).unwrap().automaton.transition_count(), 1);
    assert!(read(&deep(&"(".repeat(n))).is_err());
    assert!(read(&format!("{}HOA: v1", "/*".repeat(n))).is_err());
}

#[test]
fn mutated_text_never_panics() {
    let mut read_anyway = 0;
    for case in 0..cases(30_000) {
        let mut random = Random::new(case);
        let mut bytes = EXAMPLE.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.bits() as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"&|!()[]{}@\"0129:-tfHSA \n*/"[random.below(26)]),
                _ => {
                    let to = at + random.below((bytes.len() - at).min(40));
                    let piece = bytes[at..to].to_vec();
                    let place = random.below(bytes.len());
                    bytes.splice(place..place, piece);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match read(&text) {
            Ok(hoa) => {
                read_anyway += 1;
                let again = read(&write(&hoa.automaton, "", &["a", "b"])).unwrap();
                assert_eq!(again.automaton, hoa.automaton);
            }
            Err(error) => {
                let span = error.span.start as usize..error.span.end as usize;
                assert!(text.get(span).is_some(), "case {case}: the span is inside the text");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read_anyway > 0);
}
