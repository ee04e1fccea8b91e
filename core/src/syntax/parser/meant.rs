//! Words and signs of other languages: what is written here instead.

use super::super::token::{Keyword, Punct, Token, TokenKind};
use super::Parser;
use alloc::format;

impl Parser<'_> {
    /// The token behind the next one, if it is on the same line.
    fn beside(&self) -> Option<Token> {
        let second = self.peek_second();
        (!self.text_between(self.peek(), second).contains('\n')).then_some(second)
    }

    fn text_between(&self, first: Token, second: Token) -> &str {
        crate::text::Span::new(first.span.end, second.span.start).text(self.source)
    }

    /// Says what is written instead of a statement of another language, where one starts here.
    pub(super) fn foreign_statement(&mut self) -> bool {
        let Some(next) = self.beside() else { return false };
        let followed = matches!(
            next.kind,
            TokenKind::Name | TokenKind::Int | TokenKind::Punct(Punct::BraceOpen) | TokenKind::Keyword(_)
        );
        let word = self.text(self.peek());
        let instead = match word {
            "elseif" | "elif" | "elsif" => "the next condition is `else if E { … }`",
            "default" | "otherwise" => "all other cases are `else { … }`",
            "when" | "wait" => "code waits with `await E`",
            "repeat" | "do" => "what is repeated is `while E { … }`, for ever `loop { … }`",
            "foreach" => "what is done for all is `for x in D { … }`",
            "begin" => "a block stands between `{` and `}`",
            "choose" | "any" => "a choice is `with x in D { … }`, in code",
            "call" => "a procedure is called by its name: `f(x)`",
            "add" | "remove" => "a bag is changed by `add m to net` and `remove m from net`",
            _ => return false,
        };
        // A procedure may have such a name.
        let declared = self
            .tokens
            .windows(2)
            .any(|pair| self.text(pair[0]) == "procedure" && self.text(pair[1]) == word);
        if declared {
            return false;
        }
        if followed {
            self.error(self.peek().span, format!("this is no statement: {instead}"));
        }
        followed
    }

    /// Says how an assignment is written, where it has a sign of another language.
    pub(super) fn foreign_assignment(&mut self) {
        let signs = (self.peek().kind, self.peek_second().kind);
        let span = self.peek().span;
        match signs {
            (
                TokenKind::Punct(sign @ (Punct::Plus | Punct::Minus | Punct::Star)),
                TokenKind::Punct(Punct::Eq),
            ) => {
                let sign = sign.text();
                self.error(span, format!("an assignment is written out: `x := x {sign} 1`, not `{sign}=`"));
            }
            (TokenKind::Punct(a @ (Punct::Plus | Punct::Minus)), TokenKind::Punct(b)) if a == b => {
                let sign = a.text();
                self.error(span, format!("an assignment is written out: `x := x {sign} 1`"));
            }
            _ => {}
        }
    }

    /// Says that a block has braces, where something else follows the head of a statement.
    pub(super) fn needs_braces(&mut self, form: &str) {
        if !self.panicking && !self.is(Punct::BraceOpen) {
            let found = self.found();
            self.error(self.peek().span, format!("expected `{{`, found {found}: this is written `{form}`"));
        }
    }

    /// A declaration among statements.
    pub(super) fn misplaced_declaration(&mut self) -> bool {
        let shared = self.is_keyword(Keyword::Shared) && self.beside().is_some() && self.goes_on_a_line();
        if !shared {
            return false;
        }
        let message = "a shared variable is declared outside of processes; one that is needed here only is `var x: TYPE = VALUE`";
        self.error(self.peek().span, message);
        // Recovery would stop at this word.
        self.bump();
        true
    }

    /// Whether the next token does not begin its line.
    fn goes_on_a_line(&self) -> bool {
        !self.line_break_before(self.peek())
    }

    /// Says how a type is written, where a word of another language stands for it.
    pub(super) fn foreign_type(&mut self) -> bool {
        let Some(next) = self.beside() else { return false };
        let punct = |punct| next.kind == TokenKind::Punct(punct);
        let name = next.kind == TokenKind::Name;
        let instead = match self.text(self.peek()) {
            "record" | "struct" if punct(Punct::ParenOpen) || punct(Punct::BraceOpen) => {
                "a record is `record { kind: {read, ack}, from: client }`"
            }
            "set" if next.kind == TokenKind::Int || punct(Punct::BraceOpen) || punct(Punct::BracketOpen) => {
                "a set is `set of D`"
            }
            "bag" | "multiset" if name && self.text(next) == "of" => {
                "a bag says how many it has room for: `bag[3] of T`"
            }
            "queue" | "channel" | "chan" if name && self.text(next) == "of" => {
                "a queue says how many it has room for: `queue[3] of T`"
            }
            "array" if punct(Punct::BracketOpen) || name => {
                "a table has its index behind its name: `shared t[0..3]: bool = false`"
            }
            "enum" if punct(Punct::BraceOpen) => "an enumeration is written without a word: `{a, b}`",
            "option" | "optional" | "maybe" if name => "a type with an empty value is `T?`",
            _ => return false,
        };
        self.error(self.peek().span, format!("this is no type: {instead}"));
        true
    }
}
