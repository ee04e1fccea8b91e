//! Functions as sums of products.
//!
//! S. Minato: Fast generation of irredundant sum-of-products forms from binary decision diagrams, SASIMI 1992.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Table, Variable};
use alloc::vec::Vec;
use core::cell::RefCell;

/// A product: its literals, from the root of the order on.
pub(crate) type Product = Vec<(Variable, bool)>;

impl Manager {
    /// An irredundant sum of prime products for the function. With more than `most` of them it overflows.
    pub(crate) fn cover(&mut self, f: &Bdd, most: usize) -> Vec<Product> {
        let f = self.own(f);
        let products = RefCell::new(Vec::new());
        self.operate(|table| {
            let mut cover = Cover { most, path: Vec::new(), products: Vec::new() };
            let covered = cover.between(table, f, f);
            products.replace(cover.products);
            covered
        });
        products.into_inner()
    }
}

struct Cover {
    most: usize,
    path: Product,
    products: Vec<Product>,
}

impl Cover {
    /// Adds products that cover `lower` and stay inside `upper`, and returns what they cover.
    fn between(&mut self, table: &mut Table, lower: NodeId, upper: NodeId) -> NodeId {
        if lower == NodeId::FALSE || table.overflowed() {
            return NodeId::FALSE;
        }
        if upper == NodeId::TRUE {
            self.products.push(self.path.clone());
            if self.products.len() > self.most {
                table.give_up();
            }
            return NodeId::TRUE;
        }
        if lower.is_constant() && upper.is_constant() {
            return NodeId::FALSE;
        }
        let root = table.level(lower).min(table.level(upper));
        let ((l0, l1), (u0, u1)) = (table.cofactors(lower, root), table.cofactors(upper, root));
        let only_low = table.minus(l0, u1);
        let low = self.with(table, (Variable(root), false), only_low, u0);
        let only_high = table.minus(l1, u0);
        let high = self.with(table, (Variable(root), true), only_high, u1);
        let (rest0, rest1) = (table.minus(l0, low), table.minus(l1, high));
        let rest = table.or(rest0, rest1);
        let both = table.and(u0, u1);
        let free = self.between(table, rest, both);
        let split = table.make(root, low, high);
        table.or(split, free)
    }

    fn with(&mut self, table: &mut Table, literal: (Variable, bool), lower: NodeId, upper: NodeId) -> NodeId {
        self.path.push(literal);
        let covered = self.between(table, lower, upper);
        self.path.pop();
        covered
    }
}
