//! Functions in the place of variables: renaming, arbitrary permutations, and the action of symmetries on values.

use super::handle::Bdd;
use super::manager::Manager;
use super::table::{NodeId, Op, Table, Variable};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Functions that stand for variables, all put in their places at once. It holds them.
#[derive(Clone, Debug)]
pub struct Substitution(Rc<Map>);

#[derive(Debug)]
struct Map {
    /// Results are cached by this number; no two substitutions of a manager share it.
    number: u32,
    /// By variable; variables beyond, and those with none, stay.
    images: Vec<Option<Bdd>>,
    /// Every variable goes to a variable, and those of a function that it is applied to keep their order.
    monotone: bool,
}

impl Manager {
    /// Each variable given is replaced by its function, all at once.
    pub fn substitution(&mut self, images: impl IntoIterator<Item = (Variable, Bdd)>) -> Substitution {
        self.register(images, false)
    }

    /// A renaming that keeps the order of the variables of every function that it will be applied to.
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
        let mut map = Map { number: self.next_substitution(), images: Vec::new(), monotone };
        for (variable, image) in images {
            self.own(&image);
            let place = variable.0 as usize;
            if map.images.len() <= place {
                map.images.resize(place + 1, None);
            }
            map.images[place] = Some(image);
        }
        Substitution(Rc::new(map))
    }

    /// The function with other functions in the place of its variables.
    pub fn substitute(&mut self, f: &Bdd, by: &Substitution) -> Bdd {
        let map = &*by.0;
        if let Some(image) = map.images.iter().flatten().find(|image| !image.is_constant()) {
            self.own(image);
        }
        let f = self.own(f);
        self.operate(|table| table.substitute(f, map))
    }
}

impl Table {
    fn substitute(&mut self, f: NodeId, by: &Map) -> NodeId {
        if f.is_constant() || self.overflowed() {
            return f;
        }
        let variable = self.level(f);
        let Some(image) = by.images.get(variable as usize) else { return f };
        let key = [f.0, by.number, 0];
        if let Some(found) = self.cached(Op::Substitute, key) {
            return found;
        }
        let image = image.as_ref().map(|image| image.node);
        let (low, high) = self.branches(f);
        let low = self.substitute(low, by);
        let high = self.substitute(high, by);
        let result = match image {
            Some(image) if by.monotone => {
                let target = self.level(image);
                self.make(target, low, high)
            }
            None if by.monotone => self.make(variable, low, high),
            Some(image) => self.ite(image, high, low),
            None => {
                let same = self.literal(Variable(variable), true);
                self.ite(same, high, low)
            }
        };
        self.remember(Op::Substitute, key, result)
    }
}
