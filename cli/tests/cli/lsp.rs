//! The language server, asked by a client over standard input.

use crate::editor::{Client, URI, position};
use crate::support::Folder;
use serde_json::{Value, json};
use std::io::Write as _;

const MODEL: &str = "// 𝄞 How many there are.\nparam n = 3\n\nprocess p[n] {\n  var st: {idle, busy} = idle\n  action go: st == idle -> st := busy\n  action rest: st == busy -> st := idle\n}\n\ninvariant never: not exists q in p: q.st == busy\nltl again: forall q in p: G F q.st == idle\n";

#[test]
fn questions_of_an_editor() {
    let mut client = Client::new(MODEL);
    assert_eq!(client.told(), [json!(null); 0]);
    let at = |part: &str| MODEL.find(part).unwrap();
    let hover = client.at("textDocument/hover", at("n]"), json!({})).unwrap();
    let hover = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(hover.contains("param n = 3") && hover.contains("𝄞 How many there are."), "{hover}");
    let places = client.at(
        "textDocument/references",
        at("st =="),
        json!({ "context": { "includeDeclaration": true } }),
    );
    assert_eq!(places.unwrap().as_array().unwrap().len(), 7);
    let defined = client.at("textDocument/definition", at("q.st"), json!({})).unwrap();
    assert_eq!(defined[0]["range"]["start"], position(MODEL, at("q in p")));
    let renamed = client.at("textDocument/rename", at("busy}"), json!({ "newName": "working" })).unwrap();
    assert_eq!(renamed["changes"][URI].as_array().unwrap().len(), 4);
    let refused = client.at("textDocument/rename", at("busy}"), json!({ "newName": "n" })).unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("declared already"), "{refused}");
    assert!(client.at("textDocument/prepareRename", at("param"), json!({})).is_err());
    let offered = client.at("textDocument/completion", at("busy\nltl"), json!({})).unwrap();
    assert_eq!([&offered[0]["label"], &offered[1]["label"]], ["idle", "busy"]);
    let outline = client.of_text("textDocument/documentSymbol").unwrap();
    assert_eq!(outline.as_array().unwrap().len(), 4);
    assert_eq!(outline[1]["children"].as_array().unwrap().len(), 3);
    let tokens = client.of_text("textDocument/semanticTokens/full").unwrap();
    let data = tokens["data"].as_array().unwrap();
    assert!(data.len().is_multiple_of(5) && data.len() > 200, "{}", data.len());
    assert_eq!(client.of_text("textDocument/formatting").unwrap(), json!([]), "it is formatted");
    assert_eq!(
        client.ask("textDocument/hover", json!({ "textDocument": { "uri": "file:///other" } })).unwrap_err()
            ["code"],
        -32602
    );
    assert_eq!(client.ask("nonsense", json!({})).unwrap_err()["code"], -32601);
    client.end();
}

#[test]
fn properties_are_checked_from_the_editor() {
    let mut client = Client::new(MODEL);
    let lenses = client.of_text("textDocument/codeLens").unwrap();
    let titles = |lenses: &Value| -> Vec<String> {
        lenses
            .as_array()
            .unwrap()
            .iter()
            .map(|lens| lens["command"]["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(titles(&lenses), ["check", "check"]);
    assert!(
        client.command("orbitscope.showRun", "never").unwrap_err()["message"]
            .as_str()
            .unwrap()
            .contains("check it first")
    );
    assert!(
        client.command("orbitscope.check", "nothing").unwrap_err()["message"]
            .as_str()
            .unwrap()
            .contains("no property")
    );
    let found = client.command("orbitscope.check", "never").unwrap();
    assert_eq!(found[0]["words"], "violated");
    let found = client.command("orbitscope.check", "again").unwrap();
    assert_eq!(found[0]["words"], "holds");
    let lenses = client.of_text("textDocument/codeLens").unwrap();
    assert_eq!(titles(&lenses), ["violated (check again)", "show run", "holds (check again)"]);
    let run = client.command("orbitscope.showRun", "never").unwrap();
    assert!(run["run"].as_str().unwrap().contains("p[0].go") && run["link"].is_string(), "{run}");
    let kinds: Vec<&str> =
        client.notes.iter().filter_map(|note| note["params"]["value"]["kind"].as_str()).collect();
    assert_eq!(kinds, ["begin", "end", "begin", "end"]);
    // The verdict stands with the property until the text changes.
    while client.diagnostics.as_ref().is_none_or(|(_, messages)| messages.is_empty()) {
        client.read();
    }
    assert_eq!(client.told()[0]["message"], "never: violated");
    let hover = client.at("textDocument/hover", MODEL.find("never").unwrap(), json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**violated**"));
    client.edit(0, 0, "\n");
    assert_eq!(client.told(), [json!(null); 0], "what was found of another text is not told");
    assert_eq!(titles(&client.of_text("textDocument/codeLens").unwrap()), ["check", "check"]);
    client.end();
}

/// A check of more states than can be seen while a test waits is stopped by its client, and by an edit.
#[test]
fn checks_are_stopped() {
    let large = "process p[40] { var x: 0..1000000 = 0 action up: x < 1000000 -> x := x + 1 }\ninvariant low: forall q in p: q.x < 1000000\n";
    let mut client = Client::new(large);
    let check = json!({ "command": "orbitscope.check", "arguments": [URI, "low"], "workDoneToken": "mine" });
    let id = client.start("workspace/executeCommand", check.clone());
    client.tell("window/workDoneProgress/cancel", json!({ "token": "mine" }));
    assert_eq!(client.answer(id).unwrap_err()["code"], -32800);
    let id = client.start("workspace/executeCommand", check.clone());
    // The server goes on answering while it checks.
    assert!(client.at("textDocument/hover", 8, json!({})).is_ok());
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id).unwrap_err()["code"], -32800);
    let id = client.start("workspace/executeCommand", check);
    client.edit(0, 0, " ");
    assert_eq!(client.answer(id).unwrap_err()["code"], -32800);
    client.end();
}

/// Two hundred edits: characters typed and deleted, words and lines moved, at places all over the text. After each what
/// is told is what is true of the text as it is then.
#[test]
fn two_hundred_edits() {
    let mut client = Client::new(MODEL);
    let mut random = 7u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound.max(1)
    };
    let (mut wrong, mut right) = (0, 0);
    for edit in 0..200 {
        let places: Vec<usize> =
            client.text.char_indices().map(|(at, _)| at).chain([client.text.len()]).collect();
        let start = places[below(places.len())];
        let after =
            |count: usize| places[(places.partition_point(|&at| at < start) + count).min(places.len() - 1)];
        match below(6) {
            0 => client.edit(
                start,
                start,
                ["x", " ", "{", "}", "𝄞", "\n", ":=", "//", "forall q in p: "][edit % 9],
            ),
            1 => client.edit(start, after(1), ""),
            2 => client.edit(start, after(12), ""),
            // An undo puts the old text back.
            3 | 4 => client.edit(0, client.text.len(), MODEL),
            _ => client.edit(start, after(3), "st"),
        }
        let offset = client.text.floor_char_boundary(start);
        match edit % 5 {
            0 => drop(client.at("textDocument/completion", offset, json!({})).unwrap()),
            1 => drop(client.at("textDocument/hover", offset, json!({})).unwrap()),
            2 => drop(client.of_text("textDocument/semanticTokens/full").unwrap()),
            3 => drop(client.of_text("textDocument/codeLens").unwrap()),
            _ => drop(client.at("textDocument/rename", offset, json!({ "newName": "fresh" }))),
        }
        let told = client.told();
        let parsed = orbitscope_core::syntax::parse(&client.text);
        let mut messages: Vec<String> = parsed.diagnostics.iter().map(|d| d.message.clone()).collect();
        if messages.is_empty()
            && let Err(found) =
                orbitscope_core::program::build(&parsed.file, &orbitscope_core::program::Settings::default())
        {
            messages = found.into_iter().map(|d| d.message).collect();
        }
        let told: Vec<&str> = told.iter().map(|message| message["message"].as_str().unwrap()).collect();
        assert_eq!(told, messages, "after edit {edit}:\n{}", client.text);
        if messages.is_empty() { right += 1 } else { wrong += 1 }
    }
    assert!(wrong > 50 && right > 20, "{wrong} wrong, {right} right");
    client.end();
}

/// A body that is no message is answered, and the next one is read.
#[test]
fn malformed_messages() {
    let mut client = Client::new(MODEL);
    let mut error = |body: &[u8]| {
        write!(client.input, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
        client.input.write_all(body).unwrap();
        client.input.flush().unwrap();
        loop {
            let message = client.read();
            if message.get("error").is_some() {
                return (message["error"]["code"].as_i64().unwrap(), message["id"].clone());
            }
        }
    };
    assert_eq!(error(b"{"), (-32700, Value::Null));
    assert_eq!(error(b"\xff\xfe"), (-32700, Value::Null));
    assert_eq!(error(b"[1, 2]"), (-32600, Value::Null));
    assert_eq!(error(br#"{"jsonrpc":"2.0","id":9,"method":["x"]}"#), (-32600, json!(9)));
    assert_eq!(
        error(br#"{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":[1]}"#),
        (-32602, json!(9))
    );
    assert_eq!(error(br#"{"jsonrpc":"2.0","id":"a","method":"no/such"}"#), (-32601, json!("a")));
    assert_eq!(
        error(br#"{"jsonrpc":"2.0","id":9,"method":"workspace/executeCommand","params":{"command":7}}"#),
        (-32602, json!(9))
    );
    // Notifications have no answer: what is wrong with them changes nothing.
    let place = json!({ "line": -1, "character": 1e300 });
    let range = json!({ "start": { "line": 7, "character": 0 }, "end": place });
    for params in [
        Value::Null,
        json!({ "textDocument": 7 }),
        json!({ "textDocument": { "uri": "file:///other.orb" }, "contentChanges": [{ "text": "x" }] }),
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": "all" }),
        json!({ "textDocument": { "uri": URI, "version": 3 }, "contentChanges": [{ "range": range, "text": "" }] }),
    ] {
        client.tell("textDocument/didChange", params);
    }
    client.tell("textDocument/didOpen", json!([]));
    client.tell("no/such", json!({}));
    client.tell("$/cancelRequest", json!({ "id": {} }));
    let hover = json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": 7 } });
    assert!(
        client.ask("textDocument/hover", hover).unwrap()["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("param n")
    );
    client.end();
}

#[test]
fn a_stream_that_is_no_protocol_ends_with_a_message() {
    let folder = Folder::new();
    for (input, words) in [
        ("hello\n", "does not begin with a line `Content-Length: N`"),
        ("Content-Length: 99999999999999\r\n\r\n", "is too long"),
        ("Content-Length: 10\r\n\r\n{}", "gone in the middle of a message"),
        ("", "gone before it said anything"),
    ] {
        let output = folder.run(&["lsp"], input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("orbitscope lsp: ") && said.contains(words), "{said}");
    }
}
