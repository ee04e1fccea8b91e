//! Changes of variables: assignments, `clear` and `undefine`.

use super::Translator;
use super::scope::Val;
use super::types::{ERROR, Ty, TyId, UNDEFINED};
use crate::tree::Expr;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::Span;

impl Translator<'_> {
    fn target(&mut self, target: &Expr) -> Option<Val> {
        let val = self.place(target);
        match &val.place {
            Some(place) if place.assignable => Some(val),
            _ if val.ty == ERROR => None,
            Some(_) => {
                self.error(target.span, "this is a parameter without `var`: it cannot be assigned to");
                None
            }
            None => {
                self.error(target.span, "only a variable can be assigned to");
                None
            }
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, value: &Expr, span: Span) {
        let val = self.expr(value);
        let Some(to) = self.target(target) else { return };
        let Some(val) = self.coerced(val, to.ty, value.span) else { return };
        self.assign_value(&to, &val, span);
    }

    /// Assigns a value to a place of its type. A simple value that is read from a place may be undefined, and stays so.
    pub(super) fn assign_value(&mut self, to: &Val, val: &Val, span: Span) {
        if self.is_simple(to.ty) {
            if val.ty == UNDEFINED {
                self.note_undefined(to);
            }
            let copied = val.place.is_some() || val.ty == UNDEFINED;
            if copied {
                self.note_copied(val, to);
            }
            let text = if val.optional && !copied { self.needed(val) } else { val.text() };
            self.for_cases(to, &mut |t, to| t.marked_line(&format!("{} := {text}", to.text()), span));
        } else {
            self.note_copied(val, to);
            self.for_cases(to, &mut |t, to| t.copy(to, val, span));
        }
        self.note_assigned(to);
    }

    /// Writes statements for a place, once for each family that an index of it may be of.
    pub(super) fn for_cases(&mut self, place: &Val, write: &mut dyn FnMut(&mut Self, &Val)) {
        let Some(((_, last), cases)) = place.cases.split_last() else {
            write(self, place);
            return;
        };
        for (number, (test, case)) in cases.iter().enumerate() {
            self.line(&format!("{}if {test} {{", if number > 0 { "} else " } else { "" }));
            self.indent += 1;
            write(self, case);
            self.indent -= 1;
        }
        if cases.is_empty() {
            write(self, last);
            return;
        }
        self.line("} else {");
        self.indent += 1;
        write(self, last);
        self.indent -= 1;
        self.line("}");
    }

    /// Assigns a whole record or array.
    fn copy(&mut self, to: &Val, from: &Val, span: Span) {
        self.each_entry(to, Some(from), span, &mut |t, to, from| {
            let from = from.map_or(String::new(), Val::text);
            t.marked_line(&format!("{} := {from}", to.text()), span);
        });
    }

    /// Writes statements for all entries of an array, beside those of another of the same type.
    fn each_entry(
        &mut self,
        to: &Val,
        from: Option<&Val>,
        span: Span,
        write: &mut dyn FnMut(&mut Self, &Val, Option<&Val>),
    ) {
        let Ty::Array(index, element) = *self.ty(to.ty) else {
            write(self, to, from);
            return;
        };
        let union = matches!(self.ty(index), Ty::Union(_));
        let domains = if union { self.families_of(index) } else { alloc::vec![self.index_text(index)] };
        for domain in domains {
            let name = self.local_name("i");
            let entry = |val: &Val| {
                let mut val = val.clone();
                for one in core::iter::once(&mut val) {
                    if union {
                        one.base = format!("{}_{domain}", one.base);
                    }
                    one.indices.push(name.clone());
                    one.ty = element;
                }
                val
            };
            let (to, from) = (entry(to), from.map(entry));
            self.marked_line(&format!("for {name} in {domain} {{"), span);
            self.indent += 1;
            self.each_entry(&to, from.as_ref(), span, write);
            self.indent -= 1;
            self.line("}");
            self.release(&name);
        }
    }

    /// `clear` and `undefine`.
    pub(super) fn fill(&mut self, target: &Expr, clear: bool, span: Span) {
        let Some(to) = self.target(target) else { return };
        if clear {
            if self.has_ids(to.ty) {
                self.error(target.span, "a scalarset has no first value that `clear` could give");
                return;
            }
            self.note_assigned(&to);
        } else {
            self.note_undefined(&to);
        }
        let Some(leaf) = to.place.as_ref().map(|place| place.leaf) else { return };
        let element = self.nest(to.ty).1;
        let value = if clear { self.cleared(element) } else { self.unassigned(element, leaf) };
        self.for_cases(&to, &mut |t, to| {
            t.each_entry(to, None, span, &mut |t, to, _| {
                t.marked_line(&format!("{} := {value}", to.text()), span);
            });
        });
    }

    fn has_ids(&self, id: TyId) -> bool {
        match self.ty(id) {
            Ty::Scalarset(_) | Ty::Union(_) => true,
            Ty::Array(_, element) => self.has_ids(*element),
            Ty::Record(fields) => fields.iter().any(|field| self.has_ids(field.ty)),
            _ => false,
        }
    }

    fn cleared(&self, id: TyId) -> String {
        match self.ty(id) {
            Ty::Record(fields) => {
                let each: Vec<String> =
                    fields.iter().map(|f| self.field_values(f, &self.cleared(f.ty))).collect();
                format!("{}({})", self.type_text(id), each.join(", "))
            }
            Ty::Array(..) => self.cleared(self.nest(id).1),
            _ => self.lowest(id),
        }
    }
}
