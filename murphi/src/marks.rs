//! Marks in a translated text that say which part of the Murphi text each part comes from.
//!
//! While the text is made a mark is two characters that no text has, with the place between them. At the end they are taken out,
//! and what stands between them is remembered.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::{Diagnostic, Note, Span};

const OPEN: char = '\u{1}';
const BETWEEN: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// A text that comes from a place.
pub(crate) fn marked(text: &str, span: Span) -> String {
    format!("{OPEN}{},{}{BETWEEN}{text}{CLOSE}", span.start, span.end)
}

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
}

/// Takes the marks out of a text.
pub(crate) fn taken_out(text: &str) -> (String, Origins) {
    let mut out = String::with_capacity(text.len());
    let mut parts: Vec<(Span, Span)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            OPEN => {
                let place: String = chars.by_ref().take_while(|&c| c != BETWEEN).collect();
                let (start, end) = place.split_once(',').unwrap_or_default();
                let place = Span::new(start.parse().unwrap_or_default(), end.parse().unwrap_or_default());
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
    (out, Origins { parts })
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
        Diagnostic { span: self.origin(diagnostic.span), note, ..diagnostic.clone() }
    }
}
