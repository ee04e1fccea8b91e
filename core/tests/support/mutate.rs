//! Random damage to a text.

use super::random::Random;
use orbitscope_core::syntax::lex;

/// Pieces that a damaged text gets between its own tokens.
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
    "sum(",
    "min(c in",
    "type",
    "type t =",
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
pub(crate) fn mutate(random: &mut Random, text: &str) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.below(4) {
        if random.one_in(2) { mutate_token(random, &mut text) } else { mutate_char(random, &mut text) }
    }
    text
}

fn mutate_token(random: &mut Random, text: &mut String) {
    let tokens = lex(text).tokens;
    let range = |i: usize| tokens[i].span.start as usize..tokens[i].span.end as usize;
    let (one, other) = (random.below(tokens.len()), random.below(tokens.len()));
    match random.below(5) {
        0 => text.replace_range(range(one), ""),
        1 => text.replace_range(range(one), random.pick::<&str>(PIECES)),
        2 => text.insert_str(range(one).start, &format!(" {} ", random.pick::<&str>(PIECES))),
        3 => {
            let copy = text[range(other)].to_string();
            text.replace_range(range(one), &copy);
        }
        _ => text.replace_range(range(one.min(other)).start..range(one.max(other)).start, ""),
    }
}

fn mutate_char(random: &mut Random, text: &mut String) {
    let mut boundary = || {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let at = boundary();
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match random.below(4) {
        0 => text.replace_range(at..end, ""),
        1 => text.insert_str(at, random.pick::<&str>(PIECES)),
        2 => text.replace_range(at..end, random.pick::<&str>(PIECES)),
        _ => text.truncate(at),
    }
}
