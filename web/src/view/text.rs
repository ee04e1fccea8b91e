//! Words and numbers as the page writes them.

use crate::engine::Place;
use orbitscope_core::natural::Natural;

/// A count with its thousands apart: `12,345`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of any size: `12,345`, and from 10^18 on `1.2·10^24`.
pub fn natural(number: &Natural) -> String {
    let digits = number.to_string();
    match (digits.get(..1), digits.get(1..2)) {
        (Some(first), Some(second)) if digits.len() > 18 => {
            format!("{first}.{second}·10^{}", digits.len() - 1)
        }
        _ => grouped(&digits),
    }
}

/// A count of states of any size: `1 state`, `2,000 states`.
pub fn states(number: &Natural) -> String {
    format!("{} {}", natural(number), if *number == Natural::one() { "state" } else { "states" })
}

/// Words as they stand at the beginning of a sentence.
pub fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// A count and its noun: `1 state`, `2,000 states`.
pub fn counted(number: u64, noun: &str) -> String {
    let (stem, ending) = match noun {
        _ if number == 1 => (noun, ""),
        "process" | "search" => (noun, "es"),
        "property" => ("propert", "ies"),
        "vertex" => ("vert", "ices"),
        _ => (noun, "s"),
    };
    format!("{} {stem}{ending}", count(number))
}

/// The order of a group in few characters: `= 6`, `≈ 9.3·10^155`.
pub fn order(digits: &str) -> String {
    match (digits.get(..1), digits.get(1..2)) {
        (Some(first), Some(second)) if digits.len() > 12 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            format!("≈ {first}.{second}·10^{}", digits.len() - 1)
        }
        _ => format!("= {digits}"),
    }
}

/// A time: `12 ms`, `3.4 s`.
pub fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 0.95 => "< 1 ms".into(),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms if ms < 60_000.0 => format!("{:.1} s", ms / 1000.0),
        ms => format!("{:.1} min", ms / 60_000.0),
    }
}

/// A size in memory: `12 KiB`, `3.4 MiB`.
pub fn bytes(bytes: u64) -> String {
    match bytes as f64 / 1024.0 {
        k if k < 1024.0 => format!("{k:.0} KiB"),
        k if k < 1024.0 * 1024.0 => format!("{:.1} MiB", k / 1024.0),
        k => format!("{:.1} GiB", k / 1024.0 / 1024.0),
    }
}

/// A size that may be small: below a kibibyte to the byte.
pub fn small_bytes(size: u64) -> String {
    if size < 1 << 10 { format!("{size} B") } else { bytes(size) }
}

/// A label in at most `lines` lines of at most `width` characters, broken at spaces where possible; an
/// ellipsis ends what does not fit.
pub fn wrap(label: &str, width: usize, lines: usize) -> Vec<String> {
    let mut wrapped = vec![String::new()];
    for word in label.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        loop {
            let line = wrapped.last_mut().expect("there is always a line");
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + rest.len() <= width {
                line.extend(gap.eq(&1).then_some(' '));
                line.extend(&rest);
                break;
            }
            if used == 0 {
                line.extend(rest.drain(..width));
            }
            wrapped.push(String::new());
        }
    }
    if wrapped.len() > lines {
        wrapped.truncate(lines);
        let last = &mut wrapped[lines - 1];
        while last.chars().count() >= width {
            last.pop();
        }
        last.push('…');
    }
    wrapped
}

/// The line under an excerpt that points at the place.
pub fn caret(place: &Place) -> String {
    let before = place.excerpt.chars().take(place.column as usize - 1);
    // A tab stays a tab, so that the caret stands where the eye sees the character.
    let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    indent + &"^".repeat(place.length.max(1) as usize)
}

/// The place as offsets in UTF-16 units from the start of `source`, as a text area counts.
pub fn utf16_range(source: &str, place: &Place) -> (u32, u32) {
    let length = |text: &str| text.encode_utf16().count() as u32;
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let index = (place.line as usize - 1).min(lines.len());
    let line_start: u32 = lines[..index].iter().map(|line| length(line)).sum();
    let line = lines.get(index).map_or("", |line| line.trim_end_matches(['\n', '\r']));
    let units =
        |characters: usize| -> u32 { line.chars().take(characters).map(|c| c.len_utf16() as u32).sum() };
    let column = place.column as usize - 1;
    (line_start + units(column), line_start + units(column + place.length as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_thousands_apart() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (54_321, "54,321"), (1_000_000, "1,000,000")];
        for (number, text) in numbers {
            assert_eq!(count(number), text);
        }
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(
            (counted(2, "process"), counted(3, "property")),
            ("2 processes".into(), "3 properties".into())
        );
    }

    #[test]
    fn large_orders_are_short() {
        assert_eq!((order("6"), order("479001600")), ("= 6".into(), "= 479001600".into()));
        assert_eq!(order("9332621544394415268169923885"), "≈ 9.3·10^27");
    }

    #[test]
    fn times_and_sizes_in_words() {
        for (milliseconds, words) in
            [(0.2, "< 1 ms"), (12.3, "12 ms"), (3400.0, "3.4 s"), (90_000.0, "1.5 min")]
        {
            assert_eq!(time(milliseconds), words);
        }
        for (size, words) in [(512, "0 KiB"), (4 << 10, "4 KiB"), (3 << 20, "3.0 MiB"), (5 << 29, "2.5 GiB")]
        {
            assert_eq!(bytes(size), words);
        }
    }

    #[test]
    fn labels_break_at_spaces() {
        assert_eq!(wrap("clients_turn I R C", 12, 3), ["clients_turn", "I R C"]);
        assert_eq!(wrap("I R C", 12, 3), ["I R C"]);
        assert_eq!(wrap("", 12, 3), [""]);
        assert_eq!(wrap("abcdefgh ij", 4, 3), ["abcd", "efgh", "ij"]);
    }

    #[test]
    fn labels_that_do_not_fit_end_in_an_ellipsis() {
        assert_eq!(wrap("aaa bbb ccc", 4, 2), ["aaa", "bbb…"]);
        assert_eq!(wrap("aaaa bbbb cccc", 4, 2), ["aaaa", "bbb…"]);
        for width in 1..9 {
            for line in wrap("some words of üneven léngth and averylongone", width, 3) {
                assert!(line.chars().count() <= width, "{line} is longer than {width}");
            }
        }
    }

    #[test]
    fn carets_stand_under_what_is_meant() {
        let place = Place { line: 1, column: 4, excerpt: "\tü {x".into(), length: 2 };
        assert_eq!(caret(&place), "\t  ^^");
    }

    #[test]
    fn text_areas_count_in_utf16() {
        let source = "ab\r\n𝄞é{x}\n";
        let place = |line, column, length| Place { line, column, excerpt: String::new(), length };
        assert_eq!(utf16_range(source, &place(1, 2, 1)), (1, 2));
        assert_eq!(utf16_range(source, &place(2, 3, 2)), (7, 9));
        assert_eq!(utf16_range(source, &place(2, 99, 1)), (10, 10));
        assert_eq!(utf16_range(source, &place(9, 1, 1)), (11, 11));
    }
}
