//! Results as SARIF 2.1.0, which code hosts and editors show beside the source.
//!
//! A rule is a property. A result is a violation; whoever reads only results sees nothing that holds. What could not be
//! answered is a notification of the tool, as the standard has it. A run is a code flow through the actions.

use crate::escape::percent;
use crate::{Finding, Results, Run, Verdict};
use orbitscope_core::text::Span;
use serde_json::{Value, json};

/// The whole log file.
pub fn sarif(results: &Results<'_>) -> String {
    let rules: Vec<Value> = results.findings.iter().map(rule).collect();
    let numbered = || results.findings.iter().enumerate();
    let found: Vec<Value> = numbered().filter_map(|(index, f)| result(results, index, f)).collect();
    let open: Vec<Value> = numbered().filter_map(|(index, f)| notification(results, index, f)).collect();
    let complete = results.count(&[Verdict::Unknown, Verdict::Error]) == 0;
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Orbitscope",
                "semanticVersion": results.version,
                "rules": rules,
            }},
            "automationDetails": { "id": format!("orbitscope/{}", percent(&results.title(), "= ")) },
            "artifacts": [{ "location": { "uri": uri(&results.file) } }],
            "invocations": [{ "executionSuccessful": complete, "toolExecutionNotifications": open }],
            "columnKind": "unicodeCodePoints",
            "results": found,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": finding.name,
        "shortDescription": { "text": format!("{} {}", finding.logic, finding.name) },
        "properties": { "verdict": finding.verdict.word() },
    })
}

fn result(results: &Results<'_>, index: usize, finding: &Finding) -> Option<Value> {
    let level = match finding.verdict {
        Verdict::Violated => "error",
        Verdict::Note => "note",
        _ => return None,
    };
    let mut result = json!({
        "ruleId": finding.name,
        "ruleIndex": index,
        "level": level,
        "message": { "text": format!("{} {}: {}", finding.logic, finding.name, finding.words) },
        "locations": [location(results, finding.span)],
    });
    if let Some(run) = &finding.run {
        result["codeFlows"] = json!([flow(results, run)]);
    }
    Some(result)
}

fn notification(results: &Results<'_>, index: usize, finding: &Finding) -> Option<Value> {
    let level = match finding.verdict {
        Verdict::Error => "error",
        Verdict::Unknown => "warning",
        _ => return None,
    };
    Some(json!({
        "associatedRule": { "id": finding.name, "index": index },
        "level": level,
        "message": { "text": format!("{} {}: {}", finding.logic, finding.name, finding.words) },
        "locations": [location(results, finding.span)],
    }))
}

fn location(results: &Results<'_>, span: Option<Span>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&results.file), "index": 0 } });
    if let Some(span) = span {
        let region = results.region(span);
        place["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    json!({ "physicalLocation": place })
}

/// One place for each state: where the action stands, with what happened and the state that it led to.
fn flow(results: &Results<'_>, run: &Run) -> Value {
    let program = results.program;
    let place = |order: usize, span: Option<Span>, words: String| {
        let mut location = location(results, span);
        location["message"] = json!({ "text": words });
        json!({ "executionOrder": order, "location": location })
    };
    let first = place(0, None, format!("start: {}", program.show_state(&run.start)));
    let mut places = vec![first];
    for (at, (step, written)) in run.steps.iter().zip(run.written(program)).enumerate() {
        let span = step.action.as_ref().map(|(action, _)| program.actions[*action].span);
        let again = if run.entry == Some(at) { "the loop begins: " } else { "" };
        let words = format!("{again}{}: {}", written.label, program.show_state(&written.after));
        places.push(place(at + 1, span, words));
    }
    json!({ "threadFlows": [{ "locations": places }] })
}

/// A file as a relative reference.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    if path.starts_with('/') { format!("file://{}", percent(&path, "/")) } else { percent(&path, "/") }
}
