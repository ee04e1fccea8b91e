//! Wrong files, flags and values: one clear message each, exit status 2, and nothing on standard output unless something was
//! checked.

use crate::support::{Folder, Transcript};
use std::fs::File;

const GOOD: &str = "param n = 2 in 1..9\nprocess p[n] { var x: bool = false action go: not x -> x := true }\ninvariant fine: true\n";

/// Runs `check` on each text in turn.
fn check_all(name: &str, models: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(models);
    let mut transcript = Transcript::default();
    for (file, _) in models {
        transcript.run(&folder, &["check", file]);
    }
    transcript.check(name);
    folder
}

#[test]
fn texts() {
    let models = [
        ("syntax.orb", "param n = \nprocess p[n] { var x bool = false }\nproces q {}\n"),
        ("name.orb", "shared turn: bool = true\nprocess p { action go: trun -> turn := false }\n"),
        ("types.orb", "shared x: 0..3 = true\nprocess p { action go: x == A -> x := p }\n"),
        ("twice.orb", "shared x: bool = true\nshared x: bool = false\n"),
        ("comment.orb", "shared x: bool = true /* never closed\n"),
        ("character.orb", "shared x: bool = true\n$ shared y: bool = true\n"),
        ("initial.orb", "shared x[i in 0..3]: 0..2 = i\nprocess p { action go: true -> x[0] := 0 }\n"),
        ("number.orb", "param n = 99999999999999999999\n"),
        ("empty_range.orb", "shared x: 3..1 = 2\n"),
    ];
    let folder = check_all("bad_texts", &models);
    for (file, _) in models {
        let output = folder.run(&["check", file], "");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{file} prints something");
    }
}

/// An error of the model that shows only when it is executed: the action, the state, the path.
#[test]
fn faults() {
    check_all(
        "bad_faults",
        &[
            ("range.orb", "shared x: 0..2 = 0\nprocess p[2] { action up: true -> x := x + 1 }\n"),
            (
                "division.orb",
                "shared x: 0..4 = 2\nprocess p {\n  action down: x > 0 -> x := x - 1\n  action div(d in 1..2): 4 / x < d -> x := 0\n}\n",
            ),
            (
                "index.orb",
                "shared at: 0..9 = 0\nshared row[0..2]: bool = false\nprocess p { action go: true -> row[at] := true, at := at + 1 }\n",
            ),
            (
                "none.orb",
                "shared who: p? = none\nprocess p[2] {\n  var x: bool = false\n  action go: true -> who.x := true\n}\n",
            ),
            (
                "twice.orb",
                "shared x: 0..2 = 0\nprocess p[2] {\n  var y: 0..2 = 0\n  action go(q in p): true -> y := 1, q.y := 2\n}\n",
            ),
            (
                "process.orb",
                "shared i: 0..5 = 1\nprocess p[2] {\n  var y: bool = false\n  action go: p[i].y == false -> i := i + 1\n}\n",
            ),
            (
                "invariant.orb",
                "shared x: 0..2 = 2\nprocess p { action down: x > 0 -> x := x - 1 }\ninvariant odd: 4 / x > 0\n",
            ),
        ],
    );
}

#[test]
fn faults_end_other_commands_too() {
    let folder =
        Folder::with(&[("range.orb", "shared x: 0..2 = 0\nprocess p { action up: true -> x := x + 1 }\n")]);
    Transcript::default()
        .run(&folder, &["check", "range.orb", "--json"])
        .run(&folder, &["graph", "range.orb", "--of", "states"])
        .check("bad_faults_elsewhere");
}

#[test]
fn flags_and_values() {
    let folder = Folder::with(&[("good.orb", GOOD), ("empty.orb", "")]);
    Transcript::default()
        .run(&folder, &[])
        .run(&folder, &["chekc", "good.orb"])
        .run(&folder, &["check"])
        .run(&folder, &["check", "good.orb", "more.orb"])
        .run(&folder, &["check", "good.orb", "--jsn"])
        .run(&folder, &["check", "good.orb", "--engine", "explicti"])
        .run(&folder, &["check", "good.orb", "--max-states", "0"])
        .run(&folder, &["check", "good.orb", "--max-states", "many"])
        .run(&folder, &["check", "good.orb", "--max-states", "5000000000"])
        .run(&folder, &["check", "good.orb", "--set"])
        .run(&folder, &["check", "good.orb", "--set", "n"])
        .run(&folder, &["check", "good.orb", "--set", "n=two"])
        .run(&folder, &["check", "good.orb", "--set", "=2"])
        .run(&folder, &["check", "good.orb", "--set", "2n=2"])
        .run(&folder, &["check", "good.orb", "--set", "n=99999999999999999999"])
        .run(&folder, &["check", "good.orb", "--set", "n=0"])
        .run(&folder, &["check", "good.orb", "--set", "m=3"])
        .run(&folder, &["check", "good.orb", "--set", "n=3", "--set", "nn=3"])
        .run(&folder, &["check", "good.orb", "--set", "n=2", "--set", "n=5"])
        .run(&folder, &["graph", "good.orb", "--of", "states", "--set", "n=2", "--set", "n=2"])
        .run(&folder, &["check", "good.orb", "-p", "fin"])
        .run(&folder, &["check", "good.orb", "-p", "something_else"])
        .run(&folder, &["check", "empty.orb", "-p", "fine"])
        .run(&folder, &["graph", "good.orb"])
        .run(&folder, &["graph", "good.orb", "--of", "states", "-p", "fine"])
        .run(&folder, &["graph", "good.orb", "--of", "states", "--format", "png"])
        .run(&folder, &["trace", "good.orb"])
        .run(&folder, &["export", "good.orb", "--to", "latex"])
        .check("bad_flags");
}

#[test]
fn files() {
    let folder = Folder::with(&[("good.orb", GOOD)]);
    std::fs::create_dir(folder.path().join("folder.orb")).unwrap();
    folder.write("latin.orb", b"// fine \xc3\xa4\n// caf\xe9\n");
    folder.write("cut.orb", b"// \xc3");
    File::create(folder.path().join("huge.orb")).unwrap().set_len((64 << 20) + 1).unwrap();
    Transcript::default()
        .run(&folder, &["check", "missing.orb"])
        .run(&folder, &["check", "no/such/folder.orb"])
        .run(&folder, &["check", "good.orb/inside.orb"])
        .run(&folder, &["check", "folder.orb"])
        .run(&folder, &["check", "latin.orb"])
        .run(&folder, &["check", "cut.orb"])
        .run(&folder, &["check", "huge.orb"])
        .run(&folder, &["graph", "missing.orb", "--of", "states"])
        .run(&folder, &["fmt", "missing.orb"])
        .run_with(&folder, &["check", "-"], "param\n")
        .check("bad_files");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("secret.orb", GOOD)]);
    let secret = folder.path().join("secret.orb");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&secret).is_ok() {
        return; // The superuser may read everything.
    }
    let output = folder.run(&["check", "secret.orb"], "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "secret.orb: permission denied\n");
    assert_eq!(output.status.code(), Some(2));
}

/// Nesting a million deep is more than is allowed, not a crash; a comment does not nest.
#[test]
fn deep_nesting() {
    let million = 1_000_000;
    let nested = [
        format!("invariant deep: {}true{}\n", "(".repeat(million), ")".repeat(million)),
        format!("invariant deep: {}true\n", "not ".repeat(million)),
        format!("invariant deep: {}\n", "(".repeat(million)),
        format!("invariant deep: 0 < {}1\n", "-".repeat(million)),
        format!("invariant deep: true{}\n", " => true".repeat(million)),
        format!("ltl deep: {}true\n", "G ".repeat(million)),
        format!("{}\n", "/*".repeat(million)),
    ];
    for text in nested {
        let folder = Folder::with(&[("deep.orb", &text)]);
        let output = folder.run(&["check", "deep.orb"], "");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let status = if text.starts_with("/*") { 2 } else { 3 };
        assert_eq!(output.status.code(), Some(status), "{text:.40}: {stderr:.400}");
        assert!(stderr.starts_with("deep.orb:1:"), "{stderr:.400}");
        assert!(stderr.lines().count() < 10 && stderr.len() < 2_000, "{stderr:.2000}");
    }
}

/// A value that needs more memory than allowed: status 3 and what was counted so far.
#[test]
fn too_large() {
    let large = "param n = 2\nprocess p[n] { var x: bool = false action go: not x -> x := true }\n";
    let table = "param n = 2\nprocess p[n] { action go: t[self, self] -> t[self, self] := false }\nshared t[p, p]: bool = true\n";
    let folder = Folder::with(&[("large.orb", large), ("table.orb", table)]);
    Transcript::default()
        .run(&folder, &["check", "large.orb", "--set", "n=1000000000"])
        .run(&folder, &["check", "large.orb", "--set", "n=9223372036854775807"])
        .run(&folder, &["check", "table.orb", "--set", "n=1000000"])
        .run(&folder, &["check", "large.orb", "--set", "n=100000", "--max-states", "1000"])
        .check("too_large");
}

/// More errors than anybody reads are cut off.
#[test]
fn many_errors() {
    let text = "shared x: nothing = 0\n".repeat(1000);
    let folder = Folder::with(&[("many.orb", &text)]);
    let output = folder.run(&["check", "many.orb"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr.lines().last(), Some("many.orb: and 1899 more"), "{stderr}");
}
