//! Each property keeps its own outcome: beside errors of others, at limits, and when somebody stops the check.

use crate::support::{Folder, Transcript, mask};
use serde_json::Value;
use std::process::Output;

/// Two properties have errors of their own, each in another state.
const FAULTY: &str = "\
shared x: 0..3 = 2
process p[2] { var on: bool = false action down: x > 0 -> x := x - 1, on := not on }
invariant divides: 4 / x > 0
invariant small: x <= 2
invariant never_low: x > 1
invariant also: 3 / (x - 1) != 7
ltl ends: F x == 0
ltl broken: G 4 / x > 0
ctl can: EF x == 0
";

/// The model itself has an error, which some searches meet before their answer.
const WRONG: &str = "\
shared x: 0..3 = 0
process p[2] { action up: true -> x := x + 1 }
invariant low: x < 2
invariant fine: x <= 3
ltl rises: F x == 3
";

/// One state has as many successors as there are processes, and no two are alike.
fn families(count: usize) -> String {
    let each = |n| format!("process p{n} {{ var x: bool = false action go: not x -> x := true }}\n");
    let properties =
        "invariant i: not p0.x or p1.x or true\nltl l: G (not p0.x or true)\nctl c: AG (p0.x or true)\n";
    (0..count).map(each).collect::<String>() + properties
}

/// More states than anybody waits for.
const ENDLESS: &str = "\
process p[9] { var x: 0..60 = 0 var y: 0..60 = 0
  action up: x < 60 -> x := x + 1
  action over(q in p): q.x > y and y < 60 -> y := y + 1 }
invariant first: p[0].x >= 0
invariant together: count(q in p: q.x > 60) == 0
ltl second: G p[1].x >= 0
";

fn report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let shown = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {:?}\n{text}\n{shown}", output.status))
}

#[test]
fn an_error_of_one_property_leaves_the_others_their_answers() {
    let folder = Folder::with(&[("faulty.orb", FAULTY), ("wrong.orb", WRONG)]);
    let mut transcript = Transcript::default();
    transcript
        .run(&folder, &["check", "faulty.orb"])
        .run(&folder, &["check", "faulty.orb", "--json"])
        .run(&folder, &["check", "faulty.orb", "-p", "broken", "-p", "small"])
        .run(&folder, &["check", "wrong.orb"])
        .run(&folder, &["check", "wrong.orb", "-p", "fine", "-p", "rises", "--json"]);
    for engine in ["threaded", "explicit", "symbolic"] {
        transcript.run(&folder, &["check", "faulty.orb", "--engine", engine]);
    }
    transcript.check("check_faults");
}

/// The limit of states holds within one expansion, for every engine and every logic.
#[test]
fn no_engine_goes_beyond_the_limit_of_states() {
    let folder = Folder::with(&[("families.orb", &families(300))]);
    for engine in ["onthefly", "threaded", "explicit"] {
        let args = ["check", "families.orb", "--max-states", "10", "--engine", engine, "--json"];
        let output = folder.run(&args, "");
        let report = report(&output);
        // The older method does not take ctl.
        let status = if engine == "threaded" { 2 } else { 3 };
        assert_eq!((output.status.code(), &report["complete"]), (Some(status), &false.into()), "{engine}");
        for result in report["results"].as_array().unwrap() {
            for key in ["states", "aqs_states", "aqsi_states", "product_states"] {
                let counted = result["stats"][key].as_u64().unwrap_or(0);
                let own = key == "product_states" || result["property"] == "i";
                assert!(counted <= 10 || !own, "{engine}: {key} of {} is {counted}", result["property"]);
            }
        }
    }
    let text = folder.run(&["check", "families.orb", "--max-states", "10", "-p", "i"], "");
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("10 states, ") && text.contains("(partial: the limit of states"), "{text}");
}

/// Where the system gives no more memory, what was found is printed.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_memory_is_a_limit() {
    let folder = Folder::with(&[("endless.orb", ENDLESS)]);
    for (engine, kibibytes) in [("onthefly", 120_000), ("explicit", 150_000)] {
        let binary = env!("CARGO_BIN_EXE_orbitscope");
        let line = format!(
            "ulimit -v {kibibytes}; exec {binary} check endless.orb -p together -p second --engine {engine} --json"
        );
        let output =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        let report = report(&output);
        assert_eq!(output.status.code(), Some(3), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(report["results"].as_array().unwrap().len(), 2);
        assert!(report["results"].as_array().unwrap().iter().all(|result| result["verdict"] == "unknown"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("the limit of memory was reached"), "{engine}: {stderr}");
    }
}

/// Ctrl-C ends the search, not the report.
#[cfg(unix)]
#[test]
fn a_request_to_stop_is_answered() {
    use std::process::Stdio;
    use std::time::Duration;
    let folder = Folder::with(&[("endless.orb", ENDLESS)]);
    // Before the search begins there is nothing to print, and the first request ends the process: then it came too early.
    for attempt in 0..8 {
        let child = folder
            .command(&["check", "endless.orb", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(200 << attempt));
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let Some(code) = output.status.code() else { continue };
        let report = report(&output);
        assert_eq!((code, &report["complete"]), (3, &Value::Bool(false)));
        let verdicts: Vec<&str> =
            report["results"].as_array().unwrap().iter().filter_map(|r| r["verdict"].as_str()).collect();
        assert_eq!(verdicts, ["unknown"; 3]);
        assert_eq!(report["results"][2]["note"], "the check was stopped before it was asked");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "orbitscope: stopped; what was found so far is printed\n");
        return;
    }
    panic!("every request came before the search began");
}

/// A search that is over soon, and a run that is long to make.
const FAR: &str = "\
param far = 20000
shared x: 0..1000000 = 0
process p[3] { var here: bool = false
  action up: x < far -> x := x + 1
  action stay: x == far -> here := not here }
ltl settles: forall q in p: F G q.here
";

/// Ctrl-C while a run is made keeps the violation, and is answered soon.
#[cfg(unix)]
#[test]
fn a_request_to_stop_keeps_the_violation() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = Folder::with(&[("far.orb", FAR)]);
    let mut wait = Duration::from_millis(100);
    for _ in 0..40 {
        let child = folder
            .command(&["check", "far.orb", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(wait);
        wait = wait * 5 / 4;
        let id = child.id().to_string();
        let sent = Instant::now();
        let asked = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let took = sent.elapsed();
        assert!(asked.success());
        let Some(code) = output.status.code() else { continue };
        let report = report(&output);
        let result = &report["results"][0];
        if result["verdict"] == "unknown" {
            continue;
        }
        assert_eq!((code, &result["verdict"]), (1, &"violated".into()));
        // Whoever comes too late gets the whole run, and no note.
        let note = result["note"].as_str().expect("a request came while the run was made");
        let cut = "the making of its run was cut short; there may be a shorter one";
        let without = result["lasso"].is_null();
        assert_eq!(note, if without { "its run was not made to the end" } else { cut });
        assert!(report["deadlocks"].is_null(), "nothing else is looked for");
        assert!(took < Duration::from_secs(3), "it took {took:?}");
        return;
    }
    panic!("no request came while the run was made");
}

/// The three ways of holding edges give one answer, and differ in what they cost.
#[test]
fn edges_are_held_in_three_ways() {
    let text = "\
process p[3] {
  var st: {idle, waiting, using} = idle
  action ask:   st == idle -> st := waiting
  action enter: st == waiting and not exists d in p: d.st == using -> st := using
  action leave: st == using -> st := idle
}
ltl served: forall q in p: G (q.st == waiting => F q.st == using)
ltl safe: forall a in p, b in p: G (a.st == using and b.st == using => a == b)
";
    let folder = Folder::with(&[("m.orb", text)]);
    let asked = |edges: &[&str]| {
        let output = folder.run(&[&["check", "m.orb", "--json"], edges].concat(), "");
        assert_eq!(output.status.code(), Some(1));
        report(&output)["results"].clone()
    };
    let usual = asked(&[]);
    let ways = ["stored", "recomputed", "ahead"].map(|way| asked(&["--edges", way]));
    for (way, results) in ["stored", "recomputed", "ahead"].iter().zip(&ways) {
        for (result, usual) in results.as_array().unwrap().iter().zip(usual.as_array().unwrap()) {
            assert_eq!(result["verdict"], usual["verdict"]);
            assert_eq!(result["lasso"], usual["lasso"], "{way}");
            assert_eq!(result["stats"]["product_states"], usual["stats"]["product_states"], "{way}");
            assert_eq!(result["stats"]["edge_storage"], *way);
        }
    }
    let cost = |way: usize, key: &str| {
        ways[way].as_array().unwrap().iter().map(|result| result["stats"][key].as_u64().unwrap()).sum::<u64>()
    };
    let (made, bytes) =
        ([0, 1, 2].map(|w| cost(w, "edge_expansions")), [0, 1, 2].map(|w| cost(w, "edge_bytes")));
    assert!(made[1] > made[0] && made[2] >= made[0], "{made:?}");
    assert!(bytes[1] == 0 && bytes[0] > 0 && bytes[2] >= bytes[0], "{bytes:?}");
    Transcript::default()
        .run(&folder, &["check", "m.orb", "-p", "safe", "--edges", "ahead"])
        .run(&folder, &["check", "m.orb", "-p", "safe", "--edges", "ahead", "--max-states", "3"])
        .run(&folder, &["check", "m.orb", "--edges", "recomputed", "--engine", "explicit"])
        .check("check_edges");
}

/// Whatever the number of threads: the same answers, counts, paths and limits, to the letter.
#[test]
fn threads_change_no_answer() {
    let text = "\
param n = 9 in 1..20
process p[n] { var x: 0..3 = 0 action up: x < 3 -> x := x + 1 action back: x == 3 -> x := 1 }
invariant few: count(q in p: q.x == 2) < n
invariant fine: count(q in p: q.x == 2) <= n
cover all: forall q in p: q.x == 1
deadlock free
";
    let folder = Folder::with(&[("m.orb", text)]);
    for limit in [&[][..], &["--max-states", "5000"], &["--no-deadlocks"]] {
        let told = |threads: &str| {
            let options = ["check", "m.orb", "--engine", "explicit", "--threads", threads];
            let output = folder.run(&[&options[..], limit].concat(), "");
            (output.status.code(), mask(&String::from_utf8_lossy(&output.stdout)))
        };
        let one = told("1");
        assert!(one.1.contains("states"), "{}", one.1);
        for threads in ["2", "3", "8"] {
            assert_eq!(told(threads), one, "{threads} threads, {limit:?}");
        }
    }
    let output = folder.run(&["check", "m.orb", "--threads", "0"], "");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("expected a number from 1 to 1024"), "{said}");
}
