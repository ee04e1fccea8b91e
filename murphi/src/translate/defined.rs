//! Which simple values can be undefined.
//!
//! A value that is undefined in some state needs a type with one more value, and a test wherever it is read. The text is translated
//! twice. The first time notes what makes a value undefined: `undefine`, a start state that leaves it out, a local variable that is
//! read before it is surely assigned. The second time knows. Where nothing is found each way to the value assigns it first, so that
//! the states are the same either way.

use super::Translator;
use super::scope::Val;
use super::types::{LeafId, Ty, TyId};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Parts of variables that are surely assigned: for all values of the indices, except of those that are the name of a loop that goes
/// on. Where no index is one the list is empty.
pub(super) type Covered = BTreeSet<(String, Vec<Option<String>>)>;

/// Assignments of one loop: for each turn that is translated by itself the name of its value, and what is assigned at its end.
#[derive(Default)]
pub(super) struct Turns {
    /// The assignments of all turns together.
    together: Option<Covered>,
    names: Vec<String>,
}

impl Turns {
    /// The end of a turn.
    pub(super) fn turn(&mut self, name: &str, covered: &Covered) {
        let own = |index: &Option<String>| index.as_deref() == Some(name);
        let whole = covered.iter().filter(|(_, indices)| indices.iter().any(own)).map(|(path, indices)| {
            let left = indices.iter().map(|index| index.clone().filter(|index| index != name));
            (path.clone(), trimmed(left.collect()))
        });
        let whole: Covered = whole.collect();
        self.together = Some(match self.together.take() {
            Some(others) => others.intersection(&whole).cloned().collect(),
            None => whole,
        });
        self.names.push(name.into());
    }

    /// The variables of the loop's assignments that are surely assigned behind it.
    pub(super) fn ended(&self, covered: &mut Covered) {
        let own = |index: &Option<String>| index.as_ref().is_some_and(|index| self.names.contains(index));
        covered.retain(|(_, indices)| !indices.iter().any(own));
        covered.extend(self.together.iter().flatten().cloned());
    }
}

fn trimmed(mut indices: Vec<Option<String>>) -> Vec<Option<String>> {
    while indices.last().is_some_and(Option::is_none) {
        indices.pop();
    }
    indices
}

/// The findings of the first translation.
#[derive(Clone, Debug, Default)]
pub(super) struct Defined {
    /// The parts of variables that are surely assigned at this point.
    pub covered: Covered,
    /// Whether a start state is read, so that shared variables count too.
    pub in_start: bool,
    /// The variables that may be undefined.
    pub found: BTreeSet<LeafId>,
    /// Copies of arrays: what is undefined in the first is so in the second.
    pub copies: BTreeSet<(LeafId, LeafId)>,
}

impl Defined {
    /// The variables that may be undefined, each with those that it is copied to.
    pub(super) fn closed(mut self) -> BTreeSet<LeafId> {
        loop {
            let before = self.found.len();
            for (from, to) in &self.copies {
                if self.found.contains(from) {
                    self.found.insert(*to);
                }
            }
            if self.found.len() == before {
                return self.found;
            }
        }
    }
}

/// How the path of a local variable starts.
pub(super) const LOCAL: char = '$';

impl Translator<'_> {
    /// The simple parts of a thing with this type.
    pub(super) fn parts(&self, ty: TyId, path: &str, leaf: LeafId) -> Vec<(String, LeafId)> {
        match self.ty(ty) {
            Ty::Array(_, element) => self.parts(*element, &format!("{path}[]"), leaf),
            Ty::Record(fields) => fields
                .iter()
                .flat_map(|field| self.parts(field.ty, &format!("{path}.{}", field.out), field.leaf))
                .collect(),
            Ty::Multiset(..) => Vec::new(),
            _ => alloc::vec![(path.into(), leaf)],
        }
    }

    fn parts_of(&self, val: &Val) -> Vec<(String, LeafId)> {
        val.place.as_ref().map_or(Vec::new(), |place| self.parts(val.ty, &place.path, place.leaf))
    }

    /// A place is read: what may not have been assigned yet may be undefined.
    pub(super) fn note_read(&mut self, val: &Val) {
        let read: &[String] = val.place.as_ref().map_or(&[][..], |place| &place.loops);
        let mut found = Vec::new();
        for (path, leaf) in self.parts_of(val) {
            let counts = self.defined.in_start || path.starts_with(LOCAL);
            let assigned = |(known, indices): &(String, Vec<Option<String>>)| {
                let same = |(at, index): (usize, &Option<String>)| {
                    index.as_ref().is_none_or(|index| read.get(at) == Some(index))
                };
                *known == path && indices.iter().enumerate().all(same)
            };
            if counts && !self.defined.covered.iter().any(assigned) {
                found.push(leaf);
            }
        }
        self.defined.found.extend(found);
    }

    /// `IsUndefined` asks about a place.
    pub(super) fn note_asked(&mut self, val: &Val) {
        self.note_read(val);
    }

    pub(super) fn note_assigned(&mut self, val: &Val) {
        if let Some(place) = val.place.as_ref().filter(|place| place.whole) {
            let indices: Vec<Option<String>> = place.loops.iter().cloned().map(Some).collect();
            let parts = self.parts_of(val).into_iter().map(|(path, _)| (path, indices.clone()));
            self.defined.covered.extend(parts);
        }
    }

    pub(super) fn note_undefined(&mut self, val: &Val) {
        let parts = self.parts_of(val);
        self.defined.found.extend(parts.into_iter().map(|(_, leaf)| leaf));
    }

    pub(super) fn note_copied(&mut self, from: &Val, to: &Val) {
        let pairs = self.parts_of(from).into_iter().zip(self.parts_of(to));
        self.defined.copies.extend(pairs.map(|((_, from), (_, to))| (from, to)));
    }

    /// The end of a start state: what it has not assigned is undefined.
    pub(super) fn note_started(&mut self) {
        for (path, leaf) in self.shared_parts.clone() {
            if !self.defined.covered.contains(&(path, Vec::new())) {
                self.defined.found.insert(leaf);
            }
        }
    }
}
