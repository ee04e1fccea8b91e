//! Handles: a function that is held is kept.
//!
//! Whoever has a [`Bdd`] holds its node: cloning it holds the node once more, and dropping it is the only way to let go. So
//! nobody has to remember what is still needed, and outside of this module there is nothing to hold but handles.

use super::table::NodeId;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::hash::{Hash, Hasher};

/// How many handles each node has. A manager and its handles share one, so that it tells managers apart too.
#[derive(Debug, Default)]
pub(super) struct Roots {
    counts: RefCell<Vec<u32>>,
}

impl Roots {
    fn hold(&self, node: NodeId) {
        let mut counts = self.counts.borrow_mut();
        if counts.len() <= node.index() {
            counts.resize(node.index() + 1, 0);
        }
        counts[node.index()] += 1;
    }

    fn release(&self, node: NodeId) {
        self.counts.borrow_mut()[node.index()] -= 1;
    }

    /// The nodes that have a handle.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        let counts = self.counts.borrow();
        (0u32..).zip(counts.iter()).filter(|(_, count)| **count > 0).map(|(node, _)| NodeId(node)).collect()
    }
}

/// A Boolean function of one [`Manager`](super::Manager), kept as long as this is. Equal functions of one manager are equal;
/// the order is that of their nodes and means nothing else.
///
/// The constants belong to every manager.
pub struct Bdd {
    pub(super) node: NodeId,
    /// Where the node is counted; constants are not.
    roots: Option<Rc<Roots>>,
}

impl Bdd {
    /// The function that is nowhere true.
    pub const FALSE: Bdd = Bdd { node: NodeId::FALSE, roots: None };
    /// The function that is everywhere true.
    pub const TRUE: Bdd = Bdd { node: NodeId::TRUE, roots: None };

    pub(super) fn new(node: NodeId, roots: &Rc<Roots>) -> Bdd {
        if node.is_constant() {
            return Bdd { node, roots: None };
        }
        roots.hold(node);
        Bdd { node, roots: Some(Rc::clone(roots)) }
    }

    /// Whether it is nowhere true.
    pub fn is_false(&self) -> bool {
        self.node == NodeId::FALSE
    }

    /// Whether it is everywhere true.
    pub fn is_true(&self) -> bool {
        self.node == NodeId::TRUE
    }

    /// Whether it is one of the two constants.
    pub fn is_constant(&self) -> bool {
        self.node.is_constant()
    }

    /// Whether it is a function of the manager with these roots.
    pub(super) fn is_of(&self, roots: &Rc<Roots>) -> bool {
        self.roots.as_ref().is_none_or(|own| Rc::ptr_eq(own, roots))
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Bdd {
        if let Some(roots) = &self.roots {
            roots.hold(self.node);
        }
        Bdd { node: self.node, roots: self.roots.clone() }
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        if let Some(roots) = &self.roots {
            roots.release(self.node);
        }
    }
}

impl Default for Bdd {
    fn default() -> Bdd {
        Bdd::FALSE
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.node == other.node && self.roots.as_ref().is_none_or(|roots| other.is_of(roots))
    }
}

impl Eq for Bdd {}

impl PartialOrd for Bdd {
    fn partial_cmp(&self, other: &Bdd) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bdd {
    fn cmp(&self, other: &Bdd) -> core::cmp::Ordering {
        self.node.cmp(&other.node)
    }
}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_false(), self.is_true()) {
            (true, _) => f.write_str("Bdd::FALSE"),
            (_, true) => f.write_str("Bdd::TRUE"),
            _ => write!(f, "Bdd({})", self.node.0),
        }
    }
}
