//! The meaning of names.

use super::Translator;
use super::types::{ERROR, LeafId, TyId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::{Diagnostic, Span, closest};

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Type(TyId),
    /// A literal as it is written, and its type.
    Literal(String, TyId),
    /// A constant, variable, bound name or alias.
    Value(Val),
    /// The routine with this number.
    Routine(usize),
    /// A place that was chosen from a multiset.
    Element(Val),
}

impl Entity {
    pub(super) fn words(&self) -> &'static str {
        match self {
            Entity::Type(_) => "a type",
            Entity::Literal(..) => "a literal",
            Entity::Value(val) if val.place.is_some() => "a variable",
            Entity::Value(_) => "a value",
            Entity::Element(..) => "a place of a multiset",
            Entity::Routine(_) => "a procedure or function",
        }
    }
}

/// How strongly the outermost operator of a text binds.
pub(super) mod strength {
    pub(crate) const WEAKEST: u8 = 0;
    pub(crate) const IMPLIES: u8 = 2;
    pub(crate) const OR: u8 = 3;
    pub(crate) const AND: u8 = 4;
    pub(crate) const NOT: u8 = 5;
    pub(crate) const COMPARE: u8 = 6;
    pub(crate) const ADD: u8 = 7;
    pub(crate) const MUL: u8 = 8;
    pub(crate) const ATOM: u8 = 10;
}

/// A value as a text.
#[derive(Clone, Debug)]
pub(super) struct Val {
    /// The text; of a place without its last indices.
    pub base: String,
    /// Indices of arrays in arrays, which stand together in brackets.
    pub indices: Vec<String>,
    pub ty: TyId,
    pub strength: u8,
    /// Whether it may be undefined.
    pub optional: bool,
    /// Whether it is the same before and after an assignment: it reads no variable.
    pub stable: bool,
    /// Its value, where it is a fixed number.
    pub number: Option<i64>,
    /// Whether it is surely not negative.
    pub natural: bool,
    pub place: Option<Place>,
    /// The same for each family of a union that an index may be of: what is to be asked, and what it is then.
    pub cases: Vec<(String, Val)>,
    /// The union that a name goes through member by member.
    pub among: Option<TyId>,
}

/// Facts about a variable or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub leaf: LeafId,
    /// Which parts of which variable these are, for all indices.
    pub path: String,
    /// Whether it is every such part: its indices are the names of loops over all values, each used once.
    pub whole: bool,
    pub loops: Vec<String>,
    /// Whether it may be assigned to.
    pub assignable: bool,
}

impl Val {
    pub(super) fn new(text: impl Into<String>, ty: TyId, strength: u8) -> Val {
        Val {
            base: text.into(),
            indices: Vec::new(),
            ty,
            strength,
            optional: false,
            stable: false,
            number: None,
            natural: false,
            place: None,
            cases: Vec::new(),
            among: None,
        }
    }

    pub(super) fn stable(mut self) -> Val {
        self.stable = true;
        self
    }

    pub(super) fn wrong() -> Val {
        Val::new("false", ERROR, strength::ATOM)
    }

    pub(super) fn text(&self) -> String {
        if let Some(((_, last), cases)) = self.cases.split_last() {
            let first: Vec<String> =
                cases.iter().map(|(test, val)| format!("if {test} then {} else ", val.text())).collect();
            return format!("{}{}", first.concat(), last.text());
        }
        if self.indices.is_empty() {
            return self.base.clone();
        }
        format!("{}[{}]", self.base, self.indices.join(", "))
    }

    /// Whether it surely has a value: evaluating it is no error.
    pub(super) fn sure(&self) -> bool {
        let text = self.base.strip_suffix("[0]").unwrap_or(&self.base);
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        !self.optional && self.indices.is_empty() && self.cases.is_empty() && text.chars().all(word)
    }

    /// The text as an operand of an operator of this strength.
    pub(super) fn operand(&self, strength: u8) -> String {
        if self.strength < strength { format!("({})", self.text()) } else { self.text() }
    }
}

impl Translator<'_> {
    pub(super) fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, entity)| entity)
    }

    /// Enters a name of the whole text or of a body; a name that is there already at this level is an error.
    pub(super) fn declare(&mut self, name: &str, span: Span, entity: Entity) {
        if self.scope[self.level..].iter().any(|(known, _)| known == name) {
            self.error(span, format!("`{name}` is declared twice"));
        }
        self.scope.push((name.into(), entity));
    }

    pub(super) fn unknown(&mut self, what: &str, name: &str, span: Span) {
        let near = closest(name, self.scope.iter().map(|(known, _)| known.as_str()));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        self.error(span, format!("there is no {what} called `{name}`{hint}"));
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(span, message));
    }

    /// A name of the whole translated text that nothing else has.
    pub(super) fn global_name(&mut self, name: &str) -> String {
        let name = super::names::free(name);
        let mut free = name.clone();
        let mut number = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// A name inside an action or property that nothing around it has.
    pub(super) fn local_name(&mut self, name: &str) -> String {
        let name = super::names::free(name);
        let mut free = name.clone();
        let mut number = 2;
        while self.taken.contains(&free) || !self.used.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// Gives back a name that was bound.
    pub(super) fn release(&mut self, name: &str) {
        self.used.remove(name);
    }

    pub(super) fn leaf(&mut self) -> LeafId {
        self.leaves += 1;
        LeafId(self.leaves - 1)
    }
}
