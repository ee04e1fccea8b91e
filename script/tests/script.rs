//! Questions as scripts ask them.

use orbitscope_core::link::Link;
use orbitscope_script::{
    Answer, Asked, Event, answer, describe, format, graph, link, model, properties, start, symmetry,
};
use serde_json::{Value, json};

const TEXT: &str = "param n = 3 in 1..9
process p[n] { var x: bool = false action flip: true -> x := not x }
invariant fine: true
ltl settles: forall q in p: F G q.x
cover up: p[0].x and p[1].x
";

fn asked(members: Value) -> Asked {
    serde_json::from_value(members).unwrap()
}

fn value(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

fn check(text: &str, members: Value, property: &str) -> Answer {
    let model = model(text, &asked(members)).unwrap();
    let mut session = start(&model, property).unwrap();
    while session.step() {}
    answer(&model, session)
}

#[test]
fn a_model_is_described() {
    let told = value(&describe(TEXT, &asked(json!({ "set": { "n": 4 } }))).unwrap());
    assert_eq!(told["parameters"], json!([{ "name": "n", "value": 4, "least": 1, "most": 9 }]));
    assert_eq!(told["families"], json!([{ "name": "p", "size": 4 }]));
    assert_eq!(told["properties"][1], json!({ "name": "settles", "logic": "ltl", "line": 4 }));
    let group = value(&symmetry(TEXT, &Asked::default()).unwrap());
    assert_eq!((&group["order"], group["generators"].as_array().unwrap().len()), (&json!("6"), 2));
}

#[test]
fn answers_have_runs_of_the_program() {
    let broken = value(&check(TEXT, json!({}), "settles"));
    assert_eq!((&broken["verdict"], &broken["logic"]), (&json!("violated"), &json!("ltl")));
    assert_eq!(broken["run"]["prefix"][0]["state"]["p"][0]["x"], false);
    assert!(!broken["run"]["cycle"].as_array().unwrap().is_empty());
    assert_eq!(broken["ledger"].as_array().unwrap().len(), 3);
    let covered = value(&check(TEXT, json!({}), "up"));
    assert_eq!((&covered["words"], &covered["run"]["cycle"]), (&json!("covered"), &Value::Null));
    assert_eq!(covered["run"]["prefix"].as_array().unwrap().len(), 3);
    let fine = value(&check(TEXT, json!({ "engine": "explicit", "states": 100 }), "fine"));
    assert_eq!((&fine["verdict"], &fine["run"]), (&json!("holds"), &Value::Null));
    let limited = value(&check(TEXT, json!({ "engine": "explicit", "states": 2 }), "fine"));
    assert_eq!(limited["verdict"], "unknown");
    assert!(limited["words"].as_str().unwrap().starts_with("unknown: "));
}

#[test]
fn the_search_tells_its_steps() {
    let model = model(TEXT, &Asked::default()).unwrap();
    assert_eq!(properties(&model, &Asked::default()), ["fine", "settles", "up"]);
    let mut session = start(&model, "settles").unwrap();
    let mut events: Vec<Event> = Vec::new();
    while session.step() {
        events.extend(session.event().map(Event::from));
    }
    assert_eq!(value(&events)[0], json!({ "kind": "root", "node": 0 }));
    assert!(events.iter().any(|event| matches!(event, Event::Yes { .. })));
}

#[test]
fn graphs_links_and_standard_form() {
    let quotient: Value = serde_json::from_str(&graph(TEXT, &Asked::default(), "json").unwrap()).unwrap();
    assert_eq!(quotient["nodes"].as_array().unwrap().len(), 4);
    let states = graph(TEXT, &asked(json!({ "of": "states" })), "dot").unwrap();
    assert!(states.starts_with("digraph") && states.matches("->").count() >= 24);
    assert!(
        graph(TEXT, &asked(json!({ "of": "product", "property": "settles" })), "svg")
            .unwrap()
            .contains("<svg")
    );
    assert!(link(TEXT, &asked(json!({ "property": "up" }))).unwrap().starts_with("1."));
    let strong =
        asked(json!({ "property": "up", "fairness": "strong", "engine": "onthefly", "set": { "n": 4 } }));
    let opened = Link::decode(&link(TEXT, &strong).unwrap()).unwrap();
    assert_eq!(opened.options, [("fairness".to_owned(), "strong".to_owned())].into());
    assert_eq!((opened.property.as_deref(), opened.settings), (Some("up"), vec![("n".to_owned(), 4)]));
    assert!(format("invariant   x:true").unwrap().starts_with("invariant x: true"));
}

#[test]
fn what_is_wrong_is_told() {
    // Noise that no compression makes short.
    let mut seed = 1u64;
    let noise: String = (0..1_500_000)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            char::from(33 + (seed % 90) as u8)
        })
        .collect();
    let long = link(&format!("{TEXT}// {noise}\n"), &Asked::default()).unwrap_err();
    assert_eq!(long.kind, "limit", "{long}");
    let wrong = describe("param n = \nprocess", &Asked::default()).unwrap_err();
    assert_eq!(wrong.kind, "model");
    assert_eq!((wrong.problems[0].line, wrong.problems[0].column), (Some(1), Some(10)));
    assert!(wrong.message.contains("1:10"), "{}", wrong.message);
    let kinds = [
        describe(TEXT, &asked(json!({ "set": { "n": 70 } }))).unwrap_err(),
        describe(TEXT, &asked(json!({ "engine": "explict" }))).unwrap_err(),
        graph(TEXT, &asked(json!({ "of": "product" })), "dot").unwrap_err(),
        graph(TEXT, &Asked::default(), "png").unwrap_err(),
        link(TEXT, &asked(json!({ "property": "settle" }))).unwrap_err(),
    ];
    let told: Vec<(&str, &str)> =
        kinds.iter().map(|wrong| (wrong.kind, wrong.message.lines().next().unwrap())).collect();
    assert!(told[0].0 == "model" && told[0].1.contains("must be in 1..9"), "{told:?}");
    assert_eq!(told[1], ("usage", "there is no engine `explict`; did you mean `explicit`?"));
    assert_eq!(told[2], ("usage", "this graph needs a property"));
    assert_eq!(told[3], ("usage", "there is no form `png`; there are json, dot, svg"));
    assert_eq!(told[4].1, "there is no property called `settle`; did you mean `settles`?");
    assert!(serde_json::from_value::<Asked>(json!({ "sets": {} })).is_err(), "a misspelt member");
}
