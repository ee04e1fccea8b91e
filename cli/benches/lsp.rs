//! How long the language server takes to answer about a text of 1,000 lines: `cargo bench -p orbitscope-cli --bench lsp`.
//!
//! The client of the tests asks over standard input and output, so that a figure is what an editor sees. Each is the longest and the
//! median of 50, and nothing is asserted. `$ORBITSCOPE_PROGRAM` names a program that is built already.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/cli/editor.rs"]
mod editor;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/cli/support.rs"]
mod support;

use editor::Client;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Instant;

const REPEATS: usize = 50;

/// A process with 480 variables and actions, and 40 properties.
fn orb() -> String {
    let mut text = String::from("param n = 3\nprocess p[n] {\n  var st: {idle, busy} = idle\n");
    for k in 0..480 {
        let _ = writeln!(
            text,
            "  var v{k}: 0..3 = 0\n  action go{k}: st == idle and v{k} < 3 -> v{k} := v{k} + 1, st := busy"
        );
    }
    text += "}\n";
    for k in 0..36 {
        let _ = writeln!(text, "invariant i{k}: forall q in p: q.v{k} <= 3 and q.st == idle");
    }
    text
}

/// The same in Murphi: 190 arrays, 190 rules and 50 properties.
fn murphi() -> String {
    let mut text = String::from("const n: 3;\ntype p: scalarset(n);\nvar busy: array [p] of boolean;\n");
    for k in 0..190 {
        let _ = writeln!(text, "v{k}: array [p] of 0..3;");
    }
    text += "startstate for q: p do busy[q] := false end;\n";
    for k in 0..190 {
        let _ = writeln!(text, "for q: p do v{k}[q] := 0 end;");
    }
    text += "end;\nruleset q: p do\n";
    for k in 0..190 {
        let _ = writeln!(
            text,
            "rule \"go {k}\"\n  !busy[q] & v{k}[q] < 3 ==> v{k}[q] := v{k}[q] + 1; busy[q] := true;\nend;"
        );
    }
    text += "end;\n";
    for k in 0..40 {
        let _ = writeln!(text, "invariant \"i{k}\" forall q: p do v{k}[q] <= 3 end;");
    }
    text
}

fn main() {
    measure("file:///model.orb", "orbitscope", &orb(), "v200 <");
    measure("file:///model.m", "murphi", &murphi(), "v100[q] <");
}

fn measure(uri: &str, language: &str, text: &str, place: &str) {
    let mut client = Client::open(uri, language, text);
    client.told();
    println!("{uri}, {} lines", text.lines().count());
    let at = text.find(place).unwrap_or_default();
    let mut longest = |what: &str, once: &mut dyn FnMut(&mut Client)| {
        let times = (0..REPEATS).map(|_| {
            let before = Instant::now();
            once(&mut client);
            before.elapsed().as_secs_f64() * 1e3
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        println!("  {what}: {:.1} ms, at most {:.1} ms", times[REPEATS / 2], times[REPEATS - 1]);
    };
    for method in ["hover", "definition", "references", "completion", "rename", "documentHighlight"] {
        // A refused request has an answer too.
        longest(method, &mut |client| {
            drop(client.at(&format!("textDocument/{method}"), at, json!({ "newName": "fresh" })));
        });
    }
    for method in ["documentSymbol", "semanticTokens/full", "codeLens", "formatting"] {
        longest(method, &mut |client| drop(client.of_text(&format!("textDocument/{method}"))));
    }
    longest("two edits, each to what is wrong", &mut |client| {
        client.edit(at, at, "x");
        client.told();
        client.edit(at, at + 1, "");
        client.told();
    });
    client.end();
}
