//! A run of the program, with what each step changes.

use orbitscope_core::check::Counterexample;
use orbitscope_core::ctl::{Because, Tree};
use orbitscope_core::explore::{Path, change, changes_between, states_along};
use orbitscope_core::group::Process;
use orbitscope_core::program::{Program, Slot};
use orbitscope_core::search::{Ledger, RunStep};

/// A finite run, or one whose end repeats for ever.
#[derive(Clone, Debug)]
pub struct Run {
    /// The values of the initial state.
    pub start: Vec<i32>,
    /// The steps, to the end of the loop.
    pub steps: Vec<RunStep>,
    /// The step that the loop begins with; the last step leads back to the state before it.
    pub entry: Option<usize>,
    /// For each process how the loop treats it fairly; empty where that was not asked.
    pub ledger: Vec<Ledger>,
}

/// A step of a run as it is written.
#[derive(Debug)]
pub struct Step<'a> {
    /// The process that executes; none where nobody can move.
    pub process: Option<Process>,
    /// Its action with arguments, such as `choose(client[0])`; what stands there where nobody can move.
    pub action: String,
    /// Process and action.
    pub label: String,
    /// The slots that it changes.
    pub changes: &'a [(Slot, i32)],
    /// The values after it.
    pub after: Vec<i32>,
}

impl Run {
    /// The run of a counterexample.
    pub fn of_counterexample(found: &Counterexample) -> Run {
        match found {
            Counterexample::Path(path) => Run::of_path(path),
            Counterexample::Lasso(lasso, ledger) => Run {
                start: lasso.start.clone(),
                steps: lasso.stem.iter().chain(&lasso.cycle).cloned().collect(),
                entry: Some(lasso.stem.len()),
                ledger: ledger.clone(),
            },
        }
    }

    /// A path.
    pub fn of_path(path: &Path) -> Run {
        let steps = path.steps.iter().map(|step| RunStep {
            process: Some(step.process),
            action: Some((step.action, step.arguments.clone())),
            changes: step.changes.clone(),
        });
        Run { start: path.start.clone(), steps: steps.collect(), entry: None, ledger: Vec::new() }
    }

    /// The first walk of the evidence about branching time. It begins where the evidence does, unless a choice or another
    /// claim about the same state comes before it.
    pub fn of_tree(tree: &Tree) -> Option<Run> {
        let mut at = tree;
        loop {
            if let Because::Walk { steps, back, .. } = &at.evidence.because {
                let start = at.evidence.claim.values.clone();
                let mut before = start.clone();
                let mut list = Vec::with_capacity(steps.len());
                for step in steps {
                    let changes = changes_between(&before, &step.values);
                    change(&mut before, &changes);
                    list.push(RunStep { process: step.process, action: step.action.clone(), changes });
                }
                let entry = back.map(|back| back as usize);
                return Some(Run { start, steps: list, entry, ledger: Vec::new() });
            }
            at = &at.below.first()?.1;
        }
    }

    /// The steps, each with the state that it leads to.
    pub fn written<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = Step<'a>> + 'a {
        let states = states_along(&self.start, self.steps.iter().map(|step| &step.changes));
        self.steps.iter().zip(states).map(|(step, after)| {
            let label = match (step.process, &step.action) {
                (Some(process), Some((action, arguments))) => program.show_step(process, *action, arguments),
                _ => "(nobody can move)".into(),
            };
            let name = step.process.map(|process| program.process_name(process) + ".");
            let action = name.and_then(|name| label.strip_prefix(&name)).unwrap_or(&label).to_owned();
            Step { process: step.process, action, label, changes: &step.changes, after }
        })
    }

    /// One line a state, for people.
    pub(crate) fn lines(&self, program: &Program) -> Vec<String> {
        let mut lines = vec![format!("{:>4}  {}", 0, program.show_state(&self.start))];
        for (at, step) in self.written(program).enumerate() {
            if self.entry == Some(at) {
                lines.push("      this repeats for ever:".into());
            }
            lines.push(format!("{:>4}  {}  {}", at + 1, step.label, program.show_state(&step.after)));
        }
        lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// How the loop is fair to each process, in words; the steps are counted as in [`Run::lines`].
    pub(crate) fn fairness(&self, program: &Program) -> Vec<(String, String)> {
        let first = self.entry.unwrap_or(0) as u32 + 1;
        let entries = self.ledger.iter().enumerate();
        entries
            .map(|(process, entry)| {
                let words = match entry {
                    Ledger::NotAsked => "needs no fairness".into(),
                    Ledger::Executes(step) => format!("executes in step {}", first + step),
                    Ledger::Disabled(step) => format!("is disabled before step {}", first + step),
                    Ledger::NeverEnabled => "is never enabled in the loop".into(),
                };
                (program.process_name(Process(process as u32)), words)
            })
            .collect()
    }
}

/// A change in words: `st = waiting`, with the owner where it is asked for.
pub(crate) fn change_words(program: &Program, slot: Slot, value: i32, owned: bool) -> String {
    let name = program.show_slot(slot);
    let short = if owned { None } else { name.rsplit_once("].").or_else(|| name.split_once('.')) };
    let owner = program.owner_of(slot).is_some();
    let name = short.filter(|_| owner).map_or(name.as_str(), |(_, variable)| variable);
    format!("{name} = {}", program.show_value(program.type_of(slot), value.into()))
}
