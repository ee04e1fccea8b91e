//! A counterexample as lanes: one for each process, time to the right.
//!
//! Column 0 is the initial state; step k, counted from 0, leads from column k to column k+1. Of a loop the last column is
//! where it began.

mod make;
mod numbering;

pub use make::Source;
pub use numbering::Numbering;

use orbitscope_core::draw::Glyph;
use orbitscope_core::product::NodeId;
use orbitscope_core::quotient::AqsId;
use serde::{Deserialize, Serialize};

/// A run of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The steps.
    pub steps: Vec<Step>,
    /// The column at which the loop begins; none where the run is a path that ends.
    pub loop_start: Option<u32>,
    /// The families of the lanes.
    pub families: Vec<Family>,
    /// The lanes of the shared variables and of the program's processes.
    pub lanes: Vec<Lane>,
    /// The same run in the numbers of the representatives, where they are known.
    pub representatives: Option<Representatives>,
    /// How each process is treated fairly, in the order of the lanes; empty where the run does not end in a loop.
    pub ledger: Vec<Account>,
    /// For each column the node of the product that stands for it, where it is known.
    pub nodes: Vec<Option<NodeId>>,
    /// How many processes are on no lane.
    pub hidden: u32,
    /// For each column the state as a glyph; empty where there would be too much to look at.
    pub glyphs: Vec<Glyph>,
    /// For each column the lines that a node for its state has; empty where there would be too much to look at.
    pub labels: Vec<Vec<String>>,
    /// Its states, where they are not too large.
    pub trail: Option<Trail>,
}

/// The states of a run: the first one, and what each step changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// The values of the first state.
    pub start: Vec<i32>,
    /// For each step the places of the values that change, and what they become.
    pub changes: Vec<Vec<(u32, i32)>>,
}

impl Trail {
    /// The states themselves. A change of a place that is not there is passed over.
    pub fn states(&self) -> impl Iterator<Item = Vec<i32>> {
        let mut row = self.start.clone();
        let later = self.changes.iter().map(move |changes| {
            for &(slot, value) in changes {
                if let Some(place) = row.get_mut(slot as usize) {
                    *place = value;
                }
            }
            row.clone()
        });
        [self.start.clone()].into_iter().chain(later)
    }
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The whole of it: `server.grant(client[1])`.
    pub words: String,
    /// The action with its arguments; empty where a state without steps repeats.
    pub action: String,
    /// The line of the action in the text, from 1.
    pub line: Option<u32>,
    /// The process that executes.
    pub process: Option<u32>,
    /// Its lane.
    pub lane: Option<u32>,
}

/// A family, with the variables that its lanes tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// The variables, in the order in which a cell tells them.
    pub vars: Vec<String>,
}

/// The subject of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// A shared variable.
    Shared,
    /// Processes of this family, by their ranges; several of them are alike all the time.
    Processes(u32, Vec<(u32, u32)>),
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// The subject.
    pub who: Who,
    /// Its name: `client[3]`, `client[5..98]`, `turn`.
    pub name: String,
    /// How many processes it stands for.
    pub count: u32,
    /// The values with the columns from which on they stand; the first is at column 0, and each differs from the one
    /// before.
    pub cells: Vec<Cell>,
}

/// The contents of a lane from some column on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The column.
    pub from: u32,
    /// The values, in words.
    pub text: String,
    /// The tints of the values that change, as glyphs have them; none where there are many.
    pub tints: Vec<u8>,
    /// The values of a table with two indices, row by row; none where it is something else.
    pub matrix: Vec<Vec<String>>,
}

impl Lane {
    fn cell(&self, column: u32) -> Option<&Cell> {
        let after = self.cells.partition_point(|cell| cell.from <= column);
        self.cells.get(after.saturating_sub(1))
    }

    /// The value in a column.
    pub fn at(&self, column: u32) -> &str {
        self.cell(column).map_or("", |cell| &cell.text)
    }

    /// The tints of what is there in a column.
    pub fn tints_at(&self, column: u32) -> &[u8] {
        self.cell(column).map_or(&[], |cell| &cell.tints)
    }

    /// The table that is there in a column, row by row; empty where it is none with two indices.
    pub fn matrix_at(&self, column: u32) -> &[Vec<String>] {
        self.cell(column).map_or(&[], |cell| &cell.matrix)
    }

    /// Whether it differs from the column before.
    pub fn changes_at(&self, column: u32) -> bool {
        column > 0 && self.cells.binary_search_by_key(&column, |cell| cell.from).is_ok()
    }

    /// Whether it ever changes.
    pub fn is_moving(&self) -> bool {
        self.cells.len() > 1
    }
}

/// A run in the numbers of the representatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Representatives {
    /// For each column the representative.
    pub states: Vec<AqsId>,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// For each step the lane of the process that executes, in the numbers of the state before the step.
    pub movers: Vec<Option<u32>>,
    /// For each step how the processes are renumbered by it; empty where they keep their numbers.
    pub turns: Vec<String>,
}

/// How the loop treats processes fairly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The lane of the processes.
    pub lane: u32,
    /// Why.
    pub reason: Reason,
    /// The step of the run that shows it, or before which they are disabled.
    pub step: Option<u32>,
}

/// Why a process is treated fairly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// It needs no fairness.
    NotAsked,
    /// It executes in the loop.
    Executes,
    /// It is disabled somewhere in the loop.
    Disabled,
    /// It is disabled all the time.
    NeverEnabled,
}

impl Reason {
    /// In words, with the step of the run that shows it.
    pub fn words(self, step: Option<u32>) -> String {
        match (self, step) {
            (Reason::NotAsked, _) => "needs no fairness".into(),
            (Reason::Executes, Some(step)) => format!("executes in step {}", step + 1),
            (Reason::Executes, None) => "executes".into(),
            (Reason::Disabled, Some(step)) => format!("cannot move before step {}", step + 1),
            (Reason::Disabled, None) => "cannot move somewhere in the loop".into(),
            (Reason::NeverEnabled, _) => "can never move in the loop".into(),
        }
    }
}

impl Run {
    /// How many columns there are.
    pub fn columns(&self) -> u32 {
        self.steps.len() as u32 + 1
    }

    /// Whether a column is in the loop.
    pub fn in_loop(&self, column: u32) -> bool {
        self.loop_start.is_some_and(|start| column >= start)
    }

    /// The kind of run, in a few words.
    pub fn summary(&self) -> String {
        let steps = |count: u32| format!("{count} {}", if count == 1 { "step" } else { "steps" });
        let all = self.steps.len() as u32;
        match self.loop_start {
            Some(0) => format!("a loop of {} from its first state", steps(all)),
            Some(start) => format!("{} to a loop of {}", steps(start), steps(all - start)),
            None if all == 0 => "one state alone".into(),
            None => format!("a path of {}", steps(all)),
        }
    }
}
