//! Quantification, and the relational product: conjunction and quantification at once.
//!
//! The variables to quantify are given as the cube of their positive literals, so that a result can be cached by it.

use super::table::{Bdd, Manager, Op, Variable};

impl Manager {
    /// The cube of variables that [`exists_cube`](Self::exists_cube) and [`and_exists`](Self::and_exists) quantify.
    pub fn variables(&mut self, variables: &[Variable]) -> Bdd {
        self.cube(variables.iter().map(|&v| (v, true)))
    }

    /// Whether f is true for some value of these variables.
    pub fn exists(&mut self, f: Bdd, variables: &[Variable]) -> Bdd {
        let cube = self.variables(variables);
        self.exists_cube(f, cube)
    }

    /// Whether f is true for some value of the variables of a cube.
    pub fn exists_cube(&mut self, f: Bdd, cube: Bdd) -> Bdd {
        if f.is_constant() || self.overflowed() {
            return f;
        }
        let variable = self.level(f);
        let cube = self.skip(cube, variable);
        if cube == Bdd::TRUE {
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
            if low == Bdd::TRUE {
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

    /// Whether f is true for every value of the variables of a cube.
    pub fn forall_cube(&mut self, f: Bdd, cube: Bdd) -> Bdd {
        let not = self.not(f);
        let some = self.exists_cube(not, cube);
        self.not(some)
    }

    /// Whether f and g are true for some value of the variables of a cube.
    pub fn and_exists(&mut self, f: Bdd, g: Bdd, cube: Bdd) -> Bdd {
        if f == Bdd::FALSE || g == Bdd::FALSE || self.overflowed() {
            return Bdd::FALSE;
        }
        if f == Bdd::TRUE || f == g {
            return self.exists_cube(g, cube);
        }
        if g == Bdd::TRUE {
            return self.exists_cube(f, cube);
        }
        let (f, g) = (f.min(g), f.max(g));
        let variable = self.level(f).min(self.level(g));
        let cube = self.skip(cube, variable);
        if cube == Bdd::TRUE {
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
            if low == Bdd::TRUE {
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
    fn skip(&self, mut cube: Bdd, variable: u32) -> Bdd {
        while self.level(cube) < variable {
            cube = self.branches(cube).1;
        }
        cube
    }
}
