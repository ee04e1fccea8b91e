//! Runs as lines of text: a step a line, with what it changed marked; and the ledger of a lasso.

use crate::explore::{Changes, Path, change};
use crate::group::Process;
use crate::program::Program;
use crate::search::{Lasso, Ledger};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A run with more steps than this is cut: its beginning, the beginning of its loop and its end are shown, each with `SHOWN` steps.
const LONG: usize = 500;
const SHOWN: usize = 150;
/// A ledger has at most this many lines.
const LEDGER_LINES: usize = 200;

/// How a run is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStyle {
    /// Stands before a value that changed.
    pub open: &'static str,
    /// Stands behind it.
    pub close: &'static str,
    /// Stands behind `12 more steps` where some are left out: where the rest can be found.
    pub more: &'static str,
}

impl LineStyle {
    /// Without colour: a star behind what changed.
    pub const PLAIN: LineStyle = LineStyle { open: "", close: "*", more: "" };
}

/// The name of a step, and what it changed.
pub type Line = (String, Changes);

/// A path, a step a line: its number, its name, and the state with what changed marked.
pub fn path_lines(program: &Program, path: &Path, style: LineStyle) -> Vec<String> {
    let steps = path.steps.iter();
    let rows: Vec<Line> = steps
        .map(|step| (program.show_step(step.process, step.action, &step.arguments), step.changes.clone()))
        .collect();
    step_lines(program, &path.start, &rows, None, style)
}

/// A lasso, a step a line; a line of its own says where the loop begins.
pub fn lasso_lines(program: &Program, lasso: &Lasso, style: LineStyle) -> Vec<String> {
    let rows = lasso.stem.iter().chain(&lasso.cycle).map(|step| {
        let name = match (step.process, &step.action) {
            (Some(process), Some((action, arguments))) => program.show_step(process, *action, arguments),
            _ => "(nobody can move)".into(),
        };
        (name, step.changes.clone())
    });
    let rows: Vec<Line> = rows.collect();
    let repeat = match lasso.cycle.len() {
        1 => "this step repeats for ever:".into(),
        n => format!("these {n} steps repeat for ever:"),
    };
    step_lines(program, &lasso.start, &rows, Some(&(lasso.stem.len(), repeat)), style)
}

/// Steps from a state, one a line; where a loop begins, the words for it stand before its first step.
pub fn step_lines(
    program: &Program,
    start: &[i32],
    rows: &[Line],
    looping: Option<&(usize, String)>,
    style: LineStyle,
) -> Vec<String> {
    let entry = looping.map_or(0, |(entry, _)| *entry);
    let shown = |at: usize| {
        rows.len() <= LONG || at < SHOWN || (entry..entry + SHOWN).contains(&at) || at + SHOWN >= rows.len()
    };
    let names = rows.iter().enumerate().filter(|(at, _)| shown(*at));
    let width = names.map(|(_, (name, _))| name.len()).max().unwrap_or(0);
    // Without a step there is no column for what executed.
    let gap = if width == 0 { "" } else { "  " };
    let first = format!("{:>4}  {:width$}{gap}{}", 0, "", program.show_state(start));
    let mut lines = alloc::vec![first.trim_end().into()];
    let mut before = start.to_vec();
    let mut after = start.to_vec();
    let mut skipped = 0;
    for (at, (name, changes)) in rows.iter().enumerate() {
        change(&mut after, changes);
        if shown(at) {
            if skipped > 0 {
                lines.push(format!("      … {skipped} more steps{} …", style.more));
                skipped = 0;
            }
            if let Some((_, words)) = looping.filter(|(entry, _)| *entry == at) {
                lines.push(format!("      {words}"));
            }
            let state = program.show_state(&after).marking_changes(&before, style.open, style.close);
            lines.push(format!("{:>4}  {name:width$}  {state}", at + 1));
        } else {
            skipped += 1;
        }
        change(&mut before, changes);
    }
    lines
}

/// Why a lasso is fair, with neighbours of one family that are treated alike in one line.
pub fn ledger_lines(program: &Program, lasso: &Lasso, ledger: &[Ledger], style: LineStyle) -> Vec<String> {
    let step = |number: u32| lasso.stem.len() + number as usize + 1;
    let mut rows: Vec<(String, String)> = Vec::new();
    let words = |entry: Ledger| match entry {
        Ledger::NotAsked => "no fairness asked".into(),
        Ledger::Executes(number) => format!("executes in step {}", step(number)),
        Ledger::Disabled(number) => format!("disabled before step {}", step(number)),
        Ledger::NeverEnabled => "never enabled in the loop".into(),
    };
    let (ledger, actions) = ledger.split_at(ledger.len().min(program.process_count() as usize));
    let mut at = 0;
    while at < ledger.len() {
        let (family, _) = program.locate(Process(at as u32));
        let same =
            |other: usize| ledger[other] == ledger[at] && program.locate(Process(other as u32)).0 == family;
        let end = (at + 1..ledger.len()).find(|&other| !same(other)).unwrap_or(ledger.len());
        let (first, last) = (program.locate(Process(at as u32)).1, program.locate(Process(end as u32 - 1)).1);
        let name = match end - at {
            1 => program.process_name(Process(at as u32)),
            _ => format!("{}[{first}..{last}]", program.families[family].name),
        };
        rows.push((name, words(ledger[at])));
        at = end;
    }
    for ((process, action), &entry) in program.fair_choices().zip(actions) {
        let name = format!("{}.{}", program.process_name(process), program.actions[action].name);
        rows.push((name, words(entry)));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut lines = alloc::vec!["      why this is fair:".into()];
    let more = rows.len().saturating_sub(LEDGER_LINES);
    lines.extend(
        rows.into_iter().take(LEDGER_LINES).map(|(name, words)| format!("      {name:width$}  {words}")),
    );
    if more > 0 {
        lines.push(format!("      … {more} more lines{} …", style.more));
    }
    lines
}
