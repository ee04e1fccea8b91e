//! Every size at once: models of which the answers are known.

mod cutoff;
mod figures;

use orbitscope_core::check::Options;
use orbitscope_core::every::{Conclusion, Effort, Found, Proof, Prover, Reason, Rule, RunToEnd};
use orbitscope_core::models;
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::ast::Fairness;
use orbitscope_core::syntax::parse;

fn prover(text: &str, options: Options, effort: Effort) -> Prover {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    match Prover::new(&parsed.file, &Settings::default(), &[], options, effort) {
        Ok(prover) => prover,
        Err(errors) => panic!("{}", errors[0].message),
    }
}

fn built_in(name: &str) -> &'static str {
    models::find(name).unwrap().source
}

fn prove(text: &str, property: &str, fairness: FairnessChoice, effort: Effort) -> Proof {
    prover(text, Options { fairness, ..Options::default() }, effort).prove(Some(property), &mut RunToEnd)
}

/// How an answer is told in the tables below.
fn told(proof: &Proof) -> String {
    match &proof.conclusion {
        Conclusion::Holds { from } => {
            let rules = proof.rules.map(|rules| rules.to_string());
            format!("every {from:?} {}", rules.unwrap_or_default())
        }
        Conclusion::Violated { never: true, .. } => "never".into(),
        Conclusion::Violated { at, then: None, .. } => format!("violated {at:?}"),
        Conclusion::Violated { at, then: Some(then), .. } => format!("violated {at:?} then {then:?}"),
        Conclusion::Unknown(Reason::Outside(_)) => "outside".into(),
        Conclusion::Unknown(Reason::Spurious { .. }) => "unknown".into(),
        Conclusion::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// Any number for *many* gives the same answer, if the threshold is what the terms need.
#[test]
fn many_is_any_number_above_the_threshold() {
    for model in ["simplified_controller", "mutex_emerson_sistla", "ethernet", "arbiter", "futurebus"] {
        let sizes = [0, 1, 4].map(|spare| {
            let effort = Effort { spare, ..Effort::default() };
            let prover = prover(built_in(model), Options::default(), effort);
            let least: Vec<i64> = prover.opened().params.iter().map(|p| p.least).collect();
            let (proof, _) = prover.attempt(None, &least, 0, &mut RunToEnd);
            (proof.states, proof.edges)
        });
        assert!(sizes[0] == sizes[1] && sizes[1] == sizes[2], "{model}: {sizes:?}");
    }
}

/// The models made for one rule each, with what they need.
#[test]
fn models_that_need_a_rule() {
    let all = crate::support::read_models("every");
    assert!(all.len() >= 8, "{}", all.len());
    for (file, text) in all {
        let prover = prover(&text, Options::default(), Effort::default());
        let mut lines = text.lines().peekable();
        let mut tried = 0;
        while let Some(line) = lines.next() {
            let Some(expected) = line.strip_prefix("// answer: ") else { continue };
            let next = lines.peek().expect("a property follows");
            let name = next.split([' ', ':']).nth(1).expect("it has a name");
            let proof = prover.prove(Some(name), &mut RunToEnd);
            assert_eq!(told(&proof), expected, "{file} {name}: {}", proof.words());
            tried += 1;
            // Nor does the abstract system alone, which knows of no instance, prove what is violated.
            if expected.starts_with("violated") && !proof.covers {
                let least: Vec<i64> = proof.params.iter().map(|p| p.least).collect();
                let (_, found) = prover.attempt(Some(name), &least, 0, &mut RunToEnd);
                assert!(matches!(found, Some(Found::Left { .. })), "{file} {name}: {found:?}");
            }
        }
        assert!(tried > 0, "{file}");
    }
}

#[test]
fn fairness_decides() {
    let text = built_in("mutex_emerson_sistla");
    let strong = FairnessChoice::All(Fairness::Strong);
    assert_eq!(told(&prove(text, "no_starvation", strong, Effort::default())), "every [1] threads");
    assert_eq!(told(&prove(text, "no_starvation", FairnessChoice::Model, Effort::default())), "violated [2]");
    let none = FairnessChoice::All(Fairness::None);
    let text = built_in("simplified_controller");
    assert_eq!(told(&prove(text, "always_idle_again", none, Effort::default())), "violated [2]");
}

/// Budgets: a small one is an honest *unknown*.
#[test]
fn budgets() {
    let effort = Effort { states: 10, ..Effort::default() };
    let proof = prove(built_in("ethernet"), "one_sender", FairnessChoice::Model, effort);
    assert_eq!(proof.words(), "unknown: the abstract system has more states than allowed");
    assert_eq!((proof.states, proof.checked.len()), (10, 5), "what was known so far: n = 2 to 6");
    // An instance that is too large is no reason not to look at all of them at once.
    let effort = Effort { instance: 100, ..Effort::default() };
    let proof = prove(built_in("ethernet"), "one_sender", FairnessChoice::Model, effort);
    assert_eq!(told(&proof), "every [2] simulation");
    assert_eq!(proof.checked.last().map(|one| one.verdict), Some("unknown"));
    let effort = Effort { rules: Rule::Simulation, refine: false, ..Effort::default() };
    let proof = prove(built_in("mutex_emerson_sistla"), "somebody_enters", FairnessChoice::Model, effort);
    assert_eq!(told(&proof), "unknown");
    assert!(proof.words().contains("may or may not"), "{}", proof.words());
}

fn refused(text: &str) -> String {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    match Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), Effort::default()) {
        Err(errors) => {
            let span = errors[0].span;
            format!("{} | {}", &text[span.start as usize..span.end as usize], errors[0].message)
        }
        Ok(prover) => match prover.prove(Some("p"), &mut RunToEnd).conclusion {
            Conclusion::Unknown(Reason::Outside(outside)) => {
                let span = outside.span;
                format!("{} | {}", &text[span.start as usize..span.end as usize], outside.message)
            }
            other => format!("{other:?}"),
        },
    }
}

/// A property outside of the fragment is refused, at its place.
#[test]
fn refusals() {
    let model = |property: &str| {
        format!(
            "param n = 3\nprocess c[n] {{ var x: bool = false action go: not x -> x := true }}\n{property}"
        )
    };
    let starts = |text: &str, with: &str| {
        let got = refused(text);
        assert!(got.starts_with(with), "{got}");
    };
    starts(
        &model("invariant p: count(a in c: a.x) < count(a in c: not a.x)"),
        "count(a in c: a.x) | this number",
    );
    starts(&model("invariant p: count(a in c: a.x) < n"), "n | the property uses `n`");
    starts(
        &model("define most = n - 1\ninvariant p: count(a in c: a.x) <= most"),
        "most | the property uses `most`",
    );
    starts(&model("invariant p: not c[0].x"), "c[0] | this names one process");
    starts(&model("ltl p: G exists a in c: F a.x"), "exists a in c: F a.x | `exists` over `c`");
    starts(&model("ctl p: EF exists a in c: a.x"), "EF exists a in c: a.x | properties of branching time");
    starts(&model("ltl p: G F exists a in c: executed(a)"), "executed(a) | this asks which");
    starts(
        "param n = 3\nshared s: 0..n = 0\nprocess c[n] { action go: true -> s := 0 }\ninvariant p: true",
        "n | the model uses `n`",
    );
    starts(
        "param n = 3\nprocess c[n] { var x: 0..9 = 0 action go: true -> x := index(self) }\ninvariant p: true",
        "",
    );
    starts(
        "param n = 3\nprocess c[n] ring { var x: bool = false action go: next(self).x -> x := true }\ninvariant p: true",
        "",
    );
    let got = refused(
        "param n = 3\nshared s: 0..9 = 0\nprocess c[n] { var x: bool = false action go: s == 0 -> s := count(d in c: d.x) }\ninvariant p: true",
    );
    assert!(got.contains("not compared with a fixed number"), "{got}");
}

/// Where all that an abstract state is read as take part in a step, there are others still who stand by.
#[test]
fn bystanders_change_too() {
    let all = crate::support::read_models("every");
    let (_, text) = all.iter().find(|(file, _)| file == "bystanders.orb").unwrap();
    for spare in [0, 1, 2] {
        let prover = prover(text, Options::default(), Effort { spare, ..Effort::default() });
        let (_, found) = prover.attempt(Some("nobody_is_sent"), &[1], 0, &mut RunToEnd);
        assert!(matches!(found, Some(Found::Left { .. })), "{spare}: {found:?}");
    }
}

/// However an open parameter gets into a model, it is seen; a program is built for one value, and others would be other programs.
#[test]
fn every_use_of_the_parameter_is_seen() {
    let model = |head: &str, guard: &str| {
        format!(
            "param n = 3\n{head}\nprocess c[n] {{ var x: bool = false {guard} }}\ninvariant p: not exists d in c: d.x"
        )
    };
    let uses = [
        ("type wide = 0..n", "action go(i in wide): i == 600 -> x := true"),
        ("type wide = 0..n", "action go: exists i in wide: i == 600 -> x := true"),
        ("type wide = 0..n\nshared s[wide]: bool = false", "action go: s[0] -> x := true"),
        ("shared s: bag[n] of {a} = {}", "action go: room(s) -> x := true"),
        ("shared s: queue[n] of bool = {}", "action go: room(s) -> x := true"),
        ("type pack = record { k: 0..n }\nshared s: pack = pack(k: 0)", "action go: s.k == 600 -> x := true"),
        ("function big(): bool { return n > 600 }", "action go: big() -> x := true"),
        ("procedure up(out y: bool) { if n > 600 { y := true } }", "action go { up(x) }"),
        ("define big = n > 600", "action go: big -> x := true"),
        ("define more(k) = k + n", "action go: more(1) > 600 -> x := true"),
        ("param m = n + 1", "action go: m > 600 -> x := true"),
        ("assume n < 600", "action go: true -> x := x"),
        ("define few = n < 600\nassume few", "action go: true -> x := x"),
        ("", "action go { for i in 0..n { if i == 600 { x := true } } }"),
        ("", "loop { a: await n > 600; x := true }"),
        ("", "loop { a: with i in 0..n { await i == 600; x := true } }"),
        ("type wide = 0..n", "loop { a: with i in wide { await i == 600; x := true } }"),
        ("", "var y: 0..n = 0 action go: y == 600 -> x := true"),
    ];
    for (head, guard) in uses {
        let got = refused(&model(head, guard));
        assert!(got.contains("the model uses"), "{head} {guard}: {got}");
    }
    // As a size, in whatever way, it is no obstacle.
    let text = "param n = 3\nparam m = 2 * n\nprocess c[m] { var x: bool = false action go: false -> x := true }\ninvariant p: not exists d in c: d.x";
    let proof = prove(text, "p", FairnessChoice::Model, Effort::default());
    assert_eq!(told(&proof), "every [1] simulation");
}

/// Who executes is known of processes that are told apart, and not of those that a variable holds.
#[test]
fn who_a_variable_holds_is_not_followed() {
    let text = "param n = 3\nshared own: c? = none
        process c[n] { var x: bool = false action take: own == none -> own := self action flip: own == self -> x := not x }
        ltl p: G (own == none or not executed(own))
        invariant q: own == none or (own.x or not own.x)";
    assert!(refused(text).starts_with("executed(own) | this asks which"), "{}", refused(text));
    assert_eq!(told(&prove(text, "q", FairnessChoice::Model, Effort::default())), "every [1] simulation");
}

/// Where fairness is chosen for all, no action is fair by itself.
#[test]
fn actions_that_are_fair_by_themselves() {
    let text = "param n = 3\nprocess c[n] { var x: bool = false action go: not x -> x := true action stay: true -> x := x }
        fairness c.go: strong
        ltl p: forall d in c: F d.x";
    assert_eq!(told(&prove(text, "p", FairnessChoice::Model, Effort::default())), "every [1] simulation");
    let weak = FairnessChoice::All(Fairness::Weak);
    assert_eq!(told(&prove(text, "p", weak, Effort::default())), "violated [1]");
}

/// A proof names its assumption, and a state that the assumption cuts off is no deadlock.
#[test]
fn assumptions() {
    let all = crate::support::read_models("every");
    let (_, text) = all.iter().find(|(file, _)| file == "cut_off.orb").unwrap();
    let proof = prover(text, Options::default(), Effort::default()).prove(None, &mut RunToEnd);
    assert_eq!(proof.words(), "holds for every n >= 4, assuming count(x0 in client: x0.st == idle) >= 3");
    // With more processes than the text says the first state may be outside.
    let got = refused(
        "param n = 2\nprocess c[n] { var x: bool = false action go: not x -> x := true }\nassume count(d in c: not d.x) <= 2\ninvariant p: true",
    );
    assert!(got.starts_with("assume") && got.contains("outside of what is assumed"), "{got}");
}

/// With one more tracked process there are two at least: a single one beside many of another family is not spoken for. Of `q` one is
/// tracked by the property already, and both properties are violated with n = 1 and m = 6, which is too far for a small effort.
#[test]
fn one_more_tracked_needs_one_more_process() {
    let text = "param n = 1 in 1..50\nparam m = 1 in 1..50
        shared alone: bool = false
        process a[n] { var z: bool = false action look: not alone and not (exists d in a: d != self) -> alone := true }
        process b[m] { var y: bool = false action go: not y -> y := true }
        define six = alone and count(d in b: d.y) >= 6
        invariant p: not six
        ltl q: forall c in a: G (c.z or not six)";
    for property in ["p", "q"] {
        let answer = |small| {
            let effort = Effort { small, ..Effort::default() };
            prove(text, property, FairnessChoice::Model, effort)
        };
        let proof = answer(1);
        assert_eq!(told(&proof), "unknown", "{property}: {}", proof.words());
        assert_eq!(told(&answer(6)), "violated [1, 6] then [2, 1]", "{property}");
    }
}

/// Two parameters: the strips where one is small are looked at with exact counts; what goes wrong there alone holds beyond them.
#[test]
fn several_parameters() {
    let proof = prove(built_in("readers_writers"), "reads_alone", FairnessChoice::Model, Effort::default());
    assert_eq!(told(&proof), "violated [2, 1]");
    let text = "param n = 2 in 1..50\nparam m = 2 in 1..50
        process a[n] { var x: bool = false action go: not x and count(b in b: b.y) >= 2 -> x := true }
        process b[m] { var y: bool = true action stay: y -> y := true }
        invariant p: true
        ltl q: forall c in a: F c.x";
    let prover = prover(text, Options::default(), Effort::default());
    let (_, found) = prover.attempt(Some("q"), &[1, 2], 0, &mut RunToEnd);
    // With at least two of them it would hold, but one is a size too.
    assert!(matches!(found, Some(Found::Left { .. })), "{found:?}");
    assert_eq!(told(&prover.prove(Some("q"), &mut RunToEnd)), "violated [1, 1] then [1, 2]");
}

/// Three parameters: a proof from some values on stands for all only if every smaller instance was checked, and here there are more of
/// these than are checked. The smallest that is violated is n = m = k = 4, which is not among the first hundred.
#[test]
fn what_was_not_checked_is_not_claimed() {
    let text = "param n = 1 in 1..50\nparam m = 1 in 1..50\nparam k = 1 in 1..50
        shared bad: bool = false
        process a[n] { var x: bool = true action stay: x -> x := true }
        process b[m] { var x: bool = true action stay: x -> x := true }
        process c[k] { var x: bool = true action stay: x -> x := true }
        define four = count(i in a: i.x) >= 4 and count(i in b: i.x) >= 4 and count(i in c: i.x) >= 4
        define six = count(i in a: i.x) <= 6 and count(i in b: i.x) <= 6 and count(i in c: i.x) <= 6
        process judge { action spoil: four and six and not bad -> bad := true }
        invariant p: not bad";
    let prover = prover(text, Options::default(), Effort::default());
    let (_, found) = prover.attempt(Some("p"), &[7, 7, 7], 0, &mut RunToEnd);
    assert!(matches!(found, Some(Found::Proved(_))), "with seven of each there are too many: {found:?}");
    let proof = prover.prove(Some("p"), &mut RunToEnd);
    assert_eq!(told(&proof), "unknown", "{}", proof.words());
    let checked: Vec<&[i64]> = proof.checked.iter().map(|one| one.values.as_slice()).collect();
    assert!(checked.contains(&[2, 2, 2].as_slice()) && !checked.contains(&[4, 4, 4].as_slice()));
}
