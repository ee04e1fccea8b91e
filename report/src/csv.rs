//! Runs as a table: a row a state, a column a variable (RFC 4180).

use crate::Results;
use orbitscope_core::ids::Id;
use orbitscope_core::program::{Program, Slot};

/// With more values a state has no column for each, but one for what changes.
const COLUMNS: u32 = 1_000;

/// All runs, one after the other; the first column has the property.
pub fn csv(results: &Results<'_>) -> String {
    let program = results.program;
    let whole = program.layout.slots <= COLUMNS;
    let slots = || (0..program.layout.slots as usize).map(Slot::from_index);
    let mut head: Vec<String> =
        ["property", "verdict", "step", "loop", "process", "action"].map(String::from).to_vec();
    if whole {
        head.extend(slots().map(|slot| program.show_slot(slot)));
    } else {
        head.push("changes".into());
    }
    let mut table = row(&head);
    let values = |values: &[i32]| -> Vec<String> {
        slots().map(|slot| value(program, slot, values[slot.index()])).collect()
    };
    for finding in &results.findings {
        let Some(run) = &finding.run else { continue };
        let mut add = |step: usize, process: String, action: String, mut state: Vec<String>| {
            // The last state of a loop is the one that the loop begins in.
            let looping = run.entry.is_some_and(|entry| step >= entry);
            let mut cells = vec![
                finding.name.clone(),
                finding.verdict.word().into(),
                step.to_string(),
                looping.to_string(),
                process,
                action,
            ];
            cells.append(&mut state);
            table.push_str(&row(&cells));
        };
        let start = if whole { values(&run.start) } else { vec![String::new()] };
        add(0, String::new(), String::new(), start);
        for (at, step) in run.written(program).enumerate() {
            let process = step.process.map_or_else(String::new, |process| program.process_name(process));
            let state = if whole {
                values(&step.after)
            } else {
                let changes = step.changes.iter();
                let words = changes
                    .map(|&(slot, v)| format!("{} = {}", program.show_slot(slot), value(program, slot, v)));
                vec![words.collect::<Vec<_>>().join("; ")]
            };
            add(at + 1, process, step.action.clone(), state);
        }
    }
    table
}

fn value(program: &Program, slot: Slot, value: i32) -> String {
    program.show_value(program.type_of(slot), value.into()).to_string()
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\r\n"
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.into()
    }
}
