//! Bitmaps over the vertices of a graph, packed 64 to a word: one bit for each state and subformula.

use super::graph::Vertex;
use crate::ids::Id;
use alloc::vec::Vec;

/// A truth value for each vertex.
///
/// ```
/// use orbitscope_core::ctl::{Bitmap, Vertex};
/// let mut bits = Bitmap::filled(70, false);
/// bits.set(Vertex(69), true);
/// assert!(bits.get(Vertex(69)) && bits.count() == 1);
/// bits.invert();
/// assert_eq!(bits.count(), 69);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bitmap {
    /// The bits behind the last vertex are zero.
    words: Vec<u64>,
    len: u32,
}

impl Bitmap {
    /// The same value for each of `len` vertices.
    pub fn filled(len: u32, value: bool) -> Bitmap {
        let mut bits = Bitmap { words: alloc::vec![0; len.div_ceil(64) as usize], len };
        if value {
            bits.invert();
        }
        bits
    }

    /// How many vertices it is about.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether it is about no vertex.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the value of the next vertex.
    pub fn push(&mut self, value: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        self.set(Vertex(self.len - 1), value);
    }

    /// The value of a vertex.
    pub fn get(&self, vertex: Vertex) -> bool {
        self.words[vertex.index() / 64] >> (vertex.0 % 64) & 1 == 1
    }

    /// Sets the value of a vertex.
    pub fn set(&mut self, vertex: Vertex, value: bool) {
        let word = &mut self.words[vertex.index() / 64];
        let bit = 1 << (vertex.0 % 64);
        if value { *word |= bit } else { *word &= !bit }
    }

    /// Negates every value.
    pub fn invert(&mut self) {
        for word in &mut self.words {
            *word = !*word;
        }
        let used = self.len % 64;
        if used > 0
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << used) - 1;
        }
    }

    /// Takes the conjunction with another, value by value.
    pub fn and(&mut self, other: &Bitmap) {
        self.combine(other, |a, b| a & b);
    }

    /// Takes the disjunction with another, value by value.
    pub fn or(&mut self, other: &Bitmap) {
        self.combine(other, |a, b| a | b);
    }

    fn combine(&mut self, other: &Bitmap, with: impl Fn(u64, u64) -> u64) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = with(*word, *other);
        }
    }

    /// How many values are true.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The first vertex from `from` on whose value is false.
    pub fn first_unset(&self, from: Vertex) -> Option<Vertex> {
        let mut word = from.index() / 64;
        let mut free = !*self.words.get(word)? & (u64::MAX << (from.0 % 64));
        while free == 0 {
            word += 1;
            free = !*self.words.get(word)?;
        }
        let vertex = (word * 64) as u32 + free.trailing_zeros();
        (vertex < self.len).then_some(Vertex(vertex))
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>()) as u64
    }
}
