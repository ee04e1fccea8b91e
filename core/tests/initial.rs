//! Blocks of `init`: machine against interpreter, their errors, and the symmetry that they leave.

use crate::support::compare::compare;
use crate::support::engines::{Asked, Tally, compare_all};
use crate::support::oracle::Oracle;
use crate::support::temporal::Checker;
use crate::support::{Verdict, built, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry;

/// How many initial states there are; machine and interpreter agree about them and all others.
fn initial(source: &str) -> usize {
    let (file, program) = (parsed("init", source), built("init", source, &[]));
    compare(&file, &program, &[]).unwrap_or_else(|difference| panic!("{difference}\n{source}"));
    let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    assert_eq!(exploration.run(), &StopReason::Complete, "{source}");
    let states = (0..exploration.states().len()).map(orbitscope_core::explore::StateId);
    states.filter(|&state| exploration.is_initial(state)).count()
}

fn errors(source: &str) -> Vec<String> {
    let all = build(&parsed("init", source), &Settings::default()).err().unwrap_or_default();
    all.into_iter().map(|d| d.message).collect()
}

/// The order of the group, and how many roots the quotient has.
fn symmetric(source: &str) -> (String, usize) {
    let program = built("init", source, &[]);
    let found = symmetry::detect(&program);
    let mut aqs = Aqs::new(&program, &found, Prune::Full, EdgeStorage::Stored, 1000);
    aqs.build(u32::MAX);
    (found.group.order().to_string(), aqs.roots().len())
}

const RING: &str = "process p[4] { var token: bool = false var to: p? = none action go(q in p): token and not q.token and to == q -> token := false, q.token := true }";

#[test]
fn each_choice_makes_an_initial_state() {
    let cases = [
        ("init { for c in p { c.to := c } p[0].token := true }", 1),
        ("init(c in p) { c.token := true for d in p { d.to := c } }", 4),
        ("init(c in p, d in p): c != d { c.token := true d.to := c }", 12),
        ("init(c in p) { c.token := true } init { for c in p { c.token := true } }", 5),
        (
            "init(c in p) { c.token := true } init(c in p, i in 0..1) { c.token := i == 1 if i == 0 { c.to := c } }",
            8,
        ),
        ("shared open: 0..2 = any init(c in p) { c.token := true }", 12),
        ("shared open: 0..2 = any init(i in 0..1, c in p) { open := i c.token := open == 1 }", 5),
        ("shared open[p]: 0..1 = any init(c in p) { open[c] := 1 c.token := true }", 32),
        (
            "shared s: set of p = {} init(c in p) { s := s + c for d in p { if d in s { d.token := true } } }",
            4,
        ),
        ("shared a: 0..3 = any shared b: 0..3 = any init(v in 0..3) { a := v b := v }", 4),
        ("assume p[0].token init(c in p, d in p) { c.token := true d.token := true }", 4),
        ("shared k: 0..7 = 2 init(v in 1..2) { let twice = k * v k := twice while k < 4 { k := k + 1 } }", 1),
    ];
    for (text, count) in cases {
        assert_eq!(initial(&format!("{RING} {text}")), count, "{text}");
    }
}

#[test]
fn one_state_costs_what_its_values_cost() {
    let order = |text: &str| symmetric(&format!("{RING} {text}"));
    assert_eq!(order("init { for c in p { c.token := true } }"), ("24".into(), 1));
    assert_eq!(order("init { p[0].token := true for c in p { c.token := true } }"), ("24".into(), 1));
    assert_eq!(order("init { p[0].token := true }"), ("6".into(), 1));
    assert_eq!(order("init { for c in p { c.to := c } }"), ("24".into(), 1));
    assert_eq!(order("shared open[p]: bool = any init { open[p[1]] := true }").0, "6");
}

#[test]
fn choices_keep_the_symmetry() {
    let order = |text: &str| symmetric(&format!("{RING} {text}"));
    assert_eq!(order("init(c in p) { c.token := true }"), ("24".into(), 1));
    assert_eq!(order("init(c in p, d in p) { c.token := true d.to := c }"), ("24".into(), 2));
    assert_eq!(order("init(c in p) { p[0].token := true c.to := c }"), ("6".into(), 2));
    assert_eq!(order("init(c in p): index(c) < 2 { c.token := true }").0, "4");
    assert_eq!(order("shared last: p? = none init(i in 0..1) { for c in p { if last == none or i == 1 { last := c } } }").0, "1");
}

#[test]
fn what_cannot_be_is_said_where_it_stands() {
    let cases = [
        (
            "shared x: 0..3 = any init { x := (x + 1) % 4 }",
            "`x` starts with `any` value, which `init` cannot read",
        ),
        (
            "shared x: 0..3 = 0 init(v in 0..9) { x := v }",
            "in `init` with v = 4: value 4 outside the variable's range 0..3",
        ),
        ("shared x: 0..3 = 0 init { assert x == 0 }", "`assert` stands in actions, not in `init`"),
        ("init(c in p): c.token { c.to := c }", "`init` makes no initial state"),
        ("init { self.token := true }", "`self` is only known inside a process"),
        ("init { token := true }", "`token` is a variable of `p`"),
        ("init(c in p, c in p) { c.token := true }", "the parameter `c` stands here twice"),
        ("init { await true }", "`await` stands in the code of a process"),
        (
            "shared x: 0..3 = 0 init(a in 0..4095, b in 0..4095) { x := 1 }",
            "`init` would make 16777216 initial states",
        ),
    ];
    for (text, message) in cases {
        let found = errors(&format!("{RING} {text}"));
        assert!(found.iter().any(|m| m.contains(message)), "{text}: {found:?}");
    }
}

/// The word is a name wherever no block of initial states starts.
#[test]
fn the_word_is_a_name_elsewhere() {
    initial(
        "shared init: 0..1 = 0 process p { action init: init == 0 { init := 1 } action a: init == 1 -> init := 0 }",
    );
    initial(
        "procedure init(out x: 0..1) { x := 1 - x } shared v: 0..1 = 0 process p { loop { a: init(v) b: init(v) } }",
    );
    initial(
        "process p { var st: {R, F} = R action a: st == F -> st := R } ltl q: F p.st == F init { p.st := F }",
    );
}

#[test]
fn every_engine_begins_there() {
    let source = "process p[3] { var st: {idle, busy, done} = idle
           action go: st == busy -> st := done
           action pass(q in p): st == done and q.st == idle -> st := idle, q.st := busy }
         init(c in p) { c.st := busy }
         invariant one: count(c in p: c.st != idle) == 1
         invariant none_done: forall c in p: c.st != done
         ltl each: forall c in p: F c.st == busy
         ltl some: F exists c in p: c.st == done
         ctl can: forall c in p: EF c.st == busy
         mu one_busy: exists c in p: c.st == busy
         cover first_done: p[0].st == done";
    let (file, program) = (parsed("init", source), built("init", source, &[]));
    for seed in 0..4 {
        compare_all(source, &file, &program, seed, Asked::All, &mut Tally::default())
            .unwrap_or_else(|what| panic!("{what}"));
    }
    let oracle = Oracle::new(&file, &[]);
    let graph = oracle.explore(100).expect("few states");
    let holds = ["one", "some", "can", "one_busy"];
    for property in &program.properties {
        let expected = Verdict::of(holds.contains(&property.name.as_str()));
        if property.name != "first_done" {
            assert_eq!(
                Checker::new(&oracle, &graph).check(&property.name, None),
                expected,
                "{}",
                property.name
            );
        }
    }
}
