//! `orbitscope lsp`: the language server, over standard input and output.
//!
//! Texts are answered from the language service of the core; what is asked of a text is computed anew, which takes
//! milliseconds. Messages that are waiting are read before anything is published, so that a client never sees what is wrong
//! with a text that it has changed since. A check runs on a thread of its own and is stopped when its text changes.

mod answers;
mod language;
mod text;
mod transport;
mod verdicts;

use crate::args::LspArgs;
use crate::failure::{Failure, Status};
use crate::internal;
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use language::Language;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use verdicts::{Event, Told};

/// A text that the client has open.
struct Open {
    text: String,
    language: Language,
    version: Value,
    /// The answers to its properties since it was last changed.
    told: BTreeMap<String, Told>,
}

/// A check under way.
struct Running {
    number: u64,
    uri: String,
    request: RequestId,
    token: Value,
    properties: Vec<String>,
    found: Vec<Value>,
    cancel: Arc<AtomicBool>,
}

struct Server {
    connection: Connection,
    open: BTreeMap<String, Open>,
    /// Texts whose messages have to be published.
    changed: BTreeSet<String>,
    running: Vec<Running>,
    events: (Sender<Event>, Receiver<Event>),
    number: u64,
    /// Whether the client shows progress, and whether it asks for lenses again when told so.
    shows_progress: bool,
    refreshes: bool,
}

/// Serves one client. There is one way to it, so that `--stdio` changes nothing.
pub(super) fn serve(_: &LspArgs) -> Result<Status, Failure> {
    let (connection, threads) = transport::start();
    let wrong = |error: String| Failure::Input(format!("orbitscope lsp: {error}"));
    let (id, params) = match connection.initialize_start() {
        Ok(initialized) => initialized,
        Err(error) if error.channel_is_disconnected() => {
            drop(connection);
            threads.join().map_err(wrong)?;
            return Err(wrong("the client was gone before it said anything".into()));
        }
        Err(error) => return Err(wrong(error.to_string())),
    };
    let info = json!({ "name": "orbitscope", "version": env!("CARGO_PKG_VERSION") });
    let answer = json!({ "capabilities": capabilities(), "serverInfo": info });
    connection.initialize_finish(id, answer).map_err(|error| wrong(error.to_string()))?;
    let can = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
    let mut server = Server {
        shows_progress: can("/capabilities/window/workDoneProgress"),
        refreshes: can("/capabilities/workspace/codeLens/refreshSupport"),
        connection,
        open: BTreeMap::new(),
        changed: BTreeSet::new(),
        running: Vec::new(),
        events: unbounded(),
        number: 0,
    };
    let done = server.run();
    server.running.iter().for_each(|running| running.cancel.store(true, Ordering::Relaxed));
    drop(server);
    done.map_err(wrong)?;
    threads.join().map_err(wrong)?;
    Ok(Status::Good)
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2 },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": ["."] },
        "codeLensProvider": {},
        "executeCommandProvider": { "commands": ["orbitscope.check", "orbitscope.checkAll", "orbitscope.showRun"] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": answers::TOKENS, "tokenModifiers": ["declaration"] },
            "full": true,
        },
    })
}

impl Server {
    /// Answers until the client says that it is enough, or is gone.
    fn run(&mut self) -> Result<(), String> {
        loop {
            if self.connection.receiver.is_empty() {
                self.publish();
            }
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Err(_) => return Ok(()),
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                            return Ok(());
                        }
                        self.request(request);
                    }
                    Ok(Message::Notification(notification)) => self.notification(&notification),
                    Ok(Message::Response(_)) => {}
                },
                recv(self.events.1) -> event => {
                    if let Ok(event) = event {
                        self.event(event);
                    }
                }
            }
        }
    }

    /// A client that is gone hears nothing more; the next message from it says so.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params));
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.number += 1;
        let id = RequestId::from(format!("orbitscope-{}", self.number));
        self.send(Request::new(id, method.to_owned(), params));
    }

    /// Tells what is wrong with the texts that have changed.
    fn publish(&mut self) {
        for uri in std::mem::take(&mut self.changed) {
            let (diagnostics, version) = match self.open.get(&uri) {
                None => (Vec::new(), Value::Null),
                Some(open) => {
                    let (text, language) = (&open.text, open.language);
                    let found = internal::guarded(|| {
                        let problems = language::problems(language, text);
                        answers::diagnostics(&uri, text, language, &problems, &open.told)
                    });
                    (found.unwrap_or_default(), open.version.clone())
                }
            };
            let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    fn notification(&mut self, notification: &Notification) {
        let params = &notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_owned();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                // A text without an address, or without words, is none that anybody could speak of.
                let Some(text) = document["text"].as_str().filter(|_| !uri.is_empty()) else { return };
                let id = document["languageId"].as_str().unwrap_or_default();
                let open = Open {
                    text: text.to_owned(),
                    language: Language::of(&uri, id),
                    version: document["version"].clone(),
                    told: BTreeMap::new(),
                };
                self.open.insert(uri.clone(), open);
                self.text_changed(uri);
            }
            "textDocument/didChange" => {
                let Some(open) = self.open.get_mut(&uri) else { return };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    text::apply(&mut open.text, change);
                }
                open.version = document["version"].clone();
                open.told.clear();
                self.text_changed(uri);
            }
            "textDocument/didClose" => {
                let was_open = self.open.remove(&uri).is_some();
                if was_open {
                    self.text_changed(uri);
                }
            }
            "window/workDoneProgress/cancel" => self.cancel(|running| running.token == params["token"]),
            "$/cancelRequest" => {
                let id: Option<RequestId> = serde_json::from_value(params["id"].clone()).ok();
                self.cancel(|running| Some(&running.request) == id.as_ref());
            }
            _ => {}
        }
    }

    fn text_changed(&mut self, uri: String) {
        self.cancel(|running| running.uri == uri);
        self.changed.insert(uri);
    }

    fn cancel(&self, which: impl Fn(&Running) -> bool) {
        self.running.iter().filter(|running| which(running)).for_each(|running| {
            running.cancel.store(true, Ordering::Relaxed);
        });
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if method == "workspace/executeCommand" {
            return self.command(id, &params);
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let Some(open) = self.open.get(&uri) else {
            let known = method.starts_with("textDocument/");
            let code = if known { ErrorCode::InvalidParams } else { ErrorCode::MethodNotFound };
            let words =
                if known { format!("`{uri}` is not open") } else { format!("there is no `{method}`") };
            return self.send(Response::new_err(id, code as i32, words));
        };
        let answer = internal::guarded(|| {
            if method == "textDocument/codeLens" {
                let own = self.running.iter().filter(|running| running.uri == uri);
                let running: Vec<String> = own.flat_map(|running| running.properties.clone()).collect();
                return Some(Ok(answers::lenses(&uri, &open.text, open.language, &open.told, &running)));
            }
            let (text, language) = (&open.text, open.language);
            answers::of_text(&method, text, language)
                .or_else(|| answers::at_place(&method, text, language, &uri, &params, &open.told))
        });
        self.send(match answer {
            Ok(Some(Ok(value))) => Response::new_ok(id, value),
            Ok(Some(Err(words))) => Response::new_err(id, ErrorCode::RequestFailed as i32, words),
            Ok(None) => {
                Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("there is no `{method}`"))
            }
            Err(what) => {
                Response::new_err(id, ErrorCode::InternalError as i32, internal::report(&what, None))
            }
        });
    }

    fn command(&mut self, id: RequestId, params: &Value) {
        let argument = |at: usize| params["arguments"][at].as_str().map(str::to_owned);
        let uri = argument(0).unwrap_or_default();
        let fail = |words: String| Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, words);
        let Some(open) = self.open.get(&uri) else { return self.send(fail(format!("`{uri}` is not open"))) };
        let found = internal::guarded(|| language::properties(open.language, &open.text));
        let all: Vec<String> = found.unwrap_or_default().into_iter().map(|(name, _)| name).collect();
        let name = argument(1).unwrap_or_default();
        let known = all.contains(&name);
        let unknown = || fail(format!("there is no property called `{name}`"));
        match params["command"].as_str().unwrap_or_default() {
            "orbitscope.check" if !known => self.send(unknown()),
            "orbitscope.check" => self.check(id, uri, vec![name], &params["workDoneToken"]),
            "orbitscope.checkAll" => self.check(id, uri, all, &params["workDoneToken"]),
            "orbitscope.showRun" => {
                let answer = match open.told.get(&name) {
                    _ if !known => unknown(),
                    Some(told) if !told.run.is_empty() => {
                        let model = open.language.model(&open.text);
                        let link = model.and_then(|model| model.link(Some(&name)));
                        let result = json!({ "property": name, "words": told.words, "run": told.run, "link": link.ok() });
                        Response::new_ok(id, result)
                    }
                    _ => fail(format!("`{name}` has no run to show; check it first")),
                };
                self.send(answer);
            }
            other => {
                let words = format!("there is no command `{other}`");
                self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, words));
            }
        }
    }

    fn check(&mut self, request: RequestId, uri: String, properties: Vec<String>, token: &Value) {
        let Some(open) = self.open.get(&uri) else { return };
        let (text, language) = (open.text.clone(), open.language);
        self.number += 1;
        let number = self.number;
        let mut token = token.clone();
        if token.is_null() && self.shows_progress {
            token = json!(format!("orbitscope-check-{number}"));
            self.ask("window/workDoneProgress/create", json!({ "token": token }));
        }
        let cancel = Arc::new(AtomicBool::new(false));
        verdicts::start(number, (language, text), properties.clone(), cancel.clone(), self.events.0.clone());
        self.progress(&token, &json!({ "kind": "begin", "title": "Checking", "cancellable": true }));
        self.running.push(Running { number, uri, request, token, properties, found: Vec::new(), cancel });
        self.refresh();
    }

    fn progress(&self, token: &Value, value: &Value) {
        if !token.is_null() {
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    fn refresh(&mut self) {
        if self.refreshes {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    fn event(&mut self, event: Event) {
        let number = match &event {
            Event::Progress(number, _) | Event::Found(number, ..) | Event::Done(number) => *number,
        };
        let Some(at) = self.running.iter().position(|running| running.number == number) else { return };
        let stopped = self.running[at].cancel.load(Ordering::Relaxed);
        match event {
            Event::Progress(_, words) => {
                let token = self.running[at].token.clone();
                self.progress(&token, &json!({ "kind": "report", "message": words }));
            }
            // An answer about a text that is there no more.
            Event::Found(..) if stopped => {}
            Event::Found(_, name, told) => {
                let running = &mut self.running[at];
                running.found.push(
                    json!({ "property": name, "words": told.words, "run": told.run, "bad": told.is_bad }),
                );
                running.properties.retain(|property| *property != name);
                let uri = running.uri.clone();
                if let Some(open) = self.open.get_mut(&uri) {
                    open.told.insert(name, told);
                    self.changed.insert(uri);
                }
            }
            Event::Done(_) => {
                let Running { request, token, found, .. } = self.running.remove(at);
                self.progress(&token, &json!({ "kind": "end" }));
                self.send(if stopped {
                    Response::new_err(
                        request,
                        ErrorCode::RequestCanceled as i32,
                        "the check was stopped".into(),
                    )
                } else {
                    Response::new_ok(request, found)
                });
                self.refresh();
            }
        }
    }
}
