//! The lexer: text to tokens and comments.

use super::token::{Keyword, Lexed, Punct, Token, TokenKind, Trivia};
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::vec::Vec;

/// Cuts a text into tokens. Every byte of it is in a token, a comment, white space or a diagnostic.
pub fn lex(source: &str) -> Lexed {
    let mut lexer =
        Lexer { source, at: 0, tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new() };
    if u32::try_from(source.len()).is_err() {
        lexer.diagnostics.push(Diagnostic::new(Span::default(), "the text is longer than 4 GiB"));
        lexer.source = "";
    }
    lexer.run();
    Lexed { tokens: lexer.tokens, comments: lexer.comments, diagnostics: lexer.diagnostics }
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token>,
    comments: Vec<Trivia>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(first) = self.source[self.at..].chars().next() {
            if first.is_whitespace() || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if !self.comment() {
                self.token(first);
            }
        }
        let end = self.source.len() as u32;
        self.tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    }

    fn take(&mut self, length: usize) -> Span {
        let start = self.at as u32;
        self.at += length;
        Span::new(start, self.at as u32)
    }

    fn comment(&mut self) -> bool {
        let rest = &self.source[self.at..];
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let span = self.take(rest[..length].trim_end().len());
            self.comments.push(Trivia { span, line: true });
        } else if let Some(body) = rest.strip_prefix("/*") {
            if let Some(length) = body.find("*/") {
                let span = self.take(length + 4);
                self.comments.push(Trivia { span, line: false });
            } else {
                let span = self.take(2);
                self.diagnostics.push(Diagnostic::new(span, "this comment has no end; `*/` ends it"));
                self.at = self.source.len();
            }
        } else {
            return false;
        }
        true
    }

    fn token(&mut self, first: char) {
        let rest = &self.source[self.at..];
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (kind, length) = if first.is_ascii_digit() {
            // `1..3` is a range: digits end before the dots. A letter right behind a number is a slip.
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits < word {
                let span = self.take(word);
                let text = span.text(self.source);
                let message =
                    format!("`{text}` is neither a number nor a name: a name does not start with a digit");
                self.diagnostics.push(Diagnostic::new(span, message));
                self.tokens.push(Token { kind: TokenKind::Name, span });
                return;
            }
            (TokenKind::Int, digits)
        } else if first.is_ascii_alphabetic() || first == '_' {
            (Keyword::from_text(&rest[..word]).map_or(TokenKind::Name, TokenKind::Keyword), word)
        } else if let Some(punct) = Punct::ALL.iter().find(|p| rest.starts_with(p.text())) {
            (TokenKind::Punct(*punct), punct.text().len())
        } else {
            self.unknown(first);
            return;
        };
        let span = self.take(length);
        self.tokens.push(Token { kind, span });
    }

    fn unknown(&mut self, first: char) {
        let rest = &self.source[self.at..];
        // One message for a run of strange characters, not one for each.
        let length = rest
            .find(|c: char| {
                c.is_whitespace() || c.is_ascii_alphanumeric() || (c.is_ascii_punctuation() && c != first)
            })
            .unwrap_or(rest.len());
        let span = self.take(length.max(first.len_utf8()));
        let message = match first {
            '&' => "`&` is no operator; write `and` or `&&`".into(),
            '|' => "`|` is no operator; write `or` or `||`".into(),
            '∧' | '∨' | '¬' => format!("`{first}` is not known here; write `and`, `or` or `not`"),
            ';' => "`;` is not used: items start with a keyword, assignments are separated by `,`".into(),
            '"' | '\'' => {
                "there are no strings in the language; an enumeration's literals are plain names".into()
            }
            c if c.is_control() => format!("a control character (U+{:04X}) stands here", c as u32),
            c => format!("the character `{c}` is not part of the language"),
        };
        self.diagnostics.push(Diagnostic::new(span, message));
    }
}
