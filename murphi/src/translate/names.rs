//! Names: from Murphi's to the modelling language's, which has other reserved words.

use alloc::format;
use alloc::string::String;
use orbitscope_core::functions::Function;
use orbitscope_core::syntax::Keyword;

/// Words that would be read as something else at some place, beside the reserved words and the built-in functions.
const OTHERS: &[&str] = &[
    "nu",
    "init",
    "hint",
    "procedure",
    "function",
    "is",
    "of",
    "to",
    "from",
    "F",
    "G",
    "X",
    "U",
    "R",
    "W",
    "M",
    "A",
    "E",
    "AX",
    "EX",
    "AF",
    "EF",
    "AG",
    "EG",
    "always",
    "eventually",
];

/// Names that may well be fields: only the words that are reserved everywhere are taken there.
fn is_taken_as_field(name: &str) -> bool {
    Keyword::from_text(name).is_some_and(|keyword| !keyword.is_contextual())
}

fn is_taken(name: &str) -> bool {
    Keyword::from_text(name).is_some() || Function::named(name).is_some() || OTHERS.contains(&name)
}

/// A name that stands behind a dot.
pub(super) fn escaped(name: &str) -> String {
    if is_taken_as_field(name) { format!("{name}_") } else { name.into() }
}

/// A name that stands by itself.
pub(super) fn free(name: &str) -> String {
    if is_taken(name) { format!("{name}_") } else { name.into() }
}

/// A text as a name.
pub(super) fn from_text(text: &str, otherwise: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
    }
    let out = out.trim_end_matches('_');
    match out.chars().next() {
        None => otherwise.into(),
        Some(c) if c.is_ascii_digit() => format!("{otherwise}_{out}"),
        Some(_) => free(out),
    }
}
