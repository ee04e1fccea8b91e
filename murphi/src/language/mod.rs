//! The language service for Murphi: what an editor asks about a text.
//!
//! Everything is a function of the text alone and works while it is being typed. Errors and properties are those of the translation,
//! told at their places in the Murphi text.

mod names;

pub use names::Symbol;

use crate::token::{Comment, Token, TokenKind, WORDS, tokens};
use crate::{Origins, PROPERTY_MARK, Translation, parser, translate};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use names::{Names, Use};
use orbitscope_core::language::{
    Completion, Hover, Outline, Paint, Painted, Suggestion, SymbolKind, comments_above, in_one_line,
};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::ast::ItemKind;
use orbitscope_core::syntax::parse;
use orbitscope_core::text::{Diagnostic, Span};

/// A Murphi text, read once, of which one can ask many things.
///
/// ```
/// use orbitscope_murphi::language::Document;
/// let document = Document::new("var x: boolean; startstate x := false end; rule x := !x end;");
/// let used = document.source().rfind("!x").unwrap() + 1;
/// assert_eq!(document.definition(used)[0].start, 4);
/// assert_eq!(document.references(used).len(), 4);
/// ```
#[derive(Debug)]
pub struct Document<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    names: Names,
}

impl<'a> Document<'a> {
    /// Reads a text.
    pub fn new(source: &'a str) -> Self {
        let lexed = tokens(source);
        let names = names::resolve(&parser::parse(source).model, &lexed.list);
        Document { source, tokens: lexed.list, comments: lexed.comments, names }
    }

    /// The text.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The declared names.
    pub fn symbols(&self) -> &[Symbol] {
        &self.names.symbols
    }

    /// The name that a caret at this offset is in, or directly behind.
    fn occurrence(&self, offset: usize) -> Option<Use> {
        let at = offset as u32;
        let behind = self.names.uses.partition_point(|use_| use_.span.start <= at);
        let found = self.names.uses[behind.checked_sub(1)?];
        (at <= found.span.end).then_some(found)
    }

    /// Where the name at an offset is declared.
    pub fn definition(&self, offset: usize) -> Vec<Span> {
        let here = self.occurrence(offset);
        here.map(|here| self.names.symbols[here.symbol].place).into_iter().collect()
    }

    /// Every place of the name at an offset, that place and the declaration included.
    pub fn references(&self, offset: usize) -> Vec<Span> {
        let Some(here) = self.occurrence(offset) else { return Vec::new() };
        self.names.uses.iter().filter(|use_| use_.symbol == here.symbol).map(|use_| use_.span).collect()
    }

    /// The facts about the name at an offset.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let here = self.occurrence(offset)?;
        Some(Hover { span: here.span, ..self.describe(here.symbol) })
    }

    fn describe(&self, number: usize) -> Hover {
        let symbol = &self.names.symbols[number];
        let (word, says) = match symbol.kind {
            SymbolKind::Parameter => ("const ", "constant"),
            SymbolKind::Family => ("type ", "scalarset: a process family"),
            SymbolKind::Type => ("type ", "type"),
            SymbolKind::Shared => ("var ", "variable"),
            SymbolKind::Variable => ("var ", "local variable"),
            SymbolKind::Procedure => ("procedure ", "procedure"),
            SymbolKind::Function => ("function ", "function"),
            SymbolKind::Bound => ("", "bound name"),
            SymbolKind::Let => ("alias ", "alias"),
            SymbolKind::Action => ("", "rule"),
            kind => ("", kind.word()),
        };
        let of = symbol.owner.as_ref().map(|owner| format!(" of `{owner}`")).unwrap_or_default();
        let whole = symbol.whole.text(self.source);
        // Of a rule the head is enough.
        let shown = match symbol.kind {
            SymbolKind::Action => {
                whole.split("==>").next().unwrap_or_default().lines().next().unwrap_or_default()
            }
            _ => whole,
        };
        // A comment above `const` is about the first constant.
        let before = self.tokens.partition_point(|token| token.span.start < symbol.whole.start);
        let section = before.checked_sub(1).map(|at| &self.tokens[at]);
        let section = section.filter(|token| matches!(token.kind, TokenKind::Word("const" | "type" | "var")));
        let head = section.map_or(symbol.whole, |token| token.span);
        let above = comments_above(self.source, self.comments.iter().map(|c| c.span), head);
        let told = self.comments.iter().filter(|comment| above.contains(&comment.span));
        let lines: Vec<&str> = told.map(|comment| comment.text.as_str()).collect();
        Hover {
            span: symbol.place,
            code: format!("{word}{}", in_one_line(shown)),
            says: format!("{says}{of}"),
            comment: (!lines.is_empty()).then(|| lines.join("\n")),
            symbol: None,
        }
    }

    /// The declared names of the text, in its order: those that are known everywhere, rules and properties, and the fields of types.
    pub fn outline(&self) -> Vec<Outline> {
        let listed = |symbol: &&Symbol| {
            let local = symbol.visible.is_some() || symbol.name.is_empty();
            let titled = matches!(symbol.kind, SymbolKind::Action | SymbolKind::Property);
            titled || !local && !matches!(symbol.kind, SymbolKind::Literal | SymbolKind::Field)
        };
        let entry = |symbol: &Symbol, inside| Outline {
            name: symbol.name.clone(),
            kind: symbol.kind,
            place: symbol.place,
            whole: symbol.whole.to(symbol.place),
            inside,
        };
        let mut found: Vec<Outline> = Vec::new();
        for symbol in self.names.symbols.iter().filter(listed) {
            let fields = self.names.symbols.iter().filter(|field| {
                field.kind == SymbolKind::Field
                    && symbol.whole.start < field.place.start
                    && field.place.end <= symbol.whole.end
            });
            let fields = fields.map(|field| entry(field, Vec::new())).collect();
            found.push(entry(symbol, fields));
        }
        found.sort_by_key(|outline| outline.whole);
        found
    }

    /// Completes the word before the caret: a field behind a dot, else the names that are known there, and the words of the language.
    pub fn complete(&self, offset: usize) -> Option<Completion> {
        let at = offset as u32;
        let inside = |comment: &&Comment| comment.span.start < at && at <= comment.span.end;
        let comment = self.comments.iter().find(inside);
        if comment.is_some_and(|comment| !comment.text.starts_with(PROPERTY_MARK)) {
            return None;
        }
        let before = self.source.get(..offset)?;
        let start = before
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8));
        let prefix = before[start..].to_lowercase();
        if prefix.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let after_dot = before[..start].ends_with('.') && !before[..start].ends_with("..");
        let known = |symbol: &&Symbol| {
            let here = symbol.visible.is_none_or(|span| span.start <= at && at <= span.end);
            let titled = matches!(symbol.kind, SymbolKind::Action | SymbolKind::Property);
            here && !titled && (symbol.kind == SymbolKind::Field) == after_dot && symbol.place.end != at
        };
        // The nearest first.
        let names = self.names.symbols.iter().rev().filter(known);
        let names = names.map(|symbol| (symbol.name.as_str(), symbol.kind.word()));
        let words = WORDS.iter().filter(|_| !after_dot && comment.is_none()).map(|word| (*word, "keyword"));
        let mut seen = BTreeSet::new();
        let all = names.chain(words).filter(|(name, _)| {
            !name.is_empty() && name.to_lowercase().starts_with(&prefix) && seen.insert(name.to_string())
        });
        let offer = |(text, kind): (&str, &'static str)| Suggestion { text: text.into(), kind, symbol: None };
        Some(Completion { start, suggestions: all.map(offer).collect() })
    }

    /// The pieces of the text in order: words, numbers, names and comments.
    pub fn tokens(&self) -> Vec<Painted> {
        let piece = |span, paint, declares| Painted { span, paint, declares };
        let mut found: Vec<Painted> = Vec::new();
        for token in &self.tokens {
            match &token.kind {
                TokenKind::Word(_) => found.push(piece(token.span, Paint::Keyword, false)),
                TokenKind::Int(_) => found.push(piece(token.span, Paint::Number, false)),
                TokenKind::Name(_) => {
                    if let Ok(at) = self.names.uses.binary_search_by_key(&token.span, |use_| use_.span) {
                        let use_ = self.names.uses[at];
                        let kind = self.names.symbols[use_.symbol].kind;
                        found.push(piece(token.span, Paint::Name(kind), use_.declares));
                    }
                }
                TokenKind::Str(_) | TokenKind::Op(_) | TokenKind::End => {}
            }
        }
        found.extend(self.comments.iter().map(|comment| piece(comment.span, Paint::Comment, false)));
        found.sort_by_key(|painted| painted.span);
        found
    }
}

/// The errors of a text, at their places in it.
pub fn problems(text: &str) -> Vec<Diagnostic> {
    let Translation { text, origins, .. } = match translate(text) {
        Ok(translation) => translation,
        Err(diagnostics) => return diagnostics,
    };
    let parsed = parse(&text);
    let found = if parsed.diagnostics.is_empty() {
        build(&parsed.file, &Settings::default()).err().unwrap_or_default()
    } else {
        parsed.diagnostics
    };
    found.iter().map(|diagnostic| origins.diagnostic(diagnostic)).collect()
}

/// The properties of a text without errors, as they are called in the translation, each with its place: the name where it is written,
/// or else the first line.
pub fn properties(text: &str) -> Vec<(String, Span)> {
    let Ok(Translation { text: translated, origins, .. }) = translate(text) else { return Vec::new() };
    let items = parse(&translated).file.items.into_iter().filter_map(|item| match item.kind {
        ItemKind::Property { name, .. } | ItemKind::DeadlockFree(name) | ItemKind::Automaton { name, .. } => {
            let place = place(text, &name.name, &origins, name.span);
            Some((name.name, place)).filter(|(name, _)| !name.is_empty())
        }
        _ => None,
    });
    items.collect()
}

fn place(text: &str, name: &str, origins: &Origins, item: Span) -> Span {
    let whole = origins.origin(item);
    let written = whole.text(text);
    let named = written.match_indices(name).find(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !written[..*at].ends_with(is_part) && !written[at + name.len()..].starts_with(is_part)
    });
    let (from, to) = match named {
        Some((at, _)) => (at, at + name.len()),
        None => (0, written.lines().next().unwrap_or_default().len()),
    };
    Span::new(whole.start + from as u32, whole.start + to as u32)
}
