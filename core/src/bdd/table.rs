//! The table of nodes, its cache, and the Boolean operations on bare nodes.

use crate::define_id;
use crate::limits::MAX_BDD_VARIABLES;
use crate::strain::{size, took};
use alloc::vec;
use alloc::vec::Vec;

define_id!(
    /// A variable; a smaller number is nearer to the root.
    Variable
);

/// A node of a [`Table`]. It says nothing of how long the node is needed: only this module sees it, and between two operations of
/// a [`Manager`](super::Manager) nothing but handles is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) const FALSE: NodeId = NodeId(0);
    pub(super) const TRUE: NodeId = NodeId(1);

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub variable: u32,
    pub low: NodeId,
    pub high: NodeId,
    /// The next node in the same bucket, or the next free place; [`NIL`] ends the list.
    next: u32,
}

const TERMINAL: u32 = u32::MAX;
const FREE: u32 = u32::MAX - 1;
const NIL: u32 = u32::MAX;

/// The operation that a cached result belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    None,
    Ite,
    Exists,
    AndExists,
    Substitute,
    Constrain,
    Restrict,
}

#[derive(Clone, Copy, Debug)]
struct Cached {
    op: Op,
    key: [u32; 3],
    result: NodeId,
}

impl Cached {
    /// Whether it speaks of these nodes only.
    fn is_about(&self, nodes: &[bool]) -> bool {
        let from = match self.op {
            Op::None => return false,
            // The second word is a substitution's number.
            Op::Substitute => &self.key[..1],
            Op::Ite | Op::Exists | Op::AndExists | Op::Constrain | Op::Restrict => &self.key[..],
        };
        from.iter().chain([&self.result.0]).all(|&node| nodes[node as usize])
    }
}

const NOTHING: Cached = Cached { op: Op::None, key: [0; 3], result: NodeId::FALSE };

/// The cache has at least and at most this many entries.
const CACHE: (usize, usize) = (1 << 10, 1 << 21);

/// The table of nodes and what is computed on it. Past `limit` nodes every result is meaningless and
/// [`overflowed`](Self::overflowed) says so.
///
/// Operations here work on bare nodes. That is safe because none of them can free any: which nodes are needed only the
/// [`Manager`](super::Manager) knows, and it collects between operations.
#[derive(Debug)]
pub(super) struct Table {
    nodes: Vec<Node>,
    buckets: Vec<u32>,
    free: u32,
    used: u32,
    peak: u32,
    cache: Vec<Cached>,
    limit: u32,
    /// Whether there was no room for a node.
    full: bool,
    /// Whether there are too many variables, or too many cubes: more room would not help.
    beyond: bool,
}

impl Table {
    /// A table of at most this many nodes. Whoever collects all the time goes through buckets and cache as often: both are tiny in the
    /// beginning, and grow with the nodes.
    pub(super) fn new(limit: u32, tiny: bool) -> Self {
        let begin = |name, usual| if tiny { 4 } else { size(name, usual, 4) };
        let terminal = |b| Node { variable: TERMINAL, low: b, high: b, next: NIL };
        Table {
            nodes: vec![terminal(NodeId::FALSE), terminal(NodeId::TRUE)],
            buckets: vec![NIL; begin("bdd: buckets", 256)],
            free: NIL,
            used: 2,
            peak: 2,
            cache: vec![NOTHING; begin("bdd: cache", CACHE.0)],
            limit,
            full: false,
            beyond: false,
        }
    }

    pub(super) fn overflowed(&self) -> bool {
        self.full || self.beyond
    }

    pub(super) fn is_full(&self) -> bool {
        self.full && !self.beyond
    }

    /// Nothing that was computed since it was full is kept.
    pub(super) fn forget_full(&mut self) {
        self.full = false;
    }

    pub(super) fn give_up(&mut self) {
        self.beyond = true;
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    pub(super) fn set_limit(&mut self, limit: u32) {
        self.limit = limit;
    }

    pub(super) fn used(&self) -> u32 {
        self.used
    }

    pub(super) fn peak(&self) -> u32 {
        self.peak
    }

    /// About how many bytes the tables take.
    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()
            + self.buckets.capacity() * size_of::<u32>()
            + self.cache.capacity() * size_of::<Cached>()) as u64
    }

    fn node(&self, f: NodeId) -> Node {
        let node = self.nodes[f.index()];
        debug_assert!(node.variable != FREE, "a node that was freed is used");
        node
    }

    /// The variable at the root; none of a constant.
    pub(super) fn root(&self, f: NodeId) -> Option<Variable> {
        (!f.is_constant()).then(|| Variable(self.node(f).variable))
    }

    /// The function where the variable at its root is false, and where it is true.
    pub(super) fn branches(&self, f: NodeId) -> (NodeId, NodeId) {
        let node = self.node(f);
        (node.low, node.high)
    }

    /// The number of the variable at the root; beyond all variables for a constant.
    pub(super) fn level(&self, f: NodeId) -> u32 {
        self.node(f).variable
    }

    pub(super) fn make(&mut self, variable: u32, low: NodeId, high: NodeId) -> NodeId {
        if low == high {
            return low;
        }
        let bucket = self.bucket(variable, low, high);
        let mut at = self.buckets[bucket];
        while at != NIL {
            let node = &self.nodes[at as usize];
            if node.variable == variable && node.low == low && node.high == high {
                return NodeId(at);
            }
            at = node.next;
        }
        if self.used >= self.limit {
            took("bdd: full");
            self.full = true;
            return NodeId::FALSE;
        }
        let node = Node { variable, low, high, next: self.buckets[bucket] };
        let id = if self.free == NIL {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let id = self.free;
            self.free = self.nodes[id as usize].next;
            self.nodes[id as usize] = node;
            id
        };
        self.buckets[bucket] = id;
        self.used += 1;
        self.peak = self.peak.max(self.used);
        if self.used as usize > self.buckets.len() {
            self.grow();
        }
        NodeId(id)
    }

    fn bucket(&self, variable: u32, low: NodeId, high: NodeId) -> usize {
        hash([variable, low.0, high.0]) & (self.buckets.len() - 1)
    }

    fn grow(&mut self) {
        took("bdd: more buckets");
        self.buckets = vec![NIL; self.buckets.len() * 2];
        self.link();
        if self.cache.len() < self.buckets.len() && self.cache.len() < CACHE.1 {
            took("bdd: a larger cache");
            self.cache = vec![NOTHING; self.buckets.len().min(CACHE.1)];
        }
    }

    /// Puts all nodes in use into the buckets, which are empty.
    fn link(&mut self) {
        for id in 2..self.nodes.len() {
            let Node { variable, low, high, .. } = self.nodes[id];
            if variable != FREE {
                let bucket = self.bucket(variable, low, high);
                self.nodes[id].next = self.buckets[bucket];
                self.buckets[bucket] = id as u32;
            }
        }
    }

    /// Frees every node that these do not need.
    pub(super) fn collect(&mut self, roots: Vec<NodeId>) {
        let mut needed = vec![false; self.nodes.len()];
        needed[0] = true;
        needed[1] = true;
        let mut stack = roots;
        while let Some(f) = stack.pop() {
            if !core::mem::replace(&mut needed[f.index()], true) {
                let node = self.node(f);
                stack.push(node.low);
                stack.push(node.high);
            }
        }
        // Free nodes at the end are given back: whoever collects often does not pay for the largest table there ever
        // was.
        let last = needed.iter().rposition(|&needed| needed).unwrap_or(1);
        self.nodes.truncate(last + 1);
        self.free = NIL;
        self.used = 2;
        for id in (2..self.nodes.len()).rev() {
            let node = &mut self.nodes[id];
            if needed[id] {
                self.used += 1;
            } else {
                *node = Node { variable: FREE, low: NodeId::FALSE, high: NodeId::FALSE, next: self.free };
                self.free = id as u32;
            }
        }
        self.buckets.fill(NIL);
        self.link();
        for entry in &mut self.cache {
            if !entry.is_about(&needed) {
                *entry = NOTHING;
            }
        }
    }

    pub(super) fn cached(&self, op: Op, key: [u32; 3]) -> Option<NodeId> {
        let entry = &self.cache[cache_place(op, key) & (self.cache.len() - 1)];
        (entry.op == op && entry.key == key).then_some(entry.result)
    }

    pub(super) fn remember(&mut self, op: Op, key: [u32; 3], result: NodeId) -> NodeId {
        let place = cache_place(op, key) & (self.cache.len() - 1);
        // A result after an overflow means nothing, and must not be found again.
        if !self.overflowed() {
            self.cache[place] = Cached { op, key, result };
        }
        result
    }

    pub(super) fn literal(&mut self, variable: Variable, positive: bool) -> NodeId {
        if variable.0 >= MAX_BDD_VARIABLES {
            self.beyond = true;
            return NodeId::FALSE;
        }
        let (low, high) =
            if positive { (NodeId::FALSE, NodeId::TRUE) } else { (NodeId::TRUE, NodeId::FALSE) };
        self.make(variable.0, low, high)
    }

    /// The conjunction of literals, which are in order.
    pub(super) fn cube(&mut self, literals: &[(Variable, bool)]) -> NodeId {
        // From the last variable upwards, so that each step adds one node on top.
        let mut product = NodeId::TRUE;
        for &(variable, positive) in literals.iter().rev() {
            let literal = self.literal(variable, positive);
            product = self.and(literal, product);
        }
        product
    }

    pub(super) fn cofactors(&self, f: NodeId, variable: u32) -> (NodeId, NodeId) {
        let node = self.node(f);
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    pub(super) fn ite(&mut self, f: NodeId, g: NodeId, h: NodeId) -> NodeId {
        if f == NodeId::TRUE || g == h {
            return g;
        }
        if f == NodeId::FALSE || self.overflowed() {
            return h;
        }
        if g == NodeId::TRUE && h == NodeId::FALSE {
            return f;
        }
        let key = [f.0, g.0, h.0];
        if let Some(found) = self.cached(Op::Ite, key) {
            return found;
        }
        let variable = self.level(f).min(self.level(g)).min(self.level(h));
        let ((f0, f1), (g0, g1), (h0, h1)) =
            (self.cofactors(f, variable), self.cofactors(g, variable), self.cofactors(h, variable));
        let low = self.ite(f0, g0, h0);
        let high = self.ite(f1, g1, h1);
        let result = self.make(variable, low, high);
        self.remember(Op::Ite, key, result)
    }

    pub(super) fn not(&mut self, f: NodeId) -> NodeId {
        self.ite(f, NodeId::FALSE, NodeId::TRUE)
    }

    pub(super) fn and(&mut self, f: NodeId, g: NodeId) -> NodeId {
        if f == g {
            return f;
        }
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, g, NodeId::FALSE)
    }

    pub(super) fn or(&mut self, f: NodeId, g: NodeId) -> NodeId {
        if f == g {
            return f;
        }
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, NodeId::TRUE, g)
    }

    pub(super) fn minus(&mut self, f: NodeId, g: NodeId) -> NodeId {
        self.ite(g, NodeId::FALSE, f)
    }

    pub(super) fn iff(&mut self, f: NodeId, g: NodeId) -> NodeId {
        let not_g = self.not(g);
        self.ite(f, g, not_g)
    }
}

fn cache_place(op: Op, [a, b, c]: [u32; 3]) -> usize {
    hash([a, b ^ (op as u32) << 27, c])
}

/// A multiplicative hash of three words whose low bits depend on all of them.
fn hash([a, b, c]: [u32; 3]) -> usize {
    let mut value = u64::from(a).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ u64::from(b)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    value = (value.rotate_left(29) ^ u64::from(c)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (value >> 32) as usize
}
