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

/// Only strong fairness keeps a process from waiting for ever.
const STARVING: &str = "\
param n = 2
fairness lock: none
process lock { var on: bool = false action idle: false -> on := true }
process p[n] {
  var st: {idle, waiting, using} = idle
  action ask:   st == idle -> st := waiting
  action enter: st == waiting and not exists d in p: d.st == using -> st := using
  action leave: st == using -> st := idle
}
invariant alone: count(q in p: q.st == using) <= 1
ltl served: forall q in p: G (q.st == waiting => F q.st == using)
";

/// A program that ends: its last state repeats, or its computations are dropped.
const ENDING: &str = "\
process p[2] { var x: 0..2 = 0 action up: x < 2 -> x := x + 1 }
ltl grows: forall q in p: G F q.x == 1
";

/// A quantifier inside a temporal operator, over a temporal body.
const INSIDE: &str = "\
process p[3] { var x: bool = false action flip: true -> x := not x }
ltl somebody: G exists q in p: F q.x
ltl settles: F forall q in p: G q.x
";

/// Two names, which may stand for one process, and a number.
const NAMED: &str = "\
process p[4] { var x: 0..2 = 0 action up: x < 2 -> x := x + 1 action back: x == 2 -> x := 0 }
ltl both: forall a in p, b in p: G F (a.x == 0 or b.x == 1)
ltl each: forall a in p, i in 0..2: G F a.x == i
ltl fixed: G F p[2].x == p[3].x
";

const REACHES: &str = "\
HOA: v1
name: \"client 0 gets in\"
States: 2
Start: 0
AP: 1 \"client[0].st == C\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[t] 0
[0] 1
State: 1
[t] 1 {0}
--END--
";

fn folder() -> Folder {
    Folder::with(&[
        ("controller.orb", CONTROLLER),
        ("broken.orb", BROKEN),
        ("values.orb", VALUES),
        ("temporal.orb", TEMPORAL),
        ("starving.orb", STARVING),
        ("ending.orb", ENDING),
        ("inside.orb", INSIDE),
        ("named.orb", NAMED),
        ("reaches.hoa", REACHES),
        ("plain.orb", "process p { var x: 0..2 = 0 action up: x < 2 -> x := x + 1 }"),
        (
            "counter.orb",
            "process p { var x: 0..300000 = 0 action up: x < 300000 -> x := x + 1 } ltl zero: p.x == 0",
        ),
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
        .run(&folder, &["check", "broken.orb", "-p", "mutual_exclusion", "--no-deadlocks"])
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

/// Liveness: by every engine, under every fairness, with the run and why it is fair.
#[test]
fn temporal_properties() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "temporal.orb"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "-p", "wrong", "--engine", "threaded"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "--engine", "explicit"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "--fairness", "none"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "-p", "wrong", "--no-deadlocks"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "--no-deadlocks", "--json"])
        .run(&folder, &["check", "temporal.orb", "-p", "live", "--symmetry", "none", "--prune", "none"])
        .run(&folder, &["check", "starving.orb"])
        .run(&folder, &["check", "starving.orb", "--fairness", "strong"])
        .run(&folder, &["check", "starving.orb", "--fairness", "weak", "--set", "n=5"])
        .run(&folder, &["check", "ending.orb"])
        .run(&folder, &["check", "ending.orb", "--deadlock", "drop"])
        .run(&folder, &["check", "inside.orb"])
        .run(&folder, &["check", "named.orb"])
        .run(&folder, &["check", "counter.orb"])
        .check("check_temporal");
}

#[test]
fn temporal_properties_as_json() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "temporal.orb", "--json", "-p", "live", "-p", "wrong"])
        .run(&folder, &["check", "starving.orb", "--json"])
        .run(&folder, &["check", "ending.orb", "--json"])
        .run(&folder, &["check", "inside.orb", "--json", "--engine", "threaded"])
        .run(&folder, &["check", "controller.orb", "--json", "--engine", "explicit", "--hoa", "reaches.hoa"])
        .check("check_temporal_json");
}

#[test]
fn limits_of_a_search() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "starving.orb", "-p", "served", "--set", "n=6", "--max-states", "4"])
        .run(&folder, &["check", "starving.orb", "--set", "n=6", "--max-states", "4", "--json"])
        .run(&folder, &["check", "starving.orb", "--engine", "threaded", "--max-states", "9"])
        .run(&folder, &["check", "starving.orb", "--engine", "explicit", "--max-states", "9"])
        .check("check_search_limits");
}

/// Each engine refuses properties that it cannot check.
#[test]
fn engines_that_cannot() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "temporal.orb", "--engine", "threaded", "--prune", "full"])
        .run(&folder, &["check", "temporal.orb", "--engine", "explicit", "--prune", "process"])
        .check("check_refused");
}

/// Automata from files.
#[test]
fn automata() {
    let folder = folder();
    let wrong = [
        ("acceptance.hoa", REACHES.replace("1 Inf(0)", "1 Fin(0)")),
        ("parity.hoa", REACHES.replace("1 Inf(0)", "2 Fin(0) & Inf(1)")),
        ("propositions.hoa", REACHES.replace("AP: 1", "AP: 2")),
        ("number.hoa", REACHES.replace("[0]", "[3]")),
        ("start.hoa", REACHES.replace("Start: 0\n", "")),
        ("unknown.hoa", REACHES.replace("st == C", "state == C")),
        ("literal.hoa", REACHES.replace("== C", "== D")),
        ("type.hoa", REACHES.replace("client[0].st == C", "client[0].st")),
        ("syntax.hoa", REACHES.replace("client[0].st == C", "client[0].st == (C")),
        ("items.hoa", REACHES.replace("client[0].st == C", "true invariant x: false")),
        ("temporal.hoa", REACHES.replace("client[0].st == C", "F client[0].st == C")),
        ("outside.hoa", REACHES.replace("client[0]", "client[7]")),
        ("quoted.hoa", REACHES.replace("client[0].st == C", "client[0].st == \\\"C\\\"")),
        ("cut.hoa", REACHES.replace("--END--", "")),
        ("empty.hoa", String::new()),
    ];
    let mut transcript = Transcript::default();
    transcript
        .run(&folder, &["check", "controller.orb", "--hoa", "reaches.hoa"])
        .run(&folder, &["check", "controller.orb", "--hoa", "reaches.hoa", "-p", "mutual_exclusion"])
        .run(&folder, &["check", "controller.orb", "--hoa", "missing.hoa"]);
    for (name, text) in &wrong {
        folder.write(name, text.as_bytes());
        transcript.run(&folder, &["check", "controller.orb", "--hoa", name]);
    }
    transcript.check("check_hoa");
}

/// Properties whose automata are too large say so, and the others are answered.
#[test]
fn automata_that_are_too_large() {
    let process = "process p[n] { var x: bool = false action flip: true -> x := not x }\n";
    let untils: Vec<String> =
        (0..18).map(|i| format!("(count(q in p: q.x) == {i} U count(q in p: q.x) > {i})")).collect();
    let many =
        format!("param n = 3\n{process}invariant fine: true\nltl large: not ({})\n", untils.join(" and "));
    let guards: Vec<String> = (0..1100).map(|i| format!("  count(q in p: q.x) + {i} == 3 -> a\n")).collect();
    let guards = guards.concat();
    let wide = format!("param n = 3\n{process}automaton wide {{ initial accepting a {{\n{guards}}} }}\n");
    let pairs = format!(
        "param n = 400\n{process}ltl pairs: forall a in p, b in p, c in p: G F (a.x or b.x or c.x)\nsymmetry none\n"
    );
    let folder = Folder::with(&[("many.orb", &many), ("wide.orb", &wide), ("pairs.orb", &pairs)]);
    Transcript::default()
        .run(&folder, &["check", "many.orb"])
        .run(&folder, &["check", "wide.orb"])
        .run(&folder, &["check", "pairs.orb", "--max-states", "10"])
        .check("check_too_large");
}

const BRANCHING: &str = "\
process p[3] {
  var st: {N, T, C} = N
  action try: st == N -> st := T
  action enter: st == T and forall q in p: q.st != C -> st := C
  action leave: st == C -> st := N
}
ctl safe: AG count(q in p: q.st == C) <= 1
ctl can_enter: AG forall a in p: a.st == T => EF a.st == C
ctl must_enter: AG forall a in p: a.st == T => AF a.st == C
ctl somebody: AG exists a in p: EG a.st == N
ctl named: EF (p[0].st == C and EF p[1].st == C) and EG p[2].st == N
mu can_enter_mu: nu X. (forall a in p: a.st == T => mu Y. a.st == C or <> Y) and [] X
mu stuck: mu X. [] X
";

/// Branching time: verdicts with what shows them.
#[test]
fn branching_properties() {
    let folder = Folder::with(&[("branching.orb", BRANCHING)]);
    let mut transcript = Transcript::default();
    transcript
        .run(&folder, &["check", "branching.orb"])
        .run(&folder, &["check", "branching.orb", "-p", "must_enter", "--engine", "explicit"])
        .run(&folder, &["check", "branching.orb", "-p", "safe", "--engine", "threaded"])
        .run(&folder, &["check", "branching.orb", "-p", "can_enter", "--max-states", "4"]);
    for fairness in ["model", "strong", "none"] {
        let fair = ["--fair-ctl", "--fairness", fairness];
        transcript.run(&folder, &[&["check", "branching.orb", "-p", "must_enter"][..], &fair].concat());
    }
    for algorithm in ["naive", "emc", "local", "global"] {
        transcript.run(&folder, &["check", "branching.orb", "-p", "safe", "--ctl-algorithm", algorithm]);
    }
    transcript.check("check_branching");
}

#[test]
fn branching_properties_as_json() {
    let folder = Folder::with(&[("branching.orb", BRANCHING)]);
    Transcript::default()
        .run(
            &folder,
            &["check", "branching.orb", "--json", "-p", "must_enter", "-p", "named", "-p", "can_enter_mu"],
        )
        .check("check_branching_json");
}

/// Claims that are wrong: only the first client can enter.
const CLAIMED: &str = "\
process client[3] {
  var st: {I, R, C} = I
  action request: st == I -> st := R
  action enter: st == R and index(self) == 0 -> st := C
}
symmetry generators { (client[0] client[1] client[2]) }
hint forall c in client: c.st != C
invariant nobody: forall c in client: c.st != C
invariant fine: forall c in client: c.st == C => index(c) == 0
ltl patient: forall c in client: c.st == I W c.st == R
";

/// The symbolic engine answers, refuses and draws.
#[test]
fn symbolic_engine() {
    let folder = folder();
    folder.write("claimed.orb", CLAIMED.as_bytes());
    let symbolic =
        |file: &'static str, more: &[&'static str]| [&["check", file, "--engine", "symbolic"], more].concat();
    Transcript::default()
        .run(&folder, &symbolic("controller.orb", &["--set", "clients=30"]))
        .run(&folder, &symbolic("controller.orb", &["--under", "4"]))
        .run(&folder, &symbolic("controller.orb", &["--under", "4", "--json"]))
        .run(&folder, &symbolic("broken.orb", &["--sigma-limit", "1"]))
        .run(&folder, &symbolic("temporal.orb", &[]))
        .run(&folder, &symbolic("claimed.orb", &[]))
        .run(&folder, &symbolic("claimed.orb", &["--generators", "unchecked", "--hints"]))
        .run(&folder, &symbolic("controller.orb", &["--generators", "unchecked"]))
        .run(&folder, &symbolic("controller.orb", &["--max-states", "5"]))
        .run(&folder, &symbolic("controller.orb", &["--fairness", "strong"]))
        .run(&folder, &symbolic("controller.orb", &["--prune", "full"]))
        .run(&folder, &symbolic("controller.orb", &["--set", "clients=100", "--max-nodes", "1000"]))
        .run(&folder, &["check", "controller.orb", "--hints"])
        .run(&folder, &["export", "controller.orb", "--to", "bdd"])
        .run(&folder, &["export", "broken.orb", "--to", "bdd", "-p", "mutual_exclusion"])
        .run(&folder, &["export", "temporal.orb", "--to", "bdd", "-p", "live"])
        .check("check_symbolic");
}
