//! An editor, as the language server sees one: a client over standard input and output.

use crate::support::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The text that a test speaks of, where it does not say.
pub(crate) const URI: &str = "file:///model.orb";

/// A client of the language server, with one text open.
pub(crate) struct Client {
    uri: String,
    pub(crate) child: Child,
    pub(crate) input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    version: i64,
    /// The client's own copy of the text.
    pub(crate) text: String,
    /// The last diagnostics of the text: its version and the messages.
    pub(crate) diagnostics: Option<(i64, Vec<Value>)>,
    pub(crate) notes: Vec<Value>,
    _folder: Folder,
}

impl Client {
    pub(crate) fn new(text: &str) -> Client {
        Client::open(URI, "orbitscope", text)
    }

    /// Opens a text under an address, in a language as editors call it.
    pub(crate) fn open(uri: &str, language: &str, text: &str) -> Client {
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
            uri: uri.to_owned(),
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
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        client.tell("textDocument/didOpen", json!({ "textDocument": document }));
        client
    }

    pub(crate) fn write(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.write(&message);
    }

    pub(crate) fn start(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.next, "method": method });
        message["params"] = params;
        self.write(&message);
        self.next
    }

    pub(crate) fn read(&mut self) -> Value {
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

    pub(crate) fn answer(&mut self, id: i64) -> Result<Value, Value> {
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

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.start(method, params);
        self.answer(id)
    }

    /// Asks about a place of the text, the offset of which is given.
    pub(crate) fn at(&mut self, method: &str, offset: usize, mut params: Value) -> Result<Value, Value> {
        params["textDocument"] = json!({ "uri": self.uri });
        params["position"] = position(&self.text, offset);
        self.ask(method, params)
    }

    pub(crate) fn of_text(&mut self, method: &str) -> Result<Value, Value> {
        self.ask(
            method,
            json!({ "textDocument": { "uri": self.uri }, "options": { "tabSize": 2, "insertSpaces": true } }),
        )
    }

    pub(crate) fn edit(&mut self, start: usize, end: usize, new: &str) {
        let range = json!({ "start": position(&self.text, start), "end": position(&self.text, end) });
        self.text.replace_range(start..end, new);
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let changes = json!([{ "range": range, "text": new }]);
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The messages about the text as it is now.
    pub(crate) fn told(&mut self) -> Vec<Value> {
        while self.diagnostics.as_ref().is_none_or(|(version, _)| *version < self.version) {
            self.read();
        }
        self.diagnostics.clone().unwrap().1
    }

    pub(crate) fn command(&mut self, command: &str, property: &str) -> Result<Value, Value> {
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": [self.uri, property] }))
    }

    pub(crate) fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

/// A place in a text as the protocol counts it.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap();
    json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
}
