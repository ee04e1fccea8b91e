//! The table of built-in functions, against the language and its reference.

use orbitscope_core::functions::{Function, Takes};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::parse;
use orbitscope_core::text::Diagnostic;

fn errors(text: &str) -> Vec<String> {
    let parsed = parse(text);
    let own = parsed.diagnostics.into_iter().map(|d: Diagnostic| d.message);
    match build(&parsed.file, &Settings::default()) {
        Ok(_) => own.collect(),
        Err(found) => own.chain(found.into_iter().map(|d| d.message)).collect(),
    }
}

fn model(property: &str) -> String {
    format!("process p[3] ring {{ var x: 0..2 = 0 action go: x < 2 -> x := x + 1 }}\n{property}")
}

/// A property that uses a function as its row of the table says.
fn sample(function: Function) -> String {
    let name = function.name();
    match (function, function.takes()) {
        (Function::Enabled | Function::Executed, _) => format!("ltl s: forall q in p: F {name}(q)"),
        (Function::Index, _) => format!("invariant s: forall q in p: {name}(q) >= 0"),
        (_, Takes::Process) => format!("invariant s: forall q in p: {name}(q).x >= 0"),
        (_, Takes::Numbers { one: true }) => format!("invariant s: forall q in p: {name}(q.x) >= 0"),
        (_, Takes::Numbers { one: false }) => format!("invariant s: forall q in p: {name}(q.x, 1) >= 0"),
        (Function::Count, Takes::Domain) => format!("invariant s: {name}(q in p: q.x > 0) >= 0"),
        (Function::Head, _) => {
            format!("shared k: queue[2] of 0..2 = {{}}\ninvariant s: length(k) == 0 or {name}(k) >= 0")
        }
        (Function::Length, _) => format!("shared k: queue[2] of 0..2 = {{}}\ninvariant s: {name}(k) >= 0"),
        (_, Takes::Collection) => format!("shared k: queue[2] of 0..2 = {{}}\ninvariant s: {name}(k)"),
        (_, Takes::Domain) => format!("invariant s: {name}(q in p: q.x) >= 0"),
    }
}

#[test]
fn every_function_is_one_of_the_language_and_of_its_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
    let reference = std::fs::read_to_string(path).expect("the reference is there");
    let table = reference.split("### Functions").nth(1).and_then(|rest| rest.split("\n## ").next());
    let table = table.expect("it has a table of functions");
    for function in Function::ALL {
        let name = function.name();
        assert_eq!(Function::named(name), Some(function));
        assert_eq!(errors(&model(&sample(function))), [""; 0], "{name}");
        assert!(table.contains(&format!("`{name}(")), "docs/language.md has no row for `{name}`");
        let defined = errors(&model(&format!("define {name}(a) = a")));
        let refused = defined.iter().any(|message| message.contains("is a built-in function"));
        assert_eq!(refused, function.is_reserved(), "{name}: {defined:?}");
    }
}

/// Whoever mistypes a function hears its name, and one that is applied to the wrong thing says to what.
#[test]
fn functions_that_are_not_there_or_used_otherwise() {
    for (wrong, words) in [
        ("invariant s: forall q in p: indx(q) >= 0", "did you mean `index`?"),
        ("invariant s: forall q in p: abz(q.x) >= 0", "did you mean `abs`?"),
        ("invariant s: index() >= 0", "takes one process, none given"),
        ("invariant s: abs(1, 2) >= 0", "takes one number"),
        ("invariant s: min(1) >= 0", "takes two numbers or more"),
        ("invariant s: sum(1, 2) >= 0", "adds up over a domain"),
    ] {
        let found = errors(&model(wrong));
        assert!(found.iter().any(|message| message.contains(words)), "{wrong}: {found:?}");
    }
}
