//! Names: from Murphi's to the modelling language's, which has other reserved words.

use alloc::format;
use alloc::string::String;

/// Words that are no names in the modelling language, or that would be read as something else at some place.
const TAKEN: &[&str] = &[
    "param",
    "shared",
    "process",
    "var",
    "action",
    "define",
    "fairness",
    "symmetry",
    "invariant",
    "ltl",
    "ctl",
    "automaton",
    "in",
    "and",
    "or",
    "not",
    "forall",
    "exists",
    "count",
    "if",
    "then",
    "else",
    "true",
    "false",
    "self",
    "none",
    "any",
    "bool",
    "type",
    "cover",
    "deadlock",
    "assume",
    "mu",
    "nu",
    "index",
    "next",
    "prev",
    "enabled",
    "executed",
    "init",
    "hint",
    "procedure",
    "function",
    "min",
    "max",
    "abs",
    "sum",
    "head",
    "length",
    "room",
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

/// Names that may well be fields: only the reserved words are taken there.
const RESERVED: usize = 28;

/// A name that stands behind a dot.
pub(super) fn escaped(name: &str) -> String {
    if TAKEN[..RESERVED].contains(&name) { format!("{name}_") } else { name.into() }
}

/// A name that stands by itself.
pub(super) fn free(name: &str) -> String {
    if TAKEN.contains(&name) { format!("{name}_") } else { name.into() }
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
