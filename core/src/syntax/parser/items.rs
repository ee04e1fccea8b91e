//! Items: everything that starts with a keyword.

use super::super::ast::{
    AutomatonState, Fairness, Generator, Ident, InitDecl, Item, ItemKind, Logic, SymmetryDecl,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::operand::INIT;
use super::{Mode, Parser};
use crate::text::{Span, closest};
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

    pub(super) fn at_item(&self) -> bool {
        match self.peek().kind {
            TokenKind::Keyword(keyword) => keyword.starts_item(),
            TokenKind::End => true,
            _ => self.is_word("hint") || self.at_routine() || self.init_starts(0),
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
            TokenKind::Name if word == Keyword::Type.text() => "a type is named by `type NAME = TYPE`".into(),
            TokenKind::Name if word == INIT => {
                "initial states are made by `init { … }` or `init(x in D) { … }`".into()
            }
            TokenKind::Name if word == Keyword::Mu.text() => {
                "a property of the mu-calculus is written `mu NAME: FORMULA`".into()
            }
            TokenKind::Name if word == Keyword::Deadlock.text() => {
                "that no state is a deadlock is written `deadlock free`".into()
            }
            TokenKind::Name if word == Keyword::Cover.text() => {
                "that a state is reached is written `cover NAME: EXPRESSION`".into()
            }
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

    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while self.peek().kind != TokenKind::End && !stop(self) {
            self.bump();
        }
        self.panicking = false;
    }

    fn item(&mut self) -> Option<ItemKind> {
        // No reserved word: models may have a variable of this name, which cannot stand where an item starts.
        if self.is_word("hint") {
            self.bump();
            self.need("which states to look at first");
            let hint = self.state_expr();
            self.misplaced_arrow();
            return Some(ItemKind::Hint(hint));
        }
        if self.at_routine() {
            return Some(self.routine());
        }
        if self.init_starts(0) {
            self.bump();
            return Some(self.init());
        }
        let TokenKind::Keyword(keyword) = self.peek().kind else {
            self.stray();
            return None;
        };
        if !keyword.starts_item() {
            self.stray();
            return None;
        }
        let start = self.bump().span;
        Some(match keyword {
            Keyword::Param => self.param(),
            Keyword::Type => self.type_item(),
            Keyword::Shared => ItemKind::Shared(self.variable()),
            Keyword::Process => ItemKind::Process(self.process()),
            Keyword::Scalarset => ItemKind::Process(self.scalarset()),
            Keyword::Define => self.define(),
            Keyword::Fairness => self.fairness(),
            Keyword::Symmetry => ItemKind::Symmetry(self.symmetry()),
            Keyword::Invariant => self.property(Logic::Invariant),
            Keyword::Ltl => self.property(Logic::Ltl),
            Keyword::Ctl => self.property(Logic::Ctl),
            Keyword::Mu => self.property(Logic::Mu),
            Keyword::Cover => self.property(Logic::Cover),
            Keyword::Deadlock => return self.deadlock_free(start),
            Keyword::Assume => self.assume(),
            _ => self.automaton(),
        })
    }

    /// The rest of `init { … }` or `init(x in D): GUARD { … }`.
    fn init(&mut self) -> ItemKind {
        let params = self.binders_in_parentheses("to close the parameters of `init`");
        let guard = self.eat(Punct::Colon).then(|| {
            self.need("which choices make an initial state");
            self.state_expr()
        });
        if self.is(Punct::Arrow) {
            let message = "`init` has a block: `init(x in D): GUARD { … }`; what stands behind `->` belongs between its braces";
            self.error(self.peek().span, message);
        }
        let block = self.block("and the statements that make an initial state");
        ItemKind::Init(InitDecl { params, guard, block })
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

    fn type_item(&mut self) -> ItemKind {
        let name = self.name("the type's name");
        self.expect(Punct::Eq, "and the type");
        ItemKind::Type { name, ty: self.type_expr() }
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

    /// `deadlock free`, the word `deadlock` of which stands at `start`.
    fn deadlock_free(&mut self, start: Span) -> Option<ItemKind> {
        if !self.is_word("free") {
            self.expected("`free`: the property is written `deadlock free`");
            return None;
        }
        self.bump();
        if self.is(Punct::Colon) {
            let message = "`deadlock free` stands by itself; the property is called `deadlock_free`";
            self.error(self.peek().span, message);
        }
        Some(ItemKind::DeadlockFree(Ident { name: "deadlock_free".into(), span: self.since(start) }))
    }

    fn assume(&mut self) -> ItemKind {
        if self.is(Punct::Colon)
            || self.peek().kind == TokenKind::Name
                && self.peek_second().kind == TokenKind::Punct(Punct::Colon)
        {
            self.error(self.peek().span, "an assumption has no name: write `assume EXPRESSION`");
        }
        self.need("which states are looked at");
        let assumption = self.state_expr();
        self.misplaced_arrow();
        ItemKind::Assume(assumption)
    }

    fn fairness(&mut self) -> ItemKind {
        let family = self.name("the name of a process family");
        let action = self.eat(Punct::Dot).then(|| self.name("the name of an action"));
        self.expect(Punct::Colon, "and `weak`, `strong` or `none`");
        let fairness = if self.is_word("weak") {
            Fairness::Weak
        } else if self.is_word("strong") {
            Fairness::Strong
        } else if self.is_keyword(Keyword::None) {
            Fairness::None
        } else {
            self.expected("`weak`, `strong` or `none`");
            return ItemKind::Fairness { family, action, fairness: Fairness::Weak };
        };
        self.bump();
        ItemKind::Fairness { family, action, fairness }
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
            Logic::Invariant | Logic::Cover => Mode::State,
            Logic::Ltl => Mode::Ltl,
            Logic::Ctl => Mode::Ctl,
            Logic::Mu => Mode::Mu,
        });
        if matches!(logic, Logic::Invariant | Logic::Cover) {
            self.misplaced_arrow();
        }
        ItemKind::Property { logic, name, formula }
    }

    /// `()` in a declaration.
    pub(super) fn empty_parameters(&mut self) {
        if self.is(Punct::ParenClose) {
            let message = "expected a parameter, found `)`; without parameters there are no parentheses";
            self.error(self.peek().span, message);
        }
    }

    /// `->` behind an expression that is no guard.
    fn misplaced_arrow(&mut self) {
        if self.is(Punct::Arrow) {
            let message = "`->` is implication in `ltl`, `ctl` and `mu` formulas only; write `=>`";
            self.error(self.peek().span, message);
        }
    }

    fn automaton(&mut self) -> ItemKind {
        let name = self.name("the automaton's name");
        let params = self.binders_in_parentheses("to close the automaton's parameters");
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
}
