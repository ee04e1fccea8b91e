//! The language server, asked by a client over standard input.

use crate::support::Folder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const URI: &str = "file:///model.orb";

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    version: i64,
    /// The client's own copy of the text.
    text: String,
    /// The last diagnostics of the text: its version and the messages.
    diagnostics: Option<(i64, Vec<Value>)>,
    notes: Vec<Value>,
    _folder: Folder,
}

impl Client {
    fn new(text: &str) -> Client {
        let folder = Folder::new();
        let mut child = folder
            .command(&["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client {
            child,
            input,
            output,
            next: 0,
            version: 1,
            text: text.to_owned(),
            diagnostics: None,
            notes: Vec::new(),
            _folder: folder,
        };
        let capabilities = json!({ "window": { "workDoneProgress": true }, "workspace": { "codeLens": { "refreshSupport": true } } });
        let answer = client.ask("initialize", json!({ "capabilities": capabilities })).unwrap();
        assert_eq!(answer["serverInfo"]["name"], "orbitscope");
        client.tell("initialized", json!({}));
        let document = json!({ "uri": URI, "languageId": "orbitscope", "version": 1, "text": text });
        client.tell("textDocument/didOpen", json!({ "textDocument": document }));
        client
    }

    fn write(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.write(&message);
    }

    fn start(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.next, "method": method });
        message["params"] = params;
        self.write(&message);
        self.next
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap();
        if message["method"] == "textDocument/publishDiagnostics" {
            let version = message["params"]["version"].as_i64().unwrap();
            assert!(
                self.diagnostics.as_ref().is_none_or(|(last, _)| *last <= version),
                "older than what was told"
            );
            self.diagnostics = Some((version, message["params"]["diagnostics"].as_array().unwrap().clone()));
        } else if message.get("method").is_some() {
            self.notes.push(message.clone());
        }
        message
    }

    fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.start(method, params);
        self.answer(id)
    }

    /// Asks about a place of the text, the offset of which is given.
    fn at(&mut self, method: &str, offset: usize, mut params: Value) -> Result<Value, Value> {
        params["textDocument"] = json!({ "uri": URI });
        params["position"] = position(&self.text, offset);
        self.ask(method, params)
    }

    fn of_text(&mut self, method: &str) -> Result<Value, Value> {
        self.ask(
            method,
            json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } }),
        )
    }

    fn edit(&mut self, start: usize, end: usize, new: &str) {
        let range = json!({ "start": position(&self.text, start), "end": position(&self.text, end) });
        self.text.replace_range(start..end, new);
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        let changes = json!([{ "range": range, "text": new }]);
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The messages about the text as it is now.
    fn told(&mut self) -> Vec<Value> {
        while self.diagnostics.as_ref().is_none_or(|(version, _)| *version < self.version) {
            self.read();
        }
        self.diagnostics.clone().unwrap().1
    }

    fn command(&mut self, command: &str, property: &str) -> Result<Value, Value> {
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": [URI, property] }))
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap();
    json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
}

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

/// How long answers take in a model of 1,000 lines, each the longest of 20: `cargo test -p orbitscope-cli --release -- --ignored lsp_times
/// --nocapture`. $ORBITSCOPE_PROGRAM names a program that is built already.
#[test]
#[ignore = "it measures, and asserts nothing"]
fn lsp_times() {
    let mut text = String::from("param n = 3\nprocess p[n] {\n  var st: {idle, busy} = idle\n");
    for k in 0..480 {
        let _ = writeln!(
            text,
            "  var v{k}: 0..3 = 0\n  action go{k}: st == idle and v{k} < 3 -> v{k} := v{k} + 1, st := busy"
        );
    }
    text += "}\n";
    for k in 0..40 {
        let _ = writeln!(text, "invariant i{k}: forall q in p: q.v{k} <= 3 and q.st == idle");
    }
    let lines = text.lines().count();
    let mut client = Client::new(&text);
    client.told();
    let at = text.find("v200 <").unwrap();
    let mut longest = |what: &str, once: &mut dyn FnMut(&mut Client)| {
        let times = (0..20).map(|_| {
            let before = std::time::Instant::now();
            once(&mut client);
            before.elapsed()
        });
        println!("{what}: {:.1} ms", times.max().unwrap().as_secs_f64() * 1e3);
    };
    println!("{lines} lines");
    for method in ["hover", "definition", "references", "completion", "rename", "documentHighlight"] {
        longest(method, &mut |client| {
            client.at(&format!("textDocument/{method}"), at, json!({ "newName": "fresh" })).unwrap();
        });
    }
    for method in ["documentSymbol", "semanticTokens/full", "codeLens", "formatting"] {
        longest(method, &mut |client| drop(client.of_text(&format!("textDocument/{method}")).unwrap()));
    }
    longest("from an edit to its diagnostics", &mut |client| {
        client.edit(at, at, "x");
        client.told();
    });
    longest("from the edit back to none", &mut |client| {
        client.edit(at, at + 1, "");
        client.told();
    });
    client.end();
}
