//! Golden files: many small inputs with what they give, in one file that can be read from top to bottom.
//!
//! ```text
//! === what the case is about
//! the input
//! ---
//! what it gives
//!
//! ```
//! The empty line before the next case belongs to neither. `UPDATE_GOLDEN=1 cargo test` rewrites the second parts.

use super::data;
use orbitscope_core::text::{Diagnostic, LineIndex};
use std::fmt::Write;
use std::fs;

/// Runs every case of a golden file through `run` and compares; returns how many cases there are.
pub(crate) fn check(path: &str, run: impl Fn(&str) -> String) -> usize {
    let file = data(path);
    let text = fs::read_to_string(&file).expect("the golden file is there");
    let mut lines = text.split_inclusive('\n').peekable();
    let mut result = String::new();
    while let Some(line) = lines.next_if(|line| !line.starts_with("=== ")) {
        result.push_str(line);
    }
    let mut count = 0;
    while let Some(title) = lines.next() {
        count += 1;
        let mut input = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("=== ") && *line != "---\n") {
            input.push_str(line);
        }
        while lines.next_if(|line| !line.starts_with("=== ")).is_some() {}
        input.truncate(input.trim_end().len());
        input.push('\n');
        let output = run(&input);
        write!(result, "{title}{input}---\n{}\n", output.trim_end()).expect("a string can be written");
        if lines.peek().is_some() {
            result.push('\n');
        }
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, result).expect("the golden file can be written");
    } else {
        compare(path, &text, &result);
    }
    count
}

/// [`check`] for wrong inputs: what `diagnose` says about each, as the command line prints it.
pub(crate) fn check_diagnostics(path: &str, diagnose: impl Fn(&str) -> Vec<Diagnostic>) -> usize {
    check(path, |source| {
        let diagnostics = diagnose(source);
        assert!(!diagnostics.is_empty(), "{path}: nothing is wrong with this input:\n{source}");
        let lines = LineIndex::new(source);
        diagnostics.iter().fold(String::new(), |mut text, diagnostic| {
            writeln!(text, "{}", diagnostic.render("model.orb", &lines)).expect("a string can be written");
            text
        })
    })
}

fn compare(path: &str, expected: &str, found: &str) {
    let mut case = "";
    for (number, (e, f)) in expected.lines().zip(found.lines()).enumerate() {
        if e.starts_with("=== ") {
            case = e;
        }
        assert!(
            e == f,
            "{path}:{}: {case}\nexpected: {e}\n   found: {f}\nUPDATE_GOLDEN=1 rewrites the file",
            number + 1
        );
    }
    assert_eq!(expected, found, "{path}: one is longer than the other; UPDATE_GOLDEN=1 rewrites the file");
}
