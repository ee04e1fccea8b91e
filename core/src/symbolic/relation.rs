//! The steps of a program as a partitioned relation: a disjunction of parts, each of which speaks only of the slots that
//! it writes. What a part does not write stays, without a word in its diagram.

use super::Unsupported;
use super::encoding::{Encoding, Side};
use super::eval::{Evaluator, Truth};
use crate::bdd::{Bdd, Manager, Substitution, Variable};
use crate::group::Process;
use crate::ids::Id;
use crate::limits::MAX_SYMBOLIC_STEPS;
use crate::program::{
    ActionId, Assignment, Domain, Program, Reg, Slot, TermId, TermKind, ValueType, domain_size,
};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Parts that write the same slots are joined while they have this many nodes.
const PART_NODES: u32 = 2_000;

/// A part of the relation.
#[derive(Clone, Debug)]
pub struct Part {
    /// The slots that it writes.
    pub written: Vec<Slot>,
    /// From which states it leads where: a function of the state and of the written slots' bits in the next one.
    pub relation: Bdd,
    /// The variables that it writes, the written slots' and those of the note, of the state and of the next one, as cubes.
    current: Bdd,
    next: Bdd,
    to_current: Substitution,
    to_next: Substitution,
}

impl Part {
    /// The states that it leads to from a set.
    pub fn image(&self, bdds: &mut Manager, set: &Bdd) -> Bdd {
        let reached = bdds.and_exists(set, &self.relation, &self.current);
        bdds.substitute(&reached, &self.to_current)
    }

    /// The states from which it leads into a set.
    pub fn preimage(&self, bdds: &mut Manager, set: &Bdd) -> Bdd {
        let target = bdds.substitute(set, &self.to_next);
        bdds.and_exists(&target, &self.relation, &self.next)
    }
}

/// The steps of a program.
pub(super) struct Steps {
    pub parts: Vec<Part>,
    /// For each process where it is enabled.
    pub enabled: Vec<Bdd>,
    /// For each of those whose steps are told apart, where there is one.
    pub offered: Vec<Bdd>,
    /// Where a step has an error of the model.
    pub fault: Bdd,
    /// Where some process has a step, be it out of what is assumed.
    pub moving: Bdd,
    /// Where what is assumed holds.
    pub assumed: Option<Assumed>,
}

/// An assumption: where it holds, and where it has an error.
#[derive(Clone)]
pub(super) struct Assumed {
    pub holds: Bdd,
    pub undefined: Bdd,
}

/// The pieces that are collected while the steps are gone through.
struct Building {
    /// The relation of the steps that write these slots: finished pieces, the last one still growing.
    parts: BTreeMap<Vec<Slot>, Vec<Bdd>>,
    enabled: Vec<Bdd>,
    offered: Vec<Bdd>,
    fault: Bdd,
    moving: Bdd,
    assumed: Option<Assumed>,
}

/// The steps of all processes. `valid` is where every slot has one of its values.
pub(super) fn steps(
    program: &Program,
    encoding: &Encoding,
    bdds: &mut Manager,
    valid: &Bdd,
) -> Result<Steps, Unsupported> {
    let count: u64 = program
        .actions
        .iter()
        .map(|action| {
            let domains = action.params.iter().map(|p| u64::from(domain_size(p.domain, &program.families)));
            domains.fold(u64::from(program.families[action.family].size), u64::saturating_mul)
        })
        .fold(0, u64::saturating_add);
    if count > MAX_SYMBOLIC_STEPS {
        return Err(Unsupported::Steps(count));
    }
    let processes = program.process_count() as usize;
    let mut evaluator = Evaluator::new(program, encoding, bdds);
    let assumed = assumed(&mut evaluator, valid)?;
    let mut building = Building {
        parts: BTreeMap::new(),
        enabled: alloc::vec![Bdd::FALSE; processes],
        offered: alloc::vec![Bdd::FALSE; encoding.beside().movers.len()],
        fault: assumed.as_ref().map_or(Bdd::FALSE, |assumed| assumed.undefined.clone()),
        moving: Bdd::FALSE,
        assumed,
    };
    for (family_id, family) in program.families.iter_enumerated() {
        for index in 0..family.size {
            let process = program.process(family_id, index);
            for &action in &family.actions {
                evaluator.bind(Reg(0), index as i64);
                each_choice(program, action, &mut |arguments| {
                    for (number, &argument) in arguments.iter().enumerate() {
                        evaluator.bind(Reg(number as u32 + 1), argument);
                    }
                    step(&mut evaluator, &mut building, process, action, valid)?;
                    evaluator.forget_if_due();
                    Ok(())
                })?;
            }
        }
    }
    let Building { parts, enabled, offered, fault, moving, assumed } = building;
    let bdds = evaluator.bdds;
    let mut finished = Vec::new();
    for (written, relations) in parts {
        let note = encoding.note();
        let slots = written.iter().flat_map(|&slot| encoding.field(slot).bits.iter().copied());
        let bits: Vec<_> = note.into_iter().chain(slots).collect();
        let bits = || bits.iter().copied();
        let current: Vec<Variable> = bits().map(|bit| Encoding::variable(bit, Side::Current)).collect();
        let next: Vec<Variable> = bits().map(|bit| Encoding::variable(bit, Side::Next)).collect();
        let pairs = || current.iter().copied().zip(next.iter().copied());
        // A state's and the next state's variable of a bit are neighbours, and only one of them occurs.
        let to_current = bdds.monotone_renaming(pairs().map(|(now, next)| (next, now)));
        let to_next = bdds.monotone_renaming(pairs());
        let (current, next) = (bdds.variables(&current), bdds.variables(&next));
        let part = Part { written, relation: Bdd::FALSE, current, next, to_current, to_next };
        finished.extend(relations.into_iter().map(|relation| Part { relation, ..part.clone() }));
    }
    Ok(Steps { parts: finished, enabled, offered, fault, moving, assumed })
}

/// Where what is assumed holds.
fn assumed(evaluator: &mut Evaluator<'_>, valid: &Bdd) -> Result<Option<Assumed>, Unsupported> {
    let Some(assumption) = &evaluator.program.assumption else { return Ok(None) };
    let Truth { yes, no } = evaluator.truth(assumption.term)?;
    let either = evaluator.bdds.or(&yes, &no);
    let undefined = evaluator.bdds.minus(valid, &either);
    Ok(Some(Assumed { holds: evaluator.bdds.and(&yes, valid), undefined }))
}

/// All choices of an action's arguments, in order.
fn each_choice(
    program: &Program,
    action: ActionId,
    each: &mut impl FnMut(&[i64]) -> Result<(), Unsupported>,
) -> Result<(), Unsupported> {
    let ranges: Vec<(i64, i64)> = program.actions[action]
        .params
        .iter()
        .map(|param| match param.domain {
            Domain::Family(family) => (0, program.families[family].size as i64 - 1),
            Domain::Range(low, high) => (low, high),
        })
        .collect();
    if ranges.iter().any(|(low, high)| low > high) {
        return Ok(());
    }
    let mut choice: Vec<i64> = ranges.iter().map(|(low, _)| *low).collect();
    loop {
        each(&choice)?;
        let Some(place) = (0..ranges.len()).rev().find(|&i| choice[i] < ranges[i].1) else { return Ok(()) };
        choice[place] += 1;
        for later in place + 1..ranges.len() {
            choice[later] = ranges[later].0;
        }
    }
}

/// One action of one process with its arguments, which are bound.
fn step(
    evaluator: &mut Evaluator<'_>,
    building: &mut Building,
    process: Process,
    action: ActionId,
    valid: &Bdd,
) -> Result<(), Unsupported> {
    let program = evaluator.program;
    let mover = evaluator.encoding.beside().mover(process, action);
    let action = &program.actions[action];
    let Truth { yes, no } = evaluator.truth(action.guard)?;
    let either = evaluator.bdds.or(&yes, &no);
    let undefined = evaluator.bdds.minus(valid, &either);
    let guard = evaluator.bdds.and(&yes, valid);
    building.fault = evaluator.bdds.or(&building.fault, &undefined);
    if guard.is_false() {
        return Ok(());
    }
    let mut effect = Effect { good: guard.clone(), writes: BTreeMap::new() };
    for assignment in &action.assignments {
        effect.assign_all(evaluator, assignment, &assignment.over, &guard)?;
    }
    let Effect { good, writes } = effect;
    let bdds = &mut *evaluator.bdds;
    let fault = bdds.minus(&guard, &good);
    building.fault = bdds.or(&building.fault, &fault);
    building.moving = bdds.or(&building.moving, &good);
    if good.is_false() {
        return Ok(());
    }
    let mut relation = good.clone();
    // From the last slot in the order upwards, so that each conjunction adds on top.
    let mut written: Vec<Slot> = writes.keys().copied().collect();
    written.arrange_by_key(|&slot| core::cmp::Reverse(evaluator.encoding.field(slot).bits.first().copied()));
    for slot in &written {
        let mut assigned = Bdd::FALSE;
        let mut effect = Bdd::FALSE;
        for Assigned { value, at, .. } in &writes[slot] {
            assigned = bdds.or(&assigned, at);
            let becomes = evaluator.encoding.equals(bdds, *slot, *value, Side::Next);
            let both = bdds.and(at, &becomes);
            effect = bdds.or(&effect, &both);
        }
        let kept = bdds.minus(&good, &assigned);
        if !kept.is_false() {
            let same = evaluator.encoding.unchanged(bdds, *slot);
            let both = bdds.and(&kept, &same);
            effect = bdds.or(&effect, &both);
        }
        relation = bdds.and(&relation, &effect);
    }
    // A slot of one value has no bits: nothing is written.
    written.retain(|&slot| !evaluator.encoding.field(slot).bits.is_empty());
    written.arrange();
    let mut enabled = good;
    if let Some(assumed) = &building.assumed {
        let fault;
        (relation, enabled, fault) = inside(bdds, evaluator.encoding, assumed, &written, &relation);
        building.fault = bdds.or(&building.fault, &fault);
        if enabled.is_false() {
            return Ok(());
        }
    }
    let whole = &mut building.enabled[process.index()];
    *whole = bdds.or(whole, &enabled);
    if let Some(offered) = mover.checked_sub(1).map(|place| &mut building.offered[place as usize]) {
        *offered = bdds.or(offered, &enabled);
    }
    let relation = noted(bdds, evaluator.encoding, &relation, mover);
    let pieces = building.parts.entry(written).or_default();
    let joined = size("symbolic: nodes of a part", PART_NODES, 6);
    match pieces.last_mut() {
        Some(last) if bdds.size([&*last]) < joined => *last = bdds.or(last, &relation),
        Some(_) => {
            took("symbolic: a part of several pieces");
            pieces.push(relation);
        }
        None => pieces.push(relation),
    }
    Ok(())
}

/// A step that is taken only by whoever is noted, and clears the note.
fn noted(bdds: &mut Manager, encoding: &Encoding, relation: &Bdd, mover: u32) -> Bdd {
    let taken = Encoding::code(bdds, &encoding.mover(), mover, Side::Current);
    let cleared = Encoding::code(bdds, &encoding.note(), 0, Side::Next);
    let note = bdds.and(&taken, &cleared);
    bdds.and(&note, relation)
}

/// Splits a step that writes these slots: the part that leads from where the assumption holds to where it does, and the
/// part that leads to an error of the assumption.
fn inside(
    bdds: &mut Manager,
    encoding: &Encoding,
    assumed: &Assumed,
    written: &[Slot],
    relation: &Bdd,
) -> (Bdd, Bdd, Bdd) {
    let bits: Vec<_> = written.iter().flat_map(|&slot| encoding.field(slot).bits.iter().copied()).collect();
    let next: Vec<Variable> = bits.iter().map(|&bit| Encoding::variable(bit, Side::Next)).collect();
    let pairs = bits.iter().map(|&bit| Encoding::variable(bit, Side::Current)).zip(next.iter().copied());
    let to_next = bdds.monotone_renaming(pairs);
    let next = bdds.variables(&next);
    let holds = bdds.substitute(&assumed.holds, &to_next);
    let undefined = bdds.substitute(&assumed.undefined, &to_next);
    let kept = bdds.and(relation, &holds);
    let wrong = bdds.and_exists(relation, &undefined, &next);
    let enabled = bdds.exists_cube(&kept, &next);
    (kept, enabled, wrong)
}

/// The effect of a step, while it is collected.
struct Effect {
    /// Where all assignments have a place and a value, and no two of them quarrel.
    good: Bdd,
    /// For each slot what is assigned to it.
    writes: BTreeMap<Slot, Vec<Assigned>>,
}

/// A value that is assigned, where it is, and the statement that does it.
struct Assigned {
    value: i64,
    at: Bdd,
    turn: u32,
}

impl Effect {
    /// An assignment for every choice of these names.
    fn assign_all(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        assignment: &Assignment,
        over: &[(Reg, Domain)],
        guard: &Bdd,
    ) -> Result<(), Unsupported> {
        let Some((&(reg, domain), rest)) = over.split_first() else {
            return self.assign(evaluator, assignment, guard);
        };
        let low = match domain {
            Domain::Family(_) => 0,
            Domain::Range(low, _) => low,
        };
        for value in low..low + i64::from(domain_size(domain, &evaluator.program.families)) {
            evaluator.bind(reg, value);
            self.assign_all(evaluator, assignment, rest, guard)?;
        }
        Ok(())
    }

    fn assign(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        assignment: &Assignment,
        guard: &Bdd,
    ) -> Result<(), Unsupported> {
        let made = match assignment.when {
            None => guard.clone(),
            Some(when) => {
                let Truth { yes, no } = evaluator.truth(when)?;
                let either = evaluator.bdds.or(&yes, &no);
                self.good = evaluator.bdds.and(&self.good, &either);
                evaluator.bdds.and(guard, &yes)
            }
        };
        let places = evaluator.places(assignment.target)?;
        let values = evaluator.term(assignment.value)?;
        let ty = assigned_type(evaluator.program, assignment.target);
        let values: Vec<(i64, Bdd)> =
            values.iter().filter(|(value, _)| ty.contains(*value)).cloned().collect();
        let bdds = &mut *evaluator.bdds;
        let has_place = bdds.or_all(places.iter().map(|(_, at)| at));
        let has_value = bdds.or_all(values.iter().map(|(_, at)| at));
        let both = bdds.and(&has_place, &has_value);
        let neither = bdds.minus(&made, &both);
        self.good = bdds.minus(&self.good, &neither);
        for (slot, at) in places {
            let before = self.writes.entry(slot).or_default();
            let at = bdds.and(&at, &made);
            let mut own = Vec::with_capacity(values.len());
            for (value, set) in &values {
                let both = bdds.and(&at, set);
                for earlier in before.iter_mut() {
                    if earlier.turn != assignment.turn {
                        // A later statement's value is the one that counts.
                        earlier.at = bdds.minus(&earlier.at, &both);
                    } else if earlier.value != *value {
                        let quarrel = bdds.and(&both, &earlier.at);
                        self.good = bdds.minus(&self.good, &quarrel);
                    }
                }
                own.push(Assigned { value: *value, at: both, turn: assignment.turn });
            }
            before.extend(own);
        }
        Ok(())
    }
}

fn assigned_type(program: &Program, target: TermId) -> ValueType {
    match &program.terms[target].kind {
        TermKind::Shared(var, _) | TermKind::Local(var, ..) => program.vars[*var].ty,
        _ => unreachable!("the checker lets only variables be assigned"),
    }
}
