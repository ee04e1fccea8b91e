//! Items that several panels show and that can be pointed at.

use crate::engine::GraphKind;
use orbitscope_core::draw::NodeId;
use orbitscope_core::group::Process;

/// Something that can be chosen or pointed at; every panel that shows it lights it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A node of a graph.
    Node(GraphKind, NodeId),
    /// A process of the program.
    Process(Process),
    /// A state of the counterexample, counted from its start.
    RunStep(u32),
    /// A line of the text, from 1.
    SourceLine(u32),
    /// A step of the search, from 1; 0 is before the first.
    Step(u32),
}

impl Item {
    /// The node of this graph that it is.
    pub fn node_of(self, graph: GraphKind) -> Option<NodeId> {
        match self {
            Item::Node(of, node) if of == graph => Some(node),
            _ => None,
        }
    }
}
