//! From pieces with their line breaks to text: indentation and spaces.

use super::super::token::{Keyword, Punct};
use super::roles::{Place, Role};
use super::{Piece, PieceKind};
use alloc::string::String;
use alloc::vec::Vec;

/// Spaces for each level.
const INDENT: usize = 2;

/// Spaces between two moves of a state on one line: nothing else separates them.
const BETWEEN_MOVES: usize = 3;

pub(super) fn print(pieces: &[Piece<'_>]) -> String {
    let mut printer = Printer { text: String::new(), blocks: 0, opens: Vec::new(), line: 0 };
    for (i, piece) in pieces.iter().enumerate() {
        if piece.breaks > 0 {
            printer.line = printer.level(piece);
            printer.text.extend((0..piece.breaks).map(|_| '\n'));
            printer.spaces(printer.line * INDENT);
        } else if i > 0 {
            printer.spaces(gap(&pieces[i - 1], piece) + piece.padding);
        }
        printer.piece(piece);
        let else_if = piece.is_keyword(Keyword::Else)
            && pieces.get(i + 1).is_some_and(|next| next.breaks == 0 && next.is_keyword(Keyword::If));
        printer.enter_or_leave(piece, else_if);
    }
    if !pieces.is_empty() {
        printer.text.push('\n');
    }
    printer.text
}

/// Spaces between two pieces on one line.
pub(super) fn gap(before: &Piece<'_>, piece: &Piece<'_>) -> usize {
    let tight = if piece.is_comment() {
        before.opens_bracket() && piece.kind == PieceKind::BlockComment
    } else if before.is_comment() {
        piece.closes_bracket() || piece.is(Punct::Comma)
    } else if piece.place == Place::Element && !before.opens_block() {
        return BETWEEN_MOVES;
    } else {
        before.opens_bracket()
            || before.role == Role::Sign
            || [Punct::Bang, Punct::DotDot].iter().any(|&p| before.is(p))
            || (before.is(Punct::Dot) && before.role != Role::BodyColon)
            || piece.closes_bracket()
            || piece.role == Role::Call
            || [
                Punct::Comma,
                Punct::Colon,
                Punct::Semicolon,
                Punct::Question,
                Punct::Dot,
                Punct::DotDot,
                Punct::BracketOpen,
            ]
            .iter()
            .any(|&p| piece.is(p))
            || (piece.is(Punct::ParenOpen) && before.is_keyword(Keyword::Count))
            || (before.opens_block() && piece.closes_block())
    };
    usize::from(!tight)
}

/// Something inside a part that indents the lines that start in it.
struct Open {
    kind: OpenKind,
    /// The level of those lines.
    level: usize,
}

#[derive(PartialEq, Eq)]
enum OpenKind {
    Bracket,
    /// An `if` before its `else`.
    If,
    /// The part behind `else` or a quantifier's colon.
    Body,
}

struct Printer {
    text: String,
    /// Open blocks; parts start at this level.
    blocks: usize,
    /// The parentheses that are open inside the part, outermost first.
    opens: Vec<Open>,
    /// The level of the current line.
    line: usize,
}

impl Printer {
    fn spaces(&mut self, count: usize) {
        self.text.extend((0..count).map(|_| ' '));
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        for (i, line) in piece.text.split('\n').enumerate() {
            if i > 0 {
                self.text.push('\n');
            }
            self.text.push_str(line.trim_end());
        }
    }

    /// The level of a line that starts with this piece.
    fn level(&self, piece: &Piece<'_>) -> usize {
        let innermost = |kind| self.opens.iter().rev().find(|open| open.kind == kind);
        let inside = |open: Option<&Open>| open.map_or(self.blocks + 1, |open| open.level);
        match piece.place {
            Place::Close(_) => self.blocks - 1,
            Place::Inside | Place::Open(_) => {
                if piece.closes_bracket() {
                    inside(innermost(OpenKind::Bracket)) - 1
                } else if piece.is_keyword(Keyword::Then) || piece.is_keyword(Keyword::Else) {
                    inside(innermost(OpenKind::If)) - 1
                } else if piece.role == Role::Separator {
                    inside(innermost(OpenKind::Bracket))
                } else {
                    inside(self.opens.last())
                }
            }
            _ => self.blocks,
        }
    }

    fn enter_or_leave(&mut self, piece: &Piece<'_>, else_if: bool) {
        match piece.place {
            Place::Start | Place::Element | Place::Generator => self.opens.clear(),
            Place::Open(_) => {
                self.opens.clear();
                self.blocks += 1;
            }
            Place::Close(_) => {
                self.opens.clear();
                self.blocks -= 1;
            }
            Place::Inside | Place::Joined | Place::Between => {}
        }
        if piece.opens_bracket() {
            self.enter(OpenKind::Bracket);
        } else if piece.closes_bracket() {
            self.leave_to(&OpenKind::Bracket);
            self.opens.pop();
        } else if piece.is_keyword(Keyword::If) {
            self.enter(OpenKind::If);
        } else if piece.is_keyword(Keyword::Then) {
            self.leave_to(&OpenKind::If);
        } else if piece.is_keyword(Keyword::Else) {
            self.leave_to(&OpenKind::If);
            if let Some(open) = self.opens.pop()
                && !else_if
            {
                self.opens.push(Open { kind: OpenKind::Body, ..open });
            }
        } else if piece.role == Role::BodyColon {
            self.enter(OpenKind::Body);
        } else if piece.role == Role::Separator {
            self.leave_to(&OpenKind::Bracket);
        }
    }

    fn enter(&mut self, kind: OpenKind) {
        self.opens.push(Open { kind, level: self.line + 1 });
    }

    /// Leaves everything inside the innermost open thing of this kind.
    fn leave_to(&mut self, kind: &OpenKind) {
        while self.opens.last().is_some_and(|open| open.kind != *kind) {
            self.opens.pop();
        }
    }
}
