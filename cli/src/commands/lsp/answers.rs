//! Questions about one text, answered by the language service.

use super::text::Lines;
use super::verdicts::Told;
use orbitscope_core::language::{Document, Hover, Outline, Paint, SymbolKind};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax::ast::ItemKind;
use orbitscope_core::syntax::format;
use orbitscope_core::text::{Diagnostic, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The kinds of semantic tokens, in the order of their numbers.
pub(super) const TOKENS: [&str; 14] = [
    "keyword",
    "number",
    "operator",
    "function",
    "comment",
    "parameter",
    "type",
    "variable",
    "class",
    "macro",
    "method",
    "enumMember",
    "property",
    "label",
];

fn token_kind(paint: Paint) -> &'static str {
    match paint {
        Paint::Keyword => "keyword",
        Paint::Number => "number",
        Paint::Temporal | Paint::Unknown => "operator",
        Paint::Function => "function",
        Paint::Comment => "comment",
        Paint::Name(kind) => match kind {
            SymbolKind::Parameter
            | SymbolKind::Bound
            | SymbolKind::Argument
            | SymbolKind::Let
            | SymbolKind::Fixpoint => "parameter",
            SymbolKind::Type => "type",
            SymbolKind::Shared | SymbolKind::Variable => "variable",
            SymbolKind::Family => "class",
            SymbolKind::Definition => "macro",
            SymbolKind::Procedure | SymbolKind::Function => "function",
            SymbolKind::Action => "method",
            SymbolKind::Literal => "enumMember",
            SymbolKind::Field => "property",
            SymbolKind::Property | SymbolKind::State => "label",
        },
    }
}

/// The protocol's number for a kind of symbol, and for a kind of completion.
fn numbers(kind: SymbolKind) -> (u32, u32) {
    match kind {
        SymbolKind::Parameter => (14, 21),
        SymbolKind::Type => (23, 22),
        SymbolKind::Family => (5, 7),
        SymbolKind::Definition | SymbolKind::Procedure | SymbolKind::Function => (12, 3),
        SymbolKind::Property => (17, 10),
        SymbolKind::Action => (6, 2),
        SymbolKind::Literal | SymbolKind::State => (22, 20),
        SymbolKind::Field => (8, 5),
        SymbolKind::Shared
        | SymbolKind::Variable
        | SymbolKind::Bound
        | SymbolKind::Argument
        | SymbolKind::Let
        | SymbolKind::Fixpoint => (13, 6),
    }
}

/// The errors of a text: those of its syntax, or else those that the checker finds.
pub(super) fn problems(text: &str) -> Vec<Diagnostic> {
    let document = Document::new(text);
    if !document.diagnostics().is_empty() {
        return document.diagnostics().to_vec();
    }
    build(document.file(), &Settings::default()).err().unwrap_or_default()
}

/// Messages for the client: what is wrong, and which properties are violated.
pub(super) fn diagnostics(
    uri: &str,
    text: &str,
    found: &[Diagnostic],
    told: &BTreeMap<String, Told>,
) -> Vec<Value> {
    let lines = Lines::new(text);
    let mut all: Vec<Value> = Vec::new();
    for diagnostic in found {
        let note = diagnostic.note.iter().map(|note| {
            json!({ "location": { "uri": uri, "range": lines.range(note.span) }, "message": note.message })
        });
        all.push(json!({
            "range": lines.range(diagnostic.span),
            "severity": 1,
            "source": "orbitscope",
            "message": diagnostic.message,
            "relatedInformation": note.collect::<Vec<_>>(),
        }));
    }
    for (name, span) in properties(text) {
        if let Some(told) = told.get(&name).filter(|told| told.is_bad) {
            let message = format!("{name}: {}", told.words);
            all.push(json!({ "range": lines.range(span), "severity": 2, "source": "orbitscope", "message": message }));
        }
    }
    all
}

/// The properties of a text, each with the place of its name.
pub(super) fn properties(text: &str) -> Vec<(String, Span)> {
    let document = Document::new(text);
    let items = document.file().items.iter().filter_map(|item| match &item.kind {
        ItemKind::Property { name, .. } | ItemKind::DeadlockFree(name) | ItemKind::Automaton { name, .. } => {
            Some((name.name.clone(), name.span)).filter(|(name, _)| !name.is_empty())
        }
        _ => None,
    });
    items.collect()
}

/// The lenses over each property: the check with its verdict, and the run.
pub(super) fn lenses(uri: &str, text: &str, told: &BTreeMap<String, Told>, running: &[String]) -> Value {
    let lines = Lines::new(text);
    let mut all = Vec::new();
    for (name, span) in properties(text) {
        let mut lens = |title: &str, command: &str| {
            let command = json!({ "title": title, "command": command, "arguments": [uri, name] });
            all.push(json!({ "range": lines.range(span), "command": command }));
        };
        match told.get(&name) {
            _ if running.contains(&name) => lens("checking …", "orbitscope.check"),
            None => lens("check", "orbitscope.check"),
            Some(told) => {
                lens(&format!("{} (check again)", told.words), "orbitscope.check");
                if !told.run.is_empty() {
                    lens("show run", "orbitscope.showRun");
                }
            }
        }
    }
    Value::Array(all)
}

/// A question about a place; none where the method is no such question.
pub(super) fn at_place(
    method: &str,
    text: &str,
    uri: &str,
    params: &Value,
    told: &BTreeMap<String, Told>,
) -> Option<Result<Value, String>> {
    let lines = Lines::new(text);
    let offset = lines.offset(&params["position"]);
    let document = Document::new(text);
    let location = |span: Span| json!({ "uri": uri, "range": lines.range(span) });
    Some(Ok(match method {
        "textDocument/hover" => document.hover(offset).map_or(Value::Null, |hover| {
            let verdict = hover.symbol.and_then(|id| told.get(&document.symbols()[id].name));
            json!({ "range": lines.range(hover.span), "contents": { "kind": "markdown", "value": markdown(&hover, verdict) } })
        }),
        "textDocument/definition" => document.definition(offset).into_iter().map(location).collect(),
        "textDocument/references" => {
            let declared = document.definition(offset);
            let with = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
            let places = document.references(offset).into_iter();
            places.filter(|span| with || !declared.contains(span)).map(location).collect()
        }
        "textDocument/documentHighlight" => {
            let mut places = document.references(offset);
            if places.is_empty() {
                places.extend(document.brackets(offset).into_iter().flat_map(|(open, close)| [open, close]));
            }
            places.into_iter().map(|span| json!({ "range": lines.range(span), "kind": 1 })).collect()
        }
        "textDocument/prepareRename" => match document.renamable(offset) {
            Ok(span) => json!({ "range": lines.range(span), "placeholder": span.text(text) }),
            Err(why) => return Some(Err(why.to_string())),
        },
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            match document.rename(offset, new) {
                Ok(places) => {
                    let edits = places.into_iter().map(|span| json!({ "range": lines.range(span), "newText": new }));
                    json!({ "changes": { uri: edits.collect::<Vec<_>>() } })
                }
                Err(why) => return Some(Err(why.to_string())),
            }
        }
        "textDocument/completion" => completion(&document, &lines, offset),
        _ => return None,
    }))
}

fn completion(document: &Document<'_>, lines: &Lines<'_>, offset: usize) -> Value {
    let Some(found) = document.complete(offset, true) else { return json!([]) };
    let range = lines.range(Span::new(found.start as u32, offset as u32));
    let item = |(at, suggestion): (usize, orbitscope_core::language::Suggestion)| {
        let described = suggestion.symbol.map(|id| document.describe(id));
        let kind = suggestion.symbol.map_or(14, |id| numbers(document.symbols()[id].kind).1);
        json!({
            "label": suggestion.text,
            "kind": if suggestion.kind == "built in" { 3 } else { kind },
            "detail": described.as_ref().map_or_else(|| suggestion.kind.to_owned(), |hover| hover.says.clone()),
            "sortText": format!("{at:05}"),
            "textEdit": { "range": range, "newText": suggestion.text },
        })
    };
    found.suggestions.into_iter().enumerate().map(item).collect()
}

fn markdown(hover: &Hover, verdict: Option<&Told>) -> String {
    let mut text = format!("```orb\n{}\n```\n{}", hover.code, hover.says);
    if let Some(comment) = &hover.comment {
        text.push_str("\n\n");
        text.push_str(comment);
    }
    if let Some(told) = verdict {
        text.push_str("\n\n**");
        text.push_str(&told.words);
        text.push_str("**");
    }
    text
}

/// A question about a whole text; none where the method is no such question.
pub(super) fn of_text(method: &str, text: &str) -> Option<Result<Value, String>> {
    Some(Ok(match method {
        "textDocument/documentSymbol" => {
            let lines = Lines::new(text);
            Document::new(text).outline().iter().map(|outline| symbol(outline, &lines)).collect()
        }
        "textDocument/semanticTokens/full" => tokens(text),
        "textDocument/formatting" => match format(text) {
            Ok(new) if new == text => json!([]),
            Ok(new) => {
                let whole = Lines::new(text).range(Span::new(0, text.len() as u32));
                json!([{ "range": whole, "newText": new }])
            }
            Err(_) => return Some(Err("a text with errors of syntax is not formatted".into())),
        },
        _ => return None,
    }))
}

fn symbol(outline: &Outline, lines: &Lines<'_>) -> Value {
    json!({
        "name": outline.name,
        "detail": outline.kind.word(),
        "kind": numbers(outline.kind).0,
        "range": lines.range(outline.whole),
        "selectionRange": lines.range(outline.place),
        "children": outline.inside.iter().map(|inside| symbol(inside, lines)).collect::<Vec<_>>(),
    })
}

/// The pieces of a text, each told by its distance from the one before.
fn tokens(text: &str) -> Value {
    let lines = Lines::new(text);
    let (mut line, mut column) = (0, 0);
    let mut data: Vec<usize> = Vec::new();
    for token in Document::new(text).tokens() {
        let name = token_kind(token.paint);
        let kind = TOKENS.iter().position(|known| *known == name).unwrap_or(0);
        for (at, start, length) in lines.parts(token.span) {
            let shift = if at == line { start - column } else { start };
            data.extend([at - line, shift, length, kind, usize::from(token.declares)]);
            (line, column) = (at, start);
        }
    }
    json!({ "data": data })
}
