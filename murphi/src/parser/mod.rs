//! From tokens to the tree. The parser never fails: it reports what it cannot read and goes on behind it.

mod expr;
mod stmt;

pub(crate) use expr::children;

use crate::token::{Comment, Token, TokenKind, ends_a_block, tokens};
use crate::tree::{Body, Decl, Field, Model, Name, Routine, Rule, RuleKind, Type, TypeKind};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use orbitscope_core::limits::MAX_DIAGNOSTICS;
use orbitscope_core::text::{Diagnostic, Span};

/// A tree, what was wrong, and the comments of the text.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub model: Model,
    pub diagnostics: Vec<Diagnostic>,
    pub comments: Vec<Comment>,
}

/// Rules, statements and types nest at most this deep.
const MAX_NESTING: u32 = 50;

/// Reads a text.
pub(crate) fn parse(text: &str) -> Parsed {
    let found = tokens(text);
    let (tokens, diagnostics) = (found.list, found.diagnostics);
    let mut parser = Parser { text, tokens, at: 0, diagnostics, nesting: 0 };
    let model = parser.model();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|d| d.span);
    diagnostics.dedup_by_key(|d| d.span.start);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    Parsed { model, diagnostics, comments: found.comments }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    diagnostics: Vec<Diagnostic>,
    nesting: u32,
}

/// Text that could not be read; it has been reported.
struct Lost;
type Read<T> = Result<T, Lost>;

impl Parser<'_> {
    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    /// The kind of the token behind this one; the text ends again behind its end.
    fn next_kind(&self) -> &TokenKind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the last token that was read ends.
    fn before(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].span.end)
    }

    fn since(&self, start: u32) -> Span {
        Span::new(start, self.before().max(start))
    }

    fn step(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Word(w) if *w == word)
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.kind(), TokenKind::Op(o) if *o == op)
    }

    fn word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.step();
        }
        is
    }

    fn op(&mut self, op: &str) -> bool {
        let is = self.is_op(op);
        if is {
            self.step();
        }
        is
    }

    fn found(&self) -> String {
        match self.kind() {
            TokenKind::End => "the text ends".into(),
            _ => format!("found `{}`", self.span().text(self.text)),
        }
    }

    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let message = format!("expected {what}, {}", self.found());
        self.diagnostics.push(Diagnostic::new(self.span(), message));
        Err(Lost)
    }

    fn need_op(&mut self, op: &str) -> Read<()> {
        if self.op(op) { Ok(()) } else { self.expected(&format!("`{op}`")) }
    }

    fn need_word(&mut self, word: &str) -> Read<()> {
        if self.word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self) -> Read<Name> {
        match self.kind() {
            TokenKind::Name(text) => {
                let name = Name { text: text.clone(), span: self.span() };
                self.step();
                Ok(name)
            }
            TokenKind::Word(word) => {
                let what = format!("a name (`{word}` is a word of the language)");
                self.expected(&what)
            }
            _ => self.expected("a name"),
        }
    }

    fn string(&mut self) -> Option<String> {
        let TokenKind::Str(text) = self.kind() else { return None };
        let text = text.clone();
        self.step();
        Some(text)
    }

    /// The end of a part: `end`, or `end` with the part's own word.
    fn end(&mut self, own: &str, start: Span) -> Read<()> {
        if self.word("end") || self.word(own) {
            return Ok(());
        }
        let message = format!("expected `end`, {}", self.found());
        self.diagnostics
            .push(Diagnostic::new(self.span(), message).with_note(start, "this is what has no end"));
        Err(Lost)
    }

    /// Skips to where something new may start.
    fn recover(&mut self, from: usize) {
        if self.at == from {
            self.step();
        }
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Op(";") => {
                    self.step();
                    return;
                }
                TokenKind::Word(word) if ends_a_block(word) || is_section(word) => return,
                _ => self.step(),
            }
        }
    }

    /// Runs a reader one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("this is nested more than {MAX_NESTING} deep");
            self.diagnostics.push(Diagnostic::too_large(self.span(), message));
            return Err(Lost);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        loop {
            let from = self.at;
            let read = match self.kind() {
                TokenKind::End => return model,
                TokenKind::Op(";") => {
                    self.step();
                    Ok(())
                }
                TokenKind::Word("const" | "type" | "var") => self.decls(&mut model.decls),
                TokenKind::Word("procedure" | "function") => {
                    self.routine().map(|routine| model.routines.push(routine))
                }
                TokenKind::Word("process" | "program" | "traceuntil" | "in" | "interleaved") => {
                    self.expected("a declaration or a rule")
                }
                _ => self.rule().map(|rule| model.rules.extend(rule)),
            };
            if read.is_err() {
                self.recover(from);
                // A stray end of a part that could not be read.
                while matches!(self.kind(), TokenKind::Word(word) if ends_a_block(word)) {
                    self.step();
                }
            }
        }
    }

    /// `const`, `type` and `var` with their declarations.
    fn decls(&mut self, out: &mut Vec<Decl>) -> Read<()> {
        let TokenKind::Word(section) = *self.kind() else { return Ok(()) };
        self.step();
        while let TokenKind::Name(_) = self.kind() {
            let from = self.at;
            if self.decl(section, out).is_err() {
                self.recover(from);
            }
            while self.op(";") {}
        }
        if matches!(self.kind(), TokenKind::Op("]" | ")")) {
            return self.expected("a declaration");
        }
        Ok(())
    }

    fn decl(&mut self, section: &str, out: &mut Vec<Decl>) -> Read<()> {
        let first = self.name()?;
        if section == "const" || section == "type" {
            let mut names = alloc::vec![first];
            while self.op(",") {
                names.push(self.name()?);
            }
            self.need_op(":")?;
            if section == "const" {
                let value = self.expr()?;
                out.extend(names.into_iter().map(|name| Decl::Const(name, value.clone())));
            } else {
                let ty = self.ty()?;
                out.extend(names.into_iter().map(|name| Decl::Type(name, ty.clone())));
            }
        } else {
            out.push(Decl::Var(self.field(first)?));
        }
        // Rumur reads the next declaration also without `;`.
        let another =
            matches!(self.kind(), TokenKind::Name(_)) && matches!(self.next_kind(), TokenKind::Op(":" | ","));
        if another || self.is_op(";") || matches!(self.kind(), TokenKind::Word(_) | TokenKind::End) {
            return Ok(());
        }
        self.expected("`;`")
    }

    /// `a, b: T`, behind the first name.
    fn field(&mut self, first: Name) -> Read<Field> {
        let mut names = alloc::vec![first];
        while self.op(",") {
            names.push(self.name()?);
        }
        self.need_op(":")?;
        Ok(Field { names, ty: self.ty()? })
    }

    fn ty(&mut self) -> Read<Type> {
        let start = self.span().start;
        let kind = self.nested(Self::type_kind)?;
        Ok(Type { kind, span: self.since(start) })
    }

    fn type_kind(&mut self) -> Read<TypeKind> {
        let start = self.span();
        let TokenKind::Word(word) = *self.kind() else {
            if let TokenKind::Name(name) = self.kind()
                && !matches!(self.next_kind(), TokenKind::Op(".." | "+" | "-" | "*" | "/" | "%"))
            {
                let name = name.clone();
                self.step();
                return Ok(TypeKind::Named(name));
            }
            let low = self.expr()?;
            self.need_op("..")?;
            return Ok(TypeKind::Range(Box::new(low), Box::new(self.expr()?)));
        };
        self.step();
        match word {
            "enum" => {
                self.need_op("{")?;
                let mut literals = Vec::new();
                while !self.op("}") {
                    literals.push(self.name()?);
                    if !self.op(",") {
                        self.need_op("}")?;
                        break;
                    }
                }
                Ok(TypeKind::Enum(literals))
            }
            "array" => {
                self.need_op("[")?;
                let index = self.ty()?;
                self.need_op("]")?;
                self.need_word("of")?;
                Ok(TypeKind::Array(Box::new(index), Box::new(self.ty()?)))
            }
            "record" => {
                let mut fields = Vec::new();
                while let TokenKind::Name(_) = self.kind() {
                    let first = self.name()?;
                    fields.push(self.field(first)?);
                    while self.op(";") {}
                }
                self.end("endrecord", start)?;
                Ok(TypeKind::Record(fields))
            }
            "scalarset" => {
                self.need_op("(")?;
                let size = self.expr()?;
                self.need_op(")")?;
                Ok(TypeKind::Scalarset(Box::new(size)))
            }
            "union" => {
                self.need_op("{")?;
                let mut members = alloc::vec![self.ty()?];
                while self.op(",") {
                    members.push(self.ty()?);
                }
                self.need_op("}")?;
                Ok(TypeKind::Union(members))
            }
            "multiset" => {
                self.need_op("[")?;
                let size = self.expr()?;
                self.need_op("]")?;
                self.need_word("of")?;
                Ok(TypeKind::Multiset(Box::new(size), Box::new(self.ty()?)))
            }
            "real" => {
                let message =
                    "`real` numbers are not read: a state has whole numbers, symbols and truth values only";
                self.diagnostics.push(Diagnostic::new(start, message));
                while self.op("(") || self.op(",") || self.op(")") || matches!(self.kind(), TokenKind::Int(_))
                {
                    if let TokenKind::Int(_) = self.kind() {
                        self.step();
                    }
                }
                Ok(TypeKind::Error)
            }
            _ => {
                self.at -= 1;
                self.expected("a type")
            }
        }
    }

    fn routine(&mut self) -> Read<Routine> {
        let start = self.span();
        let is_function = self.word("function") || !self.word("procedure");
        let name = self.name()?;
        let mut params = Vec::new();
        if self.op("(") {
            while !self.op(")") {
                let by_reference = self.word("var");
                let first = self.name()?;
                params.push((self.field(first)?, by_reference));
                if !self.op(";")
                    && !self.op(",")
                    && !matches!(self.kind(), TokenKind::Name(_) | TokenKind::Word("var"))
                {
                    self.need_op(")")?;
                    break;
                }
            }
        }
        let result = if is_function {
            self.need_op(":")?;
            Some(self.ty()?)
        } else {
            None
        };
        self.op(";");
        let body = self.body()?;
        self.end(if is_function { "endfunction" } else { "endprocedure" }, start)?;
        Ok(Routine { name, params, result, body })
    }

    /// Declarations, `begin`, statements.
    fn body(&mut self) -> Read<Body> {
        let mut body = Body::default();
        while matches!(self.kind(), TokenKind::Word("const" | "type" | "var")) {
            self.decls(&mut body.decls)?;
        }
        self.word("begin");
        body.stmts = self.stmts();
        Ok(body)
    }

    fn rules(&mut self, own: &str, start: Span) -> Read<Vec<Rule>> {
        let mut rules = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Op(";") => self.step(),
                TokenKind::End => {
                    self.end(own, start)?;
                    return Ok(rules);
                }
                TokenKind::Word(word) if word.starts_with("end") => {
                    self.end(own, start)?;
                    return Ok(rules);
                }
                _ => {
                    let from = self.at;
                    if let Ok(rule) = self.nested(Self::rule) {
                        rules.extend(rule);
                    } else {
                        self.recover(from);
                        while !self.is_word("endruleset")
                            && matches!(self.kind(), TokenKind::Word(word) if ends_a_block(word))
                            && !matches!(self.kind(), TokenKind::End)
                        {
                            self.step();
                            self.op(";");
                        }
                    }
                }
            }
        }
    }

    fn rule(&mut self) -> Read<Option<Rule>> {
        let start = self.span();
        let TokenKind::Word(word) = *self.kind() else {
            return self.expected("a declaration or a rule");
        };
        self.step();
        let kind = match word {
            "rule" => {
                if let (TokenKind::Int(_), TokenKind::Str(_)) = (self.kind(), self.next_kind()) {
                    let message = "a rule with a priority is not read: any rule that can be executed may be";
                    self.diagnostics.push(Diagnostic::new(self.span(), message));
                    return Err(Lost);
                }
                let name = self.string();
                let guard = self.guard();
                if guard.is_none() {
                    self.not_probabilistic()?;
                }
                let body = self.body()?;
                self.end("endrule", start)?;
                RuleKind::Rule { name, guard, body }
            }
            "startstate" => {
                let name = self.string();
                let body = self.body()?;
                self.end("endstartstate", start)?;
                RuleKind::Start { name, body }
            }
            "invariant" | "cover" | "liveness" | "assume" | "assert" => {
                let name = self.string();
                let condition = self.expr()?;
                let name = name.or_else(|| self.string());
                if self.is_word("endinvariant") {
                    self.step();
                }
                RuleKind::Property {
                    word: if word == "assert" { "invariant" } else { word },
                    name,
                    condition,
                }
            }
            "ruleset" => {
                let mut over = alloc::vec![self.quantifier()?];
                while self.op(";") {
                    if self.is_word("do") {
                        break;
                    }
                    over.push(self.quantifier()?);
                }
                self.need_word("do")?;
                RuleKind::Ruleset(over, self.rules("endruleset", start)?)
            }
            "alias" => {
                let names = self.aliases()?;
                RuleKind::Alias(names, self.rules("endalias", start)?)
            }
            "choose" => {
                let name = self.name()?;
                self.need_op(":")?;
                let set = self.expr()?;
                self.need_word("do")?;
                RuleKind::Choose(name, set, self.rules("endchoose", start)?)
            }
            _ => {
                self.at -= 1;
                return self.expected("a declaration or a rule");
            }
        };
        Ok(Some(Rule { kind, span: self.since(start.start) }))
    }

    /// `x: expr; y: expr do`
    fn aliases(&mut self) -> Read<Vec<(Name, crate::tree::Expr)>> {
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            self.need_op(":")?;
            names.push((name, self.expr()?));
            self.op(";");
            if self.word("do") {
                return Ok(names);
            }
        }
    }

    /// The guard of a rule, which ends with `==>`; a rule may have none.
    fn guard(&mut self) -> Option<crate::tree::Expr> {
        if matches!(self.kind(), TokenKind::Word("begin" | "var" | "const" | "type" | "end" | "endrule")) {
            return None;
        }
        if self.op("==>") {
            return None;
        }
        // Without a guard the statements start here; only what follows tells.
        let (at, errors) = (self.at, self.diagnostics.len());
        let guard = self.expr();
        if self.op("==>") {
            return guard.ok();
        }
        let arrow = self.tokens[at..].iter().position(|t| t.kind == TokenKind::Op("==>"));
        let next = self.tokens[at..].iter().position(|t| {
            matches!(
                t.kind,
                TokenKind::Word("begin" | "rule" | "ruleset" | "startstate" | "invariant" | "end")
                    | TokenKind::Op(":=")
                    | TokenKind::End
            )
        });
        if let (Some(arrow), Some(next)) = (arrow, next)
            && arrow < next
        {
            // There is a guard, and it is wrong.
            if self.diagnostics.len() == errors {
                let _: Read<()> = self.expected("`==>`");
            }
            self.at = at + arrow + 1;
            let span = self.span();
            return Some(crate::tree::Expr { kind: crate::tree::ExprKind::Error, span, depth: 1 });
        }
        self.at = at;
        self.diagnostics.truncate(errors);
        None
    }

    fn not_probabilistic(&mut self) -> Read<()> {
        let mut ahead = self.tokens[self.at..].iter().map(|t| &t.kind);
        if let (Some(TokenKind::Int(_)), Some(TokenKind::Op("/" | "." | ":" | "==>"))) =
            (ahead.next(), ahead.next())
        {
            let message = "rules with probabilities are not read; a rule may happen, or not";
            self.diagnostics.push(Diagnostic::new(self.span(), message));
            return Err(Lost);
        }
        Ok(())
    }
}

fn is_section(word: &str) -> bool {
    const SECTIONS: &[&str] = &[
        "const",
        "type",
        "var",
        "procedure",
        "function",
        "rule",
        "ruleset",
        "startstate",
        "invariant",
        "liveness",
        "begin",
    ];
    SECTIONS.contains(&word.to_string().as_str())
}
