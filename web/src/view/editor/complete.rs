//! Completion of names: what can stand where the caret is.

use super::{TEMPORAL, declares};
use orbitscope_core::functions::Function;
use orbitscope_core::syntax::ast::{File, Item, ItemKind, ProcessDecl, TypeExpr};
use orbitscope_core::syntax::{Keyword, Lexed, Punct, Token, TokenKind, lex, parse};

/// The most names that are offered.
const OFFERED: usize = 10;

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
}

/// Words of the language that are no reserved words, besides its functions.
const WORDS: [&str; 5] = ["ring", "weak", "strong", "auto", "free"];

/// Completes the word before the caret. Without a word names are offered only after a dot, or when one asks for them.
pub fn complete(source: &str, offset: usize, asked: bool) -> Option<Completion> {
    let lexed = lex(source);
    let at = offset as u32;
    let in_comment = |start: u32, end: u32, line: bool| start < at && (at < end || line && at == end);
    if lexed.comments.iter().any(|c| in_comment(c.span.start, c.span.end, c.line)) {
        return None;
    }
    let word = lexed.tokens.iter().position(|token| {
        matches!(token.kind, TokenKind::Name | TokenKind::Keyword(_) | TokenKind::Int)
            && token.span.start < at
            && at <= token.span.end
    });
    let start = word.map_or(offset, |word| lexed.tokens[word].span.start as usize);
    let stands_before = |token: &&Token| token.span.end as usize <= start && token.kind != TokenKind::End;
    let before = lexed.tokens.iter().take_while(stands_before).count();
    let previous = before.checked_sub(1).map(|index| lexed.tokens[index].kind);
    let after_dot = previous == Some(TokenKind::Punct(Punct::Dot));
    let prefix = &source[start..offset];
    let new_name = previous.is_some_and(declares);
    let number = prefix.starts_with(|c: char| c.is_ascii_digit());
    if number || new_name || (prefix.is_empty() && !after_dot && !asked) {
        return None;
    }
    let file = parse(source).file;
    let scope = Scope { source, lexed: &lexed, before, file: &file, offset: start };
    let names = if after_dot { scope.fields() } else { scope.names() };
    let suggestions = rank(names, prefix);
    // A word that is a name already is not in need of help: Enter shall end the line.
    let done = !asked && suggestions.iter().any(|name| name.text == prefix);
    (!done && !suggestions.is_empty()).then_some(Completion { start, suggestions })
}

/// Those that begin with the prefix, exactly first; each name once.
fn rank(names: Vec<Suggestion>, prefix: &str) -> Vec<Suggestion> {
    let lower = prefix.to_lowercase();
    let loosely = |name: &Suggestion| name.text.to_lowercase().starts_with(&lower);
    let (exactly, loosely): (Vec<_>, Vec<_>) =
        names.into_iter().filter(loosely).partition(|name| name.text.starts_with(prefix));
    let mut ranked: Vec<Suggestion> = Vec::new();
    for name in exactly.into_iter().chain(loosely) {
        if ranked.len() < OFFERED && ranked.iter().all(|known| known.text != name.text) {
            ranked.push(name);
        }
    }
    ranked
}

/// The names known at the caret.
struct Scope<'a> {
    source: &'a str,
    lexed: &'a Lexed,
    /// How many tokens stand before the word.
    before: usize,
    file: &'a File,
    offset: usize,
}

impl<'a> Scope<'a> {
    fn text(&self, token: usize) -> &'a str {
        self.lexed.tokens[token].span.text(self.source)
    }

    fn processes(&self) -> impl Iterator<Item = &'a ProcessDecl> {
        self.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Process(decl) => Some(decl),
            _ => None,
        })
    }

    /// The item that the caret is in or behind.
    fn item(&self) -> Option<&'a Item> {
        self.file.items.iter().rfind(|item| (item.span.start as usize) < self.offset)
    }

    /// The process that the caret is in.
    fn own(&self) -> Option<&'a ProcessDecl> {
        let item = self.item()?;
        match &item.kind {
            ItemKind::Process(decl) if self.offset <= item.span.end as usize => Some(decl),
            _ => None,
        }
    }

    /// The tokens of this item before the caret.
    fn item_tokens(&self) -> std::ops::Range<usize> {
        let starts = |token: &usize| matches!(self.lexed.tokens[*token].kind, TokenKind::Keyword(keyword) if keyword.starts_item());
        (0..self.before).rfind(starts).unwrap_or(0)..self.before
    }

    /// The names that are bound by `name in …` in this item, the last one first, each with what follows.
    fn bound(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.item_tokens().rev().filter_map(|token| {
            let kinds = (self.lexed.tokens[token].kind, self.lexed.tokens.get(token + 1)?.kind);
            let domain = self.lexed.tokens.get(token + 2)?.span.text(self.source);
            (kinds == (TokenKind::Name, TokenKind::Keyword(Keyword::In))).then(|| (self.text(token), domain))
        })
    }

    /// The variables of the process before the dot; of all where it is not known which family it is of.
    fn fields(&self) -> Vec<Suggestion> {
        let family = self.before.checked_sub(2).and_then(|token| match self.lexed.tokens[token].kind {
            TokenKind::Name => {
                let name = self.text(token);
                self.bound().find(|(bound, _)| *bound == name).map(|(_, domain)| domain).or(Some(name))
            }
            TokenKind::Keyword(Keyword::SelfId) => self.own().map(|own| own.name.name.as_str()),
            TokenKind::Punct(Punct::BracketClose) => {
                let open = (0..token)
                    .rfind(|&t| self.lexed.tokens[t].kind == TokenKind::Punct(Punct::BracketOpen))?;
                open.checked_sub(1).map(|name| self.text(name))
            }
            _ => None,
        });
        let known = self.processes().find(|decl| Some(decl.name.name.as_str()) == family);
        let of = |decl: &'a ProcessDecl| decl.vars.iter().map(|var| suggestion(&var.name.name, "variable"));
        match known {
            Some(decl) => of(decl).collect(),
            None => self.processes().flat_map(of).collect(),
        }
    }

    fn names(&self) -> Vec<Suggestion> {
        let mut names: Vec<Suggestion> =
            self.bound().map(|(name, _)| suggestion(name, "bound here")).collect();
        if let Some(own) = self.own() {
            names.extend(own.vars.iter().map(|var| suggestion(&var.name.name, "variable")));
        }
        for item in &self.file.items {
            match &item.kind {
                ItemKind::Param { name, .. } => names.push(suggestion(&name.name, "parameter")),
                ItemKind::Type { name, ty } => {
                    names.push(suggestion(&name.name, "type"));
                    names.extend(literals(ty).map(|literal| suggestion(literal, "literal")));
                }
                ItemKind::Shared(var) => names.push(suggestion(&var.name.name, "shared")),
                ItemKind::Process(decl) => names.push(suggestion(&decl.name.name, "process")),
                ItemKind::Define { name, .. } => names.push(suggestion(&name.name, "definition")),
                _ => {}
            }
        }
        let shared = self.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Shared(var) => Some(var),
            _ => None,
        });
        let vars = shared.chain(self.processes().flat_map(|decl| &decl.vars));
        names.extend(vars.flat_map(|var| literals(&var.ty)).map(|literal| suggestion(literal, "literal")));
        let logic = self.item_tokens().next().map(|token| self.lexed.tokens[token].kind);
        if let Some(TokenKind::Keyword(Keyword::Ltl | Keyword::Ctl)) = logic {
            names.extend(TEMPORAL.iter().map(|name| suggestion(name, "temporal")));
        }
        names.extend(Function::ALL.map(|function| suggestion(function.name(), "built in")));
        names.extend(WORDS.map(|name| suggestion(name, "built in")));
        names.extend(Keyword::ALL.iter().map(|keyword| suggestion(keyword.text(), "keyword")));
        names
    }
}

fn literals(ty: &TypeExpr) -> impl Iterator<Item = &str> {
    let names = match ty {
        TypeExpr::Enum(names, _) => names.as_slice(),
        _ => &[],
    };
    names.iter().map(|name| name.name.as_str())
}

fn suggestion(text: &str, kind: &'static str) -> Suggestion {
    Suggestion { text: text.into(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::models;

    const MODEL: &str = "param clients = 3\nshared turn: {left, right} = left\nprocess server { var busy: bool = false }\n\
        process client[clients] {\n  var st: {I, R} = I\n  var slot: 0..3 = 0\n  action go: st == I -> st := R\n}\n";

    /// The names that are offered at the `|` in a text after the model.
    fn offered(text: &str) -> Vec<String> {
        let source = format!("{MODEL}{}", text.replace('|', ""));
        let offset = MODEL.len() + text.find('|').unwrap();
        let names = complete(&source, offset, false).map_or_else(Vec::new, |found| found.suggestions);
        names.into_iter().map(|name| name.text).collect()
    }

    #[test]
    fn fields_are_those_of_the_family() {
        assert_eq!(offered("ltl a: forall c in client: G c.|"), ["st", "slot"]);
        assert_eq!(offered("ltl a: forall c in client: G c.sl|"), ["slot"]);
        assert_eq!(offered("invariant a: client[0].|"), ["st", "slot"]);
        assert_eq!(offered("invariant a: server.|"), ["busy"]);
        assert_eq!(offered("invariant a: unknown.|"), ["busy", "st", "slot"]);
    }

    #[test]
    fn names_are_offered_by_what_is_typed() {
        assert_eq!(offered("invariant a: cl|"), ["clients", "client"]);
        assert!(offered("invariant a: forall cc in client: c|").starts_with(&["cc".into()]));
        assert_eq!(offered("invariant a: tur|"), ["turn"]);
        assert_eq!(offered("invariant a: lef|"), ["left"]);
        assert_eq!(offered("inv|"), ["invariant"]);
        assert_eq!(offered("ltl a: alw|"), ["always"]);
        assert_eq!(offered("invariant a: alw|"), [""; 0]);
        assert_eq!(offered("invariant a: TUR|"), ["turn"], "whatever the case");
    }

    #[test]
    fn nothing_is_offered_where_nothing_helps() {
        for text in [
            "// cl|",
            "/* cl| */",
            "param cl|",
            "ltl c|",
            "invariant a: 3|",
            "invariant a: |",
            "invariant a: turn|",
        ] {
            assert_eq!(offered(text), [""; 0], "{text}");
        }
        let asked = complete(MODEL, MODEL.len(), true).unwrap();
        assert_eq!((asked.start, asked.suggestions.len()), (MODEL.len(), OFFERED));
    }

    /// At every place of every model something sensible happens.
    #[test]
    fn no_place_is_too_strange() {
        for model in models::ALL {
            for (offset, _) in model.source.char_indices().step_by(5) {
                let cut = &model.source[..offset];
                for text in [model.source, cut] {
                    if let Some(found) = complete(text, offset, false) {
                        assert!(found.start <= offset && !found.suggestions.is_empty());
                    }
                }
            }
        }
    }
}
