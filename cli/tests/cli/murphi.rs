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

/// A literal and a rule whose names the modelling language does not have; properties in another file, one of them wrong.
const NAMES: &str = "type E: enum { shared, init };\nvar e: E;\nstartstate e := init end;\n\
    ruleset f: E do rule \"turn to it, now\" e != f ==> e := f end end;\ninvariant \"never\" e != shared;\n";
const SECOND: &str = "cover there: e == shared_\ninvariant stays: e == init_\n";
const SECOND_WRONG: &str = "cover there: e == shared_\ninvariant stays: d == init_\n";

#[test]
fn names_are_those_of_the_text() {
    let files = [("names.m", NAMES), ("more.orb", SECOND), ("wrong.orb", SECOND_WRONG)];
    let folder = Folder::with(&files);
    Transcript::default()
        .run(&folder, &["check", "names.m"])
        .run(&folder, &["check", "names.m", "--properties", "more.orb", "-p", "there", "-p", "stays"])
        .run(&folder, &["check", "names.m", "--properties", "wrong.orb"])
        .run(&folder, &["check", "names.m", "--properties", "none.orb"])
        .check("murphi_names");
}

/// An assertion in a start state that fails, and loops that are followed no further: in a rule, and in a start state.
const START: &str = "var x: 0..2;\nstartstate x := 1; assert x = 2 \"x is two\" end;\nrule x := 1 end;\n";
const LOOP: &str =
    "var x: 0..200;\nstartstate x := 0 end;\nrule \"far\" while x < 200 do x := x + 1 end end;\n";
const START_LOOP: &str =
    "var x: 0..200;\nstartstate x := 0; while x < 200 do x := x + 1 end end;\nrule x := 1 end;\n";
const UNDEFINED: &str = "type P: scalarset(2);\nvar p: P; x: 0..2;\nstartstate undefine p; x := 0 end;\n\
    ruleset q: P do rule \"ask\" p = q ==> x := 1 end end;\n";
const ARGUMENT: &str = "type R: 0..2;\nvar x: R;\nfunction even(r: R): boolean; begin return r % 2 = 0 end;\n\
    startstate x := 2 end;\nrule \"ask\" even(x + 1) ==> x := 1 end;\n";

#[test]
fn errors_have_murphi_s_words() {
    let folder = Folder::with(&[
        ("start.m", START),
        ("loop.m", LOOP),
        ("start_loop.m", START_LOOP),
        ("undefined.m", UNDEFINED),
        ("argument.m", ARGUMENT),
    ]);
    Transcript::default()
        .run(&folder, &["check", "start.m"])
        .run(&folder, &["check", "loop.m"])
        .run(&folder, &["check", "start_loop.m"])
        .run(&folder, &["check", "undefined.m"])
        .run(&folder, &["check", "argument.m"])
        .check("murphi_errors");
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
