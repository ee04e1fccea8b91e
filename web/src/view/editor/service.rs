//! The editor's questions to the language service: where a name is declared, what a word means, what stands where.

use super::{byte_offset, utf16_offset};
use crate::engine::language::{Document, SymbolKind, WORDS};

/// A part of the text, in the units of a text area.
pub type Found = (u32, u32);

/// The facts about the word at the caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How it is declared or written.
    pub code: String,
    /// Its kind, its type, and the comment above its declaration.
    pub says: String,
    /// Whether it is a name that has a declaration in the text.
    pub declared: bool,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, and its kind.
    pub name: String,
    /// Whether it belongs to the entry before it that does not.
    pub inside: bool,
    /// Where it stands.
    pub place: Found,
}

fn found(source: &str, start: u32, end: u32) -> Found {
    (utf16_offset(source, start as usize), utf16_offset(source, end as usize))
}

/// The place where the name at the caret is declared.
pub fn definition(source: &str, caret: u32) -> Option<Found> {
    let places = Document::new(source).definition(byte_offset(source, caret));
    places.first().map(|span| found(source, span.start, span.end))
}

/// The facts about the word at the caret.
pub fn facts(source: &str, caret: u32) -> Option<Facts> {
    let hover = Document::new(source).hover(byte_offset(source, caret))?;
    let says = [Some(hover.says), hover.comment].into_iter().flatten().filter(|words| !words.is_empty());
    Some(Facts {
        code: hover.code,
        says: says.collect::<Vec<_>>().join(" · "),
        declared: hover.symbol.is_some(),
    })
}

/// The name at the caret, where it can be changed.
pub fn name_at(source: &str, caret: u32) -> Option<String> {
    let span = Document::new(source).renamable(byte_offset(source, caret)).ok()?;
    Some(source[span.start as usize..span.end as usize].to_owned())
}

/// The text with another name in the place of the one at the caret: the part to replace, what with, and where the name is
/// then. Or why not.
pub fn rename(source: &str, caret: u32, new: &str) -> Result<(Found, String, u32), String> {
    let offset = byte_offset(source, caret);
    let mut spans = Document::new(source).rename(offset, new).map_err(|error| error.to_string())?;
    spans.sort_by_key(|span| span.start);
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return Err("There is no name at the caret.".into());
    };
    let (start, end) = (first.start as usize, last.end as usize);
    let (mut text, mut at, mut place) = (String::new(), start, start);
    for span in &spans {
        text.push_str(&source[at..span.start as usize]);
        if span.start as usize <= offset {
            place = start + text.len();
        }
        text.push_str(new);
        at = span.end as usize;
    }
    let after = format!("{}{text}", &source[..start]);
    Ok((found(source, start as u32, end as u32), text, utf16_offset(&after, place)))
}

/// The bracket at the caret and its other half, as byte offsets.
pub fn match_of(source: &str, caret: u32) -> Option<(usize, usize)> {
    let offset = byte_offset(source, caret);
    // Most places have none: the text need not be read for that.
    let around = source[..offset].chars().next_back().into_iter().chain(source[offset..].chars().next());
    if !around.into_iter().any(|c| "()[]{}".contains(c)) {
        return None;
    }
    let (open, close) = Document::new(source).brackets(offset)?;
    Some((open.start as usize, close.start as usize))
}

/// The outline.
pub fn entries(source: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for item in Document::new(source).outline() {
        let entry = |name: &str, kind: SymbolKind, place: Found, inside| {
            (!name.is_empty()).then(|| Entry { name: format!("{} {name}", kind.word()), inside, place })
        };
        entries.extend(entry(&item.name, item.kind, found(source, item.place.start, item.place.end), false));
        for part in &item.inside {
            entries.extend(entry(
                &part.name,
                part.kind,
                found(source, part.place.start, part.place.end),
                true,
            ));
        }
    }
    entries
}

/// The lines that a selection touches as comments, or no longer, where all of them are: the range to replace, and what with.
pub fn commented(source: &str, start: usize, end: usize) -> (usize, usize, String) {
    let first = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = source[end..].find('\n').map_or(source.len(), |at| end + at);
    let lines = || source[first..last].split('\n');
    let empty = |line: &str| line.trim().is_empty();
    let all = lines().filter(|line| !empty(line)).all(|line| line.trim_start().starts_with("//"));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = lines().filter(|line| !empty(line)).map(indent).min().unwrap_or(0);
    let line = |line: &str| match line {
        line if empty(line) => line.to_owned(),
        line if all => {
            let (space, rest) = line.split_at(indent(line));
            let rest = rest.strip_prefix("//").unwrap_or(rest);
            format!("{space}{}", rest.strip_prefix(' ').unwrap_or(rest))
        }
        line => format!("{}// {}", &line[..least], &line[least..]),
    };
    (first, last, lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// The words of the language that contain what is looked for, each with how it is written and what it means.
pub fn reference(sought: &str) -> Vec<(&'static str, &'static str)> {
    let sought = sought.trim().to_lowercase();
    let fits = |text: &str| text.to_lowercase().contains(&sought);
    let words = WORDS.iter().filter(|word| fits(word.text) || fits(word.form) || fits(word.says));
    let mut found: Vec<_> = words.map(|word| (word.form, word.says)).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::models;

    const TEXT: &str = "// é: how many\nparam n = 2 in 1..9\nprocess p[n] {\n  // its state\n  var st: {A, B} = A\n  \
                        action go: st == A -> st := B\n}\ninvariant fine: count(x in p: x.st == B) <= n\n";

    fn caret(word: &str, number: usize) -> u32 {
        utf16_offset(TEXT, TEXT.match_indices(word).nth(number).unwrap().0)
    }

    fn part((start, end): Found) -> &'static str {
        &TEXT[byte_offset(TEXT, start)..byte_offset(TEXT, end)]
    }

    #[test]
    fn a_name_leads_to_its_declaration() {
        let used = caret("st == A", 0);
        let place = definition(TEXT, used + 1).unwrap();
        assert_eq!((part(place), place.0), ("st", caret("st: {A", 0)));
        assert_eq!(definition(TEXT, caret("->", 0)), None);
        let facts = facts(TEXT, used).unwrap();
        assert!(facts.declared && facts.code.contains("st") && facts.says.contains("its state"), "{facts:?}");
        let word = super::facts(TEXT, caret("process", 0)).unwrap();
        assert!(!word.declared && word.code.starts_with("process"), "{word:?}");
        assert_eq!(super::facts(TEXT, caret(" = 2", 0) + 1), None);
    }

    #[test]
    fn a_name_is_changed_everywhere_or_nowhere() {
        let (place, text, at) = rename(TEXT, caret("st == B", 0), "state").unwrap();
        let units: Vec<u16> = TEXT.encode_utf16().collect();
        let head = String::from_utf16(&units[..place.0 as usize]).unwrap();
        let after = format!("{head}{text}{}", String::from_utf16(&units[place.1 as usize..]).unwrap());
        assert_eq!(after.matches("state").count(), TEXT.matches("state").count() + 4, "{after}");
        assert!(after.contains("x.state == B") && after.contains("var state:"), "{after}");
        assert_eq!(&after[byte_offset(&after, at)..][..5], "state");
        assert_eq!(name_at(TEXT, caret("st == B", 0)).as_deref(), Some("st"));
        assert_eq!(name_at(TEXT, caret("->", 0)), None);
        assert!(rename(TEXT, caret("st == B", 0), "n m").unwrap_err().contains("no name"));
        assert!(rename(TEXT, caret("->", 0), "x").is_err());
    }

    #[test]
    fn brackets_have_another_half() {
        let open = TEXT.find('{').unwrap();
        let close = TEXT.rfind('}').unwrap();
        for at in [open, open + 1, close, close + 1] {
            assert_eq!(match_of(TEXT, utf16_offset(TEXT, at)), Some((open, close)));
        }
        assert_eq!(match_of(TEXT, 3), None);
    }

    #[test]
    fn the_outline_has_every_declaration_of_the_models() {
        let names: Vec<(String, bool)> = entries(TEXT).into_iter().map(|e| (e.name, e.inside)).collect();
        let last = |name: &str, inside| names.iter().any(|(n, i)| n.ends_with(name) && *i == inside);
        assert!(
            last(" n", false) && last(" p", false) && last(" st", true) && last(" go", true),
            "{names:?}"
        );
        for model in models() {
            for entry in entries(model.source) {
                let (start, end) = entry.place;
                let words = &model.source[byte_offset(model.source, start)..byte_offset(model.source, end)];
                assert!(entry.name.ends_with(words), "{}: {entry:?} {words}", model.name);
            }
        }
    }

    #[test]
    fn lines_become_comments_and_come_back() {
        let text = "a\n  b\n\n    c\nd";
        let (start, end, once) = commented(text, 3, 11);
        assert_eq!((start, end, once.as_str()), (2, 12, "  // b\n\n  //   c"));
        let after = format!("{}{once}{}", &text[..start], &text[end..]);
        let (start, end, twice) = commented(&after, start, start + once.len());
        assert_eq!(format!("{}{twice}{}", &after[..start], &after[end..]), text);
        assert_eq!(commented("", 0, 0), (0, 0, String::new()));
    }

    #[test]
    fn the_reference_is_searched_by_any_of_its_words() {
        assert!(reference("").len() > 40);
        assert!(reference("RING").iter().any(|(form, _)| form.contains("ring")));
        assert!(reference("fair").len() < reference("").len() && !reference("fair").is_empty());
        assert_eq!(reference("no such word"), []);
    }
}
