//! Graphs for the algorithms of petgraph.

use super::{Edge, Graph, Node};
use ::petgraph::graph::{DiGraph, NodeIndex};

impl Graph {
    /// The same graph for petgraph, with nodes and edges in the same order: node k is the node with index k.
    ///
    /// ```
    /// use orbitscope_core::{GraphOf, Model};
    /// let model = Model::parse("process p[4] { var x: bool = false action flip: true -> x := not x }")?;
    /// let quotient = model.graph(GraphOf::Quotient, 100)?.to_petgraph();
    /// assert_eq!(petgraph::algo::tarjan_scc(&quotient).len(), 1);
    /// # Ok::<(), orbitscope_core::Error>(())
    /// ```
    pub fn to_petgraph(&self) -> DiGraph<Node, Edge> {
        let mut graph = DiGraph::with_capacity(self.nodes.len(), self.edges.len());
        for node in &self.nodes {
            graph.add_node(node.clone());
        }
        for edge in &self.edges {
            let (from, to) = (NodeIndex::new(edge.from.0 as usize), NodeIndex::new(edge.to.0 as usize));
            graph.add_edge(from, to, edge.clone());
        }
        graph
    }
}
