//! Functions that matter only where another is true: generalised cofactors.
//!
//! O. Coudert, C. Berthet, J. C. Madre: Verification of synchronous sequential machines based on symbolic execution, 1989.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Op, Table};

impl Manager {
    /// A function that is f wherever `care` is true, and often smaller: a point outside takes the value of the nearest one
    /// inside. `care` is not the constant false.
    pub fn constrain(&mut self, f: &Bdd, care: &Bdd) -> Bdd {
        let (f, care) = (self.own(f), self.own(care));
        self.operate(|table| table.cofactor(f, care, Op::Constrain))
    }

    /// Like [`constrain`](Self::constrain), but without variables that f does not depend on.
    pub fn restrict(&mut self, f: &Bdd, care: &Bdd) -> Bdd {
        let (f, care) = (self.own(f), self.own(care));
        self.operate(|table| table.cofactor(f, care, Op::Restrict))
    }
}

impl Table {
    fn cofactor(&mut self, f: NodeId, care: NodeId, op: Op) -> NodeId {
        if care == NodeId::TRUE || care == NodeId::FALSE || f.is_constant() || self.overflowed() {
            return f;
        }
        if f == care {
            return NodeId::TRUE;
        }
        let key = [f.0, care.0, 0];
        if let Some(found) = self.cached(op, key) {
            return found;
        }
        let (own, other) = (self.level(f), self.level(care));
        let result = if other < own && op == Op::Restrict {
            let (low, high) = self.branches(care);
            let either = self.or(low, high);
            self.cofactor(f, either, op)
        } else {
            let variable = own.min(other);
            let ((f0, f1), (c0, c1)) = (self.cofactors(f, variable), self.cofactors(care, variable));
            if c0 == NodeId::FALSE {
                self.cofactor(f1, c1, op)
            } else if c1 == NodeId::FALSE {
                self.cofactor(f0, c0, op)
            } else {
                let low = self.cofactor(f0, c0, op);
                let high = self.cofactor(f1, c1, op);
                self.make(variable, low, high)
            }
        };
        self.remember(op, key, result)
    }
}
