//! Types as they are written, read as shapes.

use super::super::shape::{Shape, ShapeId};
use super::super::types::{Type, ValueType};
use super::Builder;
use super::names::Global;
use crate::limits::{MAX_BAG_VALUES, MAX_VARIANTS};
use crate::syntax::ast::{ExprId, FieldDecl, Ident, TypeExpr};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// The shape behind a named type.
    pub(super) fn named_shape(&mut self, name: &Ident, ty: &'a TypeExpr) -> Option<ShapeId> {
        if self.resolving.contains(&name.name) {
            self.error(name.span, format!("the type `{}` is declared by itself", name.name));
            return None;
        }
        self.resolving.push(name.name.clone());
        let resolved = self.shape(ty, Some(name));
        self.resolving.pop();
        resolved
    }

    /// A type; a record that is declared with a name has that name.
    pub(super) fn shape(&mut self, ty: &'a TypeExpr, name: Option<&Ident>) -> Option<ShapeId> {
        let shape = match ty {
            TypeExpr::Named { name, optional } => {
                let shape = self.shape_by_name(name, *optional)?;
                return Some(if *optional { self.shapes.optional(shape, &self.families) } else { shape });
            }
            TypeExpr::Optional(inner, _) => {
                let inner = self.shape(inner, None)?;
                return Some(self.shapes.optional(inner, &self.families));
            }
            TypeExpr::Record(fields, _) => self.record_shape(fields, name)?,
            TypeExpr::Union(names, span) => self.union_shape(names, *span)?,
            TypeExpr::Set(item, span) => {
                let item = self.item_shape(item, "set", *span)?;
                Shape::Set(item)
            }
            TypeExpr::Bag(size, item, span) => {
                let size = self.capacity(*size, "bag");
                let item = self.item_shape(item, "bag", *span)?;
                Shape::Bag(size?, item)
            }
            TypeExpr::Queue(size, item, _) => {
                let size = self.capacity(*size, "queue");
                let item = self.shape(item, None)?;
                Shape::Queue(size?, item)
            }
            _ => Shape::Scalar(self.value_type(ty)?),
        };
        Some(self.shapes.enter(shape))
    }

    fn record_shape(&mut self, fields: &'a [FieldDecl], name: Option<&Ident>) -> Option<Shape> {
        let mut all: Vec<(String, ShapeId)> = Vec::new();
        for field in fields {
            if all.iter().any(|(other, _)| *other == field.name.name) {
                let message = format!("the field `{}` stands twice in this record", field.name.name);
                self.error(field.name.span, message);
            }
            let domains: Vec<_> = field.index.iter().map(|d| self.domain(d)).collect();
            let mut shape = self.shape(&field.ty, None)?;
            if !domains.is_empty() {
                let domains = domains.into_iter().collect::<Option<Vec<_>>>()?;
                shape = self.shapes.enter(Shape::Table(domains, shape));
            }
            all.push((field.name.name.clone(), shape));
        }
        Some(Shape::Record { name: name.map(|n| n.name.clone()), fields: all })
    }

    fn union_shape(&mut self, names: &[Ident], span: Span) -> Option<Shape> {
        let mut families = Vec::new();
        for name in names {
            let family = self.family(name)?;
            if families.contains(&family) {
                self.error(name.span, format!("`{}` stands twice in this union", name.name));
                return None;
            }
            families.push(family);
        }
        if families.iter().all(|&f| self.families[f].size == 0) {
            self.error(span, "none of these families has a process that this variable could hold");
            return None;
        }
        Some(Shape::Union { families, optional: false })
    }

    fn capacity(&mut self, expr: ExprId, what: &str) -> Option<u32> {
        let size = self.fixed_number(expr)?;
        match u32::try_from(size) {
            Ok(size) if (1..=1 << 16).contains(&size) => Some(size),
            _ => {
                let span = self.span(expr);
                self.error(span, format!("a {what} has room for 1 to 65536 values, not for {size}"));
                None
            }
        }
    }

    /// The type of what is in a set or bag: its values must be few enough to be counted one by one.
    fn item_shape(&mut self, ty: &'a TypeExpr, what: &str, span: Span) -> Option<ShapeId> {
        let shape = self.shape(ty, None)?;
        if !self.shapes.is_plain(shape) {
            let message = format!(
                "the values in a {what} cannot have tables, sets, bags or queues in them; a `queue` may hold any value"
            );
            self.error(span, message);
            return None;
        }
        let values = self.shapes.values(shape, &self.families);
        if values > MAX_BAG_VALUES || self.shapes.variant_count(shape) > MAX_VARIANTS {
            let message = format!(
                "what is in this {what} can have {values} values, and at most {MAX_BAG_VALUES} can be told apart: \
                 leave out fields, take smaller ranges, or use a `queue`, which has places instead"
            );
            self.diagnostics.push(Diagnostic::too_large(span, message));
            return None;
        }
        Some(shape)
    }

    /// Whether `any` can be the initial value: each scalar may then have any value, whatever the others have.
    pub(super) fn has_any(&self, shape: ShapeId) -> bool {
        match &self.shapes[shape] {
            Shape::Scalar(_) | Shape::Set(_) | Shape::Error => true,
            Shape::Record { fields, .. } => fields.iter().all(|(_, field)| self.has_any(*field)),
            Shape::Table(_, inner) => self.has_any(*inner),
            Shape::Optional(_) | Shape::Union { .. } | Shape::Bag(..) | Shape::Queue(..) => false,
        }
    }

    fn value_type(&mut self, ty: &'a TypeExpr) -> Option<ValueType> {
        match ty {
            TypeExpr::Bool(_) => Some(ValueType { ty: Type::Bool, low: 0, size: 2 }),
            TypeExpr::Range(low, high) => {
                let span = self.span(*low).to(self.span(*high));
                let bounds = self.fixed_number(*low).zip(self.fixed_number(*high));
                let (low, high) = bounds?;
                if low > high {
                    self.error(span, format!("the range {low}..{high} is empty: a variable needs a value"));
                    return None;
                }
                if low < i32::MIN as i64 || high > i32::MAX as i64 {
                    self.error(span, "a range's bounds must fit into 32 bits");
                    return None;
                }
                Some(ValueType { ty: Type::Int, low: low as i32, size: (high - low + 1) as u64 })
            }
            TypeExpr::Enum(literals, _) => {
                let mut names: Vec<String> = Vec::new();
                let mut seen: BTreeSet<&str> = BTreeSet::new();
                for literal in literals {
                    if !seen.insert(&literal.name) {
                        self.error(
                            literal.span,
                            format!("the literal `{}` stands twice in this enumeration", literal.name),
                        );
                    }
                    names.push(literal.name.clone());
                }
                let id = self.enumeration(&names);
                Some(ValueType { ty: Type::Enum(id), low: 0, size: names.len() as u64 })
            }
            _ => None,
        }
    }

    /// A family, or a declared type.
    fn shape_by_name(&mut self, name: &Ident, optional: bool) -> Option<ShapeId> {
        let Some(&(global, _)) = self.names.items.get(name.name.as_str()) else {
            let named = self
                .names
                .items
                .iter()
                .filter(|(_, (g, _))| matches!(g, Global::Type(_) | Global::Family(_)));
            let near = closest(&name.name, named.map(|(n, _)| *n).chain(["bool"])).map(String::from);
            self.unknown("type", name, near);
            return None;
        };
        let family = match global {
            Global::Family(family) => family,
            Global::Type(ty) => return self.named_shape(name, ty),
            _ => {
                let message = format!(
                    "`{}` is {}; a type is `bool`, a range, an enumeration, a family or a name declared with `type`",
                    name.name,
                    global.kind()
                );
                self.error(name.span, message);
                return None;
            }
        };
        let size = self.families[family].size;
        if size == 0 && !optional {
            self.error(name.span, format!("`{}` has no process that this variable could hold", name.name));
            return None;
        }
        let ty = Type::Process { family, optional: false };
        Some(self.shapes.enter(Shape::Scalar(ValueType { ty, low: 0, size: size.max(1).into() })))
    }
}
