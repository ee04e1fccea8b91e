//! States and runs as data for other programs: what the command line prints as JSON and the page gives away.
//!
//! Names are the model's, processes have the program's own numbers.

use crate::check;
use crate::explore::{Path, change, changes_between};
use crate::group::Process;
use crate::program::{Declared, Domain, FamilyId, Held, Parts, Program, Slot, Type, VarId};
use crate::search::{self, LassoStep, RunStep};
use alloc::string::String;
use alloc::vec::Vec;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// A state: shared variables by name, then for each family a list of its processes' variables.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// The program that it is a state of.
    pub program: &'a Program,
    /// Its values.
    pub values: &'a [i32],
}

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_map(None)?;
        for decl in self.program.declared.iter().filter(|decl| decl.owner.is_none()) {
            state.serialize_entry(&decl.name, &Variable { state: *self, decl, process: 0 })?;
        }
        for (id, family) in self.program.families.iter_enumerated().filter(|(_, f)| !f.vars.is_empty()) {
            if family.single {
                state.serialize_entry(&family.name, &Record { state: *self, family: id, process: 0 })?;
            } else {
                let records: Vec<Record<'_>> =
                    (0..family.size).map(|process| Record { state: *self, family: id, process }).collect();
                state.serialize_entry(&family.name, &records)?;
            }
        }
        state.end()
    }
}

impl<'a> State<'a> {
    fn variable(self, id: VarId, process: u32) -> Table<'a> {
        let (first, _) = self.program.entries(id, process);
        Table { state: self, var: id, first: first.0, index: &self.program.vars[id].index }
    }
}

/// The variables of one process.
struct Record<'a> {
    state: State<'a>,
    family: FamilyId,
    process: u32,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let own = self.state.program.declared.iter().filter(|decl| decl.owner == Some(self.family));
        let Record { state, process, .. } = *self;
        serializer.collect_map(own.map(|decl| (&decl.name, Variable { state, decl, process })))
    }
}

/// A variable as it was declared: a scalar or a table of them, or a record, set, bag or queue.
struct Variable<'a> {
    state: State<'a>,
    decl: &'a Declared,
    process: u32,
}

impl Serialize for Variable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Variable { state: State { program, values }, decl, process } = *self;
        if program.is_scalar(decl) {
            return self.state.variable(decl.first, process).serialize(serializer);
        }
        let held = |entry: u32| AnyValue(Held::new(program, values, decl, process, entry));
        if decl.index.is_empty() {
            return held(0).serialize(serializer);
        }
        serializer.collect_seq((0..program.declared_entries(decl)).map(held))
    }
}

/// A value of any type: a record is an object, `none` is null, sets, bags and queues are lists.
struct AnyValue<'a>(Held<'a>);

impl Serialize for AnyValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parts() {
            Parts::Scalar(ty, value) => typed(self.0.program, ty, value, serializer),
            Parts::None => serializer.serialize_unit(),
            Parts::Record(_, fields) => {
                serializer.collect_map(fields.into_iter().map(|(name, part)| (name, AnyValue(part))))
            }
            Parts::List(list) | Parts::Queue(list) => serializer.collect_seq(list.into_iter().map(AnyValue)),
            Parts::Values(list) => serializer.collect_seq(list),
        }
    }
}

/// The entries of a variable: one value, or nested lists, one level for each index.
struct Table<'a> {
    state: State<'a>,
    var: VarId,
    first: u32,
    index: &'a [Domain],
}

impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let program = self.state.program;
        let size = |domain: &Domain| match *domain {
            Domain::Family(family) => program.families[family].size,
            Domain::Range(low, high) => (high - low + 1).max(0) as u32,
        };
        let Some((domain, inner)) = self.index.split_first() else {
            return self.value(serializer);
        };
        let stride: u32 = inner.iter().map(size).product();
        serializer.collect_seq((0..size(domain)).map(|at| Table {
            first: self.first + at * stride,
            index: inner,
            ..*self
        }))
    }
}

impl Table<'_> {
    fn value<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.state.values[self.first as usize];
        typed(self.state.program, self.state.program.vars[self.var].ty.ty, value, serializer)
    }
}

/// The value of one slot.
struct Value<'a> {
    program: &'a Program,
    slot: Slot,
    stored: i32,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        typed(self.program, self.program.type_of(self.slot), self.stored, serializer)
    }
}

fn typed<S: Serializer>(program: &Program, ty: Type, value: i32, serializer: S) -> Result<S::Ok, S::Error> {
    let value = value as i64;
    match ty {
        Type::Bool => serializer.serialize_bool(value != 0),
        Type::Int | Type::Error => serializer.serialize_i64(value),
        Type::Process { .. } | Type::None if value < 0 => serializer.serialize_unit(),
        ty => serializer.collect_str(&program.show_value(ty, value)),
    }
}

/// States with more values than this are not written out, unless that is asked for: steps then have what they change.
const LARGE_STATE: u32 = 10_000;

/// Whether every state of a run is written out.
#[derive(Clone, Copy, Debug)]
pub struct Whole(bool);

impl Whole {
    /// They are where that is asked for, and where they are small.
    pub fn new(program: &Program, asked: bool) -> Whole {
        Whole(asked || program.layout.slots <= LARGE_STATE)
    }
}

/// The steps of a path; the first has no process or action, only the initial state.
#[derive(Debug)]
pub struct Steps<'a> {
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
    pub fn of_walk(program: &'a Program, before: &[i32], steps: &[LassoStep]) -> Self {
        let mut last = before;
        let list = steps.iter().map(|step| {
            let changes = changes_between(last, &step.values);
            last = &step.values;
            RunStep { process: step.process, action: step.action.clone(), changes }
        });
        let list = list.collect();
        Steps { program, whole: Whole(true), before: before.to_vec(), with_start: false, list }
    }

    /// The steps of a path, after the state that it starts in.
    pub fn of_path(program: &'a Program, path: &Path, whole: Whole) -> Self {
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
                value: Value { program, slot, stored: value },
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

/// A path, then a cycle for ever.
#[derive(Debug, Serialize)]
pub struct Lasso<'a> {
    prefix: Steps<'a>,
    cycle: Steps<'a>,
}

impl<'a> Lasso<'a> {
    /// A lasso of the program.
    pub fn new(program: &'a Program, lasso: &search::Lasso, whole: Whole) -> Self {
        let steps = |before, with_start, list| Steps { program, whole, before, with_start, list };
        Lasso {
            prefix: steps(lasso.start.clone(), true, lasso.stem.clone()),
            cycle: steps(lasso.entry(), false, lasso.cycle.clone()),
        }
    }
}

/// For each process how the loop treats it fairly; where states are not written out, neighbours that are treated alike are
/// one entry.
#[derive(Debug)]
pub struct Ledgers<'a> {
    program: &'a Program,
    whole: Whole,
    entries: &'a [search::Ledger],
}

impl<'a> Ledgers<'a> {
    /// The ledger of a lasso.
    pub fn new(program: &'a Program, entries: &'a [search::Ledger], whole: Whole) -> Self {
        Ledgers { program, whole, entries }
    }
}

#[derive(Serialize)]
struct Entry {
    process: String,
    /// The action, where the entry is about one that is to be fair by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
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
        let (entries, actions) = entries.split_at(entries.len().min(program.process_count() as usize));
        let because = |entry: search::Ledger| match entry {
            search::Ledger::NotAsked => ("not_asked", None),
            search::Ledger::Executes(step) => ("executes", Some(step)),
            search::Ledger::Disabled(step) => ("disabled", Some(step)),
            search::Ledger::NeverEnabled => ("never_enabled", None),
        };
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
        let of_processes = stretches.map(|(start, end, entry)| {
            let (because, step) = because(entry);
            let name = |process: usize| program.process_name(Process(process as u32));
            Entry {
                process: name(start),
                action: None,
                last: (start < end).then(|| name(end)),
                because,
                step,
            }
        });
        let of_actions = program.fair_choices().zip(actions).map(|((process, action), &entry)| {
            let (because, step) = because(entry);
            let action = Some(program.actions[action].name.clone());
            Entry { process: program.process_name(process), action, last: None, because, step }
        });
        serializer.collect_seq(of_processes.chain(of_actions))
    }
}

/// The processes that the names in front of a property stand for.
#[derive(Debug, Serialize)]
pub struct Instance<'a> {
    words: &'a str,
    tracked: Vec<String>,
    alike: u64,
}

impl<'a> Instance<'a> {
    /// An instance of a property of the program.
    pub fn new(program: &Program, instance: &'a check::Instance) -> Self {
        let tracked = instance.tracked.iter().map(|&process| program.process_name(process));
        Instance { words: &instance.words, tracked: tracked.collect(), alike: instance.alike }
    }
}
