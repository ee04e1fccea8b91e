//! The types of variables as trees, and the scalar variables that they are made of.
//!
//! A program's engines know scalar variables and tables of them. A record is its fields, a set a truth value for each value
//! that it can have, a bag a number for each, a queue a row of places. Where nothing is there (an empty value, a place behind
//! the end of a queue) every scalar has its lowest value, and a process id is none: so that equal values are equal scalar by
//! scalar, and a permutation of processes moves the one as it moves the other.

use super::term::Domain;
use super::types::{FamilyId, Type, ValueType};
use super::{Family, VarId};
use crate::define_id;
use crate::ids::IdVec;
use crate::text::Span;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

define_id!(
    /// A type as a tree.
    ShapeId
);
define_id!(
    /// A variable as it was declared: one or more scalar ones.
    DeclId
);

/// A type as a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One value.
    Scalar(ValueType),
    /// Fields, each with its own type.
    Record {
        /// The name of the type, if it has one.
        name: Option<String>,
        /// The fields in the order of the text.
        fields: Vec<(String, ShapeId)>,
    },
    /// A value or `none`; a process that may be none is a scalar.
    Optional(ShapeId),
    /// A process of one of several families.
    Union {
        /// The families.
        families: Vec<FamilyId>,
        /// Whether `none` is a value.
        optional: bool,
    },
    /// A field with indices.
    Table(Vec<Domain>, ShapeId),
    /// A set.
    Set(ShapeId),
    /// At most this many values without an order.
    Bag(u32, ShapeId),
    /// At most this many values in order.
    Queue(u32, ShapeId),
    /// A type that could not be read.
    Error,
}

/// A declared variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The family it is local to; a shared one has none.
    pub owner: Option<FamilyId>,
    /// The domains of its indices.
    pub index: Vec<Domain>,
    /// Its type.
    pub shape: ShapeId,
    /// The first of its scalar variables; the others follow it.
    pub first: VarId,
}

/// One scalar of a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Its name behind the name of the whole.
    pub suffix: String,
    /// The indices that it has beside those of the whole.
    pub index: Vec<Domain>,
    /// Its values.
    pub ty: ValueType,
}

/// The values of a type that differ in scalars only, as a tree like the type: what can be ranged over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The values of a scalar; a process is not `none`.
    Scalar(Domain, Type),
    /// `none`
    Nothing,
    /// A value of a type that may be `none`.
    Given(Box<Variant>),
    /// A process of the family with this position in a union.
    Member(u32, FamilyId),
    /// The fields of a record.
    Record(Vec<Variant>),
}

impl Variant {
    /// The domains of the scalars of such a value.
    pub fn domains(&self) -> Vec<Domain> {
        self.scalars().into_iter().map(|(domain, _)| domain).collect()
    }

    /// The scalars of such a value: what each ranges over, and its type.
    pub fn scalars(&self) -> Vec<(Domain, Type)> {
        match self {
            Variant::Scalar(domain, ty) => vec![(*domain, *ty)],
            Variant::Nothing => Vec::new(),
            Variant::Given(inner) => inner.scalars(),
            Variant::Member(_, family) => {
                vec![(Domain::Family(*family), Type::Process { family: *family, optional: false })]
            }
            Variant::Record(fields) => fields.iter().flat_map(Variant::scalars).collect(),
        }
    }
}

/// The shapes of a program; equal ones are one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shapes {
    all: IdVec<ShapeId, Shape>,
}

impl core::ops::Index<ShapeId> for Shapes {
    type Output = Shape;

    fn index(&self, id: ShapeId) -> &Shape {
        &self.all[id]
    }
}

/// A type of truth values.
pub(super) const TRUTH: ValueType = ValueType { ty: Type::Bool, low: 0, size: 2 };

fn number(high: u32) -> ValueType {
    ValueType { ty: Type::Int, low: 0, size: u64::from(high) + 1 }
}

fn maybe_nobody(family: FamilyId, families: &IdVec<FamilyId, Family>) -> ValueType {
    let size = u64::from(families[family].size) + 1;
    ValueType { ty: Type::Process { family, optional: true }, low: -1, size }
}

impl Shapes {
    pub(super) fn enter(&mut self, shape: Shape) -> ShapeId {
        let known = self.all.iter_enumerated().find(|(_, known)| **known == shape).map(|(id, _)| id);
        known.unwrap_or_else(|| self.all.push(shape))
    }

    /// The shape with `none` as a further value.
    pub(super) fn optional(&mut self, id: ShapeId, families: &IdVec<FamilyId, Family>) -> ShapeId {
        let shape = match self.all[id].clone() {
            Shape::Optional(_) | Shape::Error => return id,
            Shape::Scalar(ValueType { ty: Type::Process { family, .. }, .. }) => {
                Shape::Scalar(maybe_nobody(family, families))
            }
            Shape::Union { families, .. } => Shape::Union { families, optional: true },
            _ => Shape::Optional(id),
        };
        self.enter(shape)
    }

    /// How many scalar variables it has.
    pub fn count(&self, id: ShapeId) -> usize {
        match &self.all[id] {
            Shape::Scalar(_) | Shape::Error => 1,
            Shape::Record { fields, .. } => fields.iter().map(|(_, field)| self.count(*field)).sum(),
            Shape::Optional(inner) | Shape::Queue(_, inner) => 1 + self.count(*inner),
            Shape::Union { families, .. } => families.len(),
            Shape::Table(_, inner) => self.count(*inner),
            Shape::Set(item) => self.variants(*item).len(),
            Shape::Bag(_, item) => 1 + self.variants(*item).len(),
        }
    }

    /// Its scalar variables. A `hollow` one may be empty: a process in it is then none.
    pub fn leaves(&self, id: ShapeId, hollow: bool, families: &IdVec<FamilyId, Family>) -> Vec<Leaf> {
        let plain = |suffix: &str, ty| Leaf { suffix: suffix.into(), index: Vec::new(), ty };
        let within = |prefix: &str, index: &[Domain], inner: Vec<Leaf>| -> Vec<Leaf> {
            let put = |leaf: Leaf| Leaf {
                suffix: format!("{prefix}{}", leaf.suffix),
                index: [index, &leaf.index].concat(),
                ty: leaf.ty,
            };
            inner.into_iter().map(put).collect()
        };
        let tables = |item: ShapeId, ty: ValueType| -> Vec<Leaf> {
            let variants = self.variants(item);
            let name = |i: usize| if variants.len() == 1 { String::new() } else { format!(":{i}") };
            let leaf = |(i, v): (usize, &Variant)| Leaf { suffix: name(i), index: v.domains(), ty };
            variants.iter().enumerate().map(leaf).collect()
        };
        match &self.all[id] {
            Shape::Scalar(ValueType { ty: Type::Process { family, .. }, .. }) if hollow => {
                vec![plain("", maybe_nobody(*family, families))]
            }
            Shape::Scalar(ty) => vec![plain("", *ty)],
            Shape::Error => vec![plain("", ValueType { ty: Type::Error, low: 0, size: 1 })],
            Shape::Record { fields, .. } => fields
                .iter()
                .flat_map(|(name, field)| {
                    within(&format!(".{name}"), &[], self.leaves(*field, hollow, families))
                })
                .collect(),
            Shape::Optional(inner) => {
                let mut all = vec![plain("?", TRUTH)];
                all.extend(self.leaves(*inner, true, families));
                all
            }
            Shape::Union { families: members, .. } => members
                .iter()
                .map(|&f| plain(&format!(":{}", families[f].name), maybe_nobody(f, families)))
                .collect(),
            Shape::Table(domains, inner) => within("", domains, self.leaves(*inner, hollow, families)),
            Shape::Set(item) => tables(*item, TRUTH),
            Shape::Bag(most, item) => {
                let mut all = vec![plain(".count", number(*most))];
                all.extend(tables(*item, number(*most)));
                all
            }
            Shape::Queue(most, item) => {
                let mut all = vec![plain(".length", number(*most))];
                let places = [Domain::Range(0, i64::from(*most) - 1)];
                all.extend(within("", &places, self.leaves(*item, true, families)));
                all
            }
        }
    }

    /// Whether the values of a type can be ranged over: it has no sets, bags, queues or tables.
    pub fn is_plain(&self, id: ShapeId) -> bool {
        match &self.all[id] {
            Shape::Scalar(_) | Shape::Union { .. } | Shape::Error => true,
            Shape::Record { fields, .. } => fields.iter().all(|(_, field)| self.is_plain(*field)),
            Shape::Optional(inner) => self.is_plain(*inner),
            Shape::Table(..) | Shape::Set(_) | Shape::Bag(..) | Shape::Queue(..) => false,
        }
    }

    /// How many variants a type has, without listing them.
    pub(super) fn variant_count(&self, id: ShapeId) -> u64 {
        match &self.all[id] {
            Shape::Scalar(ValueType { ty: Type::Process { optional: true, .. }, .. }) => 2,
            Shape::Record { fields, .. } => {
                fields.iter().map(|(_, field)| self.variant_count(*field)).fold(1, u64::saturating_mul)
            }
            Shape::Optional(inner) => self.variant_count(*inner).saturating_add(1),
            Shape::Union { families, optional } => families.len() as u64 + u64::from(*optional),
            _ => 1,
        }
    }

    /// How many values a type has.
    pub(super) fn values(&self, id: ShapeId, families: &IdVec<FamilyId, Family>) -> u64 {
        match &self.all[id] {
            Shape::Scalar(ty) => ty.size,
            Shape::Record { fields, .. } => {
                fields.iter().map(|(_, field)| self.values(*field, families)).fold(1, u64::saturating_mul)
            }
            Shape::Optional(inner) => self.values(*inner, families).saturating_add(1),
            Shape::Union { families: members, optional } => {
                members.iter().map(|&f| u64::from(families[f].size)).sum::<u64>() + u64::from(*optional)
            }
            _ => 1,
        }
    }

    /// The kinds of value that a type has, `none` before others.
    pub fn variants(&self, id: ShapeId) -> Vec<Variant> {
        match &self.all[id] {
            Shape::Scalar(ty) => match ty.ty {
                Type::Process { family, optional } => {
                    let ty = Type::Process { family, optional: false };
                    let some = Variant::Scalar(Domain::Family(family), ty);
                    if optional { vec![Variant::Nothing, some] } else { vec![some] }
                }
                other => vec![Variant::Scalar(Domain::Range(ty.low.into(), ty.high()), other)],
            },
            Shape::Record { fields, .. } => {
                let mut all: Vec<Vec<Variant>> = vec![Vec::new()];
                for (_, field) in fields {
                    let choices = self.variants(*field);
                    let with = |before: &Vec<Variant>| -> Vec<Vec<Variant>> {
                        choices
                            .iter()
                            .map(|v| [before.as_slice(), core::slice::from_ref(v)].concat())
                            .collect()
                    };
                    all = all.iter().flat_map(with).collect();
                }
                all.into_iter().map(Variant::Record).collect()
            }
            Shape::Optional(inner) => {
                let given = self.variants(*inner).into_iter().map(|v| Variant::Given(Box::new(v)));
                core::iter::once(Variant::Nothing).chain(given).collect()
            }
            Shape::Union { families, optional } => {
                let members = families.iter().zip(0..).map(|(&f, i)| Variant::Member(i, f));
                optional.then_some(Variant::Nothing).into_iter().chain(members).collect()
            }
            _ => Vec::new(),
        }
    }
}
