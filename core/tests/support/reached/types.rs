//! Types, and what names range over.

use super::syntax::Visitor;
use orbitscope_core::syntax::ast::{Binder, Domain, Item, ItemKind, TypeExpr};

impl<'a> Visitor<'a> {
    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        let declared = |wanted: &str| {
            self.file
                .items
                .iter()
                .any(|item| matches!(&item.kind, ItemKind::Type { name, .. } if name.name == wanted))
        };
        let found = match ty {
            TypeExpr::Bool(_) => "type bool",
            TypeExpr::Range(..) => "type of numbers",
            TypeExpr::Enum(..) => "type of literals",
            TypeExpr::Named { name, optional: false } if declared(&name.name) => "type by name",
            TypeExpr::Named { name, optional: true } if declared(&name.name) => "type by name and none",
            TypeExpr::Named { optional: false, .. } => "type of processes",
            TypeExpr::Named { optional: true, .. } => "type of processes and none",
            TypeExpr::Optional(inner, _) => {
                self.ty(inner);
                "type and none"
            }
            TypeExpr::Record(fields, _) => {
                for field in fields {
                    self.ty(&field.ty);
                    if !field.index.is_empty() {
                        self.find("field with indices");
                    }
                }
                "type of records"
            }
            TypeExpr::Union(..) => "type of several families",
            TypeExpr::Set(item, _) => {
                self.ty(item);
                "type of sets"
            }
            TypeExpr::Bag(_, item, _) => {
                self.ty(item);
                "type of bags"
            }
            TypeExpr::Queue(_, item, _) => {
                self.ty(item);
                "type of queues"
            }
            TypeExpr::Error => "",
        };
        self.find(found);
    }

    /// The kind of what a name ranges over.
    fn over(&self, wanted: &str) -> &'static str {
        let declares = |item: &&Item| match &item.kind {
            ItemKind::Process(decl) => decl.name.name == wanted,
            kind => kind.name().is_some_and(|name| name.name == wanted),
        };
        match self.file.items.iter().find(declares).map(|item| &item.kind) {
            Some(ItemKind::Process(_)) => "a family",
            Some(ItemKind::Type { ty: TypeExpr::Union(..), .. }) => "several families",
            Some(ItemKind::Type { .. }) => "numbers",
            _ => "what is in a set",
        }
    }

    pub(super) fn binders(&mut self, binders: &'a [Binder], of: &str) {
        for binder in binders {
            match &binder.domain {
                Domain::Family(name) => {
                    let over = self.over(&name.name);
                    self.find(&format!("{of} over {over}"));
                }
                Domain::Range(low, high) if self.number(*low) > self.number(*high) => {
                    self.find(&format!("{of} over nothing"));
                }
                Domain::Range(..) => self.find(&format!("{of} over numbers")),
                Domain::Union(_) => self.find(&format!("{of} over several families")),
                Domain::Value(_) => self.find(&format!("{of} over what is in a set")),
            }
        }
    }
}
