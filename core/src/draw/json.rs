//! The picture as data.

use super::{Edge, EdgeStyle, Graph, Node};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// The first line of the picture.
#[derive(Serialize)]
struct Head<'a> {
    title: &'a str,
    complete: bool,
    note: Option<&'a str>,
}

#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "four independent marks")]
struct NodeLine<'a> {
    id: &'a str,
    label: &'a [String],
    below: &'a [String],
    initial: bool,
    deadlock: bool,
    accepting: bool,
    open: bool,
    class: Option<u32>,
}

#[derive(Serialize)]
struct EdgeLine<'a> {
    from: &'a str,
    to: &'a str,
    label: &'a str,
    style: &'static str,
}

/// The graph as one JSON object: `complete`, `note`, `title`, `nodes` and `edges`. A node or an edge is one line, so that two
/// pictures can be compared line by line.
pub fn json(graph: &Graph) -> String {
    let head =
        Head { title: &graph.title, complete: graph.partial.is_none(), note: graph.partial.as_deref() };
    let head = line(&head);
    let nodes = lines(graph.nodes.iter().map(node));
    let edges = lines(graph.edges.iter().map(|edge| self::edge(graph, edge)));
    let open = head.trim_end_matches('}');
    format!("{open},\n\"nodes\":[{nodes}],\n\"edges\":[{edges}]}}\n")
}

fn node(node: &Node) -> NodeLine<'_> {
    NodeLine {
        id: &node.name,
        label: &node.label,
        below: &node.below,
        initial: node.initial,
        deadlock: node.deadlock,
        accepting: node.accepting,
        open: node.open,
        class: node.class,
    }
}

fn edge<'a>(graph: &'a Graph, edge: &'a Edge) -> EdgeLine<'a> {
    let (from, to) = (&graph.nodes[edge.from].name, &graph.nodes[edge.to].name);
    let style = match edge.style {
        EdgeStyle::Solid => "solid",
        EdgeStyle::Ghost => "ghost",
    };
    EdgeLine { from, to, label: &edge.label, style }
}

fn lines(values: impl Iterator<Item = impl Serialize>) -> String {
    let lines: Vec<String> = values.map(|value| format!("\n{}", line(&value))).collect();
    lines.join(",")
}

/// Text, numbers and lists of text can always be written.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
