//! The coloured lines in blocks. A change of the text makes the blocks anew that it touches; the page draws those alone.

use super::{Line, paint};
use std::rc::Rc;

/// A block has at most so many lines.
const BLOCK: usize = 64;

/// Some lines that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// A number that no other block of the sheet has, or had.
    pub id: u32,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// The lines of a text.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    blocks: Vec<Rc<Block>>,
    next: u32,
}

impl Sheet {
    /// The blocks, from the top.
    pub fn blocks(&self) -> &[Rc<Block>] {
        &self.blocks
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.lines.len()).sum()
    }

    /// Whether there is no line at all: a text has one at least.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The block and the line in it of a line of the text, both from 0.
    pub fn place(&self, line: usize) -> Option<(usize, usize)> {
        let mut before = 0;
        for (number, block) in self.blocks.iter().enumerate() {
            if line < before + block.lines.len() {
                return Some((number, line - before));
            }
            before += block.lines.len();
        }
        None
    }

    /// The sheet with these lines; blocks whose lines are the same stay.
    #[must_use]
    pub fn with(&self, mut lines: Vec<Line>) -> Sheet {
        let old = || self.blocks.iter().flat_map(|block| &block.lines);
        let head = old().zip(&lines).take_while(|(a, b)| a == b).count();
        let most = self.len().min(lines.len()) - head;
        let backwards = self.blocks.iter().rev().flat_map(|block| block.lines.iter().rev());
        let tail = backwards.zip(lines.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let end = lines.len() - tail;
        lines.truncate(end);
        self.spliced(head, self.len() - tail, lines.split_off(head))
    }

    /// The sheet after a change of the text, with the lines that changed coloured by themselves: a comment that goes on from
    /// the line before is not seen. The time goes with the change.
    #[must_use]
    pub fn typed(&self, before: &str, after: &str) -> Sheet {
        let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let start = after.as_bytes()[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let left = (before.len() - start).min(after.len() - start);
        let pairs = before.bytes().rev().zip(after.bytes().rev()).take(left);
        let same = pairs.take_while(|(a, b)| a == b).count();
        // The change ends with the line that it ends in.
        let rest = &after.as_bytes()[after.len() - same..];
        let tail = rest.iter().position(|&byte| byte == b'\n').map_or(0, |at| same - at);
        let lines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        let first = lines(&after[..start]);
        let last = first + lines(&before[start..before.len() - tail]) + 1;
        self.spliced(first, last, paint(&after[start..after.len() - tail]))
    }

    /// The sheet with other lines in the place of those from `from` to before `to`.
    fn spliced(&self, from: usize, to: usize, fresh: Vec<Line>) -> Sheet {
        let mut starts = vec![0];
        for block in &self.blocks {
            starts.push(starts[starts.len() - 1] + block.lines.len());
        }
        let kept = self.blocks.iter().zip(&starts[1..]).take_while(|(_, end)| **end <= from).count();
        let left = self.blocks.len() - kept;
        let below =
            starts[..self.blocks.len()].iter().rev().take(left).take_while(|start| **start >= to).count();
        let touched = kept..self.blocks.len() - below;
        let old = || self.blocks[touched.clone()].iter().flat_map(|block| &block.lines).cloned();
        let first = starts[kept];
        let lines: Vec<Line> =
            old().take(from - first).chain(fresh).chain(old().skip(to.max(from) - first)).collect();
        let mut next = self.next;
        let made = lines.chunks(BLOCK).map(|lines| {
            next += 1;
            Rc::new(Block { id: next, lines: lines.to_vec() })
        });
        let made: Vec<Rc<Block>> = made.collect();
        let above = self.blocks[..touched.start].iter().cloned();
        let blocks = above.chain(made).chain(self.blocks[touched.end..].iter().cloned()).collect();
        Sheet { blocks, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(sheet: &Sheet) -> Vec<Line> {
        sheet.blocks.iter().flat_map(|block| block.lines.clone()).collect()
    }

    fn words(line: &Line) -> String {
        line.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    fn text(lines: usize) -> String {
        let lines: Vec<String> = (0..lines).map(|line| format!("param n{line} = {line} // x")).collect();
        lines.join("\n") + "\n"
    }

    /// Places, what is taken away there, and what is put there.
    const EDITS: [(usize, usize, &str); 12] = [
        (0, 0, "a"),
        (0, 1, ""),
        (40, 0, "\n"),
        (41, 3, ""),
        (1_000, 0, "var x: 0..2\nvar y: 0..2\n"),
        (900, 700, ""),
        (300, 25, "\n\n\n"),
        (usize::MAX, 0, "end"),
        (usize::MAX, 0, "\n"),
        (0, 0, "\n\n"),
        (0, usize::MAX, ""),
        (0, 0, "process p {\n}\n"),
    ];

    #[test]
    fn a_change_gives_the_lines_of_the_new_text_and_keeps_the_other_blocks() {
        let mut source = text(400);
        let mut sheet = Sheet::default().with(paint(&source));
        for (at, gone, put) in EDITS {
            let at = at.min(source.len());
            let end = at.saturating_add(gone).min(source.len());
            let after = format!("{}{put}{}", &source[..at], &source[end..]);
            let typed = sheet.typed(&source, &after);
            let painted = paint(&after);
            assert_eq!(
                shown(&typed).iter().map(words).collect::<Vec<_>>(),
                painted.iter().map(words).collect::<Vec<_>>(),
                "{at} {gone} {put:?}"
            );
            let whole = typed.with(painted.clone());
            assert_eq!(shown(&whole), painted, "{at} {gone} {put:?}");
            assert_eq!(shown(&sheet.with(painted.clone())), painted);
            let mut ids: Vec<u32> = whole.blocks.iter().map(|block| block.id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), whole.blocks.len());
            (source, sheet) = (after, whole);
        }
    }

    #[test]
    fn a_key_touches_one_block_and_a_line_is_found() {
        let before = text(400);
        let sheet = Sheet::default().with(paint(&before));
        let at = before.find("n200").unwrap();
        let after = format!("{}{}{}", &before[..at], "new", &before[at..]);
        let typed = sheet.typed(&before, &after);
        let same = typed.blocks.iter().filter(|block| sheet.blocks.contains(block)).count();
        assert_eq!(same, sheet.blocks.len() - 1);
        let (block, line) = typed.place(200).unwrap();
        assert_eq!(words(&typed.blocks[block].lines[line]), "param newn200 = 200 // x");
        assert_eq!((typed.len(), typed.place(401)), (401, None));
    }
}
