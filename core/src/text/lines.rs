//! From byte offsets to lines and columns.

use alloc::vec::Vec;

/// A place in a text as people count it: line and column start at 1, a column is a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where each line of a text starts.
///
/// ```
/// use orbitscope_core::text::{LineIndex, Position};
/// let lines = LineIndex::new("ab\ncd");
/// assert_eq!(lines.position(4), Position { line: 2, column: 2 });
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    source: &'a str,
    starts: Vec<u32>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `source`.
    pub fn new(source: &'a str) -> Self {
        let newlines = source.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        LineIndex { source, starts: core::iter::once(0).chain(newlines).collect() }
    }

    /// Line and column of a byte offset; an offset behind the end is taken as the end.
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &self.source[self.starts[line] as usize..offset];
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// The text of a line (from 1), without its line break.
    pub fn line(&self, line: u32) -> &'a str {
        let index = line.saturating_sub(1) as usize;
        let Some(&start) = self.starts.get(index) else { return "" };
        let end = self.starts.get(index + 1).map_or(self.source.len(), |&next| next as usize - 1);
        self.source[start as usize..end].trim_end_matches('\r')
    }
}
