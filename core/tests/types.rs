//! Records, values that may be empty, sets, bags, queues and unions: the machine against the interpreter, which has them as what
//! they are, and all engines against each other.

use crate::quotient_unfold::unfolds;
use crate::support::compare::compare;
use crate::support::engines::{Asked, Tally, compare_all};
use crate::support::oracle::Oracle;
use crate::support::programs::typed;
use crate::support::reached::Reached;
use crate::support::{built, cases, first_seed, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::symmetry::{Choice, choose};

/// Small enough for the interpreter.
fn small(source: &str) -> bool {
    let file = parsed("typed", source);
    Oracle::new(&file, &[]).explore(1_500).is_some()
}

#[test]
fn the_machine_does_what_the_interpreter_does_with_records_and_bags() {
    let mut reached = Reached::default();
    let (mut compared, mut faulty, mut states) = (0, 0, 0);
    for seed in first_seed()..first_seed() + cases(600) {
        let source = typed(seed);
        let (file, program) = (parsed("typed", &source), built("typed", &source, &[]));
        if !small(&source) {
            continue;
        }
        reached.model(&source);
        let (found, _) =
            compare(&file, &program, &[]).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{source}"));
        let mut exploration = Exploration::new(&program, Limits::default(), &[]);
        faulty += u32::from(matches!(exploration.run(), StopReason::Fault(..)));
        (compared, states) = (compared + 1, states + found);
    }
    println!("{reached}\n{compared} programs, {faulty} with a fault, {states} states");
    assert!(cases(600) < 600 || (faulty > 20 && compared > 4 * faulty / 3));
    reached.expect_compound();
}

#[test]
fn all_engines_agree_about_records_and_bags() {
    let mut tally = Tally::default();
    let mut symmetric = 0;
    for seed in first_seed()..first_seed() + cases(120) {
        let source = typed(seed);
        let (file, program) = (parsed("typed", &source), built("typed", &source, &[]));
        let mut exploration = Exploration::new(&program, Limits { states: 400, ..Limits::default() }, &[]);
        if *exploration.run() != StopReason::Complete {
            continue;
        }
        let symmetry = choose(&program, Choice::Auto).expect("a symmetry");
        symmetric += u32::from(symmetry.group.order().to_string() != "1");
        unfolds(&program, Choice::Auto, 400).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{source}"));
        compare_all(&source, &file, &program, seed, Asked::All, &mut tally)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{source}"));
    }
    println!("{} programs, {symmetric} with symmetry, {} answers", tally.programs, tally.answers);
    // Fewer cases than usual may have too few.
    assert!(cases(120) < 120 || (symmetric > 10 && tally.programs > 20));
}

fn counts(source: &str) -> (usize, usize) {
    let (file, program) = (parsed("small", source), built("small", source, &[]));
    unfolds(&program, Choice::Auto, 5_000).unwrap_or_else(|e| panic!("{e}\n{source}"));
    compare(&file, &program, &[]).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// A network of requests and answers as a bag of records.
pub(crate) const NETWORK: &str = "
param n = 2
type message = record { kind: {request, answer}, from: client?, to: client? }
shared net: bag[n] of message = {}
process server {
  action answer(m in net): m.kind == request
    -> remove m from net, add message(kind: answer, from: none, to: m.from) to net
}
process client[n] {
  var st: {idle, waiting} = idle
  action ask: st == idle and room(net)
    -> st := waiting, add message(kind: request, from: self, to: none) to net
  action get(m in net): m.kind == answer and m.to == self -> st := idle, remove m from net
}
invariant bounded: count(net) <= n
invariant asked: forall m in net: m.kind == request => m.from.st == waiting
ltl served: forall c in client: G (c.st == waiting => F c.st == idle)
";

#[test]
fn a_network_of_messages() {
    // Each client is idle, has asked, or has its answer under way.
    assert_eq!(counts(NETWORK).0, 9);
    let program = built("network", NETWORK, &[("n", 4)]);
    let symmetry = choose(&program, Choice::Auto).expect("a symmetry");
    assert_eq!(symmetry.group.order().to_string(), "24");
}

#[test]
fn a_bounded_buffer() {
    let source = "
scalarset item[2]
shared buffer: queue[2] of item = {}
process producer[2] {
  var next: item? = none
  action make(i in item): next == none -> next := i
  action put: next != none and room(buffer) -> push(buffer, next), next := none
}
process consumer {
  var got: item? = none
  action take: length(buffer) > 0 and got == none -> got := head(buffer), pop(buffer)
  action use: got != none -> got := none
}
invariant bounded: length(buffer) <= 2
";
    // 1 + 2 + 4 contents of the buffer, and three values for each of the producers and for the consumer.
    assert_eq!(counts(source).0, 7 * 27);
}

#[test]
fn mesi() {
    let source = "
type line = {M, E, S, I}
process cache[3] {
  var st: line = I
  action read: st == I and (forall c in cache: c.st == I) -> st := E
  action share: st == I and (exists c in cache: c.st != I)
    -> forall c in cache: c.st := if c == self or c.st != I then S else I
  action write: st == I or st == S -> forall c in cache: c.st := if c == self then M else I
  action silent: st == E -> st := M
  action evict: st != I -> st := I
}
define holders = count(c in cache: c.st != I)
invariant single_owner: forall c in cache: c.st == M or c.st == E => holders == 1
";
    // Nobody has it; one of three has it as M or E; or any of the seven sets of some caches as S.
    assert_eq!(counts(source).0, 1 + 6 + 7);
}

/// Whether a small program has a fault, on which the machine and the interpreter agree.
fn faulty(source: &str) -> bool {
    let (file, program) = (parsed("small", source), built("small", source, &[]));
    compare(&file, &program, &[]).unwrap_or_else(|difference| panic!("{difference}\n{source}"));
    let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    matches!(exploration.run(), StopReason::Fault(..))
}

/// Statements about values of any type: a later one sees what an earlier one did, and a name keeps what it was given.
#[test]
fn the_machine_and_the_interpreter_agree_on_compound_values_in_blocks() {
    let pair = "type pair = record { a: 0..3, b: 0..3 }\nshared s: pair = pair(a: 1, b: 2)\n\
                shared t: pair = pair(a: 0, b: 0)\nshared n: 0..3 = 0\n";
    let right = [
        "process p { action a: true { s := pair(a: s.b, b: s.a) } }",
        "process p { action a: true { let old = s s := t t := old n := old.b } }",
        "process p { action a: true { s.a := 3 t := s n := t.a } }",
        "process p { action a: s.a < 3 { if n == 0 { s.a := s.a + 1 } else { s := t } t := s n := (n + 1) % 4 } }",
        "process p { action a: true { let k = s.a s := t if k == s.a { n := 1 } else { n := 2 } t := pair(a: k, b: n) } }",
        "procedure swap(out x: pair, y: pair) { x := pair(a: y.b, b: y.a) x.a := y.a }\n\
         process p { action a: true { swap(s, t) swap(t, s) n := t.a } }",
        "procedure twice(x: pair) { s := pair(a: 3, b: 3) t := x }\nprocess p { action a: true { twice(s) } }",
        "function turned(x: pair): pair { if x.a > x.b { return x } let y = pair(a: x.b, b: x.a) return y }\n\
         process p { action a: true { s := turned(s) t := turned(t) n := turned(s).a } }",
        "shared o: pair? = none\nprocess p { action a: o == none { o := s o.a := 0 } action b: o != none { t := o o := none } }",
        "function some(x: bool): pair? { if x { return s } return none }\nshared o: pair? = none\n\
         process p { action a: true { o := some(o == none) } }",
        "process q[2] { var r: pair = pair(a: 0, b: 0) \
         action a: true { for x in q { x.r := pair(a: x.r.b, b: 1) } r.a := r.b s := q[0].r } }",
        "shared k: queue[2] of pair = {}\nprocess p { action a: room(k) { push(k, s) s.a := 0 } \
         action b: length(k) > 0 { t := head(k) pop(k) n := length(k) } action c: length(k) == 1 { push(k, t) pop(k) } }",
        "shared e: set of q = {}\nprocess q[3] { var x: bool = false action a: self in e { e := e - self x := not (self in e) } \
         action b: not (self in e) { e := e + self if count(e) == 3 { e := {} } } }",
        "shared e: set of 0..2 = {}\nprocess p { action a: true { let f = e + 1 e := {0} if 1 in f { n := count(f) } e := f } }",
        "shared e: set of q = {}\nprocess q[2] { action a: true { for x in q { if x in e { e := e - x } else { e := e + x } } } }",
        "shared b: bag[2] of 0..1 = {}\nprocess p { action a(m in b): true { n := m b := {} } action c: room(b) -> add 1 to b }",
        "shared w: q | p = p\nprocess q[2] { action a: true { let v = w w := self if v is q { w := v } } }\n\
         process p { action a(v in q | p): true { w := v if w is p { n := 1 } else { n := 2 } } }",
        "process q[2] { var r: pair = pair(a: 0, b: 0) loop { one: r := s two: s.a := r.b t := s three: await t.a == s.a r := t } }",
        "process q[2] { var r: pair = pair(a: 0, b: 0) loop { one: with i in 0..1 { r.a := i } \
         either { s := r } or { await s == t r := t } } }",
        "process p { action a: true { while s.a < 3 { s := pair(a: s.a + 1, b: s.b) } s.a := 0 } }",
        "process p { action a: true { switch s.a { case 1 { s.a := 2 } else { s := t } } assert s.a <= 2 } }",
    ];
    for source in right {
        let source = format!("{pair}{source}");
        assert!(!faulty(&source), "something is wrong with\n{source}");
    }
    let wrong = [
        "shared o: pair? = none\nprocess p { action a: true { let x = o n := 1 o.a := 1 } }",
        "shared o: pair? = none\nprocess p { action a: o == none { o := s } action b: o != none { o := none n := o.a } }",
        "shared k: queue[1] of pair = {}\nprocess p { action a: true { push(k, s) n := length(k) push(k, t) } }",
        "shared k: queue[1] of pair = {}\nprocess p { action a: true { push(k, s) pop(k) s := head(k) } }",
        "shared k: queue[1] of pair = {}\nprocess p { action a: true { pop(k) } }",
        "process p { action a: true { s := pair(a: s.b + 2, b: 0) } }",
    ];
    for source in wrong {
        let source = format!("{pair}{source}");
        assert!(faulty(&source), "nothing is wrong with\n{source}");
    }
}

/// Small programs about one thing each: when something is wrong, and when it is not.
#[test]
fn the_machine_and_the_interpreter_agree_on_new_faults() {
    let wrong = [
        "shared x: (0..2)? = none process p { action a: x + 1 == 2 -> x := 1 }",
        "type r = record { a: bool } shared x: r? = none process p { action a: x.a -> x := none }",
        "type r = record { a: bool } shared x: r? = none process p { action a: true -> x.a := true }",
        "shared q: queue[1] of bool = {} process p { action a: head(q) -> q := {} }",
        "shared q: queue[1] of bool = {} process p { action a: true -> pop(q) }",
        "shared q: queue[1] of bool = {} process p { action a: true -> push(q, true) }",
        "shared b: bag[1] of bool = {} process p { action a: true -> add true to b }",
        "shared b: bag[1] of bool = {} process p { action a: true -> remove true from b }",
        "shared b: bag[3] of 0..1 = {} shared n: 0..2 = 0 process p { action a: n < 2 -> n := n + 1, add n to b \
         action b: n == 2 -> add n to b }",
        "shared s: set of 0..1 = {} shared n: 0..2 = 2 process p { action a: n in s -> n := 1 }",
        "shared s: set of p = {} shared o: p? = none process p[2] { action a: true -> s := s + o }",
        "type r = record { w: p } shared x: r? = none shared o: p? = none process p[2] \
         { action a: true -> x := r(w: o) }",
        "shared w: p | s = s shared o: p? = none process p[2] { action a: true -> w := o } process s { }",
        "shared w: p | s = s process p[2] { var x: bool = false action a: w.x -> x := true } process s { }",
    ];
    for source in wrong {
        assert!(faulty(source), "nothing is wrong with\n{source}");
    }
    let right = [
        "shared x: (0..2)? = none process p { action a: x != none and x + 1 == 2 -> x := 1 }",
        "shared b: bag[1] of 0..1 = {} process p { action a: room(b) -> add 1 to b \
         action c: 1 in b -> remove 1 from b, add 0 to b action d: 0 in b -> remove 0 from b }",
        "shared q: queue[2] of 0..1 = {} process p { action a: room(q) -> push(q, length(q)) \
         action c: length(q) == 2 -> pop(q), push(q, head(q)) }",
        "shared b: bag[2] of p = {} process p[2] { action a: count(b) == 0 -> forall x in p: add x to b \
         action c: count(b) > 0 -> forall x in b: remove x from b }",
        "shared s: set of p = {} process p[2] { var x: bool = false action a: true -> s := s + self \
         action c: count(s) == 2 -> forall y in s: y.x := true, s := {} }",
    ];
    for source in right {
        assert!(!faulty(source), "something is wrong with\n{source}");
    }
}
