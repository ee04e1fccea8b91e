//! The guide's table of what each door says to bad input: every line of it is tried here.

use crate::editor::{Client, URI};
use crate::support::Folder;
use orbitscope_core::link::Link;
use serde_json::json;
use std::net::TcpListener;
use std::path::Path;

const WRONG: &str = "shared x bool = true\n";
const MODEL: &str =
    "process p[2] {\n  var x: bool = false\n  action go: not x -> x := true\n}\n\ninvariant fine: true\n";
const LARGE: &str = "process p[40] { var x: 0..1000000 = 0 action up: x < 1000000 -> x := x + 1 }\ninvariant low: forall q in p: q.x < 1000000\n";

/// The rows of the table: the door, the bad input, and what is said.
fn rows() -> Vec<[String; 3]> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/elsewhere.md");
    let text = std::fs::read_to_string(file).unwrap();
    let table = text.split("| door | bad input | says |").nth(1).expect("the guide has the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let mut cells =
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').trim().to_owned());
        std::array::from_fn(|_| cells.next().unwrap_or_else(|| panic!("three cells: {line}")))
    };
    rows.map(row).collect()
}

fn folder() -> Folder {
    let folder = crate::serve::site();
    for name in ["lab", "hollow"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    folder.write("wrong.orb", WRONG.as_bytes());
    folder.write("m.orb", MODEL.as_bytes());
    folder.write("log.jsonl", b"{\"action\": \"go\"}\n{\"act");
    folder.write("hollow/exercise.json", b"{");
    folder.write(
        "lab/exercise.json",
        br#"{ "title": "x", "start": "m.orb", "properties": "p.orb", "checks": [{ "property": "fine", "verdict": "holds" }] }"#,
    );
    folder.write("lab/m.orb", MODEL.as_bytes());
    folder.write("lab/p.orb", b"invariant fine: true\n");
    folder
}

/// The output of a command.
fn said(folder: &Folder, line: &str) -> String {
    let output = folder.run(&line.split_whitespace().collect::<Vec<_>>(), "");
    assert!(!output.status.success(), "{line}");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat()
}

/// The language server's messages about a text.
fn server(bad: &str) -> String {
    match bad {
        "a model with errors" => Client::new(WRONG).told()[0]["message"].as_str().unwrap().to_owned(),
        "an unknown property" => {
            Client::new(MODEL).command("orbitscope.check", "fne").unwrap_err()["message"]
                .as_str()
                .unwrap()
                .into()
        }
        "a cancelled check" => {
            let mut client = Client::new(LARGE);
            let check =
                json!({ "command": "orbitscope.check", "arguments": [URI, "low"], "workDoneToken": "t" });
            let id = client.start("workspace/executeCommand", check);
            client.tell("window/workDoneProgress/cancel", json!({ "token": "t" }));
            client.answer(id).unwrap_err()["message"].as_str().unwrap().into()
        }
        _ => panic!("no test of the language server and {bad}"),
    }
}

/// The words of a door, on which the table depends.
fn words(folder: &Folder, door: &str, bad: &str) -> String {
    let command = match (door, bad) {
        ("check", "a model with errors") => "check wrong.orb",
        ("check", "an unknown property") => "check m.orb -p fne",
        ("check", "a missing file") => "check nowhere.orb",
        ("check", "a report into a missing folder") => "check m.orb --report junit=nowhere/out.xml",
        ("check", "a parameter that is not there") => "check m.orb --set n=3",
        ("replay", "a damaged log") => "replay m.orb log.jsonl",
        ("replay", "a missing file") => "replay m.orb nowhere.jsonl",
        ("serve", "a missing file") => "serve nowhere.orb --site site",
        ("serve", "a port in use") => {
            let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let port = taken.local_addr().unwrap().port().to_string();
            return said(folder, &format!("serve --site site --port {port}")).replace(&port, "8080");
        }
        ("grade", "a model with errors") => "grade lab wrong.orb",
        ("grade", "a damaged exercise") => "grade hollow m.orb",
        ("link", "a model with errors") => "link wrong.orb",
        ("link", "an unknown property") => "link m.orb -p fne",
        ("lsp", _) => return server(bad),
        ("the page", "a damaged link") => return Link::decode("1.eNqqqq").unwrap_err().to_string(),
        ("the page", "a link of a later version") => {
            return Link::decode("7.abc").unwrap_err().to_string();
        }
        _ => panic!("no test of {door} and {bad}"),
    };
    said(folder, command)
}

#[test]
fn every_line_of_the_table_is_true() {
    let folder = folder();
    let rows = rows();
    assert!(rows.len() >= 18, "{} lines", rows.len());
    for [door, bad, says] in &rows {
        let words = words(&folder, door, bad);
        assert!(words.contains(says.as_str()), "{door}, {bad}: {words}");
    }
    // Each kind that people meet is in it.
    for kind in [
        "a model with errors",
        "an unknown property",
        "a cancelled check",
        "a damaged log",
        "a missing file",
        "a port in use",
    ] {
        assert!(rows.iter().any(|[_, bad, _]| bad == kind), "{kind}");
    }
}
