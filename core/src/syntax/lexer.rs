//! The lexer: text to tokens and comments.

use super::token::{Keyword, Lexed, Punct, Token, TokenKind, Trivia};
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::string::String;
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
        self.contextual();
    }

    /// Some words are names wherever they always were: `mu` starts a property where a name and a colon follow it, `type` an
    /// item where a name and `=` follow, `scalarset` one where a name and `[` do.
    fn contextual(&mut self) {
        for i in 2..self.tokens.len() {
            let [first, name, mark] = [self.tokens[i - 2], self.tokens[i - 1], self.tokens[i]];
            if first.kind != TokenKind::Name || name.kind != TokenKind::Name {
                continue;
            }
            let keyword = match (first.span.text(self.source), mark.kind) {
                ("mu", TokenKind::Punct(Punct::Colon)) => Keyword::Mu,
                ("type", TokenKind::Punct(Punct::Eq)) => Keyword::Type,
                ("scalarset", TokenKind::Punct(Punct::BracketOpen)) => Keyword::Scalarset,
                _ => continue,
            };
            self.tokens[i - 2].kind = TokenKind::Keyword(keyword);
        }
        self.item_words();
    }

    /// `cover`, `deadlock` and `assume` start an item outside of all braces where nothing came before, or something that ends
    /// an operand: no operand follows another one there, so the word is no name.
    fn item_words(&mut self) {
        let mut braces = 0u32;
        for i in 0..self.tokens.len() {
            match self.tokens[i].kind {
                TokenKind::Punct(Punct::BraceOpen) => braces += 1,
                TokenKind::Punct(Punct::BraceClose) => braces = braces.saturating_sub(1),
                TokenKind::Name if braces == 0 && i.checked_sub(1).is_none_or(|b| self.ends_operand(b)) => {
                    let next = self.tokens.get(i + 1).map(|token| token.kind);
                    let named = next == Some(TokenKind::Name);
                    let keyword = match self.tokens[i].span.text(self.source) {
                        "cover" if named || next == Some(TokenKind::Punct(Punct::Colon)) => Keyword::Cover,
                        "deadlock" if named => Keyword::Deadlock,
                        "assume" => Keyword::Assume,
                        _ => continue,
                    };
                    self.tokens[i].kind = TokenKind::Keyword(keyword);
                }
                _ => {}
            }
        }
    }

    fn ends_operand(&self, token: usize) -> bool {
        use Keyword as K;
        match self.tokens[token].kind {
            TokenKind::Name | TokenKind::Int => true,
            TokenKind::Keyword(keyword) => {
                matches!(keyword, K::True | K::False | K::SelfId | K::None | K::Any | K::Bool)
            }
            TokenKind::Punct(punct) => {
                use Punct as P;
                matches!(punct, P::ParenClose | P::BracketClose | P::BraceClose | P::Question)
            }
            TokenKind::Unknown | TokenKind::End => false,
        }
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
                self.error(2, "this comment has no end; `*/` ends it");
                self.at = self.source.len();
            }
        } else {
            return false;
        }
        true
    }

    fn token(&mut self, first: char) {
        let rest = &self.source[self.at..];
        let (kind, length) = if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (self.word(length), length)
        } else if let Some(punct) = Punct::ALL.iter().find(|p| rest.starts_with(p.text()))
            && !rest.starts_with("/\\")
        {
            (TokenKind::Punct(*punct), punct.text().len())
        } else if let Some(foreign) = FOREIGN.iter().find(|f| rest.starts_with(f.text)) {
            let message = format!("`{}` is no operator; write {}", foreign.text, foreign.instead);
            self.error(foreign.text.len(), message);
            (foreign.kind, foreign.text.len())
        } else {
            (TokenKind::Unknown, self.unknown(first))
        };
        let span = self.take(length);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, length: usize, message: impl Into<String>) {
        let start = self.at as u32;
        self.diagnostics.push(Diagnostic::new(Span::new(start, start + length as u32), message));
    }

    /// A run of letters and digits. What is no name is taken for one after the message, so that it is the only one.
    fn word(&mut self, length: usize) -> TokenKind {
        let word = &self.source[self.at..self.at + length];
        if word.bytes().all(|b| b.is_ascii_digit()) {
            return TokenKind::Int;
        }
        if let Some(keyword) = Keyword::from_text(word).filter(|k| !k.is_contextual()) {
            return TokenKind::Keyword(keyword);
        }
        if !word.is_ascii() {
            self.error(length, format!("`{word}` is no name: a name is made of A-Z, a-z, 0-9 and `_`"));
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            let message =
                format!("`{word}` is neither a number nor a name: a name does not start with a digit");
            self.error(length, message);
        }
        TokenKind::Name
    }

    /// Says what is wrong with characters that start no token, and how many bytes the message is about.
    fn unknown(&mut self, first: char) -> usize {
        let rest = &self.source[self.at..];
        if let '"' | '\'' = first {
            // A closed string is one slip, not two quotes and a name.
            let line = rest[1..].split('\n').next().unwrap_or_default();
            let length = line.find(first).map_or(1, |end| end + 2);
            self.error(
                length,
                "there are no strings in the language; an enumeration's literals are plain names",
            );
            return length;
        }
        let message = match first {
            '#' => "`#` is not part of the language; a comment starts with `//`".into(),
            c if c.is_control() => format!("a control character (U+{:04X}) stands here", c as u32),
            c => format!("the character `{c}` is not part of the language"),
        };
        // One message for a run of strange characters, not one for each.
        let length = rest
            .find(|c: char| {
                c.is_whitespace() || c.is_alphanumeric() || (c.is_ascii_punctuation() && c != first)
            })
            .unwrap_or(rest.len());
        self.error(length, message);
        length
    }
}

/// An operator of other languages: named, and then read as what was meant.
struct Foreign {
    text: &'static str,
    kind: TokenKind,
    instead: &'static str,
}

const fn foreign(text: &'static str, kind: TokenKind, instead: &'static str) -> Foreign {
    Foreign { text, kind, instead }
}

/// Signs that users of Promela, TLA+ and mathematics may write.
const FOREIGN: &[Foreign] = &[
    foreign("/\\", TokenKind::Punct(Punct::AndAnd), "`and` or `&&`"),
    foreign("\\/", TokenKind::Punct(Punct::OrOr), "`or` or `||`"),
    foreign("&", TokenKind::Punct(Punct::AndAnd), "`and` or `&&`"),
    foreign("∧", TokenKind::Punct(Punct::AndAnd), "`and` or `&&`"),
    foreign("∨", TokenKind::Punct(Punct::OrOr), "`or` or `||`"),
    foreign("¬", TokenKind::Punct(Punct::Bang), "`not` or `!`"),
    foreign("~", TokenKind::Punct(Punct::Bang), "`not` or `!`"),
    foreign("≠", TokenKind::Punct(Punct::NotEq), "`!=`"),
    foreign("≤", TokenKind::Punct(Punct::LessEq), "`<=`"),
    foreign("≥", TokenKind::Punct(Punct::GreaterEq), "`>=`"),
    foreign("→", TokenKind::Punct(Punct::Arrow), "`->`"),
    foreign("⇒", TokenKind::Punct(Punct::Implies), "`=>`"),
    foreign("⇔", TokenKind::Punct(Punct::Iff), "`<=>`"),
    foreign("∀", TokenKind::Keyword(Keyword::Forall), "`forall`"),
    foreign("∃", TokenKind::Keyword(Keyword::Exists), "`exists`"),
    foreign("−", TokenKind::Punct(Punct::Minus), "`-`"),
];
