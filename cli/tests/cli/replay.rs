//! `orbitscope replay`: logs of a real program with threads, and damaged logs.

use crate::support::{Folder, Transcript};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

const TWO_PHASE: &str = include_str!("../../../core/models/two_phase_commit.orb");

/// The events that the threads of a program saw, in the order in which they wrote them down.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Value>>>);

impl Log {
    fn write(&self, line: Value) {
        self.0.lock().unwrap().push(line);
    }

    fn text(&self) -> String {
        let lines = self.0.lock().unwrap();
        lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Decision {
    Commit,
    Abort,
}

/// A resource manager: a thread that votes over a channel and waits for the decision.
fn shard(
    name: &str,
    willing: bool,
    votes: &Sender<Option<String>>,
    decision: &Receiver<Decision>,
    log: &Log,
) {
    if willing {
        log.write(json!({ "process": name, "action": "prepare", "after": { "st": "prepared" }, "time": 17 }));
        // A coordinator that has decided listens no more.
        let _ = votes.send(Some(name.into()));
    } else {
        log.write(json!({ "process": name, "action": "choose_to_abort", "after": { "st": "aborted" } }));
        let _ = votes.send(None);
    }
    let (action, st) = match decision.recv().unwrap() {
        Decision::Commit => ("receive_commit", "committed"),
        Decision::Abort => ("receive_abort", "aborted"),
    };
    log.write(json!({ "process": name, "action": action, "after": { "st": st } }));
}

/// Two-phase commit between threads. With the mistake the coordinator does not wait for the last vote.
fn two_phase_commit(willing: &[bool], mistake: bool) -> Log {
    let log = Log::default();
    std::thread::scope(|scope| {
        let (votes, received) = channel();
        let mut decisions = Vec::new();
        for (number, &willing) in willing.iter().enumerate() {
            let (send, decision) = channel();
            decisions.push(send);
            let (votes, log) = (votes.clone(), log.clone());
            scope
                .spawn(move || shard(&format!("shard-{}", 7 * number + 3), willing, &votes, &decision, &log));
        }
        let wanted = willing.len() - usize::from(mistake);
        let mut decision = Decision::Commit;
        for vote in received.iter().take(wanted) {
            let Some(name) = vote else {
                decision = Decision::Abort;
                break;
            };
            log.write(json!({ "process": "coordinator", "action": "receive_prepared", "args": [name], "after": { format!("heard[{name}]"): true } }));
        }
        let (action, st) =
            if decision == Decision::Commit { ("commit", "committed") } else { ("abort", "aborted") };
        log.write(json!({ "process": "coordinator", "action": action, "after": { "st": st } }));
        for send in decisions {
            send.send(decision).unwrap();
        }
    });
    log
}

fn replay(folder: &Folder, more: &[&str]) -> (Value, i32) {
    let output = folder.run(&[&["replay", "m.orb", "log.jsonl", "--json"], more].concat(), "");
    let report = serde_json::from_slice(&output.stdout);
    (
        report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))),
        output.status.code().unwrap(),
    )
}

#[test]
fn the_log_of_threads_is_a_behaviour() {
    let folder = Folder::with(&[("m.orb", TWO_PHASE)]);
    for (round, willing) in
        [vec![true; 4], vec![true, false, true, true], vec![true; 4]].into_iter().enumerate()
    {
        let log = two_phase_commit(&willing, false);
        folder.write("log.jsonl", log.text().as_bytes());
        let (report, status) = replay(&folder, &["--set", "managers=4"]);
        assert_eq!((&report["behaviour"], status), (&true.into(), 0), "{round}: {report}\n{}", log.text());
        let names = report["names"].as_array().unwrap();
        assert!(
            names.iter().any(|name| name["name"] == "coordinator" && name["process"] == "tm"),
            "{report}"
        );
    }
}

/// Without what the shards did before they voted, the log needs hidden steps, and is a behaviour with them.
#[test]
fn what_the_log_leaves_out_is_inferred() {
    let folder = Folder::with(&[("m.orb", TWO_PHASE)]);
    let log = two_phase_commit(&[true; 3], false);
    let text = log.text();
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("\"prepare\"")).collect();
    let kept = kept.join(
        "
",
    );
    folder.write("log.jsonl", kept.as_bytes());
    assert_eq!(replay(&folder, &[]).1, 1);
    let (report, status) = replay(&folder, &["--hidden", "1", "--hide", "prepare"]);
    assert_eq!(status, 0, "{report}\n{kept}");
    assert_eq!(replay(&folder, &["--hidden", "1", "--hide", "choose_to_abort"]).1, 1);
}

#[test]
fn a_coordinator_that_does_not_wait_is_caught_where_it_commits() {
    let folder = Folder::with(&[("m.orb", TWO_PHASE)]);
    for _ in 0..3 {
        let log = two_phase_commit(&[true; 4], true);
        folder.write("log.jsonl", log.text().as_bytes());
        let (report, status) = replay(&folder, &["--set", "managers=4"]);
        let wrong = log.text().lines().position(|line| line.contains("\"commit\"")).unwrap() + 1;
        assert_eq!(
            (&report["behaviour"], &report["line"], status),
            (&false.into(), &wrong.into(), 1),
            "{report}\n{}",
            log.text()
        );
        let steps: Vec<&str> =
            report["steps"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
        assert!(steps.contains(&"coordinator.abort") && !steps.contains(&"coordinator.commit"), "{steps:?}");
    }
}

#[test]
fn logs_as_text() {
    let lock = "shared owner: w? = none
process w[3] { var st: {idle, waiting, using} = idle
  action ask: st == idle -> st := waiting
  action enter: st == waiting and owner == none -> st := using, owner := self
  action leave: st == using -> st := idle, owner := none }
";
    let good = "{\"process\": \"a\", \"action\": \"ask\"}\n\n{\"process\": 2, \"action\": \"ask\"}\n{\"process\": 2, \"after\": {\"owner\": 2}}\n";
    let bad =
        format!("{good}{{\"process\": \"a\", \"action\": \"enter\", \"after\": {{\"st\": \"using\"}}}}\n");
    let files = [
        ("m.orb", lock),
        ("fault.orb", "process w { var x: 0..1 = 0 action up: true -> x := x + 1 }\n"),
        ("good.jsonl", good),
        ("bad.jsonl", &bad),
        ("values.jsonl", "{\"process\": \"a\", \"action\": \"ask\", \"after\": {\"st\": \"using\"}}\n"),
        ("damaged.jsonl", "{\"process\": \"a\", \"action\": \"ask\"}\n{\"process\": \"a\", \n"),
        ("list.jsonl", "[1, 2]\n"),
        ("nothing.jsonl", "{\"proces\": \"a\"}\n"),
        ("action.jsonl", "{\"process\": \"a\", \"action\": \"akk\"}\n"),
        ("nested.jsonl", "{\"after\": {\"st\": {\"a\": 1}}}\n"),
        ("up.jsonl", "{\"action\": \"up\"}\n{\"action\": \"up\"}\n"),
        ("empty.jsonl", ""),
    ];
    let folder = Folder::with(&files);
    let mut transcript = Transcript::default();
    for (log, _) in &files[2..10] {
        transcript.run(&folder, &["replay", "m.orb", log]);
    }
    transcript
        .run(&folder, &["replay", "fault.orb", "up.jsonl"])
        .run(&folder, &["replay", "m.orb", "empty.jsonl"])
        .run(&folder, &["replay", "m.orb", "missing.jsonl"])
        .run(&folder, &["replay", "m.orb", "good.jsonl", "--hide", "aks"])
        .run(&folder, &["replay", "m.orb", "bad.jsonl", "--own-names", "--json"])
        .run(&folder, &["replay", "-", "-"]);
    transcript.check("replay");
}
