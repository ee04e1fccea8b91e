//! The quotient from the command line: the published figures, the group in words, and what is refused.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/models").join(name).with_extension("orb")
}

fn run(file: &Path, before: &str, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orbitscope"))
        .arg(before)
        .arg(file)
        .args(arguments.split_whitespace())
        .output()
        .expect("the command line runs")
}

fn good(file: &Path, before: &str, arguments: &str) -> String {
    let output = run(file, before, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{before} {} {arguments}: {errors}", file.display());
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn json(file: &Path, before: &str, arguments: &str) -> Value {
    serde_json::from_str(&good(file, before, arguments)).expect("the output is JSON")
}

/// States and edges.
fn counts(graph: &Value) -> (u64, u64) {
    let length = |name: &str| graph[name].as_array().expect("a list").len() as u64;
    // States have their numbers in them where the quotient is printed, nodes where the states are.
    let states = if graph["states"].is_array() { length("states") } else { length("nodes") };
    (states, length("edges"))
}

/// Gyuris & Sistla, section 2.5.
#[test]
fn figures_of_the_simplified_controller() {
    let file = model("simplified_controller");
    let graph = |arguments: &str| counts(&json(&file, "graph", &format!("{arguments} --format json")));
    assert_eq!(graph("--of states").0, 20);
    assert_eq!(graph("--of aqs --prune none"), (7, 27));
    assert_eq!(graph("--of aqs --prune process"), (7, 16));
    assert_eq!(graph("--of aqs"), (7, 16));
    assert_eq!(graph("--of aqsi --track client[1]").0, 13);
    assert_eq!(graph("--of aqsi -p eventually_access").0, 13);
    assert_eq!(graph("--of aqsi -p never_critical --prune none").0, 13);
    assert_eq!(graph("--of aqs --symmetry none").0, 20);
}

/// Gyuris & Sistla, table 1: n counts the server too.
#[test]
fn figures_of_the_resource_controller() {
    let file = model("resource_controller");
    for (n, states, none, process, full) in
        [(10, 38, 235, 107, 71), (50, 198, 6175, 1567, 391), (100, 398, 24850, 5642, 791)]
    {
        let clients = n - 1;
        for (prune, edges) in [("none", none), ("process", process), ("full", full)] {
            let arguments =
                format!("--set clients={clients} --of aqs --prune {prune} --max-states 100000 --format json");
            let graph = json(&file, "graph", &arguments);
            assert_eq!(counts(&graph), (states, edges), "n = {n}, {prune}");
            assert_eq!(
                (graph["state_count"].as_u64(), graph["edge_count"].as_u64()),
                (Some(states), Some(edges))
            );
        }
    }
}

#[test]
fn the_data_of_the_quotient_has_everything() {
    let graph = json(&model("simplified_controller"), "graph", "--of aqs --ghosts --format json");
    assert_eq!(graph["symmetry"]["order"], "6");
    assert_eq!((&graph["prune"], &graph["exact"]), (&"full".into(), &true.into()));
    assert_eq!(graph["states"][3]["label"][0], "RRI");
    assert_eq!(graph["states"][3]["state"]["client"][0]["st"], "R");
    assert_eq!(graph["states"][3]["classes"][0]["representative"], "client[0]");
    assert_eq!(graph["states"][3]["classes"][0]["size"], 2);
    // Kept and pruned edges are all edges, and a kept one stands for those pruned.
    let (kept, pruned) = (graph["edges"].as_array().unwrap(), graph["pruned"].as_array().unwrap());
    assert_eq!((kept.len(), pruned.len()), (16, 11));
    assert_eq!(kept.iter().map(|e| e["weight"].as_u64().unwrap()).sum::<u64>(), 27);
    for edge in pruned {
        let parallel = &kept[edge["parallel_to"].as_u64().unwrap() as usize];
        assert_eq!((&edge["from"], &edge["action"]), (&parallel["from"], &parallel["action"]));
        let cycles = edge["shown_by"].as_array().unwrap();
        assert!(!cycles.is_empty() && cycles.iter().all(|cycle| cycle.as_array().unwrap().len() > 1));
    }
    let swap = kept.iter().find(|e| e["from"] == "s3" && e["to"] == "s1").unwrap();
    assert_eq!(swap["perm"], serde_json::json!([["client[0]", "client[1]"]]));
}

#[test]
fn pictures_of_the_quotient() {
    let file = model("simplified_controller");
    let dot = good(&file, "graph", "--of aqs --format dot --ghosts");
    assert!(dot.contains("label=\"RRI\\n0 2\""), "{dot}");
    assert!(dot.contains("[label=\"(0 1), 0.withdraw\"]"), "{dot}");
    assert!(dot.contains("(0 1), 1.request, ρ=(0 1)\", style=dashed"), "{dot}");
    let svg = good(&file, "graph", "--of aqsi --track client[1] --format svg");
    assert!(svg.starts_with("<svg") && svg.contains(">RRI<") && svg.contains(">l=2<"), "{svg}");
    let svg = good(&model("readers_writers"), "graph", "--of aqs --format svg");
    assert!(svg.contains("(r0 r1)"), "two families are told apart by their letters: {svg}");
}

#[test]
fn limits_and_wrong_options() {
    let file = model("simplified_controller");
    let output = run(&file, "graph", "--of aqs --max-states 3 --format json");
    assert_eq!(output.status.code(), Some(3));
    let graph: Value = serde_json::from_slice(&output.stdout).expect("what was found is printed");
    assert_eq!((graph["complete"].as_bool(), counts(&graph).0), (Some(false), 3));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("only the first 3 states"), "{errors}");
    for (arguments, words) in [
        ("--of aqsi", "say which with `-p PROPERTY`"),
        ("--of aqsi --track client[3]", "`client` has the processes 0 to 2"),
        ("--of aqsi --track client", "say which, as `client[0]`"),
        ("--of aqsi --track client[x]", "is no process"),
        ("--of aqsi --track clent[0]", "did you mean `client`?"),
        ("--of aqsi -p nothing", "there is no property called `nothing`"),
        ("--of aqsi -p two_at_work", "names no process to track"),
        ("--of aqs -p can_enter", "leave out `-p`"),
        ("--of aqs --track client[0]", "leave out `--track`"),
        ("--of states --prune full", "leave out `--prune`"),
        ("--of states --ghosts", "leave out `--ghosts`"),
    ] {
        let output = run(&file, "graph", arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.contains(words), "{arguments}: {errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_group_in_words() {
    let text = good(&model("resource_controller"), "symmetry", "--set clients=30");
    for words in [
        "symmetry found from the text",
        "order 265252859812191058636308480000000",
        "  server  one process",
        "  client  full symmetric group of client (30)",
        "29 generators",
        "  (client[0] client[1])",
        "  and 9 more",
        "nothing in the text limits it",
    ] {
        assert!(text.contains(&format!("{words}\n")), "{words}\n{text}");
    }
    let text = good(&model("token_ring"), "symmetry", "");
    assert!(text.contains("order 5\n") && text.contains("rotations of the ring station (5)"), "{text}");
    assert!(text.contains("token_ring.orb:") && text.contains("| ") && text.contains("^^^^"), "{text}");
    let report = json(&model("token_ring"), "symmetry", "--json");
    assert_eq!((&report["order"], &report["source"]), (&"5".into(), &"auto".into()));
    assert_eq!(report["reasons"][0]["text"], "next(self)");
    assert!(report["reasons"][0]["line"].as_u64().is_some());
    let text = good(&model("token_ring"), "symmetry", "--symmetry none");
    assert!(text.contains("symmetry none, as asked\norder 1\n"), "{text}");
}

#[test]
fn claims_are_checked_wherever_they_are_used() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("claims.orb");
    let source = "process p[3] {\n  var x: bool = false\n  action go: not x and self != p[0] -> x := true\n}\n\
                  invariant some: true\nsymmetry generators { (p[0] p[1]) }\n";
    std::fs::write(&file, source).expect("the file can be written");
    for (command, arguments) in [("symmetry", ""), ("graph", "--of aqs"), ("check", "")] {
        let output = run(&file, command, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.contains("claims.orb:6:23: `(p[0] p[1])` is no symmetry"), "{command}: {errors}");
        assert!(errors.contains("claims.orb:3:10: the action `go` shows it"), "{command}: {errors}");
    }
    let report = json(&file, "symmetry", "--symmetry auto --json");
    assert_eq!(report["order"], "2");
    let report = json(&file, "check", "--symmetry auto --json");
    assert_eq!(report["symmetry"]["order"], "2");
    assert_eq!(report["symmetry"]["generators"], serde_json::json!(["(p[1] p[2])"]));
    let report = json(&file, "check", "--symmetry none --json");
    assert_eq!(report["symmetry"]["order"], "1");
}

#[test]
fn an_error_of_the_model_is_shown_with_a_path() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault.orb");
    let source = "process p[3] {\n  var x: 0..1 = 0\n  action go: true -> x := x + 1\n}\n";
    std::fs::write(&file, source).expect("the file can be written");
    for arguments in ["--of aqs", "--of aqsi --track p[0]", "--of aqs --format json"] {
        let output = run(&file, "graph", arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.contains("fault.orb:3:") && errors.contains("path to it:"), "{errors}");
    }
}
