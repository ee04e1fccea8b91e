//! Marks in a translated text that say which part of the Murphi text each part comes from.
//!
//! While the text is made a mark is two characters that no text has, with the place between them. At the end they are taken out,
//! and what stands between them is remembered.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::{Diagnostic, DiagnosticKind, Note, Span};

const OPEN: char = '\u{1}';
const BETWEEN: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// A text that comes from a place.
pub(crate) fn marked(text: &str, span: Span) -> String {
    format!("{OPEN}{},{},{BETWEEN}{text}{CLOSE}", span.start, span.end)
}

/// An expression that has no value: wherever it is evaluated, that is the error that the words tell.
pub(crate) fn failing(words: &str) -> String {
    let words: String = words.chars().filter(|c| !c.is_control()).collect();
    format!("{OPEN}0,0,{words}{BETWEEN}{FAILING}{CLOSE}")
}

/// The shortest expression without a value, and the words in which the core tells its error.
const FAILING: &str = "1 / 0";
const FAILED: &str = "division by zero";

/// The core's words for what Murphi calls otherwise.
const CALLED: [(&str, &str); 5] = [
    ("a `while` that does not end", "a `while` goes on for more than the 64 rounds that are followed"),
    ("`none` used as a value", "an undefined value is read"),
    ("`none` used as a process", "an undefined value is read"),
    ("in `init`:", "in a start state:"),
    ("what is removed is not in the bag", "what is removed is not in the multiset"),
];

/// A text without its marks.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut skipping = false;
    for c in text.chars() {
        match c {
            OPEN => skipping = true,
            BETWEEN => skipping = false,
            CLOSE => {}
            _ if skipping => {}
            _ => out.push(c),
        }
    }
    out
}

/// Which parts of a text come from which places of another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins {
    /// The parts, each behind those that contain it.
    parts: Vec<(Span, Span)>,
    /// The expressions that have no value, and the error that each stands for.
    failing: Vec<(Span, String)>,
}

/// Takes the marks out of a text.
pub(crate) fn taken_out(text: &str) -> (String, Origins) {
    let mut out = String::with_capacity(text.len());
    let mut parts: Vec<(Span, Span)> = Vec::new();
    let mut failing: Vec<(Span, String)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            OPEN => {
                let place: String = chars.by_ref().take_while(|&c| c != BETWEEN).collect();
                let mut fields = place.splitn(3, ',');
                let mut number = || fields.next().and_then(|text| text.parse().ok()).unwrap_or_default();
                let place = Span::new(number(), number());
                if let Some(words) = fields.next().filter(|words| !words.is_empty()) {
                    let from = out.len() as u32;
                    failing.push((Span::new(from, from + FAILING.len() as u32), words.into()));
                }
                open.push(parts.len());
                parts.push((Span::new(out.len() as u32, 0), place));
            }
            CLOSE => {
                if let Some(part) = open.pop() {
                    parts[part].0.end = out.len() as u32;
                }
            }
            _ => out.push(c),
        }
    }
    parts.retain(|(_, place)| *place != Span::default());
    (out, Origins { parts, failing })
}

impl Origins {
    /// Where a part of the text comes from: the place of the smallest part around it.
    pub fn origin(&self, span: Span) -> Span {
        let around = |part: &&(Span, Span)| part.0.start <= span.start && span.end <= part.0.end;
        let smallest = self.parts.iter().filter(around).min_by_key(|(part, _)| part.end - part.start);
        smallest.map_or(Span::default(), |(_, place)| *place)
    }

    /// A message about the text as one about where it comes from.
    #[must_use]
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let note = diagnostic
            .note
            .as_ref()
            .map(|note| Note { span: self.origin(note.span), message: note.message.clone() });
        let failing = self.failing.iter().find(|(part, _)| *part == diagnostic.span);
        let mut message = diagnostic.message.clone();
        let own = failing.map(|(_, words)| (FAILED, words.as_str()));
        for (theirs, ours) in own.into_iter().chain(CALLED) {
            message = message.replacen(theirs, ours, 1);
        }
        // Murphi's loops may go on for longer: that is a limit, and no error of the text.
        let unfollowed = diagnostic.message.contains(CALLED[0].0);
        let kind = if unfollowed { DiagnosticKind::TooLarge } else { diagnostic.kind };
        Diagnostic { kind, span: self.origin(diagnostic.span), message, note }
    }
}
