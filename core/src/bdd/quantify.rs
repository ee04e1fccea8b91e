//! Quantification, and the relational product: conjunction and quantification at once.
//!
//! The variables to quantify are given as the cube of their positive literals, so that a result can be cached by it.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Op, Table, Variable};

impl Manager {
    /// The cube of variables that [`exists_cube`](Self::exists_cube) and [`and_exists`](Self::and_exists) quantify.
    pub fn variables(&mut self, variables: &[Variable]) -> Bdd {
        self.cube(variables.iter().map(|&v| (v, true)))
    }

    /// Whether f is true for some value of these variables.
    pub fn exists(&mut self, f: &Bdd, variables: &[Variable]) -> Bdd {
        let cube = self.variables(variables);
        self.exists_cube(f, &cube)
    }

    /// Whether f is true for some value of the variables of a cube.
    pub fn exists_cube(&mut self, f: &Bdd, cube: &Bdd) -> Bdd {
        let (f, cube) = (self.own(f), self.own(cube));
        self.operate(|table| table.exists_cube(f, cube))
    }

    /// Whether f is true for every value of the variables of a cube.
    pub fn forall_cube(&mut self, f: &Bdd, cube: &Bdd) -> Bdd {
        let (f, cube) = (self.own(f), self.own(cube));
        self.operate(|table| {
            let not = table.not(f);
            let some = table.exists_cube(not, cube);
            table.not(some)
        })
    }

    /// Whether f and g are true for some value of the variables of a cube.
    pub fn and_exists(&mut self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Bdd {
        let (f, g, cube) = (self.own(f), self.own(g), self.own(cube));
        self.operate(|table| table.and_exists(f, g, cube))
    }
}

impl Table {
    fn exists_cube(&mut self, f: NodeId, cube: NodeId) -> NodeId {
        if f.is_constant() || self.overflowed() {
            return f;
        }
        let variable = self.level(f);
        let cube = self.skip(cube, variable);
        if cube == NodeId::TRUE {
            return f;
        }
        let key = [f.0, cube.0, 0];
        if let Some(found) = self.cached(Op::Exists, key) {
            return found;
        }
        let (low, high) = self.branches(f);
        let result = if self.level(cube) == variable {
            let rest = self.branches(cube).1;
            let low = self.exists_cube(low, rest);
            if low == NodeId::TRUE {
                low
            } else {
                let high = self.exists_cube(high, rest);
                self.or(low, high)
            }
        } else {
            let low = self.exists_cube(low, cube);
            let high = self.exists_cube(high, cube);
            self.make(variable, low, high)
        };
        self.remember(Op::Exists, key, result)
    }

    fn and_exists(&mut self, f: NodeId, g: NodeId, cube: NodeId) -> NodeId {
        if f == NodeId::FALSE || g == NodeId::FALSE || self.overflowed() {
            return NodeId::FALSE;
        }
        if f == NodeId::TRUE || f == g {
            return self.exists_cube(g, cube);
        }
        if g == NodeId::TRUE {
            return self.exists_cube(f, cube);
        }
        let (f, g) = (f.min(g), f.max(g));
        let variable = self.level(f).min(self.level(g));
        let cube = self.skip(cube, variable);
        if cube == NodeId::TRUE {
            return self.and(f, g);
        }
        let key = [f.0, g.0, cube.0];
        if let Some(found) = self.cached(Op::AndExists, key) {
            return found;
        }
        let ((f0, f1), (g0, g1)) = (self.cofactors(f, variable), self.cofactors(g, variable));
        let result = if self.level(cube) == variable {
            let rest = self.branches(cube).1;
            let low = self.and_exists(f0, g0, rest);
            if low == NodeId::TRUE {
                low
            } else {
                let high = self.and_exists(f1, g1, rest);
                self.or(low, high)
            }
        } else {
            let low = self.and_exists(f0, g0, cube);
            let high = self.and_exists(f1, g1, cube);
            self.make(variable, low, high)
        };
        self.remember(Op::AndExists, key, result)
    }

    /// The part of a cube from a variable on.
    fn skip(&self, mut cube: NodeId, variable: u32) -> NodeId {
        while self.level(cube) < variable {
            cube = self.branches(cube).1;
        }
        cube
    }
}
