//! Assignments for many at once, and numbers of many processes, where they are counted and not listed.

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{FaultKind, Program, Settings, build};
use orbitscope_core::quotient::{Aqs, AqsId, EdgeStorage, Prune};
use orbitscope_core::symmetry::detect;
use orbitscope_core::syntax::parse;

fn program(source: &str, n: i64) -> Program {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let settings = Settings { params: vec![("n".into(), n)], ..Settings::default() };
    build(&parsed.file, &settings).expect("the model is right")
}

fn quotient(program: &Program) -> (u32, StopReason<AqsId>) {
    let mut aqs = Aqs::new(program, &detect(program), Prune::Full, EdgeStorage::Recomputed, 1000);
    let stop = aqs.build(100_000);
    (aqs.len(), stop)
}

/// Up to three are marked, and then all marks are taken away at once, but for that of a chosen one.
const MARKS: &str = "param n = 3
    shared last: p? = none
    process boss {
      action clear(c in p): sum(d in p: d.x) == 3 and c.x == 1 -> forall d in p: d.x := if d == c then 1 else 0, last := c
      action drop: sum(d in p: d.x) == 3 -> forall d in p: d.x := 0, last := none
    }
    process p[n] { var x: 0..1 = 0 action mark: x == 0 and sum(d in p: d.x) < 3 -> x := 1 }";

/// The number of states does not depend on that of the processes, nor does the time: a million would not be listed in it.
#[test]
fn like_processes_change_together() {
    let small = quotient(&program(MARKS, 5));
    // Without a last one 0 to 3 are marked; the last one is marked, with 0 to 2 others.
    assert_eq!(small, (7, StopReason::Complete));
    assert_eq!(quotient(&program(MARKS, 1_000_000)), small);
}

/// All change places: the representative of what they become is another stretch of processes.
#[test]
fn stretches_pass_each_other() {
    let source = "param n = 3
        process p[n] {
          var x: bool = false
          action set: not x -> x := true
          action turn: x -> forall c in p: c.x := not c.x
        }";
    for n in 1..6 {
        let program = program(source, n);
        let mut plain = Exploration::new(&program, Limits::default(), &[]);
        plain.run();
        assert_eq!(plain.states().len(), 1 << n, "every set of processes");
        assert_eq!(quotient(&program), (n as u32 + 1, StopReason::Complete));
    }
}

/// Two values for one place are an error, for one name of `forall` or for two, however many processes are alike.
#[test]
fn two_values_for_one_place() {
    for effect in [
        "forall c in p: y := c",
        "forall c in p: c.x := false, forall d in p: d.x := true",
        "forall c in p: c.x := false, x := true",
        "x := true, forall c in p, d in p: c.x := c == d",
    ] {
        let source = format!(
            "param n = 3 shared y: p? = none process p[n] {{ var x: bool = false action go: true -> {effect} }}"
        );
        let program = program(&source, 4);
        let StopReason::Fault(_, fault) = quotient(&program).1 else { panic!("no error: {effect}") };
        assert_eq!(fault.fault.kind, FaultKind::AssignedTwice, "{effect}");
        let mut plain = Exploration::new(&program, Limits::default(), &[]);
        plain.run();
        assert!(matches!(plain.stopped(), Some(StopReason::Fault(..))), "{effect}");
    }
}

/// A sum that leaves 64 bits on its way, in one order of the processes and not in another, is what it is.
#[test]
fn a_sum_does_not_depend_on_the_order() {
    let source = "param n = 3
        define most = 9223372036854775807
        process p[n] {
          var x: {none_of, up, down} = none_of
          action up: x == none_of and count(c in p: c.x == up) < 2 -> x := up
          action down: x == none_of and count(c in p: c.x == up) == 2 -> x := down
          action go: count(c in p: c.x == down) == 1 and sum(c in p: if c.x == up then most else if c.x == down then -most else 0) == most
            -> forall c in p: c.x := none_of
        }";
    let three = program(source, 3);
    let mut plain = Exploration::new(&three, Limits::default(), &[]);
    plain.run();
    assert_eq!(plain.stopped(), Some(&StopReason::Complete));
    assert_eq!(plain.states().len(), 1 + 3 + 3 + 3);
    assert_eq!(quotient(&three), (4, StopReason::Complete));
}
