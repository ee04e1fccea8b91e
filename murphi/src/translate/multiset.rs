//! Multisets.

use super::Translator;
use super::scope::{Entity, Place, Val, strength};
use super::types::{ERROR, INT, Ty, TyId};
use crate::tree::{Expr, Name};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::Span;

/// Which of several multisets an index of a union means is not known where it is named.
pub(super) const ONE_NETWORK: &str =
    "a multiset in an array over a union is not translated here: its members may be different networks";

impl Translator<'_> {
    pub(super) fn multiset(&mut self, set: &Expr, value: Option<(&Val, Span)>) -> Option<Val> {
        let place = self.place(set);
        let Ty::Multiset(_, element) = *self.ty(place.ty) else {
            if place.ty != ERROR {
                let words = self.words(place.ty);
                self.error(set.span, format!("a multiset is needed here, but this is {words}"));
            }
            return None;
        };
        if let Some((val, span)) = value
            && !self.expect_type(val, element, span)
        {
            return None;
        }
        Some(place)
    }

    pub(super) fn remove_where(&mut self, name: &Name, set: &Expr, condition: &Expr, span: Span) {
        let place = self.place(set);
        let Ty::Multiset(size, element) = self.ty(place.ty).clone() else {
            self.multiset(set, None);
            return;
        };
        if !place.cases.is_empty() {
            self.error(span, ONE_NETWORK);
            return;
        }
        let set = place.text();
        let out = self.local_name(&name.text);
        let depth = self.scope.len();
        let bound = element_of(&out, element);
        self.scope.push((name.text.clone(), Entity::Element(bound)));
        let condition = self.truth(condition);
        self.scope.truncate(depth);
        if condition.text() == "true" {
            self.release(&out);
            self.marked_line(&format!("{set} := {{}}"), span);
            return;
        }
        // A loop over a multiset takes each value once, however often it is there.
        let copies = size.text != "1";
        if copies {
            let copy = self.local_name("copy");
            self.marked_line(&format!("for {copy} in 1..{} {{", size.text), span);
            self.indent += 1;
        }
        self.marked_line(&format!("for {out} in {set} {{"), span);
        self.indent += 1;
        self.line(&format!("if {} {{ remove {out} from {set} }}", condition.text()));
        self.indent -= 1;
        self.line("}");
        if copies {
            self.indent -= 1;
            self.line("}");
        }
    }

    pub(super) fn count(&mut self, name: &Name, set: &Expr, condition: &Expr) -> Val {
        let set_val = self.place(set);
        let Ty::Multiset(_, element) = *self.ty(set_val.ty) else {
            if set_val.ty != ERROR {
                self.error(set.span, "a multiset is needed here");
            }
            return Val::wrong();
        };
        let out = self.local_name(&name.text);
        let bound = element_of(&out, element);
        let depth = self.scope.len();
        self.scope.push((name.text.clone(), Entity::Element(bound)));
        let condition = self.truth(condition);
        self.scope.truncate(depth);
        self.release(&out);
        let one = |set: &Val| format!("count({out} in {}: {})", set.text(), condition.text());
        // One of several, where an index may be of several families.
        let (text, own) = match set_val.cases.split_last() {
            None => (one(&set_val), strength::ATOM),
            Some(((_, last), cases)) => {
                let first: Vec<String> =
                    cases.iter().map(|(test, set)| format!("if {test} then {} else ", one(set))).collect();
                (format!("{}{}", first.concat(), one(last)), strength::WEAKEST)
            }
        };
        let mut val = Val::new(text, INT, own);
        val.natural = true;
        val
    }
}

/// The meaning of a name for a place of a multiset. Its parts are read as those of a variable: they may be undefined.
pub(super) fn element_of(name: &str, ty: TyId) -> Val {
    let mut val = Val::new(name, ty, strength::ATOM).stable();
    let leaf = super::types::LeafId(usize::MAX);
    val.place = Some(Place { leaf, path: name.into(), whole: false, loops: Vec::new(), assignable: false });
    val
}
