//! A program as decision diagrams: its steps, its initial states, and where it has errors.

use super::Unsupported;
use super::beside::{Beside, Executor};
use super::encoding::{Encoding, Order, Side};
use super::eval::{Evaluator, Truth};
use super::relation::{Part, steps};
use crate::bdd::{Bdd, BddGraph, Budget, Manager, Substitution, Variable};
use crate::group::Process;
use crate::ids::Id as _;
use crate::natural::Natural;
use crate::program::{Program, Reg, TermId};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::vec::Vec;

/// While orders are compared, this many nodes are built at most for each.
const TRIAL_NODES: u32 = 300_000;

/// A program as decision diagrams.
#[derive(Debug)]
pub struct Model<'p> {
    program: &'p Program,
    /// The diagrams.
    pub bdds: Manager,
    encoding: Encoding,
    order: Order,
    parts: Vec<Part>,
    initial: Bdd,
    valid: Bdd,
    /// For each process where it is enabled.
    enabled: Vec<Bdd>,
    /// For each of those whose steps are told apart, where there is one.
    offered: Vec<Bdd>,
    deadlock: Bdd,
    fault: Bdd,
    variables: Vec<Variable>,
    note: Note,
    next_to_current: Substitution,
}

/// The bits that a step clears.
#[derive(Debug)]
struct Note {
    /// Their variables, as a cube.
    variables: Bdd,
    /// Where they are clear.
    clear: Bdd,
    /// Where nobody is noted as the one who takes the step.
    nobody: Bdd,
}

impl<'p> Model<'p> {
    /// Builds the diagrams in the order that makes the steps' smallest, with this many bits of memory for an automaton, or with
    /// all that is kept [beside](Beside) a state.
    pub fn new(
        program: &'p Program,
        beside: impl Into<Beside>,
        budget: impl Into<Budget>,
    ) -> Result<Self, Unsupported> {
        if program.is_computed_outside() {
            return Err(Unsupported::Outside);
        }
        let (beside, budget): (Beside, Budget) = (beside.into(), budget.into());
        // An order that is far worse than another is given up early; where all are, the first one gets all there is.
        let mut best: Option<Model<'p>> = None;
        let trial = size("symbolic: nodes of a trial", TRIAL_NODES, 60);
        for order in Order::ALL {
            let most = best.as_ref().map_or(trial, |b| b.bdds.peak().saturating_mul(2)).min(budget.nodes);
            match Self::in_order(program, order, beside.clone(), Budget { nodes: most, ..budget }) {
                Ok(model) if best.as_ref().is_none_or(|b| model.relation_size() < b.relation_size()) => {
                    best = Some(model);
                }
                Ok(_) => {}
                Err(Unsupported::Nodes(_)) => took("symbolic: an order that is given up"),
                Err(other) => return Err(other),
            }
        }
        match best {
            Some(mut model) => {
                model.bdds.set_limit(budget.nodes);
                Ok(model)
            }
            None => Self::in_order(program, Order::default(), beside, budget),
        }
    }

    /// Builds the diagrams in one order.
    pub fn in_order(
        program: &'p Program,
        order: Order,
        beside: impl Into<Beside>,
        budget: impl Into<Budget>,
    ) -> Result<Self, Unsupported> {
        let encoding = Encoding::new(program, order, beside.into())?;
        let mut bdds = Manager::new(budget);
        let variables = encoding.variables(Side::Current);
        let starts: Vec<_> = (0..program.initial.start_count()).map(|n| program.initial.start(n)).collect();
        let (mut valid, mut rows) = (Bdd::TRUE, alloc::vec![Bdd::TRUE; starts.len()]);
        let mut slots: Vec<_> = encoding.fields().filter(|(_, field)| !field.bits.is_empty()).collect();
        // From the last slot upwards, so that each conjunction adds on top.
        slots.arrange_by_key(|(_, field)| core::cmp::Reverse(field.bits.first().copied()));
        for (slot, _) in slots {
            let own = encoding.valid_slot(&mut bdds, slot);
            valid = bdds.and(&own, &valid);
            for (row, (values, any)) in rows.iter_mut().zip(&starts) {
                let first = if any.binary_search(&slot).is_ok() {
                    own.clone()
                } else {
                    encoding.equals(&mut bdds, slot, values[slot.0 as usize].into(), Side::Current)
                };
                *row = bdds.and(&first, row);
            }
        }
        let mut initial = Bdd::FALSE;
        for row in rows {
            initial = bdds.or(&initial, &row);
        }
        let steps = steps(program, &encoding, &mut bdds, &valid)?;
        // A step that has an error leads nowhere, and is none the less there.
        let deadlock = bdds.minus(&valid, &steps.moving);
        let deadlock = bdds.minus(&deadlock, &steps.fault);
        if let Some(assumed) = &steps.assumed {
            // Where it cannot be evaluated a state stays, and its error is found.
            let kept = bdds.or(&assumed.holds, &assumed.undefined);
            initial = bdds.and(&initial, &kept);
        }
        if bdds.overflowed() {
            return Err(Unsupported::Nodes(bdds.limit()));
        }
        let pairs = encoding.variables(Side::Next).into_iter().zip(variables.iter().copied());
        let next_to_current = bdds.monotone_renaming(pairs.collect::<Vec<_>>());
        let variables_of = |bit| Encoding::variable(bit, Side::Current);
        let note = Note {
            variables: bdds.variables(&encoding.note().into_iter().map(variables_of).collect::<Vec<_>>()),
            clear: Encoding::code(&mut bdds, &encoding.note(), 0, Side::Current),
            nobody: Encoding::code(&mut bdds, &encoding.mover(), 0, Side::Current),
        };
        let super::relation::Steps { parts, enabled, offered, fault, .. } = steps;
        Ok(Model {
            program,
            bdds,
            encoding,
            order,
            parts,
            initial,
            valid,
            enabled,
            offered,
            deadlock,
            fault,
            variables,
            note,
            next_to_current,
        })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Where the bits of a state stand.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The order of the variables.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The parts of the relation.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The nodes of all parts of the relation.
    pub fn relation_size(&self) -> u32 {
        self.bdds.size(self.parts.iter().map(|part| &part.relation))
    }

    /// The initial states.
    pub fn initial(&self) -> &Bdd {
        &self.initial
    }

    /// Where every slot has one of its values.
    pub fn valid(&self) -> &Bdd {
        &self.valid
    }

    /// The states in which no process has a step, not even out of what is assumed.
    pub fn deadlock(&self) -> &Bdd {
        &self.deadlock
    }

    /// The states in which a step has an error of the model.
    pub fn fault(&self) -> &Bdd {
        &self.fault
    }

    /// Those of a set in which no process is enabled.
    pub(super) fn deadlocks_of(&mut self, set: &Bdd) -> Bdd {
        self.bdds.and(set, &self.deadlock)
    }

    /// Where the bits stand, and the diagrams to write codes in.
    pub(super) fn parts_of_code(&mut self) -> (&Encoding, &mut Manager) {
        (&self.encoding, &mut self.bdds)
    }

    /// Where a process is enabled.
    pub(super) fn enabled(&self, process: Process) -> &Bdd {
        &self.enabled[process.index()]
    }

    /// For each of those whose steps are told apart, where there is one.
    pub(super) fn offered(&self) -> &[Bdd] {
        &self.offered
    }

    /// Deadlocks out of a set that repeat, which is nobody's step.
    pub(super) fn repeated(&mut self, set: &Bdd) -> Bdd {
        let stuck = self.deadlocks_of(set);
        let stuck = self.bdds.and(&stuck, &self.note.nobody);
        let stuck = self.bdds.exists_cube(&stuck, &self.note.variables);
        self.bdds.and(&stuck, &self.note.clear)
    }

    /// Deadlocks that repeat into a set.
    pub(super) fn repeated_before(&mut self, set: &Bdd) -> Bdd {
        let stuck = self.deadlocks_of(set);
        let stuck = self.bdds.and(&stuck, &self.note.clear);
        let stuck = self.bdds.exists_cube(&stuck, &self.note.variables);
        self.bdds.and(&stuck, &self.note.nobody)
    }

    /// How many states a set has; with memory, how many pairs of a state and what is remembered.
    pub fn count(&self, set: &Bdd) -> Natural {
        self.bdds.count(set, &self.variables)
    }

    /// A set as a graph that can be drawn, if it is small enough.
    pub fn graph(&self, f: &Bdd, most: u32) -> BddGraph {
        BddGraph::new(&self.bdds, f, most, |variable| self.encoding.name(self.program, variable))
    }

    /// Where a condition holds, and where it has an error, with these values for its names.
    pub fn condition(&mut self, term: TermId, bound: &[(Reg, i64)]) -> Result<(Bdd, Bdd), Unsupported> {
        self.condition_of_step(term, bound, None)
    }

    /// The same, where it is known who takes the next step, if anybody.
    pub(super) fn condition_of_step(
        &mut self,
        term: TermId,
        bound: &[(Reg, i64)],
        executed: Option<Executor>,
    ) -> Result<(Bdd, Bdd), Unsupported> {
        let Model { program, bdds, encoding, enabled, fault, valid, .. } = self;
        let mut evaluator = Evaluator::new(program, encoding, bdds);
        evaluator.enabled = enabled;
        evaluator.fault = Some(fault);
        evaluator.executed = executed;
        for &(reg, value) in bound {
            evaluator.bind(reg, value);
        }
        let Truth { yes, no } = evaluator.truth(term)?;
        let either = bdds.or(&yes, &no);
        let (yes, undefined) = (bdds.and(&yes, valid), bdds.minus(valid, &either));
        if bdds.overflowed() {
            return Err(Unsupported::Nodes(bdds.limit()));
        }
        Ok((yes, undefined))
    }

    /// Forgets what the relation says of steps from outside a set. Successors are then right for its subsets, and predecessors
    /// within it.
    pub(super) fn restrict_relation(&mut self, care: &Bdd) {
        for part in &mut self.parts {
            let smaller = self.bdds.restrict(&part.relation, care);
            if self.bdds.size([&smaller]) < self.bdds.size([&part.relation]) {
                part.relation = smaller;
            }
        }
    }

    /// A set of next states as a set of states.
    pub(super) fn as_current(&mut self, set: &Bdd) -> Bdd {
        self.bdds.substitute(set, &self.next_to_current)
    }

    /// All successors of a set, without those that repeat a deadlock.
    pub fn image(&mut self, set: &Bdd) -> Bdd {
        self.of_all_parts(|part, bdds| part.image(bdds, set))
    }

    /// All predecessors of a set, without deadlocks that repeat.
    pub fn preimage(&mut self, set: &Bdd) -> Bdd {
        self.of_all_parts(|part, bdds| part.preimage(bdds, set))
    }

    fn of_all_parts(&mut self, of: impl Fn(&Part, &mut Manager) -> Bdd) -> Bdd {
        let mut all = Bdd::FALSE;
        for part in &self.parts {
            let more = of(part, &mut self.bdds);
            all = self.bdds.or(&all, &more);
        }
        all
    }
}
