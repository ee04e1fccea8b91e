//! The language server on texts in Murphi.

use crate::editor::{Client, position};
use serde_json::{Value, json};

const URI: &str = "file:///lock.m";

/// A lock of which two rules, two properties, a record, a procedure and names of every kind are asked.
const LOCK: &str = "-- How many there are. 𝄞
const
  threads: 3;
type
  thread: scalarset(threads);
  place: enum { away, inside };
  note: record who: thread; where: place; end;
var
  at: array [thread] of place;
  last: note;

procedure move(t: thread; where: place);
begin
  at[t] := where;
  last.who := t;
  last.where := where;
end;

startstate
  for t: thread do at[t] := away end;
  undefine last;
end;

ruleset t: thread do
  rule \"enter\"
    at[t] = away ==> move(t, inside);
  end;
  rule \"leave\"
    at[t] = inside ==> move(t, away);
  end;
end;

invariant \"never\" forall t: thread do at[t] != inside end;
-- orbitscope: ltl again: forall t in thread: G F at[t] == away
";

fn client() -> Client {
    let mut client = Client::open(URI, "objective-c", LOCK);
    assert_eq!(client.told(), [json!(null); 0]);
    client
}

fn at(part: &str) -> usize {
    LOCK.find(part).unwrap()
}

fn places(client: &mut Client, method: &str, offset: usize) -> Vec<Value> {
    let found = client.at(method, offset, json!({})).unwrap();
    found.as_array().unwrap().iter().map(|place| place["range"]["start"].clone()).collect()
}

fn titles(client: &mut Client) -> Vec<String> {
    let lenses = client.of_text("textDocument/codeLens").unwrap();
    let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_owned();
    lenses.as_array().unwrap().iter().map(title).collect()
}

#[test]
fn names_of_murphi() {
    let mut client = client();
    let mut defined = |part: &str, skip: usize, declared: &str| {
        let found = places(&mut client, "textDocument/definition", at(part) + skip);
        assert_eq!(found, [position(LOCK, at(declared))], "{part}");
    };
    defined("threads);", 0, "threads: 3");
    defined("array [thread", 7, "thread: scalarset");
    defined("last.who :=", 0, "last: note");
    defined("last.who :=", 5, "who: thread");
    defined("last.where :=", 14, "where: place);");
    defined("move(t, inside)", 0, "move(t: thread");
    defined("move(t, inside)", 5, "t: thread do\n  rule");
    defined("!= inside", 3, "inside }");
    let used = places(&mut client, "textDocument/references", at("inside }"));
    assert_eq!(used.len(), 4);
    let hover = client.at("textDocument/hover", at("threads);"), json!({})).unwrap();
    let words = hover["contents"]["value"].as_str().unwrap();
    assert!(words.contains("const threads: 3") && words.contains("How many there are"), "{words}");
    let hover = client.at("textDocument/hover", at("move(t, inside)"), json!({})).unwrap();
    let words = hover["contents"]["value"].as_str().unwrap();
    assert!(words.contains("procedure move(t: thread; where: place)"), "{words}");
    let outline = client.of_text("textDocument/documentSymbol").unwrap();
    let names: Vec<&str> =
        outline.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["threads", "thread", "place", "note", "at", "last", "move", "startstate", "enter", "leave", "never"]
    );
    assert_eq!(outline[3]["children"].as_array().unwrap().len(), 2);
    let tokens = client.of_text("textDocument/semanticTokens/full").unwrap();
    assert!(tokens["data"].as_array().unwrap().len() > 200);
    // A line of a property may speak of a name, and only the translation understands it.
    let refused = client.at("textDocument/rename", at("threads: 3"), json!({ "newName": "n" })).unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("not renamed"), "{refused}");
    assert!(client.of_text("textDocument/formatting").is_err());
    client.end();
}

#[test]
fn completion_of_murphi() {
    let mut client = client();
    let mut offered = |offset: usize| {
        let found = client.at("textDocument/completion", offset, json!({})).unwrap();
        let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
        found.as_array().unwrap().iter().map(label).collect::<Vec<_>>()
    };
    assert_eq!(offered(at("last.who :=") + 5), ["where", "who"], "fields behind a dot");
    let inside = offered(at("last.who := t") + 12);
    assert_eq!(inside[..2], ["where", "t"], "the nearest first");
    assert!(inside.contains(&"threads".into()) && inside.contains(&"undefine".into()));
    let outside = offered(at("startstate"));
    assert!(!outside.contains(&"t".into()), "a parameter of a procedure is known there alone");
    assert_eq!(offered(at("How many") + 3), [""; 0], "in a comment");
    client.end();
}

#[test]
fn properties_of_murphi_are_checked() {
    let mut client = client();
    assert_eq!(titles(&mut client), ["check", "check"]);
    let lenses = client.of_text("textDocument/codeLens").unwrap();
    assert_eq!(lenses[0]["range"]["start"], position(LOCK, at("never\" forall")));
    assert_eq!(lenses[1]["range"]["start"], position(LOCK, at("again: forall")));
    assert_eq!(client.command("orbitscope.check", "never").unwrap()[0]["words"], "violated");
    assert_eq!(client.command("orbitscope.check", "again").unwrap()[0]["bad"], false);
    let run = client.command("orbitscope.showRun", "never").unwrap();
    assert!(run["run"].as_str().unwrap().contains("enter") && run["link"].is_string(), "{run}");
    while client.diagnostics.as_ref().is_none_or(|(_, messages)| messages.is_empty()) {
        client.read();
    }
    assert_eq!(client.told()[0]["message"], "never: violated");
    let hover = client.at("textDocument/hover", at("never\" forall"), json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**violated**"), "{hover}");
    client.end();
}

/// Two hundred edits: what is told is always what the command line would say of the text as it is then.
#[test]
fn two_hundred_edits_of_murphi() {
    let mut client = client();
    let mut random = 11u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound.max(1)
    };
    let (mut wrong, mut right) = (0, 0);
    for edit in 0..200 {
        let start = client.text.floor_char_boundary(below(client.text.len() + 1));
        let end = |text: &str, length: usize| text.ceil_char_boundary((start + length).min(text.len()));
        match below(6) {
            0 => client.edit(
                start,
                start,
                ["x", " ", "end;", "--", "𝄞", "\n", ":=", "rule ", "ruleset t: thread do "][edit % 9],
            ),
            1 => client.edit(start, end(&client.text.clone(), 1), ""),
            2 => client.edit(start, end(&client.text.clone(), 12), ""),
            3 | 4 => client.edit(0, client.text.len(), LOCK),
            _ => client.edit(start, end(&client.text.clone(), 3), "at"),
        }
        let offset = client.text.floor_char_boundary(start);
        for method in ["completion", "hover", "references"] {
            drop(client.at(&format!("textDocument/{method}"), offset, json!({})).unwrap());
        }
        for method in ["semanticTokens/full", "codeLens", "documentSymbol"] {
            drop(client.of_text(&format!("textDocument/{method}")).unwrap());
        }
        let told = client.told();
        let messages = match orbitscope_murphi::model(&client.text) {
            Err(orbitscope_core::Error::Model(error)) => {
                error.diagnostics().iter().map(|d| d.message.clone()).collect()
            }
            _ => Vec::new(),
        };
        let told: Vec<&str> = told.iter().map(|message| message["message"].as_str().unwrap()).collect();
        assert_eq!(told, messages, "after edit {edit}:\n{}", client.text);
        if messages.is_empty() { right += 1 } else { wrong += 1 }
    }
    assert!(wrong > 50 && right > 20, "{wrong} wrong, {right} right");
    client.end();
}
