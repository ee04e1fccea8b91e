//! The output of `check --json` is valid against `schema/check.schema.json`.

use crate::support::Folder;
use serde_json::Value;

/// Checks a value against the keywords of JSON Schema that the schema uses; an unknown keyword is an error, so that
/// nothing in the schema is passed over.
pub(crate) fn validate(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().ok_or("a schema is an object")? {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name =
                    rule.as_str().and_then(|r| r.strip_prefix("#/$defs/")).ok_or("a local reference")?;
                validate(root, &root["$defs"][name], value, at)?;
                true
            }
            "type" => match rule {
                Value::Array(names) => names.iter().any(|name| has_type(name, value)),
                name => has_type(name, value),
            },
            "enum" => rule.as_array().is_some_and(|allowed| allowed.contains(value)),
            "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
            // The one pattern there is.
            "pattern" => {
                assert_eq!(rule, "^[1-9][0-9!*^ ]*$");
                value.as_str().is_none_or(|text| {
                    let allowed = |b: u8| b.is_ascii_digit() || b"!*^ ".contains(&b);
                    text.bytes().next().is_some_and(|b| (b'1'..=b'9').contains(&b))
                        && text.bytes().all(allowed)
                })
            }
            "required" => {
                let names = rule.as_array().ok_or("a list of names")?;
                value
                    .as_object()
                    .is_none_or(|o| names.iter().all(|n| n.as_str().is_some_and(|n| o.contains_key(n))))
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{at}[{index}]"))?;
                }
                true
            }
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(name) {
                        validate(root, schema, member, &format!("{at}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(name).is_some() {
                        continue;
                    }
                    if rule == &Value::Bool(false) {
                        return Err(format!("{at}: {name} is not in the schema"));
                    }
                    validate(root, rule, member, &format!("{at}.{name}"))?;
                }
                true
            }
            other => return Err(format!("the keyword {other} is not known here")),
        };
        if !fine {
            return Err(format!("{at}: {value} is not allowed by {keyword} {rule}"));
        }
    }
    Ok(())
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../schema/check.schema.json")).unwrap()
}

#[test]
fn every_report_follows_the_schema() {
    let schema = schema();
    let golden = [
        include_str!("../golden/check_json.txt"),
        include_str!("../golden/check_temporal_json.txt"),
        include_str!("../golden/check_branching_json.txt"),
        include_str!("../golden/check_search_limits.txt"),
        include_str!("../golden/check_symbolic.txt"),
        include_str!("../golden/check_faults.txt"),
    ];
    let reports: Vec<&str> =
        golden.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with('{')).collect();
    assert!(reports.len() >= 12, "the golden files have reports");
    for report in reports {
        let value: Value = serde_json::from_str(report).unwrap();
        assert_eq!(validate(&schema, &schema, &value, "report"), Ok(()), "{report}");
    }
}

#[test]
fn other_objects_do_not_follow_it() {
    let schema = schema();
    let text = "shared x: bool = true\nprocess p { action go: x -> x := false }\ninvariant fine: true\n";
    let folder = Folder::with(&[("m.orb", text)]);
    let output = folder.run(&["check", "m.orb", "--json"], "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(validate(&schema, &schema, &report, "report"), Ok(()));
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut changed = report.clone();
        change(&mut changed);
        assert!(validate(&schema, &schema, &changed, "report").is_err(), "{changed}");
    };
    wrong(&|r| r["more"] = 1.into());
    wrong(&|r| r["processes"] = "one".into());
    wrong(&|r| r["symmetry"]["order"] = "0".into());
    wrong(&|r| r["results"][0]["verdict"] = "maybe".into());
    wrong(&|r| r["results"][0]["stats"]["states"] = (-1).into());
    wrong(&|r| {
        r.as_object_mut().unwrap().remove("model");
    });
}

/// Of a large model a step has what it changes, and the whole state only where that is asked for.
#[test]
fn large_states_are_not_written_out() {
    let schema = schema();
    let text = "process p[20000] { var x: bool = false var y: 0..3 = 1
        action go: not x -> x := true, y := 2 }
      invariant nobody: forall q in p: not q.x\n";
    let folder = Folder::with(&[("m.orb", text)]);
    for full in [false, true] {
        let more: &[&str] = if full { &["--full-states"] } else { &[] };
        let args = [&["check", "m.orb", "--json", "--max-states", "1000"], more].concat();
        let report: Value = serde_json::from_slice(&folder.run(&args, "").stdout).unwrap();
        assert_eq!(validate(&schema, &schema, &report, "report"), Ok(()));
        let step = &report["results"][0]["path"][1];
        assert_eq!(step["process"], "p[0]");
        assert_eq!(step["state"].is_object(), full);
        if full {
            assert_eq!(step["state"]["p"][0]["y"], 2);
            assert_eq!(step["state"]["p"][19_999]["y"], 1);
        } else {
            assert_eq!(step["changes"][0]["variable"], "p[0].x");
            assert_eq!(step["changes"][0]["value"], true);
            assert_eq!(step["changes"][1]["variable"], "p[0].y");
            assert_eq!(step["changes"][1]["value"], 2);
        }
    }
    let shown = folder.run(&["check", "m.orb", "--max-states", "1000"], "");
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("p=[0: {x=true* y=2*}, 19999 × {x=false y=1}]"), "{shown}");
}

/// A run that the page saves has the shape of one that the command line prints.
#[test]
fn a_run_of_the_page_has_the_parts_of_a_report() {
    let (check, run) = (schema(), schema_of_the_page(include_str!("../../../docs/schema/run.schema.json")));
    for part in ["property", "instance", "path", "lasso", "ledger"] {
        assert_eq!(run["properties"][part], check["$defs"]["result"]["properties"][part], "{part}");
    }
    for (name, definition) in run["$defs"].as_object().unwrap() {
        assert_eq!(definition, &check["$defs"][name], "{name}");
    }
}

#[test]
fn a_graph_follows_its_schema() {
    let schema = schema_of_the_page(include_str!("../../../docs/schema/graph.schema.json"));
    let text = "shared x: bool = true\nprocess p[2] { action go: x -> x := false }\nltl live: F not x\n";
    let folder = Folder::with(&[("m.orb", text)]);
    for of in [["--of", "states"].as_slice(), &["--of", "product", "-p", "live"]] {
        let line = [["graph", "m.orb", "--format", "json"].as_slice(), of].concat();
        let output = folder.run(&line, "");
        let mut graph: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(validate(&schema, &schema, &graph, "graph"), Ok(()), "{of:?}");
        graph["nodes"][0]["initial"] = "yes".into();
        assert!(validate(&schema, &schema, &graph, "graph").is_err());
    }
}

fn schema_of_the_page(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn proofs_follow_their_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../schema/prove.schema.json")).unwrap();
    let text = "param n = 2 in 1..50\nprocess c[n] { var x: bool = false\n  action on: not x and not exists d in c: d.x -> x := true\n  action off: x -> x := false }
invariant one: count(d in c: d.x) <= 1\nltl on_again: forall d in c: G F d.x\ninvariant most: count(d in c: d.x) < n\n";
    let folder = Folder::with(&[("m.orb", text)]);
    for command in [vec!["prove", "m.orb", "--json"], vec!["check", "m.orb", "--every", "n", "--json"]] {
        let output = folder.run(&command, "");
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(validate(&schema, &schema, &report, "report"), Ok(()), "{report}");
        let verdicts: Vec<&str> =
            report["results"].as_array().unwrap().iter().map(|r| r["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["holds", "violated", "unknown", "holds"]);
        assert_eq!(report["results"][1]["at"], serde_json::json!([2]));
    }
    // Exit statuses: proved, violated, outside of what can be said, a budget.
    let status = |args: &[&str]| folder.run(args, "").status.code();
    assert_eq!(status(&["prove", "m.orb", "-p", "one"]), Some(0));
    assert_eq!(status(&["prove", "m.orb", "-p", "on_again"]), Some(1));
    assert_eq!(status(&["prove", "m.orb", "-p", "most"]), Some(2));
    assert_eq!(status(&["prove", "m.orb", "-p", "one", "--max-states", "3"]), Some(3));
    assert_eq!(status(&["prove", "m.orb", "-p", "other"]), Some(2));
    assert_eq!(status(&["prove", "m.orb", "--set", "n=3"]), Some(2));
    assert_eq!(status(&["check", "m.orb", "--every", "m"]), Some(2));
}
