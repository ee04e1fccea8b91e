//! Reduced ordered binary decision diagrams, for the Boolean reasoning about labels.
//!
//! R. E. Bryant: Graph-based algorithms for Boolean function manipulation, IEEE Trans. Computers 35(8), 1986;
//! irredundant sums of products as S. Minato: Fast generation of irredundant sum-of-products forms from binary
//! decision diagrams, SASIMI 1992.
//!
//! Recursion is as deep as the number of variables, which [`MAX_VARIABLES`] bounds.

use super::label::{Ap, Cube, Label};
use crate::ids::Id;
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The most variables a manager accepts: what bounds the depth of every recursion here.
pub(crate) const MAX_VARIABLES: usize = 1024;

/// The most cubes of one label.
const MAX_CUBES: usize = 1 << 13;

/// A Boolean function of one [`Manager`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// The table of nodes. Past `limit` nodes every result is meaningless and [`overflowed`](Self::overflowed) says so:
/// callers ask once per step instead of after each operation.
pub(crate) struct Manager {
    nodes: Vec<Node>,
    unique: HashMap<Node, Bdd, FxBuildHasher>,
    ite: HashMap<(Bdd, Bdd, Bdd), Bdd, FxBuildHasher>,
    limit: usize,
    overflow: bool,
}

const TERMINAL: u32 = u32::MAX;

impl Manager {
    pub(crate) fn new(limit: usize) -> Self {
        let terminal = |b| Node { variable: TERMINAL, low: b, high: b };
        Manager {
            nodes: vec![terminal(Bdd::FALSE), terminal(Bdd::TRUE)],
            unique: HashMap::default(),
            ite: HashMap::default(),
            limit,
            overflow: false,
        }
    }

    pub(crate) fn overflowed(&self) -> bool {
        self.overflow
    }

    fn node(&self, f: Bdd) -> Node {
        self.nodes[f.0 as usize]
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(&found) = self.unique.get(&node) {
            return found;
        }
        if self.nodes.len() >= self.limit {
            self.overflow = true;
            return Bdd::FALSE;
        }
        let id = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, id);
        id
    }

    pub(crate) fn literal(&mut self, ap: Ap, positive: bool) -> Bdd {
        if ap.index() >= MAX_VARIABLES {
            self.overflow = true;
            return Bdd::FALSE;
        }
        let (low, high) = if positive { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        self.make(ap.0, low, high)
    }

    fn cofactors(&self, f: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.node(f);
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        if f == Bdd::TRUE || g == h {
            return g;
        }
        if f == Bdd::FALSE {
            return h;
        }
        if g == Bdd::TRUE && h == Bdd::FALSE {
            return f;
        }
        if self.overflow {
            return Bdd::FALSE;
        }
        if let Some(&found) = self.ite.get(&(f, g, h)) {
            return found;
        }
        let variable = self.node(f).variable.min(self.node(g).variable).min(self.node(h).variable);
        let ((f0, f1), (g0, g1), (h0, h1)) =
            (self.cofactors(f, variable), self.cofactors(g, variable), self.cofactors(h, variable));
        let low = self.ite(f0, g0, h0);
        let high = self.ite(f1, g1, h1);
        let result = self.make(variable, low, high);
        if self.ite.len() >= self.limit.saturating_mul(4) {
            self.ite.clear();
        }
        self.ite.insert((f, g, h), result);
        result
    }

    pub(crate) fn not(&mut self, f: Bdd) -> Bdd {
        self.ite(f, Bdd::FALSE, Bdd::TRUE)
    }

    pub(crate) fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, g, Bdd::FALSE)
    }

    pub(crate) fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, Bdd::TRUE, g)
    }

    /// f and not g.
    pub(crate) fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.ite(g, Bdd::FALSE, f)
    }

    pub(crate) fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        self.minus(f, g) == Bdd::FALSE
    }

    /// The function a label describes.
    pub(crate) fn function(&mut self, label: &Label) -> Bdd {
        let mut result = Bdd::FALSE;
        for cube in label.cubes() {
            // From the last variable upwards, so that each step adds one node on top.
            let mut product = Bdd::TRUE;
            for (ap, positive) in cube.literals().into_iter().rev() {
                let literal = self.literal(ap, positive);
                product = self.and(literal, product);
            }
            result = self.or(result, product);
        }
        result
    }

    /// An irredundant sum of prime cubes for the function.
    pub(crate) fn label(&mut self, f: Bdd) -> Label {
        let mut cubes = Vec::new();
        self.isop(f, f, &mut Cube::new(), &mut cubes);
        Label::of(cubes)
    }

    // Appends cubes that cover `lower` and stay inside `upper`, and returns what they cover.
    fn isop(&mut self, lower: Bdd, upper: Bdd, path: &mut Cube, out: &mut Vec<Cube>) -> Bdd {
        if lower == Bdd::FALSE || self.overflow {
            return Bdd::FALSE;
        }
        if upper == Bdd::TRUE {
            out.push(path.clone());
            if out.len() > MAX_CUBES {
                self.overflow = true;
            }
            return Bdd::TRUE;
        }
        let variable = self.node(lower).variable.min(self.node(upper).variable);
        let ((l0, l1), (u0, u1)) = (self.cofactors(lower, variable), self.cofactors(upper, variable));
        let saved = path.clone();
        let only_low = self.minus(l0, u1);
        path.insert(Ap(variable), false);
        let low = self.isop(only_low, u0, path, out);
        path.clone_from(&saved);
        let only_high = self.minus(l1, u0);
        path.insert(Ap(variable), true);
        let high = self.isop(only_high, u1, path, out);
        path.clone_from(&saved);
        let (rest0, rest1) = (self.minus(l0, low), self.minus(l1, high));
        let rest = self.or(rest0, rest1);
        let both = self.and(u0, u1);
        let free = self.isop(rest, both, path, out);
        let split = self.make(variable, low, high);
        self.or(split, free)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bdd, Manager};
    use crate::automaton::{Ap, Valuation};
    use alloc::vec::Vec;

    fn valuation(bits: u32) -> Valuation {
        (0..5).filter(|i| bits >> i & 1 == 1).map(Ap).collect()
    }

    // Every function is built beside its truth table over five variables.
    #[test]
    fn agrees_with_truth_tables() {
        let mut seed = 7u64;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let mut bdds = Manager::new(1 << 20);
        let mut known: Vec<(Bdd, u32)> = Vec::from([(Bdd::FALSE, 0), (Bdd::TRUE, u32::MAX)]);
        for i in 0..5 {
            let table = (0..32).filter(|v| v >> i & 1 == 1).fold(0, |t, v| t | 1 << v);
            known.push((bdds.literal(Ap(i), true), table));
            known.push((bdds.literal(Ap(i), false), !table));
        }
        for round in 0..3000 {
            let ((f, tf), (g, tg)) = (known[next(known.len())], known[next(known.len())]);
            let (h, th) = match round % 4 {
                0 => (bdds.and(f, g), tf & tg),
                1 => (bdds.or(f, g), tf | tg),
                2 => (bdds.minus(f, g), tf & !tg),
                _ => (bdds.not(f), !tf),
            };
            assert_eq!(bdds.implies(f, g), tf & !tg == 0);
            let label = bdds.label(h);
            for v in 0..32 {
                assert_eq!(label.eval(&valuation(v)), th >> v & 1 == 1, "{label:?} at {v}");
            }
            assert_eq!(bdds.function(&label), h, "equal functions have one node");
            known.push((h, th));
        }
    }

    // The parity of n variables has 2^(n-1) prime cubes and 2n nodes.
    #[test]
    fn says_when_a_label_is_too_long() {
        let mut bdds = Manager::new(1 << 20);
        let mut parity = Bdd::FALSE;
        for i in 0..40 {
            let (with, without) = (bdds.literal(Ap(i), true), bdds.literal(Ap(i), false));
            let (odd, even) = (bdds.minus(with, parity), bdds.and(parity, without));
            parity = bdds.or(odd, even);
        }
        assert!(!bdds.overflowed());
        bdds.label(parity);
        assert!(bdds.overflowed());
    }

    #[test]
    fn says_when_the_table_is_full() {
        let mut bdds = Manager::new(4);
        let (a, b) = (bdds.literal(Ap(0), true), bdds.literal(Ap(1), true));
        assert!(!bdds.overflowed());
        bdds.and(a, b);
        assert!(bdds.overflowed());
        let mut bdds = Manager::new(100);
        bdds.literal(Ap(5000), true);
        assert!(bdds.overflowed());
    }
}
