//! Items: everything that starts with a keyword.

use super::super::ast::ExprKind;
use super::super::ast::{
    ActionDecl, Assignment, AutomatonState, Fairness, Generator, Ident, IndexDecl, Init, Item, ItemKind,
    Logic, ProcessDecl, SymmetryDecl, TypeExpr, VarDecl,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{Mode, Parser};
use crate::text::{Diagnostic, Span, closest};
use alloc::format;
use alloc::vec::Vec;

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while self.peek().kind != TokenKind::End {
            let start = self.peek().span;
            if let Some(kind) = self.item() {
                let span = self.since(start);
                self.file.items.push(Item { kind, span });
            }
            if !self.panicking && !self.at_item() {
                self.stray();
            }
            if self.panicking {
                self.skip_until(Self::at_item);
            }
        }
    }

    fn at_item(&self) -> bool {
        match self.peek().kind {
            TokenKind::Keyword(keyword) => keyword.starts_item(),
            TokenKind::End => true,
            _ => false,
        }
    }

    /// Something that starts no item stands where one should.
    fn stray(&mut self) {
        let token = self.peek();
        let word = self.text(token);
        let items = Keyword::ALL.iter().filter(|k| k.starts_item()).map(|k| k.text());
        let message = match token.kind {
            TokenKind::Name if let Some(near) = closest(word, items) => {
                format!("expected an item, found `{word}`; did you mean `{near}`?")
            }
            TokenKind::Keyword(Keyword::Var | Keyword::Action) => {
                format!("`{word}` belongs inside a process; a variable of all processes is `shared`")
            }
            _ => {
                let found = self.found();
                format!("expected an item such as `process`, `shared` or `ltl`, found {found}")
            }
        };
        self.error(token.span, message);
    }

    fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while self.peek().kind != TokenKind::End && !stop(self) {
            self.bump();
        }
        self.panicking = false;
    }

    fn item(&mut self) -> Option<ItemKind> {
        let TokenKind::Keyword(keyword) = self.peek().kind else {
            self.stray();
            return None;
        };
        if !keyword.starts_item() {
            self.stray();
            return None;
        }
        self.bump();
        Some(match keyword {
            Keyword::Param => self.param(),
            Keyword::Shared => ItemKind::Shared(self.variable()),
            Keyword::Process => ItemKind::Process(self.process()),
            Keyword::Define => self.define(),
            Keyword::Fairness => self.fairness(),
            Keyword::Symmetry => ItemKind::Symmetry(self.symmetry()),
            Keyword::Invariant => self.property(Logic::Invariant),
            Keyword::Ltl => self.property(Logic::Ltl),
            Keyword::Ctl => self.property(Logic::Ctl),
            _ => self.automaton(),
        })
    }

    fn param(&mut self) -> ItemKind {
        let name = self.name("the parameter's name");
        self.expect(Punct::Eq, "and the parameter's value");
        let value = self.bound();
        let range = self.eat_keyword(Keyword::In).then(|| {
            let low = self.bound();
            self.expect(Punct::DotDot, "between the lowest and the highest value");
            (low, self.bound())
        });
        ItemKind::Param { name, value, range }
    }

    fn define(&mut self) -> ItemKind {
        let name = self.name("the definition's name");
        let mut params = Vec::new();
        if self.eat(Punct::ParenOpen) {
            while !self.panicking {
                params.push(self.name("the name of a parameter"));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::ParenClose, "to close the parameters");
        }
        self.expect(Punct::Eq, "and what the definition stands for");
        let body = self.state_expr();
        ItemKind::Define { name, params, body }
    }

    fn fairness(&mut self) -> ItemKind {
        let family = self.name("the name of a process family");
        self.expect(Punct::Colon, "and `weak`, `strong` or `none`");
        let fairness = if self.is_word("weak") {
            Fairness::Weak
        } else if self.is_word("strong") {
            Fairness::Strong
        } else if self.is_keyword(Keyword::None) {
            Fairness::None
        } else {
            self.expected("`weak`, `strong` or `none`");
            return ItemKind::Fairness { family, fairness: Fairness::Weak };
        };
        self.bump();
        ItemKind::Fairness { family, fairness }
    }

    fn symmetry(&mut self) -> SymmetryDecl {
        if self.is_word("auto") {
            self.bump();
            return SymmetryDecl::Auto;
        }
        if self.eat_keyword(Keyword::None) {
            return SymmetryDecl::None;
        }
        if !self.is_word("generators") {
            self.expected("`auto`, `none` or `generators { … }`");
            return SymmetryDecl::Auto;
        }
        self.bump();
        self.expect(Punct::BraceOpen, "and the generators");
        let mut generators = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            generators.push(self.generator());
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::BraceClose, "to close the generators");
        SymmetryDecl::Generators(generators)
    }

    fn generator(&mut self) -> Generator {
        let start = self.peek().span;
        let mut cycles = Vec::new();
        if !self.is(Punct::ParenOpen) {
            self.expected("a cycle such as `(client[0] client[1])`");
        }
        while !self.panicking && self.eat(Punct::ParenOpen) {
            let mut cycle = Vec::new();
            while !self.panicking && !self.is(Punct::ParenClose) {
                cycle.push(self.bound());
            }
            self.expect(Punct::ParenClose, "to close the cycle");
            cycles.push(cycle);
        }
        Generator { cycles, span: self.since(start) }
    }

    fn property(&mut self, logic: Logic) -> ItemKind {
        let name = self.name("the property's name");
        self.expect(Punct::Colon, "and the property");
        let formula = self.expr_in(match logic {
            Logic::Invariant => Mode::State,
            Logic::Ltl => Mode::Ltl,
            Logic::Ctl => Mode::Ctl,
        });
        ItemKind::Property { logic, name, formula }
    }

    fn automaton(&mut self) -> ItemKind {
        let name = self.name("the automaton's name");
        let mut params = Vec::new();
        if self.eat(Punct::ParenOpen) {
            params = self.binders();
            self.expect(Punct::ParenClose, "to close the processes the automaton speaks of");
        }
        self.expect(Punct::BraceOpen, "and the automaton's states");
        let mut states = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            states.push(self.automaton_state());
        }
        self.expect(Punct::BraceClose, "to close the automaton");
        ItemKind::Automaton { name, params, states }
    }

    fn automaton_state(&mut self) -> AutomatonState {
        let (mut initial, mut accepting) = (false, false);
        // A state may itself be called `initial`: a word is a mark only if a name follows it.
        while self.peek_second().kind == TokenKind::Name {
            if self.is_word("initial") {
                initial = true;
            } else if self.is_word("accepting") {
                accepting = true;
            } else if self.is_word("state") {
                // The plain state's optional word.
            } else {
                break;
            }
            self.bump();
        }
        let name = self.name("a state: `initial a { … }`, `accepting b { … }` or `c { … }`");
        self.expect(Punct::BraceOpen, "and the state's moves");
        let mut moves = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            let guard = self.state_expr();
            self.expect(Punct::Arrow, "and the state it leads to");
            moves.push((guard, self.name("the state the move leads to")));
        }
        self.expect(Punct::BraceClose, "to close the state");
        AutomatonState { name, initial, accepting, moves }
    }

    fn process(&mut self) -> ProcessDecl {
        let name = self.name("the name of the process family");
        let mut size = None;
        if self.eat(Punct::BracketOpen) {
            size = Some(self.state_expr());
            self.expect(Punct::BracketClose, "to close the family's size");
        }
        let ring = self.is_word("ring").then(|| self.bump().span);
        let mut decl = ProcessDecl { name, size, ring, vars: Vec::new(), actions: Vec::new() };
        if !self.expect(Punct::BraceOpen, "and the variables and actions of the process") {
            return decl;
        }
        loop {
            if self.panicking {
                self.skip_until(|p| {
                    p.at_item()
                        || p.is(Punct::BraceClose)
                        || p.is_keyword(Keyword::Var)
                        || p.is_keyword(Keyword::Action)
                });
            }
            if self.eat(Punct::BraceClose) {
                return decl;
            }
            if self.eat_keyword(Keyword::Var) {
                decl.vars.push(self.variable());
            } else if self.is_keyword(Keyword::Action) {
                decl.actions.push(self.action());
            } else if self.at_item() {
                let here = self.previous_end();
                let found = self.found();
                self.diagnostics.push(
                    Diagnostic::new(
                        Span::new(here, here),
                        format!("expected `}}` to close the process, found {found}"),
                    )
                    .with_note(decl.name.span, "the process starts here"),
                );
                return decl;
            } else {
                self.expected("`var`, `action` or `}` in a process");
            }
        }
    }

    fn variable(&mut self) -> VarDecl {
        let name = self.name("the variable's name");
        let mut index = Vec::new();
        if self.eat(Punct::BracketOpen) {
            loop {
                index.push(self.index_decl());
                if self.panicking || !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::BracketClose, "to close the variable's index");
        }
        self.expect(Punct::Colon, "and the variable's type");
        let ty = self.type_expr();
        self.expect(Punct::Eq, "and the initial value");
        let init = if self.is_keyword(Keyword::Any) {
            Init::Any(self.bump().span)
        } else {
            Init::Expr(self.state_expr())
        };
        VarDecl { name, index, ty, init }
    }

    fn index_decl(&mut self) -> IndexDecl {
        let named = self.peek_second().kind == TokenKind::Keyword(Keyword::In);
        let name = named.then(|| {
            let name = self.name("the index's name");
            self.bump();
            name
        });
        IndexDecl { name, domain: self.domain() }
    }

    fn type_expr(&mut self) -> TypeExpr {
        let start = self.peek().span;
        if self.eat_keyword(Keyword::Bool) {
            return TypeExpr::Bool(start);
        }
        if self.eat(Punct::BraceOpen) {
            let mut literals = Vec::new();
            while !self.panicking {
                literals.push(self.name("the name of a literal"));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::BraceClose, "to close the enumeration");
            return TypeExpr::Enum(literals, self.since(start));
        }
        let low = self.bound();
        if self.eat(Punct::DotDot) {
            return TypeExpr::Range(low, self.bound());
        }
        match &self.file.exprs[low].kind {
            ExprKind::Name(name) => {
                let family = Ident { name: name.clone(), span: self.span(low) };
                TypeExpr::Process { family, optional: self.eat(Punct::Question) }
            }
            ExprKind::Error => TypeExpr::Error,
            _ => {
                self.expected("`..` and the highest value of the range");
                TypeExpr::Error
            }
        }
    }

    fn action(&mut self) -> ActionDecl {
        let start = self.bump().span;
        let name = self.name("the action's name");
        let mut params = Vec::new();
        if self.eat(Punct::ParenOpen) {
            params = self.binders();
            self.expect(Punct::ParenClose, "to close the action's parameters");
        }
        self.expect(Punct::Colon, "and the action's guard");
        let guard = self.state_expr();
        self.expect(Punct::Arrow, "and the action's assignments");
        let mut assignments = Vec::new();
        while !self.panicking {
            let target = self.bound();
            if !self.panicking && self.is(Punct::Eq) {
                self.error(self.peek().span, "an assignment is written `:=`");
            }
            self.expect(Punct::Assign, "and the new value");
            assignments.push(Assignment { target, value: self.state_expr() });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        ActionDecl { name, params, guard, assignments, span: self.since(start) }
    }
}
