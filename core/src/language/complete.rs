//! Completion of names: what can stand where the caret is.

use super::Document;
use super::symbol::{SymbolId, SymbolKind};
use super::ty::Ty;
use super::words::{ELSEWHERE, OF_CODE, OF_CTL, OF_LTL, OF_MU, STATEMENTS};
use crate::functions::Function;
use crate::syntax::ast::{Item, ItemKind};
use crate::syntax::{Keyword, Punct, Token, TokenKind};
use crate::text::Span;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The completions of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Where the word begins, in bytes; it ends at the caret.
    pub start: usize,
    /// The names, the best one first.
    pub suggestions: Vec<Suggestion>,
}

/// A name that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name.
    pub text: String,
    /// The kind of name.
    pub kind: &'static str,
    /// The declared name, where it is one.
    pub symbol: Option<SymbolId>,
}

impl Document<'_> {
    /// Completes the word before the caret. Without a word names are offered only after a dot, or when one asks for
    /// them.
    pub fn complete(&self, offset: usize, asked: bool) -> Option<Completion> {
        let at = self.clamp(offset);
        let in_comment = |start: u32, end: u32, line: bool| start < at && (at < end || line && at == end);
        if self.lexed.comments.iter().any(|c| in_comment(c.span.start, c.span.end, c.line)) {
            return None;
        }
        let word = self.lexed.tokens.iter().find(|token| {
            matches!(token.kind, TokenKind::Name | TokenKind::Keyword(_) | TokenKind::Int)
                && token.span.start < at
                && at <= token.span.end
        });
        let start = word.map_or(at, |word| word.span.start);
        let before = self
            .lexed
            .tokens
            .partition_point(|token| token.span.end <= start && token.kind != TokenKind::End);
        let prefix = Span::new(start, at).text(self.source);
        let place = Place { document: self, before, start };
        let after_dot = place.previous() == Some(TokenKind::Punct(Punct::Dot));
        let number = prefix.starts_with(|c: char| c.is_ascii_digit());
        if number || place.is_new_name() || (prefix.is_empty() && !after_dot && !asked) {
            return None;
        }
        let suggestions = rank(place.names(), prefix);
        // A word that is a name already is not in need of help: Enter shall end the line.
        let done = !asked && suggestions.iter().any(|name| name.text == prefix);
        (!done && !suggestions.is_empty()).then_some(Completion { start: start as usize, suggestions })
    }
}

/// Those that begin with the prefix, exactly first; each name once.
fn rank(names: Vec<Suggestion>, prefix: &str) -> Vec<Suggestion> {
    let lower = prefix.to_lowercase();
    let loosely = |name: &Suggestion| name.text.to_lowercase().starts_with(&lower);
    let (exactly, loosely): (Vec<_>, Vec<_>) =
        names.into_iter().filter(loosely).partition(|name| name.text.starts_with(prefix));
    let mut known = alloc::collections::BTreeSet::new();
    exactly.into_iter().chain(loosely).filter(|name| known.insert(name.text.clone())).collect()
}

/// The place of the caret.
struct Place<'a> {
    document: &'a Document<'a>,
    /// How many tokens stand before the word.
    before: usize,
    /// Where the word starts.
    start: u32,
}

impl Place<'_> {
    /// A token before the word, counted backwards from 0.
    fn back(&self, count: usize) -> Option<Token> {
        Some(self.document.lexed.tokens[self.before.checked_sub(count + 1)?])
    }

    fn previous(&self) -> Option<TokenKind> {
        self.back(0).map(|token| token.kind)
    }

    fn text(&self, token: Option<Token>) -> &str {
        token.map_or("", |token| token.span.text(self.document.source))
    }

    /// Whether a line begins before the word.
    fn on_new_line(&self) -> bool {
        let end = self.back(0).map_or(0, |token| token.span.end);
        self.before == 0 || Span::new(end, self.start).text(self.document.source).contains('\n')
    }

    /// Whether the word is a name that is declared here.
    fn is_new_name(&self) -> bool {
        use Keyword as K;
        let declares = matches!(
            self.previous(),
            Some(TokenKind::Keyword(
                K::Param
                    | K::Type
                    | K::Shared
                    | K::Process
                    | K::Scalarset
                    | K::Var
                    | K::Action
                    | K::Define
                    | K::Invariant
                    | K::Cover
                    | K::Ltl
                    | K::Ctl
                    | K::Mu
                    | K::Automaton
            ))
        );
        // A word that is read as the name of a binder may still become something else: `forall c` cannot.
        let binds = matches!(self.previous(), Some(TokenKind::Keyword(K::Forall | K::Exists)));
        declares || binds || matches!(self.text(self.back(0)), "let" | "procedure" | "function")
    }

    /// The item that the caret is in, or behind.
    fn item(&self) -> Option<&Item> {
        self.document.parsed.file.items.iter().rfind(|item| item.span.start < self.start)
    }

    /// The family whose braces the caret is in.
    fn own(&self) -> Option<SymbolId> {
        let item = self.item()?;
        let ItemKind::Process(decl) = &item.kind else { return None };
        let open = Span::new(item.span.start, item.span.end).text(self.document.source);
        let closed = open.ends_with('}') && self.start >= item.span.end;
        let symbols = self.document.names.symbols.iter_enumerated();
        { symbols }.find(|(_, s)| !closed && s.place == Some(decl.name.span)).map(|(id, _)| id)
    }

    /// A span with the white space behind it.
    fn reaches(&self, span: Span) -> bool {
        let tokens = &self.document.lexed.tokens;
        let next = tokens.partition_point(|token| token.span.start < span.end);
        let end = tokens.get(next).map_or(span.end, |token| token.span.start);
        // A part that an error has cut off goes on to the next item.
        let items = &self.document.parsed.file.items;
        let item = items.iter().find(|item| item.span.start <= span.start && span.end <= item.span.end);
        let cut = item.is_some_and(|item| item.span.end == span.end);
        let following = items.iter().map(|item| item.span.start).find(|&start| start > span.start);
        let end = if cut { following.unwrap_or(u32::MAX) } else { end };
        span.start < self.start && self.start <= end
    }

    fn symbol(&self, id: SymbolId) -> Suggestion {
        let symbol = &self.document.names.symbols[id];
        Suggestion { text: symbol.name.clone(), kind: symbol.kind.word(), symbol: Some(id) }
    }

    fn of_kinds(&self, fits: impl Fn(SymbolId, SymbolKind) -> bool) -> Vec<Suggestion> {
        let all = self.document.names.symbols.iter_enumerated();
        all.filter(|(id, s)| !s.name.is_empty() && fits(*id, s.kind)).map(|(id, _)| self.symbol(id)).collect()
    }

    fn names(&self) -> Vec<Suggestion> {
        use Keyword as K;
        match self.previous() {
            Some(TokenKind::Punct(Punct::Dot)) => return self.fields(),
            Some(TokenKind::Keyword(K::In)) => return self.domains(),
            Some(TokenKind::Keyword(K::Fairness)) => {
                return self.of_kinds(|_, kind| kind == SymbolKind::Family);
            }
            Some(TokenKind::Keyword(K::Symmetry)) => {
                return words(&["auto", "none", "generators"], "keyword");
            }
            Some(TokenKind::Keyword(K::Deadlock)) => return words(&["free"], "keyword"),
            Some(TokenKind::Punct(Punct::Colon)) if self.in_fairness() => {
                return words(&["weak", "strong", "none"], "keyword");
            }
            _ => {}
        }
        match self.text(self.back(0)) {
            "goto" => {
                return self.of_kinds(|id, kind| kind == SymbolKind::Literal && self.is_label(id));
            }
            "is" => return self.of_kinds(|_, kind| kind == SymbolKind::Family),
            _ if self.is_type() => return self.types(),
            _ => {}
        }
        self.values()
    }

    fn in_fairness(&self) -> bool {
        matches!(self.item().map(|item| &item.kind), Some(ItemKind::Fairness { .. }))
    }

    fn is_label(&self, id: SymbolId) -> bool {
        let own = self.own();
        let at = self.document.names.symbols.iter().find(|s| s.owner == own && s.place.is_none());
        at.is_some_and(|at| matches!(&at.ty, Ty::Enum(labels) if labels.contains(&id)))
    }

    /// The fields of what stands before the dot; all where nothing is known of it.
    fn fields(&self) -> Vec<Suggestion> {
        let names = &self.document.names;
        let dot = self.back(0).map_or(0, |token| token.span.start);
        if self.back(2).map(|token| token.kind) == Some(TokenKind::Keyword(Keyword::Fairness)) {
            let family = self.text(self.back(1));
            let family = names
                .symbols
                .iter_enumerated()
                .find(|(_, s)| s.kind == SymbolKind::Family && s.name == family);
            let family = family.map(|(id, _)| id);
            return self.of_kinds(|id, kind| kind == SymbolKind::Action && names.symbols[id].owner == family);
        }
        let exprs = &self.document.parsed.file.exprs;
        let ends = names.types.iter().filter(|(expr, _)| exprs[**expr].span.end == dot);
        let base = ends.max_by_key(|(expr, _)| exprs[**expr].span.start).map(|(_, ty)| ty.present());
        match base {
            Some(Ty::Process(families, _)) => self.of_kinds(|id, kind| {
                kind == SymbolKind::Variable
                    && names.symbols[id].owner.is_some_and(|own| families.contains(&own))
            }),
            Some(Ty::Record(fields)) => fields.iter().map(|&id| self.symbol(id)).collect(),
            _ => self.of_kinds(|_, kind| matches!(kind, SymbolKind::Variable | SymbolKind::Field)),
        }
    }

    /// The families, types and collections that a name can range over.
    fn domains(&self) -> Vec<Suggestion> {
        let own = self.own();
        self.of_kinds(|id, kind| {
            let symbol = &self.document.names.symbols[id];
            match kind {
                SymbolKind::Family => true,
                SymbolKind::Type => matches!(symbol.ty, Ty::Number | Ty::Process(..)),
                SymbolKind::Shared => matches!(symbol.ty, Ty::Set(_) | Ty::Bag(_)),
                SymbolKind::Variable => matches!(symbol.ty, Ty::Set(_) | Ty::Bag(_)) && symbol.owner == own,
                _ => false,
            }
        })
    }

    /// Whether a type stands here: behind the colon of a declaration, or behind `type NAME =`.
    fn is_type(&self) -> bool {
        let mut colon = false;
        for count in 0..self.before.min(60) {
            let Some(token) = self.back(count) else { return false };
            match token.kind {
                TokenKind::Punct(Punct::Eq) => {
                    return self.back(count + 2).map(|t| t.kind) == Some(TokenKind::Keyword(Keyword::Type));
                }
                TokenKind::Punct(Punct::Colon) => colon = true,
                TokenKind::Keyword(Keyword::Var | Keyword::Shared) => return colon,
                TokenKind::Punct(Punct::EqEq | Punct::Assign | Punct::Arrow | Punct::ParenOpen) => {
                    return false;
                }
                TokenKind::Punct(Punct::BraceOpen) if self.text(self.back(count + 1)) != "record" => {
                    return false;
                }
                TokenKind::Keyword(_) => return false,
                _ => {}
            }
        }
        false
    }

    fn types(&self) -> Vec<Suggestion> {
        let mut found = self.of_kinds(|_, kind| matches!(kind, SymbolKind::Type | SymbolKind::Family));
        found.extend(words(&["bool", "record", "set", "bag", "queue"], "keyword"));
        found.extend(self.of_kinds(|_, kind| kind == SymbolKind::Parameter));
        found
    }

    /// The type of what should stand here, as far as it is known.
    fn expected(&self) -> Option<&Ty> {
        let names = &self.document.names;
        let next = self.document.lexed.tokens.get(self.before).map(|token| token.span.start);
        let from = names.expected.get(&self.start).or_else(|| names.expected.get(&next?))?;
        Some(from.present())
    }

    /// Whether a statement, a member or an item may start here. Nothing need stand between two statements.
    fn at_start(&self, in_block: bool) -> bool {
        use Punct as P;
        match self.previous() {
            None | Some(TokenKind::Punct(P::BraceOpen | P::BraceClose | P::Semicolon)) => true,
            Some(TokenKind::Punct(P::ParenClose | P::BracketClose | P::Question)) => {
                in_block || self.on_new_line()
            }
            Some(TokenKind::Name | TokenKind::Int) => in_block || self.on_new_line(),
            Some(TokenKind::Keyword(keyword)) => {
                use Keyword as K;
                matches!(keyword, K::True | K::False | K::SelfId | K::None | K::Any | K::Bool)
                    && (in_block || self.on_new_line())
            }
            Some(_) => false,
        }
    }

    /// A value, or what else starts here.
    fn values(&self) -> Vec<Suggestion> {
        let document = self.document;
        let symbols = &document.names.symbols;
        let own = self.own();
        let mut found = Vec::new();
        let block = document.names.blocks.iter().filter(|(span, _)| self.reaches(*span));
        let block = block.max_by_key(|(span, _)| span.start).map(|(_, code)| *code);
        let start = self.at_start(block.is_some());
        let label = self.previous() == Some(TokenKind::Punct(Punct::Colon)) && block == Some(true);
        if !start {
            match self.expected() {
                Some(Ty::Enum(literals)) => found.extend(literals.iter().map(|&id| self.symbol(id))),
                Some(Ty::Process(..)) if own.is_some() => found.extend(words(&["self"], "keyword")),
                _ => {}
            }
        }
        let mut bound: Vec<SymbolId> = Vec::new();
        for (id, symbol) in symbols.iter_enumerated() {
            if symbol.kind.is_bound() && symbol.visible.is_some_and(|span| self.reaches(span)) {
                bound.push(id);
            }
        }
        found.extend(bound.into_iter().rev().map(|id| self.symbol(id)));
        found.extend(self.of_kinds(|id, kind| kind == SymbolKind::Variable && symbols[id].owner == own));
        if start || label {
            match block {
                Some(code) => {
                    found.extend(words(STATEMENTS, "statement"));
                    found.extend(words(if code { OF_CODE } else { &["return"] }, "statement"));
                    found.extend(self.of_kinds(|_, kind| kind == SymbolKind::Procedure));
                }
                None if own.is_some() => found.extend(words(&["var", "action"], "keyword")),
                None => {
                    let items = Keyword::ALL.iter().filter(|keyword| keyword.starts_item());
                    found.extend(items.map(|keyword| plain(keyword.text(), "keyword")));
                    found.extend(words(&["init"], "keyword"));
                }
            }
        }
        found.extend(self.of_kinds(|_, kind| {
            use SymbolKind as K;
            matches!(
                kind,
                K::Parameter | K::Type | K::Shared | K::Family | K::Definition | K::Procedure | K::Function
            )
        }));
        found.extend(self.of_kinds(|_, kind| kind == SymbolKind::Literal));
        found.extend(self.temporal());
        found.extend(Function::ALL.map(|function| plain(function.name(), "built in")));
        found.extend(words(ELSEWHERE, "built in"));
        found.extend(Keyword::ALL.iter().map(|keyword| plain(keyword.text(), "keyword")));
        found
    }

    /// The operators of the formula that the caret is in.
    fn temporal(&self) -> Vec<Suggestion> {
        let starts =
            |token: &&Token| matches!(token.kind, TokenKind::Keyword(keyword) if keyword.starts_item());
        let keyword = self.document.lexed.tokens[..self.before].iter().rfind(starts).map(|token| token.kind);
        match keyword {
            Some(TokenKind::Keyword(Keyword::Ltl)) => words(OF_LTL, "temporal"),
            Some(TokenKind::Keyword(Keyword::Ctl)) => words(OF_CTL, "temporal"),
            Some(TokenKind::Keyword(Keyword::Mu)) => words(OF_MU, "temporal"),
            _ => Vec::new(),
        }
    }
}

fn plain(text: &str, kind: &'static str) -> Suggestion {
    Suggestion { text: text.to_string(), kind, symbol: None }
}

fn words(texts: &[&str], kind: &'static str) -> Vec<Suggestion> {
    texts.iter().map(|text| plain(text, kind)).collect()
}
