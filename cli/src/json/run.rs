//! Runs, and who is treated fairly in them.

use super::{State, Value};
use orbitscope_core::check;
use orbitscope_core::explore::{Path, change, changes_between};
use orbitscope_core::group::Process;
use orbitscope_core::program::{Program, Slot};
use orbitscope_core::search::{self, LassoStep, RunStep};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// States with more values than this are not written out, unless that is asked for: steps then have what they change.
const LARGE_STATE: u32 = 10_000;

/// Whether every state of a run is written out.
#[derive(Clone, Copy)]
pub(crate) struct Whole(bool);

impl Whole {
    pub(crate) fn new(program: &Program, asked: bool) -> Whole {
        Whole(asked || program.layout.slots <= LARGE_STATE)
    }
}

/// The steps of a path; the first has no process or action, only the initial state.
pub(crate) struct Steps<'a> {
    program: &'a Program,
    whole: Whole,
    /// The state before the first step.
    before: Vec<i32>,
    with_start: bool,
    list: Vec<RunStep>,
}

impl<'a> Steps<'a> {
    fn state<'s>(&'s self, values: &'s [i32]) -> Option<State<'s>> {
        let program = self.program;
        self.whole.0.then_some(State { program, values })
    }

    /// Steps from a state, without that state.
    pub(crate) fn of_walk(program: &'a Program, before: &[i32], steps: &[LassoStep]) -> Self {
        let mut last = before;
        let list = steps.iter().map(|step| {
            let changes = changes_between(last, &step.values);
            last = &step.values;
            RunStep { process: step.process, action: step.action.clone(), changes }
        });
        let list = list.collect();
        Steps { program, whole: Whole(true), before: before.to_vec(), with_start: false, list }
    }

    pub(crate) fn of_path(program: &'a Program, path: &Path, whole: Whole) -> Self {
        let steps = path.steps.iter().map(|step| RunStep {
            process: Some(step.process),
            action: Some((step.action, step.arguments.clone())),
            changes: step.changes.clone(),
        });
        Steps { program, whole, before: path.start.clone(), with_start: true, list: steps.collect() }
    }
}

#[derive(Serialize)]
struct Step<'a> {
    process: Option<String>,
    action: Option<&'a str>,
    args: Vec<String>,
    state: Option<State<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change<'a>>>,
}

/// A variable that a step changes.
#[derive(Serialize)]
struct Change<'a> {
    variable: String,
    value: Value<'a>,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Steps { program, whole: Whole(whole), before, with_start, list: steps } = self;
        let mut list = serializer.serialize_seq(Some(steps.len() + usize::from(*with_start)))?;
        let mut values = before.clone();
        let changes = |changes: &[(Slot, i32)]| {
            let named = changes.iter().map(|&(slot, value)| Change {
                variable: program.show_slot(slot),
                value: Value { program, slot, value },
            });
            (!whole).then(|| named.collect())
        };
        if *with_start {
            let (state, changes) = (self.state(&values), changes(&[]));
            list.serialize_element(&Step { process: None, action: None, args: Vec::new(), state, changes })?;
        }
        for step in steps {
            change(&mut values, &step.changes);
            let action = step.action.as_ref();
            list.serialize_element(&Step {
                process: step.process.map(|process| program.process_name(process)),
                action: action.map(|(action, _)| program.actions[*action].name.as_str()),
                args: action.map_or_else(Vec::new, |(action, list)| program.argument_names(*action, list)),
                state: self.state(&values),
                changes: changes(&step.changes),
            })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
pub(crate) struct Lasso<'a> {
    prefix: Steps<'a>,
    cycle: Steps<'a>,
}

impl<'a> Lasso<'a> {
    pub(crate) fn new(program: &'a Program, lasso: &search::Lasso, whole: Whole) -> Self {
        let steps = |before, with_start, list| Steps { program, whole, before, with_start, list };
        Lasso {
            prefix: steps(lasso.start.clone(), true, lasso.stem.clone()),
            cycle: steps(lasso.entry(), false, lasso.cycle.clone()),
        }
    }
}

/// For each process how the loop treats it fairly; where states are not written out, neighbours that are treated alike are
/// one entry.
pub(crate) struct Ledgers<'a> {
    program: &'a Program,
    whole: Whole,
    entries: &'a [search::Ledger],
}

impl<'a> Ledgers<'a> {
    pub(crate) fn new(program: &'a Program, entries: &'a [search::Ledger], whole: Whole) -> Self {
        Ledgers { program, whole, entries }
    }
}

#[derive(Serialize)]
struct Entry {
    process: String,
    /// The last of several processes that the entry is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    because: &'static str,
    /// A step of the loop, counted from 0.
    step: Option<u32>,
}

impl Serialize for Ledgers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Ledgers { program, whole: Whole(whole), entries } = self;
        let mut at = 0;
        let stretches = core::iter::from_fn(|| {
            let first = *entries.get(at)?;
            let start = at;
            let family = program.locate(Process(at as u32)).0;
            at += 1;
            let same =
                |at: usize| entries.get(at) == Some(&first) && program.locate(Process(at as u32)).0 == family;
            while !whole && same(at) {
                at += 1;
            }
            Some((start, at - 1, first))
        });
        serializer.collect_seq(stretches.map(|(start, end, entry)| {
            let (because, step) = match entry {
                search::Ledger::NotAsked => ("not_asked", None),
                search::Ledger::Executes(step) => ("executes", Some(step)),
                search::Ledger::Disabled(step) => ("disabled", Some(step)),
                search::Ledger::NeverEnabled => ("never_enabled", None),
            };
            let name = |process: usize| program.process_name(Process(process as u32));
            Entry { process: name(start), last: (start < end).then(|| name(end)), because, step }
        }))
    }
}

/// What the names in front of a property stand for.
#[derive(Serialize)]
pub(crate) struct Instance<'a> {
    words: &'a str,
    tracked: Vec<String>,
    alike: u64,
}

impl<'a> Instance<'a> {
    pub(crate) fn new(program: &Program, instance: &'a check::Instance) -> Self {
        let tracked = instance.tracked.iter().map(|&process| program.process_name(process));
        Instance { words: &instance.words, tracked: tracked.collect(), alike: instance.alike }
    }
}
