//! `orbitscope check` on models that are right.

use crate::support::{Folder, Transcript};

/// Three clients, the simplified resource controller: 20 states.
const CONTROLLER: &str = "\
param clients = 3 in 1..100
process client[clients] {
  var st: {I, R, C} = I
  action request: st == I -> st := R
  action enter:   st == R and not exists d in client: d.st == C -> st := C
  action release: st == C -> st := I
}
invariant mutual_exclusion: count(c in client: c.st == C) <= 1
";

/// The same without the test: two may be critical at once, but never three of two.
const BROKEN: &str = "\
process client[2] {
  var st: {I, R, C} = I
  action request: st == I -> st := R
  action enter:   st == R -> st := C
}
invariant mutual_exclusion: count(c in client: c.st == C) <= 1
invariant two: count(c in client: c.st == C) <= 2
";

/// One of everything that a state can hold.
const VALUES: &str = "\
param top = 1
shared owner: node? = none
shared link[node, node]: bool = false
shared level[1..2]: -1..1 = any
process server {
  var first: node = node[0]
  action take(n in node, i in 1..2): owner == none and level[i] == -1 -> owner := n, level[i] := 0, first := n
  action drop: owner != none -> owner := none
}
process node[2] {
  var st: {idle, busy} = idle
  var seen[node]: bool = false
  action join: owner == self and st == idle -> link[self, node[0]] := true, st := busy, seen[self] := true
}
process quiet { action never: false -> level[1] := 0 }
invariant never_busy: forall n in node: n.st == idle
";

const TEMPORAL: &str = "\
process p[2] { var x: bool = false action flip: true -> x := not x }
invariant fine: forall q in p: q.x or not q.x
ltl live: forall q in p: G F q.x
ctl can: AG EF p[0].x
automaton wrong(q in p) { initial a { true -> a  q.x -> b } accepting b { true -> b } }
";

fn folder() -> Folder {
    Folder::with(&[
        ("controller.orb", CONTROLLER),
        ("broken.orb", BROKEN),
        ("values.orb", VALUES),
        ("temporal.orb", TEMPORAL),
        ("plain.orb", "process p { var x: 0..2 = 0 action up: x < 2 -> x := x + 1 }"),
        ("still.orb", "shared x: bool = any\nprocess p { action go: x -> x := true }"),
    ])
}

#[test]
fn verdicts_as_text() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "controller.orb"])
        .run(&folder, &["check", "controller.orb", "--set", "clients=4", "-p", "mutual_exclusion"])
        .run(
            &folder,
            &["check", "controller.orb", "--engine", "explicit", "--symmetry", "none", "--prune", "none"],
        )
        .run(&folder, &["check", "controller.orb", "--fairness", "weak", "--deadlock", "drop"])
        .run(&folder, &["check", "broken.orb"])
        .run(&folder, &["check", "broken.orb", "-p", "two"])
        .run(&folder, &["check", "broken.orb", "-p", "mutual_exclusion"])
        .run(&folder, &["check", "broken.orb", "-p", "two", "-p", "mutual_exclusion", "-p", "two"])
        .run(&folder, &["check", "values.orb"])
        .run(&folder, &["check", "plain.orb"])
        .run(&folder, &["check", "still.orb"])
        .run_with(&folder, &["check", "-"], CONTROLLER)
        .run_with(&folder, &["check", "-"], "")
        .check("check_text");
}

#[test]
fn verdicts_as_json() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "controller.orb", "--json"])
        .run(&folder, &["check", "broken.orb", "--json"])
        .run(&folder, &["check", "values.orb", "--json"])
        .run(&folder, &["check", "temporal.orb", "--json"])
        .run(&folder, &["check", "plain.orb", "--json"])
        .run(&folder, &["check", "controller.orb", "--json", "--max-states", "5"])
        .check("check_json");
}

#[test]
fn limits_are_reached() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "controller.orb", "--max-states", "20"])
        .run(&folder, &["check", "controller.orb", "--max-states", "19"])
        .run(&folder, &["check", "broken.orb", "--max-states", "8"])
        .run(&folder, &["check", "broken.orb", "--max-states", "1"])
        .run(&folder, &["check", "still.orb", "--max-states", "1"])
        .check("check_limits");
}

/// What is in the language but has no engine yet. This file shrinks as engines arrive.
#[test]
fn not_yet_available() {
    let folder = folder();
    let model = "temporal.orb";
    Transcript::default()
        .run(&folder, &["check", model])
        .run(&folder, &["check", model, "-p", "fine"])
        .run(&folder, &["check", model, "-p", "live"])
        .run(&folder, &["check", model, "-p", "can"])
        .run(&folder, &["check", model, "-p", "fine", "-p", "wrong"])
        .run(&folder, &["check", model, "--max-states", "1"])
        .run(&folder, &["check", model, "--engine", "onthefly"])
        .run(&folder, &["check", model, "--engine", "threaded"])
        .run(&folder, &["check", model, "--symmetry", "auto"])
        .run(&folder, &["check", model, "--prune", "full"])
        .run(&folder, &["check", model, "--hoa", "a.hoa"])
        .run(&folder, &["graph", model, "--of", "aqs"])
        .run(&folder, &["graph", model, "--of", "aqsi", "--format", "svg"])
        .run(&folder, &["graph", model, "--of", "product", "-p", "live"])
        .run(&folder, &["graph", model, "--of", "threaded", "-p", "live"])
        .run(&folder, &["trace", model, "-p", "live", "--json"])
        .run(&folder, &["symmetry", model])
        .run(&folder, &["export", model, "--to", "promela"])
        .check("not_yet");
}
