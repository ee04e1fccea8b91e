//! What a search does, one command at a time.

use crate::product::NodeId;

/// A step of the search, by the command numbers of Gyuris & Sistla, section 4.2. Bulky data is not in it: the frames of
/// the search have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// M2: an initial node is entered (1 to 4).
    Root(NodeId),
    /// 12 to 14: an edge leads to a new node, which is entered (1 to 4).
    Tree {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The new node.
        to: NodeId,
    },
    /// 9 to 11: an edge leads to a node on the stack; the orbits of `π_e` are joined in.
    Back {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The node on the stack.
        to: NodeId,
    },
    /// An edge leads to a node whose component has been popped: nothing is to be learnt from it.
    Cross {
        /// The node whose edge was followed.
        from: NodeId,
        /// The position of the edge.
        edge: u32,
        /// The popped node.
        to: NodeId,
    },
    /// 15: a node is done, and what it knows is joined into the node it was entered from.
    Join {
        /// The node that is done.
        child: NodeId,
        /// The node it was entered from.
        parent: NodeId,
    },
    /// 17 and 18: a node is the root of a component, which is popped.
    Component {
        /// The root.
        root: NodeId,
        /// How many nodes the component has.
        size: u32,
    },
    /// 16: the component of this node is fair and accepted.
    Yes(NodeId),
    /// M3: everything has been searched.
    No,
}
