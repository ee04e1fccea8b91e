//! The mu-calculus: nested fixed points over the graphs of all parts, one subformula a step.
//!
//! After E. A. Emerson & C.-L. Lei, "Efficient model checking in fragments of the propositional mu-calculus" (1986): a fixed
//! point starts anew only where the one around it is of the other kind; inside one of its own kind it goes on from what
//! it was, since it can only grow further (or shrink). So formulas without alternation need as many rounds as there are
//! states at most, and each alternation one more factor of that.
//!
//! The formula is written out as a list of instructions first: what does not depend on a variable stands before the loop
//! of that variable. A fixed point may reach over several parts, where a quantifier stands inside of it: then the
//! inner part finds the value of the variable in the vertex of the outer one that its own vertex lies over.

use super::bitmap::Bitmap;
use super::label::{Effort, Rows, plain_row, rows_bytes};
use super::normal::FixId;
use super::part::{FixpointOf, Formula, PartId, Sub, SubId};
use super::space::{Space, link_value};
use crate::ids::IdVec;
use crate::syntax::ast::Fixpoint;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

#[derive(Clone, Debug)]
enum Instruction {
    /// The truth values of a subformula are found.
    Row(PartId, SubId),
    /// These fixed points begin anew.
    Reset(Vec<FixId>),
    /// If the fixed point has changed, on from there once more.
    Repeat(FixId, u32),
}

/// The evaluation of a `mu` property under way.
#[derive(Clone, Debug)]
pub(super) struct MuEvaluation {
    code: Vec<Instruction>,
    at: u32,
    rows: IdVec<PartId, Rows>,
    values: IdVec<FixId, Bitmap>,
    effort: Effort,
}

impl MuEvaluation {
    pub(super) fn new(formula: &Formula, spaces: &IdVec<PartId, Space<'_>>) -> Self {
        let mut writer = Writer {
            formula,
            code: Vec::new(),
            written: BTreeSet::new(),
            free: BTreeMap::new(),
            around: Vec::new(),
        };
        let top = formula.top();
        writer.write(top, formula.parts[top].top());
        let rows = formula.parts.iter().map(|part| part.subs.iter().map(|_| Bitmap::default()).collect());
        let fixpoints = formula.fixpoints.iter();
        let values = fixpoints
            .map(|fix| Bitmap::filled(spaces[fix.home].graph().len(), fix.kind == Fixpoint::Greatest));
        MuEvaluation {
            code: writer.code,
            at: 0,
            rows: rows.collect(),
            values: values.collect(),
            effort: Effort::default(),
        }
    }

    /// The part that is being evaluated; none where everything is done.
    pub(super) fn part(&self, formula: &Formula) -> Option<PartId> {
        Some(match self.code.get(self.at as usize)? {
            Instruction::Row(part, _) => *part,
            Instruction::Reset(list) => {
                list.first().map_or(formula.top(), |&fix| formula.fixpoints[fix].home)
            }
            Instruction::Repeat(fix, _) => formula.fixpoints[*fix].home,
        })
    }

    /// Executes one instruction; says whether there was one.
    pub(super) fn step(&mut self, formula: &Formula, spaces: &IdVec<PartId, Space<'_>>) -> bool {
        let Some(instruction) = self.code.get(self.at as usize) else { return false };
        self.at += 1;
        match instruction {
            Instruction::Row(part, sub) => {
                let (part, sub) = (*part, *sub);
                self.rows[part][sub] = self.row(formula, spaces, part, sub);
            }
            Instruction::Reset(list) => {
                for &fix in list {
                    let FixpointOf { home, kind, .. } = formula.fixpoints[fix];
                    self.values[fix] = Bitmap::filled(spaces[home].graph().len(), kind == Fixpoint::Greatest);
                }
            }
            Instruction::Repeat(fix, back) => {
                let FixpointOf { home, body, .. } = formula.fixpoints[*fix];
                if self.values[*fix] != self.rows[home][body] {
                    self.values[*fix] = self.rows[home][body].clone();
                    self.at = *back;
                }
            }
        }
        true
    }

    fn row(
        &mut self,
        formula: &Formula,
        spaces: &IdVec<PartId, Space<'_>>,
        part: PartId,
        sub: SubId,
    ) -> Bitmap {
        let space = &spaces[part];
        let graph = space.graph();
        let kind = &formula.parts[part].subs[sub];
        if let Sub::Next(..) = kind {
            self.effort.visits += u64::from(graph.len());
            self.effort.edges += u64::from(graph.edge_count());
        }
        match kind {
            Sub::Atom(number) => space.atom_row(*number).clone(),
            Sub::Link(link) => {
                let top = formula.parts[link.part].top();
                let inner = &self.rows[link.part][top];
                let mut row = Bitmap::default();
                for vertex in graph.vertices() {
                    let asked = space.asked(sub).map_or(&[][..], |asked| asked.of(vertex));
                    row.push(link_value(link, asked.iter().map(|&v| inner.get(v))));
                }
                row
            }
            Sub::Fixpoint(_, fix, _) => self.values[*fix].clone(),
            Sub::Variable(fix) if formula.fixpoints[*fix].home == part => self.values[*fix].clone(),
            Sub::Variable(fix) => {
                let mut row = Bitmap::default();
                for &vertex in space.below(*fix) {
                    row.push(self.values[*fix].get(vertex));
                }
                row
            }
            _ => plain_row(graph, &self.rows[part], kind).unwrap_or_default(),
        }
    }

    /// The work done, and the rows of each part.
    pub(super) fn finish(&mut self) -> (Effort, Vec<Rows>) {
        let values: u64 = self.values.iter().map(Bitmap::bytes).sum();
        self.effort.memory.bitmaps = self.rows.iter().map(rows_bytes).sum::<u64>() + values;
        (self.effort, self.rows.iter_mut().map(core::mem::take).collect())
    }
}

/// Writes a formula out. It recurses as deep as the formula is nested, which the parser bounds.
struct Writer<'a> {
    formula: &'a Formula,
    code: Vec<Instruction>,
    written: BTreeSet<(PartId, SubId)>,
    free: BTreeMap<(PartId, SubId), BTreeSet<FixId>>,
    /// The fixed points around, the innermost last.
    around: Vec<FixId>,
}

impl Writer<'_> {
    fn write(&mut self, part: PartId, sub: SubId) {
        if !self.written.insert((part, sub)) {
            return;
        }
        let formula = self.formula;
        match &formula.parts[part].subs[sub] {
            Sub::Fixpoint(kind, fix, body) => {
                self.before_loop(part, *body, *fix);
                let outer = self.around.last().map(|&fix| formula.fixpoints[fix].kind);
                if outer.is_some_and(|outer| outer != *kind) {
                    let mut alike = BTreeSet::new();
                    self.fixpoints_in(part, sub, *kind, &mut alike);
                    self.code.push(Instruction::Reset(alike.into_iter().collect()));
                }
                let back = self.code.len() as u32;
                self.around.push(*fix);
                self.write(part, *body);
                self.around.pop();
                self.code.push(Instruction::Repeat(*fix, back));
            }
            other => {
                for (part, sub) in self.below(part, other) {
                    self.write(part, sub);
                }
            }
        }
        self.code.push(Instruction::Row(part, sub));
    }

    /// The operands of a subformula, in this part or in another.
    fn below(&self, part: PartId, sub: &Sub) -> Vec<(PartId, SubId)> {
        match sub {
            Sub::Link(link) => alloc::vec![(link.part, self.formula.parts[link.part].top())],
            _ => sub.operands().into_iter().map(|sub| (part, sub)).collect(),
        }
    }

    /// Writes what stands in a loop and depends neither on its variable nor on those of the loops inside of it.
    fn before_loop(&mut self, part: PartId, sub: SubId, fix: FixId) {
        if self.free(part, sub).iter().all(|free| *free != fix && self.around.contains(free)) {
            self.write(part, sub);
            return;
        }
        for (part, sub) in self.below(part, &self.formula.parts[part].subs[sub]) {
            self.before_loop(part, sub, fix);
        }
    }

    /// The variables of fixed points around a subformula that stand in it.
    fn free(&mut self, part: PartId, sub: SubId) -> BTreeSet<FixId> {
        if let Some(found) = self.free.get(&(part, sub)) {
            return found.clone();
        }
        let kind = &self.formula.parts[part].subs[sub];
        let mut found: BTreeSet<FixId> = match kind {
            Sub::Variable(fix) => BTreeSet::from([*fix]),
            _ => self.below(part, kind).into_iter().flat_map(|(part, sub)| self.free(part, sub)).collect(),
        };
        if let Sub::Fixpoint(_, fix, _) = kind {
            found.remove(fix);
        }
        self.free.insert((part, sub), found.clone());
        found
    }

    fn fixpoints_in(&self, part: PartId, sub: SubId, kind: Fixpoint, found: &mut BTreeSet<FixId>) {
        let own = &self.formula.parts[part].subs[sub];
        if let Sub::Fixpoint(own, fix, _) = own
            && *own == kind
        {
            found.insert(*fix);
        }
        for (part, sub) in self.below(part, own) {
            self.fixpoints_in(part, sub, kind, found);
        }
    }
}
