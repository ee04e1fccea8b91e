//! The steps of a program as a partitioned relation: a disjunction of parts, each of which speaks only of the slots that
//! it writes. What a part does not write stays, without a word in its diagram.

use super::Unsupported;
use super::encoding::{Encoding, Side};
use super::eval::{Evaluator, Truth};
use crate::bdd::{Bdd, Manager, Substitution, Variable};
use crate::group::Process;
use crate::ids::Id;
use crate::program::{ActionId, Domain, Program, Reg, Slot, TermId, TermKind, ValueType, domain_size};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Parts that write the same slots are joined while they have so many nodes.
const PART_NODES: u32 = 2_000;
/// The processes and arguments of all actions may make so many steps.
const MAX_STEPS: u64 = 500_000;

/// A part of the relation.
#[derive(Clone, Debug)]
pub struct Part {
    /// The slots that it writes.
    pub written: Vec<Slot>,
    /// From which states it leads where: a function of the state and of the written slots' bits in the next one.
    pub relation: Bdd,
    /// The written slots' variables, of the state and of the next one, as cubes.
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
    /// Where a step has an error of the model.
    pub fault: Bdd,
}

/// What is collected while the steps are gone through.
struct Building {
    /// The relation of the steps that write these slots: finished pieces, the last one still growing.
    parts: BTreeMap<Vec<Slot>, Vec<Bdd>>,
    enabled: Vec<Bdd>,
    fault: Bdd,
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
    if count > MAX_STEPS {
        return Err(Unsupported::Steps(count));
    }
    let processes = program.process_count() as usize;
    let mut building =
        Building { parts: BTreeMap::new(), enabled: alloc::vec![Bdd::FALSE; processes], fault: Bdd::FALSE };
    let mut evaluator = Evaluator::new(program, encoding, bdds);
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
    let Building { parts, enabled, fault } = building;
    let bdds = evaluator.bdds;
    let mut finished = Vec::new();
    for (written, relations) in parts {
        let bits = || written.iter().flat_map(|&slot| encoding.field(slot).bits.iter().copied());
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
    Ok(Steps { parts: finished, enabled, fault })
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
    let action = &program.actions[action];
    let Truth { yes, no } = evaluator.truth(action.guard)?;
    let either = evaluator.bdds.or(&yes, &no);
    let undefined = evaluator.bdds.minus(valid, &either);
    let guard = evaluator.bdds.and(&yes, valid);
    building.fault = evaluator.bdds.or(&building.fault, &undefined);
    if guard.is_false() {
        return Ok(());
    }
    // Where all assignments have a place and a value, and no two of them quarrel.
    let mut good = guard.clone();
    // For each slot the values assigned to it, and where.
    let mut writes: BTreeMap<Slot, Vec<(i64, Bdd)>> = BTreeMap::new();
    for assignment in &action.assignments {
        let places = evaluator.places(assignment.target)?;
        let values = evaluator.term(assignment.value)?;
        let ty = assigned_type(program, assignment.target);
        let values: Vec<(i64, Bdd)> =
            values.iter().filter(|(value, _)| ty.contains(*value)).cloned().collect();
        let bdds = &mut *evaluator.bdds;
        let has_place = bdds.or_all(places.iter().map(|(_, at)| at));
        let has_value = bdds.or_all(values.iter().map(|(_, at)| at));
        let both = bdds.and(&has_place, &has_value);
        good = bdds.and(&good, &both);
        for (slot, at) in places {
            let before = writes.entry(slot).or_default();
            let at = bdds.and(&at, &guard);
            let mut own = Vec::with_capacity(values.len());
            for (value, set) in &values {
                let both = bdds.and(&at, set);
                for (_, there) in before.iter().filter(|(other, _)| other != value) {
                    let quarrel = bdds.and(&both, there);
                    good = bdds.minus(&good, &quarrel);
                }
                own.push((*value, both));
            }
            before.extend(own);
        }
    }
    let bdds = &mut *evaluator.bdds;
    let fault = bdds.minus(&guard, &good);
    building.fault = bdds.or(&building.fault, &fault);
    let enabled = &mut building.enabled[process.index()];
    *enabled = bdds.or(enabled, &good);
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
        for (value, at) in &writes[slot] {
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

fn assigned_type(program: &Program, target: TermId) -> ValueType {
    match &program.terms[target].kind {
        TermKind::Shared(var, _) | TermKind::Local(var, ..) => program.vars[*var].ty,
        _ => unreachable!("the checker lets only variables be assigned"),
    }
}
