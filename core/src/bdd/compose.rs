//! Functions in the place of variables: renaming, arbitrary permutations, and the action of symmetries on values.

use super::table::{Bdd, Manager, Op, Variable};
use crate::define_id;
use alloc::vec::Vec;

define_id!(
    /// A registered substitution: results are cached by it.
    Substitution
);

/// What stands for each variable.
#[derive(Clone, Debug)]
pub(super) struct Map {
    /// By variable; variables beyond, and those with none, stay.
    images: Vec<Option<Bdd>>,
    /// Every variable goes to a variable, and those of a function that it is applied to keep their order.
    monotone: bool,
}

impl Map {
    pub(super) fn functions(&self) -> impl Iterator<Item = Bdd> {
        self.images.iter().flatten().copied()
    }
}

impl Manager {
    /// Registers a substitution: each variable given is replaced by its function, all at once. It lives as long as the
    /// manager.
    pub fn substitution(&mut self, images: impl IntoIterator<Item = (Variable, Bdd)>) -> Substitution {
        self.register(images, false)
    }

    /// Registers a renaming that keeps the order of the variables of every function that it will be applied to.
    pub fn monotone_renaming(
        &mut self,
        images: impl IntoIterator<Item = (Variable, Variable)>,
    ) -> Substitution {
        let images: Vec<(Variable, Bdd)> =
            images.into_iter().map(|(from, to)| (from, self.variable(to))).collect();
        self.register(images, true)
    }

    fn register(
        &mut self,
        images: impl IntoIterator<Item = (Variable, Bdd)>,
        monotone: bool,
    ) -> Substitution {
        let mut map = Map { images: Vec::new(), monotone };
        for (variable, image) in images {
            let place = variable.0 as usize;
            if map.images.len() <= place {
                map.images.resize(place + 1, None);
            }
            map.images[place] = Some(image);
        }
        self.maps.push(map);
        Substitution(self.maps.len() as u32 - 1)
    }

    /// The function with other functions in the place of its variables.
    pub fn substitute(&mut self, f: Bdd, by: Substitution) -> Bdd {
        if f.is_constant() || self.overflowed() {
            return f;
        }
        let variable = self.level(f);
        let map = &self.maps[by.0 as usize];
        if variable as usize >= map.images.len() {
            return f;
        }
        let key = [f.0, by.0, 0];
        if let Some(found) = self.cached(Op::Substitute, key) {
            return found;
        }
        let (image, monotone) = (map.images[variable as usize], map.monotone);
        let (low, high) = self.branches(f);
        let low = self.substitute(low, by);
        let high = self.substitute(high, by);
        let result = match image {
            Some(image) if monotone => {
                let target = self.level(image);
                self.make(target, low, high)
            }
            None if monotone => self.make(variable, low, high),
            Some(image) => self.ite(image, high, low),
            None => {
                let same = self.variable(Variable(variable));
                self.ite(same, high, low)
            }
        };
        self.remember(Op::Substitute, key, result)
    }
}
