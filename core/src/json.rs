//! States and runs as data for other programs: what the command line prints as JSON and the page gives away.
//!
//! Names are the model's, processes have the program's own numbers.

use crate::check;
use crate::explore::Path;
use crate::group::Process;
use crate::program::{Domain, FamilyId, Program, Type, VarId};
use crate::search::{self, LassoStep};
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
        for (id, var) in self.program.vars.iter_enumerated().filter(|(_, var)| var.owner.is_none()) {
            state.serialize_entry(&var.name, &self.variable(id, 0))?;
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
        let Program { families, vars, .. } = self.state.program;
        let variables = families[self.family].vars.iter();
        serializer.collect_map(variables.map(|&id| (&vars[id].name, self.state.variable(id, self.process))))
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
        let program = self.state.program;
        let value = self.state.values[self.first as usize] as i64;
        match program.vars[self.var].ty.ty {
            Type::Bool => serializer.serialize_bool(value != 0),
            Type::Int | Type::Error => serializer.serialize_i64(value),
            Type::Process { .. } | Type::None if value < 0 => serializer.serialize_unit(),
            ty => serializer.collect_str(&program.show_value(ty, value)),
        }
    }
}

/// The steps of a path; the first has no process or action, only the initial state.
#[derive(Debug)]
pub struct Steps<'a> {
    program: &'a Program,
    start: Option<Vec<i32>>,
    list: Vec<LassoStep>,
}

impl<'a> Steps<'a> {
    /// Steps without the state that they start in.
    pub fn of_walk(program: &'a Program, steps: &[LassoStep]) -> Self {
        Steps { program, start: None, list: steps.to_vec() }
    }

    /// The steps of a path, after the state that it starts in.
    pub fn of_path(program: &'a Program, path: &Path) -> Self {
        let steps = path.steps.iter().map(|step| LassoStep {
            process: Some(step.process),
            action: Some((step.action, step.arguments.clone())),
            values: step.values.clone(),
        });
        Steps { program, start: Some(path.start.clone()), list: steps.collect() }
    }
}

#[derive(Serialize)]
struct Step<'a> {
    process: Option<String>,
    action: Option<&'a str>,
    args: Vec<String>,
    state: State<'a>,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Steps { program, start, list: steps } = self;
        let mut list = serializer.serialize_seq(Some(steps.len() + usize::from(start.is_some())))?;
        if let Some(values) = start {
            let state = State { program, values };
            list.serialize_element(&Step { process: None, action: None, args: Vec::new(), state })?;
        }
        for step in steps {
            let action = step.action.as_ref();
            list.serialize_element(&Step {
                process: step.process.map(|process| program.process_name(process)),
                action: action.map(|(action, _)| program.actions[*action].name.as_str()),
                args: action.map_or_else(Vec::new, |(action, list)| program.argument_names(*action, list)),
                state: State { program, values: &step.values },
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
    pub fn new(program: &'a Program, lasso: &search::Lasso) -> Self {
        let start = Some(lasso.start.clone());
        Lasso {
            prefix: Steps { program, start, list: lasso.stem.clone() },
            cycle: Steps { program, start: None, list: lasso.cycle.clone() },
        }
    }
}

/// For each process how the loop treats it fairly.
#[derive(Debug)]
pub struct Ledgers<'a> {
    program: &'a Program,
    entries: &'a [search::Ledger],
}

impl<'a> Ledgers<'a> {
    /// The ledger of a lasso.
    pub fn new(program: &'a Program, entries: &'a [search::Ledger]) -> Self {
        Ledgers { program, entries }
    }
}

#[derive(Serialize)]
struct Entry {
    process: String,
    because: &'static str,
    /// A step of the loop, counted from 0.
    step: Option<u32>,
}

impl Serialize for Ledgers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..).map(Process).zip(self.entries).map(|(process, entry)| {
            let (because, step) = match *entry {
                search::Ledger::NotAsked => ("not_asked", None),
                search::Ledger::Executes(step) => ("executes", Some(step)),
                search::Ledger::Disabled(step) => ("disabled", Some(step)),
                search::Ledger::NeverEnabled => ("never_enabled", None),
            };
            Entry { process: self.program.process_name(process), because, step }
        }))
    }
}

/// What the names in front of a property stand for.
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
