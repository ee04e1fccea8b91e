//! Where everything is: a graph with boxes, curves and places of labels, in units of the drawing.
//!
//! One picture serves all who draw it: the SVG of the command line, the page, and what the page gives away.

mod geometry;
mod grow;
mod lattice;
mod layered;

pub(super) use geometry::length;
pub use geometry::{Path, Point, Rect, Segment};

use super::Graph;
use crate::draw::{EdgeId, NodeId};
use crate::ids::IdVec;
use alloc::string::String;
use alloc::vec::Vec;

/// A drawn graph.
///
/// ```
/// use orbitscope_core::draw::{Edge, Graph, Node, Picture};
/// let mut graph = Graph::new("two states");
/// let a = graph.nodes.push(Node { initial: true, ..Node::new("s0") });
/// let b = graph.nodes.push(Node::new("s1"));
/// graph.edges.push(Edge::new(a, b, "go"));
/// let picture = Picture::layered(graph);
/// assert!(picture.nodes[a].area.centre().x < picture.nodes[b].area.centre().x);
/// assert!(picture.lattice_too().is_none());
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Picture {
    /// The graph.
    pub graph: Graph,
    /// How it is laid out.
    pub layout: Layout,
    /// The boxes.
    pub nodes: IdVec<NodeId, Node>,
    /// The curves.
    pub routes: IdVec<EdgeId, Route>,
    /// The names of columns and rows; only a lattice has them.
    pub sides: Vec<Side>,
    /// How large it is; the corner at the top left is (0, 0).
    pub size: Point,
}

/// How a picture is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Layout {
    /// In columns by the distance from the initial nodes, with a label on each edge where they are few.
    Layered {
        /// Whether there is room for the labels of edges.
        labels: bool,
    },
    /// By the numbers of processes in local states and the values of shared variables.
    Lattice,
}

/// A node's box.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Node {
    /// The box.
    pub area: Rect,
    /// The lines of its label.
    pub label: Vec<Line>,
    /// The lines below the rule.
    pub below: Vec<Line>,
    /// The height of the rule, if there is one.
    pub rule: Option<f32>,
    /// Where the arrow into an initial node starts; it ends at the box, level.
    pub start: Option<Point>,
    /// Its column and its row in the column: where arrow keys go.
    pub cell: (u32, u32),
}

/// A line of text, centred on the middle of what it belongs to.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The height of its base line.
    pub base: f32,
    /// The text.
    pub text: String,
}

/// An edge's curve.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Route {
    /// The curve, from box to box.
    pub path: Path,
    /// Which way it goes.
    pub course: Course,
    /// The middle of its label.
    pub label: Point,
    /// The lines of its label: over its line what is done, under it the permutation.
    pub lines: Vec<Line>,
}

/// Which way an edge goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Course {
    /// On to a later column.
    Forward,
    /// Back to an earlier one.
    Back,
    /// To another node of its column.
    Level,
    /// To the node it came from.
    Loop,
}

/// The columns or the rows of a lattice.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Side {
    /// The name of the measure that is counted or read.
    pub name: String,
    /// The places, from left to right or from top to bottom.
    pub ticks: Vec<Tick>,
}

/// A column or a row of a lattice.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tick {
    /// Its middle.
    pub at: f32,
    /// The value at this place.
    pub label: String,
}

// Coordinates are rounded from finite ones: none is not a number, so a picture equals itself.
impl Eq for Picture {}

impl Picture {
    /// The graph in columns by the distance from the initial nodes.
    pub fn layered(graph: Graph) -> Picture {
        layered::picture(graph)
    }

    /// The graph as a lattice, if its nodes can be told apart by few numbers.
    pub fn lattice(graph: &Graph) -> Option<Picture> {
        lattice::picture(graph)
    }

    /// The same graph as a lattice.
    pub fn lattice_too(&self) -> Option<Picture> {
        lattice::picture(&self.graph)
    }

    /// Whether this lattice shows more than layers would: it is large, full, and its edges are short.
    pub fn is_clear_lattice(&self) -> bool {
        self.layout == Layout::Lattice && lattice::is_clearer(self)
    }

    /// The clearer of the two: a lattice where the graph is large and fills one.
    pub fn clearest(graph: Graph) -> Picture {
        match lattice::picture(&graph).filter(Picture::is_clear_lattice) {
            Some(lattice) => lattice,
            None => layered::picture(graph),
        }
    }

    /// A larger graph that begins with this picture's nodes and edges: those stay where they are.
    #[must_use]
    pub fn grown(&self, graph: Graph) -> Picture {
        grow::grown(self, graph)
    }
}
