//! The picture as SVG, laid out here: no other program, font or script is needed to see it.

mod layers;
mod order;
mod place;
#[cfg(test)]
mod tests;

use super::dot::PALETTE;
use super::text::xml;
use super::{EdgeStyle, Graph, NodeId};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use layers::{ItemId, ItemKind, Layers, NODE_LINE, PORT};
use place::Placement;

const STYLE: &str = "\
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1a1a1a}\
.n text{font-size:12px;text-anchor:middle}\
.n .b{fill:#4a4a4a}\
.n rect{fill:#fff;stroke:#1a1a1a;stroke-width:1.2}\
.n .r{stroke:#1a1a1a;stroke-width:.6}\
.n.d rect{stroke:#b3261e}\
.n.o rect{stroke-dasharray:5 3}\
.e path{fill:none;stroke:#444;stroke-width:1}\
.e .h{fill:#444;stroke:none}\
.e.k path{stroke:#2f6f9f}\
.e.k .h{fill:#2f6f9f}\
.e text{font-size:11px;stroke:#fff;stroke-width:2.5px;paint-order:stroke;stroke-linejoin:round}\
.e.k text{fill:#1f4f73}\
.e.g path{stroke:#a0a0a0;stroke-dasharray:4 3}\
.e.g .h{fill:#a0a0a0;stroke:none}\
.e.g text{fill:#777}\
.note{font-size:11px;fill:#b3261e}";

/// The graph as an SVG document: layers by distance from the initial nodes, from left to right.
pub fn svg(graph: &Graph) -> String {
    let mut layers = Layers::new(graph);
    order::order(&mut layers);
    let initial: Vec<ItemId> = layers
        .items
        .iter_enumerated()
        .filter(|(_, item)| matches!(item.kind, ItemKind::Node(node) if graph.nodes[node].initial))
        .map(|(id, _)| id)
        .collect();
    let placement = place::place(&layers, &initial);
    let mut out = String::new();
    Picture { graph, layers: &layers, placement: &placement }.write(&mut out).unwrap_or_default();
    out
}

struct Picture<'a> {
    graph: &'a Graph,
    layers: &'a Layers,
    placement: &'a Placement,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> core::fmt::Result {
        let Placement { mut width, mut height, .. } = *self.placement;
        if let Some(partial) = &self.graph.partial {
            width = width.max(super::text::width(partial) as f64 * layers::LABEL_CHAR + 100.0);
            height += 20.0;
        }
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
        )?;
        writeln!(out, "<title>{}</title>", xml(&self.graph.title))?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")?;
        for index in 0..self.graph.edges.len() {
            self.edge(out, index)?;
        }
        for (id, item) in self.layers.items.iter_enumerated() {
            if let ItemKind::Node(node) = item.kind {
                self.node(out, id, node)?;
            }
        }
        if let Some(partial) = &self.graph.partial {
            let (x, y) = (10.0, height - 10.0);
            writeln!(out, "<text class=\"note\" x=\"{x:.1}\" y=\"{y:.1}\">partial: {}</text>", xml(partial))?;
        }
        writeln!(out, "</svg>")
    }

    fn node(&self, out: &mut String, item: ItemId, id: NodeId) -> core::fmt::Result {
        let node = &self.graph.nodes[id];
        let (x, width) = self.placement.columns[self.layers.rank_of[item] as usize];
        let y = self.placement.y[item];
        // The item has a margin above and below.
        let height = self.layers.items[item].above * 2.0 - 18.0;
        let (top, middle) = (y - height / 2.0, x + width / 2.0);
        let marks = [(node.deadlock, " d"), (node.open, " o")];
        let class: String = marks.iter().filter(|(set, _)| *set).map(|(_, class)| *class).collect();
        writeln!(out, "<g class=\"n{class}\"><title>{}</title>", xml(&node.name))?;
        let fill = node.class.map(|class| PALETTE[class as usize % PALETTE.len()]);
        let fill = fill.map(|fill| alloc::format!(" style=\"fill:{fill}\"")).unwrap_or_default();
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"{fill}/>"
        )?;
        if node.deadlock || node.accepting {
            let (x, top, width, height) = (x + 3.0, top + 3.0, width - 6.0, height - 6.0);
            writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"{fill}/>"
            )?;
        }
        let text = &self.layers.texts[id];
        let mut baseline = y - text.height() / 2.0 + 6.0 + NODE_LINE - 4.0;
        for line in &text.label {
            writeln!(out, "<text x=\"{middle:.1}\" y=\"{baseline:.1}\">{}</text>", xml(line.trim()))?;
            baseline += NODE_LINE;
        }
        if !text.below.is_empty() {
            let rule = baseline - NODE_LINE + 8.0;
            writeln!(out, "<path class=\"r\" d=\"M{x:.1} {rule:.1}h{width:.1}\"/>")?;
            baseline += 7.0;
        }
        for line in &text.below {
            writeln!(
                out,
                "<text class=\"b\" x=\"{middle:.1}\" y=\"{baseline:.1}\">{}</text>",
                xml(line.trim())
            )?;
            baseline += NODE_LINE;
        }
        writeln!(out, "</g>")?;
        if node.initial { self.start(out, item, x) } else { Ok(()) }
    }

    /// The arrow from nowhere into an initial node, above the other ends on its left.
    fn start(&self, out: &mut String, item: ItemId, x: f64) -> core::fmt::Result {
        let ends = self.layers.routes.iter().map(|route| {
            let (first, last) = (route[0], route[route.len() - 1]);
            let leaves = first == item && !self.layers.is_right(first, route[1]);
            let enters = last == item && !self.layers.is_right(last, route[route.len() - 2]);
            usize::from(leaves) + usize::from(enters)
        });
        let y = self.placement.y[item] - ends.sum::<usize>() as f64 / 2.0 * PORT;
        writeln!(
            out,
            "<g class=\"e\"><path d=\"M{:.1} {y:.1}H{:.1}\"/>{}</g>",
            x - 22.0,
            x - 6.0,
            head(x, y, 1.0)
        )
    }

    fn edge(&self, out: &mut String, index: usize) -> core::fmt::Result {
        let edge = &self.graph.edges[index];
        let route = &self.layers.routes[index];
        let Placement { y, columns, ports, reach, .. } = self.placement;
        let rank = |item: ItemId| self.layers.rank_of[item] as usize;
        let (start, end) = (route[0], route[route.len() - 1]);
        let side = |node: ItemId, next: ItemId| {
            let (x, width) = columns[rank(node)];
            if self.layers.is_right(node, next) { (x + width, -1.0) } else { (x, 1.0) }
        };
        let (from_x, _) = side(start, route[1]);
        let (to_x, towards) = side(end, route[route.len() - 2]);
        let (from_y, to_y) = (y[start] + ports[index].0, y[end] + ports[index].1);
        // Neighbours bend at different places, so that their steep parts do not run into each other.
        let mut path = Pen::new(from_x, from_y, 0.38 + 0.06 * (index % 5) as f64);
        let mut label = (0.0, 0.0, "");
        let (item, gap) = (route[1], rank(route[1]));
        let (left, width) = (columns[gap].0 + reach[gap], columns[gap].1 - 2.0 * reach[gap]);
        if let ItemKind::Turn(_) = self.layers.items[item].kind {
            path.turn(left - 2.0, y[item], to_x - 6.0 * towards, to_y);
            label = (left + 5.0, y[item] + 3.5, "");
        } else {
            for &item in &route[1..route.len() - 1] {
                let (x, width) = columns[rank(item)];
                let inset = reach[rank(item)];
                let (near, far) = (x + inset, x + width - inset);
                let (near, far) = if path.x <= near { (near, far) } else { (far, near) };
                path.curve(near, y[item]);
                path.line(far);
            }
            path.curve(to_x - 6.0 * towards, to_y);
            if !edge.label.is_empty() {
                label = (left + width / 2.0, y[item] - 3.5, " text-anchor=\"middle\"");
            }
        }
        let style = match edge.style {
            EdgeStyle::Ghost => " g",
            EdgeStyle::Solid if rank(end) < rank(start) => " k",
            EdgeStyle::Solid => "",
        };
        let (from, to) = (&self.graph.nodes[edge.from].name, &self.graph.nodes[edge.to].name);
        writeln!(
            out,
            "<g class=\"e{style}\"><title>{} to {}: {}</title><path d=\"{}\"/>{}",
            xml(from),
            xml(to),
            xml(&edge.label),
            path.path,
            head(to_x, to_y, towards)
        )?;
        if !edge.label.is_empty() {
            let (x, y, anchor) = label;
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{}</text>", xml(&edge.label))?;
        }
        writeln!(out, "</g>")
    }
}

/// An arrow head with its tip at a place; edges end horizontally.
fn head(x: f64, y: f64, towards: f64) -> String {
    let back = x - 8.0 * towards;
    alloc::format!("<path class=\"h\" d=\"M{x:.1} {y:.1}L{back:.1} {:.1}V{:.1}Z\"/>", y - 3.5, y + 3.5)
}

/// The radius of the bend where an edge turns back at its label.
const HAIRPIN: f64 = 3.0;

/// Draws lines that leave and reach their ends horizontally.
struct Pen {
    path: String,
    x: f64,
    y: f64,
    /// How far on the way between two ends the steep part of a curve is.
    bend: f64,
}

impl Pen {
    fn new(x: f64, y: f64, bend: f64) -> Pen {
        Pen { path: alloc::format!("M{x:.1} {y:.1}"), x, y, bend }
    }

    fn curve(&mut self, x: f64, y: f64) {
        let middle = self.x + (x - self.x) * self.bend;
        let _ = write!(self.path, "C{middle:.1} {:.1} {middle:.1} {y:.1} {x:.1} {y:.1}", self.y);
        (self.x, self.y) = (x, y);
    }

    fn line(&mut self, x: f64) {
        let _ = write!(self.path, "H{x:.1}");
        self.x = x;
    }

    /// Out to a hairpin, and back.
    fn turn(&mut self, x: f64, y: f64, back_x: f64, back_y: f64) {
        let down = if self.y <= back_y { HAIRPIN } else { -HAIRPIN };
        self.curve(x, y - down);
        let sweep = u8::from(down > 0.0);
        let _ = write!(self.path, "A{HAIRPIN} {HAIRPIN} 0 0 {sweep} {x:.1} {:.1}", y + down);
        self.y = y + down;
        self.curve(back_x, back_y);
    }
}
