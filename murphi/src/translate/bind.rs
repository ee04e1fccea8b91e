//! Names that range over a type.

use super::Translator;
use super::scope::{Entity, Val, strength};
use super::types::{BOOL, ERROR, Ty, TyId};
use crate::tree::{Domain, Expr, Name, Quantifier};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One way in which a name is bound.
pub(super) struct Choice {
    /// `x in D`, and the name `x`; none where the value is fixed.
    pub binder: Option<(String, String)>,
    pub val: Val,
    /// The type whose values all choices together are.
    pub over: TyId,
}

impl Translator<'_> {
    pub(super) fn quantified(&mut self, all: bool, quantifier: &Quantifier, body: &Expr) -> Val {
        let word = if all { "forall" } else { "exists" };
        let mut parts: Vec<Val> = Vec::new();
        for choice in self.choices(quantifier) {
            let depth = self.scope.len();
            self.scope.push((quantifier.name.text.clone(), Entity::Value(choice.val.clone())));
            self.no_statements += 1;
            let body = self.truth(body);
            self.no_statements -= 1;
            self.scope.truncate(depth);
            let stable = body.stable;
            let part = match choice.binder {
                None => body,
                Some((binder, name)) => {
                    self.release(&name);
                    // Two of one kind in a row are one with two names.
                    let text = match body.text().strip_prefix(&format!("{word} ")) {
                        Some(rest) if body.strength == strength::WEAKEST => {
                            format!("{word} {binder}, {rest}")
                        }
                        _ => format!("{word} {binder}: {}", body.text()),
                    };
                    Val::new(text, BOOL, strength::WEAKEST)
                }
            };
            parts.push(Val { stable, ..part });
        }
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let own = if all { strength::AND } else { strength::OR };
        let texts: Vec<String> = parts.iter().map(|part| part.operand(own + 1)).collect();
        let text = match (texts.is_empty(), all) {
            (true, true) => "true".into(),
            (true, false) => "false".into(),
            (_, true) => texts.join(" and "),
            (_, false) => texts.join(" or "),
        };
        Val { stable: parts.iter().all(|part| part.stable), ..Val::new(text, BOOL, own) }
    }

    /// The ways in which a name is bound: one over a range or a family, one for each value of an enumeration.
    pub(super) fn choices(&mut self, quantifier: &Quantifier) -> Vec<Choice> {
        match &quantifier.domain {
            Domain::Type(ty) => {
                let id = self.resolve(ty, &quantifier.name.text);
                let choices = self.choices_of(id, &quantifier.name);
                if choices.is_empty() && id != ERROR {
                    let words = self.words(id);
                    self.error(
                        ty.span,
                        format!("a name ranges over a simple type, but this type is {words}"),
                    );
                }
                choices
            }
            Domain::Steps(low, high, by) => {
                let (Some(low), Some(high)) = (self.fixed(low), self.fixed(high)) else { return Vec::new() };
                let by = match by {
                    None => None,
                    Some(by) => match self.fixed(by) {
                        None => return Vec::new(),
                        Some(by) if by.value == 0 => {
                            self.error(quantifier.name.span, "a step of 0 comes to no end");
                            return Vec::new();
                        }
                        Some(by) => Some(by),
                    },
                };
                let out = self.local_name(&quantifier.name.text);
                let (text, domain) = match &by {
                    Some(by) if by.text != "1" => {
                        let text = format!("{} + {out} * ({})", low.text, by.text);
                        // A division goes down where its divisor is positive.
                        let (from, to, sign) =
                            if by.value > 0 { (&low, &high, "") } else { (&high, &low, "-") };
                        let last = format!("({} - ({})) / {sign}({})", to.text, from.text, by.text);
                        (text, format!("0..{last}"))
                    }
                    _ => (out.clone(), format!("{}..{}", low.text, high.text)),
                };
                let (least, most) = if by.is_some_and(|by| by.value < 0) { (high, low) } else { (low, high) };
                let natural = least.value >= 0 && least.literal();
                let ty = self.enter(Ty::Range(least, most), None);
                let own = if text == out { strength::ATOM } else { strength::ADD };
                let mut val = Val::new(text, ty, own).stable();
                val.natural = natural;
                alloc::vec![Choice { binder: Some((format!("{out} in {domain}"), out)), val, over: ty }]
            }
        }
    }

    fn choices_of(&mut self, id: TyId, name: &Name) -> Vec<Choice> {
        let fixed = |text: String, ty| Choice {
            binder: None,
            val: Val::new(text, ty, strength::ATOM).stable(),
            over: id,
        };
        match self.ty(id).clone() {
            Ty::Bool => ["false", "true"].map(|text| fixed(text.into(), id)).into_iter().collect(),
            Ty::Enum(literals) => {
                let families = self.is_families(id);
                let own = |literal: String| if families { format!("{literal}[0]") } else { literal };
                literals.into_iter().map(|literal| fixed(own(literal), id)).collect()
            }
            Ty::Union(members) => {
                let mut all: Vec<Choice> =
                    members.into_iter().flat_map(|member| self.choices_of(member, name)).collect();
                for choice in &mut all {
                    (choice.over, choice.val.among) = (id, Some(id));
                }
                all
            }
            Ty::Range(..) | Ty::Scalarset(_) => {
                let out = self.local_name(&name.text);
                let mut val = Val::new(out.clone(), id, strength::ATOM).stable();
                self.refine(&mut val, None);
                let domain = self.type_text(id);
                alloc::vec![Choice { binder: Some((format!("{out} in {domain}"), out)), val, over: id }]
            }
            _ => Vec::new(),
        }
    }
}
