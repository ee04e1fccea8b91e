//! Labels as each format wants them: escaped, and broken into lines.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The longest line of a label, in characters, where it can be broken.
const LINE: usize = 44;

/// Breaks a line so that no node becomes a ribbon: between the members of a list, or at spaces where there is none.
pub(super) fn wrap(line: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut current = String::new();
    for part in line.split_inclusive(if line.contains(", ") { ", " } else { " " }) {
        if !current.is_empty() && width(&current) + width(part.trim_end()) > LINE {
            let full = core::mem::replace(&mut current, "  ".to_string());
            lines.push(full.trim_end().to_string());
        }
        current.push_str(part);
    }
    lines.push(current);
    lines
}

/// The first columns of a text; an ellipsis stands for what does not fit.
pub(super) fn clip(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.into();
    }
    let mut clipped = String::new();
    for c in text.chars() {
        if width(&clipped) + 2 > columns {
            break;
        }
        clipped.push(c);
    }
    clipped.push('…');
    clipped
}

/// The width of a text in columns; characters of scripts that are set wide take two.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| if ('\u{2e80}'..'\u{1f000}').contains(&c) { 2 } else { 1 }).sum()
}

/// Text between tags or in an attribute. XML has no way to write most control characters.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The inside of a quoted string of Graphviz, which reads entities as HTML does.
pub(super) fn dot(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        let text = "a<b> & \"c\" \\ \u{1}\n";
        assert_eq!(xml(text), "a&lt;b&gt; &amp; &quot;c&quot; \\ \u{fffd} ");
        assert_eq!(dot(text), "a<b> &amp; \\\"c\\\" \\\\   ");
    }

    #[test]
    fn long_lines_are_broken_at_spaces() {
        assert_eq!(wrap("short line"), ["short line"]);
        let line = "client=[idle, idle, idle, idle, idle, idle, idle, idle, idle]";
        assert_eq!(wrap(line), ["client=[idle, idle, idle, idle, idle, idle,", "  idle, idle, idle]"]);
        let line = "phil=[{st=hungry fork=true}, {st=thinks fork=false}]";
        assert_eq!(wrap(line), ["phil=[{st=hungry fork=true},", "  {st=thinks fork=false}]"]);
        let word = "x".repeat(60);
        assert_eq!(wrap(&word), [word.as_str()]);
    }
}
