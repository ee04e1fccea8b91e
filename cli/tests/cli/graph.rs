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
