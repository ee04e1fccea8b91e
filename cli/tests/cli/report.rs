//! `check --report KIND=FILE`: each kind is read back by another reader than the one that wrote it, and compared with `--json`.

use crate::junit::{elements, follows_the_schema};
use crate::schema::validate;
use crate::support::{Folder, Transcript};
use serde_json::Value;

/// Every verdict, both kinds of runs, shared variables, arguments, a deadlock, numbers, no process, and signs that other languages use.
const MODEL: &str = "param clients = 2 in 1..9
shared turn: client? = none
shared left: 0..2 = 2
process client[clients] {
  var st: {idle, busy} = idle
  action take(other in client): turn == none and left > 0 and other != self -> st := busy, turn := other, left := left - 1
  action give: turn == self -> turn := none
  action rest: st == busy -> st := idle
}
invariant at_most_one: count(c in client: c.st == busy) <= 1
invariant small: left <= 2
ltl served: forall c in client: G F c.st == busy
ctl reset: AG EF left == 2
";

fn model() -> Folder {
    Folder::with(&[("m.orb", MODEL)])
}

/// The report of this kind, and the exit status.
fn report(folder: &Folder, kind: &str, more: &[&str]) -> (String, i32) {
    let wanted = format!("{kind}=out");
    let output = folder.run(&[&["check", "m.orb", "-q", "--report", &wanted], more].concat(), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "--quiet prints nothing");
    (folder.read("out"), output.status.code().unwrap())
}

fn json(folder: &Folder, more: &[&str]) -> Value {
    let output = folder.run(&[&["check", "m.orb", "--json"], more].concat(), "");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The states of a property's run, with who moved, as `--json` has them.
fn states(result: &Value) -> Vec<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    if result["path"].is_array() {
        return list(&result["path"]);
    }
    [list(&result["lasso"]["prefix"]), list(&result["lasso"]["cycle"])].concat()
}

fn mask_times(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" time=\"") {
        masked.push_str(&rest[..at]);
        let after = &rest[at + 7..];
        rest = &after[after.find('"').unwrap() + 1..];
    }
    masked + rest
}

#[test]
fn texts_of_each_kind() {
    let folder = model();
    let mut transcript = Transcript::default();
    for kind in ["github", "csv", "plantuml", "mermaid"] {
        transcript.run(&folder, &["check", "m.orb", "-q", "--report", &format!("{kind}=-")]);
    }
    transcript.check("report_texts");
}

#[test]
fn junit_counts_what_it_has() {
    let folder = model();
    let (text, status) = report(&folder, "junit", &[]);
    assert_eq!(status, 1);
    let all = follows_the_schema(&text).unwrap();
    let count = |wanted: &str| all.iter().filter(|(_, name, ..)| name == wanted).count().to_string();
    let suite = |wanted: &str| {
        let (.., attributes, _) = all.iter().find(|(_, name, ..)| name == "testsuite").unwrap();
        attributes.iter().find(|(name, _)| name == wanted).unwrap().1.clone()
    };
    assert_eq!((suite("tests"), suite("failures")), (count("testcase"), count("failure")));
    assert_eq!(suite("errors"), count("error"));
    let verdicts = json(&folder, &[]);
    let violated =
        verdicts["results"].as_array().unwrap().iter().filter(|r| r["verdict"] == "violated").count();
    assert_eq!(count("failure"), violated.to_string());
    assert!(mask_times(&text).contains("<testcase classname=\"m\" name=\"invariant small\"/>"), "{text}");
}

/// A suite that knows nothing must not look like one that holds.
#[test]
fn what_is_not_known_is_an_error_of_junit() {
    let folder = model();
    let (text, status) = report(&folder, "junit", &["--max-states", "2", "-p", "small"]);
    assert_eq!(status, 3);
    assert!(
        text.contains("failures=\"0\" errors=\"1\"") && text.contains("<error type=\"unknown\""),
        "{text}"
    );
    let (text, _) = report(&folder, "sarif", &["--max-states", "2", "-p", "small"]);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    assert_eq!(log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["level"], "warning");
    let (text, _) = report(&folder, "github", &["--max-states", "2", "-p", "small"]);
    assert!(text.starts_with("::warning file=m.orb,line=11,"), "{text}");
}

#[test]
fn sarif_follows_its_schema_and_names_the_violations() {
    let schema: Value = serde_json::from_str(include_str!("../schemas/sarif.schema.json")).unwrap();
    let folder = model();
    let (text, _) = report(&folder, "sarif", &[]);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(validate(&schema, &schema, &log, "log"), Ok(()));
    let run = &log["runs"][0];
    let checked = json(&folder, &[]);
    for result in run["results"].as_array().unwrap() {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(
            rule["properties"]["verdict"],
            if result["level"] == "note" { "note" } else { "violated" }
        );
        let Some(own) =
            checked["results"].as_array().unwrap().iter().find(|r| r["property"] == result["ruleId"])
        else {
            continue;
        };
        let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        if own["branching"].is_null() {
            assert_eq!(flow.len(), states(own).len(), "{}", result["ruleId"]);
        }
        // The places of the flow are the actions' names in the text.
        for (location, state) in flow.iter().zip(states(own)).skip(1) {
            let region = &location["location"]["physicalLocation"]["region"];
            let Some(action) = state["action"].as_str() else { continue };
            let line = MODEL.lines().nth(region["startLine"].as_u64().unwrap() as usize - 1).unwrap();
            let (from, to) = (
                region["startColumn"].as_u64().unwrap() as usize,
                region["endColumn"].as_u64().unwrap() as usize,
            );
            assert_eq!(&line[from - 1..to - 1], action);
        }
    }
    let violated: Vec<&Value> =
        run["results"].as_array().unwrap().iter().filter(|r| r["level"] == "error").collect();
    let expected =
        checked["results"].as_array().unwrap().iter().filter(|r| r["verdict"] == "violated").count();
    assert_eq!(violated.len(), expected);
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "bad".into();
    assert!(validate(&schema, &schema, &wrong, "log").is_err());
    wrong = log.clone();
    wrong["runs"][0]["results"][0]["wrong"] = 1.into();
    assert!(validate(&schema, &schema, &wrong, "log").is_err());
}

/// A value of the trace as `--json` writes it.
fn from_itf(value: &Value) -> Value {
    match value {
        Value::String(text) if text == "none" => Value::Null,
        Value::Array(items) => items.iter().map(from_itf).collect(),
        Value::Object(fields) => match fields.get("#bigint") {
            Some(number) => number.as_str().unwrap().parse::<i64>().unwrap().into(),
            None => fields.iter().map(|(name, value)| (name.clone(), from_itf(value))).collect(),
        },
        other => other.clone(),
    }
}

#[test]
fn itf_has_the_states_of_the_run() {
    let schema: Value = serde_json::from_str(include_str!("../schemas/itf.schema.json")).unwrap();
    let folder = model();
    let output = folder.run(&["check", "m.orb", "-q", "--report", "itf={}.itf.json"], "");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]));
    let checked = json(&folder, &[]);
    let mut compared = 0;
    for result in checked["results"].as_array().unwrap().iter().filter(|r| r["branching"].is_null()) {
        let expected = states(result);
        let name = format!("{}.itf.json", result["property"].as_str().unwrap());
        assert_eq!(folder.names().contains(&name), !expected.is_empty(), "{name}");
        if expected.is_empty() {
            continue;
        }
        let trace: Value = serde_json::from_str(&folder.read(&name)).unwrap();
        assert_eq!(validate(&schema, &schema, &trace, &name), Ok(()));
        let found = trace["states"].as_array().unwrap();
        // The state that closes the loop is there once.
        let looping = result["lasso"].is_object();
        assert_eq!(found.len() + usize::from(looping), expected.len(), "{name}");
        let cycle = result["lasso"]["cycle"].as_array().map_or(0, Vec::len);
        assert_eq!(trace["loop"].as_u64(), looping.then(|| (found.len() - cycle) as u64), "{name}");
        for (at, (state, own)) in found.iter().zip(&expected).enumerate() {
            let mut variables = from_itf(state);
            let fields = variables.as_object_mut().unwrap();
            fields.remove("#meta");
            let taken = fields.remove("mbt::actionTaken").unwrap();
            assert_eq!(state["#meta"]["index"], at);
            assert_eq!(variables, own["state"], "{name}");
            match (own["process"].as_str(), own["action"].as_str()) {
                (Some(process), Some(action)) => {
                    assert!(taken.as_str().unwrap().starts_with(&format!("{process}.{action}")), "{taken}");
                }
                _ => assert!(taken == "init" || taken == "(nobody can move)"),
            }
        }
        compared += 1;
    }
    assert!(compared >= 2, "a path and a lasso");
}

/// Reads the rows of a table as RFC 4180 has them.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let (mut quoted, mut signs) = (false, text.chars().peekable());
    while let Some(sign) = signs.next() {
        let cell = rows.last_mut().unwrap().last_mut().unwrap();
        match sign {
            '"' if quoted && signs.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => rows.last_mut().unwrap().push(String::new()),
            '\r' if !quoted => {
                assert_eq!(signs.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            _ => cell.push(sign),
        }
    }
    assert_eq!(rows.pop(), Some(vec![String::new()]));
    rows
}

#[test]
fn csv_has_a_row_a_state() {
    let folder = model();
    let (text, _) = report(&folder, "csv", &["-p", "at_most_one", "-p", "served", "--no-deadlocks"]);
    let table = rows(&text);
    let head = &table[0];
    let column =
        |name: &str| head.iter().position(|own| own == name).unwrap_or_else(|| panic!("{name} in {head:?}"));
    let checked = json(&folder, &["-p", "at_most_one", "-p", "served"]);
    let mut at = 1;
    for result in checked["results"].as_array().unwrap() {
        for (step, own) in states(result).iter().enumerate() {
            let row = &table[at];
            assert_eq!((row.len(), &row[0]), (head.len(), &result["property"].as_str().unwrap().to_owned()));
            assert_eq!(row[column("step")], step.to_string());
            assert_eq!(row[column("process")], own["process"].as_str().unwrap_or(""));
            assert_eq!(row[column("left")], own["state"]["left"].to_string());
            assert_eq!(row[column("turn")], own["state"]["turn"].as_str().unwrap_or("none"));
            for client in 0..2 {
                assert_eq!(
                    row[column(&format!("client[{client}].st"))],
                    own["state"]["client"][client]["st"].as_str().unwrap()
                );
            }
            at += 1;
        }
    }
    assert_eq!(at, table.len());
}

/// A file and a table whose names have what XML and CSV use themselves.
#[test]
fn names_with_signs_of_other_languages() {
    let text = "shared seen[0..1, 0..1]: bool = false\nprocess p { action go(i in 0..1, j in 0..1): true -> seen[i, j] := true }\ninvariant never: not seen[0, 1]\n";
    let folder = Folder::with(&[("a&b.orb", text)]);
    let run = |kind: &str| {
        folder.run(&["check", "a&b.orb", "-q", "--no-deadlocks", "--report", &format!("{kind}=out")], "");
        folder.read("out")
    };
    let all = elements(&run("junit")).unwrap();
    let file = all.iter().flat_map(|(_, _, attributes, _)| attributes).find(|(name, _)| name == "file");
    assert_eq!(file.map(|(_, file)| file.as_str()), Some("a&b.orb"));
    let table = rows(&run("csv"));
    assert!(table.iter().all(|row| row.len() == table[0].len()), "{table:?}");
    assert!(
        table[0].contains(&"seen[0, 1]".to_owned()) && table[2].contains(&"go(0, 1)".to_owned()),
        "{table:?}"
    );
}

/// The browser looks at it in `e2e/12-report.test.mjs`; here what no browser complains about.
#[test]
fn the_page_has_everything_and_asks_for_nothing() {
    let folder = model();
    let (page, _) = report(&folder, "html", &[]);
    for words in [
        "at_most_one",
        "violated under weak fairness",
        "data:image/svg+xml,",
        "id=\"run-0\"",
        "Why this is fair",
        "turn == none and left &gt; 0",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for words in ["src=\"http", "href=\"http", "url(", "<link", "import("] {
        assert!(!page.contains(words), "{words}");
    }
    let again = report(&folder, "html", &[]).0;
    let times = |page: &str| -> Vec<String> {
        page.lines().filter(|line| !line.contains(" s</td>")).map(Into::into).collect()
    };
    assert_eq!(times(&page), times(&again), "two runs, one page");
}

#[test]
fn reports_that_cannot_be_written() {
    let folder = model();
    folder.write(
        "turns.orb",
        b"process p { var x: bool = false action go: true -> x := not x }\ninvariant fine: true\n",
    );
    let mut transcript = Transcript::default();
    transcript
        .run(&folder, &["check", "m.orb", "--report", "juint=out.xml"])
        .run(&folder, &["check", "m.orb", "--report", "junit"])
        .run(&folder, &["check", "m.orb", "-q", "--report", "junit=nowhere/out.xml"])
        .run(&folder, &["check", "m.orb", "-q", "--report", "itf=out.itf.json"])
        .run(&folder, &["check", "turns.orb", "-q", "--report", "mermaid=none.mmd"])
        .run(&folder, &["check", "m.orb", "-q", "--json"]);
    transcript.check("report_bad");
    assert_eq!(folder.names(), ["m.orb", "out.itf.json", "turns.orb"]);
}
