//! Blocks, procedures, functions and code with labels: small programs about one thing each, machine against interpreter.

use crate::support::compare::compare;
use crate::support::programs::{Knobs, Spec, careless, generate};
use crate::support::reached::Reached;
use crate::support::{built, cases, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::Settings;
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::symmetry;

/// The numbers of states and steps, in which machine and interpreter agree.
fn explored(source: &str) -> (usize, usize) {
    let (file, program) = (parsed("small", source), built("small", source, &[]));
    compare(&file, &program, &[]).unwrap_or_else(|difference| panic!("{difference}\n{source}"))
}

fn faulty(source: &str) -> bool {
    explored(source);
    let program = built("small", source, &[]);
    let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    matches!(exploration.run(), StopReason::Fault(..))
}

/// An assignment to a variable of the block lasts no longer than the block, but `none` has no entry there either.
#[test]
fn none_is_no_index_of_a_variable_of_a_block() {
    let ends = |value: &str| {
        let source = format!(
            "shared g: p? = {value} process p[2] {{ action a: true {{ var l[p]: bool = false l[g] := true }} }}"
        );
        let program = built("small", &source, &[]);
        Exploration::new(&program, Limits::default(), &[]).run().clone()
    };
    assert!(matches!(ends("none"), StopReason::Fault(..)));
    assert!(matches!(ends("p[1]"), StopReason::Complete));
}

fn order(source: &str) -> String {
    symmetry::detect(&built("small", source, &[])).group.order().to_string()
}

#[test]
fn a_later_statement_sees_what_an_earlier_one_assigned() {
    let sound = [
        "shared x: 0..3 = 0 shared y: 0..3 = 0 process p { action a: x < 3 { x := x + 1 y := x } }",
        "shared x: 0..3 = 0 shared y: 0..3 = 0 process p { action a: x < 3 { x := x + 1; let k = x; x := 0; y := k; x := y } }",
        "shared t[0..2]: 0..3 = 0 process p { action a(i in 0..2, j in 0..2): t[i] < 2 { t[i] := t[i] + 1 t[j] := t[i] } }",
        "shared t[0..2]: 0..3 = 0 process p { action a(i in 0..2, j in 0..2): t[i] < 2 { t[i] := 2 if t[j] == 2 { t[(j + 1) % 3] := t[i] } else { t[i] := 1 } } }",
        "process p[3] { var x: 0..3 = 0 action a(q in p): q.x < 2 { q.x := q.x + 1 x := q.x if exists r in p: r.x == 3 { x := 0 } } }",
        "process p[3] { var x: 0..3 = 0 action a: x < 3 { x := x + 1 for q in p { if q != self { q.x := x } } } }",
        "process p[3] { var x: 0..3 = 0 var y: bool = false action a: x < 3 { x := x + 1 for q in p { q.x := if q.x > 1 then 0 else q.x q.y := q.x == 1 } y := not y } }",
        "shared any_up: bool = false process p[3] { var x: bool = false action a: true { x := not x any_up := false for q in p { if q.x { any_up := true } } if any_up { x := not x } } }",
        "shared t[p]: 0..2 = 0 process p[3] { action a(q in p): true { for r in p { t[r] := (t[r] + 1) % 3 } t[q] := 0 for r in p { if t[r] == 0 { t[r] := t[q] } } } }",
        "shared t[0..3]: 0..3 = 0 process p { action a(i in 0..3): true { for j in 0..2 { t[j] := (t[j] + 1) % 4 } t[i] := t[(i + 1) % 4] } }",
        "shared t[0..3]: 0..3 = any process p { action a: true { for j in 0..2 { t[j] := t[j + 1] } } action b: true { for j in 0..2 { t[j + 1] := t[j] } } }",
        "process p[3] { var l[p]: bool = false action a(q in p): true { for r in p, s in p { r.l[s] := not r.l[s] } l[q] := false if forall r in p: not r.l[self] { l[self] := true } } }",
        "shared k: 0..3 = 0 process p[3] { var x: bool = false action a: true { x := not x k := 0 for q in p { if q.x { k := k + 1 } } } }",
        "shared o: p? = none process p[2] { var x: bool = false action a: true { if o == none { o := self } else if o == self { o := none } else { o.x := not o.x o := self } x := o == none } }",
        "shared k: 0..7 = 0 shared s: 0..7 = 0 process p { action a: s < 7 { s := s + 1 k := s while k > 1 { k := k - 2 } } }",
        // A loop with one turn does what only that turn does.
        "shared x: 0..3 = 0 shared y: 0..3 = 0 process p { action a: true { for i in 2..2 { x := (y + i) % 4 } y := x } }",
        "shared t[0..3]: 0..3 = 0 shared y: 0..3 = 0 process p { action a: true { for i in 2..2 { t[i + 1] := (y + i) % 4 } y := t[3] } }",
        "shared x: 0..3 = 0 shared y: q? = none process q { var n: 0..3 = 1 } process p { action a: true { for r in q { y := r x := r.n } if y != none { x := (x + 1) % 4 } } }",
        // The turn is found at one index and tested at another.
        "shared t[0..3, 0..2]: 0..2 = 0 shared y: 0..2 = 0 process p { action a(k in 0..3): true { for i in 0..2 { t[i + 1, i] := i } y := t[k, 1] } }",
        // The test of a turn is not evaluated where there is no such turn.
        "shared t[0..3]: 0..2 = 0 shared y: 0..2 = 0 process p { action a(k in 0..3): true { for i in 1..3 { if 6 / i > 2 { t[i] := 1 } } y := t[k] } }",
        "shared e: {a, b, c, d} = a shared n: 0..3 = 0 process p { action go: true { switch e { case a { e := b } case b, c { e := if e == b then c else d n := (n + 1) % 4 } else { e := a } } } }",
    ];
    for source in sound {
        assert!(!faulty(source), "{source}");
    }
}

/// Each turn reads what the turn before it assigned, many times: were it evaluated anew each time, this would take for ever.
#[test]
fn a_value_that_is_read_again_is_evaluated_once() {
    let twice = "shared x: 0..4 = 0 process p { action a: true { for r in 1..12 { x := (x + x + 1) % 5 } } }";
    let for_all = "process p[3] { var v: 0..2 = 0
        action a: true { for r in 1..8 { v := if forall a in p, b in p: v == 2 then 0 else (v + 1) % 3 } } }";
    let mentions = "process p[3] { var v: 0..2 = 0
        action a: true { for r in 1..8 { v := count(a in p: a.v == v and exists b in p: b.v != v) % 3 } } }";
    for source in [twice, for_all, mentions] {
        assert!(!faulty(source), "{source}");
    }
}

/// A function's arguments have values where it is called, whether or not it looks at them.
const ARGUMENTS_WRONG: [&str; 5] = [
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function half(n: 0..9): 0..9 { return n / 2 } process p { action a: true { x := half(6 / d) } }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function no(n: 0..9): 0..9 { return 1 } process p { action a: true { x := no(6 / d) } }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function no(n: 0..9): 0..9 { return 1 } process p { action a: no(6 / d) == 1 -> x := 1 }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function no(n: 0..9): 0..9 { let k = 6 / n return 1 } process p { action a: true { x := no(d) } }",
    "type pair = record { a: 0..3, b: 0..3 } shared d: 0..3 = 0 shared x: pair = pair(a: 0, b: 0) function two(n: 0..9): pair { return pair(a: 1, b: 2) } process p { action a: true { x := two(6 / d) } }",
];

/// Where an expression leaves the call out, nothing is wrong with its arguments.
const ARGUMENTS_RIGHT: [&str; 5] = [
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function half(n: 0..9): 0..9 { return n / 2 } process p { action a: true { if d != 0 and half(6 / d) == 1 { x := 1 } } }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function half(n: 0..9): 0..9 { return n / 2 } process p { action a: d != 0 and half(6 / d) == 1 -> x := 1 action b: true -> x := if d == 0 then 0 else half(6 / d) }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function half(n: 0..9): 0..9 { return n / 2 } process p { action a: true { x := if d == 0 then 3 - x else half(3 / d) } }",
    "shared d: 0..3 = 0 shared x: 0..3 = 0 function no(n: 0..9): 0..9 { if n == 0 { return 1 } let k = 6 / n return k % 4 } process p { action a: true { x := no(d) d := (d + 1) % 4 } }",
    "type pair = record { a: 0..3, b: 0..3 } shared d: 0..3 = 0 shared x: pair = pair(a: 0, b: 0) function two(n: 0..9): pair { return pair(a: n % 4, b: 2) } process p { action a: true { x := two(6 / (d + 1)) d := (d + 1) % 4 } }",
];

#[test]
fn faults_are_those_of_statements_that_are_reached() {
    let wrong = [
        "shared x: 0..3 = 0 process p { action a: true { x := x + 1 } }",
        "shared x: 0..3 = 3 process p { action a: true { x := x + 1 x := 0 } }",
        "shared x: 0..3 = 0 shared d: 0..1 = 0 process p { action a: true { d := 1 - d if 1 / d == 1 { skip } } }",
        "shared x: 0..3 = 0 shared d: 0..1 = 0 process p { action a: true { let k = 1 / d x := 1 } }",
        "shared o: p? = none process p[2] { var x: bool = false action a: true { o := none x := o.x } }",
        "shared o: p? = none shared t[p]: bool = false process p[2] { action a: true { for q in p { t[q] := true } t[self] := t[o] } }",
        "shared x: 0..3 = 0 process p { action a: true { while x < 3 { skip } } }",
        "shared x: 0..200 = 0 process p { action a: true { while x < 200 { x := x + 1 } } }",
        "shared k: 0..1 = 0 process p[3] { var x: bool = false action a: true { x := not x k := 0 for q in p { if q.x { k := k + 1 } } } }",
        "shared t[0..1]: bool = false shared i: 0..2 = 0 process p { action a: true { i := (i + 1) % 3 t[i] := true } }",
        // The test is looked at, though the loop has no turns.
        "shared g: 0..1 = 0 shared d: 0..1 = 0 process p { action a: true { if 1 / d == 1 { for i in 1..0 { g := 1 } } } }",
        "shared g: 0..1 = 0 shared d: 0..1 = 0 process q[0] { } process p { action a: true { if 1 / d == 1 { for c in q { g := 1 } } } }",
        "shared g: 0..1 = 0 shared d: 0..1 = 0 process p { action a: true { if g == 1 { g := 0 } else if 1 / d == 1 { for i in 1..0 { g := 1 } } } }",
    ];
    for source in wrong.into_iter().chain(ARGUMENTS_WRONG) {
        assert!(faulty(source), "nothing is wrong with\n{source}");
    }
    let right = [
        "shared x: 0..3 = 0 shared d: 0..1 = 0 process p { action a: true { if d != 0 { x := 6 / d } } }",
        "shared x: 0..3 = 0 shared d: 0..1 = 0 process p { action a: true { d := 1 if 1 / d == 1 { x := 1 / d } } }",
        "shared x: 0..60 = 0 process p { action a: true { while x < 60 { x := x + 1 } x := 0 } }",
        "shared o: p? = none process p[2] { var x: bool = false action a: true { o := self o.x := not o.x o := none } }",
        "shared x: 0..1 = 0 process p { action a: true { if x == 2 { x := 7 / x } else { x := 1 - x } } }",
    ];
    for source in right.into_iter().chain(ARGUMENTS_RIGHT) {
        assert!(!faulty(source), "something is wrong with\n{source}");
    }
}

#[test]
fn asserts_are_properties() {
    explored(
        "shared x: 0..3 = 0 process p[2] { action a(i in 0..1): x < 3 { x := x + i assert x < 3 if i == 0 { assert x <= 2 } } action b: x == 3 { x := 0 assert x == 0 } }",
    );
    let source = "shared x: 0..3 = 0 process p[2] { var up: bool = false action a: true { up := not up for q in p { assert q.up == self.up } } }";
    explored(source);
    let program = built("small", source, &[]);
    assert_eq!(program.properties.len(), 1);
    assert_eq!(program.properties.as_slice()[0].name, "assert_a_1");
}

#[test]
fn procedures_and_functions_are_executed_where_they_are_called() {
    let sound = [
        "shared x: 0..3 = 0 shared y: 0..3 = 0 procedure bump(n: 0..3, out v: 0..3) { if v + n <= 3 { v := v + n } else { v := 0 } } process p { action a(i in 0..3): true { bump(i, x) bump(x, y) } }",
        "shared t[0..2]: 0..2 = 0 procedure swap(out a: 0..2, out b: 0..2) { let k = a a := b b := k } process p { action a(i in 0..2, j in 0..2): true { t[0] := (t[0] + 1) % 3 swap(t[i], t[j]) } }",
        "function next_of(n: 0..3): 0..3 { if n == 3 { return 0 } return n + 1 } shared x: 0..3 = 0 process p { action a: next_of(x) != 2 { x := next_of(next_of(x)) } action b: true { x := next_of(x) let k = next_of(x) x := k } }",
        "function best(c: p): p? { let o = c.x if o { return c } else if c == p[0] { return none } return p[0] } process p[2] { var x: bool = false var b: p? = none action a: true { x := not x b := best(self) } }",
        "procedure clear { for q in p { q.x := false } } process p[3] { var x: bool = false action a: not x { clear x := true } action b: x { clear() } }",
        "function kind(n: 0..3): {low, high} { switch n { case 0, 1 { return low } else { return high } } } shared x: 0..3 = 0 shared k: {low, high} = low process p { action a: true { x := (x + 1) % 4 k := kind(x) } }",
    ];
    for source in sound {
        assert!(!faulty(source), "{source}");
    }
}

#[test]
fn code_runs_from_label_to_label() {
    let sound = [
        "shared next_ticket: 0..3 = 0 shared serving: 0..3 = 0 process c[2] { var t: 0..3 = 0 loop { idle: skip draw: t := next_ticket; next_ticket := (next_ticket + 1) % 4 wait: await serving == t critical: serving := (serving + 1) % 4 } }",
        "shared x: 0..3 = 0 process p[2] { a: x := (x + 1) % 4 if x == 2 { goto c } b: either { await x != 0 x := 0 } or { with i in 1..2 { x := i await x != 1 } } or { stop } c: skip }",
        "shared x: 0..3 = 0 process p[2] { a: while x < 3 { b: x := (x + 1) % 4 if x == 1 { c: x := 2 } else if x == 3 { stop } } x := 0 d: goto a }",
        "shared x: 0..3 = 0 process p { loop { a: with i in 0..2, j in 0..1 { await i + j <= 2 x := i + j if x == 2 { goto c } } b: switch x { case 0, 1 { skip } case 2 { goto a } else { stop } } c: x := 3 } }",
        "shared x: 0..3 = 0 process p[2] { var n: 0..2 = 0 loop { l: await x == 0 x := 1 m: n := (n + 1) % 3 assert x == 1 x := 0 } action reset: at == l and n == 2 { n := 0 } }",
        "shared x: 0..3 = 0 process p { a: x := 1 for i in 0..2 { x := (x + i) % 4 } await x != 3 b: while x > 0 { x := x - 1 } }",
        // A label behind a jump or a loop is come to by other jumps, and so is the end.
        "shared x: 0..3 = 0 process p { a: x := 1 goto c b: x := 2 goto a c: x := 3 }",
        "shared x: 0..3 = 0 process p[2] { loop { a: x := (x + 1) % 4 if x == 0 { goto b } } b: x := 3 }",
        "shared x: 0..3 = 0 process p { a: x := 1 goto c while x < 3 { c: x := x + 1 } }",
        "shared x: 0..3 = 0 process p { a: x := 1 goto c if x == 3 { c: x := 2 } else { goto a } }",
        "process p[2] { var o: p? = none loop { a: either { with q in p { await q != self and q.o == none o := q } } or { await o != none o := none } b: if o != none { let q = o q.o := self } } }",
    ];
    for source in sound {
        assert!(!faulty(source), "{source}");
    }
}

#[test]
fn a_loop_whose_turns_are_alike_keeps_the_symmetry() {
    assert_eq!(
        order(
            "process p[4] { var x: bool = false action a: not x { for q in p { q.x := false } x := true } }"
        ),
        "24"
    );
    assert_eq!(
        order(
            "shared up: bool = false process p[4] { var x: bool = false action a: true { up := false for q in p { if q.x { up := true } } x := not up } }"
        ),
        "24"
    );
    let costs = "shared k: 0..9 = 0 process p[4] { var x: bool = false action a: true { k := 0 for q in p { if q.x { k := k * 2 + 1 } } } }";
    assert_eq!(order(costs), "1");
    let found = symmetry::detect(&built("small", costs, &[]));
    assert!(found.reasons.iter().any(|r| r.message.contains("`for`")), "{:?}", found.reasons);
    assert_eq!(
        order("process p[4] { loop { a: skip b: await forall q in p: q == self or q.at == a c: skip } }"),
        "24"
    );
}

/// The first disagreement of machine and interpreter, if there is one.
fn differs(spec: &Spec) -> Option<String> {
    let text = spec.to_string();
    let file = parsed("generated", &text);
    let program = built("generated", &text, &[]);
    compare(&file, &program, &[]).err()
}

fn agree(seed: u64, spec: &Spec) {
    let text = spec.to_string();
    let (file, program) = (parsed("generated", &text), built("generated", &text, &[]));
    if compare(&file, &program, &[]).is_err() {
        let small = spec.shrunk(|spec| differs(spec).is_some());
        panic!("seed {seed}: {}\n{small}", differs(&small).unwrap_or_default());
    }
}

fn knobs(seed: u64) -> Knobs {
    let kind = if seed.is_multiple_of(3) { Knobs::symmetric() } else { Knobs::wide(seed / 3) };
    Knobs { blocks: 70, code: 50, inits: 40, space: 150, properties: 0, definitions: 1, ..kind }
}

#[test]
fn random_statements_do_what_the_interpreter_does() {
    let mut reached = Reached::default();
    for seed in 0..cases(700) {
        let spec = generate(seed, &knobs(seed));
        reached.model(&spec.to_string());
        agree(seed, &spec);
    }
    reached.expect_statements();
}

#[test]
fn random_statements_have_the_faults_that_the_interpreter_finds() {
    let mut faulty = 0;
    for seed in 0..cases(300) {
        let mut spec = generate(seed, &Knobs { optional: 80, code: 0, ..knobs(seed) });
        careless(&mut spec, seed);
        // Without what kept a block small it may be too large.
        let file = parsed("generated", &spec.to_string());
        if orbitscope_core::program::build(&file, &Settings::default()).is_err() {
            continue;
        }
        let program = built("generated", &spec.to_string(), &[]);
        let mut exploration = Exploration::new(&program, Limits::default(), &[]);
        faulty += u64::from(matches!(exploration.run(), StopReason::Fault(..)));
        agree(seed, &spec);
    }
    assert!(faulty >= cases(300) / 10, "only {faulty} programs have a fault");
}

/// The states up to symmetry, and all of them where they are few, with which `n_peterson` and `mcslock1` of Murphi are documented.
#[test]
fn algorithms_as_code_have_their_published_counts() {
    let peterson = include_str!("data/code/peterson_n.orb");
    let mcs_lock = include_str!("data/code/mcs_lock.orb");
    let published = [
        (peterson, "n", 3, 172, Some(882)),
        (peterson, "n", 5, 6_770, None),
        (mcs_lock, "threads", 2, 81, None),
        (mcs_lock, "threads", 3, 1_285, Some(7_597)),
    ];
    for (source, name, value, up_to_symmetry, all) in published {
        let program = built(name, source, &[(name, value)]);
        let symmetry = symmetry::detect(&program);
        let mut aqs = Aqs::new(&program, &symmetry, Prune::Full, EdgeStorage::Stored, 1000);
        aqs.build(u32::MAX);
        assert_eq!(aqs.len(), up_to_symmetry, "{name} = {value}");
        if let Some(all) = all {
            let mut plain = Exploration::new(&program, Limits::default(), &[]);
            assert_eq!(plain.run(), &StopReason::Complete);
            assert_eq!(plain.states().len(), all, "{name} = {value}");
        }
    }
}
