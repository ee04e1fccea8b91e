//! A function as a graph that can be drawn.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Variable};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// A decision diagram as plain data: nodes from the root downwards, the two constants first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BddGraph {
    /// The nodes; number 0 is false and number 1 is true.
    pub nodes: Vec<GraphNode>,
    /// The number of the root.
    pub root: u32,
    /// How many nodes it has in truth, where not all are listed.
    pub left_out: u32,
}

/// A node of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphNode {
    /// The variable's name; `0` and `1` for the constants.
    pub label: String,
    /// The row that it stands in: the place of its variable among those that occur; constants are in the last one.
    pub row: u32,
    /// Where to go if the variable is false and if it is true; a constant goes to itself.
    pub low: u32,
    /// See `low`.
    pub high: u32,
}

impl BddGraph {
    /// The diagram of a function, if it has at most `most` nodes; otherwise no nodes, and how many there are.
    pub fn new(bdds: &Manager, f: &Bdd, most: u32, name: impl Fn(Variable) -> String) -> BddGraph {
        let (f, table) = (bdds.own(f), &bdds.table);
        let all = table.nodes_of(f);
        if all.len() as u64 > u64::from(most) {
            return BddGraph::left_out(all.len() as u32);
        }
        let mut rows: Vec<Variable> = all.iter().filter_map(|&node| table.root(node)).collect();
        rows.dedup();
        let last = rows.len() as u32;
        let constant = |n: u32| GraphNode { label: format!("{n}"), row: last, low: n, high: n };
        let mut numbers: BTreeMap<NodeId, u32> = BTreeMap::from([(NodeId::FALSE, 0), (NodeId::TRUE, 1)]);
        numbers.extend((2u32..).zip(&all).map(|(number, &node)| (node, number)));
        let mut nodes = alloc::vec![constant(0), constant(1)];
        for &node in &all {
            let (low, high) = table.branches(node);
            let variable = table.root(node).unwrap_or(Variable(0));
            nodes.push(GraphNode {
                label: name(variable),
                row: rows.partition_point(|&v| v < variable) as u32,
                low: numbers[&low],
                high: numbers[&high],
            });
        }
        BddGraph { nodes, root: numbers[&f], left_out: 0 }
    }

    /// A diagram of this many nodes, of which none is listed.
    pub fn left_out(nodes: u32) -> BddGraph {
        BddGraph { nodes: Vec::new(), root: 0, left_out: nodes }
    }

    /// The diagram in Graphviz's language: a dashed edge where the variable is false, a solid one where it is true.
    pub fn to_dot(&self, title: &str) -> String {
        let quoted = |text: &str| format!("{text:?}");
        let mut out =
            format!("digraph {} {{\n  node [shape=circle, fontname=\"sans-serif\"];\n", quoted(title));
        let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            rows.entry(node.row).or_default().push(number);
            let shape = if number < 2 { ", shape=box" } else { "" };
            let _ = writeln!(out, "  n{number} [label={}{shape}];", quoted(&node.label));
        }
        for row in rows.values() {
            let names: Vec<String> = row.iter().map(|n| format!("n{n}")).collect();
            let _ = writeln!(out, "  {{ rank=same; {} }}", names.join("; "));
        }
        for (number, node) in self.nodes.iter().enumerate().skip(2) {
            let _ =
                writeln!(out, "  n{number} -> n{} [style=dashed];\n  n{number} -> n{};", node.low, node.high);
        }
        let _ = writeln!(out, "  start [shape=none, label=\"\"];\n  start -> n{};\n}}", self.root);
        out
    }
}
