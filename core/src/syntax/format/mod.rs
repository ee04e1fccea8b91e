//! The formatter: the same tokens and comments with other white space.
//!
//! It never prints the tree, so it cannot change a model or lose a comment; the tree only says which minus is a sign and
//! which parenthesis belongs to a call. The author's line breaks stay, as in `gofmt`; what is decided here is where one
//! must be added, how far a line is indented and where a space stands. Every decision depends on the tokens and on the
//! line breaks that the result has, so that formatting twice changes nothing more.

mod layout;
mod print;
mod roles;
mod statements;

use super::lexer::lex;
use super::parser::{Parsed, parse};
use super::token::{Keyword, Punct, TokenKind};
use crate::text::Diagnostic;
use alloc::string::String;
use alloc::vec::Vec;
use roles::{Place, Role, roles};

/// The text in standard form, or what is wrong with it: a text with errors is left alone.
///
/// ```
/// use orbitscope_core::syntax::format;
/// let text = "process p{var x:0..3=0 action go :x<3->x:=x+1}";
/// let formatted = "process p {\n  var x: 0..3 = 0\n  action go: x < 3 -> x := x + 1\n}\n";
/// assert_eq!(format(text).as_deref(), Ok(formatted));
/// assert!(format("process {").is_err());
/// ```
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let Parsed { file, diagnostics } = parse(source);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let lexed = lex(source);
    let roles = roles(&file, &lexed.tokens);
    let mut pieces = Vec::with_capacity(lexed.tokens.len() + lexed.comments.len());
    let mut comments = lexed.comments.iter().peekable();
    let mut end = 0;
    let mut add = |start: u32, stop: u32, kind: PieceKind, place: Place, role: Role| {
        let newlines = source[end as usize..start as usize].bytes().filter(|&b| b == b'\n').take(2).count();
        let text = &source[start as usize..stop as usize];
        pieces.push(Piece { text, start, kind, place, role, breaks: newlines as u8, padding: 0 });
        end = stop;
    };
    for (token, &(place, role)) in lexed.tokens.iter().zip(&roles) {
        while let Some(comment) = comments.next_if(|c| c.span.start < token.span.start) {
            let kind = if comment.line { PieceKind::LineComment } else { PieceKind::BlockComment };
            add(comment.span.start, comment.span.end, kind, place.of_comment(), Role::Plain);
        }
        if token.kind != TokenKind::End {
            add(token.span.start, token.span.end, PieceKind::Token(token.kind), place, role);
        }
    }
    layout::lay_out(&mut pieces);
    Ok(print::print(&pieces))
}

/// A token or comment on its way to the result.
struct Piece<'a> {
    text: &'a str,
    /// Where it starts in the source.
    start: u32,
    kind: PieceKind,
    place: Place,
    role: Role,
    /// Line breaks before it: none, one, or two for a blank line.
    breaks: u8,
    /// Spaces before it beyond the usual one.
    padding: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Token(TokenKind),
    LineComment,
    BlockComment,
}

impl Piece<'_> {
    fn is_comment(&self) -> bool {
        self.kind == PieceKind::LineComment || self.kind == PieceKind::BlockComment
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind == PieceKind::Token(TokenKind::Punct(punct))
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind == PieceKind::Token(TokenKind::Keyword(keyword))
    }

    fn opens_block(&self) -> bool {
        matches!(self.place, Place::Open(_))
    }

    fn closes_block(&self) -> bool {
        matches!(self.place, Place::Close(_))
    }

    /// `(`, `[` or the `{` of an enumeration.
    fn opens_bracket(&self) -> bool {
        self.is(Punct::ParenOpen)
            || self.is(Punct::BracketOpen)
            || (self.is(Punct::BraceOpen) && !self.opens_block())
    }

    fn closes_bracket(&self) -> bool {
        self.is(Punct::ParenClose)
            || self.is(Punct::BracketClose)
            || (self.is(Punct::BraceClose) && !self.closes_block())
    }
}
