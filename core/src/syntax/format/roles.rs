//! The role of each token, as far as white space depends on it.

use super::super::ast::{ExprKind, File, ItemKind};
use super::super::token::{Keyword, Punct, Token, TokenKind};
use alloc::vec;
use alloc::vec::Vec;

/// Where a token stands among the parts of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Inside a part.
    Inside,
    /// It starts an item, a variable, an action or a state: always on a line of its own.
    Start,
    /// It starts a move of an automaton or the first generator: on a line of its own where its block has several.
    Element,
    /// It starts another generator, where the author wants it.
    Generator,
    /// It opens a block.
    Open(Block),
    /// It closes a block.
    Close(Block),
    /// It goes on behind a closing brace, on its line.
    Joined,
    /// A comment between two parts.
    Between,
}

impl Place {
    /// The place of a comment that stands before a token of this place.
    pub(super) fn of_comment(self) -> Place {
        match self {
            Place::Inside | Place::Open(_) | Place::Joined => Place::Inside,
            _ => Place::Between,
        }
    }
}

/// A pair of braces whose content is indented.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// The braces of a process or an automaton: what is in them always has lines of its own.
    Body,
    /// The braces of a state or of generators: they may stand on one line.
    List,
}

/// The role of a token inside its part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// A sign: no space behind it.
    Sign,
    /// A parenthesis without a space before it.
    Call,
    /// A label, where its step begins on the same line.
    Label,
    /// The colon before an action's guard, or behind a label.
    GuardColon,
    /// The colon of a quantifier, or the dot of a fixed point: its body goes on as far as it can.
    BodyColon,
    /// A comma or arrow that ends such a body.
    Separator,
}

/// Place and role of every token of a text without errors.
pub(super) fn roles(file: &File, tokens: &[Token]) -> Vec<(Place, Role)> {
    let mut roles = vec![(Place::Inside, Role::Plain); tokens.len()];
    let mut scan = Scan::default();
    let worded =
        |kind: &ItemKind| matches!(kind, ItemKind::Hint(_) | ItemKind::Routine(_) | ItemKind::Init(_));
    let hints = file.items.iter().filter(|item| worded(&item.kind));
    let hints: Vec<u32> = hints.map(|item| item.span.start).collect();
    // `count(s)` binds no name, and so has no colon.
    let mut counts: Vec<u32> = Vec::new();
    for expr in &file.exprs {
        if let ExprKind::Call(name, _) = &expr.kind
            && name.name == Keyword::Count.text()
        {
            counts.push(name.span.start);
        }
    }
    counts.sort_unstable();
    for (i, token) in tokens.iter().enumerate() {
        let before = |n: usize| i.checked_sub(n).map(|j| (tokens[j].kind, roles[j].0));
        // `sum(x in`: the word is a name elsewhere, and its parenthesis opens a quantifier.
        let binds = token.kind == TokenKind::Keyword(Keyword::In)
            && before(2).is_some_and(|b| b.0 == TokenKind::Punct(Punct::ParenOpen))
            && before(3).is_some_and(|b| b.0 == TokenKind::Name)
            && hints.binary_search(&tokens[i - 3].span.start).is_err()
            && !before(4)
                .is_some_and(|b| matches!(b.0, TokenKind::Keyword(Keyword::Action | Keyword::Automaton)));
        // Only the tree knows where the word is no name.
        let hint = hints.binary_search(&token.span.start).is_ok();
        let role = if hint { scan.hint() } else { scan.token(token.kind, before(1), before(2)) };
        roles[i] = role;
        if counts.binary_search(&token.span.start).is_ok() {
            scan.quantifiers -= 1;
        }
        if binds {
            scan.quantifiers += 1;
            roles[i - 2].1 = Role::Call;
        }
    }
    super::statements::roles(file, tokens, &mut roles);
    // Only the tree knows whether a minus is a sign and a name is called.
    let at = |offset: u32| tokens.partition_point(|token| token.span.start < offset);
    for expr in &file.exprs {
        match &expr.kind {
            ExprKind::Neg(_) => {
                let mut sign = at(expr.span.start);
                while tokens[sign].kind == TokenKind::Punct(Punct::ParenOpen) {
                    sign += 1;
                }
                roles[sign].1 = Role::Sign;
            }
            ExprKind::Call(name, _) | ExprKind::Make(name, _) => {
                roles[at(name.span.start) + 1].1 = Role::Call;
            }
            ExprKind::Fixpoint(_, name, _) => roles[at(name.span.start) + 1].1 = Role::BodyColon,
            _ => {}
        }
    }
    roles
}

#[derive(Default)]
struct Scan {
    item: Option<Keyword>,
    /// Open braces of the item.
    braces: u32,
    /// Open parentheses and brackets.
    brackets: u32,
    /// Quantifiers whose colon has not come yet.
    quantifiers: u32,
    /// Whether the colon of an action has not come yet.
    header: bool,
}

type Before = Option<(TokenKind, Place)>;

impl Scan {
    fn token(&mut self, kind: TokenKind, before: Before, second: Before) -> (Place, Role) {
        let place = self.start(kind, before, second);
        match kind {
            TokenKind::Keyword(Keyword::Forall | Keyword::Exists | Keyword::Count) => self.quantifiers += 1,
            TokenKind::Keyword(Keyword::Action) => self.header = true,
            TokenKind::Punct(punct) => return self.punct(punct, place, before, second),
            TokenKind::End => return (Place::Start, Role::Plain),
            _ => {}
        }
        (place, Role::Plain)
    }

    /// The word of a `hint` or `init`, or of a procedure or function.
    fn hint(&mut self) -> (Place, Role) {
        *self = Scan::default();
        (Place::Start, Role::Plain)
    }

    /// Whether a part starts here.
    fn start(&mut self, kind: TokenKind, before: Before, second: Before) -> Place {
        if let TokenKind::Keyword(keyword) = kind
            && (keyword.starts_item() || keyword.starts_member())
        {
            if keyword.starts_item() {
                *self = Scan { item: Some(keyword), ..Scan::default() };
            }
            return Place::Start;
        }
        if kind == TokenKind::Punct(Punct::BraceClose) {
            return Place::Inside;
        }
        let Some((last, place)) = before else { return Place::Inside };
        let opened = matches!(place, Place::Open(_));
        match (self.item, self.braces) {
            (Some(Keyword::Automaton), 1) if opened || matches!(place, Place::Close(_)) => Place::Start,
            (Some(Keyword::Automaton), 2)
                if opened || second.is_some_and(|s| s.0 == TokenKind::Punct(Punct::Arrow)) =>
            {
                Place::Element
            }
            (Some(Keyword::Symmetry), 1) if opened => Place::Element,
            (Some(Keyword::Symmetry), 1) if last == TokenKind::Punct(Punct::Comma) && self.brackets == 0 => {
                Place::Generator
            }
            _ => Place::Inside,
        }
    }

    fn punct(&mut self, punct: Punct, place: Place, before: Before, second: Before) -> (Place, Role) {
        match punct {
            Punct::BraceOpen => {
                let block = self.block();
                self.braces += 1;
                self.header = false;
                return (block.map_or(Place::Inside, Place::Open), Role::Plain);
            }
            Punct::BraceClose => {
                self.braces -= 1;
                return (self.block().map_or(Place::Inside, Place::Close), Role::Plain);
            }
            Punct::ParenOpen | Punct::BracketOpen => self.brackets += 1,
            Punct::ParenClose | Punct::BracketClose => self.brackets -= 1,
            _ => {}
        }
        let role = match punct {
            Punct::ParenOpen if self.declares(second) || self.next_cycle(before) => Role::Call,
            Punct::Colon if self.quantifiers > 0 => {
                self.quantifiers -= 1;
                Role::BodyColon
            }
            Punct::Colon if self.header => {
                self.header = false;
                Role::GuardColon
            }
            Punct::Comma if self.quantifiers == 0 => Role::Separator,
            Punct::Arrow if !matches!(self.item, Some(Keyword::Ltl | Keyword::Ctl | Keyword::Mu)) => {
                Role::Separator
            }
            _ => Role::Plain,
        };
        (place, role)
    }

    /// The block whose brace stands at this depth; an enumeration is none.
    fn block(&self) -> Option<Block> {
        match (self.item, self.braces) {
            (Some(Keyword::Process | Keyword::Automaton), 0) => Some(Block::Body),
            (Some(Keyword::Symmetry), 0) | (Some(Keyword::Automaton), 1) => Some(Block::List),
            _ => None,
        }
    }

    /// `action go(`, `define f(`, `automaton a(`
    fn declares(&self, second: Before) -> bool {
        let keyword = |k| second.is_some_and(|s| s.0 == TokenKind::Keyword(k));
        self.brackets == 1
            && (keyword(Keyword::Action) || keyword(Keyword::Define) || keyword(Keyword::Automaton))
    }

    /// The second cycle of a generator: `(a b)(c d)`.
    fn next_cycle(&self, before: Before) -> bool {
        self.item == Some(Keyword::Symmetry)
            && self.brackets == 1
            && before.is_some_and(|b| b.0 == TokenKind::Punct(Punct::ParenClose))
    }
}
