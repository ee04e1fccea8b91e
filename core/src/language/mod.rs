//! The language service: what an editor asks about a text.
//!
//! Everything is a function of the text alone and works while it is being typed: what the parser could not read is left
//! out, and the rest is answered. The page's editor and the language server of the command line ask the same [`Document`].
//!
//! # Invariants
//!
//! No offset is out of place: one behind the end is the end, one inside a character is its start. References are symmetric.
//! [`Document::rename`] gives a text in which every name means what it meant before, or says why it cannot.

mod complete;
mod hover;
mod outline;
mod rename;
mod resolve;
mod symbol;
mod tokens;
mod ty;
mod words;

pub use complete::{Completion, Suggestion};
pub use hover::{Hover, comments_above, in_one_line};
pub use outline::Outline;
pub use rename::NotRenamed;
pub use symbol::{Occurrence, Symbol, SymbolId, SymbolKind};
pub use tokens::{Paint, Painted};
pub use words::{WORDS, Word};

use crate::ids::IdVec;
use crate::syntax::ast::File;
use crate::syntax::{Lexed, Parsed, Punct, TokenKind, lex, parse};
use crate::text::{Diagnostic, Span};
use alloc::vec::Vec;

/// A text, read once, of which one can ask many things.
///
/// ```
/// use orbitscope_core::language::Document;
/// let document = Document::new("param n = 3\nprocess p[n] { var x: 0..n = 0 action go: x < n -> x := x + 1 }");
/// let used = document.source().find("[n]").unwrap() + 1;
/// assert_eq!(document.definition(used)[0].start, 6);
/// assert_eq!(document.references(used).len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: &'a str,
    lexed: Lexed,
    parsed: Parsed,
    names: resolve::Names,
}

impl<'a> Document<'a> {
    /// Reads a text.
    pub fn new(source: &'a str) -> Self {
        let (lexed, parsed) = (lex(source), parse(source));
        let names = resolve::resolve(&parsed.file, &lexed.tokens);
        Document { source, lexed, parsed, names }
    }

    /// The text.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The tree of the text.
    pub fn file(&self) -> &File {
        &self.parsed.file
    }

    /// Errors of syntax.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.parsed.diagnostics
    }

    /// The declared names.
    pub fn symbols(&self) -> &IdVec<SymbolId, Symbol> {
        &self.names.symbols
    }

    /// Every place where a declared name stands, in the order of the text.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.names.uses
    }

    /// Names that mean nothing.
    pub fn unresolved(&self) -> &[Span] {
        &self.names.unresolved
    }

    /// The name that a caret at this offset is in, or directly behind.
    pub fn occurrence(&self, offset: usize) -> Option<&Occurrence> {
        let at = self.clamp(offset);
        let behind = self.names.uses.partition_point(|use_| use_.span.start <= at);
        let found = &self.names.uses[behind.checked_sub(1)?];
        (at <= found.span.end).then_some(found)
    }

    /// Where the name at an offset is declared: the literals of several enumerations, and a name that means several things,
    /// have several places.
    pub fn definition(&self, offset: usize) -> Vec<Span> {
        let Some(here) = self.occurrence(offset) else { return Vec::new() };
        let declares = |use_: &&Occurrence| use_.declares && shares(use_, here);
        self.names.uses.iter().filter(declares).map(|use_| use_.span).collect()
    }

    /// Every place of the name at an offset, that place and the declaration included.
    pub fn references(&self, offset: usize) -> Vec<Span> {
        let Some(here) = self.occurrence(offset) else { return Vec::new() };
        self.names.uses.iter().filter(|use_| shares(use_, here)).map(|use_| use_.span).collect()
    }

    /// The bracket at a caret, before or behind it, and the one that it belongs to.
    pub fn brackets(&self, offset: usize) -> Option<(Span, Span)> {
        let at = self.clamp(offset);
        let mut open: Vec<(Punct, Span)> = Vec::new();
        for token in &self.lexed.tokens {
            let TokenKind::Punct(punct) = token.kind else { continue };
            let opens = match punct {
                Punct::ParenOpen | Punct::BraceOpen | Punct::BracketOpen => {
                    open.push((punct, token.span));
                    continue;
                }
                Punct::ParenClose => Punct::ParenOpen,
                Punct::BraceClose => Punct::BraceOpen,
                Punct::BracketClose => Punct::BracketOpen,
                _ => continue,
            };
            // A bracket that was opened inside and not closed belongs to nothing.
            if let Some(depth) = open.iter().rposition(|(punct, _)| *punct == opens) {
                let (_, start) = open[depth];
                open.truncate(depth);
                let touches = |span: Span| span.start <= at && at <= span.end;
                if touches(start) || touches(token.span) {
                    return Some((start, token.span));
                }
            }
        }
        None
    }

    /// An offset of the text.
    fn clamp(&self, offset: usize) -> u32 {
        let mut at = offset.min(self.source.len());
        while !self.source.is_char_boundary(at) {
            at -= 1;
        }
        at as u32
    }
}

fn shares(a: &Occurrence, b: &Occurrence) -> bool {
    a.symbols.iter().any(|id| b.symbols.contains(id))
}
