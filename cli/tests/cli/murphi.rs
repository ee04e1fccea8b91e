//! Models in Murphi: checked, converted, and what is wrong with them said in their own text.

use crate::support::{Folder, Transcript};

const GERMAN: &str = include_str!("../../../murphi/models/german.m");
const MCS: &str = include_str!("../../../murphi/models/mcs.m");
const NETWORK: &str = include_str!("../../../murphi/models/network.m");

/// A rule that comes to a value outside of its range, and a claim about a start state that is none.
const FAULT: &str = "var x: 0..2;\nstartstate x := 1 end;\nrule \"count on\" x < 5 ==> x := x + 1 end;\n";
const WRONG: &str =
    "type p: scalarset(2);\nvar a: array [p] of 0..2;\nstartstate end;\nrule a[1] = b ==> a[1] := 3 end;\n";
/// The property is wrong, not the model.
const PROPERTY: &str =
    "var x: 0..2;\nstartstate x := 1 end;\nrule x := 2 end;\n-- orbitscope: ltl ends: F y == 2\n";

#[test]
fn models_are_checked() {
    let folder = Folder::with(&[("german.m", GERMAN), ("mcs.m", MCS), ("network.m", NETWORK)]);
    Transcript::default()
        .run(&folder, &["check", "german.m"])
        .run(&folder, &["check", "mcs.m"])
        .run(&folder, &["check", "mcs.m", "--set", "threads=4", "-p", "nobody_starves"])
        .run(&folder, &["check", "network.m"])
        .run(&folder, &["symmetry", "network.m"])
        .run_with(&folder, &["check", "-", "--format", "murphi", "-p", "one_at_a_time"], MCS)
        .run(&folder, &["convert", "network.m"])
        .check("murphi");
}

#[test]
fn errors_stand_in_the_murphi_text() {
    let folder = Folder::with(&[("fault.m", FAULT), ("wrong.m", WRONG), ("property.m", PROPERTY)]);
    Transcript::default()
        .run(&folder, &["check", "fault.m"])
        .run(&folder, &["check", "wrong.m"])
        .run(&folder, &["check", "property.m"])
        .run(&folder, &["convert", "wrong.m"])
        .check("murphi_wrong");
}
