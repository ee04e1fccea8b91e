//! Invariants and deadlocks by the symbolic engine.

use super::options::{Options, Refusal};
use super::report::{Faulty, Progress, Stats, Unknown};
use super::survey::unknown_fault;
use crate::bdd::Bdd;
use crate::explore::Path;
use crate::group::Group;
use crate::program::{Flat, FormulaKind, Predicate, Program, PropertyId, PropertyKind, Scratch, TermId};
use crate::search::LassoFault;
use crate::symbolic::{Asked, Found, Generators, Model, Reach, Stop, Unsupported};
use crate::syntax::ast::Logic;
use alloc::vec::Vec;

/// A symbolic pass over the states.
#[derive(Clone, Debug)]
pub(super) struct SymbolicPass<'p> {
    program: &'p Program,
    invariants: Vec<PropertyId>,
    pub(super) reach: Reach<'p>,
    unchecked: bool,
}

impl<'p> SymbolicPass<'p> {
    pub(super) fn new(
        program: &'p Program,
        group: &Group,
        invariants: &[PropertyId],
        options: &Options,
    ) -> Result<Self, Refusal> {
        let mut model = Model::new(program, 0, options.nodes())?;
        let (mut asked, mut kept) = (Vec::new(), Vec::new());
        for &id in invariants {
            if let Some(term) = invariant_term(program, id) {
                asked.push(bad_of(&mut model, term)?);
                kept.push(id);
            }
        }
        let mut reach = Reach::new(model, group.generators(), &options.symbolic)?;
        reach.asking(&asked);
        let unchecked = options.symbolic.generators == Generators::Unchecked;
        Ok(SymbolicPass { program, invariants: kept, reach, unchecked })
    }

    pub(super) fn is_complete(&self) -> bool {
        self.reach.stopped() == Some(&Stop::Complete) && !self.unchecked
    }

    pub(super) fn progress(&self) -> Progress {
        let last = self.reach.iterations().last();
        Progress {
            search: 0,
            searches: 1,
            nodes: last.and_then(|i| i.representatives.to_u64()).unwrap_or(u64::MAX),
            edges: self.reach.model().bdds.used().into(),
            depth: self.reach.iterations().len() as u32,
            bytes: self.reach.model().bdds.bytes(),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        Stats { peak_bytes: self.reach.model().bdds.bytes(), ..Stats::default() }
    }

    pub(super) fn violation(&self, id: PropertyId) -> Option<Path> {
        let number = self.invariants.iter().position(|&own| own == id)?;
        match &self.reach.found()[number] {
            Some(Found::Bad(path)) => Some(path.clone()),
            _ => None,
        }
    }

    pub(super) fn faulty_invariant(&self) -> Option<PropertyId> {
        match self.reach.stopped() {
            Some(Stop::Undefined(number, _)) => Some(self.invariants[*number as usize]),
            _ => None,
        }
    }

    /// Why not everything is known; none where it is.
    pub(super) fn unknown(&self) -> Option<Unknown> {
        match self.reach.stopped() {
            Some(Stop::Complete) if self.unchecked => Some(Unknown::FalsificationOnly),
            Some(Stop::Complete | Stop::AllViolated) => None,
            Some(Stop::NodeLimit) => Some(Unknown::NodeLimit),
            Some(Stop::Fault(fault, path)) => {
                Some(unknown_fault(Faulty::Step((**fault).clone()), Some(path.clone())))
            }
            Some(Stop::Undefined(number, path)) => Some(self.undefined(*number, path)),
            Some(Stop::Internal) => Some(Unknown::Internal(LassoFault::Open)),
            None => Some(Unknown::Stopped),
        }
    }

    /// What exactly is wrong is found by evaluating.
    fn undefined(&self, number: u32, path: &Path) -> Unknown {
        let id = self.invariants[number as usize];
        let last = path.last_state();
        let fault = invariant_term(self.program, id).and_then(|term| {
            let predicate = Predicate::new(self.program, term, self.program.properties[id].regs);
            predicate.holds(&Flat::new(&last), &mut Scratch::default(), &[]).err()
        });
        match fault {
            Some(fault) => unknown_fault(Faulty::Property(fault), Some(path.clone())),
            None => Unknown::Internal(LassoFault::Right),
        }
    }
}

fn invariant_term(program: &Program, id: PropertyId) -> Option<TermId> {
    let PropertyKind::Formula(Logic::Invariant, formula) = program.properties[id].kind else { return None };
    match program.formulas[formula].kind {
        FormulaKind::Atom(term) => Some(term),
        _ => None,
    }
}

/// Where an invariant is violated, and where it has an error.
fn bad_of(model: &mut Model<'_>, term: TermId) -> Result<Asked, Unsupported> {
    let (holds, undefined) = model.condition(term, &[])?;
    let valid = model.valid();
    let bad: Bdd = model.bdds.minus(valid, holds);
    let bad = model.bdds.minus(bad, undefined);
    Ok(Asked { bad: model.bdds.protect(bad), undefined })
}
