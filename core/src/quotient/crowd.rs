//! Plain families whose size is left open: how many processes are in a local state is a number, or *many*.
//!
//! A crowd takes its steps by the code of the counting quotient. The program is one with room for more processes than a census
//! ever has; a census is arranged as a representative in which *many* stands for a number that the caller gives, and each step is
//! told as moves of single processes between local states. What the counts are afterwards is the caller's business.

use super::reduction::Reduction;
use super::runs::run_at;
use super::state::{Representative, Run, Seen};
use crate::error::{Classified, ErrorKind};
use crate::group::{Factor, Group, PointSet, Process};
use crate::ids::Id;
use crate::program::{ActionId, Domain, Enumeration, FamilyId, Program, Scratch, Slot, StepFault, Stepper};
use crate::sort::Sort as _;
use crate::symmetry::ProgramSymmetry;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

/// The count that says *many*.
pub const MANY: u32 = u32::MAX;

/// How many processes are where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Census {
    /// The values that are kept one by one. A variable that holds a counted process has 0: that process has its bit.
    pub values: Vec<i32>,
    /// The local states of the processes that are told apart, each with the number of its family.
    pub tracked: Vec<(usize, u64)>,
    /// For each open family its other processes, sorted by local state, the largest first.
    pub runs: Vec<Vec<Run>>,
}

/// Who takes a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doer {
    /// A process of a family that is not open.
    Closed(Process),
    /// The tracked process with this number.
    Tracked(usize),
    /// One of the processes of an open family in a local state.
    One(usize, u64),
}

/// A counted process that takes part in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CrowdMove {
    /// The number of its family.
    pub family: usize,
    /// Its local state before.
    pub from: u64,
    /// Its local state after.
    pub to: u64,
    /// Whether it takes the step; otherwise the step is taken with it.
    pub acts: bool,
}

/// A step of a census.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CrowdStep {
    /// Who takes it.
    pub doer: Doer,
    /// The kept values afterwards.
    pub values: Vec<i32>,
    /// The tracked processes afterwards.
    pub tracked: Vec<(usize, u64)>,
    /// The untracked processes that take part.
    pub moves: Vec<CrowdMove>,
    /// The changes of those that do not: all of a family that are in the first local state go to the second.
    pub carried: Vec<(usize, u64, u64)>,
    /// The action.
    pub action: ActionId,
}

/// Why the steps of a census cannot be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CrowdFault {
    /// The model has an error.
    Step(StepFault),
    /// There are more processes than the program has room for.
    Room,
    /// Like processes do not do alike.
    Irregular,
}

impl fmt::Display for CrowdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrowdFault::Step(fault) => write!(f, "a step may have an error for some size: {fault}"),
            CrowdFault::Room => f.write_str("there are too many local states to count"),
            CrowdFault::Irregular => f.write_str("a step treats like processes differently"),
        }
    }
}

impl core::error::Error for CrowdFault {}

impl Classified for CrowdFault {
    fn kind(&self) -> ErrorKind {
        match self {
            CrowdFault::Step(_) => ErrorKind::Fault,
            CrowdFault::Room => ErrorKind::Limit,
            CrowdFault::Irregular => ErrorKind::Refusal,
        }
    }
}

/// A program some of whose families are open.
#[derive(Clone, Debug)]
pub struct Crowd<'p> {
    reduction: Reduction<'p>,
    stepper: Stepper,
}

impl<'p> Crowd<'p> {
    /// A program with room for the processes of some families. None where one of these cannot be counted: its family is given.
    pub fn new(
        program: &'p Program,
        symmetry: &ProgramSymmetry,
        open: &[FamilyId],
    ) -> Result<Crowd<'p>, FamilyId> {
        let degree = program.process_count();
        let mut factors = Vec::with_capacity(open.len());
        for &id in open {
            let family = &program.families[id];
            let whole = PointSet::range(family.first.0..family.first.0 + family.size);
            let found = symmetry.group.factors().iter();
            let free = found.filter(|f| matches!(f, Factor::Symmetric(_))).any(|f| *f.points() == whole);
            if !free {
                return Err(id);
            }
            factors.push(Factor::Symmetric(whole));
        }
        let Ok(group) = Group::new(degree, factors) else { return Err(open[0]) };
        let reduction = Reduction::new(program, &ProgramSymmetry { group, ..symmetry.clone() });
        for (number, &id) in open.iter().enumerate() {
            if reduction.plain.get(number).is_none_or(|factor| factor.family != id) {
                return Err(id);
            }
        }
        Ok(Crowd { reduction, stepper: Stepper::default() })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.reduction.program()
    }

    /// The open families.
    pub fn families(&self) -> impl Iterator<Item = FamilyId> {
        self.reduction.plain.iter().map(|factor| factor.family)
    }

    /// The number of a family among the open ones.
    pub fn number(&self, family: FamilyId) -> Option<usize> {
        self.families().position(|open| open == family)
    }

    /// How many processes of an open family take part in one step, at most.
    pub fn most_participants(&self, number: usize) -> u32 {
        let program = self.program();
        let family = Domain::Family(self.reduction.plain[number].family);
        let taking = program.actions.iter().map(|action| {
            let domains = [Domain::Family(action.family)].into_iter();
            domains.chain(action.params.iter().map(|p| p.domain)).filter(|domain| *domain == family).count()
        });
        taking.max().unwrap_or(0) as u32
    }

    /// A variable that holds a process of an open family, and may hold any at the start.
    pub fn starts_anywhere(&self) -> Option<Slot> {
        let initial = &self.program().initial;
        let pointers = self.reduction.plain.iter().flat_map(|factor| &factor.local.pointers);
        pointers.map(|pointer| Slot(pointer.slot)).find(|slot| initial.any.contains(slot))
    }

    /// The values that are kept one by one, of each initial state; none where there are more than `most`.
    pub fn initial_values(&self, most: usize) -> Option<Vec<Vec<i32>>> {
        let program = self.program();
        let mut all: Vec<Vec<i32>> = alloc::vec![Vec::new()];
        for slot in self.reduction.slots.kept().flatten() {
            let slot = Slot(slot);
            let values: Vec<i32> = if program.initial.any.contains(&slot) {
                let ty = program.vars[program.var_of(slot)].ty;
                if ty.size > most as u64 {
                    return None;
                }
                (ty.low..).take(ty.size as usize).collect()
            } else {
                alloc::vec![program.initial.values[slot.index()]]
            };
            if all.len().checked_mul(values.len())? > most {
                return None;
            }
            all = all.iter().flat_map(|row| values.iter().map(move |&v| extended(row, v))).collect();
        }
        Some(all)
    }

    /// The initial local states of an open family, in order; none where there are more than `most`.
    pub fn initial_codes(&self, number: usize, most: usize) -> Option<Vec<u64>> {
        let program = self.program();
        let local = &self.reduction.plain[number].local;
        let mut codes = alloc::vec![local.read(&program.initial.values, 0)];
        for (field, slot) in local.own_slots() {
            let slot = Slot(slot);
            if !program.initial.any.contains(&slot) {
                continue;
            }
            let ty = program.vars[program.var_of(slot)].ty;
            if ty.size.checked_mul(codes.len() as u64)? > most as u64 {
                return None;
            }
            codes = codes
                .iter()
                .flat_map(|&code| {
                    (ty.low..)
                        .take(ty.size as usize)
                        .map(move |value| self.reduction.plain[number].local.with_value(code, field, value))
                })
                .collect();
        }
        codes.arrange();
        codes.dedup();
        Some(codes)
    }

    /// The census of a state of the program; no process is tracked.
    pub fn census(&self, flat: &[i32]) -> Census {
        let kept = self.reduction.slots.kept().flatten();
        let mut values: Vec<i32> = kept.map(|slot| flat[slot as usize]).collect();
        self.reduction.forget_held(&mut values);
        let counted = self.reduction.plain.iter().map(|factor| {
            let first = self.program().families[factor.family].first.0;
            let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
            for process in factor.points.iter() {
                *counts.entry(factor.local.read(flat, process.0 - first)).or_default() += 1;
            }
            counts.into_iter().rev().map(|(code, count)| Run { code, count }).collect()
        });
        let runs = counted.collect();
        Census { values, tracked: Vec::new(), runs }
    }

    /// A census as a representative, in which `many[f]` stands for *many* of family f, and where its tracked processes are. None where
    /// the program has no room for it.
    pub fn arrange(&self, census: &Census, many: &[u32]) -> Option<(Representative, Vec<Process>)> {
        let mut runs: Vec<Vec<Run>> = census.runs.clone();
        for (number, own) in runs.iter_mut().enumerate() {
            for run in own.iter_mut().filter(|run| run.count == MANY) {
                run.count = many[number];
            }
            for &(_, code) in census.tracked.iter().filter(|(family, _)| *family == number) {
                let at = own.partition_point(|run| run.code > code);
                match own.get_mut(at) {
                    Some(run) if run.code == code => run.count += 1,
                    _ => own.insert(at, Run { code, count: 1 }),
                }
            }
            let total = own.iter().try_fold(0u32, |sum, run| sum.checked_add(run.count))?;
            if total > self.reduction.plain[number].points.len() {
                return None;
            }
        }
        let mut tracked: Vec<Process> = Vec::with_capacity(census.tracked.len());
        for (k, place) in census.tracked.iter().enumerate() {
            let before = census.tracked[..k].iter().filter(|other| *other == place).count() as u32;
            let ahead = runs[place.0].iter().take_while(|run| run.code > place.1).map(|run| run.count);
            tracked.push(self.reduction.plain[place.0].points.nth(ahead.sum::<u32>() + before)?);
        }
        let mut values = census.values.clone();
        self.reduction.point(&mut values, |number| &runs[number]);
        Some((Representative { values, runs }, tracked))
    }

    /// An arranged census as code sees it.
    pub fn see<'a>(&'a self, state: &'a Representative, tracked: &'a [Process]) -> Seen<'a> {
        self.reduction.see(state, tracked)
    }

    /// The steps of an arranged census, of like ones one.
    pub fn steps(
        &mut self,
        state: &Representative,
        tracked: &[Process],
    ) -> Result<Vec<CrowdStep>, CrowdFault> {
        let Crowd { reduction, stepper } = self;
        let mut steps: Vec<CrowdStep> = Vec::new();
        let mut irregular = false;
        let view = reduction.see(state, tracked);
        let _ = stepper
            .steps(reduction.program(), &view, Enumeration::Orbits, &mut |step| {
                let changed = reduction.changed(state, step.writes);
                let teller = Teller { reduction, state, tracked };
                match teller.tell(step.process, step.action, step.arguments, &changed) {
                    Some(told) => steps.push(told),
                    None => irregular = true,
                }
                ControlFlow::Continue(())
            })
            .map_err(CrowdFault::Step)?;
        if irregular { Err(CrowdFault::Irregular) } else { Ok(steps) }
    }

    /// Whether an arranged census without steps has some that lead out of what is assumed.
    pub fn is_cut_off(&mut self, state: &Representative, tracked: &[Process]) -> bool {
        let Crowd { reduction, stepper } = self;
        stepper.is_cut_off(reduction.program(), &reduction.see(state, tracked))
    }

    /// Whether an arranged census is one that is looked at. Where that cannot be evaluated it is, and the error is one of its steps.
    pub fn is_assumed(&self, state: &Representative, tracked: &[Process]) -> bool {
        let view = self.reduction.see(state, tracked);
        self.program().assumes(&view, &mut Scratch::default()).unwrap_or(true)
    }

    /// A local state in words, such as `st=I`.
    pub fn show_code(&self, number: usize, code: u64) -> String {
        let program = self.program();
        let factor = &self.reduction.plain[number];
        let mut words: Vec<String> = Vec::new();
        for (field, slot) in factor.local.own_slots() {
            let var = program.var_of(Slot(slot));
            let value = program.show_value(program.vars[var].ty.ty, factor.local.value(code, field).into());
            words.push(format!("{}={value}", program.vars[var].name));
        }
        for pointer in factor.local.pointing(code) {
            let var = program.var_of(Slot(pointer.slot));
            words.push(format!("in {}", program.vars[var].name));
        }
        words.join(" ")
    }

    /// The kept values in words, such as `turn=server_turn`.
    pub fn show_values(&self, values: &[i32]) -> String {
        let program = self.program();
        let mut words: Vec<String> = Vec::new();
        for (slot, &value) in self.reduction.slots.kept().flatten().zip(values) {
            let var = program.var_of(Slot(slot));
            let held = self.reduction.slots.pointers().iter().any(|(_, p)| p.slot == slot) && value >= 0;
            let shown = program.show_value(program.vars[var].ty.ty, value.into());
            let shown = if held { "some".into() } else { shown.to_string() };
            let owner = program.owner_of(Slot(slot));
            let owner = owner.map_or_else(String::new, |p| program.process_name(p) + ".");
            words.push(format!("{owner}{}={shown}", program.vars[var].name));
        }
        words.join(" ")
    }
}

fn extended(row: &[i32], value: i32) -> Vec<i32> {
    let mut longer = row.to_vec();
    longer.push(value);
    longer
}

/// Tells a step as moves.
struct Teller<'a> {
    reduction: &'a Reduction<'a>,
    state: &'a Representative,
    tracked: &'a [Process],
}

impl Teller<'_> {
    /// The number of the open family and the position of a process.
    fn place(&self, process: Process) -> Option<(usize, u32)> {
        let plain = self.reduction.plain.iter().enumerate();
        plain.into_iter().find_map(|(number, factor)| Some((number, factor.points.position(process)?)))
    }

    fn code(&self, (number, position): (usize, u32)) -> u64 {
        run_at(self.state.runs[number].iter().copied(), position).0.code
    }

    /// None where like processes that do not take part change in different ways.
    fn tell(
        &self,
        process: Process,
        action: ActionId,
        arguments: &[i64],
        changed: &super::changed::Changed,
    ) -> Option<CrowdStep> {
        let program = self.reduction.program();
        let mut involved: Vec<(usize, u32)> = self.place(process).into_iter().collect();
        for (param, &value) in program.actions[action].params.iter().zip(arguments) {
            if let Domain::Family(family) = param.domain
                && let Ok(index) = u32::try_from(value)
            {
                involved.extend(self.place(program.process(family, index)));
            }
        }
        let actor = self.place(process);
        let tracked: Vec<(usize, u32)> = self.tracked.iter().filter_map(|&p| self.place(p)).collect();
        let doer = match actor {
            None => Doer::Closed(process),
            Some(place) => match tracked.iter().position(|&t| t == place) {
                Some(k) => Doer::Tracked(k),
                None => Doer::One(place.0, self.code(place)),
            },
        };
        involved.arrange();
        involved.dedup();
        let now = |place: (usize, u32)| {
            let single = changed.plain.iter().find(|c| (c.0, c.1) == place).map(|c| c.2);
            let inside = |s: &&(usize, u32, u32, u64)| s.0 == place.0 && (s.1..s.1 + s.2).contains(&place.1);
            let together = || changed.stretches.iter().find(inside).map(|s| s.3);
            single.or_else(together).unwrap_or_else(|| self.code(place))
        };
        let mut moves: Vec<CrowdMove> = involved
            .iter()
            .filter(|place| !tracked.contains(place))
            .map(|&place| CrowdMove {
                family: place.0,
                from: self.code(place),
                to: now(place),
                acts: Some(place) == actor,
            })
            .collect();
        moves.arrange();
        let told: Vec<(usize, u32)> = tracked.iter().chain(&involved).copied().collect();
        let carried = self.carried(changed, &told)?;
        let mut values = changed.values.clone();
        self.reduction.forget_held(&mut values);
        let tracked = tracked.iter().map(|&place| (place.0, now(place))).collect();
        Some(CrowdStep { doer, values, tracked, moves, carried, action })
    }

    /// The changes of the processes that are not told one by one.
    fn carried(
        &self,
        changed: &super::changed::Changed,
        told: &[(usize, u32)],
    ) -> Option<Vec<(usize, u64, u64)>> {
        // How many of each local state change to which.
        let mut carried: Vec<((usize, u64, u64), u32)> = Vec::new();
        let mut note = |number: usize, position: u32, count: u32, to: u64| {
            let from = self.code((number, position));
            let inside = |t: &&(usize, u32)| t.0 == number && (position..position + count).contains(&t.1);
            let mut one_by_one: Vec<_> = told.iter().filter(inside).collect();
            one_by_one.arrange();
            one_by_one.dedup();
            let count = count - one_by_one.len() as u32;
            match carried.iter_mut().find(|(key, _)| *key == (number, from, to)) {
                Some((_, sum)) => *sum += count,
                None => carried.push(((number, from, to), count)),
            }
        };
        for &(number, position, to) in &changed.plain {
            note(number, position, 1, to);
        }
        for &(number, position, count, to) in &changed.stretches {
            note(number, position, count, to);
        }
        carried.retain(|&((_, from, to), count)| count > 0 && from != to);
        carried.arrange();
        for &((number, from, _), count) in &carried {
            let all = self.state.runs[number].iter().find(|run| run.code == from).map_or(0, |run| run.count);
            let mut apart: Vec<_> = told.iter().filter(|t| t.0 == number && self.code(**t) == from).collect();
            apart.arrange();
            apart.dedup();
            if count + apart.len() as u32 != all {
                return None;
            }
        }
        Some(carried.into_iter().map(|(key, _)| key).collect())
    }
}
