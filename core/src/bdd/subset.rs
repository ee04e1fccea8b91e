//! Dense subsets: few nodes, many points.
//!
//! K. Ravi, F. Somenzi: High-density reachability analysis, ICCAD 1995. From the root down the branch with more points is
//! kept and the other one dropped, until what is left is small enough; on the way back a branch that was dropped returns if
//! there is room for it.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Table};
use alloc::vec::Vec;

impl Manager {
    /// A subset of f with at most `most` nodes, or with one node for each variable of a single cube where not even that is
    /// enough. It is empty only if f is.
    pub fn dense_subset(&mut self, f: &Bdd, most: u32) -> Bdd {
        let f = self.own(f);
        self.operate(|table| table.dense_subset(f, most))
    }
}

impl Table {
    fn dense_subset(&mut self, f: NodeId, most: u32) -> NodeId {
        if self.size_within(&[f], most).is_some() {
            return f;
        }
        let densities = self.densities(f);
        let mut path: Vec<(NodeId, bool)> = Vec::new();
        let mut at = f;
        while self.size_within(&[at], most.saturating_sub(path.len() as u32)).is_none() && !at.is_constant() {
            let (low, high) = self.branches(at);
            let to_high = densities[&high] > densities[&low];
            path.push((at, to_high));
            at = if to_high { high } else { low };
        }
        let mut result = at;
        for (index, &(node, to_high)) in path.iter().enumerate().rev() {
            let (variable, (low, high)) = (self.level(node), self.branches(node));
            let other = if to_high { low } else { high };
            let with = |kept: NodeId, other: NodeId| if to_high { (other, kept) } else { (kept, other) };
            // One node stands for each of those above.
            let room = most.saturating_sub(index as u32 + 1);
            let fits = other != NodeId::FALSE && self.size_within(&[result, other], room).is_some();
            let (low, high) = with(result, if fits { other } else { NodeId::FALSE });
            result = self.make(variable, low, high);
        }
        result
    }
}
