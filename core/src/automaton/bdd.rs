//! Labels as Boolean functions, and back.

use super::label::{Ap, Cube, Label};
use crate::bdd::Variable;
pub(crate) use crate::bdd::{Bdd, Manager};
use crate::limits::MAX_CUBES;
use crate::strain::size;
use alloc::vec::Vec;

impl Manager {
    /// A proposition, or its negation.
    pub(crate) fn proposition(&mut self, ap: Ap, positive: bool) -> Bdd {
        self.literal(Variable(ap.0), positive)
    }

    /// The function a label describes.
    pub(crate) fn function(&mut self, label: &Label) -> Bdd {
        let mut result = Bdd::FALSE;
        for cube in label.cubes() {
            let literals = cube.literals().into_iter().map(|(ap, positive)| (Variable(ap.0), positive));
            let product = self.cube(literals);
            result = self.or(&result, &product);
        }
        result
    }

    /// An irredundant sum of prime cubes for the function.
    pub(crate) fn label(&mut self, f: &Bdd) -> Label {
        let cube = |product: Vec<(Variable, bool)>| {
            let mut cube = Cube::new();
            for (Variable(ap), positive) in product {
                cube.insert(Ap(ap), positive);
            }
            cube
        };
        Label::of(
            self.cover(f, size("automaton: cubes", MAX_CUBES, 3)).into_iter().map(cube).collect::<Vec<_>>(),
        )
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
            known.push((bdds.proposition(Ap(i), true), table));
            known.push((bdds.proposition(Ap(i), false), !table));
        }
        for round in 0..3000 {
            let ((f, tf), (g, tg)) = (known[next(known.len())].clone(), known[next(known.len())].clone());
            let (h, th) = match round % 4 {
                0 => (bdds.and(&f, &g), tf & tg),
                1 => (bdds.or(&f, &g), tf | tg),
                2 => (bdds.minus(&f, &g), tf & !tg),
                _ => (bdds.not(&f), !tf),
            };
            assert_eq!(bdds.implies(&f, &g), tf & !tg == 0);
            let label = bdds.label(&h);
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
            let (with, without) = (bdds.proposition(Ap(i), true), bdds.proposition(Ap(i), false));
            let (odd, even) = (bdds.minus(&with, &parity), bdds.and(&parity, &without));
            parity = bdds.or(&odd, &even);
        }
        assert!(!bdds.overflowed());
        bdds.label(&parity);
        assert!(bdds.overflowed());
    }

    #[test]
    fn says_when_the_table_is_full() {
        let mut bdds = Manager::new(4);
        let (a, b) = (bdds.proposition(Ap(0), true), bdds.proposition(Ap(1), true));
        assert!(!bdds.overflowed());
        bdds.and(&a, &b);
        assert!(bdds.overflowed());
        let mut bdds = Manager::new(100);
        bdds.proposition(Ap(5000), true);
        assert!(bdds.overflowed());
    }
}
