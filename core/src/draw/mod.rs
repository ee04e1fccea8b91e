//! Pictures of graphs, as text: Graphviz, JSON and SVG.
//!
//! A [`Graph`] is plain words: whoever has something to draw says what stands in its nodes and on its edges.

mod compact;
mod dot;
mod json;
mod product;
mod quotient;
mod states;
mod svg;
mod text;

pub use compact::Compact;
pub use dot::dot;
pub use json::json;
pub use product::{product_graph, threaded_graph};
pub use quotient::{aqs_graph, aqsi_graph};
pub use states::state_graph;
pub use svg::svg;

use crate::define_id;
use crate::ids::IdVec;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A node of a picture.
    NodeId
);

/// A graph to draw.
///
/// ```
/// use orbitscope_core::draw::{Edge, EdgeStyle, Graph, Node, dot, json, svg};
/// let mut graph = Graph::new("two states");
/// let a = graph.nodes.push(Node { initial: true, label: vec!["x=false".into()], ..Node::new("s0") });
/// let b = graph.nodes.push(Node { deadlock: true, label: vec!["x=true".into()], ..Node::new("s1") });
/// graph.edges.push(Edge { from: a, to: b, label: "p[0].go".into(), style: EdgeStyle::Solid });
/// assert!(dot(&graph).contains("\"s0\" -> \"s1\""));
/// assert!(json(&graph).contains("\"initial\":true"));
/// assert!(svg(&graph).starts_with("<svg"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// What the picture shows.
    pub title: String,
    /// The nodes.
    pub nodes: IdVec<NodeId, Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// What is missing, where something is.
    pub partial: Option<String>,
}

/// A node of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "four independent marks")]
pub struct Node {
    /// A short name, different from that of any other node.
    pub name: String,
    /// The lines in the node.
    pub label: Vec<String>,
    /// Lines below these, set apart by a rule.
    pub below: Vec<String>,
    /// Whether a run may start here.
    pub initial: bool,
    /// Whether nothing leaves it.
    pub deadlock: bool,
    /// Whether it is accepting.
    pub accepting: bool,
    /// Whether what leaves it is not known.
    pub open: bool,
    /// Nodes of one class have one colour; none has no colour.
    pub class: Option<u32>,
}

impl Node {
    /// A node without a label or mark.
    pub fn new(name: impl Into<String>) -> Self {
        Node {
            name: name.into(),
            label: Vec::new(),
            below: Vec::new(),
            initial: false,
            deadlock: false,
            accepting: false,
            open: false,
            class: None,
        }
    }
}

/// An edge of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What stands on it.
    pub label: String,
    /// How it is drawn.
    pub style: EdgeStyle,
}

/// How an edge is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeStyle {
    /// A plain line.
    Solid,
    /// A faint, broken line: an edge that is left out of the search.
    Ghost,
}

impl Graph {
    /// A graph without nodes.
    pub fn new(title: impl Into<String>) -> Self {
        Graph { title: title.into(), nodes: IdVec::new(), edges: Vec::new(), partial: None }
    }
}
