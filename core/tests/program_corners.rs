//! Corners of the language where names, numbers and words were once taken for something else.

use crate::support::{built, parsed};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::ast::{ExprKind, ItemKind};
use orbitscope_core::syntax::parse;

fn states(source: &str) -> u32 {
    let program = built("corner", source, &[]);
    let mut exploration = Exploration::new(&program, Limits::default(), &[]);
    assert_eq!(exploration.run(), &StopReason::Complete, "{source}");
    exploration.states().len()
}

/// A literal with a family's name is the literal wherever its enumeration is meant: also in the parts of a choice, and of a
/// choice in a choice, on either side of a comparison.
#[test]
fn literals_with_the_names_of_families() {
    let choices = [
        "if x then client else server",
        "if x then (if turn == server then client else both) else server",
        "if x then turn else client",
    ];
    for choice in choices {
        let source = format!(
            "shared turn: {{client, server, both}} = client
             process client[2] {{ var x: bool = false action flip: true -> x := not x, turn := {choice} }}
             process server {{ action go: turn == (if turn == both then server else client) -> turn := both }}
             invariant known: turn != (if turn == server then client else server) or turn == server"
        );
        assert!(states(&source) >= 6, "{source}");
    }
    // Where processes are meant it is the process.
    let source = "shared who: server? = none shared turn: {server, client} = server
      process server { action go: true -> who := if turn == client then none else server }";
    assert_eq!(states(source), 2);
}

/// A word in front of a `hint` is a name, unless the `hint` is one.
#[test]
fn words_before_a_hint() {
    for word in ["F", "X", "G"] {
        let source = format!(
            "process p {{ var st: {{{word}, O}} = {word} action go: st == {word} -> st := O }}
             ltl a: G p.st == {word}
             hint p.st == O
             hint not p.st == O"
        );
        let file = parsed("hint", &source);
        let hints = file.items.iter().filter(|item| matches!(item.kind, ItemKind::Hint(_))).count();
        assert_eq!(hints, 2, "{source}");
        assert_eq!(states(&source), 2);
    }
    let source = "shared hint: bool = true
      process p { action go: hint -> hint := false }
      ltl a: F hint ltl b: G hint or F hint == false ltl c: F hint U hint";
    let file = parsed("hint", source);
    let formulas = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Property { formula, .. } => Some(&file.exprs[*formula].kind),
        _ => None,
    });
    let formulas: Vec<&ExprKind> = formulas.collect();
    assert!(matches!(formulas[0], ExprKind::Temporal(..)), "{formulas:?}");
    assert!(matches!(formulas[1], ExprKind::Or(_)), "{formulas:?}");
    assert_eq!(states(source), 2);
}

/// All numbers of 32 bits are a range, at both of whose ends a variable can be.
#[test]
fn the_widest_range() {
    let source = "shared x: -2147483648..2147483647 = 0
      process p[2] { var y: -2147483648..2147483647 = -2147483648
        action low: x == 0 -> x := -2147483648, y := 2147483647
        action high: x < 0 -> x := 2147483647, y := x }
      ltl a: F x == 2147483647";
    assert_eq!(states(source), 6);
    let wrong = parse("shared x: -2147483649..0 = 0 process p { action a: true -> x := x }");
    assert!(build(&wrong.file, &Settings::default()).is_err());
}

/// An enumeration may be as long as it likes.
#[test]
fn many_literals() {
    let names = |from: u32, to: u32| (from..to).map(|i| format!("L{i}")).collect::<Vec<_>>().join(", ");
    let source = format!(
        "shared x: {{{}}} = L0 shared y: {{{}}} = L199999
         process p {{ action a: x == L0 -> x := L199999 action b: x == y -> x := L7, y := L100001 }}",
        names(0, 200_000),
        names(100_000, 300_000)
    );
    assert_eq!(states(&source), 3);
}

/// Keywords that are values are among the names that a misspelt one may have meant.
#[test]
fn misspelt_keywords() {
    let cases = [("flase", "false"), ("ture", "true"), ("nnoe", "none"), ("slef", "self")];
    for (wrong, right) in cases {
        let source = format!("process p {{ var x: bool = false action a: {wrong} -> x := true }}");
        let errors = build(&parse(&source).file, &Settings::default()).expect_err("it is misspelt");
        let said = errors.iter().any(|error| error.message.contains(&format!("did you mean `{right}`?")));
        assert!(said, "{wrong}: {errors:?}");
    }
}
