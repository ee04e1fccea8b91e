//! The picture as SVG: no other program, font or script is needed to see it.

use super::dot::PALETTE;
use super::picture::{Course, Layout, Node, Picture, Point, length};
use super::text::xml;
use super::{EdgeId, EdgeStyle, Graph, NodeId};
use alloc::format;
use alloc::string::String;
use core::fmt::Write;

const STYLE: &str = "\
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1a1a1a;text-anchor:middle}\
.n text{font-size:12px}\
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
.e .p{fill:#4a4a4a}\
.e.k text{fill:#1f4f73}\
.e.g path{stroke:#a0a0a0;stroke-dasharray:4 3}\
.e.g .h{fill:#a0a0a0;stroke:none}\
.e.g text{fill:#777}\
.s text{font-size:13px;fill:#4a4a4a}\
.s .l{stroke:#ddd;stroke-width:1}\
.s .w{text-anchor:start}\
.note{font-size:11px;fill:#b3261e;text-anchor:start}";

/// How a picture is coloured beyond what the graph itself says.
pub trait Look {
    /// Rules of style that come after the usual ones.
    fn style(&self) -> String {
        String::new()
    }
    /// Classes of a node, each with a space before it.
    fn node(&self, _: NodeId) -> String {
        String::new()
    }
    /// Classes of an edge, each with a space before it; none leaves the edge out.
    fn edge(&self, _: EdgeId) -> Option<String> {
        Some(String::new())
    }
}

/// Nothing beyond what the graph says.
struct Plain;

impl Look for Plain {}

/// The graph as an SVG document, in the clearest layout.
pub fn svg(graph: &Graph) -> String {
    svg_of(&Picture::clearest(graph.clone()), &Plain)
}

/// A picture as an SVG document.
pub fn svg_of(picture: &Picture, look: &dyn Look) -> String {
    let mut out = String::new();
    Writer { picture, look }.write(&mut out).unwrap_or_default();
    out
}

struct Writer<'a> {
    picture: &'a Picture,
    look: &'a dyn Look,
}

impl Writer<'_> {
    fn write(&self, out: &mut String) -> core::fmt::Result {
        let graph = &self.picture.graph;
        let Point { x: mut width, y: mut height } = self.picture.size;
        if let Some(partial) = &graph.partial {
            width = width.max(super::text::width(partial) as f32 * 6.65 + 100.0);
            height += 20.0;
        }
        let Point { x, y } = self.gutter();
        let (wide, tall) = (width + x, height + y);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1} {:.1} {wide:.1} {tall:.1}\" width=\"{wide:.0}\" height=\"{tall:.0}\" role=\"img\">",
            0.0 - x,
            0.0 - y
        )?;
        writeln!(out, "<title>{}</title>", xml(&graph.title))?;
        writeln!(out, "<style>{STYLE}{}</style>", self.look.style())?;
        writeln!(
            out,
            "<rect class=\"paper\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" fill=\"#fff\"/>",
            0.0 - x,
            0.0 - y
        )?;
        self.sides(out)?;
        for id in graph.edges.ids() {
            if let Some(class) = self.look.edge(id) {
                self.edge(out, id, &class)?;
            }
        }
        for id in graph.nodes.ids() {
            self.node(out, id)?;
        }
        if let Some(partial) = &graph.partial {
            let y = height - 10.0;
            writeln!(out, "<text class=\"note\" x=\"10.0\" y=\"{y:.1}\">partial: {}</text>", xml(partial))?;
        }
        writeln!(out, "</svg>")
    }

    /// The room for the names of rows and columns, to the left and above.
    fn gutter(&self) -> Point {
        let [_, rows] = &self.picture.sides[..] else { return Point::default() };
        let longest = rows.ticks.iter().map(|tick| super::text::width(&tick.label)).max().unwrap_or(0);
        Point { x: longest as f32 * 8.0 + 30.0, y: 44.0 }
    }

    /// The names of columns and rows.
    fn sides(&self, out: &mut String) -> core::fmt::Result {
        let [columns, rows] = &self.picture.sides[..] else { return Ok(()) };
        let (Point { x: width, y: height }, gutter) = (self.picture.size, self.gutter());
        writeln!(
            out,
            "<g class=\"s\"><text x=\"{:.1}\" y=\"-28\">{}</text>",
            width / 2.0,
            xml(&columns.name)
        )?;
        for tick in columns.ticks.iter().step_by(columns.ticks.len().div_ceil(24).max(1)) {
            let (x, label) = (tick.at, xml(&tick.label));
            writeln!(
                out,
                "<path class=\"l\" d=\"M{x} 0V{height}\"/><text x=\"{x}\" y=\"-8\">{label}</text>"
            )?;
        }
        for tick in rows.ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let (y, x, label) = (tick.at + 4.0, 10.0 - gutter.x, xml(&tick.label));
            writeln!(out, "<text class=\"w\" x=\"{x}\" y=\"{y}\">{label}</text>")?;
        }
        writeln!(out, "</g>")
    }

    fn node(&self, out: &mut String, id: NodeId) -> core::fmt::Result {
        let node = &self.picture.graph.nodes[id];
        let Node { area, label, below, rule, start, .. } = &self.picture.nodes[id];
        let (x, y, width, height) = (area.origin.x, area.origin.y, area.size.x, area.size.y);
        let middle = area.centre().x;
        let marks = [(node.deadlock, " d"), (node.open, " o")];
        let class: String = marks.iter().filter(|(set, _)| *set).map(|(_, class)| *class).collect();
        let look = self.look.node(id);
        writeln!(out, "<g class=\"n{class}{look}\"><title>{}</title>", xml(&node.name))?;
        let fill = node.class.map(|class| PALETTE[class as usize % PALETTE.len()]);
        let fill = fill.map(|fill| format!(" fill=\"{fill}\" style=\"fill:{fill}\"")).unwrap_or_default();
        let fill = if look.is_empty() { fill } else { String::new() };
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"{fill}/>"
        )?;
        if node.deadlock || node.accepting {
            let (x, y, width, height) = (x + 3.0, y + 3.0, width - 6.0, height - 6.0);
            writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"{fill}/>"
            )?;
        }
        for line in label {
            writeln!(out, "<text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>", line.base, xml(&line.text))?;
        }
        if let Some(rule) = rule {
            writeln!(out, "<path class=\"r\" d=\"M{x:.1} {rule:.1}h{width:.1}\"/>")?;
        }
        for line in below {
            writeln!(
                out,
                "<text class=\"b\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
                line.base,
                xml(&line.text)
            )?;
        }
        writeln!(out, "</g>")?;
        if let Some(start) = start {
            let head = head(*start, Point { x, y: start.y });
            writeln!(out, "<g class=\"e\"><path d=\"M{:.1} {:.1}H{x:.1}\"/>{head}</g>", start.x, start.y)?;
        }
        Ok(())
    }

    fn edge(&self, out: &mut String, id: EdgeId, look: &str) -> core::fmt::Result {
        let edge = &self.picture.graph.edges[id];
        let route = &self.picture.routes[id];
        let layered = matches!(self.picture.layout, Layout::Layered { .. });
        let style = match edge.style {
            EdgeStyle::Ghost => " g",
            EdgeStyle::Solid if layered && route.course == Course::Back => " k",
            EdgeStyle::Solid => "",
        };
        let name = |node: NodeId| xml(&self.picture.graph.nodes[node].name);
        writeln!(
            out,
            "<g class=\"e{style}{look}\"><title>{} to {}: {}</title><path d=\"{}\"/>{}",
            name(edge.from),
            name(edge.to),
            xml(&edge.label),
            route.path.d(),
            head(route.path.before_end(), route.path.end())
        )?;
        for (number, line) in route.lines.iter().enumerate() {
            let class = if number > 0 { " class=\"p\"" } else { "" };
            let (x, y) = (route.label.x, line.base);
            writeln!(out, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", xml(&line.text))?;
        }
        writeln!(out, "</g>")
    }
}

/// An arrow head with its tip at the second place, coming from the first.
fn head(from: Point, tip: Point) -> String {
    let (dx, dy) = (f64::from(tip.x - from.x), f64::from(tip.y - from.y));
    let length = length(dx, dy).max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    let (x, y) = (f64::from(tip.x), f64::from(tip.y));
    let (back_x, back_y) = (x - 8.0 * dx, y - 8.0 * dy);
    format!(
        "<path class=\"h\" d=\"M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        back_x - 3.5 * dy,
        back_y + 3.5 * dx,
        back_x + 3.5 * dy,
        back_y - 3.5 * dx
    )
}
