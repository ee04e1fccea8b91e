//! A picture that grows: what is drawn stays where it is, new nodes come below their column or in new columns.

use super::geometry::{Pen, rounded};
use super::layered::distances;
use super::{Course, Layout, Line, Node, Picture, Point, Rect, Route};
use crate::draw::{Edge, EdgeId, Graph, NodeId};
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;

/// The space between a node and the next, below it and beside it.
const GAP: (f64, f64) = (90.0, 24.0);
const MARGIN: f64 = 14.0;

/// The first nodes of `graph` are those of the picture; edges may be new anywhere.
pub(super) fn grown(picture: &Picture, graph: Graph) -> Picture {
    let known = picture.nodes.len();
    if graph.nodes.len() < known || picture.layout == Layout::Lattice {
        return Picture::clearest(graph);
    }
    // A lattice has a place for every node; here the column is where the node is found from.
    let (distance, _) = distances(&graph);
    let mut columns = Columns::of(picture);
    let mut nodes: IdVec<NodeId, Node> = picture.nodes.clone();
    for id in graph.nodes.ids().skip(known) {
        let node = columns.place(&graph, id, distance[id]);
        nodes.push(node);
    }
    let mut old = Routes::new(picture);
    let routes: IdVec<EdgeId, Route> =
        graph.edges.iter().map(|edge| old.take(edge).unwrap_or_else(|| direct(&nodes, edge))).collect();
    let right = nodes.iter().map(|node| node.area.right()).fold(0.0, f32::max);
    let bottom = nodes.iter().map(|node| node.area.bottom()).fold(0.0, f32::max);
    let size = Point {
        x: picture.size.x.max(rounded(f64::from(right) + MARGIN)),
        y: picture.size.y.max(rounded(f64::from(bottom) + MARGIN)),
    };
    Picture { graph, layout: picture.layout, nodes, routes, sides: Vec::new(), size }
}

/// The columns of a picture: where they are, and where their lowest box ends.
struct Columns {
    /// Left edge and width.
    across: Vec<(f64, f64)>,
    bottom: Vec<f64>,
    rows: Vec<u32>,
}

impl Columns {
    fn of(picture: &Picture) -> Columns {
        let mut columns = Columns { across: Vec::new(), bottom: Vec::new(), rows: Vec::new() };
        for node in &picture.nodes {
            let column = node.cell.0 as usize;
            columns.reach(column);
            columns.across[column] = (f64::from(node.area.origin.x), f64::from(node.area.size.x));
            columns.bottom[column] = columns.bottom[column].max(f64::from(node.area.bottom()));
            columns.rows[column] = columns.rows[column].max(node.cell.1 + 1);
        }
        columns
    }

    /// Makes sure that a column is there. New ones are as wide as the widest.
    fn reach(&mut self, column: usize) {
        while self.across.len() <= column {
            let widest = self.across.iter().map(|&(_, width)| width).fold(40.0, f64::max);
            let left = self.across.last().map_or(MARGIN, |(x, width)| x + width + GAP.0);
            self.across.push((left, widest));
            self.bottom.push(MARGIN);
            self.rows.push(0);
        }
    }

    fn place(&mut self, graph: &Graph, id: NodeId, distance: u32) -> Node {
        let column = distance as usize;
        self.reach(column);
        let (left, width) = self.across[column];
        let lines = graph.nodes[id].lines();
        let height = lines.len().max(1) as f64 * 16.0 + 12.0;
        let top = self.bottom[column] + GAP.1;
        self.bottom[column] = top + height;
        self.rows[column] += 1;
        // A box is no wider than its column, since the next one is fixed: what does not fit is cut off.
        let room = ((width - 12.0) / 7.25) as usize;
        let line = |(number, text): (usize, &alloc::string::String)| Line {
            base: rounded(top + 18.0 + number as f64 * 16.0),
            text: crate::draw::text::clip(text, room),
        };
        Node {
            area: Rect::around(left + width / 2.0, top + height / 2.0, width, height),
            label: lines.iter().enumerate().map(line).collect(),
            below: Vec::new(),
            rule: None,
            start: graph.nodes[id].initial.then(|| Point::new(left - 22.0, top + height / 2.0)),
            cell: (distance, self.rows[column] - 1),
        }
    }
}

/// The curves that are there already, by the edge they belong to.
struct Routes<'a> {
    picture: &'a Picture,
    /// Edges are in the order of their nodes and positions; one that is new was left out before.
    next: usize,
}

impl Routes<'_> {
    fn new(picture: &Picture) -> Routes<'_> {
        Routes { picture, next: 0 }
    }

    fn take(&mut self, edge: &Edge) -> Option<Route> {
        let id = EdgeId::from_index(self.next);
        let same = self.picture.graph.edges.get(id).filter(|known| {
            (known.from, known.to, known.position, known.style)
                == (edge.from, edge.to, edge.position, edge.style)
        });
        same?;
        self.next += 1;
        self.picture.routes.get(id).cloned()
    }
}

/// A curve straight from box to box.
fn direct(nodes: &IdVec<NodeId, Node>, edge: &Edge) -> Route {
    let (from, to) = (&nodes[edge.from], &nodes[edge.to]);
    let edges = |node: &Node| {
        let middle = f64::from(node.area.centre().y) + 4.0 * f64::from(edge.position % 5) - 8.0;
        (f64::from(node.area.origin.x), f64::from(node.area.right()), middle)
    };
    let ((left, right, y), (to_left, to_right, to_y)) = (edges(from), edges(to));
    let (course, start, end) = match from.cell.0.cmp(&to.cell.0) {
        _ if edge.from == edge.to => (Course::Loop, right, to_right),
        core::cmp::Ordering::Less => (Course::Forward, right, to_left),
        core::cmp::Ordering::Equal => (Course::Level, right, to_right),
        core::cmp::Ordering::Greater => (Course::Back, left, to_right),
    };
    let mut pen = Pen::new(start, y, 0.45);
    match course {
        Course::Forward | Course::Back => pen.curve(end, to_y),
        Course::Level | Course::Loop => pen.turn(right + 16.0, f64::midpoint(y, to_y), end, to_y + 6.0),
    }
    let label = Point::new(f64::midpoint(start, end), f64::midpoint(y, to_y));
    Route { path: pen.finish(), course, label, lines: Vec::new() }
}
