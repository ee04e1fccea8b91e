//! The log of a search as plain data: one record for each iteration.

use super::encoding::Order;
use crate::natural::Natural;
use alloc::vec::Vec;

/// Why an iteration looks at the states that it looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    /// The initial states.
    Start,
    /// The states that the iteration before added.
    Forward,
    /// The frontier was empty: the states that an under-approximation or a hint has left aside are taken up. The number
    /// is that of the hint that holds from now on, counted from 1; 0 without hints.
    TakenUp(u32),
}

/// One iteration: from a frontier to the representatives that it adds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Iteration {
    /// Why these states.
    pub kind: Kind,
    /// How many states the frontier has, and how many nodes its diagram.
    pub frontier: Natural,
    /// The nodes of the frontier's diagram.
    pub frontier_nodes: u32,
    /// How many of them were looked at.
    pub under: Natural,
    /// The nodes of their diagram.
    pub under_nodes: u32,
    /// How many different successors they have.
    pub successors: Natural,
    /// How many of these are representatives already.
    pub known: Natural,
    /// How many were removed since a representative is symmetric to them.
    pub symmetric: Natural,
    /// How many became representatives.
    pub added: Natural,
    /// All representatives so far.
    pub representatives: Natural,
    /// The nodes of their diagram.
    pub representatives_nodes: u32,
    /// The states that are known to be symmetric to them, themselves included.
    pub covered: Natural,
    /// The nodes of their diagram.
    pub covered_nodes: u32,
    /// How many times σ_Step went round for what was added.
    pub sigma_rounds: u32,
    /// Whether σ_Step came to its end.
    pub sigma_complete: bool,
    /// The nodes in use after the iteration, needed or not.
    pub nodes: u32,
}

/// The counts of the whole search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// The bits of a state.
    pub bits: u32,
    /// The order of the variables.
    pub order: Order,
    /// How many parts the relation has.
    pub parts: u32,
    /// The nodes of the relation.
    pub relation_nodes: u32,
    /// How many generators are used: those that leave the property as it is.
    pub generators: u32,
    /// How many do not, and are not used.
    pub generators_left_out: u32,
    /// The representatives.
    pub representatives: Natural,
    /// The states that are known to be symmetric to them; with a proven symmetry and a complete σ_Step these are all
    /// reachable states.
    pub covered: Natural,
    /// The most nodes that were in use at one time.
    pub peak_nodes: u32,
    /// Whether the generators were taken unchecked: then only a violation means something.
    pub falsification_only: bool,
    /// The iterations.
    pub iterations: Vec<Iteration>,
}
