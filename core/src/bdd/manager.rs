//! Who owns the table, and decides when to collect.

use super::handle::{Bdd, Roots};
use super::table::{NodeId, Table, Variable};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Below this many nodes in use, collecting is not worth while.
const WORTH_COLLECTING: u32 = 1 << 16;

/// When a manager frees the nodes that no handle needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Collect {
    /// When there is likely much to free.
    #[default]
    WhenDue,
    /// Where there is no room left: a manager that does not live long is done before.
    WhenFull,
    /// Before every operation: for tests, in which a node that is freed too early is then found at once.
    Always,
}

/// How many nodes a manager may have, and when it frees those that are not needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most nodes.
    pub nodes: u32,
    /// When to collect.
    pub collect: Collect,
}

impl From<u32> for Budget {
    fn from(nodes: u32) -> Budget {
        Budget { nodes, collect: Collect::WhenFull }
    }
}

/// The functions of one table of nodes. Every [`Bdd`] that it gives is kept as long as somebody has it; what nobody has is
/// freed now and then, before an operation.
///
/// Past the limit of nodes every result is meaningless and [`overflowed`](Self::overflowed) says so: callers ask once per
/// step instead of after each operation. A function of another manager is refused with a panic.
///
/// ```
/// use orbitscope_core::bdd::{Manager, Variable};
/// let mut bdds = Manager::new(1000);
/// let (a, b) = (bdds.variable(Variable(0)), bdds.variable(Variable(1)));
/// let both = bdds.and(&a, &b);
/// assert_eq!(bdds.exists(&both, &[Variable(1)]), a);
/// assert_eq!(bdds.count(&both, &[Variable(0), Variable(1)]).to_string(), "1");
/// ```
#[derive(Debug)]
pub struct Manager {
    pub(super) table: Table,
    roots: Rc<Roots>,
    collect: Collect,
    collections: u32,
    /// Below this many nodes in use, collecting is not worth while.
    worth: u32,
    /// The nodes that the last collection left.
    kept: u32,
    /// From this many nodes on the next operation collects.
    due: u32,
    substitutions: u32,
}

impl Manager {
    /// A manager of at most this many nodes.
    pub fn new(budget: impl Into<Budget>) -> Self {
        let Budget { nodes, collect } = budget.into();
        let worth = size("bdd: collections", WORTH_COLLECTING, 16);
        let mut manager = Manager {
            table: Table::new(nodes, collect == Collect::Always || worth < WORTH_COLLECTING),
            roots: Rc::default(),
            collect,
            collections: 0,
            worth,
            kept: 0,
            due: 0,
            substitutions: 0,
        };
        manager.plan();
        manager
    }

    /// Whether the limit was reached, or a variable is beyond [`MAX_BDD_VARIABLES`](crate::limits::MAX_BDD_VARIABLES): results since then
    /// mean nothing.
    pub fn overflowed(&self) -> bool {
        self.table.overflowed()
    }

    /// Goes on after the limit was reached. Whoever calls it has nothing left of what was computed since.
    pub(crate) fn forget_overflow(&mut self) {
        if self.table.is_full() {
            self.collect();
            self.table.forget_full();
        }
    }

    /// The most nodes that there may be.
    pub fn limit(&self) -> u32 {
        self.table.limit()
    }

    /// Allows this many nodes from now on.
    pub fn set_limit(&mut self, limit: u32) {
        self.table.set_limit(limit);
        self.plan();
    }

    /// The nodes in use, needed or not.
    pub fn used(&self) -> u32 {
        self.table.used()
    }

    /// The most nodes that were ever in use.
    pub fn peak(&self) -> u32 {
        self.table.peak()
    }

    /// How many times nodes were collected.
    pub fn collections(&self) -> u32 {
        self.collections
    }

    /// About how many bytes the tables take.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether the next operation collects. Whoever remembers functions only to save time lets go of them then.
    pub fn collection_due(&self) -> bool {
        self.used() >= self.due
    }

    /// Decides when to collect next.
    fn plan(&mut self) {
        let soon = self.kept.saturating_mul(2).max(self.worth).min(self.limit() / 4 * 3);
        self.due = match self.collect {
            Collect::WhenDue => soon.max(self.paying()),
            Collect::WhenFull => u32::MAX,
            Collect::Always => 0,
        };
    }

    /// From this many nodes on another collection pays, however near the limit is.
    fn paying(&self) -> u32 {
        self.kept.saturating_add((self.kept / 8).max(self.worth.min(self.limit() / 8)))
    }

    /// Frees every node that no handle needs.
    pub fn collect(&mut self) {
        self.table.collect(self.roots.nodes());
        self.kept = self.table.used();
        self.plan();
        self.collections += 1;
    }

    /// The node of a function, which has to be one of this manager.
    pub(super) fn own(&self, f: &Bdd) -> NodeId {
        assert!(f.is_of(&self.roots), "a function of another manager");
        f.node
    }

    pub(super) fn next_substitution(&mut self) -> u32 {
        self.substitutions += 1;
        self.substitutions
    }

    /// One operation. All that it starts from has handles, so that this is the moment to collect. Where the table is full
    /// although much of it may not be needed, it collects and tries again.
    pub(super) fn operate(&mut self, of: impl Fn(&mut Table) -> NodeId) -> Bdd {
        if self.table.overflowed() {
            return Bdd::FALSE;
        }
        if self.collection_due() {
            took(if self.collect == Collect::Always { "bdd: collected always" } else { "bdd: collected" });
            self.collect();
        }
        let mut result = of(&mut self.table);
        if self.table.is_full() && self.used() >= self.paying() {
            took("bdd: collected and tried again");
            self.collect();
            self.table.forget_full();
            result = of(&mut self.table);
        }
        Bdd::new(result, &self.roots)
    }

    /// The variable at the root; none of a constant.
    pub fn root(&self, f: &Bdd) -> Option<Variable> {
        self.table.root(self.own(f))
    }

    /// The function where the variable at its root is false, and where it is true.
    pub fn branches(&self, f: &Bdd) -> (Bdd, Bdd) {
        let (low, high) = self.table.branches(self.own(f));
        (Bdd::new(low, &self.roots), Bdd::new(high, &self.roots))
    }

    /// The function that is a variable.
    pub fn variable(&mut self, variable: Variable) -> Bdd {
        self.literal(variable, true)
    }

    /// The function that is a variable, or its negation.
    pub fn literal(&mut self, variable: Variable, positive: bool) -> Bdd {
        self.operate(|table| table.literal(variable, positive))
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: impl IntoIterator<Item = (Variable, bool)>) -> Bdd {
        let mut all: Vec<(Variable, bool)> = literals.into_iter().collect();
        all.arrange();
        self.operate(|table| table.cube(&all))
    }

    /// g where f is true, otherwise h.
    pub fn ite(&mut self, f: &Bdd, g: &Bdd, h: &Bdd) -> Bdd {
        let (f, g, h) = (self.own(f), self.own(g), self.own(h));
        self.operate(|table| table.ite(f, g, h))
    }

    /// Negation.
    pub fn not(&mut self, f: &Bdd) -> Bdd {
        let f = self.own(f);
        self.operate(|table| table.not(f))
    }

    /// Conjunction.
    pub fn and(&mut self, f: &Bdd, g: &Bdd) -> Bdd {
        let (f, g) = (self.own(f), self.own(g));
        self.operate(|table| table.and(f, g))
    }

    /// Disjunction.
    pub fn or(&mut self, f: &Bdd, g: &Bdd) -> Bdd {
        let (f, g) = (self.own(f), self.own(g));
        self.operate(|table| table.or(f, g))
    }

    /// f and not g.
    pub fn minus(&mut self, f: &Bdd, g: &Bdd) -> Bdd {
        let (f, g) = (self.own(f), self.own(g));
        self.operate(|table| table.minus(f, g))
    }

    /// Whether both are the same.
    pub fn iff(&mut self, f: &Bdd, g: &Bdd) -> Bdd {
        let (f, g) = (self.own(f), self.own(g));
        self.operate(|table| table.iff(f, g))
    }

    /// Whether g is true wherever f is.
    pub fn implies(&mut self, f: &Bdd, g: &Bdd) -> bool {
        self.minus(f, g).is_false()
    }

    /// The conjunction of all.
    pub fn and_all<'b>(&mut self, all: impl IntoIterator<Item = &'b Bdd>) -> Bdd {
        all.into_iter().fold(Bdd::TRUE, |product, f| self.and(&product, f))
    }

    /// The disjunction of all.
    pub fn or_all<'b>(&mut self, all: impl IntoIterator<Item = &'b Bdd>) -> Bdd {
        all.into_iter().fold(Bdd::FALSE, |sum, f| self.or(&sum, f))
    }
}
