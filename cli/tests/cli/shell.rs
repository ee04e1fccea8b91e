//! Completion for shells, pages of the manual, and checking again after a change.

use crate::support::Folder;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// Bash reads the script and completes with it, as it does when somebody presses the tabulator.
#[test]
fn bash_completes() {
    let folder = Folder::new();
    let script = folder.run(&["completions", "bash"], "");
    assert!(script.status.success());
    folder.write("orbitscope.bash", &script.stdout);
    let complete = |words: &[&str]| {
        let ask = format!(
            "source ./orbitscope.bash && COMP_WORDS=({}) && COMP_CWORD={} && _orbitscope orbitscope '{}' '{}' && printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = Command::new("bash").args(["--norc", "-c", &ask]).current_dir(folder.path()).output();
        let Ok(output) = output else { return None };
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect::<Vec<_>>())
    };
    let Some(commands) = complete(&["orbitscope", "ch"]) else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert_eq!(commands, ["check"]);
    assert_eq!(complete(&["orbitscope", "check", "--fair"]).unwrap(), ["--fairness", "--fair-ctl"]);
    assert_eq!(complete(&["orbitscope", "check", "--engine", "sy"]).unwrap(), ["symbolic"]);
}

#[test]
fn other_shells_have_scripts_too() {
    let folder = Folder::new();
    for (shell, words) in
        [("zsh", "#compdef orbitscope"), ("fish", "complete -c orbitscope"), ("elvish", "orbitscope")]
    {
        let output = folder.run(&["completions", shell], "");
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains(words) && script.contains("symmetry"), "{shell}");
    }
    assert_eq!(folder.run(&["completions", "tcsh"], "").status.code(), Some(2));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = Folder::new();
    let page = |args: &[&str]| String::from_utf8(folder.run(args, "").stdout).unwrap();
    let root = page(&["man"]);
    assert!(root.contains(".TH orbitscope 1") && root.contains("orbitscope\\-check(1)"), "{root}");
    let check = page(&["man", "check"]);
    assert!(check.contains(".TH orbitscope-check 1") && check.contains("\\-\\-fairness"), "{check}");
    let wrong = folder.run(&["man", "chek"], "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `check`?"));
}

/// A model is checked, broken, mended: each time the answer is the new one.
#[cfg(unix)]
#[test]
fn watching_follows_the_file() {
    let text = |limit: u32| {
        format!(
            "shared x: 0..9 = 0\nprocess p {{ action go: x < 5 -> x := x + 1 }}\ninvariant low: x < {limit}\n"
        )
    };
    let folder = Folder::with(&[("m.orb", &text(9))]);
    let mut child = folder
        .command(&["check", "m.orb", "--watch"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut waits = || errors.find(|line| line.contains("waiting for a change")).is_some();
    let output = std::thread::spawn({
        let stdout = child.stdout.take().unwrap();
        move || BufReader::new(stdout).lines().map(Result::unwrap).collect::<Vec<_>>()
    });
    assert!(waits());
    folder.write("m.orb", text(3).as_bytes());
    assert!(waits());
    folder.write("m.orb", b"shared x 0..9");
    assert!(waits());
    std::fs::remove_file(folder.path().join("m.orb")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    folder.write("m.orb", text(8).as_bytes());
    assert!(waits());
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    // The status is that of the last check.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let lines = output.join().unwrap();
    let verdicts: Vec<&String> = lines.iter().filter(|line| line.starts_with("invariant")).collect();
    assert_eq!(verdicts.len(), 3, "{lines:?}");
    assert!(
        verdicts[0].contains("holds") && verdicts[1].contains("violated") && verdicts[2].contains("holds")
    );
}

#[test]
fn standard_input_cannot_be_watched() {
    let output = Folder::new().run(&["check", "-", "--watch"], "invariant fine: true");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard input cannot be watched"));
}
