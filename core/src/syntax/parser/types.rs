//! Types, and the values and changes of records, sets, bags and queues.

use super::super::ast::{
    Assignment, Binder, Change, Domain, ExprId, ExprKind, FieldDecl, Ident, ProcessDecl, TypeExpr,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::Parser;
use super::expr::ANY;
use crate::limits::{MAX_DEPTH, MAX_INDICES};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

const TYPES: &str = "a type (`bool`, `0..3`, `{A, B}`, a process family or the name of a type)";

impl Parser<'_> {
    /// `scalarset data[3]`
    pub(super) fn scalarset(&mut self) -> ProcessDecl {
        let name = self.name("the name of the scalarset");
        let open = self.peek().span;
        self.expect(Punct::BracketOpen, "and how many values the scalarset has");
        self.need("how many values the scalarset has");
        let size = Some(self.state_expr());
        self.close(Punct::BracketClose, open, "to close the size of the scalarset");
        if self.is(Punct::BraceOpen) {
            let message = "a scalarset has neither variables nor actions; what has them is a `process`";
            self.error(self.peek().span, message);
        }
        ProcessDecl {
            name,
            size,
            ring: None,
            scalarset: true,
            vars: Vec::new(),
            actions: Vec::new(),
            code: None,
        }
    }

    pub(super) fn type_expr(&mut self) -> TypeExpr {
        let start = self.peek().span;
        if self.nesting >= MAX_DEPTH {
            self.too_deep(start);
            return TypeExpr::Error;
        }
        self.nesting += 1;
        let mut ty = self.plain_type();
        self.nesting -= 1;
        while self.is(Punct::Question) && !self.panicking {
            self.bump();
            ty = TypeExpr::Optional(Box::new(ty), self.since(start));
        }
        ty
    }

    fn plain_type(&mut self) -> TypeExpr {
        let start = self.peek().span;
        let second = self.peek_second().kind;
        if self.eat_keyword(Keyword::Bool) {
            return TypeExpr::Bool(start);
        }
        if self.is_word("record") && second == TokenKind::Punct(Punct::BraceOpen) {
            return self.record_type();
        }
        if self.foreign_type() {
            return TypeExpr::Error;
        }
        if self.is_word("set") && second == TokenKind::Name {
            self.bump();
            self.of("set of D");
            let item = Box::new(self.type_expr());
            return TypeExpr::Set(item, self.since(start));
        }
        if second == TokenKind::Punct(Punct::BracketOpen) && (self.is_word("bag") || self.is_word("queue")) {
            let bag = self.is_word("bag");
            self.bump();
            let open = self.bump().span;
            self.need("how many values there is room for");
            let size = self.state_expr();
            self.close(Punct::BracketClose, open, "to close the size");
            self.of(if bag { "bag[3] of T" } else { "queue[3] of T" });
            let item = Box::new(self.type_expr());
            let span = self.since(start);
            return if bag { TypeExpr::Bag(size, item, span) } else { TypeExpr::Queue(size, item, span) };
        }
        if self.is(Punct::BraceOpen) {
            return self.enumeration();
        }
        if self.is(Punct::ParenOpen) && self.union_in_parentheses() {
            let open = self.bump().span;
            let ty = self.type_expr();
            self.close(Punct::ParenClose, open, "to close the type");
            return ty;
        }
        self.need(TYPES);
        let low = self.bound();
        if self.eat(Punct::DotDot) {
            self.need("the highest value of the range");
            return TypeExpr::Range(low, self.bound());
        }
        match &self.file.exprs[low].kind {
            ExprKind::Name(name) => {
                let name = Ident { name: name.clone(), span: self.span(low) };
                if self.is(Punct::Bar) {
                    let families = self.families(name);
                    return TypeExpr::Union(families, self.since(start));
                }
                if self.is_keyword(Keyword::Or) {
                    self.error(
                        self.peek().span,
                        format!("one of several families is written `{} | q`", name.name),
                    );
                }
                TypeExpr::Named { name, optional: self.eat(Punct::Question) }
            }
            ExprKind::Error => TypeExpr::Error,
            _ => {
                self.expected("`..` and the highest value of the range");
                TypeExpr::Error
            }
        }
    }

    /// `(a | b)?` and `(0..3)?`: a parenthesis around a type. One around the lower bound of a range is closed before `..`.
    fn union_in_parentheses(&self) -> bool {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::Punct(Punct::ParenOpen) => depth += 1,
                TokenKind::Punct(Punct::ParenClose) if depth == 1 => return false,
                TokenKind::Punct(Punct::ParenClose) => depth -= 1,
                TokenKind::Punct(Punct::Bar | Punct::DotDot | Punct::BraceOpen | Punct::Question) => {
                    return true;
                }
                TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    fn enumeration(&mut self) -> TypeExpr {
        let start = self.bump().span;
        let mut literals = Vec::new();
        while !self.panicking {
            if self.peek().kind == TokenKind::Int {
                let message = "expected the name of a literal, found a number; a range is written `0..3`";
                self.error(self.peek().span, message);
            }
            literals.push(self.name("the name of a literal"));
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if self.is(Punct::Colon) {
            let message = "an enumeration has names only; a record is written `record { kind: {a, b} }`";
            self.error(self.peek().span, message);
        }
        self.close_list(Punct::BraceClose, start, "to close the enumeration");
        TypeExpr::Enum(literals, self.since(start))
    }

    /// The indices of a table, which may have none; `noun` says what has them.
    pub(super) fn indices<T>(&mut self, noun: &str, read: fn(&mut Self) -> T) -> Vec<T> {
        let (mut index, open) = (Vec::new(), self.peek().span);
        if self.eat(Punct::BracketOpen) {
            loop {
                if index.len() == MAX_INDICES {
                    self.too_large(self.peek().span, format!("a {noun} has at most four indices"));
                }
                index.push(read(self));
                if self.panicking || !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.close_list(Punct::BracketClose, open, &format!("to close the {noun}'s index"));
        }
        index
    }

    fn record_type(&mut self) -> TypeExpr {
        let start = self.bump().span;
        let open = self.bump().span;
        let mut fields = Vec::new();
        while !self.panicking {
            let name = self.name("the name of a field");
            let index = self.indices("field", Self::domain);
            self.expect(Punct::Colon, "and the field's type");
            fields.push(FieldDecl { name, index, ty: self.type_expr() });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close_list(Punct::BraceClose, open, "to close the record");
        TypeExpr::Record(fields, self.since(start))
    }

    fn of(&mut self, form: &str) {
        if self.is_word("of") {
            self.bump();
        } else {
            self.expected(&format!("`of` (it is written `{form}`)"));
        }
    }

    /// The other families of `a | b | c`.
    pub(super) fn families(&mut self, first: Ident) -> Vec<Ident> {
        let mut families = alloc::vec![first];
        while !self.panicking && self.eat(Punct::Bar) {
            families.push(self.name("the name of a family"));
        }
        families
    }

    /// `{}` and `{a, b}`
    pub(super) fn braces(&mut self) -> ExprId {
        let open = self.bump().span;
        let list = if self.eat(Punct::BraceClose) {
            Vec::new()
        } else {
            self.arguments(Punct::BraceClose, open, "to close the set")
        };
        self.push(ExprKind::Braces(list), self.since(open))
    }

    /// `message(kind: read, from: self)`; its name and parenthesis have been read.
    pub(super) fn make(&mut self, name: Ident, open: crate::text::Span) -> ExprId {
        let start = name.span;
        let mut fields = Vec::new();
        while !self.panicking {
            let field = self.name("the name of a field");
            if self.is(Punct::Eq) || self.is(Punct::Assign) {
                self.error(
                    self.peek().span,
                    format!("a field is given by `:`, as in `{}({}: …)`", name.name, field.name),
                );
            }
            self.expect(Punct::Colon, "and the field's value");
            self.need("the field's value");
            fields.push((field, self.expr(ANY)));
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close_list(Punct::ParenClose, open, "to close the record");
        self.push(ExprKind::Make(name, fields), self.since(start))
    }

    /// `add` and `remove` start a change where something other than a variable's continuation follows.
    pub(super) fn change_of_bag(&self) -> Option<Change> {
        let change = if self.is_word("add") {
            Change::Add
        } else if self.is_word("remove") {
            Change::Remove
        } else {
            return None;
        };
        let name = matches!(
            self.peek_second().kind,
            TokenKind::Punct(
                Punct::Assign | Punct::Dot | Punct::BracketOpen | Punct::Eq | Punct::EqEq | Punct::Comma
            ) | TokenKind::End
        );
        (!name).then_some(change)
    }

    /// Whether a statement starts here that changes a bag: `to` or `from` comes before anything that ends a statement.
    pub(super) fn bag_statement(&self) -> bool {
        let Some(change) = self.change_of_bag() else { return false };
        let word = if change == Change::Add { "to" } else { "from" };
        let mut depth = 0;
        for token in &self.tokens[self.at + 1..] {
            match token.kind {
                // The value may have a set in it.
                TokenKind::Punct(Punct::BraceOpen) => depth += 1,
                TokenKind::Punct(Punct::BraceClose) if depth > 0 => depth -= 1,
                TokenKind::Punct(Punct::Assign | Punct::BraceClose) => return false,
                TokenKind::Name if depth == 0 && self.text(*token) == word => return true,
                _ => {}
            }
        }
        false
    }

    pub(super) fn bag_change(&mut self, change: Change, over: Vec<Binder>) -> Assignment {
        self.bump();
        self.need("the value");
        let value = self.state_expr();
        let word = if change == Change::Add { "to" } else { "from" };
        if self.is_word(word) {
            self.bump();
        } else {
            self.expected(&format!("`{word}` and the bag"));
        }
        let target = self.postfix();
        Assignment { change, over, target, value }
    }

    /// `push(q, m)` and `pop(q)`, where no `:=` follows.
    pub(super) fn queue_change(&mut self, call: ExprId, over: &[Binder]) -> Option<Assignment> {
        let ExprKind::Call(name, arguments) = &self.file.exprs[call].kind else { return None };
        let (change, form) = match name.name.as_str() {
            "push" => (Change::Push, "push(q, m)"),
            "pop" => (Change::Pop, "pop(q)"),
            _ => return None,
        };
        let (target, value) = match (change, arguments.as_slice()) {
            (Change::Push, &[target, value]) => (target, value),
            (Change::Pop, &[target]) => (target, target),
            _ => {
                self.error(self.span(call), format!("this is written `{form}`"));
                (call, call)
            }
        };
        Some(Assignment { change, over: over.to_vec(), target, value })
    }

    /// Reads on behind the lower bound of a domain: families joined by `|`, or the variable of a set or bag.
    pub(super) fn other_domain(&mut self, first: ExprId) -> Option<Domain> {
        match &self.file.exprs[first].kind {
            ExprKind::Name(name) if self.is(Punct::Bar) => {
                let first = Ident { name: name.clone(), span: self.span(first) };
                Some(Domain::Union(self.families(first)))
            }
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Braces(_) | ExprKind::Binary(..) => {
                Some(Domain::Value(first))
            }
            _ => None,
        }
    }
}
