//! The steps of the search on the fly, as data. `docs/guide/how-it-works.md` explains them.

#![allow(missing_docs, reason = "the members are named as what they are, and explained where they are made")]

use orbitscope_core::search;
use serde::Serialize;

/// A step of the search. Nodes are numbered in the order in which they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// An initial node is entered.
    Root { node: u32 },
    /// An edge leads to a new node.
    Tree { from: u32, edge: u32, to: u32 },
    /// An edge leads to a node on the stack: a cycle.
    Back { from: u32, edge: u32, to: u32 },
    /// An edge leads to a node that is done.
    Cross { from: u32, edge: u32, to: u32 },
    /// A node is done, and what it knows goes to the node before it.
    Join { child: u32, parent: u32 },
    /// A component is complete, and is no violation.
    Component { root: u32, size: u32 },
    /// The component of this node is a violation.
    Yes { node: u32 },
    /// There is no violation.
    No,
    /// The search ends without an answer.
    Stopped { why: &'static str },
}

impl From<search::Event> for Event {
    fn from(event: search::Event) -> Event {
        use search::{Event as Own, Stop};
        match event {
            Own::Root(node) => Event::Root { node: node.0 },
            Own::Tree { from, edge, to } => Event::Tree { from: from.0, edge, to: to.0 },
            Own::Back { from, edge, to } => Event::Back { from: from.0, edge, to: to.0 },
            Own::Cross { from, edge, to } => Event::Cross { from: from.0, edge, to: to.0 },
            Own::Join { child, parent } => Event::Join { child: child.0, parent: parent.0 },
            Own::Component { root, size } => Event::Component { root: root.0, size },
            Own::Yes(node) => Event::Yes { node: node.0 },
            Own::No => Event::No,
            Own::Stopped(Stop::NodeLimit | Stop::RootLimit) => Event::Stopped { why: "limit" },
            Own::Stopped(Stop::Fault) => Event::Stopped { why: "fault" },
        }
    }
}
