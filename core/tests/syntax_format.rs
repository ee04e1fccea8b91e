//! The formatter: twice is once, and the model stays what it was.

use crate::support::models::random_model;
use crate::support::mutate::mutate;
use crate::support::random::Random;
use crate::support::{cases, data, dump, read_models};
use orbitscope_core::syntax::{format, lex, parse};

/// Formats a text without errors and checks everything that must hold of the result.
fn checked_format(name: &str, source: &str) -> String {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{name}: {:?}\n{source}", parsed.diagnostics);
    let once = format(source).unwrap_or_else(|d| panic!("{name}: {d:?}\n{source}"));
    let twice = format(&once).unwrap_or_else(|d| panic!("{name}: the result is wrong: {d:?}\n{once}"));
    assert_eq!(once, twice, "{name}: formatting twice is not formatting once; source:\n{source}");
    assert_eq!(
        dump::dump(&parsed.file),
        dump::dump(&parse(&once).file),
        "{name}: formatting changed the model; source:\n{source}"
    );
    assert_eq!(words(source), words(&once), "{name}: tokens or comments changed; source:\n{source}");
    assert!(once.is_empty() || (once.ends_with('\n') && !once.ends_with("\n\n")), "{name}: the end\n{once}");
    for line in once.lines() {
        assert_eq!(line, line.trim_end(), "{name}: white space at the end of a line");
    }
    assert!(!once.contains("\n\n\n"), "{name}: two blank lines\n{once}");
    once
}

/// The tokens and comments in order, without the white space in and between them.
fn words(source: &str) -> Vec<String> {
    let lexed = lex(source);
    let mut spans: Vec<_> =
        lexed.tokens.iter().map(|t| t.span).chain(lexed.comments.iter().map(|c| c.span)).collect();
    spans.sort();
    spans.iter().map(|span| span.text(source).split_whitespace().collect()).collect()
}

#[test]
fn formats_the_models_as_shown() {
    let models = read_models("syntax/models");
    assert!(models.len() >= 12);
    for (name, source) in models {
        let formatted = checked_format(&name, &source);
        let path = data("syntax/formatted").join(&name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &formatted).expect("the golden file can be written");
        }
        let expected = std::fs::read_to_string(&path).expect("the golden file is there");
        assert_eq!(formatted, expected, "{name}; UPDATE_GOLDEN=1 rewrites the file");
    }
}

#[test]
fn formats_random_models() {
    for seed in 0..cases(3000) {
        checked_format(&format!("random_model({seed})"), &random_model(seed));
    }
}

#[test]
fn formats_damaged_models_that_are_still_models() {
    let models = read_models("syntax/models");
    let mut random = Random::new(1);
    let mut still = 0;
    for case in 0..cases(5000) {
        let (name, source) = random.pick(&models);
        let damaged = mutate(&mut random.clone(), source);
        random.bits();
        if parse(&damaged).diagnostics.is_empty() {
            still += 1;
            checked_format(&format!("{name}, mutation {case}"), &damaged);
        } else {
            assert!(format(&damaged).is_err());
        }
    }
    assert!(still > 0);
}

#[test]
fn a_text_with_errors_is_not_formatted() {
    let diagnostics = format("param n = \nparam m = ;").unwrap_err();
    assert_eq!(diagnostics.len(), 2);
}

#[test]
fn an_empty_text_stays_empty() {
    assert_eq!(format(" \r\n\t").as_deref(), Ok(""));
    assert_eq!(format("\r\n// only this  \r\n\r\n").as_deref(), Ok("// only this\n"));
}
