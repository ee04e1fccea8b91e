//! Random damage to a text.

use super::rng::Rng;
use orbitscope_core::syntax::lex;

/// What a damaged text gets between its own tokens.
const PIECES: &[&str] = &[
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
    "self",
    "none",
    "any",
    "bool",
    "R",
    "F",
    "G",
    "U",
    "A",
    "E",
    "AG",
    "A[",
    "x",
    "client",
    "0",
    "99999999999999999999",
    "1..3",
    "<=>",
    "=>",
    "->",
    ":=",
    "==",
    "=",
    "<",
    "<>",
    "[]",
    "&&",
    "&",
    "..",
    ".",
    "!",
    ":",
    ",",
    ";",
    "?",
    "+",
    "-",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\t",
    "\"",
    "\\",
    "#",
    "ä",
    "∧",
    "\u{0}",
    "\u{2028}",
    "😀",
    "\u{301}",
    "\u{feff}",
];

/// The text with one to four random changes of tokens or characters.
pub(crate) fn mutate(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_string();
    for _ in 0..=rng.below(4) {
        if rng.one_in(2) { mutate_token(rng, &mut text) } else { mutate_char(rng, &mut text) }
    }
    text
}

fn mutate_token(rng: &mut Rng, text: &mut String) {
    let tokens = lex(text).tokens;
    let range = |i: usize| tokens[i].span.start as usize..tokens[i].span.end as usize;
    let (one, other) = (rng.below(tokens.len()), rng.below(tokens.len()));
    match rng.below(5) {
        0 => text.replace_range(range(one), ""),
        1 => text.replace_range(range(one), rng.choose::<&str>(PIECES)),
        2 => text.insert_str(range(one).start, &format!(" {} ", rng.choose::<&str>(PIECES))),
        3 => {
            let copy = text[range(other)].to_string();
            text.replace_range(range(one), &copy);
        }
        _ => text.replace_range(range(one.min(other)).start..range(one.max(other)).start, ""),
    }
}

fn mutate_char(rng: &mut Rng, text: &mut String) {
    let mut boundary = || {
        let mut at = rng.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let at = boundary();
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match rng.below(4) {
        0 => text.replace_range(at..end, ""),
        1 => text.insert_str(at, rng.choose::<&str>(PIECES)),
        2 => text.replace_range(at..end, rng.choose::<&str>(PIECES)),
        _ => text.truncate(at),
    }
}
