//! The table of nodes, its cache, and the Boolean operations.

use super::compose::Map;
use crate::define_id;
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;

/// The most variables a manager accepts: what bounds the depth of every recursion here.
pub const MAX_VARIABLES: u32 = 2048;

define_id!(
    /// A variable; a smaller number is nearer to the root.
    Variable
);

/// A Boolean function of one [`Manager`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(pub(super) u32);

impl Bdd {
    /// The function that is nowhere true.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is everywhere true.
    pub const TRUE: Bdd = Bdd(1);

    /// Whether it is one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub variable: u32,
    pub low: Bdd,
    pub high: Bdd,
    /// The next node in the same bucket, or the next free place; [`NIL`] ends the list.
    next: u32,
}

const TERMINAL: u32 = u32::MAX;
const FREE: u32 = u32::MAX - 1;
const NIL: u32 = u32::MAX;

/// What a cached result is the result of.
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
    result: Bdd,
}

const NOTHING: Cached = Cached { op: Op::None, key: [0; 3], result: Bdd::FALSE };

/// The cache has at least and at most so many entries.
const CACHE: (usize, usize) = (1 << 10, 1 << 21);

/// Where the list of protected functions ended, for [`Manager::release`].
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// The table of nodes. Past `limit` nodes every result is meaningless and [`overflowed`](Self::overflowed) says so:
/// callers ask once per step instead of after each operation.
///
/// ```
/// use orbitscope_core::bdd::{Bdd, Manager, Variable};
/// let mut bdds = Manager::new(1000);
/// let (a, b) = (bdds.variable(Variable(0)), bdds.variable(Variable(1)));
/// let both = bdds.and(a, b);
/// assert_eq!(bdds.exists(both, &[Variable(1)]), a);
/// assert_eq!(bdds.count(both, &[Variable(0), Variable(1)]).to_string(), "1");
/// ```
#[derive(Clone, Debug)]
pub struct Manager {
    pub(super) nodes: Vec<Node>,
    buckets: Vec<u32>,
    free: u32,
    used: u32,
    peak: u32,
    collections: u32,
    /// Collecting is worth while at so many nodes in use.
    due: u32,
    cache: Vec<Cached>,
    protected: Vec<Bdd>,
    pub(super) maps: Vec<Map>,
    limit: u32,
    overflow: bool,
}

impl Manager {
    /// A manager of at most `limit` nodes.
    pub fn new(limit: u32) -> Self {
        let terminal = |b| Node { variable: TERMINAL, low: b, high: b, next: NIL };
        Manager {
            nodes: vec![terminal(Bdd::FALSE), terminal(Bdd::TRUE)],
            buckets: vec![NIL; 256],
            free: NIL,
            used: 2,
            peak: 2,
            collections: 0,
            due: due(0, limit),
            cache: vec![NOTHING; CACHE.0],
            protected: Vec::new(),
            maps: Vec::new(),
            limit,
            overflow: false,
        }
    }

    /// Whether the limit was reached, or a variable is beyond [`MAX_VARIABLES`]: results since then mean nothing.
    pub fn overflowed(&self) -> bool {
        self.overflow
    }

    pub(crate) fn overflow(&mut self) {
        self.overflow = true;
    }

    /// The most nodes that there may be.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Allows so many nodes from now on.
    pub fn set_limit(&mut self, limit: u32) {
        self.limit = limit;
        self.due = due(self.used, limit);
    }

    /// The nodes in use, needed or not.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// The most nodes that were ever in use.
    pub fn peak(&self) -> u32 {
        self.peak
    }

    /// How many times nodes were collected.
    pub fn collections(&self) -> u32 {
        self.collections
    }

    /// About how many bytes the tables take.
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()
            + self.buckets.capacity() * size_of::<u32>()
            + self.cache.capacity() * size_of::<Cached>()) as u64
    }

    pub(super) fn node(&self, f: Bdd) -> Node {
        self.nodes[f.0 as usize]
    }

    /// The variable at the root; none of a constant.
    pub fn root(&self, f: Bdd) -> Option<Variable> {
        (!f.is_constant()).then(|| Variable(self.node(f).variable))
    }

    /// What the function is where the variable at its root is false, and where it is true.
    pub fn branches(&self, f: Bdd) -> (Bdd, Bdd) {
        let node = self.node(f);
        (node.low, node.high)
    }

    /// The number of the variable at the root; beyond all variables for a constant.
    pub(super) fn level(&self, f: Bdd) -> u32 {
        self.node(f).variable
    }

    pub(super) fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let bucket = self.bucket(variable, low, high);
        let mut at = self.buckets[bucket];
        while at != NIL {
            let node = &self.nodes[at as usize];
            if node.variable == variable && node.low == low && node.high == high {
                return Bdd(at);
            }
            at = node.next;
        }
        if self.used >= self.limit {
            self.overflow = true;
            return Bdd::FALSE;
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
        Bdd(id)
    }

    fn bucket(&self, variable: u32, low: Bdd, high: Bdd) -> usize {
        hash([variable, low.0, high.0]) & (self.buckets.len() - 1)
    }

    fn grow(&mut self) {
        self.buckets = vec![NIL; self.buckets.len() * 2];
        self.link();
        if self.cache.len() < self.buckets.len() && self.cache.len() < CACHE.1 {
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

    /// Keeps a function, and all it consists of, when nodes are collected.
    pub fn protect(&mut self, f: Bdd) -> Bdd {
        self.protected.push(f);
        f
    }

    /// What is protected from here on can be released.
    pub fn mark(&self) -> Mark {
        Mark(self.protected.len())
    }

    /// Protects no longer what was protected since the mark.
    pub fn release(&mut self, mark: Mark) {
        self.protected.truncate(mark.0);
    }

    /// Whether there is likely much to free.
    pub fn collection_due(&self) -> bool {
        self.used >= self.due
    }

    /// Frees every node that is neither protected nor needed by `also`.
    pub fn collect(&mut self, also: &[Bdd]) {
        let mut needed = vec![false; self.nodes.len()];
        needed[0] = true;
        needed[1] = true;
        let mut stack: Vec<Bdd> = self.protected.clone();
        stack.extend_from_slice(also);
        stack.extend(self.maps.iter().flat_map(Map::functions));
        while let Some(f) = stack.pop() {
            if !core::mem::replace(&mut needed[f.0 as usize], true) {
                let node = self.node(f);
                stack.push(node.low);
                stack.push(node.high);
            }
        }
        self.free = NIL;
        self.used = 2;
        for id in (2..self.nodes.len()).rev() {
            let node = &mut self.nodes[id];
            if needed[id] {
                self.used += 1;
            } else {
                *node = Node { variable: FREE, low: Bdd::FALSE, high: Bdd::FALSE, next: self.free };
                self.free = id as u32;
            }
        }
        self.buckets.fill(NIL);
        self.link();
        self.cache.fill(NOTHING);
        self.collections += 1;
        self.due = due(self.used, self.limit);
    }

    pub(super) fn cached(&self, op: Op, key: [u32; 3]) -> Option<Bdd> {
        let entry = &self.cache[cache_place(op, key) & (self.cache.len() - 1)];
        (entry.op == op && entry.key == key).then_some(entry.result)
    }

    pub(super) fn remember(&mut self, op: Op, key: [u32; 3], result: Bdd) -> Bdd {
        let place = cache_place(op, key) & (self.cache.len() - 1);
        // What comes after an overflow means nothing, and must not be found again.
        if !self.overflow {
            self.cache[place] = Cached { op, key, result };
        }
        result
    }

    /// The function that is a variable.
    pub fn variable(&mut self, variable: Variable) -> Bdd {
        self.literal(variable, true)
    }

    /// The function that is a variable, or its negation.
    pub fn literal(&mut self, variable: Variable, positive: bool) -> Bdd {
        if variable.0 >= MAX_VARIABLES {
            self.overflow = true;
            return Bdd::FALSE;
        }
        let (low, high) = if positive { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        self.make(variable.0, low, high)
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: impl IntoIterator<Item = (Variable, bool)>) -> Bdd {
        let mut all: Vec<(Variable, bool)> = literals.into_iter().collect();
        all.arrange();
        // From the last variable upwards, so that each step adds one node on top.
        let mut product = Bdd::TRUE;
        for (variable, positive) in all.into_iter().rev() {
            let literal = self.literal(variable, positive);
            product = self.and(literal, product);
        }
        product
    }

    pub(super) fn cofactors(&self, f: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.node(f);
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    /// g where f is true, otherwise h.
    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        if f == Bdd::TRUE || g == h {
            return g;
        }
        if f == Bdd::FALSE || self.overflow {
            return h;
        }
        if g == Bdd::TRUE && h == Bdd::FALSE {
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

    /// Negation.
    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.ite(f, Bdd::FALSE, Bdd::TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        if f == g {
            return f;
        }
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, g, Bdd::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        if f == g {
            return f;
        }
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, Bdd::TRUE, g)
    }

    /// f and not g.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.ite(g, Bdd::FALSE, f)
    }

    /// Whether both are the same.
    pub fn iff(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let not_g = self.not(g);
        self.ite(f, g, not_g)
    }

    /// Whether g is true wherever f is.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        self.minus(f, g) == Bdd::FALSE
    }

    /// The conjunction of all.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = Bdd>) -> Bdd {
        all.into_iter().fold(Bdd::TRUE, |product, f| self.and(product, f))
    }

    /// The disjunction of all.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = Bdd>) -> Bdd {
        all.into_iter().fold(Bdd::FALSE, |sum, f| self.or(sum, f))
    }
}

/// At how many nodes collecting is worth while, if so many are in use now.
fn due(used: u32, limit: u32) -> u32 {
    used.saturating_mul(2).max(1 << 16).min(limit / 4 * 3)
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
