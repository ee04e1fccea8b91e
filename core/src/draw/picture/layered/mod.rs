//! Layers by distance from the initial nodes, from left to right.

mod layers;
mod order;
mod place;
#[cfg(test)]
pub(super) mod tests;

use super::geometry::{Pen, rounded};
use super::{Course, Layout, Line, Node, Picture, Point, Rect, Route};
use crate::draw::{Edge, EdgeId, Graph, NodeId};
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;
pub(super) use layers::distances;
use layers::{ItemId, ItemKind, Layers, NODE_LINE};
use place::Placement;

/// How long the arrow into an initial node is.
const START: f64 = 22.0;

pub(super) fn picture(graph: Graph) -> Picture {
    let mut layers = Layers::new(&graph);
    order::order(&mut layers);
    let initial: Vec<ItemId> = layers
        .items
        .iter_enumerated()
        .filter(|(_, item)| matches!(item.kind, ItemKind::Node(node) if graph.nodes[node].initial))
        .map(|(id, _)| id)
        .collect();
    let placement = place::place(&layers, &initial);
    let drawing = Drawing { graph: &graph, layers: &layers, placement: &placement };
    let nodes = drawing.nodes();
    let routes = graph.edges.iter_enumerated().map(|(id, edge)| drawing.route(id, edge)).collect();
    Picture {
        nodes,
        routes,
        layout: Layout::Layered { labels: !layers.labels.is_empty() },
        sides: Vec::new(),
        size: Point::new(placement.width, placement.height),
        graph,
    }
}

struct Drawing<'a> {
    graph: &'a Graph,
    layers: &'a Layers,
    placement: &'a Placement,
}

impl Drawing<'_> {
    fn nodes(&self) -> IdVec<NodeId, Node> {
        let mut items: IdVec<NodeId, (ItemId, u32)> =
            alloc::vec![(ItemId(0), 0); self.graph.nodes.len()].into();
        for rank in &self.layers.ranks {
            let nodes = rank.iter().filter_map(|&item| match self.layers.items[item].kind {
                ItemKind::Node(node) => Some((item, node)),
                _ => None,
            });
            for (row, (item, node)) in (0..).zip(nodes) {
                items[node] = (item, row);
            }
        }
        items.iter_enumerated().map(|(id, &(item, row))| self.node(id, item, row)).collect()
    }

    fn node(&self, id: NodeId, item: ItemId, row: u32) -> Node {
        let rank = self.layers.rank_of[item];
        let (x, width) = self.placement.columns[rank as usize];
        let y = self.placement.y[item];
        // The item has a margin above and below.
        let height = self.layers.items[item].above * 2.0 - 18.0;
        let text = &self.layers.texts[id];
        let mut base = y - text.height() / 2.0 + 6.0 + NODE_LINE - 4.0;
        let mut lines = |texts: &[alloc::string::String]| -> Vec<Line> {
            let line = |text: &alloc::string::String| {
                let line = Line { base: rounded(base), text: text.trim().into() };
                base += NODE_LINE;
                line
            };
            texts.iter().map(line).collect()
        };
        let label = lines(&text.label);
        let rule = (!text.below.is_empty()).then(|| {
            let rule = y - text.height() / 2.0 + 10.0 + NODE_LINE * text.label.len() as f64;
            rounded(rule)
        });
        let mut below = lines(&text.below);
        for line in &mut below {
            line.base = rounded(f64::from(line.base) + 7.0);
        }
        let start = self.graph.nodes[id].initial.then(|| {
            let above = self.ends_on_the_left(item) as f64 / 2.0 * self.layers.port;
            Point::new(x - START, y - above)
        });
        let area = Rect::around(x + width / 2.0, y, width, height);
        Node { area, label, below, rule, start, cell: (rank / 2, row) }
    }

    /// The arrow from nowhere into an initial node is above the other ends on its left.
    fn ends_on_the_left(&self, item: ItemId) -> usize {
        let ends = self.layers.routes.iter().map(|route| {
            let (first, last) = (route[0], route[route.len() - 1]);
            let leaves = first == item && !self.layers.is_right(first, route[1]);
            let enters = last == item && !self.layers.is_right(last, route[route.len() - 2]);
            usize::from(leaves) + usize::from(enters)
        });
        ends.sum()
    }

    fn route(&self, id: EdgeId, edge: &Edge) -> Route {
        let index = id.index();
        let route = &self.layers.routes[index];
        let Placement { y, columns, ports, reach, .. } = self.placement;
        let rank = |item: ItemId| self.layers.rank_of[item] as usize;
        let (start, end) = (route[0], route[route.len() - 1]);
        let side = |node: ItemId, next: ItemId| {
            let (x, width) = columns[rank(node)];
            if self.layers.is_right(node, next) { x + width } else { x }
        };
        let (from_x, to_x) = (side(start, route[1]), side(end, route[route.len() - 2]));
        let (from_y, to_y) = (y[start] + ports[index].0, y[end] + ports[index].1);
        // Neighbours bend at different places, so that their steep parts do not run into each other.
        let mut pen = Pen::new(from_x, from_y, 0.38 + 0.06 * (index % 5) as f64);
        let (item, gap) = (route[1], rank(route[1]));
        let (left, width) = (columns[gap].0 + reach[gap], columns[gap].1 - 2.0 * reach[gap]);
        let line = y[item];
        let text = self.layers.labels.get(index).cloned().unwrap_or_default();
        let turns = matches!(self.layers.items[item].kind, ItemKind::Turn(_));
        let (label, bases) = if turns {
            pen.turn(left - 2.0, line, to_x, to_y);
            let both = !text.over.is_empty() && !text.under.is_empty();
            let wide = self.layers.items[item].width - 13.0;
            let bases = if both { (line - 2.5, line + 10.0) } else { (line + 3.5, line + 3.5) };
            (Point::new(left + 7.0 + wide / 2.0, line), bases)
        } else {
            for &item in &route[1..route.len() - 1] {
                let (x, width) = columns[rank(item)];
                let inset = reach[rank(item)];
                let (near, far) = (x + inset, x + width - inset);
                let (near, far) = if pen.x() <= near { (near, far) } else { (far, near) };
                pen.curve(near, y[item]);
                pen.line(far, y[item]);
            }
            pen.curve(to_x, to_y);
            (Point::new(left + width / 2.0, line), (line - 3.5, line + 11.0))
        };
        let lines = [(bases.0, text.over), (bases.1, text.under)]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(base, text)| Line { base: rounded(base), text })
            .collect();
        let course = match rank(start).cmp(&rank(end)) {
            _ if edge.from == edge.to => Course::Loop,
            core::cmp::Ordering::Less => Course::Forward,
            core::cmp::Ordering::Equal => Course::Level,
            core::cmp::Ordering::Greater => Course::Back,
        };
        Route { path: pen.finish(), course, label, lines }
    }
}
