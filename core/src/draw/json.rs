//! The picture as data.

use super::{EdgeStyle, Graph, text};
use alloc::string::String;
use core::fmt::Write;

/// The graph as one JSON object: `complete`, `note`, `title`, `nodes` and `edges`, one node or edge a line.
pub fn json(graph: &Graph) -> String {
    let mut out = String::new();
    write_json(graph, &mut out).unwrap_or_default();
    out
}

fn write_json(graph: &Graph, out: &mut String) -> core::fmt::Result {
    write!(out, "{{\"title\":\"{}\",\"complete\":{}", text::json(&graph.title), graph.partial.is_none())?;
    match &graph.partial {
        Some(partial) => write!(out, ",\"note\":\"{}\"", text::json(partial))?,
        None => out.push_str(",\"note\":null"),
    }
    out.push_str(",\n\"nodes\":[");
    for (id, node) in graph.nodes.iter_enumerated() {
        out.push_str(if id.0 == 0 { "\n" } else { ",\n" });
        write!(out, "{{\"id\":\"{}\",\"label\":", text::json(&node.name))?;
        list(out, &node.label)?;
        out.push_str(",\"below\":");
        list(out, &node.below)?;
        let marks = [
            ("initial", node.initial),
            ("deadlock", node.deadlock),
            ("accepting", node.accepting),
            ("open", node.open),
        ];
        for (name, set) in marks {
            write!(out, ",\"{name}\":{set}")?;
        }
        match node.class {
            Some(class) => write!(out, ",\"class\":{class}}}")?,
            None => out.push_str(",\"class\":null}"),
        }
    }
    out.push_str("],\n\"edges\":[");
    for (position, edge) in graph.edges.iter().enumerate() {
        out.push_str(if position == 0 { "\n" } else { ",\n" });
        let (from, to) = (&graph.nodes[edge.from].name, &graph.nodes[edge.to].name);
        let style = match edge.style {
            EdgeStyle::Solid => "solid",
            EdgeStyle::Ghost => "ghost",
        };
        write!(
            out,
            "{{\"from\":\"{}\",\"to\":\"{}\",\"label\":\"{}\",\"style\":\"{style}\"}}",
            text::json(from),
            text::json(to),
            text::json(&edge.label)
        )?;
    }
    writeln!(out, "]}}")
}

fn list(out: &mut String, lines: &[String]) -> core::fmt::Result {
    out.push('[');
    for (position, line) in lines.iter().enumerate() {
        write!(out, "{}\"{}\"", if position == 0 { "" } else { "," }, text::json(line))?;
    }
    out.push(']');
    Ok(())
}
