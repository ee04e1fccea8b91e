//! How large a function is: its nodes, its variables, and the points where it is true.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Table, Variable};
use crate::natural::Natural;
use crate::sort::Sort as _;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

impl Manager {
    /// The nodes of several functions, shared ones counted once; constants are not counted.
    pub fn size<'b>(&self, functions: impl IntoIterator<Item = &'b Bdd>) -> u32 {
        let functions: Vec<NodeId> = functions.into_iter().map(|f| self.own(f)).collect();
        self.table.size_within(&functions, u32::MAX).unwrap_or(u32::MAX)
    }

    /// The variables that it depends on.
    pub fn support(&self, f: &Bdd) -> BTreeSet<Variable> {
        let nodes = self.table.nodes_of(self.own(f));
        nodes.into_iter().filter_map(|node| self.table.root(node)).collect()
    }

    /// At how many points it is true, as a function of these variables, which are in order and which it depends on alone.
    pub fn count(&self, f: &Bdd, variables: &[Variable]) -> Natural {
        self.table.count(self.own(f), variables)
    }

    /// The first point where it is true: false is tried before true, from the root on. What is not mentioned is free.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<(Variable, bool)>> {
        self.table.pick(self.own(f))
    }

    /// Whether it is true where each variable has the value that `of` gives.
    pub fn eval(&self, f: &Bdd, of: impl Fn(Variable) -> bool) -> bool {
        self.table.eval(self.own(f), of)
    }
}

impl Table {
    /// The nodes of several functions, if there are at most `most`.
    pub(super) fn size_within(&self, functions: &[NodeId], most: u32) -> Option<u32> {
        let mut seen: HashSet<NodeId, FxBuildHasher> = HashSet::default();
        let mut stack: Vec<NodeId> = functions.to_vec();
        while let Some(f) = stack.pop() {
            if !f.is_constant() && seen.insert(f) {
                if seen.len() as u64 > u64::from(most) {
                    return None;
                }
                let (low, high) = self.branches(f);
                stack.push(low);
                stack.push(high);
            }
        }
        Some(seen.len() as u32)
    }

    /// The nodes that a function consists of, without the constants, from the root downwards: by variable, and from the left.
    pub(super) fn nodes_of(&self, f: NodeId) -> Vec<NodeId> {
        let mut seen: HashSet<NodeId, FxBuildHasher> = HashSet::default();
        let mut order = Vec::new();
        let mut stack = alloc::vec![f];
        while let Some(f) = stack.pop() {
            if !f.is_constant() && seen.insert(f) {
                order.push(f);
                let (low, high) = self.branches(f);
                stack.push(high);
                stack.push(low);
            }
        }
        order.arrange_by_key(|&f| self.level(f));
        order
    }

    fn count(&self, f: NodeId, variables: &[Variable]) -> Natural {
        // The place of each variable, and of the constants behind all of them.
        let place = |f: NodeId| match self.root(f) {
            Some(variable) => variables.partition_point(|&v| v < variable) as u32,
            None => variables.len() as u32,
        };
        let mut counts: HashMap<NodeId, Natural, FxBuildHasher> = HashMap::default();
        counts.insert(NodeId::FALSE, Natural::zero());
        counts.insert(NodeId::TRUE, Natural::one());
        for node in self.nodes_of(f).into_iter().rev() {
            let below = place(node) + 1;
            let (low, high) = self.branches(node);
            let mut sum = Natural::zero();
            for child in [low, high] {
                let mut part = counts[&child].clone();
                part.double(place(child).saturating_sub(below));
                sum.add(&part);
            }
            counts.insert(node, sum);
        }
        let mut count = counts[&f].clone();
        count.double(place(f));
        count
    }

    /// At which part of all points each of its nodes is true.
    pub(super) fn densities(&self, f: NodeId) -> HashMap<NodeId, f64, FxBuildHasher> {
        let mut densities: HashMap<NodeId, f64, FxBuildHasher> = HashMap::default();
        densities.insert(NodeId::FALSE, 0.0);
        densities.insert(NodeId::TRUE, 1.0);
        for node in self.nodes_of(f).into_iter().rev() {
            let (low, high) = self.branches(node);
            let density = f64::midpoint(densities[&low], densities[&high]);
            densities.insert(node, density);
        }
        densities
    }

    fn pick(&self, f: NodeId) -> Option<Vec<(Variable, bool)>> {
        if f == NodeId::FALSE {
            return None;
        }
        let mut path = Vec::new();
        let mut at = f;
        while let Some(variable) = self.root(at) {
            let (low, high) = self.branches(at);
            let value = low == NodeId::FALSE;
            path.push((variable, value));
            at = if value { high } else { low };
        }
        Some(path)
    }

    fn eval(&self, f: NodeId, of: impl Fn(Variable) -> bool) -> bool {
        let mut at = f;
        while let Some(variable) = self.root(at) {
            let (low, high) = self.branches(at);
            at = if of(variable) { high } else { low };
        }
        at == NodeId::TRUE
    }
}
