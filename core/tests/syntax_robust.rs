//! No text makes the parser or the formatter panic, hang or take more than linear time.

use crate::support::models::random_model;
use crate::support::mutate::mutate;
use crate::support::random::Random;
use crate::support::{cases, dump, read_models};
use orbitscope_core::limits::MAX_DEPTH;
use orbitscope_core::syntax::{format, parse};
use orbitscope_core::text::LineIndex;

/// Parses a text and shows every message; returns how many there are.
fn survive(source: &str) -> usize {
    let parsed = parse(source);
    let lines = LineIndex::new(source);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end as usize <= source.len());
        assert!(diagnostic.render("model.orb", &lines).to_string().lines().count() >= 3);
    }
    assert!(parsed.file.exprs.iter().all(|expr| expr.depth <= MAX_DEPTH));
    if parsed.diagnostics.is_empty() {
        assert!(format(source).is_ok());
    }
    parsed.diagnostics.len()
}

/// The same, and everything that must hold of the formatted text.
fn swallow(source: &str) -> usize {
    let parsed = parse(source);
    match format(source) {
        Ok(once) => {
            assert_eq!(dump::dump(&parsed.file), dump::dump(&parse(&once).file), "source:\n{source}");
            assert_eq!(format(&once).as_ref(), Ok(&once), "source:\n{source}");
        }
        Err(diagnostics) => assert_eq!(diagnostics, parsed.diagnostics),
    }
    survive(source)
}

#[test]
fn mutations_of_models() {
    let models = read_models("syntax/models");
    let mut wrong = 0;
    let count = cases(20_000);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let source = if random.one_in(3) { random_model(seed) } else { random.pick(&models).1.clone() };
        let damaged = mutate(&mut random, &source);
        let caught = std::panic::catch_unwind(|| swallow(&damaged));
        wrong += u64::from(caught.unwrap_or_else(|_| panic!("seed {seed}:\n{damaged}")) > 0);
    }
    // Most damage is an error, some is not: the test sees both.
    assert!(wrong > count / 2 && wrong < count, "{wrong} of {count}");
}

#[test]
fn noise() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.bits() as u8).collect();
        swallow(&String::from_utf8_lossy(&bytes));
        let ascii: String = bytes.iter().map(|b| char::from(b & 0x7f)).collect();
        swallow(&ascii);
    }
}

const MILLION: usize = 1_000_000;
/// Enough to see that nothing takes quadratic time.
const MANY: usize = 50_000;

/// Where an expression may stand.
const CONTEXTS: &[(&str, &str)] = &[
    ("define x = ", ""),
    ("ltl x: ", ""),
    ("ctl x: ", ""),
    ("process p { action a: ", " -> x := 1 }"),
    ("process p { action a: true -> x := ", " }"),
    ("automaton a { initial s { ", " -> s } }"),
    ("param n = ", ""),
    ("shared x: ", " = 1"),
    ("shared x[", "]: bool = true"),
    ("symmetry generators { (", ") }"),
    ("", ""),
];

#[test]
fn nesting_a_million_deep() {
    let opening = [
        "(",
        "not ",
        "-",
        "[",
        "if ",
        "{",
        "forall x in p: ",
        "!",
        "count(x in p: ",
        "a[",
        "f(",
        "A[",
        "<>",
        "[]",
        "G ",
    ];
    for (i, open) in opening.into_iter().enumerate() {
        for (j, (before, after)) in CONTEXTS.iter().enumerate() {
            // A million once for each of the first: in the other places what counts is that the depth is bounded too.
            let depth = if i < 7 && j == 0 { MILLION } else { 10_000 };
            let source = format!("{before}{}x{after}", open.repeat(depth));
            // A cycle is a list: `(G G G x)` is one of four processes.
            let listed = open == "G " && before.ends_with("{ (");
            assert_eq!(survive(&source) == 0, listed, "{before}{open}…");
        }
    }
    // Closed, and with items behind it.
    for (open, close) in [("(", ")"), ("a[", "]"), ("if x then ", " else y"), ("A[", " U x]")] {
        let nested = |depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(survive(&format!("ctl x: {}\nparam n = 3", nested(MILLION))), 1, "{open}");
        assert_eq!(survive(&format!("ctl x: {}\nparam n = 3", nested(MAX_DEPTH as usize / 2))), 0, "{open}");
    }
}

#[test]
fn chains_of_a_million() {
    // Flat lists have no depth, everything else has.
    for (link, errors) in [(" and x", 0), (" + x", 1), (" => x", 1), (".x", 1), ("[0]", 1)] {
        let source = format!("ltl x: x{}\nparam n = 3", link.repeat(MILLION));
        assert_eq!(survive(&source), errors, "{link}");
    }
}

#[test]
fn long_chains_of_everything_else() {
    for (link, errors) in [(" or x", 0), (" and x or x", 0), (" U x", 1), (" == x", 1), (" <=> x", 1)] {
        let source = format!("ltl x: x{}\nparam n = 3", link.repeat(MANY));
        assert_eq!(survive(&source), errors, "{link}");
    }
    for (before, link, after) in [
        ("shared x: {x", ", x", "} = x"),
        ("define x = f(x", ", x", ")"),
        ("process p { action a: true -> x := 1", ", x := 1", " }"),
        ("process p { ", "action a: true -> x := 1 ", " }"),
        ("process p { ", "var x: bool = true ", " }"),
        ("automaton a { s { ", "true -> s ", " } }"),
        ("automaton a { ", "s { } ", " }"),
        ("symmetry generators { ", "(a b)(c), ", "}"),
        ("", "param n = 3 ", ""),
    ] {
        assert_eq!(survive(&format!("{before}{}{after}", link.repeat(MANY))), 0, "{link}");
    }
}

#[test]
fn long_rows_of_comments_and_lines() {
    for comment in ["/* c */", "/* c */ ", "// c\n", "\n", "/*", "*/", "//", "/", "\r"] {
        for (before, after) in [
            ("", "\nparam n = 3"),
            ("process p {", "\n}"),
            ("define x = ", "\n1"),
            ("automaton a { s { ", "\n } }"),
        ] {
            survive(&format!("{before}{}{after}", comment.repeat(MANY)));
        }
    }
}

#[test]
fn long_rows_of_errors() {
    for error in [
        "; ",
        "@ ",
        "\"",
        "param ",
        "process p { ",
        "} ",
        "x ",
        "var ",
        "action ",
        "{ ",
        ") ",
        "1x ",
        "ä ",
        "\u{0} ",
        "automaton a { ",
        "& ",
    ] {
        let errors = survive(&error.repeat(MANY));
        assert!((1..=101).contains(&errors), "{error}: {errors}");
    }
}
