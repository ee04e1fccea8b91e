//! The facts about the word under the pointer.

use super::Document;
use super::symbol::{SymbolId, SymbolKind};
use super::words::Word;
use crate::ids::IdVec;
use crate::syntax::TokenKind;
use crate::text::Span;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The facts about a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The word.
    pub span: Span,
    /// How it is declared or written, as text of the language.
    pub code: String,
    /// Its kind and type, in a line.
    pub says: String,
    /// The comment above its declaration.
    pub comment: Option<String>,
    /// The declared name, where it is one.
    pub symbol: Option<SymbolId>,
}

/// A declaration is shown up to this many characters.
const SHOWN: usize = 400;

impl Document<'_> {
    /// The facts about the word at an offset.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        if let Some(here) = self.occurrence(offset) {
            let id = here.symbols[0];
            return Some(Hover { span: here.span, symbol: Some(id), ..self.describe(id) });
        }
        let at = self.clamp(offset);
        let token = self.lexed.tokens.iter().find(|token| token.span.start <= at && at <= token.span.end)?;
        if !matches!(token.kind, TokenKind::Name | TokenKind::Keyword(_))
            || self.names.unresolved.binary_search(&token.span).is_ok()
        {
            return None;
        }
        let word = Word::named(token.span.text(self.source))?;
        let (code, says) = (word.form.to_string(), word.says.to_string());
        Some(Hover { span: token.span, code, says, comment: None, symbol: None })
    }

    /// The facts about a declared name.
    pub fn describe(&self, id: SymbolId) -> Hover {
        let symbols: &IdVec<SymbolId, _> = &self.names.symbols;
        let symbol = &symbols[id];
        let kind = match symbol.kind {
            SymbolKind::Bound => "bound name",
            SymbolKind::Let => "named value",
            SymbolKind::Shared => "shared variable",
            SymbolKind::Family => "process family",
            kind => kind.word(),
        };
        let of = symbol.owner.map(|owner| format!(" of `{}`", symbols[owner].name)).unwrap_or_default();
        let ty = match symbol.kind {
            SymbolKind::Family | SymbolKind::Type | SymbolKind::Literal | SymbolKind::Fixpoint => None,
            _ => symbol.ty.words(symbols),
        };
        let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
        Hover {
            span: symbol.place.unwrap_or_default(),
            code: self.declaration(id),
            says: format!("{kind}{of}{ty}"),
            comment: self.comment_above(symbol.whole),
            symbol: Some(id),
        }
    }

    /// The text of a declaration, in one line; of a process only its head.
    fn declaration(&self, id: SymbolId) -> String {
        let symbol = &self.names.symbols[id];
        let text = symbol.whole.text(self.source);
        let text = match symbol.kind {
            SymbolKind::Family | SymbolKind::State => text.split('{').next().unwrap_or_default(),
            SymbolKind::Action => text.split("->").next().unwrap_or_default(),
            SymbolKind::Literal if symbol.place.is_none() => "",
            _ => text,
        };
        let line = in_one_line(text);
        let prefix = if symbol.kind == SymbolKind::Variable && symbol.place.is_some() { "var " } else { "" };
        if line.is_empty() { symbol.name.clone() } else { format!("{prefix}{line}") }
    }

    /// The comments directly above the line in which something starts.
    fn comment_above(&self, whole: Span) -> Option<String> {
        let above = comments_above(self.source, self.lexed.comments.iter().map(|c| c.span), whole);
        let lines = above.into_iter().map(|span| {
            let text = span.text(self.source);
            let text = text.strip_prefix("/*").map_or(text, |text| text.strip_suffix("*/").unwrap_or(text));
            text.trim_start_matches('/').trim()
        });
        let lines: Vec<&str> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// A declaration in one line, cut where it is long.
pub fn in_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Those of a text's comments, in their order, that stand on lines of their own directly above the line in which something starts.
pub fn comments_above(
    source: &str,
    comments: impl DoubleEndedIterator<Item = Span>,
    whole: Span,
) -> Vec<Span> {
    let line_of = |at: u32| source.get(..at as usize).map(|s| s.rfind('\n').map_or(0, |end| end + 1) as u32);
    let Some(line) = line_of(whole.start) else { return Vec::new() };
    let mut top = line;
    let mut above: Vec<Span> = Vec::new();
    for comment in comments.rev().skip_while(|comment| comment.start >= line) {
        let (Some(between), Some(start)) =
            (source.get(comment.end as usize..top as usize), line_of(comment.start))
        else {
            break;
        };
        let alone = source[start as usize..comment.start as usize].trim().is_empty();
        if between.matches('\n').count() > 1 || !between.trim().is_empty() || !alone {
            break;
        }
        above.push(comment);
        top = start;
    }
    above.reverse();
    above
}
