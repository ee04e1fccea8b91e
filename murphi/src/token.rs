//! Tokens of a Murphi text, and its comments.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::{Diagnostic, Span};

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// The kinds of token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name, as it is written.
    Name(String),
    /// A word of the language, in small letters: Murphi reads them in any case.
    Word(&'static str),
    /// A number.
    Int(i64),
    /// A string, without its quotes.
    Str(String),
    /// An operator or a bracket.
    Op(&'static str),
    /// The end of the text.
    End,
}

/// A comment with its place; the text has no marks around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comment {
    pub text: String,
    pub span: Span,
    /// Whether it starts on a line of its own.
    pub alone: bool,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub list: Vec<Token>,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The words that cannot be names.
pub(crate) const WORDS: &[&str] = &[
    "alias",
    "array",
    "assert",
    "assume",
    "begin",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "do",
    "else",
    "elsif",
    "elseif",
    "end",
    "endalias",
    "endchoose",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endinvariant",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "for",
    "forall",
    "function",
    "if",
    "in",
    "interleaved",
    "invariant",
    "ismember",
    "isundefined",
    "liveness",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "procedure",
    "process",
    "program",
    "put",
    "real",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
    "traceuntil",
    "type",
    "undefine",
    "union",
    "var",
    "while",
];

const OPERATORS: &[&str] = &[
    "==>", "<<", ">>", ":=", "==", "!=", "<=", ">=", "->", "..", "&&", "||", "&", "|", "!", "~", "^", "?",
    ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "<", ">", "=", "+", "-", "*", "/", "%",
];

/// Signs that Rumur reads as operators.
const SIGNS: &[(char, &str)] = &[
    ('≔', ":="),
    ('≠', "!="),
    ('≤', "<="),
    ('≥', ">="),
    ('→', "->"),
    ('⇒', "==>"),
    ('∧', "&"),
    ('∨', "|"),
    ('¬', "!"),
    ('×', "*"),
    ('÷', "/"),
    ('∕', "/"),
    ('−', "-"),
    ('∙', "*"),
];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: Tokens,
}

/// Takes a text apart. What is no token is reported once and left out.
pub(crate) fn tokens(text: &str) -> Tokens {
    let mut lexer = Lexer { text, at: 0, out: Tokens::default() };
    while lexer.at < text.len() {
        lexer.next();
    }
    let end = text.len() as u32;
    lexer.out.list.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    lexer.out
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        self.out.list.push(Token { kind, span });
        self.at += length;
    }

    fn next(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            self.comment(end, 2, end);
        } else if rest.starts_with("/*") {
            if let Some(end) = rest.find("*/") {
                self.comment(end + 2, 2, end);
            } else {
                let span = Span::new(self.at as u32, self.at as u32 + 2);
                self.out.diagnostics.push(Diagnostic::new(span, "this comment has no end: `*/` is missing"));
                self.at = self.text.len();
            }
        } else if first.is_alphabetic() || first == '_' {
            self.word();
        } else if first.is_ascii_digit() {
            self.number();
        } else if matches!(first, '"' | '“' | '”') {
            self.string(first);
        } else if let Some(&op) = OPERATORS.iter().find(|op| rest.starts_with(**op)) {
            self.push(TokenKind::Op(op), op.len());
        } else if let Some((sign, op)) = SIGNS.iter().find(|(sign, _)| *sign == first) {
            self.push(TokenKind::Op(op), sign.len_utf8());
        } else if let '∀' | '∃' = first {
            self.push(TokenKind::Word(if first == '∀' { "forall" } else { "exists" }), first.len_utf8());
        } else {
            let span = Span::new(self.at as u32, (self.at + first.len_utf8()) as u32);
            if self.out.diagnostics.last().is_none_or(|last| last.span.end != span.start) {
                let message = format!("`{first}` means nothing here");
                self.out.diagnostics.push(Diagnostic::new(span, message));
            } else if let Some(last) = self.out.diagnostics.last_mut() {
                last.span.end = span.end;
            }
            self.at += first.len_utf8();
        }
    }

    fn comment(&mut self, length: usize, from: usize, to: usize) {
        let text = self.rest().get(from..to).unwrap_or_default().trim().into();
        let before = &self.text[..self.at];
        let alone = before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        self.out.comments.push(Comment { text, span, alone });
        self.at += length;
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let text = &rest[..length];
        let small = text.to_ascii_lowercase();
        let kind = match WORDS.iter().find(|word| **word == small) {
            Some(word) => TokenKind::Word(word),
            None => TokenKind::Name(text.into()),
        };
        if text.is_ascii() || matches!(kind, TokenKind::Word(_)) {
            self.push(kind, length);
            return;
        }
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        let message = "names are made of `A`-`Z`, `a`-`z`, `0`-`9` and `_`";
        self.out.diagnostics.push(Diagnostic::new(span, message));
        self.push(TokenKind::Name(String::from("_")), length);
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let digits = &rest[..length];
        let ambiguous =
            digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|c| c.is_ascii_digit());
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        if ambiguous {
            let message =
                "a number that starts with `0` is octal for Rumur and decimal for CMurphi: write it without";
            self.out.diagnostics.push(Diagnostic::new(span, message));
        }
        let value = value.unwrap_or_else(|_| {
            let message = "this is no number that fits into 64 bits";
            self.out.diagnostics.push(Diagnostic::new(span, message));
            0
        });
        self.push(TokenKind::Int(value), length);
    }

    fn string(&mut self, quote: char) {
        let rest = self.rest();
        let start = quote.len_utf8();
        let mut text = String::new();
        let mut chars = rest[start..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' | '“' | '”' => {
                    self.push(TokenKind::Str(text), start + at + c.len_utf8());
                    return;
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                '\n' => break,
                _ => text.push(c),
            }
        }
        let line = rest.find('\n').unwrap_or(rest.len());
        let span = Span::new(self.at as u32, (self.at + line) as u32);
        let message = "this string has no end: `\"` is missing in its line";
        self.out.diagnostics.push(Diagnostic::new(span, message));
        self.push(TokenKind::Str(text), line);
    }
}

/// The words and names that begin a part of a text, for recovery.
pub(crate) fn ends_a_block(word: &str) -> bool {
    word.starts_with("end") || ["else", "elsif", "elseif", "case"].contains(&word)
}
