//! The graphs that runs are walked on: the products of the three methods.

use crate::automaton::Marks;
use crate::group::{Group, Partition, Perm, Process};
use crate::product::{NodeId, ProcessSet, Product, ProductEdge, ProductFault};
use crate::program::{ActionId, Program};
use alloc::vec::Vec;

/// A graph that a run is walked on: nodes that stand for states of the program, and edges with their permutations.
pub(crate) trait Ground<'p> {
    fn program(&self) -> &'p Program;
    fn all_marks(&self) -> Marks;
    /// How many nodes have been found; they have the numbers below.
    fn len(&self) -> u32;
    /// The initial nodes, each with the permutation that takes it to an initial state of the program.
    fn roots(&self) -> &[(NodeId, Perm)];
    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault>;
    /// The processes that are enabled at a node.
    fn enabled(&mut self, node: NodeId) -> Result<ProcessSet, ProductFault>;
    /// The processes that can execute an action at a node; the action is to be fair by itself.
    fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault>;
    /// The permutations that fix a node, where its edges stand for all that these turn them to.
    fn stabiliser(&mut self, node: NodeId) -> Result<Group, ProductFault>;
    /// Its orbits.
    fn orbits(&mut self, node: NodeId) -> Result<Partition, ProductFault>;
    /// The node's state as a plain one.
    fn flat(&self, node: NodeId) -> Vec<i32>;
    /// The process, the action and the arguments of a node's step.
    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault>;
    /// Whether permutations move the automaton's states.
    fn moves_automaton(&self) -> bool {
        false
    }
    /// Whether two permutations that take the node's state to one state of the program are known to take its automaton's
    /// state to one too.
    fn same_automaton_state(&mut self, _: NodeId, _: &Perm, _: &Perm) -> bool {
        true
    }
}

impl<'p> Ground<'p> for Product<'p> {
    fn program(&self) -> &'p Program {
        Product::program(self)
    }

    fn all_marks(&self) -> Marks {
        self.automaton().all_marks()
    }

    fn len(&self) -> u32 {
        Product::len(self)
    }

    fn roots(&self) -> &[(NodeId, Perm)] {
        Product::roots(self)
    }

    fn edges(&mut self, node: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Product::edges(self, node)
    }

    fn enabled(&mut self, node: NodeId) -> Result<ProcessSet, ProductFault> {
        Ok(self.place(node)?.enabled.clone())
    }

    fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        Product::offering(self, node, action)
    }

    fn stabiliser(&mut self, node: NodeId) -> Result<Group, ProductFault> {
        Ok(self.place(node)?.stabiliser.clone())
    }

    fn orbits(&mut self, node: NodeId) -> Result<Partition, ProductFault> {
        Ok(Product::orbits(self, node))
    }

    fn flat(&self, node: NodeId) -> Vec<i32> {
        let (place, _) = self.node(node);
        let (state, _) = self.aqsi().node(place);
        self.aqsi().aqs().flat(state)
    }

    fn step(&mut self, node: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        let step = Product::step(self, node, number)?;
        Ok((step.process, step.action, step.arguments))
    }

    fn moves_automaton(&self) -> bool {
        Product::moves_automaton(self)
    }

    fn same_automaton_state(&mut self, node: NodeId, one: &Perm, other: &Perm) -> bool {
        self.fixes_automaton_state(node, &one.inverse().compose(other))
    }
}
