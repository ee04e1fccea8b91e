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

/// How many indices a variable may have.
const MAX_INDICES: usize = 2;

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
        let of_process = matches!(
            token.kind,
            TokenKind::Keyword(Keyword::Var | Keyword::Action) | TokenKind::Punct(Punct::BraceClose)
        );
        if of_process && self.unclosed {
            self.panicking = true;
            return;
        }
        let items = Keyword::ALL.iter().filter(|k| k.starts_item()).map(|k| k.text());
        let message = match token.kind {
            TokenKind::Name if let Some(near) = closest(word, items) => {
                format!("expected an item, found `{word}`; did you mean `{near}`?")
            }
            TokenKind::Keyword(Keyword::Var | Keyword::Action) => {
                format!("`{word}` belongs inside a process; a variable of all processes is `shared`")
            }
            TokenKind::Punct(Punct::BraceClose | Punct::ParenClose | Punct::BracketClose) => {
                format!("this `{word}` closes nothing")
            }
            _ if self.behind_operand() && !self.line_break_before(token) => {
                let found = self.found();
                format!("expected an operator or the next item, found {found}")
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
        self.need("the parameter's value");
        let value = self.bound();
        let range = self.eat_keyword(Keyword::In).then(|| {
            self.need("the parameter's lowest value");
            let low = self.bound();
            self.expect(Punct::DotDot, "between the lowest and the highest value");
            self.need("the parameter's highest value");
            (low, self.bound())
        });
        ItemKind::Param { name, value, range }
    }

    fn define(&mut self) -> ItemKind {
        let name = self.name("the definition's name");
        let mut params = Vec::new();
        let open = self.peek().span;
        if self.eat(Punct::ParenOpen) {
            self.empty_parameters();
            while !self.panicking {
                params.push(self.name("the name of a parameter"));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.close_list(Punct::ParenClose, open, "to close the parameters");
        }
        self.expect(Punct::Eq, "and what the definition stands for");
        self.need("what the definition stands for");
        let body = self.state_expr();
        self.misplaced_arrow();
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
        let open = self.peek().span;
        self.expect(Punct::BraceOpen, "and the generators");
        let mut generators = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            generators.push(self.generator());
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.close_list(Punct::BraceClose, open, "to close the generators");
        SymmetryDecl::Generators(generators)
    }

    fn generator(&mut self) -> Generator {
        let start = self.peek().span;
        let mut cycles = Vec::new();
        if !self.is(Punct::ParenOpen) {
            self.expected("a cycle such as `(client[0] client[1])`");
        }
        while !self.panicking && self.is(Punct::ParenOpen) {
            let open = self.bump().span;
            let mut cycle = Vec::new();
            while !self.panicking && !self.is(Punct::ParenClose) {
                if self.is(Punct::Comma) && self.peek_second().kind != TokenKind::Punct(Punct::ParenOpen) {
                    self.error(self.peek().span, "the processes of a cycle are not separated by `,`");
                } else if !self.operand_starts() {
                    self.expected_with(
                        "a process such as `client[0]`, or `)` to close the cycle",
                        Some(open),
                    );
                } else {
                    cycle.push(self.postfix());
                }
            }
            self.close(Punct::ParenClose, open, "to close the cycle");
            cycles.push(cycle);
        }
        Generator { cycles, span: self.since(start) }
    }

    fn property(&mut self, logic: Logic) -> ItemKind {
        let name = self.name("the property's name");
        self.expect(Punct::Colon, "and the property");
        self.need("the property's formula");
        let formula = self.expr_in(match logic {
            Logic::Invariant => Mode::State,
            Logic::Ltl => Mode::Ltl,
            Logic::Ctl => Mode::Ctl,
        });
        if logic == Logic::Invariant {
            self.misplaced_arrow();
        }
        ItemKind::Property { logic, name, formula }
    }

    /// `()` in a declaration.
    fn empty_parameters(&mut self) {
        if self.is(Punct::ParenClose) {
            let message = "expected a parameter, found `)`; without parameters there are no parentheses";
            self.error(self.peek().span, message);
        }
    }

    /// `->` behind an expression that is no guard.
    fn misplaced_arrow(&mut self) {
        if self.is(Punct::Arrow) {
            let message = "`->` is implication in `ltl` and `ctl` formulas only; write `=>`";
            self.error(self.peek().span, message);
        }
    }

    fn automaton(&mut self) -> ItemKind {
        let name = self.name("the automaton's name");
        let mut params = Vec::new();
        let open = self.peek().span;
        if self.eat(Punct::ParenOpen) {
            self.empty_parameters();
            params = self.binders();
            self.close_list(Punct::ParenClose, open, "to close the automaton's parameters");
        }
        let open = self.peek().span;
        self.expect(Punct::BraceOpen, "and the automaton's states");
        let mut states = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            if self.peek().kind == TokenKind::Name {
                states.push(self.automaton_state());
            } else {
                let what = "a state such as `initial a { true -> a }`, or `}` to close the automaton";
                self.expected_with(what, Some(open));
            }
        }
        self.close(Punct::BraceClose, open, "to close the automaton");
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
        let name = self.name("the state's name");
        let open = self.peek().span;
        self.expect(Punct::BraceOpen, "and the state's moves");
        let mut moves = Vec::new();
        while !self.panicking && !self.is(Punct::BraceClose) {
            if self.is(Punct::Comma) {
                self.error(self.peek().span, "the moves of a state are not separated by `,`");
            } else if !self.operand_starts() {
                self.expected_with("a move such as `true -> a`, or `}` to close the state", Some(open));
            }
            let guard = self.state_expr();
            self.expect(Punct::Arrow, "and the state it leads to");
            moves.push((guard, self.name("the state the move leads to")));
        }
        self.close(Punct::BraceClose, open, "to close the state");
        AutomatonState { name, initial, accepting, moves }
    }

    fn process(&mut self) -> ProcessDecl {
        self.unclosed = false;
        let keyword = self.tokens[self.at - 1].span;
        let name = self.name("the name of the process family");
        let mut size = None;
        let open = self.peek().span;
        if self.eat(Punct::BracketOpen) {
            self.need("the family's size");
            size = Some(self.state_expr());
            self.close(Punct::BracketClose, open, "to close the family's size");
        } else {
            self.empty_brackets("the family's size");
        }
        if self.is(Punct::ParenOpen) {
            self.error(self.peek().span, "the size of a family stands in brackets: `process p[3]`");
        }
        let ring = self.is_word("ring").then(|| self.bump().span);
        let mut decl = ProcessDecl { name, size, ring, vars: Vec::new(), actions: Vec::new() };
        if !self.expect(Punct::BraceOpen, "and the variables and actions of the process") {
            self.unclosed = true;
            return decl;
        }
        let inside = self.braces;
        loop {
            let recovering = self.panicking;
            if recovering {
                // The `}` of a broken enumeration does not close the process.
                self.skip_until(|p| {
                    p.at_item() || p.at_member() || (p.is(Punct::BraceClose) && p.braces <= inside)
                });
                self.braces = inside;
            }
            if self.eat(Punct::BraceClose) {
                return decl;
            }
            if self.eat_keyword(Keyword::Var) {
                decl.vars.push(self.variable());
            } else if self.is_keyword(Keyword::Action) {
                decl.actions.push(self.action());
            } else if self.at_item() {
                // Behind another error the `}` may have been lost with it.
                if !recovering {
                    self.not_closed(keyword, decl.name.span);
                }
                self.unclosed = true;
                return decl;
            } else {
                self.no_member();
            }
        }
    }

    fn at_member(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Keyword(keyword) if keyword.starts_member())
    }

    /// An item stands where a process still goes on: it was put inside, as its indentation shows, or a `}` is missing.
    fn not_closed(&mut self, process: Span, name: Span) {
        let token = self.peek();
        let found = self.found();
        let diagnostic = if token.kind != TokenKind::End && self.column(token.span) > self.column(process) {
            Diagnostic::new(
                token.span,
                format!(
                    "expected `var`, `action` or `}}` in a process, found {found}; it stands outside of processes"
                ),
            )
        } else {
            let here = Span::new(self.previous_end(), self.previous_end());
            Diagnostic::new(here, format!("expected `}}` to close the process, found {found}"))
                .with_note(name, "the process starts here")
        };
        self.report(diagnostic);
        self.panicking = false;
    }

    /// How far from the start of its line a place is; a long line is not searched to its start.
    fn column(&self, span: Span) -> usize {
        const FAR: usize = 100;
        let before = &self.source.as_bytes()[..span.start as usize];
        before.iter().rev().take(FAR).take_while(|&&b| b != b'\n').count()
    }

    /// Something that is no variable and no action stands in a process.
    fn no_member(&mut self) {
        let token = self.peek();
        let word = self.text(token);
        if token.kind == TokenKind::Name
            && let Some(near) = closest(word, [Keyword::Var.text(), Keyword::Action.text()])
        {
            self.error(
                token.span,
                format!("expected `var` or `action`, found `{word}`; did you mean `{near}`?"),
            );
        } else {
            let found = self.found();
            self.error(token.span, format!("expected `var`, `action` or `}}` in a process, found {found}"));
        }
    }

    fn variable(&mut self) -> VarDecl {
        let name = self.name("the variable's name");
        let mut index = Vec::new();
        let open = self.peek().span;
        if self.eat(Punct::BracketOpen) {
            loop {
                if index.len() == MAX_INDICES {
                    self.error(self.peek().span, "a variable has at most two indices");
                }
                index.push(self.index_decl());
                if self.panicking || !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.close_list(Punct::BracketClose, open, "to close the variable's index");
        } else {
            self.empty_brackets("a family or a range such as `0..3`");
        }
        self.expect(Punct::Colon, "and the variable's type");
        let ty = self.type_expr();
        self.expect(Punct::Eq, "and the initial value");
        let init = if self.is_keyword(Keyword::Any) {
            let span = self.bump().span;
            if self.infix().is_some() {
                self.any_in_expression(span);
            }
            Init::Any(span)
        } else {
            self.need("the initial value");
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
                if self.peek().kind == TokenKind::Int {
                    let message = "expected the name of a literal, found a number; a range is written `0..3`";
                    self.error(self.peek().span, message);
                }
                literals.push(self.name("the name of a literal"));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.close_list(Punct::BraceClose, start, "to close the enumeration");
            return TypeExpr::Enum(literals, self.since(start));
        }
        self.need("a type (`bool`, `0..3`, `{A, B}` or a process family)");
        let low = self.bound();
        if self.eat(Punct::DotDot) {
            self.need("the highest value of the range");
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
        let open = self.peek().span;
        if self.eat(Punct::ParenOpen) {
            self.empty_parameters();
            params = self.binders();
            self.close_list(Punct::ParenClose, open, "to close the action's parameters");
        }
        self.expect(Punct::Colon, "and the action's guard");
        if self.is(Punct::Arrow) {
            let message = "expected the action's guard, found `->`; an action that may always happen has the guard `true`";
            self.error(self.peek().span, message);
        }
        self.need("the action's guard");
        let guard = self.state_expr();
        if !self.panicking && self.is(Punct::Assign) {
            let message = "expected `->` between the action's guard and its assignments, found `:=`";
            self.error(self.peek().span, message);
        }
        self.expect(Punct::Arrow, "and the action's assignments");
        let mut assignments = Vec::new();
        while !self.panicking {
            assignments.push(self.assignment());
            if self.eat(Punct::Comma) {
                continue;
            }
            if !self.panicking && self.operand_starts() {
                self.expected("`,` before the next assignment, or `var`, `action` or `}`");
            }
            break;
        }
        ActionDecl { name, params, guard, assignments, span: self.since(start) }
    }

    fn assignment(&mut self) -> Assignment {
        if !matches!(
            self.peek().kind,
            TokenKind::Name | TokenKind::Keyword(Keyword::SelfId) | TokenKind::Punct(Punct::ParenOpen)
        ) {
            self.expected("a variable to assign to");
        }
        let target = self.postfix();
        if let TokenKind::Punct(punct @ (Punct::Eq | Punct::EqEq)) = self.peek().kind {
            self.error(self.peek().span, format!("an assignment is written `:=`, not `{}`", punct.text()));
        }
        self.expect(Punct::Assign, "and the new value");
        self.need("the new value");
        Assignment { target, value: self.state_expr() }
    }
}
