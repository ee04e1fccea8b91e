//! The text of a model as an editor shows it: coloured by the language service, with what is wrong underlined.

mod service;
mod sheet;

pub use crate::engine::language::{Completion, Suggestion};
pub use service::{
    Entry, Facts, Found, commented, definition, entries, facts, match_of, name_at, reference, rename,
};
pub use sheet::{Block, Sheet};

use crate::engine::Problem;
use crate::engine::language::{Document, Paint as Meaning, Painted, SymbolKind};

/// The kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// White space, names that are used, punctuation.
    Plain,
    /// A reserved word.
    Keyword,
    /// A name where it is declared.
    Declared,
    /// A number.
    Number,
    /// An operator of temporal logic.
    Temporal,
    /// A comment.
    Comment,
    /// Characters that belong to no token.
    Unknown,
}

impl Paint {
    /// Its class in the style sheet; plain text has none.
    pub fn class(self) -> Option<&'static str> {
        Some(match self {
            Paint::Plain => return None,
            Paint::Keyword => "tok-keyword",
            Paint::Declared => "tok-declared",
            Paint::Number => "tok-number",
            Paint::Temporal => "tok-temporal",
            Paint::Comment => "tok-comment",
            Paint::Unknown => "tok-unknown",
        })
    }
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Its kind.
    pub paint: Paint,
    /// Whether it is wrong.
    pub wrong: bool,
}

/// A line of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its pieces; together they are its text.
    pub pieces: Vec<Piece>,
    /// Whether something is wrong in it.
    pub wrong: bool,
}

/// The most names that are offered.
const OFFERED: usize = 10;

/// The best completions of the word before the caret.
pub fn complete(source: &str, offset: usize, asked: bool) -> Option<Completion> {
    let mut found = Document::new(source).complete(offset, asked)?;
    found.suggestions.truncate(OFFERED);
    Some(found)
}

/// The lines of a text, coloured; `problems` are those of the same text, or of what it was a moment ago.
pub fn lines(source: &str, problems: &[Problem]) -> Vec<Line> {
    let mut lines = paint(source);
    for place in problems.iter().filter_map(|problem| problem.place.as_ref()) {
        if let Some(line) = lines.get_mut(place.line as usize - 1) {
            underline(line, place.column as usize - 1, place.length as usize);
        }
    }
    lines
}

fn paint(source: &str) -> Vec<Line> {
    let tokens = Document::new(source).tokens();
    let spans =
        tokens.iter().map(|token| (token.span.start as usize, token.span.end as usize, colour(token)));
    cut(source, &spans.collect::<Vec<_>>())
}

fn colour(token: &Painted) -> Paint {
    match token.paint {
        Meaning::Keyword => Paint::Keyword,
        Meaning::Number => Paint::Number,
        Meaning::Temporal => Paint::Temporal,
        Meaning::Comment => Paint::Comment,
        Meaning::Unknown => Paint::Unknown,
        // A bound name and a literal are as much used as declared where they first stand.
        Meaning::Name(SymbolKind::Literal | SymbolKind::Bound | SymbolKind::Argument) | Meaning::Function => {
            Paint::Plain
        }
        Meaning::Name(_) if token.declares => Paint::Declared,
        Meaning::Name(_) => Paint::Plain,
    }
}

/// Cuts the text at the spans and at the ends of lines.
fn cut(source: &str, spans: &[(usize, usize, Paint)]) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    let mut push = |text: &str, paint: Paint| {
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(Line::default());
            }
            let part = part.trim_end_matches('\r');
            let line = lines.last_mut().expect("there is always a line");
            match line.pieces.last_mut() {
                _ if part.is_empty() => {}
                Some(last) if last.paint == paint => last.text.push_str(part),
                _ => line.pieces.push(Piece { text: part.into(), paint, wrong: false }),
            }
        }
    };
    let mut at = 0;
    for &(start, end, paint) in spans {
        push(&source[at..start.max(at)], Paint::Plain);
        push(&source[start.max(at)..end.max(at)], paint);
        at = end.max(at);
    }
    push(&source[at..], Paint::Plain);
    lines
}

/// Marks some characters of a line as wrong; behind its end, a space that is added.
fn underline(line: &mut Line, column: usize, length: usize) {
    line.wrong = true;
    let (mut at, end) = (0, column + length.max(1));
    let mut pieces = Vec::with_capacity(line.pieces.len() + 2);
    for piece in line.pieces.drain(..) {
        let count = piece.text.chars().count();
        let (from, to) = (column.clamp(at, at + count) - at, end.clamp(at, at + count) - at);
        let part = |from: usize, to: usize, wrong: bool| Piece {
            text: piece.text.chars().skip(from).take(to - from).collect(),
            paint: piece.paint,
            wrong: wrong || piece.wrong,
        };
        let parts = [part(0, from, false), part(from, to, true), part(to, count, false)];
        pieces.extend(parts.into_iter().filter(|part| !part.text.is_empty()));
        at += count;
    }
    if column >= at {
        pieces.push(Piece { text: " ".into(), paint: Paint::Plain, wrong: true });
    }
    line.pieces = pieces;
}

/// The white space that a new line after this offset begins with: that of the line before, and two more after `{`.
pub fn indent_after(source: &str, offset: usize) -> String {
    let before = &source[..offset];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut indent: String = line.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    if line.trim_end().ends_with('{') {
        indent.push_str("  ");
    }
    indent
}

/// The lines that a selection touches, moved by two spaces to the right, or to the left: the range to replace, and what
/// with.
pub fn shifted(source: &str, start: usize, end: usize, right: bool) -> (usize, usize, String) {
    let first = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = source[end..].find('\n').map_or(source.len(), |at| end + at);
    let line = |line: &str| match line {
        _ if right && line.trim().is_empty() => line.to_owned(),
        _ if right => format!("  {line}"),
        _ => line.strip_prefix("  ").or_else(|| line.strip_prefix([' ', '\t'])).unwrap_or(line).to_owned(),
    };
    let text = source[first..last].split('\n').map(line).collect::<Vec<_>>().join("\n");
    (first, last, text)
}

/// The byte offset of a place that a text area counts in UTF-16 units.
pub fn byte_offset(source: &str, utf16: u32) -> usize {
    let mut units = 0;
    for (at, c) in source.char_indices() {
        if units >= utf16 {
            return at;
        }
        units += c.len_utf16() as u32;
    }
    source.len()
}

/// The place of a byte offset in UTF-16 units.
pub fn utf16_offset(source: &str, byte: usize) -> u32 {
    source[..byte].encode_utf16().count() as u32
}

/// The line of a byte offset, from 0, and where in it that is, in UTF-16 units. An offset that is no place of the text is
/// its end.
pub fn line_of(source: &str, offset: usize) -> (u32, u32) {
    let before = source.get(..offset).unwrap_or(source);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() as u32, line.encode_utf16().count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Place;
    use orbitscope_core::models;

    fn joined(lines: &[Line]) -> String {
        let text = |line: &Line| line.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
        lines.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    fn paints(source: &str, paint: Paint) -> Vec<String> {
        let lines = lines(source, &[]);
        lines.iter().flat_map(|l| &l.pieces).filter(|p| p.paint == paint).map(|p| p.text.clone()).collect()
    }

    #[test]
    fn nothing_of_the_text_is_lost() {
        for model in models::ALL {
            assert_eq!(joined(&lines(model.source, &[])), model.source, "{}", model.name);
        }
        for text in ["", "\n", "a\n\n/* x\n y */ b\r\nc", "\"é\" ; 𝄞 /* open\n"] {
            assert_eq!(joined(&lines(text, &[])), text.replace('\r', ""));
        }
    }

    #[test]
    fn a_comment_over_lines_is_one_on_each() {
        let lines = lines("a /* b\n c */ d", &[]);
        let painted: Vec<Vec<Paint>> =
            lines.iter().map(|line| line.pieces.iter().map(|piece| piece.paint).collect()).collect();
        assert_eq!(painted, [[Paint::Plain, Paint::Comment], [Paint::Comment, Paint::Plain]]);
    }

    #[test]
    fn operators_of_logic_are_told_from_literals() {
        let text =
            "process p[2] { var st: {R, G} = R action x: st == R -> st := G }\nltl a: G (c.st == R => F G x)";
        assert_eq!(paints(text, Paint::Temporal), ["G", "F", "G"]);
        assert_eq!(paints(text, Paint::Declared), ["p", "st", "x", "a"]);
        assert_eq!(paints(text, Paint::Number), ["2"]);
    }

    #[test]
    fn problems_are_underlined_where_they_are() {
        let place = |line, column, length| Place { line, column, excerpt: String::new(), length };
        let problem = |place| Problem { place: Some(place), ..Problem::new("no") };
        let wrong = |problems: &[Problem]| -> Vec<String> {
            let lines = lines("param n = mm\nx", problems);
            lines.iter().flat_map(|l| &l.pieces).filter(|p| p.wrong).map(|p| p.text.clone()).collect()
        };
        assert_eq!(wrong(&[problem(place(1, 11, 2))]), ["mm"]);
        assert_eq!(wrong(&[problem(place(1, 4, 4))]), ["am", " ", "n"]);
        assert_eq!(wrong(&[problem(place(2, 2, 1))]), [" "], "behind the end of a line");
        assert_eq!(wrong(&[problem(place(9, 1, 1))]), [""; 0], "the text has become shorter");
    }

    #[test]
    fn new_lines_are_indented_like_the_last() {
        assert_eq!(indent_after("  a {", 5), "    ");
        assert_eq!(indent_after("  a {", 3), "  ");
        assert_eq!(indent_after("x", 1), "");
        assert_eq!(shifted("a\nb\nc", 2, 3, true), (2, 3, "  b".into()));
        assert_eq!(shifted("  a\n b\n\nc", 0, 7, false), (0, 7, "a\nb\n".into()));
        assert_eq!(shifted("a\n\nb", 0, 4, true), (0, 4, "  a\n\n  b".into()));
    }

    #[test]
    fn offsets_are_counted_as_a_text_area_does() {
        let text = "a𝄞é\nb";
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(byte_offset(text, utf16_offset(text, byte)), byte);
        }
        assert_eq!(byte_offset(text, 99), text.len());
        assert_eq!(line_of("a\n𝄞b c", 7), (1, 3));
        assert_eq!(line_of("a\nb", 99), (1, 1));
    }
}
