//! Runs, and who is treated fairly in them.

use super::State;
use orbitscope_core::check;
use orbitscope_core::explore::Path;
use orbitscope_core::group::Process;
use orbitscope_core::program::Program;
use orbitscope_core::search::{self, LassoStep};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// The steps of a path; the first has no process or action, only the initial state.
pub(crate) struct Steps<'a> {
    program: &'a Program,
    start: Option<Vec<i32>>,
    list: Vec<LassoStep>,
}

impl<'a> Steps<'a> {
    /// Steps without the state that they start in.
    pub(crate) fn of_walk(program: &'a Program, steps: &[LassoStep]) -> Self {
        Steps { program, start: None, list: steps.to_vec() }
    }

    pub(crate) fn of_path(program: &'a Program, path: &Path) -> Self {
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

#[derive(Serialize)]
pub(crate) struct Lasso<'a> {
    prefix: Steps<'a>,
    cycle: Steps<'a>,
}

impl<'a> Lasso<'a> {
    pub(crate) fn new(program: &'a Program, lasso: &search::Lasso) -> Self {
        let start = Some(lasso.start.clone());
        Lasso {
            prefix: Steps { program, start, list: lasso.stem.clone() },
            cycle: Steps { program, start: None, list: lasso.cycle.clone() },
        }
    }
}

/// For each process how the loop treats it fairly.
pub(crate) struct Ledgers<'a> {
    program: &'a Program,
    entries: &'a [search::Ledger],
}

impl<'a> Ledgers<'a> {
    pub(crate) fn new(program: &'a Program, entries: &'a [search::Ledger]) -> Self {
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
