//! From the run that a check found to lanes.

use super::{Account, Cell, Family, Lane, Numbering, Reason, Representatives, Run, Step, Trail, Who};
use crate::engine::words::{FamilyWords, Words, families};
use orbitscope_core::draw::{Compact, Glyphs, short_states, tint};
use orbitscope_core::explore::{Changes, Path, change, changes_between};
use orbitscope_core::group::Process;
use orbitscope_core::program::{ActionId, Domain, FamilyId, Program, Slot, Type, VarId};
use orbitscope_core::search::{Lasso, LassoStep, Ledger};
use orbitscope_core::text::LineIndex;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Up to so many processes each have a lane of their own.
const UNFOLDED: u32 = 12;
/// The most lanes that are drawn.
const LANES: usize = 128;
/// A representative is found by looking at every value of a state: a run with more values than this has none.
const EFFORT: usize = 4_000_000;
/// The most entries of a table that stand in a cell.
const ENTRIES: usize = 64;
/// At most this many values of a cell are tinted.
const TINTED: usize = 8;
/// A run with more values than this has no glyphs and no labels.
const GLYPHS: usize = 400_000;
/// At most this many values of a run are kept.
const TRAIL: usize = 20_000;

/// The source of a run.
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
    changes: Cow<'a, [(Slot, i32)]>,
}

/// A row of states: the first one, and what each step changes. Nothing here costs the number of processes for a step.
struct Track<'a> {
    start: &'a [i32],
    changes: Vec<&'a [(Slot, i32)]>,
}

impl Track<'_> {
    /// The states themselves.
    fn states(&self) -> impl Iterator<Item = Vec<i32>> {
        let mut row = self.start.to_vec();
        let later = self.changes.iter().map(move |changes| {
            change(&mut row, changes);
            row.clone()
        });
        [self.start.to_vec()].into_iter().chain(later)
    }

    /// The same, to be kept; none where that would be much.
    fn trail(&self) -> Option<Trail> {
        let changes: usize = self.changes.iter().map(|changes| changes.len()).sum();
        let kept = |changes: &&[(Slot, i32)]| changes.iter().map(|&(slot, value)| (slot.0, value)).collect();
        (self.start.len() + changes <= TRAIL)
            .then(|| Trail { start: self.start.to_vec(), changes: self.changes.iter().map(kept).collect() })
    }

    /// For each slot that changes, in which columns, and to what.
    fn by_slot(&self) -> BTreeMap<Slot, Vec<(u32, i32)>> {
        let mut found: BTreeMap<Slot, Vec<(u32, i32)>> = BTreeMap::new();
        for (column, changes) in (1..).zip(&self.changes) {
            for &(slot, value) in *changes {
                found.entry(slot).or_default().push((column, value));
            }
        }
        found
    }
}

/// The start, the steps, where the loop begins, and how it treats each process.
type Parts<'a> = (&'a [i32], Vec<Move<'a>>, Option<u32>, &'a [Ledger]);

impl<'a> Source<'a> {
    fn parts(self) -> Parts<'a> {
        match self {
            Source::Lasso(lasso, ledger) => {
                let steps = lasso.stem.iter().chain(&lasso.cycle).map(|step| Move {
                    process: step.process,
                    action: step.action.as_ref().map(|(action, arguments)| (*action, arguments.as_slice())),
                    changes: Cow::Borrowed(&step.changes),
                });
                (&lasso.start, steps.collect(), Some(lasso.stem.len() as u32), ledger)
            }
            Source::Path(path) => {
                let steps = path.steps.iter().map(|step| Move {
                    process: Some(step.process),
                    action: Some((step.action, step.arguments.as_slice())),
                    changes: Cow::Borrowed(&step.changes),
                });
                (&path.start, steps.collect(), None, &[])
            }
            Source::Walk(start, steps, back) => {
                let before = [start].into_iter().chain(steps.iter().map(|step| step.values.as_slice()));
                let steps = steps.iter().zip(before).map(|(step, before)| Move {
                    process: step.process,
                    action: step.action.as_ref().map(|(action, arguments)| (*action, arguments.as_slice())),
                    changes: Cow::Owned(changes_between(before, &step.values)),
                });
                (start, steps.collect(), back, &[])
            }
        }
    }
}

impl Run {
    /// The lanes of a run. `numbering` tells the representatives.
    pub fn new(
        program: &Program,
        source: &str,
        run: Source<'_>,
        numbering: Option<&mut Numbering<'_, '_>>,
    ) -> Run {
        let (start, moves, loop_start, ledger) = run.parts();
        let track = Track { start, changes: moves.iter().map(|step| &*step.changes).collect() };
        let cells = Cells::new(program);
        let movers: Vec<Option<Process>> = moves.iter().map(|step| step.process).collect();
        let (lanes, hidden) = cells.lanes(&track, &movers, ledger);
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
        let columns = moves.len() + 1;
        let mut run = Run {
            steps: steps.collect(),
            loop_start,
            families: cells.families(),
            ledger: accounts(&lanes, ledger, loop_start.unwrap_or(0)),
            lanes,
            representatives: None,
            nodes: vec![None; columns],
            hidden,
            glyphs: Vec::new(),
            labels: Vec::new(),
            trail: track.trail(),
        };
        if columns * start.len() <= GLYPHS {
            let glyphs = Glyphs::new(program);
            run.glyphs = track.states().map(|values| glyphs.glyph(&values, &[], None)).collect();
            let states: Vec<Vec<i32>> = track.states().collect();
            run.labels = short_states(program, states.iter().map(Vec::as_slice));
        }
        if let Some(numbering) = numbering.filter(|_| columns * start.len() <= EFFORT) {
            numbering.walk(track.states(), &movers, loop_start);
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
    let changes: Vec<Changes> =
        numbering.flats.windows(2).map(|pair| changes_between(&pair[0], &pair[1])).collect();
    let local: Vec<Option<Process>> = movers
        .iter()
        .zip(&numbering.perms)
        .map(|(mover, perm)| mover.map(|process| perm.inverse().apply(process)))
        .collect();
    let start = numbering.flats.first().map_or(&[][..], Vec::as_slice);
    let track = Track { start, changes: changes.iter().map(Vec::as_slice).collect() };
    let (lanes, _) = cells.lanes(&track, &local, &[]);
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

/// Marks that tell processes apart besides their values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Tag {
    /// The process that has a lane of its own.
    alone: Option<u32>,
    /// How it is treated fairly, by number; one that executes does so in a step of its own.
    account: u32,
}

/// The ranges of processes that are alike, and what their cells tell.
type Group = (Vec<(u32, u32)>, Vec<Cell>);

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

    /// A variable, from its entries.
    fn variable(&self, var: VarId, entries: &[i32]) -> String {
        let ty = self.program.vars[var].ty.ty;
        let show = |&value: &i32| self.program.show_value(ty, value as i64).to_string();
        let shown: Vec<String> = entries.iter().take(ENTRIES).map(show).collect();
        match entries.len() {
            1 => shown.concat(),
            all if all > ENTRIES => format!("[{} … {} more]", shown.join(" "), all - ENTRIES),
            _ => format!("[{}]", shown.join(" ")),
        }
    }

    /// The texts of stretches of values, from the first column on and wherever a value in them changes.
    fn history(
        track: &Track<'_>,
        by_slot: &BTreeMap<Slot, Vec<(u32, i32)>>,
        slots: Range<u32>,
        tell: impl Fn(u32, &[i32]) -> Cell,
    ) -> Vec<Cell> {
        let mut values = track.start[slots.start as usize..slots.end as usize].to_vec();
        let mut changes: Vec<(u32, u32, i32)> = Vec::new();
        for (slot, at) in by_slot.range(Slot(slots.start)..Slot(slots.end)) {
            changes.extend(at.iter().map(|&(column, value)| (column, slot.0 - slots.start, value)));
        }
        changes.sort_unstable();
        let mut cells = vec![tell(0, &values)];
        for step in changes.chunk_by(|a, b| a.0 == b.0) {
            for &(_, offset, value) in step {
                values[offset as usize] = value;
            }
            let now = tell(step[0].0, &values);
            if cells.last().is_none_or(|last| last.text != now.text) {
                cells.push(now);
            }
        }
        cells
    }

    /// The values of one process.
    fn record(&self, family: FamilyId, number: u32) -> Range<u32> {
        let record = self.program.layout.records[family];
        let first = record.first + number * record.stride;
        first..first + record.stride
    }

    /// The cell of a process, from the values of its variables.
    fn local(&self, family: FamilyId, number: u32, from: u32, values: &[i32]) -> Cell {
        let record = self.record(family, number);
        let vars = self.vars[family.0 as usize].iter().map(|&var| {
            let (first, count) = self.program.entries(var, number);
            let offset = (first.0 - record.start) as usize;
            (var, &values[offset..offset + count as usize])
        });
        self.cell(from, &vars.collect::<Vec<_>>())
    }

    /// A cell that tells these variables.
    fn cell(&self, from: u32, vars: &[(VarId, &[i32])]) -> Cell {
        let texts: Vec<String> = vars.iter().map(|&(var, entries)| self.variable(var, entries)).collect();
        let all: usize = vars.iter().map(|(_, entries)| entries.len()).sum();
        let tinted = vars.iter().filter(|_| all <= TINTED);
        let tints = tinted.flat_map(|&(var, entries)| entries.iter().map(move |&value| (var, value)));
        let matrix = match *vars {
            [(var, entries)] => self.matrix(var, entries),
            _ => Vec::new(),
        };
        Cell {
            from,
            text: texts.join(", "),
            tints: tints.map(|(var, value)| tint(self.program, var, value)).collect(),
            matrix,
        }
    }

    /// The rows of a table with two indices, as far as it can be read.
    fn matrix(&self, var: VarId, entries: &[i32]) -> Vec<Vec<String>> {
        let [_, second] = self.program.vars[var].index[..] else { return Vec::new() };
        let width = match second {
            Domain::Family(family) => self.program.families[family].size as usize,
            Domain::Range(low, high) => usize::try_from(high - low + 1).unwrap_or(0),
        };
        if width == 0 || entries.len() > ENTRIES {
            return Vec::new();
        }
        let show = |&value: &i32| {
            let ty = self.program.vars[var].ty.ty;
            match ty {
                Type::Bool => if value == 0 { "·" } else { "1" }.into(),
                _ => self.program.show_value(ty, value.into()).to_string(),
            }
        };
        entries.chunks(width).map(|row| row.iter().map(show).collect()).collect()
    }

    /// The lanes of a row of states, and how many processes have none. Processes that are alike all the time share one
    /// where there are many.
    fn lanes(&self, track: &Track<'_>, movers: &[Option<Process>], ledger: &[Ledger]) -> (Vec<Lane>, u32) {
        let by_slot = track.by_slot();
        let mut lanes: Vec<Lane> = self
            .shared
            .iter()
            .map(|&var| {
                let (first, count) = self.program.entries(var, 0);
                let slots = first.0..first.0 + count;
                Lane {
                    who: Who::Shared,
                    name: self.program.vars[var].name.clone(),
                    count: 0,
                    cells: Self::history(track, &by_slot, slots, |from, values| {
                        self.cell(from, &[(var, values)])
                    }),
                }
            })
            .collect();
        let fold = self.program.process_count() > UNFOLDED;
        let movers: BTreeSet<Process> = movers.iter().flatten().copied().collect();
        let mut hidden = 0;
        for (id, family) in self.program.families.iter_enumerated() {
            let mut groups: Vec<Group> = Vec::new();
            let mut by_history: BTreeMap<(Tag, Vec<i32>), usize> = BTreeMap::new();
            for number in 0..family.size {
                let process = family.first.0 + number;
                let alone = !fold || movers.contains(&Process(process));
                let account = match ledger.get(process as usize) {
                    None => 0,
                    Some(Ledger::NotAsked) => 1,
                    Some(Ledger::NeverEnabled) => 2,
                    Some(Ledger::Executes(_)) => 3,
                    Some(Ledger::Disabled(step)) => 4 + *step,
                };
                let tag = Tag { alone: alone.then_some(process), account };
                let next = groups.len();
                let full = lanes.len() + next >= LANES;
                // Where there is no room, a process that is like no other need not be told from others.
                if full && alone {
                    hidden += 1;
                    continue;
                }
                let key = (tag, key(track, &by_slot, self.record(id, number)));
                let group = match by_history.get(&key) {
                    Some(&group) => group,
                    None if full => {
                        hidden += 1;
                        continue;
                    }
                    None => {
                        by_history.insert(key, next);
                        let tell = |from: u32, values: &[i32]| self.local(id, number, from, values);
                        let slots = self.record(id, number);
                        groups.push((Vec::new(), Self::history(track, &by_slot, slots, tell)));
                        next
                    }
                };
                match groups[group].0.last_mut() {
                    Some((_, end)) if *end == process => *end += 1,
                    _ => groups[group].0.push((process, process + 1)),
                }
            }
            for (ranges, cells) in groups {
                let count = ranges.iter().map(|(from, to)| to - from).sum();
                let name = self.words.set(ranges.iter().map(|&(from, to)| from..to));
                lanes.push(Lane { who: Who::Processes(id.0, ranges), name, count, cells });
            }
        }
        (lanes, hidden)
    }
}

/// The values of a process in all columns: at the beginning, and where they change.
fn key(track: &Track<'_>, by_slot: &BTreeMap<Slot, Vec<(u32, i32)>>, slots: Range<u32>) -> Vec<i32> {
    let mut key = track.start[slots.start as usize..slots.end as usize].to_vec();
    for (slot, at) in by_slot.range(Slot(slots.start)..Slot(slots.end)) {
        for &(column, value) in at {
            key.extend([(slot.0 - slots.start) as i32, column as i32, value]);
        }
    }
    key
}
