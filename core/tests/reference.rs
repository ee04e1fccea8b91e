//! The reference of the language says what the crate's tables say.

use orbitscope_core::syntax::Function;

/// The section on functions has the table's words, row for row and no other function.
#[test]
fn the_reference_lists_the_functions() {
    let reference = include_str!("../../docs/language.md");
    let section = reference.split("### Functions").nth(1).and_then(|rest| rest.split("\n## ").next());
    let section = section.expect("the reference has a section on functions");
    for function in Function::ALL {
        let row = format!("\n| `{}` | {} |\n", function.usage(), function.value());
        assert!(section.contains(&row), "docs/language.md, section Functions, lacks the row:{row}");
        assert_eq!(Function::from_text(function.text()), Some(*function));
        assert!(function.usage().starts_with(&format!("{}(", function.text())));
    }
    let calls = section.lines().filter(|line| line.starts_with("| `") && line.contains('('));
    assert_eq!(calls.count(), Function::ALL.len(), "a function in docs/language.md is not in the table");
}
