//! Bytes as a row of choices: a fuzzer that changes a byte changes one of them.

/// The choices that are left; when they run out, every choice is the first.
#[derive(Clone, Debug)]
pub(crate) struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(bytes)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn pick<'b, T: ?Sized>(&mut self, list: &[&'b T]) -> &'b T {
        list[self.below(list.len())]
    }

    /// The bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }
}
