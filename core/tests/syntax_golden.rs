//! Trees and messages, compared with files that people read.

use crate::support::{dump, golden};
use orbitscope_core::syntax::parse;
use orbitscope_core::text::LineIndex;
use std::fmt::Write;

#[test]
fn trees() {
    let count = golden::check("syntax/trees.txt", |source| {
        let parsed = parse(source);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{source}", parsed.diagnostics);
        dump::dump(&parsed.file)
    });
    assert!(count >= 30);
}

#[test]
fn syntax_errors() {
    let count = golden::check_diagnostics("syntax/errors.txt", |source| parse(source).diagnostics);
    assert!(count >= 45);
}

#[test]
fn many_errors_are_cut_short() {
    let source = "param = 1\n".repeat(1000);
    let diagnostics = parse(&source).diagnostics;
    assert_eq!(diagnostics.len(), 101);
    let lines = LineIndex::new(&source);
    let mut last = String::new();
    write!(last, "{}", diagnostics[100].render("model.orb", &lines)).expect("a string can be written");
    assert!(last.starts_with("model.orb:101:7: there are more than 100 errors"), "{last}");
}

/// A line of a megabyte is shown in part, with the caret at the place.
#[test]
fn long_lines_are_shown_in_part() {
    let source = format!("define x = {}\u{1f600} + 1", "a and ".repeat(200_000));
    let diagnostics = parse(&source).diagnostics;
    let lines = LineIndex::new(&source);
    let text = diagnostics[0].render("model.orb", &lines).to_string();
    assert_eq!(
        text,
        format!(
            "model.orb:1:1200012: the character `\u{1f600}` is not part of the language\n    1 | {}\u{1f600} + 1\n      | {:60}^",
            "a and ".repeat(10),
            ""
        )
    );
}
