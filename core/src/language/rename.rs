//! Renaming: every place of a name, or why not.
//!
//! The new text is read like the old one, and compared with it: every name must mean what it meant.

use super::Document;
use super::symbol::{Occurrence, SymbolKind};
use crate::error::{Classified, ErrorKind};
use crate::syntax::{TokenKind, lex};
use crate::text::{LineIndex, Span};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::mem::discriminant;

/// Why a name cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRenamed(pub String);

impl fmt::Display for NotRenamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for NotRenamed {}

impl Classified for NotRenamed {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refusal
    }
}

impl Document<'_> {
    /// The places to replace so that the name at an offset becomes `new`. The result means the same model.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Vec<Span>, NotRenamed> {
        let here = self.renamed(offset)?;
        let old = here.span.text(self.source);
        if !is_word(new) {
            let words = format!("`{new}` is no name: letters, digits and `_`, and no digit first");
            return Err(NotRenamed(words));
        }
        // A word that is reserved only in its place may be a name elsewhere: the comparison below tells.
        if lex(new).tokens[0].kind != TokenKind::Name {
            return Err(NotRenamed(format!("`{new}` is a reserved word")));
        }
        let places = self.references(offset);
        if old == new {
            return Ok(places);
        }
        self.unchanged(&places, old, new)?;
        Ok(places)
    }

    /// Whether the name at an offset can be changed at all: its place, or why not.
    pub fn renamable(&self, offset: usize) -> Result<Span, NotRenamed> {
        self.renamed(offset).map(|here| here.span)
    }

    fn renamed(&self, offset: usize) -> Result<&Occurrence, NotRenamed> {
        let here =
            self.occurrence(offset).ok_or_else(|| NotRenamed("no name of the model stands here".into()))?;
        let symbols = &self.names.symbols;
        let [symbol] = here.symbols.as_slice() else { return Err(self.several(here)) };
        if symbols[*symbol].place.is_none() {
            return Err(NotRenamed(format!(
                "`{}` is a name of the language and cannot be changed",
                symbols[*symbol].name
            )));
        }
        let other =
            self.names.uses.iter().find(|use_| use_.symbols.contains(symbol) && use_.symbols.len() > 1);
        match other {
            Some(use_) => Err(self.several(use_)),
            None => Ok(here),
        }
    }

    fn several(&self, here: &Occurrence) -> NotRenamed {
        let symbols = &self.names.symbols;
        let of: Vec<String> = here
            .symbols
            .iter()
            .map(|&id| match symbols[id].owner {
                Some(owner) => format!("`{}`", symbols[owner].name),
                None => symbols[id].kind.word().to_string(),
            })
            .collect();
        let line = LineIndex::new(self.source).position(here.span.start).line;
        let name = here.span.text(self.source);
        NotRenamed(format!(
            "`{name}` in line {line} stands for several things at once: of {}",
            of.join(" and of ")
        ))
    }

    /// Reads the text with the new name and compares.
    fn unchanged(&self, places: &[Span], old: &str, new: &str) -> Result<(), NotRenamed> {
        let mut text = String::with_capacity(self.source.len());
        let mut at = 0;
        for place in places {
            text.push_str(&self.source[at..place.start as usize]);
            text.push_str(new);
            at = place.end as usize;
        }
        text.push_str(&self.source[at..]);
        let after = Document::new(&text);
        let moved = |span: Span| {
            let shift = |offset: u32| {
                let before = places.partition_point(|place| place.end <= offset) as i64;
                (offset as i64 + before * (new.len() as i64 - old.len() as i64)) as u32
            };
            Span::new(
                shift(span.start),
                if places.contains(&span) { shift(span.start) + new.len() as u32 } else { shift(span.end) },
            )
        };
        let line = |span: Span| LineIndex::new(self.source).position(span.start).line;
        let taken = |span: Span| NotRenamed(format!("`{new}` is declared already: see line {}", line(span)));
        if after.names.clashes.len() > self.names.clashes.len() {
            // Properties have names of their own, and so has each family.
            let space = |use_: &Occurrence| {
                let symbol = &self.names.symbols[use_.symbols[0]];
                (symbol.owner, symbol.kind == SymbolKind::Property)
            };
            let own = self.names.uses.iter().find(|use_| places.contains(&use_.span)).map(space);
            let declares = |use_: &&Occurrence| use_.declares && use_.span.text(self.source) == new;
            let found =
                self.names.uses.iter().filter(declares).rev().max_by_key(|use_| Some(space(use_)) == own);
            let reserved = || NotRenamed(format!("`{new}` cannot be a name here"));
            return Err(found.map_or_else(reserved, |use_| taken(use_.span)));
        }
        let pairs = self.names.uses.iter().zip(&after.names.uses);
        for (was, is) in pairs {
            if moved(was.span) != is.span || was.symbols != is.symbols || was.declares != is.declares {
                return Err(NotRenamed(format!(
                    "the name `{}` in line {} would then mean something else",
                    was.span.text(self.source),
                    line(was.span)
                )));
            }
        }
        let exprs = |document: &Document<'_>| -> Vec<_> {
            document.parsed.file.exprs.iter().map(|expr| discriminant(&expr.kind)).collect()
        };
        let items = |document: &Document<'_>| -> Vec<_> {
            document.parsed.file.items.iter().map(|item| discriminant(&item.kind)).collect()
        };
        let unresolved: Vec<Span> = self.names.unresolved.iter().map(|&span| moved(span)).collect();
        let same = self.names.uses.len() == after.names.uses.len()
            && self.names.symbols.len() == after.names.symbols.len()
            && exprs(self) == exprs(&after)
            && items(self) == items(&after)
            && unresolved == after.names.unresolved
            && self.parsed.diagnostics.len() == after.parsed.diagnostics.len();
        if same { Ok(()) } else { Err(NotRenamed(format!("`{new}` has a meaning of its own in this text"))) }
    }
}

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
