//! The tokens of the format.

use super::error::{HoaError, HoaErrorKind, Span};
use alloc::string::String;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `name:`
    Header(String),
    Identifier(String),
    /// `@name`
    Alias(String),
    Number(u32),
    Text(String),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// `--BODY--`, `--END--` or `--ABORT--`, without the dashes.
    Section(&'static str),
    End,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        start as u32..self.at as u32
    }

    fn error(&self, kind: HoaErrorKind, start: usize) -> HoaError {
        HoaError { kind, span: self.span(start) }
    }

    fn take_word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|&b| is_word(b)).count();
        self.at += length;
        &rest[..length]
    }

    fn skip_space(&mut self) -> Result<(), HoaError> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let start = self.at;
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            // Comments nest.
            let mut open = 0u32;
            loop {
                let rest = self.rest();
                if rest.starts_with("/*") {
                    open += 1;
                    self.at += 2;
                } else if rest.starts_with("*/") {
                    open -= 1;
                    self.at += 2;
                    if open == 0 {
                        break;
                    }
                } else if let Some(c) = rest.chars().next() {
                    self.at += c.len_utf8();
                } else {
                    return Err(self.error(HoaErrorKind::Unclosed("comment"), start));
                }
            }
        }
    }

    pub(super) fn next(&mut self) -> Result<(Token, Span), HoaError> {
        self.skip_space()?;
        let start = self.at;
        let rest = self.rest();
        for (mark, name) in [("--BODY--", "BODY"), ("--END--", "END"), ("--ABORT--", "ABORT")] {
            if rest.starts_with(mark) {
                self.at += mark.len();
                return Ok((Token::Section(name), self.span(start)));
            }
        }
        let Some(c) = rest.chars().next() else { return Ok((Token::End, self.span(start))) };
        let token = match c {
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.at += 1;
                Token::Sign(c)
            }
            '"' => Token::Text(self.text_token(start)?),
            '@' => {
                self.at += 1;
                let name = self.take_word();
                if name.is_empty() {
                    return Err(self.error(HoaErrorKind::Expected("a name after @"), start));
                }
                Token::Alias(name.into())
            }
            '0'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                self.at += digits;
                let number = rest[..digits].parse();
                Token::Number(number.map_err(|_| self.error(HoaErrorKind::NumberTooLarge, start))?)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = String::from(self.take_word());
                if self.rest().starts_with(':') {
                    self.at += 1;
                    Token::Header(word)
                } else {
                    Token::Identifier(word)
                }
            }
            _ => {
                self.at += c.len_utf8();
                return Err(self.error(HoaErrorKind::UnexpectedCharacter(c), start));
            }
        };
        Ok((token, self.span(start)))
    }

    fn text_token(&mut self, start: usize) -> Result<String, HoaError> {
        let mut text = String::new();
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => {
                    text.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.at += i + 1;
                    return Ok(text);
                }
                _ => text.push(c),
            }
        }
        self.at = self.text.len();
        Err(self.error(HoaErrorKind::Unclosed("string"), start))
    }
}
