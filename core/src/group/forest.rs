//! Union-find over 0..n in which the smallest element names its class (Tarjan 1975, with path halving).

use alloc::vec::Vec;

pub(super) struct Forest {
    parent: Vec<u32>,
}

impl Forest {
    pub(super) fn new(len: u32) -> Self {
        Forest { parent: (0..len).collect() }
    }

    pub(super) fn find(&mut self, mut x: u32) -> u32 {
        while self.parent[x as usize] != x {
            let above = self.parent[self.parent[x as usize] as usize];
            self.parent[x as usize] = above;
            x = above;
        }
        x
    }

    /// Whether x and y were apart before.
    pub(super) fn unite(&mut self, x: u32, y: u32) -> bool {
        let (x, y) = (self.find(x), self.find(y));
        self.parent[x.max(y) as usize] = x.min(y);
        x != y
    }
}
