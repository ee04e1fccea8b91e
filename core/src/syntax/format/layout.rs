//! Where lines break, and which guards stand below each other.

use super::super::token::Keyword;
use super::print::gap;
use super::roles::{Block, Place, Role};
use super::{Piece, PieceKind};
use alloc::vec;
use alloc::vec::Vec;

/// Gives every piece the line breaks and the padding that it has in the result.
pub(super) fn lay_out(pieces: &mut [Piece<'_>]) {
    let spread = spread_blocks(pieces);
    if let Some(first) = pieces.first_mut() {
        first.breaks = 0;
    }
    for i in 1..pieces.len() {
        let opened = pieces[i - 1].opens_block();
        if opened {
            pieces[i].breaks = pieces[i].breaks.min(1);
        }
        match pieces[i].place {
            Place::Start => break_before(pieces, i),
            Place::Element if spread[i] => break_before(pieces, i),
            Place::Open(_) | Place::Joined if pieces[i - 1].kind == PieceKind::LineComment => {
                pieces[i].breaks = 1;
            }
            Place::Open(_) | Place::Joined => pieces[i].breaks = 0,
            Place::Close(block) => {
                pieces[i].breaks = u8::from(!opened && (block == Block::Body || spread[i]));
            }
            _ => {}
        }
    }
    align_guards(pieces);
}

/// For the pieces inside a [`Block::List`], its last brace included, whether the author gave it more than one line.
fn spread_blocks(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut spread: Vec<Option<bool>> = vec![None; pieces.len()];
    // Where each open block starts, and whether a line breaks in it so far.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        if piece.breaks > 0
            && let Some((_, broken)) = open.last_mut()
        {
            *broken = true;
        }
        match piece.place {
            Place::Open(Block::List) => open.push((i, false)),
            Place::Close(Block::List) => {
                if let Some((start, broken)) = open.pop() {
                    // The inner block is decided already.
                    spread[start + 1..=i].iter_mut().for_each(|known| *known = known.or(Some(broken)));
                    if let Some((_, outer)) = open.last_mut() {
                        *outer |= broken;
                    }
                }
            }
            _ => {}
        }
    }
    spread.into_iter().map(|known| known == Some(true)).collect()
}

/// A line break before a piece and the comments that stand on its line before it.
fn break_before(pieces: &mut [Piece<'_>], mut i: usize) {
    while i > 0 && pieces[i].breaks == 0 && pieces[i - 1].is_comment() {
        i -= 1;
    }
    if i > 0 {
        pieces[i].breaks = pieces[i].breaks.max(1);
    }
}

/// The start of an action whose guard begins on the first line.
struct Header {
    guard: usize,
    /// How far behind `action` the author put the guard.
    offset: u32,
    /// How wide everything before the guard is in the result.
    width: usize,
}

/// Keeps the guards of actions on consecutive lines below each other where the author put them so.
fn align_guards(pieces: &mut [Piece<'_>]) {
    let mut run: Vec<Header> = Vec::new();
    for i in 0..pieces.len() {
        let action = pieces[i].is_keyword(Keyword::Action) || pieces[i].role == Role::Label;
        if pieces[i].breaks > u8::from(action) {
            align(pieces, &mut run);
        }
        if action {
            let header = header(pieces, i);
            if run.last().map(|h| h.offset) != header.as_ref().map(|h| h.offset) {
                align(pieces, &mut run);
            }
            run.extend(header);
        }
    }
    align(pieces, &mut run);
}

fn header(pieces: &[Piece<'_>], action: usize) -> Option<Header> {
    let mut width = pieces[action].text.len();
    for i in action + 1.. {
        let (before, piece) = (&pieces[i - 1], pieces.get(i)?);
        if piece.breaks > 0 || piece.is_comment() {
            return None;
        }
        if before.role == Role::GuardColon {
            return Some(Header { guard: i, offset: piece.start - pieces[action].start, width });
        }
        width += gap(before, piece) + piece.text.len();
    }
    None
}

fn align(pieces: &mut [Piece<'_>], run: &mut Vec<Header>) {
    let width = run.iter().map(|h| h.width).max().unwrap_or(0);
    for header in run.drain(..) {
        pieces[header.guard].padding = width - header.width;
    }
}
