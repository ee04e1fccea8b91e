//! A run in the Informal Trace Format of Apalache and Quint (their ADR 015).
//!
//! Shared variables and families are the trace's variables. A family is a list of records, a table a list for each index, in
//! the order of the index; a process is a string such as `client[1]`, and no process is `none`. Who moved is the
//! variable `mbt::actionTaken`, which Quint's tools show.

use crate::{Finding, Results, Run};
use orbitscope_core::json::State;
use serde_json::{Map, Value, json};

const TAKEN: &str = "mbt::actionTaken";

/// A finding's run; none where it has none.
pub fn itf(results: &Results<'_>, finding: &Finding) -> Option<String> {
    let run = finding.run.as_ref()?;
    let (program, mut states) = (results.program, Vec::with_capacity(run.steps.len() + 1));
    states.push(state(results, 0, "init", &run.start));
    for (at, step) in run.written(program).enumerate() {
        states.push(state(results, at + 1, &step.label, &step.after));
    }
    if run.entry.is_some() {
        // The last step leads to where the loop begins: the trace has that state once, and `loop` says where.
        close(run, &mut states);
    }
    let variables = states[0].as_object().into_iter().flat_map(Map::keys).filter(|name| *name != "#meta");
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": results.file,
            "status": finding.verdict.word(),
            "description": format!("{}, {} {}: {}", results.title(), finding.logic, finding.name, finding.words),
        },
        "vars": variables.collect::<Vec<_>>(),
        "states": states,
    });
    if let Some(entry) = run.entry {
        trace["loop"] = json!(entry);
    }
    Some(trace.to_string() + "\n")
}

/// Takes the last state away, which the loop begins with, and keeps the name of the step that leads there.
fn close(run: &Run, states: &mut Vec<Value>) {
    if let (Some(last), Some(entry)) = (states.pop(), run.entry)
        && let Some(first) = states.get_mut(entry)
    {
        first["#meta"]["closed_by"] = last[TAKEN].clone();
    }
}

fn state(results: &Results<'_>, index: usize, taken: &str, values: &[i32]) -> Value {
    let whole = serde_json::to_value(State { program: results.program, values }).unwrap_or_default();
    let mut state = Map::new();
    state.insert("#meta".into(), json!({ "index": index }));
    state.insert(TAKEN.into(), taken.into());
    if let Value::Object(variables) = whole {
        state.extend(variables.into_iter().map(|(name, value)| (name, plain(value))));
    }
    Value::Object(state)
}

/// A value in the words of the format: numbers may be of any size there, and nothing is no value.
fn plain(value: Value) -> Value {
    match value {
        Value::Null => "none".into(),
        Value::Number(number) => json!({ "#bigint": number.to_string() }),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, plain(value))).collect(),
        other => other,
    }
}
