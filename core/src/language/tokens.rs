//! The pieces of a text by their meaning, for whoever colours them.

use super::Document;
use super::symbol::SymbolKind;
use super::words::{OF_CTL, OF_LTL, Word};
use crate::functions::Function;
use crate::sort::Sort as _;
use crate::syntax::{Punct, TokenKind};
use crate::text::Span;
use alloc::vec::Vec;

/// The kinds of pieces of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// A reserved word, or another one where it has its meaning.
    Keyword,
    /// A number.
    Number,
    /// An operator of temporal logic.
    Temporal,
    /// A built-in function.
    Function,
    /// A comment.
    Comment,
    /// A declared name.
    Name(SymbolKind),
    /// Characters that belong to no token.
    Unknown,
}

/// A piece of a text that is more than plain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Painted {
    /// The piece.
    pub span: Span,
    /// Its kind.
    pub paint: Paint,
    /// Whether a name is declared here.
    pub declares: bool,
}

impl Document<'_> {
    /// The pieces of the text in order: all that is no punctuation, no white space and no unknown name.
    pub fn tokens(&self) -> Vec<Painted> {
        let mut found = Vec::with_capacity(self.lexed.tokens.len());
        let mut uses = self.names.uses.iter().peekable();
        let mut formula = false;
        for token in &self.lexed.tokens {
            let span = token.span;
            while uses.next_if(|use_| use_.span.start < span.start).is_some() {}
            let here = uses.peek().filter(|use_| use_.span == span);
            let paint = match token.kind {
                TokenKind::Keyword(keyword) => {
                    if keyword.starts_item() {
                        formula = keyword.is_logic();
                    }
                    Some(Paint::Keyword)
                }
                TokenKind::Int => Some(Paint::Number),
                TokenKind::Unknown => Some(Paint::Unknown),
                TokenKind::Punct(Punct::Box | Punct::Diamond) if formula => Some(Paint::Temporal),
                TokenKind::Name => match here {
                    Some(here) => Some(Paint::Name(self.names.symbols[here.symbols[0]].kind)),
                    None => self.word_paint(span, formula),
                },
                TokenKind::Punct(_) | TokenKind::End => None,
            };
            if let Some(paint) = paint {
                found.push(Painted { span, paint, declares: here.is_some_and(|here| here.declares) });
            }
        }
        let comment = |span| Painted { span, paint: Paint::Comment, declares: false };
        found.extend(self.lexed.comments.iter().map(|trivia| comment(trivia.span)));
        found.arrange_by_key(|painted| painted.span.start);
        found
    }

    /// A name that is none of the model's: a word of the language where the parser has read it as one.
    fn word_paint(&self, span: Span, formula: bool) -> Option<Paint> {
        if self.names.unresolved.binary_search(&span).is_ok() {
            return None;
        }
        let text = span.text(self.source);
        if formula && (OF_LTL.contains(&text) || OF_CTL.contains(&text)) {
            return Some(Paint::Temporal);
        }
        if Function::named(text).is_some() {
            return Some(Paint::Function);
        }
        Word::named(text).map(|_| Paint::Keyword)
    }
}
