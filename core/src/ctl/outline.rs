//! The outline of a check for a page: the formula as a tree, the states that satisfy each node of it, and the states
//! themselves.

use super::bitmap::Bitmap;
use super::graph::Vertex;
use super::normal::ProcessQuantifier;
use super::part::{Formula, Link, PartId, Sub, SubId};
use super::run::CtlCheck;
use crate::group::Process;
use crate::ids::Id;
use crate::program::{FamilyId, Program};
use crate::quotient::{AqsId, Aqsi, AqsiId};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// A node of a formula's tree: a subformula of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineNode {
    /// The part whose graph it is evaluated on.
    pub part: PartId,
    /// The subformula of that part.
    pub sub: SubId,
    /// The `U` that a search decides it by: itself, or what it is the negation of, as `AG f` is of `EF not f`.
    pub until: Option<SubId>,
    /// How deep it stands; the whole is at 0. A node's children follow it, one deeper.
    pub depth: u32,
    /// The subformula in words, with the names of the processes that the part tracks.
    pub words: String,
    /// The quantifier in front of the part that follows, where this node is one.
    pub quantifier: Option<(ProcessQuantifier, FamilyId)>,
}

impl Formula {
    /// The formula as a tree, in the order in which a tree is printed: as the model writes it, without what only its
    /// normal form has. A subformula that stands in several places is in it as often, up to `most` nodes in all.
    ///
    /// ```
    /// use orbitscope_core::{ctl::Formula, program, symmetry, syntax::parse};
    /// let parsed = parse("process p[5] { var x: bool = false action flip: true -> x := not x }
    ///     ctl f: AG forall q in p: EF q.x");
    /// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
    /// let id = program.property("f").unwrap();
    /// let formula = Formula::new(&program, id, &symmetry::detect(&program)).unwrap();
    /// let words: Vec<String> = formula.outline(&program, 100).into_iter().map(|node| node.words).collect();
    /// assert_eq!(words, ["forall q in p: AG EF q.x", "AG EF q.x", "EF q.x", "q.x"]);
    /// ```
    pub fn outline(&self, program: &Program, most: u32) -> Vec<OutlineNode> {
        let mut nodes: Vec<OutlineNode> = Vec::new();
        let mut stack = alloc::vec![(self.top(), self.parts[self.top()].top(), 0)];
        while let Some((part, sub, depth)) = stack.pop() {
            if nodes.len() as u32 == most {
                break;
            }
            let (part, sub) = self.used(part, sub);
            let subs = &self.parts[part].subs;
            let (until, operands) = self.written(part, sub);
            let (quantifier, inner) = match &subs[sub] {
                Sub::Link(link) => (link.over, Some((link.part, self.parts[link.part].top(), depth + 1))),
                _ => (None, None),
            };
            let words = self.show(program, part, sub, &self.tracked_words(program, part));
            nodes.push(OutlineNode { part, sub, until, depth, words, quantifier });
            stack.extend(inner);
            stack.extend(operands.into_iter().rev().map(|sub| (part, sub, depth + 1)));
        }
        nodes
    }

    /// The subformula that a use of another part without a quantifier is.
    fn used(&self, mut part: PartId, mut sub: SubId) -> (PartId, SubId) {
        while let Sub::Link(Link { part: inner, over: None, .. }) = &self.parts[part].subs[sub] {
            (part, sub) = (*inner, self.parts[*inner].top());
        }
        (part, sub)
    }

    /// The `U` that decides a subformula, and the subformulas that a model writes it with: those of `AG f` are f alone.
    fn written(&self, part: PartId, sub: SubId) -> (Option<SubId>, Vec<SubId>) {
        let subs = &self.parts[part].subs;
        let bare = |sub: SubId| match subs[sub] {
            Sub::Not(inner) => inner,
            _ => sub,
        };
        // That a fair path starts here is said once for all.
        let said = |sub: &SubId| match subs[*sub] {
            Sub::Const(_) => false,
            Sub::FairGlobally(inside) => subs[inside] != Sub::Const(true),
            _ => true,
        };
        let (until, operands) = match &subs[sub] {
            Sub::Until(..) => (Some(sub), subs[sub].operands()),
            &Sub::Not(negated) => match &subs[negated] {
                Sub::Until(..) => (Some(negated), subs[negated].operands().into_iter().map(bare).collect()),
                Sub::FairGlobally(inside) => (None, alloc::vec![bare(*inside)]),
                _ => (None, alloc::vec![negated]),
            },
            // `a => b` is kept as `not a or b`.
            Sub::Or(list) if list.len() == 2 => (None, list.iter().map(|&sub| bare(sub)).collect()),
            kind => (None, kind.operands()),
        };
        (until, operands.into_iter().filter(said).collect())
    }
}

impl<'p> CtlCheck<'p> {
    /// The states of a part's graph that satisfy a subformula. With the local algorithm all are asked for, so that it is
    /// local no more. None before the truth values of the part are known.
    pub fn satisfying(&mut self, part: PartId, sub: SubId) -> Option<Bitmap> {
        if self.truths.get(part).is_none() || self.formula.parts[part].subs.get(sub).is_none() {
            return None;
        }
        if let Some(row) = self.row(part, sub) {
            return Some(row.clone());
        }
        let mut row = Bitmap::default();
        for vertex in self.spaces[part].graph().vertices() {
            let value = self.value(part, sub, vertex);
            row.push(value);
        }
        Some(row)
    }

    /// The state of the quotient that a vertex of a part is, and the processes that are tracked in it.
    pub fn vertex(&self, part: PartId, vertex: Vertex) -> (AqsId, &[Process]) {
        self.spaces[part].aqsi().node(AqsiId::from_index(vertex.index()))
    }

    /// The vertex of a part for a state of the program with these tracked processes; none where it has none.
    pub fn vertex_of(&mut self, part: PartId, values: &[i32], tracked: &[Process]) -> Option<Vertex> {
        self.spaces[part].place(values, tracked).map(|place| place.vertex)
    }

    /// The vertices of a part that stand for initial states of the program, with every choice of what it tracks that the
    /// parts around it make there.
    pub fn starts(&self, part: PartId) -> BTreeSet<Vertex> {
        let top = self.formula.top();
        let mut starts: BTreeMap<PartId, BTreeSet<Vertex>> = BTreeMap::new();
        starts.insert(top, self.spaces[top].roots().into_iter().map(|root| root.vertex).collect());
        // Parts come after those that they use.
        for user in self.formula.parts.ids().rev().take_while(|&user| user > part) {
            let own = starts.remove(&user).unwrap_or_default();
            for (sub, kind) in self.formula.parts[user].subs.iter_enumerated() {
                let (Sub::Link(link), Some(asked)) = (kind, self.spaces[user].asked(sub)) else { continue };
                let known = own.iter().filter(|vertex| vertex.0 < self.spaces[user].asked_len());
                let found = known.flat_map(|&vertex| asked.of(vertex)).copied();
                starts.entry(link.part).or_default().extend(found);
            }
        }
        starts.remove(&part).unwrap_or_default()
    }

    /// The quotient of a part, with the processes that it tracks.
    pub(crate) fn quotient_mut(&mut self, part: PartId) -> &mut Aqsi<'p> {
        self.spaces[part].aqsi_mut()
    }

    /// The values of all variables in a vertex of a part: those of its representative.
    pub fn vertex_values(&self, part: PartId, vertex: Vertex) -> Vec<i32> {
        let (state, _) = self.vertex(part, vertex);
        self.spaces[part].aqsi().aqs().flat(state)
    }
}
