//! `orbitscope graph`, standard output, and help.

use crate::support::{Folder, Transcript};
use std::process::Stdio;

const BITS: &str = "\
param n = 2 in 0..20
process p[n] {
  var x: bool = false
  action on: not x -> x := true
  action stay: x -> x := x
}
";

#[test]
fn graphs_of_states() {
    let folder = Folder::with(&[
        ("bits.orb", BITS),
        ("stuck.orb", "process p { var x: bool = any action go: x -> x := false }"),
    ]);
    Transcript::default()
        .run(&folder, &["graph", "bits.orb", "--of", "states"])
        .run(&folder, &["graph", "bits.orb", "--of", "states", "--format", "json"])
        .run(&folder, &["graph", "bits.orb", "--of", "states", "--format", "svg"])
        .run(&folder, &["graph", "stuck.orb", "--of", "states"])
        .check("graph_states");
}

const LIVE: &str = "\
process p[3] { var x: bool = false action flip: true -> x := not x }
invariant fine: true
ltl live: forall q in p: G F q.x
ltl two: forall q in p, r in p: G F (q.x or r.x)
ltl bad: G 1 / count(q in p: not q.x) > 0
ctl can: AG EF p[0].x
automaton wrong(q in p) { initial a { true -> a  q.x -> b } accepting b { true -> b } }
";

#[test]
fn graphs_of_products() {
    let folder = Folder::with(&[("live.orb", LIVE)]);
    Transcript::default()
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "live"])
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "wrong", "--format", "json"])
        .run(&folder, &["graph", "live.orb", "--of", "threaded", "-p", "live"])
        .run(&folder, &["graph", "live.orb", "--of", "threaded", "-p", "live", "--format", "svg"])
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "two", "--max-states", "3"])
        .run(&folder, &["graph", "live.orb", "--of", "threaded", "-p", "live", "--max-states", "3"])
        .run(&folder, &["graph", "live.orb", "--of", "product"])
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "fine"])
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "can"])
        .run(&folder, &["graph", "live.orb", "--of", "product", "-p", "bad"])
        .run(&folder, &["graph", "live.orb", "--of", "threaded", "-p", "bad"])
        .run(&folder, &["graph", "live.orb", "--of", "threaded", "-p", "live", "--prune", "full"])
        .check("graph_product");
}

#[test]
fn steps_of_a_search() {
    let folder = Folder::with(&[("live.orb", LIVE)]);
    Transcript::default()
        .run(&folder, &["trace", "live.orb", "-p", "wrong"])
        .run(&folder, &["trace", "live.orb", "-p", "live"])
        .run(&folder, &["trace", "live.orb", "-p", "wrong", "--json"])
        .run(&folder, &["trace", "live.orb", "-p", "fine"])
        .run(&folder, &["trace", "live.orb", "-p", "can"])
        .run(&folder, &["trace", "live.orb", "-p", "bad"])
        .check("trace");
}

/// An automaton that is written reads back, and says the same of the model.
#[test]
fn automata_for_other_tools() {
    let folder = Folder::with(&[("live.orb", LIVE)]);
    Transcript::default()
        .run(&folder, &["export", "live.orb", "--to", "hoa", "-p", "live"])
        .run(&folder, &["export", "live.orb", "--to", "hoa", "-p", "two"])
        .run(&folder, &["export", "live.orb", "--to", "hoa"])
        .run(&folder, &["export", "live.orb", "--to", "hoa", "-p", "fine"])
        .check("export_hoa");
    for name in ["live", "wrong", "two"] {
        let text = folder.run(&["export", "live.orb", "--to", "hoa", "-p", name], "").stdout;
        folder.write("again.hoa", &text);
        let own = folder.run(&["check", "live.orb", "-p", name], "").status.code();
        let again = folder.run(&["check", "live.orb", "--hoa", "again.hoa"], "").status.code();
        assert_eq!(again, own, "{name}");
    }
}

/// The model in other languages; what they cannot say is left out with a word, or refused where it was asked for.
#[test]
fn models_for_other_tools() {
    let folder = Folder::with(&[("live.orb", LIVE)]);
    Transcript::default()
        .run(&folder, &["export", "live.orb", "--to", "promela"])
        .run(&folder, &["export", "live.orb", "--to", "promela", "-p", "live"])
        .run(&folder, &["export", "live.orb", "--to", "promela", "-p", "can"])
        .run(&folder, &["export", "live.orb", "--to", "promela", "-p", "nothing"])
        .run(&folder, &["export", "live.orb", "--to", "tla"])
        .run(&folder, &["export", "live.orb", "--to", "tla", "-p", "can"])
        .check("export_models");
}

#[test]
fn graphs_that_are_too_large() {
    let folder = Folder::with(&[("bits.orb", BITS)]);
    Transcript::default()
        .run(&folder, &["graph", "bits.orb", "--of", "states", "--max-states", "3"])
        .run(&folder, &["graph", "bits.orb", "--of", "states", "--max-states", "3", "--format", "json"])
        .run(&folder, &["graph", "bits.orb", "--of", "states", "--max-states", "3", "--format", "svg"])
        .check("graph_partial");
    let output =
        folder.run(&["graph", "bits.orb", "--of", "states", "--set", "n=12", "--format", "json"], "");
    let graph: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(graph["nodes"].as_array().map(Vec::len), Some(2_000));
    assert_eq!((&graph["complete"], output.status.code()), (&serde_json::json!(false), Some(3)));
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    Transcript::default()
        .run(&folder, &["--help"])
        .run(&folder, &["check", "--help"])
        .run(&folder, &["graph", "--help"])
        .run(&folder, &["fmt", "--help"])
        .run(&folder, &["trace", "--help"])
        .run(&folder, &["export", "--help"])
        .check("help");
    let version = folder.run(&["--version"], "");
    assert_eq!(
        String::from_utf8_lossy(&version.stdout),
        format!("orbitscope {}\n", env!("CARGO_PKG_VERSION"))
    );
}

/// A reader that goes away is no error: the command ends with its own status.
#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::with(&[("bits.orb", BITS)]);
    for (args, status) in [
        (&["graph", "bits.orb", "--of", "states", "--set", "n=10"][..], 0),
        (&["graph", "bits.orb", "--of", "states", "--set", "n=12"][..], 3),
    ] {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("Broken pipe"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full() {
    let folder = Folder::with(&[("bits.orb", BITS)]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&["check", "bits.orb"]).stdout(full).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("orbitscope: cannot write to standard output: "), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}
