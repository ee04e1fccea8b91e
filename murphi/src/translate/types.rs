//! The types of Murphi, and how they are written in the modelling language.

use super::Translator;
use super::scope::{Entity, Val, strength};
use crate::marks::failing;
use crate::tree::{Type, TypeKind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use orbitscope_core::text::Span;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TyId(pub usize);

/// A declared thing whose simple values are undefined together or not at all: a variable, or a field of a record type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LeafId(pub usize);

/// A fixed number: how it is written, and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub text: String,
    pub value: i64,
}

impl Bound {
    /// Whether it is a number as it stands: a constant may be set to another.
    pub(super) fn literal(&self) -> bool {
        self.text.parse::<i64>().is_ok()
    }
}

/// The kinds of type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// A wrong type; it has been reported.
    Error,
    Bool,
    /// The numbers that arithmetic gives.
    Int,
    Range(Bound, Bound),
    /// The literals, as they are written in the modelling language.
    Enum(Vec<String>),
    /// A family of this name.
    Scalarset(String),
    Union(Vec<TyId>),
    Array(TyId, TyId),
    Record(Vec<FieldTy>),
    Multiset(Bound, TyId),
    Undefined,
}

/// A field of a record type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldTy {
    /// Its name in Murphi, and in the modelling language.
    pub name: String,
    pub out: String,
    pub ty: TyId,
    pub leaf: LeafId,
}

/// A type with the name under which it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TyInfo {
    pub ty: Ty,
    pub name: Option<String>,
    /// Its name in Murphi.
    pub called: Option<String>,
}

pub(super) const ERROR: TyId = TyId(0);
pub(super) const BOOL: TyId = TyId(1);
pub(super) const INT: TyId = TyId(2);
/// The type of `undefined`.
pub(super) const UNDEFINED: TyId = TyId(3);

/// The definition that gives an id and has an error where it is undefined.
pub(super) const DEFINED_ID: &str = "defined_id";
/// The error of reading what is undefined.
pub(super) const UNDEFINED_READ: &str = "an undefined value is read";

/// The types that every text starts with.
pub(super) fn first_types() -> Vec<TyInfo> {
    let unnamed = |ty| TyInfo { ty, name: None, called: None };
    [Ty::Error, Ty::Bool, Ty::Int, Ty::Undefined].into_iter().map(unnamed).collect()
}

impl Translator<'_> {
    pub(super) fn ty(&self, id: TyId) -> &Ty {
        &self.types[id.0].ty
    }

    pub(super) fn enter(&mut self, ty: Ty, name: Option<String>) -> TyId {
        self.types.push(TyInfo { ty, name, called: None });
        TyId(self.types.len() - 1)
    }

    /// A simple type: one whose values are single.
    pub(super) fn is_simple(&self, id: TyId) -> bool {
        !matches!(self.ty(id), Ty::Array(..) | Ty::Record(_) | Ty::Multiset(..))
    }

    pub(super) fn is_number(&self, id: TyId) -> bool {
        matches!(self.ty(id), Ty::Int | Ty::Range(..))
    }

    /// The type as a person calls it.
    pub(super) fn words(&self, id: TyId) -> String {
        if let Some(name) = &self.types[id.0].called {
            return format!("of the type `{name}`");
        }
        match self.ty(id) {
            Ty::Error => "wrong".into(),
            Ty::Bool => "a truth value".into(),
            Ty::Int | Ty::Range(..) => "a number".into(),
            Ty::Enum(literals) => format!("one of `{}`", literals.join("`, `")),
            Ty::Scalarset(_) => "of a scalarset".into(),
            Ty::Union(_) => "of a union".into(),
            Ty::Array(..) => "an array".into(),
            Ty::Record(_) => "a record".into(),
            Ty::Multiset(..) => "a multiset".into(),
            Ty::Undefined => "undefined".into(),
        }
    }

    /// Whether a value of one type may stand where one of the other is needed.
    pub(super) fn fits(&self, a: TyId, b: TyId) -> bool {
        if a == b || a == ERROR || b == ERROR {
            return true;
        }
        match (self.ty(a), self.ty(b)) {
            (Ty::Undefined, Ty::Array(..) | Ty::Record(_) | Ty::Multiset(..)) => false,
            (Ty::Undefined | Ty::Error, _)
            | (_, Ty::Error)
            | (Ty::Int | Ty::Range(..), Ty::Int | Ty::Range(..))
            | (Ty::Bool, Ty::Bool) => true,
            (Ty::Enum(x), Ty::Enum(y)) => x == y,
            (Ty::Scalarset(x), Ty::Scalarset(y)) => x == y,
            (Ty::Union(x), Ty::Union(y)) => x.iter().any(|&x| y.iter().any(|&y| self.fits(x, y))),
            (Ty::Union(members), _) => members.iter().any(|&member| self.fits(member, b)),
            (_, Ty::Union(members)) => members.iter().any(|&member| self.fits(a, member)),
            (Ty::Array(i, x), Ty::Array(j, y)) => self.fits(*i, *j) && self.fits(*x, *y),
            (Ty::Multiset(m, x), Ty::Multiset(n, y)) => m == n && self.fits(*x, *y),
            _ => false,
        }
    }

    /// Resolves a type that is written; `hint` names it if it needs a name.
    pub(super) fn resolve(&mut self, ty: &Type, hint: &str) -> TyId {
        match &ty.kind {
            TypeKind::Error => ERROR,
            TypeKind::Named(name) => match self.lookup(name) {
                Some(Entity::Type(id)) => *id,
                Some(other) => {
                    let message = format!("`{name}` is {}, not a type", other.words());
                    self.error(ty.span, message);
                    ERROR
                }
                None if name.eq_ignore_ascii_case("boolean") => BOOL,
                None => {
                    self.unknown("type", name, ty.span);
                    ERROR
                }
            },
            TypeKind::Range(low, high) => {
                let span = ty.span;
                let (low, high) = (self.fixed(low), self.fixed(high));
                let (Some(low), Some(high)) = (low, high) else { return ERROR };
                if low.value > high.value + 1 {
                    let message = format!("the range {}..{} is empty", low.value, high.value);
                    self.error(span, message);
                }
                self.enter(Ty::Range(low, high), None)
            }
            TypeKind::Enum(literals) => {
                let id = self.enter(Ty::Enum(Vec::new()), None);
                let mut names = Vec::new();
                for literal in literals {
                    let out = self.global_name(&literal.text);
                    if out != literal.text {
                        self.names.literals.insert(out.clone(), literal.text.clone());
                    }
                    self.declare(&literal.text, literal.span, Entity::Literal(out.clone(), id));
                    names.push(out);
                }
                self.types[id.0].ty = Ty::Enum(names);
                id
            }
            TypeKind::Array(index, element) => {
                let index_ty = self.resolve(index, hint);
                if !matches!(
                    self.ty(index_ty),
                    Ty::Error | Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Scalarset(_) | Ty::Union(_)
                ) {
                    let words = self.words(index_ty);
                    self.error(index.span, format!("an index is {words}, but must be of a simple type"));
                }
                let element = self.resolve(element, hint);
                self.enter(Ty::Array(index_ty, element), None)
            }
            TypeKind::Record(fields) => {
                let out = self.global_name(if hint.is_empty() { "record" } else { hint });
                let mut all: Vec<FieldTy> = Vec::new();
                for field in fields {
                    let first = field.names.first().map_or("", |name| name.text.as_str());
                    let ty = self.resolve(&field.ty, &format!("{out}_{first}"));
                    for name in &field.names {
                        if all.iter().any(|other| other.name == name.text) {
                            self.error(name.span, format!("the field `{}` stands here twice", name.text));
                            continue;
                        }
                        let leaf = self.leaf();
                        let own = super::names::escaped(&name.text);
                        all.push(FieldTy { name: name.text.clone(), out: own, ty, leaf });
                    }
                }
                if all.is_empty() {
                    self.error(ty.span, "a record needs a field");
                }
                self.enter(Ty::Record(all), Some(out))
            }
            TypeKind::Scalarset(size) => {
                let family = self.global_name(if hint.is_empty() { "scalarset" } else { hint });
                let Some(size) = self.fixed(size) else { return ERROR };
                if size.value < 1 {
                    self.error(ty.span, "a scalarset needs at least one value");
                }
                self.families.push((family.clone(), size.text));
                self.enter(Ty::Scalarset(family.clone()), Some(family))
            }
            TypeKind::Union(members) => self.union(members, hint, ty.span),
            TypeKind::Multiset(size, element) => {
                let size = self.fixed(size);
                let element = self.resolve(element, hint);
                let Some(size) = size else { return ERROR };
                self.enter(Ty::Multiset(size, element), None)
            }
        }
    }

    fn union(&mut self, members: &[Type], hint: &str, span: Span) -> TyId {
        let mut all: Vec<TyId> = Vec::new();
        for member in members {
            let id = self.resolve(member, hint);
            match self.ty(id).clone() {
                Ty::Union(inner) => all.extend(inner),
                Ty::Enum(literals) => {
                    self.as_families.extend(literals);
                    all.push(id);
                }
                Ty::Scalarset(_) => all.push(id),
                Ty::Error => return ERROR,
                _ => {
                    let message = format!(
                        "a union is of scalarsets and enumerations; this member is {}",
                        self.words(id)
                    );
                    self.error(span, message);
                    return ERROR;
                }
            }
        }
        self.enter(Ty::Union(all), None)
    }

    /// The literal that a value is, where that is plain.
    pub(super) fn literal_of<'v>(&self, val: &'v Val) -> Option<&'v str> {
        let Ty::Enum(literals) = self.ty(val.ty) else { return None };
        let text = val.base.as_str();
        (val.place.is_none()
            && literals.iter().any(|literal| literal == text || text.strip_suffix("[0]") == Some(literal)))
        .then_some(text)
    }

    /// Whether the literals of an enumeration are processes, because a union has them.
    pub(super) fn is_families(&self, id: TyId) -> bool {
        matches!(self.ty(id), Ty::Enum(literals) if literals.iter().any(|l| self.as_families.contains(l)))
    }

    /// The families of an id's type.
    pub(super) fn families_of(&self, id: TyId) -> Vec<String> {
        match self.ty(id) {
            Ty::Scalarset(family) => alloc::vec![family.clone()],
            Ty::Enum(literals) => literals.clone(),
            Ty::Union(members) => members.iter().flat_map(|&member| self.families_of(member)).collect(),
            _ => Vec::new(),
        }
    }

    /// A simple type as the modelling language writes it.
    pub(super) fn type_text(&self, id: TyId) -> String {
        if let Some(name) = &self.types[id.0].name {
            return name.clone();
        }
        match self.ty(id) {
            Ty::Bool | Ty::Error => "bool".into(),
            Ty::Int => "0..1".into(),
            Ty::Range(low, high) => format!("{}..{}", low.text, high.text),
            Ty::Enum(_) if self.is_families(id) => self.families_of(id).join(" | "),
            Ty::Enum(literals) => format!("{{{}}}", literals.join(", ")),
            Ty::Scalarset(family) => family.clone(),
            Ty::Union(_) => self.families_of(id).join(" | "),
            Ty::Multiset(size, element) => format!("bag[{}] of {}", size.text, self.type_text(*element)),
            Ty::Array(..) | Ty::Record(_) | Ty::Undefined => String::new(),
        }
    }

    /// The type of the simple values of a declared thing.
    pub(super) fn leaf_type(&self, id: TyId, leaf: LeafId) -> String {
        let text = self.type_text(id);
        if !self.is_simple(id) || !self.is_optional(id, leaf) {
            return text;
        }
        let single = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || text.starts_with('{');
        if single { format!("{text}?") } else { format!("({text})?") }
    }

    /// Whether a simple value may be undefined.
    pub(super) fn is_optional(&self, id: TyId, leaf: LeafId) -> bool {
        let ids = matches!(self.ty(id), Ty::Scalarset(_) | Ty::Union(_)) || self.is_families(id);
        ids || self.undefined.get(leaf.0).copied().unwrap_or(false)
    }

    /// The indices of nested arrays, and what is in them.
    pub(super) fn nest(&self, id: TyId) -> (Vec<TyId>, TyId) {
        let (mut indices, mut element) = (Vec::new(), id);
        while let Ty::Array(index, inner) = self.ty(element) {
            indices.push(*index);
            element = *inner;
        }
        (indices, element)
    }

    /// The domain of an index, as the modelling language writes it.
    pub(super) fn index_text(&self, id: TyId) -> String {
        match self.ty(id) {
            Ty::Bool => "0..1".into(),
            Ty::Enum(literals) => format!("0..{}", literals.len().saturating_sub(1)),
            _ => self.type_text(id),
        }
    }

    /// The lowest value of a simple type.
    pub(super) fn lowest(&self, id: TyId) -> String {
        match self.ty(id) {
            Ty::Bool | Ty::Error => "false".into(),
            Ty::Int => "0".into(),
            Ty::Range(low, _) => low.text.clone(),
            Ty::Enum(literals) if self.is_families(id) => {
                format!("{}[0]", literals.first().map_or("", String::as_str))
            }
            Ty::Enum(literals) => literals.first().cloned().unwrap_or_default(),
            Ty::Scalarset(family) => format!("{family}[0]"),
            Ty::Union(members) => members.first().map_or("none".into(), |&member| self.lowest(member)),
            _ => "{}".into(),
        }
    }

    /// A field's value in a record that is written out.
    pub(super) fn field_values(&self, field: &FieldTy, value: &str) -> String {
        let tables = self.tables(&field.out, field.ty);
        let all: Vec<String> = tables.into_iter().map(|(name, _)| format!("{name}: {value}")).collect();
        all.join(", ")
    }

    /// The value of a declared thing before anything is assigned.
    pub(super) fn unassigned(&self, id: TyId, leaf: LeafId) -> String {
        match self.ty(id) {
            Ty::Array(..) => {
                let (_, element) = self.nest(id);
                self.unassigned(element, leaf)
            }
            Ty::Record(fields) => {
                let each = |f: &FieldTy| self.field_values(f, &self.unassigned(f.ty, f.leaf));
                let fields: Vec<String> = fields.iter().map(each).collect();
                format!("{}({})", self.type_text(id), fields.join(", "))
            }
            Ty::Multiset(..) => "{}".into(),
            _ if self.is_optional(id, leaf) => "none".into(),
            _ => self.lowest(id),
        }
    }

    /// The tables that an array is: one for each family, where an index is of a union.
    pub(super) fn tables(&self, name: &str, id: TyId) -> Vec<(String, Vec<String>)> {
        let mut all = alloc::vec![(String::from(name), Vec::new())];
        for index in self.nest(id).0 {
            all = if let Ty::Union(_) = self.ty(index) {
                let families = self.families_of(index);
                let with = |(name, over): &(String, Vec<String>)| {
                    let one = |f: &String| {
                        (format!("{name}_{f}"), over.iter().cloned().chain([f.clone()]).collect())
                    };
                    families.iter().map(one).collect::<Vec<_>>()
                };
                all.iter().flat_map(with).collect()
            } else {
                let text = self.index_text(index);
                all.into_iter()
                    .map(|(name, over)| (name, over.into_iter().chain([text.clone()]).collect()))
                    .collect()
            };
        }
        all
    }

    /// Declarations: `name[indices]: type`.
    pub(super) fn declarations(&mut self, name: &str, id: TyId, leaf: LeafId, span: Span) -> Vec<String> {
        let (indices, element) = self.nest(id);
        if indices.len() > 4 {
            self.error(span, "an array in arrays has at most four indices");
        }
        let ty = self.leaf_type(element, leaf);
        let one = |(name, over): (String, Vec<String>)| {
            if over.is_empty() {
                format!("{name}: {ty}")
            } else {
                format!("{name}[{}]: {ty}", over.join(", "))
            }
        };
        self.tables(name, id).into_iter().map(one).collect()
    }

    /// The function that gives a value and has a fault where it is undefined.
    pub(super) fn given(&mut self, id: TyId) -> String {
        if matches!(self.ty(id), Ty::Scalarset(_) | Ty::Union(_)) || self.is_families(id) {
            // A function takes `none` for a process.
            self.helpers.insert(DEFINED_ID);
            return DEFINED_ID.into();
        }
        let (name, ty) = match self.ty(id) {
            Ty::Int => ("number".to_string(), "0..1".to_string()),
            Ty::Bool => ("bool".into(), "bool".into()),
            _ => {
                let text = self.type_text(id);
                let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
                (text.chars().map(word).collect(), text)
            }
        };
        // Of the very type of what it is given: the core looks at an argument of another type where the call stands in a block, also
        // where it is not evaluated.
        let name = format!("defined_{}", name.trim_matches('_'));
        let single = ty.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || ty.starts_with('{');
        let takes = if single { format!("{ty}?") } else { format!("({ty})?") };
        self.givens.insert(name.clone(), (takes, ty));
        name
    }

    /// A value where one of a type is needed. A name that goes through a union may be of another member there: that is an error
    /// where it is executed.
    pub(super) fn coerced(&mut self, mut val: Val, ty: TyId, span: Span) -> Option<Val> {
        if let Some(union) = val.among
            && !self.fits(val.ty, ty)
            && self.fits(union, ty)
        {
            let text = self.converted(&val.text(), union, ty);
            val = Val { stable: true, ..Val::new(text, ty, strength::ATOM) };
        }
        self.expect_type(&val, ty, span).then_some(val)
    }

    /// A choice between literals, as a value of their whole enumeration.
    pub(super) fn whole_enumeration(&mut self, val: Val) -> Val {
        if !matches!(self.ty(val.ty), Ty::Enum(_)) || self.is_families(val.ty) || val.optional {
            return val;
        }
        let function = self.given(val.ty);
        Val { base: format!("{function}({})", val.text()), strength: strength::ATOM, ..val }
    }

    /// A value of a simple type that is not undefined.
    pub(super) fn needed(&mut self, val: &Val) -> String {
        if !val.optional {
            return val.text();
        }
        let function = self.given(val.ty);
        if function == DEFINED_ID && val.text() == "none" {
            // A variable that surely was not assigned: an id that there is not.
            let family = self.families_of(val.ty).swap_remove(0);
            return format!("{family}[{}]", failing(UNDEFINED_READ));
        }
        if function == DEFINED_ID {
            return format!("{function}({}, {})", val.text(), failing(UNDEFINED_READ));
        }
        format!("{function}({})", val.text())
    }

    /// A value that is not undefined as one of a union.
    pub(super) fn of_type(&mut self, val: &Val, ty: TyId) -> String {
        let text = self.needed(val);
        if !matches!(self.ty(ty), Ty::Union(_)) || matches!(self.ty(val.ty), Ty::Union(_)) {
            return text;
        }
        self.converted(&text, ty, ty)
    }

    /// The call of a function that takes a value of one type and gives it as one of another.
    fn converted(&mut self, text: &str, from: TyId, to: TyId) -> String {
        let (takes, gives) = (self.type_text(from), self.type_text(to));
        let name = format!("as_{}", super::names::from_text(&gives, "id"));
        self.givens.insert(name.clone(), (takes, gives));
        format!("{name}({text})")
    }

    /// A test that a number is in the range of a type, which has an error where it is not. None where that is plain.
    pub(super) fn ranged(&mut self, val: &Val, ty: TyId) -> Option<String> {
        let Ty::Range(low, high) = self.ty(ty).clone() else { return None };
        if val.ty == UNDEFINED || self.within(val, ty) {
            return None;
        }
        self.helpers.insert("in_range");
        let words = match &self.types[ty.0].called {
            Some(name) => format!("a value outside of the range of `{name}`"),
            None => "a value outside of its range".into(),
        };
        let needed = self.needed(val);
        Some(format!("in_range({needed}, {}, {}, {})", low.text, high.text, failing(&words)))
    }

    /// A test that a value is one of a type, which has an error where it is not, and where the value has one. None where that is
    /// plain. Where `copied`, the value may be undefined.
    pub(super) fn strict(&mut self, val: &Val, ty: TyId, copied: bool) -> Option<String> {
        let copied = copied && val.optional;
        let text = if val.optional && !copied { self.needed(val) } else { val.operand(strength::ADD) };
        let test = match self.ranged(val, ty) {
            Some(test) => test,
            None if val.sure() || val.ty == UNDEFINED => return None,
            None if copied => format!("{text} != none"),
            None => return Some(format!("{text} == {text}")),
        };
        Some(if copied { format!("({text} == none or {test})") } else { test })
    }

    /// A value behind tests that never fail, but may have an error.
    pub(super) fn behind(&mut self, tests: &[String], val: Val) -> Val {
        if tests.is_empty() {
            return val;
        }
        let tests = tests.join(" and ");
        self.size += tests.len();
        let ids = matches!(self.ty(val.ty), Ty::Scalarset(_) | Ty::Union(_)) || self.is_families(val.ty);
        let (text, own) = if self.ty(val.ty) == &Ty::Bool {
            let value = if val.optional { self.needed(&val) } else { val.operand(strength::NOT) };
            (format!("{tests} and {value}"), strength::AND)
        } else {
            let value = self.needed(&val);
            // A process by its number would tell processes apart.
            let other = if ids { value.clone() } else { self.lowest(val.ty) };
            (format!("if {tests} then {value} else {other}"), strength::WEAKEST)
        };
        self.whole_enumeration(Val { natural: val.natural, among: val.among, ..Val::new(text, val.ty, own) })
    }
}
