//! Places in a text as the protocol counts them: lines from 0, and in them units of UTF-16.

use orbitscope_core::text::Span;
use serde_json::{Value, json};

/// A text with the beginnings of its lines.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    fn line(&self, line: usize) -> &'a str {
        let Some(&start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |&next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }

    /// The byte offset of a position; one behind the end of its line or of the text is that end.
    pub(super) fn offset(&self, position: &Value) -> usize {
        let number = |key: &str| position[key].as_u64().unwrap_or(0) as usize;
        let (line, units) = (number("line"), number("character"));
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let mut seen = 0;
        for (at, c) in self.line(line).char_indices() {
            if seen >= units {
                return start + at;
            }
            seen += c.len_utf16();
        }
        start + self.line(line).len()
    }

    /// The line of an offset, and where in it that is.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        (line, self.text[self.starts[line]..offset].encode_utf16().count())
    }

    pub(super) fn position(&self, offset: usize) -> Value {
        let (line, character) = self.place(offset);
        json!({ "line": line, "character": character })
    }

    pub(super) fn range(&self, span: Span) -> Value {
        json!({ "start": self.position(span.start as usize), "end": self.position(span.end as usize) })
    }

    /// The parts of a span that stand on one line each: line, first unit, length.
    pub(super) fn parts(&self, span: Span) -> Vec<(usize, usize, usize)> {
        let (first, column) = self.place(span.start as usize);
        let (last, end) = self.place(span.end as usize);
        let length = |line: usize| self.line(line).encode_utf16().count();
        (first..=last)
            .map(|line| {
                let from = if line == first { column } else { 0 };
                let to = if line == last { end } else { length(line) };
                (line, from, to.saturating_sub(from))
            })
            .filter(|part| part.2 > 0)
            .collect()
    }
}

/// Makes a change that the client tells of: a part of the text, or all of it.
pub(super) fn apply(text: &mut String, change: &Value) {
    let new = change["text"].as_str().unwrap_or_default();
    match change.get("range").filter(|range| !range.is_null()) {
        None => new.clone_into(text),
        Some(range) => {
            let lines = Lines::new(text);
            let (start, end) = (lines.offset(&range["start"]), lines.offset(&range["end"]));
            text.replace_range(start..end.max(start), new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_units_of_utf16() {
        let text = "a𝄞é\r\nb\n";
        let lines = Lines::new(text);
        assert_eq!(lines.place(5), (0, 3));
        assert_eq!(lines.offset(&json!({ "line": 0, "character": 3 })), 5);
        assert_eq!(lines.offset(&json!({ "line": 0, "character": 99 })), 7, "before the line break");
        assert_eq!(lines.offset(&json!({ "line": 9, "character": 0 })), text.len());
        assert_eq!(lines.parts(Span::new(1, 10)), [(0, 1, 3), (1, 0, 1)]);
        let mut changed = text.to_owned();
        let range = json!({ "start": { "line": 0, "character": 1 }, "end": { "line": 0, "character": 3 } });
        apply(&mut changed, &json!({ "range": range, "text": "x" }));
        assert_eq!(changed, "axé\r\nb\n");
        apply(&mut changed, &json!({ "text": "new" }));
        assert_eq!(changed, "new");
    }
}
