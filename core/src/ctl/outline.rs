//! What a page shows of a check: the formula as a tree, the states that satisfy each node of it, and the states themselves.

use super::bitmap::Bitmap;
use super::graph::Vertex;
use super::normal::ProcessQuantifier;
use super::part::{Formula, Link, PartId, Sub, SubId};
use super::run::CtlCheck;
use crate::group::Process;
use crate::ids::Id;
use crate::program::{FamilyId, Program};
use crate::quotient::{AqsId, AqsiId};
use alloc::string::String;
use alloc::vec::Vec;

/// A node of a formula's tree: a subformula of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineNode {
    /// The part whose graph it is evaluated on.
    pub part: PartId,
    /// The subformula of that part.
    pub sub: SubId,
    /// How deep it stands; the whole is at 0. A node's children follow it, one deeper.
    pub depth: u32,
    /// The subformula in words, with the names of the processes that the part tracks.
    pub words: String,
    /// The quantifier in front of the part that follows, where this node is one.
    pub quantifier: Option<(ProcessQuantifier, FamilyId)>,
}

impl Formula {
    /// The formula as a tree, in the order in which a tree is printed. A subformula that stands in several places is
    /// in it as often, up to `most` nodes in all.
    ///
    /// ```
    /// use orbitscope_core::{ctl::Formula, program, symmetry, syntax::parse};
    /// let parsed = parse("process p[5] { var x: bool = false action flip: true -> x := not x }
    ///     ctl f: AG forall q in p: EF q.x");
    /// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
    /// let id = program.property("f").unwrap();
    /// let formula = Formula::new(&program, id, &symmetry::detect(&program)).unwrap();
    /// let words: Vec<String> = formula.outline(&program, 100).into_iter().map(|node| node.words).collect();
    /// assert_eq!(words[..2], ["forall q in p: AG EF q.x", "AG EF q.x"]);
    /// ```
    pub fn outline(&self, program: &Program, most: u32) -> Vec<OutlineNode> {
        let mut nodes: Vec<OutlineNode> = Vec::new();
        let words = |part: PartId| self.tracked_words(program, part);
        let mut stack = alloc::vec![(self.top(), self.parts[self.top()].top(), 0)];
        while let Some((part, sub, depth)) = stack.pop() {
            if nodes.len() as u32 == most {
                break;
            }
            let kind = &self.parts[part].subs[sub];
            let quantifier = match kind {
                Sub::Link(Link { over, .. }) => *over,
                _ => None,
            };
            nodes.push(OutlineNode {
                part,
                sub,
                depth,
                words: self.show(program, part, sub, &words(part)),
                quantifier,
            });
            match kind {
                Sub::Link(link) => stack.push((link.part, self.parts[link.part].top(), depth + 1)),
                _ => stack.extend(kind.operands().into_iter().rev().map(|sub| (part, sub, depth + 1))),
            }
        }
        nodes
    }
}

impl CtlCheck<'_> {
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

    /// The values of all variables in a vertex of a part: those of its representative.
    pub fn vertex_values(&self, part: PartId, vertex: Vertex) -> Vec<i32> {
        let (state, _) = self.vertex(part, vertex);
        self.spaces[part].aqsi().aqs().flat(state)
    }
}
