//! Records, sets, bags and queues in the words of the model.

use super::layout::Slot;
use super::shape::{Declared, Shape, ShapeId, Variant};
use super::term::Domain;
use super::types::Type;
use super::{Program, Shown, VarId};
use crate::ids::Id;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The values of a type that a state has at a place: the scalars of a variable at some of its entries.
#[derive(Clone, Copy)]
pub(crate) struct Held<'a> {
    pub program: &'a Program,
    pub values: &'a [i32],
    pub process: u32,
    /// The first of the scalars.
    pub first: VarId,
    pub shape: ShapeId,
    /// The entry of the tables, among all entries of the indices so far.
    pub entry: u32,
}

/// A value taken apart.
pub(crate) enum Parts<'a> {
    Scalar(Type, i32),
    None,
    Record(Option<&'a str>, Vec<(&'a str, Held<'a>)>),
    List(Vec<Held<'a>>),
    /// The elements of a set or bag, each as often as it is there.
    Values(Vec<String>),
    Queue(Vec<Held<'a>>),
}

impl<'a> Held<'a> {
    /// The value of a variable at an entry of its own indices.
    pub(crate) fn new(
        program: &'a Program,
        values: &'a [i32],
        decl: &Declared,
        process: u32,
        entry: u32,
    ) -> Held<'a> {
        Held { program, values, process, first: decl.first, shape: decl.shape, entry }
    }

    fn scalar(self, leaf: usize, entry: u32) -> i32 {
        self.values[self.slot(leaf, entry).index()]
    }

    pub(crate) fn slot(self, leaf: usize, entry: u32) -> Slot {
        let var = VarId::from_index(self.first.index() + leaf);
        Slot(self.program.entries(var, self.process).0.0 + entry)
    }

    fn part(self, leaf: usize, shape: ShapeId, entry: u32) -> Held<'a> {
        Held { first: VarId::from_index(self.first.index() + leaf), shape, entry, ..self }
    }

    fn size(self, domains: &[Domain]) -> u32 {
        domains.iter().map(|&d| super::layout::domain_size(d, &self.program.families)).product()
    }

    /// The value, taken apart.
    pub(crate) fn parts(self) -> Parts<'a> {
        let program = self.program;
        match &program.shapes[self.shape] {
            Shape::Scalar(ty) => Parts::Scalar(ty.ty, self.scalar(0, self.entry)),
            Shape::Error => Parts::None,
            Shape::Record { name, fields } => {
                let mut leaf = 0;
                let field = |(name, shape): &'a (String, ShapeId)| {
                    let part = self.part(leaf, *shape, self.entry);
                    leaf += program.shapes.count(*shape);
                    (name.as_str(), part)
                };
                Parts::Record(name.as_deref(), fields.iter().map(field).collect())
            }
            Shape::Optional(inner) => match self.scalar(0, self.entry) {
                0 => Parts::None,
                _ => self.part(1, *inner, self.entry).parts(),
            },
            Shape::Union { families, .. } => {
                let set = (0..families.len()).find(|&i| self.scalar(i, self.entry) >= 0);
                set.map_or(Parts::None, |i| {
                    let ty = Type::Process { family: families[i], optional: true };
                    Parts::Scalar(ty, self.scalar(i, self.entry))
                })
            }
            Shape::Table(domains, inner) => {
                let size = self.size(domains);
                Parts::List((0..size).map(|i| self.part(0, *inner, self.entry * size + i)).collect())
            }
            Shape::Set(item) => Parts::Values(self.contents(0, *item)),
            Shape::Bag(_, item) => Parts::Values(self.contents(1, *item)),
            Shape::Queue(most, item) => {
                let length = self.scalar(0, self.entry) as u32;
                Parts::Queue((0..length).map(|i| self.part(1, *item, self.entry * most + i)).collect())
            }
        }
    }

    fn contents(self, first: usize, item: ShapeId) -> Vec<String> {
        let program = self.program;
        let mut all = Vec::new();
        for (i, variant) in program.shapes.variants(item).iter().enumerate() {
            let domains = variant.domains();
            let size = self.size(&domains);
            for at in 0..size {
                let often = self.scalar(first + i, self.entry * size + at);
                if often > 0 {
                    let shown = program.show_variant(
                        item,
                        variant,
                        &mut coordinates(program, &domains, at).into_iter(),
                    );
                    all.extend((0..often).map(|_| shown.clone()));
                }
            }
        }
        all
    }

    /// The value as a model writes it.
    pub(crate) fn show(self) -> String {
        let all = |list: Vec<Held<'a>>| list.into_iter().map(Held::show).collect::<Vec<_>>().join(", ");
        match self.parts() {
            Parts::Scalar(ty, value) => self.program.show_value(ty, value.into()).to_string(),
            Parts::None => "none".into(),
            Parts::Record(name, fields) => {
                let fields: Vec<String> =
                    fields.into_iter().map(|(name, part)| format!("{name}: {}", part.show())).collect();
                format!("{}({})", name.unwrap_or_default(), fields.join(", "))
            }
            Parts::List(list) => format!("[{}]", all(list)),
            Parts::Values(list) => format!("{{{}}}", list.join(", ")),
            Parts::Queue(list) => format!("<{}>", all(list)),
        }
    }
}

/// The indices of an entry of a table.
fn coordinates(program: &Program, domains: &[Domain], mut entry: u32) -> Vec<i64> {
    let mut indices = Vec::with_capacity(domains.len());
    for &domain in domains.iter().rev() {
        let size = super::layout::domain_size(domain, &program.families).max(1);
        let low = match domain {
            Domain::Family(_) => 0,
            Domain::Range(low, _) => low,
        };
        indices.push(low + i64::from(entry % size));
        entry /= size;
    }
    indices.reverse();
    indices
}

impl Program {
    /// A value of a variant with these scalars.
    fn show_variant(
        &self,
        shape: ShapeId,
        variant: &Variant,
        scalars: &mut impl Iterator<Item = i64>,
    ) -> String {
        match (variant, &self.shapes[shape]) {
            (Variant::Record(parts), Shape::Record { name, fields }) => {
                let shown: Vec<String> = parts
                    .iter()
                    .zip(fields)
                    .map(|(part, (name, field))| {
                        format!("{name}: {}", self.show_variant(*field, part, scalars))
                    })
                    .collect();
                format!("{}({})", name.as_deref().unwrap_or_default(), shown.join(", "))
            }
            (Variant::Given(inner), Shape::Optional(of)) => self.show_variant(*of, inner, scalars),
            (Variant::Scalar(_, ty), _) => self.show_value(*ty, scalars.next().unwrap_or(0)).to_string(),
            (Variant::Member(_, family), _) => {
                let ty = Type::Process { family: *family, optional: false };
                self.show_value(ty, scalars.next().unwrap_or(0)).to_string()
            }
            _ => "none".into(),
        }
    }

    pub(super) fn show_argument(&self, shown: &Shown, arguments: &[i64]) -> String {
        match shown {
            Shown::Param(position, ty) => {
                self.show_value(*ty, arguments.get(*position as usize).copied().unwrap_or(0)).to_string()
            }
            Shown::Fixed(text) => text.clone(),
            Shown::Record(name, fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, part)| format!("{name}: {}", self.show_argument(part, arguments)))
                    .collect();
                format!("{name}({})", fields.join(", "))
            }
        }
    }

    /// Whether a declared variable is one scalar.
    pub(crate) fn is_scalar(&self, decl: &Declared) -> bool {
        matches!(self.shapes[decl.shape], Shape::Scalar(_) | Shape::Error)
    }

    /// The value of a declared variable in a state, at a process and an entry of its indices, as a model writes it.
    pub fn show_declared(&self, decl: &Declared, values: &[i32], process: u32, entry: u32) -> String {
        Held::new(self, values, decl, process, entry).show()
    }

    /// How many entries a declared variable has.
    pub fn declared_entries(&self, decl: &Declared) -> u32 {
        decl.index.iter().map(|&d| super::layout::domain_size(d, &self.families)).product()
    }
}
