//! Texts from outside: models, links, automata.

use crate::choices::Choices;
use base64ct::{Base64UrlUnpadded, Encoding};
use miniz_oxide::deflate::compress_to_vec_zlib;
use orbitscope_core::automaton::hoa;
use orbitscope_core::limits::MAX_DEPTH;
use orbitscope_core::link::Link;
use orbitscope_core::program::{Settings, build};
use orbitscope_core::property::build_with_hoa;
use orbitscope_core::syntax::{format, parse};
use orbitscope_core::text::{Diagnostic, LineIndex};

/// Longer texts are parsed and formatted, but not compiled.
const COMPILED: usize = 4_000;

fn readable(source: &str, diagnostics: &[Diagnostic]) {
    let lines = LineIndex::new(source);
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        assert!(span.start <= span.end && span.end as usize <= source.len(), "{diagnostic:?}");
        assert!(!diagnostic.render("model.orb", &lines).to_string().is_empty());
    }
}

/// Parses, formats and compiles. A formatted text is a text of the same model, and formatting it changes nothing.
pub fn parser(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    let parsed = parse(&source);
    readable(&source, &parsed.diagnostics);
    assert!(parsed.file.exprs.iter().all(|expr| expr.depth <= MAX_DEPTH));
    match format(&source) {
        Ok(once) => {
            assert_eq!(format(&once).as_ref(), Ok(&once), "formatting changes what is formatted:\n{source}");
        }
        Err(diagnostics) => assert_eq!(diagnostics, parsed.diagnostics),
    }
    if parsed.diagnostics.is_empty()
        && source.len() <= COMPILED
        && let Err(diagnostics) = build(&parsed.file, &Settings { max_slots: 10_000, ..Settings::default() })
    {
        readable(&source, &diagnostics);
    }
}

/// Reads a link. One that can be read is written and read again; and whatever a link holds, it comes back.
pub fn link(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // The bytes as a link, and as what a link holds.
    let held = format!("1.{}", Base64UrlUnpadded::encode_string(&compress_to_vec_zlib(data, 1)));
    for link in [&*text, &*held] {
        match Link::decode(link) {
            Ok(link) => assert_eq!(Link::decode(&link.encode()), Ok(link)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let mut choices = Choices::new(data);
    let mut word =
        || -> String { (0..choices.below(4)).map(|_| char::from(b'a' + choices.byte() % 26)).collect() };
    let names: Vec<String> = (0..4).map(|_| format!("n{}", word())).collect();
    let step = choices.coin().then(|| u32::from_le_bytes([0; 4].map(|_: u8| choices.byte())));
    let value = i64::from_le_bytes([0; 8].map(|_: u8| choices.byte()));
    let made = Link {
        settings: if choices.coin() { vec![(names[0].clone(), value)] } else { Vec::new() },
        property: choices.coin().then(|| names[1].clone()),
        options: if choices.coin() { [(names[2].clone(), names[3].clone())].into() } else { [].into() },
        view: choices.coin().then(|| names[3].clone()),
        step,
        walk: choices.coin().then(|| "0,-1:2,3".into()),
        text: String::from_utf8_lossy(choices.rest()).into_owned(),
    };
    let fragment = made.encode();
    assert_eq!(Link::decode(&fragment), Ok(made), "{fragment}");
}

/// A model for the propositions of automata.
const SMALL: &str =
    "shared x: 0..2 = 0\nprocess p[2] { var on: bool = false action go: true -> on := not on }\n";

/// Reads an automaton. One that can be read is written and read again, and its propositions are read as expressions.
pub fn hoa(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match hoa::read(&text) {
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end as usize <= text.len());
            assert!(!error.to_string().is_empty());
        }
        Ok(first) => {
            let name = first.name.as_deref().unwrap_or_default();
            let names: Vec<&str> = first.propositions.iter().map(|p| p.name.as_str()).collect();
            let written = hoa::write(&first.automaton, name, &names);
            let again = hoa::read(&written)
                .unwrap_or_else(|error| panic!("what was written is not read: {error}\n{written}"));
            assert_eq!(again.automaton.state_count(), first.automaton.state_count());
            assert_eq!(again.automaton.sets(), first.automaton.sets());
            let names: Vec<&str> = again.propositions.iter().map(|p| p.name.as_str()).collect();
            assert_eq!(hoa::write(&again.automaton, name, &names), written);
        }
    }
    let _ = build_with_hoa(SMALL, &Settings::default(), &text);
}
