//! Pictures of graphs, as shapes and as text: Graphviz, JSON and SVG.
//!
//! A [`Graph`] is plain words: whoever has something to draw says what stands in its nodes and on its edges. A [`Picture`]
//! is a graph and where everything is.
//!
//! # Invariants
//!
//! One picture serves the command line's SVG, the page, and the files that the page saves. Columns are distances from the
//! initial nodes; a lattice places nodes by counts of local states and values of shared variables. A picture that grows
//! keeps every box and curve it has.

mod axes;
mod compact;
mod dot;
mod glyph;
#[cfg(feature = "serde")]
mod json;
#[cfg(feature = "petgraph")]
mod petgraph;
mod picture;
mod product;
mod quotient;
mod states;
mod svg;
mod text;

pub use axes::Axis;
pub use compact::Compact;
pub use dot::dot;
pub use glyph::{Column, Glyph, Glyphs, Strip, StripName, tint};
#[cfg(feature = "serde")]
pub use json::json;
pub use picture::{
    Course, Layout, Line, Node as DrawnNode, Path, Picture, Point, Rect, Route, Segment, Side, Tick,
};
pub use product::{product_graph, threaded_graph};
pub use quotient::{aqs_graph, aqsi_graph, part_graph};
pub use states::{short_states, state_graph};
pub use svg::{Look, svg, svg_of};

use crate::define_id;
use crate::group::Process;
use crate::ids::IdVec;
use crate::program::ActionId;
use crate::quotient::AqsId;
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A node of a picture.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    NodeId
);
define_id!(
    /// An edge of a picture.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    EdgeId
);

/// A graph to draw.
///
/// ```
/// use orbitscope_core::draw::{Edge, Graph, Node, dot, json, svg};
/// let mut graph = Graph::new("two states");
/// let a = graph.nodes.push(Node { initial: true, label: vec!["x=false".into()], ..Node::new("s0") });
/// let b = graph.nodes.push(Node { deadlock: true, label: vec!["x=true".into()], ..Node::new("s1") });
/// graph.edges.push(Edge::new(a, b, "p[0].go"));
/// assert!(dot(&graph).contains("\"s0\" -> \"s1\""));
/// assert!(json(&graph).contains("\"initial\":true"));
/// assert!(svg(&graph).starts_with("<svg"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Graph {
    /// The title of the picture.
    pub title: String,
    /// The nodes.
    pub nodes: IdVec<NodeId, Node>,
    /// The edges.
    pub edges: IdVec<EdgeId, Edge>,
    /// The measures by which the nodes differ.
    pub axes: Vec<Axis>,
    /// The names of actions, by number.
    pub actions: IdVec<ActionId, String>,
    /// The subjects of the strips in the nodes' glyphs.
    pub strips: Vec<StripName>,
    /// A sentence about the missing part, where the graph is not whole.
    pub partial: Option<String>,
}

/// A node of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::struct_excessive_bools, reason = "four independent marks")]
pub struct Node {
    /// A short name, different from that of any other node.
    pub name: String,
    /// The lines in the node.
    pub label: Vec<String>,
    /// The same in fewer characters, where that is possible: pictures have little room.
    pub short: Vec<String>,
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
    /// The state of the quotient, where it has one, and where the tracked processes are.
    pub state: Option<(AqsId, Vec<Process>)>,
    /// How many states of the program it stands for, in digits.
    pub stands_for: Option<String>,
    /// Where it is on each of the graph's axes.
    pub at: Vec<i32>,
    /// Its state where no letter can be read.
    pub glyph: Glyph,
}

impl Node {
    /// A node without a label or mark.
    pub fn new(name: impl Into<String>) -> Self {
        Node {
            name: name.into(),
            label: Vec::new(),
            short: Vec::new(),
            below: Vec::new(),
            initial: false,
            deadlock: false,
            accepting: false,
            open: false,
            class: None,
            state: None,
            stands_for: None,
            at: Vec::new(),
            glyph: Glyph::default(),
        }
    }

    /// The lines to write where there is little room.
    pub fn lines(&self) -> &[String] {
        if self.short.is_empty() { &self.label } else { &self.short }
    }
}

/// An edge of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// The text on it.
    pub label: String,
    /// The text over its line in a picture: the action.
    pub over: String,
    /// The text under its line: the permutation, where there is one.
    pub under: String,
    /// How it is drawn.
    pub style: EdgeStyle,
    /// Its position among the edges of the node where it starts.
    pub position: u32,
    /// The step that is executed; none where a state without steps repeats.
    pub step: Option<Step>,
    /// How many edges it stands for, itself included.
    pub weight: u64,
}

/// The step that an edge is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The process that executes.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// Its arguments; processes as numbers in their families.
    pub arguments: Vec<i64>,
}

impl Step {
    /// A process that executes an action.
    pub fn new(process: Process, action: ActionId, arguments: &[i64]) -> Self {
        Step { process, action, arguments: arguments.to_vec() }
    }
}

impl Edge {
    /// A plain edge.
    pub fn new(from: NodeId, to: NodeId, label: impl Into<String>) -> Self {
        let label = label.into();
        Edge {
            from,
            to,
            over: label.clone(),
            label,
            under: String::new(),
            style: EdgeStyle::Solid,
            position: 0,
            step: None,
            weight: 1,
        }
    }
}

/// How an edge is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeStyle {
    /// A plain line.
    Solid,
    /// A faint, broken line: an edge that is left out of the search.
    Ghost,
}

impl Graph {
    /// A graph without nodes.
    pub fn new(title: impl Into<String>) -> Self {
        Graph {
            title: title.into(),
            nodes: IdVec::new(),
            edges: IdVec::new(),
            axes: Vec::new(),
            actions: IdVec::new(),
            strips: Vec::new(),
            partial: None,
        }
    }
}
