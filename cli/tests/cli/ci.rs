//! The files for pre-commit and for a forge's actions, executed: their command lines run as those tools run them.

use crate::support::Folder;
use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str =
    "process p[2] {\n  var x: bool = false\n  action go: true -> x := not x\n}\n\ninvariant fine: true\n";
const BAD: &str = "process p[2] {\n  var x: bool = false\n  action go: true -> x := not x\n}\n\ninvariant low: forall q in p: not q.x\n";
const UGLY: &str =
    "process p[2] { var x: bool = false action go: true -> x := not x }\n\ninvariant   fine: true\n";

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

/// Runs a shell where the program is on the PATH.
fn run(folder: &Folder, mut shell: Command, variables: &[(&str, &str)]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_orbitscope")).parent().unwrap();
    let path = std::env::join_paths([program, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    shell.current_dir(folder.path()).env("PATH", path).envs(variables.iter().copied());
    shell.output().unwrap()
}

/// The hook's command line: words, one of them in quotes.
fn hook(id: &str) -> Vec<String> {
    let text = file(".pre-commit-hooks.yaml");
    let own = text.split("- id: ").find(|part| part.starts_with(id)).unwrap();
    let entry = own.lines().find_map(|line| line.trim().strip_prefix("entry: ")).unwrap();
    let parts = entry.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| {
        let quoted = number % 2 == 1;
        if quoted { vec![part] } else { part.split_whitespace().collect() }
    });
    words.map(str::to_owned).collect()
}

#[test]
fn hooks_look_at_every_file() {
    let folder =
        Folder::with(&[("a b.orb", UGLY), ("bad.orb", BAD), ("wrong.orb", "shared x"), ("z.orb", UGLY)]);
    let hooked = |id: &str, files: &[&str]| {
        let words = hook(id);
        let mut shell = Command::new(&words[0]);
        shell.args(&words[1..]).args(files);
        let output = run(&folder, shell, &[]);
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code(), said)
    };
    let (status, said) = hooked("orbitscope-fmt", &["a b.orb", "wrong.orb", "z.orb"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("wrong.orb:1:"), "{said}");
    assert_eq!(
        [folder.read("a b.orb"), folder.read("z.orb")],
        [GOOD, GOOD],
        "also behind a file with an error"
    );
    let (status, said) = hooked("orbitscope-check", &["bad.orb", "wrong.orb", "z.orb"]);
    assert_eq!(status, Some(1));
    assert!(
        said.contains("low  violated") && said.contains("wrong.orb:1:") && said.contains("fine  holds"),
        "{said}"
    );
    assert_eq!(hooked("orbitscope-check", &["a b.orb", "z.orb"]).0, Some(0));
    assert_eq!(hooked("orbitscope-fmt", &["a b.orb", "z.orb"]).0, Some(0));
}

/// The lines of a step of the action.
fn step(name: &str) -> String {
    let text = file("action.yml");
    let own = text.split("    - name: ").find(|part| part.starts_with(name)).unwrap();
    let lines = own.split("      run: |\n").nth(1).unwrap().split("      env:").next().unwrap();
    lines.lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// As the forge starts it.
fn bash(folder: &Folder, step: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut shell = Command::new("bash");
    shell.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step]);
    let output = run(folder, shell, variables);
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code(), said)
}

#[test]
fn the_action_checks_and_reports() {
    let folder = Folder::with(&[("a b.orb", GOOD), ("bad.orb", BAD)]);
    let check = |models: &str, options: &str, junit: &str| {
        bash(&folder, &step("Check"), &[("MODELS", models), ("OPTIONS", options), ("JUNIT", junit)])
    };
    let (status, said) = check("*.orb", "", "out/junit");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("::error file=bad.orb,line=6,") && !said.contains("a b.orb,line"), "{said}");
    for name in ["a b", "bad"] {
        crate::junit::follows_the_schema(&folder.read(&format!("out/junit/{name}.xml"))).unwrap();
    }
    assert_eq!(check("a*.orb", "--max-states 1000", ""), (Some(0), String::new()));
    let (status, said) = check("none*.orb", "", "");
    assert_eq!(status, Some(1));
    assert!(said.contains("none*.orb: no such file"), "{said}");
}

#[test]
fn the_action_says_why_nothing_was_installed() {
    let folder = Folder::new();
    // The program is there: nothing is fetched.
    let install = step("Install");
    assert_eq!(bash(&folder, &install, &[]), (Some(0), String::new()));
    let without = install.replace("command -v orbitscope", "command -v there-is-no-such-program");
    let place = folder.path().to_string_lossy();
    let fetched = |more: &[(&str, &str)]| {
        let own =
            [("RUNNER_TEMP", &*place), ("SERVER", "file:///nowhere"), ("REPOSITORY", "o/r"), ("REF", "v9")];
        bash(&folder, &without, &[&own[..], more].concat())
    };
    let (status, said) = fetched(&[("RUNNER_OS", "macOS"), ("RUNNER_ARCH", "ARM64")]);
    assert!(status == Some(1) && said.contains("::error::Orbitscope is released for Linux"), "{said}");
    let (status, said) = fetched(&[]);
    assert!(status == Some(1) && said.contains("::error::there is no release `v9`"), "{said}");
}
