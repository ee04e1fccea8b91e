//! Canonical images under the part of G that is not plain.
//!
//! A small group is tried element by element. A product of symmetric groups, and a group that was found as the
//! automorphisms of tables, is searched by refinement and backtracking. Of a large group that is only known by its
//! generators no canonical image is known that would be cheap: there a state climbs, generator by generator, to a local
//! maximum, and an orbit may get several representatives; everything stays sound, only size is lost.

use super::colouring::{Colouring, Labelling};
use super::elements::Elements;
use super::necklace::Necklace;
use crate::group::{Factor, Group, Perm, Process};
use crate::program::{Packing, Slot};
use crate::strain::{size, took};
use crate::symmetry::{Axis, Effort, ProgramSymmetry, Structure, Table, canonical};
use alloc::vec::Vec;

/// How much building the chain of a stabiliser may cost.
const CHAIN_EFFORT: u64 = 10_000_000;

/// How canonical images are found, and how many nodes a search for one may visit.
#[derive(Clone, Debug)]
pub(super) struct General {
    way: Way,
    /// Tried before the way.
    quick: Quick,
    nodes: u32,
}

/// Without a search, in about the time that reading a state takes.
#[derive(Clone, Debug)]
enum Quick {
    None,
    /// Where processes change places freely.
    Colours(Colouring),
    /// Where they stand in a ring.
    Ring(Necklace),
}

#[derive(Clone, Debug)]
enum Way {
    Trivial,
    /// All elements of the group.
    Elements(Elements),
    /// The processes of each class change places freely.
    Classes(Vec<Vec<Process>>),
    /// The group is that of the permutations that leave fixed tables as they are: they stand behind those of the state.
    Automorphisms {
        classes: Vec<Vec<Process>>,
        with_fixed: Structure,
        fixed_values: Vec<i32>,
    },
    /// Only generators are known.
    Generators(Vec<Perm>),
}

/// A canonical image.
#[derive(Clone, Debug)]
pub(super) struct Image {
    /// Equal for two states if they are in one orbit, and only then, where `exact`.
    pub key: Vec<i32>,
    /// λ⁻¹: the state is λ⁻¹·(the key's state).
    pub back: Perm,
    /// Whether λ is in G, so that the key's state may represent the orbit. If not, the first state found does.
    pub in_group: bool,
    /// Whether equal orbits surely have equal keys.
    pub exact: bool,
}

/// The processes of the factors, where all of them are symmetric groups.
fn classes(factors: &[Factor]) -> Option<Vec<Vec<Process>>> {
    let class = |f: &Factor| matches!(f, Factor::Symmetric(_)).then(|| f.points().iter().collect());
    factors.iter().map(class).collect()
}

impl Way {
    /// `fixed` are the tables that the group was found from, if it was; a row has `slots` values.
    fn new(
        degree: u32,
        factors: Vec<Factor>,
        (structure, slots): (&Structure, u32),
        fixed: Option<(&[Table], &[i32])>,
        effort: Effort,
    ) -> Way {
        let classes = classes(&factors);
        let rings: Vec<Factor> =
            factors.iter().filter(|f| !matches!(f, Factor::General(_))).cloned().collect();
        let Ok(group) = Group::new(degree, factors) else { return Way::Trivial };
        if group.is_trivial() {
            return Way::Trivial;
        }
        // Without tables to search, trying all elements is the only exact way: it may cost more.
        let few = u128::from(effort.elements) * if fixed.is_some() { 1 } else { 100 };
        let each = structure.entries().len().max(1) as u128;
        if let Some(order) = group.order().to_u128().filter(|&order| order.saturating_mul(each) <= few) {
            took("quotient: images by all elements");
            return Way::Elements(Elements::new(structure, slots, group.elements(order)));
        }
        if let Some(classes) = classes {
            took("quotient: images by a search in classes");
            return Way::Classes(classes);
        }
        let Some((tables, values)) = fixed else {
            took("quotient: images by generators");
            return Way::Generators(group.generators().collect());
        };
        took("quotient: images by a search with the program's tables");
        let (mut tables, mut values) = (tables.to_vec(), values.to_vec());
        // Points of one orbit may change places as far as the tables allow.
        let classes = group.orbits().nontrivial_classes().map(|orbit| orbit.iter().collect()).collect();
        for ring in &rings {
            ring_tables(ring, &mut tables, &mut values);
        }
        let behind = tables.into_iter().map(|table| Table { first: table.first + slots, ..table });
        let with_fixed = Structure::new(structure.tables().iter().cloned().chain(behind).collect());
        Way::Automorphisms { classes, with_fixed, fixed_values: values }
    }
}

impl General {
    /// Chooses the way for these factors of a program's group.
    pub(super) fn new(
        degree: u32,
        factors: Vec<Factor>,
        (structure, packing): (&Structure, &Packing),
        symmetry: &ProgramSymmetry,
    ) -> General {
        let range = |slot: u32| packing.range(Slot(slot));
        let quick = match classes(&factors).filter(|classes| !classes.is_empty()) {
            Some(classes) => Quick::Colours(Colouring::new(structure, range, &classes)),
            None => Necklace::new(structure, range, &factors).map_or(Quick::None, Quick::Ring),
        };
        let fixed = symmetry.fixed.as_ref().map(|(tables, values)| (tables.as_slice(), values.as_slice()));
        let way = match &quick {
            // Nothing is left to another way: its elements need not be listed.
            Quick::Ring(necklace) => Way::Generators(necklace.generators().into()),
            _ => Way::new(degree, factors, (structure, packing.slots()), fixed, symmetry.effort),
        };
        General { way, quick, nodes: symmetry.effort.nodes }
    }

    /// Whether nothing moves.
    pub(super) fn is_trivial(&self) -> bool {
        matches!(self.way, Way::Trivial)
    }

    /// Whether a key has the values of an image and nothing else.
    pub(super) fn keys_are_images(&self) -> bool {
        !matches!(self.way, Way::Automorphisms { .. })
    }

    /// Finds the canonical image of a state without a search, where it can: it is then the labelling's. Gives λ⁻¹, which takes it back
    /// to the state, and whether it is known that nothing but the identity fixes the state.
    pub(super) fn quick_image(&self, values: &[i32], labelling: &mut Labelling) -> Option<(Perm, bool)> {
        match &self.quick {
            Quick::None => None,
            Quick::Colours(colouring) => {
                let image = colouring.image(values, labelling);
                if image.is_none() {
                    took("quotient: colours do not tell an image");
                }
                image
            }
            Quick::Ring(necklace) => Some(necklace.image(values, labelling)),
        }
    }

    /// The permutations of this part of G that leave a state as it is, where they are found without a search.
    pub(super) fn quick_stabiliser(&self, degree: u32, values: &[i32]) -> Option<Group> {
        match &self.quick {
            Quick::None => None,
            Quick::Colours(colouring) => {
                let mut labelling = Labelling::default();
                let told = colouring.label(values, &mut labelling);
                told.then(|| Group::new(degree, colouring.alike(&labelling).map(Factor::Symmetric)).ok())?
            }
            Quick::Ring(necklace) => necklace.stabiliser(degree, values, CHAIN_EFFORT).ok(),
        }
    }

    /// The canonical image of a state, by the way.
    pub(super) fn image(&self, structure: &Structure, values: &[i32]) -> Image {
        match &self.way {
            Way::Trivial => {
                Image { key: values.to_vec(), back: Perm::identity(), in_group: true, exact: true }
            }
            Way::Elements(elements) => {
                let (key, back) = elements.largest_image(values);
                Image { key, back, in_group: true, exact: true }
            }
            Way::Classes(classes) => {
                let found = canonical(structure, values, classes, self.nodes);
                let back = found.perm.inverse();
                Image { key: found.image, back, in_group: true, exact: found.complete }
            }
            Way::Automorphisms { classes, with_fixed, fixed_values } => {
                let found = canonical(with_fixed, &[values, fixed_values].concat(), classes, self.nodes);
                let back = found.perm.inverse();
                Image { key: found.image, back, in_group: false, exact: found.complete }
            }
            Way::Generators(generators) => {
                let (key, lambda) = climb(structure, values, generators);
                Image { key, back: lambda.inverse(), in_group: true, exact: false }
            }
        }
    }

    /// The permutations of this part of G that leave a state as it is, by the way. With generators alone these are only some.
    pub(super) fn stabiliser(&self, degree: u32, structure: &Structure, values: &[i32]) -> Group {
        let generators: Vec<Perm> = match &self.way {
            Way::Trivial => Vec::new(),
            Way::Elements(elements) => elements.fixing(values).cloned().collect(),
            Way::Generators(all) => all.iter().filter(|g| structure.fixes(g, values)).cloned().collect(),
            Way::Classes(classes) => canonical(structure, values, classes, self.nodes).automorphisms,
            Way::Automorphisms { classes, with_fixed, fixed_values } => {
                canonical(with_fixed, &[values, fixed_values].concat(), classes, self.nodes).automorphisms
            }
        };
        let effort = size("quotient: effort for a stabiliser", CHAIN_EFFORT, 300);
        Group::generated(degree, &generators, effort).unwrap_or_else(|_| {
            took("quotient: a stabiliser that costs too much");
            Group::trivial(degree)
        })
    }
}

/// The tables whose automorphisms are a ring's group. A ring is a whole family.
fn ring_tables(factor: &Factor, tables: &mut Vec<Table>, values: &mut Vec<i32>) {
    let first = values.len() as u32;
    let (ring, reflects) = match factor {
        Factor::Cyclic(ring) => (ring, false),
        Factor::Dihedral(ring) => (ring, true),
        Factor::Symmetric(_) | Factor::General(_) => return,
    };
    let (size, cycle) = (ring.len(), ring.cycle());
    let base = ring.points().first().unwrap_or(Process(0));
    let all = |stride| Axis { family: Some(base), size, stride };
    let next = cycle.iter().map(|p| p.0 - base.0).zip(cycle.iter().cycle().skip(1).map(|p| p.0 - base.0));
    if reflects {
        let mut near = alloc::vec![0; (size * size) as usize];
        for (a, b) in next {
            near[(a * size + b) as usize] = 1;
            near[(b * size + a) as usize] = 1;
        }
        values.extend(near);
        tables.push(Table { first, axes: alloc::vec![all(size), all(1)], value: None });
    } else {
        let mut following: Vec<i32> = (0..size as i32).collect();
        for (a, b) in next {
            following[a as usize] = b as i32;
        }
        values.extend(following);
        tables.push(Table { first, axes: alloc::vec![all(1)], value: Some(base) });
    }
}

fn climb(structure: &Structure, values: &[i32], generators: &[Perm]) -> (Vec<i32>, Perm) {
    let mut best = (values.to_vec(), Perm::identity());
    loop {
        let better = generators
            .iter()
            .flat_map(|g| [g.clone(), g.inverse()])
            .map(|g| (structure.apply(&g, &best.0), g))
            .filter(|(image, _)| *image > best.0)
            .max_by(|a, b| a.0.cmp(&b.0));
        match better {
            Some((image, g)) => best = (image, g.compose(&best.1)),
            None => return best,
        }
    }
}
