//! Questions about one text, answered by the language service.

use super::language::{Language, Read, properties};
use super::text::Lines;
use super::verdicts::Told;
use orbitscope_core::language::{Hover, Outline, Paint, SymbolKind};
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

/// Messages for the client: what is wrong, and which properties are violated.
pub(super) fn diagnostics(
    uri: &str,
    text: &str,
    language: Language,
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
    for (name, span) in properties(language, text) {
        if let Some(told) = told.get(&name).filter(|told| told.is_bad) {
            let message = format!("{name}: {}", told.words);
            all.push(json!({ "range": lines.range(span), "severity": 2, "source": "orbitscope", "message": message }));
        }
    }
    all
}

/// The lenses over each property: the check with its verdict, and the run.
pub(super) fn lenses(
    uri: &str,
    text: &str,
    language: Language,
    told: &BTreeMap<String, Told>,
    running: &[String],
) -> Value {
    let lines = Lines::new(text);
    let mut all = Vec::new();
    for (name, span) in properties(language, text) {
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
    language: Language,
    uri: &str,
    params: &Value,
    told: &BTreeMap<String, Told>,
) -> Option<Result<Value, String>> {
    let lines = Lines::new(text);
    let offset = lines.offset(&params["position"]);
    let document = Read::new(language, text);
    let location = |span: Span| json!({ "uri": uri, "range": lines.range(span) });
    Some(Ok(match method {
        "textDocument/hover" => document.hover(offset).map_or(Value::Null, |hover| {
            let named = document.property(offset, &hover);
            let verdict = named.and_then(|name| told.get(&name));
            json!({ "range": lines.range(hover.span), "contents": { "kind": "markdown", "value": markdown(&hover, language, verdict) } })
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
            Err(why) => return Some(Err(why)),
        },
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            match document.rename(offset, new) {
                Ok(places) => {
                    let edits = places.into_iter().map(|span| json!({ "range": lines.range(span), "newText": new }));
                    json!({ "changes": { uri: edits.collect::<Vec<_>>() } })
                }
                Err(why) => return Some(Err(why)),
            }
        }
        "textDocument/completion" => completion(&document, &lines, offset),
        _ => return None,
    }))
}

fn completion(document: &Read<'_>, lines: &Lines<'_>, offset: usize) -> Value {
    let Some((start, offers)) = document.complete(offset) else { return json!([]) };
    let range = lines.range(Span::new(start as u32, offset as u32));
    let item = |(at, offer): (usize, super::language::Offer)| {
        json!({
            "label": offer.text,
            "kind": if offer.kind == "built in" { 3 } else { offer.symbol.map_or(14, |kind| numbers(kind).1) },
            "detail": offer.says,
            "sortText": format!("{at:05}"),
            "textEdit": { "range": range, "newText": offer.text },
        })
    };
    offers.into_iter().enumerate().map(item).collect()
}

fn markdown(hover: &Hover, language: Language, verdict: Option<&Told>) -> String {
    let mut text = format!("```{}\n{}\n```\n{}", language.fence(), hover.code, hover.says);
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
pub(super) fn of_text(method: &str, text: &str, language: Language) -> Option<Result<Value, String>> {
    Some(Ok(match method {
        "textDocument/documentSymbol" => {
            let lines = Lines::new(text);
            Read::new(language, text).outline().iter().map(|outline| symbol(outline, &lines)).collect()
        }
        "textDocument/semanticTokens/full" => tokens(text, language),
        "textDocument/formatting" => match language.format(text) {
            Ok(new) if new == text => json!([]),
            Ok(new) => {
                let whole = Lines::new(text).range(Span::new(0, text.len() as u32));
                json!([{ "range": whole, "newText": new }])
            }
            Err(why) => return Some(Err(why)),
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
fn tokens(text: &str, language: Language) -> Value {
    let lines = Lines::new(text);
    let (mut line, mut column) = (0, 0);
    let mut data: Vec<usize> = Vec::new();
    for token in Read::new(language, text).tokens() {
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
