//! One state looked at closely: its values, what differs from the one before, its steps, its orbit, and what is watched.

use super::choices::Choices;
use super::condition::{Condition, Watch, Watched};
use super::film::Studio;
use super::model::{CheckedModel, Question};
use super::orbit;
use super::picture::GraphKind;
use super::run::Trail;
use super::steps::{Offered, offered};
use super::words::{Words, families};
use orbitscope_core::draw::{short_states, tint};
use orbitscope_core::program::{FamilyId, Program, VarId};
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// At most this many rows of values are listed.
const ROWS: usize = 200;
/// At most this many entries of a table are written.
const ENTRIES: usize = 64;
/// At most this many digits of an orbit's size are written.
const DIGITS: usize = 40;
/// Watched expressions are evaluated in at most this many states along a run.
const WATCHED: usize = 4_000;

/// Which state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spot {
    /// The state of a node of a graph, or its representative.
    Node(GraphKind, u32),
    /// The state in this column of a run.
    Column(Trail, u32),
}

/// A value of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The variable.
    pub name: String,
    /// Its value, in words.
    pub text: String,
    /// Its value in the state before, where that was another one.
    pub before: Option<String>,
    /// Its tint, as glyphs have it; none for tables.
    pub tint: Option<u8>,
}

/// Processes with the same values, or a shared variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The processes; empty for shared variables.
    pub who: String,
    /// Their values.
    pub values: Vec<Value>,
}

/// A state as the inspector shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// The shared variables, then the processes; those with the same values are one row.
    pub rows: Vec<Row>,
    /// How many rows more there are.
    pub more_rows: u32,
    /// The steps that can be taken.
    pub steps: Offered,
    /// How many states are like this one; none where no symmetry is used, or it is not known.
    pub orbit: Option<String>,
    /// The permutation that takes the representative to this state; empty where this state is the representative.
    pub perm: String,
    /// The representative, as the lines of a node.
    pub representative: Vec<String>,
    /// The values of the watched expressions in each state along the run, or in this one; or the error in an expression.
    pub watches: Vec<Result<Vec<Watched>, String>>,
}

/// Looks at a state.
pub(super) fn inspect<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    choices: Choices,
    question: &Question,
    spot: &Spot,
    watches: &[String],
) -> Result<Inspected, String> {
    let program = &model.program;
    let (along, at) = match spot {
        Spot::Node(of, node) => {
            let values = orbit::values(model, studio, *of, *node, choices);
            (vec![values.ok_or("The values of this node's state are not kept.")?], 0)
        }
        Spot::Column(trail, column) => {
            let slots = program.layout.slots;
            let sound = trail.start.len() == slots as usize
                && trail.changes.iter().flatten().all(|&(slot, _)| slot < slots)
                && *column as usize <= trail.changes.len();
            if !sound {
                return Err("This run is of another model.".into());
            }
            (trail.states().take(WATCHED.max(*column as usize + 1)).collect(), *column as usize)
        }
    };
    let now: &[i32] = &along[at];
    let before = at.checked_sub(1).map(|before| along[before].as_slice());
    let (rows, more_rows) = rows(program, now, before);
    let symmetry = choices.symmetry_of(model);
    let mut aqs = Aqs::without_roots(program, &symmetry, Prune::None, EdgeStorage::Recomputed);
    let (id, perm) = aqs.enter(now);
    let words = Words { families: families(program), ..Words::default() };
    let orbit = symmetry.group.order().over(&aqs.stabiliser(id).order(), DIGITS);
    let representative = aqs.flat(id);
    let watched = |words: &String| {
        let watch = Watch::new(question, program, words)?;
        Ok(along.iter().map(|values| watch.at(values)).collect())
    };
    Ok(Inspected {
        rows,
        more_rows,
        steps: offered(model, choices, now),
        orbit: orbit.filter(|_| choices.symmetry),
        perm: if representative == now { String::new() } else { words.perm(&perm) },
        representative: short_states(program, [representative.as_slice()]).concat(),
        watches: watches.iter().map(watched).collect(),
    })
}

/// The values of a state, like processes together.
fn rows(program: &Program, now: &[i32], before: Option<&[i32]>) -> (Vec<Row>, u32) {
    let value = |var: VarId, process: u32| {
        let (first, count) = program.entries(var, process);
        let (from, to) = (first.0 as usize, (first.0 + count) as usize);
        let text = |values: &[i32]| written(program, var, &values[from..to]);
        Value {
            name: program.vars[var].name.clone(),
            text: text(now),
            before: before.filter(|before| before[from..to] != now[from..to]).map(text),
            tint: (count == 1).then(|| tint(program, var, now[from])),
        }
    };
    let shared = program.vars.ids().filter(|&var| program.vars[var].owner.is_none());
    let mut rows: Vec<Row> =
        shared.map(|var| Row { who: String::new(), values: vec![value(var, 0)] }).collect();
    let words = Words { families: families(program), ..Words::default() };
    for (id, family) in program.families.iter_enumerated() {
        let mut like: BTreeMap<(&[i32], &[i32]), usize> = BTreeMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for number in 0..family.size {
            let slots = record(program, id, number);
            let old = before.map_or(&[][..], |before| &before[slots.clone()]);
            let next = groups.len();
            let group = *like.entry((&now[slots], old)).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push(number);
        }
        for group in groups {
            let ranges = group.iter().map(|&number| family.first.0 + number).map(|p| p..p + 1);
            let values = family.vars.iter().map(|&var| value(var, group[0])).collect();
            rows.push(Row { who: words.set(joined(ranges)), values });
        }
    }
    let more = rows.len().saturating_sub(ROWS) as u32;
    rows.truncate(ROWS);
    (rows, more)
}

/// Where the values of a process are.
fn record(program: &Program, family: FamilyId, number: u32) -> std::ops::Range<usize> {
    let record = program.layout.records[family];
    let first = (record.first + number * record.stride) as usize;
    first..first + record.stride as usize
}

/// Ranges that follow each other as one.
fn joined(ranges: impl Iterator<Item = std::ops::Range<u32>>) -> Vec<std::ops::Range<u32>> {
    let mut found: Vec<std::ops::Range<u32>> = Vec::new();
    for range in ranges {
        match found.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => found.push(range),
        }
    }
    found
}

fn written(program: &Program, var: VarId, entries: &[i32]) -> String {
    let ty = program.vars[var].ty.ty;
    let show = |&value: &i32| program.show_value(ty, value.into()).to_string();
    let shown: Vec<String> = entries.iter().take(ENTRIES).map(show).collect();
    match entries.len() {
        1 => shown.concat(),
        all if all > ENTRIES => format!("[{} … {} more]", shown.join(" "), all - ENTRIES),
        _ => format!("[{}]", shown.join(" ")),
    }
}

/// The first nodes of a graph in whose states a condition holds.
pub(super) fn find<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    choices: Choices,
    question: &Question,
    (of, count): (GraphKind, u32),
    words: &str,
) -> Result<Vec<u32>, String> {
    let condition = Condition::new(question, &model.program, words)?;
    let states = orbit::values_of(model, studio, of, 0..count, choices)
        .ok_or("The states of this graph's nodes are not kept: choose another graph.")?;
    let mut found = Vec::new();
    for (node, values) in (0..).zip(&states) {
        if condition.holds(values)? {
            found.push(node);
        }
    }
    Ok(found)
}
