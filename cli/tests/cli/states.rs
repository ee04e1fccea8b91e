//! Covers, `deadlock free`, assumptions and the fairness of single actions.

use crate::support::{Folder, Transcript};

/// A counter that grows for ever, kept small by what is assumed.
const TICKETS: &str = "\
param n = 2
shared next: 0..9 = 0
shared serving: 0..9 = 0
process client[n] {
  var st: {idle, waiting, inside} = idle
  var ticket: 0..9 = 0
  action draw:  st == idle -> ticket := next, next := next + 1, st := waiting
  action enter: st == waiting and ticket == serving -> st := inside
  action leave: st == inside -> st := idle, serving := serving + 1
}
assume next <= 3
cover both_wait: forall c in client: c.st == waiting
cover both_in: forall c in client: c.st == inside
deadlock free
invariant exclusion: count(c in client: c.st == inside) <= 1
ctl can_go_on: AG EX true
";

/// A client may withdraw again and again: only fairness of its `enter` brings it in.
const WITHDRAW: &str = "\
process client[2] {
  var st: {idle, asking, inside} = idle
  action ask:      st == idle -> st := asking
  action withdraw: st == asking -> st := idle
  action enter:    st == asking and not exists d in client: d.st == inside -> st := inside
  action leave:    st == inside -> st := idle
}
fairness client: strong
ltl comes_in: forall c in client: G F c.st == inside
ltl never_in: forall c in client: G c.st != inside
ctl inevitable: forall c in client: AG AF c.st == inside
";

const STUCK: &str = "\
process p[2] { var x: bool = false action go: not x -> x := true }
deadlock free
cover done: forall q in p: q.x
";

fn folder() -> Folder {
    let fair = format!("{WITHDRAW}fairness client.enter: strong\n");
    let weak = format!("{WITHDRAW}fairness client.enter: weak\n");
    Folder::with(&[
        ("tickets.orb", TICKETS),
        ("withdraw.orb", WITHDRAW),
        ("fair.orb", &fair),
        ("weak.orb", &weak),
        ("stuck.orb", STUCK),
    ])
}

#[test]
fn states_as_text() {
    let folder = folder();
    let mut transcript = Transcript::default();
    for engine in ["onthefly", "threaded", "explicit", "symbolic"] {
        transcript.run(&folder, &["check", "tickets.orb", "--engine", engine]);
    }
    transcript
        .run(&folder, &["check", "tickets.orb", "-p", "both_wait", "-p", "deadlock_free"])
        .run(&folder, &["check", "tickets.orb", "-p", "both_in", "--max-states", "5"])
        .run(&folder, &["check", "stuck.orb"])
        .run(&folder, &["check", "stuck.orb", "-p", "deadlock_free", "--no-deadlocks"])
        .run(&folder, &["check", "stuck.orb", "-p", "done"])
        .check("check_states");
}

#[test]
fn fair_actions() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "withdraw.orb"])
        .run(&folder, &["check", "weak.orb", "-p", "comes_in"])
        .run(&folder, &["check", "fair.orb"])
        .run(&folder, &["check", "fair.orb", "--engine", "threaded", "-p", "comes_in", "-p", "never_in"])
        .run(&folder, &["check", "fair.orb", "--engine", "explicit", "-p", "comes_in", "-p", "never_in"])
        .run(&folder, &["check", "fair.orb", "-p", "inevitable", "--fair-ctl"])
        .run(&folder, &["check", "fair.orb", "-p", "comes_in", "--fairness", "strong"])
        .check("check_fair_actions");
}

#[test]
fn states_as_json_and_elsewhere() {
    let folder = folder();
    Transcript::default()
        .run(&folder, &["check", "tickets.orb", "--json", "-p", "both_wait", "-p", "both_in"])
        .run(&folder, &["check", "weak.orb", "--json", "-p", "comes_in"])
        .run(&folder, &["export", "tickets.orb", "--to", "tla"])
        .run(&folder, &["export", "tickets.orb", "--to", "promela"])
        .run(&folder, &["export", "fair.orb", "--to", "tla"])
        .run(&folder, &["export", "fair.orb", "--to", "promela"])
        .run(&folder, &["export", "stuck.orb", "--to", "promela"])
        .run(&folder, &["export", "stuck.orb", "--to", "promela", "-p", "deadlock_free"])
        .check("check_states_elsewhere");
}
