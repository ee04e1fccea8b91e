//! From the run that a check found to lanes.

use super::{Account, Family, Lane, Numbering, Reason, Representatives, Run, Step, Who};
use crate::engine::words::{FamilyWords, Words, families};
use orbitscope_core::draw::Compact;
use orbitscope_core::explore::{Path, states_along};
use orbitscope_core::group::Process;
use orbitscope_core::program::{ActionId, FamilyId, Program, VarId};
use orbitscope_core::search::{Lasso, LassoStep, Ledger};
use orbitscope_core::text::LineIndex;
use std::collections::BTreeMap;

/// Up to so many processes each have a lane of their own.
const UNFOLDED: u32 = 12;
/// So many lanes are drawn.
const LANES: usize = 128;

/// What a run is made from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A stem and a loop, with how each process is treated fairly.
    Lasso(&'a Lasso, &'a [Ledger]),
    /// A path to a state: one that violates an invariant, or in which nothing can move.
    Path(&'a Path),
    /// A path from a state that shows something of branching time, and the state that its last step leads back to.
    Walk(&'a [i32], &'a [LassoStep], Option<u32>),
}

/// A step of any of these.
struct Move<'a> {
    process: Option<Process>,
    action: Option<(ActionId, &'a [i64])>,
    values: Vec<i32>,
}

impl Run {
    /// The lanes of a run. `numbering` tells the representatives.
    pub fn new(
        program: &Program,
        source: &str,
        run: Source<'_>,
        numbering: Option<&mut Numbering<'_, '_>>,
    ) -> Run {
        let (start, moves, loop_start, ledger) = match run {
            Source::Lasso(lasso, ledger) => {
                let steps = || lasso.stem.iter().chain(&lasso.cycle);
                let states = states_along(&lasso.start, steps().map(|step| &step.changes));
                let steps = steps().zip(states).map(|(step, values)| Move {
                    process: step.process,
                    action: step.action.as_ref().map(|(action, arguments)| (*action, arguments.as_slice())),
                    values,
                });
                (lasso.start.as_slice(), steps.collect::<Vec<_>>(), Some(lasso.stem.len() as u32), ledger)
            }
            Source::Path(path) => {
                let steps = path.steps.iter().zip(path.states()).map(|(step, values)| Move {
                    process: Some(step.process),
                    action: Some((step.action, step.arguments.as_slice())),
                    values,
                });
                (path.start.as_slice(), steps.collect(), None, &[][..])
            }
            Source::Walk(start, steps, back) => {
                let steps = steps.iter().map(|step| Move {
                    process: step.process,
                    action: step.action.as_ref().map(|(action, arguments)| (*action, arguments.as_slice())),
                    values: step.values.clone(),
                });
                (start, steps.collect(), back, &[][..])
            }
        };
        let columns: Vec<&[i32]> =
            [start].into_iter().chain(moves.iter().map(|m| m.values.as_slice())).collect();
        let cells = Cells::new(program);
        let movers: Vec<Process> = moves.iter().filter_map(|step| step.process).collect();
        let (lanes, hidden) = cells.lanes(&columns, &movers, ledger);
        let lane_of = lane_index(&lanes);
        let lines = LineIndex::new(source);
        let steps = moves.iter().map(|step| Step {
            words: match (step.process, step.action) {
                (Some(process), Some((action, arguments))) => program.show_step(process, action, arguments),
                _ => "nothing can move: the state repeats".into(),
            },
            action: step.action.map_or_else(String::new, |(action, arguments)| {
                let arguments = program.argument_names(action, arguments);
                let name = &program.actions[action].name;
                if arguments.is_empty() { name.clone() } else { format!("{name}({})", arguments.join(", ")) }
            }),
            line: step.action.map(|(action, _)| lines.position(program.actions[action].span.start).line),
            process: step.process.map(|process| process.0),
            lane: step.process.and_then(|process| lane_of(process.0)),
        });
        let mut run = Run {
            steps: steps.collect(),
            loop_start,
            families: cells.families(),
            ledger: accounts(&lanes, ledger, loop_start.unwrap_or(0)),
            lanes,
            representatives: None,
            nodes: vec![None; columns.len()],
            hidden,
        };
        if let Some(numbering) = numbering {
            let movers: Vec<Option<Process>> = moves.iter().map(|step| step.process).collect();
            numbering.walk(&columns, &movers, loop_start);
            run.nodes.clone_from(&numbering.nodes);
            run.representatives = Some(representatives(&cells, numbering, &movers));
        }
        run
    }
}

fn representatives(
    cells: &Cells<'_>,
    numbering: &Numbering<'_, '_>,
    movers: &[Option<Process>],
) -> Representatives {
    let columns: Vec<&[i32]> = numbering.flats.iter().map(Vec::as_slice).collect();
    let local: Vec<Option<Process>> = movers
        .iter()
        .zip(&numbering.perms)
        .map(|(mover, perm)| mover.map(|process| perm.inverse().apply(process)))
        .collect();
    let known: Vec<Process> = local.iter().flatten().copied().collect();
    let (lanes, _) = cells.lanes(&columns, &known, &[]);
    let lane_of = lane_index(&lanes);
    let turn = |pair: &[orbitscope_core::group::Perm]| {
        let turn = pair[1].inverse().compose(&pair[0]);
        if turn.is_identity() { String::new() } else { cells.words.perm(&turn) }
    };
    Representatives {
        states: numbering.states.clone(),
        movers: local.iter().map(|mover| lane_of((*mover)?.0)).collect(),
        turns: numbering.perms.windows(2).map(turn).collect(),
        lanes,
    }
}

fn lane_index(lanes: &[Lane]) -> impl Fn(u32) -> Option<u32> + use<> {
    let mut starts: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (number, lane) in (0..).zip(lanes) {
        if let Who::Processes(_, ranges) = &lane.who {
            starts.extend(ranges.iter().map(|&(from, to)| (from, (to, number))));
        }
    }
    move |process| {
        let (_, &(end, lane)) = starts.range(..=process).next_back()?;
        (process < end).then_some(lane)
    }
}

fn accounts(lanes: &[Lane], ledger: &[Ledger], loop_start: u32) -> Vec<Account> {
    let account = |(number, lane): (u32, &Lane)| {
        let Who::Processes(_, ranges) = &lane.who else { return None };
        let (reason, step) = match ledger.get(ranges.first()?.0 as usize)? {
            Ledger::NotAsked => (Reason::NotAsked, None),
            Ledger::Executes(step) => (Reason::Executes, Some(loop_start + step)),
            Ledger::Disabled(step) => (Reason::Disabled, Some(loop_start + step)),
            Ledger::NeverEnabled => (Reason::NeverEnabled, None),
        };
        Some(Account { lane: number, reason, step })
    };
    (0..).zip(lanes).filter_map(account).collect()
}

/// The ranges of processes that are alike, and what their cells tell.
type Group = (Vec<(u32, u32)>, Vec<(u32, String)>);

/// How states are told in cells.
struct Cells<'p> {
    program: &'p Program,
    words: Words,
    /// The variables of each family that some action assigns; all of them where none is assigned.
    vars: Vec<Vec<VarId>>,
    shared: Vec<VarId>,
}

impl<'p> Cells<'p> {
    fn new(program: &'p Program) -> Self {
        let compact = Compact::new(program);
        let changing = |vars: &[VarId]| vars.iter().copied().filter(|&v| compact.is_changing(v)).collect();
        let all: Vec<VarId> = program.vars.ids().filter(|&var| program.vars[var].owner.is_none()).collect();
        Cells {
            program,
            words: Words { families: families(program), ..Words::default() },
            vars: program.families.iter().map(|family| changing(&family.vars)).collect(),
            shared: changing(&all),
        }
    }

    fn families(&self) -> Vec<Family> {
        let names = |vars: &Vec<VarId>| vars.iter().map(|&v| self.program.vars[v].name.clone()).collect();
        let family =
            |(family, vars): (&FamilyWords, _)| Family { name: family.name.clone(), vars: names(vars) };
        self.words.families.iter().zip(&self.vars).map(family).collect()
    }

    fn variable(&self, var: VarId, process: u32, values: &[i32]) -> String {
        let (first, count) = self.program.entries(var, process);
        let ty = self.program.vars[var].ty.ty;
        let slots = &values[first.0 as usize..(first.0 + count) as usize];
        let shown: Vec<String> =
            slots.iter().map(|&value| self.program.show_value(ty, value as i64).to_string()).collect();
        if count == 1 { shown.concat() } else { format!("[{}]", shown.join(" ")) }
    }

    fn local(&self, family: FamilyId, process: u32, values: &[i32]) -> String {
        let vars = &self.vars[family.0 as usize];
        vars.iter().map(|&var| self.variable(var, process, values)).collect::<Vec<_>>().join(", ")
    }

    /// The lanes of a row of states, and how many processes have none. Processes that are alike all the time share one
    /// where there are many.
    fn lanes(&self, columns: &[&[i32]], movers: &[Process], ledger: &[Ledger]) -> (Vec<Lane>, u32) {
        let mut lanes: Vec<Lane> = self
            .shared
            .iter()
            .map(|&var| Lane {
                who: Who::Shared,
                name: self.program.vars[var].name.clone(),
                count: 0,
                cells: history(columns.iter().map(|values| self.variable(var, 0, values))),
            })
            .collect();
        let fold = self.program.process_count() > UNFOLDED;
        let mut hidden = 0;
        for (id, family) in self.program.families.iter_enumerated() {
            let mut groups: Vec<Group> = Vec::new();
            let mut by_history: BTreeMap<(Vec<i32>, Vec<i32>), usize> = BTreeMap::new();
            for number in 0..family.size {
                let process = family.first.0 + number;
                let key = self.key(id, number, columns);
                let alone = !fold || movers.contains(&Process(process));
                let account = match ledger.get(process as usize) {
                    Some(Ledger::Disabled(step)) => 4 + *step as i32,
                    Some(Ledger::NotAsked) => 1,
                    Some(Ledger::NeverEnabled) => 2,
                    Some(Ledger::Executes(_)) => 3,
                    None => 0,
                };
                let tag = vec![account, if alone { 1 + process as i32 } else { 0 }];
                let next = groups.len();
                let group = *by_history.entry((tag, key)).or_insert(next);
                if group == next {
                    let cells = columns.iter().map(|values| self.local(id, number, values));
                    groups.push((Vec::new(), history(cells)));
                }
                match groups[group].0.last_mut() {
                    Some((_, end)) if *end == process => *end += 1,
                    _ => groups[group].0.push((process, process + 1)),
                }
            }
            for (ranges, cells) in groups {
                let count = ranges.iter().map(|(from, to)| to - from).sum();
                if lanes.len() >= LANES {
                    hidden += count;
                    continue;
                }
                let name = self.words.set(ranges.iter().map(|&(from, to)| from..to));
                lanes.push(Lane { who: Who::Processes(id.0, ranges), name, count, cells });
            }
        }
        (lanes, hidden)
    }

    /// The values of a process in all columns: at the beginning, and where they change.
    fn key(&self, family: FamilyId, number: u32, columns: &[&[i32]]) -> Vec<i32> {
        let record = self.program.layout.records[family];
        let first = (record.first + number * record.stride) as usize;
        let slots = first..first + record.stride as usize;
        let mut key = Vec::new();
        let mut before: &[i32] = &[];
        for (column, values) in (0..).zip(columns) {
            let now = &values[slots.clone()];
            if now != before {
                key.push(column);
                key.extend_from_slice(now);
            }
            before = now;
        }
        key
    }
}

fn history(values: impl Iterator<Item = String>) -> Vec<(u32, String)> {
    let mut cells: Vec<(u32, String)> = Vec::new();
    for (column, text) in (0..).zip(values) {
        if cells.last().is_none_or(|(_, last)| *last != text) {
            cells.push((column, text));
        }
    }
    cells
}
