//! The picture for Graphviz.

use super::text::{self, wrap};
use super::{EdgeStyle, Graph, Node};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Fill colours of the classes; the same in SVG. Pastel, so that black text is readable on all of them.
pub(super) const PALETTE: [&str; 8] =
    ["#dbe9f6", "#fde3c8", "#dff0d8", "#f6dcdc", "#e8dff2", "#f7f3c6", "#d9f0ee", "#ececec"];

/// The graph in the language of Graphviz.
pub fn dot(graph: &Graph) -> String {
    let mut out = String::new();
    write_dot(graph, &mut out).unwrap_or_default();
    out
}

fn write_dot(graph: &Graph, out: &mut String) -> core::fmt::Result {
    writeln!(out, "digraph \"{}\" {{", text::dot(&graph.title))?;
    if let Some(partial) = &graph.partial {
        let partial = text::dot(partial);
        writeln!(out, "  // partial: {partial}\n  label=\"partial: {partial}\"")?;
    }
    writeln!(
        out,
        "  rankdir=LR\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=monospace]"
    )?;
    writeln!(out, "  edge [fontname=monospace, fontsize=11]")?;
    for (id, node) in graph.nodes.iter_enumerated() {
        let name = text::dot(&node.name);
        writeln!(out, "  \"{name}\" [{}]", attributes(node))?;
        if node.initial {
            writeln!(out, "  \"start {0}\" [shape=point, label=\"\"]\n  \"start {0}\" -> \"{name}\"", id.0)?;
        }
    }
    for edge in &graph.edges {
        let (from, to) = (text::dot(&graph.nodes[edge.from].name), text::dot(&graph.nodes[edge.to].name));
        let style = match edge.style {
            EdgeStyle::Solid => "",
            EdgeStyle::Ghost => ", style=dashed, color=gray60, fontcolor=gray40",
        };
        writeln!(out, "  \"{from}\" -> \"{to}\" [label=\"{}\"{style}]", text::dot(&edge.label))?;
    }
    writeln!(out, "}}")
}

fn attributes(node: &Node) -> String {
    let lines = node.label.iter().chain(&node.below).flat_map(|line| wrap(line));
    let lines: Vec<String> = lines.map(|line| text::dot(&line)).collect();
    let mut attributes = alloc::format!("label=\"{}\"", lines.join("\\n"));
    if let Some(class) = node.class {
        attributes.push_str(", fillcolor=\"");
        attributes.push_str(PALETTE[class as usize % PALETTE.len()]);
        attributes.push('"');
    }
    if node.deadlock {
        attributes.push_str(", color=red3");
    }
    if node.deadlock || node.accepting {
        attributes.push_str(", peripheries=2");
    }
    if node.open {
        attributes.push_str(", style=\"rounded,filled,dashed\"");
    }
    attributes
}
